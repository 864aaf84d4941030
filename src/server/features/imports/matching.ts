/** Which row of a sheet is its header, and which field each column is. */
import { headerRowOf, matchColumns, missingFields, type ColumnMatch, type ImportKind } from '#domain/importColumn.ts'
import { FileRefused } from './import.refused.ts'
import type { Sheet } from './sheet.ts'

/** How many rows are looked at for what a column holds. */
const sampled = 50

export type SheetMatch = {
  /** The index of the header's row. */
  readonly header: number
  readonly columns: readonly ColumnMatch[]
  readonly fields: readonly (string | null)[]
  /** Required fields that no column is. */
  readonly missing: readonly string[]
}

/** Matches a sheet; `chosen` counts before what is found. */
export function columnsOfSheet(
  kind: ImportKind,
  { rows }: Pick<Sheet, 'rows'>,
  {
    header = headerRowOf(kind, rows),
    fields: chosen,
    remembered,
  }: {
    readonly header?: number | undefined
    readonly fields?: readonly (string | null)[] | undefined
    readonly remembered?: ReadonlyMap<string, string | null>
  } = {},
): SheetMatch {
  const found = matchColumns(kind, rows[header] ?? [], rows.slice(header + 1, header + 1 + sampled), remembered)
  const columns = chosen
    ? found.map((match, at) => (match.field === chosen[at] ? match : chosenMatch(chosen[at])))
    : found
  const fields = columns.map(({ field }) => field)
  return { header, columns, fields, missing: missingFields(kind, fields) }
}

const chosenMatch = (field: string | null | undefined): ColumnMatch => ({
  field: (field ?? null) as ColumnMatch['field'],
  by: null,
})

/** The same for a file that nobody looks at. @throws FileRefused when a required column is not found */
export function matchSheet(kind: ImportKind, sheet: Pick<Sheet, 'rows'>): SheetMatch {
  const match = columnsOfSheet(kind, sheet)
  if (match.missing.length > 0)
    throw new FileRefused('columns_missing', {
      columns: [...match.missing],
      header: sheet.rows[match.header]?.join(', ') ?? '–',
    })
  return match
}
