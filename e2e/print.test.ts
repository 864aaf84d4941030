/** Printed lists of the desk (docs/product/operations.md "Operations desk"). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operation } from '#contract/wire.ts'
import { formatDate, today } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { misprints, textOfPages } from '../src/server/testing/pdf.ts'
import { shareJourneys } from './browser.ts'
import { prepare, visitStop } from './tour.ts'
import { toured } from './tours.ts'

const journeys = shareJourneys()

/** The text of each printed sheet of the current page. */
const sheets = async (page: Page) => textOfPages(await page.pdf({ preferCSSPageSize: true }))

test('a picking list defaults to the next delivery day; ten recalls fit a page', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const submitted = operation.array().parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const recalls = submitted.filter(({ type, tyres }) => type === 'to_customer' && tyres.some(tyre => !tyre.scanned))
  const now = today({ now: new Date(), timeZone: 'Europe/Brussels' })
  const days = [...new Set(recalls.flatMap(({ deliveryDate }) => deliveryDate ?? []))].toSorted()
  const next = days.find(day => day >= now) ?? ''
  expect(days.length).toBeGreaterThan(2)
  expect(recalls.length).toBeGreaterThan(10)

  await page.goto('/admin/operations')
  // The browser prints below, where it can be read.
  await page.evaluate(() => void (window.print = () => {}))
  await page.getByRole('button', { name: 'Print picking list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print picking list' })
  for (const day of days)
    expect(await dialog.getByRole('checkbox', { name: formatDate(day) }).isChecked()).toBe(day <= next)
  await dialog.getByRole('button', { name: 'Print', exact: true }).click()
  const [first = '', ...more] = await sheets(page)
  expect(more).toEqual([])
  expect(first).toContain('Picking list')
  for (const day of days) expect(first.includes(formatDate(day))).toBe(day <= next)

  await page.getByRole('button', { name: 'Print picking list' }).click()
  for (const day of days) await dialog.getByRole('checkbox', { name: formatDate(day) }).check()
  await dialog.getByRole('button', { name: 'Print', exact: true }).click()
  const all = await sheets(page)
  // how many recalls there are depends on the day: the demo is made anew each time
  expect(all.length).toBeLessThanOrEqual(Math.ceil(recalls.length / 10))
  for (const { tyres } of recalls)
    for (const tyre of tyres)
      expect(all.filter(sheet => new RegExp(`\\b${tyre.db_id}\\b`).test(sheet))).toHaveLength(tyre.scanned ? 0 : 1)
  admin.expectNoPageErrors()
})

test('the desk prints each of its operations once, as a table, and no text over another', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const submitted = operation.array().parse(await admin.call('/operations/admin', { status: 'submitted' }))
  for (const type of ['to_customer', 'to_stock', 'to_waste']) {
    const operations = submitted.filter(operation => operation.type === type)
    expect(operations.length).toBeGreaterThan(2)
    await page.goto(`/admin/operations?type=${type}`)
    await page.locator('main tbody[data-index]').first().waitFor()
    const pdf = await page.pdf({ preferCSSPageSize: true })
    expect(await misprints(pdf)).toEqual([])
    const printed = (await textOfPages(pdf)).join(' ')
    for (const head of ['Vehicle', 'Customer', 'Services and remarks']) expect(printed).toContain(head)
    for (const { vehicle } of operations) expect(printed).toContain(formatPlate(vehicle.license_plate))
    // a row is a line or two, not a card
    expect((await textOfPages(pdf)).length).toBeLessThanOrEqual(Math.ceil(operations.length / 10))
  }
  admin.expectNoPageErrors()
})

test(
  'every screen prints without a text over another or beyond the sheet',
  { tags: 'whole', timeout: 1_800_000 },
  async () => {
    const wrong: string[] = []
    for (const tour of toured) {
      await prepare(journeys.portal, tour)
      const visitor = await journeys.signedIn(tour.user)
      await visitor.page.goto('/')
      const stops = (await tour.stops(visitor)).filter(({ steps }) => steps.length === 0)
      for (const stop of stops) {
        await visitStop(visitor, stop, 'eng')
        const faults = await misprints(await visitor.page.pdf({ preferCSSPageSize: true }))
        wrong.push(...faults.map(fault => `${tour.name} ${stop.name}: ${fault}`))
      }
      await visitor.close()
    }
    expect(wrong).toEqual([])
  },
)

test(
  'a screen prints its title, site, filter, day and table, and none of its controls',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    await page.goto('/fleet?filter=volvo')
    await customer.networkIdle()
    const plate = page.locator('main').getByText(/^\d-[A-Z]{3}-\d{3}$/)
    await plate.first().waitFor()
    const plates = await plate.allInnerTexts()
    expect(plates.length).toBeGreaterThan(1)
    const [sheetText = ''] = await sheets(page)
    for (const part of [
      'Vehicles',
      'Bandenhotel Zevenwegen',
      'Filter: volvo',
      formatDate(today({ now: new Date(), timeZone: 'Europe/Brussels' })),
      ...plates,
    ])
      expect(sheetText).toContain(part)
    for (const control of ['New vehicle', 'Sort by', 'Home']) expect(sheetText).not.toContain(control)
    customer.expectNoPageErrors()
  },
)

test(
  'a plan of the season’s change prints the day of each vehicle, and lists are tables',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    await page.goto('/season?to=winter')
    await page.getByRole('button', { name: /^Select all \d+ with a set in storage$/ }).click()
    await page.getByRole('button', { name: /^Plan \d+ vehicles$/ }).click()
    const rows = page.locator('tr[data-state="planned"]')
    await rows.first().waitFor()
    const days = await rows
      .locator('input:not([type="hidden"])')
      .evaluateAll(fields => fields.map(field => (field as HTMLInputElement).value))
    expect(days.length).toBeGreaterThan(1)
    const plan = (await sheets(page)).join('\n')
    for (const part of ['Season change', 'Day', 'Status', ...days]) expect(plan).toContain(part)

    await page.goto('/buying?to=winter')
    await page.locator('main tbody tr').first().waitFor()
    const lines = await page.locator('main tbody tr').count()
    const list = await sheets(page)
    for (const part of ['For winter', 'Size', 'Axle', 'Needed', 'Quantity']) expect(list[0]).toContain(part)
    // as cards there would be seven on a sheet
    expect(list.length).toBeLessThanOrEqual(Math.ceil(lines / 14))
    customer.expectNoPageErrors()
  },
)
