/**
 * The scans of one account at one site on this device, from the scanner's beep until the server has said what became of
 * them (docs/product/warehouse.md "Intake", docs/product/warehouse.md "Scans"). A scan is kept before anything else happens to it; it
 * carries an id and a time made here, so that sending it twice applies it once. Nothing but the server's answer, or its
 * refusal of that very scan, takes it out of the queue: no reload, crash, lost network or expired session.
 */
import type { OperationTyre } from '#contract/wire.ts'
import { keptScans, type ScanStore } from './keptScans.ts'
import { isAnswered, type ScanRecord } from './records.ts'
import { batchSize, type SendProblem, type SendResult } from './sending.ts'

type QueueState = {
  /** Every scan that is kept, newest first. */
  history: readonly ScanRecord[]
  /** Those of them that wait, oldest first: they are sent in the order in which they were scanned. */
  waiting: readonly ScanRecord[]
  sending: boolean
  problem: SendProblem | null
  /** This device refuses to keep scans; they last only until this page is closed. */
  notPersisted: boolean
  /** The scans of earlier visits have been read. */
  loaded: boolean
}

/** How many handled scans stay readable. Waiting and refused ones always stay. */
const historyLimit = 200

export type QueueParts = {
  owner: string
  store: ScanStore
  /** Sends records of one kind and type as one request. Never throws. */
  send(batch: readonly ScanRecord[]): Promise<SendResult>
  /** Runs one at a time among all tabs of this browser. */
  alone(name: string, job: () => Promise<void>): Promise<void>
  /** Tells the other tabs to read the store again. */
  tell(): void
  /** Called with every answer, for other views of those tyres, before their scans stop waiting. */
  marked?(tyres: readonly OperationTyre[]): void
}

export type ScanQueue = ReturnType<typeof scanQueue>

const handledIn = (history: readonly ScanRecord[]) =>
  history.filter(({ state }) => state === 'marked' || state === 'noted')

/** The batches in which records of one type are sent: those of a kind that follow each other, up to the limit of one request. */
function batches(records: readonly ScanRecord[]): ScanRecord[][] {
  const all: ScanRecord[][] = []
  for (const record of records) {
    const batch = all.at(-1)
    if (batch?.[0]?.kind === record.kind && batch.length < batchSize[record.kind]) batch.push(record)
    else all.push([record])
  }
  return all
}

/** The queue over its parts. Nothing in it rejects: trouble is in the state, and the scans stay. */
export function scanQueue({ owner, store, send, alone: exclusive, tell, marked }: QueueParts) {
  const kept = keptScans({ owner, store, tell, onChange: publish })
  const listeners = new Set<() => void>()
  const answerListeners = new Set<(records: readonly ScanRecord[]) => void>()
  let sending: Promise<void> | null = null
  let problem: SendProblem | null = null
  let state: QueueState = { history: [], waiting: [], sending: false, problem, notPersisted: false, loaded: false }

  function publish(loaded = state.loaded) {
    const before = new Map(state.history.map(record => [record.scanId, record.state]))
    const wasLoaded = state.loaded
    const history = kept
      .all()
      .toReversed()
      .sort((a, b) => b.at - a.at)
    const waiting = history.filter(record => record.state === 'waiting').reverse()
    if (waiting.length === 0) problem = null
    state = { history, waiting, sending: sending !== null, problem, notPersisted: waiting.some(kept.isUnsaved), loaded }
    for (const listener of listeners) listener()
    const answered = history.filter(record => isAnswered(record) && before.get(record.scanId) !== record.state)
    if (wasLoaded && answered.length > 0) for (const listener of answerListeners) listener(answered)
  }

  const load = async () => {
    await kept.load()
    publish(true)
  }

  const sendBatch = async (batch: readonly ScanRecord[]): Promise<SendProblem | null> => {
    const sent = await send(batch)
    if (sent.kind === 'kept') return sent.problem
    if (sent.kind === 'answered') {
      // before they stop waiting: an operation whose scans neither wait nor count as marked loses its button to confirm
      if (sent.tyres) marked?.(sent.tyres)
      await kept.keep(sent.records)
      return null
    }
    // One unreadable scan must not hold up the others: halve until it is alone.
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2)
      return (await sendBatch(batch.slice(0, half))) ?? (await sendBatch(batch.slice(half)))
    }
    const { message, room } = sent
    const reason = { kind: 'refused', message, ...(room && { room }) } as const
    await kept.keep(batch.map(record => ({ ...record, state: 'refused', reason })))
    return null
  }

  /** Runs while no other tab sends: records that another tab has sent meanwhile no longer wait. */
  const sendAll = async () => {
    await load()
    const { waiting } = state
    for (const type of new Set(waiting.map(record => record.type))) {
      for (const batch of batches(waiting.filter(record => record.type === type))) {
        problem = await sendBatch(batch)
        if (problem) return
      }
    }
    await kept.remove(handledIn(state.history).slice(historyLimit))
  }

  return {
    owner,
    /** Calls the listener after every change, until the returned function is called. */
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Calls the listener with records that were answered since the queue was loaded, by any tab, newest first, until the returned function is called. */
    onAnswered(listener: (records: readonly ScanRecord[]) => void) {
      answerListeners.add(listener)
      return () => void answerListeners.delete(listener)
    },
    snapshot: () => state,
    load,

    /** Adds a scan; its card can be shown at once. Resolves when the device has kept it. */
    add: (record: ScanRecord): Promise<void> => kept.keep([record]),

    /** Changes a card that was only noted, such as a tyre that a fresh list turned out to hold, or a place that is being counted. */
    replace: (record: ScanRecord): Promise<void> => kept.keep([record]),

    /** Sends everything that waits, now. */
    send(): Promise<void> {
      sending ??= exclusive(`wheelhouse.scans.${owner}`, async () => {
        let more = true
        while (more) {
          await sendAll()
          more = problem === null && state.waiting.length > 0
        }
      })
        .catch(() => {
          problem = 'failed'
        })
        .finally(() => {
          sending = null
          publish()
        })
      publish()
      return sending
    },

    /** Takes cards off the history. Waiting scans stay, and so does a place that is being counted. */
    clear: (): Promise<void> => kept.remove(state.history.filter(({ state: at }) => at !== 'waiting' && at !== 'open')),

    /** Removes the cards of finished scans. Waiting scans, a place that is being counted, and refused scans stay. */
    forget: (): Promise<void> => kept.remove(handledIn(state.history)),
  }
}
