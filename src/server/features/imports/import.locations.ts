/** Saves the locations of a file: each row finds its place in the tree, with what holds it, or is refused. */
import { childPath, maxLocationsAtOnce, type LocationKind } from '#domain/warehouse/location.ts'
import type { Tx } from '../../db/database.ts'
import { RowRefused } from './import.refused.ts'
import { columnOfLevel, type LocationRow } from './import.rows.ts'
import * as sql from './import.locations.sql.ts'
import type { Saved } from './import.tyres.ts'

type Importing = { readonly tx: Tx; readonly site: number; readonly import: number }

/** A location of the tree: one that exists (`id`), or one that the file brings. */
type Node = {
  readonly id: number | null
  readonly kind: LocationKind
  readonly name: string
  readonly siteName: string
  readonly path: string
  readonly parent: string | null
  readonly held: number
  capacity: number
  walk: number
}

/** The warehouses of a site as they are, and as the rows so far make them. */
type Tree = { readonly nodes: Map<string, Node>; endOfWalk: number; added: number }

/** Saves all rows of a file at once: what earlier ones bring is there for later ones. The caller holds `lockPutAway`. */
export async function saveLocations(
  { tx, site, import: id }: Importing,
  rows: readonly LocationRow[],
): Promise<Saved[]> {
  const tree = await readTree(tx, site)
  /** New locations by their depth in the tree: what holds others is added before. */
  const added: Node[][] = []
  const changed: Node[] = []
  const saved = rows.map((row, place): Saved => {
    try {
      const missing = missingOf(row, tree)
      const node = missing.at(-1) ?? knownOf(row, tree)
      requireRoom(row, node)
      for (const [nth, location] of missing.entries()) {
        ;(added[row.way.length - missing.length + nth] ??= []).push(location)
        tree.nodes.set(keyOf(location.siteName, location.path), location)
      }
      tree.added += missing.length
      const differs = write(row, node, tree)
      if (node.id !== null && differs) changed.push(node)
      return { place, outcome: node.id === null ? 'added' : differs ? 'changed' : 'unchanged' }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      return { place, outcome: { refused: error.reason } }
    }
  })
  for (const level of added) if (level) await tx.run(sql.addLocations, { site, import: id, rows: asJson(level) })
  if (changed.length > 0) await tx.run(sql.changeLocations, { site, import: id, rows: asJson(changed) })
  return saved
}

async function readTree(tx: Tx, site: number): Promise<Tree> {
  const tree: Tree = { nodes: new Map(), endOfWalk: 0, added: 0 }
  for (const { site_name: siteName, ...location } of await tx.rows(sql.treeOf, { site })) {
    tree.nodes.set(keyOf(siteName, location.path), { ...location, siteName, name: '', parent: null })
    if (location.capacity > 0) tree.endOfWalk = Math.max(tree.endOfWalk, location.walk)
  }
  return tree
}

/** Gives a location the capacity and the walk of a row; what gets its first room comes last on the walk. Whether anything differs. */
function write({ capacity, walk }: LocationRow, node: Node, tree: Tree): boolean {
  const before = { capacity: node.capacity, walk: node.walk }
  node.capacity = capacity ?? node.capacity
  if (walk !== null) node.walk = walk
  else if (before.capacity === 0 && node.capacity > 0 && node.walk === 0) node.walk = ++tree.endOfWalk
  return node.capacity !== before.capacity || node.walk !== before.walk
}

const asJson = (nodes: readonly Node[]): string =>
  JSON.stringify(
    nodes.map(({ id, kind, name, siteName, path, parent, walk, capacity }) => ({
      id,
      kind,
      name,
      site_name: siteName,
      path,
      parent,
      walk,
      capacity,
    })),
  )

/** One name in other capitals is the same location. */
const keyOf = (siteName: string, path: string): string => `${siteName}\n${path}`.toLowerCase()

/** The path of each location on the way down to that of a row. */
function* pathsOf({ way }: LocationRow): Generator<{ kind: LocationKind; name: string; path: string }> {
  let path = ''
  for (const { kind, name } of way) {
    // a site name is no part of the path
    if (kind !== 'site') path = childPath(path, name)
    yield { kind, name, path }
  }
}

const siteNameOf = ({ way }: LocationRow): string => way[0]?.name ?? ''

/**
 * The locations on the way to that of a row that are to be added, the row's own last.
 * @throws RowRefused when one is of another kind, or when they are too many
 */
function missingOf(row: LocationRow, { nodes, added }: Tree): Node[] {
  const missing: Node[] = []
  let above: Node | undefined
  for (const { kind, name, path } of pathsOf(row)) {
    const node = nodes.get(keyOf(siteNameOf(row), path))
    if (node && node.kind !== kind)
      throw new RowRefused('other_level', { column: columnOfLevel(kind), text: name, kind: node.kind })
    if (node) {
      above = node
      continue
    }
    above = {
      id: null,
      kind,
      name,
      // as those that exist are written
      siteName: above?.siteName ?? name,
      path: above ? childPath(above.path, name) : '',
      parent: above?.path ?? null,
      held: 0,
      capacity: 0,
      walk: 0,
    }
    missing.push(above)
  }
  if (added + missing.length > maxLocationsAtOnce) throw new RowRefused('too_many', { limit: maxLocationsAtOnce })
  return missing
}

function knownOf(row: LocationRow, { nodes }: Tree): Node {
  const path = [...pathsOf(row)].at(-1)?.path ?? ''
  const node = nodes.get(keyOf(siteNameOf(row), path))
  if (!node) throw new Error('a location that is not missing is in the tree')
  return node
}

/** @throws RowRefused when fewer tyres would fit than lie there and are coming */
function requireRoom({ capacity }: LocationRow, { held: stored }: Node): void {
  if (capacity !== null && capacity < stored) throw new RowRefused('too_small', { text: capacity, held: stored })
}
