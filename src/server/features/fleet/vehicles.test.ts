import { afterAll, beforeAll, expect, test } from 'vitest'
import { modes } from '#domain/site.ts'
import { fleet } from '#contract/fleet.ts'
import { openPdf } from '../../testing/labelReader.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
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

test('what no vehicle can be is refused with the field', async () => {
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

test('of a hundred who set a configuration at once, one does', async () => {
  for (let nth = 0; nth < 20; nth++) {
    await at.query(`insert into vehicle_config (site_id, description, axles) values ($1, $2, '[]')`, [
      at.sites.home,
      `Race ${nth}`,
    ])
  }
  const flt_id = await at.addVehicle({ config: null })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, nth) =>
      at.ask(fleet.update, at.who.a, { vehicle: { flt_id, configuration: `Race ${nth % 20}` } }),
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
    const [made] = await at.query<{ id: number }>(
      `insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date, amount_excl)
       values ($1, $2, $3, 'worknote', 'storage', 2026, $4, $5, $6) returning id`,
      [at.sites.home, at.customers.a, vehicle, number, date, lines * 20],
    )
    await at.query(
      `insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
       select $1, $2, n, $3, '100' || n, 'Washing (tyre) number ' || n, 4, 5 from generate_series(1, $4::int) n`,
      [at.sites.home, made?.id, at.customers.a, lines],
    )
    return made?.id ?? 0
  }
  await add(1, '2026-05-01', 1)
  const long = await add(2, '2026-06-01', 80)
  const list = await at.ask(fleet.history, at.who.a, { flt_id: vehicle })
  expect(list.answer.map(document => [document.document_number_text, document.date, document.amount_excl])).toEqual([
    ['W-2026-00002', '2026-06-01', 1600],
    ['W-2026-00001', '2026-05-01', 20],
  ])
  const reply = await at.ask(fleet.historydocument, at.who.a, { db_id: long, doctype: 'worknote' })
  const pdf = await openPdf(Buffer.from(reply.answer, 'base64'))
  const words: string[] = []
  for (let nth = 1; nth <= pdf.numPages; nth++) {
    const { items } = await (await pdf.getPage(nth)).getTextContent()
    words.push(...items.map(piece => ('str' in piece ? piece.str : '')))
  }
  const said = words.join(' ').replaceAll(/\s+/g, ' ')
  expect(pdf.numPages).toBeGreaterThan(1)
  expect(said).toContain('Work note')
  expect(said).toContain('W-2026-00002')
  expect(said).toContain('1-DOC-001')
  for (let nth = 1; nth <= 80; nth++) expect(said).toContain(`Washing (tyre) number ${nth} `)
  expect(said).toContain(`Page ${pdf.numPages} of ${pdf.numPages}`)
  expect(said).toContain('This document is no invoice.')
  expect((await at.ask(fleet.historydocument, at.who.a, { db_id: long, doctype: 'reservation' })).refusal.code).toBe(
    'record.missing',
  )
  expect((await at.ask(fleet.historydocument, at.who.b, { db_id: long })).refusal.code).toBe('record.missing')
  expect((await at.ask(fleet.history, at.who.b, { flt_id: vehicle })).refusal.code).toBe('record.missing')
})
