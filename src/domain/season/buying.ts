/** Which tyres a fleet has to buy for a season, and by when, and which it need not (docs/product/season.md "Buying list"). */
import { type Axle, positionsOf } from '../vehicles/axle.ts'
import { addDays, type IsoDate } from '../texts/date.ts'
import { type FittingTyre, fittingPlace, fittingSet } from '../tyres/fitting.ts'
import { neededInSummer, neededService, provesSpeed, type Service, serviceIn, sizeIn } from '../tyres/fitness.ts'
import { needsWinterTyres } from '../tyres/health.ts'
import { type Lacking, type Leftover, matchSets, type Match } from './matching.ts'
import { type ChangeSeason, seasonChange, seasonSpan } from './seasonChange.ts'
import { isForSnow, type TreadCase, treadLimits, verdictOf } from '../tyres/tread.ts'

type Owned = FittingTyre & { readonly operation: number | null }
export type Buyer<V> = {
  vehicle: V
  tyres: readonly Owned[]
  /** `null`: it has no configuration. */
  axles: readonly Axle[] | null
  judged: TreadCase
  /** The day on which it goes back; `null`: nobody says. */
  contractEnd?: IsoDate | null
}

/** From when to when a tyre reaches its limit: nine of ten do so between these days (docs/wear.md). */
type Interval = { readonly from: IsoDate; readonly until: IsoDate }

/** The season and the assumptions that a buying list is made for. */
export type BuyingFor = {
  readonly season: ChangeSeason
  readonly today: IsoDate
  readonly withDepth: boolean
  /** Of tyres that may reach their limit before the season ends. */
  readonly nearing: ReadonlyMap<number, Interval>
}

/** Tyres to be bought: `least` for sure; `most` when those are to be replaced, too, that nobody measured, or that may reach their limit. */
export type BuyingLine<V> = {
  /** `null`: none of its tyres says one. */
  size: string | null
  season: string
  axle: number
  needed: Service
  /** All of them are needed by this day; or, where `until` says so, the first may be worn on it, and the last within this season. */
  by: IsoDate
  until: IsoDate | null
  least: number
  most: number
  vehicles: readonly V[]
}

type Piece<V> = {
  vehicle: V
  size: string | null
  season: string
  axle: number
  needed: Service
  sure: boolean
  by: IsoDate
  until: IsoDate | null
  /** It may not be driven without: whatever the end of its contract, it has to be bought. */
  forced: boolean
}

const axleOf = (position: string): number => Number.parseInt(position, 10)
const nothing: Service = { load: null, speed: null }

/** The load and speed that a tyre like this one needs if the first set has no tyre on its axle. */
function serviceOf({ description, season }: Owned, bought: string): Service {
  const service = serviceIn(description)
  return bought === 'summer' && !provesSpeed(season) ? { ...service, speed: null } : service
}

/** When a tyre has to be there, and whether it surely has to. */
type Need = Pick<Piece<unknown>, 'sure' | 'by' | 'until' | 'forced'>

/** Whether and when a tyre is to be replaced; `null`: it lasts the season, as far as anybody knows. */
function needOf(tyre: Owned, judged: TreadCase, { season, today, nearing }: BuyingFor): Need | null {
  const { from: begins, until: ends } = seasonSpan(season, today)
  const last = addDays(ends, -1)
  // a tyre that is on the vehicle is driven today
  const by = tyre.tyre_status === 'on_vehicle' || begins < today ? today : begins
  const verdict = verdictOf(tyre, judged)
  if (verdict !== 'good') return { sure: verdict !== 'unknown', by, until: null, forced: verdict === 'illegal' }
  if (tyre.profile_depth === treadLimits(tyre.season, judged).wanted)
    return { sure: true, by, until: last, forced: false }
  const forecast = nearing.get(tyre.db_id)
  if (!forecast || forecast.from > last) return null
  const until = forecast.until < last ? forecast.until : last
  return { sure: forecast.until <= ends, by: forecast.from, until, forced: false }
}

/** The tyres of a vehicle's set for the season that are to be replaced, or may be; without any set, one for each of its wheels. */
function piecesOf<V>({ vehicle, tyres, axles, judged }: Buyer<V>, list: BuyingFor): Piece<V>[] {
  const { season, today, withDepth } = list
  const living = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const { stored, worn, verdict } = seasonChange(living, season, judged)
  const [inSummer, always] = [neededInSummer(living), neededService(living)]
  const piece = (position: string, like: Owned | undefined, need: Need): Piece<V> => {
    const bought = (verdict === 'missing' ? null : like?.season) ?? season
    const axle = axleOf(position)
    const needed = bought === 'summer' ? inSummer : always
    return {
      vehicle,
      size: like ? sizeIn(like.description) : null,
      season: bought,
      axle,
      needed: needed.get(axle) ?? (like ? serviceOf(like, bought) : nothing),
      ...need,
    }
  }
  if (verdict === 'missing') {
    const positions = axles ? positionsOf(axles) : [...new Set(living.map(({ position }) => position))]
    const like = (position: string) =>
      living.find(tyre => tyre.position === position) ?? living.find(tyre => axleOf(tyre.position) === axleOf(position))
    const { from } = seasonSpan(season, today)
    const forced = season === 'winter' && needsWinterTyres(judged.country, judged.kind)
    const need = { sure: true, by: from < today ? today : from, until: null, forced }
    return positions.map(position => piece(position, like(position), need))
  }
  if (!withDepth) return []
  return (stored.length > 0 ? stored : worn).flatMap(tyre => {
    const need = needOf(tyre, judged, list)
    return need ? [piece(tyre.position, tyre, need)] : []
  })
}

/**
 * Whether a tyre pays before its vehicle goes back: it must be there for the whole season that the tyre is bought for. One that may not be driven
 * without is needed for as long as it is there.
 */
function pays({ contractEnd = null }: Buyer<unknown>, { by, forced }: Piece<unknown>, list: BuyingFor): boolean {
  if (contractEnd === null) return true
  if (contractEnd <= by) return false
  return forced || contractEnd >= addDays(seasonSpan(list.season, list.today).until, -1)
}

/** The tyres that are to be bought, by what they are and when they are needed. */
function linesOf<V>(pieces: readonly Piece<V>[]): BuyingLine<V>[] {
  const keyOf = ({ size, season, axle, needed, by, until }: Piece<V>) =>
    [size ?? '~', season, String(axle), needed.load ?? '', needed.speed ?? '', until === null ? by : '~'].join(' ')
  return [...Map.groupBy(pieces, keyOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, some]) => {
      const [first] = some
      if (!first) return []
      const { size, season, axle, needed } = first
      return [
        {
          size,
          season,
          axle,
          needed,
          by: some.map(({ by }) => by).toSorted()[0] ?? first.by,
          until:
            some
              .flatMap(({ until }) => until ?? [])
              .toSorted()
              .at(-1) ?? null,
          least: some.filter(({ sure }) => sure).length,
          most: some.length,
          vehicles: [...new Set(some.map(({ vehicle }) => vehicle))],
        },
      ]
    })
}

/** A set without a vehicle that needs it: of one that left the fleet, or one more than its vehicle takes for the season. */
type Spare<S> = { readonly set: S; readonly tyres: readonly Owned[] }

const setsOf = (tyres: readonly Owned[]): (readonly Owned[])[] => [
  ...Map.groupBy(tyres, ({ tyre_set }) => tyre_set).values(),
]

/**
 * The sets of a vehicle in stock for a season that its change of season does not take. One whose tyres wear down before the season ends is
 * left out.
 */
export const spareSets = <V>({ tyres, judged }: Buyer<V>, { season }: BuyingFor): readonly (readonly Owned[])[] => {
  const { stored } = seasonChange(tyres, season, judged)
  const inStock = tyres.filter(tyre => tyre.tyre_status === 'in_stock' && !stored.includes(tyre))
  return stored.length === 0
    ? []
    : setsOf(inStock).filter(some => some.every(tyre => isForSnow(tyre.season) === (season === 'winter')))
}

type BuyingPlan<V, S> = {
  readonly lines: readonly BuyingLine<V>[]
  /** Sets that go to vehicles which lack one. */
  readonly matches: readonly Match<S, V>[]
  /** Tyres that need not be bought because a set is moved. */
  readonly saved: number
  /** Tyres that are not bought because their vehicles go back before they pay. */
  readonly unpaid: { readonly tyres: number; readonly vehicles: readonly V[] }
}

/**
 * The tyres that a fleet has to buy for a season: by size, season, axle, the load and speed that are needed there, and whether the tyre
 * is needed when the season begins or wears down during it. Sets without a vehicle are used first, and nothing is bought for a vehicle that goes
 * back before the tyre pays.
 */
export function buyingPlan<V, S>(
  fleet: readonly Buyer<V>[],
  spares: readonly Spare<S>[],
  list: BuyingFor,
): BuyingPlan<V, S> {
  const last = addDays(seasonSpan(list.season, list.today).until, -1)
  const lasts = ({ db_id }: Owned) => (list.nearing.get(db_id)?.from ?? '9999-12-31') > last
  const needs = fleet.map(buyer => {
    const pieces = piecesOf(buyer, list)
    return { buyer, pieces, worth: pieces.filter(piece => pays(buyer, piece, list)) }
  })
  const leftovers: Leftover<S>[] = spares
    .filter(({ tyres }) => tyres.every(tyre => tyre.operation === null && tyre.tyre_status !== 'waste' && lasts(tyre)))
    .map(({ set, tyres }) => ({ set, fitting: fittingSet(tyres) }))
  // one that has none, or none of whose tyres lasts
  const lacking: Lacking<(typeof needs)[number]>[] = needs.flatMap(need => {
    const { buyer, pieces, worth } = need
    const wheels = buyer.axles ? positionsOf(buyer.axles).length : 0
    const lacks = wheels > 0 && pieces.filter(({ sure, until }) => sure && until === null).length === wheels
    return lacks ? [{ vehicle: need, place: fittingPlace(buyer), saves: worth.filter(({ sure }) => sure).length }] : []
  })
  const given = matchSets(leftovers, lacking, list.season)
  const served = new Set(given.map(({ vehicle }) => vehicle))
  const unpaid = needs.filter(({ pieces, worth }) => worth.length < pieces.length)
  return {
    lines: linesOf(needs.filter(need => !served.has(need)).flatMap(({ worth }) => worth)),
    matches: given.map(({ vehicle, ...match }) => ({ ...match, vehicle: vehicle.buyer.vehicle })),
    saved: given.reduce((sum, { saves }) => sum + saves, 0),
    unpaid: {
      tyres: unpaid.reduce((sum, { pieces, worth }) => sum + pieces.length - worth.length, 0),
      vehicles: unpaid.map(({ buyer }) => buyer.vehicle),
    },
  }
}
