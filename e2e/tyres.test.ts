/** Tyres of a fleet: twelve from the article search in two sets, half of them to stock from the tyre list, all of them exported. */
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { site } from '#contract/site.ts'
import type { Vehicle } from '#contract/wire.ts'
import { positionsOf } from '#domain/axle.ts'
import { formatPlate } from '#domain/plate.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { openPortal, type Portal } from './portal.ts'

let portal: Portal
let browser: Browser
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([openPortal(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

/** A truck with one wheel a side in front and two behind, that has no tyres. */
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
  return fleet.new.output.parse(await customer.call('/fleet/new', { vehicleData }))
}

/** Picks the article at this place of the results for an axle. */
async function pick(page: Page, { result, axle }: { result: number; axle: number }): Promise<string> {
  const article = page.getByRole('list', { name: 'Articles found' }).getByRole('button').nth(result)
  await article.click()
  await page.getByRole('button', { name: new RegExp(`^Axle ${axle} `) }).click()
  return (await article.locator('span').nth(1).innerText()).trim()
}

async function openAdding(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add tyres' }).first().click()
  await page.getByLabel('Search article').fill('315/80R22.5')
  await page.getByRole('list', { name: 'Articles found' }).waitFor()
}

/** Shows tyres of these statuses instead of those in stock. */
async function showStatuses(page: Page, ...names: string[]): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Status' })
  await field.press('Backspace')
  await field.press('ArrowDown')
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

test('twelve tyres in two sets, six of them to stock, all of them in the export as on the screen', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer
  const truck = await newTruck(customer, '1TYR412')
  const plate = formatPlate(truck.license_plate)
  await page.goto(`${portal.url}/fleet/vehicle?id=${truck.flt_id}`)

  const articles = new Map<string, string[]>()
  for (const set of ['Winter', 'Summer']) {
    await openAdding(page)
    const add = page.getByRole('button', { name: 'Add tyres' }).last()
    expect(await add.isDisabled()).toBe(true)
    articles.set(set, [await pick(page, { result: 0, axle: 1 }), await pick(page, { result: 1, axle: 2 })])
    await page.getByRole('combobox', { name: 'Tyre set name' }).fill(set)
    await page.getByRole('button', { name: 'Add 6 tyres' }).click()
    await page.getByText('6 tyres added').first().waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }

  // A third six in the same set: refused, with the positions named, and everything that was entered still there.
  await openAdding(page)
  await pick(page, { result: 0, axle: 2 })
  await page.getByRole('combobox', { name: 'Tyre set name' }).fill('Winter')
  await page.getByText('The positions 2A, 2B, 2C, 2D are already taken in this tyre set.').waitFor()
  await page.getByRole('button', { name: 'Add 4 tyres' }).click()
  await page.getByText('The positions 2A, 2B, 2C, 2D are already taken in this tyre set.').waitFor()
  expect(await page.getByRole('list', { name: 'Chosen articles' }).innerText()).toContain('2A, 2B, 2C, 2D')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Leave without adding?').waitFor()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  const added = fleet.vehicle.output.parse(await customer.call('/fleet/vehicle', { flt_id: truck.flt_id }))
  expect(added.tyres.map(tyre => [tyre.tyre_set, tyre.position, tyre.tyre_status]).toSorted()).toEqual(
    ['Summer', 'Winter'].flatMap(set =>
      ['1A', '1B', '2A', '2B', '2C', '2D'].map(position => [set, position, 'at_customer']),
    ),
  )

  await page.getByRole('link', { name: 'Tyres', exact: true }).first().click()
  await page.getByLabel('Filter', { exact: true }).fill('1-tyr-412')
  await showStatuses(page, 'At customer', 'In stock')
  await page.getByText('2 sets · 12 tyres').waitFor()
  const actions = page.getByRole('group', { name: 'Actions on the selected tyres' })
  const allowed = async () =>
    Object.fromEntries(
      await Promise.all(
        ['To stock', 'To customer', 'To waste', 'Delete'].map(
          async name => [name, await actions.getByRole('button', { name, exact: true }).isEnabled()] as const,
        ),
      ),
    )
  expect(await allowed()).toEqual({ 'To stock': false, 'To customer': false, 'To waste': false, Delete: false })
  await page.getByRole('checkbox', { name: `Select Winter of ${plate}` }).check()
  await page.getByText('6 tyres selected').waitFor()
  expect(await allowed()).toEqual({ 'To stock': true, 'To customer': false, 'To waste': false, Delete: true })
  await actions.getByRole('button', { name: 'To stock' }).click()
  await page.getByText('Add final information and confirm').waitFor()
  const made = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
  expect(made.filter(operation => operation.flt_id === truck.flt_id)).toMatchObject([
    { type: 'to_stock', status: 'pending', tyres: Array.from({ length: 6 }, () => ({ tyre_set: 'Winter' })) },
  ])

  // In an operation now: no longer to be selected, and the list says why.
  await page.goBack()
  await page.getByText('2 sets · 12 tyres').waitFor()
  await page.getByRole('link', { name: 'In an open operation: Storage.' }).waitFor()
  expect(await page.getByRole('checkbox', { name: `Select Winter of ${plate}` }).count()).toBe(0)

  await page.getByRole('tab', { name: 'Individual tyres' }).click()
  const rows = page.locator('tr[data-tyre]')
  await expect.poll(() => rows.count()).toBe(12)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByText('Data downloaded as CSV').waitFor()
  const file = await readFile(await (await download).path(), 'utf8')
  const [separator, headings, ...lines] = parse(file, { delimiter: ';', relax_column_count: true }) as string[][]
  expect(file.startsWith('sep=;\r\n')).toBe(true)
  expect(separator).toEqual(['sep=', ''])
  expect(headings).toEqual([
    'License plate',
    'Tyre set',
    'Position',
    'Description',
    'Status',
    'Status date',
    'Profile depth',
    'Profile date',
  ])
  const onScreen = await rows.evaluateAll(all =>
    all.map(row =>
      [...row.querySelectorAll('td')].map(cell => {
        const [first] = cell.childNodes
        return (first instanceof Text ? first.data : cell.innerText).trim()
      }),
    ),
  )
  // On the screen: selection, plate, set, position, description, depth, status, date, details.
  expect(lines).toEqual(
    onScreen.map(([, shownPlate, set, position, description, depth, status]) => [
      shownPlate,
      set,
      position,
      description,
      status?.split('\n')[0],
      expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
      depth,
      '',
    ]),
  )
  expect(lines.map(line => [line[1], line[3]])).toEqual(
    ['Summer', 'Winter'].flatMap(set => {
      const [front, rear] = articles.get(set) ?? []
      return [front, front, rear, rear, rear, rear].map(article => [set, article])
    }),
  )

  customer.expectNoTroubles()
  await customer.close()
})

test('tyres of several vehicles become an operation for each, and what is refused is said', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer
  const trucks = [await newTruck(customer, '1SEV001'), await newTruck(customer, '1SEV002')]
  const { articles } = fleet.searcharticles.output.parse(
    await customer.call('/fleet/searcharticles', { search_value: '315/80R22.5' }),
  )
  const [article] = articles
  if (!article) throw new Error('the demo has no tyre for a truck')
  for (const { flt_id } of trucks)
    await customer.call('/fleet/addtyres', {
      flt_id,
      tyre_set: 'Winter',
      tyres: ['1A', '1B'].map(position => ({ position, art_id: article.art_id })),
    })

  await page.goto(`${portal.url}/tyres?filter=1SEV00&status=at_customer`)
  await page.getByText('2 sets · 4 tyres').waitFor()
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.getByText('4 tyres selected of 2 vehicles').waitFor()
  // Somebody else is faster with the second truck.
  const second = fleet.vehicle.output.parse(await customer.call('/fleet/vehicle', { flt_id: trucks[1]?.flt_id }))
  await customer.call('/operations/new', {
    operation: { flt_id: second.flt_id, tyres: second.tyres.map(tyre => tyre.db_id), operationType: 'to_stock' },
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

  customer.expectNoTroubles(/409/)
  await customer.close()
})

test('tyres are deleted after a question', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer
  const truck = await newTruck(customer, '1DEL412')
  const { articles } = fleet.searcharticles.output.parse(
    await customer.call('/fleet/searcharticles', { search_value: '315/80R22.5' }),
  )
  await customer.call('/fleet/addtyres', {
    flt_id: truck.flt_id,
    tyres: ['1A', '1B'].map(position => ({ position, art_id: articles[0]?.art_id })),
  })
  await page.goto(`${portal.url}/tyres?tab=tyres&filter=1DEL412&status=at_customer`)
  await page.getByRole('checkbox', { name: /^Select 1-DEL-412 1A/ }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Delete 1 tyre?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1 tyre deleted').first().waitFor()
  await expect.poll(() => page.locator('tr[data-tyre]').count()).toBe(1)
  const left = fleet.vehicle.output.parse(await customer.call('/fleet/vehicle', { flt_id: truck.flt_id }))
  expect(left.tyres.map(tyre => tyre.position)).toEqual(['1B'])
  customer.expectNoTroubles()
  await customer.close()
})
