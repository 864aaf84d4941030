/** When a tyre was made (docs/product/tyres.md "Age of tyres"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cards } from '#contract/cards.ts'
import { fleet } from '#contract/fleet.ts'
import { tyres as calls } from '#contract/tyres.ts'
import { world, type World } from '../../testing/world.ts'

let w: World
let tyre: number
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-26T10:00:00Z') })
  tyre = await w.addTyre({ vehicle: await w.addVehicle({}) })
})
afterAll(() => w.close())

const note = (dot: string, retreaded = '') => w.ask(calls.notedot, w.who.a, { db_id: tyre, dot, retreaded })
const noted = async (who = w.who.a) => (await w.ask(calls.dots, who, { tyres: [tyre] })).answer
const notes = async () =>
  (await w.ask(calls.events, w.who.a, { tyres: [tyre] })).answer.flatMap(({ kind, note }) =>
    kind === 'dated' ? note : [],
  )

test('the code is kept as it is written on the tyre, and its history says when it was noted', async () => {
  expect(await noted()).toEqual([{ tyre, dot: '', retreaded: '' }])
  expect((await note('dot 4B9R-JU1X 2319', '10 24')).answer).toEqual({ tyre, dot: '4B9RJU1X2319', retreaded: '1024' })
  expect(await noted(w.who.admin)).toEqual([{ tyre, dot: '4B9RJU1X2319', retreaded: '1024' }])
  await note('4B9R JU1X 2319', '1024')
  expect(await notes()).toEqual(['4B9RJU1X2319, R 1024'])
  await note('')
  expect(await notes()).toEqual(['–', '4B9RJU1X2319, R 1024'])
})

test('an impossible one is refused, and nothing is kept of it', async () => {
  await note('2319')
  for (const [dot, retreaded, code] of [
    ['0019', '', 'tyre.dot_unreadable'],
    ['5419', '', 'tyre.dot_unreadable'],
    ['2319', 'soon', 'tyre.dot_unreadable'],
    ['4926', '', 'tyre.dot_future'],
    ['2319', '1018', 'tyre.dot_order'],
  ] as const)
    expect([dot, retreaded, (await note(dot, retreaded)).refusal.code]).toEqual([dot, retreaded, code])
  expect((await note('1'.repeat(31))).refusal.code).toBe('request.invalid')
  expect(await noted()).toEqual([{ tyre, dot: '2319', retreaded: '' }])
})

test("another customer's tyre is unknown", async () => {
  expect((await w.ask(calls.dots, w.who.b, { tyres: [tyre] })).refusal.code).toBe('record.missing')
  const reply = await w.ask(calls.notedot, w.who.b, { db_id: tyre, dot: '2319', retreaded: '' })
  expect(reply.refusal.code).toBe('record.missing')
})

test('the card of the wheel has it, and it goes along to another customer', async () => {
  await note('2319', '1024')
  const { answer } = await w.ask(cards.read, w.who.admin, { tyre })
  expect(answer.wheels[0]).toMatchObject({ dot: '2319', retreaded: '1024' })
  const [{ vehicle } = { vehicle: 0 }] = await w.query<{ vehicle: number }>(
    'select vehicle_id as vehicle from tyre where id = $1',
    [tyre],
  )
  await w.ask(fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-26' })
  expect(await noted(w.who.b)).toEqual([{ tyre, dot: '2319', retreaded: '1024' }])
})
