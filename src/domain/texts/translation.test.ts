import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeholdersOf, tidyText, wrongPlaceholders } from './translation.ts'

test('a text leaves room for facts by their names, however they are shaped', () => {
  expect(placeholdersOf('{{count}} of {{ total, number }}, {{count}} again, {{- raw}} and { {no}}')).toEqual([
    'count',
    'total',
    'raw',
  ])
  expect(placeholdersOf('nothing')).toEqual([])
})

test('a text keeps the placeholders of the one that it stands for, and has no others', () => {
  expect(wrongPlaceholders('taken', 'The positions {{positions}} are taken', 'Taken: {{positions}}')).toEqual({
    lost: [],
    unknown: [],
  })
  expect(wrongPlaceholders('taken', 'The positions {{positions}} are taken', 'Taken: {{position}}')).toEqual({
    lost: ['positions'],
    unknown: ['position'],
  })
})

test('a plural form may say its number as a word or not, except the one for other numbers', () => {
  expect(wrongPlaceholders('tyres_one', '{{count}} tyre', 'one tyre').lost).toEqual([])
  expect(wrongPlaceholders('tyres_one', 'one tyre', '{{count}} tyre').unknown).toEqual([])
  expect(wrongPlaceholders('tyres_other', '{{count}} tyres', 'tyres').lost).toEqual(['count'])
})

test('a text is kept as one line, with the spaces that French needs', () => {
  expect(tidyText('  Pneus\u00A0:\r\n\tété\0 ')).toBe('Pneus\u00A0: été')
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), units => {
      const kept = tidyText(String.fromCharCode(...units))
      expect(tidyText(kept)).toBe(kept)
      expect(kept.isWellFormed()).toBe(true)
    }),
  )
})
