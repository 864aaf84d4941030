/** In which order requests begin: those of known callers at once, those of anonymous callers, whom this node does not know, in turn (docs/decisions/0055). */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { openFairQueue } from '../fairQueue.ts'
import { isKnownCaller } from './admit.ts'
import { clientAddress } from './clientAddress.ts'

/** How many anonymous requests begin in one turn of the event loop, and how many of them are of one address. */
const perTurn = 2
const perAddress = 1

/**
 * Lets two anonymous requests begin in each turn of the event loop, of different addresses where several wait. What a
 * thousand of them send would otherwise be read, refused and logged in one turn, for which everybody else waits.
 */
export function queueAnonymous(app: FastifyInstance, database: Database): void {
  const turns = openFairQueue({
    kinds: { begin: { maxTotal: perTurn, timeoutMs: 5000 } },
    siteShare: perAddress,
    accountShare: perAddress,
    maxWaiting: { maxPerAccount: 256, maxPerSite: 256, total: 1024 },
  })
  app.addHook('onRequest', async request => {
    if (isKnownCaller(request, database)) return
    const address = clientAddress(request.ip)
    const release = await turns.acquire('begin', { site: address, account: address })
    setImmediate(release)
  })
}
