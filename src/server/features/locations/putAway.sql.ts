/** Where tyres go is one rule, `slots`: what intake suggests is what put-away does (docs/decisions/0018). */
import { z } from 'zod'
import { operationStatuses } from '#domain/operations/operation.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { answer, int } from '../../db/types.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** How many tyres of set `s` fit on location `l`, after the sets `before` it. Where they are too large or too heavy, none. */
const room = `
  select case when s.diameter > l.fit_diameter or s.width > l.fit_width or s.weight > l.fit_weight
      or l.fit_takes <> case when s.rimmed then 'wheel' else 'tyre' end then 0 else l.capacity - l.held - coalesce((select reserved.tyres from reserved where reserved.id = l.id), 0)
    + cardinality(array_positions(s.planned, l.id)) - cardinality(array_positions(before.locations, l.id)) end as tyres`

/**
 * Recursive common table expressions that end in `slot` (tyre, location): where tyres of open operations go, in the order given.
 * The tyres of one set in one operation go together, one set after the other; each finds the room that the sets before it left.
 * Into a place that holds them all: where the rest of their set lies or is to lie, else where they lay last, else where other
 * tyres of the vehicle lay last and made room, else the first on the walk; without such a place into the first shelf that holds them
 * all, else into the first room there is. Room that is reserved for other tyres doesn't count. The subselect of `given` hides the
 * length of the array from the planner, which then keeps one plan: planning takes as long as running.
 */
const slots = `
   given as materialized (
     select g.id, g.nth, t.vehicle_id, t.tyre_set, held.planned_location, g.diameter, g.width, o.with_rims is not null as rimmed,
       g.weight + case when o.with_rims is null then 0 else g.rim_weight end as weight, min(g.nth) over (partition by held.operation_id, t.tyre_set) as first
     from unnest((select :tyres::int[]), :diameters::int[], :widths::int[], :weights::int[], :rimWeights::int[])
         with ordinality as g(id, diameter, width, weight, rim_weight, nth), tyre t, operation_tyre held, operation o
     where o.site_id = :site and o.id = held.operation_id and t.site_id = :site and t.id = g.id and held.site_id = :site and held.tyre_id = g.id and held.open
   ), tyre_set as materialized (
     select row_number() over (order by first) as nth, count(*)::int as size, array_agg(id order by nth) as tyres,
       min(vehicle_id) as vehicle_id, min(tyre_set) as tyre_set, array_agg(planned_location) as planned,
       max(diameter) as diameter, max(width) as width, max(weight) as weight, bool_or(rimmed) as rimmed
     from given group by first
   ), reserved as materialized (
     select held.planned_location as id, count(*)::int as tyres from operation_tyre held
     where held.site_id = :site and held.open and held.planned_location is not null group by 1
   ), step as (
     select 0::bigint as nth, '{}'::int[] as tyres, '{}'::int[] as locations
     union all
     select s.nth, before.tyres || s.tyres, before.locations || put.locations
     from step before, tyre_set s, lateral (
       with preferred as materialized (
         select t.location_id as id, 1 as rank from tyre t
         where t.site_id = :site and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.location_id is not null and t.removed_at is null
         union
         select done.location, 1 from unnest(before.tyres, before.locations) as done(tyre, location), given
         where given.id = done.tyre and given.vehicle_id = s.vehicle_id and given.tyre_set = s.tyre_set and done.location is not null
         union
         select held.planned_location, 1 from tyre t, operation_tyre held
         where t.site_id = :site and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.id <> all (s.tyres)
           and held.site_id = :site and held.tyre_id = t.id and held.open and held.planned_location is not null
         union
         (select e.location_id, 2 from tyre_event e
         where e.site_id = :site and e.tyre_id = any (s.tyres) and e.location_id is not null and coalesce(e.wheel, 'at_place') = 'at_place'
         order by e.at desc limit 1)
         union
         (select e.location_id, 3 from tyre_event e, tyre gone
         where e.site_id = :site and e.vehicle_id = s.vehicle_id and e.location_id is not null and coalesce(e.wheel, 'at_place') = 'at_place'
           and gone.site_id = :site and gone.id = e.tyre_id and gone.status <> 'in_stock'
           and not exists (select from operation_tyre held where held.site_id = :site and held.tyre_id = gone.id and held.open)
         order by e.at desc, e.id desc limit 1)
       ), preferred_place as materialized (
         select l.id, room.tyres as room, l.walk
         from preferred p, location l, lateral (${room}) room
         where l.site_id = :site and l.id = p.id and room.tyres >= s.size
         order by p.rank, l.walk, l.id limit 1
       ), first_place as materialized (
         select l.id, room.tyres as room, l.walk
         from location l, lateral (${room}) room
         where l.site_id = :site and l.held < l.capacity and room.tyres >= s.size
           and not exists (select from preferred_place)
         order by l.walk, l.id limit 1
       ), free as materialized (
         select l.id, l.parent_id, room.tyres as room, l.walk
         from location l, lateral (${room}) room
         where l.site_id = :site and l.held < l.capacity and room.tyres > 0
           and not exists (select from preferred_place) and not exists (select from first_place)
       ), shelf as materialized (
         select parent_id from free where parent_id is not null
         group by parent_id having sum(room) >= s.size order by min(walk), min(id) limit 1
       ), chosen as (
         select id, room, walk from preferred_place
         union all
         select id, room, walk from first_place
         union all
         select id, room, walk from free where case
           when exists (select from shelf) then parent_id = (select parent_id from shelf) else true end
       ), room as (
         select c.id, row_number() over (order by c.walk, c.id) as nth
         from (select * from chosen order by walk, id limit s.size) c, generate_series(1, c.room)
       )
       select array_agg(room.id order by own.nth) as locations from generate_series(1, s.size) own(nth) left join room using (nth)) put
     where s.nth = before.nth + 1
   ), slot as (
     select put.tyre, put.location from (select * from step order by nth desc limit 1) last,
       unnest(last.tyres, last.locations) as put(tyre, location))`

/** Tyres in their order, and of each, where it is known, what it measures in mm and weighs in kg, without its rim and the rim alone. */
const sized = {
  site: int,
  tyres: z.array(int),
  diameters: z.array(int.nullable()),
  widths: z.array(int.nullable()),
  weights: z.array(int.nullable()),
  rimWeights: z.array(int.nullable()),
}

/**
 * Puts tyres of open operations, which lie nowhere yet, away by the rule. Tyres that the warehouse has no room for are stored
 * without a place. They have the rims of their storage from the start, since a stay begins. The caller holds `lockPutAway`, taken by an earlier statement so that this one sees what others have put away.
 */
export const putAway = statement({
  name: 'locations.putAway',
  parameters: sized,
  sql: `with recursive ${slots}
   update tyre t set status = 'in_stock', location_id = slot.location, rims = o.with_rims
   from slot join operation_tyre held on held.site_id = :site and held.tyre_id = slot.tyre and held.open
     join operation o on o.site_id = :site and o.id = held.operation_id
   where t.site_id = :site and t.id = slot.tyre`,
})

/**
 * Puts those tyres away that have a place of their own, scanned or suggested at intake, as far as there is room; returns
 * them. The caller holds `lockPutAway`.
 */
export const putAsPlanned = statement({
  name: 'locations.putAsPlanned',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int },
  sql: `with planned as materialized (
     select held.tyre_id, held.planned_location as id, o.with_rims, row_number() over (partition by held.planned_location order by held.tyre_id) as nth
     from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
     where held.site_id = :site and held.tyre_id = any (:tyres::int[]) and held.open and held.planned_location is not null)
   update tyre t set status = 'in_stock', location_id = l.id, rims = p.with_rims
   from planned p, location l
   where t.site_id = :site and t.id = p.tyre_id and l.site_id = :site and l.id = p.id and p.nth <= l.capacity - l.held
   returning t.id`,
})

/** The same rule for a storage that is being scanned: reserves a place for each of the tyres. The caller holds `lockPutAway`. */
export const reserve = statement({
  name: 'locations.keepFree',
  parameters: sized,
  sql: `with recursive ${slots}
   update operation_tyre held set planned_location = slot.location, placed = false from slot
   where held.site_id = :site and held.tyre_id = slot.tyre and held.open and slot.location is not null`,
})

/** Locks an operation for which places are to be reserved. */
export const lockStorage = statement({
  name: 'locations.lockStorage',
  parameters: { site: int, operation: int },
  row: { status: z.enum(operationStatuses), type: z.enum(operationTypes) },
  sql: `select status, type from operation where site_id = :site and id = :operation for no key update`,
})

/** The tyres of an operation that have no place yet, in the order in which they are put away. */
export const unplannedTyres = statement({
  name: 'locations.unplanned',
  parameters: { site: int, operation: int },
  row: { id: int },
  sql: `select t.id
   from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
   where held.site_id = :site and held.operation_id = :operation and held.open and held.planned_location is null
   order by t.tyre_set, ${tyreOrder('t')}`,
})

/** Where the tyres of an operation are to lie, in wire form. */
export const planOfOperation = statement({
  name: 'locations.plan',
  parameters: { site: int, operation: int },
  row: answer,
  sql: `select coalesce(json_agg(planned), '[]')::text as json from (
     select t.id as db_id, l.id as location, l.site_name as stock_site_name, l.path as stock_rack
     from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
       join location l on l.site_id = held.site_id and l.id = held.planned_location
     where held.site_id = :site and held.operation_id = :operation and held.open order by ${tyreOrder('t')}) planned`,
})
