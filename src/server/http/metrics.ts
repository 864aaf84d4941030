/**
 * Metrics for Prometheus (docs/operations.md): durations and failures of calls, the pool, scans, messages and e-invoices to send, the event loop. Labels
 * are names of calls and codes, never data, so their number is bounded.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Failure } from '#domain/failure.ts'
import { securityKinds, type SecurityKind } from '#domain/people/security.ts'
import type { Database } from '../db/database.ts'
import type { Replica } from '../db/replica.ts'
import { statement } from '../db/statement.ts'
import { decimal, int } from '../db/types.ts'
import { newestSchema } from '../db/newestSchema.ts'
import { latestUpgrade } from '../db/serving.ts'
import { portalVersion } from '../version.ts'
import type { Live } from './live.ts'

/** An answered request, for log and metrics. */
export type Observed = {
  /** `operations.confirm`; `other` for pages, files and unknown addresses. */
  readonly call: string
  readonly status: number
  /** The code of the failure. */
  readonly code: string | null
  readonly seconds: number
  /** How many of its scans were answered with their tyre. */
  readonly scans: number
}

export type Metrics = {
  readonly registry: Registry
  observe(request: Observed): void
  countSecurityEvent(kind: SecurityKind): void
}

/** Messages of all sites that are still to be sent, and that were given up in the last day. Needs the scope of the system. */
const mailState = statement({
  name: 'metrics.mail',
  row: { waiting: int, given_up: int },
  sql: `
    select count(*) filter (where sent_at is null and given_up_at is null)::int as waiting,
      count(*) filter (where given_up_at > now() - interval '1 day')::int as given_up
    from mail where sent_at is null`,
})

/** E-invoices of all sites that the access point has yet to take, and that it refused in the last day. Needs the scope of the system. */
const sendingState = statement({
  name: 'metrics.sending',
  row: { waiting: int, refused: int },
  sql: `
    select (select count(*)::int from invoice_sending where sent_at is null and refused_at is null) as waiting,
      (select count(*)::int from invoice_sending where refused_at > now() - interval '1 day') as refused`,
})

/** The age of the latest good backup in seconds, no row when there is none. */
const backupAge = statement({
  name: 'metrics.backup',
  row: { seconds: decimal },
  sql: `select extract(epoch from now() - began_at)::float8 as seconds from backup_run
   where ended_at is not null and problem = '' order by night desc limit 1`,
})

export function openMetrics(
  database: Database,
  { live, replica, backupsSince = null }: { live?: Live; replica?: Replica | null; backupsSince?: Date | null } = {},
): Metrics {
  const registry = new Registry()
  // the process and its event loop
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'wheelhouse_request_seconds',
    help: 'Duration of requests, by call and class of status',
    labelNames: ['call', 'status'] as const,
    // a scan answers within 10 ms, a fleet within 30, labels within 500
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  })
  const failures = new Counter({
    name: 'wheelhouse_failures_total',
    help: 'Failed requests, by call and code',
    labelNames: ['call', 'code'] as const,
    registers,
  })
  const scans = new Counter({
    name: 'wheelhouse_scans_total',
    help: 'Scans that were answered with their tyre',
    registers,
  })
  const securityEvents = new Counter({
    name: 'wheelhouse_security_events_total',
    help: 'Security events, by kind; of a flood, also those that are not written',
    labelNames: ['kind'] as const,
    registers,
  })
  // a rate has to be known before the first one
  for (const kind of securityKinds) securityEvents.inc({ kind }, 0)
  const gauge = (name: string, help: string, now: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(now())
      },
    })
  gauge('wheelhouse_pool_connections', 'Open connections to the database', () => database.connections().total)
  gauge('wheelhouse_pool_idle', 'Open connections that are idle', () => database.connections().idle)
  gauge('wheelhouse_pool_waiting', 'Requests that wait for a connection', () => database.connections().waiting)
  if (live) {
    gauge('wheelhouse_live_pages', 'Open pages with a stream of live changes', () => live.listeners())
    gauge('wheelhouse_live_connected', 'Whether this node receives live changes of other nodes', () =>
      Number(live.connected()),
    )
  }
  if (replica)
    gauge(
      'wheelhouse_replica_behind_seconds',
      'Age of the newest change that the replica is known to have; +Inf while it is not used',
      () => replica.lagSeconds(),
    )
  const newest = newestSchema()
  new Gauge({
    name: 'wheelhouse_build_info',
    help: 'Always 1; the version of the portal and of Node, and the newest schema that the portal knows',
    labelNames: ['version', 'node', 'schema'] as const,
    registers,
  }).set({ version: portalVersion, node: process.versions.node, schema: String(newest) }, 1)
  gauge('wheelhouse_schema_known', 'The newest schema that this portal knows', () => newest)
  const schema = new Gauge({
    name: 'wheelhouse_schema_version',
    help: 'The schema of the database: the number of its newest migration',
    registers,
  })
  const migration = new Gauge({
    name: 'wheelhouse_migration_seconds',
    help: 'How long the latest upgrade of the database took',
    registers,
  })
  const mail = (name: string, help: string): Gauge => new Gauge({ name: `wheelhouse_mail_${name}`, help, registers })
  const mailWaiting = mail('waiting', 'Messages that are still to be sent')
  const mailGivenUp = mail('given_up', 'Messages that were given up in the last day')
  const sending = (name: string, help: string): Gauge =>
    new Gauge({ name: `wheelhouse_e_invoices_${name}`, help, registers })
  const invoicesWaiting = sending('waiting', 'E-invoices that the access point has yet to take')
  const invoicesRefused = sending('refused', 'E-invoices that the access point refused in the last day')
  // absent without a folder of backups, so that no alert fires
  const backup = backupsSince
    ? new Gauge({
        name: 'wheelhouse_backup_age_seconds',
        help: 'Age of the latest good backup; before the first one, how long backups have been on',
        registers,
      })
    : null
  const up: Gauge = new Gauge({
    name: 'wheelhouse_database_up',
    help: 'Whether the database answers',
    registers,
    // one transaction for all that the database knows
    async collect() {
      try {
        const [mails, invoices, latest, upgrade] = await database.transaction({ system: true }, tx =>
          Promise.all([
            tx.one(mailState, {}),
            tx.one(sendingState, {}),
            tx.maybe(backupAge, {}),
            tx.maybe(latestUpgrade, {}),
          ]),
        )
        if (backupsSince) backup?.set(latest?.seconds ?? (Date.now() - backupsSince.getTime()) / 1000)
        mailWaiting.set(mails.waiting)
        mailGivenUp.set(mails.given_up)
        invoicesWaiting.set(invoices.waiting)
        invoicesRefused.set(invoices.refused)
        schema.set(upgrade?.schema ?? newest)
        migration.set(upgrade?.seconds ?? 0)
        up.set(1)
      } catch {
        // the other metrics matter most just then
        const unknown = [mailWaiting, mailGivenUp, invoicesWaiting, invoicesRefused, backup, schema, migration]
        for (const gauge of unknown) gauge?.set(Number.NaN)
        up.set(0)
      }
    },
  })
  return {
    registry,
    observe({ call, status, code, seconds, scans: scanned }) {
      requests.observe({ call, status: `${Math.floor(status / 100)}xx` }, seconds)
      if (code) failures.inc({ call, code })
      if (scanned > 0) scans.inc(scanned)
    },
    countSecurityEvent: kind => securityEvents.inc({ kind }),
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isBearer = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))

/**
 * `GET /metrics`, with the token only; others get 404. The address of a client is no proof: behind a proxy on the same machine all
 * requests come from the loopback.
 */
export function mountMetrics(app: FastifyInstance, { registry }: Metrics, token: string): void {
  app.get('/metrics', async (request, reply) => {
    if (!isBearer(request.headers.authorization, token)) throw new Failure('request.route_missing')
    const text = await registry.metrics()
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(text)
  })
}

/** Serves the metrics on a port of the loopback, without a token. */
export async function listenMetrics({ registry }: Metrics, port: number): Promise<Server> {
  const server = createServer((request, reply) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void reply.writeHead(404).end()
    registry.metrics().then(
      text => reply.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => reply.writeHead(500).end(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
