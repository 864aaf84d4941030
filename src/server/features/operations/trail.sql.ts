/** The statements of how far recalls are on their way out (docs/product/operations.md "Operation card"). */
import { statement } from '../../db/statement.ts'
import { answer, instant, int, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

const counted = (state: string): string =>
  `count(*) filter (where o.status = 'submitted' and w.state = '${state}')::int as ${state}_count`

/** The recalls of `whose` that are submitted, and those handled since the beginning of the day 31 days ago, in wire form. */
const trails = (whose: string): string => `
  (select coalesce(json_agg(wire), '[]') from (
    select o.id as operation, count(*)::int as tyre_count, ${['picked', 'staged', 'loaded'].map(counted).join(', ')},
      count(*) filter (where o.status = 'confirmed' and held.missing_at is null)::int as delivered_count,
      count(*) filter (where case when o.status = 'submitted' then w.state = 'missing' else held.missing_at is not null end)::int as missing_count,
      (select coalesce(json_agg(paper), '[]') from (
        select d.id as db_id, ${documentNumberOf('d')} as document_number_text, d.type as document_type
        from document d where d.site_id = :site and d.operation_id = o.id order by d.id) paper) as documents
    from (
      select id, status from operation where site_id = :site and ${whose} type = 'to_customer' and status = 'submitted'
      union all
      select id, status from operation where site_id = :site and ${whose} type = 'to_customer' and status in ('confirmed', 'cancelled')
        and handled_at >= ((:now::timestamptz at time zone :timeZone)::date - 31)::timestamp at time zone :timeZone) o
      join operation_tyre held on held.site_id = :site and held.operation_id = o.id
      join wheel w on w.site_id = :site and w.tyre_id = held.tyre_id
    group by o.id, o.status order by o.id desc) wire)::text as json`

/** Those of a customer. No row: there is no such customer. */
export const trailOfCustomer = statement({
  name: 'operations.trail',
  parameters: { site: int, customer: int, now: instant, timeZone: text },
  row: answer,
  sql: `select ${trails('customer_id = :customer and')} from customer where site_id = :site and id = :customer`,
})

/** Those of the whole site. */
export const trailOfSite = statement({
  name: 'operations.trailOfSite',
  parameters: { site: int, now: instant, timeZone: text },
  row: answer,
  sql: `select ${trails('')}`,
})
