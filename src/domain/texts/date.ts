/**
 * Days of the calendar as text, `YYYY-MM-DD`: a delivery date or a stock date is a day, not a moment, and has no time
 * zone. Moments become days only through a time zone that is named. Years 0001 to 9999.
 */

/** A day, `YYYY-MM-DD`. Sorts and compares as text. */
export type IsoDate = string

const dayMs = 86_400_000

/** Midnight UTC of a day in ms, for calculations only. Throws a RangeError for a text that is no day of the calendar. */
function utc(date: IsoDate): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) throw new RangeError(`no day: ${date}`)
  return ms
}

function fromUtc(ms: number): IsoDate {
  const date = new Date(ms).toISOString()
  if (!/^\d{4}-/.test(date)) throw new RangeError(`no day within four-digit years: ${date}`)
  return date.slice(0, 10)
}

/** Whether a text is a day of the calendar: `2026-02-29` is none. */
export function isIsoDate(text: string): boolean {
  try {
    utc(text)
    return true
  } catch {
    return false
  }
}

/** The day so many days later; earlier for a negative number. */
export const addDays = (date: IsoDate, days: number): IsoDate => fromUtc(utc(date) + days * dayMs)

/** The same day so many months later, or the last day of that month when it is shorter: 31 August + 6 is 28 or 29 February. */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const day = new Date(utc(date))
  const wanted = day.getUTCDate()
  day.setUTCDate(1)
  day.setUTCMonth(day.getUTCMonth() + months)
  const first = fromUtc(day.getTime())
  day.setUTCMonth(day.getUTCMonth() + 1, 0)
  return `${first.slice(0, 8)}${String(Math.min(wanted, day.getUTCDate())).padStart(2, '0')}`
}

/** The day of the week: Sunday 0 to Saturday 6. */
export const weekday = (date: IsoDate): number => new Date(utc(date)).getUTCDay()

/** How many days `to` lies after `from`; negative when it lies before. */
export const daysBetween = (from: IsoDate, to: IsoDate): number => (utc(to) - utc(from)) / dayMs

/** Why a list can't be of these days: they end before they begin, or are more than `most` after the first. `null`: it can. */
export function periodProblem(
  { from, to }: { from: IsoDate; to: IsoDate },
  most = Number.POSITIVE_INFINITY,
): 'turned' | 'too_long' | null {
  if (from > to) return 'turned'
  return daysBetween(from, to) > most ? 'too_long' : null
}

/** The day of a text `YYYYMMDD`, as a tyre's dates travel; `null` when it names none. */
export function fromYmd(text: string): IsoDate | null {
  const date = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return date !== text && isIsoDate(date) ? date : null
}

// A formatter costs far more to make than to use, and a list formats thousands of moments.
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The calendar date and clock time of a moment in a time zone. Throws a RangeError for an unknown zone or an invalid moment. */
export function wallClock({ now, timeZone }: { now: Date; timeZone: string }): { date: IsoDate; time: string } {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    clocks.set(timeZone, clock)
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clock.formatToParts(now)) parts[type] = value
  return {
    date: `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}:${parts.second}`,
  }
}

/** The day at a moment in a time zone: it changes at midnight there, also when the clocks change. */
export const today = (at: { now: Date; timeZone: string }): IsoDate => wallClock(at).date

/** A day as people read it: DD/MM/YYYY. */
export const formatDate = (date: IsoDate): string => date.split('-').reverse().join('/')

/** A moment as people read it in a time zone: DD/MM/YYYY HH:mm:ss. Takes a Date or an ISO text with offset. */
export function formatMoment(moment: Date | string, timeZone: string): string {
  const { date, time } = wallClock({ now: new Date(moment), timeZone })
  return `${formatDate(date)} ${time}`
}
