import { describe, expect, test } from 'vitest'
import { formatNumber, inText, numberIn, separatorsOf } from './number.ts'

/** ICU writes a narrow no-break space between French thousands. */
const narrow = '\u202F'

describe('a number', () => {
  test.each([
    ['en', '12,345.6', '3.45'],
    ['nl', '12.345,6', '3,45'],
    ['de', '12.345,6', '3,45'],
    ['fr', `12${narrow}345,6`, '3,45'],
  ])('in %s is %s and %s', (language, big, small) => {
    expect(formatNumber(12_345.6, language)).toBe(big)
    expect(formatNumber(3.45, language)).toBe(small)
  })

  test.each([
    ['en', '.', ','],
    ['nl', ',', '.'],
    ['de', ',', '.'],
    ['fr', ',', narrow],
  ])('in %s has decimals after %s and thousands apart by %s', (language, decimal, group) =>
    expect(separatorsOf(language)).toEqual({ decimal, group }),
  )

  test.each([
    ['3,45', 3.45],
    ['3.45', 3.45],
    [' 8 ', 8],
    ['8,', 8],
    ['0.5', 0.5],
  ])('of the text %j is %d, whatever the language', (text, number) =>
    expect(numberIn(text, { whole: false })).toBe(number),
  )

  test.each([
    ['123.456', 123_456],
    ['123,456', 123_456],
    ['123 456', 123_456],
    [`1${narrow}234${narrow}567`, 1_234_567],
    ["12'500", 12_500],
    ['42', 42],
  ])('of the text %j is %d where it is whole', (text, number) => expect(numberIn(text, { whole: true })).toBe(number))

  test('that is not whole is none where a whole one is asked for, and never ten times itself', () => {
    for (const text of ['12.5', '12,5', '1.2345', '', 'twelve', '1.234,5'])
      expect(numberIn(text, { whole: true }), text).toBeNull()
    for (const text of ['', 'twelve', '1.2.3', '-3', '1e3']) expect(numberIn(text, { whole: false }), text).toBeNull()
  })
})

describe('in a text', () => {
  test('an amount is written as the language does', () => {
    expect(inText(12_345, undefined, 'nl', { interpolationkey: 'count' })).toBe('12.345')
    expect(inText(12_345, 'number', 'en', { interpolationkey: 'count' })).toBe('12,345')
  })

  test('a number that names something stays as it is', () => {
    expect(inText(12_345, undefined, 'nl', { interpolationkey: 'id' })).toBe(12_345)
    expect(inText(12_345, undefined, 'nl', { interpolationkey: 'line' })).toBe(12_345)
  })

  test('what is no number stays as it is', () => {
    expect(inText('12345', undefined, 'nl', { interpolationkey: 'count' })).toBe('12345')
    expect(inText(undefined, undefined, 'nl')).toBeUndefined()
  })
})
