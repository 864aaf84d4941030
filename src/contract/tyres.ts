import { z } from 'zod'
import { hotelModes } from '#domain/site.ts'
import { tachometer } from '#domain/operation.ts'
import { type AnswerName, call, feature } from './call.ts'
import { given, givenId, id, isoDate, item, moment, tyre, typed } from './wire.ts'

const tyreIds = z
  .array(z.union([givenId, z.object({ db_id: givenId }).transform(asked => asked.db_id)]))
  .min(1)
  .max(200)
const position = given(z.string().regex(/^[1-9][0-9]?[A-G]$/))
const setName = typed(40).refine(name => name !== 'setless', { message: 'setless' })
const changed: AnswerName[] = ['fleet.fetch', 'fleet.vehicle', 'fleet.history', 'tyres.events']

/** SPEC §5 "Unknown article": an article that the catalogue does not have, by season and description. */
export const unknownArticle = z.object({
  type: z.enum(['winter', 'summer', 'all_season', 'snow']).nullish(),
  description: typed(99).nullish(),
})

/** What can have happened to a tyre, as a screen shows it. */
export const tyreEvent = z.object({
  tyre: id,
  kind: z.string(),
  at: moment,
  by: z.string().nullable(),
  operation: id.nullable(),
  status: z.string().nullable(),
  rack: z.string().nullable(),
  depth: z.number().nullable(),
  odometer: z.number().int().nullable(),
  note: z.string(),
  position: z.string(),
  description: z.string(),
})
export type TyreEvent = z.output<typeof tyreEvent>
/** So many events a history shows; one more in the answer says that there are older ones. */
export const eventsShown = 1000

export const tyres = feature('tyres', {
  add: call({
    path: '/fleet/addtyres',
    idempotent: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z.object({
      flt_id: givenId,
      tyre_set: setName.nullish(),
      tyres: z
        .array(z.union([z.object({ position, art_id: givenId }), z.object({ position, unknown: unknownArticle })]))
        .min(1)
        .max(100),
    }),
    output: z.array(tyre),
    failures: [
      'record.missing',
      'set.positions_taken',
      'set.name_missing',
      'tyre.position_missing',
      'article.unknown_refused',
      'article.unknown_incomplete',
    ],
    invalidates: changed,
    summary: 'Adds tyres to a vehicle, at the customer, in a set or without one.',
  }),
  changeset: call({
    path: '/fleet/changetyreset',
    who: ['user', 'admin'],
    input: z.object({ tyres: tyreIds, tyre_set: setName.pipe(z.string().min(1)) }),
    output: z.array(tyre),
    failures: ['record.missing', 'set.positions_taken', 'operation.tyres_mixed'],
    invalidates: changed,
    summary: 'Gives tyres of one vehicle another set; nothing is saved when one of their positions is taken there.',
  }),
  remove: call({
    path: '/fleet/deletetyres',
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z.object({ tyres: tyreIds }),
    output: z.object({ removed: z.array(id) }),
    failures: ['record.missing', 'tyre.status_refused', 'operation.tyres_busy'],
    invalidates: changed,
    summary: 'Takes tyres off the books; refused for tyres in stock, waste, or in an open operation.',
  }),
  measure: call({
    path: '/fleet/measuretyres',
    who: ['user', 'admin'],
    input: z.object({
      readings: z
        .array(
          z.object({
            db_id: givenId,
            profile_depth: given(z.number()),
            profile_date: isoDate,
            profile_tacho: given(z.number().int().min(tachometer.min).max(tachometer.max).nullable()).optional(),
          }),
        )
        .min(1)
        .max(200),
      /**
       * Keeps readings that are deeper than one of an earlier day, or shallower than one of a later day; without it they
       * are refused (a tyre does not grow).
       */
      deeper: z.boolean().optional(),
    }),
    output: z.array(tyre),
    failures: ['record.missing', 'tyre.deeper', 'tyre.depth_hidden', 'tyre.reading_date'],
    invalidates: changed,
    summary:
      'Records tread depths (0 to 10 mm, clamped) with date and, where the site asks for it, odometer; the history keeps every reading.',
  }),
  events: call({
    path: '/fleet/tyreevents',
    who: ['user', 'admin'],
    input: z
      .object({ flt_id: givenId.optional(), tyres: tyreIds.optional() })
      .refine(asked => asked.flt_id !== undefined || asked.tyres !== undefined),
    output: z.array(tyreEvent),
    failures: ['record.missing'],
    summary:
      'What happened to the tyres of a vehicle, or to these tyres, newest first, 1,001 at most: one more than a history shows tells that there are older ones.',
  }),
  recentstocklocations: call({
    path: '/fleet/recentStockLocations',
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z.object({ tyreIds }),
    output: z.array(z.object({ fsh_fleettyre: item(id), fsh_stocklocation: item(z.string()) })),
    failures: ['record.missing'],
    summary: 'The last place in the warehouse of each of these tyres that ever had one.',
  }),
})
