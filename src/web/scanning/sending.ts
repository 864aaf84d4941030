/** The request of each kind of record, and the record as its answer leaves it. */
import type { AnswerName, Call } from '#contract/call.ts'
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { wheels } from '#contract/wheels.ts'
import type { OperationTyre } from '#contract/wire.ts'
import { ask, type AskOptions, Refused } from '../shared/api.ts'
import { type Kind, markedScans, type RecordOf, type Room, type ScanRecord } from './records.ts'

/** Why scans are still here after they were tried: shown calmly, never thrown. */
export type SendProblem = 'offline' | 'signed_out' | 'other_account' | 'failed'

/** How one attempt to send a batch ended. */
export type SendResult =
  /** The records as the answer leaves them, and the tyres that it has marked as scanned. */
  | { kind: 'answered'; records: readonly ScanRecord[]; tyres?: readonly OperationTyre[] }
  | { kind: 'kept'; problem: SendProblem }
  /** The server can't read this request and never will; of several scans, it is not known which one it means. */
  | { kind: 'invalid'; message: string; room?: Room }

/** How many records of a kind go in one request (`operations.markscan`). The others go one by one, after the scans made before them. */
export const batchSize = { scan: 500, place: 1, step: 1, count: 1 } as const satisfies Record<Kind, number>

type Answered = Omit<Extract<SendResult, { kind: 'answered' }>, 'kind'>
type Requests = {
  readonly [K in Kind]: (record: RecordOf<K>, batch: readonly RecordOf<K>[], options: AskOptions) => Promise<Answered>
}

const requests: Requests = {
  async scan({ type }, scans, options) {
    const input = scans.flatMap(({ tyreId, ticsId, at, scanId }) =>
      tyreId === null ? [] : [{ tyreId, ticsId, timestamp: at, scanId }],
    )
    const tyres = await ask(operations.markscan, { tyres: input, type }, options)
    return { records: markedScans(scans, tyres), tyres }
  },
  async place(record, _, options) {
    const { scanId, ticsId, at: timestamp, place } = record
    const input = { tyres: [...place.tyres], location: place.location, ticsId, scanId, timestamp }
    const { stock_rack: rack } = await ask(locations.move, input, options)
    return { records: [{ ...record, state: 'marked', place: { ...place, rack } }] }
  },
  async step(record, _, options) {
    const { step, tyres } = record.step
    await ask(wheels.step, { step, tyres: [...tyres] }, { ...options, key: record.scanId })
    return { records: [{ ...record, state: 'marked' }] }
  },
  async count(record, _, options) {
    const { scanId, ticsId, at: timestamp, counted } = record
    const { count, location } = counted
    const labels = counted.wheels.map(({ tyre, site }) => ({ ...(tyre !== null && { db_id: tyre }), ticsId: site }))
    const result = await ask(counts.place, { count, location, ticsId, scanId, timestamp, wheels: labels }, options)
    return { records: [{ ...record, state: 'marked', counted: { ...counted, result } }] }
  },
}

/** Without the submitted operations, which are not asked for again: the tyres of each answer replace theirs. */
const staleAfter = ({ invalidates }: Pick<Call, 'invalidates'>, ...others: readonly AnswerName[]) =>
  [...invalidates, ...others].filter(name => name !== operations.admin.name)
/** The answers that are stale once a record of this kind is marked. */
export const staleAnswers: Readonly<Record<Kind, readonly AnswerName[]>> = {
  scan: staleAfter(operations.markscan, 'wheels.clearup', 'wheels.tally'),
  place: staleAfter(locations.move, 'wheels.tally', 'fleet.fetch'),
  step: staleAfter(wheels.step, 'locations.all', 'fleet.fetch'),
  count: staleAfter(counts.place, 'counts.next'),
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

/** An answer that takes longer is not waited for: the scans stay and are sent again, which changes nothing. */
const timeoutMs = 20_000

/**
 * Sends records of one kind and type as one request, for this account: tabs share their cookie, and the server refuses the request when another account
 * has signed in since. Never throws.
 */
export async function sendBatch(account: string, batch: readonly ScanRecord[]): Promise<SendResult> {
  const [first] = batch
  if (!first) return { kind: 'answered', records: [] }
  const options = { muted: true, account, signal: AbortSignal.timeout(timeoutMs) }
  // the records of a batch are of the kind of the first
  const request = requests[first.kind] as Requests['scan']
  try {
    return { kind: 'answered', ...(await request(first as RecordOf<'scan'>, batch as RecordOf<'scan'>[], options)) }
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): SendResult {
  if (!(error instanceof Refused) || error.code === 'network') return { kind: 'kept', problem: 'offline' }
  if (error.status === 401) return { kind: 'kept', problem: 'signed_out' }
  if (error.code === 'session.other_account') return { kind: 'kept', problem: 'other_account' }
  if (error.code === 'location.full') {
    const { free, needed } = error.params
    return { kind: 'invalid', message: error.message, room: { free: Number(free), needed: Number(needed) } }
  }
  if (refusals.has(error.code)) return { kind: 'invalid', message: error.message }
  return { kind: 'kept', problem: error.status >= 502 ? 'offline' : 'failed' }
}
