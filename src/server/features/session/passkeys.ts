/** Passkeys, by Web Authentication (docs/decisions/0034). They are of the host that the browser is at, and of no other. */
import type { VerifyAuthenticationResponseOpts } from '@simplewebauthn/server'
import type { z } from 'zod'
import { Failure } from '#domain/failure.ts'
import type { PasskeyMade, passkeyOffered, PasskeyShown, passkeyWanted } from '#contract/factors.ts'
import type { Row } from '../../db/statement.ts'
import { hashToken } from '../../tokens.ts'
import type { Context } from '../handler.ts'
import { recordUnsuccessful } from './attempts.ts'
import * as sql from './factors.sql.ts'

type Asking = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'request' | 'who'>
export type Passkey = Row<typeof sql.passkeyOf>

/** How long a browser may take to answer, in minutes. */
const minutes = 5
const timeout = minutes * 60_000

/** The algorithms that all current browsers and authenticators support: ES256, RS256 and EdDSA, by their COSE numbers. */
const supportedAlgorithmIDs = [-7, -257, -8]

/** Loaded by the first who uses a passkey (docs/decisions/0078). */
const webAuthn = () => import('@simplewebauthn/server')

const hostOf = ({ origin }: Asking['request']): string => new URL(origin).hostname

async function keepChallenge({ tx, now }: Asking, challenge: string, account: number | null): Promise<void> {
  const expires = new Date(now.getTime() + timeout)
  await tx.run(sql.addChallenge, { hash: hashToken(challenge), account, now, expires })
}

/** As a browser sends it: the id stands there twice, and no extensions are asked for. */
const asSent = <T extends { id: string }>(sent: T) => ({ ...sent, rawId: sent.id, clientExtensionResults: {} })

/** Uses up the challenge that a browser answers, even if its answer fails; `null` when it is not a challenge of this account. */
async function takeChallenge({ tx, now }: Asking, clientData: string, account: number | null): Promise<string | null> {
  const challenge = challengeOf(clientData)
  if (challenge === null) return null
  const taken = await tx.count(sql.takeChallenge, { hash: hashToken(challenge), account, now })
  await tx.commit()
  return taken > 0 ? challenge : null
}

function challengeOf(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    // no browser makes such a thing
    return null
  }
}

const idsOf = (passkeys: readonly Row<typeof sql.passkeysOf>[]) =>
  passkeys.map(({ credential, transports }) => ({ id: credential.toString('base64url'), transports }))

/**
 * The challenge for one of the account's passkeys; without an account, for any passkey that its owner chooses. `alone`: no password was
 * shown or will be, so that the authenticator has to verify its owner.
 */
export async function wantPasskey(
  context: Asking,
  account: number | null,
  alone = account === null,
): Promise<z.output<typeof passkeyWanted>> {
  const passkeys = account === null ? [] : await context.tx.rows(sql.passkeysOf, { account })
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: hostOf(context.request),
    ...(account !== null && { allowCredentials: idsOf(passkeys) }),
    timeout,
    // alone, it has to be somebody's by a fingerprint or a number, and not just in somebody's hand
    userVerification: alone ? 'required' : 'preferred',
  })
  await keepChallenge(context, options.challenge, account)
  return options as z.output<typeof passkeyWanted>
}

/** The options for creating the account's next passkey. */
export async function offerPasskey(
  context: Asking,
  account: number,
  { issuer, label, fullname }: { issuer: string; label: string; fullname: string },
): Promise<z.output<typeof passkeyOffered>> {
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: issuer,
    rpID: hostOf(context.request),
    userName: label,
    userDisplayName: fullname || label,
    // the same for all passkeys of an account, and nobody else's anywhere
    userID: new Uint8Array(hashToken(`passkeys of account ${account} at ${hostOf(context.request)}`)),
    excludeCredentials: idsOf(await context.tx.rows(sql.passkeysOf, { account })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout,
    supportedAlgorithmIDs,
    attestationType: 'none',
  })
  await keepChallenge(context, options.challenge, account)
  return options as z.output<typeof passkeyOffered>
}

type Made = {
  readonly credential: Buffer
  readonly key: Buffer
  readonly counter: number
  readonly transports: string[]
}

/**
 * Checks a new passkey against the options offered to the account.
 * @throws Failure `factor.wrong`: it was made from other options, or for another host
 */
export async function checkMade(context: Asking, account: number, passkey: PasskeyMade): Promise<Made> {
  const { request } = context
  const expectedChallenge = await takeChallenge(context, passkey.response.clientDataJSON, account)
  if (expectedChallenge === null) throw new Failure('factor.wrong')
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: asSent(passkey),
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: hostOf(request),
    requireUserVerification: false,
    supportedAlgorithmIDs,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw new Failure('factor.wrong')
  const { id, publicKey, counter } = registrationInfo.credential
  const { transports } = passkey.response
  return { credential: Buffer.from(id, 'base64url'), key: Buffer.from(publicKey), counter, transports }
}

/** Keeps a passkey for an account. @throws Failure `factor.wrong`: it is somebody's already */
export async function addPasskey({ tx, now }: Asking, account: number, name: string, passkey: Made): Promise<void> {
  if ((await tx.count(sql.addPasskey, { account, ...passkey, name, now })) === 0) throw new Failure('factor.wrong')
}

/**
 * Checks the signature of a passkey: one of the account's, or one that signs in by itself. The caller returns `factor.wrong` instead of
 * throwing it, since a wrong one is recorded: it signed something else, or for another host, or a copy of it was used. `alone`: as for
 * `wantPasskey`.
 */
export async function checkPasskey(
  context: Asking,
  account: number | null,
  shown: PasskeyShown,
  alone = account === null,
): Promise<Passkey | Failure> {
  const passkey = await context.tx.maybe(sql.passkeyOf, { credential: Buffer.from(shown.id, 'base64url') })
  const right = await isRight(context, account, shown, { passkey, alone })
  if (right && passkey) return passkey
  await recordUnsuccessful(context, 'wrong', account ?? passkey?.account ?? null)
  return new Failure('factor.wrong')
}

async function isRight(
  context: Asking,
  account: number | null,
  shown: PasskeyShown,
  { passkey, alone }: { passkey: Passkey | null; alone: boolean },
): Promise<boolean> {
  const { tx, now, request } = context
  const expectedChallenge = await takeChallenge(context, shown.response.clientDataJSON, account)
  if (expectedChallenge === null || !passkey || (account !== null && passkey.account !== account)) return false
  const { verifyAuthenticationResponse } = await webAuthn()
  const checked = await verifyAuthenticationResponse({
    response: asSent(shown) as VerifyAuthenticationResponseOpts['response'],
    expectedChallenge,
    expectedOrigin: request.origin,
    expectedRPID: hostOf(request),
    credential: {
      id: shown.id,
      publicKey: new Uint8Array(passkey.key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
    requireUserVerification: alone,
  }).catch(() => null)
  if (!checked?.verified) return false
  const counter = checked.authenticationInfo.newCounter
  return (await tx.count(sql.usePasskey, { passkey: passkey.id, counter, now })) > 0
}
