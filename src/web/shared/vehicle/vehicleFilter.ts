/** Which vehicles of a fleet a list shows (docs/product.md "Fleet list"). Pure; the address holds what is wanted. */
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { Axle } from '#domain/axle.ts'
import { hasWinterTyres, incompleteSets, needsWinterTyres, wearsWinterTyres } from '#domain/health.ts'
import { type TreadCase, verdictOf, type VerdictWish } from '#domain/tread.ts'
import type { Season } from '#domain/tyre.ts'
import { vehicleKind } from '#domain/vehicle.ts'

/** What can be wanted of the sets of a vehicle. */
export const setWishes = ['noWinter', 'lackingWinter', 'incomplete'] as const
type SetWish = (typeof setWishes)[number]

/** What a vehicle has to have; `null`: anything. Season, depth and verdict are of one tyre that has all of it. */
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

type Of = {
  judged: (vehicle: Vehicle) => TreadCase
  axles: (vehicle: Vehicle) => readonly Axle[] | null
  /** The tyres that reach their limit this season. */
  reaching: ReadonlySet<number>
}

/** Whether a tyre is one that is looked for. */
export const hasVerdict = (
  tyre: Tyre,
  wish: VerdictWish,
  { at, reaching }: { at: TreadCase; reaching: ReadonlySet<number> },
) => (wish === 'reaching' ? reaching.has(tyre.db_id) : verdictOf(tyre, at) === wish)

const setsOf = {
  noWinter: ({ type, tyres }) => wearsWinterTyres(vehicleKind(type)) && !hasWinterTyres(tyres),
  lackingWinter: (vehicle, { judged }) =>
    needsWinterTyres(judged(vehicle).country, vehicleKind(vehicle.type)) && !hasWinterTyres(vehicle.tyres),
  incomplete: (vehicle, { axles }) =>
    incompleteSets(vehicle.tyres, axles(vehicle), vehicleKind(vehicle.type)).length > 0,
} as const satisfies Record<SetWish, (vehicle: Vehicle, of: Of) => boolean>

/** The groups of a fleet, in the order of their names. */
export const groupsOf = (fleet: readonly Vehicle[], language: string): string[] =>
  [...new Set(fleet.map(vehicle => vehicle.cost_centre))]
    .filter(Boolean)
    .toSorted(new Intl.Collator(language, { numeric: true }).compare)

/** Whether a vehicle is wanted. */
export function isWanted(vehicle: Vehicle, { season, depth, verdict, sets, group }: VehicleWish, of: Of): boolean {
  if (group !== null && vehicle.cost_centre !== group) return false
  if (sets !== null && !setsOf[sets](vehicle, of)) return false
  if (season === null && depth === null && verdict === null) return true
  const judged = of.judged(vehicle)
  const isIt = (tyre: Tyre) =>
    tyre.tyre_status !== 'waste' &&
    (season === null || tyre.season === season) &&
    (depth === null || (tyre.profile_depth !== null && tyre.profile_depth <= depth)) &&
    (verdict === null || hasVerdict(tyre, verdict, { at: judged, reaching: of.reaching }))
  return vehicle.tyres.some(isIt)
}
