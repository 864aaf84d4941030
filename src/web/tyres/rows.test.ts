import { describe, expect, it, test } from 'vitest'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { cellsOf, defaultStatuses, listedAt, obstacleTo, rowsOf, setsOf, shownOf, statusesIn, toggled } from './rows.ts'

let ids = 0
const tyre = (over: Partial<Tyre> = {}): Tyre => ({
  db_id: ++ids,
  art_id: 1,
  flt_id: 1,
  position: '1A',
  description: 'Michelin 205/55R16 91V',
  tyre_memo: '',
  profile_depth: 6.5,
  profile_date: '2026-03-02',
  profile_tacho: null,
  status_date: '2026-03-01',
  tyre_status: 'in_stock',
  stock_rack: 'B-01',
  stock_site_name: 'Hotel',
  stock_rims: null,
  stock_bolts: false,
  stock_hubcaps: false,
  tyre_set: 'Winter',
  invoicedAt: null,
  unknownArticle: false,
  operation: null,
  action: null,
  ...over,
})
const vehicle = (flt_id: number, license_plate: string, tyres: Tyre[]): Vehicle => ({
  flt_id,
  seq_id: 1,
  customer_name: 'Transport',
  license_plate,
  number: '',
  chassis_number: '',
  brand: 'Volvo',
  description: 'FH',
  type: 'truck',
  configuration: null,
  driver_name: 'Noël',
  driver: { name: 'Noël', mobile_no: '', telephone_no: '', email: '' },
  tyres: tyres.map(one => ({ ...one, flt_id })),
})
const everything = { filter: '', statuses: [], waste: true } as const
const positions = (rows: readonly { tyre: Tyre }[]) => rows.map(row => row.tyre.position)

describe('the rows', () => {
  const fleet = [
    vehicle(2, '1XYZ10', [
      tyre({ position: '2A', tyre_set: null }),
      tyre({ position: '10A' }),
      tyre({ position: '2B' }),
    ]),
    vehicle(1, '1ABC234', [
      tyre({ tyre_status: 'at_customer', description: 'Hankook 315/80R22.5' }),
      tyre({ position: '1B', tyre_status: 'waste' }),
    ]),
  ]
  const rows = rowsOf(fleet, 'en')

  it('stand by plate, set and axle; tyres without a set last', () => {
    expect(rows.map(row => row.vehicle.license_plate)).toEqual(['1ABC234', '1ABC234', '1XYZ10', '1XYZ10', '1XYZ10'])
    expect(positions(rows.slice(2))).toEqual(['2B', '10A', '2A'])
  })

  it.each([
    ['1-abc-234', 2],
    ['xyz10 winter', 2],
    ['hankook', 1],
    ['noel 10a', 1],
    ['noël 10a', 1],
    ['nothing', 0],
  ])('the filter %j finds %i', (filter, count) => {
    expect(shownOf(rows, { ...everything, filter })).toHaveLength(count)
  })

  it('are those in stock at first, of every status when none is asked for', () => {
    expect(shownOf(rows, { ...everything, statuses: defaultStatuses })).toHaveLength(3)
    expect(shownOf(rows, everything)).toHaveLength(5)
  })

  it('hold no waste unless waste is shown, whatever statuses are asked for', () => {
    expect(shownOf(rows, { filter: '', statuses: ['waste'], waste: false })).toEqual([])
    expect(shownOf(rows, { filter: '', statuses: [], waste: false })).toHaveLength(4)
    expect(shownOf(rows, { filter: '', statuses: ['waste'], waste: true })).toHaveLength(1)
  })

  it('are sets by vehicle and name; a tyre without a set is in none', () => {
    const sets = setsOf(rows, rows)
    expect(sets.map(set => [set.vehicle.license_plate, set.name, positions(set.tyres)])).toEqual([
      ['1ABC234', 'Winter', ['1A', '1B']],
      ['1XYZ10', 'Winter', ['2B', '10A']],
    ])
  })

  it('tell how large a set is when the filter leaves tyres of it out', () => {
    const [set] = setsOf(shownOf(rows, { ...everything, filter: '10a' }), rows)
    expect([set?.tyres.length, set?.size]).toEqual([1, 2])
  })
})

describe('a tyre', () => {
  it('can be selected unless it is in an open operation or waste', () => {
    expect(obstacleTo(tyre())).toBeNull()
    expect(obstacleTo(tyre({ operation: 7 }))).toBe('operation')
    expect(obstacleTo(tyre({ tyre_status: 'waste' }))).toBe('waste')
  })

  it('joins the selection, and leaves it when all that are meant were in', () => {
    expect([...toggled(new Set([1]), [1, 2])]).toEqual([1, 2])
    expect([...toggled(new Set([1, 2, 3]), [1, 2])]).toEqual([3])
  })
})

it('statuses in the address that do not exist are left out', () => {
  expect(statusesIn('in_stock,sold,waste')).toEqual(['in_stock', 'waste'])
  expect(statusesIn('')).toEqual([])
})

describe('a copy', () => {
  const rows = rowsOf(
    [vehicle(1, '1ABC234', [tyre(), tyre({ tyre_set: null, profile_depth: null, profile_date: null })])],
    'en',
  )
  const words = {
    heading: (column: string) => column,
    status: (status: string) => status,
    setless: 'No set',
    depth: (depth: number | null) => (depth === null ? '' : String(depth)),
  }

  it('has plate, set, position, description, status, status date, depth and its date', () => {
    expect(cellsOf(rows, words, { withDepth: true })).toEqual([
      ['plate', 'set', 'position', 'description', 'status', 'statusDate', 'depth', 'depthDate'],
      ['1-ABC-234', 'Winter', '1A', 'Michelin 205/55R16 91V', 'in_stock', '01/03/2026', '6.5', '02/03/2026'],
      ['1-ABC-234', 'No set', '1A', 'Michelin 205/55R16 91V', 'in_stock', '01/03/2026', '', ''],
    ])
  })

  it('has no depth where depths are hidden', () => {
    const cells = cellsOf(rows, words, { withDepth: false })
    expect(cells.map(row => row.length)).toEqual([6, 6, 6])
    expect(cells.flat()).not.toContain('6.5')
  })
})

test('a status that the site does not show is not in its tyre list', () => {
  const all = { showTyresOnVehicle: true, showTyresAtCustomer: true, showWasteTyres: true }
  const hidden = (site: typeof all): string[] =>
    Object.entries(listedAt(site))
      .filter(([, listed]) => !listed)
      .map(([status]) => status)
  expect(hidden(all)).toEqual([])
  expect(hidden({ ...all, showTyresAtCustomer: false })).toEqual(['at_customer'])
  expect(hidden({ ...all, showTyresOnVehicle: false, showWasteTyres: false })).toEqual(['on_vehicle', 'waste'])
})
