/** The warehouse: its tree of stock locations, what lies where, and where the next tyres go (DESIGN §6 "location"). */
import { z } from 'zod'
import {
  capacityMax,
  countLocations,
  kindsBelow,
  locationKinds,
  locationsAtOnceMax,
  locationNameMax,
  expandNames,
} from '#domain/location.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { givenId, id, moment, typed } from './wire.ts'

const kind = z.enum(locationKinds)
const capacity = z.number().int().min(0).max(capacityMax)

/** A location. `walk` is where people come past it; `tyres` lie on it itself, not below it. */
export const location = z.object({
  _id: id,
  parent: id.nullable(),
  kind,
  name: z.string(),
  stock_site_name: z.string(),
  stock_rack: z.string(),
  walk: z.number().int(),
  capacity: z.number().int(),
  tyres: z.number().int(),
})
export type Location = z.output<typeof location>

/** A tyre that lies on a location. */
export const storedTyre = z.object({
  db_id: id,
  flt_id: id,
  seq_id: id,
  license_plate: z.string(),
  vehicle_type: z.string(),
  companyname: z.string(),
  position: z.string(),
  description: z.string(),
  tyre_set: z.string().nullable(),
  status_date: z.string(),
  stock_rack: z.string(),
})
export type StoredTyre = z.output<typeof storedTyre>

/** As many tyres as a list of what lies somewhere shows. */
export const tyresShown = 500
/** As many labels of locations as are printed at once. */
export const labelsAtOnce = 1000

/** What is made at once: levels one within the other, each with the names that its pattern stands for. */
export const branchForm = z
  .object({
    /** What it is made in; none: a site name, at the top. */
    parent: givenId.nullable(),
    levels: z
      .array(z.object({ kind, pattern: z.string().max(500) }))
      .min(1)
      .max(locationKinds.length),
    /** Tyres that fit on each location of the last level. */
    capacity,
  })
  .check(({ value, issues }) => {
    const wrong = (...path: (string | number)[]) =>
      issues.push({ code: 'custom', path, input: value, message: 'pattern' })
    const named = value.levels.map(level => expandNames(level.pattern, level.kind) ?? [])
    for (const [nth, { kind }] of value.levels.entries()) {
      const above = value.levels[nth - 1]
      if (named[nth]?.length === 0) wrong('levels', nth, 'pattern')
      if (above && !kindsBelow(above.kind).includes(kind)) wrong('levels', nth, 'kind')
    }
    if ((value.parent === null) !== (value.levels[0]?.kind === 'site')) wrong('levels', 0, 'kind')
    // nothing but a tree lies at the top
    if (countLocations(value.levels.map(({ kind }, nth) => ({ kind, names: named[nth] ?? [] }))) > locationsAtOnceMax)
      wrong('levels')
  })

/** What shows where a tyre lies. */
const racks: AnswerName[] = [
  'fleet.fetch',
  'fleet.vehicle',
  'fleet.history',
  'tyres.events',
  'operations.admin',
  'operations.fetch',
]
/** Where storages go changes with what lies where. */
const changed: AnswerName[] = ['locations.all', 'locations.tyres', 'locations.plan', ...racks]

export const locations = feature('locations', {
  all: call({
    path: '/locations/all',
    who: ['admin'],
    modes: hotelModes,
    input: z.unknown().transform(() => ({})),
    output: z.array(location),
    summary:
      'Every stock location of the site with its capacity and the tyres that lie on it; what holds others comes before what it holds.',
  }),
  tyres: call({
    path: '/locations/tyres',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ _id: givenId }),
    output: z.array(storedTyre),
    failures: ['record.missing'],
    summary: `The tyres that lie on a location or below it, in the order of the walk, ${tyresShown} at most.`,
  }),
  make: call({
    path: '/locations/make',
    who: ['admin'],
    modes: hotelModes,
    idempotent: true,
    input: branchForm,
    output: z.object({ made: z.number().int() }),
    failures: ['record.missing', 'location.name_taken'],
    invalidates: ['locations.all'],
    summary:
      'Makes locations in bulk, several levels one within the other; the walk goes up one rack and down the next.',
  }),
  edit: call({
    path: '/locations/edit',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({
      _id: givenId,
      name: typed(locationNameMax).pipe(z.string().min(1)).optional(),
      /** Of a branch: of everything in it that tyres lie on. */
      capacity: capacity.optional(),
      /** Of a branch: of the first place that people come to; those after it keep their distance. */
      walk: z.number().int().min(0).max(1_000_000_000).optional(),
    }),
    output: location,
    failures: ['record.missing', 'location.name_taken', 'location.full'],
    invalidates: changed,
    summary: 'Gives a location another name, capacity or place on the walk; what lies below it goes along.',
  }),
  remove: call({
    path: '/locations/remove',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ _id: givenId }),
    output: z.object({ removed: z.number().int() }),
    failures: ['record.missing', 'location.in_use'],
    invalidates: ['locations.all'],
    summary: 'Removes a location with everything below it; refused while tyres lie there or are about to.',
  }),
  move: call({
    path: '/locations/move',
    who: ['admin'],
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      tyres: z.array(givenId).min(1).max(200),
      location: givenId,
      /** Of a scanned label: its second number, the site. */
      ticsId: z.number().int().nullish(),
      /** Made by the device: the same scan is applied once. */
      scanId: z.uuid().optional(),
      timestamp: z.union([moment, z.number().int().positive().max(8_640_000_000_000_000)]).optional(),
    }),
    output: z.object({
      stock_site_name: z.string(),
      stock_rack: z.string(),
      /** Tyres in stock, which lie there now. */
      moved: z.array(id),
      /** Tyres of submitted storages, which will when those are confirmed. */
      planned: z.array(id),
    }),
    failures: ['record.missing', 'location.full', 'tyre.status_refused'],
    invalidates: changed,
    summary:
      'Puts tyres on a location: those in stock lie there from now on, those of a submitted storage once it is confirmed. All or none.',
  }),
  plan: call({
    path: '/locations/plan',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ operation: givenId }),
    output: z.array(z.object({ db_id: id, location: id, stock_site_name: z.string(), stock_rack: z.string() })),
    failures: ['record.missing', 'operation.step'],
    invalidates: [],
    summary:
      'Where the tyres of a submitted storage go: suggested by the rule of put-away and kept free for them until it is handled. A tyre without room is left out.',
  }),
  labels: call({
    path: '/locations/labels',
    costly: true,
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ locations: z.array(givenId).min(1).max(labelsAtOnce), report_id: givenId }),
    output: z.string(),
    failures: ['record.missing', 'label.report_missing'],
    summary: 'The labels of these locations as a PDF, in base64, in the order asked.',
  }),
})
