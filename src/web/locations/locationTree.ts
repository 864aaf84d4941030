/** The stock locations as a tree that a screen opens and searches. */
import { locationName } from '../shared/format.ts'
import type { Location } from '#contract/locations.ts'
import { totalsOf, type Totals } from '#domain/warehouse/location.ts'

export type Tree = {
  readonly byId: ReadonlyMap<number, Location>
  /** The children of a location (`null`: of the root), in natural order: 2 before 10. */
  readonly below: ReadonlyMap<number | null, readonly Location[]>
  readonly totals: ReadonlyMap<number, Totals>
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const none: Totals = { places: 0, capacity: 0, tyre_count: 0, coming: 0 }

export function treeOf(locations: readonly Location[]): Tree {
  const below = Map.groupBy(locations, ({ parent }) => parent)
  for (const group of below.values())
    group.sort((a, b) => names.compare(a.name, b.name) || names.compare(a.stock_rack, b.stock_rack) || a._id - b._id)
  return {
    byId: new Map(locations.map(location => [location._id, location])),
    below,
    totals: totalsOf(locations),
  }
}

export const totalsAt = (tree: Tree, id: number): Totals => tree.totals.get(id) ?? none

export type Row = {
  location: Location
  /** 1 at the top. */
  level: number
  /** `null`: nothing lies in it. */
  open: boolean | null
}

/** The visible rows: an open location is followed by its children. */
export function rowsOf(tree: Tree, open: ReadonlySet<number>): Row[] {
  const rows: Row[] = []
  const add = (parent: number | null, level: number) => {
    for (const location of tree.below.get(parent) ?? []) {
      const holds = tree.below.has(location._id)
      const isOpen = open.has(location._id)
      rows.push({ location, level, open: holds ? isOpen : null })
      if (holds && isOpen) add(location._id, level + 1)
    }
  }
  add(null, 1)
  return rows
}

/** The ancestors of a location, from the root on. */
export function above(tree: Tree, id: number): number[] {
  const way: number[] = []
  for (let at = tree.byId.get(id)?.parent; at != null; at = tree.byId.get(at)?.parent) way.unshift(at)
  return way
}

/** A typed rack name without its punctuation: only letters and digits count. */
const folded = (text: string): string => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Locations whose path contains the typed text, those that begin with it first; the name of a site matches, too. */
export function findRacks(tree: Tree, typed: string): Location[] {
  const wanted = folded(typed)
  if (wanted === '') return []
  return [...tree.byId.values()]
    .map(location => ({ location, at: folded(locationName(location)).indexOf(wanted) }))
    .filter(({ at }) => at >= 0)
    .sort(
      (a, b) =>
        a.at - b.at ||
        a.location.stock_rack.length - b.location.stock_rack.length ||
        names.compare(a.location.stock_rack, b.location.stock_rack) ||
        a.location._id - b.location._id,
    )
    .map(({ location }) => location)
}

/** The labelled locations of a branch: all that can hold tyres, in the order of the walk; a branch without any is its own. */
export function labelledIn(tree: Tree, id: number): number[] {
  const carriers: Location[] = []
  const look = (at: number) => {
    const location = tree.byId.get(at)
    if (location && location.capacity > 0) carriers.push(location)
    for (const { _id } of tree.below.get(at) ?? []) look(_id)
  }
  look(id)
  return carriers.length > 0 ? carriers.sort((a, b) => a.walk - b.walk || a._id - b._id).map(({ _id }) => _id) : [id]
}
