import { expect, it } from 'vitest'
import { renderedRows } from './progressiveRows.ts'

const page = [1, 2, 3, 4, 5, 6]
const drawn = (count: number, ...before: number[]) =>
  renderedRows(page, { drawing: { count, before: new Set(before) }, keyOf: row => row })

it('the first rows of a page are drawn, and the others later', () => {
  expect(drawn(2)).toEqual([1, 2])
  expect(drawn(4)).toEqual([1, 2, 3, 4])
  expect(drawn(Infinity)).toEqual(page)
})

it('rows that are there already stay, in the order of the page', () => {
  expect(drawn(2, 5, 9, 4)).toEqual([1, 2, 4, 5])
  expect(drawn(2, 6, 5, 4, 3)).toEqual(page)
})
