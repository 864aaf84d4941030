import { expect, test } from 'vitest'
import { pdfBytes } from './pdfBytes.ts'

test('a base64 text of a PDF gives its bytes', () => {
  expect(pdfBytes(btoa('%PDF-1.7\n…'.replace('…', 'ÿ')))).toEqual(
    Uint8Array.from([37, 80, 68, 70, 45, 49, 46, 55, 10, 255]),
  )
})

test.each([
  ['', 'an empty answer'],
  [btoa('<html>'), 'a page'],
  [btoa('PDF'), 'something short'],
  ['%PDF-1.7', 'text that is not base64'],
])('%j is no PDF: %s', text => {
  expect(pdfBytes(text)).toBeNull()
})
