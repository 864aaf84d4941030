/** Billing runs: the storage of many customers is charged at once (docs/product/money.md "Billing runs"). */
import { z } from 'zod'
import { runCovers, runCustomerStates, runRemarks, runStates } from '#domain/money/billingRun.ts'
import { hotelModes } from '#domain/site.ts'
import { tariffKinds } from '#domain/money/tariff.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, isoDate, moment } from './wire.ts'

/** How many runs the list has. */
export const maxRunsListed = 50

/** A run. `done` of its customers have a document, `changed` owe something else than the preview said; amounts are in EUR without tax. */
const run = z.object({
  _id: id,
  covers: z.enum(runCovers),
  until: isoDate,
  days: z.number().int(),
  marks: z.boolean(),
  state: z.enum(runStates),
  reason: z.string().nullable(),
  at: moment,
  by: z.string(),
  customer_count: z.number().int(),
  /** Customers whose turn is still to come in what the run does now: counting, making or undoing. */
  waiting: z.number().int(),
  done: z.number().int(),
  changed: z.number().int(),
  /** Customers who got no document because the portal could not make it; `/billing/resume` tries again. */
  failed: z.number().int(),
  /** Customers whose document was sent by e-mail. */
  mailed: z.number().int().default(0),
  tyre_count: z.number().int(),
  amount_excl: z.number(),
  /** Of the documents that stand. */
  made_excl: z.number(),
})
export type BillingRun = z.output<typeof run>

/** The amount that a run charges a customer, and the one last charged; with the document, once it is made. */
const runCustomer = z.object({
  seq_id: id,
  companyname: z.string(),
  city: z.string(),
  state: z.enum(runCustomerStates),
  tyre_count: z.number().int(),
  days: z.number().int(),
  quantity: z.number().int(),
  /** Charges for events, in addition to storage. */
  charge_count: z.number().int(),
  /** The amount by kind. */
  parts: z.partialRecord(z.enum(tariffKinds), z.number()),
  amount_excl: z.number(),
  last_excl: z.number().nullable(),
  remarks: rows(z.enum(runRemarks)),
  document: z.object({ db_id: id, number: z.string() }).nullable(),
})
export type BillingRunCustomer = z.output<typeof runCustomer>

/** All that a customer owes, in EUR without tax: storage of tyres in the store and of those that left, and charges. */
const owingCustomer = z.object({
  seq_id: id,
  companyname: z.string(),
  city: z.string(),
  tyre_count: z.number().int(),
  charge_count: z.number().int(),
  /** The amount by kind. */
  parts: z.partialRecord(z.enum(tariffKinds), z.number()),
  amount_excl: z.number(),
})
export type OwingCustomer = z.output<typeof owingCustomer>

/** A run with its customers. */
const openRun = run.extend({ rows: rows(runCustomer) })
export type OpenRun = z.output<typeof openRun>

const lists: AnswerName[] = ['billing.list', 'billing.read']
/** Answers that documents change, too. */
const charges: AnswerName[] = [
  ...lists,
  'invoicing.customers',
  'billing.owing',
  'invoicing.tyres',
  'invoicing.left',
  'invoicing.lefttyres',
  'invoicing.credits',
  'invoicing.documents',
  'charges.list',
  'fleet.history',
]
const reason = z.string().trim().min(1).max(500)
const byId = z.object({ _id: inputId })
const named = z.object({ _id: id })
const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const

export const billing = feature('billing', {
  list: call({
    path: '/billing/list',
    scope: 'read',
    ...admins,
    input: z.object({}).optional(),
    output: rows(run),
    summary: `Lists the last ${maxRunsListed} billing runs, newest first.`,
  }),
  read: call({
    path: '/billing/read',
    scope: 'read',
    ...admins,
    input: byId,
    output: openRun,
    failures: ['record.missing'],
    summary: 'Answers a billing run with its customers: those with remarks first, then by amount.',
  }),
  owing: call({
    path: '/billing/owing',
    scope: 'read',
    replicaSafe: true,
    ...admins,
    input: z.object({ days: z.number().int().min(0).max(36_500) }),
    output: rows(owingCustomer),
    summary:
      'Lists the customers who owe something today, with what a run of all stays and so many days would charge each, the largest amount first. Nothing is saved.',
  }),
  begin: call({
    path: '/billing/begin',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: z.object({
      covers: z.enum(runCovers),
      until: isoDate,
      /** Charges tyres in the store that were not invoiced for at least so many days. */
      days: z.number().int().min(0).max(36_500),
      /** Sets the last invoice date of tyres in the store, too. */
      marks: z.boolean(),
    }),
    output: named,
    failures: ['invoicing.date_ahead', 'invoicing.article_missing', 'billing.under_way', 'billing.nothing'],
    invalidates: lists,
    summary:
      'Begins a billing run: its preview is counted in the background. It charges nothing before `/billing/make`. A site has one run under way.',
  }),
  make: call({
    path: '/billing/make',
    scope: 'invoicing',
    ...admins,
    input: byId.extend({
      /** Customers who get no document. */
      without: list(inputId, 20_000).default([]),
    }),
    output: named,
    failures: ['record.missing', 'billing.state'],
    invalidates: charges,
    summary:
      'Makes the documents of a run whose preview is ready, in the background: one for each customer, in one transaction with what it charges. A customer who owes something else than the preview said gets none.',
  }),
  cancel: call({
    path: '/billing/cancel',
    scope: 'invoicing',
    ...admins,
    input: byId,
    output: named.extend({ state: z.enum(runStates) }),
    failures: ['record.missing', 'billing.state'],
    invalidates: charges,
    summary: 'Discards a run that has made no document, or stops one that makes them; what it made stays.',
  }),
  resume: call({
    path: '/billing/resume',
    scope: 'invoicing',
    ...admins,
    input: byId,
    output: named,
    failures: ['record.missing', 'billing.state', 'billing.under_way'],
    invalidates: charges,
    summary: 'Goes on with a run that was stopped, or makes the documents that failed in one that ended.',
  }),
  undo: call({
    path: '/billing/undo',
    scope: 'invoicing',
    ...admins,
    input: byId.extend({ reason }),
    output: named,
    failures: ['record.missing', 'billing.state', 'billing.under_way'],
    invalidates: charges,
    summary:
      'Withdraws all documents of a run, in the background, with a reason: their days are owed again. Last invoice dates that it set are as before, unless somebody has changed them since.',
  }),
  pdf: call({
    path: '/billing/pdf',
    scope: 'read',
    costly: true,
    ...admins,
    input: byId,
    output: z.string(),
    failures: ['record.missing', 'billing.no_documents'],
    summary: 'Answers the documents of a run as one PDF in base64, in the order of their numbers.',
  }),
  zip: call({
    path: '/billing/zip',
    scope: 'read',
    costly: true,
    ...admins,
    input: byId,
    output: z.string(),
    failures: ['record.missing', 'billing.no_documents'],
    summary: 'Answers the documents of a run as one ZIP in base64, each a PDF under its number and customer.',
  }),
  mail: call({
    path: '/billing/mail',
    scope: 'invoicing',
    ...admins,
    input: byId,
    /** Messages written, and customers whose document was not sent: no account of theirs has an e-mail address. */
    output: z.object({ messages: z.number().int(), unsent_count: z.number().int() }),
    failures: ['record.missing', 'mail.off', 'billing.state', 'billing.no_documents'],
    invalidates: lists,
    summary:
      'Sends the documents of a run that stand, each as a PDF to the accounts of its customer that have an e-mail address, in their language. A document is sent once, however often this is called.',
  }),
})
