/**
 * docs/promises.md "Wear": of 10,000 simulated tyres nine in ten reach the limit within the interval that was forecast. The simulation
 * is another model than the forecast: a tyre wears day by day, faster while it is new and in the hands of some drivers, vehicles run more in
 * some months than in others, gauges are off by 0.2 mm and sometimes wrong, and odometers are left out.
 */
import { setImmediate } from 'node:timers/promises'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import type { VehicleKind } from '#domain/vehicles/vehicle.ts'
import { daysOfUse, type Reading, wearForecast, type WearCase } from '#domain/tyres/wear.ts'
import { chance, type Chance } from '../db/demo/chance.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'

export const promise = 36
export const summary = 'nine in ten tyres are worn within the interval of their forecast'

const limit = 4
/** The days of the simulation, of which each tyre has some. */
const days = Array.from({ length: 7500 }, (_, nth) => addDays('2020-01-01', nth))

type Kind = { kind: VehicleKind; distance: number; wear: number; depth: number; spread: number }
/** The distance of the simulated vehicles in km a day, their tyres' wear in mm per 1,000 km, and initial depth in mm. */
const kinds: readonly Kind[] = [
  { kind: 'car', distance: 38, wear: 0.15, depth: 8, spread: 0.4 },
  { kind: 'van', distance: 55, wear: 0.18, depth: 8.5, spread: 0.4 },
  { kind: 'truck', distance: 280, wear: 0.07, depth: 14, spread: 0.35 },
  { kind: 'trailer', distance: 240, wear: 0.055, depth: 12, spread: 0.35 },
]

/** A normal number, by Box and Muller. */
const normal = (by: Chance): number => Math.sqrt(-2 * Math.log(1 - by.next())) * Math.cos(2 * Math.PI * by.next())

type Stay = { readonly from: IsoDate; until: IsoDate | null }

/** The reading of a gauge: off by 0.2 mm, and in three of a hundred cases by up to 3 mm. */
function gauge(by: Chance, depth: number): number {
  const off = by.likely(0.03) ? (by.likely(0.5) ? 1 : -1) * (1 + 2 * by.next()) : 0.2 * normal(by)
  return Math.min(10, Math.max(0, Math.round((depth + off) * 10) / 10))
}

/** Notes that a tyre comes into store, as long as somebody `notes` it, or leaves. */
function noteStay(stays: Stay[], day: IsoDate, { isOn, notes }: { isOn: boolean; notes: boolean }): void {
  const last = stays.at(-1)
  const isStored = last?.until === null
  if (isOn && isStored) last.until = day
  if (!isOn && !isStored && notes) stays.push({ from: day, until: null })
}

/** A tyre that was read `count` times, and the day on which it is at the limit; `null`: that was before the last reading. */
function tyre(by: Chance, count: number): { of: WearCase; worn: IsoDate } | null {
  const kind = by.pick(kinds)
  const driven = by.likely(0.8) ? by.likely(0.5) : null
  const takesTurns = by.likely(0.5)
  const season = by.pick(['winter', 'summer'])
  const distance = kind.distance * Math.exp(0.4 * normal(by))
  const driver = Math.exp(kind.spread * normal(by)) * (driven ? 1.1 : 0.9)
  const months = Array.from({ length: 12 }, () => Math.exp(0.15 * normal(by)))
  const hasOdometer = by.likely(0.7)

  const begun = by.between(0, 364)
  let day: IsoDate = days[begun] ?? ''
  let depth = kind.depth + 0.2 * normal(by)
  let odometer = by.between(0, 150_000)
  let next = by.between(0, 40)
  const readings: Reading[] = []
  const pauses: Stay[] = []
  for (let age = 0; begun + age + 1 < days.length && depth > limit; age++) {
    const isOn = !takesTurns || (day.slice(5) > '10-20' || day.slice(5) < '04-05') === (season === 'winter')
    const isRead = readings.length < count
    noteStay(pauses, day, { isOn, notes: isRead && age > 0 })
    if (isRead && age >= next) {
      const read = gauge(by, depth)
      readings.push({ date: day, depth: read, odometer: hasOdometer && by.likely(0.9) ? Math.round(odometer) : null })
      next = age + by.between(90, 270)
    }
    const run = (distance * (months[Number(day.slice(5, 7)) - 1] ?? 1) * by.between(0, 20)) / 10
    odometer += run
    if (isOn) depth -= ((kind.wear * driver * run) / 1000) * (0.85 + (0.3 * depth) / kind.depth)
    day = days[begun + age + 1] ?? day
  }
  return readings.length < count || depth > limit
    ? null
    : { of: { readings, pauses, kind: kind.kind, season, driven, yearly: null }, worn: day }
}

const middle = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const notes: string[] = []
  const many = short ? 300 : 3334
  for (const count of [2, 3, 6]) {
    const by = chance(`wear ${count}`)
    let [simulated, eligible, forecasts, inInterval, narrow] = [0, 0, 0, 0, 0]
    const widths: number[] = []
    const widthsOfPrior: number[] = []
    while (simulated < many) {
      // what else this process has begun goes on between two tyres
      await setImmediate()
      const simulatedTyre = tyre(by, count)
      if (!simulatedTyre) continue
      simulated++
      const newest = simulatedTyre.of.readings.at(-1)
      if (!newest || newest.depth <= limit) continue
      eligible++
      const forecast = wearForecast(simulatedTyre.of, { limit, today: newest.date })
      if (!forecast) continue
      forecasts++
      if (simulatedTyre.worn >= forecast.from && simulatedTyre.worn <= forecast.until) inInterval++
      const { low, high } = daysOfUse(simulatedTyre.of, limit)
      widths.push(high - low)
      const alone = daysOfUse({ ...simulatedTyre.of, readings: [{ ...newest, odometer: null }] }, limit)
      widthsOfPrior.push(alone.high - alone.low)
      // half of the interval, to show that the count can fail
      const half = {
        from: addDays(forecast.from, Math.round((high - low) / 4)),
        until: addDays(forecast.until, -Math.round((high - low) / 4)),
      }
      if (simulatedTyre.worn >= half.from && simulatedTyre.worn <= half.until) narrow++
    }
    const [share, shareTold] = [inInterval / forecasts, forecasts / eligible]
    const [width, ofPrior] = [middle(widths), middle(widthsOfPrior)]
    notes.push(
      `${count} readings: ${percent(share)} of ${forecasts} held, ${percent(shareTold)} forecast, ${Math.round(width)} days wide of ${Math.round(ofPrior)}`,
    )
    const slack = short ? 0.03 : 0
    check(`${count} readings, share within`, share < 0.87 - slack || share > 0.93 + slack ? percent(share) : null)
    control(`${count} readings, half of the interval`, narrow / forecasts < 0.87 - slack)
    if (count === 3) {
      check('share of tyres with a forecast', shareTold < 0.7 ? percent(shareTold) : null)
      check('median width against that of the prior alone', width > ofPrior / 2 ? `${width} of ${ofPrior} days` : null)
    }
  }
  return result(...notes)
}
