import { expect, test } from 'vitest'
import { oneLine } from './cell.ts'
import { visible } from './visible.ts'

test.each([
  ['a zero-width space', 'Jans\u200ben'],
  ['marks of direction', '\u202aJansen\u202c\u200e'],
  ['isolates and joiners', '\u2066Jan\u200dsen\u2069\u2060'],
  ['a byte order mark', '\uFEFFJansen'],
  ['a soft hyphen', 'Jan\u00adsen'],
  ['control characters', 'Jan\u0000sen\u007f\u0085'],
])('a text loses %s', (_, text) => {
  expect(visible(text)).toBe('Jansen')
})

test('letters are composed, and lines stay', () => {
  expect(visible('Mu\u0308ller\n\tGmbH')).toBe('Müller\n\tGmbH')
})

test('a field of one line has spaces for breaks, and nothing that is not seen', () => {
  expect(oneLine(' Jan\u200b\u00a0\r\nsen\u202c ')).toBe('Jan sen')
})

test('what joins letters or pictures is seen', () => {
  for (const text of ['نمی\u200cدانم', 'क्\u200dष', '👩\u200d🔧', '❤\ufe0f']) expect(visible(text)).toBe(text)
})
