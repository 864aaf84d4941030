/** E-invoices reach the access point, each once, in spite of every failure on the way (docs/decisions/0065). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invoices as calls } from '#contract/invoices.ts'
import { openAccessPoint } from '../../outbound/accessPoint.ts'
import { startAccessPoint, type AccessPointServer } from '../../testing/accessPointServer.ts'
import { buyerDetails, sellerDetails } from '../../testing/bodies.ts'
import { world, type World } from '../../testing/world.ts'
import { retryDelay } from '../../worker.ts'
import { sendNextInvoice, startSendingInvoices } from './sending.ts'

const now = new Date('2026-11-20T12:00:00Z')
const token = 'token of the access point'
let w: World
let receiver: AccessPointServer
beforeAll(async () => {
  w = await world({ now, served: () => ({ accessPoint: true }) })
})
afterAll(() => w.close())
beforeEach(async () => {
  receiver = await startAccessPoint()
  await w.query(
    `delete from invoice_document; delete from invoice_line; delete from invoice where credits is not null; delete from invoice;
     delete from invoice_counter; delete from document; delete from document_counter; delete from audit`,
  )
  await setUp({})
  await w.ask(calls.savebuyer, w.who.admin, { ...buyerDetails, seq_id: w.customers.a })
  return () => receiver.close()
})

const setUp = (change: { sends?: boolean }) =>
  w.ask(calls.setup, w.who.admin, { ...sellerDetails, sends: true, ...change })

let nth = 0
async function documentOf(customer: number): Promise<number> {
  const [document] = await w.query<{ id: number }>(
    `insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
     values ($1, $2, 'worknote', 'storage', 2026, $3, '2026-11-19', 21.35) returning id`,
    [w.sites.home, customer, ++nth],
  )
  const id = document?.id ?? 0
  await w.query(
    `insert into document_line (site_id, document_id, line, customer_id, description, quantity, price_excl)
     values ($1, $2, 1, $3, 'Storage', 61, 0.35)`,
    [w.sites.home, id, customer],
  )
  return id
}
const addInvoice = async (customer = w.customers.a): Promise<number> =>
  (await w.ask(calls.make, w.who.admin, { seq_id: customer, documents: [await documentOf(customer)] })).answer._id
const credit = async (_id: number) =>
  (await w.ask(calls.credit, w.who.admin, { _id, reason: 'A wrong price' })).answer._id
const again = (_id: number) => w.ask(calls.send, w.who.admin, { _id })
const send = (clock = now) =>
  sendNextInvoice(w.database, openAccessPoint({ url: receiver.url, token }), { clock: () => clock })
const sendingOf = async (_id: number) =>
  (await w.ask(calls.list, w.who.admin, {})).answer.find(invoice => invoice._id === _id)?.sending
const dueOf = async (invoice: number) =>
  (await w.query<{ due: Date }>('select due_at as due from invoice_sending where invoice_id = $1', [invoice]))[0]?.due
const numbersOf = (files: Iterable<string>) => [...files].map(xml => /<cbc:ID>([^<]+)/.exec(xml)?.[1])

test('an invoice is sent as it would be downloaded, with the token and a key', async () => {
  const _id = await addInvoice()
  expect(await sendingOf(_id)).toEqual({
    state: 'waiting',
    tries: 0,
    tried: null,
    problem: '',
    status: null,
    answer: '',
  })
  expect(await send()).toBe(true)
  const [sent] = receiver.asked
  expect(sent?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    'content-type': 'application/xml; charset=utf-8',
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(sent?.xml).toBe((await w.ask(calls.ubl, w.who.admin, { _id })).answer.xml)
  expect(await sendingOf(_id)).toMatchObject({
    state: 'sent',
    tries: 1,
    problem: '',
    status: 202,
    answer: '{"id":"T-1"}',
  })
  expect(await send()).toBe(false)
})

test('nothing is sent of a site that does not want it, of a portal without an access point, and to nobody', async () => {
  await setUp({ sends: false })
  const unwanted = await addInvoice()
  await setUp({})
  await w.ask(calls.savebuyer, w.who.admin, {
    ...buyerDetails,
    company_scheme: null,
    company_number: '',
    seq_id: w.customers.a,
  })
  const unaddressed = await addInvoice()
  for (const invoice of [unwanted, unaddressed]) expect(await sendingOf(invoice)).toBeNull()
  expect(await send()).toBe(false)
  expect((await again(unaddressed)).refusal).toMatchObject({ code: 'invoices.rules' })
  await setUp({ sends: false })
  expect((await again(unwanted)).refusal.code).toBe('invoices.not_sending')
})

test('who saves billing details without knowing of e-invoices changes nothing of their sending', async () => {
  await w.ask(calls.setup, w.who.admin, { ...sellerDetails, note: 'Thanks' })
  expect((await w.ask(calls.settings, w.who.admin, {})).answer).toMatchObject({
    note: 'Thanks',
    sends: true,
    access_point: true,
  })
})

test('an access point that fails one time in three has every invoice once', { tags: 'whole' }, async () => {
  const documents: number[] = []
  for (let each = 0; each < 12; each++) documents.push(await addInvoice())
  receiver.replies = at => (at % 6 === 1 ? 'fails' : at % 6 === 4 ? 'fails late' : 'takes')
  let clock = now
  const left = async () =>
    (await w.query('select from invoice_sending where sent_at is null and refused_at is null')).length
  for (let hour = 0; (await left()) > 0; hour++) {
    expect(hour).toBeLessThan(20)
    clock = new Date(clock.getTime() + 3_600_000)
    // nodes beside each other
    const node = async (): Promise<void> => {
      while (await send(clock));
    }
    await Promise.all(Array.from({ length: 4 }, node))
  }
  expect(numbersOf(receiver.taken.values()).toSorted()).toEqual(
    documents.map((_, at) => `F-2026-${String(at + 1).padStart(5, '0')}`),
  )
  expect(receiver.asked.length).toBeGreaterThan(12)
})

describe('an access point that is away, or whose token has expired,', () => {
  test.each([
    ['fails', { problem: 'status', status: 503, answer: 'Try later' }],
    ['fails late', { problem: 'unreachable', status: null, answer: '' }],
    ['sends elsewhere', { problem: 'unusable', status: null, answer: '' }],
    [
      { status: 401, text: 'Who are you?' },
      { problem: 'status', status: 401, answer: 'Who are you?' },
    ],
  ] as const)('is asked again after growing pauses: %o', { tags: 'whole' }, async (reply, problems) => {
    const _id = await addInvoice()
    receiver.replies = () => reply
    let clock = now
    for (let tries = 1; tries <= 4; tries++) {
      expect(await send(clock)).toBe(true)
      expect(await sendingOf(_id)).toMatchObject({ state: 'waiting', tries, ...problems })
      const due = (await dueOf(_id)) as Date
      expect(due.getTime() - clock.getTime()).toBe(retryDelay(tries) * 1000)
      expect(await send(new Date(due.getTime() - 1))).toBe(false)
      clock = due
    }
    receiver.replies = () => 'takes'
    expect(await send(clock)).toBe(true)
    expect(await sendingOf(_id)).toMatchObject({ state: 'sent', tries: 5 })
    expect(new Set(receiver.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('is asked at once when somebody says so, under the same key', async () => {
    const _id = await addInvoice()
    receiver.replies = at => (at === 0 ? 'fails' : 'takes')
    await send()
    expect(await send()).toBe(false)
    expect((await again(_id)).status).toBe(200)
    expect(await send()).toBe(true)
    const [firstKey, other] = receiver.asked.map(({ headers }) => headers['idempotency-key'])
    expect(other).toBe(firstKey)
  })
})

describe('an invoice that is refused', () => {
  test('says why, and goes again under another key when somebody says so', async () => {
    const _id = await addInvoice()
    receiver.replies = at => (at === 0 ? { status: 422, text: 'Unknown\0 recipient' } : 'takes')
    await send()
    expect(await sendingOf(_id)).toMatchObject({
      state: 'refused',
      problem: 'status',
      status: 422,
      answer: 'Unknown recipient',
    })
    expect(await send(new Date('2027-11-20'))).toBe(false)
    await again(_id)
    expect(await sendingOf(_id)).toMatchObject({ state: 'waiting', tries: 0 })
    await send()
    expect(await sendingOf(_id)).toMatchObject({ state: 'sent', tries: 1, problem: '' })
    const [firstKey, other] = receiver.asked.map(({ headers }) => headers['idempotency-key'])
    expect(other).not.toBe(firstKey)
    expect((await again(_id)).refusal).toMatchObject({ code: 'invoices.sent', params: { invoice: 'F-2026-00001' } })
    expect(await w.query(`select from audit where action = 'invoice.send'`)).toHaveLength(1)
  })

  test('by a rule never leaves', async () => {
    const _id = await addInvoice()
    // made by a version that did not look before
    await w.query(`update invoice set buyer_reference = ''`)
    await send()
    expect(await sendingOf(_id)).toMatchObject({ state: 'refused', problem: 'rules', answer: 'PEPPOL-EN16931-R003' })
    expect((await again(_id)).refusal.code).toBe('invoices.rules')
    expect(receiver.asked).toEqual([])
  })
})

describe('a credit note', () => {
  test('goes after its invoice', async () => {
    const _id = await addInvoice()
    receiver.replies = at => (at === 0 ? 'fails' : 'takes')
    await send()
    await credit(_id)
    expect(await send()).toBe(false)
    const due = (await dueOf(_id)) as Date
    expect([await send(due), await send(due), await send(due)]).toEqual([true, true, false])
    expect(numbersOf(receiver.taken.values())).toEqual(['F-2026-00001', 'CN-2026-00001'])
  })

  test('of an invoice that is refused meanwhile is refused, too, and one of an invoice that was is not sent', async () => {
    receiver.replies = () => ({ status: 400, text: 'No' })
    const _id = await addInvoice()
    const note = await credit(_id)
    await send()
    expect(await sendingOf(note)).toMatchObject({ state: 'refused', problem: 'credited', status: null })
    const other = await addInvoice()
    await send()
    expect(await sendingOf(await credit(other))).toBeNull()
    expect(receiver.asked).toHaveLength(2)
  })
})

test('a node that dies while it sends leaves the invoice to the others, when its lease has run out', async () => {
  await addInvoice()
  await w.query(`update invoice_sending set tries = 1, leased_until = $1`, [new Date(now.getTime() + 60_000)])
  expect(await send()).toBe(false)
  expect(await send(new Date(now.getTime() + 60_000))).toBe(true)
  expect(receiver.taken.size).toBe(1)
})

test('the worker sends what waits by itself, and says of which site', async () => {
  await addInvoice()
  await w.query('update invoice_sending set due_at = now()')
  const notified = Promise.withResolvers<number>()
  const worker = startSendingInvoices(w.database, openAccessPoint({ url: receiver.url, token }), {
    changed: notified.resolve,
    failed: (_, problem) => notified.reject(new Error(problem)),
  })
  expect(await notified.promise).toBe(w.sites.home)
  await worker.stop()
  expect(receiver.taken.size).toBe(1)
})

describe('an invoice that would break a rule of its country', () => {
  const german = {
    legal_name: 'Reifenhotel GmbH',
    zipcode: '10115',
    city: 'Berlin',
    country: 'DE',
    vat_number: 'DE136695976',
    company_scheme: null,
    company_number: '',
    peppol_scheme: '9930',
    peppol_id: 'DE136695976',
  } as const
  const danish = {
    zipcode: '1050',
    city: 'Kobenhavn',
    country: 'DK',
    vat_number: 'DK13585628',
    company_scheme: '0184',
    company_number: '13585628',
    peppol_scheme: null,
    peppol_id: '',
  } as const
  const makeBetween = async (seller: object, buyer: object) => {
    await w.ask(calls.setup, w.who.admin, { ...sellerDetails, sends: true, ...seller } as typeof sellerDetails)
    await w.ask(calls.savebuyer, w.who.admin, { ...buyerDetails, ...buyer, seq_id: w.customers.a } as never)
    await w.query(`update customer set zipcode = $1, city = $2 where id = $3`, ['10115', 'Berlin', w.customers.a])
    const document = await documentOf(w.customers.a)
    return w.ask(calls.make, w.who.admin, { seq_id: w.customers.a, documents: [document] })
  }

  test.each([
    ['without a name and a telephone number to ask', {}, 'DE-R-005, DE-R-006'],
    ['without an account', { iban: '', bic: '' }, 'DE-R-001, DE-R-005, DE-R-006'],
    ['without an address for messages', { email: '' }, 'DE-R-002'],
    ['without a postcode', { zipcode: '' }, 'DE-R-004, DE-R-005, DE-R-006'],
  ])('of a German seller %s is refused before it takes a number', async (_, change, rules) => {
    const { refusal } = await makeBetween({ ...german, ...change }, german)
    expect(refusal).toMatchObject({ code: 'invoices.unsendable', params: { customer: german.legal_name, rules } })
    expect(await w.query('select from invoice_counter')).toHaveLength(0)
    // on paper the rules of the file do not hold
    expect((await makeBetween({ ...german, ...change, sends: false }, german)).status).toBe(200)
    const [invoice] = (await w.ask(calls.list, w.who.admin, {})).answer
    expect((await w.ask(calls.ubl, w.who.admin, { _id: invoice?._id ?? 0 })).refusal).toMatchObject({
      params: { rules },
    })
  })

  test('of a Danish seller is a transfer of SEPA, and breaks none', async () => {
    const { answer } = await makeBetween(danish, danish)
    const { xml } = (await w.ask(calls.ubl, w.who.admin, { _id: answer._id })).answer
    expect(xml).toContain('<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>')
    expect(await send()).toBe(true)
  })

  test('of a Danish seller without a number in the register is refused', async () => {
    const seller = { ...danish, company_scheme: null, company_number: '', peppol_scheme: '0184', peppol_id: '13585628' }
    expect((await makeBetween(seller, danish)).refusal).toMatchObject({ params: { rules: 'DK-R-002' } })
  })

  test('of a Belgian seller to a German buyer is none of theirs', async () => {
    expect((await makeBetween({}, german)).status).toBe(200)
  })
})
