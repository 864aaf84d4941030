/** The first step of a call: its site, its caller, and whether the caller may make it. */
import type { FastifyRequest } from 'fastify'
import { preferredLanguage, type Language } from '#domain/people/account.ts'
import { Failure, type FailureCode } from '#domain/failure.ts'
import type { TokenRefusal, TokenScope } from '#domain/people/token.ts'
import { accountHeader, type Call, unattendedHeader } from '#contract/call.ts'
import type { Database } from '../db/database.ts'
import type { Session, Site, Who } from '../features/handler.ts'
import { cookieName, findSession, isKnownSession, type Scheduling } from '../features/session/sessions.ts'
import { findSite } from '../features/sites/sites.ts'
import type { Refusals } from '../features/tokens/refusals.ts'
import { findToken, type FoundToken, isKnownToken } from '../features/tokens/tokens.ts'
import { refreshTexts } from '../texts/dictionary.ts'
import { clientAddress } from './clientAddress.ts'
import { agentOf } from './decode.ts'
import type { RequestQueues } from './queues.ts'
import type { RateLimit } from './rateLimits.ts'

/** An access token that a request shows. `id` and `account` are null for one that was never made. */
type ShownToken = {
  readonly id: number | null
  readonly account: number | null
  readonly scopes: readonly TokenScope[]
  /** Why it opens nothing here, if it does not. */
  readonly refusal: TokenRefusal | null
}

/**
 * The caller. `who` is null without a session or a usable access token, and for an account of another site than that of the address.
 * A request with a token has no session, even when it sends cookies.
 */
export type Caller = {
  readonly site: Site | null
  readonly session: Session | null
  readonly token: ShownToken | null
  readonly who: Who | null
}

type Identifying = {
  readonly database: Database
  readonly defaultSite?: string | undefined
  /** Queues session lookups by address. */
  readonly queues: RequestQueues | null
}
type Admitting = Identifying & {
  readonly limit: RateLimit | null
  readonly refusals: Refusals
}

/**
 * Identifies the caller, counts the call and checks that it is theirs to make.
 * @throws Failure `request.foreign_origin`, `request.host_lost`, `request.untrusted_proxy`, `request.too_many`, `token.invalid`, `token.closed`, `token.scope`,
 *   `session.missing`, `session.other_account`, `session.forbidden` or `site.mode`
 */
export async function admit(
  request: FastifyRequest,
  call: Call,
  { limit, refusals, ...identifying }: Admitting,
  now: Date,
): Promise<Caller> {
  // a browser sends a token for no other site, as it does a cookie
  if (bearerOf(request) === null) refuseForeignOrigin(request)
  const [caller] = await Promise.all([identify(request, identifying, now), refreshTexts(identifying.database)])
  request.lang = caller.who?.lang ?? acceptedLanguage(request)
  request.outcome.account = caller.who?.account
  request.outcome.site = caller.site?.id
  request.outcome.token = caller.token?.id ?? undefined
  await limit?.call(request, call, caller.who?.account)
  try {
    if (call.who !== 'anyone') refuseOtherAccount(request, caller)
    authorise(call, caller)
  } catch (error) {
    recordRefusal(error, { request, call, caller, refusals, now })
    throw error
  }
  return caller
}

/**
 * Finds the site of the address, and the access token or the session of the cookie. With `used` false, and by a request that a page
 * makes by itself, the session is looked at and not used.
 */
export async function identify(
  request: FastifyRequest,
  { database, defaultSite, queues }: Identifying,
  now: Date,
  used = true,
): Promise<Caller> {
  const site = await findSite(database, request.hostname, defaultSite)
  const address = clientAddress(request.ip)
  const schedule: Scheduling = lookUp =>
    queues ? queues.sessionLookups.run('lookUp', { site: address, account: address }, lookUp) : lookUp()
  const bearer = bearerOf(request)
  if (bearer !== null) return callerOf(site, await findToken(database, bearer, now, schedule))
  const session = await findSession(database, request.cookies[cookieName(request.protocol)], now, {
    schedule,
    used: used && request.headers[unattendedHeader] === undefined,
  })
  return { site, session, token: null, who: session && belongsTo(session.who, site) ? session.who : null }
}

/** Whether this node has identified the caller of such a request lately. Costs no statement. */
export function isKnownCaller(request: FastifyRequest, database: Database): boolean {
  const bearer = bearerOf(request)
  return bearer === null
    ? isKnownSession(database, request.cookies[cookieName(request.protocol)])
    : isKnownToken(database, bearer)
}

function callerOf(site: Site | null, token: FoundToken | null): Caller {
  if (!token)
    return { site, session: null, token: { id: null, account: null, scopes: [], refusal: 'unknown' }, who: null }
  const { id, scopes, state, who } = token
  const refusal = state !== 'usable' ? state : belongsTo(who, site) ? null : 'site'
  return { site, session: null, token: { id, account: who.account, scopes, refusal }, who: refusal ? null : who }
}

/** The access token of a request, `null` without one. A header of another scheme belongs to a proxy. */
function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string | null {
  const [scheme = '', ...rest] = authorization.trim().split(' ')
  return scheme.toLowerCase() === 'bearer' ? rest.join(' ').trim() : null
}

const refusalOfCode: Partial<Record<FailureCode, TokenRefusal>> = { 'token.closed': 'closed', 'token.scope': 'scope' }

function recordRefusal(
  error: unknown,
  {
    request,
    call,
    caller: { site, token },
    refusals,
    now,
  }: {
    readonly request: FastifyRequest
    readonly call: Call
    readonly caller: Caller
    readonly refusals: Refusals
    readonly now: Date
  },
): void {
  if (!token || !(error instanceof Failure)) return
  const refusal = token.refusal ?? refusalOfCode[error.code]
  if (!refusal) return
  const { id, account } = token
  refusals.record({
    token: id !== null && account !== null ? { id, account } : null,
    refusal,
    call: call.name,
    site: site?.id ?? null,
    address: clientAddress(request.ip),
    device: agentOf(request),
    now,
  })
}

/**
 * The caller as it is now: somebody who sends a body slowly, or waits for a turn, may have lost the session, or a role, since it was
 * admitted.
 * @throws Failure `session.missing`, `session.forbidden` or `site.mode`
 */
export async function admitAgain(
  request: FastifyRequest,
  call: Call,
  identifying: Identifying,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
): Promise<Caller> {
  if (caller.session === null && caller.token === null) return caller
  const again = await identify(request, identifying, now)
  authorise(call, again)
  return again
}

/** An account works at its own site only. A superuser belongs to none and signs in anywhere. */
const belongsTo = (who: Who, site: Site | null): boolean =>
  who.type === 'superuser' || (site !== null && who.site === site.id)

/** Whether somebody may make a call at this site. @throws Failure why not */
export function authorise(call: Call, { who, site, token }: Caller): void {
  if (token) {
    // the same answer for every fault of a token
    if (!who) throw new Failure('token.invalid')
    if (call.scope === null) throw new Failure('token.closed')
    if (!token.scopes.includes(call.scope)) throw new Failure('token.scope', { scope: call.scope })
  }
  if (call.who === 'anyone') return
  if (!who) throw new Failure('session.missing')
  if (!call.who.includes(who.type) || (who.warehouse && !call.warehouse)) throw new Failure('session.forbidden')
  if (who.type !== 'superuser' && site && !call.modes.includes(site.mode)) throw new Failure('site.mode')
}

/** Refuses a request that was made for another account than that of its session. @throws Failure `session.other_account` */
function refuseOtherAccount({ headers: { [accountHeader]: account } }: FastifyRequest, { who }: Caller): void {
  if (account !== undefined && who && account !== encodeURIComponent(who.username))
    throw new Failure('session.other_account')
}

/** Writes are accepted from our own pages only. A client that is no browser sends neither header. */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (request.method === 'GET') return
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  if (origin === undefined) {
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
      throw new Failure('request.foreign_origin')
    return
  }
  const from = URL.canParse(origin) ? new URL(origin) : null
  if (from?.host !== request.host)
    throw new Failure(from && isHostLost(request, from.host) ? 'request.host_lost' : 'request.foreign_origin')
  if (from.protocol === `${request.protocol}:`) return
  // the page uses https, the process http: an untrusted proxy terminates TLS
  if (from.protocol === 'https:') throw new Failure('request.untrusted_proxy')
  throw new Failure('request.foreign_origin')
}

/**
 * Whether a proxy has put another name in place of the host that a page is open at: the browser vouches for the page, or what the proxy says beside it
 * does. A browser vouches over https and on its own machine only.
 */
function isHostLost({ headers, hostname }: FastifyRequest, opened: string): boolean {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  return headers['x-forwarded-host'] === opened || /^(?:localhost|127\..*|\[::1\])$/.test(hostname)
}

/** The language that the browser prefers, of those that the portal has; `otherwise` where it has none of them. */
export const acceptedLanguage = (request: FastifyRequest, otherwise: Language = 'eng'): Language =>
  preferredLanguage(
    (request.headers['accept-language'] ?? '').split(',').map(part => part.trim()),
    otherwise,
  )
