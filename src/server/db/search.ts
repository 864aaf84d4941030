/** Text search: word by word, ignoring case and accents. */

import { folded as foldedText } from '#domain/texts/folded.ts'

/** The words of a search, in lower case and without accents. */
export const searchWords = (text: string): string[] => foldedText(text).split(/\s+/).filter(Boolean)

/** The pattern of `like` that finds a word anywhere in a text. */
export const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A text in SQL as `searchWords` compares it: PostgreSQL's own `folded` (db/functions/folded.sql). */
export const folded = (text: string): string => `folded(${text})`

/** A name in SQL to order a list by: by its spelling, in any case (db/migrations/0138). */
export const bySpelling = (name: string): string => `${name} collate by_spelling`
