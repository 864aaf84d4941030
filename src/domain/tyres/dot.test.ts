import { expect, test } from 'vitest'
import { ageOf, dotRefusal, firstDay, madeIn, normalizeDot } from './dot.ts'

const today = '2026-11-26'
const refused = (dot: string, retreaded = '') =>
  dotRefusal({ dot: normalizeDot(dot), retreaded: normalizeDot(retreaded) }, today)?.code ?? null

test('the week is read from four digits, and from the whole code however it is written', () => {
  for (const typed of ['2319', 'DOT 4B9R JU1X 2319', 'dot 4b9r-ju1x-2319', ' 4B9RJU1X 2319', '1XB 4B9R JU1X 2319'])
    expect([typed, madeIn(normalizeDot(typed))]).toEqual([typed, { week: 23, year: 2019 }])
})

test('a week that no year has, a code of before 2000 and anything else is no week', () => {
  for (const typed of ['0019', '5419', '9919', '231', '23199', '4B9R JU1X 238', 'B2319', '2019-06-04', 'Michelin', ''])
    expect([typed, madeIn(normalizeDot(typed))]).toEqual([typed, null])
  expect(madeIn('0119')).toEqual({ week: 1, year: 2019 })
  expect(madeIn('5320')).toEqual({ week: 53, year: 2020 })
})

test('a week begins on its Monday', () => {
  expect(firstDay({ week: 1, year: 2019 })).toBe('2018-12-31')
  expect(firstDay({ week: 23, year: 2019 })).toBe('2019-06-03')
  expect(firstDay({ week: 1, year: 2021 })).toBe('2021-01-04')
  expect(firstDay({ week: 53, year: 2020 })).toBe('2020-12-28')
})

test('an impossible date is refused: no week, one to come, a retreading before the tyre was made', () => {
  expect(refused('0019')).toBe('tyre.dot_unreadable')
  expect(refused('5419')).toBe('tyre.dot_unreadable')
  expect(refused('2319', '99')).toBe('tyre.dot_unreadable')
  expect(refused('4826')).toBeNull()
  expect(refused('4926')).toBe('tyre.dot_future')
  expect(refused('0199')).toBe('tyre.dot_future')
  expect(refused('2319', '1018')).toBe('tyre.dot_order')
  expect(refused('2319', '2319')).toBeNull()
  expect(refused('', '1018')).toBeNull()
  expect(refused('')).toBeNull()
})

test('a tyre warns from six years on, and more from ten, by the day; retreaded it counts from its retreading', () => {
  const age = (dot: string, day: string, retreaded = '') => {
    const { years, warning } = ageOf({ dot, retreaded }, day) ?? {}
    return [years, warning]
  }
  expect(age('2319', '2019-06-03')).toEqual([0, null])
  expect(age('2319', '2025-06-02')).toEqual([5, null])
  expect(age('2319', '2025-06-03')).toEqual([6, 'old'])
  expect(age('2319', '2029-06-02')).toEqual([9, 'old'])
  expect(age('2319', '2029-06-03')).toEqual([10, 'tooOld'])
  expect(age('2309', '2026-11-26', '1024')).toEqual([2, null])
  expect(age('', '2026-11-26', '1024')).toEqual([2, null])
  expect(ageOf({ dot: '', retreaded: '' }, today)).toBeNull()
})
