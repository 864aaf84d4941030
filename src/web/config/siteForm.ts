/** The values of the form of a site: its fields, which are saved together, and the sections that they are in. Pure. */
import { type AdminConfig, type ConfigForm, configForm, superuserFields } from '#contract/config.ts'
import { type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { sameValues } from '../ui/form/path.ts'
import { type Numeral, numberIn, numeral, priceIn } from './numerals.ts'

const numbers = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
  'unknownSnowArticleId',
  'invoicing_period',
  'adminSessionHours',
  'minTreadSummer',
  'minTreadWinter',
  'minTreadTruckSummer',
  'minTreadTruckWinter',
  'invoicing_article_id',
  'invoicing_price_excl',
] as const
export type NumericField = (typeof numbers)[number]

/** Set by the portal, or saved entry by entry. */
const unedited = [
  '_id',
  'version',
  'site_number',
  'navlogoPath',
  'landinglogoPath',
  'faviconPath',
  'transportMethods',
  'closedDays',
  'services',
] as const
export type SiteForm = Omit<AdminConfig, (typeof unedited)[number] | NumericField> & Record<NumericField, Numeral>
export type Field = keyof SiteForm

/** The fields that only a superuser may change. */
const extraFields = Object.keys(superuserFields.shape) as (keyof typeof superuserFields.shape)[]

const leftOut = <T extends object, F extends keyof T>(record: T, fields: readonly F[]): Omit<T, F> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field as F))) as Omit<T, F>

/** The form's values for a saved configuration. */
export const formOf = (config: AdminConfig): SiteForm => ({
  ...leftOut(config, unedited),
  ...(Object.fromEntries(numbers.map(field => [field, numeral(config[field])])) as Record<NumericField, Numeral>),
})

type Version = Pick<AdminConfig, '_id' | 'version'>

/** The input that saves a form over this version; for an administrator without fields that only a superuser may change. */
export function inputOf(values: SiteForm, { _id, version }: Version, superuser: boolean): ConfigForm {
  const form = {
    ...values,
    ...(Object.fromEntries(numbers.map(field => [field, numberIn(values[field])])) as Record<NumericField, number>),
    invoicing_price_excl: priceIn(values.invoicing_price_excl),
    version,
  }
  return superuser ? { ...form, _id } : leftOut(form, extraFields)
}

const anyVersion = { _id: 1, version: 0 }

/** The error of each field. */
export function errorsOf(values: SiteForm, superuser: boolean): FieldErrors {
  const input = inputOf(values, anyVersion, superuser)
  // Fields that only a superuser may change are validated for superusers only: an administrator could not correct them.
  return { ...(superuser && fieldErrorsOf(superuserFields, input)), ...fieldErrorsOf(configForm, input) }
}

/** The fields in which two forms differ; a number and its text are the same. */
export function changedFields(before: SiteForm, now: SiteForm): Field[] {
  const [was, is] = [inputOf(before, anyVersion, true), inputOf(now, anyVersion, true)]
  return (Object.keys(before) as Field[]).filter(field => !sameValues(was[field], is[field]))
}

/** The parts of the form, in their order. */
export const fieldSections = [
  'site',
  'signIn',
  'extra',
  'images',
  'tyres',
  'unknown',
  'invoicing',
  'documents',
  'intake',
] as const
export type FieldSection = (typeof fieldSections)[number]

/** Which part of the form a field is in. */
export const sectionOf = {
  name: 'site',
  adminEmail: 'site',
  lang: 'site',
  time_zone: 'site',
  adminsNeedFactor: 'signIn',
  adminSessionHours: 'signIn',
  webstreamAccount: 'extra',
  default_site_code: 'extra',
  urls: 'extra',
  mode: 'extra',
  allowDetailedStockReport: 'tyres',
  allowProfileDepth: 'tyres',
  allowTachometer: 'tyres',
  showTyresOnVehicle: 'tyres',
  showTyresAtCustomer: 'tyres',
  showWasteTyres: 'tyres',
  minTreadSummer: 'tyres',
  minTreadWinter: 'tyres',
  minTreadTruckSummer: 'tyres',
  minTreadTruckWinter: 'tyres',
  allowUnknownArticle: 'unknown',
  unknownWinterArticleId: 'unknown',
  unknownSummerArticleId: 'unknown',
  unknownAllSeasonArticleId: 'unknown',
  unknownSnowArticleId: 'unknown',
  invoicing_quantity: 'invoicing',
  invoicing_mode: 'invoicing',
  invoicing_period: 'invoicing',
  invoicing_article_id: 'invoicing',
  invoicing_document_type: 'invoicing',
  invoicing_price_excl: 'invoicing',
  doDocInsert: 'documents',
  docInsertType: 'documents',
  docInsertAsks: 'documents',
  docInsertExceptions: 'documents',
  autoProcessIntakeOnFullScan: 'intake',
  warehouseConfirmsMissing: 'intake',
  presumeMounts: 'intake',
} as const satisfies Record<Field, FieldSection>
