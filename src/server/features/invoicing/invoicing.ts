/** Storage that is charged: who owes it, the document, and the last invoice date (docs/product.md "Overdue storage"). */
import { formatDate, today, type IsoDate } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { invoiceLines, paidUntil, type InvoicingRules, type StoredTyre } from '#domain/overdue.ts'
import { formatPlate } from '#domain/plate.ts'
import type { DocumentType } from '#domain/site.ts'
import type { StorageBill } from '#contract/invoicing.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import * as sql from './invoicing.sql.ts'
import { translate } from '../../texts/texts.ts'

type Circumstances = { tx: Tx; who: Who; site: Site; now: Date }
type Rules = Pick<InvoicingRules, 'quantity' | 'mode' | 'period'> & {
  type: DocumentType
  price: number
  article: number | null
  description: string | null
}
type TyreToCharge = StoredTyre & { id: number; stored: boolean; plate: string; document: string | null }

const dayOf = ({ now, site }: Pick<Circumstances, 'now' | 'site'>): IsoDate => today({ now, timeZone: site.timeZone })

export const invoicing: Handlers['invoicing'] = {
  customers: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueCustomers, [site.id, dayOf({ now, site }), input.days]),

  tyres: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueTyres, [site.id, dayOf({ now, site }), input.days, input.seq_id, input.paid ?? false]),

  async preview({ input, tx, who, site, now }) {
    const { bill } = await drawUp({ tx, who, site, now }, input)
    return bill
  },

  async inject({ input, tx, who, site, now }) {
    await lock(tx, site, input.tyres, input.seq_id)
    const { bill, tyres } = await drawUp({ tx, who, site, now }, input)
    return tx.json(sql.makeStorageDocument, [
      site.id,
      input.seq_id,
      who.account,
      now,
      bill.date,
      bill.document_type,
      bill.amount_excl,
      JSON.stringify(bill.lines.map((line, nth) => ({ line: nth + 1, ...line }))),
      tyres.map(tyre => tyre.id),
      tyres.map(paidUntil),
      JSON.stringify({ tyres: bill.tyres, quantity: bill.quantity, amount: bill.amount_excl }),
    ])
  },

  async markinvoiced({ input: { tyres, date }, tx, who, site, now }) {
    if (date > dayOf({ now, site })) throw new Failure('invoicing.date_ahead')
    const marked = await lock(tx, site, tyres)
    await tx.rows(sql.setInvoiced, [site.id, marked, date, who.account, now, 'invoicing.mark'])
    return { tyres: marked, date }
  },

  async unmarkinvoiced({ input, tx, who, site, now }) {
    const cleared = await lock(tx, site, input.tyreIds)
    await tx.rows(sql.setInvoiced, [site.id, cleared, null, who.account, now, 'invoicing.clear'])
    return { tyres: cleared }
  },

  async documents({ input, tx, site }) {
    if (input.seq_id !== undefined) await tx.one(sql.customerExists, [site.id, input.seq_id])
    return tx.json(sql.documents, [site.id, input.seq_id ?? null, input.last_document ?? null])
  },
}

/** The tyres, each once, locked until the request is over. One that is missing, foreign or of another customer is missing. */
async function lock(tx: Tx, site: Site, asked: readonly number[], customer: number | null = null): Promise<number[]> {
  const wanted = [...new Set(asked)]
  const locked = await tx.rows<{ id: number }>(sql.lockTyres, [site.id, wanted, customer])
  if (locked.length < wanted.length) throw new Failure('record.missing')
  return locked.map(tyre => tyre.id)
}

/** The document that charges these tyres today, as it would be made. Refuses what may not be charged. */
async function drawUp(
  { tx, site, now }: Circumstances,
  { tyres: asked, seq_id }: { tyres: readonly number[]; seq_id: number },
): Promise<{ bill: StorageBill; tyres: TyreToCharge[] }> {
  const wanted = [...new Set(asked)]
  const tyres = await tx.rows<TyreToCharge>(sql.tyresToCharge, [site.id, wanted, seq_id])
  if (tyres.length < wanted.length) throw new Failure('record.missing')
  const rules = await tx.one<Rules>(sql.storageRules, [site.id])
  if (rules.article === null) throw new Failure('invoicing.article_missing')
  const documents = [...new Set(tyres.flatMap(tyre => tyre.document ?? []))]
  if (documents.length > 0) throw new Failure('invoicing.documented', { documents })
  const date = dayOf({ now, site })
  const gone = tyres.filter(tyre => !tyre.stored || paidUntil(tyre) >= date)
  if (gone.length === tyres.length) throw new Failure('invoicing.nothing')
  if (gone.length > 0) throw new Failure('invoicing.changed', { tyres: gone.map(tyre => tyre.id) })
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
