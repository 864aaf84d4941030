/** Rims, bolts and hubcaps of a storage that nobody has said anything about. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { noParts, type WheelParts } from '#domain/operations/operation.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.operations
const steel: WheelParts = { withRims: 'steel', withBolts: true, withHubcaps: false }
let w: World
let vehicle: number
let tyres: number[]
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  vehicle = await w.addVehicle({})
  tyres = await w.addSet({ vehicle, set: 'Summer', status: 'at_customer' })
})

/** Tyres of the vehicle go through an operation, from its submission to its end. */
async function handle(type: OfferedType, some: number[], parts: WheelParts = noParts): Promise<void> {
  const { id } = await addOperation(w, { type, vehicle, tyres: some, status: 'submitted' })
  await w.query('update operation set with_rims = $2, with_bolts = $3, with_hubcaps = $4 where id = $1', [
    id,
    parts.withRims,
    parts.withBolts,
    parts.withHubcaps,
  ])
  const reply = await w.ask(calls.confirm, w.who.admin, { operation: { _id: id }, here: 'all' })
  expect(reply.status, reply.text).toBe(200)
}
const ask = (some = tyres, type: OfferedType = 'to_stock') =>
  w.ask(calls.new, w.who.a, { operation: { flt_id: vehicle, tyres: some, operationType: type } })
const lastParts = async () =>
  (await w.ask(contract.fleet.vehicle, w.who.a, { flt_id: vehicle })).answer.parts.map(({ db_id, ...parts }) => [
    db_id,
    parts,
  ])

test('tyres that come again come as they went', async () => {
  await handle('to_stock', tyres, steel)
  expect(await lastParts()).toEqual(tyres.map(tyre => [tyre, steel]))
  await handle('to_customer', tyres)
  expect(await lastParts()).toEqual(tyres.map(tyre => [tyre, steel]))
  expect((await ask()).answer).toMatchObject(steel)
})

test('the last time counts, not the one before it', async () => {
  await handle('to_stock', tyres, steel)
  await handle('to_customer', tyres)
  const last = { withRims: 'aluminum', withBolts: false, withHubcaps: true } as const
  await handle('to_stock', tyres, last)
  await handle('to_customer', tyres)
  expect((await ask()).answer).toMatchObject(last)
})

test('what only some of them had, and what nobody has seen yet, is not taken for granted', async () => {
  expect(await lastParts()).toEqual([])
  expect((await ask([tyres[3] ?? 0])).answer).toMatchObject(noParts)
  const some = tyres.slice(0, 2)
  await handle('to_stock', some, steel)
  await handle('to_customer', some)
  expect((await ask(tyres.slice(0, 3))).answer).toMatchObject(noParts)
})

test('what a tyre itself says counts before its history', async () => {
  await handle('to_stock', tyres, steel)
  await handle('to_customer', tyres)
  await w.query(`update tyre set rims = 'aluminum' where id = any ($1)`, [tyres])
  expect((await ask()).answer).toMatchObject({ withRims: 'aluminum', withBolts: false, withHubcaps: false })
})

test('a recall asks for no parts', async () => {
  await handle('to_stock', tyres, steel)
  expect((await ask(tyres, 'to_customer')).answer).toMatchObject(noParts)
})

test('what tyres had at a former customer is not told to the next', async () => {
  await handle('to_stock', tyres, steel)
  await handle('to_customer', tyres)
  const given = { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-10' }
  expect((await w.ask(contract.fleet.transfer, w.who.admin, given)).answer.parts).toEqual([])
})

test('a swap stores what comes back as it was, or as it is told', async () => {
  const transport = await addTransport(w, { days: [1, 2, 3, 4, 5] })
  await handle('to_stock', tyres, steel)
  await handle('to_customer', tyres)
  const swap = async (set: string, back: number[], parts: Partial<WheelParts> = {}) => {
    const { answer } = await w.ask(calls.swap, w.who.a, {
      flt_id: vehicle,
      recall: await w.addSet({ vehicle, set, status: 'in_stock' }),
      store: back,
      transport,
      deliveryDate: '2026-11-12',
      ...parts,
    })
    expect(answer.recall).toMatchObject(noParts)
    return answer.storage
  }
  expect(await swap('Winter', tyres.slice(0, 2))).toMatchObject(steel)
  expect(await swap('Snow', tyres.slice(2), { withRims: null, withHubcaps: true })).toMatchObject({
    withRims: null,
    withBolts: true,
    withHubcaps: true,
  })
})
