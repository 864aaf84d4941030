/** The tyre shown at each position of the picture, when a vehicle has several sets. */
import { type Axle, comparePositions, positionsOf } from '#domain/vehicles/axle.ts'
import type { TreadLook } from '#domain/tyres/tread.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'

export type PictureTyre = {
  id: number
  position: string
  /** `null` for a setless tyre. */
  set: string | null
  description: string
  /** `preselected` is selected in a moment; `blocked` can't be. */
  state: 'free' | 'preselected' | 'selected' | 'blocked'
  /** Why it can't be selected. */
  reason?: string | undefined
  /** The depth shown on the tyre in the picture, and its verdict. */
  depth?: string | undefined
  tread?: TreadLook | null | undefined
  /** Its status as a sign. */
  status?: TyreStatus | undefined
}

/** The sets that the picture can show one of; none when every position has one tyre at most and all show together. */
export function setsToSwitch(tyres: readonly PictureTyre[]): (string | null)[] {
  const sets = [...new Set(tyres.map(tyre => tyre.set))]
  const crowded = [...Map.groupBy(tyres, tyre => tyre.position).values()].some(
    some => new Set(some.map(tyre => tyre.set)).size > 1,
  )
  return crowded ? sets.sort((a, b) => (a ?? '\uFFFF').localeCompare(b ?? '\uFFFF')) : []
}

/** The set to begin with: the first in which something can be selected, else the first. */
export function firstShown(sets: readonly (string | null)[], tyres: readonly PictureTyre[]): string | null {
  const open = sets.findIndex(set => tyres.some(tyre => tyre.set === set && tyre.state !== 'blocked'))
  return sets[Math.max(open, 0)] ?? null
}

/** The tyres at each position, and those at positions that the configuration doesn't have. */
export function occupantsOf(axles: readonly Axle[], tyres: readonly PictureTyre[]) {
  const positions = new Set<string>(positionsOf(axles))
  const at = Map.groupBy(tyres, tyre => tyre.position)
  const elsewhere = [...at.keys()].filter(position => !positions.has(position)).sort(comparePositions)
  return { at: (position: string): readonly PictureTyre[] => at.get(position) ?? [], elsewhere }
}

/** How a position looks that holds several tyres of one set (setless ones can): selected when all that can be are. */
export function stateOf(tyres: readonly PictureTyre[]): PictureTyre['state'] | 'partly' | 'empty' {
  if (tyres.length === 0) return 'empty'
  const free = tyres.filter(tyre => tyre.state !== 'blocked')
  if (free.length === 0) return 'blocked'
  if (free.every(tyre => tyre.state === 'selected')) return 'selected'
  if (free.some(tyre => tyre.state === 'preselected')) return 'preselected'
  return free.some(tyre => tyre.state === 'selected') ? 'partly' : 'free'
}
