import { describe, expect, test } from 'vitest'
import { survivalOf } from './survival.ts'
import { seasonEnd } from './wear.ts'

test.each([
  ['winter', '2026-11-26', '2027-04-16'],
  ['winter', '2026-04-16', '2027-04-16'],
  ['winter', '2026-07-01', '2027-04-16'],
  ['snow', '2027-01-02', '2027-04-16'],
  ['summer', '2026-11-26', '2027-10-15'],
  ['summer', '2026-06-01', '2026-10-15'],
  [null, '2026-06-01', '2026-10-15'],
  ['all_season', '2026-06-01', '2027-06-01'],
])('a %s tyre that is driven from %s on is driven until %s', (season, from, until) =>
  expect(seasonEnd(season, from)).toBe(until),
)

describe('of tyres that are brought back in November', () => {
  const day = '2026-11-26'
  const tyre = (id: number, depth: number | null = 5) => ({ db_id: id, season: 'winter', profile_depth: depth })
  const forecast = (id: number, from: string | null, until: string | null) => ({ tyre: id, limit: 4, from, until })

  test('those that are worn are told first, with the least depth', () => {
    const forecasts = [forecast(1, '2027-01-01', '2027-02-01')]
    expect(survivalOf([tyre(1), tyre(2, 3.1), tyre(3, 2.2)], forecasts, day)).toEqual({
      kind: 'worn',
      depth: 2.2,
      tyres: 2,
    })
  })

  test('those that fall below the limit before the season ends are told with the earliest', () => {
    const forecasts = [
      forecast(1, '2027-02-03', '2027-04-16'),
      forecast(2, '2027-01-20', '2027-04-02'),
      forecast(3, '2027-01-01', '2027-11-01'),
    ]
    expect(survivalOf([tyre(1), tyre(2), tyre(3)], forecasts, day)).toEqual({
      kind: 'falls',
      limit: 4,
      from: '2027-01-20',
      until: '2027-04-02',
      tyres: 2,
    })
  })

  test('those that may fall below it are told as such', () =>
    expect(survivalOf([tyre(1)], [forecast(1, '2027-04-16', '2027-04-17')], day)).toMatchObject({ kind: 'mayFall' }))

  test('nothing is said of those that last, that were not measured, or read once', () => {
    const forecasts = [forecast(1, '2027-04-17', '2028-01-01'), forecast(2, null, null), forecast(3, null, null)]
    expect(survivalOf([tyre(1), tyre(2), tyre(3, null)], forecasts, day)).toBeNull()
    expect(survivalOf([tyre(4, null)], [], day)).toBeNull()
  })
})
