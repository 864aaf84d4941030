/**
 * The provider at the other end, by OpenID Connect (`openid-client`): the authorization code flow with PKCE, state and nonce. What it
 * says is checked by the library; it is asked by the guarded way out, and by no other.
 */
import * as client from 'openid-client'
import { Failure, type FailureCode } from '#domain/failure.ts'
import { type Outbound, OutboundFailed } from '../../outbound/outbound.ts'
import { openFairQueue } from '../../fairQueue.ts'

export type Provider = { readonly issuer: string; readonly clientId: string; readonly secret: string | null }

export type Claims = Readonly<Record<string, unknown>>

/** Somebody at the provider. */
export type Person = {
  readonly subject: string
  /** The claims of the ID token. */
  readonly claims: Claims
  /** Asks for what the provider's user info says beside it; nothing where the provider has none. */
  readonly userInfo: () => Promise<Claims | NotShown>
  /** When they last showed there who they are; `null` where the provider does not say. */
  readonly confirmed: Date | null
  /** Whether that took more than one factor (RFC 8176). */
  readonly factor: boolean
  readonly idToken: string
  /** Where the provider ends its session; `null` where it does not say. */
  readonly end: string | null
}

/** Why a person was not shown, and the library's own word for it. */
export type NotShown = { readonly failure: Failure; readonly problem: string }

export const isNotShown = (answer: object): answer is NotShown =>
  'failure' in answer && answer.failure instanceof Failure

/** How long the description of a provider is used, in ms. */
const keptFor = 10 * 60_000
/** In seconds: the way out gives up before. */
const timeout = 10

/** Requests that wait for a slow provider take no capacity from other sites. */
const queue = openFairQueue({
  kinds: { ask: { maxTotal: 64, maxPerSite: 4, timeoutMs: 5000 } },
  siteShare: 4,
  accountShare: 4,
  maxWaiting: { maxPerAccount: 32, maxPerSite: 32, total: 256 },
})

/** Does work that asks the provider of a site. @throws Failure `server.busy` */
export const queued = <T>(site: number, work: () => Promise<T>): Promise<T> =>
  queue.run('ask', { site, account: site }, work)

type Known = { readonly configuration: Promise<client.Configuration>; readonly until: number }
const configurations = new WeakMap<Outbound, Map<string, Known>>()

/**
 * The metadata of a provider, cached for a while.
 * @throws Failure `signOn.address`, `signOn.unreachable` or `signOn.unusable`
 */
export function describe(outbound: Outbound, provider: Provider): Promise<client.Configuration> {
  const all = configurations.get(outbound) ?? new Map<string, Known>()
  configurations.set(outbound, all)
  const key = JSON.stringify(provider)
  const now = performance.now()
  const cached = all.get(key)
  if (cached && cached.until > now) return cached.configuration
  const configuration = discoverSpelled(outbound, provider)
  if (all.size >= 1000) all.clear()
  all.set(key, { configuration, until: now + keptFor })
  configuration.catch(() => all.delete(key))
  return configuration
}

/** An issuer is compared letter for letter, and people copy it with its last slash or without. @throws Failure as `describe` */
async function discoverSpelled(outbound: Outbound, provider: Provider): Promise<client.Configuration> {
  try {
    return await discover(outbound, provider)
  } catch (error) {
    const isOther = error instanceof Failure && error.code === 'signOn.unusable'
    if (!isOther || new URL(provider.issuer).pathname === '/') throw error
    const { issuer } = provider
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`
    return discover(outbound, { ...provider, issuer: other }).catch(() => {
      throw error
    })
  }
}

async function discover(outbound: Outbound, { issuer, clientId, secret }: Provider): Promise<client.Configuration> {
  const configuration = await client
    .discovery(new URL(issuer), clientId, undefined, authentication(secret), {
      [client.customFetch]: (url, { body, ...options }) => outbound.send(url, { ...options, ...bodyOf(body) }),
      timeout,
      // `outbound` decides which destinations are open, for http as for addresses
      execute: [client.enableNonRepudiationChecks, client.allowInsecureRequests],
    })
    .catch((error: unknown) => {
      throw failureOf(error, 'signOn.unusable')
    })
  const metadata = configuration.serverMetadata()
  const {
    authorization_endpoint: authorize,
    token_endpoint: token,
    jwks_uri: keys,
    end_session_endpoint: end,
  } = metadata
  // one tenant, not a template for many: exactly one issuer vouches for identities
  const isItself = sameAddress(metadata.issuer, issuer) && !metadata.issuer.includes('{')
  const browsed = [authorize, ...(end === undefined ? [] : [end])]
  if (!isItself || !token || !keys || !browsed.every(url => isPage(url, outbound))) throw new Failure('signOn.unusable')
  return configuration
}

/** A secret goes as most providers take it: in the body, and by the header where they take nothing else. */
const authentication =
  (secret: string | null): client.ClientAuth =>
  (server, ...rest) => {
    if (secret === null) return client.None()(server, ...rest)
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic
    return way(secret)(server, ...rest)
  }

const bodyOf = (body: unknown): { body?: string } =>
  body === undefined || body === null ? {} : { body: body instanceof URLSearchParams ? body.toString() : String(body) }

const sameAddress = (first: string, other: string): boolean =>
  URL.canParse(first) && URL.canParse(other) && new URL(first).href === new URL(other).href

/** Whether a browser can be sent there: an address with `javascript:` would run in our page. */
function isPage(url: string | undefined, { allowsPrivate }: Outbound): boolean {
  if (url === undefined || !URL.canParse(url)) return false
  const { protocol } = new URL(url)
  return protocol === 'https:' || (allowsPrivate && protocol === 'http:')
}

export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string }

export const beginning = (): Begun => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  verifier: client.randomPKCECodeVerifier(),
})

/** Where the browser goes. `maxAge`: they have to show again who they are, no longer ago than so many seconds. */
export async function authorizationAddress(
  configuration: client.Configuration,
  { state, nonce, verifier }: Begun,
  { redirect, maxAge }: { redirect: string; maxAge: number | null },
): Promise<string> {
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirect,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(maxAge !== null && { prompt: 'login', max_age: String(maxAge) }),
  })
  return url.href
}

type Answered = Begun & {
  readonly redirect: string
  /** The query with which the provider sent the browser back. */
  readonly answer: string
  readonly maxAge: number | null
}

/** Exchanges the code of an answer, and reads who it is. */
export async function personOf(outbound: Outbound, provider: Provider, answered: Answered): Promise<Person | NotShown> {
  const { redirect, answer, state, nonce, verifier, maxAge } = answered
  try {
    const configuration = await describe(outbound, provider)
    const url = new URL(redirect)
    url.search = answer
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(maxAge !== null && { maxAge }),
    })
    const shown = tokens.claims()
    if (!shown || !tokens.id_token) throw new Failure('signOn.failed')
    const { userinfo_endpoint: more, end_session_endpoint: end = null } = configuration.serverMetadata()
    return {
      subject: shown.sub,
      claims: shown,
      userInfo: async () => {
        if (!more) return {}
        return client.fetchUserInfo(configuration, tokens.access_token, shown.sub).catch(notShown)
      },
      confirmed: typeof shown.auth_time === 'number' ? new Date(shown.auth_time * 1000) : null,
      factor: Array.isArray(shown.amr) && shown.amr.includes('mfa'),
      idToken: tokens.id_token,
      end,
    }
  } catch (error) {
    return notShown(error)
  }
}

const notShown = (error: unknown): NotShown => ({
  failure: failureOf(error, 'signOn.failed'),
  problem: problemOf(error),
})

const wayOut = { address: 'signOn.address', unreachable: 'signOn.unreachable', unusable: 'signOn.unusable' } as const

function failureOf(error: unknown, otherwise: FailureCode): Failure {
  if (error instanceof Failure) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundFailed) return new Failure(wayOut[cause.reason])
  if (error instanceof client.AuthorizationResponseError) return new Failure('signOn.declined')
  const isOfClient = error instanceof client.ResponseBodyError && /^(invalid|unauthorized)_client$/.test(error.error)
  return new Failure(isOfClient ? 'signOn.client' : otherwise)
}

/** A code that helps to find the reason: from OAuth, or from the library. Never text that a person wrote. */
function problemOf(error: unknown): string {
  const { error: ofProtocol, code } = error as { error?: unknown; code?: unknown }
  const word = [ofProtocol, code].find(word => typeof word === 'string') ?? ''
  return /^[\w.]{1,60}$/.test(String(word)) ? String(word) : ''
}
