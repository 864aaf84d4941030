/** The statements of tyres as a fleet keeps them: added, renamed, measured, taken off (SPEC §2, §5). */
import { auditOfTyres } from '../audit/audit.ts'
import { maxEventsShown } from '#contract/tyres.ts'
import { statement } from '../../db/database.ts'
import { tyreColumns, tyreJoins } from './tyreColumns.sql.ts'

/** $2: ids of tyres, $3: whether depth is shown. In wire form, by id. */
export const tyresByIds = statement(
  'tyres.byIds',
  `select coalesce(json_agg(wire), '[]')::text as json from (
     select ${tyreColumns('t', { depth: '$3' })} from tyre t ${tyreJoins('t')}
     where t.site_id = $1 and t.id = any ($2::int[]) and t.removed_at is null order by t.id) wire`,
)

/**
 * Locks a vehicle so that two people who add tyres or name sets at once come one after the other. $3: the caller's customer.
 * What depends on the lock is asked in a statement of its own: one that waits for a lock sees what was before it.
 */
export const lockVehicle = statement(
  'tyres.lockVehicle',
  `select v.customer_id as customer, g.axles
   from vehicle v left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where v.site_id = $1 and v.id = $2 and v.removed_at is null and ($3::int is null or v.customer_id = $3) for update of v`,
)

export const setlessOfVehicle = statement(
  'tyres.setless',
  `select count(*) as setless from tyre
   where site_id = $1 and vehicle_id = $2 and tyre_set is null and removed_at is null and status <> 'waste'`,
)

/**
 * Locks tyres in the order of their ids, with what rules ask of them. $3: the caller's customer. Those of a removed vehicle
 * are as little there as it is.
 */
export const lockTyres = statement(
  'tyres.lock',
  `select t.id, t.vehicle_id as vehicle, t.customer_id as customer, t.position, t.status
   from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   where t.site_id = $1 and t.id = any ($2::int[]) and t.removed_at is null and v.removed_at is null
     and ($3::int is null or t.customer_id = $3)
   order by t.id for update of t`,
)

/** Those of the tyres $2 that are in an open operation. Asked once they are locked. */
export const busyTyres = statement(
  'tyres.busy',
  `select tyre_id as id from operation_tyre where site_id = $1 and tyre_id = any ($2::int[]) and open order by tyre_id`,
)

/** One row when the vehicle is there for the caller. */
export const vehicleThere = statement(
  'tyres.vehicleThere',
  `select from vehicle where site_id = $1 and id = $2 and ($3::int is null or customer_id = $3)`,
)

/** How many of these tyres are there for the caller, removed ones included: their history stays. */
export const tyresThere = statement(
  'tyres.there',
  `select count(*) as found from tyre where site_id = $1 and id = any ($2::int[]) and ($3::int is null or customer_id = $3)`,
)

/** The positions of a set that tyres other than $4 hold. */
export const positionsOfSet = statement(
  'tyres.positionsOfSet',
  `select position from tyre where site_id = $1 and vehicle_id = $2 and tyre_set = $3 and removed_at is null and status <> 'waste'
     and not id = any ($4::int[])`,
)

/** $2: ids of articles of the catalogue. */
export const articlesByIds = statement(
  'tyres.articles',
  `select id, description from article where site_id = $1 and id = any ($2::int[]) and not unknown`,
)

/** The articles that stand for what the catalogue does not have, by season. */
export const unknownArticles = statement(
  'tyres.unknownArticles',
  `select unknown_winter_article as winter, unknown_summer_article as summer, unknown_all_season_article as all_season,
     unknown_snow_article as snow from site where id = $1`,
)

// The last parameter of whatever changes tyres is the administrator's account for the audit, null for a customer (audit.ts).

/** $3: the tyres as JSON rows; each gets its first event in the same statement. */
export const insertTyres = statement(
  'tyres.insert',
  `with made as (
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, season, tyre_set, status, status_date, unknown_article)
     select $1, $2, $3, w.article, w.position, w.description, w.season, $5, 'at_customer', $6, w.unknown
     from json_to_recordset($4::json) as w (article int, position text, description text, season text, unknown boolean)
     returning id, customer_id, vehicle_id),
   told as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status)
     select $1, id, customer_id, vehicle_id, 'added', $7, $8, 'at_customer' from made),
   ${auditOfTyres('tyre.add', { from: 'made', actor: '$9', at: '$7', set: '$5' })}
   select id from made`,
)

/** Tyres $2 into set $3, at $4 by account $5; those that are in it already stay as they are. */
export const renameSet = statement(
  'tyres.renameSet',
  `with changed as (
     update tyre set tyre_set = $3 where site_id = $1 and id = any ($2::int[]) and tyre_set is distinct from $3
     returning id, customer_id, vehicle_id),
   ${auditOfTyres('tyre.set', { from: 'changed', actor: '$6', at: '$4', set: '$3' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
   select $1, id, customer_id, vehicle_id, 'changed', $4, $5, $3 from changed`,
)

/** Takes tyres $2 off the books at $3 by account $4; what happened to them stays. */
export const removeTyres = statement(
  'tyres.remove',
  `with gone as (
     update tyre set removed_at = $3 where site_id = $1 and id = any ($2::int[]) returning id, customer_id, vehicle_id, status),
   ${auditOfTyres('tyre.remove', { from: 'gone', actor: '$5', at: '$3' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status)
   select $1, id, customer_id, vehicle_id, 'removed', $3, $4, status from gone`,
)

// The reading of tyre t that stands next to the day of r: of several on one day the one that was entered last. What the
// tyre itself says stands above all of its day, and is there for tyres that came with a depth and without a history.
const neighbour = (side: '<' | '>', order: string): string => `
  left join lateral (
    select known.depth from (
      select (e.at at time zone $3)::date as day, e.at, e.id, e.depth from tyre_event e
      where e.site_id = $1 and e.tyre_id = r.id and e.kind = 'measured' and e.depth is not null
      union all
      select coalesce(t.profile_date, '-infinity'), 'infinity', 0, t.profile_depth where t.profile_depth is not null) known
    where known.day ${side} r.day order by ${order}, known.at desc, known.id desc limit 1)`

/**
 * Which of the readings $2 can't be, because a tyre does not grow: deeper than the last one of an earlier day, or shallower
 * than the first one of a later day. Readings of the same day are corrections of each other. $3: the site's time zone.
 */
export const grownTyres = statement(
  'tyres.grown',
  `select r.id from json_to_recordset($2::json) as r (id int, depth numeric, day date)
   join tyre t on t.site_id = $1 and t.id = r.id
   ${neighbour('<', 'known.day desc')} earlier on true
   ${neighbour('>', 'known.day')} later on true
   where r.depth > earlier.depth or r.depth < later.depth order by r.id`,
)

/** The newest reading by date is the tyre's own; an older one that is added later is history only. $7: the site's time zone. */
export const recordReadings = statement(
  'tyres.measure',
  `with reading as (
     select * from json_to_recordset($2::json) as r (id int, depth numeric, day date, odometer int)),
   kept as (
     update tyre t set profile_depth = r.depth, profile_date = r.day, profile_tacho = r.odometer
     from reading r where t.site_id = $1 and t.id = r.id and (t.profile_date is null or t.profile_date <= r.day)),
   measured as (select t.id, t.customer_id, t.vehicle_id from reading r join tyre t on t.site_id = $1 and t.id = r.id),
   ${auditOfTyres('tyre.measure', { from: 'measured', actor: '$6', at: '$3' })}
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, depth, odometer)
   select $1, t.id, t.customer_id, t.vehicle_id, 'measured',
     -- a reading of another day stands at that day's noon, one of today at its moment
     case when r.day = $5::date then $3::timestamptz else (r.day + time '12:00') at time zone $7 end, $4, r.depth, r.odometer
   from reading r join tyre t on t.site_id = $1 and t.id = r.id`,
)

const events = (which: string): string =>
  `select coalesce(json_agg(event), '[]')::text as json from (
     select e.tyre_id as tyre, e.kind, e.at, coalesce(nullif(a.fullname, ''), a.username) as by, e.operation_id as operation, e.status,
       l.path as rack, case when $3 then e.depth end as depth, case when $3 then e.odometer end as odometer, e.note,
       t.position, t.description
     from tyre_event e
     join tyre t on t.site_id = e.site_id and t.id = e.tyre_id
     left join account a on a.id = e.account_id
     left join location l on l.site_id = e.site_id and l.id = e.location_id
     where e.site_id = $1 and ${which}
       -- while depth is hidden, that one was measured is hidden with it
       and ($3 or e.kind <> 'measured')
     order by e.at desc, e.id desc limit ${maxEventsShown + 1}) event`

/** What happened to the tyres of vehicle $2; $3: whether depth is shown. */
export const eventsOfVehicle = statement('tyres.eventsOfVehicle', events('e.vehicle_id = $2'))

/** What happened to the tyres $2; $3: whether depth is shown. */
export const eventsOfTyres = statement('tyres.eventsOfTyres', events('e.tyre_id = any ($2::int[])'))

/** The last place of each of the tyres $2 that ever had one, in the order asked. */
export const recentLocations = statement(
  'tyres.recentLocations',
  `select coalesce(json_agg(found), '[]')::text as json from (
     select array[asked.id] as fsh_fleettyre, array[place.path] as fsh_stocklocation
     from unnest($2::int[]) with ordinality asked (id, nth)
     cross join lateral (
       select l.path from tyre_event e join location l on l.site_id = e.site_id and l.id = e.location_id
       where e.site_id = $1 and e.tyre_id = asked.id order by e.at desc, e.id desc limit 1) place
     order by asked.nth) found`,
)
