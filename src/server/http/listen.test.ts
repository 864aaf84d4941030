import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { listen } from './listen.ts'

const host = '127.0.0.1'
const opened: FastifyInstance[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(opened.splice(0).map(app => app.close()))
})

const create = (): FastifyInstance => {
  const app = fastify({ forceCloseConnections: 'idle' })
  opened.push(app)
  return app
}
const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port
const open = (port: number): Socket => {
  const socket = connect(port, host)
  sockets.push(socket)
  return socket
}

test.runIf(process.platform === 'linux')(
  'a crowd that connects is accepted in few turns of the event loop',
  async () => {
    const crowd = 128
    const turnsWith = async (listening: (app: FastifyInstance) => Promise<unknown>): Promise<number> => {
      const app = create()
      await listening(app)
      let turns = 0
      let accepted = 0
      const all = new Promise<void>(resolve => app.server.on('connection', () => ++accepted === crowd && resolve()))
      const clients = Array.from({ length: crowd }, () => open(portOf(app)))
      // a turn that takes long: clients have connected before the next
      const turn = (): void => {
        const until = performance.now() + 2
        while (performance.now() < until);
        if (accepted > 0) turns++
        if (accepted < crowd) setImmediate(turn)
      }
      turn()
      await all
      for (const client of clients) client.destroy()
      return turns
    }
    const withOne = await turnsWith(app => app.listen({ host, port: 0 }))
    const withSeveral = await turnsWith(app => listen(app, { host, port: 0 }))
    expect(withOne).toBeGreaterThan(100)
    expect(withSeveral).toBeLessThan(64)
  },
)

test('a port that another program has is refused', async () => {
  const other = createServer().listen({ host, port: 0 })
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(listen(create(), { host, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  other.close()
})

test('two portals do not share a port', async () => {
  const first = create()
  await listen(first, { host, port: 0 })
  await expect(listen(create(), { host, port: portOf(first) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('whatever socket accepted it, a request that was begun is answered before the portal is closed', async () => {
  const app = create()
  let begun = 0
  let answer = (): void => {}
  const answered = new Promise<void>(resolve => (answer = resolve))
  const requests = 40
  const allBegun = new Promise<void>(resolve => {
    app.get('/slow', async () => {
      if (++begun === requests) resolve()
      await answered
      return 'done'
    })
  })
  app.get('/', async () => 'here')
  await listen(app, { host, port: 0 })
  const idle = Array.from({ length: 20 }, () => open(portOf(app)))
  await Promise.all(
    idle.map(socket => {
      socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      return once(socket, 'data')
    }),
  )
  const replies = Array.from({ length: requests }, () => {
    const socket = open(portOf(app))
    socket.write(`GET /slow HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    return text(socket)
  })
  await allBegun
  let closed = false
  const closing = app.close().then(() => (closed = true))
  await new Promise(resolve => setImmediate(resolve))
  expect(closed).toBe(false)
  answer()
  const texts = await Promise.all(replies)
  expect(texts.filter(reply => reply.startsWith('HTTP/1.1 200'))).toHaveLength(requests)
  await closing
})
