import { z } from 'zod'
import { changeSeasons } from '#domain/season/seasonChange.ts'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { depth, seasons, tyreStatuses } from '#domain/tyres/tyre.ts'
import { vehicleKinds, vehicleLimits, yearlyDistance } from '#domain/vehicles/vehicle.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import {
  article,
  customer,
  document,
  emailOrNothing,
  itemOrPlain,
  inputId,
  inputTyres,
  id,
  isoDate,
  ofCustomer,
  singlePayload,
  searchText,
  typedText,
  vehicle,
} from './wire.ts'

const vehicles: AnswerName[] = [
  'fleet.health',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.fetch',
  'fleet.vehicle',
  'operations.fetch',
  'operations.admin',
]

/** How many vehicles of the site an administrator gets at once. */
export const vehiclesPerPage = 100
/** How many vehicles of a large fleet a list begins with: what its first page shows. */
export const firstVehicles = 50
/** A fleet of no more vehicles is answered whole. */
export const smallFleet = 200

/** The fields of a vehicle with their limits (docs/product/vehicles.md "Vehicles"). */
const vehicleData = z.object({
  license_plate: itemOrPlain(typedText(40).pipe(z.string().min(1))),
  number: itemOrPlain(typedText(40)).optional(),
  chassis_number: itemOrPlain(typedText(17)).optional(),
  brand: itemOrPlain(typedText(30).pipe(z.string().min(1))),
  description: itemOrPlain(typedText(50).pipe(z.string().min(1))),
  type: itemOrPlain(typedText(40).pipe(z.string().min(1))),
  configuration: itemOrPlain(typedText(100).pipe(z.string().min(1))),
  /** The group of vehicles that it belongs to. */
  cost_centre: itemOrPlain(typedText(vehicleLimits.cost_centre)).optional(),
  /** How far it is expected to run a year, in km; `null`: nobody says. */
  yearly_distance: itemOrPlain(z.number().int().min(yearlyDistance.min).max(yearlyDistance.max).nullable()).optional(),
  /** The day on which it goes back; `null`: nobody says. */
  contract_end: itemOrPlain(isoDate.nullable()).optional(),
  driver: itemOrPlain(
    z.object({
      name: itemOrPlain(typedText(42)).optional(),
      mobile_no: itemOrPlain(typedText(25)).optional(),
      telephone_no: itemOrPlain(typedText(25)).optional(),
      email: itemOrPlain(emailOrNothing).optional(),
    }),
  ).optional(),
})
export const newVehicle = vehicleData

/** A vehicle's data in a public register; `null` where the register says nothing. */
const registeredVehicle = z.object({
  brand: z.string(),
  description: z.string(),
  type: z.enum(vehicleKinds).nullable(),
  first_admission: isoDate.nullable(),
  wheel_count: z.number().int().nullable(),
})

/** A line of a fleet's health: how many vehicles, how many findings (tyres, sets) they have together, and the first few of them. */
const healthLine = z.object({
  vehicle_count: z.number().int(),
  finding_count: z.number().int(),
  first_vehicles: rows(z.object({ flt_id: id, license_plate: z.string() })),
})
export type HealthLine = z.output<typeof healthLine>

export const fleet = feature('fleet', {
  fetch: call({
    path: '/fleet/fetch',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    input: z
      .object({
        seq_id: inputId.optional(),
        search: searchText(100).optional(),
        license_plate: typedText(40).optional(),
        last_vehicle: inputId.optional(),
        /** Of a customer's fleet that is not small (`smallFleet`) no more than so many vehicles, the first by plate: 2 before 10. */
        first: z.number().int().min(1).max(vehiclesPerPage).optional(),
        /** Only vehicles that have a tyre in one of these states; an empty list means all vehicles. */
        tyre_status: list(z.enum(tyreStatuses), tyreStatuses.length).optional(),
        /** Only vehicles that have a tyre of one of these seasons; an empty list means all. */
        tyre_season: list(z.enum(seasons), seasons.length).optional(),
        /** Only vehicles that have a tyre of at most this tread depth, in mm. With the others given it is one tyre that has all of it. */
        tyre_depth: z.number().min(depth.min).max(depth.max).optional(),
      })
      .optional()
      .transform(input => input ?? {}),
    output: rows(vehicle),
    failures: ['record.missing'],
    summary:
      'Lists the vehicles of a customer with their tyres. An administrator names the customer, or searches all vehicles of the site by plate, by words in a vehicle or one of its tyres (number, description, set, rack), or by the state, season or tread depth of a tyre: by plate, 100 a page. `first` answers only the first vehicles of a customer with more than 200.',
  }),
  health: call({
    path: '/fleet/health',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: ofCustomer,
    output: z.object({
      /** Tyres below the minimum of the law today. This and the next three are null where the site hides depth. */
      illegal: healthLine.nullable(),
      /** Tyres below the limit of the site or the customer. */
      worn: healthLine.nullable(),
      /** Tyres that are not below it, and as likely as not will be before the season ends in which they are driven next. */
      reaching: healthLine.nullable().default(null),
      unmeasured: healthLine.nullable(),
      /** Vehicles without winter tyres for which the law of the country asks. */
      lackingWinter: healthLine,
      withoutWinter: healthLine,
      /** Tyres in stock for longer than two seasons. This and the deliveries are null where there is no tyre hotel. */
      longStored: healthLine.nullable(),
      /** Sets of which a tyre is missing. */
      incomplete: healthLine,
      /** Recalls that were delivered within the last seven days, today included. */
      delivered: z.object({ operation_count: z.number().int(), tyre_count: z.number().int() }).nullable(),
    }),
    failures: ['record.missing'],
    summary:
      "Says what of a customer's fleet needs attention today: tyres by the verdict on their depth, tyres that reach their limit this season, vehicles without winter tyres, tyres stored for long, incomplete sets, deliveries of the week. An administrator names the customer.",
  }),
  reaching: call({
    path: '/fleet/reaching',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: ofCustomer,
    output: z.object({
      tyres: rows(id),
      /** From when to when nine of ten such tyres do so, and at which depth in mm; without those that are at their limit today. */
      estimates: rows(z.object({ tyre: id, limit: z.number(), from: isoDate, until: isoDate })).default([]),
    }),
    failures: ['record.missing'],
    summary:
      'Says which tyres of a customer reach the limit of the site, the customer or the law before the season ends in which they are driven next, as likely as not, and when; none where the site hides depth. An administrator names the customer.',
  }),
  nearing: call({
    path: '/fleet/nearing',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ seq_id: inputId.optional(), season: z.enum(changeSeasons) }),
    output: z.object({ tyres: rows(z.object({ tyre: id, from: isoDate, until: isoDate })) }),
    failures: ['record.missing'],
    summary:
      'Says which tyres of a customer may wear down to their limit before the next season of that name ends, and from when to when nine of ten do so; none where the site hides depth. An administrator names the customer.',
  }),
  vehicle: call({
    path: '/fleet/vehicle',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: vehicle,
    failures: ['record.missing'],
    summary: 'Answers one vehicle with its tyres.',
  }),
  registered: call({
    path: '/fleet/registered',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    costly: true,
    workKind: 'list',
    input: z.object({ license_plate: typedText(40) }),
    output: z.object({
      /** `off`: the operator has no register, or none for such a plate; `unavailable`: it did not answer in time. */
      state: z.enum(['off', 'unknown', 'found', 'unavailable']),
      vehicle: registeredVehicle.nullable(),
    }),
    summary: 'Says what the public register of vehicles knows of a plate, where the operator has switched it on.',
  }),
  new: call({
    path: '/fleet/new',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ vehicleData, seq_id: inputId.optional() }),
    output: vehicle,
    failures: ['record.missing', 'vehicle.plate_taken'],
    invalidates: ['fleet.fetch', 'fleet.health', 'fleet.nearing', 'fleet.reaching'],
    summary: "Adds a vehicle to the caller's fleet, or to that of the customer whom an administrator names.",
  }),
  update: call({
    path: '/fleet/update',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: singlePayload('vehicle', vehicleData.partial().extend({ flt_id: inputId })),
    output: z.object({ updatedVehicle: vehicle }),
    failures: ['record.missing', 'vehicle.plate_taken', 'vehicle.configuration_fixed'],
    invalidates: vehicles,
    summary: 'Changes the given fields of a vehicle. Its configuration can be set once, in hotel modes.',
  }),
  inactivate: call({
    path: '/fleet/inactivate',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: z.object({ flt_id: id }),
    failures: ['record.missing', 'vehicle.in_use'],
    invalidates: vehicles,
    summary: 'Removes a vehicle from the fleet. Refused while it has tyres in stock or open operations.',
  }),
  transfer: call({
    path: '/fleet/transfer',
    scope: 'operations',
    who: ['admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId, seq_id: inputId, date: isoDate }),
    output: vehicle,
    failures: ['record.missing', 'vehicle.operations_open', 'vehicle.transfer_date', 'vehicle.plate_taken'],
    invalidates: [...vehicles, 'invoicing.customers', 'invoicing.left'],
    summary:
      'Gives a vehicle and its tyres to another customer. Stored days up to and including the date, and all that happened, stay with the former one. Refused while operations of the vehicle are open.',
  }),
  history: call({
    path: '/fleet/history',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: rows(document),
    failures: ['record.missing'],
    summary: 'Lists the documents of a vehicle, newest first.',
  }),
  historydocument: call({
    path: '/fleet/historydocument',
    scope: 'read',
    costly: true,
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({ db_id: inputId, doctype: z.enum([...documentTypes, 'sales_document']).optional() }),
    output: z.string(),
    failures: ['record.missing'],
    summary: 'Answers a document as a PDF in base64.',
  }),
  searcharticles: call({
    path: '/fleet/searcharticles',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ search_value: searchText(100), last_article: inputId.nullish() }),
    output: z.object({ articles: rows(article), more_available: z.boolean() }),
    summary:
      'Searches articles by size and speed index, optionally followed by * and a brand, or by text; the next page follows last_article.',
  }),
  findcustomerbyname: call({
    path: '/fleet/findcustomerbyname',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: z.object({ string: searchText(100) }),
    output: rows(customer),
    summary: 'Lists at most 50 customers of the site who have the words in their name, company, code or city.',
  }),
  getTyreLabels: call({
    path: '/fleet/getTyreLabels',
    scope: 'read',
    costly: true,
    who: ['user', 'admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({
      tyres: inputTyres(1000),
      report_id: inputId,
    }),
    output: z.string(),
    failures: ['record.missing', 'label.report_missing'],
    invalidates: ['labels.day'],
    summary: 'Answers the labels of these tyres, in the given order, as a PDF in base64.',
  }),
})
