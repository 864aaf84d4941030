import { describe, expect, it } from 'vitest'
import { type Counted, type CountDifference } from '#contract/counts.ts'
import { maxCounted } from '#domain/warehouse/count.ts'
import type { CountedLabel, CountedPlace } from '../scanning/records.ts'
import { outcomeOf, scanPlace, scanWheel, solvable, undo, withSolved } from './countReducer.ts'

const place = (...wheels: CountedLabel[]): CountedPlace => ({ count: 7, location: 5, rack: 'A-01', wheels })
const ours = (tyre: number): CountedLabel => ({ tyre, site: 1 })
const full = place(...Array.from({ length: maxCounted }, (_, nth) => ours(nth + 1)))
const difference = (finding: number, facts: Partial<CountDifference> = {}) =>
  ({ finding, outcome: 'missing', open: true, placeable: true, solved: null, ...facts }) as CountDifference
const counted = (...differences: CountDifference[]): CountedPlace => ({
  ...place(ours(1)),
  result: { count: 7, location: 5, stock_rack: 'A-01-1', found_count: 1, differences } as Counted,
})

describe('a wheel', () => {
  it.each<[string, CountedPlace | null, CountedLabel, string, number | null]>([
    ['needs a place', null, ours(1), 'misplaced said.placeFirst', null],
    ['counts on the open place', place(), ours(1), 'found said.wheel', 1],
    ['counts once', place(ours(1)), ours(1), 'duplicate said.again', null],
    [
      'of another site counts, also with a number that was counted here',
      place(ours(1)),
      { tyre: 1, site: 2 },
      'other_site said.foreign',
      2,
    ],
    [
      'without a label counts each time',
      place({ tyre: null, site: null }),
      { tyre: null, site: null },
      'found said.bare',
      2,
    ],
    ['is refused on a full place', full, ours(9999), 'refused said.full', null],
  ])('%s', (_, open, label, expected, wheels) => {
    const step = scanWheel(open, label, 1)
    expect(`${step.notice.sound} ${step.notice.text}`).toBe(expected)
    expect(step.counted?.wheels.length ?? null).toBe(wheels)
  })
})

describe('Undo', () => {
  it.each<[string, CountedPlace | null, string, CountedLabel[] | null]>([
    ['takes the last wheel back', place(ours(1), ours(2)), 'stepped said.undone', [ours(1)]],
    ['has nothing on an empty place', place(), 'not_now said.nothing', null],
    ['has nothing without a place', null, 'not_now said.nothing', null],
  ])('%s', (_, open, expected, wheels) => {
    const step = undo(open)
    expect(`${step.notice.sound} ${step.notice.text}`).toBe(expected)
    expect(step.counted?.wheels ?? null).toEqual(wheels)
  })
})

describe('a place', () => {
  const places = [{ _id: 5, stock_rack: 'A-01', stock_site_name: 'Hall' }]
  it.each<[string, CountedPlace | null, number, boolean, string, number | null]>([
    ['is begun', null, 5, true, 'location said.place', 5],
    ['ends the one before', place(ours(1)), 6, false, 'location said.place', 6],
    ['goes on when it is scanned again', place(ours(1)), 5, true, 'location said.place', null],
    ['of another count is refused', null, 6, true, 'misplaced said.otherPlace', null],
  ])('%s', (_, open, location, whole, expected, opens) => {
    const step = scanPlace(open, location, { count: 7, places, whole })
    expect(`${step.notice.sound} ${step.notice.text}`).toBe(expected)
    expect(step.opens?.location ?? null).toBe(opens)
  })

  it('without a name is called by its number', () => {
    expect(scanPlace(null, 6, { count: null, places, whole: false })).toMatchObject({
      opens: { count: null, location: 6, rack: null, wheels: [] },
      notice: { params: { place: '#6' } },
    })
  })
})

describe('the answer', () => {
  it.each([
    ['without a difference', counted(), null, { sound: 'complete', text: 'said.clean', params: { place: 'A-01-1' } }],
    [
      'with one',
      counted(difference(1)),
      null,
      { sound: 'elsewhere', text: 'said.differences', params: { place: 'A-01-1', count: 1 } },
    ],
    ['that refuses', place(), 'Gone.', { sound: 'refused', text: 'refused', params: { place: 'A-01', why: 'Gone.' } }],
  ] as const)('%s is said', (_, answered, refusal, notice) => {
    expect(outcomeOf(answered, refusal)).toEqual(notice)
  })

  it('has differences that a command solves: the open ones, each as it can be', () => {
    const { result } = counted(difference(1), difference(2, { open: false }), difference(3, { outcome: 'moved' }))
    expect(solvable(result, 'miss').map(({ finding }) => finding)).toEqual([1])
    expect(solvable(result, 'here').map(({ finding }) => finding)).toEqual([3])
    expect(solvable(undefined, 'miss')).toEqual([])
  })

  it('keeps what was solved, and leaves other places alone', () => {
    const solved = withSolved(counted(difference(1), difference(2)), 1, 'miss')
    expect(solved?.result?.differences.map(({ finding, solved: how, open }) => [finding, how, open])).toEqual([
      [1, 'miss', false],
      [2, null, true],
    ])
    expect(withSolved(counted(difference(2)), 1, 'miss')).toBeNull()
    expect(withSolved(place(), 1, 'miss')).toBeNull()
  })
})
