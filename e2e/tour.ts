/** How a journey goes through screens one after the other: a stop, what is done there, and when it looks as it should. */
import type { Page } from 'playwright-core'
import { type Language, languages } from '#domain/account.ts'
import type { Mode } from '#domain/site.ts'
import type { Visitor } from './browser.ts'
import { shift } from './look.ts'
import type { Portal } from './portal.ts'
import { named } from './texts.ts'

/**
 * What somebody does on a screen until it looks as it should: the key of a button, tab or link to press (a screen's own
 * before a dialog's), or more.
 */
export type Doing = (page: Page, lang: Language) => Promise<unknown>
export type Step = string | Doing
export type Stop = { readonly name: string; readonly path: string; readonly steps: readonly Step[] }

export const stop = (name: string, path: string, ...steps: Step[]): Stop => ({ name, path, steps })

/**
 * Whose screens a tour shows. `mode`: what the site is meanwhile, where it matters. Its stops follow each other in one tab:
 * a later one may build on what an earlier one chose.
 */
export type Tour = {
  readonly name: string
  readonly user: string
  readonly mode?: Mode
  readonly stops: (visitor: Visitor) => Promise<Stop[]>
}

/** The key of a control pressed `nth` of those that are called so. */
export const press =
  (key: string, nth = 0): Doing =>
  async (page, lang) => {
    const name = named(lang, key)
    const roles = ['tab', 'link', 'menuitem'] as const
    const controls = roles.reduce(
      (some, role) => some.or(page.getByRole(role, { name })),
      page.getByRole('button', { name }),
    )
    await controls.nth(nth).click()
  }
export const check =
  (selector: string): Doing =>
  page =>
    page.locator(`${selector} input[type="checkbox"]:enabled`).first().check()
export const click =
  (selector: string): Doing =>
  page =>
    page.locator(selector).first().click()
export const fill =
  (selector: string, text: string): Doing =>
  page =>
    page.locator(selector).first().fill(text)

/** Makes the site of the tour what the tour shows; those who are signed in see it when they load a page. */
export async function prepare(portal: Portal, { mode }: Tour): Promise<void> {
  if (mode) await portal.sql(`update site set mode = $1 where mode <> $1`, [mode])
}

/**
 * Goes to a stop, and waits until it has its content: nothing is being fetched or moving, and its heading stands. Goes on
 * within the page that is open; `fresh` loads it anew.
 */
export async function arrive(visitor: Visitor, stop: Stop, lang: Language, { fresh = false } = {}): Promise<void> {
  const { page } = visitor
  if (fresh) await page.goto(stop.path)
  else await goOn(page, stop.path)
  await settled(visitor)
  for (const step of stop.steps) await (typeof step === 'string' ? press(step) : step)(page, lang)
  if (stop.steps.length > 0) {
    // a question closes by itself when nobody does anything
    await page.keyboard.press('Shift')
    await settled(visitor)
  }
  await atRest(page)
}

/** To another address without loading the page anew. What was open or entered on the screen before is gone. */
export async function goOn(page: Page, path: string): Promise<void> {
  await show(page, '/elsewhere')
  // what belongs to the frame stays open: a question, the menu of the account
  const open = page.locator('[role="dialog"], [role="menu"]')
  while ((await open.count()) > 0) {
    const shown = await open.first().elementHandle()
    await page.keyboard.press('Escape')
    await shown?.waitForElementState('hidden')
  }
  await show(page, path)
}

/** Shows an address, and waits until its screen has taken the place of the one before. */
async function show(page: Page, path: string): Promise<void> {
  const before = await page.evaluateHandle(address => {
    const screen = document.querySelector('main')?.lastElementChild
    history.pushState(null, '', address)
    return screen
  }, path)
  // the screen of an unknown address stays for another one, and says which
  await page.waitForFunction(([screen, address]) => !screen?.isConnected || screen.textContent.includes(address), [
    before,
    path,
  ] as const)
}

/** Waits until a screen has its content. */
export async function settled({ page, quiet }: Visitor): Promise<void> {
  await quiet()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('main .mantine-Skeleton-root, [aria-busy="true"]'))
}

/** Shows the page in light or dark. */
export async function shine(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await atRest(page)
}

/** Waits for what moves or changes its colour. A loader and the clock of a question take their time: not these. */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(one => one.playState !== 'running' || Number(one.effect?.getComputedTiming().duration) > 1000),
  )
}

export type Walk = {
  readonly lang: Language
  /** Where the page is loaded anew, as by somebody who begins there; elsewhere one goes on within the page. */
  readonly loads?: (stop: Stop) => boolean
  /** What is wrong with what is shown; how far it jumped where the page was loaded, elsewhere 0. */
  readonly look: (visitor: Visitor, jumped: number) => Promise<string[]>
  /** Takes what is wrong at a stop, or nothing. */
  readonly tell: (stop: Stop, wrong: readonly string[]) => void
}

/**
 * Goes through stops one after the other. What cannot be reached is wrong there, and so are another language, a jump and the
 * troubles of the page.
 */
export async function walk(visitor: Visitor, stops: readonly Stop[], { lang, loads, look, tell }: Walk): Promise<void> {
  const { page } = visitor
  for (const stop of stops) {
    const wrong: string[] = []
    try {
      const fresh = loads?.(stop) === true
      await arrive(visitor, stop, lang, { fresh })
      const spoken = await page.locator('html').getAttribute('lang')
      if (spoken !== languages[lang]) wrong.push(`speaks ${spoken}`)
      // what somebody then does may move things
      const jumped = fresh ? await shift(page) : 0
      if (jumped > 0.1) wrong.push(`jumps by ${jumped.toFixed(3)}`)
      wrong.push(...(await look(visitor, jumped)))
    } catch (error) {
      wrong.push(String(error).split('\n').slice(0, 3).join(' '))
    }
    tell(stop, [...wrong, ...visitor.troubles.splice(0)])
  }
}
