/** Charging storage: who owes it, the document, and the last invoice date (docs/product.md "Overdue storage"). */
import { formatDate, today, type IsoDate } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { invoiceLines, paidUntil } from '#domain/overdue.ts'
import { formatPlate } from '#domain/plate.ts'
import type { StorageBill } from '#contract/invoicing.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { translate } from '../../texts/texts.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import * as sql from './invoicing.sql.ts'

type Circumstances = { tx: Tx; who: Who; site: Site; now: Date }
type Rules = Row<typeof sql.storageRules>
type TyreToCharge = Row<typeof sql.tyresToCharge>

const dayOf = ({ now, site }: Pick<Circumstances, 'now' | 'site'>): IsoDate => today({ now, timeZone: site.timeZone })

export const invoicing: Handlers['invoicing'] = {
  customers: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueCustomers, { site: site.id, today: dayOf({ now, site }), days: input.days }),

  tyres: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueTyres, {
      site: site.id,
      today: dayOf({ now, site }),
      days: input.days,
      customer: input.seq_id,
      paid: input.paid ?? false,
    }),

  async preview({ input, tx, who, site, now }) {
    const { bill } = await charge({ tx, who, site, now }, input)
    return bill
  },

  async inject({ input, tx, who, site, now }) {
    await lock(tx, site, input.tyres, input.seq_id)
    const { bill, tyres } = await charge({ tx, who, site, now }, input)
    return tx.json(sql.createStorageDocument, {
      site: site.id,
      customer: input.seq_id,
      actor: who.account,
      now,
      today: bill.date,
      type: bill.document_type,
      amount: bill.amount_excl,
      lines: JSON.stringify(bill.lines.map((line, nth) => ({ line: nth + 1, ...line }))),
      tyres: tyres.map(tyre => tyre.id),
      since: tyres.map(paidUntil),
      facts: JSON.stringify({ tyres: bill.tyres, quantity: bill.quantity, amount: bill.amount_excl }),
    })
  },

  async markinvoiced({ input: { tyres, date }, tx, who, site, now }) {
    if (date > dayOf({ now, site })) throw new Failure('invoicing.date_ahead')
    const marked = await lock(tx, site, tyres)
    await tx.run(sql.setInvoiced, {
      site: site.id,
      tyres: marked,
      date,
      actor: who.account,
      now,
      action: 'invoicing.mark',
    })
    return { tyres: marked, date }
  },

  async unmarkinvoiced({ input, tx, who, site, now }) {
    const cleared = await lock(tx, site, input.tyreIds)
    await tx.run(sql.setInvoiced, {
      site: site.id,
      tyres: cleared,
      date: null,
      actor: who.account,
      now,
      action: 'invoicing.clear',
    })
    return { tyres: cleared }
  },

  async documents({ input, tx, site }) {
    if (input.seq_id !== undefined) await tx.one(sql.customerExists, { site: site.id, customer: input.seq_id })
    return tx.json(sql.documents, {
      site: site.id,
      customer: input.seq_id ?? null,
      last: input.last_document ?? null,
    })
  },
}

/** Locks the tyres, each once, until the request is over. One of another site or customer is missing. */
async function lock(
  tx: Tx,
  site: Site,
  requested: readonly number[],
  customer: number | null = null,
): Promise<number[]> {
  const ids = [...new Set(requested)]
  const locked = await tx.rows(sql.lockTyres, { site: site.id, tyres: ids, customer })
  if (locked.length < ids.length) throw new Failure('record.missing')
  return locked.map(tyre => tyre.id)
}

/** The bill for the storage of these tyres until today. Refuses what may not be charged. */
async function charge(
  { tx, site, now }: Circumstances,
  { tyres: requested, seq_id: customer }: { tyres: readonly number[]; seq_id: number },
): Promise<{ bill: StorageBill; tyres: TyreToCharge[] }> {
  const ids = [...new Set(requested)]
  const tyres = await tx.rows(sql.tyresToCharge, { site: site.id, tyres: ids, customer })
  if (tyres.length < ids.length) throw new Failure('record.missing')
  const rules = await tx.one(sql.storageRules, { site: site.id })
  if (rules.article === null) throw new Failure('invoicing.article_missing')
  const documents = [...new Set(tyres.flatMap(tyre => tyre.document ?? []))]
  if (documents.length > 0) throw new Failure('invoicing.documented', { documents })
  const date = dayOf({ now, site })
  const settled = tyres.filter(tyre => !tyre.stored || paidUntil(tyre) >= date)
  if (settled.length === tyres.length) throw new Failure('invoicing.nothing')
  if (settled.length > 0) throw new Failure('invoicing.changed', { tyres: settled.map(tyre => tyre.id) })
  return { bill: billOf(tyres, rules, { date, site }), tyres }
}

function billOf(tyres: TyreToCharge[], rules: Rules, { date, site }: { date: IsoDate; site: Site }): StorageBill {
  const cents = Math.round(rules.price * 100)
  const text = (key: string, facts: Record<string, unknown>): string =>
    translate(site.language, 'documents', key, facts)
  const lines = invoiceLines(tyres, { ...rules, today: date }).map(({ quantity, days, since, tyres: charged }) => {
    const [first] = charged
    return {
      article_number: String(rules.article),
      description: text(first?.set == null ? 'storage.loose' : 'storage.set', {
        article: rules.description,
        plate: formatPlate(first?.plate ?? ''),
        set: first?.set,
        from: formatDate(since),
        to: formatDate(date),
        days: text('storage.days', { count: days }),
        tyres: text('storage.tyres', { count: charged.length }),
      }),
      quantity,
      price_excl: rules.price,
      amount_excl: (cents * quantity) / 100,
    }
  })
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  return {
    document_type: rules.type,
    date,
    lines,
    tyres: tyres.length,
    quantity,
    amount_excl: (cents * quantity) / 100,
  }
}
