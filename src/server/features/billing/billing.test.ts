/** Billing runs, from preview to undo, and killed on the way (docs/product/money.md "Billing runs"). */
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import type { Database } from '../../db/database.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { type FormParts, sendForm } from '../../testing/config.ts'
import { clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'
import { workNext } from './work.ts'

const calls = contract.billing
const today = '2026-11-20'
const until = '2026-10-31'
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${today}T12:00:00Z`), served: () => ({ sendsMail: true }) })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query('delete from billing_run')
  await clear(w)
  await w.query('delete from invoice_mark; delete from tyre; delete from vehicle')
  await w.query(`update customer set street = 'Kaai 1', city = 'Gent'`)
  await chargeByDay(w)
})

const admin = () => w.who.admin
/** A set of four of a customer that has been in the store since so many days before the end of the run. */
async function stored(days: number, customer = w.customers.a): Promise<number[]> {
  const vehicle = await w.addVehicle({ customer })
  return w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: addDays(until, -days) })
}
/** Works until nothing is left to do, or for so many turns. */
async function work(turns = Infinity, database: Database = w.database): Promise<number> {
  let done = 0
  while (done < turns && (await workNext(database, { clock: () => w.clock.now }))) done++
  return done
}
const choice = { covers: 'all', until, days: 0, marks: true } as const
async function begin(change: { until?: string; days?: number } = {}) {
  const { answer } = await w.ask(calls.begin, admin(), { ...choice, ...change })
  await work()
  return answer._id
}
const read = async (_id: number) => (await w.ask(calls.read, admin(), { _id })).answer
async function makeRun(change: Parameters<typeof begin>[0] = {}) {
  const _id = await begin(change)
  await w.ask(calls.make, admin(), { _id, without: [] })
  await work()
  return _id
}
const ledger = () =>
  w.query<{ tyre: number; since: string; until: string; document: number | null; released: boolean }>(
    `select tyre_id as tyre, since::text, until::text, document_id as document, released_at is not null as released
     from storage_ledger order by tyre_id, id`,
  )

test('the preview says what each customer owes, and charges nothing', async () => {
  await stored(100)
  await stored(10, w.customers.b)
  const run = await read(await begin())
  expect(run).toMatchObject({
    ...choice,
    state: 'ready',
    customer_count: 2,
    waiting: 0,
    tyre_count: 8,
    amount_excl: 38.5,
    made_excl: 0,
  })
  expect(run.rows).toMatchObject([
    {
      seq_id: w.customers.a,
      state: 'counted',
      tyre_count: 4,
      days: 400,
      quantity: 100,
      amount_excl: 35,
      last_excl: null,
    },
    {
      seq_id: w.customers.b,
      state: 'counted',
      tyre_count: 4,
      days: 40,
      quantity: 10,
      amount_excl: 3.5,
      document: null,
    },
  ])
  expect(await ledger()).toEqual([])
})

test('who owes what is said without a run, as the preview of one up to today says it', async () => {
  await stored(100)
  await stored(10, w.customers.b)
  const { answer } = await w.ask(calls.owing, admin(), { days: 0 })
  expect(answer).toMatchObject([
    { seq_id: w.customers.a, tyre_count: 4, charge_count: 0, parts: { storage: 42 }, amount_excl: 42 },
    { seq_id: w.customers.b, tyre_count: 4, charge_count: 0, parts: { storage: 10.5 }, amount_excl: 10.5 },
  ])
  const preview = await read(await begin({ until: today }))
  expect(answer.map(({ seq_id, amount_excl, tyre_count }) => [seq_id, amount_excl, tyre_count])).toEqual(
    preview.rows.map(({ seq_id, amount_excl, tyre_count }) => [seq_id, amount_excl, tyre_count]),
  )
  // those in the store who were invoiced lately are left out
  expect((await w.ask(calls.owing, admin(), { days: 50 })).answer.map(({ seq_id }) => seq_id)).toEqual([w.customers.a])
  expect(await ledger()).toEqual([])
})

test('a run makes one document for each customer, up to its day, and sets the last invoice dates', async () => {
  const tyres = await stored(100)
  await stored(10, w.customers.b)
  const _id = await makeRun()
  const run = await read(_id)
  expect(run).toMatchObject({ state: 'made', done: 2, changed: 0, made_excl: 38.5 })
  expect(run.rows.map(row => row.document?.number)).toEqual(['R-2026-00001', 'R-2026-00002'])
  expect((await ledger()).slice(0, 4)).toEqual(
    tyres.map(tyre => ({
      tyre,
      since: addDays(until, -100),
      until,
      document: run.rows[0]?.document?.db_id,
      released: false,
    })),
  )
  expect(await w.query('select distinct invoiced_on::text as date from tyre')).toEqual([{ date: until }])
  expect(
    await w.query(`select amount_excl::text as amount, document_date::text as day from document order by id`),
  ).toEqual([
    { amount: '35.00', day: today },
    { amount: '3.50', day: today },
  ])
  expect((await w.ask(calls.begin, admin(), choice)).refusal.code).toBe('billing.nothing')
})

test('what left the store stands on the same document, and is charged to the day it left', async () => {
  const here = await stored(50)
  const gone = await stored(40)
  const left = addDays(until, -10)
  await w.query(`update tyre set status = 'at_customer', status_date = $2 where id = any ($1)`, [gone, left])
  const run = await read(await makeRun())
  expect(run.rows).toMatchObject([{ tyre_count: 8, quantity: 80, amount_excl: 28, state: 'made' }])
  const entries = await ledger()
  expect(entries.filter(({ tyre }) => gone.includes(tyre)).map(entry => entry.until)).toEqual(gone.map(() => left))
  expect(entries.filter(({ tyre }) => here.includes(tyre)).map(entry => entry.until)).toEqual(here.map(() => until))
  expect(new Set(entries.map(entry => entry.document)).size).toBe(1)
})

test('the example of docs/money.md comes out as by hand', async () => {
  const mark = (tyres: number[], date: string) => w.ask(contract.invoicing.markinvoiced, admin(), { tyres, date })
  const setOf = async (plate: string, statusDate: string, set: string | null = 'Winter') => {
    const vehicle = await w.addVehicle({ customer: w.customers.a, plate })
    return w.addSet({ vehicle, set, status: 'in_stock', statusDate })
  }
  const winter = await setOf('1ABC234', '2026-06-01')
  await mark(winter, '2026-08-31')
  const vehicle = await w.addVehicle({ customer: w.customers.a, plate: '1XYZ987' })
  await w.addSet({ vehicle, set: 'Summer', status: 'in_stock', statusDate: '2026-10-20' })
  const loose = await w.addTyre({ vehicle, set: null, position: '1A', status: 'in_stock', statusDate: '2026-09-02' })
  const gone = await setOf('1DEF555', '2026-07-01')
  await mark(gone, '2026-09-30')
  await w.query(`update tyre set status = 'at_customer', status_date = '2026-10-15' where id = any ($1)`, [gone])

  const run = await read(await makeRun({ days: 30 }))
  expect(run.rows).toMatchObject([{ tyre_count: 9, quantity: 135, amount_excl: 47.25, state: 'made' }])
  expect(
    await w.query(
      'select quantity::int, (quantity * price_excl)::numeric(9, 2)::text as amount from document_line order by line',
    ),
  ).toEqual([
    { quantity: 61, amount: '21.35' },
    { quantity: 59, amount: '20.65' },
    { quantity: 15, amount: '5.25' },
  ])
  expect(
    (await w.query<{ id: number }>('select id from tyre where invoiced_on = $1 order by id', [until])).map(
      ({ id }) => id,
    ),
  ).toEqual([...winter, loose].toSorted((a, b) => a - b))
})

test('a started period is charged to its end, and the sum is exact in cents', async () => {
  await w.setSite(w.sites.home, { invoicing_mode: 'per_period', invoicing_price_excl: 1.15 })
  await stored(31)
  await stored(30)
  await stored(30)
  const run = await read(await makeRun())
  // 2 + 1 + 1 periods: 1.15 × 4 in cents, and not 4.6 with an error
  expect(run.rows).toMatchObject([{ quantity: 4, amount_excl: 4.6 }])
  expect([...new Set((await ledger()).map(entry => entry.until))].toSorted()).toEqual([until, addDays(until, 29)])
})

test('a price that is missing, an amount five times the last, and a customer whose accounts are disabled come first', async () => {
  await stored(10)
  await makeRun()
  await stored(60)
  await stored(10, w.customers.b)
  await w.query('update account set disabled_at = now() where customer_id = $1', [w.customers.b])
  const run = await read(await begin({ days: 5 }))
  await w.query('update account set disabled_at = null')
  expect(run.rows.map(row => [row.seq_id, row.remarks, row.last_excl])).toEqual([
    [w.customers.b, ['retired'], null],
    [w.customers.a, ['unusual'], 3.5],
  ])
  await w.ask(calls.cancel, admin(), { _id: run._id })
  await w.setSite(w.sites.home, { invoicing_price_excl: 0 })
  expect((await read(await begin({ days: 5 }))).rows.map(row => row.remarks)).toEqual([
    ['price_missing'],
    ['price_missing'],
  ])
})

test('a VAT number that can not be right comes before others', async () => {
  await stored(10)
  await w.query(
    `insert into customer_billing (site_id, customer_id, vat_number, country) values ($1, $2, 'BE0739484059', 'BE')`,
    [w.sites.home, w.customers.a],
  )
  const run = await read(await begin({ days: 5 }))
  await w.query('delete from customer_billing')
  expect(run.rows.map(row => row.remarks)).toEqual([['vat_number_invalid']])
})

test('a customer who is left out, or owes something else than the preview said, gets no document', async () => {
  const [tyre] = await stored(100)
  await stored(10, w.customers.b)
  const _id = await begin()
  expect((await w.ask(calls.make, admin(), { _id, without: [w.customers.other] })).refusal.code).toBe('record.missing')
  await w.ask(contract.invoicing.waive, admin(), { tyres: [tyre!], seq_id: w.customers.a, reason: 'Agreed' })
  await w.ask(calls.make, admin(), { _id, without: [w.customers.b] })
  await work()
  expect(await read(_id)).toMatchObject({
    state: 'made',
    changed: 1,
    done: 0,
    rows: [
      { seq_id: w.customers.a, state: 'changed', document: null },
      { seq_id: w.customers.b, state: 'left_out', document: null },
    ],
  })
  expect(await w.query('select from document')).toEqual([])
})

test('a customer whose amount alone is another than the preview said gets no document', async () => {
  await stored(100)
  const _id = await begin()
  expect((await read(_id)).rows).toMatchObject([{ quantity: 100, amount_excl: 35 }])
  // as many days of as many tyres, at another price
  await w.setSite(w.sites.home, { invoicing_price_excl: 0.36 })
  await w.ask(calls.make, admin(), { _id, without: [] })
  await work()
  expect(await read(_id)).toMatchObject({ changed: 1, done: 0, rows: [{ state: 'changed', document: null }] })
  expect(await w.query('select from document')).toEqual([])
})

test('the audit has each step that somebody took of a run', async () => {
  await stored(100)
  const _id = await makeRun()
  await w.ask(calls.undo, admin(), { _id, reason: 'Wrong prices' })
  await work()
  const discarded = await begin()
  await w.ask(calls.cancel, admin(), { _id: discarded })
  const entries = (run: number) =>
    w.query<{ action: string }>(`select action from audit where subject = $1 order by id`, [`billing run ${run}`])
  expect((await entries(_id)).map(({ action }) => action)).toEqual(['billing.begin', 'billing.make', 'billing.undo'])
  expect((await entries(discarded)).map(({ action }) => action)).toEqual(['billing.begin', 'billing.cancel'])
})

describe('a run that is interrupted', () => {
  async function many(count: number) {
    const ids = await w.query<{ id: number }>(
      `insert into customer (site_id, name) select $1, 'Interrupted ' || n from generate_series(1, $2::int) n returning id`,
      [w.sites.home, count],
    )
    for (const { id } of ids) await stored(10, id)
  }

  test('goes on where it was stopped', async () => {
    await many(15)
    const _id = await begin()
    await w.ask(calls.make, admin(), { _id, without: [] })
    await work(1)
    expect((await w.ask(calls.cancel, admin(), { _id })).answer).toEqual({ _id, state: 'stopped' })
    expect(await work()).toBe(0)
    expect(await read(_id)).toMatchObject({ state: 'stopped', done: 10, waiting: 5 })
    await w.ask(calls.resume, admin(), { _id })
    await work()
    expect(await read(_id)).toMatchObject({ state: 'made', done: 15, waiting: 0 })
  })

  test('by a database that fails at any statement ends exactly once', async () => {
    await many(3)
    const _id = await begin()
    await w.ask(calls.make, admin(), { _id, without: [] })
    let after = 0
    let failures = 0
    for (;;) {
      after++
      let left = after
      const failing: Database = {
        ...w.database,
        transaction: (scope, todo) =>
          w.database.transaction(scope, tx =>
            todo(
              new Proxy(tx, {
                get: (target, key) => {
                  const value: unknown = Reflect.get(target, key)
                  if (typeof value !== 'function') return value
                  return (...given: unknown[]) => {
                    if (--left < 0) throw new Error('killed')
                    return (value as (...all: unknown[]) => unknown).apply(target, given)
                  }
                },
              }),
            ),
          ),
      }
      const ended = await work(Infinity, failing).then(
        () => true,
        () => false,
      )
      if (ended) break
      failures++
    }
    expect(failures).toBeGreaterThan(10)
    expect(await read(_id)).toMatchObject({ state: 'made', done: 3 })
    expect(await w.query('select number from document order by number')).toEqual([1, 2, 3].map(number => ({ number })))
    expect(await ledger()).toHaveLength(12)
  })

  test('and two nodes that work on it at once make each document once', async () => {
    await many(12)
    const _id = await begin()
    await w.ask(calls.make, admin(), { _id, without: [] })
    await Promise.all([work(), work(), work()])
    await work()
    expect(await read(_id)).toMatchObject({ state: 'made', done: 12 })
    expect(await w.query('select from document')).toHaveLength(12)
    expect(await ledger()).toHaveLength(48)
  })
})

describe('a customer whose turn fails', () => {
  /** From now on the database refuses this of one customer, until it is mended. */
  async function refuse(what: 'insert' | 'update', table: string, customer: number): Promise<() => Promise<unknown>> {
    await w.query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.customer_id = ${customer} then raise exception 'no paper'; end if; return new; end $$`)
    await w.query(`create trigger refuse before ${what} on ${table} for each row execute function refuse()`)
    return () => w.query(`drop trigger refuse on ${table}; drop function refuse()`)
  }
  const problems: string[] = []
  const workOn = async () => {
    while (await workNext(w.database, { clock: () => w.clock.now, failed: problem => problems.push(problem) }));
  }
  beforeEach(() => void problems.splice(0))

  test('does not hold up the others, is named with the reason, and is tried again when somebody asks for it', async () => {
    await stored(100)
    await stored(10, w.customers.b)
    const _id = await begin()
    const mend = await refuse('insert', 'document', w.customers.a)
    try {
      await w.ask(calls.make, admin(), { _id, without: [] })
      await workOn()
    } finally {
      await mend()
    }
    const run = await read(_id)
    expect(run).toMatchObject({ state: 'made', done: 1, failed: 1, waiting: 0, made_excl: 3.5 })
    expect(run.rows).toMatchObject([
      { seq_id: w.customers.a, state: 'failed', document: null },
      { seq_id: w.customers.b, state: 'made' },
    ])
    expect(problems).toEqual(
      Array.from({ length: 3 }, () => `run ${_id} of site ${w.sites.home}, customers ${w.customers.a}: no paper`),
    )

    await w.ask(calls.resume, admin(), { _id })
    await workOn()
    expect(await read(_id)).toMatchObject({ state: 'made', done: 2, failed: 0, made_excl: 38.5 })
    expect((await w.ask(calls.resume, admin(), { _id })).refusal.code).toBe('billing.state')
  })

  test('while what they owe is counted leaves the preview of the others as it is', async () => {
    await stored(100)
    await stored(10, w.customers.b)
    const mend = await refuse('update', 'billing_run_customer', w.customers.a)
    const { answer } = await w.ask(calls.begin, admin(), choice)
    // not even a failure can be counted: the worker tells, and tries again
    await expect(workOn()).rejects.toThrow('no paper')
    await mend()
    await workOn()
    expect(await read(answer._id)).toMatchObject({ state: 'ready', amount_excl: 38.5, failed: 0 })
  })

  test('while a run is undone keeps its document, and the run can be undone again', async () => {
    await stored(100)
    await stored(10, w.customers.b)
    const _id = await makeRun()
    const mend = await refuse('update', 'document', w.customers.a)
    try {
      await w.ask(calls.undo, admin(), { _id, reason: 'A wrong price' })
      await workOn()
    } finally {
      await mend()
    }
    expect(await read(_id)).toMatchObject({ state: 'made', reason: null, done: 1, made_excl: 35 })
    expect(problems).toHaveLength(3)
    await w.ask(calls.undo, admin(), { _id, reason: 'A wrong price' })
    await workOn()
    expect(await read(_id)).toMatchObject({ state: 'undone', done: 0, made_excl: 0 })
  })
})

describe('undoing a run', () => {
  test('withdraws its documents with the reason, and restores what it marked', async () => {
    const tyres = await stored(100)
    await stored(10, w.customers.b)
    const before = addDays(until, -50)
    await w.ask(contract.invoicing.markinvoiced, admin(), { tyres, date: before })
    const _id = await makeRun()
    await w.ask(calls.undo, admin(), { _id, reason: 'A wrong price' })
    await work()
    const run = await read(_id)
    expect(run).toMatchObject({ state: 'undone', reason: 'A wrong price', done: 0, made_excl: 0 })
    expect(run.rows.map(row => row.state)).toEqual(['undone', 'undone'])
    expect(await w.query('select distinct withdrawn_reason as reason from document')).toEqual([
      { reason: 'A wrong price' },
    ])
    expect(await w.query('select distinct invoiced_on::text as date from tyre where id = any ($1)', [tyres])).toEqual([
      { date: before },
    ])
    const again = await read(await makeRun())
    expect(again.rows.map(row => row.amount_excl)).toEqual([17.5, 3.5])
  })

  test('leaves documents that somebody withdrew, and dates that somebody changed since, as they are', async () => {
    const tyres = await stored(100)
    const _id = await makeRun()
    const [row] = (await read(_id)).rows
    await w.ask(contract.invoicing.withdraw, admin(), { db_id: row!.document!.db_id, reason: 'By hand' })
    w.clock.now = new Date(`${today}T12:05:00Z`)
    await w.ask(contract.invoicing.markinvoiced, admin(), { tyres, date: today })
    await w.ask(calls.undo, admin(), { _id, reason: 'All of it' })
    await work()
    expect(await w.query('select withdrawn_reason as reason from document')).toEqual([{ reason: 'By hand' }])
    expect(await w.query('select distinct invoiced_on::text as date from tyre')).toEqual([{ date: today }])
    expect(await read(_id)).toMatchObject({ state: 'undone' })
    w.clock.now = new Date(`${today}T12:00:00Z`)
  })
})

test('a run takes only the steps of its state, and a site has one under way', async () => {
  await stored(100)
  const _id = await begin()
  expect((await w.ask(calls.begin, admin(), choice)).refusal.code).toBe('billing.under_way')
  expect((await w.ask(calls.resume, admin(), { _id })).refusal.code).toBe('billing.state')
  expect((await w.ask(calls.undo, admin(), { _id, reason: 'No' })).refusal.code).toBe('billing.state')
  expect((await w.ask(calls.cancel, admin(), { _id })).answer.state).toBe('discarded')
  expect((await w.ask(calls.make, admin(), { _id, without: [] })).refusal.code).toBe('billing.state')
  expect((await w.ask(calls.begin, admin(), { ...choice, until: addDays(today, 1) })).refusal.code).toBe(
    'invoicing.date_ahead',
  )
  await w.setSite(w.sites.home, { invoicing_article: null })
  expect((await w.ask(calls.begin, admin(), choice)).refusal.code).toBe('invoicing.article_missing')
})

test('sites take turns', async () => {
  await w.setSite(w.sites.other, { invoicing_article: w.articles.other, invoicing_price_excl: 1 })
  await stored(10)
  const vehicle = await w.addVehicle({ customer: w.customers.other })
  await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: addDays(until, -10) })
  await w.ask(calls.begin, admin(), choice)
  await w.ask(calls.begin, w.who.otherAdmin, choice)
  const order: number[] = []
  const options = {
    clock: () => w.clock.now,
    inTurn: <T>(site: number, turn: () => Promise<T>) => (order.push(site), turn()),
  }
  w.clock.now = new Date(w.clock.now.getTime() + 1000)
  await workNext(w.database, options)
  await workNext(w.database, options)
  expect(order.toSorted()).toEqual([w.sites.home, w.sites.other].toSorted())
})

test('the documents of a run are one PDF', async () => {
  await stored(100)
  await stored(10, w.customers.b)
  const _id = await makeRun()
  const pdf = Buffer.from((await w.ask(calls.pdf, admin(), { _id })).answer, 'base64')
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2)
  const none = await begin({ until: today })
  expect((await w.ask(calls.pdf, admin(), { _id: none })).refusal.code).toBe('billing.no_documents')
})

test('the documents of a run are a ZIP with a PDF of each, under its number and customer', async () => {
  await stored(100)
  await stored(10, w.customers.b)
  const _id = await makeRun()
  const files = unzipSync(Buffer.from((await w.ask(calls.zip, admin(), { _id })).answer, 'base64'))
  const numbers = (await read(_id)).rows.map(({ document }) => document?.number ?? '')
  expect(Object.keys(files).map(name => name.split(' ')[0])).toEqual(numbers.toSorted())
  for (const [name, bytes] of Object.entries(files)) {
    expect(name).toMatch(/^\S+ [^/\\]+\.pdf$/)
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(Buffer.from(bytes).toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
  }
})

test('the documents of a run that stand are sent to the accounts of their customers that have an address, each once', async () => {
  await w.query('delete from mail')
  await stored(100)
  await stored(10, w.customers.b)
  const _id = await makeRun()
  await w.query(`update account set email = 'jo@example.net' where id = $1`, [w.who.a.account])
  const mail = async () => (await w.ask(calls.mail, admin(), { _id })).answer
  expect(await mail()).toEqual({ messages: 1, unsent_count: 1 })
  expect(await mail()).toEqual({ messages: 0, unsent_count: 1 })
  await w.query(`update account set email = 'an@example.net' where id = $1`, [w.who.b.account])
  expect(await Promise.all([mail(), mail()])).toEqual(
    expect.arrayContaining([
      { messages: 1, unsent_count: 0 },
      { messages: 0, unsent_count: 0 },
    ]),
  )
  expect((await read(_id)).mailed).toBe(2)
  const written = await w.query(
    `select m.account_id as account, d.customer_id = a.customer_id as own from mail m join account a on a.id = m.account_id
       join document d on d.id = (m.facts ->> 'document')::int order by m.id`,
  )
  expect(written).toEqual([
    { account: w.who.a.account, own: true },
    { account: w.who.b.account, own: true },
  ])
  await w.ask(calls.undo, admin(), { _id, reason: 'A wrong price' })
  await work()
  expect((await w.ask(calls.mail, admin(), { _id })).refusal.code).toBe('billing.state')
  await w.query(`update account set email = ''`)
})

test('tyres that are imported with a day until which they are paid are charged from the next one on, and nothing twice', async () => {
  const opening = [
    ['1OPN001', '01/11/2025', '30/09/2026'], // owes October: 31 days
    ['1OPN002', '01/10/2026', ''], // owes all since it came: 30 days
    ['1OPN003', '01/01/2026', '31/12/2026'], // paid in advance, owes nothing
    ['1OPN004', '21/10/2026', '21/10/2026'], // paid on the day on which it came, owes 10 days
  ] as const
  for (const [plate] of opening) await w.addVehicle({ plate })
  const lines = opening.flatMap(([plate, since, paid]) =>
    ['LV', 'RV'].map(position => [plate, '205/55 R16 91H', 'Michelin', 'winter', position, since, paid].join(';')),
  )
  const file = ['Kenteken;Bandenmaat;Merk;Seizoen;Positie;Opslagdatum;Betaald tot', ...lines].join('\n')
  const form: FormParts = [
    ['kind', 'tyres'],
    ['file', Buffer.from(file), 'stock.csv'],
  ]
  const taken = await sendForm(w, contract.imports.take.path, admin(), form)
  expect([taken.status, taken.answer]).toMatchObject([200, { added: 8, refused: 0 }])
  const owes = async (_id: number) =>
    (await read(_id)).rows.map(({ tyre_count, days, quantity }) => ({ tyre_count, days, quantity }))
  const first = await makeRun()
  expect(await owes(first)).toEqual([{ tyre_count: 6, days: 2 * (31 + 30 + 10), quantity: 31 + 30 + 10 }])
  const second = await makeRun({ until: today })
  expect(await owes(second)).toEqual([{ tyre_count: 6, days: 2 * 3 * 20, quantity: 3 * 20 }])
  const spans = await w.query(
    `select v.license_plate as plate, l.since::text, l.until::text, l.document_id is not null as document
     from storage_ledger l join tyre t on t.id = l.tyre_id join vehicle v on v.id = t.vehicle_id
     where t.position = '1A' and l.released_at is null order by plate, l.since`,
  )
  const on = (plate: string, since: string, to: string, document = true) => ({ plate, since, until: to, document })
  expect(spans).toEqual([
    on('1OPN001', '2025-11-01', '2026-09-30', false),
    on('1OPN001', '2026-09-30', until),
    on('1OPN001', until, today),
    on('1OPN002', '2026-10-01', until),
    on('1OPN002', until, today),
    on('1OPN003', '2026-01-01', '2026-12-31', false),
    on('1OPN004', '2026-10-21', until),
    on('1OPN004', until, today),
  ])
})
