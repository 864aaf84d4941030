/** The tyre list as rows: which are shown, which can be selected, and which go into a copy (docs/product/tyres.md "Tyre list"). */
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { comparePositions } from '#domain/vehicles/axle.ts'
import { formatDate } from '#domain/texts/date.ts'
import { comparePlates, formatPlate } from '#domain/vehicles/plate.ts'
import type { Mode } from '#domain/site.ts'
import type { Season, TyreStatus } from '#domain/tyres/tyre.ts'
import type { Reach } from '../vehicles/depths/reaching.ts'
import { hasWords, isTyreOf, textsBesideTyre, tyreText, wordsOf } from '#domain/texts/listFilter.ts'

export type TyreRow = {
  tyre: Tyre
  vehicle: Vehicle
  /** The text that the filter searches: built once, since a customer has 10,000 tyres and types fast. */
  text: string
  /** When it reaches its limit, in a list that is about that. */
  reach?: Reach | undefined
}

/** The tyres of one set of one vehicle. */
export type SetRow = {
  key: string
  name: string
  vehicle: Vehicle
  tyres: readonly TyreRow[]
  /** How many tyres the set has, with those that the filter leaves out. */
  size: number
}

/** The context of a list's texts: its language, whether it is of a whole site instead of one customer, the site's mode. */
export type Reader = { language: string; ofSite: boolean; mode: Mode }

/** The texts of a vehicle that the filter searches; for a whole site the server searches its own. */
function textsOf(vehicle: Vehicle, { ofSite, mode }: Reader): string[] {
  const { brand, description, customer_name: customer } = vehicle
  return [...textsBesideTyre(vehicle, mode), ...(ofSite ? [brand, description, customer] : [])]
}

/** Every tyre, in the order of plates, sets (none last) and positions. */
export function rowsOf(fleet: readonly Vehicle[], reader: Reader): TyreRow[] {
  const { compare } = new Intl.Collator(reader.language, { numeric: true, sensitivity: 'base' })
  return fleet
    .toSorted((a, b) => comparePlates(a.license_plate, b.license_plate) || a.flt_id - b.flt_id)
    .flatMap(vehicle => {
      const own = textsOf(vehicle, reader)
      return vehicle.tyres
        .toSorted(
          (a, b) =>
            Number(a.tyre_set === null) - Number(b.tyre_set === null) ||
            compare(a.tyre_set ?? '', b.tyre_set ?? '') ||
            comparePositions(a.position, b.position) ||
            a.db_id - b.db_id,
        )
        .map(tyre => ({
          tyre,
          vehicle,
          text: tyreText(own, tyre),
        }))
    })
}

/** The search criteria. */
export type Wanted = {
  filter: string
  statuses: readonly TyreStatus[]
  /** None: all, also the one that is not known. */
  seasons?: readonly Season[]
  /** At most so many millimetres, measured ones; `null` for any. */
  depth?: number | null
  /** Whether a row is wanted for another reason. */
  also?: (row: TyreRow) => boolean
  /** The server has found the vehicles of these rows by the filter. */
  searched?: boolean
}

/**
 * The rows of these statuses, seasons and depths in which every word of the filter is found: in a text, in the plate as it is kept,
 * or as the number of the tyre. Of a vehicle that the server has found and in whose rows the words are not, all of them.
 */
export function shownOf(
  rows: readonly TyreRow[],
  { filter, statuses, seasons: tyreSeasons = [], depth = null, also, searched = false }: Wanted,
): readonly TyreRow[] {
  const words = wordsOf(filter)
  const matches = ({ tyre, vehicle, text }: TyreRow) =>
    hasWords(words, { text, plate: vehicle.license_plate, id: tyre.db_id })
  const matching = words.length === 0 ? rows : rows.filter(matches)
  const among = searched ? withOthers(rows, matching) : matching
  return among.filter(row => isTyreOf(row.tyre, { statuses, seasons: tyreSeasons, depth }) && also?.(row) !== false)
}

/** The rows found, and those of vehicles of which none was. */
function withOthers(rows: readonly TyreRow[], matching: readonly TyreRow[]): readonly TyreRow[] {
  const here = new Set(matching)
  const vehicles = new Set(matching.map(row => row.vehicle))
  return rows.filter(row => here.has(row) || !vehicles.has(row.vehicle))
}

/** The set of a tyre, among all vehicles; `null` for none. */
const setKeyOf = ({ tyre }: TyreRow): string | null =>
  tyre.tyre_set === null ? null : `${tyre.flt_id} ${tyre.tyre_set}`

/** How many tyres each set has, waste aside: counted once for all that the rows are filtered by. */
export function setSizes(all: readonly TyreRow[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const row of all) {
    const key = setKeyOf(row)
    if (key !== null && row.tyre.tyre_status !== 'waste') sizes.set(key, (sizes.get(key) ?? 0) + 1)
  }
  return sizes
}

/** The sets that these rows belong to, in their order. A tyre without a set is in none. */
export function setsOf(shown: readonly TyreRow[], sizes: ReadonlyMap<string, number>): SetRow[] {
  return [...Map.groupBy(shown, setKeyOf)].flatMap(([key, tyres]) => {
    const [first] = tyres
    const name = first?.tyre.tyre_set
    if (key === null || !first || !name) return []
    return [{ key, name, vehicle: first.vehicle, tyres, size: Math.max(sizes.get(key) ?? 0, tyres.length) }]
  })
}

/** Why a tyre can't be selected: it is in a pending or submitted operation, or waste. `null` when it can. */
export function reasonNotSelectable(tyre: Pick<Tyre, 'operation' | 'tyre_status'>): 'operation' | 'waste' | null {
  if (tyre.tyre_status === 'waste') return 'waste'
  return tyre.operation === null ? null : 'operation'
}

export const canSelect = ({ tyre }: TyreRow): boolean => reasonNotSelectable(tyre) === null

/** The different values among the tyres of a set or a selection, in order. */
export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** A depth as files have it, the same in every language: `7.2`. */
const plainDepth = (depth: number | null): string => (depth === null ? '' : String(depth))

type Words = {
  heading: (column: Column) => string
  status: (status: TyreStatus) => string
  setless: string
  /** How a depth is written: by default plainly. */
  depth?: (depth: number | null) => string
}
const columns = ['plate', 'set', 'position', 'description', 'status', 'statusDate', 'depth', 'depthDate'] as const
export type Column = (typeof columns)[number]

/** Heading and rows of a copy or file (docs/product/files.md "Exports"); depth and its date only where they are shown. */
export function cellsOf(
  rows: readonly TyreRow[],
  { depth = plainDepth, ...words }: Words,
  { withDepth }: { withDepth: boolean },
): string[][] {
  const shown = columns.filter(column => withDepth || (column !== 'depth' && column !== 'depthDate'))
  const cell = ({ tyre, vehicle }: TyreRow): Record<Column, string> => ({
    plate: formatPlate(vehicle.license_plate),
    set: tyre.tyre_set ?? words.setless,
    position: tyre.position,
    description: tyre.description,
    status: words.status(tyre.tyre_status),
    statusDate: formatDate(tyre.status_date),
    depth: depth(tyre.profile_depth),
    depthDate: tyre.profile_date === null ? '' : formatDate(tyre.profile_date),
  })
  return [
    shown.map(words.heading),
    ...rows.map(row => {
      const cells = cell(row)
      return shown.map(column => cells[column])
    }),
  ]
}
