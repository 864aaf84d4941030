/** Operations in wire form, and their lists. PostgreSQL makes the answers, which are passed through (docs/decisions/0004). */
import { z } from 'zod'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, elements, instant, int, text } from '../../db/types.ts'
import { tyreColumns, tyreOrder } from '../tyres/tyreColumns.sql.ts'

export const operationType = z.enum(operationTypes)

/** The columns of a tyre as part of operation `o`, from `held` (its row of operation_tyre), tyre `t` and vehicle `v`. */
export const heldColumns = (
  depth: string,
  { plate = 'v.license_plate', vehicleType = 'v.type' }: { plate?: string; vehicleType?: string } = {},
): string => `${tyreColumns('t', { depth })},
  array[${plate}] as license_plate, array[${vehicleType}] as vehicle_type,
  array[case when held.scanned_at is null then '' else 'T' end] as scanned,
  array[held.scanned_at] as "scanRegisteredAt", array[held.scan_times] as "scanTimes",
  array[case when held.missing_at is null then '' else 'T' end] as missing`

export const tyreLocation = `left join location l on l.site_id = t.site_id and l.id = t.location_id`

/** The other half of the season swap that operation `o` is one of. */
export const swapOf = (o: string): string => `
  select half.id as _id, half.type, half.status, half.tyre_count, half.delivery_date as "deliveryDate"
  from operation half where half.site_id = ${o}.site_id and half.id = ${o}.swap_id`

/**
 * Operations in wire form: a select of rows for `json_agg` or `to_json`. `from` names the relation or common table expression that holds
 * the operations; `tyres` and `services` those that hold their tyres and services. `depth` is the parameter that says whether the site
 * shows profile depth. A tyre names the operation it is listed under, also a handled one.
 */
export const wireOperations = ({
  from,
  depth,
  tyres = 'operation_tyre',
  services = 'operation_service',
}: {
  from: string
  depth: string
  tyres?: string
  services?: string
}): string => `
  select o.id as _id, o.status, o.type,
    (select who from (select coalesce(a.username, '') as username, coalesce(a.fullname, '') as fullname,
      coalesce(nullif(c.company, ''), c.name) as companyname) who) as "user",
    o.customer_id as seq_id, o.vehicle_id as flt_id,
    (select driven from (select array[v.type] as type, array[v.license_plate] as license_plate) driven) as vehicle,
    (select coalesce(json_agg(wire), '[]') from (
      select ${heldColumns(depth)}
      from ${tyres} held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id ${tyreLocation}
      where held.site_id = o.site_id and held.operation_id = o.id order by ${tyreOrder('t')}) wire) as tyres,
    array(select s.service_id from ${services} s
      where s.site_id = o.site_id and s.operation_id = o.id order by s.added, s.service_id) as services,
    o.transport_id as transport, o.delivery_date as "deliveryDate",
    o.created_at as created, o.submitted_at as submitted, o.updated_at as updated, o.handled_at as "handledAt",
    o.remarks, o.with_rims as "withRims", o.with_bolts as "withBolts", o.with_hubcaps as "withHubcaps", o.tachometer,
    o.worn_tyres as "wornTyres",
    (select to_json(half) from (${swapOf('o')}) half) as swap,
    case when o.status = 'confirmed' then (select d.id from document d
      where d.site_id = o.site_id and d.operation_id = o.id and d.reason = 'operation') end as document
  from ${from} o
    join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id
    join customer c on c.site_id = o.site_id and c.id = o.customer_id
    left join account a on a.id = o.account_id`

/** A list of operations, a row each (`types.ts` `elements`). `source` is one row, or none where their owner does not exist. */
const listOf = (from: string, order: string, source = '(values (true)) always'): string =>
  `select to_json(wire)::text as element
   from ${source} left join lateral (${wireOperations({ from, depth: ':withDepth' })} order by ${order}) wire on true`
const theCustomer = '(select from customer where site_id = :site and id = :customer) customer'

// Lists ---------------------------------------------------------------------------------------------------------------

/** One operation. */
export const operationById = statement({
  name: 'operations.one',
  parameters: { site: int, withDepth: bool, operation: int },
  row: answer,
  sql: `
    with wanted as materialized (select * from operation where site_id = :site and id = :operation)
     select to_json(wire)::text as json from (${wireOperations({ from: 'wanted', depth: ':withDepth' })}) wire`,
})

/** The open operations of a customer, and those handled since the beginning of the day 31 days ago. */
export const operationsOfCustomer = statement({
  name: 'operations.customer',
  parameters: { site: int, withDepth: bool, customer: int, now: instant, timeZone: text },
  row: elements,
  sql: `
    with wanted as materialized (
       select * from operation where site_id = :site and customer_id = :customer and status in ('pending', 'submitted')
       union all
       select * from operation where site_id = :site and customer_id = :customer
         and handled_at >= ((:now::timestamptz at time zone :timeZone)::date - 31)::timestamp at time zone :timeZone)
     ${listOf('wanted', 'o.id desc', theCustomer)}`,
})

/** The same of the whole site. */
export const operationsOfSite = statement({
  name: 'operations.site',
  parameters: { site: int, withDepth: bool, now: instant, timeZone: text },
  row: elements,
  sql: `
    with wanted as materialized (
       select * from operation where site_id = :site and status in ('pending', 'submitted')
       union all
       select * from operation where site_id = :site
         and handled_at >= ((:now::timestamptz at time zone :timeZone)::date - 31)::timestamp at time zone :timeZone)
     ${listOf('wanted', 'o.id desc')}`,
})

/** The site's pending or submitted operations, in the order in which they were submitted, or created. */
export const operationsByStatus = statement({
  name: 'operations.status',
  parameters: { site: int, withDepth: bool, status: text },
  row: elements,
  sql: `
    with wanted as materialized (
       select * from operation where site_id = :site and status = :status and status in ('pending', 'submitted'))
     ${listOf('wanted', 'coalesce(o.submitted_at, o.created_at), o.id')}`,
})

/**
 * Those of these operations, and of the other halves of their swaps, that are open. A list that PostgreSQL has to select has no length while
 * it plans: else it would plan anew each time, which takes longer than to read a few operations.
 */
export const openOperations = statement({
  name: 'operations.open',
  parameters: { site: int, withDepth: bool, operations: z.array(int) },
  row: elements,
  sql: `
    with named as materialized (
       select id, swap_id from operation where site_id = :site and id = any (array(select unnest(:operations::int[])))
     ), wanted as materialized (
       select * from operation where site_id = :site and status in ('pending', 'submitted')
         and id = any (array(select id from named union select swap_id from named where swap_id is not null)))
     ${listOf('wanted', 'o.id')}`,
})

const handledBetween = (from: string, to: string, zone: string): string =>
  `handled_at >= ${from}::date::timestamp at time zone ${zone} and handled_at < (${to}::date + 1)::timestamp at time zone ${zone}`

const handled = { site: int, withDepth: bool, from: date, until: date, timeZone: text }

/** Operations of the site that were handled in a period, its first and last day included. */
export const handledAtSite = statement({
  name: 'operations.handled',
  parameters: { ...handled },
  row: elements,
  sql: `
    with wanted as materialized (select * from operation where site_id = :site and ${handledBetween(':from', ':until', ':timeZone')})
     ${listOf('wanted', 'o.handled_at desc, o.id desc')}`,
})

/** The same of a customer. No row: there is no such customer. */
export const handledForCustomer = statement({
  name: 'operations.handledForCustomer',
  parameters: { ...handled, customer: int },
  row: elements,
  sql: `
    with wanted as materialized (
       select * from operation where site_id = :site and customer_id = :customer and ${handledBetween(':from', ':until', ':timeZone')})
     ${listOf('wanted', 'o.handled_at desc, o.id desc', theCustomer)}`,
})

/** How many operations of each type were confirmed in a period, by customer. */
export const countsByCustomer = statement({
  name: 'operations.counts',
  parameters: { site: int, from: date, until: date, timeZone: text },
  row: answer,
  sql: `
    select coalesce(json_agg(wire), '[]')::text as json from (
       select counted.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname,
         counted.total, counted.to_customer, counted.to_stock, counted.to_waste
       from (
         select customer_id, count(*)::int as total,
           count(*) filter (where type = 'to_customer')::int as to_customer,
           count(*) filter (where type = 'to_stock')::int as to_stock,
           count(*) filter (where type = 'to_waste')::int as to_waste
         from operation
         where site_id = :site and status = 'confirmed' and ${handledBetween(':from', ':until', ':timeZone')}
         group by customer_id) counted
       join customer c on c.site_id = :site and c.id = counted.customer_id
       order by counted.total desc, ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, seq_id) wire`,
})

/** The days from today on for which a transport takes no more recalls, or storages (`arriving`). No row: there is no such transport. */
export const bookedDays = statement({
  name: 'operations.bookedDays',
  parameters: { site: int, transport: int, arriving: bool, now: instant, timeZone: text },
  row: answer,
  sql: `
    select (select coalesce(json_agg(d.day order by d.day), '[]') from transport_day d
       where d.site_id = m.site_id and d.transport_id = m.id and d.day >= (:now::timestamptz at time zone :timeZone)::date
         and (m.operations_per_day > 0 and case when :arriving then d.arrivals else d.operations end >= m.operations_per_day
           or m.tyres_per_day > 0 and case when :arriving then d.arriving_tyres else d.tyres end >= m.tyres_per_day))::text as json
     from transport_method m where m.site_id = :site and m.id = :transport and m.removed_at is null`,
})
