/** Tyres that are not there when their operation is confirmed (docs/product/operations.md "Missing tyres"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations as calls } from '#contract/operations.ts'
import { tyres as tyreCalls } from '#contract/tyres.ts'
import { wheels } from '#contract/wheels.ts'
import { addOperation, addService, clear, type Made } from '../../testing/operations.ts'
import { warehouseOf } from '../../testing/warehouse.ts'
import { world, type World } from '../../testing/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(() => clear(w))

/** A submitted operation of four tyres of which the first three are scanned. */
async function threeOfFour(type: 'to_stock' | 'to_customer' = 'to_stock', services: number[] = []): Promise<Made> {
  const operation = await addOperation(w, { status: 'submitted', type, services })
  await w.ask(calls.markscan, w.who.admin, { tyres: operation.tyres.slice(0, 3).map(tyreId => ({ tyreId })) })
  return operation
}
const confirm = (operation: Made, how: object) =>
  w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id }, ...how })
const states = async (operation: Made) =>
  (
    await w.query<{ state: string }>('select status as state from tyre where id = any ($1) order by id', [
      operation.tyres,
    ])
  ).map(({ state }) => state)
const missing = async () => (await w.ask(calls.missing, w.who.admin, {})).answer

describe('confirming with a tyre that was not scanned', () => {
  test('takes it as missing: it stays with the customer, at no place, and owes no storage', async () => {
    await w.addLocations({ places: 1, capacity: 4, zone: 'M' })
    const operation = await threeOfFour()
    const { answer } = await confirm(operation, { anyway: true })
    expect(answer.tyres.map(tyre => [tyre.tyre_status, tyre.missing])).toEqual([
      ...Array.from({ length: 3 }, () => ['in_stock', false]),
      ['at_customer', true],
    ])
    expect(await w.query(`select held from location where path = 'M-01-1'`)).toEqual([{ held: 3 }])
    expect(await w.query('select tyre_id as tyre from stay order by tyre_id')).toEqual(
      operation.tyres.slice(0, 3).map(tyre => ({ tyre })),
    )
  })

  test('charges the tyres that are there: the document says three', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'worknote' })
    const washing = await addService(w, { type: 'to_stock', method: 'per_tyre', price: 5 })
    const operation = await threeOfFour('to_stock', [washing])
    await confirm(operation, { anyway: true })
    await w.setSite(w.sites.home, { do_doc_insert: false })
    expect(
      await w.query(
        `select l.quantity::float as quantity, d.amount_excl::float as amount from document d
         join document_line l on l.document_id = d.id where d.operation_id = $1`,
        [operation.id],
      ),
    ).toEqual([{ quantity: 3, amount: 15 }])
  })

  test('takes it in where it is said to be here: its label cannot be read', async () => {
    const operation = await threeOfFour()
    await confirm(operation, { here: [operation.tyres[3]] })
    expect(await states(operation)).toEqual(Array.from({ length: 4 }, () => 'in_stock'))
    expect(await missing()).toEqual([])
  })

  test('needs each tyre scanned, here, or missing on purpose, and at least one that is there', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    expect((await confirm(operation, { here: operation.tyres.slice(0, 2) })).refusal).toMatchObject({
      code: 'operation.not_scanned',
      params: { tyres: operation.tyres.slice(2) },
    })
    expect((await confirm(operation, { anyway: true })).refusal.code).toBe('operation.all_missing')
    const other = await addOperation(w, { status: 'submitted' })
    expect((await confirm(operation, { here: [other.tyres[0]] })).refusal.code).toBe('record.missing')
    expect(await states(operation)).toEqual(Array.from({ length: 4 }, () => 'at_customer'))
    expect((await confirm(operation, { here: 'all' })).status).toBe(200)
  })

  test('names the missing ones: another that was not scanned is refused, and one that was scanned since is here', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    const [first = 0, second = 0, third = 0, fourth = 0] = operation.tyres
    await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: first }, { tyreId: second }] })
    expect((await confirm(operation, { anyway: true, missing: [fourth] })).refusal).toMatchObject({
      code: 'operation.not_scanned',
      params: { tyres: [third] },
    })
    const other = await addOperation(w, { status: 'submitted' })
    expect((await confirm(operation, { missing: [other.tyres[0]] })).refusal.code).toBe('record.missing')
    await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: third }] })
    const { answer } = await confirm(operation, { missing: [third, fourth] })
    expect(answer.tyres.map(tyre => tyre.missing)).toEqual([false, false, false, true])
  })

  test('is for the desk, unless the site lets accounts of the warehouse name what is missing', async () => {
    const warehouse = await warehouseOf(w)
    const byWarehouse = (operation: Made, how: object) =>
      w.ask(calls.confirm, warehouse, { operation: { _id: operation.id }, ...how })
    const added = await threeOfFour()
    const lost = added.tyres.slice(3)
    for (const how of [{ anyway: true }, { missing: lost }, { anyway: true, missing: lost }])
      expect((await byWarehouse(added, how)).refusal).toMatchObject({
        code: 'operation.missing_by_desk',
        params: { tyres: lost },
      })
    expect(await states(added)).toEqual(Array.from({ length: 4 }, () => 'at_customer'))
    // a wheel that is here with an unreadable label is not missing
    expect((await byWarehouse(await threeOfFour(), { here: 'all' })).status).toBe(200)

    await w.setSite(w.sites.home, { warehouse_confirms_missing: true })
    expect((await byWarehouse(added, { anyway: true })).refusal.code).toBe('operation.not_scanned')
    expect((await byWarehouse(added, { missing: lost })).status).toBe(200)
    await w.setSite(w.sites.home, { warehouse_confirms_missing: false })
    expect(await states(added)).toEqual(['in_stock', 'in_stock', 'in_stock', 'at_customer'])
  })

  test('takes the scan of one that is missed back: nothing confirms it as stored', async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    const operation = await threeOfFour()
    const [first = 0] = operation.tyres
    await w.ask(wheels.step, w.who.admin, { tyres: [first], step: 'miss' })
    const { answer } = await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: operation.tyres[3] ?? 0 }] })
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false })
    expect(answer.map(tyre => tyre.tyre_status)).toEqual(['at_customer'])
    expect((await confirm(operation, {})).refusal).toMatchObject({
      code: 'operation.not_scanned',
      params: { tyres: [first] },
    })
    await confirm(operation, { missing: [first] })
    expect(await states(operation)).toEqual(['at_customer', 'in_stock', 'in_stock', 'in_stock'])
  })

  test('leaves a tyre of a recall where it is', async () => {
    const operation = await threeOfFour('to_customer')
    await confirm(operation, { anyway: true })
    expect(await states(operation)).toEqual(['at_customer', 'at_customer', 'at_customer', 'in_stock'])
  })
})

describe('a missing tyre', () => {
  test('is listed with its operation, is in its history, and is free for another operation', async () => {
    const operation = await threeOfFour()
    await confirm(operation, { anyway: true })
    expect(await missing()).toMatchObject([
      {
        operation: operation.id,
        type: 'to_stock',
        db_id: operation.tyres[3],
        flt_id: operation.vehicle,
        seq_id: w.customers.a,
        position: '2B',
      },
    ])
    const events = (await w.ask(tyreCalls.events, w.who.a, { flt_id: operation.vehicle })).answer
    expect(events.filter(({ kind }) => kind === 'missing')).toMatchObject([
      { tyre: operation.tyres[3], operation: operation.id },
    ])
    const again = await w.ask(calls.new, w.who.a, {
      operation: { flt_id: operation.vehicle, tyres: [operation.tyres[3] ?? 0], operationType: 'to_stock' },
    })
    expect(again.status).toBe(200)
  })

  test('is missed no more once a later operation of it is confirmed', async () => {
    const operation = await threeOfFour()
    await confirm(operation, { anyway: true })
    const later = await addOperation(w, {
      vehicle: operation.vehicle,
      tyres: operation.tyres.slice(3),
      status: 'submitted',
      scanned: true,
    })
    await confirm(later, {})
    expect(await missing()).toEqual([])
    expect(await states(operation)).toEqual(Array.from({ length: 4 }, () => 'in_stock'))
  })

  test('is closed once, with a reason that the audit keeps', async () => {
    const operation = await threeOfFour()
    await confirm(operation, { anyway: true })
    const close = (reason: string) =>
      w.ask(calls.closemissing, w.who.admin, { operation: operation.id, db_id: operation.tyres[3] ?? 0, reason })
    expect((await close(' ')).refusal.code).toBe('request.invalid')
    expect((await close('It was never sent')).answer).toEqual({ db_id: operation.tyres[3] })
    expect(await missing()).toEqual([])
    expect((await close('Again')).refusal.code).toBe('operation.not_missing')
    expect(await w.query(`select facts from audit where action = 'operation.closemissing'`)).toEqual([
      { facts: { tyres: [operation.tyres[3]], reason: 'It was never sent' } },
    ])
  })
})
