import { describe, expect, test } from 'vitest'
import {
  countLocations,
  fillOf,
  freeAt,
  isRemovable,
  isLocationName,
  kindsBelow,
  expandNames,
  planLocations,
  totalsOf,
  type Level,
  type LocationKind,
} from './location.ts'

describe('names by pattern', () => {
  test.each([
    ['1 to 4', ['1', '2', '3', '4']],
    ['08 to 11', ['08', '09', '10', '11']],
    ['A to D', ['A', 'B', 'C', 'D']],
    ['R09 to R11', ['R09', 'R10', 'R11']],
    ['R09 to 11', ['R09', 'R10', 'R11']],
    ['1..3', ['1', '2', '3']],
    ['1 tot 3', ['1', '2', '3']],
    ['1 à 3', ['1', '2', '3']],
    ['1 bis 3', ['1', '2', '3']],
    ['A, B ,cold store, 7 to 8', ['A', 'B', 'cold store', '7', '8']],
    ['5 to 5', ['5']],
  ])('%s', (pattern, names) => {
    expect(expandNames(pattern, 'rack')).toEqual(names)
  })
  test.each([
    '',
    ' , ',
    '4 to 1',
    'A to f',
    '1 to B',
    'A1 to B3',
    '1 to 2 to 3',
    'A, a',
    'A-1',
    'x'.repeat(31),
    '1 to 999999',
  ])('%j stands for nothing', pattern => {
    expect(expandNames(pattern, 'rack')).toBeNull()
  })
  test('the name of a site may hold the mark that stands between the others', () => {
    expect(isLocationName('Gent-Noord', 'site')).toBe(true)
    expect(isLocationName('Gent-Noord', 'zone')).toBe(false)
    expect(expandNames('Gent-Noord', 'site')).toEqual(['Gent-Noord'])
  })
  test('what lies in a rack is a shelf or a place, and nothing lies in a place', () => {
    expect(kindsBelow('rack')).toEqual(['shelf', 'place'])
    expect(kindsBelow('place')).toEqual([])
    expect(kindsBelow(null)[0]).toBe('site')
  })
})

const level = (kind: Level['kind'], ...names: string[]): Level => ({ kind, names })
const walked = (levels: Level[], from = { after: 0, aisles: 0 }) =>
  planLocations(levels, from)
    .filter(({ leaf }) => leaf)
    .sort((a, b) => a.walk - b.walk)
    .map(({ way }) => way.join('-'))

describe('a branch', () => {
  const levels = [level('zone', 'A'), level('rack', '1', '2'), level('shelf', '1', '2'), level('place', '1', '2', '3')]

  test('holds what holds others before what it holds, as many as were counted', () => {
    const planned = planLocations(levels, { after: 0, aisles: 0 })
    expect(planned).toHaveLength(countLocations(levels))
    expect(countLocations(levels)).toBe(1 + 2 + 4 + 12)
    const paths = new Set([''])
    for (const { way } of planned) {
      expect(paths.has(way.slice(0, -1).join('-'))).toBe(true)
      paths.add(way.join('-'))
    }
  })

  test('is walked up one rack and down the next, every shelf of a spot before the next step', () => {
    expect(walked(levels)).toEqual([
      'A-1-1-1',
      'A-1-2-1',
      'A-1-1-2',
      'A-1-2-2',
      'A-1-1-3',
      'A-1-2-3',
      'A-2-1-3',
      'A-2-2-3',
      'A-2-1-2',
      'A-2-2-2',
      'A-2-1-1',
      'A-2-2-1',
    ])
  })

  test('keeps the turn when racks are added, after those that are there', () => {
    const added = [level('rack', '3'), level('place', '1', '2')]
    expect(walked(added, { after: 1999, aisles: 3 })).toEqual(['3-2', '3-1'])
    expect(
      Math.min(
        ...planLocations(added, { after: 1999, aisles: 3 })
          .filter(({ leaf }) => leaf)
          .map(({ walk }) => walk),
      ),
    ).toBeGreaterThan(1999)
  })

  test('gives every place a walk of its own, however many shelves and spots a rack has', () => {
    const many = (count: number) => Array.from({ length: count }, (_, nth) => String(nth + 1))
    const wide = [level('rack', '1', '2', '3'), level('shelf', ...many(12)), level('place', ...many(130))]
    const walks = planLocations(wide, { after: 4321, aisles: 1 })
      .filter(({ leaf }) => leaf)
      .map(({ walk }) => walk)
    expect(new Set(walks).size).toBe(3 * 12 * 130)
    const racks = [0, 1, 2].map(nth => walks.slice(nth * 1560, (nth + 1) * 1560))
    expect(Math.max(...racks[0]!)).toBeLessThan(Math.min(...racks[1]!))
    expect(Math.max(...racks[1]!)).toBeLessThan(Math.min(...racks[2]!))
  })

  test('may end at a zone or a rack, which then holds tyres itself', () => {
    expect(walked([level('zone', 'floor', 'yard')])).toHaveLength(2)
    expect(walked([level('rack', '1', '2', '3')])).toEqual(['1', '2', '3'])
  })
})

describe('what lies in a branch', () => {
  test('is what lies in all that is below it', () => {
    const node = (
      _id: number,
      parent: number | null,
      capacity = 0,
      tyre_count = 0,
      coming = 0,
      kind: LocationKind = 'place',
    ) => ({
      _id,
      parent,
      kind,
      capacity,
      tyre_count,
      coming,
    })
    const totals = totalsOf([
      node(1, null),
      node(2, 1),
      node(3, 2, 4, 4),
      node(4, 2, 8, 1, 3),
      node(5, 1, 2, 0),
      node(6, 1, 12, 4, 0, 'cart'),
    ])
    expect(totals.get(1)).toEqual({ places: 3, capacity: 14, tyre_count: 5, coming: 3 })
    expect(totals.get(2)).toEqual({ places: 2, capacity: 12, tyre_count: 5, coming: 3 })
    expect(totals.get(6)).toEqual({ places: 0, capacity: 12, tyre_count: 4, coming: 0 })
    const stocks = [
      { capacity: 4, tyre_count: 0, coming: 0 },
      { capacity: 4, tyre_count: 1, coming: 0 },
      { capacity: 4, tyre_count: 0, coming: 1 },
      { capacity: 4, tyre_count: 1, coming: 3 },
      { capacity: 4, tyre_count: 5, coming: 0 },
    ]
    expect(stocks.map(fillOf)).toEqual(['free', 'used', 'used', 'full', 'full'])
    expect(stocks.map(freeAt)).toEqual([4, 3, 3, 0, 0])
    expect(stocks.map(isRemovable)).toEqual([true, false, false, false, false])
  })
})
