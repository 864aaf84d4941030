/** A program that keeps a copy misses nothing and holds nothing too much (docs/product/files.md "Copies"). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { changes } from '#contract/changes.ts'
import { contract } from '#contract/index.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w.close())

/** A copy of the vehicles that somebody sees, by number, and how to bring it up to date. */
function copyOf(who: Principal, filter: { seq_id?: number; updated_since?: string; limit?: number } = {}) {
  const plates = new Map<number, string>()
  let cursor: string | undefined
  let pages = 0
  return {
    plates,
    pages: () => pages,
    async update() {
      for (let more = true; more;) {
        const { answer, status, text } = await w.ask(changes.vehicles, who, { ...filter, ...(cursor && { cursor }) })
        expect(status, text).toBe(200)
        pages++
        for (const gone of answer.gone) plates.delete(gone)
        // a removed record is history, as is a vehicle that went to another customer for its former one
        for (const { flt_id, license_plate, removed } of answer.records)
          if (removed) plates.delete(flt_id)
          else plates.set(flt_id, license_plate)
        expect(answer.records.length + answer.gone.length).toBeLessThanOrEqual(filter.limit ?? 500)
        ;({ cursor, more } = answer)
      }
    },
  }
}
const rename = (vehicle: number, plate: string) =>
  w.query(`update vehicle set license_plate = $2 where id = $1`, [vehicle, plate])

test('pages through everything, and then through what has changed since', async () => {
  const vehicles = []
  for (let nth = 0; nth < 7; nth++)
    vehicles.push(await w.addVehicle({ customer: w.customers.a, plate: `1COP00${nth}` }))
  const foreign = await w.addVehicle({ customer: w.customers.b, plate: '1COPBBB' })
  const [mine, all] = [copyOf(w.who.a, { limit: 2 }), copyOf(w.who.admin, { limit: 3 })]
  await mine.update()
  await all.update()
  expect([...mine.plates.keys()].toSorted((a, b) => a - b)).toEqual(vehicles)
  expect(mine.pages()).toBe(4)
  expect(all.plates.has(foreign)).toBe(true)

  const before = mine.pages()
  await mine.update()
  expect(mine.pages()).toBe(before + 1)
  await rename(vehicles[3] ?? 0, '1COPNEW')
  await rename(foreign, '1COPFOR')
  await mine.update()
  expect(mine.plates.get(vehicles[3] ?? 0)).toBe('1COPNEW')
  expect(mine.plates.has(foreign)).toBe(false)
  await all.update()
  expect(all.plates.get(foreign)).toBe('1COPFOR')
})

test('begins at a moment', async () => {
  const old = await w.addVehicle({ customer: w.customers.a, plate: '1MOM001' })
  await sleep(20)
  const since = new Date().toISOString()
  const recent = await w.addVehicle({ customer: w.customers.a, plate: '1MOM002' })
  const copy = copyOf(w.who.a, { updated_since: since })
  await copy.update()
  expect(copy.plates.has(recent)).toBe(true)
  expect(copy.plates.has(old)).toBe(false)
})

test('misses nothing that is committed later than what came after it', async () => {
  const vehicle = await w.addVehicle({ customer: w.customers.a, plate: '1LAT001' })
  const copy = copyOf(w.who.a)
  await copy.update()
  const slow = new pg.Client({ connectionString: w.appUrl })
  await slow.connect()
  try {
    await slow.query('begin')
    await slow.query(`select set_config('app.site', $1, true)`, [String(w.sites.home)])
    await slow.query(`update vehicle set license_plate = '1LAT002' where id = $1`, [vehicle])
    // changed after it and committed before it
    const quick = await w.addVehicle({ customer: w.customers.a, plate: '1LAT003' })
    await copy.update()
    expect(copy.plates.get(vehicle)).toBe('1LAT001')
    // it waits for the open transaction
    expect(copy.plates.has(quick)).toBe(false)
    await slow.query('commit')
    await copy.update()
    expect(copy.plates.get(vehicle)).toBe('1LAT002')
    expect(copy.plates.get(quick)).toBe('1LAT003')
  } finally {
    await slow.end()
  }
})

test('drops what went to another customer, or was deleted', async () => {
  const vehicle = await w.addVehicle({ customer: w.customers.a, plate: '1GON001' })
  const [mine, all] = [copyOf(w.who.a), copyOf(w.who.admin)]
  await mine.update()
  await all.update()
  const moved = await w.ask(contract.fleet.transfer, w.who.admin, {
    flt_id: vehicle,
    seq_id: w.customers.b,
    date: new Date().toISOString().slice(0, 10),
  } as never)
  expect(moved.status, moved.text).toBe(200)
  await mine.update()
  await all.update()
  const ofB = copyOf(w.who.b)
  await ofB.update()
  const holders = [mine, ofB].map(({ plates }) => [...plates.values()].filter(plate => plate === '1GON001').length)
  expect(holders).toEqual([0, 1])
  expect([...all.plates.values()].filter(plate => plate === '1GON001')).toHaveLength(1)

  const tyres = await w.addSet({ vehicle: await w.addVehicle({ customer: w.customers.a }), status: 'at_customer' })
  const [{ vehicle_id: vehicleId } = { vehicle_id: 0 }] = await w.query<{ vehicle_id: number }>(
    `select vehicle_id from tyre where id = $1`,
    [tyres[0]],
  )
  const { _id } = (
    await w.ask(contract.operations.new, w.who.a, {
      operation: { flt_id: vehicleId, tyres, operationType: 'to_stock' },
    })
  ).answer
  const first = (await w.ask(changes.operations, w.who.admin, {})).answer
  expect(first.records.find(record => record._id === _id)).toMatchObject({ status: 'pending', tyres, type: 'to_stock' })
  expect((await w.ask(contract.operations.delete, w.who.a, { operation: { _id } } as never)).status).toBe(200)
  for (const who of [w.who.admin, w.who.a]) {
    const next = (await w.ask(changes.operations, who, { cursor: first.cursor })).answer
    expect(next.gone).toContain(_id)
  }
  expect((await w.ask(changes.operations, w.who.b, {})).answer.gone).not.toContain(_id)
})

test('says where a tyre lies and what it has left, unless the site hides it', async () => {
  const vehicle = await w.addVehicle({ customer: w.customers.a })
  const [place] = await w.addLocations({ places: 1, capacity: 4, zone: 'COPY' })
  const tyre = await w.addTyre({ vehicle, position: '1A', status: 'in_stock', depth: 4.5, location: place ?? null })
  const read = async () => (await w.ask(changes.tyres, w.who.a, {})).answer.records.find(({ db_id }) => db_id === tyre)
  expect(await read()).toMatchObject({ stock_site_name: 'Main hall', stock_rack: 'COPY-01-1', profile_depth: 4.5 })
  await w.setSite(w.sites.home, { allow_profile_depth: false })
  expect(await read()).toMatchObject({ profile_depth: null, profile_date: null })
  await w.setSite(w.sites.home, { allow_profile_depth: true })
})

test('refuses a cursor that is none', async () => {
  for (const cursor of ['', 'begin', '2026-11-25T10:00:00Z~1', "2026-11-25T10:00:00.000000Z~1' or 1=1"])
    expect((await w.ask(changes.documents, w.who.a, { cursor })).refusal.code).toBe('request.invalid')
  expect((await w.ask(changes.customers, w.who.admin, {})).answer.records.length).toBeGreaterThan(0)
  expect((await w.ask(changes.customers, w.who.a, {})).status).toBe(403)
})
