/** The statements of stock counts (docs/product/warehouse.md "Counting"). They lock a count before the records that solve a difference. */
import { z } from 'zod'
import { differences, recentDays } from '#domain/warehouse/count.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, text, uuid } from '../../db/types.ts'
import { findingJoins, openFinding, placeable } from '../wheels/finding.sql.ts'
import { branchBelow, differenceColumns, headColumns, summaryColumns, sumsOf } from './countColumns.sql.ts'

/** The last 200 counts, newest first. */
export const allCounts = statement({
  name: 'counts.all',
  parameters: { site: int },
  row: answer,
  sql: `
    select (select coalesce(json_agg(wire), '[]') from (
       select ${summaryColumns} where s.site_id = :site order by s.started_at desc, s.id desc limit 200) wire)::text as json`,
})

/** Starts the count of a location that has places; no row where it has none. */
export const startCount = statement({
  name: 'counts.start',
  parameters: { site: int, location: int, actor: int, now: instant },
  row: { count: int, place_count: int },
  sql: `
    with recursive ${branchBelow(':location')}, sized as (
       select count(*)::int as place_count from branch where capacity > 0
     ), started as (
       insert into stock_count (site_id, location_id, place, started_at, started_by)
       select :site, l.id, case when l.path = '' then l.site_name else l.path end, :now, :actor from location l, sized
       where l.site_id = :site and l.id = :location and sized.place_count > 0 returning id, place
     ), audited as (
       insert into audit (site_id, account_id, at, action, subject, facts)
       select :site, :actor, :now, 'count.start', 'count ' || id, jsonb_build_object('place', place) from started)
     select started.id as count, sized.place_count from started, sized`,
})

/** A location, to tell one that has no places from none. */
export const anyLocation = statement({
  name: 'counts.location',
  parameters: { site: int, location: int },
  row: { id: int },
  sql: `select id from location where site_id = :site and id = :location`,
})

/** The places of a count in the order of the walk. */
export const placesOf = statement({
  name: 'counts.places',
  parameters: { site: int, count: int },
  row: answer,
  sql: `
    with recursive head as materialized (
       select * from stock_count where site_id = :site and id = :count
     ), ${branchBelow('(select location_id from head)')}
     select to_json(wire)::text as json from (select ${headColumns}, (
       select coalesce(json_agg(json_build_object('_id', b.id, 'stock_site_name', b.site_name, 'stock_rack', b.path, 'counted', exists (
         select from counted_place c where c.site_id = :site and c.count_id = s.id and c.location_id = b.id)) order by b.walk, b.id), '[]')
       from branch b where b.capacity > 0) as places from head s) wire`,
})

/** The facts of every place that decide its risk. Ignores wheels that were there already when the place was last counted. */
export const placeFacts = statement({
  name: 'counts.facts',
  parameters: { site: int, now: instant },
  row: {
    id: int,
    siteName: text,
    path: text,
    walk: int,
    moves: int,
    splits: int,
    anyway: int,
    days: int.nullable(),
  },
  sql: `
    with last as materialized (
       select location_id, max(counted_at) as at from counted_place where site_id = :site and location_id is not null group by location_id
     ), split as materialized (
       select vehicle_id, tyre_set from tyre
       where site_id = :site and status = 'in_stock' and removed_at is null and tyre_set is not null
       group by 1, 2 having count(distinct location_id) > 1
     ), come as materialized (
       select w.location_id, w.since > :now::timestamptz - interval '${recentDays} days' as lately, split.vehicle_id is not null as is_split,
         w.step = 'store' and exists (select from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
           where held.site_id = :site and held.tyre_id = w.tyre_id and o.type = 'to_stock' and o.status = 'confirmed'
             and held.scanned_at is null and held.missing_at is null) as anyway
       from wheel w join tyre t on t.site_id = w.site_id and t.id = w.tyre_id and t.removed_at is null
         left join last on last.location_id = w.location_id
         left join split on split.vehicle_id = t.vehicle_id and split.tyre_set = t.tyre_set
       where w.site_id = :site and w.location_id is not null and w.since > coalesce(last.at, '-infinity')
     ), summed as materialized (
       select location_id, count(*) filter (where lately)::int as moves, count(*) filter (where is_split)::int as splits,
         count(*) filter (where anyway)::int as anyway
       from come group by location_id)
     select l.id, l.site_name as "siteName", l.path, l.walk, coalesce(summed.moves, 0) as moves, coalesce(summed.splits, 0) as splits,
       coalesce(summed.anyway, 0) as anyway, case when last.at is not null then greatest(0, floor(extract(epoch from :now::timestamptz - last.at) / 86400))::int end as days
     from location l left join last on last.location_id = l.id left join summed on summed.location_id = l.id
     where l.site_id = :site and l.capacity > 0`,
})

/** The count of places one at a time of a day: it is there from the first place on. */
export const countOfDay = statement({
  name: 'counts.ofDay',
  parameters: { site: int, day: date, actor: int, now: instant },
  row: { id: int },
  sql: `
    insert into stock_count (site_id, day, started_at, started_by) values (:site, :day, :now, :actor)
     on conflict (site_id, day) where day is not null do update set ended_at = stock_count.ended_at returning id`,
})

/** Locks a count: its places are taken one after the other, so that a label on two of them is noticed. */
export const lockCount = statement({
  name: 'counts.lock',
  parameters: { site: int, count: int },
  row: { id: int, location: int.nullable() },
  sql: `select id, location_id as location from stock_count where site_id = :site and id = :count for update`,
})

/** A scanned location as a count sees it: whether it is one of its places. Without a count of a location every place and carrier is. */
export const placeInCount = statement({
  name: 'counts.placeIn',
  parameters: { site: int, location: int, within: int.nullable() },
  row: { path: text, isPlace: bool },
  sql: `
    with recursive above as (
       select id, parent_id from location where site_id = :site and id = :location
       union all
       select l.id, l.parent_id from above join location l on l.site_id = :site and l.id = above.parent_id)
     select case when l.path = '' then l.site_name else l.path end as path,
       (l.capacity > 0 or l.carries > 0) and (:within::int is null or exists (select from above where above.id = :within::int)) as "isPlace"
     from location l where l.site_id = :site and l.id = :location`,
})

/** The wheels scanned on a place, and those that the records place there. */
export const wheelsOfPlace = statement({
  name: 'counts.wheels',
  parameters: { site: int, count: int, location: int, tyres: z.array(int), at: instant },
  row: {
    tyre: int,
    location: int.nullable(),
    booked: int.nullable(),
    scanned: bool,
    steppedSince: bool,
    elsewhere: bool,
  },
  sql: `
    select w.tyre_id as tyre, w.location_id as location, coalesce(w.location_id, t.location_id) as booked,
       w.tyre_id = any (:tyres::int[]) as scanned, w.since > :at::timestamptz as "steppedSince", exists (
         select from counted_place c where c.site_id = :site and c.count_id = :count and c.location_id <> :location
           and w.tyre_id = any (c.tyres) and not (w.location_id is not distinct from :location and w.since > c.counted_at)) as elsewhere
     from wheel w join tyre t on t.site_id = w.site_id and t.id = w.tyre_id and t.removed_at is null
     where w.site_id = :site and (w.tyre_id = any (:tyres::int[]) or w.location_id = :location) order by w.tyre_id`,
})

/** Saves the count of a place with its differences from the records. No row: it is saved already. */
export const keepPlace = statement({
  name: 'counts.keep',
  parameters: {
    site: int,
    count: int,
    scan: uuid,
    location: int,
    tyres: z.array(int),
    found: int,
    at: instant,
    actor: int,
    outcomes: z.array(text),
    wheels: z.array(int.nullable()),
    labelSites: z.array(int.nullable()),
    labelTyres: z.array(int.nullable()),
    belongs: z.array(int.nullable()),
  },
  row: { id: int },
  sql: `
    with recursive above as (
       select id, parent_id, kind, path, 1 as steps from location where site_id = :site and id = :location
       union all
       select l.id, l.parent_id, l.kind, l.path, steps + 1 from above join location l on l.site_id = :site and l.id = above.parent_id
     ), kept as (
       insert into counted_place (site_id, count_id, scan, location_id, place, zone, tyres, agreeing, counted_at, account_id, device)
       select :site, :count, :scan, l.id, case when l.path = '' then l.site_name else l.path end,
         coalesce((select path from above where kind in ('zone', 'rack') and path <> '' order by kind = 'rack', steps limit 1), l.site_name),
         :tyres, :found, :at, :actor, nullif(current_setting('app.device', true), '')::uuid
       from location l where l.site_id = :site and l.id = :location
       on conflict do nothing returning id
     ), noted as (
       insert into count_finding (site_id, counted_id, outcome, tyre_id, label_site, label_tyre, belongs_id, belongs)
       select :site, kept.id, given.outcome, given.wheel, given.label_site, given.label_tyre, given.place,
         coalesce(case when l.path = '' then l.site_name else l.path end, '')
       from kept, unnest(:outcomes::text[], :wheels::int[], :labelSites::int[], :labelTyres::int[], :belongs::int[])
           with ordinality as given(outcome, wheel, label_site, label_tyre, place, nth)
         left join location l on l.site_id = :site and l.id = given.place
       order by given.nth)
     select id from kept`,
})

/** A place as it was counted, with its differences from the records; `null` for an unknown scan. */
export const countedPlace = statement({
  name: 'counts.counted',
  parameters: { site: int, scan: uuid },
  row: answer,
  sql: `
    select json_build_object('count', kept.count_id, 'location', kept.location_id, 'stock_rack', kept.place, 'found_count', kept.agreeing,
       'differences', (select coalesce(json_agg(wire order by wire.finding), '[]') from (
         select ${differenceColumns} from count_finding f ${findingJoins} where f.site_id = :site and f.counted_id = kept.id) wire))::text as json
     from counted_place kept where kept.site_id = :site and kept.scan = :scan`,
})

/** Locks a difference that nobody has solved. */
export const lockFinding = statement({
  name: 'counts.lockFinding',
  parameters: { site: int, finding: int },
  row: { id: int },
  sql: `select id from count_finding where site_id = :site and id = :finding and solved is null for no key update`,
})

/** A locked difference, with what the rules ask of it; no row where something else has solved it. */
export const findingOf = statement({
  name: 'counts.finding',
  parameters: { site: int, finding: int },
  row: {
    outcome: z.enum(differences),
    tyre: int.nullable(),
    location: int.nullable(),
    belongs: int.nullable(),
    placeable: bool,
    missing: bool,
  },
  sql: `
    select f.outcome, f.tyre_id as tyre, c.location_id as location, f.belongs_id as belongs, ${placeable} as placeable,
       coalesce(w.state = 'missing', false) as missing
     from count_finding f ${findingJoins} where f.site_id = :site and f.id = :finding and ${openFinding}`,
})

/** Notes how a difference was solved. */
export const solveFinding = statement({
  name: 'counts.solve',
  parameters: { site: int, finding: int, how: text, reason: text.nullable(), actor: int, now: instant },
  sql: `
    with solved as (
       update count_finding set solved = :how, reason = :reason, solved_at = :now, solved_by = :actor
       where site_id = :site and id = :finding returning id, outcome, tyre_id)
     insert into audit (site_id, account_id, at, action, subject, facts)
     select :site, :actor, :now, 'count.solve', 'finding ' || id, jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'how', :how::text,
       'reason', :reason::text, 'tyres', case when tyre_id is not null then jsonb_build_array(tyre_id) end)) from solved`,
})

/** Ends a count. */
export const endCount = statement({
  name: 'counts.end',
  parameters: { site: int, count: int, actor: int, now: instant },
  sql: `
    with ended as (
       update stock_count set ended_at = :now where site_id = :site and id = :count and ended_at is null returning id)
     insert into audit (site_id, account_id, at, action, subject) select :site, :actor, :now, 'count.end', 'count ' || id from ended`,
})

/** The report of a count: its sums, those of each zone, and every difference. */
export const reportOf = statement({
  name: 'counts.report',
  parameters: { site: int, count: int },
  row: answer,
  sql: `
    select json_build_object(
       'count', (select to_json(wire) from (select ${summaryColumns} where s.site_id = :site and s.id = :count) wire),
       'zones', (select coalesce(json_agg(wire order by wire.zone), '[]') from (${sumsOf('c.count_id = :count', 'zone')}) wire),
       'differences', (select coalesce(json_agg(wire order by wire.zone, wire.stock_rack, wire.finding), '[]') from (
         select ${differenceColumns} from count_finding f ${findingJoins} where f.site_id = :site and c.count_id = :count) wire))::text as json
     where exists (select from stock_count where site_id = :site and id = :count)`,
})
