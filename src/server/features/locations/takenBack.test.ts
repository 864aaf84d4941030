/** Wheels that are taken off a location again (docs/product/screens.md "Taking back"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { wheels as wheelCalls } from '#contract/wheels.ts'
import type { WheelState } from '#domain/tyres/wheel.ts'
import { clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let w: World
let places: number[] = []
let cart = 0
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  const { admin } = w.who
  await w.ask(locations.make, admin, {
    parent: null,
    levels: [
      { kind: 'site', pattern: 'Hall' },
      { kind: 'zone', pattern: 'A' },
      { kind: 'rack', pattern: '01' },
      { kind: 'place', pattern: '1 to 3' },
    ],
    capacity: 4,
  })
  const [hall] = (await w.ask(locations.all, admin, {})).answer.filter(({ kind }) => kind === 'site')
  await w.ask(locations.make, admin, {
    parent: hall?._id ?? 0,
    levels: [{ kind: 'cart', pattern: 'C1' }],
    capacity: 8,
  })
  const tree = (await w.ask(locations.all, admin, {})).answer
  places = tree.filter(({ kind }) => kind === 'place').map(({ _id }) => _id)
  cart = tree.find(({ kind }) => kind === 'cart')?._id ?? 0
})

const move = (tyres: number[], location: number, by = w.who.admin) => w.ask(locations.move, by, { tyres, location })
const unmove = (location: number, wheels: object[], by = w.who.admin) =>
  w.ask(locations.unmove, by, { location, wheels } as never)
const step = (tyres: number[], what: 'miss' | 'pick') => w.ask(wheelCalls.step, w.who.admin, { tyres, step: what })
type Where = { state: WheelState; location: number | null; kept: number | null }
const where = (tyres: readonly number[]) =>
  w.query<Where>(
    `select w.state, w.location_id as location, coalesce(t.location_id, o.planned_location) as kept from wheel w
     join tyre t on t.site_id = w.site_id and t.id = w.tyre_id
     left join operation_tyre o on o.site_id = w.site_id and o.tyre_id = w.tyre_id and o.open
     where w.tyre_id = any ($1) order by array_position($1, w.tyre_id)`,
    [tyres],
  )
const stored = async (location: number | null) => {
  const vehicle = await w.addVehicle({})
  return w.addTyre({ vehicle, status: 'in_stock', location })
}

test('wheels go back to where each was: a place, a cart, the hall, a hand, the list of the missing', async () => {
  const [first = 0, second = 0, target = 0] = places
  const [placed, carried, loose, picked, missing] = [
    await stored(first),
    await stored(second),
    await stored(null),
    await stored(first),
    await stored(second),
  ]
  await move([carried], cart)
  await step([picked], 'pick')
  await step([missing], 'miss')
  const [firstPair, others] = [
    [placed, carried],
    [loose, picked],
  ]
  const before = await where([...firstPair, ...others, missing])
  for (const tyres of [firstPair, others, [missing]]) {
    const put = await move(tyres, target)
    expect(put.status, put.text).toBe(200)
    expect(put.answer.former.map(({ db_id }) => db_id)).toEqual(tyres)
    expect(await where(tyres)).toEqual(tyres.map(() => ({ state: 'at_place', location: target, kept: target })))
    const back = await unmove(target, put.answer.former)
    expect([back.status, back.answer.returned], back.text).toEqual([200, tyres])
  }
  expect(await where([...firstPair, ...others, missing])).toEqual(before)
  expect(before.map(wheel => wheel?.state)).toEqual(['at_place', 'on_cart', 'received', 'picked', 'missing'])
})

test('wheels of a storage are expected again, with the place that was kept for them', async () => {
  const [first = 0, second = 0] = places
  const vehicle = await w.addVehicle({})
  const tyres = [await w.addTyre({ vehicle, position: '1A' }), await w.addTyre({ vehicle, position: '1B' })]
  const reply = await w.ask(operations.new, w.who.a, {
    operation: { flt_id: vehicle, tyres, operationType: 'to_stock' },
  })
  const { _id } = reply.answer
  await w.ask(operations.update, w.who.a, { operation: { _id, status: 'submitted' } })
  await w.ask(locations.plan, w.who.admin, { operation: _id })
  const before = await where(tyres)
  expect(before.map(wheel => wheel?.state)).toEqual(['expected', 'expected'])
  const other = before[0]?.kept === first ? second : first
  const put = await move(tyres, other)
  expect((await where(tyres))[0]?.state).toBe('at_place')
  const back = await unmove(other, put.answer.former)
  expect(back.status, back.text).toBe(200)
  expect(await where(tyres)).toEqual(before)
})

test('a wheel that anybody has moved since stays, and with it all of them', async () => {
  const [first = 0, second = 0, third = 0] = places
  const tyres = [await stored(first), await stored(first)]
  const put = await move(tyres, second)
  await move(tyres.slice(0, 1), third)
  expect((await unmove(second, put.answer.former)).refusal.code).toBe('record.changed')
  expect((await where(tyres))[1]?.location).toBe(second)
  // and back on the place
  await move(tyres.slice(0, 1), second)
  const { former } = put.answer
  expect((await unmove(second, former)).status).toBe(200)
  expect((await unmove(second, former)).refusal.code).toBe('record.changed')
})

test('a place that is full by now takes no wheel back', async () => {
  const [first = 0, second = 0] = places
  const tyre = await stored(first)
  const put = await move([tyre], second)
  for (let nth = 0; nth < 4; nth++) await stored(first)
  expect((await unmove(second, put.answer.former)).refusal).toMatchObject({
    code: 'location.full',
    params: { free: 0, needed: 1 },
  })
  expect((await where([tyre]))[0]?.location).toBe(second)
})

test('a wheel goes to no cart as to a place, nor to a place as to a cart', async () => {
  const [first = 0, second = 0] = places
  const tyre = await stored(first)
  await move([tyre], second)
  for (const wrong of [
    { state: 'on_cart', location: first, kept: first },
    { state: 'at_place', location: cart, kept: cart },
  ])
    expect((await unmove(second, [{ db_id: tyre, ...wrong }])).refusal.code).toBe('wheel.step')
  expect((await unmove(second, [{ db_id: tyre, state: 'at_place', location: null, kept: null }])).refusal.code).toBe(
    'record.missing',
  )
})
