/** Which operations count as completed, for the home's counters and the overview's tabs alike. */
import { addMonths, type IsoDate, wallClock } from '#domain/texts/date.ts'
import type { OperationStatus } from '#domain/operations/operation.ts'
import { isOfferedType, type OperationType } from '#domain/tyres/tyre.ts'

export type Period = { startDate: IsoDate; endDate: IsoDate }

/** One month ago to today. */
export const lastMonth = (today: IsoDate): Period => ({ startDate: addMonths(today, -1), endDate: today })

/** Operations handled in a period, on the calendar of the site, newest first. */
export function completedIn<T extends { handledAt: string | null }>(
  all: readonly T[],
  { startDate, endDate }: Period,
  timeZone: string,
): T[] {
  return all
    .filter(({ handledAt }) => {
      if (handledAt === null) return false
      const { date } = wallClock({ now: new Date(handledAt), timeZone })
      return date >= startDate && date <= endDate
    })
    .toSorted((a, b) => Date.parse(b.handledAt!) - Date.parse(a.handledAt!))
}

/**
 * How many operations stand under each tab of /operations; completed is confirmed or cancelled within the last month. Only
 * types that screens offer are counted.
 */
export function countOperations(
  all: readonly { status: OperationStatus; type: OperationType; handledAt: string | null }[],
  today: IsoDate,
  timeZone: string,
) {
  const counted = all.filter(({ type }) => isOfferedType(type))
  return {
    pending: counted.filter(({ status }) => status === 'pending').length,
    submitted: counted.filter(({ status }) => status === 'submitted').length,
    completed: completedIn(counted, lastMonth(today), timeZone).length,
  }
}
