/** The statements of the labels of a day. */
import { statement } from '../../db/statement.ts'
import { bool, date, int } from '../../db/types.ts'
import { maxDayLabels } from '#contract/labels.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/**
 * The tyres of the storages of :day: of submitted ones that arrive on it or, where no day of arrival is known, were submitted on it; and
 * of those that were confirmed on it. `printed`: on this day. Excludes tyres that were missing when their storage was confirmed.
 */
const ofDay = `day as (
     select (:day::date)::timestamp at time zone time_zone as since, (:day::date + 1)::timestamp at time zone time_zone as until
     from site where id = :site
   ), storage as (
     select o.id from operation o, day where o.site_id = :site and o.status = 'submitted' and o.type = 'to_stock'
       and (o.delivery_date = :day or o.delivery_date is null and o.submitted_at >= day.since and o.submitted_at < day.until)
     union all
     select o.id from operation o, day where o.site_id = :site and o.status = 'confirmed' and o.type = 'to_stock'
       and o.handled_at >= day.since and o.handled_at < day.until
   ), label as (
     select held.operation_id, t.id, t.position, coalesce(p.at >= day.since and p.at < day.until, false) as printed
     from storage cross join day join operation_tyre held on held.site_id = :site and held.operation_id = storage.id and held.missing_at is null
       join tyre t on t.site_id = :site and t.id = held.tyre_id and t.removed_at is null
       left join label_print p on p.site_id = :site and p.tyre_id = t.id)`

export const countOfDay = statement({
  name: 'labels.day',
  parameters: { site: int, day: date },
  row: { waiting: int, printed: int },
  sql: `with ${ofDay}
   select count(*) filter (where not printed)::int as waiting, count(*) filter (where printed)::int as printed from label`,
})

/** In the order in which the storages were made, and of a storage by position. */
export const labelsOfDay = statement({
  name: 'labels.ofDay',
  parameters: { site: int, day: date, again: bool },
  row: { id: int },
  sql: `with ${ofDay}
   select id from label where :again or not printed order by operation_id, ${tyreOrder('label')} limit ${maxDayLabels}`,
})
