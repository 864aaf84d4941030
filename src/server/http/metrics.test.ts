import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureCodes } from '#domain/failure.ts'
import { securityKinds } from '#domain/people/security.ts'
import { calls } from '#contract/index.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { newestSchema } from '../db/newestSchema.ts'
import { openReplica } from '../db/replica.ts'
import { portalVersion } from '../version.ts'
import { mountHealth } from './health.ts'
import { openLive } from './live.ts'
import { listenMetrics, mountMetrics, openMetrics, type Metrics } from './metrics.ts'
import { serve } from './serve.ts'
import { world, type World } from '../testing/world.ts'

const token = 'a token of the metrics'
let at: World
let database: Database
let app: FastifyInstance
let metrics: Metrics
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  database = openDatabase(at.appUrl, { size: 3 })
  metrics = openMetrics(database)
  const stream = new PassThrough()
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\n').filter(Boolean)) lines.push(JSON.parse(line) as Record<string, unknown>)
  })
  app = await serve({
    database,
    clock: () => at.clock.now,
    observe: metrics.observe,
    countSecurityEvent: metrics.countSecurityEvent,
    logger: { level: 'info', stream },
  })
  mountMetrics(app, metrics, token)
  mountHealth(app, database)
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await database.close()
  await at.close()
})

const ask = (url: string, payload: object, cookie = at.who.admin.cookie ?? '') =>
  app.inject({ method: 'POST', url, payload, headers: { host: 'home.test', cookie } })
const measured = async (authorization = `Bearer ${token}`) =>
  app.inject({ url: '/metrics', headers: { host: 'home.test', authorization } })
/** The value of a metric, with the labels that are given. */
async function value(name: string): Promise<number> {
  const metricLine = (await measured()).payload.split('\n').find(line => line.startsWith(`${name} `))
  return metricLine === undefined ? Number.NaN : Number(metricLine.split(' ').at(-1))
}

test('calls are counted with durations and failures, scans by tyre, and every metric has a help text', async () => {
  const vehicle = await at.addVehicle({})
  const [tyre = 0] = await at.addSet({ vehicle })
  const [operation] = await at.query<{ id: number }>(
    `insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, submitted_at) values ($1, $2, $3, 'to_stock', 'submitted', 1, now()) returning id`,
    [at.sites.home, at.customers.a, vehicle],
  )
  await at.query(`insert into operation_tyre (site_id, operation_id, tyre_id, customer_id) values ($1, $2, $3, $4)`, [
    at.sites.home,
    operation?.id,
    tyre,
    at.customers.a,
  ])
  const scan = { scanId: crypto.randomUUID(), tyreId: tyre }
  const scanned = await ask('/operations/markscan', { tyres: [scan], type: 'to_stock' })
  expect([scanned.statusCode, scanned.payload]).toEqual([200, expect.stringContaining(`${tyre}`)])
  await ask('/fleet/vehicle', { flt_id: vehicle })
  await ask('/fleet/vehicle', { flt_id: 2e9 })
  expect(await value('wheelhouse_scans_total')).toBe(1)
  expect(await value('wheelhouse_request_seconds_count{call="fleet.vehicle",status="2xx"}')).toBe(1)
  expect(await value('wheelhouse_request_seconds_count{call="fleet.vehicle",status="4xx"}')).toBe(1)
  expect(await value('wheelhouse_failures_total{call="fleet.vehicle",code="record.missing"}')).toBe(1)
  expect(await value('wheelhouse_pool_connections')).toBeGreaterThan(0)
  expect(await value('wheelhouse_pool_waiting')).toBe(0)
  expect(await value('wheelhouse_database_up')).toBe(1)
  expect(await value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  const { payload } = await measured()
  const names = new Set(
    [...payload.matchAll(/^(wheelhouse_\w+?)(?:_bucket|_sum|_count)?(?:\{| )/gm)].map(([, name]) => name),
  )
  for (const name of names) expect(payload).toContain(`# HELP ${name} `)
})

test('the metrics say which version runs, on which schema, and how long the latest upgrade took', async () => {
  await measured()
  const { payload } = await measured()
  const newest = newestSchema()
  expect(payload).toContain(
    `wheelhouse_build_info{version="${portalVersion}",node="${process.versions.node}",schema="${newest}"} 1\n`,
  )
  expect(await value('wheelhouse_schema_version')).toBe(newest)
  expect(await value('wheelhouse_schema_known')).toBe(newest)
  expect(await value('wheelhouse_migration_seconds')).toBeGreaterThan(0)
})

test('each kind of security event is counted, from zero on', async () => {
  const events = (kind: string) => value(`wheelhouse_security_events_total{kind="${kind}"}`)
  for (const kind of securityKinds) expect(await events(kind), kind).toBe(0)
  await ask('/users/authenticate', { username: 'admin', password: 'wrong' }, '')
  expect(await events('signInWrong')).toBe(1)
  expect(await events('signInRight')).toBe(0)
})

test('e-invoices that wait and those that were refused in the last day are counted', async () => {
  const sending = async (number: number, refused: string | null) => {
    const [invoice] = await at.query<{ id: number }>(
      `insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
       values ($1, $2, 'invoice', 'F', 2026, $3, '2026-11-01', '2026-12-01', '{}', '{}', 1, 0, 1, '[]', now()) returning id`,
      [at.sites.home, at.customers.a, number],
    )
    await at.query(
      `insert into invoice_sending (site_id, invoice_id, customer_id, due_at, refused_at) values ($1, $2, $3, now(), now() - $4::interval)`,
      [at.sites.home, invoice?.id, at.customers.a, refused],
    )
  }
  for (const [nth, refused] of [null, null, '1 hour', '2 days'].entries()) await sending(nth + 1, refused)
  await measured()
  expect(await value('wheelhouse_e_invoices_waiting')).toBe(2)
  expect(await value('wheelhouse_e_invoices_refused')).toBe(1)
})

const readProject = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
const alertRules = readProject('deploy/alerts/wheelhouse.yml')

test('each metric and label of the alert rules and of the dashboard exists, and none is loud before the first backup', async () => {
  const began = new Date(Date.now() - 3_600_000)
  const live = openLive(at.appUrl)
  const { connectedSince } = live
  const replica = openReplica({ primary: database, replica: openDatabase(at.appUrl), connectedSince, log: () => {} })
  const backing = openMetrics(database, { live, replica, backupsSince: began })
  // what the database says is in the answer after the next
  await backing.registry.metrics()
  const text = await backing.registry.metrics()
  await replica.close()
  await live.close()
  const named = [...alertRules.matchAll(/\b((?:wheelhouse|nodejs)_\w+)(?:\{(\w+)=~?"([^"]*)"\})?/g)]
  expect(named.length).toBeGreaterThan(15)
  expect(text).toContain('wheelhouse_replica_behind_seconds +Inf\n')
  const kinds: readonly string[] = securityKinds
  for (const [, name = '', label, values = ''] of named) {
    expect(text, name).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'))
    if (label === 'kind') for (const kind of values.split('|')) expect(kinds).toContain(kind)
    if (label === 'call') expect(calls.map(call => call.name)).toContain(values)
    if (label === 'code') expect(failureCodes).toContain(values)
  }
  // the dashboard names the same metrics, and shows each of ours
  const dashboard = JSON.parse(readProject('deploy/grafana/wheelhouse.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const shown = new Set(expressions.flatMap(expr => expr.match(/\b(?:wheelhouse|nodejs|process)_\w+/g) ?? []))
  expect(expressions.length).toBeGreaterThan(20)
  for (const name of shown)
    expect(text, name).toMatch(new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} `, 'm'))
  const ours = [...text.matchAll(/^# TYPE (wheelhouse_\w+) /gm)].map(([, name = '']) => name)
  expect(ours.filter(name => ![...shown].some(other => other.replace(/_(?:bucket|count|sum)$/, '') === name))).toEqual(
    [],
  )
  const age = /^wheelhouse_backup_age_seconds ([\d.]+)$/m.exec(text)?.[1]
  expect(Number(age)).toBeGreaterThan(3599)
  expect(Number(age)).toBeLessThan(26 * 3600)
})

test('each row of docs/operations.md "Monitor" has an alert rule, except those of scans and of what runs', () => {
  const rows = [...readProject('docs/operations.md').matchAll(/^\| (`(?:wheelhouse|nodejs)_.*?) +\|/gm)]
  expect(rows.length).toBeGreaterThan(10)
  const metricsOf = (row = ''): string[] => row.match(/(?:wheelhouse|nodejs)_\w+/g) ?? []
  const silent = rows.map(([, row]) => metricsOf(row)).filter(names => !names.some(name => alertRules.includes(name)))
  expect(silent).toEqual([['wheelhouse_scans_total'], ['wheelhouse_build_info']])
})

test('without the token the answer is that of an unknown address', async () => {
  const missing = await app.inject({ url: '/nothing', headers: { host: 'home.test' } })
  const plain = (payload: string) => payload.replace(/"requestId":"[^"]*"/, '')
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, token, `bearer ${token}`]) {
    const reply = await measured(wrong)
    expect([reply.statusCode, plain(reply.payload)]).toEqual([404, plain(missing.payload)])
  }
  expect((await measured()).statusCode).toBe(200)
})

test('the separate port serves the metrics only, on the loopback', async () => {
  const server = await listenMetrics(metrics, 0)
  const { port, address } = server.address() as { port: number; address: string }
  expect(address).toBe('127.0.0.1')
  const read = async (path: string) => {
    const [reply] = (await once(get({ port, path, agent: false }), 'response')) as [import('node:http').IncomingMessage]
    return { status: reply.statusCode, body: await text(reply) }
  }
  expect((await read('/metrics')).body).toContain('wheelhouse_request_seconds')
  expect((await read('/')).status).toBe(404)
  server.close()
})

test('metrics work while the database is away; the process is then live and not ready', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere')
  const blind = openMetrics(away)
  expect(await blind.registry.metrics()).toMatch(/wheelhouse_database_up 0\n/)
  const alone = await serve({ database: away })
  mountHealth(alone, away)
  expect((await alone.inject('/health/live')).statusCode).toBe(200)
  expect((await alone.inject('/health/ready')).statusCode).toBe(503)
  expect((await app.inject('/health/ready')).statusCode).toBe(200)
  await alone.close()
  await away.close()
})

test('each call is a line of the log, with account, duration, result and the request id of its refusal', async () => {
  lines.length = 0
  const { requestId } = (await ask('/fleet/vehicle', { flt_id: 2e9 })).json() as { requestId: string }
  await ask('/fleet/vehicle', { flt_id: 2e9 }, '')
  await new Promise(resolve => setImmediate(resolve))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatchObject({
    level: 30,
    requestId,
    call: 'fleet.vehicle',
    account: at.who.admin.account,
    site: at.sites.home,
    ms: expect.any(Number),
    status: 404,
    code: 'record.missing',
  })
  expect(lines[1]).toMatchObject({ call: 'fleet.vehicle', status: 401, code: 'session.missing' })
  expect(Object.keys(lines[0] ?? {}).sort()).toEqual(
    ['account', 'call', 'code', 'hostname', 'level', 'ms', 'msg', 'pid', 'requestId', 'site', 'status', 'time'].sort(),
  )
})
