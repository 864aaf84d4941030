/** The letters and digits of a text, of any script: what plates, headings and the keys of articles are compared by. */

import { oneLine } from './cell.ts'

/**
 * A name or code in the form in which two are compared: those that look alike are equal. Invisible characters, composed or separate
 * accents, full-width signs, other or doubled blanks, and capitals make no difference.
 */
export const nameKey = (text: string): string =>
  (plainText.test(text) ? text : oneLine(text.normalize('NFKC'))).toLowerCase()

/** Most names and codes: signs of keyboards with single blanks between. They are compared as they are, 20 times as fast. */
const plainText = /^[!-~]+(?: [!-~]+)*$/

/** The value of a decimal digit of any script; scripts have theirs in a row, from zero on. */
function digitOf(sign: string): string {
  let zero = sign.codePointAt(0) ?? 0
  const at = zero
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((at - zero) % 10)
}

/**
 * Capital letters and digits; signs, blanks and invisible characters are left out. An accented letter of the Latin or Greek script
 * becomes the plain one, and so does a full-width or superscript sign; letters of other scripts are unchanged.
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
