/** Payments of invoices, by hand and from bank files (docs/product/money.md "Paid or not"). */
import { z } from 'zod'
import { bankQuestions } from '#domain/money/bankMatch.ts'
import { paymentKinds, paymentStates } from '#domain/money/payment.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, isoDate, moment, typedText, upload } from './wire.ts'

const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const

/** The largest bank file, in bytes, and the most lines of one. */
export const maxBankFileBytes = 5 * 1024 * 1024
export const maxBankLines = 10_000
/** How many lines a page has, and how many files the list. */
export const bankLinesPerPage = 50
export const maxBankFilesListed = 50
/** Lines that ask, that pay something, and that pay no invoice. */
export const lineStates = ['open', 'matched', 'set_aside'] as const
/** The most invoices that one payment settles. */
const maxParts = 200
/** The most invoices of an account, the oldest first. */
export const maxOpenListed = 1000

/** EUR, more than nothing, in whole cents. */
const amount = z.number().positive().max(9_999_999_999).multipleOf(0.01)
const note = typedText(500)
const reason = note.pipe(z.string().min(1))
const byId = z.object({ _id: inputId })
const named = z.object({ _id: id })

const settings = z.object({
  /** Invoices issued from this day on have a state; null: none has. */
  followed_from: isoDate.nullable(),
})
export type PaymentSettings = z.output<typeof settings>

const part = z.object({ invoice: id, number: z.string(), amount: z.number() })
/** A payment, write-off or refund; amounts in EUR. `rest` of a payment is on no invoice, and was not given back. */
const payment = z.object({
  _id: id,
  seq_id: id,
  kind: z.enum(paymentKinds),
  paid_on: isoDate,
  amount: z.number(),
  rest: z.number(),
  reason: z.string(),
  /** The line of the bank that says so. */
  bank_line: id.nullable(),
  refunds: id.nullable(),
  at: moment,
  by: z.string(),
  undone: z.object({ at: moment, by: z.string(), reason: z.string() }).nullable(),
  parts: rows(part),
})
export type Payment = z.output<typeof payment>

/** An invoice that a line may be for. */
const proposal = z.object({
  _id: id,
  number: z.string(),
  seq_id: id,
  companyname: z.string(),
  issued_on: isoDate,
  due_on: isoDate,
  open: z.number(),
})
export type PaymentProposal = z.output<typeof proposal>

/** A line of a bank statement: `payment` settles it, or it was set aside, or it asks a `question`. */
const bankLine = z.object({
  _id: id,
  file: z.string(),
  account: z.string(),
  booked_on: isoDate,
  amount: z.number(),
  currency: z.string(),
  reversal: z.boolean(),
  reference: z.string(),
  message: z.string(),
  payer: z.string(),
  payer_account: z.string(),
  question: z.enum(bankQuestions).nullable(),
  set_aside: z.string().nullable(),
  payment: z.object({ _id: id, seq_id: id, companyname: z.string(), rest: z.number(), parts: rows(part) }).nullable(),
  proposals: rows(proposal),
})
export type BankLine = z.output<typeof bankLine>

const bankFile = z.object({
  _id: id,
  name: z.string(),
  at: moment,
  by: z.string(),
  line_count: z.number().int(),
  matched: z.number().int(),
  /** Lines that ask. */
  open: z.number().int(),
  set_aside: z.number().int(),
})
export type BankFile = z.output<typeof bankFile>

/** The debts and credit of a customer; amounts in EUR. */
const customerAccount = z.object({
  today: isoDate,
  open: z.number(),
  overdue: z.number(),
  /** Paid, and on no invoice. */
  in_hand: z.number(),
  open_invoices: rows(
    z.object({
      _id: id,
      number: z.string(),
      issued_on: isoDate,
      due_on: isoDate,
      gross: z.number(),
      open: z.number(),
      state: z.enum(paymentStates),
    }),
  ),
})
export type CustomerAccount = z.output<typeof customerAccount>

const changed: AnswerName[] = [
  'invoices.list',
  'payments.list',
  'payments.lines',
  'payments.files',
  'payments.account',
  'today.read',
  'reminders.due',
]
const record = z.object({ paid_on: isoDate, amount, note: note.default('') })

export const payments = feature('payments', {
  settings: call({
    path: '/payments/settings',
    scope: 'read',
    ...admins,
    input: noInput,
    output: settings,
    summary: 'Answers from which day on the site follows whether its invoices are paid.',
  }),
  setup: call({
    path: '/payments/setup',
    scope: null,
    ...admins,
    input: settings,
    output: settings,
    invalidates: ['payments.settings', ...changed],
    summary: 'Saves from which day on the site follows whether its invoices are paid.',
  }),
  list: call({
    path: '/payments/list',
    scope: 'read',
    ...admins,
    input: byId,
    output: rows(payment),
    failures: ['record.missing'],
    summary:
      'Lists the payments, refunds and write-offs that an invoice has, also those that were undone, and payments of which its customer has something in hand; the last ones first.',
  }),
  record: call({
    path: '/payments/record',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend(record.shape),
    output: named.extend({ rest: z.number() }),
    failures: ['record.missing', 'invoices.credit_note', 'payments.settled', 'payments.date_ahead'],
    invalidates: changed,
    summary:
      'Records a payment of an invoice. What it does not need is left over: the customer has it in hand until it is put on another invoice or given back.',
  }),
  writeoff: call({
    path: '/payments/writeoff',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend({ reason }),
    output: named,
    failures: ['record.missing', 'invoices.credit_note', 'payments.settled'],
    invalidates: changed,
    summary: 'Writes off what is left of an invoice, with a reason.',
  }),
  allocate: call({
    path: '/payments/allocate',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend({ invoice: inputId }),
    output: named.extend({ rest: z.number() }),
    failures: [
      'record.missing',
      'invoices.credit_note',
      'payments.settled',
      'payments.undone',
      'payments.nothing_left',
    ],
    invalidates: changed,
    summary: 'Puts what is left of a payment on another invoice of its customer.',
  }),
  refund: call({
    path: '/payments/refund',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend(record.shape),
    output: named,
    failures: ['record.missing', 'payments.undone', 'payments.nothing_left', 'payments.date_ahead'],
    invalidates: changed,
    summary: 'Records that what is left of a payment, or a part of it, was given back.',
  }),
  undo: call({
    path: '/payments/undo',
    scope: 'invoicing',
    ...admins,
    input: byId.extend({ reason }),
    output: named,
    failures: ['record.missing', 'payments.undone', 'payments.refunded'],
    invalidates: changed,
    summary:
      'Undoes a payment, refund or write-off, with a reason: its invoices are open again, and the line of the bank that it came from asks again.',
  }),
  take: call({
    path: '/payments/take',
    scope: 'invoicing',
    costly: true,
    ...admins,
    files: ['file'],
    input: z.object({ file: upload, name: typedText(200) }),
    output: z.object({
      _id: id.nullable(),
      line_count: z.number().int(),
      /** Lines that were imported before. */
      imported_before: z.number().int(),
      matched: z.number().int(),
      open: z.number().int(),
      /** Entries of money that went out, or that are not booked yet. */
      skipped: z.number().int(),
    }),
    failures: ['payments.not_camt', 'payments.file_xml', 'payments.file_entry', 'payments.too_many_lines'],
    invalidates: changed,
    summary: `Imports a bank statement (CAMT.053) of at most ${maxBankLines} lines. A line whose reference, or amount and account, leave no doubt pays its invoices; all others ask. A line is imported once, in however many files it comes.`,
  }),
  files: call({
    path: '/payments/files',
    scope: 'read',
    ...admins,
    input: noInput,
    output: rows(bankFile),
    summary: `Lists the last ${maxBankFilesListed} bank files, with what became of their lines.`,
  }),
  undofile: call({
    path: '/payments/undofile',
    scope: 'invoicing',
    ...admins,
    input: byId.extend({ reason }),
    output: named,
    failures: ['record.missing', 'payments.refunded'],
    invalidates: changed,
    summary:
      'Takes a bank file back, with a reason: undoes its payments and deletes its lines. It can be imported again.',
  }),
  lines: call({
    path: '/payments/lines',
    scope: 'read',
    ...admins,
    input: z
      .object({ state: z.enum(lineStates).optional(), last_line: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: rows(bankLine),
    summary: `Lists lines of bank statements, the last ones first, ${bankLinesPerPage} a page: those that ask with the invoices that they may be for; the next page follows last_line.`,
  }),
  answer: call({
    path: '/payments/answer',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend({
      /** In the order in which they are paid. */
      invoice_ids: list(inputId, maxParts, 1),
      /** The amount that came in as EUR; needed for a line in another currency, ignored for any other. */
      amount: amount.optional(),
    }),
    output: named.extend({ rest: z.number() }),
    failures: [
      'record.missing',
      'invoices.credit_note',
      'payments.settled',
      'payments.line_settled',
      'payments.several_customers',
      'payments.amount_missing',
      'payments.reversal',
    ],
    invalidates: changed,
    summary:
      'Says which invoices of one customer a line of the bank pays, in this order. What they do not need is left over, in the hand of the customer.',
  }),
  setaside: call({
    path: '/payments/setaside',
    scope: 'invoicing',
    ...admins,
    input: byId.extend({ reason: note }),
    output: named,
    failures: ['record.missing', 'payments.line_settled'],
    invalidates: ['payments.lines', 'payments.files', 'today.read'],
    summary: 'Says why a line of the bank pays no invoice; with an empty reason it asks again.',
  }),
  account: call({
    path: '/payments/account',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z
      .object({ seq_id: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: customerAccount,
    failures: ['record.missing'],
    summary: `Answers what a customer owes: the open invoices, the oldest first, at most ${maxOpenListed}, and what the customer has in hand. A customer's account answers its own; an administrator names one.`,
  }),
  statement: call({
    path: '/payments/statement',
    scope: 'read',
    costly: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z
      .object({ seq_id: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: z.string(),
    failures: ['record.missing'],
    summary:
      "Answers the statement of account of a customer as PDF in base64: the open invoices, what the customer has in hand, and how to pay. For a customer's account in the reader's language, for an administrator in the customer's.",
  }),
})
