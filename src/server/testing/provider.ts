/** An OpenID Connect provider for tests: a real one, which signs any tokens that a test gives it. */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type JWK } from 'oidc-provider'

type Claims = Record<string, unknown>

export const clientId = 'wheelhouse'
export const clientSecret = 'a secret of the client, 4242'

export type TestProvider = {
  readonly issuer: string
  /** Whom it knows, by the name that they sign in with; `sub` is that name where nothing else is said. */
  readonly people: Map<string, Claims>
  /** Puts something else into the next tokens. */
  tamper: ((claims: Claims) => Claims) | null
  /** Puts something else into the next answers of user info. */
  tamperUserInfo: ((claims: Claims) => Claims) | null
  /** Signs the next tokens with another key than its own. */
  foreignKey: boolean
  /** How often a path was asked. */
  asked(path: string): number
  /** Signs somebody in as their browser would, and answers the query with which they are sent back. `browser` keeps its cookies. */
  signIn(url: string, name: string, browser?: Map<string, string>): Promise<string>
  close(): Promise<void>
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
/** Making one takes long. */
const ownKey = keyPair()
let otherKey: KeyObject | undefined

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const decoded = (part = ''): Claims => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims

/** The token with other claims, signed again. */
function signedAnew(token: string, change: (claims: Claims) => Claims, key: KeyObject): string {
  const [head = '', body] = token.split('.')
  const text = `${head}.${encoded(change(decoded(body)))}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return new URLSearchParams(Buffer.concat(parts).toString())
}

const loginPage = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>
<form method="post"><label>Name <input name="login" autofocus></label> <button>Sign in</button></form></main></html>`

/** The page that asks whether somebody means to sign out; `form` is the provider's own. */
function askToSignOut(context: { body?: unknown }, form: string): void {
  context.body = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out there, too</button></main></html>`
}

/** Starts a provider on a free port, for a portal at these origins. */
export async function startProvider(origins: readonly string[]): Promise<TestProvider> {
  const counts = new Map<string, number>()
  const people = new Map<string, Claims>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`

  const provider = new Provider(issuer, {
    clients:
      origins.length === 0
        ? []
        : [
            {
              client_id: clientId,
              client_secret: clientSecret,
              redirect_uris: origins.map(origin => `${origin}/signon`),
              post_logout_redirect_uris: origins.map(origin => `${origin}/`),
              token_endpoint_auth_method: 'client_secret_post',
            },
          ],
    jwks: { keys: [{ ...(ownKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut } },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    async findAccount(_context, accountId) {
      const claims = people.get(accountId)
      return claims && { accountId, claims: async () => ({ sub: accountId, ...claims }) }
    },
    // nobody is asked whether the portal may know who they are
    async loadExistingGrant({ oidc: { client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const started: TestProvider = {
    issuer,
    people,
    tamper: null,
    tamperUserInfo: null,
    foreignKey: false,
    asked: path => counts.get(path) ?? 0,
    signIn: (url, name, browser) => browse(issuer, url, name, browser),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  provider.use(async (context, next) => {
    counts.set(context.path, (counts.get(context.path) ?? 0) + 1)
    if (context.path === '/favicon.ico') return void (context.status = 204)
    if (context.path.startsWith('/login/')) {
      if (context.method === 'GET') return void (context.body = loginPage)
      const accountId = (await formOf(context.req)).get('login') ?? ''
      const result = people.has(accountId) ? { login: { accountId } } : { error: 'access_denied' }
      const to = await provider.interactionResult(context.req, context.res, result)
      return context.redirect(to)
    }
    await next()
    if (context.path === '/me' && started.tamperUserInfo) context.body = started.tamperUserInfo(context.body as Claims)
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || !body?.id_token) return
    otherKey ??= started.foreignKey ? keyPair() : undefined
    const key =
      started.foreignKey && otherKey ? otherKey : createPrivateKey(ownKey.export({ type: 'pkcs8', format: 'pem' }))
    if (started.tamper || started.foreignKey)
      body.id_token = signedAnew(body.id_token, started.tamper ?? (claims => claims), key)
  })
  server.on('request', provider.callback())
  return started
}

/** Follows redirects of the provider, types a name where it asks for one, and stops where it sends the browser back. */
async function browse(
  issuer: string,
  from: string,
  name: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  let url = from
  let body: string | null = null
  for (let steps = 0; steps < 12; steps++) {
    const reply: Response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        ...(body !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== null && { method: 'POST', body }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(key)
      else cookies.set(key, value)
    }
    const text = await reply.text()
    const location = reply.headers.get('location')
    if (location === null) {
      if (!url.includes('/login/')) throw new Error(`the provider answers ${reply.status}: ${text}`)
      body = new URLSearchParams({ login: name }).toString()
      continue
    }
    body = null
    url = new URL(location, url).href
    if (!url.startsWith(issuer)) return new URL(url).search.slice(1)
  }
  throw new Error('the provider goes on and on')
}
