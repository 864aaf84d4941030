/** The texts of a document besides its rows, in the reader's language. The thread that draws it has no dictionary. */
import type { Language } from '#domain/account.ts'
import { type DamageCode, damageCodes } from '#domain/damage.ts'
import { formatDate } from '#domain/date.ts'
import type { DocumentType } from '#domain/site.ts'
import { translate } from '../texts/texts.ts'

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

const deliveryWords = [
  'transport',
  'day',
  'depth',
  'with',
  'bolts',
  'hubcaps',
  'remarks',
  'missing',
  'receivedBy',
  'steel',
  'aluminum',
] as const

type Delivery = { readonly day: string; readonly signed: { readonly name: string; readonly time: string } | null }

export type DocumentTexts = Readonly<Record<(typeof headings)[number] | 'title' | 'date' | 'noInvoice', string>> & {
  /** When it was withdrawn and why; null while it stands. */
  readonly withdrawn: string | null
  readonly delivery: Readonly<Record<(typeof deliveryWords)[number], string>> & {
    /** Still with `{{depth}}`. */
    readonly millimetres: string
    /** The day of the delivery; empty for another document. */
    readonly date: string
    /** Who signed and when; null while nobody has. */
    readonly signed: string | null
  }
  readonly damage: Readonly<Record<DamageCode, string>>
  /** Still with `{{page}}` and `{{pages}}`: only the drawing knows them. */
  readonly page: string
}

/** The texts of a document of this type and day. */
export function documentTexts(
  {
    type,
    date,
    withdrawn = null,
    withdrawnReason = null,
    delivery = null,
  }: {
    readonly type: DocumentType
    readonly date: string
    readonly withdrawn?: string | null
    readonly withdrawnReason?: string | null
    readonly delivery?: Delivery | null
  },
  lang: Language,
): DocumentTexts {
  const t = (key: string, facts: Record<string, unknown> = {}): string => translate(lang, 'documents', key, facts)
  return {
    ...(Object.fromEntries(headings.map(key => [key, t(key)])) as Record<(typeof headings)[number], string>),
    title: t(`type.${type}`),
    date: t('date', { date: formatDate(date) }),
    noInvoice: t('noInvoice'),
    withdrawn: withdrawn && t('withdrawn', { date: formatDate(withdrawn), reason: withdrawnReason }),
    delivery: {
      ...(Object.fromEntries(deliveryWords.map(word => [word, t(`delivery.${word}`)])) as Record<
        (typeof deliveryWords)[number],
        string
      >),
      millimetres: t('delivery.millimetres', { depth: '{{depth}}' }),
      date: delivery ? formatDate(delivery.day) : '',
      signed: delivery?.signed ? t('delivery.signed', delivery.signed) : null,
    },
    damage: Object.fromEntries(damageCodes.map(code => [code, translate(lang, 'common', `damage.${code}`)])) as Record<
      DamageCode,
      string
    >,
    page: t('page', { page: '{{page}}', pages: '{{pages}}' }),
  }
}
