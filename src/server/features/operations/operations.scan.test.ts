/** Scanning tyres of submitted operations (docs/product/warehouse.md "Intake", docs/product/warehouse.md "Scans"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operationStatuses } from '#domain/operations/operation.ts'
import { contract } from '#contract/index.ts'
import type { RawInput } from '#contract/call.ts'
import { addOperation, clear, missing, picture, type Made } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.operations
const now = new Date('2026-11-10T10:00:00Z')
let w: World

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  w.clock.now = now
  await clear(w)
  await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false })
})

type Scan = NonNullable<RawInput<typeof calls.markscan>['tyres']>[number]
const scan = (tyres: Scan[], more: Partial<RawInput<typeof calls.markscan>> = {}) =>
  w.ask(calls.markscan, w.who.admin, { tyres, ...more })
const wheelsOf = async (operation: number) =>
  w.query<{ tyre_id: number; scanned_at: Date | null; scan_times: number }>(
    'select tyre_id, scanned_at, scan_times from operation_tyre where operation_id = $1 order by tyre_id',
    [operation],
  )

describe('a scan', () => {
  test('marks the tyre, answers it as it now is, and is written into its history', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [tyre] = operation.tyres
    const { answer, status } = await scan([
      { tyreId: tyre!, ticsId: w.sites.home, timestamp: '2026-11-10T10:59:30+01:00' },
    ])
    expect(status).toBe(200)
    expect(answer).toHaveLength(1)
    expect(answer[0]).toMatchObject({
      db_id: tyre,
      scanned: true,
      scanRegisteredAt: expect.stringMatching(/^2026-11-10T09:59:30/),
      scanTimes: 1,
      operation: operation.id,
      action: 'to_stock',
      tyre_status: 'at_customer',
    })
    expect((await wheelsOf(operation.id)).map(row => row.scan_times)).toEqual([1, 0, 0, 0])
    expect(
      await w.query('select tyre_id, kind, operation_id, account_id, vehicle_id, customer_id from tyre_event'),
    ).toEqual([
      {
        tyre_id: tyre,
        kind: 'scanned',
        operation_id: operation.id,
        account_id: w.who.admin.account,
        vehicle_id: operation.vehicle,
        customer_id: w.customers.a,
      },
    ])
  })

  test('is applied once for ever, however often it is sent: the answer is the tyre all the same', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const sent = { tyreId: operation.tyres[0]!, scanId: randomUUID(), timestamp: now.getTime() }
    const first = await scan([sent])
    const untouched = await picture(w, operation)
    w.clock.now = new Date(now.getTime() + 3_600_000)
    expect((await scan([sent])).answer).toEqual(first.answer)
    expect((await scan([sent, sent])).answer).toEqual(first.answer)
    expect(await picture(w, operation)).toEqual(untouched)
    await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id }, here: 'all' })
    const late = await scan([sent])
    expect(late.answer).toMatchObject([
      { db_id: sent.tyreId, operation: operation.id, scanTimes: 1, tyre_status: 'in_stock' },
    ])
    const again = await addOperation(w, {
      type: 'to_customer',
      status: 'submitted',
      vehicle: operation.vehicle,
      tyres: operation.tyres,
    })
    expect((await scan([sent])).answer).toMatchObject([{ operation: operation.id }])
    expect((await wheelsOf(again.id)).every(row => row.scan_times === 0)).toBe(true)
  })

  test('id counts in capitals as it does in small letters', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [tyreId, scanId] = [operation.tyres[0]!, randomUUID()]
    for (const id of [scanId.toUpperCase(), scanId, scanId.toUpperCase()])
      expect((await scan([{ tyreId, scanId: id }])).answer).toMatchObject([{ db_id: tyreId, scanTimes: 1 }])
  })

  test('of a tyre scanned before counts, and keeps the first moment', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const tyreId = operation.tyres[0]!
    await scan([{ tyreId, timestamp: '2026-11-10T09:00:00Z' }])
    const { answer } = await scan([
      { tyreId, timestamp: '2026-11-10T09:30:00Z' },
      { tyreId, timestamp: '2026-11-10T09:31:00Z' },
    ])
    expect(answer).toMatchObject([{ scanTimes: 3, scanRegisteredAt: expect.stringMatching(/^2026-11-10T09:00:00/) }])
  })

  test('by a clock that is wrong is neither of the future nor older than the operation in its history', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const stamps = [
      '2999-01-01T00:00:00Z',
      8_640_000_000_000_000,
      '1969-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      undefined,
    ]
    for (const timestamp of stamps) expect((await scan([{ tyreId: operation.tyres[0]!, timestamp }])).status).toBe(200)
    const events = await w.query<{ at: Date }>('select at from tyre_event')
    expect(events.map(event => event.at)).toEqual(stamps.map(() => now))
  })

  test('of a tyre in no submitted operation is left out of the answer and changes nothing', async () => {
    for (const status of operationStatuses.filter(status => status !== 'submitted')) {
      const operation = await addOperation(w, { status })
      const untouched = await picture(w, operation)
      const reply = await scan([{ tyreId: operation.tyres[0]! }])
      expect([reply.status, reply.answer]).toEqual([200, []])
      expect(await picture(w, operation)).toEqual(untouched)
    }
    expect((await scan([{ tyreId: missing }])).answer).toEqual([])
  })

  test('may name its tyre as a tyre record does, and what was not used is said in a header', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [first = 0, second = 0] = operation.tyres
    const send = (tyres: Scan[]) =>
      w.app.inject({
        method: 'POST',
        url: calls.markscan.path,
        headers: { host: 'home.test', cookie: w.who.admin.cookie ?? '' },
        payload: { tyres },
      })
    const record = { ...(await scan([{ tyreId: first }])).answer[0], db_id: [second] } as unknown as Scan
    const reply = await send([record, { tyreId: first, ticsId: w.sites.home + 1 }, { tyreId: 2_000_000_000 }])
    expect(reply.json()).toMatchObject([{ db_id: [second], scanned: ['T'] }])
    expect(reply.headers['wheelhouse-unused']).toBe(`${first}, 2000000000`)
    expect((await send([{ db_id: second }])).headers['wheelhouse-unused']).toBeUndefined()
    expect((await send([{}])).json()).toMatchObject({ code: 'request.invalid', params: { fields: ['tyres.0.tyreId'] } })
  })

  test('with another type or another operation chosen is not found', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const other = await addOperation(w, { status: 'submitted' })
    const tyres = [{ tyreId: operation.tyres[0]! }]
    expect((await scan(tyres, { type: 'to_customer' })).answer).toEqual([])
    expect((await scan(tyres, { operation: { _id: other.id } })).answer).toEqual([])
    expect((await scan(tyres, { type: 'to_stock' })).answer).toHaveLength(1)
    expect((await scan(tyres, { operation: { _id: operation.id } })).answer).toHaveLength(1)
    expect((await scan(tyres, { operation: { _id: missing } })).refusal.code).toBe('record.missing')
  })

  test('of a label of another site is not found, though its number is that of a tyre here', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const { answer } = await scan([
      { tyreId: operation.tyres[0]!, ticsId: w.sites.other },
      { tyreId: operation.tyres[1]!, ticsId: null },
    ])
    expect(answer.map(tyre => tyre.db_id)).toEqual([operation.tyres[1]])
    expect((await wheelsOf(operation.id)).map(row => row.scan_times)).toEqual([0, 1, 0, 0])
  })

  test('of a tyre of another site is not found: nothing is written, nothing shown', async () => {
    const foreign = await addOperation(w, { status: 'submitted', customer: w.customers.other })
    const own = await addOperation(w, { status: 'submitted' })
    const untouched = await picture(w, foreign)
    const { answer } = await scan([{ tyreId: foreign.tyres[0]! }, { tyreId: own.tyres[0]! }])
    expect(answer.map(tyre => tyre.db_id)).toEqual([own.tyres[0]])
    expect(await picture(w, foreign)).toEqual(untouched)
  })

  test('id of another site is no scan of this one', async () => {
    const foreign = await addOperation(w, { status: 'submitted', customer: w.customers.other })
    const own = await addOperation(w, { status: 'submitted' })
    const scanId = randomUUID()
    const there = await w.ask(calls.markscan, w.who.otherAdmin, { tyres: [{ tyreId: foreign.tyres[0]!, scanId }] })
    expect(there.answer).toHaveLength(1)
    expect((await scan([{ tyreId: own.tyres[0]!, scanId }])).answer).toMatchObject([
      { db_id: own.tyres[0], scanTimes: 1 },
    ])
  })

  test('batch answers each tyre once, in the order asked, found ones only', async () => {
    const [first, two] = [
      await addOperation(w, { status: 'submitted' }),
      await addOperation(w, { status: 'submitted', type: 'to_customer', customer: w.customers.b }),
    ]
    const { answer } = await scan(
      [two.tyres[1]!, missing, first.tyres[3]!, two.tyres[1]!, first.tyres[0]!].map(tyreId => ({
        tyreId,
        scanId: randomUUID(),
      })),
    )
    expect(answer.map(tyre => [tyre.db_id, tyre.scanTimes, tyre.operation])).toEqual([
      [two.tyres[1], 2, two.id],
      [first.tyres[3], 1, first.id],
      [first.tyres[0], 1, first.id],
    ])
  })

  test('batch of 500 is one answer', async () => {
    const operations: Made[] = []
    for (let nth = 0; nth < 5; nth++) operations.push(await addOperation(w, { status: 'submitted' }))
    const tyres = Array.from({ length: 500 }, (_, nth) => ({
      tyreId: operations[nth % 5]!.tyres[nth % 4]!,
      scanId: randomUUID(),
    }))
    const { answer } = await scan(tyres)
    expect(answer).toHaveLength(20)
    expect(answer.reduce((sum, tyre) => sum + tyre.scanTimes, 0)).toBe(500)
  })
})

describe('an operation', () => {
  test('is marked whole, keeping what was scanned before', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    await scan([{ tyreId: operation.tyres[2]!, timestamp: '2026-11-10T09:00:00Z' }])
    const { answer } = await w.ask(calls.markscan, w.who.admin, { operation: { _id: operation.id } })
    expect(answer.map(tyre => tyre.db_id)).toEqual(operation.tyres)
    expect(answer.every(tyre => tyre.scanned && tyre.scanTimes === 1)).toBe(true)
    const untouched = await picture(w, operation)
    const again = await w.ask(calls.markscan, w.who.admin, { operation: { _id: operation.id } })
    expect(again.answer).toEqual(answer)
    expect(await picture(w, operation)).toEqual(untouched)
  })

  test('or tyres have to be named', async () => {
    for (const body of [{}, { type: 'to_stock' }, { tyres: [] }, { tyres: [{ tyreId: 0 }] }])
      expect((await w.send(calls.markscan.path, w.who.admin, body)).refusal.code).toBe('request.invalid')
  })
})

describe('with automatic confirmation', () => {
  beforeEach(() => w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true }))

  test('the last scan of an operation confirms it, and answers the tyre as part of it', async () => {
    await w.addLocations({ places: 1, capacity: 4 })
    const operation = await addOperation(w, { status: 'submitted' })
    for (const tyreId of operation.tyres.slice(0, 3)) await scan([{ tyreId }])
    expect((await w.query('select status from operation'))[0]).toEqual({ status: 'submitted' })
    const { answer } = await scan([{ tyreId: operation.tyres[3]! }])
    expect(answer).toMatchObject([
      {
        db_id: operation.tyres[3],
        scanned: true,
        operation: operation.id,
        action: 'to_stock',
        tyre_status: 'in_stock',
        stock_rack: 'A-01-1',
      },
    ])
    expect(await w.query('select status, handled_by from operation')).toEqual([
      { status: 'confirmed', handled_by: w.who.admin.account },
    ])
    expect(await w.query(`select action, facts from audit`)).toEqual([
      { action: 'operation.confirm', facts: { unscanned: 0, automatic: true } },
    ])
    expect((await w.query(`select count(*)::int as n from tyre_event where kind = 'received'`))[0]).toEqual({ n: 4 })
  })

  test('a batch confirms every operation that it completes, and no other', async () => {
    await w.addLocations({ places: 4, capacity: 4 })
    const done = [
      await addOperation(w, { status: 'submitted' }),
      await addOperation(w, { status: 'submitted', type: 'to_waste' }),
    ]
    const open = await addOperation(w, { status: 'submitted' })
    const tyres = [...done.flatMap(operation => operation.tyres), ...open.tyres.slice(1)].map(tyreId => ({ tyreId }))
    const { answer } = await scan(tyres)
    expect(answer).toHaveLength(11)
    const rows = await w.query('select id, status from operation order by id')
    expect(rows).toEqual([
      ...done.map(operation => ({ id: operation.id, status: 'confirmed' })),
      { id: open.id, status: 'submitted' },
    ])
  })

  test('a repeat of the scan that completed it is answered, and confirms nothing twice', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const tyres = operation.tyres.map(tyreId => ({ tyreId, scanId: randomUUID() }))
    const first = await scan(tyres)
    const untouched = await picture(w, operation)
    expect((await scan(tyres)).answer).toEqual(first.answer)
    expect(await picture(w, operation)).toEqual(untouched)
  })

  test('marking it whole confirms it', async () => {
    const operation = await addOperation(w, { status: 'submitted', type: 'to_customer' })
    const { answer } = await w.ask(calls.markscan, w.who.admin, { operation: { _id: operation.id } })
    expect(answer.map(tyre => tyre.tyre_status)).toEqual(operation.tyres.map(() => 'at_customer'))
    expect((await w.query('select status from operation'))[0]).toEqual({ status: 'confirmed' })
  })

  test('an operation that was fully scanned before is not confirmed by a repeat', async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false })
    const operation = await addOperation(w, { status: 'submitted' })
    const tyres = operation.tyres.map(tyreId => ({ tyreId, scanId: randomUUID() }))
    await scan(tyres)
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    await scan(tyres)
    expect((await w.query('select status from operation'))[0]).toEqual({ status: 'submitted' })
  })
})
