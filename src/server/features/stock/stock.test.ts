/** The stock at the end of a day (docs/product/warehouse.md "Stock statement"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { openPrintPool, type PrintPool } from '../../printing/pool.ts'
import { textOf } from '../../testing/pdf.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

const { stock: calls, operations, locations, fleet } = contract
let w: World
let pool: PrintPool
let places: number[]

beforeAll(async () => {
  pool = openPrintPool({ threads: 1 })
  w = await world({ now: new Date('2026-11-20T10:00:00Z'), served: () => ({ printPool: pool }) })
})
afterAll(async () => {
  await w.close()
  await pool.close()
})
beforeEach(async () => {
  await clear(w)
  await w.query('delete from tyre_event; delete from storage_ledger; delete from stay; delete from tyre')
  await w.query('delete from location')
  places = await w.addLocations({ places: 3, capacity: 4 })
  await at('2026-11-20T10:00:00Z')
})

/** Makes it this moment, with everybody still signed in. */
async function at(time: string) {
  w.clock.now = new Date(time)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
const on = (date: string, who: Principal = w.who.admin, more: { seq_id?: number; list?: boolean } = {}) =>
  w.ask(calls.statement, who, { date, ...more })
const handle = async (
  type: 'to_stock' | 'to_customer' | 'to_waste',
  vehicle: number,
  tyres: number[],
  place?: number,
) => {
  const { id } = await addOperation(w, { vehicle, tyres, type, status: 'submitted', scanned: true })
  if (place !== undefined) await w.ask(locations.move, w.who.admin, { tyres, location: place })
  const { status, text } = await w.ask(operations.confirm, w.who.admin, { operation: { _id: id }, here: 'all' })
  expect(status, text).toBe(200)
}

test('it says each wheel with its place on that day, and counts those of each customer', async () => {
  const vehicle = await w.addVehicle({ plate: '1STK001' })
  const set = await w.addSet({ vehicle })
  const other = await w.addVehicle({ customer: w.customers.b, plate: '1STK002' })
  const alone = await w.addTyre({ vehicle: other })
  await handle('to_stock', vehicle, set, places[0])
  await at('2026-11-22T10:00:00Z')
  await handle('to_stock', other, [alone])
  await w.ask(locations.move, w.who.admin, { tyres: set.slice(0, 2), location: places[1] ?? 0 })
  await at('2026-11-24T10:00:00Z')
  await handle('to_customer', vehicle, set.slice(2))
  await at('2026-11-26T10:00:00Z')

  expect((await on('2026-11-19')).answer).toEqual({ date: '2026-11-19', wheel_count: 0, customers: [], rows: [] })
  const first = (await on('2026-11-21')).answer
  expect(first.rows.map(({ db_id, position, stock_rack, since }) => [db_id, position, stock_rack, since])).toEqual([
    [set[0], '1A', 'A-01-1', '2026-11-20'],
    [set[1], '1B', 'A-01-1', '2026-11-20'],
    [set[2], '2A', 'A-01-1', '2026-11-20'],
    [set[3], '2B', 'A-01-1', '2026-11-20'],
  ])
  expect(first.rows[0]).toMatchObject({
    seq_id: w.customers.a,
    license_plate: '1STK001',
    tyre_set: 'Winter',
    description: 'Michelin Alpin 6 205/55R16 91H',
    stock_site_name: 'Main hall',
  })
  const second = (await on('2026-11-23')).answer
  expect(second.wheel_count).toBe(5)
  expect(second.customers.map(({ seq_id, wheel_count }) => [seq_id, wheel_count]).toSorted()).toEqual(
    [
      [w.customers.a, 4],
      [w.customers.b, 1],
    ].toSorted(),
  )
  const racks = new Map(second.rows.map(({ db_id, stock_rack }) => [db_id, stock_rack]))
  expect([racks.get(set[0]!), racks.get(set[2]!), racks.get(alone)]).toEqual(['A-01-2', 'A-01-1', 'A-01-2'])
  // two have left on the day itself
  expect((await on('2026-11-24')).answer.wheel_count).toBe(3)
  expect((await on('2026-11-24', w.who.admin, { list: false })).answer).toMatchObject({ wheel_count: 3, rows: [] })
})

test('a wheel that was taken in with its place was there since', async () => {
  const vehicle = await w.addVehicle({})
  await w.addTyre({ vehicle, status: 'in_stock', location: places[2] ?? null, statusDate: '2026-10-01' })
  expect((await on('2026-10-15')).answer.rows).toMatchObject([{ stock_rack: 'A-01-3', since: '2026-10-01' }])
})

test('a customer sees their own wheels, without places, and a day that has not begun is refused', async () => {
  const vehicle = await w.addVehicle({})
  await handle('to_stock', vehicle, await w.addSet({ vehicle }), places[0])
  const other = await w.addVehicle({ customer: w.customers.b })
  await handle('to_stock', other, await w.addSet({ vehicle: other }))
  const { answer } = await on('2026-11-20', w.who.a)
  expect([answer.wheel_count, answer.customers.length]).toEqual([4, 1])
  expect(answer.rows.every(({ stock_rack, stock_site_name }) => stock_rack === null && stock_site_name === null)).toBe(
    true,
  )
  expect((await on('2026-11-20', w.who.a, { seq_id: w.customers.b })).refusal.code).toBe('record.missing')
  expect((await on('2026-11-20', w.who.admin, { seq_id: w.customers.other })).refusal.code).toBe('record.missing')
  expect((await on('2026-11-21')).refusal).toMatchObject({ code: 'stock.date_ahead' })
  // the day begins at the site
  await at('2026-11-20T23:30:00Z')
  expect((await on('2026-11-21')).status).toBe(200)
})

test('what a vehicle’s former customer had in store stays theirs', async () => {
  const vehicle = await w.addVehicle({ plate: '1STK003' })
  const set = await w.addSet({ vehicle })
  await handle('to_stock', vehicle, set, places[0])
  await at('2026-11-25T10:00:00Z')
  await w.ask(fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-23' })
  const whose = async (date: string) =>
    (await on(date)).answer.rows.map(({ db_id, seq_id, since }) => [db_id, seq_id, since])
  expect(await whose('2026-11-22')).toEqual(set.map(id => [id, w.customers.a, '2026-11-20']))
  expect(await whose('2026-11-23')).toEqual(set.map(id => [id, w.customers.b, '2026-11-23']))
})

test('as a PDF it has places for the whole site, and none for one customer', async () => {
  const vehicle = await w.addVehicle({ plate: '1STK004' })
  await handle('to_stock', vehicle, await w.addSet({ vehicle }), places[0])
  const site = await textOf((await w.ask(calls.statementpdf, w.who.admin, { date: '2026-11-20' })).answer)
  expect(site).toContain('4 tyres were in storage at the end of 20/11/2026.')
  expect(site).toContain('Tyres by customer')
  expect(site).toContain('1A, 1B, 2A, 2B')
  expect(site).toContain('4 × Michelin Alpin 6 205/55R16 91H')
  expect(site).toContain('A-01-1')
  for (const who of [w.who.admin, w.who.a]) {
    const input = { date: '2026-11-20', seq_id: w.customers.a }
    const own = await textOf((await w.ask(calls.statementpdf, who, input)).answer)
    expect(own).toContain('1A, 1B, 2A, 2B')
    expect(own).not.toContain('A-01-1')
  }
})
