/** Access tokens: made, revoked, and whose one is (docs/product/accounts.md "Access tokens"). */
import { Failure } from '#domain/failure.ts'
import { maxTokens, scopesOf, type TokenLifetime, tokenPrefixes, type TokenScope } from '#domain/people/token.ts'
import type { Database } from '../../db/database.ts'
import { hashToken, newToken } from '../../tokens.ts'
import type { Context, Handlers, Who } from '../handler.ts'
import { lockSite } from '../config/config.sql.ts'
import { requireFresh } from '../security/fresh.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { remembered, type Scheduling, wasFound } from '../session/sessions.ts'
import * as sql from './tokens.sql.ts'

/** A token that the portal issued, usable or not. */
export type FoundToken = {
  readonly id: number
  readonly scopes: readonly TokenScope[]
  readonly state: 'usable' | 'expired' | 'revoked'
  readonly who: Who
}

const isOurs = (token: string): boolean =>
  token.length <= 100 && Object.values(tokenPrefixes).some(prefix => token.startsWith(prefix))

const keyOf = (hash: Buffer): string => `token ${hash.toString('base64')}`

/** Whether this node knows the token, which may have ended since. */
export const isKnownToken = (database: Database, token: string): boolean =>
  isOurs(token) && wasFound(database, keyOf(hashToken(token)))

/** The token, `null` for one that was never made. It is remembered for a second, as sessions are. */
export async function findToken(
  database: Database,
  token: string,
  now: Date,
  schedule: Scheduling,
): Promise<FoundToken | null> {
  if (!isOurs(token)) return null
  const hash = hashToken(token)
  return remembered(database, keyOf(hash), now, async () => {
    const row = await schedule(() =>
      database.transaction({ system: true }, tx => tx.single.maybe(sql.findByHash, { hash, now })),
    )
    if (!row) return null
    const { id, scopes, state, ...who } = row
    return { id, scopes, state, who }
  })
}

type Making = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'who' | 'site' | 'now' | 'request'>
type Wanted = { readonly name: string; readonly scopes: readonly TokenScope[]; readonly days: TokenLifetime }

async function make(
  context: Making,
  personal: boolean,
  { name, scopes, days }: Wanted,
): Promise<{ _id: number; token: string }> {
  const { tx, who, site, now } = context
  const { count } = await tx.one(sql.countUsable, { site: site.id, account: personal ? who.account : null, now })
  if (count >= maxTokens) throw new Failure('token.too_many', { most: maxTokens })
  const token = tokenPrefixes[personal ? 'personal' : 'site'] + newToken()
  const ending = token.slice(-4)
  const account = personal
    ? who.account
    : // what it does is told under this name, so it tells tokens of the same name apart
      (await tx.one(sql.addServiceAccount, { site: site.id, username: `${name} (…${ending})`, fullname: name, now })).id
  const { id } = await tx.one(sql.addToken, {
    site: site.id,
    account,
    customer: personal ? who.customer : null,
    personal,
    name,
    ending,
    scopes: [...new Set(scopes)],
    by: who.account,
    now,
    expires: days === null ? null : new Date(now.getTime() + days * 86_400_000),
    hash: hashToken(token),
  })
  await recordSecurityEvent(context, { kind: 'tokenMade', facts: { token: id, ofSite: !personal } })
  return { _id: id, token }
}

async function revoke(context: Making, token: number, account: number | null): Promise<{ _id: number }> {
  const { tx, site, now, request } = context
  const revoked = await tx.one(sql.revoke, { site: site.id, token, account, now })
  if (account === null) await tx.run(sql.disableServiceAccount, { site: site.id, account: revoked.account, now })
  await recordSecurityEvent(context, { kind: 'tokenRevoked', facts: { token, ofSite: account === null } })
  request.invalidateSessions(revoked.account)
  return { _id: token }
}

export const tokens: Handlers['tokens'] = {
  own: ({ tx, who, site, now }) => tx.json(sql.tokensOfAccount, { site: site.id, account: who.account, now }),

  async make(context) {
    const { input, tx, who, site } = context
    requireFresh(context)
    const open: readonly TokenScope[] = scopesOf[who.type]
    if (!input.scopes.every(scope => open.includes(scope))) throw new Failure('token.scope_refused')
    await tx.one(sql.lockTokenOwner, { site: site.id, account: who.account })
    return make(context, true, input)
  },

  revoke: context => revoke(context, context.input._id, context.who.account),

  site: ({ tx, site, now }) => tx.json(sql.tokensOfSite, { site: site.id, now }),

  async makesite(context) {
    const { input, tx, site } = context
    requireFresh(context)
    await tx.one(lockSite, { site: site.id })
    return make(context, false, input)
  },

  revokesite: context => revoke(context, context.input._id, null),
}
