/** The statements that charge what happens, each thing once (docs/decisions/0060). */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { date, instant, int, text } from '../../db/types.ts'

/** Whether rule `r` is one for a customer, and holds on a day. */
const holds = (r: string, { customer, day }: { customer: string; day: string }): string =>
  `(${r}.customer_id is null or ${r}.customer_id = ${customer}) and ${day} >= ${r}.since and ${day} <= coalesce(${r}.until, 'infinity'::date)`

/**
 * Charges what operations that were just confirmed cost: their services, and each tyre that became waste. A service that stands on the
 * document of its operation with a price is charged by that. By a price of 0 nothing is charged.
 */
export const chargeOperations = statement({
  name: 'tariff.chargeOperations',
  parameters: { site: int, operations: z.array(int), actor: int, now: instant, timeZone: text },
  sql: `with done as materialized (
     select o.site_id, o.id, o.customer_id, o.vehicle_id, o.type, o.tyre_count, (:now::timestamptz at time zone :timeZone)::date as day
     from operation o where o.site_id = :site and o.id = any (:operations::int[]) and o.status = 'confirmed'
   ), service_done as (
     select distinct on (o.id, s.id) o.*, null::int as tyre_id, 'service' as kind, 'service/' || o.id || '/' || s.id as cause, r.id as rule_id,
       case r.per when 'tyre' then o.tyre_count else 1 end as quantity, r.price_excl, r.vat_rate
     from done o join operation_service held on held.site_id = o.site_id and held.operation_id = o.id
       join service s on s.site_id = held.site_id and s.id = held.service_id
       join tariff_rule r on r.site_id = o.site_id and r.kind = 'service' and r.service_id = s.id
         and ${holds('r', { customer: 'o.customer_id', day: 'o.day' })}
     where not (s.price_excl > 0 and s.article_insertion_method <> 'text_line' and exists (
       select from document d where d.site_id = o.site_id and d.operation_id = o.id and d.reason = 'operation'))
     order by o.id, s.id, r.customer_id nulls last
   ), wasted as (
     select distinct on (o.id, held.tyre_id) o.*, held.tyre_id, 'disposal' as kind, 'disposal/' || o.id || '/' || held.tyre_id as cause,
       r.id as rule_id, 1 as quantity, r.price_excl, r.vat_rate
     from done o join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.missing_at is null
       join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
       left join article a on a.site_id = t.site_id and a.id = t.article_id
       join tariff_rule r on r.site_id = o.site_id and r.kind = 'disposal' and (r.size_class is null or r.size_class = size_class(a.rim))
         and ${holds('r', { customer: 'o.customer_id', day: 'o.day' })}
     where o.type = 'to_waste'
     order by o.id, held.tyre_id, r.customer_id nulls last, r.size_class nulls last
   )
   insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, account_id, vehicle_id, operation_id, tyre_id,
     quantity, price_excl, vat_rate)
   select site_id, customer_id, kind, cause, rule_id, day, :now, :actor, vehicle_id, id, tyre_id, quantity, price_excl, vat_rate
   from (select * from service_done union all select * from wasted) happened where price_excl > 0
   on conflict on constraint charge_cause do nothing`,
})

/** Notes that nobody was there for a delivery of this day, and charges it. No row: it was noted before. */
export const noteNoShow = statement({
  name: 'tariff.noShow',
  parameters: { site: int, operation: int, day: date, actor: int, now: instant },
  row: { charged: int },
  sql: `with noted as (
     insert into no_show (site_id, operation_id, day, customer_id, at, account_id)
     select o.site_id, o.id, :day, o.customer_id, :now, :actor from operation o where o.site_id = :site and o.id = :operation
     on conflict do nothing returning *
   ), missed as (
     select n.site_id, n.customer_id, o.vehicle_id, o.id as operation_id, n.day, r.id as rule_id, r.price_excl, r.vat_rate
     from noted n join operation o on o.site_id = n.site_id and o.id = n.operation_id
       join tariff_rule r on r.site_id = n.site_id and r.kind = 'no_show' and ${holds('r', { customer: 'n.customer_id', day: 'n.day' })}
     order by r.customer_id nulls last limit 1
   ), charged as (
     insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, account_id, vehicle_id, operation_id, quantity,
       price_excl, vat_rate)
     select site_id, customer_id, 'no_show', 'no_show/' || operation_id || '/' || day, rule_id, day, :now, :actor, vehicle_id, operation_id, 1,
       price_excl, vat_rate
     from missed where price_excl > 0 returning id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, 'operation.noshow', 'operation ' || operation_id, jsonb_build_object('date', day) from noted
   )
   select (select count(*)::int from charged) as charged from noted`,
})

/**
 * Charges the wheels that have been stored for too long by now, of some customers or with null of all: each stay once for a number of
 * days, on the day after them. Also stays that ended later.
 */
export const chargeOverstays = statement({
  name: 'tariff.overstays',
  parameters: { site: int, customers: z.array(int).nullable(), today: date, now: instant },
  sql: `insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, vehicle_id, tyre_id, quantity, price_excl, vat_rate)
   select site_id, customer_id, 'overstay', cause, rule_id, day, :now, vehicle_id, tyre_id, 1, price_excl, vat_rate
   from (
     select distinct on (s.id, r.after_days) s.site_id, s.customer_id, 'overstay/' || s.id || '/' || r.after_days as cause, r.id as rule_id,
       s.since + r.after_days + 1 as day, s.vehicle_id, s.tyre_id, r.price_excl, r.vat_rate
     from tariff_rule r join stay s on s.site_id = r.site_id
     where r.site_id = :site and r.kind = 'overstay' and (:customers::int[] is null or s.customer_id = any (:customers::int[]))
       and s.since + r.after_days + 1 <= least(coalesce(s.until, 'infinity'::date), :today::date)
       and (r.size_class is null or r.size_class = s.size_class)
       and ${holds('r', { customer: 's.customer_id', day: 's.since + r.after_days + 1' })}
     order by s.id, r.after_days, r.customer_id nulls last, r.size_class nulls last) passed
   where price_excl > 0
   on conflict on constraint charge_cause do nothing`,
})

/** The sites where something costs more when it is stored for too long. */
export const sitesWithOverstays = statement({
  name: 'tariff.sitesWithOverstays',
  row: { site: int, timeZone: text },
  sql: `select s.id as site, s.time_zone as "timeZone" from site s
   where s.retired_at is null and exists (select from tariff_rule r where r.site_id = s.id and r.kind = 'overstay') order by s.id`,
})
