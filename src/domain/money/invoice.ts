/**
 * Invoices: their numbers, their VAT and their totals (docs/product/money.md "Invoices"). Money is whole cents, rates are hundredths of a
 * per cent, and halves are rounded away from zero, as EN 16931 asks for.
 */
import { countryOfVatNumber, isInEu, vatNumberProblem } from './vat.ts'

export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** The categories of VAT that invoices have: standard rate, zero rate, exempt, reverse charge, outside the scope of VAT (UNCL 5305). */
export const vatCategories = ['S', 'Z', 'E', 'AE', 'O'] as const
export type VatCategory = (typeof vatCategories)[number]

/** How far an invoice is on its way to the access point. */
export const sendingStates = ['waiting', 'sent', 'refused'] as const
/**
 * The reason why the last attempt failed: a rule, an answer (`status`), no usable answer (`address`, `unreachable`, `unusable`), or the
 * refusal of the invoice that a credit note `credited`.
 */
export const sendingProblems = ['', 'rules', 'status', 'address', 'unreachable', 'unusable', 'credited'] as const

/** A value as a whole number of cents, or of hundredths of a per cent. */
export const hundredths = (value: number): number => Math.round(value * 100)

/** A quotient as a whole number, halves away from zero. */
export const divided = (dividend: number, divisor: number): number =>
  Math.sign(dividend) * Math.floor((Math.abs(dividend) * 2 + divisor) / (2 * divisor))

/** The net amount of a line, in cents; both have two decimals at most. */
export const netOf = (quantity: number, price: number): number => divided(hundredths(quantity) * hundredths(price), 100)

type Party = {
  readonly country: string
  readonly vat_number: string
  readonly company_number: string
  readonly exemption: string
}

/**
 * The VAT of a line that would have this rate within the country. An exemption of the site or the customer comes first. Between two
 * countries of the EU a buyer with a VAT number owes the VAT (reverse charge); a service to a business outside the EU is out of scope of
 * the EU's VAT; otherwise the rate applies. Only a rate of zero differs by line: O never meets another category on one invoice
 * (BR-O-11, BR-O-12).
 */
export function vatOf(seller: Party, buyer: Party, rate: number): { category: VatCategory; rate: number } {
  if (seller.exemption !== '' || buyer.exemption !== '') return { category: 'E', rate: 0 }
  if (isReverseCharge(seller, buyer)) return { category: 'AE', rate: 0 }
  if (isOutsideScope(seller, buyer)) return { category: 'O', rate: 0 }
  return rate === 0 ? { category: 'Z', rate } : { category: 'S', rate }
}

function isReverseCharge(seller: Party, buyer: Party): boolean {
  if (!isInEu(seller.country) || !isInEu(buyer.country) || seller.country === buyer.country) return false
  return [seller, buyer].every(hasVatNumber)
}

const hasVatNumber = ({ country, vat_number: number }: Party): boolean =>
  vatNumberProblem(number) === null && countryOfVatNumber(number) === country

/**
 * Whether a service is supplied where its buyer is, outside the EU: to a business, which a VAT number of its country or a number in a
 * register shows (Directive 2006/112/EC, article 44; Regulation 282/2011, article 18(3)). Anybody else pays the seller's VAT (article 45).
 */
function isOutsideScope(seller: Party, buyer: Party): boolean {
  if (!isInEu(seller.country) || isInEu(buyer.country)) return false
  return hasVatNumber(buyer) || buyer.company_number !== ''
}

/** Why a category has no VAT: its code in the VATEX list, where there is one, and in words. */
export const exemptionOf = (category: VatCategory, reason: string): { code: string | null; reason: string } | null =>
  category === 'AE'
    ? { code: 'VATEX-EU-AE', reason: 'Reverse charge' }
    : category === 'O'
      ? { code: 'VATEX-EU-O', reason: 'Not subject to VAT' }
      : category === 'E'
        ? { code: null, reason }
        : null

export type TaxedLine = { readonly net: number; readonly category: VatCategory; readonly rate: number }
/** The VAT of all lines of one category and rate: `taxable` and `vat` in cents, `rate` in per cent. */
export type VatTotal = {
  readonly category: VatCategory
  readonly rate: number
  readonly taxable: number
  readonly vat: number
}
export type Totals = {
  readonly net: number
  readonly vat: number
  readonly gross: number
  readonly breakdown: readonly VatTotal[]
}

/** Totals as they are kept: in EUR. */
export const inEur = ({ net, vat, gross, breakdown }: Totals) => ({
  net: net / 100,
  vat: vat / 100,
  gross: gross / 100,
  breakdown: breakdown.map(total => ({ ...total, taxable: total.taxable / 100, vat: total.vat / 100 })),
})

/** The totals of lines, in cents: VAT is computed and rounded once for each category and rate (BR-CO-17), never by line. */
export function totalsOf(lines: readonly TaxedLine[]): Totals {
  const groups = Map.groupBy(lines, line => `${line.category} ${hundredths(line.rate)}`)
  const breakdown = [...groups.values()].map(group => {
    const { category, rate } = group[0] as TaxedLine
    const taxable = group.reduce((sum, line) => sum + line.net, 0)
    return { category, rate, taxable, vat: divided(taxable * hundredths(rate), 10_000) }
  })
  const net = lines.reduce((sum, line) => sum + line.net, 0)
  const vat = breakdown.reduce((sum, total) => sum + total.vat, 0)
  return { net, vat, gross: net + vat, breakdown }
}

const sameGroup = (a: Pick<TaxedLine, 'category' | 'rate'>, b: Pick<TaxedLine, 'category' | 'rate'>): boolean =>
  a.category === b.category && hundredths(a.rate) === hundredths(b.rate)

/**
 * The totals of a credit note for some lines of an invoice, in cents, when others have been credited before: what both come to, less what
 * those do. So notes together come to their invoice to the cent and never to more, although VAT is rounded in each; it may be a cent
 * beside that of the note's own lines.
 */
export function creditedTotals(lines: readonly TaxedLine[], before: readonly TaxedLine[]): Totals {
  const [all, former] = [totalsOf([...before, ...lines]), totalsOf(before)]
  const breakdown = all.breakdown
    .filter(total => lines.some(line => sameGroup(line, total)))
    .map(total => {
      const was = former.breakdown.find(other => sameGroup(other, total))
      return { ...total, taxable: total.taxable - (was?.taxable ?? 0), vat: total.vat - (was?.vat ?? 0) }
    })
  return { net: all.net - former.net, vat: all.vat - former.vat, gross: all.gross - former.gross, breakdown }
}

/**
 * Whether an invoice of these lines still invoices something without some of them, or has no line left. It does not when a line is left that
 * takes something back from those: more would be credited than was invoiced.
 */
export function mayCredit(lines: readonly TaxedLine[], credited: (line: TaxedLine) => boolean): boolean {
  const kept = lines.filter(line => !credited(line))
  if (kept.length === 0) return true
  const [all, left] = [totalsOf(lines), totalsOf(kept)]
  return (
    left.gross > 0 &&
    left.breakdown.every(
      total => total.taxable >= Math.min(0, all.breakdown.find(other => sameGroup(other, total))?.taxable ?? 0),
    )
  )
}

/** A price is never negative on an invoice (BR-27): a line that takes something back has a negative quantity. */
export const unsigned = (line: { quantity: number; price: number }): { quantity: number; price: number } =>
  line.price < 0 ? { quantity: -line.quantity, price: -line.price } : line
