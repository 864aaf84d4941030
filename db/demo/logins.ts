/** Which accounts of a database are still the demo's: those whose password everybody knows. */
import type pg from 'pg'
import { demoPassword, type Role } from '#domain/people/account.ts'
import { verifyPassword } from '../../src/server/features/session/password.ts'
import { sitePlans } from './sites.ts'

/** An account that the demo made. `site` is null for the superuser; `hash` changes with the password. */
export type DemoAccount = {
  readonly account: number
  readonly site: string | null
  readonly username: string
  readonly type: Role
  readonly hash: string
}

/** The usernames of each site of the demo. */
export const demoUsernames = ['admin', 'customer', 'customer2', 'warehouse'] as const

/**
 * The enabled accounts of the demo that still have its password, in the order in which it made them; none in a database that is
 * not the demo's. Accounts that people made are never among them, whatever their passwords.
 */
export async function demoAccounts(client: pg.Client): Promise<DemoAccount[]> {
  const { rows } = await client.query<DemoAccount>(
    `select a.id as account, s.name as site, a.username, a.type, a.password as hash
     from account a left join site s on s.id = a.site_id
     where obj_description('site'::regclass) = 'demo' and a.disabled_at is null and
       (a.site_id is null and a.username = 'superuser' or s.code = any($1) and a.username = any($2))
     order by a.site_id nulls first, a.id`,
    [sitePlans.map(({ code }) => code), [...demoUsernames]],
  )
  // the accounts of a demo begin with one hash: checking each takes a second of a core on a slow machine
  const hashes = [...new Set(rows.map(({ hash }) => hash))]
  const matches = await Promise.all(hashes.map(hash => verifyPassword(demoPassword, hash)))
  const unchanged = new Set(hashes.filter((_, nth) => matches[nth]))
  return rows.filter(({ hash }) => unchanged.has(hash))
}
