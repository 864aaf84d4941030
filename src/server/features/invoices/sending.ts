/**
 * E-invoices reach the access point, each once as far as it knows their keys (docs/decisions/0065). An entry is written with its invoice. A
 * worker in every node sends one after the other, and tries again until the access point has taken or refused it.
 */
import { Failure } from '#domain/failure.ts'
import type { Database } from '../../db/database.ts'
import { accessPointTimeout, type AccessPoint } from '../../outbound/accessPoint.ts'
import { OutboundFailed } from '../../outbound/outbound.ts'
import { retryDelay, startWorker, type Worker } from '../../worker.ts'
import type { Handlers } from '../handler.ts'
import { detailsOf } from './details.sql.ts'
import { invoiceById } from './invoices.sql.ts'
import * as sql from './sending.sql.ts'
import { ublFile } from './ubl.ts'

/** How long an entry belongs to the node that took it, in ms; longer than a request may take. After that the node is taken for dead. */
const leaseMs = 2 * accessPointTimeout

/** How many characters of an answer are kept. */
const answerKept = 500

/**
 * The answers by which an access point refuses an invoice for good. Any other that is not 2xx says something of the access point or of its
 * setting, such as a token that has expired, and is tried again.
 */
const refusals: readonly number[] = [400, 406, 410, 413, 415, 422]

export const sending: Pick<Handlers['invoices'], 'send'> = {
  async send({ input: { _id }, tx, site, request, who, now }) {
    const invoice = await tx.one(invoiceById, { site: site.id, invoice: _id })
    const details = await tx.maybe(detailsOf, { site: site.id })
    if (!request.accessPoint || !details?.sends) throw new Failure('invoices.not_sending')
    await ublFile(invoice)
    const queued = await tx.maybe(sql.queue, { site: site.id, invoice: _id, actor: who.account, now })
    if (!queued) throw new Failure('invoices.sent', { invoice: invoice.number })
    return {}
  },
}

type Sending = {
  /** The time, by which entries are due. */
  readonly clock?: () => Date
  /** Aborts the running attempt: it will be retried. */
  readonly signal?: AbortSignal
  /** Called with the site of an invoice of which something is known. */
  readonly changed?: (site: number) => void
  /** Called with the number of an invoice that was not taken, and why. */
  readonly failed?: (invoice: string, problem: string) => void
}

type Outcome = {
  readonly state: 'sent' | 'refused' | 'waiting'
  readonly problem: '' | 'rules' | 'status' | OutboundFailed['reason']
  readonly status: number | null
  readonly answer: string
}

/** Sends the invoice that has been due longest. Whether there was one, taken or not. */
export async function sendNextInvoice(
  database: Database,
  accessPoint: AccessPoint,
  options: Sending = {},
): Promise<boolean> {
  const { clock = () => new Date(), signal, changed, failed } = options
  const taken = clock()
  const lease = new Date(taken.getTime() + leaseMs)
  const next = await database.transaction({ system: true }, tx => tx.maybe(sql.takeNextInvoice, { now: taken, lease }))
  if (!next) return false
  const { site, invoice: id, key, tries } = next
  const invoice = await database.transaction({ site }, tx => tx.one(invoiceById, { site, invoice: id }))
  // no transaction is open meanwhile: a slow access point holds no connection
  const { state, ...outcome } = await outcomeOf(() => ublFile(invoice), { accessPoint, key, signal })
  // it was not the receiver's fault; when the lease has run out somebody else tries
  if (signal?.aborted) return true
  const now = clock()
  const about = { site, invoice: id, key, status: outcome.status, answer: outcome.answer }
  const { problem } = outcome
  const due = new Date(now.getTime() + retryDelay(tries) * 1000)
  await database.transaction({ site }, tx =>
    state === 'sent'
      ? tx.run(sql.recordSent, { ...about, now })
      : state === 'refused'
        ? tx.run(sql.recordRefused, { ...about, now, problem })
        : tx.run(sql.recordProblem, { ...about, due, problem }),
  )
  changed?.(site)
  if (state !== 'sent') failed?.(invoice.number, `${problem} ${outcome.status ?? ''} ${outcome.answer}`.trim())
  return true
}

async function outcomeOf(
  file: () => Promise<string>,
  { accessPoint, key, signal }: { accessPoint: AccessPoint; key: string; signal: AbortSignal | undefined },
): Promise<Outcome> {
  try {
    const { status, text } = await accessPoint.send({ xml: await file(), key }, signal)
    // PostgreSQL keeps no NUL
    const answer = text.replaceAll('\0', '').toWellFormed().slice(0, answerKept)
    if (status >= 200 && status < 300) return { state: 'sent', problem: '', status, answer }
    return { state: refusals.includes(status) ? 'refused' : 'waiting', problem: 'status', status, answer }
  } catch (error) {
    if (error instanceof Failure && error.code === 'invoices.rules')
      return {
        state: 'refused',
        problem: 'rules',
        status: null,
        answer: String(error.facts.rules).slice(0, answerKept),
      }
    if (error instanceof OutboundFailed) return { state: 'waiting', problem: error.reason, status: null, answer: '' }
    throw error
  }
}

/** Sends due invoices from now on. */
export const startSendingInvoices = (
  database: Database,
  accessPoint: AccessPoint,
  { failed, ...options }: Required<Pick<Sending, 'changed' | 'failed'>>,
): Worker =>
  startWorker({
    next: signal => sendNextInvoice(database, accessPoint, { ...options, failed, signal }),
    onError: problem => failed('the outbox of invoices', problem),
  })
