/** Stored forecasts (docs/decisions/0069) equal the result of the domain's rule, on any day and after any change. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { tyres as calls } from '#contract/tyres.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { changeSeasons, seasonDay, seasonSpan } from '#domain/season/seasonChange.ts'
import { recommendedLimits, treadLimits } from '#domain/tyres/tread.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import {
  daysOfForecast,
  keptForecast,
  type KeptForecast,
  mayReachBy,
  reachesThisSeason,
  type Reading,
  type WearCase,
} from '#domain/tyres/wear.ts'
import { chance } from '../../../../db/demo/chance.ts'
import { world, type World } from '../../testing/world.ts'
import { forecastNext } from './forecasting.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-12-01T09:00:00Z') })
  await at.setSite(at.sites.home, { time_zone: 'Europe/Brussels', mode: 'both' })
})
afterAll(() => at.close())
beforeEach(() => {
  at.clock.now = new Date('2026-12-01T09:00:00Z')
})

const settle = async () => {
  let times = 0
  while (await forecastNext(at.database)) times++
  return times
}
const reaching = async () => (await at.ask(fleet.reaching, at.who.a, {})).answer

type Made = { id: number; of: WearCase; type: string; depth: number | null }
async function makeTyre(
  vehicle: number,
  { of: wear, type, position }: { of: WearCase; type: string; position: string },
): Promise<Made> {
  const last = wear.pauses.at(-1)
  const depth = wear.readings.at(-1)?.depth ?? null
  const status = last?.until === null ? 'in_stock' : 'at_customer'
  const id = await at.addTyre({ vehicle, position, status, set: null, depth })
  await at.query('update tyre set season = $2 where id = $1', [id, wear.season])
  const event = (kind: string, day: IsoDate, facts: { depth?: number; odometer?: number | null; status?: string }) =>
    at.query(
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, depth, odometer, status)
       select site_id, id, customer_id, vehicle_id, $2, $3::date + time '12:00', $4, $5, $6 from tyre where id = $1`,
      [id, kind, day, facts.depth ?? null, facts.odometer ?? null, facts.status ?? null],
    )
  for (const { date, ...read } of wear.readings) await event('measured', date, read)
  for (const { from, until } of wear.pauses) {
    await event('received', from, { status: 'in_stock' })
    if (until !== null) await event('delivered', until, { status: 'at_customer' })
  }
  return { id, of: wear, type, depth }
}

test('what reaches its limit this season is what the rule of the domain says, on days on which nothing is forecast again', async () => {
  const by = chance('kept forecasts')
  const tyres: Made[] = []
  for (const type of ['car', 'van', 'truck', 'trailer', 'motorcycle', 'thing'])
    for (let nth = 0; nth < 4; nth++) {
      const vehicle = await at.addVehicle({ type, config: null })
      for (const position of ['1A', '1B', '2A', '2B']) {
        const begin = addDays('2025-01-10', by.between(0, 200))
        const wear = by.between(4, 12) / 10
        const readings: Reading[] = Array.from({ length: by.between(1, 4) }, (_, which) => ({
          date: addDays(begin, which * by.between(80, 120)),
          depth: Math.max(0, Math.round((8 - which * wear) * 10) / 10),
          odometer: by.likely(0.7) ? 20_000 + which * 7000 : null,
        }))
        const ordered = readings.toSorted((a, b) => a.date.localeCompare(b.date))
        const pauses = by.pick([
          [],
          [{ from: addDays(begin, 40), until: addDays(begin, 90) }],
          [{ from: '2026-07-01', until: '2026-11-01' }],
          [
            { from: '2026-05-01', until: '2026-09-01' },
            { from: '2026-10-20', until: null },
          ],
        ])
        const season = by.pick([...seasons, null])
        const wearCase = { readings: ordered, pauses, season, driven: null, yearly: null, kind: vehicleKind(type) }
        tyres.push(await makeTyre(vehicle, { of: wearCase, type, position }))
      }
    }
  const forecasts = new Map<string, KeptForecast | null>()
  const keptOf = (id: number, wear: WearCase, limit: number): KeptForecast | null => {
    const cached = forecasts.get(`${id} ${limit}`)
    if (cached !== undefined) return cached
    const kept = keptForecast(wear, limit)
    forecasts.set(`${id} ${limit}`, kept)
    return kept
  }
  for (const [zone, customer] of [
    ['Europe/Brussels', { summer: null, winter: null }],
    ['Europe/Vienna', { summer: 5.5, winter: 4.5 }],
  ] as const) {
    await at.setSite(at.sites.home, { time_zone: zone })
    await at.query('update customer set min_tread_summer = $2, min_tread_winter = $3 where id = $1', [
      at.customers.a,
      customer.summer,
      customer.winter,
    ])
    expect(await settle()).toBeGreaterThan(0)
    for (const today of ['2026-12-01', '2027-02-15', '2027-05-10', '2027-08-14']) {
      at.clock.now = new Date(`${today}T09:00:00Z`)
      // keeps the session alive over months
      await at.query('update session set created_at = $1, seen_at = $1', [at.clock.now])
      const expected = tyres.flatMap(({ id, of: wear, type, depth }) => {
        const judged = {
          country: countryOf(zone),
          kind: vehicleKind(type),
          date: today,
          site: recommendedLimits,
          customer,
        }
        const { wanted } = treadLimits(wear.season, judged)
        if (depth === wanted) return [{ id, estimates: [] }]
        const kept = keptOf(id, wear, wanted)
        return depth !== null && depth > wanted && kept !== null && reachesThisSeason(kept, wear.season, today)
          ? [{ id, estimates: [{ tyre: id, limit: wanted, ...daysOfForecast(kept, wear.season, today) }] }]
          : []
      })
      expect(await reaching()).toEqual({
        tyres: expected.map(({ id }) => id),
        estimates: expected.flatMap(({ estimates }) => estimates),
      })
      expect(expected.length).toBeGreaterThan(3)
      expect(expected.length).toBeLessThan(tyres.length * 0.8)
      const { answer } = await at.ask(fleet.health, at.who.a, {})
      expect(answer.reaching?.finding_count).toBe(expected.length)
      for (const season of changeSeasons) {
        const { until } = seasonSpan(season, today)
        const near = tyres.flatMap(({ id, of: wear, type, depth }) => {
          const judged = {
            country: countryOf(zone),
            kind: vehicleKind(type),
            date: seasonDay(season, today),
            site: recommendedLimits,
            customer,
          }
          const { wanted } = treadLimits(wear.season, judged)
          const kept = keptOf(id, wear, wanted)
          const isNear = depth !== null && depth > wanted && kept !== null
          return isNear && mayReachBy(kept, wear.season, { today, until })
            ? [{ tyre: id, ...daysOfForecast(kept, wear.season, today) }]
            : []
        })
        expect((await at.ask(fleet.nearing, at.who.a, { season })).answer.tyres).toEqual(near)
        expect(near.length).toBeGreaterThan(3)
        // the list is narrowed by the day on which the interval begins
        expect(near.filter(({ from }) => from > until)).toEqual([])
      }
      expect(await settle()).toBe(0)
    }
  }
})

test('a spare is not driven: it reaches no limit', async () => {
  const near = async () =>
    (await Promise.all(changeSeasons.map(season => at.ask(fleet.nearing, at.who.a, { season })))).flatMap(
      ({ answer }) => answer.tyres.map(({ tyre }) => tyre),
    )
  const { tyres } = await reaching()
  const [spare = 0, driven] = (await near()).filter(tyre => tyres.includes(tyre))
  await at.query(`update tyre set status = 'on_spare' where id = $1`, [spare])
  expect((await reaching()).tyres).toEqual(tyres.filter(tyre => tyre !== spare))
  expect(await near()).not.toContain(spare)
  expect(await near()).toContain(driven)
})

/** The stored forecast of a tyre, beside one computed on request. */
async function bothOf(id: number) {
  const [row] = await at.query<{ kept: KeptForecast; season: string | null }>(
    `select json_build_object('limit', f.limit_mm, 'read', f.read_on, 'low', low, 'middle', middle, 'high', high, 'turns', turns,
       'paused', paused, 'pausedSince', paused_since) as kept, t.season
     from tyre_forecast f join tyre t on t.id = f.tyre_id where f.tyre_id = $1`,
    [id],
  )
  const [forecast] = (await at.ask(calls.forecast, at.who.a, { tyres: [id] })).answer
  return {
    kept: row ? { tyre: id, limit: row.kept.limit, ...daysOfForecast(row.kept, row.season, '2026-12-01') } : undefined,
    asked: forecast?.from ? forecast : undefined,
  }
}

test(
  'whatever the rule goes by changes, the forecast is kept anew, and nothing else makes it',
  { tags: 'whole' },
  async () => {
    await at.setSite(at.sites.home, { time_zone: 'Europe/Brussels' })
    await at.query('update customer set min_tread_summer = null, min_tread_winter = null')
    const vehicle = await at.addVehicle({ type: 'car', plate: '1KEPT01' })
    const readings = [
      { date: '2025-10-20', depth: 8, odometer: 20_000 },
      { date: '2026-03-20', depth: 7, odometer: 28_000 },
    ]
    const wear = { readings, pauses: [], season: 'winter', driven: null, yearly: null, kind: 'car' } as const
    const { id } = await makeTyre(vehicle, { of: wear, type: 'car', position: '1A' })
    await settle()
    let before = await bothOf(id)
    expect(before.kept).toEqual(before.asked)
    const changes: Record<string, () => Promise<unknown>> = {
      'a reading': () =>
        at.ask(calls.measure, at.who.a, {
          readings: [{ db_id: id, profile_depth: 6, profile_date: '2026-12-01', profile_tacho: 44_000 }],
        }),
      'a time in store': () =>
        at.query(
          `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, status)
         select site_id, id, customer_id, vehicle_id, 'received', '2026-05-01T12:00:00Z', 'in_stock' from tyre where id = $1`,
          [id],
        ),
      'its end': () =>
        at.query(
          `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, status)
         select site_id, id, customer_id, vehicle_id, 'delivered', '2026-10-15T12:00:00Z', 'at_customer' from tyre where id = $1`,
          [id],
        ),
      'its season': () => at.query(`update tyre set season = 'summer' where id = $1`, [id]),
      'its axle': () => at.query(`update tyre set position = '2A' where id = $1`, [id]),
      'the axles of the configuration': () =>
        at.query(
          `update vehicle_config set axles = jsonb_set(jsonb_set(axles, '{0,drive}', 'false'), '{1,drive}', 'true') where id = $1`,
          [at.configs.home],
        ),
      'the type of the vehicle': () => at.ask(fleet.update, at.who.a, { vehicle: { flt_id: vehicle, type: 'truck' } }),
      'the distance that its owner expects': () =>
        at.ask(fleet.update, at.who.a, { vehicle: { flt_id: vehicle, yearly_distance: 90_000 } }),
      'the limit of the customer': () =>
        at.query('update customer set min_tread_summer = 4.4 where id = $1', [at.customers.a]),
      'the limit of the site': () => at.setSite(at.sites.home, { min_tread_truck_summer: 4.8 }),
    }
    for (const [what, change] of Object.entries(changes)) {
      await change()
      const times = await settle()
      const after = await bothOf(id)
      expect([what, times > 0, after.kept]).toEqual([what, true, after.asked])
      expect([what, after.kept]).not.toEqual([what, before.kept])
      before = after
    }
    await at.query(`update tyre set memo = 'washed', tyre_set = 'other' where id = $1`, [id])
    await at.ask(fleet.update, at.who.a, { vehicle: { flt_id: vehicle, brand: 'Saab' } })
    expect(await settle()).toBe(0)
  },
)

test('nothing is kept of waste, and a tyre that goes to another customer takes nothing along', async () => {
  const vehicle = await at.addVehicle({ type: 'car', plate: '1KEPT02' })
  const readings = [
    { date: '2025-10-20', depth: 8, odometer: 20_000 },
    { date: '2026-11-20', depth: 6, odometer: 38_000 },
  ]
  const wear = { readings, pauses: [], season: 'winter', driven: null, yearly: null, kind: 'car' } as const
  const [kept, waste] = [
    await makeTyre(vehicle, { of: wear, type: 'car', position: '1A' }),
    await makeTyre(vehicle, { of: wear, type: 'car', position: '1B' }),
  ]
  const rows = () =>
    at.query<{ tyre_id: number }>('select tyre_id from tyre_forecast where tyre_id = any ($1) order by 1', [
      [kept.id, waste.id],
    ])
  await settle()
  expect((await rows()).map(row => row.tyre_id)).toEqual([kept.id, waste.id])
  await at.query(`update tyre set status = 'waste' where id = $1`, [waste.id])
  await at.query(
    `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, status)
     select site_id, id, customer_id, vehicle_id, 'scrapped', now(), 'waste' from tyre where id = $1`,
    [waste.id],
  )
  await settle()
  expect((await rows()).map(row => row.tyre_id)).toEqual([kept.id])
  const moved = await at.ask(fleet.transfer, at.who.admin, {
    flt_id: vehicle,
    seq_id: at.customers.b,
    date: '2026-12-01',
  })
  expect(moved.status).toBe(200)
  await settle()
  expect(await rows()).toEqual([])
})

test('two nodes forecast a site one after the other, and a killed one leaves all of it due', async () => {
  const vehicle = await at.addVehicle({ type: 'car' })
  await at.query('insert into forecast_due (site_id, vehicle_id) values ($1, $2)', [at.sites.home, vehicle])
  await at.query('begin')
  await at.query(`select pg_advisory_xact_lock(hashtext('wheelhouse forecasts'), $1)`, [at.sites.home])
  expect(await forecastNext(at.database)).toBe(false)
  await at.query('rollback')
  expect(await forecastNext(at.database)).toBe(true)
  expect(await at.query('select from forecast_due')).toEqual([])
})

test('while depth is hidden none reaches anything', async () => {
  await at.setSite(at.sites.home, { allow_profile_depth: false })
  expect(await reaching()).toEqual({ tyres: [], estimates: [] })
  await at.setSite(at.sites.home, { allow_profile_depth: true })
})
