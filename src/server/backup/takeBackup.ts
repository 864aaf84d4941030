/** From a database to a backup: every table at one moment, while the portal goes on working. */
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  BackupRefused,
  minChunkSize,
  TableDigest,
  verifyArchive,
  writeArchive,
  type Chunk,
  type Manifest,
} from './archive.ts'
import type { Passphrase } from './encryption.ts'
import { columnList, connect, quote } from './connection.ts'
import type { BackupFile } from './storage.ts'

/**
 * Tables that a backup leaves out. A restored session, sign-in under way, link to a password or access token would let in again an account that
 * has signed out, or was shut out, since the backup.
 */
export const excludedTables: readonly string[] = [
  'session',
  'sign_in_step',
  'sign_on_attempt',
  'passkey_challenge',
  'account_link',
  'api_token_hash',
]

type Table = {
  readonly name: string
  readonly columns: string[]
  /** Whether it has a column `site_id`, and whether that may be null. */
  readonly hasSite: boolean
  readonly siteOptional: boolean
  /** Whether row-level security is on. */
  readonly secured: boolean
}

/**
 * Writes all rows of a database to `file`, as they are at one moment. Statements of others continue; a migration waits. With `verify`
 * it is read back before it gets its name.
 * @returns what was written. @throws BackupRefused when there is nothing to back up, or the file can't be written.
 */
export async function takeBackup(
  url: string,
  file: BackupFile,
  { now, passphrase = null, verify = false }: { now: Date; passphrase?: Passphrase; verify?: boolean },
): Promise<Manifest> {
  const client = await connect(url)
  let manifest: Manifest | undefined
  try {
    await writeArchive(
      file,
      (async function* () {
        for await (const part of partsOf(client, now)) {
          if ('format' in part) manifest = part
          yield part
        }
      })(),
      {
        passphrase,
        async check(written) {
          if (verify && JSON.stringify(await verifyArchive(written, passphrase)) !== JSON.stringify(manifest))
            throw new BackupRefused(`${file.name} does not hold what was written.`)
        },
      },
    )
  } finally {
    // also ends the transaction, and a COPY that nobody reads to its end
    await client.end()
  }
  if (!manifest) throw new Error('the backup has no manifest')
  return manifest
}

async function* partsOf(client: pg.Client, now: Date): AsyncGenerator<Chunk | Manifest> {
  const names = await tableNames(client)
  if (!names.includes('site')) throw notWheelhouse()
  await client.query('begin isolation level repeatable read read only')
  await client.query("set local lock_timeout = '60s'")
  // Before the first read of any row: a migration that rewrote a table between the snapshot and the copy would leave it empty.
  await client.query(`lock table ${columnList(names)} in access share mode`)
  const tables = await describeTables(client)
  const { rows: sites } = await client.query<{ id: number }>('select id from site order by id')
  const manifest: Manifest = {
    format: 1,
    made: now.toISOString(),
    schema: await appliedMigrations(client),
    demo: await isDemo(client),
    tables: {},
    sequences: {},
  }
  for (const table of tables) {
    if (excludedTables.includes(table.name)) continue
    const digest = new TableDigest()
    for await (const rows of rowsOf(client, table, sites)) {
      digest.add(rows)
      yield { table: table.name, rows }
    }
    manifest.tables[table.name] = { columns: table.columns, ...digest.result }
  }
  manifest.sequences = await sequenceValues(client)
  await client.query('commit')
  yield manifest
}

/** All rows of a table in chunks. */
async function* rowsOf(client: pg.Client, table: Table, sites: readonly { id: number }[]): AsyncGenerator<Buffer> {
  const { name, columns, hasSite, siteOptional } = table
  const select = `select ${columnList(columns)} from ${quote(name)}`
  // Row-level security binds an owner who is no superuser, and hides every row unless a site is set: one site after the other.
  if (hasSite)
    for (const { id } of sites) {
      await setScope(client, { site: id })
      yield* copyOut(client, `${select} where site_id = ${Number(id)}`)
    }
  await setScope(client, { system: true })
  if (!hasSite) yield* copyOut(client, select)
  else if (siteOptional) yield* copyOut(client, `${select} where site_id is null`)
}

async function* copyOut(client: pg.Client, select: string): AsyncGenerator<Buffer> {
  let buffers: Buffer[] = []
  let size = 0
  for await (const buffer of client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>) {
    buffers.push(buffer)
    size += buffer.length
    if (size < minChunkSize) continue
    yield Buffer.concat(buffers)
    buffers = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(buffers)
}

/** Which rows row-level security shows for the rest of the transaction. */
const setScope = (client: pg.Client, { site, system }: { site?: number; system?: boolean }): Promise<unknown> =>
  client.query(`select set_config('app.site', $1, true), set_config('app.scope', $2, true)`, [
    String(site ?? ''),
    system ? 'system' : '',
  ])

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** The tables with the columns that are written: not those that PostgreSQL generates. */
async function describeTables(client: pg.Client): Promise<Table[]> {
  await setScope(client, { system: true })
  const { rows } = await client.query<Table>(`
    select c.relname as name, c.relrowsecurity as secured,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      bool_or(a.attname = 'site_id') as "hasSite", bool_or(a.attname = 'site_id' and not a.attnotnull) as "siteOptional"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname, c.relrowsecurity order by 1`)
  const unreadable = rows.filter(({ name, secured, hasSite }) => secured && !hasSite && name !== 'site')
  if (unreadable.length > 0)
    throw new Error(
      `these tables have row-level security but no site_id, so they may be incomplete: ${unreadable.map(row => row.name).join(', ')}`,
    )
  return rows
}

const notWheelhouse = () => new BackupRefused('This is not a database of Wheelhouse.')

/** @throws BackupRefused when the database was never set up */
async function appliedMigrations(client: pg.Client): Promise<Manifest['schema']> {
  const { rows: answers } = await client.query(`select to_regclass('migration.applied') is not null as exists`)
  if (!answers[0]?.exists) throw notWheelhouse()
  const { rows } = await client.query<Manifest['schema'][number]>(
    'select version::int, name, md5 from migration.applied where version > 0 order by version',
  )
  return rows
}

async function isDemo(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ demo: boolean }>(
    `select coalesce(obj_description('site'::regclass) = 'demo', false) as demo`,
  )
  return rows[0]?.demo ?? false
}

/** Read after the rows: numbers taken since may leave a gap, but none is given twice. */
async function sequenceValues(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]))
}
