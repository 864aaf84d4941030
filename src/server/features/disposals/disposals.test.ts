/** Scrapped tyres: what waits, who took it, and the proof of it (docs/product/warehouse.md "Proof of disposal"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RawInput } from '#contract/call.ts'
import { contract } from '#contract/index.ts'
import { openPrintPool, type PrintPool } from '../../printing/pool.ts'
import { textOf } from '../../testing/pdf.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

const { disposals: calls, operations } = contract
let w: World
let pool: PrintPool

beforeAll(async () => {
  pool = openPrintPool({ threads: 1 })
  w = await world({ now: new Date('2026-11-20T10:00:00Z'), served: () => ({ printPool: pool }) })
})
afterAll(async () => {
  await w.close()
  await pool.close()
})
beforeEach(async () => {
  await w.query('delete from scrap_pickup_tyre; delete from scrap_pickup')
  await clear(w)
  await w.query('delete from tyre_event; delete from storage_ledger; delete from stay; delete from tyre')
})

/** A set of a customer, scrapped by a disposal. */
async function scrapped(customer: number, plate: string): Promise<number[]> {
  const vehicle = await w.addVehicle({ customer, plate })
  const tyres = await w.addSet({ vehicle, status: 'in_stock' })
  const { id } = await addOperation(w, { vehicle, tyres, type: 'to_waste', status: 'submitted', scanned: true })
  const { status, text } = await w.ask(operations.confirm, w.who.admin, { operation: { _id: id }, here: 'all' })
  expect(status, text).toBe(200)
  return tyres
}
const form = {
  day: '2026-11-20',
  form_number: 'IF-2026-0042',
  collector: 'Rubber Retour bv',
  collector_number: '0739.484.052',
}
const record = async (tyres: number[], more: Partial<RawInput<typeof calls.record>> = {}) => {
  const { status, text, answer } = await w.ask(calls.record, w.who.admin, { ...form, tyres, ...more })
  expect(status, text).toBe(200)
  return answer._id
}
const waiting = async () => (await w.ask(calls.waiting, w.who.admin, {})).answer
const list = async (who: Principal = w.who.admin, more: { seq_id?: number } = {}) =>
  (await w.ask(calls.list, who, { startDate: '2026-11-01', endDate: '2026-11-30', ...more })).answer
const proof = (who: Principal, _id: number, more: { seq_id?: number } = {}) => w.ask(calls.proof, who, { _id, ...more })

test('a scrapped tyre waits until a pick-up takes it, which it does once', async () => {
  const set = await scrapped(w.customers.a, '1SCR001')
  expect(await waiting()).toMatchObject(
    set.map(db_id => ({ db_id, seq_id: w.customers.a, license_plate: '1SCR001', scrapped: '2026-11-20' })),
  )
  await record(set.slice(0, 3))
  expect((await waiting()).map(({ db_id }) => db_id)).toEqual(set.slice(3))
  const again = await w.ask(calls.record, w.who.admin, { ...form, tyres: set.slice(2) })
  expect(again.refusal.code).toBe('disposals.not_waiting')
  const stored = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
  expect((await w.ask(calls.record, w.who.admin, { ...form, tyres: stored })).refusal.code).toBe(
    'disposals.not_waiting',
  )
  expect(
    (await w.ask(calls.record, w.who.admin, { ...form, tyres: [...set.slice(3), 2_000_000_000] })).refusal.code,
  ).toBe('record.missing')
  expect(
    (await w.ask(calls.record, w.who.admin, { ...form, tyres: set.slice(3), day: '2026-11-21' })).refusal.code,
  ).toBe('stock.date_ahead')
  expect((await waiting()).length).toBe(1)
})

test('two who record the same tyres at once make one pick-up of them', async () => {
  const set = await scrapped(w.customers.a, '1SCR002')
  const replies = await Promise.all([1, 2, 3].map(() => w.ask(calls.record, w.who.admin, { ...form, tyres: set })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await list()).toMatchObject([{ tyre_count: 4 }])
})

test('each customer sees what was taken of theirs, with their share of the weight', async () => {
  const own = await scrapped(w.customers.a, '1SCR003')
  const others = await scrapped(w.customers.b, '1SCR004')
  const _id = await record([...own, ...others.slice(0, 2)])
  const [whole] = await list()
  expect(whole).toMatchObject({ _id, tyre_count: 6, weight_kg: null, collector: 'Rubber Retour bv' })
  expect(await list(w.who.a)).toMatchObject([
    { _id, tyre_count: 4, weight_kg: null, estimate_kg: (whole!.estimate_kg / 6) * 4 },
  ])
  // weighed at the collector's, and the number put right
  const edited = { ...form, _id, form_number: 'IF-2026-0043', weight_kg: 61.8, treatment: 'R3' as const }
  expect((await w.ask(calls.edit, w.who.admin, edited)).status).toBe(200)
  expect(await list(w.who.a)).toMatchObject([
    { tyre_count: 4, weight_kg: 41.2, form_number: 'IF-2026-0043', treatment: 'R3' },
  ])
  expect(await list(w.who.b)).toMatchObject([{ tyre_count: 2, weight_kg: 20.6 }])
  expect(await list(w.who.admin, { seq_id: w.customers.b })).toMatchObject([{ tyre_count: 2, weight_kg: 20.6 }])
  expect(await list(w.who.otherAdmin)).toEqual([])
  expect(
    (await w.ask(calls.list, w.who.a, { startDate: '2026-11-01', endDate: '2026-11-30', seq_id: w.customers.b }))
      .refusal.code,
  ).toBe('record.missing')
  const words = await textOf((await proof(w.who.a, _id)).answer)
  for (const text of [
    'Proof of disposal',
    '20/11/2026',
    'IF-2026-0043',
    'Rubber Retour bv, 0739.484.052',
    '16 01 03',
    'R3 – recycling',
    '41.2 kg, share of',
  ])
    expect(words).toContain(text)
  expect(words).toContain('1-SCR-003')
  expect(words).not.toContain('1-SCR-004')
  const all = await textOf((await proof(w.who.admin, _id)).answer)
  expect(all).toContain('61.8 kg, weighed')
  expect(all).toContain('1-SCR-004')
})

test('a customer of whom nothing was taken sees no pick-up and gets no proof', async () => {
  const _id = await record(await scrapped(w.customers.a, '1SCR005'))
  expect(await list(w.who.b)).toEqual([])
  expect((await proof(w.who.b, _id)).refusal.code).toBe('record.missing')
  expect((await proof(w.who.otherAdmin, _id)).refusal.code).toBe('record.missing')
  expect((await proof(w.who.admin, _id, { seq_id: w.customers.b })).refusal.code).toBe('record.missing')
})

test('until it is weighed the weight is estimated by the sizes, and said so', async () => {
  const set = await scrapped(w.customers.a, '1SCR006')
  const estimate = (await waiting()).reduce((sum, load) => sum + load.estimate_kg, 0)
  const _id = await record(set)
  expect((await list())[0]?.estimate_kg).toBe(estimate)
  expect(await textOf((await proof(w.who.a, _id)).answer)).toContain(`${estimate} kg, estimated by the sizes`)
})

test('a pick-up that was withdrawn took nothing: its tyres wait again, and can be handed over', async () => {
  const set = await scrapped(w.customers.a, '1SCR007')
  const _id = await record(set)
  expect((await w.ask(calls.withdraw, w.who.admin, { _id, reason: 'The truck left without them' })).status).toBe(200)
  expect((await w.ask(calls.withdraw, w.who.admin, { _id, reason: 'Twice' })).refusal.code).toBe('record.missing')
  expect((await w.ask(calls.edit, w.who.admin, { ...form, _id })).refusal.code).toBe('record.missing')
  // an administrator who asks for the customer is not held back by row-level security
  const ofCustomer = { seq_id: w.customers.a }
  expect((await proof(w.who.a, _id)).refusal.code).toBe('record.missing')
  expect((await proof(w.who.admin, _id)).refusal.code).toBe('record.missing')
  expect((await proof(w.who.admin, _id, ofCustomer)).refusal.code).toBe('record.missing')
  expect(await list(w.who.admin, ofCustomer)).toEqual([])
  expect([await list(), await list(w.who.a)]).toEqual([[], []])
  expect((await waiting()).map(({ db_id }) => db_id)).toEqual(set)
  await record(set)
  expect((await list()).map(({ tyre_count }) => tyre_count)).toEqual([4])
})
