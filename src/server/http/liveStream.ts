/**
 * `GET /live`: live changes as server-sent events (`LiveEvent`), for signed-in users of the site. `?age=` is how long ago the page began to
 * load, in ms: what has changed since is sent first.
 */
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Failure } from '#domain/failure.ts'
import type { Database } from '../db/database.ts'
import type { Who } from '../features/handler.ts'
import type { Live } from './live.ts'
import { asEvent, audienceKey, eventsByPage, openGroups } from './liveGroups.ts'
import type { RequestQueues } from './queues.ts'

/** Often enough that no proxy closes the connection, in ms. */
const heartbeat = 25_000
/** A stream with this many unread bytes is closed. The page reconnects and refetches everything. */
const maxUnread = 64 * 1024
const maxStreamsOfAccount = 20

type Options = {
  readonly live: Live
  readonly database: Database
  readonly queues: RequestQueues | null
  /** The signed-in user of the request, or `null`. */
  whoOf(request: FastifyRequest): Promise<Who | null>
  /** Looks up the sessions of an account again. */
  invalidate(account: number): void
}

type Open = { readonly account: number; readonly stream: PassThrough; endWithSession(): void }

export function mountLive(app: FastifyInstance, { live, database, queues, whoOf, invalidate }: Options): void {
  const open = new Set<Open>()
  const groups = openGroups({ live, database, queues })
  let sessionChanges = 0
  live.onSessionsChanged(account => {
    sessionChanges++
    invalidate(account)
    for (const page of open) if (page.account === account) page.endWithSession()
  })
  app.get('/live', async (request, reply) => {
    const before = sessionChanges
    const who = await whoOf(request)
    if (!who) throw new Failure('session.missing')
    if ([...open].filter(({ account }) => account === who.account).length >= maxStreamsOfAccount)
      throw new Failure('request.too_many', { seconds: 60 })
    const { age } = queryOf(request)
    const stream = new PassThrough()
    const endWithSession = (): void =>
      void whoOf(request).then(
        now => isSame(now, who) || stream.end(),
        () => stream.end(),
      )
    const page = { account: who.account, stream, endWithSession }
    open.add(page)
    const write = (text: string | Buffer): void => {
      if (stream.writableLength > maxUnread) stream.destroy()
      // an ended stream closes only when its reader has had the rest
      else if (!stream.writableEnded) stream.write(text)
    }
    write('retry: 2000\n\n')
    // read and joined at once: nothing comes between
    for (const event of eventsByPage(live.missed(who, age))) write(asEvent(JSON.stringify(event)))
    const leave = groups.join(who, { write })
    // it may have ended while it was looked up
    if (sessionChanges !== before) endWithSession()
    const beating = setInterval(() => {
      write(': here\n\n')
      // a session also ends by its age
      endWithSession()
    }, heartbeat)
    stream.once('close', () => {
      leave()
      clearInterval(beating)
      open.delete(page)
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

/** Whether a session is still that of somebody who may see the same. */
const isSame = (now: Who | null, who: Who): boolean =>
  now?.account === who.account && audienceKey(now) === audienceKey(who)

const query = z.object({ age: z.coerce.number().int().min(0).default(0) })

/** @throws Failure `request.invalid` */
function queryOf(request: FastifyRequest): z.output<typeof query> {
  const parsed = query.safeParse(request.query)
  if (!parsed.success) throw new Failure('request.invalid', { fields: ['age'] })
  return parsed.data
}
