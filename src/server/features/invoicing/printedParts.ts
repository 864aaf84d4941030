/** The parts that invoices and storage documents print alike: VAT by rate, the reason for none, and the account to pay to. */
import { type Language, languages } from '#domain/people/account.ts'
import { companySchemes, peppolSchemeOf } from '#domain/money/company.ts'
import { formatIban } from '#domain/money/iban.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { translate } from '../../texts/texts.ts'
import type { KeptPayment } from './payment.ts'

/** The texts of printed invoices in a language. */
export const printTexts =
  (lang: Language) =>
  (key: string, facts: Record<string, unknown> = {}): string =>
    translate(lang, 'invoices', `print.${key}`, facts)

/** A rate in percent as it is printed. */
export const printedRate = (rate: number, lang: Language): string =>
  new Intl.NumberFormat(languages[lang], { style: 'percent', maximumFractionDigits: 2 }).format(rate / 100)

/** VAT by rate, each as a line with its amount in EUR; amounts outside the scope of VAT have no line. */
export function printedVat(breakdown: KeptPayment['breakdown'], lang: Language): { text: string; amount: number }[] {
  const t = printTexts(lang)
  const money = moneyIn(languages[lang])
  return breakdown
    .filter(({ category }) => category !== 'O')
    .map(({ rate, taxable, vat }) => ({
      text: t('vatOf', { rate: printedRate(rate, lang), amount: money.format(taxable) }),
      amount: vat,
    }))
}

/** Why no VAT is charged, and what else the paper says, each once. `reason` is that of an exemption. */
export function printedNotes(
  { breakdown, reason, note }: { breakdown: KeptPayment['breakdown']; reason: string; note: string },
  lang: Language,
): string[] {
  const t = printTexts(lang)
  const untaxed = breakdown.map(({ category }) =>
    category === 'AE'
      ? t('reverseCharge')
      : category === 'O'
        ? t('outsideScope')
        : category === 'E'
          ? t('exempt', { reason })
          : '',
  )
  return [...new Set([...untaxed, note])].filter(Boolean)
}

/** To which account to pay, and with which number. */
export const printedAccount = (
  { iban, bic, number }: Pick<KeptPayment, 'iban' | 'bic'> & { number: string },
  lang: Language,
): string[] =>
  [`IBAN: ${formatIban(iban)}`, bic && `BIC: ${bic}`, printTexts(lang)('remittance', { number })].filter(Boolean)

/** The VAT number of a party, where it has one. */
export const printedVatNumber = ({ vat_number: number }: Pick<KeptPayment, 'vat_number'>, lang: Language): string[] =>
  number === '' ? [] : [printTexts(lang)('vatNumber', { number })]

/** The number of a party in its register, where both are known. */
export function printedCompanyNumber({
  company_scheme,
  company_number,
}: Pick<KeptPayment, 'company_scheme' | 'company_number'>): string[] {
  const scheme = peppolSchemeOf(company_scheme)
  return company_number === '' || !scheme ? [] : [`${companySchemes[scheme].name}: ${company_number}`]
}
