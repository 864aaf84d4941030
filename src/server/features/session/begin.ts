/** How a sign-in ends: with a session, of which the browser gets the token. */
import { languages, type Role } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import type { Profile } from '#contract/session.ts'
import type { Row } from '../../db/statement.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Who } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { deviceName } from '#domain/people/device.ts'
import { rememberDevice } from './devices.ts'
import * as sql from './sessions.sql.ts'

type Anyone = Context<unknown, 'anyone'>
export type SigningIn = Row<typeof sql.accountByName>

type Named = { type: Role } & Pick<Who, 'username' | 'fullname' | 'lang' | 'customer' | 'warehouse'>
export const profileOf = (
  who: Named,
  { sendsMail, register }: Pick<Anyone['request'], 'sendsMail' | 'register'>,
): Profile => ({
  isAuthenticated: true,
  username: who.username,
  fullname: who.fullname,
  type: who.type,
  lang: who.lang,
  lang_iso: languages[who.lang],
  seq_id: who.customer,
  ...(who.warehouse && { warehouse: true }),
  ...(register && { vehicleRegister: true }),
  ...(sendsMail && { sendsMail: true }),
})

/** A sign-in by the provider of a site, in the place of a password (docs/decisions/0038). */
export type BySignOn = {
  /** The state that the provider needs to end its own session, sealed (providerSession.ts). */
  readonly sealed: Buffer
  /** When its owner last showed there who it is. */
  readonly confirmed: Date
  /** Whether that took a second factor. */
  readonly factor: boolean
}

/**
 * Begins a session for an account whose password was right, or that the provider named, and ends the one that the browser had. It is
 * `login.wrong` when the account got another password meanwhile.
 */
export async function beginSession(
  context: Anyone,
  account: SigningIn,
  by: BySignOn | null = null,
): Promise<Profile | Failure> {
  const { tx, now, request } = context
  if (request.session) {
    await tx.maybe(sql.endSession, { token: request.session.token })
    request.invalidateSessions()
  }
  const token = newToken()
  const begun = await tx.count(sql.beginSession, {
    token: hashToken(token),
    account: account.account,
    password: account.password,
    device: deviceName(request.agent),
    address: request.address,
    now,
    confirmed: by?.confirmed ?? now,
    signOn: by?.sealed ?? null,
  })
  if (begun === 0) return new Failure('login.wrong')
  request.setSession(token)
  await recordSecurityEvent(context, {
    kind: 'signInRight',
    account: account.account,
    ...(by && { facts: { provider: true } }),
  })
  await rememberDevice(context, account.account)
  return profileOf({ ...account, lang: account.lang ?? account.site_lang ?? 'eng' }, request)
}
