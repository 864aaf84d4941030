/** Cells for the clipboard and for files that a spreadsheet opens. */
import { visible } from './visible.ts'

/** A cell that a spreadsheet would run as a formula, also behind spaces, or that it would take for the end of a cell. */
const dangerous = /^(?:[\t\r\n']|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/
const breaks = /\r\n|[\t\r\n\v\f\u0085\u2028\u2029]/g

/**
 * A text as a cell of tab-separated columns: one line, no tabs, and never a formula: text that a spreadsheet would
 * execute gets an apostrophe before it, which spreadsheets take as "this is text" and don't show.
 */
export function tabCell(text: Cell): string {
  if (text === null || text === undefined) return ''
  const raw = String(text)
  const line = raw.replaceAll(breaks, ' ')
  return typeof text === 'string' && dangerous.test(raw) ? `'${line}` : line
}

/** A text as a field of one line keeps it: without line breaks and what nobody sees, composed as databases compare it. */
export const oneLine = (text: string): string => visible(text.replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')).trim()

/** A cell without the apostrophe that `tabCell` put before it. */
export const plainCell = (cell: string): string =>
  cell.startsWith("'") && dangerous.test(cell.slice(1)) ? cell.slice(1) : cell

type Cell = string | number | null | undefined
type Rows = readonly (readonly Cell[])[]

/** Rows of cells as tab-separated lines. */
export const tabLines = (rows: Rows): string => rows.map(row => row.map(tabCell).join('\t')).join('\n')

type CsvForm = {
  /** The separator between two cells. */
  readonly separator: string
  /** How a number is written. */
  readonly number: (value: number) => string
}

/**
 * Rows of cells as the lines of a CSV file: each cell one line, and no text a formula. A text is in quotes when it holds a quote or any sign
 * that programs take for a separator, whichever the file has.
 */
export function csvLines(rows: Rows, { separator, number }: CsvForm): string {
  const cellOf = (cell: Cell): string => {
    const text = typeof cell === 'number' ? number(cell) : tabCell(cell)
    const isQuoted = typeof cell === 'number' ? text.includes(separator) : /[;,|"]/.test(text)
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map(row => `${row.map(cellOf).join(separator)}\r\n`).join('')
}

/**
 * Rows of cells as the text of a CSV file. Its first line names the separator, so that a spreadsheet finds the columns even where its
 * country uses another one. It is saved as `csvBytes`, and our imports read it.
 */
export const csvFile = (rows: Rows): string => `sep=;\r\n${csvLines(rows, { separator: ';', number: String })}`

/**
 * The bytes of a CSV file with a line that names its separator: UTF-16, little endian, with its mark. Excel ignores the mark of UTF-8 before
 * such a line and garbles accents; that of UTF-16 it heeds (docs/decisions/0085-csv-in-utf-16.md).
 */
export function csvBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(2 + 2 * text.length))
  bytes.setUint16(0, 0xfeff, true)
  for (let at = 0; at < text.length; at++) bytes.setUint16(2 + 2 * at, text.charCodeAt(at), true)
  return new Uint8Array(bytes.buffer)
}
