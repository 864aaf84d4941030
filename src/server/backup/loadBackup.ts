/** Loads the rows of a backup into a database of the same schema, and checks that they are there to the byte. */
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { readArchive, TableDigest, type Chunk, type Manifest } from './archive.ts'
import type { Passphrase } from './encryption.ts'
import { columnList, connect, quote } from './connection.ts'
import type { BackupFile } from './storage.ts'
import { excludedTables } from './takeBackup.ts'

type Source = { readonly file: BackupFile; readonly passphrase: Passphrase }

/** Fills a new database in one transaction and reads it back. @throws when it does not give the very bytes that the backup holds */
export async function loadBackup(url: string, { file, passphrase }: Source, manifest: Manifest): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('begin')
    const restoreSchema = await dropLoadBarriers(client)
    const { rows: excluded } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [excludedTables],
    )
    await client.query(`truncate ${columnList([...Object.keys(manifest.tables), ...excluded.map(({ name }) => name)])}`)
    await copyRows(client, readArchive(file, passphrase), manifest)
    await compareRows(client, manifest)
    // or the references of a large customer's tyres are checked against each of its vehicles
    await client.query('analyze')
    for (const sql of restoreSchema) await client.query(sql)
    for (const [name, last] of Object.entries(manifest.sequences))
      await client.query('select setval($1::regclass, $2)', [quote(name), last])
    if (manifest.demo) await client.query(`comment on table site is 'demo'`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/**
 * Removes from all tables everything that hinders loading: triggers, which would count rows a second time; foreign keys, which are
 * faster to check all at once and need no order; and row-level security where it binds the owner.
 * @returns the statements that put it all back.
 */
export async function dropLoadBarriers(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; forced: boolean }>(
    `select oid::regclass::text as name, relforcerowsecurity as forced from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const { rows: foreignKeys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0 order by 1, 2`,
  )
  const undo: string[] = []
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${table} drop constraint ${quote(name)}`)
    undo.push(`alter table ${table} add constraint ${quote(name)} ${definition}`)
  }
  for (const { name, forced } of tables) {
    await client.query(`alter table ${name} no force row level security, disable trigger user`)
    undo.push(`alter table ${name} ${forced ? 'force row level security, ' : ''}enable trigger user`)
  }
  return undo
}

async function copyRows(client: pg.Client, parts: ReturnType<typeof readArchive>, manifest: Manifest): Promise<void> {
  let next = await parts.next()
  while (next.done !== true && !('format' in next.value)) {
    const { table } = next.value
    const columns = manifest.tables[table]?.columns ?? []
    async function* rowsOfTable(first: Chunk): AsyncGenerator<Buffer> {
      yield first.rows
      for (next = await parts.next(); next.done !== true; next = await parts.next()) {
        if ('format' in next.value || next.value.table !== table) return
        yield next.value.rows
      }
    }
    const copy = client.query(copyFrom(`copy ${quote(table)} (${columnList(columns)}) from stdin`))
    await pipeline(rowsOfTable(next.value), copy)
  }
}

async function compareRows(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const [table, { columns, sha256 }] of Object.entries(manifest.tables)) {
    const digest = new TableDigest()
    const copy = client.query(copyTo(`copy ${quote(table)} (${columnList(columns)}) to stdout`))
    for await (const rows of copy as AsyncIterable<Buffer>) digest.add(rows)
    if (digest.result.sha256 !== sha256) throw new Error(`${table} was not restored as it was`)
  }
}
