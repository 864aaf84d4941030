/** The stored state of the provider's session that began one here, to end both at a sign-out (OpenID Connect RP-Initiated Logout 1.0). */
import type { Context } from '../handler.ts'

type Asking = Pick<Context<unknown, 'anyone'>, 'request'>

export type ProviderSession = {
  /** Where the provider ends a session; `null` where it does not say. */
  readonly end: string | null
  readonly clientId: string
  readonly idToken: string
}

/** The longest token that an address can hold beside the rest; a longer one is left out, and the provider asks whom to sign out. */
const longest = 4000

const purpose = (account: number): string => `provider session of account ${account}`

export const sealProviderSession = ({ request }: Asking, account: number, session: ProviderSession): Buffer =>
  request.secrets.encrypt(JSON.stringify(session), purpose(account))

/** Where the browser goes to end the session at the provider, `null` where there is nothing to end. */
export function endAddress({ request }: Asking, account: number, sealed: Buffer): string | null {
  const session = opened({ request }, account, sealed)
  if (session === null || session.end === null) return null
  const url = new URL(session.end)
  url.searchParams.set('client_id', session.clientId)
  if (session.idToken.length <= longest) url.searchParams.set('id_token_hint', session.idToken)
  url.searchParams.set('post_logout_redirect_uri', `${request.origin}/`)
  return url.href
}

function opened({ request }: Asking, account: number, sealed: Buffer): ProviderSession | null {
  try {
    return JSON.parse(request.secrets.decrypt(sealed, purpose(account))) as ProviderSession
  } catch {
    // sealed with a key that the portal no longer has: the session here ends all the same
    return null
  }
}
