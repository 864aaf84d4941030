/**
 * Warnings before or beside an action: a tab that is not opened, worn tyres, toasts of one action, a question's clock.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { answer } from './fleet.ts'

const journeys = shareJourneys()

const vehiclesOf = async (visitor: Visitor, seq_id?: number) =>
  fleet.fetch.output.parse(await visitor.call('/fleet/fetch', seq_id === undefined ? {} : { seq_id }))

test(
  'a tenth vehicle that is not opened is named, with what to do; its question has a clock that is read out',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const customers = fleet.findcustomerbyname.output.parse(
      await admin.call('/fleet/findcustomerbyname', { string: '' }),
    )
    const [customer] = customers.toSorted((a, b) => b.vehicles - a.vehicles)
    await page.goto('/admin/fleetmanagement')
    await page.locator(`[data-customer="${customer?.seq_id}"]`).click()
    const rows = page.locator('tbody tr[data-vehicle]')
    await rows.nth(9).waitFor()
    const ids = await rows.evaluateAll(all => all.slice(0, 10).map(row => Number(row.getAttribute('data-vehicle'))))
    const vehicles = await vehiclesOf(admin, customer?.seq_id)
    const plateOf = (id: number | undefined) =>
      formatPlate(vehicles.find(({ flt_id }) => flt_id === id)?.license_plate ?? '')
    for (const id of ids.slice(0, 9)) {
      await page.getByRole('tab').first().click()
      await page.locator(`tr[data-vehicle="${id}"]`).click()
      await page.getByRole('tab', { name: plateOf(id), selected: true }).waitFor()
    }
    await page.getByRole('tab').first().click()
    await page.locator(`tr[data-vehicle="${ids[9]}"]`).click()
    const question = `Tab limit reached. Would you like to close vehicle ${plateOf(ids[0])}?`
    const clock = page.getByRole('dialog', { name: question }).getByText(/closes by itself/i)
    await clock.waitFor({ state: 'attached' })
    await answer(page, question, 'Keep it open')
    await page
      .getByText(
        `${plateOf(ids[9])} was not opened: 9 vehicles are open already. Close one that you no longer need, and open it again.`,
      )
      .waitFor()
    expect(await page.getByRole('tab', { name: plateOf(ids[9]) }).count()).toBe(0)
    admin.expectNoPageErrors()
  },
)

test('worn tyres are named before they are stored, with their depth in the colour of its verdict', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicle = (await vehiclesOf(customer)).find(({ configuration, tyres }) => {
    const free = tyres.filter(tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null)
    return configuration !== null && free.length === 4 && new Set(free.map(tyre => tyre.tyre_set)).size === 1
  })
  const tyres = vehicle?.tyres.filter(tyre => tyre.tyre_status === 'at_customer') ?? []
  const today = new Date().toISOString().slice(0, 10)
  await customer.call('/fleet/measuretyres', {
    readings: tyres.map(({ db_id, position }) => ({
      db_id,
      profile_depth: position === '1A' ? 0.5 : 8,
      profile_date: today,
    })),
    // regardless of the demo's earlier readings
    deeper: true,
  })
  await page.goto(`/wizard/step2?flt_id=${vehicle?.flt_id}&type=to_stock`)
  await page.getByText('4 tyres selected').waitFor()
  await page.getByText('1A is worn: replace it rather than store or fit it.').waitFor()
  const verdicts = await page
    .locator('main [data-tread]')
    .evaluateAll(all => all.map(cell => cell.getAttribute('data-tread')))
  expect(new Set(verdicts)).toEqual(new Set(['illegal', 'good']))
  await page.getByRole('checkbox', { name: /^Select 1A/ }).uncheck()
  await page.getByText('1A is worn').waitFor({ state: 'detached' })
  customer.expectNoPageErrors()
})

test('toasts of one action replace each other', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const [vehicle] = await vehiclesOf(customer)
  await page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}&tab=data`)
  for (const text of ['first', 'second']) {
    await page.getByLabel('Description').fill(text)
    const saved = page.waitForResponse(reply => reply.url().endsWith('/fleet/update'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved
    await page.getByText('Vehicle updated').first().waitFor()
    await customer.networkIdle()
  }
  expect(await page.getByText('Vehicle updated').count()).toBe(1)
  customer.expectNoPageErrors()
})
