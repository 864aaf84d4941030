/** A person without a mouse: everything is reached with keys, and what has the focus can be seen at every step. */
import type { CDPSession } from 'playwright-core'
import { expect } from 'vitest'
import { type Journeys, patience, type Visitor } from './browser.ts'
import { settled as loaded } from './tour.ts'

/** What has the focus, as the browser tells it to a screen reader, and what is wrong with it for those who look. */
type Focus = { readonly role: string; readonly name: string; readonly faults: readonly string[] }

/** Nobody presses Tab more often than this to get somewhere. */
const mostPresses = 40
/** What follows a key is there after so many milliseconds, on a busy machine too. */
export const soon = { timeout: patience } as const

/** What has the focus has it for good after so many milliseconds: a screen that comes may take the place of one that goes. */
const steady = 150

const told = (name: string | RegExp) => (typeof name === 'string' ? `‘${name}’` : String(name))
const said = (property: { value?: unknown } | undefined) =>
  String(property?.value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
const fits = (name: string | RegExp, here: string) => (typeof name === 'string' ? here === name : name.test(here))

export type Keys = ReturnType<typeof keysOf>

/** Signs in somebody who reads English, whatever the demo has them read, and for whom nothing moves. */
export async function begin(journeys: Journeys, username: string) {
  await journeys.portal.sql(`update account set language = 'eng' where username = $1`, [username])
  const visitor = await journeys.visit({ reducedMotion: 'reduce' })
  const keys = keysOf(visitor)
  await keys.signIn(username)
  return { visitor, page: visitor.page, keys }
}

function keysOf(visitor: Visitor) {
  const { page } = visitor
  let session: CDPSession | undefined

  /** What has the focus; `null` when nothing has: the focus fell to the page. */
  async function look(): Promise<Focus | null> {
    session ??= await page.context().newCDPSession(page)
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    let faults = await page.evaluate(faultsOfFocus)
    if (faults?.some(hidden)) {
      // what moves out of the way does so when the next picture is drawn: nobody sees it before
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
      const later = await page.evaluate(faultsOfFocus)
      faults = later && [...faults.filter(fault => !hidden(fault)), ...later]
    }
    if (faults === null || !result.objectId) return null
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId,
      fetchRelatives: false,
    })
    return { role: said(nodes[0]?.role), name: said(nodes[0]?.name), faults }
  }

  /** What the arrows have chosen in a list that is open beneath its field: the focus stays in the field. */
  const pointedAt = () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant')
      const option = id ? document.getElementById(id) : null
      if (!option) return ''
      const { top, bottom } = option.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight ? (option.textContent ?? '').trim() : 'something out of sight'
    })

  async function settled(wanted: (focus: Focus) => boolean, what: string, within: number): Promise<void> {
    const until = Date.now() + within
    let since = Number.POSITIVE_INFINITY
    for (;;) {
      const focus = await look()
      if (!focus || !wanted(focus) || focus.faults.length > 0) since = Number.POSITIVE_INFINITY
      else if (Date.now() - since >= steady) return
      else since = Math.min(since, Date.now())
      if (Date.now() > until) {
        const instead = focus ? `${focus.role} ‘${focus.name}’ ${focus.faults.join(', ')}` : 'the page as a whole'
        throw new Error(`the focus is not on ${what} but on ${instead}`)
      }
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  const keys = {
    async press(...pressed: readonly string[]): Promise<void> {
      for (const key of pressed) await page.keyboard.press(key)
    },

    /** Types in the place of what a field holds. */
    async type(text: string): Promise<void> {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },

    /** Waits until this has the focus, which nobody moved there by hand: a dialog opened or closed, a row went. */
    at: (role: string, name: string | RegExp, within: number = soon.timeout) =>
      settled(focus => focus.role === role && fits(name, focus.name), `${role} ${told(name)}`, within),

    /** Waits until something has the focus, wherever it is: what had it may be gone. */
    somewhere: (within: number = soon.timeout) => settled(() => true, 'anything', within),

    /** Presses a key, Tab unless another is named, until this has the focus. Whatever is passed has to be seen. */
    async to(role: string, name: string | RegExp, { by = 'Tab', most = mostPresses } = {}): Promise<void> {
      const passed: string[] = []
      for (let presses = 0; presses <= most; presses++) {
        const focus = await look()
        const here = focus ? `${focus.role} ‘${focus.name}’` : '(nothing)'
        if (focus && presses > 0 && focus.faults.length > 0) throw new Error(`${here}: ${focus.faults.join('; ')}`)
        if (focus?.role === role && fits(name, focus.name)) return
        passed.push(here)
        await page.keyboard.press(by)
      }
      throw new Error(`no ${role} ${told(name)} within ${most} × ${by}: ${passed.join(' | ')}`)
    },

    /** Goes to a control and presses it. */
    async push(role: string, name: string | RegExp, how: { by?: string; most?: number } & { key?: string } = {}) {
      await keys.to(role, name, how)
      await page.keyboard.press(how.key ?? (role === 'checkbox' || role === 'switch' ? ' ' : 'Enter'))
    },

    /** Goes to a field and types in the place of what it holds. */
    async fill(role: string, name: string | RegExp, text: string, how: { by?: string; most?: number } = {}) {
      await keys.to(role, name, how)
      await keys.type(text)
    },

    /** Chooses from a list that opens beneath its field, with the arrows. `typed`: of those that this finds. */
    async choose(name: string | RegExp, option: string | RegExp, { typed = '' } = {}): Promise<void> {
      await keys.to('combobox', name)
      if (typed) await keys.type(typed)
      else await page.keyboard.press('ArrowDown')
      const passed: string[] = []
      await expect.poll(() => page.locator('[role="option"]:visible').count(), soon).toBeGreaterThan(0)
      if (typed) await page.getByRole('option', { name: option }).first().waitFor()
      for (let presses = 0; presses < mostPresses; presses++) {
        const pointed = await pointedAt()
        if (fits(option, pointed)) {
          await page.keyboard.press('Enter')
          await expect.poll(() => page.locator('[role="option"]:visible').count(), soon).toBe(0)
          return keys.at('combobox', name)
        }
        passed.push(pointed)
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`no option ${told(option)} of ${told(name)}: ${passed.join(' | ')}`)
    },

    /** In a dialog that has just opened: Tab goes round within it, and what is in it can be seen. */
    async insideDialog(
      name: string | RegExp,
      { most = mostPresses, within = soon.timeout }: { most?: number; within?: number } = {},
    ): Promise<void> {
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      const inside = () => dialog.evaluate(shown => shown.contains(document.activeElement))
      await expect.poll(inside, { timeout: within, message: `the focus is in the dialog ${told(name)}` }).toBe(true)
      await page.evaluate(() => document.activeElement?.setAttribute('data-first', ''))
      for (let presses = 0; presses < most; presses++) {
        await page.keyboard.press('Tab')
        expect(await inside(), `the dialog ${told(name)} keeps the focus`).toBe(true)
        const focus = await look()
        expect(focus?.faults, `${focus?.role} ‘${focus?.name}’`).toEqual([])
        const round = await page.evaluate(() => document.activeElement?.hasAttribute('data-first') ?? false)
        if (!round) continue
        await page.evaluate(() => document.activeElement?.removeAttribute('data-first'))
        return
      }
      throw new Error(`the dialog ${told(name)} has no end within ${most} × Tab`)
    },

    /** From the sign-in screen into the portal. */
    async signIn(username: string, password = 'wheelhouse'): Promise<void> {
      await keys.at('textbox', 'Username')
      await keys.fill('textbox', 'Username', username)
      await keys.fill('textbox', 'Password', password)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
      await loaded(visitor)
    },

    /** By the navigation to another screen, which has the focus then. */
    async goTo(place: string, { by = 'Tab' } = {}): Promise<void> {
      await keys.push('link', place, { by })
      await keys.at('main', '')
      await loaded(visitor)
    },
  }
  return keys
}

const hidden = (fault: string): boolean => /^(?:behind|out of sight)/.test(fault)

/** What keeps somebody from seeing where the focus is; `null` when nothing has it. Remembers what has to look different later. */
function faultsOfFocus(): string[] | null {
  type Marked = { element: Element; near: { each: Element; looks: string }[] }
  const kept = window as { marked?: Marked | undefined }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has nothing but this function
  const looksOf = (each: Element) => {
    const { outline, boxShadow, borderColor, backgroundColor, color, stroke } = getComputedStyle(each)
    return [outline, boxShadow, borderColor, backgroundColor, color, stroke].join()
  }
  const faults: string[] = []
  const element = document.activeElement
  const before = kept.marked
  kept.marked = undefined
  const compareWith = (marked: Marked) => {
    if (marked.element === element || !marked.element.isConnected) return
    // what has the focus now looks different for that
    const apart = marked.near.filter(({ each }) => !each.contains(element) && !element?.contains(each))
    if (apart.every(({ each, looks }) => looksOf(each) === looks))
      faults.push(`what had the focus before showed no mark: ${marked.element.outerHTML.slice(0, 200)}`)
  }
  if (before) compareWith(before)
  if (!element || element === document.body) return faults.length > 0 ? faults : null

  // an input that is not drawn is shown by its label
  const own = element.getBoundingClientRect()
  const label = (element as HTMLInputElement).labels?.[0] ?? element.closest('label')
  const drawn = own.width > 1 && own.height > 1 && getComputedStyle(element).opacity !== '0'
  const shown = drawn ? element : (label ?? element.parentElement ?? element)
  const holds = (hit: Element | null) => hit && (shown.contains(hit) || hit.contains(shown) || label?.contains(hit))
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const [x1, x2] = [Math.max(left, 0), Math.min(right, innerWidth)]
  const [y1, y2] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
  if (x2 - x1 < 1 || y2 - y1 < 1) faults.push('out of sight')
  else {
    const [dx, dy] = [Math.min(4, (x2 - x1) / 4), Math.min(4, (y2 - y1) / 4)]
    const points = [
      [(x1 + x2) / 2, (y1 + y2) / 2],
      [x1 + dx, y1 + dy],
      [x2 - dx, y1 + dy],
      [x1 + dx, y2 - dy],
      [x2 - dx, y2 - dy],
    ] as const
    const over = points.map(([x, y]) => document.elementFromPoint(x, y))
    if (!over.some(holds)) faults.push(`behind ${over[0]?.outerHTML.slice(0, 120)}`)
  }

  // the screen itself takes the focus after a change of screens; it is no control
  if (element.tagName === 'MAIN') return faults
  const around = [element, shown, element.parentElement, element.nextElementSibling, label, ...element.children]
  const near = around.filter(each => !!each)
  const ringed = near.some(each => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/^rgba\(.*, 0\)$/.test(outlineColor)
  })
  if (!ringed) kept.marked = { element, near: near.map(each => ({ each, looks: looksOf(each) })) }
  return faults
}
