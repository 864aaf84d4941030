/** The workbooks of vehicles, operations, statistics and invoicing: each file is read back and compared with the server's answers. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { invoicing } from '#contract/invoicing.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { handledTyres } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys } from './browser.ts'
import { itemOfList } from './fleet.ts'
import { savedWorkbook } from './workbook.ts'

const journeys = shareJourneys()
const midnight = (day: string | null) => (day === null ? null : new Date(`${day}T00:00:00Z`))

test(
  'a customer saves the vehicles that the list shows, with a number of tyres for each status',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    await page.goto('/fleet')
    const all = await savedWorkbook(page, await itemOfList(page, 'XLSX'))
    expect(all.name).toMatch(/^vehicles-\d{4}-\d\d-\d\d\.xlsx$/)
    expect(all.title).toBe('Vehicles')
    expect(all.headings).not.toContain('Customer')
    expect(all.rows).toHaveLength(vehicles.length)
    // two vehicles of a fleet can have the same plate
    for (const { license_plate, number, brand, driver_name, tyres } of vehicles) {
      const line = {
        'License plate': formatPlate(license_plate),
        'Vehicle number': number || null,
        Brand: brand,
        Driver: driver_name || null,
        Tyres: tyres.length,
        'In storage': tyres.filter(tyre => tyre.tyre_status === 'in_stock').length,
      }
      expect(all.rows).toContainEqual(expect.objectContaining(line))
    }
    const single = vehicles.find(vehicle =>
      vehicles.every(other => vehicle === other || vehicle.license_plate !== other.license_plate),
    )
    await page.goto(`/fleet?filter=${single?.license_plate}`)
    const filtered = await savedWorkbook(page, await itemOfList(page, 'XLSX'))
    expect(filtered.rows).toHaveLength(1)
    customer.expectNoPageErrors()
  },
)

test(
  'an administrator saves all vehicles of the site that a filter finds, not those of one page',
  { tags: 'whole' },
  async () => {
    await journeys.portal.sql(
      `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
     select c.site_id, c.id, 'ZZPAGE' || lpad(n::text, 3, '0'), 'Volvo', 'FH', 'truck'
     from (select site_id, id from customer order by id limit 1) c, generate_series(1, 130) n`,
    )
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    await page.goto('/fleet?filter=ZZPAGE')
    const { rows } = await savedWorkbook(page, await itemOfList(page, 'XLSX'))
    expect(rows.map(row => row['License plate'])).toEqual(
      Array.from({ length: 130 }, (_, nth) => formatPlate(`ZZPAGE${String(nth + 1).padStart(3, '0')}`)),
    )
    expect(rows[0]?.Customer).toBeTruthy()
    admin.expectNoPageErrors()
  },
)

test(
  'the operations of each tab are saved, a line for each, with the day on which they were handled',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const operationList = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
    const lineOf = (operation: Operation) => ({
      Number: operation._id,
      'License plate': formatPlate(operation.vehicle.license_plate),
      Tyres: handledTyres(operation).length,
      'Delivery date': midnight(operation.deliveryDate),
      Remarks: operation.remarks || null,
    })
    for (const tab of ['pending', 'submitted'] as const) {
      await page.goto(`/operations?tab=${tab}`)
      const { rows, title } = await savedWorkbook(page, page.getByRole('button', { name: 'XLSX' }))
      const expected = operationList.filter(({ status }) => status === tab)
      expect(expected.length).toBeGreaterThan(0)
      expect(title.toLowerCase()).toBe(tab)
      expect(rows).toHaveLength(expected.length)
      for (const operation of expected)
        expect(rows.find(row => row.Number === operation._id)).toMatchObject(lineOf(operation))
    }
    await page.goto('/operations?tab=completed')
    const { rows } = await savedWorkbook(page, await itemOfList(page, 'XLSX'))
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(['Stored', 'Delivered', 'Scrapped', 'Cancelled']).toContain(row.Status)
      expect(row['Handled on']).toBeInstanceOf(Date)
    }
    customer.expectNoPageErrors()
  },
)

test('the statistics are saved as numbers, with a line of totals that is their sum', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  await admin.page.goto('/')
  const { page } = admin
  const section = page.getByRole('region', { name: 'Operations per customer' })
  const { name, rows } = await savedWorkbook(page, section.getByRole('button', { name: 'XLSX' }))
  expect(name).toMatch(/^operations-per-customer-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.xlsx$/)
  const total = rows.at(-1)
  expect(total?.Customer).toBe('Total')
  for (const column of ['Total', 'Recalls', 'Storages', 'Waste'])
    expect(rows.slice(0, -1).reduce((sum, row) => sum + Number(row[column]), 0)).toBe(total?.[column])
  admin.expectNoPageErrors()
})

test(
  'overdue customers, their tyres and the documents are saved with dates and amounts as typed cells',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const input = { days: 30 }
    const customers = invoicing.customers.output.parse(await admin.call('/invoicing/customers', input))
    const [first] = customers
    if (!first) throw new Error('the demo has no overdue storage')
    await page.goto('/admin/invoicing?days=30')
    const owing = await savedWorkbook(page, page.getByRole('button', { name: 'XLSX' }))
    expect(owing.name).toMatch(/^overdue-customers-/)
    expect(owing.rows.map(row => [row.Tyres, row['Overdue since'], row.Days])).toEqual(
      customers.map(customer => [customer.tyre_count, midnight(customer.since), customer.overdue_days]),
    )

    const tyres = invoicing.tyres.output.parse(await admin.call('/invoicing/tyres', { ...input, seq_id: first.seq_id }))
    await page.goto(`/admin/invoicing?days=30&customer=${first.seq_id}`)
    const owed = await savedWorkbook(
      page,
      page.getByRole('region', { name: 'Overdue tyres' }).getByRole('button', { name: 'XLSX' }),
    )
    expect(owed.rows.map(row => [row['Tyre ID'], row['In storage since'], row['Last invoice date'], row.Rack])).toEqual(
      tyres.map(tyre => [tyre.db_id, midnight(tyre.status_date), midnight(tyre.invoicedAt), tyre.stock_rack]),
    )

    const documents = invoicing.documents.output.parse(await admin.call('/invoicing/documents', {}))
    expect(documents.length).toBeGreaterThan(0)
    await page.goto('/admin/invoicing?tab=documents')
    const listed = await savedWorkbook(page, page.getByRole('button', { name: 'XLSX' }))
    expect(listed.rows.length).toBeGreaterThanOrEqual(documents.length)
    expect(listed.rows.slice(0, documents.length).map(row => [row.Number, row.Date, row['Amount (EUR)']])).toEqual(
      documents.map(document => [document.document_number_text, midnight(document.date), document.amount_excl]),
    )
    admin.expectNoPageErrors()
  },
)
