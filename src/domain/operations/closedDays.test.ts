import { describe, expect, test } from 'vitest'
import { countries, countryOf, easterSunday, publicHolidays } from './closedDays.ts'
import { weekday } from '../texts/date.ts'

// From the tables of the Astronomical Society of South Australia, and the two extremes.
test.each([
  [1818, '1818-03-22'],
  [1943, '1943-04-25'],
  [1954, '1954-04-18'],
  [1981, '1981-04-19'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2038, '2038-04-25'],
  [2049, '2049-04-18'],
])('Easter %i is on %s', (year, day) => {
  expect(easterSunday(year)).toBe(day)
})

const named = (...[country, year]: Parameters<typeof publicHolidays>) =>
  publicHolidays(country, year).map(({ day, holiday }) => `${day.slice(5)} ${holiday}`)

describe('the public holidays of 2026', () => {
  test('of Belgium are ten', () => {
    expect(named('BE', 2026)).toEqual([
      '01-01 newYear',
      '04-06 easterMonday',
      '05-01 labourDay',
      '05-14 ascension',
      '05-25 whitMonday',
      '07-21 nationalDay',
      '08-15 assumption',
      '11-01 allSaints',
      '11-11 armistice',
      '12-25 christmas',
    ])
  })
  test('of the Netherlands have Good Friday, the King’s birthday and Liberation Day', () => {
    expect(named('NL', 2026)).toEqual([
      '01-01 newYear',
      '04-03 goodFriday',
      '04-06 easterMonday',
      '04-27 kingsDay',
      '05-05 liberationDay',
      '05-14 ascension',
      '05-25 whitMonday',
      '12-25 christmas',
      '12-26 secondChristmas',
    ])
  })
  test('of France are eleven', () => {
    expect(named('FR', 2026)).toEqual([
      '01-01 newYear',
      '04-06 easterMonday',
      '05-01 labourDay',
      '05-08 victoryDay',
      '05-14 ascension',
      '05-25 whitMonday',
      '07-14 nationalDay',
      '08-15 assumption',
      '11-01 allSaints',
      '11-11 armistice',
      '12-25 christmas',
    ])
  })
  test('of all of Germany are nine', () => {
    expect(named('DE', 2026)).toEqual([
      '01-01 newYear',
      '04-03 goodFriday',
      '04-06 easterMonday',
      '05-01 labourDay',
      '05-14 ascension',
      '05-25 whitMonday',
      '10-03 germanUnity',
      '12-25 christmas',
      '12-26 secondChristmas',
    ])
  })
  test('of Luxembourg are eleven', () => {
    expect(named('LU', 2026)).toEqual([
      '01-01 newYear',
      '04-06 easterMonday',
      '05-01 labourDay',
      '05-09 europeDay',
      '05-14 ascension',
      '05-25 whitMonday',
      '06-23 nationalDay',
      '08-15 assumption',
      '11-01 allSaints',
      '12-25 christmas',
      '12-26 secondChristmas',
    ])
  })
})

test('the King’s birthday is celebrated on Saturday when it is a Sunday', () => {
  expect(named('NL', 2025)).toContain('04-26 kingsDay')
  expect(named('NL', 2031)).toContain('04-26 kingsDay')
  expect(named('NL', 2027)).toContain('04-27 kingsDay')
})
test('two holidays on one day are one', () => {
  // Ascension 2008 was on 1 May, 2016 on 5 May
  expect(named('BE', 2008)).toHaveLength(9)
  expect(new Set(named('NL', 2016).map(day => day.slice(0, 5))).size).toBe(named('NL', 2016).length)
})
test('in every year each day is of that year, once and in order, and the moving ones are on their weekday', () => {
  const onWeekday = { goodFriday: 5, easterMonday: 1, ascension: 4, whitMonday: 1 } as const
  for (const country of countries)
    for (let year = 1990; year <= 2100; year += 1) {
      const days = publicHolidays(country, year)
      expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].toSorted())
      for (const { day, holiday } of days) {
        expect(day.slice(0, 4)).toBe(String(year))
        if (holiday && holiday in onWeekday) expect(weekday(day)).toBe(onWeekday[holiday as keyof typeof onWeekday])
      }
    }
})
test('a country is that of the time zone, and none where that says nothing', () => {
  expect(countryOf('Europe/Brussels')).toBe('BE')
  expect(countryOf('Europe/Luxembourg')).toBe('LU')
  expect(countryOf('America/New_York')).toBeNull()
})

describe('the public holidays of the other countries', () => {
  // as many as the law of each names, Sundays that are holidays every year left out
  test.each([
    ['AT', 13],
    ['CH', 4],
    ['IT', 12],
    ['ES', 9],
    ['PL', 12],
    ['CZ', 13],
    ['DK', 8],
    ['SE', 11],
    ['NO', 10],
    ['FI', 11],
    ['GB', 6],
  ] as const)('of %s are %i', (country, count) => {
    expect(publicHolidays(country, 2026)).toHaveLength(count)
  })
  test('are a Saturday in Sweden and Finland for midsummer and All Saints', () => {
    for (const country of ['SE', 'FI'] as const)
      expect(named(country, 2026)).toEqual(expect.arrayContaining(['06-20 midsummer', '10-31 allSaints']))
    expect(named('SE', 2027)).toEqual(expect.arrayContaining(['06-26 midsummer', '11-06 allSaints']))
  })
  test('of the United Kingdom are on the next working day when they fall on a weekend', () => {
    expect(named('GB', 2026)).toEqual([
      '01-01 newYear',
      '04-03 goodFriday',
      '05-04 earlyMay',
      '05-25 springBank',
      '12-25 christmas',
      '12-28 secondChristmas',
    ])
    // Christmas on a Saturday, and on a Sunday
    expect(named('GB', 2027).slice(-2)).toEqual(['12-27 christmas', '12-28 secondChristmas'])
    expect(named('GB', 2022)[0]).toBe('01-03 newYear')
    expect(named('GB', 2022).slice(-2)).toEqual(['12-26 secondChristmas', '12-27 christmas'])
  })
  test('are offered where the site’s time zone is theirs', () => {
    expect(['Europe/Vienna', 'Europe/London', 'Africa/Ceuta', 'Asia/Tokyo'].map(countryOf)).toEqual([
      'AT',
      'GB',
      'ES',
      null,
    ])
  })
})
