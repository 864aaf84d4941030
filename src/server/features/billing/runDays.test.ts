/** The same history costs the same, whichever days have runs and whichever tyres each covers (docs/money.md "The day of the run"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import type { runCovers } from '#domain/money/billingRun.ts'
import { contract } from '#contract/index.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { world, type World } from '../../testing/world.ts'
import { noteIncluded } from './included.ts'
import { workNext } from './work.ts'

const { billing, fleet, invoicing, tariff } = contract
const first = '2026-01-01'
let w: World
type RunCovers = (typeof runCovers)[number]
let customer: number
let vehicle: number

beforeAll(async () => {
  w = await world({ now: new Date('2025-09-01T10:00:00Z') })
  await chargeByDay(w)
  customer = w.customers.a
})
async function begin(): Promise<void> {
  await w.query(`update tyre set status = 'at_customer' where status = 'in_stock'`)
  const tables = 'document_line, billing_run_customer, billing_run, storage_ledger, document, stay, tariff_rule'
  for (const table of tables.split(', ')) await w.query(`delete from ${table}`)
  vehicle = await w.addVehicle({ customer })
}
beforeEach(begin)
afterAll(() => w.close())

const done = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}
async function at(day: IsoDate): Promise<void> {
  w.clock.now = new Date(`${day}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
async function work(): Promise<void> {
  while (await workNext(w.database, { clock: () => w.clock.now }));
}
async function run(until: IsoDate, covers: RunCovers): Promise<void> {
  const begun = await w.ask(billing.begin, w.who.admin, { covers, until, days: 0, marks: false })
  if (begun.status !== 200) return
  await work()
  const preview = await done(w.ask(billing.read, w.who.admin, begun.answer))
  await done(w.ask(billing.make, w.who.admin, { _id: begun.answer._id, without: [] }))
  await work()
  const result = await done(w.ask(billing.read, w.who.admin, begun.answer))
  expect(result.rows.map(row => [row.state, row.amount_excl])).toEqual(
    preview.rows.map(row => ['made', row.amount_excl]),
  )
}
const charged = async (payer = customer): Promise<number> => {
  const [row] = await w.query<{ sum: number }>(
    `select coalesce(sum(amount_excl), 0)::float as sum from document where withdrawn_at is null and customer_id = $1`,
    [payer],
  )
  return row!.sum
}

/** Wheels by their number, and on which day after the first they come or leave. */
type History = readonly (readonly [day: number, comes: readonly number[], leaves: readonly number[]])[]
type Runs = readonly (readonly [day: number, covers: RunCovers])[]

const last = 200
/** No run but the last; runs on these days, of all tyres or alternating; tyres that left before those in stock, and the other way round. */
const schedules: Record<string, Runs> = {
  'no run but the last': [],
  'a run every nine days': Array.from({ length: 22 }, (_, nth) => [nth * 9 + 4, 'all'] as const),
  'a run every thirty-one days': Array.from({ length: 6 }, (_, nth) => [nth * 31 + 12, 'all'] as const),
  'what is there, and months later what left': [
    ...[12, 25, 40, 71, 99].map(day => [day, 'stored'] as const),
    [150, 'left'],
  ],
  'what left, and later what is there': [...[12, 25, 40, 71, 99].map(day => [day, 'left'] as const), [150, 'stored']],
  'by turns': Array.from({ length: 14 }, (_, nth) => [nth * 13 + 6, nth % 2 === 0 ? 'stored' : 'left'] as const),
}

/** The amount charged for the history of four wheels of a set by these runs and a last one, and the amount still owed afterwards. */
async function amountOf(
  history: History,
  runs: Runs,
  tyres: readonly number[],
): Promise<{ amount: number; owed: number }> {
  const days = [...new Set([...history.map(([day]) => day), ...runs.map(([day]) => day)])].toSorted((a, b) => a - b)
  for (const day of days) {
    const date = addDays(first, day)
    await at(date)
    for (const [on, comes, leaves] of history)
      if (on === day)
        for (const [wheels, status] of [
          [leaves, 'at_customer'],
          [comes, 'in_stock'],
        ] as const)
          await w.query('update tyre set status = $2, status_date = $3 where id = any ($1)', [
            wheels.map(nth => tyres[nth]),
            status,
            date,
          ])
    for (const [on, covers] of runs) if (on === day) await run(date, covers)
  }
  await at(addDays(first, last))
  await run(addDays(first, last), 'all')
  await noteIncluded(w.database, w.clock.now)
  const left = await done(w.ask(invoicing.left, w.who.admin, {}))
  return { amount: await charged(), owed: left.length }
}

const all = [0, 1, 2, 3]
/** A rule of € 1.00 for all wheels. */
type Rule = { per: 'set' | 'tyre'; mode: 'per_day' | 'per_period'; period?: number }
const period = { mode: 'per_period', period: 30 } as const
const cases: [name: string, History, Rule, right: number][] = [
  // 2 January to 31 January is one period: the days after the ninth and the come back are in it
  [
    'a set that comes back within a period owes it once',
    [
      [0, all, []],
      [9, [], all],
      [15, all, []],
      [28, [], all],
    ],
    { per: 'set', ...period },
    1,
  ],
  [
    'so do loose wheels, each its own',
    [
      [0, all, []],
      [9, [], all],
      [15, all, []],
      [28, [], all],
    ],
    { per: 'tyre', ...period },
    4,
  ],
  // the second period begins with the day after the 30th, the third on its 60th day of absence
  [
    'a set that comes back and stays owes the next period from the end of the first',
    [
      [0, all, []],
      [9, [], all],
      [15, all, []],
      [40, [], all],
    ],
    { per: 'set', ...period },
    2,
  ],
  [
    'a set that comes back later begins a period on that day',
    [
      [0, all, []],
      [9, [], all],
      [50, all, []],
      [81, [], all],
    ],
    { per: 'set', ...period },
    3,
  ],
  [
    'one that leaves and comes twice in a period, and in the next',
    [
      [0, all, []],
      [5, [], all],
      [10, all, []],
      [20, [], all],
      [25, all, []],
      [35, [], all],
      [55, all, []],
      [59, [], all],
    ],
    { per: 'set', ...period },
    2,
  ],
  // days do not nest: 1 to 10, 6 to 20, 31 to 40
  [
    'a set is owed each day on which one of its wheels is there',
    [
      [0, [0], []],
      [5, [1], []],
      [10, [], [0]],
      [20, [], [1]],
      [30, [2], []],
      [40, [], [2]],
    ],
    { per: 'set', mode: 'per_day' },
    30,
  ],
  [
    'by the wheel each owes its own days',
    [
      [0, [0], []],
      [5, [1], []],
      [10, [], [0]],
      [20, [], [1]],
      [30, [2], []],
      [40, [], [2]],
    ],
    { per: 'tyre', mode: 'per_day' },
    35,
  ],
  [
    'a set of which one leaves and three stay',
    [
      [0, all, []],
      [20, [], [0]],
      [90, [], [1, 2, 3]],
    ],
    { per: 'set', mode: 'per_day' },
    90,
  ],
  [
    'a set whose wheels come one by one in a period owes it from the first',
    [
      [0, [0], []],
      [10, [1], []],
      [20, [2, 3], []],
      [29, [], all],
    ],
    { per: 'set', ...period },
    1,
  ],
  [
    'a set whose wheels take turns owes periods from the first to the last',
    [
      [0, [0], []],
      [10, [1], [0]],
      [31, [0], []],
      [35, [], [1]],
      [62, [2], [0]],
      [64, [], [2]],
    ],
    { per: 'set', ...period },
    3,
  ],
]

describe.each(cases)('%s', (_, history, rule, right) => {
  test.each(Object.entries(schedules))('%s', async (_name, runs) => {
    await done(w.ask(tariff.add, w.who.admin, { kind: 'storage', since: '2020-01-01', price_excl: 1, ...rule }))
    const tyres = await w.addSet({ vehicle, set: 'Winter' })
    expect(await amountOf(history, runs, tyres)).toEqual({ amount: right, owed: 0 })
  })
})

test('a document for one wheel of a set charges the days of the set, and the others owe them no more', async () => {
  await done(
    w.ask(tariff.add, w.who.admin, {
      kind: 'storage',
      since: '2020-01-01',
      price_excl: 1,
      per: 'set',
      mode: 'per_day',
    }),
  )
  const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: first })
  await at(addDays(first, 10))
  const [tyre, ...others] = tyres
  const bill = await done(w.ask(invoicing.inject, w.who.admin, { tyres: [tyre!], seq_id: customer }))
  expect(bill.amount_excl).toBe(10)
  const preview = await w.ask(invoicing.preview, w.who.admin, { tyres: others, seq_id: customer })
  expect(preview.text).toContain('invoicing.documented')
})

test('a wheel that turns out to have been there longer, on days that its set has paid, owes nothing', async () => {
  await done(
    w.ask(tariff.add, w.who.admin, {
      kind: 'storage',
      since: '2020-01-01',
      price_excl: 1,
      per: 'set',
      mode: 'per_day',
    }),
  )
  const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: first })
  const [coming] = tyres
  await w.query(`update tyre set status_date = $2 where id = $1`, [coming, addDays(first, 5)])
  await at(addDays(first, 10))
  await run(addDays(first, 10), 'all')
  await w.query(`update tyre set status_date = $2 where id = $1`, [coming, first])
  await at(addDays(first, 20))
  await run(addDays(first, 20), 'all')
  expect(await charged()).toBe(20)
  const included = await w.query(
    `select sum(until - since)::int as days from storage_ledger where state = 'included' and document_id is not null and season_rule_id is null`,
  )
  expect(included).toEqual([{ days: 5 }])
})

test.each([0, 5, 12, 40])(
  'a vehicle that goes to another customer in a period: each owes their own, with a run on day %i',
  async day => {
    await done(
      w.ask(tariff.add, w.who.admin, { kind: 'storage', since: '2020-01-01', price_excl: 1, per: 'set', ...period }),
    )
    await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: first })
    for (const on of [day, 20].toSorted((a, b) => a - b)) {
      await at(addDays(first, on))
      if (on === day) await run(addDays(first, on), 'all')
      if (on === 20)
        await done(
          w.ask(fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: addDays(first, 20) }),
        )
    }
    await at(addDays(first, 50))
    await run(addDays(first, 50), 'all')
    // days 1 to 30 of the one, who had it until the 20th; 21 to 50 of the other
    expect([await charged(), await charged(w.customers.b)]).toEqual([1, 1])
    expect(await done(w.ask(invoicing.credits, w.who.admin, undefined))).toEqual([])
  },
)
