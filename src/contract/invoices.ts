/** Invoices and what they say of the site and its customers (docs/product/money.md "Invoices"). */
import { z } from 'zod'
import {
  billingLimits,
  missingForInvoices,
  seriesPattern,
  wrongAccount,
  wrongNumbers,
  type Identified,
} from '#domain/money/billingDetails.ts'
import { normalizeCompanyNumber, peppolSchemes } from '#domain/money/company.ts'
import {
  bookkeepingFields,
  bookkeepingRows,
  dateForms,
  decimalSigns,
  mappingLimits,
  separators,
} from '#domain/money/bookkeeping.ts'
import { normalizeIban } from '#domain/money/iban.ts'
import { invoiceKinds, sendingProblems, sendingStates, vatCategories } from '#domain/money/invoice.ts'
import { paymentStates } from '#domain/money/payment.ts'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { invoiceCountries, normalizeVatNumber } from '#domain/money/vat.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { emailOrNothing, id, inputId, isoDate, moment, typedText } from './wire.ts'

const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const

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
  /** Left out: as it was. */
  sends: z.boolean().optional(),
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

/** Answers are as they were saved: data that was valid then may break the rules of a later version. */
const savedParty = {
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
  ...savedParty,
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
  /** Whether e-invoices are handed to the access point, and whether the operator has named one. */
  sends: z.boolean(),
  access_point: z.boolean(),
})
export type SavedDetails = z.output<typeof savedDetails>
const savedBuyer = z.object({ seq_id: id, ...savedParty, buyer_reference: z.string() })
export type SavedBuyer = z.output<typeof savedBuyer>

const ofSite: AnswerName[] = ['invoices.settings']

/** The invoices in a state, or all of which something is left. */
export const invoiceFilters = ['unpaid', ...paymentStates] as const
/** How many invoices a page has. */
export const invoicesPerPage = 50
/** The most documents of one invoice, and of a list to choose from. */
export const maxInvoiceDocuments = 200
/** The most invoices that one request creates; those of a billing run take several. */
export const invoicesAtOnce = 100
/** The most lines that one credit note names. */
const maxInvoiceLines = 10_000
/** The most invoices of one CSV file. */
export const maxExported = 20_000

/** An invoice or credit note in a list; amounts in EUR. `credits` is the invoice that a credit note credits, `credited_by` the note, or notes, that credit it whole. */
const invoice = z.object({
  _id: id,
  number: z.string(),
  kind: z.enum(invoiceKinds),
  issued_on: isoDate,
  due_on: isoDate.nullable(),
  seq_id: id,
  companyname: z.string(),
  net: z.number(),
  vat: z.number(),
  gross: z.number(),
  reason: z.string(),
  credits: z.string().nullable(),
  credited_by: z.string().nullable(),
  /** The notes that credit a part of it, while something is left. */
  credited_in_part: rows(z.string()),
  documents: rows(z.string()),
  /** Whether it is paid, and what is left of it; null for a credit note, and for one whose payment the site does not follow. */
  state: z.enum(paymentStates).nullable(),
  open: z.number().nullable(),
  /** On its way to the access point; null for one that was never to be sent. */
  sending: z
    .object({
      state: z.enum(sendingStates),
      tries: z.number().int(),
      tried: moment.nullable(),
      /** Why the last attempt failed. */
      problem: z.enum(sendingProblems),
      /** The HTTP status that the access point answered. */
      status: z.number().int().nullable(),
      answer: z.string(),
    })
    .nullable(),
})
export type Invoice = z.output<typeof invoice>

/** A line; amounts in EUR. `credited_by` is the credit note that takes it back. */
const invoiceLine = z.object({
  line: z.number().int(),
  description: z.string(),
  quantity: z.number(),
  price_excl: z.number(),
  net: z.number(),
  category: z.enum(vatCategories),
  vat_rate: z.number(),
  credited_by: z.string().nullable(),
})
export type InvoiceLine = z.output<typeof invoiceLine>

/** A document that no invoice has. */
const openDocument = z.object({
  db_id: id,
  number: z.string(),
  date: isoDate,
  document_type: z.enum(documentTypes),
  reason: z.enum(['operation', 'storage', 'delivery']),
  amount_excl: z.number(),
  license_plate: z.string().nullable(),
})
export type OpenDocument = z.output<typeof openDocument>

const line = (max: number) => typedText(max)
export const mappingForm = z.object({
  rows: z.enum(bookkeepingRows),
  separator: z.enum(Object.keys(separators) as [keyof typeof separators]),
  decimal: z.enum(Object.keys(decimalSigns) as [keyof typeof decimalSigns]),
  date: z.enum(dateForms),
  headings: z.boolean(),
  negative: z.boolean(),
  customer_account: line(mappingLimits.account),
  columns: list(
    z.object({
      heading: line(mappingLimits.heading),
      field: z.enum(bookkeepingFields),
      text: line(mappingLimits.text),
    }),
    mappingLimits.columns,
    1,
  ),
  accounts: list(
    z.object({
      category: z.enum(vatCategories),
      rate,
      account: line(mappingLimits.account),
      vat_code: line(mappingLimits.vat_code),
    }),
    mappingLimits.accounts,
  ),
})
/** As it was saved. */
const mapping = z.object({
  rows: z.enum(bookkeepingRows),
  separator: z.enum(Object.keys(separators) as [keyof typeof separators]),
  decimal: z.enum(Object.keys(decimalSigns) as [keyof typeof decimalSigns]),
  date: z.enum(dateForms),
  headings: z.boolean(),
  negative: z.boolean(),
  customer_account: z.string(),
  columns: rows(z.object({ heading: z.string(), field: z.enum(bookkeepingFields), text: z.string() })),
  accounts: rows(
    z.object({ category: z.enum(vatCategories), rate: z.number(), account: z.string(), vat_code: z.string() }),
  ),
})

const created = z.object({ _id: id, number: z.string() })
const reason = z.string().trim().min(1).max(500)
const byId = z.object({ _id: inputId })
const lists: AnswerName[] = ['invoices.list', 'invoices.open', 'invoicing.documents']
const refusals = [
  'record.missing',
  'invoices.off',
  'invoices.documents_taken',
  'invoices.nothing',
  'invoices.unsendable',
] as const

export const invoices = feature('invoices', {
  settings: call({
    path: '/invoices/settings',
    scope: 'read',
    ...admins,
    input: noInput,
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
  open: call({
    path: '/invoices/open',
    scope: 'read',
    ...admins,
    input: z.object({ seq_id: inputId }),
    output: rows(openDocument),
    failures: ['record.missing'],
    summary: `Lists the last ${maxInvoiceDocuments} documents of a customer that cost something and are on no invoice, newest first.`,
  }),
  list: call({
    path: '/invoices/list',
    scope: 'read',
    ...admins,
    input: z
      .object({
        seq_id: inputId.optional(),
        state: z.enum(invoiceFilters).optional(),
        last_invoice: inputId.optional(),
      })
      .optional()
      .transform(input => input ?? {}),
    output: rows(invoice),
    failures: ['record.missing'],
    summary: `Lists the invoices and credit notes of the site or of one customer, or those in a state, newest first, ${invoicesPerPage} a page; the next page follows last_invoice.`,
  }),
  make: call({
    path: '/invoices/make',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: z.object({ seq_id: inputId, documents: list(inputId, maxInvoiceDocuments, 1) }),
    output: created,
    failures: refusals,
    invalidates: lists,
    summary: 'Creates one invoice from documents of a customer, with the next number of the series and year.',
  }),
  makerun: call({
    path: '/invoices/makerun',
    scope: 'invoicing',
    ...admins,
    input: byId,
    output: z.object({ made: z.number().int(), left: z.number().int() }),
    failures: ['record.missing', 'invoices.off', 'invoices.unsendable'],
    invalidates: lists,
    summary: `Creates invoices for the documents of a billing run that are on none, one for each, ${invoicesAtOnce} at a time; asked again while some are left, it goes on.`,
  }),
  credit: call({
    path: '/invoices/credit',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: byId.extend({ reason, lines: list(z.number().int().min(1), maxInvoiceLines, 1).optional() }),
    output: created,
    failures: [
      'record.missing',
      'invoices.credited',
      'invoices.credit_note',
      'invoices.credit_more',
      'invoices.nothing',
    ],
    invalidates: [...lists, 'invoices.lines'],
    summary:
      'Creates a credit note for lines of an invoice, or for all that are left, with a reason. Each line is credited once. When none is left, the documents of the invoice may be withdrawn, or invoiced again.',
  }),
  lines: call({
    path: '/invoices/lines',
    scope: 'read',
    ...admins,
    input: byId,
    output: rows(invoiceLine),
    failures: ['record.missing'],
    summary: 'Lists the lines of an invoice or credit note, with the credit note that takes each back.',
  }),
  send: call({
    path: '/invoices/send',
    scope: 'invoicing',
    costly: true,
    ...admins,
    input: byId,
    output: z.object({}),
    failures: ['record.missing', 'invoices.not_sending', 'invoices.sent', 'invoices.rules'],
    invalidates: ['invoices.list'],
    summary:
      "Hands an invoice or credit note to the operator's access point, or tries it again; one that was sent is not sent again.",
  }),
  pdf: call({
    path: '/invoices/pdf',
    scope: 'read',
    costly: true,
    ...admins,
    input: byId,
    output: z.string(),
    failures: ['record.missing'],
    summary: "Answers an invoice or credit note as PDF in base64, in the customer's language.",
  }),
  ubl: call({
    path: '/invoices/ubl',
    scope: 'read',
    costly: true,
    ...admins,
    input: byId,
    output: z.object({ name: z.string(), xml: z.string() }),
    failures: ['record.missing', 'invoices.rules'],
    summary:
      'Answers an invoice or credit note as UBL for Peppol BIS Billing 3.0. One that breaks a rule is refused with its number.',
  }),
  mapping: call({
    path: '/invoices/mapping',
    scope: 'read',
    ...admins,
    input: noInput,
    output: mapping,
    summary: 'Answers how the CSV file for bookkeeping is made.',
  }),
  savemapping: call({
    path: '/invoices/savemapping',
    scope: null,
    ...admins,
    input: mappingForm,
    output: mapping,
    invalidates: ['invoices.mapping'],
    summary:
      'Saves how the CSV file for bookkeeping is made: columns, separator, decimals, dates, ledger accounts and VAT codes.',
  }),
  export: call({
    path: '/invoices/export',
    scope: 'read',
    costly: true,
    ...admins,
    input: z.object({ from: isoDate, to: isoDate }),
    output: z.object({
      csv: z.string(),
      invoices: z.number().int(),
      /** Categories and rates for which the mapping has no account. */
      unmapped: rows(z.object({ category: z.enum(vatCategories), rate: z.number() })),
    }),
    failures: ['invoices.none_in_period', 'invoices.too_many'],
    summary: `Answers the invoices and credit notes of a period as a CSV file for bookkeeping, ${maxExported} at most.`,
  }),
})
