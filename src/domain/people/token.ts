/** Tokens of programs (docs/product/accounts.md "Access tokens"). */
import type { Role } from './account.ts'

/**
 * The scopes of a token. `read`: calls that only read. `operations`: vehicles, tyres, orders. `warehouse`: scans and stock locations.
 * `invoicing`: charging and documents.
 */
export const tokenScopes = ['read', 'operations', 'warehouse', 'invoicing'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scopes that open a call to an account of this type; a superuser has no tokens. */
export const scopesOf = {
  user: ['read', 'operations'],
  admin: tokenScopes,
  superuser: [],
} as const satisfies Record<Role, readonly TokenScope[]>

/** For how many days a token can be made, and for how many it is unless somebody chooses; `null` never expires. */
export const tokenLifetimes = [30, 90, 365, null] as const
export type TokenLifetime = (typeof tokenLifetimes)[number]
export const defaultLifetime = 365 satisfies TokenLifetime

/** The prefix of a token: a person or a secret scanner that finds one recognises it. */
export const tokenPrefixes = { personal: 'whp_', site: 'whs_' } as const

/** The most usable tokens of an account, and of a site itself. */
export const maxTokens = 20

/** Why a token is refused. Its user learns of `scope` only. */
export const tokenRefusals = ['unknown', 'expired', 'revoked', 'site', 'scope', 'closed'] as const
export type TokenRefusal = (typeof tokenRefusals)[number]
