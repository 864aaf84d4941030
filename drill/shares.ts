/**
 * No site slows another (docs/promises.md "Isolation"): while one site, or nobody at all, asks as much as it can, sixteen neighbours of
 * another site are answered nearly as fast as before, and their scans are acknowledged. Control: with the turns off they are not.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoPassword } from '#domain/account.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import type { Ask } from './sharesLoad.ts'

export const promise = 33
export const summary = 'no site slows another, whatever it asks'
export const alone = true

const neighbours = 16
const every = 20
/** How much slower the slowest hundredth of the neighbours' answers may be: so many times, and so many ms. */
const allowed = { times: 10, more: 150 }

type Quantiles = { readonly p50: number; readonly p99: number; readonly max: number }
type Seen = Quantiles & {
  readonly asked: number
  readonly faults: number
  readonly scans: number
  readonly lost: number
  readonly scanP99: number
}

/** What neighbours saw before there was a fair queue, on two cores: a vehicle took 2 to 3 ms when nobody else asked. */
const before: Readonly<Record<string, string>> = {
  idle: '2 to 3 ms',
  lists: 'p50 1.6, 1.7 and 5.3 s',
  imports: '4 answers in 35 s, three of them 503',
  'sign-ins': 'max 4.0 s',
  labels: '12.7 s for its own print, 1.3 s idle',
  floods: 'blocked for 410 to 720 ms each; p50 0.3 to 2.6 s',
  'huge lists': 'blocked for 1.6 to 3.3 s; a 500',
}
/** The loads of which the fair queue alone keeps the neighbours free; the others are stopped by limits, locks and queues of their own, too. */
const needQueue: readonly string[] = ['lists', 'four at once']

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const seconds = short ? 3 : 12
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-shares-'))
  // the demo is made in development only; answers are not checked in production only
  const maker = await openPortal({ DATA_DIR: dataDir })
  await maker.stop()
  const env = { DATA_DIR: dataDir, NODE_ENV: 'production', ALLOW_DEMO: 'yes', TRUST_PROXY: 'yes' }
  const portal = await openPortal(env)
  try {
    const people = await prepare(portal)
    const all = loadsOf(people)
    const loads = short ? { lists: all['lists'] ?? [], labels: all['labels'] ?? [] } : all
    await measure(portal.url, people, 2)
    const idle = await measure(portal.url, people, seconds)
    const idlePrint = await ownPrint(portal.url, people)
    const most = Math.min(idle.p99 * allowed.times, idle.p99 + allowed.more)
    log(`${line('idle', idle)}   p99 at most ${most.toFixed(0)} ms`)
    const isHeld = (seen: Seen): boolean => seen.p99 <= most && seen.faults === 0 && seen.lost === 0
    const rows = [row('idle', `p99 ${idle.p99.toFixed(0)} ms; its own print ${inSeconds(idlePrint.ms)}`)]
    for (const [name, asks] of Object.entries(loads)) {
      let print: Printed | null = null
      const { seen, answered } = await under(portal.url, asks, async () => {
        const printing = name === 'labels' ? ownPrint(portal.url, people) : null
        const measured = await measure(portal.url, people, seconds)
        print = await printing
        return measured
      })
      const { status = 200, ms = 0 } = (print ?? {}) as Partial<Printed>
      log(`${line(name, seen)}   the load: ${answered}`)
      rows.push(row(name, `p99 ${seen.p99.toFixed(0)} ms${print ? `; its own print ${inSeconds(ms)}` : ''}`))
      check(name, isHeld(seen) ? null : `p99 ${seen.p99.toFixed(0)} ms, ${seen.faults} faults, ${seen.lost} scans lost`)
      if (print) check('its own print', status === 200 ? null : `answered ${status}`)
    }

    const without = await startWithoutTurns(env)
    try {
      await measure(without.url, people, 2)
      const quiet = await measure(without.url, people, short ? 3 : 6)
      log(line('turns off, idle', quiet))
      for (const [name, asks] of Object.entries(loads)) {
        if (!needQueue.includes(name)) continue
        const { seen } = await under(without.url, asks, () => measure(without.url, people, seconds))
        log(line(`turns off, ${name}`, seen))
        rows.push(row(`turns off, ${name}`, `p99 ${seen.p99.toFixed(0)} ms`))
        control(`the turns off, ${name}`, !isHeld(seen))
      }
    } finally {
      without.process.kill('SIGKILL')
    }
    log(`${'load'.padEnd(24)} ${'a neighbour before'.padEnd(52)} now (at most ${most.toFixed(0)} ms)`)
    for (const text of rows) log(text)
    return result(`idle p99 ${idle.p99.toFixed(0)} ms, at most ${most.toFixed(0)} ms under load`)
  } finally {
    await portal.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const row = (name: string, now: string): string => `${name.padEnd(24)} ${(before[name] ?? '–').padEnd(52)} ${now}`

const line = (name: string, { p50, p99, max, asked, faults, scans, lost, scanP99 }: Seen): string =>
  [
    name.padEnd(18),
    ...[p50, p99, max].map((ms, nth) => `${['p50', 'p99', 'max'][nth]} ${ms.toFixed(1).padStart(7)} ms`),
    `${String(asked).padStart(6)} asked`,
    `${faults} faults`,
    `${scans - lost} of ${scans} scans, p99 ${scanP99.toFixed(1)} ms`,
  ].join('  ')

// ---- Who asks --------------------------------------------------------------------------------------------------------------------

type Person = { readonly host: string; readonly cookie: string; readonly 'x-forwarded-for': string }
type People = {
  readonly neighbours: readonly { readonly headers: Person; readonly vehicle: number }[]
  readonly scanner: { readonly headers: Person; readonly tyres: readonly number[] }
  /** Prints labels of its own tyres. */
  readonly printer: { readonly headers: Person; readonly tyres: readonly number[] }
  readonly busyAdmin: Person
  /** Accounts of one customer of the busy site, and that customer's tyres. */
  readonly busyCustomers: readonly Person[]
  readonly busyTyres: readonly number[]
}

const ofCustomer = (table: string) =>
  `select x.id from ${table} x join account a on a.customer_id = x.customer_id and a.site_id = x.site_id
   where a.username = 'customer' and a.site_id = $1 order by x.id limit 1000`

async function prepare(portal: Portal): Promise<People> {
  const sites = await portal.sql<{ id: number; host: string }>(
    `select s.id, (select host from site_address a where a.site_id = s.id and host <> '*' order by host limit 1) as host
     from site s join tyre t on t.site_id = s.id group by s.id order by count(*) desc`,
  )
  const [busy, quiet] = sites
  if (!busy || !quiet) throw new Error('the demo has no two sites')
  // what is scanned is scanned again and again: nothing is complete
  await portal.sql('update site set auto_process_intake_on_full_scan = false where id = $1', [quiet.id])
  let addresses = 0
  const person = async (site: typeof busy, username: string): Promise<Person> => {
    const token = randomBytes(32).toString('base64url')
    await portal.sql(
      `insert into session (token_hash, account_id, site_id, created_at, seen_at)
       select $1, id, site_id, now(), now() from account where username = $2 and site_id = $3`,
      [createHash('sha256').update(token).digest(), username, site.id],
    )
    const forwarded = { 'x-forwarded-for': `10.1.0.${++addresses}`, 'x-forwarded-proto': 'http' }
    return { host: site.host, cookie: `wheelhouse=${token}`, ...forwarded }
  }
  const copies = async (site: typeof busy, count: number): Promise<Person[]> => {
    await portal.sql(
      `insert into account (site_id, customer_id, username, fullname, type, language, password)
       select site_id, customer_id, username || '-' || nth, fullname, type, language, password
       from account cross join generate_series(1, $2) nth where username = 'customer' and site_id = $1`,
      [site.id, count],
    )
    return Promise.all(Array.from({ length: count }, (_, nth) => person(site, `customer-${nth + 1}`)))
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
  const people = await copies(quiet, neighbours)
  return {
    neighbours: people.map((headers, nth) => ({ headers, vehicle: vehicles[nth % vehicles.length]?.id ?? 0 })),
    scanner: { headers: await person(quiet, 'admin'), tyres: submitted.map(({ id }) => id) },
    printer: { headers: await person(quiet, 'customer'), tyres: own.map(({ id }) => id) },
    busyAdmin: await person(busy, 'admin'),
    busyCustomers: await copies(busy, 8),
    busyTyres: tyres.map(({ id }) => id),
  }
}

// ---- What is asked -----------------------------------------------------------------------------------------------------------------

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

function loadsOf({ busyAdmin, busyCustomers, busyTyres }: People): Readonly<Record<string, readonly Ask[]>> {
  const by = [busyAdmin]
  const stranger = { host: busyAdmin.host, 'x-forwarded-for': '10.2.0.1' }
  // a new one each time, as far as the portal can tell
  const strangers = Array.from({ length: 97 }, () => ({ ...stranger, cookie: `wheelhouse=${randomUUID()}` }))
  const lists: Ask[] = [
    { path: '/operations/fetch', parallel: 22, headers: by, body: { plain: {} } },
    { path: '/fleet/fetch', parallel: 21, headers: by, body: { plain: {} } },
    {
      path: '/operations/completedbydate',
      parallel: 21,
      headers: by,
      body: { plain: { startDate: day(365), endDate: day(0) } },
    },
  ]
  const imports: Ask[] = [
    {
      path: '/customers/import',
      parallel: 28,
      headers: by,
      body: { repeat: 'L# NV,9000,Gent', times: 40_000, at: ['text', 'csv'], beside: { dryRun: true } },
    },
  ]
  const signIns: Ask[] = [
    {
      path: '/users/authenticate',
      parallel: 150,
      headers: [stranger],
      body: { plain: { username: 'customer', password: demoPassword } },
    },
  ]
  const labels: Ask[] = [
    {
      path: '/fleet/getTyreLabels',
      parallel: 24,
      headers: busyCustomers,
      body: { plain: { tyres: busyTyres, report_id: 1 } },
    },
  ]
  const floods: Ask[] = [
    {
      path: '/locales/add/en/common',
      parallel: 8,
      headers: strangers,
      body: { repeat: 'k#', times: 100_000, at: ['keys'] },
    },
    { path: '/health/ready', method: 'GET', parallel: 16, headers: strangers },
    { path: `/images/${'0'.repeat(64)}.png`, method: 'GET', parallel: 16, headers: strangers },
    { path: '/live', method: 'GET', parallel: 16, headers: strangers },
    { path: '/docs/json', method: 'GET', parallel: 8, headers: strangers },
  ]
  const hugeLists: Ask[] = [
    {
      path: '/hotelconfig/edit',
      parallel: 4,
      headers: by,
      body: { repeat: 1, times: 500_000, at: ['list', 'docInsertExceptions'] },
    },
    {
      path: '/hotelconfig/edit',
      parallel: 4,
      headers: by,
      body: { repeat: 1, times: 500_000, at: ['list', 'transportMethods', '0', 'operationDays'] },
    },
  ]
  return {
    lists,
    imports,
    'sign-ins': signIns,
    labels,
    floods,
    'huge lists': hugeLists,
    'four at once': [...lists, ...imports, ...signIns, ...floods],
  }
}

/** Does the work while another process asks, and answers what that was told. */
async function under(
  url: string,
  asks: readonly Ask[],
  work: () => Promise<Seen>,
): Promise<{ seen: Seen; answered: string }> {
  const load = fork(new URL('sharesLoad.ts', import.meta.url), [url, JSON.stringify(asks)])
  try {
    // its first requests are on their way
    await pause(1500)
    const seen = await work()
    const told = once(load, 'message')
    load.send('over')
    const [counts] = (await told) as [Record<string, number>]
    const each = Object.entries(counts).map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    return { seen, answered: each.join(', ') }
  } finally {
    load.kill('SIGKILL')
  }
}

async function startWithoutTurns(env: Record<string, string>): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort()
  const started = fork(new URL('sharesWithoutTurns.ts', import.meta.url), {
    env: { ...process.env, ...env, HOST: 'localhost', PORT: String(port) },
  })
  await once(started, 'message')
  return { url: `http://localhost:${port}`, process: started }
}

// ---- What the neighbours see ---------------------------------------------------------------------------------------------------------

async function measure(url: string, people: People, seconds: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true })
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  // a scan waits for the disk, and is measured for itself
  const scanTimes: number[] = []
  let faults = 0
  let scans = 0
  let lost = 0
  const ask = async (path: string, headers: Person, body: unknown, into = times): Promise<number> => {
    const begun = performance.now()
    const status = await post(`${url}${path}`, agent, headers, JSON.stringify(body))
    into.push(performance.now() - begun)
    if (status === 0 || status >= 500) faults++
    return status
  }
  const repeated = async (once_: () => Promise<void>): Promise<void> => {
    for (let next = performance.now(); performance.now() < until;) {
      next = Math.max(next + every, performance.now())
      await once_()
      await pause(Math.max(0, next - performance.now()))
    }
  }
  const { headers: scanner, tyres } = people.scanner
  await Promise.all([
    ...people.neighbours.map(({ headers, vehicle }) =>
      repeated(async () => void (await ask('/fleet/vehicle', headers, { flt_id: vehicle }))),
    ),
    repeated(async () => {
      const scan = { tyreId: tyres[scans % tyres.length], scanId: randomUUID(), timestamp: Date.now() }
      scans++
      if ((await ask('/operations/markscan', scanner, { tyres: [scan] }, scanTimes)) !== 200) lost++
    }),
  ])
  agent.destroy()
  const [p50, p99, max] = [0.5, 0.99, 1].map(part => quantile(times, part)) as [number, number, number]
  return { p50, p99, max, asked: times.length, faults, scans, lost, scanP99: quantile(scanTimes, 0.99) }
}

type Printed = { readonly status: number; readonly ms: number }

/** How long a neighbour's own print of a thousand labels takes. */
async function ownPrint(url: string, { printer }: People): Promise<Printed> {
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

function post(url: string, agent: Agent, headers: Person, body: string): Promise<number> {
  const sent = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return new Promise(resolve => {
    const asked = request(url, { method: 'POST', agent, headers: sent }, reply => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
      reply.once('error', () => resolve(0))
    })
    asked.once('error', () => resolve(0))
    asked.end(body)
  })
}
