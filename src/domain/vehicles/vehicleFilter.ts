/** Which vehicles of a fleet a list shows (docs/product/vehicles.md "Fleet list"). Pure; the address holds the filter. */
import type { Axle } from './axle.ts'
import { hasWinterTyres, incompleteSets, needsWinterTyres, wearsWinterTyres } from '../tyres/health.ts'
import { type TreadCase, verdictOf, type VerdictWish } from '../tyres/tread.ts'
import type { Season, TyreStatus } from '../tyres/tyre.ts'
import { vehicleKind } from './vehicle.ts'

/** Filters on the sets of a vehicle. */
export const setWishes = ['noWinter', 'lackingWinter', 'incomplete'] as const
type SetWish = (typeof setWishes)[number]

/** The conditions for a vehicle; `null`: any. Season, depth and verdict must all be met by the same tyre. */
export type VehicleWish = {
  season: Season | null
  /** At most so many millimetres. */
  depth: number | null
  verdict: VerdictWish | null
  sets: SetWish | null
  /** The group that it belongs to. */
  group: string | null
}
export const anyVehicle: VehicleWish = { season: null, depth: null, verdict: null, sets: null, group: null }

type HeldTyre = {
  db_id: number
  position: string
  season: string | null
  tyre_status: TyreStatus
  tyre_set: string | null
  profile_depth: number | null
}
type Filtered = { type: string; cost_centre: string; tyres: readonly HeldTyre[] }

/** How vehicles are judged. */
export type FilterFacts<V> = {
  judged: (vehicle: V) => TreadCase
  axles: (vehicle: V) => readonly Axle[] | null
  /** The tyres that reach their limit this season. */
  reaching: Pick<ReadonlySet<number>, 'has'>
}

/** Whether a tyre is one that is looked for. */
export const hasVerdict = (
  tyre: Pick<HeldTyre, 'db_id' | 'season' | 'profile_depth'>,
  wish: VerdictWish,
  { at, reaching }: { at: TreadCase; reaching: Pick<ReadonlySet<number>, 'has'> },
): boolean => (wish === 'reaching' ? reaching.has(tyre.db_id) : verdictOf(tyre, at) === wish)

const setsOf = {
  noWinter: ({ type, tyres }) => wearsWinterTyres(vehicleKind(type)) && !hasWinterTyres(tyres),
  lackingWinter: ({ type, tyres }, { judged }) =>
    needsWinterTyres(judged.country, vehicleKind(type)) && !hasWinterTyres(tyres),
  incomplete: ({ type, tyres }, { axles }) => incompleteSets(tyres, axles, vehicleKind(type)).length > 0,
} as const satisfies Record<
  SetWish,
  (vehicle: Filtered, of: { judged: TreadCase; axles: readonly Axle[] | null }) => boolean
>

/** The groups of a fleet, in the order of their names. */
export const groupsOf = (fleet: readonly { cost_centre: string }[], language: string): string[] =>
  [...new Set(fleet.map(vehicle => vehicle.cost_centre))]
    .filter(Boolean)
    .toSorted(new Intl.Collator(language, { numeric: true }).compare)

/** Whether a vehicle is wanted. */
export function isWanted<V extends Filtered>(
  vehicle: V,
  { season, depth, verdict, sets, group }: VehicleWish,
  facts: FilterFacts<V>,
): boolean {
  if (group !== null && vehicle.cost_centre !== group) return false
  const judged = facts.judged(vehicle)
  if (sets !== null && !setsOf[sets](vehicle, { judged, axles: facts.axles(vehicle) })) return false
  if (season === null && depth === null && verdict === null) return true
  const isIt = (tyre: HeldTyre) =>
    tyre.tyre_status !== 'waste' &&
    (season === null || tyre.season === season) &&
    (depth === null || (tyre.profile_depth !== null && tyre.profile_depth <= depth)) &&
    (verdict === null || hasVerdict(tyre, verdict, { at: judged, reaching: facts.reaching }))
  return vehicle.tyres.some(isIt)
}
