/** Tyres go to another vehicle, and a vehicle leaves the fleet (docs/product/vehicles.md "Moving a set"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { tyres: calls, moves, cards, fleet, mounts, operations, invoicing } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => w.close())

type Wish = { flt_id?: number; position?: string; tyre_set?: string | null }
const refit = (db_id: number, flt_id: number, { position = '1A', ...wish }: Wish = {}) =>
  w.ask(moves.tyres, w.who.admin, { flt_id, tyres: [{ db_id, position }], tyre_set: 'Winter', ...wish })
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

test('a vehicle of another site or of nobody is missing, and for a customer another one’s', async () => {
  const { tyre } = await both()
  for (const vehicle of [await w.addVehicle({ customer: w.customers.other }), 2e9])
    expect((await refit(tyre, vehicle)).refusal.code).toBe('record.missing')
  const wish = { flt_id: await w.addVehicle({ customer: w.customers.b }), tyres: [{ db_id: tyre }], tyre_set: 'Winter' }
  expect((await w.ask(moves.tyres, w.who.a, wish)).refusal.code).toBe('record.missing')
})

test('while it is in an open operation or scrapped, it stays', async () => {
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
  const tyre = await w.addTyre({ vehicle: await w.addVehicle({}), status: 'waste' })
  expect((await refit(tyre, to)).refusal.code).toBe('tyre.status_refused')
  const [wheel] = (await w.ask(cards.read, w.who.admin, { tyre })).answer.wheels
  expect(wheel?.actions).not.toContain('refit')
})

const put = (tyres: readonly number[]) => tyres.map(db_id => ({ db_id }))
const vehicleOf = async (flt_id: number, who = w.who.a) => (await w.ask(fleet.vehicle, who, { flt_id })).answer

test('a customer moves a whole set, which keeps its places and positions, and moves it back', async () => {
  const { from, to, place } = await both()
  const set = await w.addSet({ vehicle: from, set: 'Snow', status: 'in_stock', location: place })
  const wish = { flt_id: to, tyres: put(set), tyre_set: 'Snow' }
  expect((await w.ask(moves.tyres, w.who.a, { ...wish, expected: to })).refusal.code).toBe('record.changed')
  const { answer } = await w.ask(moves.tyres, w.who.a, { ...wish, expected: from })
  expect(
    answer.map(({ flt_id, position, tyre_set, tyre_status }) => [flt_id, position, tyre_set, tyre_status]),
  ).toEqual(['1A', '1B', '2A', '2B'].map(position => [to, position, 'Snow', 'in_stock']))
  expect(await w.query('select distinct location_id from tyre where id = any ($1)', [set])).toEqual([
    { location_id: place },
  ])
  expect((await w.ask(moves.tyres, w.who.a, { ...wish, flt_id: from, expected: to })).status).toBe(200)
  expect((await vehicleOf(from)).tyres.map(({ db_id }) => db_id)).toEqual(expect.arrayContaining(set))
})

test('a set that is mounted is taken off today, and its kilometres stay with the vehicle that it leaves', async () => {
  const from = await w.addVehicle({ config: w.configs.home })
  const to = await w.addVehicle({ config: w.configs.home })
  const set = await w.addSet({ vehicle: from, set: 'Summer', statusDate: '2026-04-01' })
  await w.ask(mounts.change, w.who.a, { flt_id: from, put: put(set), date: '2026-04-03', km: 10_000 })
  const { answer } = await w.ask(moves.tyres, w.who.a, { flt_id: to, tyres: put(set), tyre_set: 'Summer' })
  expect(new Set(answer.map(({ tyre_status }) => tyre_status))).toEqual(new Set(['at_customer']))
  const { answer: periods } = await w.ask(mounts.vehicle, w.who.a, { flt_id: from })
  expect(periods.mounts).toMatchObject(set.map(() => ({ since: '2026-04-03', until: '2026-11-18' })))
})

test('tyres of two vehicles do not go together, nor to a vehicle that left', async () => {
  const { from, to } = await both()
  const one = await w.addTyre({ vehicle: from, set: 'X', position: '1B' })
  const other = await w.addTyre({ vehicle: to, set: 'Y', position: '1B' })
  const wish = { flt_id: to, tyres: put([one, other]), tyre_set: 'Z' }
  expect((await w.ask(moves.tyres, w.who.a, wish)).refusal.code).toBe('operation.tyres_mixed')
})

test('to another customer an administrator moves a set with the ledger split at the day, and each sees only their own', async () => {
  const from = await w.addVehicle({})
  const to = await w.addVehicle({ customer: w.customers.b })
  const [place = 0] = await w.addLocations({ places: 1, capacity: 4, zone: `G${from}` })
  const set = await w.addSet({
    vehicle: from,
    set: 'Snow',
    status: 'in_stock',
    statusDate: '2026-10-01',
    location: place,
  })
  const wish = { flt_id: to, tyres: put(set), tyre_set: 'Snow' }
  expect((await w.ask(moves.tyres, w.who.admin, { ...wish, date: '2026-09-30' })).refusal.code).toBe(
    'vehicle.transfer_date',
  )
  const { status, answer } = await w.ask(moves.tyres, w.who.admin, { ...wish, date: '2026-11-10' })
  expect(status).toBe(200)
  expect(answer.map(({ db_id }) => db_id)).toEqual(set)
  const stays = await w.query(
    `select customer_id as customer, since::text, until::text, count(*)::int as n,
       sum(day_count(owed_days(site_id, tyre_id, since, coalesce(until, '2026-11-18'))))::int as days
     from stay where vehicle_id = any ($1) group by 1, 2, 3 order by 2`,
    [[from, to]],
  )
  expect(stays).toEqual([
    { customer: w.customers.a, since: '2026-10-01', until: '2026-11-10', n: 4, days: 4 * 40 },
    { customer: w.customers.b, since: '2026-11-10', until: null, n: 4, days: 4 * 8 },
  ])
  expect((await vehicleOf(from)).tyres).toEqual([])
  expect((await vehicleOf(to, w.who.b)).tyres.map(({ db_id }) => db_id)).toEqual(set)
  const kinds = async (flt_id: number, who: typeof w.who.a) =>
    new Set((await w.ask(calls.events, who, { flt_id })).answer.map(({ kind }) => kind))
  expect(await kinds(to, w.who.b)).toEqual(new Set(['transferred']))
  expect(await kinds(from, w.who.a)).toContain('transferred')
  const left = (await w.ask(invoicing.lefttyres, w.who.admin, { seq_id: w.customers.a })).answer
  expect(left.filter(({ left_date }) => left_date === '2026-11-10').length).toBeGreaterThanOrEqual(4)
  // the label finds the tyre where it lies
  const [wheel] = (await w.ask(cards.read, w.who.admin, { tyre: set[0] ?? 0 })).answer.wheels
  expect(wheel).toMatchObject({ flt_id: to, location: place, state: 'at_place' })
})

describe('a vehicle leaves', () => {
  /** A vehicle with a stored, a loose and a mounted set, and another one that lacks them. */
  async function leaving() {
    const vehicle = await w.addVehicle({ config: w.configs.home })
    const target = await w.addVehicle({ config: w.configs.home })
    const stored = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock' })
    const loose = await w.addSet({ vehicle, set: 'Old' })
    const mounted = await w.addSet({ vehicle, set: 'Summer' })
    await w.ask(mounts.change, w.who.a, { flt_id: vehicle, put: put(mounted), date: '2026-11-01' })
    return { vehicle, target, stored, loose, mounted }
  }
  const leave = (flt_id: number, groups: object[] = [], who = w.who.a) =>
    w.ask(moves.leave, who, { flt_id, groups } as never)
  const left = async (who = w.who.a) => (await w.ask(moves.left, who, {})).answer

  test('what is stored stays, and is found under what left; the rest goes with it, and its plate is free', async () => {
    const { vehicle, stored } = await leaving()
    const { answer } = await leave(vehicle)
    expect(answer).toEqual({ flt_id: vehicle, left: true, operations: [] })
    const there = (await left()).find(({ flt_id }) => flt_id === vehicle)
    expect(there).toMatchObject({ left_on: '2026-11-18' })
    expect(there?.tyres.map(({ db_id }) => db_id)).toEqual(stored)
    expect(there?.tyres.every(({ flt_id }) => flt_id === vehicle)).toBe(true)
    expect((await w.ask(fleet.fetch, w.who.a, {})).answer.map(({ flt_id }) => flt_id)).not.toContain(vehicle)
    expect(await left(w.who.b)).toEqual([])
    const again = {
      license_plate: there?.license_plate ?? '',
      brand: 'Volvo',
      description: 'V60',
      type: there?.type ?? '',
      configuration: there?.configuration ?? '',
    }
    expect((await w.ask(fleet.new, w.who.a, { vehicleData: again })).status).toBe(200)
    // it can still be recalled
    const recall = { operation: { flt_id: vehicle, tyres: stored, operationType: 'to_customer' as const } }
    expect((await w.ask(operations.new, w.who.a, recall)).status).toBe(200)
  })

  test('each set moves, stays, is recalled or scrapped as it is said', async () => {
    const { vehicle, target, stored, loose, mounted } = await leaving()
    const { answer } = await leave(vehicle, [
      { tyres: stored, action: 'recall' },
      { tyres: loose, action: 'keep' },
      { tyres: mounted, action: 'move', to: target, tyre_set: 'Summer' },
    ])
    expect(answer).toMatchObject({ left: true, operations: [expect.any(Number)] })
    expect((await vehicleOf(target)).tyres.map(({ db_id, tyre_status }) => [db_id, tyre_status])).toEqual(
      mounted.map(db_id => [db_id, 'at_customer']),
    )
    const { tyres } = (await left()).find(({ flt_id }) => flt_id === vehicle) ?? { tyres: [] }
    expect(tyres.filter(({ operation }) => operation !== null).map(({ db_id }) => db_id)).toEqual(stored)
    expect(tyres.map(({ db_id }) => db_id)).toEqual(expect.arrayContaining(loose))
  })

  test('with nothing left it is removed, as it always was', async () => {
    const vehicle = await w.addVehicle({})
    await w.addSet({ vehicle, set: 'Summer' })
    expect((await leave(vehicle)).answer).toEqual({ flt_id: vehicle, left: false, operations: [] })
    expect((await w.ask(fleet.vehicle, w.who.a, { flt_id: vehicle })).refusal.code).toBe('record.missing')
  })

  test('what is stored does not go with it, nothing is named twice, and another customer’s vehicle gets none', async () => {
    const { vehicle, stored, loose } = await leaving()
    const theirs = await w.addVehicle({ customer: w.customers.b, config: w.configs.home })
    const refusals = await Promise.all(
      [
        [{ tyres: stored, action: 'go' }],
        [
          { tyres: loose, action: 'go' },
          { tyres: loose, action: 'keep' },
        ],
        [{ tyres: loose, action: 'move', to: theirs, tyre_set: 'Old' }],
        [{ tyres: loose, action: 'dispose' }],
      ].map(async sets => (await leave(vehicle, sets, w.who.admin)).refusal.code),
    )
    expect(refusals).toEqual(['tyre.status_refused', 'operation.tyres_mixed', 'record.missing', 'tyre.status_refused'])
    expect((await vehicleOf(vehicle)).left_on).toBeNull()
  })
})

test('a vehicle keeps its former plates, and is found by them as long as no other one has them', async () => {
  const vehicle = await w.addVehicle({ plate: '1OLD001' })
  const rename = (license_plate: string) =>
    w.ask(fleet.update, w.who.a, { vehicle: { flt_id: vehicle, license_plate } })
  await rename('1-NEW-001')
  await rename('1-NEW-002')
  expect((await vehicleOf(vehicle)).former_plates).toEqual(['1OLD001', '1NEW001'])
  const byPlate = async (license_plate: string) =>
    (await w.ask(fleet.fetch, w.who.admin, { license_plate })).answer.map(({ flt_id }) => flt_id)
  const bySearch = async (search: string) =>
    (await w.ask(fleet.fetch, w.who.admin, { search })).answer.map(({ flt_id }) => flt_id)
  expect(await byPlate('1-old-001')).toEqual([vehicle])
  expect(await bySearch('1-OLD-001')).toEqual([vehicle])
  const tyre = await w.addTyre({ vehicle, status: 'in_stock' })
  const card = await w.ask(cards.read, w.who.admin, { typed: '1-OLD-001' })
  expect(card.answer.wheels.map(({ db_id }) => db_id)).toEqual([tyre])
  const read = { readings: [{ license_plate: '1-OLD-001', date: '2026-11-10', km: 1200 }] }
  expect((await w.ask(contract.odometers.record, w.who.a, read)).answer.readings).toMatchObject([
    { outcome: 'recorded' },
  ])
  // a Belgian plate goes with its owner to the next car
  const next = await w.addVehicle({ plate: '1OLD001' })
  expect(await byPlate('1OLD001')).toEqual([next])
  await rename('1OLD002')
  await rename('1-NEW-002')
  expect((await vehicleOf(vehicle)).former_plates).toEqual(['1OLD001', '1NEW001', '1OLD002'])
})
