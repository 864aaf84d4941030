/** The fields changed over a saved record. Only these are sent: two people who change different fields both keep their changes. */
import { sameValues } from './path.ts'

/** The fields of `T` that are changed, and of its parts. */
export type Changes<T> = { [K in keyof T]?: T[K] extends Readonly<Record<string, unknown>> ? Changes<T[K]> : T[K] }

type Fields = Readonly<Record<string, unknown>>
const isPart = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)

function differing(before: Fields, now: Fields): Fields | null {
  const changed = Object.entries(now).flatMap(([field, value]) => {
    const was = before[field]
    if (sameValues(value, was)) return []
    if (!isPart(value) || !isPart(was)) return [[field, value] as const]
    const part = differing(was, value)
    return part ? [[field, part] as const] : []
  })
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

function laidOver(fields: Fields, changes: Fields): Fields {
  const laid = Object.entries(changes).map(([field, change]) => {
    const value = fields[field]
    return [field, isPart(change) && isPart(value) ? laidOver(value, change) : change] as const
  })
  return { ...fields, ...Object.fromEntries(laid) }
}

/** The fields of `now` that differ from `saved`; `null` for none. */
export const changesOf = <T extends object>(saved: T, now: T): Changes<T> | null =>
  differing(saved as Fields, now as Fields) as Changes<T> | null

/** The saved record with the changes applied. */
export const withChanges = <T extends object>(saved: T, changes: Changes<T> | null): T =>
  laidOver(saved as Fields, (changes ?? {}) as Fields) as T

/** The changes that remain once `sent` is saved: those made meanwhile. */
export const unsentOf = <T extends object>(now: Changes<T> | null, sent: Changes<T>): Changes<T> | null =>
  now && (differing(sent as Fields, now as Fields) as Changes<T> | null)

/** The state of a form over a saved record: unchanged fields follow later saves. */
export const overSaved = <T extends object>(
  saved: T,
  changes: Changes<T> | null,
  setChanges: (change: (now: Changes<T> | null) => Changes<T> | null) => void,
  changesBetween: (saved: T, now: T) => Changes<T> | null = changesOf,
) => ({
  values: withChanges(saved, changes),
  dirty: changes !== null,
  change: (next: (now: T) => T) => setChanges(now => changesBetween(saved, next(withChanges(saved, now)))),
})
