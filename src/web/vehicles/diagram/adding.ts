/** Tyres that are about to be added to a vehicle: which article on which position. */
import type { RawInput } from '#contract/call.ts'
import type { tyres as calls, unknownArticle } from '#contract/tyres.ts'
import type { z } from 'zod'
import { comparePositions } from '#domain/vehicles/axle.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import { isSameSet, setNameRequired, takenPositions } from '#domain/tyres/tyreSet.ts'

type UnknownArticle = Required<z.input<typeof unknownArticle>>
/** An article of the catalogue, or one that it does not have. */
export type Chosen = { key: string; description: string } & ({ article: number } | { unknown: UnknownArticle })
/** Which chosen article each position gets. */
export type Placed = ReadonlyMap<string, string>
type Present = { db_id: number; position: string; tyre_set: string | null; tyre_status: TyreStatus }

/** The longest description of an article that the catalogue does not have. */
export const unknownDescriptionMax = 99
/** The longest name of a set that the contract takes. */
export const setNameMax = 40

/** Gives these positions to an article; when it has all of them already, takes them from it again. */
export function placed(before: Placed, positions: readonly string[], key: string): Placed {
  const after = new Map(before)
  const has = positions.every(position => before.get(position) === key)
  for (const position of positions) {
    if (has) after.delete(position)
    else after.set(position, key)
  }
  return after
}

/** Without the positions of an article that is no longer chosen. */
export const without = (before: Placed, key: string): Placed =>
  new Map([...before].filter(([, article]) => article !== key))

/** The positions of an article, in order. */
export const positionsFor = (placed: Placed, key: string): string[] =>
  [...placed].flatMap(([position, article]) => (article === key ? [position] : [])).sort(comparePositions)

/** The name of the set as it is kept; `null` for none. */
export const setNamed = (name: string): string | null => name.trim() || null

/** Whether tyres that are added to this vehicle need one. */
export const needsSetName = (tyres: readonly Present[], positions: number): boolean =>
  setNameRequired({
    setless: tyres.filter(tyre => tyre.tyre_set === null && tyre.tyre_status !== 'waste').length,
    positions,
  })

/** The positions among these that a tyre of the set holds already. Without a set every position is free. */
export const takenIn = (tyres: readonly Present[], set: string | null, positions: readonly string[]): string[] =>
  set === null
    ? []
    : takenPositions(
        positions.map(position => ({ position })),
        tyres.filter(tyre => isSameSet(tyre.tyre_set, set)),
      )

/** The input for the server: a tyre per position, in order; articles without a position add none. */
export function tyresToAdd(chosen: readonly Chosen[], placed: Placed): RawInput<typeof calls.add>['tyres'] {
  return [...placed]
    .toSorted(([a], [b]) => comparePositions(a, b))
    .flatMap(([position, key]) => {
      const choice = chosen.find(candidate => candidate.key === key)
      if (!choice) return []
      return ['article' in choice ? { position, art_id: choice.article } : { position, unknown: choice.unknown }]
    })
}
