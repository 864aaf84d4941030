/** The statements of a site's label reports. */
import { z } from 'zod'
import { labelLayouts } from '#domain/warehouse/label.ts'
import { statement } from '../../db/statement.ts'
import { answer, int, text } from '../../db/types.ts'

const report = `json_build_object('rpt_number', array[number], 'rpt_name', array[name], 'rpt_layout', array[layout])`
const key = { site: int, number: int }
const columns = { name: text, layout: z.enum(labelLayouts) }

export const everyReport = statement({
  name: 'labelReports.all',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(${report} order by number), '[]')::text as json from label_report where site_id = :site`,
})

export const reportByNumber = statement({
  name: 'labelReports.one',
  parameters: key,
  row: answer,
  sql: `select ${report}::text as json from label_report where site_id = :site and number = :number`,
})

export const lockReport = statement({
  name: 'labelReports.lock',
  parameters: key,
  row: columns,
  sql: 'select name, layout from label_report where site_id = :site and number = :number for update',
})

/** Another report with the same name, ignoring case. */
export const namesake = statement({
  name: 'labelReports.namesake',
  parameters: { site: int, name: text, number: int.nullable() },
  sql: `
    select from label_report
    where site_id = :site and lower(name) = lower(:name) and number is distinct from :number::int`,
})

export const addReport = statement({
  name: 'labelReports.add',
  parameters: { site: int, ...columns },
  row: { number: int },
  sql: `
    with numbered as (
      update site set last_label_report =
        greatest(last_label_report, (select coalesce(max(number), 0) from label_report where site_id = :site)) + 1
      where id = :site returning last_label_report)
    insert into label_report (site_id, number, name, layout)
    select :site, last_label_report, :name, :layout from numbered returning number`,
})

export const changeReport = statement({
  name: 'labelReports.change',
  parameters: { ...key, ...columns },
  sql: 'update label_report set name = :name, layout = :layout where site_id = :site and number = :number',
})

export const countReports = statement({
  name: 'labelReports.count',
  parameters: { site: int },
  row: { reports: int },
  sql: 'select count(*)::int as reports from label_report where site_id = :site',
})

/** No other report ever gets the number: browsers remember by it which report they printed with. */
export const removeReport = statement({
  name: 'labelReports.remove',
  parameters: key,
  sql: `
    with gone as (delete from label_report where site_id = :site and number = :number returning number)
    update site set last_label_report = greatest(last_label_report, gone.number) from gone where id = :site`,
})
