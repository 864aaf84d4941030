/** Codes as second factors: of an authenticator app, and recovery codes (docs/decisions/0034). */
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { AppOffered } from '#contract/factors.ts'
import type { Context } from '../handler.ts'
import { derive, hashCost } from './password.ts'
import * as sql from './factors.sql.ts'

type Asking = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'request'>

/** A clock may be so many half minutes off. */
const tolerance = 1
/** How long a new app may wait for its first code, in minutes. */
const offerMinutes = 10

const appOfSeed = (seed: string, account: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...account, secret: Secret.fromBase32(seed) })

/** The half minute of which this is the code, `null` when it is of none near `now`. */
function stepOf(seed: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = appOfSeed(seed).validate({ token: code, timestamp, window: tolerance })
  return delta === null ? null : TOTP.counter({ timestamp }) + delta
}

/** A code as it was meant: people type spaces and dashes where they are printed. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

const purposeOf = (account: number): string => `totp ${account}`
const offerPurposeOf = (account: number): string => `totp offer ${account}`

/** A new app; `null` in a portal without SECRET_KEY, which could not keep its seed. */
export function offerApp(
  { now, request }: Pick<Asking, 'now' | 'request'>,
  account: number,
  { issuer, label }: { issuer: string; label: string },
): AppOffered | null {
  if (!request.secrets.isPersistent) return null
  const seed = new Secret({ size: 20 }).base32
  const until = now.getTime() + offerMinutes * 60_000
  const sealed = request.secrets.encrypt(`${until} ${seed}`, offerPurposeOf(account)).toString('base64url')
  // a colon parts the names in the address of an app
  const address = appOfSeed(seed, { issuer: issuer.replaceAll(':', ' '), label }).toString()
  return { seed, address, sealed }
}

/** The seed of an app that was offered, when the code shows that its owner has it. Without a code to replay it is `null`. */
export function seedOffered(
  { now, request }: Pick<Asking, 'now' | 'request'>,
  account: number,
  { sealed, code }: { sealed: string; code: string },
): { seed: string; step: number } | null {
  const [until, seed] = unsealed(() =>
    request.secrets.decrypt(Buffer.from(sealed, 'base64url'), offerPurposeOf(account)),
  )
  if (seed === undefined || Number(until) < now.getTime()) return null
  const step = stepOf(seed, plain(code), now)
  return step === null ? null : { seed, step }
}

/** The words of a sealed text, none when it was sealed for something else or changed. */
function unsealed(open: () => string): string[] {
  try {
    return open().split(' ')
  } catch {
    return []
  }
}

/** Keeps an app for an account. */
export const addApp = (
  { tx, now, request }: Asking,
  account: number,
  { seed, step }: { seed: string; step: number },
): Promise<void> => tx.run(sql.addApp, { account, seed: request.secrets.encrypt(seed, purposeOf(account)), step, now })

/** Finds how a code can be right, and answers what takes it. Both may take long; looking up holds the connection, checking does not. */
export async function codeChecker(
  { tx, now, request }: Asking,
  account: number,
  typed: string,
): Promise<{ verify: () => Promise<boolean>; take: () => Promise<boolean> }> {
  const code = plain(typed)
  if (/^\d{6}$/.test(code)) {
    const app = await tx.maybe(sql.appOf, { account })
    const seed = app && unsealed(() => request.secrets.decrypt(app.seed, purposeOf(account)))[0]
    const step = seed === undefined || seed === null ? null : stepOf(seed, code, now)
    return {
      verify: () => Promise.resolve(step !== null),
      take: async () => step !== null && (await tx.count(sql.takeAppStep, { account, step, now })) > 0,
    }
  }
  const codes = await tx.rows(sql.codesOf, { account })
  let hash: Buffer | null = null
  return {
    async verify() {
      hash = await hashCode(code, codes[0]?.salt ?? randomBytes(16))
      const typedHash = hash
      return codes.some(code => timingSafeEqual(code.hash, typedHash))
    },
    take: async () => hash !== null && (await tx.count(sql.takeCode, { account, hash })) > 0,
  }
}

/** Recovery codes, of letters and digits that look alike neither on paper nor on a screen: 49 bits each. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeCount = 10
const newCode = (): string => Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')

/** Hashed like a password, since it is short, with a salt for all codes of an account: one hash finds out which of them it is. */
const hashCode = (code: string, salt: Buffer): Promise<Buffer> =>
  derive({ message: code, nonce: salt, tagLength: 32, ...hashCost })

/** New recovery codes, to be shown this once, and their hashes to store. Takes long and holds no connection. */
export async function makeCodes(): Promise<{ codes: string[]; kept: { salt: Buffer; hashes: Buffer[] } }> {
  const salt = randomBytes(16)
  const codes = Array.from({ length: codeCount }, newCode)
  // one after the other: a core for as long as ten sign-ins would be a neighbour's
  const hashes: Buffer[] = []
  for (const code of codes) hashes.push(await hashCode(code, salt))
  return { codes: codes.map(code => `${code.slice(0, 5)}-${code.slice(5)}`), kept: { salt, hashes } }
}
