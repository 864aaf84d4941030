import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { lastMigrationWithFunctions, shippedFunctions, stamped } from './functions.ts'
import { migrate } from './migrate.ts'

let folder: string
let database: TestDatabase
let client: Client

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-functions-'))
  for (const name of ['migrations', 'functions']) fs.mkdirSync(path.join(folder, name))
  database = await testDatabase({ empty: true })
  client = new Client({ connectionString: database.adminUrl })
  await client.connect()
  migration('0001_tyre.sql', 'create table tyre (id int);')
})

afterEach(async () => {
  await client.end()
  await database.drop()
  fs.rmSync(folder, { recursive: true })
})

const file = (name: string) => path.join(folder, 'functions', `${name}.sql`)
const migration = (name: string, sql: string) => fs.writeFileSync(path.join(folder, 'migrations', name), sql)
/** Writes a function's file as `npm run schema` leaves it: under the next version where it was changed. */
function write(name: string, sql: string): void {
  const version = fs.existsSync(file(name)) ? `${fs.readFileSync(file(name), 'utf8').split('\n')[0]}\n` : ''
  fs.writeFileSync(file(name), stamped(`${version}create or replace function ${name}${sql};\n`))
}
const run = (options: { to?: number } = {}) =>
  migrate(database.adminUrl, {
    directory: path.join(folder, 'migrations'),
    functions: path.join(folder, 'functions'),
    ...options,
  })
const value = async (sql: string) => (await client.query<{ value: unknown }>(`select ${sql} as value`)).rows[0]?.value

const depth = (mm: number) => `(tyre int) returns int language sql as $$ select ${mm} $$`

test('a function is created, and replaced when its file has a newer version', async () => {
  write('depth', depth(8))
  await run()
  expect(await value('depth(1)')).toBe(8)
  write('depth', depth(7))
  await run()
  expect(await value('depth(1)')).toBe(7)
  expect((await client.query('select name, version from migration.function')).rows).toEqual([
    { name: 'depth', version: 2 },
  ])
})

test('a function that has not changed is not applied again', async () => {
  write('depth', depth(8))
  await run()
  await client.query('create or replace function depth(tyre int) returns int language sql as $$ select 5 $$')
  await run()
  expect(await value('depth(1)')).toBe(5)
})

test('a node of the version before puts its own functions not back', async () => {
  write('depth', depth(8))
  const earlier = fs.readFileSync(file('depth'))
  write('depth', depth(7))
  await run()
  fs.writeFileSync(file('depth'), earlier)
  await run()
  expect(await value('depth(1)')).toBe(7)
})

test('a node that does not know the newest migration leaves functions alone, also missing ones', async () => {
  await run()
  migration('0002_gone.sql', 'drop table tyre;')
  await run()
  fs.rmSync(path.join(folder, 'migrations', '0002_gone.sql'))
  write('newest', '() returns int language sql as $$ select max(id) from tyre $$')
  expect(await run()).toMatchObject({ applied: [], newer: 2 })
  expect(await value(`to_regproc('newest')::text`)).toBeNull()
})

test('the trigger of a migration finds its function, whose body may use what the migration adds', async () => {
  const number = String(lastMigrationWithFunctions + 1).padStart(4, '0')
  migration(
    `${number}_rims.sql`,
    `create table rim (id int); create trigger tyre_has_rim after insert on tyre for each row execute function add_rim();
     insert into tyre values (7);`,
  )
  write('add_rim', '() returns trigger language plpgsql as $$ begin perform take_rim(new.id); return null; end $$')
  write('take_rim', '(tyre int) returns void language sql as $$ insert into rim values (tyre) $$')
  await run()
  expect(await value('(select id from rim)')).toBe(7)
})

test('up to a migration, as for a backup of an earlier portal, no function is replaced', async () => {
  write('depth', depth(8))
  await run()
  write('depth', depth(7))
  await run({ to: 1 })
  expect(await value('depth(1)')).toBe(8)
  await run()
  expect(await value('depth(1)')).toBe(7)
})

test.each([
  ['its result', '(tyre int) returns bigint language sql as $$ select 7::bigint $$'],
  ['its parameters', '(tyre int, axle int) returns int language sql as $$ select 7 $$'],
  ['the name of a parameter', '(wheel int) returns int language sql as $$ select 7 $$'],
  ['a default', '(tyre int default 1) returns int language sql as $$ select 7 $$'],
])('a function that changes %s is refused, and nothing is changed', async (_, changed) => {
  write('depth', depth(8))
  await run()
  write('depth', changed)
  migration('0002_rim.sql', 'create table rim (id int);')
  await expect(run()).rejects.toThrow(
    /depth\.sql changes what depth\(tyre integer\) returns integer takes or returns, .* Give the new function another name\./,
  )
  expect(await value('depth(1)')).toBe(8)
  expect(await value(`to_regclass('rim')::text`)).toBeNull()
})

test.each([
  ['a column', 'alter table tyre add half int generated always as (halved(id)) stored'],
  ['an index', 'create index on tyre (halved(id))'],
  ['a check', 'alter table tyre add check (halved(id) > 0)'],
])('a function whose values %s holds is refused with another body', async (_, holds) => {
  write('halved', '(n int) returns int language sql immutable as $$ select n / 2 $$')
  await run()
  await client.query(holds)
  write('halved', '(n int) returns int language sql immutable as $$ select n / 2 + n % 2 $$')
  await expect(run()).rejects.toThrow('the database stores values that it computed')
  // the control: a comment above it changes nothing
  fs.rmSync(file('halved'))
  write('halved', '(n int) returns int language sql immutable as $$ select n / 2 $$')
  fs.writeFileSync(file('halved'), stamped(fs.readFileSync(file('halved'), 'utf8').replace('\n', '\n-- Half.\n')))
  await run()
})

test('a file that was changed without a new version is refused, and one that is another function', async () => {
  write('depth', depth(8))
  const kept = fs.readFileSync(file('depth'), 'utf8')
  fs.writeFileSync(file('depth'), kept.replace('8', '7'))
  await expect(run()).rejects.toThrow('depth.sql was changed without a new version. Run: npm run schema')
  fs.writeFileSync(file('depth'), stamped(`${kept}create or replace function two() returns int return 2;\n`))
  await expect(run()).rejects.toThrow('has to create one function, which is named like the file')
})

test('another text under the version that the database has is refused', async () => {
  write('depth', depth(8))
  await run()
  fs.rmSync(file('depth'))
  write('depth', depth(7))
  await expect(run()).rejects.toThrow('The database has another version 1 of db/functions/depth.sql')
})

test('a fault is reported with its file and line, and nothing is changed', async () => {
  write('depth', '() returns int language sql as $$\n  select nonsense\n$$')
  await expect(run()).rejects.toThrow(/depth\.sql failed in line 3: column "nonsense" does not exist/)
  expect(await value(`to_regclass('tyre')::text`)).toBeNull()
})

test('replacing keeps who may execute a function, and its settings are those of the file', async () => {
  const guarded = (n: number) =>
    `() returns int language sql security definer set search_path = pg_catalog as $$ select ${n} $$`
  write('guarded', guarded(1))
  await run()
  await client.query(
    'revoke execute on function guarded from public; grant execute on function guarded to wheelhouse_app',
  )
  const rights = `(select array[proacl::text, prosecdef::text, proconfig::text] from pg_proc where proname = 'guarded')`
  const before = await value(rights)
  write('guarded', guarded(2))
  await run()
  expect(await value('guarded()')).toBe(2)
  expect(await value(rights)).toEqual(before)
})

test('statements that call a function while it is replaced get its former or its new answer, and none fails', async () => {
  write('depth', depth(8))
  await run()
  const ending = new AbortController()
  const answers = new Set<unknown>()
  const calling = (async () => {
    while (!ending.signal.aborted) answers.add(await value('depth(1)'))
    answers.add(await value('depth(1)'))
  })()
  write('depth', depth(7))
  await Promise.all([run(), run(), run()])
  ending.abort()
  await calling
  expect([...answers].toSorted()).toEqual([7, 8])
})

test('the shipped ones are each one function under a version', () => {
  expect(shippedFunctions().length).toBeGreaterThan(50)
})
