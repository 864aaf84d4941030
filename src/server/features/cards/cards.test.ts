/** The card of a scan or of typed text, and the actions it then offers (docs/product/warehouse.md "The card of a scan"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation, addService, clear, type Made } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { cards, locations, operations, tyres, wheels } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(() => clear(w))

type CardInput = { tyre: number } | { location: number } | { typed: string }
const read = async (input: CardInput) => (await w.ask(cards.read, w.who.admin, input)).answer
const wheel = async (tyre = 0) => {
  const [first] = (await read({ tyre })).wheels
  if (!first) throw new Error(`no card of ${tyre}`)
  return first
}
const ids = async (input: CardInput) => (await read(input)).wheels.map(({ db_id }) => db_id)
const scan = (...ids: number[]) =>
  w.ask(operations.markscan, w.who.admin, { tyres: ids.map(tyreId => ({ tyreId, scanId: randomUUID() })) })
const put = (location: number, ...ids: number[]) => w.ask(locations.move, w.who.admin, { tyres: ids, location })
const unscan = (...ids: number[]) => w.send(operations.unscan.path, w.who.admin, { tyres: ids })
const submit = ({ id }: Made) => w.ask(operations.update, w.who.admin, { operation: { _id: id, status: 'submitted' } })

describe('the card of a wheel', () => {
  test('says whose it is, where it is, its operation with its services, its last three events, and what may be done', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const service = await addService(w)
    const vehicle = await w.addVehicle({ customer: w.customers.a, plate: '1XYZ987' })
    const operation = await addOperation(w, { vehicle, services: [service] })
    await submit(operation)
    const [first = 0, second = 0] = operation.tyres
    await scan(first)
    await put(place, first)
    expect(await wheel(first)).toMatchObject({
      db_id: first,
      flt_id: vehicle,
      seq_id: w.customers.a,
      companyname: 'Garage Alfa NV',
      license_plate: '1XYZ987',
      position: '1A',
      tyre_status: 'at_customer',
      state: 'at_place',
      location: place,
      kept_location: null,
      operation: {
        _id: operation.id,
        type: 'to_stock',
        status: 'submitted',
        scanned: true,
        services: [service],
        tyre_count: 4,
        done: 1,
      },
      actions: ['place', 'measure', 'damage', 'photo', 'label', 'unscan', 'miss'],
    })
    const { events } = await wheel(first)
    expect(events).toHaveLength(3)
    expect(events.map(({ step }) => step)).toContain('place')
    // the rest of the set has a place kept there
    expect(await wheel(second)).toMatchObject({ state: 'expected', location: null, kept_location: place })
    expect((await wheel(second)).actions).toEqual(['store', 'place', 'measure', 'damage', 'photo', 'label', 'miss'])
  })

  test('says the day alone where its records know no time, and of an expected one when the storage was submitted', async () => {
    const stored = await w.addTyre({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    const operation = await addOperation(w, {})
    const [coming = 0] = operation.tyres
    await submit(operation)
    await w.query('update operation set submitted_at = $2 where id = $1', [operation.id, '2026-11-09T08:34:56Z'])
    // as a database is whose wheels were made from its records
    await w.query(`update wheel set step = '', since = '2026-11-08' where tyre_id = any ($1)`, [[stored, coming]])
    expect(await wheel(stored)).toMatchObject({ since_day: '2026-11-08' })
    const expected = await wheel(coming)
    expect(expected).toMatchObject({ state: 'expected', since_day: null })
    expect(Date.parse(expected.since)).toBe(Date.parse('2026-11-09T08:34:56Z'))
    await scan(coming)
    expect(await wheel(coming)).toMatchObject({ state: 'received', since_day: null })
  })

  test('of nothing, of another site, and of a tyre that was removed is empty', async () => {
    const theirs = await w.addTyre({ vehicle: await w.addVehicle({ customer: w.customers.other }) })
    const gone = await w.addTyre({ vehicle: await w.addVehicle({}) })
    await w.query('update tyre set removed_at = now() where id = $1', [gone])
    for (const tyre of [theirs, gone, 2 ** 31 - 1]) expect(await ids({ tyre })).toEqual([])
  })

  test('carries no depth where the site hides it, nor that it was measured', async () => {
    const {
      tyres: [tyre = 0],
    } = await addOperation(w, { type: 'to_customer' })
    const readings = [{ db_id: tyre, profile_depth: 3.33, profile_date: '2026-11-10' }]
    await w.ask(tyres.measure, w.who.admin, { readings, deeper: true })
    expect(await wheel(tyre)).toMatchObject({ profile_depth: 3.33, events: [{ kind: 'measured', depth: 3.33 }] })
    await w.setSite(w.sites.home, { allow_profile_depth: false })
    const { events, actions, ...rest } = await wheel(tyre)
    await w.setSite(w.sites.home, { allow_profile_depth: true })
    expect(rest).toMatchObject({ profile_depth: null, profile_date: null })
    expect(events.map(({ kind }) => kind)).not.toContain('measured')
    expect(actions).not.toContain('measure')
  })
})

describe('the operation on a card', () => {
  test('names what of it is missing, and counts that as scanned no more', async () => {
    const operation = await addOperation(w)
    await submit(operation)
    const [first = 0, second = 0] = operation.tyres
    await scan(...operation.tyres)
    expect((await wheel(first)).operation).toMatchObject({ done: 4, missing: [] })
    await w.ask(wheels.step, w.who.admin, { tyres: [second], step: 'miss' })
    expect((await wheel(first)).operation).toMatchObject({ done: 3, missing: [second] })
    expect(await wheel(second)).toMatchObject({ state: 'missing', operation: { scanned: false } })
  })
})

describe('what is looked up', () => {
  test('a place has the wheels that are physically there', async () => {
    const [here = 0, there = 0] = await w.addLocations({ places: 2, capacity: 4 })
    const operation = await addOperation(w, { type: 'to_customer' })
    const [first = 0, second = 0, third = 0] = operation.tyres
    await put(here, first, second)
    await put(there, third)
    const card = await read({ location: here })
    expect(card.location).toMatchObject({ _id: here, kind: 'place', capacity: 4 })
    expect(card.wheels.map(({ db_id }) => db_id)).toEqual([first, second])
  })

  test('a plate, as it is typed, has the wheels of its vehicle', async () => {
    const vehicle = await w.addVehicle({ plate: '1ABC234' })
    const set = await w.addSet({ vehicle, status: 'in_stock' })
    expect(await ids({ typed: '1-abc-234' })).toEqual(set)
  })

  test('a tyre id', async () => {
    const tyre = await w.addTyre({ vehicle: await w.addVehicle({}) })
    expect(await ids({ typed: `#${tyre}` })).toEqual([tyre])
  })

  test('the number of a document has the wheels of its operation', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'worknote' })
    const operation = await addOperation(w, { type: 'to_customer', status: 'submitted', scanned: true })
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id } })
    await w.setSite(w.sites.home, { do_doc_insert: false })
    const [document] = await w.query<{ year: number; number: number }>('select year, number from document')
    const typed = `w-${document?.year}-${String(document?.number).padStart(5, '0')}`
    const card = await read({ typed })
    expect(card.document?.document_number_text).toBe(typed.toUpperCase())
    expect(card.wheels.map(({ db_id }) => db_id)).toEqual(operation.tyres)
  })

  test('an EAN has the wheels of its article that are in the warehouse', async () => {
    const operation = await addOperation(w, { type: 'to_customer' })
    const [first = 0] = operation.tyres
    await w.query(
      `with made as (
         insert into article (site_id, brand, description, ean) select site_id, 'Michelin', 'Alpin 7', '4019238817294' from tyre where id = $1
         returning id)
       update tyre set article_id = made.id from made where tyre.id = any ($2)`,
      [first, [...operation.tyres, ...(await addOperation(w)).tyres]],
    )
    const card = await read({ typed: '4019238817294' })
    expect(card.article).not.toBeNull()
    expect(card.wheels.map(({ db_id }) => db_id)).toEqual(operation.tyres)
  })

  test.each([{}, { tyre: 1, location: 1 }, { typed: '' }, { typed: 'x'.repeat(41) }])(
    '%j is no question',
    async input => {
      expect((await w.send(cards.read.path, w.who.admin, input)).refusal.code).toBe('request.invalid')
    },
  )
})

describe('a scan that is taken back', () => {
  test('of a storage: the wheel is expected again, and its place only reserved', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w)
    await submit(operation)
    const [first = 0, second = 0] = operation.tyres
    await scan(first, second)
    await put(place, first)
    expect((await unscan(first, second)).status).toBe(200)
    for (const tyre of [first, second]) {
      const card = await wheel(tyre)
      expect(card).toMatchObject({ state: 'expected', location: null, kept_location: place })
      expect(card.operation).toMatchObject({ scanned: false, done: 0 })
      expect(card.actions).toContain('store')
    }
  })

  test('of a recall: the wheel is where it was taken from, or in the hall', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w, { type: 'to_customer', status: 'submitted' })
    const [first = 0, second = 0] = operation.tyres
    await put(place, first)
    await scan(first, second)
    expect(await wheel(first)).toMatchObject({ state: 'loaded', kept_location: place })
    expect((await unscan(first, second)).status).toBe(200)
    expect(await wheel(first)).toMatchObject({ state: 'at_place', location: place })
    expect(await wheel(second)).toMatchObject({ state: 'received' })
    const [entry] = await w.query<{ facts: unknown }>(`select facts from audit where action = 'operation.unscan'`)
    expect(entry?.facts).toEqual({ tyres: [first, second] })
  })

  test('is refused, all of it, where one has no scan', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [first = 0, second = 0] = operation.tyres
    await scan(first)
    expect((await unscan(first, second)).refusal).toMatchObject({ code: 'wheel.step', params: { tyres: [second] } })
    expect((await wheel(first)).operation?.scanned).toBe(true)
    expect((await unscan(2 ** 31 - 1)).refusal.code).toBe('record.missing')
  })

  test('can be scanned again', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [first = 0] = operation.tyres
    await scan(first)
    await unscan(first)
    await scan(first)
    expect((await wheel(first)).operation).toMatchObject({ scanned: true, done: 1 })
  })
})
