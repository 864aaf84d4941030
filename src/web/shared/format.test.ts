import { expect, test } from 'vitest'
import { formatDate, formatDepth, formatMoment } from './format.ts'

test('a day is written DD/MM/YYYY, no day is nothing', () => {
  expect(formatDate('2026-03-09')).toBe('09/03/2026')
  expect(formatDate(null)).toBe('')
  expect(formatDate(undefined)).toBe('')
})

test('a moment is written on the clock of the site, on both sides of midnight and of a clock change', () => {
  expect(formatMoment('2026-06-30T22:15:09Z', 'Europe/Brussels')).toBe('01/07/2026 00:15:09')
  expect(formatMoment('2026-06-30T22:15:09Z', 'America/New_York')).toBe('30/06/2026 18:15:09')
  expect(formatMoment('2026-10-25T01:30:00Z', 'Europe/Brussels')).toBe('25/10/2026 02:30:00')
  expect(formatMoment('2026-10-25T00:30:00Z', 'Europe/Brussels')).toBe('25/10/2026 02:30:00')
  expect(formatMoment(null, 'Europe/Brussels')).toBe('')
})

test('a depth keeps up to two decimals and speaks the language of the page', () => {
  expect(formatDepth(6, 'en')).toBe('6.0')
  expect(formatDepth(6.25, 'nl')).toBe('6,25')
  expect(formatDepth(0, 'de')).toBe('0,0')
  expect(formatDepth(null, 'en')).toBe('')
})
