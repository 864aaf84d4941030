/**
 * The statements that create, edit and delete operations. What decides is a rule of the domain, and reaches a statement as a
 * parameter.
 *
 * Locks are always taken in one order, so that no two statements wait for each other: operations by their ids, delivery days,
 * tyres by their ids, their vehicle, then the put-away of the site.
 */
import { z } from 'zod'
import type { FailureCode } from '#domain/failure.ts'
import { operationStatuses, wornDecisions } from '#domain/operations/operation.ts'
import { rims } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { bool, date, instant, int, json, text } from '../../db/types.ts'
import { operationType, wireOperations } from './operations.sql.ts'

// Creating ----------------------------------------------------------------------------------------------------------

/** Why an operation is not created. */
const refusals = [
  'record.missing',
  'operation.tyres_mixed',
  'operation.tyres_refused',
  'operation.tyres_busy',
] as const satisfies readonly FailureCode[]

/**
 * Creates a pending operation. Returns the failure (`code`, with the tyres that their state `refused`), or the operation in wire form.
 * Locks the tyres, so that their state still holds when the operation is there. A unique index guarantees that no tyre is in two open
 * operations, also against concurrent requests.
 */
export const createOperation = statement({
  name: 'operations.new',
  parameters: {
    site: int,
    withDepth: bool,
    /** Whose it has to be; null for an administrator, who may create it for any customer. */
    customer: int.nullable(),
    vehicle: int,
    tyres: z.array(int),
    type: operationType,
    account: int,
    now: instant,
    /** The states of tyres that the type accepts. */
    states: z.array(text),
    /** The parts that come in with the tyres of a storage. */
    withRims: z.enum(rims).nullable(),
    withBolts: bool,
    withHubcaps: bool,
    actor: int.nullable(),
  },
  row: {
    code: z.enum(refusals).nullable(),
    refused: z.array(int),
    customer: int.nullable(),
    json: text.nullable(),
  },
  sql: `
    with vehicle_asked as materialized (
       select v.id, v.customer_id from vehicle v
       where v.site_id = :site and v.id = :vehicle and v.removed_at is null and (:customer::int is null or v.customer_id = :customer) for share
     ), chosen as materialized (
       select t.id, t.vehicle_id, t.status from tyre t
       where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null and (:customer::int is null or t.customer_id = :customer)
       order by t.id for no key update
     ), verdict as materialized (
       select case
           -- first the tyres, then the vehicle: the order in which everybody locks them
           when (select count(*) from chosen) < cardinality(:tyres::int[]) then 'record.missing'
           when not exists (select from vehicle_asked) then 'record.missing'
           when exists (select from chosen where vehicle_id <> :vehicle) then 'operation.tyres_mixed'
           when refused <> '{}' then 'operation.tyres_refused'
           when exists (
             select from chosen c join operation_tyre held on held.site_id = :site and held.tyre_id = c.id and held.open)
             then 'operation.tyres_busy'
         end as code, refused
       from (select array(select id from chosen where status <> all (:states::text[]) order by id) as refused) states
     ), created as (
       insert into operation (site_id, customer_id, vehicle_id, account_id, type, tyre_count, transport_id, with_rims, with_bolts, with_hubcaps, created_at, updated_at)
       select :site, asked.customer_id, asked.id, :account, :type, cardinality(:tyres::int[]),
         case when :type = 'to_customer' then (
           -- the default, else the only one
           select max(m.id) filter (where m.is_default or count = 1)
           from (select *, count(*) over () from transport_method m where m.site_id = :site and m.removed_at is null) m) end,
         :withRims, :withBolts, :withHubcaps, :now, :now
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
       select site_id, customer_id, :actor::int, created_at, 'operation.new', 'operation ' || id,
         jsonb_build_object('type', type, 'vehicle', vehicle_id, 'tyres', tyre_count)
       from created where :actor::int is not null
     )
     select code, refused, (select customer_id from created) as customer, (select to_json(wire) from (
       ${wireOperations({ from: 'created', depth: ':withDepth', tyres: 'taken', services: 'added' })}) wire)::text as json
     from verdict`,
})

/** Makes a recall and a storage the two halves of a season swap. */
export const linkSwap = statement({
  name: 'operations.linkSwap',
  parameters: { site: int, recall: int, storage: int },
  sql: `update operation set swap_id = case id when :recall then :storage::int else :recall::int end
   where site_id = :site and id in (:recall, :storage)`,
})

// Changing --------------------------------------------------------------------------------------------------------

/** Locks an operation, of this customer or with null of any, and reads what rules ask of it. */
export const lockOperation = statement({
  name: 'operations.lock',
  parameters: { site: int, operation: int, customer: int.nullable() },
  row: {
    id: int,
    customer: int,
    type: operationType,
    status: z.enum(operationStatuses),
    transport: int.nullable(),
    deliveryDate: date.nullable(),
    remarks: text,
    withRims: z.enum(rims).nullable(),
    withBolts: bool,
    withHubcaps: bool,
    tachometer: int.nullable(),
    wornTyres: z.enum(wornDecisions).nullable(),
    /** In milliseconds since 1970. */
    updated: int,
  },
  sql: `
    select id, customer_id as customer, type, status, transport_id as transport, delivery_date as "deliveryDate", remarks,
       with_rims as "withRims", with_bolts as "withBolts", with_hubcaps as "withHubcaps", tachometer,
       worn_tyres as "wornTyres", floor(extract(epoch from updated_at) * 1000)::bigint as updated
     from operation where site_id = :site and id = :operation and (:customer::int is null or customer_id = :customer)
     for no key update`,
})

/** The services that an operation has, and those that the site offers for its type. */
export const servicesFor = statement({
  name: 'operations.services',
  parameters: { site: int, operation: int, type: operationType },
  row: { _id: int, operation_type: operationType, offered: bool, blocked: bool, held: bool },
  sql: `
    select s.id as "_id", s.operation_type, s.removed_at is null as offered, s.blocked, held.service_id is not null as held
     from service s left join operation_service held
       on held.site_id = s.site_id and held.service_id = s.id and held.operation_id = :operation
     where s.site_id = :site and (held.service_id is not null or (s.operation_type = :type and s.removed_at is null))
     order by held.added, s.id`,
})

/** The rules of a transport, its bookings on a day, of recalls or of storages (`arriving`), and the days from `today` on which the site is closed. */
export const transportRules = statement({
  name: 'operations.transport',
  parameters: { site: int, transport: int, day: date.nullable(), arriving: bool, today: date },
  row: {
    operationDays: z.array(int),
    advanceDays: int,
    cutoffHour: text.nullable(),
    operationsPerDay: int,
    tyresPerDay: int,
    operations: int,
    tyres: int,
    closedDays: z.array(text),
  },
  sql: `
    select m.operation_days as "operationDays", m.advance_days as "advanceDays", to_char(m.cutoff_hour, 'HH24:MI') as "cutoffHour",
       m.operations_per_day as "operationsPerDay", m.tyres_per_day as "tyresPerDay",
       coalesce(case when :arriving then d.arrivals else d.operations end, 0) as operations,
       coalesce(case when :arriving then d.arriving_tyres else d.tyres end, 0) as tyres,
       array(select c.day::text from closed_day c where c.site_id = :site and c.day >= :today::date) as "closedDays"
     from transport_method m
       left join transport_day d on d.site_id = m.site_id and d.transport_id = m.id and d.day = :day::date
     where m.site_id = :site and m.id = :transport and m.removed_at is null`,
})

/** On which days from `today` on the site is closed. */
export const closedFrom = statement({
  name: 'operations.closedFrom',
  parameters: { site: int, today: date },
  row: { day: date },
  sql: 'select day from closed_day where site_id = :site and day >= :today::date',
})

/** The bookings of a transport on the days of a period. */
export const takenDays = statement({
  name: 'operations.takenDays',
  parameters: { site: int, transport: int, from: date, until: date },
  row: { day: date, operations: int, tyres: int, arrivals: int, arriving_tyres: int },
  sql: `
    select day, operations, tyres, arrivals, arriving_tyres from transport_day
    where site_id = :site and transport_id = :transport and day between :from and :until`,
})

/** Saves the editable fields of an operation and its services, and audits the change. */
export const saveOperation = statement({
  name: 'operations.save',
  parameters: {
    site: int,
    operation: int,
    now: instant,
    status: z.enum(operationStatuses),
    transport: int.nullable(),
    deliveryDate: date.nullable(),
    remarks: text,
    withRims: z.enum(rims).nullable(),
    withBolts: bool,
    withHubcaps: bool,
    tachometer: int.nullable(),
    wornTyres: z.enum(wornDecisions).nullable(),
    /** Null: as they are. */
    services: z.array(int).nullable(),
    actor: int,
    /** The action in the audit; empty for none. */
    action: text,
    facts: json,
  },
  row: { count: int },
  sql: `
    with saved as (
       update operation set status = :status, transport_id = :transport, delivery_date = :deliveryDate, remarks = :remarks, with_rims = :withRims, with_bolts = :withBolts,
         with_hubcaps = :withHubcaps, tachometer = :tachometer, worn_tyres = :wornTyres, updated_at = :now, submitted_at = case when :status = 'submitted' then :now::timestamptz end
       where site_id = :site and id = :operation
       returning site_id, id, customer_id
     ), given_back as (
       -- a place that was kept free for what is not coming yet
       update operation_tyre set planned_location = null
       where site_id = :site and operation_id = :operation and planned_location is not null and :status = 'pending'
     ), taken_off as (
       delete from operation_service where site_id = :site and operation_id = :operation and service_id <> all (:services::int[])
     ), put_on as (
       insert into operation_service (site_id, operation_id, service_id, customer_id, added)
       select o.site_id, o.id, asked.id, o.customer_id, asked.nth from saved o, unnest(:services::int[]) with ordinality as asked(id, nth)
       on conflict (site_id, operation_id, service_id) do update set added = excluded.added
     ), audited as (
       insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
       select site_id, customer_id, :actor, :now, :action, 'operation ' || id, :facts::jsonb from saved where :action <> ''
     )
     select count(*) from saved`,
})

/** Whether the warehouse has begun with an operation: one of its tyres is scanned, or on its way out. */
export const hasBegun = statement({
  name: 'operations.hasBegun',
  parameters: { site: int, operation: int, onItsWayOut: z.array(text) },
  row: { begun: bool },
  sql: `select exists (
     select from operation_tyre held join wheel w on w.site_id = :site and w.tyre_id = held.tyre_id
     where held.site_id = :site and held.operation_id = :operation
       and (held.scanned_at is not null or w.state = any (:onItsWayOut::text[]))) as begun`,
})

/** Deletes an operation and answers the other half of its season swap; what it was stays in the audit. */
export const deleteOperation = statement({
  name: 'operations.delete',
  parameters: { site: int, operation: int, actor: int, now: instant },
  row: { swap: int.nullable() },
  sql: `
    with removed as (
       delete from operation where site_id = :site and id = :operation
       returning site_id, id, customer_id, vehicle_id, type, tyre_count, account_id, created_at, swap_id
     ), audited as (
       insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
       select site_id, customer_id, :actor, :now, 'operation.delete', 'operation ' || id, jsonb_build_object(
         'type', type, 'vehicle', vehicle_id, 'tyres', tyre_count, 'created_by', account_id, 'created_at', created_at)
       from removed
     )
     select swap_id as swap from removed`,
})
