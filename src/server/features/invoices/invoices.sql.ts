/** The statements of invoices. Money is numeric in the database and in EUR on the way; the domain counts in cents. */
import { z } from 'zod'
import { invoiceFilters, invoicesPerPage } from '#contract/invoices.ts'
import { invoiceKinds, type VatCategory } from '#domain/money/invoice.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { isFollowed, stateOf } from './balance.sql.ts'
import { sendingOf } from './sending.sql.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

/** A party as an invoice keeps it. */
export type KeptParty = {
  readonly name: string
  readonly street: string
  readonly zipcode: string
  readonly city: string
  readonly country: string
  readonly email: string
  readonly vat_number: string
  readonly company_scheme: string | null
  readonly company_number: string
  readonly peppol_scheme: string | null
  readonly peppol_id: string
  readonly exemption: string
}
export type KeptSeller = KeptParty & { readonly iban: string; readonly bic: string; readonly note: string }
/** A customer also has its code in the books. */
export type KeptBuyer = KeptParty & { readonly code: string }
/** VAT by category and rate, in EUR. */
export type KeptVat = {
  readonly category: VatCategory
  readonly rate: number
  readonly taxable: number
  readonly vat: number
}

/** The printed number of an invoice: `F-2026-00012`. */
export const numberOf = (i: string): string =>
  `${i}.series || '-' || ${i}.year || '-' || lpad(${i}.number::text, greatest(5, length(${i}.number::text)), '0')`

/** Where a document is on an invoice that stands. */
const standing = (d: string): string =>
  `(select ${numberOf('i')} from invoice_document o join invoice i on i.site_id = o.site_id and i.id = o.invoice_id
     where o.site_id = ${d}.site_id and o.document_id = ${d}.id and not o.credited)`

/** The number of the credit note that takes a line back, if one does. */
const creditOf = (l: string): string =>
  `(select ${numberOf('n')} from invoice_line back join invoice n on n.site_id = back.site_id and n.id = back.invoice_id
     where back.site_id = ${l}.site_id and back.credits = ${l}.invoice_id and back.credits_line = ${l}.line)`

/** The structured communication of a number (`src/domain/money/paymentReference.ts`); null without one. */
const communicationOf = (base: string): string =>
  `lpad((${base})::text, 10, '0') || lpad(coalesce(nullif((${base}) % 97, 0), 97)::text, 2, '0')`

/** Locks documents of a customer against being withdrawn, or put on another invoice. */
export const lockDocuments = statement({
  name: 'invoices.lockDocuments',
  parameters: { site: int, documents: z.array(int) },
  row: { id: int },
  sql: `select id from document where site_id = :site and id = any (:documents::int[]) order by id for no key update`,
})

/** The documents, which the caller has locked, with whose they are and what stands against an invoice. */
export const documentsToInvoice = statement({
  name: 'invoices.documents',
  parameters: { site: int, documents: z.array(int) },
  row: { id: int, customer: int, number: text, withdrawn: bool, invoice: text.nullable() },
  sql: `select d.id, d.customer_id as customer, ${documentNumberOf('d')} as number, d.withdrawn_at is not null as withdrawn,
     ${standing('d')} as invoice
   from document d where d.site_id = :site and d.id = any (:documents::int[]) order by d.document_date, d.id`,
})

/** The lines of documents that cost something. */
export const linesToInvoice = statement({
  name: 'invoices.lines',
  parameters: { site: int, documents: z.array(int) },
  row: {
    document: int,
    article: text.nullable(),
    description: text,
    quantity: decimal,
    price: decimal,
    rate: decimal.nullable(),
  },
  sql: `select l.document_id as document, l.article_number as article, l.description, coalesce(l.quantity, 0) as quantity,
     coalesce(l.price_excl, 0) as price, l.vat_rate as rate
   from document_line l join document d on d.site_id = l.site_id and d.id = l.document_id
   where l.site_id = :site and l.document_id = any (:documents::int[]) and l.quantity <> 0 and l.price_excl <> 0
   order by d.document_date, d.id, l.line`,
})

/** Customers as their invoices say them. */
export const buyers = statement({
  name: 'invoices.buyers',
  parameters: { site: int, customers: z.array(int) },
  row: { customer: int, buyer: parsedJson<KeptBuyer & { country: string | null }>(), reference: text },
  sql: `select c.id as customer, jsonb_build_object(
     'name', coalesce(nullif(b.legal_name, ''), nullif(c.company, ''), c.name), 'code', c.code, 'street', c.street, 'zipcode', c.zipcode,
     'city', c.city, 'email', c.email, 'country', b.country, 'vat_number', coalesce(b.vat_number, ''),
     'company_scheme', b.company_scheme, 'company_number', coalesce(b.company_number, ''), 'peppol_scheme', b.peppol_scheme,
     'peppol_id', coalesce(b.peppol_id, ''), 'exemption', coalesce(b.exemption, '')) as buyer,
     coalesce(b.buyer_reference, '') as reference
   from customer c left join customer_billing b on b.site_id = c.site_id and b.customer_id = c.id
   where c.site_id = :site and c.id = any (:customers::int[])`,
})

/**
 * Creates invoices, or a credit note, with their lines and documents. Their numbers are the next of the series and year, in the order of
 * `invoices`: the counter's row stays locked until the end, so that a number is never lost with a transaction that fails.
 */
export const createInvoices = statement({
  name: 'invoices.create',
  parameters: {
    site: int,
    actor: int,
    now: instant,
    today: date,
    kind: z.enum(invoiceKinds),
    series: text,
    /** Whether each gets a structured communication. */
    structured: bool,
    invoices: json,
    action: text,
  },
  row: { id: int, number: text },
  sql: `with wanted as (
     select w.*, row_number() over (order by w.nth)::int as place
     from jsonb_to_recordset(:invoices::jsonb) as w (nth int, customer int, due date, seller jsonb, buyer jsonb, reference text, credits int,
       reason text, net numeric, vat numeric, gross numeric, breakdown jsonb, lines jsonb, documents int[], sends boolean)
   ), referenced as (
     -- structured communications count on their own: series change
     insert into invoice_counter as counter (site_id, series, year, last)
     select :site, 'OGM', 0, count(*)::int from wanted where :structured having count(*) > 0
     on conflict (site_id, series, year) do update set last = counter.last + excluded.last
     returning last - (select count(*) from wanted)::int as before
   ), counted as (
     insert into invoice_counter as counter (site_id, series, year, last)
     select :site, :series, extract(year from :today::date)::int, count(*)::int from wanted having count(*) > 0
     on conflict (site_id, series, year) do update set last = counter.last + excluded.last
     returning year, last
   ), made as (
     insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, buyer_reference, credits, reason,
       net, vat, gross, breakdown, created_at, created_by, payment_reference)
     select :site, w.customer, :kind, :series, c.year, c.last - (select count(*) from wanted)::int + w.place, :today, w.due, w.seller, w.buyer,
       w.reference, w.credits, w.reason, w.net, w.vat, w.gross, w.breakdown, :now, :actor, ${communicationOf('r.before + w.place')}
     from wanted w cross join counted c left join referenced r on true
     returning id, customer_id, series, year, number, gross
   ), placed as (
     select m.id, m.customer_id, w.lines, w.documents, w.credits, w.sends
     from made m, counted c, wanted w where m.number = c.last - (select count(*) from wanted)::int + w.place
   ), lined as (
     insert into invoice_line (site_id, invoice_id, line, customer_id, article_number, description, quantity, price_excl, net, category, vat_rate,
       credits, credits_line)
     select :site, p.id, l.line, p.customer_id, l.article, l.description, l.quantity, l.price, l.net, l.category, l.rate,
       case when l.credits is not null then p.credits end, l.credits
     from placed p cross join lateral jsonb_to_recordset(p.lines) as l (line int, article text, description text, quantity numeric,
       price numeric, net numeric, category text, rate numeric, credits int)
   ), named as (
     insert into invoice_document (site_id, invoice_id, document_id, customer_id)
     select :site, p.id, d, p.customer_id from placed p cross join lateral unnest(p.documents) d
   ), queued as (
     insert into invoice_sending (site_id, invoice_id, customer_id, after_invoice, due_at)
     select :site, p.id, p.customer_id, p.credits, :now from placed p where p.sends
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, :action, 'invoice ' || id, jsonb_build_object('number', ${numberOf('made')}, 'amount', gross)
     from made
   )
   select id, ${numberOf('made')} as number from made order by number`,
})

/** An invoice, locked against a second credit note. */
export const lockInvoice = statement({
  name: 'invoices.lock',
  parameters: { site: int, invoice: int },
  row: { id: int },
  sql: `select document_id as id from invoice_document where site_id = :site and invoice_id = :invoice order by document_id for no key update`,
})

/** An invoice as it is printed and sent. */
export const invoiceById = statement({
  name: 'invoices.one',
  parameters: { site: int, invoice: int },
  row: {
    id: int,
    customer: int,
    kind: z.enum(invoiceKinds),
    number: text,
    issued: date,
    due: date.nullable(),
    seller: parsedJson<KeptSeller>(),
    buyer: parsedJson<KeptBuyer>(),
    reference: text,
    /** The structured communication to pay it with. */
    communication: text.nullable(),
    reason: text,
    net: decimal,
    vat: decimal,
    gross: decimal,
    breakdown: parsedJson<KeptVat[]>(),
    credits: text.nullable(),
    creditsOf: date.nullable(),
    /** How far it is on its way to the access point. */
    sending: text.nullable(),
    language: z.enum(['dut', 'fre', 'eng', 'ger']),
    lines: parsedJson<
      {
        line: number
        article: string | null
        description: string
        quantity: number
        price: number
        net: number
        category: VatCategory
        rate: number
        /** The credit note that takes it back. */
        creditedBy: string | null
      }[]
    >(),
    documents: z.array(text),
  },
  sql: `select i.id, i.customer_id as customer, i.kind, ${numberOf('i')} as number, i.issued_on as issued, i.due_on as due, i.seller, i.buyer,
     i.buyer_reference as reference, i.payment_reference as communication, i.reason, i.net, i.vat, i.gross, i.breakdown,
     ${numberOf('credited')} as credits, credited.issued_on as "creditsOf",
     ${sendingOf('i')} ->> 'state' as sending,
     coalesce((select a.language from account a where a.site_id = i.site_id and a.customer_id = i.customer_id and a.disabled_at is null
       and a.language is not null order by a.id limit 1), s.language) as language,
     (select jsonb_agg(jsonb_build_object('line', l.line, 'article', l.article_number, 'description', l.description, 'quantity', l.quantity,
         'price', l.price_excl, 'net', l.net, 'category', l.category, 'rate', l.vat_rate, 'creditedBy', ${creditOf('l')}) order by l.line)
       from invoice_line l where l.site_id = i.site_id and l.invoice_id = i.id) as lines,
     array(select ${documentNumberOf('d')} from invoice_document o join document d on d.site_id = o.site_id and d.id = o.document_id
       where o.site_id = i.site_id and o.invoice_id = coalesce(i.credits, i.id) order by d.document_date, d.id) as documents
   from invoice i join site s on s.id = i.site_id
     left join invoice credited on credited.site_id = i.site_id and credited.id = i.credits
   where i.site_id = :site and i.id = :invoice`,
})

/** Says that the documents of an invoice are free again: a credit note credits it. */
export const freeDocuments = statement({
  name: 'invoices.free',
  parameters: { site: int, invoice: int },
  sql: `update invoice_document set credited = true where site_id = :site and invoice_id = :invoice`,
})

/** The lines of an invoice. */
export const linesOf = statement({
  name: 'invoices.linesOf',
  parameters: { site: int, invoice: int },
  row: answer,
  sql: `select (select json_agg(wire order by wire.line) from (
       select l.line, l.description, l.quantity, l.price_excl, l.net, l.category, l.vat_rate, ${creditOf('l')} as credited_by
       from invoice_line l where l.site_id = i.site_id and l.invoice_id = i.id) wire)::text as json
   from invoice i where i.site_id = :site and i.id = :invoice`,
})

/** A page of invoices, the last ones first. What credits them is looked up for the page, not for all of a site. */
export const listed = statement({
  name: 'invoices.list',
  parameters: {
    site: int,
    customer: int.nullable(),
    last: int.nullable(),
    state: z.enum(invoiceFilters).nullable(),
    today: date,
  },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select i.id as _id, ${numberOf('i')} as number, i.kind, i.issued_on, i.due_on, i.customer_id as seq_id,
       coalesce(nullif(c.company, ''), c.name) as companyname, i.net, i.vat, i.gross, i.reason,
       (select ${numberOf('credited')} from invoice credited where credited.site_id = i.site_id and credited.id = i.credits) as credits,
       case when not credit.open then array_to_string(credit.notes, ', ') end as credited_by,
       case when credit.open then credit.notes else '{}' end as credited_in_part,
       ${sendingOf('i')} as sending, i.state, i.open,
       (select coalesce(json_agg(${documentNumberOf('d')} order by d.document_date, d.id), '[]')
         from invoice_document o join document d on d.site_id = o.site_id and d.id = o.document_id
         where o.site_id = i.site_id and o.invoice_id = i.id) as documents
     from (
       select * from (
         select n.*, case when ${isFollowed('b')} then b.open end as open, case when ${isFollowed('b')} then ${stateOf('b')} end as state
         from invoice n left join invoice_balance b on b.site_id = n.site_id and b.invoice_id = n.id
         where n.site_id = :site and (:customer::int is null or n.customer_id = :customer)
           and (:last::int is null or (n.issued_on, n.id) < (select l.issued_on, l.id from invoice l where l.site_id = :site and l.id = :last))) followed
       where :state::text is null or state = :state or (:state = 'unpaid' and open > 0)
       order by issued_on desc, id desc limit ${invoicesPerPage}) i
       join customer c on c.site_id = i.site_id and c.id = i.customer_id
       cross join lateral (
         select array(select ${numberOf('note')} from invoice note where note.site_id = i.site_id and note.credits = i.id order by note.id) as notes,
           exists (select from invoice_line l where l.site_id = i.site_id and l.invoice_id = i.id and ${creditOf('l')} is null) as open) credit
     order by i.issued_on desc, i.id desc) wire`,
})

/** The documents of a customer that cost something, stand, and are on no invoice that does; the last ones first. */
export const openDocuments = statement({
  name: 'invoices.open',
  parameters: { site: int, customer: int, most: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select d.id as db_id, ${documentNumberOf('d')} as number, d.document_date as date, d.type as document_type, d.reason, d.amount_excl,
       v.license_plate
     from document d left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
     where d.site_id = :site and d.customer_id = :customer and d.amount_excl <> 0 and d.withdrawn_at is null
       and not exists (select from invoice_document o where o.site_id = d.site_id and o.document_id = d.id and not o.credited)
     order by d.document_date desc, d.id desc limit :most) wire`,
})

/** The next documents of a billing run that stand and are on no invoice that does, in their order. */
export const openOfRun = statement({
  name: 'invoices.openOfRun',
  parameters: { site: int, run: int, most: int },
  row: { document: int },
  sql: `select d.id as document
   from billing_run_customer c join document d on d.site_id = c.site_id and d.id = c.document_id
   where c.site_id = :site and c.run_id = :run and c.state = 'made' and d.withdrawn_at is null and d.amount_excl > 0
     and not exists (select from invoice_document o where o.site_id = d.site_id and o.document_id = d.id and not o.credited)
   order by d.type, d.year, d.number limit :most`,
})

/** How many documents of a billing run stand, cost something, and are on no invoice that does. */
export const leftOfRun = statement({
  name: 'invoices.leftOfRun',
  parameters: { site: int, run: int },
  row: { left: int },
  sql: `select count(*)::int as left
   from billing_run_customer c join document d on d.site_id = c.site_id and d.id = c.document_id
   where c.site_id = :site and c.run_id = :run and c.state = 'made' and d.withdrawn_at is null and d.amount_excl > 0
     and not exists (select from invoice_document o where o.site_id = d.site_id and o.document_id = d.id and not o.credited)`,
})

/** The invoices of a period, for the books, in the order of their numbers. */
export const ofPeriod = statement({
  name: 'invoices.period',
  parameters: { site: int, from: date, to: date, most: int },
  row: {
    kind: z.enum(invoiceKinds),
    number: text,
    issued: date,
    due: date.nullable(),
    buyer: parsedJson<KeptBuyer>(),
    reference: text,
    net: decimal,
    vat: decimal,
    gross: decimal,
    breakdown: parsedJson<KeptVat[]>(),
    credits: text.nullable(),
    documents: z.array(text),
  },
  sql: `select i.kind, ${numberOf('i')} as number, i.issued_on as issued, i.due_on as due, i.buyer, i.buyer_reference as reference,
     i.net, i.vat, i.gross, i.breakdown, ${numberOf('credited')} as credits,
     array(select ${documentNumberOf('d')} from invoice_document o join document d on d.site_id = o.site_id and d.id = o.document_id
       where o.site_id = i.site_id and o.invoice_id = coalesce(i.credits, i.id) order by d.document_date, d.id) as documents
   from invoice i left join invoice credited on credited.site_id = i.site_id and credited.id = i.credits
   where i.site_id = :site and i.issued_on between :from and :to
   order by i.issued_on, i.series, i.year, i.number limit :most`,
})

export const mappingOf = statement({
  name: 'invoices.mapping',
  parameters: { site: int },
  row: { mapping: parsedJson<Record<string, unknown>>() },
  sql: `select mapping from bookkeeping_mapping where site_id = :site`,
})

export const saveMapping = statement({
  name: 'invoices.saveMapping',
  parameters: { site: int, mapping: json, actor: int, now: instant },
  sql: `with saved as (
     insert into bookkeeping_mapping (site_id, mapping) values (:site, :mapping::jsonb)
     on conflict (site_id) do update set mapping = excluded.mapping returning site_id)
   insert into audit (site_id, account_id, at, action, subject)
   select site_id, :actor, :now, 'invoice.mapping', 'site ' || site_id from saved`,
})

/** Lets one transaction at a time change what was paid of a site's invoices. */
export const lockPayments = statement({
  name: 'invoices.lockPayments',
  parameters: { site: int },
  row: { pg_advisory_xact_lock: text },
  sql: `select pg_advisory_xact_lock(${0x7061_7964}, :site)`,
})

/**
 * Takes from the payments of an invoice what it does not need any more since it was credited, the last ones first, and write-offs before payments:
 * the customer has it in hand then.
 */
export const releasePaid = statement({
  name: 'invoices.releasePaid',
  parameters: { site: int, invoice: int, now: instant },
  sql: `with balance as (
     select -open as excess from invoice_balance where site_id = :site and invoice_id = :invoice
   ), parts as (
     select p.payment_id, p.customer_id, sum(p.amount) as amount,
       sum(sum(p.amount)) over (order by bool_or(y.kind = 'write_off') desc, max(p.id) desc) as upto
     from payment_part p join payment y on y.site_id = p.site_id and y.id = p.payment_id
     where p.site_id = :site and p.invoice_id = :invoice group by p.payment_id, p.customer_id having sum(p.amount) > 0
   )
   insert into payment_part (site_id, payment_id, invoice_id, customer_id, amount, at)
   select :site, parts.payment_id, :invoice, parts.customer_id, -least(parts.amount, balance.excess - parts.upto + parts.amount), :now
   from parts, balance where balance.excess - parts.upto + parts.amount > 0`,
})
