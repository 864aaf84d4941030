import { useEffect, useSyncExternalStore } from 'react'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import type { FailureCode } from '#domain/failure.ts'
import { ask, invalidate, messageOf, Refused } from '../api.ts'
import { useWho } from '../session.ts'
import { useLatest } from '../../ui/hooks.ts'
import { notify } from '../../ui/notify.ts'
import { stored } from '../../ui/stored.ts'
import { type Edit, editable, type Edits, type Field, makeEdits } from './edits.ts'
import { showOperation } from './lists.ts'

/** What each refusal makes pointless to try again. Whatever is not named may succeed later: no network, a busy server. */
const hopeless: Partial<Record<FailureCode, readonly Field[]>> = {
  'record.missing': editable,
  'operation.step': editable,
  'operation.service_refused': ['services'],
  'operation.service_blocked': ['services'],
  'operation.parts_refused': ['withRims', 'withBolts', 'withHubcaps'],
  'operation.tachometer_refused': ['tachometer'],
  'delivery.transport_missing': ['transport'],
  'delivery.missing': ['deliveryDate'],
  'delivery.too_early': ['deliveryDate'],
  'delivery.too_late': ['deliveryDate'],
  'delivery.weekday': ['deliveryDate'],
  'delivery.day_full': ['deliveryDate'],
}

/** Edits outlive their card: somebody who goes elsewhere while a save is under way, or has failed, finds them again. */
const opened = new Map<string, Edits>()

function editsOf(username: string, id: number): Edits {
  const name = `${username}.operation.${id}`
  const before = opened.get(name)
  if (before) return before
  const kept = stored(`${name}.unsaved`)
  const edits = makeEdits(
    {
      send: async edit => {
        try {
          showOperation(await ask(operations.update, { operation: { _id: id, ...edit } }))
        } catch (refused) {
          // The operation is not what this page takes it for: somebody else was faster.
          if (refused instanceof Refused && (refused.status === 409 || refused.status === 404))
            void invalidate(operations.update.invalidates)
          // An expired session has its own toast.
          if (!(refused instanceof Refused && refused.status === 401))
            notify.error(messageOf(refused), { id: `unsaved-${id}` })
          throw refused
        }
      },
      hopeless: refused => (refused instanceof Refused && hopeless[refused.code as FailureCode]) || [],
      keep: unsaved => kept.write(Object.keys(unsaved).length > 0 ? unsaved : undefined),
    },
    takenUp(kept.read()),
  )
  opened.set(name, edits)
  return edits
}

/** What the device kept, as far as it is an edit: an older version of this page may have written it. */
function takenUp(kept: unknown): Edit {
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter(([field]) => (editable as readonly string[]).includes(field)))
}

/** A pending operation as the person has it, and how to change it: what is shown is what was typed, saved or not yet. */
export function useEdits(operation: Operation) {
  const { username } = useWho()
  const edits = editsOf(username, operation._id)
  const now = useSyncExternalStore(edits.listen, edits.now)
  const server = useLatest(operation)

  useEffect(() => {
    // What an earlier visit left unsaved.
    edits.retry()
    const leave = () => edits.leave(server.current)
    addEventListener('online', edits.retry)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('online', edits.retry)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [edits, server])

  return {
    shown: { ...operation, ...now.unsaved },
    now,
    change: edits.change,
    type: edits.type,
    leave: (field: Field) => edits.leave(operation, field),
    retry: edits.retry,
    /** Everything that the server doesn't have, once no save is under way. */
    async rest(): Promise<Edit> {
      await edits.quiet()
      return edits.now().unsaved
    },
    clear: edits.clear,
  }
}
export type EditsOfCard = ReturnType<typeof useEdits>
