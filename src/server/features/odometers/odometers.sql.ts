/** The statements of odometers (docs/product/vehicles.md "Odometer"). */
import { z } from 'zod'
import { odometerSources } from '#domain/vehicles/odometer.ts'
import { statement } from '../../db/statement.ts'
import { bool, date, instant, int, json, text } from '../../db/types.ts'

/** The readings that hold of vehicles, by day. Those of depths only where the site shows these. */
export const odometersOf = statement({
  name: 'odometers.of',
  parameters: { site: int, vehicles: z.array(int), withDepth: bool },
  row: { id: int, vehicle: int, day: date, km: int, source: z.enum(odometerSources) },
  sql: `select id, vehicle_id as vehicle, day, km, source from odometer
   where site_id = :site and vehicle_id = any (:vehicles::int[]) and withdrawn_at is null and (:withDepth or source <> 'depth')
   order by day, km, id`,
})

/** Records readings, given as JSON rows, in their order. */
export const recordOdometers = statement({
  name: 'odometers.record',
  parameters: {
    site: int,
    readings: json,
    source: z.enum(odometerSources),
    change: int.nullable(),
    account: int.nullable(),
    now: instant,
    actor: int.nullable(),
  },
  row: { id: int },
  sql: `with reading as (
     select * from json_to_recordset(:readings::json) as r (nth int, vehicle int, day date, km int)),
   recorded as (
     insert into odometer (site_id, vehicle_id, customer_id, day, km, source, change, account_id, entered_at)
     select :site, v.id, v.customer_id, r.day, r.km, :source, :change, :account, :now
     from reading r join vehicle v on v.site_id = :site and v.id = r.vehicle order by r.nth
     returning id, customer_id, vehicle_id, day, km),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, o.customer_id, :actor::int, :now, 'odometer.record', 'vehicle ' || o.vehicle_id,
       jsonb_build_object('plate', v.license_plate, 'date', o.day, 'km', o.km)
     from recorded o join vehicle v on v.site_id = :site and v.id = o.vehicle_id where :actor::int is not null)
   select id from recorded order by id`,
})

/** Takes a reading of a vehicle back. No row: there is none that holds. */
export const withdrawOdometer = statement({
  name: 'odometers.withdraw',
  parameters: { site: int, vehicle: int, odometer: int, now: instant, actor: int.nullable() },
  row: { id: int },
  sql: `with gone as (
     update odometer set withdrawn_at = :now where site_id = :site and vehicle_id = :vehicle and id = :odometer and withdrawn_at is null
     returning id, customer_id, vehicle_id, day, km),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, o.customer_id, :actor::int, :now, 'odometer.withdraw', 'vehicle ' || o.vehicle_id,
       jsonb_build_object('plate', v.license_plate, 'date', o.day, 'km', o.km)
     from gone o join vehicle v on v.site_id = :site and v.id = o.vehicle_id where :actor::int is not null)
   select id from gone`,
})

/** The vehicles of the fleet that have or had these plates, or have these numbers, of a customer or of the site. */
export const vehiclesToRead = statement({
  name: 'odometers.vehicles',
  parameters: { site: int, customer: int.nullable(), vehicles: z.array(int), plates: z.array(text) },
  row: { id: int, plate: text, former: z.array(text), customer: int },
  sql: `select id, license_plate as plate, string_to_array(former_plates, ' ') as former, customer_id as customer from vehicle
   where site_id = :site and removed_at is null and left_on is null and (:customer::int is null or customer_id = :customer)
     and id in (
       select unnest(:vehicles::int[])
       union select id from vehicle where site_id = :site and license_plate = any (:plates::text[]) and removed_at is null
       union select id from vehicle where site_id = :site and former_plates <> '' and removed_at is null
         and string_to_array(former_plates, ' ') && :plates::text[])
   order by id for update`,
})
