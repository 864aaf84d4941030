/**
 * The contents and the arithmetic that an e-invoice of Peppol BIS Billing 3.0 must have, each by the number of its rule in EN 16931 or
 * Peppol (docs/bookkeeping.md "E-invoices"). The access point that sends it checks all of the rules.
 */
import { isCompanyNumber, peppolSchemes, type CompanyScheme } from './company.ts'

/** An element of UBL, under its usual prefix: `cbc:ID`. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text of an element without children. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

export const customization = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
export const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** The order in which the schema of UBL 2.1 has the children of an invoice and a credit note, of those that Peppol knows. */
const order = (specific: { after: string; name: string }[], line: string): readonly string[] => {
  const names = [
    'cbc:CustomizationID',
    'cbc:ProfileID',
    'cbc:ID',
    'cbc:IssueDate',
    'cbc:Note',
    'cbc:TaxPointDate',
    'cbc:DocumentCurrencyCode',
    'cbc:TaxCurrencyCode',
    'cbc:AccountingCost',
    'cbc:BuyerReference',
    'cac:InvoicePeriod',
    'cac:OrderReference',
    'cac:BillingReference',
    'cac:DespatchDocumentReference',
    'cac:ReceiptDocumentReference',
    'cac:OriginatorDocumentReference',
    'cac:ContractDocumentReference',
    'cac:AdditionalDocumentReference',
    'cac:ProjectReference',
    'cac:AccountingSupplierParty',
    'cac:AccountingCustomerParty',
    'cac:PayeeParty',
    'cac:TaxRepresentativeParty',
    'cac:Delivery',
    'cac:PaymentMeans',
    'cac:PaymentTerms',
    'cac:AllowanceCharge',
    'cac:TaxTotal',
    'cac:LegalMonetaryTotal',
    line,
  ]
  for (const { after, name } of specific) names.splice(names.indexOf(after) + 1, 0, name)
  return names
}
const orders: Readonly<Record<string, readonly string[]>> = {
  Invoice: order(
    [
      { after: 'cbc:IssueDate', name: 'cbc:DueDate' },
      { after: 'cbc:DueDate', name: 'cbc:InvoiceTypeCode' },
    ],
    'cac:InvoiceLine',
  ),
  CreditNote: order([{ after: 'cbc:TaxPointDate', name: 'cbc:CreditNoteTypeCode' }], 'cac:CreditNoteLine').filter(
    name => name !== 'cac:ProjectReference',
  ),
}
/** A credit note has its tax point before its type, and its notes after it. */
const orderOf = (root: string): readonly string[] | undefined => {
  if (root !== 'CreditNote') return orders[root]
  const names = orders['CreditNote']?.filter(name => name !== 'cbc:Note') ?? []
  return names.toSpliced(names.indexOf('cbc:CreditNoteTypeCode') + 1, 0, 'cbc:Note')
}

const all = (from: XmlElement, path: string): XmlElement[] =>
  path
    .split('/')
    .reduce<XmlElement[]>(
      (at, name) => at.flatMap(element => element.children.filter(child => child.name === name)),
      [from],
    )
const first = (from: XmlElement, path: string): XmlElement | undefined => all(from, path)[0]
const textAt = (from: XmlElement, path: string): string => first(from, path)?.text.trim() ?? ''
const every = (from: XmlElement): XmlElement[] => [from, ...from.children.flatMap(every)]

/** An amount in hundred-millionths, exact; `null` when the text is none, or has more than eight decimals. */
function exactly(text: string): bigint | null {
  const parts = /^([+-]?)(\d+)(?:\.(\d{1,8}))?$/.exec(text.trim())
  if (!parts) return null
  const [, sign, whole = '', fraction = ''] = parts
  return BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction.padEnd(8, '0')}`)
}
const unit = 10n ** 8n
const cent = unit / 100n
const amountAt = (from: XmlElement, path: string): bigint | null => {
  const text = textAt(from, path)
  return text === '' ? null : exactly(text)
}
const orZero = (amount: bigint | null): bigint => amount ?? 0n
const sum = (amounts: readonly (bigint | null)[]): bigint =>
  amounts.reduce<bigint>((total, each) => total + orZero(each), 0n)
/** To cents, halves away from zero. */
const rounded = (amount: bigint): bigint => {
  const magnitude = ((amount < 0n ? -amount : amount) + cent / 2n) / cent
  return (amount < 0n ? -magnitude : magnitude) * cent
}
const times = (a: bigint, b: bigint): bigint => (a * b) / unit
const isNear = (a: bigint, b: bigint, by: bigint): boolean => (a > b ? a - b : b - a) <= by

type Rule = readonly [code: string, holds: boolean]

/** The categories with VAT or without, and the letters of their rules. */
const categoryRules = { S: 'S', Z: 'Z', E: 'E', AE: 'AE', K: 'IC', G: 'G', O: 'O', L: 'IG', M: 'IP' } as const

/** The rules that an invoice or credit note breaks, each once, in the order in which they are checked; none: it may leave. */
export function brokenRules(root: XmlElement): string[] {
  const rules = [
    ...wholeRules(root),
    ...headRules(root),
    ...partyRules(root),
    ...paymentRules(root),
    ...lineRules(root),
    ...totalRules(root),
    ...vatRules(root),
    ...germanRules(root),
    ...danishRules(root),
  ]
  return [...new Set(rules.filter(([, holds]) => !holds).map(([code]) => code))]
}

function wholeRules(root: XmlElement): Rule[] {
  const order = orderOf(root.name)
  const places = root.children.map(({ name }) => order?.indexOf(name) ?? -1)
  const currency = textAt(root, 'cbc:DocumentCurrencyCode')
  const elements = every(root)
  return [
    ['XSD', order !== undefined && places.every((place, nth) => place >= 0 && place >= (places[nth - 1] ?? 0))],
    ['PEPPOL-EN16931-R008', elements.every(({ children, text }) => children.length > 0 || text.trim() !== '')],
    [
      'PEPPOL-EN16931-R051',
      elements.every(({ name, attributes }) => {
        const { currencyID } = attributes
        return currencyID === undefined || name === 'cbc:TaxAmount' || currencyID === currency
      }),
    ],
  ]
}

const isDate = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)

function headRules(root: XmlElement): Rule[] {
  const isInvoice = root.name === 'Invoice'
  const type = textAt(root, isInvoice ? 'cbc:InvoiceTypeCode' : 'cbc:CreditNoteTypeCode')
  const dates = [...all(root, 'cbc:IssueDate'), ...all(root, 'cbc:DueDate')]
  const references = all(root, 'cac:BillingReference/cac:InvoiceDocumentReference')
  const filled = (path: string) => textAt(root, path) !== ''
  return [
    ['BR-01', filled('cbc:CustomizationID')],
    ['PEPPOL-EN16931-R004', textAt(root, 'cbc:CustomizationID').startsWith(customization)],
    ['PEPPOL-EN16931-R001', filled('cbc:ProfileID')],
    ['PEPPOL-EN16931-R007', /^urn:fdc:peppol\.eu:2017:poacc:billing:\d{2}:1\.0$/.test(textAt(root, 'cbc:ProfileID'))],
    ['BR-02', filled('cbc:ID')],
    ['BR-03', filled('cbc:IssueDate')],
    ['PEPPOL-EN16931-F001', dates.every(({ text }) => isDate(text.trim()))],
    ['BR-04', type !== ''],
    isInvoice
      ? [
          'PEPPOL-EN16931-P0100',
          ['380', '383', '386', '393', '82', '80', '84', '395', '457', '456', '458', '326'].includes(type),
        ]
      : ['PEPPOL-EN16931-P0101', ['381', '396', '81', '83', '532'].includes(type)],
    ['BR-05', filled('cbc:DocumentCurrencyCode')],
    ['PEPPOL-EN16931-R002', all(root, 'cbc:Note').length <= 1],
    ['PEPPOL-EN16931-R003', filled('cbc:BuyerReference') || filled('cac:OrderReference/cbc:ID')],
    ['BR-55', references.every(reference => textAt(reference, 'cbc:ID') !== '')],
  ]
}

const easPattern = /^(?:0\d{3}|9\d{3}|AN|AQ|AS|AU|EM)$/
const isScheme = (scheme: string): scheme is CompanyScheme => (peppolSchemes as readonly string[]).includes(scheme)

/** Numbers of schemes that Peppol checks. */
const schemeRules: Readonly<Record<string, string>> = {
  '0208': 'PEPPOL-COMMON-R043',
  '0106': 'PEPPOL-COMMON-R054',
  '0088': 'PEPPOL-COMMON-R040',
  '0192': 'PEPPOL-COMMON-R041',
  '0007': 'PEPPOL-COMMON-R049',
}

function partyRules(root: XmlElement): Rule[] {
  const seller = first(root, 'cac:AccountingSupplierParty/cac:Party')
  const buyer = first(root, 'cac:AccountingCustomerParty/cac:Party')
  const at = (party: XmlElement | undefined, path: string) => (party ? textAt(party, path) : '')
  const endpoints = [seller, buyer].flatMap(party => (party ? all(party, 'cbc:EndpointID') : []))
  const numbered = every(root).filter(
    ({ name, attributes }) =>
      ['cbc:EndpointID', 'cbc:CompanyID', 'cbc:ID'].includes(name) && attributes['schemeID'] !== undefined,
  )
  const vatNumbers = every(root)
    .filter(({ name }) => name === 'cac:PartyTaxScheme')
    .filter(scheme => textAt(scheme, 'cac:TaxScheme/cbc:ID') === 'VAT')
    .map(scheme => textAt(scheme, 'cbc:CompanyID'))
  const identified =
    at(seller, 'cac:PartyTaxScheme/cbc:CompanyID') !== '' ||
    at(seller, 'cac:PartyLegalEntity/cbc:CompanyID') !== '' ||
    at(seller, 'cac:PartyIdentification/cbc:ID') !== ''
  const address = 'cac:PostalAddress'
  return [
    ['PEPPOL-EN16931-R020', at(seller, 'cbc:EndpointID') !== ''],
    ['PEPPOL-EN16931-R010', at(buyer, 'cbc:EndpointID') !== ''],
    ['PEPPOL-EN16931-CL008', endpoints.every(({ attributes }) => easPattern.test(attributes['schemeID'] ?? ''))],
    ['BR-06', at(seller, 'cac:PartyLegalEntity/cbc:RegistrationName') !== ''],
    ['BR-07', at(buyer, 'cac:PartyLegalEntity/cbc:RegistrationName') !== ''],
    ['BR-08', seller !== undefined && all(seller, address).length > 0],
    ['BR-09', at(seller, `${address}/cac:Country/cbc:IdentificationCode`) !== ''],
    ['BR-10', buyer !== undefined && all(buyer, address).length > 0],
    ['BR-11', at(buyer, `${address}/cac:Country/cbc:IdentificationCode`) !== ''],
    ['BR-CO-26', identified],
    ['BR-CO-09', vatNumbers.every(number => /^[A-Z]{2}./.test(number))],
    ...numbered.flatMap(({ attributes, text }): Rule[] => {
      const scheme = attributes['schemeID'] ?? ''
      const rule = schemeRules[scheme]
      return rule && isScheme(scheme) ? [[rule, isCompanyNumber(scheme, text.trim())]] : []
    }),
  ]
}

/** Whether payment is by a transfer, of SEPA or not. */
const isTransfer = (means: XmlElement): boolean => ['30', '58'].includes(textAt(means, 'cbc:PaymentMeansCode'))

function paymentRules(root: XmlElement): Rule[] {
  const means = all(root, 'cac:PaymentMeans')
  const payable = orZero(amountAt(root, 'cac:LegalMonetaryTotal/cbc:PayableAmount'))
  const dated = textAt(root, 'cbc:DueDate') !== '' || textAt(root, 'cac:PaymentTerms/cbc:Note') !== ''
  const transfers = means.filter(isTransfer)
  return [
    ['BR-CO-25', root.name !== 'Invoice' || payable <= 0n || dated],
    ['BR-49', means.every(payment => textAt(payment, 'cbc:PaymentMeansCode') !== '')],
    ['BR-61', transfers.every(transfer => textAt(transfer, 'cac:PayeeFinancialAccount/cbc:ID') !== '')],
  ]
}

/** The two sides of an allowance or a charge. */
const signed = (adjustment: XmlElement): bigint => {
  const amount = orZero(amountAt(adjustment, 'cbc:Amount'))
  return textAt(adjustment, 'cbc:ChargeIndicator') === 'true' ? amount : -amount
}

const linesOf = (root: XmlElement) => [...all(root, 'cac:InvoiceLine'), ...all(root, 'cac:CreditNoteLine')]
const quantityOf = (line: XmlElement) => first(line, 'cbc:InvoicedQuantity') ?? first(line, 'cbc:CreditedQuantity')

function lineRules(root: XmlElement): Rule[] {
  const lines = linesOf(root)
  return [
    ['BR-16', lines.length > 0],
    ...lines.flatMap((line): Rule[] => {
      const quantity = quantityOf(line)
      const net = amountAt(line, 'cbc:LineExtensionAmount')
      const price = amountAt(line, 'cac:Price/cbc:PriceAmount')
      const base = amountAt(line, 'cac:Price/cbc:BaseQuantity') ?? unit
      const amount = exactly(quantity?.text ?? '')
      const adjusted = sum(all(line, 'cac:AllowanceCharge').map(signed))
      const computed =
        amount === null || price === null || base === 0n ? null : rounded((amount * price) / base) + adjusted
      return [
        ['BR-21', textAt(line, 'cbc:ID') !== ''],
        ['BR-22', amount !== null],
        ['BR-23', (quantity?.attributes['unitCode'] ?? '') !== ''],
        ['BR-24', net !== null],
        ['BR-25', textAt(line, 'cac:Item/cbc:Name') !== ''],
        ['BR-26', price !== null],
        ['BR-27', price === null || price >= 0n],
        ['BR-CO-04', textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID') !== ''],
        ['BR-DEC-23', net === null || net % cent === 0n],
        ['PEPPOL-EN16931-R120', computed === null || net === null || isNear(net, computed, 2n * cent)],
      ]
    }),
  ]
}

const decimals = [
  ['BR-DEC-09', 'cbc:LineExtensionAmount'],
  ['BR-DEC-12', 'cbc:TaxExclusiveAmount'],
  ['BR-DEC-14', 'cbc:TaxInclusiveAmount'],
  ['BR-DEC-18', 'cbc:PayableAmount'],
] as const

/** The total of VAT in the currency of the document: the one with a breakdown. */
const taxTotal = (root: XmlElement) =>
  all(root, 'cac:TaxTotal').find(total => all(total, 'cac:TaxSubtotal').length > 0) ?? first(root, 'cac:TaxTotal')

function totalRules(root: XmlElement): Rule[] {
  const totals = first(root, 'cac:LegalMonetaryTotal')
  const at = (name: string) => (totals ? amountAt(totals, name) : null)
  const [lines, exclusive, inclusive, payable] = decimals.map(([, name]) => at(name))
  const tax = taxTotal(root)
  const vat = tax ? amountAt(tax, 'cbc:TaxAmount') : null
  const subtotals = tax ? all(tax, 'cac:TaxSubtotal') : []
  const adjustments = sum(all(root, 'cac:AllowanceCharge').map(signed))
  const net = sum(linesOf(root).map(line => amountAt(line, 'cbc:LineExtensionAmount')))
  return [
    ['BR-12', lines !== null],
    ['BR-13', exclusive !== null],
    ['BR-14', inclusive !== null],
    ['BR-15', payable !== null],
    ...decimals.map(([rule, name]): Rule => [rule, orZero(at(name)) % cent === 0n]),
    ['BR-DEC-13', orZero(vat) % cent === 0n],
    ['BR-CO-10', orZero(lines ?? null) === net],
    ['BR-CO-13', orZero(exclusive ?? null) === orZero(lines ?? null) + adjustments],
    ['BR-CO-14', orZero(vat) === sum(subtotals.map(subtotal => amountAt(subtotal, 'cbc:TaxAmount')))],
    ['BR-CO-15', orZero(inclusive ?? null) === orZero(exclusive ?? null) + orZero(vat)],
    [
      'BR-CO-16',
      orZero(payable ?? null) ===
        orZero(inclusive ?? null) - orZero(at('cbc:PrepaidAmount')) + orZero(at('cbc:PayableRoundingAmount')),
    ],
    ['BR-CO-18', subtotals.length > 0],
  ]
}

/** Whether a category has a rate, which is zero. */
const isFree = (id: string): boolean => ['Z', 'E', 'AE'].includes(id)

function vatRules(root: XmlElement): Rule[] {
  const tax = taxTotal(root)
  const subtotals = tax ? all(tax, 'cac:TaxSubtotal') : []
  const rateAt = (element: XmlElement, path: string) => amountAt(element, `${path}/cbc:Percent`)
  const categories = [
    ...linesOf(root).map(line => ({
      amount: orZero(amountAt(line, 'cbc:LineExtensionAmount')),
      id: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
      rate: rateAt(line, 'cac:Item/cac:ClassifiedTaxCategory'),
    })),
    ...all(root, 'cac:AllowanceCharge').map(adjustment => ({
      amount: signed(adjustment),
      id: textAt(adjustment, 'cac:TaxCategory/cbc:ID'),
      rate: rateAt(adjustment, 'cac:TaxCategory'),
    })),
  ]
  // notes for parts of an invoice come to its VAT together, which one of them may round another way (domain/money/invoice.ts)
  const leeway = root.name.endsWith('CreditNote') ? cent : 0n
  const sellerVat = vatNumberOf(root, 'cac:AccountingSupplierParty')
  const buyerVat = vatNumberOf(root, 'cac:AccountingCustomerParty')
  const buyerLegal = textAt(root, 'cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID')
  const isIdentified = (id: string): boolean => {
    if (id === 'O') return !sellerVat && !buyerVat
    return id === 'AE' ? sellerVat && (buyerVat || buyerLegal !== '') : sellerVat
  }
  const isOutside = subtotals.some(subtotal => textAt(subtotal, 'cac:TaxCategory/cbc:ID') === 'O')
  return [
    ...categories.flatMap(({ id, rate }): Rule[] => {
      const letters = categoryRules[id as keyof typeof categoryRules] ?? 'S'
      return [
        ['BR-CL-18', id in categoryRules],
        [`BR-${letters}-01`, subtotals.some(subtotal => textAt(subtotal, 'cac:TaxCategory/cbc:ID') === id)],
        [`BR-${letters}-02`, isIdentified(id)],
        [
          `BR-${letters}-05`,
          id === 'S' ? orZero(rate) > 0n : id === 'O' ? rate === null : !isFree(id) || orZero(rate) === 0n,
        ],
      ]
    }),
    ...subtotals.flatMap((subtotal): Rule[] => {
      const category = first(subtotal, 'cac:TaxCategory')
      const id = category ? textAt(category, 'cbc:ID') : ''
      const rate = rateAt(subtotal, 'cac:TaxCategory')
      const taxable = amountAt(subtotal, 'cbc:TaxableAmount')
      const vat = amountAt(subtotal, 'cbc:TaxAmount')
      const letters = categoryRules[id as keyof typeof categoryRules] ?? 'S'
      const inCategory = categories.filter(each => each.id === id && (id !== 'S' || orZero(each.rate) === orZero(rate)))
      const explained = category
        ? textAt(category, 'cbc:TaxExemptionReason') !== '' || textAt(category, 'cbc:TaxExemptionReasonCode') !== ''
        : false
      const computed = rounded(times(orZero(taxable), orZero(rate)) / 100n)
      return [
        ['BR-45', taxable !== null],
        ['BR-46', vat !== null],
        ['BR-47', id !== ''],
        ['BR-48', rate !== null || id === 'O'],
        ['BR-DEC-19', orZero(taxable) % cent === 0n],
        ['BR-DEC-20', orZero(vat) % cent === 0n],
        ['BR-CO-17', isNear(orZero(vat), computed, leeway)],
        [`BR-${letters}-08`, orZero(taxable) === sum(inCategory.map(({ amount }) => amount))],
        [
          `BR-${letters}-09`,
          id === 'S' ? isNear(orZero(vat), computed, leeway) : orZero(vat) === 0n || !(isFree(id) || id === 'O'),
        ],
        [`BR-${letters}-10`, ['S', 'Z'].includes(id) ? !explained : explained || !['E', 'AE', 'O'].includes(id)],
      ]
    }),
    ['BR-O-11', !isOutside || subtotals.every(subtotal => textAt(subtotal, 'cac:TaxCategory/cbc:ID') === 'O')],
    ['BR-O-12', !isOutside || categories.every(({ id }) => id === 'O')],
  ]
}

/** Whether a party, or the tax representative of a seller, has a VAT number. */
const vatNumberOf = (root: XmlElement, party: string): boolean =>
  [
    ...all(root, `${party}/cac:Party/cac:PartyTaxScheme`),
    ...(party === 'cac:AccountingSupplierParty' ? all(root, 'cac:TaxRepresentativeParty/cac:PartyTaxScheme') : []),
  ].some(scheme => textAt(scheme, 'cbc:CompanyID') !== '')

const supplier = 'cac:AccountingSupplierParty/cac:Party'
const customer = 'cac:AccountingCustomerParty/cac:Party'
const countryOf = (root: XmlElement, party: string): string =>
  textAt(root, `${party}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)

/** The rules of Peppol between two parties in Germany that a file of ours can break; the others are of elements that it never has. */
function germanRules(root: XmlElement): Rule[] {
  if (countryOf(root, supplier) !== 'DE' || countryOf(root, customer) !== 'DE') return []
  const filled = (path: string) => textAt(root, path) !== ''
  const contact = `${supplier}/cac:Contact`
  const hasContact = all(root, contact).length > 0
  const type = textAt(root, root.name === 'Invoice' ? 'cbc:InvoiceTypeCode' : 'cbc:CreditNoteTypeCode')
  const tax = taxTotal(root)
  const subtotals = tax ? all(tax, 'cac:TaxSubtotal') : []
  const transfers = all(root, 'cac:PaymentMeans').filter(isTransfer)
  return [
    ['DE-R-001', all(root, 'cac:PaymentMeans').length > 0],
    ['DE-R-002', hasContact],
    ['DE-R-003', filled(`${supplier}/cac:PostalAddress/cbc:CityName`)],
    ['DE-R-004', filled(`${supplier}/cac:PostalAddress/cbc:PostalZone`)],
    ['DE-R-005', !hasContact || filled(`${contact}/cbc:Name`)],
    ['DE-R-006', !hasContact || filled(`${contact}/cbc:Telephone`)],
    ['DE-R-007', !hasContact || filled(`${contact}/cbc:ElectronicMail`)],
    ['DE-R-008', filled(`${customer}/cac:PostalAddress/cbc:CityName`)],
    ['DE-R-009', filled(`${customer}/cac:PostalAddress/cbc:PostalZone`)],
    ['DE-R-014', subtotals.every(subtotal => textAt(subtotal, 'cac:TaxCategory/cbc:Percent') !== '')],
    ['DE-R-015', filled('cbc:BuyerReference')],
    [
      'DE-R-016',
      filled(`${supplier}/cac:PartyTaxScheme/cbc:CompanyID`) ||
        filled('cac:TaxRepresentativeParty/cac:PartyTaxScheme/cbc:CompanyID') ||
        subtotals.every(subtotal => textAt(subtotal, 'cac:TaxCategory/cbc:ID') === 'O'),
    ],
    ['DE-R-017', ['326', '380', '384', '389', '381', '875', '876', '877'].includes(type)],
    ['DE-R-023-1', transfers.every(means => all(means, 'cac:PayeeFinancialAccount').length > 0)],
  ]
}

/** The rules of Peppol for a seller in Denmark, and between two parties there, that a file of ours can break. */
function danishRules(root: XmlElement): Rule[] {
  if (countryOf(root, supplier) !== 'DK') return []
  const legal = first(root, `${supplier}/cac:PartyLegalEntity/cbc:CompanyID`)
  const payable = orZero(amountAt(root, 'cac:LegalMonetaryTotal/cbc:PayableAmount'))
  const seller: Rule[] = [
    ['DK-R-002', (legal?.text.trim() ?? '') !== ''],
    ['DK-R-014', legal === undefined || legal.attributes['schemeID'] === '0184'],
    ['DK-R-016', root.name !== 'CreditNote' || payable >= 0n],
  ]
  if (root.name !== 'Invoice' || countryOf(root, customer) !== 'DK') return seller
  const means = all(root, 'cac:PaymentMeans')
  const allowed = ['1', '10', '31', '42', '48', '49', '50', '58', '59', '93', '97']
  const account = 'cac:PayeeFinancialAccount/cbc:ID'
  return [
    ...seller,
    ['DK-R-005', means.every(payment => allowed.includes(textAt(payment, 'cbc:PaymentMeansCode')))],
    [
      'DK-R-006',
      means
        .filter(payment => ['31', '42'].includes(textAt(payment, 'cbc:PaymentMeansCode')))
        .every(
          payment =>
            textAt(payment, account) !== '' &&
            textAt(payment, 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID') !== '',
        ),
    ],
  ]
}
