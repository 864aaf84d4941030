/** Whether tyres suit another vehicle than theirs, and what would differ there (docs/product/vehicles.md "Moving a set"). */
import { dimensionIn, speedSymbols } from './article.ts'
import { needsWinterTyres } from './health.ts'
import { isForSnow, type TreadCase, treadLimits, type Verdict, verdictOf } from './tread.ts'
import type { TyreStatus } from './tyre.ts'
import { type Axle, comparePositions, positionsOf } from '../vehicles/axle.ts'

export type FittingTyre = {
  readonly db_id: number
  readonly position: string
  readonly description: string
  readonly season: string | null
  readonly tyre_set: string | null
  readonly tyre_status: TyreStatus
  readonly profile_depth: number | null
}

/** The vehicle for which tyres are looked at: with its own tyres, its axles, and how tyres are judged there on the day on which they are driven. */
export type FittingVehicle = {
  readonly tyres: readonly FittingTyre[]
  readonly axles: readonly Axle[] | null
  readonly judged: TreadCase
}

/** The load and speed of the weakest of some tyres, where the description of each says so; `null`: one does not say. */
type Ability = { load: number | null; dual: number | null; speed: number | null }

export type Difference =
  /** The vehicle has no such wheels. */
  | { readonly kind: 'position'; readonly positions: readonly string[] }
  /** None of the vehicle's own tyres on the axle has this size. */
  | { readonly kind: 'size'; readonly axle: number; readonly has: string; readonly usual: readonly string[] }
  /** The tyres of the axle carry less, or may run slower, than its first set. */
  | { readonly kind: 'weaker'; readonly axle: number; readonly has: string; readonly needed: string }
  /** The tyres are for several seasons, or the vehicle has others for theirs. */
  | { readonly kind: 'season'; readonly seasons: readonly string[] }
  /** The depth is below a limit of the vehicle, or nobody measured it. */
  | { readonly kind: 'depth'; readonly positions: readonly string[]; readonly verdict: Exclude<Verdict, 'good'> }

const sizes = new Map<string, ReturnType<typeof dimensionIn>>()
/** Fleets have thousands of tyres of a few hundred descriptions. */
const maxSizes = 20_000
function sizeOf(description: string): ReturnType<typeof dimensionIn> {
  let size = sizes.get(description)
  if (size === undefined) {
    if (sizes.size >= maxSizes) sizes.clear()
    size = dimensionIn(description)
    sizes.set(description, size)
  }
  return size
}

const axleOf = (position: string): number => Number.parseInt(position, 10)
const isLiving = (tyre: FittingTyre): boolean => tyre.tyre_status !== 'waste'

const least = (values: readonly (number | null)[]): number | null =>
  values.length === 0 || values.includes(null) ? null : Math.min(...(values as number[]))

function abilityOf(tyres: readonly FittingTyre[]): Ability {
  const all = tyres.map(({ description }) => sizeOf(description))
  const speeds = all.map(size => (size?.speedSymbol ? speedSymbols[size.speedSymbol] : null))
  return {
    load: least(all.map(size => size?.loadIndex ?? null)),
    dual: least(all.map(size => size?.loadIndexDual ?? null)),
    speed: least(speeds),
  }
}

/** Load index and speed symbol of the weakest tyre as they are written: `91V`. */
function written({ load, speed }: Ability): string {
  const symbol = Object.entries(speedSymbols).find(([, kmh]) => kmh === speed)?.[0]
  return `${load ?? '?'}${symbol ?? '?'}`
}

/** The tyres of the set that a vehicle had first: of the tyre with the lowest number, since numbers only grow. */
function firstSetOf(tyres: readonly FittingTyre[]): readonly FittingTyre[] {
  const first = tyres.filter(isLiving).toSorted((a, b) => a.db_id - b.db_id)[0]
  return first ? tyres.filter(tyre => isLiving(tyre) && tyre.tyre_set === first.tyre_set) : []
}

/**
 * An axle of a vehicle as tyres for it have to be: of its sizes so far, and with the load and speed of its first set. A set for snow proves no
 * speed for summer, since it may be slower than its vehicle.
 */
type Wanted = { readonly sizes: ReadonlySet<string>; readonly needs: Ability; readonly speedInSummer: number | null }

function wantedOf(tyres: readonly FittingTyre[]): ReadonlyMap<number, Wanted> {
  const byAxle = (some: readonly FittingTyre[]) => Map.groupBy(some, ({ position }) => axleOf(position))
  const [first, fast] = [
    byAxle(firstSetOf(tyres)),
    byAxle(firstSetOf(tyres.filter(({ season }) => !isForSnow(season)))),
  ]
  return new Map(
    [...byAxle(tyres)].map(([axle, own]) => [
      axle,
      {
        sizes: new Set(own.flatMap(({ description }) => sizeOf(description)?.written ?? [])),
        needs: abilityOf(first.get(axle) ?? []),
        speedInSummer: abilityOf(fast.get(axle) ?? []).speed,
      },
    ]),
  )
}

/** The speed that tyres of a season need on an axle, in km/h. */
const speedFor = (season: string | null, { needs, speedInSummer }: Wanted): number | null =>
  isForSnow(season) ? needs.speed : speedInSummer

const isLess = (has: number | null, needed: number | null): boolean => has !== null && needed !== null && has < needed

/** How tyres that move to a vehicle differ from what it has; `[]`: nobody has to look at them twice. The tyres have the positions that they get. */
export function differencesOf(tyres: readonly FittingTyre[], vehicle: FittingVehicle): Difference[] {
  const differences: Difference[] = []
  const own = vehicle.tyres.filter(tyre => !tyres.some(({ db_id }) => db_id === tyre.db_id))
  const wheels: readonly string[] = vehicle.axles ? positionsOf(vehicle.axles) : []
  const missing = tyres.map(({ position }) => position).filter(position => !wheels.includes(position))
  if (missing.length > 0) differences.push({ kind: 'position', positions: missing.toSorted(comparePositions) })
  const wanted = wantedOf(own)
  for (const [axle, some] of Map.groupBy(tyres, ({ position }) => axleOf(position))) {
    const onAxle = wanted.get(axle)
    if (!onAxle) continue
    const other = some
      .flatMap(({ description }) => sizeOf(description)?.written ?? '')
      .find(size => !onAxle.sizes.has(size))
    if (other !== undefined && onAxle.sizes.size > 0)
      differences.push({ kind: 'size', axle, has: other, usual: [...onAxle.sizes].toSorted() })
    const has = abilityOf(some)
    const { load, dual } = onAxle.needs
    const speed = speedFor(some.some(({ season }) => !isForSnow(season)) ? 'summer' : 'winter', onAxle)
    if (isLess(has.load, load) || isLess(has.dual, dual) || isLess(has.speed, speed))
      differences.push({ kind: 'weaker', axle, has: written(has), needed: written({ load, dual, speed }) })
  }
  const seasons = [...new Set(tyres.flatMap(({ season }) => season ?? []))]
  const isThere = own.some(tyre => isLiving(tyre) && tyre.season !== null && seasons.includes(tyre.season))
  if (seasons.length > 1 || isThere) differences.push({ kind: 'season', seasons })
  for (const [verdict, some] of Map.groupBy(tyres, tyre => verdictOf(tyre, vehicle.judged)))
    if (verdict !== 'good')
      differences.push({
        kind: 'depth',
        verdict,
        positions: some.map(({ position }) => position).toSorted(comparePositions),
      })
  return differences
}

/** A set as it is compared with many vehicles. */
export type FittingSet = {
  /** Its positions in order, as one text. */
  readonly positions: string
  /** The season of all its tyres; `null`: it is not known, or they are for several. */
  readonly season: string | null
  /** The least depth, in mm; `null`: one was not measured. */
  readonly depth: number | null
  readonly axles: readonly { readonly axle: number; readonly size: string | null; readonly has: Ability }[]
}
/** A vehicle as it is compared with many sets. */
export type FittingPlace = {
  readonly positions: string
  readonly wanted: ReadonlyMap<number, Wanted>
  readonly judged: TreadCase
  /** Axles with wheels side by side, where the lower load index for twins counts. */
  readonly twins: ReadonlySet<number>
}

const inOrder = (positions: readonly string[]): string => positions.toSorted(comparePositions).join(' ')

export function fittingSet(tyres: readonly FittingTyre[]): FittingSet {
  const seasons = new Set(tyres.map(({ season }) => season))
  const [season = null] = seasons
  return {
    positions: inOrder(tyres.map(({ position }) => position)),
    season: seasons.size === 1 ? season : null,
    depth: least(tyres.map(({ profile_depth }) => profile_depth)),
    axles: [...Map.groupBy(tyres, ({ position }) => axleOf(position))].map(([axle, some]) => {
      const ofAxle = new Set(some.map(({ description }) => sizeOf(description)?.written ?? null))
      const [size = null] = ofAxle
      return { axle, size: ofAxle.size === 1 ? size : null, has: abilityOf(some) }
    }),
  }
}

export function fittingPlace(vehicle: FittingVehicle): FittingPlace {
  const axles = (vehicle.axles ?? []).filter(({ type }) => type === 'axle')
  return {
    positions: inOrder(vehicle.axles ? positionsOf(vehicle.axles) : []),
    wanted: wantedOf(vehicle.tyres),
    judged: vehicle.judged,
    twins: new Set(axles.flatMap(({ left, right }, at) => (left > 1 || right > 1 ? [at + 1] : []))),
  }
}

/** Whether a tyre of this season may be driven in another: one for all seasons only where the law does not ask for winter tyres. */
function isLegalIn(season: 'winter' | 'summer', of: string | null, { country, kind }: TreadCase): boolean {
  if (season === 'summer') return of === 'summer' || of === 'all_season'
  return of === 'winter' || of === 'snow' || (of === 'all_season' && !needsWinterTyres(country, kind))
}

const carries = (has: number | null, needed: number | null): boolean => has !== null && needed !== null && has >= needed

/**
 * Whether a set may go to a vehicle without anybody looking at it: one tyre for each of its wheels, on each axle all of a size that the vehicle
 * has there, strong and fast enough by what is written, for the season, and deeper than every limit. What nobody knows does not fit.
 */
export function fits(set: FittingSet, place: FittingPlace, season: 'winter' | 'summer'): boolean {
  if (set.positions === '' || set.positions !== place.positions) return false
  if (!isLegalIn(season, set.season, place.judged)) return false
  const { legal, wanted } = treadLimits(set.season, place.judged)
  // a tyre on its limit is below it after a few kilometres
  if (set.depth === null || set.depth <= Math.max(legal, wanted)) return false
  return set.axles.every(({ axle, size, has }) => {
    const onAxle = place.wanted.get(axle)
    if (!onAxle || size === null || !onAxle.sizes.has(size)) return false
    const { load, dual } = onAxle.needs
    if (!carries(has.load, load) || !carries(has.speed, speedFor(set.season, onAxle))) return false
    return !place.twins.has(axle) || dual === null || carries(has.dual, dual)
  })
}
