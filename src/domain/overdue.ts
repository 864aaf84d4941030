/** For how long stored tyres have not been invoiced, and which quantity that makes (docs/product.md "Overdue storage"). */
import { daysBetween, type IsoDate } from './date.ts'

/** A tyre in stock: since when, and up to which day its storage is invoiced. */
export type Stored = {
  /** The day on which it came into stock. */
  stockDate: IsoDate
  /** The last invoice date; `null` when it was never invoiced. */
  invoicedOn: IsoDate | null
}

/** The day up to which storage is paid: the later of stock date and last invoice date. */
export const paidUntil = ({ stockDate, invoicedOn }: Stored): IsoDate =>
  invoicedOn !== null && invoicedOn > stockDate ? invoicedOn : stockDate

/** Days of storage that are not invoiced, from the later of stock date and last invoice date to today; at least 0. */
export const overdueDays = ({ today, ...stored }: Stored & { today: IsoDate }): number =>
  Math.max(0, daysBetween(paidUntil(stored), today))

export type InvoicingRules = {
  /** What is counted. */
  quantity: 'per_set' | 'per_tyre'
  /** Whether days count, or every `period` that has begun. */
  mode: 'per_day' | 'per_period'
  /** Days, at least 1. */
  period: number
  today: IsoDate
}

/** A stored tyre of a vehicle; `set` is `null` for a setless one. */
export type StoredTyre = Stored & { vehicle: number; set: string | null }

/** What is invoiced as one: the tyres of a set, or a tyre; for how many days, and which quantity that makes. */
export type InvoiceUnit<T> = { tyres: T[]; days: number; quantity: number }

/**
 * The units that are invoiced for tyres, in the order of their first tyres. Per set, the tyres of one set of one vehicle
 * count as one, for as long as the longest overdue of them; a setless tyre counts alone. A unit without overdue days has
 * the quantity 0. Throws a RangeError for a period below one day.
 */
export function invoiceUnits<T extends StoredTyre>(
  tyres: readonly T[],
  { quantity, mode, period, today }: InvoicingRules,
): InvoiceUnit<T>[] {
  if (!Number.isInteger(period) || period < 1) throw new RangeError(`no invoicing period: ${period}`)
  const units = Map.groupBy(tyres, (tyre, at) =>
    quantity === 'per_set' && tyre.set !== null ? `${tyre.vehicle} ${tyre.set}` : at,
  )
  return [...units.values()].map(together => {
    const days = Math.max(...together.map(tyre => overdueDays({ ...tyre, today })))
    return { tyres: together, days, quantity: mode === 'per_day' ? days : Math.ceil(days / period) }
  })
}

/** The quantity of the invoicing article that is charged for tyres: the sum over their units. */
export const invoiceQuantity = (tyres: readonly StoredTyre[], rules: InvoicingRules): number =>
  invoiceUnits(tyres, rules).reduce((sum, unit) => sum + unit.quantity, 0)

/** Units of one set of a vehicle, or of its setless tyres, that are charged for the same days: after `since`, to today. */
export type InvoiceLine<T> = InvoiceUnit<T> & { since: IsoDate }

/** The lines of a document for tyres: their units without those of quantity 0, joined where two lines would read the same. */
export function invoiceLines<T extends StoredTyre>(tyres: readonly T[], rules: InvoicingRules): InvoiceLine<T>[] {
  const lines = new Map<string, InvoiceLine<T>>()
  for (const unit of invoiceUnits(tyres, rules)) {
    const [first] = unit.tyres
    if (!first || unit.quantity === 0) continue
    const since = unit.tyres.map(paidUntil).reduce((a, b) => (a < b ? a : b))
    const key = JSON.stringify([first.vehicle, first.set, since])
    const line = lines.get(key)
    if (!line) lines.set(key, { ...unit, since })
    else {
      line.tyres = [...line.tyres, ...unit.tyres]
      line.quantity += unit.quantity
    }
  }
  return [...lines.values()]
}
