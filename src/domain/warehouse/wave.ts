/**
 * Waves: recalls of one delivery day and transport, taken out of the racks in one walk by several pickers (docs/product/warehouse.md "Waves").
 * A line of a wave is a set, or what lies of it on one location.
 */
import type { WheelState } from '../tyres/wheel.ts'

/** The units in which a wave can be limited. */
export const waveUnits = ['wheels', 'sets'] as const
export type WaveUnit = (typeof waveUnits)[number]
/** The largest wave, in wheels or sets. */
export const maxWave = 400

/** A wheel that is to leave, where it is. `aisle` is its rack, or what stands for one; `walk` the number of its place in the walk. */
export type Recalled = {
  readonly tyre: number
  readonly operation: number
  /** The tyre set; empty without one. */
  readonly set: string
  readonly location: number | null
  readonly aisle: number | null
  readonly walk: number
}
export type PlannedLine = Pick<Recalled, 'operation' | 'location' | 'aisle' | 'walk'> & {
  readonly tyres: readonly number[]
}

const setOf = ({ operation, set }: Recalled): string => `${operation} ${set}`
const firstWalk = (wheels: readonly Recalled[]): number => Math.min(...wheels.map(({ walk }) => walk))
const inWalkOrder = (
  a: Pick<Recalled, 'walk' | 'location' | 'operation'>,
  b: Pick<Recalled, 'walk' | 'location' | 'operation'>,
) => a.walk - b.walk || (a.location ?? 0) - (b.location ?? 0) || a.operation - b.operation

/**
 * The lines of a wave in the order of the walk. Operations are taken whole, nearest to the beginning of the walk first, as far as
 * they fit into `most`; one that does not fit is left for a next wave.
 */
export function planWave(
  recalled: readonly Recalled[],
  { most, unit }: { most: number; unit: WaveUnit },
): PlannedLine[] {
  const operations = [...Map.groupBy(recalled, ({ operation }) => operation).values()].toSorted(
    (a, b) => firstWalk(a) - firstWalk(b) || (a[0]?.operation ?? 0) - (b[0]?.operation ?? 0),
  )
  const taken: Recalled[] = []
  let count = 0
  for (const wheels of operations) {
    const size = unit === 'wheels' ? wheels.length : new Set(wheels.map(setOf)).size
    if (count + size > most) continue
    count += size
    taken.push(...wheels)
  }
  return [...Map.groupBy(taken, wheel => `${setOf(wheel)} ${wheel.location}`).values()]
    .flatMap(wheels => {
      const [first] = wheels
      if (!first) return []
      const { operation, location, aisle, walk } = first
      return [{ operation, location, aisle, walk, tyres: wheels.map(({ tyre }) => tyre) }]
    })
    .toSorted(inWalkOrder)
}

/** After how many minutes without a pick the line of a picker is free for others. */
export const claimMinutes = 15

/** A line that still has wheels to pick, with who has claimed it: an account on a device. `line` is its number in the walk. */
export type OpenLine = { readonly line: number; readonly aisle: number | null; readonly by: string | null }

/**
 * The line that a picker takes next: their own; else the next free one of the aisle in which they are, ahead before behind; else the
 * first free one, counted on from where they are, of an aisle in which nobody else works; and only when there is none, one of an
 * aisle that they share. `null` when every line is somebody else's. `last` is the line that they took before.
 */
export function nextLine(
  lines: readonly OpenLine[],
  picker: string,
  last: { readonly line: number; readonly aisle: number | null } | null,
): number | null {
  const own = lines.find(({ by }) => by === picker)
  if (own) return own.line
  const taken = new Set(lines.flatMap(({ by, aisle }) => (by === null ? [] : [aisle])))
  const from = last?.line ?? 0
  const rankOf = ({ line, aisle }: OpenLine): number[] => [
    last && aisle === last.aisle && !taken.has(aisle) ? 0 : taken.has(aisle) ? 2 : 1,
    line >= from ? 0 : 1,
    line,
  ]
  const [next] = lines
    .filter(({ by }) => by === null)
    .toSorted((a, b) => {
      const [ranksA, ranksB] = [rankOf(a), rankOf(b)]
      const at = ranksA.findIndex((rank, nth) => rank !== ranksB[nth])
      return at < 0 ? 0 : (ranksA[at] ?? 0) - (ranksB[at] ?? 0)
    })
  return next?.line ?? null
}

/** States of a wheel in which it is still to be picked. */
export const toPick = ['at_place', 'received', 'on_cart'] as const satisfies readonly WheelState[]
const isToPick = (state: WheelState): boolean => (toPick as readonly WheelState[]).includes(state)

/** The outcomes of scanning a wheel during a wave. All but the first two are errors. */
export const pickOutcomes = ['picked', 'again', 'other_set', 'not_in_wave', 'other_site'] as const
export type PickOutcome = (typeof pickOutcomes)[number]

/**
 * The outcome when a picker at a line scans a wheel. `wheel` is `null` if it is not in the wave, or its recall is no longer for the
 * wave's day and transport. A missing wheel of the line is found by the scan.
 */
export function pickOutcome(
  wheel: { readonly line: number; readonly state: WheelState } | null,
  line: number | null,
): PickOutcome {
  if (!wheel) return 'not_in_wave'
  const isOpen = isToPick(wheel.state) || wheel.state === 'missing'
  if (!isOpen) return 'again'
  return wheel.line === line ? 'picked' : 'other_set'
}

/** The outcomes of scanning a location during a wave. */
export const stageOutcomes = ['staged', 'here', 'no_lane', 'lane_other', 'nothing_carried'] as const
export type StageOutcome = (typeof stageOutcomes)[number]

/** A transport on a day: its wheels are loaded together. */
export type Load = { readonly transport: number; readonly day: string }
/** Whether two loads are for the same transport on the same day. */
export const isSameLoad = (a: Load, b: Load): boolean => a.transport === b.transport && a.day === b.day

/** The outcome when a picker scans a location: a lane that holds other pickers' wheels of another transport or day is not theirs. */
export function stageOutcome(
  location: { readonly kind: string; readonly isHere: boolean; readonly holds: readonly Load[] },
  { carried, load }: { carried: number; load: Load },
): StageOutcome {
  if (location.kind !== 'lane') return location.isHere ? 'here' : 'no_lane'
  if (location.holds.some(other => !isSameLoad(other, load))) return 'lane_other'
  return carried === 0 ? 'nothing_carried' : 'staged'
}
