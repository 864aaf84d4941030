import { describe, expect, test } from 'vitest'
import { calendarDay } from './calendarDay.ts'

describe('a calendar opens on the month', () => {
  const today = '2026-11-29'
  test.each([
    ['of the chosen day', { value: '2027-03-01' }, '2027-03-01'],
    ['of today, where every day can be chosen', {}, '2026-11-29'],
    ['of the first day that can be chosen', { min: '2027-02-10' }, '2027-02-10'],
    ['of today, where days before can be chosen, too', { min: '2020-01-01' }, '2026-11-29'],
    ['of the last day, where all are past', { max: '2026-05-31' }, '2026-05-31'],
    [
      'of the first day that is not excluded',
      { min: '2026-11-30', excluded: (day: string) => day < '2026-12-07' },
      '2026-12-07',
    ],
    [
      'of the first day, where all are excluded',
      { min: '2027-02-10', max: '2027-06-01', excluded: () => true },
      '2027-02-10',
    ],
  ] as const)('%s', (_, choice, day) => {
    expect(calendarDay({ value: null, today, ...choice })).toBe(day)
  })
})
