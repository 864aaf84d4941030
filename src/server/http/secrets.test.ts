import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../db/database.ts'
import { logging } from './logging.ts'
import { serve } from './serve.ts'
import { hashPassword } from '../features/session/password.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { password, world, type World } from '../testing/world.ts'

describe('no secret is in the log or in an answer', () => {
  let at: World
  let database: Database
  let app: FastifyInstance
  let output = ''
  beforeAll(async () => {
    at = await world({ now: new Date('2026-11-18T10:00:00Z') })
    database = openDatabase(at.appUrl)
    const stream = new PassThrough()
    stream.setEncoding('utf8').on('data', (part: string) => (output += part))
    app = await serve({ database, clock: () => at.clock.now, logger: { level: 'trace', stream } })
    await app.ready()
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await at.close()
  })

  const secrets = {
    typed: 'planted-password-1',
    chosen: 'planted-password-2',
    reset: 'planted-password-3',
    driver: 'Planted Driver',
    query: 'planted-in-the-address',
  }

  test('with sign-ins, changed passwords, refusals and errors', async () => {
    const answers: string[] = []
    const tokens: string[] = []
    const ask = async (url: string, payload: unknown, cookie = at.who.admin.cookie ?? '') => {
      const reply = await app.inject({
        method: 'POST',
        url,
        payload: payload as object,
        headers: { host: 'home.test', cookie, 'content-type': 'application/json' },
      })
      answers.push(reply.payload)
      const [given] = [reply.headers['set-cookie'] ?? []].flat()
      if (given) tokens.push(given.replace(/^[^=]*=/, '').replace(/;.*$/s, ''))
      return { status: reply.statusCode, cookie: given?.replace(/;.*$/s, '') ?? '' }
    }
    const signIn = (kept: string) => ask('/users/authenticate', { username: 'customer-b', password: kept }, '')
    expect((await signIn(secrets.typed)).status).toBe(401)
    const { cookie } = await signIn(password)
    expect((await ask('/users/password', { password, wanted: secrets.chosen }, cookie)).status).toBe(200)
    expect((await ask('/customers/resetpassword', { _id: at.who.a.account, password: secrets.reset })).status).toBe(200)
    await ask(`/users/authenticate?password=${secrets.query}`, { username: { $ne: secrets.typed } }, '')
    await ask('/users/authenticate', `{"password":"${secrets.typed}"`, '')

    // PostgreSQL's error has the values of a row that a constraint refuses
    await at.query(`alter table account add constraint broken check (username <> 'broken')`)
    await at.query(`alter table vehicle add constraint torn check (brand <> 'broken')`)
    const broken = { username: 'broken', type: 'user', seq_id: at.customers.a, password: secrets.typed }
    expect((await ask('/customers/saveaccount', broken)).status).toBe(500)
    const vehicle = await at.addVehicle({})
    const torn = { vehicle: { flt_id: vehicle, brand: 'broken', driver: { name: secrets.driver } } }
    expect((await ask('/fleet/update', torn)).status).toBe(500)
    await new Promise(resolve => setImmediate(resolve))

    // the errors are in the log
    expect(output).toContain('"constraint":"broken"')
    expect(output).toContain('"call":"customers.saveaccount"')
    expect(tokens.filter(Boolean).length).toBeGreaterThan(1)
    const hidden = [...Object.values(secrets), password, 'argon2id', ...tokens.filter(Boolean)]
    expect(hidden.filter(secret => output.includes(secret))).toEqual([])
    expect(hidden.filter(secret => answers.some(answer => answer.includes(secret)))).toEqual([])
  })

  test('the control: PostgreSQL does say it, and a complete error would be found', async () => {
    const [error] = await Promise.allSettled([
      at.query(`update account set username = 'broken' where id = $1`, [at.who.b.account]),
    ])
    const { reason } = error as PromiseRejectedResult
    expect(JSON.stringify(reason)).toContain('argon2id')
    const { serializers } = logging(true) as { serializers: { err(error: unknown): object } }
    expect(JSON.stringify(serializers.err(reason))).not.toContain('argon2id')
    const address = new Error('connect postgres://wheelhouse:geheim@database/wheelhouse failed')
    expect(JSON.stringify(serializers.err(address))).not.toContain('geheim')
  })
})

describe('a start', () => {
  type Started = { url: string; output: () => string; stop(): Promise<void> }
  async function start(database: TestDatabase, env: Record<string, string>): Promise<Started> {
    let output = ''
    const portal = spawn(process.execPath, ['src/server/main.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: database.adminUrl,
        DATABASE_APP_URL: database.appUrl,
        ALLOW_UNSAFE_DATABASE: 'yes',
        PORT: '0',
        LOG_LEVEL: 'debug',
        ...env,
      },
    })
    for (const stream of [portal.stdout, portal.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (output += part))
    const ended = once(portal, 'exit')
    const stop = async (): Promise<void> => {
      portal.kill('SIGTERM')
      await ended
    }
    for (const deadline = Date.now() + 300_000; Date.now() < deadline; await pause(50)) {
      const url = /is open at (\S+)/.exec(output)?.[1]
      if (url) return { url, output: () => output, stop }
      if (portal.exitCode !== null) break
    }
    await stop()
    throw new Error(`the portal did not start: ${output}`)
  }
  const demoSignIn = async (url: string) =>
    (
      await fetch(`${url}/users/authenticate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'superuser', password: 'wheelhouse' }),
      })
    ).status

  test('in production on an empty database makes no account, and prints no secret', async () => {
    const test = await testDatabase()
    const secrets = { METRICS_TOKEN: 'planted-metrics-token' }
    const portal = await start(test, { NODE_ENV: 'production', ...secrets })
    const client = new pg.Client({ connectionString: test.adminUrl })
    await client.connect()
    try {
      expect(await demoSignIn(portal.url)).toBe(401)
      const { rows } = await client.query(
        `select (select count(*)::int from account) as accounts, (select count(*)::int from site) as sites`,
      )
      expect(rows).toEqual([{ accounts: 0, sites: 0 }])
      expect(portal.output()).toContain('npm run manage -- account NAME --type superuser')
      const metrics = await fetch(`${portal.url}/metrics`, {
        headers: { authorization: `Bearer ${secrets.METRICS_TOKEN}` },
      })
      expect([metrics.status, await metrics.text()]).toEqual([
        200,
        expect.stringContaining('wheelhouse_request_seconds'),
      ])
      const hidden = [...Object.values(secrets), new URL(test.adminUrl).password, new URL(test.appUrl).password].filter(
        Boolean,
      )
      expect(hidden.filter(secret => portal.output().includes(secret))).toEqual([])
    } finally {
      await portal.stop()
      await client.end()
      await test.drop()
    }
  })

  test('the control: in the demo the superuser can sign in', { tags: 'whole' }, async () => {
    const test = await testDatabase()
    const portal = await start(test, { NODE_ENV: 'development' })
    try {
      expect(await demoSignIn(portal.url)).toBe(200)
      expect((await fetch(`${portal.url}/metrics`)).status).toBe(404)
    } finally {
      await portal.stop()
      await test.drop()
    }
  })

  test(
    "the demo lists its accounts as long as they have the demo's password, and never those of people",
    { tags: 'whole' },
    async () => {
      const test = await testDatabase()
      const portal = await start(test, {})
      const client = new pg.Client({ connectionString: test.adminUrl })
      await client.connect()
      const offered = async (): Promise<unknown> =>
        ((await (await fetch(`${portal.url}/gsc`)).json()) as { demoLogins?: unknown }).demoLogins
      try {
        expect(await offered()).toEqual(['admin', 'customer', 'customer2', 'warehouse', 'superuser'])
        expect(portal.output()).toMatch(/Demo accounts, password wheelhouse:\n {2}superuser/)

        await client.query(`insert into account (site_id, username, type, password)
        select site_id, 'desk', 'admin', password from account where username = 'admin'`)
        const other = await hashPassword('not for everybody')
        await client.query(`update account set password = $1 where username = 'admin' and site_id = 1`, [other])
        await client.query(`update account set disabled_at = now() where username = 'customer2'`)
        expect(await offered()).toEqual(['customer', 'warehouse', 'superuser'])
      } finally {
        await portal.stop()
      }
      const again = await start(test, {})
      const lines = again
        .output()
        .split('\n')
        .filter(line => line.startsWith('  '))
      expect(lines.map(line => line.trim().split(/\s+/)[0])).toEqual(['superuser', 'customer', 'admin', 'customer'])
      await again.stop()

      // every account of the demo that is enabled has another password: nothing is left to list or to refuse
      await client.query(`update account set password = $1`, [await hashPassword('not for everybody')])
      const mine = await start(test, { NODE_ENV: 'production', HOST: '0.0.0.0' })
      expect(mine.output()).not.toContain('Demo')
      expect(await (await fetch(`${mine.url}/gsc`)).json()).not.toHaveProperty('demoLogins')
      await mine.stop()
      await client.end()
      await test.drop()
    },
  )

  test(
    'the demo starts neither in production nor beyond the loopback, unless ALLOW_DEMO says so',
    { tags: 'whole' },
    async () => {
      const test = await testDatabase()
      await expect(start(test, { HOST: '0.0.0.0' })).rejects.toThrow(/HOST is 0\.0\.0\.0.*ALLOW_DEMO=yes/)
      await expect(start(test, { HOST: '::' })).rejects.toThrow(/HOST is ::.*ALLOW_DEMO=yes/)
      const client = new pg.Client({ connectionString: test.adminUrl })
      await client.connect()
      expect((await client.query('select from account')).rowCount).toBe(0)
      await client.end()

      const portal = await start(test, { HOST: '127.0.0.2' })
      await portal.stop()
      await expect(start(test, { NODE_ENV: 'production' })).rejects.toThrow(/accounts of the demo.*ALLOW_DEMO=yes/)
      const allowed = await start(test, { NODE_ENV: 'production', HOST: '0.0.0.0', ALLOW_DEMO: 'yes' })
      expect(await demoSignIn(allowed.url)).toBe(200)
      await allowed.stop()
      await test.drop()
    },
  )
})
