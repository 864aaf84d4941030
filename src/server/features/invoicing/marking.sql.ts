/** The statements of last invoice dates and of documents that are withdrawn: what releases days of the ledger. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { bool, date, instant, int, text } from '../../db/types.ts'
import { documentNumberOf, invoiceOf } from './documentColumns.sql.ts'

/** Whether stay `s` is the one that a last invoice date of its tyre is about: the present one, or else any that ended. */
const isMarked = (s: string): string => `(${s}.until is null or not exists (
  select from stay present where present.site_id = ${s}.site_id and present.tyre_id = ${s}.tyre_id and present.until is null))`

/**
 * Releases the days that are charged because of the last invoice date of tyres alone, for those whose date changes. The caller has
 * locked them and sets their dates next (`setInvoiced`), in an own statement, which sees these days as owed.
 */
export const releaseMarked = statement({
  name: 'invoicing.releaseMarked',
  parameters: { site: int, tyres: z.array(int), dates: z.array(date.nullable()), actor: int, now: instant },
  sql: `update storage_ledger l set released_at = :now, released_by = :actor, released_reason = 'marked'
   from unnest(:tyres::int[], :dates::date[]) as wish(id, date)
     join tyre t on t.site_id = :site and t.id = wish.id and t.invoiced_on is distinct from wish.date
   where l.site_id = :site and l.tyre_id = t.id and l.state = 'charged' and l.document_id is null and l.released_at is null
     and exists (select from stay s where s.site_id = l.site_id and s.tyre_id = l.tyre_id and s.since <= l.since
       and l.since < coalesce(s.until, 'infinity') and ${isMarked('s')})`,
})

/**
 * Sets the last invoice date of each of the tyres, which the caller has locked, or clears it with null; `undo` takes back the last
 * time that this was done. A tyre that has this date already is left alone. The days up to the date that nothing else settles are
 * charged by it. The history has the date, or '-' where it was cleared. One audit row for each customer, with the dates before.
 */
export const setInvoiced = statement({
  name: 'invoicing.mark',
  parameters: {
    site: int,
    tyres: z.array(int),
    dates: z.array(date.nullable()),
    undo: bool,
    actor: int,
    now: instant,
    action: text,
  },
  sql: `with changed as (
     update tyre t set invoiced_on = wish.date
     from tyre was, unnest(:tyres::int[], :dates::date[]) as wish(id, date)
     where was.site_id = t.site_id and was.id = t.id and t.site_id = :site and t.id = wish.id
       and t.invoiced_on is distinct from wish.date
     returning t.site_id, t.id, t.customer_id, t.vehicle_id, wish.date, was.invoiced_on as before
   ), remembered as (
     insert into invoice_mark (site_id, tyre_id, customer_id, date, before, at, account_id)
     select site_id, id, customer_id, date, before, :now, :actor from changed where not :undo
   ), undone as (
     update invoice_mark set undone_at = :now
     where :undo and site_id = :site and undone_at is null
       and id in (select max(id) from invoice_mark
         where site_id = :site and tyre_id = any (:tyres::int[]) and undone_at is null group by tyre_id)
   ), settled as (
     insert into storage_ledger (site_id, tyre_id, customer_id, since, until, at, account_id)
     select s.site_id, s.tyre_id, c.customer_id, lower(span), upper(span), :now, :actor
     from changed c join stay s on s.site_id = c.site_id and s.tyre_id = c.id and ${isMarked('s')}
       cross join lateral unnest(owed_days(s.site_id, s.tyre_id, s.since, least(s.until, c.date))) span
     where c.date is not null
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
     select site_id, id, customer_id, vehicle_id, 'invoiced', :now, :actor, coalesce(date::text, '-') from changed
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, :action, 'customer ' || customer_id,
     jsonb_build_object('date', min(date), 'tyres', jsonb_object_agg(id, before))
   from changed group by customer_id`,
})

/** The last invoice date that each of these tyres had before it was last set or cleared; no row for one that never was. */
export const datesBefore = statement({
  name: 'invoicing.datesBefore',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int, before: date.nullable() },
  sql: `select distinct on (mark.tyre_id) mark.tyre_id as id, mark.before from invoice_mark mark
   where mark.site_id = :site and mark.tyre_id = any (:tyres::int[]) and mark.undone_at is null
   order by mark.tyre_id, mark.id desc`,
})

/** Locks a document, and before it its customer: a charge at the same time could count on the days that the document pays. */
export const lockDocument = statement({
  name: 'invoicing.lockDocument',
  parameters: { site: int, document: int },
  row: { number: text, reason: text, withdrawn: bool },
  sql: `with payer as materialized (
     select id from customer where site_id = :site and id = (select customer_id from document where site_id = :site and id = :document)
     for no key update)
   select ${documentNumberOf('d')} as number, d.reason, d.withdrawn_at is not null as withdrawn
   from payer join document d on d.customer_id = payer.id where d.site_id = :site and d.id = :document for update of d`,
})

/** The invoice that a document is on, which its withdrawal would contradict; no row without one. The caller has locked the document. */
export const invoiceOfDocument = statement({
  name: 'invoicing.invoiceOf',
  parameters: { site: int, document: int },
  row: { invoice: text },
  sql: `select invoice from (
     select ${invoiceOf('d')} as invoice from document d where d.site_id = :site and d.id = :document) found
   where invoice is not null`,
})

/** Withdraws a document, which the caller has locked: what it charges is owed again. Answers its tyres. */
export const withdrawDocument = statement({
  name: 'invoicing.withdraw',
  parameters: { site: int, document: int, reason: text, actor: int, now: instant },
  row: { tyre: int },
  sql: `with withdrawn as (
     update document set withdrawn_at = :now, withdrawn_by = :actor, withdrawn_reason = :reason
     where site_id = :site and id = :document
     returning id, site_id, customer_id
   ), released as (
     update storage_ledger l set released_at = :now, released_by = :actor, released_reason = :reason from withdrawn d
     where l.site_id = d.site_id and l.document_id = d.id and l.released_at is null
     returning l.tyre_id
   ), owed as (
     update charge_ledger l set released_at = :now, released_by = :actor, released_reason = :reason from withdrawn d
     where l.site_id = d.site_id and l.document_id = d.id and l.released_at is null
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, 'invoicing.withdraw', 'document ' || id, jsonb_build_object('reason', :reason::text,
       'tyres', coalesce((select jsonb_agg(distinct tyre_id) from released), '[]')) from withdrawn
   )
   select distinct tyre_id as tyre from released order by 1`,
})
