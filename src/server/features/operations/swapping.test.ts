import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.operations
let w: World
let transport: number
beforeAll(async () => {
  // a Tuesday, 11:00 in Brussels
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  transport = await addTransport(w, { days: [1, 2, 3, 4, 5], operationsPerDay: 2, tyresPerDay: 8 })
})

/** A vehicle with a set in stock and one at the customer. */
async function changed() {
  const vehicle = await w.addVehicle({})
  return {
    flt_id: vehicle,
    recall: await w.addSet({ vehicle, set: 'Winter', status: 'in_stock' }),
    store: await w.addSet({ vehicle, set: 'Summer', status: 'at_customer' }),
    transport,
    deliveryDate: '2026-11-12',
  }
}
const operationsOf = (vehicle: number) =>
  w.query<{ type: string; status: string; day: string | null }>(
    `select type, status, delivery_date::text as day from operation where vehicle_id = $1 order by type`,
    [vehicle],
  )

test('a swap submits the recall and the storage', async () => {
  const body = await changed()
  const { answer } = await w.ask(calls.swap, w.who.a, body)
  expect(answer.recall).toMatchObject({ type: 'to_customer', status: 'submitted', deliveryDate: '2026-11-12' })
  expect(answer.storage).toMatchObject({ type: 'to_stock', status: 'submitted' })
  expect(await operationsOf(body.flt_id)).toEqual([
    { type: 'to_customer', status: 'submitted', day: '2026-11-12' },
    { type: 'to_stock', status: 'submitted', day: '2026-11-12' },
  ])
})

test('each half names the other, wherever it is listed, and stays what it is when the other goes', async () => {
  const body = await changed()
  const { answer } = await w.ask(calls.swap, w.who.a, body)
  const [recall, storage] = [answer.recall._id, answer.storage?._id ?? 0]
  expect(answer.recall.swap).toEqual({
    _id: storage,
    type: 'to_stock',
    status: 'submitted',
    tyre_count: 4,
    deliveryDate: '2026-11-12',
  })
  expect(answer.storage?.swap).toMatchObject({ _id: recall, type: 'to_customer', status: 'submitted' })
  const halfOf = async (id: number) =>
    (await w.ask(calls.fetch, w.who.a, {})).answer.find(({ _id }) => _id === id)?.swap ?? null
  const card = await w.ask(contract.cards.read, w.who.admin, { tyre: body.store[0] ?? 0 })
  expect(card.answer.wheels[0]?.operation?.swap).toMatchObject({ _id: recall })
  // another operation of the same day is of no swap
  const other = await addOperation(w, { status: 'submitted' })
  expect(await halfOf(other.id)).toBeNull()

  // taken back, the recall is pending, and the storage still submitted
  expect((await w.ask(calls.withdraw, w.who.a, { operation: { _id: recall } })).answer.swap).toMatchObject({
    _id: storage,
    status: 'submitted',
  })
  expect(await halfOf(storage)).toMatchObject({ _id: recall, status: 'pending' })
  expect((await w.ask(calls.delete, w.who.a, { operation: { _id: recall } })).status).toBe(200)
  expect(await halfOf(storage)).toBeNull()
  expect(await operationsOf(body.flt_id)).toMatchObject([{ type: 'to_stock', status: 'submitted' }])
})

test('what is decided on worn tyres is kept with the recall', async () => {
  const body = await changed()
  const { answer } = await w.ask(calls.swap, w.who.a, { ...body, wornTyres: 'quote' })
  expect(answer.recall.wornTyres).toBe('quote')
  expect(answer.storage?.wornTyres).toBeNull()
  expect((await w.ask(calls.swap, w.who.a, await changed())).answer.recall.wornTyres).toBeNull()
})

test('nothing need come back', async () => {
  const { store: _, ...body } = await changed()
  expect((await w.ask(calls.swap, w.who.a, body)).answer.storage).toBeNull()
})

test.each([
  ['a day that is full', { deliveryDate: '2026-11-13' }, 'delivery.day_full'],
  ['a day on which nothing is delivered', { deliveryDate: '2026-11-14' }, 'delivery.weekday'],
])('%s: neither recall nor storage is there', async (_, more, code) => {
  for (let nth = 0; nth < 2; nth += 1)
    await addOperation(w, { type: 'to_customer', status: 'submitted', transport, deliveryDate: '2026-11-13' })
  const body = await changed()
  expect((await w.ask(calls.swap, w.who.a, { ...body, ...more })).refusal.code).toBe(code)
  expect(await operationsOf(body.flt_id)).toEqual([])
})

test('a tyre that cannot come back keeps the recall from being made', async () => {
  const body = await changed()
  const waste = await w.addTyre({ vehicle: body.flt_id, set: null, status: 'waste' })
  const reply = await w.ask(calls.swap, w.who.a, { ...body, store: [waste] })
  expect(reply.refusal.code).toBe('operation.tyres_refused')
  expect(await operationsOf(body.flt_id)).toEqual([])
})

test('sent twice with one key it is done once', async () => {
  const body = await changed()
  const key = { 'idempotency-key': randomUUID() }
  const [first, second] = [
    await w.send('/operations/swap', w.who.a, body, key),
    await w.send('/operations/swap', w.who.a, body, key),
  ]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.text).toBe(first.text)
  expect(await operationsOf(body.flt_id)).toHaveLength(2)
})

test('a plan keeps to what the days have room for, beside what is booked, and books nothing', async () => {
  await addOperation(w, { type: 'to_customer', status: 'submitted', transport, deliveryDate: '2026-11-12' })
  await w.query(`insert into closed_day (site_id, day, name) values ($1, '2026-11-11', 'Armistice')`, [w.sites.home])
  const input = { transport, from: '2026-11-10', until: '2026-11-15', counts: [4, 4, 4, 4, 4, 4, 8] }
  const { answer } = await w.ask(calls.plan, w.who.a, input)
  await w.query('delete from closed_day')
  expect(answer.open).toEqual(['2026-11-10', '2026-11-12', '2026-11-13'])
  const placed = answer.days.flatMap(day => day ?? [])
  expect([...Map.groupBy(placed, day => day)].map(([day, some]) => [day, some.length]).toSorted()).toEqual([
    ['2026-11-10', 2],
    ['2026-11-12', 1],
    ['2026-11-13', 2],
  ])
  expect(answer.days.at(-1)).toBeNull()
  expect((await w.ask(calls.plan, w.who.a, input)).answer.open).toContain('2026-11-11')
})

test('a plan of another site’s transport is missing', async () => {
  const other = await addTransport(w, { site: w.sites.other })
  const input = { transport: other, from: '2026-11-10', until: '2026-11-15', counts: [4] }
  expect((await w.ask(calls.plan, w.who.a, input)).refusal.code).toBe('record.missing')
})
