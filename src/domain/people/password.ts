/** The requirements of a password (docs/product/accounts.md "Accounts and roles"). The same rule answers during typing and on the server. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from './account.ts'

/** From 0, found at once, to 4, found by nobody. */
export type Strength = 0 | 1 | 2 | 3 | 4

/** The weakest that is accepted: a guesser who knows the common passwords and patterns needs a million tries or more. */
const leastStrength: Strength = 2

/** Characters beyond this many make a password no weaker, and estimating them takes longer. */
const estimatedLength = 32

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimatedLength })

/** Why a password is refused, `null` when it is not. */
export type PasswordProblem = 'short' | 'guessable'

/**
 * How long a guesser needs for a password. `personal` are names that a guesser tries first: those of the account, the site and the
 * company.
 */
export function passwordStrength(password: string, personal: readonly string[]): Strength {
  const words = personal.flatMap(name => [
    name,
    name.replaceAll(/[^\p{L}\p{N}]+/gu, ''),
    ...name.split(/[^\p{L}\p{N}]+/u),
  ])
  const { score } = estimator.check(
    password.slice(0, estimatedLength),
    words.filter(word => word.length > 2),
  )
  return score as Strength
}

/** Why a password is refused; `null` when it is accepted. */
export function passwordProblem(password: string, personal: readonly string[]): PasswordProblem | null {
  if (password.length < minPasswordLength) return 'short'
  return passwordStrength(password, personal) < leastStrength ? 'guessable' : null
}
