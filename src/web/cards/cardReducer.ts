/**
 * The steps of a card that need no answer of the server, as a reducer: the next state, and the effects that follow
 * (docs/product/warehouse.md "The card of a scan").
 */
import type { CardWheel } from '#contract/cards.ts'
import { type CardAction, maxReadings, scanActions } from '#domain/warehouse/card.ts'
import type { Declaration } from '#domain/warehouse/cardCommand.ts'
import { numberIn } from '#domain/texts/number.ts'
import { clampDepth, isOfferedType, type OfferedType } from '#domain/tyres/tyre.ts'
import { type IndexedTyre, scannedFacts } from '../handling/lookup.ts'
import type { NewRecord } from '../scanning/records.ts'
import type { ScanMessage } from '../scanning/scanMessage.tsx'
import type { Sound } from '../scanning/sounds.ts'
import type { TextKey } from '../ui/texts.ts'
import { emptyHand, type Hand, type Held, letGo, type Spot, takeWheel } from './hand.ts'
import { type Before, type Done, wayBack } from './wayBack.ts'

/** The input of a card's query. */
type CardQuery = { tyre: number } | { location: number } | { typed: string }

/** The state of the card on this page. */
export type Shown = {
  readonly query: CardQuery | null
  /** The wheel that is acted on, where a card has several. */
  readonly chosen: number | null
  readonly hand: Hand
  readonly message: ScanMessage | null
  /** The last action, which Undo takes back. */
  readonly done: Done | null
  /** Declarations made on this card, which the wheels' own cards may not show yet. */
  readonly declared: ReadonlyMap<number, Declaration>
  /** The readings of the wheel that is being measured, in mm. */
  readonly readings: readonly number[] | null
  /** The panel that is open below the wheel instead of its buttons. */
  readonly panel: 'damage' | 'refit' | null
  /** The text in the search field, or in the field for the depth. */
  readonly typed: string | null
}

/** A card on which nothing was scanned. */
export const emptyCard: Shown = {
  query: null,
  chosen: null,
  hand: emptyHand,
  message: null,
  done: null,
  declared: new Map(),
  readings: null,
  panel: null,
  typed: null,
}

/** Neither measuring, nor choosing, nor typing. */
export const atRest = { readings: null, panel: null, typed: null } as const satisfies Partial<Shown>

/** The facts about a wheel on this device: its last card, and its entry in the list of submitted operations. */
export type WheelFacts = {
  readonly wheel: CardWheel | null
  readonly entry: IndexedTyre | undefined
}
export type FactsOf = (tyre: number) => WheelFacts

/**
 * The effects of a step on the page, in this order. `keep`: a record for the queue; `send`: what waits in it; `unscan`: takes scans back by a call, then says the
 * text; `restore`: takes back an action of the history; `record`: the readings; `measure`, `print`: begins that.
 */
export type CardEffect =
  | { readonly kind: 'keep'; readonly record: NewRecord }
  | { readonly kind: 'send' | 'measure' | 'record' }
  | { readonly kind: 'say'; readonly sound: Sound; readonly text: CardText }
  | { readonly kind: 'unscan'; readonly tyres: readonly number[]; readonly text: CardText }
  | { readonly kind: 'restore'; readonly kept: string }
  | { readonly kind: 'print'; readonly wheels: readonly CardWheel[] }
type CardText = { readonly key: TextKey; readonly params?: Record<string, unknown> }
export type CardStep = { readonly state: Partial<Shown>; readonly effects: readonly CardEffect[] }

const spoken = (sound: Sound, key: TextKey, params: Record<string, unknown> = {}): CardEffect => ({
  kind: 'say',
  sound,
  text: { key, params },
})
const kept = (record: NewRecord): CardEffect => ({ kind: 'keep', record })
const refusal = (sound: Sound, key: TextKey, params?: Record<string, unknown>): CardStep => ({
  state: {},
  effects: [spoken(sound, key, params)],
})

/** Actions that are for all wheels in hand. The others are for one. */
const forSeveral: readonly CardAction[] = ['store', 'load', 'dispose', 'pick', 'find', 'unscan']

const typeOfScan = (action: CardAction): OfferedType | null =>
  (Object.keys(scanActions) as OfferedType[]).find(type => scanActions[type] === action) ?? null

/** A wheel as it is before an action; `scan`: the action scans it for its operation. */
export function beforeOf(tyre: number, wheel: CardWheel | null, scan: boolean): Before {
  const type = wheel?.operation?.scanned && !scan ? wheel.operation.type : null
  return {
    tyre,
    spot: wheel?.location ?? wheel?.kept_location ?? null,
    scan,
    ...(type && isOfferedType(type) && { scannedFor: type }),
  }
}

/** A wheel as it is held: whose it is, as far as its card or the list of the day says. */
export const heldOf = (tyre: number, { wheel, entry }: WheelFacts): Held => ({
  tyre,
  vehicle: wheel?.flt_id ?? entry?.operation.flt_id ?? null,
  plate: wheel?.license_plate ?? entry?.tyre.license_plate ?? null,
})

/** The scan of a wheel for the operation that has it. */
const scanRecord = (type: OfferedType, tyre: number, { wheel, entry }: WheelFacts): NewRecord => ({
  kind: 'scan',
  outcome: 'found',
  type,
  tyreId: tyre,
  ...(entry && scannedFacts(entry)),
  ...(wheel && { known: wheel }),
})

const placeRecord = (spot: Spot, tyres: readonly number[], plate: string | null): NewRecord => ({
  kind: 'place',
  outcome: 'location',
  place: { ...spot, tyres, plate },
})

/** The declarations of a card after another one about these wheels; `null` withdraws theirs. */
export function declaring(
  { declared }: Pick<Shown, 'declared'>,
  tyres: readonly number[],
  declaration: Declaration | null,
): Pick<Shown, 'declared'> {
  const next = new Map(declared)
  for (const tyre of tyres)
    if (declaration) next.set(tyre, declaration)
    else next.delete(tyre)
  return { declared: next }
}

/** Wheels are put on a place; those of a storage that were not scanned are scanned for it by that. All or none. */
export function put(wheels: readonly Held[], { location, rack }: Spot, factsOf: FactsOf): CardStep {
  const facts = wheels.map(wheel => ({ ...wheel, ...factsOf(wheel.tyre) }))
  const unfit = facts.filter(({ wheel }) => wheel && !wheel.actions.includes('place'))
  if (unfit.length > 0) return refusal('misplaced', 'cards:notPlaced', { count: unfit.length })
  const coming = facts.filter(({ wheel, entry }) =>
    wheel ? wheel.actions.includes('store') : entry?.operation.type === 'to_stock' && !entry.tyre.scanned,
  )
  const tyres = wheels.map(({ tyre }) => tyre)
  const before = facts.map(wheel => beforeOf(wheel.tyre, wheel.wheel, coming.includes(wheel)))
  return {
    state: { done: { action: 'place', wheels: before } },
    effects: [
      ...coming.map(wheel => kept(scanRecord('to_stock', wheel.tyre, wheel))),
      kept(placeRecord({ location, rack }, tyres, wheels[0]?.plate ?? null)),
      spoken('location', 'cards:put', { count: tyres.length, place: rack ?? `#${location}` }),
      { kind: 'send' },
    ],
  }
}

/** A wheel is taken in hand, or put on the place in hand; `put` says which. */
export function takeUp(shown: Shown, wheel: Held, factsOf: FactsOf): CardStep & { readonly put: boolean } {
  const taken = takeWheel(shown.hand, wheel)
  const step = taken.put ? put(taken.put.wheels, taken.put.spot, factsOf) : { state: {}, effects: [] }
  return { state: { hand: taken.hand, ...step.state }, effects: step.effects, put: taken.put !== null }
}

/** The wheels that an action is for: those in hand of which it is possible, when the chosen one is among them; else that one. */
function targetsOf({ hand }: Shown, action: CardAction, chosen: CardWheel, factsOf: FactsOf): readonly CardWheel[] {
  const inHand = hand.wheels.some(({ tyre }) => tyre === chosen.db_id)
  if (!forSeveral.includes(action) || !inHand) return [chosen]
  const wheels = hand.wheels.flatMap(({ tyre }) => (tyre === chosen.db_id ? chosen : (factsOf(tyre).wheel ?? [])))
  return wheels.filter(({ actions }) => actions.includes(action))
}

/** A button of the card, or its barcode, for the chosen wheel or those in hand. */
export function act(shown: Shown, action: CardAction, chosen: CardWheel, factsOf: FactsOf): CardStep {
  const wheels = targetsOf(shown, action, chosen, factsOf)
  const tyres = wheels.map(({ db_id }) => db_id)
  const count = tyres.length
  const type = typeOfScan(action)
  const done: Done = { action, wheels: wheels.map(wheel => beforeOf(wheel.db_id, wheel, type !== null)) }
  if (type)
    return {
      state: { ...declaring(shown, tyres, 'scanned'), done },
      effects: [
        ...tyres.map(tyre => kept(scanRecord(type, tyre, factsOf(tyre)))),
        spoken('found', `cards:did.${type}`, { count }),
        { kind: 'send' },
      ],
    }
  switch (action) {
    case 'pick':
    case 'miss':
    case 'find': {
      const declared = action === 'pick' ? {} : declaring(shown, tyres, action === 'miss' ? 'missing' : null)
      // a missing wheel is no longer in hand, and neither measured nor looked at
      const gone = action === 'miss' ? { hand: letGo(shown.hand, tyres), ...atRest } : {}
      return {
        state: { ...declared, ...gone, done },
        effects: [
          kept({ kind: 'step', outcome: 'stepped', step: { step: action, tyres }, known: chosen }),
          spoken('stepped', `cards:did.${action}`, { count }),
          { kind: 'send' },
        ],
      }
    }
    case 'measure':
      return { state: { ...atRest, readings: [] }, effects: [{ kind: 'measure' }] }
    case 'damage':
    case 'refit':
      return { state: { ...atRest, panel: action }, effects: [] }
    case 'label':
      return { state: {}, effects: [{ kind: 'print', wheels }] }
    case 'unscan':
      return {
        state: declaring(shown, tyres, null),
        effects: [{ kind: 'unscan', tyres, text: { key: 'cards:did.unscan', params: { count } } }],
      }
    default:
      return { state: {}, effects: [] }
  }
}

/** Takes the last action of the card back, as far as it has a way back (`wayBack`). */
export function undo(shown: Shown, factsOf: FactsOf): CardStep {
  const { done } = shown
  if (!done) return refusal('not_now', 'cards:nothingToUndo')
  if (done.kept !== undefined) return { state: { done: null }, effects: [{ kind: 'restore', kept: done.kept }] }
  const { scans, spots, found: again, rescans, left } = wayBack(done)
  const withdrawn = declaring(
    shown,
    done.wheels.map(({ tyre }) => tyre),
    null,
  )
  const records = [
    ...rescans.map(({ tyre, type }) => scanRecord(type, tyre, factsOf(tyre))),
    ...[...spots].map(([location, tyres]) => placeRecord({ location, rack: null }, tyres, null)),
    ...(again.length > 0
      ? [{ kind: 'step', outcome: 'stepped', step: { step: 'find', tyres: again } } as const satisfies NewRecord]
      : []),
  ].map(kept)
  const undone = { key: left > 0 ? 'cards:undoneSome' : 'cards:undone', params: { count: left } } as const
  if (scans.length > 0) {
    const all = scans.length === done.wheels.length
    const text = all ? ({ key: 'cards:did.unscan', params: { count: scans.length } } as const) : undone
    // the others are in the queue: if it fails, only the scans are left to take back
    const remaining = { ...done, wheels: done.wheels.filter(({ scan }) => scan) }
    return {
      state: { ...withdrawn, done: remaining },
      effects: [...records, { kind: 'unscan', tyres: scans, text }],
    }
  }
  if (spots.size === 0 && again.length === 0)
    return { state: withdrawn, effects: [...records, spoken('not_now', 'cards:nothingToUndo')] }
  return {
    state: { ...withdrawn, done: null },
    effects: [...records, spoken('stepped', undone.key, undone.params), { kind: 'send' }],
  }
}

/** A reading in mm that was typed, or that a gauge sent; the third one, or Enter without one, records them. */
export function takeReading(shown: Shown, text: string, language: string): CardStep {
  const readings = shown.readings ?? []
  if (text.trim() === '' && readings.length > 0) return { state: {}, effects: [{ kind: 'record' }] }
  const depth = numberIn(text, { whole: false, language, most: 10 })
  if (depth === null || clampDepth(depth) !== depth) return refusal('not_now', 'cards:noDepth')
  const all = [...readings, depth].slice(0, maxReadings)
  return { state: { readings: all, typed: null }, effects: all.length === maxReadings ? [{ kind: 'record' }] : [] }
}

/**
 * The card once a wheel was scanned. Undo stays for the wheel that it is about; a wheel whose label was scanned is here, and a damaged one was looked
 * at.
 */
export function wheelScanned({ done, declared }: Shown, tyre: number): Partial<Shown> {
  const still = [...declared].filter(([other, what]) => what === 'scanned' || (what === 'missing' && other !== tyre))
  return {
    query: { tyre },
    chosen: tyre,
    done: done?.wheels.some(wheel => wheel.tyre === tyre) ? done : null,
    declared: new Map(still),
    ...atRest,
  }
}
