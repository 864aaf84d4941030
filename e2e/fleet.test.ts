/** Vehicles and tyres of a fleet: kept input, questions and refusals. The whole life of a vehicle is in truckJourney.test.ts. */
import { expect, test } from 'vitest'
import type { Route } from 'playwright-core'
import { firstVehicles, fleet, smallFleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { site } from '#contract/sites.ts'
import type { Vehicle } from '#contract/wire.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { formatDate, today } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
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

test('unsaved vehicle data is confirmed before it is lost, and an unused vehicle can be removed', async () => {
  const customer = await journeys.signedIn('customer')
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
  customer.expectNoPageErrors()
})

test(
  'an administrator gives a vehicle with its tyres to another customer; the demo’s login page offers its accounts as buttons',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { flt_id, tyres } = await newTruck(customer, '2SLD001')
    const store = async (): Promise<number> => {
      const operation = { flt_id, tyres: tyres.map(({ db_id }) => db_id), operationType: 'to_stock' }
      return operations.new.output.parse(await customer.call('/operations/new', { operation }))._id
    }
    const drop = (_id: number) => customer.call('/operations/delete', { operation: { _id } })

    const visitor = await journeys.visit()
    await visitor.page.goto('/')
    await visitor.page.getByRole('button', { name: 'customer2', exact: true }).click()
    await visitor.page.getByRole('navigation').first().waitFor()
    visitor.expectNoPageErrors()

    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const first = await store()
    await page.goto(`/fleet/vehicle?id=${flt_id}`)
    await page.getByRole('button', { name: 'Change customer' }).click()
    const dialog = page.getByRole('dialog')
    // open operations are mentioned before anything is chosen
    await dialog.getByText('Confirm, cancel or delete these operations first:').waitFor()
    await dialog.getByText(`Storage ${first}`).waitFor()
    const heidestart = dialog.getByRole('button', { name: /Heidestart/ })
    expect(await heidestart.count()).toBe(0)
    await drop(first)
    await heidestart.click()
    await dialog.getByText('2 tyres go with it').waitFor()
    // before its tyres came
    await dialog.getByRole('textbox', { name: 'Date of the change' }).fill('01/01/2020')
    await dialog.getByText(/^Choose a day from/).waitFor()
    await dialog
      .getByRole('textbox', { name: 'Date of the change' })
      .fill(formatDate(today({ now: new Date(), timeZone: 'Europe/Brussels' })))
    // another one comes between, whose news this browser has not got
    await page.route('**/fleet/vehicle', route => route.abort())
    const second = await store()
    await dialog.getByRole('button', { name: 'Move to Autobedrijf Heidestart vof' }).click()
    await dialog.getByText(`Storage ${second}`).waitFor()
    await page.unrouteAll()
    await drop(second)
    await page.goto(`/fleet/vehicle?id=${flt_id}`)
    await page.getByRole('button', { name: 'Change customer' }).click()
    await heidestart.click()
    await dialog.getByRole('button', { name: 'Move to Autobedrijf Heidestart vof' }).click()
    await page.getByText('Vehicle given to Autobedrijf Heidestart vof').waitFor()
    expect(await kept(admin, flt_id)).toMatchObject({ customer_name: 'Autobedrijf Heidestart vof' })
    await expect(kept(customer, flt_id)).rejects.toThrow('record.missing')
    admin.expectNoPageErrors(/ERR_FAILED|409 \(Conflict\)/)
  },
)

test('a configuration is set once, after a question', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const bare = fleet.fetch.output
    .parse(await customer.call('/fleet/fetch', {}))
    .find(({ configuration }) => configuration === null)
  if (!bare) throw new Error('the demo has no vehicle without a configuration')

  await page.goto(`/fleet/vehicle?id=${bare.flt_id}`)
  await choose(page, 'Configuration', 'Van, 4 wheels')
  const set = page.getByRole('tabpanel').getByRole('button', { name: 'Set configuration' })
  await set.click()
  await answer(page, 'Set this configuration permanently?', 'Cancel')
  expect((await kept(customer, bare.flt_id)).configuration).toBeNull()
  await set.click()
  await answer(page, 'Set this configuration permanently?', 'Set configuration')
  await page.getByText('Vehicle updated').waitFor()
  await page.getByRole('button', { name: '1A, empty' }).click()
  await page.getByText('There is no tyre at 1A.').waitFor()
  expect((await kept(customer, bare.flt_id)).configuration).toBe('Van, 4 wheels')
  await page.getByRole('button', { name: 'Set configuration' }).waitFor({ state: 'detached' })

  await page.goto('/fleet/vehicle')
  await page.getByText('Error - no vehicle id retrieved from state').waitFor()
  customer.expectNoPageErrors()
})

test('tyres of several vehicles become one operation per vehicle, and refusals are shown', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const trucks = [await newTruck(customer, '1SEV001'), await newTruck(customer, '1SEV002')]
  // A page with live changes would not offer a taken tyre; this one is behind a network that blocks event streams.
  await page.route(/\/live(\?|$)/, route => route.abort())
  await page.goto('/tyres?filter=1SEV00&status=at_customer')
  await page.getByText('2 sets · 4 tyres').waitFor()
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.getByText('4 tyres selected of 2 vehicles').waitFor()
  // Another user is faster with the second truck.
  const [, second] = trucks
  await customer.call('/operations/new', {
    operation: { flt_id: second?.flt_id, tyres: second?.tyres.map(tyre => tyre.db_id), operationType: 'to_stock' },
  })
  await page.getByRole('button', { name: 'To stock' }).click()
  await page.getByText('1 operation created').waitFor()
  await page.getByText('1 vehicle was refused:').waitFor()
  await page
    .getByText(
      'One or more tyres are already in an open operation. Choose other tyres, or finish that operation first.',
    )
    .waitFor()
  await page.getByRole('button', { name: 'Pending operations' }).click()
  await page.getByRole('heading', { name: 'Operations overview' }).waitFor()
  for (const { license_plate } of trucks) await page.getByText(formatPlate(license_plate)).first().waitFor()
  const created = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
  for (const { flt_id } of trucks)
    expect(created.filter(operation => operation.flt_id === flt_id)).toMatchObject([
      { type: 'to_stock', status: 'pending', tyres: [{ position: '1A' }, { position: '1B' }] },
    ])

  customer.expectNoPageErrors(/409|ERR_FAILED/)
})

test('tyres are deleted after a question', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const truck = await newTruck(customer, '1DEL412')
  await page.goto('/tyres?tab=tyres&filter=1DEL412&status=at_customer')
  await page.getByRole('checkbox', { name: /^Select 1A, 1-DEL-412,/ }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await answer(page, 'Delete 1 tyre?', 'Delete')
  await page.getByText('1 tyre deleted').first().waitFor()
  await expect.poll(() => page.locator('tr[data-tyre]').count()).toBe(1)
  expect((await kept(customer, truck.flt_id)).tyres.map(tyre => tyre.position)).toEqual(['1B'])
  customer.expectNoPageErrors()
})

test('a removed or unknown vehicle shows one message and no toast', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const { flt_id } = await newTruck(customer, '2GON001')
  // opened by its address, so that the screen has its own answer
  await page.goto(`/fleet/vehicle?id=${flt_id}`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await answer(page, 'Remove vehicle?', 'Remove')
  await page.getByText('Vehicle removed').waitFor()
  await customer.networkIdle()
  expect(await page.getByText('This does not exist').count()).toBe(0)

  await page.goto(`/fleet/vehicle?id=${flt_id}`)
  await page.getByText('This vehicle does not exist, or no longer exists.').waitFor()
  await page.getByRole('searchbox', { name: 'Search for a vehicle' }).fill('1-')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Vehicles', exact: true }).waitFor()
  expect(await page.getByLabel('Filter').inputValue()).toBe('1-')

  // of one with stored tyres it is asked what becomes of them: they stay
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const stored = vehicles.find(({ tyres }) => tyres.some(tyre => tyre.tyre_status === 'in_stock'))
  await page.goto(`/fleet/vehicle?id=${stored?.flt_id}`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove vehicle?' })
  await dialog.getByRole('combobox').first().waitFor()
  const actions = dialog.getByRole('combobox')
  expect(await Promise.all((await actions.all()).map(field => field.inputValue()))).toContain('Keep without a vehicle')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  customer.expectNoPageErrors(/404/)

  const admin = await journeys.signedIn('admin')
  await admin.page.goto('/admin/fleetmanagement')
  // letters and Enter choose the first one found
  const search = admin.page.getByRole('searchbox', { name: 'Search for a customer' }).first()
  await search.fill('heidestart')
  await search.press('Enter')
  await admin.page.getByText('You now act for Autobedrijf Heidestart vof').waitFor()
  await admin.page.goto('/fleet?filter=nowhere')
  await admin.page.getByText('Only what belongs to Autobedrijf Heidestart vof is shown.').waitFor()
  await admin.page.getByRole('button', { name: 'Show all customers' }).click()
  await admin.page.getByText('All customers', { exact: true }).first().waitFor()
  admin.expectNoPageErrors()
})

test('depth entry moves from field to field, asks about 72, and keeps input typed while saving', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const { flt_id } = await newTruck(customer, '2DEP001')
  await page.goto(`/fleet/vehicle?id=${flt_id}`)
  await page.getByRole('button', { name: 'Enter profile depths' }).click()
  const dialog = page.getByRole('dialog', { name: 'Profile depths' })
  const field = (position: string) => dialog.getByLabel(`Profile depth of ${position},`)
  const depths = async () => (await kept(customer, flt_id)).tyres.map(tyre => tyre.profile_depth)

  await expect.poll(() => field('1A').evaluate(input => input === document.activeElement)).toBe(true)
  await page.keyboard.type('72')
  await page.keyboard.press('Enter')
  await dialog.getByText('72 → 10.0. Did you mean 7.2?').waitFor()
  await page.keyboard.type('8')
  // neither keys nor button save before the question is answered
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: /^Save/ }).click()
  expect(await depths()).toEqual([null, null])
  await dialog.getByRole('button', { name: '7.2 mm' }).click()

  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/fleet/measuretyres', async route => {
    await released
    await route.continue()
  })
  await field('1B').press('Control+Enter')
  await dialog.getByRole('button', { name: /^Save/ }).and(page.locator('[data-loading]')).waitFor()
  await field('1B').fill('8.5')
  release()
  await page.getByText('2 readings saved').waitFor()
  expect(await depths()).toEqual([7.2, 8])
  expect(await field('1B').inputValue()).toBe('8.5 mm')
  await field('1B').press('Control+Enter')
  await page
    .getByRole('dialog', { name: 'More profile depth than before?' })
    .or(page.getByText('1 reading saved'))
    .first()
    .waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await depths()).toEqual([7.2, 8.5])
  customer.expectNoPageErrors()
})

test(
  'a double click on Add vehicle adds one vehicle; an impossible reading stays in its field with a message',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const sent: string[] = []
    page.on('request', request => {
      if (request.url().endsWith(fleet.new.path)) sent.push(request.url())
    })
    await page.goto('/fleet')
    await page.getByRole('button', { name: 'New vehicle' }).click()
    const form = page.getByRole('dialog', { name: 'New vehicle' })
    await form.getByRole('textbox', { name: 'License plate' }).fill('9-DBL-001')
    await form.getByRole('textbox', { name: 'Brand' }).fill('Opel')
    await form.getByRole('textbox', { name: 'Description' }).fill('Corsa')
    await choose(page, 'Type', 'Car')
    await choose(page, 'Configuration', 'Car, 4 wheels')
    await form.getByRole('button', { name: 'Add vehicle' }).dblclick()
    await page.getByRole('heading', { name: 'Vehicle 9-DBL-001' }).waitFor()
    expect(sent).toHaveLength(1)

    const admin = await journeys.signedIn('admin')
    await admin.page.goto('/admin/invoicing')
    const days = admin.page.getByRole('textbox', { name: /days/i }).first()
    const fetch = admin.page.getByRole('button', { name: 'Fetch' })
    for (const [typed, complaint] of [
      ['99999', 'Enter a number from 0 to 36,500.'],
      ['-3', 'Enter a number from 0 to 36,500.'],
      ['12.7', 'Enter a whole number.'],
    ] as const) {
      await days.fill(typed)
      await days.blur()
      await admin.page.getByText(complaint).waitFor()
      expect((await days.inputValue()).replaceAll(',', '')).toBe(typed)
      expect(await fetch.isDisabled()).toBe(true)
    }
    customer.expectNoPageErrors()
    admin.expectNoPageErrors()
  },
)

test(
  'from Home the tyres of several vehicles are planned, moved and asked for in a few clicks',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/')
    const { page } = customer
    const submitted = async () =>
      operations.fetch.output
        .parse(await customer.call('/operations/fetch', {}))
        .filter(({ status, type }) => status === 'submitted' && type === 'to_customer')
    const before = new Set((await submitted()).map(({ _id }) => _id))
    await page.getByRole('link', { name: 'Season', exact: true }).click()
    await page.getByText('To winter tyres').click()
    const choices = page.locator('tr[data-vehicle] input[type="checkbox"]:enabled')
    await choices.first().waitFor()
    for (const nth of [0, 1, 2]) await choices.nth(nth).check()
    await page.getByRole('button', { name: 'Plan 3 vehicles' }).click()
    const day = page.getByRole('combobox', { name: /^Day of/ }).first()
    const first = await day.inputValue()
    await day.click()
    const days = page.getByRole('option')
    await days.first().waitFor()
    const moved = (await days.allTextContents()).findLast(day => day !== first) ?? ''
    await days.filter({ hasText: moved }).click()
    const target = page.locator('li[data-day]').nth(-2)
    const dragged = await target.getAttribute('data-day')
    await page.locator('tr[draggable="true"]').nth(1).dragTo(target)
    await target.getByText('1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Submit 3 vehicles' }).click()
    await page.getByText('3 vehicles submitted.').waitFor()
    const created = (await submitted()).filter(({ _id }) => !before.has(_id))
    expect(created).toHaveLength(3)
    expect(created.map(({ deliveryDate }) => deliveryDate && formatDate(deliveryDate))).toContain(
      moved.split(' ').at(-1),
    )
    expect(created.map(({ deliveryDate }) => deliveryDate)).toContain(dragged)
    customer.expectNoPageErrors()
  },
)

test('a large fleet begins with its first page, and says what became of the rest', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  await journeys.portal.sql(
    `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
     select site_id, customer_id, '9LRG' || nth, 'Volvo', 'FH 460', 'truck'
     from account, generate_series(1, $1::int) nth where username = 'customer' and site_id = (select min(id) from site)`,
    [smallFleet],
  )
  const size = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {})).length
  let whole: 'held' | 'lost' | 'sent' = 'held'
  const heldRoutes: Route[] = []
  await page.route('**/fleet/fetch', async route => {
    if (whole === 'sent' || route.request().postData()?.includes('first')) return route.continue()
    if (whole === 'lost') return route.abort()
    heldRoutes.push(route)
  })
  await page.goto('/fleet')
  await page.getByText('Loading the rest of the list…').waitFor()
  await expect.poll(() => page.locator('tr[data-vehicle]').count()).toBe(firstVehicles)
  expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Tyres' }).first().click()
  await page.getByText('Loading the rest of the list…').waitFor()
  await page.locator('tr input[type="checkbox"]').nth(1).waitFor()
  expect(await page.getByRole('button', { name: /^Select all/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Vehicles' }).first().click()

  whole = 'lost'
  await Promise.all(heldRoutes.map(route => route.abort()))
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  expect(await page.getByText('Loading the rest of the list…').count()).toBe(0)
  whole = 'sent'
  await again.click()
  await page.getByText(`${size} vehicles`).waitFor()
  customer.expectNoPageErrors(/ERR_FAILED/)
})

test(
  'a view that is opened puts its words into the filter, and an empty list offers all again',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    await customer.call('/views/save', { list: 'vehicles', name: 'Volvos', filter: { filter: 'volvo' }, shared: false })
    await page.goto('/fleet')
    const words = page.getByRole('searchbox', { name: 'Filter' })
    await words.fill('nowhere at all')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.poll(() => words.inputValue()).toBe('')
    await page.locator('tr[data-vehicle]').first().waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Volvos' }).click()
    await expect.poll(() => words.inputValue()).toBe('volvo')
    await page.getByRole('button', { name: 'Volvos' }).waitFor()
    customer.expectNoPageErrors()
  },
)
