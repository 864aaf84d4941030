/** The rules of a tariff (docs/product/money.md "Tariff"; docs/decisions/0060). */
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { Context, Handlers } from '../handler.ts'
import * as sql from './tariff.sql.ts'

type At = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'site' | 'who' | 'now'>

/** Ends a rule, which must hold on that day and may not end before it already. @throws Failure `tariff.dates` */
async function end({ tx, site, who, now }: At, rule: number, until: IsoDate, action: string): Promise<void> {
  const row = await tx.one(sql.lockRule, { site: site.id, rule })
  if (until < row.since || (row.until !== null && until > row.until)) throw new Failure('tariff.dates')
  if (until !== row.until)
    await tx.run(sql.endRule, { site: site.id, rule, until, actor: who.account, now, action: `tariff.${action}` })
}

export const tariff: Handlers['tariff'] = {
  list: ({ tx, site }) => tx.single.json(sql.rules, { site: site.id }),

  async add({ input, tx, site, who, now }) {
    const { id } = await tx.one(sql.addRule, {
      site: site.id,
      customer: input.seq_id,
      kind: input.kind,
      per: input.per,
      mode: input.mode,
      period: input.period,
      graceDays: input.grace_days,
      sizeClass: input.size_class,
      afterDays: input.after_days,
      service: input.service,
      since: input.since,
      until: input.until,
      price: input.price_excl,
      vatRate: input.vat_rate,
      article: input.article_number,
      description: input.description,
      actor: who.account,
      now,
      action: 'tariff.add',
    })
    return { _id: id }
  },

  async succeed(at) {
    const { input, tx, site, who, now } = at
    if (input.until !== null && input.until < input.since) throw new Failure('tariff.dates')
    await end(at, input._id, addDays(input.since, -1), 'end')
    const { id } = await tx.one(sql.addSuccessor, {
      site: site.id,
      rule: input._id,
      since: input.since,
      until: input.until,
      price: input.price_excl,
      vatRate: input.vat_rate,
      actor: who.account,
      now,
      action: 'tariff.add',
    })
    return { _id: id }
  },

  async end(at) {
    await end(at, at.input._id, at.input.until, 'end')
    return { _id: at.input._id }
  },

  async remove({ input, tx, site, who, now }) {
    const rule = { site: site.id, rule: input._id }
    await tx.one(sql.lockRule, rule)
    const removed = await tx.maybe(sql.removeRule, { ...rule, actor: who.account, now, action: 'tariff.remove' })
    if (!removed) throw new Failure('tariff.used')
    return { _id: removed.id }
  },
}
