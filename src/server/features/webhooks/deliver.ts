/**
 * Deliveries of webhooks (docs/decisions/0042). Workers in every node take one after the other, sign it, and try it again after
 * growing pauses; what happens to one object is told in its order.
 */
import { Webhook } from 'standardwebhooks'
import { triedForMs } from '#domain/people/webhook.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { OutboundFailed, type Outbound } from '../../outbound/outbound.ts'
import type { Secrets } from '../../secrets.ts'
import { retryDelay, startWorker, type Worker } from '../../worker.ts'
import * as sql from './webhooks.sql.ts'

/** How long a delivery belongs to the node that took it, in ms; longer than a request may take. After that the node is taken for dead. */
const leaseMs = 60_000

/** The last tries of a delivery come up to two pauses before its three days are over; nothing may come after it that shows the failure. */
const lastPausesMs = 2 * 3_600_000

/** How many characters of an answer are kept. */
const answerKept = 300

/** The purpose for which a site's secrets are encrypted. */
export const secretPurpose = (site: number): string => `webhook ${site}`

type Endpoint = Pick<Row<typeof sql.endpointById>, 'url' | 'customer' | 'secret' | 'former' | 'formerUntil'>
type Event = { readonly key: string; readonly kind: string; readonly at: string; readonly data: unknown }

/** The outcome of a delivery attempt. */
export type Outcome = {
  readonly status: number | null
  readonly answer: string
  readonly problem: '' | OutboundFailed['reason']
  readonly ms: number
}

type Sending = { readonly secrets: Secrets; readonly outbound: Outbound; readonly signal?: AbortSignal | undefined }

/** Sends an event to an endpoint of a site, signed by the Standard Webhooks convention with each of its secrets. */
export async function sendEvent(
  { secrets, outbound, signal }: Sending,
  { site, endpoint, event, now }: { site: number; endpoint: Endpoint; event: Event; now: Date },
): Promise<Outcome> {
  const { url, customer, secret, former, formerUntil } = endpoint
  const sealed = former && formerUntil && Date.parse(formerUntil) > now.getTime() ? [secret, former] : [secret]
  const body = JSON.stringify({ type: event.kind, timestamp: new Date(event.at).toISOString(), data: event.data })
  const sign = (kept: Buffer): string =>
    new Webhook(secrets.decrypt(kept, secretPurpose(site))).sign(event.key, now, body)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Wheelhouse',
    'webhook-id': event.key,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': sealed.map(sign).join(' '),
  }
  const began = performance.now()
  const since = (): number => Math.round(performance.now() - began)
  try {
    const way = customer === null ? outbound : outbound.forCustomers
    const answer = await way.send(url, { method: 'POST', headers, body, ...(signal && { signal }) })
    // PostgreSQL keeps no NUL
    const text = (await answer.text()).replaceAll('\0', '').toWellFormed().slice(0, answerKept)
    return { status: answer.status, answer: text, problem: '', ms: since() }
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return { status: null, answer: '', problem: error.reason, ms: since() }
  }
}

const isTaken = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300

type Delivering = Sending & {
  /** Whether to endpoints of customers, instead of sites'. */
  readonly ofCustomers?: boolean
  readonly sendsMail: boolean
  /** The time, by which deliveries are due. */
  readonly clock?: () => Date
  /** Called with the host of an endpoint that was disabled. */
  readonly disabled?: (host: string) => void
}

/** Delivers what has been due longest. Whether there was something, taken or not. */
export async function deliverNext(database: Database, options: Delivering): Promise<boolean> {
  const { ofCustomers = false, clock = () => new Date(), signal } = options
  const now = clock()
  const lease = new Date(now.getTime() + leaseMs)
  const next = await database.transaction({ system: true }, tx =>
    tx.maybe(sql.takeNextDelivery, { ofCustomers, now, lease }),
  )
  if (!next) return false
  const { site, endpoint: endpointId } = next
  const [endpoint, event] = await database.transaction({ site }, async tx => [
    await tx.maybe(sql.endpointById, { site, endpoint: endpointId }),
    await tx.maybe(sql.eventToSend, { site, event: next.event }),
  ])
  // removed meanwhile
  if (!endpoint || !event) return true
  // no transaction is open meanwhile: a slow receiver holds no connection
  const outcome = await sendEvent(options, { site, endpoint, event: { ...event, data: JSON.parse(event.data) }, now })
  // it was not the receiver's fault; when the lease has run out somebody else tries
  if (signal?.aborted) return true
  await database.transaction({ site }, tx => record(tx, { ...next, outcome, now: clock() }, options))
  return true
}

async function record(
  tx: Tx,
  {
    site,
    id,
    endpoint,
    tries,
    begun,
    outcome,
    now,
  }: Row<typeof sql.takeNextDelivery> & { outcome: Outcome; now: Date },
  { sendsMail, disabled }: Delivering,
): Promise<void> {
  const about = { site, delivery: id, endpoint, now, ...outcome }
  if (isTaken(outcome)) return tx.run(sql.recordDelivered, about)
  const due = new Date(now.getTime() + retryDelay(tries) * 1000)
  const failed = await tx.maybe(sql.recordFailed, {
    ...about,
    due,
    givenUp: due.getTime() > Date.parse(begun) + triedForMs,
    // the receiver says that it wants no more
    gone: outcome.status === 410,
    patience: new Date(now.getTime() - triedForMs + lastPausesMs),
  })
  if (!failed?.disabled) return
  const { host } = new URL(failed.url)
  const { customer } = failed
  if (sendsMail) await tx.run(sql.mailDisabled, { site, customer, facts: JSON.stringify({ host }), now })
  disabled?.(host)
}

/** How many deliveries a node makes at once, to sites and to customers each: customers' slow receivers keep no site waiting. */
const workers = 4

/** Delivers due messages from now on. */
export const startDeliveries = (
  database: Database,
  {
    failed,
    ...delivering
  }: Omit<Delivering, 'ofCustomers' | 'clock' | 'signal'> & { failed: (problem: string) => void },
): Worker => {
  const all = [false, true].flatMap(ofCustomers =>
    Array.from({ length: workers }, () =>
      startWorker({ next: signal => deliverNext(database, { ...delivering, ofCustomers, signal }), onError: failed }),
    ),
  )
  return { stop: async () => void (await Promise.all(all.map(worker => worker.stop()))) }
}

/** Deletes events of long ago with their deliveries; once an hour is enough. */
export const deleteOldEvents = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, tx => tx.run(sql.deleteOldEvents, { now }))
