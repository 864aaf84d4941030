/** The closed days of a site after an edit of its configuration (docs/product/operations.md "Closed days"). */
import type { ClosedDay } from '#domain/operations/closedDays.ts'
import type { Tx } from '../../db/database.ts'
import { openDays, setClosedDays } from './closedDays.sql.ts'

const nameOf = ({ holiday, name }: ClosedDay): string => holiday ?? name
/** In the audit a day is called by its date. */
const fact = ({ day }: ClosedDay) => ({ name: day })

/** Saves the closed days and returns the changes as facts for the audit, empty without changes. */
export async function saveClosedDays(
  tx: Tx,
  site: number,
  current: readonly ClosedDay[],
  wanted: readonly ClosedDay[] | undefined,
): Promise<{ closedDays?: Record<'added' | 'changed' | 'removed', readonly object[]> }> {
  if (wanted === undefined) return {}
  const before = new Map(current.map(closed => [closed.day, closed]))
  const added = wanted.filter(({ day }) => !before.has(day))
  const changed = wanted.flatMap(closed => {
    const was = before.get(closed.day)
    const same = was === undefined || (was.holiday === closed.holiday && was.name === closed.name)
    return same ? [] : [{ closed, fact: { ...fact(closed), description: [nameOf(was), nameOf(closed)] } }]
  })
  const removed = current.filter(({ day }) => !wanted.some(closed => closed.day === day))
  if (added.length + changed.length + removed.length === 0) return {}
  await tx.run(setClosedDays, { site, rows: JSON.stringify([...added, ...changed.map(({ closed }) => closed)]) })
  await tx.run(openDays, { site, days: removed.map(({ day }) => day) })
  return {
    closedDays: { added: added.map(fact), changed: changed.map(row => row.fact), removed: removed.map(fact) },
  }
}
