/** Charges for events, in addition to stored days (docs/product/money.md "Charges"). */
import { z } from 'zod'
import { chargeKinds } from '#domain/money/tariff.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { storageBill } from './invoicing.ts'
import { list, rows } from './list.ts'
import { document, id, inputId, isoDate, moment } from './wire.ts'

/** So many charges are listed at most, and waived at once. */
export const maxCharges = 2000

/**
 * A charge and what became of it. `countered`: another one takes it back; `counters`: this one does that, and its amount is negative.
 * Amounts are in EUR without tax.
 */
const charge = z.object({
  _id: id,
  seq_id: id,
  companyname: z.string(),
  kind: z.enum(chargeKinds),
  /** Of a service, its name. */
  service: z.string().nullable(),
  license_plate: z.string().nullable(),
  /** Of a charge for one tyre. */
  position: z.string().nullable().default(null),
  day: isoDate,
  quantity: z.number().int(),
  price_excl: z.number(),
  amount_excl: z.number(),
  vat_rate: z.number().nullable(),
  state: z.enum(['owed', 'charged', 'waived']),
  document: z.object({ db_id: id, number: z.string() }).nullable(),
  /** Why it was waived, or why it counters another one. */
  reason: z.string(),
  at: moment,
  by: z.string(),
  countered: z.boolean(),
  counters: id.nullable(),
})
export type Charge = z.output<typeof charge>

const reason = z.string().trim().min(1).max(500)
const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const
const lists: AnswerName[] = ['charges.list', 'billing.owing']

export const charges = feature('charges', {
  list: call({
    path: '/charges/list',
    scope: 'read',
    ...admins,
    input: z
      .object({
        seq_id: inputId.optional(),
        /** Also those that are on a document or waived. */
        all: z.boolean().default(false),
      })
      .optional()
      .transform(input => input ?? { all: false }),
    output: rows(charge),
    failures: ['record.missing'],
    summary: `Lists what is owed besides stored days, newest first, ${maxCharges} at most; with all also what was charged or waived.`,
  }),
  preview: call({
    path: '/charges/preview',
    scope: 'read',
    ...admins,
    input: z.object({ seq_id: inputId }),
    output: storageBill,
    failures: ['record.missing', 'invoicing.nothing', 'invoicing.credit'],
    summary: 'Answers the document that inject would make of the owed charges of a customer.',
  }),
  inject: call({
    path: '/charges/inject',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: z.object({ seq_id: inputId }),
    output: document,
    failures: ['record.missing', 'invoicing.nothing', 'invoicing.credit', 'charge.settled'],
    invalidates: [...lists, 'invoicing.documents', 'fleet.history'],
    summary: 'Creates a document of all charges that a customer owes, without stored days.',
  }),
  waive: call({
    path: '/charges/waive',
    scope: 'invoicing',
    ...admins,
    input: z.object({ charges: list(inputId, maxCharges, 1), reason }),
    output: z.object({ charges: rows(id) }),
    failures: ['record.missing', 'charge.settled'],
    invalidates: lists,
    summary: 'Waives owed charges, with a reason: no document will have them.',
  }),
  unwaive: call({
    path: '/charges/unwaive',
    scope: 'invoicing',
    ...admins,
    input: z.object({ _id: inputId, reason }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'charge.not_waived'],
    invalidates: lists,
    summary: 'Takes the waiver of a charge back, with a reason: it is owed again.',
  }),
  counter: call({
    path: '/charges/counter',
    scope: 'invoicing',
    ...admins,
    input: z.object({ _id: inputId, reason }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'charge.not_charged', 'charge.countered'],
    invalidates: lists,
    summary:
      'Corrects a charge that is on a document: a charge of the negative amount is owed, which the next one has.',
  }),
})
