/** The statements of billing runs as people see and steer them. work.sql.ts has those of the background. */
import { z } from 'zod'
import { runCovers, runCustomerStates, runRemarks, runStates } from '#domain/money/billingRun.ts'
import { maxRunsListed } from '#contract/billing.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

/** Whether something is still to be done for customer row `c` of run `r`. */
const isWaiting = `case r.state when 'counting' then c.state = 'waiting' when 'making' then c.state = 'counted'
  when 'stopped' then c.state = 'counted' when 'undoing' then c.state = 'made' else false end`

const wireRun = `select r.id as _id, r.covers, r.until, r.days, r.marks, r.state, r.reason, r.at,
     coalesce(nullif(a.fullname, ''), a.username, '') as by, sum.customer_count, sum.waiting, sum.done, sum.changed, sum.failed, sum.mailed, sum.tyre_count, sum.amount_excl, sum.made_excl
   from billing_run r left join account a on a.id = r.account_id
   cross join lateral (
     select count(*)::int as customer_count, (count(*) filter (where ${isWaiting}))::int as waiting, (count(*) filter (where c.state = 'made'))::int as done,
       (count(*) filter (where c.state = 'changed'))::int as changed, (count(*) filter (where c.state = 'failed'))::int as failed,
       count(c.mailed_at)::int as mailed, coalesce(sum(c.tyres), 0)::int as tyre_count, coalesce(sum(c.amount), 0) as amount_excl,
       coalesce(sum(c.amount) filter (where c.state = 'made'), 0) as made_excl
     from billing_run_customer c where c.site_id = r.site_id and c.run_id = r.id) sum
   where r.site_id = :site`

/** The last runs of a site, newest first, in wire form. */
export const lastRuns = statement({
  name: 'billing.list',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (${wireRun} order by r.id desc limit ${maxRunsListed}) wire`,
})

const order = runRemarks.map((remark, nth) => `when '${remark}' = any (c.remarks) then ${nth}`).join(' ')

/** A run with its customers: those with remarks first, then by amount; in wire form. */
export const runById = statement({
  name: 'billing.read',
  parameters: { site: int, run: int },
  row: answer,
  sql: `select (select row_to_json(wire)::text from (select run.*, (select coalesce(json_agg(one), '[]') from (
       select c.customer_id as seq_id, coalesce(nullif(who.company, ''), who.name) as companyname, who.city, c.state, c.tyres as tyre_count, c.days, c.quantity, c.charges as charge_count, c.parts,
         c.amount as amount_excl, c.last_amount as last_excl, c.remarks,
         case when d.id is not null then json_build_object('db_id', d.id, 'number', ${documentNumberOf('d')}) end as document
       from billing_run_customer c join customer who on who.site_id = c.site_id and who.id = c.customer_id
         left join document d on d.site_id = c.site_id and d.id = c.document_id
       where c.site_id = :site and c.run_id = :run
       order by c.state = 'failed' desc, c.state = 'changed' desc, case ${order} else ${runRemarks.length} end, c.amount desc, c.customer_id) one) as rows
     from (${wireRun} and r.id = :run) run) wire) as json`,
})

/** The customers who may owe something until a day. */
const customersOwing = `select distinct t.customer_id from tyre t where :covers <> 'left' and t.site_id = :site and t.status = 'in_stock' and t.removed_at is null
       and t.billed_until <= :until::date - greatest(:days::int, 1)
     union
     select distinct s.customer_id from stay s where :covers <> 'stored' and s.site_id = :site and s.until is not null and not s.settled and s.since < :until::date
     union
     select c.customer_id from charge c where c.site_id = :site and c.happened_on <= :until
       and not exists (select from charge_ledger l where l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null)`

/** Those of a site of whom a run would count what they owe, with their names. */
export const mayOwe = statement({
  name: 'billing.mayOwe',
  parameters: { site: int, covers: z.enum(runCovers), until: date, days: int },
  row: { customer: int, companyname: text, city: text },
  sql: `with owing as (
     ${customersOwing}
   )
   select c.id as customer, coalesce(nullif(c.company, ''), c.name) as companyname, c.city
   from owing join customer c on c.site_id = :site and c.id = owing.customer_id order by c.id`,
})

/**
 * Begins a run with the customers who may owe something, and says its number and theirs. What each owes is counted next. Another run
 * of the site that is under way is the failure `billing.under_way`.
 */
export const beginRun = statement({
  name: 'billing.begin',
  parameters: { site: int, covers: z.enum(runCovers), until: date, days: int, marks: bool, actor: int, now: instant },
  row: { id: int, customers: int },
  sql: `with owing as (
     ${customersOwing}
   ), run as (
     insert into billing_run (site_id, covers, until, days, marks, state, at, account_id, turn_at)
     values (:site, :covers, :until, :days, :marks, 'counting', :now, :actor, :now) returning site_id, id
   ), listed as (
     insert into billing_run_customer (site_id, run_id, customer_id, state)
     select run.site_id, run.id, owing.customer_id, 'waiting' from run, owing returning customer_id
   )
   select id, (select count(*) from listed)::int as customers from run`,
})

/** A run, locked: nothing is done for it in the background until the transaction ends. */
export const lockRun = statement({
  name: 'billing.lock',
  parameters: { site: int, run: int },
  row: { state: z.enum(runStates) },
  sql: `select state from billing_run where site_id = :site and id = :run for update`,
})

/** One row when the run exists. */
export const runExists = statement({
  name: 'billing.exists',
  parameters: { site: int, run: int },
  row: { id: int },
  sql: `select id from billing_run where site_id = :site and id = :run`,
})

/** Brings a run, which the caller has locked, to a state. */
export const setRunState = statement({
  name: 'billing.state',
  parameters: { site: int, run: int, state: z.enum(runStates), reason: text.nullable() },
  sql: `update billing_run set state = :state, reason = :reason where site_id = :site and id = :run`,
})

/** Gives customers in these states all their turns again, and says of how many documents are to be made that failed. */
export const tryAgain = statement({
  name: 'billing.tryAgain',
  parameters: { site: int, run: int, states: z.array(z.enum(runCustomerStates)) },
  row: { failed: int },
  sql: `with again as (
     update billing_run_customer set failures = 0, state = case state when 'failed' then 'counted' else state end
     where site_id = :site and run_id = :run and state = any (:states) and failures > 0 returning state)
   select (count(*) filter (where state = 'counted'))::int as failed from again`,
})

/** Leaves customers out of a run whose preview is ready. */
export const leaveOut = statement({
  name: 'billing.leaveOut',
  parameters: { site: int, run: int, customers: z.array(int) },
  sql: `update billing_run_customer set state = 'left_out'
   where site_id = :site and run_id = :run and customer_id = any (:customers::int[]) and state = 'counted'`,
})

/** The documents of a run that stand, in the order of their numbers; one row with null when there is none, no row without the run. */
export const documentsOfRun = statement({
  name: 'billing.documents',
  parameters: { site: int, run: int },
  row: { id: int.nullable() },
  sql: `select d.id from billing_run r left join (billing_run_customer c
       join document d on d.site_id = c.site_id and d.id = c.document_id and d.withdrawn_at is null)
     on c.site_id = r.site_id and c.run_id = r.id
   where r.site_id = :site and r.id = :run order by d.type, d.year, d.number`,
})

/**
 * Writes a message with the document of each customer of a locked run that stands and was not sent, for each account of the customer
 * that has an address and is not disabled. Also says for how many customers there is no such account, and how many documents stand.
 */
export const mailDocuments = statement({
  name: 'billing.mail',
  parameters: { site: int, run: int, now: instant },
  row: { messages: int, unsent_count: int, documents: int },
  sql: `with standing as materialized (
     select c.customer_id, c.document_id, c.mailed_at from billing_run_customer c
       join document d on d.site_id = c.site_id and d.id = c.document_id and d.withdrawn_at is null
     where c.site_id = :site and c.run_id = :run
   ), reachable as materialized (
     select s.customer_id, s.document_id, a.id as account from standing s
       join account a on a.site_id = :site and a.customer_id = s.customer_id and a.email <> '' and a.disabled_at is null
     where s.mailed_at is null
   ), written as (
     insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
     select :site, customer_id, account, 'paper', jsonb_build_object('document', document_id), :now, :now from reachable order by document_id, account
     returning 1
   ), noted as (
     update billing_run_customer c set mailed_at = :now
     where c.site_id = :site and c.run_id = :run and c.customer_id in (select customer_id from reachable)
   )
   select (select count(*) from written)::int as messages, (select count(*) from standing)::int as documents,
     (select count(*) from standing where mailed_at is null and customer_id not in (select customer_id from reachable))::int as unsent_count`,
})
