/** Charges besides stored days (docs/product/money.md "Charges"; docs/decisions/0060). */
import { Failure } from '#domain/failure.ts'
import type { StorageBill } from '#contract/invoicing.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Site } from '../handler.ts'
import { billOf, chargeLinesOf, chargesOf, documentOf, rulesOf, type OwedCharge } from '../invoicing/charging.ts'
import { createStorageDocument } from '../invoicing/charging.sql.ts'
import { customerExists } from '../invoicing/invoicing.sql.ts'
import { paymentOf } from '../invoicing/payment.ts'
import { dayOf } from '../invoicing/storage.ts'
import * as sql from './charges.sql.ts'

export const charges: Handlers['charges'] = {
  async list({ input, tx, site }) {
    if (input.seq_id !== undefined) await tx.one(customerExists, { site: site.id, customer: input.seq_id })
    return tx.json(sql.charges, { site: site.id, customer: input.seq_id ?? null, all: input.all })
  },

  async preview({ input, tx, site, now }) {
    const { bill } = await billFor({ tx, site, now }, input.seq_id)
    return bill
  },

  async inject({ input, tx, site, who, now }) {
    const { bill, owed } = await billFor({ tx, site, now }, input.seq_id)
    const by = { site: site.id, customer: input.seq_id, actor: who.account, now }
    const payment = await paymentOf(tx, by, bill.lines)
    return tx.json(createStorageDocument, {
      ...by,
      payment,
      ...documentOf(bill, { paid: [], charges: owed }),
    })
  },

  async waive({ input, tx, site, who, now }) {
    const ids = [...new Set(input.charges)]
    const rows = await tx.rows(sql.statesOf, { site: site.id, charges: ids })
    if (rows.length < ids.length) throw new Failure('record.missing')
    await tx.run(sql.waive, { site: site.id, charges: ids, reason: input.reason, actor: who.account, now })
    return { charges: ids }
  },

  async unwaive({ input, tx, site, who, now }) {
    await tx.one(sql.statesOf, { site: site.id, charges: [input._id] })
    const by = { site: site.id, charge: input._id, reason: input.reason, actor: who.account, now }
    if (!(await tx.maybe(sql.unwaive, by))) throw new Failure('charge.not_waived')
    return { _id: input._id }
  },

  async counter({ input, tx, site, who, now }) {
    const { state, countered } = await tx.one(sql.statesOf, { site: site.id, charges: [input._id] })
    if (countered) throw new Failure('charge.countered')
    const by = { site: site.id, charge: input._id, reason: input.reason, actor: who.account, now }
    const counterCharge =
      state === 'charged' ? await tx.maybe(sql.counter, { ...by, today: dayOf({ now, site }) }) : undefined
    if (!counterCharge) throw new Failure('charge.not_charged')
    return { _id: counterCharge.id }
  },
}

/** The bill of a customer's charges besides stored days. @throws Failure `invoicing.nothing`; `invoicing.credit` for a negative amount */
async function billFor(
  { tx, site, now }: { tx: Tx; site: Site; now: Date },
  customer: number,
): Promise<{ bill: StorageBill; owed: OwedCharge[] }> {
  await tx.one(customerExists, { site: site.id, customer })
  const date = dayOf({ now, site })
  const owed = await chargesOf(tx, site, { customers: [customer], until: date })
  const rules = await rulesOf(tx, site.id)
  const bill = billOf(chargeLinesOf(owed, site), { tyres: 0, rules, customer, date, language: site.language })
  if (owed.length === 0) throw new Failure('invoicing.nothing')
  if (bill.amount_excl < 0) throw new Failure('invoicing.credit')
  return { bill, owed }
}
