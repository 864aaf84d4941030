import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creditedTotals,
  exemptionOf,
  mayCredit,
  netOf,
  totalsOf,
  unsigned,
  vatOf,
  type TaxedLine,
  type VatCategory,
} from './invoice.ts'

const belgian = { country: 'BE', vat_number: 'BE0739484052', company_number: '0739484052', exemption: '' }
const dutch = { country: 'NL', vat_number: 'NL004495445B01', company_number: '', exemption: '' }
const british = { country: 'GB', vat_number: 'GB980780684', company_number: '', exemption: '' }

describe('the VAT of a line', () => {
  test('is that of its rate within a country, and zero is a rate', () => {
    expect(vatOf(belgian, { ...belgian, vat_number: 'BE0202239951' }, 21)).toEqual({ category: 'S', rate: 21 })
    expect(vatOf(belgian, belgian, 0)).toEqual({ category: 'Z', rate: 0 })
  })

  test('is owed by a buyer with a VAT number in another country of the EU', () => {
    expect(vatOf(belgian, dutch, 21)).toEqual({ category: 'AE', rate: 0 })
  })

  test.each([
    ['without a VAT number', belgian, { ...dutch, vat_number: '' }],
    ['with a number that is mistyped', belgian, { ...dutch, vat_number: 'NL123456789B90' }],
    ['with the number of another country', belgian, { ...dutch, vat_number: 'BE0202239951' }],
    ['outside the EU who is no business', belgian, { ...british, vat_number: '' }],
    ['outside the EU whose number is mistyped', belgian, { ...british, vat_number: 'GB980780685' }],
    ['outside the EU with the number of another country', belgian, { ...british, vat_number: dutch.vat_number }],
    ['within a country outside the EU', british, british],
    ['in the EU of a seller outside of it', british, dutch],
    ['of a seller without a VAT number', { ...belgian, vat_number: '' }, dutch],
  ])('is charged to a buyer %s', (_, seller, buyer) => {
    expect(vatOf(seller, buyer, 21)).toEqual({ category: 'S', rate: 21 })
  })

  test.each([
    ['a VAT number of its country', british],
    ['a VAT number of Northern Ireland, which is in the EU for goods only', { ...british, vat_number: 'XI980780684' }],
    ['a VAT number of Switzerland', { ...british, country: 'CH', vat_number: 'CHE116281710MWST' }],
    ['a number in a register', { ...british, country: 'NO', vat_number: '', company_number: '974760673' }],
  ])('is none of the EU for a business outside of it with %s, at any rate', (_, buyer) => {
    for (const rate of [21, 6, 0]) expect(vatOf(belgian, buyer, rate)).toEqual({ category: 'O', rate: 0 })
    expect(vatOf(belgian, { ...buyer, exemption: 'Embassy' }, 21)).toEqual({ category: 'E', rate: 0 })
  })

  test('is never outside its scope beside another category', () => {
    const countries = ['BE', 'GB', 'NO', 'CH', 'DE']
    for (const seller of [belgian, british, dutch])
      for (const country of countries)
        for (const buyer of [belgian, british, dutch].map(party => ({ ...party, country }))) {
          const categories = new Set([21, 6, 0].map(rate => vatOf(seller, buyer, rate).category))
          expect(categories.has('O') && categories.size > 1).toBe(false)
        }
  })

  test('is none for a reason of the site or of the customer', () => {
    expect(vatOf({ ...belgian, exemption: 'Small business' }, dutch, 21)).toEqual({ category: 'E', rate: 0 })
    expect(vatOf(belgian, { ...dutch, exemption: 'Embassy' }, 21)).toEqual({ category: 'E', rate: 0 })
  })

  test('that is not charged is explained', () => {
    expect(exemptionOf('AE', '')).toEqual({ code: 'VATEX-EU-AE', reason: 'Reverse charge' })
    expect(exemptionOf('O', '')).toEqual({ code: 'VATEX-EU-O', reason: 'Not subject to VAT' })
    expect(exemptionOf('E', 'Embassy')).toEqual({ code: null, reason: 'Embassy' })
    expect([exemptionOf('S', ''), exemptionOf('Z', '')]).toEqual([null, null])
  })
})

describe('totals', () => {
  test('round VAT once for each rate, not by line', () => {
    // by line: 3 × 0.0735 = 0.07 each, 0.21; together: 1.05 × 21 % = 0.2205
    const lines = Array.from({ length: 3 }, () => ({ net: 35, category: 'S', rate: 21 }) as const)
    expect(totalsOf(lines)).toMatchObject({ net: 105, vat: 22, gross: 127 })
  })

  test('round halves away from zero', () => {
    expect(totalsOf([{ net: 50, category: 'S', rate: 21 }]).vat).toBe(11) // 10.5
    expect(totalsOf([{ net: -50, category: 'S', rate: 21 }]).vat).toBe(-11)
    expect(totalsOf([{ net: 250, category: 'S', rate: 5 }]).vat).toBe(13) // 12.5
    expect(netOf(1.5, 0.35)).toBe(53) // 52.5
    expect(netOf(0.07, 0.5)).toBe(4) // 3.5
  })

  test('keep categories and rates apart, in the order of the lines', () => {
    const lines = [
      { net: 1000, category: 'S', rate: 21 },
      { net: 500, category: 'S', rate: 6 },
      { net: 200, category: 'Z', rate: 0 },
      { net: 1000, category: 'S', rate: 21 },
    ] as const
    expect(totalsOf(lines)).toEqual({
      net: 2700,
      vat: 450,
      gross: 3150,
      breakdown: [
        { category: 'S', rate: 21, taxable: 2000, vat: 420 },
        { category: 'S', rate: 6, taxable: 500, vat: 30 },
        { category: 'Z', rate: 0, taxable: 200, vat: 0 },
      ],
    })
  })

  test('are never further than half a cent from the exact VAT of each rate', () => {
    const line = fc.record({
      net: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      category: fc.constant<VatCategory>('S'),
      rate: fc.constantFrom(6, 5.5, 12, 19, 20, 21, 8.1),
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), lines => {
        const totals = totalsOf(lines)
        expect(totals.gross).toBe(totals.net + totals.vat)
        for (const { rate, taxable, vat } of totals.breakdown)
          expect(Math.abs(vat * 10_000 - taxable * Math.round(rate * 100))).toBeLessThanOrEqual(5_000)
      }),
    )
  })
})

describe('credit notes for parts of an invoice', () => {
  const line = fc.record({
    net: fc.integer({ min: 1, max: 5_000 }),
    category: fc.constant<VatCategory>('S'),
    rate: fc.constantFrom(6, 12, 21, 5.5),
  })

  test('come to it to the cent, and to no more on the way, in whatever parts it is credited', () => {
    const parts = fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(parts, notes => {
        const invoice = totalsOf(notes.flat())
        const before: TaxedLine[] = []
        let [net, vat] = [0, 0]
        for (const lines of notes) {
          const totals = creditedTotals(lines, before)
          expect(totals.gross).toBe(totals.net + totals.vat)
          expect(totals.net).toBe(lines.reduce((sum, line) => sum + line.net, 0))
          expect(totals.vat).toBe(totals.breakdown.reduce((sum, total) => sum + total.vat, 0))
          // a cent beside the VAT of its own lines, at most
          for (const total of totals.breakdown) {
            const own = totalsOf(lines).breakdown.find(({ rate }) => rate === total.rate)
            expect(total.taxable).toBe(own?.taxable)
            expect(Math.abs(total.vat - (own?.vat ?? 0))).toBeLessThanOrEqual(1)
          }
          before.push(...lines)
          net += totals.net
          vat += totals.vat
          expect(net + vat).toBeLessThanOrEqual(invoice.gross)
        }
        expect([net, vat]).toEqual([invoice.net, invoice.vat])
      }),
    )
  })

  test('leave nothing negative, in sum and for each rate', () => {
    const lineOf = (net: number, rate = 21): TaxedLine => ({ net, category: 'S', rate })
    const [storage, counter, other] = [lineOf(2_000), lineOf(-600), lineOf(10_000, 6)]
    const may = (...lines: TaxedLine[]) => mayCredit([storage, counter, other], line => lines.includes(line))
    expect(may(storage)).toBe(false)
    expect(may(storage, counter)).toBe(true)
    expect(may(other)).toBe(true)
    // part of the remainder can be credited
    expect(mayCredit([storage, counter, lineOf(600)], line => line === storage)).toBe(false)
    // an amount that was negative from the start may stay negative
    const [owed, back] = [lineOf(2_000), lineOf(-100, 6)]
    expect(mayCredit([owed, back], line => line === owed)).toBe(false)
    expect(mayCredit([owed, back, other], line => line === owed)).toBe(true)
  })
})

test('a line that takes something back has a negative quantity, and its price none', () => {
  expect(unsigned({ quantity: 2, price: -5 })).toEqual({ quantity: -2, price: 5 })
  expect(unsigned({ quantity: -2, price: 5 })).toEqual({ quantity: -2, price: 5 })
})
