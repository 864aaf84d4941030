/** A vehicle with its tyres as it travels, for every statement that answers vehicles. */
import { z } from 'zod'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { bool, int } from '../../db/types.ts'
import { tyreColumns, tyreJoins, tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The columns of a vehicle `v` in wire form, with the configuration, customer and tyres of `vehicleJoins` and `tyresOfVehicle`. */
export const vehicleColumns = `
  array[v.id] as flt_id, array[v.customer_id] as seq_id, array[coalesce(nullif(c.company, ''), c.name)] as customer_name,
  array[v.license_plate] as license_plate, array[v.number] as number, array[v.chassis_number] as chassis_number,
  array[v.brand] as brand, array[v.description] as description, array[v.type] as type,
  array[g.description] as configuration, array[v.driver_name] as driver_name,
  array[(select driver from (select array[v.driver_name] as name, array[v.driver_mobile] as mobile_no,
    array[v.driver_telephone] as telephone_no, array[v.driver_email] as email) driver)] as driver,
  array[v.cost_centre] as cost_centre, array[v.yearly_distance] as yearly_distance, array[v.contract_end] as contract_end,
  array[v.left_on] as left_on, array[to_json(coalesce(string_to_array(nullif(v.former_plates, ''), ' '), '{}'))] as former_plates,
  array[c.min_tread_summer] as min_tread_summer, array[c.min_tread_winter] as min_tread_winter,
  array[(select held from (select coalesce(tyres.list, '[]') as tyre) held)] as tyres`

export const vehicleJoins = `
  join customer c on c.site_id = v.site_id and c.id = v.customer_id
  left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id`

/** Which tyres are answered, and what of them: those in a state of `hidden` are left out. */
export const tyreVisibility = { site: int, withDepth: bool, hidden: z.array(z.enum(tyreStatuses)) }

const tyreList = `json_agg((select wire from (select ${tyreColumns('t', { depth: ':withDepth' })}) wire) order by ${tyreOrder('t')})`
/** Whether a tyre `t` is there and answered. */
export const isVisible = `t.site_id = :site and t.removed_at is null and t.status <> all (:hidden::text[])`

/**
 * The tyres are looked up for each vehicle. Joined as a list grouped by vehicle they are a tenth quicker while
 * PostgreSQL plans well; but behind row-level security it expects one row where there are thousands, and then compares every
 * vehicle with every list: minutes for a fleet of 2,000.
 */
export const tyresOfVehicle = `
  left join lateral (
    select ${tyreList} as list from tyre t ${tyreJoins('t')}
    where ${isVisible} and t.vehicle_id = v.id) tyres on true`

/**
 * Whether a vehicle `v` has a plate, or had it before and no vehicle of the site has it now; of those in the fleet, or of those that left, too. Both are
 * looked up by an index.
 */
export const hasPlate = (v: string, plate: string, { inFleet }: { inFleet: boolean }): string => {
  const there = (name: string) =>
    `${name}.site_id = :site and ${name}.removed_at is null${inFleet ? ` and ${name}.left_on is null` : ''}`
  return `${v}.id in (
    select now.id from vehicle now where ${there('now')} and now.license_plate = ${plate}
    union all
    select past.id from vehicle past where ${there('past')} and past.former_plates <> '' and ${plate} = any (string_to_array(past.former_plates, ' '))
      and not exists (select from vehicle now where ${there('now')} and now.license_plate = ${plate}))`
}
