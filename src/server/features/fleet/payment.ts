/** The payment section of a storage document, in the reader's language. */
import type { Language } from '#domain/people/account.ts'
import { epcQr } from '#domain/money/epcQr.ts'
import { hundredths } from '#domain/money/invoice.ts'
import type { PrintedPayment } from '../../printing/payment.ts'
import {
  printedAccount,
  printedCompanyNumber,
  printedNotes,
  printedVat,
  printedVatNumber,
  printTexts,
} from '../invoicing/printedParts.ts'
import type { KeptPayment } from '../invoicing/payment.ts'

export function printedPayment(payment: KeptPayment, number: string, lang: Language): PrintedPayment {
  const t = printTexts(lang)
  const { name, breakdown, gross, exemption, note } = payment
  return {
    totals: printedVat(breakdown, lang),
    gross,
    notes: printedNotes({ breakdown, reason: exemption, note }, lang),
    lines: [
      name,
      ...printedVatNumber(payment, lang),
      ...printedCompanyNumber(payment),
      ...printedAccount({ ...payment, number }, lang),
    ],
    qr: epcQr({ ...payment, cents: hundredths(gross), remittance: number }),
    texts: { payment: t('payment'), qr: t('qr'), total: t('total') },
  }
}
