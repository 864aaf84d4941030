import { expect, test } from 'vitest'
import { missingLetters, pageCounter, pdfBytes } from './pdfBytes.ts'

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

test('the pages of a PDF are counted as it comes, however it is cut', () => {
  const page = '7 0 obj\n<<\n/Type /Page\n/Parent 1 0 R\n>>\nendobj\n'
  const answer = JSON.stringify(btoa(`%PDF-1.3\n<< /Type /Pages >>\n${page.repeat(9)}`))
  for (let size = 1; size < 40; size++) {
    const count = pageCounter()
    let pages = 0
    for (let from = 0; from < answer.length; from += size) pages = count(answer.slice(from, from + size))
    expect(pages).toBe(9)
  }
})

test('the letters that a print could not draw are read from its end', () => {
  const pdf = (info: string) => new TextEncoder().encode(`%PDF-1.3\n…\n9 0 obj\n${info}\nendobj\n%%EOF`)
  expect(missingLetters(pdf('(MissingLetters D55C AD6D E01+E49 20000)'))).toEqual(['한', '국', 'ก้', '𠀀'])
  expect(missingLetters(pdf('(Wheelhouse)'))).toEqual([])
})
