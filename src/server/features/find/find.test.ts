/** Finding anything from anywhere (docs/product/screens.md "Find"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { find, foundPerKind } from '#contract/find.ts'
import { type Principal, world, type World } from '../../testing/world.ts'

let w: World
let vehicle: number
let theirs: number
let tyre: number
beforeAll(async () => {
  w = await world()
  vehicle = await w.addVehicle({ customer: w.customers.a, plate: '1RNX234' })
  await w.query(
    `update vehicle set brand = 'Škoda', description = 'Octavia Combi', driver_name = 'Zoë Peeters' where id = $1`,
    [vehicle],
  )
  tyre = await w.addTyre({ vehicle })
  theirs = await w.addVehicle({ customer: w.customers.b, plate: '2ARNX01' })
})
afterAll(() => w.close())

const resultsOf = async (words: string, who: Principal = w.who.admin, recent: number[] = []) =>
  (await w.ask(find.all, who, { words, recent })).answer
const plates = async (words: string, who?: Principal, recent?: number[]) =>
  (await resultsOf(words, who, recent)).vehicles.map(({ license_plate }) => license_plate)

test('a vehicle is found by parts of its plate, with or without dashes, and by words of brand, description and driver', async () => {
  expect(await plates('rnx')).toEqual(['1RNX234', '2ARNX01'])
  expect(await plates('1-rnx-2')).toEqual(['1RNX234'])
  expect(await plates('skoda zoe')).toEqual(['1RNX234'])
  expect(await plates('Peeters octavia')).toEqual(['1RNX234'])
  expect(await plates('peeters nowhere')).toEqual([])
  expect(await plates('%')).toEqual([])
})

test('plates that begin with the words come first, then what was opened last', async () => {
  expect(await plates('2arnx')).toEqual(['2ARNX01'])
  expect(await plates('rnx', w.who.admin, [theirs, vehicle])).toEqual(['2ARNX01', '1RNX234'])
  expect(await plates('1', w.who.admin, [theirs])).toEqual(['1RNX234', '2ARNX01'])
})

test('without words the vehicles opened last are found, and nothing else', async () => {
  expect(await resultsOf('', w.who.admin, [theirs, vehicle, 2 ** 31 - 1])).toMatchObject({
    vehicles: [{ flt_id: theirs }, { flt_id: vehicle }],
    tyres: [],
    documents: [],
    customers: [],
    locations: [],
  })
  expect((await resultsOf('')).vehicles).toEqual([])
})

test('a tyre is found by its number, a document by the number that is printed on it', async () => {
  expect((await resultsOf(String(tyre))).tyres).toMatchObject([
    { db_id: tyre, flt_id: vehicle, license_plate: '1RNX234' },
  ])
  const [row] = await w.query<{ id: number }>(
    `insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date)
     values ($1, $2, $3, 'worknote', 'operation', 2026, 12, '2026-11-10') returning id`,
    [w.sites.home, w.customers.a, vehicle],
  )
  expect((await resultsOf('w-2026-00012')).documents).toMatchObject([
    { db_id: row?.id, document_number_text: 'W-2026-00012', document_type: 'worknote' },
  ])
})

test('administrators find customers and places', async () => {
  await w.addLocations({ places: 1, capacity: 4 })
  const [place] = await w.query<{ path: string }>('select path from location where site_id = $1 and capacity = 4', [
    w.sites.home,
  ])
  expect((await resultsOf('garage alfa')).customers).toMatchObject([{ seq_id: w.customers.a }])
  expect((await resultsOf(place?.path ?? '')).locations.map(({ stock_rack }) => stock_rack)).toContain(place?.path)
})

test('customers find what is theirs, and neither customers nor places', async () => {
  expect(await plates('rnx', w.who.a)).toEqual(['1RNX234'])
  expect(await plates('', w.who.a, [theirs])).toEqual([])
  expect((await resultsOf(String(tyre), w.who.b)).tyres).toEqual([])
  expect((await resultsOf('w-2026-00012', w.who.b)).documents).toEqual([])
  expect(await resultsOf('a', w.who.a)).toMatchObject({ customers: [], locations: [] })
})

test('what was removed is not found', async () => {
  const gone = await w.addVehicle({ customer: w.customers.a, plate: '9GONE99' })
  expect(await plates('9gone')).toEqual(['9GONE99'])
  await w.query('update vehicle set removed_at = now() where id = $1', [gone])
  expect(await plates('9gone')).toEqual([])
})

test(`at most ${foundPerKind} of a kind are found`, async () => {
  for (let nth = 0; nth <= foundPerKind; nth++) await w.addVehicle({ customer: w.customers.a, plate: `8MANY0${nth}` })
  expect(await plates('8many')).toHaveLength(foundPerKind)
})
