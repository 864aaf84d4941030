/** The scan queue of the signed-in account, connected to this browser: its disk, network, other tabs and clock. */
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { users } from '#contract/session.ts'
import { wheels } from '#contract/wheels.ts'
import type { OperationTyre } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { ask, Refused } from '../shared/api.ts'
import { forgetKept } from '../shared/offline/kept.ts'
import { type CountedPlace, type ScanQueue, scanQueue, type ScanRecord, type SendResult } from './scanQueue.ts'
import { diskStore } from './scanStore.ts'
import { isPrerendering } from '../ui/prerendering.ts'

/** The scan timer counts to 10 seconds; then waiting scans are sent. */
export const sendIntervalS = 10
/** An answer that takes longer is not waited for: the scans stay and are sent again, which changes nothing. */
const sendTimeoutMs = 20_000

type Sender = {
  queue: ScanQueue
  /** The timer, 0 to 10. */
  seconds(): number
  subscribe(listener: () => void): () => void
}

const senders = new Map<string, Sender>()

/** The subject of scans: wheels on their way, or a stock count, whose places are not intake cards. */
type Kind = 'scans' | 'counts'

/** The owner of scans: an account at a site. */
const ownerOf = (site: { site_number: number }, who: { username: string }, kind: Kind = 'scans') =>
  `${site.site_number}/${who.username.toLowerCase()}${kind === 'counts' ? '/counts' : ''}`

/**
 * The sender of an account at a site; it goes on sending when its screen was left. Listeners of `onMarked` get every answer.
 * Sends when the timer reaches 10, when the network is back, and when somebody looks at the page again.
 */
export function scanSender(site: { site_number: number }, who: { username: string }, kind?: Kind): Sender {
  const owner = ownerOf(site, who, kind)
  const existing = senders.get(owner)
  if (existing) return existing
  const tabs = new BroadcastChannel('wheelhouse.scans')
  const queue = scanQueue({
    owner,
    store: diskStore(),
    send: (type, scans) => sendBatch(who, type, scans),
    alone: (name, job) => (navigator.locks ? navigator.locks.request(name, job) : job()),
    tell: () => tabs.postMessage(owner),
    marked: tyres => {
      for (const listener of markedListeners) listener(tyres)
    },
  })
  // a prerendered screen: there are no scans
  if (isPrerendering) return { queue, seconds: () => 0, subscribe: () => () => {} }
  let reading: ReturnType<typeof setTimeout> | undefined
  tabs.addEventListener('message', ({ data }) => {
    if (data !== owner) return
    // Another tab may scan at a scanner's pace: its changes are read together.
    clearTimeout(reading)
    reading = setTimeout(() => void queue.load(), 150)
  })

  let seconds = 0
  const listeners = new Set<() => void>()
  const sendWaiting = () => {
    if (queue.snapshot().waiting.length > 0) void queue.send()
  }
  setInterval(() => {
    seconds = seconds === sendIntervalS ? 0 : seconds + 1
    if (seconds === sendIntervalS) sendWaiting()
    for (const listener of listeners) listener()
  }, 1000)
  addEventListener('online', sendWaiting)
  addEventListener('focus', sendWaiting)
  document.addEventListener('visibilitychange', sendWaiting)
  void queue.load().then(sendWaiting)

  const sender: Sender = {
    queue,
    seconds: () => seconds,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  senders.set(owner, sender)
  return sender
}

/** Removes finished scans from the device: after sign-out only those that wait to be sent, or were refused, remain. */
export async function forgetHandled(): Promise<void> {
  await Promise.all([...senders.values()].map(({ queue }) => queue.forget()))
}

const markedListeners = new Set<(tyres: readonly OperationTyre[]) => void>()
/** Calls `listener` with the tyres of every answer to a scan, until the returned function is called. */
export function onMarked(listener: (tyres: readonly OperationTyre[]) => void): () => void {
  markedListeners.add(listener)
  return () => void markedListeners.delete(listener)
}

/** Refusals that no retry changes: a request that can't be read, a place that is full or gone. */
const refusals: ReadonlySet<string> = new Set([
  'request.invalid',
  'request.too_large',
  'request.too_much',
  'record.missing',
  'tyre.status_refused',
  'wheel.step',
  'count.other_place',
])

const mutedRequest = () => ({ muted: true, signal: AbortSignal.timeout(sendTimeoutMs) })

/** One call of `/operations/markscan`, for a place of `/locations/move`, for a step of `/wheels/step`, for a count of `/counts/place`, in words of the queue. Asks first whose session this is: tabs share their cookie. */
async function sendBatch(
  who: { username: string },
  type: OfferedType,
  scans: readonly ScanRecord[],
): Promise<SendResult> {
  try {
    const session = await ask(users.loginstate, {}, mutedRequest())
    if (!session.isAuthenticated) {
      void forgetKept()
      return { kind: 'kept', problem: 'signed_out' }
    }
    if (session.username !== who.username) return { kind: 'kept', problem: 'other_account' }
    const [first] = scans
    if (first?.place) {
      const { scanId, ticsId, at: timestamp, place } = first
      const input = { tyres: [...place.tyres], location: place.location, ticsId, scanId, timestamp }
      return { kind: 'placed', rack: (await ask(locations.move, input, mutedRequest())).stock_rack }
    }
    if (first?.counted) return { kind: 'counted', result: await sendCount(first, first.counted) }
    if (first?.step) {
      const { step, tyres } = first.step
      await ask(wheels.step, { step, tyres: [...tyres] }, { ...mutedRequest(), key: first.scanId })
      return { kind: 'stepped' }
    }
    const tyres = scans.flatMap(({ tyreId, ticsId, at, scanId }) =>
      tyreId === null ? [] : [{ tyreId, ticsId, timestamp: at, scanId }],
    )
    return { kind: 'marked', tyres: await ask(operations.markscan, { tyres, type }, mutedRequest()) }
  } catch (error) {
    if (!(error instanceof Refused) || error.code === 'network') return { kind: 'kept', problem: 'offline' }
    if (error.status === 401) return { kind: 'kept', problem: 'signed_out' }
    if (error.code === 'location.full') {
      const { free, needed } = error.params
      return { kind: 'invalid', message: error.message, room: { free: Number(free), needed: Number(needed) } }
    }
    if (refusals.has(error.code)) return { kind: 'invalid', message: error.message }
    return { kind: 'kept', problem: error.status >= 502 ? 'offline' : 'failed' }
  }
}

const sendCount = ({ scanId, ticsId, at: timestamp }: ScanRecord, { count, location, wheels: scanned }: CountedPlace) =>
  ask(
    counts.place,
    {
      count,
      location,
      ticsId,
      scanId,
      timestamp,
      wheels: scanned.map(({ tyre, site }) => ({ ...(tyre !== null && { db_id: tyre }), ticsId: site })),
    },
    mutedRequest(),
  )
