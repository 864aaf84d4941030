/** The press: what is drawn in threads comes whole, and a thread that dies, hangs or is not wanted any more is no hang. */
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { openDatabase } from '../db/database.ts'
import { openPress, type Job, type Press } from './pool.ts'
import { serve } from '../http/serve.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let tyres: number[]
beforeAll(async () => {
  at = await world()
  // the address of a server that listens
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    await at.query(`insert into site_address (host, site_id) values ($1, $2)`, [host, at.sites.home])
  tyres = []
  for (const nth of [1, 2]) {
    const vehicle = await at.addVehicle({ plate: `1PRS00${nth}` })
    tyres.push(...(await at.addSet({ vehicle })))
  }
})
afterAll(() => at.close())

const labels = (count: number): Job => ({
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

/** A press whose threads run this instead of drawing. */
const pressOf = (program: string, limits: { silence?: number; memory?: number } = {}): Press => {
  const press = openPress({
    threads: 1,
    program: new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${program}`)}`,
    ),
    ...limits,
  })
  onTestFinished(() => press.close())
  return press
}

const print = (press: Press, count = 4): Promise<string> => text(press.print(1, labels(count)))
const pages = (base64: string): number =>
  Buffer.from(base64, 'base64').toString('latin1').split('/Type /Page\n').length - 1

/** Another server on the same database, whose prints come from this press. */
async function serveWith(press?: Press) {
  const database = openDatabase(at.appUrl)
  const app = await serve({ database, clock: () => at.clock.now, limits: null, ...(press && { press }) })
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  return app
}
const ask = (app: Awaited<ReturnType<typeof serve>>, asked: readonly number[], headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: fleet.getTyreLabels.path,
    headers: { host: at.who.a.host, cookie: at.who.a.cookie ?? '', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ tyres: asked, report_id: 2 }),
  })

const fetched = (address: string): Promise<Response> =>
  fetch(new URL(fleet.getTyreLabels.path, address), {
    method: 'POST',
    headers: { cookie: at.who.a.cookie ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ tyres, report_id: 2 }),
  })

test('one thread draws one print after the other, each whole', async () => {
  const press = openPress({ threads: 1 })
  onTestFinished(() => press.close())
  const prints = await Promise.all([print(press, 3), print(press, 40), print(press, 1)])
  expect(prints.map(pages)).toEqual([3, 40, 1])
})

test('a press that is warm draws the first print no slower than the next', async () => {
  const press = openPress({ threads: 1 })
  onTestFinished(() => press.close())
  press.warm()
  // its thread does one after the other
  await print(press, 1)
  const begun = performance.now()
  await print(press, 20)
  const warm = performance.now() - begun
  const cold = openPress({ threads: 1 })
  onTestFinished(() => cold.close())
  const again = performance.now()
  await print(cold, 20)
  expect(warm).toBeLessThan(performance.now() - again)
})

test('what cannot be drawn fails alone, in the words of whoever draws', async () => {
  const press = openPress({ threads: 1 })
  onTestFinished(() => press.close())
  const [job] = [labels(1)]
  if (job.kind !== 'labels') throw new Error('not labels')
  const impossible: Job = { ...job, tyres: job.tyres.map(tyre => ({ ...tyre, id: 36 ** 7 })) }
  await expect(text(press.print(1, impossible))).rejects.toThrow('no tyre: 78364164096')
  expect(pages(await print(press))).toBe(4)
})

test('a print that nobody reads any more ends, and the next one is drawn', async () => {
  const press = openPress({ threads: 1 })
  onTestFinished(() => press.close())
  const left = press.print(1, labels(300))
  await new Promise(resolve => left.once('data', resolve))
  const begun = performance.now()
  left.destroy()
  expect(pages(await print(press))).toBe(4)
  const rest = performance.now() - begun
  const whole = performance.now()
  await print(press, 300)
  expect(rest).toBeLessThan((performance.now() - whole) / 2)
})

test('a thread that ends in the middle fails its print at once, and another takes the next', async () => {
  const dies = pressOf(
    `parentPort.on('message', job => { parentPort.postMessage({ piece: 'JVBERi0=' }); process.exit(1) })`,
  )
  await expect(print(dies)).rejects.toThrow('server.unavailable')
  await expect(print(dies)).rejects.toThrow('server.unavailable')
  const throws = pressOf(`parentPort.on('message', () => { throw new Error('no ink') })`)
  const failure = await print(throws).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'server.unavailable', cause: { message: 'no ink' } })
})

test('a thread that takes all the memory there is dies alone', async () => {
  const eats = pressOf(
    `parentPort.on('message', () => { const all = []; for (;;) all.push(Array.from({ length: 1e5 }, () => ({}))) })`,
    { memory: 32 },
  )
  const failure = await print(eats).catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'server.unavailable', cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
})

test('a thread that says nothing is ended', async () => {
  const mute = pressOf(`parentPort.on('message', () => { for (;;); })`, { silence: 200 })
  await expect(print(mute)).rejects.toThrow('server.unavailable')
})

test('a press that is closed ends what it draws', async () => {
  const press = openPress({ threads: 1 })
  const drawing = press.print(1, labels(300))
  const read = text(drawing)
  read.catch(() => {})
  await new Promise(resolve => drawing.once('data', resolve))
  await press.close()
  await expect(read).rejects.toThrow('server.unavailable')
})

test('a call whose thread dies is refused in words while nothing was answered yet', async () => {
  const app = await serveWith(pressOf(`parentPort.on('message', () => process.exit(1))`))
  const reply = await ask(app, tyres)
  expect(reply.statusCode).toBe(503)
  expect(reply.json()).toMatchObject({ code: 'server.unavailable' })
})

test('a long print goes out while it is drawn, and breaks off when its thread dies', async () => {
  const half = `for (let n = 0; n < 8; n++) parentPort.postMessage({ piece: 'A'.repeat(16384) })`
  const app = await serveWith(
    pressOf(`parentPort.on('message', () => { ${half}; setTimeout(() => process.exit(1), 100) })`),
  )
  const address = await app.listen({ port: 0 })
  const reply = await fetched(address)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('wheelhouse-pages')).toBe(String(tyres.length))
  await expect(reply.text()).rejects.toThrow()
})

test('a print is the same JSON text, whole or in pieces, packed or not', async () => {
  const long = openPress({ threads: 1 })
  onTestFinished(() => long.close())
  // four tyres asked for, two hundred printed: longer than what is held
  const app = await serveWith({ ...long, print: account => long.print(account, labels(200)) })
  const plain = await ask(app, tyres)
  expect(plain.headers['content-length']).toBeUndefined()
  expect(pages(plain.json<string>())).toBe(200)
  const packed = await ask(app, tyres, { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(pages(JSON.parse(gunzipSync(packed.rawPayload).toString()) as string)).toBe(200)
  const short = await serveWith()
  const whole = await ask(short, tyres)
  expect(whole.headers['content-length']).toBeDefined()
  expect(pages(whole.json<string>())).toBe(tyres.length)
})

test('a server that stops finishes what is being printed, then ends its threads', async () => {
  const press = openPress({ threads: 1 })
  let closed = 0
  const begun = Promise.withResolvers<void>()
  const app = await serveWith({
    print(account) {
      begun.resolve()
      return press.print(account, labels(200))
    },
    warm() {},
    async close() {
      closed++
      await press.close()
    },
  })
  const printing = fetched(await app.listen({ port: 0 })).then(reply => reply.json())
  await begun.promise
  await app.close()
  expect(pages((await printing) as string)).toBe(200)
  expect(closed).toBe(1)
})
