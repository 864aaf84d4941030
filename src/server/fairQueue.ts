/**
 * A fair queue with priorities (docs/decisions/0032). Slots are shared among sites first, then among the accounts of a
 * site, so that one busy account delays no other.
 */
import { Failure } from '#domain/failure.ts'

type Name = string | number

/** The site and account that a slot is for. For an anonymous one no slot is reserved. */
export type Requester = { readonly site: Name; readonly account: Name; readonly anonymous?: boolean }

/** Limits of a kind of work. Kinds are in the order of their priority. */
type KindLimits = {
  /** It runs only while fewer slots than this are in use, of all kinds. */
  readonly maxTotal: number
  /** The maximum number of this kind at once: in all, at a site, and of an account. Unlimited when left out. */
  readonly maxOfKind?: number
  readonly maxPerSite?: number
  readonly maxPerAccount?: number
  /** Not counted in the account's share, and counted separately in the site's. */
  readonly exemptFromShares?: boolean
  /** The maximum waiting time, in ms. */
  readonly timeoutMs: number
}

export type FairQueueRules<K extends string> = {
  readonly kinds: Readonly<Record<K, KindLimits>>
  /** The maximum number of slots of a site, and of an account, while others are active. */
  readonly siteShare: number
  readonly accountShare: number
  /**
   * While fewer slots than this are in use and nobody else waits, shares are not limits: the machine would idle. Left out: 0.
   */
  readonly idleBelow?: number
  /** The maximum number of waiting requests: of an account, of a site, and in all. */
  readonly maxWaiting: { readonly maxPerAccount: number; readonly maxPerSite: number; readonly total: number }
}

export type FairQueue<K extends string> = {
  /**
   * Waits for a slot and returns the function that releases it. `isClientGone`: the client has disconnected. @throws
   * Failure `server.busy` when too many wait already, or after the timeout of its kind
   */
  acquire(kind: K, requester: Requester, isClientGone?: () => boolean): Promise<() => void>
  /** Runs `work` in a slot. */
  run<T>(kind: K, requester: Requester, work: () => Promise<T>): Promise<T>
  /** @throws Failure `server.busy` when the queue of this kind or requester is full */
  rejectIfFull(kind: K, requester: Requester): void
  /** The number of slots in use, and of waiting requests. */
  counts(): { readonly running: number; readonly waiting: number }
}

/**
 * A site or account is active for this many ms after its last request. A running slot can't be revoked, so the share of
 * active ones stays reserved.
 */
const activeWindowMs = 1000
/** After each of these intervals waiting work moves up one priority, so that nothing starves. */
const agingMs = 3000
/** `Retry-After` of a refusal, in seconds. */
const retryAfterS = 1

type Waiting = {
  readonly kind: string
  readonly requester: Requester
  readonly since: number
  readonly isClientGone: () => boolean
  start(): void
  refuse(failure: Failure): void
}

/** The slots in use, by kind, and the number of waiting requests. `lastGranted` orders by the time of the last grant. */
class Usage {
  running = 0
  waiting = 0
  lastGranted = 0
  readonly #ofKind = new Map<string, number>()
  ofKind(kind: string): number {
    return this.#ofKind.get(kind) ?? 0
  }
  change(kind: string, by: 1 | -1): void {
    this.running += by
    this.#ofKind.set(kind, this.ofKind(kind) + by)
  }
}

class UsageByName {
  readonly #all = new Map<Name, Usage>()
  /** The two most recently active names. They are enough to know whether another one is active. */
  #latest: { readonly name: Name; readonly at: number }[] = []

  of(name: Name): Usage {
    const party = this.#all.get(name)
    if (party) return party
    const usage = new Usage()
    this.#all.set(name, usage)
    return usage
  }
  recordActivity(name: Name, at: number): void {
    const other = this.#latest.find(latest => latest.name !== name)
    this.#latest = other ? [{ name, at }, other] : [{ name, at }]
  }
  othersActive(name: Name, now: number): boolean {
    return this.#latest.some(latest => latest.name !== name && now - latest.at < activeWindowMs)
  }
  removeIfIdle(name: Name): void {
    const usage = this.#all.get(name)
    if (usage && usage.running === 0 && usage.waiting === 0) this.#all.delete(name)
  }
}

const neverGone = (): boolean => false
const busy = (): Failure => new Failure('server.busy', { seconds: retryAfterS })

const accountOf = ({ site, account }: Requester): string => `${site} ${account}`
const queueName = (kind: string, requester: Requester): string => `${accountOf(requester)} ${kind}`
const isBefore = (first: readonly number[], other: readonly number[]): boolean => {
  const at = first.findIndex((value, nth) => value !== other[nth])
  return at >= 0 && (first[at] ?? 0) < (other[at] ?? 0)
}

/** Opens a queue with these rules; `now` is the time in ms. */
export function openFairQueue<K extends string>(
  rules: FairQueueRules<K>,
  now: () => number = () => performance.now(),
): FairQueue<K> {
  const kinds = Object.keys(rules.kinds) as K[]
  const all = new Usage()
  const sites = new UsageByName()
  const accounts = new UsageByName()
  /** Waiting requests in order of arrival, by account and kind. */
  const queues = new Map<string, Waiting[]>()
  let grants = 0
  /** The number of waiting requests that are exempt from shares. */
  let exemptWaiting = 0

  const mayRun = (kind: K, requester: Requester, at: number): boolean => {
    const {
      maxTotal,
      maxOfKind = Infinity,
      maxPerSite = Infinity,
      maxPerAccount = Infinity,
      exemptFromShares = false,
    } = rules.kinds[kind]
    const site = sites.of(requester.site)
    const account = accounts.of(accountOf(requester))
    if (all.running >= maxTotal || all.ofKind(kind) >= maxOfKind) return false
    if (site.ofKind(kind) >= maxPerSite || account.ofKind(kind) >= maxPerAccount) return false
    const idle = all.running < (rules.idleBelow ?? 0)
    const ofSite = exemptFromShares ? site.ofKind(kind) : site.running
    const siteMayExceed = (idle && all.waiting === site.waiting) || !sites.othersActive(requester.site, at)
    if (ofSite >= rules.siteShare && !siteMayExceed) return false
    if (exemptFromShares || account.running < rules.accountShare) return true
    return (idle && all.waiting === account.waiting) || !accounts.othersActive(accountOf(requester), at)
  }
  const usagesOf = (requester: Requester): Usage[] => [all, sites.of(requester.site), accounts.of(accountOf(requester))]

  const grant = (kind: K, requester: Requester): (() => void) => {
    const usages = usagesOf(requester)
    grants++
    for (const usage of usages) {
      usage.change(kind, 1)
      usage.lastGranted = grants
    }
    let released = false
    return () => {
      if (released) return
      released = true
      for (const usage of usages) usage.change(kind, -1)
      removeIdle(requester)
      grantFree()
    }
  }
  const removeIdle = (requester: Requester): void => {
    sites.removeIfIdle(requester.site)
    accounts.removeIfIdle(accountOf(requester))
  }

  /** The order of those that may run: by priority, then fewest slots, then longest since the last grant. */
  const orderOf = ({ kind, requester, since }: Waiting, at: number): number[] => {
    const [, site, account] = usagesOf(requester) as [Usage, Usage, Usage]
    const age = Math.floor((at - since) / agingMs)
    return [kinds.indexOf(kind as K) - age, site.running, site.lastGranted, account.running, account.lastGranted, since]
  }
  const pickNext = (): Waiting | null => {
    const at = now()
    let best: { readonly waiting: Waiting; readonly order: number[] } | null = null
    for (const [head] of queues.values()) {
      if (!head || !mayRun(head.kind as K, head.requester, at)) continue
      const order = orderOf(head, at)
      if (!best || isBefore(order, best.order)) best = { waiting: head, order }
    }
    return best?.waiting ?? null
  }
  /** Grants the free slots. */
  const grantFree = (): void => {
    for (let chosen = all.waiting > 0 ? pickNext() : null; chosen; chosen = all.waiting > 0 ? pickNext() : null) {
      dequeue(chosen)
      if (chosen.isClientGone()) chosen.refuse(busy())
      else chosen.start()
    }
  }
  const dequeue = (waiting: Waiting): void => {
    const name = queueName(waiting.kind, waiting.requester)
    const left = queues.get(name)?.filter(other => other !== waiting) ?? []
    if (left.length > 0) queues.set(name, left)
    else queues.delete(name)
    for (const usage of usagesOf(waiting.requester)) usage.waiting--
    if (rules.kinds[waiting.kind as K].exemptFromShares) exemptWaiting--
  }

  const rejectIfFull = (kind: K, requester: Requester): void => {
    const { maxPerAccount, maxPerSite, total } = rules.maxWaiting
    const [, site, account] = usagesOf(requester) as [Usage, Usage, Usage]
    const queued = queues.get(queueName(kind, requester))?.length ?? 0
    // work with and without shares does not fill each other's queue
    const full = rules.kinds[kind].exemptFromShares
      ? queued >= maxPerSite || exemptWaiting >= total
      : account.waiting >= maxPerAccount || site.waiting >= maxPerSite || all.waiting - exemptWaiting >= total
    removeIdle(requester)
    if (full) throw busy()
  }
  /** A share can become free when another site becomes inactive, without a release: check again. */
  let recheckTimer: ReturnType<typeof setTimeout> | undefined
  const scheduleRecheck = (): void => {
    recheckTimer ??= setTimeout(() => {
      recheckTimer = undefined
      grantFree()
      if (all.waiting > 0) scheduleRecheck()
    }, activeWindowMs)
    recheckTimer.unref?.()
  }

  const queue: FairQueue<K> = {
    async acquire(kind, requester, isClientGone = neverGone) {
      const at = now()
      if (!requester.anonymous) {
        sites.recordActivity(requester.site, at)
        accounts.recordActivity(accountOf(requester), at)
      }
      const isFirst = !queues.has(queueName(kind, requester))
      if (isFirst && mayRun(kind, requester, at)) return grant(kind, requester)
      rejectIfFull(kind, requester)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          dequeue(waiting)
          removeIdle(requester)
          reject(busy())
          // somebody may exceed a share now that nobody else waits
          grantFree()
        }, rules.kinds[kind].timeoutMs)
        const waiting: Waiting = {
          kind,
          requester,
          since: at,
          isClientGone,
          start() {
            clearTimeout(timer)
            resolve(grant(kind, requester))
          },
          refuse(failure) {
            clearTimeout(timer)
            removeIdle(requester)
            reject(failure)
          },
        }
        for (const usage of usagesOf(requester)) usage.waiting++
        if (rules.kinds[kind].exemptFromShares) exemptWaiting++
        const name = queueName(waiting.kind, waiting.requester)
        queues.set(name, [...(queues.get(name) ?? []), waiting])
        scheduleRecheck()
      })
    },
    async run(kind, requester, work) {
      const release = await queue.acquire(kind, requester)
      try {
        return await work()
      } finally {
        release()
      }
    },
    rejectIfFull,
    counts: () => ({ running: all.running, waiting: all.waiting }),
  }
  return queue
}
