/**
 * From a backup to a database. Everything happens in a new database beside the one that is replaced, which goes on working;
 * only when the new one holds every byte of the backup do the two change names.
 */
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate, shippedMigrations } from '../db/migrate.ts'
import { readArchive, Tally, Unusable, verifyArchive, type Manifest, type Piece } from './archive.ts'
import { connected, leftOut, quoted } from './take.ts'

export type Restored = {
  readonly manifest: Manifest
  /** The name of the database that was replaced and is still there; null where there was nothing in it. */
  readonly replaced: string | null
}

type Options = {
  /** Takes the place of a database with data. */
  replace?: boolean
  now: Date
  log: (sentence: string) => void
}

/**
 * Restores `file` as the database that `url` names, which is empty or not there; with `replace` it may have data and be in use.
 * @throws Unusable when the file is damaged or of a newer Wheelhouse, or the database may not be replaced. Whatever fails, the
 * database stays as it was.
 */
export async function restoreBackup(
  url: string,
  file: string,
  { replace = false, now, log }: Options,
): Promise<Restored> {
  log('Reading the backup …')
  const manifest = await verifyArchive(file)
  const version = refuseOtherSchema(manifest)
  const target = await look(url)
  if (target.holds && !replace)
    throw new Unusable(
      `The database ${target.name} has data. To put the backup in its place: --replace. What it has now is kept under another name.`,
    )
  const maintenance = await maintain(url)
  const fresh = `${target.name}_restoring`
  try {
    await refuseSecondRestore(maintenance)
    await createLike(maintenance, target.name, fresh)
    const freshUrl = at(url, fresh)
    try {
      await migrate(freshUrl, { to: version })
      log('Loading …')
      await load(freshUrl, file, manifest)
      await migrate(freshUrl)
      await finish(freshUrl, url, target.there)
      const replaced = target.holds ? `${target.name}_before_${stamp(now)}` : null
      await swap(maintenance, { url, name: target.name, fresh, there: target.there, replaced })
      return { manifest, replaced }
    } catch (error) {
      await maintenance.query(`drop database if exists ${quoted(fresh)} with (force)`)
      throw error
    }
  } finally {
    await maintenance.end()
  }
}

/** Removes the databases that restores have replaced. @returns their names */
export async function dropReplaced(url: string): Promise<string[]> {
  const { name } = await look(url)
  const maintenance = await maintain(url)
  try {
    const { rows } = await maintenance.query<{ datname: string }>(
      `select datname from pg_database where datname ~ ('^' || $1 || '_before_[0-9]{8}_[0-9]{6}$') order by 1`,
      [name.replaceAll(/[^\w]/g, '\\$&')],
    )
    for (const { datname } of rows) await maintenance.query(`drop database ${quoted(datname)} with (force)`)
    return rows.map(({ datname }) => datname)
  } finally {
    await maintenance.end()
  }
}

const stamp = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')

/** The same server and user, another database. */
function at(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

/** The version to which a backup's own migrations lead. @throws Unusable when this Wheelhouse doesn't ship them */
function refuseOtherSchema({ schema }: Manifest): number {
  const version = schema.at(-1)?.version ?? 0
  const shipped = shippedMigrations()
  const newest = shipped.at(-1)?.version ?? 0
  if (version > newest)
    throw new Unusable(
      `The backup was made by a newer Wheelhouse (migration ${version}, this one knows ${newest}). Restore it with that one.`,
    )
  const ours = shipped.filter(migration => migration.version <= version)
  const same = ours.length === schema.length && ours.every((own, nth) => own.md5 === schema[nth]?.md5)
  if (!same)
    throw new Unusable('The backup was made by another Wheelhouse: its migrations are not those that this one ships.')
  return version
}

type Target = { name: string; there: boolean; holds: boolean }

/** What is where the backup is to go. Anything but an empty portal, or nothing at all, is data. */
async function look(url: string): Promise<Target> {
  let client: pg.Client
  try {
    client = await connected(url)
  } catch (error) {
    // no database of this name
    if ((error as { code?: string }).code !== '3D000') throw error
    return { name: decodeURIComponent(new URL(url).pathname.slice(1)), there: false, holds: false }
  }
  try {
    const { rows } = await client.query<{ name: string; tables: number; portal: boolean }>(`
      select current_database() as name, to_regclass('public.site') is not null and to_regclass('public.account') is not null as portal,
        (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables`)
    const { name, tables, portal } = rows[0] ?? { name: '', tables: 0, portal: false }
    if (!portal) return { name, there: true, holds: tables > 0 }
    await client.query(`set app.scope = 'system'`)
    const { rows: held } = await client.query<{ holds: boolean }>(
      'select exists (select from site) or exists (select from account) as holds',
    )
    return { name, there: true, holds: held[0]?.holds ?? true }
  } finally {
    await client.end()
  }
}

/** A connection to the server that stands in neither of the two databases. */
async function maintain(url: string): Promise<pg.Client> {
  try {
    return await connected(at(url, 'postgres'))
  } catch (error) {
    throw new Unusable(
      `The databases of this server can't be renamed without one named postgres that ${new URL(url).username} may connect to: ${(error as Error).message}.`,
      { cause: error },
    )
  }
}

/** The number means nothing, it only has to be ours. Held until the connection ends. */
const restoreLock = 7_413_092_656

async function refuseSecondRestore(maintenance: pg.Client): Promise<void> {
  const { rows } = await maintenance.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [restoreLock])
  if (!rows[0]?.ours) throw new Unusable('Another restore is at work on this server.')
}

/** An empty database that sorts and compares as the one that is there; what a killed restore left goes first. */
async function createLike(maintenance: pg.Client, name: string, fresh: string): Promise<void> {
  await maintenance.query(`drop database if exists ${quoted(fresh)} with (force)`)
  const { rows } = await maintenance.query<{ collate: string; ctype: string; provider: string; locale: string | null }>(
    `select datcollate as collate, datctype as ctype, datlocprovider as provider,
       coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') as locale
     from pg_database d where datname = $1`,
    [name],
  )
  const [like] = rows
  const provider = { i: 'icu', b: 'builtin', c: 'libc' }[like?.provider ?? '']
  const locale = like
    ? ` lc_collate ${pg.escapeLiteral(like.collate)} lc_ctype ${pg.escapeLiteral(like.ctype)} locale_provider ${provider}` +
      (like.locale && provider !== 'libc' ? ` ${provider}_locale ${pg.escapeLiteral(like.locale)}` : '')
    : ''
  try {
    await maintenance.query(`create database ${quoted(fresh)} template template0 encoding 'UTF8'${locale}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const { user } = maintenance
    throw new Unusable(
      `The database user ${user} may not make databases. Let an administrator of the server run: alter role "${user}" createdb`,
      { cause: error },
    )
  }
}

/** Fills the new database in one transaction and reads it back: it has to give the very bytes that the backup holds. */
async function load(url: string, file: string, manifest: Manifest): Promise<void> {
  const client = await connected(url)
  try {
    await client.query('begin')
    const tables = Object.keys(manifest.tables)
    const rest = await bare(client)
    await client.query(`truncate ${[...tables, ...leftOut].map(quoted).join(', ')}`)
    await fill(client, file, manifest)
    await compare(client, manifest)
    // or the references of a large customer's tyres are checked against each of its vehicles
    await client.query('analyze')
    for (const sql of rest) await client.query(sql)
    for (const [name, last] of Object.entries(manifest.sequences))
      await client.query('select setval($1::regclass, $2)', [quoted(name), last])
    if (manifest.demo) await client.query(`comment on table site is 'demo'`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/**
 * Takes from all tables what hinders loading: triggers, which would count what is counted already; references, which are checked
 * quicker all at once and in no order; and row-level security where it binds the owner.
 * @returns the statements that put it back.
 */
export async function bare(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; forced: boolean }>(
    `select oid::regclass::text as name, relforcerowsecurity as forced from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const { rows: references } = await client.query<{ table: string; name: string; says: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as says from pg_constraint
     where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0 order by 1, 2`,
  )
  const back: string[] = []
  for (const { table, name, says } of references) {
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
    back.push(`alter table ${table} add constraint ${quoted(name)} ${says}`)
  }
  for (const { name, forced } of tables) {
    await client.query(`alter table ${name} no force row level security, disable trigger user`)
    back.push(`alter table ${name} ${forced ? 'force row level security, ' : ''}enable trigger user`)
  }
  return back
}

async function fill(client: pg.Client, file: string, manifest: Manifest): Promise<void> {
  const parts = readArchive(file)
  let next = await parts.next()
  while (next.done !== true && !('format' in next.value)) {
    const { table } = next.value
    const columns = manifest.tables[table]?.columns ?? []
    async function* rows(first: Piece): AsyncGenerator<Buffer> {
      yield first.rows
      for (next = await parts.next(); next.done !== true; next = await parts.next()) {
        if ('format' in next.value || next.value.table !== table) return
        yield next.value.rows
      }
    }
    await pipeline(rows(next.value), client.query(copyFrom(`copy ${quoted(table)} (${listed(columns)}) from stdin`)))
  }
}

const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ')

async function compare(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const [table, { columns, sha256 }] of Object.entries(manifest.tables)) {
    const tally = new Tally()
    const rows = client.query(copyTo(`copy ${quoted(table)} (${listed(columns)}) to stdout`)) as AsyncIterable<Buffer>
    for await (const chunk of rows) tally.add(chunk)
    if (tally.result.sha256 !== sha256) throw new Error(`${table} was not restored as it was`)
  }
}

/** Last things in the new database: what a running portal remembers of the old one it takes for outdated. */
async function finish(freshUrl: string, url: string, there: boolean): Promise<void> {
  let version = 0
  if (there) {
    const old = await connected(url)
    try {
      const { rows } = await old.query<{ there: boolean }>(
        `select to_regclass('public.dictionary') is not null as there`,
      )
      if (rows[0]?.there) version = Number((await old.query('select version from dictionary')).rows[0]?.version ?? 0)
    } finally {
      await old.end()
    }
  }
  const client = await connected(freshUrl)
  try {
    await client.query('update dictionary set version = greatest(version, $1::bigint) + 1', [version])
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

/**
 * Both names change at one moment, or neither, whenever this process may be killed. While the first change waits for the old
 * database to be free nobody comes in, and who is in is sent away: they come back to the new one.
 */
async function swap(
  maintenance: pg.Client,
  {
    url,
    name,
    fresh,
    there,
    replaced,
  }: { url: string; name: string; fresh: string; there: boolean; replaced: string | null },
): Promise<void> {
  if (!there) {
    await maintenance.query(`alter database ${quoted(fresh)} rename to ${quoted(name)}`)
    return
  }
  const old = replaced ?? `${name}_empty`
  if (!replaced) await maintenance.query(`drop database if exists ${quoted(old)} with (force)`)
  const doorkeeper = await maintain(url)
  try {
    await maintenance.query('begin')
    const alone = new AbortController()
    const renamed = maintenance
      .query(`alter database ${quoted(name)} rename to ${quoted(old)}`)
      .finally(() => alone.abort())
    const sentAway = (async () => {
      for (; !alone.signal.aborted; await pause(50))
        await doorkeeper.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })()
    await Promise.all([renamed, sentAway])
    await maintenance.query(`alter database ${quoted(fresh)} rename to ${quoted(name)}`)
    await maintenance.query('commit')
  } catch (error) {
    await maintenance.query('rollback').catch(() => {})
    throw error
  } finally {
    await doorkeeper.end()
  }
  if (!replaced) await maintenance.query(`drop database ${quoted(old)} with (force)`)
}
