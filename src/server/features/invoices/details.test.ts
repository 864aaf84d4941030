/** The billing details of a site and of its customers (docs/product/money.md "Invoices"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invoices } from '#contract/invoices.ts'
import { buyerDetails, sellerDetails } from '../../testing/bodies.ts'
import { world, type World } from '../../testing/world.ts'
import { noDetails } from './details.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w.close())
beforeEach(() => w.query('delete from billing_details; delete from customer_billing'))

const fields = (refusal: { params: unknown }) => (refusal.params as { fields: string[] }).fields
const lastAudit = async () => {
  const [row] = await w.query('select action, subject, customer_id, facts from audit order by id desc limit 1')
  return row
}

describe('the billing details of a site', () => {
  test('are those of one that makes no invoices, until they are saved', async () => {
    expect((await w.ask(invoices.settings, w.who.admin, {})).answer).toEqual({ ...noDetails, access_point: false })
    // the table has the same defaults
    await w.query('insert into billing_details (site_id) values ($1)', [w.sites.home])
    expect((await w.ask(invoices.settings, w.who.admin, {})).answer).toEqual({ ...noDetails, access_point: false })
  })

  test('are saved without blanks and dots, and audited by field', async () => {
    const typed = { ...sellerDetails, vat_number: 'be 0739.484.052', iban: 'BE68 5390 0754 7034', invoice_series: 'f' }
    expect((await w.ask(invoices.setup, w.who.admin, typed)).answer).toEqual({
      ...sellerDetails,
      sends: false,
      access_point: false,
    })
    expect((await w.ask(invoices.settings, w.who.admin, {})).answer).toEqual({
      ...sellerDetails,
      sends: false,
      access_point: false,
    })
    await w.ask(invoices.setup, w.who.admin, { ...sellerDetails, note: 'Thank you' })
    expect(await lastAudit()).toEqual({
      action: 'invoice.setup',
      subject: `site ${w.sites.home}`,
      customer_id: null,
      facts: { fields: ['note'] },
    })
  })

  test('are of one site', async () => {
    await w.ask(invoices.setup, w.who.admin, sellerDetails)
    expect((await w.ask(invoices.settings, w.who.otherAdmin, {})).answer).toEqual({ ...noDetails, access_point: false })
  })

  test.each([
    [{ vat_number: 'BE0739484059' }, ['vat_number']],
    [{ company_number: '0739484059' }, ['company_number']],
    [{ company_scheme: null }, ['company_scheme']],
    [{ iban: 'BE68539007547035', bic: 'KRED' }, ['iban', 'bic']],
    [{ legal_name: '', country: null }, ['legal_name', 'country']],
    [{ invoice_series: 'F-2026' }, ['invoice_series']],
    [{ vat_rate: 101 }, ['vat_rate']],
  ])('are refused when %o can not be', async (wrong, named) => {
    const { refusal } = await w.ask(invoices.setup, w.who.admin, { ...sellerDetails, ...wrong } as never)
    expect([refusal?.code, fields(refusal as never)]).toEqual(['request.invalid', named])
  })

  test('have an account that only somebody freshly signed in may change', async () => {
    await w.ask(invoices.setup, w.who.admin, sellerDetails)
    const before = w.clock.now
    w.clock.now = new Date(before.getTime() + 20 * 60_000)
    try {
      const other = await w.ask(invoices.setup, w.who.admin, { ...sellerDetails, iban: 'NL91ABNA0417164300' })
      expect(other.refusal?.code).toBe('session.stale')
      expect((await w.ask(invoices.setup, w.who.admin, { ...sellerDetails, note: 'Hello' })).status).toBe(200)
    } finally {
      w.clock.now = before
    }
  })
})

describe('the billing details of a customer', () => {
  test('are empty until they are saved, and audited by field', async () => {
    const seq_id = w.customers.a
    const { answer } = await w.ask(invoices.buyer, w.who.admin, { seq_id })
    expect(answer).toMatchObject({ seq_id, legal_name: '', vat_number: '', country: null, buyer_reference: '' })
    await w.ask(invoices.savebuyer, w.who.admin, { ...buyerDetails, seq_id })
    expect((await w.ask(invoices.buyer, w.who.admin, { seq_id })).answer).toEqual({ ...buyerDetails, seq_id })
    expect(await lastAudit()).toMatchObject({
      action: 'invoice.buyer',
      customer_id: seq_id,
      facts: { fields: expect.arrayContaining(['vat_number', 'buyer_reference']) },
    })
  })

  test('are refused when a number can not be', async () => {
    const wrong = { ...buyerDetails, seq_id: w.customers.a, vat_number: 'BE0202239952', company_number: '0202239952' }
    const { refusal } = await w.ask(invoices.savebuyer, w.who.admin, wrong)
    expect([refusal?.code, fields(refusal as never)]).toEqual(['request.invalid', ['vat_number', 'company_number']])
  })

  test('of another site are missing', async () => {
    const seq_id = w.customers.other
    expect((await w.ask(invoices.buyer, w.who.admin, { seq_id })).refusal?.code).toBe('record.missing')
    expect((await w.ask(invoices.savebuyer, w.who.admin, { ...buyerDetails, seq_id })).refusal?.code).toBe(
      'record.missing',
    )
  })
})
