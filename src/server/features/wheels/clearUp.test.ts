/** Carts and lanes, disorder in the warehouse, and orphans (docs/product/warehouse.md "To clear up"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobKind } from '#domain/warehouse/clearUp.ts'
import { contract } from '#contract/index.ts'
import { addOperation, clear, missing as nothing } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { operations, locations, wheels: calls } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query('delete from orphan; delete from settled_job; delete from location_scan')
  await clear(w)
  await w.query(`delete from tyre`)
})

const put = (location: number, ...tyres: number[]) => w.ask(locations.move, w.who.admin, { tyres, location })
const wheel = async (tyre: number | undefined) =>
  (
    await w.query<{ state: string; location: number | null }>(
      'select state, location_id as location from wheel where tyre_id = $1',
      [tyre],
    )
  )[0]
const listed = async (kind: JobKind) => {
  const { counts, jobs } = (await w.ask(calls.clearup, w.who.admin, {})).answer
  const matches = jobs.filter(job => job.kind === kind)
  expect(counts[kind]).toBe(matches.length)
  expect((await w.ask(calls.tally, w.who.admin, {})).answer).toEqual(counts)
  return matches
}
const carriers = async () => {
  await w.ask(locations.make, w.who.admin, { parent: null, levels: [{ kind: 'site', pattern: 'Hall' }], capacity: 0 })
  const parent = (await w.query<{ id: number }>(`select id from location where kind = 'site'`))[0]?.id ?? 0
  for (const [kind, pattern] of [
    ['cart', 'K1 to K2'],
    ['lane', 'L1'],
  ] as const)
    expect(
      (await w.ask(locations.make, w.who.admin, { parent, levels: [{ kind, pattern }], capacity: 6 })).status,
    ).toBe(200)
  const all = (await w.ask(locations.all, w.who.admin, {})).answer
  const idOf = (rack: string) => all.find(({ stock_rack }) => stock_rack === rack)?._id ?? 0
  return { cart: idOf('K1'), lane: idOf('L1'), all: async () => (await w.ask(locations.all, w.who.admin, {})).answer }
}

describe('a cart or a lane', () => {
  test('carries wheels on their way: their places are kept, put-away never chooses it, and it has a limit', async () => {
    const { cart, lane, all } = await carriers()
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w, { status: 'submitted', scanned: true })
    expect((await put(cart, ...operation.tyres)).answer).toMatchObject({ stock_rack: 'K1', planned: operation.tyres })
    expect(await wheel(operation.tyres[0])).toEqual({ state: 'on_cart', location: cart })
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id } })
    expect(await w.query('select distinct location_id as at from tyre where id = any ($1)', [operation.tyres])).toEqual(
      [{ at: place }],
    )
    expect(await wheel(operation.tyres[0])).toEqual({ state: 'on_cart', location: cart })
    expect((await all()).find(({ _id }) => _id === cart)).toMatchObject({ capacity: 6, tyre_count: 4 })
    expect(
      (await w.ask(locations.tyres, w.who.admin, { _id: cart })).answer.map(({ db_id }) => db_id).toSorted(),
    ).toEqual(operation.tyres)
    const others = await addOperation(w, { status: 'submitted', scanned: true })
    expect((await put(cart, ...others.tyres)).answer).toMatchObject({ code: 'location.full' })
    expect((await w.ask(locations.remove, w.who.admin, { _id: cart })).answer).toMatchObject({
      code: 'location.in_use',
    })
    await put(place, ...operation.tyres)
    expect(await wheel(operation.tyres[0])).toEqual({ state: 'at_place', location: place })
    await put(lane, ...operation.tyres)
    expect(await wheel(operation.tyres[0])).toEqual({ state: 'staged', location: lane })
    // a wheel that is not in stock cannot wait at the lane
    expect((await put(lane, ...others.tyres.slice(0, 1))).status).toBe(409)
  })

  test('takes a wheel off its place before the storage is confirmed, and the place stays kept for it', async () => {
    const { cart } = await carriers()
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const { tyres } = await addOperation(w, { status: 'submitted', scanned: true })
    await put(place, ...tyres)
    await put(cart, ...tyres)
    expect(await wheel(tyres[0])).toEqual({ state: 'on_cart', location: cart })
    expect(
      await w.query('select distinct planned_location as at, placed from operation_tyre where tyre_id = any ($1)', [
        tyres,
      ]),
    ).toEqual([{ at: place, placed: false }])
  })
})

describe('put-away', () => {
  const store = async (vehicle: number, tyres: number[], rims: string | null = null) => {
    const operation = await addOperation(w, { status: 'submitted', vehicle, tyres })
    await w.query('update operation set with_rims = $2 where id = $1', [operation.id, rims])
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id }, anyway: true, here: 'all' })
    return (await wheel(tyres[0]))?.location
  }

  test('takes the place that the vehicle’s other set has just left', async () => {
    const [, second = 0] = await w.addLocations({ places: 3, capacity: 4 })
    const vehicle = await w.addVehicle({})
    const winter = await w.addSet({ vehicle, status: 'in_stock', location: second })
    const recall = await addOperation(w, {
      type: 'to_customer',
      status: 'submitted',
      vehicle,
      tyres: winter,
      scanned: true,
    })
    await w.query(
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, location_id)
      select site_id, id, customer_id, vehicle_id, 'moved', location_id from tyre where id = any ($1)`,
      [winter],
    )
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: recall.id } })
    expect(await store(vehicle, await w.addSet({ vehicle, set: 'Summer' }))).toBe(second)
  })

  test('passes by what is too small, too weak or made for wheels with rims; a class holds for what is below', async () => {
    await w.ask(locations.make, w.who.admin, {
      parent: null,
      levels: [
        { kind: 'site', pattern: 'Hall' },
        { kind: 'rack', pattern: 'R1 to R4' },
        { kind: 'place', pattern: '1' },
      ],
      capacity: 4,
    })
    const all = (await w.ask(locations.all, w.who.admin, {})).answer
    const idOf = (rack: string) => all.find(({ stock_rack }) => stock_rack === rack)?._id ?? 0
    const classify = (rack: string, its: object) => w.ask(locations.edit, w.who.admin, { _id: idOf(rack), ...its })
    // 205/55R16: 632 mm, 205 mm, some 11 kg, and some 23 kg with its rim
    await classify('R1', { maxDiameter: 630 })
    await classify('R2', { maxWeight: 15 })
    expect((await classify('R3', { takes: 'tyre' })).answer).toMatchObject({ takes: 'tyre', maxDiameter: null })
    const stored = async (rims: string | null) => {
      const vehicle = await w.addVehicle({})
      return store(vehicle, await w.addSet({ vehicle }), rims)
    }
    expect(await stored('steel')).toBe(idOf('R4-1'))
    expect(await stored(null)).toBe(idOf('R2-1'))
    expect(await stored(null)).toBe(idOf('R3-1'))
    await classify('R1', { maxDiameter: null })
    expect(await stored(null)).toBe(idOf('R1-1'))
  })
})

describe('to clear up', () => {
  test('a missing wheel, until it is found or its search is closed', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 8 })
    const [first = 0, second = 0] = await w.addSet({
      vehicle: await w.addVehicle({}),
      status: 'in_stock',
      location: place,
    })
    const step = (name: 'miss' | 'find' | 'pick' | 'hand_back', ...tyres: number[]) =>
      w.ask(calls.step, w.who.admin, { tyres, step: name })
    expect((await step('miss', first, second)).answer).toEqual({ state: 'missing' })
    expect((await listed('missing')).map(({ tyres, stock_rack }) => [tyres, stock_rack])).toEqual([
      [[first], 'A-01-1'],
      [[second], 'A-01-1'],
    ])
    expect((await step('hand_back', first)).answer).toMatchObject({ code: 'wheel.step' })
    await step('find', first)
    expect(await wheel(first)).toEqual({ state: 'received', location: null })
    expect((await w.ask(calls.close, w.who.admin, { db_id: second, reason: 'It lies there' })).answer).toEqual({
      state: 'at_place',
    })
    expect(await listed('missing')).toEqual([])
    expect((await w.ask(calls.close, w.who.admin, { db_id: second, reason: 'again' })).answer).toMatchObject({
      code: 'wheel.step',
    })
    expect((await step('find', nothing)).answer).toMatchObject({ code: 'record.missing' })
  })

  test('a wheel that an operation missed: finding it ends the search of the desk, too', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    await w.ask(operations.markscan, w.who.admin, { tyres: operation.tyres.slice(1).map(tyreId => ({ tyreId })) })
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id }, anyway: true })
    expect((await listed('missing')).map(({ tyres }) => tyres)).toEqual([[operation.tyres[0]]])
    expect((await w.ask(operations.missing, w.who.admin, {})).answer).toHaveLength(1)
    await w.ask(calls.step, w.who.admin, { tyres: operation.tyres.slice(0, 1), step: 'find' })
    expect((await w.ask(operations.missing, w.who.admin, {})).answer).toEqual([])
  })

  test('a wheel that has stood in the hall for more than a day', async () => {
    const { tyres } = await addOperation(w, { status: 'submitted' })
    await w.ask(operations.markscan, w.who.admin, { tyres: tyres.map(tyreId => ({ tyreId })) })
    await w.query(`update wheel set since = $1`, [new Date('2026-11-09T12:00:00Z')])
    expect(await listed('resting')).toEqual([])
    await w.query(`update wheel set since = $1 where tyre_id = $2`, [new Date('2026-11-09T09:00:00Z'), tyres[2]])
    expect((await listed('resting')).map(job => job.tyres)).toEqual([[tyres[2]]])
  })

  test('wheels that were entered without a place: a job for each customer, until they are put on one', async () => {
    const first = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    const second = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    const third = await w.addSet({ vehicle: await w.addVehicle({ customer: w.customers.b }), status: 'in_stock' })
    await w.query(`update wheel set since = $1`, [new Date('2026-10-01T09:00:00Z')])
    expect((await listed('unplaced')).map(job => [job.seq_id, job.tyres])).toEqual([
      [w.customers.a, [...first, ...second]],
      [w.customers.b, third],
    ])
    expect(await listed('resting')).toEqual([])
    const [place = 0] = await w.addLocations({ places: 1, capacity: 8 })
    await put(place, ...first, ...second)
    expect((await listed('unplaced')).map(job => job.tyres)).toEqual([third])
  })

  test('a set with three, a set in parts, and a place over its capacity, until somebody says that it is right', async () => {
    const [wide = 0, other = 0] = await w.addLocations({ places: 2, capacity: 8 })
    const set = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: wide })
    const three = (await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: wide })).slice(0, 3)
    await w.query(`update tyre set status = 'at_customer', location_id = null where id = (select max(id) from tyre)`)
    expect((await listed('three')).map(job => job.tyres)).toEqual([three])
    expect(await listed('split')).toEqual([])
    await put(other, set[0] ?? 0)
    const [split] = await listed('split')
    expect([split?.tyres, split?.location]).toEqual([set, wide])
    await w.query('update location set capacity = 5 where id = $1', [wide])
    expect((await listed('over')).map(({ location }) => location)).toEqual([wide])
    for (const kind of ['three', 'over'] as const) {
      const [job] = await listed(kind)
      await w.ask(calls.settle, w.who.admin, { kind, key: job?.key ?? '', reason: 'as agreed' })
      expect(await listed(kind)).toEqual([])
    }
    await put(wide, set[0] ?? 0)
    await w.query('update location set capacity = 8 where id = $1', [wide])
    await put(wide, set[0] ?? 0)
    expect(await listed('split')).toEqual([])
  })

  test('a storage that was confirmed without a scan, until the wheel is seen', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w, { status: 'submitted' })
    await w.ask(operations.markscan, w.who.admin, { tyres: operation.tyres.slice(1).map(tyreId => ({ tyreId })) })
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id }, anyway: true, here: 'all' })
    expect((await listed('anyway')).map(job => job.tyres)).toEqual([[operation.tyres[0]]])
    await put(place, operation.tyres[0] ?? 0)
    expect(await listed('anyway')).toEqual([])
  })
})

describe('an orphan', () => {
  const register = async (orphan: object) =>
    (await w.ask(calls.orphan, w.who.admin, { size: '', ...orphan })).answer.orphan
  const candidates = async (orphan: number) => (await w.ask(calls.candidates, w.who.admin, { orphan })).answer

  test('is likeliest the missing wheel of its size, then one of an incomplete set; each with why', async () => {
    const vehicle = await w.addVehicle({})
    const set = await w.addSet({ vehicle, status: 'in_stock' })
    const [, , , fourth = 0] = set
    await w.query(`update tyre set status = 'at_customer' where id = $1`, [fourth])
    const lost = await w.addTyre({ vehicle: await w.addVehicle({}), status: 'in_stock', depth: 3 })
    const elsewhere = await w.addTyre({ vehicle: await w.addVehicle({}) })
    await w.ask(calls.step, w.who.admin, { tyres: [lost], step: 'miss' })
    const orphan = await register({ size: '205/55 R16', brand: 'michelin', pattern: 'Alpin 6', depth: 7.4 })
    expect((await listed('orphan')).map(job => [job.orphan, job.description])).toEqual([
      [orphan, 'michelin Alpin 6 205/55 R16'],
    ])
    const ranked = await candidates(orphan)
    expect(ranked.map(({ db_id, why }) => [db_id, why])).toEqual([
      [lost, ['missing', 'size', 'brand', 'pattern']],
      [fourth, ['set', 'size', 'brand', 'pattern', 'depth']],
    ])
    expect(ranked.map(({ db_id }) => db_id)).not.toContain(elsewhere)
    expect(await candidates(await register({ size: '225/45 R17' }))).toEqual([])
  })

  test('becomes the tyre that somebody says it is, once', async () => {
    const lost = await w.addTyre({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    await w.ask(calls.step, w.who.admin, { tyres: [lost], step: 'miss' })
    const orphan = await register({ note: 'no label, red valve caps' })
    const identify = () => w.ask(calls.identify, w.who.admin, { orphan, db_id: lost })
    expect((await identify()).answer).toEqual({ state: 'received' })
    expect((await identify()).answer).toMatchObject({ code: 'record.missing' })
    expect(await listed('orphan')).toEqual([])
    expect(
      await w.query(`select step, account_id as by from tyre_event where tyre_id = $1 and step = 'identify'`, [lost]),
    ).toEqual([{ step: 'identify', by: w.who.admin.account }])
  })

  test('is given up with a reason', async () => {
    const orphan = await register({ brand: 'Nokian' })
    expect((await w.ask(calls.dismiss, w.who.admin, { orphan, reason: 'scrapped' })).status).toBe(200)
    expect(await listed('orphan')).toEqual([])
    expect((await w.ask(calls.candidates, w.who.admin, { orphan: nothing })).answer).toMatchObject({
      code: 'record.missing',
    })
  })
})
