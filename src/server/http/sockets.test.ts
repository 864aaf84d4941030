/** The resources that one connection may use (docs/decisions/0032). */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { serve } from './serve.ts'
import { pollOptions } from '../testing/waiting.ts'
import { world, type Principal, type World } from '../testing/world.ts'

let at: World
let app: FastifyInstance
let running = 0
let most = 0
let answer = (): void => {}
const answered = new Promise<void>(resolve => (answer = resolve))

beforeAll(async () => {
  at = await world()
  app = await serve({ database: at.database, limits: null })
  app.get('/waits', async () => {
    most = Math.max(most, ++running)
    await answered
    running--
    return 'done'
  })
  app.get('/large', async () => Buffer.alloc(64 * 1024 * 1024))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await at.close()
})

describe('a call whose body comes slowly', () => {
  let node: FastifyInstance
  const reading: string[] = []
  beforeAll(async () => {
    node = await serve({ database: at.database, limits: null, clock: () => at.clock.now })
    node.addHook('preParsing', async request => {
      reading.push(request.url)
    })
    await node.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => node.close())
  beforeEach(() => void (reading.length = 0))

  const post = (path: string, who: Principal, length: number): Socket => {
    const socket = connect((node.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${who.host}\r\ncookie: ${who.cookie}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`,
    )
    return socket
  }
  const isRead = (times: number) => vi.waitUntil(() => reading.length === times, pollOptions)

  test.each([
    ['disabled', 'disabled_at = now()', 'disabled_at = null', 'session.missing'],
    ['another customer’s', `customer_id = $2`, 'customer_id = $2', 'record.missing'],
    [
      'no administrator any more',
      `type = 'user', customer_id = $2`,
      `type = 'admin', customer_id = null`,
      'session.forbidden',
    ],
  ])('is refused when its account is %s by then', async (what, change, back, code) => {
    const isCustomers = what.startsWith('another')
    const who = isCustomers ? at.who.a : at.who.admin
    const vehicle = await at.addVehicle({ customer: at.customers.a })
    const body = JSON.stringify(isCustomers ? { flt_id: vehicle } : {})
    const set = (changes: string, customer: number) =>
      at.query(`update account set ${changes} where id = $1 and $2::int is not null`, [who.account, customer])
    const socket = post(isCustomers ? '/fleet/vehicle' : '/customers/accounts', who, body.length)
    const answered = text(socket)
    await isRead(1)
    await set(change, at.customers.b)
    at.clock.now = new Date(at.clock.now.getTime() + 2000)
    socket.write(body)
    expect(await answered).toContain(`"code":"${code}"`)
    await set(back, at.customers.a)
    at.clock.now = new Date(at.clock.now.getTime() + 2000)
  })

  test('is read two at a time of an account when it is large, and holds up nothing else', async () => {
    const large = 200_000
    const sockets = ['/customers/import?1', '/customers/import?2', '/customers/import?3'].map(path => ({
      path,
      socket: post(path, at.who.admin, large),
    }))
    await isRead(2)
    const first = [...reading]
    const small = await node.inject({
      method: 'POST',
      url: '/customers/accounts',
      headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '' },
      payload: {},
    })
    expect(small.statusCode).toBe(200)
    const neighbour = post('/customers/import', at.who.otherAdmin, large)
    const answered = text(neighbour)
    neighbour.write(`{"rows": "${' '.repeat(large - 12)}"}`)
    expect(await answered).toContain('HTTP/1.1 400')
    expect(reading.filter(url => url.startsWith('/customers/import'))).toEqual([...first, '/customers/import'])
    // a client that hangs up leaves its turn to the next
    const [waiting] = sockets.filter(({ path }) => !first.includes(path))
    sockets.find(({ path }) => path === first[0])?.socket.destroy()
    await vi.waitUntil(() => reading.at(-1) === waiting?.path, pollOptions)
    for (const { socket } of sockets) socket.destroy()
  })

  test('is not cut off while the portal works on it', async () => {
    node.server.timeout = 300
    await at.admin.query('begin')
    try {
      await at.admin.query('lock table mail in access exclusive mode')
      const working = post('/customers/accounts', at.who.admin, 2)
      working.write('{}')
      const answered = text(working)
      await vi.waitUntil(async () => {
        const waiting = await at.admin.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.rowCount === 1
      }, pollOptions)
      // a silent client that came later
      const silent = connect((node.server.address() as AddressInfo).port, '127.0.0.1')
      await once(silent, 'close')
      await at.admin.query('commit')
      expect(await answered).toContain('HTTP/1.1 200')
    } finally {
      await at.admin.query('rollback')
      node.server.timeout = 60_000
    }
  })
})

const open = (): Socket => connect((app.server.address() as AddressInfo).port, '127.0.0.1')
const request = (path: string, close = false): string =>
  `GET ${path} HTTP/1.1\r\nhost: home.test\r\n${close ? 'connection: close\r\n' : ''}\r\n`

test('of many requests that a connection sends without waiting, sixteen are answered and the next is refused', async () => {
  const socket = open()
  socket.write(request('/waits').repeat(16) + request('/waits', true))
  const refused = once(app.server, 'request')
  await refused
  answer()
  const replies = await text(socket)
  expect(most).toBeLessThanOrEqual(16)
  expect(replies.match(/HTTP\/1\.1 200 /g)).toHaveLength(16)
  expect(replies.match(/HTTP\/1\.1 429 /g)).toHaveLength(1)
  expect(replies).toContain('request.too_many')
})

test('a connection that does not take its answer is ended', async () => {
  expect(app.server.timeout).toBe(60_000)
  app.server.timeout = 200
  const accepted = once(app.server, 'connection')
  const socket = open()
  socket.pause()
  socket.on('error', () => {})
  const [theirs] = (await accepted) as [Socket]
  socket.write(request('/large'))
  await once(theirs, 'close')
  expect(theirs.bytesWritten).toBeGreaterThan(0)
  socket.destroy()
  app.server.timeout = 60_000
})
