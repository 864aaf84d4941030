/** The third step of a call: its handler, in one transaction under row-level security, on the database that may answer it. */
import type { FastifyRequest } from 'fastify'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import type { Database, Scope, Tx } from '../db/database.ts'
import type { Replica } from '../db/replica.ts'
import type { Context } from '../features/handler.ts'
import type { Caller } from './admit.ts'
import { deviceOf, idempotencyKey } from './decode.ts'
import { runOnce } from './idempotency.ts'

/** The handler of any call; the contract has checked its input. */
export type AnyHandler = (context: Context<unknown, 'anyone'>) => Promise<unknown>

type Databases = { readonly database: Database; readonly replica?: Replica | null | undefined }

/** The rows that a call sees, and who makes it. */
const scopeOf = (call: Call, { site, who, token }: Caller, request: FastifyRequest) =>
  ({
    site: site?.id ?? null,
    // a call without a session reads no customer's rows; signing in has to find any account
    customer: call.who === 'anyone' ? null : (who?.customer ?? null),
    account: who?.account ?? null,
    device: deviceOf(request),
    token: token?.id ?? null,
  }) satisfies Scope

/** Runs the handler and returns its answer. The key of an idempotent call is saved in the same transaction. */
export async function run(
  { database, replica }: Databases,
  call: Call,
  handler: AnyHandler,
  caller: Caller,
  context: Omit<Context<unknown, 'anyone'>, 'tx'>,
  request: FastifyRequest,
): Promise<unknown> {
  const scope = scopeOf(call, caller, request)
  const { site } = caller
  const { customer, account } = scope
  const work = (tx: Tx): Promise<unknown> =>
    handler(Object.create(context, { tx: { value: tx } }) as Context<unknown, 'anyone'>)
  const key = call.idempotent ? idempotencyKey(request, call.name) : null
  if (key && site && account !== null) {
    const repeatable = { ...key, site: site.id, account, customer, now: context.now, withDepth: site.allowProfileDepth }
    return runOnce(database, scope, repeatable, work)
  }
  const read = { site: site?.id ?? null, account, path: call.path }
  const copy = call.replicaSafe ? replica?.databaseFor(read) : null
  if (copy) {
    try {
      return await copy.transaction(scope, work)
    } catch (error) {
      // the primary answers then; of a failure too, because the replica may lack the row
      if (!(error instanceof Failure)) replica?.recordFailure(error)
    }
  }
  return database.transaction(scope, work)
}
