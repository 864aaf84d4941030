/** The queues of requests and of session lookups (docs/decisions/0032). */
import { availableParallelism } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { WorkKind } from '#contract/call.ts'
import { openFairQueue, type Requester, type FairQueue } from '../fairQueue.ts'
import type { Site, Who } from '../features/handler.ts'
import { clientAddress } from './clientAddress.ts'

/** A request's slot uses at most one connection; a session lookup uses one briefly. */
export type RequestQueues = {
  readonly requests: FairQueue<WorkKind>
  readonly sessionLookups: FairQueue<'lookUp'>
  /** The slot of a large body is acquired before it is read: it occupies memory for as long as its sender likes. */
  readonly bodies: FairQueue<'body' | 'file'>
}

/** Bodies of more bytes than this need a slot. */
const largeBody = 64 * 1024

/** Whether the body of a request may be large: its length says so, or nobody says how long it is. */
export const isLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBody

/** Opens the queues for a pool of this size on a machine with this number of cores. */
export function openRequestQueues(connections: number, cores = availableParallelism()): RequestQueues {
  const part = (divisor: number): number => Math.max(1, Math.floor(connections / divisor))
  const reserved = Math.floor(connections / 8)
  const maxTotal = Math.max(1, connections - 2 * reserved)
  const maxTotalForScans = Math.max(1, connections - reserved)
  const requests = openFairQueue<WorkKind>({
    // reports and imports are limited by the processor: more at once would finish no sooner
    kinds: {
      scan: { maxTotal: maxTotalForScans, exemptFromShares: true, timeoutMs: 10_000 },
      signIn: { maxTotal: maxTotalForScans, maxOfKind: part(4), timeoutMs: 10_000 },
      list: { maxTotal, timeoutMs: 5000 },
      report: { maxTotal, maxOfKind: part(8), timeoutMs: 10_000 },
      import: { maxTotal, maxOfKind: part(8), maxPerSite: 1, timeoutMs: 20_000 },
    },
    // most statements are short and wait for the event loop; more than this only delay other sites
    siteShare: Math.min(part(2), 4 * cores),
    // one core is for the portal itself and for everybody else
    accountShare: Math.max(1, Math.min(part(4), cores - 1)),
    idleBelow: Math.max(1, Math.min(maxTotal, cores - 1)),
    maxWaiting: { maxPerAccount: 64, maxPerSite: 256, total: 1024 },
  })
  const sessionLookups = openFairQueue({
    kinds: { lookUp: { maxTotal: part(4), timeoutMs: 5000 } },
    siteShare: part(8),
    accountShare: part(8),
    idleBelow: part(8),
    maxWaiting: { maxPerAccount: 64, maxPerSite: 64, total: 1024 },
  })
  // An import is 1 MB. A picture is 5, three of them 15, and is in memory until it is handled: three at once are 45 MB at worst. Waiting
  // costs a socket, sending again the whole file.
  const bodies = openFairQueue({
    kinds: {
      body: { maxTotal: 16, maxPerAccount: 2, timeoutMs: 10_000 },
      file: { maxTotal: 16, maxOfKind: 3, maxPerAccount: 2, timeoutMs: 30_000 },
    },
    siteShare: 8,
    accountShare: 2,
    maxWaiting: { maxPerAccount: 64, maxPerSite: 256, total: 1024 },
  })
  return { requests, sessionLookups, bodies }
}

/**
 * The requester of a request: an account, or each of its access tokens. All anonymous clients count as one site, so that they can't use a site's share. No slot is reserved for
 * them: a probe that asks once a second would halve the limit of the only site of a portal.
 */
export const requesterOf = (
  request: FastifyRequest,
  {
    who,
    site,
    token,
  }: { readonly who: Who | null; readonly site: Site | null; readonly token: { readonly id: number | null } | null },
): Requester =>
  who
    ? { site: site?.id ?? who.site ?? 'none', account: token ? `token ${token.id}` : who.account }
    : { site: 'anonymous', account: clientAddress(request.ip), anonymous: true }

/** Whether the client of a request has hung up. */
export const isClientGone =
  ({ raw }: FastifyRequest) =>
  (): boolean =>
    raw.socket?.destroyed ?? false
