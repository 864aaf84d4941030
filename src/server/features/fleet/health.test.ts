import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import type { Axle } from '#domain/vehicles/axle.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import {
  hasWinterTyres,
  incompleteSets,
  longStoredSince,
  needsWinterTyres,
  wearsWinterTyres,
} from '#domain/tyres/health.ts'
import { changeSeasons } from '#domain/season/seasonChange.ts'
import { recommendedLimits, verdictOf } from '#domain/tyres/tread.ts'
import { seasons, tyreStatuses } from '#domain/tyres/tyre.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-12-01T09:00:00Z') })
})
afterAll(() => at.close())
beforeEach(() => at.setSite(at.sites.home, { time_zone: 'Europe/Brussels', mode: 'both', allow_profile_depth: true }))

const health = async (body: object = {}) => (await at.ask(fleet.health, at.who.a, body)).answer

/** The same number at every run. */
let state = 20_261_201
function chance(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}
const pick = <T>(choices: readonly T[]): T => choices[chance(choices.length)] as T

const carAxle: Axle = { type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 }

/** The counts that the lists of the browser show for a fleet, by the functions that their filters use. */
function counted(
  vehicles: readonly Vehicle[],
  zone: string,
  customer: { summer: number | null; winter: number | null },
) {
  const [country, date] = [countryOf(zone), '2026-12-01']
  const ofVehicle = vehicles.map(vehicle => {
    const kind = vehicleKind(vehicle.type)
    const living = vehicle.tyres.filter(tyre => tyre.tyre_status !== 'waste')
    const verdicts = living.map(tyre => verdictOf(tyre, { country, kind, date, site: recommendedLimits, customer }))
    const without = hasWinterTyres(living) ? 0 : 1
    return {
      illegal: verdicts.filter(verdict => verdict === 'illegal').length,
      worn: verdicts.filter(verdict => verdict === 'worn').length,
      unmeasured: verdicts.filter(verdict => verdict === 'unknown').length,
      lackingWinter: needsWinterTyres(country, kind) ? without : 0,
      withoutWinter: wearsWinterTyres(kind) ? without : 0,
      longStored: living.filter(
        ({ tyre_status, status_date }) => tyre_status === 'in_stock' && status_date <= longStoredSince(date),
      ).length,
      incomplete: incompleteSets(vehicle.tyres, vehicle.configuration === null ? null : [carAxle, carAxle], kind)
        .length,
    }
  })
  const line = (finding: keyof (typeof ofVehicle)[number]) => ({
    vehicle_count: ofVehicle.filter(counts => counts[finding] > 0).length,
    finding_count: ofVehicle.reduce((sum, counts) => sum + counts[finding], 0),
  })
  return {
    illegal: line('illegal'),
    worn: line('worn'),
    unmeasured: line('unmeasured'),
    lackingWinter: line('lackingWinter'),
    withoutWinter: line('withoutWinter'),
    longStored: line('longStored'),
    incomplete: line('incomplete'),
  }
}

test('the statement counts what the rules of the domain find, in a fleet of all kinds', async () => {
  // 'CAMION (porteur)' came from elsewhere, and means a truck; 'thing' means nothing
  for (const type of [
    'car',
    'van',
    'truck',
    'bus',
    'trailer',
    'motorcycle',
    'CAMION (porteur)',
    'Véhicule utilitaire',
    'thing',
  ])
    for (const config of [null, undefined, undefined]) {
      const vehicle = await at.addVehicle({ type, ...(config === null && { config }) })
      for (const set of ['Winter', 'Summer', null].slice(chance(3)))
        for (const position of ['1A', '1B', '2A', '2B'].filter(() => chance(6) > 0)) {
          const tyre = await at.addTyre({
            vehicle,
            position,
            set,
            status: pick(tyreStatuses),
            depth: chance(6) === 0 ? null : chance(800) / 100,
            statusDate: pick(['2025-12-01', '2025-12-02', '2026-11-20', '2024-03-01']),
          })
          await at.query('update tyre set season = $2 where id = $1', [tyre, pick([...seasons, null])])
        }
    }
  await at.addVehicle({ customer: at.customers.b })
  for (const zone of ['Europe/Brussels', 'Europe/Vienna', 'Europe/Paris', 'Europe/Madrid', 'Asia/Tokyo'])
    for (const customer of [
      { summer: null, winter: null },
      { summer: 3.5, winter: 6 },
    ]) {
      await at.setSite(at.sites.home, { time_zone: zone })
      await at.query('update customer set min_tread_summer = $2, min_tread_winter = $3 where id = $1', [
        at.customers.a,
        customer.summer,
        customer.winter,
      ])
      const { answer: vehicles } = await at.ask(fleet.fetch, at.who.a, {})
      const report = await health()
      expect(report).toMatchObject(counted(vehicles, zone, customer))
      expect(report.worn?.finding_count).toBeGreaterThan(0)
      expect(report.incomplete.finding_count).toBeGreaterThan(0)
      expect(report.incomplete.first_vehicles).toHaveLength(3)
    }
})

test('hidden depth hides every verdict', async () => {
  await at.setSite(at.sites.home, { allow_profile_depth: false })
  expect(await health()).toMatchObject({ illegal: null, worn: null, reaching: null, unmeasured: null })
  for (const season of changeSeasons)
    expect((await at.ask(fleet.nearing, at.who.a, { season })).answer).toEqual({ tyres: [] })
})

test('without a tyre hotel nothing of stock and deliveries is told, but all of the fleet', async () => {
  await at.setSite(at.sites.home, { mode: 'fleetonly' })
  const answer = await health()
  expect(answer).toMatchObject({ longStored: null, delivered: null })
  expect(answer.worn?.finding_count).toBeGreaterThan(0)
})

test('recalls that were delivered within seven days are counted with their tyres', async () => {
  expect((await health()).delivered).toEqual({ operation_count: 0, tyre_count: 0 })
  const vehicle = await at.addVehicle({})
  for (const [status, handledAt] of [
    ['confirmed', '2026-11-25T00:30:00+01:00'],
    ['confirmed', '2026-11-24T23:30:00+01:00'],
    ['cancelled', '2026-11-30T10:00:00+01:00'],
  ]) {
    const tyres = [await at.addTyre({ vehicle, set: null }), await at.addTyre({ vehicle, set: null })]
    const { id } = await addOperation(at, { vehicle, tyres, type: 'to_customer' })
    await at.query('update operation set status = $2, handled_at = $3 where id = $1', [id, status, handledAt])
  }
  expect((await health()).delivered).toEqual({ operation_count: 1, tyre_count: 2 })
})

test('an administrator names the customer', async () => {
  const refused = await at.ask(fleet.health, at.who.admin, {})
  expect([refused.status, refused.refusal.code]).toEqual([400, 'request.invalid'])
  const { answer } = await at.ask(fleet.health, at.who.admin, { seq_id: at.customers.b })
  expect(answer.withoutWinter).toMatchObject({ vehicle_count: 1, finding_count: 1 })
})

test('what is below the limit of the site follows the site', async () => {
  await at.setSite(at.sites.home, {
    min_tread_summer: 0,
    min_tread_winter: 0,
    min_tread_truck_summer: 0,
    min_tread_truck_winter: 0,
  })
  await at.query('update customer set min_tread_summer = null, min_tread_winter = null')
  expect((await health()).worn).toEqual({ vehicle_count: 0, finding_count: 0, first_vehicles: [] })
})
