/** Opens the database that the settings name: running, durable, migrated, with its pools. */
import pg from 'pg'
import type { Config } from '../config.ts'
import { assertDurable } from '../postgres/connection.ts'
import { StartRefused, type Log } from '../postgres/startup.ts'
import { joinPostgres, startPostgres } from '../postgres/supervisor.ts'
import { openDatabase, type Access, type Database, type SlowStatements } from './database.ts'
import { applicationAccess, credentialsOf, withCredentials } from './login.ts'
import { migrate } from './migrate.ts'
import { newestSchema } from './newestSchema.ts'
import { describeUpgrade } from './serving.ts'

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
export async function openStore(
  config: Config,
  options: { log: Log; join?: boolean; signal?: AbortSignal; slow?: SlowStatements['report'] },
): Promise<Store> {
  const { DATABASE_URL: url, DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: unsafe, DATABASE_POOL: size } = config
  const postgres = url
    ? null
    : await (options.join ? joinPostgres : startPostgres)({ dataDir, log: options.log, unsafe, signal: options.signal })
  const adminUrl = postgres?.adminUrl ?? url ?? ''
  try {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 30_000 })
    client.on('error', () => {})
    await client.connect().catch((error: unknown) => {
      throw url === undefined ? error : unreachable(client, error)
    })
    try {
      await assertDurable(client, { unsafe })
    } finally {
      await client.end()
    }
    const { upgrade, newer } = await migrate(adminUrl)
    if (upgrade) options.log(describeUpgrade(upgrade))
    if (newer !== null)
      options.log(
        `The database has schema ${newer}, and this version of Wheelhouse knows it up to ${newestSchema()}. It may go on serving until it is replaced by the newer one.`,
      )
    // outside production every row is validated against its statement
    const checkRows = config.NODE_ENV !== 'production'
    const slow =
      options.slow && config.SLOW_STATEMENTS > 0 ? { ms: config.SLOW_STATEMENTS, report: options.slow } : undefined
    const pool = { ...(size !== undefined && { size }), checkRows, slow }
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

/** The refusal of a server that DATABASE_URL names and that can't be connected to, with what to look at. */
function unreachable({ host, port, user = '', database = '' }: pg.Client, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  const at = `${host}:${port}`
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: `nothing listens at ${at}. Start PostgreSQL there, or correct the address`,
    ENOTFOUND: `no machine is called ${host}`,
    EAI_AGAIN: `the name ${host} can't be looked up`,
    '28P01': `PostgreSQL at ${at} does not take this password of the user ${user}`,
    '28000': `PostgreSQL at ${at} does not let the user ${user} in (pg_hba.conf): ${message}`,
    '3D000': `PostgreSQL at ${at} has no database ${database}. Create it: create database ${database} owner ${user} encoding 'UTF8' template template0`,
    '53300': `PostgreSQL at ${at} has no connection left`,
    '57P03': `PostgreSQL at ${at} is starting or stopping`,
  }
  const reason = reasons[code] ?? (/timeout/.test(message) ? `${at} does not answer` : `${at}: ${message}`)
  return new StartRefused(`DATABASE_URL can't be used: ${reason}.`, { cause: error })
}

/** A replica has the roles of its primary: who works there logs in here, too. */
const addressOfReplica = (readUrl: string, { url, role }: Access): string =>
  role === undefined ? withCredentials(readUrl, credentialsOf(url)) : readUrl
