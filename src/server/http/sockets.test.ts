/** What one connection may cost (docs/decisions/0032). */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from './serve.ts'
import { world, type World } from '../testing/world.ts'

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
