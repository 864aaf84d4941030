/** The inputs of the forecast of a tyre's wear (docs/wear.md). */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { stands } from './tyres.sql.ts'
import { answer, bool, decimal, int, json, text } from '../../db/types.ts'

/** The readings of tyres `t` in use, the times in which they were in store and on vehicles, and what they are on. Days are those of the site. */
const wornOf = (which: string): string => `with asked as materialized (
     select t.site_id, t.id, t.customer_id, t.vehicle_id, t.position, t.season from tyre t
     where t.site_id = :site and ${which} and t.removed_at is null and t.status <> 'waste'),
   event as materialized (
     select e.tyre_id, e.kind, e.status, e.depth, e.odometer, e.at, e.id, (e.at at time zone :timeZone)::date as day
     from asked a join tyre_event e on e.site_id = a.site_id and e.tyre_id = a.id
     where e.status is not null or e.kind = 'measured' and ${stands('e')}),
   stay as (
     select tyre_id, status, day as "from", lead(day) over (partition by tyre_id order by at, id) as until
     from event where status is not null)
   select coalesce(json_agg(wire), '[]')::text as json from (
     select a.id as tyre, a.position, a.season, v.type, v.yearly_distance as yearly, g.axles, c.min_tread_summer as summer, c.min_tread_winter as winter,
       (select coalesce(json_agg(json_build_object('date', day, 'depth', depth, 'odometer', odometer) order by at, id), '[]')
        from event e where e.tyre_id = a.id and kind = 'measured' and depth is not null) as readings,
       (select coalesce(json_agg(json_build_object('from', "from", 'until', until) order by "from"), '[]')
        from stay s where s.tyre_id = a.id and s.status = 'in_stock') as pauses,
       (select coalesce(json_agg(json_build_object('since', m.since, 'until', m.until, 'readings', (
           select coalesce(json_agg(json_build_object('day', o.day, 'km', o.km) order by o.day, o.km), '[]') from odometer o
           where o.site_id = m.site_id and o.vehicle_id = m.vehicle_id and o.withdrawn_at is null)) order by m.since), '[]')
        from mount m where m.site_id = a.site_id and m.tyre_id = a.id and m.withdrawn is null) as mounted
     from asked a
       join customer c on c.site_id = a.site_id and c.id = a.customer_id
       join vehicle v on v.site_id = a.site_id and v.id = a.vehicle_id
       left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
     order by a.id) wire`

export const worn = statement({
  name: 'tyres.worn',
  parameters: { site: int, tyres: z.array(int), timeZone: text },
  row: answer,
  sql: wornOf('t.id = any (:tyres::int[])'),
})
export const wornOnVehicles = statement({
  name: 'tyres.wornOnVehicles',
  parameters: { site: int, vehicles: z.array(int), timeZone: text },
  row: answer,
  sql: wornOf('t.vehicle_id = any (:vehicles::int[])'),
})

/** The sites at which something has to be forecast again, and what they go by. Needs the scope of the system. */
export const sitesToForecast = statement({
  name: 'tyres.sitesToForecast',
  row: {
    site: int,
    timeZone: text,
    minTreadSummer: decimal,
    minTreadWinter: decimal,
    minTreadTruckSummer: decimal,
    minTreadTruckWinter: decimal,
  },
  sql: `select s.id as site, s.time_zone as "timeZone", s.min_tread_summer as "minTreadSummer", s.min_tread_winter as "minTreadWinter",
     s.min_tread_truck_summer as "minTreadTruckSummer", s.min_tread_truck_winter as "minTreadTruckWinter"
   from site s where exists (select from forecast_due d where d.site_id = s.id) order by s.id`,
})

/** One node forecasts for a site at a time: one that began before a reading came could else be the last to write. */
export const claim = statement({
  name: 'tyres.claimForecasts',
  parameters: { site: int },
  row: { claimed: bool },
  sql: `select pg_try_advisory_xact_lock(hashtext('wheelhouse forecasts'), :site) as claimed`,
})

/** All vehicles of a site are due, where it is the site that has changed. */
export const spreadDue = statement({
  name: 'tyres.spreadDue',
  parameters: { site: int },
  sql: `with whole as (delete from forecast_due where site_id = :site and vehicle_id is null returning id)
   insert into forecast_due (site_id, vehicle_id)
   select v.site_id, v.id from vehicle v where v.site_id = :site and v.removed_at is null and exists (select from whole) order by v.id`,
})

/** Takes what has been due longest: the vehicles. */
export const takeDue = statement({
  name: 'tyres.takeDue',
  parameters: { site: int, most: int },
  row: { vehicle: int },
  sql: `with taken as (
     delete from forecast_due where site_id = :site and id in (
       select id from forecast_due where site_id = :site and vehicle_id is not null order by id limit :most)
     returning vehicle_id)
   select distinct coalesce(vehicle_id, 0) as vehicle from taken order by 1`,
})

/** Keeps the forecasts of the tyres of vehicles, and no others of them. Returns the customers for whom something has changed. */
export const keepForecasts = statement({
  name: 'tyres.keepForecasts',
  parameters: { site: int, vehicles: z.array(int), forecasts: json },
  row: { customer: int },
  sql: `with said as materialized (
     select * from json_to_recordset(:forecasts::json) as f (tyre int, "limit" numeric, read date, low int, middle int, high int,
       turns boolean, paused int, "pausedSince" date)),
   -- a few dozen, by the index of what is not removed: all tyres of the site would otherwise be read
   held as materialized (select id, customer_id from tyre
     where site_id = :site and vehicle_id = any (:vehicles::int[]) and removed_at is null),
   gone as (
     delete from tyre_forecast f using held
     where f.site_id = :site and f.tyre_id = held.id
       and not exists (select from said where said.tyre = f.tyre_id and said."limit" = f.limit_mm)
     returning f.customer_id),
   kept as (
     insert into tyre_forecast as f (site_id, tyre_id, customer_id, limit_mm, read_on, low, middle, high, turns, paused, paused_since)
     select :site, held.id, held.customer_id, said."limit", said.read, said.low, said.middle, said.high, said.turns, said.paused,
       said."pausedSince"
     from said join held on held.id = said.tyre
     on conflict (site_id, tyre_id, limit_mm) do update set read_on = excluded.read_on, low = excluded.low, middle = excluded.middle,
       high = excluded.high, turns = excluded.turns, paused = excluded.paused, paused_since = excluded.paused_since
     where (f.read_on, f.low, f.middle, f.high, f.turns, f.paused, f.paused_since)
       is distinct from (excluded.read_on, excluded.low, excluded.middle, excluded.high, excluded.turns, excluded.paused,
         excluded.paused_since)
     returning f.customer_id)
   select customer_id as customer from gone union select customer_id from kept order by 1`,
})
