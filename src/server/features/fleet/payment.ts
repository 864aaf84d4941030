/** What a storage document prints of its payment, in the reader's language. */
import { type Language, languages } from '#domain/account.ts'
import { companySchemes, peppolSchemes } from '#domain/company.ts'
import { epcQr } from '#domain/epcQr.ts'
import { formatIban } from '#domain/iban.ts'
import { hundredths } from '#domain/invoice.ts'
import type { PrintedPayment } from '../../printing/payment.ts'
import { translate } from '../../texts/texts.ts'
import type { KeptPayment } from '../invoicing/payment.ts'

export function printedPayment(payment: KeptPayment, number: string, lang: Language): PrintedPayment {
  const t = (key: string, facts: Record<string, unknown> = {}): string =>
    translate(lang, 'invoices', `print.${key}`, facts)
  const { name, vat_number, company_number, iban, bic, note, exemption, breakdown, gross } = payment
  const money = new Intl.NumberFormat(languages[lang], { style: 'currency', currency: 'EUR' })
  const percent = new Intl.NumberFormat(languages[lang], { style: 'percent', maximumFractionDigits: 2 })
  const untaxed = breakdown.map(({ category }) =>
    category === 'AE' ? t('reverseCharge') : category === 'E' ? t('exempt', { reason: exemption }) : '',
  )
  const scheme = peppolSchemes.find(known => known === payment.company_scheme)
  return {
    totals: breakdown.map(({ rate, taxable, vat }) => ({
      text: t('vatOf', { rate: percent.format(rate / 100), amount: money.format(taxable) }),
      amount: vat,
    })),
    gross,
    notes: [...new Set([...untaxed, note])].filter(Boolean),
    lines: [
      name,
      vat_number && t('vatNumber', { number: vat_number }),
      company_number !== '' && scheme ? `${companySchemes[scheme].name}: ${company_number}` : '',
      `IBAN: ${formatIban(iban)}`,
      bic && `BIC: ${bic}`,
      t('remittance', { number }),
    ].filter(Boolean),
    qr: epcQr({ name, iban, bic, cents: hundredths(gross), remittance: number }),
    texts: { payment: t('payment'), qr: t('qr'), total: t('total') },
  }
}
