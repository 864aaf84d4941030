import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../db/demo/load.ts'
import { readArchive, verifyArchive, writeArchive, type Chunk, type Manifest } from './archive.ts'
import { dropReplaced } from './databases.ts'
import { openFile } from './files.ts'
import { restoreBackup } from './restoreBackup.ts'
import { takeBackup } from './takeBackup.ts'
import { openDatabase } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { int } from '../db/types.ts'
import { migrate, shippedMigrations } from '../db/migrate.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { takeRestores } from '../testing/restores.ts'

const now = new Date('2026-11-18T10:00:00Z')
let dir: string
let file: string
let demo: TestDatabase
let manifestOfDemo: Manifest
const restoredUrls: string[] = []

beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-backup-'))
  file = path.join(dir, 'demo.tar.gz')
  demo = await testDatabase()
  const client = await open(demo.adminUrl)
  await loadDemo({ client, now })
  await client.query(
    `insert into session (token_hash, account_id, site_id) select 'x', id, site_id from account where site_id is not null limit 1`,
  )
  // characters that COPY escapes
  await client.query(
    `update vehicle set driver_name = E'tab\\there, back\\\\slash', description = 'line' || chr(10) || 'two € ü' where id = 1`,
  )
  await client.end()
  manifestOfDemo = await takeBackup(demo.adminUrl, openFile(file), { now })
})

afterAll(async () => {
  for (const url of restoredUrls) await dropDatabase(url)
  await demo.drop()
  fs.rmSync(dir, { recursive: true })
})

let endRestores: () => Promise<void>
beforeEach(async () => {
  endRestores = await takeRestores(demo.adminUrl)
})
afterEach(() => endRestores())

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function query<R extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = await open(url)
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

const withDatabase = (url: string, name: string, login: { username?: string; password?: string } = {}): string =>
  Object.assign(new URL(url), { pathname: `/${name}`, ...login }).href
const nameOf = (url: string): string => new URL(url).pathname.slice(1)
const dropDatabase = (url: string): Promise<unknown> =>
  query(withDatabase(url, 'postgres'), `drop database if exists ${nameOf(url)} with (force)`)

/** The address of a database that does not exist yet. */
function newUrl(): string {
  const url = withDatabase(demo.adminUrl, `${nameOf(demo.adminUrl)}_r${restoredUrls.length}`)
  restoredUrls.push(url)
  return url
}

/** A fingerprint of the rows of every table. */
async function fingerprints(url: string): Promise<Record<string, string>> {
  const client = await open(url)
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as print from ${name} t`,
      )
      sums[name] = rows[0]?.print ?? ''
    }
    return sums
  } finally {
    await client.end()
  }
}

/** Everything in a schema that loading removes for a while. */
const schemaOf = (url: string): Promise<unknown[]> =>
  query(
    url,
    `select 'constraint' as kind, conrelid::regclass::text || ' ' || conname as name, pg_get_constraintdef(oid) as says
       from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
     union all select 'trigger', tgrelid::regclass::text || ' ' || tgname, tgenabled::text from pg_trigger where not tgisinternal
     union all select 'table', relname, relrowsecurity || ' ' || relforcerowsecurity || ' ' || coalesce(array_to_string(relacl, ' '), '')
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     order by 1, 2, 3`,
  )

/** The fingerprints of what a restore leaves as it was. */
const comparable = ({ session: _excluded, dictionary: _increased, ...rest }: Record<string, string>) => rest

describe('a backup', () => {
  test('has every row of every table but those of sessions and of what leads to one, and counts them', async () => {
    const counts: Record<string, number> = {}
    for (const [table, print] of Object.entries(await fingerprints(demo.adminUrl))) counts[table] = parseInt(print)
    const { session, sign_in_step, sign_on_attempt, passkey_challenge, account_link, api_token_hash, ...rest } = counts
    expect([session, sign_in_step, sign_on_attempt, passkey_challenge, account_link, api_token_hash]).toEqual([
      1, 0, 0, 0, 0, 0,
    ])
    expect(Object.fromEntries(Object.entries(manifestOfDemo.tables).map(([table, { rows }]) => [table, rows]))).toEqual(
      rest,
    )
    expect(rest['tyre']).toBeGreaterThan(1000)
    expect(await verifyArchive(openFile(file))).toEqual(manifestOfDemo)
  })

  test('restored has the same rows in the same schema, and its sequences continue', async () => {
    const url = newUrl()
    await restoreBackup(url, openFile(file), { now, log: () => {} })
    expect(comparable(await fingerprints(url))).toEqual(comparable(await fingerprints(demo.adminUrl)))
    expect(await schemaOf(url)).toEqual(await schemaOf(demo.adminUrl))
    expect(await query(url, 'select from session')).toEqual([])
    const sequences = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`
    expect(await query(url, sequences)).toEqual(await query(demo.adminUrl, sequences))
    expect(await query(url, `select obj_description('site'::regclass) as says`)).toEqual([{ says: 'demo' }])
    const again = path.join(dir, 'again.tar.gz')
    const { tables } = await takeBackup(url, openFile(again), { now })
    for (const [name, { rows }] of Object.entries(tables))
      expect(`${name} ${rows}`).toBe(`${name} ${manifestOfDemo.tables[name]?.rows}`)
  })

  test(
    'is complete, and restored completely, where row-level security binds the owner of the tables',
    { tags: 'whole' },
    async () => {
      const owner = `owner_${process.pid}`
      await query(demo.adminUrl, `create role ${owner} login createdb password 'x'; grant wheelhouse_app to ${owner}`)
      const url = withDatabase(newUrl(), nameOf(restoredUrls.at(-1) ?? ''), { username: owner, password: 'x' })
      try {
        await restoreBackup(url, openFile(file), { now, log: () => {} })
        expect(await query(url, 'select from tyre')).toEqual([]) // row-level security binds it
        const theirs = path.join(dir, 'owner.tar.gz')
        const { tables } = await takeBackup(url, openFile(theirs), { now })
        for (const [name, { rows, bytes }] of Object.entries(tables))
          if (name !== 'dictionary')
            expect({ name, rows, bytes }).toEqual({
              name,
              rows: manifestOfDemo.tables[name]?.rows,
              bytes: manifestOfDemo.tables[name]?.bytes,
            })
        expect(comparable(await fingerprints(restoredUrls.at(-1) ?? ''))).toEqual(
          comparable(await fingerprints(demo.adminUrl)),
        )
      } finally {
        await dropDatabase(restoredUrls.at(-1) ?? '')
        await query(demo.adminUrl, `drop role ${owner}`)
      }
    },
  )

  test('is of one moment, while others write', { tags: 'whole' }, async () => {
    const world = await testDatabase()
    const client = await open(world.adminUrl)
    await client.query(`insert into site (id, code, name, admin_email) values (1, 's', 'S', 's@example.org')`)
    const ending = new AbortController()
    // a location and its translation are always written together
    const writer = (async () => {
      for (let nth = 1; !ending.signal.aborted; nth++) {
        await client.query('begin')
        await client.query(
          `insert into location (site_id, kind, name, site_name, path) values (1, 'zone', 'Z', 'H', $1)`,
          [nth],
        )
        await client.query(
          `insert into translation (language, namespace, key, value) values ('eng', 'backup', $1, 'v')`,
          [`k${nth}`],
        )
        await client.query('commit')
      }
    })()
    try {
      for (let round = 0; round < 5; round++) {
        const { tables } = await takeBackup(world.adminUrl, openFile(path.join(dir, `moment${round}.tar.gz`)), { now })
        expect(tables['location']?.rows).toBe(tables['translation']?.rows)
      }
    } finally {
      ending.abort()
      await writer
      await client.end()
      await world.drop()
    }
  })

  test('of an earlier Wheelhouse is migrated to the newest schema', { tags: 'whole' }, async () => {
    const older = await testDatabase({ empty: true })
    const url = newUrl()
    try {
      const [, second] = shippedMigrations()
      await migrate(older.adminUrl, { to: second?.version ?? 0 })
      await query(older.adminUrl, `insert into site (code, name, admin_email) values ('old', 'Old', 'old@example.org')`)
      const old = path.join(dir, 'old.tar.gz')
      const { schema } = await takeBackup(older.adminUrl, openFile(old), { now })
      expect(schema.map(({ version }) => version)).toEqual([1, 2])
      await restoreBackup(url, openFile(old), { now, log: () => {} })
      expect(await query(url, 'select code, version from site')).toEqual([{ code: 'old', version: 0 }])
      expect(await migrate(url)).toEqual({ applied: [] })
    } finally {
      await older.drop()
    }
  })

  test('of a newer Wheelhouse is refused', async () => {
    const newer = path.join(dir, 'newer.tar.gz')
    await writeChanged(newer, ({ schema, ...rest }) => ({
      ...rest,
      schema: [...schema, { version: 9999, name: 'future', md5: 'x' }],
    }))
    await expect(restoreBackup(newUrl(), openFile(newer), { now, log: () => {} })).rejects.toThrow(
      'by a newer Wheelhouse',
    )
  })

  test('can be read by its owner only, and never overwrites another file', async () => {
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    await expect(takeBackup(demo.adminUrl, openFile(file), { now })).rejects.toThrow('There is a file')
    expect(await verifyArchive(openFile(file))).toEqual(manifestOfDemo)
  })

  test('that fails leaves no file', async () => {
    const empty = await testDatabase({ empty: true })
    const wanted = path.join(dir, 'none.tar.gz')
    await expect(takeBackup(empty.adminUrl, openFile(wanted), { now })).rejects.toThrow(
      'This is not a database of Wheelhouse',
    )
    await empty.drop()
    expect(fs.readdirSync(dir).filter(name => name.startsWith('none'))).toEqual([])
    await expect(takeBackup(demo.adminUrl, openFile('/nowhere/at/all'), { now })).rejects.toThrow("can't be written")
  })
})

/** Writes a backup like the first, with other chunks or another manifest. */
async function writeChanged(
  to: string,
  manifest: (of: Manifest) => Manifest,
  chunk: (of: Chunk) => Chunk | null = same => same,
): Promise<void> {
  await writeArchive(
    openFile(to),
    (async function* () {
      for await (const part of readArchive(openFile(file))) {
        const other = 'format' in part ? manifest(part) : chunk(part)
        if (other) yield other
      }
    })(),
  )
}

describe('a restore', () => {
  let running: TestDatabase
  let before: Record<string, string>
  beforeEach(async () => {
    running = await testDatabase()
    await query(
      running.adminUrl,
      `insert into site (code, name, admin_email) values ('mine', 'Mine', 'mine@example.org')`,
    )
    await query(running.adminUrl, `insert into site_address (host, site_id) select 'mine.test', id from site`)
    before = await fingerprints(running.adminUrl)
    return () => running.drop()
  })
  const restore = (source = file, options: { replace?: boolean } = {}) =>
    restoreBackup(running.adminUrl, openFile(source), { now, log: () => {}, ...options })
  const databases = () =>
    query(
      running.adminUrl,
      // not those of other tests, whose numbers start with the same digit
      `select datname from pg_database where datname = $1 or starts_with(datname, $1 || '_') order by 1`,
      [nameOf(running.adminUrl)],
    )

  test('leaves a database with data alone without --replace', async () => {
    await expect(restore()).rejects.toThrow('has data')
    expect(await fingerprints(running.adminUrl)).toEqual(before)
  })

  test('replaces a running database, which is kept until it is dropped', { tags: 'whole' }, async () => {
    const database = openDatabase(running.appUrl)
    const hosts = statement({
      name: 'test.hosts',
      row: { hosts: int },
      sql: 'select count(*)::int as hosts from site_address',
    })
    const ending = new AbortController()
    const answers: (number | string)[] = []
    const asking = (async () => {
      while (!ending.signal.aborted) {
        try {
          const { hosts: restoredHosts } = await database.transaction({ system: true }, tx => tx.one(hosts, {}))
          answers.push(restoredHosts)
        } catch (error) {
          answers.push((error as { code?: string }).code ?? (error as Error).message)
        }
        await pause(2)
      }
    })()
    const { replaced } = await restore(file, { replace: true })
    await pause(100)
    ending.abort()
    await asking
    await database.close()
    expect(comparable(await fingerprints(running.adminUrl))).toEqual(comparable(await fingerprints(demo.adminUrl)))
    const all = await query<{ hosts: number }>(running.adminUrl, 'select count(*)::int as hosts from site_address')
    expect(answers[0]).toBe(1)
    expect(answers.at(-1)).toBe(all[0]?.hosts)
    // a statement in the moment of the swap fails with an error that is worth a retry
    const unexpected = answers.filter(
      answer => typeof answer === 'string' && !/^(57P01|3D000|ECONNRESET|EPIPE)$|terminated|queryable/.test(answer),
    )
    expect(unexpected).toEqual([])

    expect(await databases()).toEqual([{ datname: nameOf(running.adminUrl) }, { datname: replaced }])
    expect(await dropReplaced(running.adminUrl)).toEqual([replaced])
    expect(await databases()).toEqual([{ datname: nameOf(running.adminUrl) }])
  })

  test('makes every node reload its dictionary', { tags: 'whole' }, async () => {
    await query(running.adminUrl, 'update dictionary set version = 500')
    await restore(file, { replace: true })
    expect(await query(running.adminUrl, 'select version::int from dictionary')).toEqual([{ version: 501 }])
    await dropReplaced(running.adminUrl)
  })

  test('that fails while loading leaves the old database, and nothing else', { tags: 'whole' }, async () => {
    const torn = path.join(dir, `torn-${Math.random()}.tar.gz`)
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    await writeChanged(
      torn,
      manifest => ({
        ...manifest,
        tables: { ...manifest.tables, customer: { columns: ['id'], rows: 0, bytes: 0, sha256: empty } },
      }),
      chunk => (chunk.table === 'customer' ? null : chunk),
    )
    await expect(restore(torn, { replace: true })).rejects.toThrow('violates foreign key constraint')
    expect(await fingerprints(running.adminUrl)).toEqual(before)
    expect(await databases()).toEqual([{ datname: nameOf(running.adminUrl) }])
  })

  test('removes what a killed one has left', { tags: 'whole' }, async () => {
    await query(running.adminUrl, `create database ${nameOf(running.adminUrl)}_restoring`)
    await restore(file, { replace: true })
    await dropReplaced(running.adminUrl)
    expect(await databases()).toEqual([{ datname: nameOf(running.adminUrl) }])
  })

  test('refuses a second one at the same time', { tags: 'whole' }, async () => {
    const rivals = await Promise.allSettled([restore(file, { replace: true }), restore(file, { replace: true })])
    expect(rivals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(rivals.find(rival => rival.status === 'rejected')?.reason).toMatchObject({
      message: expect.stringContaining('Another restore is at work'),
    })
    await dropReplaced(running.adminUrl)
  })

  const whole = (): Buffer => fs.readFileSync(file)
  const unpacked = (): Buffer => gunzipSync(whole())
  const damages: Record<string, () => Buffer> = {
    'that is empty': () => Buffer.alloc(0),
    'that is something else': () => Buffer.from('PK not a backup'),
    'that is something else in gzip': () => gzipSync('not a backup'),
    'cut off in the middle': () => whole().subarray(0, whole().length >> 1),
    'cut off by a byte': () => whole().subarray(0, -1),
    'with a byte changed in the middle': () => flipped(whole(), whole().length >> 1),
    'with a byte changed near its end': () => flipped(whole(), whole().length - 40),
    'with a byte of a row changed and packed again': () => gzipSync(flipped(unpacked(), unpacked().indexOf('Volvo'))),
    'cut off after an entry and packed again': () => gzipSync(unpacked().subarray(0, unpacked().length - 2048)),
    'without a manifest': () => gzipSync(Buffer.concat([unpacked().subarray(0, manifestAt()), Buffer.alloc(1024)])),
    'with more after its end': () => gzipSync(Buffer.concat([unpacked(), unpacked()])),
  }
  const flipped = (bytes: Buffer, at: number): Buffer => {
    bytes[at] = (bytes[at] ?? 0) ^ 4
    return bytes
  }
  const manifestAt = (): number => unpacked().lastIndexOf('manifest.json')

  test.each(Object.keys(damages))('of a file %s is refused before anything is changed', async damage => {
    const bad = path.join(dir, `bad-${Math.random()}.tar.gz`)
    fs.writeFileSync(bad, damages[damage]?.() ?? '')
    await expect(restore(bad, { replace: true })).rejects.toThrow(/is damaged|is no backup/)
    expect(await fingerprints(running.adminUrl)).toEqual(before)
    expect(await databases()).toEqual([{ datname: nameOf(running.adminUrl) }])
  })
})

// Seven processes, one after the other: more than the usual 30 s on a busy machine.
test('each is one command, which says what it did or why not', { tags: 'whole' }, async () => {
  const command = async (name: string, url: string, ...args: string[]) => {
    const child = spawn(process.execPath, [`src/server/cli/${name}.ts`, ...args], {
      env: { ...process.env, INIT_CWD: dir, DATABASE_URL: url, ALLOW_UNSAFE_DATABASE: '1' },
    })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: Number(code), output: out + err }
  }
  const url = newUrl()
  expect(await command('backup', demo.adminUrl, 'command.tar.gz')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d{4,} rows of \d+ tables are in .*command\.tar\.gz \(\d+\.\d s\)\.$/m),
  })
  expect(await command('restore', url, 'command.tar.gz')).toMatchObject({
    code: 0,
    output: expect.stringContaining('are restored'),
  })
  expect(await command('restore', url, 'command.tar.gz')).toMatchObject({
    code: 1,
    output: expect.stringContaining('--replace'),
  })
  expect(await command('restore', url, 'command.tar.gz', '--replace')).toMatchObject({
    code: 0,
    output: expect.stringContaining('--drop-replaced'),
  })
  expect(await command('restore', url, '--drop-replaced')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Removed: '),
  })
  for (const args of [[], ['a', 'b'], ['--wrong']]) {
    const refused = await command('backup', url, ...args)
    expect(refused.code).toBe(1)
    expect(refused.output).not.toContain('    at ')
  }
})
