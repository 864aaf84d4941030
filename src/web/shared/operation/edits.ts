/**
 * What a person changes in a pending operation before the server has it (SPEC §4: edits are saved at once, remarks and
 * tachometer on leaving the field). Nothing is lost: an edit stays until the server has taken it, one call at a time and in
 * the order in which they were made; it is kept on the device meanwhile, so that a reload brings it back.
 */
import type { Operation } from '#contract/wire.ts'

export const editable = [
  'services',
  'transport',
  'deliveryDate',
  'remarks',
  'withRims',
  'withBolts',
  'withHubcaps',
  'tachometer',
] as const satisfies readonly (keyof Operation)[]
export type Field = (typeof editable)[number]
export type Edit = Partial<Pick<Operation, Field>>

export type EditsNow = {
  /** What the server doesn't have yet, with what is still being typed. */
  readonly unsaved: Edit
  readonly saving: boolean
  /** Why the last save failed; `null` after one that didn't. */
  readonly failed: unknown
  /** Whether something was saved since the card was opened. */
  readonly saved: boolean
}

type Outside = {
  /** Saves; rejects when the server did not take it. */
  send: (edit: Edit) => Promise<void>
  /** The fields that this refusal makes pointless to try again, such as a service that is blocked. */
  hopeless: (refused: unknown) => readonly Field[]
  /** Keeps what is unsaved on the device. */
  keep: (unsaved: Edit) => void
}

export type Edits = ReturnType<typeof makeEdits>

/** Takes up where `unsaved` (kept by the device) was left. */
export function makeEdits({ send, hopeless, keep }: Outside, unsaved: Edit = {}) {
  /** Still in the hands of the person: not sent until the field is left. */
  let typed: Edit = {}
  let waiting: Edit = unsaved
  let running: Promise<void> | null = null
  let state: EditsNow = { unsaved, saving: false, failed: null, saved: false }
  const listeners = new Set<() => void>()

  function show(change: Partial<EditsNow> = {}) {
    state = { ...state, ...change, unsaved: { ...waiting, ...typed }, saving: running !== null }
    keep(state.unsaved)
    for (const heard of listeners) heard()
  }

  /** Drops fields, but only while they still hold what was sent: what was changed meanwhile is sent next. */
  function drop(sent: Edit, fields: readonly Field[]) {
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
        drop(sent, Object.keys(sent) as Field[])
        show({ failed: null, saved: true })
      } catch (refused) {
        const before = waiting
        drop(sent, hopeless(refused))
        // Without what it can never take, the server may take the rest; and what was changed meanwhile is worth a try.
        const another =
          waiting !== sent && (Object.keys(waiting) as Field[]).some(field => waiting[field] !== sent[field])
        const less = Object.keys(waiting).length < Object.keys(before).length
        show({ failed: refused })
        if (!another && !less) return
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
    listen(heard: () => void) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
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
    leave(stored: Edit, field?: Field) {
      const left = field ? [field] : (Object.keys(typed) as Field[])
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
    /** When no save is under way. */
    async quiet(): Promise<void> {
      if (!running) return
      await running
      return this.quiet()
    },
    /** The server has everything, or there is nothing more to save to. */
    clear() {
      typed = {}
      waiting = {}
      show({ failed: null })
    },
  }
}
