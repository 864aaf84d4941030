import { z } from 'zod'
import { operationStatuses, maxRemarksLength, tachometer, wornDecisions } from '#domain/operations/operation.ts'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { offeredTypes, operationTypes, rims } from '#domain/tyres/tyre.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { mountsChanged } from './mounts.ts'
import {
  itemOrPlain,
  inputId,
  inputTyres,
  id,
  isoDate,
  moment,
  ofCustomer,
  operation,
  operationTyre,
  singlePayload,
  typedText,
  tyreNames,
} from './wire.ts'

const lists: AnswerName[] = [
  'cards.read',
  'operations.fetch',
  'operations.admin',
  'hotelconfig.plannedrecalls',
  'operations.trail',
  'today.read',
  'waves.all',
  'waves.round',
  'gate.read',
]
const open: AnswerName[] = [...lists, 'fleet.fetch', 'fleet.health', 'fleet.nearing', 'fleet.reaching', 'fleet.vehicle']
const everything: AnswerName[] = [
  ...open,
  'operations.completedbydate',
  'operations.adminopsbydate',
  'operations.adminopsbydate_light',
  'operations.bookedtransportdays',
  'locations.all',
  'locations.tyres',
  'operations.missing',
]

/** A confirmed operation also changes the history of its tyres, overdue storage and documents. */
export const handled: AnswerName[] = [
  ...everything,
  'fleet.history',
  'tyres.events',
  'tyres.recentstocklocations',
  'invoicing.customers',
  'billing.owing',
  'invoicing.tyres',
  'invoicing.documents',
  'charges.list',
]

/** An operation by its id. Other fields that a client sends along are ignored. */
const reference = z.object({ _id: inputId })
const byReference = singlePayload('operation', reference)

/** The fields that may be changed in a pending operation. */
const edits = {
  services: list(inputId, 100).optional(),
  transport: inputId.nullable().optional(),
  deliveryDate: isoDate.nullable().optional(),
  remarks: typedText(maxRemarksLength).optional(),
  withRims: z.enum(rims).nullable().optional(),
  withBolts: z.boolean().optional(),
  withHubcaps: z.boolean().optional(),
  wornTyres: z.enum(wornDecisions).nullable().optional(),
  tachometer: itemOrPlain(z.number().int().min(tachometer.min).max(tachometer.max).nullable()).optional(),
}
export type EditableField = keyof typeof edits
/** The fields of a pending operation that its owner edits. */
export const editableFields = Object.keys(edits) as EditableField[]
/** When an operation was changed last. Given by who takes a step back: it is refused with `record.changed` after any other change. */
const sinceThen = z.object({ updated: moment.optional() })
const period = z.object({ startDate: isoDate, endDate: isoDate })
const tyreIds = inputTyres(200)

/** A tyre that was missing when its operation was confirmed, `since` then. */
const missingTyre = z.object({
  operation: id,
  type: z.enum(operationTypes),
  db_id: id,
  flt_id: id,
  seq_id: id,
  ...tyreNames,
  since: moment,
  by: z.string(),
})

/** How far the wheels of a recall are on their way out, and the documents of it. */
const trail = z.object({
  operation: id,
  tyre_count: z.number().int(),
  picked_count: z.number().int(),
  staged_count: z.number().int(),
  loaded_count: z.number().int(),
  delivered_count: z.number().int(),
  missing_count: z.number().int(),
  documents: rows(z.object({ db_id: id, document_number_text: z.string(), document_type: z.enum(documentTypes) })),
})

/** A scan of a tyre. The device makes `scanId`, and the same one is applied once (docs/product/warehouse.md "Scans"). */
const intakeScan = z
  .object({
    tyreId: inputId.optional(),
    /** A tyre record names its tyre so. */
    db_id: inputId.optional(),
    ticsId: z.number().int().nullish(),
    timestamp: z.union([moment, z.number().int().positive().max(8_640_000_000_000_000)]).optional(),
    scanId: z.uuid().optional(),
  })
  .transform((scan, context) => {
    const { db_id, tyreId = db_id, ...rest } = scan
    if (tyreId !== undefined) return { ...rest, tyreId }
    context.issues.push({ code: 'custom', path: ['tyreId'], input: scan, message: 'tyreId or db_id' })
    return z.NEVER
  })

/** The most vehicles whose tyres are changed in one go. */
export const maxSwaps = 500

const deliveryFailures = [
  'arrival.missing',
  'arrival.too_early',
  'arrival.too_late',
  'arrival.weekday',
  'arrival.day_full',
  'delivery.missing',
  'delivery.too_early',
  'delivery.too_late',
  'delivery.weekday',
  'delivery.closed',
  'delivery.day_full',
  'delivery.transport_missing',
] as const

export const operations = feature('operations', {
  new: call({
    path: '/operations/new',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: singlePayload(
      'operation',
      z.object({
        flt_id: inputId,
        tyres: tyreIds,
        operationType: z.enum(offeredTypes),
        /** Of a storage: the day on which those of its tyres that are mounted were taken off. Without one they are when they are stored. */
        takenOff: isoDate.optional(),
        vehicle: z.unknown().optional(),
      }),
    ),
    output: operation,
    failures: [
      'record.missing',
      'operation.tyres_busy',
      'operation.tyres_refused',
      'operation.tyres_mixed',
      'mount.date',
    ],
    invalidates: [...new Set([...open, ...mountsChanged])],
    summary:
      'Creates a pending operation for tyres of one vehicle, with the preselected services of its type; a storage with the rims, bolts and hubcaps that all its tyres last had.',
  }),
  update: call({
    path: '/operations/update',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: singlePayload(
      'operation',
      z.object({
        _id: inputId,
        status: z.enum(operationStatuses).optional(),
        ...edits,
        /** The values that these must still have, or nothing is changed (`record.changed`): undoing an edit never undoes another person's. */
        expected: sinceThen.extend(edits).optional(),
      }),
    ),
    output: operation,
    failures: [
      'record.missing',
      'record.changed',
      'operation.step',
      'operation.begun',
      'operation.service_refused',
      'operation.service_blocked',
      'operation.parts_refused',
      'operation.tachometer_refused',
      ...deliveryFailures,
    ],
    invalidates: everything,
    summary:
      'Edits a pending operation, submits it (status submitted), or undoes its submission (status pending, administrators only). With what is expected of it still, nothing is overwritten that was changed since.',
  }),
  delete: call({
    path: '/operations/delete',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: byReference,
    output: z.object({ _id: id }),
    failures: ['record.missing', 'operation.step'],
    invalidates: open,
    summary: 'Deletes a pending operation. Its tyres are free again.',
  }),
  fetch: call({
    path: '/operations/fetch',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: ofCustomer,
    output: rows(operation),
    failures: ['record.missing'],
    summary:
      'Lists open operations and those handled in the last 31 days, newest first. An administrator may name a customer.',
  }),
  bookedtransportdays: call({
    path: '/operations/bookedtransportdays',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      transportMethod: z.union([inputId, z.object({ _id: inputId }).transform(method => method._id)]),
      /** The operations that travel with it: recalls, or storages that arrive. */
      type: z.enum(['to_customer', 'to_stock']).default('to_customer'),
    }),
    output: rows(isoDate),
    failures: ['record.missing'],
    summary:
      'Lists the days from today on which this transport method has no room for more recalls, or for more storages that arrive.',
  }),
  plan: call({
    path: '/operations/plan',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      transport: inputId,
      from: isoDate,
      until: isoDate,
      /** How many tyres each vehicle gets. */
      counts: list(z.number().int().min(1).max(200), maxSwaps, 1),
      /** How many of each come back, in the same order; left out: none does. */
      returns: list(z.number().int().min(0).max(200), maxSwaps).default([]),
    }),
    output: z.object({
      /** The day of each vehicle, in the order of the input; `null`: none is left for it. */
      days: list(isoDate.nullable(), maxSwaps),
      /** The days of the period on which the transport has room before any of these. */
      open: rows(isoDate),
    }),
    failures: ['record.missing'],
    summary:
      'Spreads the recalls of several vehicles, and what comes back for them, over the days of a period on which a transport has room. It books nothing.',
  }),
  swap: call({
    path: '/operations/swap',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      flt_id: inputId,
      /** The tyres in stock that the vehicle gets. */
      recall: tyreIds,
      /** The tyres that come back for them, if any. */
      store: list(z.union([inputId, z.object({ db_id: inputId }).transform(tyre => tyre.db_id)]), 200).default([]),
      transport: inputId,
      deliveryDate: isoDate,
      /** The customer's decision on worn tyres that the vehicle gets. */
      wornTyres: z.enum(wornDecisions).optional(),
      /** The parts that come back with the tyres; left out: those that they last had. */
      withRims: edits.withRims,
      withBolts: edits.withBolts,
      withHubcaps: edits.withHubcaps,
    }),
    output: z.object({ recall: operation, storage: operation.nullable() }),
    failures: [
      'record.missing',
      'operation.tyres_busy',
      'operation.tyres_refused',
      'operation.tyres_mixed',
      ...deliveryFailures,
    ],
    invalidates: everything,
    summary:
      'Changes the tyres of a vehicle: submits the recall of the tyres that it gets for a delivery day, and the storage of those that come back with it, both or neither.',
  }),
  completedbydate: call({
    path: '/operations/completedbydate',
    scope: 'read',
    replicaSafe: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: period.extend({ seq_id: inputId.optional() }),
    output: rows(operation),
    failures: ['record.missing', 'operation.period_too_long'],
    summary:
      'Lists confirmed and cancelled operations handled from startDate to endDate (both included), newest first. An administrator may name a customer.',
  }),
  admin: call({
    path: '/operations/admin',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ status: z.enum(['pending', 'submitted']) }),
    output: rows(operation),
    summary: 'Lists the operations of the whole site with this status.',
  }),
  adminopsbydate: call({
    path: '/operations/adminopsbydate',
    scope: 'read',
    replicaSafe: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: period,
    output: rows(operation),
    failures: ['operation.period_too_long'],
    summary: 'Lists confirmed and cancelled operations of the whole site handled in this period, newest first.',
  }),
  adminopsbydate_light: call({
    path: '/operations/adminopsbydate_light',
    scope: 'read',
    replicaSafe: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: period,
    output: rows(
      z.object({
        seq_id: id,
        companyname: z.string(),
        total: z.number().int(),
        to_customer: z.number().int(),
        to_stock: z.number().int(),
        to_waste: z.number().int(),
      }),
    ),
    summary: 'Counts the confirmed operations of each customer by type in this period, most first.',
  }),
  cancel: call({
    path: '/operations/cancel',
    scope: 'operations',
    idempotent: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: byReference,
    output: operation,
    failures: ['record.missing', 'operation.step'],
    invalidates: everything,
    summary: 'Cancels a submitted operation. Its tyres keep their state and are free again.',
  }),
  reschedule: call({
    path: '/operations/reschedule',
    scope: 'operations',
    idempotent: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: singlePayload(
      'operation',
      reference.extend({
        transport: edits.transport,
        deliveryDate: edits.deliveryDate,
        expected: sinceThen.optional(),
      }),
    ),
    output: operation,
    failures: ['record.missing', 'record.changed', 'operation.step', 'operation.begun', ...deliveryFailures],
    invalidates: everything,
    summary:
      'Gives a submitted recall or storage another day or transport, which has to suit as if it were submitted now; it stays as it is when they do not. Refused once one of its tyres was scanned, or picked for delivery.',
  }),
  withdraw: call({
    path: '/operations/withdraw',
    scope: 'operations',
    idempotent: true,
    who: ['user'],
    modes: hotelModes,
    input: singlePayload('operation', reference.extend({ expected: sinceThen.optional() })),
    output: operation,
    failures: ['record.missing', 'record.changed', 'operation.step', 'operation.begun'],
    invalidates: everything,
    summary:
      'Takes a submission of the own customer back: the operation is pending again. Refused once one of its tyres was scanned, or picked for delivery.',
  }),
  confirm: call({
    path: '/operations/confirm',
    scope: 'operations',
    idempotent: true,
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: singlePayload('operation', reference, {
      /** Tyres that were not scanned are missing, but for those in `here`. An account of the warehouse names them in `missing`. */
      anyway: z.boolean().optional(),
      /** The tyres that are missing; others that were not scanned are refused. */
      missing: tyreIds.optional(),
      /** Tyres that were not scanned and are here all the same: their label can't be read. */
      here: z.union([z.literal('all'), tyreIds]).optional(),
      /** `false`: without the document that the site makes for such operations. */
      document: z.boolean().optional(),
    }),
    output: operation,
    failures: [
      'record.missing',
      'operation.step',
      'operation.not_scanned',
      'operation.all_missing',
      'operation.missing_by_desk',
    ],
    invalidates: handled,
    summary:
      'Confirms a submitted operation: its tyres get their new state. Each tyre is scanned, or named in here or in missing; with anyway: true all others are missing. Missing tyres keep their state; an account of the warehouse confirms with them where the site lets it. A document is made as the site is configured, unless document is false.',
  }),
  missing: call({
    path: '/operations/missing',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: rows(missingTyre),
    summary:
      'Lists the tyres that were missing when their operation was confirmed, and are still missed; longest first.',
  }),
  closemissing: call({
    path: '/operations/closemissing',
    scope: 'warehouse',
    idempotent: true,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ operation: inputId, db_id: inputId, reason: typedText(500).pipe(z.string().min(1)) }),
    output: z.object({ db_id: id }),
    failures: ['record.missing', 'operation.not_missing'],
    invalidates: ['operations.missing', 'tyres.events'],
    summary: 'Closes the search for a missing tyre, with the reason.',
  }),
  noshow: call({
    path: '/operations/noshow',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ operation: inputId }),
    output: z.object({ operation: id, day: isoDate, charged: z.boolean() }),
    failures: ['record.missing', 'operation.step', 'operation.not_due', 'operation.no_show'],
    invalidates: ['charges.list'],
    summary:
      'Notes that nobody was there on the delivery day of a submitted operation, or today without one, once a day. It is charged when the tariff has a price for it; the operation stays as it is.',
  }),
  markscan: call({
    path: '/operations/markscan',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z
      .object({
        operation: z.object({ _id: inputId }).optional(),
        tyres: list(intakeScan, 500, 1).optional(),
        type: z.enum(offeredTypes).optional(),
      })
      .refine(input => input.operation !== undefined || input.tyres !== undefined, { message: 'operation or tyres' }),
    output: rows(operationTyre),
    failures: ['record.missing', 'operation.step'],
    invalidates: handled,
    unused:
      'The numbers of the scanned tyres that are in no such submitted operation, or whose label is of another site.',
    summary:
      'Marks tyres of submitted operations as scanned and answers them. An entry may be a tyre record. Those that are in no submitted operation are named in a header instead. The same scanId is applied once.',
  }),
  trail: call({
    path: '/operations/trail',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: ofCustomer,
    output: rows(trail),
    failures: ['record.missing'],
    summary:
      'Says of submitted recalls, and of those handled in the last 31 days, how many of their wheels are picked, on a lane, loaded, delivered and missing, and names their documents. An administrator may name a customer.',
  }),
  unscan: call({
    path: '/operations/unscan',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ tyres: inputTyres(200) }),
    output: z.object({ unscanned: rows(id) }),
    failures: ['record.missing', 'wheel.step'],
    invalidates: handled,
    summary:
      'Takes back the scans of tyres of submitted operations, all or none. A tyre that was put on a place for its storage is taken off it; the place stays reserved.',
  }),
})
