/** Passwords and codes that are tried: how often, before nothing is tried for a while (docs/decisions/0033). */
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import { openFairQueue } from '../../fairQueue.ts'
import type { Context } from '../handler.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { hashesAtOnce } from './password.ts'
import * as sql from './attempts.sql.ts'

/** Wrong ones in fifteen minutes: for one account from one address or known device, and from one address at a site. */
const perAccount = 5
const perAddress = 50
/** Wrong ones in a day for one account, from all addresses together. */
const perAccountEverywhere = 100

/** Something that is tried at a site for `subject`, from an address or from a device that the account's owner uses. */
export type Attempt = {
  readonly subject: string
  readonly site: number | null
  readonly address: string
  /** The hash of the known device; its owner is not held out by what others do. */
  readonly device: Buffer | null
  readonly now: Date
  /** Whether it is right. May take long: it holds no connection. */
  readonly verify: () => Promise<boolean>
  /** Uses up a code that is right only once; a used one counts as wrong. */
  readonly take?: () => Promise<boolean>
}

/** Why an attempt is not a success. `locked`: it was tried too often from everywhere; `locks`: this wrong one was the last that may be. */
export type Unsuccessful = 'wrong' | 'locks' | 'tooMany' | 'locked'

/**
 * Runs as many attempts at once as passwords can be hashed, in turn by address, so that one who tries often does not delay one who tries
 * once. One attempt at a time is made for an account and address, so that parallel guesses are counted like any other.
 */
const attemptQueue = openFairQueue({
  kinds: { attempt: { maxTotal: hashesAtOnce, maxPerAccount: 1, timeoutMs: 10_000 } },
  siteShare: 1,
  accountShare: 1,
  maxWaiting: { maxPerAccount: 64, maxPerSite: 256, total: 1024 },
})

/**
 * Tries it, and counts it when it is wrong. `null` is the right one. What it answers is for returning: thrown, it would roll the
 * count back.
 */
export async function attempt(tx: Tx, tried: Attempt): Promise<Unsuccessful | null> {
  const { subject, site, address, device, now, verify, take = async () => true } = tried
  await tx.commit()
  return attemptQueue.run('attempt', { site: address, account: subject }, async () => {
    // attempts from the same address or at the same account run one after the other, on every node
    await tx.run(sql.lockAttempts, { keys: [`address ${site} ${address}`, `subject ${subject}`] })
    const failed = await tx.one(sql.countFailures, { subject, site, address, device, now })
    if (failed.here >= perAccount) return 'tooMany'
    if (device === null && failed.address >= perAddress) return 'tooMany'
    if (device === null && failed.everywhere >= perAccountEverywhere) return 'locked'
    // counted as wrong until it is known: a guess on another node at this moment counts it, too
    const { id } = await tx.one(sql.addFailure, { subject, site, address, device, now })
    await tx.commit()
    if ((await verify()) && (await take())) {
      await tx.run(sql.deleteFailures, { subject, address, device, id })
      return null
    }
    return device === null && failed.everywhere + 1 === perAccountEverywhere ? 'locks' : 'wrong'
  })
}

/** Records an attempt that was no success, and tells the owner of an account that is closed to strangers now. */
export async function recordUnsuccessful(
  context: Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'who' | 'request'>,
  unsuccessful: Unsuccessful,
  account: number | null,
): Promise<void> {
  const kind = unsuccessful === 'wrong' ? 'signInWrong' : 'signInLocked'
  await recordSecurityEvent(context, { kind, account })
  if (unsuccessful === 'locks' && account !== null) await enqueueMail(context, account, 'locked')
}

/** The refusal of an attempt; `wrong` is the one of a wrong one. */
export function refusalOf(unsuccessful: Unsuccessful, wrong: Failure): Failure {
  if (unsuccessful === 'tooMany') return new Failure('login.too_many', { seconds: 900, minutes: 15 })
  if (unsuccessful === 'locked') return new Failure('login.locked', { seconds: 86_400 })
  return wrong
}
