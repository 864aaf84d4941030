/** Second factors of an account: what it has, what it needs, and how one is added and taken away (docs/decisions/0034). */
import { Failure } from '#domain/failure.ts'
import type { SecurityFactor } from '#domain/people/security.ts'
import { maxPasskeys, type Offered, type PasskeyAdded } from '#contract/factors.ts'
import type { Method } from '#contract/session.ts'
import type { Context, Who } from '../handler.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { attempt, recordUnsuccessful, refusalOf } from './attempts.ts'
import { addApp, codeChecker, makeCodes, offerApp, seedOffered } from './codes.ts'
import { knownDevice } from './devices.ts'
import { addPasskey, checkMade, offerPasskey } from './passkeys.ts'
import { dropSteps, lockAccount } from './sessions.sql.ts'
import * as sql from './factors.sql.ts'

type Asking = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'request' | 'who' | 'site'>
type Named = Pick<Who, 'account' | 'type' | 'site' | 'username' | 'fullname'>

/** Whether the operator, or the site, asks for a second factor of this account. */
export async function needsFactor({ tx, request }: Pick<Asking, 'tx' | 'request'>, { type, site }: Named) {
  if (type === 'superuser') return request.superusersNeedFactor
  return type === 'admin' && site !== null && (await tx.one(sql.siteNeedsFactor, { site })).needed
}

/** The second steps that an account can take; recovery codes replace lost factors. */
export async function methodsOf({ tx }: Pick<Asking, 'tx'>, account: number): Promise<Method[]> {
  const { passkeys, apps, codes } = await tx.one(sql.countFactors, { account })
  if (passkeys + apps === 0) return []
  return [
    ...(passkeys > 0 ? ['passkey' as const] : []),
    ...(apps > 0 ? ['app' as const] : []),
    ...(codes > 0 ? ['code' as const] : []),
  ]
}

/** The options for adding a factor to an account. */
export async function offerFactors(context: Asking, { account, username, fullname }: Named): Promise<Offered> {
  const issuer = context.request.site === null ? 'Wheelhouse' : context.site.name
  const names = { issuer, label: username }
  return {
    app: offerApp(context, account, names),
    passkey: await offerPasskey(context, account, { ...names, fullname }),
  }
}

/**
 * Tries a code as the second factor of an account. Wrong codes have a counter of their own: a right password does not reset it, as
 * otherwise anyone who knows the password could go on guessing. The caller returns the refusal instead of throwing it.
 */
async function tryCode(
  context: Asking,
  account: number,
  check: { verify: () => Promise<boolean>; take: () => Promise<boolean> },
): Promise<Failure | null> {
  const { tx, now, request } = context
  const unsuccessful = await attempt(tx, {
    subject: `factor ${account}`,
    site: request.site,
    address: request.address,
    device: await knownDevice(context, account),
    now,
    ...check,
  })
  if (unsuccessful === null) return null
  await recordUnsuccessful(context, unsuccessful, account)
  return refusalOf(unsuccessful, new Failure('factor.wrong'))
}

/** Tries a code of the app, or a recovery code. The refusal is for returning. */
export const refuseWrongCode = async (context: Asking, account: number, code: string): Promise<Failure | null> =>
  tryCode(context, account, await codeChecker(context, account, code))

/** @throws Failure `login.expired` when the account has a factor: only that lets its owner add another one */
export async function refuseSecond(context: Pick<Asking, 'tx'>, account: number): Promise<void> {
  if ((await methodsOf(context, account)).length > 0) throw new Failure('login.expired')
}

/**
 * Adds an app that was offered, when the code is right. Answers the recovery codes that come with a first factor, or the refusal. `step`
 * is the sign-in in which it is added, `null` for an account that is signed in.
 */
export async function enrolApp(
  context: Asking,
  account: number,
  shown: { sealed: string; code: string },
  step: Buffer | null = null,
): Promise<string[] | Failure> {
  const seed = seedOffered(context, account, shown)
  const refused = await tryCode(context, account, {
    verify: () => Promise.resolve(seed !== null),
    take: () => Promise.resolve(true),
  })
  if (refused || !seed) return refused ?? new Failure('factor.wrong')
  return added(context, { account, step, factor: 'totp' }, () => addApp(context, account, seed))
}

/**
 * Adds a passkey. Answers the recovery codes that come with a first factor.
 * @throws Failure `factor.wrong` or `account.too_many_passkeys`
 */
export async function enrolPasskey(
  context: Asking,
  account: number,
  { name, response }: PasskeyAdded,
  step: Buffer | null = null,
): Promise<string[]> {
  const passkey = await checkMade(context, account, response)
  return added(context, { account, step, factor: 'passkey' }, async () => {
    const { passkeys } = await context.tx.one(sql.countFactors, { account })
    if (passkeys >= maxPasskeys) throw new Failure('account.too_many_passkeys', { most: maxPasskeys })
    await addPasskey(context, account, name, passkey)
  })
}

type Adding = { readonly account: number; readonly step: Buffer | null; readonly factor: SecurityFactor }

/** Adds a factor, and recovery codes where the account has none. Sign-ins that began without it do not go on. */
async function added(context: Asking, { account, step, factor }: Adding, add: () => Promise<void>): Promise<string[]> {
  const { tx } = context
  const before = await tx.one(sql.countFactors, { account })
  await tx.commit()
  const newCodes = before.codes === 0 ? await makeCodes() : null
  await tx.one(lockAccount, { account })
  if (step !== null) await refuseSecond(context, account)
  const { codes } = await tx.one(sql.countFactors, { account })
  await add()
  await tx.run(dropSteps, { account, kept: step })
  // the codes of a factor that was added meanwhile are on somebody's paper already
  const kept = codes === 0 ? newCodes : null
  if (kept) await tx.run(sql.replaceCodes, { account, ...kept.kept })
  await recordSecurityEvent(context, { kind: 'factorAdded', account, facts: { factor } })
  await enqueueMail(context, account, 'factorChanged')
  return kept?.codes ?? []
}

/** Gives an account new recovery codes. @throws Failure `account.no_factor`: there is nothing to recover */
export async function renewCodes(context: Asking, account: number): Promise<string[]> {
  const { tx } = context
  if ((await methodsOf(context, account)).length === 0) throw new Failure('account.no_factor')
  await tx.commit()
  const { codes, kept } = await makeCodes()
  await tx.run(sql.replaceCodes, { account, ...kept })
  await recordSecurityEvent(context, { kind: 'factorAdded', account, facts: { factor: 'recoveryCodes' } })
  await enqueueMail(context, account, 'factorChanged')
  return codes
}

/**
 * Notes that the owner has removed a factor; recovery codes go with the last one.
 * @throws Failure `account.factor_needed`: the account needs one, and this was the last
 */
export async function afterRemoval(context: Asking, who: Named, factor: SecurityFactor): Promise<void> {
  const { tx } = context
  const { account } = who
  if ((await methodsOf(context, account)).length === 0) {
    if (await needsFactor(context, who)) throw new Failure('account.factor_needed')
    await tx.run(sql.deleteCodes, { account })
  }
  await recordSecurityEvent(context, { kind: 'factorRemoved', account, facts: { factor } })
  await enqueueMail(context, account, 'factorChanged')
}

/** Takes all factors of an account away, for somebody who has lost them. Answers whether it had any. */
export async function removeFactors(context: Asking, account: number): Promise<boolean> {
  const { tx } = context
  const { passkeys, apps } = await tx.one(sql.countFactors, { account })
  await tx.run(sql.deletePasskeys, { account })
  await tx.run(sql.deleteApp, { account })
  await tx.run(sql.deleteCodes, { account })
  for (const [factor, many] of [
    ['passkey', passkeys],
    ['totp', apps],
  ] as const)
    if (many > 0) await recordSecurityEvent(context, { kind: 'factorRemoved', account, facts: { factor } })
  if (passkeys + apps > 0) await enqueueMail(context, account, 'factorChanged')
  return passkeys + apps > 0
}
