/** The billing details of the site and of its customers (docs/product/money.md "Invoices"). */
import type { SavedDetails } from '#contract/invoices.ts'
import { lockCustomer } from '../customers/customers.sql.ts'
import type { Handlers } from '../handler.ts'
import { requireFresh } from '../security/fresh.ts'
import * as sql from './details.sql.ts'

/** The details that a site has saved. */
export type KeptDetails = Omit<SavedDetails, 'access_point'>

/** As of a site that has entered nothing; the defaults of the table. */
export const noDetails: KeptDetails = {
  invoices: false,
  legal_name: '',
  street: '',
  zipcode: '',
  city: '',
  country: null,
  email: '',
  vat_number: '',
  company_scheme: null,
  company_number: '',
  peppol_scheme: null,
  peppol_id: '',
  iban: '',
  bic: '',
  payment_days: 30,
  invoice_series: 'F',
  credit_series: 'CN',
  vat_rate: 21,
  exemption: '',
  note: '',
  sends: false,
}

export const details: Pick<Handlers['invoices'], 'settings' | 'setup' | 'buyer' | 'savebuyer'> = {
  settings: async ({ tx, site, request }) => ({
    ...((await tx.maybe(sql.detailsOf, { site: site.id })) ?? noDetails),
    access_point: request.accessPoint,
  }),

  async setup(context) {
    const { tx, site, who, now, request } = context
    const details = (await tx.maybe(sql.detailsOf, { site: site.id })) ?? noDetails
    const input = { ...context.input, sends: context.input.sends ?? details.sends }
    const changed = sql.siteFields.filter(field => input[field] !== details[field])
    // anyone who can change the bank account can redirect the payments
    if (changed.includes('iban')) requireFresh(context)
    if (changed.length > 0) await tx.run(sql.saveDetails, { ...input, site: site.id, actor: who.account, now, changed })
    return { ...input, access_point: request.accessPoint }
  },

  buyer: async ({ input: { seq_id }, tx, site }) => ({
    seq_id,
    ...(await tx.one(sql.buyerOf, { site: site.id, customer: seq_id })),
  }),

  async savebuyer({ input, tx, site, who, now }) {
    const { seq_id: customer, ...buyer } = input
    await tx.one(lockCustomer, { site: site.id, customer })
    const saved = await tx.one(sql.buyerOf, { site: site.id, customer })
    const changed = sql.customerFields.filter(field => buyer[field] !== saved[field])
    if (changed.length > 0)
      await tx.run(sql.saveBuyer, { ...buyer, site: site.id, customer, actor: who.account, now, changed })
    return input
  },
}
