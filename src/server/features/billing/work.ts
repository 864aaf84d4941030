/**
 * Billing runs in the background (docs/decisions/0054). A worker in every node does a few customers at a time, of the run that has
 * waited longest, so that sites take turns. A customer's document, what it charges and the row that says so are one transaction:
 * when a process is killed at any point, the next turn finds the customer either done or still to do.
 */
import { remarksOf } from '#domain/money/billingRun.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { sumOf } from '#domain/money/tariff.ts'
import type { Wire } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import {
  billOf,
  chargeLinesOf,
  chargesOf,
  documentOf,
  missingToMinimum,
  rulesOf,
  saveIncluded,
  storageLinesOf,
  storageOf,
  tyreCount,
  withSpans,
  type OwedCharge,
  type Rules,
} from '../invoicing/charging.ts'
import { createStorageDocument } from '../invoicing/charging.sql.ts'
import { paymentOf } from '../invoicing/payment.ts'
import { lockDocument, withdrawDocument } from '../invoicing/marking.sql.ts'
import { refuseInvoiced, setDates } from '../invoicing/marking.ts'
import { dayOf } from '../invoicing/storage.ts'
import { chargeOverstays } from '../tariff/events.sql.ts'
import type { Site } from '../handler.ts'
import { mayOwe } from './billing.sql.ts'
import * as sql from './work.sql.ts'

/** How many customers a turn counts in one transaction, and for how many it makes or withdraws documents in one each. */
const countedPerTurn = 50
const documentsPerTurn = 10

type Turn = Row<typeof sql.takeTurn>
type Run = Row<typeof sql.holdRun>
type Customer = Row<typeof sql.takeCustomers>
type Owing = ReturnType<typeof withSpans<Row<typeof sql.owingTyres>>>
type Work = { tx: Tx; turn: Turn; run: Run; now: Date }

/**
 * For each state with work to do: the rows whose turn it is, how many at once, the work itself, and the state after the last of them,
 * or `otherwise` when some failed.
 */
const works = {
  counting: { rows: 'waiting', inOne: countedPerTurn, times: 1, to: 'ready', otherwise: 'ready', does: count },
  making: { rows: 'counted', inOne: 1, times: documentsPerTurn, to: 'made', otherwise: 'made', does: make },
  undoing: { rows: 'made', inOne: 1, times: documentsPerTurn, to: 'undone', otherwise: 'made', does: withdraw },
} as const

export type BillingOptions = {
  clock?: () => Date
  /** Runs a turn when it is fair to everybody else who works. */
  inTurn?: <T>(site: number, work: () => Promise<T>) => Promise<T>
  /** The state of a run of this site has changed. */
  changed?: (site: number) => void
  /** The turn of customers has failed, with why; it is counted, and the run goes on. */
  failed?: (problem: string) => void
  signal?: AbortSignal
}

/** Works on the run that has waited longest, for a few customers. Whether there was one. */
export async function workNext(database: Database, options: BillingOptions = {}): Promise<boolean> {
  const { clock = () => new Date(), inTurn = (_, work) => work(), changed, failed, signal } = options
  const turn = await database.transaction({ system: true }, tx => tx.maybe(sql.takeTurn, { now: clock() }))
  if (!turn) return false
  await inTurn(turn.site, async () => {
    for (let nth = 0; nth < works[turn.state].times; nth++) {
      if (signal?.aborted === true) break
      if (!(await workOn(database, { turn, now: clock(), failed }))) break
    }
  })
  const { rows, to, otherwise } = works[turn.state]
  const end = { site: turn.site, run: turn.run, from: turn.state, to, otherwise, rows }
  if ((await database.transaction({ site: turn.site }, tx => tx.count(sql.endState, end))) > 0) changed?.(turn.site)
  return true
}

/**
 * Works on the next customers of a run, in a transaction. Whether there were any. When it fails, that is counted in another one: a
 * database that is away counts nothing.
 */
async function workOn(
  database: Database,
  { turn, now, failed }: Pick<Work, 'turn' | 'now'> & { failed: BillingOptions['failed'] | undefined },
): Promise<boolean> {
  const { site, run: id, state } = turn
  const { rows, inOne, does } = works[state]
  let customers: Customer[] = []
  try {
    await database.transaction({ site }, async tx => {
      const run = await tx.maybe(sql.holdRun, { site, run: id, state })
      if (!run) return
      customers = await tx.rows(sql.takeCustomers, { site, run: id, state: rows, most: inOne })
      if (customers.length > 0) await does({ tx, turn, run, now }, customers)
    })
  } catch (error) {
    if (customers.length === 0) throw error
    const ids = customers.map(({ customer }) => customer)
    await database.transaction({ site }, tx => tx.run(sql.noteFailure, { site, run: id, customers: ids, state: rows }))
    failed?.(`run ${id} of site ${site}, customers ${ids.join(', ')}: ${(error as Error).message}`)
  }
  return customers.length > 0
}

/** Saves the amounts that customers owe, and remarks that deserve a look. */
async function count({ tx, turn, run, now }: Work, customers: readonly Customer[]): Promise<void> {
  const { site } = turn
  const ids = customers.map(({ customer }) => customer)
  const date = dayOf({ now, site: run })
  await tx.run(chargeOverstays, { site, customers: ids, today: date, now })
  const rules = await rulesOf(tx, site)
  const owing = Map.groupBy(await owingOf(tx, site, run, ids), tyre => tyre.customer)
  const charges = Map.groupBy(
    await chargesOf(tx, siteOf(turn, run), { ...run, customers: ids }),
    charge => charge.customer,
  )
  const rows = (await tx.rows(sql.factsOfCustomers, { site, customers: ids })).map(facts => {
    const { customer, last } = facts
    const owed = owing.get(customer) ?? []
    const events = charges.get(customer) ?? []
    const charge = chargeOf(owed, events, { rules, customer, until: run.until, date })
    const { tyres: charged, days, quantity, amount, parts, priceless } = charge
    const remarks = remarksOf({ ...facts, amount, priceless })
    return { customer, tyres: tyreCount(charged), days, quantity, charges: events.length, parts, amount, last, remarks }
  })
  await tx.run(sql.saveCounts, { site, run: turn.run, rows: JSON.stringify(rows) })
}

/** The debts of customers today, as a run of all stays would charge them that have not been invoiced for so many days; those who owe nothing left out. */
export async function owedToday(
  tx: Tx,
  site: Pick<Site, 'id' | 'language' | 'timeZone'>,
  { days, now }: { days: number; now: Date },
): Promise<Wire<typeof contract.billing.owing>> {
  const until = dayOf({ now, site })
  const run = { covers: 'all', until, days } as const
  const rules = await rulesOf(tx, site.id)
  const customers = await tx.rows(mayOwe, { site: site.id, ...run })
  const all: Wire<typeof contract.billing.owing> = []
  for (let from = 0; from < customers.length; from += countedPerTurn) {
    const some = customers.slice(from, from + countedPerTurn)
    const ids = some.map(({ customer }) => customer)
    const owing = Map.groupBy(await owingOf(tx, site.id, run, ids), tyre => tyre.customer)
    const charges = Map.groupBy(await chargesOf(tx, site, { customers: ids, until }), charge => charge.customer)
    for (const { customer, companyname, city } of some) {
      const events = charges.get(customer) ?? []
      const scope = { rules, customer, until, date: until }
      const { tyres, amount, parts } = chargeOf(owing.get(customer) ?? [], events, scope)
      const counts = { tyre_count: tyreCount(tyres), charge_count: events.length }
      if (counts.tyre_count + counts.charge_count > 0 && amount >= 0)
        all.push({ seq_id: customer, companyname, city, ...counts, parts, amount_excl: amount })
    }
  }
  return all.toSorted((a, b) => b.amount_excl - a.amount_excl)
}

/** Makes the document of a customer who owes what the preview said. */
async function make({ tx, turn, run, now }: Work, [customer]: readonly Customer[]): Promise<void> {
  if (!customer) return
  const { site } = turn
  const { customer: id } = customer
  await tx.run(sql.lockOwing, { site, customer: id })
  const rules = await rulesOf(tx, site)
  const owing = await owingOf(tx, site, run, [id])
  const charges = await chargesOf(tx, siteOf(turn, run), { ...run, customers: [id] })
  const date = dayOf({ now, site: run })
  const { tyres, storage, quantity, amount } = chargeOf(owing, charges, { rules, customer: id, until: run.until, date })
  const saved = { site, run: turn.run, customer: id, now }
  const isAsCounted =
    tyreCount(tyres) === customer.tyres &&
    quantity === customer.quantity &&
    charges.length === customer.charges &&
    amount === customer.amount &&
    rules.article !== null
  if (!isAsCounted) return tx.run(sql.saveDocument, { ...saved, document: null })
  const lines = [...storageLinesOf(storage.units, run), ...chargeLinesOf(charges, run)]
  const bill = billOf(lines, { tyres: tyreCount(tyres), rules, customer: id, date, language: run.language })
  await saveIncluded(tx, { site, actor: run.account, now }, storage.included)
  const document = await tx.one(createStorageDocument, {
    site,
    customer: id,
    actor: run.account,
    now,
    payment: await paymentOf(tx, { site, customer: id }, bill.lines),
    ...documentOf(bill, { paid: storage.paid, charges }),
  })
  const marked = run.marks ? [...new Set(tyres.filter(({ left }) => !left).map(tyre => tyre.id))] : []
  if (marked.length > 0)
    await setDates(
      { tx, who: run, site: { id: site }, now },
      { tyres: marked, dates: marked.map(() => run.until), action: 'invoicing.mark' },
    )
  await tx.run(sql.saveDocument, { ...saved, document: document.id })
}

/** Withdraws the document of a customer, unless somebody did, and restores the last invoice dates that were set with it. */
async function withdraw({ tx, turn, run, now }: Work, [customer]: readonly Customer[]): Promise<void> {
  if (!customer || customer.document === null) return
  const { site } = turn
  const { document } = customer
  const { withdrawn, number } = await tx.one(lockDocument, { site, document })
  const tyres = (await tx.rows(sql.lockCharged, { site, document })).map(({ id }) => id)
  if (!withdrawn) {
    await refuseInvoiced(tx, { site, document, number })
    await tx.run(withdrawDocument, { site, document, reason: run.reason ?? '', actor: run.account, now })
  }
  const before = await tx.rows(sql.datesBeforeRun, { site, tyres, document })
  if (before.length > 0)
    await setDates(
      { tx, who: run, site: { id: site }, now },
      { tyres: before.map(({ id }) => id), dates: before.map(tyre => tyre.before), action: 'invoicing.undo' },
    )
  await tx.run(sql.saveUndone, { site, run: turn.run, customer: customer.customer })
}

const owingOf = async (
  tx: Tx,
  site: number,
  { covers, until, days }: Pick<Run, 'covers' | 'until' | 'days'>,
  customers: number[],
): Promise<Owing[]> => (await tx.rows(sql.owingTyres, { site, customers, covers, until, days })).map(withSpans)

const siteOf = ({ site: id }: Turn, { language }: Run) => ({ id, language })

/**
 * The charge of a customer: the quantity of storage, the amount in EUR, together and by kind, in whole cents, and the tyres whose days
 * are paid. `priceless`: some storage costs nothing because the site has no price.
 */
function chargeOf(
  owing: readonly Owing[],
  charges: readonly OwedCharge[],
  scope: { rules: Rules; customer: number; until: IsoDate; date: IsoDate },
) {
  const storage = storageOf(owing, scope.rules, scope)
  const { units } = storage
  const lines = [
    ...units.map(({ quantity, rule }) => ({ kind: 'storage', quantity, price_excl: rule.price })),
    ...charges.map(({ kind, quantity, price }) => ({ kind, quantity, price_excl: price })),
  ]
  const sum = sumOf(lines)
  const missing = missingToMinimum(scope.rules, { ...scope, amount: sum })
  if (missing > 0) lines.push({ kind: 'minimum', quantity: 1, price_excl: missing })
  const byKind = [...Map.groupBy(lines, line => line.kind)].map(([kind, its]) => [kind, sumOf(its)])
  return {
    storage,
    tyres: storage.paid.map(({ tyre }) => tyre),
    days: storage.days,
    quantity: units.reduce((all, unit) => all + unit.quantity, 0),
    amount: sumOf(lines),
    parts: Object.fromEntries(byKind) as Record<string, number>,
    priceless: units.some(({ rule }) => rule.id === null && rule.price === 0),
  }
}
