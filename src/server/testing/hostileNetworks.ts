/** Networks of strangers: connections that are reset, half sent, of TLS, or slow (docs/promises.md "Hostile networks"). */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'

export type Target = {
  readonly port: number
  readonly host: string
  readonly site: string
  readonly cookie?: string | null
}

/** The beginning of a TLS 1.2 connection, as a browser sends it that was given https:// and the port of http. */
const clientHello = Buffer.from(
  `16030100${(61).toString(16)}01000039${'0303'}${'ab'.repeat(32)}00${'0002'}${'1301'}0100000e${'000a00040002001d'}${'000b00020100'}`,
  'hex',
)

const slow = 'a slow body'

type Behaviour = (socket: Socket, target: Target, nth: number) => Promise<void> | void

const paths = ['/', '/health/ready', '/users/loginstate', '/live', '/assets/missing.js', '/nothing']
const head = ({ site, cookie }: Target, method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: ${site}\r\n${cookie ? `cookie: ${cookie}\r\n` : ''}${more}`

/** How strangers behave, by name. Each sends something and is gone; those that are slow hold on for `slowMs`. */
const behaviours = (slowMs: number): Readonly<Record<string, Behaviour>> => ({
  'a whole request, and a reset': async (socket, target, nth) => {
    socket.write(`${head(target, 'GET', paths[nth % paths.length] ?? '/')}\r\n`)
    // from before the request is read until after its answer
    if (nth % 4 > 0) await pause((nth % 4) * 2)
    socket.resetAndDestroy()
  },
  'several requests at once, and a reset': (socket, target) => {
    socket.write(`${head(target, 'GET', '/health/live')}\r\n`.repeat(20))
    socket.resetAndDestroy()
  },
  'half a header': async (socket, target, nth) => {
    socket.write(head(target, 'GET', '/').slice(0, 10 + (nth % 20)))
    await pause(nth % 5)
    if (nth % 2) socket.end()
    else socket.resetAndDestroy()
  },
  'half a body': async (socket, target, nth) => {
    const more = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"username":"'
    socket.write(head(target, 'POST', nth % 2 ? '/users/authenticate' : '/fleet/fetch', more))
    await pause(nth % 8)
    socket.resetAndDestroy()
  },
  'half a file': async (socket, target, nth) => {
    const more =
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 90000\r\n\r\n--x\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\nab'
    socket.write(head(target, 'POST', '/damages/addphoto', more))
    await pause(nth % 8)
    socket.resetAndDestroy()
  },
  'TLS on the port of http': async socket => {
    socket.write(clientHello)
    await pause(2)
    socket.end()
  },
  'bytes that mean nothing': socket => {
    socket.write(Buffer.from([0, 255, 254, 10, 13, 10, 13, 10]))
    socket.end()
  },
  [slow]: async (socket, target) => {
    socket.write(
      head(target, 'POST', '/users/authenticate', 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n'),
    )
    for (const begun = performance.now(); performance.now() - begun < slowMs && !socket.destroyed; await pause(100))
      socket.write(' ')
    socket.resetAndDestroy()
  },
})

type Order = { readonly target: Target; readonly count: number; readonly slowMs: number }

/**
 * Lets so many strangers connect, 64 at a time, in all the ways in turn. They are in a thread of their own: what resets is gone before the
 * server has a turn. @returns how many came, by the way they behaved
 */
export async function attack(
  target: Target,
  { count, slowMs = 1000 }: { readonly count: number; readonly slowMs?: number },
): Promise<ReadonlyMap<string, number>> {
  const strangers = new Worker(new URL(import.meta.url), { workerData: { target, count, slowMs } satisfies Order })
  const [came] = (await once(strangers, 'message')) as [ReadonlyMap<string, number>]
  await once(strangers, 'exit')
  return came
}

async function attackHere({ target, count, slowMs }: Order): Promise<ReadonlyMap<string, number>> {
  const ways = Object.entries(behaviours(slowMs))
  const came = new Map<string, number>()
  let next = 0
  const one = async (): Promise<void> => {
    for (let nth = next++; nth < count; nth = next++) {
      const [name, behave] = ways[nth % ways.length] as (typeof ways)[number]
      // a slow one takes as long as a thousand of the others
      const quick = name === slow && nth % (ways.length * 16) >= ways.length
      const socket = connect(target.port, target.host)
      socket.on('error', () => {})
      socket.resume()
      const connected = await new Promise<boolean>(resolve => {
        socket.once('connect', () => resolve(true))
        socket.once('close', () => resolve(false))
      })
      if (connected) await (quick ? behaviours(0)[name] : behave)?.(socket, target, nth)
      came.set(name, (came.get(name) ?? 0) + 1)
      setTimeout(() => socket.destroy(), 1000).unref()
    }
  }
  await Promise.all(Array.from({ length: 64 }, one))
  return came
}

if (workerData !== null && typeof workerData === 'object' && 'slowMs' in workerData) {
  const came = await attackHere(workerData as Order)
  parentPort?.postMessage(came)
  parentPort?.close()
}

/**
 * The negative control: attacks a server that counts requests by their address, as the portal does, also those of clients that have gone.
 * @returns its lines of errors
 */
export async function attackUnguarded(): Promise<readonly unknown[]> {
  // not at the top, for the thread of the strangers, which loads this file, too
  const [{ default: fastify }, { default: rateLimit }] = await Promise.all([
    import('fastify'),
    import('@fastify/rate-limit'),
  ])
  let log = ''
  const bare = fastify({ logger: { level: 'warn', stream: { write: line => void (log += line) } } })
  await bare.register(rateLimit, { max: 1e9 })
  bare.get('/', async () => 'here')
  try {
    await bare.listen({ host: '127.0.0.1', port: 0 })
    const { port } = bare.server.address() as AddressInfo
    await attack({ port, host: '127.0.0.1', site: 'home.test' }, { count: 200, slowMs: 0 })
    return linesFrom(log, 50)
  } finally {
    await bare.close()
  }
}

/** The lines of a log from a level on. */
export const linesFrom = (log: string, level: number): Record<string, unknown>[] =>
  log
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .filter(line => Number(line.level) >= level)
