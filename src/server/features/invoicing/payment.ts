/** How a storage document is paid, as it is kept with it (docs/product/money.md "Documents"). */
import { inEur, netOf, totalsOf, unsigned, vatOf, type VatTotal } from '#domain/money/invoice.ts'
import type { StorageBill } from '#contract/invoicing.ts'
import type { Tx } from '../../db/database.ts'
import { payingParties } from './payment.sql.ts'

/** The payee and the amounts due, in EUR. */
export type KeptPayment = {
  readonly name: string
  readonly vat_number: string
  readonly company_scheme: string | null
  readonly company_number: string
  readonly iban: string
  readonly bic: string
  readonly note: string
  /** Why no VAT is charged; empty where it is. */
  readonly exemption: string
  readonly breakdown: readonly VatTotal[]
  readonly gross: number
}

/**
 * How a document with these lines is paid, as JSON. Null where it is not: the site has no account, its customers pay invoices, or there is
 * nothing to pay.
 */
export async function paymentOf(
  tx: Tx,
  parameters: { site: number; customer: number },
  lines: StorageBill['lines'],
): Promise<string | null> {
  const parties = await tx.maybe(payingParties, parameters)
  if (!parties || parties.invoices || parties.iban === '' || parties.name === '') return null
  const { name, vat_number, company_scheme, company_number, iban, bic, note, rate, exemption, country } = parties
  const buyer = {
    country: parties.buyerCountry,
    vat_number: parties.buyerVatNumber,
    company_number: parties.buyerCompanyNumber,
    exemption: parties.buyerExemption,
  }
  const totals = totalsOf(
    lines.map(line => {
      const { quantity, price } = unsigned({ quantity: line.quantity, price: line.price_excl })
      return {
        net: netOf(quantity, price),
        ...vatOf({ country, vat_number, company_number, exemption }, buyer, line.vat_rate ?? rate),
      }
    }),
  )
  if (totals.gross <= 0) return null
  const { breakdown, gross } = inEur(totals)
  const payment: KeptPayment = {
    name,
    vat_number,
    company_scheme,
    company_number,
    iban,
    bic,
    note,
    exemption: exemption || buyer.exemption,
    breakdown,
    gross,
  }
  return JSON.stringify(payment)
}
