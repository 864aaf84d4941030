/** Parses files of people into rows of cells. Runs in a process of its own for files of strangers (sheet.ts). */
import { parse } from 'csv-parse/sync'
import { oneLine, plainCell } from '#domain/texts/cell.ts'
import type { SheetCell } from '#domain/texts/sheetCell.ts'
import { csvRefusal, separatedText } from './csv.ts'
import { decode, type Encoding } from './encoding.ts'
import { FileRefused } from './import.refused.ts'
import { sheetLimits, type Sheet, type SheetLimits } from './sheet.ts'
import { parseWorkbook } from './workbook.ts'

type Asked = { readonly sheet: number | null; readonly encoding: Encoding | null }

/** Parses a file: the sheet at this index, or the first one with rows that is shown. @throws FileRefused */
export function parseSheet(bytes: Uint8Array, { sheet, encoding }: Asked, limits: SheetLimits = sheetLimits): Sheet {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (beginsWith(buffer, [0x50, 0x4b, 0x03, 0x04])) return parseWorkbook(buffer, sheet, limits, tidy)
  // an old workbook, or one with a password
  if (beginsWith(buffer, [0xd0, 0xcf, 0x11, 0xe0])) throw new FileRefused('old_workbook')
  const { text, encoding: detected } = decode(buffer, encoding)
  refuseMarkup(text)
  return {
    names: [],
    hidden: [],
    at: 0,
    rows: rowsOfText(text, limits),
    notes: [],
    encoding: detected,
    separated: true,
  }
}

const beginsWith = (buffer: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => buffer[at] === byte)

/** Programs save web pages and XML under the names of workbooks. @throws FileRefused that says what it is */
function refuseMarkup(text: string): void {
  const head = text.slice(0, 2000).trimStart()
  if (/^MIME-Version:/i.test(head) || /^<(?:!doctype html|html|head|body|meta|style|table|div)\b/i.test(head))
    throw new FileRefused('other_format', { format: 'HTML' })
  if (/^<(?:\?xml|\w+:?\w*[\s>])/i.test(head)) throw new FileRefused('other_format', { format: 'XML' })
  if (head.startsWith('%PDF-')) throw new FileRefused('other_format', { format: 'PDF' })
  if (head.startsWith('{\\rtf')) throw new FileRefused('other_format', { format: 'RTF' })
}

/** The rows of a text, each at the line on which it begins; the lines between are blank. */
function rowsOfText(text: string, limits: SheetLimits): SheetCell[][] {
  const { content, delimiter, skipped } = separatedText(text)
  const rows: SheetCell[][] = skipped === 0 ? [] : [[]]
  try {
    const records = parse(content, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 1024 * 1024,
      to: limits.rows + 1,
    }) as string[][]
    for (const record of records) {
      const cells = record.map(cell => tidy(unprotected(cell)))
      rows.push(cells.every(cell => cell === '') ? [] : cells)
      // a cell in quotes may have several lines
      for (let more = linesIn(record); more > 0; more--) rows.push([])
    }
  } catch (error) {
    throw csvRefusal(error)
  }
  const last = rows.findLastIndex(row => row.length > 0)
  if (last < 0) throw new FileRefused('empty')
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex(cell => cell !== '') + 1), 0)
  if (last >= limits.rows || width > limits.columns) throw new FileRefused('too_large', { rows: limits.rows })
  return rows.slice(0, last + 1)
}

/** How many lines a record has beside its first one. */
const linesIn = (record: readonly string[]): number =>
  record.reduce((lines, cell) => lines + (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0), 0)

/** A text that somebody kept from a spreadsheet's guesses as a formula: `="00123"`. */
const unprotected = (cell: string): string => /^="(.*)"$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell

/** One line, composed, and without the apostrophe that the portal's own exports put before formulas. */
const tidy = (text: string): string => plainCell(oneLine(text))
