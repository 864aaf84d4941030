/**
 * Requests to addresses that somebody else has typed (docs/decisions/0038). A name is resolved once, all of its addresses have to be
 * on the internet, and the connection goes to the one that was looked at. Nothing is redirected, and answers are small and quick.
 */
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { mayConnect } from './addresses.ts'

/**
 * Why nothing came: the address is none of the internet or of no machine at all; nobody answered in time; the answer was too long or
 * wanted to send us elsewhere.
 */
type Reason = 'address' | 'unreachable' | 'unusable'

export class OutboundFailed extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundFailed'
    this.reason = reason
  }
}

type RequestOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

export type Outbound = OutboundClient & {
  /** For addresses that a customer's account has typed, whom the operator need not know. */
  readonly forCustomers: OutboundClient
}

type OutboundClient = {
  /** Whether private networks, and http, are open. */
  readonly allowsPrivate: boolean
  /** Checks that an address may be asked, as it is now. @throws OutboundFailed `address` */
  check(url: string): Promise<void>
  /** Makes a request. @throws OutboundFailed */
  send(url: string, asked?: RequestOptions): Promise<Response>
}

type OutboundOptions = {
  /** Opens private networks and the machine itself, and http (ALLOW_PRIVATE_ADDRESSES). */
  readonly allowPrivate: boolean
  /** Opens them to customers, too. */
  readonly allowPrivateForCustomers?: boolean
  /** All addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** How long a request may take in all, in ms. */
  readonly timeoutMs?: number
  /** The most bytes of an answer. */
  readonly maxBytes?: number
}

const resolveAll = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** Opens the only ways out to addresses that people type. */
export const openOutbound = ({ allowPrivateForCustomers = false, ...options }: OutboundOptions): Outbound => ({
  ...openClient(options),
  forCustomers: openClient({ ...options, allowPrivate: options.allowPrivate && allowPrivateForCustomers }),
})

function openClient({
  allowPrivate,
  resolve = resolveAll,
  timeoutMs = 5000,
  maxBytes = 256 * 1024,
}: Omit<OutboundOptions, 'allowPrivateForCustomers'>): OutboundClient {
  /** @throws OutboundFailed `address` */
  async function addressOf(url: URL): Promise<string> {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // a name without an address is refused like one with a private address: nobody is to learn which names there are inside
    const addresses = isIP(host) ? [host] : await resolve(host).catch(() => [])
    const [first] = addresses
    if (first === undefined || !addresses.every(address => mayConnect(address, { allowPrivate })))
      throw new OutboundFailed('address', `${host} is no address on the internet`)
    return first
  }
  /** @throws OutboundFailed `address` */
  function urlOf(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null
    const isOpen = url?.protocol === 'https:' || (allowPrivate && url?.protocol === 'http:')
    if (!url || !isOpen || url.username !== '' || url.password !== '')
      throw new OutboundFailed('address', 'not an address that is asked')
    return url
  }
  return {
    allowsPrivate: allowPrivate,
    check: async text => void (await addressOf(urlOf(text))),
    async send(text, options = {}) {
      const url = urlOf(text)
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
      const late = new Promise<never>((_, reject) => {
        const end = (): void => reject(new OutboundFailed('unreachable', `${url.host} takes too long`))
        signal.addEventListener('abort', end, { once: true })
      })
      late.catch(() => {})
      return Promise.race([
        late,
        addressOf(url).then(address => exchange(url, address, { ...options, signal }, maxBytes)),
      ])
    },
  }
}

/** Makes the request at an address, even if the name of its host now resolves to another. */
function exchange(
  url: URL,
  address: string,
  options: RequestOptions & { signal: AbortSignal },
  maxBytes: number,
): Promise<Response> {
  const { method = 'GET', headers = {}, body, signal } = options
  const failed = (cause: unknown): OutboundFailed =>
    cause instanceof OutboundFailed
      ? cause
      : new OutboundFailed('unreachable', `${url.host} can't be reached`, { cause })
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    const request = (secure ? https : http).request(
      {
        host: address,
        port: url.port || (secure ? 443 : 80),
        // the certificate has to be that of the name
        ...(secure && isIP(url.hostname) === 0 && !url.hostname.startsWith('[') && { servername: url.hostname }),
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          ...headers,
          host: url.host,
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        // no connection is kept: the next request looks at the address again
        agent: false,
        signal,
      },
      answer => {
        answer.once('error', error => reject(failed(error)))
        read(answer, maxBytes).then(resolve, error => {
          request.destroy()
          reject(failed(error))
        })
      },
    )
    request.once('error', error => reject(failed(error)))
    request.end(body)
  })
}

/** The whole answer. @throws OutboundFailed `unusable` */
async function read(answer: http.IncomingMessage, maxBytes: number): Promise<Response> {
  const status = answer.statusCode ?? 0
  if (status < 200 || (status >= 300 && status < 400)) throw new OutboundFailed('unusable', 'it sends us elsewhere')
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBytes) throw new OutboundFailed('unusable', 'it answers too much')
    parts.push(part)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headersDistinct))
    for (const entry of value ?? []) headers.append(name, entry)
  const isEmpty = status === 204 || status === 205
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers })
}
