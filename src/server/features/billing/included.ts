/** Days that cost nothing of their own and need no document (docs/product/money.md "Tariff"): nobody does anything on that day, it passes. */
import { today, type IsoDate } from '#domain/texts/date.ts'
import type { Database, Tx } from '../../db/database.ts'
import { owingTyres } from './work.sql.ts'
import { lockTyresToCharge } from '../invoicing/charging.sql.ts'
import { rulesOf, saveIncluded, storageOf, withSpans, type Rules } from '../invoicing/charging.ts'
import { customersWithIncluded, lockPayers, sitesThatStore } from './included.sql.ts'

/** How many customers are done in one transaction. */
const customersAtOnce = 50

/** Notes at all sites which days cost nothing of their own. Once an hour is enough: a document that comes first notes them, too. */
export async function noteIncluded(database: Database, now: Date): Promise<void> {
  const sites = await database.transaction({ system: true }, tx => tx.rows(sitesThatStore, {}))
  for (const { site, timeZone } of sites) {
    const until = today({ now, timeZone })
    const customers = await database.transaction({ site }, tx => tx.rows(customersWithIncluded, { site, today: until }))
    for (let from = 0; from < customers.length; from += customersAtOnce) {
      const some = customers.slice(from, from + customersAtOnce).map(({ customer }) => customer)
      await database.transaction({ site }, tx => include(tx, { site, customers: some, until, now }))
    }
  }
}

type Included = { site: number; customers: number[]; until: IsoDate; now: Date }

async function include(tx: Tx, { site, customers, until, now }: Included): Promise<void> {
  const rules = await rulesOf(tx, site)
  const scope = { rules, site, customers, until }
  const includedDays = await includedOf(tx, scope)
  if (includedDays.length === 0) return
  // again once nobody charges or moves them
  const tyres = [...new Set(includedDays.map(({ tyre }) => tyre.id))]
  await tx.rows(lockPayers, { site, customers })
  await tx.rows(lockTyresToCharge, { site, tyres, customer: null, left: true })
  await saveIncluded(tx, { site, actor: null, now }, await includedOf(tx, scope))
}

/** The days of customers' tyres, also of those that left, that a document or a season includes. */
async function includedOf(
  tx: Tx,
  { rules, site, customers, until }: { rules: Rules; site: number; customers: number[]; until: IsoDate },
) {
  const owing = (await tx.rows(owingTyres, { site, customers, covers: 'all', until, days: 0 })).map(withSpans)
  const byCustomer = Map.groupBy(owing, ({ customer }) => customer)
  return [...byCustomer].flatMap(([customer, tyres]) => storageOf(tyres, rules, { customer, until }).included)
}
