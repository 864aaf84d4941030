/** Reminders of invoices that are overdue (docs/money.md "Reminders"). Amounts are whole cents. */
import { daysBetween, type IsoDate } from '../texts/date.ts'
import { divided } from './invoice.ts'

/** The most levels of a site. */
export const maxReminderLevels = 5
export const reminderLimits = { text: 1000 } as const

/** The fixed sum of Directive 2011/7/EU, article 6, for each invoice that a business pays late. */
const compensationCents = 40_00

/** A level: from how many days after an invoice is due, and what the letter costs. */
type ReminderLevel = { readonly days: number; readonly fee: number }

/** An invoice that is overdue. `level` is that of the last reminder, from 1; 0: none was sent. */
type OverdueInvoice = {
  readonly due: IsoDate
  readonly open: number
  readonly level: number
  /** The day of the last reminder. */
  readonly reminded: IsoDate | null
}

/**
 * The level of the reminder that an invoice gets today, from 1; `null`: none. Levels follow each other, however late it is, and as many days lie between
 * two of them as their days differ: an invoice of long ago is not reminded of three times in a week.
 */
export function nextLevel(
  { due, level, reminded }: OverdueInvoice,
  levels: readonly ReminderLevel[],
  today: IsoDate,
): number | null {
  const next = levels[level]
  if (!next || daysBetween(due, today) < next.days) return null
  const last = levels[level - 1]
  if (last && reminded !== null && daysBetween(reminded, today) < next.days - last.days) return null
  return level + 1
}

/** How a site claims late payment; `rate` in per cent a year, null for no interest. */
type LatePayment = { readonly rate: number | null; readonly compensation: boolean }

/** The interest on what is open from the day after it was due until today, by the days of a year of 365. */
export const interestOf = (
  { due, open }: Pick<OverdueInvoice, 'due' | 'open'>,
  rate: number | null,
  today: IsoDate,
): number =>
  rate === null ? 0 : divided(open * Math.round(rate * 100) * Math.max(0, daysBetween(due, today)), 10_000 * 365)

/** The demand of a letter: its invoices, its fee (that of its highest level), interest, and the fixed sum for each invoice. */
export function letterOf(
  invoices: readonly (OverdueInvoice & { readonly next: number })[],
  levels: readonly ReminderLevel[],
  { rate, compensation }: LatePayment,
  today: IsoDate,
) {
  const level = Math.max(0, ...invoices.map(({ next }) => next))
  const open = invoices.reduce((sum, invoice) => sum + invoice.open, 0)
  const fee = levels[level - 1]?.fee ?? 0
  const interest = invoices.reduce((sum, invoice) => sum + interestOf(invoice, rate, today), 0)
  const fixed = compensation ? compensationCents * invoices.length : 0
  return { level, open, fee, interest, compensation: fixed, total: open + fee + interest + fixed }
}

export const reminderRunStates = ['sending', 'sent'] as const
/** How often the letter to a customer may fail before a run goes on without it. */
export const maxFailedLetters = 3
