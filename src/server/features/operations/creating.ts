/** An operation made and saved: by a call about it, and by one that makes several (swapping.ts). */
import { Failure } from '#domain/failure.ts'
import { asksForParts, commonParts, noParts, type OperationStatus } from '#domain/operations/operation.ts'
import { may, type OfferedType, tyreStatuses } from '#domain/tyres/tyre.ts'
import type { Tx } from '../../db/database.ts'
import { actorOf } from '../audit/audited.sql.ts'
import { lastPartsOf } from '../tyres/lastParts.sql.ts'
import { createOperation, saveOperation } from './changing.sql.ts'
import type { edited } from './editing.ts'
import type { Circumstances } from './lock.ts'

type Wanted = { vehicle: number; tyres: readonly number[]; type: OfferedType }

/**
 * Creates an operation. Answers it in wire form, with its customer. A storage begins with what its tyres last had with them.
 * `run` is the transaction, or single statements. @throws Failure with why it can't be
 */
export async function create(
  run: Pick<Tx, 'one' | 'rows'>,
  { who, site, now }: Omit<Circumstances, 'tx'>,
  { vehicle, tyres, type }: Wanted,
): Promise<{ json: string; customer: number | null }> {
  const ids = [...new Set(tyres)]
  const lastParts = asksForParts(type)
    ? await run.rows(lastPartsOf, { site: site.id, customer: who.customer, tyres: ids })
    : []
  const partsOf = new Map(lastParts.map(parts => [parts.tyre, parts]))
  const row = await run.one(createOperation, {
    ...commonParts(ids.map(tyre => partsOf.get(tyre) ?? noParts)),
    site: site.id,
    withDepth: site.allowProfileDepth,
    customer: who.customer,
    vehicle,
    tyres: ids,
    type,
    account: who.account,
    now,
    states: tyreStatuses.filter(tyre_status => may(type, { tyre_status })),
    actor: actorOf(who),
  })
  if (row.code) throw new Failure(row.code, row.code === 'operation.tyres_refused' ? { tyres: row.refused } : {})
  return { json: row.json ?? '', customer: row.customer }
}

/** The id of an operation that was made. */
export const idOf = ({ json }: { json: string }): number => (JSON.parse(json) as { _id: number })._id

/** Saves the edited fields of an operation, with its status from now on. `action` is its name in the audit, '' for no entry. */
export const save = (
  { tx, who, site, now }: Circumstances,
  operation: number,
  { kept, services, changed }: Awaited<ReturnType<typeof edited>>,
  { status, action }: { status: OperationStatus; action: string },
): Promise<unknown> =>
  tx.run(saveOperation, {
    ...kept,
    site: site.id,
    operation,
    now,
    status,
    services,
    actor: who.account,
    action,
    facts: JSON.stringify(changed.length > 0 ? { fields: changed } : {}),
  })
