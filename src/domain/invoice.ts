/**
 * Invoices: their numbers, their VAT and their totals (docs/product.md "Invoices"). Money is whole cents, rates are hundredths of a
 * per cent, and halves are rounded away from zero, as EN 16931 asks for.
 */
import { countryOfVatNumber, isInEu, vatNumberProblem } from './vat.ts'

export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** The categories of VAT that invoices have: standard rate, zero rate, exempt, reverse charge (UNCL 5305). */
export const vatCategories = ['S', 'Z', 'E', 'AE'] as const
export type VatCategory = (typeof vatCategories)[number]

/** How far an invoice is on its way to the access point. */
export const sendingStates = ['waiting', 'sent', 'refused'] as const
/**
 * What the last try failed at: a rule, an answer (`status`), no usable answer (`address`, `unreachable`, `unusable`), or the invoice that a
 * credit note `credited` was refused.
 */
export const sendingProblems = ['', 'rules', 'status', 'address', 'unreachable', 'unusable', 'credited'] as const

/** `F-2026-00012`. */
export const invoiceNumber = (of: { series: string; year: number; number: number }): string =>
  `${of.series}-${of.year}-${String(of.number).padStart(5, '0')}`

/** What is whole in cents, or hundredths of a per cent. */
export const hundredths = (value: number): number => Math.round(value * 100)

/** A quotient as a whole number, halves away from zero. */
const divided = (dividend: number, divisor: number): number =>
  Math.sign(dividend) * Math.floor((Math.abs(dividend) * 2 + divisor) / (2 * divisor))

/** The net amount of a line, in cents; both have two decimals at most. */
export const netOf = (quantity: number, price: number): number => divided(hundredths(quantity) * hundredths(price), 100)

type Party = { readonly country: string; readonly vat_number: string; readonly exemption: string }

/**
 * The VAT of a line that would have this rate within the country: a reason of the site or the customer exempts it, between two
 * countries of the EU whoever buys under a VAT number owes it, and else it has its rate.
 */
export function vatOf(seller: Party, buyer: Party, rate: number): { category: VatCategory; rate: number } {
  if (seller.exemption !== '' || buyer.exemption !== '') return { category: 'E', rate: 0 }
  if (isReverseCharge(seller, buyer)) return { category: 'AE', rate: 0 }
  return rate === 0 ? { category: 'Z', rate } : { category: 'S', rate }
}

function isReverseCharge(seller: Party, buyer: Party): boolean {
  if (!isInEu(seller.country) || !isInEu(buyer.country) || seller.country === buyer.country) return false
  return [seller, buyer].every(
    ({ country, vat_number: number }) => vatNumberProblem(number) === null && countryOfVatNumber(number) === country,
  )
}

/** Why a category has no VAT: its code in the VATEX list, where there is one, and in words. */
export const exemptionOf = (category: VatCategory, reason: string): { code: string | null; reason: string } | null =>
  category === 'AE'
    ? { code: 'VATEX-EU-AE', reason: 'Reverse charge' }
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

/** A price is never negative on an invoice (BR-27): a line that takes something back has a negative quantity. */
export const unsigned = (line: { quantity: number; price: number }): { quantity: number; price: number } =>
  line.price < 0 ? { quantity: -line.quantity, price: -line.price } : line
