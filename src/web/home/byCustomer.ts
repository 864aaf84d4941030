/** How many operations each customer had, as the administrator's home shows it (docs/product/screens.md "Home screens"). */
import { sortRows } from '../ui/dataTable/sortRows.ts'
import { palette, restColor } from '../ui/palette.ts'

export type Counts = { total: number; to_customer: number; to_stock: number; to_waste: number }
export type CustomerCounts = Counts & { seq_id: number; companyname: string }

const sortKeys = ['customer', 'total', 'to_customer', 'to_stock', 'to_waste'] as const
export type SortKey = (typeof sortKeys)[number]

/** The rows by a column; equal ones stay as the server has them: most operations first, then by name. */
export const sorted = (
  rows: readonly CustomerCounts[],
  { by, desc, language }: { by: SortKey; desc: boolean; language: string },
): readonly CustomerCounts[] =>
  sortRows(rows, row => (by === 'customer' ? row.companyname : row[by]), { desc, language })

/** All customers together. */
export function totalOf(rows: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => rows.reduce((all, row) => all + row[key], 0)
  return { total: sum('total'), to_customer: sum('to_customer'), to_stock: sum('to_stock'), to_waste: sum('to_waste') }
}

/** The colour of each customer: the 25 with the most operations get a separate one. `rows` as the server has them. */
export const colorsOf = (rows: readonly CustomerCounts[]): ReadonlyMap<number, string> =>
  new Map(rows.map(({ seq_id }, at) => [seq_id, palette[at] ?? restColor]))

/** The parts of the doughnut: the 25 customers with the most operations, and all others as one. */
export function partsOf(rows: readonly CustomerCounts[], others: string) {
  const own = rows.slice(0, palette.length)
  const rest = totalOf(rows.slice(palette.length)).total
  return [
    ...own.map(({ seq_id, companyname, total }, at) => ({
      name: String(seq_id),
      label: companyname,
      count: total,
      color: palette[at] ?? restColor,
    })),
    ...(rest > 0 ? [{ name: 'others', label: others, count: rest, color: restColor }] : []),
  ]
}
