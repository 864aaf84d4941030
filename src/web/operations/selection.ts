/** Which tyres a wizard step offers, and the choices that take several at once. */
import { isTyreOffered, isTyreRequestable, type OfferedType, type TyreStatus } from '#domain/tyres/tyre.ts'

type Offer = {
  db_id: number
  position: string
  tyre_set: string | null
  tyre_status: TyreStatus
  operation: number | null
}

/** The status of the tyres that each service takes. */
const statusFor = { to_stock: 'at_customer', to_customer: 'in_stock', to_waste: 'in_stock' } as const satisfies Record<
  OfferedType,
  TyreStatus
>

/** By set, then by position: axle by axle, from the left wheel to the right. */
const byPlace = (a: Offer, b: Offer): number =>
  (a.tyre_set ?? '\uFFFF').localeCompare(b.tyre_set ?? '\uFFFF') ||
  axleOf(a.position) - axleOf(b.position) ||
  a.position.localeCompare(b.position) ||
  a.db_id - b.db_id

/** The axle of a position: `12A` is on axle 12. */
const axleOf = (position: string): number => Number.parseInt(position, 10)

/** The tyres that a service shows: those it offers, and those it would offer if no other operation held them. */
export function shownFor<T extends Offer>(type: OfferedType, tyres: readonly T[]): T[] {
  return tyres.filter(tyre => tyre.tyre_status === statusFor[type]).sort(byPlace)
}

/** Recalls and disposals can't be chosen for a vehicle without tyres in stock. */
export const isServiceOpen = (type: OfferedType, tyres: readonly Offer[]): boolean =>
  type === 'to_stock' || tyres.some(tyre => tyre.tyre_status === 'in_stock')

export type Choice =
  | { kind: 'set'; set: string | null; ids: readonly number[] }
  | { kind: 'axle'; axle: number; ids: readonly number[] }

const grouped = <T, K>(list: readonly T[], keyOf: (one: T) => K): [K, T[]][] => [...Map.groupBy(list, keyOf)]

/**
 * The choices of the selection helper besides all and none: each set where there is more than one, and each axle where there is more than one. Only
 * selectable tyres count.
 */
export function choicesFor(type: OfferedType, tyres: readonly Offer[]): Choice[] {
  const free = shownFor(type, tyres).filter(tyre => isTyreOffered(type, tyre))
  const sets = grouped(free, tyre => tyre.tyre_set)
  const axles = grouped(free, tyre => axleOf(tyre.position)).sort(([a], [b]) => a - b)
  const ids = (some: Offer[]) => some.map(tyre => tyre.db_id)
  return [
    ...(sets.length > 1 ? sets.map(([set, some]) => ({ kind: 'set', set, ids: ids(some) }) as const) : []),
    ...(axles.length > 1 ? axles.map(([axle, some]) => ({ kind: 'axle', axle, ids: ids(some) }) as const) : []),
  ]
}

/** The initial selection: the tyres of the only set that a service can take, or those without a set; empty where there is a choice. */
export function chosenAtFirst(type: OfferedType, tyres: readonly Offer[]): number[] {
  const free = tyres.filter(tyre => isTyreOffered(type, tyre))
  const [first] = free
  if (!first || free.some(tyre => tyre.tyre_set !== first.tyre_set)) return []
  return free.map(tyre => tyre.db_id)
}

/**
 * Where the tyres of a vehicle are, none of which a service takes, and how many: the one status that all have, or `null`. Scrapped ones
 * are nowhere, unless there are no others.
 */
export function whereAllAre(tyres: readonly Offer[]): { where: TyreStatus | null; count: number } {
  const kept = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const all = kept.length > 0 ? kept : tyres
  const [first] = all
  const isOne = first && all.every(tyre => tyre.tyre_status === first.tyre_status)
  return { where: isOne ? first.tyre_status : null, count: all.length }
}

/** Adds them all, or takes them all away when all were in. */
export function toggled(selected: ReadonlySet<number>, ids: readonly number[]): Set<number> {
  const next = new Set(selected)
  if (ids.every(id => selected.has(id))) for (const id of ids) next.delete(id)
  else for (const id of ids) next.add(id)
  return next
}

/** The tyres of a tyre's set that can be selected; of a setless tyre, the other setless ones. */
export function wholeSet<T extends Offer>(type: OfferedType, tyres: readonly T[], id: number): number[] {
  const reference = tyres.find(tyre => tyre.db_id === id)
  if (!reference) return []
  return tyres.filter(tyre => tyre.tyre_set === reference.tyre_set && isTyreOffered(type, tyre)).map(tyre => tyre.db_id)
}

/** The part of a selection that can still be selected: another user may have taken a tyre into an operation meanwhile. */
export function stillFree(
  type: OfferedType,
  tyres: readonly Offer[],
  selected: ReadonlySet<number>,
  isOffered: typeof isTyreOffered = isTyreOffered,
): number[] {
  return tyres.filter(tyre => selected.has(tyre.db_id) && isOffered(type, tyre)).map(tyre => tyre.db_id)
}

/** The tyres that the request sheet shows for a service: in addition those that are mounted, to be taken off and stored. */
export const requestableFor = <T extends Offer>(type: OfferedType, tyres: readonly T[]): T[] =>
  tyres.filter(tyre => isTyreRequestable(type, tyre)).sort(byPlace)
