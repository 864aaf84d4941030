/** The first step of a call: its site, its caller, and whether the caller may make it. */
import type { FastifyRequest } from 'fastify'
import { preferredLanguage, type Language } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import type { Database } from '../db/database.ts'
import type { Session, Site, Who } from '../features/handler.ts'
import { cookieName, findSession } from '../features/session/sessions.ts'
import { findSite } from '../features/sites/sites.ts'
import { refreshTexts } from '../texts/dictionary.ts'
import { clientAddress } from './clientAddress.ts'
import type { RequestQueues } from './queues.ts'
import type { RateLimit } from './rateLimits.ts'

/** The caller. `who` is null without a session, and for an account of another site than that of the address. */
export type Caller = { readonly site: Site | null; readonly session: Session | null; readonly who: Who | null }

type Identifying = {
  readonly database: Database
  readonly defaultSite?: string | undefined
  /** Queues session lookups by address. */
  readonly queues: RequestQueues | null
}
type Admitting = Identifying & {
  readonly limit: RateLimit | null
}

/**
 * Identifies the caller, counts the call and checks that it is theirs to make.
 * @throws Failure `request.foreign_origin`, `request.untrusted_proxy`, `request.too_many`, `session.missing`, `session.forbidden` or `site.mode`
 */
export async function admit(
  request: FastifyRequest,
  call: Call,
  { limit, ...identifying }: Admitting,
  now: Date,
): Promise<Caller> {
  refuseForeignOrigin(request)
  const [caller] = await Promise.all([identify(request, identifying, now), refreshTexts(identifying.database)])
  request.lang = caller.who?.lang ?? acceptedLanguage(request)
  request.outcome.account = caller.who?.account
  request.outcome.site = caller.site?.id
  await limit?.call(request, call, caller.who?.account)
  authorise(call, caller)
  return caller
}

/** Finds the site of the address and the session of the cookie, which is used by it or looked at only. */
export async function identify(
  request: FastifyRequest,
  { database, defaultSite, queues }: Identifying,
  now: Date,
  used = true,
): Promise<Caller> {
  const site = await findSite(database, request.hostname, defaultSite)
  const address = clientAddress(request.ip)
  const session = await findSession(database, request.cookies[cookieName(request.protocol)], now, {
    schedule: lookUp =>
      queues ? queues.sessionLookups.run('lookUp', { site: address, account: address }, lookUp) : lookUp(),
    used,
  })
  return { site, session, who: session && belongsTo(session.who, site) ? session.who : null }
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
  if (caller.session === null) return caller
  const again = await identify(request, identifying, now)
  authorise(call, again)
  return again
}

/** An account works at its own site only. A superuser belongs to none and signs in anywhere. */
const belongsTo = (who: Who, site: Site | null): boolean =>
  who.type === 'superuser' || (site !== null && who.site === site.id)

function authorise(call: Call, { who, site }: Caller): void {
  if (call.who === 'anyone') return
  if (!who) throw new Failure('session.missing')
  if (!call.who.includes(who.type)) throw new Failure('session.forbidden')
  if (who.type !== 'superuser' && site && !call.modes.includes(site.mode)) throw new Failure('site.mode')
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
  if (from?.host !== request.host) throw new Failure('request.foreign_origin')
  if (from.protocol === `${request.protocol}:`) return
  // the page uses https, the process http: an untrusted proxy terminates TLS
  if (from.protocol === 'https:') throw new Failure('request.untrusted_proxy')
  throw new Failure('request.foreign_origin')
}

/** The language that the browser prefers, of those that the portal has. */
export const acceptedLanguage = (request: FastifyRequest): Language =>
  preferredLanguage(
    (request.headers['accept-language'] ?? '').split(',').map(part => part.trim()),
    'eng',
  )
