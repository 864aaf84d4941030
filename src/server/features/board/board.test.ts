/** The season board: done, requested and expected work by day (docs/product/season.md "Season board"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addDays } from '#domain/texts/date.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { board, waves } = contract
/** A Wednesday; the board begins on Monday 16 November. */
const now = new Date('2026-11-18T10:00:00Z')
let w: World
let transport: number

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query(`delete from tyre; delete from closed_day; delete from location`)
  await w.setSite(w.sites.home, { time_zone: 'Europe/Brussels' })
  transport = await addTransport(w)
})

const read = async () => (await w.ask(board.read, w.who.admin, {})).answer
const dayOf = async (day: string) => (await read()).days.find(candidate => candidate.day === day)
const recall = (deliveryDate: string, location: number | null = null) =>
  (async () => {
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location })
    return addOperation(w, { vehicle, tyres, type: 'to_customer', status: 'submitted', transport, deliveryDate })
  })()

/** A year and more of sets that came and went on the same days of each week. */
async function history(perDay: { in: number; out: number }) {
  const vehicle = await w.addVehicle({})
  await w.query(
    `insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, submitted_at, handled_at)
     select v.site_id, v.customer_id, v.id, flow.type, 'confirmed', flow.tyres, at, at
     from vehicle v, generate_series($2::timestamptz, $3::timestamptz, interval '7 days') at,
       (values ('to_stock', $4::int), ('to_customer', $5::int)) flow(type, tyres)
     where v.id = $1`,
    [vehicle, '2024-06-04T09:00:00Z', '2026-11-17T09:00:00Z', perDay.in, perDay.out],
  )
}

test('a day has the wheels of the operations that were confirmed on it, by the calendar of the site', async () => {
  // half past midnight in Brussels is the day before in London
  await addOperation(w, { type: 'to_stock', status: 'confirmed', handledAt: new Date('2026-11-16T23:30:00Z') })
  await addOperation(w, { type: 'to_waste', status: 'confirmed', handledAt: new Date('2026-11-17T10:00:00Z') })
  await addOperation(w, { type: 'to_customer', status: 'cancelled', handledAt: new Date('2026-11-17T10:00:00Z') })
  const { days } = await read()
  expect(days[0]).toMatchObject({ day: '2026-11-16', done: { in: 0, out: 0 } })
  expect(days[1]).toMatchObject({ day: '2026-11-17', done: { in: 4, out: 4 }, expected: { in: 4, out: 4 } })
})

test('submitted recalls are asked for their day, and count for their transport; drafts are not', async () => {
  await recall('2026-11-20')
  await recall('2026-11-20')
  await recall('2026-11-17')
  await addOperation(w, { type: 'to_customer', status: 'pending', transport, deliveryDate: '2026-11-20' })
  const answer = await read()
  expect(answer.days.find(({ day }) => day === '2026-11-20')).toMatchObject({
    asked: { in: 0, out: 8 },
    expected: { in: 0, out: 8 },
    transports: [{ transport, operation_count: 2, tyre_count: 8, arrivals: 0, arriving_tyres: 0 }],
  })
  expect(answer.late).toBe(4)
  expect(answer.transports.map(({ _id }) => _id)).toContain(transport)
})

test('storages that arrive are asked for their day, with or without a transport; late ones are in no day', async () => {
  const arriving = { type: 'to_stock', status: 'submitted' } as const
  await addOperation(w, { ...arriving, transport, deliveryDate: '2026-11-20' })
  await addOperation(w, { ...arriving, deliveryDate: '2026-11-20' })
  await addOperation(w, { ...arriving, deliveryDate: '2026-11-17' })
  const { undated } = await read()
  expect(undated).toEqual({ in: 4, out: 0 })
  expect(await dayOf('2026-11-20')).toMatchObject({
    asked: { in: 8, out: 0 },
    transports: [{ transport, operation_count: 0, tyre_count: 0, arrivals: 1, arriving_tyres: 4 }],
  })
})

test('storages and disposals without a date are said to have none, and are in no day', async () => {
  await addOperation(w, { type: 'to_stock', status: 'submitted' })
  await addOperation(w, { type: 'to_waste', status: 'submitted' })
  const { undated, days } = await read()
  expect(undated).toEqual({ in: 4, out: 4 })
  expect(days.every(day => day.asked.in + day.asked.out === 0)).toBe(true)
})

test('closed days are named, and have no forecast wheels', async () => {
  await history({ in: 8, out: 4 })
  await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
  await w.query(`update operation set tyre_count = 8 where type = 'to_customer'`)
  await w.query(`insert into closed_day (site_id, day, holiday, name) values ($1, '2026-12-01', null, 'Stocktaking')`, [
    w.sites.home,
  ])
  const { days, forecast } = await read()
  expect(forecast).toEqual({ stored: 4, stored_last_year: 4, error: { in: 0, out: 0, weeks: 48 } })
  const closed = days.find(({ day }) => day === '2026-12-01')
  expect(closed).toMatchObject({ closed: { holiday: null, name: 'Stocktaking' }, forecast: { in: 0, out: 0 } })
  expect(days.find(({ day }) => day === '2026-11-24')).toMatchObject({ closed: null, forecast: { in: 8, out: 8 } })
})

test('a site without a year behind it has no forecast', async () => {
  await addOperation(w, { type: 'to_stock', status: 'confirmed', handledAt: new Date('2026-10-01T10:00:00Z') })
  const { forecast, days } = await read()
  expect(forecast).toBeNull()
  expect(days.every(day => day.forecast === null)).toBe(true)
})

test('places are counted by what they take, carts and lanes are none, and what lies nowhere is said', async () => {
  const [wide = 0, narrow = 0] = await w.addLocations({ places: 2, capacity: 8 })
  await w.query(`update location set fit_diameter = 650 where id = $1`, [narrow])
  await w.query(
    `insert into location (site_id, kind, name, site_name, path, carries) values ($1, 'lane', 'L1', 'Hall', 'L1', 40)`,
    [w.sites.home],
  )
  await recall('2026-11-20', wide)
  await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: wide })
  await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
  const { classes, stored, unplaced } = await read()
  expect({ stored, unplaced }).toEqual({ stored: 12, unplaced: 4 })
  expect(
    classes.map(({ diameter, place_count, capacity, held: heldCount, weeks }) => [
      diameter,
      place_count,
      capacity,
      heldCount,
      weeks.at(-1),
    ]),
  ).toEqual([
    [650, 1, 8, 0, 0],
    [null, 1, 8, 8, 4],
  ])
})

test('customers whose tyres came twelve months ago or earlier are listed, most wheels first', async () => {
  const vehicle = await w.addVehicle({ customer: w.customers.a })
  await w.addSet({ vehicle, status: 'in_stock', statusDate: '2025-11-18' })
  await w.addTyre({ vehicle, status: 'in_stock', set: null, statusDate: '2025-01-02', position: '1A' })
  await w.addSet({
    vehicle: await w.addVehicle({ customer: w.customers.b }),
    status: 'in_stock',
    statusDate: '2025-11-19',
  })
  const { answer } = await w.ask(board.unmoved, w.who.admin, {})
  expect(answer).toEqual([
    {
      seq_id: w.customers.a,
      companyname: 'Garage Alfa NV',
      city: 'Gent',
      sets: 1,
      wheel_count: 5,
      since: '2025-01-02',
    },
  ])
})

test('the waves of a day are planned at once, for each transport, and none is planned twice', async () => {
  const places = await w.addLocations({ places: 3, capacity: 8 })
  for (const place of places) await recall('2026-11-19', place)
  const other = await addTransport(w)
  await w.query(`update operation set transport_id = $1 where id = (select max(id) from operation)`, [other])
  await recall('2026-11-20')
  const planned = await w.ask(waves.planday, w.who.admin, { day: '2026-11-19' })
  expect(planned.answer.waves.map(wave => [wave.transport, wave.line_count, wave.wheel_count])).toEqual([
    [transport, 2, 8],
    [other, 1, 4],
  ])
  expect((await w.ask(waves.planday, w.who.admin, { day: '2026-11-19' })).refusal.code).toBe('wave.empty')
  const { due } = (await w.ask(waves.all, w.who.admin, {})).answer
  expect(due.map(({ day, free_count }) => [day, free_count])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-19', 0],
    ['2026-11-20', 4],
  ])
})

test('more wheels than a wave takes make several', async () => {
  const vehicle = await w.addVehicle({})
  const tyres: number[] = []
  for (let nth = 0; nth < 51; nth++) tyres.push(...(await w.addSet({ vehicle, status: 'in_stock', set: `Set ${nth}` })))
  for (const part of [tyres.slice(0, 100), tyres.slice(100, 200), tyres.slice(200)])
    await addOperation(w, {
      vehicle,
      tyres: part,
      type: 'to_customer',
      status: 'submitted',
      transport,
      deliveryDate: '2026-11-19',
    })
  for (let nth = 0; nth < 2; nth++) {
    const more = await w.addVehicle({})
    const all: number[] = []
    for (let set = 0; set < 30; set++)
      all.push(...(await w.addSet({ vehicle: more, status: 'in_stock', set: `Set ${set}` })))
    await addOperation(w, {
      vehicle: more,
      tyres: all,
      type: 'to_customer',
      status: 'submitted',
      transport,
      deliveryDate: '2026-11-19',
    })
  }
  const { answer } = await w.ask(waves.planday, w.who.admin, { day: '2026-11-19' })
  expect(answer.waves.length).toBeGreaterThan(1)
  expect(answer.waves.reduce((sum, { wheel_count }) => sum + wheel_count, 0)).toBe(444)
  expect(await dayOf(addDays('2026-11-18', 1))).toMatchObject({ asked: { in: 0, out: 444 } })
})
