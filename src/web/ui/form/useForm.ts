/** The state of a form: its values, their errors, and whether it is being sent. */
import { type ChangeEvent, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useLatest } from '../hooks.ts'
import { changesOf, type Changes, withChanges } from './changes.ts'
import { draftOf, dropDraft, formName, noteTyped, textsIn } from './drafts.ts'
import type { DialogControls } from './formDialog.tsx'
import { wrongField } from '../wrongField.ts'
import { type Loss, lossOf } from './loss.ts'
import { type PathTo, valueAt, withValueAt } from './path.ts'

/** Messages by the path of their field, in the language of the page. */
export type FieldMessages = Readonly<Record<string, string | undefined>>

export type FormOptions<V> = {
  /** The initial values. */
  initial: V
  /** Keeps the values in the caller's state instead: for a draft that changes in other ways, too. */
  controlled?: { values: V; dirty: boolean; change: (next: (now: V) => V) => void } | undefined
  /** The errors that prevent sending these values. Called while rendering. */
  errors?: ((values: V) => FieldMessages) | undefined
  /** Whether a field shows its error once it was left; else it does after a failed submission. All do by default. */
  errorsOnBlur?: ((path: string, values: V) => boolean) | undefined
  /** Errors that show during typing. */
  liveErrors?: ((values: V) => FieldMessages) | undefined
  /** Messages that don't prevent sending, such as the server's last refusal. They show first. */
  notices?: ((values: V) => FieldMessages) | undefined
  /** Handles a failed submission; returns whether it did. */
  onFailure?: ((error: unknown) => boolean) | undefined
  /** The dialog around the form: it asks before it closes over something typed. */
  dialog?: DialogControls | undefined
  /** Puts the focus on the first invalid field in another way. */
  focusInvalid?: ((form: HTMLFormElement) => void) | undefined
  /** All of it is secret: nothing of it is kept when the session ends. */
  secret?: boolean | undefined
  /** The input that would be lost; by default, the values that differ. */
  loss?: ((values: V, initial: V) => Loss) | undefined
}

type Typed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>
type Ticked = ChangeEvent<HTMLInputElement>

/** Input typed into a form when the session ended, to be taken over or not. */
export type KeptInput = { readonly texts: readonly string[]; use(): void; discard(): void }

/** A form of values `V`. Its methods `text`, `number`, `choice`, `date` and `flag` give the properties of a field. */
export type Form<V> = {
  readonly values: V
  readonly initial: V
  /** Whether anything differs from the initial values. */
  readonly dirty: boolean
  /** The errors that prevent sending, visible or not. */
  readonly errors: FieldMessages
  readonly valid: boolean
  /** Whether a submission failed on errors. */
  readonly tried: boolean
  readonly busy: boolean
  readonly ref: RefObject<HTMLFormElement | null>
  readonly kept: KeptInput | null
  /** The message that a field shows. */
  error(path: string): string | undefined
  set(change: Partial<V> | ((now: V) => Partial<V>)): void
  /** Notes that a field was left. */
  leave(path: string): void
  /** Resets which fields were left, and that a submission was tried. */
  forgive(): void
  text(path: PathTo<V, string>): TextField
  number(path: PathTo<V, number | string | null>): NumberField
  choice(path: PathTo<V, string | null>): ChoiceField
  date(path: PathTo<V, string | null>): ChoiceField
  flag(path: PathTo<V, boolean>): FlagField
  /** Puts the focus on the first invalid field. */
  focusInvalid(): void
  /** Sends the values if they are valid, unless that is under way. */
  submit(send: () => unknown, event?: FormEvent): void
}

type TextField = {
  value: string
  onChange: (event: Typed) => void
  onBlur: () => void
  error: string | undefined
  autoComplete: string
}
type NumberField = {
  value: number | string
  onChange: (value: number | string) => void
  onBlur: () => void
  error: string | undefined
}
type ChoiceField = {
  value: string | null
  onChange: (value: string | null) => void
  onBlur: () => void
  error: string | undefined
}
type FlagField = { checked: boolean; onChange: (event: Ticked) => void }

const noMessages = (): FieldMessages => ({})

/** The messages that there are; of two at one field, the later one. */
export const messagesIn = (...all: readonly FieldMessages[]): Record<string, string> =>
  Object.fromEntries(
    all.flatMap(messages =>
      Object.entries(messages).flatMap(([path, message]) => (message === undefined ? [] : [[path, message] as const])),
    ),
  )

function focusFirstInvalid(form: HTMLFormElement) {
  form.querySelector<HTMLElement>('[aria-invalid="true"], [data-error][tabindex], [data-invalid-part]')?.focus()
}

export function useForm<V extends object>({
  initial: given,
  controlled,
  errors: errorsOf = noMessages,
  liveErrors: liveErrorsOf = noMessages,
  errorsOnBlur = () => true,
  notices: noticesOf = noMessages,
  onFailure,
  dialog,
  focusInvalid = focusFirstInvalid,
  secret = false,
  loss: lossIn = (now, before) => lossOf(before, now),
}: FormOptions<V>): Form<V> {
  const [initial] = useState(given)
  const [own, setOwn] = useState(initial)
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [refocus, setRefocus] = useState(0)
  const running = useRef(false)
  const ref = useRef<HTMLFormElement>(null)

  const values = controlled ? controlled.values : own
  const change = controlled ? controlled.change : setOwn
  const loss = lossIn(values, initial)
  const dirty = controlled ? controlled.dirty : loss !== 'nothing'
  const hidden = errorsOf(values)
  const live = liveErrorsOf(values)
  const notices = noticesOf(values)
  const errors = messagesIn(hidden, live)
  const valid = Object.keys(errors).length === 0

  const [name] = useState(() => formName(initial))
  const [draft, setDraft] = useState(() => (secret ? null : draftOf(name)))
  const typed = useLatest(() => ({ form: name, changes: changesOf(initial, values) }))
  useEffect(() => (dirty && !secret ? noteTyped(() => typed.current()) : undefined), [dirty, secret, typed])
  const endDraft = () => {
    dropDraft(name)
    setDraft(null)
  }
  const kept = draft && {
    texts: textsIn(draft.changes),
    use() {
      change(now => withChanges(now, draft.changes as Changes<V>))
      endDraft()
    },
    discard: endDraft,
  }

  const setLoss = dialog?.setLoss
  useEffect(() => setLoss?.(loss), [loss, setLoss])
  const focus = () => ref.current && focusInvalid(ref.current)
  useEffect(() => {
    if (refocus > 0) focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once per attempt, when its errors are drawn
  }, [refocus])

  const error = (path: string) =>
    notices[path] ?? live[path] ?? (tried || (left.has(path) && errorsOnBlur(path, values)) ? hidden[path] : undefined)
  const put = (path: string, value: unknown) => change(now => withValueAt(now, path, value))
  const leave = (path: string) => setLeft(now => (now.has(path) ? now : new Set(now).add(path)))
  const bound = (path: string) => ({ onBlur: () => leave(path), error: error(path) })

  function showErrors() {
    setTried(true)
    setRefocus(now => now + 1)
  }
  async function send(how: () => unknown) {
    if (running.current) return
    // rejected input of a field is in no value
    if (!valid || wrongField(ref.current)) return showErrors()
    running.current = true
    setBusy(true)
    try {
      await how()
      setTried(false)
      // input that was not taken over is settled, too
      endDraft()
    } catch (failure) {
      if (!onFailure?.(failure)) throw failure
      showErrors()
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    values,
    initial,
    dirty,
    errors,
    valid,
    tried,
    busy,
    ref,
    kept,
    error,
    set: some => change(now => ({ ...now, ...(typeof some === 'function' ? some(now) : some) })),
    leave,
    forgive() {
      setTried(false)
      setLeft(new Set())
    },
    text: path => ({
      ...bound(path),
      value: valueAt(values, path) as string,
      onChange: event => put(path, event.currentTarget.value),
      autoComplete: 'off',
    }),
    number: path => ({
      ...bound(path),
      value: (valueAt(values, path) as number | string | null) ?? '',
      onChange: value => put(path, value),
    }),
    choice: path => ({
      ...bound(path),
      value: valueAt(values, path) as string | null,
      // One of the list is always chosen.
      onChange: value => value !== null && put(path, value),
    }),
    date: path => ({
      ...bound(path),
      value: valueAt(values, path) as string | null,
      onChange: value => put(path, value),
    }),
    flag: path => ({
      checked: valueAt(values, path) as boolean,
      onChange: event => put(path, event.currentTarget.checked),
    }),
    focusInvalid: focus,
    submit(how, event) {
      event?.preventDefault()
      // React hands the submit of a dialog on to the form that the dialog was opened from.
      event?.stopPropagation()
      void send(how)
    },
  }
}
