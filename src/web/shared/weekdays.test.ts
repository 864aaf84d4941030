import { expect, test } from 'vitest'
import { dayName, weekdayName, weekdaysText } from './weekdays.ts'

test('Sunday is 0 and Saturday 6', () => {
  expect([0, 6].map(day => weekdayName(day, 'en'))).toEqual(['Sunday', 'Saturday'])
  expect(weekdayName(1, 'de')).toBe('Montag')
})

test.each([
  [[1, 2, 3, 4, 5], 'Mon – Fri'],
  [[5, 3, 1], 'Mon, Wed, Fri'],
  [[0, 6], 'Sat, Sun'],
  [[0, 1, 4, 5, 6], 'Mon, Thu – Sun'],
  [[0, 1, 2, 3, 4, 5, 6], 'Mon – Sun'],
  [[], ''],
])('the days %j of a week are %s', (days, text) => {
  expect(weekdaysText(days, 'en')).toBe(text)
})

test('a day is written with its weekday', () => {
  expect(dayName('2026-11-26', 'en')).toBe('Thursday 26/11/2026')
  expect([dayName('2026-11-29', 'nl', 'short'), dayName('2026-11-29', 'de', 'short')]).toEqual([
    'zo 29/11/2026',
    'So 29/11/2026',
  ])
})
