/** The configuration of a site, for its administrator and for superusers (docs/product/sites.md "Site configuration"). */
import { z } from 'zod'
import {
  insertionMethods,
  modes,
  siteImages,
  documentTypes,
  invoicingModes,
  invoicingQuantities,
  isSameCode,
} from '#domain/site.ts'
import { countries, holidays, maxClosedDayName, maxClosedDays } from '#domain/operations/closedDays.ts'
import { isServiceIcon } from '#domain/operations/serviceIcon.ts'
import { depth, offeredTypes } from '#domain/tyres/tyre.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { username } from './customers.ts'
import { list, rows } from './list.ts'
import { bounced } from './mail.ts'
import { passwordFailures } from './session.ts'
import { verbatim } from './readInput.ts'
import {
  emailOrNothing,
  inputId,
  id,
  isoDate,
  moment,
  service,
  siteConfig,
  transportMethod,
  typedText,
  upload,
} from './wire.ts'

const filled = (max: number) => typedText(max).pipe(z.string().min(1))
const descriptions = {
  description_nl: filled(200),
  description_fr: filled(200),
  description_en: filled(200),
  description_de: filled(200),
}
const count = (max: number) => z.number().int().min(0).max(max)
/** The price of one unit, in EUR without tax; 0 when the back office knows it. */
const price = z.number().min(0).max(99_999_999).multipleOf(0.01)
/** An address of a site: a host name in lower case, without scheme, port and path; `*` is every address that no site claims. */
export const siteUrl = typedText(253)
  .transform(text => {
    const [host = ''] = text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split(/[/:?#]/, 1)
    return host
  })
  .pipe(z.string().regex(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/))

/** The form of a transport method. Without `_id` it is new; without a weekday it could deliver nothing. A limit of 0 means no limit; `cutoffHour` is `HH:MM`. */
export const transportForm = z.object({
  _id: inputId.optional(),
  name: filled(60),
  code: filled(20),
  default: z.boolean(),
  ...descriptions,
  operationDays: list(z.number().int().min(0).max(6), 7, 1).transform(days => [...new Set(days)].sort()),
  advanceDays: count(180),
  cutoffHour: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  operationsPerDay: count(10_000),
  tyresPerDay: count(100_000),
})

/** The most transport methods of a site. */
const maxTransports = 100
/** The most services of a site. */
export const maxServices = 300

/** The form of a service. Without `_id` it is new. The article number is numeric, and only a line of text can do without. */
export const serviceForm = z
  .object({
    _id: inputId.optional(),
    icon: typedText(40).refine(isServiceIcon).nullable(),
    name: filled(60),
    operation_type: z.enum(offeredTypes),
    article_number: typedText(20)
      .pipe(z.string().regex(/^\d*$/))
      .nullable()
      .transform(number => number || null),
    article_insertion_method: z.enum(insertionMethods),
    preselected: z.boolean(),
    blocked: z.boolean(),
    ...descriptions,
    /** Without it the price stays as it is: older clients do not know prices. */
    price_excl: price.optional(),
  })
  .refine(form => form.article_insertion_method === 'text_line' || form.article_number !== null, {
    path: ['article_number'],
  })

/** A closed day: a public holiday by its key, or with a name of the site's own. */
export const closedDayForm = z.object({
  day: isoDate,
  holiday: z.enum(holidays).nullable(),
  name: typedText(maxClosedDayName),
})

/** The lists of a configuration, whose entries can also be saved one by one. A list that is left out stays as it is. */
const lists = {
  transportMethods: list(transportForm, maxTransports).optional(),
  closedDays: list(closedDayForm, maxClosedDays).optional(),
  services: list(serviceForm, maxServices).optional(),
}
type Row = { readonly _id?: number | undefined }
type Lists = {
  readonly transportMethods?: readonly (Row & { readonly code: string; readonly default: boolean })[] | undefined
  readonly closedDays?: readonly { readonly day: string }[] | undefined
  readonly services?: readonly Row[] | undefined
}

const sameId = (a: Row, b: Row) => a === b || (a._id !== undefined && a._id === b._id)

/** The entries that contradict another one of their list, by their path: an id, day or code twice, or a second default. */
export function contradictionsIn({ transportMethods = [], closedDays = [], services = [] }: Lists) {
  const contradictions: { path: (string | number)[]; input: unknown; message: string }[] = []
  const refuse = <E>(
    name: keyof Lists,
    entries: readonly E[],
    field: keyof E & string,
    same: (a: E, b: E) => boolean,
  ) =>
    entries.forEach((entry, nth) => {
      if (entries.findIndex(other => same(other, entry)) < nth)
        contradictions.push({ path: [name, nth, field], input: entry[field], message: 'twice' })
    })
  refuse('transportMethods', transportMethods, '_id', sameId)
  refuse('services', services, '_id', sameId)
  refuse('closedDays', closedDays, 'day', (a, b) => a.day === b.day)
  refuse('transportMethods', transportMethods, 'code', (a, b) => isSameCode(a.code, b.code))
  refuse('transportMethods', transportMethods, 'default', (a, b) => a === b || (a.default && b.default))
  return contradictions
}

/** The depth in mm from which a tyre should be replaced. */
const treadLimit = z.number().min(depth.min).max(depth.max).multipleOf(depth.step)

const articleId = id.nullable()

/** The longest session of an administrator, in hours: two weeks, as of everybody else. */
const maxSessionHours = 336

/** The fields that an administrator may change. */
const administered = z.object({
  name: filled(80),
  adminEmail: typedText(100).pipe(z.email()),
  lang: z.enum(['dut', 'fre', 'eng', 'ger']),
  time_zone: typedText(60),
  allowUnknownArticle: z.boolean(),
  unknownWinterArticleId: articleId,
  unknownSummerArticleId: articleId,
  unknownAllSeasonArticleId: articleId,
  unknownSnowArticleId: articleId,
  allowDetailedStockReport: z.boolean(),
  allowProfileDepth: z.boolean(),
  allowTachometer: z.boolean(),
  showTyresOnVehicle: z.boolean(),
  showTyresAtCustomer: z.boolean(),
  showWasteTyres: z.boolean(),
  /** Left out by older clients, these stay as they are. */
  minTreadSummer: treadLimit.optional(),
  minTreadWinter: treadLimit.optional(),
  minTreadTruckSummer: treadLimit.optional(),
  minTreadTruckWinter: treadLimit.optional(),
  invoicing_quantity: z.enum(invoicingQuantities),
  invoicing_mode: z.enum(invoicingModes),
  invoicing_period: z.number().int().min(1).max(3650),
  invoicing_article_id: articleId,
  invoicing_document_type: z.enum(documentTypes),
  invoicing_price_excl: price.optional(),
  autoProcessIntakeOnFullScan: z.boolean(),
  /** Left out by older clients, it stays as it is. */
  warehouseConfirmsMissing: z.boolean().optional(),
  /** Left out by older clients, it stays as it is. */
  presumeMounts: z.boolean().optional(),
  doDocInsert: z.boolean(),
  docInsertType: z.enum(documentTypes),
  /** Left out by older clients, it stays as it is. */
  docInsertAsks: z.boolean().optional(),
  /** Left out by older clients, these stay as they are. */
  adminsNeedFactor: z.boolean().optional(),
  adminSessionHours: z.number().int().min(1).max(maxSessionHours).optional(),
  docInsertExceptions: list(z.enum(offeredTypes), offeredTypes.length).transform(types => [...new Set(types)]),
  ...lists,
})
const maxUrls = 50
/** The fields that only a superuser may change, and has to fill in. */
export const superuserFields = z.object({
  webstreamAccount: filled(80),
  default_site_code: filled(40),
  urls: list(siteUrl, maxUrls, 1),
  mode: z.enum(modes),
})
/** The same from an administrator: left out, or as they were, which can be empty. */
const sentBack = superuserFields
  .extend({ webstreamAccount: typedText(80), default_site_code: typedText(40), urls: list(siteUrl, maxUrls) })
  .partial()

const unknownArticles = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
] as const satisfies (keyof z.output<typeof administered>)[]

/** The whole configuration, to be saved. `version` is the one that was edited; a newer one is not overwritten. */
export const configForm = administered
  .extend(sentBack.shape)
  .extend({ _id: inputId.optional(), version: z.number().int().min(0).optional() })
  .check(({ value, issues }) => {
    for (const contradiction of contradictionsIn(value)) issues.push({ code: 'custom', ...contradiction })
    if (!value.allowUnknownArticle) return
    for (const field of unknownArticles)
      if (value[field] === null)
        issues.push({ code: 'custom', path: [field], input: value[field], message: 'required' })
  })
export type ConfigForm = z.input<typeof configForm>

/** The whole configuration, to be edited. */
export const adminConfig = siteConfig.omit({ removedTransports: true, signOn: true }).extend({
  _id: id,
  version: z.number().int(),
  urls: rows(z.string()),
  webstreamAccount: z.string(),
  default_site_code: z.string(),
  invoicing_price_excl: z.number(),
  /** As while a node of a version without these answers. */
  adminsNeedFactor: z.boolean().default(false),
  adminSessionHours: z.number().int().default(12),
  transportMethods: rows(transportMethod),
  services: rows(service.extend({ price_excl: z.number() })),
})
export type AdminConfig = z.output<typeof adminConfig>

/** A site on the dashboard of superusers. */
export const hotelConfig = z.object({
  _id: id,
  name: z.string(),
  landinglogo: z.string().nullable(),
  navlogo: z.string().nullable(),
  favicon: z.string().nullable(),
  webstreamAccount: z.string(),
  adminEmail: z.string(),
  urls: rows(z.string()),
  mode: z.enum(modes),
  customer_count: z.number().int(),
  tyre_count: z.number().int(),
})
export type HotelConfig = z.output<typeof hotelConfig>

/** An administrator's account, for superusers. */
export const siteAdmin = z.object({
  _id: id,
  username: z.string(),
  fullname: z.string(),
  disabled: z.boolean(),
  created: moment,
  email: z.string().default(''),
  /** Messages to it do not arrive; `null` as long as none was given up, and once it is another one. */
  bounced: bounced.nullable().default(null),
})

/** A list in a form: repeated fields, or one field of JSON. */
const listed = <S extends z.ZodType>(each: S) =>
  z.preprocess(
    value => {
      if (typeof value !== 'string') return value
      try {
        const parsed: unknown = JSON.parse(value)
        return Array.isArray(parsed) ? parsed : [value]
      } catch {
        return [value]
      }
    },
    list(each, 50, 1),
  ) as unknown as z.ZodType<z.output<S>[], string | string[]>

/** The first steps at a new site, in order. */
export const firstSteps = ['logo', 'articles', 'racks', 'customers', 'vehicles', 'storage', 'invitation'] as const
export type FirstStep = (typeof firstSteps)[number]

const changed: AnswerName[] = ['site.gsc', 'hotelconfig.adminconfig', 'hotelconfig.getall']
/** Answers that change with the configuration. */
export const configChanges: AnswerName[] = [
  ...changed,
  'operations.fetch',
  'operations.admin',
  'operations.bookedtransportdays',
]

export const hotelconfig = feature('hotelconfig', {
  adminconfig: call({
    path: '/hotelconfig/adminconfig',
    scope: 'read',
    who: ['admin', 'superuser'],
    warehouse: false,
    input: z
      .object({ id: inputId.optional() })
      .optional()
      .transform(input => input ?? {}),
    output: adminConfig,
    failures: ['record.missing'],
    summary: "Answers the whole configuration of a site: the administrator's own, or the one that a superuser names.",
  }),
  edit: call({
    path: '/hotelconfig/edit',
    scope: null,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: z.preprocess(
      // the only payload is the configuration: bare, or under its name (docs/product/calls.md "Wire format")
      payload => (payload !== null && typeof payload === 'object' && 'config' in payload ? payload.config : payload),
      configForm,
    ) as unknown as z.ZodType<z.output<typeof configForm>, ConfigForm>,
    output: z.object({ config: adminConfig }),
    failures: [
      'record.missing',
      'session.forbidden',
      'session.stale',
      'config.changed',
      'config.factor_impossible',
      'config.url_taken',
      'config.article_missing',
      'config.transport_in_use',
    ],
    invalidates: configChanges,
    summary:
      'Saves the whole configuration of a site. Transport methods and services that a list leaves out are removed.',
  }),
  editentries: call({
    path: '/hotelconfig/editentries',
    scope: null,
    who: ['admin', 'superuser'],
    warehouse: false,
    idempotent: true,
    input: z.object({
      id: inputId.optional(),
      /** The version that was edited; a newer one is not overwritten. */
      version: z.number().int().min(0).optional(),
      ...lists,
      /** Entries to be removed. A transport method is removed by its own call, which moves its open operations. */
      removed: z
        .object({ closedDays: list(isoDate, maxClosedDays), services: list(inputId, maxServices) })
        .partial()
        .optional(),
    }),
    output: z.object({ config: adminConfig }),
    failures: ['record.missing', 'config.changed'],
    invalidates: configChanges,
    summary:
      'Saves or removes single transport methods, closed days and services of a site. An entry without an id is new; entries that are left out stay as they are.',
  }),
  plannedrecalls: call({
    path: '/hotelconfig/plannedrecalls',
    scope: 'read',
    who: ['admin', 'superuser'],
    warehouse: false,
    input: z.object({ id: inputId.optional(), days: list(isoDate, maxClosedDays) }),
    output: rows(z.object({ day: isoDate, recall_count: z.number().int() })),
    failures: ['record.missing'],
    summary: 'Counts the open recalls and storages of a site by their delivery date, for days that are to be closed.',
  }),
  editconfigimage: call({
    path: '/hotelconfig/editconfigimage',
    scope: null,
    costly: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    files: siteImages,
    input: z.object({
      id: inputId.optional(),
      landinglogo: upload.optional(),
      navlogo: upload.optional(),
      favicon: upload.optional(),
    }),
    output: z.object({
      landinglogoPath: z.string().nullable(),
      navlogoPath: z.string().nullable(),
      faviconPath: z.string().nullable(),
    }),
    failures: ['record.missing', 'image.missing', 'image.unreadable', 'image.too_large'],
    invalidates: changed,
    summary: 'Replaces images of a site. The server decodes each PNG, JPEG or WebP file and encodes it again.',
  }),
  getall: call({
    path: '/hotelconfig/getall',
    scope: null,
    who: ['superuser'],
    input: noInput,
    output: rows(hotelConfig),
    summary: 'Lists the sites that are not retired, by name.',
  }),
  new: call({
    path: '/hotelconfig/new',
    scope: null,
    who: ['superuser'],
    files: siteImages,
    input: z.object({
      name: filled(80),
      webstreamAccount: filled(80),
      adminEmail: typedText(100).pipe(z.email()),
      urls: listed(siteUrl),
      mode: z.enum(modes).default('both'),
      default_site_code: typedText(40).optional(),
      /** The language of the site; by default that of its country, or that of the creator if no country is given. */
      lang: z.enum(['dut', 'fre', 'eng', 'ger']).optional(),
      /** Whose time zone, holidays and usual services and transport methods it begins with; left out, it begins without. */
      country: z.enum(countries).optional(),
      /** The images are the generated mark: the first steps ask for the site's own. */
      generated: z.enum(['yes', 'no']).default('no'),
      landinglogo: upload.optional(),
      navlogo: upload.optional(),
      favicon: upload.optional(),
    }),
    output: z.object({ _id: id, message: z.string() }),
    failures: ['config.url_taken', 'image.missing', 'image.unreadable', 'image.too_large'],
    invalidates: changed,
    summary: 'Creates a site with its images and addresses, label reports and common vehicle configurations.',
  }),
  delete: call({
    path: '/hotelconfig/delete',
    scope: null,
    who: ['superuser'],
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Retires a site: nobody can sign in there, and its addresses are free. Its data stays.',
  }),
  firststeps: call({
    path: '/hotelconfig/firststeps',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({
      dismissed: z.boolean(),
      steps: rows(z.object({ step: z.enum(firstSteps), done: z.boolean() })),
    }),
    summary: 'Lists the first steps at a new site, each done or not by what the site has.',
  }),
  dismissfirststeps: call({
    path: '/hotelconfig/dismissfirststeps',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({ dismissed: z.boolean() }),
    invalidates: ['hotelconfig.firststeps'],
    summary: 'Puts the list of first steps away, for all administrators of the site.',
  }),
  admins: call({
    path: '/hotelconfig/admins',
    scope: null,
    who: ['superuser'],
    input: z.object({ id: inputId }),
    output: rows(siteAdmin),
    failures: ['record.missing'],
    summary: 'Lists the administrators of a site.',
  }),
  newadmin: call({
    path: '/hotelconfig/newadmin',
    scope: null,
    who: ['superuser'],
    input: z.object({
      id: inputId,
      username,
      fullname: typedText(100).optional(),
      /** Without one, the server makes one up and answers it, only this once. */
      password: verbatim(z.string().max(1000)).optional(),
      email: emailOrNothing.optional(),
      /** Sends the link to a password instead of making one up. */
      invite: z.boolean().optional(),
    }),
    output: siteAdmin.extend({ password: z.string().nullable() }),
    failures: [
      'record.missing',
      'session.stale',
      'account.name_taken',
      'account.name_deceptive',
      ...passwordFailures,
      'mail.off',
    ],
    invalidates: ['hotelconfig.admins'],
    summary: 'Creates an administrator of a site, such as its first one.',
  }),
})
