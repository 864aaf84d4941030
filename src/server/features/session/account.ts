/** The parts of their own account that people see and change (docs/product/accounts.md "My account"). */
import type { Input } from '#contract/call.ts'
import type { account as calls } from '#contract/session.ts'
import { Failure } from '#domain/failure.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Handlers } from '../handler.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { voidLinks } from '../mail/mail.sql.ts'
import { requireFresh, sessionOf } from '../security/fresh.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { attempt, recordUnsuccessful, refusalOf } from './attempts.ts'
import { profileOf } from './begin.ts'
import { deviceName } from '#domain/people/device.ts'
import { knownDevice, rememberDevice } from './devices.ts'
import { forgetDevices } from './devices.sql.ts'
import { countFactors, deleteApp, deletePasskey, factorsOf } from './factors.sql.ts'
import {
  afterRemoval,
  enrolApp,
  enrolPasskey,
  methodsOf,
  needsFactor,
  offerFactors,
  refuseWrongCode,
  renewCodes,
} from './factors.ts'
import { checkPasskey, wantPasskey } from './passkeys.ts'
import { hashPassword, knownNames, requireStrong, verifyPassword } from './password.ts'
import * as sql from './sessions.sql.ts'

type SignedIn = Pick<Context<unknown, readonly ['user']>, 'tx' | 'now' | 'who' | 'site' | 'request'>

/** Tries the password of the caller. The refusal is for returning. */
async function refuseWrongPassword(context: SignedIn, typed: string, present: string): Promise<Failure | null> {
  const { tx, now, who, request } = context
  const unsuccessful = await attempt(tx, {
    subject: `account ${who.account}`,
    site: request.site,
    address: request.address,
    device: await knownDevice(context, who.account),
    now,
    verify: () => verifyPassword(typed, present),
  })
  if (unsuccessful === null) return null
  await recordUnsuccessful(context, unsuccessful, who.account)
  return refusalOf(unsuccessful, new Failure('account.password_wrong'))
}

/**
 * Tries what shows again who the caller is. A sign-in takes as much: the password, with a second factor where the account has one, or
 * a passkey alone that verifies its owner. The refusal is for returning.
 */
async function refuseUnconfirmed(
  context: SignedIn,
  { password, code, passkey }: Input<typeof calls.confirm>,
): Promise<Failure | null> {
  const { tx, who } = context
  if (password !== undefined) {
    const { password: present } = await tx.single.one(sql.accountById, { account: who.account })
    const refused = await refuseWrongPassword(context, password, present)
    if (refused) return refused
  }
  if (passkey) {
    const checked = await checkPasskey(context, who.account, passkey, password === undefined)
    return checked instanceof Failure ? checked : null
  }
  if ((await methodsOf(context, who.account)).length === 0) return null
  return code === undefined ? new Failure('factor.missing') : refuseWrongCode(context, who.account, code)
}

export const account: Handlers['account'] = {
  async sessions({ tx, who, now, request }) {
    await tx.asSystem()
    return tx.json(sql.sessionsOf, { account: who.account, present: sessionOf(request).token, now })
  },

  async endsession(context) {
    const { input, tx, who, request } = context
    await tx.asSystem()
    await tx.one(sql.endSessionById, { account: who.account, session: input._id })
    await recordSecurityEvent(context, { kind: 'signOut', facts: { sessions: 'one' } })
    request.invalidateSessions(who.account)
    return { _id: input._id }
  },

  async endothers(context) {
    const { tx, who, request } = context
    await tx.asSystem()
    const { token } = sessionOf(request)
    await tx.run(sql.endOtherSessions, { account: who.account, present: token })
    await tx.run(forgetDevices, {
      account: who.account,
      kept: request.device === null ? null : hashToken(request.device),
    })
    await recordSecurityEvent(context, { kind: 'signOut', facts: { sessions: 'others' } })
    request.invalidateSessions(who.account)
    return {}
  },

  async askpasskey(context) {
    await context.tx.asSystem()
    const { passkeys } = await context.tx.one(countFactors, { account: context.who.account })
    if (passkeys === 0) throw new Failure('account.no_factor')
    return wantPasskey(context, context.who.account, context.input.alone)
  },

  async confirm(context) {
    const { input, tx, who, now, request } = context
    await tx.asSystem()
    const refused = await refuseUnconfirmed(context, input)
    if (refused) return refused
    await tx.run(sql.confirmSession, { token: sessionOf(request).token, now })
    request.invalidateSessions(who.account)
    return {}
  },

  async factors(context) {
    const { tx, who } = context
    await tx.asSystem()
    return tx.json(factorsOf, { account: who.account, needed: await needsFactor(context, who) })
  },

  async offer(context) {
    requireFresh(context)
    await context.tx.asSystem()
    return offerFactors(context, context.who)
  },

  async addapp(context) {
    requireFresh(context)
    await context.tx.asSystem()
    const codes = await enrolApp(context, context.who.account, context.input)
    return codes instanceof Failure ? codes : { codes }
  },

  async removeapp(context) {
    const { tx, who } = context
    requireFresh(context)
    await tx.asSystem()
    await tx.one(sql.lockAccount, { account: who.account })
    if ((await tx.count(deleteApp, { account: who.account })) === 0) throw new Failure('account.no_factor')
    await afterRemoval(context, who, 'totp')
    return {}
  },

  async addpasskey(context) {
    requireFresh(context)
    await context.tx.asSystem()
    return { codes: await enrolPasskey(context, context.who.account, context.input) }
  },

  async removepasskey(context) {
    const { input, tx, who } = context
    requireFresh(context)
    await tx.asSystem()
    await tx.one(sql.lockAccount, { account: who.account })
    await tx.one(deletePasskey, { account: who.account, passkey: input._id })
    await afterRemoval(context, who, 'passkey')
    return { _id: input._id }
  },

  async renewcodes(context) {
    requireFresh(context)
    await context.tx.asSystem()
    return { codes: await renewCodes(context, context.who.account) }
  },
}

export const ownAccount: Pick<Handlers['users'], 'language' | 'password'> = {
  async language({ input, tx, who, request }) {
    await tx.asSystem()
    await tx.run(sql.setLanguage, { account: who.account, lang: input.lang })
    request.invalidateSessions()
    return profileOf({ ...who, lang: input.lang }, request)
  },

  async password(context) {
    const { input, tx, who, now, request } = context
    await tx.asSystem()
    const { account } = who
    const row = await tx.single.one(sql.accountById, { account })
    const { password: present } = row
    const refused = await refuseWrongPassword(context, input.password, present)
    if (refused) return refused
    const wanted = await requireStrong(input.wanted, knownNames(context, row))
    await tx.commit()
    const password = await hashPassword(wanted)
    // somebody else gave the account another password meanwhile: the one that was typed is no longer the present one
    if ((await tx.count(sql.changePassword, { account, password, present, now })) === 0)
      return new Failure('account.password_wrong')
    await tx.run(sql.endSessions, { account })
    await tx.run(voidLinks, { account })
    await tx.run(forgetDevices, { account, kept: null })
    const token = newToken()
    const { address } = request
    await tx.run(sql.beginSession, {
      token: hashToken(token),
      account,
      password,
      device: deviceName(request.agent),
      address,
      now,
      confirmed: now,
      signOn: null,
    })
    request.setSession(token)
    request.invalidateSessions(account)
    await rememberDevice(context, account)
    await recordSecurityEvent(context, { kind: 'passwordChanged' })
    await enqueueMail(context, account, 'passwordChanged')
    return profileOf(who, request)
  },
}
