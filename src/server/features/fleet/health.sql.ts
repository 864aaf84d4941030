/** What of a customer's fleet needs attention, by the rules of domain/health.ts. */
import { z } from 'zod'
import { tyreStatuses } from '#domain/tyre.ts'
import { folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, text } from '../../db/types.ts'

/** How many vehicles a line names. */
const named = 3

/** A line of the answer: vehicles that have any, how many they have together, and the first plates. */
const line = (count: string): string => `(
  select json_build_object(
    'vehicles', count(*), 'count', coalesce(sum(${count}), 0),
    'first', (select coalesce(json_agg(json_build_object('flt_id', id, 'license_plate', license_plate)), '[]') from (
      select id, license_plate from judged where ${count} > 0 order by license_plate, id limit ${named}) first))
  from judged where ${count} > 0)`

const bare = (type: string): string => `regexp_replace(${folded(type)}, '[^a-z0-9]', '', 'g')`

/**
 * The answer for a customer; no row: there is no such customer. Tyres are looked up vehicle by vehicle (fleet's vehicleColumns.sql.ts
 * says why). `classes` and `words` are the rules of the day; `listed` are the states that the site lists, without waste. Lines of
 * depth are null where the site hides it, those of the hotel where there is none.
 */
export const healthOfCustomer = statement({
  name: 'fleet.health',
  parameters: {
    site: int,
    customer: int,
    withDepth: bool,
    hotel: bool,
    listed: z.array(z.enum(tyreStatuses)),
    onSnow: z.array(text),
    classes: json,
    words: json,
    longSince: date,
    now: instant,
    timeZone: text,
  },
  row: answer,
  sql: `
    with rules as materialized (
      select * from json_to_recordset(:classes::json) as r (class text, whole boolean, winter boolean, wears boolean,
        "legalOnSnow" numeric, legal numeric, "wantedOnSnow" numeric, wanted numeric)),
    words as materialized (select word, class from json_to_recordset(:words::json) as w (word text, class text)),
    types as materialized (
      select found.type, r.* from (
        select type, coalesce(
          (select class from words where word = ${bare('type')}),
          (select class from words where word = ${bare("regexp_replace(type, '[(,;/].*$', '')")}), 'unknown') as class
        from (select distinct type from vehicle
          where site_id = :site and customer_id = :customer and removed_at is null) used) found
      join rules r on r.class = found.class),
    judged as materialized (
      select v.id, v.license_plate,
        case when types.wears and not held.snow then 1 else 0 end as without_winter,
        case when types.winter and not held.snow then 1 else 0 end as lacking_winter,
        held.illegal, held.worn, held.unmeasured, held.stored, sets.incomplete
      from vehicle v
      join types on types.type = v.type
      join customer c on c.site_id = v.site_id and c.id = v.customer_id
      left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
      cross join lateral (
        select coalesce(bool_or(on_snow), false) as snow,
          count(*) filter (where listed and depth < legal) as illegal,
          count(*) filter (where listed and depth >= legal and depth < wanted) as worn,
          count(*) filter (where listed and depth is null) as unmeasured,
          count(*) filter (where status = 'in_stock' and status_date <= :longSince) as stored
        from (
          select t.status, t.status_date, t.status = any (:listed::text[]) as listed, t.profile_depth as depth, s.on_snow,
            case when s.on_snow then types."legalOnSnow" else types.legal end as legal,
            case when s.on_snow then greatest(types."wantedOnSnow", c.min_tread_winter)
              else greatest(types.wanted, c.min_tread_summer) end as wanted
          from tyre t cross join lateral (select coalesce(t.season = any (:onSnow::text[]), false) as on_snow) s
          where t.site_id = :site and t.vehicle_id = v.id and t.removed_at is null and t.status <> 'waste') tyre) held
      cross join lateral (
        select count(*) as incomplete from (
          select array_agg(distinct t.position) as taken, array_agg(distinct substring(t.position from '^[0-9]+')::int) as touched
          from tyre t
          where t.site_id = :site and t.vehicle_id = v.id and t.removed_at is null and t.status <> 'waste' and t.tyre_set is not null
          group by t.tyre_set) of_set
        where cardinality(taken) < (
          select sum((wheels.of ->> 0)::int + (wheels.of ->> 1)::int)
          from jsonb_array_elements(wheels_of(g.axles)) with ordinality as wheels (of, axle)
          where types.whole or axle = any (touched))) sets
      where v.site_id = :site and v.customer_id = :customer and v.removed_at is null)
    select json_build_object(
      'illegal', case when :withDepth then ${line('illegal')} end,
      'worn', case when :withDepth then ${line('worn')} end,
      'unmeasured', case when :withDepth then ${line('unmeasured')} end,
      'lackingWinter', ${line('lacking_winter')},
      'withoutWinter', ${line('without_winter')},
      'longStored', case when :hotel then ${line('stored')} end,
      'incomplete', ${line('incomplete')},
      'delivered', case when :hotel then (
        select json_build_object('operations', count(*), 'tyres', coalesce(sum(o.tyre_count), 0)) from operation o
        where o.site_id = :site and o.customer_id = :customer and o.type = 'to_customer' and o.status = 'confirmed'
          and o.handled_at >= ((:now::timestamptz at time zone :timeZone)::date - 6)::timestamp at time zone :timeZone) end)::text as json
    from customer where site_id = :site and id = :customer`,
})
