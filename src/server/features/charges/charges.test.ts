/** Charges besides stored days, and storage by the tariff (docs/product/money.md "Tariff", "Charges"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { vatOf } from '#domain/money/tariff.ts'
import type { RawInput } from '#contract/call.ts'
import { contract } from '#contract/index.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { addOperation, addService, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'
import { workNext } from '../billing/work.ts'
import { chargeLongStored } from '../tariff/overstays.ts'

const { charges: calls, tariff, invoicing, operations, billing } = contract
const today = '2026-11-20'
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${today}T12:00:00Z`) })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query('delete from billing_run')
  await clear(w)
  await w.query('delete from tyre; delete from vehicle')
  await at(today)
  await chargeByDay(w)
  await w.setSite(w.sites.home, { do_doc_insert: false })
})

const admin = () => w.who.admin
const seq_id = () => w.customers.a
async function at(date: IsoDate): Promise<void> {
  w.clock.now = new Date(`${date}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
/** Adds a rule of the site, which holds since 2020 unless something else is said. */
async function rule(terms: Partial<RawInput<typeof tariff.add>> & Pick<RawInput<typeof tariff.add>, 'kind' | 'per'>) {
  const reply = await w.ask(tariff.add, admin(), { since: '2020-01-01', price_excl: 10, ...terms })
  expect(reply.status, reply.text).toBe(200)
  return reply.answer._id
}
const owed = async (all = false) => (await w.ask(calls.list, admin(), { all })).answer
const stored = async (days: number, customer = w.customers.a) =>
  w.addSet({
    vehicle: await w.addVehicle({ customer }),
    set: 'Winter',
    status: 'in_stock',
    statusDate: addDays(today, -days),
  })
const confirm = async (operation: { id: number }) => {
  const reply = await w.ask(operations.confirm, admin(), { operation: { _id: operation.id }, here: 'all' })
  expect(reply.status, reply.text).toBe(200)
}
/** A confirmed operation with this service. */
async function served(service: number, customer = w.customers.a) {
  const operation = await addOperation(w, { status: 'submitted', scanned: true, services: [service], customer })
  await confirm(operation)
  return operation
}

describe('a service', () => {
  test('is charged when its operation is confirmed, by the customer’s own rule before the site’s', async () => {
    const service = await addService(w)
    await rule({ kind: 'service', per: 'tyre', service, price_excl: 4.5, vat_rate: 21 })
    await rule({ kind: 'service', per: 'operation', service, price_excl: 12, seq_id: w.customers.b })
    const operation = await addOperation(w, { status: 'submitted', scanned: true, services: [service] })
    expect(await owed()).toEqual([])
    await confirm(operation)
    await served(service, w.customers.b)
    expect(await owed()).toMatchObject([
      { seq_id: w.customers.b, quantity: 1, price_excl: 12, amount_excl: 12, vat_rate: null },
      {
        seq_id: w.customers.a,
        kind: 'service',
        service: 'Balancing',
        day: today,
        quantity: 4,
        amount_excl: 18,
        vat_rate: 21,
        state: 'owed',
      },
    ])
    // a repeated event charges nothing again
    const cause = `service/${operation.id}/${service}`
    expect(await w.query('select from charge where cause = $1', [cause])).toHaveLength(1)
    await expect(
      w.query(
        `insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, quantity, price_excl)
         select site_id, customer_id, kind, cause, rule_id, happened_on, at, quantity, price_excl from charge`,
      ),
    ).rejects.toThrow('charge_cause')
  })

  test('is not charged again when the document of the operation has it with a price', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true })
    const priced = await addService(w, { price: 8 })
    const text = await addService(w, { method: 'text_line', name: 'Washing' })
    await rule({ kind: 'service', per: 'tyre', service: priced })
    await rule({ kind: 'service', per: 'operation', service: text, price_excl: 7 })
    await confirm(await addOperation(w, { status: 'submitted', scanned: true, services: [priced, text] }))
    expect(await owed()).toMatchObject([{ service: 'Washing', amount_excl: 7 }])
  })

  test('costs nothing on a day without a rule, and by a price of 0', async () => {
    const service = await addService(w)
    await rule({ kind: 'service', per: 'tyre', service, until: addDays(today, -1) })
    await rule({ kind: 'service', per: 'tyre', service, price_excl: 0, since: addDays(today, 1) })
    await served(service)
    await at(addDays(today, 1))
    await served(service)
    expect(await owed()).toEqual([])
  })
})

test('a tyre that becomes waste is charged by its size, one that was missing is not', async () => {
  await rule({ kind: 'disposal', per: 'tyre', price_excl: 2.5 })
  await rule({ kind: 'disposal', per: 'tyre', price_excl: 9, size_class: 'truck' })
  const { tyres, id } = await addOperation(w, { type: 'to_waste', status: 'submitted' })
  const [truck] = await w.query<{ id: number }>(
    `insert into article (site_id, brand, description, rim) values ($1, 'Truck', 'Truck 315/80R22.5', 22.5) returning id`,
    [w.sites.home],
  )
  await w.query('update tyre set article_id = $2 where id = $1', [tyres[0], truck!.id])
  const body = { operation: { _id: id }, anyway: true, here: tyres.slice(0, 3) }
  expect((await w.ask(operations.confirm, admin(), body)).status).toBe(200)
  expect((await owed()).map(charge => charge.amount_excl).toSorted()).toEqual([2.5, 2.5, 9])
})

test('a delivery that was missed is charged once a day, and not before its day', async () => {
  await rule({ kind: 'no_show', per: 'operation', price_excl: 25 })
  const recall = await addOperation(w, { type: 'to_customer', status: 'submitted', deliveryDate: today })
  const noshow = (operation = recall.id) => w.ask(operations.noshow, admin(), { operation })
  expect((await noshow()).answer).toEqual({ operation: recall.id, day: today, charged: true })
  expect((await noshow()).refusal.code).toBe('operation.no_show')
  const later = await addOperation(w, {
    type: 'to_customer',
    status: 'submitted',
    deliveryDate: addDays(today, 1),
  })
  expect((await noshow(later.id)).refusal.code).toBe('operation.not_due')
  const pending = await addOperation(w, { type: 'to_customer' })
  expect((await noshow(pending.id)).refusal.code).toBe('operation.step')
  expect(await owed()).toMatchObject([{ kind: 'no_show', amount_excl: 25, day: today }])
  await w.query('update operation set delivery_date = $2 where id = $1', [recall.id, addDays(today, 3)])
  await at(addDays(today, 4))
  expect((await noshow()).answer).toMatchObject({ day: addDays(today, 3) })
  expect(await owed()).toHaveLength(2)
})

test('what is stored for too long is charged once a stay, on the day after, by the rule of that day', async () => {
  await rule({ kind: 'overstay', per: 'tyre', after_days: 100, price_excl: 3, until: addDays(today, -10) })
  await rule({ kind: 'overstay', per: 'tyre', after_days: 100, price_excl: 4, since: addDays(today, -9) })
  await rule({ kind: 'overstay', per: 'tyre', after_days: 300, price_excl: 20 })
  const [old] = await stored(150)
  const [young] = await stored(101)
  await stored(100)
  const gone = await stored(120)
  await w.query(`update tyre set status = 'at_customer', status_date = $2 where id = any ($1)`, [
    gone,
    addDays(today, -25),
  ])
  await chargeLongStored(w.database, w.clock.now)
  await chargeLongStored(w.database, w.clock.now)
  const days = await w.query<{ tyre: number; day: string; price: string }>(
    `select tyre_id as tyre, happened_on::text as day, price_excl as price from charge order by tyre_id`,
  )
  expect(days).toHaveLength(8)
  expect(days.find(({ tyre }) => tyre === old)).toMatchObject({ day: addDays(today, -49), price: '3.00' })
  expect(days.find(({ tyre }) => tyre === young)).toMatchObject({ day: today, price: '4.00' })
  // four charges of one vehicle on one day are told apart
  expect((await owed()).filter(({ day }) => day === today).map(({ position }) => position)).toEqual(
    expect.arrayContaining(['1A', '1B', '2A', '2B']),
  )
})

describe('a document', () => {
  test('has what is owed beside the storage, each in its line, and withdrawing it makes all of it owed again', async () => {
    const service = await addService(w, { name: 'Balancing' })
    await rule({ kind: 'service', per: 'tyre', service, price_excl: 4.5, vat_rate: 6 })
    await rule({
      kind: 'no_show',
      per: 'operation',
      price_excl: 25,
      article_number: '900',
      description: 'Ritt ohne Reifen',
    })
    await served(service)
    const missed = await addOperation(w, { type: 'to_customer', status: 'submitted', deliveryDate: today })
    await w.ask(operations.noshow, admin(), { operation: missed.id })
    const tyres = await stored(10)
    const input = { tyres, seq_id: seq_id() }
    const { answer: bill } = await w.ask(invoicing.preview, admin(), input)
    expect(bill).toMatchObject({
      lines: [
        { quantity: 10, price_excl: 0.35, amount_excl: 3.5 },
        { kind: 'service', article_number: '4711', quantity: 4, price_excl: 4.5, amount_excl: 18, vat_rate: 6 },
        { kind: 'no_show', article_number: '900', quantity: 1, amount_excl: 25 },
      ],
      quantity: 10,
      amount_excl: 46.5,
    })
    expect(bill.lines[0]).not.toHaveProperty('kind')
    expect(bill.lines[1]?.description).toMatch(/^Balancing en: .+, 20\/11\/2026$/)
    expect(bill.lines[2]?.description).toMatch(/^Ritt ohne Reifen: /)
    const { answer: document } = await w.ask(invoicing.inject, admin(), input)
    expect(document).toMatchObject({ amount_excl: 46.5 })
    expect(await owed()).toEqual([])
    expect(await owed(true)).toMatchObject([
      { state: 'charged', document: { db_id: document.db_id, number: 'R-2026-00001' } },
      { state: 'charged' },
    ])
    const lines = await w.query(
      `select kind, rule_id is not null as ruled, vat_rate::float as vat, (quantity * price_excl)::float as amount from document_line order by line`,
    )
    expect(lines).toEqual([
      { kind: null, ruled: false, vat: null, amount: 3.5 },
      { kind: 'service', ruled: true, vat: 6, amount: 18 },
      { kind: 'no_show', ruled: true, vat: null, amount: 25 },
    ])
    const withdrawn = { db_id: document.db_id, reason: 'A mistake' }
    expect((await w.ask(invoicing.withdraw, admin(), withdrawn)).status).toBe(200)
    expect(await owed()).toHaveLength(2)
    expect((await w.ask(invoicing.inject, admin(), input)).answer).toMatchObject({ amount_excl: 46.5 })
  })

  test('can be made of charges alone, up to the minimum, which goes with the document', async () => {
    const service = await addService(w)
    await rule({ kind: 'service', per: 'operation', service, price_excl: 12.4 })
    await rule({ kind: 'minimum', per: 'document', price_excl: 15 })
    await served(service)
    const { answer: bill } = await w.ask(calls.preview, admin(), { seq_id: seq_id() })
    expect(bill).toMatchObject({ tyre_count: 0, quantity: 0, amount_excl: 15 })
    expect(bill.lines.map(line => [line.kind, line.amount_excl])).toEqual([
      ['service', 12.4],
      ['minimum', 2.6],
    ])
    const { answer } = await w.ask(calls.inject, admin(), { seq_id: seq_id() })
    expect((await w.ask(calls.inject, admin(), { seq_id: seq_id() })).refusal.code).toBe('invoicing.nothing')
    await w.ask(invoicing.withdraw, admin(), { db_id: answer.db_id, reason: 'A mistake' })
    expect((await w.ask(calls.preview, admin(), { seq_id: seq_id() })).answer).toMatchObject({ amount_excl: 15 })
  })

  test('has nothing twice when two are made at the same moment', async () => {
    const service = await addService(w)
    await rule({ kind: 'service', per: 'tyre', service })
    await served(service)
    const replies = await Promise.all([1, 2, 3, 4].map(() => w.ask(calls.inject, admin(), { seq_id: seq_id() })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, refusal } of replies)
      if (status !== 200) expect(['charge.settled', 'invoicing.nothing']).toContain(refusal.code)
    expect(await w.query('select from charge_ledger')).toHaveLength(1)
  })
})

describe('a charge', () => {
  const newCharge = async () => {
    const service = await addService(w)
    await rule({ kind: 'service', per: 'tyre', service })
    await served(service)
    return (await owed())[0]!._id
  }
  test('that is waived is on no document until that is taken back', async () => {
    const _id = await newCharge()
    const waive = () => w.ask(calls.waive, admin(), { charges: [_id], reason: 'Our mistake' })
    expect((await waive()).status).toBe(200)
    expect((await waive()).refusal.code).toBe('charge.settled')
    expect((await w.ask(calls.inject, admin(), { seq_id: seq_id() })).refusal.code).toBe('invoicing.nothing')
    expect(await owed(true)).toMatchObject([{ state: 'waived', reason: 'Our mistake' }])
    const unwaive = () => w.ask(calls.unwaive, admin(), { _id, reason: 'It was theirs' })
    expect((await unwaive()).status).toBe(200)
    expect((await unwaive()).refusal.code).toBe('charge.not_waived')
    expect(await owed()).toMatchObject([{ _id }])
  })

  test('on a document is corrected by another one, once, which waits until more is owed', async () => {
    const _id = await newCharge()
    const counter = () => w.ask(calls.counter, admin(), { _id, reason: 'Another car' })
    expect((await counter()).refusal.code).toBe('charge.not_charged')
    await w.ask(calls.inject, admin(), { seq_id: seq_id() })
    const waived = await w.ask(calls.waive, admin(), { charges: [_id], reason: 'Too late' })
    expect(waived.refusal.code).toBe('charge.settled')
    const { answer } = await counter()
    expect((await counter()).refusal.code).toBe('charge.countered')
    expect(await owed()).toMatchObject([{ _id: answer._id, amount_excl: -40, counters: _id, reason: 'Another car' }])
    expect((await w.ask(calls.inject, admin(), { seq_id: seq_id() })).refusal.code).toBe('invoicing.credit')
    const tyres = await stored(200)
    const { answer: bill } = await w.ask(invoicing.preview, admin(), { tyres, seq_id: seq_id() })
    expect(bill.amount_excl).toBe(30)
    expect(bill.lines[1]?.description).toMatch(/^Correction of: Balancing/)
    expect((await w.ask(invoicing.inject, admin(), { tyres, seq_id: seq_id() })).status).toBe(200)
    expect(await owed()).toEqual([])
  })
})

test('storage is charged by the rule of each day, and what is left of the last period is paid', async () => {
  await rule({ kind: 'storage', per: 'set', mode: 'per_day', price_excl: 0.5, since: addDays(today, -19) })
  await rule({
    kind: 'storage',
    per: 'tyre',
    mode: 'per_period',
    period: 7,
    price_excl: 1,
    since: addDays(today, -9),
    seq_id: w.customers.b,
  })
  const mine = await stored(30)
  const theirs = await stored(30, w.customers.b)
  const preview = async (tyres: number[], customer: number) =>
    (await w.ask(invoicing.preview, admin(), { tyres, seq_id: customer })).answer
  expect((await preview(mine, w.customers.a)).lines).toMatchObject([
    { quantity: 10, price_excl: 0.35 },
    { quantity: 20, price_excl: 0.5, kind: 'storage' },
  ])
  const bill = await preview(theirs, w.customers.b)
  expect(bill.lines.map(({ quantity, price_excl }) => [quantity, price_excl])).toEqual([
    [10, 0.35],
    [10, 0.5],
    // ten days are two begun weeks, of each of four tyres
    [8, 1],
  ])
  expect(bill.amount_excl).toBe(16.5)
  await w.ask(invoicing.inject, admin(), { tyres: theirs, seq_id: w.customers.b })
  const [{ until } = { until: '' }] = await w.query<{ until: string }>(
    'select max(until)::text as until from storage_ledger',
  )
  expect(until).toBe(addDays(today, 4))
})

test('the example with a tariff of docs/money.md comes out as by hand', async () => {
  const service = await addService(w)
  await rule({ kind: 'storage', per: 'set', mode: 'per_day', price_excl: 0.4, since: '2026-09-16' })
  await rule({ kind: 'service', per: 'tyre', service, price_excl: 4.5, vat_rate: 6 })
  await rule({ kind: 'no_show', per: 'operation', price_excl: 25 })
  await rule({ kind: 'minimum', per: 'document', price_excl: 60 })
  const tyres = await w.addSet({
    vehicle: await w.addVehicle({}),
    set: 'Winter',
    status: 'in_stock',
    statusDate: '2026-08-31',
  })
  await at('2026-09-02')
  await served(service)
  await at('2026-10-31')
  const input = { tyres, seq_id: seq_id() }
  expect((await w.ask(invoicing.preview, admin(), input)).answer.lines.at(-1)).toMatchObject({
    kind: 'minimum',
    amount_excl: 18.35,
  })
  const { id: operation } = await addOperation(w, {
    type: 'to_customer',
    status: 'submitted',
    deliveryDate: '2026-10-20',
  })
  await w.ask(operations.noshow, admin(), { operation })
  const { answer: bill } = await w.ask(invoicing.preview, admin(), input)
  expect(bill.lines.map(line => [line.quantity, line.price_excl, line.amount_excl])).toEqual([
    [15, 0.35, 5.25],
    [46, 0.4, 18.4],
    [4, 4.5, 18],
    [1, 25, 25],
  ])
  expect(bill.amount_excl).toBe(66.65)
  expect(vatOf(bill.lines, 21)).toEqual([
    { rate: 6, net: 18, vat: 1.08 },
    { rate: 21, net: 48.65, vat: 10.22 },
  ])
})

test('wheels with rims are remembered as such when they have left', async () => {
  await rule({ kind: 'storage', per: 'wheel', mode: 'per_day', price_excl: 0.2 })
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer' })
  await w.query(`update tyre set status = 'in_stock', status_date = $2, rims = 'steel' where id = any ($1)`, [
    tyres,
    addDays(today, -10),
  ])
  await w.query(`update tyre set status = 'at_customer', status_date = $2, rims = null where id = any ($1)`, [
    tyres,
    addDays(today, -5),
  ])
  const { answer } = await w.ask(invoicing.preview, admin(), { tyres, seq_id: seq_id(), left: true })
  expect(answer.lines).toMatchObject([{ quantity: 20, price_excl: 0.2 }])
})

test('a billing run charges what happened until its day, also to customers without storage, and says it by kind', async () => {
  const service = await addService(w)
  await rule({ kind: 'service', per: 'tyre', service, price_excl: 4.5 })
  await rule({ kind: 'overstay', per: 'tyre', after_days: 30, price_excl: 1 })
  await rule({ kind: 'minimum', per: 'document', price_excl: 20 })
  await stored(40)
  await served(service, w.customers.b)
  await at(addDays(today, 2))
  await served(service, w.customers.b)
  const work = async () => {
    while (await workNext(w.database, { clock: () => w.clock.now }));
  }
  const choice = { covers: 'all', until: today, days: 0, marks: true } as const
  const { answer: begun } = await w.ask(billing.begin, admin(), choice)
  await work()
  const read = async () => (await w.ask(billing.read, admin(), begun)).answer
  const run = await read()
  const rowOf = (customer: number) => run.rows.find(row => row.seq_id === customer)
  expect(rowOf(w.customers.a)).toMatchObject({
    charge_count: 4,
    parts: { storage: 14, overstay: 4, minimum: 2 },
    amount_excl: 20,
  })
  expect(rowOf(w.customers.b)).toMatchObject({
    tyre_count: 0,
    charge_count: 1,
    parts: { service: 18, minimum: 2 },
    amount_excl: 20,
  })
  await w.ask(billing.make, admin(), { _id: begun._id, without: [] })
  await work()
  expect(await read()).toMatchObject({ state: 'made', done: 2, made_excl: 40 })
  expect(await owed()).toMatchObject([{ seq_id: w.customers.b, day: addDays(today, 2) }])
  await w.ask(billing.undo, admin(), { _id: begun._id, reason: 'Too early' })
  await work()
  expect(await owed()).toHaveLength(6)
})

describe('the rules of the tariff', () => {
  const dayRule = { kind: 'storage', per: 'set', mode: 'per_day' } as const
  test('that are as special as each other hold on no day together', async () => {
    await rule({ ...dayRule, until: '2026-03-31' })
    const add = async (terms: Partial<RawInput<typeof tariff.add>>) =>
      (await w.ask(tariff.add, admin(), { ...dayRule, since: '2026-03-31', price_excl: 1, ...terms })).refusal?.code
    expect(await add({})).toBe('tariff.overlaps')
    expect(await add({ per: 'tyre' })).toBe('tariff.overlaps')
    for (const more of [
      { since: '2026-04-01' },
      { size_class: 'large' },
      { per: 'wheel' },
      { seq_id: w.customers.a },
    ] as const)
      expect(await add(more)).toBeUndefined()
    expect(await add({ seq_id: 2_000_000_000 })).toBe('record.missing')
  })

  test('keep what they said once something was charged by them: they end, and have a successor', async () => {
    const service = await addService(w)
    const _id = await rule({ kind: 'service', per: 'tyre', service, price_excl: 4.5 })
    await served(service)
    expect((await w.ask(tariff.remove, admin(), { _id })).refusal.code).toBe('tariff.used')
    const since = addDays(today, 1)
    const next = await w.ask(tariff.succeed, admin(), { _id, since, price_excl: 5 })
    expect(next.status, next.text).toBe(200)
    expect((await w.ask(tariff.end, admin(), { _id, until: since })).refusal.code).toBe('tariff.dates')
    await at(since)
    await served(service)
    expect((await owed()).map(charge => charge.price_excl)).toEqual([5, 4.5])
    expect((await w.ask(tariff.list, admin(), {})).answer).toMatchObject([
      { _id: next.answer._id, since, until: null, price_excl: 5, used: true },
      { _id, until: today, price_excl: 4.5, used: true },
    ])
    const unused = await rule({ kind: 'no_show', per: 'operation' })
    expect((await w.ask(tariff.remove, admin(), { _id: unused })).status).toBe(200)
  })

  test('are listed as they were added, also with their successors’ prices and VAT rates', async () => {
    const service = await addService(w, { name: 'Balancing' })
    const terms = {
      since: '2026-01-01',
      until: '2027-12-31',
      price_excl: 4.25,
      vat_rate: 5.5,
      article_number: '0900',
      description: 'As agreed',
      seq_id: w.customers.a,
    }
    const nothing = { mode: null, period: null, grace_days: 0, size_class: null, after_days: null }
    const kinds = [
      { kind: 'storage', per: 'wheel', mode: 'per_period', period: 45, size_class: 'medium' },
      { kind: 'storage', per: 'vehicle', mode: 'per_season', grace_days: 21, size_class: 'large' },
      { kind: 'overstay', per: 'tyre', after_days: 90, size_class: 'truck' },
      { kind: 'service', per: 'operation', service },
      { kind: 'no_show', per: 'operation' },
    ] as const
    const { seq_id: seq, ...listed } = terms
    const customer = { seq_id: seq, companyname: 'Garage Alfa NV' }
    for (const kind of kinds) await rule({ ...terms, ...kind })
    const read = async () => (await w.ask(tariff.list, admin(), {})).answer
    expect((await read()).map(({ _id, ...rule }) => rule)).toEqual(
      kinds.map(kind => ({
        ...nothing,
        ...listed,
        ...kind,
        customer,
        service: 'service' in kind ? { _id: service, name: 'Balancing' } : null,
        used: false,
      })),
    )
    const [first] = await read()
    const next = { since: '2026-07-01', until: '2026-12-31', price_excl: 5, vat_rate: 21 }
    await w.ask(tariff.succeed, admin(), { _id: first!._id, ...next })
    const { _id, ...before } = first!
    expect((await read()).slice(0, 2)).toMatchObject([
      { ...before, ...next },
      { _id, ...before, until: '2026-06-30' },
    ])
  })

  test.each([
    [{ kind: 'storage', per: 'operation', mode: 'per_day' }],
    [{ kind: 'storage', per: 'set' }],
    [{ kind: 'storage', per: 'set', mode: 'per_period' }],
    [{ kind: 'storage', per: 'set', mode: 'per_season' }],
    [{ kind: 'storage', per: 'vehicle', mode: 'per_day' }],
    [{ kind: 'storage', per: 'set', mode: 'per_day', grace_days: 21 }],
    [{ kind: 'storage', per: 'set', mode: 'per_season', until: '2027-12-31', grace_days: 367 }],
    [{ kind: 'no_show', per: 'operation', mode: 'per_day' }],
    [{ kind: 'overstay', per: 'tyre' }],
    [{ kind: 'service', per: 'tyre' }],
    [{ kind: 'minimum', per: 'document', size_class: 'small' }],
    [{ kind: 'no_show', per: 'operation', until: '2019-12-31' }],
    [{ kind: 'no_show', per: 'operation', price_excl: 1.234 }],
  ])('are refused where they say what their kind does not have: %j', async fields => {
    const reply = await w.send(tariff.add.path, admin(), { since: '2020-01-01', price_excl: 1, ...fields })
    expect(reply.status, reply.text).toBe(400)
  })
})
