/** By which columns the tyre list is sorted. */
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { sortRows } from '../ui/dataTable/sortRows.ts'
import { distinct, type SetRow, type TyreRow } from './rows.ts'

export const sortKeys = [
  'plate',
  'set',
  'tyres',
  'position',
  'description',
  'depth',
  'reach',
  'rack',
  'status',
  'statusDate',
] as const
export type SortKey = (typeof sortKeys)[number]
export type Order = { by: SortKey; desc: boolean }

type Keys<T> = Partial<Record<SortKey, (row: T) => string | number | null>>

const plate = ({ vehicle }: { vehicle: TyreRow['vehicle'] }) => vehicle.license_plate

/** A status by its rank among all statuses. */
const rank = ({ tyre }: TyreRow) => tyreStatuses.indexOf(tyre.tyre_status)

/** Sorts by when the limit is reached: tyres at it today first, then by the earliest day on which they may reach it. */
const urgency = ({ reach }: TyreRow): string | null =>
  reach === undefined ? null : reach === 'now' ? '0' : `${reach.from} ${reach.until}`

/** The tyre of a set that reaches its limit first; `null` where none is known to. */
export function mostUrgent({ tyres }: Pick<SetRow, 'tyres'>): TyreRow | null {
  const forecast = tyres.filter(row => row.reach !== undefined)
  return forecast.toSorted((a, b) => ((urgency(a) ?? '') < (urgency(b) ?? '') ? -1 : 1))[0] ?? null
}

const tyreKeys = {
  plate,
  set: ({ tyre }) => tyre.tyre_set,
  position: ({ tyre }) => tyre.position,
  description: ({ tyre }) => tyre.description,
  depth: ({ tyre }) => tyre.profile_depth,
  reach: urgency,
  rack: ({ tyre }) => tyre.stock_rack,
  status: rank,
  statusDate: ({ tyre }) => tyre.status_date,
} as const satisfies Keys<TyreRow>

const setKeys = {
  plate,
  set: ({ name }) => name,
  tyres: ({ tyres }) => tyres.length,
  description: ({ tyres: [first] }) => first?.tyre.description ?? null,
  reach: set => {
    const first = mostUrgent(set)
    return first && urgency(first)
  },
  rack: set => racksOf(set)[0] ?? null,
  status: ({ tyres }) => Math.min(...tyres.map(rank)),
  statusDate: oldestOf,
} as const satisfies Keys<SetRow>

/** The columns of each tab that can be pressed. */
export const sortable = {
  sets: Object.keys(setKeys) as (keyof typeof setKeys)[],
  tyres: Object.keys(tyreKeys) as (keyof typeof tyreKeys)[],
} as const satisfies Record<string, SortKey[]>

/** Where the tyres of the set lie. */
export const racksOf = ({ tyres }: Pick<SetRow, 'tyres'>): string[] =>
  distinct(tyres.flatMap(({ tyre }) => tyre.stock_rack ?? []))

/** The day since which no tyre of the set has been longer in its status. */
export function oldestOf({ tyres }: Pick<SetRow, 'tyres'>): string | null {
  return tyres.reduce<string | null>(
    (oldest, { tyre }) => (oldest === null || tyre.status_date < oldest ? tyre.status_date : oldest),
    null,
  )
}

/** The rows in this order; by a column that they don't have, in their own. */
function ordered<T>(rows: readonly T[], keys: Keys<T>, { by, desc }: Order, language: string): readonly T[] {
  const key = keys[by]
  // As they come they are in the order of plates.
  return !key || (by === 'plate' && !desc) ? rows : sortRows(rows, key, { desc, language })
}

export const orderedTyres = (rows: readonly TyreRow[], order: Order, language: string): readonly TyreRow[] =>
  ordered(rows, tyreKeys, order, language)

export const orderedSets = (sets: readonly SetRow[], order: Order, language: string): readonly SetRow[] =>
  ordered(sets, setKeys, order, language)
