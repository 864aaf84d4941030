/** Reading a CSV file: its encoding, its separator, its columns, and its rows with their lines. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { oneLine, plainCell } from '#domain/cell.ts'
import type { Facts } from '#domain/failure.ts'
import type { Cells } from './import.cells.ts'
import { FileRefused, type Message } from './import.refused.ts'
import { csvRefusal, delimiterOf, firstLine } from './csv.ts'
import type { RowReader } from './import.rows.ts'
import type { Sheet } from './sheet.ts'

/** The bytes of a file from their beginning, how many there are, and the header line. */
export type Content = { read(): Readable; readonly size: number; readonly header: string }

/** What reading reports. */
type FileReport = { remark(message: Message): void; progress(bytes: number, of: number, rows: number): void }

export type FileRow = { readonly line: number; readonly cells: Cells; readonly misfit: Facts | null }

/** Where the rows of an import come from. */
export type Source = (reader: RowReader<unknown>, report: FileReport) => AsyncIterable<FileRow>

/** The rows of a CSV file whose header line has the names of the fields. */
export const csvRows =
  (content: Content): Source =>
  (reader, report) =>
    rowsOf(content, reader, report)

/** The rows of a sheet below its header, of which each column is this field. Blank rows are none; lines count as the sheet does. */
export const sheetRows = (
  { rows, notes }: Sheet,
  { header, fields }: { readonly header: number; readonly fields: readonly (string | null)[] },
): Source =>
  async function* (_reader, report) {
    const columns = new Map(fields.flatMap((field, at) => (field === null ? [] : [[field, at] as const])))
    for (const note of notes) report.remark(note)
    for (let at = header + 1; at < rows.length; at++) {
      const values = rows[at] ?? []
      if (values.every(value => value === '')) continue
      yield { line: at + 1, cells: cellsOf(columns, values), misfit: null }
      report.progress(at + 1, rows.length, at - header)
    }
  }

/** The rows of a CSV file, read on demand. @throws FileRefused */
async function* rowsOf(content: Content, reader: RowReader<unknown>, report: FileReport): AsyncGenerator<FileRow> {
  const { size } = content
  const stream = content.read()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(content.header),
    info: true,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  })
  const flow = pipeline(stream, utf8, parser)
  flow.catch(() => {})
  let columns: Map<string, number> | null = null
  let width = 0
  let rows = 0
  let next = 1
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const values = record.map(tidy)
      // the line on which the record begins: blank lines may come before it, and a quoted cell may hold more than one
      const line = next + linesIn(/^\s*/.exec(raw)?.[0] ?? '')
      next += linesIn(raw)
      if (columns) {
        rows++
        if (rows % 200 === 0) report.progress(info.bytes, size, rows)
        yield { line, cells: cellsOf(columns, values), misfit: misfitOf(values, width) }
      } else {
        columns = columnsOf(values, reader, report.remark)
        width = values.length
      }
    }
    await flow
  } catch (error) {
    throw csvRefusal(error)
  } finally {
    stream.destroy()
  }
  if (!columns) throw new FileRefused('empty')
  report.progress(size, size, rows)
}

type Parsed = { record: string[]; raw: string; info: { bytes: number } }

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/**
 * A cell as it is saved: one line, without control characters, in Unicode's composed form, and without the apostrophe that the
 * portal's own exports put before formulas.
 */
const tidy = (text: string): string => plainCell(oneLine(text))

/** The bytes in which the header line is looked for. */
export const headerBytes = 64 * 1024

/** The bytes that are parsed at once. */
const chunkBytes = 16 * 1024

/** The content of a file that was sent as text. */
export function contentOfText(text: string): Content {
  const bytes = Buffer.from(text)
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return { read: () => Readable.from(chunks()), size: bytes.length, header: firstLine(text.slice(0, headerBytes)) }
}

/** The text of a file, chunk by chunk. @throws FileRefused at the first byte that is not UTF-8 */
async function* utf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let line = 1
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      line += text.split('\n').length - 1
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FileRefused('not_utf8', { line }, { cause: error })
  }
}

/** The index of each known column. @throws FileRefused when a required one is missing, or one occurs twice */
function columnsOf(
  header: readonly string[],
  reader: RowReader<unknown>,
  remark: (message: Message) => void,
): Map<string, number> {
  const names = header.map(name => name.toLowerCase().replaceAll(/[\s-]+/g, '_'))
  const missing = reader.required.filter(options => !options.some(name => names.includes(name)))
  if (missing.length > 0)
    throw new FileRefused('columns_missing', {
      columns: missing.map(([name = '']) => name),
      header: header.join(', ') || '–',
    })
  const known = new Set([...reader.required.flat(), ...reader.optional])
  const columns = new Map<string, number>()
  for (const [at, name] of names.entries()) {
    if (!known.has(name)) continue
    if (columns.has(name)) throw new FileRefused('column_twice', { column: name })
    columns.set(name, at)
  }
  const unused = names.filter(name => name !== '' && !known.has(name))
  if (unused.length > 0) remark({ text: 'columns_unused', facts: { columns: unused } })
  return columns
}

const cellsOf =
  (columns: ReadonlyMap<string, number>, values: readonly string[]): Cells =>
  column => {
    const at = columns.get(column)
    return (at === undefined ? '' : values[at]) || null
  }

/** Whether a row has too few cells or too many. Excess blank cells are ignored: spreadsheets add them. */
function misfitOf(values: readonly string[], width: number): Facts | null {
  const excess = values.slice(width).some(value => value !== '')
  if (values.length < width || excess) return { cells: values.length, width }
  return null
}
