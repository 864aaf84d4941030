/** The card of a scan: one call answers every scanned or typed text (docs/product/warehouse.md "The card of a scan"). */
import { z } from 'zod'
import { cardActions, maxTypedLength } from '#domain/warehouse/card.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { locationKinds } from '#domain/warehouse/location.ts'
import { operationStatuses } from '#domain/operations/operation.ts'
import { hotelModes } from '#domain/site.ts'
import { operationTypes, tyreStatuses } from '#domain/tyres/tyre.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, isoDate, moment, typedText, tyreNames, swapHalf } from './wire.ts'

/** The most wheels on one card: those of a vehicle, a place, a document or an article. */
export const maxCardWheels = 60
/** How many of its last events a wheel's card shows. */
export const cardEvents = 3

const event = z.object({
  kind: z.string(),
  /** The step of the wheel, and the state that it led to. */
  step: z.string().nullable(),
  state: z.enum(wheelStates).nullable(),
  at: moment,
  by: z.string().nullable(),
  rack: z.string().nullable(),
  depth: z.number().nullable(),
  note: z.string(),
})

const cardWheel = z.object({
  db_id: id,
  flt_id: id,
  seq_id: id,
  ...tyreNames,
  vehicle_type: z.string(),
  /** Brand and description of the vehicle. */
  vehicle: z.string(),
  /** As its article has it; empty where that is not known apart from the description. */
  size: z.string(),
  profile_depth: z.number().nullable(),
  profile_date: z.string().nullable(),
  /** None while a node of a version without them answers. */
  dot: z.string().default(''),
  retreaded: z.string().default(''),
  tyre_status: z.enum(tyreStatuses),
  state: z.enum(wheelStates),
  since: moment,
  /** The day alone, where the records of the wheel know no time of day. None while a node of a version without it answers. */
  since_day: isoDate.nullable().default(null),
  /** Where it physically is: a place, a cart, a lane. */
  location: id.nullable(),
  stock_site_name: z.string(),
  stock_rack: z.string(),
  /** The place that the records have for it, or that is kept free, where it is not there. */
  kept_location: id.nullable(),
  kept_rack: z.string(),
  operation: z
    .object({
      _id: id,
      type: z.enum(operationTypes),
      status: z.enum(operationStatuses),
      scanned: z.boolean(),
      deliveryDate: z.string().nullable(),
      services: rows(id),
      /** How many tyres it has, and how many of them are scanned. */
      tyre_count: z.number().int(),
      done: z.number().int(),
      /** Which of the others are missing. None while a node of a version without them answers. */
      missing: rows(id).default([]),
      swap: swapHalf,
    })
    .nullable(),
  events: rows(event),
  /** Damage that was reported and has not ended, and the newest photo. */
  damages: rows(z.enum(damageCodes)),
  photo: id.nullable(),
  actions: rows(z.enum(cardActions)),
})
export type CardWheel = z.output<typeof cardWheel>

const card = z.object({
  location: z
    .object({
      _id: id,
      kind: z.enum(locationKinds),
      stock_site_name: z.string(),
      stock_rack: z.string(),
      capacity: z.number().int(),
    })
    .nullable(),
  document: z.object({ db_id: id, document_number_text: z.string() }).nullable(),
  article: z.object({ art_id: id, description: z.string() }).nullable(),
  wheels: rows(cardWheel),
})
export type Card = z.output<typeof card>

export const cards = feature('cards', {
  read: call({
    path: '/cards/read',
    scope: 'read',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z
      .object({
        tyre: inputId.optional(),
        location: inputId.optional(),
        typed: typedText(maxTypedLength).pipe(z.string().min(1)).optional(),
      })
      .refine(input => Object.values(input).filter(value => value !== undefined).length === 1),
    output: card,
    summary: `Answers the card of what was scanned or typed: a tyre, a location, or a text, which is looked up as plate, tyre id, document number and EAN. It has at most ${maxCardWheels} wheels, each with whose it is, where it is, its open operation, its last ${cardEvents} events, and what may be done with it now. Empty when nothing is found.`,
  }),
  commands: call({
    path: '/cards/commands',
    scope: 'read',
    costly: true,
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: z.string(),
    summary: 'Answers a sheet with the barcodes of the commands, in the language of the account, as a PDF in base64.',
  }),
})
