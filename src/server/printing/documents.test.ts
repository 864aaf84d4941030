/** Printed documents: no text covers another, for any texts and numbers (docs/promises.md "Prints"). */
import { buffer } from 'node:stream/consumers'
import { openPdf } from '../testing/pdf.ts'
import { expect, test } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { documentTypes } from '#domain/site.ts'
import { printDocument, type PrintedDocument } from './documents.ts'
import { paperColumns } from '#domain/texts/paper.ts'
import { documentTexts, overviewTexts, receiptTexts } from './documentTexts.ts'
import type { SitePaper } from './paper.ts'
import { printOverview, printReceipt } from './receipt.ts'
import type { PrintedWheel } from './wheels.ts'
import { whole } from '../testing/whole.ts'

type TextItem = { text: string; left: number; right: number; bottom: number; top: number }

/** The texts of each page with their positions, in points from the lower left. */
async function pagesOf(bytes: Buffer): Promise<TextItem[][]> {
  const pdf = await openPdf(bytes)
  const pages: TextItem[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(
      items.flatMap(item => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [, , , , left, bottom] = item.transform as [number, number, number, number, number, number]
        // without the part of its height that descends below the baseline
        return [{ text: item.str, left, right: left + item.width, bottom, top: bottom + item.height * 0.7 }]
      }),
    )
  }
  return pages
}

const overlaps = (page: readonly TextItem[]): string[] =>
  page.flatMap((a, nth) =>
    page
      .slice(nth + 1)
      .filter(b => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top && b.bottom < a.top)
      .map(b => `"${a.text}" covers "${b.text}"`),
  )

const long = 'Verhaltensauffälligkeitsprüfung der Winterreifen auf Stahlfelgen'
const full: SitePaper = {
  header: Array.from({ length: 6 }, (_, nth) => `${nth} ${long}`.slice(0, 49)).join('\n'),
  footer: `${'Handelsregister Antwerpen 0739.484.052 '.repeat(3)}\n${'W'.repeat(119)}`,
  terms: `${long} ${'Die Ware bleibt Eigentum. '.repeat(150)}`.slice(0, 3990),
  columns: paperColumns,
}
const wheelsOf = (count: number): PrintedWheel[] =>
  Array.from({ length: count }, (_, nth) => ({
    id: 2_000_000_000 + nth,
    position: `${nth}G`,
    description: `${long} ${nth}te`,
    set: nth % 2 ? 'Winterreifen auf Felge 2026 des Vorstands' : null,
    depth: nth % 2 ? 7.25 : null,
    rims: nth % 3 ? 'aluminum' : 'steel',
    bolts: true,
    hubcaps: nth % 2 > 0,
    missing: nth % 7 === 0,
    damages: nth % 5 === 0 ? [...damageCodes] : [],
  }))
const document = (change: Partial<PrintedDocument> = {}): PrintedDocument => ({
  type: 'reservation',
  year: 2026,
  number: 123_456,
  date: '2026-11-20',
  amount: 9_876_543_210.99,
  site: 'Bandenhotel Zevenwegen aan de Oude Steenweg van Antwerpen naar Turnhout en verder',
  email: 'administratie.en.facturatie.van.het.bandenhotel@bandenhotel-zevenwegen.example.be',
  customer: {
    name: 'Jan Peeters',
    company: 'Gemeente Oudervoorde, technische dienst wegen en groen, afdeling wagenpark en toerisme',
    street: 'Burgemeester Van den Bosschestraat 112 bus 4',
    zipcode: '2300',
    city: 'Turnhout',
  },
  plate: 'K791XR',
  vehicle: 'Mercedes-Benz Actros 2545 L 6x2 Sattelzugmaschine mit Retarder und Standheizung',
  lines: [
    { article: null, description: 'A line of text', quantity: null, price: null },
    { article: '12345678901234567890', description: 'Short', quantity: 99_999_999.99, price: 99_999_999.99 },
    ...Array.from({ length: 60 }, (_, nth) => ({
      article: '268',
      description: `${long} ${nth}: K-791-XR, Winter, from 06/10/2026 to 20/11/2026 (45 days), 4 tyres`,
      quantity: 12_345 + nth,
      price: 27.5,
    })),
  ],
  tyres: Array.from({ length: 60 }, (_, nth) => ({
    plate: 'K791XR',
    positions: Array.from({ length: (nth % 12) + 1 }, (__, wheel) => `${wheel + 1}G`).join(', '),
    description: `${long} ${nth}te`,
    ids: Array.from({ length: (nth % 12) + 1 }, (__, wheel) => 2_000_000_000 + wheel).join(', '),
  })),
  wheels: [],
  paper: { header: '', footer: '', terms: '', columns: ['number', 'depth', 'with'] },
  delivery: null,
  photos: [],
  payment: null,
  ...change,
})

test.each(whole ? languageCodes : (['ger'] as const))(
  'in %s a document to be paid has no text that covers another',
  async lang => {
    // the payment begins at each height of a page, and at the foot of one it goes to the next
    for (let count = 0; count < 24; count += 1) {
      const words = document()
      const printed = {
        ...words,
        lines: words.lines.slice(0, count + 1),
        tyres: words.tyres.slice(0, 3),
        payment: {
          totals: [6, 12, 21].map(rate => ({
            text: `${long} ${rate} % von 9.876.543.210,99 €`,
            amount: 9_876_543_210.99,
          })),
          gross: 19_876_543_210.99,
          notes: [`${long} `.repeat(5), 'Danke.'],
          lines: [words.site, 'USt-IdNr.: BE0739484052', 'IBAN: BE68 5390 0754 7034', 'BIC: KREDBEBB', 'R-2026-123456'],
          qr: 'BCD\n002\n1\nSCT\nKREDBEBB\nBandenhotel BV\nBE68539007547034\nEUR25.83\n\n\nR-2026-123456',
          texts: { payment: 'Zahlung', qr: 'Mit Ihrer Banking-App scannen', total: 'Gesamt inkl. MwSt.' },
        },
      }
      const pages = await pagesOf(await buffer(printDocument(printed, documentTexts(printed, lang), lang)))
      expect(pages.flatMap(overlaps)).toEqual([])
      expect(pages.flat().filter(({ text }) => text === 'R-2026-123456').length).toBeGreaterThan(0)
    }
  },
)

/** One white pixel. */
const drawn = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test.each(languageCodes)('in %s a signed delivery note of 60 wheels has no text that covers another', async lang => {
  const printed = document({
    type: 'deliverynote',
    amount: 0,
    lines: [],
    delivery: {
      transport: long,
      day: '2026-11-20',
      returned: 4,
      signed: { name: 'Burgemeester Jan Peeters-Van den Bossche', time: '20/11/2026 08:30' },
      signature: drawn,
      wheels: wheelsOf(60),
    },
  })
  const texts = documentTexts(printed, lang)
  const pages = await pagesOf(await buffer(printDocument(printed, texts, lang)))
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) {
    expect(overlaps(page)).toEqual([])
    for (const { left, right, bottom } of page) {
      expect(left).toBeGreaterThanOrEqual(55)
      expect(right).toBeLessThanOrEqual(541)
      expect(bottom).toBeGreaterThan(20)
    }
  }
  const text = pages
    .flat()
    .map(item => item.text)
    .join(' ')
  for (let nth = 0; nth < 60; nth++) expect(text).toContain(`#${2_000_000_000 + nth}`)
  for (const sentence of [
    texts.title,
    texts.wheel.missing,
    texts.wheel.hubcaps,
    texts.wheel.damage.nail,
    'Jan Peeters',
    '20/11/2026',
  ])
    expect(text).toContain(sentence)
  expect(text).not.toContain(texts.total)
})

test.each(languageCodes.flatMap(lang => documentTypes.map(type => [lang, type] as const)))(
  'in %s a %s has no text that covers another, and none beyond the edges',
  async (lang, type) => {
    const printed = document({ type })
    const pages = await pagesOf(await buffer(printDocument(printed, documentTexts(printed, lang), lang)))
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) {
      expect(overlaps(page)).toEqual([])
      for (const { left, right, bottom, top } of page) {
        expect(left).toBeGreaterThanOrEqual(55)
        expect(right).toBeLessThanOrEqual(541)
        expect(bottom).toBeGreaterThan(20)
        expect(top).toBeLessThan(842 - 40)
      }
    }
    const text = pages
      .flat()
      .map(item => item.text)
      .join(' ')
    for (let nth = 0; nth < 60; nth++) expect(text).toContain(`${nth}: K-791-XR`)
    for (let nth = 0; nth < 60; nth++) expect(text).toContain(`${nth}te`)
    expect(text).toMatch(new RegExp(`\\b1 .{1,5} ${pages.length}\\b`))
  },
)

/** Nothing covers another text or stands beyond the edges; answers what the pages say. */
async function expectTidy(bytes: Buffer): Promise<string> {
  const pages = await pagesOf(bytes)
  for (const page of pages) {
    expect(overlaps(page)).toEqual([])
    for (const { left, right, bottom, top } of page) {
      expect(left).toBeGreaterThanOrEqual(55)
      expect(right).toBeLessThanOrEqual(541)
      expect(bottom).toBeGreaterThan(20)
      expect(top).toBeLessThan(842 - 40)
    }
  }
  return pages
    .flat()
    .map(item => item.text)
    .join(' ')
}

test.each(languageCodes)(
  'in %s a receipt, an overview and a work note with all columns and long texts have no text that covers another',
  async lang => {
    const head = { ...document(), paper: full, date: '2026-11-20' }
    const signed = { name: 'Burgemeester Jan Peeters-Van den Bossche', time: '20/11/2026 08:30' }
    const url = `https://${'tyres.'.repeat(20)}example.com/receipt?operation=2000000000`
    const receipt = { ...head, operation: 2_000_000_000, wheels: wheelsOf(60), signed, signature: drawn, url }
    const texts = receiptTexts(receipt, lang)
    const shown = await expectTidy(await buffer(printReceipt(receipt, texts, lang)))
    for (let nth = 0; nth < 60; nth++) expect(shown).toContain(`#${2_000_000_000 + nth}`)
    for (const sentence of [texts.title, 'Jan Peeters', 'Eigentum', 'Handelsregister', 'Winterreifen'])
      expect(shown).toContain(sentence)

    const positions = ['1A', '1B', '2A', '2B', '2C', '2D']
    const set = { plate: 'K791XR', positions, description: long, since: '2026-03-01' }
    const sets = Array.from({ length: 60 }, (_, nth) => ({
      ...set,
      set: nth % 2 ? `Winterreifen ${nth} auf Felge` : null,
      depths: positions.map((_position, at) => (nth % 3 ? 5 + at / 4 : null)),
      paid: nth % 2 ? '2026-10-31' : null,
    }))
    const overview = { ...head, plate: null, vehicle: '', wheels: 360, sets }
    const listed = await expectTidy(await buffer(printOverview(overview, overviewTexts(overview, lang), lang)))
    expect(listed).toContain('360')
    for (let nth = 1; nth < 60; nth += 2) expect(listed).toContain(`Winterreifen ${nth}`)

    const note = document({ type: 'worknote', paper: full, wheels: wheelsOf(20) })
    const written = await expectTidy(await buffer(printDocument(note, documentTexts(note, lang), lang)))
    for (let nth = 0; nth < 20; nth++) expect(written).toContain(`${nth}te`)
  },
)

test('a text that covers another is found', () => {
  const item = { text: 'a', left: 10, right: 20, bottom: 10, top: 20 }
  expect(overlaps([item, { ...item, text: 'b', bottom: 15, top: 25 }])).toHaveLength(1)
  expect(overlaps([item, { ...item, text: 'b', bottom: 20, top: 30 }])).toEqual([])
})
