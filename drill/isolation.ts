/**
 * Isolation (docs/promises.md "Isolation"): while one site, or anonymous clients, produce maximum load, sixteen clients
 * of another site keep their latency, and every scan is acknowledged. Negative control: without the fair queue they do
 * not.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { demoPassword } from '#domain/people/account.ts'
import { inProduction, openPortalInProduction, type Portal } from '../e2e/portal.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import type { LoadRequest } from './isolationLoad.ts'

export const promise = 33
export const summary = 'load at one site does not slow another'
export const alone = true

const neighbours = 16
const intervalMs = 20
/** The allowed 99th percentile under load: this factor, and this many ms more than idle. */
const allowedSlowdown = { times: 10, more: 150 }
/** The most that a neighbour's 99th percentile may be, by that of the idle portal. */
export const mostBeside = (idle: number): number => Math.min(idle * allowedSlowdown.times, idle + allowedSlowdown.more)

type Quantiles = { readonly p50: number; readonly p99: number; readonly max: number }
type Latencies = Quantiles & {
  readonly requests: number
  readonly faults: number
  readonly scans: number
  readonly lostScans: number
  readonly scanP99: number
}

/** The figures before the fair queue, on two cores; idle, a vehicle took 2 to 3 ms. */
const before: Readonly<Record<string, string>> = {
  idle: '2 to 3 ms',
  lists: 'p50 1.6, 1.7 and 5.3 s',
  imports: '4 answers in 35 s, three of them 503',
  'sign-ins': 'max 4.0 s',
  labels: '12.7 s for its own print, 1.3 s idle',
  floods: 'blocked for 410 to 720 ms each; p50 0.3 to 2.6 s',
  'many keys': 'blocked for 0.2 to 0.5 s each',
  'nested lists': 'blocked for up to 0.37 s each',
  'huge lists': 'blocked for 1.6 to 3.3 s; a 500',
}
/** The loads that only the fair queue isolates; others are also stopped by limits, locks and separate queues. */
const needQueue: readonly string[] = ['lists', 'four at once']

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const seconds = short ? 3 : 12
  const portal = await openPortalInProduction({ TRUST_PROXY: 'yes' })
  try {
    const clients = await createClients(portal)
    const all = loadsOf(clients)
    const loads = short
      ? Object.fromEntries(['lists', 'labels', 'many keys', 'nested lists'].map(name => [name, all[name] ?? []]))
      : all
    await measure(portal.url, clients, 2)
    const idle = await measure(portal.url, clients, seconds)
    const idlePrint = await ownPrint(portal.url, clients)
    const maxP99 = mostBeside(idle.p99)
    log(`${line('idle', idle)}   p99 at most ${maxP99.toFixed(0)} ms`)
    const isHeld = (seen: Latencies): boolean => seen.p99 <= maxP99 && seen.faults === 0 && seen.lostScans === 0
    const rows = [row('idle', `p99 ${idle.p99.toFixed(0)} ms; its own print ${inSeconds(idlePrint.ms)}`)]
    for (const [name, loadRequests] of Object.entries(loads)) {
      let print: Printed | null = null
      const { seen, answered } = await withLoad(portal.url, loadRequests, async () => {
        const printing = name === 'labels' ? ownPrint(portal.url, clients) : null
        const measured = await measure(portal.url, clients, seconds)
        print = await printing
        return measured
      })
      const { status = 200, ms = 0 } = (print ?? {}) as Partial<Printed>
      log(`${line(name, seen)}   the load: ${answered}`)
      rows.push(row(name, `p99 ${seen.p99.toFixed(0)} ms${print ? `; its own print ${inSeconds(ms)}` : ''}`))
      check(
        name,
        isHeld(seen) ? null : `p99 ${seen.p99.toFixed(0)} ms, ${seen.faults} faults, ${seen.lostScans} scans lost`,
      )
      if (print) check('its own print', status === 200 ? null : `answered ${status}`)
    }

    const without = await startUnqueued(portal)
    try {
      await measure(without.url, clients, 2)
      const quiet = await measure(without.url, clients, short ? 3 : 6)
      log(line('unqueued, idle', quiet))
      for (const [name, loadRequests] of Object.entries(loads)) {
        if (!needQueue.includes(name)) continue
        const { seen } = await withLoad(without.url, loadRequests, () => measure(without.url, clients, seconds))
        log(line(`unqueued, ${name}`, seen))
        rows.push(row(`unqueued, ${name}`, `p99 ${seen.p99.toFixed(0)} ms`))
        control(`without the fair queue, ${name}`, !isHeld(seen))
      }
    } finally {
      without.process.kill('SIGKILL')
    }
    log(`${'load'.padEnd(24)} ${'a neighbour before'.padEnd(52)} now (at most ${maxP99.toFixed(0)} ms)`)
    for (const text of rows) log(text)
    return result(`idle p99 ${idle.p99.toFixed(0)} ms, at most ${maxP99.toFixed(0)} ms under load`)
  } finally {
    await portal.close()
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const row = (name: string, now: string): string => `${name.padEnd(24)} ${(before[name] ?? '–').padEnd(52)} ${now}`

const line = (name: string, { p50, p99, max, requests, faults, scans, lostScans, scanP99 }: Latencies): string =>
  [
    name.padEnd(18),
    ...[p50, p99, max].map((ms, nth) => `${['p50', 'p99', 'max'][nth]} ${ms.toFixed(1).padStart(7)} ms`),
    `${String(requests).padStart(6)} asked`,
    `${faults} faults`,
    `${scans - lostScans} of ${scans} scans, p99 ${scanP99.toFixed(1)} ms`,
  ].join('  ')

// ---- Clients --------------------------------------------------------------------------------------------------------------------

export type ClientHeaders = { readonly host: string; readonly cookie: string; readonly 'x-forwarded-for': string }
export type Clients = {
  readonly neighbours: readonly { readonly headers: ClientHeaders; readonly vehicle: number }[]
  readonly scanner: { readonly headers: ClientHeaders; readonly tyres: readonly number[] }
  /** Prints labels of its own tyres. */
  readonly printer: { readonly headers: ClientHeaders; readonly tyres: readonly number[] }
  readonly busyAdmin: ClientHeaders
  /** Accounts of one customer of the busy site, and that customer's tyres. */
  readonly busyCustomers: readonly ClientHeaders[]
  readonly busyTyres: readonly number[]
}

const ofCustomer = (table: string) =>
  `select x.id from ${table} x join account a on a.customer_id = x.customer_id and a.site_id = x.site_id
   where a.username = 'customer' and a.site_id = $1 order by x.id limit 1000`

export async function createClients(portal: Portal): Promise<Clients> {
  const sites = await portal.sql<{ id: number; host: string }>(
    `select s.id, (select host from site_address a where a.site_id = s.id and host <> '*' order by host limit 1) as host
     from site s join tyre t on t.site_id = s.id group by s.id order by count(*) desc`,
  )
  const [busy, quiet] = sites
  if (!busy || !quiet) throw new Error('the demo has no two sites')
  // scans repeat the same tyres, so no operation may be confirmed automatically
  await portal.sql('update site set auto_process_intake_on_full_scan = false where id = $1', [quiet.id])
  let addresses = 0
  const createSession = async (site: typeof busy, username: string): Promise<ClientHeaders> => {
    const token = randomBytes(32).toString('base64url')
    await portal.sql(
      `insert into session (token_hash, account_id, site_id, created_at, seen_at)
       select $1, id, site_id, now(), now() from account where username = $2 and site_id = $3`,
      [createHash('sha256').update(token).digest(), username, site.id],
    )
    const forwarded = { 'x-forwarded-for': `10.1.0.${++addresses}`, 'x-forwarded-proto': 'http' }
    return { host: site.host, cookie: `wheelhouse=${token}`, ...forwarded }
  }
  const createAccounts = async (site: typeof busy, count: number): Promise<ClientHeaders[]> => {
    await portal.sql(
      `insert into account (site_id, customer_id, username, fullname, type, language, password)
       select site_id, customer_id, username || '-' || nth, fullname, type, language, password
       from account cross join generate_series(1, $2) nth where username = 'customer' and site_id = $1`,
      [site.id, count],
    )
    return Promise.all(Array.from({ length: count }, (_, nth) => createSession(site, `customer-${nth + 1}`)))
  }
  const vehicles = await portal.sql<{ id: number }>(ofCustomer('(select * from vehicle where removed_at is null)'), [
    quiet.id,
  ])
  const tyres = await portal.sql<{ id: number }>(ofCustomer('tyre'), [busy.id])
  const submitted = await portal.sql<{ id: number }>(
    `select t.tyre_id as id from operation o join operation_tyre t on t.site_id = o.site_id and t.operation_id = o.id
     where o.site_id = $1 and o.status = 'submitted' limit 100`,
    [quiet.id],
  )
  const own = await portal.sql<{ id: number }>(ofCustomer('tyre'), [quiet.id])
  const clients = await createAccounts(quiet, neighbours)
  return {
    neighbours: clients.map((headers, nth) => ({ headers, vehicle: vehicles[nth % vehicles.length]?.id ?? 0 })),
    scanner: { headers: await createSession(quiet, 'admin'), tyres: submitted.map(({ id }) => id) },
    printer: { headers: await createSession(quiet, 'customer'), tyres: own.map(({ id }) => id) },
    busyAdmin: await createSession(busy, 'admin'),
    busyCustomers: await createAccounts(busy, 8),
    busyTyres: tyres.map(({ id }) => id),
  }
}

// ---- Loads -----------------------------------------------------------------------------------------------------------------

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

function loadsOf({ busyAdmin, busyCustomers, busyTyres }: Clients): Readonly<Record<string, readonly LoadRequest[]>> {
  const asAdmin = [busyAdmin]
  const anonymous = { host: busyAdmin.host, 'x-forwarded-for': '10.2.0.1' }
  // a different invalid session cookie each
  const anonymousClients = Array.from({ length: 97 }, () => ({ ...anonymous, cookie: `wheelhouse=${randomUUID()}` }))
  const lists: LoadRequest[] = [
    { path: '/operations/fetch', parallel: 22, headers: asAdmin, body: { plain: {} } },
    { path: '/fleet/fetch', parallel: 21, headers: asAdmin, body: { plain: {} } },
    {
      path: '/operations/completedbydate',
      parallel: 21,
      headers: asAdmin,
      body: { plain: { startDate: day(365), endDate: day(0) } },
    },
  ]
  const imports: LoadRequest[] = [
    {
      path: '/customers/import',
      parallel: 28,
      headers: asAdmin,
      body: { repeat: 'L# NV,9000,Gent', times: 40_000, at: ['text', 'csv'], beside: { dryRun: true } },
    },
  ]
  const signIns: LoadRequest[] = [
    {
      path: '/users/authenticate',
      parallel: 150,
      headers: [anonymous],
      body: { plain: { username: 'customer', password: demoPassword } },
    },
  ]
  const labels: LoadRequest[] = [
    {
      path: '/fleet/getTyreLabels',
      parallel: 24,
      headers: busyCustomers,
      body: { plain: { tyres: busyTyres, report_id: 1 } },
    },
  ]
  const floods: LoadRequest[] = [
    {
      path: '/locales/add/en/common',
      parallel: 8,
      headers: anonymousClients,
      body: { repeat: 'k#', times: 100_000, at: ['keys'] },
    },
    { path: '/health/ready', method: 'GET', parallel: 16, headers: anonymousClients },
    { path: `/images/${'0'.repeat(64)}.png`, method: 'GET', parallel: 16, headers: anonymousClients },
    { path: '/live', method: 'GET', parallel: 16, headers: anonymousClients },
    { path: '/docs/json', method: 'GET', parallel: 8, headers: anonymousClients },
  ]
  const hugeLists: LoadRequest[] = [
    {
      path: '/hotelconfig/edit',
      parallel: 4,
      headers: asAdmin,
      body: { repeat: 1, times: 500_000, at: ['list', 'docInsertExceptions'] },
    },
    {
      path: '/hotelconfig/edit',
      parallel: 4,
      headers: asAdmin,
      body: { repeat: 1, times: 500_000, at: ['list', 'transportMethods', '0', 'operationDays'] },
    },
  ]
  // the two bodies that are the most work to decode: refused in a customer's own turn, before they are decoded
  const bodies = (body: LoadRequest['body']): LoadRequest[] => [
    { path: '/operations/update', parallel: 8, headers: busyCustomers, ...(body && { body }) },
  ]
  return {
    'many keys': bodies({ repeat: 'k#', times: 80_000, at: ['keys'] }),
    'nested lists': bodies({ nested: 200_000 }),
    lists,
    imports,
    'sign-ins': signIns,
    labels,
    floods,
    'huge lists': hugeLists,
    'four at once': [...lists, ...imports, ...signIns, ...floods],
  }
}

/** Runs `work` while a child process produces load. Returns the statuses that the load got. */
async function withLoad(
  url: string,
  loadRequests: readonly LoadRequest[],
  work: () => Promise<Latencies>,
): Promise<{ seen: Latencies; answered: string }> {
  const load = fork(new URL('isolationLoad.ts', import.meta.url), [url, JSON.stringify(loadRequests)])
  try {
    // wait for the first requests
    await pause(1500)
    const seen = await work()
    const counted = once(load, 'message')
    load.send('stop')
    const [counts] = (await counted) as [Record<string, number>]
    const each = Object.entries(counts).map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    return { seen, answered: each.join(', ') }
  } finally {
    load.kill('SIGKILL')
  }
}

/** A second process on the data of a portal, without the queue. */
async function startUnqueued({ dataDir }: Portal): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort()
  const started = fork(new URL('isolationUnqueued.ts', import.meta.url), {
    env: {
      ...process.env,
      ...inProduction,
      DATA_DIR: dataDir,
      TRUST_PROXY: 'yes',
      HOST: 'localhost',
      PORT: String(port),
    },
  })
  await once(started, 'message')
  return { url: `http://localhost:${port}`, process: started }
}

// ---- Measurement ---------------------------------------------------------------------------------------------------------

/** Measures for so many seconds, or until this has happened. */
export async function measure(url: string, clients: Clients, until: number | Promise<unknown>): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true })
  const deadline = performance.now() + (typeof until === 'number' ? until * 1000 : Infinity)
  const over = new AbortController()
  if (typeof until !== 'number') void until.finally(() => over.abort()).catch(() => {})
  const times: number[] = []
  // a scan waits for the disk: measured separately
  const scanTimes: number[] = []
  let faults = 0
  let scans = 0
  let lostScans = 0
  const send = async (path: string, headers: ClientHeaders, body: unknown, durations = times): Promise<number> => {
    const begun = performance.now()
    const status = await post(`${url}${path}`, agent, headers, JSON.stringify(body))
    durations.push(performance.now() - begun)
    if (status === 0 || status >= 500) faults++
    return status
  }
  const repeat = async (once_: () => Promise<void>): Promise<void> => {
    for (let next = performance.now(); !over.signal.aborted && performance.now() < deadline;) {
      next = Math.max(next + intervalMs, performance.now())
      await once_()
      await pause(Math.max(0, next - performance.now()))
    }
  }
  const { headers: scanner, tyres } = clients.scanner
  await Promise.all([
    ...clients.neighbours.map(({ headers, vehicle }) =>
      repeat(async () => void (await send('/fleet/vehicle', headers, { flt_id: vehicle }))),
    ),
    repeat(async () => {
      const scan = { tyreId: tyres[scans % tyres.length], scanId: randomUUID(), timestamp: Date.now() }
      scans++
      if ((await send('/operations/markscan', scanner, { tyres: [scan] }, scanTimes)) !== 200) lostScans++
    }),
  ])
  agent.destroy()
  const [p50, p99, max] = [0.5, 0.99, 1].map(part => quantile(times, part)) as [number, number, number]
  return { p50, p99, max, requests: times.length, faults, scans, lostScans, scanP99: quantile(scanTimes, 0.99) }
}

type Printed = { readonly status: number; readonly ms: number }

/** The duration of a neighbour's print of a thousand labels. */
async function ownPrint(url: string, { printer }: Clients): Promise<Printed> {
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const status = await post(
    `${url}/fleet/getTyreLabels`,
    agent,
    printer.headers,
    JSON.stringify({ tyres: printer.tyres, report_id: 1 }),
  )
  agent.destroy()
  return { status, ms: performance.now() - begun }
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function post(url: string, agent: Agent, headers: ClientHeaders, body: string): Promise<number> {
  const sent = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return new Promise(resolve => {
    const requests = request(url, { method: 'POST', agent, headers: sent }, reply => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
      reply.once('error', () => resolve(0))
    })
    requests.once('error', () => resolve(0))
    requests.end(body)
  })
}
