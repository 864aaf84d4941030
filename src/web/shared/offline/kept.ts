/**
 * The answers that a device keeps so that the screens of the warehouse open without a network: of one account at a time, for as long
 * as an unused session lasts, and gone when the session ends (docs/decisions/0072).
 */
import { hashKey, type Query } from '@tanstack/react-query'
import type { AnswerName } from '#contract/call.ts'
import { type Profile, users } from '#contract/session.ts'
import { site } from '#contract/sites.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { stored } from '../../ui/stored.ts'
import { callOf, keyOf, queryClient } from '../api.ts'
import { type KeptAnswer, keptStore } from './keptStore.ts'
import { isTooOld, keptForMs, mostCards, toForget } from './rules.ts'

/** The calls whose answers are kept for screens that open without a network, and their input; `null`: any input. */
const keptInputs: ReadonlyMap<string | undefined, object | null> = new Map<
  AnswerName | typeof users.loginstate.name,
  object | null
>([
  [users.loginstate.name, {}],
  ['site.gsc', {}],
  ['site.tsconfigdata', {}],
  ['site.getvehicleconfigs', {}],
  ['operations.admin', { status: 'submitted' }],
  ['locations.all', {}],
  ['waves.all', {}],
  ['counts.all', {}],
  ['counts.next', {}],
  ['counts.places', null],
  ['wheels.tally', {}],
  ['cards.read', null],
])

function isKept({ queryKey }: Pick<Query, 'queryKey'>): boolean {
  const input = keptInputs.get(callOf({ queryKey }).name)
  return input === null || (input !== undefined && hashKey([input]) === hashKey([queryKey[1]]))
}

const isCard = (query: Pick<Query, 'queryKey'>): boolean => callOf(query).name === ('cards.read' satisfies AnswerName)

/** How answers are decoded by this build (vite.config.ts): one that was decoded in another way is not shown. */
const form = String(import.meta.env.ANSWER_FORM ?? '')

/** Whether this device keeps anything: so that other devices don't open a database to find it empty. */
const keepsAnything = stored('kept')

/** Answers that come together are written together, after this time in ms. */
const writeAfterMs = 1000
/** How often entries that are too old or too many are removed, in ms. */
const sweepEveryMs = 60_000

/** The owner of the answers kept here; `undefined` for none. */
let keeper: string | undefined
/** The session has ended: nothing is kept until the same account has signed in again. */
let hasEnded = false
const changed = new Set<string>()
/** The answers stored on the device, by the hash of their query: an unchanged answer is not written again. */
const written = new Map<string, unknown>()
const sizes = new Map<string, number>()
let pending = Promise.resolve()
let timer: ReturnType<typeof setTimeout> | undefined
let swept = 0

/** Runs in sequence; answers that the device can't store are dropped. */
const inTurn = (work: () => Promise<void>): Promise<void> => (pending = pending.then(work).catch(() => {}))

function noteChanged({ queryHash }: Query): void {
  changed.add(queryHash)
  timer ??= setTimeout(write, writeAfterMs)
}

/** Writes the changes. */
function write(): void {
  clearTimeout(timer)
  timer = undefined
  void inTurn(async () => {
    if (keeper === undefined || hasEnded || changed.size === 0) return
    const queries = [...changed].flatMap(hash => queryClient.getQueryCache().get(hash) ?? [])
    changed.clear()
    const answers = queries.flatMap(query => entryOf(query) ?? [])
    if (answers.length === 0) return
    keepsAnything.write(true)
    await keptStore.put({ username: keeper, answeredAt: Math.max(...answers.map(({ entry }) => entry.at)) }, answers)
    if (Date.now() - swept > sweepEveryMs) await sweep()
  })
}

function entryOf(query: Query) {
  const { queryKey, queryHash: key } = query
  const { data, dataUpdatedAt: at } = query.state
  if (data === undefined) return undefined
  const knownSize = sizes.get(key)
  const isSame = written.get(key) === data && knownSize !== undefined
  const text = isSame ? undefined : JSON.stringify(data)
  const size = text?.length ?? knownSize ?? 0
  written.set(key, data)
  sizes.set(key, size)
  const entry: KeptAnswer = { key, queryKey, form, card: isCard(query), at, size }
  return { entry, ...(text !== undefined && { text }) }
}

async function sweep(): Promise<void> {
  swept = Date.now()
  const gone = toForget(await keptStore.entries(), swept)
  for (const key of gone) written.delete(key)
  await keptStore.remove(gone)
  // beyond those that a device keeps, cards leave the memory of the page, too
  const idle = queryClient
    .getQueryCache()
    .findAll({ predicate: isCard, type: 'inactive' })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const { queryKey } of idle.slice(mostCards)) queryClient.removeQueries({ queryKey, exact: true })
}

/** Stores this account's answers from now on, and those it already has. */
export function keepAnswers(username: string): void {
  if (keeper === username) return
  keeper = username
  hasEnded = false
  stayInMemory()
  noteAll()
  addEventListener('pagehide', write)
  document.addEventListener('visibilitychange', write)
}

/** Keeps inactive queries in memory: a page without a network can't fetch them again. */
function stayInMemory(): void {
  for (const name of keptInputs.keys()) queryClient.setQueryDefaults([{ name }], { gcTime: keptForMs })
}

function noteAll(): void {
  for (const query of queryClient.getQueryCache().getAll()) if (isKept(query)) noteChanged(query)
}

/** Erases all that is kept here. Resolves when it is gone. */
export function forgetKept(): Promise<void> {
  hasEnded = true
  changed.clear()
  written.clear()
  sizes.clear()
  return inTurn(async () => {
    if (keepsAnything.read() === undefined) return
    await keptStore.clear()
    keepsAnything.write(undefined)
  })
}

/** Erases the answers of another account. */
const forgetOthers = (username: string) =>
  inTurn(async () => {
    if (keepsAnything.read() === undefined) return
    const owner = await keptStore.owner()
    if (!owner || owner.username === username) return
    await keptStore.clear()
    keepsAnything.write(undefined)
  })

/** Follows the session: nothing stays of one that has ended, or of another account. */
export function watchKept(): void {
  queryClient.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const { query } = event
    if (callOf(query).name === users.loginstate.name) return follow(query.state.data as Partial<Profile>)
    if (keeper !== undefined && !hasEnded && isKept(query)) noteChanged(query)
  })
}

function follow({ isAuthenticated, username }: Partial<Profile>): void {
  if (!isAuthenticated || username === undefined) return void forgetKept()
  void forgetOthers(username)
  if (keeper !== username) {
    keeper = undefined
    return
  }
  hasEnded = false
  noteAll()
}

export type KeptWho = { readonly session: Profile; readonly config: SiteConfig }

/** Restores the answers kept on this device, as of the time they were fetched. Returns their owner; `null` without any. */
export async function restoreKept(now: number): Promise<KeptWho | null> {
  if (keepsAnything.read() === undefined) return null
  const owner = await keptStore.owner().catch(() => undefined)
  if (!owner || isTooOld(owner.answeredAt, now)) {
    await forgetKept()
    return null
  }
  const entries = (await keptStore.entries()).filter(entry => entry.form === form)
  const gone = new Set(toForget(entries, now))
  // whose session it is, and which site, are as young as the last answer
  const usable = entries.filter(entry => !gone.has(entry.key) || isWhose(entry))
  const texts = await keptStore.texts(usable.map(({ key }) => key))
  stayInMemory()
  for (const [index, { queryKey, at }] of usable.entries()) {
    const text = texts[index]
    if (text !== undefined) queryClient.setQueryData(queryKey, JSON.parse(text), { updatedAt: at })
  }
  const session = queryClient.getQueryData<Profile>(keyOf(users.loginstate, {}))
  const config = queryClient.getQueryData<SiteConfig>(keyOf(site.gsc, {}))
  return session?.isAuthenticated && session.username === owner.username && config ? { session, config } : null
}

const isWhose = ({ queryKey }: Pick<Query, 'queryKey'>): boolean =>
  [users.loginstate.name, site.gsc.name].includes(callOf({ queryKey }).name ?? '')
