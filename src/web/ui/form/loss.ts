/** The input that closing a dialog would lose, and which ways to close it ask first (docs/product/screens.md "Unsaved input"). */
import { sameValues } from './path.ts'

/** From least to most. `word`: a word or a choice in one field; `field`: more than that in one field; `fields`: several. */
export const losses = ['nothing', 'word', 'field', 'fields'] as const
export type Loss = (typeof losses)[number]

/** How a dialog is closed: by its button Cancel, by Escape, the cross or the browser's Back, by a click beside it. */
export type Closing = 'cancel' | 'dismiss' | 'outside'

/** `asks`: before it closes; `stays`: it does not react, for a click beside a dialog is a slip. */
const table = {
  cancel: { nothing: 'closes', word: 'closes', field: 'closes', fields: 'asks' },
  dismiss: { nothing: 'closes', word: 'closes', field: 'asks', fields: 'asks' },
  outside: { nothing: 'closes', word: 'stays', field: 'stays', fields: 'stays' },
} as const satisfies Record<Closing, Record<Loss, 'closes' | 'asks' | 'stays'>>

export const onClosing = (closing: Closing, loss: Loss): 'closes' | 'asks' | 'stays' => table[closing][loss]

/** The longest text that counts as one word, quickly typed again, in characters. */
const longestWord = 20

/** The part of a text that was typed over the one before. */
function typedOver(before: string, now: string): string {
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end++
  return now.slice(start, now.length - end)
}

function lossInField(before: unknown, now: unknown): 'word' | 'field' {
  if (typeof now === 'object' && now !== null) return 'field'
  const typed = typeof now === 'string' ? typedOver(typeof before === 'string' ? before : '', now).trim() : ''
  return /\s/.test(typed) || typed.length > longestWord ? 'field' : 'word'
}

const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> | readonly unknown[] =>
  Array.isArray(value)
    ? value.some(hasFields)
    : typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The kind of loss in each field that differs. A list of plain values is one field. */
function differing(before: unknown, now: unknown): ('word' | 'field')[] {
  if (sameValues(before, now)) return []
  if (!hasFields(now)) return [lossInField(before, now)]
  const was = (typeof before === 'object' ? before : null) as Readonly<Record<string, unknown>> | null
  return Object.entries(now).flatMap(([field, value]) => differing(was?.[field], value))
}

/** The loss when `now` is discarded for `before`. An entry that was removed from a list counts as a choice. */
export function lossOf(before: unknown, now: unknown): Loss {
  const fields = differing(before, now)
  if (fields.length > 1) return 'fields'
  return fields[0] ?? (sameValues(before, now) ? 'nothing' : 'word')
}
