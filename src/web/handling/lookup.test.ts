import { describe, expect, it } from 'vitest'
import type { ScanRecord } from '../scanning/records.ts'
import { sampleOperation, sampleScan, sampleTyre } from './sample.ts'
import {
  countByType,
  deskOrder,
  findByHand,
  whyNoPlace,
  classifyScan,
  lateScans,
  progress,
  operationOfScan,
  toScan,
  tyreIndex,
  nearestWithRoom,
  readyToConfirm,
  tyresToPlace,
  withMarked,
} from './lookup.ts'

const none = new Set<number>()
const recall = (_id: number, deliveryDate: string | null) => sampleOperation({ _id, type: 'to_customer', deliveryDate })

describe('a scanned label', () => {
  const operations = [
    sampleOperation({ _id: 1, tyres: [11, 12] }),
    sampleOperation({ _id: 2, type: 'to_customer', tyres: [21] }),
    sampleOperation({ _id: 3, type: 'to_spare', tyres: [31] }),
    sampleOperation({ _id: 4, tyres: [sampleTyre({ db_id: 41, scanned: true })] }),
  ]
  const at = { type: 'to_stock', site: 1, index: tyreIndex(operations), waiting: new Set([12]) } as const

  it('is found among the submitted operations of the chosen type', () => {
    expect(classifyScan({ tyre: 11, site: 1 }, at)).toMatchObject({
      outcome: 'found',
      entry: { operation: { _id: 1 } },
    })
  })
  it('of another site is told apart, though a tyre of ours has that number', () => {
    expect(classifyScan({ tyre: 11, site: 2 }, at)).toEqual({ outcome: 'other_site', entry: null, elsewhere: null })
  })
  it('that no submitted operation holds is missing', () => {
    expect(classifyScan({ tyre: 99, site: 1 }, at)).toEqual({ outcome: 'missing', entry: null, elsewhere: null })
  })
  it('in an operation of another type is missing, and says where it is', () => {
    expect(classifyScan({ tyre: 21, site: 1 }, at)).toMatchObject({ outcome: 'missing', elsewhere: 'to_customer' })
    expect(classifyScan({ tyre: 31, site: 1 }, at)).toMatchObject({ outcome: 'missing', elsewhere: null })
  })
  it('that still waits to be sent is a duplicate', () => {
    expect(classifyScan({ tyre: 12, site: 1 }, at).outcome).toBe('duplicate')
  })
  it('that the server has already marked is a duplicate', () => {
    expect(classifyScan({ tyre: 41, site: 1 }, at).outcome).toBe('duplicate')
  })
})

describe('scans of tyres that a later list has', () => {
  const index = tyreIndex([sampleOperation({ _id: 1, tyres: [11, 12] })])
  const missing = (scanId: string, tyreId: number, at: number) =>
    sampleScan({ scanId, tyreId, at, outcome: 'missing', state: 'noted' })
  const late = (...scans: ScanRecord[]) =>
    lateScans(scans.toReversed(), { index, now: 10_000 }).map(({ record, outcome }) => [record.scanId, outcome])

  it('count once for each tyre: the first of them, whether it was missing or not checked', () => {
    const unchecked = { outcome: 'unchecked', state: 'waiting', tyreId: 12 } as const
    expect(
      late(
        missing('a', 11, 1),
        missing('b', 11, 2),
        sampleScan({ ...unchecked, scanId: 'c', at: 3 }),
        sampleScan({ ...unchecked, scanId: 'd', at: 4 }),
        missing('e', 12, 5),
      ),
    ).toEqual([
      ['a', 'found'],
      ['b', 'duplicate'],
      ['c', 'found'],
      ['d', 'duplicate'],
      ['e', 'duplicate'],
    ])
  })
  it('are duplicates of one that waits to be sent', () => {
    expect(late(missing('a', 11, 1), sampleScan({ scanId: 'b', tyreId: 11, at: 2 }))).toEqual([['a', 'duplicate']])
  })
  it('are duplicates if they were noted beside one that is sent by now', () => {
    const noted = { outcome: 'unchecked', state: 'noted', tyreId: 11 } as const
    expect(late(sampleScan({ ...noted, scanId: 'a', at: 1 }))).toEqual([['a', 'duplicate']])
  })
  it('are left alone if they are old, of another type or of no tyre of the list', () => {
    const other = { ...missing('b', 11, 9000), type: 'to_waste' } as const
    const old = lateScans([missing('a', 11, 1)], { index, now: 60_001 })
    expect([...old, ...late(other, missing('c', 99, 9000))]).toEqual([])
  })
})

describe('the card of a scan', () => {
  const index = tyreIndex([sampleOperation({ _id: 1, tyres: [11, 12] })])

  it('has its operation as it stands now, with how many tyres are scanned', () => {
    expect(operationOfScan({ index, waiting: new Set([12]) }, { outcome: 'found', tyreId: 11 })).toMatchObject({
      operation: { _id: 1 },
      scanned: 1,
    })
  })
  it("of another site's label shows nothing of our tyre with that number", () => {
    expect(operationOfScan({ index, waiting: none }, { outcome: 'other_site', tyreId: 11 })).toEqual({
      operation: undefined,
      scanned: 0,
    })
  })
})

describe('the list of tyres still to scan', () => {
  const operations = [
    sampleOperation({ _id: 1, tyres: [11, 12], submitted: '2026-11-03T09:00:00Z' }),
    sampleOperation({ _id: 2, tyres: [21], submitted: '2026-11-02T09:00:00Z' }),
    sampleOperation({
      _id: 3,
      tyres: [31, sampleTyre({ db_id: 32, scanned: true })],
      submitted: '2026-11-04T09:00:00Z',
    }),
    sampleOperation({ _id: 4, tyres: [sampleTyre({ db_id: 41, scanned: true })] }),
    sampleOperation({ _id: 5, type: 'to_waste', tyres: [51] }),
  ]
  const at = { type: 'to_stock', waiting: none, last: null, today: '2026-11-10', day: null } as const
  const listed = (waiting: Set<number>, last: number | null) =>
    toScan(operations, { ...at, waiting, last }).map(({ _id }) => _id)

  it('has those begun first, then the longest waiting, and only of the chosen type', () => {
    expect(listed(none, null)).toEqual([3, 2, 1])
  })
  it('has what arrives today before what is late or has no day, and what comes later last', () => {
    const arrivals = [null, '2026-11-12', '2026-11-09', '2026-11-10'].map((deliveryDate, nth) => ({
      ...sampleOperation({ _id: nth, tyres: [nth] }),
      deliveryDate,
    }))
    const list = (day: string | null) => toScan(arrivals, { ...at, day }).map(({ _id }) => _id)
    expect(list(null)).toEqual([3, 2, 0, 1])
    expect(list('2026-11-12')).toEqual([1])
  })
  it('has the operation of the last scan first', () => {
    expect(listed(new Set([11]), 1)).toEqual([1, 3, 2])
  })
  it('keeps an operation whose scans still wait, and the one just completed', () => {
    expect(listed(new Set([21]), null)).toEqual([2, 3, 1])
    expect(listed(none, 4)).toEqual([4, 3, 2, 1])
  })
  it('counts scans that wait as scanned', () => {
    const [first] = operations
    expect(first && progress(first, new Set([11]))).toEqual({ scanned: 1, total: 2, full: false })
    expect(first && progress(first, new Set([11, 12]))).toEqual({ scanned: 2, total: 2, full: true })
  })
})

describe('the answer to a scan', () => {
  const operations = [sampleOperation({ _id: 1, tyres: [11, 12] }), sampleOperation({ _id: 2, tyres: [21] })]

  it('replaces the tyres in their operation and leaves the others alone', () => {
    const next = withMarked(operations, [sampleTyre({ db_id: 11, scanned: true, operation: 1 })])
    expect(next.map(({ tyres }) => tyres.map(({ scanned }) => scanned))).toEqual([[true, false], [false]])
    expect(next[1]).toBe(operations[1])
  })
  it('takes away an operation that its last scan has confirmed', () => {
    const next = withMarked(operations, [sampleTyre({ db_id: 21, scanned: true, tyre_status: 'in_stock' })])
    expect(next.map(({ _id }) => _id)).toEqual([1])
  })
})

describe('the order of the desk', () => {
  it('has recalls by delivery date, those without last, others by the time they were submitted', () => {
    expect(
      [recall(1, null), recall(2, '2026-12-01'), recall(3, '2026-11-25')].sort(deskOrder).map(({ _id }) => _id),
    ).toEqual([3, 2, 1])
    expect(
      [
        sampleOperation({ _id: 9, submitted: '2026-11-02T09:00:00Z' }),
        sampleOperation({ _id: 8, submitted: '2026-11-01T09:00:00Z' }),
      ]
        .sort(deskOrder)
        .map(({ _id }) => _id),
    ).toEqual([8, 9])
  })
})

describe('the counts of the desk', () => {
  it('have the types that screens offer and nothing else', () => {
    const types = ['to_stock', 'to_waste', 'to_stock', 'to_spare'] as const
    expect(countByType(types.map(type => ({ type })))).toEqual({ to_stock: 2, to_customer: 0, to_waste: 1, all: 3 })
  })
})

describe('a damaged label', () => {
  const operations = [
    sampleOperation({ _id: 1, tyres: [1234, 55], vehicle: { type: 'car', license_plate: '1ABC234' } }),
    sampleOperation({ _id: 2, tyres: [7], vehicle: { type: 'car', license_plate: 'XAB12' } }),
    sampleOperation({ _id: 3, type: 'to_waste', tyres: [12], vehicle: { type: 'car', license_plate: 'ZZZ99' } }),
  ]
  const idsFor = (typed: string) =>
    findByHand(operations, { type: 'to_stock', typed, waiting: new Set() }).map(({ tyre }) => tyre.db_id)

  it('is found by its plate, in whatever way it is typed', () => {
    expect(idsFor('1-abc-234')).toEqual([1234, 55])
    expect(idsFor('ab')).toEqual([1234, 55, 7])
  })
  it('is found by the number of the tyre, the whole number first', () => {
    expect(idsFor('1234')).toEqual([1234])
    expect(idsFor('7')).toEqual([7])
  })
  it('has its tyres in the order of their positions', () => {
    const truck = sampleOperation({
      _id: 4,
      tyres: ['10A', '2B', '2A'].map((position, n) => sampleTyre({ db_id: n + 1, position })),
    })
    expect(
      findByHand([truck], { type: 'to_stock', typed: '1ABC', waiting: new Set() }).map(({ tyre }) => tyre.position),
    ).toEqual(['2A', '2B', '10A'])
  })
  it('is first where it is still to be picked', () => {
    const tyres = [
      sampleTyre({ db_id: 31, position: '1A', scanned: true }),
      sampleTyre({ db_id: 32, position: '1B' }),
      sampleTyre({ db_id: 33, position: '2A' }),
    ]
    const set = sampleOperation({ _id: 9, tyres })
    const ids = (...waiting: number[]) =>
      findByHand([set], { type: 'to_stock', typed: '3', waiting: new Set(waiting) }).map(({ tyre }) => tyre.db_id)
    expect(ids()).toEqual([32, 33, 31])
    expect(ids(32)).toEqual([33, 31, 32])
  })
  it('is not found in operations of another type, nor by nothing', () => {
    expect(idsFor('ZZZ99')).toEqual([])
    expect(idsFor(' - ')).toEqual([])
  })
})

describe('a scanned place', () => {
  const place = { location: 5, rack: 'A-01', tyres: [1], plate: null }
  const operationOf = (_id: number) => ({ _id, companyname: '', services: [], tyres: 4 })
  const scan = (tyreId: number, operation: number, facts: Partial<Parameters<typeof sampleScan>[0]> = {}) =>
    sampleScan({ scanId: `${tyreId}`, tyreId, operation: operationOf(operation), ...facts })
  const history = [scan(23, 2), scan(22, 2, { outcome: 'duplicate' }), scan(11, 1), scan(21, 2)]

  it('is for the tyres of the operation that was scanned last', () => {
    expect(tyresToPlace(history)).toMatchObject({ tyres: [23, 22, 21], plate: '1ABC234' })
    expect(tyresToPlace([])).toEqual({ tyres: [], plate: null, rest: [] })
  })
  it('names what else was scanned since, which the next place is for when nothing comes in between', () => {
    const rest = [{ tyres: [11], plate: '1ABC234' }]
    expect(tyresToPlace(history).rest).toEqual(rest)
    const placed = scan(0, 2, { tyreId: 0, kind: 'place', outcome: 'location', place: { ...place, rest } })
    expect(tyresToPlace([placed, ...history])).toEqual({ ...rest[0], rest: [] })
    expect(tyresToPlace([scan(24, 2), placed, ...history])).toMatchObject({ tyres: [24], rest: [] })
  })
  it('that is full has its nearest ones with room named, by the walk', () => {
    const places = [0, 8, 4, 1, 8].map((free, nth) => ({
      _id: nth + 1,
      walk: nth,
      capacity: 9,
      tyre_count: 8 - free,
      coming: 1,
    }))
    const named = (needed: number) => nearestWithRoom(places, { from: 4, needed, most: 2 }).map(({ _id }) => _id)
    expect(named(4)).toEqual([3, 5])
    expect(named(5)).toEqual([5, 2])
    expect(nearestWithRoom(places, { from: 9, needed: 1, most: 2 })).toEqual([])
  })
  it('leaves alone what an earlier place was for, unless that one was refused', () => {
    const placed = scan(0, 2, { tyreId: 0, outcome: 'location', place })
    expect(tyresToPlace([scan(24, 2), placed, ...history]).tyres).toEqual([24])
    expect(tyresToPlace([{ ...placed, state: 'refused' }, ...history]).tyres).toEqual([23, 22, 21])
  })
  it('is for no tyre that the server refused, that was not found or that leaves', () => {
    const wrong = [
      scan(1, 2, { state: 'refused' }),
      scan(2, 2, { outcome: 'missing' }),
      scan(3, 2, { type: 'to_customer' }),
    ]
    expect(tyresToPlace(wrong).tyres).toEqual([])
  })
})

it('an operation whose tyres are all scanned waits to be confirmed, on every device', () => {
  const tyres = (scanned: boolean) => [1, 2].map(n => sampleTyre({ db_id: n, scanned: scanned || n === 1 }))
  const whole = sampleOperation({ _id: 1, type: 'to_stock', tyres: tyres(true) })
  const part = sampleOperation({ _id: 2, type: 'to_stock', tyres: tyres(false) })
  const ready = (type: 'to_stock' | 'to_waste', waiting: number[] = [], last: number | null = null) =>
    readyToConfirm([part, whole], { type, waiting: new Set(waiting), last }).map(({ _id }) => _id)
  expect(ready('to_stock')).toEqual([1])
  expect(ready('to_stock', [2])).toEqual([1, 2])
  expect(ready('to_stock', [2], 2)).toEqual([2, 1])
  expect(ready('to_waste')).toEqual([])
})

describe('a tyre without a place', () => {
  const place = (tyre_count: number, coming = 0) => ({ kind: 'place' as const, capacity: 4, tyre_count, coming })
  const cart = { kind: 'cart' as const, capacity: 0, tyre_count: 0, coming: 0 }
  it('says why none is proposed', () => {
    expect(whyNoPlace([])).toBe('none')
    expect(whyNoPlace([cart, { ...place(0), capacity: 0 }])).toBe('none')
    expect(whyNoPlace([place(4), place(2, 2), cart])).toBe('full')
    expect(whyNoPlace([place(4), place(2, 1)])).toBe('unfit')
  })
})
