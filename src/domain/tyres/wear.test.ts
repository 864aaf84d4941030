import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../texts/date.ts'
import { daysInUse, daysOfUse, type Reading, seasonStart, wearForecast, type WearCase } from './wear.ts'

const newYear = '2025-12-31'

const car: Omit<WearCase, 'readings'> = { pauses: [], kind: 'car', season: 'all_season', driven: null, yearly: null }
/** Readings half a year apart, with 7,500 km between them. */
const read = (...depths: number[]): Reading[] =>
  depths.map((depth, nth) => ({ date: addDays('2025-01-01', nth * 182), depth, odometer: 20_000 + nth * 7500 }))
const middleOf = ({ low, high }: { low: number; high: number }) => Math.sqrt(low * high)

describe('a forecast of wear', () => {
  test('is what the pencil says: 1 mm in 7,500 km and half a year, 2 mm to go', () => {
    const readings = read(8, 7, 6)
    const { low, high } = daysOfUse({ ...car, readings }, 4)
    // 2 mm take 15,000 km, which take 364 days
    expect(middleOf({ low, high })).toBeGreaterThan(300)
    expect(middleOf({ low, high })).toBeLessThan(430)
    const forecast = wearForecast({ ...car, readings }, { limit: 4, today: newYear })
    expect(daysBetween('2025-12-31', forecast?.from ?? '')).toBe(Math.round(low))
    expect(daysBetween('2025-12-31', forecast?.until ?? '')).toBe(Math.round(high))
  })

  test('is what docs/wear.md works out by pencil', () => {
    const readingsOf = (
      days: readonly string[],
      depths: readonly number[],
      odometers: readonly number[] | null,
    ): Reading[] => days.map((date, nth) => ({ date, depth: depths[nth] ?? 0, odometer: odometers?.[nth] ?? null }))
    const cases: { wearCase: WearCase; limit: number; pencil: number; days: object }[] = [
      {
        wearCase: {
          ...car,
          readings: readingsOf(['2025-01-01', '2025-07-02', '2025-12-31'], [8, 7, 6], [20_000, 27_500, 35_000]),
        },
        limit: 4,
        pencil: (2 / (2 / 15_000)) * (364 / 15_000),
        days: { from: '2026-08-17', until: '2027-07-20' },
      },
      {
        wearCase: {
          ...car,
          season: 'winter',
          pauses: [{ from: '2025-04-16', until: '2025-10-15' }],
          readings: readingsOf(
            ['2024-10-15', '2025-04-16', '2025-10-15', '2026-04-16'],
            [8, 7, 7, 6],
            [40_000, 47_320, 54_600, 61_920],
          ),
        },
        limit: 4,
        pencil: (2 / (2 / 14_640)) * (366 / 14_640),
        days: { from: '2027-12-07', until: '2029-11-03' },
      },
      {
        wearCase: {
          ...car,
          kind: 'trailer',
          season: 'summer',
          yearly: 73_000,
          readings: readingsOf(['2025-01-01', '2025-05-01', '2025-08-29', '2025-12-27'], [9.5, 8.5, 7.5, 6.5], null),
        },
        limit: 3.5,
        pencil: 3 * 120,
        days: { from: '2026-09-07', until: '2027-05-11' },
      },
    ]
    for (const example of cases) {
      const { low, middle, high } = daysOfUse(example.wearCase, example.limit)
      expect(Math.abs(middle / example.pencil - 1)).toBeLessThan(0.03)
      expect(low).toBeLessThan(example.pencil)
      expect(high).toBeGreaterThan(example.pencil)
      const today = example.wearCase.readings.at(-1)?.date ?? ''
      expect(wearForecast(example.wearCase, { limit: example.limit, today })).toEqual(example.days)
    }
  })

  test('is the same whatever order the readings come in', () => {
    const readings = read(8, 7.2, 6.1, 5.3)
    expect(wearForecast({ ...car, readings: readings.toReversed() }, { limit: 4, today: newYear })).toEqual(
      wearForecast({ ...car, readings }, { limit: 4, today: newYear }),
    )
  })

  test('is none of fewer than two readings, at the limit, and where the readings say nothing', () => {
    expect(wearForecast({ ...car, readings: [] }, { limit: 4, today: newYear })).toBeNull()
    expect(wearForecast({ ...car, readings: read(8) }, { limit: 4, today: newYear })).toBeNull()
    expect(wearForecast({ ...car, readings: read(8, 4) }, { limit: 4, today: newYear })).toBeNull()
    const sameDay = read(8, 8).map(reading => ({ ...reading, date: '2025-01-01', odometer: null }))
    expect(wearForecast({ ...car, readings: sameDay }, { limit: 1.6, today: newYear })).toBeNull()
  })

  test('foretells no day that has gone by, and counts none in store since the last reading', () => {
    const readings = read(8, 7, 6)
    const forecast = (today: string, pauses: WearCase['pauses'] = []) =>
      wearForecast({ ...car, readings, pauses }, { limit: 4, today })
    expect(forecast('2029-01-01')).toEqual({ from: '2029-01-01', until: '2029-01-01' })
    const [driven, stored] = [forecast('2026-06-30'), forecast('2026-06-30', [{ from: '2026-01-01', until: null }])]
    expect(daysBetween(driven?.from ?? '', stored?.from ?? '')).toBe(daysBetween('2026-01-01', '2026-06-30'))
  })

  test('does not know on a day when a time in store will end', () => {
    const seen = (until: string | null) =>
      wearForecast(
        { ...car, readings: read(8, 7, 6), pauses: [{ from: '2025-10-01', until }] },
        { limit: 4, today: newYear },
      )
    expect(seen('2026-06-30')).toEqual(seen(null))
    expect(seen('2025-12-01')).not.toEqual(seen(null))
  })

  test('is narrower with more readings', () => {
    const width = (...depths: number[]) => {
      const { low, high } = daysOfUse({ ...car, readings: read(...depths) }, 3)
      return high / low
    }
    expect(width(8, 7)).toBeGreaterThan(width(8, 7, 6))
    expect(width(8, 7, 6)).toBeGreaterThan(width(8, 7, 6, 5))
  })

  test('does not follow one wrong reading', () => {
    const right = daysOfUse({ ...car, readings: read(8, 7.5, 7, 6.5, 6) }, 4)
    const wrong = daysOfUse({ ...car, readings: read(8, 7.5, 3, 6.5, 6) }, 4)
    expect(Math.abs(Math.log(middleOf(wrong) / middleOf(right)))).toBeLessThan(0.1)
  })

  test('knows that a reading of 10 mm says 10 or more', () => {
    const truck = { ...car, kind: 'truck' } as const
    const full = daysOfUse({ ...truck, readings: read(10, 10, 10) }, 4)
    const worn = daysOfUse({ ...truck, readings: read(10, 9.6, 9.2) }, 4)
    expect(full.high).toBeGreaterThan(worn.high)
  })

  test('counts no kilometre and no day in store', () => {
    const readings = read(8, 7, 6)
    // half of each half-year in store: the same wear came of half the distance
    const pauses = [0, 182].map(nth => ({
      from: addDays('2025-01-01', nth),
      until: addDays('2025-01-01', nth + 91),
    }))
    const used = daysOfUse({ ...car, readings }, 4)
    const stored = daysOfUse({ ...car, readings, pauses }, 4)
    expect(middleOf(stored) / middleOf(used)).toBeGreaterThan(0.45)
    expect(middleOf(stored) / middleOf(used)).toBeLessThan(0.65)
  })

  test('skips the seasons of the other set', () => {
    const pauses = [{ from: '2025-04-16', until: '2025-10-15' }]
    const readings = read(8, 7, 6)
    const winter = wearForecast({ ...car, readings, pauses, season: 'winter' }, { limit: 5.9, today: newYear })
    // from New Year's Eve, a few days of use later
    expect(winter?.from.startsWith('2026-0')).toBe(true)
    const summer = wearForecast({ ...car, readings, pauses, season: 'summer' }, { limit: 5.5, today: newYear })
    expect((summer?.from ?? '') > '2026-04-15').toBe(true)
    expect((summer?.from ?? '') < '2026-10-15').toBe(true)
  })

  test('goes by time without an odometer, and less sure', () => {
    const byDistance = daysOfUse({ ...car, readings: read(8, 7, 6) }, 4)
    const readings = read(8, 7, 6).map(reading => ({ ...reading, odometer: null }))
    const byTime = daysOfUse({ ...car, readings }, 4)
    expect(Math.abs(Math.log(middleOf(byTime) / middleOf(byDistance)))).toBeLessThan(0.35)
    expect(wearForecast({ ...car, readings }, { limit: 4, today: newYear })).not.toBeNull()
  })

  test('goes by the distance that the owner expects, until an odometer says otherwise', () => {
    const unread = read(8, 7, 6).map(reading => ({ ...reading, odometer: null }))
    const daysWith = (yearly: number | null, readings: Reading[]) => daysOfUse({ ...car, yearly, readings }, 4)
    // without an odometer wear and distance can't be separated: the expected distance only narrows the range
    const width = ({ low, high }: { low: number; high: number }) => high / low
    expect(width(daysWith(15_000, unread))).toBeLessThan(width(daysWith(null, unread)))
    // one that was read once, and wears as such tyres do, takes half of the time at twice the distance
    const [near, far] = [daysWith(15_000, read(8)), daysWith(30_000, read(8))]
    expect(middleOf(near) / middleOf(far)).toBeGreaterThan(1.9)
    // the odometer said 15,000 km a year: what somebody expects hardly matters
    const [measured, believed] = [daysWith(30_000, read(8, 7, 6)), daysWith(null, read(8, 7, 6))]
    expect(middleOf(believed) / middleOf(measured)).toBeLessThan(1.3)
  })

  test('is of a driven wheel earlier than of another, before much was read', () => {
    const middleFor = (driven: boolean) => middleOf(daysOfUse({ ...car, driven, readings: read(7) }, 4))
    expect(middleFor(true)).toBeLessThan(middleFor(false))
  })
})

test('days of use from one day to another are those of its season, for a tyre that takes turns', () => {
  const inTurns = (season: string) => (from: string, until: string) => daysInUse({ season, turns: true }, from, until)
  // a winter has 183 days, from 15 October to 15 April
  expect(inTurns('winter')('2026-10-15', '2027-04-16')).toBe(183)
  expect(inTurns('winter')('2026-07-01', '2027-07-01')).toBe(183)
  expect(inTurns('summer')('2026-07-01', '2027-07-01')).toBe(182)
  expect(inTurns('winter')('2027-04-01', '2027-11-01')).toBe(15 + 17)
  expect(inTurns('all_season')('2026-07-01', '2027-07-01')).toBe(365)
  expect(daysInUse({ season: 'winter', turns: false }, '2026-07-01', '2027-07-01')).toBe(365)
  expect(inTurns('winter')('2027-02-01', '2027-01-01')).toBe(0)
})

test('a season began on the last day on which its tyres came onto vehicles', () => {
  expect(seasonStart('winter', '2027-01-01')).toBe('2026-10-15')
  expect(seasonStart('winter', '2026-10-15')).toBe('2026-10-15')
  expect(seasonStart('summer', '2027-07-01')).toBe('2027-04-16')
})

test('kilometres on the vehicle count where they are known, and only those', () => {
  const readings = [
    { date: '2025-01-01', depth: 8, odometer: null },
    { date: '2025-12-31', depth: 7, odometer: null },
    { date: '2026-12-31', depth: 6, odometer: null },
  ]
  const log = [
    { day: '2025-01-01', km: 10_000 },
    { day: '2026-12-31', km: 90_000 },
  ]
  const car = { readings, pauses: [], kind: 'car', yearly: null, season: 'summer', driven: null } as const
  const always = { since: '2025-01-01', until: null, readings: log }
  const unknown = daysOfUse(car, 4)
  // 40,000 km a year for a millimetre, where 42 km a day are usual: the same wear, but the kilometres say that it is little of them
  expect(daysOfUse({ ...car, mounted: [always] }, 4).middle).not.toBe(unknown.middle)
  // half of the time, of which nothing else is known: as before
  const half = [{ since: '2025-01-01', until: '2025-07-01', readings: log }]
  expect(daysOfUse({ ...car, mounted: half }, 4)).toEqual(unknown)
  // a log that does not reach over them says nothing
  expect(daysOfUse({ ...car, mounted: [{ ...always, readings: [] }] }, 4)).toEqual(unknown)
})
