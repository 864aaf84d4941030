/** Storage that is not paid: who owes it, for which tyres, and the document that charges it (SPEC §2 "Invoicing", §4, §7). */
import { z } from 'zod'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { customer, day, document, givenId, id, isoDate, item } from './wire.ts'

const days = z.number().int().min(0).max(36_500)
const tyreIds = z
  .array(z.union([givenId, z.object({ db_id: givenId }).transform(tyre => tyre.db_id)]))
  .min(1)
  .max(20_000)
const toCharge = z.object({ tyres: tyreIds, seq_id: givenId })

/** A customer with tyres that have been overdue for so many days; `since` is the oldest day up to which one is paid. */
export const overdueCustomer = customer.omit({ vehicles: true }).extend({
  tyres: item(z.number().int()),
  since: item(day),
  overdue_days: item(z.number().int()),
})
export type OverdueCustomer = z.output<typeof overdueCustomer>

/**
 * A tyre in stock whose storage is not paid. `document` names the document that charges days which it was not marked as
 * invoiced for, `document_date` up to when.
 */
export const overdueTyre = z.object({
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

/** A document of a site's list: whose it is, and of what. */
export const listedDocument = document.extend({
  seq_id: item(id),
  companyname: item(z.string()),
  license_plate: item(z.string().nullable()),
  reason: item(z.enum(['operation', 'storage'])),
})
export type ListedDocument = z.output<typeof listedDocument>

/** The document as it would be made now, without its number. Prices are in EUR, without tax. */
export const storageBill = z.object({
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
      'The customers who have tyres in stock that were not invoiced for at least so many days, most tyres first.',
  }),
  tyres: call({
    path: '/invoicing/tyres',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({
      seq_id: givenId,
      days,
      /** Those that are paid too: to see and to clear their last invoice date. */
      paid: z.boolean().optional(),
    }),
    output: z.array(overdueTyre),
    failures: ['record.missing'],
    summary:
      "A customer's tyres in stock that were not invoiced for at least so many days, and with paid all the others, by tyre ID.",
  }),
  preview: call({
    path: '/invoicing/preview',
    who: ['admin'],
    modes: hotelModes,
    input: toCharge,
    output: storageBill,
    failures: refusals,
    summary: 'The document that inject would make of the same tyres. Nothing is kept and no number is used.',
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
      "Makes the document that charges the storage of a customer's tyres up to today. It does not mark them as invoiced, and charges no day twice.",
  }),
  markinvoiced: call({
    path: '/invoicing/markinvoiced',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ tyres: tyreIds, date: isoDate }),
    output: z.object({ tyres: z.array(id), date: isoDate }),
    failures: ['record.missing', 'invoicing.date_ahead'],
    invalidates: stored,
    summary: 'Sets the last invoice date of these tyres. The same date again changes nothing.',
  }),
  unmarkinvoiced: call({
    path: '/invoicing/unmarkinvoiced',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ tyreIds }),
    output: z.object({ tyres: z.array(id) }),
    failures: ['record.missing'],
    invalidates: stored,
    summary: 'Removes the last invoice date of these tyres; their days can be charged again.',
  }),
  documents: call({
    path: '/invoicing/documents',
    who: ['admin'],
    modes: hotelModes,
    input: z
      .object({ seq_id: givenId.optional(), last_document: givenId.optional() })
      .optional()
      .transform(asked => asked ?? {}),
    output: z.array(listedDocument),
    failures: ['record.missing'],
    summary:
      'The documents of the site or of one customer, newest first, 50 a page; the next page follows last_document.',
  }),
})
