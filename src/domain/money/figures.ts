/** The months and weeks that the owner's figures are about (docs/product/money.md "Figures"). */
import { addDays, addMonths, type IsoDate } from '../texts/date.ts'
import { mondayOf } from '../season/seasonBoard.ts'

/** A year, and the month that has begun. */
const figureMonths = 13
const figureWeeks = 53
/** How many customers are the largest. */
export const largestCustomers = 20

/** Kinds of revenue, in the order in which they are shown. */
export const figureKinds = ['storage', 'overstay', 'service', 'disposal', 'no_show', 'minimum'] as const
/** The classes of `size_class` (db/functions/size_class.sql), and tyres whose size is not known. */
export const figureClasses = ['small', 'medium', 'large', 'truck', 'unknown'] as const

/** The first days of the months, oldest first. */
export function monthsOf(today: IsoDate): IsoDate[] {
  const first = `${today.slice(0, 8)}01`
  return Array.from({ length: figureMonths }, (_, nth) => addMonths(first, nth + 1 - figureMonths))
}

/** The last days of the weeks, oldest first: Sundays, and of the week that has begun today. */
export function weekEndsOf(today: IsoDate): IsoDate[] {
  const monday = mondayOf(today)
  return Array.from({ length: figureWeeks }, (_, nth) => {
    const sunday = addDays(monday, (nth + 1 - figureWeeks) * 7 + 6)
    return sunday < today ? sunday : today
  })
}
