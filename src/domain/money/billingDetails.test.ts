import { describe, expect, test } from 'vitest'
import { endpointOf, missingForInvoices, wrongAccount, wrongNumbers } from './billingDetails.ts'

const party = {
  vat_number: 'BE0739484052',
  company_scheme: '0208',
  company_number: '0739484052',
  peppol_scheme: null,
  peppol_id: '',
} as const
const seller = { ...party, invoices: true, legal_name: 'Bandenhotel', city: 'Gent', country: 'BE', iban: '', bic: '' }

describe('the numbers of a party', () => {
  test('are right, or not there', () => {
    expect(wrongNumbers(party)).toEqual([])
    expect(wrongNumbers({ ...party, vat_number: '', company_scheme: null, company_number: '' })).toEqual([])
  })

  test('are named when they are mistyped', () => {
    expect(
      wrongNumbers({
        ...party,
        vat_number: 'BE0739484059',
        company_number: '0739484059',
        peppol_scheme: '0106',
        peppol_id: '1',
      }),
    ).toEqual(['vat_number', 'company_number', 'peppol_id'])
  })

  test('need a scheme', () => {
    expect(wrongNumbers({ ...party, company_scheme: null, peppol_id: '1' })).toEqual([
      'company_scheme',
      'peppol_scheme',
    ])
  })
})

describe('a site that makes invoices', () => {
  test('says who it is', () => {
    expect(missingForInvoices(seller)).toEqual([])
    expect(
      missingForInvoices({ ...seller, legal_name: '', city: '', country: null, vat_number: '', company_number: '' }),
    ).toEqual(['legal_name', 'city', 'country', 'vat_number'])
  })

  test('may be one that has no VAT number, but a company number', () => {
    expect(missingForInvoices({ ...seller, vat_number: '' })).toEqual([])
  })

  test('else may say nothing', () => {
    expect(missingForInvoices({ ...seller, invoices: false, legal_name: '' })).toEqual([])
  })

  test('has an account that can be right', () => {
    expect(wrongAccount({ iban: '', bic: '' })).toEqual([])
    expect(wrongAccount({ iban: 'BE68539007547035', bic: 'KRED' })).toEqual(['iban', 'bic'])
  })
})

test('e-invoices go to the address that was entered, else to the number in the register', () => {
  expect(endpointOf(party)).toEqual({ scheme: '0208', id: '0739484052' })
  expect(endpointOf({ ...party, peppol_scheme: '9925', peppol_id: 'BE0739484052' })).toEqual({
    scheme: '9925',
    id: 'BE0739484052',
  })
  expect(endpointOf({ ...party, company_number: '' })).toBeNull()
})
