/**
 * Brings a database to the newest schema: plain SQL in `db/migrations/NNNN_name.sql`, each applied once and never changed
 * afterwards. All that a start applies is one transaction, and of several nodes that start at once one applies it.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import Postgrator from 'postgrator'
import { StartRefused } from '../postgres/startup.ts'

const shipped = path.join(import.meta.dirname, '..', '..', '..', 'db', 'migrations')

/** Whoever wants to migrate waits for this lock; the number means nothing, it only has to be ours. */
const migrationLock = 7_413_092_655

/**
 * Applies what is missing, makes the role `wheelhouse_app` where it is missing, and lets the connecting user take that role on.
 * An older portal beside a newer one finds migrations that it doesn't know and leaves them alone.
 * `to` stops at the migration of that number: for a backup of an earlier portal.
 * @returns the names of the files that were applied, in their order.
 * @throws StartRefused when the server doesn't fit, a migration that was applied has been changed or lost, or one came in late.
 */
export async function migrate(
  adminUrl: string,
  { directory = shipped, to }: { directory?: string; to?: number } = {},
): Promise<{ applied: string[] }> {
  const deadline = Date.now() + patience
  for (let tries = 1; ; tries++) {
    try {
      return await once(adminUrl, { directory, to, whole: tries > politely })
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline)
        throw new StartRefused(
          'The database is being read by something that does not end, such as a backup or a report, so its tables cannot be changed for this version. Start again when that is over.',
          { cause: error },
        )
      await pause(2 * lockWait)
    }
  }
}

/**
 * How long a change waits for a table, in ms. Meanwhile every other statement on that table waits behind it, and on those that it
 * has got already: with several tables these times add up.
 */
const lockWait = 300
/**
 * So often each table is taken when it is changed, and served until then. With many changes among many writers one of these is
 * always in use by a statement that waits for another; then all tables are taken before the first is changed.
 */
const politely = 10
/** How long it tries again. */
const patience = 120_000

/** Whether a table was not free in time. */
function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code === '55P03' || (cause instanceof Error && isBusy(cause))
}

type Attempt = { directory: string; to: number | undefined; whole: boolean }

async function once(adminUrl: string, { directory, to, whole }: Attempt): Promise<{ applied: string[] }> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await refuseUnfit(client)
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.query(`set local lock_timeout = ${lockWait}`)
    if (whole) await takeAll(client)
    await provideRole(client)
    const applied = await apply(client, directory, to)
    await client.query('commit')
    return { applied }
  } finally {
    // Ends a transaction that failed, too.
    await client.end()
  }
}

async function takeAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ tables: string | null }>(
    `select string_agg(oid::regclass::text, ', ' order by relname) as tables from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  if (rows[0]?.tables) await client.query(`lock table ${rows[0].tables} in access exclusive mode`)
}

async function apply(client: Client, directory: string, to?: number): Promise<string[]> {
  const migrations = new Migrations({
    driver: 'pg',
    directory,
    // Out of the application's sight, which may use every table of the schema "public".
    schemaTable: 'migration.applied',
    currentSchema: 'public',
    execQuery: sql => client.query(sql),
  })
  let underWay = ''
  migrations.on('migration-started', ({ filename }) => (underWay = filename))
  try {
    await refuseBrokenHistory(client, await migrations.getMigrations(), directory)
    const applied = await migrations.migrate(to === undefined ? undefined : String(to))
    return applied.map(({ filename }) => path.basename(filename))
  } catch (error) {
    if (!underWay || error instanceof StartRefused) throw error
    const { message, position } = error as Error & { position?: string }
    const line = position
      ? ` in line ${fs.readFileSync(underWay, 'utf8').slice(0, Number(position)).split('\n').length}`
      : ''
    throw new Error(`The migration ${path.basename(underWay)} failed${line}: ${message}. The database is as it was.`, {
      cause: error,
    })
  }
}

/** Postgrator with names as they sort and read best, and fingerprints that don't depend on how a file's lines end. */
class Migrations extends Postgrator {
  readonly #directory: string
  constructor({ directory, ...options }: Postgrator.PostgreSQLOptions & { directory: string }) {
    super(options)
    this.#directory = directory
  }
  override async getMigrations(): Promise<Postgrator.Migration[]> {
    const found = shippedMigrations(this.#directory)
    const twice = found.find((migration, i) => migration.version === found[i - 1]?.version)
    if (twice) throw new StartRefused(`Two migrations in ${this.#directory} have the number ${twice.version}.`)
    return (this.migrations = found)
  }
  declare migrations: Postgrator.Migration[]
}

/** The migrations of a directory in their order, each with its fingerprint. @throws StartRefused at a file that is named otherwise */
export function shippedMigrations(directory = shipped): Postgrator.Migration[] {
  return fs
    .readdirSync(directory)
    .filter(file => file.endsWith('.sql'))
    .sort()
    .map(file => {
      const [, number = '', name = ''] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (!name) throw new StartRefused(`The migration ${file} isn't named like 0042_what_it_does.sql.`)
      const filename = path.join(directory, file)
      const sql = fs.readFileSync(filename, 'utf8').replaceAll('\r\n', '\n')
      const md5 = createHash('md5').update(sql).digest('hex')
      return { version: Number(number), action: 'do' as const, filename, name, md5, getSql: () => sql }
    })
}

/** What the library doesn't see: a migration that was lost, and one that came in behind the newest that was applied. */
async function refuseBrokenHistory(client: Client, known: Postgrator.Migration[], directory: string): Promise<void> {
  const { rows: made } = await client.query("select to_regclass('migration.applied') is not null as there")
  if (!made[0]?.there) return
  const { rows } = await client.query<{ version: number; name: string; md5: string }>(
    'select version::int, name, md5 from migration.applied where version > 0 order by version',
  )
  const newest = rows.at(-1)?.version ?? 0
  const newestKnown = known.at(-1)?.version ?? 0
  for (const { version, name, md5 } of rows) {
    if (version > newestKnown) continue
    const file = known.find(migration => migration.version === version)
    const number = String(version).padStart(4, '0')
    if (!file)
      throw new StartRefused(`The database was migrated by ${number}_${name}.sql, which is missing in ${directory}.`)
    if (file.md5 !== md5)
      throw new StartRefused(
        `The migration ${path.basename(file.filename)} was changed after it had been applied to this database. Put it back as it was, and make the change in a new one.`,
      )
  }
  const late = known.find(({ version }) => version < newest && !rows.some(row => row.version === version))
  if (late)
    throw new StartRefused(
      `The migration ${path.basename(late.filename)} was added behind ${String(newest).padStart(4, '0')}, which this database has already applied. Give it a higher number.`,
    )
}

async function refuseUnfit(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string; encoding: string }>(`
    select current_setting('server_version_num')::int as version,
           current_setting('server_version') as name,
           current_setting('server_encoding') as encoding`)
  const { version = 0, name = '', encoding = '' } = rows[0] ?? {}
  if (version < 150_000)
    throw new StartRefused(`The database server is PostgreSQL ${name}; Wheelhouse needs 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new StartRefused(`The database is encoded in ${encoding}; Wheelhouse needs one in UTF8.`)
}

/** On a server that we don't run, the portal connects as the owner of its tables and takes on this role for all its work. */
async function provideRole(client: Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean; mighty: boolean; me: string; ours: boolean }>(`
    select r.oid is not null as there,
           coalesce(r.rolsuper or r.rolbypassrls, false) as mighty,
           current_user as me,
           coalesce(pg_has_role(current_user, r.oid,
             case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end), false) as ours
      from (values ('wheelhouse_app')) as wanted(name) left join pg_roles r on r.rolname = wanted.name`)
  const { there, mighty, me, ours } = rows[0] ?? { there: false, mighty: false, me: '', ours: false }
  if (mighty)
    throw new StartRefused(
      'The role wheelhouse_app is a superuser or bypasses row-level security, so sites would not be kept apart. Run: alter role wheelhouse_app nosuperuser nobypassrls',
    )
  try {
    if (!there)
      await client.query(`
        do $$ begin
          create role wheelhouse_app nologin nosuperuser nocreatedb nocreaterole nobypassrls;
        exception when duplicate_object or unique_violation then
          null; -- made at the same moment, from another database of this server
        end $$`)
    if (!there || !ours) await client.query('grant wheelhouse_app to current_user')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== '42501') throw error
    throw new StartRefused(
      `The database user ${me} may not make the role that the portal works under (${message}). Let an administrator of the server run: create role wheelhouse_app nologin; grant wheelhouse_app to "${me}"`,
      { cause: error },
    )
  }
}
