import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RawInput } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-20T09:00:00Z') })
})
afterAll(() => at.close())

const plates = (vehicles: readonly { license_plate: string }[]): string[] =>
  vehicles.map(vehicle => vehicle.license_plate)

const bare = ({ text }: { text: string }): string => text.replace(/"requestId":"[^"]+"/, '')

const find = async (string: string) => (await at.ask(fleet.findcustomerbyname, at.who.admin, { string })).answer

describe('a fleet', () => {
  let car: number
  let van: number
  beforeAll(async () => {
    car = await at.addVehicle({ plate: '1AAA111' })
    van = await at.addVehicle({ plate: '1AAA112', type: 'van', config: null })
    await at.addVehicle({ customer: at.customers.b, plate: '1BBB111' })
    await at.addVehicle({ customer: at.customers.other, plate: '1AAA111' })
    const [place] = await at.addLocations({ places: 1, capacity: 4 })
    for (const [nth, status] of (['in_stock', 'at_customer', 'on_vehicle', 'waste', 'on_spare'] as const).entries())
      await at.addTyre({
        vehicle: car,
        position: '1A',
        status,
        set: `Set ${nth}`,
        location: nth === 0 ? (place ?? null) : null,
      })
    await at.query(`update tyre set tyre_set = 'Worn out' where vehicle_id = $1 and status = 'waste'`, [car])
    await at.query(
      `update tyre set memo = 'nail', rims = 'steel', bolts = true, profile_tacho = 12000 where vehicle_id = $1 and status = 'in_stock'`,
      [car],
    )
  })
  beforeEach(() =>
    at.setSite(at.sites.home, {
      allow_profile_depth: true,
      show_tyres_on_vehicle: true,
      show_tyres_at_customer: true,
      show_waste_tyres: true,
      mode: 'both',
    }),
  )

  test('a customer gets its vehicles in the order of their plates, with all their fields', async () => {
    const { status, answer } = await at.ask(fleet.fetch, at.who.a, {})
    expect(status).toBe(200)
    expect(plates(answer)).toEqual(['1AAA111', '1AAA112'])
    const [first, second] = answer
    expect(first).toMatchObject({
      flt_id: car,
      seq_id: at.customers.a,
      customer_name: 'Garage Alfa NV',
      brand: 'Volvo',
      description: 'V60',
      type: 'car',
      configuration: 'Car',
      driver: { name: '', mobile_no: '', telephone_no: '', email: '' },
    })
    expect(second).toMatchObject({ flt_id: van, configuration: null, tyres: [] })
    expect(first?.tyres.map(tyre => tyre.tyre_status)).toEqual([
      'in_stock',
      'at_customer',
      'on_vehicle',
      'waste',
      'on_spare',
    ])
    expect(first?.tyres[0]).toMatchObject({
      flt_id: car,
      art_id: at.articles.home,
      position: '1A',
      tyre_memo: 'nail',
      profile_depth: 7.5,
      profile_date: '2026-11-20',
      profile_tacho: 12_000,
      status_date: '2026-11-20',
      stock_rack: 'A-01-1',
      stock_site_name: 'Main hall',
      stock_rims: 'steel',
      stock_bolts: true,
      stock_hubcaps: false,
      tyre_set: 'Set 0',
      invoicedAt: null,
      unknownArticle: false,
      operation: null,
      action: null,
    })
  })

  test('every value travels as a one-item list', async () => {
    const [sent] = JSON.parse((await at.send('/fleet/fetch', at.who.a, {})).text) as [Record<string, unknown[]>]
    for (const value of Object.values(sent)) expect(value).toHaveLength(1)
    expect(sent.driver).toEqual([{ name: [''], mobile_no: [''], telephone_no: [''], email: [''] }])
    expect(sent.tyres).toEqual([{ tyre: expect.any(Array) as unknown }])
  })

  test('tyres of one vehicle stand in the order of their positions, 2A before 10A', async () => {
    const truck = await at.addVehicle({ customer: at.customers.b, plate: '1TRK001', type: 'truck' })
    for (const position of ['10A', '2B', '1A', '2A']) await at.addTyre({ vehicle: truck, position })
    const { answer } = await at.ask(fleet.vehicle, at.who.b, { flt_id: truck })
    expect(answer.tyres.map(tyre => tyre.position)).toEqual(['1A', '2A', '2B', '10A'])
    await at.query('update vehicle set removed_at = now() where id = $1', [truck])
  })

  test('a tyre in an open operation names it', async () => {
    const { answer: before } = await at.ask(fleet.vehicle, at.who.a, { flt_id: car })
    const tyre = before.tyres[0]?.db_id
    const [operation] = await at.query<{ id: number }>(
      `insert into operation (site_id, customer_id, vehicle_id, type, tyre_count) values ($1, $2, $3, 'to_customer', 1) returning id`,
      [at.sites.home, at.customers.a, car],
    )
    await at.query(`insert into operation_tyre (site_id, operation_id, tyre_id, customer_id) values ($1, $2, $3, $4)`, [
      at.sites.home,
      operation?.id,
      tyre,
      at.customers.a,
    ])
    const { answer } = await at.ask(fleet.vehicle, at.who.a, { flt_id: car })
    expect(answer.tyres[0]).toMatchObject({ operation: operation?.id, action: 'to_customer' })
    await at.query('update operation_tyre set open = false where operation_id = $1', [operation?.id])
    const { answer: after } = await at.ask(fleet.vehicle, at.who.a, { flt_id: car })
    expect(after.tyres[0]).toMatchObject({ operation: null, action: null })
  })

  test('removed vehicles and removed tyres are left out', async () => {
    const gone = await at.addVehicle({ plate: '1AAA113' })
    await at.query('update vehicle set removed_at = now() where id = $1', [gone])
    const lost = await at.addTyre({ vehicle: van })
    await at.query('update tyre set removed_at = now() where id = $1', [lost])
    const { answer } = await at.ask(fleet.fetch, at.who.a, {})
    expect(plates(answer)).toEqual(['1AAA111', '1AAA112'])
    expect(answer[1]?.tyres).toEqual([])
    expect((await at.ask(fleet.vehicle, at.who.a, { flt_id: gone })).refusal.code).toBe('record.missing')
  })

  test.each([
    [{ show_waste_tyres: false }, ['in_stock', 'at_customer', 'on_vehicle', 'on_spare']],
    // these two are about the tyre list; the wizard stores the tyres that are at the customer
    [
      { show_tyres_on_vehicle: false, show_tyres_at_customer: false },
      ['in_stock', 'at_customer', 'on_vehicle', 'waste', 'on_spare'],
    ],
  ])('with %j only waste is kept back', async (setting, shown) => {
    await at.setSite(at.sites.home, setting)
    for (const who of [at.who.a, at.who.admin]) {
      const { answer } = await at.ask(fleet.vehicle, who, { flt_id: car })
      expect(answer.tyres.map(tyre => tyre.tyre_status)).toEqual(shown)
      const whole = await at.ask(fleet.fetch, who, { seq_id: at.customers.a })
      expect(whole.answer[0]?.tyres.map(tyre => tyre.tyre_status)).toEqual(shown)
    }
  })

  test('with profile depth off neither depth nor its date nor its tachometer leaves the server', async () => {
    await at.setSite(at.sites.home, { allow_profile_depth: false })
    for (const path of ['/fleet/fetch', '/fleet/vehicle']) {
      const { text } = await at.send(path, at.who.a, { flt_id: car })
      expect(text).toContain('"profile_depth":[null],"profile_date":[null],"profile_tacho":[null]')
      expect(text).not.toMatch(/7\.5|12000/)
    }
  })

  test('a customer may name itself; any other customer is missing', async () => {
    const own = await at.ask(fleet.fetch, at.who.a, { seq_id: at.customers.a, search: 'nothing' })
    expect(plates(own.answer)).toEqual(['1AAA111', '1AAA112'])
    for (const seq_id of [at.customers.b, at.customers.other, 2_000_000])
      expect((await at.ask(fleet.fetch, at.who.a, { seq_id })).refusal.code).toBe('record.missing')
  })

  test('an administrator gets the fleet of a named customer, an unknown or foreign one is missing', async () => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { seq_id: at.customers.b })).answer)).toEqual(['1BBB111'])
    for (const seq_id of [at.customers.other, 2_000_000]) {
      const reply = await at.ask(fleet.fetch, at.who.admin, { seq_id })
      expect([reply.status, reply.refusal.code]).toEqual([404, 'record.missing'])
    }
  })

  test('an administrator who names nobody gets the vehicles of the own site only', async () => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, {})).answer)).toEqual(['1AAA111', '1AAA112', '1BBB111'])
    expect(plates((await at.ask(fleet.fetch, at.who.otherAdmin, {})).answer)).toEqual(['1AAA111'])
  })

  test.each([
    ['1-aaa-112', ['1AAA112']],
    ['aaa', ['1AAA111', '1AAA112']],
    ['beta', ['1BBB111']],
    ['volvo 1bbb', ['1BBB111']],
    ['jose', ['1AAA112']],
    ['JOSÉ', ['1AAA112']],
    ['F-77', ['1AAA112']],
    ['volvo nothing', []],
    ['%', []],
    ['   ', ['1AAA111', '1AAA112', '1BBB111']],
  ])('an administrator finds %j', async (search, expected) => {
    await at.query(`update vehicle set driver_name = 'José', number = 'F-77' where id = $1`, [van])
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { search })).answer)).toEqual(expected)
  })

  test.each([
    ['alpin', ['1AAA111']],
    ['ALPIN 205/55', ['1AAA111']],
    ['worn out', ['1AAA111']],
    ['a-01-1', ['1AAA111']],
    // words of the vehicle and of one tyre of it together
    ['volvo alpin 1-aaa-111', ['1AAA111']],
    ['beta alpin', []],
    ['worn a-01-1', []],
    ['al%in', []],
  ])('an administrator finds by tyres %j', async (search, expected) => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { search })).answer)).toEqual(expected)
  })

  test('an administrator finds a vehicle by the number of a tyre, whole, and never by one of another site', async () => {
    const vehicle = await at.addVehicle({ customer: at.customers.b, plate: '1TYR001' })
    const tyre = await at.addTyre({ vehicle })
    const by = async (search: string) => plates((await at.ask(fleet.fetch, at.who.admin, { search })).answer)
    await at.query('update tyre set id = 987654 where id = $1', [tyre])
    expect(await by('987654')).toEqual(['1TYR001'])
    expect(await by('volvo 987654')).toEqual(['1TYR001'])
    expect(await by('98765')).toEqual([])
    expect(plates((await at.ask(fleet.fetch, at.who.otherAdmin, { search: '987654' })).answer)).toEqual([])
    await at.query('delete from tyre where id = 987654')
    await at.query('delete from vehicle where id = $1', [vehicle])
  })

  test.each([
    [['in_stock'], '', ['1AAA111', '1BBB111']],
    [['waste'], '', ['1AAA111']],
    [['waste', 'on_vehicle'], '', ['1AAA111']],
    [[], '', ['1AAA111', '1AAA112', '1BBB111']],
    [['in_stock'], 'volvo', ['1AAA111', '1BBB111']],
    [['in_stock'], 'beta', ['1BBB111']],
    [['waste'], 'beta', []],
    // it is one tyre that has the status and the words
    [['waste'], 'worn', ['1AAA111']],
    [['waste'], 'a-01-1', []],
  ] as const)('an administrator finds vehicles with a tyre %j and %j', async (tyre_status, search, expected) => {
    const [other] = await at.query<{ id: number }>(`select id from vehicle where license_plate = '1BBB111'`)
    const tyre = await at.addTyre({ vehicle: other?.id ?? 0, status: 'in_stock' })
    const { answer } = await at.ask(fleet.fetch, at.who.admin, { tyre_status: [...tyre_status], search })
    await at.query('delete from tyre where id = $1', [tyre])
    expect(plates(answer)).toEqual(expected)
  })

  test('an administrator finds vehicles by season and depth of one tyre, by depth only where the site shows it', async () => {
    const vehicle = await at.addVehicle({ customer: at.customers.b, plate: '1SEA001' })
    const winter = await at.addTyre({ vehicle, status: 'in_stock' })
    const summer = await at.addTyre({ vehicle, status: 'in_stock', set: 'Summer' })
    await at.query(`update tyre set season = 'winter', profile_depth = 2.5 where id = $1`, [winter])
    await at.query(`update tyre set season = 'summer', profile_depth = 6 where id = $1`, [summer])
    const countOf = async (filter: Partial<RawInput<typeof fleet.fetch>>) =>
      (await at.ask(fleet.fetch, at.who.admin, { search: '1SEA001', ...filter })).answer.length
    expect(await countOf({ tyre_season: ['winter'] })).toBe(1)
    expect(await countOf({ tyre_season: ['snow', 'all_season'] })).toBe(0)
    expect(await countOf({ tyre_season: [] })).toBe(1)
    expect(await countOf({ tyre_depth: 2.5 })).toBe(1)
    expect(await countOf({ tyre_depth: 2.4 })).toBe(0)
    // the summer tyre has more, and no tyre at a customer has this season
    expect(await countOf({ tyre_season: ['summer'], tyre_depth: 3 })).toBe(0)
    expect(await countOf({ tyre_season: ['summer'], tyre_depth: 6 })).toBe(1)
    expect(await countOf({ tyre_season: ['winter'], tyre_status: ['at_customer'] })).toBe(0)
    expect(await countOf({ search: '', license_plate: '1SEA001', tyre_depth: 3 })).toBe(1)
    await at.setSite(at.sites.home, { allow_profile_depth: false })
    expect(await countOf({ tyre_depth: 6 })).toBe(0)
    await at.setSite(at.sites.home, { allow_profile_depth: true })
    await at.query('delete from tyre where vehicle_id = $1', [vehicle])
    await at.query('delete from vehicle where id = $1', [vehicle])
  })

  test('a status that the site does not show finds nothing, by plate neither', async () => {
    const filter = { license_plate: '1AAA111', tyre_status: ['waste'] as const }
    const platesNow = async () =>
      plates((await at.ask(fleet.fetch, at.who.admin, { ...filter, tyre_status: [...filter.tyre_status] })).answer)
    expect(await platesNow()).toEqual(['1AAA111'])
    await at.setSite(at.sites.home, { show_waste_tyres: false })
    expect(await platesNow()).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { search: 'worn out' })).answer).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { tyre_status: ['waste'] })).answer).toEqual([])
  })

  test('an administrator finds a whole plate however it is written, and no part of one', async () => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { license_plate: '1-aaa-112' })).answer)).toEqual([
      '1AAA112',
    ])
    expect((await at.ask(fleet.fetch, at.who.admin, { license_plate: '1AAA11' })).answer).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { license_plate: '--' })).answer).toEqual([])
  })

  test('the vehicles of a site come a hundred a page, each once, also those with the same plate', async () => {
    const otherWorld = await world()
    try {
      await otherWorld.query(
        `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
         select $1, $2, 'P' || n / 3, 'DAF', 'XF', 'kind ' || n from generate_series(1, 230) n`,
        [otherWorld.sites.home, otherWorld.customers.a],
      )
      const seen: number[] = []
      const sizes: number[] = []
      for (let last: number | undefined; ;) {
        const { answer } = await otherWorld.ask(
          fleet.fetch,
          otherWorld.who.admin,
          last === undefined ? {} : { last_vehicle: last },
        )
        sizes.push(answer.length)
        seen.push(...answer.map(vehicle => vehicle.flt_id))
        if (answer.length < 100) break
        last = answer.at(-1)?.flt_id
      }
      expect(sizes).toEqual([100, 100, 30])
      expect(new Set(seen).size).toBe(230)
    } finally {
      await otherWorld.close()
    }
  })

  test('a vehicle of another customer or site is missing, as one that does not exist', async () => {
    const never = await at.ask(fleet.vehicle, at.who.b, { flt_id: 2_000_000 })
    expect([never.status, never.refusal.code]).toEqual([404, 'record.missing'])
    for (const who of [at.who.b, at.who.otherUser, at.who.otherAdmin])
      expect(bare(await at.ask(fleet.vehicle, who, { flt_id: car }))).toBe(bare(never))
    expect((await at.ask(fleet.vehicle, at.who.admin, { flt_id: car })).answer.flt_id).toBe(car)
  })
})

describe('customers', () => {
  beforeAll(async () => {
    await at.query(
      `insert into customer (site_id, code, name, company, street, zipcode, city) values ($1, 'K-900', 'Müller & Zoon', 'Müller BV', 'Kaai 1', '9000', 'Aalst')`,
      [at.sites.home],
    )
  })

  test.each([
    ['alfa', ['Garage Alfa']],
    ['GARAGE', ['Garage Alfa']],
    ['muller', ['Müller & Zoon']],
    ['müller bv', ['Müller & Zoon']],
    ['k-900', ['Müller & Zoon']],
    ['aalst', ['Müller & Zoon']],
    ['gent lease', ['Lease Beta']],
    ['gamma', []],
    ['', ['Garage Alfa', 'Lease Beta', 'Müller & Zoon']],
  ])('%j finds %j', async (search, expected) => {
    expect((await find(search)).map(customer => customer.name)).toEqual(expected)
  })

  test('a customer tells its address and how many vehicles it has', async () => {
    const [vehicle] = await at.query<{ count: number }>(
      'select count(*)::int from vehicle where customer_id = $1 and removed_at is null',
      [at.customers.b],
    )
    expect(await find('beta')).toEqual([
      {
        seq_id: at.customers.b,
        name: 'Lease Beta',
        companyname: 'Lease Beta NV',
        street: '',
        zipcode: '',
        city: 'Gent',
        vehicles: vehicle?.count,
      },
    ])
  })

  test('at most fifty are found', async () => {
    await at.query(`insert into customer (site_id, name) select $1, 'Fifty ' || n from generate_series(1, 60) n`, [
      at.sites.home,
    ])
    expect(await find('fifty')).toHaveLength(50)
  })

  test('only an administrator finds customers', async () => {
    const reply = await at.ask(fleet.findcustomerbyname, at.who.a, { string: '' })
    expect([reply.status, reply.refusal.code]).toEqual([403, 'session.forbidden'])
  })
})

describe('who may ask', () => {
  const calls = [
    ['fetch', {}],
    ['vehicle', { flt_id: 1 }],
    ['new', {}],
    ['searcharticles', { search_value: 'x' }],
    ['findcustomerbyname', { string: 'x' }],
    ['getTyreLabels', { tyres: [1], report_id: 1 }],
  ] as const

  test.each(calls)('%s needs a session, and is not for a superuser', async (name, body) => {
    const { path } = fleet[name]
    expect((await at.send(path, at.who.anonymous, body)).refusal.code).toBe('session.missing')
    expect((await at.send(path, at.who.superuser, body)).refusal.code).toBe('session.forbidden')
  })
})
