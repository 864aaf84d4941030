/** Single sign-on: an OpenID Connect provider, such as a company's own accounts, in the place of a password (docs/product/accounts.md "Single sign-on"). */

/** The page to which the provider sends the browser back. It is registered there, and never changes. */
export const signOnPath = '/signon'

/** The claim that most providers put the name of an account into. */
export const usualClaim = 'preferred_username'

/** The path after an issuer when somebody copies the address of its discovery document. */
const description = /\/\.well-known\/openid-configuration\/?$/

/** An issuer as it is typed, or copied. */
export const issuerFrom = (typed: string): string => typed.trim().replace(description, '')

const bare = (issuer: string): string => new URL(issuer).href.replace(/\/$/, '')

/** Whether two issuers differ at most in their last slash: they are described at one address. */
export const isSameIssuer = (a: string, b: string): boolean => bare(a) === bare(b)
