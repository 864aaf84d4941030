/** Cells of every type and format in every field, at sites of every language: the import saves the file's value, or refuses the row. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainEan } from '#domain/tyres/article.ts'
import { addDays, formatDate, type IsoDate } from '#domain/texts/date.ts'
import { importFields, importKinds, type ImportField, type ImportKind } from '#domain/texts/importColumn.ts'
import { lettersAndDigits } from '#domain/texts/letters.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import type { SheetCell } from '#domain/texts/sheetCell.ts'
import { dayOfSerial } from '#domain/texts/spreadsheet.ts'
import { sheetRows } from './import.file.ts'
import { fieldOf } from './import.messages.ts'
import { RowRefused, type Message } from './import.refused.ts'
import { rowReaders, type RowReader } from './import.rows.ts'
import { previewed, type Shown } from './import.shown.ts'

/** A cell, what its program shows of it, and what it means. */
type Meant = {
  readonly cell: SheetCell
  readonly shown: string
  readonly means:
    | { readonly text: string }
    | { readonly number: number; readonly writer: string | null }
    | { readonly day: IsoDate }
    | { readonly time: true }
    | { readonly flag: boolean }
    | { readonly error: string }
}

const languages = ['nl', 'fr', 'en', 'de'] as const
const dayZero = '1899-12-30'

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 200_000 }).map(cents => cents / 100),
  fc.integer({ min: 0, max: 20_000 }).map(thousandths => thousandths / 1000),
  fc.constantFrom(1067, 123, 1250, 7.25, 12_345_678_901, 4_019_238_012_347, 2319, 719, 20_261_124),
)
const serials = fc.integer({ min: 20_000, max: 60_000 })

const typed: fc.Arbitrary<Meant> = fc.oneof(
  numbers.map(number => ({ cell: number, shown: String(number), means: { number, writer: null } })),
  fc
    .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 2, max: 8 }))
    .map(([number, zeros]) => ({ number, shown: String(number).padStart(zeros, '0') }))
    .map(({ number, shown }) => ({ cell: { number, shown }, shown, means: { number, writer: null } })),
  fc
    .integer({ min: 1, max: 9_999_999 })
    .map(digits => digits * 1e12)
    .map(number => ({
      cell: number >= 1e15 ? number : ({ number, odd: 'exponent' } as const),
      shown: number.toExponential(2).toUpperCase(),
      means: { number, writer: null },
    })),
  fc.integer({ min: 1, max: 99 }).map(percent => ({
    cell: { number: percent / 100, odd: 'percent' } as const,
    shown: `${percent}%`,
    means: { text: `${percent}%` },
  })),
  serials.map(serial => ({
    cell: { serial },
    shown: formatDate(addDays(dayZero, serial)),
    means: { day: addDays(dayZero, serial) },
  })),
  fc
    .integer({ min: 1, max: 95 })
    .map(part => ({ cell: { serial: part / 96 }, shown: '12:00', means: { time: true } as const })),
  fc.boolean().map(flag => ({ cell: flag, shown: String(flag).toUpperCase(), means: { flag } })),
  fc
    .constantFrom('#N/A', '#REF!', '#VALUE!', '#DIV/0!', 'NaN')
    .map(error => ({ cell: { error }, shown: error, means: { error } })),
)

/** Numbers as people and programs of a country write them. */
const writtenNumbers: fc.Arbitrary<Meant> = fc
  .tuple(numbers, fc.constantFrom(...languages), fc.boolean())
  .map(([number, writer, grouped]) => {
    const text = new Intl.NumberFormat(writer, { useGrouping: grouped, maximumFractionDigits: 3 }).format(number)
    return { cell: text, shown: text, means: { number, writer } }
  })
const writtenDays: fc.Arbitrary<Meant> = serials.map(serial => {
  const day = dayOfSerial(serial)
  return { cell: formatDate(day), shown: formatDate(day), means: { day } }
})
const texts: fc.Arbitrary<Meant> = fc
  .oneof(
    fc.constantFrom(
      ...'1-ABC-234|СА1234ВХ|ЖА1234|Ł1-23|MAR-16|16/mrt|1,00E+234|TRUE|car|winter|alu|x|ja|205/55R16 91V AO'.split('|'),
      ...'12R22.5 152/148M|4x 205/55R16|029142123453|01067|opslag|per band|K-001|БЕЛШИНА'.split('|'),
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .map(text => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim())
  .filter(text => text !== '' && !text.startsWith('#') && !text.startsWith('Err:'))
  .map(text => ({ cell: text, shown: text, means: { text } }))

const meant = fc.oneof(typed, typed, writtenNumbers, writtenDays, texts)

/** A row of each kind in which everything is right. */
const rightRows: Readonly<Record<ImportKind, Partial<Record<ImportField, string>>>> = {
  vehicles: { license_plate: '1-ABC-234', kind: 'car', brand: 'Volvo' },
  tyres: { license_plate: '1-ABC-234', dimension: '205/55R16 91V', brand: 'Michelin' },
  articles: { brand: 'Michelin', dimension: '205/55R16 91V' },
  customers: { name: 'Garage' },
  locations: { site_name: 'Hall' },
  services: { name: 'Wash', operation_type: 'storage' },
  accounts: { username: 'ann' },
  odometers: { license_plate: '1-ABC-234', odometer: '54600' },
}
/** Fields that have no decimals. */
const wholeFields = new Set<ImportField>(['yearly_distance', 'quantity', 'capacity', 'walk', 'noise_db', 'odometer'])
/** Fields whose value is a part of another one, or looked up in what the site has. */
const indirect = new Set<ImportField>(['width', 'aspect', 'rim_diameter', 'wheels', 'language'])
const cases = importKinds.flatMap(kind =>
  importFields[kind].filter(field => !indirect.has(field)).map(field => [kind, field] as const),
)

type Outcome =
  | { readonly refused: Message }
  | { readonly shown: Shown | undefined; readonly text: string; readonly marked: boolean }

/** The outcome of importing a row with this cell. */
async function outcomeOf(kind: ImportKind, field: ImportField, cell: SheetCell, language: string): Promise<Outcome> {
  const row = { ...rightRows[kind], [field]: cell }
  const fields = Object.keys(row)
  const sheet = { rows: [fields, Object.values(row) as SheetCell[]], notes: [], separated: false }
  for await (const { cells, refusal } of sheetRows(sheet, { header: 0, fields })(language, {
    remark() {},
    progress() {},
  })) {
    if (refusal) return { refused: refusal }
    const adjustments: Message[] = []
    try {
      const reader: RowReader<unknown> = rowReaders[kind]
      const record = reader.read(cells, (text, facts = {}) => adjustments.push({ text, facts }))
      const shown = reader.shows(record)[field]
      const adjusted = adjustments.some(message => fieldOf(message) === field)
      const value = previewed(shown, cell, { lang: 'eng', adjusted })
      return { shown, text: value.text, marked: value.changed }
    } catch (error) {
      if (error instanceof RowRefused) return { refused: error.reason }
      throw error
    }
  }
  // a blank row is none
  return { shown: null, text: '', marked: false }
}

/** Why a value is not what the file says; `null`: it is. */
function fault(field: ImportField, meant: Meant, outcome: Outcome, language: string): string | null {
  if ('refused' in outcome) {
    const column = fieldOf(outcome.refused)
    const isNamed = column === field || outcome.refused.text === 'blank' || sameCell(field, column)
    return isNamed ? null : `refused for ${column}`
  }
  if ('error' in meant.means) return 'an error was saved'
  const { shown: value, marked } = outcome
  if (value === null || value === undefined) return 'nothing was saved'
  if (typeof value === 'string') return faultOfText(field, value, meant, marked)
  if ('plate' in value) return value.plate === normalizePlate(meant.shown) ? null : `the plate ${value.plate}`
  if ('day' in value) return faultOfDay(value.day, meant, marked)
  if ('flag' in value) return !('flag' in meant.means) || meant.means.flag === value.flag ? null : 'the other flag'
  return 'number' in value ? faultOfNumber(field, value.number, { means: meant.means, marked, language }) : null
}

function faultOfText(field: ImportField, value: string, { shown, means }: Meant, marked: boolean): string | null {
  if (field === 'ean') {
    const digits = 'number' in means && means.writer === null ? means.number : Number(shown.replaceAll(/\D/g, ''))
    return plainEan(value) === value && Number(value) === digits ? null : `the EAN ${value}`
  }
  if (lettersAndDigits(value) === lettersAndDigits(shown)) return null
  if ('number' in means && means.writer === null && Number(value) === means.number) return null
  return marked ? null : `the text ${value}`
}

function faultOfDay(day: IsoDate | null, { means }: Meant, marked: boolean): string | null {
  if ('day' in means) return day === means.day ? null : `the day ${day}`
  return marked ? null : 'a day of a number, without a mark'
}

type NumberMeant = { readonly means: Meant['means']; readonly marked: boolean; readonly language: string }

function faultOfNumber(
  field: ImportField,
  number: number | null,
  { means, marked, language }: NumberMeant,
): string | null {
  if (!('number' in means)) return marked || 'text' in means ? null : 'a number of something else'
  if (number === means.number) return null
  // a point before three digits parts thousands where the site's language says so: a fraction of a whole is nothing that anybody means
  const isFraction = !Number.isInteger(means.number) && number === Math.round(means.number * 1000)
  if (wholeFields.has(field) && isFraction && means.writer !== language) return null
  const sameLanguage = means.writer === null || means.writer === language
  return marked && (!sameLanguage || field === 'depth') ? null : `the number ${number}`
}

/** A size holds load, speed and DOT code, and a quantity; a fault in one of these names only the column that has it. */
const sameCell = (field: ImportField, column: string | null): boolean =>
  field === 'dimension' && ['load_index', 'speed_index', 'quantity', 'dot'].includes(column ?? '')

const someCell = fc.tuple(fc.constantFrom(...cases), meant, fc.constantFrom(...languages))

describe('any cell in any field', () => {
  test('is saved as the file says it, marked where somebody could take it for something else, or refused and named', async () => {
    await fc.assert(
      fc.asyncProperty(someCell, async ([[kind, field], sheetCell, language]) => {
        const outcome = await outcomeOf(kind, field, sheetCell.cell, language)
        expect([kind, field, sheetCell.cell, fault(field, sheetCell, outcome, language)]).toEqual([
          kind,
          field,
          sheetCell.cell,
          null,
        ])
      }),
      { numRuns: 100_000 },
    )
  })

  test('is not, where cells are made texts before their field is known', async () => {
    /** As files were read before: days as `YYYY-MM-DD`, errors as blank, numbers without their format. */
    const asText = (cell: SheetCell): SheetCell => {
      if (typeof cell !== 'object') return String(cell)
      if ('error' in cell) return ''
      return 'serial' in cell ? addDays(dayZero, Math.floor(cell.serial)) : String(cell.number)
    }
    const faults = new Set<string>()
    await fc.assert(
      fc.asyncProperty(someCell, async ([[kind, field], sheetCell, language]) => {
        const outcome = await outcomeOf(kind, field, asText(sheetCell.cell), language)
        const problem = fault(field, sheetCell, outcome, language)
        if (problem !== null) faults.add(Object.keys(sheetCell.means)[0] ?? '')
      }),
      { numRuns: 5000 },
    )
    expect([...faults]).toEqual(expect.arrayContaining(['error', 'number', 'day', 'time']))
  })
})
