/** Scrapped tyres: who took them, when, and on which transport form (docs/product/warehouse.md "Proof of disposal"). */
import { z } from 'zod'
import { maxPickupTyres, treatments } from '#domain/warehouse/disposal.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, isoDate, tyreNames, typedText } from './wire.ts'

const count = z.number().int()

/** A scrapped tyre that nobody has taken yet. */
const waiting = z.object({
  db_id: id,
  seq_id: id,
  ...tyreNames,
  /** The day on which it was scrapped. */
  scrapped: isoDate,
  estimate_kg: count,
})
export type WaitingTyre = z.output<typeof waiting>

const pickup = z.object({
  _id: id,
  day: isoDate,
  form_number: z.string(),
  collector: z.string(),
  collector_number: z.string(),
  processor: z.string(),
  processor_number: z.string(),
  treatment: z.enum(treatments).nullable(),
  /** How many tyres it took: of all customers, or of the one that is asked for. */
  tyre_count: count,
  /** Their weight; for one customer, its share by the estimated weight of each tyre. `null` until they were weighed. */
  weight_kg: z.number().nullable(),
  /** Their estimated weight by their sizes. */
  estimate_kg: count,
})
export type ScrapPickup = z.output<typeof pickup>

const filled = (length: number) => typedText(length).pipe(z.string().min(1))
/** The entries of the transport form. */
export const pickupForm = z.object({
  day: isoDate,
  form_number: filled(50),
  collector: filled(100),
  /** Its number in the register of collectors, or of its company. */
  collector_number: typedText(50).default(''),
  /** Who treats the tyres. */
  processor: typedText(100).default(''),
  processor_number: typedText(50).default(''),
  treatment: z.enum(treatments).nullable().default(null),
  weight_kg: z.number().min(0.1).max(999_999).multipleOf(0.1).nullable().default(null),
})

const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const
const everybody = { who: ['user', 'admin'], warehouse: false, modes: hotelModes, scope: 'read' } as const
const changed: AnswerName[] = ['disposals.waiting', 'disposals.list']
const byId = z.object({ _id: inputId })
const named = z.object({ _id: id })

export const disposals = feature('disposals', {
  waiting: call({
    path: '/disposals/waiting',
    scope: 'read',
    ...admins,
    input: z.object({}).optional(),
    output: rows(waiting),
    summary: `Lists the scrapped tyres that no pick-up took yet, those scrapped first before, ${maxPickupTyres} at most.`,
  }),
  record: call({
    path: '/disposals/record',
    scope: 'warehouse',
    ...admins,
    idempotent: true,
    input: pickupForm.extend({ tyres: list(inputId, maxPickupTyres, 1) }),
    output: named,
    failures: ['record.missing', 'disposals.not_waiting', 'stock.date_ahead'],
    invalidates: changed,
    summary:
      'Records that a collector took scrapped tyres, all or none: the day, the transport form, and the weight if it is known.',
  }),
  edit: call({
    path: '/disposals/edit',
    scope: 'warehouse',
    ...admins,
    input: pickupForm.extend({ _id: inputId }),
    output: named,
    failures: ['record.missing', 'stock.date_ahead'],
    invalidates: changed,
    summary: 'Changes what a pick-up says besides its tyres, as a whole: the weight is often known only later.',
  }),
  withdraw: call({
    path: '/disposals/withdraw',
    scope: 'warehouse',
    ...admins,
    input: byId.extend({ reason: filled(500) }),
    output: named,
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Withdraws a pick-up that was recorded by mistake, with the reason. Its tyres wait again.',
  }),
  list: call({
    path: '/disposals/list',
    ...everybody,
    input: z.object({ startDate: isoDate, endDate: isoDate, seq_id: inputId.optional() }),
    output: rows(pickup),
    failures: ['record.missing'],
    summary: 'Lists the pick-ups of a period, newest first: of the site, or what they took of one customer.',
  }),
  proof: call({
    path: '/disposals/proof',
    ...everybody,
    costly: true,
    input: byId.extend({ seq_id: inputId.optional() }),
    output: z.string(),
    failures: ['record.missing'],
    summary: 'Answers the proof of a pick-up as a PDF in base64: of all its tyres, or of those of one customer.',
  }),
})
