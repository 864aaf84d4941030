/** Passwords: hashed, checked, generated. */
import { argon2, randomBytes, randomInt, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { minPasswordLength } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import type { PasswordProblem } from '#domain/people/password.ts'
import { openFairQueue } from '../../fairQueue.ts'
import type { Context } from '../handler.ts'
import { commonPasswords } from './commonPasswords.ts'

const hash = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** How many hashes are made at once: each takes a core, and one stays for everything else. */
export const hashesAtOnce = Math.min(16, Math.max(1, availableParallelism() - 1))

/** One queue for all hashing. The queues of requests and of attempts limit before it how often anyone asks. */
const hashQueue = openFairQueue({
  kinds: { hash: { maxTotal: hashesAtOnce, timeoutMs: 20_000 } },
  siteShare: hashesAtOnce,
  accountShare: hashesAtOnce,
  maxWaiting: { maxPerAccount: 1024, maxPerSite: 1024, total: 1024 },
})

/** Hashes in that queue. Takes long, and must hold no connection meanwhile. */
export const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  hashQueue.run('hash', { site: 'all', account: 'all' }, () => hash('argon2id', parameters))

/** 19 MiB, two passes, one lane, as OWASP's password storage cheat sheet recommends: 9 ms on the machines we measured. */
export const hashCost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const length = 32

/** The password's argon2id hash in PHC form, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const digest = await derive({ message: password.normalize('NFKC'), nonce, tagLength: length, ...hashCost })
  const { memory, passes, parallelism } = hashCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(digest)}`
}

/** Whether a password has this hash. Takes as long for a wrong one; a malformed hash matches nothing. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/.exec(hash)
  if (!match) return false
  const [, memory, passes, parallelism, nonce, digest] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const wanted = Buffer.from(digest, 'base64')
  const got = await derive({
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

/** Without letters and digits that look alike on paper, or sound alike on the telephone. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A generated password, three groups of four, 59 bits. It is shown once. */
export const generatePassword = (): string =>
  Array.from({ length: 3 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  )

/** The names that a guesser of somebody's password tries first. */
export const knownNames = (
  context: Pick<Context<unknown, 'anyone'>, 'site' | 'request'>,
  { username, fullname, company = '' }: { username: string; fullname: string; company?: string },
): string[] => [username, fullname, company, context.request.site === null ? '' : context.site.name].filter(Boolean)

/**
 * Why a password is refused, `null` when it is not: by the rule that answers while somebody types, and by the long list. Both are
 * read when the first password is chosen.
 */
export async function problemOf(password: string, guesses: readonly string[]): Promise<PasswordProblem | null> {
  const { passwordProblem } = await import('#domain/people/password.ts')
  return passwordProblem(password, guesses) ?? (commonPasswords().has(password.toLowerCase()) ? 'guessable' : null)
}

/**
 * The password, if it is good enough for somebody of whom guessers know these names.
 * @throws Failure `account.password_weak` or `account.password_guessable`
 */
export async function requireStrong(password: string, guesses: readonly string[]): Promise<string> {
  const problem = await problemOf(password, guesses)
  if (problem === 'short') throw new Failure('account.password_weak', { length: minPasswordLength })
  if (problem === 'guessable') throw new Failure('account.password_guessable')
  return password
}

/**
 * The password that was chosen for somebody, or a generated one when none was.
 * @throws Failure `account.password_weak` or `account.password_guessable`
 */
export async function chosenPassword(
  chosen: string | undefined,
  guesses: readonly string[],
): Promise<{ password: string; generated: boolean }> {
  return chosen
    ? { password: await requireStrong(chosen, guesses), generated: false }
    : { password: generatePassword(), generated: true }
}
