/** Events of several tyres of a vehicle in one moment, as one. */
import type { TyreEvent } from '#contract/tyres.ts'
import { comparePositions } from '#domain/vehicles/axle.ts'

export type EventGroup = readonly [TyreEvent, ...TyreEvent[]]

/** The events in their order; those of one moment, kind, operation and person, with the same note, together, by position. */
export function eventGroups(events: readonly TyreEvent[]): EventGroup[] {
  const groups = Map.groupBy(events, ({ at, kind, operation, by, note, undone }) =>
    JSON.stringify([at, kind, operation, by, note, undone]),
  )
  return [...groups.values()].flatMap(some => {
    const [first, ...others] = some.toSorted((a, b) => comparePositions(a.position, b.position) || a.tyre - b.tyre)
    return first ? [[first, ...others] as const] : []
  })
}

/** The text of each tyre: once where all have the same, else with their positions. */
export function textsOf(group: EventGroup, textOf: (event: TyreEvent) => string): string {
  const texts = group.map(textOf)
  if (new Set(texts).size === 1) return texts[0] ?? ''
  return group.flatMap((event, nth) => (texts[nth] ? `${event.position} ${texts[nth]}` : [])).join(' · ')
}
