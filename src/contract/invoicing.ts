/** Overdue storage: who owes it for which tyres, and the document that charges it (docs/product.md "Overdue storage"). */
import { z } from 'zod'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { customer, day, document, inputId, id, isoDate, item } from './wire.ts'

const days = z.number().int().min(0).max(36_500)
const tyreIds = z
  .array(z.union([inputId, z.object({ db_id: inputId }).transform(tyre => tyre.db_id)]))
  .min(1)
  .max(20_000)
const toCharge = z.object({ tyres: tyreIds, seq_id: inputId })

/** A customer with overdue tyres; `since` is the earliest day until which the storage of one of them is paid. */
const overdueCustomer = customer.omit({ vehicles: true }).extend({
  tyres: item(z.number().int()),
  since: item(day),
  overdue_days: item(z.number().int()),
})
export type OverdueCustomer = z.output<typeof overdueCustomer>

/**
 * A tyre in stock with overdue storage. `document` is a document that charges days for which the tyre is not marked as invoiced,
 * `document_date` the day until which it charges.
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
})
export type OverdueTyre = z.output<typeof overdueTyre>

/** A document in a list, with its customer and its reason. */
const listedDocument = document.extend({
  seq_id: item(id),
  companyname: item(z.string()),
  license_plate: item(z.string().nullable()),
  reason: item(z.enum(['operation', 'storage'])),
})

/** The document that `inject` would make now, without a number. Prices are in EUR without tax. */
const storageBill = z.object({
  document_type: z.enum(documentTypes),
  date: isoDate,
  lines: z.array(
    z.object({
      article_number: z.string(),
      description: z.string(),
      quantity: z.number().int(),
      price_excl: z.number(),
      amount_excl: z.number(),
    }),
  ),
  tyres: z.number().int(),
  quantity: z.number().int(),
  amount_excl: z.number(),
})
export type StorageBill = z.output<typeof storageBill>

const lists: AnswerName[] = ['invoicing.customers', 'invoicing.tyres']
const stored: AnswerName[] = [...lists, 'fleet.fetch', 'fleet.vehicle', 'tyres.events']
const refusals = [
  'record.missing',
  'invoicing.changed',
  'invoicing.documented',
  'invoicing.article_missing',
  'invoicing.nothing',
] as const

export const invoicing = feature('invoicing', {
  customers: call({
    path: '/invoicing/customers',
    replicaSafe: true,
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ days }),
    output: z.array(overdueCustomer),
    summary:
      'Lists the customers who have tyres in stock that were not invoiced for at least so many days, most tyres first.',
  }),
  tyres: call({
    path: '/invoicing/tyres',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({
      seq_id: inputId,
      days,
      /** Also tyres that are not overdue, to see and clear their last invoice date. */
      paid: z.boolean().optional(),
    }),
    output: z.array(overdueTyre),
    failures: ['record.missing'],
    summary:
      "Lists a customer's tyres in stock that were not invoiced for at least so many days, by tyre ID; with paid, the others too.",
  }),
  preview: call({
    path: '/invoicing/preview',
    who: ['admin'],
    modes: hotelModes,
    input: toCharge,
    output: storageBill,
    failures: refusals,
    summary: 'Answers the document that inject would make of the same tyres. Nothing is saved, and no number is used.',
  }),
  inject: call({
    path: '/invoicing/inject',
    idempotent: true,
    who: ['admin'],
    modes: hotelModes,
    input: toCharge,
    output: document,
    failures: refusals,
    invalidates: [...lists, 'invoicing.documents', 'fleet.history'],
    summary:
      "Creates the document that charges the storage of a customer's tyres until today. It charges no day twice, and does not mark the tyres as invoiced.",
  }),
  markinvoiced: call({
    path: '/invoicing/markinvoiced',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ tyres: tyreIds, date: isoDate }),
    output: z.object({ tyres: z.array(id), date: isoDate }),
    failures: ['record.missing', 'invoicing.date_ahead'],
    invalidates: stored,
    summary: 'Sets the last invoice date of these tyres.',
  }),
  unmarkinvoiced: call({
    path: '/invoicing/unmarkinvoiced',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ tyreIds }),
    output: z.object({ tyres: z.array(id) }),
    failures: ['record.missing'],
    invalidates: stored,
    summary: 'Removes the last invoice date of these tyres. Their days can then be charged again.',
  }),
  documents: call({
    path: '/invoicing/documents',
    who: ['admin'],
    modes: hotelModes,
    input: z
      .object({ seq_id: inputId.optional(), last_document: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: z.array(listedDocument),
    failures: ['record.missing'],
    summary:
      'Lists the documents of the site or of one customer, newest first, 50 a page; the next page follows last_document.',
  }),
})
