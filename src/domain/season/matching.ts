/** Left-over sets for vehicles that lack one (docs/product/season.md "Buying list"). */
import { type FittingPlace, type FittingSet, fits } from '../tyres/fitting.ts'
import type { ChangeSeason } from './seasonChange.ts'

export type Leftover<S> = { readonly set: S; readonly fitting: FittingSet }
export type Lacking<V> = {
  readonly vehicle: V
  readonly place: FittingPlace
  /** How many tyres need not be bought for it if it gets a set. */
  readonly saves: number
}
export type Match<S, V> = { readonly set: S; readonly vehicle: V; readonly saves: number }

/**
 * Gives left-over sets to vehicles for a season: so that the fewest tyres have to be bought, with the fewest moves, and never a set that does not
 * fit. The vehicles that can be served together are the independent sets of a matroid, so taking those first that save most is best; each takes
 * a free set, or one whose vehicle can take another. A set that a vehicle looked for in vain is of no use to later ones either.
 */
export function matchSets<S, V>(
  leftovers: readonly Leftover<S>[],
  lacking: readonly Lacking<V>[],
  season: ChangeSeason,
): Match<S, V>[] {
  const sets = leftovers.map(({ fitting }) => fitting)
  const byPositions = Map.groupBy(sets.keys(), nth => sets[nth]?.positions ?? '')
  const wanting = lacking.filter(({ saves }) => saves > 0).toSorted((a, b) => b.saves - a.saves)
  const takenBy = new Map<number, number>()
  const offered = new Map<number, readonly number[]>()
  const useless = new Set<number>()
  const setsFor = (nth: number): readonly number[] => {
    const { place } = wanting[nth] as Lacking<V>
    const ready = offered.get(nth)
    if (ready) return ready
    const some = (byPositions.get(place.positions) ?? []).filter(set => fits(sets[set] as FittingSet, place, season))
    offered.set(nth, some)
    return some
  }
  for (const nth of wanting.keys()) {
    if (useless.size === sets.length) break
    const looked = new Set<number>()
    // from which vehicle a set was looked at; a vehicle looks at all of its sets before others move
    const from = new Map<number, number>()
    const waiting = [nth]
    let free: number | undefined
    for (let at = 0; at < waiting.length && free === undefined; at++) {
      const vehicle = waiting[at] as number
      for (const set of setsFor(vehicle)) {
        if (useless.has(set) || looked.has(set)) continue
        looked.add(set)
        from.set(set, vehicle)
        const owner = takenBy.get(set)
        if (owner === undefined) {
          free = set
          break
        }
        waiting.push(owner)
      }
    }
    if (free === undefined) {
      for (const set of looked) useless.add(set)
      continue
    }
    // each vehicle on the way hands its set on and takes the next one
    const given = new Map([...takenBy].map(([set, vehicle]) => [vehicle, set]))
    for (let set: number | undefined = free; set !== undefined;) {
      const vehicle = from.get(set) as number
      const before = given.get(vehicle)
      takenBy.set(set, vehicle)
      set = vehicle === nth ? undefined : before
    }
  }
  return [...takenBy]
    .toSorted(([, a], [, b]) => a - b)
    .map(([set, nth]) => {
      const { vehicle, saves } = wanting[nth] as Lacking<V>
      return { set: (leftovers[set] as Leftover<S>).set, vehicle, saves }
    })
}
