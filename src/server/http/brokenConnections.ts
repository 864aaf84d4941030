/**
 * Connections that end early or speak no HTTP. The network of a stranger is never an error of the portal, so none of them is a line of
 * the log. Many of them within a minute are one warning, since they may be a flood or a proxy that is set up wrongly.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isClientGone } from './queues.ts'

/** A client that closed or reset its connection, bytes that are no HTTP, the greeting of TLS, and a request that did not end in time. */
const kinds = ['hungUp', 'malformed', 'tls', 'tooSlow'] as const
type BrokenKind = (typeof kinds)[number]

export type BrokenConnections = {
  count(kind: BrokenKind): void
  /** Counts an error of a socket that is no request yet, by its code and its first bytes. */
  countMalformed(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): void
}

/** The least number in a minute that is worth a line. Phones that change their network make some in every minute. */
const manyInMinute = 100
const everyMs = 60_000

/** The first byte of a TLS connection. */
const tlsHandshake = 0x16

/** Counts broken connections, and gives `warn` the counts of a minute in which there were many. */
export function openBrokenConnections(
  warn: (counts: Readonly<Partial<Record<BrokenKind, number>>>) => void,
): BrokenConnections & { close(): void } {
  const counts = new Map<BrokenKind, number>()
  let minute: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    minute = undefined
    const sum = [...counts.values()].reduce((total, one) => total + one, 0)
    if (sum >= manyInMinute) warn(Object.fromEntries(counts))
    counts.clear()
  }
  const count = (kind: BrokenKind): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    minute ??= setTimeout(end, everyMs).unref()
  }
  return {
    count,
    countMalformed({ code, rawPacket }) {
      if (code === 'ECONNRESET' || code === 'EPIPE') count('hungUp')
      else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') count('tooSlow')
      else count(rawPacket?.[0] === tlsHandshake ? 'tls' : 'malformed')
    },
    close: () => clearTimeout(minute),
  }
}

/**
 * Ends requests whose client has gone before they begin: such a socket has no address, by which requests are counted and queued. A socket
 * remembers its address once it was asked for, so later steps have it when the client goes meanwhile.
 */
export function ignoreGoneClients(app: FastifyInstance, { count }: BrokenConnections): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasAddress(request) && !isClientGone(request)()) return
    count('hungUp')
    reply.hijack()
    request.raw.socket.destroy()
  })
}

const hasAddress = ({ raw }: FastifyRequest): boolean => raw.socket.remoteAddress !== undefined
