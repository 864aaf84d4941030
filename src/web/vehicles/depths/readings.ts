/** The depths that were measured on a tyre in the course of time, and their curve. */
import type { TyreEvent } from '#contract/tyres.ts'
import { daysBetween, type IsoDate, wallClock } from '#domain/texts/date.ts'
import { depth as depths } from '#domain/tyres/tyre.ts'

export type Reading = { date: IsoDate; depth: number; odometer: number | null }

/** By the id of a tyre. */
export type Readings = ReadonlyMap<number, readonly Reading[]>

/** The readings of each tyre, oldest first. Of several on one day the last one entered is the one that counts. */
export function readingsOf(events: readonly TyreEvent[], timeZone: string): Readings {
  const byTyre = new Map<number, Map<IsoDate, Reading>>()
  // Events come newest first.
  for (const event of events.toReversed()) {
    if (event.kind !== 'measured' || event.depth === null || event.undone) continue
    const { date } = wallClock({ now: new Date(event.at), timeZone })
    const mine = byTyre.get(event.tyre) ?? new Map<IsoDate, Reading>()
    byTyre.set(event.tyre, mine.set(date, { date, depth: event.depth, odometer: event.odometer }))
  }
  return new Map(
    [...byTyre].map(([tyre, days]) => [tyre, [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1))]),
  )
}

/** Where each reading lies in a picture of this size: time from left to right, depth from 0 below to 10 mm above. */
export function pointsOf(
  readings: readonly Reading[],
  { width, height }: { width: number; height: number },
): { x: number; y: number }[] {
  const [first] = readings
  const last = readings.at(-1)
  if (!first || !last) return []
  const days = daysBetween(first.date, last.date)
  return readings.map(({ date, depth }) => ({
    x: days === 0 ? width / 2 : (daysBetween(first.date, date) / days) * width,
    y: heightOf(depth, height),
  }))
}

/** How far down a depth lies. */
export const heightOf = (depth: number, height: number): number => height - (depth / depths.max) * height
