/** Letters that Unicode does not take apart, as they are spelt without them. */
const spelt: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  þ: 'th',
  Þ: 'th',
  Ø: 'o',
  ø: 'o',
  Ł: 'l',
  ł: 'l',
  Đ: 'd',
  đ: 'd',
  Ð: 'd',
  ð: 'd',
  Ħ: 'h',
  ħ: 'h',
  Ŧ: 't',
  ŧ: 't',
  ı: 'i',
}
const speltLetters = new RegExp(`[${Object.keys(spelt).join('')}]`, 'g')
/** Accents, which NFKD takes apart from their letters, and signs that are not seen. */
const accents = String.raw`\u0300-\u036f`
const invisible = String.raw`\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff`
const marks = new RegExp(`[${accents}${invisible}]`, 'g')

/**
 * A text as searches compare it: in small letters, without accents and what cannot be seen, ß as ss. PostgreSQL's `folded` is the same
 * (db/functions/folded.sql).
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(marks, '')
    .replaceAll(speltLetters, letter => spelt[letter] ?? letter)
    .toLowerCase()
    .replaceAll('ς', 'σ')
