/** For how long stored tyres have not been invoiced, and which quantity their owed days make (docs/product.md "Overdue storage", "Stored days"). */
import { addDays, daysBetween, type IsoDate } from './date.ts'

/** A tyre in stock: since when, and up to which day its storage is invoiced. */
type Stored = {
  /** The day on which it came into stock. */
  stockDate: IsoDate
  /** The last invoice date; `null` when it was never invoiced. */
  invoicedOn: IsoDate | null
}

/** The day up to which storage is paid: the later of stock date and last invoice date. */
const paidUntil = ({ stockDate, invoicedOn }: Stored): IsoDate =>
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
}

/** A tyre of a vehicle and the number of stored days that it owes; `set` is `null` for a setless one. */
export type OwingTyre = { vehicle: number; set: string | null; owed: number }

/** What is invoiced as one: the tyres of a set, or a tyre; for how many days, and which quantity that makes. */
export type InvoiceUnit<T> = { tyres: T[]; days: number; quantity: number }

/**
 * The units that are invoiced for tyres, in the order of their first tyres. Per set, the tyres of one set of one vehicle
 * count as one, for as many days as the tyre that owes most. A unit that owes nothing has the quantity 0. Throws a RangeError
 * for a period below one day.
 */
export function invoiceUnits<T extends OwingTyre>(
  tyres: readonly T[],
  { quantity, mode, period }: InvoicingRules,
): InvoiceUnit<T>[] {
  if (!Number.isInteger(period) || period < 1) throw new RangeError(`no invoicing period: ${period}`)
  const units = Map.groupBy(tyres, (tyre, at) =>
    quantity === 'per_set' && tyre.set !== null ? `${tyre.vehicle} ${tyre.set}` : at,
  )
  return [...units.values()].map(together => {
    const days = Math.max(...together.map(tyre => tyre.owed))
    return { tyres: together, days, quantity: mode === 'per_day' ? days : Math.ceil(days / period) }
  })
}

/** The quantity of the invoicing article that is charged for tyres: the sum over their units. */
export const invoiceQuantity = (tyres: readonly OwingTyre[], rules: InvoicingRules): number =>
  invoiceUnits(tyres, rules).reduce((sum, unit) => sum + unit.quantity, 0)

/**
 * The day up to which a unit is paid that is charged today: the end of the last period that has begun. It is only for tyres that
 * are in the store; the others are charged for the days that they were there.
 */
export const paidTo = (
  { days, quantity }: Pick<InvoiceUnit<unknown>, 'days' | 'quantity'>,
  { mode, period, today }: InvoicingRules & { today: IsoDate },
): IsoDate => (mode === 'per_day' ? today : addDays(today, quantity * period - days))

/** The days that a tyre owes: some or all of those after `since`, up to `until`. */
export type Owed = { since: IsoDate; until: IsoDate }

/** Units of one set of a vehicle, or of its setless tyres, that are charged for the same days. */
export type InvoiceLine<T> = InvoiceUnit<T> & Owed

/** The lines of a document for tyres: their units without those of quantity 0, joined where two lines would read the same. */
export function invoiceLines<T extends OwingTyre & Owed>(tyres: readonly T[], rules: InvoicingRules): InvoiceLine<T>[] {
  const lines = new Map<string, InvoiceLine<T>>()
  for (const unit of invoiceUnits(tyres, rules)) {
    const [first] = unit.tyres
    if (!first || unit.quantity === 0) continue
    const since = unit.tyres.map(tyre => tyre.since).reduce((a, b) => (a < b ? a : b))
    const until = unit.tyres.map(tyre => tyre.until).reduce((a, b) => (a > b ? a : b))
    const key = JSON.stringify([first.vehicle, first.set, since, until, unit.days])
    const line = lines.get(key)
    if (!line) lines.set(key, { ...unit, since, until })
    else {
      line.tyres = [...line.tyres, ...unit.tyres]
      line.quantity += unit.quantity
    }
  }
  return [...lines.values()]
}
