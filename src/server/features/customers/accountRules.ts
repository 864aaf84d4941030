/** Rules for every change of an account: an administrator who can undo it is left, and ended sessions can't be used. */
import { Failure } from '#domain/failure.ts'
import { isDeceptive } from '#domain/people/username.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Context } from '../handler.ts'
import { endSiteAccountSessions, lockAdministrators, lockSiteAccount, superuserNamed } from './accounts.sql.ts'

type AdminContext = Context<unknown, readonly ['admin']>

/**
 * Locks an account for a change after which it is no longer an administrator who can sign in and make accounts.
 * @throws Failure `record.missing`; `account.last_admin` or `account.own`: an administrator who can undo it must be left
 */
export async function lockUnlessLastAdmin(
  { tx, who, site }: Pick<AdminContext, 'tx' | 'who' | 'site'>,
  account: number,
): Promise<Row<typeof lockSiteAccount>> {
  const enabled = await tx.rows(lockAdministrators, { site: site.id })
  const locked = await tx.one(lockSiteAccount, { site: site.id, account })
  if (locked.type !== 'admin') return locked
  if (!locked.disabled && !enabled.some(({ id }) => id !== account)) throw new Failure('account.last_admin')
  if (account === who.account) throw new Failure('account.own')
  return locked
}

/** Ends the sessions of an account, on this node at once. */
export async function endSessionsOf(
  { tx, site, request }: Pick<AdminContext, 'tx' | 'site' | 'request'>,
  account: number,
): Promise<void> {
  await tx.run(endSiteAccountSessions, { site: site.id, account })
  request.invalidateSessions(account)
}

/**
 * @throws Failure `account.name_deceptive`; `account.name_taken` for the name of a superuser: the database refuses that of another
 * account of the site
 */
export async function requireUsableName(tx: Tx, username: string): Promise<void> {
  if (isDeceptive(username)) throw new Failure('account.name_deceptive')
  await tx.asSystem()
  if (await tx.maybe(superuserNamed, { username })) throw new Failure('account.name_taken')
}
