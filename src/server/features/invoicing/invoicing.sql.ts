/** The statements of invoicing storage. What is charged is a rule of domain/overdue.ts. */
import { z } from 'zod'
import { documentTypes, invoicingModes, invoicingQuantities } from '#domain/site.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { documentColumns, documentNumberOf } from './documentColumns.sql.ts'

/**
 * Whether tyre `t` is in stock and was not invoiced for at least `days` on `today`. A tyre that is paid up to today is never
 * overdue. Written so that the index `tyre_overdue` serves it.
 */
const overdue = (t: string, { today, days }: { today: string; days: string }): string =>
  `${t}.status = 'in_stock' and ${t}.removed_at is null and ${t}.billed_until <= ${today}::date - greatest(${days}::int, 1)`

/** The document that charges days of tyre `t` after its last invoice date: there is one at most. */
const charging = (t: string): string => `
  left join lateral (
    select ${documentNumberOf('d')} as number, charged.until
    from document_tyre charged join document d on d.site_id = charged.site_id and d.id = charged.document_id
    where charged.site_id = ${t}.site_id and charged.tyre_id = ${t}.id and charged.released_at is null
      and charged.until > ${t}.billed_until
    order by charged.until desc limit 1) charged on true`

/** The customers with tyres that are overdue for so many days, in wire form. */
export const overdueCustomers = statement({
  name: 'invoicing.customers',
  parameters: { site: int, today: date, days: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[owed.tyres] as tyres, array[yyyymmdd(owed.since)] as since,
       array[:today::date - owed.since] as overdue_days
     from (
       select t.customer_id, count(*)::int as tyres, min(t.billed_until) as since from tyre t
       where t.site_id = :site and ${overdue('t', { today: ':today', days: ':days' })}
       group by t.customer_id) owed
     join customer c on c.site_id = :site and c.id = owed.customer_id
     order by owed.tyres desc, lower(coalesce(nullif(c.company, ''), c.name)), c.id) wire`,
})

/** A customer's tyres that are overdue for so many days, with `paid` also those that are not, by tyre ID; in wire form. */
export const overdueTyres = statement({
  name: 'invoicing.tyres',
  parameters: { site: int, today: date, days: int, customer: int, paid: bool },
  row: answer,
  sql: `select (select coalesce(json_agg(wire), '[]') from (
     select array[t.id] as db_id, array[t.vehicle_id] as flt_id, array[v.license_plate] as license_plate,
       array[t.position] as position, array[t.description] as description,
       array[coalesce(t.tyre_set, 'setless')] as tyre_set, array[t.status_day] as status_date,
       array[t.invoiced_day] as "invoicedAt", array[greatest(0, :today::date - t.billed_until)] as overdue_days,
       array[l.path] as stock_rack, array[l.site_name] as stock_site_name,
       array[charged.number] as document, array[yyyymmdd(charged.until)] as document_date
     from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       left join location l on l.site_id = t.site_id and l.id = t.location_id ${charging('t')}
     where t.site_id = :site and t.customer_id = :customer
       and ((${overdue('t', { today: ':today', days: ':days' })}) or (:paid and t.status = 'in_stock' and t.removed_at is null))
     order by t.id) wire)::text as json
   from customer where site_id = :site and id = :customer`,
})

/** What a site charges for storage; `article` is null while it has not chosen the article to charge. */
export const storageRules = statement({
  name: 'invoicing.rules',
  parameters: { site: int },
  row: {
    quantity: z.enum(invoicingQuantities),
    mode: z.enum(invoicingModes),
    period: int,
    type: z.enum(documentTypes),
    price: decimal,
    article: int.nullable(),
    description: text.nullable(),
  },
  sql: `select s.invoicing_quantity as quantity, s.invoicing_mode as mode, s.invoicing_period as period,
     s.invoicing_document_type as type, s.invoicing_price_excl as price, a.id as article, a.description
   from site s left join article a on a.site_id = s.id and a.id = s.invoicing_article where s.id = :site`,
})

/** Locks those tyres that exist, of one customer unless it is null: nobody else charges, marks or moves them. */
export const lockTyres = statement({
  name: 'invoicing.lock',
  parameters: { site: int, tyres: z.array(int), customer: int.nullable() },
  row: { id: int },
  sql: `select id from tyre
   where site_id = :site and id = any (:tyres::int[]) and removed_at is null and (:customer::int is null or customer_id = :customer)
   order by id for no key update`,
})

/** What charging needs to know of a customer's tyres. The caller has locked them, or only previews. */
export const tyresToCharge = statement({
  name: 'invoicing.toCharge',
  parameters: { site: int, tyres: z.array(int), customer: int },
  row: {
    id: int,
    vehicle: int,
    set: text.nullable(),
    stockDate: date,
    invoicedOn: date.nullable(),
    stored: bool,
    plate: text,
    document: text.nullable(),
  },
  sql: `select t.id, t.vehicle_id as vehicle, t.tyre_set as set, t.status_date as "stockDate", t.invoiced_on as "invoicedOn",
     t.status = 'in_stock' as stored, v.license_plate as plate, charged.number as document
   from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id ${charging('t')}
   where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null and t.customer_id = :customer
   order by v.license_plate, t.vehicle_id, t.tyre_set, t.id`,
})

/**
 * Creates the document that charges a customer's storage up to today: `amount` EUR, for each of the tyres the days after its day
 * in `since`. Its number is the next of its type and year; the counter's row stays locked until the end, so that a number is never
 * lost with a transaction that fails. It goes into the outbox, and into the audit with `facts`.
 */
export const createStorageDocument = statement({
  name: 'invoicing.inject',
  parameters: {
    site: int,
    customer: int,
    actor: int,
    now: instant,
    today: date,
    type: z.enum(documentTypes),
    amount: decimal,
    lines: json,
    tyres: z.array(int),
    since: z.array(date),
    facts: json,
  },
  row: answer,
  sql: `with counted as (
     insert into document_counter as counter (site_id, type, year, last)
     values (:site, :type, extract(year from :today::date)::int, 1)
     on conflict (site_id, type, year) do update set last = counter.last + 1
     returning year, last
   ), made as (
     insert into document (site_id, customer_id, type, reason, year, number, document_date, created_at, created_by, amount_excl)
     select :site, :customer, :type, 'storage', year, last, :today, :now, :actor, :amount from counted
     returning *
   ), lined as (
     insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
     select d.site_id, d.id, l.line, d.customer_id, l.article_number, l.description, l.quantity, l.price_excl
     from made d, jsonb_to_recordset(:lines::jsonb)
       as l(line int, article_number text, description text, quantity numeric, price_excl numeric)
   ), charged as (
     insert into document_tyre (site_id, document_id, tyre_id, customer_id, since, until)
     select d.site_id, d.id, t.id, d.customer_id, t.since, d.document_date
     from made d, unnest(:tyres::int[], :since::date[]) as t(id, since)
   ), sent as (
     insert into outbox (site_id, document_id, customer_id, due_at) select site_id, id, customer_id, :now from made
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, 'invoicing.inject', 'document ' || id, :facts::jsonb from made
   )
   select (select to_json(wire) from (select ${documentColumns('d')}) wire)::text as json from made d`,
})

/**
 * Sets the last invoice date of tyres, which the caller has locked, or clears it with null. A tyre that has this date already is
 * left alone. The history has the date, or '-' where it was cleared. Once cleared, the days that documents charge for these tyres
 * may be charged again. One audit row for each customer, with the dates before.
 */
export const setInvoiced = statement({
  name: 'invoicing.mark',
  parameters: { site: int, tyres: z.array(int), date: date.nullable(), actor: int, now: instant, action: text },
  sql: `with changed as (
     update tyre t set invoiced_on = :date::date
     from tyre was
     where was.site_id = t.site_id and was.id = t.id and t.site_id = :site and t.id = any (:tyres::int[])
       and t.invoiced_on is distinct from :date::date
     returning t.site_id, t.id, t.customer_id, t.vehicle_id, was.invoiced_on as before
   ), released as (
     update document_tyre set released_at = :now
     where :date::date is null and site_id = :site and tyre_id = any (:tyres::int[]) and released_at is null
     returning site_id, customer_id, tyre_id, document_id
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
     select site_id, id, customer_id, vehicle_id, 'invoiced', :now, :actor, coalesce(:date::date::text, '-') from changed
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, :action, 'customer ' || customer_id, jsonb_build_object('date', :date::date,
     'tyres', coalesce((select jsonb_object_agg(c.id, c.before) from changed c where c.customer_id = touched.customer_id), '{}'),
     'released', coalesce((
       select jsonb_agg(distinct r.document_id) from released r where r.customer_id = touched.customer_id), '[]'))
   from (select customer_id from changed union select customer_id from released) touched`,
})

/** How many documents a page has. */
export const documentsPerPage = 50

/** A page of the documents of a site, or of one customer: those after document `last`. In wire form. */
export const documents = statement({
  name: 'invoicing.documents',
  parameters: { site: int, customer: int.nullable(), last: int.nullable() },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select ${documentColumns('d')}, array[d.customer_id] as seq_id,
       array[coalesce(nullif(c.company, ''), c.name)] as companyname, array[v.license_plate] as license_plate,
       array[d.reason] as reason
     from document d join customer c on c.site_id = d.site_id and c.id = d.customer_id
       left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
     where d.site_id = :site and (:customer::int is null or d.customer_id = :customer)
       and (:last::int is null or (d.document_date, d.id) < (
         select last.document_date, last.id from document last where last.site_id = :site and last.id = :last))
     order by d.document_date desc, d.id desc limit ${documentsPerPage}) wire`,
})

/** One row when the customer exists. */
export const customerExists = statement({
  name: 'invoicing.customer',
  parameters: { site: int, customer: int },
  row: { id: int },
  sql: `select id from customer where site_id = :site and id = :customer`,
})
