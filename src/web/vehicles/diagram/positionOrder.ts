import { comparePositions } from '#domain/vehicles/axle.ts'
import type { Tyre } from '#contract/wire.ts'

/** Tyres in the order of their positions, those of one position by their id. */
export const inPositionOrder = <T extends { position: string; db_id: number }>(tyres: readonly T[]): readonly T[] =>
  tyres.toSorted((a, b) => comparePositions(a.position, b.position) || a.db_id - b.db_id)

/** Compares names of sets; tyres without one come last. */
export function setOrder(language: string): (a: string | null, b: string | null) => number {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return (a, b) => Number(a === null) - Number(b === null) || compare(a ?? '', b ?? '')
}

type Placed = Pick<Tyre, 'db_id' | 'position' | 'tyre_set' | 'tyre_status'>

/** In the order of measuring: round the vehicle first, then set by set. */
export function inMeasuringOrder<T extends Placed>(tyres: readonly T[], language: string): readonly T[] {
  const bySet = setOrder(language)
  const away = ({ tyre_status: status }: Placed) => (status === 'on_vehicle' ? 0 : status === 'on_spare' ? 1 : 2)
  return inPositionOrder(tyres).toSorted(
    (a, b) => away(a) - away(b) || (away(a) === 2 ? bySet(a.tyre_set, b.tyre_set) : 0),
  )
}

/**
 * The positions of tyres as a sentence names them. Where a position alone does not say which tyre of the vehicle is meant,
 * its set stands beside it: `1A, 1B (Summer); 1A (Winter)`.
 */
export function positionsIn(tyres: readonly Placed[], vehicle: readonly Placed[], setless: string): string {
  const positions = (some: readonly Placed[]) => [...new Set(some.map(({ position }) => position))].join(', ')
  const meant = new Set(tyres.map(({ db_id: id }) => id))
  const named = new Set(tyres.map(({ position }) => position))
  const isClear = vehicle.every(
    ({ db_id: id, position, tyre_status: status }) => meant.has(id) || status === 'waste' || !named.has(position),
  )
  if (isClear && named.size === tyres.length) return positions(tyres)
  return [...Map.groupBy(tyres, ({ tyre_set: set }) => set)]
    .map(([set, some]) => `${positions(some)} (${set ?? setless})`)
    .join('; ')
}
