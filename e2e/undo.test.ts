/** Immediate actions can be undone: from the toast, from the card, by the keyboard, and from the history. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()

const vehiclesOf = async (visitor: Visitor) => fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))
const vehicleOf = async (visitor: Visitor, flt_id: number) =>
  fleet.vehicle.output.parse(await visitor.call('/fleet/vehicle', { flt_id }))
const operationsOf = async (visitor: Visitor) =>
  operations.fetch.output.parse(await visitor.call('/operations/fetch', {}))

/** A vehicle whose tyres of one set are in no open operation. */
async function freeVehicle(visitor: Visitor, status: 'in_stock' | 'at_customer') {
  const vehicle = (await vehiclesOf(visitor)).find(({ tyres }) =>
    tyres.some(tyre => tyre.tyre_set && tyre.tyre_status === status && tyre.operation === null),
  )
  if (!vehicle) throw new Error('the demo has no such vehicle')
  const [first] = vehicle.tyres.filter(tyre => tyre.tyre_set && tyre.tyre_status === status && tyre.operation === null)
  const set = vehicle.tyres.filter(tyre => tyre.tyre_set === first?.tyre_set)
  return { vehicle: vehicle, set, name: first?.tyre_set ?? '' }
}

test(
  'a set name, a depth and a submission are taken back, and the history says what became of each',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/')
    const { page } = customer
    const { vehicle, set, name } = await freeVehicle(customer, 'at_customer')
    const setsNow = async () =>
      (await vehicleOf(customer, vehicle.flt_id)).tyres
        .filter(tyre => set.some(member => member.db_id === tyre.db_id))
        .map(tyre => tyre.tyre_set)
    const toastButton = page.getByRole('button', { name: 'Undo', exact: true })

    // a set, by its toast
    await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
    const rename = async (to: string) => {
      await page.getByRole('button', { name: `Change the set name: ${name}`, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Change set name' })
      await dialog.getByLabel('Set name').fill(to)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Set name changed').waitFor()
    }
    await rename('Mistyped')
    expect(new Set(await setsNow())).toEqual(new Set(['Mistyped']))
    await toastButton.click()
    await page.getByText('Undone.').waitFor()
    expect(new Set(await setsNow())).toEqual(new Set([name]))

    // it stays while the pointer is on it, and is there no more some seconds after
    await rename('Once more')
    await toastButton.hover()
    await page.waitForTimeout(8000)
    expect(await toastButton.count()).toBe(1)
    await page.mouse.move(5, 5)
    await toastButton.waitFor({ state: 'detached' })

    // by the keyboard, not from a field
    const depths = page.getByRole('button', { name: 'Enter profile depths' })
    await depths.click()
    const measuring = page.getByRole('dialog')
    await measuring.locator('[data-depth]').first().fill('1.23')
    await measuring.getByRole('button', { name: /^Save 1 reading/ }).click()
    await page.getByText('1 reading saved').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor()
    expect((await vehicleOf(customer, vehicle.flt_id)).tyres.map(tyre => tyre.profile_depth)).toEqual(
      vehicle.tyres.map(tyre => tyre.profile_depth),
    )

    // a submission, and what somebody else has changed since
    const { vehicle: other, set: tyres } = await freeVehicle(customer, 'at_customer')
    const created = operations.new.output.parse(
      await customer.call('/operations/new', {
        operation: { flt_id: other.flt_id, tyres: tyres.map(tyre => tyre.db_id), operationType: 'to_stock' },
      }),
    )
    const statusNow = async () => (await operationsOf(customer)).find(({ _id }) => _id === created._id)?.status
    const plate = formatPlate(other.license_plate)
    await page.goto('/operations?tab=pending')
    const card = page.getByRole('article').filter({ hasText: plate })
    await card.getByRole('button', { name: 'Process' }).click()
    await page.getByText('Operation submitted').waitFor()
    await toastButton.click()
    await page.getByText('Undone.').waitFor()
    await card.getByRole('button', { name: 'Process' }).waitFor()
    expect(await statusNow()).toBe('pending')
    await card.getByRole('button', { name: 'Process' }).click()
    await page.getByText('Operation submitted').waitFor()

    const warehouse = await journeys.signedIn('admin')
    await warehouse.page.goto('/')
    await warehouse.call('/operations/markscan', { tyres: [{ tyreId: tyres[0]?.db_id }] })
    await page.reload()
    const openHistory = async () => {
      await page.getByRole('button', { name: /Customer$/ }).click()
      await page.getByRole('menuitem', { name: 'Recent actions' }).click()
      return page.getByRole('dialog', { name: 'Recent actions' })
    }
    const history = await openHistory()
    const entries = history.getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(5)
    expect(await entries.nth(1).textContent()).toContain('Undone')
    await history.getByRole('button', { name: `Undo: Storage ${plate} submitted`, exact: true }).click()
    await entries.first().getByText('Can’t be undone: The warehouse has started on this operation.').waitFor()
    expect(await statusNow()).toBe('submitted')
    // an earlier change can still be undone
    await history.getByRole('button', { name: /moved to the set “Once more”/ }).click()
    await page.getByText('Undone.').waitFor()
    expect(new Set(await setsNow())).toEqual(new Set([name]))
    await page.keyboard.press('Escape')

    // it is nobody else's, and gone with the session
    await page.getByRole('button', { name: /Customer$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('input[type="password"]').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('wheelhouse.done'))).toBeNull()
    customer.expectNoPageErrors(/40[19]/)
  },
)

test('an edit of a card is taken back in the card, on a phone', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer', screens.phone)
  const { page } = customer
  const { vehicle, set } = await freeVehicle(customer, 'at_customer')
  const { _id } = operations.new.output.parse(
    await customer.call('/operations/new', {
      operation: { flt_id: vehicle.flt_id, tyres: set.map(tyre => tyre.db_id), operationType: 'to_stock' },
    }),
  )
  await page.goto(`/wizard/step3?operation=${_id}`)
  const remarks = page.getByLabel('Remarks')
  await remarks.fill('By the rear door')
  await remarks.blur()
  await page.locator('[data-undo-edit]').click()
  await page.getByText('Undone.').waitFor()
  await expect.poll(() => remarks.inputValue()).toBe('')
  expect((await operationsOf(customer)).find(operation => operation._id === _id)?.remarks).toBe('')
  customer.expectNoPageErrors()
})

test('a scan presses no Undo, though it has the focus', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const [{ id = 0, site = 0 } = {}] = await journeys.portal.sql<{ id: number; site: number }>(
    `select t.id, t.site_id as site from tyre t join site s on s.id = t.site_id join wheel w on w.site_id = t.site_id and w.tyre_id = t.id
     where s.code = 'zevenwegen' and w.status = 'in_stock' and w.state = 'at_place' and not exists (
       select from operation_tyre held where held.site_id = t.site_id and held.tyre_id = t.id and held.open) order by t.id limit 1`,
  )
  // it was missing, and stands in the hall for two days
  for (const step of ['miss', 'find']) await admin.call('/wheels/step', { tyres: [id], step })
  await journeys.portal.sql(`update wheel set since = now() - interval '2 days' where tyre_id = $1`, [id])
  await page.goto('/admin/clearup')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const put = page.getByRole('button', { name: 'Put on a place' }).first()
  await put.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Put on a place' }).click()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await undo.focus()
  await admin.scan(encodeBarcode({ tyre: id, site }))
  await page.locator('[data-scan-card]').waitFor()
  const kept = await page.evaluate(() => localStorage.getItem('wheelhouse.done'))
  expect(kept).toContain('"state":"open"')
  admin.expectNoPageErrors()
})
