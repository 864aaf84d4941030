/** What is printed of an invoice, in the customer's language. */
import type { Language } from '#domain/account.ts'
import { companySchemes, peppolSchemes } from '#domain/company.ts'
import { formatDate } from '#domain/date.ts'
import { epcQr } from '#domain/epcQr.ts'
import { formatIban } from '#domain/iban.ts'
import { hundredths } from '#domain/invoice.ts'
import { languages } from '#domain/account.ts'
import type { InvoiceTexts, PrintedInvoice } from '../../printing/invoices.ts'
import { translate } from '../../texts/texts.ts'
import type { KeptParty } from './invoices.sql.ts'
import type { KeptInvoice } from './ubl.ts'

export function printedInvoice(
  invoice: KeptInvoice,
  lang: Language,
): { invoice: PrintedInvoice; texts: InvoiceTexts; lang: Language } {
  const t = (key: string, facts: Record<string, unknown> = {}): string =>
    translate(lang, 'invoices', `print.${key}`, facts)
  const { seller, buyer, kind } = invoice
  const country = new Intl.DisplayNames([languages[lang]], { type: 'region' })
  const addressOf = (party: KeptParty): string[] =>
    [
      party.name,
      party.street,
      `${party.zipcode} ${party.city}`.trim(),
      seller.country === buyer.country ? '' : (country.of(party.country) ?? party.country),
    ].filter(Boolean)
  const vatNumber = (party: KeptParty): string[] =>
    party.vat_number === '' ? [] : [t('vatNumber', { number: party.vat_number })]
  const facts = [
    t('date', { date: formatDate(invoice.issued) }),
    ...(invoice.due === null ? [] : [t('due', { date: formatDate(invoice.due) })]),
    ...(invoice.credits === null || invoice.creditsOf === null
      ? []
      : [t('credits', { invoice: invoice.credits, date: formatDate(invoice.creditsOf) })]),
    ...(invoice.reference === '' ? [] : [t('reference', { reference: invoice.reference })]),
    ...(invoice.documents.length === 0 ? [] : [t('documents', { documents: invoice.documents.join(', ') })]),
  ]
  const percent = new Intl.NumberFormat(languages[lang], { style: 'percent', maximumFractionDigits: 2 })
  const rate = (value: number) => percent.format(value / 100)
  const untaxed = invoice.breakdown.map(({ category }) =>
    category === 'AE'
      ? t('reverseCharge')
      : category === 'E'
        ? t('exempt', { reason: seller.exemption || buyer.exemption })
        : '',
  )
  const qr =
    kind === 'credit_note' ? null : epcQr({ ...seller, cents: hundredths(invoice.gross), remittance: invoice.number })
  const words = ['customer', 'description', 'quantity', 'price', 'vat', 'amount', 'total', 'payment', 'qr'] as const
  return {
    lang,
    texts: {
      ...(Object.fromEntries(words.map(word => [word, t(word)])) as Record<(typeof words)[number], string>),
      title: t(`title.${kind}`),
      page: t('page', { page: '{{page}}', pages: '{{pages}}' }),
    },
    invoice: {
      number: invoice.number,
      seller: addressOf(seller),
      sellerNumbers: [...vatNumber(seller), ...companyNumber(seller), seller.email].filter(Boolean),
      buyer: [...addressOf(buyer), ...vatNumber(buyer), ...companyNumber(buyer)],
      facts,
      lines: invoice.lines.map(({ description, quantity, price, net, category, rate: of }) => ({
        description,
        quantity,
        price,
        net,
        rate: category === 'AE' || category === 'E' ? '–' : rate(of),
      })),
      totals: [
        { text: t('net'), amount: invoice.net },
        ...invoice.breakdown.map(total => ({
          text: t('vatOf', { rate: rate(total.rate), amount: formatEur(total.taxable, lang) }),
          amount: total.vat,
        })),
      ],
      gross: invoice.gross,
      notes: [
        ...new Set([...untaxed, kind === 'credit_note' ? t('reason', { reason: invoice.reason }) : seller.note]),
      ].filter(Boolean),
      payment:
        kind === 'credit_note' || seller.iban === ''
          ? null
          : {
              qr,
              lines: [
                `IBAN: ${formatIban(seller.iban)}`,
                ...(seller.bic === '' ? [] : [`BIC: ${seller.bic}`]),
                t('remittance', { number: invoice.number }),
              ],
            },
    },
  }
}

function companyNumber(party: KeptParty): string[] {
  const scheme = peppolSchemes.find(known => known === party.company_scheme)
  return party.company_number === '' || !scheme ? [] : [`${companySchemes[scheme].name}: ${party.company_number}`]
}

const formatEur = (amount: number, lang: Language): string =>
  new Intl.NumberFormat(languages[lang], { style: 'currency', currency: 'EUR' }).format(amount)
