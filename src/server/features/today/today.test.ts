/** The work of a day (docs/product/screens.md "Home screens"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

/** Half past midnight in Brussels: in London it is the day before. */
const now = new Date('2026-11-17T23:30:00Z')
const [yesterday, today, tomorrow, later] = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']
let w: World
let transport: number

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query('delete from tyre')
  await w.setSite(w.sites.home, { time_zone: 'Europe/Brussels' })
  transport = await addTransport(w)
})

const read = async () => (await w.ask(contract.today.read, w.who.admin, {})).answer
const submitted = (type: OperationType, deliveryDate: string | null, scanned = false) =>
  addOperation(w, { type, status: 'submitted', deliveryDate, scanned, ...(deliveryDate && { transport }) })
const nothing = { operation_count: 0, tyre_count: 0 }
const one = { operation_count: 1, tyre_count: 4 }

test('a site with no work has nothing to do, and says so with noughts', async () => {
  await addOperation(w, { type: 'to_stock', status: 'pending' })
  expect(await read()).toMatchObject({
    today,
    to_confirm: { to_stock: 0, to_customer: 0, to_waste: 0 },
    leaving: [
      { day: today, ...nothing, unpicked_count: 0 },
      { day: tomorrow, ...nothing, unpicked_count: 0 },
    ],
    late: { out: nothing, in: nothing },
    arriving: nothing,
    undated: nothing,
    unpaid: null,
  })
})

test('what is overdue is summed by its age, of invoices that the site follows', async () => {
  for (const [nth, [issued, due, gross]] of (
    [
      ['2026-11-01', '2026-11-18', 100],
      ['2026-10-01', '2026-11-17', 20],
      ['2026-09-01', '2026-10-18', 3],
      ['2026-03-01', '2026-04-01', 0.4],
      ['2025-12-31', '2026-01-31', 5000],
    ] as const
  ).entries())
    await w.query(
      `insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
       values ($1, $2, 'invoice', 'T', 2026, $3, $4, $5, '{}', '{}', $6, 0, $6, '[]', now())`,
      [w.sites.home, w.customers.a, nth + 1, issued, due, gross],
    )
  expect((await read()).unpaid).toBeNull()
  await w.ask(contract.payments.setup, w.who.admin, { followed_from: '2026-01-01' })
  expect((await read()).unpaid).toEqual({
    open: 123.4,
    overdue: 23.4,
    overdue_count: 3,
    ages: { due: 100, days30: 20, days60: 3, days90: 0, older: 0.4 },
    bank_line_count: 0,
  })
  // Figures has the same by customer
  expect((await w.ask(contract.figures.unpaid, w.who.admin, {})).answer).toMatchObject({
    followed: true,
    open: 123.4,
    ages: { due: 100, older: 0.4 },
    customers: [
      { seq_id: w.customers.a, open: 123.4, ages: { due: 100, days30: 20, days60: 3, days90: 0, older: 0.4 } },
    ],
  })
  await w.query('delete from invoice; delete from payment_settings')
})

test('what leaves today and tomorrow is counted by its day at the site, with what is not picked yet', async () => {
  const recall = await submitted('to_customer', today)
  await submitted('to_customer', tomorrow)
  await submitted('to_customer', later)
  await w.query(`update wheel set step = 'pick', state = 'picked' where tyre_id = any ($1)`, [recall.tyres.slice(0, 3)])
  expect((await read()).leaving).toEqual([
    { day: today, ...one, unpicked_count: 1 },
    { day: tomorrow, ...one, unpicked_count: 4 },
  ])
})

test('what should have left or come is late, and storages come today or without a day', async () => {
  await submitted('to_customer', yesterday)
  await submitted('to_stock', yesterday)
  await submitted('to_stock', today)
  await submitted('to_stock', null)
  await submitted('to_stock', null)
  expect(await read()).toMatchObject({
    late: { out: one, in: one },
    arriving: one,
    undated: { operation_count: 2, tyre_count: 8 },
    leaving: [nothing, nothing],
  })
})

test('an operation is to be confirmed when each of its tyres is scanned', async () => {
  await submitted('to_stock', null, true)
  const { tyres } = await submitted('to_customer', later, true)
  expect((await read()).to_confirm).toEqual({ to_stock: 1, to_customer: 1, to_waste: 0 })
  await w.query('update operation_tyre set scanned_at = null, scan_times = 0 where tyre_id = $1', [tyres[0]])
  expect((await read()).to_confirm).toEqual({ to_stock: 1, to_customer: 0, to_waste: 0 })
})

test('it counts what is to be cleared up as that screen does, and nothing of another site', async () => {
  await submitted('to_customer', today)
  const { tyres } = await submitted('to_customer', later)
  await w.query(`update wheel set step = 'miss', state = 'missing' where tyre_id = $1`, [tyres[0]])
  const { to_clear_up: jobs } = await read()
  expect(jobs).toEqual((await w.ask(contract.wheels.tally, w.who.admin, {})).answer)
  expect(jobs.missing).toBe(1)
  expect((await w.ask(contract.today.read, w.who.otherAdmin, {})).answer.leaving).toMatchObject([nothing, nothing])
})
