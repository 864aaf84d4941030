/** The statements of the warehouse. Where tyres go is one rule, `slots`: what intake suggests is what put-away does. */
import { tyresShown } from '#contract/locations.ts'
import { statement } from '../../db/database.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

// Put-away ------------------------------------------------------------------------------------------------------------

/** Lets one transaction of site $1 at a time change what lies where: two that look for room at once would take the same. */
export const lockPutAway = statement('locations.lockPutAway', `select pg_advisory_xact_lock(${0x7075_7461}, $1)`)

/**
 * Common table expressions that end in `slot` (tyre, location): where the tyres $2, of one set and in the order given, go together.
 * Into a place that holds them all: where the rest of their set lies or is to lie, else where they lay last, else the
 * first on the walk; without such a place into the first shelf that holds them all, else into the first room there is. What is
 * kept free for other tyres is no room.
 */
const slots = `
   wanted as (select * from unnest($2::int[]) with ordinality as w(id, nth)
   ), kept as materialized (
     select held.planned_location as id, count(*)::int as tyres from operation_tyre held
     where held.site_id = $1 and held.open and held.planned_location is not null and held.tyre_id <> all ($2::int[]) group by 1
   ), of_set as materialized (
     select t.vehicle_id, t.tyre_set from tyre t where t.site_id = $1 and t.id = ($2::int[])[1]
   ), liked as materialized (
     select t.location_id as id, 1 as liking from of_set s, tyre t
     where t.site_id = $1 and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.location_id is not null and t.removed_at is null
     union
     select held.planned_location, 1 from of_set s, tyre t, operation_tyre held
     where t.site_id = $1 and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.id <> all ($2::int[])
       and held.site_id = $1 and held.tyre_id = t.id and held.open and held.planned_location is not null
     union
     (select e.location_id, 2 from tyre_event e
     where e.site_id = $1 and e.tyre_id = any ($2::int[]) and e.location_id is not null order by e.at desc limit 1)
   ), liked_place as materialized (
     select l.id, room.tyres as room, l.walk
     from liked k, location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.id = k.id and room.tyres >= cardinality($2::int[])
     order by k.liking, l.walk, l.id limit 1
   ), first_place as materialized (
     select l.id, room.tyres as room, l.walk
     from location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.held < l.capacity and room.tyres >= cardinality($2::int[])
       and not exists (select from liked_place)
     order by l.walk, l.id limit 1
   ), place as (select * from liked_place union all select * from first_place
   ), free as materialized (
     select l.id, l.parent_id, room.tyres as room, l.walk
     from location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.held < l.capacity and room.tyres > 0
       and not exists (select from liked_place) and not exists (select from first_place)
   ), shelf as materialized (
     select parent_id from free where parent_id is not null
     group by parent_id having sum(room) >= cardinality($2::int[]) order by min(walk), min(id) limit 1
   ), chosen as (
     select id, room, walk from place
     union all
     select id, room, walk from free where case
       when exists (select from shelf) then parent_id = (select parent_id from shelf) else true end
   ), room as (
     select f.id, row_number() over (order by f.walk, f.id) as nth from (
       select * from chosen order by walk, id limit cardinality($2::int[])) f, generate_series(1, f.room)
   ), slot as (
     select wanted.id as tyre, room.id as location from wanted left join room using (nth))`

/**
 * Puts tyres $2 away together, by the rule. Tyres that the warehouse has no room for are stored without a place. The caller
 * holds `lockPutAway`, taken by an earlier statement so that this one sees what others have put away.
 */
export const putAway = statement(
  'locations.putAway',
  `with ${slots}
   update tyre t set status = 'in_stock', location_id = slot.location from slot where t.site_id = $1 and t.id = slot.tyre`,
)

/**
 * Puts those of tyres $2 away that have a place of their own, scanned or suggested at intake, as far as there is room; answers
 * which. The caller holds `lockPutAway`.
 */
export const putAsPlanned = statement(
  'locations.putAsPlanned',
  `with planned as materialized (
     select held.tyre_id, held.planned_location as id, row_number() over (partition by held.planned_location order by held.tyre_id) as nth
     from operation_tyre held
     where held.site_id = $1 and held.tyre_id = any ($2::int[]) and held.open and held.planned_location is not null)
   update tyre t set status = 'in_stock', location_id = l.id
   from planned p, location l
   where t.site_id = $1 and t.id = p.tyre_id and l.site_id = $1 and l.id = p.id and p.nth <= l.capacity - l.held
   returning t.id`,
)

/** The same rule for a storage that is being scanned: keeps a place free for each of tyres $2. The caller holds `lockPutAway`. */
export const keepFree = statement(
  'locations.keepFree',
  `with ${slots}
   update operation_tyre held set planned_location = slot.location from slot
   where held.site_id = $1 and held.tyre_id = slot.tyre and held.open and slot.location is not null`,
)

export const lockStorage = statement(
  'locations.lockStorage',
  `select status, type from operation where site_id = $1 and id = $2 for no key update`,
)

/** The tyres of operation $2 that have no place yet, in the order in which a set is put away. */
export const unplanned = statement(
  'locations.unplanned',
  `select t.id, t.tyre_set as "tyreSet"
   from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
   where held.site_id = $1 and held.operation_id = $2 and held.open and held.planned_location is null
   order by t.tyre_set, ${tyreOrder('t')}`,
)

/** Where the tyres of operation $2 are to lie. */
export const planOfOperation = statement(
  'locations.plan',
  `select coalesce(json_agg(planned), '[]')::text as json from (
     select t.id as db_id, l.id as location, l.site_name as stock_site_name, l.path as stock_rack
     from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
       join location l on l.site_id = held.site_id and l.id = held.planned_location
     where held.site_id = $1 and held.operation_id = $2 and held.open order by ${tyreOrder('t')}) planned`,
)

// Moving --------------------------------------------------------------------------------------------------------------

/** Notes that the scan $2 of location $3 was received, by account $4 at $5. No row: it had been before. */
export const noteScan = statement(
  'locations.noteScan',
  `insert into location_scan (site_id, id, location_id, account_id, scanned_at) values ($1, $2, $3, $4, $5)
   on conflict do nothing returning id`,
)

/** Locks the open operations of tyres $2, so that none of them is handled meanwhile. */
export const lockOperationsOf = statement(
  'locations.lockOperations',
  `select o.id from operation o
   where o.site_id = $1 and exists (
     select from operation_tyre held
     where held.site_id = $1 and held.operation_id = o.id and held.open and held.tyre_id = any ($2::int[]))
   order by o.id for no key update`,
)

/** Locks tyres $2 and says of each what it is and where. */
export const lockTyres = statement(
  'locations.lockTyres',
  `with locked as materialized (
     select t.id, t.customer_id, t.status, t.location_id from tyre t
     where t.site_id = $1 and t.id = any ($2::int[]) and t.removed_at is null order by t.id for no key update)
   select locked.id, locked.customer_id as customer, locked.status, locked.location_id as location,
     exists (select from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
       where held.site_id = $1 and held.tyre_id = locked.id and held.open and o.status = 'submitted' and o.type = 'to_stock') as coming
   from locked`,
)

/** Location $2 and how many tyres fit on it beside those that lie there or are to, tyres $3 left aside. */
export const roomAt = statement(
  'locations.room',
  `select l.site_name as stock_site_name, l.path as stock_rack, l.capacity - l.held - (
     select count(*)::int from operation_tyre held
     where held.site_id = $1 and held.planned_location = l.id and held.open and held.tyre_id <> all ($3::int[])) as room
   from location l where l.site_id = $1 and l.id = $2`,
)

/**
 * Puts the tyres $3, which are in stock, on location $2, and keeps it for the tyres $4, which are still to be; by account $5
 * at $6. What moved is in the history of each tyre; one audit row for each customer.
 */
export const moveTo = statement(
  'locations.move',
  `with moved as (
     update tyre set location_id = $2 where site_id = $1 and id = any ($3::int[])
     returning id, customer_id, vehicle_id, status, profile_depth
   ), planned as (
     update operation_tyre set planned_location = $2 where site_id = $1 and tyre_id = any ($4::int[]) and open
     returning tyre_id as id, customer_id
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, depth)
     select $1, id, customer_id, vehicle_id, 'moved', $6, $5, status, $2, profile_depth from moved
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select $1, customer_id, $5, $6, 'location.move', 'location ' || $2::int,
     jsonb_build_object('moved', coalesce(jsonb_agg(id) filter (where here), '[]'), 'planned', coalesce(jsonb_agg(id) filter (where not here), '[]'))
   from (select id, customer_id, true as here from moved union all select id, customer_id, false from planned) put group by customer_id`,
)

// The tree ------------------------------------------------------------------------------------------------------------

const wire = `l.id as _id, l.parent_id as parent, l.kind, l.name, l.site_name as stock_site_name, l.path as stock_rack,
  l.walk, l.capacity, l.held as tyres`

/** Kinds in the order in which one lies in the other. */
const depth = `array_position(array['site', 'zone', 'rack', 'shelf', 'place'], l.kind)`

export const everyLocation = statement(
  'locations.all',
  `select coalesce(json_agg(listed), '[]')::text as json from (
     select ${wire} from location l where l.site_id = $1 order by ${depth}, l.id) listed`,
)

export const locationById = statement(
  'locations.one',
  `select (select row_to_json(listed) from (select ${wire} from location l where l.site_id = $1 and l.id = $2) listed)::text as json`,
)

/** `branch`: location $2 and everything below it. */
const branch = `recursive branch as (
     select id from location where site_id = $1 and id = $2
     union all
     select l.id from branch b, location l where l.site_id = $1 and l.parent_id = b.id)`

/** The tyres that lie on location $2 or below it. No row: no such location. */
export const tyresAt = statement(
  'locations.tyres',
  `with ${branch}
   select (select coalesce(json_agg(stored), '[]') from (
     select t.id as db_id, t.vehicle_id as flt_id, t.customer_id as seq_id, v.license_plate, v.type as vehicle_type,
       coalesce(nullif(c.company, ''), c.name) as companyname, t.position, t.description, t.tyre_set,
       to_char(t.status_date, 'YYYY-MM-DD') as status_date, l.path as stock_rack
     from branch b, location l, tyre t, vehicle v, customer c
     where l.site_id = $1 and l.id = b.id and t.site_id = $1 and t.location_id = l.id and t.removed_at is null
       and v.site_id = $1 and v.id = t.vehicle_id and c.site_id = $1 and c.id = t.customer_id
     order by l.walk, l.id, v.license_plate, t.tyre_set, ${tyreOrder('t')} limit ${tyresShown}) stored)::text as json
   from location where site_id = $1 and id = $2`,
)

/** Location $2 as the tree has it. */
export const lockLocation = statement(
  'locations.lock',
  `select id, kind, name, site_name as "siteName", path, walk, capacity from location l where site_id = $1 and id = $2 for no key update`,
)

/** Where the walk ends: below location $2 (`own`, null where nobody walks yet) and at the whole site; and how many racks there are. */
export const endOfWalk = statement(
  'locations.walk',
  `with ${branch}
   select (select max(l.walk) from branch b, location l where l.site_id = $1 and l.id = b.id and l.capacity > 0) as own,
     (select coalesce(max(walk), 0) from location where site_id = $1 and capacity > 0) as whole,
     (select count(*)::int from location where site_id = $1 and kind = 'rack') as racks`,
)

/** Which of the paths $3 below the site names $2 there are already, as they are read on a rack. */
export const takenPaths = statement(
  'locations.taken',
  `select coalesce(nullif(l.path, ''), l.site_name) as name
   from unnest($2::text[], $3::text[]) as asked(site_name, path), location l
   where l.site_id = $1 and lower(l.site_name) = lower(asked.site_name) and lower(l.path) = lower(asked.path)
   order by l.id limit 10`,
)

/**
 * Makes locations of one kind $2: names $3, in the trees $4, with the paths $5 below the paths $6 (null: at the top), walk $7 and
 * capacity $8. Those that they lie in are there.
 */
export const addLocations = statement(
  'locations.add',
  `insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity)
   select $1, (select p.id from location p where p.site_id = $1 and p.site_name = made.site_name and p.path = made.above),
     $2, made.name, made.site_name, made.path, made.walk, made.capacity
   from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[])
     as made(name, site_name, path, above, walk, capacity)`,
)

/**
 * Gives location $2 the name $3, and what lies in it the way through it: the tree $4 and, instead of the path $5, the path $6.
 */
export const renameBranch = statement(
  'locations.rename',
  `with ${branch}
   update location l set name = case when l.id = $2 then $3 else l.name end, site_name = $4,
     path = $6::text || substr(l.path, length($5::text) + 1)
   from branch b where l.site_id = $1 and l.id = b.id`,
)

/** Gives everything in branch $2 that tyres lie on the capacity $3, where no more lies; a row for each that holds more. */
export const resizeBranch = statement(
  'locations.resize',
  `with ${branch}, sized as (
     select l.id, l.held from branch b, location l
     where l.site_id = $1 and l.id = b.id
       and (l.capacity > 0 or not exists (select from location below where below.site_id = $1 and below.parent_id = l.id))
   ), changed as (
     update location l set capacity = $3 from sized where l.site_id = $1 and l.id = sized.id and sized.held <= $3 and l.capacity <> $3)
   select id from sized where held > $3`,
)

/** Moves branch $2 on the walk so that its first place has the number $3. */
export const walkBranch = statement(
  'locations.moveWalk',
  `with ${branch}, first as (
     select min(l.walk) as walk from branch b, location l where l.site_id = $1 and l.id = b.id and l.capacity > 0)
   update location l set walk = l.walk - first.walk + $3
   from branch b, first where l.site_id = $1 and l.id = b.id and l.capacity > 0`,
)

/** Whether tyres lie in branch $2 or are about to. */
export const usedBranch = statement(
  'locations.used',
  `with ${branch}
   select b.id from branch b
   where exists (select from tyre t where t.site_id = $1 and t.location_id = b.id)
     or exists (select from operation_tyre held where held.site_id = $1 and held.planned_location = b.id and held.open)
   limit 1`,
)

export const removeBranch = statement(
  'locations.remove',
  `with ${branch} delete from location l using branch b where l.site_id = $1 and l.id = b.id`,
)

/** $2 account, $3 now, $4 action, $5 subject, $6 facts. */
export const noteLocation = statement(
  'locations.audit',
  `insert into audit (site_id, account_id, at, action, subject, facts) values ($1, $2, $3, $4, $5, $6::jsonb)`,
)

/** Locations $2 in the order asked, for their labels. */
export const labelled = statement(
  'locations.labelled',
  `select l.id, l.site_name as "siteName", l.path, l.name, l.capacity
   from unnest($2::int[]) with ordinality as asked(id, nth), location l
   where l.site_id = $1 and l.id = asked.id order by asked.nth`,
)
