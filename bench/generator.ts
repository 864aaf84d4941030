/**
 * The load generator, a process of its own: keep-alive connections that send the next request as soon as one is answered. It shares
 * the two cores with what it measures, as pgbench does, so it speaks HTTP over plain sockets and reads only status and length of an
 * answer.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { cookieOf, host, type Shape } from './data.ts'
import { jobOf, type Request } from './jobs.ts'

/** A task of the generator. */
export type Task = {
  readonly job: string
  readonly port: number
  readonly shape: Shape
  readonly connections: number
  /** The longest duration, and the most requests on each connection, whichever ends first. */
  readonly seconds: number
  readonly times: number
  readonly headers?: Readonly<Record<string, string>>
  /** Requests as they go over the socket, sent in turn instead of the job's own. */
  readonly raw?: readonly string[]
}

export type Load = {
  readonly requests: number
  readonly seconds: number
  /** Of an answer, on average. */
  readonly bytes: number
  /** In ms. */
  readonly p50: number
  readonly p99: number
}

const encode = ({ account, path, body, idempotent }: Request, headers: string): string => {
  const text = JSON.stringify(body)
  const key = idempotent ? `idempotency-key: ${randomUUID()}\r\n` : ''
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookieOf(account)}\r\ncontent-type: application/json\r\n${key}${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** Sends requests on one connection; each resolves with the length of the answer's body. Anything but 200 and 304 is an error. */
function openRequester(socket: Socket): (request: string) => Promise<number> {
  let answer = Promise.withResolvers<number>()
  let head: Buffer | null = null
  let left = -1
  let length = 0
  const fail = (error: Error) => answer.reject(error)
  socket.setNoDelay(true)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    if (left >= 0) left -= chunk.length
    else {
      head = head ? Buffer.concat([head, chunk]) : chunk
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      const bodyLength = /content-length: (\d+)/i.exec(text)?.[1] ?? (text.startsWith('HTTP/1.1 304') ? '0' : undefined)
      if (!/^HTTP\/1\.1 (200|304) /.test(text) || bodyLength === undefined) {
        fail(new Error(head.toString('utf8').slice(0, 1000)))
        return
      }
      length = Number(bodyLength)
      left = length - (head.length - end - 4)
      head = null
    }
    if (left > 0) return
    left = -1
    answer.resolve(length)
  })
  return request => {
    answer = Promise.withResolvers<number>()
    socket.write(request)
    return answer.promise
  }
}

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

async function generate({
  job: name,
  port,
  shape,
  connections,
  seconds,
  times,
  headers = {},
  raw,
}: Task): Promise<Load> {
  const job = jobOf(name)
  const lines = Object.entries(headers)
    .map(([header, value]) => `${header}: ${value}\r\n`)
    .join('')
  const sockets = Array.from({ length: connections }, () => connect({ host: '127.0.0.1', port }))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const taken: number[] = []
  let bytes = 0
  const begun = performance.now()
  const deadline = begun + seconds * 1000
  try {
    await Promise.all(
      sockets.map(async (socket, connection) => {
        const send = openRequester(socket)
        for (let nth = 0; nth < times; nth++) {
          const sent = performance.now()
          if (sent >= deadline) break
          const length = await send(
            raw?.[(connection + nth * connections) % raw.length] ??
              encode(job.request(connection, nth, shape, connections), lines),
          )
          taken.push(performance.now() - sent)
          bytes += length
        }
      }),
    )
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const ended = performance.now()
  const sorted = Float64Array.from(taken).sort()
  return {
    requests: taken.length,
    seconds: (ended - begun) / 1000,
    bytes: bytes / taken.length,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
  }
}

process.on('message', (task: Task) => {
  generate(task).then(
    load => process.send?.({ load }),
    (error: Error) => process.send?.({ failed: error.message }),
  )
})
