import { expect, it, test } from 'vitest'
import { nextSeason, proposedStart, seasonChange, seasonDay, seasonSpan } from './seasonChange.ts'
import { recommendedLimits, type TreadCase } from '../tyres/tread.ts'
import type { Season, TyreStatus } from '../tyres/tyre.ts'

const at: TreadCase = { country: 'BE', kind: 'car', date: '2026-11-10', site: recommendedLimits }
let lastId = 0
const set = (
  tyre_set: string,
  season: Season,
  tyre_status: TyreStatus,
  { depth = 7, operation = null, count = 4 }: { depth?: number | null; operation?: number | null; count?: number } = {},
) =>
  Array.from({ length: count }, () => ({
    db_id: (lastId += 1),
    season,
    tyre_status,
    tyre_set,
    profile_depth: depth,
    operation,
  }))
const summer = set('Summer', 'summer', 'on_vehicle')

it.each([
  ['a good set in stock', set('Winter', 'winter', 'in_stock'), 'fine', true],
  ['a worn one', set('Winter', 'winter', 'in_stock', { depth: 3.9 }), 'replace', true],
  ['an illegal one', set('Winter', 'winter', 'in_stock', { depth: 1 }), 'replace', true],
  ['one that nobody measured', set('Winter', 'winter', 'in_stock', { depth: null }), 'unknown', true],
  ['one that is asked for already', set('Winter', 'winter', 'in_stock', { operation: 9 }), 'fine', false],
  ['none', [], 'missing', false],
  ['a scrapped one', set('Winter', 'winter', 'waste'), 'missing', false],
  ['all-season tyres on it', set('All', 'all_season', 'on_vehicle'), 'fine', false],
])('with %s', (_, tyres, verdict, ready) => {
  expect(seasonChange([...summer, ...tyres], 'winter', at)).toMatchObject({ verdict, ready })
})

test('a motorcycle needs no tyres for snow where the law asks for none', () => {
  const moto = { ...at, kind: 'motorcycle' as const }
  expect(seasonChange(summer, 'winter', moto)).toMatchObject({ verdict: 'fine', returns: [] })
  expect(seasonChange([], 'winter', moto)).toMatchObject({ verdict: 'fine' })
  expect(seasonChange(summer, 'winter', { ...moto, country: 'FI' })).toMatchObject({ verdict: 'missing' })
})

test('what is driven in the other season comes back, unless it is in an operation', () => {
  const winter = set('Winter', 'winter', 'in_stock')
  expect(seasonChange([...summer, ...winter], 'winter', at).returns).toEqual(summer)
  const busy = set('Summer', 'summer', 'at_customer', { operation: 3 })
  expect(seasonChange([...busy, ...winter], 'winter', at).returns).toEqual([])
  expect(seasonChange([...set('All', 'all_season', 'on_vehicle'), ...winter], 'winter', at).returns).toEqual([])
})

it.each([
  ['winter', '2026-10-10', '2027-01-01'],
  ['winter', '2027-01-01', '2027-01-01'],
  ['summer', '2027-01-02', '2027-07-01'],
  ['summer', '2026-07-02', '2027-07-01'],
] as const)('tyres for the %s are judged on %s as of %s', (season, today, day) =>
  expect(seasonDay(season, today)).toBe(day),
)

test('winter tyres of an Austrian truck are judged in autumn by what the law asks in winter', () => {
  const tyres = set('Winter', 'winter', 'in_stock', { depth: 4 })
  const truck = { ...at, country: 'AT' as const, kind: 'truck' as const }
  const on = (date: string) => seasonChange(tyres, 'winter', { ...truck, date }).verdict
  expect([on('2026-10-10'), on(seasonDay('winter', '2026-10-10'))]).toEqual(['fine', 'replace'])
})

test('of two sets in stock the free one is taken, then the larger one', () => {
  const busy = set('Old', 'winter', 'in_stock', { operation: 5 })
  const small = set('Pair', 'winter', 'in_stock', { count: 2 })
  const whole = set('New', 'winter', 'in_stock')
  expect(seasonChange([...busy, ...small, ...whole], 'winter', at).stored).toEqual(whole)
  expect(seasonChange([...busy, ...small], 'winter', at).stored).toEqual(small)
})

test('where nothing for the season is in stock, the largest set for the other one is named', () => {
  const small = set('Pair', 'summer', 'in_stock', { count: 2 })
  const whole = set('Summer', 'summer', 'in_stock', { operation: 5 })
  const other = (tyres: ReturnType<typeof set>, season: 'winter' | 'summer' = 'winter') =>
    seasonChange(tyres, season, at).other
  expect(other([...small, ...whole])).toEqual({ season: 'summer', tyres: whole })
  expect(other(set('Snow', 'snow', 'in_stock'), 'summer')).toMatchObject({ season: 'winter' })
  expect(other([...whole, ...set('Winter', 'winter', 'in_stock')])).toBeNull()
  expect(other(set('All', 'all_season', 'in_stock'))).toBeNull()
  expect(other(summer)).toBeNull()
  // tyres of an article that nobody knows
  expect(other(whole.map((tyre, at) => (at === 0 ? { ...tyre, season: null } : tyre) as typeof tyre))).toMatchObject({
    season: null,
  })
})

it.each([
  ['2026-07-01', 'winter'],
  ['2026-12-31', 'winter'],
  ['2027-01-01', 'summer'],
  ['2027-06-30', 'summer'],
])('on %s the next season is %s', (date, season) => expect(nextSeason(date)).toBe(season))

test('a season is the one around the day on which its tyres are judged', () => {
  expect(seasonSpan('winter', '2026-08-01')).toEqual({ from: '2026-10-15', until: '2027-04-16' })
  expect(seasonSpan('winter', '2026-12-24')).toEqual({ from: '2026-10-15', until: '2027-04-16' })
  expect(seasonSpan('summer', '2026-12-24')).toEqual({ from: '2027-04-16', until: '2027-10-15' })
})

test('a change is proposed from the first day of its season on, where tyres can be delivered on it', () => {
  const at = (season: 'winter' | 'summer', today: string, first: string, last: string) =>
    proposedStart(season, { today, first, last })
  expect(at('summer', '2027-01-12', '2027-01-14', '2027-07-12')).toBe('2027-04-16')
  expect(at('winter', '2026-08-03', '2026-08-04', '2027-02-03')).toBe('2026-10-15')
  // the season has begun
  expect(at('winter', '2026-11-20', '2026-11-23', '2027-05-20')).toBe('2026-11-23')
  // it begins after the last day
  expect(at('summer', '2026-09-01', '2026-09-02', '2027-03-01')).toBe('2026-09-02')
})
