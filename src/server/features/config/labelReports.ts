/** The label reports of a site, kept by its administrator (SPEC §3 "labelReports"). */
import { Failure } from '#domain/failure.ts'
import { statement } from '../../db/database.ts'
import type { Handlers } from '../handler.ts'
import { lockSite } from './hotelconfig.sql.ts'

const report = `json_build_object('rpt_number', array[number], 'rpt_name', array[name], 'rpt_layout', array[layout])`

const everyReport = statement(
  'labelReports.all',
  `select coalesce(json_agg(${report} order by number), '[]')::text as json from label_report where site_id = $1`,
)
const reportByNumber = statement(
  'labelReports.one',
  `select ${report}::text as json from label_report where site_id = $1 and number = $2`,
)
const keptReport = statement(
  'labelReports.kept',
  `select name, layout from label_report where site_id = $1 and number = $2 for update`,
)
/** Another report of this name, in whatever capitals; $3: the one that gets it. */
const namesake = statement(
  'labelReports.namesake',
  `select from label_report where site_id = $1 and lower(name) = lower($2) and number is distinct from $3::int`,
)
const addReport = statement(
  'labelReports.add',
  `with numbered as (
     update site set last_label_report =
       greatest(last_label_report, (select coalesce(max(number), 0) from label_report where site_id = $1)) + 1
     where id = $1 returning last_label_report)
   insert into label_report (site_id, number, name, layout)
   select $1, last_label_report, $2, $3 from numbered returning number`,
)
const changeReport = statement(
  'labelReports.change',
  `update label_report set name = $3, layout = $4 where site_id = $1 and number = $2`,
)
const countReports = statement(
  'labelReports.count',
  `select count(*)::int as reports from label_report where site_id = $1`,
)
/** Its number is nobody else's ever: a browser remembers by it what was printed with last. */
const removeReport = statement(
  'labelReports.remove',
  `with gone as (delete from label_report where site_id = $1 and number = $2 returning number)
   update site set last_label_report = greatest(last_label_report, gone.number) from gone where id = $1`,
)
const audit = statement(
  'labelReports.audit',
  `insert into audit (site_id, account_id, at, action, subject, facts) values ($1, $2, $3, $4, $5, $6)`,
)

export const labelReports: Handlers['labelReports'] = {
  all: ({ tx, site }) => tx.json(everyReport, [site.id]),

  async save({ input: { rpt_number, rpt_name: name, rpt_layout: layout }, tx, who, site, now, request }) {
    // one after the other, for the names and the next number
    await tx.one(lockSite, [site.id])
    const kept =
      rpt_number === undefined
        ? null
        : await tx.one<{ name: string; layout: string }>(keptReport, [site.id, rpt_number])
    if (await tx.maybe(namesake, [site.id, name, rpt_number ?? null])) throw new Failure('label.name_taken')
    if (kept?.name === name && kept.layout === layout) return tx.json(reportByNumber, [site.id, rpt_number])
    const number = rpt_number ?? (await tx.one<{ number: number }>(addReport, [site.id, name, layout])).number
    if (kept) await tx.rows(changeReport, [site.id, number, name, layout])
    const facts = kept ? { name: [kept.name, name], layout: [kept.layout, layout] } : { name, layout }
    const action = kept ? 'labelReport.edit' : 'labelReport.add'
    await tx.rows(audit, [site.id, who.account, now, action, `label report ${number}`, JSON.stringify(facts)])
    request.notify('everyone')
    return tx.json(reportByNumber, [site.id, number])
  },

  async remove({ input: { rpt_number }, tx, who, site, now, request }) {
    await tx.one(lockSite, [site.id])
    const kept = await tx.one<{ name: string; layout: string }>(keptReport, [site.id, rpt_number])
    if ((await tx.one<{ reports: number }>(countReports, [site.id])).reports === 1) throw new Failure('label.last')
    await tx.rows(removeReport, [site.id, rpt_number])
    const subject = `label report ${rpt_number}`
    await tx.rows(audit, [site.id, who.account, now, 'labelReport.remove', subject, JSON.stringify(kept)])
    request.notify('everyone')
    return { rpt_number }
  },
}
