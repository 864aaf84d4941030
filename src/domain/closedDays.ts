/**
 * The days on which a tyre hotel is closed (docs/product.md "Closed days"), and the public holidays that are offered for them: the
 * national ones of five countries. What only a region keeps is left to the site.
 */
import { addDays, weekday, type IsoDate } from './date.ts'

/** Countries by their ISO 3166-1 code. */
export const countries = ['BE', 'NL', 'FR', 'DE', 'LU'] as const
export type Country = (typeof countries)[number]

export const holidays = [
  'newYear',
  'goodFriday',
  'easterMonday',
  'kingsDay',
  'labourDay',
  'liberationDay',
  'victoryDay',
  'europeDay',
  'ascension',
  'whitMonday',
  'nationalDay',
  'assumption',
  'germanUnity',
  'allSaints',
  'armistice',
  'christmas',
  'secondChristmas',
] as const
type Holiday = (typeof holidays)[number]

/** A closed day: a public holiday, or one with a name of the site's own, which may be empty. */
export type ClosedDay = { day: IsoDate; holiday: Holiday | null; name: string }

export const maxClosedDays = 1000
export const maxClosedDayName = 60

const zones: Readonly<Record<string, Country>> = {
  'Europe/Brussels': 'BE',
  'Europe/Amsterdam': 'NL',
  'Europe/Paris': 'FR',
  'Europe/Berlin': 'DE',
  'Europe/Busingen': 'DE',
  'Europe/Luxembourg': 'LU',
}

/** The country of a time zone, `null` for any other than the five. */
export const countryOf = (timeZone: string): Country | null => zones[timeZone] ?? null

/**
 * Easter Sunday of a year of the Gregorian calendar, from 1583 on. Source: J. Meeus, Astronomical Algorithms, 2nd edition, chapter 8
 * (the anonymous algorithm of Nature, 20 April 1876).
 */
export function easterSunday(year: number): IsoDate {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const [d, e] = [Math.floor(b / 4), b % 4]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, `${two(Math.floor(n / 31))}-${two((n % 31) + 1)}`)
}

const two = (number: number): string => String(number).padStart(2, '0')
const dayOf = (year: number, monthAndDay: string): IsoDate => `${String(year).padStart(4, '0')}-${monthAndDay}`

/** The King's birthday is celebrated on 27 April, on the 26th when that is a Sunday (Koninklijk besluit of 17 May 2013). */
function kingsDay(year: number): IsoDate {
  const birthday = dayOf(year, '04-27')
  return weekday(birthday) === 0 ? addDays(birthday, -1) : birthday
}

/** A month and day, a number of days after Easter Sunday, or the day of a year. */
type Rule = string | number | ((year: number) => IsoDate)
const isFixed = (rule: Rule): number => Number(typeof rule !== 'number')
const common = { newYear: '01-01', easterMonday: 1, ascension: 39, whitMonday: 50, christmas: '12-25' } as const

/**
 * The national public holidays. Sundays that are holidays every year, such as Easter Sunday, are left out.
 *
 * Sources: BE: Koninklijk besluit / Arrêté royal of 18 April 1974, article 1. NL: Algemene termijnenwet, article 3 (Good Friday
 * included). FR: Code du travail, article L3133-1. DE: the nine days that the laws of all sixteen Länder name, 3 October by the
 * Einigungsvertrag, article 2. LU: Code du travail, article L. 232-2 (9 May since the law of 25 April 2019).
 */
const rules: Readonly<Record<Country, Partial<Record<Holiday, Rule>>>> = {
  BE: {
    ...common,
    labourDay: '05-01',
    nationalDay: '07-21',
    assumption: '08-15',
    allSaints: '11-01',
    armistice: '11-11',
  },
  NL: { ...common, goodFriday: -2, kingsDay, liberationDay: '05-05', secondChristmas: '12-26' },
  FR: {
    ...common,
    labourDay: '05-01',
    victoryDay: '05-08',
    nationalDay: '07-14',
    assumption: '08-15',
    allSaints: '11-01',
    armistice: '11-11',
  },
  DE: { ...common, goodFriday: -2, labourDay: '05-01', germanUnity: '10-03', secondChristmas: '12-26' },
  LU: {
    ...common,
    labourDay: '05-01',
    europeDay: '05-09',
    nationalDay: '06-23',
    assumption: '08-15',
    allSaints: '11-01',
    secondChristmas: '12-26',
  },
}

/** The public holidays of a country in a year, by date, as the law has them today. Two on one day are one, called by the one with a fixed date. */
export function publicHolidays(country: Country, year: number): ClosedDay[] {
  const easter = easterSunday(year)
  const byDay = new Map<IsoDate, ClosedDay>()
  const fixedLast = Object.entries(rules[country]).toSorted(([, one], [, other]) => isFixed(one) - isFixed(other))
  for (const [holiday, rule] of fixedLast) {
    const day =
      typeof rule === 'number' ? addDays(easter, rule) : typeof rule === 'string' ? dayOf(year, rule) : rule(year)
    byDay.set(day, { day, holiday: holiday as Holiday, name: '' })
  }
  return [...byDay.values()].toSorted(byDate)
}

/** Compares closed days by date. */
export const byDate = (one: { day: IsoDate }, other: { day: IsoDate }): number => (one.day < other.day ? -1 : 1)
