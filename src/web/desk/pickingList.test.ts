import { describe, expect, it } from 'vitest'
import type { Operation, OperationTyre } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { sampleOperation, sampleTyre } from '../handling/sample.ts'
import { alike, daysLeft, daysToPick, printGroups, rackOrder, tyresLeft, walkOf } from './pickingList.ts'

const stored = (db_id: number, position: string, stock_rack: string | null, more: Partial<OperationTyre> = {}) =>
  sampleTyre({ db_id, position, stock_rack, stock_site_name: stock_rack && 'Hall', ...more })
const recall = (_id: number, tyres: readonly OperationTyre[], more: Partial<Operation> = {}) =>
  sampleOperation({ _id, type: 'to_customer', deliveryDate: '2026-11-24', transport: 1, ...more, tyres })
/** The tyres of each line of each group. */
const printed = (type: OfferedType, operations: readonly Operation[], walk = walkOf([])) =>
  printGroups(type, operations, walk).map(({ lines }) => lines.map(({ tyres }) => tyres.map(({ db_id }) => db_id)))

describe('a picking list', () => {
  it('has a line for a set with its positions as they are on the vehicle', () => {
    const tyres = [stored(1, '10A', 'A-1'), stored(2, '2A', 'A-1'), stored(3, '1B', 'A-1'), stored(4, '1A', 'A-1')]
    const [group] = printGroups('to_customer', [recall(1, tyres)])
    expect(group?.lines.map(line => line.tyres.map(({ position }) => position))).toEqual([['1A', '1B', '2A', '10A']])
  })
  it('has a line for each place that a set lies on, and one for each tyre without a set', () => {
    const tyres = [
      stored(1, '1A', 'A-1'),
      stored(2, '1B', 'A-2'),
      stored(3, '2A', 'A-1'),
      stored(4, '1A', 'A-1', { tyre_set: null }),
      stored(5, '1A', 'A-1', { tyre_set: null }),
    ]
    expect(printed('to_customer', [recall(1, tyres)])).toEqual([[[1, 3], [4], [5], [2]]])
  })
  it('leaves out what is scanned, and what has nothing left', () => {
    const begun = recall(1, [stored(1, '1A', 'A-1', { scanned: true }), stored(2, '1B', 'A-1')])
    const done = recall(2, [stored(3, '1A', 'A-2', { scanned: true })], { deliveryDate: '2026-11-25' })
    expect(printed('to_customer', [begun, done])).toEqual([[[2]]])
    expect([tyresLeft([begun, done]), tyresLeft([done])]).toEqual([1, 0])
  })
  it('is grouped by delivery day and transport, those without a day last', () => {
    const at = (_id: number, deliveryDate: string | null, transport: number | null) =>
      recall(_id, [stored(_id, '1A', 'A-1')], { deliveryDate, transport })
    const operations = [
      at(1, null, 1),
      at(2, '2026-11-25', 1),
      at(3, '2026-11-24', 2),
      at(4, '2026-11-24', 1),
      at(5, '2026-11-24', 2),
    ]
    const groups = printGroups('to_customer', operations)
    expect(groups.map(({ day, transport, lines }) => [day, transport, lines.map(line => line.operation._id)])).toEqual([
      ['2026-11-24', 1, [4]],
      ['2026-11-24', 2, [3, 5]],
      ['2026-11-25', 1, [2]],
      [null, 1, [1]],
    ])
  })
  it('follows the walk, not the names of the racks, and those while the walk is not known', () => {
    const operations = ['A-2', 'A-1', null, 'B-1'].map((rack, nth) => recall(nth + 1, [stored(nth + 1, '1A', rack)]))
    const place = (stock_rack: string, walk: number) => ({ stock_site_name: 'Hall', stock_rack, walk })
    const walk = walkOf([place('B-1', 10), place('A-1', 30), place('A-2', 20)])
    expect(printed('to_customer', operations, walk)).toEqual([[[4], [1], [2], [3]]])
    expect(printed('to_customer', operations)).toEqual([[[2], [1], [4], [3]]])
    expect(printed('to_waste', operations, walk)).toEqual([[[4], [1], [2], [3]]])
  })
  it('has one site name after the other', () => {
    const elsewhere = (_id: number, rack: string) => recall(_id, [stored(_id, '1A', rack, { stock_site_name: 'Yard' })])
    const here = (_id: number, rack: string) => recall(_id, [stored(_id, '1A', rack)])
    expect(printed('to_customer', [elsewhere(1, 'A-1'), here(2, 'A-2'), elsewhere(3, 'A-0'), here(4, 'A-1')])).toEqual([
      [[4], [2], [3], [1]],
    ])
  })
  it('names tyres that are alike once', () => {
    const rear = { description: '255/35R19' }
    const tyres = [
      stored(1, '1A', 'A-1'),
      stored(2, '1B', 'A-1'),
      stored(3, '2A', 'A-1', rear),
      stored(4, '2B', 'A-1', rear),
    ]
    const [line] = printGroups('to_customer', [recall(1, tyres)])[0]?.lines ?? []
    expect(line && alike(line)).toEqual([
      { description: '205/55R16 91V', positions: ['1A', '1B'] },
      { description: '255/35R19', positions: ['2A', '2B'] },
    ])
  })
})

it('a pickup list has the vehicles of one customer after the other', () => {
  const from = (_id: number, companyname: string, license_plate: string) =>
    sampleOperation({
      _id,
      user: { username: 'u', fullname: 'U', companyname },
      vehicle: { type: 'car', license_plate },
      tyres: [_id],
    })
  const operations = [from(1, 'Peeters', '1AAA111'), from(2, 'Adams', '1ZZZ111'), from(3, 'Peeters', '1AAA000')]
  expect(printGroups('to_stock', operations).map(({ customer }) => customer)).toEqual(['Adams', 'Peeters'])
  expect(printed('to_stock', operations)).toEqual([[[2]], [[3], [1]]])
})

describe('the days to pick for', () => {
  const at = (_id: number, deliveryDate: string | null, scanned = false) =>
    recall(_id, [stored(_id, '1A', 'A-1', { scanned })], { deliveryDate })
  const days = daysLeft([
    at(1, '2026-11-25'),
    at(2, '2026-11-20'),
    at(3, null),
    at(4, '2026-11-24', true),
    at(5, '2026-11-25'),
    at(6, '2026-11-26'),
  ])

  it('are those with something left, by date', () => {
    expect(days.map(({ day, operations, tyres }) => [day, operations, tyres])).toEqual([
      ['2026-11-20', 1, 1],
      ['2026-11-25', 2, 2],
      ['2026-11-26', 1, 1],
      [null, 1, 1],
    ])
  })
  it('are at first the next one and what is left of those before', () => {
    const chosen = (today: string) => daysToPick(days, today).map(({ day }) => day)
    expect(chosen('2026-11-23')).toEqual(['2026-11-20', '2026-11-25'])
    expect(chosen('2026-11-25')).toEqual(['2026-11-20', '2026-11-25'])
    expect(chosen('2026-11-20')).toEqual(['2026-11-20'])
    expect(chosen('2026-12-01')).toEqual(['2026-11-20', '2026-11-25', '2026-11-26', null])
  })
})

it('racks are counted as a person does, and tyres without a place come last', () => {
  expect(['B-1-1', 'A-10-1', null, 'A-2-14', 'a-2-3'].toSorted(rackOrder)).toEqual([
    'a-2-3',
    'A-2-14',
    'A-10-1',
    'B-1-1',
    null,
  ])
  expect([null, null, 'A'].toSorted(rackOrder)).toEqual(['A', null, null])
})
