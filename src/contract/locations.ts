/** The warehouse: stock locations, the tyres on them, and where to put the next ones (docs/product/warehouse.md "Stock locations"). */
import { z } from 'zod'
import {
  maxCapacity,
  countLocations,
  kindsBelow,
  locationKinds,
  maxClass,
  placeTakes,
  maxLocationsAtOnce,
  maxLocationNameLength,
  expandNames,
} from '#domain/warehouse/location.ts'
import { hotelModes } from '#domain/site.ts'
import { returnable, wheelStates } from '#domain/tyres/wheel.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { inputId, id, moment, typedText } from './wire.ts'

const kind = z.enum(locationKinds)
const capacity = z.number().int().min(0).max(maxCapacity)

/**
 * A location. `walk` is its place on the way through the warehouse; `tyres` counts those on it, not those below it, and `coming` those of
 * submitted storages that are put or planned there.
 */
const location = z.object({
  _id: id,
  parent: id.nullable(),
  kind,
  name: z.string(),
  stock_site_name: z.string(),
  stock_rack: z.string(),
  walk: z.number().int(),
  capacity: z.number().int(),
  tyre_count: z.number().int(),
  /** 0 while a node of a version without it answers. */
  coming: z.number().int().default(0),
  /** Its limits: the largest outer diameter and width in mm, weight in kg, bare tyres or wheels. `null`: the limit of its parent applies. */
  maxDiameter: z.number().int().nullable().default(null),
  maxWidth: z.number().int().nullable().default(null),
  maxWeight: z.number().int().nullable().default(null),
  takes: z.enum(placeTakes).nullable().default(null),
})
export type Location = z.output<typeof location>

/** A tyre on a location. */
const storedTyre = z.object({
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
  /** Of a submitted storage: `placed` there already, or only `planned` there. `null`: in stock. */
  coming: z.enum(['placed', 'planned']).nullable().default(null),
})

/** Where a wheel is or was: its state, its location, and the place that the records had for it, or kept free. */
const whereabouts = z.object({
  db_id: id,
  state: z.enum(wheelStates),
  location: id.nullable(),
  kept: id.nullable(),
})

/** The most tyres in the list of a location. */
export const maxTyresListed = 500
/** The most labels of locations in one print. */
export const maxLabels = 1000

/** Locations to create in bulk: nested levels, each with the names of its pattern. */
const branchForm = z
  .object({
    /** The location to create them in; null for the top, where only locations of the kind `site` can be. */
    parent: inputId.nullable(),
    levels: list(z.object({ kind, pattern: z.string().max(500) }), locationKinds.length, 1),
    /** How many tyres fit on each location of the last level. */
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
    if (countLocations(value.levels.map(({ kind }, nth) => ({ kind, names: named[nth] ?? [] }))) > maxLocationsAtOnce)
      wrong('levels')
  })

/** Answers that contain the location of a tyre. */
const racks: AnswerName[] = [
  'fleet.fetch',
  'fleet.vehicle',
  'fleet.history',
  'tyres.events',
  'operations.admin',
  'operations.fetch',
]
/** The plan of put-away depends on the tyres of each location. */
const changed: AnswerName[] = ['cards.read', 'locations.all', 'locations.tyres', 'locations.plan', ...racks]

export const locations = feature('locations', {
  all: call({
    path: '/locations/all',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: rows(location),
    summary:
      'Lists the stock locations of the site, parents first, each with its capacity, the number of tyres on it, and of those that are coming.',
  }),
  tyres: call({
    path: '/locations/tyres',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ _id: inputId }),
    output: rows(storedTyre),
    failures: ['record.missing'],
    summary: `Lists at most ${maxTyresListed} tyres that lie on a location or below it or are coming there, in the order of the walk.`,
  }),
  make: call({
    path: '/locations/make',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    idempotent: true,
    input: branchForm,
    output: z.object({ made: z.number().int() }),
    failures: ['record.missing', 'location.name_taken'],
    invalidates: ['locations.all'],
    summary: 'Creates locations in bulk, in nested levels. The walk goes up one rack and down the next.',
  }),
  edit: call({
    path: '/locations/edit',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({
      _id: inputId,
      name: typedText(maxLocationNameLength).pipe(z.string().min(1)).optional(),
      /** Of a branch: the capacity of each of its locations that hold tyres. */
      capacity: capacity.optional(),
      /** Of a branch: the walk of its first location; the others keep their distance to it. */
      walk: z.number().int().min(0).max(1_000_000_000).optional(),
      maxDiameter: z.number().int().min(1).max(maxClass.size).nullable().optional(),
      maxWidth: z.number().int().min(1).max(maxClass.size).nullable().optional(),
      maxWeight: z.number().int().min(1).max(maxClass.weight).nullable().optional(),
      takes: z.enum(placeTakes).nullable().optional(),
    }),
    output: location,
    failures: ['record.missing', 'location.name_taken', 'location.too_small'],
    invalidates: changed,
    summary:
      'Changes the name, capacity, walk or class of a location, and of those below it accordingly: a class holds for whatever below has none of its own.',
  }),
  remove: call({
    path: '/locations/remove',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ _id: inputId }),
    output: z.object({ removed_count: z.number().int() }),
    failures: ['record.missing', 'location.in_use'],
    invalidates: ['locations.all'],
    summary: 'Removes a location and those below it. Refused while tyres are there or planned to be.',
  }),
  move: call({
    path: '/locations/move',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      tyres: list(inputId, 200, 1),
      location: inputId,
      /** The second number of a scanned label: its site. */
      ticsId: z.number().int().nullish(),
      /** Made by the device. The same scan is applied once. */
      scanId: z.uuid().optional(),
      timestamp: z.union([moment, z.number().int().positive().max(8_640_000_000_000_000)]).optional(),
    }),
    output: z.object({
      stock_site_name: z.string(),
      stock_rack: z.string(),
      /** Tyres in stock, which are there now. */
      moved: rows(id),
      /** Tyres of submitted storages, which will be there once these are confirmed. */
      planned: rows(id),
      /** Where their wheels were before. None while a node of a version without it answers. */
      former: rows(whereabouts).default([]),
    }),
    failures: ['record.missing', 'location.full', 'tyre.status_refused', 'wheel.step'],
    invalidates: [...changed, 'wheels.clearup', 'operations.trail', 'waves.all', 'waves.round', 'gate.read'],
    summary:
      'Puts tyres on a location, all or none: tyres in stock now, tyres of a submitted storage once it is confirmed. On a cart or a staging lane only their wheels are: the tyres keep their place.',
  }),
  unmove: call({
    path: '/locations/unmove',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      /** The location that the wheels were put on, and are on still. */
      location: inputId,
      /** Where each was before, as `/locations/move` answered it. */
      wheels: list(
        z.object({
          db_id: inputId,
          state: z.enum(returnable),
          location: inputId.nullable(),
          kept: inputId.nullable(),
        }),
        200,
        1,
      ),
    }),
    output: z.object({ returned: rows(id) }),
    failures: ['record.missing', 'record.changed', 'location.full', 'wheel.step'],
    invalidates: [
      ...changed,
      'wheels.clearup',
      'wheels.tally',
      'today.read',
      'operations.trail',
      'waves.all',
      'waves.round',
      'gate.read',
    ],
    summary:
      'Takes back that the caller put wheels on a location: each is again where it was, all or none, as long as nobody has moved one of them since.',
  }),
  plan: call({
    path: '/locations/plan',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ operation: inputId }),
    output: rows(z.object({ db_id: id, location: id, stock_site_name: z.string(), stock_rack: z.string() })),
    failures: ['record.missing', 'operation.step'],
    invalidates: [],
    summary:
      'Suggests locations for the tyres of a submitted storage and reserves them until the operation is handled. Tyres for which there is no room are left out.',
  }),
  labels: call({
    path: '/locations/labels',
    scope: 'read',
    costly: true,
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ locations: list(inputId, maxLabels, 1), report_id: inputId }),
    output: z.string(),
    failures: ['record.missing', 'label.report_missing'],
    summary: 'Answers the labels of these locations, in the given order, as a PDF in base64.',
  }),
})
