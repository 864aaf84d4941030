/** One person's data, told and erased; the papers in which they had a part stay (QUALITY 28, docs/decisions/0021). */
import { lockedToGo, signOut } from '../customers/accounts.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './people.sql.ts'

export const people: Handlers['people'] = {
  driver: ({ input, tx, who, site, now }) => tx.json(sql.driverOf, [site.id, input.flt_id, who.account, now]),

  async erasedriver({ input, tx, who, site, now, request }) {
    const { customer } = await tx.one<{ customer: number }>(sql.eraseDriver, [site.id, input.flt_id, who.account, now])
    request.notify(customer)
    return { flt_id: input.flt_id }
  },

  account: ({ input, tx, who, site, now }) => tx.json(sql.accountData, [site.id, input._id, who.account, now]),

  async eraseaccount(context) {
    const { input, tx, who, site, now } = context
    const kept = await lockedToGo(context, input._id)
    await tx.rows(sql.eraseAccount, [site.id, kept.id, who.account, now])
    await tx.rows(sql.forgetFailures, [`account ${kept.id}`, `${site.id} ${kept.username.toLowerCase()}`])
    await signOut(context, kept.id)
    return { _id: kept.id }
  },
}
