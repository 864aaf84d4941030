/** Payments of invoices (docs/money.md "Paid or not"). */
import type { IsoDate } from '../texts/date.ts'

/** A write-off gives up what is left of an invoice; a refund gives back what is left of a payment. */
export const paymentKinds = ['payment', 'refund', 'write_off'] as const
export type PaymentKind = (typeof paymentKinds)[number]

export const paymentStates = ['open', 'partly_paid', 'overdue', 'paid', 'written_off', 'credited'] as const
export type PaymentState = (typeof paymentStates)[number]

/** The balance of an invoice; all amounts in the same unit. */
export type Balance = {
  readonly gross: number
  readonly credited: number
  readonly paid: number
  readonly written_off: number
  readonly due: IsoDate
}

const openOf = ({ gross, credited, paid, written_off }: Omit<Balance, 'due'>): number =>
  gross - credited - paid - written_off

/** The state of an invoice today. One of which something is left is overdue from the day after it is due, however much was paid. */
export function paymentStateOf(balance: Balance, today: IsoDate): PaymentState {
  const { paid, written_off, due } = balance
  if (openOf(balance) <= 0) return written_off > 0 ? 'written_off' : paid > 0 ? 'paid' : 'credited'
  if (today > due) return 'overdue'
  return paid > 0 ? 'partly_paid' : 'open'
}

/** For how many days an amount has been due, in the steps of an aged balance. */
export const ages = ['due', 'days30', 'days60', 'days90', 'older'] as const
export type Age = (typeof ages)[number]
/** The last day of each step but the last one. `due`: it is not due yet. */
export const ageDays = { due: 0, days30: 30, days60: 60, days90: 90 } as const satisfies Partial<Record<Age, number>>
