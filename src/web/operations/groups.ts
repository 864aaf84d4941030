/** What stands under each tab of the operations overview, and in which order (SPEC §2 "Operations overview"). */
import { addMonths, type IsoDate, wallClock } from '#domain/date.ts'
import type { OperationStatus } from '#domain/operation.ts'
import type { OperationType } from '#domain/tyre.ts'

type Listed = {
  status: OperationStatus
  type: OperationType
  deliveryDate: IsoDate | null
  handledAt: string | null
}

/** Recalls first: somebody waits for them. */
const order = ['to_customer', 'to_stock', 'to_waste', 'to_spare'] as const satisfies readonly OperationType[]

/** Recalls by their delivery date, those without one last (SPEC §2). */
const byDelivery = (a: Listed, b: Listed): number => (a.deliveryDate ?? '9999').localeCompare(b.deliveryDate ?? '9999')

/** The open operations of a status by type, without empty groups; each in the order given, submitted recalls by delivery date. */
export function groupsOf<T extends Listed>(
  all: readonly T[],
  status: 'pending' | 'submitted',
): { type: OperationType; operations: T[] }[] {
  const groups = Map.groupBy(
    all.filter(operation => operation.status === status),
    operation => operation.type,
  )
  return order.flatMap(type => {
    const operations = groups.get(type)
    if (!operations) return []
    return [
      {
        type,
        operations: status === 'submitted' && type === 'to_customer' ? operations.toSorted(byDelivery) : operations,
      },
    ]
  })
}

export type Period = { startDate: IsoDate; endDate: IsoDate }

/** SPEC §9: one month ago to today. */
export const lastMonth = (today: IsoDate): Period => ({ startDate: addMonths(today, -1), endDate: today })

/** Operations handled in a period, on the calendar of the site, newest first. */
export function completedIn<T extends Listed>(
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
