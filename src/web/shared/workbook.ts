/** A table as a workbook (XLSX), which a spreadsheet opens with numbers as numbers and days as days (docs/product/files.md "Exports"). */
import type { CellObject, SheetData } from 'write-excel-file/universal'
import { formatDate, type IsoDate } from '#domain/texts/date.ts'

/** The value of a column in each row; `null` and `''` leave the cell empty. `format` as spreadsheets write it. */
type SheetColumn<Row> = { header: string } & (
  | { text: (row: Row) => string | null }
  | { number: (row: Row) => number | null; format?: string }
  | { day: (row: Row) => IsoDate | null }
)

/** The columns of a sheet; `false` for one that this site or account does not see. */
export type SheetColumns<Row> = readonly (SheetColumn<Row> | false)[]

export type Sheet<Row> = { name: string; columns: SheetColumns<Row>; rows: readonly Row[] }

export const formats = { whole: '0', depth: '0.0#', amount: '#,##0.00' } as const
const dayFormat = 'dd/mm/yyyy'
// Without a name, LibreOffice sets bold cells in another font.
const font = { fontFamily: 'Calibri', fontSize: 11 }

/** The widths of columns, in characters, regardless of their content. */
const width = { min: 8, max: 60, day: 12 } as const

/** Names of sheets must be short and may not hold these characters. */
const sheetName = (name: string): string => name.replaceAll(/[[\]/\\:*?]/g, ' ').slice(0, 31)

/** A text stays a text when a user edits it: `=1+1` is not calculated, `0012` keeps its zeros. */
const textCell = (value: string | null): CellObject | null => (value ? { value, type: String, format: '@' } : null)

function cellOf<Row>(column: SheetColumn<Row>, row: Row): CellObject | null {
  if ('text' in column) return textCell(column.text(row))
  if ('number' in column) {
    const value = column.number(row)
    return value === null ? null : { value, type: Number, format: column.format ?? formats.whole }
  }
  const day = column.day(row)
  // A workbook knows no time zones: midnight of the day, wherever it is read.
  return day === null ? null : { value: new Date(`${day}T00:00:00Z`), type: Date, format: dayFormat }
}

/** The same table as lines of a CSV file, with its heading line. */
export function linesOf<Row>(columns: SheetColumns<Row>, rows: readonly Row[]): string[][] {
  const shown = columns.filter(column => column !== false)
  const cellText = (column: SheetColumn<Row>, row: Row): string => {
    if ('text' in column) return column.text(row) ?? ''
    if ('number' in column) return String(column.number(row) ?? '')
    const day = column.day(row)
    return day === null ? '' : formatDate(day)
  }
  return [shown.map(({ header }) => header), ...rows.map(row => shown.map(column => cellText(column, row)))]
}

/** The width of a cell's content, in characters. */
const lengthOf = (cell: CellObject | null): number =>
  cell === null ? 0 : cell.value instanceof Date ? width.day : String(cell.value).length

const widthOf = (cells: readonly (CellObject | null)[]): number =>
  Math.min(width.max, cells.reduce<number>((most, cell) => Math.max(most, lengthOf(cell)), width.min) + 2)

/** One sheet: a bold heading line that stays in sight, and a line for each row. */
export async function workbookOf<Row>({ name, columns, rows }: Sheet<Row>): Promise<Blob> {
  // The workbook writer is loaded on demand.
  const { default: write } = await import('write-excel-file/universal')
  const shown = columns.filter(column => column !== false)
  const lines = rows.map(row => shown.map(column => cellOf(column, row)))
  const heading = shown.map(({ header }): CellObject => ({ value: header, type: String, fontWeight: 'bold' }))
  const data: SheetData = [heading, ...lines]
  return write(
    data,
    {
      sheet: sheetName(name),
      stickyRowsCount: 1,
      columns: shown.map((_, at) => ({ width: widthOf([heading, ...lines].map(line => line[at] ?? null)) })),
    },
    font,
  ).toBlob()
}
