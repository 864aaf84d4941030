/** The days and hours at which the demo's people work, seen from the day on which it is loaded. */
import { publicHolidays, type ClosedDay } from '#domain/operations/closedDays.ts'
import { addDays, today, wallClock, weekday, type IsoDate } from '#domain/texts/date.ts'

export type Calendar = {
  readonly now: Date
  readonly timeZone: string
  readonly today: IsoDate
  /** The last day of which everything has happened already. */
  readonly yesterday: IsoDate
  /** The day so many days before today. */
  ago(days: number): IsoDate
  /** A moment of a day, in minutes after midnight by the clock on the wall. For working hours: the clocks change at night. */
  moment(day: IsoDate, minutes: number): Date
  dayOf(moment: Date): IsoDate
  /** The public holidays of this year and the next. */
  readonly closed: readonly ClosedDay[]
}

export function calendarOf(now: Date, timeZone: string): Calendar {
  const day = today({ now, timeZone })
  const offsets = new Map<IsoDate, number>()
  const offsetOn = (date: IsoDate): number => {
    let offset = offsets.get(date)
    if (offset === undefined) {
      const noon = new Date(`${date}T12:00:00Z`)
      const shown = wallClock({ now: noon, timeZone })
      offset = Date.parse(`${shown.date}T${shown.time}Z`) - noon.getTime()
      offsets.set(date, offset)
    }
    return offset
  }
  return {
    now,
    timeZone,
    today: day,
    yesterday: addDays(day, -1),
    ago: days => addDays(day, -days),
    moment: (date, minutes) => new Date(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000 - offsetOn(date)),
    dayOf: moment => today({ now: moment, timeZone }),
    closed: [0, 1].flatMap(later => publicHolidays('BE', Number(day.slice(0, 4)) + later)),
  }
}

const holidays = new Map<number, ReadonlySet<IsoDate>>()
function isHoliday(day: IsoDate): boolean {
  const year = Number(day.slice(0, 4))
  const days = holidays.get(year) ?? new Set(publicHolidays('BE', year).map(holiday => holiday.day))
  holidays.set(year, days)
  return days.has(day)
}

/** The day itself, or the last one before it on which the warehouse is open: Monday to Saturday without holidays. */
export function openDay(day: IsoDate): IsoDate {
  let open = day
  while (weekday(open) === 0 || isHoliday(open)) open = addDays(open, -1)
  return open
}

export const isSaturday = (day: IsoDate): boolean => weekday(day) === 6
