/**
 * On which days a recall can be delivered, and a storage can arrive (docs/product/operations.md "Delivery days"). The server checks the same
 * again, under a lock, when an operation is submitted.
 */
import { addDays, addMonths, isIsoDate, today, wallClock, weekday, type IsoDate } from '../texts/date.ts'

import type { FailureCode } from '../failure.ts'

export { today, type IsoDate } from '../texts/date.ts'

/** The rules of a transport method about its days. */
export type TransportRules = {
  /** The weekdays on which it delivers: Sunday 0 to Saturday 6. */
  operationDays: readonly number[]
  /** Days between today and the first delivery. */
  advanceDays: number
  /** `HH:MM` in the site's time zone, with or without seconds; `null` when it has none. */
  cutoffHour: string | null
  /** The most recalls on a day; 0 is no limit, for a transport that carries nothing would be useless. */
  operationsPerDay: number
  /** The most tyres on a day; 0 is no limit. */
  tyresPerDay: number
}

/** Tyres that customers bring themselves: any open day from today on, and as many as come. */
export const selfDelivered: TransportRules = {
  operationDays: [0, 1, 2, 3, 4, 5, 6],
  advanceDays: 0,
  cutoffHour: null,
  operationsPerDay: 0,
  tyresPerDay: 0,
}

/** A moment, and the time zone of the site. */
export type Moment = { now: Date; timeZone: string }
/** With the days on which the site is closed. */
export type MomentAtSite = Moment & { closedDays: readonly IsoDate[] }

/**
 * The days that are offered first to who brings tyres: those on which some transport drives, since somebody is at the site then, and
 * today until the last of them must be asked for. Other open days can be chosen.
 */
export function likelyArrival(
  methods: readonly Pick<TransportRules, 'operationDays' | 'cutoffHour'>[],
): TransportRules {
  const driving = methods.filter(({ operationDays }) => operationDays.length > 0)
  if (driving.length === 0) return selfDelivered
  const cutoffs = driving.map(({ cutoffHour }) => cutoffHour)
  return {
    ...selfDelivered,
    operationDays: [...new Set(driving.flatMap(({ operationDays }) => operationDays))],
    cutoffHour: cutoffs.reduce((last, hour) => (last === null || hour === null ? null : hour > last ? hour : last)),
  }
}

const hourMs = 3_600_000
/** How many months ahead a delivery can be. */
const monthsAhead = 6

/**
 * The day from which advance days count: today until the cut-off, from then on tomorrow. Of a day on which the site is closed the
 * cut-off has passed from its beginning.
 */
export function advanceDaysStart(at: MomentAtSite & Pick<TransportRules, 'cutoffHour'>): IsoDate {
  let day = dayBeforeCutoff(at)
  if (at.cutoffHour !== null) while (at.closedDays.includes(day)) day = addDays(day, 1)
  return day
}

function dayBeforeCutoff({ now, timeZone, cutoffHour }: Moment & Pick<TransportRules, 'cutoffHour'>): IsoDate {
  const { date, time } = wallClock({ now, timeZone })
  if (cutoffHour === null) return date
  if (time >= cutoffHour) return addDays(date, 1)
  // In autumn an hour comes twice: a cut-off in it has passed once that hour has gone by once.
  const inThisHour = cutoffHour.slice(0, 2) === time.slice(0, 2)
  const isSecond = inThisHour && wallClock({ now: new Date(now.getTime() - hourMs), timeZone }).time === time
  return isSecond ? addDays(date, 1) : date
}

/** The first day after the advance days, on any weekday, even a closed one. */
const earliestDay = (rules: TransportRules, at: MomentAtSite): IsoDate =>
  addDays(advanceDaysStart({ ...at, cutoffHour: rules.cutoffHour }), rules.advanceDays)

/** Whether a transport drives on a day: on its weekdays, when the site is open. */
const drivesOn = (date: IsoDate, { operationDays }: TransportRules, { closedDays }: MomentAtSite): boolean =>
  operationDays.includes(weekday(date)) && !closedDays.includes(date)

/**
 * The first day on which a transport can deliver: today plus its advance days, moved forward to a weekday on which it
 * delivers and the site is open. `null` when it never can: it has no weekday, or its first day lies after the last one that
 * is allowed.
 */
export function firstDeliveryDate(rules: TransportRules, at: MomentAtSite): IsoDate | null {
  const last = lastDeliveryDate(at)
  for (let date = earliestDay(rules, at); date <= last; date = addDays(date, 1))
    if (drivesOn(date, rules, at)) return date
  return null
}

/** The last day that can be chosen: six months from today, in a shorter month its last day. */
export const lastDeliveryDate = (at: Moment): IsoDate => addMonths(today(at), monthsAhead)

export type DeliveryRefusal =
  | 'delivery.missing'
  | 'delivery.too_early'
  | 'delivery.too_late'
  | 'delivery.weekday'
  | 'delivery.closed'
  | 'delivery.day_full'

/** The same said of a storage that can't arrive. A closed day is closed to both. */
export const arrivalRefusals = {
  'delivery.missing': 'arrival.missing',
  'delivery.too_early': 'arrival.too_early',
  'delivery.too_late': 'arrival.too_late',
  'delivery.weekday': 'arrival.weekday',
  'delivery.closed': 'delivery.closed',
  'delivery.day_full': 'arrival.day_full',
} as const satisfies Record<DeliveryRefusal, FailureCode>

/**
 * Why a recall can't be delivered, or a storage can't arrive, on a day; `null` when it can. `booked` are the days on which the
 * transport is full in that direction.
 */
export function deliveryDayRefusal(
  date: IsoDate | null,
  rules: TransportRules,
  booked: ReadonlySet<IsoDate> | readonly IsoDate[],
  at: MomentAtSite,
): DeliveryRefusal | null {
  if (date === null || !isIsoDate(date)) return 'delivery.missing'
  // Before the earliest day a day is too early on any weekday; after it the weekday is wrong.
  if (date < earliestDay(rules, at)) return 'delivery.too_early'
  if (date > lastDeliveryDate(at)) return 'delivery.too_late'
  if (!rules.operationDays.includes(weekday(date))) return 'delivery.weekday'
  if (at.closedDays.includes(date)) return 'delivery.closed'
  const full = 'has' in booked ? booked.has(date) : booked.includes(date)
  return full ? 'delivery.day_full' : null
}

/**
 * Whether a day takes no further recall: its submitted recalls have reached `operationsPerDay`, or their tyres
 * `tyresPerDay`. While a place is left, the recall that takes it may have more tyres than are left: a limit of two tyres must
 * not refuse a set of four. The same of storages that arrive, which are counted apart.
 */
export function isDayFull(
  taken: { operations: number; tyres: number },
  { operationsPerDay, tyresPerDay }: Pick<TransportRules, 'operationsPerDay' | 'tyresPerDay'>,
): boolean {
  return (
    (operationsPerDay > 0 && taken.operations >= operationsPerDay) || (tyresPerDay > 0 && taken.tyres >= tyresPerDay)
  )
}
