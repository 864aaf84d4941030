import { describe, expect, it, test } from 'vitest'
import type { Country } from '../operations/closedDays.ts'
import {
  recommendedLimits,
  type TreadCase,
  treadLimits,
  treadLookOf,
  treadOf,
  verdictOf,
  verdictOfSet,
} from './tread.ts'
import type { VehicleKind } from '../vehicles/vehicle.ts'

const at = (
  country: Country | null,
  kind: VehicleKind | 'unknown',
  date = '2026-12-01',
  more: Partial<TreadCase> = {},
): TreadCase => ({ country, kind, date, site: recommendedLimits, ...more })

// Rows of docs/tyre-law.md, each on three dates where the winter counts.
it.each([
  ['FR', 'truck', 'summer', '2026-07-01', 1, 3],
  ['FR', 'car', 'winter', '2026-12-01', 1.6, 4],
  ['AT', 'van', 'winter', '2026-12-01', 4, 4],
  ['AT', 'van', 'winter', '2026-10-31', 1.6, 4],
  ['AT', 'van', 'winter', '2027-04-15', 4, 4],
  ['AT', 'van', 'winter', '2027-04-16', 1.6, 4],
  ['AT', 'van', 'summer', '2026-12-01', 1.6, 3],
  ['AT', 'truck', 'winter', '2026-12-01', 5, 5],
  ['AT', 'truck', 'winter', '2026-07-01', 2, 3],
  ['AT', 'truck', 'summer', '2026-12-01', 2, 3],
  ['CZ', 'bus', 'winter', '2026-11-01', 6, 6],
  ['CZ', 'bus', 'winter', '2026-10-31', 1.6, 3],
  ['SE', 'car', 'all_season', '2026-11-30', 1.6, 4],
  ['SE', 'tractor', 'winter', '2027-03-31', 5, 5],
  // Easter Sunday of 2027 is 28 March: the Norwegian window ends a week later.
  ['NO', 'car', 'winter', '2027-04-04', 3, 4],
  ['NO', 'car', 'winter', '2027-04-05', 1.6, 4],
  ['NO', 'trailer', 'winter', '2026-11-14', 1.6, 3],
  ['NO', 'trailer', 'winter', '2026-11-15', 5, 5],
  // A winter rule without dates.
  ['FI', 'truck', 'winter', '2027-03-31', 5, 5],
  ['FI', 'truck', 'winter', '2026-07-01', 1.6, 3],
  ['IT', 'motorcycle', 'summer', '2026-12-01', 1, 3],
  ['GB', 'truck', 'winter', '2026-12-01', 1, 3],
  ['BE', 'car', null, '2026-12-01', 1.6, 3],
] as const)('%s, %s, %s tyre on %s: the law says %s mm, the site %s', (country, kind, season, date, legal, wanted) =>
  expect(treadLimits(season, at(country, kind, date))).toMatchObject({ legal, wanted, verified: true }),
)

it.each([
  ['BE', 'motorcycle'],
  ['ES', 'truck'],
  // a row with a minimum of which nobody is sure
  ['SE', 'motorcycle'],
  [null, 'car'],
  ['AT', 'unknown'],
] as const)('%s, %s: the limit is not verified, and 1.6 mm counts', (country, kind) =>
  expect(treadLimits('winter', at(country, kind))).toMatchObject({ legal: 1.6, verified: false, winter: false }),
)

describe('a stricter limit', () => {
  const site = { ...recommendedLimits, minTreadSummer: 2, minTreadWinter: 3 }
  test.each([
    ['the law, when nobody wants more', { site: { ...site, minTreadSummer: 1 } }, 'summer', 1.6, 'law'],
    ['the site', { site }, 'summer', 2, 'site'],
    ['the customer', { site, customer: { summer: 2.5, winter: null } }, 'summer', 2.5, 'customer'],
    ['the site, when the customer wants less', { site, customer: { summer: 1, winter: null } }, 'summer', 2, 'site'],
    [
      'the site, when the customer only says the other',
      { site, customer: { summer: 5, winter: null } },
      'winter',
      3,
      'site',
    ],
  ] as const)('comes from %s', (_, more, season, wanted, by) =>
    expect(treadLimits(season, at('BE', 'car', '2026-12-01', more))).toMatchObject({ legal: 1.6, wanted, by }),
  )
})

it.each([
  [null, null],
  [1.59, 'illegal'],
  [1.6, 'worn'],
  [3.99, 'worn'],
  [4, 'good'],
])('a depth of %s mm between limits of 1.6 and 4 is %s', (depth, tread) =>
  expect(treadOf(depth, { legal: 1.6, wanted: 4 })).toBe(tread),
)

const winter = (profile_depth: number | null) => ({ profile_depth, season: 'winter' })
it.each([
  [[8, 8, 8, 8], 'good'],
  [[8, 3, 8, 8], 'worn'],
  [[8, 3, null, 1], 'illegal'],
  [[8, null, 8, 3], 'worn'],
  [[8, null, 8, 8], 'unknown'],
  [[], 'unknown'],
])('a set of %j is %s', (depths, verdict) => expect(verdictOfSet(depths.map(winter), at('BE', 'car'))).toBe(verdict))

test('a tyre that nobody measured is unknown', () => expect(verdictOf(winter(null), at('BE', 'car'))).toBe('unknown'))

test('a good depth is shown as near its limit from the limit to 1 mm above it, and no other is', () => {
  const limits = { legal: 1.6, wanted: 4 }
  const looks = [1.5, 1.6, 3.9, 4, 5, 5.1].map(depth => treadLookOf(depth, limits))
  expect(looks).toEqual(['illegal', 'worn', 'worn', 'near', 'near', 'good'])
  expect(treadLookOf(null, limits)).toBeNull()
})
