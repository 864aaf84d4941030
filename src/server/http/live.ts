/**
 * Live changes between nodes (docs/decisions/0013). A call that was answered invalidates answers of other calls. Only that is sent,
 * to this node's pages and to the other nodes, never data: each page asks again under its own rights.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Audience, Who } from '../features/handler.ts'
import { openRecentChanges } from './recentChanges.ts'

/** These calls have other answers at this site from now on. */
export type Change = {
  readonly site: number
  readonly audience: Audience
  readonly paths: readonly string[]
  /** The page that made the change; empty if unknown. */
  readonly from: string
}

type Listener = { readonly who: Who; receive(paths: readonly string[], from: string): void }

export type Live = {
  /** Publishes a change whose transaction is committed. Never fails and never waits. */
  publish(change: Change): void
  /**
   * Calls `receive` with the changes that an account may know of: those of the last so many ms, which its page may have missed while it
   * loaded, and all that come. Returns how to stop.
   */
  listen(who: Who, receive: Listener['receive'], age?: number): () => void
  /** Notifies every node that sessions of an account ended or changed. Never fails and never waits. */
  sessionsChanged(account: number): void
  /** Calls `receive` with the accounts whose sessions changed, on whatever node. */
  onSessionsChanged(receive: (account: number) => void): void
  /** Whether this node receives the changes of other nodes. */
  connected(): boolean
  /** Since when it has received all of them, by `performance.now()`; `null` while it receives none. */
  connectedSince(): number | null
  /** How many pages listen on this node. */
  readonly listeners: () => number
  close(): Promise<void>
}

const channel = 'wheelhouse_live'
/** Apart from the changes of answers: a node of a version without it does not listen. */
const sessionChannel = 'wheelhouse_sessions'
/** Changes within this time are sent to the other nodes together: each notification is a commit. */
const batchInterval = 50
/** A notification of PostgreSQL has less than 8,000 bytes. */
const maxBatchBytes = 7500
/** Waits before the next attempts to connect, in ms. */
const reconnectAfter = [200, 1000, 3000, 10_000]

/** Every answer may have changed: sent after a time in which changes could be missed. */
export const everything: readonly string[] = ['*']

/**
 * Connects this node to the others, on a database connection of its own. It must not go through a pooler in transaction mode.
 * While the connection is lost, the pages of this node still get each other's changes; afterwards all of them get `everything`.
 */
export function openLive(
  url: string,
  {
    log = () => {},
    onChange = () => {},
  }: {
    log?: (error: unknown) => void
    /** Gets every change, of this node and of the others. */
    onChange?: (change: Change) => void
  } = {},
): Live {
  const node = randomUUID()
  const listeners = new Map<number, Set<Listener>>()
  const sessionListeners: ((account: number) => void)[] = []
  const recent = openRecentChanges<Change>()
  let waiting: Change[] = []
  let batching: ReturnType<typeof setTimeout> | undefined
  let sending = Promise.resolve()
  let client: pg.Client | null = null
  let since = 0
  let closed = false
  let attempts = 0
  let reconnecting: ReturnType<typeof setTimeout> | undefined

  const tell = ({ who, receive }: Listener, { audience, paths, from }: Change): void => {
    if (who.type !== 'user' || audience === 'everyone' || audience === who.customer) receive(paths, from)
  }
  const deliver = (change: Change): void => {
    onChange(change)
    recent.add(change)
    for (const listener of listeners.get(change.site) ?? []) tell(listener, change)
  }
  const deliverEverything = (): void => {
    for (const site of listeners.keys()) deliver({ site, audience: 'everyone', paths: everything, from: '' })
  }

  const deliverSessions = (account: number): void => {
    for (const receive of sessionListeners) receive(account)
  }

  async function connect(): Promise<void> {
    const connecting = new pg.Client({
      connectionString: url,
      application_name: 'wheelhouse live',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    })
    const reconnect = (cause?: Error): void => {
      if (client !== connecting && client !== null) return
      client = null
      void connecting.end().catch(() => {})
      if (closed || reconnecting) return
      if (cause) log(cause)
      reconnecting = setTimeout(
        () => {
          reconnecting = undefined
          void connect()
        },
        reconnectAfter[Math.min(attempts++, reconnectAfter.length - 1)],
      )
    }
    connecting.on('error', reconnect)
    connecting.on('end', () => reconnect())
    connecting.on('notification', ({ channel: heard, payload }) => {
      if (heard === sessionChannel) return deliverSessions(Number(payload))
      const [sender, changes] = JSON.parse(payload ?? '[]') as [string, Change[]]
      // this node's own changes were delivered when they were published
      if (sender !== node) for (const change of changes) deliver(change)
    })
    try {
      await connecting.connect()
      await connecting.query(`listen ${channel}; listen ${sessionChannel}`)
    } catch (error) {
      reconnect(error as Error)
      return
    }
    if (closed) {
      await connecting.end()
      return
    }
    client = connecting
    since = performance.now()
    if (attempts > 0) deliverEverything()
    attempts = 0
  }

  /** Sends what waits, after the batch before it. */
  const send = (): void => {
    batching = undefined
    sending = sending.then(flush).catch(log)
  }

  async function flush(): Promise<void> {
    const batches = split(merge(waiting))
    waiting = []
    for (const batch of batches)
      await client?.query('select pg_notify($1, $2)', [channel, JSON.stringify([node, batch])])
  }

  const opening = connect()
  return {
    publish(change) {
      if (change.paths.length === 0) return
      deliver(change)
      waiting.push(change)
      batching ??= setTimeout(send, batchInterval)
    },
    listen(who, receive, age = 0) {
      const listener = { who, receive }
      const site = who.site ?? 0
      const ofSite = listeners.get(site) ?? new Set()
      listeners.set(site, ofSite.add(listener))
      for (const change of recent.ofSite(site, age)) tell(listener, change)
      return () => {
        ofSite.delete(listener)
        if (ofSite.size === 0) listeners.delete(site)
      }
    },
    sessionsChanged(account) {
      deliverSessions(account)
      sending = sending
        .then(async () => void (await client?.query('select pg_notify($1, $2)', [sessionChannel, String(account)])))
        .catch(log)
    },
    onSessionsChanged: receive => void sessionListeners.push(receive),
    connected: () => client !== null,
    connectedSince: () => (client === null ? null : since),
    listeners: () => [...listeners.values()].reduce((sum, ofSite) => sum + ofSite.size, 0),
    async close() {
      closed = true
      clearTimeout(batching)
      clearTimeout(reconnecting)
      await opening
      send()
      await sending
      await client?.end().catch(() => {})
    },
  }
}

/** Changes with the same audience and from the same page become one. */
function merge(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes, ({ site, audience, from }) => `${site} ${audience} ${from}`)
  return [...groups.values()].flatMap(group =>
    group[0] ? [{ ...group[0], paths: [...new Set(group.flatMap(change => change.paths))] }] : [],
  )
}

/** Batches that fit a notification. */
function split(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = []
  let size = 0
  for (const change of changes) {
    const bytes = JSON.stringify(change).length + 1
    if (batches.length === 0 || size + bytes > maxBatchBytes) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(change)
    size += bytes
  }
  return batches
}
