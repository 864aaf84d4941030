/** The print pool: every print is complete, and a thread that dies or hangs, or whose print is cancelled, blocks nothing. */
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { openDatabase } from '../db/database.ts'
import { openPrintPool, type PrintJob, type PrintPool, type WorkerMessage, type WorkerOrder } from './pool.ts'
import { serve } from '../http/serve.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let tyres: number[]
beforeAll(async () => {
  at = await world()
  // the addresses under which tests reach a listening server
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    await at.query(`insert into site_address (host, site_id) values ($1, $2)`, [host, at.sites.home])
  tyres = []
  for (const nth of [1, 2]) {
    const vehicle = await at.addVehicle({ plate: `1PRS00${nth}` })
    tyres.push(...(await at.addSet({ vehicle })))
  }
})
afterAll(() => at.close())

const labels = (count: number): PrintJob => ({
  kind: 'labels',
  tyres: Array.from({ length: count }, (_, nth) => ({
    id: 1 + nth,
    plate: '1ABC234',
    position: '1A',
    size: '205/55R16 91V',
    description: 'Michelin Alpin 6',
    set: 'Winter',
    customer: 'Garage Peeters',
    depth: null,
    axles: null,
  })),
  print: { layout: 'roll_57x32', site: 1, lang: 'dut', now: new Date('2026-11-20T10:00:00Z') },
})

/** A pool whose threads run this instead of drawing. */
const poolRunning = (program: string, limits: { hangTimeout?: number; memoryLimit?: number } = {}): PrintPool => {
  const pool = openPrintPool({
    threads: 1,
    workerUrl: new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${program}`)}`,
    ),
    ...limits,
  })
  onTestFinished(() => pool.close())
  return pool
}

const party = { site: 1, account: 1 }
const print = (pool: PrintPool, count = 4): Promise<string> => text(pool.print(party, labels(count)))
const pages = (base64: string): number =>
  Buffer.from(base64, 'base64').toString('latin1').split('/Type /Page\n').length - 1

/** The CPU time that this process needs for it, its threads included, in ms. What else the machine does is not in it. */
async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Another server on the same database, whose prints come from this pool. */
async function serveWith(pool?: PrintPool) {
  const database = openDatabase(at.appUrl)
  const app = await serve({ database, clock: () => at.clock.now, limits: null, ...(pool && { printPool: pool }) })
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  return app
}
const request = (
  app: Awaited<ReturnType<typeof serve>>,
  requested: readonly number[],
  headers: Record<string, string> = {},
) =>
  app.inject({
    method: 'POST',
    url: fleet.getTyreLabels.path,
    headers: { host: at.who.a.host, cookie: at.who.a.cookie ?? '', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ tyres: requested, report_id: 2 }),
  })

const fetchLabels = (address: string): Promise<Response> =>
  fetch(new URL(fleet.getTyreLabels.path, address), {
    method: 'POST',
    headers: { cookie: at.who.a.cookie ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ tyres, report_id: 2 }),
  })

test('one thread draws one print after the other, each complete', async () => {
  const pool = openPrintPool({ threads: 1 })
  onTestFinished(() => pool.close())
  const prints = await Promise.all([print(pool, 3), print(pool, 40), print(pool, 1)])
  expect(prints.map(pages)).toEqual([3, 40, 1])
})

test('a pool that is warmed up draws its first print faster than one that is not', { tags: 'whole' }, async () => {
  const pool = openPrintPool({ threads: 1 })
  onTestFinished(() => pool.close())
  pool.warmUp()
  // its thread draws one print after the other
  await print(pool, 1)
  const warm = await cpuTime(() => print(pool, 20))
  const cold = openPrintPool({ threads: 1 })
  onTestFinished(() => cold.close())
  expect(warm).toBeLessThan(await cpuTime(() => print(cold, 20)))
})

test('what cannot be drawn fails alone, with the message of the thread', async () => {
  const pool = openPrintPool({ threads: 1 })
  onTestFinished(() => pool.close())
  const job = labels(1)
  if (job.kind !== 'labels') throw new Error('not labels')
  const impossible: PrintJob = { ...job, tyres: job.tyres.map(tyre => ({ ...tyre, id: 36 ** 7 })) }
  await expect(text(pool.print(party, impossible))).rejects.toThrow('no tyre: 78364164096')
  expect(pages(await print(pool))).toBe(4)
})

test('a print whose reader has gone is cancelled, and the next one is drawn', async () => {
  const pool = openPrintPool({ threads: 1 })
  onTestFinished(() => pool.close())
  const abandoned = pool.print(party, labels(300))
  await new Promise(resolve => abandoned.once('data', resolve))
  abandoned.destroy()
  expect(pages(await print(pool))).toBe(4)
})

test('a thread that is told to cancel breaks its drawing off', async () => {
  const thread = new Worker(new URL('worker.ts', import.meta.url))
  onTestFinished(async () => void (await thread.terminate()))
  const ended = new Promise<WorkerMessage>(resolve => {
    thread.on('message', (message: WorkerMessage) => {
      if ('chunk' in message) thread.postMessage('cancel' satisfies WorkerOrder)
      else resolve(message)
    })
  })
  thread.postMessage(labels(3000))
  expect(await ended).not.toHaveProperty('done')
})

test('a thread that dies while drawing fails its print at once, and another draws the next', async () => {
  const dying = poolRunning(
    `parentPort.on('message', job => { parentPort.postMessage({ chunk: 'JVBERi0=' }); process.exit(1) })`,
  )
  await expect(print(dying)).rejects.toThrow('server.unavailable')
  await expect(print(dying)).rejects.toThrow('server.unavailable')
  const throwing = poolRunning(`parentPort.on('message', () => { throw new Error('no ink') })`)
  const failure = await print(throwing).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'server.unavailable', cause: { message: 'no ink' } })
})

test('a thread that exceeds its memory dies alone', async () => {
  const greedy = poolRunning(
    `parentPort.on('message', () => { const all = []; for (;;) all.push(Array.from({ length: 1e5 }, () => ({}))) })`,
    { memoryLimit: 32 },
  )
  const failure = await print(greedy).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'server.unavailable', cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
})

test('a thread that hangs is terminated', async () => {
  const hanging = poolRunning(`parentPort.on('message', () => { for (;;); })`, { hangTimeout: 200 })
  await expect(print(hanging)).rejects.toThrow('server.unavailable')
})

test('a pool that is closed fails what it draws', async () => {
  const pool = openPrintPool({ threads: 1 })
  const drawing = pool.print(party, labels(300))
  const read = text(drawing)
  read.catch(() => {})
  await new Promise(resolve => drawing.once('data', resolve))
  await pool.close()
  await expect(read).rejects.toThrow('server.unavailable')
})

test('a call whose thread dies before the answer began gets an error message', async () => {
  const app = await serveWith(poolRunning(`parentPort.on('message', () => process.exit(1))`))
  const reply = await request(app, tyres)
  expect(reply.statusCode).toBe(503)
  expect(reply.json()).toMatchObject({ code: 'server.unavailable' })
})

test('a long print is sent while it is drawn, and breaks off when its thread dies', async () => {
  const firstChunks = `for (let n = 0; n < 8; n++) parentPort.postMessage({ chunk: 'A'.repeat(16384) })`
  const app = await serveWith(
    poolRunning(`parentPort.on('message', () => { ${firstChunks}; setTimeout(() => process.exit(1), 100) })`),
  )
  const address = await app.listen({ port: 0 })
  const reply = await fetchLabels(address)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('wheelhouse-pages')).toBe(String(tyres.length))
  await expect(reply.text()).rejects.toThrow()
})

test('a print is the same JSON text, whole or in chunks, compressed or not', { tags: 'whole' }, async () => {
  const long = openPrintPool({ threads: 1 })
  onTestFinished(() => long.close())
  // four tyres requested, two hundred printed: more than is buffered
  const app = await serveWith({ ...long, print: account => long.print(account, labels(200)) })
  const plain = await request(app, tyres)
  expect(plain.headers['content-length']).toBeUndefined()
  expect(pages(plain.json<string>())).toBe(200)
  const compressed = await request(app, tyres, { 'accept-encoding': 'gzip' })
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(pages(JSON.parse(gunzipSync(compressed.rawPayload).toString()) as string)).toBe(200)
  const short = await serveWith()
  const whole = await request(short, tyres)
  expect(whole.headers['content-length']).toBeDefined()
  expect(pages(whole.json<string>())).toBe(tyres.length)
})

test('a server that stops finishes what is being printed, then terminates its threads', { tags: 'whole' }, async () => {
  const pool = openPrintPool({ threads: 1 })
  let closed = 0
  const begun = Promise.withResolvers<void>()
  const app = await serveWith({
    print(account) {
      begun.resolve()
      return pool.print(account, labels(200))
    },
    warmUp() {},
    async close() {
      closed++
      await pool.close()
    },
  })
  const printing = fetchLabels(await app.listen({ port: 0 })).then(reply => reply.json())
  await begun.promise
  await app.close()
  expect(pages((await printing) as string)).toBe(200)
  expect(closed).toBe(1)
})
