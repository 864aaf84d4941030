/** Payments of invoices (docs/product/money.md "Paid or not"; docs/decisions/0107). */
import { Failure } from '#domain/failure.ts'
import { hundredths } from '#domain/money/invoice.ts'
import type { PaymentKind } from '#domain/money/payment.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { customerOf } from '../customers/customers.ts'
import type { Context, Handlers } from '../handler.ts'
import { lockPayments } from '../invoices/invoices.sql.ts'
import { customerExists } from '../invoicing/invoicing.sql.ts'
import { dayOf } from '../invoicing/storage.ts'
import { Print } from '../../printing/pool.ts'
import { bank } from './bank.ts'
import * as sql from './payments.sql.ts'
import { statementJob } from './statement.ts'

type Paying = Pick<Context<unknown, ['admin']>, 'tx' | 'site' | 'who' | 'now'>
type Balance = Row<typeof sql.balanceOf>

export const payments: Handlers['payments'] = {
  ...bank,

  settings: async ({ tx, site }) => (await tx.maybe(sql.settingsOf, { site: site.id })) ?? { followed_from: null },

  async setup({ input, tx, site, who, now }) {
    await tx.run(sql.saveSettings, { site: site.id, ...input, actor: who.account, now })
    return input
  },

  async list({ input, tx, site }) {
    await tx.one(sql.balanceOf, { site: site.id, invoice: input._id })
    return tx.json(sql.paymentsOf, { site: site.id, invoice: input._id })
  },

  async record(context) {
    const { input, tx, site } = context
    await tx.one(lockPayments, { site: site.id })
    refuseAhead(context, input.paid_on)
    const balance = await tx.one(sql.balanceOf, { site: site.id, invoice: input._id })
    const amount = hundredths(input.amount)
    const part = Math.min(amount, openOf(balance))
    const { id } = await add(context, balance, 'payment', {
      ...input,
      amount,
      parts: [{ invoice: input._id, amount: part }],
    })
    return { _id: id, rest: (amount - part) / 100 }
  },

  async writeoff(context) {
    const { input, tx, site, now } = context
    await tx.one(lockPayments, { site: site.id })
    const balance = await tx.one(sql.balanceOf, { site: site.id, invoice: input._id })
    const amount = openOf(balance)
    const parts = [{ invoice: input._id, amount }]
    const { id } = await add(context, balance, 'write_off', {
      paid_on: dayOf({ now, site }),
      amount,
      note: input.reason,
      parts,
    })
    return { _id: id }
  },

  async allocate({ input, tx, site, who, now }) {
    await tx.one(lockPayments, { site: site.id })
    const payment = await lockRest(tx, site.id, input._id)
    const balance = await tx.one(sql.balanceOf, { site: site.id, invoice: input.invoice })
    if (balance.customer !== payment.customer) throw new Failure('record.missing')
    const amount = Math.min(payment.rest, openOf(balance))
    const { customer, number } = balance
    const part = { payment: input._id, invoice: input.invoice, customer, amount: amount / 100, number }
    await tx.run(sql.addPart, { site: site.id, ...part, actor: who.account, now })
    return { _id: input._id, rest: (payment.rest - amount) / 100 }
  },

  async refund(context) {
    const { input, tx, site, who, now } = context
    await tx.one(lockPayments, { site: site.id })
    refuseAhead(context, input.paid_on)
    const { customer, rest } = await lockRest(tx, site.id, input._id)
    if (hundredths(input.amount) > rest) throw new Failure('payments.nothing_left', { left: rest / 100 })
    const { id } = await tx.one(sql.addPayment, {
      site: site.id,
      customer,
      kind: 'refund',
      paid_on: input.paid_on,
      amount: input.amount,
      line: null,
      refunds: input._id,
      reason: input.note,
      parts: '[]',
      subject: '',
      action: 'payment.refund',
      facts: JSON.stringify({ amount: input.amount, date: input.paid_on }),
      actor: who.account,
      now,
    })
    return { _id: id }
  },

  async undo({ input, tx, site, who, now }) {
    await tx.one(lockPayments, { site: site.id })
    const payment = await tx.one(sql.paymentById, { site: site.id, payment: input._id })
    if (payment.undone) throw new Failure('payments.undone')
    if (payment.refunded) throw new Failure('payments.refunded')
    await tx.run(sql.undoPayments, {
      site: site.id,
      payments: [input._id],
      reason: input.reason,
      actor: who.account,
      now,
    })
    return { _id: input._id }
  },

  async account({ input, tx, site, who, now }) {
    const customer = customerOf(who, input.seq_id)
    if (customer === null) throw new Failure('record.missing')
    await tx.one(customerExists, { site: site.id, customer })
    return tx.json(sql.accountOf, { site: site.id, customer, today: dayOf({ now, site }) })
  },

  async statement({ input, tx, site, who, lang, now }) {
    const customer = customerOf(who, input.seq_id)
    if (customer === null) throw new Failure('record.missing')
    await tx.one(customerExists, { site: site.id, customer })
    const reader = who.type === 'user' ? lang : null
    return new Print(await statementJob(tx, { site: site.id, customer, today: dayOf({ now, site }), lang: reader }))
  },
}

/** @throws Failure `payments.date_ahead` */
function refuseAhead({ site, now }: Pick<Paying, 'site' | 'now'>, day: IsoDate): void {
  if (day > dayOf({ now, site })) throw new Failure('payments.date_ahead')
}

/** The rest of an invoice, in cents. @throws Failure `invoices.credit_note`, `payments.settled` */
function openOf({ open, number }: Pick<Balance, 'open' | 'number'>): number {
  if (open === null) throw new Failure('invoices.credit_note', { invoice: number })
  if (open <= 0) throw new Failure('payments.settled', { invoice: number })
  return hundredths(open)
}

/** A payment of which something is left, in cents. @throws Failure `payments.undone`, `payments.nothing_left` */
async function lockRest(tx: Tx, site: number, payment: number): Promise<{ customer: number; rest: number }> {
  const { customer, undone, rest } = await tx.one(sql.paymentById, { site, payment })
  if (undone) throw new Failure('payments.undone')
  if (rest <= 0) throw new Failure('payments.nothing_left', { left: 0 })
  return { customer, rest: hundredths(rest) }
}

const actions = { payment: 'payment.record', write_off: 'payment.writeoff' } as const

type Wanted = { paid_on: IsoDate; amount: number; note: string; parts: readonly { invoice: number; amount: number }[] }

/** Adds what settles one invoice; amounts in cents. */
function add(
  { tx, site, who, now }: Paying,
  { customer, number }: Balance,
  kind: Exclude<PaymentKind, 'refund'>,
  { paid_on, amount, note, parts }: Wanted,
): Promise<{ id: number }> {
  return tx.one(sql.addPayment, {
    site: site.id,
    customer,
    kind,
    paid_on,
    amount: amount / 100,
    line: null,
    refunds: null,
    reason: note,
    parts: JSON.stringify(parts.map(part => ({ ...part, amount: part.amount / 100 }))),
    subject: `invoice ${parts[0]?.invoice}`,
    action: actions[kind],
    facts: JSON.stringify({ number, amount: amount / 100, date: paid_on, ...(note !== '' && { reason: note }) }),
    actor: who.account,
    now,
  })
}
