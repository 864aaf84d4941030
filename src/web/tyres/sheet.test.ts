import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { Mode } from '#domain/site.ts'
import { workbookOf } from '../shared/workbook.ts'
import { rowsOf } from './rows.ts'
import { tyreSheet } from './sheet.ts'

const tyre: Tyre = {
  db_id: 70_001,
  art_id: 1,
  flt_id: 1,
  position: '1A',
  description: 'Michelin 205/55R16 91V',
  season: 'winter',
  tyre_memo: '',
  profile_depth: 6.5,
  profile_date: '2026-03-02',
  profile_tacho: null,
  status_date: '2026-03-01',
  tyre_status: 'in_stock',
  stock_rack: '12 - A - 3',
  stock_site_name: 'Hotel',
  stock_rims: 'steel',
  stock_bolts: true,
  stock_hubcaps: false,
  tyre_set: 'Winter',
  invoicedAt: null,
  unknownArticle: false,
  operation: null,
  action: null,
}
const vehicle: Vehicle = {
  flt_id: 1,
  seq_id: 1,
  customer_name: 'Transport',
  license_plate: 'A1BCD2',
  number: '0042',
  chassis_number: '',
  cost_centre: '',
  yearly_distance: null,
  contract_end: null,
  left_on: null,
  former_plates: [],
  brand: '=Volvo',
  description: 'FH',
  type: 'truck',
  configuration: null,
  min_tread_summer: null,
  min_tread_winter: null,
  driver_name: 'Noël',
  driver: { name: 'Noël', mobile_no: '', telephone_no: '', email: '' },
  tyres: [
    tyre,
    { ...tyre, db_id: 70_002, position: '1B', tyre_set: null, season: null, profile_depth: null, profile_date: null },
    { ...tyre, db_id: 70_003, position: '1C', tyre_set: null, tyre_status: 'at_customer', stock_rack: null },
  ],
  parts: [],
}

const read = async (seen: { mode: Mode; ofSite: boolean; withDepth: boolean }) => {
  const columns = tyreSheet(
    {
      heading: column => column,
      status: status => status,
      season: season => season ?? '',
      rims: rims => rims ?? 'no',
      yesNo: is => (is ? 'yes' : 'no'),
    },
    seen,
  )
  const rows = rowsOf([vehicle], { language: 'en', ofSite: seen.ofSite, mode: seen.mode })
  const blob = await workbookOf({ name: 'Tyres', columns, rows })
  const [sheet] = await readWorkbook(Buffer.from(await blob.arrayBuffer()))
  const [headings = [], ...lines] = sheet?.data ?? []
  return lines.map(line => Object.fromEntries(headings.map((heading, at) => [heading, line[at]])))
}

test('the workbook of tyres has rack, number, brand, driver and season of each, and stock only where it is in stock', async () => {
  const [stored, setless, away] = await read({ mode: 'both', ofSite: true, withDepth: true })
  expect(stored).toEqual({
    id: 70_001,
    plate: 'A1BCD2',
    customer: 'Transport',
    number: '0042',
    brand: '=Volvo',
    vehicle: 'FH',
    driver: 'Noël',
    set: 'Winter',
    position: '1A',
    description: 'Michelin 205/55R16 91V',
    season: 'winter',
    depth: 6.5,
    depthDate: new Date('2026-03-02T00:00:00Z'),
    status: 'in_stock',
    statusDate: new Date('2026-03-01T00:00:00Z'),
    site: 'Hotel',
    rack: '12 - A - 3',
    rims: 'steel',
    bolts: 'yes',
    hubcaps: 'no',
  })
  expect(setless).toMatchObject({ set: null, season: null, depth: null, depthDate: null, rack: '12 - A - 3' })
  expect(away).toMatchObject({ status: 'at_customer', site: null, rack: null, rims: null, bolts: null, hubcaps: null })
})

test('the workbook of tyres leaves out depth, number and customer where the list does', async () => {
  const [row] = await read({ mode: 'hotelonly', ofSite: false, withDepth: false })
  for (const column of ['depth', 'depthDate', 'number', 'customer']) expect(row).not.toHaveProperty(column)
})
