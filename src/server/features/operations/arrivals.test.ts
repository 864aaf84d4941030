/** The day on which a storage arrives: optional, and by the rules of delivery days (docs/product/operations.md "Delivery days"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { operations: calls, transports } = contract
let w: World
let van: number
beforeAll(async () => {
  // a Tuesday, 11:00 in Brussels
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  van = await addTransport(w, {
    days: [1, 2, 3, 4],
    advanceDays: 1,
    cutoff: '10:00',
    operationsPerDay: 2,
    tyresPerDay: 8,
  })
})

type Day = { transport?: number | null; deliveryDate?: string | null }
const storage = async (day: Day = {}) => (await addOperation(w, { type: 'to_stock', ...day })).id
const submit = (id: number, day: Day = {}) =>
  w.ask(calls.update, w.who.a, { operation: { _id: id, ...day, status: 'submitted' } })
const booked = async (type?: 'to_stock') =>
  (await w.ask(calls.bookedtransportdays, w.who.a, { transportMethod: van, ...(type && { type }) })).answer
const close = (day: string) =>
  w.query(`insert into closed_day (site_id, day, name) values ($1, $2, 'Stocktaking')`, [w.sites.home, day])

test('a storage needs no day, and is answered without one', async () => {
  const { answer } = await submit(await storage())
  expect(answer).toMatchObject({ status: 'submitted', transport: null, deliveryDate: null })
})

test('a storage that is brought arrives on any open day from today on', async () => {
  // a Sunday, on which no transport runs
  const { answer } = await submit(await storage(), { deliveryDate: '2026-11-15' })
  expect(answer).toMatchObject({ status: 'submitted', transport: null, deliveryDate: '2026-11-15' })
  expect((await submit(await storage(), { deliveryDate: '2026-11-10' })).status).toBe(200)
})

describe('a day that can not be is refused, at the edit and at the submission', () => {
  const refusals: [string, Day, string][] = [
    ['brought yesterday', { deliveryDate: '2026-11-09' }, 'arrival.too_early'],
    ['brought in seven months', { deliveryDate: '2027-06-10' }, 'arrival.too_late'],
    ['brought on a closed day', { deliveryDate: '2026-11-18' }, 'delivery.closed'],
    ['collected before the cut-off allows', { transport: 0, deliveryDate: '2026-11-11' }, 'arrival.too_early'],
    ['collected on a Friday', { transport: 0, deliveryDate: '2026-11-13' }, 'arrival.weekday'],
    ['collected on a closed day', { transport: 0, deliveryDate: '2026-11-18' }, 'delivery.closed'],
  ]
  for (const [name, day, code] of refusals)
    test(`${name}: ${code}`, async () => {
      await close('2026-11-18')
      const wish = { ...day, ...(day.transport === 0 && { transport: van }) }
      const edited = await w.ask(calls.update, w.who.a, { operation: { _id: await storage(), ...wish } })
      expect(edited.refusal.code).toBe(code)
      expect((await submit(await storage(), wish)).refusal.code).toBe(code)
    })

  test('a transport without a day', async () => {
    const id = await storage()
    const edited = await w.ask(calls.update, w.who.a, { operation: { _id: id, transport: van } })
    expect(edited.answer).toMatchObject({ transport: van, deliveryDate: null })
    expect((await submit(id)).refusal.code).toBe('arrival.missing')
    expect((await submit(id, { transport: null })).status).toBe(200)
  })

  test('a day of a disposal', async () => {
    const { id } = await addOperation(w, { type: 'to_waste' })
    const reply = await w.ask(calls.update, w.who.a, { operation: { _id: id, deliveryDate: '2026-11-16' } })
    expect(reply.refusal.params).toEqual({ fields: ['operation.deliveryDate'] })
  })
})

describe('a transport takes as many storages on a day as recalls, and counts them apart', () => {
  const day = '2026-11-16'

  test('recalls take no place of a storage, nor storages one of a recall', async () => {
    for (let nth = 0; nth < 2; nth += 1) {
      const recall = await addOperation(w, { type: 'to_customer', transport: van, deliveryDate: day })
      expect((await submit(recall.id)).status).toBe(200)
    }
    expect([await booked(), await booked('to_stock')]).toEqual([[day], []])
    for (let nth = 0; nth < 2; nth += 1)
      expect((await submit(await storage(), { transport: van, deliveryDate: day })).status).toBe(200)
    expect([await booked(), await booked('to_stock')]).toEqual([[day], [day]])
    const last = await storage()
    expect((await submit(last, { transport: van, deliveryDate: day })).refusal.code).toBe('arrival.day_full')
    expect((await submit(last, { deliveryDate: day })).status).toBe(200)
  })

  test('a storage that is taken back, moved or handled frees its place', async () => {
    const ids = [await storage(), await storage()]
    for (const id of ids) await submit(id, { transport: van, deliveryDate: day })
    expect(await booked('to_stock')).toEqual([day])
    await w.ask(calls.update, w.who.admin, { operation: { _id: ids[0] ?? 0, status: 'pending' } })
    expect(await booked('to_stock')).toEqual([])
    await submit(ids[0] ?? 0, { transport: van, deliveryDate: '2026-11-17' })
    await w.ask(calls.cancel, w.who.admin, { operation: { _id: ids[1] ?? 0 } })
    expect(
      await w.query('select day::text, operations, arrivals, arriving_tyres as tyres from transport_day order by day'),
    ).toEqual([
      { day, operations: 0, arrivals: 0, tyres: 0 },
      { day: '2026-11-17', operations: 0, arrivals: 1, tyres: 4 },
    ])
  })

  test('the last place goes to one of two at the same moment', async () => {
    await submit(await storage(), { transport: van, deliveryDate: day })
    const both = [await storage(), await storage()]
    const replies = await Promise.all(both.map(id => submit(id, { transport: van, deliveryDate: day })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.refusal.code).toBe('arrival.day_full')
  })
})

describe('the count of a day, whatever the portal asked before', () => {
  const day = '2026-11-16'
  /** Submits a pending operation in the table itself. */
  const force = async ({ id }: { id: number }) =>
    w.query(`update operation set status = 'submitted', submitted_at = now() where id = $1`, [id]).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    )

  test.each(['to_customer', 'to_stock'] as const)('refuses a day that has all its tyres: %s', async type => {
    const transport = await addTransport(w, { operationsPerDay: 0, tyresPerDay: 8 })
    const outcomes: string[] = []
    for (let nth = 0; nth < 3; nth += 1)
      outcomes.push(await force(await addOperation(w, { type, transport, deliveryDate: day })))
    // two sets are eight tyres: the day is full with them, not beyond them
    expect(outcomes).toEqual(['taken', 'taken', 'WH001'])
  })

  test.each(['to_customer', 'to_stock'] as const)('refuses a day that has all its operations: %s', async type => {
    const transport = await addTransport(w, { operationsPerDay: 2, tyresPerDay: 0 })
    const outcomes: string[] = []
    for (let nth = 0; nth < 3; nth += 1)
      outcomes.push(await force(await addOperation(w, { type, transport, deliveryDate: day })))
    expect(outcomes).toEqual(['taken', 'taken', 'WH001'])
  })
})

test('a plan whose tyres come back takes only days with room both ways', async () => {
  await addOperation(w, { type: 'to_stock', status: 'submitted', transport: van, deliveryDate: '2026-11-16' })
  await addOperation(w, { type: 'to_stock', status: 'submitted', transport: van, deliveryDate: '2026-11-16' })
  const query = { transport: van, from: '2026-11-16', until: '2026-11-17', counts: [4, 4, 4] }
  const alone = (await w.ask(calls.plan, w.who.a, query)).answer
  expect(alone.days.filter(Boolean)).toHaveLength(3)
  const both = (await w.ask(calls.plan, w.who.a, { ...query, returns: [4, 4, 4] })).answer
  expect(both).toEqual({ days: ['2026-11-17', '2026-11-17', null], open: ['2026-11-17'] })
})

test('what comes back of a swap arrives with the delivery, and without a place there is no swap', async () => {
  const vehicle = await w.addVehicle({})
  const body = {
    flt_id: vehicle,
    recall: await w.addSet({ vehicle, set: 'Winter', status: 'in_stock' }),
    store: await w.addSet({ vehicle, set: 'Summer', status: 'at_customer' }),
    transport: van,
    deliveryDate: '2026-11-16',
  }
  for (let nth = 0; nth < 2; nth += 1)
    await addOperation(w, { type: 'to_stock', status: 'submitted', transport: van, deliveryDate: '2026-11-16' })
  expect((await w.ask(calls.swap, w.who.a, body)).refusal.code).toBe('arrival.day_full')
  const { answer } = await w.ask(calls.swap, w.who.a, { ...body, deliveryDate: '2026-11-17' })
  expect(answer.storage).toMatchObject({ transport: van, deliveryDate: '2026-11-17', status: 'submitted' })
})

test('storages of a transport that is removed go with another one, and an agreed day stays', async () => {
  const next = await addTransport(w, { days: [2], operationsPerDay: 1 })
  const monday = await storage({ transport: van, deliveryDate: '2026-11-16' })
  const agreed = await addOperation(w, {
    type: 'to_stock',
    status: 'submitted',
    transport: van,
    deliveryDate: '2026-11-16',
  })
  expect((await w.ask(transports.usage, w.who.admin, { transport: van })).answer).toEqual({ recall_count: 2 })
  await w.ask(transports.remove, w.who.admin, { transport: van, by: next })
  const days = await w.query(
    'select id, transport_id as transport, delivery_date::text as day from operation order by id',
  )
  expect(days).toEqual([
    { id: monday, transport: next, day: null },
    { id: agreed.id, transport: next, day: '2026-11-16' },
  ])
})

test('programs and notices are told that a storage has another day', async () => {
  const id = await storage()
  await submit(id, { deliveryDate: '2026-11-16' })
  await w.ask(calls.withdraw, w.who.a, { operation: { _id: id } })
  await submit(id, { deliveryDate: '2026-11-17' })
  const happenings = await w.query(`select facts from happening where kind = 'dayChanged' and operation_id = $1`, [id])
  expect(happenings).toEqual([{ facts: { type: 'to_stock', tyres: 4, from: '2026-11-16', to: '2026-11-17' } }])
})
