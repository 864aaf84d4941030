/** Every screen and dialog, light and dark, on a desk and on a phone, in four languages: no barrier, no error, no missing text. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Language, languageCodes, languages } from '#domain/account.ts'
import { sayCases } from '../src/server/testing/cases.ts'
import { screens, shareJourneys } from './browser.ts'
import { accountIn, addAccounts, misfits, shift } from './look.ts'
import { arrive, prepare, shine, type Tour } from './tour.ts'
import { tours } from './tours.ts'

const journeys = shareJourneys()

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What depends on the colours; the rest of a screen is the same in light and dark. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** What axe finds: in the dialog that is open, or else on the whole screen. */
async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const dialog = '[role="dialog"][aria-modal="true"]'
  // without frames the old way does, which opens no second page for its report
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: standards },
  })
  if ((await page.locator(dialog).count()) > 0) axe.include(dialog)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')}`))
}

beforeAll(() => addAccounts(journeys.portal))

let tried = 0
sayCases('Screens and dialogs looked at', () => ({ tried }))

/**
 * `TOUR=whole` looks at everything: both colours on both screens, and every dialog in every language. Otherwise a desk is looked at
 * in light, and on a phone the screens without their dialogs, in dark and in the other languages: each fault of a kind shows in one
 * of them, in minutes. Whoever acts for a customer, and whoever has a fleet only, has screens of the others; they are looked at in
 * the other languages.
 */
const whole = process.env['TOUR'] === 'whole'

/** Goes through a tour in one language and answers everything that is wrong, by stop. */
async function inspect(tour: Tour, lang: Language, screen: keyof typeof screens, deep: boolean): Promise<string[]> {
  const visitor = await journeys.visit({ ...screens[screen], reducedMotion: 'reduce' })
  await visitor.signIn(accountIn(tour.user, lang), lang)
  const { page } = visitor
  const wrong: string[] = []
  const colours = (['light', 'dark'] as const).filter(one => whole || one === (screen === 'desk' ? 'light' : 'dark'))
  for (const stop of await tour.stops(visitor)) {
    if (!whole && !(deep && screen === 'desk') && stop.steps.length > 0) continue
    tried++
    const tell = (what: string) => wrong.push(`${tour.name} ${stop.name}, ${screen}, ${lang}: ${what}`)
    // how far things jump is measured where a page is loaded
    const fresh = deep && screen === 'desk' && stop.steps.length === 0 && (whole || tour.name === 'customer')
    await arrive(visitor, stop, lang, { fresh }).catch((error: Error) =>
      tell(error.message.split('\n').slice(0, 3).join(' ')),
    )
    if ((await page.locator('html').getAttribute('lang')) !== languages[lang]) tell('another language')
    for (const misfit of await misfits(page)) tell(misfit)
    if (!deep) continue
    const jumped = fresh ? await shift(page) : 0
    if (jumped > 0.1) tell(`jumps by ${jumped}`)
    for (const [nth, colour] of colours.entries()) {
      if (colour === 'dark') await shine(page, 'dark')
      // what does not depend on the colours is looked at once
      for (const barrier of await barriers(page, nth > 0 ? ofColours : undefined)) tell(`${colour}, ${barrier}`)
    }
    if (colours.includes('dark')) await shine(page, 'light')
  }
  wrong.push(...visitor.troubles)
  await visitor.close()
  return wrong
}

test('nobody meets a barrier on any screen or in any dialog, on a desk or a phone, light or dark', async () => {
  const before = await journeys.visit()
  await before.page.locator('input[type="password"]').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await shine(before.page, colorScheme)
    expect(await barriers(before.page), 'login').toEqual([])
  }
  const wrong: string[] = []
  for (const tour of tours.filter(({ name }) => whole || ['customer', 'admin', 'superuser'].includes(name))) {
    await prepare(journeys.portal, tour)
    const found = await Promise.all([inspect(tour, 'eng', 'desk', true), inspect(tour, 'eng', 'phone', true)])
    wrong.push(...found.flat())
  }
  expect(wrong).toEqual([])
}, 900_000)

test('every screen and dialog speaks four languages, without a missing text, and everything fits on a phone', async () => {
  const wrong: string[] = []
  for (const tour of tours) {
    await prepare(journeys.portal, tour)
    const found = await Promise.all(
      languageCodes.filter(lang => lang !== 'eng').map(lang => inspect(tour, lang, 'phone', false)),
    )
    wrong.push(...found.flat())
  }
  expect(wrong).toEqual([])
}, 900_000)
