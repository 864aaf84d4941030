/**
 * Where tyres lie: a tree site name → zone → rack → shelf → place (DESIGN §6), how a whole branch of it is named and in which order
 * people walk past its places.
 */

export const locationKinds = ['site', 'zone', 'rack', 'shelf', 'place'] as const
export type LocationKind = (typeof locationKinds)[number]

/** What stands between the names on the way to a place, as printed on the rack; no name holds it. */
export const pathMark = '-'

/** The kinds that may lie in one of this kind, nearest first; without one, at the top. */
export const kindsBelow = (kind: LocationKind | null): LocationKind[] =>
  locationKinds.slice(kind === null ? 0 : locationKinds.indexOf(kind) + 1)

/** How long a name can be. */
export const nameMost = 30
/** How many locations are made at once at most: as many as a large warehouse has. */
export const madeAtOnce = 20_000
/** How many tyres a location can have room for. */
export const capacityMost = 10_000

/** Whether this can be the name of a location. The name of a site may hold the mark: it is no part of the way. */
export const isLocationName = (name: string, kind: LocationKind): boolean =>
  name !== '' && name.length <= nameMost && name.trim() === name && (kind === 'site' || !name.includes(pathMark))

/** `path` of what lies there under `name`. A site name is no part of the way. */
export const pathBelow = (path: string, name: string): string => (path === '' ? name : `${path}${pathMark}${name}`)

// Names by pattern ----------------------------------------------------------------------------------------------------

// In the words of all four languages, and as people abbreviate it.
const between = /\s(?:to|tot|t\/m|à|a|bis)\s|\.{2,3}|…|–/iu
const end = /^(.*?)(\d{1,6}|[A-Z]|[a-z])$/u

/** The letters or numbers of a range, or `null` when it is none. */
function range(from: string, to: string): string[] | null {
  const [, prefix, first = ''] = end.exec(from.trim()) ?? []
  const [, lastPrefix, last = ''] = end.exec(to.trim()) ?? []
  // `R01 to R20` and `R01 to 20` are the same
  if (prefix === undefined || lastPrefix === undefined || (lastPrefix !== '' && lastPrefix !== prefix)) return null
  if (/\d/.test(first) !== /\d/.test(last)) return null
  const numbers = /\d/.test(first)
  const [begin, stop] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  if (stop < begin || stop - begin >= madeAtOnce) return null
  // `A to f` would run over the signs between upper and lower case
  if (!numbers && /[a-z]/.test(first) !== /[a-z]/.test(last)) return null
  // `01 to 20` is padded as it is written
  const width = first.startsWith('0') ? first.length : 0
  return Array.from({ length: stop - begin + 1 }, (_, nth) =>
    numbers ? prefix + String(begin + nth).padStart(width, '0') : prefix + String.fromCharCode(begin + nth),
  )
}

/**
 * The names that a pattern stands for: names and ranges between commas. `1 to 20`, `01 to 20` with zeros, `A to F`, `R01 to R20` with a
 * prefix, `A, B, cold store`. `null`: it stands for nothing, for something twice, or for what no location of that kind can
 * be called.
 */
export function namesOf(pattern: string, kind: LocationKind): string[] | null {
  const names: string[] = []
  for (const part of pattern.split(/[,;\n]/).map(piece => piece.trim())) {
    if (part === '') continue
    const [from = '', to, ...more] = part.split(between)
    const ranged = to === undefined ? [part] : more.length === 0 ? range(from, to) : null
    if (ranged === null || names.length + ranged.length > madeAtOnce) return null
    names.push(...ranged)
  }
  const folded = new Set(names.map(name => name.toLowerCase()))
  return names.length > 0 && folded.size === names.length && names.every(name => isLocationName(name, kind))
    ? names
    : null
}

// Branches ------------------------------------------------------------------------------------------------------------

export type Level = { readonly kind: LocationKind; readonly names: readonly string[] }

/** How many locations these levels are, one within the other. */
export function countOf(levels: readonly Level[]): number {
  let [all, across] = [0, 1]
  for (const { names } of levels) {
    across *= names.length
    all += across
  }
  return all
}

/** What is to be made: `way` are the names from the parent down to it. */
export type Planned = {
  readonly kind: LocationKind
  readonly way: readonly string[]
  readonly walk: number
  readonly leaf: boolean
}

/** Walk numbers that a rack takes at least. */
const aisle = 1000

/**
 * All locations of these levels, those that hold others before what they hold. The last level is where tyres lie; its
 * `walk` is the order in which people walk past: as an ox ploughs, up one rack and down the next, reaching every shelf of a spot before
 * they take a step. The numbers begin after `after`; `aisles` is how many racks there are before these, so that the turn is kept.
 */
export function planOf(levels: readonly Level[], { after, aisles }: { after: number; aisles: number }): Planned[] {
  const racks = levels.findIndex(({ kind }) => kind === 'rack')
  // what is made within one rack is one aisle
  const outer = levels.slice(0, racks + 1)
  const inner = levels.slice(outer.length)
  const shelves = inner.slice(0, -1).reduce((count, { names }) => count * names.length, 1)
  const spots = inner.at(-1)?.names.length ?? 1
  const stride = 10 ** Math.max(1, Math.ceil(Math.log10(shelves + 1)))
  const width = Math.ceil(((spots + 1) * stride) / aisle) * aisle
  const whole = racks >= 0
  const begin = whole ? Math.ceil((after + 1) / aisle) * aisle : after
  const planned: Planned[] = []
  let aislesMade = 0
  let shelf = 0

  const walkOf = (spot: number): number => {
    const forward = (aisles + aislesMade) % 2 === 0
    const step = forward ? spot + 1 : spots - spot
    return begin + (whole ? aislesMade * width : 0) + step * stride + shelf + 1
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
        aislesMade++
        shelf = 0
      }
    }
  }
  add(0, [])
  return planned
}

// Reading the tree ----------------------------------------------------------------------------------------------------

type Node = { readonly _id: number; readonly parent: number | null; readonly capacity: number; readonly tyres: number }
export type Totals = { places: number; capacity: number; tyres: number }

/** What lies in each location and everything below it, by its id. */
export function totalsOf(locations: readonly Node[]): Map<number, Totals> {
  const totals = new Map<number, Totals>()
  const parents = new Map(locations.map(({ _id, parent }) => [_id, parent]))
  for (const { _id, capacity, tyres } of locations) {
    for (let at: number | null | undefined = _id; at != null; at = parents.get(at)) {
      const sum = totals.get(at) ?? { places: 0, capacity: 0, tyres: 0 }
      totals.set(at, {
        places: sum.places + (capacity > 0 ? 1 : 0),
        capacity: sum.capacity + capacity,
        tyres: sum.tyres + tyres,
      })
    }
  }
  return totals
}

/** How full: nothing there, some room, none. */
export type Fill = 'free' | 'used' | 'full'
export const fillOf = ({ capacity, tyres }: Pick<Totals, 'capacity' | 'tyres'>): Fill =>
  tyres <= 0 ? 'free' : tyres >= capacity ? 'full' : 'used'
