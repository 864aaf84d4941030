/** The statements that take a transport method away from its open recalls. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { bool, date, instant, int, json } from '../../db/types.ts'

/** The days from today on for which something goes with a transport method, and whether it takes no more recalls, or storages, then. */
export const bookedDays = statement({
  name: 'transports.booked',
  parameters: { site: int, transport: int, today: date },
  row: { day: date, recalls: bool, storages: bool },
  sql: `
    select d.day,
      m.operations_per_day > 0 and d.operations >= m.operations_per_day or m.tyres_per_day > 0 and d.tyres >= m.tyres_per_day as recalls,
      m.operations_per_day > 0 and d.arrivals >= m.operations_per_day
        or m.tyres_per_day > 0 and d.arriving_tyres >= m.tyres_per_day as storages
    from transport_day d join transport_method m on m.site_id = d.site_id and m.id = d.transport_id
    where d.site_id = :site and d.transport_id = :transport and d.day >= :today::date
    order by d.day`,
})

const open = `o.site_id = :site and o.status in ('pending', 'submitted') and o.type in ('to_customer', 'to_stock')`

/** How many open recalls and storages go with each of these transport methods; those without one are left out. */
export const openRecalls = statement({
  name: 'transports.recalls',
  parameters: { site: int, transports: z.array(int) },
  row: { transport: int.nullable(), recalls: int },
  sql: `
    select o.transport_id as transport, count(*)::int as recalls from operation o
    where ${open} and o.transport_id = any (:transports::int[]) group by 1 order by 1`,
})

/** Locks the open recalls and storages of a transport method, in the order in which everybody locks operations. */
export const lockRecalls = statement({
  name: 'transports.lockRecalls',
  parameters: { site: int, transport: int },
  row: { id: int, arriving: bool, submitted: bool, day: date.nullable() },
  sql: `
    select o.id, o.type = 'to_stock' as arriving, o.status = 'submitted' as submitted, o.delivery_date as day from operation o
    where ${open} and o.transport_id = :transport order by o.id for no key update`,
})

/** Locks the days that submitted operations leave and come to, in the order in which everybody locks them. */
export const lockDays = statement({
  name: 'transports.lockDays',
  parameters: { site: int, transports: z.array(int), days: z.array(date) },
  row: { day: date },
  sql: `
    select d.day from transport_day d
    where d.site_id = :site and d.transport_id = any (:transports::int[]) and d.day = any (:days::date[])
    order by d.transport_id, d.day for no key update`,
})

/** Lets operations, given as JSON rows with the day that each keeps, go with a transport method; each gets its audit entry. */
export const moveRecalls = statement({
  name: 'transports.move',
  parameters: { site: int, transport: int, recalls: json, actor: int, now: instant },
  sql: `
    with moved as (
      update operation o set transport_id = :transport, delivery_date = r.day, updated_at = :now
      from json_to_recordset(:recalls::json) as r (id int, day date) where o.site_id = :site and o.id = r.id
      returning o.id, o.customer_id)
    insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
    select :site, customer_id, :actor::int, :now, 'operation.edit', 'operation ' || id, jsonb_build_object('fields', array['transport'])
    from moved`,
})

/** Counts a version of the site's configuration. */
export const countEdit = statement({
  name: 'transports.countEdit',
  parameters: { site: int },
  sql: 'update site set version = version + 1 where id = :site',
})

/** Makes a transport method the default; the caller has removed the one before. */
export const makeDefault = statement({
  name: 'transports.makeDefault',
  parameters: { site: int, transport: int },
  sql: 'update transport_method set is_default = true where site_id = :site and id = :transport',
})
