/** Retrieved tyres: unpaid stored days and prepaid ones (docs/product/money.md "Stored days"). */
import { Failure } from '#domain/failure.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './left.sql.ts'
import { dayOf, lockStored } from './storage.ts'

export const left: Pick<Handlers['invoicing'], 'left' | 'lefttyres' | 'credits' | 'credit'> = {
  left: ({ tx, site, now }) => tx.single.json(sql.customersOfLeft, { site: site.id, today: dayOf({ now, site }) }),

  lefttyres: ({ input, tx, site }) => tx.single.json(sql.tyresLeft, { site: site.id, customer: input.seq_id }),

  credits: ({ tx, site }) => tx.single.json(sql.credits, { site: site.id }),

  async credit({ input: { tyres, document = null, reason }, tx, who, site, now }) {
    const together = await tx.rows(sql.tyresOfUnits, { site: site.id, tyres })
    const locked = await lockStored(tx, site, { tyres: [...tyres, ...together.map(({ tyre }) => tyre)], left: true })
    const by = { site: site.id, reason, actor: who.account, now }
    const released = await tx.rows(sql.releaseUnused, { ...by, tyres: locked, document })
    if (released.length === 0) throw new Failure('invoicing.nothing')
    const units = {
      documents: released.map(entry => entry.document),
      units: released.map(entry => entry.unit),
      seasons: released.map(entry => entry.season),
    }
    // by the day what is included was there, and nothing of that day is credited
    const ofPeriods = released.map(entry => (entry.period === null ? null : entry.unit))
    await tx.run(sql.releaseIncluded, { ...by, ...units, units: ofPeriods })
    await tx.run(sql.chargeUsed, {
      ...by,
      ...units,
      tyres: released.map(entry => entry.tyre),
      customers: released.map(entry => entry.customer),
      ofSets: released.map(entry => entry.ofSet),
      rules: released.map(entry => entry.rule),
      since: released.map(entry => entry.since),
      until: released.map(entry => entry.until),
      periods: released.map(entry => entry.period),
      unused: released.map(entry => entry.unused),
    })
    return { tyres: [...new Set(released.map(entry => entry.tyre))] }
  },
}
