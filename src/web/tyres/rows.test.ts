import { describe, expect, it, test } from 'vitest'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { type TyreStatus, tyreStatuses } from '#domain/tyres/tyre.ts'
import { mostUrgent, orderedSets, orderedTyres, type SortKey } from './order.ts'
import { defaultStatuses, listedAt, seasonsIn, statusesIn, statusesShown } from '#domain/texts/listFilter.ts'
import {
  cellsOf,
  reasonNotSelectable,
  type Reader,
  rowsOf,
  setSizes,
  setsOf,
  shownOf,
  type TyreRow,
  type Wanted,
} from './rows.ts'
import { hiddenOf, type Selection, stillSelected, toggled } from './selection.ts'

let ids = 70_000
const tyre = (over: Partial<Tyre> = {}): Tyre => ({
  db_id: ++ids,
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
  cost_centre: '',
  yearly_distance: null,
  contract_end: null,
  left_on: null,
  former_plates: [],
  brand: 'Volvo',
  description: 'FH',
  type: 'truck',
  configuration: null,
  min_tread_summer: null,
  min_tread_winter: null,
  driver_name: 'Noël',
  driver: { name: 'Noël', mobile_no: '', telephone_no: '', email: '' },
  tyres: tyres.map(tyre => ({ ...tyre, flt_id })),
  parts: [],
})
const everything = { filter: '', statuses: tyreStatuses } as const
const customer: Reader = { language: 'en', ofSite: false, mode: 'both' }
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
  const rows = rowsOf(fleet, customer)

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

  it('hold a tyre by its number, which is no part of another one', () => {
    const [{ tyre: first }] = rows as [TyreRow]
    expect(shownOf(rows, { ...everything, filter: String(first.db_id) }).map(row => row.tyre)).toEqual([first])
    expect(shownOf(rows, { ...everything, filter: '7000' })).toEqual([])
  })

  it.each([
    ['both', false, ['4711', 'noel', 'winter', 'b-01', '1b']],
    ['hotelonly', false, ['noel', 'winter', 'b-01', '1b']],
    ['fleetonly', true, ['4711', 'volvo', 'transport', 'noel', 'winter', 'b-01', '1b']],
    ['hotelonly', true, ['volvo', 'transport', 'noel', 'winter', 'b-01', '1b']],
  ] as const)('are searched in mode %s by what the list names (of a whole site: %s)', (mode, ofSite, matched) => {
    const numbered = [{ ...vehicle(1, '1ABC234', [tyre({ position: '1B' })]), number: '4711' }]
    const searched = rowsOf(numbered, { ...customer, mode, ofSite })
    const words = ['4711', 'volvo', 'transport', 'noel', 'winter', 'b-01', '1b']
    expect(words.filter(filter => shownOf(searched, { ...everything, filter }).length > 0)).toEqual(matched)
  })

  it('of a vehicle that the server found are those with the words, or all when it found something else', () => {
    const positionsFor = (filter: string) => positions(shownOf(rows, { ...everything, filter, searched: true }))
    expect(positionsFor('1xyz10 2b')).toEqual(['1A', '1B', '2B'])
    expect(positionsFor('its chassis')).toHaveLength(rows.length)
    expect(shownOf(rows, { filter: '1abc234', statuses: ['in_stock'], searched: true }).length).toBe(3)
  })

  it('have the statuses asked for', () => {
    expect(shownOf(rows, { ...everything, statuses: defaultStatuses })).toHaveLength(3)
    expect(shownOf(rows, everything)).toHaveLength(5)
  })

  it('are those of the seasons asked for, and with at most so much tread that was measured', () => {
    const worn = rowsOf(
      [
        vehicle(1, '1ABC234', [
          tyre({ position: '1A', season: 'summer', profile_depth: 3 }),
          tyre({ position: '1B', season: 'winter', profile_depth: 3.01 }),
          tyre({ position: '2A', season: 'snow', profile_depth: null }),
          tyre({ position: '2B', season: null, profile_depth: 1 }),
        ]),
      ],
      customer,
    )
    const positionsFor = (filter: Pick<Wanted, 'seasons' | 'depth'>) =>
      positions(shownOf(worn, { ...everything, ...filter }))
    expect(positionsFor({ seasons: [], depth: null })).toHaveLength(4)
    expect(positionsFor({ seasons: ['summer', 'snow'] })).toEqual(['1A', '2A'])
    expect(positionsFor({ depth: 3 })).toEqual(['1A', '2B'])
    expect(positionsFor({ seasons: ['winter'], depth: 3 })).toEqual([])
  })

  it('are sets by vehicle and name; a tyre without a set is in none', () => {
    const sets = setsOf(rows, setSizes(rows))
    expect(sets.map(set => [set.vehicle.license_plate, set.name, positions(set.tyres)])).toEqual([
      ['1ABC234', 'Winter', ['1A', '1B']],
      ['1XYZ10', 'Winter', ['2B', '10A']],
    ])
  })

  it('tell how large a set is when the filter leaves tyres of it out', () => {
    const [set] = setsOf(shownOf(rows, { ...everything, filter: '10a' }), setSizes(rows))
    expect([set?.tyres.length, set?.size]).toEqual([1, 2])
  })
})

describe('a tyre', () => {
  it('can be selected unless it is in an open operation or waste', () => {
    expect(reasonNotSelectable(tyre())).toBeNull()
    expect(reasonNotSelectable(tyre({ operation: 7 }))).toBe('operation')
    expect(reasonNotSelectable(tyre({ tyre_status: 'waste' }))).toBe('waste')
  })
})

describe('what is selected', () => {
  const rows = rowsOf([vehicle(1, '1ABC234', [tyre(), tyre({ position: '1B' }), tyre({ position: '2A' })])], customer)
  const [a, b, c] = rows as [TyreRow, TyreRow, TyreRow]
  const selectionOf = (...chosen: readonly TyreRow[]): Selection => new Map(chosen.map(row => [row.tyre.db_id, row]))
  const changed = (row: TyreRow, over: Partial<Tyre>): TyreRow => ({ ...row, tyre: { ...row.tyre, ...over } })

  it('grows by tyres, and loses them when all that are meant were in', () => {
    expect(toggled(selectionOf(a), [a, b])).toEqual(selectionOf(a, b))
    expect(toggled(selectionOf(a, b, c), [a, b])).toEqual(selectionOf(c))
  })

  it('loses what was taken into an operation, became waste, or is gone from the fleet', () => {
    const listed = selectionOf(changed(a, { operation: 7 }), changed(b, { tyre_status: 'waste' }))
    expect(stillSelected(selectionOf(a, b, c), listed, { whole: true })).toEqual(selectionOf())
  })

  it('is shown as it is now, not as it was when it was chosen', () => {
    const now = changed(a, { tyre_status: 'at_customer' })
    expect(stillSelected(selectionOf(a), selectionOf(now), { whole: true })).toEqual(selectionOf(now))
  })

  it('outlives another search of the server', () => {
    expect(stillSelected(selectionOf(a, b), selectionOf(b), { whole: false })).toEqual(selectionOf(a, b))
  })

  it('is hidden as far as the list does not show it', () => {
    expect(hiddenOf(selectionOf(a, b, c), [b])).toEqual([a, c])
    expect(hiddenOf(selectionOf(a), rows)).toEqual([])
  })
})

describe('the order', () => {
  const fleet = [
    vehicle(1, '1ABC234', [
      tyre({ position: '10A', profile_depth: 3, status_date: '2026-01-05', tyre_set: 'Summer' }),
      tyre({ position: '2A', profile_depth: null, tyre_set: null }),
    ]),
    vehicle(2, '1XYZ10', [
      tyre({ position: '1A', profile_depth: 7.5, tyre_status: 'at_customer', stock_rack: 'A-10' }),
      tyre({ position: '1B', profile_depth: 1, status_date: '2025-01-05', stock_rack: null }),
    ]),
  ]
  const rows = rowsOf(fleet, customer)
  const by = (key: SortKey, desc = false) => positions(orderedTyres(rows, { by: key, desc }, 'en'))

  it('of tyres is by any column, up and down; what has no value is last', () => {
    expect(by('plate')).toEqual(['10A', '2A', '1A', '1B'])
    expect(by('plate', true)).toEqual(['1A', '1B', '10A', '2A'])
    expect(by('position')).toEqual(['1A', '1B', '2A', '10A'])
    expect(by('depth')).toEqual(['1B', '10A', '1A', '2A'])
    expect(by('depth', true)).toEqual(['1A', '10A', '1B', '2A'])
    expect(by('set', true)).toEqual(['1A', '1B', '10A', '2A'])
    expect(by('statusDate')).toEqual(['1B', '10A', '2A', '1A'])
    expect(by('status')).toEqual(['10A', '2A', '1B', '1A'])
    expect(by('rack')).toEqual(['1A', '10A', '2A', '1B'])
  })

  it('by urgency has first what is at its limit, then by the day on which it may be, of sets by the first of theirs', () => {
    const between = (from: string, until: string) => ({ limit: 3, from, until })
    const reaches = new Map<string, TyreRow['reach']>([
      ['10A', between('2026-12-01', '2027-04-01')],
      ['1A', between('2026-12-01', '2027-03-01')],
      ['1B', 'now'],
    ])
    const urgent = rows.map(row => ({ ...row, reach: reaches.get(row.tyre.position) }))
    const order = { by: 'reach', desc: false } as const
    expect(positions(orderedTyres(urgent, order, 'en'))).toEqual(['1B', '1A', '10A', '2A'])
    const sets = orderedSets(setsOf(urgent, setSizes(urgent)), order, 'en')
    expect(sets.map(set => [set.name, mostUrgent(set)?.tyre.position])).toEqual([
      ['Winter', '1B'],
      ['Summer', '10A'],
    ])
  })

  it('of sets is by their oldest tyre, their name or their size; their tyres stay by position', () => {
    const names = (key: SortKey, desc = false) =>
      orderedSets(setsOf(rows, setSizes(rows)), { by: key, desc }, 'en').map(set => [
        set.name,
        positions(set.tyres).join(' '),
      ])
    expect(names('statusDate')).toEqual([
      ['Winter', '1A 1B'],
      ['Summer', '10A'],
    ])
    expect(names('set')).toEqual([
      ['Summer', '10A'],
      ['Winter', '1A 1B'],
    ])
    expect(names('tyres', true)[0]).toEqual(['Winter', '1A 1B'])
  })
})

it('statuses and seasons in the address that do not exist are left out', () => {
  expect(seasonsIn('snow,autumn')).toEqual(['snow'])
  expect(statusesIn('in_stock,sold,waste')).toEqual(['in_stock', 'waste'])
  expect(statusesIn('')).toEqual([])
})

describe('a copy', () => {
  const rows = rowsOf(
    [vehicle(1, '1ABC234', [tyre(), tyre({ tyre_set: null, profile_depth: null, profile_date: null })])],
    customer,
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

  it('has plain depths unless it is told how they are written', () => {
    const { depth: _, ...plain } = words
    const deep = rows.map(row => ({ ...row, tyre: { ...row.tyre, profile_depth: 7.25 } }))
    expect(cellsOf(deep, plain, { withDepth: true })[1]?.[6]).toBe('7.25')
    expect(cellsOf(deep, { ...plain, depth: depth => `${depth}`.replace('.', ',') }, { withDepth: true })[1]?.[6]).toBe(
      '7,25',
    )
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

describe('the statuses that are shown', () => {
  const site = { showTyresOnVehicle: true, showTyresAtCustomer: false, showWasteTyres: true }
  const shown = (requested: readonly TyreStatus[], waste: boolean) => statusesShown(requested, site, waste).shown

  it('are those asked for, or all of the site when none is', () => {
    expect(shown(['in_stock'], false)).toEqual(['in_stock'])
    expect(shown([], false)).toEqual(['on_vehicle', 'in_stock', 'on_spare'])
  })

  it('hold waste only when waste is shown, whatever is asked for', () => {
    expect(shown(['waste', 'in_stock'], false)).toEqual(['in_stock'])
    expect(shown(['waste'], true)).toEqual(['waste'])
    expect(shown([], true)).toContain('waste')
  })

  it('leave others, waste too, which only the site hides', () => {
    const others = (requested: readonly TyreStatus[], over = {}) =>
      statusesShown(requested, { ...site, ...over }, false).others
    expect(others(['in_stock'])).toEqual(['on_vehicle', 'on_spare', 'waste'])
    expect(others([])).toEqual(['waste'])
    expect(others([], { showWasteTyres: false })).toEqual([])
  })

  it('are all when the site has none of those asked for', () => {
    expect(shown(['at_customer'], false)).toEqual(['on_vehicle', 'in_stock', 'on_spare'])
  })
})
