import { expect, test } from 'vitest'
import { monthsOf, weekEndsOf } from './figures.ts'

test('the months are the one that has begun and the twelve before', () => {
  const months = monthsOf('2028-02-29')
  expect([months[0], months[11], months.at(-1), months.length]).toEqual(['2027-02-01', '2028-01-01', '2028-02-01', 13])
  expect(monthsOf('2026-12-31').at(-1)).toBe('2026-12-01')
})

test('the weeks end on Sundays, and the one that has begun today', () => {
  const ends = weekEndsOf('2026-11-26')
  expect(ends.slice(-2)).toEqual(['2026-11-22', '2026-11-26'])
  expect([ends[0], ends.length]).toEqual(['2025-11-30', 53])
  expect(weekEndsOf('2026-11-29').slice(-2)).toEqual(['2026-11-22', '2026-11-29'])
})
