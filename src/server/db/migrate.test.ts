import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainEan } from '#domain/tyres/article.ts'
import { lettersAndDigits } from '#domain/texts/letters.ts'
import { visible } from '#domain/texts/visible.ts'
import { migrate } from './migrate.ts'
import { describeUpgrade, watchSchema, type Upgrade } from './serving.ts'
import { openDatabase } from './database.ts'
import { portalVersion } from '../version.ts'
import { type Postgres, startPostgres } from '../postgres/supervisor.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { pollOptions } from '../testing/waiting.ts'

let directory: string
let database: TestDatabase

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-migrations-'))
  database = await testDatabase({ empty: true })
})

afterEach(async () => {
  await database.drop()
  fs.rmSync(directory, { recursive: true })
})

const write = (file: string, sql: string) => fs.writeFileSync(path.join(directory, file), sql)
const run = (url = database.adminUrl) => migrate(url, { directory })

async function query(sql: string, url = database.adminUrl, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await (values.length > 0 ? client.query(sql, values) : client.query(sql))).rows
  } finally {
    await client.end()
  }
}

describe('migrations', () => {
  it('are applied once, in the order of their numbers', async () => {
    write('0002_depth.sql', 'alter table tyre add depth numeric;')
    write('0001_tyre.sql', 'create table tyre (id int); insert into tyre values (7);')
    expect(await run()).toMatchObject({ applied: ['0001_tyre.sql', '0002_depth.sql'], upgrade: { from: 0, to: 2 } })
    expect(await run()).toEqual({ applied: [], upgrade: null, newer: null })
    write('0003_rim.sql', 'alter table tyre add rim text;')
    expect(await run()).toMatchObject({ applied: ['0003_rim.sql'], upgrade: { from: 2, to: 3 } })
    expect(await query('select * from tyre')).toEqual([{ id: 7, depth: null, rim: null }])
  })

  it('change nothing when one of them fails, and name its line', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    write('0002_broken.sql', 'create table rim (id int);\ncreate table bolt (\n  id nonsense\n);\n')
    await expect(run()).rejects.toThrow(/0002_broken\.sql failed in line 3: type "nonsense" does not exist/)
    expect(await query("select to_regclass('tyre') as tyre, to_regclass('migration.applied') as list")).toEqual([
      { tyre: null, list: null },
    ])
  })

  it('are applied by one of several nodes that start at once', async () => {
    write('0001_tyre.sql', 'create table tyre (id int); select pg_sleep(0.3);')
    write('0002_rim.sql', 'create table rim (id int);')
    const nodes = await Promise.all(Array.from({ length: 6 }, () => run()))
    expect(nodes.flatMap(({ applied }) => applied)).toEqual(['0001_tyre.sql', '0002_rim.sql'])
  })

  it('wait for a table for short times, so that nobody waits behind them for long', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    write('0002_depth.sql', 'alter table tyre add depth numeric;')
    const report = new Client({ connectionString: database.adminUrl })
    await report.connect()
    await report.query('begin')
    await report.query('select * from tyre')
    const migrating = run()
    // A query behind a waiting change is answered before the report ends: without a limit to the change's wait, never.
    const attempts = new Set<unknown>()
    while (attempts.size < 3) {
      await query('select * from tyre')
      const waiting = await query(
        `select xact_start::text as begun from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      for (const { begun } of waiting) attempts.add(begun)
    }
    await report.query('commit')
    await report.end()
    expect(await migrating).toMatchObject({ applied: ['0002_depth.sql'] })
  })

  it('lock the table first that writers hold while they wait for another', async () => {
    write('0001_tables.sql', 'create table axle (id int); create table tyre (id int);')
    await run()
    // tyre before axle, as in an attempt that has learned nothing
    write('0002_both.sql', 'alter table tyre add depth numeric; alter table axle add depth numeric;')
    const ending = new AbortController()
    const keepWriting = async (): Promise<number> => {
      const client = new Client({ connectionString: database.adminUrl })
      await client.connect()
      let rows = 0
      for (; !ending.signal.aborted; rows++)
        // one transaction
        await client.query('insert into axle (id) values (1); select pg_sleep(0.02); insert into tyre (id) values (1)')
      await client.end()
      return rows
    }
    const writers = Array.from({ length: 4 }, keepWriting)
    expect(await run()).toMatchObject({ applied: ['0002_both.sql'] })
    ending.abort()
    const written = (await Promise.all(writers)).reduce((sum, rows) => sum + rows, 0)
    expect(await query('select count(*)::int from tyre')).toEqual([{ count: written }])
  })

  it('are refused when one was changed after it had been applied', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    write('0001_tyre.sql', 'create table tyre (id bigint);')
    await expect(run()).rejects.toThrow('0001_tyre.sql was changed after it had been applied')
  })

  it('are unchanged when only their line endings differ', async () => {
    write('0001_tyre.sql', 'create table tyre (\n  id int\n);\n')
    await run()
    write('0001_tyre.sql', 'create table tyre (\r\n  id int\r\n);\r\n')
    expect(await run()).toMatchObject({ applied: [] })
  })

  it('are refused when one that was applied is missing', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    write('0002_rim.sql', 'create table rim (id int);')
    await run()
    fs.rmSync(path.join(directory, '0001_tyre.sql'))
    await expect(run()).rejects.toThrow('migrated by 0001_tyre.sql, which is missing')
  })

  it('are refused when one was added behind the newest that was applied', async () => {
    write('0002_rim.sql', 'create table rim (id int);')
    await run()
    write('0001_tyre.sql', 'create table tyre (id int);')
    await expect(run()).rejects.toThrow('0001_tyre.sql was added behind 0002')
  })

  it('of a newer portal are ignored by one of the version before that starts beside it, and by no older one', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    write('0002_rim.sql', 'create table rim (id int);')
    await run()
    fs.rmSync(path.join(directory, '0002_rim.sql'))
    expect(await run()).toMatchObject({ applied: [], newer: 2 })
    write('0002_rim.sql', 'create table rim (id int);')
    write('0003_bolt.sql', 'create table bolt (id int);')
    await run()
    fs.rmSync(path.join(directory, '0003_bolt.sql'))
    expect(await run()).toMatchObject({ applied: [], newer: 3 })
    fs.rmSync(path.join(directory, '0002_rim.sql'))
    await expect(run()).rejects.toThrow('has to know it up to 0002 to serve it. This one knows it up to 0001')
  })

  it('that end the version before let no node of it start, with the reason, until a later one is known', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    const reason = 'it does not know which accounts are restricted'
    write('0002_rights.sql', `-- the version before may not go on: ${reason}\nalter table tyre add restricted bool;`)
    write('0003_rim.sql', 'create table rim (id int);')
    await run()
    fs.rmSync(path.join(directory, '0003_rim.sql'))
    expect(await run()).toMatchObject({ newer: 3 })
    fs.rmSync(path.join(directory, '0002_rights.sql'))
    await expect(run()).rejects.toThrow(reason)
  })

  it('of an upgrade are noted with the oldest schema that may serve, and their seconds', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    write('0002_slow.sql', 'select pg_sleep(0.2);')
    const { upgrade } = await run()
    expect(upgrade?.migrations).toEqual([{ name: '0002_slow', seconds: expect.any(Number) }])
    expect(upgrade?.migrations[0]?.seconds).toBeGreaterThanOrEqual(0.2)
    expect(describeUpgrade(upgrade as Upgrade)).toMatch(
      /^The database was upgraded from schema 0001 \(Wheelhouse [\d.]+\) to 0002 \(Wheelhouse [\d.]+\) in \d\.\d s: 0002_slow \d\.\d s\.$/,
    )
    const noted = 'select from_schema as a, to_schema as b, oldest, reason, portal from migration.upgrade order by id'
    expect(await query(noted, database.appUrl)).toEqual([
      { a: 0, b: 1, oldest: 1, reason: '', portal: portalVersion },
      { a: 1, b: 2, oldest: 1, reason: '', portal: portalVersion },
    ])
  })

  it.each(['1_tyre.sql', '0001-tyre.sql', '0001_Tyre.sql', 'tyre.sql'])(
    'are refused under a name like %s',
    async file => {
      write(file, 'select 1')
      await expect(run()).rejects.toThrow(`${file} isn't named like`)
    },
  )

  it('stop a node that serves within seconds when they say so, and leave it alone when they do not', async () => {
    write('0001_tyre.sql', 'create table tyre (id int);')
    await run()
    const node = openDatabase(database.appUrl, { size: 1 })
    const reasons: string[] = []
    const watching = watchSchema(node, { newest: 1, everyMs: 50, stop: reason => void reasons.push(reason) })
    write('0002_rim.sql', 'create table rim (id int);')
    await run()
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(reasons).toEqual([])
    write('0003_rights.sql', '-- the version before may not go on: it does not know them\nselect 1;')
    await run()
    await vi.waitUntil(() => reasons.length > 0, pollOptions)
    expect(reasons).toEqual([expect.stringContaining('it does not know them')])
    await watching.stop()
    await node.close()
  })

  it('are refused when two have the same number', async () => {
    write('0001_rim.sql', 'select 1')
    write('0001_tyre.sql', 'select 1')
    await expect(run()).rejects.toThrow('have the number 1')
  })

  it('are listed where the application can neither read nor write', async () => {
    write('0001_tyre.sql', 'create table tyre (id int); grant all on all tables in schema public to wheelhouse_app;')
    await run()
    expect(await query('select * from tyre', database.appUrl)).toEqual([])
    await expect(query('select * from migration.applied', database.appUrl)).rejects.toThrow('permission denied')
  })

  it('of the project apply to an empty database', async () => {
    const { applied } = await migrate(database.adminUrl)
    expect(applied).toEqual(fs.readdirSync(path.join(import.meta.dirname, '..', '..', '..', 'db', 'migrations')).sort())
    expect(applied.length).toBeGreaterThan(0)
  })
})

describe('the role that the portal works as, on a server that others run', () => {
  let dir: string
  let server: Postgres

  // Roles belong to a whole server: a server of its own keeps these changes away from other tests.
  beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-roles-'))
    fs.chmodSync(dir, 0o755)
    server = await startPostgres({ dataDir: path.join(dir, 'data'), unsafe: true, log: () => {} })
    await query(
      "create role table_owner login password 'x'; alter database wheelhouse owner to table_owner",
      server.adminUrl,
    )
  })

  afterAll(async () => {
    await server.stop()
    fs.rmSync(dir, { recursive: true })
  })

  const ownerUrl = () => Object.assign(new URL(server.adminUrl), { username: 'table_owner', password: 'x' }).href

  it('is missing with a message that an administrator can run, when the owner may not switch to it', async () => {
    await expect(run(ownerUrl())).rejects.toThrow('grant wheelhouse_app to "table_owner"')
  })

  it('can be granted to an owner who is no superuser', async () => {
    await query('grant wheelhouse_app to table_owner', server.adminUrl)
    write('0001_tyre.sql', 'create table tyre (id int); grant select on tyre to wheelhouse_app;')
    expect(await run(ownerUrl())).toMatchObject({ applied: ['0001_tyre.sql'] })
    const work = new URL(ownerUrl())
    work.searchParams.set('options', '-c role=wheelhouse_app')
    expect(await query('select current_user as me, count(*)::int as tyres from tyre', work.href)).toEqual([
      { me: 'wheelhouse_app', tyres: 0 },
    ])
  })

  it('lets migrations change every row although row-level security binds the owner', async () => {
    await query('create database inherited owner table_owner', server.adminUrl)
    const inherited = (url: string) => Object.assign(new URL(url), { pathname: '/inherited' }).href
    await migrate(inherited(ownerUrl()), { to: 9 })
    await query(
      `insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test');
       insert into customer (site_id, id, name) values (1, 1, 'Customer');
       insert into vehicle (site_id, id, customer_id, license_plate, brand, description, type) values (1, 1, 1, '1ABC123', 'Citroën', 'C3', 'car');
       insert into article (site_id, id, brand, description) values (1, 1, 'Nokian', 'Nokian WR');
       insert into location (site_id, id, kind, name, site_name, path, capacity) values (1, 1, 'place', 'A', 'Home', 'A', 10);
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, status, status_date, location_id)
         select 1, 1, 1, 1, position, 'Nokian WR', 'in_stock', current_date, 1 from unnest(array['1A', '1B']) position`,
      inherited(server.adminUrl),
    )
    const rows = (sql: string) => query(sql, inherited(server.adminUrl))
    await migrate(inherited(ownerUrl()), { to: 16 })
    expect(await rows('select held from location')).toEqual([{ held: 0 }]) // 0010 did not see the tyres
    await migrate(inherited(ownerUrl()))
    expect(await rows('select held from location')).toEqual([{ held: 2 }])
    expect(await rows('select distinct status, state, location_id from wheel')).toEqual([
      { status: 'in_stock', state: 'at_place', location_id: 1 },
    ])
    expect(await rows('select words from vehicle')).toEqual([{ words: '1abc123  citroen c3  ' }])
    expect(await rows('select words from tyre_words')).toEqual([{ words: 'nokian wr ' }])
    await query('drop database inherited', server.adminUrl)
  })

  it('lets a migration tell sets apart that were named alike', async () => {
    await query('create database alike owner table_owner', server.adminUrl)
    const alike = (url: string) => Object.assign(new URL(url), { pathname: '/alike' }).href
    await migrate(alike(ownerUrl()), { to: 18 })
    const rows = (sql: string) => query(sql, alike(server.adminUrl))
    await rows(
      `insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test');
       insert into customer (site_id, id, name) values (1, 1, 'Customer');
       insert into vehicle (site_id, id, customer_id, license_plate, brand, description, type)
         select 1, n, 1, '1ABC12' || n, 'Citroën', 'C3', 'car' from generate_series(1, 2) n;
       insert into article (site_id, id, brand, description) values (1, 1, 'Nokian', 'Nokian WR');
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, status, status_date, tyre_set)
         select 1, 1, vehicle, 1, position, 'Nokian WR', 'at_customer', current_date, name
         from (values (1, 1, '1A', 'Summer'), (2, 1, '1A', 'summer'), (3, 1, '1B', 'SUMMER '), (4, 1, '2A', ' summer'),
           (5, 1, '1B', 'summer'), (6, 1, '1A', 'SUMMER (2)'), (7, 2, '1A', 'summer'), (8, 1, '1A', ' '), (9, 1, '1A', 'Winter'))
           as given(nth, vehicle, position, name) order by nth`,
    )
    await migrate(alike(ownerUrl()))
    expect(await rows('select vehicle_id as v, position, tyre_set as name from tyre order by id')).toEqual([
      { v: 1, position: '1A', name: 'Summer' },
      { v: 1, position: '1A', name: 'Summer (3)' },
      { v: 1, position: '1B', name: 'Summer' },
      { v: 1, position: '2A', name: 'Summer' },
      { v: 1, position: '1B', name: 'Summer (3)' },
      { v: 1, position: '1A', name: 'SUMMER (2)' },
      { v: 2, position: '1A', name: 'summer' },
      { v: 1, position: '1A', name: null },
      { v: 1, position: '1A', name: 'Winter' },
    ])
    expect(await rows('select facts from audit order by id')).toEqual(
      [
        { set: null, tyres: [8], before: ' ' },
        { set: 'Summer (3)', tyres: [2, 5], before: 'summer' },
        { set: 'Summer', tyres: [3], before: 'SUMMER ' },
        { set: 'Summer', tyres: [4], before: ' summer' },
      ].map(facts => ({ facts })),
    )
    expect(await rows('select tyre_id from tyre_event order by tyre_id')).toEqual(
      [2, 3, 4, 5, 8].map(tyre_id => ({ tyre_id })),
    )
    await query('drop database alike', server.adminUrl)
  })

  it('lets a migration give stays the facts that their operations prove', async () => {
    await query('create database stays owner table_owner', server.adminUrl)
    const stays = (url: string) => Object.assign(new URL(url), { pathname: '/stays' }).href
    await migrate(stays(ownerUrl()), { to: 127 })
    const rows = (sql: string) => query(sql, stays(server.adminUrl))
    await rows(
      `insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test');
       insert into customer (site_id, id, name) values (1, 1, 'Customer'), (1, 2, 'Other');
       insert into vehicle (site_id, id, customer_id, license_plate, brand, description, type) values (1, 1, 1, '1ABC123', 'Citroën', 'C3', 'car');
       insert into article (site_id, id, brand, description, rim) values (1, 1, 'Nokian', 'Nokian WR', 16);
       insert into tyre (site_id, id, customer_id, vehicle_id, article_id, position, description, status, status_date, tyre_set)
         select 1, id, 1, 1, 1, id || 'A', 'Nokian WR', 'at_customer', '2026-03-01', 'Summer' from generate_series(1, 6) id;
       insert into operation (site_id, id, customer_id, vehicle_id, type, status, tyre_count, with_rims, created_at, updated_at, handled_at)
         select 1, id, 1, 1, type, 'confirmed', 1, rims, moment, moment, moment
         from (values (1, 'to_stock', 'steel', '2026-01-10 12:00Z'::timestamptz), (2, 'to_stock', null, '2026-01-10 12:00Z'),
           (3, 'to_customer', null, '2026-03-01 12:00Z')) made(id, type, rims, moment);
       insert into operation_tyre (site_id, operation_id, tyre_id, customer_id, open) values (1, 1, 1, 1, false), (1, 2, 2, 1, false), (1, 3, 3, 1, false);
       insert into handed_wheel (site_id, operation_id, wheel, customer_id, position, description, tyre_set, rims, bolts, hubcaps)
         values (1, 3, 3, 1, '3A', 'Nokian WR', 'Winter', 'steel', false, false);
       insert into stay (site_id, tyre_id, customer_id, vehicle_id, since, until, with_rim)
         values (1, 1, 1, 1, '2026-01-10', '2026-03-01', false), (1, 2, 1, 1, '2026-01-10', '2026-03-01', null),
           (1, 3, 1, 1, '2026-01-10', '2026-03-01', null), (1, 4, 1, 1, '2026-01-10', '2026-03-01', null);
       select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['vehicle', 'tyre']) name;
       update tyre set status = 'in_stock', rims = 'aluminum' where id in (5, 6);
       update stay set with_rim = false where tyre_id = 5;
       set local app.site = '1';
       select transfer_vehicle(1, 1, 2, '2026-04-01', '2026-04-01 12:00Z', null);`,
    )
    await migrate(stays(ownerUrl()))
    const migratedStays = await rows(
      `select coalesce(t.copy_of, t.id) as tyre, s.since::text, s.with_rim, s.tyre_set as name, s.size_class from stay s join tyre t on t.id = s.tyre_id
       order by 1, 2`,
    )
    const left = { since: '2026-01-10', name: 'Summer', size_class: 'small' }
    const stored = { with_rim: true, name: 'Summer', size_class: 'small' }
    expect(migratedStays).toEqual([
      { tyre: 1, ...left, with_rim: true },
      { tyre: 2, ...left, with_rim: false },
      { tyre: 3, ...left, with_rim: true, name: 'Winter' },
      { tyre: 4, ...left, with_rim: false },
      ...[5, 6].flatMap(tyre => ['2026-03-01', '2026-04-01'].map(since => ({ tyre, since, ...stored }))),
    ])
    await query('drop database stays', server.adminUrl)
  })

  it('lets a migration give articles the letters of their brand and one EAN; two that become alike stay two', async () => {
    await query('create database lettered owner table_owner', server.adminUrl)
    const lettered = (url: string) => Object.assign(new URL(url), { pathname: '/lettered' }).href
    await migrate(lettered(ownerUrl()), { to: 138 })
    const rows = (sql: string) => query(sql, lettered(server.adminUrl))
    const brands = [
      'БЕЛШИНА',
      'Кама',
      'Йокохама',
      'Ελαστικά Α.Ε.',
      'Trélebørg & Co.',
      '横浜 (ヨコハマ)',
      'Michelin',
      'Straße',
    ]
    const eans = [
      '029142123453',
      '0029142123453',
      '00029142123453',
      '000096385074',
      '0000096385074',
      '96385074',
      '14019238817291',
    ]
    await rows(
      `insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test');
       insert into customer (site_id, id, name) values (1, 1, 'Customer');
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type) values (1, 1, '1234', 'MAN', 'TGX', 'truck');
       insert into article (site_id, brand, description, pattern, brand_key, ean, words)
         select 1, brand, 'x', nth, regexp_replace(upper(normalize(brand, nfkd)), '[^A-Z0-9]', '', 'g'), ean, coalesce(ean, '')
         from unnest(array['${brands.join("','")}'], array['${eans.join("','")}']) with ordinality as given(brand, ean, nth)`,
    )
    await migrate(lettered(ownerUrl()))
    expect(await rows('select brand_key as key, ean from article order by id')).toEqual(
      brands.map((brand, at) => ({
        key: lettersAndDigits(brand),
        ean: eans[at] === undefined ? null : plainEan(eans[at]),
      })),
    )
    expect(await rows(`select words from article where brand = 'БЕЛШИНА'`)).toEqual([
      { words: '029142123453 0029142123453' },
    ])
    const insert = (plate: string) =>
      rows(
        `insert into vehicle (site_id, customer_id, license_plate, brand, description, type) values (1, 1, '${plate}', 'MAN', 'TGX', 'truck')`,
      )
    await insert('ЖА1234')
    await insert('品川500さ1234')
    await expect(insert('1-ABC-234')).rejects.toThrow('vehicle_license_plate_check')
    await expect(insert('1abc234')).rejects.toThrow('vehicle_license_plate_check')
    await query('drop database lettered', server.adminUrl)
  })

  it('lets a migration keep texts of one’s own with the namespaces that were renamed', async () => {
    await query('create database named owner table_owner', server.adminUrl)
    const named = (url: string) => Object.assign(new URL(url), { pathname: '/named' }).href
    await migrate(named(ownerUrl()), { to: 170 })
    const rows = (sql: string) => query(sql, named(server.adminUrl))
    const former = ['admin', 'superuser', 'damage', 'card', 'vehicle', 'import', 'imports', 'common']
    await rows(
      `insert into translation (language, namespace, key, value) select 'eng', name, 'title', name from unnest(array['${former.join("','")}']) name`,
    )
    await migrate(named(ownerUrl()))
    const now = ['desk', 'sites', 'damages', 'cards', 'vehicles', 'importFaults', 'imports', 'common']
    expect(await rows('select namespace, value from translation order by id')).toEqual(
      former.map((value, nth) => ({ namespace: now[nth], value })),
    )
    await query('drop database named', server.adminUrl)
  })

  it('lets a migration clean texts as they are when they are entered; of two that become equal one stays', async () => {
    await query('create database typed owner table_owner', server.adminUrl)
    const typed = (url: string) => Object.assign(new URL(url), { pathname: '/typed' }).href
    await migrate(typed(ownerUrl()), { to: 154 })
    const rows = (sql: string, values: unknown[] = []) => query(sql, typed(server.adminUrl), values)
    const cleaned = (text: string) => (visible(text) === text ? text : visible(text).trim())
    const signs = Array.from({ length: 0xffff }, (_, nth) => nth + 1)
      .filter(sign => sign < 0xd800 || sign > 0xdfff)
      .map(sign => String.fromCodePoint(sign))
    // each sign alone, and those of some kinds with what stays only between them
    const joins =
      /\p{Extended_Pictographic}|\p{DI}|\p{M}|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam}|\p{Script=Sinhala}/u
    const texts = [
      (sign: string) => `a${sign}b`,
      (sign: string) => `${sign}\u200d${sign}\u200c${sign}\u200b`,
      (sign: string) => `${sign}\ufe0f\u200d${sign} \u202a`,
      (sign: string) => `\u200d${sign}\ufe0fe\u0301${sign}\u0308`,
    ]
    await rows(
      `insert into site (id, code, name, admin_email) values (1, 'home', E'Ho\u200bme', 'desk@home.test'), (2, 'other', 'Other', 'desk@other.test')`,
    )
    await rows(
      `insert into customer (site_id, id, name, company, street, city)
       select 1, nth, name, company, street, city from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as t(name, company, street, city, nth)`,
      texts.map((text, nth) => signs.map(sign => (nth === 0 || joins.test(sign) ? text(sign) : ''))),
    )
    await rows(
      `insert into customer (site_id, id, code, name) values (1, 100001, 'K-1', 'One'), (1, 100002, E'k\u200b-1', 'Two'), (1, 100003, E'K-2\u200b ', 'Three'),
         (2, 100004, E'K\u200b-1', E'\u202aFour')`,
    )
    await rows(
      `insert into vehicle (site_id, id, customer_id, license_plate, brand, description, type, driver_name)
         values (1, 1, 100001, '1ABC234', 'MAN', E'\u200b', 'truck', E'Zoe\u0308'), (1, 2, 100001, '1ABC235', E'MAN\ufeff', 'TGX', 'truck', '👩\u200d🔧')`,
    )
    await migrate(typed(ownerUrl()))
    const customers = await rows('select name, company, street, city from customer where id < 100000 order by id')
    const wrong = signs.filter((sign, nth) => {
      const row = customers[nth]
      return [row?.['name'], row?.['company'], row?.['street'], row?.['city']].some(
        (text, which) => text !== '' && text !== cleaned(texts[which]?.(sign) ?? ''),
      )
    })
    // the server composes as its version of Unicode does
    const unassigned = await rows('select sign from unnest($1::text[]) sign where not unicode_assigned(sign)', [wrong])
    expect(wrong.filter(sign => !unassigned.some(row => row['sign'] === sign))).toEqual([])
    expect(await rows('select code, name from customer where id > 100000 order by id')).toEqual([
      { code: 'K-1', name: 'One' },
      { code: 'k\u200b-1', name: 'Two' },
      { code: 'K-2', name: 'Three' },
      { code: 'K-1', name: 'Four' },
    ])
    expect(await rows('select brand, description, driver_name from vehicle order by id')).toEqual([
      // a text of nothing that is seen stays where one is required
      { brand: 'MAN', description: '\u200b', driver_name: 'Zoe\u0308' },
      { brand: 'MAN', description: 'TGX', driver_name: '👩\u200d🔧' },
    ])
    expect(await rows('select name from site order by id')).toEqual([{ name: 'Home' }, { name: 'Other' }])
    await query('drop database typed', server.adminUrl)
  })

  it('is created by an owner who may create roles', async () => {
    await query(
      'drop owned by wheelhouse_app; drop role wheelhouse_app; alter role table_owner createrole',
      server.adminUrl,
    )
    write('0001_tyre.sql', 'create table tyre (id int); grant select on tyre to wheelhouse_app;')
    await run(ownerUrl())
    expect(
      await query(
        "select rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname = 'wheelhouse_app'",
        server.adminUrl,
      ),
    ).toEqual([{ rolcanlogin: false, rolsuper: false, rolbypassrls: false }])
    // which it reads to know whether it may go on
    expect(
      await query(
        `select has_table_privilege('wheelhouse_app', 'migration.upgrade', 'select') as reads`,
        server.adminUrl,
      ),
    ).toEqual([{ reads: true }])
  })

  it('is refused when it bypasses row-level security', async () => {
    write('0001_tyre.sql', 'create table tyre (id int); grant select on tyre to wheelhouse_app;')
    await query('alter role wheelhouse_app bypassrls', server.adminUrl)
    await expect(run(ownerUrl())).rejects.toThrow('bypasses row-level security')
  })
})
