/** The undo history of this device: the last 20 actions of one account, cleared when its session ends (docs/product/screens.md "Taking back"). */
import { useMemo, useSyncExternalStore } from 'react'
import { stored } from '../../ui/stored.ts'
import { uuid } from '../../ui/uuid.ts'

/** So many actions are kept. */
export const mostKept = 20

/** An action: its kind, the facts to name and undo it (actions.ts), and its state. */
export type Done = {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
  readonly kind: string
  readonly facts: unknown
  readonly state: 'open' | 'undone' | 'refused'
  /** Why it can't be taken back. */
  readonly why?: string | undefined
}

type Kept = { readonly owner: string; readonly done: readonly Done[] }

// in the tab's memory, too: where storage is forbidden, the history lasts as long as the page
const store = stored('done')
let memory: Kept | null = null

const isDone = (value: unknown): value is Done =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'at' in value &&
  typeof value.at === 'number' &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  'state' in value

function read(): Kept | null {
  const value = store.read()
  if (typeof value !== 'object' || value === null) return store.text() === null ? memory : null
  const { owner, done } = value as Partial<Kept>
  return typeof owner === 'string' && Array.isArray(done) ? { owner, done: done.filter(isDone) } : null
}

function write(kept: Kept | null): void {
  memory = kept
  store.write(kept ?? undefined)
}

/** The actions of this account, newest first. Those of another account are never shown. */
export function doneBy(owner: string): readonly Done[] {
  const kept = read()
  return kept?.owner === owner ? kept.done : []
}

/** Stores an action of an account, and drops those of any other. Returns its id. */
export function remember(owner: string, kind: string, facts: unknown, now = Date.now()): string {
  const done: Done = { id: uuid(), at: now, kind, facts, state: 'open' }
  write({ owner, done: [done, ...doneBy(owner)].slice(0, mostKept) })
  return done.id
}

/** Records the result of undoing an action. */
export function settle(owner: string, id: string, state: 'undone' | 'refused', why?: string): void {
  const done = doneBy(owner)
  if (done.some(action => action.id === id))
    write({ owner, done: done.map(action => (action.id === id ? { ...action, state, why } : action)) })
}

/** Forgets everything: the session is over. */
export const forgetDone = (): void => write(null)

const snapshot = () => store.text() ?? String(memory?.done.length ?? 0)

/** The actions of this account, newest first; the same in every tab. */
export function useDone(owner: string): readonly Done[] {
  const text = useSyncExternalStore(store.listen, snapshot, snapshot)
  // oxlint-disable-next-line react/exhaustive-deps -- the text stands for what is read
  return useMemo(() => doneBy(owner), [owner, text])
}
