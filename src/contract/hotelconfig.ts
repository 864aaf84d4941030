/** A site's configuration as its administrator and the superuser edit it (SPEC §3 "Site config", "Hotel config", §7). */
import { z } from 'zod'
import {
  insertionMethods,
  modes,
  siteImages,
  documentTypes,
  invoicingModes,
  invoicingQuantities,
} from '#domain/site.ts'
import { isServiceIcon } from '#domain/serviceIcon.ts'
import { offeredTypes } from '#domain/tyre.ts'
import { type AnswerName, call, feature } from './call.ts'
import { givenId, id, moment, service, siteConfig, transportMethod, typed, upload } from './wire.ts'

const filled = (max: number) => typed(max).pipe(z.string().min(1))
const descriptions = {
  description_nl: filled(200),
  description_fr: filled(200),
  description_en: filled(200),
  description_de: filled(200),
}
const count = (max: number) => z.number().int().min(0).max(max)
/** What is charged for one, in EUR without tax; 0 when the back office knows it. */
const price = z.number().min(0).max(99_999_999).multipleOf(0.01)
/** An address of a site: a host without scheme, port and path, in small letters; `*` is every address that no site claims. */
export const siteUrl = typed(253)
  .transform(text => {
    const [host = ''] = text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split(/[/:?#]/, 1)
    return host
  })
  .pipe(z.string().regex(/^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/))

/** SPEC §5 "Transport method form". One without `_id` is new. A limit of 0 is no limit; `cutoffHour` is `HH:MM`. */
export const transportForm = z.object({
  _id: givenId.optional(),
  name: filled(60),
  code: filled(20),
  default: z.boolean(),
  ...descriptions,
  operationDays: z.array(z.number().int().min(0).max(6)).transform(days => [...new Set(days)].sort()),
  advanceDays: count(180),
  cutoffHour: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  operationsPerDay: count(10_000),
  tyresPerDay: count(100_000),
})

/** SPEC §5 "Service form". One without `_id` is new. An article number is numeric, and not needed for a line of text. */
export const serviceForm = z
  .object({
    _id: givenId.optional(),
    icon: typed(40).refine(isServiceIcon).nullable(),
    name: filled(60),
    operation_type: z.enum(offeredTypes),
    article_number: typed(20)
      .pipe(z.string().regex(/^\d*$/))
      .nullable()
      .transform(number => number || null),
    article_insertion_method: z.enum(insertionMethods),
    preselected: z.boolean(),
    blocked: z.boolean(),
    ...descriptions,
    /** Left out by a client that knows no prices: what it was. */
    price_excl: price.optional(),
  })
  .refine(form => form.article_insertion_method === 'text_line' || form.article_number !== null, {
    path: ['article_number'],
  })

const articleId = id.nullable()

/** What an administrator may change. The rules between fields are SPEC §5 "Site config". */
const administered = z.object({
  name: filled(80),
  adminEmail: typed(100).pipe(z.email()),
  lang: z.enum(['dut', 'fre', 'eng', 'ger']),
  time_zone: typed(60),
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
  invoicing_quantity: z.enum(invoicingQuantities),
  invoicing_mode: z.enum(invoicingModes),
  invoicing_period: z.number().int().min(1).max(3650),
  invoicing_article_id: articleId,
  invoicing_document_type: z.enum(documentTypes),
  invoicing_price_excl: price.optional(),
  autoProcessIntakeOnFullScan: z.boolean(),
  doDocInsert: z.boolean(),
  docInsertType: z.enum(documentTypes),
  docInsertExceptions: z.array(z.enum(offeredTypes)).transform(types => [...new Set(types)]),
  transportMethods: z.array(transportForm).max(100),
  services: z.array(serviceForm).max(300),
})
const urls = z.array(siteUrl).max(50)
/** What only a superuser may change (SPEC §6), and has to fill in. */
export const superuserFields = z.object({
  webstreamAccount: filled(80),
  default_site_code: filled(40),
  urls: urls.min(1),
  mode: z.enum(modes),
})
/** An administrator sends them back as they were, which may be empty, or not at all. */
const sentBack = superuserFields.extend({ webstreamAccount: typed(80), default_site_code: typed(40), urls }).partial()

const unknownArticles = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
] as const satisfies (keyof z.output<typeof administered>)[]

/** The whole configuration as it is saved. `version` is the one that was edited: a newer one is not overwritten. */
export const configForm = administered
  .extend(sentBack.shape)
  .extend({ _id: givenId.optional(), version: z.number().int().min(0).optional() })
  .check(({ value, issues }) => {
    for (const list of ['transportMethods', 'services'] as const)
      value[list].forEach(({ _id }, nth) => {
        if (_id !== undefined && value[list].findIndex(row => row._id === _id) < nth)
          issues.push({ code: 'custom', path: [list, nth, '_id'], input: _id, message: 'twice' })
      })
    value.transportMethods
      .filter(method => method.default)
      .slice(1)
      .forEach(method => {
        const path = ['transportMethods', value.transportMethods.indexOf(method), 'default']
        issues.push({ code: 'custom', path, input: true, message: 'one default at most' })
      })
    if (!value.allowUnknownArticle) return
    for (const field of unknownArticles)
      if (value[field] === null)
        issues.push({ code: 'custom', path: [field], input: value[field], message: 'required' })
  })
export type ConfigForm = z.input<typeof configForm>

/** The whole configuration as it is read for editing. */
export const adminConfig = siteConfig.extend({
  _id: id,
  version: z.number().int(),
  urls: z.array(z.string()),
  webstreamAccount: z.string(),
  default_site_code: z.string(),
  invoicing_price_excl: z.number(),
  transportMethods: z.array(transportMethod),
  services: z.array(service.extend({ price_excl: z.number() })),
})
export type AdminConfig = z.output<typeof adminConfig>

/** SPEC §3 "Hotel config", with its mode and how much there is of it. */
export const hotelConfig = z.object({
  _id: id,
  name: z.string(),
  landinglogo: z.string().nullable(),
  navlogo: z.string().nullable(),
  favicon: z.string().nullable(),
  webstreamAccount: z.string(),
  adminEmail: z.string(),
  urls: z.array(z.string()),
  mode: z.enum(modes),
  customers: z.number().int(),
  tyres: z.number().int(),
})
export type HotelConfig = z.output<typeof hotelConfig>

/** An administrator's account of a site, as the superuser sees it. */
export const siteAdmin = z.object({
  _id: id,
  username: z.string(),
  fullname: z.string(),
  disabled: z.boolean(),
  created: moment,
})

/** A form field that lists: repeated, or one text of JSON. */
const listed = <S extends z.ZodType>(each: S) =>
  z.preprocess(value => {
    if (typeof value !== 'string') return value
    try {
      const parsed: unknown = JSON.parse(value)
      return Array.isArray(parsed) ? parsed : [value]
    } catch {
      return [value]
    }
  }, z.array(each).min(1).max(50)) as unknown as z.ZodType<z.output<S>[], string | string[]>

const changed: AnswerName[] = ['site.gsc', 'hotelconfig.adminconfig', 'hotelconfig.getall']

export const hotelconfig = feature('hotelconfig', {
  adminconfig: call({
    path: '/hotelconfig/adminconfig',
    who: ['admin', 'superuser'],
    input: z
      .object({ id: givenId.optional() })
      .optional()
      .transform(asked => asked ?? {}),
    output: adminConfig,
    failures: ['record.missing'],
    summary: "The whole configuration of a site: an administrator's own, a superuser names it.",
  }),
  edit: call({
    path: '/hotelconfig/edit',
    who: ['admin', 'superuser'],
    input: z.preprocess(
      // the whole config is the only payload: bare, or under its name (DESIGN §4)
      asked => (asked !== null && typeof asked === 'object' && 'config' in asked ? asked.config : asked),
      configForm,
    ) as unknown as z.ZodType<z.output<typeof configForm>, ConfigForm>,
    output: z.object({ config: adminConfig }),
    failures: ['record.missing', 'session.forbidden', 'config.changed', 'config.url_taken', 'config.article_missing'],
    invalidates: [...changed, 'operations.fetch', 'operations.admin', 'operations.bookedtransportdays'],
    summary: 'Saves the whole configuration of a site; transport methods and services that are left out are removed.',
  }),
  editconfigimage: call({
    path: '/hotelconfig/editconfigimage',
    costly: true,
    who: ['admin', 'superuser'],
    files: siteImages,
    input: z.object({
      id: givenId.optional(),
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
    summary: 'Exchanges one image of a site: PNG, JPEG or WebP, which is decoded and made anew.',
  }),
  getall: call({
    path: '/hotelconfig/getall',
    who: ['superuser'],
    input: z.unknown().transform(() => ({})),
    output: z.array(hotelConfig),
    summary: 'The sites that are not retired, by name.',
  }),
  new: call({
    path: '/hotelconfig/new',
    who: ['superuser'],
    files: siteImages,
    input: z.object({
      name: filled(80),
      webstreamAccount: filled(80),
      adminEmail: typed(100).pipe(z.email()),
      urls: listed(siteUrl),
      mode: z.enum(modes).default('both'),
      default_site_code: typed(40).optional(),
      landinglogo: upload.optional(),
      navlogo: upload.optional(),
      favicon: upload.optional(),
    }),
    output: z.object({ _id: id, message: z.string() }),
    failures: ['config.url_taken', 'image.missing', 'image.unreadable', 'image.too_large'],
    invalidates: changed,
    summary: 'Makes a site with its images and addresses, label layouts and vehicle configurations.',
  }),
  delete: call({
    path: '/hotelconfig/delete',
    who: ['superuser'],
    input: z.object({ _id: givenId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Retires a site: nobody can sign in there and its addresses are free; its data stays.',
  }),
  admins: call({
    path: '/hotelconfig/admins',
    who: ['superuser'],
    input: z.object({ id: givenId }),
    output: z.array(siteAdmin),
    failures: ['record.missing'],
    summary: 'The administrators of a site.',
  }),
  newadmin: call({
    path: '/hotelconfig/newadmin',
    who: ['superuser'],
    input: z.object({
      id: givenId,
      username: filled(60),
      fullname: typed(100).optional(),
      /** Without one, one is made up and answered, this once. */
      password: z.string().max(1000).optional(),
    }),
    output: siteAdmin.extend({ password: z.string().nullable() }),
    failures: ['record.missing', 'account.name_taken', 'account.password_weak'],
    invalidates: ['hotelconfig.admins'],
    summary: "Makes an administrator's account at a site, its first one above all.",
  }),
})
