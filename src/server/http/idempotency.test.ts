/** Repeated calls (docs/promises.md "Repeated calls"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteExpiredKeys } from './idempotency.ts'
import { withoutRequest } from '../testing/bodies.ts'
import { world, type World } from '../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

const operationFor = async (): Promise<object> => {
  const vehicle = await at.addVehicle({})
  return { operation: { flt_id: vehicle, tyres: await at.addSet({ vehicle }), operationType: 'to_stock' } }
}
const make = (body: object, key: string | null, who = at.who.a) =>
  at.send('/operations/new', who, body, key ? { 'idempotency-key': key } : {})
const operations = async (): Promise<number> =>
  (await at.query<{ n: number }>('select count(*)::int as n from operation'))[0]?.n ?? 0

test('a repeated call gets the first answer and does nothing more', async () => {
  const [body, key] = [await operationFor(), randomUUID()]
  const first = await make(body, key)
  const before = await operations()
  const again = await make(body, key)
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(await operations()).toBe(before)
})

test('without a key the repeated call is refused: its tyres are in an operation', async () => {
  const body = await operationFor()
  await make(body, null)
  expect((await make(body, null)).refusal.code).toBe('operation.tyres_busy')
})

test('of fifty calls at once one does the work, and all get its answer', async () => {
  for (let round = 0; round < 5; round++) {
    const [body, key, before] = [await operationFor(), randomUUID(), await operations()]
    const replies = await Promise.all(Array.from({ length: 50 }, () => make(body, key)))
    expect(new Set(replies.map(reply => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await operations()).toBe(before + 1)
  }
})

test('a call that could succeed twice is also done once', async () => {
  const key = randomUUID()
  const vehicleData = {
    brand: 'Volvo',
    description: 'V60',
    type: 'car',
    configuration: 'Car',
    license_plate: '1KEY001',
  }
  const send = () => at.send('/fleet/new', at.who.a, { vehicleData }, { 'idempotency-key': key })
  const replies = await Promise.all(Array.from({ length: 20 }, send))
  expect(new Set(replies.map(reply => reply.text)).size).toBe(1)
  expect(await at.query(`select from vehicle where license_plate = '1KEY001'`)).toHaveLength(1)
})

test('a repeated import gets the first result, not that of a second one', async () => {
  const key = randomUUID()
  const send = () =>
    at.send('/customers/import', at.who.admin, { csv: 'code,name\nKEY9,Repeated' }, { 'idempotency-key': key })
  const first = await send()
  expect(first.answer).toMatchObject({ added: 1, unchanged: 0 })
  expect((await send()).text).toBe(first.text)
})

test('a key cannot be used for another call', async () => {
  const key = randomUUID()
  await make(await operationFor(), key)
  const before = await operations()
  const other = await make(await operationFor(), key)
  expect([other.status, other.refusal.code]).toEqual([409, 'request.key_reused'])
  expect(await operations()).toBe(before)
})

test('a refusal is not saved: the next attempt runs', async () => {
  const [body, key] = [await operationFor(), randomUUID()]
  await at.setSite(at.sites.home, { mode: 'fleetonly' })
  expect((await make(body, key)).refusal.code).toBe('site.mode')
  await at.setSite(at.sites.home, { mode: 'both' })
  expect((await make(body, key)).status).toBe(200)
})

test('a key belongs to its account', async () => {
  const [body, key] = [await operationFor(), randomUUID()]
  const mine = await make(body, key)
  const theirs = await make(body, key, at.who.b)
  expect(theirs.refusal.code).toBe('record.missing')
  expect(withoutRequest(theirs)).toBe(withoutRequest(await make(body, null, at.who.b)))
  expect((await make(body, key)).text).toBe(mine.text)
})

test('a malformed key is refused before anything is done', async () => {
  const before = await operations()
  expect((await make(await operationFor(), 'again')).refusal.code).toBe('request.invalid')
  expect(await operations()).toBe(before)
})

test('keys are deleted after a week', async () => {
  const [body, key] = [await operationFor(), randomUUID()]
  const first = await make(body, key)
  const days = (count: number): Date => new Date(at.clock.now.getTime() + count * 86_400_000)
  await deleteExpiredKeys(at.database, days(6))
  expect((await make(body, key)).text).toBe(first.text)
  expect(await deleteExpiredKeys(at.database, days(8))).toBeGreaterThan(0)
  expect((await make(body, key)).refusal.code).toBe('operation.tyres_busy')
})
