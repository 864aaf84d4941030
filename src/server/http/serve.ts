/**
 * The one deep module of the server: a request becomes a call of a handler. Host → site, cookie → account, role and mode,
 * input, transaction under row-level security, handler, answer; a failure becomes a reply with its code and text.
 * A handler holds what it needs and never a pool (DESIGN §3 "serve").
 */
import { randomUUID } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { preferredLanguage, type Language } from '#domain/account.ts'
import { Failure, type FailureCode, type Facts } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { tooMuch } from '#contract/wire.ts'
import { Json, type Database, type Tx } from '../db/database.ts'
import { digestOf, onceUnder } from './idempotency.ts'
import type { Replica } from '../db/replica.ts'
import { mountLimits, usualLimits, type Limits } from './rateLimits.ts'
import { mountLive, type Live } from './live.ts'
import { logging } from './logging.ts'
import type { Observed } from './metrics.ts'
import { openPress, pagesOf, Print, type Press } from '../printing/pool.ts'
import { mountForms, readForm } from './multipart.ts'
import type { Audience, Context, Handler, Session, Site, Who } from '../features/handler.ts'
import { handlers } from './handlers.ts'
import { cookieName, findSession, forgetSessions } from '../features/session/sessions.ts'
import { findSite, forgetSites } from '../features/sites/sites.ts'
import { forgetTexts, freshTexts } from '../texts/dictionary.ts'
import { say } from '../texts/texts.ts'
import { bareHeaders, refuseUnread } from './malformed.ts'

export type Served = {
  readonly database: Database
  /** The site that serves addresses which no site has claimed (DEFAULT_SITE). */
  readonly defaultSite?: string | undefined
  /** Checks every answer against the contract: tests and development (docs/decisions/0004). */
  readonly checkAnswers?: boolean
  /** Believes X-Forwarded-* of so many proxies, or of these networks: what a client wrote itself is never believed. */
  readonly trustProxy?: boolean | number | string
  readonly logger?: boolean | object
  /** Tells open screens, here and on other nodes, what has changed; without it they load anew now and then. */
  readonly live?: Live
  /** Draws what is printed; without it the server has one of its own. */
  readonly press?: Press
  /** Answers reads that may be some seconds old. */
  readonly replica?: Replica | null
  readonly clock?: () => Date
  /** How often somebody may ask; `null`: as often as they like, for tests that ask more in a minute than anybody does. */
  readonly limits?: Limits | null
  /** Hears of every answered request: metrics. */
  readonly observe?: (request: Observed) => void
}

const shrink = promisify(gzip)
/** From this size on an answer is worth compressing. */
const compressFrom = 8 * 1024
const bodyLimit = 1024 * 1024

/** The server with every call of the contract mounted; static files are added by the caller. */
export async function serve(options: Served): Promise<FastifyInstance> {
  const trust = options.trustProxy ?? false
  const app = fastify({
    bodyLimit,
    requestTimeout: 60_000,
    // an address that cannot be read, before any route is looked for
    frameworkErrors: unreadable as never, // typed for every kind of server; ours is plain HTTP
    clientErrorHandler: refuseUnread as never, // the same
    trustProxy: typeof trust === 'number' ? (_address, hop) => hop < trust : trust,
    logger: options.logger ? logging(options.logger) : false,
    // requests are told below, in our own words: an address can say what is nobody else's
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
  })
  app.decorateRequest('outcome', null as never)
  app.addHook('onRequest', async request => void (request.outcome = {}))
  await app.register(cookie)
  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ['blob:'],
        objectSrc: ["'none'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // said below, over https only: over http it means nothing
    strictTransportSecurity: false,
  })

  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    reply.header('permissions-policy', bareHeaders['permissions-policy'])
  })

  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onResponse', async (request, reply) => {
    // who was being answered when the portal was told to stop would keep it from that for as long as a connection is kept
    if (closing) request.raw.socket.end()
    const { call = 'other' } = request.routeOptions.config
    const { statusCode: status, elapsedTime } = reply
    const { account, site, code = null, scans = 0 } = request.outcome ?? {}
    // how long somebody had a page open says nothing
    if (request.routeOptions.url === '/live') return
    // pages and files are not worth a line each
    if (call !== 'other' || status >= 400)
      request.log.info({ call, account, site, ms: Math.round(elapsedTime), status, ...(code && { code }) }, 'answered')
    options.observe?.({ call, status, code, scans, seconds: elapsedTime / 1000 })
  })

  // Bodies are JSON, or nothing at all; forms and plain text are how other sites would write in somebody's name. Only a call
  // that files travel with takes a form.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    return app.getDefaultJsonParser('error', 'error')(_request, body as string, done)
  })

  const clock = options.clock ?? (() => new Date())
  const press = options.press ?? openPress()
  app.addHook('onClose', () => press.close())
  const limited = options.limits === null ? null : await mountLimits(app, options.limits ?? usualLimits)

  /** The site of the address that was asked, and whose session the request carries, if it is one there. */
  const identify = async (request: FastifyRequest, now: Date) => {
    const site = await findSite(options.database, request.hostname, options.defaultSite)
    const session = await findSession(options.database, request.cookies[cookieName(request.protocol)], now)
    return { site, session, who: session && belongs(session.who, site) ? session.who : null }
  }
  if (options.live)
    mountLive(app, { live: options.live, whoOf: async request => (await identify(request, clock())).who })

  const mount = (at: FastifyInstance, { name, call }: (typeof calls)[number]): void => {
    const [feature = '', entry = ''] = name.split('.')
    const handler = (handlers as unknown as Record<string, Record<string, Handler<Call>>>)[feature]?.[entry] as (
      context: Context<unknown, 'anyone'>,
    ) => Promise<unknown>
    at.route({
      method: call.method,
      url: call.path.replaceAll(/\{(\w+)\}(?=\.)/g, ':$1(^\\w+)').replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { call: name },
      async handler(request, reply) {
        reply.header('cache-control', 'no-store')
        const now = clock()
        const lang = preferredLanguage(wantedLanguages(request), 'eng')
        refuseForeignOrigin(request)
        const [{ site, session, who }] = await Promise.all([identify(request, now), freshTexts(options.database)])
        request.spoken = who?.lang ?? lang
        request.outcome.account = who?.account
        request.outcome.site = site?.id
        await limited?.(request, call, who?.account)
        if (call.who !== 'anyone') {
          if (!who) throw new Failure('session.missing')
          if (!call.who.includes(who.type)) throw new Failure('session.forbidden')
          if (who.type !== 'superuser' && site && !call.modes.includes(site.mode)) throw new Failure('site.mode')
        }
        const body = call.files.length > 0 && request.isMultipart() ? await readForm(request, call.files) : request.body
        const input = parse(call, body, request.params)
        const changedSessions = new Set<Session | number | null>()
        let sitesChanged = false
        let textsChanged = false
        const concerned: Concern[] = []
        const context: Context<unknown, 'anyone'> = {
          input,
          who,
          now,
          lang: who?.lang ?? lang,
          get site() {
            if (!site) throw new Failure('site.unknown')
            return site
          },
          tx: undefined as unknown as Tx,
          request: {
            id: request.id,
            address: addressOf(request.ip),
            site: site?.id ?? null,
            page: pageOf(request),
            session: who ? session : null,
            keepSession: token => giveCookie(request, reply, token),
            forgetSession: account => void changedSessions.add(account ?? session),
            forgetSites: () => void (sitesChanged = true),
            forgetTexts: () => void (textsChanged = true),
            concerns: (audience, narrower) => void concerned.push({ audience, ...narrower }),
            etag: tag => void reply.header('etag', tag).header('cache-control', 'no-cache'),
          },
        }
        // what anybody may call looks at no customer's rows; signing in as somebody else has to find that account
        const customer = call.who === 'anyone' ? null : (who?.customer ?? null)
        const scope = { site: site?.id ?? null, customer }
        const work = (tx: Tx): Promise<unknown> =>
          handler(Object.create(context, { tx: { value: tx } }) as Context<unknown, 'anyone'>)
        const run = async (): Promise<unknown> => {
          const read = { site: site?.id ?? null, account: who?.account ?? null, path: call.path }
          const replica = call.aged ? options.replica?.for(read) : null
          if (replica) {
            try {
              return await replica.transaction(scope, work)
            } catch (error) {
              // the primary has the last word: what a replica lacks may be new
              if (!(error instanceof Failure)) options.replica?.failed(error)
            }
          }
          return options.database.transaction(scope, work)
        }
        const key = call.keyed ? keyOf(request, name) : null
        const answer =
          key && site && who
            ? await onceUnder(
                options.database,
                scope,
                { ...key, site: site.id, account: who.account, customer, now, withDepth: site.allowProfileDepth },
                work,
              )
            : await run()
        if (who && call.stales.length > 0) options.replica?.wrote(who.account)
        // after the commit: what was looked up between would be remembered as it was before
        for (const changed of changedSessions) if (changed !== null) forgetSessions(options.database, changed)
        if (sitesChanged) forgetSites(options.database)
        if (textsChanged) forgetTexts(options.database)
        if (answer instanceof Failure) throw answer
        if (options.live && call.stales.length > 0) {
          for (const { audience, site: elsewhere, paths = call.stales } of concerned.length > 0
            ? concerned
            : [{ audience: customer } as Concern]) {
            const where = elsewhere ?? site?.id
            if (where !== undefined) options.live.tell({ site: where, audience, paths, from: tabOf(request) })
          }
        }
        if (answer instanceof Print) {
          const pages = pagesOf(answer.job)
          if (pages !== null) reply.header('wheelhouse-pages', pages)
          return sendPrint(request, reply, press.print(who?.account ?? 0, answer.job))
        }
        const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
        if (options.checkAnswers) checkAnswer(name, call, text)
        request.outcome.scans = scansOf(name, input, text)
        return send(request, reply, text)
      },
    })
  }

  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const failure = error instanceof Failure ? error : knownFailure(error)
    request.outcome.code = failure.code
    if (failure.status >= 500) request.log.error({ err: error, call: request.routeOptions.config.call }, 'failed')
    reply.header('cache-control', 'no-store')
    if (failure.code.endsWith('.too_many') && typeof failure.facts.seconds === 'number')
      reply.header('retry-after', failure.facts.seconds)
    return reply.code(failure.status).send(refusal(failure, request))
  })

  app.setNotFoundHandler(async (request, reply) => {
    const failure = new Failure('request.route_missing')
    request.outcome.code = failure.code
    return reply.header('cache-control', 'no-store').code(404).send(refusal(failure, request))
  })

  // after the handlers above: a scope takes them on when it is made
  const formed = calls.filter(({ call }) => call.files.length > 0)
  for (const entry of calls) if (!formed.includes(entry)) mount(app, entry)
  await mountForms(app, forms => formed.forEach(entry => mount(forms, entry)))

  return app
}

/** How many tyres a call scanned: they are its answer. */
function scansOf(call: string, input: unknown, text: string): number {
  const scanned = call === 'operations.markscan' && 'tyres' in (input as object)
  return scanned ? text.split('"db_id"').length - 1 : 0
}

/** Whose screens have to load anew, and what of it, when a call is answered. */
type Concern = { audience: Audience; site?: number; paths?: readonly string[] }

declare module 'fastify' {
  interface FastifyRequest {
    /** The language in which this request is answered. */
    spoken?: Language
    /** What log and metrics say of it. */
    outcome: { account?: number | undefined; site?: number | undefined; code?: FailureCode; scans?: number }
  }
  interface FastifyContextConfig {
    call?: string
  }
}

/** Who is counted as one: an IPv4 address, or the /64 of IPv6 that one household or attacker has whole. */
function addressOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...rest].slice(0, 4).join(':')
}

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** An account works at its own site only; a superuser belongs to none and signs in anywhere (DESIGN §5). */
const belongs = (who: Who, site: Site | null): boolean =>
  who.type === 'superuser' || (site !== null && who.site === site.id)

const wantedLanguages = (request: FastifyRequest): string[] =>
  (request.headers['accept-language'] ?? '').split(',').map(part => part.trim())

/** Writes are taken from our own pages only (DESIGN §5); a client that is no browser sends neither header. */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (request.method === 'GET') return
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  const foreign =
    origin !== undefined
      ? !URL.canParse(origin) || new URL(origin).host !== request.host
      : fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (foreign) throw new Failure('request.foreign_origin')
}

/** The client's key of a call that may be repeated, `null` when it gave none. */
function keyOf(request: FastifyRequest, call: string): { key: string; digest: Buffer } | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key))
    throw new Failure('request.invalid', { fields: ['Idempotency-Key'] })
  return { key, digest: digestOf(call, request.body) }
}

/** The open page that asks, by the id that it gave itself: it need not be told what it did. */
function tabOf(request: FastifyRequest): string {
  const tab = request.headers['wheelhouse-tab']
  return typeof tab === 'string' && /^[\w-]{1,40}$/.test(tab) ? tab : ''
}

function pageOf(request: FastifyRequest): string {
  const { referer } = request.headers
  return referer && URL.canParse(referer) ? new URL(referer).pathname.slice(0, 200) : ''
}

function parse(call: Call, body: unknown, pieces: unknown): unknown {
  if (body !== undefined && body !== null && asRecord(body) !== body)
    throw new Failure('request.invalid', { fields: [] })
  const parsed = call.input.safeParse({ ...asRecord(body), ...asRecord(pieces) })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const fields = [...new Set(issues.slice(0, 20).map(issue => issue.path.join('.').slice(0, 200)))]
  // more than is taken at once, and nothing else that is wrong: that has its own answer
  const most = issues.map(issue => (isTooMuch(issue) ? Number(issue.maximum) : null))
  throw most.every(limit => limit !== null)
    ? new Failure('request.too_much', { fields, most: Math.min(...most) })
    : new Failure('request.invalid', { fields })
}

const isTooMuch = (issue: z.core.$ZodIssue): issue is z.core.$ZodIssueTooBig =>
  issue.code === 'too_big' && (issue.origin === 'array' || issue.message === tooMuch)

function checkAnswer(name: string, call: Call, text: string): void {
  const checked = call.output.safeParse(JSON.parse(text))
  if (!checked.success) throw new Error(`${name} answers what its contract does not say: ${checked.error.message}`)
}

async function send(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
  const tag = reply.getHeader('etag')
  if (tag !== undefined && request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (text.length < compressFrom || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  // level 1 costs 9 ms for 4.8 MB and takes nine tenths off; higher levels take seconds of a core
  return reply.header('content-encoding', 'gzip').send(await shrink(text, { level: 1 }))
}

/** A print is held until it is whole or so large: what fails before is refused in words. */
const holdUntil = 64 * 1024

/**
 * Answers a print as the JSON text of its base64. A long one goes out while it is drawn, so that a screen can say how far it is;
 * when its drawing fails then, the connection breaks off in the middle of the text, and nobody takes it for a whole one.
 */
async function sendPrint(request: FastifyRequest, reply: FastifyReply, paper: Readable): Promise<FastifyReply> {
  // whoever has left waits for nothing
  reply.raw.once('close', () => paper.destroy())
  const pieces = paper[Symbol.asyncIterator]() as AsyncIterableIterator<string>
  let held = ''
  let whole = false
  while (!whole && held.length < holdUntil) {
    // oxlint-disable-next-line no-await-in-loop -- one piece follows the other
    const { value, done } = await pieces.next()
    if (done) whole = true
    else held += value
  }
  if (whole) return send(request, reply, JSON.stringify(held))
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding').header('x-accel-buffering', 'no')
  const text = Readable.from(
    (async function* () {
      yield `"${held}`
      yield* pieces
      yield '"'
    })(),
    { objectMode: false },
  )
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  // each piece leaves at once
  const packed = createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH })
  pipeline(text, packed, () => {})
  return reply.header('content-encoding', 'gzip').send(packed)
}

function giveCookie(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const secure = request.protocol === 'https'
  const name = cookieName(request.protocol)
  const where = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  if (token === null) reply.clearCookie(name, where)
  else reply.setCookie(name, token, where)
}

/** What Fastify and PostgreSQL refuse themselves, as a code of ours; the rest is unexpected and only logged in full. */
function knownFailure(error: FastifyError): Failure {
  const known: Record<string, FailureCode> = {
    FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.wrong_type',
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
    ECONNREFUSED: 'server.unavailable',
    ECONNRESET: 'server.unavailable',
    ENOENT: 'server.unavailable',
    EPIPE: 'server.unavailable',
    // ended by an administrator, crashed, starting; too many; a statement or a transaction that took too long
    '57P01': 'server.unavailable',
    '57P02': 'server.unavailable',
    '57P03': 'server.unavailable',
    '57014': 'server.unavailable',
    '25P03': 'server.unavailable',
    '53300': 'server.unavailable',
    // a restored database takes its place
    '3D000': 'server.unavailable',
    // text that PostgreSQL cannot hold, a number out of a column's range
    '22021': 'request.invalid',
    '22P05': 'request.invalid',
    '22003': 'request.invalid',
  }
  // the driver says these in words only
  const gone = /timeout exceeded when trying to connect|Connection terminated|not queryable/.test(error.message)
  const code =
    known[error.code] ??
    (gone || error.code?.startsWith('08')
      ? 'server.unavailable'
      : error.statusCode === 400
        ? 'request.invalid'
        : 'server.unexpected')
  return new Failure(code, code === 'request.invalid' ? { fields: [] } : {})
}

/** An address that cannot be read is refused before any route is looked for. */
function unreadable(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(400)
    .headers(bareHeaders)
    .send(refusal(new Failure('request.invalid', { fields: [] }), request))
}

function refusal(
  failure: Failure,
  request: FastifyRequest,
): { code: FailureCode; message: string; params: Facts; requestId: string } {
  const lang = request.spoken ?? preferredLanguage(wantedLanguages(request), 'eng')
  return {
    code: failure.code,
    message: say(lang, 'failures', failure.code, failure.facts),
    params: failure.facts,
    requestId: request.id,
  }
}
