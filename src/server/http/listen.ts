/**
 * Where the portal listens. Node accepts one connection of a listening socket in each turn of its event loop. Beside a
 * crowd of connecting clients and under load, a new one would wait for hundreds of turns. Several sockets on one port
 * are accepted from side by side (docs/decisions/0055).
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Address = { readonly host: string; readonly port: number }

/** Linux shares the new connections among the sockets of a port; elsewhere the last one to listen would get them all. */
const sharesPorts = process.platform === 'linux'
const listeningSockets = 16

/**
 * Listens there. A portal that closes answers what it has begun.
 * @throws Error `EADDRINUSE` when somebody else listens on the port
 */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<void> {
  if (!sharesPorts) {
    await app.listen({ host, port })
    return
  }
  await requireFree({ host, port })
  const shared = { host, port, reusePort: true }
  await app.listen(shared)
  const others = (app.addresses() as AddressInfo[]).flatMap(({ address, port: opened }) =>
    Array.from({ length: listeningSockets - 1 }, () =>
      createServer({ noDelay: true }, (socket: Socket) => app.server.emit('connection', socket)).listen({
        host: address,
        port: opened,
        reusePort: true,
      }),
    ),
  )
  closeWith(app.server, others)
  await Promise.all(others.map(other => once(other, 'listening')))
}

/** Closing the server closes the others, too, and is over when the connections of all of them are. */
function closeWith(server: Server, others: readonly Server[]): void {
  const close = server.close.bind(server)
  server.close = callback => {
    let open = 1 + others.length
    let failure: Error | undefined
    const closed = (error?: Error): void => {
      failure ??= error
      if (--open === 0) callback?.(failure)
    }
    for (const other of others) other.close(() => closed())
    return close(closed)
  }
}

/** Sockets that share ports don't notice that another program of the same user has this one. */
async function requireFree({ host, port }: Address): Promise<void> {
  if (port === 0) return
  const tried = createServer().listen({ host, port })
  await once(tried, 'listening')
  tried.close()
  await once(tried, 'close')
}
