import { expect, test } from 'vitest'
import { formatIban, isBic, isIban, normalizeIban } from './iban.ts'

test('an IBAN is checked by country, length and check digits', () => {
  expect(
    ['BE68539007547034', 'NL91ABNA0417164300', 'DE89370400440532013000', 'FR1420041010050500013M02606'].map(isIban),
  ).toEqual([true, true, true, true])
  expect(['BE68539007547035', 'BE6853900754703', 'be68539007547034', '', 'BE68 5390 0754 7034'].map(isIban)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test('an IBAN is kept without blanks and printed in fours', () => {
  expect(formatIban(normalizeIban(' be68 5390 0754 7034 '))).toBe('BE68 5390 0754 7034')
})

test('a BIC has eight or eleven signs', () => {
  expect(['KREDBEBB', 'GEBABEBB36A', 'KREDBEB', 'KRED1EBB'].map(isBic)).toEqual([true, true, false, false])
})
