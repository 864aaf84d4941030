/** The statements of charging storage. domain/money/tariff.ts has the rules of charging; the ledger has the unpaid days. */
import { z } from 'zod'
import { documentTypes, invoicingModes, invoicingQuantities } from '#domain/site.ts'
import { chargeKinds, sizeClasses } from '#domain/money/tariff.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { documentColumns } from './documentColumns.sql.ts'
import { charging } from './invoicing.sql.ts'

/** The storage price of a site; `article` is null until the site has chosen the article to charge. */
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

/**
 * Locks the existing tyres, of one customer unless it is null, against concurrent charging, marking and moves. With
 * `left` also removed tyres, whose days stay unpaid.
 */
export const lockTyresToCharge = statement({
  name: 'invoicing.lock',
  parameters: { site: int, tyres: z.array(int), customer: int.nullable(), left: bool },
  row: { id: int },
  sql: `select id from tyre
   where site_id = :site and id = any (:tyres::int[]) and (:left or removed_at is null)
     and (:customer::int is null or customer_id = :customer)
   order by id for no key update`,
})

/** The spans of days as JSON, in order: of each the day before its first one, and its last one. */
export const spansOf = (days: string): string =>
  `(select coalesce(json_agg(json_build_array(lower(span), upper(span)) order by span), '[]') from unnest(${days}) span)::text`

/**
 * The facts that decide whether a tyre owes a season, as JSON: its stays in order, each with its first day and its last day or null; and
 * the seasons charged for it, its set or its vehicle, each with its rule and document: a charged season belongs to the set that its tyre was in on its
 * first stored day. Both are empty where nothing is charged by the season.
 */
export const seasonColumns = ({ tyre, vehicle, set }: { tyre: string; vehicle: string; set: string }): string => {
  const exists = `exists (select from tariff_rule season where season.site_id = :site and season.mode = 'per_season')`
  return `case when ${exists} then (select coalesce(json_agg(json_build_array(s.since, s.until) order by s.since, s.id), '[]') from stay s
       where s.site_id = :site and s.tyre_id = ${tyre}) else '[]' end::text as stays,
     case when ${exists} then (select coalesce(json_agg(json_build_array(paid.rule, paid.document)), '[]') from (
       select distinct on (season.id) season.id as rule, l.document_id as document
       from stay_part s join storage_ledger l on l.site_id = s.site_id and l.tyre_id = s.tyre_id and l.season_rule_id is not null
           and l.state = 'charged' and l.released_at is null and s.since < l.until and l.since < coalesce(s.until, 'infinity')
         join tariff_rule season on season.site_id = l.site_id and season.id = l.season_rule_id
       where s.site_id = :site and s.vehicle_id = ${vehicle}
         and (s.tyre_id = ${tyre} or season.per = 'vehicle' or season.per = 'set' and s.tyre_set = ${set})
         and not exists (select from stay_part earlier where earlier.site_id = s.site_id and earlier.tyre_id = s.tyre_id
           and earlier.since < s.since and l.since < coalesce(earlier.until, 'infinity'))
       order by season.id, l.document_id) paid) else '[]' end::text as "paidSeasons"`
}

/**
 * The stays of each set of wheels that owes, and its charges in documents, for a statement in which `its` are all parts of stays of their
 * customers, and `owing` the debts. An entry belongs to the set that its tyre was in when it begins.
 */
export const setsOfOwing = `owing_set as materialized (
     select vehicle_id, tyre_set, min(lower(days)) as first from owing where tyre_set is not null group by vehicle_id, tyre_set
   ), set_stays as materialized (
     select o.vehicle_id, o.tyre_set, json_agg(json_build_array(s.since, s.until, s.size_class, s.with_rim) order by s.since, s.tyre_id)::text as stays
     from owing_set o join its s on s.vehicle_id = o.vehicle_id and s.tyre_set = o.tyre_set and coalesce(s.until, 'infinity') > o.first
     group by o.vehicle_id, o.tyre_set
   ), set_paid as materialized (
     select o.vehicle_id, o.tyre_set, json_agg(json_build_array(l.since, l.until, l.document_id, l.unit,
       case when l.period is not null then json_build_array(coalesce((select min(one.since) from storage_ledger one
         where one.site_id = l.site_id and one.document_id = l.document_id and one.unit = l.unit), l.since), l.period) end, coalesce(l.of_set, false)) order by l.since, l.id)::text as paid
     from owing_set o join its s on s.vehicle_id = o.vehicle_id and s.tyre_set = o.tyre_set
       join storage_ledger l on l.site_id = :site and l.tyre_id = s.tyre_id and l.since >= s.since and l.until > o.first
         and l.state = 'charged' and l.document_id is not null and l.season_rule_id is null and l.of_set is distinct from false
         and l.released_at is null
     where not exists (select from its later where later.tyre_id = s.tyre_id and later.since > s.since and later.since <= l.since)
     group by o.vehicle_id, o.tyre_set
   )`

/** The columns of `setsOfOwing` for a row `o` of `owing`, and the joins that they need. */
export const setColumns = `coalesce(set_stays.stays, '[]') as "ofSet", coalesce(set_paid.paid, '[]') as paid`
export const setJoins = `left join set_stays on set_stays.vehicle_id = o.vehicle_id and set_stays.tyre_set = o.tyre_set
     left join set_paid on set_paid.vehicle_id = o.vehicle_id and set_paid.tyre_set = o.tyre_set`

/** A tyre, the days that it owes of stays with the same facts, and these facts, which decide the price. `chosen`: it is to be charged. */
export const owingTyre = {
  id: int,
  vehicle: int,
  set: text.nullable(),
  plate: text,
  chosen: bool,
  owed: int,
  spans: json,
  stays: json,
  ofSet: json,
  paid: json,
  paidSeasons: json,
  sizeClass: z.enum(sizeClasses).nullable(),
  withRim: bool,
}

/**
 * The vehicles for which these tyres were stored, and those that share a wheel with one of them: a period that is paid for a wheel is paid
 * wherever it is fitted. For a statement in which `its` are all parts of stays of the customer.
 */
const linkedVehicles = `linked (vehicle_id) as (
     select vehicle_id from its where tyre_id = any (:tyres::int[])
     union select other.vehicle_id from linked join its on its.vehicle_id = linked.vehicle_id join its other on other.tyre_id = its.tyre_id)`

/**
 * The facts for charging a customer's tyres: the days that they owe of their present stay, or with `left` of stays that ended, in a row
 * for each distinct set of facts; and the other debts of their vehicles' tyres, which are not chosen. The caller has locked the tyres, or
 * only previews.
 */
export const tyresToCharge = statement({
  name: 'invoicing.toCharge',
  parameters: { site: int, tyres: z.array(int), customer: int, today: date, left: bool },
  row: { ...owingTyre, document: text.nullable() },
  sql: `with recursive its as materialized (
     select tyre_id, vehicle_id, tyre_set, size_class, with_rim, since, until, gone, settled from stay_part where site_id = :site and customer_id = :customer
   ), ${linkedVehicles}, owing as materialized (
     select tyre_id, vehicle_id, tyre_set, size_class, with_rim, gone, range_agg(days) as days
     from its cross join owed_days(:site, tyre_id, since, coalesce(until, :today::date)) days
     where not settled and days <> '{}' and vehicle_id in (select vehicle_id from linked)
     group by 1, 2, 3, 4, 5, 6
   ), chosen as (
     select id, :left::bool as gone from tyre where site_id = :site and id = any (:tyres::int[]) and (:left or removed_at is null) and customer_id = :customer
   ), ${setsOfOwing}
   select t.id, v.id as vehicle, o.tyre_set as set, v.license_plate as plate, chosen.id is not null as chosen, coalesce(day_count(o.days), 0) as owed,
     ${spansOf('o.days')} as spans,
     ${seasonColumns({ tyre: 't.id', vehicle: 'v.id', set: 'o.tyre_set' })}, ${setColumns},
     o.size_class as "sizeClass", coalesce(o.with_rim, false) as "withRim", charged.number as document
   from chosen full join owing o on o.tyre_id = chosen.id and o.gone = chosen.gone
     join tyre t on t.site_id = :site and t.id = coalesce(chosen.id, o.tyre_id)
     join vehicle v on v.site_id = t.site_id and v.id = coalesce(o.vehicle_id, t.vehicle_id)
     ${setJoins}
     ${charging('t', { today: ':today' })}
   order by v.license_plate, v.id, o.tyre_set, t.id, o.gone`,
})

/**
 * The charges that customers owe besides stored days until a day, oldest first. `text`: the name of the rule or of the service in this
 * language (`nl`, `fr`, `en`, `de`); empty for the portal's own words.
 */
export const owedCharges = statement({
  name: 'invoicing.owedCharges',
  parameters: { site: int, customers: z.array(int), until: date, language: text },
  row: {
    id: int,
    customer: int,
    kind: z.enum(chargeKinds),
    rule: int,
    vehicle: int.nullable(),
    plate: text.nullable(),
    operation: int.nullable(),
    day: date,
    quantity: int,
    price: decimal,
    vatRate: decimal.nullable(),
    article: text,
    text,
    days: int.nullable(),
  },
  sql: `select c.id, c.customer_id as customer, c.kind, c.rule_id as rule, c.vehicle_id as vehicle, v.license_plate as plate, c.operation_id as operation,
     c.happened_on as day, c.quantity, c.price_excl as price, c.vat_rate as "vatRate", coalesce(r.article_number, s.article_number, '') as article,
     coalesce(nullif(r.description, ''), case :language::text when 'nl' then s.description_nl when 'fr' then s.description_fr
       when 'de' then s.description_de else s.description_en end, '') as text, r.after_days as days
   from charge c join tariff_rule r on r.site_id = c.site_id and r.id = c.rule_id
     left join service s on s.site_id = r.site_id and s.id = r.service_id
     left join vehicle v on v.site_id = c.site_id and v.id = c.vehicle_id
   where c.site_id = :site and c.customer_id = any (:customers::int[]) and c.happened_on <= :until
     and not exists (select from charge_ledger l where l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null)
   order by c.customer_id, c.happened_on, v.license_plate, c.operation_id, c.id`,
})

/**
 * Creates the document that charges what a customer owes: `amount` EUR, these charges, and of each tyre the days of `paid`, as far as the
 * ledger has nothing for them. `days`: they are charged by periods of so many days, or as the `season` that a rule is. Its number
 * is the next of its type and year; the counter's row stays locked until the end, so that a number is never lost with a transaction that
 * fails. It goes into the audit with `facts`.
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
    paid: json,
    charges: z.array(int),
    /** How it is paid, or null. */
    payment: json.nullable(),
    facts: json,
  },
  row: { ...answer, id: int },
  sql: `with counted as (
     insert into document_counter as counter (site_id, type, year, last)
     values (:site, :type, extract(year from :today::date)::int, 1)
     on conflict (site_id, type, year) do update set last = counter.last + 1
     returning year, last
   ), made as (
     insert into document (site_id, customer_id, type, reason, year, number, document_date, created_at, created_by, amount_excl, payment)
     select :site, :customer, :type, 'storage', year, last, :today, :now, :actor, :amount, :payment::jsonb from counted
     returning *
   ), lined as (
     insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl, kind, rule_id, vat_rate)
     select d.site_id, d.id, l.line, d.customer_id, nullif(l.article_number, ''), l.description, l.quantity, l.price_excl, l.kind, l.rule, l.vat_rate
     from made d, jsonb_to_recordset(:lines::jsonb)
       as l(line int, article_number text, description text, quantity numeric, price_excl numeric, kind text, rule int, vat_rate numeric)
   ), settled as (
     insert into charge_ledger (site_id, charge_id, customer_id, state, document_id, at, account_id)
     select d.site_id, one.id, d.customer_id, 'charged', d.id, :now, :actor from made d, unnest(:charges::int[]) as one(id)
   ), charged as (
     insert into storage_ledger (site_id, document_id, tyre_id, customer_id, unit, of_set, rule_id, season_rule_id, since, until, period, at, account_id)
     select d.site_id, d.id, p.tyre, d.customer_id, p.unit, p."isOfSet", p.rule, p.season, lower(span), upper(span), p.days, :now, :actor
     from made d, jsonb_to_recordset(:paid::jsonb) as p(tyre int, unit int, "isOfSet" boolean, rule int, since date, until date, days int, season int)
       cross join lateral unnest(owed_days(:site, p.tyre, p.since, p.until)) span
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, 'invoicing.inject', 'document ' || id, :facts::jsonb from made
   )
   select d.id, (select to_json(wire) from (select ${documentColumns('d')}) wire)::text as json from made d`,
})

/** Notes which owed days of tyres, which the caller has locked, cost nothing of their own: by tyre those after `since` up to `until`. */
export const includeDays = statement({
  name: 'invoicing.include',
  parameters: { site: int, days: json, actor: int.nullable(), now: instant },
  sql: `insert into storage_ledger (site_id, document_id, unit, tyre_id, customer_id, state, season_rule_id, since, until, at, account_id)
   select t.site_id, one.document, one.unit, t.id, t.customer_id, 'included', one.rule, lower(span), upper(span), :now, :actor
   from json_to_recordset(:days::json) as one(tyre int, rule int, document int, unit int, since date, until date)
     join tyre t on t.site_id = :site and t.id = one.tyre
     cross join lateral unnest(owed_days(t.site_id, t.id, one.since, one.until)) span`,
})

/**
 * Locks everything that is charged together: the customer, and all tyres that were stored for the same vehicles as these. Charges of a
 * customer run one after the other.
 */
export const lockChargedTogether = statement({
  name: 'invoicing.lockTogether',
  parameters: { site: int, customer: int, tyres: z.array(int) },
  row: { id: int },
  sql: `with recursive payer as materialized (select id from customer where site_id = :site and id = :customer for no key update
   ), its as materialized (select tyre_id, vehicle_id from stay_part where site_id = :site and customer_id = :customer
   ), ${linkedVehicles}
   select t.id from payer cross join tyre t where t.site_id = :site and t.customer_id = payer.id and t.id in (
     select tyre_id from its where vehicle_id in (select vehicle_id from linked))
   order by t.id for no key update of t`,
})

/** Waives the unpaid days of tyres that the caller has locked. Returns the number of days. */
export const waiveDays = statement({
  name: 'invoicing.waive',
  parameters: {
    site: int,
    customer: int,
    tyres: z.array(int),
    today: date,
    left: bool,
    reason: text,
    actor: int,
    now: instant,
  },
  row: { days: int },
  sql: `with waived as (
     insert into storage_ledger (site_id, tyre_id, customer_id, since, until, state, reason, at, account_id)
     select s.site_id, s.tyre_id, :customer, lower(span), upper(span), 'waived', :reason, :now, :actor
     from stay s cross join lateral unnest(owed_days(s.site_id, s.tyre_id, s.since, coalesce(s.until, :today::date))) span
     where s.site_id = :site and s.tyre_id = any (:tyres::int[]) and s.until is not null = :left
     returning tyre_id, until - since as days
   ), summed as (
     select coalesce(sum(days), 0)::int as days, coalesce(jsonb_agg(distinct tyre_id), '[]') as tyres from waived
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, :customer, :actor, :now, 'invoicing.waive', 'customer ' || :customer,
       jsonb_build_object('days', days, 'tyres', tyres, 'reason', :reason::text) from summed where days > 0
   )
   select days from summed`,
})

/** The entries `l` that were waived together with entry `w`: at once, by one account, for one customer and reason. */
const waivedWith = (
  w: string,
  l: string,
): string => `${l}.site_id = ${w}.site_id and ${l}.state = 'waived' and ${l}.at = ${w}.at
  and ${l}.customer_id = ${w}.customer_id and ${l}.account_id is not distinct from ${w}.account_id and ${l}.reason = ${w}.reason`

/** The tyres of a waiver, which its first entry names. */
export const tyresOfWaiver = statement({
  name: 'invoicing.tyresOfWaiver',
  parameters: { site: int, waiver: int },
  row: { tyre: int },
  sql: `select distinct l.tyre_id as tyre from storage_ledger w join storage_ledger l on ${waivedWith('w', 'l')}
   where w.site_id = :site and w.id = :waiver and w.state = 'waived' order by 1`,
})

/** Takes a waiver back, whose tyres the caller has locked: its days are owed again. Answers their number, 0 when it was before. */
export const releaseWaiver = statement({
  name: 'invoicing.unwaive',
  parameters: { site: int, waiver: int, reason: text, actor: int, now: instant },
  row: { days: int },
  sql: `with released as (
     update storage_ledger l set released_at = :now, released_by = :actor, released_reason = :reason from storage_ledger w
     where w.site_id = :site and w.id = :waiver and ${waivedWith('w', 'l')} and l.released_at is null
     returning l.customer_id, l.tyre_id, l.until - l.since as days
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'invoicing.unwaive', 'customer ' || customer_id,
       jsonb_build_object('days', sum(days), 'tyres', jsonb_agg(distinct tyre_id), 'reason', :reason::text)
     from released group by customer_id
   )
   select coalesce(sum(days), 0)::int as days from released`,
})

/** The last waivers of a site, newest first, in wire form. */
export const waivers = statement({
  name: 'invoicing.waivers',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select w.id as _id, w.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, w.plates[1:3] as license_plates,
       cardinality(w.plates) as vehicle_count, w.tyre_count, w.days, w.at, coalesce(nullif(a.fullname, ''), a.username, '') as by, w.reason,
       case when w.released_at is not null then json_build_object('at', w.released_at,
         'by', coalesce(nullif(r.fullname, ''), r.username, ''), 'reason', w.released_reason) end as taken_back
     from (
       select min(l.id) as id, l.customer_id, l.account_id, l.at, l.reason, l.released_at, l.released_by, l.released_reason,
         count(distinct l.tyre_id)::int as tyre_count, sum(l.until - l.since)::int as days,
         array_agg(distinct v.license_plate order by v.license_plate) as plates
       from storage_ledger l join tyre t on t.site_id = l.site_id and t.id = l.tyre_id
         join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       where l.site_id = :site and l.state = 'waived'
       group by l.customer_id, l.account_id, l.at, l.reason, l.released_at, l.released_by, l.released_reason
       order by l.at desc, 1 desc limit 1000) w
     join customer c on c.site_id = :site and c.id = w.customer_id
     left join account a on a.id = w.account_id
     left join account r on r.id = w.released_by
     order by w.at desc, w.id desc) wire`,
})
