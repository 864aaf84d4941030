/** Which tyres a fleet has to buy for a season, and by when (docs/product/season.md "Buying list"). */
import { type Axle, positionsOf } from '../vehicles/axle.ts'
import { addDays, type IsoDate } from '../texts/date.ts'
import { neededInSummer, neededService, provesSpeed, type Service, serviceIn, sizeIn } from '../tyres/fitness.ts'
import { type ChangeSeason, seasonChange, seasonSpan } from './seasonChange.ts'
import { type TreadCase, treadLimits, verdictOf } from '../tyres/tread.ts'
import type { TyreStatus } from '../tyres/tyre.ts'

type Owned = {
  db_id: number
  position: string
  description: string
  season: string | null
  tyre_status: TyreStatus
  tyre_set: string | null
  profile_depth: number | null
  operation: number | null
}
export type Buyer<V> = {
  vehicle: V
  tyres: readonly Owned[]
  /** `null`: it has no configuration. */
  axles: readonly Axle[] | null
  judged: TreadCase
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
}

const axleOf = (position: string): number => Number.parseInt(position, 10)
const nothing: Service = { load: null, speed: null }

/** The load and speed that a tyre like this one needs if the first set has no tyre on its axle. */
function serviceOf({ description, season }: Owned, bought: string): Service {
  const service = serviceIn(description)
  return bought === 'summer' && !provesSpeed(season) ? { ...service, speed: null } : service
}

/** When a tyre has to be there, and whether it surely has to. */
type Need = Pick<Piece<unknown>, 'sure' | 'by' | 'until'>

/** Whether and when a tyre is to be replaced; `null`: it lasts the season, as far as anybody knows. */
function needOf(tyre: Owned, judged: TreadCase, { season, today, nearing }: BuyingFor): Need | null {
  const { from: begins, until: ends } = seasonSpan(season, today)
  const last = addDays(ends, -1)
  // a tyre that is on the vehicle is driven today
  const by = tyre.tyre_status === 'on_vehicle' || begins < today ? today : begins
  const verdict = verdictOf(tyre, judged)
  if (verdict !== 'good') return { sure: verdict !== 'unknown', by, until: null }
  if (tyre.profile_depth === treadLimits(tyre.season, judged).wanted) return { sure: true, by, until: last }
  const forecast = nearing.get(tyre.db_id)
  if (!forecast || forecast.from > last) return null
  return { sure: forecast.until <= ends, by: forecast.from, until: forecast.until < last ? forecast.until : last }
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
    const need = { sure: true, by: from < today ? today : from, until: null }
    return positions.map(position => piece(position, like(position), need))
  }
  if (!withDepth) return []
  return (stored.length > 0 ? stored : worn).flatMap(tyre => {
    const need = needOf(tyre, judged, list)
    return need ? [piece(tyre.position, tyre, need)] : []
  })
}

/**
 * The tyres that a fleet has to buy for a season: by size, season, axle, the load and speed that are needed there, and whether the tyre
 * is needed when the season begins or wears down during it.
 */
export function buyingList<V>(fleet: readonly Buyer<V>[], list: BuyingFor): BuyingLine<V>[] {
  const pieces = fleet.flatMap(buyer => piecesOf(buyer, list))
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
