/** Opens the database that the settings name: running, durable, migrated, with its pools. */
import pg from 'pg'
import type { Config } from '../config.ts'
import { assertDurable } from '../postgres/connection.ts'
import type { Log } from '../postgres/startup.ts'
import { joinPostgres, startPostgres } from '../postgres/supervisor.ts'
import { openDatabase, type Access, type Database } from './database.ts'
import { applicationAccess, credentialsOf, withCredentials } from './login.ts'
import { migrate } from './migrate.ts'

export type Store = {
  /** Connects as the owner of the tables: migrations, demo, import. */
  readonly adminUrl: string
  readonly database: Database
  /** A pool on the replica that DATABASE_READ_URL names, which may be unreachable. */
  readonly replica: Database | null
  /** How another process opens it as the portal does. */
  readonly access: Access
  close(): Promise<void>
}

/**
 * Starts the embedded database in DATA_DIR, or uses DATABASE_URL, and migrates it to the newest schema. `join`: a command beside a
 * running portal uses the database that the portal runs.
 * @throws StartRefused with a text for the person at the terminal
 */
export async function openStore(config: Config, options: { log: Log; join?: boolean }): Promise<Store> {
  const { DATABASE_URL: url, DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: unsafe, DATABASE_POOL: size } = config
  const postgres = url
    ? null
    : await (options.join ? joinPostgres : startPostgres)({ dataDir, log: options.log, unsafe })
  const adminUrl = postgres?.adminUrl ?? url ?? ''
  try {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    try {
      await assertDurable(client, { unsafe })
    } finally {
      await client.end()
    }
    await migrate(adminUrl)
    // outside production every row is validated against its statement
    const checkRows = config.NODE_ENV !== 'production'
    const pool = { ...(size !== undefined && { size }), checkRows }
    const access: Access = {
      checkRows,
      ...(postgres
        ? { url: postgres.appUrl }
        : await applicationAccess(adminUrl, { given: config.DATABASE_APP_URL, log: options.log })),
    }
    const database = openDatabase(access.url, { ...access, ...pool })
    const { DATABASE_READ_URL: readUrl } = config
    return {
      adminUrl,
      database,
      replica: readUrl === undefined ? null : openDatabase(addressOfReplica(readUrl, access), { ...access, ...pool }),
      access,
      async close() {
        await database.close()
        await postgres?.stop()
      },
    }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** A replica has the roles of its primary: who works there logs in here, too. */
const addressOfReplica = (readUrl: string, { url, role }: Access): string =>
  role === undefined ? withCredentials(readUrl, credentialsOf(url)) : readUrl

/**
 * The database for a command that copies or replaces all of it: that of a running portal, or started for the duration of the
 * command. It is not migrated. @throws StartRefused
 */
export async function locateDatabase(
  { DATABASE_URL: url, DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: unsafe }: Config,
  log: Log,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (url) return { url, close: async () => {} }
  const postgres = await joinPostgres({ dataDir, log, unsafe })
  return { url: postgres.adminUrl, close: postgres.stop }
}
