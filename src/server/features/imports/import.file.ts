/** The rows of an imported file below its header, of which each column is a field. */
import type { Facts } from '#domain/failure.ts'
import { errorOf, type SheetCell } from '#domain/texts/sheetCell.ts'
import { cellsFrom, type Cells } from './import.cells.ts'
import type { Message } from './import.refused.ts'
import type { Sheet } from './sheet.ts'

/** Receives remarks and progress while a file is read. */
type FileReport = { remark(message: Message): void; progress(bytes: number, of: number, rows: number): void }

type FileRow = {
  readonly line: number
  readonly cells: Cells
  /** Why the row is refused before anybody reads it. */
  readonly refusal: Message | null
}

/** Where the rows of an import come from; numbers that could be two are read in the language (`nl`). */
export type Source = (language: string, report: FileReport) => AsyncIterable<FileRow>

type Matched = { readonly header: number; readonly fields: readonly (string | null)[] }

/** The rows of a sheet below its header. Blank rows are none; lines count as the sheet does. */
export const sheetRows = (
  { rows, notes, separated }: Pick<Sheet, 'rows' | 'notes' | 'separated'>,
  { header, fields }: Matched,
): Source =>
  async function* (language, report) {
    const columns = new Map(fields.flatMap((field, at) => (field === null ? [] : [[field, at] as const])))
    const width = rows[header]?.length ?? 0
    for (const note of notes) report.remark(note)
    for (let at = header + 1; at < rows.length; at++) {
      const values = rows[at] ?? []
      if (values.every(value => value === '')) continue
      const misfit = separated ? misfitOf(values, width) : null
      const cells = cellsFrom(column => values[columns.get(column) ?? -1] ?? '', language)
      yield {
        line: at + 1,
        cells,
        refusal: misfit ? { text: 'misfit', facts: misfit } : errorIn(values, { at, columns }),
      }
      report.progress(at + 1, rows.length, at - header)
    }
  }

/** The refusal of a row whose formula has no result: a blank in its place would mean something else. */
function errorIn(
  values: readonly SheetCell[],
  { at, columns }: { at: number; columns: ReadonlyMap<string, number> },
): Message | null {
  for (const [column, nth] of columns) {
    const error = errorOf(values[nth] ?? '')
    if (error !== null)
      return { text: 'cell_error', facts: { column, text: error, cell: `${lettersOf(nth)}${at + 1}` } }
  }
  return null
}

/** The letters of a column, as spreadsheets count them: 0 is A, 26 is AA. */
const lettersOf = (column: number): string =>
  `${column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : ''}${String.fromCharCode(65 + (column % 26))}`

/** Whether a row of a text has more cells than its header: its separators can't be told from its content. Blank ones are no more. */
function misfitOf(values: readonly SheetCell[], width: number): Facts | null {
  return values.slice(width).some(value => value !== '') ? { cells: values.length, width } : null
}
