/** Numbers and amounts as they are typed. */

/** The value of a number field: the number, or the text of an incomplete one; empty for none. */
export type Numeral = number | string
/** A number as its field shows it. */
export const numeral = (value: number | null): Numeral => value ?? ''
/** The number in a field; `null` for none. */
export function numberIn(field: Numeral): number | null {
  const number = typeof field === 'number' ? field : field.trim() === '' ? Number.NaN : Number(field)
  return Number.isFinite(number) ? number : null
}

/**
 * Parses an amount in EUR: the last comma or point is the decimal one in any language, so that a price copied from elsewhere never becomes a hundred
 * times itself. `null` for text that is no amount.
 */
export function amountIn(field: Numeral): number | null {
  if (typeof field === 'number') return field
  const text = field.replaceAll(/[\s€'’]/g, '')
  const parts = /^(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,](\d*))?$/.exec(text)
  if (!parts) return null
  const [, whole = '', decimals = ''] = parts
  const grouped = /[.,]/.test(whole)
  // `1.234` is ambiguous: the user decides
  if (grouped && decimals === '') return null
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`)
}
/** The price to send: 0 for none, not a number for an invalid amount. */
export const priceIn = (field: Numeral): number => (field === '' ? 0 : (amountIn(field) ?? Number.NaN))
