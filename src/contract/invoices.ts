/** Invoices and what they say of the site and its customers (docs/product.md "Invoices"). */
import { z } from 'zod'
import {
  billingLimits,
  missingForInvoices,
  seriesPattern,
  wrongAccount,
  wrongNumbers,
  type Identified,
} from '#domain/billingDetails.ts'
import { normalizeCompanyNumber, peppolSchemes } from '#domain/company.ts'
import { normalizeIban } from '#domain/iban.ts'
import { hotelModes } from '#domain/site.ts'
import { invoiceCountries, normalizeVatNumber } from '#domain/vat.ts'
import { type AnswerName, call, feature } from './call.ts'
import { emailOrNothing, id, inputId, typedText } from './wire.ts'

const nothing = z.unknown().transform(() => ({}))
const admins = { who: ['admin'], modes: hotelModes } as const

/** A number, typed with blanks and dots or without. */
const number = (max: number, normalized: (text: string) => string) =>
  typedText(max * 2)
    .transform(normalized)
    .pipe(z.string().max(max))
const scheme = z.enum(peppolSchemes).nullable()
const country = z.enum(invoiceCountries).nullable()

const identified = {
  vat_number: number(billingLimits.vat_number, normalizeVatNumber),
  company_scheme: scheme,
  company_number: number(billingLimits.company_number, normalizeCompanyNumber),
  peppol_scheme: scheme,
  peppol_id: number(billingLimits.peppol_id, normalizeCompanyNumber),
}
const series = typedText(billingLimits.series)
  .transform(text => text.toUpperCase())
  .pipe(z.string().regex(seriesPattern))
/** A rate in per cent, with two decimals at most. */
const rate = z.number().min(0).max(100).multipleOf(0.01)

type Issues = { code: 'custom'; path: string[]; input: unknown; message: string }[]
const complain = (issues: unknown, fields: readonly string[], message: string): void => {
  for (const field of fields) (issues as Issues).push({ code: 'custom', path: [field], input: field, message })
}
/** A number without its scheme is a field left out; any other that is wrong is mistyped. */
function checkNumbers(value: Identified, issues: unknown): void {
  for (const field of wrongNumbers(value))
    complain(issues, [field], field.endsWith('_scheme') ? 'required' : 'mistyped')
}

const details = z.object({
  invoices: z.boolean(),
  legal_name: typedText(billingLimits.legal_name),
  street: typedText(billingLimits.street),
  zipcode: typedText(billingLimits.zipcode),
  city: typedText(billingLimits.city),
  country,
  email: emailOrNothing,
  ...identified,
  iban: number(billingLimits.iban, normalizeIban),
  bic: number(billingLimits.bic, normalizeIban),
  payment_days: z.number().int().min(0).max(365),
  invoice_series: series,
  credit_series: series,
  vat_rate: rate,
  exemption: typedText(billingLimits.exemption),
  note: typedText(billingLimits.note),
})

/** The form of the site's billing details. */
export const detailsForm = details.check(({ value, issues }) => {
  checkNumbers(value, issues)
  complain(issues, wrongAccount(value), 'mistyped')
  complain(issues, missingForInvoices(value), 'required')
})

const buyer = z.object({
  legal_name: typedText(billingLimits.legal_name),
  country,
  ...identified,
  buyer_reference: typedText(billingLimits.buyer_reference),
  exemption: typedText(billingLimits.exemption),
})

/** The form of a customer's billing details. */
export const buyerForm = buyer.extend({ seq_id: inputId }).check(({ value, issues }) => checkNumbers(value, issues))

/** Answers are as they were saved: what was right then need not be by the rules of a later version. */
const known = {
  company_scheme: z.string().nullable(),
  peppol_scheme: z.string().nullable(),
  country: z.string().nullable(),
  vat_number: z.string(),
  company_number: z.string(),
  peppol_id: z.string(),
  legal_name: z.string(),
  exemption: z.string(),
}
const savedDetails = z.object({
  ...known,
  invoices: z.boolean(),
  street: z.string(),
  zipcode: z.string(),
  city: z.string(),
  email: z.string(),
  iban: z.string(),
  bic: z.string(),
  payment_days: z.number().int(),
  invoice_series: z.string(),
  credit_series: z.string(),
  vat_rate: z.number(),
  note: z.string(),
})
export type SavedDetails = z.output<typeof savedDetails>
const savedBuyer = z.object({ seq_id: id, ...known, buyer_reference: z.string() })
export type SavedBuyer = z.output<typeof savedBuyer>

const ofSite: AnswerName[] = ['invoices.settings']

export const invoices = feature('invoices', {
  settings: call({
    path: '/invoices/settings',
    scope: 'read',
    ...admins,
    input: nothing,
    output: savedDetails,
    summary: "Answers the site's billing details: who sells, its account, how invoices are numbered, and its VAT rate.",
  }),
  setup: call({
    path: '/invoices/setup',
    scope: null,
    ...admins,
    input: detailsForm,
    output: savedDetails,
    failures: ['session.stale'],
    invalidates: ofSite,
    summary: "Saves the site's billing details, and whether it makes invoices.",
  }),
  buyer: call({
    path: '/invoices/buyer',
    scope: 'read',
    ...admins,
    input: z.object({ seq_id: inputId }),
    output: savedBuyer,
    failures: ['record.missing'],
    summary: "Answers a customer's billing details: its names and numbers on invoices.",
  }),
  savebuyer: call({
    path: '/invoices/savebuyer',
    scope: 'invoicing',
    ...admins,
    input: buyerForm,
    output: savedBuyer,
    failures: ['record.missing'],
    invalidates: ['invoices.buyer'],
    summary: "Saves a customer's billing details.",
  }),
})
