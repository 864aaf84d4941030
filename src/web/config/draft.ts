/**
 * A site's configuration while it is edited: the values of the fields, the changes, and the merge with what another
 * user has saved. Pure; the form and its lists use it.
 */
import { type AdminConfig, type ConfigForm, configForm, superuserFields } from '#contract/hotelconfig.ts'
import { isHotel } from '#domain/site.ts'
import { type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { mergedClosed } from './closedDayDraft.ts'
import { tidyTime } from './time.ts'

/** The value of a number field: the number, or the text of an incomplete one; empty for none. */
export type Numeral = number | string
const numeral = (value: number | null): Numeral => value ?? ''
/** The number in a field; `null` for none. */
export function numberIn(field: Numeral): number | null {
  const number = typeof field === 'number' ? field : field.trim() === '' ? Number.NaN : Number(field)
  return Number.isFinite(number) ? number : null
}

/**
 * Parses an amount in EUR: the last comma or point is the decimal one in any language, so that a price copied from elsewhere never becomes a hundred
 * times itself. `null` for text that is no amount.
 */
export function amountIn(field: Numeral): number | null {
  if (typeof field === 'number') return field
  const text = field.replaceAll(/[\s€'’]/g, '')
  const parts = /^(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,](\d*))?$/.exec(text)
  if (!parts) return null
  const [, whole = '', decimals = ''] = parts
  const grouped = /[.,]/.test(whole)
  // `1.234` is ambiguous: the user decides
  if (grouped && decimals === '') return null
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`)
}
/** The price to send: 0 for none, not a number for an invalid amount. */
const priceIn = (field: Numeral): number => (field === '' ? 0 : (amountIn(field) ?? Number.NaN))

type Held<T, N extends keyof T> = Omit<T, N> & Record<N, Numeral>
/** `key` names an entry of a list while it has no `_id` yet. */
type Listed<T extends { _id: number }> = Omit<T, '_id'> & { key: string; _id?: number }

const transportNumbers = ['advanceDays', 'operationsPerDay', 'tyresPerDay'] as const
export type TransportDraft = Omit<
  Listed<Held<AdminConfig['transportMethods'][number], (typeof transportNumbers)[number]>>,
  'cutoffHour'
> & { cutoffHour: string }

type SavedService = AdminConfig['services'][number]
export type ServiceDraft = Omit<Listed<Held<SavedService, 'price_excl'>>, 'article_number' | 'operation_type'> & {
  article_number: string
  operation_type: SavedService['operation_type'] | null
}

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

const unedited = ['_id', 'version', 'site_number', 'navlogoPath', 'landinglogoPath', 'faviconPath'] as const
export type Draft = Held<
  Omit<AdminConfig, (typeof unedited)[number] | 'transportMethods' | 'services'>,
  NumericField
> & {
  transportMethods: TransportDraft[]
  services: ServiceDraft[]
}
export type Field = keyof Draft
export type List = 'transportMethods' | 'services'
export type Entry<L extends List> = Draft[L][number]

/** The fields that only a superuser may change. */
const extraFields = Object.keys(superuserFields.shape) as (keyof typeof superuserFields.shape)[]

const transportDraft = ({ _id, ...method }: AdminConfig['transportMethods'][number]): TransportDraft => ({
  ...method,
  key: String(_id),
  _id,
  // the wire may carry seconds, which no cut-off has
  cutoffHour: method.cutoffHour?.slice(0, 5) ?? '',
})
const serviceDraft = ({ _id, ...service }: SavedService): ServiceDraft => ({
  ...service,
  key: String(_id),
  _id,
  article_number: service.article_number ?? '',
})

const leftOut = <T extends object, F extends keyof T>(record: T, fields: readonly F[]): Omit<T, F> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field as F))) as Omit<T, F>

/** The form's values for a saved configuration. */
export function draftOf(config: AdminConfig): Draft {
  return {
    ...leftOut(config, unedited),
    ...(Object.fromEntries(numbers.map(field => [field, numeral(config[field])])) as Record<NumericField, Numeral>),
    transportMethods: config.transportMethods.map(transportDraft),
    services: config.services.map(serviceDraft),
  }
}

let lastKey = 0
/** The key of an entry that is not saved yet. */
const newKey = (): string => `new-${(lastKey += 1)}`

const descriptions = { description_nl: '', description_fr: '', description_en: '', description_de: '' }
export const newTransport = (first: boolean): TransportDraft => ({
  key: newKey(),
  name: '',
  code: '',
  default: first,
  ...descriptions,
  operationDays: [1, 2, 3, 4, 5],
  advanceDays: 1,
  cutoffHour: '',
  operationsPerDay: 0,
  tyresPerDay: 0,
})
export const newService = (): ServiceDraft => ({
  key: newKey(),
  icon: null,
  name: '',
  operation_type: null,
  article_number: '',
  article_insertion_method: 'per_tyre',
  preselected: false,
  blocked: false,
  ...descriptions,
  price_excl: 0,
})

/** Another one like it, not saved yet; there is one default transport only. */
export function copyOf<E extends TransportDraft | ServiceDraft>(entry: E): E {
  const { _id, ...copy } = entry
  return { ...copy, key: newKey(), ...('default' in copy && { default: false }) } as E
}

export const transportInput = (method: TransportDraft) => ({
  ...leftOut(method, ['key']),
  cutoffHour: tidyTime(method.cutoffHour) || null,
  ...(Object.fromEntries(transportNumbers.map(field => [field, numberIn(method[field])])) as Record<
    (typeof transportNumbers)[number],
    number
  >),
})
export const serviceInput = (service: ServiceDraft) => ({
  ...leftOut(service, ['key']),
  operation_type: service.operation_type as SavedService['operation_type'],
  article_number: service.article_number.trim() === '' ? null : service.article_number,
  price_excl: priceIn(service.price_excl),
})

type Version = Pick<AdminConfig, '_id' | 'version'>

/** The input that saves a draft of this version; for an administrator without fields that only a superuser may change. */
export function inputOf(draft: Draft, { _id, version }: Version, superuser: boolean): ConfigForm {
  const form = {
    ...draft,
    ...(Object.fromEntries(numbers.map(field => [field, numberIn(draft[field])])) as Record<NumericField, number>),
    invoicing_price_excl: priceIn(draft.invoicing_price_excl),
    transportMethods: draft.transportMethods.map(transportInput),
    services: draft.services.map(serviceInput),
    version,
  }
  return superuser ? { ...form, _id } : leftOut(form, extraFields)
}

/** The error of each field; entries of lists by their index: `services.3.name`. */
export function errorsOf(draft: Draft, superuser: boolean): FieldErrors {
  const input = inputOf(draft, { _id: 1, version: 0 }, superuser)
  // Fields that only a superuser may change are validated for superusers only: an administrator could not correct them.
  return { ...(superuser && fieldErrorsOf(superuserFields, input)), ...fieldErrorsOf(configForm, input) }
}

/** Whether two fields hold the same; a number and its text do. */
function same(first: unknown, other: unknown): boolean {
  if (Array.isArray(first) && Array.isArray(other))
    return first.length === other.length && first.every((value, index) => same(value, other[index]))
  if (first !== null && other !== null && typeof first === 'object' && typeof other === 'object') {
    const [mine, theirs] = [first as Record<string, unknown>, other as Record<string, unknown>]
    return Object.keys({ ...mine, ...theirs }).every(field => same(mine[field], theirs[field]))
  }
  if (typeof first === 'number' && typeof other === 'string') return amountIn(other) === first
  if (typeof first === 'string' && typeof other === 'number') return same(other, first)
  return first === other
}

/** The fields in which two drafts differ. */
export const changedFields = (before: Draft, now: Draft): Field[] =>
  (Object.keys(before) as Field[]).filter(field => !same(before[field], now[field]))

type Versions<T> = { base: T; mine: T; theirs: T }

/** Each field as I changed it since `base`, else as it is in `theirs`. */
function overlaid<T extends object>({ base, mine, theirs }: Versions<T>): T {
  const kept = (Object.keys(mine) as (keyof T)[]).filter(field => !same(mine[field], base[field]))
  return { ...theirs, ...Object.fromEntries(kept.map(field => [field, mine[field]])) }
}

/**
 * Rebases edits of `base` on the saved entries. An entry that was removed there and edited here becomes a new one, so
 * that no input is lost; an unedited one is removed.
 */
function mergedList<E extends TransportDraft | ServiceDraft>({ base, mine, theirs }: Versions<E[]>): E[] {
  const by = (entries: E[]) => new Map(entries.map(entry => [entry.key, entry]))
  const [before, now, saved] = [by(base), by(mine), by(theirs)]
  const kept = theirs.flatMap(entry => {
    const [was, is] = [before.get(entry.key), now.get(entry.key)]
    if (!was) return [entry]
    return is ? [overlaid({ base: was, mine: is, theirs: entry })] : []
  })
  const added = mine.flatMap(entry => {
    if (saved.has(entry.key)) return []
    const was = before.get(entry.key)
    if (!was) return [entry]
    return same(was, entry) ? [] : [copyOf(entry)]
  })
  return [...kept, ...added]
}

/** Rebases edits of `base` on the saved configuration: unedited fields take the saved values. */
export function merged({ base, mine, theirs }: Versions<Draft>): Draft {
  const list = <L extends List>(name: L) =>
    mergedList<TransportDraft | ServiceDraft>({ base: base[name], mine: mine[name], theirs: theirs[name] }) as Draft[L]
  const transports = list('transportMethods')
  const chosen = mine.transportMethods.find(
    method => method.default && !base.transportMethods.some(was => was.key === method.key && was.default),
  )
  const byDefault = transports.filter(method => method.default)
  return {
    ...overlaid({ base, mine, theirs }),
    transportMethods: withOneDefault(transports, byDefault.find(({ key }) => key === chosen?.key) ?? byDefault[0]),
    services: list('services'),
    closedDays: mergedClosed({ base: base.closedDays, mine: mine.closedDays, theirs: theirs.closedDays }),
  }
}

/** At most one transport is the default: this one. */
const withOneDefault = (methods: TransportDraft[], chosen: TransportDraft | undefined): TransportDraft[] =>
  methods.map(method => (method.default && method.key !== chosen?.key ? { ...method, default: false } : method))

/** With a transport method as it was edited, or added; when it became the default, the others are none. */
export function withTransport(draft: Draft, method: TransportDraft): Draft {
  const methods = put(draft.transportMethods, method)
  return { ...draft, transportMethods: method.default ? withOneDefault(methods, method) : methods }
}
export const withService = (draft: Draft, service: ServiceDraft): Draft => ({
  ...draft,
  services: put(draft.services, service),
})
const put = <E extends { key: string }>(entries: E[], entry: E): E[] =>
  entries.some(({ key }) => key === entry.key)
    ? entries.map(other => (other.key === entry.key ? entry : other))
    : [...entries, entry]

export const without = (draft: Draft, list: List, key: string): Draft => ({
  ...draft,
  [list]: draft[list].filter(entry => entry.key !== key),
})

/** Without the entries that were sent as new ones: the answer has them with their ids. */
export const withoutSent = (draft: Draft, sent: Draft): Draft => {
  const isSent = (list: List, key: string) => sent[list].some(entry => entry.key === key && entry._id === undefined)
  return {
    ...draft,
    transportMethods: draft.transportMethods.filter(({ key }) => !isSent('transportMethods', key)),
    services: draft.services.filter(({ key }) => !isSent('services', key)),
  }
}

/** The parts of the form, in their order. */
export const sections = [
  'site',
  'signIn',
  'extra',
  'images',
  'tyres',
  'unknown',
  'invoicing',
  'documents',
  'intake',
  'transport',
  'closedDays',
  'services',
] as const
export type Section = (typeof sections)[number]

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
  transportMethods: 'transport',
  closedDays: 'closedDays',
  services: 'services',
} as const satisfies Record<Field, Section>

const hotelSections: ReadonlySet<Section> = new Set([
  'invoicing',
  'documents',
  'intake',
  'transport',
  'closedDays',
  'services',
])

/** The sections of the form: those of the tyre hotel only for a site with one. */
export const sectionsFor = ({ mode }: Pick<Draft, 'mode'>, superuser: boolean): Section[] =>
  sections.filter(section => (section !== 'extra' || superuser) && (isHotel(mode) || !hotelSections.has(section)))
