/**
 * When a tyre will be worn: an interval of days, from its readings and the odometer. docs/wear.md has the formulas, and how well they
 * did on simulated tyres.
 */
import { addDays, daysBetween, type IsoDate } from '../texts/date.ts'
import { isForSnow } from './tread.ts'
import { classOf, type VehicleClass } from './tyreLaw.ts'
import { depth as gauge } from './tyre.ts'
import { kilometresOf, type Mounted, type OdometerReading } from '../vehicles/odometer.ts'
import type { VehicleKind } from '../vehicles/vehicle.ts'

/** A depth in mm, the day it was read, and the odometer in km where it was read, too. */
export type Reading = { readonly date: IsoDate; readonly depth: number; readonly odometer: number | null }
/** A time in store; `until` is `null` for one that has not ended. */
export type Pause = { readonly from: IsoDate; readonly until: IsoDate | null }

export type WearCase = {
  /** In any order. */
  readonly readings: readonly Reading[]
  readonly pauses: readonly Pause[]
  /** Times on vehicles, each with the log of its vehicle's odometer. */
  readonly mounted?: readonly (Mounted & { readonly readings: readonly OdometerReading[] })[]
  readonly kind: VehicleKind | 'unknown'
  /** How far the vehicle is expected to run a year, in km; `null` where nobody says. */
  readonly yearly: number | null
  readonly season: string | null
  /** Whether the tyre is on a driven axle, `null` where nobody knows. */
  readonly driven: boolean | null
}

/** Nine of ten tyres reach the limit from the one day to the other. */
export type WearForecast = { readonly from: IsoDate; readonly until: IsoDate }

/** The usual wear and distance, before anything was read: mm in 1,000 km, and km a day. */
const usual: Readonly<Record<VehicleClass, { readonly wear: number; readonly distance: number }>> = {
  car_van: { wear: 0.16, distance: 42 },
  truck_bus: { wear: 0.065, distance: 260 },
  trailer: { wear: 0.06, distance: 220 },
  motorcycle: { wear: 0.45, distance: 14 },
}

/** The usual wear and distance of a kind of vehicle; an unknown one counts as a car. */
const usualOf = (kind: WearCase['kind']) => usual[classOf(kind) ?? 'car_van']

/** The km a day that are expected before an odometer was read, and by how much they are off: those that its owner says are off by less. */
const expected = ({ kind, yearly }: Pick<WearCase, 'kind' | 'yearly'>) =>
  yearly === null
    ? { distance: usualOf(kind).distance, off: spread.distance }
    : { distance: yearly / 365, off: spread.said }

/** Deviations of logarithms: of the wear and of the distance among tyres and vehicles of a class, of a distance from what its owner expects, and of what they will be from
 * what they were. */
const spread = { wear: 0.38, distance: 0.39, said: 0.2, future: 0.135 } as const
/** The error of a reading in mm, the share of readings that are simply wrong, and how far wear strays from a straight line. */
const reading = { error: 0.2, wrong: 0.04, stray: 0.08 } as const
/** How far apart two readings can be, in mm. */
const range = gauge.max - gauge.min

/** How many times as far away as its beginning the end of an interval may be. Of a wider one nobody learns anything. */
const maxSpread = 6
/** The share of the tyres that reach the limit before the interval, and the share that does so after it. */
const outsideShare = 0.05

/**
 * The forecast from the readings of a tyre until the next one is taken: days of use, counted from the newest reading, until it is at `limit`
 * mm, and which of the days since then count. It stays true on any later day, so it can be stored.
 */
export type KeptForecast = {
  readonly limit: number
  /** The day of the newest reading. */
  readonly read: IsoDate
  /** By so many days 5, 50 and 95 of 100 such tyres are at the limit. */
  readonly low: number
  readonly middle: number
  readonly high: number
  /** The tyre takes turns with another one. */
  readonly turns: boolean
  /** Days in store since the newest reading, of times in store that have ended. */
  readonly paused: number
  /** Since when it is in store, at the earliest since the newest reading; `null`: it is not. */
  readonly pausedSince: IsoDate | null
}

/** The forecast from the readings. `null`: there are fewer than two, the newest one is at the limit already, or they are too uncertain. */
export function keptForecast(wearCase: WearCase, limit: number): KeptForecast | null {
  const newest = inOrder(wearCase.readings).at(-1)
  if (!newest || wearCase.readings.length < 2 || newest.depth <= limit) return null
  const { low, middle, high } = daysOfUse(wearCase, limit)
  if (high > Math.max(low, 20) * maxSpread) return null
  const ended = wearCase.pauses.filter(({ until }) => until !== null)
  const open = wearCase.pauses.find(({ until }) => until === null)
  return {
    limit,
    read: newest.date,
    low: Math.round(low),
    middle: Math.round(middle),
    high: Math.round(high),
    turns: wearCase.pauses.length > 0,
    paused: pausedDays(ended, newest.date, lastDay),
    pausedSince: open ? (open.from > newest.date ? open.from : newest.date) : null,
  }
}
const lastDay: IsoDate = '9999-12-31'

/** Days of use from the newest reading to `today`. */
const usedUntil = ({ read, paused, pausedSince }: KeptForecast, today: IsoDate): number =>
  daysBetween(read, today) - paused - (pausedSince === null ? 0 : Math.max(0, daysBetween(pausedSince, today)))

/** From when to when it is at the limit, as it looks on a day. Days that have gone by are not foretold: it may be there today. */
export function daysOfForecast(kept: KeptForecast, season: string | null, today: IsoDate): WearForecast {
  const used = usedUntil(kept, today)
  const after = (days: number): IsoDate => dayAfterUse({ ...kept, season }, today, Math.max(0, days - used))
  return { from: after(kept.low), until: after(kept.high) }
}

/** Whether it is more likely than not at the limit before the season ends in which it is driven next. */
export const reachesThisSeason = (kept: KeptForecast, season: string | null, today: IsoDate): boolean =>
  kept.middle - usedUntil(kept, today) <= daysOfSeason({ turns: kept.turns, season }, today)

/** Days of use from a day to the end of the season in which a tyre is driven next. */
export function daysOfSeason({ turns, season }: Turns, today: IsoDate): number {
  const end = seasonEnd(season, today)
  if (!turns || season === 'all_season') return daysBetween(today, end)
  const { day, toWinter } = nextChange(today)
  return daysBetween(toWinter === isForSnow(season) ? day : today, end)
}

/** Whether one in twenty such tyres is at the limit by a day: the interval of its forecast begins by then. */
export const mayReachBy = (
  kept: KeptForecast,
  season: string | null,
  { today, until }: { today: IsoDate; until: IsoDate },
): boolean => kept.low - usedUntil(kept, today) <= daysInUse({ turns: kept.turns, season }, today, until)

/** When a tyre reaches `limit`, in mm, as it looks on a day; `null` where `keptForecast` says nothing. */
export function wearForecast(
  wearCase: WearCase,
  { limit, today }: { limit: number; today: IsoDate },
): WearForecast | null {
  // on that day nobody knows yet when a time in store will end
  const pauses = wearCase.pauses.map(pause =>
    pause.until !== null && pause.until > today ? { ...pause, until: null } : pause,
  )
  const kept = keptForecast({ ...wearCase, pauses }, limit)
  return kept && daysOfForecast(kept, wearCase.season, today)
}

/** For how many more days of use, counted from the newest reading, a tyre is above `limit`: the ends of the interval, and what half of such tyres reach. */
export function daysOfUse(wearCase: WearCase, limit: number): { low: number; middle: number; high: number } {
  const { points, distance, spreadOfDistance, priorOff } = useOf(wearCase)
  const prior = usualOf(wearCase.kind)
  const wear = prior.wear * (wearCase.driven === null ? 1 : wearCase.driven ? 1.15 : 0.85)
  // by time the distance is not known apart from the wear
  const wearSpread = priorOff === null ? spread.wear : Math.hypot(spread.wear, priorOff)
  const likely = new Map<number, number>()
  for (const [rate, share] of grid(wear, wearSpread))
    for (const depth of depthsAround(points)) {
      const days = (Math.max(0, depth - limit) / rate / distance) * 1000
      const near = Math.round(Math.log(Math.max(days, soon)) / step)
      likely.set(near, (likely.get(near) ?? 0) + share * likelihood(points, depth, rate))
    }
  const deviation = Math.hypot(spread.future, spreadOfDistance)
  const by = (share: number): number => quantile(likely, deviation, share)
  return { low: by(outsideShare), middle: by(0.5), high: by(1 - outsideShare) }
}

/** Readings from the oldest to the newest. */
const inOrder = (readings: readonly Reading[]): Reading[] => readings.toSorted((a, b) => a.date.localeCompare(b.date))

type Point = { readonly depth: number; /** 1,000 km until the newest reading. */ readonly left: number }

/** The readings by the distance that the tyre has run, and how far it runs a day. */
function useOf({ readings, pauses, mounted = [], kind, yearly }: WearCase) {
  const ordered = inOrder(readings)
  const prior = expected({ kind, yearly })
  const read = ordered.filter(({ odometer }) => odometer !== null)
  const [first, last] = [read[0], read.at(-1)]
  const days = first && last ? daysBetween(first.date, last.date) : 0
  const run = (last?.odometer ?? 0) - (first?.odometer ?? 0)
  const hasDistance = days > 0 && run > 0
  // what the vehicle ran so far and what such vehicles run, each by how much it says
  const [ofPrior, ofRun] = [prior.off ** -2, hasDistance ? (0.2 / Math.sqrt(1 + days / 90)) ** -2 : 0]
  const distance = Math.exp(
    (Math.log(prior.distance) * ofPrior + (hasDistance ? Math.log(run / days) * ofRun : 0)) / (ofPrior + ofRun),
  )
  const points: Point[] = []
  let left = 0
  for (let at = ordered.length - 1; at >= 0; at--) {
    const [reading, next] = [ordered[at] as Reading, ordered[at + 1]]
    if (next) {
      const between = daysBetween(reading.date, next.date)
      const used = between - pausedDays(pauses, reading.date, next.date)
      const ran = reading.odometer !== null && next.odometer !== null ? next.odometer - reading.odometer : -1
      const onVehicles = mountedBetween(mounted, pauses, [reading.date, next.date])
      left += (onVehicles ?? (ran >= 0 && between > 0 ? (ran * used) / between : used * distance)) / 1000
    }
    points.push({ depth: reading.depth, left })
  }
  return {
    points,
    distance,
    spreadOfDistance: hasDistance ? (ofPrior + ofRun) ** -0.5 : 0,
    priorOff: hasDistance ? null : prior.off,
  }
}

/** The part of a time between readings that must be known, mounted or in store, for the kilometres on vehicles to count. */
const knownShare = 0.9

/** The kilometres on vehicles between two days; `null` where odometers or periods say too little of that time. */
function mountedBetween(
  mounted: NonNullable<WearCase['mounted']>,
  pauses: readonly Pause[],
  [from, to]: readonly [IsoDate, IsoDate],
): number | null {
  const within = mounted.flatMap(({ since, until, readings }) => {
    const [begin, end] = [since > from ? since : from, until !== null && until < to ? until : to]
    return begin < end ? [{ since: begin, until: end, readings }] : []
  })
  const days = within.reduce((sum, { since, until }) => sum + daysBetween(since, until), 0)
  if (days === 0 || days + pausedDays(pauses, from, to) < knownShare * daysBetween(from, to)) return null
  const { km, complete } = kilometresOf(within)
  return complete ? km : null
}

/** How many days between two lie in pauses. */
const pausedDays = (pauses: readonly Pause[], from: IsoDate, until: IsoDate): number =>
  pauses.reduce((days, pause) => {
    const begin = pause.from > from ? pause.from : from
    const end = pause.until !== null && pause.until < until ? pause.until : until
    return days + Math.max(0, daysBetween(begin, end))
  }, 0)

/** Values of a lognormal distribution around `middle`, with their shares. */
function grid(middle: number, deviation: number): readonly (readonly [number, number])[] {
  const steps = 20
  return Array.from({ length: 2 * steps + 1 }, (_, nth) => {
    const z = ((nth - steps) / steps) * 3.2
    return [middle * Math.exp(z * deviation), Math.exp(-(z ** 2) / 2)] as const
  })
}

/** The depths that the tyre may have had at the newest reading. A reading of 10 mm says 10 or more: a truck's tyre begins with 15. */
function depthsAround(points: readonly Point[]): number[] {
  const read = points.map(({ depth }) => depth)
  const deepest = points[0] && points[0].depth >= gauge.max ? 16 : Math.max(...read) + 1
  const begin = Math.max(0, Math.min(...read) - 1.5)
  return Array.from({ length: Math.ceil((deepest - begin) / 0.1) }, (_, nth) => begin + nth * 0.1)
}

/** How well a depth at the newest reading and a wear in mm per 1,000 km explain the readings. A wrong one counts little. */
function likelihood(points: readonly Point[], depth: number, rate: number): number {
  let all = 1
  for (const point of points) {
    const worn = point.left * rate
    const error = Math.sqrt(reading.error ** 2 + (reading.stray * worn) ** 2)
    const off = (point.depth - depth - worn) / error
    const right = point.depth >= gauge.max ? belowIn(-off) : Math.exp(-(off ** 2) / 2) / (error * 2.5066)
    all *= (1 - reading.wrong) * right + reading.wrong / range
  }
  return all
}

/** The share of the standard normal distribution below `z`: Abramowitz and Stegun 26.2.17, to seven digits. */
function belowIn(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    (Math.exp(-(z ** 2) / 2) / 2.5066282746) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z > 0 ? 1 - tail : tail
}

/** The least number of days that is told apart from none, and how near two numbers of days are that count as one, by their logarithms. */
const [soon, step] = [0.5, 0.02]

/** The number of days by which this share of the tyres has reached the limit, of likely numbers by their logarithms in steps. */
function quantile(likely: ReadonlyMap<number, number>, deviation: number, share: number): number {
  const all = [...likely]
  const total = all.reduce((sum, [, weight]) => sum + weight, 0)
  const by = (log: number): number =>
    all.reduce((sum, [near, weight]) => sum + weight * belowIn((log - near * step) / deviation), 0) / total
  let [low, high] = [Math.log(soon), Math.log(50_000)]
  for (let nth = 0; nth < 20; nth++) {
    const middle = (low + high) / 2
    if (by(middle) < share) low = middle
    else high = middle
  }
  return Math.exp(high)
}

/** The days on which tyres for snow come onto a vehicle that has others for the summer, and leave it: month and day. */
const winter = { from: '10-15', until: '04-16' } as const

/** The next of these days after a day, and whether the winter begins with it. */
function nextChange(after: IsoDate): { day: IsoDate; toWinter: boolean } {
  const year = Number(after.slice(0, 4))
  const changes = [
    { day: `${year}-${winter.until}`, toWinter: false },
    { day: `${year}-${winter.from}`, toWinter: true },
  ]
  return changes.find(({ day }) => day > after) ?? { day: `${year + 1}-${winter.until}`, toWinter: false }
}

/**
 * The day on which the season ends in which a tyre is driven next, from a day on: that of a tyre for snow in spring, of another one in
 * autumn. An all-season tyre is looked at for a year.
 */
export function seasonEnd(season: string | null, from: IsoDate): IsoDate {
  if (season === 'all_season') return addDays(from, 365)
  const first = nextChange(from)
  return first.toWinter !== isForSnow(season) ? first.day : nextChange(first.day).day
}

/** The day on which the season of a tyre began that is on the way on a day, or would be: an autumn for snow, a spring for others. */
export function seasonStart(season: string | null, on: IsoDate): IsoDate {
  const begins = isForSnow(season) ? winter.from : winter.until
  const year = Number(on.slice(0, 4))
  const day = `${year}-${begins}`
  return day <= on ? day : `${year - 1}-${begins}`
}

/** Days of use from one day to another. Of a tyre that takes turns only its season counts. */
export function daysInUse({ turns, season }: Turns, from: IsoDate, until: IsoDate): number {
  if (!turns || season === 'all_season') return Math.max(0, daysBetween(from, until))
  let [day, days] = [from, 0]
  while (day < until) {
    const change = nextChange(day)
    const end = change.day < until ? change.day : until
    if (change.toWinter !== isForSnow(season)) days += daysBetween(day, end)
    day = end
  }
  return days
}

/** Whether a tyre takes turns with another one, as one that was in store does, and its season. */
type Turns = { readonly turns: boolean; readonly season: string | null }

/** The day after so many days of use. Of a tyre that takes turns only its season counts. */
function dayAfterUse({ turns, season }: Turns, from: IsoDate, days: number): IsoDate {
  if (!turns || season === 'all_season') return addDays(from, days)
  const forSnow = isForSnow(season)
  let [day, left] = [from, days]
  for (;;) {
    const change = nextChange(day)
    const isOn = change.toWinter !== forSnow
    const until = daysBetween(day, change.day)
    if (isOn && left <= until) return addDays(day, left)
    if (isOn) left -= until
    day = change.day
  }
}
