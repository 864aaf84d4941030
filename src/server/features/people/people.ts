/** Export and erasure of personal data; documents stay (docs/decisions/0021). */
import { endSessionsOf, lockUnlessLastAdmin } from '../customers/accountRules.ts'
import type { Handlers } from '../handler.ts'
import { eraseOrigins, recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import { subjectOf } from '../session/signIn.ts'
import * as sql from './people.sql.ts'

export const people: Handlers['people'] = {
  async driver(context) {
    requireFresh(context)
    const { input, tx, who, site, now } = context
    const driver = await tx.json(sql.driverOf, { site: site.id, vehicle: input.flt_id, actor: who.account, now })
    await recordSecurityEvent(context, { kind: 'exported', facts: { what: 'driver', vehicle: input.flt_id } })
    return driver
  },

  async erasedriver({ input, tx, who, site, now, request }) {
    const { customer } = await tx.one(sql.eraseDriver, {
      site: site.id,
      vehicle: input.flt_id,
      actor: who.account,
      now,
    })
    request.notify(customer)
    return { flt_id: input.flt_id }
  },

  async account(context) {
    requireFresh(context)
    const { input, tx, who, site, now } = context
    const { username } = await tx.one(sql.nameOf, { site: site.id, account: input._id })
    const name = subjectOf(context, username, undefined)
    const data = await tx.json(sql.accountData, { site: site.id, account: input._id, name, actor: who.account, now })
    await recordSecurityEvent(context, { kind: 'exported', account: input._id, facts: { what: 'account' } })
    return data
  },

  async eraseaccount(context) {
    requireFresh(context)
    const { input, tx, who, site, now } = context
    const kept = await lockUnlessLastAdmin(context, input._id)
    await tx.run(sql.eraseAccount, { site: site.id, account: kept.id, actor: who.account, now })
    await tx.run(sql.deleteFailures, {
      account: `account ${kept.id}`,
      factor: `factor ${kept.id}`,
      name: subjectOf(context, kept.username, undefined),
    })
    await endSessionsOf(context, kept.id)
    await recordSecurityEvent(context, { kind: 'rolesChanged', account: kept.id, facts: { erased: true } })
    await eraseOrigins(tx, kept.id)
    return { _id: kept.id }
  },
}
