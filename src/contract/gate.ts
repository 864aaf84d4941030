/** The loading gate: what a transport of a day takes along, and its delivery notes (docs/product/warehouse.md "The loading gate"). */
import { z } from 'zod'
import { gateOutcomes, leaveStops, maxSignatureLength, maxSignerLength } from '#domain/warehouse/gate.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { hotelModes } from '#domain/site.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { handled } from './operations.ts'
import { id, inputId, isoDate, moment, swapHalf, typedText, item } from './wire.ts'

/** A submitted recall of the load, or one of which a wheel has passed. */
const recall = z.object({
  operation: id,
  seq_id: id,
  companyname: z.string(),
  license_plate: z.string(),
  /** Confirmed already: the last scan of a recall does that where the site says so. */
  confirmed: z.boolean(),
  swap: swapHalf,
  wheels: rows(z.object({ db_id: id, position: z.string(), state: z.enum(wheelStates) })),
})
export type LoadingRecall = z.output<typeof recall>

const note = z.object({
  db_id: id,
  document_number_text: z.string(),
  companyname: z.string(),
  license_plate: z.string(),
  left: moment,
  /** Who signed it; `null` while nobody has. */
  signed: z.string().nullable(),
})
export type DeliveryNote = z.output<typeof note>

const view = z.object({
  load: z.object({ day: isoDate, transport: id }),
  recalls: rows(recall),
  /** Of this transport and day, newest first. */
  notes: rows(note),
})
const outcomes = [...gateOutcomes, 'left', ...leaveStops] as const
const answered = view.extend({
  outcome: z.enum(outcomes),
  /** Whether an administrator may let it pass with a reason. */
  overridable: z.boolean(),
  /** The facts of the outcome: the plate of the wheel, and the transport, day or depth that it has instead. */
  plate: z.string(),
  position: z.string(),
  profile_depth: item(z.number().nullable()),
  other: z.object({ day: isoDate, transport: id }).nullable(),
  /** Its damage that has not ended. */
  damages: rows(z.enum(damageCodes)),
})
export type GateAnswer = z.output<typeof answered>

const load = z.object({ day: isoDate, transport: inputId })
const reason = typedText(500).pipe(z.string().min(1)).optional()
const moved: AnswerName[] = ['gate.read', ...handled]

export const gate = feature('gate', {
  read: call({
    path: '/gate/read',
    scope: 'read',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: load,
    output: view,
    failures: ['record.missing'],
    summary: 'Answers what a transport of a day is to take along, where the wheels are, and its delivery notes.',
  }),
  lane: call({
    path: '/gate/lane',
    scope: 'read',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ location: inputId }),
    output: z.object({ load: z.object({ day: isoDate, transport: id }).nullable() }),
    failures: ['record.missing'],
    summary:
      'Says for which transport and day most wheels on a staging lane are; nothing for another location, or an empty one.',
  }),
  load: call({
    path: '/gate/load',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: load.extend({ db_id: inputId, ticsId: z.number().int().nullish(), reason }),
    output: answered,
    failures: ['record.missing', 'wheel.step'],
    invalidates: moved,
    summary:
      'Loads a wheel: the scan of its recall. The gate stops one without a recall, of another transport or day, or with less tread than its season needs; with a reason all but the first pass.',
  }),
  leave: call({
    path: '/gate/leave',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: load.extend({ reason }),
    output: answered,
    failures: ['record.missing', 'operation.step'],
    invalidates: moved,
    summary:
      'Lets a transport leave: the recalls that were loaded are confirmed and get a delivery note. The gate stops one with an incomplete set, with missing wheels or with wheels left on a lane; with a reason the last two pass, and missing wheels are missing from their recall.',
  }),
  sign: call({
    path: '/gate/sign',
    scope: 'warehouse',
    costly: true,
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      documents: list(inputId, 200, 1),
      name: typedText(maxSignerLength).pipe(z.string().min(1)),
      /** A picture in base64: PNG, JPEG or WebP. */
      signature: z.base64().min(1).max(maxSignatureLength),
    }),
    output: z.object({ signed: rows(id) }),
    failures: ['record.missing', 'gate.signed', 'image.unreadable', 'image.too_large'],
    invalidates: ['gate.read', 'operations.trail'],
    summary:
      'Attaches a signature to delivery notes, all or none. The server encodes the picture again. A note is signed once.',
  }),
})
