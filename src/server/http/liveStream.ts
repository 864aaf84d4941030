/**
 * `GET /live`: live changes as server-sent events `{ paths, from }`, for signed-in users of the site. `?age=` is how long ago the page
 * began to load, in ms: what has changed since is sent first.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Failure } from '#domain/failure.ts'
import type { Who } from '../features/handler.ts'
import type { Live } from './live.ts'

/** The least time between two events to a page, in ms: ten scanners must not make it load without end. */
const minInterval = 700
/** Often enough that no proxy closes the connection, in ms. */
const heartbeat = 25_000
/** A stream with this many unread bytes is closed. The page reconnects and refetches everything. */
const maxUnread = 64 * 1024
const maxStreamsOfAccount = 20

type Options = {
  readonly live: Live
  /** The signed-in user of the request, or `null`. */
  whoOf(request: FastifyRequest): Promise<Who | null>
  /** Looks up the sessions of an account again. */
  invalidate(account: number): void
}

type Open = { readonly account: number; readonly stream: PassThrough; endWithSession(): void }

export function mountLive(app: FastifyInstance, { live, whoOf, invalidate }: Options): void {
  const open = new Set<Open>()
  live.onSessionsChanged(account => {
    invalidate(account)
    for (const one of open) if (one.account === account) one.endWithSession()
  })
  app.get('/live', async (request, reply) => {
    const who = await whoOf(request)
    if (!who) throw new Failure('session.missing')
    if ([...open].filter(({ account }) => account === who.account).length >= maxStreamsOfAccount)
      throw new Failure('request.too_many', { seconds: 60 })
    const { age } = asked(request)
    const stream = new PassThrough()
    const endWithSession = (): void =>
      void whoOf(request).then(
        now => now?.account === who.account || stream.end(),
        () => stream.end(),
      )
    const one = { account: who.account, stream, endWithSession }
    open.add(one)
    const write = (text: string): void => {
      if (stream.writableLength > maxUnread) stream.destroy()
      // an ended stream closes only when its reader has had the rest
      else if (!stream.writableEnded) stream.write(text)
    }
    const throttled = throttle(events => {
      for (const event of events) write(`data: ${JSON.stringify(event)}\n\n`)
    })
    write('retry: 2000\n\n')
    const stop = live.listen(who, (paths, from) => throttled.send({ paths, from }), age)
    const beating = setInterval(() => {
      write(': here\n\n')
      // a session also ends by its age
      endWithSession()
    }, heartbeat)
    stream.once('close', () => {
      stop()
      throttled.stop()
      clearInterval(beating)
      open.delete(one)
    })
    request.raw.once('close', () => stream.destroy())
    return reply
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(stream)
  })
  // a stream never ends by itself, and closing the server waits for open requests
  app.addHook('preClose', async () => {
    for (const { stream } of open) stream.end()
  })
}

const query = z.object({ age: z.coerce.number().int().min(0).default(0) })

/** @throws Failure `request.invalid` */
function asked(request: FastifyRequest): z.output<typeof query> {
  const parsed = query.safeParse(request.query)
  if (!parsed.success) throw new Failure('request.invalid', { fields: ['age'] })
  return parsed.data
}

type Event = { readonly paths: readonly string[]; readonly from: string }

/** Sends the first event at once, and those that follow together after `minInterval`, one for each page that made them. */
function throttle(send: (events: Event[]) => void): { send(event: Event): void; stop(): void } {
  let waiting: Event[] = []
  let resting: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    resting = undefined
    if (waiting.length === 0) return
    const groups = Map.groupBy(waiting, event => event.from)
    waiting = []
    resting = setTimeout(flush, minInterval)
    send([...groups].map(([from, group]) => ({ from, paths: [...new Set(group.flatMap(event => event.paths))] })))
  }
  return {
    send(event) {
      waiting.push(event)
      if (!resting) flush()
    },
    stop() {
      clearTimeout(resting)
      waiting = []
    },
  }
}
