/** Notices to people about events (docs/product/messages.md "Notices"). */
import { Failure } from '#domain/failure.ts'
import { noticesFor } from '#domain/people/notice.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './notices.sql.ts'

export const notices: Handlers['notices'] = {
  list({ tx, who, site }) {
    const { account, customer } = who
    return tx.single.json(sql.listOfAccount, { site: site.id, account, customer, withDepth: site.allowProfileDepth })
  },

  async read({ input, tx, who, site, now }) {
    return { read: await tx.count(sql.markRead, { site: site.id, account: who.account, last: input.last, now }) }
  },

  async settings({ tx, who, site }) {
    const kinds = noticesFor(who.type, site)
    const { hidden, mailed, ...rest } = await tx.one(sql.choiceOf, { site: site.id, account: who.account })
    const offered = (some: typeof kinds) => some.filter(kind => kinds.includes(kind))
    return { ...rest, hidden: offered(hidden), mailed: offered(mailed), kinds }
  },

  async choose({ input, tx, who, site }) {
    const { account, customer } = who
    const choice = { ...input, hidden: [...new Set(input.hidden)], mailed: [...new Set(input.mailed)] }
    await tx.run(sql.choose, { site: site.id, account, customer, ...choice })
    return choice
  },

  async unsubscribe({ input, tx, request }) {
    if (request.site === null) throw new Failure('record.missing')
    await tx.asSystem()
    return tx.one(sql.unsubscribe, { site: request.site, key: input.key })
  },
}
