/** What somebody sees who looks at a screen closely: what does not fit, what lies over something else, what jumps. */
import type { Page } from 'playwright-core'
import { type Language, languageCodes } from '#domain/account.ts'
import type { Visitor } from './browser.ts'
import type { Portal } from './portal.ts'

/** How far things jumped while the page loaded (docs/promises.md "Texts and layout": at most 0.1). */
export const shift = (page: Page): Promise<number> =>
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
        // every page has this one, and entries come in the order in which they are asked for
        observer.observe({ type: 'navigation', buffered: true })
      }),
  )

/** What doesn't fit: a screen that scrolls sideways, controls whose words are cut off or that lie beside the screen. */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the screen is ${scrollWidth - clientWidth} px too wide`)
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
        found.push(`cut off: ${text}`)
      if ((left < -1 || right > innerWidth + 1) && !scrolls(control.parentElement))
        found.push(`beside the screen: ${text}`)
    }
    return found
  })

// Longer texts --------------------------------------------------------------------------------------------------------

/** No text of the portal has these letters, so that what they stand in is one of its texts and not something a person typed. */
const longer = ['ĝęëřđŵįş', 'ṽëṝžîëňđ', 'åķţűñģ', 'ĝŕőßęń', 'şçĥļůšŝ']
const padded = /[ĝęŕőṽṝžîňķţűñģńşçĥļůŝđŵį]/

/** A text that is 40 % longer, with letters that reach above and below the line. It begins as the text does, placeholders and all. */
function stretched(text: string): string {
  const more = Math.ceil(text.replaceAll(/\{\{\w+\}\}/g, '').length * 0.4)
  // a word becomes a longer word, a sentence gets more of them
  let rest = (text.includes(' ') ? ' ' : '') + longer.join(' ').repeat(Math.ceil(more / 30))
  rest = rest.slice(0, more + (text.includes(' ') ? 1 : 0))
  if (!text.includes(' ')) rest = rest.replaceAll(' ', '').padEnd(more, 'ĝ')
  return text === '' ? text : text + rest.trimEnd()
}

const stretchedAll = (texts: unknown): unknown =>
  typeof texts === 'string'
    ? stretched(texts)
    : Object.fromEntries(Object.entries(texts as object).map(([key, inner]) => [key, stretchedAll(inner)]))

/** From now on the visitor reads longer texts. What the server says itself stays as it is. */
export async function readLonger({ page }: Visitor): Promise<void> {
  await page.route(/\/locales\/\w+\/[\w-]+\.json$/, async route => {
    const reply = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    await route.fulfill({ response: reply, json: stretchedAll(await reply.json()) })
  })
}

/**
 * Words of the portal that are not there to be read: cut off by what holds them, or lying over each other. What a person
 * typed may be cut off with an ellipsis, its screen says it somewhere else; a hint in an empty field may end in dots.
 */
export const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate(letters => {
    const own = new RegExp(letters)
    const found = new Set<string>()
    const shown: {
      element: Element
      text: string
      rect: Record<'left' | 'right' | 'top' | 'bottom', number>
    }[] = []
    // oxlint-disable unicorn/consistent-function-scoping -- the page has nothing but this function
    /** False for what is there for those who hear the screen, not for those who see it. */
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
    /** Looks at what holds a text, up to what scrolls: beyond that it can be brought into sight. */
    const reportCut = (element: Element, whole: DOMRect, told: string): void => {
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break
        const { left, right, top, bottom } = box.getBoundingClientRect()
        if (/hidden|clip/.test(style.overflowX) && (whole.right > right + 1.5 || whole.left < left - 1.5))
          found.add(`cut off: ${told}`)
        if (/hidden|clip/.test(style.overflowY) && (whole.bottom > bottom + 4 || whole.top < top - 4))
          found.add(`cut off in height: ${told}`)
      }
    }
    /** Of what lies in a list that scrolls only what is in its window is seen. */
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
      const told = text.slice(0, 60)
      reportCut(element, whole, told)
      const inView = windowOf(element)
      for (const { left, right, top, bottom } of range.getClientRects())
        shown.push({
          element,
          text: told,
          rect: {
            left: Math.max(left, inView.left),
            right: Math.min(right, inView.right),
            top: Math.max(top, inView.top),
            bottom: Math.min(bottom, inView.bottom),
          },
        })
    }
    /** Whether something else is seen at a point where an element has its words, such as a dialog or a bar over it. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has nothing but this function
    const covered = (element: Element, x: number, y: number): boolean => {
      const over = document.elementFromPoint(x, y)
      for (let top = over; top && !top.contains(element) && !element.contains(top); top = top.parentElement)
        if (!/^rgba\(.*, 0\)$/.test(getComputedStyle(top).backgroundColor)) return true
      return over === null
    }
    for (const [nth, one] of shown.entries())
      for (const other of shown.slice(nth + 1)) {
        if (one.element === other.element) continue
        const [left, right] = [Math.max(one.rect.left, other.rect.left), Math.min(one.rect.right, other.rect.right)]
        const [top, bottom] = [Math.max(one.rect.top, other.rect.top), Math.min(one.rect.bottom, other.rect.bottom)]
        if (right - left <= 3 || bottom - top <= 6) continue
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        if (!covered(one.element, x, y) && !covered(other.element, x, y))
          found.add(`${one.text} lies over ${other.text}`)
      }
    return [...found]
  }, padded.source)

// Languages -----------------------------------------------------------------------------------------------------------

/**
 * Each language has accounts of its own, which speak it: the language is the account's wherever it is signed in, so that two
 * who share one would change it for each other.
 */
export const accountIn = (username: string, lang: Language): string => `${username}-${lang}`
export const addAccounts = (portal: Portal): Promise<unknown> =>
  portal.sql(
    `insert into account (site_id, customer_id, username, fullname, type, language, password)
     select site_id, customer_id, username || '-' || lang, fullname, type, lang, password
     from account cross join unnest($1::text[]) lang`,
    [languageCodes],
  )
