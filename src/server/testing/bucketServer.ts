/** A store that speaks as much of S3 as backups need, for tests: it checks each signature, and fails as real ones do. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SignatureV4 } from '@smithy/signature-v4'

/** The kind of a request, and the faults that the store can produce instead: `cut off` ends the connection in the middle. */
type Act = 'list' | 'begin' | 'part' | 'complete' | 'abort' | 'read' | 'look' | 'delete'
type Fault = 'busy' | 'denied' | 'cut off' | 'wrong byte' | 'error in a good answer'

export type BucketServer = {
  /** The address of its bucket. */
  readonly url: string
  readonly access: { readonly keyId: string; readonly secret: string; readonly region: string }
  readonly objects: Map<string, Buffer>
  /** Uploads that are neither complete nor aborted, with their parts. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** The requests so far, in their order. */
  readonly asked: Act[]
  /** The largest body that it was given, in bytes. */
  largest: number
  /** Faults for the next requests of a kind. */
  faults: { readonly act: Act; readonly fault: Fault }[]
  close(): Promise<void>
}

/** SHA-256 as the signer of the AWS SDK wants it. */
class Sha256 {
  readonly #hash
  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer)
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : Buffer.from(data as Uint8Array))
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

const actOf = (method: string, key: string, query: URLSearchParams): Act => {
  if (key === '') return 'list'
  if (method === 'POST') return query.has('uploads') ? 'begin' : 'complete'
  if (method === 'PUT') return 'part'
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete'
  return method === 'HEAD' ? 'look' : 'read'
}

const xml = (name: string, inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name}>${inside}</${name}>`

/** Starts a store with one bucket on a free port. */
export async function startBucketServer(bucket = 'backups'): Promise<BucketServer> {
  const access = { keyId: 'AKIAWHEELHOUSE', secret: 'a secret that only the store knows', region: 'eu-hall-1' }
  const signer = new SignatureV4({
    service: 's3',
    region: access.region,
    credentials: { accessKeyId: access.keyId, secretAccessKey: access.secret },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const started: BucketServer = {
    url: '',
    access,
    objects,
    uploads,
    asked: [],
    largest: 0,
    faults: [],
    close: () => Promise.resolve(),
  }

  /** Whether the SDK's own signer comes to the same signature. */
  const isSigned = async (request: IncomingMessage, url: URL): Promise<boolean> => {
    const given = request.headers.authorization ?? ''
    const names = /SignedHeaders=([\w;-]+)/.exec(given)?.[1]?.split(';') ?? []
    const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(request.headers['x-amz-date']))
    if (!at) return false
    const signed = await signer.sign(
      {
        method: request.method ?? '',
        protocol: 'http:',
        hostname: url.hostname,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(names.map(name => [name, String(request.headers[name])])),
      },
      {
        signingDate: new Date(`${at.slice(1, 4).join('-')}T${at.slice(4).join(':')}Z`),
        signableHeaders: new Set(names),
      },
    )
    return signed.headers['authorization'] === given
  }

  const acts: Record<
    Act,
    (asked: {
      key: string
      query: URLSearchParams
      body: Buffer
      request: IncomingMessage
    }) => [number, string | Buffer]
  > = {
    list({ query }) {
      const prefix = query.get('prefix') ?? ''
      const inside = [...objects].filter(
        ([key]) =>
          key.startsWith(prefix) && (query.get('delimiter') !== '/' || !key.slice(prefix.length).includes('/')),
      )
      const entries = inside.map(
        ([key, { length }]) =>
          `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2026-11-24T02:00:00.000Z</LastModified></Contents>`,
      )
      return [200, xml('ListBucketResult', `<IsTruncated>false</IsTruncated>${entries.join('')}`)]
    },
    begin() {
      const id = `upload-${started.asked.length}`
      uploads.set(id, new Map())
      return [200, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`)]
    },
    part({ query, body }) {
      const parts = uploads.get(query.get('uploadId') ?? '')
      parts?.set(Number(query.get('partNumber')), body)
      return [parts ? 200 : 404, '']
    },
    complete({ key, query, body }) {
      const id = query.get('uploadId') ?? ''
      const parts = uploads.get(id)
      const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, nth]) => parts?.get(Number(nth)))
      if (!parts || wanted.includes(undefined)) return [400, xml('Error', '<Code>InvalidPart</Code>')]
      uploads.delete(id)
      objects.set(key, Buffer.concat(wanted as Buffer[]))
      return [200, xml('CompleteMultipartUploadResult', '<ETag>"whole"</ETag>')]
    },
    abort({ query }) {
      return [uploads.delete(query.get('uploadId') ?? '') ? 204 : 404, '']
    },
    read({ key, request }) {
      const object = objects.get(key)
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
      if (!object) return [404, xml('Error', '<Code>NoSuchKey</Code>')]
      return range ? [206, object.subarray(Number(range[1]), Number(range[2]) + 1)] : [200, object]
    },
    look({ key }) {
      return [objects.has(key) ? 200 : 404, objects.get(key) ?? '']
    },
    delete({ key }) {
      objects.delete(key)
      return [204, '']
    },
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    const [, name, ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const act = actOf(request.method ?? '', key, url.searchParams)
    started.asked.push(act)
    const body = await buffer(request)
    started.largest = Math.max(started.largest, body.length)
    const say = (status: number, body: string | Buffer): void => {
      const type = typeof body === 'string' ? 'application/xml' : 'application/octet-stream'
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), etag: '"part"' })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const nth = started.faults.findIndex(fault => fault.act === act)
    const fault = started.faults[nth]?.fault
    if (nth >= 0) started.faults = started.faults.toSpliced(nth, 1)
    if (fault === 'busy') return say(503, xml('Error', '<Code>SlowDown</Code>'))
    if (fault === 'error in a good answer') return say(200, xml('Error', '<Code>InternalError</Code>'))
    if (fault === 'denied' || !(await isSigned(request, url)))
      return say(403, xml('Error', '<Code>AccessDenied</Code>'))
    if (name !== bucket) return say(404, xml('Error', '<Code>NoSuchBucket</Code>'))
    if (fault === 'cut off' && act !== 'read') return void request.socket.destroy()
    if (fault === 'wrong byte') body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
    const [status, content] = acts[act]({ key, query: url.searchParams, body, request })
    if (fault !== 'cut off') return say(status, content)
    response.writeHead(status, { 'content-length': content.length })
    response.write(content.slice(0, content.length >> 1), () => request.socket.destroy())
  }

  const server = createServer(
    (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(started, {
    url: `http://127.0.0.1:${port}/${bucket}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
