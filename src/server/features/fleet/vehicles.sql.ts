/** The statements of vehicles. Answers are made by PostgreSQL in wire form and passed through (docs/decisions/0004). */
import { z } from 'zod'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, instant, int, nullable, text } from '../../db/types.ts'
import { auditOfVehicle } from '../audit/audited.sql.ts'
import { lastParts } from '../tyres/lastParts.sql.ts'
import { isVisible, tyresOfVehicle, tyreVisibility, vehicleColumns, vehicleJoins } from './vehicleColumns.sql.ts'

/** A vehicle in wire form. `customer` restricts its owner, null for any. */
export const vehicleById = statement({
  name: 'fleet.vehicle',
  parameters: { ...tyreVisibility, vehicle: int, customer: int.nullable() },
  row: answer,
  sql: `select row_to_json(fleet)::text as json from (
     select ${vehicleColumns},
       (select coalesce(json_agg(json_build_object('db_id', t.id, 'withRims', parts.rims, 'withBolts', parts.bolts,
          'withHubcaps', parts.hubcaps) order by t.id), '[]')
        from tyre t, ${lastParts('t')} where ${isVisible} and t.vehicle_id = v.id) as parts
     from vehicle v ${vehicleJoins} ${tyresOfVehicle}
     where v.site_id = :site and v.id = :vehicle and v.removed_at is null and (:customer::int is null or v.customer_id = :customer)) fleet`,
})

/** The editable columns of a vehicle, except its configuration. */
const fields = {
  plate: text,
  number: text,
  chassisNumber: text,
  brand: text,
  description: text,
  type: text,
  driverName: text,
  driverMobile: text,
  driverTelephone: text,
  driverEmail: text,
  costCentre: text,
  /** 0: nobody says. */
  yearlyDistance: int,
  /** Empty: nobody says. */
  contractEnd: text,
}

/** Adds a vehicle. No row: the customer or the configuration does not exist at the site. `actor` is `actorOf` the caller. */
export const addVehicle = statement({
  name: 'fleet.new',
  parameters: {
    ...fields,
    site: int,
    customer: int.nullable(),
    configuration: text,
    now: instant,
    actor: int.nullable(),
  },
  row: { id: int },
  sql: `with made as (
   insert into vehicle (site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
     driver_name, driver_mobile, driver_telephone, driver_email, cost_centre, yearly_distance, contract_end, created_at)
   select :site, c.id, :plate, :number, :chassisNumber, :brand, :description, :type, g.id, :driverName, :driverMobile, :driverTelephone, :driverEmail,
     :costCentre, nullif(:yearlyDistance, 0), nullif(:contractEnd, '')::date, :now
   from customer c join vehicle_config g on g.site_id = c.site_id
   where c.site_id = :site and c.id = :customer and g.description = :configuration
   returning id, site_id, customer_id, license_plate),
   ${auditOfVehicle('vehicle.new', { from: 'made', actor: ':actor', at: ':now' })}
   select id from made`,
})

/** Locks a vehicle that is not removed. `customer` restricts its owner, null for any. */
export const lockVehicle = statement({
  name: 'fleet.lock',
  parameters: { site: int, vehicle: int, customer: int.nullable() },
  row: { config: int.nullable(), customer: int },
  sql: `select config_id as config, customer_id as customer from vehicle
   where site_id = :site and id = :vehicle and removed_at is null and (:customer::int is null or customer_id = :customer) for update`,
})

/** The obstacles to removing a vehicle. Run it after locking the vehicle: a statement that waits for a lock sees the state before it. */
export const blockersOfRemoval = statement({
  name: 'fleet.held',
  parameters: { site: int, vehicle: int },
  row: { stock: int, operations: int },
  sql: `select
     (select count(*) from tyre where site_id = :site and vehicle_id = :vehicle and status = 'in_stock' and removed_at is null) as stock,
     (select count(*) from operation where site_id = :site and vehicle_id = :vehicle and status in ('pending', 'submitted')) as operations`,
})

const openOperations = `from operation o
   where o.site_id = :site and o.vehicle_id = :vehicle and o.status in ('pending', 'submitted') order by o.id`

/** The configuration of this description. */
export const configByName = statement({
  name: 'fleet.config',
  parameters: { site: int, description: text },
  row: { id: int },
  sql: `select id from vehicle_config where site_id = :site and description = :description`,
})

/**
 * Changes a vehicle. Null leaves a field unchanged. The audit records the changed fields without values, as some are
 * personal data. The search words are derived from the other fields.
 */
export const updateVehicle = statement({
  name: 'fleet.update',
  parameters: { ...nullable({ ...fields, config: int }), site: int, vehicle: int, now: instant, actor: int.nullable() },
  sql: `with before as (select to_jsonb(v) - 'words' - 'changed_at' as fields from vehicle v where site_id = :site and id = :vehicle),
   after as (
   update vehicle set license_plate = coalesce(:plate, license_plate), number = coalesce(:number, number),
     chassis_number = coalesce(:chassisNumber, chassis_number), brand = coalesce(:brand, brand), description = coalesce(:description, description),
     type = coalesce(:type, type), config_id = coalesce(:config, config_id), driver_name = coalesce(:driverName, driver_name),
     driver_mobile = coalesce(:driverMobile, driver_mobile), driver_telephone = coalesce(:driverTelephone, driver_telephone),
     driver_email = coalesce(:driverEmail, driver_email), cost_centre = coalesce(:costCentre, cost_centre),
     yearly_distance = nullif(coalesce(:yearlyDistance, yearly_distance), 0),
     contract_end = nullif(coalesce(:contractEnd, contract_end::text), '')::date
   where site_id = :site and id = :vehicle
   returning *),
   changed as (
     select after.*, array(
       select now.key from jsonb_each(to_jsonb(after)) now join jsonb_each(before.fields) was on was.key = now.key
       where now.value <> was.value order by now.key) as fields
     from after, before),
   ${auditOfVehicle('vehicle.update', { from: "changed where fields <> '{}'", actor: ':actor', at: ':now', facts: "'fields', fields" })}
   select from after`,
})

/** The facts that decide whether a vehicle can change customers. Run it after locking the vehicle. No row: the site has no such customer. */
export const transferFacts = statement({
  name: 'fleet.transferFacts',
  parameters: { site: int, vehicle: int, customer: int },
  row: { customer: text, operations: z.array(int), types: z.array(z.enum(operationTypes)), since: date.nullable() },
  sql: `select coalesce(nullif(c.company, ''), c.name) as customer,
     array(select o.id ${openOperations}) as operations, array(select o.type ${openOperations}) as types,
     (select max(t.status_date) from tyre t
      where t.site_id = c.site_id and t.vehicle_id = :vehicle and t.removed_at is null and t.status <> 'waste') as since
   from customer c where c.site_id = :site and c.id = :customer`,
})

/** Gives a vehicle with its tyres to another customer. It is in the audit of both, with the other's name. */
export const transferVehicle = statement({
  name: 'fleet.transfer',
  parameters: { site: int, vehicle: int, customer: int, day: date, now: instant, account: int },
  sql: `with former as (
     select v.*, coalesce(nullif(c.company, ''), c.name) as named from vehicle v
     join customer c on c.site_id = v.site_id and c.id = v.customer_id
     where v.site_id = :site and v.id = :vehicle),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, side.customer, :account, :now, 'vehicle.transfer', 'vehicle ' || :vehicle,
       jsonb_build_object('plate', license_plate, 'date', :day::date, side.fact, side.name)
     from former join customer c on c.site_id = :site and c.id = :customer
     cross join lateral (values
       (customer_id, 'to', coalesce(nullif(c.company, ''), c.name)), (c.id, 'from', named)) side (customer, fact, name))
   select from transfer_vehicle(:site, :vehicle, :customer, :day, :now, :account)`,
})

/** Takes a vehicle out of the fleet. */
export const removeVehicle = statement({
  name: 'fleet.inactivate',
  parameters: { site: int, vehicle: int, now: instant, actor: int.nullable() },
  sql: `with gone as (update vehicle set removed_at = :now where site_id = :site and id = :vehicle returning *),
   ${auditOfVehicle('vehicle.inactivate', { from: 'gone', actor: ':actor', at: ':now' })}
   select from gone`,
})
