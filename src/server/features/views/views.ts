/** Named views of lists (docs/product/screens.md "Named views"). */
import { Failure } from '#domain/failure.ts'
import { adminViewLists, mailedViewLists, maxViews } from '#domain/texts/listView.ts'
import type { Handlers } from '../handler.ts'
import { requireMail } from '../mail/enqueue.ts'
import * as sql from './views.sql.ts'

export const views: Handlers['views'] = {
  list({ tx, who, site }) {
    return tx.single.json(sql.viewsOf, { site: site.id, customer: who.customer, account: who.account })
  },

  async save({ input: { _id: view, filter, ...wanted }, tx, who, site, now }) {
    const { account, customer } = who
    if (who.type !== 'admin' && adminViewLists.includes(wanted.list)) throw new Failure('session.forbidden')
    const { list, name } = wanted
    const { count, taken, there } = await tx.one(sql.viewFacts, { account, view: view ?? null, list, name })
    if (view !== undefined && !there) throw new Failure('record.missing')
    const kept = { site: site.id, account, ...wanted, filter: JSON.stringify(filter) }
    if (view === undefined && count >= maxViews) throw new Failure('view.too_many', { most: maxViews })
    if (taken) throw new Failure('view.name_taken', { name })
    if (view === undefined) return tx.one(sql.addView, { ...kept, customer, now })
    await tx.run(sql.changeView, { ...kept, view })
    return { _id: view }
  },

  async mail({ input: { _id: view, weekday }, tx, who, site, now, request }) {
    const { account, customer } = who
    const parameters = { site: site.id, account, view }
    const { list, reachable } = await tx.one(sql.seenView, { ...parameters, customer })
    if (weekday === null) {
      await tx.run(sql.endWeekly, parameters)
      return { _id: view }
    }
    if (!mailedViewLists.some(name => name === list)) throw new Failure('view.not_mailed')
    requireMail({ request })
    if (!reachable) throw new Failure('mail.no_address')
    await tx.run(sql.sendWeekly, { ...parameters, customer, weekday, now })
    return { _id: view }
  },

  async remove({ input: { _id: view }, tx, who, site }) {
    const removed = await tx.count(sql.removeView, { site: site.id, account: who.account, view })
    if (removed === 0) throw new Failure('record.missing')
    return { _id: view }
  },
}
