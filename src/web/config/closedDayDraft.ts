/** The closed days of a configuration while it is edited. */
import { byDate, type ClosedDay } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'

/** Adds closed days, each once; an existing one takes the new name. */
export const withClosed = (closedDays: readonly ClosedDay[], more: readonly ClosedDay[]): ClosedDay[] =>
  [...closedDays.filter(({ day }) => !more.some(other => other.day === day)), ...more].toSorted(byDate)

export const withoutClosed = (closedDays: readonly ClosedDay[], day: IsoDate): ClosedDay[] =>
  closedDays.filter(closed => closed.day !== day)

type Versions = Record<'base' | 'mine' | 'theirs', readonly ClosedDay[]>

/** Which days I closed, renamed or opened since `base`, upon those that are saved now. */
export function mergedClosed({ base, mine, theirs }: Versions): ClosedDay[] {
  const before = new Map(base.map(closed => [closed.day, closed]))
  const isNew = ({ day, holiday, name }: ClosedDay) => {
    const was = before.get(day)
    return was === undefined || was.holiday !== holiday || was.name !== name
  }
  const opened = base.filter(({ day }) => !mine.some(closed => closed.day === day))
  return withClosed(
    theirs.filter(({ day }) => !opened.some(closed => closed.day === day)),
    mine.filter(isNew),
  )
}
