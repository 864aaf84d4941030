import { describe, expect, it } from 'vitest'
import type { Operation } from '#contract/wire.ts'
import { tyreIndex } from '../handling/lookup.ts'
import { sampleOperation, sampleScan, sampleTyre } from '../handling/sample.ts'
import type { ScanRecord } from '../scanning/records.ts'
import {
  type IntakeState,
  type IntakeStep,
  putOnPlace,
  recheck,
  scanPlace,
  scanTyre,
  scanUnreadable,
} from './intakeReducer.ts'

const storage = sampleOperation({ _id: 1, tyres: [11, 12] })
const recall = sampleOperation({ _id: 2, type: 'to_customer', tyres: [21] })
const scanned = sampleOperation({ _id: 3, tyres: [sampleTyre({ db_id: 31, scanned: true }), 32, 33] })
const at = (operations: readonly Operation[] | null, ...history: ScanRecord[]): IntakeState => ({
  type: 'to_stock',
  site: 1,
  index: operations && tyreIndex(operations),
  history,
})
const waits = (tyreId: number) => sampleScan({ scanId: `w${tyreId}`, tyreId })
const line = ({ record, sound, follow }: IntakeStep) =>
  [sound, record.outcome, record.state ?? 'waiting', record.type ?? 'to_stock', ...follow].join(' ')

describe('a tyre', () => {
  const all = [storage, recall, scanned]
  it.each<[string, number, number, IntakeState, string]>([
    ['of a storage is found', 11, 1, at(all), 'found found waiting to_stock'],
    [
      'that is the last of its operation sends at once',
      12,
      1,
      at(all, waits(11)),
      'complete found waiting to_stock send',
    ],
    ['that waits already is noted', 11, 1, at(all, waits(11)), 'duplicate duplicate noted to_stock'],
    [
      'that waits as the last is noted and sends nothing',
      11,
      1,
      at(all, waits(11), waits(12)),
      'duplicate duplicate noted to_stock',
    ],
    ['that the server knows as scanned counts again', 31, 1, at(all), 'duplicate duplicate waiting to_stock'],
    ['of another site is only shown', 11, 2, at(all), 'other_site other_site noted to_stock'],
    ['of a recall says so', 21, 1, at(all), 'elsewhere missing noted to_stock refetch'],
    ['of nothing is looked for', 99, 1, at(all), 'missing missing noted to_stock refetch identify'],
    ['without a list is for the server', 99, 1, at(null), 'unchecked unchecked waiting to_stock'],
    ['without a list, scanned twice, waits once', 11, 1, at(null, waits(11)), 'duplicate unchecked noted to_stock'],
    ['of another site without a list is only shown', 11, 2, at(null), 'other_site other_site noted to_stock'],
  ])('%s', (_, tyre, site, state, expected) => {
    expect(line(scanTyre({ tyre, site }, state))).toBe(expected)
  })

  it('keeps its operation, so that it can be read offline', () => {
    expect(scanTyre({ tyre: 21, site: 1 }, at([recall])).record).toMatchObject({
      reason: { kind: 'elsewhere', type: 'to_customer' },
      operation: { _id: 2, companyname: 'Garage Peeters', tyres: 1 },
      tyre: { db_id: 21 },
    })
  })
})

describe('a place', () => {
  const places = [{ _id: 5, stock_rack: 'A-01' }]
  it.each<[string, number, number, IntakeState, typeof places | undefined, string]>([
    ['takes the tyres before it', 5, 1, at([storage], waits(11)), places, 'location location waiting to_stock send'],
    [
      'takes them also where no list of places is here',
      6,
      1,
      at([storage], waits(11)),
      undefined,
      'location location waiting to_stock send',
    ],
    [
      'is refused while another type is scanned',
      5,
      1,
      { ...at([storage], waits(11)), type: 'to_waste' },
      places,
      'misplaced misplaced noted to_waste',
    ],
    ['is refused when it is unknown', 6, 1, at([storage], waits(11)), places, 'misplaced misplaced noted to_stock'],
    ['is refused before any tyre', 5, 1, at([storage]), places, 'misplaced misplaced noted to_stock'],
    ['of another site is only shown', 5, 2, at([storage], waits(11)), places, 'other_site other_site noted to_stock'],
  ])('%s', (_, location, site, state, list, expected) => {
    expect(line(scanPlace({ location, site }, state, list))).toBe(expected)
  })

  it('sounds otherwise when tyres of another vehicle are left over', () => {
    const rest = [{ plate: '2DEF567', tyres: [21] }]
    const step = putOnPlace({ location: 5, rack: 'A-01' }, { plate: '1ABC234', tyres: [11] }, rest)
    expect(step).toMatchObject({ sound: 'duplicate', record: { place: { location: 5, tyres: [11], rest } } })
  })
})

it('a scan that is no label of ours keeps the beginning of its text', () => {
  const step = scanUnreadable(` ${'4'.repeat(60)} `, 'to_waste')
  expect(line(step)).toBe('unreadable unreadable noted to_waste')
  expect(step.record.reason).toEqual({ kind: 'read', text: '4'.repeat(40) })
})

describe('a new list', () => {
  const late = (facts: Parameters<typeof sampleScan>[0]) => sampleScan({ tyre: null, operation: null, ...facts })
  const results = (history: ScanRecord[], operations = [storage]) =>
    recheck(history, tyreIndex(operations), 1000).map(({ record, sound, sends }) => [
      record.scanId,
      record.outcome,
      record.state,
      sound,
      sends,
    ])

  it('explains a missing tyre with a sound, and a scan that was made without a list without one', () => {
    expect(results([late({ scanId: 'm', tyreId: 11, at: 1, outcome: 'missing', state: 'noted' })])).toEqual([
      ['m', 'found', 'waiting', 'found', false],
    ])
    expect(results([late({ scanId: 'u', tyreId: 11, at: 1, outcome: 'unchecked' })])).toEqual([
      ['u', 'found', 'waiting', null, false],
    ])
  })

  it('completes an operation with the last of them, which sends', () => {
    const history = [
      late({ scanId: 'b', tyreId: 12, at: 2, outcome: 'missing', state: 'noted' }),
      late({ scanId: 'a', tyreId: 11, at: 1, outcome: 'missing', state: 'noted' }),
    ]
    expect(results(history)).toEqual([
      ['a', 'found', 'waiting', 'found', false],
      ['b', 'found', 'waiting', 'complete', true],
    ])
  })

  it('counts the first of several scans of a tyre', () => {
    const history = [
      late({ scanId: 'b', tyreId: 11, at: 2, outcome: 'unchecked', state: 'noted' }),
      late({ scanId: 'a', tyreId: 11, at: 1, outcome: 'unchecked' }),
    ]
    expect(results(history)).toEqual([
      ['a', 'found', 'waiting', null, false],
      ['b', 'duplicate', 'noted', null, false],
    ])
  })
})
