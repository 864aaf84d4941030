/**
 * A fleet from a spreadsheet, as somebody who starts with the portal brings it (docs/product/files.md "Imports").
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { customers } from '#contract/customers.ts'
import { imports } from '#contract/imports.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

const texts = (cells: readonly string[]) => cells.map(value => ({ value }))
const plate = (nth: number): string => `9-IMP-${String(nth).padStart(3, '0')}`

function vehicles(customer: string): SheetData {
  const rows = Array.from({ length: 300 }, (_, nth) => [plate(nth), 'Volvo', 'V60', 'personenwagen', '4', customer])
  return [['Kenteken', 'Merk', 'Model', 'Soort', 'Wielen', 'Klant'], ...rows].map(texts)
}
function tyres(): SheetData {
  const headings = texts([
    'Kenteken',
    'Maat',
    'Merk',
    'Seizoen',
    'Positie',
    'Profiel (mm)',
    'Opgeslagen',
    'Magazijn',
    'Rek',
  ])
  const rows = Array.from({ length: 300 }, (_, nth) =>
    ['LV', 'RV', 'LA', 'RA'].map(position => [
      ...texts([plate(nth), '205/55 R16 91V', 'Michelin', 'winter', position]),
      { value: 7.25 },
      { value: new Date('2026-04-15T00:00:00Z'), type: Date, format: 'dd/mm/yyyy' },
      ...texts(['Import hall', '1']),
    ]),
  )
  return [headings, ...rows.flat()]
}

test('300 vehicles and 1,200 tyres come from two workbooks in at most 6 clicks, and the tyres go again in 2', async () => {
  const admin = await journeys.signedIn('admin', { viewport: { width: 1280, height: 900 } })
  await admin.page.goto('/')
  const { page } = admin
  const [customer] = customers.list.output.parse(await admin.call('/customers/list', {})).customers
  const levels = [
    { kind: 'site', pattern: 'Import hall' },
    { kind: 'place', pattern: '1' },
  ]
  await admin.call('/locations/make', { parent: null, levels, capacity: 1200 })

  let clicks = 0
  const press = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks++
    await page.getByRole(role, { name, exact: true }).first().click()
  }
  /** A drop of a file, or a click and a choice. */
  const drop = async (name: string, data: SheetData) => {
    clicks++
    await page.locator('input[type="file"]').setInputFiles({
      name,
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await writeWorkbook(data).toBuffer(),
    })
  }
  // by Find: a screen of the settings is named
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('imports')
  await page.getByRole('option', { name: 'Imports' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await drop('fleet.xlsx', vehicles(customer?.code || customer?.name || ''))
  await press('button', 'Import 300 rows')
  await page.getByText('300 new, 0 changed, 0 refused.').waitFor()
  clicks++
  await page.getByText('Tyres', { exact: true }).last().click()
  await drop('tyres.xlsx', tyres())
  await press('button', 'Import 1,200 rows')
  await page.getByText('1,200 new, 0 changed, 0 refused.').waitFor()
  // oxlint-disable-next-line no-console -- the count is wanted
  console.log(`Import of 300 vehicles and 1,200 tyres: ${clicks} clicks`)
  expect(clicks).toBeLessThanOrEqual(6)

  await press('button', 'Undo the import of tyres.xlsx')
  await press('button', 'Undo')
  await page.getByText('Import undone.').waitFor()
  const [last] = imports.list.output.parse(await admin.call('/imports/list', {}))
  expect(last).toMatchObject({ kind: 'tyres', added: 1200, undone: expect.any(String) })
})
