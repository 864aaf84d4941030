/** The lists of open operations that are loaded, kept in step with an answer without asking for all of them again. */
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { keyOf, queryClient } from '../../api.ts'

const listed = new Set<unknown>([operations.fetch.path, operations.admin.path])
const own = keyOf(operations.fetch, {})

/** Puts the operation as the server answered it into the lists where it stands. */
export function showOperation(operation: Operation): void {
  queryClient.setQueriesData<Operation[]>({ predicate: ({ queryKey }) => listed.has(queryKey[0]) }, list =>
    list?.map(other => (other._id === operation._id ? operation : other)),
  )
}

/** Puts a new operation on top of the person's own list, so that the next screen has it at once. */
export function addOperation(operation: Operation): void {
  queryClient.setQueryData<Operation[]>(
    own,
    list => list && [operation, ...list.filter(other => other._id !== operation._id)],
  )
}
