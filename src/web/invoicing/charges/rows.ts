/** Overdue tyres as they are selected, counted and copied (docs/product/money.md "Invoicing", docs/product/money.md "Overdue storage"). */
import { folded } from '#domain/texts/folded.ts'
import type { BillingRunCustomer } from '#contract/billing.ts'
import type { OverdueTyre } from '#contract/invoicing.ts'
import { formatDate, type IsoDate } from '#domain/texts/date.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'

/**
 * The tyres that are selected together with this one: those that the server charges as one with it, since a part of them would be charged
 * like the whole, and the rest once more.
 */
export const selectedTogether = (tyre: number, together: readonly (readonly number[])[]): readonly number[] =>
  together.find(ids => ids.includes(tyre)) ?? [tyre]

/** How many of the customers that the list shows get a document. */
export function chosenIn(shown: readonly BillingRunCustomer[], without: ReadonlySet<number>): boolean | 'some' {
  const count = shown.filter(({ seq_id }) => !without.has(seq_id)).length
  return count > 0 && (count === shown.length || 'some')
}

/** The checkbox of all rows selects the listed ones, or deselects them when all were; hidden rows stay as they are. */
export function withAllToggled(
  shown: readonly BillingRunCustomer[],
  without: ReadonlySet<number>,
): ReadonlySet<number> {
  const ids = shown.map(({ seq_id }) => seq_id)
  if (chosenIn(shown, without) === true) return new Set([...without, ...ids])
  const chosen = new Set(ids)
  return new Set([...without].filter(id => !chosen.has(id)))
}

/** Those of these tyres that a document can charge: the server refuses one with a tyre that owes no days. */
export const owingOf = (tyres: readonly OverdueTyre[]): OverdueTyre[] => tyres.filter(tyre => tyre.owed_days > 0)

/** How many days tyres owe together. */
export const daysOwedBy = (tyres: readonly { owed_days: number }[]): number =>
  tyres.reduce((sum, tyre) => sum + tyre.owed_days, 0)

/** The documents that charge days of these tyres which are not marked as invoiced yet, with their tyres and the last day that they charge. */
export function documentsOf(tyres: readonly OverdueTyre[]): { number: string; date: IsoDate; tyres: number[] }[] {
  const documents = new Map<string, { number: string; date: IsoDate; tyres: number[] }>()
  for (const { document, document_date, paid_until, db_id } of tyres) {
    const date = paid_until ?? document_date
    if (document === null || date === null) continue
    const entry = documents.get(document) ?? { number: document, date, tyres: [] }
    if (date > entry.date) entry.date = date
    entry.tyres.push(db_id)
    documents.set(document, entry)
  }
  return [...documents.values()]
}

const columns = [
  'tyre',
  'plate',
  'position',
  'description',
  'set',
  'stockDate',
  'invoiced',
  'days',
  'site',
  'rack',
  'document',
] as const
export type Column = (typeof columns)[number]

/** Heading and rows of a copy or file. */
export function cellsOf(
  tyres: readonly OverdueTyre[],
  { heading, setless }: { heading: (column: Column) => string; setless: string },
): (string | number | null)[][] {
  const cells = (tyre: OverdueTyre): Record<Column, string | number | null> => ({
    tyre: tyre.db_id,
    plate: formatPlate(tyre.license_plate),
    position: tyre.position,
    description: tyre.description,
    set: tyre.tyre_set ?? setless,
    stockDate: formatDate(tyre.status_date),
    invoiced: tyre.invoicedAt && formatDate(tyre.invoicedAt),
    days: tyre.overdue_days,
    site: tyre.stock_site_name,
    rack: tyre.stock_rack,
    document: tyre.document,
  })
  return [
    columns.map(heading),
    ...tyres.map(tyre => {
      const row = cells(tyre)
      return columns.map(column => row[column])
    }),
  ]
}

/** Whether a text has every word of a filter, without regard to case and accents. */
export function matches(text: string, filter: string): boolean {
  const within = folded(text)
  return folded(filter)
    .split(/\s+/)
    .filter(Boolean)
    .every(word => within.includes(word))
}

/** By how much the amount of a customer in a billing run differs from the last one, in EUR; `null` when there was none. */
export const differenceOf = ({
  amount_excl,
  last_excl,
}: Pick<BillingRunCustomer, 'amount_excl' | 'last_excl'>): number | null =>
  last_excl === null ? null : (hundredths(amount_excl) - hundredths(last_excl)) / 100
