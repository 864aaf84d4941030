import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type Postgres, startPostgres } from '../postgres/supervisor.ts'
import { escapesOf } from '../testing/escapes.ts'
import { credentialsOf, withCredentials } from './login.ts'
import { openStore, type Store } from './open.ts'
import { statement } from './statement.ts'
import { int } from './types.ts'

/** Roles belong to a whole server: one of its own keeps these changes away from other tests. */
let dir: string
let server: Postgres
beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-logins-'))
  fs.chmodSync(dir, 0o755)
  server = await startPostgres({ dataDir: path.join(dir, 'data'), unsafe: true, log: () => {} })
  await ask(
    `create role table_owner login createrole password 'first'; create role stranger nologin;
     alter database wheelhouse owner to table_owner; drop role wheelhouse_app`,
  )
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(dir, { recursive: true })
})

async function ask<R extends pg.QueryResultRow>(sql: string, url = server.adminUrl): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}
const at = (user: string, password: string): string => withCredentials(server.adminUrl, { user, password })
let ownersPassword = 'first'
const ownerUrl = () => at('table_owner', ownersPassword)

let messages: string[]
beforeEach(() => {
  messages = []
})
/** Starts on this server, looks at the store, and ends. */
async function start<T>(settings: Record<string, string>, look: (store: Store) => Promise<T> | T): Promise<T> {
  const config = readConfig({ DATABASE_URL: ownerUrl(), ALLOW_UNSAFE_DATABASE: 'yes', ...settings })
  const store = await openStore(config, { log: text => void messages.push(text) })
  try {
    return await look(store)
  } finally {
    await store.replica?.close()
    await store.close()
  }
}
const login = (settings: Record<string, string> = {}) => start(settings, store => store.access)
const verifier = async () =>
  (await ask<{ kept: string }>(`select rolpassword as kept from pg_authid where rolname = 'wheelhouse_app'`))[0]?.kept
/** The role as a version before left it. */
const asBefore = () => ask(`alter role wheelhouse_app nologin password null; comment on role wheelhouse_app is null`)

describe('the database is worked at by a role that owns nothing', () => {
  test('which the first start gives a login, without a new setting', async () => {
    const { url, role } = await login()
    expect([role, messages]).toEqual([undefined, [expect.stringMatching(/^The database has schema \d{4} /)]])
    expect(await ask('select session_user as s, current_user as c', url)).toEqual([
      { s: 'wheelhouse_app', c: 'wheelhouse_app' },
    ])
    expect(await verifier()).toMatch(/^SCRAM-SHA-256\$4096:/)
  })

  test('out of which no statement leads, as it does out of the owner’s session', async () => {
    await ask(`insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test');
      insert into customer (site_id, id, name) values (1, 1, 'Customer')`)
    const others = ['table_owner', 'wheelhouse', 'stranger']
    const { url } = await login()
    expect(await escapesOf(url, 'customer', others)).toEqual([])
    // the control: a session of the owner that has taken on the role
    const before = new URL(ownerUrl())
    before.searchParams.set('options', '-c role=wheelhouse_app')
    const ways = await escapesOf(before.href, 'customer', others)
    expect(ways).toContain('set role none')
    expect(ways).toContain('set role "table_owner"')
  })

  test('with which every node logs in, also those that start at once', async () => {
    await asBefore()
    const nodes = await Promise.all(Array.from({ length: 4 }, () => login()))
    expect(new Set(nodes.map(({ url }) => url)).size).toBe(1)
    const before = await verifier()
    await login()
    expect([await verifier(), messages]).toEqual([before, []])
  })

  test('beside nodes of the version before, which log in as the owner and take it on', async () => {
    const session = new URL(ownerUrl())
    session.searchParams.set('options', '-c role=wheelhouse_app')
    expect(await ask('select current_user as me, count(*)::int as sites from site', session.href)).toEqual([
      { me: 'wheelhouse_app', sites: 0 },
    ])
  })

  test('whose password follows the owner’s', async () => {
    const { url: before } = await login()
    ownersPassword = 'second'
    await ask(`alter role table_owner password 'second'`)
    const { url, role } = await login()
    expect([role, messages, url === before]).toEqual([undefined, [], false])
    await expect(ask('select 1', before)).rejects.toThrow('password authentication failed')
  })

  test('which may connect, also where the public may not', async () => {
    await asBefore()
    await ask('revoke connect on database wheelhouse from public')
    const { role } = await login()
    expect([role, messages]).toEqual([undefined, []])
  })

  test('at the replica, too', async () => {
    const users = await start({ DATABASE_READ_URL: ownerUrl() }, async ({ replica }) => {
      await replica?.transaction({}, tx => tx.one(nothing, {}))
      return ask<{ me: string }>(
        `select distinct usename as me from pg_stat_activity where application_name = 'wheelhouse'`,
      )
    })
    expect(users).toEqual([{ me: 'wheelhouse_app' }])
  })
})

const nothing = statement({ name: 'login.nothing', row: { one: int }, sql: 'select 1 as one' })

describe('where the role has no login of ours', () => {
  const statement = /alter role wheelhouse_app login password '…'; then set DATABASE_APP_URL/

  test('the start goes on as before and says what to run: another portal’s password stays', async () => {
    await ask(`alter role wheelhouse_app login password 'theirs'; comment on role wheelhouse_app is null`)
    const before = await verifier()
    const { url, role } = await login()
    expect([url, role, messages.length]).toEqual([ownerUrl(), 'wheelhouse_app', 1])
    expect(messages[0]).toMatch(statement)
    expect(messages[0]).toContain('has a password that this portal did not give it')
    expect(messages[0]).not.toContain(ownersPassword)
    expect(await verifier()).toBe(before)
  })

  test('DATABASE_APP_URL is that login', async () => {
    const given = at('wheelhouse_app', 'theirs')
    expect(await login({ DATABASE_APP_URL: given })).toMatchObject({ url: given })
    expect(messages).toEqual([])
  })

  test('DATABASE_APP_URL gives it to a role that has none', async () => {
    await asBefore()
    const given = at('wheelhouse_app', 'chosen here')
    expect(await login({ DATABASE_APP_URL: given })).toMatchObject({ url: given })
    await expect(login({ DATABASE_APP_URL: at('wheelhouse_app', 'another') })).rejects.toThrow(
      "alter role wheelhouse_app login password '…'",
    )
  })

  test('an owner who may create no roles says so', async () => {
    await asBefore()
    await ask('alter role table_owner nocreaterole')
    const { role } = await login()
    expect([role, messages.length]).toEqual(['wheelhouse_app', 1])
    expect(messages[0]).toMatch(/permission denied.*alter role/s)
    await ask('alter role table_owner createrole')
  })

  test.each([
    ['the owner', () => ownerUrl(), 'owns the tables'],
    ['who may become the owner', () => at('relative', 'x'), 'may become table_owner'],
    ['who has no rights', () => at('nobody_here', 'x'), 'has not the rights of wheelhouse_app'],
  ])('DATABASE_APP_URL is not %s', async (_, url, reason) => {
    await ask(`drop role if exists relative, nobody_here; create role relative login password 'x' in role table_owner;
      create role nobody_here login password 'x'; grant connect on database wheelhouse to relative, nobody_here`)
    await expect(login({ DATABASE_APP_URL: url() })).rejects.toThrow(reason)
    await ask('revoke connect on database wheelhouse from relative, nobody_here')
  })
})

test.each([
  ['postgres://owner:pw@db:5432/hall', 'postgres://app:p%40%3A@db:5432/hall'],
  ['postgres://db/hall?sslmode=verify-full', 'postgres://app:p%40%3A@db/hall?sslmode=verify-full'],
  ['postgresql://owner:p@w@db/hall', 'postgresql://app:p%40%3A@db/hall'],
  ['postgres://owner@/hall?host=/run/pg', 'postgres://app:p%40%3A@/hall?host=/run/pg'],
  ['postgres://db/hall?user=owner&password=pw&host=/run', 'postgres://app:p%40%3A@db/hall?host=/run'],
])('%s for another user', (url, other) => {
  expect(withCredentials(url, { user: 'app', password: 'p@:' })).toBe(other)
  expect(credentialsOf(other)).toEqual({ user: 'app', password: 'p@:' })
})

test('DATABASE_APP_URL needs DATABASE_URL', () => {
  expect(() => readConfig({ DATABASE_APP_URL: 'postgres://a@b/c' })).toThrow('DATABASE_APP_URL')
})
