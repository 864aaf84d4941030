/** The present schema, its functions and the page about its triggers are what a migrated database has. */
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { functionsDirectory, lastMigrationWithFunctions, shippedFunctions } from '../../src/server/db/functions.ts'
import { shippedMigrations } from '../../src/server/db/migrate.ts'
import { testDatabase, type TestDatabase } from '../../src/server/testing/database.ts'
import { schemaFile, schemaText } from './generate.ts'

let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await testDatabase()
  client = new Client({ connectionString: database.adminUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const rows = async <R extends Record<string, unknown>>(sql: string): Promise<R[]> => (await client.query<R>(sql)).rows

test('db/schema.sql is the present schema', async () => {
  const isSame = fs.readFileSync(schemaFile, 'utf8') === (await schemaText(client))
  expect(isSame ? '' : 'db/schema.sql is not what the migrations make. Run: npm run schema').toBe('')
})

test.each([
  ['column', 'alter table tyre add colour text'],
  ['default', `alter table tyre alter memo set default 'none'`],
  ['check', 'alter table tyre add check (profile_tacho < 9)'],
  ['foreign key', 'alter table tyre add foreign key (copy_of) references site'],
  ['index', 'create index on tyre (memo)'],
  ['policy', 'drop policy customer_rows on tyre'],
  ['bound of the owner', 'alter table tyre no force row level security'],
  ['grant on a table', 'grant truncate on tyre to wheelhouse_app'],
  ['grant on a column', 'grant update (note) on tyre_event to wheelhouse_app'],
  ['grant to everyone', 'grant select on tyre to public'],
  ['grant on a sequence', 'grant update on sequence tyre_id_seq to wheelhouse_app'],
  ['trigger', 'drop trigger tyre_moved on tyre'],
  ['disabled trigger', 'alter table tyre disable trigger tyre_moved'],
  ['view', 'create view stored as select id from tyre'],
])('another %s is another schema', async (_, sql) => {
  const before = await schemaText(client)
  await client.query('begin')
  await client.query(sql)
  const after = await schemaText(client)
  await client.query('rollback')
  expect(after).not.toBe(before)
})

const definitions = () =>
  rows<{ name: string; definition: string }>(
    `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace order by proname collate "C"`,
  )

test('the functions of a migrated database are those of db/functions', async () => {
  const before = await definitions()
  expect(before.map(({ name }) => name)).toEqual(shippedFunctions().map(({ name }) => name))
  await client.query('begin')
  for (const { sql } of shippedFunctions()) await client.query(sql)
  expect(await definitions()).toEqual(before)
  await client.query('rollback')
})

test('a function with another body, or without a file, would be noticed', async () => {
  const [{ name = '', definition = '' } = {}] = (await definitions()).filter(each => each.name === 'size_class')
  await client.query('begin')
  await client.query(definition.replace(`'small'`, `'tiny'`))
  expect(await definitions()).not.toContainEqual({ name, definition })
  await client.query('create function stray() returns int return 1')
  expect((await definitions()).map(each => each.name)).toContain('stray')
  await client.query('rollback')
})

test('anybody may execute a function, and none works with the rights of its owner', async () => {
  expect(
    await rows(
      `select proname, proacl, prosecdef from pg_proc where pronamespace = 'public'::regnamespace and (proacl is not null or prosecdef)`,
    ),
  ).toEqual([])
})

/** Migrations that create functions although they are files of their own. */
const creatingFunctions = (migrations: readonly { version: number; name: string; sql: string }[]): string[] =>
  migrations
    .filter(
      ({ version, sql }) =>
        version > lastMigrationWithFunctions && /\bcreate\s+(or\s+replace\s+)?function\b/i.test(sql),
    )
    .map(({ version, name }) => `${version}_${name} creates a function: it belongs into db/functions`)

test('no new migration creates a function', () => {
  const migrations = shippedMigrations().map(({ version, name, filename }) => ({
    version,
    name,
    sql: fs.readFileSync(filename, 'utf8'),
  }))
  expect(creatingFunctions(migrations)).toEqual([])
  const sql = 'CREATE OR REPLACE\nFUNCTION one() returns int return 1'
  expect(creatingFunctions([{ version: 9999, name: 'one', sql }])).toHaveLength(1)
})

test('docs/database.md names each trigger with its table, events and function, and invents none', async () => {
  const page = fs.readFileSync(path.join(functionsDirectory, '..', '..', 'docs', 'database.md'), 'utf8')
  const documented = [...page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| ([a-z_, ]+?) +\|.*\[`(\w+)`\]/gm)].map(row =>
    row.slice(1).join(' | '),
  )
  const present = await rows<{ line: string }>(
    `select concat_ws(' | ', tgrelid::regclass, tgname,
       replace(lower(substring(pg_get_triggerdef(t.oid) from 'TRIGGER \\w+ (.*?) ON public\\.')), '"', ''), p.proname) as line
     from pg_trigger t join pg_proc p on p.oid = tgfoid where not tgisinternal`,
  )
  expect(documented.toSorted()).toEqual(present.map(({ line }) => line).toSorted())
})
