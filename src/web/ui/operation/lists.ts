/** The lists of open operations that are loaded, kept in step with an answer without asking for all of them again. */
import { hashKey } from '@tanstack/react-query'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { keyOf, queryClient, renew } from '../../api.ts'

const listed = new Set<unknown>([operations.fetch.path, operations.admin.path])
const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => listed.has(queryKey[0])

/** An answer that is still under way was made before this change and would take it back: it is asked for again. */
function change(change: (list: Operation[]) => Operation[], wanted: typeof isList = isList): void {
  const late = queryClient.getQueryCache().findAll({ predicate: wanted, fetchStatus: 'fetching' })
  void queryClient.cancelQueries({ predicate: query => wanted(query) && query.state.data !== undefined })
  queryClient.setQueriesData<Operation[]>({ predicate: wanted }, list => list && change(list))
  for (const query of late) renew(query)
}

/** Puts the operation as the server answered it into the lists where it stands. */
export const showOperation = (operation: Operation): void =>
  change(list => list.map(other => (other._id === operation._id ? operation : other)))

/** Takes an operation that was deleted out of the lists. */
export const hideOperation = (id: number): void => change(list => list.filter(other => other._id !== id))

/** Puts a new operation on top of the lists where it belongs, the person's own and its customer's: the next screen has it at once. */
export function addOperation(operation: Operation): void {
  const belongs = [{}, { seq_id: operation.seq_id }].map(asked => hashKey(keyOf(operations.fetch, asked)))
  change(
    list => [operation, ...list.filter(other => other._id !== operation._id)],
    ({ queryKey }) => belongs.includes(hashKey(queryKey)),
  )
}
