/** The statements of e-invoices on their way to the access point (docs/decisions/0065). */
import { statement } from '../../db/statement.ts'
import { instant, int, text, uuid } from '../../db/types.ts'

const waits = (s: string): string => `${s}.sent_at is null and ${s}.refused_at is null`

/** How far an invoice is, as JSON; null for one that was never to be sent. */
export const sendingOf = (i: string): string =>
  `(select json_build_object('state', case when s.sent_at is not null then 'sent' when s.refused_at is not null then 'refused' else 'waiting' end,
       'tries', s.tries, 'tried', s.tried_at, 'problem', s.problem, 'status', s.status, 'answer', s.answer)
     from invoice_sending s where s.site_id = ${i}.site_id and s.invoice_id = ${i}.id)`

/**
 * Queues an invoice for sending, or for sending again, from now on. A refused one gets a new key: the access point does not have it, and
 * could repeat its answer to the former key. No row: it was sent meanwhile.
 */
export const queue = statement({
  name: 'invoices.queue',
  parameters: { site: int, invoice: int, actor: int, now: instant },
  row: { id: int },
  sql: `with queued as (
     insert into invoice_sending as s (site_id, invoice_id, customer_id, after_invoice, due_at)
     select i.site_id, i.id, i.customer_id, i.credits, :now from invoice i where i.site_id = :site and i.id = :invoice
     on conflict (site_id, invoice_id) do update set due_at = :now, refused_at = null, tries = 0,
       key = case when s.refused_at is null then s.key else gen_random_uuid() end
     where s.sent_at is null
     returning s.site_id, s.customer_id, s.invoice_id),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject)
     select site_id, customer_id, :actor, :now, 'invoice.send', 'invoice ' || invoice_id from queued)
   select invoice_id as id from queued`,
})

/**
 * Takes the invoice that has been due longest, but no credit note before its invoice is there. No other node takes it until the lease has
 * run out. Needs the scope of the system.
 */
export const takeNextInvoice = statement({
  name: 'invoices.takeToSend',
  parameters: { now: instant, lease: instant },
  row: { site: int, invoice: int, key: uuid, tries: int },
  sql: `update invoice_sending set tries = tries + 1, tried_at = :now, leased_until = :lease
   where (site_id, invoice_id) = (
     select s.site_id, s.invoice_id from invoice_sending s
     where ${waits('s')} and s.due_at <= :now and (s.leased_until is null or s.leased_until <= :now)
       and not exists (select from invoice_sending first where first.site_id = s.site_id and first.invoice_id = s.after_invoice
         and ${waits('first')})
     order by s.due_at, s.invoice_id limit 1 for update skip locked)
   returning site_id as site, invoice_id as invoice, key, tries`,
})

/** The entry as it was taken: under another key it was begun anew meanwhile. */
const taken = `site_id = :site and invoice_id = :invoice and key = :key and ${waits('invoice_sending')}`
const attempt = { site: int, invoice: int, key: uuid, status: int.nullable(), answer: text }

export const recordSent = statement({
  name: 'invoices.sent',
  parameters: { ...attempt, now: instant },
  sql: `update invoice_sending set sent_at = :now, leased_until = null, problem = '', status = :status, answer = :answer where ${taken}`,
})

export const recordProblem = statement({
  name: 'invoices.sendingFailed',
  parameters: { ...attempt, due: instant, problem: text },
  sql: `update invoice_sending set due_at = :due, leased_until = null, problem = :problem, status = :status, answer = :answer
   where ${taken}`,
})

/** Notes that an invoice was refused. A credit note that waits for it has nothing to credit there. */
export const recordRefused = statement({
  name: 'invoices.sendingRefused',
  parameters: { ...attempt, now: instant, problem: text },
  sql: `with refused as (
     update invoice_sending set refused_at = :now, leased_until = null, problem = :problem, status = :status, answer = :answer
     where ${taken} returning site_id, invoice_id)
   update invoice_sending note set refused_at = :now, problem = 'credited', status = null, answer = '' from refused
   where note.site_id = refused.site_id and note.after_invoice = refused.invoice_id and ${waits('note')}`,
})
