/**
 * What an operator watches, for Prometheus (QUALITY 30, docs/operations.md): how long calls take and how they fail, the pool,
 * scans, the outbox, the event loop. Labels are names of calls and codes, never anybody's data, so their number is bounded.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Failure } from '#domain/failure.ts'
import { statement, type Database } from '../db/database.ts'
import type { Live } from './live.ts'
import type { Replica } from '../db/replica.ts'

/** An answered request, as log and metrics tell it. */
export type Observed = {
  /** `operations.confirm`; `other` for pages, files and what is no call. */
  readonly call: string
  readonly status: number
  /** The code of a refusal. */
  readonly code: string | null
  readonly seconds: number
  /** How many scans it brought that were answered with their tyre. */
  readonly scans: number
}

export type Metrics = {
  readonly registry: Registry
  observe(request: Observed): void
}

const waiting = statement(
  'metrics.outbox',
  `select count(*)::int as entries, count(*) filter (where problem <> '')::int as failed,
     coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as late
   from outbox where booked_at is null`,
)

export function openMetrics(
  database: Database,
  { live, replica }: { live?: Live; replica?: Replica | null } = {},
): Metrics {
  const registry = new Registry()
  // the process and its event loop
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'wheelhouse_request_seconds',
    help: 'How long requests took, by call and class of status',
    labelNames: ['call', 'status'] as const,
    // a scan answers within 10 ms, a fleet within 30, labels within 500
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  })
  const failures = new Counter({
    name: 'wheelhouse_failures_total',
    help: 'Refused requests, by call and code',
    labelNames: ['call', 'code'] as const,
    registers,
  })
  const scans = new Counter({
    name: 'wheelhouse_scans_total',
    help: 'Scans of tyres that were answered with their tyre',
    registers,
  })
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
  gauge('wheelhouse_pool_idle', 'Of those, the ones that nobody uses', () => database.connections().idle)
  gauge('wheelhouse_pool_waiting', 'Requests that wait for a connection', () => database.connections().waiting)
  if (live) {
    gauge('wheelhouse_live_pages', 'Open pages that hear of changes', () => live.listeners())
    gauge('wheelhouse_live_connected', 'Whether this node hears of the changes of others', () =>
      Number(live.connected()),
    )
  }
  if (replica)
    gauge(
      'wheelhouse_replica_behind_seconds',
      'How old the newest change is that the replica is known to have; +Inf: it is not asked',
      () => replica.behind(),
    )
  const outbox = (name: string, help: string): Gauge =>
    new Gauge({ name: `wheelhouse_outbox_${name}`, help, registers })
  const failed = outbox('failed', 'Of the documents to book, those that failed before')
  const late = outbox('late_seconds', 'How long the first of them has been due; below nothing, it is due in the future')
  const up = new Gauge({ name: 'wheelhouse_database_up', help: 'Whether the database answers', registers })
  const depth: Gauge = new Gauge({
    name: 'wheelhouse_outbox_depth',
    help: 'Documents that the back office has still to book, of all nodes',
    registers,
    // one question for all four
    async collect() {
      try {
        const found = await database.transaction({ system: true }, tx =>
          tx.one<{ entries: number; failed: number; late: number }>(waiting),
        )
        depth.set(found.entries)
        failed.set(found.failed)
        late.set(found.late)
        up.set(1)
      } catch {
        // the rest is worth knowing just then
        for (const unknown of [depth, failed, late]) unknown.set(Number.NaN)
        up.set(0)
      }
    },
  })
  return {
    registry,
    observe({ call, status, code, seconds, scans: kept }) {
      requests.observe({ call, status: `${Math.floor(status / 100)}xx` }, seconds)
      if (code) failures.inc({ call, code })
      if (kept > 0) scans.inc(kept)
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isBearer = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))

/**
 * `GET /metrics` for whoever has the token. Without one it isn't there: behind a proxy on the same machine everybody comes from
 * the loopback, so where a request comes from says nothing.
 */
export function mountMetrics(app: FastifyInstance, { registry }: Metrics, token: string): void {
  app.get('/metrics', async (request, reply) => {
    if (!isBearer(request.headers.authorization, token)) throw new Failure('request.route_missing')
    const text = await registry.metrics()
    return reply.type(registry.contentType).header('cache-control', 'no-store').send(text)
  })
}

/** The same on a port of its own, for the loopback only. @returns what closes it */
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
