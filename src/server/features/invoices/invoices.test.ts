/** Invoices from documents, credit notes, their files, and the CSV file for bookkeeping (docs/product/money.md "Invoices"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainMapping } from '#domain/money/bookkeeping.ts'
import { brokenRules } from '#domain/money/eInvoice.ts'
import { contract } from '#contract/index.ts'
import { invoicesAtOnce, invoices as calls, type SavedDetails } from '#contract/invoices.ts'
import { buyerDetails, sellerDetails } from '../../testing/bodies.ts'
import { world, type World } from '../../testing/world.ts'
import { parseXml } from './xml.ts'

let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query(
    `delete from invoice_document; delete from invoice_line; delete from invoice where credits is not null; delete from invoice;
     delete from invoice_counter; delete from billing_run; delete from document; delete from document_counter;
     delete from bookkeeping_mapping; update billing_details set invoices = false`,
  )
  await setUp()
  await w.ask(calls.savebuyer, w.who.admin, { ...buyerDetails, seq_id: w.customers.a })
})

const setUp = (change: Partial<SavedDetails> = {}) =>
  w.ask(calls.setup, w.who.admin, { ...sellerDetails, ...change } as typeof sellerDetails)

type Line = { quantity: number | null; price: number | null; rate?: number | null }
let nth = 0
/** A work note of a customer with these lines. */
async function document(
  lines: readonly Line[] = [{ quantity: 61, price: 0.35 }],
  customer = w.customers.a,
): Promise<number> {
  const amount =
    lines.reduce((sum, { quantity, price }) => sum + Math.round((quantity ?? 0) * (price ?? 0) * 100), 0) / 100
  const [row] = await w.query<{ id: number }>(
    `insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
     values ($1, $2, 'worknote', 'storage', 2026, $3, '2026-11-19', $4) returning id`,
    [w.sites.home, customer, ++nth, amount],
  )
  const id = row?.id ?? 0
  for (const [at, { quantity, price, rate = null }] of lines.entries())
    await w.query(
      `insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl, vat_rate)
       values ($1, $2, $3, $4, '100', $5, $6, $7, $8)`,
      [w.sites.home, id, at + 1, customer, `Storage & "care" ${at + 1}`, quantity, price, rate],
    )
  return id
}
const make = async (documents: number[], seq_id = w.customers.a) =>
  (await w.ask(calls.make, w.who.admin, { seq_id, documents })).answer
const refusalOf = async (documents: number[], seq_id = w.customers.a) =>
  (await w.ask(calls.make, w.who.admin, { seq_id, documents })).refusal
const listed = async () => (await w.ask(calls.list, w.who.admin, {})).answer
const withdraw = (db_id: number) => w.ask(contract.invoicing.withdraw, w.who.admin, { db_id, reason: 'A mistake' })
const ublOf = async (_id: number) => w.ask(calls.ubl, w.who.admin, { _id })

describe('an invoice', () => {
  test('is created from documents of a customer, with VAT by rate', async () => {
    const documentId = await document([
      { quantity: 61, price: 0.35 },
      { quantity: null, price: null },
    ])
    const other = await document([{ quantity: 4, price: 2.5, rate: 6 }])
    expect(await make([documentId, other])).toMatchObject({ number: 'F-2026-00001' })
    const [row] = await listed()
    expect(row).toMatchObject({
      number: 'F-2026-00001',
      kind: 'invoice',
      issued_on: '2026-11-20',
      due_on: '2026-12-20',
      net: 31.35,
      vat: 5.08, // 21 % of 21.35 is 4.4835, 6 % of 10.00 is 0.60
      gross: 36.43,
      credits: null,
      credited_by: null,
    })
    expect(row?.documents).toHaveLength(2)
    const lines = await w.query(
      'select line, quantity::float, price_excl::float, net::float, category, vat_rate::float from invoice_line order by line',
    )
    expect(lines).toEqual([
      { line: 1, quantity: 61, price_excl: 0.35, net: 21.35, category: 'S', vat_rate: 21 },
      { line: 2, quantity: 4, price_excl: 2.5, net: 10, category: 'S', vat_rate: 6 },
    ])
  })

  test('has the next number of its series and year, and none is lost with one that fails', async () => {
    await make([await document()])
    expect((await refusalOf([await document([{ quantity: 1, price: 0 }])]))?.code).toBe('invoices.nothing')
    expect((await make([await document()])).number).toBe('F-2026-00002')
    await setUp({ invoice_series: 'B' })
    expect((await make([await document()])).number).toBe('B-2026-00001')
  })

  test('numbers have no gap, however many are created at once', async () => {
    const documents = await Promise.all(Array.from({ length: 12 }, () => document()))
    await Promise.all(documents.map(documentId => make([documentId])))
    const numbers = (await listed()).map(({ number }) => number).toSorted()
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => `F-2026-${String(at + 1).padStart(5, '0')}`))
  })

  test('keeps what it says of both parties', async () => {
    const { _id } = await make([await document()])
    await setUp({ legal_name: 'Another name', iban: 'NL91ABNA0417164300' })
    const { answer } = await ublOf(_id)
    expect(answer.xml).toContain('<cbc:RegistrationName>Bandenhotel BV</cbc:RegistrationName>')
    expect(answer.xml).toContain('BE68539007547034')
  })

  test('is refused where the site creates none', async () => {
    await setUp({ invoices: false })
    expect((await refusalOf([await document()]))?.code).toBe('invoices.off')
  })

  test('takes a document once, also of two at the same moment', async () => {
    const documentId = await document()
    const replies = await Promise.all(
      [1, 2].map(() => w.ask(calls.make, w.who.admin, { seq_id: w.customers.a, documents: [documentId] })),
    )
    expect(replies.map(({ refusal }) => refusal?.code ?? 'made').toSorted()).toEqual([
      'invoices.documents_taken',
      'made',
    ])
    expect(await listed()).toHaveLength(1)
  })

  test('is of one customer', async () => {
    const documentId = await document(undefined, w.customers.b)
    expect((await refusalOf([documentId]))?.code).toBe('record.missing')
    expect((await refusalOf([2e9]))?.code).toBe('record.missing')
  })

  test('with a line that takes something back has a negative quantity', async () => {
    await make([
      await document([
        { quantity: 10, price: 2 },
        { quantity: -3, price: 2 },
      ]),
    ])
    expect((await listed())[0]).toMatchObject({ net: 14, vat: 2.94, gross: 16.94 })
  })
})

describe('the VAT of an invoice', () => {
  test.each([
    ['another country of the EU', { country: 'NL', vat_number: 'NL004495445B01' }, {}, 'AE'],
    ['a business outside the EU', { country: 'GB', vat_number: 'GB980780684' }, {}, 'O'],
    [
      'a business outside the EU of a site without a company number',
      { country: 'GB', vat_number: 'GB980780684' },
      { company_scheme: null, company_number: '', peppol_scheme: '9925', peppol_id: 'BE0739484052' },
      'O',
    ],
    ['the same country', {}, {}, 'S'],
    ['a customer who is exempt', { exemption: 'Embassy' }, {}, 'E'],
    ['a site that charges none', {}, { exemption: 'Small business' }, 'E'],
    ['a rate of zero', {}, { vat_rate: 0 }, 'Z'],
  ] as const)('is right for %s, and its file breaks no rule', async (_, buyer, seller, category) => {
    await setUp(seller)
    const dutch = { company_scheme: '0106', company_number: '12345678' } as const
    const british = {
      company_scheme: null,
      company_number: '',
      peppol_scheme: '9932',
      peppol_id: 'GB980780684',
    } as const
    const numbers = 'country' in buyer ? (buyer.country === 'NL' ? dutch : british) : {}
    await w.ask(calls.savebuyer, w.who.admin, { ...buyerDetails, ...numbers, ...buyer, seq_id: w.customers.a })
    const { _id } = await make([await document()])
    const lines = await w.query<{ category: string }>('select category from invoice_line')
    expect(lines.map(line => line.category)).toEqual([category])
    const { answer } = await ublOf(_id)
    expect(brokenRules(await parseXml(answer.xml))).toEqual([])
  })
})

test('an invoice outside the scope of VAT has no rate, no VAT number and one reason, and its credit note too', async () => {
  await w.ask(calls.savebuyer, w.who.admin, {
    ...buyerDetails,
    country: 'GB',
    vat_number: 'GB980780684',
    company_scheme: null,
    company_number: '',
    peppol_scheme: '9932',
    peppol_id: 'GB980780684',
    seq_id: w.customers.a,
  })
  const { _id } = await make([
    await document([
      { quantity: 61, price: 0.35 },
      { quantity: 4, price: 2.5, rate: 6 },
    ]),
  ])
  expect((await listed())[0]).toMatchObject({ net: 31.35, vat: 0, gross: 31.35 })
  const { _id: note } = (await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })).answer
  for (const { answer } of [await ublOf(_id), await ublOf(note)]) {
    expect(answer.xml).toContain('<cbc:TaxExemptionReasonCode>VATEX-EU-O</cbc:TaxExemptionReasonCode>')
    expect(answer.xml.match(/<cac:TaxSubtotal>/g)).toHaveLength(1)
    expect(answer.xml).not.toMatch(/<cbc:Percent>|<cac:PartyTaxScheme>/)
  }
})

describe('a document on an invoice', () => {
  test('can not be withdrawn before a credit note', async () => {
    const documentId = await document()
    const invoice = async () =>
      (await w.ask(contract.invoicing.documents, w.who.admin, {})).answer.find(({ db_id }) => db_id === documentId)
        ?.invoice
    expect(await invoice()).toBe(null)
    const { _id } = await make([documentId])
    const { refusal } = await withdraw(documentId)
    expect([refusal?.code, refusal?.params]).toMatchObject(['invoicing.invoiced', { invoice: 'F-2026-00001' }])
    expect(await invoice()).toBe('F-2026-00001')
    await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })
    expect(await invoice()).toBe(null)
    expect((await withdraw(documentId)).status).toBe(200)
  })

  test('is withdrawn, or invoiced, and never both', async () => {
    for (let round = 0; round < 5; round++) {
      const documentId = await document()
      const [invoicing, gone] = await Promise.all([
        w.ask(calls.make, w.who.admin, { seq_id: w.customers.a, documents: [documentId] }),
        withdraw(documentId),
      ])
      expect([invoicing.status, gone.status].toSorted()).toEqual([200, 409])
    }
  })

  test('is no longer listed as open', async () => {
    const documentId = await document()
    const open = async () =>
      (await w.ask(calls.open, w.who.admin, { seq_id: w.customers.a })).answer.map(({ db_id }) => db_id)
    expect(await open()).toEqual([documentId])
    const { _id } = await make([documentId])
    expect(await open()).toEqual([])
    await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })
    expect(await open()).toEqual([documentId])
  })
})

describe('a credit note', () => {
  test('credits a whole invoice once, under its own numbers', async () => {
    const { _id } = await make([await document()])
    const { answer } = await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })
    expect(answer.number).toBe('CN-2026-00001')
    const [note, invoice] = await listed()
    expect(note).toMatchObject({
      kind: 'credit_note',
      credits: 'F-2026-00001',
      due_on: null,
      net: 21.35,
      vat: 4.48,
      reason: 'A wrong price',
    })
    expect(invoice).toMatchObject({ credited_by: 'CN-2026-00001' })
    const again = await w.ask(calls.credit, w.who.admin, { _id, reason: 'Again' })
    expect(again.refusal?.code).toBe('invoices.credited')
    const ofNote = await w.ask(calls.credit, w.who.admin, { _id: answer._id, reason: 'Again' })
    expect(ofNote.refusal?.code).toBe('invoices.credit_note')
  })

  test('is created once of two at the same moment', async () => {
    const { _id } = await make([await document()])
    const replies = await Promise.all(
      [1, 2].map(() => w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('is an e-invoice of its own kind that breaks no rule', async () => {
    const { _id } = await make([await document()])
    const { answer } = await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })
    const { xml, name } = (await ublOf(answer._id)).answer
    expect(name).toBe('CN-2026-00001.xml')
    expect(xml).toContain('<CreditNote ')
    expect(xml).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>')
    expect(brokenRules(await parseXml(xml))).toEqual([])
  })
})

describe('a credit note for a part', () => {
  const credit = (_id: number, lines?: number[]) =>
    w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price', ...(lines && { lines }) })
  const invoiceOf = async (_id: number) => (await listed()).find(invoice => invoice._id === _id)
  const three = [
    { quantity: 61, price: 0.35 },
    { quantity: 4, price: 2.5, rate: 6 },
    { quantity: 2, price: 10 },
  ]

  test('takes back the chosen lines, each once, and what is left is credited as one', async () => {
    const documents = [await document(three)]
    const { _id } = await make(documents)
    const first = await credit(_id, [2])
    expect(first.answer.number).toBe('CN-2026-00001')
    expect((await listed())[0]).toMatchObject({ net: 10, vat: 0.6, gross: 10.6, credits: 'F-2026-00001' })
    expect(await invoiceOf(_id)).toMatchObject({ credited_by: null, credited_in_part: ['CN-2026-00001'] })
    const { answer: lines } = await w.ask(calls.lines, w.who.admin, { _id })
    expect(lines.map(({ line, net, credited_by }) => [line, net, credited_by])).toEqual([
      [1, 21.35, null],
      [2, 10, 'CN-2026-00001'],
      [3, 20, null],
    ])
    const again = await credit(_id, [1, 2])
    expect([again.refusal.code, again.refusal.params]).toEqual([
      'invoices.credited',
      { invoice: 'F-2026-00001', credit_note: 'CN-2026-00001' },
    ])
    // its documents stand on it while a line is left
    expect((await withdraw(documents[0] ?? 0)).refusal.code).toBe('invoicing.invoiced')
    const rest = await credit(_id)
    expect(rest.answer.number).toBe('CN-2026-00002')
    expect((await listed())[0]).toMatchObject({ net: 41.35, vat: 8.68 })
    expect(await invoiceOf(_id)).toMatchObject({
      credited_by: 'CN-2026-00001, CN-2026-00002',
      credited_in_part: [],
    })
    expect((await credit(_id)).refusal.code).toBe('invoices.credited')
    expect((await withdraw(documents[0] ?? 0)).status).toBe(200)
  })

  test('names no line of another invoice, and none twice at the same moment', async () => {
    const { _id } = await make([await document(three)])
    expect((await credit(_id, [1, 4])).refusal.code).toBe('record.missing')
    const replies = await Promise.all([credit(_id, [1, 3]), credit(_id, [1]), credit(_id, [2])])
    const succeeded = replies.filter(({ status }) => status === 200)
    expect(replies.filter(({ status }) => status !== 200).map(({ refusal }) => refusal.code)).toEqual([
      'invoices.credited',
    ])
    expect(succeeded).toHaveLength(2)
    expect(
      (await listed())
        .map(({ number }) => number)
        .toSorted()
        .slice(0, 2),
    ).toEqual(['CN-2026-00001', 'CN-2026-00002'])
    await expect(
      w.query('update invoice_line set credits = $1, credits_line = 1 where credits is not null', [_id]),
    ).rejects.toThrow('invoice_line_credited_once')
  })

  test('never comes to more than the invoice, to the cent, however its lines are split', async () => {
    // each of them alone has a cent of VAT, all three have two
    const { _id } = await make([await document(Array.from({ length: 3 }, () => ({ quantity: 3, price: 0.01 })))])
    const files: string[] = []
    for (const line of [1, 2, 3]) {
      const { answer } = await credit(_id, [line])
      files.push((await ublOf(answer._id)).answer.xml)
    }
    const notes = (await listed()).filter(({ kind }) => kind === 'credit_note')
    expect(notes.map(({ vat }) => vat)).toEqual([0.01, 0, 0.01])
    expect(await invoiceOf(_id)).toMatchObject({ net: 0.09, vat: 0.02 })
    for (const xml of files) expect(brokenRules(await parseXml(xml))).toEqual([])
  })

  test('takes back a line that takes something back together with what it takes it from', async () => {
    const { _id } = await make([
      await document([
        { quantity: 10, price: 2 },
        { quantity: -3, price: 2 },
      ]),
    ])
    expect((await credit(_id, [1])).refusal.code).toBe('invoices.credit_more')
    expect((await credit(_id, [2])).refusal.code).toBe('invoices.nothing')
    const { answer } = await credit(_id, [1, 2])
    expect((await listed())[0]).toMatchObject({ number: answer.number, net: 14, gross: 16.94 })
  })

  test('by a node of the version before credits every line', async () => {
    const { _id } = await make([await document(three)])
    const { answer } = await credit(_id)
    await w.query('update invoice_line set credits = null, credits_line = null')
    await w.query(`create temp table copied as select * from invoice_line where invoice_id = ${answer._id}`)
    await w.query('delete from invoice_line where invoice_id = $1', [answer._id])
    await w.query('insert into invoice_line select * from copied')
    await w.query('drop table copied')
    expect((await credit(_id)).refusal.code).toBe('invoices.credited')
  })
})

describe('the file of an e-invoice', () => {
  test('breaks no rule', async () => {
    const { _id } = await make([
      await document([
        { quantity: 61, price: 0.35 },
        { quantity: 4, price: 2.5, rate: 6 },
      ]),
    ])
    const { xml, name } = (await ublOf(_id)).answer
    expect([name, xml.includes('<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>')]).toEqual(['F-2026-00001.xml', true])
    expect(brokenRules(await parseXml(xml))).toEqual([])
  })

  test.each([
    [{ buyer_reference: '' }, 'PEPPOL-EN16931-R003'],
    [{ company_scheme: null, company_number: '' }, 'PEPPOL-EN16931-R010'],
    [{ company_scheme: null, company_number: '', buyer_reference: '' }, 'PEPPOL-EN16931-R003, PEPPOL-EN16931-R010'],
  ] as const)('is refused with the rule that it breaks: %o', async (change, rule) => {
    await w.ask(calls.savebuyer, w.who.admin, { ...buyerDetails, ...change, seq_id: w.customers.a })
    const { _id } = await make([await document()])
    const { refusal } = await ublOf(_id)
    expect([refusal?.code, refusal?.params]).toMatchObject(['invoices.rules', { rules: rule }])
  })
})

describe('the documents of a billing run', () => {
  async function run(documents: readonly number[]): Promise<number> {
    const [row] = await w.query<{ id: number }>(
      `insert into billing_run (site_id, covers, until, days, marks, state, at, turn_at)
       values ($1, 'all', '2026-10-31', 0, false, 'made', now(), now()) returning id`,
      [w.sites.home],
    )
    const id = row?.id ?? 0
    await w.query(
      `insert into billing_run_customer (site_id, run_id, customer_id, state, document_id, made_at)
       select $1, $2, customer_id, 'made', id, now() from document where id = any ($3)`,
      [w.sites.home, id, documents],
    )
    return id
  }

  test('are invoiced with one call, each once', async () => {
    const documents = [await document(), await document(undefined, w.customers.b)]
    const _id = await run(documents)
    expect((await w.ask(calls.makerun, w.who.admin, { _id })).answer).toEqual({ made: 2, left: 0 })
    expect((await w.ask(calls.makerun, w.who.admin, { _id })).answer).toEqual({ made: 0, left: 0 })
    expect((await listed()).map(({ number }) => number)).toEqual(['F-2026-00002', 'F-2026-00001'])
  })

  test('are invoiced so many at a time', () => expect(invoicesAtOnce).toBe(100))
})

describe('the PDF', () => {
  test('is answered for an invoice and a credit note', async () => {
    const { _id } = await make([await document()])
    const note = (await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })).answer
    for (const id of [_id, note._id]) {
      const { answer } = await w.ask(calls.pdf, w.who.admin, { _id: id })
      expect(Buffer.from(answer, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    }
  })
})

describe('the CSV file for bookkeeping', () => {
  const period = { from: '2026-11-01', to: '2026-11-30' }

  test('has the invoices of a period as the mapping says', async () => {
    const { _id } = await make([await document()])
    await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })
    const mapping = {
      ...plainMapping,
      rows: 'invoice',
      date: 'dd/mm/yyyy',
      columns: [
        { heading: 'Nr', field: 'number', text: '' },
        { heading: 'Date', field: 'issued', text: '' },
        { heading: 'Account', field: 'account', text: '' },
        { heading: 'Total', field: 'gross', text: '' },
        { heading: 'Journal', field: 'text', text: 'VF' },
      ],
      accounts: [{ category: 'S', rate: 21, account: '700000', vat_code: '21' }],
    } as const
    await w.ask(calls.savemapping, w.who.admin, structuredClone(mapping) as never)
    expect((await w.ask(calls.mapping, w.who.admin, {})).answer).toEqual(mapping)
    const { answer } = await w.ask(calls.export, w.who.admin, period)
    expect(answer).toEqual({
      csv: '\uFEFFNr;Date;Account;Total;Journal\r\nCN-2026-00001;20/11/2026;700000;-25,83;VF\r\nF-2026-00001;20/11/2026;700000;25,83;VF\r\n',
      invoices: 2,
      unmapped: [],
    })
  })

  test('says which rates have no account, and refuses a period without invoices', async () => {
    await make([await document()])
    expect((await w.ask(calls.export, w.who.admin, period)).answer.unmapped).toEqual([{ category: 'S', rate: 21 }])
    const { refusal } = await w.ask(calls.export, w.who.admin, { from: '2025-01-01', to: '2025-12-31' })
    expect(refusal?.code).toBe('invoices.none_in_period')
  })
})
