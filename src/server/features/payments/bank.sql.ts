/** The statements of bank files and their lines. */
import { z } from 'zod'
import { bankQuestions } from '#domain/money/bankMatch.ts'
import { bankLinesPerPage, lineStates, maxBankFilesListed } from '#contract/payments.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { isFollowed } from '../invoices/balance.sql.ts'
import { numberOf } from '../invoices/invoices.sql.ts'
import { restOf } from './payments.sql.ts'

/** The invoices that a line may pay: those of which something is left, and others that these lines name. */
export const payable = statement({
  name: 'payments.payable',
  parameters: { site: int, references: z.array(text), numbers: z.array(text) },
  row: {
    id: int,
    customer: int,
    number: text,
    reference: text.nullable(),
    issued: date,
    due: date,
    open: decimal,
  },
  sql: `select i.id, i.customer_id as customer, ${numberOf('i')} as number, i.payment_reference as reference, b.issued_on as issued, b.due_on as due,
     greatest(b.open, 0) as open
   from invoice_balance b join invoice i on i.site_id = b.site_id and i.id = b.invoice_id
   where b.site_id = :site and (b.open > 0 and ${isFollowed('b')}
     or i.payment_reference = any (:references::text[])
     or i.series || i.year || lpad(i.number::text, greatest(5, length(i.number::text)), '0') = any (:numbers::text[]))
   order by i.id`,
})

/** From which accounts customers have paid. */
export const payingAccounts = statement({
  name: 'payments.accounts',
  parameters: { site: int, accounts: z.array(text) },
  row: { account: text, customer: int },
  sql: `select distinct l.payer_account as account, p.customer_id as customer
   from bank_line l join payment p on p.site_id = l.site_id and p.line_id = l.id and p.undone_at is null
   where l.site_id = :site and l.payer_account = any (:accounts::text[]) and l.payer_account <> ''`,
})

/** By which names customers are known. */
export const payingNames = statement({
  name: 'payments.names',
  parameters: { site: int },
  row: { customer: int, names: z.array(text) },
  sql: `select c.id as customer, array[c.name, c.company, coalesce(b.legal_name, '')] as names
   from customer c left join customer_billing b on b.site_id = c.site_id and b.customer_id = c.id
   where c.site_id = :site and c.id in (select customer_id from invoice_balance where site_id = :site)`,
})

export const addFile = statement({
  name: 'payments.addFile',
  parameters: { site: int, name: text, actor: int, now: instant },
  row: { id: int },
  sql: `insert into bank_file (site_id, name, imported_at, imported_by) values (:site, :name, :now, :actor) returning id`,
})

/** Deletes a file of which every line had come before. */
export const deleteEmptyFile = statement({
  name: 'payments.deleteEmptyFile',
  parameters: { site: int, file: int },
  sql: `delete from bank_file where site_id = :site and id = :file`,
})

/** Adds the lines of a file that no other file had, and says which these are. */
export const addLines = statement({
  name: 'payments.addLines',
  parameters: { site: int, file: int, lines: json },
  row: { id: int, key: bytes },
  sql: `insert into bank_line (site_id, file_id, key, account, booked_on, amount, currency, reversal, reference, message, payer, payer_account)
   select :site, :file, decode(l.key, 'hex'), l.account, l.booked, l.amount, l.currency, l.reversal, l.reference, l.message, l.payer, l."payerAccount"
   from jsonb_to_recordset(:lines::jsonb) as l (nth int, key text, account text, booked date, amount numeric, currency text, reversal boolean,
     reference text, message text, payer text, "payerAccount" text)
   order by l.nth
   on conflict (site_id, key) do nothing returning id, key`,
})

/** Saves what became of the lines of a file: JSON, each with its question, or its customer and parts. */
export const saveOutcomes = statement({
  name: 'payments.saveOutcomes',
  parameters: { site: int, file: int, outcomes: json, name: text, actor: int, now: instant },
  sql: `with outcomes as materialized (
     select * from jsonb_to_recordset(:outcomes::jsonb) as o (line int, question text, customer int, parts jsonb)
   ), asking as (
     update bank_line l set question = o.question from outcomes o where l.site_id = :site and l.id = o.line and o.question is not null
   ), paid as (
     insert into payment (site_id, customer_id, kind, paid_on, amount, line_id, reason, at, account_id)
     select :site, o.customer, 'payment', l.booked_on, l.amount, l.id, '', :now, :actor
     from outcomes o join bank_line l on l.site_id = :site and l.id = o.line where o.customer is not null
     order by l.id returning id, customer_id, line_id
   ), placed as (
     insert into payment_part (site_id, payment_id, invoice_id, customer_id, amount, at)
     select :site, paid.id, p.invoice, paid.customer_id, p.amount, :now
     from paid join outcomes o on o.line = paid.line_id cross join lateral jsonb_to_recordset(o.parts) as p (invoice int, amount numeric)
   )
   insert into audit (site_id, account_id, at, action, subject, facts)
   values (:site, :actor, :now, 'payment.import', 'bank file ' || :file::int, jsonb_build_object('file', :name::text,
     'matched', (select count(*) from outcomes where customer is not null), 'unmatched', (select count(*) from outcomes where question is not null)))`,
})

/** The payment of a line that stands. */
const payment = 'left join payment p on p.site_id = l.site_id and p.line_id = l.id and p.undone_at is null'

export const files = statement({
  name: 'payments.files',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire order by wire._id desc), '[]')::text as json from (
     select f.id as _id, f.name, f.imported_at as at, coalesce(nullif(a.fullname, ''), a.username, '') as by, sum.*
     from (select * from bank_file where site_id = :site order by id desc limit ${maxBankFilesListed}) f left join account a on a.id = f.imported_by
     cross join lateral (
       select count(*)::int as line_count, count(p.id)::int as matched,
         (count(*) filter (where p.id is null and l.set_aside is null))::int as open,
         (count(*) filter (where p.id is null and l.set_aside is not null))::int as set_aside
       from bank_line l ${payment} where l.site_id = f.site_id and l.file_id = f.id) sum) wire`,
})

export const fileExists = statement({
  name: 'payments.file',
  parameters: { site: int, file: int },
  row: { name: text, refunded: bool },
  sql: `select f.name, exists (
       select from bank_line l ${payment} join payment r on r.site_id = p.site_id and r.refunds = p.id and r.undone_at is null
       where l.site_id = f.site_id and l.file_id = f.id) as refunded
   from bank_file f where f.site_id = :site and f.id = :file`,
})

export const paymentsOfFile = statement({
  name: 'payments.ofFile',
  parameters: { site: int, file: int },
  row: { payment: int },
  sql: `select p.id as payment from bank_line l join payment p on p.site_id = l.site_id and p.line_id = l.id and p.undone_at is null
   where l.site_id = :site and l.file_id = :file`,
})

/** Deletes a file with its lines: names and accounts of a file that somebody took back are nobody's business. */
export const deleteFile = statement({
  name: 'payments.deleteFile',
  parameters: { site: int, file: int, reason: text, actor: int, now: instant },
  sql: `with gone as (delete from bank_file where site_id = :site and id = :file returning id, name)
   insert into audit (site_id, account_id, at, action, subject, facts)
   select :site, :actor, :now, 'payment.undofile', 'bank file ' || id, jsonb_build_object('file', name, 'reason', :reason::text) from gone`,
})

const wireLine = `select l.id as _id, f.name as file, l.account, l.booked_on, l.amount, l.currency, l.reversal, l.reference, l.message, l.payer,
     l.payer_account, l.question, l.set_aside,
     case when p.id is not null then json_build_object('_id', p.id, 'seq_id', p.customer_id,
       'companyname', (select coalesce(nullif(c.company, ''), c.name) from customer c where c.site_id = p.site_id and c.id = p.customer_id),
       'rest', ${restOf('p')},
       'parts', (select coalesce(json_agg(json_build_object('invoice', i.id, 'number', ${numberOf('i')}, 'amount', part.amount) order by part.id), '[]')
         from payment_part part join invoice i on i.site_id = part.site_id and i.id = part.invoice_id
         where part.site_id = p.site_id and part.payment_id = p.id)) end as payment`

/** A page of lines, the last ones first. */
export const lines = statement({
  name: 'payments.lines',
  parameters: { site: int, state: z.enum(lineStates).nullable(), last: int.nullable() },
  row: {
    line: int,
    wire: json,
    reference: text,
    message: text,
    payer: text,
    account: text,
    amount: decimal,
    currency: text,
    reversal: bool,
    booked: date,
    open: bool,
  },
  sql: `select wire._id as line, row_to_json(wire)::text as wire, wire.reference, wire.message, wire.payer, wire.payer_account as account, wire.amount,
     wire.currency, wire.reversal, wire.booked_on as booked, wire.payment is null and wire.set_aside is null as open
   from (${wireLine}
     from bank_line l join bank_file f on f.site_id = l.site_id and f.id = l.file_id ${payment}
     where l.site_id = :site and (:last::int is null or l.id < :last)
       and case :state when 'open' then p.id is null and l.set_aside is null when 'matched' then p.id is not null
         when 'set_aside' then p.id is null and l.set_aside is not null else true end
     order by l.id desc limit ${bankLinesPerPage}) wire
   order by wire._id desc`,
})

/** Invoices as they are proposed for lines. */
export const proposed = statement({
  name: 'payments.proposed',
  parameters: { site: int, invoices: z.array(int) },
  row: { id: int, wire: json },
  sql: `select wire._id as id, row_to_json(wire)::text as wire from (
     select i.id as _id, ${numberOf('i')} as number, i.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, b.issued_on,
       b.due_on, b.open
     from invoice i join invoice_balance b on b.site_id = i.site_id and b.invoice_id = i.id
       join customer c on c.site_id = i.site_id and c.id = i.customer_id
     where i.site_id = :site and i.id = any (:invoices::int[])) wire`,
})

/** A line that somebody answers. */
export const lineById = statement({
  name: 'payments.line',
  parameters: { site: int, line: int },
  row: {
    booked: date,
    amount: decimal,
    currency: text,
    reversal: bool,
    paid: bool,
    question: z.enum(bankQuestions).nullable(),
  },
  sql: `select l.booked_on as booked, l.amount, l.currency, l.reversal, p.id is not null as paid, l.question
   from bank_line l ${payment} where l.site_id = :site and l.id = :line`,
})

/** Sets a line aside with a reason, or lets it ask again with an empty one. */
export const setAside = statement({
  name: 'payments.setAside',
  parameters: { site: int, line: int, reason: text, actor: int, now: instant },
  sql: `with aside as (
     update bank_line set set_aside = nullif(:reason, ''), set_aside_by = case when :reason <> '' then :actor::int end
     where site_id = :site and id = :line returning id)
   insert into audit (site_id, account_id, at, action, subject, facts)
   select :site, :actor, :now, 'payment.setaside', 'bank line ' || id, jsonb_build_object('reason', :reason::text) from aside`,
})
