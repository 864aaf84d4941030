/** Names in other scripts on labels and papers, read back from the PDF by pdf.js (docs/decisions/0089). */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { labelLayouts } from '#domain/warehouse/label.ts'
import { misprints, textOf } from '../testing/pdf.ts'
import { documentTexts, receiptTexts } from './documentTexts.ts'
import { printDocument, type PrintedDocument } from './documents.ts'
import { directionOf, stretchesOf } from './fonts.ts'
import { printInvoice } from './invoices.ts'
import { printLabels } from './labels.ts'
import { printReceipt } from './receipt.ts'
import { unpacked } from './woff2.ts'

const require = createRequire(import.meta.url)
type Glyph = { path: { commands: unknown[] }; advanceWidth: number }
const { create } = require('fontkit') as {
  create(file: Buffer): { numGlyphs: number; getGlyph(id: number): Glyph }
}

const names = {
  Chinese: '上海汽车轮胎仓储有限公司',
  Arabic: 'شركة تخزين الاطارات',
  Cyrillic: 'Шинний двір «Київ»',
  mixed: 'Garage 北京 & مجموعة Łódź 24',
}

const head = (name: string): PrintedDocument => ({
  type: 'deliverynote',
  year: 2026,
  number: 12,
  date: '2026-11-20',
  amount: 0,
  site: 'Bandenhotel',
  email: 'desk@example.org',
  customer: { name, company: '', street: name, zipcode: '2300', city: 'Turnhout' },
  plate: 'K791XR',
  vehicle: 'Volvo',
  lines: [],
  tyres: [],
  wheels: [],
  paper: { header: '', footer: name, terms: name, columns: [] },
  delivery: { transport: name, day: '2026-11-20', returned: null, wheels: [], signed: null, signature: null },
  photos: [],
  payment: null,
})

function invoice(name: string): Readable {
  const texts = [
    'title',
    'customer',
    'description',
    'quantity',
    'price',
    'vat',
    'amount',
    'total',
    'payment',
    'qr',
    'page',
  ]
  return printInvoice(
    {
      number: 'F-2026-00001',
      seller: [name, 'Street 1'],
      sellerNumbers: [],
      buyer: [name],
      facts: [],
      lines: [{ description: `${name} `.repeat(6), quantity: 1, price: 2, rate: '21 %', net: 2 }],
      totals: [],
      gross: 2,
      notes: [name],
      payment: null,
    },
    Object.fromEntries(texts.map(text => [text, text])) as Parameters<typeof printInvoice>[1],
    'eng',
  )
}

const papers: Record<string, (name: string) => Readable> = {
  ...Object.fromEntries(
    labelLayouts.map(layout => [
      `a label on ${layout}`,
      (name: string) =>
        printLabels(
          [
            {
              id: 1,
              plate: '1ABC234',
              position: '1A',
              size: '205/55R16 91V',
              description: name,
              set: 'Winter',
              customer: name,
              depth: null,
              axles: null,
            },
          ],
          { layout, site: 7, lang: 'eng', now: new Date(0) },
        ),
    ]),
  ),
  'a delivery note': name => printDocument(head(name), documentTexts(head(name), 'eng'), 'eng'),
  'a receipt': name => {
    const receipt = { ...head(name), operation: 5, signed: null, signature: null, url: 'https://example.org/5' }
    return printReceipt(receipt, receiptTexts(receipt, 'eng'), 'eng')
  },
  'an invoice': invoice,
}

/** The fonts that are embedded, by their names. */
const fontsOf = (pdf: Buffer): string[] => [
  ...new Set([...pdf.toString('latin1').matchAll(/\/BaseFont \/\w+\+([\w-]+)/g)].map(([, name = '']) => name)),
]

/** The letters of a text in no order: readers differ in how they turn around what runs to the left. */
const lettersOf = (text: string): string[] => [...text.normalize('NFKC').replaceAll(/\s/g, '')].sort()

for (const [paper, print] of Object.entries(papers))
  test.each(Object.entries(names))(`on ${paper} a %s name is read back letter for letter`, async (_script, name) => {
    const pdf = await buffer(print(name))
    const read = lettersOf(await textOf(pdf))
    for (const letter of new Set(lettersOf(name)))
      expect(read.filter(candidate => candidate === letter).length).toBeGreaterThanOrEqual(
        lettersOf(name).filter(candidate => candidate === letter).length,
      )
    expect(read).not.toContain('□')
    expect(await misprints(pdf)).toEqual([])
    expect(pdf.length).toBeLessThan(100_000)
    if (/\p{Script=Han}/u.test(name)) expect(fontsOf(pdf).some(font => font.startsWith('NotoSansSC'))).toBe(true)
    else expect(fontsOf(pdf).filter(font => !font.startsWith('DejaVu'))).toEqual([])
  })

for (const [paper, print] of Object.entries(papers))
  test(`${paper} names the letters that no font has`, async () => {
    const named = async (name: string) =>
      /\(MissingLetters ([^)]*)\)/
        .exec((await buffer(print(name))).toString('latin1'))?.[1]
        ?.split(' ')
        .sort()
    expect(await named('한국 Tyres ก')).toEqual(['AD6D', 'D55C', 'E01'])
    for (const name of Object.values(names)) expect(await named(name)).toBeUndefined()
  })

test('a print of Latin letters has the fonts that it had', async () => {
  for (const print of Object.values(papers))
    expect(
      fontsOf(await buffer(print('Łódź Nguyễn Văn Đức, İstanbul “24” €'))).every(font => font.startsWith('DejaVu')),
    ).toBe(true)
})

test('a line runs to the left from its first word, with sizes, names and brackets in place', () => {
  const shown = (text: string, direction: 'ltr' | 'rtl'): string =>
    stretchesOf(text, direction)
      .map(stretch => stretch.text)
      .join('')
  expect(shown('ميشلان 205/55R16 91V شتوي', 'rtl')).toBe('شتوي 205/55R16 91V ميشلان')
  expect(shown('شركة (24) Brussels', 'rtl')).toBe('Brussels (24) شركة')
  expect(shown('Garage مجموعة الشتاء 7', 'ltr')).toBe('Garage 7 الشتاء مجموعة')
  expect(shown('رف ٢٤', 'rtl')).toBe('٢٤ رف')
  expect(directionOf('שלום (abc)')).toBe('rtl')
  expect(directionOf('abc שלום')).toBe('ltr')
})

test('a glyph of the Chinese font is unpacked as fontkit reads it', () => {
  const folder = `${require.resolve('@fontsource-variable/noto-sans-sc/unicode.json').slice(0, -'unicode.json'.length)}files/`
  const files = readdirSync(folder)
  expect(files.length).toBeGreaterThan(90)
  for (const file of files.filter((_, nth) => nth % 25 === 0)) {
    const packed = readFileSync(folder + file)
    const [ours, theirs] = [create(unpacked(packed)), create(packed)]
    for (let id = 0; id < ours.numGlyphs; id++) {
      const [unpacked, other] = [ours.getGlyph(id), theirs.getGlyph(id)]
      expect([unpacked.advanceWidth, unpacked.path.commands]).toEqual([other.advanceWidth, other.path.commands])
    }
  }
})
