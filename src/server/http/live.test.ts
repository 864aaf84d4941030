/** Live changes reach the pages concerned, on this node and on others, and no other pages (docs/product/calls.md "Live changes"). */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { z } from 'zod'
import type { FastifyInstance } from 'fastify'
import type { Call } from '#contract/call.ts'
import { contract } from '#contract/index.ts'
import { maxChangedOperations, type changedRows } from '#contract/live.ts'
import { pathsOf } from './effects.ts'
import { openDatabase, type Database, type Scope, type Tx } from '../db/database.ts'
import { openOperations } from '../features/operations/operations.sql.ts'
import { everything, openLive, type Live } from './live.ts'
import { serve } from './serve.ts'
import { addOperation } from '../testing/operations.ts'
import { pollOptions } from '../testing/waiting.ts'
import { world, type Principal, type World } from '../testing/world.ts'

type Node = {
  url: string
  app: FastifyInstance
  live: Live
  database: Database
  /** The contexts in which rows that changed were read. */
  reads: Scope[]
}
type Received = { paths: string[]; from: string; rows?: z.input<typeof changedRows> }

let at: World
let nodes: [Awaited<ReturnType<typeof node>>, Awaited<ReturnType<typeof node>>]
const open: (() => void)[] = []

async function node(): Promise<Node & { close(): Promise<void> }> {
  const url = at.appUrl
  const live = openLive(url)
  const reads: Scope[] = []
  const database = watched(openDatabase(url), reads)
  const app = await serve({ database, live, clock: () => at.clock.now })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: address,
    app,
    live,
    database,
    reads,
    async close() {
      await app.close()
      await live.close()
      await database.close()
    },
  }
}

/** The database, which notes in which contexts rows that changed are read. */
const watched = (database: Database, reads: Scope[]): Database => ({
  ...database,
  transaction: (scope, work) =>
    database.transaction(scope, tx => {
      const list: Tx['single']['list'] = (statement, parameters) => {
        if (statement.name === openOperations.name) reads.push(scope)
        return tx.single.list(statement, parameters)
      }
      return work({ ...tx, single: { ...tx.single, list } })
    }),
})

/** Listens as a browser does; `received` grows until the stream ends. */
function listen(
  where: Node,
  who: Principal,
  query = '',
): Promise<{ status: number; received: Received[]; ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const headers = { host: who.host, ...(who.cookie ? { cookie: who.cookie } : {}) }
    const request = get(`${where.url}/live${query}`, { headers }, reply => {
      const received: Received[] = []
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        for (const line of chunk.split('\n'))
          if (line.startsWith('data: ')) received.push(JSON.parse(line.slice(6)) as Received)
      })
      const ended = new Promise<void>(end => void reply.once('close', end))
      resolve({ status: reply.statusCode ?? 0, received, ended })
    })
    request.on('error', reject)
    open.push(() => request.destroy())
  })
}

const call = (where: Node, path: string, who: Principal, body: object, tab = ''): Promise<unknown> =>
  where.app.inject({
    method: 'POST',
    url: path,
    headers: { host: who.host, cookie: who.cookie ?? '', ...(tab && { 'wheelhouse-tab': tab }) },
    payload: body,
  })

/** Changes the brand of a vehicle of customer A, as A. */
const changeVehicle = async (where: Node, tab = ''): Promise<unknown> =>
  call(where, '/fleet/update', at.who.a, { vehicle: { flt_id: await at.addVehicle({}), brand: 'Saab' } }, tab)

beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  nodes = [await node(), await node()]
  await vi.waitUntil(() => nodes.every(node => node.live.connected()), pollOptions)
})
afterEach(() => {
  for (const end of open.splice(0)) end()
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await at.close()
})

test.each([
  ['the same node', 0],
  ['another node', 1],
] as const)('a change on %s reaches the customer and the administrator, and nobody else', async (_where, nth) => {
  const [from] = nodes
  const on = nodes[nth]
  const pages = {
    a: await listen(on, at.who.a),
    admin: await listen(on, at.who.admin),
    b: await listen(on, at.who.b),
    other: await listen(on, at.who.otherAdmin),
  }
  const far = await listen(nodes[1], at.who.b)
  await changeVehicle(from, 'tab-1')
  await vi.waitFor(() => expect([pages.a.received.length, pages.admin.received.length]).toEqual([1, 1]), pollOptions)
  expect(pages.a.received[0]).toEqual({ from: 'tab-1', paths: pathsOf(contract.fleet.update.invalidates) })
  // the next change reaches them, so the one before it never will
  await call(from, '/operations/new', at.who.b, {})
  await call(from, '/fleet/update', at.who.b, {
    vehicle: { flt_id: await at.addVehicle({ customer: at.customers.b }), brand: 'Saab' },
  })
  await vi.waitFor(() => expect(pages.b.received).toHaveLength(1), pollOptions)
  expect([pages.a.received.length, pages.other.received.length]).toEqual([1, 0])
  // no page of the next test is to hear of it
  await vi.waitFor(() => expect(far.received).toHaveLength(1), pollOptions)
})

test.each([
  ['the same node', 0],
  ['another node', 1],
] as const)(
  'a page that was loading while something changed on %s hears of it, as far as it may',
  async (_where, nth) => {
    const on = nodes[nth]
    const witness = await listen(on, at.who.a)
    const change = async (who: Principal, customer: number, tab: string) =>
      call(
        nodes[0],
        '/fleet/update',
        who,
        { vehicle: { flt_id: await at.addVehicle({ customer }), brand: 'Saab' } },
        tab,
      )
    await change(at.who.a, at.customers.a, `missed-${nth}`)
    await vi.waitFor(() => expect(witness.received).toHaveLength(1), pollOptions)
    let pages = 0
    const receives = async (who: Principal, customer: number, query: string) => {
      const page = await listen(on, who, query)
      const froms = () => page.received.map(({ from }) => from)
      // what it was to hear comes before this
      const after = `after-${nth}-${++pages}`
      await change(who, customer, after)
      await vi.waitFor(() => expect(froms()).toContain(after), pollOptions)
      return froms().includes(`missed-${nth}`)
    }
    expect(await receives(at.who.a, at.customers.a, '?age=60000')).toBe(true)
    expect(await receives(at.who.a, at.customers.a, '')).toBe(false)
    expect(await receives(at.who.b, at.customers.b, '?age=60000')).toBe(false)
    expect(await receives(at.who.otherAdmin, at.customers.other, '?age=60000')).toBe(false)
    const wrong = await listen(on, at.who.a, '?age=yesterday')
    expect(wrong.status).toBe(400)
  },
)

test('a scan at the desk reaches the customer, and invalidates no fleet', async () => {
  const vehicle = await at.addVehicle({})
  const tyres = await at.addSet({ vehicle })
  const { answer } = await at.ask(contract.operations.new, at.who.a, {
    operation: { flt_id: vehicle, tyres, operationType: 'to_stock' },
  })
  await at.ask(contract.operations.update, at.who.a, { operation: { _id: answer._id, status: 'submitted' } })
  const [customer, stranger] = [await listen(nodes[1], at.who.a), await listen(nodes[1], at.who.b)]
  await call(nodes[0], '/operations/markscan', at.who.admin, { tyres: [{ tyreId: tyres[0] }] })
  await vi.waitFor(() => expect(customer.received).toHaveLength(1), pollOptions)
  const event = customer.received[0]
  expect(event?.paths).toEqual(['/operations/fetch'])
  expect(event?.rows?.changed).toEqual({ '/operations/fetch': [answer._id] })
  // as the customer would be answered now
  const { text } = await at.ask(contract.operations.fetch, at.who.a, {})
  const row = (JSON.parse(text) as { _id: number }[]).find(({ _id }) => _id === answer._id)
  expect(event?.rows?.operations).toEqual([row])
  expect(stranger.received).toEqual([])
})

test('pages that may see the same are sent rows that were read once, and an earlier version loads its list', async () => {
  const { id, tyres } = await addOperation(at, { status: 'submitted' })
  const pages = await Promise.all(Array.from({ length: 5 }, () => listen(nodes[1], at.who.admin)))
  nodes[1].reads.length = 0
  await call(nodes[0], '/operations/markscan', at.who.admin, { tyres: [{ tyreId: tyres[0] }] }, 'tab-1')
  for (const { received } of pages) await vi.waitFor(() => expect(received).toHaveLength(1), pollOptions)
  expect(nodes[1].reads).toEqual([{ site: at.sites.home, customer: null }])
  const events = pages.map(({ received }) => received[0])
  expect(new Set(events.map(event => JSON.stringify(event))).size).toBe(1)
  // an earlier version knows paths only, and ignores what it changed itself
  expect(events[0]).toMatchObject({ paths: ['/operations/admin', '/operations/fetch'], from: '' })
  expect(events[0]?.rows?.changed).toEqual({ '/operations/admin': [id], '/operations/fetch': [id] })
})

test('a list in which more changed than is sent is loaded again', async () => {
  const page = await listen(nodes[0], at.who.admin)
  const paths = ['/operations/admin']
  const change = { site: at.sites.home, audience: at.customers.a, paths, from: 'tab-1' }
  const many = Array.from({ length: maxChangedOperations + 1 }, (_, nth) => 1_000_000 + nth)
  nodes[0].live.publish({ ...change, operations: many.slice(1) })
  await vi.waitFor(() => expect(page.received).toHaveLength(1), pollOptions)
  expect(page.received[0]?.rows?.operations).toEqual([])
  nodes[0].live.publish({ ...change, operations: many })
  await vi.waitFor(() => expect(page.received).toHaveLength(2), pollOptions)
  expect(page.received[1]).toEqual({ paths, from: 'tab-1' })
  // few, but long
  const { id, tyres } = await addOperation(at, { status: 'submitted' })
  await at.query(`update tyre set memo = repeat('x', 150000) where id = $1`, [tyres[0]])
  nodes[0].live.publish({ ...change, operations: [id] })
  await vi.waitFor(() => expect(page.received).toHaveLength(3), pollOptions)
  expect(page.received[2]).toEqual({ paths, from: 'tab-1' })
})

test('a node of an earlier version and one of this understand each other', async () => {
  const { id, tyres } = await addOperation(at, { status: 'submitted' })
  const earlier = new pg.Client({ connectionString: at.appUrl })
  await earlier.connect()
  onTestFinished(() => earlier.end())
  const heard: unknown[] = []
  earlier.on('notification', ({ payload }) => heard.push(...(JSON.parse(payload ?? '') as [string, unknown[]])[1]))
  await earlier.query('listen wheelhouse_live')
  const page = await listen(nodes[1], at.who.admin)
  await call(nodes[0], '/operations/markscan', at.who.admin, { tyres: [{ tyreId: tyres[0] }] }, 'tab-1')
  await vi.waitFor(() => expect(heard).toHaveLength(1), pollOptions)
  const paths = ['/operations/admin', '/operations/fetch']
  const change = { site: at.sites.home, audience: at.customers.a, paths, from: 'tab-1' }
  expect(heard).toEqual([{ ...change, operations: [id] }])
  await vi.waitFor(() => expect(page.received).toHaveLength(1), pollOptions)
  await earlier.query('select pg_notify($1, $2)', ['wheelhouse_live', JSON.stringify(['earlier', [change]])])
  await vi.waitFor(() => expect(page.received).toHaveLength(2), pollOptions)
  expect(page.received[1]).toEqual({ paths, from: 'tab-1' })
})

test('a node that does not hear the others sends no rows', async () => {
  const { tyres } = await addOperation(at, { status: 'submitted' })
  const database = openDatabase(at.appUrl)
  // nobody listens there
  const live = openLive('postgres://127.0.0.1:1/nowhere')
  const app = await serve({ database, live, clock: () => at.clock.now })
  const alone = { app, live, database, reads: [], url: await app.listen({ host: '127.0.0.1', port: 0 }) }
  try {
    const page = await listen(alone, at.who.admin)
    await call(alone, '/operations/markscan', at.who.admin, { tyres: [{ tyreId: tyres[0] }] }, 'tab-1')
    await vi.waitFor(() => expect(page.received).toHaveLength(1), pollOptions)
    expect(page.received).toEqual([{ from: 'tab-1', paths: ['/operations/admin', '/operations/fetch'] }])
  } finally {
    await app.close()
    await live.close()
    await database.close()
  }
})

test('a stream ends when its account may see something else, though its session goes on', async () => {
  const page = await listen(nodes[0], at.who.b)
  try {
    await at.query('update account set customer_id = $2 where id = $1', [at.who.b.account, at.customers.a])
    nodes[1].live.sessionsChanged(at.who.b.account)
    await page.ended
  } finally {
    await at.query('update account set customer_id = $2 where id = $1', [at.who.b.account, at.customers.b])
  }
})

test('what an administrator does to or for a customer reaches that customer', async () => {
  const [vehicle, empty] = [await at.addVehicle({}), await at.addVehicle({})]
  const [tyre = 0, second = 0] = await at.addSet({ vehicle })
  const [customer, stranger] = [await listen(nodes[1], at.who.a), await listen(nodes[1], at.who.b)]
  const changes: [Call, object][] = [
    [contract.fleet.update, { vehicle: { flt_id: vehicle, brand: 'Saab' } }],
    [contract.tyres.changeset, { tyres: [tyre], tyre_set: 'Spring' }],
    [contract.tyres.measure, { readings: [{ db_id: tyre, profile_depth: 5, profile_date: '2026-11-18' }] }],
    [contract.operations.new, { operation: { flt_id: vehicle, tyres: [tyre], operationType: 'to_stock' } }],
    [contract.tyres.remove, { tyres: [second] }],
    [contract.fleet.inactivate, { flt_id: empty }],
  ]
  for (const [nth, [{ path, invalidates }, input]] of changes.entries()) {
    await call(nodes[0], path, at.who.admin, input)
    await vi.waitFor(() => expect(customer.received).toHaveLength(nth + 1), pollOptions)
    // what only a desk shows is left out where its rows are named
    const [paths, all] = [customer.received[nth]?.paths, pathsOf(invalidates)]
    expect(paths).toEqual(
      path === contract.operations.new.path ? all.filter(answerPath => answerPath !== '/operations/admin') : all,
    )
  }
  expect(stranger.received).toEqual([])
})

test('a refused call publishes nothing', async () => {
  const page = await listen(nodes[0], at.who.admin)
  await call(nodes[0], '/fleet/update', at.who.a, { vehicle: { flt_id: 2_000_000_000, brand: 'Saab' } })
  await changeVehicle(nodes[0])
  await vi.waitFor(() => expect(page.received).toHaveLength(1), pollOptions)
})

test('many changes at once are sent together', async () => {
  const page = await listen(nodes[1], at.who.admin)
  const vehicles: number[] = []
  for (let nth = 0; nth < 100; nth++) vehicles.push(await at.addVehicle({}))
  const begun = performance.now()
  await Promise.all(
    vehicles.map(flt_id => call(nodes[0], '/fleet/update', at.who.a, { vehicle: { flt_id, brand: 'Saab' } })),
  )
  const elapsed = performance.now() - begun
  await vi.waitFor(() => expect(page.received.length).toBeGreaterThan(0), pollOptions)
  // once in 50 ms at most, however long a busy machine takes for the hundred
  expect(page.received.length).toBeLessThanOrEqual(1 + Math.ceil(elapsed / 50))
  expect(page.received.length).toBeLessThan(vehicles.length)
})

test('without a session the stream is refused', async () => {
  expect((await listen(nodes[0], at.who.anonymous)).status).toBe(401)
})

test('a stream that is open all day is no use of its session, which ends after twelve idle hours', async () => {
  const began = at.clock.now
  const token = createHash('sha256').update('idle all day').digest()
  await at.query(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at) values ($1, $2, $3, $4, $4)`,
    [token, at.who.b.account, at.sites.home, began],
  )
  const idle = { ...at.who.b, cookie: 'wheelhouse=idle all day' }
  const [first, other] = nodes
  try {
    at.clock.now = new Date(began.getTime() + 11 * 3_600_000)
    const { status, ended } = await listen(first, idle)
    expect(status).toBe(200)
    at.clock.now = new Date(began.getTime() + 12 * 3_600_000 + 1000)
    // it is looked at again, as every 25 seconds
    other.live.sessionsChanged(at.who.b.account)
    await ended
    const [row] = await at.query<{ seen: Date }>('select seen_at as seen from session where token_hash = $1', [token])
    expect(row?.seen).toEqual(began)
  } finally {
    at.clock.now = began
  }
})

test('a stream ends with its session at once, on every node, and others go on', async () => {
  const pages = await Promise.all([listen(nodes[0], at.who.b), listen(nodes[1], at.who.b)])
  const other = await listen(nodes[1], at.who.a)
  let ended = false
  void other.ended.then(() => (ended = true))
  await call(nodes[0], '/customers/resetpassword', at.who.admin, { _id: at.who.b.account })
  await Promise.all(pages.map(page => page.ended))
  await changeVehicle(nodes[0])
  await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(0), pollOptions)
  expect(ended).toBe(false)
})

/** Of this database only: other tests have theirs on the same server. */
const liveConnections = `pg_stat_activity where application_name = 'wheelhouse live' and datname = current_database()`

test('after its connection was lost a node tells its pages that everything may have changed', async () => {
  const page = await listen(nodes[1], at.who.a)
  await at.query(`select pg_terminate_backend(pid) from ${liveConnections}`)
  // with what the test before has changed, where that is still on its way
  await vi.waitFor(
    () => expect(page.received.flatMap(({ paths }) => paths)).toEqual(expect.arrayContaining([...everything])),
    pollOptions,
  )
  await vi.waitFor(() => expect(nodes[0].live.connected()).toBe(true), pollOptions)
  await changeVehicle(nodes[0])
  await vi.waitFor(
    () => expect(page.received.at(-1)?.paths).toEqual(pathsOf(contract.fleet.update.invalidates)),
    pollOptions,
  )
})

test('what a node could not tell the others while its connection was lost it tells them afterwards', async () => {
  const connections = async () => (await at.query(`select pid from ${liveConnections}`)).map(({ pid }) => pid)
  const before = await connections()
  const cut = openLive(at.appUrl)
  onTestFinished(() => cut.close())
  await vi.waitUntil(() => cut.connected(), pollOptions)
  const page = await listen(nodes[1], at.who.a)
  const sessions: number[] = []
  nodes[1].live.onSessionsChanged(account => void sessions.push(account))
  const [own] = (await connections()).filter(pid => !before.includes(pid))
  await at.query('select pg_terminate_backend($1)', [own])
  await vi.waitUntil(() => !cut.connected(), pollOptions)
  cut.publish({ site: at.who.a.site, audience: at.customers.a, paths: ['/fleet/fetch'], from: 'cut off' })
  cut.sessionsChanged(at.who.b.account)
  await vi.waitFor(() => expect(page.received.map(({ from }) => from)).toContain('cut off'), pollOptions)
  await vi.waitFor(() => expect(sessions).toContain(at.who.b.account), pollOptions)
})

test('a server that closes ends its streams and does not wait for them', async () => {
  const third = await node()
  const page = await listen(third, at.who.a)
  await third.close()
  await page.ended
})

test('a first attempt that runs out of time, as on a busy machine, is no line of the log; the next one is', async () => {
  let attempts = 0
  const silent = createServer(socket => {
    attempts++
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const logged: [string, number][] = []
  const live = openLive(`postgres://user:x@127.0.0.1:${(silent.address() as AddressInfo).port}/db`, {
    connectWithin: 100,
    log: error => void logged.push([(error as Error).message, attempts]),
  })
  await vi.waitUntil(() => logged.length > 0, pollOptions)
  await live.close()
  silent.close()
  expect(logged[0]).toEqual(['timeout expired', 2])
})
