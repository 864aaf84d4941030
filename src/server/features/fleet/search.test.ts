/** The search of all vehicles of a site finds what looking at each of them, and at each of its tyres, finds (docs/decisions/0023). */
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { people } from '#contract/people.ts'
import { folded } from '#domain/texts/folded.ts'
import { seasons, tyreStatuses } from '#domain/tyres/tyre.ts'
import { statement, valuesOf, type Statement } from '../../db/statement.ts'
import { answer } from '../../db/types.ts'
import { searchOfSite, vehicleSearch } from './vehicleLists.sql.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
let client: pg.Client
beforeAll(async () => {
  at = await world()
  client = new pg.Client({ connectionString: at.appUrl })
  await client.connect()
  await client.query(`select set_config('app.site', $1, false)`, [at.sites.home])
  await client.query(`set plan_cache_mode = force_generic_plan; set jit = off`)
  await fill()
  await at.query('analyze')
})
afterAll(async () => {
  await client.end()
  await at.close()
})

/** Texts that differ in letters, accents and what `like` and regular expressions would read as their own. */
const spoken = [
  'BMW', 'Citroën', 'Škoda', 'Jaguar E-Type', 'José', 'Ångström', 'ÉÀÜ', 'ﬁat', 'a%b', 'x_y', 'c\\d', "d'Or", '(.*)', '½ t', 'Ｗｉｄｅ',
  'Winter', 'Zomer 2019', 'Alpin 205/55R16', '91H', '7', '12', 'R1', 'e\u0301te\u0301', 'Straße', '北京',
] // prettier-ignore
const words = fc.array(fc.constantFrom(...spoken), { minLength: 1, maxLength: 3 }).map(phrase => phrase.join(' '))
const plates = fc.stringMatching(/^[12][AB]{3}[0-9]{2}$/)
const sample = <T>(arbitrary: fc.Arbitrary<T>, seed: number, many: number): T[] =>
  fc.sample(arbitrary, { seed, numRuns: many })

async function fill(): Promise<void> {
  const customers = await at.query<{ id: number }>(
    `insert into customer (site_id, name, company) select $1, name, company from unnest($2::text[], $3::text[]) as said(name, company) returning id`,
    [at.sites.home, sample(words, 1, 12), sample(fc.oneof(words, fc.constant('')), 2, 12)],
  )
  const customerOf = (nth: number): number => customers[nth % customers.length]?.id ?? 0
  const places = await at.query<{ id: number }>(
    `insert into location (site_id, kind, name, site_name, path) select $1, 'place', path, 'Hall', path from unnest($2::text[]) path returning id`,
    [at.sites.home, [...new Set(sample(words, 3, 40))]],
  )
  const vehicles = await at.query<{ id: number; customer_id: number }>(
    `insert into vehicle (site_id, customer_id, license_plate, number, brand, description, driver_name, type, removed_at)
     select $1, customer, plate, number, left(brand, 30), left(description, 50), left(driver, 42), 'kind ' || nth, case when nth % 20 = 0 then now() end
     from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
       as said(customer, plate, number, brand, description, driver, nth)
     returning id, customer_id`,
    [
      at.sites.home,
      Array.from({ length: 260 }, (_, nth) => customerOf(nth)),
      sample(plates, 4, 260),
      sample(fc.oneof(words, fc.constant('')), 5, 260),
      sample(words, 6, 260),
      sample(words, 7, 260),
      sample(fc.oneof(words, fc.constant('')), 8, 260),
    ],
  )
  const tyres = sample(
    fc.record({
      vehicle: fc.constantFrom(...vehicles.filter((_, nth) => nth % 5 > 0)),
      description: words,
      set: fc.option(words),
      status: fc.constantFrom(...tyreStatuses),
      place: fc.option(fc.constantFrom(...places)),
      removed: fc.boolean(),
      season: fc.option(fc.constantFrom(...seasons)),
      depth: fc.option(fc.constantFrom(2.5, 3, 5.5, 8.25)),
    }),
    9,
    700,
  )
  await at.query(
    `insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, location_id, removed_at,
       season, profile_depth)
     select $1, customer, vehicle, $2, '1A', description, tyre_set, status, current_date, location, removed, season, depth
     from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::int[], $9::timestamptz[], $10::text[], $11::numeric[])
       as said(customer, vehicle, description, tyre_set, status, location, removed, season, depth)
     on conflict do nothing`,
    [
      at.sites.home,
      at.articles.home,
      tyres.map(({ vehicle }) => vehicle.customer_id),
      tyres.map(({ vehicle }) => vehicle.id),
      tyres.map(({ description }) => description),
      tyres.map(({ set }) => set),
      tyres.map(({ status }) => status),
      tyres.map(({ status, place }) => (status === 'in_stock' ? (place?.id ?? null) : null)),
      tyres.map(({ removed }, nth) => (removed && nth % 4 === 0 ? new Date() : null)),
      tyres.map(({ season }) => season),
      tyres.map(({ depth }) => depth),
    ],
  )
}

/** The search without stored words and indexes: each vehicle of the site with each of its tyres, one after the other. */
const exhaustiveSearch = statement({
  name: 'search.exhaustive',
  parameters: searchOfSite('search.declared', { few: 0 }).parameters,
  row: answer,
  sql: `select coalesce(json_agg(id), '[]')::text as json from (
     select v.id from vehicle v join customer c on c.site_id = v.site_id and c.id = v.customer_id
     cross join lateral (
       select folded(text) as text from (
         select concat_ws(' ', v.license_plate, v.number, v.brand, v.description, v.driver_name, c.name, c.company) as text offset 0) said
       offset 0) said
     cross join lateral (
       select array(
         select pattern from unnest(:words::text[], :plates::text[], :patterns::text[]) term(word, plate, pattern)
         where strpos(said.text, word) = 0 and (plate = '' or strpos(v.license_plate, plate) = 0)) as by_vehicle) missing
     where v.site_id = :site and v.removed_at is null and (v.license_plate, v.id) > (:lastPlate, :last)
       and (:statuses::text[] is null and :seasons::text[] is null and :maxDepth::numeric is null and missing.by_vehicle = '{}' or exists (
         select from tyre t left join location l on l.site_id = t.site_id and l.id = t.location_id
         where t.vehicle_id = v.id and t.site_id = :site and t.removed_at is null and t.status <> all (:hidden::text[])
           and (:statuses::text[] is null or t.status = any (:statuses)) and (:withDepth::boolean or true) and :tyres::int[] is not null
           and (:seasons::text[] is null or t.season = any (:seasons)) and (:maxDepth::numeric is null or t.profile_depth <= :maxDepth)
           and folded(t.description || ' ' || coalesce(t.tyre_set, '') || ' ' || coalesce(l.path, ''))
             like all (array_remove(missing.by_vehicle, '%' || t.id || '%'))))
     order by v.license_plate, v.id limit 100) found`,
})

type Search = {
  search: string
  statuses: string[] | null
  seasons: string[] | null
  maxDepth: number | null
  hidden: string[]
  after: { id: number; plate: string }
}

async function idsMatching({ name, text, order }: Statement, search: Search): Promise<number[]> {
  const { statuses, seasons, maxDepth, hidden, after } = search
  const wanted = { statuses, seasons, maxDepth }
  const page = { site: at.sites.home, withDepth: true, hidden, last: after.id, lastPlate: after.plate, ...wanted }
  const values = valuesOf(order, { ...page, ...vehicleSearch(search.search) })
  const { rows } = await client.query<{ json: string }>({ name, text, values })
  const list: (number | { flt_id: number[] })[] = JSON.parse(rows[0]?.json ?? '[]')
  return list.map(entry => (typeof entry === 'number' ? entry : (entry.flt_id[0] ?? 0)))
}

const written: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...spoken.flatMap(text => text.split(' '))) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...spoken), fc.nat(8), fc.integer({ min: 1, max: 5 }))
      .map(([text, from, long]) => text.slice(from % text.length, (from % text.length) + long)),
  },
  { weight: 2, arbitrary: plates.map(plate => `${plate.slice(0, 1)}-${plate.slice(1, 4).toLowerCase()}-${plate.slice(4)}`) },
  { weight: 2, arbitrary: fc.nat(1500).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('nowhere', '%', '_', '\\', '--', '2147483648', '00012', '') },
) // prettier-ignore
const letters = fc.constantFrom((text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()) // prettier-ignore
const searches = fc.record({
  search: fc
    .array(
      fc.tuple(written, letters).map(([text, as]) => as(text)),
      { minLength: 1, maxLength: 4 },
    )
    .map(phrase => phrase.join(' '))
    .filter(search => vehicleSearch(search).words.length > 0),
  statuses: fc.option(fc.subarray([...tyreStatuses], { minLength: 1 }), { freq: 2 }),
  seasons: fc.option(fc.subarray([...seasons], { minLength: 1 }), { freq: 1 }),
  maxDepth: fc.option(fc.constantFrom(3, 6, 9), { freq: 1 }),
  hidden: fc.subarray(['waste']),
  after: fc.constantFrom({ id: 0, plate: '' }, { id: 0, plate: '2AAA00' }),
})

/** Whether few or all words count as common. */
const ways = [0, 3, 5000].map(few => searchOfSite(`search.few${few}`, { few }))

async function differences(many: number, seed: number) {
  const wrong: Search[] = []
  let finding = 0
  for (const search of sample(searches, seed, many)) {
    const expected = await idsMatching(exhaustiveSearch, search)
    if (expected.length > 0) finding++
    for (const way of ways) if (String(await idsMatching(way, search)) !== String(expected)) wrong.push(search)
  }
  return { wrong, finding, empty: many - finding }
}

test('the search finds what an exhaustive search finds, whichever words are common', { tags: 'whole' }, async () => {
  const { wrong, finding, empty } = await differences(250, 12)
  expect(wrong).toEqual([])
  expect(finding).toBeGreaterThan(60)
  expect(empty).toBeGreaterThan(30)
})

test('it finds the same after vehicles, sets, racks and customers are renamed', { tags: 'whole' }, async () => {
  const changes = sample(words, 21, 60)
  const change = (table: string, column: string, { long = 100, only = 'true' } = {}) =>
    at.query(
      `update ${table} set ${column} = left($2::text[][1 + id % 60], ${long}) where site_id = $1 and id % 2 = 0 and ${only}`.replace(
        '$2::text[][',
        '($2::text[])[',
      ),
      [at.sites.home, changes],
    )
  await change('vehicle', 'driver_name', { long: 42 })
  await change('vehicle', 'brand', { long: 30 })
  await change('customer', 'company')
  await change('tyre', 'description')
  await change('tyre', 'tyre_set', { only: 'tyre_set is null' })
  await at.query(`update location set path = path || ' neu' where site_id = $1 and id % 3 = 0`, [at.sites.home])
  await at.query(`update tyre set tyre_set = null where site_id = $1 and id % 5 = 0`, [at.sites.home])
  expect((await differences(100, 22)).wrong).toEqual([])
})

test('an erased driver is neither found nor stored', async () => {
  const vehicle = await at.addVehicle({ plate: '1ERA001' })
  await at.query(`update vehicle set driver_name = 'Zoë Onvindbaar' where id = $1`, [vehicle])
  const by = async () => (await at.ask(fleet.fetch, at.who.admin, { search: 'zoe onvindbaar' })).answer.length
  expect(await by()).toBe(1)
  await at.ask(people.erasedriver, at.who.admin, { flt_id: vehicle })
  expect(await by()).toBe(0)
  expect(await at.query(`select from vehicle where words like '%onvindbaar%'`)).toEqual([])
})

test('the words of tyres are read by administrators of their site only, and extended by whoever has tyres', async () => {
  const read = async (site: number, customer: string): Promise<number> => {
    await client.query('begin')
    await client.query(`select set_config('app.site', $1, true), set_config('app.customer', $2, true)`, [
      site,
      customer,
    ])
    const { rowCount } = await client.query(`select from tyre_words`)
    await client.query('rollback')
    return rowCount ?? 0
  }
  expect(await read(at.sites.home, '')).toBeGreaterThan(100)
  expect(await read(at.sites.other, '')).toBe(0)
  expect(await read(at.sites.home, String(at.customers.a))).toBe(0)
  const vehicle = await at.addVehicle({ customer: at.customers.a, plate: '1SET001' })
  const tyre = await at.addTyre({ vehicle, set: null })
  await client.query('begin')
  await client.query(`select set_config('app.customer', $1, true)`, [at.customers.a])
  // twice: the second time the text is there, and may still not be seen
  await client.query(`update tyre set tyre_set = 'Spikes vooraan' where id = $1`, [tyre])
  await client.query(`update tyre set tyre_set = null where id = $1`, [tyre])
  await client.query(`update tyre set tyre_set = 'Spikes vooraan' where id = $1`, [tyre])
  await client.query('commit')
  const { answer } = await at.ask(fleet.fetch, at.who.admin, { search: 'spikes VOORAAN' })
  expect(answer.map(vehicle => vehicle.license_plate)).toEqual(['1SET001'])
})

/** Spellings that people type, each with a text that it must find. */
const spelt = {
  strasse: 'Hauptstraße',
  gross: 'GROẞ',
  oeuvre: 'Hors-d’œuvre',
  lodz: 'Łódź',
  sonderborg: 'Sønderborg',
  dorde: 'Đorđe',
  encyclopaedia: 'Encyclopædia',
  muller: 'Mül\u200bler',
}

test('what PostgreSQL folds is what the portal folds', async () => {
  const texts = [
    ...sample(
      fc.string({ unit: 'binary', maxLength: 20 }).map(text => text.replaceAll('\0', '')),
      31,
      2000,
    ),
    ...sample(fc.string({ unit: fc.constantFrom(...Object.values(spelt).join('')), maxLength: 20 }), 32, 500),
  ]
  const { rows } = await client.query<{ said: string; folded: string }>(
    'select said, folded(said) from unnest($1::text[]) said',
    [texts],
  )
  expect(rows.filter(row => row.folded !== folded(row.said))).toEqual([])
  expect(folded('CITROËN Ångström')).toBe('citroen angstrom')
  for (const [typed, text] of Object.entries(spelt)) expect(folded(text)).toContain(typed)
})

test('letters that are no Latin letter with an accent are found as people spell them', async () => {
  for (const [nth, [typed, text]] of Object.entries(spelt).entries()) {
    await at.query(
      `insert into vehicle (site_id, customer_id, license_plate, brand, description, type, driver_name)
       select site_id, id, $2, 'Opel', 'Astra', 'car', $3 from customer where site_id = $1 order by id limit 1`,
      [at.sites.home, `1SPELT${nth}`, text],
    )
    const { answer } = await at.ask(fleet.fetch, at.who.admin, { search: typed })
    expect(answer.map(vehicle => vehicle.license_plate)).toContain(`1SPELT${nth}`)
  }
})

test('a missing text of a tyre would be noticed', async () => {
  await at.query('delete from tyre_words')
  expect((await differences(40, 41)).wrong.length).toBeGreaterThan(5)
})
