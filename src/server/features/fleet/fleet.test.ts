import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { articleKeys } from '#domain/article.ts'
import { fleet } from '#contract/fleet.ts'
import type { RawInput } from '#contract/call.ts'
import { articlesBySize } from './articles.sql.ts'
import { valuesOf } from '../../db/statement.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-20T09:00:00Z') })
})
afterAll(() => at.close())

const plates = (vehicles: readonly { license_plate: string }[]): string[] =>
  vehicles.map(vehicle => vehicle.license_plate)

const bare = ({ text }: { text: string }): string => text.replace(/"requestId":"[^"]+"/, '')

const search = async (search_value: string, last_article?: number) =>
  (await at.ask(fleet.searcharticles, at.who.a, { search_value, last_article })).answer

const find = async (string: string) => (await at.ask(fleet.findcustomerbyname, at.who.admin, { string })).answer

async function pagesOf(base64: string): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(Buffer.from(base64, 'base64')), verbosity: 0 }).promise
  const pages = []
  for (let nth = 1; nth <= document.numPages; nth++) {
    const { items } = await (await document.getPage(nth)).getTextContent()
    pages.push(items.map(item => ('str' in item ? item.str : '')).join(' '))
  }
  return pages
}

const label = (who: Principal, asked: unknown[], report_id = 1) =>
  at.ask(fleet.getTyreLabels, who, { tyres: asked as number[], report_id })

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

  test('a customer gets the own vehicles, in the order of their plates, with all that is known of them', async () => {
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

  test('a customer gets the own fleet also by its number; any other is missing', async () => {
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
  ])('an administrator finds %j', async (search, found) => {
    await at.query(`update vehicle set driver_name = 'José', number = 'F-77' where id = $1`, [van])
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { search })).answer)).toEqual(found)
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
  ])('an administrator finds by tyres %j', async (search, found) => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { search })).answer)).toEqual(found)
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
  ] as const)('an administrator finds vehicles with a tyre %j and %j', async (tyre_status, search, found) => {
    const [other] = await at.query<{ id: number }>(`select id from vehicle where license_plate = '1BBB111'`)
    const tyre = await at.addTyre({ vehicle: other?.id ?? 0, status: 'in_stock' })
    const { answer } = await at.ask(fleet.fetch, at.who.admin, { tyre_status: [...tyre_status], search })
    await at.query('delete from tyre where id = $1', [tyre])
    expect(plates(answer)).toEqual(found)
  })

  test('a status that the site does not show finds nothing, by plate neither', async () => {
    const asked = { license_plate: '1AAA111', tyre_status: ['waste'] as const }
    const found = async () =>
      plates((await at.ask(fleet.fetch, at.who.admin, { ...asked, tyre_status: [...asked.tyre_status] })).answer)
    expect(await found()).toEqual(['1AAA111'])
    await at.setSite(at.sites.home, { show_waste_tyres: false })
    expect(await found()).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { search: 'worn out' })).answer).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { tyre_status: ['waste'] })).answer).toEqual([])
  })

  test('an administrator finds an exact plate however it is written, and no part of one', async () => {
    expect(plates((await at.ask(fleet.fetch, at.who.admin, { license_plate: '1-aaa-112' })).answer)).toEqual([
      '1AAA112',
    ])
    expect((await at.ask(fleet.fetch, at.who.admin, { license_plate: '1AAA11' })).answer).toEqual([])
    expect((await at.ask(fleet.fetch, at.who.admin, { license_plate: '--' })).answer).toEqual([])
  })

  test('the vehicles of a site come a hundred a page, each once, also those with the same plate', async () => {
    const made = await world()
    try {
      await made.query(
        `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
         select $1, $2, 'P' || n / 3, 'DAF', 'XF', 'kind ' || n from generate_series(1, 230) n`,
        [made.sites.home, made.customers.a],
      )
      const seen: number[] = []
      const sizes: number[] = []
      for (let last: number | undefined; ;) {
        const { answer } = await made.ask(fleet.fetch, made.who.admin, last === undefined ? {} : { last_vehicle: last })
        sizes.push(answer.length)
        seen.push(...answer.map(vehicle => vehicle.flt_id))
        if (answer.length < 100) break
        last = answer.at(-1)?.flt_id
      }
      expect(sizes).toEqual([100, 100, 30])
      expect(new Set(seen).size).toBe(230)
    } finally {
      await made.close()
    }
  })

  test('a vehicle of another customer or site is missing, as one that never was', async () => {
    const never = await at.ask(fleet.vehicle, at.who.b, { flt_id: 2_000_000 })
    expect([never.status, never.refusal.code]).toEqual([404, 'record.missing'])
    for (const who of [at.who.b, at.who.otherUser, at.who.otherAdmin])
      expect(bare(await at.ask(fleet.vehicle, who, { flt_id: car }))).toBe(bare(never))
    expect((await at.ask(fleet.vehicle, at.who.admin, { flt_id: car })).answer.flt_id).toBe(car)
  })
})

describe('a new vehicle', () => {
  const wish: RawInput<typeof fleet.new>['vehicleData'] = {
    license_plate: '1-new-001',
    brand: 'Volvo',
    description: 'V60 Cross Country',
    type: 'car',
    configuration: 'Car',
  }
  const add = (who: Principal, changes: Partial<typeof wish> = {}, seq_id?: number) =>
    at.ask(fleet.new, who, { vehicleData: { ...wish, ...changes }, ...(seq_id === undefined ? {} : { seq_id }) })
  beforeEach(() => at.setSite(at.sites.home, { mode: 'both' }))

  test('is kept with a bare plate and a known kind, and answered whole', async () => {
    const { status, answer } = await add(at.who.a, {
      number: '12',
      chassis_number: 'YV1ZZZ00000000001',
      type: 'Vrachtwagen',
      driver: {
        name: 'Ann Peeters',
        mobile_no: '0470 00 00 01',
        telephone_no: '09 000 00 01',
        email: 'ann@example.org',
      },
    })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      seq_id: at.customers.a,
      license_plate: '1NEW001',
      number: '12',
      chassis_number: 'YV1ZZZ00000000001',
      type: 'truck',
      configuration: 'Car',
      driver_name: 'Ann Peeters',
      driver: {
        name: 'Ann Peeters',
        mobile_no: '0470 00 00 01',
        telephone_no: '09 000 00 01',
        email: 'ann@example.org',
      },
      tyres: [],
    })
    expect((await at.ask(fleet.vehicle, at.who.a, { flt_id: answer.flt_id })).answer).toEqual(answer)
  })

  test('is taken with every value as a one-item list', async () => {
    const lists = Object.fromEntries(
      Object.entries({ ...wish, license_plate: '1NEW002' }).map(([key, value]) => [key, [value]]),
    )
    expect(
      (await at.send('/fleet/new', at.who.a, { vehicleData: { ...lists, driver: [{ name: ['An'] }] } })).status,
    ).toBe(200)
  })

  test('its number is left out in a tyre hotel', async () => {
    await at.setSite(at.sites.home, { mode: 'hotelonly' })
    expect((await add(at.who.a, { license_plate: '1NEW003', number: '12' })).answer.number).toBe('')
  })

  test('an administrator adds it for a customer, who has to be named', async () => {
    const { answer } = await add(at.who.admin, { license_plate: '1NEW004' }, at.customers.b)
    expect(answer.seq_id).toBe(at.customers.b)
    const reply = await add(at.who.admin, { license_plate: '1NEW005' })
    expect([reply.status, reply.refusal.code, reply.refusal.params]).toEqual([
      400,
      'request.invalid',
      { fields: ['seq_id'] },
    ])
  })

  test('a customer adds it to no fleet but the own', async () => {
    expect((await add(at.who.a, { license_plate: '1NEW006' }, at.customers.a)).answer.seq_id).toBe(at.customers.a)
    expect((await add(at.who.a, { license_plate: '1NEW007' }, at.customers.b)).refusal.code).toBe('record.missing')
  })

  test.each([
    ['a foreign customer', () => add(at.who.admin, { license_plate: '1NEW007' }, at.customers.other)],
    ['a missing customer', () => add(at.who.admin, { license_plate: '1NEW007' }, 2_000_000)],
    [
      'a configuration that the site has not',
      () => add(at.who.a, { license_plate: '1NEW007', configuration: 'Lorry' }),
    ],
  ])('%s is missing, and nothing is added', async (_, ask) => {
    const reply = await ask()
    expect([reply.status, reply.refusal.code]).toEqual([404, 'record.missing'])
    expect(await at.query(`select from vehicle where license_plate = '1NEW007'`)).toEqual([])
  })

  test('a configuration of another site only is missing', async () => {
    await at.query(`insert into vehicle_config (site_id, description, axles) values ($1, 'Theirs', '[]')`, [
      at.sites.other,
    ])
    expect((await add(at.who.a, { license_plate: '1NEW007', configuration: 'Theirs' })).refusal.code).toBe(
      'record.missing',
    )
  })

  test('the plate of a vehicle of the same kind is taken, until that one is removed', async () => {
    const { answer: first } = await add(at.who.a, { license_plate: '1NEW008' })
    const again = await add(at.who.a, { license_plate: ' 1-new 008' })
    expect([again.status, again.refusal.code]).toEqual([409, 'vehicle.plate_taken'])
    expect((await add(at.who.a, { license_plate: '1NEW008', type: 'trailer' })).status).toBe(200)
    expect((await add(at.who.b, { license_plate: '1NEW008' })).status).toBe(200)
    await at.query('update vehicle set removed_at = now() where id = $1', [first.flt_id])
    expect((await add(at.who.a, { license_plate: '1NEW008' })).status).toBe(200)
  })

  test('of fifty asked for at once with one plate, one is added', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => add(at.who.a, { license_plate: '1NEW009' })))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect(replies.filter(reply => reply.status === 409 && reply.refusal.code === 'vehicle.plate_taken')).toHaveLength(
      49,
    )
  })

  test.each([
    ['a plate without letters and digits', { license_plate: '- -' }, 'vehicleData.license_plate'],
    ['an empty plate', { license_plate: '' }, 'vehicleData.license_plate'],
    ['no brand', { brand: ' ' }, 'vehicleData.brand'],
    ['a brand of 31 characters', { brand: 'b'.repeat(31) }, 'vehicleData.brand'],
    ['no description', { description: '' }, 'vehicleData.description'],
    ['a description of 51 characters', { description: 'd'.repeat(51) }, 'vehicleData.description'],
    ['an unknown type', { type: 'Spaceship' }, 'vehicleData.type'],
    ['no configuration', { configuration: '' }, 'vehicleData.configuration'],
    ['a chassis number of 18 characters', { chassis_number: 'c'.repeat(18) }, 'vehicleData.chassis_number'],
    ['a driver name of 43 characters', { driver: { name: 'n'.repeat(43) } }, 'vehicleData.driver.name'],
    ['a mobile number of 26 characters', { driver: { mobile_no: '1'.repeat(26) } }, 'vehicleData.driver.mobile_no'],
    [
      'a telephone number of 26 characters',
      { driver: { telephone_no: '1'.repeat(26) } },
      'vehicleData.driver.telephone_no',
    ],
    ['an e-mail that is none', { driver: { email: 'ann' } }, 'vehicleData.driver.email'],
    [
      'an e-mail of 101 characters',
      { driver: { email: `${'a'.repeat(64)}@${'b'.repeat(32)}.org` } },
      'vehicleData.driver.email',
    ],
  ])('%s is refused by its field', async (_, changes, field) => {
    const reply = await add(at.who.a, changes)
    expect([reply.status, reply.refusal.code]).toEqual([400, 'request.invalid'])
    expect(reply.refusal.params.fields).toContain(field)
  })

  test.each([
    ['brand of 30', { brand: 'b'.repeat(30) }],
    ['description of 50', { description: 'd'.repeat(50) }],
    ['chassis number of 17', { chassis_number: 'c'.repeat(17) }],
    ['driver name of 42', { driver: { name: 'n'.repeat(42) } }],
    ['mobile of 25', { driver: { mobile_no: '1'.repeat(25) } }],
    ['e-mail of 100', { driver: { email: `${'a'.repeat(64)}@${'b'.repeat(31)}.org` } }],
    ['no e-mail', { driver: { email: '' } }],
  ])('a %s characters is taken', async (_, changes) => {
    const plate = `1FIT${String(Math.abs(JSON.stringify(changes).length * 7 + _.length))}`
    expect((await add(at.who.a, { ...changes, license_plate: plate })).status).toBe(200)
  })
})

describe('articles', () => {
  type Wish = {
    brand: string
    pattern: string
    dimension: string
    load?: number
    speed?: string
    unknown?: boolean
    site?: number
  }
  async function addArticle({ brand, pattern, dimension, load, speed, unknown = false, site = at.sites.home }: Wish) {
    const keys = articleKeys({ brand, pattern, dimension, loadIndex: load, speedSymbol: speed })
    const [row] = await at.query<{ id: number }>(
      `insert into article (site_id, brand, pattern, description, dimension, load_index, speed_symbol, unknown, speed_key, load_key, brand_key, words)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        site,
        brand,
        pattern,
        `${brand} ${pattern} ${dimension} ${load ?? ''}${speed ?? ''}`,
        dimension,
        load,
        speed,
        unknown,
        keys.speed_key,
        keys.load_key,
        keys.brand_key,
        keys.words,
      ],
    )
    return row?.id ?? 0
  }
  let ids: Record<'pirelli' | 'continental' | 'v' | 'truck' | 'unknown' | 'other', number>
  beforeAll(async () => {
    ids = {
      pirelli: await addArticle({
        brand: 'Pirelli',
        pattern: 'Cinturato',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
      }),
      continental: await addArticle({
        brand: 'Continental',
        pattern: 'Eco 6',
        dimension: '225/45R17',
        load: 94,
        speed: 'Y',
      }),
      v: await addArticle({ brand: 'Continental', pattern: 'Eco 6 50%', dimension: '225/45R17', load: 91, speed: 'V' }),
      truck: await addArticle({
        brand: 'Bridgestone',
        pattern: 'R-Drive',
        dimension: '315/80R22.5',
        load: 156,
        speed: 'L',
      }),
      unknown: await addArticle({
        brand: '',
        pattern: 'x',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
        unknown: true,
      }),
      other: await addArticle({
        brand: 'Pirelli',
        pattern: 'Zero',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
        site: at.sites.other,
      }),
    }
  })

  test.each<[string, (keyof typeof ids)[]]>([
    ['2254517Y', ['continental', 'pirelli']],
    ['225/45 R17 Y', ['continental', 'pirelli']],
    ['225/45R17 91Y', ['pirelli']],
    ['225451791', ['v', 'pirelli']],
    ['2254517', ['v', 'continental', 'pirelli']],
    ['2254517Y*pir', ['pirelli']],
    ['2254517*Conti', ['v', 'continental']],
    ['315/80R22.5', ['truck']],
    ['cinturato', ['pirelli']],
    ['eco continental', ['v', 'continental']],
    ['eco*continental', ['v', 'continental']],
    ['50%', ['v']],
    ['_', []],
    ['2254517Y*michelin', []],
    ['9999999', []],
    ['', []],
    ['*', []],
  ])('%j finds what it says', async (asked, found) => {
    const { articles, more_available } = await search(asked)
    expect(articles.map(article => article.art_id)).toEqual(found.map(name => ids[name]))
    expect(more_available).toBe(false)
  })

  test('an article tells its number, description, brand and season', async () => {
    const { articles } = await search('2055516H')
    expect(articles).toEqual([
      { art_id: at.articles.home, description: 'Michelin Alpin 6 205/55R16 91H', brand: 'Michelin', season: 'winter' },
    ])
  })

  test.each([
    ['by size', '1856515T'],
    ['by size and load', '185651588T'],
    ['by text', 'manypages'],
  ])('pages follow one another %s, each article once, and the last page says so', async (_, asked) => {
    const keys = articleKeys({
      brand: 'Many',
      pattern: 'Manypages',
      dimension: '185/65R15',
      loadIndex: 88,
      speedSymbol: 'T',
    })
    await at.query(
      `insert into article (site_id, brand, pattern, description, dimension, load_index, speed_symbol, speed_key, load_key, brand_key, words)
       select $1, 'Many' || n % 7, 'Manypages ' || n, 'Many ' || n, '185/65R15', 88, 'T', $2, $3, 'MANY' || n % 7, $4
       from generate_series(1, 75) n on conflict do nothing`,
      [at.sites.home, keys.speed_key, keys.load_key, keys.words],
    )
    const seen: number[] = []
    const pages: [number, boolean][] = []
    for (let last: number | undefined; pages.length < 10;) {
      const page = await search(asked, last)
      pages.push([page.articles.length, page.more_available])
      seen.push(...page.articles.map(article => article.art_id))
      if (!page.more_available) break
      last = page.articles.at(-1)?.art_id
    }
    expect(pages).toEqual([
      [25, true],
      [25, true],
      [25, false],
    ])
    expect(new Set(seen).size).toBe(75)
  })

  test('a site finds its own articles only', async () => {
    const { answer } = await at.ask(fleet.searcharticles, at.who.otherUser, { search_value: '2254517Y' })
    expect(answer.articles.map(article => article.art_id)).toEqual([ids.other])
  })

  test('the page after an article that is not there is empty', async () => {
    for (const missing of [2_000_000, ids.other])
      expect(await search('2254517', missing)).toEqual({ articles: [], more_available: false })
  })

  test('a page of a size is read from its index in its order, not sorted out of the whole catalogue', async () => {
    await at.query(
      `insert into article (site_id, brand, pattern, description, dimension, speed_key, load_key, brand_key)
       select $1, 'Bulk', 'Bulk ' || n, 'Bulk', 'x', (1000000 + n) || 'T', (1000000 + n) || '88T', 'BULK' from generate_series(1, 4000) n`,
      [at.sites.home],
    )
    await at.query('analyze article')
    await at.query('set plan_cache_mode = force_generic_plan')
    await at.query(`prepare page as ${articlesBySize.text}`)
    const prefix = '1000500'
    const start = { lastSpeed: prefix, lastLoad: prefix, lastBrand: '', last: 0 }
    const page = { site: at.sites.home, prefix, end: `${prefix}\u{10FFFF}`, brand: '', ...start }
    const values = valuesOf(articlesBySize.order, page).map(value => `'${value}'`)
    const plan = await at.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute page (${values.join(', ')})`)
    const text = plan.map(row => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Scan using article_speed on article/)
    expect(text).toMatch(/Index Scan using article_load on article/)
    expect(text).not.toMatch(/Seq Scan|article_once/)
    await at.query('deallocate page')
    await at.query('reset plan_cache_mode')
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
  ])('%j finds %j', async (asked, found) => {
    expect((await find(asked)).map(customer => customer.name)).toEqual(found)
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

describe('labels', () => {
  let tyres: number[]
  let foreign: number
  let elsewhere: number
  beforeAll(async () => {
    tyres = await at.addSet({ vehicle: await at.addVehicle({ plate: '1LBL001' }), set: 'Winter', depth: 6.25 })
    foreign = await at.addTyre({ vehicle: await at.addVehicle({ customer: at.customers.b }) })
    elsewhere = await at.addTyre({ vehicle: await at.addVehicle({ customer: at.customers.other }) })
  })
  beforeEach(() => at.setSite(at.sites.home, { mode: 'both', allow_profile_depth: true }))

  test('come as a PDF, one a tyre in the order asked, with what the label needs', async () => {
    const { status, answer } = await label(at.who.a, [...tyres].reverse())
    expect(status).toBe(200)
    const pages = await pagesOf(answer)
    expect(pages).toHaveLength(4)
    for (const [nth, id] of [...tyres].reverse().entries()) expect(pages[nth]).toContain(`#${id}`)
    for (const said of ['1-LBL-001', '2B', '205/55R16 91H', 'Michelin Alpin 6', 'Winter', 'Garage Alfa', '6.25 mm'])
      expect(pages[0]).toContain(said)
  })

  test('take tyres as numbers, as texts, as one-item lists and as whole tyres; a tyre asked twice is printed once', async () => {
    const [a, b, c, d] = tyres
    const { answer } = await label(at.who.a, [a, String(b), [c], { db_id: [d] }, { db_id: a }])
    expect(await pagesOf(answer)).toHaveLength(4)
  })

  test.each([
    [1, 4],
    [2, 4],
    [3, 1],
  ])('report %i of a set has %i pages', async (report, count) => {
    expect(await pagesOf((await label(at.who.a, tyres, report)).answer)).toHaveLength(count)
  })

  test('say no depth where the site shows none', async () => {
    await at.setSite(at.sites.home, { allow_profile_depth: false })
    expect((await pagesOf((await label(at.who.a, tyres)).answer)).join()).not.toMatch(/mm|6\.25/)
  })

  test('are printed by an administrator for every customer of the site', async () => {
    expect(await pagesOf((await label(at.who.admin, [tyres[0], foreign])).answer)).toHaveLength(2)
  })

  test('a foreign, removed or missing tyre is missing, and no label is printed', async () => {
    const gone = await at.addTyre({ vehicle: await at.addVehicle({}) })
    await at.query('update tyre set removed_at = now() where id = $1', [gone])
    for (const [who, tyre] of [
      [at.who.a, foreign],
      [at.who.a, elsewhere],
      [at.who.a, gone],
      [at.who.a, 2_000_000],
      [at.who.admin, elsewhere],
      [at.who.otherUser, tyres[0]],
    ] as const) {
      const reply = await label(who, [...(who === at.who.otherUser ? [] : tyres), tyre])
      expect([reply.status, reply.refusal.code]).toEqual([404, 'record.missing'])
    }
  })

  test('an unknown report is missing', async () => {
    const reply = await label(at.who.a, tyres, 99)
    expect([reply.status, reply.refusal.code]).toEqual([404, 'label.report_missing'])
  })

  test('none and more than a thousand are refused', async () => {
    expect((await label(at.who.a, [])).status).toBe(400)
    expect(
      (
        await label(
          at.who.a,
          Array.from({ length: 1001 }, (_, nth) => nth + 1),
        )
      ).refusal,
    ).toMatchObject({ code: 'request.too_much', params: { fields: ['tyres'], most: 1000 } })
  })

  test('exist in a tyre hotel only', async () => {
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    const reply = await label(at.who.a, tyres)
    expect([reply.status, reply.refusal.code]).toEqual([403, 'site.mode'])
  })
})

describe('who may ask', () => {
  const asked = [
    ['fetch', {}],
    ['vehicle', { flt_id: 1 }],
    ['new', {}],
    ['searcharticles', { search_value: 'x' }],
    ['findcustomerbyname', { string: 'x' }],
    ['getTyreLabels', { tyres: [1], report_id: 1 }],
  ] as const

  test.each(asked)('%s needs a session, and is not for a superuser', async (name, body) => {
    const { path } = fleet[name]
    expect((await at.send(path, at.who.anonymous, body)).refusal.code).toBe('session.missing')
    expect((await at.send(path, at.who.superuser, body)).refusal.code).toBe('session.forbidden')
  })
})
