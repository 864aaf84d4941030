/** Answers to malformed requests. They pass no hook, so they get the security headers here. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '#domain/failure.ts'
import { translate } from '../texts/texts.ts'

/** Headers that keep a browser from showing, running or caching such an answer. */
export const bareHeaders = {
  'content-security-policy':
    "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
} as const

const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Refuses requests that are not HTTP, have too many headers or do not end in time, and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = statuses[error.code ?? ''] ?? 400
  const { headers, body } = bareRefusal(
    status === 431 ? new Failure('request.too_large') : new Failure('request.invalid', { fields: [] }),
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroy(error)
}

/** Refuses `Expect:` with anything but `100-continue` (RFC 9110, 10.1.1), which Node answers without headers by itself. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const failure = new Failure('request.expectation')
  const { headers, body } = bareRefusal(failure)
  response.writeHead(failure.status, headers).end(body)
}

/**
 * Whether a request names its host once (RFC 9112, 3.2). Of two, Node keeps the first, and a proxy before it may have gone by the
 * other; HTTP/1.0 needs none.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** Whether what a request says of its host can stand in an address: a name or an IP address, perhaps with a port. */
export const isHost = (host: string): boolean =>
  /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) && URL.canParse(`http://${host}`)

function bareRefusal({ code, facts: params }: Failure): { headers: Record<string, string | number>; body: string } {
  const body = JSON.stringify({ code, message: translate('eng', 'failures', code), params, requestId: randomUUID() })
  const headers = {
    ...bareHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  return { headers, body }
}
