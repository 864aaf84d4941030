/** The main job, from the plate to the rack: a customer stores tyres, the warehouse scans and confirms them, both see it. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Operation, Vehicle } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { printed, scanned } from '../src/server/testing/labelReader.ts'
import { nextPdf, shareJourneys, type Visitor } from './browser.ts'
import { answer } from './fleet.ts'

const journeys = shareJourneys()

/** A vehicle of the customer with a set at the customer and no operation. */
async function vehicleToStore(customer: Visitor): Promise<Vehicle> {
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const plates = vehicles.map(vehicle => vehicle.license_plate)
  const match = vehicles.find(
    vehicle =>
      vehicle.configuration !== null &&
      plates.filter(plate => plate === vehicle.license_plate).length === 1 &&
      vehicle.tyres.filter(tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null).length === 4,
  )
  if (!match) throw new Error('the demo has no vehicle with four tyres at the customer')
  return match
}

test('tyres are stored: plate, service, tyres, labels, scans, confirmation, rack', async () => {
  const customer = await journeys.signedIn('customer')
  await customer.page.goto('/')
  const vehicle = await vehicleToStore(customer)
  const plate = formatPlate(vehicle.license_plate)
  const { page } = customer

  await page.getByRole('link', { name: 'New operation' }).first().click()
  const plateField = page.getByLabel('Insert license plate')
  await expect.poll(() => plateField.evaluate(input => input === document.activeElement)).toBe(true)
  // typed as on the plate, dashes and small letters included
  await page.keyboard.type(plate.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Tyres to stock' }).click()
  await page.getByText('Pick tyres to proceed').waitFor()
  const proceed = page.getByRole('button', { name: 'Proceed' })
  // the only set that can be stored is chosen already
  await page.getByText('4 tyres selected').waitFor()
  await page.getByRole('button', { name: 'None' }).click()
  expect(await proceed.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'All (4)' }).click()
  await proceed.click()

  await page.getByText('Add final information and confirm').waitFor()
  await page.getByLabel('Remarks').fill('Valve caps are missing')
  await page.getByLabel('Remarks').blur()
  const labels = nextPdf(page, fleet.getTyreLabels.path)
  await page.getByRole('button', { name: 'Process' }).click()
  await page.getByText('The operation is submitted.').waitFor()
  // it replaces the message about its creation
  expect(await page.getByText('Operation inserted.').count()).toBe(0)
  const pdf = await labels
  const pages = await printed(pdf)
  const barcodes = (await Promise.all(pages.map(scanned))).flat()
  expect(barcodes).toHaveLength(4)

  const admin = await journeys.signedIn('admin')
  await admin.page.goto('/')
  await admin.page.getByRole('link', { name: 'Intake' }).first().click()
  // home, which is there until then, has a column of storages to sort by
  await admin.page.getByRole('heading', { name: 'Scan', exact: true }).waitFor()
  await admin.page.getByRole('button', { name: /^Storage/ }).click()
  // ready, and with the list that tells a tyre without the server
  await admin.page.getByText('Ready to scan').first().waitFor()
  await admin.page
    .getByText(/tyres? left/)
    .first()
    .waitFor()
  for (const barcode of barcodes) {
    await admin.scan(barcode)
    await admin.page.getByText('Tyre found').first().waitFor()
  }
  await admin.page.getByText('All 4 tyres of this operation are scanned.').first().waitFor()
  // on the card of this storage: others that were scanned before can be confirmed, too
  await admin.page.getByRole('article').getByRole('button', { name: 'Confirm' }).first().click()
  await answer(admin.page, 'Insert a document into the invoicing system?', 'Insert document')
  await admin.page.getByText('Operation confirmed').first().waitFor()

  await admin.page.getByRole('link', { name: 'Orders' }).first().click()
  await admin.page.getByRole('tab', { name: /^Completed/ }).click()
  await admin.page.getByText(plate).first().waitFor()

  await page.getByRole('link', { name: 'Operations', exact: true }).first().click()
  await page.getByRole('tab', { name: /^Completed/ }).click()
  await page.getByRole('row').filter({ hasText: plate }).filter({ hasText: 'Stored' }).first().waitFor()

  const stored = fleet.vehicle.output.parse(await customer.call('/fleet/vehicle', { flt_id: vehicle.flt_id }))
  const inStock = stored.tyres.filter(tyre => tyre.tyre_status === 'in_stock')
  expect(inStock.length).toBeGreaterThanOrEqual(4)
  for (const tyre of inStock) expect(tyre.stock_rack, `tyre ${tyre.db_id} has a rack`).toBeTruthy()
  const done = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
  expect(done.find(operation => operation.flt_id === vehicle.flt_id && operation.status === 'confirmed')).toMatchObject(
    {
      type: 'to_stock',
      remarks: 'Valve caps are missing',
    },
  )

  customer.expectNoPageErrors()
  admin.expectNoPageErrors()
})

test(
  'the wizard finds a vehicle by a part of its plate, selects its only set, and keeps the selection after a reload',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/')
    const vehicle = await vehicleToStore(customer)
    const { page } = customer
    await page.getByRole('link', { name: 'New operation' }).first().click()
    const part = vehicle.license_plate.slice(1, -1)
    await page.getByLabel('Insert license plate').fill(part.toLowerCase())
    const suggested = page.getByRole('region', { name: 'Vehicles with this in their plate' })
    await suggested.getByRole('button', { name: formatPlate(vehicle.license_plate) }).waitFor()
    // Proceed means the whole plate; before a new vehicle is asked for, the ones that it may be are offered
    await page.keyboard.press('Enter')
    await page.getByText('The vehicle was not found, please add information to proceed.').waitFor()
    await page.getByRole('button', { name: 'Go back' }).click()
    await expect.poll(() => page.getByLabel('Insert license plate').inputValue()).toBe(part)
    await suggested.getByRole('button', { name: formatPlate(vehicle.license_plate) }).click()

    const recall = page.getByRole('button', { name: 'Tyres to customer' })
    if (vehicle.tyres.every(tyre => tyre.tyre_status !== 'in_stock')) {
      expect(await recall.isDisabled()).toBe(true)
      await recall.getByText('No tyres in storage').waitFor()
    }
    await page.getByRole('button', { name: 'Tyres to stock' }).click()
    await page.getByText('4 tyres selected').waitFor()
    await page.getByRole('checkbox', { name: /^Select 1A/ }).uncheck()
    await page.getByText('3 tyres selected').waitFor()
    await page.reload()
    await page.getByText('3 tyres selected').waitFor()
    await page.getByRole('button', { name: 'None' }).click()
    await page.getByText('Select at least one tyre.').waitFor()

    // the tyres are taken before the code of step 3 is there: the way on stands
    const late = Promise.withResolvers<void>()
    await page.route(/\/step3-[^/]*\.js$/, async route => {
      await late.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'All (4)' }).click()
    await page.getByText('4 tyres selected').waitFor()
    await page.getByRole('button', { name: 'Proceed' }).click()
    await page.getByText('Already in an operation').filter({ visible: true }).first().waitFor()
    late.resolve()
    await page.waitForURL(url => url.pathname === '/wizard/step3' && !url.searchParams.has('tyres'))

    const tachometer = page.getByLabel('Tachometer')
    await tachometer.fill('12.7')
    await page.getByRole('button', { name: 'Process' }).click()
    await page.getByText('Enter a whole number.').waitFor()
    expect(await tachometer.evaluate(field => field === document.activeElement)).toBe(true)
    const [operation] = operations.fetch.output
      .parse(await customer.call('/operations/fetch', {}))
      .filter(operation => operation.vehicle.license_plate === vehicle.license_plate && operation.status === 'pending')
    expect(operation?.tachometer).toBe(null)
    customer.expectNoPageErrors()
  },
)

test(
  'scans queued while the server is stopped arrive once after its restart, also after a reload',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const submitted = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
    const operation = submitted.find(
      operation =>
        operation.type === 'to_stock' && operation.tyres.length === 4 && operation.tyres.every(tyre => !tyre.scanned),
    )
    if (!operation) throw new Error('the demo has no submitted storage of four tyres')
    const site = (await admin.call('/gsc', undefined, 'GET')) as { site_number: number }
    const { encodeBarcode } = await import('#domain/warehouse/barcode.ts')
    const barcodes = operation.tyres.map(tyre => encodeBarcode({ tyre: tyre.db_id, site: site.site_number }))

    await admin.page.goto('/admin/intake?type=to_stock')
    // ready, and with the list that tells a tyre without the server
    await admin.page.getByText('Ready to scan').first().waitFor()
    await admin.page
      .getByText(/tyres? left/)
      .first()
      .waitFor()
    await journeys.portal.stop()
    for (const barcode of barcodes) {
      await admin.scan(barcode)
      await admin.page.getByText('Tyre found').first().waitFor()
    }
    await admin.page.getByRole('button', { name: 'Send now' }).click()
    await admin.page.getByText('No connection').first().waitFor()
    await journeys.portal.start()
    await admin.page.reload()
    await admin.page.getByText('Everything is sent').first().waitFor()

    const after = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
    const same = after.find(candidate => candidate._id === operation._id) as Operation
    expect(same.tyres.map(tyre => [tyre.scanned, tyre.scanTimes])).toEqual(Array.from({ length: 4 }, () => [true, 1]))
    admin.expectNoPageErrors(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/)
  },
)

test('a missing tyre is not stored and stays listed until its search is closed', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const storage = operations.admin.output
    .parse(await admin.call('/operations/admin', { status: 'submitted' }))
    .find(({ type, tyres }) => type === 'to_stock' && tyres.length === 4 && tyres.every(tyre => !tyre.scanned))
  if (!storage) throw new Error('the demo has no storage that waits')
  await admin.call('/operations/markscan', {
    tyres: storage.tyres.slice(0, 3).map(({ db_id: tyreId }) => ({ tyreId })),
  })

  await page.goto('/admin/operations?type=to_stock')
  await page.getByRole('searchbox', { name: 'Plate or tyre' }).fill(storage.vehicle.license_plate)
  await page.getByText('1 operation ·').waitFor()
  await page.getByRole('button', { name: /^Confirm/ }).click()
  const question = page.getByRole('dialog', { name: 'Not all tyres scanned, confirm anyway?' })
  expect(await question.getByRole('button', { name: 'Confirm anyway' }).isDisabled()).toBe(true)
  await question.getByText('1 still to choose').waitFor()
  await question.getByText('Missing', { exact: true }).click()
  await question.getByText('still to choose').waitFor({ state: 'hidden' })
  await question.getByText(/^1 tyre is recorded as missing/).waitFor()
  await question.getByRole('button', { name: 'Confirm anyway' }).click()
  await page.getByText('Operation confirmed').waitFor()

  await page.getByRole('tab', { name: /^Missing/ }).click()
  await page.getByRole('cell', { name: `Storage ${storage._id}`, exact: true }).waitFor()
  await page.getByRole('button', { name: /^Close the search for/ }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('It was never sent')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByText('No tyre is missing.').waitFor()
  admin.expectNoPageErrors()
})

test('a stopped server is shown at once, failed screens recover, and input is kept', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  await page.goto('/fleet')
  await page.getByLabel('Filter').fill('1-')
  const bar = page.getByText(/^No connection to the server/)
  await journeys.portal.stop()
  await bar.waitFor()
  expect(await page.getByLabel('Filter').inputValue()).toBe('1-')
  await page.getByRole('link', { name: 'Tyres', exact: true }).click()
  await journeys.portal.start()
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Tyres', exact: true }).waitFor()
  await page
    .getByText(/\d+ tyres/)
    .first()
    .waitFor()
  customer.expectNoPageErrors(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|dynamically imported module|preload CSS|ERR_NETWORK_CHANGED|503/,
  )
})
