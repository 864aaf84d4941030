/**
 * The cells of files as their program has them: with their type, format and letters, until it is known which field they are. Only that
 * field's reader decides what a cell says (docs/decisions/0084-a-cell-is-read-by-its-field.md).
 */
import type { IsoDate } from './date.ts'
import { dayOfSerial } from './spreadsheet.ts'

export type SheetCell =
  | string
  /** A number in a format that only parts thousands or rounds. */
  | number
  | boolean
  /** A formula without a result, as its program writes it: `#N/A`. */
  | { readonly error: string }
  /** A moment as days since 30 December 1899. */
  | { readonly serial: number }
  /** A number in a format that writes it with zeros or signs: 1067 as `01067`. */
  | { readonly number: number; readonly shown: string }
  /** A number in a format that says something else than its digits. */
  | { readonly number: number; readonly odd: 'exponent' | 'percent' | 'format' }

/** A spreadsheet keeps this many digits of a number; those behind are zeros. */
const exactDigits = 15
/** From here on a whole number may have lost its last digits. */
const roundedFrom = 10 ** exactDigits

/** The day of a cell with a date; `null`: it is a time, or before 1900. */
export const dayOfCell = (serial: number): IsoDate | null => (serial < 1 ? null : dayOfSerial(serial))

/** The digits of a number as a spreadsheet shows them; what only binary fractions have is left out. */
export const digitsOf = (number: number): string => {
  const exact = Number(number.toPrecision(exactDigits))
  return Number.isInteger(exact) && Math.abs(exact) < roundedFrom ? exact.toFixed(0) : String(exact)
}

/** A cell as a text for people: what they see in their program, with days as `YYYY-MM-DD`. */
export function shownText(cell: SheetCell): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return Math.abs(cell) < roundedFrom ? digitsOf(cell) : exponentOf(cell)
  if (typeof cell === 'boolean') return String(cell).toUpperCase()
  if ('error' in cell) return cell.error
  if ('serial' in cell) return dayOfCell(cell.serial) ?? timeOf(cell.serial)
  if ('shown' in cell) return cell.shown
  if (cell.odd === 'percent') return `${digitsOf(cell.number * 100)} %`
  return cell.odd === 'exponent' ? exponentOf(cell.number) : digitsOf(cell.number)
}

const exponentOf = (number: number): string => number.toExponential().toUpperCase()

function timeOf(serial: number): string {
  const minutes = Math.round((serial % 1) * 24 * 60)
  return [Math.floor(minutes / 60) % 24, minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
}

/** The errors of formulas in English, Dutch, French and German, as a text file has them. */
const errors = new Set(
  `#N/A #REF! #VALUE! #DIV/0! #NAME? #NULL! #NUM! #SPILL! #CALC! #FIELD! #BUSY! #GETTING_DATA #CONNECT! #BLOCKED! #UNKNOWN!
  #N/B #VERW! #WAARDE! #DEEL/0! #NAAM? #LEEG! #GETAL! #OVERLOOP! #VALEUR! #NOM? #NUL! #NOMBRE! #PROPAGATION!
  #NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF!`.split(/\s+/),
)

/** The error that a cell has instead of a value; `null`: it has none. Text files have it as a text. */
export function errorOf(cell: SheetCell): string | null {
  if (typeof cell === 'object') return 'error' in cell ? cell.error : null
  if (typeof cell !== 'string' || !/^(?:#|Err:)/.test(cell)) return null
  return errors.has(cell.toUpperCase()) || /^Err:\d{3}$/.test(cell) ? cell : null
}

/** The forms into which a spreadsheet converts a text that looks like something else to it. */
export type Converted = 'date' | 'flag' | 'exponent' | 'rounded' | 'percent' | 'format'

/** How its program converted a cell into something other than text; `null`: it can be read as text. */
export function convertedCell(cell: SheetCell): Converted | null {
  if (typeof cell === 'string') return null
  if (typeof cell === 'boolean') return 'flag'
  if (typeof cell === 'number') return Math.abs(cell) < roundedFrom ? null : 'rounded'
  if ('serial' in cell) return 'date'
  if ('odd' in cell) return cell.odd
  return null
}

const months = `jan|feb|mrt|mar|mär|mrz|apr|avr|mei|may|mai|jun|juin|jul|juil|aug|août|aoû|sep|sept|okt|oct|nov|dec|dez|déc|janv|févr|fév|mars|april|mei|juni|juli`
/** A day of a month as Excel shows it, never in capitals: `16/mrt`, `Mar-16`. A plate such as `MAR-16` is. */
const monthWords = new RegExp(`^(?:\\d{1,2}[-/. ](?:${months})\\.?|(?:${months})\\.?[-/. ]\\d{1,2})$`, 'i')

/**
 * The conversion of a code that a spreadsheet has saved as a text: `1,00E+234`, `12/12/2012`, `16/mrt`, `TRUE`. `null`: no visible sign
 * of one. In other texts this is no sign of it: a remark may have a day in it.
 */
export function convertedCode(text: string): Converted | null {
  if (/^-?\d(?:[.,]\d+)?E[+-]\d+$/i.test(text)) return 'exponent'
  if (/^(?:true|false|waar|onwaar|vrai|faux|wahr|falsch)$/i.test(text)) return 'flag'
  if (
    /^(?:\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}-\d{1,2}-(?:19|20)\d{2}|\d{1,2}:\d{2}(?::\d{2})?)$/.test(
      text,
    )
  )
    return 'date'
  return monthWords.test(text) && text !== text.toUpperCase() ? 'date' : null
}
