import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../texts/date.ts'
import { agreeingReadings, contradictedReading, kilometresOf, odometerAt } from './odometer.ts'

const readings = [
  { day: '2026-01-01', km: 10_000 },
  { day: '2026-04-11', km: 14_000 },
  { day: '2026-07-20', km: 20_000 },
]

test('between two readings the distance goes by time, and outside of them it is not known', () => {
  expect(odometerAt(readings, '2026-04-11')).toBe(14_000)
  expect(odometerAt(readings, '2026-02-20')).toBe(12_000)
  expect(odometerAt(readings, '2025-12-31')).toBe(null)
  expect(odometerAt(readings, '2026-07-21')).toBe(null)
})

test('a mistyped reading contradicts the others and counts for nothing', () => {
  const typo = { day: '2026-02-01', km: 110_000 }
  expect(agreeingReadings([...readings, typo])).toEqual(readings)
  expect(contradictedReading(readings, typo)).toEqual(readings[1])
  expect(contradictedReading(readings, { day: '2026-08-01', km: 19_000 })).toEqual(readings[2])
  expect(contradictedReading(readings, { day: '2026-05-01', km: 15_000 })).toBe(null)
})

test('kilometres are those of the periods, and say where readings do not reach', () => {
  expect(kilometresOf([{ since: '2026-01-01', until: '2026-04-11', readings }])).toEqual({ km: 4000, complete: true })
  expect(kilometresOf([{ since: '2025-12-01', until: '2026-04-11', readings }])).toEqual({ km: 4000, complete: false })
  // one that goes on counts until the last reading
  expect(kilometresOf([{ since: '2026-04-11', until: null, readings }])).toEqual({ km: 6000, complete: true })
  expect(kilometresOf([{ since: '2026-04-11', until: null, readings: [] }])).toEqual({ km: 0, complete: false })
})

const day = fc.integer({ min: 0, max: 1000 }).map(days => addDays('2024-01-01', days))
const log = fc
  .array(fc.record({ day, step: fc.integer({ min: 0, max: 3000 }) }), { minLength: 2, maxLength: 12 })
  .map(steps => {
    let km = 1
    return steps.toSorted((a, b) => a.day.localeCompare(b.day)).map(step => ({ day: step.day, km: (km += step.step) }))
  })

test('the tyres that take turns on a position run together what the vehicle runs', () => {
  fc.assert(
    fc.property(log, fc.uniqueArray(day, { maxLength: 6 }), (driven, changes) => {
      const [first, last] = [driven[0], driven.at(-1)]
      if (!first || !last) return
      const days = [first.day, ...changes.toSorted().filter(at => at > first.day && at < last.day), last.day]
      const periods = days.slice(1).map((until, nth) => ({ since: days[nth] ?? until, until }))
      const sum = periods.reduce((km, period) => km + kilometresOf([{ ...period, readings: driven }]).km, 0)
      expect(Math.abs(sum - (first.day === last.day ? 0 : last.km - first.km))).toBeLessThanOrEqual(
        // each period is rounded, and of several readings of the last day the lowest ends the road
        periods.length + last.km - (driven.find(({ day: on }) => on === last.day)?.km ?? 0),
      )
    }),
  )
})

test('what agrees never falls, and nothing that agrees with all of it is left out', () => {
  const any = fc.array(fc.record({ day, km: fc.integer({ min: 1, max: 9000 }) }), { maxLength: 30 })
  fc.assert(
    fc.property(any, all => {
      const agreeing = agreeingReadings(all)
      expect(agreeing.every((reading, nth) => nth === 0 || (agreeing[nth - 1]?.km ?? 0) <= reading.km)).toBe(true)
      for (const reading of all)
        if (!agreeing.includes(reading)) expect(agreeingReadings([...agreeing, reading]).length).toBe(agreeing.length)
    }),
  )
})
