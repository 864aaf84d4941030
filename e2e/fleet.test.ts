/** Vehicles and tyres of a fleet: what is kept, asked and refused. Their whole course is the journey of the truck. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { site } from '#contract/site.ts'
import type { Vehicle } from '#contract/wire.ts'
import { positionsOf } from '#domain/axle.ts'
import { formatPlate } from '#domain/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { answer, choose } from './fleet.ts'

const journeys = shareJourneys()

const kept = async (visitor: Visitor, flt_id: number): Promise<Vehicle> =>
  fleet.vehicle.output.parse(await visitor.call('/fleet/vehicle', { flt_id }))

/** A truck with two tyres that are at the customer. */
async function newTruck(customer: Visitor, plate: string): Promise<Vehicle> {
  const { vehicleConfigs } = site.getvehicleconfigs.output.parse(await customer.call('/fleet/getvehicleconfigs', {}))
  const config = vehicleConfigs.find(({ axles }) => positionsOf(axles).join(' ') === '1A 1B 2A 2B 2C 2D')
  if (!config) throw new Error('the demo has no configuration of a truck with six wheels')
  const vehicleData = {
    license_plate: plate,
    brand: 'Volvo',
    description: 'FH 460',
    type: 'truck',
    configuration: config.description,
  }
  const { flt_id } = fleet.new.output.parse(await customer.call('/fleet/new', { vehicleData }))
  const { articles } = fleet.searcharticles.output.parse(
    await customer.call('/fleet/searcharticles', { search_value: '315/80R22.5' }),
  )
  await customer.call('/fleet/addtyres', {
    flt_id,
    tyre_set: 'Winter',
    tyres: ['1A', '1B'].map(position => ({ position, art_id: articles[0]?.art_id })),
  })
  return kept(customer, flt_id)
}

test('what is typed of a vehicle is not lost unasked, and a vehicle that nothing holds is removed', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer')
  const { page } = customer
  const { flt_id } = await newTruck(customer, '2REM301')
  const fleetSize = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {})).length

  await page.goto('/fleet')
  await page.getByLabel('Filter').fill('2-rem-301')
  await page.getByText(`1 vehicle of ${fleetSize}`).waitFor()
  await page.getByRole('cell', { name: 'FH 460' }).first().click()
  await page.getByRole('tab', { name: 'Vehicle data' }).click()
  await page.getByLabel('Description').fill('FH 500')
  await page.getByRole('link', { name: 'All vehicles' }).click()
  await answer(page, 'Leave without saving?', 'Stay')
  expect(await page.getByLabel('Description').inputValue()).toBe('FH 500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Vehicle updated').waitFor()
  expect(await kept(customer, flt_id)).toMatchObject({
    brand: 'Volvo',
    description: 'FH 500',
    license_plate: '2REM301',
  })

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('cell', { name: 'Added' }).first().waitFor()

  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await answer(page, 'Remove vehicle?', 'Remove')
  await page.getByText('Vehicle removed').waitFor()
  await page.getByRole('heading', { name: 'Vehicles', exact: true }).waitFor()
  await page.getByLabel('Filter').fill('2-REM-301')
  await page.getByText('No vehicles to display.').waitFor()
  customer.expectNoTroubles()
})

test('a configuration is set once, after a question', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer')
  const { page } = customer
  const bare = fleet.fetch.output
    .parse(await customer.call('/fleet/fetch', {}))
    .find(({ configuration }) => configuration === null)
  if (!bare) throw new Error('the demo has no vehicle without a configuration')

  await page.goto(`/fleet/vehicle?id=${bare.flt_id}`)
  await choose(page, 'Configuration', 'Van, 4 wheels')
  const set = page.getByRole('tabpanel').getByRole('button', { name: 'Set configuration' })
  await set.click()
  await answer(page, 'Set this configuration for good?', 'Cancel')
  expect((await kept(customer, bare.flt_id)).configuration).toBeNull()
  await set.click()
  await answer(page, 'Set this configuration for good?', 'Set configuration')
  await page.getByText('Vehicle updated').waitFor()
  await page.getByRole('button', { name: '1A, empty' }).click()
  await page.getByText('There is no tyre at 1A.').waitFor()
  expect((await kept(customer, bare.flt_id)).configuration).toBe('Van, 4 wheels')
  expect(await page.getByRole('button', { name: 'Set configuration' }).count()).toBe(0)

  await page.goto('/fleet/vehicle')
  await page.getByText('Error - no vehicle id retrieved from state').waitFor()
  customer.expectNoTroubles()
})

test('tyres of several vehicles become an operation for each, and what is refused is said', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer')
  const { page } = customer
  const trucks = [await newTruck(customer, '1SEV001'), await newTruck(customer, '1SEV002')]
  // A page that hears what others do would not offer what is taken; this one is behind a network that holds streams back.
  await page.route('**/live', route => route.abort())
  await page.goto('/tyres?filter=1SEV00&status=at_customer')
  await page.getByText('2 sets · 4 tyres').waitFor()
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.getByText('4 tyres selected of 2 vehicles').waitFor()
  // Somebody else is faster with the second truck.
  const [, second] = trucks
  await customer.call('/operations/new', {
    operation: { flt_id: second?.flt_id, tyres: second?.tyres.map(tyre => tyre.db_id), operationType: 'to_stock' },
  })
  await page.getByRole('button', { name: 'To stock' }).click()
  await page.getByText('1 operation made').waitFor()
  await page.getByText('1 vehicle was refused:').waitFor()
  await page.getByText('One or more tyres are already in an open operation.').waitFor()
  await page.getByRole('button', { name: 'Pending operations' }).click()
  await page.getByRole('heading', { name: 'Operations overview' }).waitFor()
  for (const { license_plate } of trucks) await page.getByText(formatPlate(license_plate)).first().waitFor()
  const made = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
  for (const { flt_id } of trucks)
    expect(made.filter(operation => operation.flt_id === flt_id)).toMatchObject([
      { type: 'to_stock', status: 'pending', tyres: [{ position: '1A' }, { position: '1B' }] },
    ])

  customer.expectNoTroubles(/409|ERR_FAILED/)
})

test('tyres are deleted after a question', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer')
  const { page } = customer
  const truck = await newTruck(customer, '1DEL412')
  await page.goto('/tyres?tab=tyres&filter=1DEL412&status=at_customer')
  await page.getByRole('checkbox', { name: /^Select 1-DEL-412 1A/ }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await answer(page, 'Delete 1 tyre?', 'Delete')
  await page.getByText('1 tyre deleted').first().waitFor()
  await expect.poll(() => page.locator('tr[data-tyre]').count()).toBe(1)
  expect((await kept(customer, truck.flt_id)).tyres.map(tyre => tyre.position)).toEqual(['1B'])
  customer.expectNoTroubles()
})
