/**
 * The statements of an operation's life. Answers are made by PostgreSQL in wire form and passed through (PERFORMANCE);
 * what decides is a rule of the domain, and reaches a statement as a parameter.
 *
 * Locks are always taken in one order, so that no two of these wait for each other: operations by their ids, delivery days,
 * tyres by their ids, their vehicle, then the put-away of the site.
 */
import { statement } from '../../db/database.ts'
import { tyreColumns, tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The columns of a tyre as part of operation `o`, from `held` (its row of operation_tyre), tyre `t` and vehicle `v`. */
const heldColumns = (
  depth: string,
  { plate = 'v.license_plate', vehicleType = 'v.type' }: { plate?: string; vehicleType?: string } = {},
): string => `${tyreColumns('t', { depth })},
  array[${plate}] as license_plate, array[${vehicleType}] as vehicle_type,
  array[case when held.scanned_at is null then '' else 'T' end] as scanned,
  array[held.scanned_at] as "scanRegisteredAt", array[held.scan_times] as "scanTimes"`

const tyreLocation = `left join location l on l.site_id = t.site_id and l.id = t.location_id`

/**
 * Operations in wire form: a select of rows for `json_agg` or `to_json`. `from` names the relation or common table
 * expression that holds the operations; `tyres` and `services` those that hold what is on them. `depth` is the parameter
 * that says whether the site shows profile depth. A tyre names the operation it is listed under, also a handled one.
 */
const wireOperations = ({
  from,
  depth,
  tyres = 'operation_tyre',
  services = 'operation_service',
}: {
  from: string
  depth: string
  tyres?: string
  services?: string
}): string => `
  select o.id as _id, o.status, o.type,
    (select who from (select coalesce(a.username, '') as username, coalesce(a.fullname, '') as fullname,
      coalesce(nullif(c.company, ''), c.name) as companyname) who) as "user",
    o.customer_id as seq_id, o.vehicle_id as flt_id,
    (select driven from (select array[v.type] as type, array[v.license_plate] as license_plate) driven) as vehicle,
    (select coalesce(json_agg(wire), '[]') from (
      select ${heldColumns(depth)}
      from ${tyres} held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id ${tyreLocation}
      where held.site_id = o.site_id and held.operation_id = o.id order by ${tyreOrder('t')}) wire) as tyres,
    array(select s.service_id from ${services} s
      where s.site_id = o.site_id and s.operation_id = o.id order by s.added, s.service_id) as services,
    o.transport_id as transport, o.delivery_date as "deliveryDate",
    o.created_at as created, o.submitted_at as submitted, o.updated_at as updated, o.handled_at as "handledAt",
    o.remarks, o.with_rims as "withRims", o.with_bolts as "withBolts", o.with_hubcaps as "withHubcaps", o.tachometer,
    case when o.status = 'confirmed' then (select d.id from document d
      where d.site_id = o.site_id and d.operation_id = o.id and d.reason = 'operation') end as document
  from ${from} o
    join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id
    join customer c on c.site_id = o.site_id and c.id = o.customer_id
    left join account a on a.id = o.account_id`

const listOf = (from: string, order: string): string =>
  `select coalesce(json_agg(wire), '[]') from (${wireOperations({ from, depth: '$2' })} order by ${order}) wire`

// $1 is always the site, $2 whether it shows profile depth -----------------------------------------------------------

/** One operation, $3. */
export const operationById = statement(
  'operations.one',
  `with wanted as materialized (select * from operation where site_id = $1 and id = $3)
   select to_json(wire)::text as json from (${wireOperations({ from: 'wanted', depth: '$2' })}) wire`,
)

/** The open operations of customer $3 and those handled since the beginning of the day 31 days before $4, in time zone $5. */
export const operationsOfCustomer = statement(
  'operations.customer',
  `with wanted as materialized (
     select * from operation where site_id = $1 and customer_id = $3 and status in ('pending', 'submitted')
     union all
     select * from operation where site_id = $1 and customer_id = $3
       and handled_at >= (($4::timestamptz at time zone $5)::date - 31)::timestamp at time zone $5)
   select (${listOf('wanted', 'o.id desc')})::text as json from customer where site_id = $1 and id = $3`,
)

/** The same of the whole site; $3 is the moment, $4 the time zone. */
export const operationsOfSite = statement(
  'operations.site',
  `with wanted as materialized (
     select * from operation where site_id = $1 and status in ('pending', 'submitted')
     union all
     select * from operation where site_id = $1
       and handled_at >= (($3::timestamptz at time zone $4)::date - 31)::timestamp at time zone $4)
   select (${listOf('wanted', 'o.id desc')})::text as json`,
)

/** Those of the site in status $3, in the order in which they were submitted, or made. */
export const operationsByStatus = statement(
  'operations.status',
  `with wanted as materialized (
     select * from operation where site_id = $1 and status = $3 and status in ('pending', 'submitted'))
   select (${listOf('wanted', 'coalesce(o.submitted_at, o.created_at), o.id')})::text as json`,
)

const handledBetween = (from: string, to: string, zone: string): string =>
  `handled_at >= ${from}::date::timestamp at time zone ${zone} and handled_at < (${to}::date + 1)::timestamp at time zone ${zone}`

/** Those handled from day $3 to day $4, both included, in time zone $5. */
export const handledAtSite = statement(
  'operations.handled',
  `with wanted as materialized (select * from operation where site_id = $1 and ${handledBetween('$3', '$4', '$5')})
   select (${listOf('wanted', 'o.handled_at desc, o.id desc')})::text as json`,
)

/** The same of customer $6. No row is a customer that does not exist. */
export const handledForCustomer = statement(
  'operations.handledForCustomer',
  `with wanted as materialized (
     select * from operation where site_id = $1 and customer_id = $6 and ${handledBetween('$3', '$4', '$5')})
   select (${listOf('wanted', 'o.handled_at desc, o.id desc')})::text as json from customer where site_id = $1 and id = $6`,
)

/** How many operations of each type were confirmed for each customer from day $2 to day $3 in time zone $4. */
export const countsByCustomer = statement(
  'operations.counts',
  `select coalesce(json_agg(wire), '[]')::text as json from (
     select counted.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname,
       counted.total, counted.to_customer, counted.to_stock, counted.to_waste
     from (
       select customer_id, count(*)::int as total,
         count(*) filter (where type = 'to_customer')::int as to_customer,
         count(*) filter (where type = 'to_stock')::int as to_stock,
         count(*) filter (where type = 'to_waste')::int as to_waste
       from operation
       where site_id = $1 and status = 'confirmed' and ${handledBetween('$2', '$3', '$4')}
       group by customer_id) counted
     join customer c on c.site_id = $1 and c.id = counted.customer_id
     order by counted.total desc, companyname, seq_id) wire`,
)

/** The days on which transport $2 takes no more recalls, from the day of $3 in time zone $4 on. No row: no such transport. */
export const bookedDays = statement(
  'operations.bookedDays',
  `select (select coalesce(json_agg(d.day order by d.day), '[]') from transport_day d
     where d.site_id = m.site_id and d.transport_id = m.id and d.day >= ($3::timestamptz at time zone $4)::date
       and (m.operations_per_day > 0 and d.operations >= m.operations_per_day
         or m.tyres_per_day > 0 and d.tyres >= m.tyres_per_day))::text as json
   from transport_method m where m.site_id = $1 and m.id = $2 and m.removed_at is null`,
)

// Making one ----------------------------------------------------------------------------------------------------------

/**
 * Makes a pending operation of type $6 for tyres $5 of vehicle $4, by account $7 at $8; $3 is the customer who asks, none for
 * an administrator; $9 are the tyre states that the type takes, $10 the administrator's account for the audit. Answers why not (`code`, with the tyres that their state refused) or
 * the operation in wire form. The tyres are locked, so that their state still holds when the operation is there; that
 * none is in two open operations is held by a unique index, whoever comes between.
 */
export const createOperation = statement(
  'operations.new',
  `with vehicle_asked as materialized (
     select v.id, v.customer_id from vehicle v
     where v.site_id = $1 and v.id = $4 and v.removed_at is null and ($3::int is null or v.customer_id = $3) for share
   ), chosen as materialized (
     select t.id, t.vehicle_id, t.status from tyre t
     where t.site_id = $1 and t.id = any ($5::int[]) and t.removed_at is null and ($3::int is null or t.customer_id = $3)
     order by t.id for no key update
   ), verdict as materialized (
     select case
         -- first the tyres, then the vehicle: the order in which everybody locks them
         when (select count(*) from chosen) < cardinality($5::int[]) then 'record.missing'
         when not exists (select from vehicle_asked) then 'record.missing'
         when exists (select from chosen where vehicle_id <> $4) then 'operation.tyres_mixed'
         when refused <> '{}' then 'operation.tyres_refused'
         when exists (
           select from chosen c join operation_tyre held on held.site_id = $1 and held.tyre_id = c.id and held.open)
           then 'operation.tyres_busy'
       end as code, refused
     from (select array(select id from chosen where status <> all ($9::text[]) order by id) as refused) states
   ), created as (
     insert into operation (site_id, customer_id, vehicle_id, account_id, type, tyre_count, transport_id, created_at, updated_at)
     select $1, asked.customer_id, asked.id, $7, $6, cardinality($5::int[]),
       case when $6 = 'to_customer' then (
         select m.id from transport_method m where m.site_id = $1 and m.is_default and m.removed_at is null) end, $8, $8
     from vehicle_asked asked, verdict where verdict.code is null
     returning *
   ), taken as (
     insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
     select o.site_id, o.id, c.id, o.customer_id from created o, chosen c
     returning *
   ), added as (
     insert into operation_service (site_id, operation_id, service_id, customer_id, added)
     select o.site_id, o.id, s.id, o.customer_id, row_number() over (order by s.id)
     from created o join service s on s.site_id = o.site_id and s.operation_type = o.type and s.preselected and s.removed_at is null
     returning *
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, $10::int, created_at, 'operation.new', 'operation ' || id,
       jsonb_build_object('type', type, 'vehicle', vehicle_id, 'tyres', tyre_count)
     from created where $10::int is not null
   )
   select code, refused, (select customer_id from created) as customer, (select to_json(wire) from (
     ${wireOperations({ from: 'created', depth: '$2', tyres: 'taken', services: 'added' })}) wire)::text as json
   from verdict`,
)

// Changing one --------------------------------------------------------------------------------------------------------

/** Locks operation $2 for customer $3 (none: anybody's) and reads what rules ask of it. */
export const lockOperation = statement(
  'operations.lock',
  `select id, customer_id as customer, type, status, transport_id as transport, delivery_date as "deliveryDate", remarks,
     with_rims as "withRims", with_bolts as "withBolts", with_hubcaps as "withHubcaps", tachometer
   from operation where site_id = $1 and id = $2 and ($3::int is null or customer_id = $3)
   for no key update`,
)

/** The services that operation $2 has, and those of the site that are offered for type $3. */
export const servicesFor = statement(
  'operations.services',
  `select s.id as "_id", s.operation_type, s.removed_at is null as offered, s.blocked, held.service_id is not null as held
   from service s left join operation_service held
     on held.site_id = s.site_id and held.service_id = s.id and held.operation_id = $2
   where s.site_id = $1 and (held.service_id is not null or (s.operation_type = $3 and s.removed_at is null))
   order by held.added, s.id`,
)

/** The rules of transport $2 and what is booked with it on day $3. */
export const transportRules = statement(
  'operations.transport',
  `select m.operation_days as "operationDays", m.advance_days as "advanceDays", to_char(m.cutoff_hour, 'HH24:MI') as "cutoffHour",
     m.operations_per_day as "operationsPerDay", m.tyres_per_day as "tyresPerDay",
     coalesce(d.operations, 0) as operations, coalesce(d.tyres, 0) as tyres
   from transport_method m
     left join transport_day d on d.site_id = m.site_id and d.transport_id = m.id and d.day = $3::date
   where m.site_id = $1 and m.id = $2 and m.removed_at is null`,
)

/**
 * Saves operation $2 at $3 in status $4 with its transport, delivery day, remarks, rims, bolts, hubcaps, tachometer ($5 to $11)
 * and services $12 (null: as they are). With an action $14 it is audited as that of account $13, with the facts $15.
 */
export const saveOperation = statement(
  'operations.save',
  `with saved as (
     update operation set status = $4, transport_id = $5, delivery_date = $6, remarks = $7, with_rims = $8, with_bolts = $9,
       with_hubcaps = $10, tachometer = $11, updated_at = $3, submitted_at = case when $4 = 'submitted' then $3::timestamptz end
     where site_id = $1 and id = $2
     returning site_id, id, customer_id
   ), given_back as (
     -- a place that was kept free for what is not coming yet
     update operation_tyre set planned_location = null
     where site_id = $1 and operation_id = $2 and planned_location is not null and $4 = 'pending'
   ), taken_off as (
     delete from operation_service where site_id = $1 and operation_id = $2 and service_id <> all ($12::int[])
   ), put_on as (
     insert into operation_service (site_id, operation_id, service_id, customer_id, added)
     select o.site_id, o.id, asked.id, o.customer_id, asked.nth from saved o, unnest($12::int[]) with ordinality as asked(id, nth)
     on conflict (site_id, operation_id, service_id) do update set added = excluded.added
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, $13, $3, $14, 'operation ' || id, $15::jsonb from saved where $14 <> ''
   )
   select count(*) from saved`,
)

/** Removes operation $2, by account $3 at $4; what it was stays in the audit. */
export const deleteOperation = statement(
  'operations.delete',
  `with removed as (
     delete from operation where site_id = $1 and id = $2
     returning site_id, id, customer_id, vehicle_id, type, tyre_count, account_id, created_at)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, $3, $4, 'operation.delete', 'operation ' || id, jsonb_build_object(
     'type', type, 'vehicle', vehicle_id, 'tyres', tyre_count, 'created_by', account_id, 'created_at', created_at)
   from removed`,
)

// Handling --------------------------------------------------------------------------------------------------------------

/** Locks the tyres of operations $2; answers them in the order in which a set is put away. */
export const lockTyres = statement(
  'operations.lockTyres',
  `with locked as materialized (
     select held.operation_id, o.type, t.id, t.tyre_set, t.position
     from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
       join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
     where held.site_id = $1 and held.operation_id = any ($2::int[])
     order by t.id for no key update of t)
   select t.operation_id as operation, t.type, t.id, t.tyre_set as "tyreSet" from locked t
   order by t.operation_id, t.tyre_set, ${tyreOrder('t')}`,
)

/** Locks the delivery days of operations $2, in one order for every batch: handling a recall frees its place. */
export const lockDays = statement(
  'operations.lockDays',
  `select d.day from transport_day d
   where d.site_id = $1 and exists (
     select from operation o where o.site_id = d.site_id and o.id = any ($2::int[])
       and o.transport_id = d.transport_id and o.delivery_date = d.day)
   order by d.transport_id, d.day for no key update`,
)

/**
 * Handles operations $2 by account $3 at $4: confirmed, with their tyres in state $7 by type $6 since today in time zone $5, or
 * ($8 cancelled) with the tyres as they are. The tyres are free again, what happened to them is written down, each
 * operation is audited.
 */
export const handleOperations = statement(
  'operations.handle',
  `with handled as (
     update operation set status = $8, handled_at = $4, handled_by = $3, updated_at = $4
     where site_id = $1 and id = any ($2::int[])
     returning *
   ), freed as (
     update operation_tyre held set open = false, planned_location = null from handled o
     where held.site_id = o.site_id and held.operation_id = o.id
     returning held.operation_id, held.tyre_id
   ), effect as (
     select * from unnest($6::text[], $7::text[], $9::text[]) as e(type, status, kind)
   ), changed as (
     update tyre t set status = e.status, status_date = ($4::timestamptz at time zone $5)::date,
       location_id = case when e.status = 'in_stock' then t.location_id end,
       rims = case when e.status = 'in_stock' then o.with_rims end,
       bolts = e.status = 'in_stock' and o.with_bolts,
       hubcaps = e.status = 'in_stock' and o.with_hubcaps
     from freed held join handled o on o.id = held.operation_id join effect e on e.type = o.type
     where o.status = 'confirmed' and t.site_id = $1 and t.id = held.tyre_id
     returning t.site_id, t.id, t.customer_id, t.vehicle_id, e.kind, o.id as operation_id, t.status, t.location_id,
       t.profile_depth, o.tachometer
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, operation_id, status, location_id, depth, odometer)
     select site_id, id, customer_id, vehicle_id, kind, $4, $3, operation_id, status, location_id, profile_depth, tachometer from changed
   )
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, $3, $4, $10, 'operation ' || id, $11::jsonb from handled`,
)

/**
 * Makes a document of kind $6 for each of operations $2, unless their type is one of $7: dated today in time zone $5, by account
 * $3 at $4, a line for every service in language $8 (DESIGN §7 "Documents"). The number is the next of its kind and year;
 * the counter's row stays locked until the end, so that a number is never lost with a transaction that fails. Each goes
 * into the outbox.
 */
export const makeDocuments = statement(
  'operations.documents',
  `with wanted as materialized (
     select o.*, ($4::timestamptz at time zone $5)::date as today, row_number() over (order by o.id)::int as nth
     from operation o where o.site_id = $1 and o.id = any ($2::int[]) and o.type <> all ($7::text[])
   ), counted as (
     insert into document_counter as counter (site_id, type, year, last)
     select $1, $6, extract(year from today)::int, count(*)::int from wanted group by today
     on conflict (site_id, type, year) do update set last = counter.last + excluded.last
     returning last
   ), line as (
     select o.id as operation_id, row_number() over (partition by o.id order by held.added, s.id)::int as line, s.article_number,
       case $8 when 'nl' then s.description_nl when 'fr' then s.description_fr when 'de' then s.description_de
         else s.description_en end as description,
       case s.article_insertion_method when 'per_tyre' then o.tyre_count when 'global' then 1 end as quantity,
       case when s.article_insertion_method <> 'text_line' then s.price_excl end as price_excl
     from wanted o join operation_service held on held.site_id = o.site_id and held.operation_id = o.id
       join service s on s.site_id = held.site_id and s.id = held.service_id
   ), made as (
     insert into document (site_id, customer_id, vehicle_id, operation_id, type, reason, year, number, document_date, created_at,
       created_by, amount_excl)
     select o.site_id, o.customer_id, o.vehicle_id, o.id, $6, 'operation', extract(year from o.today)::int,
       counted.last - (select count(*)::int from wanted) + o.nth, o.today, $4, $3,
       coalesce((select sum(line.quantity * line.price_excl) from line where line.operation_id = o.id), 0)
     from wanted o, counted
     returning id, site_id, customer_id, operation_id
   ), sent as (
     insert into outbox (site_id, document_id, customer_id, due_at) select site_id, id, customer_id, $4 from made
   )
   insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
   select made.site_id, made.id, line.line, made.customer_id, line.article_number, line.description, line.quantity, line.price_excl
   from made join line using (operation_id)`,
)

// Scanning --------------------------------------------------------------------------------------------------------------

/** Tyres $4 as part of the operations $3 that hold them, in wire form, each once and in this order. */
export const heldTyres = statement(
  'operations.heldTyres',
  `select coalesce(json_agg(wire), '[]')::text as json from (
     select ${heldColumns('$2')}
     from (
         select operation_id, tyre_id, min(nth) as nth
         from unnest($3::int[], $4::int[]) with ordinality as named(operation_id, tyre_id, nth) group by 1, 2) asked
       join operation_tyre held on held.site_id = $1 and held.operation_id = asked.operation_id and held.tyre_id = asked.tyre_id
       join operation o on o.site_id = $1 and o.id = held.operation_id
       join vehicle v on v.site_id = $1 and v.id = o.vehicle_id
       join tyre t on t.site_id = $1 and t.id = held.tyre_id ${tyreLocation}
     order by asked.nth) wire`,
)

/**
 * Applies scans: of tyres $3 with the ids $4 and the moments $5, for submitted operations of type $6 (none: of any), for
 * operation $7 (none: any), by account $8. Locks those operations. A row for each tyre that was scanned: the operation it was
 * scanned for, the ids of the scans, the tyre in wire form. A scan whose tyre is in no such operation, or that has been
 * applied before, is in no row. Everything that a scan reads is read once: this is what a warehouse waits for.
 */
export const markScans = statement(
  'operations.markScans',
  `with asked as (
     select * from unnest($3::int[], $4::uuid[], $5::timestamptz[]) with ordinality as s(tyre_id, id, at, nth)
   ), target as materialized (
     select o.id, o.type, o.customer_id, o.vehicle_id, o.created_at, held.tyre_id, v.license_plate, v.type as vehicle_type
     from operation_tyre held
       join operation o on o.site_id = held.site_id and o.id = held.operation_id
       join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id
     where held.site_id = $1 and held.tyre_id = any ($3::int[]) and held.open and o.status = 'submitted'
       and ($6::text is null or o.type = $6) and ($7::int is null or o.id = $7)
     order by o.id, held.tyre_id for no key update of o
   ), applied as (
     insert into scan (site_id, id, customer_id, operation_id, tyre_id, account_id, scanned_at)
     select $1, a.id, o.customer_id, o.id, o.tyre_id, $8, a.at from asked a join target o on o.tyre_id = a.tyre_id order by a.nth
     on conflict do nothing
     returning id, operation_id, tyre_id, scanned_at
   ), written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, operation_id)
     select $1, s.tyre_id, o.customer_id, o.vehicle_id, 'scanned', greatest(s.scanned_at, o.created_at), $8, s.operation_id
     from applied s join target o on o.tyre_id = s.tyre_id
   ), held as (
     update operation_tyre held set scanned_at = coalesce(held.scanned_at, s.first), scan_times = held.scan_times + cardinality(s.ids)
     from (select operation_id, tyre_id, min(scanned_at) as first, array_agg(id) as ids from applied group by 1, 2) s
     where held.site_id = $1 and held.operation_id = s.operation_id and held.tyre_id = s.tyre_id
     returning held.tyre_id, held.scanned_at, held.scan_times, s.ids
   )
   select o.id as operation, o.customer_id as customer, t.id as tyre, held.ids as scans, (select to_json(wire) from (
       select ${heldColumns('$2', { plate: 'o.license_plate', vehicleType: 'o.vehicle_type' })}) wire)::text as json
   from held join target o on o.tyre_id = held.tyre_id join tyre t on t.site_id = $1 and t.id = held.tyre_id ${tyreLocation}`,
)

/** Of operations $2, which the caller has locked, those whose tyres have all been scanned. */
export const fullyScanned = statement(
  'operations.fullyScanned',
  `select o.id from operation o
   where o.site_id = $1 and o.id = any ($2::int[]) and o.status = 'submitted' and not exists (
     select from operation_tyre held where held.site_id = o.site_id and held.operation_id = o.id and held.scanned_at is null)
   order by o.id`,
)

/** The scans among $2 that have been applied, with what they were applied to. */
export const appliedScans = statement(
  'operations.appliedScans',
  `select id, operation_id as operation, tyre_id as tyre from scan where site_id = $1 and id = any ($2::uuid[])`,
)

/** The tyres that operation $2 holds, unscanned ones first by their position. */
export const tyresOf = statement(
  'operations.tyresOf',
  `select t.id, held.scanned_at is not null as scanned
   from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
   where held.site_id = $1 and held.operation_id = $2 order by ${tyreOrder('t')}`,
)
