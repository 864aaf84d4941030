import { z } from 'zod'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { tyreStatuses } from '#domain/tyre.ts'
import { type AnswerName, call, feature } from './call.ts'
import { article, customer, document, given, givenId, id, sole, sought, typed, vehicle } from './wire.ts'

const vehicles: AnswerName[] = ['fleet.fetch', 'fleet.vehicle', 'operations.fetch', 'operations.admin']

/** The longest each field may be (SPEC §5 "Vehicle"). */
const vehicleData = z.object({
  license_plate: given(typed(40).pipe(z.string().min(1))),
  number: given(typed(40)).optional(),
  chassis_number: given(typed(17)).optional(),
  brand: given(typed(30).pipe(z.string().min(1))),
  description: given(typed(50).pipe(z.string().min(1))),
  type: given(typed(40).pipe(z.string().min(1))),
  configuration: given(typed(100).pipe(z.string().min(1))),
  driver: given(
    z.object({
      name: given(typed(42)).optional(),
      mobile_no: given(typed(25)).optional(),
      telephone_no: given(typed(25)).optional(),
      email: given(z.union([z.literal(''), typed(100).pipe(z.email())])).optional(),
    }),
  ).optional(),
})
export const newVehicle = vehicleData

export const fleet = feature('fleet', {
  fetch: call({
    path: '/fleet/fetch',
    who: ['user', 'admin'],
    input: z
      .object({
        seq_id: givenId.optional(),
        search: sought(100).optional(),
        license_plate: typed(40).optional(),
        last_vehicle: givenId.optional(),
        /** Only vehicles with a tyre of one of these statuses; none named is any vehicle. */
        tyre_status: z.array(z.enum(tyreStatuses)).max(tyreStatuses.length).optional(),
      })
      .optional()
      .transform(asked => asked ?? {}),
    output: z.array(vehicle),
    failures: ['record.missing'],
    summary:
      "A customer's fleet with its tyres. An administrator names the customer, or gets the site's vehicles by plate, by words found in a vehicle and a tyre of it (number, description, set, rack), or by the status of a tyre: in the order of their plates, 100 a page.",
  }),
  vehicle: call({
    path: '/fleet/vehicle',
    who: ['user', 'admin'],
    input: z.object({ flt_id: givenId }),
    output: vehicle,
    failures: ['record.missing'],
    summary: 'One vehicle with its tyres.',
  }),
  new: call({
    path: '/fleet/new',
    idempotent: true,
    who: ['user', 'admin'],
    input: z.object({ vehicleData, seq_id: givenId.optional() }),
    output: vehicle,
    failures: ['record.missing', 'vehicle.plate_taken'],
    invalidates: ['fleet.fetch'],
    summary: "Adds a vehicle to the caller's fleet; an administrator names the customer.",
  }),
  update: call({
    path: '/fleet/update',
    who: ['user', 'admin'],
    input: sole('vehicle', vehicleData.partial().extend({ flt_id: givenId })),
    output: z.object({ updatedVehicle: vehicle }),
    failures: ['record.missing', 'vehicle.plate_taken', 'vehicle.configuration_fixed'],
    invalidates: vehicles,
    summary:
      'Changes the fields of a vehicle that are given. A configuration is set once, where none is set and the mode allows it.',
  }),
  inactivate: call({
    path: '/fleet/inactivate',
    who: ['user', 'admin'],
    input: z.object({ flt_id: givenId }),
    output: z.object({ flt_id: id }),
    failures: ['record.missing', 'vehicle.in_use'],
    invalidates: vehicles,
    summary: 'Takes a vehicle out of the fleet; refused while it has tyres in stock or open operations.',
  }),
  history: call({
    path: '/fleet/history',
    who: ['user', 'admin'],
    input: z.object({ flt_id: givenId }),
    output: z.array(document),
    failures: ['record.missing'],
    summary: 'The documents of a vehicle, newest first.',
  }),
  historydocument: call({
    path: '/fleet/historydocument',
    costly: true,
    who: ['user', 'admin'],
    input: z.object({ db_id: givenId, doctype: z.enum([...documentTypes, 'sales_document']).optional() }),
    output: z.string(),
    failures: ['record.missing'],
    summary: 'A document as a PDF, in base64.',
  }),
  searcharticles: call({
    path: '/fleet/searcharticles',
    who: ['user', 'admin'],
    input: z.object({ search_value: sought(100), last_article: givenId.nullish() }),
    output: z.object({ articles: z.array(article), more_available: z.boolean() }),
    summary: 'Articles by size and speed, optionally * and a brand, or by text; the next page follows last_article.',
  }),
  findcustomerbyname: call({
    path: '/fleet/findcustomerbyname',
    who: ['admin'],
    input: z.object({ string: sought(100) }),
    output: z.array(customer),
    summary: 'The customers of the site whose name, company, code or city holds the words asked for, 50 at most.',
  }),
  getTyreLabels: call({
    path: '/fleet/getTyreLabels',
    costly: true,
    who: ['user', 'admin'],
    modes: hotelModes,
    input: z.object({
      tyres: z
        .array(z.union([givenId, z.object({ db_id: givenId }).transform(tyre => tyre.db_id)]))
        .min(1)
        .max(1000),
      report_id: givenId,
    }),
    output: z.string(),
    failures: ['record.missing', 'label.report_missing'],
    summary: 'The labels of these tyres as a PDF, in base64, in the order asked.',
  }),
})
