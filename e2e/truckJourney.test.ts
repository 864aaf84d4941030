/** A truck with its trailer, from the first entry to the rack, entered by hand. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Vehicle } from '#contract/wire.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { addDays, formatDate, today } from '#domain/texts/date.ts'
import { printed, scanned, scannedByZbar } from '../src/server/testing/labelReader.ts'
import { nextPdf, screens, shareJourneys } from './browser.ts'
import { answer, choose, showStatuses } from './fleet.ts'

const journeys = shareJourneys()

/** A supplier's list of one brand, longer than two pages of the search. */
const truckTyres = 60
const catalogue = [
  'brand,pattern,dimension,load_index,speed_index,season',
  ...Array.from(
    { length: truckTyres },
    (_, nth) => `Polderband,${nth % 2 ? 'Trek' : 'Stuur'} ${String(nth + 1).padStart(2, '0')},315/80R22.5,156,L,`,
  ),
  'Polderband,Stad,275/70R22.5,148,J,',
].join('\n')

/** Opens the dialog and searches the brand's tyres of this size. */
async function searchTyres(page: Page): Promise<{ dialog: Locator; results: Locator }> {
  await page.getByRole('button', { name: 'Add tyres' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add tyres' })
  await dialog.getByLabel('Search article').fill('315/80 R22.5 L * polder')
  const results = dialog.getByRole('list', { name: 'Articles found' }).getByRole('button')
  await results.first().waitFor()
  return { dialog, results }
}

/** Chooses the nth article of the results, and returns its name. */
async function chooseArticle(results: Locator, nth: number): Promise<string> {
  const article = results.nth(nth)
  await article.click()
  return (await article.locator('span').nth(1).innerText()).trim()
}

/** The rows of a table on the screen, by their headings. */
async function rowsOf(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate(element => {
    const headings = [...element.querySelectorAll('thead th')].map(cell => cell.textContent.trim())
    return [...element.querySelectorAll<HTMLElement>('tbody tr')].map(row =>
      Object.fromEntries(
        [...row.querySelectorAll<HTMLElement>('td')].map((cell, at) => [headings[at] ?? '', cell.innerText.trim()]),
      ),
    )
  })
}

test(
  'a truck gets twelve tyres in two sets, measured and labelled; half of them go to stock, all into the export',
  { tags: 'whole' },
  async () => {
    const { portal } = journeys
    const list = join(portal.dataDir, 'catalogue.csv')
    await writeFile(list, catalogue)
    await portal.run('src/server/cli/import.ts', 'articles', list, '--site', 'zevenwegen')
    const customer = await journeys.signedIn('customer', {
      ...screens.desk,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await customer.page.goto('/')
    const { page } = customer

    // The vehicle.
    await page.getByRole('link', { name: 'Vehicles' }).first().click()
    await page.getByRole('button', { name: 'New vehicle' }).click()
    const form = page.getByRole('dialog', { name: 'New vehicle' })
    await form.getByLabel('License plate').fill('2-fwh-301')
    await form.getByLabel('Brand').fill('DAF')
    await form.getByLabel('Description').fill('CF 300')
    await choose(page, 'Type', 'Truck')
    await choose(page, 'Configuration', 'Truck 6x2 with centre-axle trailer, 2 axles')
    await form.getByRole('button', { name: 'Add vehicle' }).click()
    await page.getByRole('heading', { name: 'Vehicle 2-FWH-301' }).waitFor()
    await page.getByText('No tyres registered').waitFor()
    const id = Number(new URL(page.url()).searchParams.get('id'))
    const kept = async (): Promise<Vehicle> =>
      fleet.vehicle.output.parse(await customer.call('/fleet/vehicle', { flt_id: id }))
    const steerAndDrive = ['1A', '1B', '2A', '2B', '2C', '2D']

    // Its winter tyres, by buttons; the search is paged on to the last article.
    const articles: Record<string, { steer: string; drive: string }> = {}
    {
      const { dialog, results } = await searchTyres(page)
      const add = dialog.getByRole('button', { name: /^Add \d* ?tyres$/ })
      expect(await results.count()).toBe(25)
      const shown = await dialog.getByRole('list', { name: 'Articles found' }).locator('..').boundingBox()
      expect(shown?.height).toBeLessThanOrEqual(screens.desk.viewport.height * 0.4)
      const more = dialog.getByRole('button', { name: 'Load more' })
      await more.click()
      await expect.poll(() => results.count()).toBe(50)
      await more.click()
      await expect.poll(() => results.count()).toBe(truckTyres)
      await more.waitFor({ state: 'hidden' })
      const texts = await results.allInnerTexts()
      expect(new Set(texts).size).toBe(truckTyres)
      for (const text of texts) expect(text).toMatch(/Polderband (Stuur|Trek) \d\d 315\/80R22\.5 156L/)

      expect(await add.isDisabled(), 'without an article').toBe(true)
      const steer = await chooseArticle(results, 0)
      expect(await add.isDisabled(), 'without a position').toBe(true)
      await dialog.getByRole('button', { name: 'Axle 1 (2)' }).click()
      const drive = await chooseArticle(results, truckTyres - 1)
      await dialog.getByRole('button', { name: 'Axle 2 (4)' }).click()
      await dialog.getByRole('combobox', { name: 'Tyre set name' }).fill('Winter')
      await dialog.getByRole('button', { name: 'Add 6 tyres' }).click()
      await page.getByText('6 tyres added').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      articles.Winter = { steer, drive }
    }
    // Its summer tyres, on the picture.
    {
      const { dialog, results } = await searchTyres(page)
      const steer = await chooseArticle(results, 2)
      for (const position of ['1A', '1B']) await dialog.getByRole('checkbox', { name: `${position},` }).click()
      const drive = await chooseArticle(results, 3)
      await dialog.getByRole('checkbox', { name: '2A,' }).focus()
      for (const key of [' ', 'ArrowRight', ' ', 'ArrowRight', ' ', 'ArrowRight', ' ']) await page.keyboard.press(key)
      await dialog.getByRole('combobox', { name: 'Tyre set name' }).fill('Summer')
      await dialog.getByRole('button', { name: 'Add 6 tyres' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('region', { name: 'Summer', exact: true }).waitFor()
      articles.Summer = { steer, drive }
    }
    // Once more on the trailer, in a set that has a tyre there: refused with the positions, and nothing entered is lost.
    {
      const { dialog, results } = await searchTyres(page)
      await chooseArticle(results, 1)
      await dialog.getByRole('button', { name: 'Axle 2 (4)' }).click()
      await dialog.getByRole('combobox', { name: 'Tyre set name' }).fill('Winter')
      const taken = dialog.getByText('The positions 2A, 2B, 2C, 2D are already taken in this tyre set.')
      await taken.waitFor()
      await dialog.getByRole('button', { name: 'Add 4 tyres' }).click()
      await taken.waitFor()
      expect(await dialog.getByRole('list', { name: 'Chosen articles' }).innerText()).toContain('2A, 2B, 2C, 2D')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await answer(page, 'Leave without saving?', 'Leave')
      await dialog.waitFor({ state: 'hidden' })
    }
    expect((await kept()).tyres.map(tyre => [tyre.tyre_set, tyre.position, tyre.tyre_status]).toSorted()).toEqual(
      ['Summer', 'Winter'].flatMap(set => steerAndDrive.map(position => [set, position, 'at_customer'])),
    )

    // Depths: measured yesterday and again today. Too deep is clamped, and what has grown is asked about.
    const winter = page.getByRole('region', { name: 'Winter', exact: true })
    await winter.getByLabel('Select all tyres of Winter').check()
    await page.getByText('6 tyres selected').waitFor()
    const day = today({ now: new Date(), timeZone: 'Europe/Brussels' })
    const measure = async (date: string, depths: Record<string, string>) => {
      await page.getByRole('button', { name: 'Enter profile depths' }).click()
      const dialog = page.getByRole('dialog', { name: 'Profile depths' })
      await dialog.getByLabel('Measured on').fill(formatDate(date))
      await page.keyboard.press('Tab')
      for (const [position, depth] of Object.entries(depths)) {
        await dialog.getByLabel(`Profile depth of ${position},`).pressSequentially(depth)
        await page.keyboard.press('Tab')
        if (Number(depth) > 10) {
          expect(await dialog.getByLabel(`Profile depth of ${position},`).inputValue()).toBe('10 mm')
          await dialog.getByText('99 → 10.0. Did you mean 9.9?').waitFor()
          await dialog.getByRole('button', { name: '10.0 mm' }).click()
        }
      }
      await dialog.getByRole('button', { name: /^Save \d+ reading/ }).click()
      return dialog
    }
    const depthsOf = async () =>
      Object.fromEntries(
        (await kept()).tyres.flatMap(tyre =>
          tyre.profile_depth === null ? [] : [[`${tyre.tyre_set} ${tyre.position}`, tyre.profile_depth]],
        ),
      )
    await measure(addDays(day, -1), { '1A': '8.25', '1B': '99' })
    await page.getByText('2 readings saved').waitFor()
    expect(await depthsOf()).toEqual({ 'Winter 1A': 8.25, 'Winter 1B': 10 })
    const readings = await measure(day, { '1A': '9.5', '1B': '1.5', '2C': '7,1' })
    await page.getByRole('dialog', { name: 'More profile depth than before?' }).getByText('The tyre at 1A').waitFor()
    await answer(page, 'More profile depth than before?', 'Correct them')
    expect(await depthsOf(), 'nothing is kept without a yes').toEqual({ 'Winter 1A': 8.25, 'Winter 1B': 10 })
    expect(await readings.getByLabel('Profile depth of 1A,').inputValue()).toMatch(/^9\.5/)
    await readings.getByRole('button', { name: 'Save 3 readings' }).click()
    await answer(page, 'More profile depth than before?', 'Keep these readings')
    await expect.poll(depthsOf).toEqual({ 'Winter 1A': 9.5, 'Winter 1B': 1.5, 'Winter 2C': 7.1 })
    const worn = winter.getByRole('row').filter({ has: page.getByRole('cell', { name: '1B', exact: true }) })
    await worn.getByText('Below the legal limit').first().waitFor({ state: 'attached' })
    const course = new RegExp(`8.25 mm on ${formatDate(addDays(day, -1))}, 9.5 mm on ${formatDate(day)}`)
    await winter.getByRole('img', { name: course }).waitFor()

    // Labels of the six that are selected, read back by two readers.
    const print = nextPdf(page, fleet.getTyreLabels.path)
    await page.getByRole('button', { name: 'Print labels' }).click()
    await page.getByRole('dialog', { name: 'Print labels' }).getByRole('button', { name: 'Print labels' }).click()
    const pdf = await print
    const { site_number: site } = (await customer.call('/gsc', undefined, 'GET')) as { site_number: number }
    const barcodes = (await kept()).tyres
      .filter(tyre => tyre.tyre_set === 'Winter')
      .map(tyre => encodeBarcode({ tyre: tyre.db_id, site }))
    const pages = await printed(pdf)
    expect((await Promise.all(pages.map(scanned))).flat().toSorted()).toEqual(barcodes.toSorted())
    const [firstPage] = pages
    const second = firstPage ? await scannedByZbar(firstPage) : []
    if (second) expect(barcodes).toEqual(expect.arrayContaining(second))
    if (second) expect(second.length).toBeGreaterThan(0)

    // A name that would put two tyres of a set on one position.
    await winter.getByLabel('Select all tyres of Winter').uncheck()
    await winter.getByLabel('Select 1B,').check()
    await winter.getByLabel('Select 1A,').check()
    await page.getByRole('button', { name: 'Change set name', exact: true }).click()
    const naming = page.getByRole('dialog', { name: 'Change set name' })
    await naming.getByRole('button', { name: 'Save' }).click()
    await naming.getByText('This field is required.').waitFor()
    expect(await naming.getByLabel('Set name').evaluate(field => field === document.activeElement)).toBe(true)
    await naming.getByLabel('Set name').fill('Summer')
    await naming.getByText('The positions 1A, 1B are already taken in this tyre set.').waitFor()
    expect(await naming.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    // one typed word is no work that a question protects
    await naming.getByRole('button', { name: 'Cancel' }).click()
    await naming.waitFor({ state: 'hidden' })
    expect((await kept()).tyres.filter(tyre => tyre.tyre_set === 'Summer')).toHaveLength(6)

    // Half of them to stock, from the list of all tyres.
    await page.getByRole('link', { name: 'Tyres', exact: true }).first().click()
    await page.getByLabel('Filter', { exact: true }).fill('2-fwh-301')
    await page.getByText('No tyre sets to display.').waitFor()
    await showStatuses(page, 'At customer', 'In storage')
    await page.getByText('2 sets · 12 tyres').waitFor()
    const actions = page.getByRole('group', { name: 'Actions on the selected tyres' })
    const allowed = async () => {
      const names = ['To stock', 'To customer', 'To waste', 'Delete']
      const are = await Promise.all(names.map(name => actions.getByRole('button', { name, exact: true }).isEnabled()))
      return names.filter((_, nth) => are[nth])
    }
    expect(await actions.getByRole('button', { name: 'To stock' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select Winter of 2-FWH-301' }).check()
    await page.getByText('6 tyres selected').waitFor()
    expect(await allowed()).toEqual(['To stock', 'Delete'])
    await actions.getByRole('button', { name: 'To stock' }).click()
    await page.getByText('Add final information and confirm').waitFor()
    const created = operations.fetch.output.parse(await customer.call('/operations/fetch', {}))
    const storage = created.find(operation => operation.flt_id === id)
    expect(storage).toMatchObject({
      type: 'to_stock',
      status: 'pending',
      tyres: Array.from({ length: 6 }, () => ({ tyre_set: 'Winter' })),
    })

    // In an operation now: no longer to be selected, and the list says why.
    await page.goBack()
    await page.getByText('2 sets · 12 tyres').waitFor()
    await page.getByRole('link', { name: 'In an open operation: Storage.' }).click()
    await page.getByRole('button', { name: 'Process' }).first().waitFor()
    await customer.call('/operations/update', { operation: { _id: storage?._id, status: 'submitted' } })
    const admin = await journeys.signedIn('admin')
    await admin.call('/operations/confirm', { operation: { _id: storage?._id }, here: 'all' })

    // The export says what the screen shows, row by row.
    await page.goto('/tyres?tab=tyres&filter=2FWH301&status=at_customer,in_stock')
    const rows = page.locator('tr[data-tyre]')
    await rows.nth(11).waitFor()
    expect(await rows.count()).toBe(12)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('Data downloaded as CSV').waitFor()
    const file = (await readFile(await (await download).path(), 'utf16le')).replace(/^\uFEFF/, '')
    expect(file.startsWith('sep=;\r\n')).toBe(true)
    const [, headings = [], ...lines] = parse(file, { delimiter: ';', relax_column_count: true }) as string[][]
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
    const exported = lines.map(line => Object.fromEntries(headings.map((heading, at) => [heading, line[at] ?? ''])))
    const onScreen = await rowsOf(page.getByRole('table'))
    expect(exported).toHaveLength(12)
    expect(exported).toEqual(
      onScreen.map(row => ({
        ...Object.fromEntries(headings.map(heading => [heading, row[heading]])),
        'Profile depth': row['Profile depth']?.replace(/ mm.*$/s, ''),
        'Profile date': row['Profile depth'] === '' ? '' : formatDate(day),
      })),
    )
    expect(exported.map(row => [row['Tyre set'], row.Position, row.Description, row.Status])).toEqual(
      ['Summer', 'Winter'].flatMap(set =>
        steerAndDrive.map((position, at) => [
          set,
          position,
          at < 2 ? articles[set]?.steer : articles[set]?.drive,
          set === 'Winter' ? 'In storage' : 'At customer',
        ]),
      ),
    )
    expect(exported.flatMap(row => row['Profile depth'] || [])).toEqual(['9.5', '1.5', '7.1'])
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Data copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split(/\r?\n/).filter(Boolean)).toEqual([headings, ...lines].map(cells => cells.join('\t')))

    // Tyres in storage stay, or somebody says what becomes of them.
    await rows.first().getByRole('link', { name: '2-FWH-301' }).click()
    await page.getByRole('heading', { name: 'Vehicle 2-FWH-301' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const leaving = page.getByRole('dialog', { name: 'Remove vehicle?' })
    await leaving.getByLabel('Winter (6 tyres)').first().waitFor()
    expect(await leaving.getByLabel('Winter (6 tyres)').first().inputValue()).toBe('Keep without a vehicle')
    await leaving.getByRole('button', { name: 'Cancel' }).click()
    expect((await kept()).license_plate).toBe('2FWH301')

    // The deeper reading and the removal were refused, on purpose.
    customer.expectNoPageErrors(/409/)
  },
)
