import { argon2, randomBytes, randomInt, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordAtLeast } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** 19 MiB, two passes, one lane: 9 ms on the machines we measured, and what OWASP's password storage sheet names. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const length = 32

/** The password's argon2id hash in PHC form, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: length, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(hash)}`
}

/** Whether a password is the one of this hash. Takes as long for a wrong one; a hash that cannot be read fits nothing. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const found =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/.exec(kept)
  if (!found) return false
  const [, memory, passes, parallelism, nonce, hash] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const wanted = Buffer.from(hash, 'base64')
  const got = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(got, wanted)
}

const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Without the letters and digits that look alike on paper, or sound alike on the telephone. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password that nobody chose, to be told once: three groups of four, 59 bits. */
export const madeUpPassword = (): string =>
  Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  )

/** The password, when it is long enough. @throws Failure `account.password_weak` */
export function strongEnough(password: string): string {
  if (password.length < passwordAtLeast) throw new Failure('account.password_weak', { length: passwordAtLeast })
  return password
}

/**
 * The password that was chosen for somebody, or a made-up one when none was.
 * @throws Failure `account.password_weak`
 */
export function chosenPassword(chosen: string | undefined): { password: string; madeUp: boolean } {
  return chosen ? { password: strongEnough(chosen), madeUp: false } : { password: madeUpPassword(), madeUp: true }
}
