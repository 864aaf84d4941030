import { expect, it } from 'vitest'
import { sortRows } from './sortRows.ts'

const ordered = (keys: readonly (string | number | null)[], desc = false) =>
  sortRows(keys, key => key, { desc, language: 'en' })

it('sorts numbers by size and numbers within texts too', () => {
  expect(ordered([10, 9.5, 0])).toEqual([0, 9.5, 10])
  expect(ordered(['10A', '2A', '1B'])).toEqual(['1B', '2A', '10A'])
})

it('puts what is not filled in last, whichever way', () => {
  expect(ordered([null, 2, 1])).toEqual([1, 2, null])
  expect(ordered([null, 2, 1], true)).toEqual([2, 1, null])
  expect(ordered(['', 'b', 'a'], true)).toEqual(['b', 'a', ''])
})

it('keeps the order of equal rows, also downwards', () => {
  const rows = [
    { key: 'a', nth: 1 },
    { key: 'B', nth: 2 },
    { key: 'A', nth: 3 },
  ]
  const nths = (desc: boolean) => sortRows(rows, row => row.key, { desc, language: 'en' }).map(row => row.nth)
  expect(nths(false)).toEqual([1, 3, 2])
  expect(nths(true)).toEqual([2, 1, 3])
})
