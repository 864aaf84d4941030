/**
 * The wire format (docs/product/calls.md "Wire format"). These schemas decode one-item lists, `T` flags, `Y`/`N` and `YYYYMMDD` into
 * plain values. `item` is for answers and strict; `itemOrPlain` is for input and accepts both forms.
 */
import { z } from 'zod'
import { holidays, type ClosedDay } from '#domain/operations/closedDays.ts'
import { operationStatuses, wornDecisions } from '#domain/operations/operation.ts'
import { insertionMethods, modes, documentTypes, invoicingModes, invoicingQuantities } from '#domain/site.ts'
import { recommendedLimits } from '#domain/tyres/tread.ts'
import { operationTypes, offeredTypes, rims, setless, tyreStatuses } from '#domain/tyres/tyre.ts'
import { visible } from '#domain/texts/visible.ts'
import { list, rows } from './list.ts'

/** A one-item list of an answer, as its value. */
export const item = <S extends z.ZodType>(schema: S) => z.tuple([schema]).transform(([value]) => value as z.output<S>)

/** Input: a one-item list, or the plain value. */
export const itemOrPlain = <S extends z.ZodType>(schema: S) =>
  z.preprocess(value => (Array.isArray(value) ? value[0] : value), schema) as unknown as z.ZodType<
    z.output<S>,
    z.input<S> | [z.input<S>]
  >

/** The body of a call whose payload is one object, under its name or bare. `beside` are fields that stand next to the name. */
export const singlePayload = <N extends string, S extends z.ZodType<object>, R extends z.ZodRawShape = {}>(
  name: N,
  schema: S,
  beside?: R,
) => {
  const body = z.object({ [name]: schema, ...beside } as unknown as { [K in N]: S } & R)
  return z.preprocess(
    payload =>
      payload !== null && typeof payload === 'object' && !(name in payload) ? { ...payload, [name]: payload } : payload,
    body,
  ) as unknown as z.ZodType<z.output<typeof body>, z.input<typeof body>>
}

/** A file of a multipart call: bytes on the server, a `File` in the browser. */
export const upload = z.custom<Uint8Array | Blob>(value => value instanceof Uint8Array || value instanceof Blob)

export const id = z.number().int().min(1).max(2_147_483_647)
/** An id in input. */
export const inputId = itemOrPlain(id)

/** The input of a list that an administrator may ask for one customer; without a body, for all that the caller sees. */
export const ofCustomer = z
  .object({ seq_id: inputId.optional() })
  .optional()
  .transform(input => input ?? {})
/** Tyres in input, one to `most`: their ids, or objects that have them as `db_id`. */
export const inputTyres = (most: number) =>
  list(z.union([inputId, z.object({ db_id: inputId }).transform(tyre => tyre.db_id)]), most, 1)
/** A day, `YYYY-MM-DD`, from the year 1000 on: years are written with four digits everywhere. */
export const isoDate = z.iso.date().refine(date => date >= '1000-01-01')
export const moment = z.iso.datetime({ offset: true })

/** How warehouse lists name a tyre: whose it is, where on its vehicle it belongs, what it is. */
export const tyreNames = {
  companyname: z.string(),
  license_plate: z.string(),
  position: z.string(),
  description: z.string(),
  tyre_set: z.string(),
}

/** `T` means true, empty means false. */
export const flag = z.enum(['T', '']).transform(value => value === 'T')
/** `Y` or `N`. */
const yesOrNo = z.enum(['Y', 'N']).transform(value => value === 'Y')
/** A date of a tyre, `YYYYMMDD` on the wire. */
export const day = z
  .string()
  .regex(/^\d{8}$/)
  .transform(text => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)

const trimmed = z.string().transform(text => visible(text).trim())

/** Text that a person typed: trimmed, and without what nobody sees, which no database column or label can have. */
export const typedText = (max: number) => trimmed.pipe(z.string().max(max))

/** An e-mail address, or nothing. */
export const emailOrNothing = z.union([z.literal(''), typedText(100).pipe(z.email())])

/** The message for a text that is too long to be accepted at once, such as a file. It becomes `request.too_much`. */
export const tooMuch = 'too much'

/** The text of a search. */
export const searchText = (max: number) => trimmed.pipe(z.string().max(max, tooMuch))

/**
 * A tyre. `tyre_set` is `null` for a setless tyre; `operation` and `action` are those of the open operation that it is in; `season`
 * is that of its article and decides how much tread it needs.
 */
export const tyre = z.object({
  db_id: item(id),
  art_id: item(id),
  flt_id: item(id),
  position: item(z.string()),
  description: item(z.string()),
  season: item(z.string().nullable()),
  tyre_memo: item(z.string()),
  profile_depth: item(z.number().nullable()),
  profile_date: item(day.nullable()),
  profile_tacho: item(z.number().int().nullable()),
  status_date: item(day),
  tyre_status: item(z.enum(tyreStatuses)),
  stock_rack: item(z.string().nullable()),
  stock_site_name: item(z.string().nullable()),
  stock_rims: item(z.enum(rims).nullable()),
  stock_bolts: item(yesOrNo),
  stock_hubcaps: item(yesOrNo),
  tyre_set: item(z.string().transform(name => (name === setless ? null : name))),
  invoicedAt: item(day.nullable()),
  unknownArticle: item(flag),
  operation: item(id.nullable()),
  action: item(z.enum(operationTypes).nullable()),
})
export type Tyre = z.output<typeof tyre>

/** A tyre of an operation, with whether, when and how often it was scanned for it, and whether it was missing when it was confirmed. */
export const operationTyre = tyre.extend({
  license_plate: item(z.string()),
  vehicle_type: item(z.string()),
  scanned: item(flag),
  scanRegisteredAt: item(moment.nullable()),
  scanTimes: item(z.number().int()),
  missing: item(flag),
})
export type OperationTyre = z.output<typeof operationTyre>

const driver = z.object({
  name: item(z.string()),
  mobile_no: item(z.string()),
  telephone_no: item(z.string()),
  email: item(z.string()),
})

/** A vehicle. `configuration` is the description of its vehicle configuration, `null` while none is set. */
export const vehicle = z.object({
  flt_id: item(id),
  seq_id: item(id),
  customer_name: item(z.string()),
  license_plate: item(z.string()),
  number: item(z.string()),
  chassis_number: item(z.string()),
  brand: item(z.string()),
  description: item(z.string()),
  type: item(z.string()),
  configuration: item(z.string().nullable()),
  driver_name: item(z.string()),
  driver: item(driver),
  /** The depths in mm from which its customer wants other tyres. None while a node of a version without them answers. */
  min_tread_summer: item(z.number().nullable()).default(null),
  min_tread_winter: item(z.number().nullable()).default(null),
  /** The group that it belongs to, and how far it is expected to run a year in km. None while a node of a version without them answers. */
  cost_centre: item(z.string()).default(''),
  yearly_distance: item(z.number().int().nullable()).default(null),
  /** The day on which it goes back, as by its lease; the day on which it left the fleet, while tyres stay with it; and the plates that it had. */
  contract_end: item(isoDate.nullable()).default(null),
  left_on: item(isoDate.nullable()).default(null),
  former_plates: item(rows(z.string())).default([]),
  tyres: item(z.object({ tyre: rows(tyre) })).transform(({ tyre: tyres }) => tyres),
  /** The parts that its tyres have or last had, where that is known. Only answers about one vehicle have them; lists do not. */
  parts: rows(
    z.object({ db_id: id, withRims: z.enum(rims).nullable(), withBolts: z.boolean(), withHubcaps: z.boolean() }),
  ).default([]),
})
export type Vehicle = z.output<typeof vehicle>

export const axle = z
  .object({
    type: item(z.enum(['axle', 'separator'])),
    lift_axle: item(flag),
    drive_axle: item(flag),
    steering_axle: item(flag),
    wheels_left: item(z.number().int().min(0).max(7)),
    wheels_right: item(z.number().int().min(0).max(7)),
  })
  // the letters A to G run over both sides (docs/decisions/0008)
  .refine(({ wheels_left, wheels_right }) => wheels_left + wheels_right <= 7)
  .transform(a => ({
    type: a.type,
    lift: a.lift_axle,
    drive: a.drive_axle,
    steering: a.steering_axle,
    left: a.wheels_left,
    right: a.wheels_right,
  }))

/** A vehicle configuration, with axles as in domain/vehicles/axle.ts. */
export const vehicleConfig = z
  .object({
    description: item(z.string()),
    source: item(z.enum(['local', 'other'])),
    configuration: item(
      z.object({
        axle_height: item(z.number()),
        axle_width: item(z.number()),
        axles: item(z.object({ axle: rows(axle) })),
      }),
    ),
  })
  .transform(({ description, source, configuration }) => ({
    description,
    source,
    axle_height: configuration.axle_height,
    axle_width: configuration.axle_width,
    axles: configuration.axles.axle,
  }))
export type VehicleConfig = z.output<typeof vehicleConfig>

/** The other half of a season swap, which has a recall and a storage. */
export const swapHalf = z
  .object({
    _id: id,
    type: z.enum(operationTypes),
    status: z.enum(operationStatuses),
    tyre_count: z.number().int(),
    deliveryDate: isoDate.nullable(),
  })
  .nullable()
  // a node of a version without it answers none
  .default(null)
export type SwapHalf = NonNullable<z.output<typeof swapHalf>>

/** An operation. `seq_id` is its customer, `document` the id of its document, `null` when it has none. */
export const operation = z.object({
  _id: id,
  status: z.enum(operationStatuses),
  type: z.enum(operationTypes),
  user: z.object({ username: z.string(), fullname: z.string(), companyname: z.string() }),
  seq_id: id,
  flt_id: id,
  vehicle: z.object({ type: item(z.string()), license_plate: item(z.string()) }),
  tyres: rows(operationTyre),
  services: rows(id),
  transport: id.nullable(),
  /** Of a recall the day of its delivery, of a storage the day on which it arrives. */
  deliveryDate: isoDate.nullable(),
  created: moment,
  submitted: moment.nullable(),
  updated: moment,
  handledAt: moment.nullable(),
  remarks: z.string(),
  withRims: z.enum(rims).nullable(),
  withBolts: z.boolean(),
  withHubcaps: z.boolean(),
  tachometer: z.number().int().nullable(),
  /** The customer's decision on worn tyres. */
  wornTyres: z.enum(wornDecisions).nullable(),
  swap: swapHalf,
  document: id.nullable(),
})
export type Operation = z.output<typeof operation>

export const customer = z.object({
  seq_id: item(id),
  name: item(z.string()),
  companyname: item(z.string()),
  street: item(z.string()),
  zipcode: item(z.string()),
  city: item(z.string()),
  vehicles: item(z.number().int()),
})
export type Customer = z.output<typeof customer>

export const article = z.object({
  art_id: item(id),
  description: item(z.string()),
  brand: item(z.string()),
  season: item(z.string().nullable()),
})
export type Article = z.output<typeof article>

/** A document. `amount_excl` is in EUR without tax. */
export const document = z.object({
  db_id: item(id),
  document_number_text: item(z.string()),
  document_number_value: item(z.number().int()),
  date: item(day),
  document_type: item(z.enum(documentTypes)),
  amount_excl: item(z.number()),
})
export type Document = z.output<typeof document>

const descriptions = {
  description_nl: z.string(),
  description_fr: z.string(),
  description_en: z.string(),
  description_de: z.string(),
}

/** A transport method. `cutoffHour` is `HH:MM` in the site's time zone; a limit of 0 means no limit. */
export const transportMethod = z.object({
  _id: id,
  name: z.string(),
  code: z.string(),
  default: z.boolean(),
  ...descriptions,
  operationDays: rows(z.number().int().min(0).max(6)),
  advanceDays: z.number().int(),
  cutoffHour: z.string().nullable(),
  operationsPerDay: z.number().int(),
  tyresPerDay: z.number().int(),
})
export type TransportMethod = z.output<typeof transportMethod>

export const service = z.object({
  _id: id,
  icon: z.string().nullable(),
  name: z.string(),
  operation_type: z.enum(offeredTypes),
  article_number: z.string().nullable(),
  article_insertion_method: z.enum(insertionMethods),
  preselected: z.boolean(),
  blocked: z.boolean(),
  ...descriptions,
})
export type Service = z.output<typeof service>

export const labelReport = z.object({ rpt_number: item(id), rpt_name: item(z.string()) })

/** The part of a site's configuration that anybody may see, for the login screen. */
const siteBranding = z.object({
  name: z.string(),
  lang: z.enum(['dut', 'fre', 'eng', 'ger']),
  navlogoPath: z.string().nullable(),
  landinglogoPath: z.string().nullable(),
  faviconPath: z.string().nullable(),
  /** The name of the provider that one can sign in by, null for none; a node of the version before does not say. */
  signOn: z.string().nullish(),
})

export const branding = siteBranding.extend({
  /** Usernames that the login page of a demo offers; absent from any other portal. */
  demoLogins: rows(z.string()).optional(),
})

/** A day on which the site is closed. A public holiday is named in the reader's language. */
const closedDay = z.object({
  day: isoDate,
  holiday: z.enum(holidays).nullable(),
  name: z.string(),
}) satisfies z.ZodType<ClosedDay>

/** The configuration of a site for its accounts. Dates need `time_zone`, barcodes need `site_number`. */
export const siteConfig = siteBranding.extend({
  adminEmail: z.string(),
  mode: z.enum(modes),
  time_zone: z.string(),
  site_number: id,
  allowUnknownArticle: z.boolean(),
  unknownWinterArticleId: id.nullable(),
  unknownSummerArticleId: id.nullable(),
  unknownAllSeasonArticleId: id.nullable(),
  unknownSnowArticleId: id.nullable(),
  allowDetailedStockReport: z.boolean(),
  allowProfileDepth: z.boolean(),
  allowTachometer: z.boolean(),
  showTyresOnVehicle: z.boolean(),
  showTyresAtCustomer: z.boolean(),
  showWasteTyres: z.boolean(),
  /** In mm; the recommended ones while a node of a version without them answers. */
  minTreadSummer: z.number().default(recommendedLimits.minTreadSummer),
  minTreadWinter: z.number().default(recommendedLimits.minTreadWinter),
  minTreadTruckSummer: z.number().default(recommendedLimits.minTreadTruckSummer),
  minTreadTruckWinter: z.number().default(recommendedLimits.minTreadTruckWinter),
  invoicing_quantity: z.enum(invoicingQuantities),
  invoicing_mode: z.enum(invoicingModes),
  invoicing_period: z.number().int(),
  invoicing_article_id: id.nullable(),
  invoicing_document_type: z.enum(documentTypes),
  autoProcessIntakeOnFullScan: z.boolean(),
  /** They may not while a node of a version without the choice answers. */
  warehouseConfirmsMissing: z.boolean().default(false),
  /** Nothing is presumed while a node of a version without the choice answers. */
  presumeMounts: z.boolean().default(false),
  doDocInsert: z.boolean(),
  docInsertType: z.enum(documentTypes),
  /** Whether a confirmation asks first. It does while a node of a version without the choice answers. */
  docInsertAsks: z.boolean().default(true),
  docInsertExceptions: rows(z.enum(offeredTypes)),
  transportMethods: rows(transportMethod),
  /** None while a node of a version without them answers. */
  closedDays: rows(closedDay).default([]),
  /** Transport methods that were removed: operations that they delivered still name them. None while a node of a version without them answers. */
  removedTransports: rows(z.object({ _id: id, name: z.string(), ...descriptions })).default([]),
  services: rows(service),
})
export type SiteConfig = z.output<typeof siteConfig>
export type Branding = z.output<typeof branding>
