/** The statements of tyres that go to another vehicle, and of vehicles that leave (docs/product/vehicles.md "Moving a set"). */
import { z } from 'zod'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import type { Axle } from '#domain/vehicles/axle.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, instant, int, json, parsedJson, text } from '../../db/types.ts'
import { auditOfVehicle } from '../audit/audited.sql.ts'
import { isVisible, tyresOfVehicle, tyreVisibility, vehicleColumns, vehicleJoins } from '../fleet/vehicleColumns.sql.ts'

/** Locks vehicles of a customer, or of the site, in the order of their ids. */
export const lockVehicles = statement({
  name: 'moves.lockVehicles',
  parameters: { site: int, vehicles: z.array(int), customer: int.nullable() },
  row: { id: int, customer: int, axles: parsedJson<Axle[]>().nullable(), leaving: date.nullable() },
  sql: `select v.id, v.customer_id as customer, g.axles, v.left_on as leaving
   from vehicle v left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where v.site_id = :site and v.id = any (:vehicles::int[]) and v.removed_at is null and (:customer::int is null or v.customer_id = :customer)
   order by v.id for update of v`,
})

/**
 * Moves locked tyres, given as JSON rows, to another vehicle of their customer. Their history says so on both vehicles, each time with the plate of the
 * other; earlier events stay with the former vehicle. An open stay moves along; its days up to `today` stay those of the former vehicle and set.
 */
export const moveTyres = statement({
  name: 'moves.tyres',
  parameters: {
    site: int,
    tyres: json,
    vehicle: int,
    set: text.nullable(),
    today: date,
    now: instant,
    account: int,
    actor: int.nullable(),
  },
  sql: `with wish as materialized (select * from json_to_recordset(:tyres::json) as w (tyre int, position text)
   ), former as materialized (
     select t.id, t.customer_id, t.vehicle_id, t.status, v.license_plate
     from wish join tyre t on t.site_id = :site and t.id = wish.tyre join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   ), wanted as materialized (select id, license_plate from vehicle where site_id = :site and id = :vehicle
   ), moved as (
     update tyre set vehicle_id = :vehicle, position = wish.position, tyre_set = :set from wish where site_id = :site and id = wish.tyre
     returning id
   ), stored as (
     update stay set vehicle_id = :vehicle, tyre_set = :set,
       moved_on = case when parts then moved_on || :today::date else moved_on end,
       moved_from = case when parts then moved_from || vehicle_id else moved_from end,
       moved_sets = case when parts then moved_sets || tyre_set else moved_sets end
     from (select s.id as open, :today::date > greatest(s.since, s.moved_on[cardinality(s.moved_on)])
         and (s.vehicle_id, s.tyre_set) is distinct from (:vehicle, :set) as parts
       from wish join stay s on s.site_id = :site and s.tyre_id = wish.tyre and s.until is null) former
     where site_id = :site and id = open
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, f.customer_id, :actor::int, :now, 'tyre.refit', 'vehicle ' || f.vehicle_id,
       jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_agg(f.id order by f.id), 'to', w.license_plate, 'set', :set::text))
     from former f, wanted w where :actor::int is not null group by f.customer_id, f.vehicle_id, w.license_plate)
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, note)
   select :site, f.id, f.customer_id, side.vehicle, 'refitted', :now, :account, f.status, side.note
   from former f cross join wanted w join moved on moved.id = f.id
     cross join lateral (values (f.vehicle_id, f.license_plate || ' → ' || w.license_plate), (w.id, f.license_plate || ' → ' || w.license_plate)) side (vehicle, note)
   where side.vehicle = w.id or f.vehicle_id <> w.id`,
})

/** Gives locked tyres of one vehicle to a vehicle of another customer. It is in the audit of both, with the other's name. */
export const transferTyres = statement({
  name: 'moves.transfer',
  parameters: {
    site: int,
    tyres: z.array(int),
    positions: z.array(text),
    vehicle: int,
    set: text.nullable(),
    day: date,
    now: instant,
    account: int,
  },
  sql: `with former as materialized (
     select v.*, coalesce(nullif(c.company, ''), c.name) as named from vehicle v
     join customer c on c.site_id = v.site_id and c.id = v.customer_id
     where v.site_id = :site and v.id = (select vehicle_id from tyre where site_id = :site and id = (:tyres::int[])[1])),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, side.customer, :account, :now, 'tyre.refit', 'vehicle ' || side.vehicle,
       jsonb_build_object('plate', side.plate, 'tyres', to_jsonb(:tyres::int[]), 'date', :day::date, side.fact, side.name)
     from former join vehicle w on w.site_id = :site and w.id = :vehicle join customer c on c.site_id = :site and c.id = w.customer_id
     cross join lateral (values
       (former.customer_id, former.id, former.license_plate, 'to', coalesce(nullif(c.company, ''), c.name)),
       (w.customer_id, w.id, w.license_plate, 'from', former.named)) side (customer, vehicle, plate, fact, name))
   select from transfer_tyres(:site, :tyres, :positions, :vehicle, :set, :day, :now, :account)`,
})

/** The tyres of a vehicle that leaves, but for waste, with what holds them. The caller has locked the vehicle. */
export const tyresLeaving = statement({
  name: 'moves.leaving',
  parameters: { site: int, vehicle: int },
  row: { id: int, status: z.enum(tyreStatuses), since: date, operation: int.nullable() },
  sql: `select t.id, t.status, t.status_date as since, h.operation_id as operation
   from tyre t left join operation_tyre h on h.site_id = t.site_id and h.tyre_id = t.id and h.open
   where t.site_id = :site and t.vehicle_id = :vehicle and t.removed_at is null and t.status <> 'waste' order by t.id for update of t`,
})

/** Whether a vehicle has tyres but for waste, or an open operation. */
export const hasKept = statement({
  name: 'moves.hasKept',
  parameters: { site: int, vehicle: int },
  row: { id: int },
  sql: `select id from vehicle v where site_id = :site and id = :vehicle and (
     exists (select from tyre t where t.site_id = :site and t.vehicle_id = v.id and t.removed_at is null and t.status <> 'waste')
     or exists (select from operation o where o.site_id = :site and o.vehicle_id = v.id and o.status in ('pending', 'submitted')))`,
})

/** Says that a vehicle left the fleet; tyres stay with it. */
export const leaveFleet = statement({
  name: 'moves.leave',
  parameters: { site: int, vehicle: int, day: date, now: instant, actor: int.nullable() },
  sql: `with gone as (update vehicle set left_on = :day where site_id = :site and id = :vehicle returning *),
   ${auditOfVehicle('vehicle.leave', { from: 'gone', actor: ':actor', at: ':now', facts: "'date', left_on" })}
   select from gone`,
})

/** The vehicles that left a customer's fleet and have tyres, but for waste. No row: the customer does not exist. */
export const vehiclesThatLeft = statement({
  name: 'moves.left',
  parameters: { ...tyreVisibility, customer: int },
  row: answer,
  sql: `select coalesce((select json_agg(fleet) from (
     select ${vehicleColumns} from vehicle v ${vehicleJoins} ${tyresOfVehicle}
     where v.site_id = :site and v.customer_id = :customer and v.removed_at is null and v.left_on is not null
       and exists (select from tyre t where ${isVisible} and t.vehicle_id = v.id and t.status <> 'waste')
     order by v.license_plate, v.id) fleet), '[]')::text as json
   from customer where site_id = :site and id = :customer`,
})
