import type { AuditAction } from '#domain/people/audit.ts'
import type { Tx } from '../../db/database.ts'
import { addEntry } from './audited.sql.ts'

/** Where an action happens, when and by whom; the account is null for the command line. */
type At = {
  readonly tx: Tx
  readonly site: { readonly id: number }
  readonly who: { readonly account: number | null }
  readonly now: Date
}

/**
 * Writes an entry of the audit for an action that no single changed row stands for; where one does, the statement that changes it writes the
 * entry, too (audited.sql.ts). `customer`: whose entry it is, null for the site's own.
 */
export const recordAudit = (
  { tx, site, who, now }: At,
  action: AuditAction,
  subject: string,
  facts: object = {},
  customer: number | null = null,
): Promise<void> =>
  tx.run(addEntry, {
    site: site.id,
    customer,
    actor: who.account,
    now,
    action,
    subject,
    facts: JSON.stringify(facts),
  })
