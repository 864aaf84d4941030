/** Clients that hang up, while sending or receiving: nothing failed, and the log and the figures say so. */
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { contract } from '#contract/index.ts'
import { openPrintPool } from '../printing/pool.ts'
import { attack, attackUnguarded, linesFrom } from '../testing/hostileNetworks.ts'
import { pollOptions } from '../testing/waiting.ts'
import { world, type Principal, type World } from '../testing/world.ts'
import { openBrokenConnections } from './brokenConnections.ts'
import { openLive } from './live.ts'
import { defaultLimits, type Limits } from './rateLimits.ts'
import { serve } from './serve.ts'

let at: World
let tyres: number[]
beforeAll(async () => {
  at = await world()
  tyres = await at.addSet({ vehicle: await at.addVehicle({}) })
})
afterAll(() => at.close())

let log = ''
beforeEach(() => void (log = ''))

/** A server whose prints are made by this program in place of drawing. */
async function serveDrawing(program: string, limits: Limits | null = null) {
  const stream = new PassThrough()
  stream.setEncoding('utf8').on('data', (part: string) => (log += part))
  const printPool = openPrintPool({
    threads: 1,
    workerUrl: new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', job => { if (job === 'end') process.exit(); if (job !== 'cancel') { ${program} } })`)}`,
    ),
  })
  const live = openLive(at.appUrl)
  let [begun, reading] = [0, 0]
  const app = await serve({
    database: at.database,
    clock: () => at.clock.now,
    limits,
    live,
    printPool: {
      ...printPool,
      print(party, job) {
        begun++
        return printPool.print(party, job)
      },
    },
    logger: { level: 'trace', stream },
  })
  app.addHook('preParsing', async () => void reading++)
  onTestFinished(async () => {
    await app.close()
    await live.close()
    await printPool.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = (head: string, { host, cookie }: Principal, body = '', length = body.length) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const form = body.startsWith('--') ? 'multipart/form-data; boundary=x' : 'application/json'
    const type = head.startsWith('POST') ? `content-type: ${form}\r\ncontent-length: ${length}\r\n` : ''
    socket.write(`${head} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n${type}\r\n${body}`)
    return socket
  }
  /** Until nothing of the connections is left to do. */
  const settled = async () => {
    await vi.waitUntil(
      () => new Promise<boolean>(resolve => app.server.getConnections((_, count) => resolve(count === 0))),
      pollOptions,
    )
    await app.inject({ url: '/live', headers: { host: at.who.a.host } })
  }
  const isDrawing = () => vi.waitUntil(() => begun > 0, pollOptions)
  const isReading = (times: number) => vi.waitUntil(() => reading >= times, pollOptions)
  return { port, open, settled, isDrawing, isReading }
}

const labels = () => JSON.stringify({ tyres, report_id: 2 })
const printing = `POST ${contract.fleet.getTyreLabels.path}`
/** Lines of the log from warnings on. */
const complaints = () => linesFrom(log, 40)

describe('a client that hangs up is no error', () => {
  test('while its print is drawn and nothing of it was sent', async () => {
    const { open, settled, isDrawing } = await serveDrawing(`parentPort.postMessage({ chunk: 'JVBERi0=' })`)
    const socket = open(printing, at.who.a, labels())
    await isDrawing()
    socket.destroy()
    await settled()
    expect(complaints()).toEqual([])
  })

  test.each(['', '\r\naccept-encoding: gzip'])('while its print is being sent%s', async encoding => {
    const { open, settled } = await serveDrawing(
      `setInterval(() => parentPort.postMessage({ chunk: String(Math.random()).repeat(4096) }), 5)`,
    )
    const socket = open(`${printing}`, { ...at.who.a, cookie: `${at.who.a.cookie}${encoding}` }, labels())
    await once(socket, 'data')
    socket.destroy()
    await settled()
    expect(complaints()).toEqual([])
  })

  test('while it sends a body, JSON or a photo', async () => {
    const { open, settled, isReading } = await serveDrawing('')
    const photo = '--x\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\nab'
    const sending = [
      open(`POST ${contract.fleet.new.path}`, at.who.admin, '{"a', 1000),
      open(`POST ${contract.damages.addphoto.path}`, at.who.admin, photo, 1000),
    ]
    await isReading(2)
    for (const socket of sending) socket.destroy()
    await settled()
    expect(complaints()).toEqual([])
  })

  test('while it is sent an answer or the live stream', async () => {
    const { open, settled } = await serveDrawing('')
    await at.query(
      `insert into customer (site_id, name, company) select $1, repeat('x', 190) || n, repeat('y', 190) from generate_series(1, 20000) n`,
      [at.sites.home],
    )
    const file = open(`POST ${contract.customers.export.path}`, at.who.admin, '{}')
    await once(file, 'data')
    file.destroy()
    const stream = open('GET /live', at.who.a)
    await once(stream, 'data')
    stream.destroy()
    await settled()
    expect(complaints()).toEqual([])
  })
})

test('a print that fails while it is being sent is an error in the log', async () => {
  const { open, settled } = await serveDrawing(
    `parentPort.postMessage({ chunk: 'A'.repeat(200000) }); setTimeout(() => process.exit(1), 100)`,
  )
  const socket = open(printing, at.who.a, labels())
  socket.resume()
  await once(socket, 'close')
  await settled()
  expect(complaints()).toEqual([expect.objectContaining({ call: 'fleet.getTyreLabels' })])
})

describe('a hostile network', () => {
  test('that resets, sends halves, TLS and slow bodies writes no line', async () => {
    // counted by address as in production, and never refused
    const limits = Object.fromEntries(Object.keys(defaultLimits).map(name => [name, 1e9])) as Limits
    const { port, settled } = await serveDrawing('', limits)
    const came = await attack(
      { port, host: '127.0.0.1', site: 'home.test', cookie: at.who.a.cookie },
      { count: 800, slowMs: 300 },
    )
    expect([...came.values()].every(count => count > 50)).toBe(true)
    await settled()
    expect(complaints()).toEqual([])
  })

  test('writes an error where the address of a client that has gone is asked for', async () => {
    expect((await attackUnguarded()).length).toBeGreaterThan(0)
  })

  test('is one warning a minute when it is large, and none when it is small', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const warnings: object[] = []
    const broken = openBrokenConnections(counts => warnings.push(counts))
    for (let nth = 0; nth < 99; nth++) broken.count('hungUp')
    vi.advanceTimersByTime(60_000)
    expect(warnings).toEqual([])
    for (let nth = 0; nth < 5000; nth++) broken.count('hungUp')
    broken.countMalformed(
      Object.assign(new Error('parse'), { code: 'HPE_INVALID_METHOD', rawPacket: Buffer.from([0x16, 3, 1]) }),
    )
    broken.countMalformed(
      Object.assign(new Error('parse'), { code: 'HPE_INVALID_METHOD', rawPacket: Buffer.from('nonsense') }),
    )
    broken.countMalformed(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }))
    vi.advanceTimersByTime(180_000)
    expect(warnings).toEqual([{ hungUp: 5000, tls: 1, malformed: 1, tooSlow: 1 }])
    broken.close()
  })
})
