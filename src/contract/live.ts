/** Changes that an open page is notified of, as an event of `GET /live` (docs/decisions/0074). */
import { z } from 'zod'
import type { AnswerName } from './call.ts'
import { operations } from './operations.ts'
import { id, operation, type Operation } from './wire.ts'
import { rows } from './list.ts'

/** The lists of operations in which a page can replace the rows that changed. */
export const rowLists = ['operations.admin', 'operations.fetch'] as const satisfies readonly AnswerName[]
export type RowList = (typeof rowLists)[number]

/** The paths of these lists. */
export const rowPaths: Readonly<Record<RowList, string>> = {
  'operations.admin': operations.admin.path,
  'operations.fetch': operations.fetch.path,
}

/** More operations than this at once are not named: their lists are loaded again as a whole. */
export const maxChangedOperations = 100

/** The operations that changed, by the path of the list in which they did, and those of them that are open, as they are now. */
export const changedRows = z.object({ changed: z.record(z.string(), rows(id)), operations: rows(operation) })
export type ChangedRows = z.output<typeof changedRows>

/**
 * `paths` are those of calls with other answers from now on; `from` is the page that made the change, empty if unknown. With `rows` the answers
 * differ in these only. A page of an earlier version ignores them and loads the answers again.
 */
export type LiveEvent = {
  readonly paths: readonly string[]
  readonly from: string
  /** Not decoded yet. */
  readonly rows?: unknown
}

/** Which rows belong in a list of operations, and in which order: as its call answers it. */
type ListRules = {
  belongs(row: Operation, input: Readonly<Record<string, unknown>>): boolean
  compare(a: Operation, b: Operation): number
  /** Whether operations leave the list when they are handled. */
  readonly onlyOpen: boolean
}

/** PostgreSQL writes moments of one zone, which sort as text. */
const since = ({ submitted, created }: Operation): string => submitted ?? created

const rules: Readonly<Record<string, ListRules>> = {
  [rowPaths['operations.admin']]: {
    belongs: ({ status }, input) => status === input.status,
    compare: (a, b) => (since(a) < since(b) ? -1 : since(a) > since(b) ? 1 : a._id - b._id),
    onlyOpen: true,
  },
  [rowPaths['operations.fetch']]: {
    belongs: ({ seq_id }, input) => input.seq_id === undefined || seq_id === input.seq_id,
    compare: (a, b) => b._id - a._id,
    onlyOpen: false,
  },
}

/**
 * The list at `path` as it is now, after rows of it `changed`. `null` where they don't tell: the list has to be loaded again.
 */
export function withRows(
  list: readonly Operation[],
  { path, input }: { path: string; input: object },
  { changed, operations: rows }: ChangedRows,
): Operation[] | null {
  const rule = rules[path]
  if (!rule) return null
  const ids = changed[path] ?? []
  const now = new Map(rows.map(row => [row._id, row]))
  // handled in the meantime: it stays in the list, and nobody said how
  if (!rule.onlyOpen && list.some(({ _id }) => ids.includes(_id) && !now.has(_id))) return null
  const touched = new Set([...ids, ...now.keys()])
  const belonging = rows.filter(row => rule.belongs(row, input as Record<string, unknown>))
  return [...list.filter(({ _id }) => !touched.has(_id)), ...belonging].toSorted(rule.compare)
}
