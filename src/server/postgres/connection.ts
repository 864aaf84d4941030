/** How to connect to the embedded database, and what must exist in it before the portal does. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Client } from 'pg'
import { StartRefused } from './startup.ts'

/** The role that owns the embedded cluster and everything in it. */
export const ownerRole = 'wheelhouse'
/** The role that row-level security binds and that the portal works as. */
export const applicationRole = 'wheelhouse_app'
const database = 'wheelhouse'

/** The passwords of both roles. */
export type Keys = { readonly owner: string; readonly application: string }

/** Connection strings: the owner's for maintenance, the owner's and the application's for the database itself. */
export function connectionUrls(keys: Keys, socketDir: string | undefined, port: number) {
  const urlOf = (role: string, password: string, name: string) =>
    socketDir
      ? `postgres://${role}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(socketDir)}`
      : `postgres://${role}:${password}@127.0.0.1:${port}/${name}`
  return {
    maintenance: urlOf(ownerRole, keys.owner, 'postgres'),
    admin: urlOf(ownerRole, keys.owner, database),
    app: urlOf(applicationRole, keys.application, database),
  }
}

/** A port of the loopback interface that is free right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Creates the application's role and the database where they are missing, whichever earlier start was killed half-way.
 * @throws StartRefused when the database is not durable, unless `unsafe`.
 */
export async function ensureDatabase(maintenanceUrl: string, keys: Keys, unsafe: boolean): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $2) as database`,
      [applicationRole, database],
    )
    if (!rows[0]?.role)
      await client.query(
        `create role ${applicationRole} login nosuperuser nocreatedb nocreaterole nobypassrls password '${keys.application}'`,
      )
    if (!rows[0]?.database) await client.query(`create database ${database} owner ${ownerRole}`)
    await assertDurable(client, { unsafe })
  } finally {
    await client.end()
  }
}

/**
 * Refuses a database that could lose acknowledged writes in a power cut.
 * @throws StartRefused naming the settings, unless `unsafe` (tests).
 */
export async function assertDurable(
  client: { query(sql: string): Promise<{ rows: Record<string, unknown>[] }> },
  { unsafe = false }: { unsafe?: boolean } = {},
): Promise<void> {
  if (unsafe) return
  const { rows } = await client.query(`
    select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
     order by name`)
  if (rows.length === 0) return
  const off = rows.map(row => String(row['name'])).join(', ')
  throw new StartRefused(
    `The database runs with ${off} switched off: writes that were acknowledged would be lost in a power cut. Switch ${rows.length > 1 ? 'them' : 'it'} on and start again.`,
  )
}
