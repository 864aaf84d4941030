/**
 * Migrates a database to the newest schema: plain SQL in `db/migrations/NNNN_name.sql`, each applied once and never changed
 * afterwards, and then the functions of `db/functions` that have changed (functions.ts). A start applies all pending ones in one
 * transaction, and of several nodes that start at once only one does.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import Postgrator from 'postgrator'
import { StartRefused } from '../postgres/startup.ts'
import { shippedDirectory } from './newestSchema.ts'
import { portalVersion } from '../version.ts'
import {
  applyFunctions,
  createMissingFunctions,
  lastMigrationWithFunctions,
  shippedFunctions,
  type DatabaseFunction,
} from './functions.ts'
import { ensureUpgrades, latestUpgradeOf, noteUpgrade, reasonToStop, whyNotServe, type Upgrade } from './serving.ts'

type Migrated = {
  readonly applied: readonly string[]
  /** `null` when nothing was applied. */
  readonly upgrade: Upgrade | null
  /** The schema of the database when it is newer than what this portal knows, else `null`. */
  readonly newer: number | null
}

/** An arbitrary number, the same in every process: one migrates at a time. */
const migrationLock = 7_413_092_655

/**
 * Applies the pending migrations, creates the role `wheelhouse_app` where it is missing, and grants it to the connecting user. A
 * portal of the version before ignores migrations that it doesn't know, where it may serve the database (serving.ts). `to` stops at the migration of that number, for a backup of an
 * earlier portal; the functions follow when it is migrated further. Other migrations than ours, in `directory`, come without functions
 * but those in the folder `functions`.
 * @returns the names of the applied migrations, in their order, with the upgrade that they are, and the schema of a database that is newer
 *   than this portal.
 * @throws StartRefused when the server is unsuitable, the database is too new for this portal, an applied migration was changed or is
 *   missing, or one was added out of order.
 */
export async function migrate(
  adminUrl: string,
  { directory, functions, to }: { directory?: string; functions?: string; to?: number } = {},
): Promise<Migrated> {
  const deadline = Date.now() + retryTimeout
  const busyTables: string[] = []
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(adminUrl, {
        directory: directory ?? shippedDirectory,
        functions: directory && !functions ? [] : shippedFunctions(functions),
        to,
        lockFirst: tries > attemptsBeforeLockAll ? busyTables : null,
      })
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (Date.now() > deadline)
        throw new StartRefused(
          "The tables of the database can't be locked for this version, because something reads them for a long time, such as a backup or a report. Start again when that has ended.",
          { cause: error },
        )
      await pause(2 * lockTimeout)
    }
  }
}

/**
 * How long a migration waits for a table's lock, in ms. Every other statement on that table waits behind it, and on the
 * tables that it has already locked: with several tables these times add up.
 */
const lockTimeout = 300
/**
 * In these attempts each table is locked when it is changed. With many writers one of the tables is always in use by a
 * statement that waits for another; then all tables are locked before the first change.
 */
const attemptsBeforeLockAll = 2
/** How long locked tables are retried, in ms. */
const retryTimeout = 120_000

/** Whether a table's lock was not free in time. */
function isLockTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code === '55P03' || (cause instanceof Error && isLockTimeout(cause))
}

type Attempt = {
  directory: string
  functions: readonly DatabaseFunction[]
  to: number | undefined
  /** Locks all tables before the first change, these first; null locks each when it is changed. */
  lockFirst: string[] | null
}

async function attempt(adminUrl: string, { lockFirst, ...pending }: Attempt): Promise<Migrated> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await refuseUnsuitable(client)
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.query(`set local lock_timeout = ${lockTimeout}`)
    if (lockFirst) await lockTables(client, lockFirst)
    await ensureRole(client)
    const migrated = await apply(client, pending)
    await client.query('commit')
    return migrated
  } finally {
    // also rolls back a transaction that failed
    await client.end()
  }
}

/**
 * Locks all tables, one after another. A writer that uses a table while it waits for one that is already locked here never
 * ends: the table that it uses has to be locked before. Which ones these are depends on the statements of the version that
 * runs, so each attempt learns one: the table that was not free in time is the first of the next attempt.
 * @param first the tables to begin with; a table that was not free in time is put in front of them. The others follow in the
 *   reverse order of their names: most parts are named after what they belong to, and a statement that writes a part looks
 *   up the whole afterwards.
 */
async function lockTables(client: Client, first: string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
     order by array_position($1::text[], oid::regclass::text), relname desc`,
    [first],
  )
  for (const { name } of rows)
    try {
      await client.query(`lock table ${name} in access exclusive mode`)
    } catch (error) {
      if (isLockTimeout(error)) first.splice(0, first.length, name, ...first.filter(other => other !== name))
      throw error
    }
}

async function apply(client: Client, { directory, functions, to }: Omit<Attempt, 'lockFirst'>): Promise<Migrated> {
  const migrations = new Migrations({
    driver: 'pg',
    directory,
    // The application may use nothing of it but the list of upgrades, so not in the schema "public".
    schemaTable: 'migration.applied',
    currentSchema: 'public',
    // refuseBrokenHistory has compared them, in one query and not one for each
    validateChecksums: false,
    execQuery: sql => client.query(sql),
  })
  const shipped = await migrations.getMigrations()
  await refuseBrokenHistory(client, shipped, directory)
  const newest = await migrations.getMaxVersion()
  const target = to ?? newest
  const from = await migrations.getDatabaseVersion()
  const before = await latestUpgradeOf(client)
  const begun = performance.now()
  // The functions of a newer portal fit its tables; ours may not.
  if (from > newest) {
    const refusal = whyNotServe(newest, before)
    if (refusal !== null) throw new StartRefused(refusal)
    return { applied: await applyMigrations(migrations, target), upgrade: null, newer: from }
  }
  const applied = await applyMigrations(migrations, Math.min(target, lastMigrationWithFunctions))
  if (to === undefined || to > lastMigrationWithFunctions) {
    await createMissingFunctions(client, functions)
    applied.push(...(await applyMigrations(migrations, target)))
    if (to === undefined) await applyFunctions(client, functions)
  }
  await ensureUpgrades(client)
  if (applied.length === 0) return { applied, upgrade: null, newer: null }
  const upgrade = {
    from,
    to: target,
    portals: { from: before?.portal ?? null, to: portalVersion },
    migrations: migrations.durations,
    seconds: (performance.now() - begun) / 1000,
  }
  const stops = shipped
    .filter(({ version }) => version > from && version <= target)
    .flatMap(({ version, getSql }) => {
      const reason = reasonToStop(getSql())
      return reason === null ? [] : [{ version, reason }]
    })
  await noteUpgrade(client, upgrade, { stops, before })
  return { applied, upgrade, newer: null }
}

/** Applies the pending migrations up to this one. @returns the names of their files */
async function applyMigrations(migrations: Migrations, target: number): Promise<string[]> {
  migrations.current = ''
  try {
    const applied = await migrations.migrate(String(target))
    return applied.map(({ filename }) => path.basename(filename))
  } catch (error) {
    const { current } = migrations
    if (!current || error instanceof StartRefused) throw error
    const { message, position } = error as Error & { position?: string }
    const line = position
      ? ` in line ${fs.readFileSync(current, 'utf8').slice(0, Number(position)).split('\n').length}`
      : ''
    throw new Error(
      `The migration ${path.basename(current)} failed${line}: ${message}. The database was not changed.`,
      {
        cause: error,
      },
    )
  }
}

/** Postgrator with our file names, and checksums that don't depend on the line endings of a file. */
class Migrations extends Postgrator {
  /** The file that is being applied. */
  current = ''
  /** The migrations that were applied, with their seconds. */
  readonly durations: { name: string; seconds: number }[] = []
  #begun = 0
  readonly #directory: string
  constructor({ directory, ...options }: Postgrator.PostgreSQLOptions & { directory: string }) {
    super(options)
    this.#directory = directory
    this.on('migration-started', ({ filename }) => {
      this.current = filename
      this.#begun = performance.now()
    })
    this.on('migration-finished', ({ filename }) => {
      const seconds = Math.round(performance.now() - this.#begun) / 1000
      this.durations.push({ name: path.basename(filename, '.sql'), seconds })
    })
  }
  override async getMigrations(): Promise<Postgrator.Migration[]> {
    const shipped = shippedMigrations(this.#directory)
    const duplicate = shipped.find((migration, i) => migration.version === shipped[i - 1]?.version)
    if (duplicate) throw new StartRefused(`Two migrations in ${this.#directory} have the number ${duplicate.version}.`)
    return (this.migrations = shipped)
  }
  declare migrations: Postgrator.Migration[]
}

/** The migrations of a directory in their order, each with its checksum. @throws StartRefused when a file's name is invalid */
export function shippedMigrations(directory = shippedDirectory): Postgrator.Migration[] {
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

/** Checks that the library lacks: an applied migration that is missing or changed, and one added out of order. */
async function refuseBrokenHistory(client: Client, shipped: Postgrator.Migration[], directory: string): Promise<void> {
  const { rows: history } = await client.query("select to_regclass('migration.applied') is not null as exists")
  if (!history[0]?.exists) return
  const { rows } = await client.query<{ version: number; name: string; md5: string }>(
    'select version::int, name, md5 from migration.applied where version > 0 order by version',
  )
  const newest = rows.at(-1)?.version ?? 0
  const newestKnown = shipped.at(-1)?.version ?? 0
  for (const { version, name, md5 } of rows) {
    if (version > newestKnown) continue
    const file = shipped.find(migration => migration.version === version)
    const number = String(version).padStart(4, '0')
    if (!file)
      throw new StartRefused(`The database was migrated by ${number}_${name}.sql, which is missing in ${directory}.`)
    if (file.md5 !== md5)
      throw new StartRefused(
        `The migration ${path.basename(file.filename)} was changed after it had been applied to this database. Restore it, and make the change in a new one.`,
      )
  }
  const late = shipped.find(({ version }) => version < newest && !rows.some(row => row.version === version))
  if (late)
    throw new StartRefused(
      `The migration ${path.basename(late.filename)} was added behind ${String(newest).padStart(4, '0')}, which this database has already applied. Give it a higher number.`,
    )
}

async function refuseUnsuitable(client: Client): Promise<void> {
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

/**
 * The role that the portal works as on a server that we don't run. It is granted to the owner, because nodes of a version before log in
 * as the owner and switch to it; login.ts lets it log in itself.
 */
async function ensureRole(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; bypasses: boolean; user: string; granted: boolean }>(`
    select r.oid is not null as exists,
           coalesce(r.rolsuper or r.rolbypassrls, false) as bypasses,
           current_user as user,
           coalesce(pg_has_role(current_user, r.oid,
             case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end), false) as granted
      from (values ('wheelhouse_app')) as wanted(name) left join pg_roles r on r.rolname = wanted.name`)
  const { exists, bypasses, user, granted } = rows[0] ?? { exists: false, bypasses: false, user: '', granted: false }
  if (bypasses)
    throw new StartRefused(
      'The role wheelhouse_app is a superuser or bypasses row-level security, so sites would not be kept apart. Run: alter role wheelhouse_app nosuperuser nobypassrls',
    )
  try {
    if (!exists)
      await client.query(`
        do $$ begin
          create role wheelhouse_app nologin nosuperuser nocreatedb nocreaterole nobypassrls;
        exception when duplicate_object or unique_violation then
          null; -- created at the same moment, from another database of this server
        end $$`)
    if (!exists || !granted) await client.query('grant wheelhouse_app to current_user')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== '42501') throw error
    throw new StartRefused(
      `The database user ${user} may not create the role that the portal works as (${message}). Let an administrator of the server run: create role wheelhouse_app nologin; grant wheelhouse_app to "${user}"`,
      { cause: error },
    )
  }
}
