/** The details of the sending site and of the receiving customer that an invoice states (docs/product/money.md "Invoices"). */
import { companySchemes, isCompanyNumber, type CompanyScheme } from './company.ts'
import { isBic, isIban } from './iban.ts'
import { vatNumberProblem } from './vat.ts'

export const billingLimits = {
  legal_name: 100,
  street: 100,
  zipcode: 20,
  city: 100,
  email: 100,
  vat_number: 20,
  company_number: 50,
  peppol_id: 50,
  iban: 42,
  bic: 14,
  series: 8,
  buyer_reference: 100,
  exemption: 200,
  note: 500,
} as const

/** A series of numbers: the first part of `F-2026-00012`. */
export const seriesPattern = /^[A-Z0-9]{1,8}$/

export type Identified = {
  readonly vat_number: string
  readonly company_scheme: CompanyScheme | null
  readonly company_number: string
  readonly peppol_scheme: CompanyScheme | null
  readonly peppol_id: string
}

/** The fields of a party whose numbers can't be right. Texts are normalized; an empty one is none, and right. */
export function wrongNumbers(party: Identified): (keyof Identified)[] {
  const wrong: (keyof Identified)[] = []
  if (party.vat_number !== '' && vatNumberProblem(party.vat_number) !== null) wrong.push('vat_number')
  for (const [scheme, number] of [
    ['company_scheme', 'company_number'],
    ['peppol_scheme', 'peppol_id'],
  ] as const) {
    const chosen = party[scheme]
    if (party[number] === '') continue
    if (chosen === null) wrong.push(scheme)
    else if (!isCompanyNumber(chosen, party[number])) wrong.push(number)
  }
  return wrong
}

export type SellerDetails = Identified & {
  readonly invoices: boolean
  readonly legal_name: string
  readonly city: string
  readonly country: string | null
  readonly iban: string
  readonly bic: string
}

/** The fields of the account that can't be right. */
export const wrongAccount = ({ iban, bic }: Pick<SellerDetails, 'iban' | 'bic'>): ('iban' | 'bic')[] => [
  ...(iban !== '' && !isIban(iban) ? (['iban'] as const) : []),
  ...(bic !== '' && !isBic(bic) ? (['bic'] as const) : []),
]

/** The fields that a site has to fill in before it makes invoices; none for one that makes none. */
export function missingForInvoices(seller: SellerDetails): (keyof SellerDetails)[] {
  if (!seller.invoices) return []
  return [
    ...(['legal_name', 'city'] as const).filter(field => seller[field] === ''),
    ...(seller.country === null ? (['country'] as const) : []),
    // who sells is known by one of them (EN 16931, BR-CO-26)
    ...(seller.vat_number === '' && seller.company_number === '' ? (['vat_number'] as const) : []),
  ]
}

/** Where e-invoices go: as it was entered, else the number in the register where Peppol knows one. */
export function endpointOf(party: Identified): { scheme: CompanyScheme; id: string } | null {
  if (party.peppol_scheme !== null && party.peppol_id !== '')
    return { scheme: party.peppol_scheme, id: party.peppol_id }
  const { company_scheme: scheme, company_number: id } = party
  return scheme !== null && id !== '' && companySchemes[scheme].register ? { scheme, id } : null
}
