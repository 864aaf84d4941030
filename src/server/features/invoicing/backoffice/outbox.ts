/**
 * The outbox of the back office (docs/decisions/0014). An entry is written in the transaction of its document, so a
 * confirmation does not wait. A worker in every node sends one after the other, retries until it is booked, and reports
 * failures.
 */
import type { Database } from '../../../db/database.ts'
import { statement } from '../../../db/statement.ts'
import { answer, instant, int, text } from '../../../db/types.ts'
import { documentNumberOf } from '../documentColumns.sql.ts'
import { rejectOnAbort, timeoutSignal, retryDelay, startWorker, type Worker } from '../../../worker.ts'
import type { BackOffice, SentDocument } from './port.ts'

/** How long a back office may take, in ms. */
const timeout = 30_000
/** How long an entry belongs to the node that took it, in s; longer than `timeout`. After that the node is taken for dead. */
const lease = 60

/** Takes the entry that has been due longest. No other node does: it is due again only when the lease has run out. */
const takeNextEntry = statement({
  name: 'outbox.take',
  parameters: { now: instant },
  row: { site: int, id: int, tries: int },
  sql: `update outbox set tries = tries + 1, due_at = :now::timestamptz + make_interval(secs => ${lease})
   where (site_id, id) = (
     select site_id, id from outbox where booked_at is null and due_at <= :now
     order by due_at, id limit 1 for update skip locked)
   returning site_id as site, id, tries`,
})

/** The document of an entry, as JSON of a `SentDocument`. No row: it is already booked. */
const documentToSend = statement({
  name: 'outbox.document',
  parameters: { site: int, entry: int },
  row: answer,
  sql: `select (select to_json(sent) from (
     select o.key, (select at from (select s.id, s.code, s.account) at) as site, ${documentNumberOf('d')} as number, d.type,
       d.document_date as date, d.reason,
       (select who from (select c.id as seq_id, c.code, c.name, c.company as companyname, c.street, c.zipcode, c.city, c.email) who)
         as customer,
       (select license_plate from vehicle v where v.site_id = d.site_id and v.id = d.vehicle_id) as license_plate,
       (select coalesce(json_agg(line), '[]') from (
         select l.article_number, l.description, l.quantity, l.price_excl from document_line l
         where l.site_id = d.site_id and l.document_id = d.id order by l.line) line) as lines,
       d.amount_excl) sent)::text as json
   from outbox o
     join document d on d.site_id = o.site_id and d.id = o.document_id
     join customer c on c.site_id = d.site_id and c.id = d.customer_id
     join site s on s.id = d.site_id
   where o.site_id = :site and o.id = :entry and o.booked_at is null`,
})

const recordBooked = statement({
  name: 'outbox.booked',
  parameters: { site: int, entry: int, now: instant, reference: text },
  sql: `update outbox set booked_at = :now, reference = :reference, problem = '' where site_id = :site and id = :entry and booked_at is null`,
})
const recordProblem = statement({
  name: 'outbox.problem',
  parameters: { site: int, entry: int, due: instant, problem: text },
  sql: `update outbox set due_at = :due, problem = :problem where site_id = :site and id = :entry and booked_at is null`,
})

type SendOptions = {
  /** The time, by which entries are due. */
  clock?: () => Date
  /** Aborts the running attempt: it will be retried. */
  signal?: AbortSignal
  /** Called with the document that could not be booked, and why. */
  failed?: (document: string, problem: string) => void
}

/** Sends the entry that has been due longest. Whether there was one, booked or not. */
export async function sendNext(database: Database, office: BackOffice, options: SendOptions = {}): Promise<boolean> {
  const { clock = () => new Date(), signal, failed } = options
  const next = await database.transaction({ system: true }, tx => tx.maybe(takeNextEntry, { now: clock() }))
  if (!next) return false
  const entry = { site: next.site, entry: next.id }
  const scope = { site: next.site }
  const found = await database.transaction(scope, tx => tx.maybe(documentToSend, entry))
  if (!found?.json) return true
  const document = JSON.parse(found.json) as SentDocument
  try {
    // outside of a transaction: a slow back office holds no connection
    const reference = await rejectOnAbort(
      office.book(document, timeoutSignal(timeout, signal)),
      timeoutSignal(timeout, signal),
    )
    await database.transaction(scope, tx => tx.run(recordBooked, { ...entry, now: clock(), reference }))
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const due = new Date(clock().getTime() + retryDelay(next.tries) * 1000)
    await database.transaction(scope, tx => tx.run(recordProblem, { ...entry, due, problem: problem.slice(0, 500) }))
    if (signal?.aborted !== true) failed?.(`${document.number} of ${document.site.code}`, problem)
  }
  return true
}

/** Sends whatever is due from now on. */
export const startOutbox = (
  database: Database,
  office: BackOffice,
  { failed }: { failed: (document: string, problem: string) => void },
): Worker =>
  startWorker({
    next: signal => sendNext(database, office, { signal, failed }),
    onError: problem => failed('the outbox', problem),
  })
