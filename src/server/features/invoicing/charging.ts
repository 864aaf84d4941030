/** Charging stored days by a document, or waiving them (docs/product/money.md "Stored days"; docs/decisions/0028). */
import { languages, type Language } from '#domain/people/account.ts'
import type { StorageBill } from '#contract/invoicing.ts'
import { formatDate, type IsoDate } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import {
  chargedTogether,
  missingTo,
  siteRule,
  storageLines,
  storageUnits,
  sumOf,
  type IncludedDays,
  type PaidDays,
  type StorageRule,
  type StorageUnit,
  type StoredTyre,
} from '#domain/money/tariff.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { translate } from '../../texts/texts.ts'
import type { Handlers, Site } from '../handler.ts'
import { documentRules } from '../tariff/tariff.sql.ts'
import * as sql from './charging.sql.ts'
import { paymentOf } from './payment.ts'
import { dayOf, lockStored } from './storage.ts'

/** A site's prices of storage and its minimum, with the rules of its customers. */
export type Rules = Row<typeof sql.storageRules> & { tariff: Row<typeof documentRules>[] }
/** A storage rule with its price in EUR, and what its lines say. */
type PricedRule = StorageRule & { price: number; vatRate: number | null; article: string; description: string | null }
type OwingTyre = StoredTyre & { owed: number; plate: string }
type Unit = StorageUnit<OwingTyre, PricedRule>
export type OwedCharge = Row<typeof sql.owedCharges>
type Line = StorageBill['lines'][number]
type Request = { tyres: readonly number[]; seq_id: number; left?: boolean | undefined }

export const charging: Pick<Handlers['invoicing'], 'preview' | 'inject' | 'waive' | 'unwaive' | 'waivers'> = {
  async preview({ input, tx, site, now }) {
    const { bill, together } = await charge({ tx, site, now }, input)
    return { ...bill, together }
  },

  async inject({ input, tx, who, site, now }) {
    const left = input.left ?? false
    await tx.rows(sql.lockChargedTogether, { site: site.id, customer: input.seq_id, tyres: input.tyres })
    await lockStored(tx, site, { tyres: input.tyres, customer: input.seq_id, left })
    const { bill, paid, charges, included } = await charge({ tx, site, now }, input)
    const by = { site: site.id, customer: input.seq_id, actor: who.account, now }
    const payment = await paymentOf(tx, by, bill.lines)
    await saveIncluded(tx, by, included)
    return tx.json(sql.createStorageDocument, { ...by, payment, ...documentOf(bill, { paid, charges }) })
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

/**
 * The bill for the owed days of these tyres, of tyres charged with them as one unit, and for all other debts of the customer; with the
 * entries that it pays.
 */
async function charge(
  { tx, site, now }: { tx: Tx; site: Site; now: Date },
  { tyres: requested, seq_id: customer, left = false }: Request,
): Promise<{
  bill: StorageBill
  together: number[][]
  paid: PaidDays<OwingTyre>[]
  charges: OwedCharge[]
  included: IncludedDays<OwingTyre>[]
}> {
  const ids = [...new Set(requested)]
  const date = dayOf({ now, site })
  const tyres = await tx.rows(sql.tyresToCharge, { site: site.id, tyres: ids, customer, today: date, left })
  if (tyreCount(tyres.filter(({ chosen }) => chosen)) < ids.length) throw new Failure('record.missing')
  const rules = await rulesOf(tx, site.id)
  if (rules.article === null) throw new Failure('invoicing.article_missing')
  const owing = owingOf(tyres)
  const storage = storageOf(owing, rules, { customer, until: date })
  if (storage.units.length === 0) throw new Failure('invoicing.nothing')
  const charges = await chargesOf(tx, site, { customers: [customer], until: date })
  const lines = [...storageLinesOf(storage.units, site), ...chargeLinesOf(charges, site)]
  const bill = billOf(lines, {
    tyres: tyreCount(storage.paid.map(({ tyre }) => tyre)),
    rules,
    customer,
    date,
    language: site.language,
  })
  if (bill.amount_excl < 0) throw new Failure('invoicing.credit')
  const { units, paid, included } = storage
  return { bill, together: chargedTogether(units), paid, charges, included }
}

/** How many tyres these rows are about. */
export const tyreCount = (rows: readonly { id: number }[]): number => new Set(rows.map(({ id }) => id)).size

/** Notes in the ledger which days of tyres, which the caller has locked, cost nothing of their own. */
export async function saveIncluded(
  tx: Tx,
  { site, actor, now }: { site: number; actor: number | null; now: Date },
  included: readonly (Omit<IncludedDays<unknown>, 'tyre'> & { tyre: { id: number } })[],
): Promise<void> {
  if (included.length === 0) return
  const days = JSON.stringify(included.map(entry => ({ ...entry, tyre: entry.tyre.id })))
  await tx.run(sql.includeDays, { site, days, actor, now })
}

/** The rules by which a site charges. */
export const rulesOf = async (tx: Tx, site: number): Promise<Rules> => ({
  ...(await tx.one(sql.storageRules, { site })),
  tariff: await tx.rows(documentRules, { site }),
})

/** The charges that customers owe besides stored days until a day. */
export const chargesOf = (
  tx: Tx,
  { id: site, language }: Pick<Site, 'id' | 'language'>,
  parameters: { customers: number[]; until: IsoDate },
): Promise<OwedCharge[]> => tx.rows(sql.owedCharges, { site, ...parameters, language: languages[language] })

/** The storage that a customer's tyres are charged up to a day. */
export function storageOf<T extends OwingTyre>(
  tyres: readonly T[],
  rules: Rules,
  { customer, until }: { customer: number; until: IsoDate },
) {
  const special = rules.tariff.flatMap((rule): PricedRule[] =>
    rule.kind === 'storage' && rule.per !== 'document' && rule.mode !== null && isFor(rule, customer)
      ? [
          {
            ...rule,
            per: rule.per,
            mode: rule.mode,
            period: rule.period ?? 1,
            own: rule.customer !== null,
            article: rule.article ?? articleOf(rules),
            description: rule.description || rules.description,
          },
        ]
      : [],
  )
  const ofSite = { price: rules.price, vatRate: null, article: articleOf(rules), description: rules.description }
  return storageUnits(tyres, [...special, { ...siteRule(rules), ...ofSite }], until)
}

const isFor = (rule: { customer: number | null }, customer: number): boolean =>
  rule.customer === null || rule.customer === customer

const articleOf = ({ article }: Rules): string => (article === null ? '' : String(article))

/** The parameters of `createStorageDocument` that a bill determines. */
export const documentOf = (
  bill: StorageBill,
  { paid, charges }: { paid: readonly PaidDays<{ id: number }>[]; charges: readonly OwedCharge[] },
) => ({
  today: bill.date,
  type: bill.document_type,
  amount: bill.amount_excl,
  lines: JSON.stringify(bill.lines.map((line, nth) => ({ line: nth + 1, ...line }))),
  paid: JSON.stringify(paid.map(entry => ({ ...entry, tyre: entry.tyre.id }))),
  charges: charges.map(charge => charge.id),
  facts: JSON.stringify({
    tyres: bill.tyre_count,
    quantity: bill.quantity,
    amount: bill.amount_excl,
    ...(charges.length > 0 && { charges: charges.length }),
  }),
})

/** The tyres, of which all chosen ones owe days. Refuses them when one owes none, and says whether documents are the reason. */
function owingOf(tyres: readonly Row<typeof sql.tyresToCharge>[]): OwingTyre[] {
  const settled = tyres.filter(tyre => tyre.owed === 0)
  const documents = [...new Set(settled.flatMap(tyre => tyre.document ?? []))]
  if (documents.length > 0) throw new Failure('invoicing.documented', { documents })
  if (settled.length === tyres.filter(({ chosen }) => chosen).length) throw new Failure('invoicing.nothing')
  if (settled.length > 0) throw new Failure('invoicing.changed', { tyres: settled.map(tyre => tyre.id) })
  return tyres.map(withSpans)
}

type Parsed = Pick<StoredTyre, 'spans' | 'stays' | 'ofSet' | 'paid' | 'paidSeasons'>

/** A row of `owingTyre` with its JSON parsed. */
export const withSpans = <T extends Record<keyof Parsed, string>>(tyre: T): Omit<T, keyof Parsed> & Parsed => ({
  ...tyre,
  spans: JSON.parse(tyre.spans) as Parsed['spans'],
  stays: JSON.parse(tyre.stays) as Parsed['stays'],
  ofSet: JSON.parse(tyre.ofSet) as Parsed['ofSet'],
  paid: JSON.parse(tyre.paid) as Parsed['paid'],
  paidSeasons: JSON.parse(tyre.paidSeasons) as Parsed['paidSeasons'],
})

const say = (language: Language, key: string, facts: Record<string, unknown>): string =>
  translate(language, 'documents', key, facts)

/** The fields that a rule of the tariff adds to a line. */
const byRule = (kind: NonNullable<Line['kind']>, rule: number | null, vatRate: number | null) =>
  rule === null ? {} : { kind, rule, ...(vatRate !== null && { vat_rate: vatRate }) }

const amountOf = (quantity: number, price: number): number => sumOf([{ quantity, price_excl: price }])

/** The lines of a document for units of storage, in the language of the site. A price is charged in whole cents. */
export const storageLinesOf = (units: readonly Unit[], { language }: Pick<Site, 'language'>): Line[] =>
  storageLines(units).map(({ rule, quantity, days, since, until, tyres: charged }) => {
    const [first] = charged
    const isOneSet = first?.set != null && charged.every(({ set }) => set === first.set)
    return {
      article_number: rule.article,
      description: say(language, isOneSet ? 'storage.set' : 'storage.loose', {
        article: rule.description,
        plate: formatPlate(first?.plate ?? ''),
        set: first?.set,
        from: formatDate(since),
        to: formatDate(until),
        days: say(language, 'storage.days', { count: days }),
        tyres: say(language, 'storage.tyres', { count: charged.length }),
      }),
      quantity,
      price_excl: rule.price,
      amount_excl: amountOf(quantity, rule.price),
      ...byRule('storage', rule.id, rule.vatRate),
    }
  })

/** The lines of a document for what else is owed: one for what happened on a day to a vehicle by one rule. */
export function chargeLinesOf(charges: readonly OwedCharge[], { language }: Pick<Site, 'language'>): Line[] {
  const together = Map.groupBy(charges, charge =>
    JSON.stringify([
      charge.kind,
      charge.rule,
      charge.vehicle,
      charge.operation,
      charge.day,
      charge.price,
      charge.vatRate,
      charge.quantity < 0,
    ]),
  )
  return [...together.values()].flatMap(its => {
    const [first] = its
    if (!first) return []
    const quantity = its.reduce((sum, charge) => sum + charge.quantity, 0)
    const what = first.text || say(language, `charged.${first.kind}`, { count: first.days ?? 0 })
    const facts = { what, plate: first.plate === null ? '' : formatPlate(first.plate), date: formatDate(first.day) }
    const line = say(language, first.plate === null ? 'charged.line' : 'charged.lineOfVehicle', facts)
    return [
      {
        article_number: first.article,
        description: quantity < 0 ? say(language, 'charged.counter', { line }) : line,
        quantity,
        price_excl: first.price,
        amount_excl: amountOf(quantity, first.price),
        ...byRule(first.kind, first.rule, first.vatRate),
      },
    ]
  })
}

/** The minimum of a customer's documents on a day, if there is one. */
function minimumFor(rules: Rules, customer: number, date: IsoDate) {
  const minimums = rules.tariff.filter(
    rule =>
      rule.kind === 'minimum' &&
      isFor(rule, customer) &&
      rule.since <= date &&
      (rule.until === null || date <= rule.until),
  )
  return minimums.find(rule => rule.customer !== null) ?? minimums[0]
}

/** The difference between a customer's document and its minimum, in EUR; 0 without a minimum. */
export const missingToMinimum = (rules: Rules, document: { customer: number; date: IsoDate; amount: number }): number =>
  missingTo(minimumFor(rules, document.customer, document.date)?.price ?? 0, document.amount)

/** The bill with these lines, for so many tyres; up to the minimum, where there is one. Its quantity is that of storage. */
export function billOf(
  lines: Line[],
  document: { tyres: number; rules: Rules; customer: number; date: IsoDate; language: Language },
): StorageBill {
  const { tyres, rules, customer, date, language } = document
  const minimum = minimumFor(rules, customer, date)
  const missing = missingToMinimum(rules, { customer, date, amount: sumOf(lines) })
  const all: Line[] =
    !minimum || missing === 0
      ? lines
      : [
          ...lines,
          {
            article_number: minimum.article ?? '',
            description: minimum.description || say(language, 'charged.minimum', {}),
            quantity: 1,
            price_excl: missing,
            amount_excl: missing,
            ...byRule('minimum', minimum.id, minimum.vatRate),
          },
        ]
  return {
    document_type: rules.type,
    date,
    lines: all,
    tyre_count: tyres,
    quantity: all.reduce((sum, { kind = 'storage', quantity }) => sum + (kind === 'storage' ? quantity : 0), 0),
    amount_excl: sumOf(all),
  }
}
