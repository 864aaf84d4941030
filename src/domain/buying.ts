/** Which tyres a fleet has to buy for a season (docs/product.md "Buying list"). */
import { type Axle, positionsOf } from './axle.ts'
import { neededService, type Service, serviceIn, sizeIn } from './fitness.ts'
import { type ChangeSeason, seasonChange } from './seasonChange.ts'
import { type TreadCase, verdictOf } from './tread.ts'
import type { TyreStatus } from './tyre.ts'

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

/** Tyres to be bought: `least` for sure, `most` when those that nobody measured are to be replaced, too. */
export type BuyingLine<V> = {
  /** `null`: none of its tyres says one. */
  size: string | null
  season: string
  axle: number
  needed: Service
  least: number
  most: number
  vehicles: readonly V[]
}

type Piece<V> = { vehicle: V; size: string | null; season: string; axle: number; needed: Service; sure: boolean }

const axleOf = (position: string): number => Number.parseInt(position, 10)
const nothing: Service = { load: null, speed: null }

/** The tyres of a vehicle's set for the season that are to be replaced, or may be; without any set, one for each of its wheels. */
function piecesOf<V>(
  { vehicle, tyres, axles, judged }: Buyer<V>,
  season: ChangeSeason,
  withDepth: boolean,
): Piece<V>[] {
  const living = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const needed = neededService(living)
  const { stored, worn, verdict } = seasonChange(living, season, judged)
  const piece = (position: string, like: Owned | undefined, sure: boolean): Piece<V> => ({
    vehicle,
    size: like ? sizeIn(like.description) : null,
    season: (verdict === 'missing' ? null : like?.season) ?? season,
    axle: axleOf(position),
    needed: needed.get(axleOf(position)) ?? (like ? serviceIn(like.description) : nothing),
    sure,
  })
  if (verdict === 'missing') {
    const positions = axles ? positionsOf(axles) : [...new Set(living.map(({ position }) => position))]
    const like = (position: string) =>
      living.find(tyre => tyre.position === position) ?? living.find(tyre => axleOf(tyre.position) === axleOf(position))
    return positions.map(position => piece(position, like(position), true))
  }
  if (!withDepth) return []
  const judgedSet = stored.length > 0 ? stored : worn
  return judgedSet.flatMap(tyre => {
    const found = verdictOf(tyre, judged)
    return found === 'good' ? [] : [piece(tyre.position, tyre, found !== 'unknown')]
  })
}

/** What a fleet has to buy for a season, by size, season, axle, and the load and speed that are needed there. */
export function buyingList<V>(
  fleet: readonly Buyer<V>[],
  season: ChangeSeason,
  { withDepth }: { withDepth: boolean },
): BuyingLine<V>[] {
  const pieces = fleet.flatMap(buyer => piecesOf(buyer, season, withDepth))
  const keyOf = ({ size, season: of, axle, needed }: Piece<V>) =>
    [size ?? '~', of, String(axle), needed.load ?? '', needed.speed ?? ''].join(' ')
  return [...Map.groupBy(pieces, keyOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, some]) => {
      const [first] = some
      if (!first) return []
      const { size, season: of, axle, needed } = first
      return [
        {
          size,
          season: of,
          axle,
          needed,
          least: some.filter(({ sure }) => sure).length,
          most: some.length,
          vehicles: [...new Set(some.map(({ vehicle }) => vehicle))],
        },
      ]
    })
}
