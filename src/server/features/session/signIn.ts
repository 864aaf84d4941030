/** Signing in and out (docs/product/accounts.md "Sessions"). */
import { randomBytes } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { normaliseUsername } from '#domain/people/username.ts'
import type { Context, Handlers } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { attempt, recordUnsuccessful, refusalOf } from './attempts.ts'
import { ownAccount } from './account.ts'
import { beginSession, profileOf } from './begin.ts'
import { knownDevice } from './devices.ts'
import { links } from './links.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { endAddress } from './providerSession.ts'
import * as sql from './sessions.sql.ts'
import { stepAfter, steps } from './steps.ts'

type Anyone = Context<unknown, 'anyone'>

/** The hash that an unknown name is checked against, so that the answer takes as long. */
const dummyHash = hashPassword(randomBytes(16).toString('hex'))

/** The subject under which wrong passwords of a name are counted: its account, in any spelling, or a fingerprint of the input. */
export const subjectOf = (
  { request }: Pick<Anyone, 'request'>,
  username: string,
  account: number | undefined,
): string =>
  account === undefined
    ? `name ${request.secrets.fingerprint(`${request.site ?? 0} ${username.toLowerCase()}`)}`
    : `account ${account}`

export const users: Handlers['users'] = {
  async authenticate(context) {
    const { input, tx, now, request } = context
    await tx.asSystem()
    const username = normaliseUsername(input.username)
    const account = await tx.single.maybe(sql.accountByName, { site: request.site, username })
    // an invited account has none yet
    const hash = account?.password || (await dummyHash)
    const unsuccessful = await attempt(tx, {
      subject: subjectOf(context, username, account?.account),
      site: request.site,
      address: request.address,
      // asked for a name that nobody has, too: one question less would say so
      device: await knownDevice(context, account?.account ?? 0),
      now,
      verify: () => verifyPassword(input.password, hash),
    })
    if (unsuccessful || !account) {
      await recordUnsuccessful(context, unsuccessful ?? 'wrong', account?.account ?? null)
      return refusalOf(unsuccessful ?? 'wrong', new Failure('login.wrong'))
    }
    return (await stepAfter(context, account, false)) ?? beginSession(context, account)
  },

  loginstate: async ({ who, request }) =>
    who ? profileOf(who, request) : { isAuthenticated: false, ...(request.sendsMail && { sendsMail: true }) },

  async logout(context) {
    const { tx, request } = context
    let next: string | null = null
    if (request.session) {
      await tx.asSystem()
      await recordSecurityEvent(context, { kind: 'signOut' })
      const ended = await tx.maybe(sql.endSession, { token: request.session.token })
      request.invalidateSessions()
      next = ended?.signOn ? endAddress(context, ended.account, ended.signOn) : null
    }
    request.setSession(null)
    request.clearCache()
    return { ...(next && { next }) }
  },

  ...ownAccount,
  ...steps,
  ...links,
}
