/** Submissions and edits of an operation that are taken back (docs/product/screens.md "Taking back"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { addService, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-16T09:00:00Z') })
})
afterAll(() => at.close())
beforeEach(() => clear(at))

async function storage() {
  const vehicle = await at.addVehicle({})
  const tyres = await at.addSet({ vehicle })
  const reply = await at.ask(operations.new, at.who.a, {
    operation: { flt_id: vehicle, tyres, operationType: 'to_stock' },
  })
  expect(reply.status, reply.text).toBe(200)
  return { _id: reply.answer._id, tyres }
}
const change = (operation: object, by = at.who.a) => at.ask(operations.update, by, { operation } as never)
const withdraw = (operation: object) => at.ask(operations.withdraw, at.who.a, { operation } as never)
const now = async (_id: number) =>
  (await at.ask(operations.fetch, at.who.a, {})).answer.find(operation => operation._id === _id)

test('a submission is taken back as it was left, and not once somebody has changed it since', async () => {
  const { _id } = await storage()
  const { updated } = (await change({ _id, status: 'submitted' })).answer
  expect((await withdraw({ _id, expected: { updated } })).answer.status).toBe('pending')
  at.clock.now = new Date('2026-11-16T09:05:00Z')
  await change({ _id, remarks: 'By the rear door', status: 'submitted' })
  expect((await withdraw({ _id, expected: { updated } })).refusal.code).toBe('record.changed')
  expect((await now(_id))?.status).toBe('submitted')
})

test('an administrator’s own submission is taken back before anybody has begun with it', async () => {
  const { _id, tyres } = await storage()
  const { updated } = (await change({ _id, status: 'submitted' }, at.who.admin)).answer
  await at.ask(operations.markscan, at.who.admin, { tyres: tyres.slice(0, 1).map(tyreId => ({ tyreId })) })
  const back = { _id, status: 'pending', expected: { updated } }
  expect((await change(back, at.who.admin)).refusal.code).toBe('operation.begun')
  // without an expectation it is the desk that decides
  expect((await change({ _id, status: 'pending' }, at.who.admin)).answer.status).toBe('pending')
})

test('a withdrawal is taken back by submitting what was withdrawn, unless it was edited since', async () => {
  const { _id } = await storage()
  await change({ _id, status: 'submitted' })
  at.clock.now = new Date('2026-11-16T09:10:00Z')
  const { updated } = (await withdraw({ _id })).answer
  at.clock.now = new Date('2026-11-16T09:11:00Z')
  await change({ _id, remarks: 'Wait for us' }, at.who.admin)
  const again = { _id, status: 'submitted', expected: { updated } }
  expect((await change(again)).refusal.code).toBe('record.changed')
  const { updated: seen } = (await now(_id)) ?? { updated: '' }
  expect((await change({ ...again, expected: { updated: seen } })).answer.status).toBe('submitted')
})

test('an edit is taken back by itself: other fields may have changed, the same one may not', async () => {
  const { _id } = await storage()
  const [washing, balancing] = [await addService(at, { name: 'Washing' }), await addService(at, { name: 'Balancing' })]
  const transport = await addTransport(at)
  await change({ _id, remarks: 'First' })
  await change({ _id, remarks: 'Second', services: [washing], transport, withBolts: true })
  await change({ _id, withHubcaps: true }, at.who.admin)
  const back = { _id, remarks: 'First', expected: { remarks: 'Second' } }
  expect((await change(back)).answer).toMatchObject({ remarks: 'First', withHubcaps: true, withBolts: true })
  expect((await change(back)).refusal.code).toBe('record.changed')
  const refusals = [
    { services: [], expected: { services: [balancing] } },
    { services: [], expected: { services: [] } },
    { transport: null, expected: { transport: null } },
    { withBolts: false, expected: { withBolts: false } },
    { withRims: null, expected: { withRims: 'steel' } },
    { tachometer: null, expected: { tachometer: 1 } },
    { deliveryDate: null, expected: { deliveryDate: '2026-11-20' } },
    { wornTyres: null, expected: { wornTyres: 'keep' } },
  ]
  for (const edit of refusals) {
    const { refusal } = await change({ _id, ...edit })
    expect([JSON.stringify(edit), refusal.code]).toEqual([JSON.stringify(edit), 'record.changed'])
  }
  const all = { services: [], transport: null, expected: { services: [washing], transport } }
  expect((await change({ _id, ...all })).answer).toMatchObject({ services: [], transport: null })
})

test('a submitted recall goes on another day, keeps its own where that one is full, and stays once it was begun with', async () => {
  const transport = await addTransport(at, { operationsPerDay: 1, tyresPerDay: 100, days: [1, 2, 3, 4, 5] })
  const recall = async (deliveryDate: string) => {
    const vehicle = await at.addVehicle({})
    const tyre = await at.addTyre({ vehicle, status: 'in_stock' })
    const { answer } = await at.ask(operations.new, at.who.a, {
      operation: { flt_id: vehicle, tyres: [tyre], operationType: 'to_customer' },
    })
    const submission = await change({ _id: answer._id, transport, deliveryDate, status: 'submitted' })
    expect(submission.status, submission.text).toBe(200)
    return { _id: answer._id, tyre, updated: submission.answer.updated }
  }
  const move = (operation: object) => at.ask(operations.reschedule, at.who.admin, { operation } as never)
  const first = await recall('2026-11-24')
  await recall('2026-11-25')
  at.clock.now = new Date('2026-11-16T09:20:00Z')
  expect((await move({ _id: first._id, deliveryDate: '2026-11-25' })).refusal.code).toBe('delivery.day_full')
  expect((await move({ _id: first._id, deliveryDate: '2026-11-28' })).refusal.code).toBe('delivery.weekday')
  expect(await now(first._id)).toMatchObject({
    status: 'submitted',
    deliveryDate: '2026-11-24',
    updated: first.updated,
  })
  // its own day is not full for itself
  expect((await move({ _id: first._id, deliveryDate: '2026-11-24' })).status).toBe(200)
  const moved = await move({ _id: first._id, deliveryDate: '2026-11-26' })
  expect(moved.answer).toMatchObject({ status: 'submitted', deliveryDate: '2026-11-26', transport })
  const back = { _id: first._id, deliveryDate: '2026-11-24', expected: { updated: first.updated } }
  expect((await move(back)).refusal.code).toBe('record.changed')
  expect((await move({ ...back, expected: { updated: moved.answer.updated } })).answer.deliveryDate).toBe('2026-11-24')
  const days = await at.query<{ day: string; operations: number }>(
    'select day::text, operations from transport_day where transport_id = $1 and operations > 0 order by day',
    [transport],
  )
  expect(days).toEqual([
    { day: '2026-11-24', operations: 1 },
    { day: '2026-11-25', operations: 1 },
  ])
  await at.ask(operations.markscan, at.who.admin, { tyres: [{ tyreId: first.tyre }] })
  expect((await move({ _id: first._id, deliveryDate: '2026-11-26' })).refusal.code).toBe('operation.begun')
})
