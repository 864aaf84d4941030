/** How numbers are written and read in each language (docs/product/screens.md "Dates and numbers"). */

const formats = new Map<string, Intl.NumberFormat>()

/** Writes numbers in a language (`nl`). A formatter is dear to make and a list has hundreds of numbers: each is made once. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const cached = formats.get(key)
  if (cached) return cached
  const format = new Intl.NumberFormat(language, options)
  formats.set(key, format)
  return format
}

const formatOf = (language: string): Intl.NumberFormat => numberFormat(language, { maximumFractionDigits: 2 })

/** A number with at most two decimals, as the language (`nl`) writes it. */
export const formatNumber = (number: number, language: string): string => formatOf(language).format(number)

/** Amounts in EUR, as the language (`nl`) writes them. */
export const moneyIn = (language: string, signDisplay?: 'exceptZero'): Intl.NumberFormat =>
  numberFormat(language, { style: 'currency', currency: 'EUR', ...(signDisplay && { signDisplay }) })

/** The signs before the decimals and between thousands in a language. */
export function separatorsOf(language: string): { decimal: string; group: string } {
  const parts = formatOf(language).formatToParts(12_345.6)
  const separator = (type: Intl.NumberFormatPartTypes) => parts.find(part => part.type === type)?.value ?? ''
  return { decimal: separator('decimal'), group: separator('group') }
}

/** How a number may be meant where it is written. */
export type NumberForm = {
  /** Whether it has no decimals: every sign between groups of three then stands for thousands. */
  readonly whole: boolean
  /** The language (`nl`) that decides of `1.250`, which could be either. */
  readonly language: string
  /** The most that it can be: `7.250` mm are no seven thousand. */
  readonly most?: number
}

/** A number as it was read, and whether it could have been meant as another one. */
export type NumberReading = { readonly value: number; readonly ambiguous: boolean }

const signed = /^([-−]?)(.*)$/s
const spaced = /[\s'’]/g
/** Groups of three digits between one and the same sign. */
const grouped = /^\d{1,3}(?:([.,\s'’])\d{3})(?:\1\d{3})*$/
/** Thousands with one sign, then decimals behind the other. */
const groupedWithDecimals = /^\d{1,3}(?:([.,\s'’])\d{3})+([.,])\d*$/

/** The digits of a number without its sign, with a point before decimals. */
type Digits = { readonly digits: string; readonly ambiguous: boolean }

const plainDigits = (text: string): string => text.replaceAll(/\D/g, '')

/** A whole number. Where one comma or point before three digits stands for decimals in the language, it may be meant for them. */
function wholeDigits(plain: string, language: string): Digits | null {
  const sign = grouped.exec(plain)?.[1]
  if (sign === undefined) return null
  return {
    digits: plainDigits(plain),
    ambiguous: sign === separatorsOf(language).decimal && plain.split(sign).length === 2,
  }
}

function decimalDigits(plain: string, language: string, most: number): Digits | null {
  const sign = groupedWithDecimals.exec(plain)
  if (sign && sign[1] !== sign[2]) {
    const at = plain.lastIndexOf(sign[2] ?? '')
    return { digits: `${plainDigits(plain.slice(0, at))}.${plain.slice(at + 1)}`, ambiguous: false }
  }
  const single = /^(\d+)[.,](\d*)$/.exec(plain.replaceAll(spaced, ''))
  const decimals = single && { digits: `${single[1]}.${single[2]}`, ambiguous: false }
  const group = grouped.exec(plain)?.[1]
  if (group === undefined) return /\d[\s'’]+\d/.test(plain) ? null : decimals
  // several groups, or blanks between them
  if (!decimals) return { digits: plainDigits(plain), ambiguous: false }
  if (plain.startsWith('0') || Number(plainDigits(plain)) > most) return decimals
  const isDecimal = group === separatorsOf(language).decimal
  return { digits: isDecimal ? decimals.digits : plainDigits(plain), ambiguous: true }
}

/**
 * The number that a text holds: the one reader for forms and files. A comma and a point are both understood; where a text could be either
 * (`1.250`), the language decides between them. `null` for a text that is no number, and for decimals where a whole number is asked for:
 * 12.5 kilometres must not become 125.
 */
export function readNumber(
  text: string,
  { whole, language, most = Number.POSITIVE_INFINITY }: NumberForm,
): NumberReading | null {
  const [, sign = '', plain = ''] = signed.exec(text.trim()) ?? []
  const read = /^\d+$/.test(plain)
    ? { digits: plain, ambiguous: false }
    : whole
      ? wholeDigits(plain, language)
      : decimalDigits(plain, language, most)
  return read && { value: Number(read.digits) * (sign === '' ? 1 : -1), ambiguous: read.ambiguous }
}

/** The number of a text, without a sign (`readNumber`). */
export function numberIn(text: string, form: NumberForm): number | null {
  const number = /^\s*[-−]/.test(text) ? null : readNumber(text, form)
  return number === null ? null : number.value
}

/** Numbers in texts that name something: tyre 12345 is not the 12,345th. Every other number in a text is an amount of something. */
const names = new Set(['id', 'tyre', 'site', 'number', 'article', 'document', 'line'])

/** The text that replaces `{{name}}` in a text. */
export function inText(value: unknown, _format?: string, language = 'en', options?: object): string {
  const name = options && 'interpolationkey' in options ? String(options.interpolationkey) : ''
  const isAmount = typeof value === 'number' && Number.isFinite(value) && !names.has(name)
  // i18next inserts nothing for a missing value
  return isAmount ? formatNumber(value, language) : (value as string)
}

/** Writes the numbers of all texts: a module of i18next, on both sides, to be used with `alwaysFormat`. */
export const numbersInTexts = {
  type: 'formatter' as const,
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: inText,
}
