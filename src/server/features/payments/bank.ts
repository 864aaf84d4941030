/** Bank files, and their lines that pay invoices or ask (docs/product/money.md "Bank files"). */
import { Failure } from '#domain/failure.ts'
import {
  type BankLine,
  type Books,
  isMatched,
  matchLines,
  namesIn,
  type Outcome,
  proposalsOf,
} from '#domain/money/bankMatch.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { maxBankFileBytes, maxBankLines } from '#contract/payments.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers } from '../handler.ts'
import { lockPayments } from '../invoices/invoices.sql.ts'
import * as sql from './bank.sql.ts'
import { readCamt, type StatementLine } from './camt.ts'
import { addPayment, balancesOf, undoPayments } from './payments.sql.ts'

type Calls = 'take' | 'files' | 'undofile' | 'lines' | 'answer' | 'setaside'

export const bank: Pick<Handlers['payments'], Calls> = {
  async take({ input, tx, site, who, now }) {
    const bytes = input.file instanceof Uint8Array ? input.file : new Uint8Array()
    if (bytes.length > maxBankFileBytes) throw new Failure('payments.too_many_lines', { most: maxBankLines })
    const statement = readCamt(bytes)
    if (statement.lines.length > maxBankLines) throw new Failure('payments.too_many_lines', { most: maxBankLines })
    await tx.one(lockPayments, { site: site.id })
    const at = { site: site.id, actor: who.account, now }
    const { id: file } = await tx.one(sql.addFile, { ...at, name: input.name })
    const fresh = await addLines(tx, { site: site.id, file }, statement.lines)
    const counts = {
      imported_before: statement.lines.length - fresh.length,
      line_count: fresh.length,
      skipped: statement.skipped,
    }
    if (fresh.length === 0) {
      // nothing has changed
      await tx.run(sql.deleteEmptyFile, { site: site.id, file })
      return { _id: null, ...counts, matched: 0, open: 0 }
    }
    const outcomes = matchLines(fresh, await booksFor(tx, site.id, fresh))
    await tx.run(sql.saveOutcomes, { ...at, file, name: input.name, outcomes: JSON.stringify(saved(fresh, outcomes)) })
    const matched = outcomes.filter(isMatched).length
    return { _id: file, ...counts, matched, open: outcomes.length - matched }
  },

  files: ({ tx, site }) => tx.json(sql.files, { site: site.id }),

  async undofile({ input, tx, site, who, now }) {
    await tx.one(lockPayments, { site: site.id })
    const file = { site: site.id, file: input._id }
    const { refunded } = await tx.one(sql.fileExists, file)
    if (refunded) throw new Failure('payments.refunded')
    const payments = (await tx.rows(sql.paymentsOfFile, file)).map(({ payment }) => payment)
    const change = { site: site.id, reason: input.reason, actor: who.account, now }
    await tx.run(undoPayments, { ...change, payments })
    await tx.run(sql.deleteFile, { ...change, file: input._id })
    return { _id: input._id }
  },

  async lines({ input, tx, site }) {
    const page = await tx.rows(sql.lines, { site: site.id, state: input.state ?? null, last: input.last_line ?? null })
    const open = page.filter(row => row.open).map(row => ({ ...row, amount: hundredths(row.amount) }))
    const proposals = open.length === 0 ? [] : proposalsOf(open, await booksFor(tx, site.id, open))
    const ofLine = new Map(open.map(({ line }, nth) => [line, proposals[nth] ?? []]))
    const invoices = await tx.rows(sql.proposed, { site: site.id, invoices: [...new Set(proposals.flat())] })
    const wires = new Map(invoices.map(({ id, wire }) => [id, JSON.parse(wire) as object]))
    return page.map(({ line, wire }) => ({
      ...(JSON.parse(wire) as object),
      proposals: (ofLine.get(line) ?? []).flatMap(id => wires.get(id) ?? []),
    })) as never
  },

  async answer({ input, tx, site, who, now }) {
    await tx.one(lockPayments, { site: site.id })
    const line = await tx.one(sql.lineById, { site: site.id, line: input._id })
    if (line.paid) throw new Failure('payments.line_settled')
    if (line.reversal) throw new Failure('payments.reversal')
    const wanted = [...new Set(input.invoice_ids)]
    const rows = await tx.rows(balancesOf, { site: site.id, invoices: wanted })
    const [first] = rows
    if (!first || rows.length < wanted.length) throw new Failure('record.missing')
    if (rows.some(({ customer }) => customer !== first.customer)) throw new Failure('payments.several_customers')
    const amount = line.currency === 'EUR' ? line.amount : input.amount
    if (amount === undefined) throw new Failure('payments.amount_missing', { currency: line.currency })
    let rest = hundredths(amount)
    const byId = new Map(rows.map(row => [row.invoice, row]))
    const parts = wanted.flatMap(invoice => {
      const { open, number } = byId.get(invoice) ?? first
      if (open === null) throw new Failure('invoices.credit_note', { invoice: number })
      if (open <= 0) throw new Failure('payments.settled', { invoice: number })
      const part = Math.min(rest, hundredths(open))
      rest -= part
      return part > 0 ? [{ invoice, amount: part / 100 }] : []
    })
    const payment = await tx.one(addPayment, {
      site: site.id,
      customer: first.customer,
      kind: 'payment',
      paid_on: line.booked,
      amount,
      line: input._id,
      refunds: null,
      reason: '',
      parts: JSON.stringify(parts),
      subject: `bank line ${input._id}`,
      action: 'payment.answer',
      facts: JSON.stringify({ amount, number: rows.map(({ number }) => number) }),
      actor: who.account,
      now,
    })
    return { _id: payment.id, rest: rest / 100 }
  },

  async setaside({ input, tx, site, who, now }) {
    const { paid } = await tx.one(sql.lineById, { site: site.id, line: input._id })
    if (paid) throw new Failure('payments.line_settled')
    await tx.run(sql.setAside, { site: site.id, line: input._id, reason: input.reason, actor: who.account, now })
    return { _id: input._id }
  },
}

type FreshLine = BankLine & { readonly id: number }

/** Adds the lines of a file that were in no other, and returns these in its order. */
async function addLines(
  tx: Tx,
  { site, file }: { site: number; file: number },
  lines: readonly StatementLine[],
): Promise<FreshLine[]> {
  const keyed = lines.map(line => ({ ...line, key: line.key.toString('hex') }))
  const rows = JSON.stringify(keyed.map((line, nth) => ({ ...line, nth, amount: line.amount / 100 })))
  const added = await tx.rows(sql.addLines, { site, file, lines: rows })
  const ids = new Map(added.map(({ id, key }) => [key.toString('hex'), id]))
  return keyed.flatMap(({ key, payerAccount: account, ...line }) => {
    const id = ids.get(key)
    return id === undefined ? [] : [{ ...line, account, id }]
  })
}

/** The knowledge of the invoices and customers that lines may be of. */
async function booksFor(
  tx: Tx,
  site: number,
  lines: readonly Pick<BankLine, 'reference' | 'message' | 'account'>[],
): Promise<Books> {
  const invoices = await tx.rows(sql.payable, { site, ...namesIn(lines) })
  const accounts = await tx.rows(sql.payingAccounts, {
    site,
    accounts: [...new Set(lines.map(({ account }) => account))],
  })
  const names = await tx.rows(sql.payingNames, { site })
  return {
    invoices: invoices.map(invoice => ({ ...invoice, open: hundredths(invoice.open) })),
    accounts,
    names: names.flatMap(({ customer, names: all }) => all.map(name => ({ name, customer }))),
  }
}

/** The outcomes as `saveOutcomes` takes them. */
const saved = (lines: readonly FreshLine[], outcomes: readonly Outcome[]): object[] =>
  lines.flatMap<object>(({ id: line }, nth) => {
    const outcome = outcomes[nth]
    if (!outcome) return []
    if (!isMatched(outcome)) return [{ line, question: outcome.question }]
    const parts = outcome.parts.map(part => ({ ...part, amount: part.amount / 100 }))
    return [{ line, customer: outcome.customer, parts }]
  })
