/** The statements of retrieved tyres: unpaid stored days and prepaid ones. */
import { z } from 'zod'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, instant, int, text } from '../../db/types.ts'
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
 * Whether the season of entry `l` is owed, by the stays as they are known now: of its tyre, or of its set or vehicle, where these have
 * the price. As `seasonOf` in domain/tariff.ts decides it before it is charged.
 */
const seasonIsOwed = (l: string): string => `exists (select from tariff_rule r
    join tyre own on own.site_id = ${l}.site_id and own.id = ${l}.tyre_id
    join tyre t on t.site_id = own.site_id and (t.id = own.id or t.vehicle_id = own.vehicle_id)
    cross join lateral (select daterange(r.since - 1, greatest(r.until, ${l}.until)) as days) season
    join stay s on s.site_id = t.site_id and s.tyre_id = t.id and daterange(s.since, s.until) && season.days
  where r.site_id = ${l}.site_id and r.id = ${l}.season_rule_id
    and (s.since >= r.since - 1 or least(s.until, upper(season.days)) - r.since + 1 > r.grace_days)
    and (t.id = own.id or r.per = 'vehicle' or r.per = 'set' and exists (select from stay mine where mine.site_id = own.site_id
      and mine.tyre_id = own.id and mine.tyre_set = s.tyre_set and daterange(mine.since, mine.until) && daterange(${l}.since, ${l}.until))))`

/**
 * The days of entry `l` of a document on which its tyre was not in the store: after it left, and before it came back. A period
 * that had begun by the last day on which it was there is owed to its end; so is a season that is owed at all, and one that is not
 * is paid for nothing, with its days of grace.
 */
const unused = (l: string): string => `case
  when ${l}.season_rule_id is not null and ${l}.period is not null then
    case when ${seasonIsOwed(l)} then '{}'::datemultirange else datemultirange(daterange(${l}.since, ${l}.until)) end
  else datemultirange(daterange(${l}.since, ${l}.until)) - coalesce((
    select range_agg(daterange(s.since, s.until)) from stay s where s.site_id = ${l}.site_id and s.tyre_id = ${l}.tyre_id), '{}')
    - case when ${l}.period is null then '{}'::datemultirange else datemultirange(daterange(${l}.since, ${l}.since + ${l}.period * coalesce((
      select ceil((max(least(s.until, ${l}.until)) - ${l}.since)::numeric / ${l}.period)::int from stay s
      where s.site_id = ${l}.site_id and s.tyre_id = ${l}.tyre_id and daterange(s.since, s.until) && daterange(${l}.since, ${l}.until)), 0))) end
  end`

/**
 * What was paid in advance for tyres that left, by customer and tyre, in wire form. The amount is the part of the document's storage that
 * these days are of all days that it charged at first, rounded so that the parts of a document add up.
 */
export const credits = statement({
  name: 'invoicing.credits',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select array[t.id] as db_id, array[t.customer_id] as seq_id, array[coalesce(nullif(c.company, ''), c.name)] as companyname,
       array[t.vehicle_id] as flt_id, array[v.license_plate] as license_plate, array[t.position] as position,
       array[coalesce(t.tyre_set, 'setless')] as tyre_set, array[yyyymmdd(left_on)] as left_date,
       array[${documentNumberOf('d')}] as document, array[left_over.days] as unused_days,
       array[round(whole.amount * left_over.so_far / whole.days, 2)
         - round(whole.amount * (left_over.so_far - left_over.days) / whole.days, 2)] as amount_excl
     from (select *, sum(days) over (partition by document_id order by tyre_id) as so_far from (
       select l.site_id, l.tyre_id, l.document_id, sum(day_count(${unused('l')}))::int as days, gone.left_on
       from (select site_id, tyre_id, min(until) as first_left, max(until) as left_on from stay
           where site_id = :site and prepaid group by site_id, tyre_id) gone
         join storage_ledger l on l.site_id = gone.site_id and l.tyre_id = gone.tyre_id and l.released_at is null
           and l.document_id is not null and l.state = 'charged' and l.until > gone.first_left
       group by l.site_id, l.tyre_id, l.document_id, gone.left_on) of_tyre) left_over
     join document d on d.site_id = left_over.site_id and d.id = left_over.document_id
     cross join lateral (select
       (select coalesce(sum(line.quantity * line.price_excl), 0) from document_line line
         where line.site_id = d.site_id and line.document_id = d.id and coalesce(line.kind, 'storage') = 'storage') as amount,
       (select nullif(sum(a.until - a.since), 0) from storage_ledger a where a.site_id = d.site_id and a.document_id = d.id
         and a.state = 'charged' and not exists (
         select from storage_ledger b where b.site_id = a.site_id and b.document_id = a.document_id and b.tyre_id = a.tyre_id
           and b.id < a.id and b.since <= a.since and a.until <= b.until)) as days) whole
     join tyre t on t.site_id = left_over.site_id and t.id = left_over.tyre_id
     join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
     join customer c on c.site_id = t.site_id and c.id = t.customer_id
     where left_over.days > 0
     order by ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id, v.license_plate, t.id, d.id) wire`,
})

/** Releases what a document, or without its printed number any, charges for days on which these tyres, which the caller has locked, were not in the store. */
export const releaseUnused = statement({
  name: 'invoicing.releaseUnused',
  parameters: { site: int, tyres: z.array(int), document: text.nullable(), reason: text, actor: int, now: instant },
  row: {
    tyre: int,
    customer: int,
    document: int,
    season: int.nullable(),
    since: date,
    until: date,
    period: int.nullable(),
  },
  sql: `update storage_ledger l set released_at = :now, released_by = :actor, released_reason = :reason
   where l.site_id = :site and l.tyre_id = any (:tyres::int[]) and l.released_at is null and l.document_id is not null
     and l.state = 'charged' and exists (select from stay s where s.site_id = l.site_id and s.tyre_id = l.tyre_id and l.until > s.until)
     and ${unused('l')} <> '{}'
     and (:document::text is null or exists (select from document d
       where d.site_id = l.site_id and d.id = l.document_id and ${documentNumberOf('d')} = :document))
   returning l.tyre_id as tyre, l.customer_id as customer, coalesce(l.document_id, 0) as document, l.season_rule_id as season, l.since, l.until, l.period`,
})

/** Charges again the stored days of released entries, and audits the credit of the rest. */
export const chargeUsed = statement({
  name: 'invoicing.chargeUsed',
  parameters: {
    site: int,
    tyres: z.array(int),
    customers: z.array(int),
    documents: z.array(int),
    seasons: z.array(int.nullable()),
    since: z.array(date),
    until: z.array(date),
    periods: z.array(int.nullable()),
    reason: text,
    actor: int,
    now: instant,
  },
  sql: `with entry as (
     select :site::int as site_id, *
     from unnest(:tyres::int[], :customers::int[], :documents::int[], :seasons::int[], :since::date[], :until::date[], :periods::int[])
       as released(tyre_id, customer_id, document_id, season_rule_id, since, until, period)
   ), used as (
     insert into storage_ledger (site_id, document_id, tyre_id, customer_id, season_rule_id, since, until, period, at, account_id)
     select e.site_id, e.document_id, e.tyre_id, e.customer_id, e.season_rule_id, lower(span), upper(span), e.period, :now, :actor
     from entry e cross join lateral unnest(datemultirange(daterange(e.since, e.until)) - (${unused('e')})) span
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, :actor, :now, 'invoicing.credit', 'customer ' || customer_id,
     jsonb_build_object('tyres', jsonb_agg(distinct tyre_id), 'reason', :reason::text)
   from entry group by site_id, customer_id`,
})
