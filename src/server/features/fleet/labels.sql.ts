/** The statements of labels. */
import { z } from 'zod'
import type { Axle } from '#domain/vehicles/axle.ts'
import { labelLayouts } from '#domain/warehouse/label.ts'
import { statement } from '../../db/statement.ts'
import { bool, decimal, instant, int, parsedJson, text } from '../../db/types.ts'

/**
 * The texts on labels of tyres. With `customer`, only tyres of that customer; null for any. Tyres in states that the site does
 * not show are printed too: their labels are on the tyres already.
 */
export const labelledTyres = statement({
  name: 'fleet.labels',
  parameters: { site: int, tyres: z.array(int), withDepth: bool, customer: int.nullable() },
  row: {
    id: int,
    position: text,
    description: text,
    set: text.nullable(),
    plate: text,
    type: text,
    axles: parsedJson<Axle[]>().nullable(),
    customer: text,
    dimension: text,
    load_index: int.nullable(),
    load_index_dual: int.nullable(),
    speed_symbol: text.nullable(),
    depth: decimal.nullable(),
  },
  sql: `select t.id, t.position, t.description, t.tyre_set as "set", v.license_plate as plate, v.type, g.axles,
     c.name as customer, a.dimension, a.load_index, a.load_index_dual, a.speed_symbol,
     case when :withDepth then t.profile_depth end as depth
   from tyre t
   join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   join customer c on c.site_id = t.site_id and c.id = t.customer_id
   join article a on a.site_id = t.site_id and a.id = t.article_id
   left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where t.site_id = :site and t.id = any (:tyres::int[]) and t.removed_at is null and (:customer::int is null or t.customer_id = :customer)`,
})

/** The layout of a label report of the site. */
export const labelReport = statement({
  name: 'fleet.labelReport',
  parameters: { site: int, report: int },
  row: { layout: z.enum(labelLayouts) },
  sql: `select layout from label_report where site_id = :site and number = :report`,
})

/** Notes that the labels of tyres were printed. */
export const notePrinted = statement({
  name: 'fleet.labelsPrinted',
  parameters: { site: int, tyres: z.array(int), actor: int, now: instant },
  sql: `insert into label_print (site_id, tyre_id, customer_id, at, account_id)
   select site_id, id, customer_id, :now, :actor from tyre where site_id = :site and id = any (:tyres::int[]) order by id
   on conflict (site_id, tyre_id) do update set at = excluded.at, account_id = excluded.account_id`,
})
