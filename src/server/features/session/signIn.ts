/** Signing in and out, and what people change of their own account: language and password. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { languages, type Role } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import type { Profile } from '#contract/session.ts'
import type { Tx } from '../../db/database.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Handlers, Who } from '../handler.ts'
import { openTurns } from '../../turns.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { links } from './links.ts'
import { hashPassword, requireStrong, verifyPassword } from './password.ts'
import * as sql from './sessions.sql.ts'

/** Of the failures that count, so many for one account from one address, and so many from one address at all. */
const perAccount = 5
const perAddress = 50

/** The hash that an unknown name is checked against, so that the answer takes as long. */
const dummyHash = hashPassword(randomBytes(16).toString('hex'))

type Named = { type: Role } & Pick<Who, 'username' | 'fullname' | 'lang' | 'customer'>
const profileOf = (who: Named, { sendsMail }: Pick<Context<unknown, 'anyone'>['request'], 'sendsMail'>): Profile => ({
  isAuthenticated: true,
  username: who.username,
  fullname: who.fullname,
  type: who.type,
  lang: who.lang,
  lang_iso: languages[who.lang],
  seq_id: who.customer,
  ...(sendsMail && { sendsMail: true }),
})

/** A password that is tried from an address for `subject`; `hash` is the one that it has to match. */
type Attempt = { subject: string; address: string; now: Date; password: string; hash: string }

/**
 * Tries a password, and counts it when it is wrong; after too many failures none is tried for a while. `null` is the right one.
 * The failures are for returning: thrown, they would roll the count back.
 */
async function tryPassword(
  tx: Tx,
  { subject, address, now, password, hash }: Attempt,
): Promise<'too_many' | 'wrong' | null> {
  await tx.commit()
  return attempts.run('attempt', { site: address, account: subject }, async () => {
    await tx.run(sql.lockAttempts, { key: `${subject} ${address}` })
    const failed = await tx.one(sql.countFailures, { subject, address, now })
    if (failed.account >= perAccount || failed.address >= perAddress) return 'too_many'
    // counted as wrong until it is known: a guess on another node at this moment counts it, too
    await tx.run(sql.addFailure, { subject, address, now })
    await tx.commit()
    const right = await verifyPassword(password, hash)
    if (right) await tx.run(sql.deleteFailures, { subject, address })
    return right ? null : 'wrong'
  })
}

/**
 * Hashing takes a core and holds no connection: one core stays for everything else. One attempt at a time is made for an account and
 * address, so that parallel guesses are counted like any other.
 */
const attempts = openTurns({
  kinds: { attempt: { below: Math.max(1, availableParallelism() - 1), ofAccount: 1, patience: 10_000 } },
  siteShare: 1,
  accountShare: 1,
  waiting: { ofAccount: 64, atSite: 256, inAll: 1024 },
})

const tooMany = (): Failure => new Failure('login.too_many', { seconds: 900, minutes: 15 })

export const users: Handlers['users'] = {
  async authenticate(context) {
    const { input, tx, now, request } = context
    await tx.asSystem()
    const found = await tx.single.maybe(sql.accountByName, { site: request.site, username: input.username })
    // the account that was found, however its name was written
    const subject = found ? `account ${found.account}` : `${request.site ?? 0} ${input.username.toLowerCase()}`
    const { address } = request
    const hash = found?.password ?? (await dummyHash)
    const refused = await tryPassword(tx, { subject, address, now, password: input.password, hash })
    const named = found?.account ?? null
    if (refused === 'too_many') {
      await recordSecurityEvent(context, { kind: 'signInLocked', account: named })
      return tooMany()
    }
    if (!found || refused) {
      await recordSecurityEvent(context, { kind: 'signInWrong', account: named })
      return new Failure('login.wrong')
    }
    if (request.session) {
      await tx.run(sql.endSession, { token: request.session.token })
      request.invalidateSessions()
    }
    const token = newToken()
    const { account, password } = found
    const begun = await tx.count(sql.beginSession, { token: hashToken(token), account, password, now })
    if (begun === 0) return new Failure('login.wrong')
    await recordSecurityEvent(context, { kind: 'signInRight', account })
    request.setSession(token)
    return profileOf({ ...found, lang: found.lang ?? found.site_lang ?? 'eng' }, request)
  },

  loginstate: async ({ who, request }) =>
    who ? profileOf(who, request) : { isAuthenticated: false, ...(request.sendsMail && { sendsMail: true }) },

  async logout(context) {
    const { tx, request } = context
    if (request.session) {
      await tx.asSystem()
      await recordSecurityEvent(context, { kind: 'signOut' })
      await tx.run(sql.endSession, { token: request.session.token })
      request.invalidateSessions()
    }
    request.setSession(null)
    return {}
  },

  async language({ input, tx, who, request }) {
    await tx.asSystem()
    await tx.run(sql.setLanguage, { account: who.account, lang: input.lang })
    request.invalidateSessions()
    return profileOf({ ...who, lang: input.lang }, request)
  },

  async password(context) {
    const { input, tx, who, now, request } = context
    await tx.asSystem()
    const wanted = requireStrong(input.wanted)
    const { account } = who
    const { password: present } = await tx.single.one(sql.passwordOf, { account })
    const refused = await tryPassword(tx, {
      subject: `account ${account}`,
      address: request.address,
      now,
      password: input.password,
      hash: present,
    })
    if (refused) {
      await recordSecurityEvent(context, { kind: refused === 'too_many' ? 'signInLocked' : 'signInWrong' })
      return refused === 'too_many' ? tooMany() : new Failure('account.password_wrong')
    }
    await tx.commit()
    const password = await hashPassword(wanted)
    // somebody else gave the account another password meanwhile: the one that was typed is no longer the present one
    if ((await tx.count(sql.changePassword, { account, password, present, now })) === 0)
      return new Failure('account.password_wrong')
    await tx.run(sql.endSessions, { account })
    const token = newToken()
    await tx.run(sql.beginSession, { token: hashToken(token), account, password, now })
    request.setSession(token)
    request.invalidateSessions(account)
    await recordSecurityEvent(context, { kind: 'passwordChanged' })
    await enqueueMail(context, account, 'passwordChanged')
    return profileOf(who, request)
  },

  ...links,
}
