/** Everything that a process of the portal needs before it can work: the database, durable, migrated and opened. */
import pg from 'pg'
import type { Config } from '../config.ts'
import { openDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { assertDurable, joinPostgres, startPostgres } from '../postgres/supervisor.ts'

export type House = {
  /** Connects as the owner of the tables: migrations, demo, import. */
  readonly adminUrl: string
  readonly database: Database
  /** A pool on the replica, where DATABASE_READ_URL names one: it may be away. */
  readonly replica: Database | null
  /** For a connection that only listens. */
  readonly listenUrl: string
  close(): Promise<void>
}

/** The role that row-level security binds and that the portal works under. */
export const applicationRole = 'wheelhouse_app'

/**
 * Starts the embedded database in DATA_DIR, or uses DATABASE_URL, and brings it to the newest migration. `join`: a
 * command beside a running portal uses the database that the portal holds. Refusals carry a text for the person at the
 * terminal (`StartRefused`).
 */
export async function openHouse(
  config: Config,
  options: { log: (sentence: string) => void; join?: boolean },
): Promise<House> {
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
    const pool = size === undefined ? {} : { size }
    const database = postgres
      ? openDatabase(postgres.appUrl, pool)
      : openDatabase(adminUrl, { ...pool, role: applicationRole })
    const { DATABASE_READ_URL: readUrl } = config
    return {
      adminUrl,
      database,
      replica: readUrl === undefined ? null : openDatabase(readUrl, { ...pool, role: applicationRole }),
      listenUrl: postgres?.appUrl ?? adminUrl,
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

/**
 * The database for a command that moves all of it: the one of a running portal, or started for the time of the command.
 * Nothing in it is changed. @throws StartRefused
 */
export async function reachDatabase(
  { DATABASE_URL: url, DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: unsafe }: Config,
  log: (sentence: string) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (url) return { url, close: async () => {} }
  const postgres = await joinPostgres({ dataDir, log, unsafe })
  return { url: postgres.adminUrl, close: postgres.stop }
}
