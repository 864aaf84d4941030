/** Lists of the contract. Each has a maximum, so that nobody can send, or be sent, one without end (docs/promises.md "Limits"). */
import { z } from 'zod'

/**
 * A list in input, of `least` to `most` items. A longer one is refused before its items are looked at: half a million wrong ones
 * would occupy the process for seconds.
 */
export const list = <S extends z.ZodType>(item: S, most: number, least = 0) =>
  z.preprocess((value, { addIssue }) => {
    if (Array.isArray(value) && value.length > most)
      addIssue({ code: 'too_big', origin: 'array', maximum: most, inclusive: true, input: null })
    return value
  }, z.array(item).min(least).max(most)) as unknown as z.ZodType<z.output<S>[], z.input<S>[]>

/** The longest list of an answer: more than a site has of anything, and more than a browser can show. */
const maxRows = 100_000

/** A list in an answer. */
export const rows = <S extends z.ZodType>(row: S) => z.array(row).max(maxRows)
