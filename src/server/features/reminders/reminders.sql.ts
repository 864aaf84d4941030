/** The statements of reminders. Money is numeric in the database and in EUR on the way; the domain counts in cents. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { maxFailedLetters } from '#domain/money/reminder.ts'
import { maxReminderRunsListed, type ReminderSettings } from '#contract/reminders.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { isFollowed } from '../invoices/balance.sql.ts'
import { numberOf } from '../invoices/invoices.sql.ts'

const settings = {
  levels: parsedJson<ReminderSettings['levels']>(),
  interest_rate: decimal.nullable(),
  compensation: bool,
}

export const settingsOf = statement({
  name: 'reminders.settings',
  parameters: { site: int },
  row: settings,
  sql: `select levels, interest_rate, compensation from reminder_settings where site_id = :site`,
})

export const saveSettings = statement({
  name: 'reminders.saveSettings',
  parameters: {
    site: int,
    levels: json,
    interest_rate: decimal.nullable(),
    compensation: bool,
    actor: int,
    now: instant,
  },
  sql: `with saved as (
     insert into reminder_settings (site_id, levels, interest_rate, compensation) values (:site, :levels::jsonb, :interest_rate, :compensation)
     on conflict (site_id) do update set levels = excluded.levels, interest_rate = excluded.interest_rate, compensation = excluded.compensation
     returning site_id)
   insert into audit (site_id, account_id, at, action, subject)
   select site_id, :actor, :now, 'reminder.setup', 'site ' || site_id from saved`,
})

/** Overdue invoices of customers, or of all with null, with their last reminder; none that somebody has stopped. */
export const overdue = statement({
  name: 'reminders.overdue',
  parameters: { site: int, customers: z.array(int).nullable(), today: date },
  row: {
    customer: int,
    invoice: int,
    number: text,
    issued: date,
    due: date,
    gross: decimal,
    open: decimal,
    level: int,
    reminded: date.nullable(),
  },
  sql: `select b.customer_id as customer, b.invoice_id as invoice, ${numberOf('i')} as number, b.issued_on as issued, b.due_on as due, b.gross, b.open,
     coalesce(last.level, 0) as level, last.day as reminded
   from invoice_balance b join invoice i on i.site_id = b.site_id and i.id = b.invoice_id
     left join lateral (
       select max(r.level) as level, max(l.day) as day from reminder_invoice r join reminder l on l.site_id = r.site_id and l.id = r.reminder_id
       where r.site_id = b.site_id and r.invoice_id = b.invoice_id) last on true
   where b.site_id = :site and b.open > 0 and b.due_on < :today::date and (:customers::int[] is null or b.customer_id = any (:customers::int[]))
     and ${isFollowed('b')}
     and not exists (select from reminder_stop s where s.site_id = b.site_id and s.customer_id = b.customer_id and s.ended_at is null
       and (s.invoice_id is null or s.invoice_id = b.invoice_id))
   order by b.customer_id, b.due_on, b.invoice_id`,
})

const reachable = `exists (select from account a where a.site_id = c.site_id and a.customer_id = c.id and a.email <> '' and a.disabled_at is null)`

/** Customers as a letter names them. */
export const customersToRemind = statement({
  name: 'reminders.customers',
  parameters: { site: int, customers: z.array(int) },
  row: { customer: int, companyname: text, by_mail: bool, language: z.enum(languageCodes) },
  sql: `select c.id as customer, coalesce(nullif(c.company, ''), c.name) as companyname, ${reachable} as by_mail,
     coalesce((select a.language from account a where a.site_id = c.site_id and a.customer_id = c.id and a.disabled_at is null
       and a.language is not null order by a.id limit 1), s.language) as language
   from customer c join site s on s.id = c.site_id where c.site_id = :site and c.id = any (:customers::int[])`,
})

/** Begins a run for these customers. Another one of the site that is under way is the failure `reminders.under_way`. */
export const beginRun = statement({
  name: 'reminders.begin',
  parameters: { site: int, customers: z.array(int), actor: int, now: instant },
  row: { id: int },
  sql: `with run as (
     insert into reminder_run (site_id, state, at, account_id, turn_at) values (:site, 'sending', :now, :actor, :now) returning site_id, id
   ), listed as (
     insert into reminder_run_customer (site_id, run_id, customer_id, state)
     select run.site_id, run.id, customer, 'waiting' from run cross join unnest(:customers::int[]) customer
   ), audited as (
     insert into audit (site_id, account_id, at, action, subject, facts)
     select site_id, :actor, :now, 'reminder.send', 'reminders ' || id, jsonb_build_object('customers', cardinality(:customers::int[])) from run
   )
   select id from run`,
})

/** Takes the run that has waited longest for its turn, of any site, and ends its turn. */
export const takeTurn = statement({
  name: 'reminders.turn',
  parameters: { now: instant },
  row: { site: int, run: int },
  sql: `update reminder_run set turn_at = :now
   where (site_id, id) = (select site_id, id from reminder_run where state = 'sending' order by turn_at, site_id limit 1 for update skip locked)
   returning site_id as site, id as run`,
})

/** Takes the next customer of a run; another node takes others. One whose letter failed comes last. */
export const takeCustomer = statement({
  name: 'reminders.takeCustomer',
  parameters: { site: int, run: int },
  row: { customer: int, timeZone: text },
  sql: `select c.customer_id as customer, s.time_zone as "timeZone" from reminder_run_customer c join site s on s.id = c.site_id
   where c.site_id = :site and c.run_id = :run and c.state = 'waiting' and c.failures < ${maxFailedLetters}
   order by c.failures, c.customer_id limit 1 for update of c skip locked`,
})

/** Writes a letter, its messages, and that the customer has had its turn. Invoices are JSON. */
export const remind = statement({
  name: 'reminders.remind',
  parameters: {
    site: int,
    run: int,
    customer: int,
    level: int,
    today: date,
    text,
    open: decimal,
    fee: decimal,
    interest: decimal,
    compensation: decimal,
    invoices: json,
    mails: bool,
    now: instant,
  },
  sql: `with reached as materialized (
     select a.id from account a where :mails and a.site_id = :site and a.customer_id = :customer and a.email <> '' and a.disabled_at is null
   ), letter as (
     insert into reminder (site_id, run_id, customer_id, level, day, text, open, fee, interest, compensation, messages)
     values (:site, :run, :customer, :level, :today, :text, :open, :fee, :interest, :compensation, (select count(*) from reached)) returning id
   ), listed as (
     insert into reminder_invoice (site_id, reminder_id, invoice_id, customer_id, level, open)
     select :site, letter.id, i.invoice, :customer, i.level, i.open
     from letter cross join jsonb_to_recordset(:invoices::jsonb) as i (invoice int, level int, open numeric)
   ), written as (
     insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
     select :site, :customer, reached.id, 'paper', jsonb_build_object('reminder', letter.id), :now, :now from reached, letter order by reached.id
   )
   update reminder_run_customer set state = 'reminded' where site_id = :site and run_id = :run and customer_id = :customer`,
})

/** Says that a customer has nothing to be reminded of any more. */
export const leaveOut = statement({
  name: 'reminders.leaveOut',
  parameters: { site: int, run: int, customer: int },
  sql: `update reminder_run_customer set state = 'nothing' where site_id = :site and run_id = :run and customer_id = :customer`,
})

export const noteFailure = statement({
  name: 'reminders.noteFailure',
  parameters: { site: int, run: int, customer: int },
  sql: `update reminder_run_customer set failures = failures + 1, state = case when failures + 1 >= ${maxFailedLetters} then 'failed' else state end
   where site_id = :site and run_id = :run and customer_id = :customer and state = 'waiting'`,
})

/** Ends a run of which no customer waits, also by another node. */
export const endRun = statement({
  name: 'reminders.end',
  parameters: { site: int, run: int },
  sql: `update reminder_run set state = 'sent' where site_id = :site and id = :run and state = 'sending'
     and not exists (select from reminder_run_customer where site_id = :site and run_id = :run and state = 'waiting')`,
})

export const runs = statement({
  name: 'reminders.runs',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire order by wire._id desc), '[]')::text as json from (
     select r.id as _id, r.state, r.at, coalesce(nullif(a.fullname, ''), a.username, '') as by, sum.*,
       (select coalesce(json_agg(json_build_object('_id', l.id, 'seq_id', l.customer_id, 'companyname', coalesce(nullif(c.company, ''), c.name),
           'level', l.level, 'day', l.day, 'total', l.open + l.fee + l.interest + l.compensation, 'message_count', l.messages)
           order by l.messages, l.level desc, l.id), '[]')
         from reminder l join customer c on c.site_id = l.site_id and c.id = l.customer_id where l.site_id = r.site_id and l.run_id = r.id) as letters
     from (select * from reminder_run where site_id = :site order by id desc limit ${maxReminderRunsListed}) r left join account a on a.id = r.account_id
     cross join lateral (
       select (count(*) filter (where state = 'waiting'))::int as waiting, (count(*) filter (where state = 'reminded'))::int as reminded,
         (count(*) filter (where state = 'failed'))::int as failed
       from reminder_run_customer c where c.site_id = r.site_id and c.run_id = r.id) sum) wire`,
})

/** A letter as it was sent. */
export const letterById = statement({
  name: 'reminders.letter',
  parameters: { site: int, reminder: int, customer: int.nullable() },
  row: {
    id: int,
    customer: int,
    level: int,
    day: date,
    text,
    open: decimal,
    fee: decimal,
    interest: decimal,
    compensation: decimal,
    language: z.enum(languageCodes),
    invoices: parsedJson<{ number: string; issued: string; due: string; gross: number; open: number }[]>(),
  },
  sql: `select l.id, l.customer_id as customer, l.level, l.day, l.text, l.open, l.fee, l.interest, l.compensation,
     coalesce((select a.language from account a where a.site_id = l.site_id and a.customer_id = l.customer_id and a.disabled_at is null
       and a.language is not null order by a.id limit 1), s.language) as language,
     (select jsonb_agg(jsonb_build_object('number', ${numberOf('i')}, 'issued', i.issued_on, 'due', i.due_on, 'gross', i.gross, 'open', r.open)
         order by i.due_on, i.id)
       from reminder_invoice r join invoice i on i.site_id = r.site_id and i.id = r.invoice_id
       where r.site_id = l.site_id and r.reminder_id = l.id) as invoices
   from reminder l join site s on s.id = l.site_id
   where l.site_id = :site and l.id = :reminder and (:customer::int is null or l.customer_id = :customer)`,
})

export const stops = statement({
  name: 'reminders.stops',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire order by wire._id desc), '[]')::text as json from (
     select p.id as _id, p.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, ${numberOf('i')} as number, p.reason, p.at,
       coalesce(nullif(a.fullname, ''), a.username, '') as by
     from reminder_stop p join customer c on c.site_id = p.site_id and c.id = p.customer_id
       left join invoice i on i.site_id = p.site_id and i.id = p.invoice_id left join account a on a.id = p.account_id
     where p.site_id = :site and p.ended_at is null order by p.id desc limit 1000) wire`,
})

/** Stops reminders. No row: they are stopped already. */
export const addStop = statement({
  name: 'reminders.stop',
  parameters: { site: int, customer: int, invoice: int.nullable(), reason: text, actor: int, now: instant },
  row: { id: int },
  sql: `with stopped as (
     insert into reminder_stop (site_id, customer_id, invoice_id, reason, at, account_id) values (:site, :customer, :invoice, :reason, :now, :actor)
     on conflict do nothing returning id, customer_id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'reminder.stop', 'customer ' || customer_id, jsonb_build_object('reason', :reason::text) from stopped
   )
   select id from stopped`,
})

/** Ends a stop. No row: there is none. */
export const endStop = statement({
  name: 'reminders.unstop',
  parameters: { site: int, stop: int, actor: int, now: instant },
  row: { id: int },
  sql: `with ended as (
     update reminder_stop set ended_at = :now, ended_by = :actor where site_id = :site and id = :stop and ended_at is null returning id, customer_id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject)
     select :site, customer_id, :actor, :now, 'reminder.unstop', 'customer ' || customer_id from ended
   )
   select id from ended`,
})
