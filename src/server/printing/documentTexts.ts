/** The texts of a document besides its rows, in the reader's language. The thread that draws it has no dictionary. */
import { type Language, languages } from '#domain/people/account.ts'
import { type DamageCode, damageCodes } from '#domain/warehouse/damage.ts'
import { formatDate } from '#domain/texts/date.ts'
import { type Treatment, wasteCode } from '#domain/warehouse/disposal.ts'
import { formatNumber } from '#domain/texts/number.ts'
import type { DocumentType } from '#domain/site.ts'
import { translate } from '../texts/texts.ts'
import type { PhotoTexts } from './photos.ts'

const headings = [
  'customer',
  'vehicle',
  'article',
  'description',
  'quantity',
  'price',
  'amount',
  'total',
  'tyres',
  'position',
  'tyreId',
] as const

const deliveryWords = ['transport', 'day', 'receivedBy'] as const
const wheelWords = [
  'wheels',
  'set',
  'depth',
  'with',
  'bolts',
  'hubcaps',
  'remarks',
  'missing',
  'steel',
  'aluminum',
] as const
const overviewWords = ['vehicle', 'tyres', 'depth', 'since', 'paidUntil'] as const

/** The words of a table of wheels; the depth is still `{{depth}}`. */
export type WheelWords = Words<(typeof wheelWords)[number] | 'position' | 'description' | 'millimetres'> & {
  readonly damage: Words<DamageCode>
}
type Words<K extends string> = Readonly<Record<K, string>>
type T = (key: string, facts?: Record<string, unknown>) => string

const speaking =
  (lang: Language): T =>
  (key, facts = {}) =>
    translate(lang, 'documents', key, facts)
const wordsOf = <K extends string>(t: T, keys: readonly K[], prefix = ''): Words<K> =>
  Object.fromEntries(keys.map(key => [key, t(`${prefix}${key}`)])) as Words<K>
const wheelWordsIn = (t: T, lang: Language): WheelWords => ({
  ...wordsOf(t, wheelWords, 'delivery.'),
  ...wordsOf(t, ['position', 'description']),
  millimetres: t('delivery.millimetres', { depth: '{{depth}}' }),
  damage: damageWords(lang),
})
/** The texts in the head and foot of every paper. The page is still `{{page}}` of `{{pages}}`: only the drawing knows them. */
const frame = (t: T, date: string) => ({
  ...wordsOf(t, ['customer', 'vehicle', 'noInvoice']),
  date: t('date', { date: formatDate(date) }),
  page: t('page', { page: '{{page}}', pages: '{{pages}}' }),
})

type Delivery = {
  readonly day: string
  readonly returned: number | null
  readonly signed: { readonly name: string; readonly time: string } | null
}

export type DocumentTexts = Words<(typeof headings)[number] | 'title'> &
  ReturnType<typeof frame> & {
    /** When it was withdrawn and why; null while it stands. */
    readonly withdrawn: string | null
    readonly wheel: WheelWords
    readonly photos: PhotoTexts
    readonly delivery: Words<(typeof deliveryWords)[number]> & {
      /** The day of the delivery; empty for another document. */
      readonly date: string
      /** The returned parts of these tyres; null where there are none. */
      readonly returned: string | null
      /** Who signed and when; null while nobody has. */
      readonly signed: string | null
    }
  }

/** The texts of a document of this type and day. */
export function documentTexts(
  {
    type,
    date,
    withdrawn = null,
    withdrawnReason = null,
    delivery = null,
    morePhotos = 0,
  }: {
    readonly type: DocumentType
    readonly date: string
    readonly withdrawn?: string | null
    readonly withdrawnReason?: string | null
    readonly delivery?: Delivery | null
    readonly morePhotos?: number
  },
  lang: Language,
): DocumentTexts {
  const t = speaking(lang)
  return {
    ...wordsOf(t, headings),
    ...frame(t, date),
    title: t(`type.${type}`),
    withdrawn: withdrawn && t('withdrawn', { date: formatDate(withdrawn), reason: withdrawnReason }),
    wheel: wheelWordsIn(t, lang),
    photos: photoTexts(t, lang, morePhotos),
    delivery: {
      ...wordsOf(t, deliveryWords, 'delivery.'),
      date: delivery ? formatDate(delivery.day) : '',
      returned: delivery?.returned ? t('delivery.returned', { count: delivery.returned }) : null,
      signed: signedIn(t, delivery),
    },
  }
}

/** The texts of photos, of which some may not be printed. */
const photoTexts = (t: T, lang: Language, more: number) => ({
  title: t('photos.title'),
  more: more > 0 ? t('photos.more', { count: more }) : null,
  damage: damageWords(lang),
})
const damageWords = (lang: Language): Words<DamageCode> =>
  wordsOf(key => translate(lang, 'common', key), damageCodes, 'damage.')

type Signed = { readonly signed: { readonly name: string; readonly time: string } | null }
const signedIn = (t: T, paper: Signed | null): string | null =>
  paper?.signed ? t('delivery.signed', paper.signed) : null

/** The texts of the receipt of a storage of this number and day. */
export function receiptTexts(
  {
    operation,
    date,
    wheels,
    morePhotos = 0,
    ...signed
  }: Signed & { operation: number; date: string; wheels: readonly unknown[]; morePhotos?: number },
  lang: Language,
) {
  const t = speaking(lang)
  return {
    ...frame(t, date),
    title: t('receipt.title'),
    number: t('receipt.number', { number: operation }),
    said: t('receipt.said', { count: wheels.length }),
    open: t('receipt.open'),
    wheel: wheelWordsIn(t, lang),
    photos: photoTexts(t, lang, morePhotos),
    receivedBy: t('receipt.broughtBy'),
    signed: signedIn(t, signed),
  }
}
export type ReceiptTexts = ReturnType<typeof receiptTexts>

/** The texts of an overview of what a customer has in store on a day. */
export function overviewTexts({ date, wheels }: { date: string; wheels: number }, lang: Language) {
  const t = speaking(lang)
  return {
    ...frame(t, date),
    ...wordsOf(t, overviewWords, 'overview.'),
    title: t('overview.title'),
    said: t('overview.said', { count: wheels }),
    wheel: wheelWordsIn(t, lang),
  }
}
export type OverviewTexts = ReturnType<typeof overviewTexts>

const statementWords = ['vehicle', 'positions', 'tyres', 'since', 'place', 'wheels', 'byCustomer'] as const

/** The texts of a stock statement, the stock at the end of a day: of one customer, or of all. */
export function statementTexts({ date, wheels }: { date: string; wheels: number }, lang: Language) {
  const t = speaking(lang)
  return {
    ...frame(t, date),
    ...wordsOf(t, statementWords, 'statement.'),
    title: t('statement.title'),
    said: t('statement.said', { count: wheels, date: formatDate(date) }),
  }
}
export type StatementTexts = ReturnType<typeof statementTexts>

/** The content of a transport form, with the weight of its tyres in kg. */
export type PrintedPickup = {
  readonly day: string
  readonly form: string
  readonly collector: string
  readonly collectorNumber: string
  readonly processor: string
  readonly processorNumber: string
  readonly treatment: Treatment | null
  /** As weighed, or the share of it; null until it was weighed. */
  readonly weight: number | null
  /** By the sizes. */
  readonly estimate: number
}

const proofWords = ['tyre', 'scrapped'] as const

/** The texts of the proof of a pick-up: what its register says, and the words of its table. */
export function proofTexts(
  { pickup, wheels, customer }: { pickup: PrintedPickup; wheels: readonly unknown[]; customer: unknown },
  lang: Language,
) {
  const t = speaking(lang)
  const { weight, estimate } = pickup
  const kg = formatNumber(weight ?? estimate, languages[lang])
  const weighed = weight === null ? 'estimated' : customer === null ? 'weighed' : 'share'
  const facts = {
    day: formatDate(pickup.day),
    form: pickup.form,
    collector: named(pickup.collector, pickup.collectorNumber),
    processor: named(pickup.processor, pickup.processorNumber),
    treatment: pickup.treatment === null ? '' : t(`proof.treatments.${pickup.treatment}`),
    waste: t('proof.wasteOf', { code: wasteCode }),
    tyres: formatNumber(wheels.length, languages[lang]),
    weight: t(`proof.${weighed}`, { kg }),
  }
  return {
    ...frame(t, pickup.day),
    ...wordsOf(t, proofWords, 'proof.'),
    ...wordsOf(t, ['position', 'tyres']),
    title: t('proof.title'),
    facts: Object.entries(facts).flatMap(([fact, value]) => (value ? [{ name: t(`proof.fact.${fact}`), value }] : [])),
  }
}
const named = (name: string, number: string): string => [name, number].filter(Boolean).join(', ')
export type ProofTexts = ReturnType<typeof proofTexts>
