/** The statements of the owner's figures. Each answer is one of them, in wire form, from the ledgers and events. */
import { z } from 'zod'
import { figureClasses, figureKinds, largestCustomers } from '#domain/money/figures.ts'
import { statement } from '../../db/statement.ts'
import { ageOf, sumsByAge } from '../invoices/balance.sql.ts'
import { answer, date, int, text } from '../../db/types.ts'

const list = (names: readonly string[]): string => `array[${names.map(name => `'${name}'`).join(', ')}]`
/** The classes that have prices of their own, smallest first. */
const classes = list(figureClasses.slice(0, -1))

/**
 * The revenue by month and kind. A stored day of the ledger is the one before the day that is paid, so months begin and end a
 * day earlier there. A document's storage is divided over the days that it charged at first, in whole cents, so that its months add
 * up to it; without any it is of the document's month. Days that are owed or waived are worth
 * what the price of the last of them in their month makes of a day; domain/money/tariff.ts has the order of the prices. In its days of
 * grace, a wheel stored before a season owes nothing of it.
 */
export const revenueByMonth = statement({
  name: 'figures.revenue',
  parameters: { site: int, months: z.array(date), today: date },
  row: answer,
  sql: `
    with month as materialized (
       select month, month - 1 as since, (month + interval '1 month')::date - 1 as until from unnest(:months::date[]) month
       union all select 'infinity', (max(month) + interval '1 month')::date - 1, 'infinity' from unnest(:months::date[]) month
       union all select '-infinity', '-infinity', min(month) - 1 from unnest(:months::date[]) month
     ), settled as materialized (
       -- once for all tyres: asked stay by stay, as owed_days does, it takes seconds
       select tyre_id, range_agg(daterange(since, until)) as paid from storage_ledger
       where site_id = :site and released_at is null group by tyre_id
     ), season as materialized (
       select customer_id, since, until from tariff_rule
       where site_id = :site and mode = 'per_season' and :today::date between since and since + grace_days - 1
     ), span as materialized (
       select 'owed' as state, s.id as stay, lower(days) as since, upper(days) as until
       from stay s left join settled on settled.tyre_id = s.tyre_id
         -- what came before a season may still leave without owing it
         cross join lateral (
           select range_agg(daterange(r.since - 1, r.until)) as still_free from season r
           where s.since < r.since - 1 and (r.customer_id is null or r.customer_id = s.customer_id)) grace
         cross join lateral unnest(datemultirange(daterange(s.since, greatest(s.since, least(s.until, :today::date))))
           - coalesce(settled.paid, '{}') - coalesce(grace.still_free, '{}')) days
       where s.site_id = :site and s.until is null
       union all
       select 'owed', s.id, lower(days), upper(days)
       from stay s left join settled on settled.tyre_id = s.tyre_id
         cross join lateral unnest(datemultirange(daterange(s.since, s.until)) - coalesce(settled.paid, '{}')) days
       where s.site_id = :site and s.until is not null and not s.settled
       union all
       select 'waived', s.id, l.since, l.until from storage_ledger l
         join stay s on s.site_id = l.site_id and s.tyre_id = l.tyre_id and s.since <= l.since and l.since < coalesce(s.until, 'infinity')
       where l.site_id = :site and l.state = 'waived' and l.released_at is null
     ), unit as materialized (
       select state, month, customer_id, vehicle_id, tyre_set is not null as is_set, sum(days) as days, max(days) as longest, max(last) as last,
         bool_or(with_rim) as rimmed, max(size) as size
       from (
         select state, month, s.tyre_id, s.customer_id, s.vehicle_id, s.tyre_set, bool_or(s.with_rim) as with_rim, max(array_position(${classes}, s.size_class)) as size,
           sum(least(span.until, month.until) - greatest(span.since, month.since)) as days, max(least(span.until, month.until)) as last
         from span join month on span.since < month.until and span.until > month.since
           join stay s on s.site_id = :site and s.id = span.stay
         group by state, month, s.tyre_id, s.customer_id, s.vehicle_id, s.tyre_set) by_month
       group by state, month, customer_id, vehicle_id, coalesce(tyre_set, ''), tyre_set is not null, case when tyre_set is null then tyre_id end
     ), price as materialized (
       select customer_id, array_position(${classes}, size_class) as size, per, since, until,
         price_excl / case mode when 'per_day' then 1 when 'per_period' then period else until - since + 1 end as a_day,
         (customer_id is not null)::int * 8 + (size_class is not null)::int * 4 + (per = 'wheel')::int * 2 + 1 as rank
       from tariff_rule where site_id = :site and kind = 'storage'
       union all
       select null, null, case invoicing_quantity when 'per_set' then 'set' else 'tyre' end, null, null,
         invoicing_price_excl / case invoicing_mode when 'per_day' then 1 else invoicing_period end, 0
       from site where id = :site
     ), original as materialized (
       select d.id, d.document_date, (select coalesce(sum(l.quantity * l.price_excl), 0) from document_line l
         where l.site_id = d.site_id and l.document_id = d.id and coalesce(l.kind, 'storage') = 'storage') as amount,
         (select sum(l.until - l.since) from storage_ledger l where l.site_id = d.site_id and l.document_id = d.id and l.at = d.created_at and l.state = 'charged') as days
       from document d where d.site_id = :site and d.withdrawn_at is null and d.reason = 'storage'
         and d.document_date >= (:months::date[])[1] - interval '1 year'
     ), earned as (
       select state, month, 'storage' as kind, sum(amount) as amount
       from (
         select unit.state, unit.month, case p.per when 'vehicle' then max(p.a_day * unit.longest)
           else sum(p.a_day * case when p.per = 'set' and unit.is_set then unit.longest else unit.days end) end as amount
         from unit cross join lateral (
           select per, a_day from price
           where (price.customer_id is null or price.customer_id = unit.customer_id) and (price.size is null or price.size = unit.size)
             and (price.per <> 'wheel' or unit.rimmed) and (price.since is null or price.since <= unit.last)
             and (price.until is null or price.until >= unit.last)
           order by rank desc limit 1) p
         group by unit.state, unit.month, unit.customer_id, unit.vehicle_id, p.per) stored
       group by 1, 2
       union all
       select 'charged', month, 'storage', sum(round(amount * so_far / all_days, 2) - round(amount * (so_far - days) / all_days, 2))
       from (
         select o.amount, o.days as all_days, by_month.month, by_month.days,
           sum(by_month.days) over (partition by o.id order by by_month.month) as so_far
         from original o join (
           select l.document_id, month.month, sum(least(l.until, month.until) - greatest(l.since, month.since)) as days
           from storage_ledger l join month on l.since < month.until and l.until > month.since
           where l.site_id = :site and l.document_id is not null and l.released_at is null and l.state = 'charged'
           group by l.document_id, month.month) by_month on by_month.document_id = o.id
         where o.days > 0 and o.amount > 0) divided
       group by month
       union all
       select 'charged', date_trunc('month', document_date)::date, 'storage', sum(amount) from original where days is null group by 2
       union all
       select coalesce(l.state, 'owed'), date_trunc('month', c.happened_on)::date, c.kind, sum(c.amount_excl)
       from charge c left join charge_ledger l on l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null
       where c.site_id = :site and c.happened_on >= (:months::date[])[1] group by 1, 2, 3
       union all
       select 'owed', '-infinity', 'service', sum(c.amount_excl) from charge c
       where c.site_id = :site and c.happened_on < (:months::date[])[1]
         and not exists (select from charge_ledger l where l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null)
       union all
       select 'charged', date_trunc('month', document_date)::date, 'service', sum(amount_excl) from document
       where site_id = :site and withdrawn_at is null and reason = 'operation' and document_date >= (:months::date[])[1] group by 2
       union all
       select 'charged', date_trunc('month', d.document_date)::date, 'minimum', sum(l.quantity * l.price_excl)
       from document d join document_line l on l.site_id = d.site_id and l.document_id = d.id and l.kind = 'minimum'
       where d.site_id = :site and d.withdrawn_at is null and d.document_date >= (:months::date[])[1] group by 2
     ), summed as materialized (
       select month, kind, coalesce(round(sum(amount) filter (where state = 'owed'), 2), 0) as owed,
         coalesce(round(sum(amount) filter (where state = 'charged'), 2), 0) as charged,
         coalesce(round(sum(amount) filter (where state = 'waived'), 2), 0) as waived
       from earned where amount <> 0 group by month, kind)
     select json_build_object(
       'rows', (select coalesce(json_agg(summed order by month, array_position(${list(figureKinds)}, kind)), '[]') from summed
         where month = any (:months::date[])),
       'months', :months::date[],
       'earlier_owed', (select coalesce(sum(owed), 0) from summed where month = '-infinity'),
       'later_charged', (select coalesce(sum(charged), 0) from summed where month = 'infinity'))::text as json`,
})

/** How many wheels were in store at the end of each week, by the size class of their tyres. */
export const occupancyByWeek = statement({
  name: 'figures.occupancy',
  parameters: { site: int, weeks: z.array(date) },
  row: answer,
  sql: `
    with stored as materialized (
       select tyre_id, since, until from stay where site_id = :site and until is null
       union all
       select tyre_id, since, until from stay where site_id = :site and until is not null and until > (:weeks::date[])[1]
     ), change as materialized (
       select class, nth, sum(wheels)::int as wheels from (
         select coalesce(size_class(a.rim), 'unknown') as class, moved.nth, moved.wheels
         from stored s join tyre t on t.site_id = :site and t.id = s.tyre_id
           join article a on a.site_id = :site and a.id = t.article_id
           cross join lateral (values (width_bucket(s.since - 1, :weeks::date[]) + 1, 1), (width_bucket(s.until - 1, :weeks::date[]) + 1, -1)) moved(nth, wheels)
         where moved.nth is not null) each
       group by class, nth)
     select json_build_object(
       'weeks', :weeks::date[],
       'classes', (select coalesce(json_agg(json_build_object('class', class, 'stored', (
           select json_agg(stored order by nth) from (
             select week.nth, sum(coalesce(c.wheels, 0)) over (order by week.nth) as stored
             from generate_series(1, cardinality(:weeks::date[])) week(nth)
               left join change c on c.nth = week.nth and c.class = known.class) running))
           order by array_position(${list(figureClasses)}, class)), '[]')
         from (select distinct class from change) known),
       'capacity', (select coalesce(sum(capacity), 0) from location where site_id = :site))::text as json`,
})

/** The customers whom documents since a day charge most, and those with most wheels in store. */
export const largest = statement({
  name: 'figures.customers',
  parameters: { site: int, since: date },
  row: answer,
  sql: `
    with stored as materialized (
       select customer_id, count(*)::int as wheels from tyre
       where site_id = :site and status = 'in_stock' and removed_at is null group by 1
     ), charged as materialized (
       select customer_id, sum(amount_excl) as amount from document
       where site_id = :site and withdrawn_at is null and document_date >= :since::date group by 1)
     select json_build_object(
       'customers', (select coalesce(json_agg(listed), '[]') from (
         select c.id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, c.city,
           coalesce(s.wheels, 0) as wheel_count, coalesce(d.amount, 0) as charged_excl
         from stored s full join charged d on d.customer_id = s.customer_id
           join customer c on c.site_id = :site and c.id = coalesce(s.customer_id, d.customer_id)
         order by 5 desc, 4 desc, c.id limit ${largestCustomers}) listed),
       'wheel_count', (select coalesce(sum(wheels), 0) from stored),
       'charged_excl', (select coalesce(sum(amount), 0) from charged))::text as json`,
})

/** Days from the submission of a recall to its delivery, by the month of the delivery. */
export const deliveriesByMonth = statement({
  name: 'figures.deliveries',
  parameters: { site: int, months: z.array(date), timeZone: text },
  row: answer,
  sql: `select json_build_object('months', :months::date[], 'rows', (select coalesce(json_agg(one order by month), '[]') from (
     select date_trunc('month', delivered)::date as month, count(*)::int as recall_count,
       percentile_disc(0.5) within group (order by delivered - asked) as median,
       percentile_disc(0.9) within group (order by delivered - asked) as p90
     from (
       select (handled_at at time zone :timeZone)::date as delivered, (submitted_at at time zone :timeZone)::date as asked
       from operation where site_id = :site and status = 'confirmed' and type = 'to_customer' and submitted_at is not null
         and handled_at >= (:months::date[])[1]::timestamp at time zone :timeZone) recall
     group by 1) one))::text as json`,
})

/** The aged balance of the invoices that the site follows, and the customers who owe most. */
export const unpaidByAge = statement({
  name: 'figures.unpaid',
  parameters: { site: int, today: date },
  row: answer,
  sql: `with aged as materialized (
     select b.customer_id, b.open, ${ageOf('b')} as age
     from invoice_balance b join payment_settings f on f.site_id = b.site_id and b.issued_on >= f.followed_from
     where b.site_id = :site and b.open > 0
   )
   select json_build_object(
     'followed', exists (select from payment_settings where site_id = :site and followed_from is not null),
     'open', (select coalesce(sum(open), 0) from aged), 'ages', (select ${sumsByAge} from aged),
     'customers', (select coalesce(json_agg(json_build_object('seq_id', l.customer_id, 'companyname', coalesce(nullif(c.company, ''), c.name),
         'open', l.open, 'ages', l.ages) order by l.open desc, l.customer_id), '[]')
       from (select customer_id, sum(open) as open, ${sumsByAge} as ages from aged group by customer_id
         order by 2 desc, 1 limit ${largestCustomers}) l join customer c on c.site_id = :site and c.id = l.customer_id))::text as json`,
})
