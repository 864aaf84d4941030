/**
 * Reads that may be a few seconds old go to a replica (`DATABASE_READ_URL`, docs/decisions/0022). Their answers include
 * all changes of this node, and those received from other nodes: until the replica has replayed them, the primary
 * answers.
 */
import type { Database } from './database.ts'
import { statement } from './statement.ts'
import { bool, text } from './types.ts'

/** A read: account, call and site. */
type Read = { readonly site: number | null; readonly account: number | null; readonly path: string }

export type Replica = {
  /** The replica's database, `null` when only the primary has all that this read has to show. */
  databaseFor(read: Read): Database | null
  /** From now on these calls have other answers at this site. */
  recordChange(change: { readonly site: number; readonly paths: readonly string[] }): void
  /** This account has changed something. */
  recordWrite(account: number): void
  /** The replica failed on a read that the primary then answered. It is not used until it is found well again. */
  recordFailure(error: unknown): void
  /** The age of the newest change that the replica is known to have, in seconds; `Infinity` while it is away. */
  lagSeconds(): number
  close(): Promise<void>
}

/** How often the replica's position is read, in ms. */
const pollInterval = 1000
/** A replica that is further behind is not used, in ms: an old list is worse than a slow one. */
const maxLag = 10_000

/** The end of the primary's log, flushed or not: a commit that did not wait for the disk (tests) counts, too. */
const primaryPosition = statement({
  name: 'replica.primary',
  row: { position: text, cluster: text },
  sql: 'select pg_current_wal_insert_lsn()::text as position, system_identifier::text as cluster from pg_control_system()',
})

/** Whether the replica has replayed a position; null where the server is not a replica: once promoted it has its own rows. */
const replicaPosition = statement({
  name: 'replica.replica',
  parameters: { position: text },
  row: { reached: bool.nullable(), cluster: text, inRecovery: bool },
  sql: `
    select pg_last_wal_replay_lsn() >= :position::pg_lsn as reached, system_identifier::text as cluster, pg_is_in_recovery() as "inRecovery"
    from pg_control_system()`,
})

type Options = {
  readonly primary: Database
  readonly replica: Database
  /** Since when this node has received every change of other nodes, `null` while it receives none (`Live.connectedSince`). */
  readonly connectedSince: () => number | null
  /** Logs a sentence when the replica is no longer used, and when it is used again. */
  readonly log: (sentence: string) => void
  readonly limit?: number
  readonly every?: number
  readonly clock?: () => number
}

const notAskedYet = 'it was not asked yet'

export function openReplica({
  primary,
  replica,
  connectedSince,
  log,
  limit = maxLag,
  every = pollInterval,
  clock = () => performance.now(),
}: Options): Replica {
  /** The replica has every change that was committed before this moment. */
  let completeUntil = Number.NEGATIVE_INFINITY
  /** Why the replica can't be used, `null` when it can. */
  let problem: string | null = notAskedYet
  let logged: string | null = problem
  /** A position of the primary that the replica has yet to reach, and when it was read. */
  let target: { position: string; cluster: string; at: number } | null = null
  /** When calls last got other answers, by site and path, and when accounts last changed something. */
  const changes = new Map<number, Map<string, number>>()
  const writes = new Map<number, number>()

  const lag = (): number => clock() - completeUntil

  function logChange(): void {
    const reason = problem ?? (lag() > limit ? `it is more than ${Math.round(limit / 1000)} s behind` : null)
    if (reason !== null && logged === null) log(`Replica no longer used: ${reason}. Reads go to the primary.`)
    else if (reason === null && logged !== null) log('Replica in use for reads that may be a few seconds old.')
    else if (reason !== null && reason !== notAskedYet && logged === notAskedYet)
      log(`Replica not used: ${reason}. Reads go to the primary.`)
    logged = reason
  }

  async function poll(): Promise<void> {
    if (!target) {
      const at = clock()
      target = { ...(await primary.transaction({}, tx => tx.one(primaryPosition, {}))), at }
    }
    const { position, cluster, at } = target
    const state = await replica
      .transaction({}, tx => tx.one(replicaPosition, { position }))
      .catch((error: Error) => error)
    if (state instanceof Error) problem = state.message
    else if (state.cluster !== cluster) problem = 'it is a copy of another database'
    else if (!state.inRecovery) problem = 'it follows no primary'
    else {
      problem = null
      if (state.reached === true) {
        completeUntil = at
        target = null
        forgetReplayed()
      }
    }
  }

  /** The replica has these changes. */
  function forgetReplayed(): void {
    for (const [site, paths] of changes) {
      for (const [path, at] of paths) if (at < completeUntil) paths.delete(path)
      if (paths.size === 0) changes.delete(site)
    }
    for (const [account, at] of writes) if (at < completeUntil) writes.delete(account)
  }

  let closed = false
  let next: ReturnType<typeof setTimeout> | undefined
  const run = async (): Promise<void> => {
    // without the primary nothing is known of the replica, whose lag grows
    await poll().catch(() => (target = null))
    if (closed) return
    logChange()
    // one that has nearly caught up is polled again soon
    next = setTimeout(() => void (polling = run()), target && problem === null ? every / 10 : every).unref()
  }
  let polling = run()

  return {
    databaseFor({ site, account, path }) {
      const since = connectedSince()
      if (problem !== null || since === null || lag() > limit) return null
      const latest = Math.max(
        since,
        (site === null ? undefined : changes.get(site)?.get(path)) ?? Number.NEGATIVE_INFINITY,
        (account === null ? undefined : writes.get(account)) ?? Number.NEGATIVE_INFINITY,
      )
      return latest < completeUntil ? replica : null
    },
    recordChange({ site, paths }) {
      const ofSite = changes.get(site) ?? new Map<string, number>()
      changes.set(site, ofSite)
      for (const path of paths) ofSite.set(path, clock())
    },
    recordWrite: account => void writes.set(account, clock()),
    recordFailure(error) {
      problem = (error as Error).message
      logChange()
    },
    lagSeconds: () => (problem !== null ? Number.POSITIVE_INFINITY : lag() / 1000),
    async close() {
      closed = true
      clearTimeout(next)
      await polling
      await replica.close()
    },
  }
}
