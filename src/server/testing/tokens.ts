/** Principals that show an access token. */
import { scopesOf, tokenScopes, type TokenScope } from '#domain/people/token.ts'
import { tokens } from '#contract/tokens.ts'
import type { Principal, World } from './world.ts'

type Wish = { scopes?: readonly TokenScope[]; days?: 30 | 90 | 365 | null; name?: string }

/** With a token of this account, with every scope that it can have. */
export async function tokenOf(at: World, who: Principal, wish: Wish = {}): Promise<Principal> {
  const { scopes = scopesOf[who.type ?? 'user'], days = 365, name = `Program of ${who.name}` } = wish
  const { status, answer, text } = await at.ask(tokens.make, who, { name, scopes: [...scopes], days })
  if (status !== 200) throw new Error(text)
  return { ...who, name, cookie: null, token: answer.token }
}

/** With a token of the site of this administrator. */
export async function siteTokenOf(at: World, admin: Principal, wish: Wish = {}): Promise<Principal> {
  const { scopes = tokenScopes, days = 365, name = `Program of ${admin.host}` } = wish
  const { status, answer, text } = await at.ask(tokens.makesite, admin, { name, scopes: [...scopes], days })
  if (status !== 200) throw new Error(text)
  const [row] = await at.query<{ account_id: number }>('select account_id from api_token where id = $1', [answer._id])
  return { ...admin, name, account: row?.account_id ?? 0, cookie: null, token: answer.token }
}
