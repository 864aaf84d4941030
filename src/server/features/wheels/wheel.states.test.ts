/** Where wheels are while operations live: the records and the wheels never contradict each other (docs/product/warehouse.md "Where a wheel is"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wheelStepNames, wheelSteps } from '#domain/tyres/wheel.ts'
import { contract } from '#contract/index.ts'
import { addOperation, clear, type Made } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { operations } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(() => clear(w))

const device = randomUUID()
const inputFor = (operation: Made) => ({ operation: { _id: operation.id } })
const scan = (...tyres: number[]) =>
  w.send(
    operations.markscan.path,
    w.who.admin,
    { tyres: tyres.map(tyreId => ({ tyreId, scanId: randomUUID() })) },
    { 'wheelhouse-device': device },
  )
const put = (location: number, ...tyres: number[]) => w.ask(contract.locations.move, w.who.admin, { tyres, location })
const submit = (operation: Made, status: 'submitted' | 'pending') =>
  w.ask(operations.update, w.who.admin, { operation: { _id: operation.id, status } })
const states = async ({ tyres }: Made) =>
  (await w.query<{ state: string }>('select state from wheel where tyre_id = any ($1) order by tyre_id', [tyres])).map(
    ({ state }) => state,
  )
const steps = (tyre: number | undefined) =>
  w.query<{ step: string; wheel: string; location: number | null }>(
    'select step, wheel, location_id as location from tyre_event where tyre_id = $1 and wheel is not null order by id',
    [tyre],
  )
const four = (state: string) => Array.from({ length: 4 }, () => state)

test('the database holds the table of steps of the domain', async () => {
  const [trigger] = await w.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'wheel_takes_a_step'`,
  )
  const steps = [...(trigger?.definition ?? '').matchAll(/'(\w+: \w+ > \w+)'/g)].map(([, step]) => step)
  const declared = wheelStepNames.flatMap(step =>
    wheelSteps[step].flatMap(({ from, to }) =>
      (from as readonly string[])
        .filter(state => state !== to && state !== 'orphan')
        .map(state => `${step}: ${state} > ${to}`),
    ),
  )
  expect(steps.toSorted()).toEqual(declared.toSorted())
})

describe('a storage', () => {
  test('is expected, received, put on a place before it is confirmed, and stays there', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w)
    expect(await states(operation)).toEqual(four('with_customer'))
    await submit(operation, 'submitted')
    expect(await states(operation)).toEqual(four('expected'))
    const [first = 0, second = 0] = operation.tyres
    await scan(first, second)
    expect(await states(operation)).toEqual(['received', 'received', 'expected', 'expected'])
    await put(place, first)
    expect(await states(operation)).toEqual(['at_place', 'received', 'expected', 'expected'])
    await w.ask(operations.confirm, w.who.admin, { ...inputFor(operation), anyway: true, here: 'all' })
    expect(await states(operation)).toEqual(four('at_place'))
    expect(await steps(first)).toEqual([
      { step: 'submit', wheel: 'expected', location: null },
      { step: 'scan_in', wheel: 'received', location: null },
      { step: 'place', wheel: 'at_place', location: place },
    ])
    expect(await steps(operation.tyres[3])).toEqual([
      { step: 'submit', wheel: 'expected', location: null },
      { step: 'store', wheel: 'at_place', location: place },
    ])
  })

  test('without room is received, and shows as that', async () => {
    const operation = await addOperation(w, { status: 'submitted', scanned: true })
    await w.ask(operations.confirm, w.who.admin, inputFor(operation))
    expect(await states(operation)).toEqual(four('received'))
  })

  test('that is undone or cancelled leaves what was scanned in the hall, also what had a place', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w)
    await submit(operation, 'submitted')
    await scan(...operation.tyres.slice(0, 2))
    await put(place, operation.tyres[0] ?? 0)
    await submit(operation, 'pending')
    expect(await states(operation)).toEqual(['received', 'received', 'with_customer', 'with_customer'])
    await submit(operation, 'submitted')
    expect(await states(operation)).toEqual(['received', 'received', 'expected', 'expected'])
    await put(place, operation.tyres[1] ?? 0)
    await w.ask(operations.cancel, w.who.admin, inputFor(operation))
    expect(await states(operation)).toEqual(['received', 'received', 'with_customer', 'with_customer'])
  })

  test('loses a wheel, which is missing until another one finds it or the search is closed', async () => {
    const operation = await addOperation(w)
    await submit(operation, 'submitted')
    await scan(...operation.tyres.slice(0, 2))
    await w.ask(operations.confirm, w.who.admin, { ...inputFor(operation), anyway: true })
    expect(await states(operation)).toEqual(['received', 'received', 'missing', 'missing'])
    const lost = operation.tyres[3] ?? 0
    await w.ask(operations.closemissing, w.who.admin, { operation: operation.id, db_id: lost, reason: 'never came' })
    const again = await addOperation(w, { vehicle: operation.vehicle, tyres: operation.tyres.slice(2, 3) })
    await submit(again, 'submitted')
    await scan(operation.tyres[2] ?? 0)
    expect(await states(operation)).toEqual(['received', 'received', 'received', 'with_customer'])
  })
})

describe('a recall', () => {
  test('is loaded by its scan and with the customer once it is confirmed', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location: place })
    const operation = await addOperation(w, { type: 'to_customer', status: 'submitted', vehicle, tyres })
    expect(await states(operation)).toEqual(four('at_place'))
    await scan(...tyres)
    expect(await states(operation)).toEqual(four('loaded'))
    await w.ask(operations.confirm, w.who.admin, inputFor(operation))
    expect(await states(operation)).toEqual(four('with_customer'))
    expect((await steps(tyres[0])).map(({ step }) => step)).toEqual(['scan_out', 'deliver'])
  })

  test('that is cancelled stands in the hall until it is on its place again', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location: place })
    const operation = await addOperation(w, { type: 'to_customer', status: 'submitted', vehicle, tyres })
    await scan(...tyres)
    await w.ask(operations.cancel, w.who.admin, inputFor(operation))
    expect(await states(operation)).toEqual(four('received'))
    await put(place, ...tyres)
    expect(await states(operation)).toEqual(four('at_place'))
  })
})

test('a disposal is taken from its place by its scan, and scrapped', async () => {
  const operation = await addOperation(w, { type: 'to_waste', status: 'submitted' })
  await scan(...operation.tyres)
  expect(await states(operation)).toEqual(four('picked'))
  await w.ask(operations.confirm, w.who.admin, inputFor(operation))
  expect(await states(operation)).toEqual(four('scrapped'))
})

test('an event says who took the step, and on which device', async () => {
  const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
  const operation = await addOperation(w, { status: 'submitted' })
  const [first = 0] = operation.tyres
  await scan(first)
  await w.send(
    contract.locations.move.path,
    w.who.admin,
    { tyres: [first], location: place },
    { 'wheelhouse-device': device },
  )
  expect(
    await w.query(
      'select step, account_id as by, device from tyre_event where tyre_id = $1 and wheel is not null order by id',
      [first],
    ),
  ).toEqual(['scan_in', 'place'].map(step => ({ step, by: w.who.admin.account, device })))
})

describe('whatever a statement does', () => {
  const refused = async (sql: string, values: unknown[]) =>
    w.query(sql, values).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )

  test('no wheel is in a state that contradicts its tyre, takes a step that there is not, or has another status', async () => {
    const { tyres } = await addOperation(w, { type: 'to_customer' })
    const set = (assignments: string) => refused(`update wheel set ${assignments} where tyre_id = $1`, [tyres[0]])
    expect(await set(`state = 'with_customer', step = 'deliver'`)).toBe('23514')
    expect(await set(`state = 'at_place', step = 'place'`)).toBe('23514')
    expect(await set(`state = 'picked', step = 'find'`)).toBe('WH004')
    expect(await set(`status = 'at_customer'`)).toBe('42501')
    // control: with the trigger off the same statement goes through
    await w.query('alter table wheel disable trigger wheel_takes_a_step')
    expect(await set(`state = 'picked', step = 'find'`)).toBe('done')
    await w.query('alter table wheel enable trigger wheel_takes_a_step')
  })

  test('the wheel follows a node of the version before, which knows nothing of it', async () => {
    const [place = 0, other = 0] = await w.addLocations({ places: 2, capacity: 4 })
    const { tyres } = await addOperation(w)
    const [tyre] = tyres
    const now = async () =>
      (await w.query('select status, state, location_id from wheel where tyre_id = $1', [tyre]))[0]
    await w.query(`update tyre set status = 'in_stock', location_id = $2 where id = $1`, [tyre, place])
    expect(await now()).toEqual({ status: 'in_stock', state: 'at_place', location_id: place })
    await w.query('update tyre set location_id = $2 where id = $1', [tyre, other])
    expect(await now()).toEqual({ status: 'in_stock', state: 'at_place', location_id: other })
    await w.query(`update tyre set status = 'at_customer', location_id = null where id = $1`, [tyre])
    expect(await now()).toEqual({ status: 'at_customer', state: 'with_customer', location_id: null })
    await w.query(`update tyre set status = 'waste' where id = $1`, [tyre])
    expect(await now()).toEqual({ status: 'waste', state: 'scrapped', location_id: null })
    expect((await steps(tyre)).map(({ step }) => step)).toEqual(['store', 'place', 'deliver', 'scrap'])
  })

  test('a vehicle that changes its customer keeps its wheels where they are', async () => {
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location: place })
    await w.ask(contract.fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-10' })
    expect(
      await w.query('select distinct state, customer_id, location_id from wheel where tyre_id = any ($1)', [tyres]),
    ).toEqual([{ state: 'at_place', customer_id: w.customers.b, location_id: place }])
  })
})
