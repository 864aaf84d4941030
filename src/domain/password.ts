/** What a password has to be (docs/product.md "Accounts and roles"). The same rule answers while somebody types and on the server. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from './account.ts'

/** From 0, found at once, to 4, found by nobody. */
export type Strength = 0 | 1 | 2 | 3 | 4

/** The weakest that is accepted: a guesser who knows the common passwords and patterns needs a million tries or more. */
const leastStrength: Strength = 2

/** What is beyond so many characters makes a password no weaker, and estimating it takes longer. */
const estimated = 32

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: estimated })

/** Why a password is refused, `null` when it is not. */
export type PasswordProblem = 'short' | 'guessable'

/**
 * How long a guesser needs for a password. `known` are names that a guesser tries first: those of the account, the site and the
 * company.
 */
export function passwordStrength(password: string, known: readonly string[]): Strength {
  const words = known.flatMap(name => [name, name.replaceAll(/[^\p{L}\p{N}]+/gu, ''), ...name.split(/[^\p{L}\p{N}]+/u)])
  const { score } = estimator.check(
    password.slice(0, estimated),
    words.filter(word => word.length > 2),
  )
  return score as Strength
}

export function passwordProblem(password: string, known: readonly string[]): PasswordProblem | null {
  if (password.length < minPasswordLength) return 'short'
  return passwordStrength(password, known) < leastStrength ? 'guessable' : null
}
