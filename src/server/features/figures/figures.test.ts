/** The owner's figures: revenue, occupancy, the largest customers, the speed of recalls (docs/product/money.md "Figures"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { figures: calls, invoicing } = contract
const today = '2026-11-20'
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${today}T12:00:00Z`) })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query(
    'delete from charge_ledger; delete from charge; delete from tariff_rule; delete from tyre; delete from vehicle',
  )
  await w.setSite(w.sites.home, {
    do_doc_insert: false,
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_day',
    invoicing_period: 180,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: 0.35,
  })
})

const admin = () => w.who.admin
const revenue = async () => (await w.ask(calls.revenue, admin(), {})).answer
const storageOf = async (month: IsoDate) => {
  const row = (await revenue()).rows.find(candidate => candidate.month === month && candidate.kind === 'storage')
  return row && [row.owed, row.charged, row.waived]
}
async function stored(since: IsoDate, set: string | null = 'Winter'): Promise<number[]> {
  const vehicle = await w.addVehicle({})
  return w.addSet({ vehicle, set, status: 'in_stock', statusDate: since })
}
const inject = (tyres: number[]) => w.ask(invoicing.inject, admin(), { tyres, seq_id: w.customers.a })

describe('storage', () => {
  test('is owed in the month of its days, a set once, until it is charged or waived in the same month', async () => {
    // owes 12 to 31 October and 1 to 20 November
    const tyres = await stored('2026-10-11')
    const other = await stored('2026-11-10')
    expect(await storageOf('2026-10-01')).toEqual([7, 0, 0])
    expect(await storageOf('2026-11-01')).toEqual([10.5, 0, 0])
    const { answer: document } = await inject(tyres)
    expect(document.amount_excl).toBe(14)
    await w.ask(invoicing.waive, admin(), { tyres: other, seq_id: w.customers.a, reason: 'Late delivery' })
    expect(await storageOf('2026-10-01')).toEqual([0, 7, 0])
    expect(await storageOf('2026-11-01')).toEqual([0, 7, 3.5])
    await w.ask(invoicing.withdraw, admin(), { db_id: document.db_id, reason: 'Wrong customer' })
    expect(await storageOf('2026-11-01')).toEqual([7, 0, 3.5])
  })

  test('is worth a price for each tyre where tyres are charged, and where they are in no set', async () => {
    await stored('2026-11-10', null)
    expect(await storageOf('2026-11-01')).toEqual([14, 0, 0])
    await stored('2026-11-10')
    await w.setSite(w.sites.home, { invoicing_quantity: 'per_tyre' })
    expect(await storageOf('2026-11-01')).toEqual([28, 0, 0])
  })

  test('that is charged in advance is earned in later months, and the parts add up to the document', async () => {
    await w.setSite(w.sites.home, { invoicing_mode: 'per_period', invoicing_price_excl: 27.5 })
    const tyres = await stored('2026-10-11')
    // a day of a period that has begun is worth its part of it
    expect(await storageOf('2026-10-01')).toEqual([3.06, 0, 0])
    await inject(tyres)
    const { rows, later_charged: later } = await revenue()
    expect(rows.map(({ month, charged }) => [month, charged])).toEqual([
      ['2026-10-01', 3.06],
      ['2026-11-01', 4.58],
    ])
    expect(later).toBe(19.86)
    expect(3.06 + 4.58 + later).toBeCloseTo(27.5, 5)
  })

  test('of a document without days in the ledger is of the month of the document', async () => {
    await w.query(
      `with made as (insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
         values ($1, $2, 'reservation', 'storage', 2026, 901, '2026-10-05', 33) returning site_id, id, customer_id)
       insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
       select site_id, id, 1, customer_id, '1', 'Storage', 3, 11 from made`,
      [w.sites.home, w.customers.a],
    )
    expect(await storageOf('2026-10-01')).toEqual([0, 33, 0])
  })

  test('of more than a year ago is said apart', async () => {
    await stored('2025-10-11')
    const { earlier_owed: earlier, rows, months } = await revenue()
    expect(months[0]).toBe('2025-11-01')
    expect(earlier).toBe(7)
    expect(rows.map(({ owed }) => owed).slice(0, 2)).toEqual([10.5, 10.85])
  })

  test('that somebody paid elsewhere is neither owed nor an amount of ours', async () => {
    const tyres = await stored('2026-10-11')
    await w.query(`update tyre set invoiced_on = '2026-10-31' where id = any ($1)`, [tyres])
    await w.query(
      `insert into storage_ledger (site_id, tyre_id, customer_id, since, until)
       select site_id, id, customer_id, '2026-10-11', '2026-10-31' from tyre where id = any ($1)`,
      [tyres],
    )
    expect(await storageOf('2026-10-01')).toBeUndefined()
    expect(await storageOf('2026-11-01')).toEqual([7, 0, 0])
  })

  test('is worth the price that holds for the customer and the size', async () => {
    await stored('2026-11-10')
    const price = (columns: string, values: string) =>
      w.query(
        `insert into tariff_rule (site_id, kind, per, mode, since, price_excl, created_at${columns}) values ($1, 'storage', 'set', 'per_day', '2026-01-01', ${values})`,
        [w.sites.home],
      )
    await price('', '0.5, now()')
    expect(await storageOf('2026-11-01')).toEqual([5, 0, 0])
    // 205/55R16 is small
    await price(', size_class', `0.6, now(), 'small'`)
    await price(', size_class', `9, now(), 'large'`)
    expect(await storageOf('2026-11-01')).toEqual([6, 0, 0])
    await price(', customer_id', `0.8, now(), ${w.customers.a}`)
    await price(', customer_id', `7, now(), ${w.customers.b}`)
    expect(await storageOf('2026-11-01')).toEqual([8, 0, 0])
  })
})

test('charges are earned on their day, as their ledger says, and documents of operations are services', async () => {
  const [rule] = await w.query<{ id: number }>(
    `insert into tariff_rule (site_id, kind, per, since, price_excl, created_at) values ($1, 'disposal', 'tyre', '2025-01-01', 2.5, now()) returning id`,
    [w.sites.home],
  )
  const charge = async (cause: string, day: IsoDate, quantity: number) =>
    (
      await w.query<{ id: number }>(
        `insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, quantity, price_excl)
         values ($1, $2, 'disposal', $3, $4, $5, now(), $6, 2.5) returning id`,
        [w.sites.home, w.customers.a, cause, rule?.id, day, quantity],
      )
    )[0]?.id
  await charge('one', '2026-11-02', 4)
  const waived = await charge('two', '2026-11-03', 2)
  await charge('three', '2025-03-03', 1)
  await w.query(
    `insert into charge_ledger (site_id, charge_id, customer_id, state, reason, at) values ($1, $2, $3, 'waived', 'Goodwill', now())`,
    [w.sites.home, waived, w.customers.a],
  )
  await w.query(
    `insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
     values ($1, $2, 'worknote', 'operation', 2026, 900, '2026-10-05', 48)`,
    [w.sites.home, w.customers.a],
  )
  const { rows, earlier_owed: earlier } = await revenue()
  expect(rows).toEqual([
    { month: '2026-10-01', kind: 'service', owed: 0, charged: 48, waived: 0 },
    { month: '2026-11-01', kind: 'disposal', owed: 10, charged: 0, waived: 5 },
  ])
  expect(earlier).toBe(2.5)
})

test('the store is counted at the end of each week by the size of its tyres', async () => {
  // came on a Sunday, left on a Sunday: in store at the end of the one, and no longer at the end of the other
  const gone = await stored('2026-10-04')
  await w.query(`update tyre set status = 'at_customer', status_date = '2026-10-18' where id = any ($1)`, [gone])
  await stored('2025-01-01')
  await w.addLocations({ places: 3, capacity: 8 })
  const { weeks, classes, capacity } = (await w.ask(calls.occupancy, admin(), {})).answer
  expect(classes.map(row => row.class)).toEqual(['small'])
  const on = (day: IsoDate) => classes[0]?.stored[weeks.indexOf(day)]
  expect([weeks[0], '2026-09-27', '2026-10-04', '2026-10-11', '2026-10-18', today].map(day => on(day ?? ''))).toEqual([
    4, 4, 8, 8, 4, 4,
  ])
  expect(weeks).toHaveLength(53)
  expect(capacity).toBeGreaterThanOrEqual(24)
})

test('customers are ordered by what the documents of a year charge, then by their wheels', async () => {
  await inject(await stored('2026-10-11'))
  await w.addSet({ vehicle: await w.addVehicle({ customer: w.customers.b }), status: 'in_stock' })
  await w.addSet({ vehicle: await w.addVehicle({ customer: w.customers.b }), status: 'in_stock' })
  const { answer } = await w.ask(calls.customers, admin(), {})
  expect(answer.customers.map(customer => [customer.seq_id, customer.wheel_count, customer.charged_excl])).toEqual([
    [w.customers.a, 4, 14],
    [w.customers.b, 8, 0],
  ])
  expect([answer.wheel_count, answer.charged_excl]).toEqual([12, 14])
})

test('recalls are timed from submission to delivery in days of the site, by the month in which they were delivered', async () => {
  for (const days of [0, 1, 1, 2, 3, 3, 4, 5, 9, 30]) {
    const { id } = await addOperation(w, {
      type: 'to_customer',
      status: 'confirmed',
      handledAt: new Date('2026-11-10T08:00:00Z'),
    })
    await w.query('update operation set submitted_at = $2 where id = $1', [
      id,
      `${addDays('2026-11-10', -days)}T07:00:00Z`,
    ])
  }
  // asked half past eleven in the evening in Brussels, delivered the day after
  const { id } = await addOperation(w, {
    type: 'to_customer',
    status: 'confirmed',
    handledAt: new Date('2026-10-02T07:00:00Z'),
  })
  await w.query(`update operation set submitted_at = '2026-10-01T21:30:00Z' where id = $1`, [id])
  await addOperation(w, { type: 'to_stock', status: 'confirmed', handledAt: new Date('2026-11-10T08:00:00Z') })
  expect((await w.ask(calls.deliveries, admin(), {})).answer.rows).toEqual([
    { month: '2026-10-01', recall_count: 1, median: 1, p90: 1 },
    { month: '2026-11-01', recall_count: 10, median: 3, p90: 9 },
  ])
})
