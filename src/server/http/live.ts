/**
 * Live changes: what somebody changes shows on the screens of others, on this node and on every other one
 * (docs/decisions/0013). A call that was answered makes answers of other calls stale; that is told, never the data itself:
 * whoever hears it asks again under their own rights.
 */
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'
import { Failure } from '#domain/failure.ts'
import type { Audience, Who } from '../features/handler.ts'

/** These calls at this site would now be answered differently. */
export type Change = {
  readonly site: number
  readonly audience: Audience
  readonly paths: readonly string[]
  /** The open page that made it and knows already; empty when it did not say. */
  readonly from: string
}

type Listener = { readonly who: Who; hear(paths: readonly string[], from: string): void }

export type Live = {
  /** Tells a change, once its transaction is committed. Never fails and never waits. */
  tell(change: Change): void
  /** Hears changes for an account from now on; the answer ends that. */
  listen(who: Who, hear: Listener['hear']): () => void
  /** Whether this node hears the others. */
  connected(): boolean
  /** Since when it has heard all that they told, by `performance.now()`; `null` while it does not. */
  hearsSince(): number | null
  /** How many pages listen on this node. */
  readonly listeners: () => number
  close(): Promise<void>
}

const channel = 'wheelhouse_live'
/** Changes of so many milliseconds travel to the other nodes together: a notification is a commit of its own. */
const together = 50
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const bytesAtMost = 7500
const retryAfter = [200, 1000, 3000, 10_000]

/** Everything may have changed: said after a time in which changes could be missed. */
export const everything: readonly string[] = ['*']

/**
 * Opens the ear of this node on a database connection of its own (not through a pooler by transactions, which would lose
 * it). While that connection is lost the pages of this node still hear each other, and all of them are told afterwards that
 * everything may have changed.
 */
export function openLive(
  url: string,
  {
    log = () => {},
    heard = () => {},
  }: {
    log?: (error: unknown) => void
    /** Hears every change, of this node and of the others. */
    heard?: (change: Change) => void
  } = {},
): Live {
  const node = randomUUID()
  const listeners = new Map<number, Set<Listener>>()
  let waiting: Change[] = []
  let sending: ReturnType<typeof setTimeout> | undefined
  let saying = Promise.resolve()
  let client: pg.Client | null = null
  let since = 0
  let closed = false
  let tries = 0
  let again: ReturnType<typeof setTimeout> | undefined

  const deliver = (change: Change): void => {
    const { site, audience, paths, from } = change
    heard(change)
    for (const listener of listeners.get(site) ?? [])
      if (listener.who.type !== 'user' || audience === 'everyone' || audience === listener.who.customer)
        listener.hear(paths, from)
  }
  const deliverEverything = (): void => {
    for (const site of listeners.keys()) deliver({ site, audience: 'everyone', paths: everything, from: '' })
  }

  async function connect(): Promise<void> {
    const connecting = new pg.Client({
      connectionString: url,
      application_name: 'wheelhouse live',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    const lost = (cause?: Error): void => {
      if (client !== connecting && client !== null) return
      client = null
      void connecting.end().catch(() => {})
      if (closed || again) return
      if (cause) log(cause)
      again = setTimeout(
        () => {
          again = undefined
          void connect()
        },
        retryAfter[Math.min(tries++, retryAfter.length - 1)],
      )
    }
    connecting.on('error', lost)
    connecting.on('end', () => lost())
    connecting.on('notification', ({ payload }) => {
      const [sender, changes] = JSON.parse(payload ?? '[]') as [string, Change[]]
      // our own were delivered when they were told
      if (sender !== node) for (const change of changes) deliver(change)
    })
    try {
      await connecting.connect()
      await connecting.query(`listen ${channel}`)
    } catch (error) {
      lost(error as Error)
      return
    }
    if (closed) {
      await connecting.end()
      return
    }
    client = connecting
    since = performance.now()
    if (tries > 0) deliverEverything()
    tries = 0
  }

  /** One after the other: a connection says one thing at a time. */
  const send = (): void => {
    sending = undefined
    saying = saying.then(flush).catch(log)
  }

  async function flush(): Promise<void> {
    const parts = parted(merged(waiting))
    waiting = []
    for (const part of parts) await client?.query('select pg_notify($1, $2)', [channel, JSON.stringify([node, part])])
  }

  const opening = connect()
  return {
    tell(change) {
      if (change.paths.length === 0) return
      deliver(change)
      waiting.push(change)
      sending ??= setTimeout(send, together)
    },
    listen(who, hear) {
      const listener = { who, hear }
      const site = who.site ?? 0
      const there = listeners.get(site) ?? new Set()
      listeners.set(site, there.add(listener))
      return () => {
        there.delete(listener)
        if (there.size === 0) listeners.delete(site)
      }
    },
    connected: () => client !== null,
    hearsSince: () => (client === null ? null : since),
    listeners: () => [...listeners.values()].reduce((sum, there) => sum + there.size, 0),
    async close() {
      closed = true
      clearTimeout(sending)
      clearTimeout(again)
      await opening
      send()
      await saying
      await client?.end().catch(() => {})
    },
  }
}

/** Changes for the same ears and from the same page as one. */
function merged(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes, ({ site, audience, from }) => `${site} ${audience} ${from}`)
  return [...groups.values()].flatMap(group =>
    group[0] ? [{ ...group[0], paths: [...new Set(group.flatMap(change => change.paths))] }] : [],
  )
}

/** In parts that fit a notification. */
function parted(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = []
  let size = 0
  for (const change of changes) {
    const bytes = JSON.stringify(change).length + 1
    if (parts.length === 0 || size + bytes > bytesAtMost) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(change)
    size += bytes
  }
  return parts
}

/** A page hears at once, and then at most once in so many milliseconds: ten scanners must not make it load without end. */
const breath = 700
/** Often enough that no proxy takes the connection for dead. */
const heartbeat = 25_000
/** A page that does not read is let go: it comes back and loads anew. */
const unreadAtMost = 64 * 1024
const pagesOfAccount = 20

type Ears = {
  readonly live: Live
  /** Whose session the request carries, `null` when it has none, or not here. */
  whoOf(request: FastifyRequest): Promise<Who | null>
}

/** `GET /live`: a stream of server-sent events `{ paths, from }` for whoever is signed in at the site. */
export function mountLive(app: FastifyInstance, { live, whoOf }: Ears): void {
  const open = new Map<PassThrough, number>()
  app.get('/live', async (request, reply) => {
    const who = await whoOf(request)
    if (!who) throw new Failure('session.missing')
    if ([...open.values()].filter(account => account === who.account).length >= pagesOfAccount)
      throw new Failure('request.too_many', { seconds: 60 })
    const stream = new PassThrough()
    open.set(stream, who.account)
    const write = (text: string): void => {
      if (stream.writableLength > unreadAtMost) stream.destroy()
      // one that was ended is not over before its reader has had the rest
      else if (!stream.writableEnded) stream.write(text)
    }
    const speak = inBreaths(changes => {
      for (const change of changes) write(`data: ${JSON.stringify(change)}\n\n`)
    })
    const stop = live.listen(who, (paths, from) => speak.say({ paths, from }))
    const beating = setInterval(() => {
      write(': here\n\n')
      // a session that ended meanwhile hears nothing more
      whoOf(request).then(
        still => still?.account === who.account || stream.end(),
        () => stream.end(),
      )
    }, heartbeat)
    stream.once('close', () => {
      stop()
      speak.stop()
      clearInterval(beating)
      open.delete(stream)
    })
    request.raw.once('close', () => stream.destroy())
    write('retry: 2000\n\n')
    return reply
      .type('text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(stream)
  })
  // a stream never ends by itself, and a portal that stops waits for what is under way
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end()
  })
}

type Heard = { paths: readonly string[]; from: string }

/** Says the first at once and what follows together, a breath later. */
function inBreaths(say: (changes: Heard[]) => void): { say(change: Heard): void; stop(): void } {
  let held: Heard[] = []
  let resting: ReturnType<typeof setTimeout> | undefined
  const breathe = (): void => {
    resting = undefined
    if (held.length === 0) return
    const groups = Map.groupBy(held, change => change.from)
    held = []
    resting = setTimeout(breathe, breath)
    say([...groups].map(([from, group]) => ({ from, paths: [...new Set(group.flatMap(change => change.paths))] })))
  }
  return {
    say(change) {
      held.push(change)
      if (!resting) breathe()
    },
    stop() {
      clearTimeout(resting)
      held = []
    },
  }
}
