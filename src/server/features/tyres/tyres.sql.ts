/** The statements of tyres as a fleet keeps them: added, put into sets, measured, removed (docs/product/tyres.md "Tyres"). */
import { z } from 'zod'
import type { Axle } from '#domain/vehicles/axle.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { maxEventsShown } from '#contract/tyres.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { auditOfTyres } from '../audit/audited.sql.ts'
import { tyreColumns, tyreJoins } from './tyreColumns.sql.ts'

/** Tyres in wire form, by id. */
export const tyresByIds = statement({
  name: 'tyres.byIds',
  parameters: { site: int, tyres: z.array(int), withDepth: bool },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select ${tyreColumns('t', { depth: ':withDepth' })} from tyre t ${tyreJoins('t')}
     where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null order by t.id) wire`,
})

/**
 * Locks a vehicle so that concurrent additions of tyres and set names are serialised. `customer`: the caller's, null
 * for an administrator. Dependent rows are read by a later statement: one that waits for a lock reads the state before
 * it.
 */
export const lockVehicle = statement({
  name: 'tyres.lockVehicle',
  parameters: { site: int, vehicle: int, customer: int.nullable() },
  row: { customer: int, axles: parsedJson<Axle[]>().nullable() },
  sql: `select v.customer_id as customer, g.axles
   from vehicle v left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where v.site_id = :site and v.id = :vehicle and v.removed_at is null and (:customer::int is null or v.customer_id = :customer) for update of v`,
})

/** How many tyres of a vehicle belong to no set. */
export const countSetless = statement({
  name: 'tyres.setless',
  parameters: { site: int, vehicle: int },
  row: { setless: int },
  sql: `select count(*) as setless from tyre
   where site_id = :site and vehicle_id = :vehicle and tyre_set is null and removed_at is null and status <> 'waste'`,
})

/** Locks tyres in the order of their ids, with what the rules need. Those of a removed vehicle do not exist either. */
export const lockTyres = statement({
  name: 'tyres.lock',
  parameters: { site: int, tyres: z.array(int), customer: int.nullable() },
  row: {
    id: int,
    vehicle: int,
    customer: int,
    position: text,
    status: z.enum(tyreStatuses),
    since: date,
    set: text.nullable(),
    dot: text,
    retreaded: text,
  },
  sql: `select t.id, t.vehicle_id as vehicle, t.customer_id as customer, t.position, t.status, t.status_date as since, t.tyre_set as set, t.dot,
     t.retreaded
   from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null and v.removed_at is null
     and (:customer::int is null or t.customer_id = :customer)
   order by t.id for update of t`,
})

/** Which of these tyres are in an open operation. The caller has locked them. */
export const busyTyres = statement({
  name: 'tyres.busy',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int },
  sql: `select tyre_id as id from operation_tyre where site_id = :site and tyre_id = any (:tyres::int[]) and open order by tyre_id`,
})

/** One row when the vehicle exists for the caller. */
export const vehicleExists = statement({
  name: 'tyres.vehicleThere',
  parameters: { site: int, vehicle: int, customer: int.nullable() },
  sql: `select from vehicle where site_id = :site and id = :vehicle and (:customer::int is null or customer_id = :customer)`,
})

/** How many of these tyres exist for the caller, removed ones included: their history stays. */
export const countTyres = statement({
  name: 'tyres.there',
  parameters: { site: int, tyres: z.array(int), customer: int.nullable() },
  row: { found: int },
  sql: `select count(*) as found from tyre where site_id = :site and id = any (:tyres::int[]) and (:customer::int is null or customer_id = :customer)`,
})

/** The positions of a set that other tyres than those of `except` hold. */
export const positionsOfSet = statement({
  name: 'tyres.positionsOfSet',
  parameters: { site: int, vehicle: int, set: text, except: z.array(int) },
  row: { position: text },
  sql: `select position from tyre where site_id = :site and vehicle_id = :vehicle and lower(tyre_set) = lower(:set) and removed_at is null
     and status <> 'waste' and not id = any (:except::int[])`,
})

/**
 * How a set is spelled on its vehicle by tyres other than those of `except`. No row: there is no other tyre in it. One spelling a
 * set: who adds to it keeps that.
 */
export const spellingOfSet = statement({
  name: 'tyres.spellingOfSet',
  parameters: { site: int, vehicle: int, set: text, except: z.array(int) },
  row: { set: text.nullable() },
  sql: `select tyre_set as set from tyre where site_id = :site and vehicle_id = :vehicle and lower(tyre_set) = lower(:set) and removed_at is null
     and not id = any (:except::int[]) order by id limit 1`,
})

/** Articles of the catalogue. */
export const articlesByIds = statement({
  name: 'tyres.articles',
  parameters: { site: int, articles: z.array(int) },
  row: { id: int, description: text },
  sql: `select id, description from article where site_id = :site and id = any (:articles::int[]) and not unknown and retired_at is null`,
})

/** Placeholder articles for unknown ones, by season. */
export const unknownArticles = statement({
  name: 'tyres.unknownArticles',
  parameters: { site: int },
  row: { winter: int.nullable(), summer: int.nullable(), all_season: int.nullable(), snow: int.nullable() },
  sql: `select unknown_winter_article as winter, unknown_summer_article as summer, unknown_all_season_article as all_season,
     unknown_snow_article as snow from site where id = :site`,
})

// `account` is whose change it is; `actor` is the account of an administrator for the audit, null for a customer (`actorOf`).

/** Adds tyres, given as JSON rows; each gets its first event in the same statement. */
export const insertTyres = statement({
  name: 'tyres.insert',
  parameters: {
    site: int,
    customer: int,
    vehicle: int,
    tyres: json,
    set: text.nullable(),
    day: date,
    now: instant,
    account: int,
    actor: int.nullable(),
  },
  row: { id: int },
  sql: `with made as (
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, season, tyre_set, status, status_date, unknown_article)
     select :site, :customer, :vehicle, w.article, w.position, w.description, w.season, :set, 'at_customer', :day, w.unknown
     from json_to_recordset(:tyres::json) as w (article int, position text, description text, season text, unknown boolean)
     returning id, customer_id, vehicle_id),
   written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status)
     select :site, id, customer_id, vehicle_id, 'added', :now, :account, 'at_customer' from made),
   ${auditOfTyres('tyre.add', { from: 'made', actor: ':actor', at: ':now', set: ':set' })}
   select id from made`,
})

/**
 * Puts tyres into a set, or with null into none, as they were; those already in it are unchanged. Stays keep the set that they are
 * charged as; they have its new name when all of it is renamed.
 */
export const renameSet = statement({
  name: 'tyres.renameSet',
  parameters: {
    site: int,
    tyres: z.array(int),
    set: text.nullable(),
    now: instant,
    account: int,
    actor: int.nullable(),
  },
  sql: `with changed as (
     update tyre set tyre_set = :set where site_id = :site and id = any (:tyres::int[]) and tyre_set is distinct from :set
     returning id, customer_id, vehicle_id),
   stored as (
     update stay s set tyre_set = :set from changed
     where s.site_id = :site and s.tyre_id = changed.id and s.until is null and (:set::text is null or s.tyre_set is not null and not exists (
       select from stay other where other.site_id = s.site_id and other.vehicle_id = s.vehicle_id and other.until is null
         and case when other.tyre_id = any (:tyres::int[]) then other.tyre_set is distinct from s.tyre_set
           else lower(other.tyre_set) in (lower(s.tyre_set), lower(:set)) end))),
   ${auditOfTyres('tyre.set', { from: 'changed', actor: ':actor', at: ':now', set: ':set' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
   select :site, id, customer_id, vehicle_id, 'changed', :now, :account, coalesce(:set, '–') from changed`,
})

/** When tyres were made and retreaded, as the codes on their sides say. */
export const dotsOfTyres = statement({
  name: 'tyres.dots',
  parameters: { site: int, tyres: z.array(int) },
  row: { tyre: int, dot: text, retreaded: text },
  sql: `select id as tyre, dot, retreaded from tyre where site_id = :site and id = any (:tyres::int[]) order by id`,
})

/** Notes them of one tyre; its history says so when they are others. */
export const noteDot = statement({
  name: 'tyres.noteDot',
  parameters: { site: int, tyre: int, dot: text, retreaded: text, now: instant, account: int, actor: int.nullable() },
  sql: `with changed as (
     update tyre set dot = :dot, retreaded = :retreaded
     where site_id = :site and id = :tyre and (dot, retreaded) is distinct from (:dot, :retreaded)
     returning id, customer_id, vehicle_id),
   ${auditOfTyres('tyre.dot', { from: 'changed', actor: ':actor', at: ':now' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
   select :site, id, customer_id, vehicle_id, 'dated', :now, :account,
     coalesce(nullif(concat_ws(', ', nullif(:dot, ''), 'R ' || nullif(:retreaded, '')), ''), '–') from changed`,
})

/** Removes tyres; their history stays. */
export const removeTyres = statement({
  name: 'tyres.remove',
  parameters: { site: int, tyres: z.array(int), now: instant, account: int, actor: int.nullable() },
  sql: `with gone as (
     update tyre set removed_at = :now where site_id = :site and id = any (:tyres::int[]) returning id, customer_id, vehicle_id, status),
   ${auditOfTyres('tyre.remove', { from: 'gone', actor: ':actor', at: ':now' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status)
   select :site, id, customer_id, vehicle_id, 'removed', :now, :account, status from gone`,
})

/** Of event `e`, a reading: nobody has taken it back. */
export const stands = (e: string): string =>
  `not exists (select from tyre_event taken where taken.site_id = ${e}.site_id and taken.undoes = ${e}.id)`

// The reading of tyre t nearest to the day of reading r, on one side; of several on one day the last one entered. The depth in
// the tyre's own row counts as the last of its day: imported tyres have a depth without a history.
const neighbour = (side: '<' | '>', order: string): string => `
  left join lateral (
    select known.depth from (
      select (e.at at time zone :timeZone)::date as day, e.at, e.id, e.depth from tyre_event e
      where e.site_id = :site and e.tyre_id = r.id and e.kind = 'measured' and e.depth is not null and ${stands('e')}
      union all
      select coalesce(t.profile_date, '-infinity'), 'infinity', 0, t.profile_depth where t.profile_depth is not null) known
    where known.day ${side} r.day order by ${order}, known.at desc, known.id desc limit 1)`

/**
 * The tyres whose reading is impossible, because no tyre gets deeper: deeper than the last one of an earlier day, or shallower
 * than the first one of a later day. Readings of the same day are corrections of each other.
 */
export const deeperTyres = statement({
  name: 'tyres.grown',
  parameters: { site: int, readings: json, timeZone: text },
  row: { id: int },
  sql: `select r.id from json_to_recordset(:readings::json) as r (id int, depth numeric, day date)
   join tyre t on t.site_id = :site and t.id = r.id
   ${neighbour('<', 'known.day desc')} earlier on true
   ${neighbour('>', 'known.day')} later on true
   where r.depth > earlier.depth or r.depth < later.depth order by r.id`,
})

/** Records readings, given as JSON rows. The newest by date is the tyre's own; an older one that is added later is history only. */
export const recordReadings = statement({
  name: 'tyres.measure',
  parameters: {
    site: int,
    readings: json,
    now: instant,
    account: int,
    day: date,
    actor: int.nullable(),
    timeZone: text,
  },
  sql: `with reading as (
     select * from json_to_recordset(:readings::json) as r (id int, depth numeric, day date, odometer int)),
   kept as (
     update tyre t set profile_depth = r.depth, profile_date = r.day, profile_tacho = r.odometer
     from reading r where t.site_id = :site and t.id = r.id and (t.profile_date is null or t.profile_date <= r.day)),
   measured as (select t.id, t.customer_id, t.vehicle_id from reading r join tyre t on t.site_id = :site and t.id = r.id),
   ${auditOfTyres('tyre.measure', { from: 'measured', actor: ':actor', at: ':now' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, depth, odometer, former)
   select :site, t.id, t.customer_id, t.vehicle_id, 'measured',
     -- a reading of another day is dated at noon of that day, one of today now
     case when r.day = :day::date then :now::timestamptz else (r.day + time '12:00') at time zone :timeZone end, :account, r.depth, r.odometer,
     -- what the tyre shows no longer
     case when t.profile_date is null or t.profile_date <= r.day then
       jsonb_build_object('depth', t.profile_depth, 'date', t.profile_date, 'odometer', t.profile_tacho) end
   from reading r join tyre t on t.site_id = :site and t.id = r.id`,
})

/**
 * The readings that may be taken back: of each tyre the last one entered, where it is the given one, of this account, and, if it became
 * the tyre's own, still what the tyre shows. The caller has locked the tyres.
 */
export const readingsToTakeBack = statement({
  name: 'tyres.readingsToTakeBack',
  parameters: { site: int, readings: json, account: int, timeZone: text },
  row: { event: int },
  sql: `select last.id as event from json_to_recordset(:readings::json) as r (id int, depth numeric, day date)
   join tyre t on t.site_id = :site and t.id = r.id
   cross join lateral (
     select e.id, e.depth, e.at, e.account_id, e.former from tyre_event e
     where e.site_id = :site and e.tyre_id = r.id and e.kind = 'measured' and ${stands('e')} order by e.id desc limit 1) last
   where last.depth = r.depth and (last.at at time zone :timeZone)::date = r.day and last.account_id = :account
     and (last.former is null or (t.profile_depth, t.profile_date) is not distinct from (r.depth, r.day))`,
})

/** Takes readings back: the tyre shows what it showed before, and its history says so. */
export const takeReadingsBack = statement({
  name: 'tyres.unmeasure',
  parameters: { site: int, events: z.array(int), now: instant, account: int, actor: int.nullable() },
  sql: `with reading as (
     select e.id as event, e.tyre_id as id, e.customer_id, e.vehicle_id, e.depth, e.former from tyre_event e
     where e.site_id = :site and e.id = any (:events::bigint[])),
   restored as (
     update tyre t set profile_depth = (r.former ->> 'depth')::numeric, profile_date = (r.former ->> 'date')::date,
       profile_tacho = (r.former ->> 'odometer')::int
     from reading r where t.site_id = :site and t.id = r.id and r.former is not null),
   ${auditOfTyres('tyre.unmeasure', { from: 'reading', actor: ':actor', at: ':now' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, depth, undoes)
   select :site, id, customer_id, vehicle_id, 'unmeasured', :now, :account, depth, event from reading`,
})

/** The events of `which` tyres as a list, without the steps of their wheels. While depth is hidden, so is that it was measured. */
const events = (which: string): string =>
  `select coalesce(json_agg(event), '[]')::text as json from (
     select e.tyre_id as tyre, e.kind, e.at, coalesce(nullif(a.fullname, ''), a.username) as by, e.operation_id as operation, e.status,
       l.path as rack, case when :withDepth then e.depth end as depth, case when :withDepth then e.odometer end as odometer,
       e.kind = 'measured' and not ${stands('e')} as undone, e.note, t.position, t.description
     from tyre_event e
     join tyre t on t.site_id = e.site_id and t.id = e.tyre_id
     left join account a on a.id = e.account_id
     left join location l on l.site_id = e.site_id and l.id = e.location_id
     where e.site_id = :site and ${which}
       and e.kind <> 'wheel' and (:withDepth or e.kind not in ('measured', 'unmeasured'))
     order by e.at desc, e.id desc limit ${maxEventsShown + 1}) event`

/** The events of a vehicle's tyres, in wire form. */
export const eventsOfVehicle = statement({
  name: 'tyres.eventsOfVehicle',
  parameters: { site: int, vehicle: int, withDepth: bool },
  row: answer,
  sql: events('e.vehicle_id = :vehicle'),
})

/** The events of tyres, in wire form. */
export const eventsOfTyres = statement({
  name: 'tyres.eventsOfTyres',
  parameters: { site: int, tyres: z.array(int), withDepth: bool },
  row: answer,
  sql: events('e.tyre_id = any (:tyres::int[])'),
})

/** Whose a tyre is, and where it lies. A removed one is unknown. */
export const tyreById = statement({
  name: 'tyres.find',
  parameters: { site: int, tyre: int },
  row: {
    db_id: int,
    flt_id: int,
    companyname: text,
    license_plate: text,
    position: text,
    description: text,
    tyre_status: z.enum(tyreStatuses),
    stock_rack: text,
  },
  sql: `
    select t.id as db_id, t.vehicle_id as flt_id, coalesce(nullif(c.company, ''), c.name) as companyname, v.license_plate, t.position, t.description, t.status as tyre_status,
      coalesce(l.path, '') as stock_rack
    from tyre t join customer c on c.site_id = t.site_id and c.id = t.customer_id
      join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
      left join location l on l.site_id = t.site_id and l.id = t.location_id
    where t.site_id = :site and t.id = :tyre and t.removed_at is null`,
})

/** The last place of each of these tyres that ever had one, in the order given; in wire form. */
export const recentLocations = statement({
  name: 'tyres.recentLocations',
  parameters: { site: int, tyres: z.array(int) },
  row: answer,
  sql: `select coalesce(json_agg(found), '[]')::text as json from (
     select array[given.id] as fsh_fleettyre, array[place.path] as fsh_stocklocation
     from unnest(:tyres::int[]) with ordinality given (id, nth)
     cross join lateral (
       select l.path from tyre_event e join location l on l.site_id = e.site_id and l.id = e.location_id
       where e.site_id = :site and e.tyre_id = given.id and l.kind not in ('cart', 'lane') order by e.at desc, e.id desc limit 1) place
     order by given.nth) found`,
})
