/** Overdue storage: who owes it for which tyres, and the document that charges it (docs/product/money.md "Overdue storage"). */
import { z } from 'zod'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { tariffKinds } from '#domain/money/tariff.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { customer, day, document, inputId, inputTyres, id, isoDate, item, moment } from './wire.ts'

const days = z.number().int().min(0).max(36_500)
const tyreIds = inputTyres(20_000)
/** `left`: the stays that ended are meant, not the one that the tyres are in. */
const toCharge = z.object({ tyres: tyreIds, seq_id: inputId, left: z.boolean().optional() })
const reason = z.string().trim().min(1).max(500)

/** A customer with overdue tyres; `since` is the earliest day until which the storage of one of them is paid. */
const overdueCustomer = customer.omit({ vehicles: true }).extend({
  tyre_count: item(z.number().int()),
  since: item(day),
  overdue_days: item(z.number().int()),
})
export type OverdueCustomer = z.output<typeof overdueCustomer>

/**
 * A tyre in stock with overdue storage. `document` is a document that charges days for which the tyre is not marked as invoiced,
 * `document_date` its date, `paid_until` the day up to which it charges. `owed_days` are those that nothing charges or waives;
 * `waived_days` those of the present stay that somebody waived, for the last time with `waived_reason`.
 */
const overdueTyre = z.object({
  db_id: item(id),
  flt_id: item(id),
  license_plate: item(z.string()),
  position: item(z.string()),
  description: item(z.string()),
  tyre_set: item(z.string().transform(name => (name === 'setless' ? null : name))),
  status_date: item(day),
  invoicedAt: item(day.nullable()),
  overdue_days: item(z.number().int()),
  stock_rack: item(z.string().nullable()),
  stock_site_name: item(z.string().nullable()),
  document: item(z.string().nullable()),
  document_date: item(day.nullable()),
  paid_until: item(day.nullable()),
  owed_days: item(z.number().int()),
  waived_days: item(z.number().int()),
  waived_reason: item(z.string().nullable()),
})
export type OverdueTyre = z.output<typeof overdueTyre>

/** A tyre that left the store and owes days of it; it came first on `status_date` and left last on `left_date`. */
const leftTyre = overdueTyre
  .pick({
    db_id: true,
    flt_id: true,
    license_plate: true,
    position: true,
    description: true,
    tyre_set: true,
    status_date: true,
    owed_days: true,
  })
  .extend({ tyre_status: item(z.enum(tyreStatuses)), left_date: item(day) })
export type LeftTyre = z.output<typeof leftTyre>

/**
 * Days that a document charges for a tyre that had left by then, or had not come yet, and their part of its amount; `null` where that is
 * unknown. `left_date`: null for a tyre that is in the store.
 */
const credit = overdueTyre
  .pick({ db_id: true, flt_id: true, license_plate: true, position: true, tyre_set: true })
  .extend({
    seq_id: item(id),
    companyname: item(z.string()),
    left_date: item(day.nullable()),
    document: item(z.string()),
    unused_days: item(z.number().int()),
    amount_excl: item(z.number().nullable()),
  })
export type Credit = z.output<typeof credit>

/**
 * Days that were waived at once, for one customer and one reason; `_id` names them together. `license_plates` are three of
 * `vehicle_count` at most. Taken back, they are owed again.
 */
const waiver = z.object({
  _id: id,
  seq_id: id,
  companyname: z.string(),
  license_plates: rows(z.string()),
  vehicle_count: z.number().int(),
  tyre_count: z.number().int(),
  days: z.number().int(),
  at: moment,
  by: z.string(),
  reason: z.string(),
  taken_back: z.object({ at: moment, by: z.string(), reason: z.string() }).nullable(),
})
export type Waiver = z.output<typeof waiver>

/** A document in a list, with its customer and its reason. `invoice` is the number of the one that it is on: it can't be withdrawn then. */
const listedDocument = document.extend({
  seq_id: item(id),
  companyname: item(z.string()),
  license_plate: item(z.string().nullable()),
  reason: item(z.enum(['operation', 'storage', 'delivery'])),
  withdrawn: item(z.boolean()),
  withdrawn_reason: item(z.string().nullable()),
  invoice: item(z.string().nullable()).default(null),
})
export type ListedDocument = z.output<typeof listedDocument>

/** The document that `inject` would make now, without a number. Prices are in EUR without tax; `quantity` is that of storage. */
export const storageBill = z.object({
  document_type: z.enum(documentTypes),
  date: isoDate,
  lines: rows(
    z.object({
      article_number: z.string(),
      description: z.string(),
      quantity: z.number().int(),
      price_excl: z.number(),
      amount_excl: z.number(),
      /** Of a line that a rule of the tariff made: what it is about, which rule, and its VAT rate where the rule says one. */
      kind: z.enum(tariffKinds).optional(),
      rule: id.optional(),
      vat_rate: z.number().optional(),
    }),
  ),
  tyre_count: z.number().int(),
  quantity: z.number().int(),
  amount_excl: z.number(),
})
export type StorageBill = z.output<typeof storageBill>
/** `together`: tyres that are charged as one, of several; one of them alone would cost as much. */
const preview = storageBill.extend({ together: rows(rows(id)) })

const lists: AnswerName[] = [
  'invoicing.customers',
  'billing.owing',
  'invoicing.tyres',
  'invoicing.left',
  'invoicing.lefttyres',
  'invoicing.credits',
  'invoicing.waivers',
]
const stored: AnswerName[] = [...lists, 'fleet.fetch', 'fleet.vehicle', 'tyres.events']
const refusals = [
  'record.missing',
  'invoicing.changed',
  'invoicing.documented',
  'invoicing.article_missing',
  'invoicing.nothing',
  'invoicing.credit',
] as const

export const invoicing = feature('invoicing', {
  customers: call({
    path: '/invoicing/customers',
    scope: 'read',
    replicaSafe: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ days }),
    output: rows(overdueCustomer),
    summary:
      'Lists the customers who have tyres in stock that were not invoiced for at least so many days, most tyres first.',
  }),
  tyres: call({
    path: '/invoicing/tyres',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      seq_id: inputId,
      days,
      /** Also tyres that are not overdue, to see and clear their last invoice date. */
      paid: z.boolean().optional(),
    }),
    output: rows(overdueTyre),
    failures: ['record.missing'],
    summary:
      "Lists a customer's tyres in stock that were not invoiced for at least so many days, by tyre ID; with paid, the others too.",
  }),
  preview: call({
    path: '/invoicing/preview',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: toCharge,
    output: preview,
    failures: refusals,
    summary:
      'Answers the document that inject would make of the same tyres, and which of them are charged as one. Nothing is saved, and no number is used.',
  }),
  inject: call({
    path: '/invoicing/inject',
    scope: 'invoicing',
    idempotent: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: toCharge,
    output: document,
    failures: [...refusals, 'charge.settled'],
    invalidates: [...lists, 'invoicing.documents', 'charges.list', 'fleet.history'],
    summary:
      "Creates the document that charges the owed days of a customer's tyres, and those of a begun period; with left those of tyres that left the store. It charges no day twice, and does not mark the tyres as invoiced.",
  }),
  waive: call({
    path: '/invoicing/waive',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: toCharge.extend({ reason }),
    output: z.object({ tyres: rows(id), days: z.number().int() }),
    failures: ['record.missing', 'invoicing.nothing'],
    invalidates: lists,
    summary: 'Waives the owed days of these tyres, with a reason: nobody will charge them.',
  }),
  unwaive: call({
    path: '/invoicing/unwaive',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ _id: inputId, reason }),
    output: z.object({ days: z.number().int() }),
    failures: ['record.missing', 'invoicing.nothing'],
    invalidates: lists,
    summary: 'Takes a waiver back, with a reason: its days are owed again.',
  }),
  waivers: call({
    path: '/invoicing/waivers',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({}).optional(),
    output: rows(waiver),
    summary: 'Lists the last thousand waivers, newest first, also those that were taken back.',
  }),
  left: call({
    path: '/invoicing/left',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({}).optional(),
    output: rows(overdueCustomer),
    summary: 'Lists the customers with tyres that left the store before all their stored days were charged.',
  }),
  lefttyres: call({
    path: '/invoicing/lefttyres',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ seq_id: inputId }),
    output: rows(leftTyre),
    failures: ['record.missing'],
    summary: "Lists a customer's tyres that left the store before all their stored days were charged, by tyre ID.",
  }),
  credits: call({
    path: '/invoicing/credits',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({}).optional(),
    output: rows(credit),
    summary: 'Lists what documents charge for days on which tyres had left the store, or had not come yet.',
  }),
  credit: call({
    path: '/invoicing/credit',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    /** `document` is the printed number of one that charges the days. Older clients leave it out: all documents are meant. */
    input: z.object({ tyres: tyreIds, document: z.string().max(50).optional(), reason }),
    output: z.object({ tyres: rows(id) }),
    failures: ['record.missing', 'invoicing.nothing'],
    invalidates: lists,
    summary:
      'Records that the days after these tyres had left the store were credited: this document, or without one no document, charges them any more.',
  }),
  markinvoiced: call({
    path: '/invoicing/markinvoiced',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ tyres: tyreIds, date: isoDate }),
    output: z.object({ tyres: rows(id), date: isoDate }),
    failures: ['record.missing', 'invoicing.date_ahead'],
    invalidates: stored,
    summary: 'Sets the last invoice date of these tyres.',
  }),
  unmarkinvoiced: call({
    path: '/invoicing/unmarkinvoiced',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ tyreIds }),
    output: z.object({ tyres: rows(id) }),
    failures: ['record.missing'],
    invalidates: stored,
    summary:
      'Removes the last invoice date of these tyres. Days that only this date settled are owed again; those of a document stay charged.',
  }),
  undomarking: call({
    path: '/invoicing/undomarking',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ tyres: tyreIds }),
    output: z.object({ tyres: rows(id) }),
    failures: ['record.missing', 'invoicing.no_marking'],
    invalidates: stored,
    summary: 'Restores the last invoice date that these tyres had before it was last set or cleared.',
  }),
  withdraw: call({
    path: '/invoicing/withdraw',
    scope: 'invoicing',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ db_id: inputId, reason }),
    output: z.object({ document: z.string(), tyres: rows(id) }),
    failures: ['record.missing', 'invoicing.not_storage', 'invoicing.withdrawn', 'invoicing.invoiced'],
    invalidates: [...lists, 'invoicing.documents', 'charges.list', 'fleet.history'],
    summary: 'Withdraws a storage document, with a reason: its days are owed again.',
  }),
  documents: call({
    path: '/invoicing/documents',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z
      .object({ seq_id: inputId.optional(), last_document: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: rows(listedDocument),
    failures: ['record.missing'],
    summary:
      'Lists the documents of the site or of one customer, newest first, 50 a page; the next page follows last_document.',
  }),
})
