/**
 * Rate limits (docs/promises.md "Limits"). They bound what a flood costs. Thirty desks behind one address stay below them, though
 * a page makes some thirty calls before anybody is signed in. Each process counts for itself.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { locale } from '#contract/locale.ts'

/** Calls a minute. */
export type Limits = {
  /** Of one address (the /64 of IPv6), without a session. */
  readonly anonymous: number
  /** Reports of missing texts from one address. */
  readonly reports: number
  /** Of one account, to calls that occupy a core: prints, files, images. */
  readonly costly: number
}

export const usualLimits: Limits = { anonymous: 3000, reports: 300, costly: 600 }

/** Counts a call. @throws Failure `request.too_many`, with the seconds until it is answered again */
export type RateLimit = (request: FastifyRequest, call: Call, account: number | undefined) => Promise<void>

/** Counts calls once their session is known. A call with a session counts only when it is a costly one. */
export async function mountRateLimits(app: FastifyInstance, limits: Limits): Promise<RateLimit> {
  await app.register(rateLimit, { global: false })
  const counted = (max: number, keyGenerator?: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, timeWindow: 60_000, ...(keyGenerator && { keyGenerator }) })
    return async (request: FastifyRequest): Promise<void> => {
      const state = await count(request)
      if (!state.isAllowed && state.isExceeded) throw new Failure('request.too_many', { seconds: state.ttlInSeconds })
    }
  }
  const anonymous = counted(limits.anonymous)
  const reports = counted(limits.reports)
  const costly = counted(limits.costly, request => String(request.outcome.account))

  return async (request, call, account) => {
    if (account === undefined) await anonymous(request)
    else if (call.costly) await costly(request)
    if (call === locale.add) await reports(request)
  }
}
