/** When tyres wear down, as the portal answers it (docs/wear.md). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tyres as calls } from '#contract/tyres.ts'
import { world, type World } from '../../testing/world.ts'

let w: World
let worn: number
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
  const vehicle = await w.addVehicle({ plate: '1WEAR01', type: 'car', config: w.configs.home })
  worn = await w.addTyre({ vehicle, position: '1A', depth: 6 })
  await w.query(`update tyre set season = 'winter' where id = $1`, [worn])
  for (const [day, depth, odometer] of [
    ['2025-11-10', 8, 20_000],
    ['2026-03-20', 7, 28_000],
    ['2026-11-08', 6, 44_000],
  ])
    await w.query(
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, depth, odometer)
       select site_id, id, customer_id, vehicle_id, 'measured', $2::date + time '12:00', $3, $4 from tyre where id = $1`,
      [worn, day, depth, odometer],
    )
})
afterAll(() => w.close())

const forecastsOf = async (tyres: number[]) => (await w.ask(calls.forecast, w.who.a, { tyres })).answer

test('a tyre with three readings has a forecast down to what the site wants', async () => {
  const [forecast] = (await forecastsOf([worn])) ?? []
  expect(forecast).toMatchObject({ tyre: worn, limit: 4 })
  expect((forecast?.from ?? '') > '2026-11-10').toBe(true)
  expect((forecast?.until ?? '') > (forecast?.from ?? '')).toBe(true)
  expect((forecast?.until ?? '') < '2029-01-01').toBe(true)
})

test('the time in store counts for nothing, and the season of the other set is skipped', async () => {
  const before = (await forecastsOf([worn]))?.[0]
  for (const [day, status] of [
    ['2026-04-16', 'in_stock'],
    ['2026-10-15', 'at_customer'],
  ])
    await w.query(
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, status)
       select site_id, id, customer_id, vehicle_id, 'moved', $2::date + time '12:00', $3 from tyre where id = $1`,
      [worn, day, status],
    )
  const after = (await forecastsOf([worn]))?.[0]
  expect(after?.from).not.toBe(before?.from)
  expect(/-(04-1[0-6]|0[1-3]-|1[0-2]-)/.test(after?.from ?? '')).toBe(true)
})

test('one that was read once has no days, and one at its limit is left out', async () => {
  const vehicle = await w.addVehicle({ plate: '1WEAR02', type: 'car', config: w.configs.home })
  const [once, done] = [
    await w.addTyre({ vehicle, position: '1A', depth: 7 }),
    await w.addTyre({ vehicle, position: '1B', depth: 2 }),
  ]
  for (const tyre of [once, done])
    await w.query(
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, depth)
       select site_id, id, customer_id, vehicle_id, 'measured', '2026-11-01T12:00:00Z', profile_depth from tyre where id = $1`,
      [tyre],
    )
  expect(await forecastsOf([once, done])).toEqual([{ tyre: once, limit: 4, from: null, until: null }])
})

test('while depth is hidden there is none', async () => {
  await w.setSite(w.sites.home, { allow_profile_depth: false })
  expect(await forecastsOf([worn])).toEqual([])
  await w.setSite(w.sites.home, { allow_profile_depth: true })
})
