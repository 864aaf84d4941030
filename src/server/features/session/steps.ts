/** The steps between a right password and a session (docs/decisions/0033). */
import { Failure } from '#domain/failure.ts'
import type { Awaits, Method, Step } from '#contract/session.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Handlers } from '../handler.ts'
import { voidLinks } from '../mail/mail.sql.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { beginSession, type BySignOn, type SigningIn } from './begin.ts'
import { forgetDevices } from './devices.sql.ts'
import {
  enrolApp,
  enrolPasskey,
  methodsOf,
  needsFactor,
  offerFactors,
  refuseSecond,
  refuseWrongCode,
} from './factors.ts'
import { checkPasskey, wantPasskey } from './passkeys.ts'
import { hashPassword, knownNames, requireStrong, verifyPassword } from './password.ts'
import * as sql from './sessions.sql.ts'

type Anyone = Context<unknown, 'anyone'>

/** How long a sign-in waits for its next step, in minutes. */
const stepMinutes = 10

/** The step that an account has to take before its session begins, `null` for none, and the methods that it can use. */
async function awaited(
  context: Anyone,
  account: SigningIn,
  passed: boolean,
  by: BySignOn | null,
): Promise<{ awaits: Awaits; methods: Method[] } | null> {
  const methods = passed ? [] : await methodsOf(context, account.account)
  if (methods.length > 0) return { awaits: 'factor', methods }
  // a sign-in by a provider has no password
  if (account.must_change && !by) return { awaits: 'password', methods: [] }
  if (passed || by?.factor || !(await needsFactor(context, account))) return null
  return { awaits: 'enrolment', methods: context.request.secrets.isPersistent ? ['passkey', 'app'] : ['passkey'] }
}

/** Begins the next step of a sign-in, `null` when none is left. `passed`: a second factor was shown here. */
export async function stepAfter(
  context: Anyone,
  account: SigningIn,
  passed: boolean,
  by: BySignOn | null = null,
): Promise<Step | null> {
  const { tx, now } = context
  const next = await awaited(context, account, passed, by)
  if (next === null) return null
  const { awaits, methods } = next
  const token = newToken()
  const expires = new Date(now.getTime() + stepMinutes * 60_000)
  const { account: id, password, username, fullname, company } = account
  const signOn = by?.sealed ?? null
  await tx.run(sql.addStep, { token: hashToken(token), account: id, awaits, password, passed, expires, signOn })
  return { isAuthenticated: false, awaits, step: token, username, known: [fullname, company].filter(Boolean), methods }
}

type Taken = { account: SigningIn; passed: boolean; by: BySignOn | null }

/** The account of a step that awaits this. @throws Failure `login.expired` */
async function takeStep(context: Anyone, token: string, awaits: Awaits): Promise<Taken> {
  const { tx, now, request } = context
  await tx.asSystem()
  const hash = hashToken(token)
  const step = await tx.maybe(sql.stepOf, { token: hash, awaits, now })
  if (!step || (step.site !== null && step.site !== request.site)) throw new Failure('login.expired')
  const account = await tx.one(sql.accountById, { account: step.account })
  // a step that is passed here confirms who it is, whenever the provider did
  const by = step.signOn && { sealed: step.signOn, confirmed: now, factor: false }
  return { account, passed: step.passed, by }
}

/**
 * Uses up the step of an account, and goes on to the next one or to the session.
 * @throws Failure `login.expired`: another answer to the step came first
 */
async function goOn(context: Anyone, token: string, { account, by }: Taken) {
  if ((await context.tx.count(sql.useStep, { token: hashToken(token) })) === 0) throw new Failure('login.expired')
  return (await stepAfter(context, account, true, by)) ?? beginSession(context, account, by)
}

/** The account of a step in which a first factor is added. @throws Failure `login.expired`, also when it has one by now */
async function takeEnrolment(context: Context<{ step: string }, 'anyone'>): Promise<Enrolling> {
  const { step } = context.input
  const taken = await takeStep(context, step, 'enrolment')
  await refuseSecond(context, taken.account.account)
  return { ...taken, step: hashToken(step) }
}
type Enrolling = Taken & { readonly step: Buffer }

/** Goes on after a factor was added, with the codes that came with it, or answers why it was not. */
async function enrolled(context: Context<{ step: string }, 'anyone'>, taken: Taken, codes: string[] | Failure) {
  if (codes instanceof Failure) return codes
  const next = await goOn(context, context.input.step, taken)
  return next instanceof Failure ? next : { codes, next }
}

export const steps: Pick<
  Handlers['users'],
  'newpassword' | 'factor' | 'askpasskey' | 'passkey' | 'offer' | 'enrolapp' | 'enrolpasskey'
> = {
  async factor(context) {
    const { step, code } = context.input
    const taken = await takeStep(context, step, 'factor')
    return (await refuseWrongCode(context, taken.account.account, code)) ?? goOn(context, step, taken)
  },

  async askpasskey(context) {
    const { step } = context.input
    await context.tx.asSystem()
    const taken = step === undefined ? null : await takeStep(context, step, 'factor')
    return wantPasskey(context, taken?.account.account ?? null)
  },

  async passkey(context) {
    const { step, response } = context.input
    const { tx, request } = context
    await tx.asSystem()
    if (step !== undefined) {
      const taken = await takeStep(context, step, 'factor')
      const checked = await checkPasskey(context, taken.account.account, response)
      return checked instanceof Failure ? checked : goOn(context, step, taken)
    }
    const shown = await checkPasskey(context, null, response)
    if (shown instanceof Failure) return shown
    // a superuser signs in at every site, everybody else at their own
    if (shown.site !== null && shown.site !== request.site) throw new Failure('factor.wrong')
    const account = await tx.one(sql.accountById, { account: shown.account })
    return (await stepAfter(context, account, true)) ?? beginSession(context, account)
  },

  async offer(context) {
    const { account } = await takeEnrolment(context)
    return offerFactors(context, account)
  },

  async enrolapp(context) {
    const taken = await takeEnrolment(context)
    return enrolled(context, taken, await enrolApp(context, taken.account.account, context.input, taken.step))
  },

  async enrolpasskey(context) {
    const taken = await takeEnrolment(context)
    return enrolled(context, taken, await enrolPasskey(context, taken.account.account, context.input, taken.step))
  },

  async newpassword(context) {
    const { input, tx, now } = context
    const { account, passed } = await takeStep(context, input.step, 'password')
    const wanted = await requireStrong(input.password, knownNames(context, account))
    await tx.commit()
    if (await verifyPassword(wanted, account.password)) throw new Failure('account.password_known')
    const password = await hashPassword(wanted)
    if ((await tx.count(sql.useStep, { token: hashToken(input.step) })) === 0) throw new Failure('login.expired')
    const changed = { account: account.account, password, present: account.password, now }
    if ((await tx.count(sql.changePassword, changed)) === 0) throw new Failure('login.expired')
    await tx.run(sql.endSessions, { account: account.account })
    await tx.run(voidLinks, { account: account.account })
    await tx.run(forgetDevices, { account: account.account, kept: null })
    context.request.invalidateSessions(account.account)
    await recordSecurityEvent(context, { kind: 'passwordChanged', account: account.account })
    const signedIn = { ...account, password, must_change: false }
    return (await stepAfter(context, signedIn, passed)) ?? beginSession(context, signedIn)
  },
}
