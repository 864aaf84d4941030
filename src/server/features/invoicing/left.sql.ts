/** The statements of retrieved tyres: unpaid stored days and prepaid ones. */
import { z } from 'zod'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, text } from '../../db/types.ts'
import { documentNumberOf } from './documentColumns.sql.ts'

/** The customers with tyres that left the store and owe days of it, in wire form. */
export const customersOfLeft = statement({
  name: 'invoicing.left',
  parameters: { site: int, today: date },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[owed.tyres] as tyre_count, array[yyyymmdd(owed.since)] as since,
       array[:today::date - owed.since] as overdue_days
     from (
       select customer_id, count(distinct tyre_id)::int as tyres,
         min(lower(owed_days(site_id, tyre_id, since, until))) as since
       from stay where site_id = :site and until is not null and not settled group by customer_id) owed
     join customer c on c.site_id = :site and c.id = owed.customer_id
     order by owed.tyres desc, ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id) wire`,
})

/** A customer's tyres that left the store and owe days of it, by tyre ID, in wire form. */
export const tyresLeft = statement({
  name: 'invoicing.lefttyres',
  parameters: { site: int, customer: int },
  row: answer,
  sql: `select (select coalesce(json_agg(wire), '[]') from (
     select array[t.id] as db_id, array[t.vehicle_id] as flt_id, array[v.license_plate] as license_plate,
       array[t.position] as position, array[t.description] as description,
       array[coalesce(t.tyre_set, 'setless')] as tyre_set, array[t.status] as tyre_status,
       array[yyyymmdd(min(s.since))] as status_date, array[yyyymmdd(max(s.until))] as left_date,
       array[day_count(range_agg(owed_days(s.site_id, s.tyre_id, s.since, s.until)))] as owed_days
     from stay s join tyre t on t.site_id = s.site_id and t.id = s.tyre_id
       join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
     where s.site_id = :site and s.customer_id = :customer and s.until is not null and not s.settled
     group by t.site_id, t.id, v.license_plate order by t.id) wire)::text as json
   from customer where site_id = :site and id = :customer`,
})

/**
 * Whether the season of entry `l` is owed, by the stays as they are known now: of its tyre, of those that its document charges as one with it, or of
 * its set or vehicle, where these have the price. As `seasonOf` in domain/money/tariff.ts decides it before it is charged.
 */
const seasonIsOwed = (l: string): string => `exists (select from tariff_rule r
    join tyre own on own.site_id = ${l}.site_id and own.id = ${l}.tyre_id
    cross join lateral (
      select u.tyre_id as id, true as charged from storage_ledger u
        where u.site_id = ${l}.site_id and u.document_id = ${l}.document_id and u.unit = ${l}.unit
      union select own.id, true
      union select t.id, r.per = 'vehicle' from tyre t where r.per in ('set', 'vehicle') and t.site_id = own.site_id and t.vehicle_id = own.vehicle_id) t
    cross join lateral (select daterange(r.since - 1, greatest(r.until, ${l}.until)) as days) season
    join stay s on s.site_id = own.site_id and s.tyre_id = t.id and daterange(s.since, s.until) && season.days
  where r.site_id = ${l}.site_id and r.id = ${l}.season_rule_id
    and (s.since >= r.since - 1 or least(s.until, upper(season.days)) - r.since + 1 > r.grace_days)
    and (t.charged or exists (select from stay mine where mine.site_id = own.site_id
      and mine.tyre_id = own.id and mine.tyre_set = s.tyre_set and daterange(mine.since, mine.until) && daterange(${l}.since, ${l}.until))))`

/**
 * For each unit of `entries`, without seasons that are owed whole: the days on which something of it was stored, where it is charged by the day; and since when its periods are
 * none, where it is charged by periods (`wrong_since`). Each takes time, so it is asked once for all wheels of the unit.
 */
const unitsOf = (entries: string): string => `select site_id, document_id, unit, of_periods,
       case when not of_periods then unit_days(site_id, document_id, unit) end as stored,
       case when of_periods then wrong_since(site_id, document_id, unit) end as wrong
     from (select distinct site_id, document_id, unit, period is not null as of_periods from ${entries} chosen
       where unit is not null and (season_rule_id is null or period is null)) units`

/** Whether row `u` of `unitsOf` is that of entry `l`. */
const isUnitOf = (u: string, l: string): string =>
  `${u}.document_id = ${l}.document_id and ${u}.unit = ${l}.unit and ${u}.of_periods = (${l}.period is not null)
       and (${l}.season_rule_id is null or ${l}.period is null)`

/**
 * The days of entry `l` of a document, whose unit is row `u` of `unitsOf`, that are paid for nothing. By the day those on which nothing was in the store that it charges as one;
 * of periods those from the first one on whose first day nothing was there: one that has begun is owed to its end, and the next begins with a stored
 * day (`wrong_since`). A season that is owed at all is owed to its end, too; one that is not is paid for nothing, with its days of grace. An entry from before units were kept is looked at by itself.
 */
const unused = (l: string, u: string): string => `case
  when ${l}.season_rule_id is not null and ${l}.period is not null then
    case when ${seasonIsOwed(l)} then '{}'::datemultirange else datemultirange(daterange(${l}.since, ${l}.until)) end
  when ${l}.unit is not null and ${l}.period is null then datemultirange(daterange(${l}.since, ${l}.until)) - ${u}.stored
  when ${l}.unit is not null then
    case when ${u}.wrong < ${l}.until then datemultirange(daterange(greatest(${l}.since, ${u}.wrong), ${l}.until)) else '{}' end
  else datemultirange(daterange(${l}.since, ${l}.until)) - coalesce((
    select range_agg(daterange(s.since, s.until)) from stay s where s.site_id = ${l}.site_id and s.tyre_id = ${l}.tyre_id), '{}')
    - case when ${l}.period is null then '{}'::datemultirange else datemultirange(daterange(${l}.since, ${l}.since + ${l}.period * coalesce((
      select ceil((max(least(s.until, ${l}.until)) - ${l}.since)::numeric / ${l}.period)::int from stay s
      where s.site_id = ${l}.site_id and s.tyre_id = ${l}.tyre_id and daterange(s.since, s.until) && daterange(${l}.since, ${l}.until)), 0))) end
  end`

/**
 * Payments for days on which tyres had left, or had not come yet, by customer, tyre and document, in wire form. The amount is the document's
 * charge for these days; a charge for several tyres as one unit is divided among them, rounded so that the parts add up. Of a document from before units were
 * kept it is their part of its storage, in proportion to all days that it charged at first.
 */
export const credits = statement({
  name: 'invoicing.credits',
  parameters: { site: int },
  row: answer,
  sql: `with charged as materialized (
     select l.*, gone.left_on
     from (select site_id, tyre_id, max(until) as left_on from stay where site_id = :site and prepaid group by site_id, tyre_id) gone
       join storage_ledger l on l.site_id = gone.site_id and l.tyre_id = gone.tyre_id and l.released_at is null
         and l.document_id is not null and l.state = 'charged'
   ), unit_state as materialized (${unitsOf('charged')}
   ), entry as materialized (
     select l.site_id, l.tyre_id, l.document_id, l.unit, l.rule_id, l.season_rule_id, l.period, l.since, l.left_on, ${unused('l', 'u')} as days
     from charged l left join unit_state u on ${isUnitOf('u', 'l')}
   ), of_unit as (
     -- how many days or periods of a unit are paid for nothing, whichever of its tyres they were charged for
     select e.site_id, e.document_id, e.unit, (case when e.season_rule_id is not null then 1 when e.period is null then day_count(range_agg(e.days))
         else (select count(distinct (day::date - begins.since) / e.period) from unnest(range_agg(e.days)) span
           cross join generate_series(lower(span)::timestamp, upper(span) - 1, interval '1 day') day) end) * line.price as amount
     from entry e
       cross join lateral (select min(one.since) as since from storage_ledger one
         where one.site_id = e.site_id and one.document_id = e.document_id and one.unit = e.unit) begins
       cross join lateral (select min(price_excl) as price from document_line d where d.site_id = e.site_id and d.document_id = e.document_id
         and coalesce(d.kind, 'storage') = 'storage' and d.rule_id is not distinct from e.rule_id) line
     where e.unit is not null and e.days <> '{}'
     group by e.site_id, e.document_id, e.unit, e.season_rule_id, e.period, begins.since, line.price
   ), of_tyre as (
     select site_id, document_id, unit, tyre_id, left_on, sum(day_count(days))::int as days from entry where days <> '{}'
     group by site_id, document_id, unit, tyre_id, left_on
   ), part as (
     select *, sum(days) over (partition by document_id, unit order by tyre_id) as so_far, sum(days) over (partition by document_id, unit) as together
     from of_tyre
   )
   select coalesce(json_agg(wire), '[]')::text as json from (
     select array[t.id] as db_id, array[t.customer_id] as seq_id, array[coalesce(nullif(c.company, ''), c.name)] as companyname,
       array[t.vehicle_id] as flt_id, array[v.license_plate] as license_plate, array[t.position] as position,
       array[coalesce(t.tyre_set, 'setless')] as tyre_set, array[yyyymmdd(credit.left_on)] as left_date,
       array[${documentNumberOf('d')}] as document, array[credit.days] as unused_days, array[credit.amount] as amount_excl
     from (
       select p.site_id, p.document_id, p.tyre_id, p.left_on, sum(p.days)::int as days,
         sum(round(whole.amount * p.so_far / whole.days, 2) - round(whole.amount * (p.so_far - p.days) / whole.days, 2)) as amount
       from part p cross join lateral (
         select u.amount, p.together as days from of_unit u where u.site_id = p.site_id and u.document_id = p.document_id and u.unit = p.unit
         union all
         select (select coalesce(sum(line.quantity * line.price_excl), 0) from document_line line
             where line.site_id = p.site_id and line.document_id = p.document_id and coalesce(line.kind, 'storage') = 'storage'),
           (select nullif(sum(a.until - a.since), 0) from storage_ledger a where a.site_id = p.site_id and a.document_id = p.document_id
             and a.state = 'charged' and not exists (
             select from storage_ledger b where b.site_id = a.site_id and b.document_id = a.document_id and b.tyre_id = a.tyre_id
               and b.id < a.id and b.since <= a.since and a.until <= b.until))
         where p.unit is null) whole
       group by p.site_id, p.document_id, p.tyre_id, p.left_on) credit
     join document d on d.site_id = credit.site_id and d.id = credit.document_id
     join tyre t on t.site_id = credit.site_id and t.id = credit.tyre_id
     join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
     join customer c on c.site_id = t.site_id and c.id = t.customer_id
     order by ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id, v.license_plate, t.id, d.id) wire`,
})

/** The tyres that documents charge as one with these, whose days are credited together. */
export const tyresOfUnits = statement({
  name: 'invoicing.tyresOfUnits',
  parameters: { site: int, tyres: z.array(int) },
  row: { tyre: int },
  sql: `select distinct other.tyre_id as tyre from storage_ledger l join storage_ledger other on other.site_id = l.site_id
     and other.document_id = l.document_id and (other.unit = l.unit or other.season_rule_id = l.season_rule_id or other.id = l.id)
     and other.released_at is null
   where l.site_id = :site and l.tyre_id = any (:tyres::int[]) and l.released_at is null and l.state = 'charged' and l.document_id is not null
   order by 1`,
})

/** Releases what a document, or without its printed number any, charges for days on which these tyres, which the caller has locked, were not in the store. */
export const releaseUnused = statement({
  name: 'invoicing.releaseUnused',
  parameters: { site: int, tyres: z.array(int), document: text.nullable(), reason: text, actor: int, now: instant },
  row: {
    tyre: int,
    customer: int,
    document: int,
    unit: int.nullable(),
    ofSet: bool.nullable(),
    rule: int.nullable(),
    season: int.nullable(),
    since: date,
    until: date,
    period: int.nullable(),
    /** The days that were paid for nothing, as a multirange: once they are released, others can look used. */
    unused: text,
  },
  sql: `with wish as materialized (
     select l.id, l.document_id, l.unit from storage_ledger l
     where l.site_id = :site and l.tyre_id = any (:tyres::int[]) and l.released_at is null and l.document_id is not null and l.state = 'charged'
       and (:document::text is null or exists (select from document d
         where d.site_id = l.site_id and d.id = l.document_id and ${documentNumberOf('d')} = :document))
   ), chosen as materialized (
     select l.* from storage_ledger l where l.site_id = :site and l.id in (
       select id from wish
       union select other.id from (select distinct document_id, unit from wish where unit is not null) charged
         join storage_ledger other on other.site_id = :site and other.document_id = charged.document_id and other.unit = charged.unit
           and other.released_at is null and other.state = 'charged')
   ), unit_state as materialized (${unitsOf('chosen')}
   ), entry as materialized (
     select l.id, ${unused('l', 'u')} as days from chosen l left join unit_state u on ${isUnitOf('u', 'l')}
   )
   update storage_ledger l set released_at = :now, released_by = :actor, released_reason = :reason
   from entry where l.site_id = :site and l.id = entry.id and entry.days <> '{}'
   returning l.tyre_id as tyre, l.customer_id as customer, coalesce(l.document_id, 0) as document, l.unit, l.of_set as "ofSet", l.rule_id as rule,
     l.season_rule_id as season, l.since, l.until, l.period, entry.days::text as unused`,
})

/**
 * Releases the days that documents include in units or seasons which are credited. Those that still are paid for are included again by
 * the next document, or within the hour.
 */
export const releaseIncluded = statement({
  name: 'invoicing.releaseIncluded',
  parameters: {
    site: int,
    documents: z.array(int),
    units: z.array(int.nullable()),
    seasons: z.array(int.nullable()),
    reason: text,
    actor: int,
    now: instant,
  },
  sql: `update storage_ledger l set released_at = :now, released_by = :actor, released_reason = :reason
   from unnest(:documents::int[], :units::int[], :seasons::int[]) credited(document, unit, season)
   where l.site_id = :site and l.released_at is null and l.state = 'included' and l.document_id = credited.document
     and (l.unit = credited.unit and l.season_rule_id is null or l.season_rule_id = credited.season)`,
})

/** Charges again the stored days of released entries, and audits the credit of the rest. */
export const chargeUsed = statement({
  name: 'invoicing.chargeUsed',
  parameters: {
    site: int,
    tyres: z.array(int),
    customers: z.array(int),
    documents: z.array(int),
    units: z.array(int.nullable()),
    ofSets: z.array(bool.nullable()),
    rules: z.array(int.nullable()),
    seasons: z.array(int.nullable()),
    since: z.array(date),
    until: z.array(date),
    periods: z.array(int.nullable()),
    unused: z.array(text),
    reason: text,
    actor: int,
    now: instant,
  },
  sql: `with entry as (
     select :site::int as site_id, *
     from unnest(:tyres::int[], :customers::int[], :documents::int[], :units::int[], :ofSets::boolean[], :rules::int[], :seasons::int[], :since::date[], :until::date[],
       :periods::int[], :unused::text[])
       as released(tyre_id, customer_id, document_id, unit, of_set, rule_id, season_rule_id, since, until, period, unused)
   ), used as (
     insert into storage_ledger (site_id, document_id, tyre_id, customer_id, unit, of_set, rule_id, season_rule_id, since, until, period, at, account_id)
     select e.site_id, e.document_id, e.tyre_id, e.customer_id, e.unit, e.of_set, e.rule_id, e.season_rule_id, lower(span), upper(span), e.period, :now, :actor
     from entry e cross join lateral unnest(datemultirange(daterange(e.since, e.until)) - e.unused::datemultirange) span
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, :actor, :now, 'invoicing.credit', 'customer ' || customer_id,
     jsonb_build_object('tyres', jsonb_agg(distinct tyre_id), 'reason', :reason::text)
   from entry group by site_id, customer_id`,
})
