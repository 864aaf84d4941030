/**
 * The scans of one account at one site on this device, from the scanner's beep until the server has said what became of
 * them (docs/product/warehouse.md "Intake", docs/product/warehouse.md "Scans"). A scan is kept before anything else happens to it; it
 * carries an id and a time made here, so that sending it twice applies it once. Nothing but the server's answer, or its
 * refusal of that very scan, takes it out of the queue: no reload, crash, lost network or expired session.
 */
import type { Answer } from '#contract/call.ts'
import type { Counted } from '#contract/counts.ts'
import type { tyres } from '#contract/tyres.ts'
import type { OperationTyre } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import type { HandStep } from '#domain/tyres/wheel.ts'

/**
 * `unchecked`: scanned while the list of operations was not there yet; the server's answer decides. `location`: a place for
 * the tyres that were scanned before it; `misplaced`: a place that can't be taken. `stepped`: a step with a wheel in hand, from its card. `counted`:
 * a place with everything that was scanned on it.
 */
export type ScanOutcome =
  | 'found'
  | 'unchecked'
  | 'duplicate'
  | 'other_site'
  | 'missing'
  | 'unreadable'
  | 'location'
  | 'misplaced'
  | 'stepped'
  | 'counted'
/**
 * `open`: a place that is still being counted. `waiting` to be sent; `marked` by the server; `refused` by it; `noted`: nothing to send,
 * only shown.
 */
type ScanState = 'open' | 'waiting' | 'marked' | 'refused' | 'noted'

/** A label that was scanned at a count; without a tyre it could not be read. */
export type CountedLabel = { readonly tyre: number | null; readonly site: number | null }
/** A counted place, its count (`null`: one place at a time), and the server's answer. */
export type CountedPlace = {
  count: number | null
  location: number
  rack: string | null
  wheels: readonly CountedLabel[]
  result?: Counted
}

/** The operation shown on the card of a scan, kept with it so that it can still be read offline. */
export type ScannedOperation = { _id: number; companyname: string; services: readonly number[]; tyres: number }

/** Tyres of one vehicle that go to a place together. */
export type TyreGroup = { plate: string | null; tyres: readonly number[] }
/** A scanned place with the tyres for it, and the tyres scanned earlier that have no place yet. */
export type ScannedPlace = TyreGroup & { location: number; rack: string | null; rest?: readonly TyreGroup[] }
/** How many tyres a full place still takes, out of how many. */
type Room = { free: number; needed: number }
type KnownTyre = Answer<typeof tyres.find>[number]

export type ScanRecord = {
  scanId: string
  /** Whose queue it is in: the site and the account. */
  owner: string
  /** When it was scanned, by this device's clock, in ms. */
  at: number
  type: OfferedType
  outcome: ScanOutcome
  state: ScanState
  tyreId: number | null
  /** The second number of the label; `null` when picked by hand. */
  ticsId: number | null
  tyre: OperationTyre | null
  operation: ScannedOperation | null
  /** For a scanned place: its id, its name on the rack where that is known, and the tyres put there. */
  place?: ScannedPlace
  /** A step with wheels in hand, such as one that is missing. */
  step?: { step: HandStep; tyres: readonly number[] }
  counted?: CountedPlace
  /** The tyre's owner and place, as the server knows them, when no operation of this type has it. */
  known?: KnownTyre
  /**
   * Why the server refused it, in which other type of operation the tyre was found, or since when another user had scanned it; for a label that is
   * not ours, its text.
   */
  reason:
    | { kind: 'gone' }
    | { kind: 'refused'; message: string; room?: Room }
    | { kind: 'elsewhere'; type: OfferedType }
    | { kind: 'conflict'; since: string }
    | { kind: 'place'; why: 'type' | 'none' | 'unknown' }
    | { kind: 'read'; text: string }
    | null
}

/** Why scans are still here after they were tried: shown calmly, never thrown. */
export type SendProblem = 'offline' | 'signed_out' | 'other_account' | 'failed'

/** How one attempt to send a batch ended. */
export type SendResult =
  | { kind: 'marked'; tyres: readonly OperationTyre[] }
  /** The tyres of a scanned place go there. */
  | { kind: 'placed'; rack: string }
  /** The step was taken. */
  | { kind: 'stepped' }
  /** The result of counting a place. */
  | { kind: 'counted'; result: Counted }
  | { kind: 'kept'; problem: SendProblem }
  /** The server can't read this request and never will; of several scans, it is not known which one it means. */
  | { kind: 'invalid'; message: string; room?: Room }

/** Where scans are kept. `put` resolves when they survive the loss of power. */
export type ScanStore = {
  all(owner: string): Promise<ScanRecord[]>
  put(records: readonly ScanRecord[]): Promise<void>
  remove(scanIds: readonly string[]): Promise<void>
}

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

/** The most that one call takes (`operations.markscan`). */
export const batchSize = 500
/** How many handled scans stay readable. Waiting and refused ones always stay. */
const historyLimit = 200

export type QueueParts = {
  owner: string
  store: ScanStore
  /** Sends scans of one type: of tyres, or of one place. Never throws. */
  send(type: OfferedType, scans: readonly ScanRecord[]): Promise<SendResult>
  /** Runs one at a time among all tabs of this browser. */
  alone(name: string, job: () => Promise<void>): Promise<void>
  /** Tells the other tabs to read the store again. */
  tell(): void
  /** Called with every answer, for other views of those tyres, before their scans stop waiting. */
  marked?(tyres: readonly OperationTyre[]): void
}

export type ScanQueue = ReturnType<typeof scanQueue>

/**
 * A scan as the server's answer leaves it. When the tyre was found here and another device had registered it, both
 * warehousemen believe they hold it: its card says so. That the other scan is the younger one, because this one waited
 * for a network, makes no difference. A scan that is only sent again finds itself registered, at its own moment.
 */
function answered(record: ScanRecord, tyre: OperationTyre | undefined): ScanRecord {
  if (!tyre) return { ...record, state: 'refused', reason: { kind: 'gone' } }
  const marked: ScanRecord = { ...record, state: 'marked', tyre }
  const { scanTimes, scanRegisteredAt: since } = tyre
  const others = scanTimes > 1 && since !== null && Date.parse(since) !== record.at
  if (!others || record.outcome === 'duplicate') return marked
  return { ...marked, outcome: 'duplicate', reason: { kind: 'conflict', since } }
}

const handledIn = (history: readonly ScanRecord[]) =>
  history.filter(({ state }) => state === 'marked' || state === 'noted')

const goesAlone = (scan: ScanRecord | undefined) =>
  scan?.place !== undefined || scan?.step !== undefined || scan?.counted !== undefined

/** The batches in which scans are sent: tyres together up to the limit of one call; a place, a step or a count on its own, after its tyres. */
function batches(scans: readonly ScanRecord[]): ScanRecord[][] {
  const all: ScanRecord[][] = []
  for (const scan of scans) {
    const batch = all.at(-1)
    if (!batch || goesAlone(scan) || goesAlone(batch[0]) || batch.length === batchSize) all.push([scan])
    else batch.push(scan)
  }
  return all
}

export function scanQueue({ owner, store, send, alone: exclusive, tell: notifyTabs, marked }: QueueParts) {
  const records = new Map<string, ScanRecord>()
  const unsaved = new Set<string>()
  const listeners = new Set<() => void>()
  /** The ids that changed here while the store was being read, for each read under way: newer than its result. */
  const readings = new Set<Set<string>>()
  const unwritten = new Map<string, ScanRecord>()
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  let sending: Promise<void> | null = null
  let problem: SendProblem | null = null
  let loaded = false
  let state: QueueState = { history: [], waiting: [], sending: false, problem, notPersisted: false, loaded }

  const publish = () => {
    const history = [...records.values()].reverse().sort((a, b) => b.at - a.at)
    const waiting = history.filter(record => record.state === 'waiting').reverse()
    if (waiting.length === 0) problem = null
    const notPersisted = waiting.some(record => unsaved.has(record.scanId))
    state = { history, waiting, sending: sending !== null, problem, notPersisted, loaded }
    for (const listener of listeners) listener()
  }

  const markTouched = (scanIds: readonly string[]) => {
    for (const reading of readings) for (const scanId of scanIds) reading.add(scanId)
  }

  /** Writes the changes since the last write began. Records that can't be stored stay in memory and are sent all the same. */
  const write = async () => {
    const changed = [...unwritten.values()]
    unwritten.clear()
    try {
      await store.put(changed)
      for (const { scanId } of changed) unsaved.delete(scanId)
      notifyTabs()
    } catch {
      for (const { scanId } of changed) unsaved.add(scanId)
    }
    publish()
  }

  /**
   * Stores records. A write can take longer than the interval between scans: records that arrive during one write go into the next, so that at most
   * one is pending.
   */
  const keep = (changed: readonly ScanRecord[]): Promise<void> => {
    markTouched(changed.map(record => record.scanId))
    for (const record of changed) {
      records.set(record.scanId, record)
      unwritten.set(record.scanId, record)
    }
    publish()
    next ??= (async () => {
      await writing
      next = null
      writing = write()
      await writing
    })()
    return next
  }

  const remove = async (scanIds: readonly string[]) => {
    if (scanIds.length === 0) return
    markTouched(scanIds)
    for (const scanId of scanIds) {
      records.delete(scanId)
      unwritten.delete(scanId)
      unsaved.delete(scanId)
    }
    publish()
    await store.remove(scanIds).catch(() => {})
    notifyTabs()
  }

  /** Loads the store: at the start of this tab, and after changes by other tabs. */
  const load = async () => {
    const newer = new Set<string>()
    readings.add(newer)
    await (next ?? writing)
    const stored = await store.all(owner).catch(() => null)
    readings.delete(newer)
    loaded = true
    if (stored) {
      const mine = (scanId: string) => newer.has(scanId) || unsaved.has(scanId)
      const there = new Set(stored.map(record => record.scanId))
      for (const scanId of records.keys()) if (!there.has(scanId) && !mine(scanId)) records.delete(scanId)
      for (const record of stored) if (!mine(record.scanId)) records.set(record.scanId, record)
    }
    publish()
  }

  const sendBatch = async (type: OfferedType, batch: readonly ScanRecord[]): Promise<SendProblem | null> => {
    const sent = await send(type, batch)
    if (sent.kind === 'kept') return sent.problem
    if (sent.kind === 'marked') {
      const answers = new Map(sent.tyres.map(tyre => [tyre.db_id, tyre]))
      // before they stop waiting: an operation whose scans neither wait nor count as marked loses its button to confirm
      marked?.(sent.tyres)
      await keep(batch.map(record => answered(record, answers.get(record.tyreId ?? 0))))
      return null
    }
    if (sent.kind === 'stepped') {
      await keep(batch.map(record => ({ ...record, state: 'marked' })))
      return null
    }
    if (sent.kind === 'counted') {
      const { result } = sent
      await keep(
        batch.map(record => ({
          ...record,
          state: 'marked',
          ...(record.counted && { counted: { ...record.counted, result } }),
        })),
      )
      return null
    }
    if (sent.kind === 'placed') {
      await keep(
        batch.map(record => ({
          ...record,
          state: 'marked',
          ...(record.place && { place: { ...record.place, rack: sent.rack } }),
        })),
      )
      return null
    }
    // One unreadable scan must not hold up the others: halve until it is alone.
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2)
      return (await sendBatch(type, batch.slice(0, half))) ?? (await sendBatch(type, batch.slice(half)))
    }
    const { message, room } = sent
    await keep(
      batch.map(record => ({
        ...record,
        state: 'refused',
        reason: { kind: 'refused', message, ...(room && { room }) },
      })),
    )
    return null
  }

  /** Runs while no other tab sends: records that another tab has sent meanwhile no longer wait. */
  const sendAll = async () => {
    await load()
    const { waiting } = state
    for (const type of new Set(waiting.map(record => record.type))) {
      for (const batch of batches(waiting.filter(record => record.type === type))) {
        problem = await sendBatch(type, batch)
        if (problem) return
      }
    }
    await remove(
      handledIn(state.history)
        .slice(historyLimit)
        .map(record => record.scanId),
    )
  }

  return {
    owner,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot: () => state,
    load,

    /** Adds a scan; its card can be shown at once. Resolves when the device has kept it. */
    add: (record: ScanRecord): Promise<void> => keep([record]),

    /** Changes a card that was only noted, such as a tyre that a fresh list turned out to hold, or a place that is being counted. */
    replace: (record: ScanRecord): Promise<void> => keep([record]),

    /** Sends everything that waits, now. Never rejects: trouble is in the state, and the scans stay. */
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
    clear: (): Promise<void> =>
      remove(state.history.filter(({ state: at }) => at !== 'waiting' && at !== 'open').map(record => record.scanId)),

    /** Removes the cards of finished scans. Waiting scans, a place that is being counted, and refused scans stay. */
    forget: (): Promise<void> => remove(handledIn(state.history).map(record => record.scanId)),
  }
}
