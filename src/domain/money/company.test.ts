import { expect, test } from 'vitest'
import {
  companySchemes,
  isCompanyNumber,
  normalizeCompanyNumber,
  peppolSchemes,
  type CompanyScheme,
} from './company.ts'

test.each([
  ['0208', '0739484052', '0739484059'],
  ['0106', '12345678', '1234567'],
  ['0190', '00000001822477348000', '0000000182247734800'],
  ['0002', '303265045', '303265046'],
  ['0009', '73282932000074', '73282932000075'],
  ['0204', '991-01484-64', '991'],
  ['0184', '13585628', '13585627'],
  ['0192', '988077917', '988077918'],
  ['0007', '2120000142', '2120000143'],
  ['0088', '7300010000001', '7300010000002'],
  ['9925', 'BE0739484052', 'BE0739484059'],
  ['9944', 'NL004495445B01', 'DE136695976'],
] as const)('a number of scheme %s is checked', (scheme, good, bad) => {
  expect([isCompanyNumber(scheme, good), isCompanyNumber(scheme, bad)]).toEqual([true, false])
})

test('every scheme is offered', () => {
  expect([...peppolSchemes].toSorted()).toEqual((Object.keys(companySchemes) as CompanyScheme[]).toSorted())
})

test('a number is kept without blanks and dots', () => {
  expect(normalizeCompanyNumber(' 0739.484.052 ')).toBe('0739484052')
})
