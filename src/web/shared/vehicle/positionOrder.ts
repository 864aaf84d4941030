import { comparePositions } from '#domain/axle.ts'

/** Tyres in the order of their positions, those of one position by their id. */
export const inPositionOrder = <T extends { position: string; db_id: number }>(tyres: readonly T[]): readonly T[] =>
  tyres.toSorted((a, b) => comparePositions(a.position, b.position) || a.db_id - b.db_id)
