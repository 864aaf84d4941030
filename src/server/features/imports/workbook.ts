/** Reads the cells of a workbook (XLSX, ECMA-376) with their types and formats. Runs in a process of its own (sheet.ts). */
import type { SheetCell } from '#domain/texts/sheetCell.ts'
import { entriesOf, inflated, type Entry } from './archive.ts'
import { FileRefused, type Message } from './import.refused.ts'
import { formatOf, type NumberFormat, formatsBuiltIn } from './numberFormat.ts'
import type { Sheet, SheetLimits } from './sheet.ts'
import { attributeOf, Enough, readXml, unescaped, type XmlReader } from './xml.ts'

/** The texts of cells, as they are tidied for every file. */
type Tidy = (text: string) => string

/** Parses a workbook: the sheet at this index of those that have cells, or the first one that is shown. @throws FileRefused */
export function parseWorkbook(buffer: Buffer, wanted: number | null, limits: SheetLimits, tidy: Tidy): Sheet {
  const entries = entriesOf(buffer)
  const archive = new Archive(buffer, entries)
  refuseOthers(archive)
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (unpacked > limits.unpacked) throw new FileRefused('too_large', { rows: limits.rows })
  const book = readBook(archive)
  const filled = book.sheets.filter(sheet => hasCells(archive, sheet.entry))
  const shown = filled.findIndex(sheet => !sheet.hidden)
  const at = Math.min(wanted ?? Math.max(0, shown), Math.max(0, filled.length - 1))
  const sheet = filled[at]
  if (!sheet) throw new FileRefused('empty')
  const notes: Message[] = []
  if (archive.has(name => name.endsWith('vbaproject.bin'))) notes.push({ text: 'macros', facts: {} })
  const { rows, hidden } = readCells(archive, sheet.entry, { ...book, limits, tidy })
  if (hidden > 0) notes.push({ text: 'rows_hidden', facts: { count: hidden } })
  return {
    names: filled.map(({ name }) => name),
    hidden: filled.flatMap((sheet, nth) => (sheet.hidden ? [nth] : [])),
    at,
    rows,
    notes,
    encoding: null,
    separated: false,
  }
}

/** The entries of a workbook by their names, whose capitals and slashes differ by program. */
class Archive {
  readonly #buffer: Buffer
  readonly #entries: ReadonlyMap<string, Entry>
  constructor(buffer: Buffer, entries: readonly Entry[]) {
    this.#buffer = buffer
    this.#entries = new Map(entries.map(entry => [plainPath(entry.name), entry]))
  }
  has(test: (name: string) => boolean): boolean {
    return [...this.#entries.keys()].some(test)
  }
  entry(path: string): Entry | undefined {
    return this.#entries.get(plainPath(path))
  }
  /** Reads an entry; without it nothing is told. */
  read(entry: Entry | undefined, reader: XmlReader): void {
    if (entry) readXml(inflated(this.#buffer, entry), reader)
  }
}

const plainPath = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()

/** Other archives, recognized by their entries. */
const others = [
  ['xl/workbook.bin', 'Excel (.xlsb)'],
  ['content.xml', 'OpenDocument (.ods)'],
  ['index/document.iwa', 'Numbers'],
  ['word/document.xml', 'Word (.docx)'],
] as const

function refuseOthers(archive: Archive): void {
  if (archive.entry('xl/workbook.xml')) return
  const other = others.find(([entry]) => archive.entry(entry))
  throw other ? new FileRefused('other_format', { format: other[1] }) : new FileRefused('not_a_sheet')
}

type BookSheet = { readonly name: string; readonly hidden: boolean; readonly entry: Entry }
type Book = {
  readonly sheets: readonly BookSheet[]
  readonly texts: readonly string[]
  readonly formats: readonly NumberFormat[]
  /** Days between the day zero of its dates and that of others: those of old Macs count from 1904. */
  readonly epoch: number
}

/** Days from 1900's day zero to 1904's. */
const epoch1904 = 1462

function readBook(archive: Archive): Book {
  const targets = new Map<string, string>()
  archive.read(archive.entry('xl/_rels/workbook.xml.rels'), {
    begin(name, attributes) {
      if (name !== 'Relationship') return
      const target = attributeOf(attributes, 'Target') ?? ''
      if (attributeOf(attributes, 'Type')?.endsWith('/worksheet'))
        targets.set(attributeOf(attributes, 'Id') ?? '', target.startsWith('/') ? target : `xl/${target}`)
    },
    end() {},
  })
  const sheets: BookSheet[] = []
  let epoch = 0
  archive.read(archive.entry('xl/workbook.xml'), {
    begin(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true|on)$/.test(attributeOf(attributes, 'date1904') ?? '')) epoch = epoch1904
      if (name !== 'sheet') return
      const entry = archive.entry(
        targets.get(attributeOf(attributes, 'id') ?? '') ?? `xl/worksheets/sheet${sheets.length + 1}.xml`,
      )
      if (entry)
        sheets.push({
          name: attributeOf(attributes, 'name') ?? '',
          hidden: /hidden$/i.test(attributeOf(attributes, 'state') ?? ''),
          entry,
        })
    },
    end() {},
  })
  return { sheets, epoch, texts: readTexts(archive), formats: readFormats(archive) }
}

/** The texts that cells share. Rich text is joined; what says how a text is pronounced is none of it. */
function readTexts(archive: Archive): string[] {
  const texts: string[] = []
  let [text, inText, inSound] = ['', false, false]
  archive.read(archive.entry('xl/sharedStrings.xml'), {
    begin(name) {
      if (name === 'si') text = ''
      else if (name === 't') inText = true
      else if (name === 'rPh') inSound = true
    },
    end(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') inSound = false
      else if (name === 'si') texts.push(text)
    },
    text(part) {
      if (inText && !inSound) text += unescaped(part)
    },
  })
  return texts
}

/** The format of each style. A workbook without styles has none. */
function readFormats(archive: Archive): NumberFormat[] {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let inStyles = false
  archive.read(archive.entry('xl/styles.xml'), {
    begin(name, attributes) {
      if (name === 'numFmt')
        codes.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs') inStyles = true
      else if (name === 'xf' && inStyles) {
        const id = Number(attributeOf(attributes, 'numFmtId') ?? 0)
        const code = codes.get(id)
        formats.push(code === undefined ? formatsBuiltIn(id) : formatOf(code))
      }
    },
    end(name) {
      if (name === 'cellXfs') inStyles = false
    },
  })
  return formats
}

/** Whether a sheet has a cell with anything in it. */
function hasCells(archive: Archive, entry: Entry): boolean {
  let [isPresent, inValue] = [false, false]
  archive.read(entry, {
    begin(name) {
      inValue = name === 'v' || name === 't'
    },
    end() {
      inValue = false
    },
    text() {
      if (!inValue) return
      isPresent = true
      throw new Enough()
    },
  })
  return isPresent
}

type Reading = Book & { readonly limits: SheetLimits; readonly tidy: Tidy }

/** The rows of a sheet, and how many of them that have cells its program doesn't show. */
function readCells(archive: Archive, entry: Entry, { texts, formats, epoch, limits, tidy }: Reading) {
  const rows: SheetCell[][] = []
  const tooLarge = (): FileRefused => new FileRefused('too_large', { rows: limits.rows })
  // blank rows below the last one with content cost time, too
  const mostRows = 4 * limits.rows
  let [row, column, hidden] = [-1, -1, 0]
  let [isHidden, counted] = [false, false]
  let [type, style, value, inValue] = ['', '', '', false]
  let inSound = false
  const put = (cell: SheetCell): void => {
    if (cell === '') return
    if (row >= limits.rows || column >= limits.columns) throw tooLarge()
    if (isHidden && !counted) hidden++
    counted = true
    while (rows.length <= row) rows.push([])
    const cells = rows[row] ?? []
    while (cells.length < column) cells.push('')
    cells[column] = cell
  }
  archive.read(entry, {
    begin(name, attributes) {
      if (name === 'c') {
        const address = attributeOf(attributes, 'r')
        column = address === null ? column + 1 : columnOf(address)
        type = attributeOf(attributes, 't') ?? 'n'
        style = attributeOf(attributes, 's') ?? ''
        value = ''
      } else if (name === 'v' || name === 't') inValue = true
      else if (name === 'rPh') inSound = true
      else if (name === 'row') {
        const number = Number(attributeOf(attributes, 'r') ?? row + 2)
        row = number - 1
        column = -1
        counted = false
        isHidden = /^(?:1|true)$/.test(attributeOf(attributes, 'hidden') ?? '')
        if (!Number.isInteger(row) || row < 0 || row >= mostRows) throw tooLarge()
      }
    },
    end(name) {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'rPh') inSound = false
      else if (name === 'c' && row >= 0)
        put(cellOf(value, { type, format: formats[Number(style)] ?? general, texts, epoch, tidy }))
    },
    text(part) {
      if (inValue && !inSound) value += unescaped(part)
    },
  })
  if (rows.length === 0) throw new FileRefused('empty')
  return { rows, hidden }
}

const general: NumberFormat = { kind: 'plain' }

/** The index of the column of an address: A is 0, AA is 26. */
function columnOf(address: string): number {
  const letters = /^[A-Za-z]{1,3}/.exec(address)?.[0] ?? ''
  return [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

type CellSource = Pick<Book, 'texts' | 'epoch'> & { type: string; format: NumberFormat; tidy: Tidy }

function cellOf(value: string, { type, format, texts, epoch, tidy }: CellSource): SheetCell {
  if (value === '') return ''
  switch (type) {
    case 's':
      return tidy(unsigned(texts[Number(value)] ?? ''))
    case 'str':
    case 'inlineStr':
      return tidy(unsigned(value))
    case 'b':
      return /^(?:1|true)$/i.test(value.trim())
    case 'e':
      return { error: value.trim() }
    case 'd': {
      const days = Date.parse(`${value.trim().slice(0, 10)}T00:00:00Z`) / 86_400_000 + daysBefore1970
      return Number.isFinite(days) ? { serial: days } : { error: value.trim() }
    }
    default:
      return numberCell(value.trim(), format, epoch)
  }
}

/** Days from day zero of spreadsheets to 1970. */
const daysBefore1970 = 25_569

function numberCell(written: string, format: NumberFormat, epoch: number): SheetCell {
  const number = Number(written)
  if (written === '' || !Number.isFinite(number)) return { error: written }
  switch (format.kind) {
    case 'date':
      // a program shows no day for others
      return number >= 0 && number + epoch < lastDay ? { serial: number + epoch } : { number, odd: 'format' }
    case 'digits':
      return Number.isInteger(number) && number >= 0 && number < 1e15
        ? { number, shown: format.write(number) }
        : { number, odd: 'format' }
    case 'plain':
      return /e/i.test(written) ? { number, odd: 'exponent' } : number
    default:
      return { number, odd: format.kind }
  }
}

/** The day after 31 December 9999. */
const lastDay = 2_958_466

/** Control characters are written as `_x000D_`. */
const unsigned = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
