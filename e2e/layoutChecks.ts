/** Layout checks: overflow, overlap and layout shift. */
import type { Page } from 'playwright-core'
import { type Language, languageCodes } from '#domain/people/account.ts'
import type { Visitor } from './browser.ts'
import type { Portal } from './portal.ts'

/** The layout shift while the page loaded (docs/promises.md "Texts and layout": at most 0.1). */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        const observer = new PerformanceObserver(list => {
          for (const entry of list.getEntriesByType('layout-shift') as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[])
            if (!entry.hadRecentInput) sum += entry.value
          if (list.getEntriesByType('navigation').length > 0) resolve(sum)
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // every page has a navigation entry, and entries arrive in the order of the observe calls
        observer.observe({ type: 'navigation', buffered: true })
      }),
  )

/** Overflow: a screen that scrolls sideways, controls with clipped text or outside of the screen or of their card. */
export const overflowing = async (page: Page): Promise<string[]> => [
  ...(await overflowingScreen(page)),
  ...(await overflowingCards(page)),
]

const overflowingScreen = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`the screen is ${scrollWidth - clientWidth} px too wide`)
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const controls =
      'button, [role="tab"], a[href], label, .mantine-Button-label, .mantine-Badge-label, .mantine-Tabs-tabLabel'
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      const { width, left, right } = control.getBoundingClientRect()
      const text = control.textContent.trim()
      if (width <= 1 || text === '' || !control.checkVisibility()) continue
      const style = getComputedStyle(control)
      const ellipsis = style.textOverflow === 'ellipsis' && control.tagName === 'A'
      if (style.overflowX !== 'visible' && !ellipsis && control.scrollWidth > control.clientWidth + 1)
        faults.push(`cut off: ${text}`)
      if ((left < -1 || right > innerWidth + 1) && !scrolls(control.parentElement))
        faults.push(`beside the screen: ${text}`)
    }
    return faults
  })

/** Fields and buttons that stick out of their card, which can still be on the screen. */
const overflowingCards = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    for (const field of document.querySelectorAll<HTMLElement>('.mantine-Paper-root :is(button, input, textarea)')) {
      const { width, left, right } = field.getBoundingClientRect()
      const card = field.closest('.mantine-Paper-root')?.getBoundingClientRect()
      if (!card || width <= 1 || !field.checkVisibility() || scrolls(field.parentElement)) continue
      if (left < card.left - 1 || right > card.right + 1)
        faults.push(`beside its card: ${field.getAttribute('aria-label') ?? (field.textContent.trim() || field.id)}`)
    }
    return faults
  })

// Longer texts --------------------------------------------------------------------------------------------------------

/** No text of the portal has these letters: a text with them comes from the texts and not from user input. */
const paddingWords = ['ĝęëřđŵįş', 'ṽëṝžîëňđ', 'åķţűñģ', 'ĝŕőßęń', 'şçĥļůšŝ']
const paddingLetters = /[ĝęŕőṽṝžîňķţűñģńşçĥļůŝđŵį]/

/** A text that is 40 % longer, with ascenders and descenders. It begins with the original text and its placeholders. */
function lengthen(text: string): string {
  const more = Math.ceil(text.replaceAll(/\{\{\w+\}\}/g, '').length * 0.4)
  // a word becomes a longer word, a sentence gets more words
  let rest = (text.includes(' ') ? ' ' : '') + paddingWords.join(' ').repeat(Math.ceil(more / 30))
  rest = rest.slice(0, more + (text.includes(' ') ? 1 : 0))
  if (!text.includes(' ')) rest = rest.replaceAll(' ', '').padEnd(more, 'ĝ')
  return text === '' ? text : text + rest.trimEnd()
}

const lengthenAll = (texts: unknown): unknown =>
  typeof texts === 'string'
    ? lengthen(texts)
    : Object.fromEntries(Object.entries(texts as object).map(([key, inner]) => [key, lengthenAll(inner)]))

/** Serves longer texts to the visitor. Texts that the server composes are unchanged. */
export async function useLongTexts({ page }: Visitor): Promise<void> {
  await page.route(/\/locales\/\w+\/[\w-]+\.json$/, async route => {
    const reply = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    await route.fulfill({ response: reply, json: lengthenAll(await reply.json()) })
  })
}

/**
 * Texts of the portal that are clipped or overlap. User input may end in an ellipsis, since it is shown in full
 * elsewhere; so may a placeholder of an empty field. Texts of the portal are known by the `letters` of longer ones.
 */
export const clippedOrOverlapping = (page: Page, letters = paddingLetters.source): Promise<string[]> =>
  page.evaluate(pattern => {
    const own = new RegExp(pattern)
    const faults = new Set<string>()
    const shown: {
      element: Element
      text: string
      rect: Record<'left' | 'right' | 'top' | 'bottom', number>
    }[] = []
    // oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function
    /** False for visually hidden text of screen readers. */
    const isSeen = (element: Element, { width: wide }: DOMRect): boolean => {
      let seen = wide > 1
      for (let box: Element | null = element; seen && box && box !== document.body; box = box.parentElement) {
        const { overflowX, clipPath, position } = getComputedStyle(box)
        const { width, height } = box.getBoundingClientRect()
        const tiny = /hidden|clip/.test(overflowX) && (width <= 1.5 || height <= 1.5)
        seen = !tiny && !(position === 'absolute' && clipPath !== 'none')
      }
      return seen
    }
    /** Checks the ancestors of a text up to a scroll container, inside of which it can be scrolled into view. */
    const reportCut = (element: Element, whole: DOMRect, excerpt: string): void => {
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break
        const { left, right, top, bottom } = box.getBoundingClientRect()
        if (/hidden|clip/.test(style.overflowX) && (whole.right > right + 1.5 || whole.left < left - 1.5))
          faults.add(`cut off: ${excerpt}`)
        if (/hidden|clip/.test(style.overflowY) && (whole.bottom > bottom + 4 || whole.top < top - 4))
          faults.add(`cut off in height: ${excerpt}`)
      }
    }
    /** The visible part of the scroll containers around an element. */
    const windowOf = (element: Element) => {
      const inView = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        if (!/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflow)) continue
        const { left, right, top, bottom } = box.getBoundingClientRect()
        inView.left = Math.max(inView.left, left)
        inView.right = Math.min(inView.right, right)
        inView.top = Math.max(inView.top, top)
        inView.bottom = Math.min(inView.bottom, bottom)
      }
      return inView
    }
    // oxlint-enable unicorn/consistent-function-scoping
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!element || !own.test(text) || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const whole = range.getBoundingClientRect()
      if (!isSeen(element, whole)) continue
      const excerpt = text.slice(0, 60)
      reportCut(element, whole, excerpt)
      const inView = windowOf(element)
      for (const { left, right, top, bottom } of range.getClientRects())
        shown.push({
          element,
          text: excerpt,
          rect: {
            left: Math.max(left, inView.left),
            right: Math.min(right, inView.right),
            top: Math.max(top, inView.top),
            bottom: Math.min(bottom, inView.bottom),
          },
        })
    }
    /** Whether another element, such as a dialog or a bar, covers an element's text at this point. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has nothing but this function
    const isCovered = (element: Element, x: number, y: number): boolean => {
      const over = document.elementFromPoint(x, y)
      for (let top = over; top && !top.contains(element) && !element.contains(top); top = top.parentElement)
        if (!/^rgba\(.*, 0\)$/.test(getComputedStyle(top).backgroundColor)) return true
      return over === null
    }
    for (const [nth, box] of shown.entries())
      for (const other of shown.slice(nth + 1)) {
        if (box.element === other.element) continue
        const [left, right] = [Math.max(box.rect.left, other.rect.left), Math.min(box.rect.right, other.rect.right)]
        const [top, bottom] = [Math.max(box.rect.top, other.rect.top), Math.min(box.rect.bottom, other.rect.bottom)]
        if (right - left <= 3 || bottom - top <= 6) continue
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        if (!isCovered(box.element, x, y) && !isCovered(other.element, x, y))
          faults.add(`${box.text} overlaps ${other.text}`)
      }
    return [...faults]
  }, letters)

// Languages -----------------------------------------------------------------------------------------------------------

/**
 * Separate accounts for each language: the language is a setting of the account, so that visitors who share one would
 * change it for each other.
 */
export const accountIn = (username: string, lang: Language): string => `${username}-${lang}`
export const addAccounts = (portal: Portal): Promise<unknown> =>
  portal.sql(
    `insert into account (site_id, customer_id, username, fullname, type, warehouse_only, language, password)
     select site_id, customer_id, username || '-' || lang, fullname, type, warehouse_only, lang, password
     from account cross join unnest($1::text[]) lang`,
    [languageCodes],
  )

/** The longest names that customers, vehicles, tyres and drivers really have, on every second of them. */
export async function giveLongestNames(portal: Portal): Promise<void> {
  for (const change of [
    `update customer set company = 'Raiffeisen-Warengenossenschaft Niedersachsen Mitte eG' where id % 2 = 0`,
    `update vehicle set brand = 'Mercedes-Benz', description = 'Sprinter 519 CDI Kastenwagen Hochdach extralang',
       driver_name = 'Maximiliana von Hohenstein-Schwarzenberg' where id % 2 = 0`,
    `update tyre set description = 'Continental VanContact A/S Ultra 235/65R16C 121/119R 8PR M+S 3PMSF' where id % 2 = 0`,
    `update tyre set tyre_set = 'Winterreifen auf Stahlfelgen' where lower(tyre_set) = 'winter'`,
  ])
    await portal.sql(change)
}
