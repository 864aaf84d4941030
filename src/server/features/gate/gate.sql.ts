/** The statements of the loading gate. The transport is locked first, then operations and tyres as changing.sql.ts names them. */
import { z } from 'zod'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, date, instant, int, json, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'
import { swapOf } from '../operations/operations.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

const load = { site: int, transport: int, day: date }

/**
 * The recalls of a load: submitted ones of its transport and day, and those of which a wheel has passed since it last left. Their
 * wheels are as they are now; those of a recall that is confirmed are loaded, or missing.
 */
const recallsOfLoad = `
  select o.site_id, o.id, o.customer_id, o.vehicle_id, o.status, o.swap_id from operation o
  where o.site_id = :site and o.status in ('submitted', 'confirmed') and o.type = 'to_customer' and (
    o.status = 'submitted' and o.transport_id = :transport and o.delivery_date = :day
    or o.id in (select passed.operation_id from loading l join loading_tyre passed on passed.site_id = l.site_id and passed.loading_id = l.id
      where l.site_id = :site and l.transport_id = :transport and l.day = :day and l.left_at is null))`
const stateIn = `case when o.status = 'submitted' then w.state when held.missing_at is null then 'loaded' else 'missing' end`

export const gateView = statement({
  name: 'gate.read',
  parameters: load,
  row: answer,
  sql: `
    with recall as materialized (${recallsOfLoad})
     select json_build_object('load', json_build_object('day', :day::date, 'transport', :transport::int),
       'recalls', (select coalesce(json_agg(wire), '[]') from (
         select o.id as operation, o.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, v.license_plate,
           o.status = 'confirmed' as confirmed, (select to_json(half) from (${swapOf('o')}) half) as swap,
           (select coalesce(json_agg(json_build_object('db_id', t.id, 'position', t.position, 'state', ${stateIn}) order by ${tyreOrder('t')}), '[]')
             from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
               join wheel w on w.site_id = held.site_id and w.tyre_id = held.tyre_id
             where held.site_id = :site and held.operation_id = o.id) as wheels
         from recall o join customer c on c.site_id = :site and c.id = o.customer_id join vehicle v on v.site_id = :site and v.id = o.vehicle_id
         order by ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id, v.license_plate, o.id) wire),
       'notes', (select coalesce(json_agg(wire), '[]') from (
         select n.document_id as db_id, ${documentNumberOf('d')} as document_number_text, coalesce(nullif(c.company, ''), c.name) as companyname,
           coalesce(v.license_plate, '') as license_plate, l.left_at as left, n.signed_name as signed
         from loading l join delivery_note n on n.site_id = l.site_id and n.loading_id = l.id
           join document d on d.site_id = n.site_id and d.id = n.document_id
           join customer c on c.site_id = n.site_id and c.id = n.customer_id
           left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
         where l.site_id = :site and l.transport_id = :transport and l.day = :day and l.left_at is not null
         order by l.left_at desc, n.document_id) wire))::text as json
     from transport_method m where m.site_id = :site and m.id = :transport`,
})

/** The transport and day of most wheels on a lane; neither where it is no lane, or empty. */
export const loadOnLane = statement({
  name: 'gate.lane',
  parameters: { site: int, location: int },
  row: { transport: int.nullable(), day: date.nullable() },
  sql: `
    select most.transport_id as transport, most.delivery_date as day
     from location l left join lateral (
       select o.transport_id, o.delivery_date from wheel w
         join operation_tyre held on held.site_id = w.site_id and held.tyre_id = w.tyre_id and held.open
         join operation o on o.site_id = held.site_id and o.id = held.operation_id and o.status = 'submitted' and o.type = 'to_customer'
       where l.kind = 'lane' and w.site_id = :site and w.location_id = l.id and o.transport_id is not null and o.delivery_date is not null
       group by 1, 2 order by count(*) desc, 2, 1 limit 1) most on true
     where l.site_id = :site and l.id = :location`,
})

/** The facts of a wheel that the gate checks: its submitted recall, state and tread. */
export const wheelAtGate = statement({
  name: 'gate.wheel',
  parameters: { site: int, tyre: int },
  row: {
    operation: int.nullable(),
    transport: int.nullable(),
    day: date.nullable(),
    state: z.enum(wheelStates),
    depth: z.number().nullable(),
    season: text.nullable(),
    /** The kind of the vehicle, and what the customer wants of summer tyres and of tyres for snow. */
    kind: text,
    summer: z.number().nullable(),
    winter: z.number().nullable(),
    plate: text,
    position: text,
    damages: z.array(z.enum(damageCodes)),
  },
  sql: `
    select o.id as operation, o.transport_id as transport, o.delivery_date as day, w.state, t.profile_depth as depth, t.season, v.type as kind,
       c.min_tread_summer as summer, c.min_tread_winter as winter,
       v.license_plate as plate, t.position,
       array(select distinct code from damage_report where site_id = :site and tyre_id = t.id and code is not null and ended is null order by code) as damages
     from tyre t join wheel w on w.site_id = t.site_id and w.tyre_id = t.id join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       join customer c on c.site_id = t.site_id and c.id = t.customer_id
       left join operation_tyre held on held.site_id = t.site_id and held.tyre_id = t.id and held.open
       left join operation o on o.site_id = held.site_id and o.id = held.operation_id and o.status = 'submitted' and o.type = 'to_customer'
     where t.site_id = :site and t.id = :tyre and t.removed_at is null`,
})

/** The loading of a transport and day that has not left, begun if there is none. The transport is locked. */
export const openLoading = statement({
  name: 'gate.open',
  parameters: { ...load, now: instant },
  row: { loading: int },
  sql: `
    with begun as (
       insert into loading (site_id, transport_id, day, begun_at)
       select :site, :transport, :day, :now where not exists (
         select from loading where site_id = :site and transport_id = :transport and day = :day and left_at is null)
       returning id)
     select id as loading from begun
     union all
     select id from loading where site_id = :site and transport_id = :transport and day = :day and left_at is null`,
})

/** Keeps a wheel as it passes. */
export const keepPassed = statement({
  name: 'gate.pass',
  parameters: { site: int, loading: int, tyre: int, operation: int, actor: int, now: instant, reason: text.nullable() },
  sql: `
    insert into loading_tyre (site_id, loading_id, tyre_id, customer_id, operation_id, position, description, tyre_set, depth, rims, bolts,
       hubcaps, damages, loaded_at, account_id, reason)
     select :site, :loading, t.id, t.customer_id, :operation, t.position, t.description, t.tyre_set, t.profile_depth, t.rims, t.bolts,
       t.hubcaps, array(select distinct code from damage_report where site_id = :site and tyre_id = t.id and code is not null and ended is null order by code),
       :now, :actor, :reason::text
     from tyre t where t.site_id = :site and t.id = :tyre
     on conflict (site_id, loading_id, tyre_id) do update set operation_id = excluded.operation_id, depth = excluded.depth,
       damages = excluded.damages, loaded_at = excluded.loaded_at, account_id = excluded.account_id, reason = coalesce(excluded.reason, loading_tyre.reason)`,
})

/** The recalls of a load with the states of their wheels, and those that are missing of an open one. */
export const recallsToLeave = statement({
  name: 'gate.leaving',
  parameters: load,
  row: {
    operation: int,
    customer: int,
    open: bool,
    states: z.array(z.enum(wheelStates)),
    missed: z.array(int),
    plate: text,
  },
  sql: `
    with recall as materialized (${recallsOfLoad}
     ), wheels as (
       select o.id, o.customer_id, o.vehicle_id, o.status, held.tyre_id, ${stateIn} as state
       from recall o join operation_tyre held on held.site_id = :site and held.operation_id = o.id
         join wheel w on w.site_id = :site and w.tyre_id = held.tyre_id)
     select s.id as operation, s.customer_id as customer, s.status = 'submitted' as open, v.license_plate as plate,
       array_agg(state) as states,
       coalesce(array_agg(s.tyre_id order by s.tyre_id) filter (where state = 'missing' and s.status = 'submitted'), '{}') as missed
     from wheels s join vehicle v on v.site_id = :site and v.id = s.vehicle_id
     group by s.id, s.customer_id, s.status, v.license_plate order by s.id`,
})

/**
 * Makes the delivery notes of recalls that leave, dated today. Where the site makes delivery notes of confirmed operations, that
 * document is the note. Numbers are counted as makeDocuments does; a note of its own charges nothing and is not booked.
 */
export const makeNotes = statement({
  name: 'gate.notes',
  parameters: { site: int, loading: int, operations: z.array(int), actor: int, now: instant, timeZone: text },
  sql: `
    with wanted as materialized (
       select o.*, (:now::timestamptz at time zone :timeZone)::date as today, row_number() over (order by o.id)::int as nth
       from operation o where o.site_id = :site and o.id = any (:operations::int[]) and not exists (
         select from document d where d.site_id = :site and d.operation_id = o.id and d.type = 'deliverynote')
     ), counted as (
       insert into document_counter as counter (site_id, type, year, last)
       select :site, 'deliverynote', extract(year from today)::int, count(*)::int from wanted group by today
       on conflict (site_id, type, year) do update set last = counter.last + excluded.last
       returning last
     ), made as (
       insert into document (site_id, customer_id, vehicle_id, operation_id, type, reason, year, number, document_date, created_at, created_by)
       select o.site_id, o.customer_id, o.vehicle_id, o.id, 'deliverynote', 'delivery', extract(year from o.today)::int,
         counted.last - (select count(*)::int from wanted) + o.nth, o.today, :now, :actor
       from wanted o, counted
       returning id, customer_id, operation_id
     ), papers as (
       select id, customer_id, operation_id from made
       union all
       select id, customer_id, operation_id from document where site_id = :site and type = 'deliverynote' and operation_id = any (:operations::int[])
     )
     insert into delivery_note (site_id, document_id, customer_id, operation_id, loading_id, transport, day, returned_tyres)
     select :site, p.id, p.customer_id, p.operation_id, l.id, jsonb_build_object('nl', m.description_nl, 'fr', m.description_fr,
       'en', m.description_en, 'de', m.description_de), l.day,
       (select nullif(half.tyre_count, 0) from operation o join operation half on half.site_id = o.site_id and half.id = o.swap_id
        where o.site_id = :site and o.id = p.operation_id and half.type = 'to_stock' and half.status = 'submitted')
     from papers p, loading l join transport_method m on m.site_id = l.site_id and m.id = l.transport_id
     where l.site_id = :site and l.id = :loading
     on conflict do nothing`,
})

/** The loading has left. */
export const closeLoading = statement({
  name: 'gate.close',
  parameters: { site: int, loading: int, actor: int, now: instant },
  sql: `update loading set left_at = :now, left_by = :actor where site_id = :site and id = :loading`,
})

/** Writes an audit row for each customer of recalls. */
export const auditRecalls = statement({
  name: 'gate.audit',
  parameters: { site: int, operations: z.array(int), actor: int, now: instant, action: text, facts: json },
  sql: `
    insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, :actor, :now, :action, 'operation ' || id, :facts::jsonb
     from operation where site_id = :site and id = any (:operations::int[])`,
})

/** Locks delivery notes, with whether they are signed. */
export const lockNotes = statement({
  name: 'gate.lockNotes',
  parameters: { site: int, documents: z.array(int) },
  row: { document: int, operation: int, customer: int, signed: bool },
  sql: `
    select document_id as document, operation_id as operation, customer_id as customer, signed_at is not null as signed
     from delivery_note where site_id = :site and document_id = any (:documents::int[]) order by document_id for no key update`,
})

/** Attaches a signature to locked notes. */
export const signNotes = statement({
  name: 'gate.sign',
  parameters: { site: int, documents: z.array(int), name: text, signature: bytes, actor: int, now: instant },
  sql: `
    update delivery_note set signature = :signature, signed_name = :name, signed_at = :now, signed_by = :actor
     where site_id = :site and document_id = any (:documents::int[])`,
})
