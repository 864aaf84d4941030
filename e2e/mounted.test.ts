/** Tyres on a vehicle: mounted, swapped and taken off with one button each, on a desk and on a phone, and a presumption confirmed. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { mounts } from '#contract/mounts.ts'
import { sizeIn } from '#domain/tyres/fitness.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()

const mountedOn = async (visitor: Visitor, flt_id: number) =>
  mounts.vehicle.output
    .parse(await visitor.call('/mounts/vehicle', { flt_id }))
    .mounts.filter(({ until }) => until === null)

/** A vehicle with a set of four at the customer, in no open operation, and nothing on it. */
async function bareVehicle(visitor: Visitor, without: readonly number[] = []) {
  const vehicles = fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))
  for (const vehicle of vehicles.filter(({ flt_id }) => !without.includes(flt_id))) {
    const free = vehicle.tyres.filter(
      tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null && tyre.tyre_set,
    )
    const set = free.filter(tyre => tyre.tyre_set === free[0]?.tyre_set)
    const positions = new Set(set.map(({ position }) => position))
    if (set.length !== 4 || positions.size !== 4 || vehicle.configuration === null) continue
    if ((await mountedOn(visitor, vehicle.flt_id)).length === 0) return { vehicle, set, name: set[0]?.tyre_set ?? '' }
  }
  throw new Error('the demo has no such vehicle')
}

test('a set is mounted and taken off with one click each, and the toast takes it back', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  await page.goto('/')
  const { vehicle, set, name } = await bareVehicle(customer)
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  const section = page.locator(`[data-set="${name}"]`)
  await section.getByRole('button', { name: 'Mount', exact: true }).click()
  await section.getByText(/^Mounted since/).waitFor()
  expect(await mountedOn(customer, vehicle.flt_id)).toHaveLength(4)
  await section.getByRole('button', { name: 'Take off', exact: true }).click()
  await section.getByRole('button', { name: 'Mount', exact: true }).waitFor()
  expect(await mountedOn(customer, vehicle.flt_id)).toEqual([])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await section.getByText(/^Mounted since/).waitFor()
  expect((await mountedOn(customer, vehicle.flt_id)).map(({ tyre }) => tyre).toSorted((a, b) => a - b)).toEqual(
    set.map(({ db_id }) => db_id).toSorted((a, b) => a - b),
  )
})

test('on a phone wheels are rotated from the menu, and one is moved in the dialog by keyboard', async () => {
  const customer = await journeys.signedIn('customer', screens.phone)
  const { page } = customer
  await page.goto('/')
  const { vehicle, set, name } = await bareVehicle(customer)
  await customer.call('/mounts/change', { flt_id: vehicle.flt_id, put: set.map(({ db_id }) => ({ db_id })) })
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  const placeOf = async (tyre: number | undefined) =>
    (await mountedOn(customer, vehicle.flt_id)).find(mount => mount.tyre === tyre)?.position
  const front = set.find(({ position }) => position === '1A')?.db_id
  await page.getByRole('button', { name: `More about mounting ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Rotate: front and rear' }).click()
  await expect.poll(() => placeOf(front)).toBe('2A')

  await page.getByRole('button', { name: `More about mounting ${name}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Day, odometer, positions…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Mounted tyres' })
  await dialog.getByLabel('Tyre of 1A').first().click()
  await page.getByRole('option', { name: 'Not mounted' }).click()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await placeOf(front)).toBeUndefined()
  expect(await mountedOn(customer, vehicle.flt_id)).toHaveLength(3)
})

test('a set moves to the vehicle that it fits best with three clicks, and back', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  await page.goto('/')
  const { vehicle, set, name } = await bareVehicle(customer)
  let clicks = 0
  const click = async (locator: ReturnType<typeof page.locator>) => {
    clicks++
    await locator.click()
  }
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  await click(page.getByRole('button', { name: `Move ${name} to another vehicle` }))
  const dialog = page.getByRole('dialog', { name: 'Move to another vehicle' })
  const first = dialog.locator('[data-target]').first()
  const plate = await first.getAttribute('data-target')
  await click(first)
  await dialog.getByRole('status').first().waitFor()
  await click(dialog.getByRole('button', { name: `Move ${set.length} tyres` }))
  await dialog.waitFor({ state: 'hidden' })
  expect(clicks).toBe(3)
  const plateNow = async () =>
    fleet.fetch.output
      .parse(await customer.call('/fleet/fetch', {}))
      .find(({ tyres }) => tyres.some(({ db_id }) => db_id === set[0]?.db_id))?.license_plate
  expect(await plateNow()).toBe(plate)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(plateNow).toBe(vehicle.license_plate)
  customer.expectNoPageErrors()
})

test('a vehicle leaves, and its set is found by size with the vehicles that it fits', async () => {
  const customer = await journeys.signedIn('customer', screens.phone)
  const { page } = customer
  await page.goto('/')
  const { vehicle, set, name } = await bareVehicle(customer)
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove vehicle?' })
  await dialog.getByRole('combobox', { name: `${name} (4 tyres)` }).click()
  await page.getByRole('option', { name: 'Keep without a vehicle' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.goto('/left')
  const size = sizeIn(set[0]?.description ?? '') ?? ''
  await page.getByRole('searchbox').fill(size.replaceAll(/\D/g, ''))
  await expect.poll(() => page.getByText(size, { exact: false }).count()).toBeGreaterThan(0)
  await page.locator('[data-fits-where]:not([disabled])').first().click()
  await page.getByRole('dialog', { name: 'Move to another vehicle' }).locator('[data-target]').first().waitFor()
  customer.expectNoPageErrors()
})
