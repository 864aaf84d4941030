/** The operations of each tab of the overview, in order (docs/product/operations.md "Operations overview"). */
import type { IsoDate } from '#domain/texts/date.ts'
import type { OperationStatus } from '#domain/operations/operation.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { typeOrder } from '../typeOrder.ts'

type Listed = {
  status: OperationStatus
  type: OperationType
  deliveryDate: IsoDate | null
}

const order = [...typeOrder, 'to_spare'] as const satisfies readonly OperationType[]

/** Recalls by their delivery date, those without one last. */
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
