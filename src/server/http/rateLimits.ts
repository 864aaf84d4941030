/**
 * How often somebody may ask (QUALITY 24). What a flood costs is bounded, and thirty desks behind one address never meet it:
 * a page that opens asks some thirty times before anybody is signed in. Counts are those of this process.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { locale } from '#contract/locale.ts'

/** So many calls a minute. */
export type Limits = {
  /** Of everybody at one address (the /64 of IPv6) who is not signed in, together. */
  readonly strangers: number
  /** Reports of missing texts from one address. */
  readonly reports: number
  /** Of one account, of what takes a core for a while: prints, files, pictures. */
  readonly costly: number
}

export const usualLimits: Limits = { strangers: 3000, reports: 300, costly: 600 }

/** Counts a call. @throws Failure `request.too_many`, with the seconds until it is answered again */
export type RateLimit = (request: FastifyRequest, call: Call, account: number | undefined) => Promise<void>

/**
 * What refuses a call that comes too often. It is asked when the session has been looked up, and costs the call of
 * somebody who is signed in nothing unless that is a costly one.
 * @throws Failure `request.too_many`, with the seconds until it is answered again.
 */
export async function mountRateLimits(app: FastifyInstance, limits: Limits): Promise<RateLimit> {
  await app.register(rateLimit, { global: false })
  const counted = (max: number, keyGenerator?: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, timeWindow: 60_000, ...(keyGenerator && { keyGenerator }) })
    return async (request: FastifyRequest): Promise<void> => {
      const state = await count(request)
      if (!state.isAllowed && state.isExceeded) throw new Failure('request.too_many', { seconds: state.ttlInSeconds })
    }
  }
  const strangers = counted(limits.strangers)
  const reports = counted(limits.reports)
  const costly = counted(limits.costly, request => String(request.outcome.account))

  return async (request, call, account) => {
    if (account === undefined) await strangers(request)
    else if (call.costly) await costly(request)
    if (call === locale.add) await reports(request)
  }
}
