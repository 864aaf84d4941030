/** The databases of a server around a restore: the one that is replaced, the new one, and those that earlier restores have kept. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { BackupRefused } from './archive.ts'
import { connect, quote } from './connection.ts'

/** Where a backup is restored to. Everything but an empty portal, or nothing at all, is data. */
export type Target = { readonly name: string; readonly exists: boolean; readonly hasData: boolean }

export async function inspectTarget(url: string): Promise<Target> {
  let client: pg.Client
  try {
    client = await connect(url)
  } catch (error) {
    // no database of this name
    if ((error as { code?: string }).code !== '3D000') throw error
    return { name: decodeURIComponent(new URL(url).pathname.slice(1)), exists: false, hasData: false }
  }
  try {
    const { rows } = await client.query<{ name: string; tables: number; portal: boolean }>(`
      select current_database() as name, to_regclass('public.site') is not null and to_regclass('public.account') is not null as portal,
        (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables`)
    const { name, tables, portal } = rows[0] ?? { name: '', tables: 0, portal: false }
    if (!portal) return { name, exists: true, hasData: tables > 0 }
    await client.query(`set app.scope = 'system'`)
    const { rows: answers } = await client.query<{ any: boolean }>(
      'select exists (select from site) or exists (select from account) as any',
    )
    return { name, exists: true, hasData: answers[0]?.any ?? true }
  } finally {
    await client.end()
  }
}

/** The same server and user, another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

/** A connection to a database of the server that no restore touches. @throws BackupRefused */
export async function connectToMaintenance(url: string): Promise<pg.Client> {
  try {
    return await connect(databaseUrl(url, 'postgres'))
  } catch (error) {
    throw new BackupRefused(
      `The databases of this server can't be renamed without one named postgres that ${new URL(url).username} may connect to: ${(error as Error).message}.`,
      { cause: error },
    )
  }
}

/** An arbitrary number, the same in every process. Held until the connection ends. */
const restoreLock = 7_413_092_656

/** @throws BackupRefused when another restore holds the lock */
export async function lockRestores(maintenance: pg.Client): Promise<void> {
  const { rows } = await maintenance.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    restoreLock,
  ])
  if (!rows[0]?.locked) throw new BackupRefused('Another restore is at work on this server.')
}

/** Creates an empty database with the collation of the existing one; removes first what a killed restore left. */
export async function createLike(maintenance: pg.Client, existing: string, fresh: string): Promise<void> {
  await maintenance.query(`drop database if exists ${quote(fresh)} with (force)`)
  const locale = await localeOf(maintenance, existing)
  try {
    await maintenance.query(`create database ${quote(fresh)} template template0 encoding 'UTF8'${locale}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const { user } = maintenance
    throw new BackupRefused(
      `The database user ${user} may not create databases. Let an administrator of the server run: alter role "${user}" createdb`,
      { cause: error },
    )
  }
}

/** How a database sorts and compares, as options of `create database`; empty when there is none of this name. */
async function localeOf(maintenance: pg.Client, name: string): Promise<string> {
  const { rows } = await maintenance.query<{ collate: string; ctype: string; provider: string; locale: string | null }>(
    `select datcollate as collate, datctype as ctype, datlocprovider as provider,
       coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') as locale
     from pg_database d where datname = $1`,
    [name],
  )
  const [like] = rows
  if (!like) return ''
  const provider = { i: 'icu', b: 'builtin', c: 'libc' }[like.provider]
  const base = ` lc_collate ${pg.escapeLiteral(like.collate)} lc_ctype ${pg.escapeLiteral(like.ctype)} locale_provider ${provider}`
  return like.locale && provider !== 'libc' ? `${base} ${provider}_locale ${pg.escapeLiteral(like.locale)}` : base
}

/**
 * Gives the new database the name of the old one. Both names change at once, or neither, whenever this process may be killed. While
 * the first rename waits for the old database to be free nobody can connect, and existing connections are terminated: their owners
 * reconnect to the new one. The old one is kept as `replaced`, or dropped when that is null.
 */
export async function swapNames(
  maintenance: pg.Client,
  { url, target, fresh, replaced }: { url: string; target: Target; fresh: string; replaced: string | null },
): Promise<void> {
  const { name, exists } = target
  if (!exists) {
    await maintenance.query(`alter database ${quote(fresh)} rename to ${quote(name)}`)
    return
  }
  const old = replaced ?? `${name}_empty`
  if (!replaced) await maintenance.query(`drop database if exists ${quote(old)} with (force)`)
  const terminator = await connectToMaintenance(url)
  try {
    await maintenance.query('begin')
    const free = new AbortController()
    const renamed = maintenance
      .query(`alter database ${quote(name)} rename to ${quote(old)}`)
      .finally(() => free.abort())
    const terminated = (async () => {
      for (; !free.signal.aborted; await pause(50))
        await terminator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })()
    await Promise.all([renamed, terminated])
    await maintenance.query(`alter database ${quote(fresh)} rename to ${quote(name)}`)
    await maintenance.query('commit')
  } catch (error) {
    await maintenance.query('rollback').catch(() => {})
    throw error
  } finally {
    await terminator.end()
  }
  if (!replaced) await maintenance.query(`drop database ${quote(old)} with (force)`)
}

/** The name under which a replaced database is kept: `wheelhouse_before_20261118_100000`. */
export const replacedName = (name: string, now: Date): string =>
  `${name}_before_${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')}`

/** Drops the databases that restores have replaced. @returns their names */
export async function dropReplaced(url: string): Promise<string[]> {
  const { name } = await inspectTarget(url)
  const maintenance = await connectToMaintenance(url)
  try {
    const { rows } = await maintenance.query<{ datname: string }>(
      `select datname from pg_database where datname ~ ('^' || $1 || '_before_[0-9]{8}_[0-9]{6}$') order by 1`,
      [name.replaceAll(/[^\w]/g, '\\$&')],
    )
    for (const { datname } of rows) await maintenance.query(`drop database ${quote(datname)} with (force)`)
    return rows.map(({ datname }) => datname)
  } finally {
    await maintenance.end()
  }
}
