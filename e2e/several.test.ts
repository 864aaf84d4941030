/** Several operations at once: asked once for what they lack, with a result for each. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()

const operationsOf = async (visitor: Visitor) =>
  operations.fetch.output.parse(await visitor.call('/operations/fetch', {}))

/** Pending recalls without a day, of several vehicles. */
async function pendingRecalls(visitor: Visitor, count: number) {
  const free = fleet.fetch.output
    .parse(await visitor.call('/fleet/fetch', {}))
    .map(vehicle => ({
      vehicle,
      tyres: vehicle.tyres.filter(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null),
    }))
    .filter(({ tyres }) => tyres.length > 0)
    .slice(0, count)
  const created = []
  for (const { vehicle, tyres } of free) {
    const operation = { flt_id: vehicle.flt_id, tyres: tyres.map(tyre => tyre.db_id), operationType: 'to_customer' }
    created.push(operations.new.output.parse(await visitor.call('/operations/new', { operation })))
  }
  return created
}

test.each(['desk', 'phone'] as const)(
  'on the %s recalls are submitted together, those that were refused on another day, and withdrawn together',
  { tags: 'whole' },
  async device => {
    const customer = await journeys.signedIn('customer', screens[device])
    const { page } = customer
    const recalls = await pendingRecalls(customer, 3)
    expect(recalls).toHaveLength(3)
    // the next day has room for two of them
    await journeys.portal.sql('update transport_method set tyres_per_day = 1000, operations_per_day = 1000')
    const statuses = async () => {
      const all = await operationsOf(customer)
      return recalls.map(({ _id }) => all.find(operation => operation._id === _id)?.status)
    }
    await page.goto('/operations?tab=pending')
    for (const { _id } of recalls)
      await page
        .locator(`#operation-${_id}`)
        .getByRole('checkbox', { name: /^Select/ })
        .check()
    await page.getByRole('button', { name: 'Submit 3 operations' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit operations' })
    await dialog.getByText('For the 3 recalls without a possible day:').waitFor()
    const days = dialog.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button')
    await days.first().click()
    const dayField = dialog.getByRole('textbox', { name: 'Delivery date' })
    const chosenDay = await dayField.inputValue()
    // not the day before, which no one sees any more
    await dayField.fill('31/02/2027')
    await dialog.getByRole('button', { name: 'Submit 3 operations' }).click()
    await dialog.getByText('Enter a date as DD/MM/YYYY.').waitFor()
    expect(await dayField.evaluate(field => field === document.activeElement)).toBe(true)
    expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
    await dayField.fill(chosenDay)
    await journeys.portal.sql(
      `update transport_method m set operations_per_day = 2 + coalesce((
         select d.operations from transport_day d where d.site_id = m.site_id and d.transport_id = m.id
           and d.day = to_date($1, 'DD/MM/YYYY')), 0)`,
      [chosenDay],
    )
    await dialog.getByRole('button', { name: 'Submit 3 operations' }).click()
    const lines = dialog.getByRole('listitem')
    await dialog.getByText('3 of 3').waitFor()
    await expect.poll(() => lines.count()).toBe(3)
    expect((await statuses()).toSorted()).toEqual(['pending', 'submitted', 'submitted'])
    // refused operations come first, with the reason, and go on another day
    expect(await lines.first().getAttribute('data-line')).toBe('refused')
    await dialog.getByText('For 1 recall without a possible day:').waitFor()
    await days.last().click()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(statuses).toEqual(['submitted', 'submitted', 'submitted'])
    await dialog.locator('[data-line="done"]').nth(2).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.goto('/operations?tab=submitted')
    for (const { _id } of recalls)
      await page
        .locator(`#operation-${_id}`)
        .getByRole('checkbox', { name: /^Select/ })
        .check()
    await page.getByRole('button', { name: 'Withdraw 3 operations' }).click()
    const withdrawing = page.getByRole('dialog', { name: 'Withdraw operations' })
    await withdrawing.getByRole('button', { name: 'Withdraw 3 operations' }).click()
    await expect.poll(statuses).toEqual(['pending', 'pending', 'pending'])
    await withdrawing.getByRole('button', { name: 'Close' }).last().click()
    for (const { _id } of recalls) await customer.call('/operations/delete', { operation: { _id } })
    customer.expectNoPageErrors(/409/)
  },
)

test('at the desk several recalls go on another day, and back', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const recalls = await pendingRecalls(customer, 2)
  const [transport] = await journeys.portal.sql<{ id: number }>(
    `select m.id from transport_method m join site s on s.id = m.site_id where s.code = 'zevenwegen' and m.is_default`,
  )
  await journeys.portal.sql('update transport_method set operations_per_day = 0, tyres_per_day = 0')
  const [day] = await journeys.portal.sql<{ day: string }>(
    `select d::date::text as day from generate_series(current_date + 14, current_date + 60, interval '1 day') d,
       transport_method m where m.id = $1 and extract(dow from d) = any (m.operation_days)
       and not exists (select from closed_day c where c.site_id = m.site_id and c.day = d::date) order by d limit 1`,
    [transport?.id],
  )
  for (const { _id } of recalls)
    await customer.call('/operations/update', {
      operation: { _id, transport: transport?.id, deliveryDate: day?.day, status: 'submitted' },
    })
  const days = async () => {
    const all = await operationsOf(customer)
    return recalls.map(({ _id }) => all.find(operation => operation._id === _id)?.deliveryDate)
  }
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/operations')
  for (const { _id, vehicle } of recalls) {
    const plate = formatPlate(vehicle.license_plate)
    await page.getByRole('checkbox', { name: `Select: ${plate}, operation ${_id}`, exact: true }).check()
  }
  await page.getByRole('button', { name: 'Change the day of 2 operations' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the day' })
  const first = dialog.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button').first()
  await first.click()
  await dialog.getByRole('button', { name: 'Change the day of 2 operations' }).click()
  await dialog.locator('[data-line="done"]').nth(1).waitFor()
  const moved = await days()
  expect(moved).not.toContain(day?.day)
  expect(new Set(moved).size).toBe(1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(days).toEqual([day?.day, day?.day])
  admin.expectNoPageErrors()
})
