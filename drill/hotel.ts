/** The portal that drills are done to: the demo's, with a client that hears nothing but what the network says. */
import { randomUUID } from 'node:crypto'
import type { Refusal } from '#domain/failure.ts'

/** What a call came to: an answer, a refusal, or silence, after which nobody knows what was done. */
export type Heard<A = unknown> =
  | { readonly kind: 'answer'; readonly status: 200; readonly answer: A; readonly text: string }
  | { readonly kind: 'refusal'; readonly status: number; readonly refusal: Refusal }
  | { readonly kind: 'silence' }

export type Client = {
  /** Makes a call once. */
  call<A = unknown>(path: string, body: unknown, headers?: Record<string, string>): Promise<Heard<A>>
  /**
   * Makes a call until it is answered or refused, under one key: what a person does who hears nothing. @throws Error when
   * nothing is heard for so long, or when `over` says that nothing more will come.
   */
  insist<A = unknown>(
    path: string,
    body: unknown,
    over?: () => boolean,
  ): Promise<Exclude<Heard<A>, { kind: 'silence' }>>
}

/** Nobody will answer any more: the drill is over, or the power is cut. */
export class Over extends Error {}

/** A portal that is ended again and again on a busy machine lives a second at a time. In seconds. */
const patience = 180

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Signs in at the first site of the demo. */
export async function signIn(url: string, username: string, password = 'wheelhouse'): Promise<Client> {
  let cookie = ''
  const client: Client = {
    async call<A>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Heard<A>> {
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
        return { kind: 'silence' }
      }
      if (status === 200) return { kind: 'answer', status, answer: JSON.parse(text) as A, text }
      // a proxy that finds no portal has a page of its own
      if (status >= 502 && !text.startsWith('{')) return { kind: 'silence' }
      return { kind: 'refusal', status, refusal: JSON.parse(text) as Refusal }
    },
    async insist<A>(path: string, body: unknown, over: () => boolean = () => false) {
      const key = randomUUID()
      for (const deadline = Date.now() + 1000 * patience; ;) {
        const heard = await client.call<A>(path, body, { 'idempotency-key': key })
        // a server whose database is away says so, or that it failed: neither says what was done
        if (heard.kind !== 'silence' && heard.status < 500) return heard
        if (over()) throw new Over()
        if (Date.now() > deadline) {
          const last = heard.kind === 'refusal' ? JSON.stringify(heard.refusal) : heard.kind
          throw new Error(`${path} was not answered within ${patience} s; the last was ${last}`)
        }
        await pause(40)
      }
    },
  }
  const signed = await client.insist('/users/authenticate', { username, password })
  if (signed.kind !== 'answer') throw new Error(`${username} cannot sign in: ${signed.refusal.message}`)
  return client
}

/** The answer of a call that has to be answered. */
export function answerOf<A>(heard: Heard<A>, what: string): A {
  if (heard.kind === 'answer') return heard.answer
  throw new Error(heard.kind === 'refusal' ? `${what}: ${JSON.stringify(heard.refusal)}` : `${what}: no answer`)
}

type Fleet = { flt_id: [number] }
type Tyre = { db_id: [number] }

/** A vehicle of the client's own customer (an administrator names one), with four tyres at the customer. */
export async function bringVehicle(
  client: Client,
  {
    plate,
    configuration,
    article,
    customer,
  }: { plate: string; configuration: string; article: number; customer?: number },
): Promise<{ vehicle: number; tyres: number[] }> {
  const vehicleData = { license_plate: plate, brand: 'Volvo', description: 'V60', type: 'car', configuration }
  const made = answerOf(
    await client.insist<Fleet>('/fleet/new', { vehicleData, ...(customer && { seq_id: customer }) }),
    'a new vehicle',
  )
  const vehicle = made.flt_id[0]
  const added = answerOf(
    await client.insist<Tyre[]>('/fleet/addtyres', {
      flt_id: vehicle,
      tyre_set: 'Winter',
      tyres: ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: article })),
    }),
    'tyres for it',
  )
  return { vehicle, tyres: added.map(tyre => tyre.db_id[0]) }
}

/** What every new vehicle of the demo's first site needs, and who may be served there. */
export const groundOf = `
  select (select description from vehicle_config where site_id = 1 and jsonb_array_length(axles) = 2 order by id limit 1) as configuration,
    (select id from article where site_id = 1 and not unknown order by id limit 1) as article,
    (select customer_id from account where site_id = 1 and username = 'customer') as customer`
export type Ground = { configuration: string; article: number; customer: number }
