/** An access point for tests: it takes e-invoices, or fails as real ones do. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server's behaviour for a request: `fails late` takes the invoice, and ends the connection instead of an answer. */
type Reply = 'takes' | 'fails' | 'fails late' | 'sends elsewhere' | { readonly status: number; readonly text: string }

export type AccessPointServer = {
  readonly url: string
  /** Every request, in its order. */
  readonly asked: { readonly headers: IncomingHttpHeaders; readonly xml: string }[]
  /** The invoices that it has, each once, by their keys. */
  readonly taken: Map<string, string>
  /** The behaviour for the nth request, from 0 on. */
  replies: (nth: number) => Reply
  close(): Promise<void>
}

export async function startAccessPoint(): Promise<AccessPointServer> {
  const requests: AccessPointServer['asked'] = []
  const taken: AccessPointServer['taken'] = new Map()
  const started: AccessPointServer = {
    url: '',
    asked: requests,
    taken,
    replies: () => 'takes',
    close: () => Promise.resolve(),
  }
  const answer = (response: ServerResponse, reply: Reply, [key, xml]: [string, string]): void => {
    if (reply === 'takes' || reply === 'fails late') taken.set(key, taken.get(key) ?? xml)
    if (reply === 'fails late') return void response.destroy()
    if (reply === 'takes') return void response.writeHead(202).end(`{"id":"T-${[...taken.keys()].indexOf(key) + 1}"}`)
    if (reply === 'sends elsewhere') return void response.writeHead(302, { location: 'https://else.example' }).end()
    const { status, text } = reply === 'fails' ? { status: 503, text: 'Try later' } : reply
    response.writeHead(status).end(text)
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const xml = Buffer.concat(parts).toString()
    requests.push({ headers: request.headers, xml })
    answer(response, started.replies(requests.length - 1), [String(request.headers['idempotency-key']), xml])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(started, {
    url: `http://127.0.0.1:${port}/invoices`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
