/** Writes security events, each in the transaction of its cause (docs/decisions/0035). */
import { manyLabels, type SecurityKind } from '#domain/people/security.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Context, Who } from '../handler.ts'
import { addEvent, deleteOldOrigins, deleteOriginsOf } from './security.sql.ts'

/** Who does something, and from where; an import at the terminal has neither. */
export type Recording = Pick<Context<unknown, 'anyone'>, 'tx' | 'now'> & {
  readonly who: Pick<Who, 'account'> | null
  readonly request: Pick<Context<unknown, 'anyone'>['request'], 'site' | 'address' | 'agent' | 'countSecurityEvent'>
}
type SecurityEventInput = {
  readonly kind: SecurityKind
  /** The account, by default the caller; `null` for an unknown username. */
  readonly account?: number | null
  /** Numbers, names of records and booleans; never personal data, which could not be erased. */
  readonly facts?: Readonly<Record<string, number | string | boolean>>
}

/** Records what happened, and counts it in the metrics once the transaction is committed. */
export async function recordSecurityEvent(
  { tx, now, who, request }: Recording,
  { kind, account = who?.account ?? null, facts = {} }: SecurityEventInput,
): Promise<void> {
  // on sign-in the account itself is the actor
  const by = kind.startsWith('signIn') || who === null || who.account === account ? null : who.account
  const { site, address, agent: device } = request
  await tx.run(addEvent, { kind, now, site, account, by, facts: JSON.stringify(facts), hidden: false, address, device })
  request.countSecurityEvent(kind)
}

/** Records a print of many labels, which is an export of a fleet. */
export async function recordLargePrint(context: Recording, labels: number): Promise<void> {
  if (labels > manyLabels) await recordSecurityEvent(context, { kind: 'printedMany', facts: { labels } })
}

/** Forgets from where an account was used, also where the administrators of its site do not see it. */
export async function eraseOrigins(tx: Tx, account: number): Promise<void> {
  await tx.asSystem()
  await tx.run(deleteOriginsOf, { account })
}

/** Forgets addresses and devices of events of long ago; once an hour is enough. */
export const forgetOldOrigins = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, tx => tx.run(deleteOldOrigins, { now }))
