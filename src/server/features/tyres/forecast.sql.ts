/** What the forecast of a tyre's wear depends on (docs/wear.md). */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { answer, int, text } from '../../db/types.ts'

/** The readings of tyres in use, the times in which they were in store, and what they are on. Days are those of the site. */
export const worn = statement({
  name: 'tyres.worn',
  parameters: { site: int, tyres: z.array(int), timeZone: text },
  row: answer,
  sql: `with asked as materialized (
     select t.site_id, t.id, t.customer_id, t.vehicle_id, t.position, t.season from tyre t
     where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null and t.status <> 'waste'),
   event as materialized (
     select e.tyre_id, e.kind, e.status, e.depth, e.odometer, e.at, e.id, (e.at at time zone :timeZone)::date as day
     from asked a join tyre_event e on e.site_id = a.site_id and e.tyre_id = a.id
     where e.status is not null or e.kind = 'measured'),
   stay as (
     select tyre_id, status, day as "from", lead(day) over (partition by tyre_id order by at, id) as until
     from event where status is not null)
   select coalesce(json_agg(wire), '[]')::text as json from (
     select a.id as tyre, a.position, a.season, v.type, g.axles, c.min_tread_summer as summer, c.min_tread_winter as winter,
       (select coalesce(json_agg(json_build_object('date', day, 'depth', depth, 'odometer', odometer) order by at, id), '[]')
        from event e where e.tyre_id = a.id and kind = 'measured' and depth is not null) as readings,
       (select coalesce(json_agg(json_build_object('from', "from", 'until', until) order by "from"), '[]')
        from stay s where s.tyre_id = a.id and s.status = 'in_stock') as pauses
     from asked a
       join customer c on c.site_id = a.site_id and c.id = a.customer_id
       join vehicle v on v.site_id = a.site_id and v.id = a.vehicle_id
       left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
     order by a.id) wire`,
})
