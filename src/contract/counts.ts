/** Counting stock: a rack or a zone, or one place at a time (docs/product/warehouse.md "Counting"). */
import { z } from 'zod'
import { allSolutions, differences, maxCounted, placesAhead, risks } from '#domain/warehouse/count.ts'
import { hotelModes } from '#domain/site.ts'
import { call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { wheelAnswers } from './wheels.ts'
import { id, inputId, isoDate, moment, typedText } from './wire.ts'

const count = z.number().int()

const sums = {
  /** Places that were counted. */
  counted: count,
  /** Those of them without a difference. */
  clean: count,
  /** Wheels that are where the records have them. */
  found_count: count,
  moved_count: count,
  twice_count: count,
  foreign_count: count,
  unknown_count: count,
  missing_count: count,
}

const head = {
  _id: id,
  /** The location that is counted; empty for places one at a time. */
  place: z.string(),
  /** Of places one at a time. */
  day: isoDate.nullable(),
  started: moment,
  by: z.string(),
  ended: moment.nullable(),
}
const summary = z.object({
  ...head,
  ...sums,
  /** Places that it has; `null` for places one at a time. */
  place_count: count.nullable(),
  /** Differences that nobody has solved. */
  open: count,
})
export type CountSummary = z.output<typeof summary>

const zone = z.object({ zone: z.string(), ...sums })
export type CountZone = z.output<typeof zone>

/** A difference from the records, as it was found; the owner of its wheel is the present one. */
const difference = z.object({
  finding: id,
  outcome: z.enum(differences),
  counted_at: moment,
  /** Where it was counted. */
  location: id.nullable(),
  zone: z.string(),
  stock_rack: z.string(),
  db_id: id.nullable(),
  flt_id: id.nullable(),
  companyname: z.string(),
  license_plate: z.string(),
  position: z.string(),
  description: z.string(),
  /** Of a label that is no wheel's of this site. */
  label_site: id.nullable(),
  label_tyre: id.nullable(),
  /** Where the records had it. */
  belongs: id.nullable(),
  belongs_rack: z.string(),
  /** Where the same count saw a wheel that is missing here, or that it has twice. */
  seen_rack: z.string(),
  open: z.boolean(),
  /** Whether it may be put on a place now. */
  placeable: z.boolean(),
  solved: z.enum(allSolutions).nullable(),
  reason: z.string().nullable(),
})
export type CountDifference = z.output<typeof difference>

const counted = z.object({
  count: id,
  location: id.nullable(),
  stock_rack: z.string(),
  found_count: count,
  differences: rows(difference),
})
export type Counted = z.output<typeof counted>

const place = z.object({ _id: id, stock_site_name: z.string(), stock_rack: z.string() })

const ofCount = z.object({ count: inputId })

export const counts = feature('counts', {
  all: call({
    path: '/counts/all',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: rows(summary),
    summary:
      'Lists the last 200 stock counts, newest first, with what they found. Places counted one at a time are one count a day.',
  }),
  start: call({
    path: '/counts/start',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ location: inputId }),
    output: z.object({ count: id, place_count: count }),
    failures: ['record.missing', 'count.no_places'],
    invalidates: ['counts.all'],
    summary: 'Starts the count of all places of a location, such as a zone or a rack.',
  }),
  places: call({
    path: '/counts/places',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: ofCount,
    output: z.object({ ...head, places: rows(place.extend({ counted: z.boolean() })) }),
    failures: ['record.missing'],
    summary:
      'Lists the places of a count in the order of the walk, and whether they were counted. What should be on them is not told.',
  }),
  next: call({
    path: '/counts/next',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: rows(place.extend({ why: rows(z.enum(risks)), days: count.nullable() })),
    summary: `Answers the ${placesAhead} places most likely to hold a difference, riskiest first, and why. What should be on them is not told.`,
  }),
  place: call({
    path: '/counts/place',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({
      /** `null`: one place at a time. */
      count: inputId.nullable(),
      location: inputId,
      ticsId: z.number().int().nullish(),
      /** Made by the device. The same place is counted once. */
      scanId: z.uuid(),
      timestamp: z.union([moment, z.number().int().positive().max(8_640_000_000_000_000)]).optional(),
      wheels: list(z.object({ db_id: inputId.optional(), ticsId: id.nullish() }), maxCounted),
    }),
    output: counted,
    failures: ['record.missing', 'count.other_place'],
    invalidates: wheelAnswers,
    summary:
      'Takes the count of one place: the labels of everything that lies there; a wheel without db_id has no label that can be read. Answers what is not as the records say. The same scanId again answers the same and counts nothing.',
  }),
  solve: call({
    path: '/counts/solve',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z
      .object({
        finding: inputId,
        how: z.enum(allSolutions),
        reason: typedText(500).pipe(z.string().min(1)).optional(),
      })
      .refine(({ how, reason }) => how !== 'done' || reason !== undefined, { path: ['reason'] }),
    output: z.object({ finding: id }),
    failures: ['record.missing', 'count.solution', 'wheel.step', 'location.full', 'tyre.status_refused'],
    invalidates: [...wheelAnswers, 'locations.all', 'locations.tyres'],
    summary:
      'Solves a difference: the records follow the wheel (here), it was taken to its place (back), it is searched for (miss), it was there after all (again), or something else with a reason (done).',
  }),
  end: call({
    path: '/counts/end',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: ofCount,
    output: z.object({ count: id }),
    failures: ['record.missing'],
    invalidates: ['counts.all', 'counts.report', 'counts.places'],
    summary: 'Ends a count. Places that devices still have to send are taken afterwards.',
  }),
  report: call({
    path: '/counts/report',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: ofCount,
    output: z.object({ count: summary, zones: rows(zone), differences: rows(difference) }),
    failures: ['record.missing'],
    summary: 'Answers the report of a count: what was found by zone, and every difference with how it was solved.',
  }),
})
