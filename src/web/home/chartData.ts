/** The data of the charts of the customer's home (docs/product/screens.md "Home screens"). */
import { addDays, type IsoDate, wallClock } from '#domain/texts/date.ts'
import type { OperationStatus } from '#domain/operations/operation.ts'
import { type OfferedType, offeredTypes, type OperationType, type TyreStatus } from '#domain/tyres/tyre.ts'

/** The days of the line chart, today among them. */
export const chartDays = 31

export type ChartDay = { date: IsoDate } & Record<OfferedType, number>

type Handled = { status: OperationStatus; type: OperationType; handledAt: string | null }

/**
 * How many operations of each type were finished on each of the last 31 days, oldest first. Finished means confirmed: a cancelled operation moved no
 * tyre. A day is one of the site's calendar.
 */
export function finishedPerDay(
  operations: readonly Handled[],
  { today, timeZone }: { today: IsoDate; timeZone: string },
): ChartDay[] {
  const days = Array.from({ length: chartDays }, (_, at): ChartDay => ({
    date: addDays(today, at + 1 - chartDays),
    to_stock: 0,
    to_customer: 0,
    to_waste: 0,
  }))
  const byDate = new Map(days.map(day => [day.date, day]))
  for (const { status, type, handledAt } of operations) {
    const offered = offeredTypes.find(candidate => candidate === type)
    if (status !== 'confirmed' || handledAt === null || !offered) continue
    const day = byDate.get(wallClock({ now: new Date(handledAt), timeZone }).date)
    if (day) day[offered]++
  }
  return days
}

export const countedStatuses = ['in_stock', 'at_customer', 'on_vehicle'] as const satisfies readonly TyreStatus[]

/** How many tyres are in stock, at the customer and on a vehicle. */
export function countTyres(fleet: readonly { tyres: readonly { tyre_status: TyreStatus }[] }[]) {
  const counts = { in_stock: 0, at_customer: 0, on_vehicle: 0 }
  for (const { tyres } of fleet) {
    for (const { tyre_status: status } of tyres) {
      const counted = countedStatuses.find(candidate => candidate === status)
      if (counted) counts[counted]++
    }
  }
  return counts
}
