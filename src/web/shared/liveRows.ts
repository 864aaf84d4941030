/** Rows of operations that changed, put into the lists that screens show (docs/decisions/0074). */
import type { Query } from '@tanstack/react-query'
import { changedRows, withRows, type ChangedRows } from '#contract/live.ts'
import type { Operation } from '#contract/wire.ts'
import { afterCurrent, callOf, queryClient, refetchAfterCurrent } from './api.ts'

/**
 * Takes over the rows that changed in the lists at these paths. A list that shows nowhere, or that they don't fit into, is loaded again, if
 * only when it is shown.
 */
export function takeOverRows(paths: readonly string[], given: unknown): void {
  const parsed = changedRows.safeParse(given)
  const lists = queryClient.getQueryCache().findAll({ predicate: query => paths.includes(callOf(query).path ?? '') })
  for (const query of lists) {
    // an answer on its way may have been read before the change
    if (parsed.success && query.isActive()) afterCurrent(query, () => put(query, parsed.data))
    else refetchAfterCurrent(query)
  }
}

function put(query: Query, rows: ChangedRows): void {
  const { data, isInvalidated } = query.state
  const list = { path: callOf(query).path ?? '', input: query.queryKey[1] as object }
  const merged = data === undefined || isInvalidated ? null : withRows(data as Operation[], list, rows)
  if (merged) queryClient.setQueryData(query.queryKey, merged)
  else refetchAfterCurrent(query)
}
