import { z } from 'zod'
import { hotelModes } from '#domain/site.ts'
import { maxDotLength } from '#domain/tyres/dot.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { isReservedSetName } from '#domain/tyres/tyreSet.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { itemOrPlain, inputId, inputTyres, id, isoDate, item, moment, tyre, typedText } from './wire.ts'

const tyreIds = inputTyres(200)
const position = itemOrPlain(z.string().regex(/^[1-9][0-9]?[A-G]$/))
const setName = typedText(40).refine(name => !isReservedSetName(name), { message: 'setless' })
const changed: AnswerName[] = [
  'cards.read',
  'fleet.fetch',
  'fleet.health',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.vehicle',
  'fleet.history',
  'tyres.events',
  'tyres.forecast',
]

/** An article that is not in the catalogue, by season and description. */
export const unknownArticle = z.object({
  type: z.enum(seasons).nullish(),
  description: typedText(99).nullish(),
})

/** When a tyre was made and retreaded, as the codes on its side say. */
const dots = z.object({ tyre: id, dot: z.string(), retreaded: z.string() })

/** An event in the history of a tyre. */
const tyreEvent = z.object({
  tyre: id,
  kind: z.string(),
  at: moment,
  by: z.string().nullable(),
  operation: id.nullable(),
  status: z.string().nullable(),
  rack: z.string().nullable(),
  depth: z.number().nullable(),
  odometer: z.number().int().nullable(),
  /** A reading that was taken back. */
  undone: z.boolean().default(false),
  note: z.string(),
  position: z.string(),
  description: z.string(),
})
export type TyreEvent = z.output<typeof tyreEvent>
/** The most events that a history shows. An answer with one more tells that there are older ones. */
export const maxEventsShown = 1000

export const tyres = feature('tyres', {
  add: call({
    path: '/fleet/addtyres',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      flt_id: inputId,
      tyre_set: setName.nullish(),
      tyres: list(
        z.union([z.object({ position, art_id: inputId }), z.object({ position, unknown: unknownArticle })]),
        100,
        1,
      ),
    }),
    output: rows(tyre),
    failures: [
      'record.missing',
      'set.positions_taken',
      'set.name_missing',
      'tyre.position_missing',
      'article.unknown_refused',
      'article.unknown_incomplete',
    ],
    invalidates: changed,
    summary: 'Adds tyres to a vehicle, at the customer, with or without a set.',
  }),
  changeset: call({
    path: '/fleet/changetyreset',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ tyres: tyreIds, tyre_set: setName.pipe(z.string().min(1)) }),
    output: rows(tyre),
    failures: ['record.missing', 'set.positions_taken', 'operation.tyres_mixed'],
    invalidates: changed,
    summary: 'Moves tyres of one vehicle to another set. Nothing is saved when one of their positions is taken there.',
  }),
  undoset: call({
    path: '/fleet/undotyreset',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({
      /** The tyres, each with the set that it was in before; null for none. */
      tyres: list(z.object({ db_id: inputId, tyre_set: setName.pipe(z.string().min(1)).nullable() }), 200, 1),
      /** The set that they were moved to, and are in still. */
      expected: setName.pipe(z.string().min(1)),
    }),
    output: rows(tyre),
    failures: ['record.missing', 'record.changed', 'set.positions_taken', 'operation.tyres_mixed'],
    invalidates: changed,
    summary:
      'Moves tyres of one vehicle back to the sets that they were in, all or none, as long as each is still in the set that they were moved to.',
  }),
  remove: call({
    path: '/fleet/deletetyres',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ tyres: tyreIds }),
    output: z.object({ removed: rows(id) }),
    failures: ['record.missing', 'tyre.status_refused', 'operation.tyres_busy'],
    invalidates: changed,
    summary: 'Removes tyres. Refused for tyres that are in stock, waste, or in an open operation.',
  }),
  measure: call({
    path: '/fleet/measuretyres',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({
      readings: list(
        z.object({
          db_id: inputId,
          profile_depth: itemOrPlain(z.number()),
          profile_date: isoDate,
          profile_tacho: itemOrPlain(z.number().int().min(tachometer.min).max(tachometer.max).nullable()).optional(),
        }),
        200,
        1,
      ),
      /** Accepts readings deeper than one of an earlier day, or shallower than one of a later day, otherwise refused: tread only wears. */
      deeper: z.boolean().optional(),
    }),
    output: rows(tyre),
    failures: ['record.missing', 'tyre.deeper', 'tyre.depth_hidden', 'tyre.reading_date'],
    invalidates: changed,
    summary:
      'Records tread depths (clamped to 0 to 10 mm) with the date and, where the site asks for it, the odometer. The history has every reading.',
  }),
  unmeasure: call({
    path: '/fleet/unmeasuretyres',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({
      readings: list(
        z.object({ db_id: inputId, profile_depth: itemOrPlain(z.number()), profile_date: isoDate }),
        200,
        1,
      ),
    }),
    output: rows(tyre),
    failures: ['record.missing', 'record.changed', 'tyre.depth_hidden'],
    invalidates: changed,
    summary:
      'Takes readings of the caller back, all or none, as long as each is the last one of its tyre and nobody else has changed its depth: the tyre then shows what it showed before. The history keeps both.',
  }),
  notedot: call({
    path: '/fleet/notetyredot',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({
      db_id: inputId,
      /** Four digits, week and year, or the whole code; empty: not known. */
      dot: typedText(maxDotLength),
      /** The same of its retreading. */
      retreaded: typedText(maxDotLength),
      /** The codes still stored, or nothing is changed (`record.changed`): undoing an edit never undoes another person's. */
      expected: z.object({ dot: typedText(maxDotLength), retreaded: typedText(maxDotLength) }).optional(),
    }),
    output: dots,
    failures: ['record.missing', 'record.changed', 'tyre.dot_unreadable', 'tyre.dot_future', 'tyre.dot_order'],
    invalidates: ['tyres.dots', 'cards.read', 'tyres.events', 'fleet.history'],
    summary: 'Notes the DOT code of a tyre, which says in which week it was made, and that of its retreading.',
  }),
  dots: call({
    path: '/fleet/tyredots',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({ tyres: tyreIds }),
    output: rows(dots),
    failures: ['record.missing'],
    summary: 'Answers the DOT codes of tyres, and those of their retreading; empty where nobody noted one.',
  }),
  events: call({
    path: '/fleet/tyreevents',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    input: z
      .object({ flt_id: inputId.optional(), tyres: tyreIds.optional() })
      .refine(input => input.flt_id !== undefined || input.tyres !== undefined),
    output: rows(tyreEvent),
    failures: ['record.missing'],
    summary:
      'Lists the events of the tyres of a vehicle, or of these tyres, newest first. A history shows 1,000; an answer with 1,001 tells that there are older ones.',
  }),
  forecast: call({
    path: '/fleet/tyreforecast',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    // each takes a millisecond or two of the processor
    input: z.object({ tyres: inputTyres(50) }),
    output: rows(
      z.object({
        tyre: id,
        /** The depth at which the tyre is to be replaced, in mm. */
        limit: z.number(),
        from: isoDate.nullable(),
        until: isoDate.nullable(),
      }),
    ),
    failures: ['record.missing'],
    summary:
      'Tells from when to when tyres wear down to the depth at which they are to be replaced: nine of ten do so between these days. Both are null where the readings say too little, and a tyre that is there already is left out. Empty while depth is hidden.',
  }),
  find: call({
    path: '/fleet/findtyre',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ tyre: inputId }),
    output: rows(
      z.object({
        db_id: id,
        flt_id: id,
        companyname: z.string(),
        license_plate: z.string(),
        position: z.string(),
        description: z.string(),
        tyre_status: z.enum(tyreStatuses),
        stock_rack: z.string(),
      }),
    ),
    summary:
      'Tells whose a tyre is and where it lies, for a label that belongs to no submitted operation. Empty when there is no such tyre.',
  }),
  recentstocklocations: call({
    path: '/fleet/recentStockLocations',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ tyreIds }),
    output: rows(z.object({ fsh_fleettyre: item(id), fsh_stocklocation: item(z.string()) })),
    failures: ['record.missing'],
    summary: 'Answers the last stock location of each of these tyres that ever had one.',
  }),
})
