/** Who of those that ask is answered next (docs/decisions/0032): the turns of requests and of session look-ups. */
import { availableParallelism } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Turn } from '#contract/call.ts'
import { openTurns, type Party, type Turns } from '../turns.ts'
import type { Site, Who } from '../features/handler.ts'
import { clientAddress } from './clientAddress.ts'

/** A turn of a request holds a connection at most; a look-up of a session one for a moment. */
export type Fairness = { readonly requests: Turns<Turn>; readonly lookUps: Turns<'lookUp'> }

/** Shares the connections of a pool of this size on a machine with so many cores. */
export function openFairness(connections: number, cores = availableParallelism()): Fairness {
  const part = (of: number): number => Math.max(1, Math.floor(connections / of))
  const reserved = Math.floor(connections / 8)
  const below = Math.max(1, connections - 2 * reserved)
  const belowForScans = Math.max(1, connections - reserved)
  const requests = openTurns<Turn>({
    // reports and imports occupy the processor for long, and no more of them at once are done sooner
    kinds: {
      scan: { below: belowForScans, unshared: true, patience: 10_000 },
      signIn: { below: belowForScans, atOnce: part(4), patience: 10_000 },
      list: { below, patience: 5000 },
      report: { below, atOnce: part(8), patience: 10_000 },
      import: { below, atOnce: part(8), atSite: 1, patience: 20_000 },
    },
    // more than the cores can do only makes the neighbours wait
    siteShare: Math.min(part(2), 2 * cores),
    accountShare: Math.min(part(4), cores),
    waiting: { ofAccount: 64, atSite: 256, inAll: 1024 },
  })
  const lookUps = openTurns({
    kinds: { lookUp: { below: part(4), patience: 5000 } },
    siteShare: part(8),
    accountShare: part(8),
    waiting: { ofAccount: 64, atSite: 64, inAll: 1024 },
  })
  return { requests, lookUps }
}

/** Whose turn a request takes. Strangers share that of one site: those of a site do not pay for who comes to its address. */
export const partyOf = (
  request: FastifyRequest,
  { who, site }: { readonly who: Who | null; readonly site: Site | null },
): Party =>
  who
    ? { site: site?.id ?? who.site ?? 'none', account: who.account }
    : { site: 'strangers', account: clientAddress(request.ip) }

/** Whether the client of a request has hung up. */
export const isGone =
  ({ raw }: FastifyRequest) =>
  (): boolean =>
    raw.socket?.destroyed ?? false
