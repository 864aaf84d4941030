/** From a database to a backup: one moment of every table, while the portal goes on working. */
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pieceFrom, Tally, Unusable, writeArchive, type Manifest, type Piece } from './archive.ts'

/**
 * What is no part of a backup. Whoever has signed out, or was shut out, since the backup was made would be signed in again by
 * it (QUALITY 17).
 */
export const leftOut: readonly string[] = ['session']

type Table = { name: string; columns: string[]; ofSites: boolean; ofNone: boolean; guarded: boolean }

/**
 * Writes all rows of a database to `file`, as they are at one moment. Statements of others run on; a migration waits.
 * @returns what was written. @throws Unusable when there is nothing to back up, or the file can't be written.
 */
export async function takeBackup(url: string, file: string, { now }: { now: Date }): Promise<Manifest> {
  const client = await connected(url)
  let made: Manifest | undefined
  try {
    await writeArchive(
      file,
      (async function* () {
        for await (const part of partsOf(client, now)) {
          if ('format' in part) made = part
          yield part
        }
      })(),
    )
  } finally {
    // ends the transaction, too, and a COPY that nobody reads to its end
    await client.end()
  }
  if (!made) throw new Error('the backup has no manifest')
  return made
}

/** A connection for work that takes its time. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'wheelhouse backup',
  })
  // one that dies under way is told by the statement that it was busy with
  client.on('error', () => {})
  await client.connect()
  // not with its start, where a pooler would refuse them
  await client.query(
    `set timezone to 'UTC'; set synchronize_seqscans to off; set idle_in_transaction_session_timeout to 0; set statement_timeout to 0`,
  )
  return client
}

async function* partsOf(client: pg.Client, now: Date): AsyncGenerator<Piece | Manifest> {
  const names = await tableNames(client)
  if (!names.includes('site')) throw new Unusable('This database is none of Wheelhouse.')
  await client.query('begin isolation level repeatable read read only')
  await client.query("set local lock_timeout = '60s'")
  // Before the first look at any row: a migration that changed a table between the look and the copy would leave it empty.
  await client.query(`lock table ${names.map(quoted).join(', ')} in access share mode`)
  const tables = await describe(client)
  const { rows: sites } = await client.query<{ id: number }>('select id from site order by id')
  const manifest: Manifest = {
    format: 1,
    made: now.toISOString(),
    schema: await schemaOf(client),
    demo: await isDemo(client),
    tables: {},
    sequences: {},
  }
  for (const { name, columns, ...table } of tables) {
    if (leftOut.includes(name)) continue
    const tally = new Tally()
    const rows = `select ${columns.map(quoted).join(', ')} from ${quoted(name)}`
    // An owner who is no superuser is bound by row-level security, and would find nothing: one site after the other.
    if (table.ofSites)
      for (const { id } of sites) {
        await workFor(client, { site: id })
        yield* copied(client, name, `${rows} where site_id = ${Number(id)}`, tally)
      }
    await workFor(client, { system: true })
    if (!table.ofSites) yield* copied(client, name, rows, tally)
    else if (table.ofNone) yield* copied(client, name, `${rows} where site_id is null`, tally)
    manifest.tables[name] = { columns, ...tally.result }
  }
  manifest.sequences = await lastNumbers(client)
  yield manifest
}

async function* copied(client: pg.Client, table: string, rows: string, tally: Tally): AsyncGenerator<Piece> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of client.query(copyTo(`copy (${rows}) to stdout`)) as AsyncIterable<Buffer>) {
    tally.add(chunk)
    held.push(chunk)
    size += chunk.length
    if (size < pieceFrom) continue
    yield { table, rows: Buffer.concat(held) }
    held = []
    size = 0
  }
  if (size > 0) yield { table, rows: Buffer.concat(held) }
}

export const quoted = (name: string): string => pg.escapeIdentifier(name)

const workFor = (client: pg.Client, { site, system }: { site?: number; system?: boolean }): Promise<unknown> =>
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

/** The tables with the columns that are written; what PostgreSQL computes itself is none of them. */
async function describe(client: pg.Client): Promise<Table[]> {
  await workFor(client, { system: true })
  const { rows } = await client.query<Table>(`
    select c.relname as name, c.relrowsecurity as guarded,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      bool_or(a.attname = 'site_id') as "ofSites", bool_or(a.attname = 'site_id' and not a.attnotnull) as "ofNone"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname, c.relrowsecurity order by 1`)
  const unseen = rows.filter(({ name, guarded, ofSites }) => guarded && !ofSites && name !== 'site')
  if (unseen.length > 0)
    throw new Error(`it is not known whose rows these are: ${unseen.map(row => row.name).join(', ')}`)
  return rows
}

/** The migrations that a database has been through. @throws Unusable when it was never set up */
export async function schemaOf(client: pg.Client): Promise<Manifest['schema']> {
  const { rows: found } = await client.query(`select to_regclass('migration.applied') is not null as there`)
  if (!found[0]?.there) throw new Unusable('This database is none of Wheelhouse.')
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

/** Read after the rows: whoever took a number since may have left a gap, none is given twice. */
async function lastNumbers(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]))
}
