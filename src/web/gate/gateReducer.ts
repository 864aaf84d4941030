/** The steps of the loading gate: the request of a scan, and what follows from its answer (docs/product/warehouse.md "The loading gate"). */
import type { DeliveryNote, GateAnswer, LoadingRecall } from '#contract/gate.ts'
import { isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import { loadedRecall } from '#domain/warehouse/gate.ts'
import type { Sound } from '../scanning/sounds.ts'

/** A request of the gate. It is kept nowhere: nothing is loaded before the gate has answered. */
export type GateRequest =
  | { readonly kind: 'load'; readonly db_id: number; readonly ticsId: number | null }
  | { readonly kind: 'leave' }
  /** The rest of the set that was loaded last is missing. */
  | { readonly kind: 'miss'; readonly tyres: readonly number[]; readonly plate: string }
/** A request that the gate may stop, and that is sent again with a reason. */
export type Overridable = Exclude<GateRequest, { kind: 'miss' }>
type Refusal = {
  readonly kind: 'refuse'
  readonly sound: Sound
  readonly text: 'scanWheel' | 'noCommand' | 'nothingMissing'
}

/** The request that a scan makes, or why it makes none. `last` is the wheel that passed last. */
export function requestOf(
  label: Label,
  { last, recalls }: { last: number | null; recalls: readonly LoadingRecall[] },
): GateRequest | Refusal {
  if (isLocation(label)) return { kind: 'refuse', sound: 'misplaced', text: 'scanWheel' }
  if (!isCommand(label)) return { kind: 'load', db_id: label.tyre, ticsId: label.site }
  if (label.command === 'gate') return { kind: 'leave' }
  if (label.command !== 'missing') return { kind: 'refuse', sound: 'not_now', text: 'noCommand' }
  const set = recalls.find(({ wheels }) => wheels.some(({ db_id }) => db_id === last))
  const rest = set?.wheels.filter(({ state }) => state !== 'loaded' && state !== 'missing') ?? []
  if (!set || rest.length === 0) return { kind: 'refuse', sound: 'not_now', text: 'nothingMissing' }
  return { kind: 'miss', tyres: rest.map(({ db_id }) => db_id), plate: set.license_plate }
}

const sounds = {
  loaded: 'found',
  again: 'duplicate',
  other_site: 'other_site',
  not_recalled: 'missing',
  other_transport: 'elsewhere',
  other_day: 'elsewhere',
  worn: 'refused',
  left: 'complete',
  nothing_loaded: 'not_now',
  incomplete: 'refused',
  missing: 'refused',
  left_behind: 'refused',
} as const satisfies Record<GateAnswer['outcome'], Sound>

type Verdict = {
  readonly sound: Sound
  /** The plate of the set that is complete with this wheel. */
  readonly set: string | null
  /** How many wheels of the load stay when the transport leaves: they stop nothing, and are mentioned. */
  readonly behind: number
  /** The notes of the transport that has just left, to be signed. */
  readonly sign: readonly DeliveryNote[]
}

/** The verdict on a request, by its answer. */
export function verdictOf(request: Overridable, { outcome, recalls, notes }: GateAnswer): Verdict {
  const db_id = request.kind === 'load' ? request.db_id : null
  const set = recalls.find(({ wheels }) => wheels.some(wheel => wheel.db_id === db_id))
  const complete = outcome === 'loaded' && set?.wheels.every(({ state }) => state === 'loaded') ? set : null
  const hasLeft = outcome === 'left'
  return {
    sound: complete ? 'complete' : sounds[outcome],
    set: complete && complete.license_plate,
    behind: hasLeft ? unloaded(recalls) : 0,
    sign: hasLeft ? notes.filter(({ signed, left }) => signed === null && left === notes[0]?.left) : [],
  }
}

/** How many wheels are in one of these states. */
export const countWheels = (wheels: LoadingRecall['wheels'], ...states: readonly string[]): number =>
  wheels.filter(({ state }) => states.includes(state)).length

/** The wheels of a recall by where they are. */
export const inLoad = ({ wheels, confirmed }: LoadingRecall) =>
  loadedRecall(
    wheels.map(({ state }) => state),
    { confirmed },
  )

/** Whether everything of a recall is loaded for this transport. */
export function isLoaded(recall: LoadingRecall): boolean {
  const { missing, waiting, other } = inLoad(recall)
  return missing + waiting + other === 0
}

/** Whether a wheel of a recall has left its place. */
export const isBegun = ({ wheels }: LoadingRecall): boolean =>
  countWheels(wheels, 'loaded', 'staged', 'picked', 'missing') > 0

const rank = (recall: LoadingRecall) => {
  if (isLoaded(recall)) return 2
  return isBegun(recall) ? 0 : 1
}
/** The recalls of a load: begun ones first, loaded ones last. */
export const inLoadingOrder = (recalls: readonly LoadingRecall[]): LoadingRecall[] =>
  recalls.toSorted((a, b) => rank(a) - rank(b))

/** How many wheels of these recalls are to be loaded still. */
export const unloaded = (recalls: readonly LoadingRecall[]): number =>
  recalls.map(inLoad).reduce((sum, { waiting, other }) => sum + waiting + other, 0)
