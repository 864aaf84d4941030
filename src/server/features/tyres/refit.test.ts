/** A tyre goes to another vehicle of its customer (docs/product/warehouse.md "The card of a scan"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { tyres: calls, cards } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => w.close())

type Wish = { flt_id?: number; position?: string; tyre_set?: string | null }
const refit = (db_id: number, flt_id: number, wish: Wish = {}) =>
  w.ask(calls.refit, w.who.admin, { db_id, flt_id, position: '1A', tyre_set: 'Winter', ...wish })
/** A stored tyre of A, and another vehicle of A's. */
async function both() {
  const from = await w.addVehicle({ plate: `1AAA${String(++nth).padStart(3, '0')}` })
  const to = await w.addVehicle({ plate: `2BBB${String(nth).padStart(3, '0')}` })
  const [place = 0] = await w.addLocations({ places: 1, capacity: 4, zone: `F${from}` })
  const tyre = await w.addTyre({ vehicle: from, set: 'Winter', status: 'in_stock', location: place, position: '2B' })
  return { from, to, place, tyre }
}
let nth = 0

test('it has the position and the set there, stays on its place, and both histories say so', async () => {
  const { from, to, place, tyre } = await both()
  const { answer } = await refit(tyre, to, { position: '1A' })
  expect(answer).toMatchObject([
    { db_id: tyre, flt_id: to, position: '1A', tyre_set: 'Winter', tyre_status: 'in_stock' },
  ])
  const [wheel] = (await w.ask(cards.read, w.who.admin, { tyre })).answer.wheels
  expect(wheel).toMatchObject({ flt_id: to, state: 'at_place', location: place, position: '1A' })
  for (const flt_id of [from, to]) {
    const { answer: events } = await w.ask(calls.events, w.who.a, { flt_id })
    expect(events.filter(({ kind }) => kind === 'refitted')).toMatchObject([
      { tyre, note: `1AAA${String(nth).padStart(3, '0')} → 2BBB${String(nth).padStart(3, '0')}` },
    ])
  }
  expect(await w.query('select vehicle_id from stay where tyre_id = $1 and until is null', [tyre])).toEqual([
    { vehicle_id: to },
  ])
  const [audited] = await w.query(
    `select subject, facts from audit where action = 'tyre.refit' order by id desc limit 1`,
  )
  expect(audited).toMatchObject({ subject: `vehicle ${from}`, facts: { tyres: [tyre], set: 'Winter' } })
})

test('a position that is taken in the set there, or that the vehicle has not, is refused', async () => {
  const { to, tyre } = await both()
  await w.addTyre({ vehicle: to, set: 'winter', position: '1A' })
  expect((await refit(tyre, to)).refusal).toMatchObject({ code: 'set.positions_taken', params: { positions: ['1A'] } })
  expect((await refit(tyre, to, { position: '9G' })).refusal.code).toBe('tyre.position_missing')
  // in the spelling that the set has there
  expect((await refit(tyre, to, { position: '1B' })).answer).toMatchObject([{ tyre_set: 'winter' }])
})

test('without a set it needs a name once the vehicle has as many setless tyres as positions', async () => {
  const { to, tyre } = await both()
  for (const position of ['1A', '1B', '2A', '2B']) await w.addTyre({ vehicle: to, set: null, position })
  expect((await refit(tyre, to, { tyre_set: null })).refusal.code).toBe('set.name_missing')
})

test('a vehicle of another customer or of nobody is missing', async () => {
  const { tyre } = await both()
  for (const vehicle of [
    await w.addVehicle({ customer: w.customers.b }),
    await w.addVehicle({ customer: w.customers.other }),
    2e9,
  ])
    expect((await refit(tyre, vehicle)).refusal.code).toBe('record.missing')
})

test('while it is in an open operation, on its vehicle or scrapped, it stays', async () => {
  const { to } = await both()
  const {
    tyres: [busy = 0],
  } = await addOperation(w, { type: 'to_customer' })
  const [{ customer } = { customer: 0 }] = await w.query<{ customer: number }>(
    'select customer_id as customer from tyre where id = $1',
    [busy],
  )
  const there = await w.addVehicle({ customer })
  expect((await refit(busy, there)).refusal.code).toBe('operation.tyres_busy')
  for (const status of ['on_vehicle', 'waste'] as const) {
    const tyre = await w.addTyre({ vehicle: await w.addVehicle({}), status })
    expect((await refit(tyre, to)).refusal.code).toBe('tyre.status_refused')
    const [wheel] = (await w.ask(cards.read, w.who.admin, { tyre })).answer.wheels
    expect(wheel?.actions).not.toContain('refit')
  }
})
