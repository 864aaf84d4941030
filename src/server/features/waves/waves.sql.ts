/** The statements of waves. A wave is locked first, then operations and tyres as changing.sql.ts names them. */
import { z } from 'zod'
import { claimMinutes, toPick, type Load } from '#domain/warehouse/wave.ts'
import { locationKinds } from '#domain/warehouse/location.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, parsedJson, text } from '../../db/types.ts'
import { swapOf } from '../operations/operations.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

const states = `'{${toPick.join(',')}}'::text[]`
const thisDevice = `nullif(current_setting('app.device', true), '')::uuid`
/** Whether a line, or a wheel, is of this account on this device. */
const isMine = (line: string): string =>
  `${line}.account_id = :actor and ${line}.device is not distinct from ${thisDevice}`

/**
 * The wheels of waves `v` whose recall is still of their day and transport, in their present state. Delivered ones count as loaded, even
 * if their state has changed since.
 */
const liveWheels = `
  select v.id as wave, wt.line, wt.tyre_id, wt.account_id, wt.device, o.id as operation_id, o.customer_id, o.vehicle_id,
    case when o.status = 'submitted' then w.state when held.missing_at is null then 'loaded' else 'missing' end as state
  from wave v join wave_line l on l.site_id = v.site_id and l.wave_id = v.id
    join wave_tyre wt on wt.site_id = v.site_id and wt.wave_id = v.id and wt.line = l.line
    join operation o on o.site_id = v.site_id and o.id = l.operation_id and o.status in ('submitted', 'confirmed')
      and o.transport_id = v.transport_id and o.delivery_date = v.day
    join operation_tyre held on held.site_id = v.site_id and held.operation_id = o.id and held.tyre_id = wt.tyre_id
    join wheel w on w.site_id = v.site_id and w.tyre_id = wt.tyre_id`

const counted = (state: string): string => `count(*) filter (where live.state = '${state}')::int as ${state}_count`
const progress = ['picked', 'staged', 'loaded', 'missing'].map(counted).join(', ')

/** An open wave `v` in wire form. */
const waveColumns = `v.id as _id, v.day, v.transport_id as transport, sums.*,
  array(select distinct coalesce(nullif(a.fullname, ''), a.username) from wave_line mine join account a on a.id = mine.account_id
    where mine.site_id = v.site_id and mine.wave_id = v.id and mine.claimed_at > :now::timestamptz - interval '${claimMinutes} minutes' order by 1) as pickers
  from wave v cross join lateral (
    select count(distinct live.line)::int as line_count, count(*)::int as wheel_count,
      count(distinct live.line) filter (where live.state = any (${states}))::int as left_count, ${progress}
    from (${liveWheels} where v.site_id = :site) live where live.wave = v.id) sums`

/** The transports and days of submitted recalls, and the open waves. */
export const allWaves = statement({
  name: 'waves.all',
  parameters: { site: int, now: instant },
  row: answer,
  sql: `
    with planned as materialized (
       select wt.tyre_id, v.transport_id, v.day from wave v join wave_tyre wt on wt.site_id = v.site_id and wt.wave_id = v.id
       where v.site_id = :site and v.ended_at is null
     ), live as materialized (
       select o.delivery_date as day, o.transport_id as transport, o.id as operation, w.state,
         w.state = any (${states}) and not exists (select from planned p where p.tyre_id = held.tyre_id and p.day = o.delivery_date
           and p.transport_id = o.transport_id) as free
       from operation o join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.open
         join wheel w on w.site_id = o.site_id and w.tyre_id = held.tyre_id
       where o.site_id = :site and o.status = 'submitted' and o.type = 'to_customer' and o.transport_id is not null and o.delivery_date is not null
     )
     select json_build_object(
       'due', (select coalesce(json_agg(due), '[]') from (
         select day, transport, count(distinct operation)::int as operation_count, count(*)::int as wheel_count,
           count(*) filter (where free)::int as free_count, ${progress}
         from live group by day, transport order by day, transport) due),
       'waves', (select coalesce(json_agg(open), '[]') from (
         select ${waveColumns} where v.site_id = :site and v.ended_at is null and sums.wheel_count > sums.loaded_count + sums.missing_count
         order by v.day, v.transport_id, v.id) open))::text as json`,
})

/** Locks the transport of a wave, so that no two are planned of it at once. */
export const lockTransport = statement({
  name: 'waves.lockTransport',
  parameters: { site: int, transport: int },
  row: { id: int },
  sql: `select id from transport_method where site_id = :site and id = :transport and removed_at is null for no key update`,
})

/** Locks the transports with submitted recalls of a day, as `lockTransport` does one. */
export const lockTransportsOf = statement({
  name: 'waves.lockTransportsOf',
  parameters: { site: int, day: date },
  row: { transport: int },
  sql: `select id as transport from transport_method m where m.site_id = :site and m.removed_at is null and exists (
       select from operation o where o.site_id = m.site_id and o.status = 'submitted' and o.type = 'to_customer'
         and o.transport_id = m.id and o.delivery_date = :day)
     order by id for no key update`,
})

/** The wheels of the submitted recalls of a day and transport that are to be picked and in no open wave, with where they are. */
export const recalledWheels = statement({
  name: 'waves.recalled',
  parameters: { site: int, transport: int, day: date },
  row: { tyre: int, operation: int, set: text, location: int.nullable(), aisle: int.nullable(), walk: int },
  sql: `
    select t.id as tyre, o.id as operation, coalesce(t.tyre_set, '') as set, here.id as location, aisle.id as aisle, coalesce(here.walk, 0) as walk
     from operation o join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.open
       join tyre t on t.site_id = o.site_id and t.id = held.tyre_id
       join wheel w on w.site_id = o.site_id and w.tyre_id = t.id and w.state = any (${states})
       left join location here on here.site_id = o.site_id and here.id = coalesce(w.location_id, t.location_id)
       left join lateral (
         with recursive up as (
           select here.id, here.parent_id, here.kind, 1 as steps
           union all
           select l.id, l.parent_id, l.kind, steps + 1 from up join location l on l.site_id = :site and l.id = up.parent_id)
         select id from up order by kind <> 'rack', steps limit 1) aisle on here.id is not null
     where o.site_id = :site and o.status = 'submitted' and o.type = 'to_customer' and o.transport_id = :transport and o.delivery_date = :day
       and not exists (select from wave v join wave_tyre wt on wt.site_id = v.site_id and wt.wave_id = v.id
         where v.site_id = :site and v.transport_id = :transport and v.day = :day and v.ended_at is null and wt.tyre_id = t.id)
     order by o.id, t.tyre_set, ${tyreOrder('t')}`,
})

/** Adds a wave: its lines in order, and each tyre with the number of its line. */
export const addWave = statement({
  name: 'waves.add',
  parameters: {
    site: int,
    transport: int,
    day: date,
    actor: int,
    now: instant,
    operations: z.array(int),
    aisles: z.array(int.nullable()),
    tyres: z.array(int),
    lines: z.array(int),
  },
  row: { wave: int },
  sql: `
    with made as (
       insert into wave (site_id, transport_id, day, made_at, made_by) values (:site, :transport, :day, :now, :actor) returning id
     ), lined as (
       insert into wave_line (site_id, wave_id, line, operation_id, aisle)
       select :site, made.id, nth, operation, aisle
       from made, unnest(:operations::int[], :aisles::int[]) with ordinality as planned(operation, aisle, nth)
     ), held as (
       insert into wave_tyre (site_id, wave_id, tyre_id, line)
       select :site, made.id, tyre, line from made, unnest(:tyres::int[], :lines::int[]) as planned(tyre, line)
     ), audited as (
       insert into audit (site_id, account_id, at, action, subject, facts)
       select :site, :actor, :now, 'wave.plan', 'wave ' || id,
         jsonb_build_object('date', :day::date, 'transport', (select name from transport_method where site_id = :site and id = :transport),
           'quantity', cardinality(:tyres::int[]))
       from made
     )
     select id as wave from made`,
})

/** Locks an open wave, and says what it is loaded for. */
export const lockWave = statement({
  name: 'waves.lock',
  parameters: { site: int, wave: int },
  row: { transport: int, day: date },
  sql: `select transport_id as transport, day from wave where site_id = :site and id = :wave and ended_at is null for no key update`,
})

/** The lines of a wave that have wheels to pick, in order. `by`: who has claimed one, and has picked lately; `me` is this picker. */
export const openLines = statement({
  name: 'waves.openLines',
  parameters: { site: int, wave: int, actor: int, now: instant },
  row: { line: int, aisle: int.nullable(), by: text.nullable() },
  sql: `
    select l.line, l.aisle, case when ${isMine('l')} then 'me'
       when l.claimed_at > :now::timestamptz - interval '${claimMinutes} minutes' then concat_ws(' ', l.account_id, l.device) end as by
     from wave_line l where l.site_id = :site and l.wave_id = :wave and l.line in (
       select live.line from (${liveWheels} where v.site_id = :site and v.id = :wave) live where live.state = any (${states}))
     order by l.line`,
})

/** The line that this picker claimed last. */
export const lastLine = statement({
  name: 'waves.lastLine',
  parameters: { site: int, wave: int, actor: int },
  row: { line: int, aisle: int.nullable() },
  sql: `
    select l.line, l.aisle from wave_line l where l.site_id = :site and l.wave_id = :wave and ${isMine('l')}
     order by l.claimed_at desc, l.line desc limit 1`,
})

/** Claims a line for this picker, or keeps it. */
export const claimLine = statement({
  name: 'waves.claim',
  parameters: { site: int, wave: int, line: int, actor: int, now: instant },
  sql: `
    update wave_line set account_id = :actor, device = ${thisDevice}, claimed_at = :now
     where site_id = :site and wave_id = :wave and line = :line`,
})

/** A wheel of a wave as it is now; no row where the wave does not have it, or no longer. */
export const wheelInWave = statement({
  name: 'waves.wheel',
  parameters: { site: int, wave: int, tyre: int },
  row: { line: int, state: z.enum(wheelStates) },
  sql: `select live.line, live.state from (${liveWheels} where v.site_id = :site and v.id = :wave and wt.tyre_id = :tyre) live`,
})

/** Notes who has picked wheels of a wave; `null` for nobody any more. */
export const notePicker = statement({
  name: 'waves.picker',
  parameters: { site: int, wave: int, tyres: z.array(int), actor: int.nullable() },
  sql: `
    update wave_tyre set account_id = :actor::int, device = case when :actor::int is not null then ${thisDevice} end
     where site_id = :site and wave_id = :wave and tyre_id = any (:tyres::int[])`,
})

/** The wheels of a line that are still to be picked. */
export const leftOfLine = statement({
  name: 'waves.leftOfLine',
  parameters: { site: int, wave: int, line: int },
  row: { tyre: int },
  sql: `
    select live.tyre_id as tyre from (${liveWheels} where v.site_id = :site and v.id = :wave and wt.line = :line) live
     where live.state = any (${states}) order by 1`,
})

/** The wheels that this picker carries. */
export const carriedWheels = statement({
  name: 'waves.carried',
  parameters: { site: int, wave: int, actor: int },
  row: { tyre: int },
  sql: `
    select live.tyre_id as tyre from (${liveWheels} where v.site_id = :site and v.id = :wave) live
     where live.state = 'picked' and ${isMine('live')} order by 1`,
})

/** Wheels of a wave that were picked, or are missing, with the place that is booked for them. */
export const returnable = statement({
  name: 'waves.returnable',
  parameters: { site: int, wave: int, tyres: z.array(int) },
  row: { tyre: int, location: int.nullable(), state: z.enum(wheelStates) },
  sql: `
    select live.tyre_id as tyre, t.location_id as location, live.state
     from (${liveWheels} where v.site_id = :site and v.id = :wave and wt.tyre_id = any (:tyres::int[])) live
       join tyre t on t.site_id = :site and t.id = live.tyre_id
     where live.state in ('picked', 'missing') order by 1`,
})

/** A scanned location: whether wheels of a line are to be picked there, and which loads the wheels on it are for. */
export const locationOfRound = statement({
  name: 'waves.location',
  parameters: { site: int, wave: int, location: int, line: int.nullable() },
  row: { kind: z.enum(locationKinds), isHere: bool, holds: parsedJson<Load[]>() },
  sql: `
    select l.kind, exists (
         select from (${liveWheels} where v.site_id = :site and v.id = :wave and wt.line = :line::int) live
           join tyre t on t.site_id = :site and t.id = live.tyre_id join wheel w on w.site_id = :site and w.tyre_id = live.tyre_id
         where coalesce(w.location_id, t.location_id) = l.id) as "isHere",
       (select coalesce(jsonb_agg(distinct jsonb_build_object('transport', o.transport_id, 'day', o.delivery_date)), '[]')
         from wheel w join operation_tyre held on held.site_id = w.site_id and held.tyre_id = w.tyre_id and held.open
           join operation o on o.site_id = held.site_id and o.id = held.operation_id
         where w.site_id = :site and w.location_id = l.id and o.transport_id is not null) as holds
     from location l where l.site_id = :site and l.id = :location`,
})

/** A picker's round: their line, the wheels they carry and where those go. */
export const roundOf = statement({
  name: 'waves.round',
  parameters: { site: int, wave: int, line: int.nullable(), actor: int, now: instant },
  row: answer,
  sql: `
    with live as materialized (${liveWheels} where v.site_id = :site and v.id = :wave
     ), mine as materialized (
       select * from live where live.state = 'picked' and ${isMine('live')}
     ), here as materialized (
       select live.*, t.position, t.description, t.tyre_set, coalesce(w.location_id, t.location_id) as location
       from live join tyre t on t.site_id = :site and t.id = live.tyre_id join wheel w on w.site_id = :site and w.tyre_id = live.tyre_id
       where live.line = :line::int
     ), first as materialized (
       select * from here where state = any (${states}) order by location nulls last, tyre_id limit 1
     )
     select json_build_object(
       'wave', (select to_json(shown) from (select ${waveColumns} where v.site_id = :site and v.id = :wave) shown),
       'line', (select to_json(next) from (
         select first.line, first.location, coalesce(l.site_name, '') as stock_site_name, coalesce(l.path, '') as stock_rack,
           coalesce(nullif(c.company, ''), c.name) as companyname, car.license_plate, coalesce(first.tyre_set, '') as tyre_set,
           -- unlike wheels each by their positions
           (select string_agg(case when kinds > 1 then concat(positions, ' ') else '' end || description, ' · ' order by positions) from (
             select description, string_agg(position, ' ' order by length(position), position) as positions, count(*) over () as kinds
             from here group by description) kind) as description,
           (select json_agg(json_build_object('db_id', t.tyre_id, 'position', t.position, 'state', t.state) order by ${tyreOrder('t').replace('t.id', 't.tyre_id')}) from here t) as wheels,
           (select to_json(half) from (${swapOf('asked')}) half) as swap
         from first join operation asked on asked.site_id = :site and asked.id = first.operation_id join customer c on c.site_id = :site and c.id = first.customer_id
           join vehicle car on car.site_id = :site and car.id = first.vehicle_id
           left join location l on l.site_id = :site and l.id = first.location) next),
       'carried', (select coalesce(json_agg(held), '[]') from (
         select mine.tyre_id as db_id, car.license_plate, t.position from mine join tyre t on t.site_id = :site and t.id = mine.tyre_id
           join vehicle car on car.site_id = :site and car.id = mine.vehicle_id
         order by car.license_plate, car.id, ${tyreOrder('t')}) held),
       'lane', (select to_json(best) from (
         select l.id as _id, l.site_name as stock_site_name, l.path as stock_rack
         from location l cross join lateral (
           select count(*) as wheels, count(*) filter (where o.transport_id = v.transport_id and o.delivery_date = v.day) as alike,
             count(*) filter (where o.customer_id in (select customer_id from mine)) as stop
           from wave v left join wheel w on w.site_id = v.site_id and w.location_id = l.id
             left join operation_tyre held on held.site_id = v.site_id and held.tyre_id = w.tyre_id and held.open
             left join operation o on o.site_id = v.site_id and o.id = held.operation_id
           where v.site_id = :site and v.id = :wave and w.tyre_id is not null) on_it
         where l.site_id = :site and l.kind = 'lane' and on_it.wheels = on_it.alike and l.carries > on_it.wheels
         order by on_it.stop = 0, on_it.alike = 0, l.site_name, l.path, l.id limit 1) best))::text as json`,
})

/** Ends a wave. */
export const endWave = statement({
  name: 'waves.end',
  parameters: { site: int, wave: int, actor: int, now: instant },
  sql: `
    with ended as (
       update wave set ended_at = :now where site_id = :site and id = :wave and ended_at is null returning id)
     insert into audit (site_id, account_id, at, action, subject) select :site, :actor, :now, 'wave.end', 'wave ' || id from ended`,
})
