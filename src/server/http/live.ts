/**
 * Live changes between nodes (docs/decisions/0074). A call that was answered invalidates answers of other calls, or rows of them. Only that
 * is sent, to this node's pages and to the other nodes, never data.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { maxChangedOperations } from '#contract/live.ts'
import { superusers, type Audience, type Who } from '../features/handler.ts'
import { openRecentChanges } from './recentChanges.ts'

/** These calls have other answers at this site from now on. */
export type Change = {
  readonly site: number
  readonly audience: Audience
  readonly paths: readonly string[]
  /** The page that made the change; empty if unknown. */
  readonly from: string
  /** Lists at these paths differ in the rows of these operations only. A node of an earlier version takes them to differ as a whole. */
  readonly operations?: readonly number[]
}

/** A page that receives changes, or several with the same rights. */
type Listener = { readonly who: Who; readonly pages: () => number; receive(change: Change): void }

export type Live = {
  /** Publishes a change whose transaction is committed. Never fails and never waits. */
  publish(change: Change): void
  /** Calls `receive` with every change that such an account may know of, for so many `pages`. Returns how to stop. */
  listen(listener: Listener): () => void
  /** The changes of the last so many ms that such an account may know of: its page may have missed them while it loaded. */
  missed(who: Who, age: number): Change[]
  /** Notifies every node that sessions of an account ended or changed. Never fails and never waits. */
  sessionsChanged(account: number): void
  /** Calls `receive` with the accounts whose sessions changed, on any node. */
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
 * While the connection is lost, the pages of this node still get each other's changes, and the other nodes get them afterwards; then all pages
 * of this node get `everything`.
 */
export function openLive(
  url: string,
  {
    log = () => {},
    onChange = () => {},
    connectWithin = 10_000,
  }: {
    log?: (error: unknown) => void
    /** Gets every change, of this node and of the others. */
    onChange?: (change: Change) => void
    /** How long an attempt to connect may take, in ms. */
    connectWithin?: number
  } = {},
): Live {
  const node = randomUUID()
  const listeners = new Map<number, Set<Listener>>()
  const sessionListeners: ((account: number) => void)[] = []
  const recent = openRecentChanges<Change>()
  let waiting: Change[] = []
  let batching: ReturnType<typeof setTimeout> | undefined
  /** Messages for the other nodes, in order: while the connection is lost they wait. */
  const unsent: [channel: string, payload: string][] = []
  let sending = Promise.resolve()
  let client: pg.Client | null = null
  let since = 0
  let closed = false
  let attempts = 0
  let reconnecting: ReturnType<typeof setTimeout> | undefined

  const deliver = (change: Change): void => {
    onChange(change)
    // a page that has just loaded a list does so again, however little changed: each scan would be kept
    recent.add(asWhole(change))
    for (const listener of listeners.get(change.site) ?? []) if (mayKnow(listener.who, change)) listener.receive(change)
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
      connectionTimeoutMillis: connectWithin,
    })
    // the first attempt runs out of time while the process loads its code; the second one follows at once, and tells
    const isBusyStart = ({ message }: Error): boolean => attempts === 0 && since === 0 && /timeout/.test(message)
    const reconnect = (cause?: Error): void => {
      if (client !== connecting && client !== null) return
      client = null
      void connecting.end().catch(() => {})
      if (closed || reconnecting) return
      if (cause && !isBusyStart(cause)) log(cause)
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
    sendBatch()
  }

  const sendBatch = (): void => {
    batching = undefined
    waiting = merge(waiting)
    // they would only pile up
    if (client === null) return
    for (const batch of split(waiting)) unsent.push([channel, JSON.stringify([node, batch])])
    waiting = []
    send()
  }

  /** Sends the unsent messages one after the other. A failed one is sent again on the next connection. */
  const send = (): void => {
    sending = sending.then(sendAll).catch(log)
  }

  async function sendAll(): Promise<void> {
    while (unsent[0] && (await sent(unsent[0]))) unsent.shift()
  }

  /** Sends it if there is a connection. */
  async function sent(notification: [channel: string, payload: string]): Promise<boolean> {
    if (client === null) return false
    await client.query('select pg_notify($1, $2)', notification)
    return true
  }

  const opening = connect()
  return {
    publish(change) {
      if (change.paths.length === 0) return
      deliver(change)
      waiting.push(change)
      batching ??= setTimeout(sendBatch, batchInterval)
    },
    listen(listener) {
      const site = siteOf(listener.who)
      const ofSite = listeners.get(site) ?? new Set()
      listeners.set(site, ofSite.add(listener))
      return () => {
        ofSite.delete(listener)
        if (ofSite.size === 0) listeners.delete(site)
      }
    },
    missed: (who, age) => recent.ofSite(siteOf(who), age).filter(change => mayKnow(who, change)),
    sessionsChanged(account) {
      deliverSessions(account)
      unsent.push([sessionChannel, String(account)])
      send()
    },
    onSessionsChanged: receive => void sessionListeners.push(receive),
    connected: () => client !== null,
    connectedSince: () => (client === null ? null : since),
    listeners: () =>
      [...listeners.values()].flatMap(ofSite => [...ofSite]).reduce((sum, { pages }) => sum + pages(), 0),
    async close() {
      closed = true
      clearTimeout(batching)
      clearTimeout(reconnecting)
      await opening
      sendBatch()
      await sending
      await client?.end().catch(() => {})
    },
  }
}

const siteOf = ({ site }: Who): number => site ?? superusers

/** Whether somebody at the site of a change may know of it: its administrators may, and the customers concerned. */
const mayKnow = (who: Who, { audience }: Change): boolean =>
  who.type !== 'user' || audience === 'everyone' || audience === who.customer

/** The change without the operations that it names. */
const asWhole = ({ site, audience, paths, from }: Change): Change => ({ site, audience, paths, from })

/** Changes with the same audience and from the same page become one; those of rows only where they are in the same lists. */
function merge(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(
    changes,
    ({ site, audience, from, operations, paths }) => `${site} ${audience} ${from} ${operations ? paths.join() : ''}`,
  )
  return [...groups.values()].flatMap(group => {
    if (!group[0]) return []
    const change = { ...asWhole(group[0]), paths: [...new Set(group.flatMap(({ paths }) => paths))] }
    if (!group[0].operations) return [change]
    const operations = [...new Set(group.flatMap(({ operations: named = [] }) => named))]
    return [operations.length > maxChangedOperations ? change : { ...change, operations }]
  })
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
