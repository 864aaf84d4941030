/** How texts are searched: word by word, in any letters, with or without accents. */
import { normalizePlate } from '#domain/plate.ts'

/** The words of a search as texts are looked through: lower case, without accents. */
export const wordsOf = (text: string): string[] =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/).filter(Boolean)

/** What `like` finds a word by, wherever in a text it stands. */
export const patternOf = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A search of vehicles and their tyres as its statement takes it: words, the same as parts of a plate, as patterns, and those that may be the number of a tyre. */
export function inVehicles(search: string) {
  const words = wordsOf(search)
  return {
    words,
    plates: words.map(normalizePlate),
    patterns: words.map(patternOf),
    tyres: words.filter(word => /^[1-9][0-9]{0,9}$/.test(word) && Number(word) < 2 ** 31).map(Number),
  }
}

/** The same of a text in SQL: PostgreSQL's own `folded` (db/migrations/0016). */
export const folded = (text: string): string => `folded(${text})`
