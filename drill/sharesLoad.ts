/**
 * A load in a process of its own, so that what it costs is not in the measured one: asks without a pause, and comes back 250 ms
 * after a refusal. It ends with its parent. Started with the asks as JSON: `node drill/sharesLoad.ts URL ASKS`.
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** What one of the load asks, `parallel` times at once; each takes one of the bodies and headers after the other. */
export type Ask = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly parallel: number
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** How the body is made: some are too long for an argument. */
  readonly body?:
    | { readonly plain: unknown }
    | { readonly repeat: unknown; readonly times: number; readonly at: readonly string[]; readonly beside?: object }
}

const comeBackAfter = 250

function bodyOf(ask: Ask): string | undefined {
  if (!ask.body) return undefined
  if ('plain' in ask.body) return JSON.stringify(ask.body.plain)
  const { repeat, times, at, beside = {} } = ask.body
  const piece = (nth: number): string => String(repeat).replaceAll('#', String(nth))
  const all = Array.from({ length: times }, (_, nth) => (typeof repeat === 'string' ? piece(nth) : repeat))
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

/** Asks once and answers the status, 0 without an answer. */
function askOnce(url: string, agent: Agent, ask: Ask, nth: number, body: string | undefined): Promise<number> {
  const { method = 'POST', headers: choices, path } = ask
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

async function go(url: string, asks: readonly Ask[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const counts: Record<number, number> = {}
  process.on('message', () => {
    process.send?.(counts, () => process.exit(0))
  })
  process.once('disconnect', () => process.exit(0))
  const workers = asks.flatMap(ask => {
    const body = bodyOf(ask)
    return Array.from({ length: ask.parallel }, async (_, nth) => {
      for (let round = nth; ; round += ask.parallel) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const status = await askOnce(url, agent, ask, round, body)
        counts[status] = (counts[status] ?? 0) + 1
        // oxlint-disable-next-line no-await-in-loop -- a refused client waits
        if (status === 0 || status >= 400) await pause(comeBackAfter)
      }
    })
  })
  await Promise.all(workers)
}

if (import.meta.main) await go(process.argv[2] ?? '', JSON.parse(process.argv[3] ?? '[]') as Ask[])
