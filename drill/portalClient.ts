/** A client of the demo portal that knows only what the network tells it. */
import { randomUUID } from 'node:crypto'
import type { Refusal } from '#domain/failure.ts'

/** The outcome of a call: an answer, a refusal, or no reply, after which the client does not know what was done. */
export type Outcome<A = unknown> =
  | { readonly kind: 'answer'; readonly status: 200; readonly answer: A; readonly text: string }
  | { readonly kind: 'refusal'; readonly status: number; readonly refusal: Refusal }
  | { readonly kind: 'no reply' }

export type Client = {
  /** Sends a request once. */
  call<A = unknown>(path: string, body: unknown, headers?: Record<string, string>): Promise<Outcome<A>>
  /**
   * Repeats a call with the same idempotency key until it is answered or refused. @throws Error when that takes too long, `Stopped`
   * when `stopped` says that no reply will come.
   */
  callUntilReply<A = unknown>(
    path: string,
    body: unknown,
    stopped?: () => boolean,
  ): Promise<Exclude<Outcome<A>, { kind: 'no reply' }>>
}

/** No reply will come: the drill has ended, or the power is cut. */
export class Stopped extends Error {}

/** In seconds. A portal that is killed again and again is up for a second at a time. */
const timeoutS = 600

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Signs in at the first demo site. */
export async function signIn(url: string, username: string, password = 'wheelhouse'): Promise<Client> {
  let cookie = ''
  const client: Client = {
    async call<A>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Outcome<A>> {
      let status: number
      let text: string
      try {
        const reply = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie, ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(30_000),
        })
        status = reply.status
        text = await reply.text()
        const given = reply.headers.getSetCookie()[0]
        if (given) cookie = given.replace(/;.*/s, '')
      } catch {
        return { kind: 'no reply' }
      }
      if (status === 200) return { kind: 'answer', status, answer: JSON.parse(text) as A, text }
      // a proxy that reaches no portal answers with its own page
      if (status >= 502 && !text.startsWith('{')) return { kind: 'no reply' }
      return { kind: 'refusal', status, refusal: JSON.parse(text) as Refusal }
    },
    async callUntilReply<A>(path: string, body: unknown, stopped: () => boolean = () => false) {
      const key = randomUUID()
      for (const deadline = Date.now() + 1000 * timeoutS; ;) {
        const outcome = await client.call<A>(path, body, { 'idempotency-key': key })
        // a 5xx does not tell whether the call succeeded either
        const code = outcome.kind === 'refusal' ? outcome.refusal.code : null
        const busy = code === 'server.busy' || code === 'request.too_many'
        if (outcome.kind !== 'no reply' && outcome.status < 500 && !busy) return outcome
        if (stopped()) throw new Stopped()
        if (Date.now() > deadline) {
          const last = outcome.kind === 'refusal' ? JSON.stringify(outcome.refusal) : outcome.kind
          throw new Error(`${path} was not answered within ${timeoutS} s; the last was ${last}`)
        }
        // a rate limit says when it ends
        const seconds =
          code === 'request.too_many' && outcome.kind === 'refusal'
            ? Number(outcome.refusal.params?.['seconds'] ?? 1)
            : 0
        await pause(Math.max(40, seconds * 1000))
      }
    },
  }
  const signed = await client.callUntilReply('/users/authenticate', { username, password })
  if (signed.kind !== 'answer') throw new Error(`${username} cannot sign in: ${signed.refusal.message}`)
  return client
}

/** The answer of a call. @throws Error when it was refused or got no reply */
export function answerOf<A>(outcome: Outcome<A>, what: string): A {
  if (outcome.kind === 'answer') return outcome.answer
  throw new Error(outcome.kind === 'refusal' ? `${what}: ${JSON.stringify(outcome.refusal)}` : `${what}: no reply`)
}

type Fleet = { flt_id: [number] }
type Tyre = { db_id: [number] }

/** Adds a vehicle of the client's own customer (an administrator names one) with four tyres at the customer. */
export async function addVehicle(
  client: Client,
  {
    plate,
    configuration,
    article,
    customer,
  }: { plate: string; configuration: string; article: number; customer?: number },
): Promise<{ vehicle: number; tyres: number[] }> {
  const vehicleData = { license_plate: plate, brand: 'Volvo', description: 'V60', type: 'car', configuration }
  const created = answerOf(
    await client.callUntilReply<Fleet>('/fleet/new', { vehicleData, ...(customer && { seq_id: customer }) }),
    'a new vehicle',
  )
  const vehicle = created.flt_id[0]
  const added = answerOf(
    await client.callUntilReply<Tyre[]>('/fleet/addtyres', {
      flt_id: vehicle,
      tyre_set: 'Winter',
      tyres: ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: article })),
    }),
    'tyres for it',
  )
  return { vehicle, tyres: added.map(tyre => tyre.db_id[0]) }
}

/** Readies the first demo site for much work: a transport without limits, so that no full day refuses, and a document for each confirmation. */
export async function readySite(portal: {
  sql<R extends { id: number }>(text: string): Promise<R[]>
}): Promise<{ transport: number }> {
  const [transport] = await portal.sql<{ id: number }>(`
    insert into transport_method (site_id, name, code, description_nl, description_fr, description_en, description_de, operation_days, advance_days)
    values (1, 'Drill', 'drill', 'Drill', 'Drill', 'Drill', 'Drill', '{0,1,2,3,4,5,6}', 1) returning id`)
  if (!transport) throw new Error('the demo has no first site')
  await portal.sql(`update site set do_doc_insert = true, doc_insert_exceptions = '{}' where id = 1`)
  // the server caches sites for two seconds
  await pause(2100)
  return { transport: transport.id }
}

/** Selects what a new vehicle of the first demo site needs. */
export const selectBasics = `
  select (select description from vehicle_config where site_id = 1 and jsonb_array_length(axles) = 2 order by id limit 1) as configuration,
    (select id from article where site_id = 1 and not unknown order by id limit 1) as article,
    (select customer_id from account where site_id = 1 and username = 'customer') as customer`
export type Basics = { configuration: string; article: number; customer: number }
