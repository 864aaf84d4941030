/** Named views of lists (docs/product.md "Named views"). */
import { Failure } from '#domain/failure.ts'
import { adminViewLists, maxViews } from '#domain/listView.ts'
import type { Handlers } from '../handler.ts'
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

  async remove({ input: { _id: view }, tx, who, site }) {
    const removed = await tx.count(sql.removeView, { site: site.id, account: who.account, view })
    if (removed === 0) throw new Failure('record.missing')
    return { _id: view }
  },
}
