/**
 * Reads that may be a few seconds old go to a replica (`DATABASE_READ_URL`, docs/decisions/0022). What this node has changed, or
 * was told that another one has changed, is in such an answer all the same: until the replica has it, the primary is asked.
 */
import { statement, type Database } from './database.ts'

/** What a read is about: who asks for which call at which site. */
export type Read = { readonly site: number | null; readonly account: number | null; readonly path: string }

export type Replica = {
  /** The database that answers this read as it should be, `null` when that is the primary only. */
  for(read: Read): Database | null
  /** Answers of these calls at this site are others from now on. */
  changed(change: { readonly site: number; readonly paths: readonly string[] }): void
  /** This account has changed something. */
  wrote(account: number): void
  /** It failed on a read that the primary then answered: it is left alone until it is found well again. */
  failed(error: unknown): void
  /** How long ago the newest change was made that it is known to have, in seconds; `Infinity` when it is away. */
  behind(): number
  close(): Promise<void>
}

/** How often it is asked how far it is, in ms. */
const often = 1000
/** A replica that is further behind is not asked: an hour-old list is no list. */
const limit = 10_000

// what is written into the log, on the disk or not: a commit that did not wait for the disk (tests) is in it, too
const positionOfPrimary = statement(
  'replica.primary',
  `select pg_current_wal_insert_lsn()::text as position, system_identifier::text as cluster from pg_control_system()`,
)
// of what is no replica, null: a server that was promoted has other rows from then on
const positionOfReplica = statement(
  'replica.replica',
  `select pg_last_wal_replay_lsn() >= $1::pg_lsn as there, system_identifier::text as cluster, pg_is_in_recovery() as follows
   from pg_control_system()`,
)

type Options = {
  readonly primary: Database
  readonly replica: Database
  /** Since when this node has heard what other nodes change, `null` while it does not: nobody knows then what is old enough. */
  readonly hearsSince: () => number | null
  /** Takes a sentence when it is left alone, and when it is well again. */
  readonly log: (sentence: string) => void
  readonly limit?: number
  readonly every?: number
  readonly clock?: () => number
}

export function openReplica({
  primary,
  replica,
  hearsSince,
  log,
  limit: furthest = limit,
  every = often,
  clock = () => performance.now(),
}: Options): Replica {
  /** Changes that were committed before this moment are in the replica. */
  let includes = Number.NEGATIVE_INFINITY
  let away: string | null = 'it was not asked yet'
  let told: string | null = away
  /** Where the primary was at which moment, which the replica has not reached yet. */
  let ahead: { position: string; cluster: string; at: number } | null = null
  const changes = new Map<number, Map<string, number>>()
  const writers = new Map<number, number>()

  const behind = (): number => (away !== null ? Number.POSITIVE_INFINITY : (clock() - includes) / 1000)
  const say = (): void => {
    const why =
      away ?? (clock() - includes > furthest ? `it is more than ${Math.round(furthest / 1000)} s behind` : null)
    if (why !== null && told === null) log(`The replica is not asked any more: ${why}. The primary answers instead.`)
    else if (why === null && told !== null) log('The replica answers what may be some seconds old.')
    else if (why !== null && told !== why && told === 'it was not asked yet')
      log(`The replica is not asked: ${why}. The primary answers instead.`)
    told = why
  }

  async function look(): Promise<void> {
    if (!ahead) {
      const at = clock()
      ahead = {
        ...(await primary.transaction({}, tx => tx.one<{ position: string; cluster: string }>(positionOfPrimary))),
        at,
      }
    }
    const asked = ahead
    const found = await replica
      .transaction({}, tx =>
        tx.one<{ there: boolean | null; cluster: string; follows: boolean }>(positionOfReplica, [asked.position]),
      )
      .catch((error: Error) => error)
    if (found instanceof Error) away = found.message
    else if (found.cluster !== asked.cluster) away = 'it is a copy of another database'
    else if (!found.follows) away = 'it follows no primary'
    else {
      away = null
      if (found.there === true) {
        includes = asked.at
        ahead = null
        // what it has need not be remembered
        for (const [site, paths] of changes) {
          for (const [path, at] of paths) if (at < includes) paths.delete(path)
          if (paths.size === 0) changes.delete(site)
        }
        for (const [account, at] of writers) if (at < includes) writers.delete(account)
      }
    }
  }

  let closed = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  const turn = async (): Promise<void> => {
    // a primary that is away says nothing of the replica, but what was not looked at gets old
    await look().catch(() => (ahead = null))
    if (closed) return
    say()
    // one that is nearly there is asked again soon
    waiting = setTimeout(() => void (looking = turn()), ahead && away === null ? every / 10 : every).unref()
  }
  let looking = turn()

  return {
    for({ site, account, path }) {
      const since = hearsSince()
      if (away !== null || since === null || clock() - includes > furthest) return null
      const of = site === null ? undefined : changes.get(site)
      const latest = Math.max(
        since,
        of?.get(path) ?? Number.NEGATIVE_INFINITY,
        (account === null ? undefined : writers.get(account)) ?? Number.NEGATIVE_INFINITY,
      )
      return latest < includes ? replica : null
    },
    changed({ site, paths }) {
      const of = changes.get(site) ?? new Map<string, number>()
      changes.set(site, of)
      for (const path of paths) of.set(path, clock())
    },
    wrote: account => void writers.set(account, clock()),
    failed(error) {
      away = (error as Error).message
      say()
    },
    behind,
    async close() {
      closed = true
      clearTimeout(waiting)
      await looking
      await replica.close()
    },
  }
}
