/** The lists of open operations that are loaded, kept in step with an answer without asking for all of them again. */
import { hashKey, type Query } from '@tanstack/react-query'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { callOf, updateCached, keyOf, queryClient } from './api.ts'

const listed = new Set<unknown>([operations.fetch.name, operations.admin.name])
const isList = (query: Query) => listed.has(callOf(query).name)

/** Replaces an operation by the server's answer in the lists that contain it. */
export const showOperation = (operation: Operation): void =>
  updateCached<Operation[]>(isList, list => list.map(other => (other._id === operation._id ? operation : other)))

/** An operation as the lists hold it now. */
export const listedOperation = (id: number): Operation | undefined =>
  queryClient
    .getQueriesData<Operation[]>({ predicate: isList })
    .flatMap(([, list]) => list ?? [])
    .find(({ _id }) => _id === id)

/** Takes an operation that was deleted out of the lists. */
export const hideOperation = (id: number): void =>
  updateCached<Operation[]>(isList, list => list.filter(other => other._id !== id))

/** Puts a new operation on top of the lists where it belongs, the person's own and its customer's: the next screen has it at once. */
export function addOperation(operation: Operation): void {
  const belongs = [{}, { seq_id: operation.seq_id }].map(input => hashKey(keyOf(operations.fetch, input)))
  updateCached<Operation[]>(
    ({ queryHash }) => belongs.includes(queryHash),
    list => [operation, ...list.filter(other => other._id !== operation._id)],
  )
}
