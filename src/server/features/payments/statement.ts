/** The statement of account of a customer as it is printed (docs/product/money.md "Paid or not"). */
import { type Language, languages } from '#domain/people/account.ts'
import { epcQr } from '#domain/money/epcQr.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { formatDate, type IsoDate } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import { buyers, type KeptParty } from '../invoices/invoices.sql.ts'
import { detailsOf } from '../invoices/details.sql.ts'
import { printedAccount, printedCompanyNumber, printedVatNumber } from '../invoicing/printedParts.ts'
import type { AccountTexts, PrintedAccount } from '../../printing/account.ts'
import type { PrintJob } from '../../printing/pool.ts'
import { translate } from '../../texts/texts.ts'
import * as sql from './payments.sql.ts'

const words = ['invoice', 'date', 'due', 'gross', 'open', 'total', 'customer', 'payment', 'qr'] as const

/** The texts of a statement or a reminder in a language. */
export function accountTexts(lang: Language, title: string): AccountTexts {
  const t = (key: string, facts: Record<string, unknown> = {}) => translate(lang, 'payments', `print.${key}`, facts)
  return {
    ...(Object.fromEntries(words.map(word => [word, t(word)])) as Record<(typeof words)[number], string>),
    title,
    page: t('page', { page: '{{page}}', pages: '{{pages}}' }),
  }
}

/** The site and a customer as a letter names them, and the account to pay to. @throws Failure `record.missing` */
export async function partiesOf(tx: Tx, { site, customer, lang }: { site: number; customer: number; lang: Language }) {
  const details = await tx.maybe(detailsOf, { site })
  const [row] = await tx.rows(buyers, { site, customers: [customer] })
  if (!row) throw new Failure('record.missing')
  const country = new Intl.DisplayNames([languages[lang]], { type: 'region' })
  const own = details?.country ?? ''
  const addressOf = (party: Pick<KeptParty, 'name' | 'street' | 'zipcode' | 'city'>, of: string): string[] =>
    [
      party.name,
      party.street,
      `${party.zipcode} ${party.city}`.trim(),
      of === '' || of === own ? '' : (country.of(of) ?? of),
    ].filter(Boolean)
  const seller = {
    name: details?.legal_name ?? '',
    street: details?.street ?? '',
    zipcode: details?.zipcode ?? '',
    city: details?.city ?? '',
  }
  return {
    code: row.buyer.code,
    iban: details?.iban ?? '',
    bic: details?.bic ?? '',
    name: seller.name,
    seller: addressOf(seller, own),
    sellerNumbers: details
      ? [...printedVatNumber(details, lang), ...printedCompanyNumber(details), details.email].filter(Boolean)
      : [],
    buyer: addressOf(row.buyer, row.buyer.country ?? ''),
  }
}

/** How a sum is paid, with what its payer writes; null without an account of the site, or with nothing to pay. */
export function howToPay(
  parties: Awaited<ReturnType<typeof partiesOf>>,
  { cents, remittance, lang }: { cents: number; remittance: string; lang: Language },
): PrintedAccount['payment'] {
  if (parties.iban === '' || cents <= 0) return null
  const qr = epcQr({ name: parties.name, iban: parties.iban, bic: parties.bic, cents, remittance })
  return { qr, lines: printedAccount({ ...parties, number: remittance }, lang) }
}

/** The print of a statement of account. `lang`: the language of the reader; null for that of the customer. */
export async function statementJob(
  tx: Tx,
  { site, customer, today, lang }: { site: number; customer: number; today: IsoDate; lang: Language | null },
): Promise<PrintJob> {
  const { language } = await tx.one(sql.languageOf, { site, customer })
  const reader = lang ?? language
  const t = (key: string, facts: Record<string, unknown> = {}) => translate(reader, 'payments', `print.${key}`, facts)
  const parties = await partiesOf(tx, { site, customer, lang: reader })
  const invoices = await tx.rows(sql.openInvoices, { site, customer })
  const { rest } = await tx.one(sql.inHand, { site, customer })
  const open = invoices.reduce((sum, invoice) => sum + hundredths(invoice.open), 0)
  const total = open - hundredths(rest)
  const account: PrintedAccount = {
    ...parties,
    number: formatDate(today),
    facts: parties.code === '' ? [] : [t('code', { code: parties.code })],
    paragraphs: [t(invoices.length === 0 ? 'nothing' : 'statementText', { date: formatDate(today) })],
    invoices,
    extras: rest > 0 ? [{ text: t('inHand'), amount: -rest }] : [],
    total: total / 100,
    payment: howToPay(parties, {
      cents: total,
      remittance: invoices
        .map(({ number }) => number)
        .join(' ')
        .slice(0, 140),
      lang: reader,
    }),
  }
  return { kind: 'account', account, texts: accountTexts(reader, t('statement')), lang: reader }
}
