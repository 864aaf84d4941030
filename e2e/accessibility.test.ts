/** Accessibility of every screen and dialog (axe), and layout shift, light and dark. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { reportCases } from '../src/server/testing/cases.ts'
import { standards, violations } from './axe.ts'
import { screens, shareJourneys } from './browser.ts'
import { accountIn, addAccounts, overflowing } from './layoutChecks.ts'
import { prepare, setColorScheme, type Tour, walkTour } from './tour.ts'
import { toured } from './tours.ts'
import { whole } from '../src/server/testing/whole.ts'

const journeys = shareJourneys({ prepare: addAccounts })

/** The rules that depend on colours; all others give the same result in light and dark. */
const ofColours = ['color-contrast', 'link-in-text-block']

const dialog = '[role="dialog"][aria-modal="true"]'

/** The violations in the open dialog, or else on the whole screen. */
async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  const open = (await page.locator(dialog).count()) > 0
  const runOnly = rules ? { type: 'rule' as const, values: rules } : standards
  const faults = await violations(page, { runOnly, ...(open && { part: dialog }) })
  const nodes = faults.flatMap(({ id, nodes: some }) => some.map(node => ({ id, target: node.target.join(' ') })))
  const wrong: string[] = []
  for (const { id, target } of nodes) {
    if (id === 'target-size') {
      // a sticky bar covers controls below it until the user scrolls
      await page.locator(target).evaluate(element => element.scrollIntoView({ block: 'center' }))
      if ((await violations(page, { part: target, runOnly: { type: 'rule', values: [id] } })).length === 0) continue
    }
    wrong.push(`${id}: ${target}`)
  }
  return wrong
}

/** Names that more than one choice has, in the open dialog, or else on the whole screen: nobody who hears them can tell which is which. */
async function repeatedNames(page: Page): Promise<string[]> {
  const open = page.locator(dialog)
  const snapshot = await ((await open.count()) > 0 ? open.last() : page.locator('body')).ariaSnapshot()
  const choices = [...snapshot.matchAll(/^ *- '?((?:checkbox|switch|radiogroup)(?: "(?:[^"\\]|\\.)*")?)/gm)]
  const names = choices.map(([, name = '']) => name)
  return [...new Set(names.filter((name, nth) => names.indexOf(name) < nth))].map(name => `repeated: ${name}`)
}

/** Axe goes into every frame, also into that of a message, in which no script runs. */
const refusedToAxe = "Blocked script execution in 'about:srcdoc'"

let tried = 0
reportCases('Screens and dialogs without a barrier', () => ({ tried }))

/**
 * Everything that is wrong in a tour, by stop. A whole run looks at both colours on both screens, and at every dialog; the
 * usual one at one in twelve of the screens on a desk, in light, and of those of a customer on a phone, in dark.
 */
async function inspect(tour: Tour, screen: keyof typeof screens): Promise<string[]> {
  const visitor = await journeys.signedIn(accountIn(tour.user, 'eng'), { ...screens[screen], reducedMotion: 'reduce' })
  await visitor.page.goto('/')
  const every = await tour.stops(visitor)
  const stops = whole ? every : every.filter(({ steps }) => steps.length === 0).filter((_, nth) => nth % 12 === 0)
  const colours = (['light', 'dark'] as const).filter(
    scheme => whole || scheme === (screen === 'desk' ? 'light' : 'dark'),
  )
  const faults: string[] = []
  await walkTour(visitor, stops, {
    lang: 'eng',
    // layout shift is measured when a page is loaded
    reloads: ({ steps }) => steps.length === 0 && screen === 'desk' && whole,
    inspect: async ({ page, pageErrors }) => {
      const wrong = [...(await overflowing(page)), ...(await repeatedNames(page))]
      const before = pageErrors.length
      for (const [nth, colour] of colours.entries()) {
        if (colour === 'dark') await setColorScheme(page, 'dark')
        // rules that do not depend on colours run once
        for (const barrier of await axeViolations(page, nth > 0 ? ofColours : undefined))
          wrong.push(`${colour}, ${barrier}`)
      }
      if (colours.includes('dark')) await setColorScheme(page, 'light')
      const meanwhile = pageErrors.splice(before)
      pageErrors.push(...meanwhile.filter(error => !error.startsWith(refusedToAxe)))
      return wrong
    },
    report: (stop, wrong) => {
      tried++
      faults.push(...wrong.map(what => `${tour.name} ${stop.name}, ${screen}: ${what}`))
    },
  })
  await visitor.close()
  return faults
}

test('axe finds no violation on any screen or dialog, desktop and phone, light and dark', async () => {
  const before = await journeys.visit()
  await before.page.locator('input[type="password"]').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColorScheme(before.page, colorScheme)
    expect(await axeViolations(before.page), 'login').toEqual([])
  }
  const wrong: string[] = []
  for (const tour of toured) {
    await prepare(journeys.portal, tour)
    const seen = (['desk', 'phone'] as const).filter(device => whole || device === 'desk' || tour.name === 'customer')
    wrong.push(...(await Promise.all(seen.map(screen => inspect(tour, screen)))).flat())
  }
  expect(wrong).toEqual([])
})
