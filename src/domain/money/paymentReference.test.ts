import { describe, expect, test } from 'vitest'
import {
  formatCommunication,
  isCreditorReference,
  isStructuredCommunication,
  referencesIn,
  referencesOf,
  structuredCommunication,
} from './paymentReference.ts'

describe('a structured communication', () => {
  test.each([
    [1, '000000000101'],
    [97, '000000009797'],
    [909337554, '090933755493'],
    [9_999_999_999, '999999999948'],
  ])('of %i is %s', (base, digits) => {
    expect(structuredCommunication(base)).toBe(digits)
    expect(isStructuredCommunication(digits)).toBe(true)
  })

  test('is printed in three groups', () => {
    expect(formatCommunication('090933755493')).toBe('+++090/9337/55493+++')
  })

  test('with one digit wrong, or two exchanged, is none', () => {
    for (const digits of ['090933755493', '000000000101', '000000009797'])
      for (let at = 0; at < 12; at++) {
        for (let digit = 0; digit < 10; digit++) {
          const typed = `${digits.slice(0, at)}${digit}${digits.slice(at + 1)}`
          if (typed !== digits) expect(isStructuredCommunication(typed), typed).toBe(false)
        }
        if (at > 10 || digits[at] === digits[at + 1]) continue
        const swapped = `${digits.slice(0, at)}${digits[at + 1]}${digits[at]}${digits.slice(at + 2)}`
        expect(isStructuredCommunication(swapped), swapped).toBe(false)
      }
  })
})

test.each([
  ['RF18539007547034', true],
  ['RF19539007547034', false],
  ['RF18', false],
  ['RF471234567890', true],
])('%s is a creditor reference: %s', (text, is) => {
  expect(isCreditorReference(text)).toBe(is)
})

test.each([
  ['+++090/9337/55493+++', ['090933755493'], [], false],
  ['thanks ***090/9337/55493*** for Oct', ['090933755493'], [], false],
  ['+++ 090 / 9337 / 55493 +++', ['090933755493'], [], false],
  ['+++090/9337/55494+++', [], [], true],
  // twelve digits that nothing frames may be anything, such as a telephone number
  ['090933755493', [], [], false],
  ['RF18 5390 0754 7034', [], ['539007547034'], false],
  ['rf18539007547034.', [], ['539007547034'], false],
  ['RF19 5390 0754 7034', [], [], true],
  ['storage of October', [], [], false],
])('a message of %j names %j and %j', (message, communications, creditorReferences, wrong) => {
  expect(referencesIn(message)).toEqual({ communications, creditorReferences, wrong })
})

test.each([
  ['090933755493', ['090933755493'], [], false],
  ['+++090/9337/55493+++', ['090933755493'], [], false],
  ['090933755494', [], [], true],
  ['RF18 5390 0754 7034', [], ['539007547034'], false],
  ['F-2026-00012', [], [], false],
])("a bank's field of %j names %j and %j", (field, communications, creditorReferences, wrong) => {
  expect(referencesOf(field)).toEqual({ communications, creditorReferences, wrong })
})
