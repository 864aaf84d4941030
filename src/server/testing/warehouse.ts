/** An administrator restricted to the warehouse. */
import { createHash, randomBytes } from 'node:crypto'
import type { Principal, World } from './world.ts'

/** With a session of its own; nobody can sign in to it by a password. */
export async function warehouseOf(at: World, admin: Principal = at.who.admin): Promise<Principal> {
  const name = `warehouse-${randomBytes(4).toString('hex')}`
  const [row] = await at.query<{ id: number }>(
    `insert into account (site_id, username, fullname, type, warehouse_only, language, password)
     values ($1, $2, 'Full hall', 'admin', true, 'eng', '') returning id`,
    [admin.site, name],
  )
  const account = row?.id ?? 0
  const token = randomBytes(32).toString('base64url')
  await at.query(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at) values ($1, $2, $3, $4, $4)`,
    [createHash('sha256').update(token).digest(), account, admin.site, at.clock.now],
  )
  return { ...admin, name, account, warehouse: true, cookie: `wheelhouse=${token}` }
}
