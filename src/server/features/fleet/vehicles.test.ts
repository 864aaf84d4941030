import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { comparePlates } from '#domain/vehicles/plate.ts'
import { modes } from '#domain/site.ts'
import type { RawInput } from '#contract/call.ts'
import { fleet, smallFleet } from '#contract/fleet.ts'
import { textOfPages } from '../../testing/pdf.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  // without queues, which refuse a race whose end takes long on a busy machine
  at = await world({ now: new Date('2026-11-18T10:00:00Z'), served: () => ({ queues: null }) })
})
afterAll(() => at.close())

test('the fields that are given change, the others stay', async () => {
  const flt_id = await at.addVehicle({ plate: '1UPD001' })
  const reply = await at.ask(fleet.update, at.who.a, {
    vehicle: { flt_id, brand: 'Saab', license_plate: '1-upd-002', driver: { name: 'Jo', email: 'jo@example.org' } },
  })
  expect(reply.answer.updatedVehicle).toMatchObject({
    license_plate: '1UPD002',
    brand: 'Saab',
    description: 'V60',
    configuration: 'Car',
    driver: { name: 'Jo', email: 'jo@example.org', mobile_no: '' },
  })
  const again = await at.ask(fleet.update, at.who.a, { vehicle: { flt_id, driver: { mobile_no: '0470 00 00 00' } } })
  expect(again.answer.updatedVehicle.driver).toMatchObject({ name: 'Jo', mobile_no: '0470 00 00 00' })
})

test('an impossible value is refused with the field', async () => {
  const flt_id = await at.addVehicle({})
  const fields = async (vehicle: object) =>
    (await at.send('/fleet/update', at.who.a, { vehicle: { flt_id, ...vehicle } })).refusal.params.fields
  expect(await fields({ license_plate: '---' })).toEqual(['vehicle.license_plate'])
  expect(await fields({ type: 'spaceship' })).toEqual(['vehicle.type'])
  expect(await fields({ brand: 'x'.repeat(31) })).toEqual(['vehicle.brand'])
  expect(await fields({ driver: { email: 'no address' } })).toEqual(['vehicle.driver.email'])
  expect((await at.ask(fleet.update, at.who.a, { vehicle: { flt_id, configuration: 'No such' } })).refusal.code).toBe(
    'record.missing',
  )
})

test('a plate is in a fleet once for each type', async () => {
  await at.addVehicle({ plate: '1DUP001' })
  const flt_id = await at.addVehicle({ plate: '1DUP002' })
  expect((await at.ask(fleet.update, at.who.a, { vehicle: { flt_id, license_plate: '1DUP001' } })).refusal.code).toBe(
    'vehicle.plate_taken',
  )
  expect(
    (await at.ask(fleet.update, at.who.a, { vehicle: { flt_id, license_plate: '1DUP001', type: 'trailer' } })).status,
  ).toBe(200)
})

test.each(modes)('in mode %s a configuration is set once, and only in a tyre hotel', async mode => {
  await at.setSite(at.sites.home, { mode })
  await at.query(`insert into vehicle_config (site_id, description, axles) values ($1, $2, '[]')`, [
    at.sites.home,
    `Other ${mode}`,
  ])
  const flt_id = await at.addVehicle({ config: null })
  const set = async (configuration: string) => {
    const reply = await at.ask(fleet.update, at.who.a, { vehicle: { flt_id, configuration } })
    return reply.status === 200 ? reply.answer.updatedVehicle.configuration : reply.refusal.code
  }
  expect(await set('Car')).toBe(mode === 'fleetonly' ? 'vehicle.configuration_fixed' : 'Car')
  expect(await set(`Other ${mode}`)).toBe('vehicle.configuration_fixed')
  if (mode !== 'fleetonly') expect(await set('Car')).toBe('Car')
  await at.setSite(at.sites.home, { mode: 'both' })
})

test('of a hundred who set a configuration at once, one succeeds', async () => {
  for (let nth = 0; nth < 20; nth++) {
    await at.query(`insert into vehicle_config (site_id, description, axles) values ($1, $2, '[]')`, [
      at.sites.home,
      `Race ${nth}`,
    ])
  }
  const flt_id = await at.addVehicle({ config: null })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, nth) =>
      at.ask(fleet.update, nth % 2 ? at.who.a : at.who.admin, {
        vehicle: { flt_id, configuration: `Race ${nth % 20}` },
      }),
    ),
  )
  const kept = new Set(
    replies.filter(reply => reply.status === 200).map(reply => reply.answer.updatedVehicle.configuration),
  )
  expect(kept.size).toBe(1)
  expect(
    replies.filter(reply => reply.status !== 200).every(reply => reply.refusal.code === 'vehicle.configuration_fixed'),
  ).toBe(true)
})

test('a vehicle is removed unless it has tyres in stock or open operations, which are counted', async () => {
  const free = await at.addVehicle({})
  await at.addSet({ vehicle: free })
  expect((await at.ask(fleet.inactivate, at.who.a, { flt_id: free })).answer).toEqual({ flt_id: free })
  expect((await at.ask(fleet.vehicle, at.who.a, { flt_id: free })).refusal.code).toBe('record.missing')
  const storing = await at.addVehicle({})
  await at.addSet({ vehicle: storing, status: 'in_stock' })
  expect((await at.ask(fleet.inactivate, at.who.a, { flt_id: storing })).refusal).toMatchObject({
    code: 'vehicle.in_use',
    params: { tyres: 4, operations: 0 },
  })
  const busy = await addOperation(at, { status: 'pending', type: 'to_stock' })
  expect((await at.ask(fleet.inactivate, at.who.a, { flt_id: busy.vehicle })).refusal).toMatchObject({
    code: 'vehicle.in_use',
    params: { tyres: 0, operations: 1 },
  })
  expect((await at.ask(fleet.inactivate, at.who.b, { flt_id: storing })).refusal.code).toBe('record.missing')
})

test('documents of a vehicle are listed newest first and come as PDF with every line, in the reader’s language', async () => {
  const vehicle = await at.addVehicle({ plate: '1DOC001' })
  const add = async (number: number, date: string, lines: number): Promise<number> => {
    const [row] = await at.query<{ id: number }>(
      `insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date, amount_excl)
       values ($1, $2, $3, 'worknote', 'storage', 2026, $4, $5, $6) returning id`,
      [at.sites.home, at.customers.a, vehicle, number, date, lines * 20],
    )
    await at.query(
      `insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
       select $1, $2, n, $3, '100' || n, 'Washing (tyre) number ' || n, 4, 5 from generate_series(1, $4::int) n`,
      [at.sites.home, row?.id, at.customers.a, lines],
    )
    return row?.id ?? 0
  }
  await add(1, '2026-05-01', 1)
  const long = await add(2, '2026-06-01', 80)
  const list = await at.ask(fleet.history, at.who.a, { flt_id: vehicle })
  expect(list.answer.map(document => [document.document_number_text, document.date, document.amount_excl])).toEqual([
    ['W-2026-00002', '2026-06-01', 1600],
    ['W-2026-00001', '2026-05-01', 20],
  ])
  const reply = await at.ask(fleet.historydocument, at.who.a, { db_id: long, doctype: 'worknote' })
  const pages = await textOfPages(reply.answer)
  const text = pages.join(' ')
  expect(pages.length).toBeGreaterThan(1)
  expect(text).toContain('Work note')
  expect(text).toContain('W-2026-00002')
  expect(text).toContain('1-DOC-001')
  for (let nth = 1; nth <= 80; nth++) expect(text).toContain(`Washing (tyre) number ${nth} `)
  expect(text).toContain(`Page ${pages.length} of ${pages.length}`)
  expect(text).toContain('This document is not an invoice.')
  expect((await at.ask(fleet.historydocument, at.who.a, { db_id: long, doctype: 'reservation' })).refusal.code).toBe(
    'record.missing',
  )
  expect((await at.ask(fleet.historydocument, at.who.b, { db_id: long })).refusal.code).toBe('record.missing')
  expect((await at.ask(fleet.history, at.who.b, { flt_id: vehicle })).refusal.code).toBe('record.missing')
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

  test('is stored with a normalized plate and a known kind, and answered whole', async () => {
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

  test('has a group and an expected distance, which are changed and taken back one by one', async () => {
    const { answer } = await add(at.who.a, { license_plate: '1GRP001', cost_centre: 'North', yearly_distance: 32_000 })
    expect(answer).toMatchObject({ cost_centre: 'North', yearly_distance: 32_000 })
    const change = async (changes: object) =>
      (await at.ask(fleet.update, at.who.a, { vehicle: { flt_id: answer.flt_id, ...changes } })).answer.updatedVehicle
    expect(await change({ cost_centre: 'South' })).toMatchObject({ cost_centre: 'South', yearly_distance: 32_000 })
    expect(await change({ yearly_distance: null })).toMatchObject({ cost_centre: 'South', yearly_distance: null })
    expect(await change({ cost_centre: '', yearly_distance: 1 })).toMatchObject({ cost_centre: '', yearly_distance: 1 })
    expect((await add(at.who.a, { license_plate: '1GRP002' })).answer).toMatchObject({
      cost_centre: '',
      yearly_distance: null,
    })
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

  test('a customer adds it to its own fleet only', async () => {
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

  test('of fifty added at once with one plate, one is stored', async () => {
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
    ['a group of 41 characters', { cost_centre: 'g'.repeat(41) }, 'vehicleData.cost_centre'],
    ['a distance of no kilometre', { yearly_distance: 0 }, 'vehicleData.yearly_distance'],
    ['a distance of more than 500,000 km', { yearly_distance: 500_001 }, 'vehicleData.yearly_distance'],
    ['a distance of half a kilometre', { yearly_distance: 0.5 }, 'vehicleData.yearly_distance'],
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

test('the first vehicles of a large fleet are the first as people read plates, with all that the fleet says of them', async () => {
  const { a } = at.customers
  const plates = ['1ABC1', '1ABC2', '1ABC9', '1ABC10', '9', '10ABC1', 'Z']
  const others = Array.from({ length: smallFleet - plates.length }, (_, nth) => `Z${nth}`)
  await at.query('update vehicle set removed_at = now() where customer_id = $1', [a])
  for (const plate of plates.toReversed()) await at.addVehicle({ plate })
  await at.query(
    `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
     select $1, $2, unnest($3::text[]), 'Volvo', 'V60', 'car'`,
    [at.sites.home, a, others],
  )
  await at.addTyre({ vehicle: (await at.ask(fleet.fetch, at.who.a, {})).answer[0]!.flt_id, position: '1A' })
  const first = async (count: number, who: Principal, seq_id?: number) =>
    (await at.ask(fleet.fetch, who, { first: count, ...(seq_id !== undefined && { seq_id }) })).answer
  expect(await first(3, at.who.a)).toHaveLength(smallFleet)
  await at.addVehicle({ plate: 'Z999' })
  const whole = await at.ask(fleet.fetch, at.who.a, {})
  const ordered = whole.answer.toSorted((a, b) => comparePlates(a.license_plate, b.license_plate))
  expect(ordered.slice(0, plates.length).map(vehicle => vehicle.license_plate)).toEqual(plates)
  for (const count of [1, 5, 100]) expect(await first(count, at.who.a)).toEqual(ordered.slice(0, count))
  expect(await first(3, at.who.admin, a)).toHaveLength(3)
  expect((await at.ask(fleet.fetch, at.who.admin, { first: 3, seq_id: at.customers.other })).refusal.code).toBe(
    'record.missing',
  )
  expect((await at.send('/fleet/fetch', at.who.a, { first: 0 })).refusal.params.fields).toEqual(['first'])
})
