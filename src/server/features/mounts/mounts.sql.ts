/** The statements of mounted tyres and odometers (docs/product/vehicles.md "Mounted tyres"). */
import { z } from 'zod'
import { mountSources } from '#domain/tyres/mount.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { auditOfTyres } from '../audit/audited.sql.ts'

/** The status of a tyre before a change, and the day of it. */
type Former = { readonly status: string; readonly date: string }

const holding = 'm.withdrawn is null'

const columns = `m.id, m.tyre_id as tyre, m.vehicle_id as vehicle, m.position, m.since, m.until, m.source, m.until_source as "untilSource",
  m.change, m.until_change as "untilChange", m.former, m.until_former as "untilFormer", t.status, t.description, t.tyre_set as set, v.license_plate as plate`
const row = {
  id: int,
  tyre: int,
  vehicle: int,
  position: text,
  since: date,
  until: date.nullable(),
  source: z.enum(mountSources),
  untilSource: z.enum(mountSources).nullable(),
  change: int,
  untilChange: int.nullable(),
  former: parsedJson<Former>().nullable(),
  untilFormer: parsedJson<Former>().nullable(),
  status: z.enum(tyreStatuses),
  description: text,
  set: text.nullable(),
  plate: text,
}
const joins = `join tyre t on t.site_id = m.site_id and t.id = m.tyre_id join vehicle v on v.site_id = m.site_id and v.id = m.vehicle_id`

/** The periods that hold of a vehicle, and of its tyres on other vehicles, newest first. */
export const mountsOfVehicle = statement({
  name: 'mounts.ofVehicle',
  parameters: { site: int, vehicle: int },
  row,
  sql: `select ${columns} from mount m ${joins}
   where m.site_id = :site and ${holding} and (m.vehicle_id = :vehicle
     or m.tyre_id in (select id from tyre where site_id = :site and vehicle_id = :vehicle and removed_at is null))
   order by m.since desc, m.id desc`,
})

/** The periods that a change has withdrawn. */
export const mountsWithdrawnBy = statement({
  name: 'mounts.withdrawnBy',
  parameters: { site: int, vehicle: int, change: int },
  row,
  sql: `select ${columns} from mount m ${joins}
   where m.site_id = :site and m.vehicle_id = :vehicle and m.withdrawn_change = :change and m.change <> :change order by m.id`,
})

export const nextChange = statement({
  name: 'mounts.nextChange',
  row: { change: int },
  sql: `select nextval('mount_change') as change`,
})

export const withdrawMounts = statement({
  name: 'mounts.withdraw',
  parameters: { site: int, mounts: z.array(int), reasons: z.array(text), change: int },
  sql: `update mount m set withdrawn = w.why, withdrawn_change = :change
   from unnest(:mounts::bigint[], :reasons::text[]) w (id, why) where m.site_id = :site and m.id = w.id`,
})

export const closeMounts = statement({
  name: 'mounts.close',
  parameters: { site: int, mounts: z.array(int), day: date, change: int },
  sql: `update mount m set until = :day, until_source = 'confirmed', until_change = :change,
     until_former = (select jsonb_build_object('status', t.status, 'date', t.status_date) from tyre t where t.site_id = m.site_id and t.id = m.tyre_id)
   where m.site_id = :site and m.id = any (:mounts::bigint[])`,
})

/** Enters periods, given as JSON rows; `withdrawn` for one that is only said never to have been. */
export const openMounts = statement({
  name: 'mounts.open',
  parameters: { site: int, vehicle: int, mounts: json, change: int, account: int, now: instant },
  sql: `insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, until, source, until_source, change, until_change, withdrawn,
     withdrawn_change, former, until_former, account_id, entered_at)
   select :site, t.id, t.customer_id, :vehicle, n.position, n.since, n.until, n.source, n."untilSource", :change::bigint,
     case when n.until is not null then :change::bigint end, n.withdrawn, case when n.withdrawn is not null then :change::bigint end,
     coalesce(n.former, jsonb_build_object('status', t.status, 'date', t.status_date)),
     case when n.until is not null then n."untilFormer" end, :account, :now
   from json_to_recordset(:mounts::json) as n (tyre int, position text, since date, until date, source text, "untilSource" text, withdrawn text,
     former jsonb, "untilFormer" jsonb)
   join tyre t on t.site_id = :site and t.id = n.tyre`,
})

/** Gives tyres the status that follows, where there is one, and writes the change into their history. Rows as JSON. */
export const noteMounts = statement({
  name: 'mounts.note',
  parameters: {
    site: int,
    rows: json,
    now: instant,
    today: date,
    timeZone: text,
    account: int,
    actor: int.nullable(),
    action: z.enum(['tyre.mount', 'tyre.unmount', 'tyre.remount']),
  },
  sql: `with noted as materialized (
     select * from json_to_recordset(:rows::json) as n (tyre int, kind text, position text, day date, status text, "statusDate" date)),
   changed as (
     update tyre t set status = n.status, status_date = n."statusDate" from noted n
     where t.site_id = :site and t.id = n.tyre and n.status is not null and t.status in ('at_customer', 'on_vehicle', 'on_spare')
       and (t.status, t.status_date) is distinct from (n.status, n."statusDate")
     returning t.id),
   named as materialized (
     select t.id, t.customer_id, t.vehicle_id, n.kind, n.position, n.day, case when changed.id is not null then n.status end as status
     from noted n join tyre t on t.site_id = :site and t.id = n.tyre left join changed on changed.id = t.id),
   written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, note)
     select :site, id, customer_id, vehicle_id, kind,
       case when day = :today::date then :now::timestamptz else (day + time '12:00') at time zone :timeZone end, :account, status, position
     from named order by id),
   ${auditOfTyres('tyre.mount', { from: 'named', actor: ':actor', at: ':now' }).replace("'tyre.mount'", ':action')}
   select from named`,
})

/** Takes back the readings that came with a change. */
export const withdrawOdometersOf = statement({
  name: 'mounts.withdrawOdometersOf',
  parameters: { site: int, vehicle: int, change: int, now: instant },
  sql: `update odometer set withdrawn_at = :now where site_id = :site and vehicle_id = :vehicle and change = :change and withdrawn_at is null`,
})

// By consequence --------------------------------------------------------------------------------------------------------

/** Confirmed recalls of customers, or sites, whose deliveries are presumed to be mounted. */
const presumed = `select o.site_id, o.id, o.vehicle_id, o.swap_id from operation o
     join site s on s.id = o.site_id join customer c on c.site_id = o.site_id and c.id = o.customer_id
   where o.site_id = :site and o.id = any (:operations::int[]) and o.type = 'to_customer' and o.status = 'confirmed'
     and coalesce(c.presume_mounts, s.presume_mounts)`

/** Takes off what the other half of a season swap brings back, on the day of the delivery. */
export const presumeReturned = statement({
  name: 'mounts.presumeReturned',
  parameters: { site: int, operations: z.array(int), day: date, change: int, account: int, now: instant },
  sql: `with delivered as (${presumed}),
   ended as (
     update mount m set until = greatest(m.since, :day::date), until_source = 'presumed', until_change = :change
     from delivered d join operation back on back.site_id = d.site_id and back.id = d.swap_id and back.status <> 'cancelled'
       join operation_tyre held on held.site_id = back.site_id and held.operation_id = back.id
     where m.site_id = d.site_id and m.tyre_id = held.tyre_id and m.until is null and m.withdrawn is null
     returning m.tyre_id, m.customer_id, m.vehicle_id, m.position)
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
   select :site, tyre_id, customer_id, vehicle_id, 'dismounted', :now, :account, position from ended`,
})

/**
 * Mounts what was delivered, on the positions of its set, from the day on. Of an operation all or nothing: where another tyre sits on one of
 * the positions, or two have the same, nobody knows what became of them, and the portal asks.
 */
export const presumeMounted = statement({
  name: 'mounts.presumeMounted',
  parameters: { site: int, operations: z.array(int), day: date, change: int, account: int, now: instant },
  sql: `with delivered as (${presumed}),
   held as materialized (
     select d.id as operation, t.id, t.customer_id, t.vehicle_id, t.position, count(*) over (partition by t.vehicle_id, t.position) as same
     from delivered d join operation_tyre h on h.site_id = d.site_id and h.operation_id = d.id and h.missing_at is null
       join tyre t on t.site_id = h.site_id and t.id = h.tyre_id and t.vehicle_id = d.vehicle_id),
   unclear as (
     select operation from held where same > 1 or exists (
       select from mount m where m.site_id = :site and m.withdrawn is null and (m.until is null or m.until > :day::date)
         and (m.tyre_id = held.id or m.vehicle_id = held.vehicle_id and m.position = held.position))),
   opened as (
     insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change, account_id, entered_at)
     select :site, id, customer_id, vehicle_id, position, :day, 'presumed', :change, :account, :now from held
     where operation not in (select operation from unclear)
     returning tyre_id, customer_id, vehicle_id, position)
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
   select :site, tyre_id, customer_id, vehicle_id, 'mounted', :now, :account, position from opened`,
})

// Of a fleet ------------------------------------------------------------------------------------------------------------

/**
 * The mounted tyres of the vehicles of a customer, or of the site, and the questions that the records leave open: presumptions, deliveries of which
 * nothing is known, and contradictions; one for each set of a vehicle, for a wheel without a set as well. In wire form. No row: there is no such customer.
 */
export const mountsOfFleet = statement({
  name: 'mounts.fleet',
  parameters: {
    site: int,
    customer: int.nullable(),
    today: date,
    timeZone: text,
    summer: date.nullable(),
    withDepth: bool,
    withOdometer: bool,
  },
  row: answer,
  sql: `with on_road as materialized (
     select m.*, t.tyre_set, t.season from mount m join tyre t on t.site_id = m.site_id and t.id = m.tyre_id
     where m.site_id = :site and (:customer::int is null or m.customer_id = :customer) and m.until is null and ${holding}),
   delivered as (
     select t.* from tyre t join customer c on c.site_id = t.site_id and c.id = t.customer_id join site s on s.id = t.site_id
     where t.site_id = :site and (:customer::int is null or t.customer_id = :customer) and t.removed_at is null and t.status = 'at_customer'
       and coalesce(c.presume_mounts, s.presume_mounts) and t.status_date > :today::date - 366
       and exists (select from stay y where y.site_id = t.site_id and y.tyre_id = t.id and y.until = t.status_date)
       -- whatever somebody said of it since
       and not exists (select from mount m where m.site_id = t.site_id and m.tyre_id = t.id
         and (m.until is null and ${holding} or m.since >= t.status_date and coalesce(m.withdrawn, '') <> 'undone'))),
   arrived as (
     select t.*, o.since, o.tyre_set as mounted_set, o.tyre_id as mounted
     from tyre t join on_road o on o.site_id = t.site_id and o.vehicle_id = t.vehicle_id and o.position = t.position
     where t.site_id = :site and t.removed_at is null and t.status = 'in_stock' and t.status_date >= o.since
       and (o.entered_at at time zone :timeZone)::date <= t.status_date and o.tyre_set is distinct from t.tyre_set
       -- it was taken off when, or since, the other one came
       and not exists (select from mount m where m.site_id = t.site_id and m.tyre_id = t.id and ${holding} and m.until between o.since and t.status_date)
       -- and what was there before is known
       and exists (select from mount m where m.site_id = t.site_id and m.vehicle_id = t.vehicle_id and ${holding} and m.until <= o.since)),
   question as (
     select vehicle_id, 'presumed' as kind, array_agg(tyre_id order by position) as tyres, tyre_set, since as day, null::text as other_set
     from on_road where source = 'presumed' group by vehicle_id, tyre_set, since
     union all
     select d.vehicle_id, case when max(o.id) is null then 'delivered' else 'two_sets' end, array_agg(distinct d.id), d.tyre_set, d.status_date,
       max(o.tyre_set)
     from delivered d left join on_road o on o.vehicle_id = d.vehicle_id and o.position = d.position
     group by d.vehicle_id, d.tyre_set, d.status_date
     union all
     select vehicle_id, 'other_arrived', array_agg(distinct mounted), mounted_set, since, max(tyre_set)
     from arrived group by vehicle_id, mounted_set, since
     union all
     select vehicle_id, 'wrong_season', array_agg(tyre_id order by position), tyre_set, min(since), null
     from on_road where :summer::date is not null and season in ('winter', 'snow') and (entered_at at time zone :timeZone)::date < :summer::date
     group by vehicle_id, tyre_set
     union all
     select vehicle_id, 'odometer', '{}', null, max(day), null
     from (
       select vehicle_id, day, km < max(km) over (partition by vehicle_id order by day, km rows between unbounded preceding and 1 preceding) as falls
       from odometer where site_id = :site and (:customer::int is null or customer_id = :customer) and withdrawn_at is null and :withOdometer
         and (:withDepth or source <> 'depth')) reading
     where falls group by vehicle_id),
   mounted as (
     select m.tyre_id as tyre, m.vehicle_id as flt_id, m.position, m.since, m.source
     from on_road m join vehicle v on v.site_id = :site and v.id = m.vehicle_id and v.removed_at is null order by m.vehicle_id, m.position),
   asked as (
     select v.id as flt_id, v.license_plate, q.kind, q.tyres, q.tyre_set, q.day as date, q.other_set
     from question q join vehicle v on v.site_id = :site and v.id = q.vehicle_id and v.removed_at is null
     -- a contradiction about a set asks what its presumption would ask
     where q.kind <> 'presumed' or not exists (
       select from question other where other.vehicle_id = q.vehicle_id and other.kind in ('other_arrived', 'wrong_season')
         and other.tyre_set is not distinct from q.tyre_set)
     order by v.license_plate, v.id, q.day, q.kind)
   select json_build_object('mounted', (select coalesce(json_agg(mounted), '[]') from mounted),
     'questions', (select coalesce(json_agg(asked), '[]') from asked))::text as json
   where :customer::int is null or exists (select from customer where site_id = :site and id = :customer)`,
})
