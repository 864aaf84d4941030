/**
 * The way from a document to the back office. What is to be booked is written with the document, in its transaction; whoever
 * confirms does not wait. A worker in every node takes one after the other, tries until it is booked, and says what failed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { statement, type Database } from '../../../db/database.ts'
import { documentNumberOf } from '../documentColumns.sql.ts'
import type { BackOffice, SentDocument } from './port.ts'

/** How long a back office may take, in ms. */
const patience = 30_000
/** A node that took a document and was killed has it for so long, in s; longer than `patience`. */
const lease = 60
/** How long a node looks elsewhere when there is nothing to send, in ms. */
const rest = 2000

/** Seconds until the next try, after so many: 5, 10, 20 … an hour at most. It never gives up. */
export const waitAfter = (tries: number): number => Math.min(3600, 5 * 2 ** Math.min(tries - 1, 20))

/** Takes what has been due longest on moment $1, so that no other node does: it is due again when the lease has run out. */
const takeNext = statement(
  'outbox.take',
  `update outbox set tries = tries + 1, due_at = $1::timestamptz + make_interval(secs => ${lease})
   where (site_id, id) = (
     select site_id, id from outbox where booked_at is null and due_at <= $1
     order by due_at, id limit 1 for update skip locked)
   returning site_id as site, id, tries`,
)

/** What entry $2 of site $1 says, as JSON of a `SentDocument`; nothing when it was booked meanwhile. */
const documentToSend = statement(
  'outbox.document',
  `select (select to_json(sent) from (
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
   where o.site_id = $1 and o.id = $2 and o.booked_at is null`,
)

const keepBooked = statement(
  'outbox.booked',
  `update outbox set booked_at = $3, reference = $4, problem = '' where site_id = $1 and id = $2 and booked_at is null`,
)
const keepProblem = statement(
  'outbox.problem',
  `update outbox set due_at = $3, problem = $4 where site_id = $1 and id = $2 and booked_at is null`,
)

type Sending = {
  /** The moment, for what is due. */
  clock?: () => Date
  /** Ends what is under way: it will be tried again. */
  signal?: AbortSignal
  /** Hears what could not be booked, and why. */
  failed?: (document: string, problem: string) => void
}

/** Sends what has been due longest. Answers whether there was something, booked or not. */
export async function sendNext(database: Database, office: BackOffice, at: Sending = {}): Promise<boolean> {
  const { clock = () => new Date(), signal, failed } = at
  const next = await database.transaction({ system: true }, tx =>
    tx.maybe<{ site: number; id: number; tries: number }>(takeNext, [clock()]),
  )
  if (!next) return false
  const scope = { site: next.site }
  const found = await database.transaction(scope, tx =>
    tx.maybe<{ json: string }>(documentToSend, [next.site, next.id]),
  )
  if (!found) return true
  const document = JSON.parse(found.json) as SentDocument
  try {
    // no transaction is open meanwhile: a slow back office holds no connection
    const reference = await inTime(office.book(document, limit(signal)), limit(signal))
    await database.transaction(scope, tx => tx.rows(keepBooked, [next.site, next.id, clock(), reference]))
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const due = new Date(clock().getTime() + waitAfter(next.tries) * 1000)
    await database.transaction(scope, tx => tx.rows(keepProblem, [next.site, next.id, due, problem.slice(0, 500)]))
    if (signal?.aborted !== true) failed?.(`${document.number} of ${document.site.code}`, problem)
  }
  return true
}

const limit = (signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])])

/** A back office that does not listen to its signal is not waited for either. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}

/** Sends from now on whatever is due. `stop` ends what is under way and resolves when nothing is. */
export function startOutbox(
  database: Database,
  office: BackOffice,
  { failed }: { failed: (document: string, problem: string) => void },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let troubled = false
  const working = (async () => {
    while (!signal.aborted) {
      const more = await sendNext(database, office, { signal, failed }).then(
        sent => {
          troubled = false
          return sent
        },
        (error: Error) => {
          // the database is away: said once, not every two seconds
          if (!troubled) failed('the outbox', error.message)
          troubled = true
          return false
        },
      )
      if (!more) await sleep(rest, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}
