import { useEffect, useSyncExternalStore } from 'react'
import { type EditableField, editableFields, operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import type { FailureCode } from '#domain/failure.ts'
import { ask, invalidate, messageOf, Refused } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { useLatest } from '../ui/hooks.ts'
import { notify } from '../ui/notify.ts'
import { stored } from '../ui/stored.ts'
import { remember, useDone } from '../shared/undo/history.ts'
import { type Edit, editBack, type Edits, createEdits } from './edits.ts'
import { listedOperation, showOperation } from '../shared/operationLists.ts'

/** The fields that each refusal rejects for good. Anything not listed may succeed later: no network, a busy server. */
const rejectedBy: Partial<Record<FailureCode, readonly EditableField[]>> = {
  'record.missing': editableFields,
  'operation.step': editableFields,
  'operation.service_refused': ['services'],
  'operation.service_blocked': ['services'],
  'operation.parts_refused': ['withRims', 'withBolts', 'withHubcaps'],
  'operation.tachometer_refused': ['tachometer'],
  'delivery.transport_missing': ['transport'],
  'arrival.missing': ['deliveryDate'],
  'arrival.too_early': ['deliveryDate'],
  'arrival.too_late': ['deliveryDate'],
  'arrival.weekday': ['deliveryDate'],
  'arrival.day_full': ['deliveryDate'],
  'delivery.missing': ['deliveryDate'],
  'delivery.too_early': ['deliveryDate'],
  'delivery.too_late': ['deliveryDate'],
  'delivery.weekday': ['deliveryDate'],
  'delivery.closed': ['deliveryDate'],
  'delivery.day_full': ['deliveryDate'],
}

/** Edits outlive their card: users who leave while a save is under way, or has failed, find them again. */
const opened = new Map<string, Edits>()

function editsOf(username: string, id: number): Edits {
  const name = `${username}.operation.${id}`
  const before = opened.get(name)
  if (before) return before
  const device = stored(`${name}.unsaved`)
  const edits = createEdits(
    {
      send: async edit => {
        try {
          const before = listedOperation(id)
          const saved = await ask(operations.update, { operation: { _id: id, ...edit } })
          showOperation(saved)
          const undone = before && editBack(before, saved, edit)
          if (undone)
            lastEdit.set(
              name,
              remember(username, 'edit', { _id: id, plate: saved.vehicle.license_plate, type: saved.type, ...undone }),
            )
        } catch (refused) {
          // The operation has changed meanwhile: another user was faster.
          if (refused instanceof Refused && (refused.status === 409 || refused.status === 404))
            void invalidate(operations.update.invalidates)
          // An expired session has its own toast.
          if (!(refused instanceof Refused && refused.status === 401))
            notify.error(messageOf(refused), { id: `unsaved-${id}` })
          throw refused
        }
      },
      rejected: refused => (refused instanceof Refused && rejectedBy[refused.code as FailureCode]) || [],
      store: unsaved => device.write(Object.keys(unsaved).length > 0 ? unsaved : undefined),
    },
    editIn(device.read()),
  )
  opened.set(name, edits)
  return edits
}

/** By the name of a card: the undo action of its last save. */
const lastEdit = new Map<string, string>()

/** The edit stored on the device, without fields unknown to this version of the page. */
function editIn(value: unknown): Edit {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(([field]) => (editableFields as readonly string[]).includes(field)),
  )
}

/** A pending operation as edited, and how to edit it: typed values show whether they are saved or not. */
export function useEdits(operation: Operation) {
  const { username } = useWho()
  const edits = editsOf(username, operation._id)
  const now = useSyncExternalStore(edits.listen, edits.now, edits.now)
  const server = useLatest(operation)
  const done = useDone(username)
  const last = lastEdit.get(`${username}.operation.${operation._id}`)
  const canUndo = done.some(action => action.id === last && action.state === 'open')

  useEffect(() => {
    // Edits that an earlier visit left unsaved.
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
    leave: (field: EditableField) => edits.leave(operation, field),
    retry: edits.retry,
    /** The undo action of the last save, while it is available. */
    last: canUndo && last !== undefined ? last : null,
    /** Everything that the server doesn't have, once no save is under way. */
    async unsaved(): Promise<Edit> {
      await edits.idle()
      return edits.now().unsaved
    },
    clear: edits.clear,
  }
}
export type EditsOfCard = ReturnType<typeof useEdits>
