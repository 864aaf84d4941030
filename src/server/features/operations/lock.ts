/** An operation that nobody else changes while a request works with it. */
import { Failure } from '#domain/failure.ts'
import { allows, steps, type Step } from '#domain/operations/operation.ts'
import type { Json, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Context, Site, Who } from '../handler.ts'
import { lockOperation } from './changing.sql.ts'
import { operationById } from './operations.sql.ts'

/** The fields of an operation that its rules need, and those that an edit may change. */
export type Operation = Row<typeof lockOperation>

export type Circumstances = { readonly tx: Tx; readonly who: Who; readonly site: Site; readonly now: Date }
/** With the request, which notifies the screens that show an operation. */
export type InRequest = Circumstances & {
  readonly request: Pick<Context<unknown, 'anyone'>['request'], 'notify'>
}

/** The operation, locked until this request is over. @throws Failure `record.missing`, also for another customer's */
export const lock = ({ tx, who, site }: Omit<Circumstances, 'now'>, id: number): Promise<Operation> =>
  tx.one(lockOperation, { site: site.id, operation: id, customer: who.customer })

/** @throws Failure `operation.step` where the step is not possible now, `session.forbidden` where it is not this account's */
export function guard(operation: Operation, step: Step, who: Who): void {
  if (allows(operation, step, who)) return
  // the step is possible but not for this account: no race, and another try will not help
  if (operation.status === steps[step].from) throw new Failure('session.forbidden')
  throw new Failure('operation.step', { status: operation.status })
}

/** The operation in wire form, as it is now. */
export const answer = ({ tx, site }: Pick<Circumstances, 'tx' | 'site'>, id: number): Promise<Json> =>
  tx.json(operationById, { site: site.id, withDepth: site.allowProfileDepth, operation: id })
