/** The statements of billing details. A change and its audit, which names the fields without their values, are one statement. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { bool, decimal, instant, int, text } from '../../db/types.ts'

const identified = {
  vat_number: text,
  company_scheme: text.nullable(),
  company_number: text,
  peppol_scheme: text.nullable(),
  peppol_id: text,
}
const ofSite = {
  invoices: bool,
  legal_name: text,
  street: text,
  zipcode: text,
  city: text,
  country: text.nullable(),
  email: text,
  ...identified,
  iban: text,
  bic: text,
  payment_days: int,
  invoice_series: text,
  credit_series: text,
  vat_rate: decimal,
  exemption: text,
  note: text,
  sends: bool,
}
const ofCustomer = {
  legal_name: text,
  country: text.nullable(),
  ...identified,
  buyer_reference: text,
  exemption: text,
}
export const siteFields = Object.keys(ofSite) as (keyof typeof ofSite)[]
export const customerFields = Object.keys(ofCustomer) as (keyof typeof ofCustomer)[]

const list = (fields: readonly string[], as: (field: string) => string = field => field) => fields.map(as).join(', ')

/** The billing details of a site. No row: it has none yet. */
export const detailsOf = statement({
  name: 'invoices.details',
  parameters: { site: int },
  row: ofSite,
  sql: `select ${list(siteFields)} from billing_details where site_id = :site`,
})

export const saveDetails = statement({
  name: 'invoices.saveDetails',
  parameters: { ...ofSite, site: int, actor: int, now: instant, changed: z.array(text) },
  sql: `with saved as (
     insert into billing_details (site_id, ${list(siteFields)}) values (:site, ${list(siteFields, field => `:${field}`)})
     on conflict (site_id) do update set ${list(siteFields, field => `${field} = excluded.${field}`)} returning site_id)
   insert into audit (site_id, account_id, at, action, subject, facts)
   select site_id, :actor, :now, 'invoice.setup', 'site ' || site_id, jsonb_build_object('fields', :changed::text[]) from saved`,
})

/** The billing details of a customer, with its name and address; `saved` is false for one that has none yet. No row: no customer. */
export const buyerOf = statement({
  name: 'invoices.buyer',
  parameters: { site: int, customer: int },
  row: ofCustomer,
  sql: `select ${list(customerFields, field =>
    field === 'country' || field.endsWith('_scheme') ? `b.${field}` : `coalesce(b.${field}, '') as ${field}`,
  )}
   from customer c left join customer_billing b on b.site_id = c.site_id and b.customer_id = c.id
   where c.site_id = :site and c.id = :customer`,
})

export const saveBuyer = statement({
  name: 'invoices.saveBuyer',
  parameters: { ...ofCustomer, site: int, customer: int, actor: int, now: instant, changed: z.array(text) },
  sql: `with saved as (
     insert into customer_billing (site_id, customer_id, ${list(customerFields)})
     values (:site, :customer, ${list(customerFields, field => `:${field}`)})
     on conflict (site_id, customer_id) do update set ${list(customerFields, field => `${field} = excluded.${field}`)}
     returning site_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, :actor, :now, 'invoice.buyer', 'customer ' || customer_id,
     jsonb_build_object('fields', :changed::text[]) from saved`,
})
