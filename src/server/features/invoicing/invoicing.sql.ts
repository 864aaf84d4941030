/** The statements of invoicing storage. What is charged is a rule of domain/overdue.ts; here are who owes, and what is kept. */
import { statement } from '../../db/database.ts'
import { documentColumns, documentNumberOf } from './documentColumns.sql.ts'

/**
 * Whether tyre `t` is in stock and was not invoiced for at least `days` on `today`. A tyre that is paid up to today is not
 * overdue, however few days are asked for. Worded as the index `tyre_overdue` has it.
 */
const overdue = (t: string, { today, days }: { today: string; days: string }): string =>
  `${t}.status = 'in_stock' and ${t}.removed_at is null and ${t}.billed_until <= ${today}::date - greatest(${days}::int, 1)`

/** The document that charges days of tyre `t` that it was not marked as invoiced for: there is one at most. */
const charging = (t: string): string => `
  left join lateral (
    select ${documentNumberOf('d')} as number, charged.until
    from document_tyre charged join document d on d.site_id = charged.site_id and d.id = charged.document_id
    where charged.site_id = ${t}.site_id and charged.tyre_id = ${t}.id and charged.released_at is null
      and charged.until > ${t}.billed_until
    order by charged.until desc limit 1) charged on true`

/** The customers of site $1 with tyres that were overdue for $3 days on day $2. */
export const overdueCustomers = statement(
  'invoicing.customers',
  `select coalesce(json_agg(wire), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[owed.tyres] as tyres, array[yyyymmdd(owed.since)] as since,
       array[$2::date - owed.since] as overdue_days
     from (
       select t.customer_id, count(*)::int as tyres, min(t.billed_until) as since from tyre t
       where t.site_id = $1 and ${overdue('t', { today: '$2', days: '$3' })}
       group by t.customer_id) owed
     join customer c on c.site_id = $1 and c.id = owed.customer_id
     order by owed.tyres desc, lower(coalesce(nullif(c.company, ''), c.name)), c.id) wire`,
)

/** The tyres of customer $4 that were overdue for $3 days on day $2, and those that are paid when $5, by tyre ID. */
export const overdueTyres = statement(
  'invoicing.tyres',
  `select (select coalesce(json_agg(wire), '[]') from (
     select array[t.id] as db_id, array[t.vehicle_id] as flt_id, array[v.license_plate] as license_plate,
       array[t.position] as position, array[t.description] as description,
       array[coalesce(t.tyre_set, 'setless')] as tyre_set, array[t.status_day] as status_date,
       array[t.invoiced_day] as "invoicedAt", array[greatest(0, $2::date - t.billed_until)] as overdue_days,
       array[l.path] as stock_rack, array[l.site_name] as stock_site_name,
       array[charged.number] as document, array[yyyymmdd(charged.until)] as document_date
     from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       left join location l on l.site_id = t.site_id and l.id = t.location_id ${charging('t')}
     where t.site_id = $1 and t.customer_id = $4
       and ((${overdue('t', { today: '$2', days: '$3' })}) or ($5 and t.status = 'in_stock' and t.removed_at is null))
     order by t.id) wire)::text as json
   from customer where site_id = $1 and id = $4`,
)

/** What a site charges for storage; without the article that it is charged under there is no `article`. */
export const storageRules = statement(
  'invoicing.rules',
  `select s.invoicing_quantity as quantity, s.invoicing_mode as mode, s.invoicing_period as period,
     s.invoicing_document_type as type, s.invoicing_price_excl as price, a.id as article, a.description
   from site s left join article a on a.site_id = s.id and a.id = s.invoicing_article where s.id = $1`,
)

/** Locks the tyres $2 that there are, of customer $3 when one is named: nobody else charges, marks or moves them. */
export const lockTyres = statement(
  'invoicing.lock',
  `select id from tyre
   where site_id = $1 and id = any ($2::int[]) and removed_at is null and ($3::int is null or customer_id = $3)
   order by id for no key update`,
)

/** What charging asks of tyres $2 of customer $3. The caller has locked them, or only looks. */
export const tyresToCharge = statement(
  'invoicing.toCharge',
  `select t.id, t.vehicle_id as vehicle, t.tyre_set as set, t.status_date as "stockDate", t.invoiced_on as "invoicedOn",
     t.status = 'in_stock' as stored, v.license_plate as plate, charged.number as document
   from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id ${charging('t')}
   where t.site_id = $1 and t.id = any ($2::int[]) and t.removed_at is null and t.customer_id = $3
   order by v.license_plate, t.vehicle_id, t.tyre_set, t.id`,
)

/**
 * Makes the document of kind $6 that charges storage of customer $2 up to day $5, by account $3 at $4: $7 EUR, the lines $8,
 * for the tyres $9 the days since $10. Its number is the next of its kind and year; the counter's row stays locked until the
 * end, so that a number is never lost with a transaction that fails. It goes into the outbox, and into the audit with $11.
 */
export const makeStorageDocument = statement(
  'invoicing.inject',
  `with counted as (
     insert into document_counter as counter (site_id, type, year, last)
     values ($1, $6, extract(year from $5::date)::int, 1)
     on conflict (site_id, type, year) do update set last = counter.last + 1
     returning year, last
   ), made as (
     insert into document (site_id, customer_id, type, reason, year, number, document_date, created_at, created_by, amount_excl)
     select $1, $2, $6, 'storage', year, last, $5, $4, $3, $7 from counted
     returning *
   ), lined as (
     insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
     select d.site_id, d.id, l.line, d.customer_id, l.article_number, l.description, l.quantity, l.price_excl
     from made d, jsonb_to_recordset($8::jsonb)
       as l(line int, article_number text, description text, quantity numeric, price_excl numeric)
   ), charged as (
     insert into document_tyre (site_id, document_id, tyre_id, customer_id, since, until)
     select d.site_id, d.id, t.id, d.customer_id, t.since, d.document_date
     from made d, unnest($9::int[], $10::date[]) as t(id, since)
   ), sent as (
     insert into outbox (site_id, document_id, customer_id, due_at) select site_id, id, customer_id, $4 from made
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, $3, $4, 'invoicing.inject', 'document ' || id, $11::jsonb from made
   )
   select (select to_json(wire) from (select ${documentColumns('d')}) wire)::text as json from made d`,
)

/**
 * Gives tyres $2, which the caller has locked, the last invoice date $3, or none, by account $4 at $5. A tyre that has it
 * already is left alone. The history says the date, or '-' where it was removed. With none, the days that documents charge
 * for these tyres may be charged again. Audited for each customer as $6, with the dates before.
 */
export const setInvoiced = statement(
  'invoicing.mark',
  `with changed as (
     update tyre t set invoiced_on = $3::date
     from tyre was
     where was.site_id = t.site_id and was.id = t.id and t.site_id = $1 and t.id = any ($2::int[])
       and t.invoiced_on is distinct from $3::date
     returning t.site_id, t.id, t.customer_id, t.vehicle_id, was.invoiced_on as before
   ), released as (
     update document_tyre set released_at = $5
     where $3::date is null and site_id = $1 and tyre_id = any ($2::int[]) and released_at is null
     returning site_id, customer_id, tyre_id, document_id
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
     select site_id, id, customer_id, vehicle_id, 'invoiced', $5, $4, coalesce($3::date::text, '-') from changed
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select $1, customer_id, $4, $5, $6, 'customer ' || customer_id, jsonb_build_object('date', $3::date,
     'tyres', coalesce((select jsonb_object_agg(c.id, c.before) from changed c where c.customer_id = touched.customer_id), '{}'),
     'released', coalesce((
       select jsonb_agg(distinct r.document_id) from released r where r.customer_id = touched.customer_id), '[]'))
   from (select customer_id from changed union select customer_id from released) touched`,
)

/** How many documents a page has. */
export const documentsPerPage = 50

/** The documents of site $1, or of its customer $2, from the one after document $3 on. */
export const documents = statement(
  'invoicing.documents',
  `select coalesce(json_agg(wire), '[]')::text as json from (
     select ${documentColumns('d')}, array[d.customer_id] as seq_id,
       array[coalesce(nullif(c.company, ''), c.name)] as companyname, array[v.license_plate] as license_plate,
       array[d.reason] as reason
     from document d join customer c on c.site_id = d.site_id and c.id = d.customer_id
       left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
     where d.site_id = $1 and ($2::int is null or d.customer_id = $2)
       and ($3::int is null or (d.document_date, d.id) < (
         select last.document_date, last.id from document last where last.site_id = $1 and last.id = $3))
     order by d.document_date desc, d.id desc limit ${documentsPerPage}) wire`,
)

export const customerExists = statement('invoicing.customer', `select id from customer where site_id = $1 and id = $2`)
