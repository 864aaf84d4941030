/** Parses files of people into rows of texts. Runs in a process of its own (sheet.ts). */
import { parse } from 'csv-parse/sync'
import { Inflate } from 'fflate'
import readWorkbook, { type SheetData } from 'read-excel-file/universal'
import { oneLine, plainCell } from '#domain/cell.ts'
import { csvRefusal, delimiterOf } from './csv.ts'
import { FileRefused, type Message } from './import.refused.ts'
import { sheetLimits, type Sheet } from './sheet.ts'

/** Parses a file: the sheet at this index, or the first one with rows. @throws FileRefused */
export async function parseSheet(bytes: Uint8Array, sheet: number | null): Promise<Sheet> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (beginsWith(buffer, [0x50, 0x4b, 0x03, 0x04])) return parseWorkbook(buffer, sheet)
  // an old workbook, or one with a password
  if (beginsWith(buffer, [0xd0, 0xcf, 0x11, 0xe0])) throw new FileRefused('old_workbook')
  return { names: [], at: 0, rows: squared(rowsOfText(textOf(buffer))), notes: [] }
}

const beginsWith = (buffer: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => buffer[at] === byte)

// Text ------------------------------------------------------------------------------------------------------------------

/** The text of a file that a spreadsheet saved: UTF-8, UTF-16 with its mark, or what Windows writes in Western Europe. */
function textOf(buffer: Buffer): string {
  if (beginsWith(buffer, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(buffer)
  if (beginsWith(buffer, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(buffer)
  // no text has zeros
  if (buffer.includes(0)) throw new FileRefused('not_a_sheet')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    return new TextDecoder('windows-1252').decode(buffer)
  }
}

function rowsOfText(text: string): string[][] {
  // the first line may only name the separator
  const [, named, rest] = /^\uFEFF?sep=(.)\r?\n(.*)$/s.exec(text) ?? []
  const content = rest ?? text.replace(/^\uFEFF/, '')
  const head = content.split(/\r\n|\r|\n/, 20).join('\n')
  try {
    return parse(content, {
      delimiter: named ?? delimiterOf(head),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 1024 * 1024,
      to: sheetLimits.rows + 1,
    }).map(row => row.map(tidy))
  } catch (error) {
    throw csvRefusal(error)
  }
}

// Workbooks -------------------------------------------------------------------------------------------------------------

async function parseWorkbook(buffer: Buffer, wanted: number | null): Promise<Sheet> {
  const entries = entriesOf(buffer)
  const names = entries.map(({ name }) => name)
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (!names.includes('xl/workbook.xml')) throw new FileRefused('not_a_sheet')
  if (unpacked > sheetLimits.unpacked || entries.some(entry => spreadsTooFar(buffer, entry)))
    throw new FileRefused('too_large', { rows: sheetLimits.rows })
  const sheets = await readWorkbook(new Uint8Array(buffer).buffer).catch((error: Error) => {
    throw new FileRefused('workbook_broken', { reason: error.message.slice(0, 200) }, { cause: error })
  })
  const filled = sheets.filter(({ data }) => data.some(row => row.some(cell => cell !== null)))
  const at = Math.min(wanted ?? 0, Math.max(0, filled.length - 1))
  const notes: Message[] = names.some(name => name.endsWith('vbaProject.bin')) ? [{ text: 'macros', facts: {} }] : []
  return {
    names: filled.map(({ sheet }) => sheet),
    at,
    rows: squared((filled[at]?.data ?? []).map(row => row.map(cell => tidy(textOfCell(cell))))),
    notes,
  }
}

function textOfCell(cell: SheetData[number][number]): string {
  if (cell === null) return ''
  // midnight of the day, in no time zone
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell !== 'number') return String(cell)
  // 8.5E+12 is an EAN
  return Number.isSafeInteger(cell) ? cell.toFixed(0) : String(cell)
}

/** Blank rows below the last one with content cost memory, too: a million of them 450 MB. */
const mostRows = 4 * sheetLimits.rows
const address = /\sr\s*=\s*["']([A-Za-z]*)(\d+)/g
/** An address of a cell is shorter than this: what two pieces of a sheet share. */
const shared = 64

/**
 * Whether the cells of a sheet are further apart than any file may be. The library makes every cell before the last one, whatever is
 * in it: two cells at the ends of a sheet would be 10^9. @throws FileRefused when it is no XML
 */
function spreadsTooFar(buffer: Buffer, entry: Entry): boolean {
  if (!entry.name.toLowerCase().endsWith('.xml')) return false
  let [rows, columns, depth, before] = [0, 0, 0, '']
  for (const piece of inflated(buffer, entry)) {
    depth += deeperBy(piece)
    if (depth > mostDepth) throw new FileRefused('workbook_broken', { reason: 'XML' })
    const text = before + piece.toString('latin1')
    // zeros are in no XML that spreadsheets write
    if (text.includes('\0')) throw new FileRefused('workbook_broken', { reason: 'XML' })
    for (const [, letters = '', digits = ''] of text.matchAll(address)) {
      rows = Math.max(rows, Number(digits))
      columns = Math.max(columns, columnOf(letters))
    }
    if (rows > mostRows || rows * columns > sheetLimits.rows * sheetLimits.columns) return true
    before = text.slice(-shared)
  }
  return false
}

/** No sheet has elements in so many others; each costs whoever reads it. */
const mostDepth = 1000
const [less, more, slash, mark, question] = ['<', '>', '/', '!', '?'].map(sign => sign.codePointAt(0))

/** By how many elements XML is deeper after a piece than before, about: what is cut between two pieces may count as one. */
function deeperBy(piece: Buffer): number {
  let by = 0
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === less) {
      const next = piece[at + 1]
      if (next === slash) by--
      else if (next !== mark && next !== question) by++
    } else if (piece[at] === more && piece[at - 1] === slash) by--
  }
  return by
}

/** The number of a column: A is 1, AA is 27. */
const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

const broken = (): FileRefused => new FileRefused('workbook_broken', { reason: 'ZIP' })

/** An entry of a ZIP archive, as its directory tells of it. */
type Entry = {
  readonly name: string
  /** How many bytes it says to be, packed and unpacked. */
  readonly packed: number
  readonly unpacked: number
  /** Where it begins in the archive. */
  readonly at: number
  readonly method: number
}

/**
 * The entries of a ZIP archive. The library unpacks none to more than it says, so a bomb is found before it goes off.
 */
function entriesOf(buffer: Buffer): Entry[] {
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > buffer.length) throw broken()
  const entries: Entry[] = []
  let at = buffer.readUInt32LE(end + 16)
  for (let nth = buffer.readUInt16LE(end + 10); nth > 0; nth--) {
    if (at + 46 > buffer.length || buffer.readUInt32LE(at) !== 0x0201_4b50) throw broken()
    const nameLength = buffer.readUInt16LE(at + 28)
    entries.push({
      name: buffer.toString('utf8', at + 46, at + 46 + nameLength),
      method: buffer.readUInt16LE(at + 10),
      packed: buffer.readUInt32LE(at + 20),
      unpacked: buffer.readUInt32LE(at + 24),
      at: buffer.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32)
  }
  return entries
}

/** As many packed bytes are unpacked at a time; they are at most a thousand times as many then. */
const packedPiece = 2048

/** An entry in pieces, no more of it than it says to be: it is never held as a whole. @throws FileRefused */
function* inflated(buffer: Buffer, { at, packed, unpacked, method }: Entry): Generator<Buffer> {
  if (at + 30 > buffer.length) throw broken()
  const from = at + 30 + buffer.readUInt16LE(at + 26) + buffer.readUInt16LE(at + 28)
  const content = buffer.subarray(from, from + packed)
  let pieces: Buffer[] = []
  const inflate = new Inflate(piece => pieces.push(Buffer.from(piece)))
  let left = unpacked
  for (let start = 0; start < content.length && left > 0; start += packedPiece) {
    const piece = content.subarray(start, start + packedPiece)
    if (method === 0) pieces.push(piece)
    else
      try {
        inflate.push(piece, start + packedPiece >= content.length)
      } catch (error) {
        throw new FileRefused('workbook_broken', { reason: 'ZIP' }, { cause: error })
      }
    for (const one of pieces) {
      yield one.subarray(0, left)
      left = Math.max(0, left - one.length)
    }
    pieces = []
  }
}

// Both ------------------------------------------------------------------------------------------------------------------

/** One line, composed, and without the apostrophe that the portal's own exports put before formulas. */
const tidy = (text: string): string => plainCell(oneLine(text))

/** Rows of one length, without blank ones at the end. @throws FileRefused when there are too many, or none */
function squared(rows: string[][]): string[][] {
  const last = rows.findLastIndex(row => row.some(cell => cell !== ''))
  if (last < 0) throw new FileRefused('empty')
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex(cell => cell !== '') + 1), 0)
  if (last >= sheetLimits.rows || width > sheetLimits.columns)
    throw new FileRefused('too_large', { rows: sheetLimits.rows })
  return rows.slice(0, last + 1).map(row => Array.from({ length: width }, (_, at) => row[at] ?? ''))
}
