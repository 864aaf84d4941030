/** The statements of the warehouse: its tree, and tyres that are moved in it. */
import { z } from 'zod'
import { locationKinds, placeTakes } from '#domain/warehouse/location.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { maxTyresListed } from '#contract/locations.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, instant, int, text, uuid } from '../../db/types.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The parameters of a statement about one location, or about it and everything below it. */
const oneLocation = { site: int, location: int }

// Moving --------------------------------------------------------------------------------------------------------------

/** Records the scan of a location. No row: it was recorded before. */
export const recordScan = statement({
  name: 'locations.noteScan',
  parameters: { site: int, scan: uuid, location: int, actor: int, scannedAt: instant },
  row: { id: uuid },
  sql: `insert into location_scan (site_id, id, location_id, account_id, scanned_at) values (:site, :scan, :location, :actor, :scannedAt)
   on conflict do nothing returning id`,
})

/** Locks the open operations of tyres, so that none of them is handled meanwhile. */
export const lockOperationsOf = statement({
  name: 'locations.lockOperations',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int },
  sql: `select o.id from operation o
   where o.site_id = :site and exists (
     select from operation_tyre held
     where held.site_id = :site and held.operation_id = o.id and held.open and held.tyre_id = any (:tyres::int[]))
   order by o.id for no key update`,
})

/** Locks tyres. `coming`: about to be stored. */
export const lockTyresWithLocation = statement({
  name: 'locations.lockTyres',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int, customer: int, status: z.enum(tyreStatuses), location: int.nullable(), coming: bool },
  sql: `with locked as materialized (
     select t.id, t.customer_id, t.status, t.location_id from tyre t
     where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null order by t.id for no key update)
   select locked.id, locked.customer_id as customer, locked.status, locked.location_id as location,
     exists (select from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
       where held.site_id = :site and held.tyre_id = locked.id and held.open and o.status = 'submitted' and o.type = 'to_stock') as coming
   from locked`,
})

/**
 * A location and how many tyres fit on it beside those that lie there or have it reserved, not counting these tyres' reservations. On a
 * cart or a lane: beside the other wheels that are on it.
 */
export const roomAt = statement({
  name: 'locations.room',
  parameters: { ...oneLocation, tyres: z.array(int) },
  row: { kind: z.enum(locationKinds), stock_site_name: text, stock_rack: text, room: int },
  sql: `select l.kind, l.site_name as stock_site_name, l.path as stock_rack, case when l.kind in ('cart', 'lane') then l.carries - (
     select count(*)::int from wheel w where w.site_id = :site and w.location_id = l.id and w.tyre_id <> all (:tyres::int[]))
   else l.capacity - l.held - (
     select count(*)::int from operation_tyre held
     where held.site_id = :site and held.planned_location = l.id and held.open and held.tyre_id <> all (:tyres::int[])) end as room
   from location l where l.site_id = :site and l.id = :location`,
})

/**
 * Takes tyres that are still to come off the places on which they were put; the places stay reserved for them. Audits for each customer
 * the tyres put on a cart or a lane.
 */
export const loadCarrier = statement({
  name: 'locations.carry',
  parameters: { ...oneLocation, tyres: z.array(int), actor: int, now: instant },
  sql: `with taken as (
     update operation_tyre set placed = false where site_id = :site and tyre_id = any (:tyres::int[]) and open and placed
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'location.move', 'location ' || :location::int, jsonb_build_object('carried', jsonb_agg(id))
   from tyre where site_id = :site and id = any (:tyres::int[]) group by customer_id`,
})

/**
 * Puts tyres that are in stock on a location, and reserves it for those that are still to come and lie there now. Each move is in the history of
 * its tyre; there is one audit row for each customer.
 */
export const moveTo = statement({
  name: 'locations.move',
  parameters: { ...oneLocation, stored: z.array(int), coming: z.array(int), actor: int, now: instant },
  sql: `with moved as (
     update tyre set location_id = :location where site_id = :site and id = any (:stored::int[])
     returning id, customer_id, vehicle_id, status, profile_depth
   ), planned as (
     update operation_tyre set planned_location = :location, placed = true
     where site_id = :site and tyre_id = any (:coming::int[]) and open
     returning tyre_id as id, customer_id
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, depth)
     select :site, id, customer_id, vehicle_id, 'moved', :now, :actor, status, :location, profile_depth from moved
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'location.move', 'location ' || :location::int,
     jsonb_build_object('moved', coalesce(jsonb_agg(id) filter (where here), '[]'), 'planned', coalesce(jsonb_agg(id) filter (where not here), '[]'))
   from (select id, customer_id, true as here from moved union all select id, customer_id, false from planned) put group by customer_id`,
})

/** Where the wheels of tyres are, and the place that the records have for them or keep free. The caller has locked the tyres. */
export const whereaboutsOf = statement({
  name: 'locations.whereabouts',
  parameters: { site: int, tyres: z.array(int) },
  row: { db_id: int, state: z.enum(wheelStates), location: int.nullable(), kept: int.nullable() },
  sql: `select w.tyre_id as db_id, w.state, w.location_id as location, coalesce(t.location_id, held.planned_location) as kept
   from wheel w join tyre t on t.site_id = w.site_id and t.id = w.tyre_id
     left join operation_tyre held on held.site_id = w.site_id and held.tyre_id = w.tyre_id and held.open
   where w.site_id = :site and w.tyre_id = any (:tyres::int[]) order by w.tyre_id`,
})

/** Of these wheels, those that this account put on the location last, and that are there still. The caller has locked their tyres. */
export const putThere = statement({
  name: 'locations.putThere',
  parameters: { ...oneLocation, tyres: z.array(int), actor: int },
  row: { tyre: int },
  sql: `select w.tyre_id as tyre from wheel w
     cross join lateral (
       select e.account_id, e.location_id, e.wheel from tyre_event e
       where e.site_id = w.site_id and e.tyre_id = w.tyre_id and e.kind = 'wheel' order by e.id desc limit 1) last
   where w.site_id = :site and w.tyre_id = any (:tyres::int[]) and w.location_id = :location
     and last.account_id = :actor and last.location_id = :location and last.wheel = w.state`,
})

/**
 * Gives tyres the place back that the records had for them, or none: those in stock lie there, for those that are coming it is kept
 * free. `placed`: they were on it already.
 */
export const bookBack = statement({
  name: 'locations.unmove',
  parameters: {
    site: int,
    location: int,
    kept: int.nullable(),
    placed: bool,
    stored: z.array(int),
    coming: z.array(int),
    actor: int,
    now: instant,
  },
  sql: `with moved as (
     update tyre set location_id = :kept where site_id = :site and id = any (:stored::int[]) and location_id is distinct from :kept
     returning id, customer_id, vehicle_id, status, profile_depth
   ), planned as (
     update operation_tyre set planned_location = :kept, placed = :placed
     where site_id = :site and tyre_id = any (:coming::int[]) and open
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, depth)
     select :site, id, customer_id, vehicle_id, 'moved', :now, :actor, status, :kept, profile_depth from moved
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'location.unmove', 'location ' || :location::int, jsonb_build_object('tyres', jsonb_agg(id order by id))
   from tyre where site_id = :site and id = any (:stored::int[] || :coming::int[]) group by customer_id`,
})

/**
 * The tyres, by set, that belong with these in one operation and lie nowhere yet, and whose place is not this location either: what a
 * scanned place is for, too. The tyres that an operation has of no set belong together.
 */
export const restOfSets = statement({
  name: 'locations.restOfSets',
  parameters: { ...oneLocation, tyres: z.array(int) },
  row: { tyres: z.array(int).nullable() },
  sql: `with put as (
     select distinct held.operation_id, t.tyre_set from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
     where held.site_id = :site and held.tyre_id = any (:tyres::int[]) and held.open)
   select array_agg(t.id order by ${tyreOrder('t')}) as tyres
   from put join operation_tyre held on held.site_id = :site and held.operation_id = put.operation_id and held.open
     join tyre t on t.site_id = :site and t.id = held.tyre_id and t.tyre_set is not distinct from put.tyre_set
   where not (held.placed and held.planned_location is not null) and held.planned_location is distinct from :location
     and held.tyre_id <> all (:tyres::int[])
   group by put.operation_id, put.tyre_set order by put.operation_id, put.tyre_set`,
})

/** Reserves a location for tyres that are still to come. */
export const planAt = statement({
  name: 'locations.planAt',
  parameters: { ...oneLocation, tyres: z.array(int) },
  sql: `update operation_tyre set planned_location = :location, placed = false
   where site_id = :site and tyre_id = any (:tyres::int[]) and open`,
})

// The tree ------------------------------------------------------------------------------------------------------------

const wireColumns = `l.id as _id, l.parent_id as parent, l.kind, l.name, l.site_name as stock_site_name, l.path as stock_rack,
  l.walk, l.max_diameter as "maxDiameter", l.max_width as "maxWidth", l.max_weight as "maxWeight", l.takes, l.capacity + l.carries as capacity, case when l.kind in ('cart', 'lane') then (
    select count(*)::int from wheel w where w.site_id = l.site_id and w.location_id = l.id) else l.held end as tyre_count`

/** The tyres of submitted storages that are put or planned on a location. */
const comingTo = `select held.planned_location, count(*)::int as coming from operation_tyre held
  where held.site_id = :site and held.open and held.planned_location is not null group by 1`

/** The level of a kind in the tree. */
const level = `array_position(array['site', 'zone', 'rack', 'shelf', 'place', 'cart', 'lane'], l.kind)`

/** The whole tree in wire form, what holds others before what it holds. */
export const allLocations = statement({
  name: 'locations.all',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(listed), '[]')::text as json from (
     select ${wireColumns}, coalesce(c.coming, 0) as coming from location l left join (${comingTo}) c on c.planned_location = l.id
     where l.site_id = :site order by ${level}, l.id) listed`,
})

/** A location in wire form. */
export const locationById = statement({
  name: 'locations.one',
  parameters: oneLocation,
  row: answer,
  sql: `select (select row_to_json(listed) from (
     select ${wireColumns}, (select count(*)::int from operation_tyre held
       where held.site_id = :site and held.planned_location = l.id and held.open) as coming
     from location l where l.site_id = :site and l.id = :location) listed)::text as json`,
})

/** `branch`: a location and everything below it. */
const branch = `recursive branch as (
     select id from location where site_id = :site and id = :location
     union all
     select l.id from branch b, location l where l.site_id = :site and l.parent_id = b.id)`

/** The tyres that lie on a location or below it, or are coming there, in wire form. No row: no such location. */
export const tyresAt = statement({
  name: 'locations.tyres',
  parameters: oneLocation,
  row: answer,
  sql: `with ${branch}, there as (
     -- a wheel on a cart or a lane is there, and not on the place that is kept for it
     select distinct on (id) id, location, coming from (
       select w.tyre_id as id, b.id as location, case when w.status <> 'in_stock' then 'placed' end as coming, 1 as rank
       from branch b, wheel w where w.site_id = :site and w.location_id = b.id and w.state in ('on_cart', 'staged')
       union all
       select t.id, b.id, null, 2 from branch b, tyre t
       where t.site_id = :site and t.location_id = b.id and t.removed_at is null
       union all
       select held.tyre_id, b.id, case when held.placed then 'placed' else 'planned' end, 2 from branch b, operation_tyre held
       where held.site_id = :site and held.planned_location = b.id and held.open) found
     order by id, rank)
   select (select coalesce(json_agg(stored), '[]') from (
     select t.id as db_id, t.vehicle_id as flt_id, t.customer_id as seq_id, v.license_plate, v.type as vehicle_type,
       coalesce(nullif(c.company, ''), c.name) as companyname, t.position, t.description, t.tyre_set,
       to_char(t.status_date, 'YYYY-MM-DD') as status_date, l.path as stock_rack, there.coming
     from there, location l, tyre t, vehicle v, customer c
     where l.site_id = :site and l.id = there.location and t.site_id = :site and t.id = there.id
       and v.site_id = :site and v.id = t.vehicle_id and c.site_id = :site and c.id = t.customer_id
     order by l.walk, l.id, v.license_plate, t.tyre_set, ${tyreOrder('t')} limit ${maxTyresListed}) stored)::text as json
   from location where site_id = :site and id = :location`,
})

/** Locks a location. */
export const lockLocation = statement({
  name: 'locations.lock',
  parameters: oneLocation,
  row: { id: int, kind: z.enum(locationKinds), name: text, siteName: text, path: text, walk: int, capacity: int },
  sql: `select id, kind, name, site_name as "siteName", path, walk, capacity + carries as capacity from location l where site_id = :site and id = :location for no key update`,
})

/** The last number of the walk below a location (`own`, null where there is none) and at the whole site, and the number of racks. */
export const endOfWalk = statement({
  name: 'locations.walk',
  parameters: { site: int, location: int.nullable() },
  row: { own: int.nullable(), whole: int, racks: int },
  sql: `with ${branch}
   select (select max(l.walk) from branch b, location l where l.site_id = :site and l.id = b.id and l.capacity > 0) as own,
     (select coalesce(max(walk), 0) from location where site_id = :site and capacity > 0) as whole,
     (select count(*)::int from location where site_id = :site and kind = 'rack') as racks`,
})

/** Which of these paths, each below its site name, exist already, as they are printed on a rack. */
export const takenPaths = statement({
  name: 'locations.taken',
  parameters: { site: int, siteNames: z.array(text), paths: z.array(text) },
  row: { name: text },
  sql: `select coalesce(nullif(l.path, ''), l.site_name) as name
   from unnest(:siteNames::text[], :paths::text[]) as given(site_name, path), location l
   where l.site_id = :site and lower(l.site_name) = lower(given.site_name) and lower(l.path) = lower(given.path)
   order by l.id limit 10`,
})

/**
 * Adds locations of one kind, a value of each array for each. `parents` are the paths of the locations that hold them, which
 * exist; null: at the top.
 */
export const addLocations = statement({
  name: 'locations.add',
  parameters: {
    site: int,
    kind: z.enum(locationKinds),
    names: z.array(text),
    siteNames: z.array(text),
    paths: z.array(text),
    parents: z.array(text.nullable()),
    walks: z.array(int),
    capacities: z.array(int),
  },
  sql: `insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity, carries, fit_diameter, fit_width, fit_weight, fit_takes)
   select :site, above.id,
     :kind::text, added.name, added.site_name, added.path, added.walk,
     case when :kind in ('cart', 'lane') then 0 else added.capacity end, case when :kind in ('cart', 'lane') then added.capacity else 0 end,
     above.fit_diameter, above.fit_width, above.fit_weight, above.fit_takes
   from unnest(:names::text[], :siteNames::text[], :paths::text[], :parents::text[], :walks::int[], :capacities::int[])
     as added(name, site_name, path, parent, walk, capacity)
     left join location above on above.site_id = :site and above.site_name = added.site_name and above.path = added.parent`,
})

/**
 * Renames a location, and in everything below it the site name and the beginning of the path.
 */
export const renameBranch = statement({
  name: 'locations.rename',
  parameters: { ...oneLocation, name: text, siteName: text, pathBefore: text, path: text },
  sql: `with ${branch}
   update location l set name = case when l.id = :location then :name else l.name end, site_name = :siteName,
     path = :path::text || substr(l.path, length(:pathBefore::text) + 1)
   from branch b where l.site_id = :site and l.id = b.id`,
})

/** Gives every place of a branch this capacity, except those that hold or expect more: a row for each of them. */
export const resizeBranch = statement({
  name: 'locations.resize',
  parameters: { ...oneLocation, capacity: int },
  row: { id: int },
  sql: `with ${branch}, sized as (
     select l.id, l.held + coalesce(c.coming, 0) as held from branch b join location l on l.id = b.id
       left join (${comingTo}) c on c.planned_location = l.id
     where l.site_id = :site and l.kind not in ('cart', 'lane')
       and (l.capacity > 0 or not exists (select from location below where below.site_id = :site and below.parent_id = l.id))
   ), changed as (
     update location l set capacity = :capacity from sized where l.site_id = :site and l.id = sized.id and sized.held <= :capacity and l.capacity <> :capacity)
   select id from sized where held > :capacity`,
})

const classColumns = {
  maxDiameter: int.nullable(),
  maxWidth: int.nullable(),
  maxWeight: int.nullable(),
  takes: z.enum(placeTakes).nullable(),
}

/** The class that a location itself has; null where a location above it decides, or none does. */
export const classOf = statement({
  name: 'locations.class',
  parameters: oneLocation,
  row: classColumns,
  sql: `select max_diameter as "maxDiameter", max_width as "maxWidth", max_weight as "maxWeight", takes
   from location where site_id = :site and id = :location`,
})

/** Gives a location a class of its own. */
export const classify = statement({
  name: 'locations.classify',
  parameters: { ...oneLocation, ...classColumns },
  sql: `update location set max_diameter = :maxDiameter, max_width = :maxWidth, max_weight = :maxWeight, takes = :takes
   where site_id = :site and id = :location`,
})

/** Puts in force, for a location and everything below it, its own class or that of what holds it. */
export const inheritClass = statement({
  name: 'locations.inheritClass',
  parameters: oneLocation,
  sql: `with recursive classed as (
     select l.id, coalesce(l.max_diameter, above.fit_diameter) as diameter, coalesce(l.max_width, above.fit_width) as width,
       coalesce(l.max_weight, above.fit_weight) as weight, coalesce(l.takes, above.fit_takes) as takes
     from location l left join location above on above.site_id = l.site_id and above.id = l.parent_id
     where l.site_id = :site and l.id = :location
     union all
     select l.id, coalesce(l.max_diameter, c.diameter), coalesce(l.max_width, c.width), coalesce(l.max_weight, c.weight),
       coalesce(l.takes, c.takes)
     from classed c join location l on l.site_id = :site and l.parent_id = c.id
   )
   update location l set fit_diameter = c.diameter, fit_width = c.width, fit_weight = c.weight, fit_takes = c.takes
   from classed c where l.site_id = :site and l.id = c.id
     and (l.fit_diameter, l.fit_width, l.fit_weight, l.fit_takes) is distinct from (c.diameter, c.width, c.weight, c.takes)`,
})

/** Says how many wheels a cart or a lane takes. No row: more are on it. */
export const resizeCarrier = statement({
  name: 'locations.resizeCarrier',
  parameters: { ...oneLocation, capacity: int },
  sql: `update location l set carries = :capacity where site_id = :site and id = :location
     and :capacity >= (select count(*) from wheel w where w.site_id = :site and w.location_id = l.id)`,
})

/** Moves a branch on the walk so that its first place has this number. */
export const moveWalk = statement({
  name: 'locations.moveWalk',
  parameters: { ...oneLocation, walk: int },
  sql: `with ${branch}, first as (
     select min(l.walk) as walk from branch b, location l where l.site_id = :site and l.id = b.id and l.capacity > 0)
   update location l set walk = l.walk - first.walk + :walk
   from branch b, first where l.site_id = :site and l.id = b.id and l.capacity > 0`,
})

/** A row when tyres or wheels that are nobody's yet lie in a branch, or tyres have a place of it reserved. */
export const usedBranch = statement({
  name: 'locations.used',
  parameters: oneLocation,
  row: { id: int },
  sql: `with ${branch}
   select b.id from branch b
   where exists (select from tyre t where t.site_id = :site and t.location_id = b.id)
     or exists (select from wheel w where w.site_id = :site and w.location_id = b.id)
     or exists (select from orphan o where o.site_id = :site and o.location_id = b.id and o.ended_at is null)
     or exists (select from operation_tyre held where held.site_id = :site and held.planned_location = b.id and held.open)
   limit 1`,
})

/** Removes a location and everything below it. */
export const removeBranch = statement({
  name: 'locations.remove',
  parameters: oneLocation,
  sql: `with ${branch} delete from location l using branch b where l.site_id = :site and l.id = b.id`,
})

/** Locations for their labels, in the order given. */
export const locationsOfLabels = statement({
  name: 'locations.labelled',
  parameters: { site: int, locations: z.array(int) },
  row: { id: int, siteName: text, path: text, name: text, capacity: int },
  sql: `select l.id, l.site_name as "siteName", l.path, l.name, l.capacity + l.carries as capacity
   from unnest(:locations::int[]) with ordinality as given(id, nth), location l
   where l.site_id = :site and l.id = given.id order by given.nth`,
})
