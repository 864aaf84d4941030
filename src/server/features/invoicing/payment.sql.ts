/** The statement of how a storage document is paid. */
import { statement } from '../../db/statement.ts'
import { bool, decimal, int, text } from '../../db/types.ts'

const party = { country: text, vat_number: text, exemption: text }

/** The billing details for a payment to the site by a customer. No row: the site has entered none. */
export const payingParties = statement({
  name: 'invoicing.paying',
  parameters: { site: int, customer: int },
  row: {
    invoices: bool,
    name: text,
    company_scheme: text.nullable(),
    company_number: text,
    iban: text,
    bic: text,
    note: text,
    rate: decimal,
    ...party,
    buyerCountry: party.country,
    buyerVatNumber: party.vat_number,
    buyerCompanyNumber: text,
    buyerExemption: party.exemption,
  },
  sql: `select d.invoices, d.legal_name as name, d.company_scheme, d.company_number, d.iban, d.bic, d.note, d.vat_rate as rate,
     coalesce(d.country, '') as country, d.vat_number, d.exemption, coalesce(b.country, d.country, '') as "buyerCountry",
     coalesce(b.vat_number, '') as "buyerVatNumber", coalesce(b.company_number, '') as "buyerCompanyNumber", coalesce(b.exemption, '') as "buyerExemption"
   from billing_details d left join customer_billing b on b.site_id = d.site_id and b.customer_id = :customer
   where d.site_id = :site`,
})
