/** The statements of billing runs in the background: whose turn it is, what customers owe, and what became of each. */
import { z } from 'zod'
import { maxFailedTurns, runCovers } from '#domain/money/billingRun.ts'
import { statement } from '../../db/statement.ts'
import { bool, date, decimal, instant, int, json, moment, text } from '../../db/types.ts'
import { owingTyre, seasonColumns, setColumns, setJoins, setsOfOwing, spansOf } from '../invoicing/charging.sql.ts'

/** Takes the run that has waited longest for its turn, of any site, and ends its turn; with what the work needs to know. */
export const takeTurn = statement({
  name: 'billing.turn',
  parameters: { now: instant },
  row: { site: int, run: int, state: z.enum(['counting', 'making', 'undoing']) },
  sql: `update billing_run set turn_at = :now
   where (site_id, id) = (
     select site_id, id from billing_run where state in ('counting', 'making', 'undoing')
     order by turn_at, site_id limit 1 for update skip locked)
   returning site_id as site, id as run, state`,
})

/** The facts of its run that a turn needs. Locks the state of the run until the transaction ends. No row: the run was stopped. */
export const holdRun = statement({
  name: 'billing.hold',
  parameters: { site: int, run: int, state: text },
  row: {
    covers: z.enum(runCovers),
    until: date,
    days: int,
    marks: bool,
    account: int,
    reason: text.nullable(),
    language: z.enum(['dut', 'fre', 'eng', 'ger']),
    timeZone: text,
  },
  sql: `select r.covers, r.until, r.days, r.marks, coalesce(r.account_id, 0) as account, r.reason, s.language, s.time_zone as "timeZone"
   from billing_run r join site s on s.id = r.site_id where r.site_id = :site and r.id = :run and r.state = :state for share of r`,
})

/**
 * Takes customers of a run in this state; another node takes others. Customers that failed come last, each alone, so that no other
 * customer fails with them.
 */
export const takeCustomers = statement({
  name: 'billing.takeCustomers',
  parameters: { site: int, run: int, state: text, most: int },
  row: {
    customer: int,
    tyres: int,
    quantity: int,
    charges: int,
    amount: decimal,
    document: int.nullable(),
    made: moment.nullable(),
  },
  sql: `select customer_id as customer, tyres, quantity, charges, amount, document_id as document, made_at as made
   from billing_run_customer where site_id = :site and run_id = :run and state = :state and failures < ${maxFailedTurns}
   order by failures, customer_id limit case when :most::int = 1 or exists (
       select from billing_run_customer where site_id = :site and run_id = :run and state = :state and failures = 0) then :most::int else 1 end
   for update skip locked`,
})

/** Locks a customer, and the tyres whose days a run may charge them, against concurrent charging, marking and moves. */
export const lockOwing = statement({
  name: 'billing.lockTyres',
  parameters: { site: int, customer: int },
  row: { id: int },
  sql: `with payer as materialized (select id from customer where site_id = :site and id = :customer for no key update)
   select t.id from payer cross join tyre t where t.site_id = :site and t.id in (
     select id from tyre where site_id = :site and customer_id = :customer and status = 'in_stock' and removed_at is null
     union select tyre_id from stay where site_id = :site and customer_id = :customer and until is not null and not settled)
   order by t.id for no key update of t`,
})

/**
 * The tyres of customers that owe days until a day, of stays that run (`left` false) and of those that ended, in a row for each of the
 * facts that these had. Those that the run covers are chosen.
 */
export const owingTyres = statement({
  name: 'billing.owing',
  parameters: { site: int, customers: z.array(int), covers: z.enum(runCovers), until: date, days: int },
  row: { ...owingTyre, customer: int, left: bool },
  sql: `with its as materialized (
     select customer_id, tyre_id, vehicle_id, tyre_set, size_class, with_rim, since, until, gone, settled
     from stay_part where site_id = :site and customer_id = any (:customers::int[])
   ), owing as materialized (
     select s.customer_id, s.tyre_id, s.vehicle_id, s.tyre_set, s.size_class, s.with_rim, s.gone,
       bool_or(case when s.gone then :covers <> 'stored'
         else :covers <> 'left' and t.billed_until <= :until::date - greatest(:days::int, 1) end) as chosen, range_agg(days) as days
     from its s join tyre t on t.site_id = :site and t.id = s.tyre_id
       cross join owed_days(:site, s.tyre_id, s.since, least(s.until, :until::date)) days
     where not s.settled and days <> '{}' and (s.gone or t.status = 'in_stock' and t.removed_at is null)
     group by 1, 2, 3, 4, 5, 6, 7
   ), ${setsOfOwing}
   select coalesce(o.customer_id, 0) as customer, coalesce(o.tyre_id, 0) as id, v.id as vehicle, o.tyre_set as set, v.license_plate as plate,
     coalesce(o.gone, false) as left, o.chosen,
     day_count(o.days) as owed, ${spansOf('o.days')} as spans,
     ${seasonColumns({ tyre: 'o.tyre_id', vehicle: 'o.vehicle_id', set: 'o.tyre_set' })}, ${setColumns},
     o.size_class as "sizeClass", coalesce(o.with_rim, false) as "withRim"
   from owing o join vehicle v on v.site_id = :site and v.id = o.vehicle_id
     ${setJoins}
   order by o.customer_id, o.gone, v.license_plate, o.vehicle_id, o.tyre_set, o.tyre_id`,
})

/** The facts behind the remarks about customers. */
export const factsOfCustomers = statement({
  name: 'billing.facts',
  parameters: { site: int, customers: z.array(int) },
  row: {
    customer: int,
    last: decimal.nullable(),
    retired: bool,
    addressed: bool,
    vat_number: text,
    country: text.nullable(),
  },
  sql: `select c.id as customer, last.amount_excl as last, c.street <> '' and c.city <> '' as addressed,
     coalesce(b.vat_number, '') as vat_number,
     coalesce(b.country, (select country from billing_details d where d.site_id = c.site_id)) as country,
     coalesce((select bool_and(a.disabled_at is not null) from account a where a.site_id = c.site_id and a.customer_id = c.id), false) as retired
   from customer c left join customer_billing b on b.site_id = c.site_id and b.customer_id = c.id
   left join lateral (
     select d.amount_excl from document d where d.site_id = c.site_id and d.customer_id = c.id and d.reason = 'storage' and d.withdrawn_at is null
     order by d.id desc limit 1) last on true
   where c.site_id = :site and c.id = any (:customers::int[])`,
})

/** Whether customer `c` gets a document. A customer who owes nothing, or is owed more than they owe, is no part of the run. */
const isBilled = '(c.tyres + c.charges > 0 and c.amount >= 0)'

/** Saves what customers owe, together and by kind. Rows are JSON. */
export const saveCounts = statement({
  name: 'billing.saveCounts',
  parameters: { site: int, run: int, rows: json },
  sql: `with counted as (
     select * from json_to_recordset(:rows::json) as c (customer int, tyres int, days int, quantity int, charges int, parts jsonb, amount numeric, last numeric, remarks text[])
   ), none as (
     delete from billing_run_customer r using counted c where r.site_id = :site and r.run_id = :run and r.customer_id = c.customer and not ${isBilled}
   )
   update billing_run_customer r set state = 'counted', tyres = c.tyres, days = c.days, quantity = c.quantity, charges = c.charges, parts = c.parts, amount = c.amount,
     last_amount = c.last, remarks = c.remarks
   from counted c where r.site_id = :site and r.run_id = :run and r.customer_id = c.customer and ${isBilled}`,
})

/** Says which document charges a customer, or with none that something else is owed than the preview said. */
export const saveDocument = statement({
  name: 'billing.saveDocument',
  parameters: { site: int, run: int, customer: int, document: int.nullable(), now: instant },
  sql: `update billing_run_customer set state = case when :document::int is null then 'changed' else 'made' end, document_id = :document,
     made_at = case when :document::int is not null then :now::timestamptz end
   where site_id = :site and run_id = :run and customer_id = :customer`,
})

export const saveUndone = statement({
  name: 'billing.saveUndone',
  parameters: { site: int, run: int, customer: int },
  sql: `update billing_run_customer set state = 'undone' where site_id = :site and run_id = :run and customer_id = :customer`,
})

/** Counts a failed turn of customers. After the last one they get no document; one that can't be withdrawn stays as it is. */
export const noteFailure = statement({
  name: 'billing.noteFailure',
  parameters: { site: int, run: int, customers: z.array(int), state: text },
  sql: `update billing_run_customer set failures = failures + 1,
     state = case when failures + 1 >= ${maxFailedTurns} and state in ('waiting', 'counted') then 'failed' else state end
   where site_id = :site and run_id = :run and customer_id = any (:customers::int[]) and state = :state`,
})

/**
 * Ends a state of a run in which nothing is left to do for any customer, also by another node. With customers left whose turns all
 * failed it ends in another one, without its reason.
 */
export const endState = statement({
  name: 'billing.end',
  parameters: { site: int, run: int, from: text, to: text, otherwise: text, rows: text },
  sql: `with remaining as (
     select count(*) as customers, count(*) filter (where failures < ${maxFailedTurns}) as open
     from billing_run_customer where site_id = :site and run_id = :run and state = :rows)
   update billing_run r set state = case when remaining.customers = 0 then :to else :otherwise end,
     reason = case when remaining.customers = 0 then r.reason end
   from remaining where r.site_id = :site and r.id = :run and r.state = :from and remaining.open = 0`,
})

/** The tyres whose days a document charges, locked. */
export const lockCharged = statement({
  name: 'billing.lockCharged',
  parameters: { site: int, document: int },
  row: { id: int },
  sql: `select id from tyre where site_id = :site and id in (select tyre_id from storage_ledger where site_id = :site and document_id = :document)
   order by id for no key update`,
})

/** Of these tyres those whose last invoice date was last set with this document, and the date before. */
export const datesBeforeRun = statement({
  name: 'billing.datesBefore',
  parameters: { site: int, tyres: z.array(int), document: int },
  row: { id: int, before: date.nullable() },
  sql: `select last.tyre_id as id, last.before from (
     select distinct on (m.tyre_id) m.tyre_id, m.before, m.at from invoice_mark m
     where m.site_id = :site and m.tyre_id = any (:tyres::int[]) and m.undone_at is null order by m.tyre_id, m.id desc) last
   join tyre t on t.site_id = :site and t.id = last.tyre_id and t.removed_at is null
   where last.at = (select made_at from billing_run_customer where site_id = :site and document_id = :document)`,
})
