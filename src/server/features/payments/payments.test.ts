/** Payments of invoices, by hand and from bank files (docs/product/money.md "Paid or not"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { payments as calls, type BankLine } from '#contract/payments.ts'
import { formatCommunication } from '#domain/money/paymentReference.ts'
import { buyerDetails, sellerDetails } from '../../testing/bodies.ts'
import { sendForm } from '../../testing/config.ts'
import { textOf } from '../../testing/pdf.ts'
import { camtFile, type CamtEntry } from '../../testing/statements.ts'
import { world, type World } from '../../testing/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query(
    `delete from payment_part; delete from payment where refunds is not null; delete from payment; delete from bank_file;
     delete from invoice_document; delete from invoice_line; delete from invoice where credits is not null; delete from invoice;
     delete from invoice_counter; delete from document; delete from document_counter; delete from payment_settings;
     delete from webhook_endpoint; delete from webhook_event`,
  )
  await w.ask(contract.invoices.setup, w.who.admin, sellerDetails as never)
  await w.ask(contract.invoices.savebuyer, w.who.admin, { ...buyerDetails, seq_id: w.customers.a })
  await w.ask(calls.setup, w.who.admin, { followed_from: '2026-01-01' })
})

let nth = 0
/** An invoice of € 121.00, or of so many lines of € 121.00. */
async function invoice(
  customer = w.customers.a,
  lines = 1,
): Promise<{ _id: number; number: string; reference: string }> {
  const [row] = await w.query<{ id: number }>(
    `insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
     values ($1, $2, 'worknote', 'storage', 2026, $3, '2026-11-19', 100 * $4::int) returning id`,
    [w.sites.home, customer, ++nth, lines],
  )
  for (let line = 1; line <= lines; line++)
    await w.query(
      `insert into document_line (site_id, document_id, line, customer_id, description, quantity, price_excl) values ($1, $2, $3, $4, 'Storage', 1, 100)`,
      [w.sites.home, row?.id, line, customer],
    )
  const { answer } = await w.ask(contract.invoices.make, w.who.admin, { seq_id: customer, documents: [row?.id ?? 0] })
  const [{ reference } = { reference: '' }] = await w.query<{ reference: string }>(
    'select payment_reference as reference from invoice where id = $1',
    [answer._id],
  )
  return { ...answer, reference }
}
const stateOf = async (_id: number) => {
  const { answer } = await w.ask(contract.invoices.list, w.who.admin, {})
  const row = answer.find(candidate => candidate._id === _id)
  return [row?.state, row?.open]
}
const pay = (_id: number, amount: number, paid_on = '2026-11-20') =>
  w.ask(calls.record, w.who.admin, { _id, amount, paid_on })
const undo = (_id: number) => w.ask(calls.undo, w.who.admin, { _id, reason: 'A mistake' })
const paymentsOf = async (_id: number) => (await w.ask(calls.list, w.who.admin, { _id })).answer
const take = async (entries: readonly CamtEntry[], options?: Parameters<typeof camtFile>[1]) =>
  (await sendForm(w, calls.take.path, w.who.admin, [
    ['name', 'statement.xml'],
    ['file', camtFile(entries, options)],
  ] as never)) as { answer: Record<string, number>; refusal: { code: string } | null }
const lines = async (state?: 'open' | 'matched' | 'set_aside') =>
  (await w.ask(calls.lines, w.who.admin, state ? { state } : {})).answer
const account = async (who = w.who.admin) =>
  (await w.ask(calls.account, who, who === w.who.admin ? { seq_id: w.customers.a } : {})).answer

describe('an invoice', () => {
  test('is open, partly paid, paid, and overdue the day after it is due', async () => {
    const { _id } = await invoice()
    expect(await stateOf(_id)).toEqual(['open', 121])
    await pay(_id, 21)
    expect(await stateOf(_id)).toEqual(['partly_paid', 100])
    await w.query(`update invoice_balance set due_on = '2026-11-19'`)
    expect(await stateOf(_id)).toEqual(['overdue', 100])
    await pay(_id, 100)
    expect(await stateOf(_id)).toEqual(['paid', 0])
    expect((await pay(_id, 1)).refusal?.code).toBe('payments.settled')
  })

  test('has no state before the day from which the site follows payments', async () => {
    const { _id } = await invoice()
    await w.ask(calls.setup, w.who.admin, { followed_from: '2026-11-21' })
    expect(await stateOf(_id)).toEqual([null, null])
    expect((await account()).open).toBe(0)
    await w.ask(calls.setup, w.who.admin, { followed_from: null })
    expect(await stateOf(_id)).toEqual([null, null])
  })

  test('is listed by its state', async () => {
    const [paid, part, open] = [await invoice(), await invoice(), await invoice()]
    await pay(paid._id, 121)
    await pay(part._id, 20)
    const numbers = async (state: 'unpaid' | 'paid' | 'open' | 'partly_paid' | 'overdue') =>
      (await w.ask(contract.invoices.list, w.who.admin, { state })).answer.map(({ number }) => number)
    expect(await numbers('unpaid')).toEqual([open.number, part.number])
    expect(await numbers('paid')).toEqual([paid.number])
    expect(await numbers('open')).toEqual([open.number])
    expect(await numbers('partly_paid')).toEqual([part.number])
    expect(await numbers('overdue')).toEqual([])
  })

  test('is paid once by two payments at the same moment', async () => {
    const { _id } = await invoice()
    const replies = await Promise.all([pay(_id, 121), pay(_id, 121)])
    expect(replies.map(({ refusal }) => refusal?.code ?? 'paid').toSorted()).toEqual(['paid', 'payments.settled'])
    expect(await stateOf(_id)).toEqual(['paid', 0])
  })

  test('is written off with a reason, and open again when that is undone', async () => {
    const { _id } = await invoice()
    await pay(_id, 100)
    const { answer } = await w.ask(calls.writeoff, w.who.admin, { _id, reason: 'Bankrupt' })
    expect(await stateOf(_id)).toEqual(['written_off', 0])
    expect(await paymentsOf(_id)).toMatchObject([
      { kind: 'write_off', amount: 21, reason: 'Bankrupt', rest: 0 },
      { kind: 'payment', amount: 100 },
    ])
    await undo(answer._id)
    expect(await stateOf(_id)).toEqual(['partly_paid', 21])
    expect((await undo(answer._id)).refusal?.code).toBe('payments.undone')
  })

  test('is not paid in advance of today', async () => {
    const { _id } = await invoice()
    expect((await pay(_id, 121, '2026-11-21')).refusal?.code).toBe('payments.date_ahead')
  })

  test('of a Belgian seller says a structured communication, each another one', async () => {
    const [first, second] = [await invoice(), await invoice()]
    expect([first.reference, second.reference]).toEqual(['000000000101', '000000000202'])
    const { answer } = await w.ask(contract.invoices.ubl, w.who.admin, { _id: first._id })
    expect(answer.xml).toContain('<cbc:PaymentID>+++000/0000/00101+++</cbc:PaymentID>')
    await w.ask(contract.invoices.setup, w.who.admin, { ...sellerDetails, invoice_series: 'G' } as never)
    expect((await invoice()).reference).toBe('000000000303')
    await w.ask(contract.invoices.setup, w.who.admin, { ...sellerDetails, country: 'LU' } as never)
    expect((await invoice()).reference).toBeNull()
  })
})

describe('too much', () => {
  test('is in the hand of the customer, pays another invoice, and is given back', async () => {
    const [first, second] = [await invoice(), await invoice()]
    const { answer } = await pay(first._id, 300)
    expect(answer.rest).toBe(179)
    expect(await account()).toMatchObject({ open: 121, in_hand: 179 })
    const allocated = await w.ask(calls.allocate, w.who.admin, { _id: answer._id, invoice: second._id })
    expect(allocated.answer.rest).toBe(58)
    expect(await stateOf(second._id)).toEqual(['paid', 0])
    const refund = (amount: number) =>
      w.ask(calls.refund, w.who.admin, { _id: answer._id, amount, paid_on: '2026-11-20' })
    expect((await refund(58.01)).refusal?.code).toBe('payments.nothing_left')
    await refund(50)
    expect(await account()).toMatchObject({ open: 0, in_hand: 8 })
    expect((await undo(answer._id)).refusal?.code).toBe('payments.refunded')
    const [given] = await paymentsOf(first._id)
    expect(given).toMatchObject({ kind: 'refund', amount: 50, refunds: answer._id })
    await undo(given?._id ?? 0)
    await undo(answer._id)
    expect(await account()).toMatchObject({ open: 242, in_hand: 0 })
  })

  test('comes of a credit note for an invoice that is paid: the last payment gives way first', async () => {
    const { _id } = await invoice(w.customers.a, 2)
    const first = await pay(_id, 142)
    await pay(_id, 100)
    await w.ask(contract.invoices.credit, w.who.admin, { _id, reason: 'A wrong price', lines: [1] })
    expect(await stateOf(_id)).toEqual(['paid', 0])
    expect((await paymentsOf(_id)).map(({ rest }) => rest)).toEqual([100, 21])
    expect((await account()).in_hand).toBe(121)
    await w.ask(contract.invoices.credit, w.who.admin, { _id, reason: 'All of it' })
    expect(await stateOf(_id)).toEqual(['credited', 0])
    expect((await account()).in_hand).toBe(242)
    await undo(first.answer._id)
    expect(await stateOf(_id)).toEqual(['credited', 0])
  })
})

describe('a bank file', () => {
  const paying = (reference: string, amount = '121.00'): CamtEntry => ({
    amount,
    payments: [{ reference, account: 'NL91ABNA0417164300', payer: 'Somebody' }],
  })

  test('pays what leaves no doubt and asks about all else; imported again it changes nothing', async () => {
    const [first, second] = [await invoice(), await invoice()]
    const entries: CamtEntry[] = [
      paying(first.reference),
      paying(first.reference),
      { amount: '121.00', currency: 'USD', payments: [{ reference: second.reference }] },
      { amount: '5.00', direction: 'DBIT' },
    ]
    const { answer } = await take(entries)
    expect(answer).toMatchObject({ line_count: 3, imported_before: 0, matched: 1, open: 2, skipped: 1 })
    expect(await stateOf(first._id)).toEqual(['paid', 0])
    expect(await stateOf(second._id)).toEqual(['open', 121])
    const open = await lines('open')
    expect(open.map(({ question, proposals }) => [question, proposals.map(({ number }) => number)])).toEqual([
      ['currency', [second.number]],
      ['settled', [second.number]],
    ])
    expect(await lines('matched')).toMatchObject([
      { payment: { rest: 0, parts: [{ number: first.number, amount: 121 }] } },
    ])
    const before = await w.query('select * from payment order by id')
    const again = await take(entries, { id: 'STMT-1', version: '02' })
    expect(again.answer).toMatchObject({ _id: null, line_count: 0, imported_before: 3, matched: 0, open: 0 })
    expect(await w.query('select * from payment order by id')).toEqual(before)
    expect((await w.ask(calls.files, w.who.admin, {})).answer).toMatchObject([{ line_count: 3, matched: 1, open: 2 }])
  })

  test('teaches from which account a customer pays', async () => {
    const first = await invoice()
    await take([paying(first.reference)])
    const second = await invoice()
    const line = { amount: '121.00', booked: '2026-11-20', payments: [{ account: 'NL91ABNA0417164300' }] }
    expect((await take([line], { id: 'next' })).answer).toMatchObject({ matched: 1 })
    expect(await stateOf(second._id)).toEqual(['paid', 0])
  })

  test('is answered by hand: several invoices of one customer, and what is left over', async () => {
    const [first, second, other] = [await invoice(), await invoice(), await invoice(w.customers.b)]
    await take([{ amount: '300.00' }])
    const [line] = await lines('open')
    const answer = (invoice_ids: number[]) => w.ask(calls.answer, w.who.admin, { _id: line?._id ?? 0, invoice_ids })
    expect((await answer([first._id, other._id])).refusal?.code).toBe('payments.several_customers')
    expect((await answer([first._id, second._id])).answer.rest).toBe(58)
    expect((await answer([first._id])).refusal?.code).toBe('payments.line_settled')
    expect(await account()).toMatchObject({ open: 0, in_hand: 58 })
  })

  test('in another currency is answered with what came in as EUR', async () => {
    const { _id, reference } = await invoice()
    await take([{ amount: '130.00', currency: 'USD', payments: [{ reference }] }])
    const [line] = await lines('open')
    const answer = (amount?: number) =>
      w.ask(calls.answer, w.who.admin, {
        _id: line?._id ?? 0,
        invoice_ids: [_id],
        ...(amount !== undefined && { amount }),
      })
    expect((await answer()).refusal?.code).toBe('payments.amount_missing')
    expect((await answer(119.5)).answer.rest).toBe(0)
    expect(await stateOf(_id)).toEqual(['partly_paid', 1.5])
  })

  test('has lines that are set aside with a reason, and ask again without one', async () => {
    await take([{ amount: '300.00' }])
    const [line] = await lines('open')
    const set = (reason: string) => w.ask(calls.setaside, w.who.admin, { _id: line?._id ?? 0, reason })
    await set('Rent of the flat')
    expect([await lines('open'), (await lines('set_aside'))[0]?.set_aside]).toEqual([[], 'Rent of the flat'])
    await set('')
    expect(await lines('open')).toHaveLength(1)
  })

  test('asks again about a payment that was undone, and about one that the bank takes back', async () => {
    const { _id, reference } = await invoice()
    await take([paying(reference), { amount: '121.00', direction: 'DBIT', reversal: true }])
    const [{ payment } = {} as BankLine] = await lines('matched')
    await undo(payment?._id ?? 0)
    expect(await stateOf(_id)).toEqual(['open', 121])
    const open = await lines('open')
    expect(open.map(({ question }) => question)).toEqual(['reversal', 'undone'])
    const answer = (line: number | undefined) =>
      w.ask(calls.answer, w.who.admin, { _id: line ?? 0, invoice_ids: [_id] })
    expect((await answer(open[0]?._id)).refusal?.code).toBe('payments.reversal')
    await answer(open[1]?._id)
    expect(await stateOf(_id)).toEqual(['paid', 0])
  })

  test('is taken back as a whole, leaves no name behind, and can be imported again', async () => {
    const { _id, reference } = await invoice()
    const { answer } = await take([paying(reference), { amount: '5.00' }])
    await w.ask(calls.undofile, w.who.admin, { _id: answer['_id'] ?? 0, reason: 'Of another company' })
    expect(await stateOf(_id)).toEqual(['open', 121])
    expect([await lines(), await w.query('select * from bank_line')]).toEqual([[], []])
    expect((await take([paying(reference), { amount: '5.00' }])).answer).toMatchObject({ matched: 1, open: 1 })
  })

  test('that breaks off changes nothing', async () => {
    const { _id, reference } = await invoice()
    const file = camtFile([paying(reference)])
    const { refusal } = (await sendForm(w, calls.take.path, w.who.admin, [
      ['name', 'half.xml'],
      ['file', file.subarray(0, file.length - 40)],
    ] as never)) as { refusal: { code: string } }
    expect(refusal.code).toBe('payments.file_xml')
    expect([await stateOf(_id), await lines()]).toEqual([['open', 121], []])
  })

  test('of two at the same moment is imported once', async () => {
    const { _id, reference } = await invoice()
    const replies = await Promise.all([take([paying(reference)]), take([paying(reference)])])
    expect(replies.map(({ answer }) => answer['matched']).toSorted()).toEqual([0, 1])
    expect(await paymentsOf(_id)).toHaveLength(1)
  })
})

test('programs are told when an invoice is paid, and when that was undone; a credit note pays nothing', async () => {
  await w.query(
    `insert into webhook_endpoint (site_id, url, kinds, secret, created_at, enabled)
     values ($1, 'https://books.test/', '{invoice.paid,invoice.reopened}', '', now(), true)`,
    [w.sites.home],
  )
  const { _id } = await invoice()
  await pay(_id, 100)
  const { answer } = await pay(_id, 21)
  await undo(answer._id)
  await pay(_id, 21)
  const credited = await invoice()
  await pay(credited._id, 121)
  await w.ask(contract.invoices.credit, w.who.admin, { _id: credited._id, reason: 'A mistake' })
  const events = await w.query<{ kind: string; object: string; open: number; paid: number }>(
    `select kind, object, (data ->> 'open')::float as open, (data ->> 'paid')::float as paid from webhook_event order by id`,
  )
  expect(events).toEqual([
    { kind: 'invoice.paid', object: `invoice ${_id}`, open: 0, paid: 121 },
    { kind: 'invoice.reopened', object: `invoice ${_id}`, open: 21, paid: 100 },
    { kind: 'invoice.paid', object: `invoice ${_id}`, open: 0, paid: 121 },
    { kind: 'invoice.paid', object: `invoice ${credited._id}`, open: 0, paid: 121 },
  ])
})

test('a statement of account says what is open and in hand, to the customer in its own language', async () => {
  const [first] = [await invoice(), await invoice(w.customers.b)]
  const second = await invoice()
  const { answer } = await pay(second._id, 150)
  expect(answer.rest).toBe(29)
  const print = async (who: typeof w.who.admin, input: object) =>
    textOf((await w.ask(calls.statement, who, input)).answer)
  const text = await print(w.who.admin, { seq_id: w.customers.a })
  expect(text).toContain(first.number)
  expect(text).not.toContain(second.number)
  expect(text.replaceAll(/\s/g, ' ')).toMatch(/121[.,]00.*29[.,]00.*92[.,]00/)
  expect(await print(w.who.a, {})).toContain(first.number)
  const other = await w.ask(calls.statement, w.who.a, { seq_id: w.customers.b })
  expect(other.refusal?.code).toBe('record.missing')
})

test('a customer sees what is open of its own, and no line of the bank', async () => {
  const [own] = [await invoice(), await invoice(w.customers.b)]
  await pay(own._id, 21)
  expect(await account(w.who.a)).toMatchObject({
    open: 100,
    open_invoices: [{ number: own.number, state: 'partly_paid', open: 100 }],
  })
  const other = await w.ask(calls.account, w.who.a, { seq_id: w.customers.b })
  expect(other.refusal?.code).toBe('record.missing')
  expect(formatCommunication(own.reference)).toBe('+++000/0000/00101+++')
})
