/** The parts of a customer's fleet that need attention, by the rules of domain/tyres/health.ts. */
import { z } from 'zod'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, text } from '../../db/types.ts'

/** How many vehicles a line names. */
const named = 3

/** A line of the answer: vehicles that have any, how many they have together, and the first plates. */
const line = (count: string): string => `(
  select json_build_object(
    'vehicle_count', count(*), 'finding_count', coalesce(sum(${count}), 0),
    'first_vehicles', (select coalesce(json_agg(json_build_object('flt_id', id, 'license_plate', license_plate)), '[]') from (
      select id, license_plate from judged where ${count} > 0 order by license_plate, id limit ${named}) first))
  from judged where ${count} > 0)`

const bare = (type: string): string => `regexp_replace(${folded(type)}, '[^a-z0-9]', '', 'g')`

/**
 * By what tyres are judged on a day: `listed` are the states that the site lists, without waste; `classes`, `words` and `seasons` are the
 * rules of the day (domain/tyres/health.ts).
 */
const judging = {
  site: int,
  customer: int,
  listed: z.array(z.enum(tyreStatuses)),
  onSnow: z.array(text),
  classes: json,
  words: json,
  seasons: json,
  withDepth: bool,
  today: date,
}

/** The rules of the day as tables: `types`, by type of vehicle in the fleet, and `seasons`. */
const rules = `
    rules as materialized (
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
    seasons as materialized (
      select * from json_to_record(:seasons::json) as s ("allSeason" int, snow int, "snowInTurns" int, other int, "otherInTurns" int))`

/** The tyres `t` of a vehicle `v` of a type in `types` and a customer `c`, but for waste, and their limits `s`. */
const limitedTyres = `tyre t
          cross join lateral (select coalesce(t.season = any (:onSnow::text[]), false) as on_snow) o
          cross join lateral (
            select o.on_snow, case when o.on_snow then types."legalOnSnow" else types.legal end as legal,
              case when o.on_snow then greatest(types."wantedOnSnow", c.min_tread_winter)
                else greatest(types.wanted, c.min_tread_summer) end as wanted) s
          where t.site_id = :site and t.vehicle_id = v.id and t.removed_at is null and t.status <> 'waste'`

/** Days of use since the newest reading: domain/tyres/wear.ts `usedUntil`. */
const usedDays = `(:today::date - f.read_on - f.paused - greatest(0, :today::date - f.paused_since))`

/** Days of use that are left of the season of a tyre `t`: `onSnow` says whether it is for snow. */
const daysLeft = (onSnow: string): string => `case
                when t.season = 'all_season' then d."allSeason"
                when ${onSnow} then case when f.turns then d."snowInTurns" else d.snow end
                when f.turns then d."otherInTurns" else d.other end`

/**
 * The same tyres with their findings. A tyre is `reaching` when it is not below its limit today and as likely as not will be before its
 * season ends: `reachesThisSeason` in domain/tyres/wear.ts, applied to the stored forecast. A spare is not driven.
 */
const tyresOfVehicle = `
          select t.id, t.season, t.status, t.status_date, t.status = any (:listed::text[]) as listed, t.profile_depth as depth,
            s.on_snow, s.legal, s.wanted,
            t.status <> 'on_spare' and (t.profile_depth = s.wanted or t.profile_depth > s.wanted and (
              select f.middle - ${usedDays} <= ${daysLeft('s.on_snow')}
              from tyre_forecast f, seasons d where f.site_id = t.site_id and f.tyre_id = t.id and f.limit_mm = s.wanted)) as reaching
          from ${limitedTyres}`

/**
 * The answer for a customer; no row: there is no such customer. Tyres are looked up vehicle by vehicle (fleet's vehicleColumns.sql.ts
 * says why). Lines of depth are null where the site hides it, those of the hotel where there is none.
 */
export const healthOfCustomer = statement({
  name: 'fleet.health',
  parameters: { ...judging, hotel: bool, longSince: date, now: instant, timeZone: text },
  row: answer,
  sql: `
    with ${rules},
    judged as materialized (
      select v.id, v.license_plate,
        case when types.wears and not held.snow then 1 else 0 end as without_winter,
        case when types.winter and not held.snow then 1 else 0 end as lacking_winter,
        held.illegal, held.worn, held.reaching, held.unmeasured, held.stored, sets.incomplete
      from vehicle v
      join types on types.type = v.type
      join customer c on c.site_id = v.site_id and c.id = v.customer_id
      left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
      cross join lateral (
        select coalesce(bool_or(on_snow), false) as snow,
          count(*) filter (where listed and depth < legal) as illegal,
          count(*) filter (where listed and depth >= legal and depth < wanted) as worn,
          count(*) filter (where listed and reaching) as reaching,
          count(*) filter (where listed and depth is null) as unmeasured,
          count(*) filter (where status = 'in_stock' and status_date <= :longSince) as stored
        from (${tyresOfVehicle}) tyre) held
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
      where v.site_id = :site and v.customer_id = :customer and v.removed_at is null and v.left_on is null)
    select json_build_object(
      'illegal', case when :withDepth then ${line('illegal')} end,
      'worn', case when :withDepth then ${line('worn')} end,
      'reaching', case when :withDepth then ${line('reaching')} end,
      'unmeasured', case when :withDepth then ${line('unmeasured')} end,
      'lackingWinter', ${line('lacking_winter')},
      'withoutWinter', ${line('without_winter')},
      'longStored', case when :hotel then ${line('stored')} end,
      'incomplete', ${line('incomplete')},
      'delivered', case when :hotel then (
        select json_build_object('operation_count', count(*), 'tyre_count', coalesce(sum(o.tyre_count), 0)) from operation o
        where o.site_id = :site and o.customer_id = :customer and o.type = 'to_customer' and o.status = 'confirmed'
          and o.handled_at >= ((:now::timestamptz at time zone :timeZone)::date - 6)::timestamp at time zone :timeZone) end)::text as json
    from customer where site_id = :site and id = :customer`,
})

/** The stored forecast `f` of a tyre `t`, in the form of domain/tyres/wear.ts. */
const kept = (
  tyre: string,
): string => `json_build_object('tyre', ${tyre}.id, 'season', ${tyre}.season, 'kept', json_build_object(
        'limit', f.limit_mm, 'read', f.read_on, 'low', f.low, 'middle', f.middle, 'high', f.high, 'turns', f.turns, 'paused', f.paused,
        'pausedSince', f.paused_since))`

/** The tyres of a customer that its line `reaching` counts, and the forecasts of those that are above their limit. */
export const reachingOfCustomer = statement({
  name: 'fleet.reaching',
  parameters: judging,
  row: answer,
  sql: `
    with ${rules}
    select (
      select json_build_object('tyres', coalesce(json_agg(tyre.id order by tyre.id), '[]'),
        'forecasts', coalesce(json_agg(${kept('tyre')} order by tyre.id) filter (where tyre.depth > tyre.wanted), '[]'))
      from vehicle v
      join types on types.type = v.type
      join customer c on c.site_id = v.site_id and c.id = v.customer_id
      cross join lateral (${tyresOfVehicle}) tyre
      left join tyre_forecast f on f.site_id = :site and f.tyre_id = tyre.id and f.limit_mm = tyre.wanted
      where v.site_id = :site and v.customer_id = :customer and v.removed_at is null and v.left_on is null and :withDepth and tyre.listed and tyre.reaching)::text as json
    from customer where site_id = :site and id = :customer`,
})

/**
 * The forecasts of a customer's tyres that are above their limit, and may be at it before the days of use in `seasons` have gone by:
 * domain/tyres/wear.ts `mayReachBy`. A spare is not driven.
 */
export const nearingOfCustomer = statement({
  name: 'fleet.nearing',
  parameters: judging,
  row: answer,
  sql: `
    with ${rules}
    select (
      select coalesce(json_agg(${kept('t')} order by t.id), '[]')
      from vehicle v
      join types on types.type = v.type
      join customer c on c.site_id = v.site_id and c.id = v.customer_id
      cross join lateral (select t.*, s.on_snow, s.wanted from ${limitedTyres}) t
      join tyre_forecast f on f.site_id = :site and f.tyre_id = t.id and f.limit_mm = t.wanted
      cross join seasons d
      where v.site_id = :site and v.customer_id = :customer and v.removed_at is null and :withDepth
        and t.status = any (:listed::text[]) and t.status <> 'on_spare' and t.profile_depth > t.wanted and f.low - ${usedDays} <= ${daysLeft('t.on_snow')})::text as json
    from customer where site_id = :site and id = :customer`,
})
