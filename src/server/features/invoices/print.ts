/** The printed invoice, in the customer's language. */
import { type Language, languages } from '#domain/people/account.ts'
import { formatDate } from '#domain/texts/date.ts'
import { epcQr } from '#domain/money/epcQr.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { formatCommunication } from '#domain/money/paymentReference.ts'
import type { InvoiceTexts, PrintedInvoice } from '../../printing/invoices.ts'
import type { KeptParty } from './invoices.sql.ts'
import {
  printedAccount,
  printedCompanyNumber,
  printedNotes,
  printedRate,
  printedVat,
  printedVatNumber,
  printTexts,
} from '../invoicing/printedParts.ts'
import type { KeptInvoice } from './ubl.ts'

export function printedInvoice(
  invoice: KeptInvoice,
  lang: Language,
): { invoice: PrintedInvoice; texts: InvoiceTexts; lang: Language } {
  const t = printTexts(lang)
  const { seller, buyer, kind, breakdown } = invoice
  const country = new Intl.DisplayNames([languages[lang]], { type: 'region' })
  const addressOf = (party: KeptParty): string[] =>
    [
      party.name,
      party.street,
      `${party.zipcode} ${party.city}`.trim(),
      seller.country === buyer.country ? '' : (country.of(party.country) ?? party.country),
    ].filter(Boolean)
  const numbersOf = (party: KeptParty): string[] => [...printedVatNumber(party, lang), ...printedCompanyNumber(party)]
  const facts = [
    t('date', { date: formatDate(invoice.issued) }),
    ...(invoice.due === null ? [] : [t('due', { date: formatDate(invoice.due) })]),
    ...(invoice.credits === null || invoice.creditsOf === null
      ? []
      : [t('credits', { invoice: invoice.credits, date: formatDate(invoice.creditsOf) })]),
    ...(invoice.reference === '' ? [] : [t('reference', { reference: invoice.reference })]),
    ...(invoice.documents.length === 0 ? [] : [t('documents', { documents: invoice.documents.join(', ') })]),
  ]
  const qr =
    kind === 'credit_note'
      ? null
      : epcQr({
          ...seller,
          cents: hundredths(invoice.gross),
          ...(invoice.communication === null
            ? { remittance: invoice.number }
            : { communication: invoice.communication }),
        })
  const number = invoice.communication === null ? invoice.number : formatCommunication(invoice.communication)
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
      sellerNumbers: [...numbersOf(seller), seller.email].filter(Boolean),
      buyer: [...addressOf(buyer), ...numbersOf(buyer)],
      facts,
      lines: invoice.lines.map(({ description, quantity, price, net, category, rate: vatRate }) => ({
        description,
        quantity,
        price,
        net,
        rate: category === 'AE' || category === 'E' || category === 'O' ? '–' : printedRate(vatRate, lang),
      })),
      totals: [{ text: t('net'), amount: invoice.net }, ...printedVat(breakdown, lang)],
      gross: invoice.gross,
      notes: printedNotes(
        {
          breakdown,
          reason: seller.exemption || buyer.exemption,
          note: kind === 'credit_note' ? t('reason', { reason: invoice.reason }) : seller.note,
        },
        lang,
      ),
      payment:
        kind === 'credit_note' || seller.iban === ''
          ? null
          : { qr, lines: printedAccount({ ...seller, number }, lang) },
    },
  }
}
