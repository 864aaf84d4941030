/** Screens and dialogs as somebody finds them who can't see or can't hold still: no barrier, light and dark, and nothing that jumps. */
import { AxeBuilder } from '@axe-core/playwright'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sayCases } from '../src/server/testing/cases.ts'
import { screens, shareJourneys } from './browser.ts'
import { accountIn, addAccounts, misfits } from './look.ts'
import { prepare, shine, type Tour, walk } from './tour.ts'
import { toured, whole } from './tours.ts'

const journeys = shareJourneys()
beforeAll(() => addAccounts(journeys.portal))

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What depends on the colours; the rest of a screen is the same in light and dark. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** What axe finds by these rules, in a part of the screen or on the whole. */
async function violations(page: Page, runOnly: NonNullable<RunOptions['runOnly']>, part?: string) {
  // without frames the old way does, which opens no second page for its report
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], runOnly })
  if (part) axe.include(part)
  const found = (await axe.analyze()).violations
  return found.flatMap(({ id, nodes }) => nodes.map(node => ({ id, target: node.target.join(' ') })))
}

/** What axe finds: in the dialog that is open, or else on the whole screen. */
async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const dialog = '[role="dialog"][aria-modal="true"]'
  const open = (await page.locator(dialog).count()) > 0
  const runOnly = rules ? { type: 'rule' as const, values: rules } : { type: 'tag' as const, values: standards }
  const wrong: string[] = []
  for (const { id, target } of await violations(page, runOnly, open ? dialog : undefined)) {
    if (id === 'target-size') {
      // a bar that stays covers half of what lies below it; whoever wants to press that scrolls
      await page.locator(target).evaluate(element => element.scrollIntoView({ block: 'center' }))
      if ((await violations(page, { type: 'rule', values: [id] }, target)).length === 0) continue
    }
    wrong.push(`${id}: ${target}`)
  }
  return wrong
}

let tried = 0
sayCases('Screens and dialogs without a barrier', () => ({ tried }))

/**
 * Everything that is wrong in a tour, by stop. `TOUR=whole` looks at both colours on both screens, and at every dialog;
 * `npm run drill -- 31` does. Otherwise it is the screens at a desk, in light, and of a customer the dialogs too and a phone in dark: a
 * fault of a kind shows in one of them, in a minute.
 */
async function inspect(tour: Tour, screen: keyof typeof screens): Promise<string[]> {
  const visitor = await journeys.visit({ ...screens[screen], reducedMotion: 'reduce' })
  await visitor.signIn(accountIn(tour.user, 'eng'), 'eng')
  const customers = screen === 'desk' && tour.name === 'customer'
  const stops = (await tour.stops(visitor)).filter(({ steps }) => whole || customers || steps.length === 0)
  const colours = (['light', 'dark'] as const).filter(one => whole || one === (screen === 'desk' ? 'light' : 'dark'))
  const found: string[] = []
  await walk(visitor, stops, {
    lang: 'eng',
    // how far things jump is measured where a page is loaded
    loads: ({ steps }) => steps.length === 0 && screen === 'desk' && (whole || customers),
    look: async ({ page }) => {
      const wrong = await misfits(page)
      for (const [nth, colour] of colours.entries()) {
        if (colour === 'dark') await shine(page, 'dark')
        // what does not depend on the colours is looked at once
        for (const barrier of await barriers(page, nth > 0 ? ofColours : undefined)) wrong.push(`${colour}, ${barrier}`)
      }
      if (colours.includes('dark')) await shine(page, 'light')
      return wrong
    },
    tell: (stop, wrong) => {
      tried++
      found.push(...wrong.map(what => `${tour.name} ${stop.name}, ${screen}: ${what}`))
    },
  })
  await visitor.close()
  return found
}

test('nobody meets a barrier on any screen or in any dialog, on a desk or a phone, light or dark', async () => {
  const before = await journeys.visit()
  await before.page.locator('input[type="password"]').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await shine(before.page, colorScheme)
    expect(await barriers(before.page), 'login').toEqual([])
  }
  const wrong: string[] = []
  for (const tour of toured) {
    await prepare(journeys.portal, tour)
    const seen = (['desk', 'phone'] as const).filter(one => whole || one === 'desk' || tour.name === 'customer')
    wrong.push(...(await Promise.all(seen.map(screen => inspect(tour, screen)))).flat())
  }
  expect(wrong).toEqual([])
})
