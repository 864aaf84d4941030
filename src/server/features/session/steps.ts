/** What stands between a right password and a session (docs/decisions/0033). */
import { Failure } from '#domain/failure.ts'
import type { Awaits, Step } from '#contract/session.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Handlers } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { beginSession, type SigningIn } from './begin.ts'
import { hashPassword, knownNames, requireStrong, verifyPassword } from './password.ts'
import * as sql from './sessions.sql.ts'

type Anyone = Context<unknown, 'anyone'>

/** How long a sign-in waits for its next step, in minutes. */
const stepMinutes = 10

/** What an account has to do before its session begins, `null` for nothing. */
const awaited = (account: SigningIn): Awaits | null => (account.must_change ? 'password' : null)

/** Begins the next step of a sign-in, `null` when none is left. `passed`: a second factor was shown. */
export async function stepAfter(context: Anyone, account: SigningIn, passed: boolean): Promise<Step | null> {
  const { tx, now } = context
  const awaits = awaited(account)
  if (awaits === null) return null
  const token = newToken()
  const expires = new Date(now.getTime() + stepMinutes * 60_000)
  const { account: id, password, username, fullname, company } = account
  await tx.run(sql.addStep, { token: hashToken(token), account: id, awaits, password, passed, expires })
  return { isAuthenticated: false, awaits, step: token, username, known: [fullname, company].filter(Boolean) }
}

/** The account of a step that awaits this. @throws Failure `login.expired` */
async function takeStep(
  context: Anyone,
  token: string,
  awaits: Awaits,
): Promise<{ account: SigningIn; passed: boolean }> {
  const { tx, now, request } = context
  await tx.asSystem()
  const hash = hashToken(token)
  const step = await tx.maybe(sql.stepOf, { token: hash, awaits, now })
  if (!step || (step.site !== null && step.site !== request.site)) throw new Failure('login.expired')
  const account = await tx.one(sql.accountById, { account: step.account })
  return { account, passed: step.passed }
}

export const steps: Pick<Handlers['users'], 'newpassword'> = {
  async newpassword(context) {
    const { input, tx, now } = context
    const { account, passed } = await takeStep(context, input.step, 'password')
    const wanted = requireStrong(input.password, knownNames(context, account))
    await tx.commit()
    if (await verifyPassword(wanted, account.password)) throw new Failure('account.password_known')
    const password = await hashPassword(wanted)
    await tx.run(sql.useStep, { token: hashToken(input.step) })
    const changed = { account: account.account, password, present: account.password, now }
    if ((await tx.count(sql.changePassword, changed)) === 0) throw new Failure('login.expired')
    await tx.run(sql.endSessions, { account: account.account })
    context.request.invalidateSessions(account.account)
    await recordSecurityEvent(context, { kind: 'passwordChanged', account: account.account })
    const known = { ...account, password, must_change: false }
    return (await stepAfter(context, known, passed)) ?? beginSession(context, known)
  },
}
