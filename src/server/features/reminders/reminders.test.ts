/** Reminders of invoices that are overdue (docs/product/money.md "Reminders"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { reminders as calls } from '#contract/reminders.ts'
import { addDays } from '#domain/texts/date.ts'
import { sellerDetails } from '../../testing/bodies.ts'
import { textOf } from '../../testing/pdf.ts'
import { world, type World } from '../../testing/world.ts'
import { remindNext } from './reminding.ts'

const today = '2026-11-20'
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => w.close())
const text = { nl: '', fr: '', en: 'Please pay', de: '' }
const levels = [
  { days: 7, fee: 0, text },
  { days: 21, fee: 12.5, text: { ...text, en: 'Last request' } },
]
const setUp = (change: object = {}) =>
  w.ask(calls.setup, w.who.admin, { levels, interest_rate: null, compensation: false, ...change } as never)
beforeEach(async () => {
  await w.query(
    `delete from reminder_stop; delete from reminder; delete from reminder_run; delete from payment_part; delete from payment; delete from invoice;
     delete from mail; update account set email = username || '@example.com' where type = 'user'`,
  )
  await w.ask(contract.invoices.setup, w.who.admin, sellerDetails as never)
  await w.ask(contract.payments.setup, w.who.admin, { followed_from: '2026-01-01' })
  await setUp()
})

let nth = 0
/** An invoice of € 121.00 that has been overdue for so many days. */
async function invoice(days: number, customer = w.customers.a): Promise<number> {
  const [row] = await w.query<{ id: number }>(
    `insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
     values ($1, $2, 'invoice', 'R', 2026, $3, '2026-01-01', $4, '{}', '{}', 100, 21, 121, '[]', now()) returning id`,
    [w.sites.home, customer, ++nth, addDays(today, -days)],
  )
  return row?.id ?? 0
}
const due = async () => (await w.ask(calls.due, w.who.admin, {})).answer
const send = (without: number[] = []) => w.ask(calls.send, w.who.admin, { without })
const work = async () => {
  while (await remindNext(w.database, { clock: () => w.clock.now }));
}
const runs = async () => (await w.ask(calls.runs, w.who.admin, {})).answer
const mails = () =>
  w.query<{ reminder: number }>(
    `select (facts ->> 'reminder')::int as reminder from mail where kind = 'paper' order by id`,
  )
const pay = (_id: number) => w.ask(contract.payments.record, w.who.admin, { _id, amount: 121, paid_on: today })

test('a customer is reminded once of all that is due for it, by one letter to its accounts', async () => {
  await invoice(7)
  await invoice(30)
  await invoice(6)
  expect(await due()).toMatchObject([
    { seq_id: w.customers.a, level: 1, invoice_count: 2, open: 242, fee: 0, total: 242, by_mail: true },
  ])
  expect(await mails()).toEqual([])
  await send()
  await work()
  const [run] = await runs()
  expect(run).toMatchObject({ state: 'sent', reminded: 1, waiting: 0, failed: 0 })
  const [letter] = run?.letters ?? []
  expect((await mails()).every(({ reminder }) => reminder === letter?._id)).toBe(true)
  expect(letter?.message_count).toBe((await mails()).length)
  expect(await due()).toEqual([])
  expect((await send()).refusal?.code).toBe('reminders.nothing')
  const pdf = await textOf((await w.ask(calls.pdf, w.who.admin, { _id: letter?._id ?? 0 })).answer)
  expect(pdf).toContain('242')
})

test('the next level follows as many days later as the levels are apart, and asks for its fee, interest and the fixed sum', async () => {
  await invoice(60)
  await send()
  await work()
  await w.query(`update reminder set day = '2026-11-07'`) // 13 days ago
  expect(await due()).toEqual([])
  await w.query(`update reminder set day = '2026-11-06'`)
  expect(await due()).toMatchObject([{ level: 2, open: 121, fee: 12.5, interest: 0, compensation: 0, total: 133.5 }])
  await setUp({ interest_rate: 10, compensation: true })
  // 121 × 10 % × 60 / 365 = 1.989…
  expect(await due()).toMatchObject([{ interest: 1.99, compensation: 40, total: 175.49 }])
  await send()
  await work()
  const [run] = await runs()
  expect(run?.letters).toMatchObject([{ level: 2, total: 175.49 }])
  await w.query(`update reminder set day = '2026-01-01'`)
  expect(await due()).toEqual([])
})

describe('nobody is reminded', () => {
  test('who has paid since the preview', async () => {
    const _id = await invoice(30)
    await send()
    await pay(_id)
    await work()
    expect((await runs())[0]).toMatchObject({ state: 'sent', reminded: 0, letters: [] })
    expect(await mails()).toEqual([])
  })

  test('who is left out, or was stopped with a reason, as a customer or for an invoice', async () => {
    const mine = await invoice(30)
    await invoice(30, w.customers.b)
    await send([w.customers.a])
    await work()
    expect((await runs())[0]?.letters.map(({ seq_id }) => seq_id)).toEqual([w.customers.b])
    const stop = (more: object) =>
      w.ask(calls.stop, w.who.admin, { seq_id: w.customers.a, reason: 'A complaint', ...more } as never)
    const { answer } = await stop({ invoice: mine })
    expect([await due(), (await stop({ invoice: mine })).refusal?.code]).toEqual([[], 'reminders.stopped'])
    expect((await w.ask(calls.stops, w.who.admin, {})).answer).toMatchObject(
      [{ reason: 'A complaint', number: /^R-2026/ as never }].map(({ reason }) => ({ reason })),
    )
    await w.ask(calls.unstop, w.who.admin, { _id: answer._id })
    expect(await due()).toHaveLength(1)
    await stop({})
    expect(await due()).toEqual([])
  })

  test('of an invoice of another customer, by a stop', async () => {
    const _id = await invoice(30, w.customers.b)
    const { refusal } = await w.ask(calls.stop, w.who.admin, { seq_id: w.customers.a, invoice: _id, reason: 'No' })
    expect(refusal?.code).toBe('record.missing')
  })

  test('twice, of two who send at the same moment', async () => {
    await invoice(30)
    const replies = await Promise.all([send(), send()])
    expect(replies.map(({ refusal }) => refusal?.code ?? 'sent').toSorted()).toEqual(['reminders.under_way', 'sent'])
    await Promise.all([work(), work()])
    expect(await w.query('select id from reminder')).toHaveLength(1)
  })

  test('twice, when the work breaks off after a letter', async () => {
    await invoice(30)
    await invoice(30, w.customers.b)
    await send()
    const stopped = new AbortController()
    // the turn ends after the first letter
    let letters = 0
    const clock = () => {
      if (++letters > 1) stopped.abort()
      return w.clock.now
    }
    await remindNext(w.database, { clock, signal: stopped.signal })
    await work()
    const [run] = await runs()
    expect(run).toMatchObject({ state: 'sent', reminded: 2 })
    expect(new Set(run?.letters.map(({ seq_id }) => seq_id)).size).toBe(2)
    expect(await w.query('select id from reminder')).toHaveLength(2)
  })
})

test('without an address a letter waits to be printed', async () => {
  await w.query(`update account set email = '' where type = 'user'`)
  await invoice(30)
  expect(await due()).toMatchObject([{ by_mail: false }])
  await send()
  await work()
  expect((await runs())[0]?.letters).toMatchObject([{ message_count: 0 }])
})

test('levels come one after the other', async () => {
  const { refusal } = await setUp({ levels: [levels[1], levels[0]] })
  expect(refusal?.code).toBe('request.invalid')
})
