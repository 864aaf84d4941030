import { expect, test } from 'vitest'
import { formatDate, formatDepth, formatMoment, locationChoices } from './format.ts'

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

test('racks of the same name in two halls are told apart, and the hall of all is not repeated', () => {
  const rack = (_id: number, stock_site_name: string) => ({ _id, stock_rack: 'A-01', stock_site_name })
  expect(locationChoices([rack(1, 'Hall 1'), rack(2, 'Hall 2')]).map(({ label }) => label)).toEqual([
    'A-01 · Hall 1',
    'A-01 · Hall 2',
  ])
  expect(locationChoices([rack(1, 'Hall 1'), { ...rack(3, 'Hall 1'), stock_rack: '' }])).toEqual([
    { value: '1', label: 'A-01' },
    { value: '3', label: 'Hall 1' },
  ])
})
