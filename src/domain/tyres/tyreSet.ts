/** Sets of tyres: a name for tyres that belong together, with one tyre on each position (docs/product/tyres.md "Tyre sets"). */
import { comparePositions } from '../vehicles/axle.ts'
import { setless } from './tyre.ts'

/**
 * Whether tyres that are added to a vehicle need a set name: it has setless tyres, at least as many as positions, so that
 * further ones could not be told apart.
 */
export const setNameRequired = ({ setless, positions }: { setless: number; positions: number }): boolean =>
  setless > 0 && setless >= positions

/** The key that all spellings of a set's name share: blanks around a name and capitals make no other set. */
const setKey = (name: string): string => name.trim().toLowerCase()

/** Whether these are names of one set of a vehicle. */
export const isSameSet = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : setKey(a) === setKey(b)

/** Whether no set can be called so, because tyres without a set travel under that name. */
export const isReservedSetName = (name: string): boolean => setKey(name) === setless

/** A tyre in a set. A tyre that is being added has no `db_id` yet. */
type Placed = { position: string; db_id?: number; tyre_status?: string }

/**
 * The positions of selected tyres that are taken in the set they are to join, in order and each once; with none they may join.
 * `others` are the tyres of that set on the same vehicle: the selected ones may be among them, and waste takes no position. Of
 * two selected tyres on one position the second finds it taken.
 */
export function takenPositions(selected: readonly Placed[], others: readonly Placed[]): string[] {
  const ids = new Set(selected.flatMap(tyre => tyre.db_id ?? []))
  const taken = new Set(
    others
      .filter(tyre => tyre.tyre_status !== 'waste' && (tyre.db_id === undefined || !ids.has(tyre.db_id)))
      .map(tyre => tyre.position),
  )
  const conflicts = new Set<string>()
  for (const { position } of selected) {
    if (taken.has(position)) conflicts.add(position)
    taken.add(position)
  }
  return [...conflicts].sort(comparePositions)
}
