/** Shared by the commands: paths, opening the database, errors. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { InvalidSettings, readConfig } from '../config.ts'
import { locateDatabase } from '../db/locate.ts'
import { newestSchema } from '../db/newestSchema.ts'
import type { Store } from '../db/open.ts'
import { StartRefused } from '../postgres/startup.ts'

/** Invalid usage; the message explains it, or is the usage text. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Writes to standard error: standard output is for the result. */
export const log = (message: string): void => console.error(message)

/** The store that the environment names, beside a running portal or without one. */
export async function joinStore(): Promise<Store> {
  const { openStore } = await import('../db/open.ts')
  return openStore(readConfig(process.env), { log, join: true })
}

/** The database that the environment names, as it is. */
export const joinDatabase = () => locateDatabase(readConfig(process.env), log)

/** The database of a command that only looks at it, and makes none where there is none. @throws UsageError */
export async function joinExisting(): Promise<Awaited<ReturnType<typeof joinDatabase>>> {
  const { DATABASE_URL: url, DATA_DIR: folder } = readConfig(process.env)
  if (url === undefined && !existsSync(path.join(folder, 'database')))
    throw new UsageError(
      `There is no database in ${path.resolve(folder)}. Set DATA_DIR or DATABASE_URL as the portal has it.`,
    )
  return joinDatabase()
}

/**
 * Runs `work` in one transaction of the owner of the tables, who sees all sites, on the database that the environment names. With
 * `readOnly` PostgreSQL refuses every change, and nothing is migrated.
 */
export async function withOwner(
  work: (client: pg.Client) => Promise<void>,
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<void> {
  const database = readOnly ? await joinExisting() : await joinDatabase()
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if (!readOnly && !(await isCurrent(client))) await (await joinStore()).close()
    // for the whole connection: a statement that ends the transaction begins one that is read-only, too
    if (readOnly) await client.query('set session characteristics as transaction read only')
    await client.query('begin')
    // row-level security also binds an owner without superuser rights
    await client.query(`select set_config('app.scope', 'system', true)`)
    await work(client)
    await client.query('commit')
  } finally {
    await client.end()
    await database.close()
  }
}

/** Whether a database has the schema of this version, so that nothing needs to be migrated. */
async function isCurrent(client: pg.Client): Promise<boolean> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('migration.applied') is not null as exists`,
  )
  if (!tables[0]?.exists) return false
  const { rows } = await client.query<{ schema: number }>('select max(version)::int as schema from migration.applied')
  return rows[0]?.schema === newestSchema()
}

/** The id of a site by its code. @throws UsageError when there is none */
export async function findSite(client: pg.Client, code: string | undefined): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`select id from site where code = $1 and retired_at is null`, [
    code ?? '',
  ])
  if (!rows[0]) throw new UsageError(`There is no site ${code ?? '(none was named: --site CODE)'}.`)
  return rows[0].id
}

/** Resolves a typed path: npm runs a command in the project's directory, and passes the directory where it was started. */
export const resolveFile = (file: string): string => path.resolve(process.env.INIT_CWD ?? '.', file)

/** Measures from now on: each call returns the time since, such as "1.3 s". */
export function stopwatch(): () => string {
  const started = performance.now()
  return () => `${((performance.now() - started) / 1000).toFixed(1)} s`
}

type ErrorClass = abstract new (...args: never[]) => Error

/**
 * Runs a command with its arguments. An error that is expected, or wrong arguments, ends it with code 1 and the message alone; any
 * other one is printed with its stack.
 */
export async function runCommand(main: (args: string[]) => Promise<void>, ...expected: ErrorClass[]): Promise<void> {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    const isExpected =
      [UsageError, InvalidSettings, StartRefused, ...expected].some(type => error instanceof type) ||
      (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    console.error(isExpected ? (error as Error).message : error)
    process.exitCode = 1
  }
}
