import { describe, expect, test } from 'vitest'
import { formatNumber, inText, numberIn, readNumber, separatorsOf } from './number.ts'

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
    expect(numberIn(text, { whole: false, language: 'nl' })).toBe(number),
  )

  test.each([
    ['123.456', 123_456],
    ['123,456', 123_456],
    ['123 456', 123_456],
    [`1${narrow}234${narrow}567`, 1_234_567],
    ["12'500", 12_500],
    ['42', 42],
  ])('of the text %j is %d where it is whole', (text, number) =>
    expect(numberIn(text, { whole: true, language: 'nl' })).toBe(number),
  )

  test('that is not whole is none where a whole one is asked for, and never ten times itself', () => {
    for (const text of ['12.5', '12,5', '1.2345', '', 'twelve', '1.234,5'])
      expect(numberIn(text, { whole: true, language: 'nl' }), text).toBeNull()
    for (const text of ['', 'twelve', '1.2.3', '-3', '1e3'])
      expect(numberIn(text, { whole: false, language: 'nl' }), text).toBeNull()
  })
})

describe('a number of a file or a form', () => {
  test.each([
    ['nl', '1.250', 1250, true],
    ['de', '1.250', 1250, true],
    ['fr', '1.250', 1250, true],
    ['en', '1.250', 1.25, true],
    ['nl', '1,250', 1.25, true],
    ['en', '1,250', 1250, true],
    ['nl', '1.234,5', 1234.5, false],
    ['nl', '1,234.5', 1234.5, false],
    ['de', "1'250.50", 1250.5, false],
    ['fr', '1 250,5', 1250.5, false],
    ['nl', '1.250.000', 1_250_000, false],
    ['nl', '12 500', 12_500, false],
    ['nl', '0.125', 0.125, false],
    ['nl', '7.25', 7.25, false],
    ['nl', '1.2500', 1.25, false],
    ['nl', '-3,5', -3.5, false],
  ] as const)('in %s, %s is %d', (language, text, value, ambiguous) =>
    expect(readNumber(text, { whole: false, language })).toEqual({ value, ambiguous }),
  )

  test('that is whole and could have decimals says so', () => {
    const whole = (language: string) => readNumber('1,250', { whole: true, language })
    expect([whole('nl'), whole('en')]).toEqual([
      { value: 1250, ambiguous: true },
      { value: 1250, ambiguous: false },
    ])
  })

  test('that would be more than it can be is the other one', () =>
    expect(readNumber('7.250', { whole: false, language: 'nl', most: 10 })).toEqual({ value: 7.25, ambiguous: false }))

  test.each(['1.23.45', '12.34,5', '1,2,3', '1 2', '12 50', '1.250,5.5', '1e3', '--1', '€ 5', ''])('%j is none', text =>
    expect(readNumber(text, { whole: false, language: 'nl' })).toBeNull(),
  )

  test.each(['12.5', '12,50', '1.25'])('of %j with decimals no whole one is made', text =>
    expect(readNumber(text, { whole: true, language: 'nl' })).toBeNull(),
  )
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
