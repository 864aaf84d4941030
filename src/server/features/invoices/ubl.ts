/** Invoices as UBL for Peppol BIS Billing 3.0 (docs/bookkeeping.md "E-invoices"). */
import type { Invoice as UblInvoice } from '@e-invoice-eu/core'
import { endpointOf } from '#domain/money/billingDetails.ts'
import { peppolSchemeOf } from '#domain/money/company.ts'
import { brokenRules, customization, profile, type XmlElement } from '#domain/money/eInvoice.ts'
import { Failure } from '#domain/failure.ts'
import { exemptionOf } from '#domain/money/invoice.ts'
import { formatCommunication } from '#domain/money/paymentReference.ts'
import type { Row } from '../../db/statement.ts'
import type { invoiceById, KeptParty, KeptVat } from './invoices.sql.ts'
import { parseXml } from './xml.ts'

export type KeptInvoice = Row<typeof invoiceById>
/** The contents of an invoice in its file; complete before it has a number. */
export type InvoiceContent = Pick<
  KeptInvoice,
  | 'kind'
  | 'number'
  | 'communication'
  | 'issued'
  | 'due'
  | 'reference'
  | 'credits'
  | 'creditsOf'
  | 'reason'
  | 'seller'
  | 'buyer'
  | 'net'
  | 'vat'
  | 'gross'
  | 'breakdown'
> & {
  readonly lines: readonly Pick<
    KeptInvoice['lines'][number],
    'line' | 'article' | 'description' | 'quantity' | 'price' | 'net' | 'category' | 'rate'
  >[]
}

const money = (amount: number): string => amount.toFixed(2)
const amount = <N extends string>(name: N, value: number) => ({
  [`cbc:${name}`]: money(value),
  [`cbc:${name}@currencyID`]: 'EUR',
})
/** The entry where there is something to say: Peppol refuses empty elements. */
const filled = (name: string, text: string | null): Record<string, string> =>
  text !== null && text.trim() !== '' ? { [name]: text.trim() } : {}

/** Where a party is reached on the Peppol network; `null` where it is not. */
export const endpointOfParty = (party: KeptParty): ReturnType<typeof endpointOf> =>
  endpointOf({
    ...party,
    company_scheme: peppolSchemeOf(party.company_scheme),
    peppol_scheme: peppolSchemeOf(party.peppol_scheme),
  })

/** `identified`: by its VAT number as any other number, where it is known by no other one (BR-CO-26). */
function partyOf(party: KeptParty, identified: boolean) {
  const endpoint = endpointOfParty(party)
  return {
    ...(endpoint && { 'cbc:EndpointID': endpoint.id, 'cbc:EndpointID@schemeID': endpoint.scheme }),
    ...(identified &&
      party.company_number === '' &&
      party.vat_number !== '' && { 'cac:PartyIdentification': [{ 'cbc:ID': party.vat_number }] }),
    ...(party.name !== '' && { 'cac:PartyName': { 'cbc:Name': party.name } }),
    'cac:PostalAddress': {
      ...filled('cbc:StreetName', party.street),
      ...filled('cbc:CityName', party.city),
      ...filled('cbc:PostalZone', party.zipcode),
      'cac:Country': { 'cbc:IdentificationCode': party.country },
    },
  }
}
const taxSchemeOf = ({ vat_number: number }: KeptParty) => ({
  'cbc:CompanyID': number,
  'cac:TaxScheme': { 'cbc:ID': 'VAT' },
})
const legalOf = (party: KeptParty) => ({
  'cbc:RegistrationName': party.name,
  ...(party.company_number !== '' && {
    'cbc:CompanyID': party.company_number,
    ...(party.company_scheme !== null && { 'cbc:CompanyID@schemeID': party.company_scheme }),
  }),
})
const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }

/** A category outside the scope of VAT has no rate, not one of zero (BR-O-05). */
const percentOf = ({ category, rate }: Pick<KeptVat, 'category' | 'rate'>) =>
  category === 'O' ? {} : { 'cbc:Percent': String(rate) }

function subtotalOf(total: KeptVat, reason: string) {
  const why = exemptionOf(total.category, reason)
  return {
    ...amount('TaxableAmount', total.taxable),
    ...amount('TaxAmount', total.vat),
    'cac:TaxCategory': {
      'cbc:ID': total.category,
      ...percentOf(total),
      ...filled('cbc:TaxExemptionReasonCode', why?.code ?? null),
      ...filled('cbc:TaxExemptionReason', why?.reason ?? null),
      ...vat,
    },
  }
}

/**
 * How it is paid. A transfer, which has to be one of SEPA within Denmark (DK-R-005). A credit note is paid to nobody, and says so where
 * Germany asks for it (DE-R-001).
 */
function paymentMeansOf({ kind, number, communication, seller, buyer }: InvoiceContent): Record<string, unknown> {
  const isWithin = (country: string) => seller.country === country && buyer.country === country
  if (kind === 'credit_note')
    return isWithin('DE') ? { 'cac:PaymentMeans': [{ 'cbc:PaymentMeansCode': notDefined }] } : {}
  if (seller.iban === '') return {}
  return {
    'cac:PaymentMeans': [
      {
        'cbc:PaymentMeansCode': isWithin('DK') ? sepaTransfer : transfer,
        'cbc:PaymentID': communication === null ? number : formatCommunication(communication),
        'cac:PayeeFinancialAccount': {
          'cbc:ID': seller.iban,
          'cbc:Name': seller.name,
          ...(seller.bic !== '' && { 'cac:FinancialInstitutionBranch': { 'cbc:ID': seller.bic } }),
        },
      },
    ],
  }
}
// UNCL 4461
const notDefined = '1'
const transfer = '30'
const sepaTransfer = '58'

/** The invoice in the words of the library: an invoice always, which it turns into a credit note by its type. */
function ublOf(invoice: InvoiceContent): Record<string, unknown> {
  const { seller, buyer, breakdown } = invoice
  const isCredit = invoice.kind === 'credit_note'
  const note = isCredit ? invoice.reason : seller.note
  // an invoice outside the scope of VAT names no VAT number (BR-O-02)
  const isOutside = breakdown.some(({ category }) => category === 'O')
  return {
    'cbc:CustomizationID': customization,
    'cbc:ProfileID': profile,
    'cbc:ID': invoice.number,
    'cbc:IssueDate': invoice.issued,
    ...(invoice.due !== null && { 'cbc:DueDate': invoice.due }),
    'cbc:InvoiceTypeCode': isCredit ? '381' : '380',
    ...(note.trim() !== '' && { 'cbc:Note': [note.trim()] }),
    'cbc:DocumentCurrencyCode': 'EUR',
    ...filled('cbc:BuyerReference', invoice.reference),
    ...(invoice.credits !== null && {
      'cac:BillingReference': [
        {
          'cac:InvoiceDocumentReference': { 'cbc:ID': invoice.credits, ...filled('cbc:IssueDate', invoice.creditsOf) },
        },
      ],
    }),
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        ...partyOf(seller, isOutside),
        ...(!isOutside && seller.vat_number !== '' && { 'cac:PartyTaxScheme': [taxSchemeOf(seller)] }),
        'cac:PartyLegalEntity': legalOf(seller),
        ...(seller.email !== '' && { 'cac:Contact': { 'cbc:ElectronicMail': seller.email } }),
      },
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': {
        ...partyOf(buyer, false),
        ...(!isOutside && buyer.vat_number !== '' && { 'cac:PartyTaxScheme': taxSchemeOf(buyer) }),
        'cac:PartyLegalEntity': legalOf(buyer),
      },
    },
    ...paymentMeansOf(invoice),
    'cac:TaxTotal': [
      {
        ...amount('TaxAmount', invoice.vat),
        'cac:TaxSubtotal': breakdown.map(total => subtotalOf(total, seller.exemption || buyer.exemption)),
      },
    ],
    'cac:LegalMonetaryTotal': {
      ...amount('LineExtensionAmount', invoice.net),
      ...amount('TaxExclusiveAmount', invoice.net),
      ...amount('TaxInclusiveAmount', invoice.gross),
      ...amount('PayableAmount', invoice.gross),
    },
    'cac:InvoiceLine': invoice.lines.map(line => ({
      'cbc:ID': String(line.line),
      'cbc:InvoicedQuantity': String(line.quantity),
      'cbc:InvoicedQuantity@unitCode': 'C62',
      ...amount('LineExtensionAmount', line.net),
      'cac:Item': {
        'cbc:Name': line.description,
        ...(line.article !== null &&
          line.article !== '' && { 'cac:SellersItemIdentification': { 'cbc:ID': line.article } }),
        'cac:ClassifiedTaxCategory': { 'cbc:ID': line.category, ...percentOf(line), ...vat },
      },
      'cac:Price': amount('PriceAmount', line.price),
    })),
  }
}

/** The library's names of elements that differ in a credit note. */
const inCreditNotes: Readonly<Record<string, string>> = {
  'ubl:Invoice': 'CreditNote',
  'cbc:InvoiceTypeCode': 'cbc:CreditNoteTypeCode',
  'cac:InvoiceLine': 'cac:CreditNoteLine',
  'cbc:InvoicedQuantity': 'cbc:CreditedQuantity',
}

/** The elements of an invoice, as the file would have them. */
function treeOf(invoice: InvoiceContent): XmlElement {
  const nameOf = (name: string) => (invoice.kind === 'credit_note' ? (inCreditNotes[name] ?? name) : name)
  const elementsOf = (name: string, value: unknown, attributes: Record<string, string>): XmlElement[] => {
    if (Array.isArray(value)) return value.flatMap(each => elementsOf(name, each, attributes))
    if (typeof value !== 'object' || value === null)
      return [{ name: nameOf(name), attributes, text: String(value), children: [] }]
    const entries = Object.entries(value)
    const children = entries
      .filter(([key]) => !key.includes('@'))
      .flatMap(([key, child]) => {
        const own = entries.filter(([other]) => other.startsWith(`${key}@`))
        return elementsOf(
          key,
          child,
          Object.fromEntries(own.map(([other, text]) => [other.split('@')[1] ?? '', String(text)])),
        )
      })
    return [{ name: nameOf(name), attributes, text: '', children }]
  }
  const [root] = elementsOf('ubl:Invoice', ublOf(invoice), {})
  return { ...(root as XmlElement), name: invoice.kind === 'credit_note' ? 'CreditNote' : 'Invoice' }
}

/** The rules that the file of an invoice will break, before there is one. */
export const rulesBrokenBy = (invoice: InvoiceContent): string[] => brokenRules(treeOf(invoice))

/** The library must not log: faults of an invoice are failures. */
const silent = { log() {}, warn() {}, error() {} }

/**
 * The file, checked by what it says. The library is loaded at the first one.
 * @throws Failure `invoices.rules` with the numbers of the rules that it breaks
 */
export async function ublFile(invoice: KeptInvoice): Promise<string> {
  const { InvoiceService } = await import('@e-invoice-eu/core')
  const service = new InvoiceService(silent)
  const input = { 'ubl:Invoice': ublOf(invoice) } as unknown as UblInvoice
  let xml: string
  try {
    xml = String(await service.generate(input, { format: 'UBL', lang: 'en', noWarnings: true }))
  } catch (error) {
    // the library has a schema of its own, which names no rules
    const broken = rulesBrokenBy(invoice)
    const failure = new Failure('invoices.rules', { rules: (broken.length > 0 ? broken : ['XSD']).join(', ') })
    failure.cause = error
    throw failure
  }
  const rules = brokenRules(await parseXml(xml))
  if (rules.length > 0) throw new Failure('invoices.rules', { rules: rules.join(', ') })
  return xml
}
