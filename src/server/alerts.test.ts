/**
 * Each alert of deploy/alerts fires by the state that it is for, and by no other of these (docs/promises.md "Operator"). The states are
 * real; what the portal's metrics say before and in them is given to Prometheus' own evaluator of rules (Debian: prometheus).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { customers } from '#contract/customers.ts'
import { openDatabase, type Database } from './db/database.ts'
import { newestSchema } from './db/newestSchema.ts'
import { openReplica } from './db/replica.ts'
import { statement } from './db/statement.ts'
import { openLive } from './http/live.ts'
import { openMetrics, type Metrics } from './http/metrics.ts'
import { serve } from './http/serve.ts'
import { openSecrets } from './secrets.ts'
import { world, type World } from './testing/world.ts'

const rulesFile = fileURLToPath(new URL('../../deploy/alerts/wheelhouse.yml', import.meta.url))
const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))

const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let at: World
let database: Database
let app: FastifyInstance
let metrics: Metrics
let dir: string

beforeAll(async () => {
  at = await world()
  database = openDatabase(at.appUrl, { size: 2 })
  metrics = openMetrics(database, { backupsSince: new Date() })
  app = await serve({
    database,
    limits: null,
    queues: null,
    secrets: openSecrets('x'.repeat(32)),
    observe: metrics.observe,
    countSecurityEvent: metrics.countSecurityEvent,
  })
  await app.ready()
  dir = mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-alerts-'))
})
afterAll(async () => {
  await app.close()
  await database.close()
  await at.close()
  rmSync(dir, { recursive: true })
})

const ask = (url: string, payload: object, cookie: string | null = at.who.admin.cookie, remoteAddress = '10.0.0.1') =>
  app.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress,
    headers: { host: 'home.test', ...(cookie !== null && { cookie }) },
  })

type Series = ReadonlyMap<string, string>

/** The series of metrics, with what the database says now: it is in the answer after the next. */
async function scrape({ registry }: Metrics = metrics): Promise<Series> {
  await registry.metrics()
  return seriesOf(await registry.metrics())
}

const seriesOf = (text: string): Series =>
  new Map(
    text
      .split('\n')
      .filter(line => /^(?:wheelhouse|nodejs)_/.test(line))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)] as const),
  )

const minutes = 180
const isCounter = (name: string): boolean => /_(?:total|bucket|count|sum)$/.test(name.replace(/\{.*/, ''))
const number = (value: string | undefined): string => (value ?? '0').replace(/^\+Inf$/, 'Inf').replace(/^Nan$/, 'NaN')

/** The series of a state that goes on for three hours: counters grow each minute by what they have grown, the rest stays as it is. */
const inputSeries = (before: Series, after: Series): object[] =>
  [...after].map(([series, value]) => {
    const grown = isCounter(series) ? Number(value) - Number(before.get(series) ?? 0) : 0
    const values = isCounter(series)
      ? Array.from({ length: minutes }, (_, minute) => Number(before.get(series) ?? 0) + minute * grown)
      : Array.from({ length: minutes }, () => number(value))
    return { series, values: values.join(' ') }
  })

/** The alerts that fire after three hours of a state, by Prometheus. */
function firing(before: Series, after: Series): string[] {
  const file = path.join(dir, 'test.yml')
  const isFiring = (expected: ReadonlySet<string>) => ({
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: inputSeries(before, after),
        promql_expr_test: alerts.map(alert => ({
          expr: `(count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0) or vector(0)`,
          eval_time: `${minutes - 5}m`,
          exp_samples: [{ labels: '{}', value: expected.has(alert) ? 1 : 0 }],
        })),
      },
    ],
  })
  writeFileSync(file, stringify(isFiring(new Set()), { lineWidth: 0 }))
  try {
    execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' })
    return []
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const failed = [...`${stdout}${stderr}`.matchAll(/alertname=\\?"(\w+)/g)].map(([, alert = '']) => alert)
    if (failed.length === 0) throw error
    return [...new Set(failed)]
  }
}

const addMail = (count: number, more: string) =>
  at.query(
    `insert into mail (account_id, kind, created_at, due_at${more === '' ? '' : ', given_up_at'})
     select $1, 'reset', now(), now()${more} from generate_series(1, ${count})`,
    [at.who.admin.account],
  )

async function addInvoices(count: number, refused: boolean): Promise<void> {
  await at.query(
    `with added as (
       insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
       select $1, $2, 'invoice', $3, 2026, nth, '2026-11-01', '2026-12-01', '{}', '{}', 1, 0, 1, '[]', now() from generate_series(1, ${count}) nth returning id)
     insert into invoice_sending (site_id, invoice_id, customer_id, due_at, refused_at) select $1, id, $2, now(), ${refused ? 'now()' : 'null'} from added`,
    [at.sites.home, at.customers.a, refused ? 'R' : 'F'],
  )
}

const guess = (username: string, address: string) =>
  ask('/users/authenticate', { username, password: 'wrong' }, null, address)

const nap = statement({ name: 'test.alertNap', sql: 'select pg_sleep(0.4)' })

/** Scans of one tyre while somebody else holds its operation for longer than a scan may take. */
async function scanSlowly(): Promise<void> {
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
  for (let nth = 0; nth < 3; nth++) {
    await at.admin.query('begin')
    await at.admin.query('select from operation_tyre where tyre_id = $1 for update', [tyre])
    await at.admin.query('select from operation where id = $1 for update', [operation?.id])
    const scanning = ask('/operations/markscan', {
      tyres: [{ scanId: crypto.randomUUID(), tyreId: tyre }],
      type: 'to_stock',
    })
    await pause(200)
    await at.admin.query('commit')
    expect((await scanning).statusCode).toBe(200)
  }
}

/** The state that each alert is for, and what the metrics say in it where that is not what they say afterwards. */
const states: Readonly<Record<string, () => Promise<Series | void>>> = {
  async WheelhouseDatabaseDown() {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere')
    const series = await scrape(openMetrics(away))
    await away.close()
    return series
  },
  async WheelhouseUnexpectedFailures() {
    await at.query('alter table vehicle rename to vehicle_elsewhere')
    expect((await ask('/fleet/vehicle', { flt_id: 1 })).statusCode).toBe(500)
    await at.query('alter table vehicle_elsewhere rename to vehicle')
  },
  WheelhouseScansSlow: scanSlowly,
  async WheelhouseConnectionsShort() {
    const naps = Array.from({ length: 4 }, () => database.transaction({}, tx => tx.run(nap, {})))
    const series = seriesOf(await metrics.registry.metrics())
    await Promise.all(naps)
    return series
  },
  async WheelhouseReplicaAway() {
    const live = openLive(at.appUrl)
    const { connectedSince } = live
    const replica = openReplica({ primary: database, replica: openDatabase(at.appUrl), connectedSince, log: () => {} })
    const series = await scrape(openMetrics(database, { replica }))
    await replica.close()
    await live.close()
    return series
  },
  async WheelhouseNodeAlone() {
    const live = openLive('postgres://nobody@127.0.0.1:1/nowhere')
    const series = await scrape(openMetrics(database, { live }))
    await live.close()
    return series
  },
  async WheelhouseNodeOutdated() {
    await at.query(
      `insert into migration.upgrade (portal, from_schema, to_schema, oldest, reason, seconds, migrations) values ('9.0.0', $1, $2, $1, '', 1, '[]')`,
      [newestSchema(), newestSchema() + 1],
    )
    const series = await scrape()
    await at.query(`delete from migration.upgrade where portal = '9.0.0'`)
    return series
  },
  async WheelhouseEventLoopSlow() {
    await metrics.registry.metrics()
    for (let nth = 0; nth < 8; nth++) {
      const until = performance.now() + 200
      while (performance.now() < until);
      await pause(15)
    }
    return seriesOf(await metrics.registry.metrics())
  },
  WheelhouseMailWaiting: async () => void (await addMail(21, '')),
  WheelhouseMailGivenUp: async () => void (await addMail(1, ', now()')),
  WheelhouseInvoicesWaiting: () => addInvoices(21, false),
  WheelhouseInvoiceRefused: () => addInvoices(1, true),
  WheelhouseBackupLate: () => scrape(openMetrics(database, { backupsSince: new Date(Date.now() - 27 * 3_600_000) })),
  async WheelhouseGuessing() {
    // below every limit of an account and of an address
    for (let nth = 0; nth < 3; nth++)
      await Promise.all(Array.from({ length: 40 }, (_, name) => guess(`nobody-${nth}-${name}`, `10.1.${nth}.1`)))
  },
  async WheelhouseLockedOut() {
    for (let nth = 0; nth < 20; nth++) await guess('customer-a', '10.2.0.1')
  },
  async WheelhouseForeignIds() {
    const vehicle = await at.addVehicle({ customer: at.customers.b })
    for (let nth = 0; nth < 8; nth++) {
      await ask('/fleet/vehicle', { flt_id: vehicle }, at.who.a.cookie)
      await app.securityEventsWritten()
    }
  },
  async WheelhouseFactorsRemoved() {
    for (let nth = 0; nth < 6; nth++) {
      const [row] = await at.query<{ id: number }>(
        `insert into account (site_id, customer_id, username, fullname, type, language, password) values ($1, $2, $3, '', 'user', 'eng', 'x') returning id`,
        [at.sites.home, at.customers.a, `factored-${nth}`],
      )
      await at.query(
        `insert into passkey (account_id, site_id, customer_id, credential, public_key, counter, name, transports, created_at) values ($1, $2, $3, $4, '\\x00', 0, 'key', '{}', now())`,
        [row?.id, at.sites.home, at.customers.a, Buffer.from(`credential number ${nth}`)],
      )
      expect((await ask(customers.resetfactors.path, { _id: String(row?.id) })).statusCode).toBe(200)
    }
  },
  async WheelhouseExports() {
    for (let nth = 0; nth < 21; nth++) expect((await ask(customers.export.path, {})).statusCode).toBe(200)
  },
}

test('every alert has a state', () => {
  expect(Object.keys(states).toSorted()).toEqual(alerts.toSorted())
})

test.runIf(hasPromtool)('a portal that works fires none', async () => {
  await ask('/fleet/vehicle', { flt_id: await at.addVehicle({}) })
  const series = await scrape()
  expect(firing(series, series)).toEqual([])
})

for (const [alert, provoke] of Object.entries(states))
  test.runIf(hasPromtool)(`${alert} fires by its state, and no other does`, async () => {
    await at.query('delete from mail')
    await at.query('delete from invoice_sending')
    const before = await scrape()
    const during = await provoke()
    const after = during ?? (await scrape())
    const fired = firing(before, after)
    expect(fired).toContain(alert)
    // what a state is made of may itself be slow or refused
    const along = { WheelhouseConnectionsShort: [], WheelhouseLockedOut: ['WheelhouseGuessing'] }[alert] ?? []
    expect(fired.filter(name => name !== alert && !along.includes(name as never))).toEqual([])
  })
