/** The label reports of a site, managed by its administrator (docs/product/warehouse.md "Labels"). */
import { Failure } from '#domain/failure.ts'
import type { Handlers } from '../handler.ts'
import { lockSite } from './config.sql.ts'
import * as sql from './labelReports.sql.ts'
import { recordAudit } from '../audit/record.ts'

export const labelReports: Handlers['labelReports'] = {
  all: ({ tx, site }) => tx.json(sql.everyReport, { site: site.id }),

  async save({ input: { rpt_number, rpt_name: name, rpt_layout: layout }, tx, who, site: { id: site }, now, request }) {
    // one after the other: names are unique, and each gets the next number
    await tx.one(lockSite, { site })
    const current = rpt_number === undefined ? null : await tx.one(sql.lockReport, { site, number: rpt_number })
    if (await tx.maybe(sql.namesake, { site, name, number: rpt_number ?? null })) throw new Failure('label.name_taken')
    const number = rpt_number ?? (await tx.one(sql.addReport, { site, name, layout })).number
    if (current?.name !== name || current.layout !== layout) {
      if (current) await tx.run(sql.changeReport, { site, number, name, layout })
      await recordAudit(
        { tx, site: { id: site }, who, now },
        current ? 'labelReport.edit' : 'labelReport.add',
        `label report ${number}`,
        current ? { name: [current.name, name], layout: [current.layout, layout] } : { name, layout },
      )
      request.notify('everyone')
    }
    return tx.json(sql.reportByNumber, { site, number })
  },

  async remove({ input: { rpt_number: number }, tx, who, site: { id: site }, now, request }) {
    await tx.one(lockSite, { site })
    const current = await tx.one(sql.lockReport, { site, number })
    if ((await tx.one(sql.countReports, { site })).reports === 1) throw new Failure('label.last')
    await tx.run(sql.removeReport, { site, number })
    await recordAudit({ tx, site: { id: site }, who, now }, 'labelReport.remove', `label report ${number}`, current)
    request.notify('everyone')
    return { rpt_number: number }
  },
}
