/** The steps of intake: the record of each scan, its sound, and what follows. None needs the server (docs/product/warehouse.md "Intake"). */
import type { LocationScan, Scan as TyreLabel } from '#domain/warehouse/barcode.ts'
import { maxTypedLength } from '#domain/warehouse/card.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import {
  classifyScan,
  type IndexedTyre,
  lateScans,
  progress,
  scannedFacts,
  type TyreIndex,
  tyresToPlace,
} from '../handling/lookup.ts'
import type { NewRecord, RecordOf, ScannedPlace, ScanRecord, TyreGroup } from '../scanning/records.ts'
import type { Sound } from '../scanning/sounds.ts'

/** The state of intake when something is scanned. */
export type IntakeState = {
  /** The type that is scanned. */
  readonly type: OfferedType
  /** The number of our site. */
  readonly site: number
  /** The tyres of the submitted operations; `null` while no list is here. */
  readonly index: TyreIndex | null
  /** The scans of this device, newest first. */
  readonly history: readonly ScanRecord[]
}

/** `send`: what waits is sent at once; `refetch`: the list is fetched anew; `identify`: the server is asked whose tyre it is. */
export type IntakeStep = {
  readonly record: NewRecord
  readonly sound: Sound
  readonly follow: readonly ('send' | 'refetch' | 'identify')[]
}

const waitingScans = (history: readonly ScanRecord[]) => history.filter(({ state }) => state === 'waiting')
const waitingTyres = (history: readonly ScanRecord[]): ReadonlySet<number> =>
  new Set(waitingScans(history).flatMap(({ tyreId }) => tyreId ?? []))

type Taken = { ticsId: number | null; outcome: 'found' | 'duplicate'; type: OfferedType }

/** A tyre of a submitted operation, whose scan is sent at once when it is the operation's last. */
export function takeTyre(entry: IndexedTyre, history: readonly ScanRecord[], taken: Taken): IntakeStep {
  const { db_id } = entry.tyre
  const waiting = waitingTyres(history)
  // Scanned again while its first scan waits: once is enough. A tyre that the server knows as scanned counts again.
  const again = waiting.has(db_id)
  const { full } = progress(entry.operation, new Set([...waiting, db_id]))
  const first = full ? 'complete' : 'found'
  return {
    record: { kind: 'scan', ...taken, state: again ? 'noted' : 'waiting', tyreId: db_id, ...scannedFacts(entry) },
    sound: taken.outcome === 'duplicate' ? 'duplicate' : first,
    follow: full && !again ? ['send'] : [],
  }
}

/** The label of a tyre. Without a list the server decides; a tyre of no operation of the type is only noted. */
export function scanTyre({ tyre: tyreId, site: ticsId }: TyreLabel, at: IntakeState): IntakeStep {
  const { type, site, index, history } = at
  if (!index && ticsId === site) {
    const again = waitingScans(history).some(record => record.tyreId === tyreId && record.type === type)
    const state = again ? 'noted' : 'waiting'
    return {
      record: { kind: 'scan', outcome: 'unchecked', type, state, tyreId, ticsId },
      sound: again ? 'duplicate' : 'unchecked',
      follow: [],
    }
  }
  const { outcome, entry, elsewhere } = classifyScan(
    { tyre: tyreId, site: ticsId },
    { type, site, index: index ?? new Map(), waiting: waitingTyres(history) },
  )
  if (entry && (outcome === 'found' || outcome === 'duplicate'))
    return takeTyre(entry, history, { ticsId, outcome, type })
  const noted = { kind: 'scan', outcome, type, state: 'noted', tyreId, ticsId } as const
  if (elsewhere && entry)
    return {
      record: { ...noted, reason: { kind: 'elsewhere', type: elsewhere }, ...scannedFacts(entry) },
      sound: 'elsewhere',
      follow: ['refetch'],
    }
  return { record: noted, sound: outcome, follow: outcome === 'missing' ? ['refetch', 'identify'] : [] }
}

/** A scan that is no label of ours: its text is kept. */
export function scanUnreadable(text: string, type: OfferedType): IntakeStep {
  const reason = { kind: 'read', text: text.trim().slice(0, maxTypedLength) } as const
  return {
    record: { kind: 'scan', outcome: 'unreadable', type, state: 'noted', ticsId: null, reason },
    sound: 'unreadable',
    follow: [],
  }
}

/** Tyres go to a place; `rest` still lie nowhere. */
export const putOnPlace = (
  where: Pick<ScannedPlace, 'location' | 'rack'>,
  { tyres, plate }: TyreGroup,
  rest: readonly TyreGroup[],
): IntakeStep => ({
  record: { kind: 'place', outcome: 'location', place: { ...where, tyres, plate, ...(rest.length > 0 && { rest }) } },
  sound: rest.length > 0 ? 'duplicate' : 'location',
  follow: ['send'],
})

/** The stock locations as far as they are loaded; `undefined` for not yet. */
type Places = readonly { readonly _id: number; readonly stock_rack: string }[] | undefined

/** A scanned place is for the tyres that were scanned before it, also offline. */
export function scanPlace({ location, site: ticsId }: LocationScan, at: IntakeState, places: Places): IntakeStep {
  const { type, site, history } = at
  const listed = places?.find(({ _id }) => _id === location)
  const { rest, ...group } = tyresToPlace(history)
  const refused = (why: 'type' | 'none' | 'unknown'): IntakeStep => ({
    record: { kind: 'scan', outcome: 'misplaced', type, state: 'noted', ticsId, reason: { kind: 'place', why } },
    sound: 'misplaced',
    follow: [],
  })
  if (ticsId !== site)
    return {
      record: { kind: 'scan', outcome: 'other_site', type, state: 'noted', ticsId },
      sound: 'other_site',
      follow: [],
    }
  if (type !== 'to_stock') return refused('type')
  if (places && !listed) return refused('unknown')
  if (group.tyres.length === 0) return refused('none')
  return putOnPlace({ location, rack: listed?.stock_rack ?? null }, group, rest)
}

type Recheck = { readonly record: RecordOf<'scan'>; readonly sound: Sound | null; readonly sends: boolean }

/** The scans that a new list explains: tyres that were missing, and scans that were made before the first list, oldest first. */
export function recheck(history: readonly ScanRecord[], index: TyreIndex, now: number): Recheck[] {
  const waiting = new Set(waitingTyres(history))
  return lateScans(history, { index, now }).map(({ record, entry, outcome }) => {
    const state = outcome === 'found' ? 'waiting' : 'noted'
    const checked: RecordOf<'scan'> = { ...record, outcome, state, ...scannedFacts(entry), reason: null }
    if (outcome === 'duplicate') return { record: checked, sound: null, sends: false }
    waiting.add(entry.tyre.db_id)
    const { full } = progress(entry.operation, waiting)
    // a scan without a list has had its sound
    const isHeard = full || record.outcome === 'missing'
    const first = full ? 'complete' : 'found'
    return { record: checked, sound: isHeard ? first : null, sends: full }
  })
}
