/** Changes of which open screens get only the rows (docs/decisions/0074). */
import { rowLists } from '#contract/live.ts'
import type { Context, Notification } from './handler.ts'

/**
 * Desks take over the rows of these operations. A customer's list is loaded again: it also holds handled operations, which show the same
 * tyres as they are now.
 */
export const rowsAtDesks = (...operations: readonly (number | null)[]): Notification => ({
  rows: { operations: operations.filter(id => id !== null), lists: ['operations.admin'] },
})

/** A scan that confirms nothing moves no tyre: fleets stay as they are, and so do the other rows of each list. */
export function notifyOfScans(
  { notify }: Pick<Context<unknown, 'anyone'>['request'], 'notify'>,
  scans: readonly { readonly customer: number; readonly operation: number }[],
): void {
  for (const [customer, ofCustomer] of Map.groupBy(scans, scan => scan.customer)) {
    const operations = [...new Set(ofCustomer.map(scan => scan.operation))]
    notify(customer, { answers: rowLists, rows: { operations, lists: rowLists } })
  }
}
