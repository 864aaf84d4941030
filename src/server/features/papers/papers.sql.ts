/** The statements of papers: receipts of storages, the overview of stored wheels, and the texts that a site prints on them. */
import { z } from 'zod'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { paperColumns } from '#domain/texts/paper.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, date, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The texts of a site by language. */
export type TextsByLanguage = Readonly<Record<'nl' | 'fr' | 'en' | 'de', string>>

/** A customer `c` as papers address them. */
export const addressee = `json_build_object('name', c.name, 'company', c.company, 'street', c.street, 'zipcode', c.zipcode, 'city', c.city)::text`

/** The language of a customer's papers: that of the first account that has one, else of the site `s`. */
export const languageOfCustomer = (site: string, customer: string): string =>
  `coalesce((select a.language from account a where a.site_id = ${site} and a.customer_id = ${customer} and a.disabled_at is null and a.language is not null
       order by a.id limit 1), s.language)`

/** The wheels that operation `of` handed over, as they were; depth where the site `s` shows it. Null of one from before they were kept. */
export const handedWheels = (site: string, operation: string): string => `
  select json_agg(json_build_object('id', h.wheel, 'position', h.position, 'description', h.description, 'set', h.tyre_set,
    'depth', case when s.allow_profile_depth then h.depth end, 'rims', h.rims, 'bolts', h.bolts, 'hubcaps', h.hubcaps, 'missing', false, 'damages', h.damages)
    order by length(h.position), h.position, h.wheel)
  from handed_wheel h where h.site_id = ${site} and h.operation_id = ${operation}`

/** The same of a storage `o` that was confirmed before they were kept, from the history of its tyres. */
const remembered = `
  select json_agg(json_build_object('id', coalesce(t.copy_of, t.id), 'position', t.position, 'description', t.description, 'set', t.tyre_set,
    'depth', case when s.allow_profile_depth then (select e.depth from tyre_event e
      where e.site_id = t.site_id and e.tyre_id = t.id and e.operation_id = o.id and e.kind = 'received' limit 1) end,
    'rims', o.with_rims, 'bolts', o.with_bolts, 'hubcaps', o.with_hubcaps, 'missing', false, 'damages', '{}'::text[]) order by ${tyreOrder('t')})
  from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
  where held.site_id = o.site_id and held.operation_id = o.id and held.missing_at is null`

/** The wheels that were missing from a storage `o`. */
const missed = `
  select json_agg(json_build_object('id', coalesce(t.copy_of, t.id), 'position', t.position, 'description', t.description, 'set', t.tyre_set,
    'depth', null, 'rims', null, 'bolts', false, 'hubcaps', false, 'missing', true, 'damages', '{}'::text[]) order by ${tyreOrder('t')})
  from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
  where held.site_id = o.site_id and held.operation_id = o.id and held.missing_at is not null`

const wheels = `(coalesce((${handedWheels('o.site_id', 'o.id')})::jsonb, (${remembered})::jsonb, '[]') || coalesce((${missed})::jsonb, '[]'))`

/** Confirmed storages, of one customer or, with null, of any. */
const storages = `operation o
   join site s on s.id = o.site_id
   join customer c on c.site_id = o.site_id and c.id = o.customer_id
   join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id
   left join storage_receipt r on r.site_id = o.site_id and r.operation_id = o.id
   where o.site_id = :site and o.id = :operation and o.type = 'to_stock' and o.status = 'confirmed'
     and (:customer::int is null or o.customer_id = :customer)`

/** A receipt in wire form. */
export const receiptById = statement({
  name: 'papers.receipt',
  parameters: { site: int, operation: int, customer: int.nullable() },
  row: answer,
  sql: `select row_to_json(wire)::text as json from (
     select o.id as operation, o.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, o.vehicle_id as flt_id,
       v.license_plate, concat_ws(' ', v.brand, v.description) as vehicle, (o.handled_at at time zone s.time_zone)::date as date,
       ${wheels} as wheels,
       case when r.operation_id is not null then json_build_object('name', r.signed_name, 'at', r.signed_at) end as signed
     from ${storages}) wire`,
})

/** A receipt as it is printed. */
export const printedReceipt = statement({
  name: 'papers.receiptpdf',
  parameters: { site: int, operation: int, customer: int.nullable() },
  row: {
    operation: int,
    date,
    site: text,
    email: text,
    customer: json,
    plate: text,
    vehicle: text,
    wheels: json,
    signed: json.nullable(),
    signature: bytes.nullable(),
    language: text,
  },
  sql: `select o.id as operation, (o.handled_at at time zone s.time_zone)::date as date, s.name as site, s.admin_email as email,
     ${addressee} as customer, v.license_plate as plate, concat_ws(' ', v.brand, v.description) as vehicle, ${wheels}::text as wheels,
     case when r.operation_id is not null then
       json_build_object('name', r.signed_name, 'time', to_char(r.signed_at at time zone s.time_zone, 'DD/MM/YYYY HH24:MI'))::text end as signed,
     r.signature, ${languageOfCustomer('o.site_id', 'o.customer_id')} as language
   from ${storages}`,
})

/** The most photos of one paper. */
const maxPrintedPhotos = 24

/**
 * Photos of the wheels of a confirmed operation as it was confirmed: of damage that was found until then and not mended, and those of that
 * day of wheels without damage. `total`: how many there are, of which the first are answered.
 */
export const photosOfOperation = statement({
  name: 'papers.photos',
  parameters: { site: int, operation: int },
  row: { position: text, code: z.enum(damageCodes).nullable(), note: text, date, picture: bytes, total: int },
  sql: `select t.position, r.code, r.note, (p.at at time zone s.time_zone)::date as date, p.small as picture, (count(*) over ())::int as total
   from operation o join site s on s.id = o.site_id
     join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.missing_at is null
     join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
     join damage_report r on r.site_id = t.site_id and r.tyre_id = t.id and r.customer_id = o.customer_id
     join photo p on p.site_id = r.site_id and p.report_id = r.id
   where o.site_id = :site and o.id = :operation and o.status = 'confirmed' and p.at <= o.handled_at
     and case when r.code is null then (r.at at time zone s.time_zone)::date = (o.handled_at at time zone s.time_zone)::date
       else r.ended_at is null or r.ended_at > o.handled_at end
   order by ${tyreOrder('t')}, r.code is null, p.id limit ${maxPrintedPhotos}`,
})

/** Whether the receipt of a confirmed storage is signed. */
export const receiptSigned = statement({
  name: 'papers.signed',
  parameters: { site: int, operation: int },
  row: { signed: bool },
  sql: `select r.operation_id is not null as signed
   from operation o left join storage_receipt r on r.site_id = o.site_id and r.operation_id = o.id
   where o.site_id = :site and o.id = :operation and o.type = 'to_stock' and o.status = 'confirmed'`,
})

/** Attaches a signature to the receipt of a confirmed storage and audits it. No row: it has one, or there is no such storage. */
export const signReceipt = statement({
  name: 'papers.sign',
  parameters: { site: int, operation: int, name: text, signature: bytes, actor: int, now: instant },
  row: { customer: int },
  sql: `with signed as (
     insert into storage_receipt (site_id, operation_id, customer_id, signature, signed_name, signed_at, signed_by)
     select o.site_id, o.id, o.customer_id, :signature, :name, :now, :actor from operation o
     where o.site_id = :site and o.id = :operation and o.type = 'to_stock' and o.status = 'confirmed'
     on conflict do nothing returning site_id, operation_id, customer_id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, 'papers.sign', 'operation ' || operation_id, '{}' from signed)
   select customer_id as customer from signed`,
})

/** Writes a message with a receipt for each account of its customer that has an address and is not disabled. */
export const mailReceipt = statement({
  name: 'papers.mail',
  parameters: { site: int, operation: int, actor: int, now: instant },
  row: { messages: int },
  sql: `with written as (
     insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
     select a.site_id, a.customer_id, a.id, 'paper', jsonb_build_object('receipt', o.id), :now, :now
     from operation o join account a on a.site_id = o.site_id and a.customer_id = o.customer_id
     where o.site_id = :site and o.id = :operation and o.type = 'to_stock' and o.status = 'confirmed' and a.email <> '' and a.disabled_at is null
     returning 1
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select o.site_id, o.customer_id, :actor, :now, 'papers.mail', 'operation ' || o.id, '{}' from operation o
     where o.site_id = :site and o.id = :operation and exists (select from written))
   select count(*)::int as messages from written`,
})

/**
 * The stored wheels of a customer: those of one set and description, since the same day and paid until the same day, together. A set is
 * paid until the last day that the ledger charges of its present stay.
 */
export const printedOverview = statement({
  name: 'papers.overview',
  parameters: { site: int, customer: int },
  row: { site: text, email: text, customer: json, language: text, wheels: int, sets: json },
  sql: `select s.name as site, s.admin_email as email, ${addressee} as customer,
     ${languageOfCustomer('c.site_id', 'c.id')} as language, stored.wheels, stored.sets
   from customer c join site s on s.id = c.site_id
     cross join lateral (
       select coalesce(sum(cardinality(positions)), 0)::int as wheels, coalesce(json_agg(json_build_object('plate', plate, 'set', tyre_set, 'positions', positions,
         'depths', depths, 'description', description, 'since', since, 'paid', paid) order by plate, tyre_set, since, description), '[]')::text as sets
       from (
         select v.license_plate as plate, t.tyre_set, t.description, k.since, paid.until as paid,
           array_agg(t.position order by ${tyreOrder('t')}) as positions,
           array_agg(case when s.allow_profile_depth then t.profile_depth end order by ${tyreOrder('t')}) as depths
         from tyre t join stay k on k.site_id = t.site_id and k.tyre_id = t.id and k.until is null
           join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
           left join lateral (
             select max(l.until) as until from storage_ledger l
             where l.site_id = k.site_id and l.tyre_id = k.tyre_id and l.released_at is null and l.state <> 'waived' and l.until > k.since) paid on true
         where t.site_id = c.site_id and t.customer_id = c.id and t.status = 'in_stock' and t.removed_at is null
         group by v.id, v.license_plate, t.tyre_set, t.description, k.since, paid.until) grouped) stored
   where c.site_id = :site and c.id = :customer`,
})

/** The texts and columns that a site prints on its papers. No row: it has chosen none. */
export const paperLayout = statement({
  name: 'papers.layout',
  parameters: { site: int },
  row: {
    header: parsedJson<TextsByLanguage>(),
    footer: parsedJson<TextsByLanguage>(),
    terms: parsedJson<TextsByLanguage>(),
    columns: z.array(z.enum(paperColumns)),
    version: int,
  },
  sql: 'select header, footer, terms, columns, version from site_paper where site_id = :site',
})

/** Saves what a site prints over the version that was edited, and audits it. No row: there is a newer one. */
export const savePaperLayout = statement({
  name: 'papers.save',
  parameters: {
    site: int,
    version: int,
    header: json,
    footer: json,
    terms: json,
    columns: z.array(z.enum(paperColumns)),
    actor: int,
    now: instant,
  },
  row: { version: int },
  sql: `with saved as (
     insert into site_paper as kept (site_id, header, footer, terms, columns)
     select :site, :header::jsonb, :footer::jsonb, :terms::jsonb, :columns::text[]
     where :version = 0 or exists (select from site_paper where site_id = :site)
     on conflict (site_id) do update set header = excluded.header, footer = excluded.footer, terms = excluded.terms,
       columns = excluded.columns, version = kept.version + 1
     where kept.version = :version
     returning version
   ), audited as (
     insert into audit (site_id, account_id, at, action, subject, facts)
     select :site, :actor, :now, 'papers.save', 'site ' || :site, '{}' from saved)
   select version from saved`,
})

/** The site as its papers name it. */
export const siteOnPapers = statement({
  name: 'papers.site',
  parameters: { site: int },
  row: { site: text, email: text },
  sql: 'select name as site, admin_email as email from site where id = :site',
})
