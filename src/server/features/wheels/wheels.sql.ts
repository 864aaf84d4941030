/** The statements that take steps with wheels (docs/product/warehouse.md "Where a wheel is"). */
import { z } from 'zod'
import {
  anywayDays,
  countKinds,
  jobKinds,
  kindOfDifference,
  lateDays,
  likenesses,
  sameDepthMm,
  weights,
} from '#domain/warehouse/clearUp.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { restingHours, statesOf, wheelStates } from '#domain/tyres/wheel.ts'
import { maxJobs } from '#contract/wheels.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, instant, int, json, text } from '../../db/types.ts'
import { findingJoins, openFinding, placeable } from './finding.sql.ts'

/** Locks tyres by their ids, with what the rules ask of their wheels. The caller has locked their open operations. */
export const lockWheels = statement({
  name: 'wheels.lock',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int, customer: int },
  sql: `select t.id, t.customer_id as customer from tyre t
   where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null order by t.id for no key update`,
})

/** The status and the booked place of a locked tyre, and the state of its wheel. */
export const wheelOf = statement({
  name: 'wheels.one',
  parameters: { site: int, tyre: int },
  row: { status: z.enum(tyreStatuses), location: int.nullable(), state: z.enum(wheelStates) },
  sql: `select t.status, t.location_id as location, w.state from tyre t join wheel w on w.site_id = t.site_id and w.tyre_id = t.id
   where t.site_id = :site and t.id = :tyre`,
})

/** Writes an audit row for each customer whose tyres these are. */
export const auditWheels = statement({
  name: 'wheels.audit',
  parameters: { site: int, tyres: z.array(int), actor: int, now: instant, action: text, facts: json },
  sql: `insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, :action, 'tyres', jsonb_build_object('tyres', jsonb_agg(id)) || :facts::jsonb
   from tyre where site_id = :site and id = any (:tyres::int[]) group by customer_id`,
})

/** Closes the searches for tyres. With a reason they are given up. */
export const closeSearches = statement({
  name: 'wheels.closeSearches',
  parameters: { site: int, tyres: z.array(int), actor: int, now: instant, reason: text.nullable() },
  sql: `update operation_tyre set closed_at = :now, closed_by = :actor, closed_reason = :reason
   where site_id = :site and tyre_id = any (:tyres::int[]) and missing_at is not null and closed_at is null`,
})

// Jobs of clearing up ----------------------------------------------------------------------------------------------------

const countList = `'{${countKinds.join(',')}}'::text[]`
const kinds = Object.entries(kindOfDifference)
  .map(([outcome, kind]) => `when '${outcome}' then '${kind}'`)
  .join(' ')

/** The states of a wheel that is in the warehouse, or should be. */
const here = statesOf.in_stock.map(state => `'${state}'`).join(', ')

/** A wheel that was in store when the portal learned of it, and of which nobody has said where. */
const unplaced = `w.state = 'received' and w.began = 'received' and w.step = '' and t.location_id is null`

/** `job`: everything that is out of order, except jobs that somebody settled. */
export const jobs = `
   broken_set as materialized (
     select t.vehicle_id, t.tyre_set, count(*) as size, min(t.location_id) <> max(t.location_id) as is_split
     from tyre t where t.site_id = :site and t.status = 'in_stock' and t.removed_at is null and t.tyre_set is not null
     group by 1, 2 having count(*) = 3 or min(t.location_id) <> max(t.location_id)
   ), stored_set as materialized (
     select b.*, array(
       select t.id from tyre t where t.site_id = :site and t.vehicle_id = b.vehicle_id and t.tyre_set = b.tyre_set and t.status = 'in_stock'
         and t.removed_at is null order by t.id) as tyres
     from broken_set b
   ), found as (
     select case w.state when 'missing' then 'missing' else 'resting' end as kind, w.tyre_id::text as key, array[w.tyre_id] as tyres,
       coalesce(w.location_id, t.location_id) as location, w.since, null::int as orphan
     from wheel w join tyre t on t.site_id = w.site_id and t.id = w.tyre_id
     where w.site_id = :site and t.removed_at is null and (w.state = 'missing'
       or w.state in ('received', 'on_cart') and not (${unplaced}) and w.since < :now::timestamptz - interval '${restingHours} hours')
     union all
     -- an import without racks brings thousands: they are one job for each customer
     select 'unplaced', t.customer_id::text, array_agg(t.id order by t.vehicle_id, t.position, t.id), null, min(w.since), null
     from wheel w join tyre t on t.site_id = w.site_id and t.id = w.tyre_id
     where w.site_id = :site and t.removed_at is null and ${unplaced} group by t.customer_id
     union all
     select 'three', vehicle_id || ' ' || tyre_set || ' ' || tyres::text, tyres, null, null, null from stored_set where size = 3
     union all
     select 'split', s.vehicle_id || ' ' || s.tyre_set || ' ' || s.tyres::text, s.tyres, most.id, null, null
     from stored_set s cross join lateral (
       select l.id, max(l.capacity) over () as largest from tyre t join location l on l.site_id = t.site_id and l.id = t.location_id
       where t.site_id = :site and t.id = any (s.tyres) group by l.id, l.capacity, l.walk order by count(*) desc, l.walk, l.id limit 1) most
     where s.is_split and most.largest >= s.size
     union all
     select 'over', l.id || ' ' || l.held, array(
       select t.id from tyre t where t.site_id = :site and t.location_id = l.id and t.removed_at is null order by t.id limit 50), l.id, null, null
     from location l where l.site_id = :site and l.held > l.capacity
     union all
     select 'anyway', o.id || ' ' || held.tyre_id, array[held.tyre_id], t.location_id, o.handled_at, null
     from operation o join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id
       join wheel w on w.site_id = o.site_id and w.tyre_id = held.tyre_id
       join tyre t on t.site_id = o.site_id and t.id = held.tyre_id
     where o.site_id = :site and o.handled_at > :now::timestamptz - interval '${anywayDays} days' and o.status = 'confirmed' and o.type = 'to_stock'
       and held.scanned_at is null and held.missing_at is null and t.status = 'in_stock' and t.removed_at is null and w.step = 'store'
     union all
     -- damage that is reported anew is another job
     select 'damaged', w.tyre_id || ' ' || array_agg(r.id order by r.id)::text, array[w.tyre_id], coalesce(w.location_id, t.location_id), min(r.at), null
     from damage_report r join wheel w on w.site_id = r.site_id and w.tyre_id = r.tyre_id join tyre t on t.site_id = r.site_id and t.id = r.tyre_id
     where r.site_id = :site and r.code is not null and r.ended is null and w.state in (${here}) and t.removed_at is null
     group by w.tyre_id, w.location_id, t.location_id
     union all
     select 'orphan', id::text, '{}', location_id, found_at, id from orphan where site_id = :site and ended_at is null
     union all
     select case f.outcome ${kinds} end, f.id::text, case when f.tyre_id is null then '{}' else array[f.tyre_id] end, c.location_id, c.counted_at, null
     from count_finding f ${findingJoins} where f.site_id = :site and ${openFinding}
   ), job as materialized (
     select * from found where not exists (
       select from settled_job s where s.site_id = :site and s.kind = found.kind and s.key = found.key))`
export const tally = `(select coalesce(json_object_agg(kind, count), '{}') from (
     select kind.name as kind, (select count(*)::int from job where job.kind = kind.name) as count
     from unnest('{${jobKinds.join(',')}}'::text[]) kind(name)) counted)`

export const clearUp = statement({
  name: 'wheels.clearup',
  parameters: { site: int, now: instant },
  row: answer,
  sql: `with ${jobs}
   select json_build_object('counts', ${tally}, 'jobs', (select coalesce(json_agg(wire), '[]') from (
     select j.kind, j.key, j.tyres, coalesce(j.since, t.status_date::timestamptz, :now::timestamptz) as since, t.vehicle_id as flt_id, t.customer_id as seq_id,
       coalesce(nullif(c.company, ''), c.name, '') as companyname, coalesce(v.license_plate, '') as license_plate,
       coalesce(t.tyre_set, '') as tyre_set, coalesce(t.position, '') as position,
       coalesce(t.description, concat_ws(' ', nullif(o.brand, ''), nullif(o.pattern, ''), nullif(o.size, ''), nullif(o.dot, ''), nullif(o.note, ''))) as description,
       t.status as tyre_status, w.state, j.location, coalesce(l.site_name, '') as stock_site_name, coalesce(l.path, '') as stock_rack, j.orphan,
       case when j.kind = any (${countList}) then (
         select json_build_object('outcome', f.outcome, 'label_site', f.label_site, 'label_tyre', f.label_tyre, 'belongs', f.belongs_id,
           'belongs_rack', f.belongs, 'placeable', ${placeable})
         from count_finding f where f.site_id = :site and f.id = j.key::int) end as counted,
       case when j.kind = 'damaged' then array(select distinct code from damage_report r where r.site_id = :site and r.tyre_id = t.id
         and r.code is not null and r.ended is null order by 1) else '{}' end as damages
     from (select *, row_number() over (partition by kind order by since, tyres[1], key) as nth from job) j
       left join tyre t on t.site_id = :site and t.id = j.tyres[1] left join wheel w on w.site_id = :site and w.tyre_id = t.id
       left join vehicle v on v.site_id = :site and v.id = t.vehicle_id left join customer c on c.site_id = :site and c.id = t.customer_id
       left join location l on l.site_id = :site and l.id = j.location left join orphan o on o.site_id = :site and o.id = j.orphan
     where j.nth <= ${maxJobs} order by j.kind, j.nth) wire))::text as json`,
})

export const tallyJobs = statement({
  name: 'wheels.tally',
  parameters: { site: int, now: instant },
  row: answer,
  sql: `with ${jobs} select ${tally}::text as json`,
})

/** Notes that a job needs no action. */
export const settleJob = statement({
  name: 'wheels.settle',
  parameters: { site: int, kind: text, key: text, reason: text, actor: int, now: instant },
  sql: `with settled as (
     insert into settled_job (site_id, kind, key, reason, at, account_id) values (:site, :kind, :key, :reason, :now, :actor) on conflict do nothing)
   insert into audit (site_id, account_id, at, action, subject, facts)
   values (:site, :actor, :now, 'wheel.settle', 'warehouse', jsonb_build_object('kind', :kind::text, 'reason', :reason::text))`,
})

// Orphans -----------------------------------------------------------------------------------------------------------------

/** Registers an orphan. */
export const addOrphan = statement({
  name: 'wheels.addOrphan',
  parameters: {
    site: int,
    size: text,
    sizeKey: text,
    brand: text,
    pattern: text,
    dot: text,
    depth: z.number().nullable(),
    note: text,
    location: int.nullable(),
    actor: int,
    now: instant,
  },
  row: { orphan: int },
  sql: `with added as (
     insert into orphan (site_id, size, size_key, brand, pattern, dot, depth, note, location_id, found_at, found_by, device)
     values (:site, :size, :sizeKey, :brand, :pattern, :dot, :depth::numeric, :note, :location, :now, :actor,
       nullif(current_setting('app.device', true), '')::uuid)
     returning id
   ), audited as (
     insert into audit (site_id, account_id, at, action, subject, facts)
     select :site, :actor, :now, 'wheel.orphan', 'orphan ' || id, jsonb_build_object('size', :size::text, 'brand', :brand::text) from added)
   select id as orphan from added`,
})

/** Locks an orphan that is still one. */
export const lockOrphan = statement({
  name: 'wheels.lockOrphan',
  parameters: { site: int, orphan: int },
  row: { id: int },
  sql: `select id from orphan where site_id = :site and id = :orphan and ended_at is null for no key update`,
})

/** Ends an orphan: it was this tyre, or is given up with a reason. */
export const endOrphan = statement({
  name: 'wheels.endOrphan',
  parameters: { site: int, orphan: int, tyre: int.nullable(), reason: text.nullable(), actor: int, now: instant },
  sql: `with ended as (
     update orphan set ended_at = :now, ended_by = :actor, tyre_id = :tyre, reason = :reason where site_id = :site and id = :orphan returning id)
   insert into audit (site_id, account_id, at, action, subject, facts)
   select :site, :actor, :now, case when :tyre::int is null then 'wheel.dismiss' else 'wheel.identify' end, 'orphan ' || id,
     case when :tyre::int is null then jsonb_build_object('reason', :reason::text) else jsonb_build_object('tyres', jsonb_build_array(:tyre::int)) end
   from ended`,
})

const points = likenesses.map(why => `${weights[why]} * is_${why}::int`).join(' + ')

/**
 * The tyres that an orphan may be, likeliest first: missing and expected ones, and those of incomplete sets of its size. Where the
 * size is known on both sides, another one is out of the question.
 */
export const candidatesOf = statement({
  name: 'wheels.candidates',
  parameters: { site: int, orphan: int, withDepth: bool, now: instant },
  row: answer,
  sql: `with orphan as (
     select * from orphan where site_id = :site and id = :orphan
   ), pool as (
     select w.tyre_id as id from wheel w where w.site_id = :site and w.state in ('missing', 'expected')
     union
     select t.id from orphan o join article a on a.site_id = :site and a.speed_key >= o.size_key and a.speed_key < o.size_key || '~'
       join tyre t on t.site_id = :site and t.article_id = a.id and t.status not in ('in_stock', 'waste') and t.removed_at is null
     where o.size_key <> '' and exists (
       select from tyre other where other.site_id = :site and other.vehicle_id = t.vehicle_id and other.tyre_set = t.tyre_set
         and other.status = 'in_stock' and other.removed_at is null)
   ), alike as (
     select t.*, w.state, o.size_key,
       w.state = 'missing' and w.since > :now::timestamptz - interval '${lateDays} days' as is_missing, w.state = 'expected' as is_expected,
       exists (select from tyre other where other.site_id = :site and other.vehicle_id = t.vehicle_id and other.tyre_set = t.tyre_set
         and other.id <> t.id and other.status = 'in_stock' and other.removed_at is null) as is_set,
       o.size_key <> '' and (starts_with(a.speed_key, o.size_key) or strpos(regexp_replace(t.description, '\\D', '', 'g'), o.size_key) > 0) as is_size,
       o.brand <> '' and (upper(a.brand) = upper(o.brand) or strpos(upper(t.description), upper(o.brand)) > 0) as is_brand,
       o.pattern <> '' and strpos(upper(t.description), upper(o.pattern)) > 0 as is_pattern,
       coalesce(abs(t.profile_depth - o.depth) <= ${sameDepthMm}, false) as is_depth
     from pool p join tyre t on t.site_id = :site and t.id = p.id and t.removed_at is null
       join wheel w on w.site_id = :site and w.tyre_id = t.id and w.state in ('missing', 'expected', 'with_customer')
       join article a on a.site_id = :site and a.id = t.article_id cross join orphan o
   )
   select (select coalesce(json_agg(wire), '[]') from (
     select t.id as db_id, t.vehicle_id as flt_id, t.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname,
       v.license_plate, t.position, t.description, coalesce(t.tyre_set, '') as tyre_set,
       case when :withDepth then t.profile_depth end as profile_depth, t.state,
       array_remove(array[${likenesses.map(why => `case when is_${why} then '${why}' end`).join(', ')}], null) as why
     from alike t join vehicle v on v.site_id = :site and v.id = t.vehicle_id join customer c on c.site_id = :site and c.id = t.customer_id
     where t.size_key = '' or t.is_size
     order by ${points} desc, t.id limit 20) wire)::text as json
   from orphan`,
})
