/** How numbers are written and read in each language (docs/product.md "Dates and numbers"). */

const formats = new Map<string, Intl.NumberFormat>()

/** Writes numbers in a language (`nl`). A formatter is dear to make and a list has hundreds of numbers: each is made once. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(language, options)
  formats.set(key, made)
  return made
}

const formatOf = (language: string): Intl.NumberFormat => numberFormat(language, { maximumFractionDigits: 2 })

/** A number with at most two decimals, as the language (`nl`) writes it. */
export const formatNumber = (number: number, language: string): string => formatOf(language).format(number)

/** Amounts in EUR, as the language (`nl`) writes them. */
export const moneyIn = (language: string, signDisplay?: 'exceptZero'): Intl.NumberFormat =>
  numberFormat(language, { style: 'currency', currency: 'EUR', ...(signDisplay && { signDisplay }) })

/** What stands before decimals and between thousands in a language. */
export function separatorsOf(language: string): { decimal: string; group: string } {
  const parts = formatOf(language).formatToParts(12_345.6)
  const of = (type: Intl.NumberFormatPartTypes) => parts.find(part => part.type === type)?.value ?? ''
  return { decimal: of('decimal'), group: of('group') }
}

/** In a whole number every comma, point, space and apostrophe between groups of three stands for thousands. */
const grouped = /^\d{1,3}(?:[.,\s'’]\d{3})+$/

/**
 * The number of a text, whatever the language: a comma and a point are both understood. `null` for what is no number, and for
 * decimals where a whole number is asked for: 12.5 kilometres must not become 125.
 */
export function numberIn(text: string, { whole }: { whole: boolean }): number | null {
  const plain = text.trim()
  if (whole) return grouped.test(plain) || /^\d+$/.test(plain) ? Number(plain.replaceAll(/\D/g, '')) : null
  return /^\d+(?:[.,]\d*)?$/.test(plain) ? Number(plain.replace(',', '.')) : null
}

/** Numbers in texts that name something: tyre 12345 is not the 12,345th. Every other number in a text is an amount of something. */
const names = new Set(['id', 'tyre', 'site', 'number', 'article', 'document', 'line'])

/** What is put in the place of `{{name}}` in a text. */
export function inText(value: unknown, _format?: string, language = 'en', options?: object): string {
  const name = options && 'interpolationkey' in options ? String(options.interpolationkey) : ''
  const isAmount = typeof value === 'number' && Number.isFinite(value) && !names.has(name)
  // i18next says nothing for what is missing
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
