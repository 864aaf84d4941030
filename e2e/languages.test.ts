/** Every screen in the other languages, on a phone: no missing text, no error, and everything fits. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { reportCases } from '../src/server/testing/cases.ts'
import { screens, shareJourneys } from './browser.ts'
import { accountIn, addAccounts, overflowing } from './layoutChecks.ts'
import { prepare, type Tour, walkTour } from './tour.ts'
import { toured } from './tours.ts'
import { whole } from '../src/server/testing/whole.ts'

const journeys = shareJourneys({ prepare: addAccounts })

let tried = 0
reportCases('Screens in other languages', () => ({ tried }))

const others: readonly Language[] = languageCodes.filter(lang => lang !== 'eng')

/**
 * The faults of a tour in one language, by stop. A text that is used before its file is loaded is missing only after a reload: each
 * screen is opened by its address in one of the languages. A whole run opens each screen and dialog by its address in
 * all four.
 */
async function inspect(tour: Tour, lang: Language): Promise<string[]> {
  const visitor = await journeys.signedIn(accountIn(tour.user, lang), {
    lang,
    ...screens.phone,
    reducedMotion: 'reduce',
  })
  await visitor.page.goto('/')
  const opened = (nth: number) => nth % others.length === others.indexOf(lang)
  const screensOfTour = (await tour.stops(visitor)).filter(({ steps }) => whole || steps.length === 0)
  const stops = screensOfTour.filter((_, nth) => whole || opened(nth))
  const faults: string[] = []
  await walkTour(visitor, stops, {
    lang,
    reloads: stop => whole || opened(screensOfTour.indexOf(stop)),
    inspect: ({ page }) => overflowing(page),
    report: (stop, wrong) => {
      tried++
      faults.push(...wrong.map(what => `${tour.name} ${stop.name}, ${lang}: ${what}`))
    },
  })
  await visitor.close()
  return faults
}

// before the tours, which leave the site in the mode of their last one
test('Dutch numbers use a decimal comma; fields also accept a point', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer', { lang: 'dut' })
  const { page } = customer
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(({ tyres }) => tyres.filter(tyre => tyre.tyre_status !== 'waste').length >= 4)
  await page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
  await page.getByRole('button', { name: 'Profieldieptes invoeren' }).click()
  const dialog = page.getByRole('dialog', { name: 'Profieldieptes' })
  const fields = dialog.getByLabel('Profieldiepte van')

  await fields.nth(0).pressSequentially('3,45')
  expect(await fields.nth(0).inputValue()).toBe('3,45 mm')
  await fields.nth(1).pressSequentially('3.4')
  expect(await fields.nth(1).inputValue()).toBe('3,4 mm')
  const kilometres = dialog.getByLabel('Kilometerstand')
  await kilometres.pressSequentially('123.456')
  expect(await kilometres.inputValue()).toBe('123.456 km')
  await kilometres.evaluate((input: HTMLInputElement) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', '98,765')
    input.select()
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  expect(await kilometres.inputValue()).toBe('98.765 km')
  await dialog.getByRole('button', { name: '2 metingen opslaan' }).click()
  await page
    .getByRole('dialog', { name: 'Meer profieldiepte dan voorheen?' })
    .or(page.getByText('2 metingen opgeslagen'))
    .first()
    .waitFor()
  customer.expectNoPageErrors()

  const admin = await journeys.signedIn('admin', { lang: 'dut' })
  await admin.page.goto('/admin/config?page=services')
  const price = admin.page.getByLabel('Prijs excl. btw').first()
  await price.fill('12.5')
  await price.press('Tab')
  expect(await price.inputValue()).toBe('12,50')
  await price.fill('1,75')
  await price.press('Tab')
  expect(await price.inputValue()).toBe('1,75')
  admin.expectNoPageErrors()
})

test('every screen has texts in four languages and fits on a phone', { tags: 'whole' }, async () => {
  const wrong: string[] = []
  for (const tour of toured) {
    await prepare(journeys.portal, tour)
    const faults = await Promise.all((whole ? languageCodes : others).map(lang => inspect(tour, lang)))
    wrong.push(...faults.flat())
  }
  expect(wrong).toEqual([])
})
