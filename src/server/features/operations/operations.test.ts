/** Every call of the operations: what it answers, what it refuses, and to whom. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#domain/texts/date.ts'
import { preselectedServices } from '#domain/operations/operation.ts'
import { may, offeredTypes, operationTypes, tyreStatuses } from '#domain/tyres/tyre.ts'
import { contract } from '#contract/index.ts'
import { siteConfig } from '#contract/wire.ts'
import {
  addOperation,
  addService,
  addTransport,
  before,
  clear,
  missing,
  picture,
  type TransportWish,
} from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.operations
// a Tuesday, 11:00 in Brussels
const now = new Date('2026-11-10T10:00:00Z')
let w: World

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  w.clock.now = now
  await clear(w)
  await w.query(`update site set mode = 'both', allow_profile_depth = true, allow_tachometer = true`)
  await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false })
})

/** A vehicle with a set of four in the state that this type takes. */
const stocked = async (type: (typeof offeredTypes)[number] = 'to_stock', customer = w.customers.a) => {
  const vehicle = await w.addVehicle({ customer })
  return { flt_id: vehicle, tyres: await w.addSet({ vehicle, status: before[type] }), operationType: type }
}

const recall = (transport: number | null, deliveryDate: string | null = null) =>
  addOperation(w, { type: 'to_customer', transport, deliveryDate })
const submit = (id: number, more: object = {}) =>
  w.ask(calls.update, w.who.a, { operation: { _id: id, status: 'submitted', ...more } })
const handled = (daysAgo: number, more: object = {}) =>
  addOperation(w, { status: 'confirmed', handledAt: new Date(now.getTime() - daysAgo * 86_400_000), ...more })
const ids = (answer: readonly { _id: number }[]) => answer.map(operation => operation._id)
/** A refusal without the one thing in it that is never the same. */
const unmarked = (reply: { text: string; refusal: { requestId: string } }) =>
  reply.text.replace(reply.refusal.requestId, '')

test('an object that is the only payload is accepted bare', async () => {
  const reply = await w.send(calls.new.path, w.who.a, await stocked())
  expect(reply.status).toBe(200)
  const { _id } = reply.answer as { _id: number }
  expect((await w.send(calls.update.path, w.who.a, { _id, remarks: 'bare' })).answer).toMatchObject({ remarks: 'bare' })
  expect((await w.send(calls.update.path, w.who.a, { _id, status: 'submitted' })).status).toBe(200)
  expect((await w.send(calls.confirm.path, w.who.admin, { _id })).refusal.code).toBe('operation.not_scanned')
  expect((await w.send(calls.markscan.path, w.who.admin, { operation: { _id } })).status).toBe(200)
  expect((await w.send(calls.confirm.path, w.who.admin, { _id })).status).toBe(200)
})

test.each([calls.completedbydate, calls.adminopsbydate])('$path lists a year at most', async call => {
  const ask = (startDate: string, endDate: string) => w.ask(call, w.who.admin, { startDate, endDate })
  expect((await ask('2025-01-01', '2026-01-02')).status).toBe(200)
  expect((await ask('2025-01-01', '2026-01-03')).refusal).toMatchObject({
    code: 'operation.period_too_long',
    params: { days: 366 },
  })
})

describe('new', () => {
  test('answers the pending operation with its vehicle, its tyres by position and its preselected services', async () => {
    const [balancing, washing, recall, other] = [
      await addService(w, { preselected: true }),
      await addService(w, { preselected: false }),
      await addService(w, { preselected: true, type: 'to_customer' }),
      await addService(w, { preselected: true, site: w.sites.other }),
    ]
    await addService(w, { preselected: true, removed: true })
    const wish = await stocked()
    const { status, answer } = await w.ask(calls.new, w.who.a, { operation: wish })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      status: 'pending',
      type: 'to_stock',
      user: { username: 'customer-a', companyname: 'Garage Alfa NV' },
      seq_id: w.customers.a,
      flt_id: wish.flt_id,
      vehicle: { type: 'car' },
      services: [balancing],
      transport: null,
      deliveryDate: null,
      created: expect.stringMatching(/^2026-11-10T10:00:00/),
      submitted: null,
      handledAt: null,
      remarks: '',
      withRims: null,
      withBolts: false,
      withHubcaps: false,
      tachometer: null,
      wornTyres: null,
    })
    expect(answer.tyres.map(tyre => tyre.db_id)).toEqual(wish.tyres)
    expect(answer.tyres.map(tyre => tyre.position)).toEqual(['1A', '1B', '2A', '2B'])
    expect(answer.tyres[0]).toMatchObject({
      operation: answer._id,
      action: 'to_stock',
      scanned: false,
      scanRegisteredAt: null,
      scanTimes: 0,
      missing: false,
      profile_depth: 7.5,
      tyre_status: 'at_customer',
      vehicle_type: 'car',
    })
    expect([washing, recall, other].some(id => answer.services.includes(id))).toBe(false)
  })

  test('has the services that the site answers as preselected for its type, as screens say before it is made', async () => {
    for (const preselected of [true, false, true])
      for (const type of offeredTypes) await addService(w, { type, preselected })
    const site = siteConfig.parse((await w.ask(contract.site.gsc, w.who.a, {})).answer)
    for (const type of offeredTypes) {
      const { answer } = await w.ask(calls.new, w.who.a, { operation: await stocked(type) })
      expect(answer.services).toHaveLength(2)
      expect(answer.services).toEqual(preselectedServices(type, site.services).map(({ _id }) => _id))
    }
  })

  test('answers exactly what the lists answer afterwards', async () => {
    await addService(w, { preselected: true })
    const reply = await w.ask(calls.new, w.who.a, { operation: await stocked() })
    const listed = await w.ask(calls.fetch, w.who.a, {})
    expect(listed.answer).toEqual([reply.answer])
  })

  test('preselects the default transport of a recall, and of nothing else', async () => {
    await addTransport(w)
    const van = await addTransport(w, { isDefault: true })
    await addTransport(w, { site: w.sites.other, isDefault: true })
    for (const type of offeredTypes) {
      const { answer } = await w.ask(calls.new, w.who.a, { operation: await stocked(type) })
      expect(answer.transport).toBe(type === 'to_customer' ? van : null)
    }
  })

  test('preselects no transport that has been removed', async () => {
    await addTransport(w, { isDefault: true, removed: true })
    const { answer } = await w.ask(calls.new, w.who.a, { operation: await stocked('to_customer') })
    expect(answer.transport).toBeNull()
  })

  test('takes a tyre named twice once', async () => {
    const wish = await stocked()
    const { answer } = await w.ask(calls.new, w.who.a, {
      operation: { ...wish, tyres: [...wish.tyres, ...wish.tyres] },
    })
    expect(answer.tyres).toHaveLength(4)
    const [row] = await w.query<{ tyre_count: number }>('select tyre_count from operation where id = $1', [answer._id])
    expect(row?.tyre_count).toBe(4)
  })

  test('lets an administrator make one for a customer, who then sees it', async () => {
    const { answer } = await w.ask(calls.new, w.who.admin, { operation: await stocked('to_stock', w.customers.b) })
    expect(answer.seq_id).toBe(w.customers.b)
    const { answer: seen } = await w.ask(calls.fetch, w.who.b, {})
    expect(seen.map(operation => operation._id)).toEqual([answer._id])
  })

  for (const type of offeredTypes)
    for (const status of tyreStatuses)
      test(`${type} ${may(type, { tyre_status: status }) ? 'takes' : 'refuses'} tyres ${status}`, async () => {
        const vehicle = await w.addVehicle({})
        const tyres = [
          await w.addTyre({ vehicle, position: '1A', status: before[type] }),
          await w.addTyre({ vehicle, position: '1B', status }),
        ]
        const reply = await w.ask(calls.new, w.who.a, { operation: { flt_id: vehicle, tyres, operationType: type } })
        const refused = may(type, { tyre_status: status })
          ? [200, undefined, undefined]
          : [409, 'operation.tyres_refused', { tyres: [tyres[1]] }]
        expect([reply.status, reply.refusal.code, reply.refusal.params]).toEqual(refused)
        expect(await w.query('select from operation where vehicle_id = $1', [vehicle])).toHaveLength(
          reply.status === 200 ? 1 : 0,
        )
      })

  test('refuses tyres of two vehicles', async () => {
    const [first, two] = [await stocked(), await stocked()]
    const { refusal } = await w.ask(calls.new, w.who.a, {
      operation: { ...first, tyres: [...first.tyres, ...two.tyres] },
    })
    expect(refusal.code).toBe('operation.tyres_mixed')
    const other = await w.ask(calls.new, w.who.a, { operation: { ...first, flt_id: two.flt_id } })
    expect(other.refusal.code).toBe('operation.tyres_mixed')
  })

  for (const status of ['pending', 'submitted'] as const)
    test(`refuses a tyre that is in a ${status} operation`, async () => {
      const operation = await addOperation(w, { status })
      const free = await w.addTyre({ vehicle: operation.vehicle, position: '1A', set: null })
      const { refusal } = await w.ask(calls.new, w.who.a, {
        operation: { flt_id: operation.vehicle, tyres: [free, operation.tyres[0]!], operationType: 'to_stock' },
      })
      expect(refusal.code).toBe('operation.tyres_busy')
    })

  for (const status of ['confirmed', 'cancelled'] as const)
    test(`takes a tyre that was in a ${status} operation`, async () => {
      const operation = await addOperation(w, { status })
      const reply = await w.ask(calls.new, w.who.a, {
        operation: { flt_id: operation.vehicle, tyres: operation.tyres, operationType: 'to_stock' },
      })
      expect(reply.status).toBe(200)
    })

  test('calls foreign, missing and removed tyres and vehicles all the same: missing', async () => {
    const own = await stocked()
    const foreign = await stocked('to_stock', w.customers.b)
    const elsewhere = await stocked('to_stock', w.customers.other)
    const removedTyre = await stocked()
    await w.query('update tyre set removed_at = now() where id = $1', [removedTyre.tyres[2]])
    const removedVehicle = await stocked()
    await w.query('update vehicle set removed_at = now() where id = $1', [removedVehicle.flt_id])
    const inputs = [
      foreign,
      elsewhere,
      { ...own, flt_id: foreign.flt_id },
      { ...own, flt_id: missing },
      { ...own, tyres: [...own.tyres, foreign.tyres[0]!] },
      { ...own, tyres: [...own.tyres, elsewhere.tyres[0]!] },
      { ...own, tyres: [...own.tyres, missing] },
      removedTyre,
      removedVehicle,
    ]
    const texts = new Set<string>()
    for (const operation of inputs) {
      const reply = await w.ask(calls.new, w.who.a, { operation })
      expect(reply.status).toBe(404)
      texts.add(unmarked(reply))
    }
    expect([...texts]).toHaveLength(1)
    expect(await w.query('select from operation')).toHaveLength(0)
  })
})

describe('update', () => {
  test('saves what a storage may have', async () => {
    const service = await addService(w)
    const operation = await addOperation(w)
    const { answer } = await w.ask(calls.update, w.who.a, {
      operation: {
        _id: operation.id,
        services: [service],
        remarks: '  Left front leaks ',
        withRims: 'aluminum',
        withBolts: true,
        withHubcaps: true,
        tachometer: 123_456,
      },
    })
    expect(answer).toMatchObject({
      status: 'pending',
      services: [service],
      remarks: 'Left front leaks',
      withRims: 'aluminum',
      withBolts: true,
      withHubcaps: true,
      tachometer: 123_456,
    })
    const cleared = await w.ask(calls.update, w.who.a, {
      operation: { _id: operation.id, services: [], remarks: '', withRims: null, withBolts: false, tachometer: null },
    })
    expect(cleared.answer).toMatchObject({
      services: [],
      remarks: '',
      withRims: null,
      withBolts: false,
      withHubcaps: true,
      tachometer: null,
    })
  })

  test('leaves alone what was not named, and takes a whole operation sent back for no change', async () => {
    const service = await addService(w)
    const operation = await addOperation(w, { services: [service] })
    const [{ answer: before }] = [
      await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, remarks: 'Hello' } }),
    ]
    w.clock.now = new Date(now.getTime() + 60_000)
    const { answer } = await w.ask(calls.update, w.who.a, { operation: { ...before, status: 'pending' } as never })
    expect(answer).toEqual(before)
    const edited = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, withBolts: true } })
    expect(edited.answer).toMatchObject({
      remarks: 'Hello',
      services: [service],
      updated: expect.stringMatching(/10:01:00/),
    })
  })

  test('ignores what nobody may set', async () => {
    const operation = await addOperation(w)
    const { status } = await w.send(calls.update.path, w.who.a, {
      operation: {
        _id: operation.id,
        remarks: 'x',
        type: 'to_waste',
        seq_id: w.customers.b,
        flt_id: missing,
        user: { username: 'admin' },
        handledAt: now.toISOString(),
        tyres: [],
        created: '2000-01-01T00:00:00Z',
      },
    })
    expect(status).toBe(200)
    const [row] = await w.query(
      'select type, customer_id, vehicle_id, tyre_count, handled_at from operation where id = $1',
      [operation.id],
    )
    expect(row).toEqual({
      type: 'to_stock',
      customer_id: w.customers.a,
      vehicle_id: operation.vehicle,
      tyre_count: 4,
      handled_at: null,
    })
  })

  describe('of services', () => {
    test('keeps the order in which they were added', async () => {
      const [firstService, two, three] = [await addService(w), await addService(w), await addService(w)]
      const operation = await addOperation(w, { services: [two] })
      const first = await w.ask(calls.update, w.who.a, {
        operation: { _id: operation.id, services: [two, three, firstService] },
      })
      expect(first.answer.services).toEqual([two, three, firstService])
      const fewer = await w.ask(calls.update, w.who.a, {
        operation: { _id: operation.id, services: [two, firstService, firstService] },
      })
      expect(fewer.answer.services).toEqual([two, firstService])
    })

    test('refuses a foreign, missing, removed one and one of another type, all alike', async () => {
      const refused = [
        await addService(w, { site: w.sites.other }),
        missing,
        await addService(w, { removed: true }),
        await addService(w, { type: 'to_customer' }),
      ]
      const operation = await addOperation(w, { services: [await addService(w)] })
      const untouched = await picture(w, operation)
      for (const id of refused) {
        const reply = await w.ask(calls.update, w.who.a, {
          operation: { _id: operation.id, services: [id], remarks: 'x' },
        })
        expect(reply.refusal).toMatchObject({ code: 'operation.service_refused', params: { services: [id] } })
      }
      expect(await picture(w, operation)).toEqual(untouched)
    })

    test('never takes a blocked one off, whoever asks', async () => {
      const [blocked, free] = [await addService(w, { blocked: true }), await addService(w)]
      const operation = await addOperation(w, { services: [blocked, free] })
      for (const who of [w.who.a, w.who.admin]) {
        const reply = await w.ask(calls.update, who, { operation: { _id: operation.id, services: [free] } })
        expect(reply.refusal).toMatchObject({ code: 'operation.service_blocked', params: { services: [blocked] } })
      }
      const { answer } = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, services: [blocked] } })
      expect(answer.services).toEqual([blocked])
    })

    test('keeps or drops one that the site has removed since, blocked or not', async () => {
      const [gone, kept] = [await addService(w, { blocked: true, removed: true }), await addService(w)]
      const operation = await addOperation(w, { services: [gone] })
      const both = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, services: [gone, kept] } })
      expect(both.answer.services).toEqual([gone, kept])
      const reply = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, services: [kept] } })
      expect(reply.answer.services).toEqual([kept])
      const again = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, services: [kept, gone] } })
      expect(again.refusal.code).toBe('operation.service_refused')
    })
  })

  for (const type of operationTypes.filter(type => type !== 'to_stock'))
    for (const part of [{ withRims: 'steel' }, { withBolts: true }, { withHubcaps: true }] as const)
      test(`refuses ${Object.keys(part).join()} on ${type}`, async () => {
        const operation = await addOperation(w, { type })
        const reply = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, ...part } })
        expect(reply.refusal.code).toBe('operation.parts_refused')
      })

  test('keeps what the customer decides on worn tyres', async () => {
    const operation = await addOperation(w, { type: 'to_customer' })
    const decide = async (wornTyres: 'keep' | 'quote' | null) =>
      (await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, wornTyres } })).answer.wornTyres
    expect(await decide('quote')).toBe('quote')
    const other = await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, remarks: 'x' } })
    expect(other.answer.wornTyres).toBe('quote')
    expect(await decide('keep')).toBe('keep')
    expect(await decide(null)).toBeNull()
  })

  test('refuses a tachometer where the site has none and on what is no storage', async () => {
    const storage = await addOperation(w)
    const recall = await addOperation(w, { type: 'to_customer' })
    const onRecall = await w.ask(calls.update, w.who.a, { operation: { _id: recall.id, tachometer: 5 } })
    expect(onRecall.refusal.code).toBe('operation.tachometer_refused')
    await w.setSite(w.sites.home, { allow_tachometer: false })
    const off = await w.ask(calls.update, w.who.a, { operation: { _id: storage.id, tachometer: 5 } })
    expect(off.refusal.code).toBe('operation.tachometer_refused')
    const none = await w.ask(calls.update, w.who.a, { operation: { _id: storage.id, tachometer: null, remarks: 'x' } })
    expect(none.status).toBe(200)
  })

  for (const wrong of [
    { tachometer: 0 },
    { tachometer: 1.5 },
    { withRims: 'gold' },
    { remarks: 'x'.repeat(1001) },
    { status: 'done' },
    { wornTyres: 'burn' },
  ])
    test(`refuses ${JSON.stringify(wrong).slice(0, 40)} as invalid`, async () => {
      const operation = await addOperation(w)
      const reply = await w.send(calls.update.path, w.who.a, { operation: { _id: operation.id, ...wrong } })
      expect(reply.refusal.code).toBe('request.invalid')
    })
})

describe('a delivery', () => {
  test('is saved with its transport and submitted with it', async () => {
    const van = await addTransport(w, { advanceDays: 1, days: [1, 2, 3, 4, 5], operationsPerDay: 3 })
    const { id } = await recall(van)
    const edited = await w.ask(calls.update, w.who.a, { operation: { _id: id, deliveryDate: '2026-11-11' } })
    expect(edited.answer).toMatchObject({ transport: van, deliveryDate: '2026-11-11', status: 'pending' })
    const { answer } = await submit(id)
    expect(answer).toMatchObject({ status: 'submitted', submitted: expect.stringMatching(/^2026-11-10T10:00:00/) })
    expect(await w.query('select day::text, operations, tyres from transport_day')).toEqual([
      { day: '2026-11-11', operations: 1, tyres: 4 },
    ])
  })

  test('is saved and submitted in one request', async () => {
    const van = await addTransport(w)
    const { id } = await recall(null)
    const { answer } = await submit(id, { transport: van, deliveryDate: '2026-11-12', remarks: 'Ring twice' })
    expect(answer).toMatchObject({
      status: 'submitted',
      transport: van,
      deliveryDate: '2026-11-12',
      remarks: 'Ring twice',
    })
  })

  test('needs a transport and a day to be submitted', async () => {
    const van = await addTransport(w)
    const gone = await addTransport(w, { removed: true })
    expect((await submit((await recall(null)).id)).refusal.code).toBe('delivery.transport_missing')
    expect((await submit((await recall(gone, '2026-11-11')).id)).refusal.code).toBe('delivery.transport_missing')
    expect((await submit((await recall(van)).id)).refusal.code).toBe('delivery.missing')
  })

  const refusals = [
    ['2026-11-10', { advanceDays: 1 }, 'delivery.too_early'],
    ['2026-11-10', { cutoff: '11:00' }, 'delivery.too_early'],
    ['2026-11-09', {}, 'delivery.too_early'],
    ['2026-11-14', { days: [1, 2, 3, 4, 5] }, 'delivery.weekday'],
    ['2027-05-11', {}, 'delivery.too_late'],
  ] satisfies [string, TransportWish, string][]
  for (const [deliveryDate, rules, code] of refusals)
    test(`on ${deliveryDate} is refused by ${JSON.stringify(rules)}: ${code}`, async () => {
      const van = await addTransport(w, rules)
      const fresh = await recall(van)
      const edited = await w.ask(calls.update, w.who.a, { operation: { _id: fresh.id, deliveryDate } })
      expect(edited.refusal.code).toBe(code)
      const stale = await recall(van, deliveryDate)
      expect((await submit(stale.id)).refusal.code).toBe(code)
    })

  const taken = [
    ['2026-11-10', { cutoff: '11:01' }],
    ['2027-05-10', {}],
  ] satisfies [string, TransportWish][]
  for (const [deliveryDate, rules] of taken)
    test(`on ${deliveryDate} is taken with ${JSON.stringify(rules)}`, async () => {
      const { id } = await recall(await addTransport(w, rules))
      expect((await submit(id, { deliveryDate })).status).toBe(200)
    })

  test('on a day whose recalls or tyres are at their limit is refused, and leaves the operation pending', async () => {
    for (const limits of [{ operationsPerDay: 1 }, { tyresPerDay: 4 }]) {
      const van = await addTransport(w, limits)
      const first = await recall(van)
      expect((await submit(first.id, { deliveryDate: '2026-11-12' })).status).toBe(200)
      const second = await recall(van, '2026-11-12')
      expect((await submit(second.id)).refusal.code).toBe('delivery.day_full')
      const third = await recall(van)
      const edited = await w.ask(calls.update, w.who.a, { operation: { _id: third.id, deliveryDate: '2026-11-12' } })
      expect(edited.refusal.code).toBe('delivery.day_full')
      expect((await submit(second.id, { deliveryDate: '2026-11-13' })).status).toBe(200)
    }
  })

  test('on a day with one tyre less than its limit still takes a whole set', async () => {
    const van = await addTransport(w, { tyresPerDay: 5 })
    expect((await submit((await recall(van)).id, { deliveryDate: '2026-11-12' })).status).toBe(200)
    expect((await submit((await recall(van)).id, { deliveryDate: '2026-11-12' })).status).toBe(200)
    expect((await submit((await recall(van)).id, { deliveryDate: '2026-11-12' })).refusal.code).toBe(
      'delivery.day_full',
    )
  })

  test('gives its place back when it is undone, cancelled or confirmed', async () => {
    const van = await addTransport(w, { operationsPerDay: 1 })
    const day = { transport: van, deliveryDate: '2026-11-12' }
    const booked = async () => (await w.ask(calls.bookedtransportdays, w.who.a, { transportMethod: van })).answer
    const operation = { _id: (await recall(null)).id }
    for (const free of [
      () => w.ask(calls.update, w.who.admin, { operation: { ...operation, status: 'pending' } }),
      () => w.ask(calls.cancel, w.who.admin, { operation }),
      () => w.ask(calls.confirm, w.who.admin, { operation, here: 'all' }),
    ]) {
      const [row] = await w.query<{ status: string }>('select status from operation where id = $1', [operation._id])
      if (row?.status !== 'pending') operation._id = (await recall(null)).id
      expect((await submit(operation._id, day)).status).toBe(200)
      expect(await booked()).toEqual(['2026-11-12'])
      expect((await free()).status).toBe(200)
      expect(await booked()).toEqual([])
    }
  })

  test('loses a day that its new transport does not drive on', async () => {
    const [weekdays, sundays] = [await addTransport(w, { days: [1, 2, 3, 4, 5] }), await addTransport(w, { days: [0] })]
    const { id } = await recall(weekdays, '2026-11-12')
    const { answer } = await w.ask(calls.update, w.who.a, { operation: { _id: id, transport: sundays } })
    expect(answer).toMatchObject({ transport: sundays, deliveryDate: null })
    const none = await w.ask(calls.update, w.who.a, { operation: { _id: id, transport: null } })
    expect(none.answer).toMatchObject({ transport: null, deliveryDate: null })
    const dayOnly = await w.ask(calls.update, w.who.a, { operation: { _id: id, deliveryDate: '2026-11-12' } })
    expect(dayOnly.refusal.code).toBe('delivery.transport_missing')
  })

  test('that has become stale does not stop other edits', async () => {
    const { id } = await recall(await addTransport(w), '2026-11-01')
    const reply = await w.ask(calls.update, w.who.a, {
      operation: { _id: id, deliveryDate: '2026-11-01', remarks: 'x' },
    })
    expect(reply.answer).toMatchObject({ remarks: 'x', deliveryDate: '2026-11-01' })
  })

  test('knows no transport of another site, missing or removed', async () => {
    const { id } = await recall(null)
    const texts = new Set<string>()
    for (const transport of [
      await addTransport(w, { site: w.sites.other }),
      missing,
      await addTransport(w, { removed: true }),
    ]) {
      const reply = await w.ask(calls.update, w.who.a, { operation: { _id: id, transport } })
      expect(reply.status).toBe(404)
      texts.add(unmarked(reply))
    }
    expect([...texts]).toHaveLength(1)
  })

  test('is none of a disposal', async () => {
    const van = await addTransport(w)
    const { id } = await addOperation(w, { type: 'to_waste' })
    for (const wrong of [{ transport: van }, { deliveryDate: '2026-11-12' }]) {
      const reply = await w.ask(calls.update, w.who.a, { operation: { _id: id, ...wrong } })
      expect(reply.refusal.code).toBe('request.invalid')
    }
  })
})

describe('delete', () => {
  test('removes a pending operation, frees its tyres and keeps what it was in the audit', async () => {
    const operation = await addOperation(w, { services: [await addService(w)] })
    const { answer } = await w.ask(calls.delete, w.who.a, { operation: { _id: operation.id } })
    expect(answer).toEqual({ _id: operation.id })
    expect((await w.ask(calls.fetch, w.who.a, {})).answer).toEqual([])
    const again = await w.ask(calls.new, w.who.a, {
      operation: { flt_id: operation.vehicle, tyres: operation.tyres, operationType: 'to_stock' },
    })
    expect(again.status).toBe(200)
    const [audit] = await w.query(`select account_id, customer_id, facts from audit where action = 'operation.delete'`)
    expect(audit).toMatchObject({
      account_id: w.who.a.account,
      customer_id: w.customers.a,
      facts: { type: 'to_stock', vehicle: operation.vehicle, tyres: 4 },
    })
    expect((await w.ask(calls.delete, w.who.a, { operation: { _id: operation.id } })).status).toBe(404)
  })
})

describe('withdraw', () => {
  test('makes a submission of the own customer pending again, with what was filled in, and is audited', async () => {
    const transport = await addTransport(w)
    const { id } = await recall(transport, '2026-11-13')
    await submit(id, { remarks: 'two at once' })
    const { status, answer } = await w.ask(calls.withdraw, w.who.a, { operation: { _id: id } })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ _id: id, status: 'pending', remarks: 'two at once', deliveryDate: '2026-11-13' })
    expect(
      await w.query(`select action from audit where subject = $1 order by id desc limit 1`, [`operation ${id}`]),
    ).toEqual([{ action: 'operation.withdraw' }])
    expect((await submit(id)).status).toBe(200)
  })

  test('is refused once a tyre is scanned, or taken from its place for delivery', async () => {
    const storage = await addOperation(w, { status: 'submitted' })
    await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: storage.tyres[0] ?? 0 }] })
    const refused = async (_id: number) => (await w.ask(calls.withdraw, w.who.a, { operation: { _id } })).refusal.code
    expect(await refused(storage.id)).toBe('operation.begun')
    const { id, tyres } = await recall(await addTransport(w), '2026-11-13')
    await submit(id)
    const [place = 0] = await w.addLocations({ places: 1, capacity: 4 })
    await w.ask(contract.locations.move, w.who.admin, { tyres, location: place })
    await w.ask(contract.wheels.step, w.who.admin, { tyres: tyres.slice(0, 1), step: 'pick' })
    expect(await refused(id)).toBe('operation.begun')
  })

  test('is for what is submitted only', async () => {
    const { id } = await recall(null)
    expect((await w.ask(calls.withdraw, w.who.a, { operation: { _id: id } })).refusal.code).toBe('operation.step')
  })
})

describe('lists', () => {
  test('fetch answers open operations and those handled in the last 31 days, newest first', async () => {
    const old = await handled(33)
    const operations = [
      await addOperation(w),
      await addOperation(w, { status: 'submitted' }),
      await handled(30),
      await addOperation(w, { status: 'cancelled' }),
    ]
    await addOperation(w, { customer: w.customers.b })
    const { answer } = await w.ask(calls.fetch, w.who.a, {})
    expect(ids(answer)).toEqual(operations.map(operation => operation.id).reverse())
    expect(ids(answer)).not.toContain(old.id)
  })

  test('fetch begins with the day 31 days ago in the time zone of the site', async () => {
    // 10 October began in Brussels at 22:00 UTC of the ninth
    const first = await addOperation(w, { status: 'confirmed', handledAt: new Date('2026-10-09T22:00:00Z') })
    await addOperation(w, { status: 'confirmed', handledAt: new Date('2026-10-09T21:59:59.999Z') })
    for (const [who, input] of [
      [w.who.a, {}],
      [w.who.admin, {}],
      [w.who.admin, { seq_id: w.customers.a }],
    ] as const)
      expect(ids((await w.ask(calls.fetch, who, input)).answer)).toEqual([first.id])
  })

  test('fetch gives an administrator the site, or the customer that is named', async () => {
    const [a, b] = [await addOperation(w), await addOperation(w, { customer: w.customers.b })]
    await addOperation(w, { customer: w.customers.other })
    expect(ids((await w.ask(calls.fetch, w.who.admin, {})).answer)).toEqual([b.id, a.id])
    expect(ids((await w.ask(calls.fetch, w.who.admin, { seq_id: w.customers.b })).answer)).toEqual([b.id])
    expect(ids((await w.ask(calls.fetch, w.who.a, { seq_id: w.customers.a })).answer)).toEqual([a.id])
    const texts = new Set<string>()
    for (const [who, seq_id] of [
      [w.who.admin, w.customers.other],
      [w.who.admin, missing],
      [w.who.a, w.customers.b],
      [w.who.a, missing],
    ] as const) {
      const reply = await w.ask(calls.fetch, who, { seq_id })
      expect(reply.status).toBe(404)
      texts.add(unmarked(reply))
    }
    expect([...texts]).toHaveLength(1)
  })

  test('fetch without a body is fetch', async () => {
    const operation = await addOperation(w)
    const reply = await w.send(calls.fetch.path, w.who.a, undefined)
    expect(ids(reply.answer as never)).toEqual([operation.id])
  })

  for (const status of ['pending', 'submitted'] as const)
    test(`admin answers what is ${status} at the whole site, in the order of its coming`, async () => {
      const operations = [
        await addOperation(w, { status }),
        await addOperation(w, { status, customer: w.customers.b, type: 'to_customer' }),
      ]
      await addOperation(w, { status: status === 'pending' ? 'submitted' : 'pending' })
      await addOperation(w, { status, customer: w.customers.other })
      await handled(0)
      expect(ids((await w.ask(calls.admin, w.who.admin, { status })).answer)).toEqual(
        operations.map(operation => operation.id),
      )
    })

  describe('of completed operations', () => {
    // a day in Brussels begins at 23:00 or 22:00 UTC of the day before; the clock went back on 25 October 2026
    const moments = [
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00Z',
      '2026-10-24T21:59:59.999Z',
    ]

    test('count days in the time zone of the site, both ends included, newest first', async () => {
      const operationIds: number[] = []
      for (const [nth, moment] of moments.entries()) {
        const status = nth % 2 ? 'cancelled' : 'confirmed'
        operationIds.push((await addOperation(w, { status, handledAt: new Date(moment) })).id)
      }
      const [first, last, after, early] = operationIds
      const day = { startDate: '2026-10-25', endDate: '2026-10-25' }
      for (const [call, who] of [
        [calls.completedbydate, w.who.a],
        [calls.completedbydate, w.who.admin],
        [calls.adminopsbydate, w.who.admin],
      ] as const)
        expect(ids((await w.ask(call, who, day)).answer)).toEqual([last, first])
      const wide = { startDate: '2026-10-24', endDate: '2026-10-26' }
      expect(ids((await w.ask(calls.completedbydate, w.who.a, wide)).answer)).toEqual([after, last, first, early])
      const none = { startDate: '2026-10-26', endDate: '2026-10-24' }
      expect((await w.ask(calls.completedbydate, w.who.a, none)).answer).toEqual([])
    })

    test('hold no open operation and nothing of others', async () => {
      const own = await handled(1)
      const others = await handled(1, { customer: w.customers.b })
      await handled(1, { customer: w.customers.other })
      await addOperation(w, { status: 'submitted' })
      const period = { startDate: '2026-11-01', endDate: '2026-11-10' }
      expect(ids((await w.ask(calls.completedbydate, w.who.a, period)).answer)).toEqual([own.id])
      expect(ids((await w.ask(calls.adminopsbydate, w.who.admin, period)).answer)).toEqual([others.id, own.id])
    })

    test('are counted by customer and type, confirmed ones only, most first', async () => {
      await handled(1, { customer: w.customers.b, type: 'to_waste' })
      await handled(1)
      await handled(2, { type: 'to_customer' })
      await handled(3, { type: 'to_customer' })
      await handled(3, { type: 'to_spare' })
      await handled(40)
      await handled(1, { customer: w.customers.other })
      await addOperation(w, { status: 'cancelled' })
      const { answer } = await w.ask(calls.adminopsbydate_light, w.who.admin, {
        startDate: '2026-11-01',
        endDate: '2026-11-10',
      })
      expect(answer).toEqual([
        { seq_id: w.customers.a, companyname: 'Garage Alfa NV', total: 4, to_customer: 2, to_stock: 1, to_waste: 0 },
        { seq_id: w.customers.b, companyname: 'Lease Beta NV', total: 1, to_customer: 0, to_stock: 0, to_waste: 1 },
      ])
    })

    test('refuse what is no day of the calendar', async () => {
      for (const startDate of ['2026-02-30', '10/11/2026', '0000-01-01', ''])
        expect(
          (await w.send(calls.completedbydate.path, w.who.a, { startDate, endDate: '2026-11-10' })).refusal.code,
        ).toBe('request.invalid')
    })
  })

  test('booked days are those from today on that are full', async () => {
    const van = await addTransport(w, { operationsPerDay: 2, tyresPerDay: 10 })
    const free = await addTransport(w)
    const days = [
      [-1, 2, 8],
      [0, 2, 8],
      [1, 1, 9],
      [2, 1, 10],
      [3, 3, 2],
      [4, 0, 0],
    ] as const
    for (const [ahead, operations, tyres] of days)
      for (const transport of [van, free])
        await w.query(
          'insert into transport_day (site_id, transport_id, day, operations, tyres) values ($1, $2, $3, $4, $5)',
          [w.sites.home, transport, addDays('2026-11-10', ahead), operations, tyres],
        )
    const booked = async (transportMethod: number) =>
      (await w.ask(calls.bookedtransportdays, w.who.a, { transportMethod })).answer
    expect(await booked(van)).toEqual(['2026-11-10', '2026-11-12', '2026-11-13'])
    expect(await booked(free)).toEqual([])
    w.clock.now = new Date('2026-11-10T21:00:00Z')
    expect(await booked(van)).toEqual(['2026-11-10', '2026-11-12', '2026-11-13'])
    // in Brussels it is already tomorrow
    w.clock.now = new Date('2026-11-10T23:30:00Z')
    expect(await booked(van)).toEqual(['2026-11-12', '2026-11-13'])
  })

  test('booked days are asked of a transport that exists at the site', async () => {
    for (const transportMethod of [
      await addTransport(w, { site: w.sites.other }),
      await addTransport(w, { removed: true }),
      missing,
    ])
      expect((await w.ask(calls.bookedtransportdays, w.who.a, { transportMethod })).refusal.code).toBe('record.missing')
  })

  test('no answer shows a depth while the site hides it', async () => {
    await w.setSite(w.sites.home, { allow_profile_depth: false })
    const service = { status: 'submitted', scanned: true } as const
    const pending = await addOperation(w)
    const submitted = await addOperation(w, service)
    const other = await addOperation(w, service)
    await handled(1)
    const wish = await stocked()
    const period = { startDate: '2026-11-01', endDate: '2026-11-10' }
    const replies = [
      await w.ask(calls.new, w.who.a, { operation: wish }),
      await w.ask(calls.update, w.who.a, { operation: { _id: pending.id, remarks: 'x' } }),
      await w.ask(calls.fetch, w.who.a, {}),
      await w.ask(calls.fetch, w.who.admin, {}),
      await w.ask(calls.fetch, w.who.admin, { seq_id: w.customers.a }),
      await w.ask(calls.completedbydate, w.who.a, period),
      await w.ask(calls.adminopsbydate, w.who.admin, period),
      await w.ask(calls.admin, w.who.admin, { status: 'submitted' }),
      await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: submitted.tyres[0]! }] }),
      await w.ask(calls.markscan, w.who.admin, { operation: { _id: submitted.id } }),
      await w.ask(calls.confirm, w.who.admin, { operation: { _id: submitted.id } }),
      await w.ask(calls.cancel, w.who.admin, { operation: { _id: other.id } }),
    ]
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.text).toContain('"profile_depth":[null]')
      expect(reply.text).not.toMatch(/"profile_(depth|date|tacho)":\[[^n]/)
    }
    await w.setSite(w.sites.home, { allow_profile_depth: true })
    expect((await w.ask(calls.fetch, w.who.a, {})).text).toContain('"profile_depth":[7.50]')
  })
})

describe('who may ask', () => {
  const bodies: Record<keyof typeof calls, (id: number) => unknown> = {
    new: () => ({ operation: { flt_id: 1, tyres: [1], operationType: 'to_stock' } }),
    update: id => ({ operation: { _id: id, remarks: 'x' } }),
    delete: id => ({ operation: { _id: id } }),
    fetch: () => ({}),
    bookedtransportdays: () => ({ transportMethod: 1 }),
    plan: () => ({ transport: 1, from: '2026-11-11', until: '2026-11-12', counts: [4] }),
    swap: () => ({ flt_id: 1, recall: [1], transport: 1, deliveryDate: '2026-11-12' }),
    completedbydate: () => ({ startDate: '2026-11-01', endDate: '2026-11-10' }),
    admin: () => ({ status: 'submitted' }),
    adminopsbydate: () => ({ startDate: '2026-11-01', endDate: '2026-11-10' }),
    adminopsbydate_light: () => ({ startDate: '2026-11-01', endDate: '2026-11-10' }),
    cancel: id => ({ operation: { _id: id } }),
    reschedule: id => ({ operation: { _id: id, deliveryDate: '2026-11-20' } }),
    withdraw: id => ({ operation: { _id: id } }),
    confirm: id => ({ operation: { _id: id } }),
    missing: () => ({}),
    closemissing: () => ({ operation: 1, db_id: 1, reason: 'x' }),
    noshow: id => ({ operation: id }),
    markscan: id => ({ operation: { _id: id } }),
    trail: () => ({}),
    unscan: () => ({ tyres: [1] }),
  }

  for (const [name, body] of Object.entries(bodies) as [keyof typeof calls, (id: number) => unknown][])
    test(`${name}: roles, modes, and nothing changed by those who may not`, async () => {
      const operation = await addOperation(w, {
        status: name === 'update' || name === 'delete' ? 'pending' : 'submitted',
      })
      const untouched = await picture(w, operation)
      const call = calls[name]
      const asUser = (call.who as readonly string[]).includes('user')
      const asAdmin = (call.who as readonly string[]).includes('admin')
      const anyone = asAdmin ? w.who.admin : w.who.a
      const code = async (who: World['who'][keyof World['who']], id = operation.id) =>
        (await w.send(call.path, who, body(id))).refusal.code
      expect(await code(w.who.anonymous)).toBe('session.missing')
      expect(await code(w.who.superuser)).toBe('session.forbidden')
      const forbidden = asUser ? [] : [w.who.a, w.who.b, w.who.otherUser]
      for (const who of forbidden) expect(await code(who)).toBe('session.forbidden')
      const strangers = JSON.stringify(body(operation.id)).includes('_id')
        ? [...(asAdmin ? [w.who.otherAdmin] : []), ...(asUser ? [w.who.b, w.who.otherUser] : [])]
        : []
      for (const who of strangers) {
        const foreign = await w.send(call.path, who, body(operation.id))
        expect(foreign.refusal.code).toBe('record.missing')
        expect(unmarked(foreign)).toBe(unmarked(await w.send(call.path, who, body(missing))))
      }
      await w.setSite(w.sites.home, { mode: 'fleetonly' })
      expect(await code(anyone)).toBe('site.mode')
      await w.setSite(w.sites.home, { mode: 'hotelonly' })
      expect(await picture(w, operation)).toEqual(untouched)
      expect(await code(anyone)).not.toBe('site.mode')
    })
})
