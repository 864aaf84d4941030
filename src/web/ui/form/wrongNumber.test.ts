import { expect, it } from 'vitest'
import { wholeNumberIn, wrongNumber } from './numberField.tsx'

it.each([
  ['', null],
  [0, null],
  [36_500, null],
  ['120', null],
  [12.7, 'whole'],
  ['12.', null],
  ['-', 'whole'],
  [-3, 'range'],
  [99_999, 'range'],
])('%s typed for a number of days is complained of as %s', (value, wrong) => {
  expect(wrongNumber({ min: 0, max: 36_500, value })).toBe(wrong)
})

it.each([
  ['120.500', 120_500],
  ['1.234', 1234],
  ['12.7', 12.7],
  ['12.', '12.'],
  ['-', '-'],
  ['-5', -5],
  ['', ''],
])('%s in a field for a whole number is %s', (text, number) => {
  expect(wholeNumberIn(text)).toBe(number)
})
