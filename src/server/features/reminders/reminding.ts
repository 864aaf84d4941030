/**
 * Reminders in the background (docs/decisions/0108), in the process of billing runs. A customer's letter, its messages and the row that says so are one
 * transaction: when a process is killed at any point, the next turn finds the customer either reminded or still to be reminded.
 */
import { languages } from '#domain/people/account.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { BillingOptions } from '../billing/work.ts'
import { dayOf } from '../invoicing/storage.ts'
import { lockPayments } from '../invoices/invoices.sql.ts'
import { invoicesToRemind, letterIn, settingsOf } from './reminders.ts'
import * as sql from './reminders.sql.ts'

/** How many customers a turn reminds. */
const lettersPerTurn = 10

type Options = BillingOptions & {
  /** Whether there is a mail server: without one letters are printed. */
  readonly mails?: boolean
}

/** Works on the run of reminders that has waited longest, for a few customers. Whether there was one. */
export async function remindNext(database: Database, options: Options = {}): Promise<boolean> {
  const { clock = () => new Date(), inTurn = (_, work) => work(), changed, failed, signal, mails = true } = options
  const turn = await database.transaction({ system: true }, tx => tx.maybe(sql.takeTurn, { now: clock() }))
  if (!turn) return false
  await inTurn(turn.site, async () => {
    for (let nth = 0; nth < lettersPerTurn; nth++) {
      if (signal?.aborted === true) break
      if (!(await remindOne(database, turn, { now: clock(), failed, mails }))) break
    }
  })
  if ((await database.transaction({ site: turn.site }, tx => tx.count(sql.endRun, turn))) > 0) changed?.(turn.site)
  return true
}

type Turn = Row<typeof sql.takeTurn>

/** Reminds the next customer of a run, in a transaction. Whether there was one. A failure is counted in another transaction. */
async function remindOne(
  database: Database,
  { site, run }: Turn,
  { now, failed, mails }: { now: Date; failed: BillingOptions['failed'] | undefined; mails: boolean },
): Promise<boolean> {
  let customer: number | undefined
  try {
    await database.transaction({ site }, async tx => {
      const next = await tx.maybe(sql.takeCustomer, { site, run })
      if (!next) return
      customer = next.customer
      await remind(tx, { site, run, mails, now, ...next })
    })
  } catch (error) {
    if (customer === undefined) throw error
    const about = { site, run, customer }
    await database.transaction({ site }, tx => tx.run(sql.noteFailure, about))
    failed?.(`reminders ${run} of site ${site}, customer ${customer}: ${(error as Error).message}`)
  }
  return customer !== undefined
}

type Reminding = Turn & Row<typeof sql.takeCustomer> & { mails: boolean; now: Date }

/** Writes the letter of a customer, of what is due by now: somebody may have paid since the run began. */
async function remind(tx: Tx, { site, run, customer, timeZone, mails, now }: Reminding): Promise<void> {
  await tx.one(lockPayments, { site })
  const today = dayOf({ now, site: { timeZone } })
  const settings = await settingsOf(tx, site)
  const invoices = await invoicesToRemind(tx, { site, customers: [customer], today, levels: settings.levels })
  if (invoices.length === 0) return tx.run(sql.leaveOut, { site, run, customer })
  const [{ language } = { language: 'eng' as const }] = await tx.rows(sql.customersToRemind, {
    site,
    customers: [customer],
  })
  const { total: _, ...letter } = letterIn(invoices, settings, today)
  await tx.run(sql.remind, {
    site,
    run,
    customer,
    ...letter,
    today,
    text: settings.levels[letter.level - 1]?.text[languages[language]] ?? '',
    invoices: JSON.stringify(invoices.map(({ invoice, next, open }) => ({ invoice, level: next, open: open / 100 }))),
    mails,
    now,
  })
}
