/**
 * The records of scans that a device keeps until the server has answered them, by kind (docs/product/warehouse.md "Scans"). Loads and picks are no records: the gate and the
 * walk of a wave send them at once, and wait for the answer (`scanWork.ts`).
 */
import type { Answer } from '#contract/call.ts'
import type { Counted } from '#contract/counts.ts'
import type { tyres } from '#contract/tyres.ts'
import type { OperationTyre } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import type { HandStep } from '#domain/tyres/wheel.ts'
import { uuid } from '../ui/uuid.ts'

/**
 * `open`: a place that is still being counted. `waiting` to be sent; `marked` by the server; `refused` by it; `noted`: nothing to send,
 * only shown.
 */
type RecordState = 'open' | 'waiting' | 'marked' | 'refused' | 'noted'

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
type ScannedOperation = { _id: number; companyname: string; services: readonly number[]; tyres: number }

/** Tyres of one vehicle that go to a place together. */
export type TyreGroup = { plate: string | null; tyres: readonly number[] }
/** A scanned place with the tyres for it, and the tyres scanned earlier that have no place yet. */
export type ScannedPlace = TyreGroup & { location: number; rack: string | null; rest?: readonly TyreGroup[] }
/** How many tyres a full place still takes, out of how many. */
export type Room = { free: number; needed: number }

type Facts = {
  /** A uuid made by this device: what is sent twice is applied once. */
  scanId: string
  /** Whose queue it is in: the site and the account. */
  owner: string
  /** When it was scanned, by this device's clock, in ms. */
  at: number
  type: OfferedType
  state: RecordState
  tyreId: number | null
  /** The second number of the label; `null` when picked by hand. */
  ticsId: number | null
  tyre: OperationTyre | null
  operation: ScannedOperation | null
  /** The tyre's owner and place, as the server knows them, when no operation of this type has it. */
  known?: Answer<typeof tyres.find>[number]
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

type Kinds = {
  /**
   * A label. `unchecked`: scanned while the list of operations was not there yet; the server's answer decides. `misplaced`: a place that can't be
   * taken. Only those of tyres are sent.
   */
  scan: {
    outcome: 'found' | 'unchecked' | 'duplicate' | 'other_site' | 'missing' | 'unreadable' | 'misplaced'
  }
  /** A place for the tyres that were scanned before it. */
  place: { outcome: 'location'; place: ScannedPlace }
  /** A step with wheels in hand, such as one that is missing, from their card. */
  step: { outcome: 'stepped'; step: { step: HandStep; tyres: readonly number[] } }
  /** A place with everything that was scanned on it. */
  count: { outcome: 'counted'; counted: CountedPlace }
}
export type Kind = keyof Kinds
export type RecordOf<K extends Kind> = { [P in K]: Facts & { kind: P } & Kinds[P] }[K]
export type ScanRecord = RecordOf<Kind>
export type ScanOutcome = ScanRecord['outcome']

/** The facts of a new record: its kind with its content, and those that differ from an empty record. */
export type NewRecord = { [K in Kind]: { kind: K } & Kinds[K] & Partial<Facts> }[Kind]

/** A record of this moment, which waits to be sent unless its facts say otherwise. `site` is the number of the site. */
export const newRecord = ({ owner, site }: { owner: string; site: number }, facts: NewRecord): ScanRecord => ({
  scanId: uuid(),
  owner,
  at: Date.now(),
  type: 'to_stock',
  state: 'waiting',
  tyreId: null,
  ticsId: site,
  tyre: null,
  operation: null,
  reason: null,
  ...facts,
})

/** A record as a version without kinds kept it. */
type UnkindedRecord = Facts & { outcome: ScanOutcome; place?: unknown; step?: unknown; counted?: unknown }

/** A record of the disk, which this version or one before it has written. */
export function readRecord(stored: ScanRecord | UnkindedRecord): ScanRecord {
  if ('kind' in stored) return stored
  const kind = stored.place ? 'place' : stored.counted ? 'count' : stored.step ? 'step' : 'scan'
  return { ...stored, kind } as ScanRecord
}

/** The place that a record is about, `null` where it is about none. */
export const placeOf = (record: ScanRecord): ScannedPlace | null => (record.kind === 'place' ? record.place : null)

/** Whether the server's answer to a record is here: it has marked it, or refused it. */
export const isAnswered = ({ state }: ScanRecord): boolean => state === 'marked' || state === 'refused'

/**
 * A scan as the server's answer leaves it. When the tyre was found here and another device had registered it, both
 * warehousemen believe they hold it: its card says so. That the other scan is the younger one, because this one waited
 * for a network, makes no difference. A scan that is only sent again finds itself registered, at its own moment.
 */
function markedScan(scan: RecordOf<'scan'>, tyre: OperationTyre | undefined): RecordOf<'scan'> {
  if (!tyre) return { ...scan, state: 'refused', reason: { kind: 'gone' } }
  const marked = { ...scan, state: 'marked', tyre } as const
  const { scanTimes, scanRegisteredAt: since } = tyre
  const others = scanTimes > 1 && since !== null && Date.parse(since) !== scan.at
  if (!others || scan.outcome === 'duplicate') return marked
  return { ...marked, outcome: 'duplicate', reason: { kind: 'conflict', since } }
}

/** Scans as the answer to their batch leaves them: the tyres that were marked; the others are in no submitted operation. */
export function markedScans(
  scans: readonly RecordOf<'scan'>[],
  marked: readonly OperationTyre[],
): readonly RecordOf<'scan'>[] {
  const answers = new Map(marked.map(tyre => [tyre.db_id, tyre]))
  return scans.map(scan => markedScan(scan, answers.get(scan.tyreId ?? 0)))
}
