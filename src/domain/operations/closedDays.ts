/**
 * The days on which a tyre hotel is closed (docs/product/operations.md "Closed days"), and the public holidays that are offered for them: the
 * national ones of sixteen countries. What only a region keeps is left to the site.
 */
import type { Language } from '../people/account.ts'
import { addDays, weekday, type IsoDate } from '../texts/date.ts'

/** Countries by their ISO 3166-1 code. */
export const countries = [
  'BE',
  'NL',
  'FR',
  'DE',
  'LU',
  'AT',
  'CH',
  'IT',
  'ES',
  'PL',
  'CZ',
  'DK',
  'SE',
  'NO',
  'FI',
  'GB',
] as const
export type Country = (typeof countries)[number]

/** The language that a site in a country begins with: one of the country's that the portal has, else English. */
export const languageOfCountry = {
  BE: 'dut',
  NL: 'dut',
  FR: 'fre',
  LU: 'fre',
  DE: 'ger',
  AT: 'ger',
  CH: 'ger',
  IT: 'eng',
  ES: 'eng',
  PL: 'eng',
  CZ: 'eng',
  DK: 'eng',
  SE: 'eng',
  NO: 'eng',
  FI: 'eng',
  GB: 'eng',
} as const satisfies Record<Country, Language>

export const holidays = [
  'newYear',
  'epiphany',
  'maundyThursday',
  'goodFriday',
  'easterMonday',
  'kingsDay',
  'labourDay',
  'constitutionDay',
  'earlyMay',
  'springBank',
  'liberationDay',
  'victoryDay',
  'europeDay',
  'ascension',
  'whitMonday',
  'corpusChristi',
  'midsummer',
  'cyrilAndMethodius',
  'janHus',
  'nationalDay',
  'assumption',
  'statehoodDay',
  'germanUnity',
  'saintFrancis',
  'allSaints',
  'armistice',
  'freedomDay',
  'immaculateConception',
  'christmasEve',
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
  'Europe/Vienna': 'AT',
  'Europe/Zurich': 'CH',
  'Europe/Rome': 'IT',
  'Europe/Madrid': 'ES',
  'Africa/Ceuta': 'ES',
  'Atlantic/Canary': 'ES',
  'Europe/Warsaw': 'PL',
  'Europe/Prague': 'CZ',
  'Europe/Copenhagen': 'DK',
  'Europe/Stockholm': 'SE',
  'Europe/Oslo': 'NO',
  'Europe/Helsinki': 'FI',
  'Europe/Mariehamn': 'FI',
  'Europe/London': 'GB',
}

/** The time zone of a country's capital. */
export const timeZoneOf = (country: Country): string =>
  Object.keys(zones).find(zone => zones[zone] === country) ?? 'Europe/Brussels'

/** The country of a time zone, `null` for any other than these. */
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

/** The first day of the week `dayOfWeek` (0 is Sunday) on or after a month and day. */
const firstFrom =
  (dayOfWeek: number, monthAndDay: string) =>
  (year: number): IsoDate => {
    const from = dayOf(year, monthAndDay)
    return addDays(from, (dayOfWeek - weekday(from) + 7) % 7)
  }
/** A fixed day; on a weekend, by so many days later. */
const orLater =
  (monthAndDay: string, { saturday, sunday }: { saturday: number; sunday: number }) =>
  (year: number): IsoDate => {
    const day = dayOf(year, monthAndDay)
    return addDays(day, weekday(day) === 6 ? saturday : weekday(day) === 0 ? sunday : 0)
  }

/** A month and day, a number of days after Easter Sunday, or the day of a year. */
type Rule = string | number | ((year: number) => IsoDate)
const isFixed = (rule: Rule): number => Number(typeof rule !== 'number')
const common = { newYear: '01-01', easterMonday: 1, ascension: 39, whitMonday: 50, christmas: '12-25' } as const
/** The days that Sweden and Finland share: two of them are always a Saturday. */
const northern = {
  newYear: '01-01',
  epiphany: '01-06',
  goodFriday: -2,
  easterMonday: 1,
  labourDay: '05-01',
  ascension: 39,
  midsummer: firstFrom(6, '06-20'),
  allSaints: firstFrom(6, '10-31'),
  christmas: '12-25',
  secondChristmas: '12-26',
} as const

/**
 * The national public holidays. Sundays that are holidays every year, such as Easter Sunday, are left out.
 *
 * Sources: BE: Koninklijk besluit / Arrêté royal of 18 April 1974, article 1. NL: Algemene termijnenwet, article 3 (Good Friday
 * included). FR: Code du travail, article L3133-1. DE: the nine days that the laws of all sixteen Länder name, 3 October by the
 * Einigungsvertrag, article 2. LU: Code du travail, article L. 232-2 (9 May since the law of 25 April 2019).
 * AT: Arbeitsruhegesetz, § 7. CH: 1 August by the Federal Constitution, article 110; the other three are kept by all cantons.
 * IT: Legge 260 of 27 May 1949, with 4 October by Legge 151 of 8 October 2025. ES: Real Decreto 2001/1983, article 45, without those
 * that a region may replace. PL: Ustawa of 18 January 1951, with 24 December since 2025. CZ: Zákon 245/2000. DK: Lov 214/2023 left
 * ten. SE: Lag (1989:253). NO: Lov of 24 February 1995 no. 12 and of 26 April 1947 no. 1. FI: the church's days of Laki 1054/1993,
 * Independence Day and 1 May. GB: the bank holidays that England, Wales, Scotland and Northern Ireland share, on the substitute day
 * where they fall on a weekend.
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
  AT: {
    ...common,
    epiphany: '01-06',
    labourDay: '05-01',
    corpusChristi: 60,
    assumption: '08-15',
    nationalDay: '10-26',
    allSaints: '11-01',
    immaculateConception: '12-08',
    secondChristmas: '12-26',
  },
  CH: { newYear: '01-01', ascension: 39, nationalDay: '08-01', christmas: '12-25' },
  IT: {
    newYear: '01-01',
    epiphany: '01-06',
    easterMonday: 1,
    liberationDay: '04-25',
    labourDay: '05-01',
    nationalDay: '06-02',
    assumption: '08-15',
    saintFrancis: '10-04',
    allSaints: '11-01',
    immaculateConception: '12-08',
    christmas: '12-25',
    secondChristmas: '12-26',
  },
  ES: {
    newYear: '01-01',
    goodFriday: -2,
    labourDay: '05-01',
    assumption: '08-15',
    nationalDay: '10-12',
    allSaints: '11-01',
    constitutionDay: '12-06',
    immaculateConception: '12-08',
    christmas: '12-25',
  },
  PL: {
    newYear: '01-01',
    epiphany: '01-06',
    easterMonday: 1,
    labourDay: '05-01',
    constitutionDay: '05-03',
    corpusChristi: 60,
    assumption: '08-15',
    allSaints: '11-01',
    nationalDay: '11-11',
    christmasEve: '12-24',
    christmas: '12-25',
    secondChristmas: '12-26',
  },
  CZ: {
    newYear: '01-01',
    goodFriday: -2,
    easterMonday: 1,
    labourDay: '05-01',
    victoryDay: '05-08',
    cyrilAndMethodius: '07-05',
    janHus: '07-06',
    statehoodDay: '09-28',
    nationalDay: '10-28',
    freedomDay: '11-17',
    christmasEve: '12-24',
    christmas: '12-25',
    secondChristmas: '12-26',
  },
  DK: { ...common, maundyThursday: -3, goodFriday: -2, secondChristmas: '12-26' },
  SE: { ...northern, nationalDay: '06-06' },
  NO: {
    ...common,
    maundyThursday: -3,
    goodFriday: -2,
    labourDay: '05-01',
    nationalDay: '05-17',
    secondChristmas: '12-26',
  },
  FI: { ...northern, nationalDay: '12-06' },
  GB: {
    newYear: orLater('01-01', { saturday: 2, sunday: 1 }),
    goodFriday: -2,
    earlyMay: firstFrom(1, '05-01'),
    springBank: firstFrom(1, '05-25'),
    christmas: orLater('12-25', { saturday: 2, sunday: 2 }),
    secondChristmas: orLater('12-26', { saturday: 2, sunday: 2 }),
  },
}

/** The public holidays of a country in a year, by date, as the law has them today. Two on one day are one, called by the one with a fixed date. */
export function publicHolidays(country: Country, year: number): ClosedDay[] {
  const easter = easterSunday(year)
  const byDay = new Map<IsoDate, ClosedDay>()
  const fixedLast = Object.entries(rules[country]).toSorted(([, a], [, b]) => isFixed(a) - isFixed(b))
  for (const [holiday, rule] of fixedLast) {
    const day =
      typeof rule === 'number' ? addDays(easter, rule) : typeof rule === 'string' ? dayOf(year, rule) : rule(year)
    byDay.set(day, { day, holiday: holiday as Holiday, name: '' })
  }
  return [...byDay.values()].toSorted(byDate)
}

/** Compares closed days by date. */
export const byDate = (a: { day: IsoDate }, b: { day: IsoDate }): number => (a.day < b.day ? -1 : 1)
