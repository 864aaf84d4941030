/** Keyboard-only navigation: every control is reachable by keys, and the focus is visible at each step. */
import type { CDPSession } from 'playwright-core'
import { expect } from 'vitest'
import { type Journeys, timeoutMs, type Visitor } from './browser.ts'
import { contentReady as loaded } from './tour.ts'

/** The focused element in the accessibility tree, and what makes its focus invisible. */
type Focus = { readonly role: string; readonly name: string; readonly faults: readonly string[] }

/** The maximum number of Tab presses to reach a control. */
const mostPresses = 60
/** The timeout for the effect of a key, also on a busy machine. */
export const poll = { timeout: timeoutMs } as const

/** The focus has settled after this time: a new screen may replace the previous one. */
const stableMs = 150

const quoted = (name: string | RegExp) => (typeof name === 'string' ? `‘${name}’` : String(name))
const textOf = (property: { value?: unknown } | undefined) =>
  String(property?.value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
const matches = (name: string | RegExp, here: string) => (typeof name === 'string' ? here === name : name.test(here))

export type Keys = ReturnType<typeof keysOf>

/** Signs in with English, regardless of the demo's language, and without animations. */
export async function signInByKeyboard(journeys: Journeys, username: string) {
  await journeys.portal.sql(`update account set language = 'eng' where username = $1`, [username])
  const visitor = await journeys.visit({ reducedMotion: 'reduce' })
  const keys = keysOf(visitor)
  await keys.signIn(username)
  return { visitor, page: visitor.page, keys }
}

function keysOf(visitor: Visitor) {
  const { page } = visitor
  let session: CDPSession | undefined

  /** The focused element; `null` when the focus was lost to the page. */
  async function readFocus(): Promise<Focus | null> {
    session ??= await page.context().newCDPSession(page)
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
    let faults = await page.evaluate(faultsOfFocus)
    if (faults?.some(hidden)) {
      // elements that move aside do so in the next frame
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
      const later = await page.evaluate(faultsOfFocus)
      faults = later && [...faults.filter(fault => !hidden(fault)), ...later]
    }
    if (faults === null || !result.objectId) return null
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId,
      fetchRelatives: false,
    })
    return { role: textOf(nodes[0]?.role), name: textOf(nodes[0]?.name), faults }
  }

  /** The active option of an open list: the focus stays in its field. */
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
      const focus = await readFocus()
      if (!focus || !wanted(focus) || focus.faults.length > 0) since = Number.POSITIVE_INFINITY
      else if (Date.now() - since >= stableMs) return
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

    /** Replaces the content of a field. */
    async type(text: string): Promise<void> {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },

    /** Waits until this has the focus without a key: a dialog opened or closed, a row was removed. */
    expectFocus: (role: string, name: string | RegExp, within: number = poll.timeout) =>
      settled(focus => focus.role === role && matches(name, focus.name), `${role} ${quoted(name)}`, within),

    /** Waits until any element has the focus: the previous one may be gone. */
    expectAnyFocus: (within: number = poll.timeout) => settled(() => true, 'anything', within),

    /** Presses a key, Tab by default, until this has the focus. Each focus on the way must be visible. */
    async to(role: string, name: string | RegExp, { by = 'Tab', most = mostPresses } = {}): Promise<void> {
      const passed: string[] = []
      for (let presses = 0; presses <= most; presses++) {
        const focus = await readFocus()
        const here = focus ? `${focus.role} ‘${focus.name}’` : '(nothing)'
        if (focus && presses > 0 && focus.faults.length > 0) throw new Error(`${here}: ${focus.faults.join('; ')}`)
        if (focus?.role === role && matches(name, focus.name)) return
        passed.push(here)
        await page.keyboard.press(by)
      }
      throw new Error(`no ${role} ${quoted(name)} within ${most} × ${by}: ${passed.join(' | ')}`)
    },

    /** Goes to a control and presses it. */
    async activate(role: string, name: string | RegExp, how: { by?: string; most?: number } & { key?: string } = {}) {
      await keys.to(role, name, how)
      await page.keyboard.press(how.key ?? (role === 'checkbox' || role === 'switch' ? ' ' : 'Enter'))
    },

    /** Goes to a field and replaces its content. */
    async fill(role: string, name: string | RegExp, text: string, how: { by?: string; most?: number } = {}) {
      await keys.to(role, name, how)
      await keys.type(text)
    },

    /** Chooses an option of a list with the arrow keys. `typed`: filters the list first. */
    async choose(name: string | RegExp, option: string | RegExp, { typed = '' } = {}): Promise<void> {
      await keys.to('combobox', name)
      if (typed) await keys.type(typed)
      else await page.keyboard.press('ArrowDown')
      const passed: string[] = []
      await expect.poll(() => page.locator('[role="option"]:visible').count(), poll).toBeGreaterThan(0)
      if (typed) await page.getByRole('option', { name: option }).first().waitFor()
      for (let presses = 0; presses < mostPresses; presses++) {
        const pointed = await pointedAt()
        if (matches(option, pointed)) {
          await page.keyboard.press('Enter')
          await expect.poll(() => page.locator('[role="option"]:visible').count(), poll).toBe(0)
          return keys.expectFocus('combobox', name)
        }
        passed.push(pointed)
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`no option ${quoted(option)} of ${quoted(name)}: ${passed.join(' | ')}`)
    },

    /** In a dialog that has just opened: Tab cycles within it, and each focus is visible. */
    async insideDialog(
      name: string | RegExp,
      { most = mostPresses, within = poll.timeout }: { most?: number; within?: number } = {},
    ): Promise<void> {
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      const inside = () => dialog.evaluate(shown => shown.contains(document.activeElement))
      await expect.poll(inside, { timeout: within, message: `the focus is in the dialog ${quoted(name)}` }).toBe(true)
      await page.evaluate(() => document.activeElement?.setAttribute('data-first', ''))
      for (let presses = 0; presses < most; presses++) {
        await page.keyboard.press('Tab')
        expect(await inside(), `the dialog ${quoted(name)} keeps the focus`).toBe(true)
        const focus = await readFocus()
        expect(focus?.faults, `${focus?.role} ‘${focus?.name}’`).toEqual([])
        const round = await page.evaluate(() => document.activeElement?.hasAttribute('data-first') ?? false)
        if (!round) continue
        await page.evaluate(() => document.activeElement?.removeAttribute('data-first'))
        return
      }
      throw new Error(`the dialog ${quoted(name)} has no end within ${most} × Tab`)
    },

    /** From the sign-in screen into the portal. */
    async signIn(username: string, password = 'wheelhouse'): Promise<void> {
      await keys.expectFocus('textbox', 'Username')
      await keys.fill('textbox', 'Username', username)
      await keys.fill('textbox', 'Password', password)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
      await loaded(visitor)
    },

    /** Goes to another screen by the navigation; the screen then has the focus, or its first field, where it has been given that. */
    async goTo(place: string | RegExp, { by = 'Tab', field = '' } = {}): Promise<void> {
      await keys.activate('link', place, { by })
      await keys.expectFocus(field ? 'textbox' : 'main', field)
      await loaded(visitor)
    },
  }
  return keys
}

const hidden = (fault: string): boolean => /^(?:behind|out of sight)/.test(fault)

/** The reasons why the focus is invisible; `null` without a focus. Remembers the styles that have to change later. */
function faultsOfFocus(): string[] | null {
  type Marked = { element: Element; near: { each: Element; styles: string }[] }
  const kept = window as { previousFocus?: Marked | undefined }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has nothing but this function
  const stylesOf = (each: Element) => {
    const { outline, boxShadow, borderColor, backgroundColor, color, stroke } = getComputedStyle(each)
    return [outline, boxShadow, borderColor, backgroundColor, color, stroke].join()
  }
  const faults: string[] = []
  const element = document.activeElement
  const before = kept.previousFocus
  kept.previousFocus = undefined
  const compareWith = (previousFocus: Marked) => {
    if (previousFocus.element === element || !previousFocus.element.isConnected) return
    // the newly focused element may change its own style
    const apart = previousFocus.near.filter(({ each }) => !each.contains(element) && !element?.contains(each))
    if (apart.every(({ each, styles }) => stylesOf(each) === styles))
      faults.push(`what had the focus before showed no mark: ${previousFocus.element.outerHTML.slice(0, 200)}`)
  }
  if (before) compareWith(before)
  if (!element || element === document.body) return faults.length > 0 ? faults : null

  // an invisible input is shown by its label
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

  // the screen itself takes the focus after a change of screens; it is not a control
  if (element.tagName === 'MAIN') return faults
  const around = [element, shown, element.parentElement, element.nextElementSibling, label, ...element.children]
  const near = around.filter(each => !!each)
  const hasFocusRing = near.some(each => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/^rgba\(.*, 0\)$/.test(outlineColor)
  })
  if (!hasFocusRing) kept.previousFocus = { element, near: near.map(each => ({ each, styles: stylesOf(each) })) }
  return faults
}
