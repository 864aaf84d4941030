/** A record in the preview of an import: each field as it will be saved, and whether the file writes it differently. */
import { languages, type Language } from '#domain/people/account.ts'
import { formatDate, type IsoDate } from '#domain/texts/date.ts'
import { lettersAndDigits } from '#domain/texts/letters.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatPlate, normalizePlate } from '#domain/vehicles/plate.ts'
import { shownText, type SheetCell } from '#domain/texts/sheetCell.ts'
import { translate } from '../../texts/texts.ts'

/** The texts of values that a field has a few of, by where they are. */
const words = {
  kind: ['vehicle', 'kind'],
  season: ['tyres', 'season'],
  status: ['common', 'tyreStatus'],
  rims: ['common', 'rims'],
  operation: ['common', 'operationType'],
  insertion: ['config', 'insertion'],
  role: ['nav', 'roles'],
} as const

/** A value that will be saved, and how it is written. `null`: nothing is changed by this cell. */
export type Shown =
  | string
  | null
  | { readonly plate: string }
  | { readonly day: IsoDate | null }
  | { readonly number: number | null }
  | { readonly flag: boolean | null }
  | { readonly word: string | null; readonly of: keyof typeof words }

/** A value as it is shown, and whether it is not what the cell says. */
export type PreviewedValue = { readonly text: string; readonly changed: boolean }

/** A value beside its cell. A value that follows from other cells (`null` beside text) is left out. */
export function previewed(
  shown: Shown | undefined,
  cell: SheetCell,
  { lang, adjusted }: { lang: Language; adjusted: boolean },
): PreviewedValue {
  if (shown === undefined || cell === '') return { text: shownText(cell), changed: false }
  const text = written(shown, lang)
  return { text, changed: adjusted || !says(cell, shown, text) }
}

function written(shown: Shown, lang: Language): string {
  if (shown === null) return ''
  if (typeof shown === 'string') return shown
  if ('plate' in shown) return formatPlate(shown.plate)
  if ('day' in shown) return shown.day === null ? '' : formatDate(shown.day)
  if ('number' in shown) return shown.number === null ? '' : formatNumber(shown.number, languages[lang])
  if ('flag' in shown) return shown.flag === null ? '' : translate(lang, 'common', shown.flag ? 'yes' : 'no')
  if (shown.word === null) return ''
  const [namespace, group] = words[shown.of]
  return translate(lang, namespace, `${group}.${shown.word}` as never)
}

/** Whether a cell says a value to everybody who reads it: not when somebody else could take it for another one. */
function says(cell: SheetCell, shown: Shown, text: string): boolean {
  if (shown !== null && typeof shown === 'object') {
    if ('day' in shown) return saysDay(cell)
    if ('number' in shown)
      return typeof cell === 'string' ? numbersOf(cell) === numbersOf(text) : typeof cell !== 'boolean'
    if ('flag' in shown && typeof cell === 'boolean') return true
    if ('plate' in shown) return lettersAndDigits(shownText(cell)) === normalizePlate(shown.plate)
  }
  return lettersAndDigits(shownText(cell)) === lettersAndDigits(text)
}

/** A day that is written with its year, in an order that only one country has. */
function saysDay(cell: SheetCell): boolean {
  if (typeof cell === 'object' && 'serial' in cell) return true
  const [, day, month, year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2,4})/.exec(shownText(cell)) ?? []
  if (day === undefined) return /^\d{4}-/.test(shownText(cell))
  return year.length === 4 && (Number(day) > 12 || Number(day) === Number(month))
}

/** The digits of a number without what parts thousands, and with one sign before decimals. */
const numbersOf = (text: string): string => {
  const plain = text.replaceAll(/[^\d.,-]/g, '')
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const decimals = last >= 0 && plain.length - last - 1 !== 3 ? plain.slice(last + 1).replace(/0+$/, '') : ''
  const whole = last >= 0 && plain.length - last - 1 !== 3 ? plain.slice(0, last) : plain
  return `${whole.replaceAll(/[.,]/g, '')}.${decimals}`
}
