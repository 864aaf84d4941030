/** Which row of a sheet is its header, and which field each column is. */
import {
  headerRowOf,
  headingKey,
  matchColumns,
  missingFields,
  type ColumnMatch,
  type ImportKind,
} from '#domain/texts/importColumn.ts'
import { shownText } from '#domain/texts/sheetCell.ts'
import { FileRefused, type Message } from './import.refused.ts'
import type { Sheet } from './sheet.ts'

/** How many rows are looked at for what a column holds, and for the header. */
const sampled = 50
const searched = 100

/** Rows as texts, with as many cells as the longest. */
export function textsOf({ rows }: Pick<Sheet, 'rows'>, from: number, to: number): string[][] {
  const some = rows.slice(from, to)
  const width = Math.max(0, ...some.map(row => row.length))
  return some.map(row => Array.from({ length: width }, (_, at) => shownText(row[at] ?? '')))
}

export type SheetMatch = {
  /** The index of the header's row. */
  readonly header: number
  readonly columns: readonly ColumnMatch[]
  readonly fields: readonly (string | null)[]
  /** Required fields that no column is. */
  readonly missing: readonly string[]
}

/** Matches the columns of a sheet; `chosen` wins over automatic matches. */
export function columnsOfSheet(
  kind: ImportKind,
  sheet: Pick<Sheet, 'rows'>,
  {
    header: chosenHeader,
    fields: chosen,
    remembered,
  }: {
    readonly header?: number | undefined
    readonly fields?: readonly (string | null)[] | undefined
    readonly remembered?: ReadonlyMap<string, string | null>
  } = {},
): SheetMatch {
  const head = textsOf(sheet, 0, searched)
  const header = chosenHeader ?? headerRowOf(kind, head)
  const [headings = [], ...rows] = textsOf(sheet, header, header + 1 + sampled)
  const matches = matchColumns(kind, headings, rows, remembered)
  const columns = chosen
    ? matches.map((match, at) => (match.field === chosen[at] ? match : chosenMatch(chosen[at])))
    : matches
  const fields = columns.map(({ field }) => field)
  return { header, columns, fields, missing: missingFields(kind, fields) }
}

const chosenMatch = (field: string | null | undefined): ColumnMatch => ({
  field: (field ?? null) as ColumnMatch['field'],
  by: null,
})

/**
 * The same for a file that nobody looks at. @throws FileRefused when a required column is not found, or two have one heading. `remark` is
 * told of the columns that are left out.
 */
export function matchSheet(
  kind: ImportKind,
  sheet: Pick<Sheet, 'rows'>,
  remark: (message: Message) => void = () => {},
): SheetMatch {
  const match = columnsOfSheet(kind, sheet)
  const [headings = []] = textsOf(sheet, match.header, match.header + 1)
  if (match.missing.length > 0)
    throw new FileRefused('columns_missing', { columns: [...match.missing], header: headings.join(', ') || '–' })
  const named = new Set(match.fields.flatMap((field, at) => (field === null ? [] : headingKey(headings[at] ?? ''))))
  const leftOut = headings.filter((heading, at) => heading !== '' && match.fields[at] === null)
  const twice = leftOut.find(heading => named.has(headingKey(heading)))
  if (twice !== undefined) throw new FileRefused('column_twice', { column: twice })
  if (leftOut.length > 0) remark({ text: 'columns_unused', facts: { columns: leftOut } })
  return match
}
