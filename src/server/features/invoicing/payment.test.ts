/** Payment of storage documents: the stored fields, the print, and the payment code (docs/product/money.md "Documents"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addDays } from '#domain/texts/date.ts'
import { buyerDetails, sellerDetails } from '../../testing/bodies.ts'
import { printed, scanned } from '../../testing/labelReader.ts'
import { textOf } from '../../testing/pdf.ts'
import { clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const today = '2026-11-20'
let w: World
beforeAll(async () => {
  w = await world({ now: new Date(`${today}T12:00:00Z`) })
  await w.setSite(w.sites.home, {
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_day',
    invoicing_article: w.articles.home,
    invoicing_document_type: 'worknote',
    invoicing_price_excl: 0.35,
  })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query(
    'delete from invoice_document; delete from invoice_line; delete from invoice where credits is not null; delete from invoice',
  )
  await clear(w)
  await w.query('delete from tyre; delete from vehicle; delete from billing_details; delete from customer_billing')
})

const setUp = (change: object = {}) =>
  w.ask(contract.invoices.setup, w.who.admin, { ...sellerDetails, invoices: false, note: 'Thank you.', ...change })

/** A document of 61 days of a set, € 21.35. */
async function charged(): Promise<number> {
  const vehicle = await w.addVehicle({ customer: w.customers.a })
  const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: addDays(today, -61) })
  const { answer } = await w.ask(contract.invoicing.inject, w.who.admin, { tyres, seq_id: w.customers.a })
  return answer.db_id
}
async function pdfOf(db_id: number): Promise<{ text: string; codes: string[] }> {
  const { answer } = await w.ask(contract.fleet.historydocument, w.who.a, { db_id })
  const pdf = Buffer.from(answer, 'base64')
  const codes = await Promise.all((await printed(pdf)).map(scanned))
  return { text: await textOf(pdf), codes: codes.flat() }
}

test('a storage document says what is to be paid, and holds it in a code', async () => {
  await setUp()
  const { text, codes } = await pdfOf(await charged())
  expect(codes).toEqual(['BCD\n002\n1\nSCT\nKREDBEBB\nBandenhotel BV\nBE68539007547034\nEUR25.83\n\n\nW-2026-00001'])
  for (const line of [
    'Total excl. VAT €21.35',
    'VAT 21% of €21.35',
    '€4.48',
    'Total incl. VAT',
    '€25.83',
    'Thank you.',
    'VAT number: BE0739484052',
    'IBAN: BE68 5390 0754 7034',
    'Reference: W-2026-00001',
    'This document is not an invoice.',
  ])
    expect(text).toContain(line)
})

test('what a document says of its payment stays, and one from before has none', async () => {
  const before = await charged()
  await setUp()
  const document = await charged()
  await setUp({ iban: 'NL91ABNA0417164300', vat_rate: 6 })
  const { text, codes } = await pdfOf(document)
  expect(text).toContain('IBAN: BE68 5390 0754 7034')
  expect(codes[0]).toContain('EUR25.83')
  const former = await pdfOf(before)
  expect(former.codes).toEqual([])
  expect(former.text).not.toContain('IBAN')
})

describe('no document is paid by itself', () => {
  test.each([
    ['where customers pay invoices', { invoices: true }],
    ['without an account', { iban: '', bic: '' }],
    ['without a name to pay to', { legal_name: '' }],
  ])('%s', async (_, change) => {
    await setUp(change)
    expect((await pdfOf(await charged())).codes).toEqual([])
  })

  test('when it was withdrawn', async () => {
    await setUp()
    const db_id = await charged()
    await w.ask(contract.invoicing.withdraw, w.who.admin, { db_id, reason: 'A mistake' })
    const { text, codes } = await pdfOf(db_id)
    expect(codes).toEqual([])
    expect(text).not.toContain('IBAN')
  })

  test('while it is on an invoice, which is paid instead', async () => {
    await setUp()
    const db_id = await charged()
    await setUp({ invoices: true })
    const invoicing = await w.ask(contract.invoices.make, w.who.admin, { seq_id: w.customers.a, documents: [db_id] })
    expect((await pdfOf(db_id)).codes).toEqual([])
    await w.ask(contract.invoices.credit, w.who.admin, { _id: invoicing.answer._id, reason: 'A mistake' })
    expect((await pdfOf(db_id)).codes).toHaveLength(1)
  })
})

test.each([
  [{ country: 'NL', vat_number: 'NL004495445B01' }, {}, 'Reverse charge'],
  [{ exemption: 'Embassy' }, {}, 'No VAT: Embassy'],
  [{}, { exemption: 'Small business' }, 'No VAT: Small business'],
])('a document without VAT says why: %o', async (buyer, seller, why) => {
  await setUp(seller)
  const numbers = 'country' in buyer ? ({ company_scheme: '0106', company_number: '12345678' } as const) : {}
  const saved = { ...buyerDetails, ...numbers, ...buyer, seq_id: w.customers.a }
  expect((await w.ask(contract.invoices.savebuyer, w.who.admin, saved as never)).status).toBe(200)
  const { text, codes } = await pdfOf(await charged())
  expect(text).toContain(why)
  expect(codes[0]).toContain('EUR21.35')
})
