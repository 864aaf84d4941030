import { describe, expect, test } from 'vitest'
import { epcQr } from './epcQr.ts'

const payment = {
  name: 'Bandenhotel NV',
  iban: 'BE68539007547034',
  bic: 'KREDBEBB',
  cents: 4725,
  remittance: 'F-2026-00001',
}

describe('the QR code of a payment', () => {
  test('has each part on its line', () => {
    expect(epcQr(payment)).toBe(
      'BCD\n002\n1\nSCT\nKREDBEBB\nBandenhotel NV\nBE68539007547034\nEUR47.25\n\n\nF-2026-00001',
    )
  })

  test('has a structured communication where the reference of the creditor stands', () => {
    const { remittance: _, ...rest } = payment
    expect(epcQr({ ...rest, communication: '000000000101' })).toBe(
      'BCD\n002\n1\nSCT\nKREDBEBB\nBandenhotel NV\nBE68539007547034\nEUR47.25\n\n000000000101',
    )
  })

  test('ends with the last part that is filled', () => {
    expect(epcQr({ ...payment, bic: '', remittance: '', cents: 100 })).toBe(
      'BCD\n002\n1\nSCT\n\nBandenhotel NV\nBE68539007547034\nEUR1.00',
    )
  })

  test('keeps lines apart and names short', () => {
    const lines = epcQr({ ...payment, name: `Café\n${'x'.repeat(80)}`, remittance: 'y'.repeat(200) })?.split('\n') ?? []
    expect([lines[5]?.length, lines[5]?.startsWith('Café x'), lines[10]?.length, lines.length]).toEqual([
      70,
      true,
      140,
      11,
    ])
  })

  test.each([
    { cents: 0 },
    { cents: -5 },
    { cents: 0.5 },
    { cents: 100_000_000_000 },
    { iban: 'BE68539007547035' },
    { name: ' ' },
  ])('is not made of %o', wrong => expect(epcQr({ ...payment, ...wrong })).toBeNull())
})
