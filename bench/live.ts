/**
 * `npm run bench:live`: what a scan takes of PostgreSQL and of the portal, in time of a core, while nobody, 3, 30 and 300 desks look on. Twenty
 * scanners make ten scans a second, each at an operation of its own, wheel by wheel. Each desk has a stream of live changes and does what a
 * page does: it takes over rows that it is sent, and loads a list again that it is told of. `before` are desks that always load the list, as
 * all did before rows were sent (docs/decisions/0074). The figures are medians of three seconds each: now and then the portal works by itself.
 */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { parseArgs } from 'node:util'
import { contract } from '../src/contract/index.ts'
import type { LiveEvent } from '../src/contract/live.ts'
import { openDatabase } from '../src/server/db/database.ts'
import { applicationRole } from '../src/server/postgres/connection.ts'
import { openOperations } from '../src/server/features/operations/operations.sql.ts'
import { child, taken, takenSince } from './coreTime.ts'
import { median } from './figures.ts'
import { accountOf, busy, cookieOf, desks as accounts, host, site } from './data.ts'
import { openFilled } from './filled.ts'
import { connections, jobOf, scanned } from './jobs.ts'
import { openGenerator, openPortal } from './portal.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '15' }, desks: { type: 'string', default: '0,3,30,300' } },
})
const numbers = options.desks.split(',').map(Number)
const scanners = 20
const scansPerSecond = 10
const partSeconds = 3
/** How much of PostgreSQL's time a scan may take at most with so many desks, times that with none. */
const atMost: Readonly<Record<number, number>> = { 3: 1.5, 30: 2, 300: 4 }

const { cluster, shape, client, close } = await openFilled()
const portal = await openPortal(cluster.url)
const agent = new http.Agent({ keepAlive: true })
const [server, database] = [child('src/server/main.ts'), child('/postgres')]

/** Sends a request as a browser does, and reads the answer to its end. Resolves with its status. */
const post = (account: number, path: string, body: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      host,
      cookie: cookieOf(account),
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    }
    const options = { port: portal.port, path, method: 'POST', agent, headers }
    const request = http.request(options, reply => {
      reply.resume().once('close', () => resolve(reply.complete ? (reply.statusCode ?? 0) : 0))
    })
    request.once('error', reject)
    request.end(JSON.stringify(body))
  })

type Desk = { close(): void }
type Told = { scans: number; events: number; loaded: number; refused: number; refusedScans: number }
const nothing: Told = { scans: 0, events: 0, loaded: 0, refused: 0, refusedScans: 0 }

/** A desk that shows the submitted operations; `takesRows` as pages do. */
const openDesk = (account: number, takesRows: boolean, counters: Told): Promise<Desk> =>
  new Promise((resolve, reject) => {
    let loading = false
    let again = false
    let left = false
    const load = async (): Promise<void> => {
      again = loading
      if (loading) return
      loading = true
      const status = await post(account, contract.operations.admin.path, { status: 'submitted' }).catch(() => 0)
      if (status === 200) counters.loaded++
      else counters.refused++
      loading = false
      if (again && !left) await load()
    }
    const receive = (event: LiveEvent): void => {
      counters.events++
      if (event.rows !== undefined && takesRows) return
      if (event.paths.includes(contract.operations.admin.path) || event.paths.includes('*')) void load()
    }
    // a desk that is gone asks for nothing more
    const leave = (): void => {
      left = true
      request.destroy()
    }
    const request = http.get(
      { port: portal.port, path: '/live', agent: false, headers: { host, cookie: cookieOf(account) } },
      reply => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          const lines = text.split('\n\n')
          text = lines.pop() ?? ''
          for (const line of lines) if (line.startsWith('data: ')) receive(JSON.parse(line.slice(6)) as LiveEvent)
        })
        if (reply.statusCode === 200) resolve({ close: leave })
        else reject(new Error(`a desk is answered ${reply.statusCode}`))
      },
    )
    request.on('error', error => left || reject(error))
  })

/** Scans for so many seconds. */
async function scan(seconds: number, counters: Told): Promise<void> {
  const until = performance.now() + seconds * 1000
  const pause = (scanners / scansPerSecond) * 1000
  await Promise.all(
    Array.from({ length: scanners }, async (_, scanner) => {
      await new Promise(resolve => setTimeout(resolve, (pause * scanner) / scanners))
      for (let nth = 0; performance.now() < until; nth++) {
        const next = performance.now() + pause
        const operation = (scanner + scanners * Math.floor(nth / 4)) % busy.submitted
        const tyres = [{ tyreId: scanned(operation, nth % 4), scanId: randomUUID() }]
        const status = await post(1 + (scanner % accounts), contract.operations.markscan.path, { tyres }).catch(() => 0)
        // a crowd that loads lists may leave no room; a device sends such a scan again
        if (status === 200) counters.scans++
        else counters.refusedScans++
        await new Promise(resolve => setTimeout(resolve, Math.max(0, next - performance.now())))
      }
    }),
  )
}

type Cost = { database: number; portal: number; told: Told }

/** The processor time of both in an idle second, in ms. */
const idle = { database: 0, portal: 0 }
async function measureIdle(): Promise<void> {
  const parts: { portal: number; database: number }[] = []
  for (let part = 0; part < 5; part++) {
    const before = [taken(server), taken(database)] as const
    await new Promise(resolve => setTimeout(resolve, partSeconds * 1000))
    parts.push({
      portal: takenSince(server, before[0]) / partSeconds,
      database: takenSince(database, before[1]) / partSeconds,
    })
  }
  idle.portal = median(parts.map(({ portal: ms }) => ms))
  idle.database = median(parts.map(({ database: ms }) => ms))
}

/**
 * Makes each connection of the portal plan the statements below as often as PostgreSQL does before it keeps a plan: rows by the pages of a
 * hundred customers, whose tyres are scanned by all connections at once, and lists.
 */
async function warmUp(): Promise<void> {
  const open: Desk[] = []
  for (let nth = 0; nth < busy.count; nth++)
    open.push(await openDesk(accountOf(busy.first + nth), true, { ...nothing }))
  const generator = openGenerator()
  for (const job of ['scan', 'submitted'])
    await generator.load({
      job,
      port: portal.port,
      shape,
      connections,
      seconds: 5,
      times: Number.MAX_SAFE_INTEGER,
    })
  await generator.close()
  for (const desk of open) desk.close()
  await jobOf('scan').reset?.(client)
}

async function measure(desks: number, takesRows: boolean): Promise<Cost> {
  const counters = { ...nothing }
  const open: Desk[] = []
  try {
    for (let nth = 0; nth < desks; nth++) open.push(await openDesk(1 + (nth % accounts), takesRows, counters))
    // by then PostgreSQL has planned what it is asked
    await scan(5, counters)
    Object.assign(counters, nothing)
    const scanning = scan(Number(options.seconds), counters)
    const parts: { portal: number; database: number }[] = []
    for (let part = 0; part < Number(options.seconds) / partSeconds; part++) {
      const began = { at: performance.now(), scans: counters.scans, server: taken(server), database: taken(database) }
      await new Promise(resolve => setTimeout(resolve, partSeconds * 1000))
      const [seconds, scans] = [(performance.now() - began.at) / 1000, counters.scans - began.scans]
      parts.push({
        portal: (takenSince(server, began.server) - seconds * idle.portal) / scans,
        database: (takenSince(database, began.database) - seconds * idle.database) / scans,
      })
    }
    await scanning
    return {
      portal: median(parts.map(({ portal: ms }) => ms)),
      database: median(parts.map(({ database: ms }) => ms)),
      told: counters,
    }
  } finally {
    for (const desk of open) desk.close()
    await new Promise(resolve => setTimeout(resolve, 2000))
    await jobOf('scan').reset?.(client)
  }
}

/** The time that PostgreSQL takes to read the rows of so many operations for a group of pages, in ms. */
async function readTime(count: number): Promise<number> {
  const reader = openDatabase(cluster.url, { role: applicationRole, size: 1 })
  try {
    const { rows } = await client.query<{ id: number }>(
      `select id from operation where site_id = $1 and status = 'submitted' order by id`,
      [site],
    )
    const read = (nth: number): Promise<unknown> => {
      const ids = Array.from({ length: count }, (_, at) => rows[(nth * count + at) % rows.length]?.id ?? 0)
      return reader.transaction({ site, customer: null }, tx =>
        tx.single.list(openOperations, { site, withDepth: true, operations: ids }),
      )
    }
    const reads = 300
    for (let nth = 0; nth < 20; nth++) await read(nth)
    const before = taken(database)
    for (let nth = 0; nth < reads; nth++) await read(nth)
    return takenSince(database, before) / reads
  } finally {
    await reader.close()
  }
}

let failed = false
try {
  await client.query('alter system set autovacuum to off')
  await client.query('select pg_reload_conf()')
  await warmUp()
  await new Promise(resolve => setTimeout(resolve, 3000))
  await measureIdle()
  console.log(
    `without any request: PostgreSQL ${idle.database.toFixed(1)} ms, portal ${idle.portal.toFixed(1)} ms a second; not counted below`,
  )
  for (const count of [1, 2, 7])
    console.log(`rows of ${count} operations, read once: PostgreSQL ${(await readTime(count)).toFixed(2)} ms`)
  console.log('a scan with so many desks takes of    PostgreSQL       portal   (ms of a core)')
  for (const takesRows of [false, true]) {
    let alone = Number.NaN
    for (const desks of numbers) {
      const { database: ms, portal: portalMs, told: counters } = await measure(desks, takesRows)
      if (desks === 0) alone = ms
      const times = ms / alone
      const most = atMost[desks] ?? Number.POSITIVE_INFINITY
      const missed = takesRows && times > most
      failed ||= missed
      console.log(
        `${takesRows ? 'after ' : 'before'} ${String(desks).padStart(4)} ${ms.toFixed(2).padStart(35)} ${portalMs.toFixed(2).padStart(12)}   ${times.toFixed(2)} times${missed ? `, more than ${most}` : ''} ` +
          `(${counters.scans} scans and ${counters.refusedScans} refused, ${counters.events} events, ${counters.loaded} lists and ${counters.refused} refused)`,
      )
    }
  }
} finally {
  agent.destroy()
  await portal.close()
  await close()
}
if (failed) process.exitCode = 1
