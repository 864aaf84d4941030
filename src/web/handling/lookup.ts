/** The submitted operations of a site, as the desk sorts them and as a scan finds a tyre in them. */
import type { Operation, OperationTyre } from '#contract/wire.ts'
import { comparePositions } from '#domain/vehicles/axle.ts'
import type { Scan as Label } from '#domain/warehouse/barcode.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { freeAt, isCarrier, type LocationKind, type Totals } from '#domain/warehouse/location.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { isOfferedType, type OfferedType, statusAfter } from '#domain/tyres/tyre.ts'
import { placeOf, type RecordOf, type ScanRecord, type TyreGroup } from '../scanning/records.ts'

export type IndexedTyre = { operation: Operation; tyre: OperationTyre }
/** Every tyre of the submitted operations by its number. A tyre is in at most one. */
export type TyreIndex = ReadonlyMap<number, IndexedTyre>

export function tyreIndex(operations: readonly Operation[]): TyreIndex {
  return new Map(
    operations.flatMap(operation => operation.tyres.map(tyre => [tyre.db_id, { operation, tyre }] as const)),
  )
}

/** A tyre of an operation with the operation, as a record of its scan keeps them. */
export const scannedFacts = ({ tyre, operation }: IndexedTyre): Pick<ScanRecord, 'tyre' | 'operation'> => ({
  tyre,
  operation: {
    _id: operation._id,
    companyname: operation.user.companyname,
    services: operation.services,
    tyres: operation.tyres.length,
  },
})

export type ScanResult = {
  outcome: 'found' | 'duplicate' | 'other_site' | 'missing'
  entry: IndexedTyre | null
  /** The tyre is in a submitted operation of this other type. */
  elsewhere: OfferedType | null
}

/** The outcome of scanning a tyre of the chosen type: `duplicate` when it was scanned before, on this or another device. */
export const outcomeOf = ({ tyre }: IndexedTyre, waiting: ReadonlySet<number>): 'found' | 'duplicate' =>
  tyre.scanned || waiting.has(tyre.db_id) ? 'duplicate' : 'found'

/**
 * Classifies a scanned label for the chosen type (docs/product/warehouse.md "Intake"). `site` is the number of our site; `waiting` holds the tyres whose scan
 * is still to be sent.
 */
export function classifyScan(
  label: Label,
  { type, site, index, waiting }: { type: OfferedType; site: number; index: TyreIndex; waiting: ReadonlySet<number> },
): ScanResult {
  if (label.site !== site) return { outcome: 'other_site', entry: null, elsewhere: null }
  const entry = index.get(label.tyre)
  if (!entry) return { outcome: 'missing', entry: null, elsewhere: null }
  const actualType = entry.operation.type
  if (actualType !== type)
    return { outcome: 'missing', entry, elsewhere: isOfferedType(actualType) ? actualType : null }
  return { outcome: outcomeOf(entry, waiting), entry, elsewhere: null }
}

/** How long a tyre that was not found is looked for in lists that come later, in ms. */
const retryWindowMs = 60_000

type LateScan = { record: RecordOf<'scan'>; entry: IndexedTyre; outcome: 'found' | 'duplicate' }

/**
 * Scans of tyres that were in no list when they were made, and are in this one, oldest first. Of several scans of a tyre the first
 * counts; the others are duplicates, as they would have been with the list.
 */
export function lateScans(
  history: readonly ScanRecord[],
  { index, now }: { index: TyreIndex; now: number },
): LateScan[] {
  const isLate = ({ outcome, state, at }: ScanRecord) =>
    outcome === 'unchecked'
      ? state === 'waiting' || state === 'noted'
      : outcome === 'missing' && now - at < retryWindowMs
  const waiting = history.filter(record => record.state === 'waiting' && !isLate(record))
  const counted = new Set(waiting.flatMap(({ tyreId }) => tyreId ?? []))
  return history.toReversed().flatMap(record => {
    const entry = record.tyreId === null ? undefined : index.get(record.tyreId)
    if (record.kind !== 'scan' || !entry || entry.operation.type !== record.type || !isLate(record)) return []
    // without a list a scan is noted only beside one that waits, which may have been sent by now
    const again = counted.has(entry.tyre.db_id) || (record.outcome === 'unchecked' && record.state === 'noted')
    counted.add(entry.tyre.db_id)
    return { record, entry, outcome: again ? 'duplicate' : 'found' }
  })
}

/** As many tyres as one call puts on a place (`locations.move`). */
const placedAtOnce = 200

/**
 * The tyres that a scanned place is for: those of the operation that was scanned last, as far back as the place before. `rest` are
 * those of other operations that were scanned since; the next place is for them when nothing is scanned in between.
 */
export function tyresToPlace(history: readonly ScanRecord[]): TyreGroup & { rest: readonly TyreGroup[] } {
  const since = history.findIndex(({ outcome, state }) => outcome === 'location' && state !== 'refused')
  const lastPlace = history[since] ? placeOf(history[since]) : null
  const scanned = history
    .slice(0, since < 0 ? history.length : since)
    .filter(
      ({ type, tyreId, state, outcome }) =>
        type === 'to_stock' &&
        tyreId !== null &&
        state !== 'refused' &&
        (outcome === 'found' || outcome === 'unchecked' || outcome === 'duplicate'),
    )
  const byOperation = Map.groupBy(scanned, ({ operation }) => operation?._id ?? null)
  const groups = [...byOperation.values()].map(scans => ({
    tyres: [...new Set(scans.flatMap(({ tyreId }) => tyreId ?? []))].slice(0, placedAtOnce),
    plate: scans[0]?.tyre?.license_plate ?? null,
  }))
  const [first, ...rest] = groups.length > 0 ? groups : (lastPlace?.rest ?? [])
  return { ...(first ?? { tyres: [], plate: null }), rest }
}

type Room = Omit<Totals, 'places'>

/** Why put-away proposes no place for a tyre: there are no places, all are full, or the free ones are too small or too weak. */
export function whyNoPlace(places: readonly (Room & { kind: LocationKind })[]): 'none' | 'full' | 'unfit' {
  const toStay = places.filter(({ kind, capacity }) => !isCarrier(kind) && capacity > 0)
  if (toStay.length === 0) return 'none'
  return toStay.some(place => freeAt(place) > 0) ? 'unfit' : 'full'
}

/** The places nearest to one on the walk through the warehouse that take this many tyres. */
export function nearestWithRoom<P extends Room & { _id: number; walk: number }>(
  places: readonly P[],
  { from, needed, most }: { from: number; needed: number; most: number },
): P[] {
  const here = places.find(({ _id }) => _id === from)
  if (!here) return []
  return places
    .filter(place => place._id !== from && freeAt(place) >= needed)
    .toSorted((a, b) => Math.abs(a.walk - here.walk) - Math.abs(b.walk - here.walk) || a.walk - b.walk)
    .slice(0, most)
}

/** How far an operation is: tyres that are scanned, here or on the server, out of all. */
export function progress(operation: Operation, waiting: ReadonlySet<number>) {
  const scanned = operation.tyres.filter(tyre => tyre.scanned || waiting.has(tyre.db_id)).length
  return { scanned, total: operation.tyres.length, full: scanned === operation.tyres.length }
}

/**
 * The operation that the card of a scan is about, as it stands now, and how many of its tyres are scanned. The number on
 * another site's label says nothing of our tyre that happens to have it.
 */
export function operationOfScan(
  { index, waiting }: { index: TyreIndex; waiting: ReadonlySet<number> },
  { outcome, tyreId }: Pick<ScanRecord, 'outcome' | 'tyreId'>,
): { operation: Operation | undefined; scanned: number } {
  const operation = tyreId === null || outcome === 'other_site' ? undefined : index.get(tyreId)?.operation
  return { operation, scanned: operation ? progress(operation, waiting).scanned : 0 }
}

const compareDates = (a: string | null, b: string | null) => (a ?? '9').localeCompare(b ?? '9')

/** The desk's order: recalls by delivery date and storages by the day on which they arrive, then the longest waiting first. */
export function deskOrder(a: Operation, b: Operation): number {
  return (
    (a.type === b.type ? compareDates(a.deliveryDate, b.deliveryDate) : 0) ||
    compareDates(a.submitted, b.submitted) ||
    a._id - b._id
  )
}

type ScanList = {
  type: OfferedType
  waiting: ReadonlySet<number>
  last: number | null
  today: IsoDate
  /** Those of this day only; `null`: all. */
  day: IsoDate | null
}

/** Storages of today first, then late ones and those without a day, then later ones. */
const arrivalRank = ({ type, deliveryDate: day }: Operation, today: IsoDate): number =>
  type !== 'to_stock' || day === today ? 0 : day === null || day < today ? 1 : 2

/**
 * The operations of a type that are being scanned or still have tyres to scan: `last`, the one just scanned, first, then those already begun, then
 * those expected today, then the others in the desk's order.
 */
export function toScan(operations: readonly Operation[], { type, waiting, last, today, day }: ScanList): Operation[] {
  const rank = (operation: Operation) =>
    operation._id === last
      ? 0
      : operation.tyres.some(tyre => tyre.scanned || waiting.has(tyre.db_id))
        ? 1
        : 2 + arrivalRank(operation, today)
  return operations
    .filter(
      operation =>
        operation.type === type &&
        (day === null || operation.deliveryDate === day || operation._id === last) &&
        (operation._id === last || operation.tyres.some(tyre => !tyre.scanned || waiting.has(tyre.db_id))),
    )
    .map(operation => ({ operation, rank: rank(operation) }))
    .sort((a, b) => a.rank - b.rank || deskOrder(a.operation, b.operation))
    .map(({ operation }) => operation)
}

/** The operations of a type whose tyres are all scanned, on any device, and that await confirmation: `last`, the one just scanned, first. */
export const readyToConfirm = (
  operations: readonly Operation[],
  { type, waiting, last }: { type: OfferedType; waiting: ReadonlySet<number>; last: number | null },
): Operation[] =>
  operations
    .filter(operation => operation.type === type && progress(operation, waiting).full)
    .toSorted((a, b) => Number(b._id === last) - Number(a._id === last) || deskOrder(a, b))

/** Whether a tyre is where an operation of this type was to bring it: only its confirmation does that. */
export const isHandled = (tyre: OperationTyre, type: Operation['type']): boolean =>
  tyre.tyre_status === statusAfter[type]

/**
 * The list after the server has marked tyres: their records replaced. An operation that was confirmed by its
 * last scan leaves.
 */
export function withMarked(operations: readonly Operation[], marked: readonly OperationTyre[]): Operation[] {
  const answers = new Map(marked.map(tyre => [tyre.db_id, tyre]))
  return operations.flatMap(operation => {
    if (!operation.tyres.some(tyre => answers.has(tyre.db_id))) return [operation]
    const tyres = operation.tyres.map(tyre => answers.get(tyre.db_id) ?? tyre)
    return tyres.some(tyre => answers.has(tyre.db_id) && isHandled(tyre, operation.type))
      ? []
      : [{ ...operation, tyres }]
  })
}

/** How many operations of each type that screens offer there are, and of all of these together. */
export function countByType(operations: readonly { type: Operation['type'] }[]): Record<OfferedType | 'all', number> {
  const counts = { to_stock: 0, to_customer: 0, to_waste: 0, all: 0 }
  for (const { type } of operations) {
    if (!isOfferedType(type)) continue
    counts[type]++
    counts.all++
  }
  return counts
}

/**
 * The tyres that match typed letters and digits of a plate, or digits of a tyre number, when a label is damaged. Tyres that are still to be picked
 * come first, even before exact matches.
 */
export function findByHand(
  operations: readonly Operation[],
  { type, typed, waiting }: { type: OfferedType; typed: string; waiting: ReadonlySet<number> },
): IndexedTyre[] {
  const plate = normalizePlate(typed)
  if (plate === '') return []
  const rank = ({ operation, tyre }: IndexedTyre) =>
    String(tyre.db_id) === plate ? 0 : operation.vehicle.license_plate === plate ? 1 : 2
  const isPicked = (entry: IndexedTyre) => Number(outcomeOf(entry, waiting) === 'duplicate')
  return operations
    .filter(operation => operation.type === type)
    .flatMap(operation => operation.tyres.map(tyre => ({ operation, tyre })))
    .filter(
      ({ operation, tyre }) => operation.vehicle.license_plate.includes(plate) || String(tyre.db_id).startsWith(plate),
    )
    .sort(
      (a, b) =>
        isPicked(a) - isPicked(b) ||
        rank(a) - rank(b) ||
        a.operation._id - b.operation._id ||
        comparePositions(a.tyre.position, b.tyre.position),
    )
}

/** The customers who have operations here, by name, with how many. */
export function customersOf(operations: readonly Operation[]) {
  const customers = new Map<number, { seq_id: number; companyname: string; count: number }>()
  for (const { seq_id, user } of operations) {
    const customer = customers.get(seq_id)
    if (customer) customer.count += 1
    else customers.set(seq_id, { seq_id, companyname: user.companyname, count: 1 })
  }
  return [...customers.values()].sort((a, b) => a.companyname.localeCompare(b.companyname) || a.seq_id - b.seq_id)
}
