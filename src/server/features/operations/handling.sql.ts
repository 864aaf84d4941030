/** The statements that scan, confirm and cancel operations. Locks are taken in the order that changing.sql.ts names. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, text, uuid } from '../../db/types.ts'
import { scanWheel } from '../locations/scanned.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'
import { heldColumns, operationType, tyreLocation } from './operations.sql.ts'

// Handling --------------------------------------------------------------------------------------------------------------

/** Locks the tyres of operations and answers them in the order in which they are put away. */
export const lockTyresOfOperations = statement({
  name: 'operations.lockTyres',
  parameters: { site: int, operations: z.array(int) },
  row: { type: operationType, id: int },
  sql: `
    with locked as materialized (
       select held.operation_id, o.type, t.id, t.tyre_set, t.position
       from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
         join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
       where held.site_id = :site and held.operation_id = any (:operations::int[])
       order by t.id for no key update of t)
     select t.type, t.id from locked t
     order by t.operation_id, t.tyre_set, ${tyreOrder('t')}`,
})

/** Locks the delivery days of operations, in one order for every batch: handling a recall frees its place on the day. */
export const lockDays = statement({
  name: 'operations.lockDays',
  parameters: { site: int, operations: z.array(int) },
  row: { day: date },
  sql: `
    select d.day from transport_day d
     where d.site_id = :site and exists (
       select from operation o where o.site_id = d.site_id and o.id = any (:operations::int[])
         and o.transport_id = d.transport_id and o.delivery_date = d.day)
     order by d.transport_id, d.day for no key update`,
})

/**
 * Confirms operations, and with them changes the state of their tyres, or cancels them and leaves the tyres as they are. The
 * tyres are free for other operations again; each tyre gets its event, each operation its audit entry. Each wheel is kept as it was
 * handed over: as it is stored, or as it was in the store.
 */
export const handleOperations = statement({
  name: 'operations.handle',
  parameters: {
    site: int,
    operations: z.array(int),
    actor: int,
    now: instant,
    timeZone: text,
    status: z.enum(['confirmed', 'cancelled']),
    /** For each of these types the state of its tyres afterwards, and the kind of event that is written. */
    types: z.array(operationType),
    states: z.array(text),
    kinds: z.array(text),
    /** Tyres that are not there: they keep their state. */
    missing: z.array(int),
    action: text,
    facts: json,
  },
  sql: `
    with handled as (
       update operation o set status = :status, handled_at = :now, handled_by = :actor, updated_at = :now,
         tyre_count = tyre_count - (select count(*) from operation_tyre held
           where held.site_id = o.site_id and held.operation_id = o.id and held.tyre_id = any (:missing::int[]))
       where site_id = :site and id = any (:operations::int[])
       returning *
     ), freed as (
       update operation_tyre held set open = false, planned_location = null,
         missing_at = case when held.tyre_id = any (:missing::int[]) then :now::timestamptz end,
         missing_by = case when held.tyre_id = any (:missing::int[]) then :actor::int end
       from handled o
       where held.site_id = o.site_id and held.operation_id = o.id
       returning held.operation_id, held.tyre_id, held.missing_at is not null as missing
     ), effect as (
       select * from unnest(:types::text[], :states::text[], :kinds::text[]) as e(type, status, kind)
     ), kept as (
       insert into handed_wheel (site_id, operation_id, wheel, customer_id, position, description, tyre_set, depth, rims, bolts, hubcaps, damages)
       select o.site_id, o.id, coalesce(t.copy_of, t.id), o.customer_id, t.position, t.description, t.tyre_set, t.profile_depth,
         case when e.status = 'in_stock' then o.with_rims else t.rims end,
         case when e.status = 'in_stock' then o.with_bolts else t.bolts end,
         case when e.status = 'in_stock' then o.with_hubcaps else t.hubcaps end,
         array(select distinct code from damage_report where site_id = :site and tyre_id = t.id and code is not null and ended is null order by code)
       from freed held join handled o on o.id = held.operation_id join effect e on e.type = o.type
         join tyre t on t.site_id = :site and t.id = held.tyre_id
       where o.status = 'confirmed' and not held.missing
     ), changed as (
       update tyre t set status = e.status, status_date = (:now::timestamptz at time zone :timeZone)::date,
         location_id = case when e.status = 'in_stock' then t.location_id end,
         rims = case when e.status = 'in_stock' then o.with_rims end,
         bolts = e.status = 'in_stock' and o.with_bolts,
         hubcaps = e.status = 'in_stock' and o.with_hubcaps
       from freed held join handled o on o.id = held.operation_id join effect e on e.type = o.type
       where o.status = 'confirmed' and not held.missing and t.site_id = :site and t.id = held.tyre_id
       returning t.site_id, t.id, t.customer_id, t.vehicle_id, e.kind, o.id as operation_id, t.status, t.location_id,
         t.profile_depth, o.tachometer
     ), written as (
       insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, operation_id, status, location_id, depth, odometer)
       select site_id, id, customer_id, vehicle_id, kind, :now, :actor, operation_id, status, location_id, profile_depth, tachometer from changed
     ), missed as (
       insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, operation_id)
       select o.site_id, held.tyre_id, o.customer_id, o.vehicle_id, 'missing', :now, :actor, o.id
       from freed held join handled o on o.id = held.operation_id where held.missing
     ), found as (
       update operation_tyre earlier set closed_at = :now, closed_by = :actor from changed t, tyre missed
       where earlier.site_id = :site and earlier.missing_at is not null and earlier.closed_at is null
         and missed.site_id = :site and missed.id = earlier.tyre_id and coalesce(missed.copy_of, missed.id) = t.id
     )
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, :action, 'operation ' || id, :facts::jsonb from handled`,
})

/**
 * Makes a document for each operation, dated today, with a line for every service. Its number is the next of its kind and year;
 * the counter's row stays locked until the end of the transaction, so that a number is never lost with one that fails.
 */
export const makeDocuments = statement({
  name: 'operations.documents',
  parameters: {
    site: int,
    operations: z.array(int),
    actor: int,
    now: instant,
    timeZone: text,
    kind: text,
    /** Types of operations that get no document. */
    exceptions: z.array(text),
    language: text,
  },
  sql: `
    with wanted as materialized (
       select o.*, (:now::timestamptz at time zone :timeZone)::date as today, row_number() over (order by o.id)::int as nth
       from operation o where o.site_id = :site and o.id = any (:operations::int[]) and o.type <> all (:exceptions::text[])
     ), counted as (
       insert into document_counter as counter (site_id, type, year, last)
       select :site, :kind, extract(year from today)::int, count(*)::int from wanted group by today
       on conflict (site_id, type, year) do update set last = counter.last + excluded.last
       returning last
     ), line as (
       select o.id as operation_id, row_number() over (partition by o.id order by held.added, s.id)::int as line, s.article_number,
         case :language when 'nl' then s.description_nl when 'fr' then s.description_fr when 'de' then s.description_de
           else s.description_en end as description,
         case s.article_insertion_method when 'per_tyre' then o.tyre_count when 'global' then 1 end as quantity,
         case when s.article_insertion_method <> 'text_line' then s.price_excl end as price_excl
       from wanted o join operation_service held on held.site_id = o.site_id and held.operation_id = o.id
         join service s on s.site_id = held.site_id and s.id = held.service_id
     ), made as (
       insert into document (site_id, customer_id, vehicle_id, operation_id, type, reason, year, number, document_date, created_at,
         created_by, amount_excl)
       select o.site_id, o.customer_id, o.vehicle_id, o.id, :kind, 'operation', extract(year from o.today)::int,
         counted.last - (select count(*)::int from wanted) + o.nth, o.today, :now, :actor,
         coalesce((select sum(line.quantity * line.price_excl) from line where line.operation_id = o.id), 0)
       from wanted o, counted
       returning id, site_id, customer_id, operation_id
     )
     insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
     select made.site_id, made.id, line.line, made.customer_id, line.article_number, line.description, line.quantity, line.price_excl
     from made join line using (operation_id)`,
})

// Missing tyres ---------------------------------------------------------------------------------------------------------

/**
 * The tyres that are missed, longest first, in wire form. One whose vehicle has gone to another customer is still missed, with the
 * number on its label and for the customer whose operation it was (docs/decisions/0029).
 */
export const missingTyres = statement({
  name: 'operations.missing',
  parameters: { site: int },
  row: answer,
  sql: `
    select coalesce(json_agg(wire), '[]')::text as json from (
       select o.id as operation, o.type, t.id as db_id, t.vehicle_id as flt_id, o.customer_id as seq_id,
         coalesce(nullif(c.company, ''), c.name) as companyname, v.license_plate, t.position, t.description,
         coalesce(t.tyre_set, '') as tyre_set, held.missing_at as since, coalesce(nullif(a.fullname, ''), a.username, '') as by
       from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
         join lateral (
           select coalesce(copy_of, id) as label from tyre where site_id = held.site_id and id = held.tyre_id offset 0) kept on true
         join lateral (select * from tyre where site_id = held.site_id and id = kept.label offset 0) t on true
         join lateral (select license_plate from vehicle where site_id = t.site_id and id = t.vehicle_id offset 0) v on true
         join customer c on c.site_id = o.site_id and c.id = o.customer_id
         left join account a on a.id = held.missing_by
       where held.site_id = :site and held.missing_at is not null and held.closed_at is null and t.removed_at is null
       order by held.missing_at, o.id, ${tyreOrder('t')}) wire`,
})

/** Closes the search for the tyre with this label, missing from an operation that the caller has locked. No row: nobody misses it. */
export const closeMissing = statement({
  name: 'operations.closemissing',
  parameters: { site: int, operation: int, tyre: int, reason: text, actor: int, now: instant },
  sql: `
    with closed as (
       update operation_tyre held set closed_at = :now, closed_by = :actor, closed_reason = :reason
       from (
           select tyre_id from operation_tyre where site_id = :site and operation_id = :operation offset 0) named
         join tyre t on t.site_id = :site and t.id = named.tyre_id and coalesce(t.copy_of, t.id) = :tyre
       where held.site_id = :site and held.operation_id = :operation and held.tyre_id = named.tyre_id
         and held.missing_at is not null and held.closed_at is null
       returning held.site_id, held.customer_id, held.operation_id, held.tyre_id
     ), audited as (
       insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
       select site_id, customer_id, :actor, :now, 'operation.closemissing', 'operation ' || operation_id,
         jsonb_build_object('tyres', jsonb_build_array(tyre_id), 'reason', :reason::text) from closed
     )
     select from closed`,
})

// Scanning --------------------------------------------------------------------------------------------------------------

/** Tyres as part of the operations that hold them (lists of equal length), in wire form, each once and in this order. */
export const heldTyres = statement({
  name: 'operations.heldTyres',
  parameters: { site: int, withDepth: bool, operations: z.array(int), tyres: z.array(int) },
  row: answer,
  sql: `
    select coalesce(json_agg(wire), '[]')::text as json from (
       select ${heldColumns(':withDepth')}
       from (
           select operation_id, tyre_id, min(nth) as nth
           from unnest(:operations::int[], :tyres::int[]) with ordinality as named(operation_id, tyre_id, nth) group by 1, 2) asked
         join operation_tyre held on held.site_id = :site and held.operation_id = asked.operation_id and held.tyre_id = asked.tyre_id
         join operation o on o.site_id = :site and o.id = held.operation_id
         join vehicle v on v.site_id = :site and v.id = o.vehicle_id
         join tyre t on t.site_id = :site and t.id = held.tyre_id ${tyreLocation}
       order by asked.nth) wire`,
})

/**
 * Applies scans (three lists of equal length) to submitted operations, and locks those operations. Answers a row for each tyre
 * that was scanned: its operation, the ids of its scans, and the tyre in wire form. A scan of a tyre in no such operation, or
 * one that was applied before, is in no row. Everything that a scan reads is read once: a warehouse waits for this.
 */
export const markScans = statement({
  name: 'operations.markScans',
  parameters: {
    site: int,
    withDepth: bool,
    tyres: z.array(int),
    ids: z.array(uuid),
    moments: z.array(instant),
    /** Only operations of this type; null for any. */
    type: text.nullable(),
    /** Only this operation; null for any. */
    operation: int.nullable(),
    account: int,
  },
  row: { operation: int, customer: int, tyre: int, scans: z.array(uuid), json: text },
  sql: `
    with asked as (
       select * from unnest(:tyres::int[], :ids::uuid[], :moments::timestamptz[]) with ordinality as s(tyre_id, id, at, nth)
     ), target as materialized (
       select o.id, o.type, o.customer_id, o.vehicle_id, o.created_at, held.tyre_id, v.license_plate, v.type as vehicle_type
       from operation_tyre held
         join operation o on o.site_id = held.site_id and o.id = held.operation_id
         join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id
       where held.site_id = :site and held.tyre_id = any (:tyres::int[]) and held.open and o.status = 'submitted'
         and (:type::text is null or o.type = :type) and (:operation::int is null or o.id = :operation)
       order by o.id, held.tyre_id for no key update of o
     ), applied as (
       insert into scan (site_id, id, customer_id, operation_id, tyre_id, account_id, scanned_at)
       select :site, a.id, o.customer_id, o.id, o.tyre_id, :account, a.at from asked a join target o on o.tyre_id = a.tyre_id order by a.nth
       on conflict do nothing
       returning id, operation_id, tyre_id, scanned_at
     ), held as (
       update operation_tyre held set scanned_at = coalesce(held.scanned_at, s.first), scan_times = held.scan_times + cardinality(s.ids)
       from (select operation_id, tyre_id, min(scanned_at) as first, array_agg(id) as ids from applied group by 1, 2) s
       where held.site_id = :site and held.operation_id = s.operation_id and held.tyre_id = s.tyre_id
       returning held.tyre_id, held.scanned_at, held.scan_times, held.missing_at, s.ids
     ), moved as (
       update wheel w set ${scanWheel.set}
       from held join target o on o.tyre_id = held.tyre_id
       where w.site_id = :site and w.tyre_id = held.tyre_id and ${scanWheel.where}
       returning w.tyre_id, w.state, w.step
     ), written as (
       insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, operation_id, step, wheel, device)
       select :site, s.tyre_id, o.customer_id, o.vehicle_id, 'scanned', greatest(s.scanned_at, o.created_at), :account, s.operation_id,
         moved.step, moved.state, nullif(current_setting('app.device', true), '')::uuid
       from applied s join target o on o.tyre_id = s.tyre_id left join moved on moved.tyre_id = s.tyre_id
     )
     select o.id as operation, o.customer_id as customer, t.id as tyre, held.ids as scans, (select to_json(wire) from (
         select ${heldColumns(':withDepth', { plate: 'o.license_plate', vehicleType: 'o.vehicle_type' })}) wire)::text as json
     from held join target o on o.tyre_id = held.tyre_id join tyre t on t.site_id = :site and t.id = held.tyre_id ${tyreLocation}`,
})

/** Of operations, which the caller has locked, those whose tyres have all been scanned. */
export const fullyScanned = statement({
  name: 'operations.fullyScanned',
  parameters: { site: int, operations: z.array(int) },
  row: { id: int },
  sql: `
    select o.id from operation o
     where o.site_id = :site and o.id = any (:operations::int[]) and o.status = 'submitted' and not exists (
       select from operation_tyre held where held.site_id = o.site_id and held.operation_id = o.id and held.scanned_at is null)
     order by o.id`,
})

/** The scans of a list that have been applied, with what they were applied to. */
export const appliedScans = statement({
  name: 'operations.appliedScans',
  parameters: { site: int, scans: z.array(uuid) },
  row: { id: uuid, operation: int, tyre: int },
  sql: `
    select id, operation_id as operation, tyre_id as tyre from scan where site_id = :site and id = any (:scans::uuid[])`,
})

/** The tyres that an operation holds, by their position; `label` is the number on a tyre's label. */
export const tyresOf = statement({
  name: 'operations.tyresOf',
  parameters: { site: int, operation: int },
  row: { id: int, label: int, scanned: bool },
  sql: `
    select t.id, coalesce(t.copy_of, t.id) as label, held.scanned_at is not null as scanned
     from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
     where held.site_id = :site and held.operation_id = :operation order by ${tyreOrder('t')}`,
})
