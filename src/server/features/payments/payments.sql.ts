/** The statements of payments. Money is numeric in the database and in EUR on the way; the domain counts in cents. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { paymentKinds } from '#domain/money/payment.ts'
import { maxOpenListed } from '#contract/payments.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { isFollowed, stateOf } from '../invoices/balance.sql.ts'
import { numberOf } from '../invoices/invoices.sql.ts'

export const settingsOf = statement({
  name: 'payments.settings',
  parameters: { site: int },
  row: { followed_from: date.nullable() },
  sql: `select followed_from from payment_settings where site_id = :site`,
})

export const saveSettings = statement({
  name: 'payments.saveSettings',
  parameters: { site: int, followed_from: date.nullable(), actor: int, now: instant },
  sql: `with saved as (
     insert into payment_settings (site_id, followed_from) values (:site, :followed_from)
     on conflict (site_id) do update set followed_from = excluded.followed_from returning site_id)
   insert into audit (site_id, account_id, at, action, subject, facts)
   select site_id, :actor, :now, 'payment.setup', 'site ' || site_id, jsonb_build_object('followed_from', :followed_from::date) from saved`,
})

/** An invoice with what is left of it; null for a credit note, which has no balance. */
export const balanceOf = statement({
  name: 'payments.balance',
  parameters: { site: int, invoice: int },
  row: { customer: int, number: text, open: decimal.nullable() },
  sql: `select i.customer_id as customer, ${numberOf('i')} as number, b.open
   from invoice i left join invoice_balance b on b.site_id = i.site_id and b.invoice_id = i.id
   where i.site_id = :site and i.id = :invoice`,
})

/** Invoices with what is left of each, in any order. */
export const balancesOf = statement({
  name: 'payments.balances',
  parameters: { site: int, invoices: z.array(int) },
  row: { invoice: int, customer: int, number: text, open: decimal.nullable() },
  sql: `select i.id as invoice, i.customer_id as customer, ${numberOf('i')} as number, b.open
   from invoice i left join invoice_balance b on b.site_id = i.site_id and b.invoice_id = i.id
   where i.site_id = :site and i.id = any (:invoices::int[])`,
})

/** The rest of payment `p`: on no invoice, and not given back. */
export const restOf = (p: string): string =>
  `case when ${p}.kind = 'payment' and ${p}.undone_at is null then ${p}.amount
       - coalesce((select sum(amount) from payment_part where site_id = ${p}.site_id and payment_id = ${p}.id), 0)
       - coalesce((select sum(amount) from payment where site_id = ${p}.site_id and refunds = ${p}.id and undone_at is null), 0) else 0 end`

/** A payment, with what is left of it. */
export const paymentById = statement({
  name: 'payments.one',
  parameters: { site: int, payment: int },
  row: { customer: int, kind: z.enum(paymentKinds), undone: bool, rest: decimal, line: int.nullable(), refunded: bool },
  sql: `select p.customer_id as customer, p.kind, p.undone_at is not null as undone, ${restOf('p')} as rest, p.line_id as line,
     exists (select from payment r where r.site_id = p.site_id and r.refunds = p.id and r.undone_at is null) as refunded
   from payment p where p.site_id = :site and p.id = :payment`,
})

/** Adds a payment with its parts: JSON, each the number of an invoice and an amount. */
export const addPayment = statement({
  name: 'payments.add',
  parameters: {
    site: int,
    customer: int,
    kind: z.enum(paymentKinds),
    paid_on: date,
    amount: decimal,
    line: int.nullable(),
    refunds: int.nullable(),
    reason: text,
    parts: json,
    subject: text,
    action: text,
    facts: json,
    actor: int,
    now: instant,
  },
  row: { id: int },
  sql: `with paid as (
     insert into payment (site_id, customer_id, kind, paid_on, amount, line_id, refunds, reason, at, account_id)
     values (:site, :customer, :kind, :paid_on, :amount, :line, :refunds, :reason, :now, :actor) returning id
   ), placed as (
     insert into payment_part (site_id, payment_id, invoice_id, customer_id, amount, at)
     select :site, paid.id, p.invoice, :customer, p.amount, :now from paid, jsonb_to_recordset(:parts::jsonb) as p (invoice int, amount numeric)
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, :customer, :actor, :now, :action, coalesce(nullif(:subject, ''), 'payment ' || paid.id), :facts::jsonb from paid
   )
   select id from paid`,
})

/** Puts a part of a payment on an invoice. */
export const addPart = statement({
  name: 'payments.addPart',
  parameters: {
    site: int,
    payment: int,
    invoice: int,
    customer: int,
    amount: decimal,
    actor: int,
    now: instant,
    number: text,
  },
  sql: `with placed as (
     insert into payment_part (site_id, payment_id, invoice_id, customer_id, amount, at)
     values (:site, :payment, :invoice, :customer, :amount, :now) returning payment_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, :customer, :actor, :now, 'payment.allocate', 'payment ' || payment_id, jsonb_build_object('number', :number::text, 'amount', :amount::numeric)
   from placed`,
})

/** Undoes payments that stand: takes their parts back, and lets the lines of the bank that they came from ask again. */
export const undoPayments = statement({
  name: 'payments.undo',
  parameters: { site: int, payments: z.array(int), reason: text, actor: int, now: instant },
  sql: `with undone as (
     update payment set undone_at = :now, undone_by = :actor, undone_reason = :reason
     where site_id = :site and id = any (:payments::int[]) and undone_at is null returning id, customer_id, line_id, amount
   ), taken as (
     insert into payment_part (site_id, payment_id, invoice_id, customer_id, amount, at)
     select :site, p.payment_id, p.invoice_id, p.customer_id, -sum(p.amount), :now
     from undone u join payment_part p on p.site_id = :site and p.payment_id = u.id
     group by p.payment_id, p.invoice_id, p.customer_id having sum(p.amount) <> 0
   ), asking as (
     update bank_line l set question = coalesce(l.question, 'undone') from undone u where l.site_id = :site and l.id = u.line_id
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'payment.undo', 'payment ' || id, jsonb_build_object('amount', amount, 'reason', :reason::text) from undone`,
})

const wireParts = (p: string): string =>
  `(select coalesce(json_agg(json_build_object('invoice', q.invoice_id, 'number', q.number, 'amount', q.amount) order by q.invoice_id), '[]') from (
       select part.invoice_id, ${numberOf('i')} as number, sum(part.amount) as amount
       from payment_part part join invoice i on i.site_id = part.site_id and i.id = part.invoice_id
       where part.site_id = ${p}.site_id and part.payment_id = ${p}.id group by part.invoice_id, i.series, i.year, i.number
       having sum(part.amount) <> 0) q)`

/** The payments that an invoice has or had, refunds of these, and payments of which its customer has something in hand; the last ones first. */
export const paymentsOf = statement({
  name: 'payments.list',
  parameters: { site: int, invoice: int },
  row: answer,
  sql: `with its as (
     select payment_id as id from payment_part where site_id = :site and invoice_id = :invoice
     union
     select p.id from invoice i join payment p on p.site_id = i.site_id and p.customer_id = i.customer_id and p.kind = 'payment'
     where i.site_id = :site and i.id = :invoice and ${restOf('p')} > 0
   )
   select coalesce(json_agg(wire order by wire._id desc), '[]')::text as json from (
     select p.id as _id, p.customer_id as seq_id, p.kind, p.paid_on, p.amount, ${restOf('p')} as rest, p.reason, p.line_id as bank_line, p.refunds, p.at,
       coalesce(nullif(a.fullname, ''), a.username, '') as by,
       case when p.undone_at is not null then json_build_object('at', p.undone_at, 'by', coalesce(nullif(u.fullname, ''), u.username, ''),
         'reason', p.undone_reason) end as undone,
       ${wireParts('p')} as parts
     from payment p left join account a on a.id = p.account_id left join account u on u.id = p.undone_by
     where p.site_id = :site and (p.id in (select id from its) or p.refunds in (select id from its))) wire`,
})

/** The debts of a customer, of the invoices that the site follows, and has in hand. */
export const accountOf = statement({
  name: 'payments.account',
  parameters: { site: int, customer: int, today: date },
  row: answer,
  sql: `with open as materialized (
     select b.*, ${numberOf('i')} as number from invoice_balance b join invoice i on i.site_id = b.site_id and i.id = b.invoice_id
     where b.site_id = :site and b.customer_id = :customer and b.open > 0 and ${isFollowed('b')}
   )
   select json_build_object('today', :today::date,
     'open', (select coalesce(sum(open), 0) from open),
     'overdue', (select coalesce(sum(open), 0) from open where due_on < :today::date),
     'in_hand', (select coalesce(sum(${restOf('p')}), 0) from payment p
       where p.site_id = :site and p.customer_id = :customer and p.kind = 'payment' and p.undone_at is null),
     'open_invoices', (select coalesce(json_agg(json_build_object('_id', o.invoice_id, 'number', o.number, 'issued_on', o.issued_on, 'due_on', o.due_on,
         'gross', o.gross, 'open', o.open, 'state', ${stateOf('o')}) order by o.due_on, o.invoice_id), '[]')
       from (select * from open order by due_on, invoice_id limit ${maxOpenListed}) o))::text as json`,
})

/** The language of a customer: that of the first account that has one, else of the site. */
export const languageOf = statement({
  name: 'payments.language',
  parameters: { site: int, customer: int },
  row: { language: z.enum(languageCodes) },
  sql: `select coalesce((select a.language from account a where a.site_id = c.site_id and a.customer_id = c.id and a.disabled_at is null
       and a.language is not null order by a.id limit 1), s.language) as language
   from customer c join site s on s.id = c.site_id where c.site_id = :site and c.id = :customer`,
})

/** The invoices of a customer that are open, of those that the site follows, the oldest first. */
export const openInvoices = statement({
  name: 'payments.openInvoices',
  parameters: { site: int, customer: int },
  row: { number: text, issued: date, due: date, gross: decimal, open: decimal },
  sql: `select ${numberOf('i')} as number, b.issued_on as issued, b.due_on as due, b.gross, b.open
   from invoice_balance b join invoice i on i.site_id = b.site_id and i.id = b.invoice_id
   where b.site_id = :site and b.customer_id = :customer and b.open > 0 and ${isFollowed('b')} order by b.due_on, b.invoice_id limit ${maxOpenListed}`,
})

/** The sum that a customer has in hand. */
export const inHand = statement({
  name: 'payments.inHand',
  parameters: { site: int, customer: int },
  row: { rest: decimal },
  sql: `select coalesce(sum(${restOf('p')}), 0) as rest from payment p
   where p.site_id = :site and p.customer_id = :customer and p.kind = 'payment' and p.undone_at is null`,
})
