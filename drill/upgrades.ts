/**
 * docs/promises.md "Upgrades": migrates a database of every earlier version, with data, while a node of that version
 * reads and writes and a slow reader holds locks. No row is lost, no statement fails or takes over two seconds.
 *
 * The node of each version is a pool of this server under the application's role, with statements that the tables of
 * every version accept. The code of the versions before the newest migrations runs, too, in a clone with history, and a node of
 * this version beside one that is newer (rollingUpgrade.ts).
 */
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { loadDemo } from '../db/demo/load.ts'
import { describeSchema } from '../db/schema/describe.ts'
import { dropLoadBarriers } from '../src/server/backup/loadBackup.ts'
import { openDatabase, type Database, type Tx } from '../src/server/db/database.ts'
import { statement } from '../src/server/db/statement.ts'
import { int } from '../src/server/db/types.ts'
import { migrate, shippedMigrations } from '../src/server/db/migrate.ts'
import { startPostgres, type Postgres } from '../src/server/postgres/supervisor.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { earlierCommits, stopTheVersionBefore, upgradeBeside } from './rollingUpgrade.ts'

/** Tables that have another name since, and how many rows the migration that named them so put into them. */
const renamed: Readonly<Record<string, { readonly to: string; readonly added: string }>> = {
  // days that were paid by a date alone
  document_tyre: {
    to: 'storage_ledger',
    added: `select count(*) from tyre where status = 'in_stock' and removed_at is null and invoiced_on > status_date`,
  },
}

export const promise = 26
export const summary = 'migrations from every version, with data, under load'
export const alone = true

/** The maximum duration of a statement, in ms. */
const maxStatementMs = 2000

const at = (url: string, database: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // ignore connection errors after an abort: the original error is reported
  client.on('error', () => {})
  await client.connect()
  return client
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const countBy = async (client: pg.Client, sql: string): Promise<number> =>
  Number((await client.query<{ count: string }>(sql)).rows[0]?.count)

/** How many rows each table has. */
/** Triggers note in them what the work of others changes: they may only grow. */
const queues: ReadonlySet<string> = new Set(['forecast_due', 'happening'])

type Counts = ReadonlyMap<string, number>

/** Each table with the fault in its rows after a migration: those from before and those `written` meanwhile have to be there. */
const lostRows = (before: Counts, after: Counts, written: Counts): [table: string, wrong: string | null][] =>
  [...before].map(([table, rows]) => {
    const kept = after.get(renamed[table]?.to ?? table) ?? 0
    const isKept = queues.has(table) ? kept >= rows : kept === rows + (written.get(table) ?? 0)
    return [table, isKept ? null : `${kept} rows of ${rows}`]
  })

async function countsOf(client: pg.Client): Promise<Map<string, number>> {
  const rowCounts = new Map<string, number>()
  for (const table of (await columnsOf(client)).keys())
    rowCounts.set(table, await countBy(client, `select count(*) from ${table}`))
  return rowCounts
}

type Columns = Map<string, string[]>

const columnsOf = async (client: pg.Client): Promise<Columns> => {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Rows that an earlier version could not store. */
const unsupportedRows = (version: number, table: string): string =>
  table === 'tyre_event' && version < 2 ? `where kind <> 'added'` : ''

/** The demo's rows in the tables and columns that an earlier version has. */
async function fill(head: pg.Client, early: pg.Client, version: number): Promise<void> {
  const headColumns = await columnsOf(head)
  const earlyColumns = await columnsOf(early)
  await early.query('begin')
  const restoreStatements = await dropLoadBarriers(early)
  await early.query(`truncate ${[...earlyColumns.keys()].join(', ')}`)
  for (const [table, columns] of earlyColumns) {
    const shared = columns.filter(column => headColumns.get(table)?.includes(column)).join(', ')
    if (!shared) continue
    const rows = copyTo(`copy (select ${shared} from ${table} ${unsupportedRows(version, table)}) to stdout`)
    await pipeline(head.query(rows), early.query(copyFrom(`copy ${table} (${shared}) from stdin`)))
  }
  for (const sql of restoreStatements) await early.query(sql)
  await early.query(
    `select setval(pg_get_serial_sequence(c.relname, a.attname), 1000000)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  await early.query('commit')
  await early.query('analyze')
}

/** Statements that every version can run. */
const workload = {
  // a whole row of a prepared statement: its columns change during the migration
  vehicle: statement({
    name: 'old.vehicle',
    parameters: { id: int },
    sql: `select * from vehicle where site_id = 1 and id = :id`,
  }),
  fleet: statement({
    name: 'old.fleet',
    sql: `select json_agg(t)::text as json from (
       select id, position, description, tyre_set, status, status_day, profile_depth, location_id from tyre
       where site_id = 1 and customer_id = (select min(id) from customer) and removed_at is null) t`,
  }),
  desk: statement({
    name: 'old.desk',
    sql: `select o.id, count(h.*) from operation o join operation_tyre h on h.site_id = o.site_id and h.operation_id = o.id
     where o.site_id = 1 and o.status in ('pending', 'submitted') group by o.id`,
  }),
  scan: statement({
    name: 'old.scan',
    sql: `update operation_tyre set scanned_at = now(), scan_times = scan_times + 1
     where (site_id, operation_id, tyre_id) = (select site_id, operation_id, tyre_id from operation_tyre where site_id = 1 and open
       order by random() limit 1)`,
  }),
  measure: statement({
    name: 'old.measure',
    parameters: { id: int },
    sql: `with measured as (update tyre set profile_depth = 6.5, profile_date = current_date where site_id = 1 and id = :id returning *)
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, depth, note)
     select site_id, id, customer_id, vehicle_id, 'measured', 6.5, 'drill' from measured`,
  }),
  note: statement({
    name: 'old.note',
    sql: `insert into audit (site_id, action, subject) values (1, 'vehicle.update', 'drill')`,
  }),
  article: statement({
    name: 'old.article',
    parameters: { id: int },
    sql: `update article set ean = '12345678' where site_id = 1 and id = :id`,
  }),
}

type Load = { asked: number; wrong: string[]; slowest: number; measured: number; noted: number }

const pickOne = (headColumns: number[]): number => headColumns[Math.floor(Math.random() * headColumns.length)] ?? 0

/** Works until it is aborted. */
async function runWorkload(
  database: Database,
  ids: { vehicles: number[]; tyres: number[]; articles: number[] },
  ending: AbortSignal,
): Promise<Load> {
  const load: Load = { asked: 0, wrong: [], slowest: 0, measured: 0, noted: 0 }
  const jobs: (readonly [keyof typeof workload, (tx: Tx) => Promise<void>])[] = [
    ['vehicle', tx => tx.run(workload.vehicle, { id: pickOne(ids.vehicles) })],
    ['fleet', tx => tx.run(workload.fleet, {})],
    ['desk', tx => tx.run(workload.desk, {})],
    ['scan', tx => tx.run(workload.scan, {})],
    ['measure', tx => tx.run(workload.measure, { id: pickOne(ids.tyres) })],
    ['note', tx => tx.run(workload.note, {})],
    ['article', tx => tx.run(workload.article, { id: pickOne(ids.articles) })],
  ]
  const work = async (nth: number): Promise<void> => {
    for (let step = nth; !ending.aborted; step++) {
      const [name, run] = jobs[step % jobs.length] as (typeof jobs)[number]
      const begun = performance.now()
      load.asked++
      try {
        await database.transaction({ site: 1 }, run)
        if (name === 'measure') load.measured++
        if (name === 'note') load.noted++
      } catch (error) {
        load.wrong.push(`${name}: ${(error as Error).message}`)
      }
      const took = performance.now() - begun
      load.slowest = Math.max(load.slowest, took)
      if (took > maxStatementMs) load.wrong.push(`${name} took ${Math.round(took)} ms`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, nth) => work(nth)))
  return load
}

/** Reads everything for `seconds`, like a report or a backup. */
async function readSlowly(url: string, ms: number): Promise<void> {
  await withClient(url, async client => {
    await client.query('begin')
    await client.query('select count(*) from tyre, vehicle_config')
    await client.query('select count(*) from audit, site, account')
    await pause(ms)
    await client.query('commit')
  })
}

const schemaOf = (url: string): Promise<string> =>
  withClient(url, async client => {
    const { rows } = await client.query<{ definitions: string }>(
      `select string_agg(pg_get_functiondef(oid), chr(10) order by proname) as definitions from pg_proc
       where pronamespace = 'public'::regnamespace`,
    )
    return `${await describeSchema(client)}${rows[0]?.definitions}`
  })

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const { check, control, add } = checks
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-upgrades-'))
  chmodSync(directory, 0o711)
  let postgres: Postgres | undefined
  let slowest = 0
  let ending = new AbortController()
  try {
    postgres = await startPostgres({ dataDir: join(directory, 'data'), log: () => {} })
    const { adminUrl, appUrl } = postgres
    await migrate(adminUrl)
    await withClient(adminUrl, client => loadDemo({ client, now: new Date() }))
    const newest = await schemaOf(adminUrl)
    const versions = shippedMigrations().map(({ version }) => version)
    // the short form: the first, a middle one and the one before the last
    const earlier = versions.slice(0, -1)
    const chosen = short ? earlier.filter((_, nth) => nth === 3 || nth === earlier.length - 1) : earlier
    for (const version of chosen) {
      const name = `from_${version}`
      const url = at(adminUrl, name)
      await withClient(adminUrl, client => client.query(`create database ${name}`))
      await migrate(url, { to: version })
      const head = await connected(adminUrl)
      const early = await connected(url)
      await fill(head, early, version)
      const ids = {
        vehicles: (await early.query<{ id: number }>('select id from vehicle where site_id = 1')).rows.map(
          row => row.id,
        ),
        tyres: (await early.query<{ id: number }>('select id from tyre where site_id = 1')).rows.map(row => row.id),
        articles: (await early.query<{ id: number }>('select id from article where site_id = 1')).rows.map(
          row => row.id,
        ),
      }
      const before = await countsOf(early)
      for (const [table, { added }] of Object.entries(renamed))
        if (before.has(table)) before.set(table, (before.get(table) ?? 0) + (await countBy(early, added)))
      const database = openDatabase(at(appUrl, name))
      ending = new AbortController()
      const serving = runWorkload(database, ids, ending.signal)
      await pause(300)
      const reading = readSlowly(url, short ? 1500 : 4000)
      await pause(100)
      const { applied } = await migrate(url)
      await reading
      await pause(500)
      ending.abort()
      const load = await serving
      await database.close()
      slowest = Math.max(slowest, load.slowest)
      add(
        load.asked,
        load.wrong.map(wrong => `from ${version}: ${wrong}`),
      )
      check(
        `from ${version}: all are applied`,
        applied.length === versions.length - versions.indexOf(version) - 1 ? null : applied.join(),
      )
      check(`from ${version}: none is left`, (await migrate(url)).applied.length === 0 ? null : 'some are')
      check(`from ${version}: the schema`, (await schemaOf(url)) === newest ? null : 'differs from a new database')
      const after = await countsOf(early)
      const written = new Map([
        ['tyre_event', load.measured],
        ['audit', load.noted],
      ])
      for (const [table, wrong] of lostRows(before, after, written)) check(`from ${version}: ${table}`, wrong)
      await Promise.all([head.end(), early.end()])
      if (version !== chosen.at(-1))
        await withClient(adminUrl, client => client.query(`drop database ${name} with (force)`))
    }

    // negative control: an ALTER TABLE without a lock timeout blocks everyone behind a slow reader
    const last = `from_${chosen.at(-1)}`
    const database = openDatabase(at(appUrl, last))
    ending = new AbortController()
    const serving = runWorkload(database, { vehicles: [1], tyres: [1], articles: [1] }, ending.signal)
    const reading = readSlowly(at(adminUrl, last), maxStatementMs + 1000)
    await pause(100)
    await withClient(at(adminUrl, last), client => client.query('alter table tyre add column later text'))
    await reading
    ending.abort()
    const load = await serving
    await database.close()
    control(
      'a migration without a lock timeout',
      load.wrong.some(wrong => wrong.includes('took')),
    )
    const older = [await stopTheVersionBefore(checks)]
    for (const commit of short ? [] : await earlierCommits(2)) older.push(await upgradeBeside(commit, checks))
    return checks.result(
      `${chosen.length} versions, slowest statement ${Math.round(slowest)} ms`,
      ...older,
      ...(older.length > 1 ? [] : ['the code of earlier versions was not run']),
    )
  } finally {
    ending.abort()
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
