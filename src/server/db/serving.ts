/**
 * Which portals may serve a database. Each upgrade notes the oldest schema that a node has to know (migrate.ts): that of the version before,
 * unless one of its migrations says that the version before may not go on. A node of an older version does not start, and one that serves
 * stops within seconds (docs/operations.md "Upgrade").
 */
import type { Client } from 'pg'
import { startWorker, type Worker } from '../worker.ts'
import type { Database } from './database.ts'
import { statement } from './statement.ts'
import { decimal, int, text } from './types.ts'

/** An upgrade: from one schema to another, each named by its newest migration, 0 for an empty database. */
export type Upgrade = {
  readonly from: number
  readonly to: number
  /** The version of the portal that upgraded it before, `null` where that noted none, and of the one that does now. */
  readonly portals: { readonly from: string | null; readonly to: string }
  /** The names of its migrations with their seconds. */
  readonly migrations: readonly { readonly name: string; readonly seconds: number }[]
  readonly seconds: number
}

/** The latest upgrade of the database; no row of one that was last upgraded by a version that noted none. */
export const latestUpgrade = statement({
  name: 'serving.latest',
  row: { schema: int, oldest: int, reason: text, portal: text, seconds: decimal },
  sql: `select to_schema as schema, oldest, reason, portal, seconds::float8 as seconds from migration.upgrade order by id desc limit 1`,
})

/** Makes the table of upgrades. The application may read it, and nothing else of its schema. */
export async function ensureUpgrades(client: Client): Promise<void> {
  if (!(await hasUpgrades(client)))
    await client.query(
      `create table migration.upgrade (
         id int generated always as identity primary key,
         at timestamptz not null default now(),
         portal text not null,
         from_schema int not null,
         to_schema int not null,
         oldest int not null,
         reason text not null,
         seconds numeric not null,
         migrations jsonb not null
       )`,
    )
  const { rows } = await client.query<{ granted: boolean }>(
    `select has_table_privilege('wheelhouse_app', 'migration.upgrade', 'select') as granted`,
  )
  if (!rows[0]?.granted)
    await client.query(
      'grant usage on schema migration to wheelhouse_app; grant select on migration.upgrade to wheelhouse_app',
    )
}

/** A migration that begins with this line ends the service of the version before, for the reason that it gives. */
const endsVersionBefore = /^-- the version before may not go on: (.+)$/m

/** The reason why the version before a migration may not serve the database after it, `null` when it may. */
export const reasonToStop = (sql: string): string | null => endsVersionBefore.exec(sql)?.[1]?.trim() ?? null

type Latest = { readonly schema: number; readonly oldest: number; readonly reason: string; readonly portal: string }

/** The latest upgrade as the owner of the tables sees it, `null` when none was noted. */
export async function latestUpgradeOf(client: Client): Promise<Latest | null> {
  if (!(await hasUpgrades(client))) return null
  const { rows } = await client.query<Latest>(latestUpgrade.text)
  return rows[0] ?? null
}

async function hasUpgrades(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('migration.upgrade') is not null as exists`,
  )
  return rows[0]?.exists ?? false
}

/**
 * Notes an upgrade. The oldest schema that may serve is that of the latest migration which ends the version before, else the one from
 * before; nobody has served a database that was empty.
 */
export async function noteUpgrade(
  client: Client,
  { from, to, portals, migrations, seconds }: Upgrade,
  { stops, before }: { stops: readonly { version: number; reason: string }[]; before: Latest | null },
): Promise<void> {
  const stop = from === 0 ? { version: to, reason: '' } : stops.at(-1)
  const oldest = Math.max(before?.oldest ?? 0, stop?.version ?? from)
  await client.query(
    `insert into migration.upgrade (portal, from_schema, to_schema, oldest, reason, seconds, migrations) values ($1, $2, $3, $4, $5, $6, $7)`,
    [portals.to, from, to, oldest, stop?.reason ?? before?.reason ?? '', seconds, JSON.stringify(migrations)],
  )
}

const four = (schema: number): string => String(schema).padStart(4, '0')

/** Why a node that knows the schema up to `newest` may not serve a database, `null` when it may. */
export function whyNotServe(newest: number, latest: Latest | null): string | null {
  if (latest === null || newest >= latest.oldest) return null
  const because = latest.reason === '' ? '' : ` (${latest.reason})`
  return `The database was upgraded to schema ${four(latest.schema)} by Wheelhouse ${latest.portal}, and a portal has to know it up to ${four(latest.oldest)} to serve it${because}. This one knows it up to ${four(newest)}. Start the newer version, or restore the backup from before the upgrade into another database.`
}

/** A sentence about an upgrade, for the terminal. */
export function describeUpgrade({ from, to, portals, migrations, seconds }: Upgrade): string {
  const inAll = `${seconds.toFixed(1)} s`
  if (from === 0) return `The database has schema ${four(to)} (${migrations.length} migrations, ${inAll}).`
  const each = migrations.map(({ name, seconds: own }) => `${name} ${own.toFixed(1)} s`).join(', ')
  const by = portals.from === null ? '' : ` (Wheelhouse ${portals.from})`
  return `The database was upgraded from schema ${four(from)}${by} to ${four(to)} (Wheelhouse ${portals.to}) in ${inAll}: ${each}.`
}

/** How often a node asks whether it may go on, in ms. */
const askEveryMs = 2000

/** Calls `stop` with the reason as soon as this node may not serve the database any longer. */
export function watchSchema(
  database: Database,
  { newest, stop, everyMs = askEveryMs }: { newest: number; stop: (reason: string) => void; everyMs?: number },
): Worker {
  let stopped = false
  return startWorker({
    async next() {
      if (stopped) return false
      const latest = await database.transaction({}, tx => tx.single.maybe(latestUpgrade, {}))
      const reason = whyNotServe(newest, latest)
      if (reason !== null) {
        stopped = true
        stop(reason)
      }
      return false
    },
    // readiness and metrics say that the database is away
    onError: () => {},
    idleMs: everyMs,
  })
}
