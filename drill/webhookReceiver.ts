/**
 * A receiver of webhooks in a process of its own, which can be killed: `node drill/webhookReceiver.ts PORT FILE SECRET`. It verifies
 * each message as the documentation tells receivers to, and fails one in three, in several ways. What it takes it writes to the file
 * before it says so.
 */
import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'

/** A message that the receiver got; one that is not `genuine` it did not take. `fault` is what it did instead of saying so. */
export type Told = {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly genuine: boolean
  readonly fault: Fault | null
}

type Fault = 'is broken' | 'refuses' | 'hangs up' | 'takes and hangs up' | 'takes and breaks off' | 'stalls'

/** Faults by the number of the message: all others are accepted. */
const faults: Readonly<Record<number, Fault>> = {
  2: 'is broken',
  5: 'hangs up',
  8: 'takes and hangs up',
  11: 'refuses',
  14: 'takes and breaks off',
}
const rounds = 15
/** Now and then it never answers: the portal waits for some seconds. */
const stallsEvery = 500

function listen(port: number, file: string, secret: string): void {
  const verifier = new Webhook(secret)
  let got = 0
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const { type, data } = JSON.parse(body) as Pick<Told, 'type' | 'data'>
    const write = (genuine: boolean, fault: Fault | null): void =>
      appendFileSync(
        file,
        `${JSON.stringify({ id: String(request.headers['webhook-id']), type, data, genuine, fault } satisfies Told)}\n`,
      )
    try {
      verifier.verify(body, request.headers as Record<string, string>)
    } catch {
      write(false, null)
      return void response.writeHead(401).end()
    }
    const nth = got++
    const fault = nth % stallsEvery === stallsEvery - 1 ? 'stalls' : (faults[nth % rounds] ?? null)
    if (fault === 'is broken') return void response.writeHead(503).end('not now')
    if (fault === 'refuses') return void response.writeHead(422).end('not like this')
    if (fault === 'hangs up') return void request.socket.destroy()
    if (fault === 'stalls') return
    write(true, fault)
    if (fault === 'takes and hangs up') return void request.socket.destroy()
    if (fault === 'takes and breaks off') {
      response.writeHead(200, { 'content-length': '100' }).write('thank')
      return void setImmediate(() => request.socket.destroy())
    }
    response.writeHead(200).end('thank you')
  }
  const server = createServer((request, response) => {
    // a portal that was killed has hung up in the middle
    receive(request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, '127.0.0.1', () => process.send?.('listening'))
  process.once('disconnect', () => process.exit(0))
}

if (import.meta.main) listen(Number(process.argv[2]), process.argv[3] ?? '', process.argv[4] ?? '')
