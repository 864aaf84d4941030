/**
 * Billing runs in the background (docs/decisions/0054). A worker in every node does a few customers at a time, of the run that has
 * waited longest, so that sites take turns. A customer's document, what it charges and the row that says so are one transaction:
 * whatever is killed in between, the next turn finds the customer either done or still to do.
 */
import { remarksOf } from '#domain/billingRun.ts'
import { invoiceQuantity } from '#domain/overdue.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { billOf, documentOf, linesOf, withPaidTo, type Rules } from '../invoicing/charging.ts'
import { createStorageDocument, storageRules } from '../invoicing/charging.sql.ts'
import { lockDocument, withdrawDocument } from '../invoicing/marking.sql.ts'
import { setDates } from '../invoicing/marking.ts'
import { dayOf } from '../invoicing/storage.ts'
import * as sql from './work.sql.ts'

/** How many customers a turn counts in one transaction, and for how many it makes or withdraws documents in one each. */
const countedPerTurn = 50
const documentsPerTurn = 10

type Turn = Row<typeof sql.takeTurn>
type Run = Row<typeof sql.holdRun>
type Customer = Row<typeof sql.takeCustomers>
type Owing = Row<typeof sql.owingTyres>
type Work = { tx: Tx; turn: Turn; run: Run; now: Date }

/**
 * For each state that is worked on: whose turn it is in it, how many at once, what is done, and the state after the last of them, or
 * `otherwise`, when some could not be done.
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
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other: a run takes one connection
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

/** Says what customers owe, and what is worth a look. */
async function count({ tx, turn, run }: Work, customers: readonly Customer[]): Promise<void> {
  const { site } = turn
  const ids = customers.map(({ customer }) => customer)
  const rules = await tx.one(storageRules, { site })
  const owing = Map.groupBy(await owingOf(tx, site, run, ids), tyre => tyre.customer)
  const rows = (await tx.rows(sql.factsOfCustomers, { site, customers: ids })).map(facts => {
    const tyres = owing.get(facts.customer) ?? []
    const { quantity, amount } = chargeOf(tyres, rules)
    const days = tyres.reduce((sum, { owed }) => sum + owed, 0)
    const { customer, last } = facts
    return { customer, tyres: tyres.length, days, quantity, amount, last, remarks: remarksOf({ ...facts, amount }) }
  })
  await tx.run(sql.saveCounts, { site, run: turn.run, rows: JSON.stringify(rows) })
}

/** Makes the document of a customer who owes what the preview said. */
async function make({ tx, turn, run, now }: Work, [customer]: readonly Customer[]): Promise<void> {
  if (!customer) return
  const { site } = turn
  const { customer: id } = customer
  await tx.run(sql.lockOwing, { site, customer: id })
  const rules = await tx.one(storageRules, { site })
  const owing = await owingOf(tx, site, run, [id])
  const { quantity, amount } = chargeOf(owing, rules)
  const saved = { site, run: turn.run, customer: id, now }
  const isAsCounted =
    owing.length === customer.tyres &&
    quantity === customer.quantity &&
    amount === customer.amount &&
    rules.article !== null
  if (!isAsCounted) return tx.run(sql.saveDocument, { ...saved, document: null })
  const bySort = sortsOf(owing)
  const bill = billOf(
    bySort.flatMap(tyres => linesOf(tyres, rules, run)),
    owing.length,
    rules,
    dayOf({ now, site: run }),
  )
  const tyres = bySort.flatMap(same => withPaidTo(same, rules, run.until))
  const document = await tx.one(createStorageDocument, {
    site,
    customer: id,
    actor: run.account,
    now,
    ...documentOf(bill, tyres),
  })
  const marked = run.marks ? tyres.filter(({ left }) => !left).map(tyre => tyre.id) : []
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
  const tyres = (await tx.rows(sql.lockCharged, { site, document })).map(({ id }) => id)
  const { withdrawn } = await tx.one(lockDocument, { site, document })
  if (!withdrawn) await tx.run(withdrawDocument, { site, document, reason: run.reason ?? '', actor: run.account, now })
  const before = await tx.rows(sql.datesBeforeRun, { site, tyres, document })
  if (before.length > 0)
    await setDates(
      { tx, who: run, site: { id: site }, now },
      { tyres: before.map(({ id }) => id), dates: before.map(tyre => tyre.before), action: 'invoicing.undo' },
    )
  await tx.run(sql.saveUndone, { site, run: turn.run, customer: customer.customer })
}

const owingOf = (tx: Tx, site: number, { covers, until, days }: Run, customers: number[]): Promise<Owing[]> =>
  tx.rows(sql.owingTyres, { site, customers, covers, until, days })

/** Tyres in the store, and those that left: units and lines are made of each apart. */
const sortsOf = (tyres: readonly Owing[]): Owing[][] => [
  tyres.filter(({ left }) => !left),
  tyres.filter(({ left }) => left),
]

/** The quantity that a customer is charged, and its amount in EUR, in whole cents. */
function chargeOf(tyres: readonly Owing[], rules: Rules): { quantity: number; amount: number } {
  const quantity = sortsOf(tyres).reduce((sum, same) => sum + invoiceQuantity(same, rules), 0)
  return { quantity, amount: (Math.round(rules.price * 100) * quantity) / 100 }
}

/** Works on the runs of all sites from now on. */
export const startBilling = (
  database: Database,
  options: Omit<BillingOptions, 'signal'> & { failed: (problem: string) => void },
): Worker => startWorker({ next: signal => workNext(database, { ...options, signal }), onError: options.failed })
