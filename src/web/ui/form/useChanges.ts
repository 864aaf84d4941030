/** Edits of a record that others save meanwhile: fields left alone follow, and nobody's change of the same field is overwritten unseen. */
import { useState } from 'react'
import { type Changes, overSaved, unsentOf, withChanges } from './changes.ts'
import { sameValues } from './path.ts'

type Edited<T> = { readonly base: T; readonly changes: Changes<T> }

/** The edited fields that somebody else has saved otherwise since they were edited. */
export const overtakenIn = <T extends object>(saved: T, { base, changes }: Edited<T>): (keyof T & string)[] =>
  (Object.keys(changes) as (keyof T & string)[]).filter(
    field => !sameValues(saved[field], base[field]) && !sameValues(saved[field], withChanges(saved, changes)[field]),
  )

/** The edits once `sent` is saved, which is then part of what they began from. */
export function editedAfter<T extends object>(edited: Edited<T> | null, sent: Changes<T> | null): Edited<T> | null {
  if (!edited || !sent) return edited
  const changes = unsentOf(edited.changes, sent)
  return changes && { base: withChanges(edited.base, sent), changes }
}

export function useChanges<T extends object>(saved: T) {
  const [edited, setEdited] = useState<Edited<T> | null>(null)
  const changes = edited?.changes ?? null
  return {
    changes,
    /** The state of a form over the record (`controlled`). */
    controlled: overSaved(saved, changes, change =>
      setEdited(now => {
        const next = change(now?.changes ?? null)
        return next && { base: now?.base ?? saved, changes: next }
      }),
    ),
    overtaken: edited ? overtakenIn(saved, edited) : [],
    /** Keeps the edits over what somebody else has saved. */
    keep: () => setEdited(now => now && { ...now, base: saved }),
    /** Drops these edits, or all. */
    drop: (fields?: readonly (keyof T)[]) =>
      setEdited(now => {
        const left = Object.entries(now && fields ? now.changes : {}).filter(
          ([field]) => !fields?.includes(field as keyof T),
        )
        return now && left.length > 0 ? { base: saved, changes: Object.fromEntries(left) as Changes<T> } : null
      }),
    /** Notes that these edits are saved; those made meanwhile remain. */
    sent: (sent: Changes<T> | null) => setEdited(now => editedAfter(now, sent)),
  }
}
