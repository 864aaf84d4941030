/** The scan queue of the signed-in account, connected to this browser: its disk, network, other tabs and clock. */
import type { OperationTyre } from '#contract/wire.ts'
import { invalidate } from '../shared/api.ts'
import { isPrerendering } from '../ui/prerendering.ts'
import { type ScanQueue, scanQueue } from './scanQueue.ts'
import { diskStore } from './scanStore.ts'
import { sendBatch, staleAnswers } from './sending.ts'

/** The scan timer counts to 10 seconds; then waiting scans are sent. */
export const sendIntervalS = 10

type Sender = {
  queue: ScanQueue
  /** The timer, 0 to 10. */
  seconds(): number
  subscribe(listener: () => void): () => void
}

const senders = new Map<string, Sender>()

/** The subject of scans: wheels on their way, or a stock count, whose places are not intake cards. */
export type Subject = 'scans' | 'counts'

/** The owner of scans: an account at a site. */
const ownerOf = (site: { site_number: number }, who: { username: string }, subject: Subject) =>
  `${site.site_number}/${who.username.toLowerCase()}${subject === 'counts' ? '/counts' : ''}`

/**
 * The sender of an account at a site; it goes on sending when its screen was left. Listeners of `onMarked` get every answer, and the answers that it
 * makes stale are fetched again. Sends when the timer reaches 10, when the network is back, and when somebody looks at the page again.
 */
export function scanSender(
  site: { site_number: number },
  who: { username: string },
  subject: Subject = 'scans',
): Sender {
  const owner = ownerOf(site, who, subject)
  const existing = senders.get(owner)
  if (existing) return existing
  const tabs = new BroadcastChannel('wheelhouse.scans')
  const queue = scanQueue({
    owner,
    store: diskStore(),
    send: batch => sendBatch(who.username, batch),
    alone: (name, job) => (navigator.locks ? navigator.locks.request(name, job) : job()),
    tell: () => tabs.postMessage(owner),
    marked: tyres => {
      for (const listener of markedListeners) listener(tyres)
    },
  })
  // a prerendered screen: there are no scans
  if (isPrerendering) return { queue, seconds: () => 0, subscribe: () => () => {} }
  queue.onAnswered(records => {
    const marked = records.filter(({ state }) => state === 'marked')
    if (marked.length > 0) void invalidate([...new Set(marked.flatMap(({ kind }) => staleAnswers[kind]))])
  })
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
