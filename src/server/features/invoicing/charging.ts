/** Charging stored days by a document, or waiving them (docs/product.md "Stored days"; docs/decisions/0028). */
import type { StorageBill } from '#contract/invoicing.ts'
import { formatDate, type IsoDate } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { invoiceLines, invoiceUnits, paidTo, type Owed, type OwingTyre } from '#domain/overdue.ts'
import { formatPlate } from '#domain/plate.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { translate } from '../../texts/texts.ts'
import type { Handlers, Site } from '../handler.ts'
import * as sql from './charging.sql.ts'
import { dayOf, lockStored } from './storage.ts'

export type Rules = Row<typeof sql.storageRules>
type TyreToCharge = OwingTyre & Owed & { id: number; plate: string }
type Request = { tyres: readonly number[]; seq_id: number; left?: boolean | undefined }

export const charging: Pick<Handlers['invoicing'], 'preview' | 'inject' | 'waive' | 'unwaive' | 'waivers'> = {
  async preview({ input, tx, site, now }) {
    const { bill } = await charge({ tx, site, now }, input)
    return bill
  },

  async inject({ input, tx, who, site, now }) {
    const left = input.left ?? false
    await lockStored(tx, site, { tyres: input.tyres, customer: input.seq_id, left })
    const { bill, tyres } = await charge({ tx, site, now }, input)
    const by = { site: site.id, customer: input.seq_id, actor: who.account, now }
    // of a stay that ended, all that is owed
    const charged = tyres.map(tyre => ({ id: tyre.id, left, paidTo: left ? null : tyre.paidTo }))
    return tx.json(sql.createStorageDocument, { ...by, ...documentOf(bill, charged) })
  },

  async waive({ input, tx, who, site, now }) {
    const left = input.left ?? false
    const tyres = await lockStored(tx, site, { tyres: input.tyres, customer: input.seq_id, left })
    const { days } = await tx.one(sql.waiveDays, {
      site: site.id,
      customer: input.seq_id,
      tyres,
      today: dayOf({ now, site }),
      left,
      reason: input.reason,
      actor: who.account,
      now,
    })
    if (days === 0) throw new Failure('invoicing.nothing')
    return { tyres, days }
  },

  async unwaive({ input, tx, who, site, now }) {
    const waived = await tx.rows(sql.tyresOfWaiver, { site: site.id, waiver: input._id })
    if (waived.length === 0) throw new Failure('record.missing')
    await lockStored(tx, site, { tyres: waived.map(({ tyre }) => tyre), left: true })
    const by = { site: site.id, waiver: input._id, reason: input.reason, actor: who.account, now }
    const { days } = await tx.one(sql.releaseWaiver, by)
    if (days === 0) throw new Failure('invoicing.nothing')
    return { days }
  },

  waivers: ({ tx, site }) => tx.single.json(sql.waivers, { site: site.id }),
}

/** The bill for the owed days of these tyres, and the day up to which each is paid with it. Refuses what may not be charged. */
async function charge(
  { tx, site, now }: { tx: Tx; site: Site; now: Date },
  { tyres: requested, seq_id: customer, left = false }: Request,
): Promise<{ bill: StorageBill; tyres: (TyreToCharge & { paidTo: IsoDate })[] }> {
  const ids = [...new Set(requested)]
  const date = dayOf({ now, site })
  const tyres = await tx.rows(sql.tyresToCharge, { site: site.id, tyres: ids, customer, today: date, left })
  if (tyres.length < ids.length) throw new Failure('record.missing')
  const rules = await tx.one(sql.storageRules, { site: site.id })
  if (rules.article === null) throw new Failure('invoicing.article_missing')
  const owing = owingOf(tyres)
  return {
    bill: billOf(linesOf(owing, rules, site), owing.length, rules, date),
    tyres: withPaidTo(owing, rules, date),
  }
}

/** Tyres with the day up to which each is paid when what it owes until a day is charged. */
export const withPaidTo = <T extends OwingTyre>(
  tyres: T[],
  rules: Rules,
  until: IsoDate,
): (T & { paidTo: IsoDate })[] =>
  invoiceUnits(tyres, rules).flatMap(unit => {
    const day = paidTo(unit, { ...rules, today: until })
    return unit.tyres.map(tyre => ({ ...tyre, paidTo: day }))
  })

/** The parameters of `createStorageDocument` that a bill determines. */
export const documentOf = (
  bill: StorageBill,
  tyres: readonly { id: number; left: boolean; paidTo: IsoDate | null }[],
) => ({
  today: bill.date,
  type: bill.document_type,
  amount: bill.amount_excl,
  lines: JSON.stringify(bill.lines.map((line, nth) => ({ line: nth + 1, ...line }))),
  tyres: tyres.map(tyre => tyre.id),
  paidTo: tyres.map(tyre => tyre.paidTo),
  left: tyres.map(tyre => tyre.left),
  facts: JSON.stringify({ tyres: bill.tyres, quantity: bill.quantity, amount: bill.amount_excl }),
})

/** The tyres, all of which owe days. Refuses them when one owes none, and says whether documents are the reason. */
function owingOf(tyres: readonly Row<typeof sql.tyresToCharge>[]): TyreToCharge[] {
  const settled = tyres.filter(tyre => tyre.owed === 0)
  const documents = [...new Set(settled.flatMap(tyre => tyre.document ?? []))]
  if (documents.length > 0) throw new Failure('invoicing.documented', { documents })
  if (settled.length === tyres.length) throw new Failure('invoicing.nothing')
  if (settled.length > 0) throw new Failure('invoicing.changed', { tyres: settled.map(tyre => tyre.id) })
  return tyres.flatMap(({ since, until, ...tyre }) =>
    since === null || until === null ? [] : [{ ...tyre, since, until }],
  )
}

/** The lines of a document for tyres that owe days, in the language of the site. A price is charged in whole cents. */
export function linesOf(
  tyres: readonly (OwingTyre & Owed & { plate: string })[],
  rules: Rules,
  { language }: Pick<Site, 'language'>,
): StorageBill['lines'] {
  const cents = centsOf(rules)
  const text = (key: string, facts: Record<string, unknown>): string => translate(language, 'documents', key, facts)
  return invoiceLines(tyres, rules).map(({ quantity, days, since, until, tyres: charged }) => {
    const [first] = charged
    return {
      article_number: String(rules.article),
      description: text(first?.set == null ? 'storage.loose' : 'storage.set', {
        article: rules.description,
        plate: formatPlate(first?.plate ?? ''),
        set: first?.set,
        from: formatDate(since),
        to: formatDate(until),
        days: text('storage.days', { count: days }),
        tyres: text('storage.tyres', { count: charged.length }),
      }),
      quantity,
      price_excl: rules.price,
      amount_excl: (cents * quantity) / 100,
    }
  })
}

const centsOf = ({ price }: Rules): number => Math.round(price * 100)

/** The bill with these lines, for so many tyres. */
export function billOf(lines: StorageBill['lines'], tyres: number, rules: Rules, date: IsoDate): StorageBill {
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  return {
    document_type: rules.type,
    date,
    lines,
    tyres,
    quantity,
    amount_excl: (centsOf(rules) * quantity) / 100,
  }
}
