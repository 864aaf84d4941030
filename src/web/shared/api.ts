/** The typed client: it sends a call of the contract and returns its decoded answer, or throws `Refused`. */
import {
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { z } from 'zod'
import {
  type Answer,
  type AnswerName,
  type Call,
  type RawInput,
  unattendedHeader,
  accountHeader,
} from '#contract/call.ts'
import { users } from '#contract/session.ts'
import { signOn } from '#contract/signOn.ts'
import { site } from '#contract/sites.ts'
import type { Facts, FailureCode } from '#domain/failure.ts'
import { isShell, takePreloaded } from '../firstLoad.ts'
import { i18n, say } from '../i18n.ts'
import type { TextKey } from '../ui/texts.ts'
import { checkConnection } from './connection.ts'
import { multipart } from './multipart.ts'
import { isUnattended } from '../ui/attention.ts'
import { breakForPage } from '../ui/breakForPage.ts'
import { isPrerendering } from '../ui/prerendering.ts'
import { uuid } from '../ui/uuid.ts'
import type { ToastAction } from '../ui/actionToast.tsx'
import { notify, toastMs } from '../ui/notify.ts'
import { stored } from '../ui/stored.ts'

/** A call without an answer: refused by the server (`code`), or without a connection (`network`). */
export class Refused extends Error {
  readonly code: FailureCode | 'network' | 'unreadable'
  readonly params: Facts
  /** The HTTP status, 0 when there was no answer. */
  readonly status: number
  /** The id under which an operator finds the request in the log; empty when there was no answer. */
  readonly requestId: string
  constructor(
    code: Refused['code'],
    message: string,
    { params = {}, status = 0, requestId = '' }: { params?: Facts; status?: number; requestId?: string } = {},
  ) {
    super(message)
    this.name = 'Refused'
    this.code = code
    this.params = params
    this.status = status
    this.requestId = requestId
  }
}

/** Whether the record does not exist, or not for this account. */
export const isMissing = (error: unknown): boolean => error instanceof Refused && error.code === 'record.missing'

/** 4xx refusals that pass once the account has confirmed its identity, or another node answers again. */
const passing: ReadonlySet<Refused['code']> = new Set<FailureCode>([
  'session.stale',
  'signOn.unreachable',
  'label.printer_failed',
])

/**
 * Whether a retry may help: without an answer, when the portal is busy or failed, after signing in, and when the answer did not come from the
 * portal. A refusal that only another input, right or state can change is not retried.
 */
export const isWorthAnotherTry = (error: unknown): boolean =>
  !(error instanceof Refused) ||
  error.status === 0 ||
  error.status >= 500 ||
  error.status === 429 ||
  error.status === 401 ||
  error.code === 'unreadable' ||
  passing.has(error.code)

/** The fields of the input that a refusal is about, by their path, where it names them. */
export const fieldsIn = ({ params }: Refused): readonly string[] =>
  Array.isArray(params.fields) ? params.fields.map(String) : []

/** Whether a failed call may have been executed all the same: no answer came, or none that tells the outcome. */
export const mayBeDone = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status === 0 || error.code === 'unreadable' || error.code === 'server.unexpected'

/** The text of any error for a person: the server's message, else the error's own, else the general one. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : say('common:unknownError')
}

/** A request without an answer is given up after this many milliseconds: a dead network must not look like a slow one. */
const timeoutMs = 60_000

/** The URL of a call; the parameters of its path come from the input. */
function pathOf(call: Pick<Call, 'path'>, input: unknown): string {
  const parameters = (input ?? {}) as Record<string, unknown>
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
}

export type AskOptions = {
  /** An expired session is only logged, without going to the login screen. */
  muted?: boolean | undefined
  signal?: AbortSignal | undefined
  /** The idempotency key of a call that is repeated later; by default each input has a key of its own. */
  key?: string | undefined
  /** The call was made by a timer or the live stream, not by a user's action. */
  unattended?: boolean | undefined
  /** The username that the call is made for: refused with the session of another account, to which the cookie may belong by now. */
  account?: string | undefined
  /** Called with each chunk of the answer, and its headers. */
  onChunk?: ((chunk: string, headers: Headers) => void) | undefined
}

/** Makes a call. Throws `Refused`, and nothing else, when it is not answered as the contract says. */
export async function ask<C extends Call>(call: C, input: RawInput<C>, options: AskOptions = {}): Promise<Answer<C>> {
  const { response, body } = await send(call, input, options)
  if (!response.ok) {
    const refused = refusal(response.status, body)
    if (refused.code === 'session.stale' && (await confirmIdentity())) return ask(call, input, options)
    if (response.status === 401 && !signingIn.has(call.path)) {
      handleUnauthorized()
      expired(refused, options.muted === true)
    }
    throw refused
  }
  const answer = await decoded(call.output, body)
  if (!answer.success) throw new Refused('unreadable', say('common:unreadable'), { status: response.status })
  return answer.data as Answer<C>
}

/** Calls of a sign-in: their 401 means wrong credentials, not an expired session. */
const signingIn: ReadonlySet<string> = new Set(
  [
    users.authenticate,
    users.newpassword,
    users.factor,
    users.askpasskey,
    users.passkey,
    users.offer,
    users.enrolapp,
    users.enrolpasskey,
    signOn.finish,
  ].map(({ path }) => path),
)

/** How many rows are decoded in one piece: a fleet of 10,000 tyres must not freeze the page. */
const decodeBatch = 20

async function decoded(
  output: z.ZodType,
  body: unknown,
): Promise<{ success: true; data: unknown } | { success: false }> {
  await breakForPage()
  if (!(output instanceof z.ZodArray && Array.isArray(body))) return output.safeParse(body)
  const rows: unknown[] = []
  for (let from = 0; from < body.length; from += decodeBatch) {
    if (from > 0) await breakForPage()
    const part = output.safeParse(body.slice(from, from + decodeBatch))
    if (!part.success) return part
    rows.push(...part.data)
  }
  return { success: true, data: rows }
}

/** The id of this page, so that it ignores its own changes (live.ts). */
export const tab = uuid()

const keptDevice = stored('device')
/** This device, by an id that it keeps: the history of a wheel says on which one a step was taken. */
function device(): string {
  const kept = z.uuid().safeParse(keptDevice.read())
  if (kept.success) return kept.data
  const created = uuid()
  keptDevice.write(created)
  return created
}
let thisDevice: string | undefined

const keys = new WeakMap<object, string>()
/** The idempotency key of an input: the same when it is sent again (docs/promises.md "Repeated calls"). */
function keyFor(input: unknown): string {
  if (input === null || typeof input !== 'object') return uuid()
  const key = keys.get(input) ?? uuid()
  keys.set(input, key)
  return key
}

async function send(call: Call, input: unknown, { signal, onChunk, ...marks }: AskOptions) {
  const path = pathOf(call, input)
  const what = bodyOf(call, input, marks)
  const given = typeof what.body === 'string' ? takePreloaded(path, what.body) : undefined
  if (given !== undefined) return { response: { ok: true, status: 200 }, body: parsed(given) }
  const ending = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
  try {
    const response = await fetch(path, {
      method: call.method,
      credentials: 'include',
      ...what,
      signal: AbortSignal.any(ending),
    })
    if (response.status >= 502 && response.status <= 504) void checkConnection()
    const text = onChunk && response.ok ? await readChunks(response, onChunk) : await response.text()
    return { response, body: parsed(text) }
  } catch (cause) {
    if (signal?.aborted) throw cause
    void checkConnection()
    throw new Refused('network', say('common:network'))
  }
}

async function readChunks(response: Response, onChunk: NonNullable<AskOptions['onChunk']>): Promise<string> {
  const chunks: string[] = []
  const letters = new TextDecoder()
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const chunk = letters.decode(part.value, { stream: true })
    chunks.push(chunk)
    onChunk(chunk, response.headers)
  }
  return chunks.join('')
}

/** The input as JSON, or as a multipart form for calls with files; the browser sets the latter's content type. */
function bodyOf(
  call: Call,
  input: unknown,
  { key, unattended, account }: Pick<AskOptions, 'key' | 'unattended' | 'account'>,
): { headers: Record<string, string>; body?: string | FormData } {
  const headers = {
    accept: 'application/json',
    // the language of refusals without a session
    'accept-language': i18n.language,
    'wheelhouse-tab': tab,
    'wheelhouse-device': (thisDevice ??= device()),
    ...(unattended === true && { [unattendedHeader]: '1' }),
    ...(account !== undefined && { [accountHeader]: encodeURIComponent(account) }),
    ...(call.idempotent && { 'idempotency-key': key ?? keyFor(input) }),
  }
  if (call.method === 'GET') return { headers }
  if (call.files.length > 0) return { headers, body: multipart((input ?? {}) as Record<string, unknown>) }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input ?? {}) }
}

/** `undefined` for anything but JSON, such as the error page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(status: number, body: unknown): Refused {
  const { code, message, params, requestId } = (typeof body === 'object' && body ? body : {}) as Partial<Refused>
  return new Refused(
    code ?? (status >= 500 ? 'server.unexpected' : 'unreadable'),
    message ?? (status >= 502 ? say('common:network') : say('common:unknownError')),
    { params: params ?? {}, status, requestId: requestId ?? '' },
  )
}

/** Asks the user to confirm their identity; set by the portal. */
let confirmIdentity = async () => false
export function onStaleSession(confirm: () => Promise<boolean>) {
  confirmIdentity = confirm
}

/** Called when a call is refused because the session has ended, also where the screen stays; set by session.ts. */
let handleUnauthorized = () => {}
export function onUnauthorized(handler: () => void) {
  handleUnauthorized = handler
}

/** Called when the session has expired; set by session.ts. */
let handleExpired = () => {}
/** Called when an answer says so, 7.5 s before; set by the portal. */
let handleExpiring = () => {}
export function onSessionExpiring(handler: () => void): () => void {
  handleExpiring = handler
  return () => void (handleExpiring = () => {})
}
let expiryTimer: ReturnType<typeof setTimeout> | undefined
export function onSessionExpired(handler: () => void) {
  handleExpired = handler
}

/** A toast, and 7.5 s later the login screen. Once, even when many calls fail at the same time. */
function expired(refused: Refused, muted: boolean) {
  // oxlint-disable-next-line no-console -- in muted mode an expired session is only logged
  if (muted) return console.info(refused.message)
  if (expiryTimer !== undefined) return
  notify.error(say('common:unauthorized'))
  handleExpiring()
  expiryTimer = setTimeout(() => {
    expiryTimer = undefined
    handleExpired()
  }, toastMs)
}

/** The user signed in again before the 7.5 s were over. */
export function cancelExpiry() {
  clearTimeout(expiryTimer)
  expiryTimer = undefined
}

/** Refused before execution: even a call that is not idempotent can be retried. */
const isBusy = (error: unknown) => error instanceof Refused && error.code === 'server.busy'

const worthRetrying = (error: unknown) =>
  error instanceof Refused &&
  (error.code === 'network' || isBusy(error) || error.status === 502 || error.status === 503)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A screen without data shows its error state; one with old data reports that it is old.
    onError: (error, query) => {
      if (query.state.data === undefined || query.meta?.muted === true) return
      if (error instanceof Refused && error.status === 401) return
      // opened without a network: the bar above each screen says so, and each answer how old it is
      if (isShell && error instanceof Refused && error.code === 'network') return
      // the site's mode has changed: the available screens follow from its configuration
      if (error instanceof Refused && error.code === 'site.mode')
        return void queryClient.invalidateQueries({ predicate: other => callOf(other).name === site.gsc.name })
      notify.error(messageOf(error), { id: 'refresh-failed' })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // `always`: without a network a screen reports it instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && worthRetrying(error),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** The query key of an answer: the call and its input. */
export const keyOf = ({ name, path }: Pick<Call, 'name' | 'path'>, input: unknown) =>
  [{ name, path }, input ?? {}] as const

/** The call that a query is the answer to. */
export const callOf = ({ queryKey }: { queryKey: readonly unknown[] }): Partial<Pick<Call, 'name' | 'path'>> =>
  queryKey[0] as Pick<Call, 'name' | 'path'>

/** A call as a query, for `useQuery`, `prefetchQuery`, `getQueryData` alike. */
export function answerTo<C extends Call>(call: C, input: RawInput<C>, options: { muted?: boolean } = {}) {
  return queryOptions<Answer<C>, Refused, Answer<C>>({
    queryKey: keyOf(call, input),
    queryFn: ({ signal }) => ask(call, input, { ...options, signal, unattended: isUnattended() }),
    meta: { muted: options.muted === true },
  })
}

type AnswerOptions = {
  muted?: boolean
  enabled?: boolean
  staleTime?: number
  refetchInterval?: number | false | (() => number | false)
  keep?: boolean
  ahead?: boolean
}

/**
 * The cached answer to a call. With `keep` the previous answer is shown while another is fetched. `ahead`: no part of the screen shows
 * it yet, so a page that comes with its screen does not wait for it.
 */
export function useAnswer<C extends Call>(call: C, input: RawInput<C>, options: AnswerOptions = {}) {
  const { muted = false, keep, ahead = false, enabled = true, ...rest } = options
  return useQuery({
    ...answerTo(call, input, { muted }),
    ...rest,
    enabled: enabled && !(ahead && isPrerendering),
    ...(keep && { placeholderData: (previous: Answer<C> | undefined) => previous as never }),
  })
}

/** The answer to a call that a screen requires; the screen suspends until it is loaded. */
export function useSuspenseAnswer<C extends Call>(call: C, input: RawInput<C>): Answer<C> {
  return useSuspenseQuery(answerTo(call, input)).data as Answer<C>
}

/**
 * Refetches these answers where screens show them. A first answer on its way may have been read before the change: it is shown, and
 * asked for again.
 */
export function invalidate(answers: readonly AnswerName[]): Promise<void> {
  const predicate = (query: Query) => answers.includes(callOf(query).name as AnswerName)
  for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
    if (query.state.data === undefined) refetchAfterCurrent(query)
  return queryClient.invalidateQueries({ predicate })
}

/** Cancels the refetch of a removed record, whose 404 would be shown. */
export const cancelQuery = <C extends Call>(call: C, input: RawInput<C>): Promise<void> =>
  queryClient.cancelQueries({ queryKey: keyOf(call, input), exact: true })

/** Queries that are refetched after their current fetch. */
const pendingRefetch = new Set<Query>()

/**
 * Makes an answer stale. One that is on its way may have been read before the change, so it is asked for again when it is here;
 * cancelling it could leave a slow device without any answer.
 */
export function refetchAfterCurrent(query: Query): void {
  if (query.state.fetchStatus === 'idle')
    return void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
  if (pendingRefetch.has(query)) return
  pendingRefetch.add(query)
  afterCurrent(query, () => {
    pendingRefetch.delete(query)
    refetchAfterCurrent(query)
  })
}

/** Runs `work` once no answer to the query is on its way. */
export function afterCurrent(query: Query, work: () => void): void {
  if (query.state.fetchStatus === 'idle') return work()
  const again = () => afterCurrent(query, work)
  query.promise?.then(again, again)
}

/**
 * Changes cached answers of open screens, ahead of a new fetch. A fetch under way was started before the change and would revert it: it is cancelled
 * and started again, unless it is the first.
 */
export function updateCached<T>(matches: (query: Query) => boolean, change: (cached: T) => T): void {
  const fetching = queryClient.getQueryCache().findAll({ predicate: matches, fetchStatus: 'fetching' })
  void queryClient.cancelQueries({ predicate: query => matches(query) && query.state.data !== undefined })
  queryClient.setQueriesData<T>({ predicate: matches }, cached => cached && change(cached))
  for (const query of fetching) refetchAfterCurrent(query)
}

/** Shows an answer that came with a change. One that is on its way was made before it: see `updateCached`. */
export function setAnswer<C extends Call>(call: C, input: RawInput<C>, answer: Answer<C>): void {
  const queryKey = keyOf(call, input)
  const fetching = queryClient.getQueryCache().find({ queryKey, fetchStatus: 'fetching' })
  void queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, answer)
  if (fetching) refetchAfterCurrent(fetching)
}

type ToastTexts<C> = {
  /** Shown with a loading mark from the start. */
  doing?: TextKey
  /** The text that the loading toast turns into; without it, the toast disappears. */
  done?: TextKey | ((answer: Answer<C>) => string)
  /** Refusals that the screen shows itself: they raise no toast. */
  shown?: readonly FailureCode[]
  /** The subject of the toasts: a new one replaces the last of the same subject. Defaults to the call. */
  about?: string
  /** The action that the toast offers beside `done`, such as undo (undo/undo.ts). */
  offer?: ((answer: Answer<C>, input: RawInput<C>) => ToastAction | undefined) | undefined
}

/**
 * A call that changes something. Its progress toast becomes the success or error message; invalidated answers are
 * refetched, also after a refusal because of another state (409, 404): the screen was outdated.
 */
export function useCall<C extends Call>(
  call: C,
  { doing, done, shown = [], about = call.name, offer }: ToastTexts<C> = {},
) {
  return useMutation<Answer<C>, Refused, RawInput<C>, { toast: string | undefined }>({
    mutationKey: [call.name],
    mutationFn: input => ask(call, input),
    // without an answer, idempotent calls are retried
    retry: (count, error) => (call.idempotent || isBusy(error)) && count < 2 && worthRetrying(error),
    onMutate: () => ({ toast: doing && notify.doing(say(doing), { id: about }) }),
    onSuccess: (answer, input, { toast }) => {
      void invalidate(call.invalidates)
      const action = offer?.(answer, input)
      if (done) notify.success(typeof done === 'function' ? done(answer) : say(done), { id: about, action })
      else if (toast) notify.hide(toast)
    },
    onError: (error, _input, context) => {
      const toast = context?.toast
      if (error.status === 409 || error.status === 404) void invalidate(call.invalidates)
      // An expired session has its own toast.
      if (error.status === 401 || shown.includes(error.code as FailureCode))
        return toast ? notify.hide(toast) : undefined
      return notify.error(messageOf(error), { id: about })
    },
  })
}
