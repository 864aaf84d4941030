/**
 * The way from a request to its answer. Every call of the contract takes the same steps: admit, decode, run, publish, reply.
 * A handler gets what it needs and never a pool.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Language } from '#domain/people/account.ts'
import { Failure, type FailureCode } from '#domain/failure.ts'
import type { SecurityKind } from '#domain/people/security.ts'
import { type Call, unusedHeader } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { Json, type Database } from '../db/database.ts'
import type { Replica } from '../db/replica.ts'
import type { Context, DemoLogin } from '../features/handler.ts'
import { type LabelPrinters, openLabelPrinters } from '../outbound/labelPrinters.ts'
import { openOutbound, type Outbound } from '../outbound/outbound.ts'
import type { VehicleRegister } from '../outbound/vehicleRegister.ts'
import { openPrintPool, pageCount, Print, type PrintPool } from '../printing/pool.ts'
import { acceptedLanguage, admit, admitAgain, identify, type Caller } from './admit.ts'
import { clientAddress } from './clientAddress.ts'
import { agentOf, decode, pageOf, readFiles, tabOf } from './decode.ts'
import { invalidateCaches, noEffects, notifyScreens, type Effects } from './effects.ts'
import { isClientGone, isLarge, openRequestQueues, requesterOf, type RequestQueues } from './queues.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { openRefusals } from '../features/tokens/refusals.ts'
import { openForeignIdChecks } from '../features/security/foreignIds.ts'
import { handlers } from './handlers.ts'
import type { Live } from './live.ts'
import { mountLive } from './liveStream.ts'
import { logging } from './logging.ts'
import { mountHeaders } from './headers.ts'
import { refuseExpectation, refuseMalformed } from './malformed.ts'
import type { Observed } from './metrics.ts'
import { mountForms } from './multipart.ts'
import { queueAnonymous } from './anonymousQueue.ts'
import { ignoreGoneClients, openBrokenConnections, type BrokenConnections } from './brokenConnections.ts'
import { defaultLimits, mountRateLimits, type Limits } from './rateLimits.ts'
import {
  deviceCookieName,
  failureOf,
  isHangUp,
  logFailure,
  refuseMalformedAddress,
  sendJson,
  sendPrint,
  sendRefusal,
  setDeviceCookie,
  setSessionCookie,
} from './reply.ts'
import { run, type AnyHandler } from './run.ts'
import { openSecrets, type Secrets } from '../secrets.ts'
import type { Requester } from '../fairQueue.ts'

const noPrinters = openLabelPrinters([])

export type ServeOptions = {
  readonly database: Database
  /** The code of the site for addresses that no site claims (DEFAULT_SITE). */
  readonly defaultSite?: string | undefined
  /** The accounts that the login page offers: those of a demo that still have its password. */
  readonly demo?: readonly DemoLogin[]
  /** Whether messages can be sent. */
  readonly sendsMail?: boolean
  /** Whether e-invoices can be handed to an access point. */
  readonly accessPoint?: boolean
  /** By default none. */
  readonly labelPrinters?: LabelPrinters
  /** Whether superusers need a second factor. */
  readonly superusersNeedFactor?: boolean
  /** Since when the portal takes automatic backups; `null` by default. */
  readonly backupsSince?: Date | null
  /** By default with a key of this process only. */
  readonly secrets?: Secrets
  /** The way out to addresses that people type; by default to the internet only. */
  readonly outbound?: Outbound
  /** The public register of vehicles; `null` by default. */
  readonly register?: VehicleRegister | null
  /** Checks every answer against the contract: tests and development (docs/decisions/0004). */
  readonly checkAnswers?: boolean
  /** Trusts X-Forwarded-* of this number of proxies, or of these networks; never of a client. */
  readonly trustProxy?: boolean | number | string
  readonly logger?: boolean | object
  /** Notifies open screens, here and on other nodes, of changes; without it they load again now and then. */
  readonly live?: Live
  /** The print pool; by default a new one. */
  readonly printPool?: PrintPool
  /** Answers reads that may be some seconds old. */
  readonly replica?: Replica | null
  readonly clock?: () => Date
  /** Rate limits; `null` for none, in tests with many calls. */
  readonly limits?: Limits | null
  /** Fair queues for connections; `null` disables them, for tests and negative controls. */
  readonly queues?: RequestQueues | null
  /** Gets every answered request, for metrics. */
  readonly observe?: (request: Observed) => void
  /** Gets the kind of every security event, for metrics. */
  readonly countSecurityEvent?: (kind: SecurityKind) => void
}

/** Hints for the operator, logged once, since every request through such a proxy is refused alike. */
const proxyHints: Partial<Record<FailureCode, string>> = {
  'request.untrusted_proxy':
    'TLS ends at a proxy that is not trusted: set TRUST_PROXY (docs/operations.md "Configure")',
  'request.host_lost':
    'the proxy in front does not pass on the Host header of the browser (docs/operations.md "Deploy")',
}

const bodyLimit = 1024 * 1024
/** Of calls that need no account. */
const anonymousBodyLimit = 16 * 1024

/** The server with every call of the contract; the caller adds pages and files. */
export async function serve(options: ServeOptions): Promise<FastifyInstance> {
  const broken = openBrokenConnections(counts => app.log.warn(counts, 'connections ended early or spoke no HTTP'))
  const app = createApp(options, broken)
  app.addHook('onClose', async () => broken.close())
  await mountHeaders(app)
  observeAnswers(app, options.observe)
  acceptJsonOnly(app)
  queueAnonymous(app, options.database)

  const clock = options.clock ?? (() => new Date())
  const printPool = options.printPool ?? openPrintPool()
  app.addHook('onClose', () => printPool.close())
  const foreignIds = openForeignIdChecks(options.database, {
    count: kind => options.countSecurityEvent?.(kind),
    failed: error => app.log.warn(error, 'refused id not looked up'),
  })
  app.addHook('onClose', () => foreignIds.close())
  const refusals = openRefusals(options.database, {
    count: kind => options.countSecurityEvent?.(kind),
    failed: error => app.log.warn(error, 'refused access token not recorded'),
  })
  app.addHook('onClose', () => refusals.whenIdle())
  app.decorate('securityEventsWritten', async () => {
    await foreignIds.whenIdle()
    await refusals.whenIdle()
  })
  const queues = options.queues === undefined ? openRequestQueues(options.database.size) : options.queues
  const identifying = { ...options, queues }
  const secrets = options.secrets ?? openSecrets(null)
  const outbound = options.outbound ?? openOutbound({ allowPrivate: false })
  const isSignedIn = async (request: FastifyRequest) => (await identify(request, identifying, clock())).who !== null
  // an open page alone does not extend its session
  const whoOf = async (request: FastifyRequest) => {
    const { who, token } = await identify(request, identifying, clock(), false)
    return token ? null : who
  }
  const limit = options.limits === null ? null : await mountRateLimits(app, options.limits ?? defaultLimits, isSignedIn)
  app.decorate('runAnonymously', (request, work) =>
    queues ? queues.requests.run('list', requesterOf(request, { who: null, site: null, token: null }), work) : work(),
  )
  if (options.live)
    mountLive(app, {
      live: options.live,
      database: options.database,
      queues,
      whoOf,
      invalidate: account => invalidateSessions(options.database, account),
    })

  const mount = (at: FastifyInstance, { name, call }: (typeof calls)[number]): void => {
    const handler = handlerOf(name)
    at.route({
      method: call.method,
      url: call.path.replaceAll(/\{(\w+)\}\./g, ':$1(^\\w+).').replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { call: name },
      bodyLimit: call.who === 'anyone' ? anonymousBodyLimit : bodyLimit,
      // before the body is read, so that an unauthorised body is never parsed
      async onRequest(request, reply) {
        const caller = await admit(request, call, { ...identifying, limit, refusals }, clock())
        const party = requesterOf(request, caller)
        queues?.requests.rejectIfFull(call.workKind, party)
        const releaseBody = isLarge(request)
          ? await queues?.bodies.acquire(call.files.length > 0 ? 'file' : 'body', party, isClientGone(request))
          : undefined
        if (releaseBody) reply.raw.once('close', releaseBody)
        request.admitted = { caller, party, releaseBody }
      },
      async handler(request, reply) {
        reply.header('cache-control', 'no-store')
        const { party, releaseBody } = request.admitted
        await readFiles(request, call)
        // the client is silent now because we work
        allowSilence(request, 0)
        const effects = noEffects()
        const acquire = () => queues?.requests.acquire(call.workKind, party, isClientGone(request))
        let releaseSlot = await acquire()
        const outside = async <T>(work: () => Promise<T>): Promise<T> => {
          releaseSlot?.()
          return work().finally(async () => (releaseSlot = await acquire()))
        }
        const now = clock()
        const { input, caller } = await (async () => {
          const decoded = decode(request, call)
          await limit?.input(request, call, decoded)
          const again = await admitAgain(request, call, identifying, { ...request.admitted, now })
          return { input: decoded, caller: again }
        })().catch(error => {
          // bodies that are refused one after the other leave the event loop to others
          setImmediate(() => releaseSlot?.())
          throw error
        })
        // a file is in memory until it is handled
        if (call.files.length === 0) releaseBody?.()
        const context = contextOf(request, reply, caller, input, now, effects, {
          ...options,
          secrets,
          outbound,
          outside,
        })
        const answer = await run(options, call, handler, caller, context, request)
          .finally(() => releaseSlot?.())
          .catch(error => {
            foreignIds.check(error, { call: name, input, who: caller.who, context })
            throw error
          })
        invalidateCaches(options, call, caller, effects)
        if (effects.unused)
          foreignIds.check(new Failure('record.missing'), { call: name, input, who: caller.who, context })
        for (const kind of effects.securityEvents) options.countSecurityEvent?.(kind)
        if (answer instanceof Failure) throw answer
        notifyScreens(options, call, caller, effects, tabOf(request))
        if (answer instanceof Print) {
          const pages = pageCount(answer.job)
          if (pages !== null) reply.header('wheelhouse-pages', pages)
          return sendPrint(request, reply, printPool.print(party, answer.job))
        }
        const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
        if (options.checkAnswers) checkAnswer(name, call, text)
        request.outcome.scans = scansOf(name, input, text)
        return sendJson(request, reply, text)
      },
    })
  }

  const hinted = new Set<FailureCode>()
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (isHangUp(error, request)) {
      broken.count('hungUp')
      return reply.hijack()
    }
    const failure = failureOf(error)
    const hint = proxyHints[failure.code]
    if (hint && !hinted.has(failure.code))
      request.log.warn({ host: request.host, origin: request.headers.origin }, hint)
    if (hint) hinted.add(failure.code)
    if (failure.status >= 500) logFailure(request, error)
    if (failure.code === 'token.invalid') reply.header('www-authenticate', 'Bearer')
    return sendRefusal(request, reply, failure)
  })
  app.setNotFoundHandler(async (request, reply) => sendRefusal(request, reply, new Failure('request.route_missing')))

  // after the error handlers: a scope inherits those that exist when it is made
  const withFiles = calls.filter(({ call }) => call.files.length > 0)
  for (const entry of calls) if (!withFiles.includes(entry)) mount(app, entry)
  await mountForms(app, forms => withFiles.forEach(entry => mount(forms, entry)))

  return app
}

function createApp({ trustProxy: trust = false, logger }: ServeOptions, broken: BrokenConnections): FastifyInstance {
  const app = fastify({
    bodyLimit,
    requestTimeout: 60_000,
    // neither reads nor writes: a client that does not take its answer would keep it in memory for ever
    connectionTimeout: 60_000,
    http: { requireHostHeader: false }, // hasOneHost asks; Node's own refusal has no headers and no body
    frameworkErrors: refuseMalformedAddress as never, // typed for every kind of server; ours is plain HTTP
    clientErrorHandler: ((error: NodeJS.ErrnoException, socket: Socket) => {
      broken.countMalformed(error)
      refuseMalformed(error, socket)
    }) as never, // the same
    trustProxy: typeof trust === 'number' ? (_address, hop) => hop < trust : trust,
    logger: logger ? logging(logger) : false,
    // observeAnswers logs requests, without their addresses, which can contain personal data
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
  })
  app.server.on('checkExpectation', refuseExpectation)
  app.decorateRequest('outcome', null as never)
  app.decorateRequest('admitted', null as never)
  ignoreGoneClients(app, broken)
  app.addHook('onRequest', async request => void (request.outcome = {}))
  boundPipelines(app)
  app.addHook('onSend', async request => allowSilence(request, app.server.timeout))
  return app
}

/** For how long the connection of a request may carry nothing, in ms; 0 for as long as it takes. An injected request has none. */
const allowSilence = ({ raw }: FastifyRequest, ms: number): void =>
  void (raw.socket as Partial<typeof raw.socket>).setTimeout?.(ms)

/** The most requests of a connection that are answered at once. Browsers and proxies send one after the other. */
const maxPipelined = 16

/** Limits pipelined requests of a connection; closes it above the limit. */
function boundPipelines(app: FastifyInstance): void {
  const unanswered = new WeakMap<object, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const count = (by: 1 | -1): number => {
      const now = (unanswered.get(socket) ?? 0) + by
      unanswered.set(socket, now)
      return now
    }
    reply.raw.once('close', () => count(-1))
    if (count(1) <= maxPipelined) return
    reply.header('connection', 'close')
    throw new Failure('request.too_many', { seconds: 1 })
  })
}

/** Logs and counts answered requests. */
function observeAnswers(app: FastifyInstance, observe: ServeOptions['observe']): void {
  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onResponse', async (request, reply) => {
    // a kept-alive connection would delay closing the server
    if (closing) request.raw.socket.end()
    const { call = 'other' } = request.routeOptions.config
    const { statusCode: status, elapsedTime } = reply
    const { account, site, token, code = null, scans = 0 } = request.outcome ?? {}
    // the duration of a stream is that of a page, not of an answer
    if (request.routeOptions.url === '/live') return
    // no lines for pages and files
    if (call !== 'other' || status >= 400)
      request.log.info(
        { call, account, site, ...(token && { token }), ms: Math.round(elapsedTime), status, ...(code && { code }) },
        'answered',
      )
    observe?.({ call, status, code, scans, seconds: elapsedTime / 1000 })
  })
}

/**
 * Accepts JSON bodies and empty ones. Browsers let other sites send forms and plain text with the user's cookie, so only calls
 * with files accept a form.
 */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    // decoded when it is the caller's turn
    done(null, body)
  })
}

function handlerOf(name: string): AnyHandler {
  const [feature = '', entry = ''] = name.split('.')
  return (handlers as unknown as Record<string, Record<string, AnyHandler>>)[feature]?.[entry] as AnyHandler
}

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, session, who }: Caller,
  input: unknown,
  now: Date,
  effects: Effects,
  {
    demo = [],
    sendsMail = false,
    accessPoint = false,
    labelPrinters = noPrinters,
    register = null,
    superusersNeedFactor = false,
    backupsSince = null,
    secrets,
    outbound,
    outside,
  }: ServeOptions & { secrets: Secrets; outbound: Outbound; outside: Context<unknown, 'anyone'>['request']['outside'] },
): Omit<Context<unknown, 'anyone'>, 'tx'> {
  return {
    input,
    who,
    now,
    lang: who?.lang ?? acceptedLanguage(request),
    get site() {
      if (!site) throw new Failure('site.unknown')
      return site
    },
    request: {
      id: request.id,
      address: clientAddress(request.ip),
      site: site?.id ?? null,
      page: pageOf(request),
      session: who ? session : null,
      // HTTP/1.0 may name no host
      origin: `${request.protocol}://${request.host || 'localhost'}`,
      superusersNeedFactor,
      backupsSince,
      agent: agentOf(request),
      device: request.cookies[deviceCookieName(request.protocol)] ?? null,
      secrets,
      outbound,
      register,
      outside,
      isClientGone: isClientGone(request),
      demo,
      sendsMail,
      accessPoint,
      labelPrinters,
      setSession: token => setSessionCookie(request, reply, token),
      setDevice: token => setDeviceCookie(request, reply, token),
      clearCache: () => void reply.header('clear-site-data', '"cache"'),
      invalidateSessions(account) {
        const changed = account ?? session
        if (changed !== null) effects.sessions.add(changed)
      },
      invalidateSites: () => void (effects.sites = true),
      invalidateTexts: () => void (effects.texts = true),
      notify: (audience, narrower) => void effects.notifications.push({ audience, ...narrower }),
      unused(entries) {
        if (entries.length === 0) return
        effects.unused = true
        reply.header(unusedHeader, entries.join(', '))
      },
      countSecurityEvent: kind => void effects.securityEvents.push(kind),
      etag: tag => void reply.header('etag', tag).header('cache-control', 'no-cache'),
    },
  }
}

/** @throws Error when an answer does not match its contract */
function checkAnswer(name: string, call: Call, text: string): void {
  const checked = call.output.safeParse(JSON.parse(text))
  if (!checked.success) throw new Error(`the answer of ${name} does not match its contract: ${checked.error.message}`)
}

/** How many tyres a call scanned. They are its answer. */
function scansOf(call: string, input: unknown, text: string): number {
  const scanned = call === 'operations.markscan' && 'tyres' in (input as object)
  return scanned ? text.split('"db_id"').length - 1 : 0
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when security events that are written after an answer are. */
    securityEventsWritten(): Promise<void>
    /** Runs work for a request in the queue of anonymous clients. */
    runAnonymously<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>
  }
  interface FastifyRequest {
    /** The language in which this request is answered. */
    lang?: Language
    /** Facts of the request for log and metrics. */
    outcome: {
      account?: number | undefined
      site?: number | undefined
      /** The access token, by its number. */
      token?: number | undefined
      code?: FailureCode
      scans?: number
    }
    /** Who makes the call. `releaseBody` releases the slot of a large body. */
    admitted: {
      readonly caller: Caller
      readonly party: Requester
      readonly releaseBody: (() => void) | undefined
    }
  }
  interface FastifyContextConfig {
    call?: string
    /** A route with separate security headers. */
    helmet?: unknown
  }
}
