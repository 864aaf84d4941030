/** Reminders as people see and ask for them (docs/product/money.md "Reminders"). reminding.ts sends them. */
import { Failure } from '#domain/failure.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { letterOf, nextLevel } from '#domain/money/reminder.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { DueReminder } from '#contract/reminders.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { Print } from '../../printing/pool.ts'
import type { Handlers } from '../handler.ts'
import { customerExists } from '../invoicing/invoicing.sql.ts'
import { dayOf } from '../invoicing/storage.ts'
import { balanceOf } from '../payments/payments.sql.ts'
import { letterJob } from './letter.ts'
import * as sql from './reminders.sql.ts'

type Settings = Row<typeof sql.settingsOf>
const noReminders: Settings = { levels: [], interest_rate: null, compensation: false }

export const reminders: Handlers['reminders'] = {
  settings: ({ tx, site }) => settingsOf(tx, site.id),

  async setup({ input, tx, site, who, now }) {
    await tx.run(sql.saveSettings, {
      ...input,
      site: site.id,
      levels: JSON.stringify(input.levels),
      actor: who.account,
      now,
    })
    return input
  },

  due: ({ tx, site, now }) => dueToday(tx, site.id, dayOf({ now, site })),

  async send({ input, tx, site, who, now }) {
    const without = new Set(input.without)
    const customers = (await dueToday(tx, site.id, dayOf({ now, site })))
      .map(({ seq_id }) => seq_id)
      .filter(customer => !without.has(customer))
    if (customers.length === 0) throw new Failure('reminders.nothing')
    const { id } = await tx.one(sql.beginRun, { site: site.id, customers, actor: who.account, now })
    return { _id: id }
  },

  runs: ({ tx, site }) => tx.json(sql.runs, { site: site.id }),

  async pdf({ input, tx, site }) {
    return new Print(await letterJob(tx, { site: site.id, reminder: input._id, customer: null, lang: null }))
  },

  stops: ({ tx, site }) => tx.json(sql.stops, { site: site.id }),

  async stop({ input, tx, site, who, now }) {
    const { seq_id: customer, invoice = null, reason } = input
    await tx.one(customerExists, { site: site.id, customer })
    if (invoice !== null && (await tx.one(balanceOf, { site: site.id, invoice })).customer !== customer)
      throw new Failure('record.missing')
    const stop = await tx.maybe(sql.addStop, { site: site.id, customer, invoice, reason, actor: who.account, now })
    if (!stop) throw new Failure('reminders.stopped')
    return { _id: stop.id }
  },

  async unstop({ input, tx, site, who, now }) {
    const { id } = await tx.one(sql.endStop, { site: site.id, stop: input._id, actor: who.account, now })
    return { _id: id }
  },
}

export const settingsOf = async (tx: Tx, site: number): Promise<Settings> =>
  (await tx.maybe(sql.settingsOf, { site })) ?? noReminders

/** The invoices of customers that are reminded of today, with the level that each gets, in cents. */
export async function invoicesToRemind(
  tx: Tx,
  {
    site,
    customers,
    today,
    levels,
  }: { site: number; customers: number[] | null; today: IsoDate; levels: Settings['levels'] },
) {
  const rows = await tx.rows(sql.overdue, { site, customers, today })
  return rows.flatMap(row => {
    const invoice = { ...row, open: hundredths(row.open) }
    const next = nextLevel(invoice, levels, today)
    return next === null ? [] : [{ ...invoice, next }]
  })
}

/** The letters of today, those that ask for most first. */
async function dueToday(tx: Tx, site: number, today: IsoDate): Promise<DueReminder[]> {
  const settings = await settingsOf(tx, site)
  if (settings.levels.length === 0) return []
  const invoices = await invoicesToRemind(tx, { site, customers: null, today, levels: settings.levels })
  const ofCustomer = Map.groupBy(invoices, ({ customer }) => customer)
  const customers = await tx.rows(sql.customersToRemind, { site, customers: [...ofCustomer.keys()] })
  return customers
    .map(({ customer, companyname, by_mail }) => {
      const its = ofCustomer.get(customer) ?? []
      const { level, open, fee, interest, compensation, total } = letterIn(its, settings, today)
      return {
        seq_id: customer,
        companyname,
        level,
        invoice_count: its.length,
        open,
        fee,
        interest,
        compensation,
        total,
        by_mail,
      }
    })
    .toSorted((a, b) => b.total - a.total || a.seq_id - b.seq_id)
}

const eur = (cents: number): number => cents / 100

/** A letter with its amounts in EUR. */
export function letterIn(
  invoices: Awaited<ReturnType<typeof invoicesToRemind>>,
  { levels, interest_rate: rate, compensation: fixed }: Settings,
  today: IsoDate,
) {
  const inCents = levels.map(level => ({ ...level, fee: hundredths(level.fee) }))
  const { level, ...amounts } = letterOf(invoices, inCents, { rate, compensation: fixed }, today)
  return {
    level,
    open: eur(amounts.open),
    fee: eur(amounts.fee),
    interest: eur(amounts.interest),
    compensation: eur(amounts.compensation),
    total: eur(amounts.total),
  }
}
