/** Sets of tyres: a name for tyres that belong together, with one tyre on each position (SPEC §5 "Tyre set name"). */
import { comparePositions } from './axle.ts'

/**
 * Whether tyres that are added to a vehicle need a set name: it has setless tyres, at least one for each of its
 * positions, so that further ones could not be told apart (SPEC §5).
 */
export const setNameRequired = ({ setless, positions }: { setless: number; positions: number }): boolean =>
  setless > 0 && setless >= positions

/** A tyre in a set. `db_id` is not there for a tyre that is only being added. */
type Placed = { position: string; db_id?: number; tyre_status?: string }

/**
 * The positions on which tyres that are to join a set would meet another one, in order and each once; with none they may
 * join. `others` are the tyres of that set on the same vehicle: the selected ones may be among them, and waste takes no
 * position. Two of the selected on one position meet each other.
 */
export function takenPositions(selected: readonly Placed[], others: readonly Placed[]): string[] {
  const ids = new Set(selected.flatMap(tyre => tyre.db_id ?? []))
  const taken = new Set(
    others
      .filter(tyre => tyre.tyre_status !== 'waste' && (tyre.db_id === undefined || !ids.has(tyre.db_id)))
      .map(tyre => tyre.position),
  )
  const meeting = new Set<string>()
  for (const { position } of selected) {
    if (taken.has(position)) meeting.add(position)
    taken.add(position)
  }
  return [...meeting].sort(comparePositions)
}
