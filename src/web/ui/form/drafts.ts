/**
 * Input typed into forms when the session ended, kept on this device for the same account (docs/product/accounts.md "Sessions"). Never a secret
 * or a bank account.
 */
import { isSecretField } from '#domain/people/secretField.ts'
import { stored } from '../stored.ts'
import { isPrerendering } from '../prerendering.ts'

/** For how long it is offered again, in ms. */
export const draftKeptMs = 3 * 86_400_000

export type Draft = { readonly at: number; readonly changes: object }
/** By account, then by form. */
type Drafts = Record<string, Record<string, Draft>>
type OpenForm = () => { readonly form: string; readonly changes: object | null }

const kept = stored('drafts')
const openForms = new Set<OpenForm>()
let whose = (): { readonly account: string; readonly context: string } | null => null

/** Says who types here, and for whom; set by the session. */
export function typedBy(from: typeof whose): void {
  whose = from
}

/** A form over these fields at this address. */
export function formName(fields: object): string {
  if (isPrerendering) return ''
  const id = new URLSearchParams(location.search).get('id') ?? ''
  return [whose()?.context ?? '', location.pathname, id, ...Object.keys(fields).sort()].join(' ')
}

/** Notes a form with something typed, as long as it has. Returns how to stop. */
export function noteTyped(form: OpenForm): () => void {
  openForms.add(form)
  return () => void openForms.delete(form)
}
/** Whether any form has something typed that is not saved. */
export const isAnythingTyped = (): boolean => openForms.size > 0

/** Only what JSON carries as it is, no file; and nothing that is secret. */
function keepable(changes: object): object {
  return JSON.parse(
    JSON.stringify(changes, (field, value: unknown) =>
      isSecretField(field) || value instanceof Blob ? undefined : value,
    ),
  ) as object
}

function read(now: number): Drafts {
  const all = (kept.read() ?? {}) as Drafts
  const young = Object.entries(all).map(([account, forms]) => [
    account,
    Object.fromEntries(Object.entries(forms).filter(([, { at }]) => now - at < draftKeptMs)),
  ])
  return Object.fromEntries(young) as Drafts
}

/** Nothing is left on the device for accounts of which nothing is kept. */
function write(all: Drafts): void {
  const some = Object.entries(all).filter(([, forms]) => Object.keys(forms).length > 0)
  kept.write(some.length > 0 ? Object.fromEntries(some) : undefined)
}

/** Keeps what all open forms hold. */
export function keepDrafts(now = Date.now()): void {
  const account = whose()?.account
  if (account === undefined) return
  const typed = [...openForms].flatMap(open => {
    const { form, changes } = open()
    const rest = changes && keepable(changes)
    return rest && textsIn(rest).length > 0 ? [[form, { at: now, changes: rest }] as const] : []
  })
  if (typed.length === 0) return
  const all = read(now)
  write({ ...all, [account]: { ...all[account], ...Object.fromEntries(typed) } })
}

/** The account's draft of this form when its session ended. */
export function draftOf(form: string, now = Date.now()): Draft | null {
  const account = isPrerendering ? undefined : whose()?.account
  return account === undefined ? null : (read(now)[account]?.[form] ?? null)
}

/** Whether the account has anything to take over. */
export const hasDrafts = (now = Date.now()): boolean => Object.keys(read(now)[whose()?.account ?? ''] ?? {}).length > 0

/** Forgets the draft of a form: it was taken over, discarded, or the form is saved. */
export function dropDraft(form: string, now = Date.now()): void {
  const account = whose()?.account ?? ''
  const all = read(now)
  if (!all[account]?.[form]) return
  const { [form]: _, ...rest } = all[account]
  write({ ...all, [account]: rest })
}

/** Erases all that is kept for the account: it signs out. */
export function eraseDrafts(now = Date.now()): void {
  const { [whose()?.account ?? '']: _, ...others } = read(now)
  write(others)
}

/** The texts that somebody would recognise a draft by. */
export const textsIn = (changes: unknown): string[] => {
  if (typeof changes === 'string') return changes.trim() === '' ? [] : [changes.trim()]
  if (typeof changes === 'number') return [String(changes)]
  if (typeof changes === 'boolean') return ['✓']
  return typeof changes === 'object' && changes !== null ? Object.values(changes).flatMap(textsIn) : []
}
