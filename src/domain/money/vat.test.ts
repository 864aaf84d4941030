import { describe, expect, test } from 'vitest'
import { countryOfVatNumber, isBelgianEnterprise, vatNumberProblem } from './vat.ts'

/** A number of each country, published as an example or of an authority, and the same with one digit wrong. */
const numbers = {
  AT: ['ATU13585627', 'ATU13585626'],
  BE: ['BE0739484052', 'BE0739484059'],
  CHE: ['CHE-100.155.212 MWST', 'CHE-100.155.213 MWST'],
  DE: ['DE136695976', 'DE136695978'],
  DK: ['DK13585628', 'DK13585627'],
  ES: ['ESJ99216582', 'ESJ99216583'],
  FI: ['FI20774740', 'FI20774741'],
  FR: ['FR40303265045', 'FR84323140391'],
  GB: ['GB980780684', 'GB802311781'],
  HR: ['HR33392005961', 'HR33392005962'],
  IE: ['IE6433435F', 'IE6433435E'],
  IT: ['IT00743110157', 'IT00743110158'],
  LU: ['LU15027442', 'LU15027443'],
  NL: ['NL004495445B01', 'NL123456789B90'],
  PL: ['PL8567346215', 'PL8567346216'],
  PT: ['PT501964843', 'PT501964842'],
  SE: ['SE123456789701', 'SE123456789101'],
  XI: ['XI980780684', 'XI980780685'],
} as const

describe('a VAT number', () => {
  test.each(Object.entries(numbers))('of %s is good, and mistyped it is not', (_, [good, bad]) => {
    expect([vatNumberProblem(good), vatNumberProblem(bad)]).toEqual([null, 'digit'])
  })

  test.each([
    'FRK7399859412',
    'FR4Z123456782',
    'NL000099998B57',
    'ES54362315K',
    'ESX5253868R',
    'IE6433435OA',
    'GBGD001',
  ])('of a rarer kind is good: %s', number => expect(vatNumberProblem(number)).toBeNull())

  test.each(['BE 0739.484.052', 'be0739484052', 'BE0739-484-052'])('is read however it is written: %s', number =>
    expect(vatNumberProblem(number)).toBeNull(),
  )

  test.each([
    ['0739484052', 'country'],
    ['', 'country'],
    ['US123456789', 'country'],
    ['BE739484052', 'form'],
    ['BE2739484052', 'form'],
    ['NL004495445B00', 'form'],
    ['FRIO334175221', 'form'],
    ['DE036695976', 'form'],
  ] as const)('is refused when it is none: %s', (number, problem) => expect(vatNumberProblem(number)).toBe(problem))

  test('says its country as addresses do', () => {
    expect(['EL123456789', 'XI980780684', 'BE0739484052'].map(countryOfVatNumber)).toEqual(['GR', 'GB', 'BE'])
  })
})

test('a Belgian enterprise number has ten digits, and the check digits of its first eight', () => {
  expect(['0739484052', '0202239951', '0403170701'].map(isBelgianEnterprise)).toEqual([true, true, true])
  expect(['0739484059', '0202239952', '07399999484052', 'ABC', ''].map(isBelgianEnterprise)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
