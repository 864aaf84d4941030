/**
 * Edits of a pending operation that the server does not have yet. Edits are saved at once, remarks and tachometer on leaving the field. Nothing is
 * lost: an edit stays until the server has taken it, one call at a time and in order; the device stores it meanwhile, so that it survives a reload.
 */
import { type EditableField, editableFields } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'

export type Edit = Partial<Pick<Operation, EditableField>>

export type EditState = {
  /** The edits that the server doesn't have yet, including a field that is still being typed in. */
  readonly unsaved: Edit
  readonly saving: boolean
  /** Why the last save failed; `null` after one that didn't. */
  readonly failed: unknown
  /** Whether something was saved since the card was opened. */
  readonly saved: boolean
}

/**
 * The inverse of a saved edit: the former values of the fields that it changed, and the values that they must still have. `null` when nothing
 * changed. A day follows its transport.
 */
export function editBack(before: Operation, saved: Operation, edit: Edit): { back: Edit; expected: Edit } | null {
  const sent = editableFields.filter(field => field in edit || (field === 'deliveryDate' && 'transport' in edit))
  const changed = sent.filter(field => JSON.stringify(before[field]) !== JSON.stringify(saved[field]))
  if (changed.length === 0) return null
  const only = (operation: Operation): Edit => Object.fromEntries(changed.map(field => [field, operation[field]]))
  return { back: only(before), expected: only(saved) }
}

type EditCallbacks = {
  /** Saves; rejects when the server did not take it. */
  send: (edit: Edit) => Promise<void>
  /** The fields that the server will not take after this refusal, such as a service that is blocked. */
  rejected: (refused: unknown) => readonly EditableField[]
  /** Stores unsaved edits on the device. */
  store: (unsaved: Edit) => void
}

export type Edits = ReturnType<typeof createEdits>

/** Resumes with `unsaved`, which the device stored. */
export function createEdits({ send, rejected, store }: EditCallbacks, unsaved: Edit = {}) {
  /** Being typed: not sent until the field is left. */
  let typed: Edit = {}
  let waiting: Edit = unsaved
  let running: Promise<void> | null = null
  let state: EditState = { unsaved, saving: false, failed: null, saved: false }
  const listeners = new Set<() => void>()

  function show(change: Partial<EditState> = {}) {
    state = { ...state, ...change, unsaved: { ...waiting, ...typed }, saving: running !== null }
    store(state.unsaved)
    for (const listener of listeners) listener()
  }

  /** Drops fields, but only while they still have the value that was sent: a later change is sent next. */
  function drop(sent: Edit, fields: readonly EditableField[]) {
    const left = { ...waiting }
    for (const field of fields) if (left[field] === sent[field]) delete left[field]
    waiting = left
  }

  const isEmpty = (edit: Edit) => Object.keys(edit).length === 0

  async function run() {
    while (!isEmpty(waiting)) {
      const sent = waiting
      try {
        await send(sent)
        drop(sent, Object.keys(sent) as EditableField[])
        show({ failed: null, saved: true })
      } catch (refused) {
        const before = waiting
        drop(sent, rejected(refused))
        // Without the rejected fields the server may take the rest; and a later change is worth a try.
        const changed =
          waiting !== sent && (Object.keys(waiting) as EditableField[]).some(field => waiting[field] !== sent[field])
        const dropped = Object.keys(waiting).length < Object.keys(before).length
        show({ failed: refused })
        if (!changed && !dropped) return
      }
    }
  }

  function save(): void {
    if (running || isEmpty(waiting)) return show()
    running = run().finally(() => {
      running = null
      show()
    })
    show()
  }

  return {
    now: () => state,
    listen(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A choice: taken over and saved at once. */
    change(edit: Edit) {
      waiting = { ...waiting, ...edit }
      save()
    },
    /** A field that is being typed in: taken over, saved when it is left. */
    type(edit: Edit) {
      typed = { ...typed, ...edit }
      show()
    },
    /** The field was left; without a field, all were (the screen goes away). `stored` is what the server has. */
    leave(stored: Edit, field?: EditableField) {
      const left = field ? [field] : (Object.keys(typed) as EditableField[])
      for (const name of left) {
        if (!(name in typed)) continue
        const value = typed[name]
        const { [name]: _, ...others } = typed
        typed = others
        if (value !== stored[name] || name in waiting) waiting = { ...waiting, [name]: value }
      }
      save()
    },
    /** Another try after a failure. */
    retry: save,
    /** Resolves when no save is under way. */
    async idle(): Promise<void> {
      if (!running) return
      await running
      return this.idle()
    },
    /** The server has everything, or there is nothing more to save to. */
    clear() {
      typed = {}
      waiting = {}
      show({ failed: null })
    },
  }
}
