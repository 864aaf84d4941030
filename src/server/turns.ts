/**
 * Turns: who may work next, where more want to than can (docs/decisions/0032). They are shared among sites first, and then among the
 * accounts of a site, so that nobody waits because somebody else asks a lot.
 */
import { Failure } from '#domain/failure.ts'

type Name = string | number

/** Whose turn it is to be. */
export type Party = { readonly site: Name; readonly account: Name }

/** Rules for a kind of work. Kinds stand in the order in which they are preferred. */
type KindRules = {
  /** It begins only while fewer turns than this are taken, whatever for. */
  readonly below: number
  /** How many of the kind there may be at once: in all, at a site, and of an account. Left out: as many as there is room for. */
  readonly atOnce?: number
  readonly atSite?: number
  readonly ofAccount?: number
  /** It has no share of an account, and one of a site for itself: what else the site does takes nothing from it. */
  readonly unshared?: boolean
  /** How long it may wait, in ms. */
  readonly patience: number
}

export type TurnRules<K extends string> = {
  readonly kinds: Readonly<Record<K, KindRules>>
  /** The most turns that a site, and an account, may have while others are here. */
  readonly siteShare: number
  readonly accountShare: number
  /** How many may wait: of an account, of a site, and in all. */
  readonly waiting: { readonly ofAccount: number; readonly atSite: number; readonly inAll: number }
}

export type Turns<K extends string> = {
  /**
   * Waits for a turn, and answers how to end it. `isGone` says that nobody waits for it any more.
   * @throws Failure `server.busy` when too many wait already, or after the patience of its kind
   */
  take(kind: K, party: Party, isGone?: () => boolean): Promise<() => void>
  /** Does the work in a turn. */
  run<T>(kind: K, party: Party, work: () => Promise<T>): Promise<T>
  /** @throws Failure `server.busy` when one more of the kind and party could not even wait */
  refuseIfFull(kind: K, party: Party): void
  /** How many turns are taken, and how many wait for one. */
  counts(): { readonly taken: number; readonly waiting: number }
}

/**
 * A site or account counts as here for so many ms after it last asked. Turns can't be taken back, so the part of those who asked a
 * moment ago is kept for their next question.
 */
const presence = 1000
/** Work that has waited for so many ms is preferred like work of the kind before it, so that nothing waits for ever. */
const ageing = 3000
/** When a refused client should come back, in seconds. */
const comeBackAfter = 1

type Waiting = {
  readonly kind: string
  readonly party: Party
  readonly since: number
  readonly isGone: () => boolean
  start(): void
  refuse(failure: Failure): void
}

/** What a site or an account has: turns, of each kind, and who waits. `served` says in which order they last got one. */
class Holder {
  taken = 0
  waiting = 0
  served = 0
  readonly #ofKind = new Map<string, number>()
  ofKind(kind: string): number {
    return this.#ofKind.get(kind) ?? 0
  }
  change(kind: string, by: 1 | -1): void {
    this.taken += by
    this.#ofKind.set(kind, this.ofKind(kind) + by)
  }
}

class Holders {
  readonly #all = new Map<Name, Holder>()
  /** The two that asked last, the latest first: whether anybody else is here can be said from them. */
  #latest: { readonly name: Name; readonly at: number }[] = []

  of(name: Name): Holder {
    const known = this.#all.get(name)
    if (known) return known
    const made = new Holder()
    this.#all.set(name, made)
    return made
  }
  saw(name: Name, at: number): void {
    const other = this.#latest.find(latest => latest.name !== name)
    this.#latest = other ? [{ name, at }, other] : [{ name, at }]
  }
  othersThan(name: Name, now: number): boolean {
    return this.#latest.some(latest => latest.name !== name && now - latest.at < presence)
  }
  forget(name: Name): void {
    const holder = this.#all.get(name)
    if (holder && holder.taken === 0 && holder.waiting === 0) this.#all.delete(name)
  }
}

const nobodyGone = (): boolean => false
const busy = (): Failure => new Failure('server.busy', { seconds: comeBackAfter })

const accountOf = ({ site, account }: Party): string => `${site} ${account}`
const queueName = (kind: string, party: Party): string => `${accountOf(party)} ${kind}`
const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((value, nth) => value !== other[nth])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

/** Opens turns that are given out by the rules; `now` is the time in ms. */
export function openTurns<K extends string>(
  rules: TurnRules<K>,
  now: () => number = () => performance.now(),
): Turns<K> {
  const kinds = Object.keys(rules.kinds) as K[]
  const all = new Holder()
  const sites = new Holders()
  const accounts = new Holders()
  /** Who waits, in the order in which they came, for each account and kind. */
  const queues = new Map<string, Waiting[]>()
  let served = 0

  const hasRoom = (kind: K, party: Party, at: number): boolean => {
    const { below, atOnce = Infinity, atSite = Infinity, ofAccount = Infinity, unshared = false } = rules.kinds[kind]
    const site = sites.of(party.site)
    const account = accounts.of(accountOf(party))
    if (all.taken >= below || all.ofKind(kind) >= atOnce) return false
    if (site.ofKind(kind) >= atSite || account.ofKind(kind) >= ofAccount) return false
    const ofSite = unshared ? site.ofKind(kind) : site.taken
    if (ofSite >= rules.siteShare && sites.othersThan(party.site, at)) return false
    if (unshared) return true
    return account.taken < rules.accountShare || !accounts.othersThan(accountOf(party), at)
  }
  const holdersOf = (party: Party): Holder[] => [all, sites.of(party.site), accounts.of(accountOf(party))]

  const begin = (kind: K, party: Party): (() => void) => {
    const holders = holdersOf(party)
    served++
    for (const holder of holders) {
      holder.change(kind, 1)
      holder.served = served
    }
    let ended = false
    return () => {
      if (ended) return
      ended = true
      for (const holder of holders) holder.change(kind, -1)
      leave(party)
      next()
    }
  }
  const leave = (party: Party): void => {
    sites.forget(party.site)
    accounts.forget(accountOf(party))
  }

  /** The order among those who may begin: kind, then who has least, then who was served longest ago. */
  const orderOf = ({ kind, party, since }: Waiting, at: number): number[] => {
    const [, site, account] = holdersOf(party) as [Holder, Holder, Holder]
    const age = Math.floor((at - since) / ageing)
    return [kinds.indexOf(kind as K) - age, site.taken, site.served, account.taken, account.served, since]
  }
  const first = (): Waiting | null => {
    const at = now()
    let best: { readonly waiting: Waiting; readonly order: number[] } | null = null
    for (const [head] of queues.values()) {
      if (!head || !hasRoom(head.kind as K, head.party, at)) continue
      const order = orderOf(head, at)
      if (!best || isBefore(order, best.order)) best = { waiting: head, order }
    }
    return best?.waiting ?? null
  }
  /** Gives out what is free. */
  const next = (): void => {
    for (let chosen = all.waiting > 0 ? first() : null; chosen; chosen = all.waiting > 0 ? first() : null) {
      drop(chosen)
      if (chosen.isGone()) chosen.refuse(busy())
      else chosen.start()
    }
  }
  const drop = (waiting: Waiting): void => {
    const name = queueName(waiting.kind, waiting.party)
    const left = queues.get(name)?.filter(other => other !== waiting) ?? []
    if (left.length > 0) queues.set(name, left)
    else queues.delete(name)
    for (const holder of holdersOf(waiting.party)) holder.waiting--
  }

  const refuseIfFull = (kind: K, party: Party): void => {
    const { ofAccount, atSite, inAll } = rules.waiting
    const [, site, account] = holdersOf(party) as [Holder, Holder, Holder]
    const alike = queues.get(queueName(kind, party))?.length ?? 0
    const full = rules.kinds[kind].unshared
      ? alike >= atSite
      : account.waiting >= ofAccount || site.waiting >= atSite || all.waiting >= inAll
    leave(party)
    if (full) throw busy()
  }
  /** Others who came later may have left room that only time shows: those who wait alone are looked at again. */
  let looking: ReturnType<typeof setTimeout> | undefined
  const lookAgain = (): void => {
    looking ??= setTimeout(() => {
      looking = undefined
      next()
      if (all.waiting > 0) lookAgain()
    }, presence)
    looking.unref?.()
  }

  const turns: Turns<K> = {
    async take(kind, party, isGone = nobodyGone) {
      const at = now()
      sites.saw(party.site, at)
      accounts.saw(accountOf(party), at)
      const isFirst = !queues.has(queueName(kind, party))
      if (isFirst && hasRoom(kind, party, at)) return begin(kind, party)
      refuseIfFull(kind, party)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          drop(waiting)
          leave(party)
          reject(busy())
        }, rules.kinds[kind].patience)
        const waiting: Waiting = {
          kind,
          party,
          since: at,
          isGone,
          start() {
            clearTimeout(timer)
            resolve(begin(kind, party))
          },
          refuse(failure) {
            clearTimeout(timer)
            leave(party)
            reject(failure)
          },
        }
        for (const holder of holdersOf(party)) holder.waiting++
        const name = queueName(waiting.kind, waiting.party)
        queues.set(name, [...(queues.get(name) ?? []), waiting])
        lookAgain()
      })
    },
    async run(kind, party, work) {
      const end = await turns.take(kind, party)
      try {
        return await work()
      } finally {
        end()
      }
    },
    refuseIfFull,
    counts: () => ({ taken: all.taken, waiting: all.waiting }),
  }
  return turns
}
