/**
 * On which days a recall can be delivered (SPEC §5 "Delivery date", §9; DESIGN §7 "Delivery date"). The server asks the
 * same again when a recall is submitted, under a lock.
 */
import { addDays, addMonths, isIsoDate, today, wallClock, weekday, type IsoDate } from './date.ts'

export { today, type IsoDate } from './date.ts'

/** What a transport method says about its days (SPEC §3 "Transport method"). */
export type TransportRules = {
  /** The weekdays on which it delivers: Sunday 0 to Saturday 6. */
  operationDays: readonly number[]
  /** Days between today and the first delivery. */
  advanceDays: number
  /** `HH:MM` in the site's time zone, with or without seconds; `null` when it takes orders all day. */
  cutoffHour: string | null
  /** The most recalls on a day. 0 is no limit: a transport that may carry nothing would be no transport. */
  operationsPerDay: number
  /** The most tyres on a day; 0 is no limit. */
  tyresPerDay: number
}

/** A moment, and the time zone of the site. */
export type Moment = { now: Date; timeZone: string }

const anHour = 3_600_000
/** SPEC §5: how many months ahead a delivery can be. */
const monthsAhead = 6

/** The day from which advance days count: today until the cut-off, from then on tomorrow (DESIGN §7). */
export function countsFrom({ now, timeZone, cutoffHour }: Moment & Pick<TransportRules, 'cutoffHour'>): IsoDate {
  const { date, time } = wallClock({ now, timeZone })
  if (cutoffHour === null) return date
  if (time >= cutoffHour) return addDays(date, 1)
  // in autumn an hour comes twice: a cut-off in it is past when that hour has gone by once
  const inThisHour = cutoffHour.slice(0, 2) === time.slice(0, 2)
  const again = inThisHour && wallClock({ now: new Date(now.getTime() - anHour), timeZone }).time === time
  return again ? addDays(date, 1) : date
}

const beforeWeekday = (rules: TransportRules, at: Moment): IsoDate =>
  addDays(countsFrom({ ...at, cutoffHour: rules.cutoffHour }), rules.advanceDays)

/**
 * The first day on which a transport can deliver: today plus its advance days, moved forward to a weekday on which it
 * delivers. `null` when it never can: it has no weekday, or its first day lies after the last one that is allowed.
 */
export function firstDeliveryDate(rules: TransportRules, at: Moment): IsoDate | null {
  const from = beforeWeekday(rules, at)
  const last = lastDeliveryDate(at)
  for (let days = 0; days < 7; days += 1) {
    const date = addDays(from, days)
    if (rules.operationDays.includes(weekday(date))) return date <= last ? date : null
  }
  return null
}

/** The last day that can be asked for: six months from today, at the end of a month that is too short the month's last. */
export const lastDeliveryDate = (at: Moment): IsoDate => addMonths(today(at), monthsAhead)

export type DeliveryRefusal =
  | 'delivery.missing'
  | 'delivery.too_early'
  | 'delivery.too_late'
  | 'delivery.weekday'
  | 'delivery.day_full'

/**
 * Why a recall can't be delivered on a day; `null` when it can. `booked` are the days on which the transport is full
 * (SPEC §7 `/operations/bookedtransportdays`).
 */
export function deliveryDayRefusal(
  date: IsoDate | null,
  rules: TransportRules,
  booked: ReadonlySet<IsoDate> | readonly IsoDate[],
  at: Moment,
): DeliveryRefusal | null {
  if (date === null || !isIsoDate(date)) return 'delivery.missing'
  // Up to the advance days a day is too early whatever its weekday; behind them it is the weekday that is wrong.
  if (date < beforeWeekday(rules, at)) return 'delivery.too_early'
  if (date > lastDeliveryDate(at)) return 'delivery.too_late'
  if (!rules.operationDays.includes(weekday(date))) return 'delivery.weekday'
  const full = 'has' in booked ? booked.has(date) : booked.includes(date)
  return full ? 'delivery.day_full' : null
}

/**
 * Whether a day takes no further recall: its submitted recalls have reached `operationsPerDay`, or their tyres
 * `tyresPerDay` (DESIGN §7). While a place is left, the recall that takes it may have more tyres than are left: a limit of
 * two tyres must not keep anybody from four.
 */
export function isDayFull(
  taken: { operations: number; tyres: number },
  { operationsPerDay, tyresPerDay }: Pick<TransportRules, 'operationsPerDay' | 'tyresPerDay'>,
): boolean {
  return (
    (operationsPerDay > 0 && taken.operations >= operationsPerDay) || (tyresPerDay > 0 && taken.tyres >= tyresPerDay)
  )
}
