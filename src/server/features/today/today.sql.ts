/** The statement that counts the work of a day. */
import { toPick } from '#domain/warehouse/wave.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { unpaid } from '../invoices/balance.sql.ts'
import { answer, date, instant, int } from '../../db/types.ts'
import { jobs, tally } from '../wheels/wheels.sql.ts'

/** Some of the submitted operations, and their open tyres; `facts` beside them. */
const some = (where: string, facts = ''): string =>
  `(select json_build_object('operation_count', count(*), 'tyre_count', coalesce(sum(tyres), 0)${facts}) from live where ${where})`

const scannedOf = offeredTypes.map(type => `'${type}', count(*) filter (where type = '${type}')`).join(', ')

export const workOfDay = statement({
  name: 'today.read',
  parameters: { site: int, now: instant, today: date },
  row: answer,
  sql: `with ${jobs}, live as materialized (
     select o.type, o.delivery_date as day, count(*) as tyres, count(*) filter (where w.state = any ('{${toPick.join(',')}}'::text[])) as unpicked,
       bool_and(held.scanned_at is not null) as scanned
     from operation o join operation_tyre held on held.site_id = o.site_id and held.operation_id = o.id and held.open
       join wheel w on w.site_id = o.site_id and w.tyre_id = held.tyre_id
     where o.site_id = :site and o.status = 'submitted' group by o.site_id, o.id
   )
   select json_build_object(
     'today', :today::date,
     'to_confirm', (select json_build_object(${scannedOf}) from live where scanned),
     'leaving', json_build_array(
       ${some(`type <> 'to_stock' and day = :today::date`, `, 'day', :today::date, 'unpicked_count', coalesce(sum(unpicked), 0)`)},
       ${some(`type <> 'to_stock' and day = :today::date + 1`, `, 'day', :today::date + 1, 'unpicked_count', coalesce(sum(unpicked), 0)`)}),
     'late', json_build_object('out', ${some(`type <> 'to_stock' and day < :today::date`)}, 'in', ${some(`type = 'to_stock' and day < :today::date`)}),
     'arriving', ${some(`type = 'to_stock' and day = :today::date`)},
     'undated', ${some(`type = 'to_stock' and day is null`)},
     'to_clear_up', ${tally},
     'unpaid', ${unpaid})::text as json`,
})
