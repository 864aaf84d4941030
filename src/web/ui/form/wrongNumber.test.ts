import { expect, it } from 'vitest'
import { pastedNumber, wholeNumberIn, wrongNumber } from './numberField.tsx'

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

it.each([
  ['-5', { decimals: 2, signed: true }, -5],
  ['−5,25', { decimals: 2, signed: true }, -5.25],
  ['7,254', { decimals: 2, signed: true }, 7.25],
  ['-1.200', { decimals: 0, signed: true }, -1200],
  ['120.500', { decimals: 0, signed: true }, 120_500],
  ['-5', { decimals: 2, signed: false }, undefined],
  ['72', { decimals: 2, signed: true }, undefined],
  ['1.2.3', { decimals: 2, signed: true }, null],
] as const)('%s pasted into a field of %j is %s', (text, field, number) => {
  expect(pastedNumber(text, { ...field, language: 'nl' })).toBe(number)
})
