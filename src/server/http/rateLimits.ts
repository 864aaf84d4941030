/**
 * Rate limits (docs/promises.md "Limits"). They bound the cost of a flood. Thirty desks behind one address stay below
 * them, though a page makes some thirty calls before the sign-in. Each process counts separately.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { locale } from '#contract/translations.ts'
import { users } from '#contract/session.ts'

/** Requests a minute; only `reportedTexts` counts texts an hour. */
export type Limits = {
  /** Of one address (the /64 of IPv6), without a session, to anything but what follows. */
  readonly anonymous: number
  /** Of one address, to the files of the web application. */
  readonly files: number
  /** Per address, to `/health`: another flood must not make a node look dead. */
  readonly health: number
  /** Reports of missing texts from one address. */
  readonly reports: number
  /** Challenges for passkeys that one address asks for without having shown a password: each is a row for five minutes. */
  readonly challenges: number
  /** Missing texts that one address may report in an hour. */
  readonly reportedTexts: number
  /** Of one account or access token, to calls that occupy a core: prints, files, images. */
  readonly costly: number
  /** Of one access token, to all calls: a program does not tire. */
  readonly token: number
}

export const defaultLimits: Limits = {
  anonymous: 3000,
  files: 30_000,
  health: 3000,
  reports: 300,
  challenges: 120,
  reportedTexts: 500,
  costly: 600,
  token: 1200,
}

/** Each counts, and throws the Failure `request.too_many` with the seconds until it is answered again. */
export type RateLimit = {
  /** A call whose session is known. A call with a session counts only when it is a costly one, and each with an access token. */
  call(request: FastifyRequest, call: Call, account: number | undefined): Promise<void>
  /** Checks a call's decoded input. */
  input(request: FastifyRequest, call: Call, input: unknown): Promise<void>
}

const minute = 60_000

const refuse = (failure: Failure | null): void => {
  if (failure) throw failure
}

/** The key of a limit: an account, or each of its access tokens. */
const callerOf = ({ outcome: { account, token } }: FastifyRequest): string =>
  token === undefined ? String(account) : `token ${token}`

/**
 * Limits all requests other than calls by their address; `isSignedIn` is asked beyond the limit only. Calls are limited
 * by the returned checks.
 */
export async function mountRateLimits(
  app: FastifyInstance,
  limits: Limits,
  isSignedIn: (request: FastifyRequest) => Promise<boolean>,
): Promise<RateLimit> {
  await app.register(rateLimit, { global: false })
  const counted = (max: number, timeWindow = minute, keyGenerator?: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, timeWindow, ...(keyGenerator && { keyGenerator }) })
    return async (request: FastifyRequest): Promise<Failure | null> => {
      const state = await count(request)
      const exceeded = !state.isAllowed && state.isExceeded
      return exceeded ? new Failure('request.too_many', { seconds: state.ttlInSeconds }) : null
    }
  }
  const anonymous = counted(limits.anonymous)
  const files = counted(limits.files)
  const health = counted(limits.health)
  const reports = counted(limits.reports)
  const challenges = counted(limits.challenges)
  const reportedTexts = counted(limits.reportedTexts, 60 * minute)
  const costly = counted(limits.costly, minute, callerOf)
  const token = counted(limits.token, minute, callerOf)

  app.addHook('onRequest', async request => {
    const { url = '', config } = request.routeOptions
    if (config?.call !== undefined) return
    if (url.startsWith('/assets/')) return refuse(await files(request))
    if (url.startsWith('/health/')) return refuse(await health(request))
    const exceeded = await anonymous(request)
    if (exceeded && !(await isSignedIn(request))) throw exceeded
  })

  return {
    async call(request, call, account) {
      if (account === undefined) refuse(await anonymous(request))
      else if (request.outcome.token !== undefined) refuse(await token(request))
      if (account !== undefined && call.costly) refuse(await costly(request))
      if (call === locale.add) refuse(await reports(request))
      if (call === users.askpasskey) refuse(await challenges(request))
    },
    async input(request, call, input) {
      if (call !== locale.add) return
      const { lng: _, ns: __, ...texts } = input as Record<string, unknown>
      for (const _text of Object.keys(texts)) refuse(await reportedTexts(request))
    },
  }
}
