/** The statements of a site's closed days, which every account of the site may read. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { answer, date, int, json } from '../../db/types.ts'

/** Sets these days, as JSON: `day`, `holiday`, `name`. A day that is there takes the new name. */
export const setClosedDays = statement({
  name: 'closedDays.set',
  parameters: { site: int, rows: json },
  sql: `
    insert into closed_day (site_id, day, holiday, name)
    select :site, w.day, w.holiday, w.name from json_to_recordset(:rows::json) as w (day date, holiday text, name text)
    on conflict (site_id, day) do update set holiday = excluded.holiday, name = excluded.name`,
})

export const openDays = statement({
  name: 'closedDays.open',
  parameters: { site: int, days: z.array(date) },
  sql: 'delete from closed_day where site_id = :site and day = any (:days::date[])',
})

/** How many open recalls and storages are planned on each of these days; a day without any has no row. */
export const plannedRecalls = statement({
  name: 'closedDays.recalls',
  parameters: { site: int, days: z.array(date) },
  row: answer,
  sql: `
    select coalesce(json_agg(planned order by planned.day), '[]')::text as json from (
      select delivery_date as day, count(*)::int as recall_count from operation
      where site_id = :site and status in ('pending', 'submitted') and type in ('to_customer', 'to_stock')
        and delivery_date = any (:days::date[])
      group by delivery_date) planned`,
})
