/** The list of all tyres: selection across filters, search, and fleet mode. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { site } from '#contract/sites.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { listedAt } from '#domain/texts/listFilter.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, screens } from './browser.ts'
import { choose, itemOfList, openFilters } from './fleet.ts'
import { savedWorkbook } from './workbook.ts'

const journeys = shareJourneys()

test('tyres hidden by a later filter stay selected, are counted beside the actions, and can be deselected', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const stored = vehicles
    .map(vehicle => ({
      plate: vehicle.license_plate,
      free: vehicle.tyres.filter(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null),
    }))
    .filter(({ free }) => free.length > 0)
  const [first, second] = stored
  if (!first || !second) throw new Error('the demo has fewer than two vehicles with tyres in stock')
  const all = first.free.length + second.free.length

  await page.goto(`/tyres?tab=tyres&filter=${first.plate}`)
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.getByText(`${first.free.length} tyre${first.free.length === 1 ? '' : 's'} selected`).waitFor()
  await page.getByRole('searchbox', { name: 'Filter' }).fill(second.plate)
  const hidden = page.getByText(`${first.free.length} of ${first.free.length} selected`)
  await hidden.waitFor()
  await page.getByRole('button', { name: /^Select (all )?\d/ }).click()
  await page.getByText(`${all} tyres selected of 2 vehicles`).waitFor()
  await page.getByText(`${first.free.length} of ${all} selected`).waitFor()

  await page.getByRole('button', { name: /^Deselect / }).click()
  await page.getByText(`${second.free.length} tyre${second.free.length === 1 ? '' : 's'} selected`).waitFor()
  expect(await page.getByText('not shown').count()).toBe(0)
  customer.expectNoPageErrors()
})

test(
  'an administrator finds a tyre of any customer by its number, in the selected status',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    // a small number stands in plates and sizes, too
    const tyre = vehicles
      .flatMap(vehicle => vehicle.tyres)
      .filter(tyre => tyre.tyre_status === 'at_customer')
      .toSorted((first, other) => other.db_id - first.db_id)[0]
    if (!tyre) throw new Error('the demo has no tyre at a customer')

    const admin = await journeys.signedIn('admin')
    const { page } = admin
    await page.goto(`/tyres?tab=tyres&filter=${tyre.db_id}&status=at_customer`)
    await page.locator(`[data-tyre="${tyre.db_id}"]`).waitFor()
    expect(await page.locator('[data-tyre]').count()).toBe(1)
    await page.goto(`/tyres?tab=tyres&filter=${tyre.db_id}&status=in_stock`)
    await page.getByText('No tyres to display.').waitFor()
    admin.expectNoPageErrors()
  },
)

test('an administrator sees ‘no tyres’ only after all vehicles were searched', { tags: 'whole' }, async () => {
  // More vehicles without a set than the server answers at once, and behind them one with a set.
  await journeys.portal.sql(
    `with made as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
       select c.site_id, c.id, 'ZZLOOK' || lpad(n::text, 3, '0'), 'Volvo', 'FH', 'truck'
       from (select site_id, id from customer order by id limit 1) c, generate_series(1, 130) n
       returning site_id, customer_id, id, license_plate)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
     select m.site_id, m.customer_id, m.id, a.id, '1A', a.description,
       case when m.license_plate = 'ZZLOOK130' then 'Behind' end, 'in_stock', current_date
     from made m cross join lateral (select id, description from article where site_id = m.site_id order by id limit 1) a`,
  )
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/tyres?filter=ZZLOOK')
  await page.locator('[data-set]').waitFor()
  expect(await page.locator('[data-set]').innerText()).toContain('Behind')
  await page.goto('/tyres?filter=ZZLOOK12')
  await page.getByText('No tyre sets to display.').waitFor()
  admin.expectNoPageErrors()
})

test('tyres without a set are one expandable row above the sets', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/tyres?filter=ZZLOOK12')
  const line = page.getByRole('button', { name: 'No set (10)' })
  await line.click()
  expect(await line.getAttribute('aria-expanded')).toBe('true')
  await page.locator('[data-tyre]').nth(9).waitFor()
  // actions on tyres are offered once some are selected
  const actions = page.getByRole('group', { name: 'Actions on the selected tyres' })
  expect(await actions.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await page.locator('[data-tyre]').first().getByRole('checkbox').check()
  await actions.getByRole('button', { name: 'Delete' }).waitFor()
  expect(await actions.getByRole('button', { name: 'To customer' }).isEnabled()).toBe(true)
  admin.expectNoPageErrors()
})

test('a filter by depth counts the tyres of other statuses, beside those that it lists', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const listed = listedAt(site.gsc.output.parse(await customer.call('/gsc', undefined, 'GET')) as SiteConfig)
  const worn = vehicles
    .flatMap(({ tyres }) => tyres)
    .filter(({ tyre_status: status, profile_depth: mm }) => listed[status] && mm !== null && mm <= 5)
  const stored = worn.filter(({ tyre_status: status }) => status === 'in_stock').length
  const others = worn.length - stored
  expect(Math.min(stored, others)).toBeGreaterThan(1)
  await page.goto('/tyres?tab=tyres&depth=5')
  await page.getByText(`${stored} tyres`, { exact: true }).waitFor()
  await page.getByText(`${others} with another status.`).waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText(`${worn.length} tyres`, { exact: true }).waitFor()
  customer.expectNoPageErrors()
})

test('an empty list counts the tyres of other statuses, and shows them', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const away = vehicles.find(({ tyres }) => tyres.length > 1 && tyres.every(tyre => tyre.tyre_status === 'at_customer'))
  if (!away) throw new Error('the demo has no vehicle whose tyres are all at the customer')
  const { length: count } = away.tyres
  const admin = await journeys.signedIn('admin')
  for (const { page, expectNoPageErrors } of [customer, admin]) {
    await page.goto(`/tyres?tab=tyres&filter=${away.license_plate}`)
    await page.getByText('0 tyres', { exact: true }).waitFor()
    await page.getByText(`${count} with another status.`).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText(`${count} tyres`, { exact: true }).waitFor()
    expect(await page.locator('[data-tyre]').count()).toBe(count)
    expectNoPageErrors()
  }
})

test(
  'season and depth filters work for customer and administrator and are kept in the address',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    const [first] = vehicles
    const wanted = vehicles
      .flatMap(({ tyres }) => tyres)
      .filter(tyre => tyre.tyre_status !== 'waste' && tyre.season === 'winter' && (tyre.profile_depth ?? 9) <= 4)
    expect(wanted.length).toBeGreaterThan(0)
    const { page } = customer
    await page.goto('/tyres?tab=tyres&status=')
    await openFilters(page)
    await choose(page, 'Maximum depth', '4.0 mm')
    await choose(page, 'Season', 'Winter')
    await page.getByRole('button', { name: 'Remove the filter ‘Winter’' }).waitFor()
    await page.getByText(`${wanted.length} tyre${wanted.length === 1 ? '' : 's'}`, { exact: true }).waitFor()
    expect(new URL(page.url()).search).toContain('season=winter&depth=4')
    await page.reload()
    await page.getByText(`${wanted.length} tyre${wanted.length === 1 ? '' : 's'}`, { exact: true }).waitFor()
    customer.expectNoPageErrors()

    const admin = await journeys.signedIn('admin')
    const sent = admin.page.waitForRequest(request => (request.postData() ?? '').includes('"tyre_depth":4'))
    await admin.page.goto(`/tyres?tab=tyres&status=&season=winter&depth=4&filter=${first?.customer_name ?? ''}`)
    expect((await sent).postDataJSON()).toMatchObject({ tyre_season: ['winter'], tyre_depth: 4 })
    for (const { db_id } of wanted.slice(0, 5)) await admin.page.locator(`[data-tyre="${db_id}"]`).waitFor()
    admin.expectNoPageErrors()
  },
)

test('on a phone the list is sorted by a select, and filtered in a sheet', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer', screens.phone)
  const { page } = customer
  await page.goto('/tyres?tab=tyres')
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Status date' }).click()
  const dates = () =>
    page
      .locator('[data-tyre]')
      .evaluateAll(rows =>
        rows
          .map(row => row.textContent?.match(/(\d\d)\/(\d\d)\/(\d{4})/))
          .map(date => date && date.slice(1).toReversed().join('')),
      )
  const sorted = async () => {
    const shown = await dates()
    return shown.length > 0 && shown.every((date, at) => (date ?? '') >= (shown[at - 1] ?? ''))
  }
  await expect.poll(sorted).toBe(true)
  const oldest = (await dates())[0]
  await page.getByRole('button', { name: 'Ascending, reverse the order' }).click()
  await expect.poll(async () => ((await dates())[0] ?? '') > (oldest ?? '')).toBe(true)

  const filters = page.getByRole('main').getByRole('button', { name: 'Filter (1)' })
  await filters.click()
  const sheet = page.getByRole('dialog', { name: 'Filter', exact: true })
  await sheet.getByRole('combobox', { name: 'Maximum depth' }).waitFor()
  // one field below the other: none is as high as it would be wide on a desk
  const heights = await sheet
    .locator('.mantine-InputWrapper-root')
    .evaluateAll(fields => fields.map(field => field.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(3)
  expect(Math.max(...heights)).toBeLessThan(90)
  await sheet.getByRole('combobox', { name: 'Maximum depth' }).click()
  await page.getByRole('option', { name: '4.0 mm' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page.waitForURL(/depth=4/)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Filter (2)')
  const download = page.waitForEvent('download')
  await (await itemOfList(page, 'Export')).click()
  await download
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More')
  customer.expectNoPageErrors()
})

test(
  'all columns of the list are saved as a workbook, with rack, number, brand, driver and season, however long it is',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const [vehicle] = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    if (!vehicle) throw new Error('the demo has no vehicle of this customer')
    // Enough tyres that the compression library would start workers, which the CSP blocks.
    await journeys.portal.sql(
      `insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, season, tyre_set, status, status_date)
     select v.site_id, v.customer_id, v.id, a.id, '1A', '=1+1', 'winter', 'ZZBOOK' || n, 'at_customer', '2026-03-29'
     from vehicle v, generate_series(1, 600) n,
       lateral (select id from article where site_id = v.site_id order by id limit 1) a
     where v.id = ${vehicle.flt_id}`,
    )
    await page.goto('/tyres?tab=tyres&filter=zzbook&status=at_customer')
    await page.getByText('600 tyres', { exact: true }).waitFor()
    const { name, rows } = await savedWorkbook(page, await itemOfList(page, 'All columns (XLSX)'))
    expect(name).toMatch(/^tyres-\d{4}-\d\d-\d\d\.xlsx$/)
    expect(rows).toHaveLength(600)
    expect(rows[0]).toMatchObject({
      'License plate': formatPlate(vehicle.license_plate),
      'Vehicle number': vehicle.number || null,
      Brand: vehicle.brand,
      Driver: vehicle.driver_name || null,
      Description: '=1+1',
      'Tyre set': 'ZZBOOK1',
      Season: 'Winter',
      Status: 'At customer',
      'Status date': new Date('2026-03-29T00:00:00Z'),
      Rack: null,
    })
    customer.expectNoPageErrors()

    await page.goto('/tyres?tab=tyres&status=in_stock')
    await page.locator('[data-tyre]').first().waitFor()
    const stock = await savedWorkbook(page, await itemOfList(page, 'All columns (XLSX)'))
    const racks = new Set(stock.rows.map(row => row.Rack))
    const vehicles = fleet.fetch.output
      .parse(await customer.call('/fleet/fetch', {}))
      .flatMap(vehicle => vehicle.tyres.filter(tyre => tyre.tyre_status === 'in_stock').map(tyre => tyre.stock_rack))
    expect(racks).toEqual(new Set(vehicles))
    customer.expectNoPageErrors()
  },
)

// The last one: it changes the site.
test.each(['desk', 'phone'] as const)(
  'on the %s rows and actions keep their place when views open and a first tyre is selected',
  { tags: 'whole' },
  async screen => {
    const customer = await journeys.signedIn('customer', screen === 'phone' ? screens.phone : {})
    const { page } = customer
    await page.goto('/season')
    const views = page.locator('[data-views]')
    await views.waitFor()
    await customer.networkIdle()
    const action = await views.boundingBox()
    await views.click()
    await page.getByRole('menu').waitFor()
    expect(await views.boundingBox()).toEqual(action)

    await page.goto('/tyres')
    const box = page.getByRole('checkbox', { name: /^Select (?!all)/, disabled: false }).first()
    await box.waitFor()
    await customer.networkIdle()
    const row = await box.boundingBox()
    await box.check()
    await page
      .getByText(/tyres? selected/)
      .first()
      .waitFor()
    expect(await box.boundingBox()).toEqual(row)
  },
)

test('in fleet mode tyres are read-only', { tags: 'whole' }, async () => {
  await journeys.portal.sql("update site set mode = 'fleetonly'")
  await journeys.portal.stop()
  await journeys.portal.start()
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  await page.goto('/tyres?tab=tyres&status=')
  await page.locator('[data-tyre]').first().waitFor()
  expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
  expect(await page.getByRole('group', { name: 'Actions on the selected tyres' }).count()).toBe(0)
  for (const name of ['To stock', 'To customer', 'To waste', 'Delete'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Tyre sets' }).click()
  await page.locator('[data-set]').first().waitFor()
  expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
  customer.expectNoPageErrors()
})
