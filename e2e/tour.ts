/** Tours: a list of stops (an address and the actions that bring it into a state), visited in one tab. */
import type { Page } from 'playwright-core'
import { type Language, languages } from '#domain/people/account.ts'
import type { Mode } from '#domain/site.ts'
import type { Visitor } from './browser.ts'
import { layoutShift } from './layoutChecks.ts'
import type { Portal } from './portal.ts'
import { named } from './texts.ts'

/**
 * An action on a screen: the text key of a button, tab or link to press (the screen's before the dialog's), or a
 * function.
 */
export type Action = (page: Page, lang: Language) => Promise<unknown>
export type Step = string | Action
export type Stop = { readonly name: string; readonly path: string; readonly steps: readonly Step[] }

export const stop = (name: string, path: string, ...steps: Step[]): Stop => ({ name, path, steps })

/**
 * The user of a tour, and the site's `mode` where it matters. The stops share a tab: a later one may depend on the
 * state of an earlier one.
 */
export type Tour = {
  readonly name: string
  readonly user: string
  readonly mode?: Mode
  readonly stops: (visitor: Visitor) => Promise<Stop[]>
}

/** Presses the nth control with the text of this key. */
export const press =
  (key: string, nth = 0): Action =>
  async (page, lang) => {
    const name = named(lang, key)
    const roles = ['tab', 'link', 'menuitem'] as const
    const controls = roles.reduce(
      (some, role) => some.or(page.getByRole(role, { name })),
      page.getByRole('button', { name }),
    )
    await controls.nth(nth).click()
  }
/** Opens what a phone keeps behind 'More'; on a desk it stands on the screen. */
export const untuck: Action = async (page, lang) => {
  const more = page.getByRole('main').getByRole('button', { name: named(lang, 'common:more') })
  if ((await more.count()) > 0) await more.first().click()
}
/** Opens what filters a list; on a phone it is in a sheet from below. */
export const untuckFilters: Action = async page => {
  const filters = page.getByRole('main').locator('button:is([data-filters], [aria-haspopup="dialog"][data-count])')
  if ((await filters.count()) > 0) await filters.first().click()
}
/** Opens what else is done with chosen rows; on a phone it is in a sheet from below. */
export const untuckActions: Action = async page => {
  const more = page.locator('[data-selection-bar] button[aria-haspopup="dialog"]')
  if ((await more.count()) > 0) await more.click()
}
/** Presses the button with the text of this key on the screen itself, where the navigation has an entry of a like name. */
export const pressOnScreen =
  (key: string): Action =>
  (page, lang) =>
    page
      .getByRole('main')
      .getByRole('button', { name: named(lang, key) })
      .click()
export const check =
  (selector: string): Action =>
  page =>
    page.locator(`${selector} input[type="checkbox"]:enabled`).first().check()
export const click =
  (selector: string): Action =>
  page =>
    page.locator(selector).first().click()
export const fill =
  (selector: string, text: string): Action =>
  page =>
    page.locator(selector).first().fill(text)

/** Sets the mode of the site for a tour; it takes effect when a page is loaded. */
export async function prepare(portal: Portal, { mode }: Tour): Promise<void> {
  if (mode) await portal.sql(`update site set mode = $1 where mode <> $1`, [mode])
}

/**
 * Visits a stop and waits for its content: no request or animation, and a heading. Navigates within the open page;
 * `fresh` reloads it.
 */
export async function visitStop(visitor: Visitor, stop: Stop, lang: Language, { fresh = false } = {}): Promise<void> {
  const { page } = visitor
  if (fresh) await page.goto(stop.path)
  else await navigate(page, stop.path)
  await contentReady(visitor)
  for (const step of stop.steps) await (typeof step === 'string' ? press(step) : step)(page, lang)
  if (stop.steps.length > 0) {
    // a question closes without interaction
    await page.keyboard.press('F2')
    await contentReady(visitor)
  }
  await animationsDone(page)
}

/** Navigates without reloading the page. The state of the previous screen is lost. */
export async function navigate(page: Page, path: string): Promise<void> {
  await show(page, '/elsewhere')
  // parts of the frame stay open: the card of a scan, a question, the menu of the account
  const card = page.locator('[data-scan-card] [data-closes]')
  if ((await card.count()) > 0) await card.click()
  const open = page.locator('[role="dialog"], [role="menu"]')
  while ((await open.count()) > 0) {
    const shown = await open.first().elementHandle()
    await page.keyboard.press('Escape')
    await shown?.waitForElementState('hidden')
  }
  await show(page, path)
}

/** Navigates to an address, and waits until its screen has replaced the previous one. */
async function show(page: Page, path: string): Promise<void> {
  // the portal's frame is there first; the bars of a lost connection and of selected rows are part of it
  const screen = await page.waitForSelector('#root main > :not([role="status"], #selection-bar)', { state: 'attached' })
  await page.evaluate(address => history.pushState(null, '', address), path)
  // the screen of an unknown address stays, and shows the address
  await page.waitForFunction(([before, address]) => !before.isConnected || before.textContent.includes(address), [
    screen,
    path,
  ] as const)
}

/** Waits until a screen has its content. */
export async function contentReady({ page, networkIdle }: Visitor): Promise<void> {
  await networkIdle()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('main .mantine-Skeleton-root, [aria-busy="true"]'))
}

/** Shows the page in light or dark. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await animationsDone(page)
}

/** Waits for animations and transitions, except long ones: a loader and the countdown of a question. */
async function animationsDone(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        animation => animation.playState !== 'running' || Number(animation.effect?.getComputedTiming().duration) > 1000,
      ),
  )
}

export type WalkOptions = {
  readonly lang: Language
  /** Whether the page is reloaded at a stop; otherwise it navigates within the page. */
  readonly reloads?: (stop: Stop) => boolean
  /** Returns the faults of the screen. `jumped` is the layout shift of a reload, otherwise 0. */
  readonly inspect: (visitor: Visitor, jumped: number) => Promise<string[]>
  /** Receives the faults of a stop. */
  readonly report: (stop: Stop, wrong: readonly string[]) => void
}

/** Texts whose variables were not filled in; the dictionary shows them as they are. */
const unfilled = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (location.pathname.startsWith('/superuser/translations')) return []
    return document.body.innerText.split('\n').filter(line => /\{\{\w+\}\}/.test(line))
  })

/**
 * Visits stops one after the other. Faults are an unreachable stop, another language, a variable that was not filled in, a layout shift
 * and page errors.
 */
export async function walkTour(
  visitor: Visitor,
  stops: readonly Stop[],
  { lang, reloads, inspect, report }: WalkOptions,
): Promise<void> {
  const { page } = visitor
  for (const stop of stops) {
    const wrong: string[] = []
    try {
      const fresh = reloads?.(stop) === true
      await visitStop(visitor, stop, lang, { fresh })
      const pageLanguage = await page.locator('html').getAttribute('lang')
      if (pageLanguage !== languages[lang]) wrong.push(`is shown in ${pageLanguage}`)
      // the steps themselves may move content
      const jumped = fresh && stop.steps.length === 0 ? await layoutShift(page) : 0
      if (jumped > 0.1) wrong.push(`layout shift ${jumped.toFixed(3)}`)
      wrong.push(...(await unfilled(page)), ...(await inspect(visitor, jumped)))
    } catch (error) {
      wrong.push(String(error).split('\n').slice(0, 3).join(' '))
    }
    report(stop, [...wrong, ...visitor.pageErrors.splice(0)])
  }
}
