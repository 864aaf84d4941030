import { expect, test } from 'vitest'
import { textOf } from './fileText.ts'

const text = 'name;city\nCitroën;Liège\n'
const utf16 = new Uint8Array(new Uint16Array([...`\uFEFF${text}`].map(letter => letter.charCodeAt(0))).buffer)

test.each([
  ['UTF-8', new TextEncoder().encode(text)],
  ['UTF-8 with its mark', new TextEncoder().encode(`\uFEFF${text}`)],
  ['UTF-16', utf16],
  ['UTF-16 of the other order', utf16.map((_, at) => utf16[at % 2 ? at - 1 : at + 1] ?? 0)],
])('a file in %s is read', (_, bytes) => {
  expect(textOf(bytes)).toBe(text)
})

test('a file in another encoding is not guessed', () =>
  expect(textOf(Uint8Array.from(text, letter => letter.charCodeAt(0)))).toBeNull())
