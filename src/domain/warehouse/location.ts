/**
 * Where tyres lie: a tree site name → zone → rack → shelf → place, the names of a whole branch, and the order in which people walk
 * past its places (docs/product/warehouse.md "Stock locations").
 */

/** Kinds of location that are part of the building, each within the one before. */
const fixedKinds = ['site', 'zone', 'rack', 'shelf', 'place'] as const
/** Carts and staging lanes: wheels are on them on their way, never to stay. They keep no place free, and nothing is put away there. */
const carrierKinds = ['cart', 'lane'] as const
export const locationKinds = [...fixedKinds, ...carrierKinds] as const
export type LocationKind = (typeof locationKinds)[number]
export const isCarrier = (kind: LocationKind): kind is (typeof carrierKinds)[number] =>
  (carrierKinds as readonly LocationKind[]).includes(kind)

/** The contents that a place may be made for: bare tyres, or wheels with their rim. */
export const placeTakes = ['tyre', 'wheel'] as const
/** The largest diameter and width of a class, in mm, and the largest weight, in kg. */
export const maxClass = { size: 5000, weight: 2000 } as const

/** The separator between the names of a path, as printed on the rack; no name contains it. */
const pathSeparator = '-'

/** The kinds that may lie in one of this kind, nearest first; `null` is the top of the tree. Carts and lanes belong to a site or a zone. */
export function kindsBelow(kind: LocationKind | null): LocationKind[] {
  if (kind !== null && isCarrier(kind)) return []
  const fixed = fixedKinds.slice(kind === null ? 0 : fixedKinds.indexOf(kind) + 1)
  return kind === 'site' || kind === 'zone' ? [...fixed, ...carrierKinds] : fixed
}

/** The longest name, in characters. */
export const maxLocationNameLength = 30
/** The most locations that are created at once: as many as a large warehouse has. */
export const maxLocationsAtOnce = 20_000
/** The largest capacity of a location, in tyres. */
export const maxCapacity = 10_000

/** Whether this can be the name of a location. The name of a site may contain the separator: it is no part of the path. */
export const isLocationName = (name: string, kind: LocationKind): boolean =>
  name !== '' &&
  name.length <= maxLocationNameLength &&
  name.trim() === name &&
  (kind === 'site' || !name.includes(pathSeparator))

/** The path of `name` in the location of `path`. A site name is no part of it. */
export const childPath = (path: string, name: string): string => (path === '' ? name : `${path}${pathSeparator}${name}`)

// Names by pattern ----------------------------------------------------------------------------------------------------

// "to" in all four languages, and its abbreviations.
const rangeSeparator = /\s(?:to|tot|t\/m|à|a|bis)\s|\.{2,3}|…|–/iu
const rangeEnd = /^(.*?)(\d{1,6}|[A-Z]|[a-z])$/u

/** The names of a range, or `null` when it is none. */
function expandRange(from: string, to: string): string[] | null {
  const [, prefix, first = ''] = rangeEnd.exec(from.trim()) ?? []
  const [, lastPrefix, last = ''] = rangeEnd.exec(to.trim()) ?? []
  // `R01 to R20` and `R01 to 20` are the same
  if (prefix === undefined || lastPrefix === undefined || (lastPrefix !== '' && lastPrefix !== prefix)) return null
  if (/\d/.test(first) !== /\d/.test(last)) return null
  const numbers = /\d/.test(first)
  const [begin, stop] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  if (stop < begin || stop - begin >= maxLocationsAtOnce) return null
  // `A to f` would include the characters between upper and lower case
  if (!numbers && /[a-z]/.test(first) !== /[a-z]/.test(last)) return null
  // `01 to 20` is padded as it is written
  const width = first.startsWith('0') ? first.length : 0
  return Array.from({ length: stop - begin + 1 }, (_, nth) =>
    numbers ? prefix + String(begin + nth).padStart(width, '0') : prefix + String.fromCharCode(begin + nth),
  )
}

/**
 * The names of a pattern: names and ranges between commas. `1 to 20`, `01 to 20` with zeros, `A to F`, `R01 to R20` with a prefix,
 * `A, B, cold store`. `null`: it has no name, one twice, or one that no location of that kind can have.
 */
export function expandNames(pattern: string, kind: LocationKind): string[] | null {
  const names: string[] = []
  for (const part of pattern.split(/[,;\n]/).map(piece => piece.trim())) {
    if (part === '') continue
    const [from = '', to, ...more] = part.split(rangeSeparator)
    const ranged = to === undefined ? [part] : more.length === 0 ? expandRange(from, to) : null
    if (ranged === null || names.length + ranged.length > maxLocationsAtOnce) return null
    names.push(...ranged)
  }
  const folded = new Set(names.map(name => name.toLowerCase()))
  return names.length > 0 && folded.size === names.length && names.every(name => isLocationName(name, kind))
    ? names
    : null
}

// Branches ------------------------------------------------------------------------------------------------------------

export type Level = { readonly kind: LocationKind; readonly names: readonly string[] }

/** How many locations nested levels make. */
export function countLocations(levels: readonly Level[]): number {
  let [all, across] = [0, 1]
  for (const { names } of levels) {
    across *= names.length
    all += across
  }
  return all
}

/** A location to create: `way` are the names from the parent down to it. */
export type PlannedLocation = {
  readonly kind: LocationKind
  readonly way: readonly string[]
  readonly walk: number
  readonly leaf: boolean
}

/** The fewest walk numbers of a rack. */
const walkOfRack = 1000

/**
 * All locations of these levels, parents before children. The last level is where tyres lie; its `walk` is the order in which people
 * walk past: up one rack and down the next, reaching every shelf at a spot before the next step. The numbers begin after `after`;
 * `aisles` is how many racks there are before these, so that the direction keeps alternating.
 */
export function planLocations(
  levels: readonly Level[],
  { after, aisles }: { after: number; aisles: number },
): PlannedLocation[] {
  const racks = levels.findIndex(({ kind }) => kind === 'rack')
  // locations that are created within one rack form one aisle
  const outer = levels.slice(0, racks + 1)
  const inner = levels.slice(outer.length)
  const shelves = inner.slice(0, -1).reduce((count, { names }) => count * names.length, 1)
  const spots = inner.at(-1)?.names.length ?? 1
  const stride = 10 ** Math.max(1, Math.ceil(Math.log10(shelves + 1)))
  const width = Math.ceil(((spots + 1) * stride) / walkOfRack) * walkOfRack
  const hasRacks = racks >= 0
  const begin = hasRacks ? Math.ceil((after + 1) / walkOfRack) * walkOfRack : after
  const planned: PlannedLocation[] = []
  let aislesPlanned = 0
  let shelf = 0

  const walkOf = (spot: number): number => {
    const forward = (aisles + aislesPlanned) % 2 === 0
    const step = forward ? spot + 1 : spots - spot
    return begin + (hasRacks ? aislesPlanned * width : 0) + step * stride + shelf + 1
  }
  const add = (depth: number, way: readonly string[]): void => {
    const level = levels[depth]
    if (!level) return
    const { kind, names } = level
    const leaf = depth === levels.length - 1
    for (const [nth, name] of names.entries()) {
      planned.push({ kind, way: [...way, name], leaf, walk: leaf ? walkOf(depth < outer.length ? 0 : nth) : 0 })
      add(depth + 1, [...way, name])
      if (depth === levels.length - 2 && depth >= outer.length) shelf++
      if (depth === outer.length - 1) {
        aislesPlanned++
        shelf = 0
      }
    }
  }
  add(0, [])
  return planned
}

// Reading the tree ----------------------------------------------------------------------------------------------------

type Node = {
  readonly _id: number
  readonly parent: number | null
  readonly kind: LocationKind
  readonly capacity: number
  readonly tyre_count: number
  readonly coming: number
}
/** `tyre_count` lie there; `coming` are put there or planned there, and lie there once their storage is confirmed. */
export type Totals = { places: number; capacity: number; tyre_count: number; coming: number }

/** The totals of each location including everything below it, by its id. Carts and lanes are no places, and count only for themselves. */
export function totalsOf(locations: readonly Node[]): Map<number, Totals> {
  const totals = new Map<number, Totals>()
  const parents = new Map(locations.map(({ _id, parent }) => [_id, parent]))
  for (const { _id, kind, capacity, tyre_count, coming } of locations) {
    for (let at: number | null | undefined = _id; at != null; at = isCarrier(kind) ? null : parents.get(at)) {
      const sum = totals.get(at) ?? { places: 0, capacity: 0, tyre_count: 0, coming: 0 }
      totals.set(at, {
        places: sum.places + (capacity > 0 && !isCarrier(kind) ? 1 : 0),
        capacity: sum.capacity + capacity,
        tyre_count: sum.tyre_count + tyre_count,
        coming: sum.coming + coming,
      })
    }
  }
  return totals
}

/** How full a location is. */
export type Fill = 'free' | 'used' | 'full'
/** How full a location is, counting the tyres that are coming; one without capacity is full as soon as it holds a tyre. */
export const fillOf = ({ capacity, tyre_count, coming }: Omit<Totals, 'places'>): Fill =>
  tyre_count + coming <= 0 ? 'free' : tyre_count + coming >= capacity ? 'full' : 'used'

/** How many more tyres fit beside those that lie there or are coming. */
export const freeAt = ({ capacity, tyre_count, coming }: Omit<Totals, 'places'>): number =>
  Math.max(0, capacity - tyre_count - coming)

/** Whether a branch can be removed: nothing lies there, and nothing is coming. */
export const isRemovable = ({ tyre_count, coming }: Pick<Totals, 'tyre_count' | 'coming'>): boolean =>
  tyre_count + coming === 0
