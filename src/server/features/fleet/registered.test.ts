/** The register of vehicles, played by a server of the test that gives the answers of the Dutch one. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { users } from '#contract/session.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { keepingAnswers, openRdw, type VehicleRegister } from '../../outbound/vehicleRegister.ts'
import { world, type World } from '../../testing/world.ts'

/** As the data set "Gekentekende voertuigen" answers: texts only, and a column without a value is left out. */
const rows: Record<string, object[]> = {
  BZHR04: [
    {
      merk: 'APTS',
      handelsbenaming: 'PHILEAS 18,5M FUEL CELL',
      voertuigsoort: 'Bus',
      inrichting: 'gelede bus',
      europese_voertuigcategorie: 'M3',
      datum_eerste_toelating: '20111004',
      aantal_wielen: '6',
    },
  ],
  '12ABC3': [
    {
      merk: 'VOLKSWAGEN',
      handelsbenaming: 'Volkswagen GOLF',
      voertuigsoort: 'Personenauto',
      inrichting: 'hatchback',
      europese_voertuigcategorie: 'M1',
      datum_eerste_toelating: '20180312',
      aantal_wielen: '4',
    },
  ],
  '1VAN22': [
    { merk: 'FORD', handelsbenaming: 'TRANSIT', voertuigsoort: 'Bedrijfsauto', europese_voertuigcategorie: 'N1' },
  ],
  '2CAM33': [
    { merk: 'FIAT', voertuigsoort: 'Personenauto', inrichting: 'kampeerwagen', europese_voertuigcategorie: 'M1' },
  ],
  '3ODD44': [
    { merk: 'X'.repeat(60), voertuigsoort: 'Ruimteschip', datum_eerste_toelating: '20189999', aantal_wielen: 'veel' },
  ],
}

let server: Server
let register: VehicleRegister
let at: World
let answer: (plate: string) => { status: number; body: string } | null
let time = 0
const requests: string[] = []

const replay = (plate: string) => ({ status: 200, body: JSON.stringify(rows[plate] ?? []) })

beforeAll(async () => {
  server = createServer((request, response) => {
    const plate = new URL(request.url ?? '', 'http://register').searchParams.get('kenteken') ?? ''
    requests.push(plate)
    const reply = answer(plate)
    if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outbound = openOutbound({ allowPrivate: true, timeoutMs: 300 })
  register = openRdw(outbound, `http://127.0.0.1:${(server.address() as AddressInfo).port}/rows.json`)
  at = await world({ served: () => ({ register: keepingAnswers(register, () => time) }) })
})
afterAll(async () => {
  await at.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answer = replay
  time += 48 * 3_600_000
  requests.length = 0
})

const ask = async (plate: string) => {
  const { status, answer: vehicle } = await at.ask(fleet.registered, at.who.a, { license_plate: plate })
  expect(status).toBe(200)
  return vehicle
}

describe('a plate that the register knows', () => {
  test.each([
    [
      'BZ-HR-04',
      {
        brand: 'APTS',
        description: 'PHILEAS 18,5M FUEL CELL',
        type: 'bus',
        first_admission: '2011-10-04',
        wheel_count: 6,
      },
    ],
    [
      '12-abc-3',
      { brand: 'VOLKSWAGEN', description: 'GOLF', type: 'car', first_admission: '2018-03-12', wheel_count: 4 },
    ],
    ['1-VAN-22', { brand: 'FORD', description: 'TRANSIT', type: 'van', first_admission: null, wheel_count: null }],
    ['2-CAM-33', { brand: 'FIAT', description: '', type: 'van', first_admission: null, wheel_count: null }],
    ['3-ODD-44', { brand: 'X'.repeat(30), description: '', type: null, first_admission: null, wheel_count: null }],
  ])('%s comes with what it says of the vehicle', async (plate, vehicle) => {
    expect(await ask(plate)).toEqual({ state: 'found', vehicle })
  })

  test('is asked for once a day, by whoever types it', async () => {
    await ask('BZHR04')
    await ask('bz-hr-04')
    await at.ask(fleet.registered, at.who.admin, { license_plate: 'BZHR04' })
    expect(requests).toEqual(['BZHR04'])
    time += 25 * 3_600_000
    await ask('BZHR04')
    expect(requests).toHaveLength(2)
  })
})

test('a plate that it does not know is unknown', async () => {
  expect(await ask('99-ZZ-99')).toEqual({ state: 'unknown', vehicle: null })
})

test.each(['1-ABC-234', 'M AB 1234', 'AB-123-CD', 'x'])(
  '%s is no Dutch plate, so the register is not asked',
  async plate => {
    expect(await ask(plate)).toEqual({ state: 'off', vehicle: null })
    expect(requests).toEqual([])
  },
)

test('at a site in another country than the Netherlands and Belgium it is not asked', async () => {
  await at.setSite(at.sites.home, { time_zone: 'Europe/Berlin' })
  expect((await ask('KA 1234')).state).toBe('off')
  expect(requests).toEqual([])
  await at.setSite(at.sites.home, { time_zone: 'Europe/Brussels' })
})

describe('a register that fails', () => {
  test.each<[string, typeof answer]>([
    ['says nothing', () => null],
    ['answers 503', () => ({ status: 503, body: 'later' })],
    ['answers no JSON', () => ({ status: 200, body: '<html>' })],
    ['answers something else', () => ({ status: 200, body: '{"error":true}' })],
    ['sends too much', () => ({ status: 200, body: JSON.stringify([{ merk: 'x'.repeat(300_000) }]) })],
  ])('and %s is unavailable, and asked again the next time', async (_how, failing) => {
    answer = failing
    expect(await ask('BZHR04')).toEqual({ state: 'unavailable', vehicle: null })
    answer = replay
    expect((await ask('BZHR04')).state).toBe('found')
  })
})

test('where the operator has switched none on, nothing is asked and no page asks', async () => {
  const without = await world()
  const { answer: vehicle } = await without.ask(fleet.registered, without.who.a, { license_plate: 'BZHR04' })
  expect(vehicle).toEqual({ state: 'off', vehicle: null })
  expect((await without.ask(users.loginstate, without.who.a, {})).answer).not.toHaveProperty('vehicleRegister')
  expect((await at.ask(users.loginstate, at.who.a, {})).answer).toHaveProperty('vehicleRegister', true)
  await without.close()
})
