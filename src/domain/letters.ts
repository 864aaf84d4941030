/** The letters and digits of a text, of any script: what plates, headings and the keys of articles are compared by. */

import { oneLine } from './cell.ts'

/**
 * A name or code as two are compared: two that look alike are equal, whatever is invisible in them, whether accents are composed, signs
 * full-width, or blanks of another kind or doubled; and capitals don't matter.
 */
export const nameKey = (text: string): string => oneLine(text.normalize('NFKC')).toLowerCase()

/** The value of a decimal digit of any script; scripts have theirs in a row, from zero on. */
function digitOf(sign: string): string {
  let zero = sign.codePointAt(0) ?? 0
  const at = zero
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((at - zero) % 10)
}

/**
 * Capital letters and digits; signs, blanks and what is invisible are left out. A letter with an accent of the Latin or Greek script
 * is the plain one, and a full-width or superscript sign too; no letter of another script becomes another one.
 */
export const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{DI}/gu, '')
    .replaceAll(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toUpperCase()
    .replaceAll(/(?!\p{Lm})(\p{L}\p{M}*)|(\p{Nd})|./gsu, (_, letter?: string, digit?: string) =>
      letter !== undefined ? letter : digit === undefined ? '' : digitOf(digit),
    )
