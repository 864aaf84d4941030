/**
 * The readers of cells: each field has one, and only it decides what a cell says. A missing, malformed or overlong value refuses the row,
 * and so does a text or number that a spreadsheet has converted (docs/decisions/0084-a-cell-is-read-by-its-field.md).
 */
import { z } from 'zod'
import type { IsoDate } from '#domain/texts/date.ts'
import type { Facts } from '#domain/failure.ts'
import { readNumber } from '#domain/texts/number.ts'
import {
  convertedCell,
  convertedCode,
  dayOfCell,
  digitsOf,
  shownText,
  type Converted,
  type SheetCell,
} from '#domain/texts/sheetCell.ts'
import { dayIn, flagIn } from '#domain/texts/spreadsheet.ts'
import { RowRefused, type Message } from './import.refused.ts'

/** The cells of a row by their column. A column that the file has not got is a blank cell. */
export type Cells = {
  /** The text of a cell, `null` when it is blank. @throws RowRefused when it is a text no more */
  (column: string): string | null
  /** The cell as the file has it. */
  cell(column: string): SheetCell
  /** The language of the site (`nl`), in which a number is read that could be two. */
  readonly language: string
}

/** Cells by their columns. */
export function cellsFrom(cell: (column: string) => SheetCell, language: string): Cells {
  const text = (column: string): string | null => {
    const sheetCell = cell(column)
    const converted = convertedCell(sheetCell)
    if (converted !== null) throw convertedRefusal(column, sheetCell, converted)
    return shownText(sheetCell) || null
  }
  return Object.assign(text, { cell, language })
}

const convertedRefusal = (column: string, cell: SheetCell, converted: Converted): RowRefused =>
  new RowRefused(`converted_${converted}`, { column, text: shownText(cell) })

/** Reports that a row is imported in a changed form. */
export type Adjusted = (text: Message['text'], facts?: Facts) => void

type NumberField = {
  readonly whole?: boolean
  /** The most that it can be, where a number could be meant in two ways. */
  readonly most?: number
  /** Text that may stand beside the number. */
  readonly unit?: RegExp
}

/** A number; `undefined`: the cell is none. @throws RowRefused when a spreadsheet has made something else of it */
function numberOf(
  cells: Cells,
  column: string,
  adjusted: Adjusted,
  { whole = false, most, unit }: NumberField,
): number | null | undefined {
  const cell = cells.cell(column)
  if (cell === '') return null
  if (typeof cell === 'number') return Number(cell.toPrecision(15))
  if (typeof cell !== 'string') {
    const converted = convertedCell(cell)
    // an exponent or a unit in the format of a number changes nothing of it
    if (typeof cell === 'object' && 'number' in cell && converted !== 'percent')
      return Number(cell.number.toPrecision(15))
    throw convertedRefusal(column, cell, converted ?? 'format')
  }
  const number = readNumber(unit ? cell.replace(unit, '') : cell, {
    whole,
    language: cells.language,
    ...(most !== undefined && { most }),
  })
  // 1,011 where a comma stands before decimals is no whole number
  if (whole && number?.ambiguous) return undefined
  if (number?.ambiguous) adjusted('number_read', { column, text: cell, number: number.value })
  return number?.value
}

/** A whole number. @throws RowRefused when it is none, or out of range */
export const wholeNumber = (
  cells: Cells,
  column: string,
  { from, to, unit }: { from: number; to: number; unit?: RegExp },
): number | null => {
  const value = numberOf(cells, column, () => {}, { whole: true, ...(unit && { unit }) })
  if (value === null) return null
  if (value === undefined || !Number.isInteger(value) || value < from || value > to)
    throw new RowRefused('not_whole', { column, text: shownText(cells.cell(column)), from, to })
  return value
}

/** A number with decimals. @throws RowRefused with `text` when it is none */
export function decimal(
  cells: Cells,
  column: string,
  text: Message['text'],
  adjusted: Adjusted,
  field: NumberField = {},
): number | null {
  const value = numberOf(cells, column, adjusted, field)
  if (value === undefined) throw new RowRefused(text, { column, text: shownText(cells.cell(column)) })
  return value
}

/** A day. @throws RowRefused when it is none */
export function day(cells: Cells, column: string): IsoDate | null {
  const cell = cells.cell(column)
  if (cell === '') return null
  const read =
    typeof cell === 'object' && 'serial' in cell
      ? dayOfCell(cell.serial)
      : typeof cell === 'boolean'
        ? null
        : dayIn(shownText(cell))
  if (read === null) throw new RowRefused('no_day', { column, text: shownText(cell) })
  return read
}

/** Yes or no. @throws RowRefused when it is neither */
export function flag(cells: Cells, column: string): boolean | null {
  const cell = cells.cell(column)
  return typeof cell === 'boolean' ? cell : understood(cells, column, flagIn, 'no_flag')
}

/** The digits of a number that names something; a spreadsheet takes zeros before it away, and shows a long one with an exponent. */
export function digits(cells: Cells, column: string): string | null {
  const cell = cells.cell(column)
  const isWhole =
    typeof cell === 'object' && 'odd' in cell && cell.odd === 'exponent' && Number.isSafeInteger(cell.number)
  return isWhole && cell.number < 1e15 ? digitsOf(cell.number) : cells(column)
}

/** The value of a cell that `read` understands. @throws RowRefused when it does not */
export function understood<T>(
  cells: Cells,
  column: string,
  read: (text: string) => T | null,
  text: Message['text'],
): T | null {
  const cell = cells(column)
  if (cell === null) return null
  const value = read(cell)
  if (value === null) throw new RowRefused(text, { column, text: cell })
  return value
}

/** @throws RowRefused when the cell is blank */
export const required = (column: string, text: string | null): string => {
  if (text === null) throw new RowRefused('blank', { column })
  return text
}

/** A text that may not be shortened. @throws RowRefused when it is too long */
export const limited = (cells: Cells, column: string, limit: number): string | null => {
  const text = cells(column)
  if (text !== null && text.length > limit)
    throw new RowRefused('too_long', { column, text, length: text.length, limit })
  return text
}

/** A code: a text in which a day, a flag or an exponent is what a spreadsheet saved in its place. @throws RowRefused */
export const code = (cells: Cells, column: string, limit: number): string | null => {
  const text = limited(cells, column, limit)
  const converted = text === null ? null : convertedCode(text)
  if (text !== null && converted !== null) throw convertedRefusal(column, text, converted)
  return text
}

/** A text that may be shortened at a word, which is reported. */
export const shortened = (text: string, column: string, limit: number, adjusted: Adjusted): string => {
  if (text.length <= limit) return text
  const cut = text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = cut.lastIndexOf(' ')
  const short = `${cut.slice(0, space > limit / 2 ? space : undefined)}…`
  adjusted('shortened', { column, text, short })
  return short
}

/** @throws RowRefused when it is no e-mail address, or too long */
export const email = (cells: Cells, limit: number): string | null => {
  const text = limited(cells, 'email', limit)
  if (text !== null && !z.email().safeParse(text).success) throw new RowRefused('no_email', { text })
  return text
}
