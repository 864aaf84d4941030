/** What a document says besides its rows, in the reader's language. Who draws it needs no dictionary (press.ts). */
import type { Language } from '#domain/account.ts'
import { formatDate } from '#domain/date.ts'
import type { DocumentType } from '#domain/site.ts'
import { translate } from '../texts/texts.ts'

const headings = ['customer', 'vehicle', 'article', 'description', 'quantity', 'price', 'amount', 'total'] as const

export type DocumentWords = Readonly<Record<(typeof headings)[number] | 'title' | 'date' | 'noInvoice', string>> & {
  /** With `{{page}}` and `{{pages}}` left open: only who draws it knows them. */
  readonly page: string
}

/** The words of a document of this type and day. */
export function documentWords(
  { type, date }: { readonly type: DocumentType; readonly date: string },
  lang: Language,
): DocumentWords {
  const t = (key: string, facts: Record<string, unknown> = {}): string => translate(lang, 'documents', key, facts)
  return {
    ...(Object.fromEntries(headings.map(key => [key, t(key)])) as Record<(typeof headings)[number], string>),
    title: t(`type.${type}`),
    date: t('date', { date: formatDate(date) }),
    noInvoice: t('noInvoice'),
    page: t('page', { page: '{{page}}', pages: '{{pages}}' }),
  }
}
