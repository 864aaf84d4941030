import { expect, test } from 'vitest'
import type { Location } from '#contract/locations.ts'
import { above, findRacks, labelledIn, rowsOf, totalsAt, treeOf } from './locationTree.ts'

const at = (
  _id: number,
  parent: number | null,
  kind: Location['kind'],
  name: string,
  stock_rack: string,
  more: Partial<Location> = {},
): Location => ({
  _id,
  parent,
  kind,
  name,
  stock_rack,
  stock_site_name: 'Hall',
  walk: 0,
  capacity: 0,
  coming: 0,
  tyre_count: 0,
  maxDiameter: null,
  maxWidth: null,
  maxWeight: null,
  takes: null,
  ...more,
})
const tree = treeOf([
  at(1, null, 'site', 'Hall', ''),
  at(2, 1, 'rack', '10', '10'),
  at(3, 1, 'rack', '2', '2'),
  at(4, 3, 'place', '1', '2-1', { capacity: 4, tyre_count: 4, walk: 20 }),
  at(5, 3, 'place', '2', '2-2', { capacity: 4, tyre_count: 1, walk: 10 }),
  at(6, 2, 'place', '21', '10-21', { capacity: 8, walk: 30 }),
])
const ids = (locations: readonly { _id: number }[]) => locations.map(({ _id }) => _id)

test('a closed location hides what lies in it, and racks are counted as a person counts', () => {
  expect(rowsOf(tree, new Set()).map(({ location, open }) => [location._id, open])).toEqual([[1, false]])
  expect(rowsOf(tree, new Set([1, 3])).map(({ location, level, open }) => [location._id, level, open])).toEqual([
    [1, 1, true],
    [3, 2, true],
    [4, 3, null],
    [5, 3, null],
    [2, 2, false],
  ])
})
test('a branch holds what all its places hold', () => {
  expect(totalsAt(tree, 1)).toEqual({ places: 3, capacity: 16, tyre_count: 5, coming: 0 })
  expect(totalsAt(tree, 99)).toEqual({ places: 0, capacity: 0, tyre_count: 0, coming: 0 })
})
test('a rack is found by its letters and digits, what begins with them first', () => {
  expect(ids(findRacks(tree, '21'))).toEqual([4, 6])
  expect(ids(findRacks(tree, '2 - 2'))).toEqual([5])
  expect(ids(findRacks(tree, 'hall'))).toEqual([1])
  expect(findRacks(tree, ' - ')).toEqual([])
})
test('the labels of a branch are those of its places, in the order of the walk', () => {
  expect(labelledIn(tree, 1)).toEqual([5, 4, 6])
  expect(labelledIn(treeOf([at(1, null, 'site', 'Hall', '')]), 1)).toEqual([1])
  expect(above(tree, 4)).toEqual([1, 3])
})
