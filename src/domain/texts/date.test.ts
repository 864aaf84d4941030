import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  daysBetween,
  formatDate,
  formatMoment,
  fromYmd,
  isIsoDate,
  periodProblem,
  today,
  wallClock,
  weekday,
} from './date.ts'

/** Any day of the years 1000 to 8999, so that adding stays within four digits. */
const day = fc
  .integer({ min: Date.UTC(1000, 0, 1) / 86_400_000, max: Date.UTC(8999, 11, 31) / 86_400_000 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10))

/** Months since the year 0. */
const monthOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))

describe('a day of the calendar', () => {
  test.each(['2026-01-01', '2024-02-29', '2000-02-29', '9999-12-31', '0001-01-01'])('%s is one', text => {
    expect(isIsoDate(text)).toBe(true)
  })
  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-1',
    '20260101',
    '',
    'today',
  ])('%j is none', text => {
    expect(isIsoDate(text)).toBe(false)
    expect(() => addDays(text, 1)).toThrow(RangeError)
  })
  test('a day with a time, or with something around it, is none', () => {
    expect(isIsoDate('2026-01-01T00:00:00Z')).toBe(false)
    expect(isIsoDate(' 2026-01-01')).toBe(false)
    expect(isIsoDate('2026-01-01\n')).toBe(false)
  })
})

describe('counting', () => {
  test('days go over months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2025-02-28', 1)).toBe('2025-03-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  })
  test('a day outside four-digit years is refused', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
    expect(() => addMonths('9999-12-01', 1)).toThrow(RangeError)
    expect(() => addDays('0000-01-01', -1)).toThrow(RangeError)
  })
  test.each([
    ['2026-08-31', 6, '2027-02-28'],
    ['2027-08-31', 6, '2028-02-29'],
    ['2026-10-31', 1, '2026-11-30'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-05-15', 6, '2026-11-15'],
    ['2026-05-15', -12, '2025-05-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-12-31', 2, '2027-02-28'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(from, months)).toBe(to)
  })
  test('adding days and counting them agree', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -100_000, max: 100_000 }), (from, days) => {
        expect(daysBetween(from, addDays(from, days))).toBe(days)
      }),
    )
  })
  test('a month later is in the next month, on the same day or on its last', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -600, max: 600 }), (from, months) => {
        const to = addMonths(from, months)
        expect(monthOf(to) - monthOf(from)).toBe(months)
        const clamped = to.slice(8) !== from.slice(8)
        expect(clamped ? addDays(to, 1).slice(8) : '01').toBe('01')
        expect(to.slice(8) <= from.slice(8)).toBe(true)
      }),
    )
  })
  test('the week begins on Sunday and has seven days', () => {
    expect(['2026-11-15', '2026-11-16', '2026-11-21'].map(weekday)).toEqual([0, 1, 6])
    fc.assert(
      fc.property(day, date => {
        expect(weekday(addDays(date, 1))).toBe((weekday(date) + 1) % 7)
      }),
    )
  })
  test('days sort as text', () => {
    fc.assert(
      fc.property(day, day, (a, b) => {
        expect(a < b).toBe(daysBetween(a, b) > 0)
      }),
    )
  })
})

describe('YYYYMMDD', () => {
  test('names a day', () => {
    expect(fromYmd('20261120')).toBe('2026-11-20')
    fc.assert(
      fc.property(day, date => {
        expect(fromYmd(date.replaceAll('-', ''))).toBe(date)
      }),
    )
  })
  test.each(['', '2026112', '202611200', '20260230', '2026-11-20', '2026112O'])('%j names no day', text => {
    expect(fromYmd(text)).toBeNull()
  })
})

describe('the day and the clock of a time zone', () => {
  const brussels = 'Europe/Brussels'
  test.each([
    ['2026-06-30T21:59:59Z', brussels, '2026-06-30', '23:59:59'],
    ['2026-06-30T22:00:00Z', brussels, '2026-07-01', '00:00:00'],
    ['2026-12-31T22:59:59Z', brussels, '2026-12-31', '23:59:59'],
    ['2026-12-31T23:00:00Z', brussels, '2027-01-01', '00:00:00'],
    // clocks go forward on 29 March 2026: 02:00 becomes 03:00
    ['2026-03-29T00:59:59Z', brussels, '2026-03-29', '01:59:59'],
    ['2026-03-29T01:00:00Z', brussels, '2026-03-29', '03:00:00'],
    // and back on 25 October 2026: 03:00 becomes 02:00
    ['2026-10-25T00:59:59Z', brussels, '2026-10-25', '02:59:59'],
    ['2026-10-25T01:00:00Z', brussels, '2026-10-25', '02:00:00'],
    // the day before and after a change begin at midnight there
    ['2026-03-28T23:00:00Z', brussels, '2026-03-29', '00:00:00'],
    ['2026-03-29T22:00:00Z', brussels, '2026-03-30', '00:00:00'],
    ['2026-10-25T23:00:00Z', brussels, '2026-10-26', '00:00:00'],
    // a zone where the clocks change at midnight, so that the day begins at one
    ['2026-09-06T03:59:59Z', 'America/Santiago', '2026-09-05', '23:59:59'],
    ['2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-06', '01:00:00'],
    ['2026-06-30T23:30:00Z', 'Pacific/Kiritimati', '2026-07-01', '13:30:00'],
    ['2026-07-01T00:30:00Z', 'UTC', '2026-07-01', '00:30:00'],
    ['0987-06-05T04:03:02Z', 'UTC', '0987-06-05', '04:03:02'],
  ])('%s in %s is %s %s', (now, timeZone, date, time) => {
    expect(wallClock({ now: new Date(now), timeZone })).toEqual({ date, time })
    expect(today({ now: new Date(now), timeZone })).toBe(date)
  })
  test('an unknown zone and no moment are refused', () => {
    expect(() => today({ now: new Date(), timeZone: 'Europe/Wheelhouse' })).toThrow(RangeError)
    expect(() => today({ now: new Date('never'), timeZone: 'UTC' })).toThrow(RangeError)
  })
  test('a moment in UTC reads as it is written', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), now => {
        const { date, time } = wallClock({ now, timeZone: 'UTC' })
        expect(`${date}T${time}`).toBe(now.toISOString().slice(0, 19))
      }),
    )
  })
})

test('dates and moments are shown day first', () => {
  expect(formatDate('2026-11-20')).toBe('20/11/2026')
  expect(formatMoment('2026-11-20T12:05:09Z', 'Europe/Brussels')).toBe('20/11/2026 13:05:09')
  expect(formatMoment(new Date('2026-07-01T22:05:09Z'), 'Europe/Brussels')).toBe('02/07/2026 00:05:09')
})

test('a period ends on its first day or later, and has a longest length where there is one', () => {
  const from = '2025-11-28'
  expect(periodProblem({ from, to: from })).toBe(null)
  expect(periodProblem({ from, to: '2025-11-27' })).toBe('turned')
  expect(periodProblem({ from, to: '2026-11-29' }, 366)).toBe(null)
  expect(periodProblem({ from, to: '2026-11-30' }, 366)).toBe('too_long')
  expect(periodProblem({ from, to: '2999-01-01' })).toBe(null)
})
