import { z } from 'zod'
import { operationStatuses, remarksMax, tachometer } from '#domain/operation.ts'
import { hotelModes } from '#domain/site.ts'
import { offeredTypes, rims } from '#domain/tyre.ts'
import { type AnswerName, call, feature } from './call.ts'
import { given, givenId, id, isoDate, moment, operation, operationTyre, sole, typed } from './wire.ts'

const lists: AnswerName[] = ['operations.fetch', 'operations.admin']
const open: AnswerName[] = [...lists, 'fleet.fetch', 'fleet.vehicle']
const everything: AnswerName[] = [
  ...open,
  'operations.completedbydate',
  'operations.adminopsbydate',
  'operations.adminopsbydate_light',
  'operations.bookedtransportdays',
  'locations.all',
  'locations.tyres',
]

/** What changes with the tyres of an operation that was confirmed: their history, what storage is owed for, its document. */
const handled: AnswerName[] = [
  ...everything,
  'fleet.history',
  'tyres.events',
  'tyres.recentstocklocations',
  'invoicing.customers',
  'invoicing.tyres',
  'invoicing.documents',
]

/** Enough of an operation to say which one is meant; whatever else a client sends along is not looked at. */
const meant = z.object({ _id: givenId })
const which = sole('operation', meant)
const period = z.object({ startDate: isoDate, endDate: isoDate })
const tyreIds = z
  .array(z.union([givenId, z.object({ db_id: givenId }).transform(tyre => tyre.db_id)]))
  .min(1)
  .max(200)

/** SPEC §3 "Intake scan"; `scanId` is made by the device and makes a repeat harmless (DESIGN §7 "Scans"). */
const intakeScan = z.object({
  tyreId: id,
  ticsId: z.number().int().nullish(),
  timestamp: z.union([moment, z.number().int().positive().max(8_640_000_000_000_000)]).optional(),
  scanId: z.uuid().optional(),
})

export const operations = feature('operations', {
  new: call({
    path: '/operations/new',
    idempotent: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: sole(
      'operation',
      z.object({
        flt_id: givenId,
        tyres: tyreIds,
        operationType: z.enum(offeredTypes),
        vehicle: z.unknown().optional(),
      }),
    ),
    output: operation,
    failures: ['record.missing', 'operation.tyres_busy', 'operation.tyres_refused', 'operation.tyres_mixed'],
    invalidates: open,
    summary: 'Creates a pending operation for tyres of one vehicle, with the preselected services of its type.',
  }),
  update: call({
    path: '/operations/update',
    idempotent: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: sole(
      'operation',
      z.object({
        _id: givenId,
        status: z.enum(operationStatuses).optional(),
        services: z.array(givenId).max(100).optional(),
        transport: givenId.nullable().optional(),
        deliveryDate: isoDate.nullable().optional(),
        remarks: typed(remarksMax).optional(),
        withRims: z.enum(rims).nullable().optional(),
        withBolts: z.boolean().optional(),
        withHubcaps: z.boolean().optional(),
        tachometer: given(z.number().int().min(tachometer.min).max(tachometer.max).nullable()).optional(),
      }),
    ),
    output: operation,
    failures: [
      'record.missing',
      'operation.step',
      'operation.service_refused',
      'operation.service_blocked',
      'operation.parts_refused',
      'operation.tachometer_refused',
      'delivery.missing',
      'delivery.too_early',
      'delivery.too_late',
      'delivery.weekday',
      'delivery.day_full',
      'delivery.transport_missing',
    ],
    invalidates: everything,
    summary:
      'Edits a pending operation, submits it (status submitted), or undoes a submission (status pending, administrators).',
  }),
  delete: call({
    path: '/operations/delete',
    idempotent: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: which,
    output: z.object({ _id: id }),
    failures: ['record.missing', 'operation.step'],
    invalidates: open,
    summary: 'Removes a pending operation and frees its tyres.',
  }),
  fetch: call({
    path: '/operations/fetch',
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z
      .object({ seq_id: givenId.optional() })
      .optional()
      .transform(asked => asked ?? {}),
    output: z.array(operation),
    failures: ['record.missing'],
    summary:
      'The open operations and those handled in the last 31 days, newest first; an administrator may name a customer.',
  }),
  bookedtransportdays: call({
    path: '/operations/bookedtransportdays',
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z.object({
      transportMethod: z.union([givenId, z.object({ _id: givenId }).transform(method => method._id)]),
    }),
    output: z.array(isoDate),
    failures: ['record.missing'],
    summary: 'The days from today on which this transport takes no more recalls.',
  }),
  completedbydate: call({
    path: '/operations/completedbydate',
    replicaSafe: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: period.extend({ seq_id: givenId.optional() }),
    output: z.array(operation),
    failures: ['record.missing', 'operation.period_too_long'],
    summary:
      'Confirmed and cancelled operations handled from startDate to endDate (both included), newest first; an administrator may name a customer.',
  }),
  admin: call({
    path: '/operations/admin',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ status: z.enum(['pending', 'submitted']) }),
    output: z.array(operation),
    summary: 'The operations of the whole site that have this status.',
  }),
  adminopsbydate: call({
    path: '/operations/adminopsbydate',
    replicaSafe: true,
    who: ['admin'],
    modes: hotelModes,
    input: period,
    output: z.array(operation),
    failures: ['operation.period_too_long'],
    summary: 'Confirmed and cancelled operations of the whole site handled in this period, newest first.',
  }),
  adminopsbydate_light: call({
    path: '/operations/adminopsbydate_light',
    replicaSafe: true,
    who: ['admin'],
    modes: hotelModes,
    input: period,
    output: z.array(
      z.object({
        seq_id: id,
        companyname: z.string(),
        total: z.number().int(),
        to_customer: z.number().int(),
        to_stock: z.number().int(),
        to_waste: z.number().int(),
      }),
    ),
    summary: 'How many operations of each type were confirmed for each customer in this period, most first.',
  }),
  cancel: call({
    path: '/operations/cancel',
    idempotent: true,
    who: ['admin'],
    modes: hotelModes,
    input: which,
    output: operation,
    failures: ['record.missing', 'operation.step'],
    invalidates: everything,
    summary: 'Cancels a submitted operation; its tyres stay as they are and are free again.',
  }),
  confirm: call({
    path: '/operations/confirm',
    idempotent: true,
    who: ['admin'],
    modes: hotelModes,
    input: sole('operation', meant, {
      anyway: z.boolean().optional(),
      /** `false`: without the document that the site makes of such operations. */
      document: z.boolean().optional(),
    }),
    output: operation,
    failures: ['record.missing', 'operation.step', 'operation.not_scanned'],
    invalidates: handled,
    summary:
      'Confirms a submitted operation: its tyres take their new state. Without every tyre scanned it needs anyway: true. Its document is made as the site says, unless document is false.',
  }),
  markscan: call({
    path: '/operations/markscan',
    who: ['admin'],
    modes: hotelModes,
    input: z
      .object({
        operation: z.object({ _id: givenId }).optional(),
        tyres: z.array(intakeScan).min(1).max(500).optional(),
        type: z.enum(offeredTypes).optional(),
      })
      .refine(asked => asked.operation !== undefined || asked.tyres !== undefined, { message: 'operation or tyres' }),
    output: z.array(operationTyre),
    failures: ['record.missing', 'operation.step'],
    invalidates: handled,
    summary:
      'Marks tyres of submitted operations as scanned and answers those tyres; a tyre that is in none is left out of the answer. The same scanId is applied once.',
  }),
})
