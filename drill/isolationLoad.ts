/**
 * Produces load in a separate process, so that its CPU time is not measured: requests without a pause, 250 ms after a
 * refusal. Ends with its parent. Started with the requests as JSON: `node drill/isolationLoad.ts URL REQUESTS`.
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A request of the load, sent `parallel` times at once, with the headers in rotation. */
export type LoadRequest = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly parallel: number
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** How to build the body: some are too long for an argument. */
  readonly body?:
    | { readonly plain: unknown }
    | { readonly nested: number }
    | { readonly repeat: unknown; readonly times: number; readonly at: readonly string[]; readonly beside?: object }
}

const retryAfterMs = 250

function bodyOf(loadRequest: LoadRequest): string | undefined {
  if (!loadRequest.body) return undefined
  if ('plain' in loadRequest.body) return JSON.stringify(loadRequest.body.plain)
  if ('nested' in loadRequest.body) {
    const { nested } = loadRequest.body
    return `{"a":${'['.repeat(nested)}${']'.repeat(nested)}}`
  }
  const { repeat, times, at, beside = {} } = loadRequest.body
  const item = (nth: number): string => String(repeat).replaceAll('#', String(nth))
  const all = Array.from({ length: times }, (_, nth) => (typeof repeat === 'string' ? item(nth) : repeat))
  const [kind, ...fields] = at
  const value =
    kind === 'text'
      ? ['name,zipcode,city', ...all].join('\n')
      : kind === 'keys'
        ? Object.fromEntries(all.map(key => [key, '']))
        : all
  const body = fields.reduceRight<unknown>((inner, field) => (field === '0' ? [inner] : { [field]: inner }), value)
  return JSON.stringify({ ...(body as object), ...beside })
}

/** Sends a request and returns the status, 0 without an answer. */
function send(
  url: string,
  agent: Agent,
  loadRequest: LoadRequest,
  nth: number,
  body: string | undefined,
): Promise<number> {
  const { method = 'POST', headers: choices, path } = loadRequest
  const headers = {
    ...choices[nth % choices.length],
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  return new Promise(resolve => {
    const sent = request(`${url}${path}`, { method, agent, headers }, reply => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode ?? 0))
      reply.once('error', () => resolve(0))
    })
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}

async function produceLoad(url: string, requests: readonly LoadRequest[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const counts: Record<number, number> = {}
  process.on('message', () => {
    process.send?.(counts, () => process.exit(0))
  })
  process.once('disconnect', () => process.exit(0))
  const workers = requests.flatMap(loadRequest => {
    const body = bodyOf(loadRequest)
    return Array.from({ length: loadRequest.parallel }, async (_, nth) => {
      for (let round = nth; ; round += loadRequest.parallel) {
        const status = await send(url, agent, loadRequest, round, body)
        counts[status] = (counts[status] ?? 0) + 1
        if (status === 0 || status >= 400) await pause(retryAfterMs)
      }
    })
  })
  await Promise.all(workers)
}

if (import.meta.main) await produceLoad(process.argv[2] ?? '', JSON.parse(process.argv[3] ?? '[]') as LoadRequest[])
