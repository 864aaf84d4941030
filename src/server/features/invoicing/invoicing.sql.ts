/** The statements of overdue storage and of documents. */
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, int } from '../../db/types.ts'
import { documentColumns, documentNumberOf, invoiceOf } from './documentColumns.sql.ts'

/**
 * Whether tyre `t` is in stock and was not invoiced for at least `days` on `today`. A tyre that is paid up to today is never
 * overdue. Written so that the index `tyre_overdue` serves it.
 */
const overdue = (t: string, { today, days }: { today: string; days: string }): string =>
  `${t}.status = 'in_stock' and ${t}.removed_at is null and ${t}.billed_until <= ${today}::date - greatest(${days}::int, 1)`

/**
 * The charges of tyre `t` in the ledger: the last document that charges days after its last invoice date, its date, and the last day that
 * it charges. A document whose date is marked shows only while the tyre is overdue again.
 */
export const charging = (t: string, { today }: { today: string }): string => `
  left join lateral (
    select ${documentNumberOf('d')} as number, d.document_date as dated, charged.until
    from storage_ledger charged join document d on d.site_id = charged.site_id and d.id = charged.document_id
    where charged.site_id = ${t}.site_id and charged.tyre_id = ${t}.id and charged.released_at is null
      and charged.until > ${t}.billed_until
      and (d.document_date > ${t}.billed_until or ${t}.billed_until < ${today}::date and charged.until >= ${today}::date)
    order by charged.until desc limit 1) charged on true`

/** The days that tyre `t` owes of the stay that it is in, as `owed.days`. */
const owedInStore = (t: string, { today }: { today: string }): string => `
  left join lateral (
    select owed_days(s.site_id, s.tyre_id, s.since, ${today}::date) as days from stay s
    where s.site_id = ${t}.site_id and s.tyre_id = ${t}.id and s.until is null) owed on true`

/** The days of the stay that tyre `t` is in which were waived, and the last reason, as `waived.days` and `waived.reason`. */
const waivedInStore = (t: string): string => `
  left join lateral (
    select sum(l.until - l.since)::int as days, (array_agg(l.reason order by l.id desc))[1] as reason
    from stay s join lateral (
       select id, since, until, reason, state from storage_ledger
       where site_id = s.site_id and tyre_id = s.tyre_id and until > s.since and released_at is null offset 0) l on l.state = 'waived'
    where s.site_id = ${t}.site_id and s.tyre_id = ${t}.id and s.until is null) waived on true`

/** The customers with tyres that are overdue for this number of days, in wire form. */
export const overdueCustomers = statement({
  name: 'invoicing.customers',
  parameters: { site: int, today: date, days: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[owed.tyres] as tyre_count, array[yyyymmdd(owed.since)] as since,
       array[:today::date - owed.since] as overdue_days
     from (
       select t.customer_id, count(*)::int as tyres, min(t.billed_until) as since from tyre t
       where t.site_id = :site and ${overdue('t', { today: ':today', days: ':days' })}
       group by t.customer_id) owed
     join customer c on c.site_id = :site and c.id = owed.customer_id
     order by owed.tyres desc, ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id) wire`,
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
       array[charged.number] as document, array[yyyymmdd(charged.dated)] as document_date,
       array[yyyymmdd(charged.until)] as paid_until, array[coalesce(day_count(owed.days), 0)] as owed_days,
       array[coalesce(waived.days, 0)] as waived_days, array[waived.reason] as waived_reason
     from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       left join location l on l.site_id = t.site_id and l.id = t.location_id
       ${charging('t', { today: ':today' })} ${owedInStore('t', { today: ':today' })} ${waivedInStore('t')}
     where t.site_id = :site and t.customer_id = :customer
       and ((${overdue('t', { today: ':today', days: ':days' })}) or (:paid and t.status = 'in_stock' and t.removed_at is null))
     order by t.id) wire)::text as json
   from customer where site_id = :site and id = :customer`,
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
       array[d.reason] as reason,
       array[d.withdrawn_at is not null] as withdrawn, array[d.withdrawn_reason] as withdrawn_reason,
       array[${invoiceOf('d')}] as invoice
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
