/** The statements that take scans back. */
import { z } from 'zod'
import { statesBefore } from '#domain/tyres/wheel.ts'
import { statement } from '../../db/statement.ts'
import { instant, int } from '../../db/types.ts'
import { operationType } from './operations.sql.ts'

/**
 * Takes back the scans of tyres of submitted operations, which the caller has locked: the operation counts them no more, and a place
 * on which a tyre was put for its storage is only reserved for it. A tyre without a scan is in no row.
 */
export const takeBackScans = statement({
  name: 'operations.unscan',
  parameters: { site: int, tyres: z.array(int), actor: int, now: instant },
  row: { tyre: int, operation: int, customer: int, type: operationType },
  sql: `with taken as (
     update operation_tyre held set scanned_at = null, scan_times = 0, placed = false from operation o
     where held.site_id = :site and held.tyre_id = any (:tyres::int[]) and held.open and held.scanned_at is not null
       and o.site_id = held.site_id and o.id = held.operation_id and o.status = 'submitted'
     returning held.tyre_id, o.id, o.customer_id, o.type
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'operation.unscan', 'operation ' || id, jsonb_build_object('tyres', jsonb_agg(tyre_id order by tyre_id))
     from taken group by id, customer_id
   )
   select tyre_id as tyre, id as operation, customer_id as customer, type from taken order by tyre_id`,
})

const before = (to: 'expected' | 'received'): string => `'{${statesBefore('unscan', to).join(',')}}'::text[]`

/** Where their wheels are then. One that is further, or missing, stays as it is. */
export const returnWheels = statement({
  name: 'operations.returnWheels',
  parameters: { site: int, coming: z.array(int), leaving: z.array(int) },
  sql: `update wheel w set step = 'unscan', since = now(),
     state = case when w.tyre_id = any (:coming::int[]) then 'expected' when t.location_id is null then 'received' else 'at_place' end,
     location_id = case when w.tyre_id = any (:leaving::int[]) then t.location_id end
   from tyre t
   where w.site_id = :site and t.site_id = w.site_id and t.id = w.tyre_id and (
     w.tyre_id = any (:coming::int[]) and w.state = any (${before('expected')})
     or w.tyre_id = any (:leaving::int[]) and w.state = any (${before('received')}))`,
})
