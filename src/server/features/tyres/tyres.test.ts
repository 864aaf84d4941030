import { afterAll, beforeAll, expect, test } from 'vitest'
import { modes } from '#domain/site.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { operations } from '#contract/operations.ts'
import { tyres } from '#contract/tyres.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

const car = (customer?: number): Promise<number> => at.addVehicle(customer === undefined ? {} : { customer })
const catalogue = (positions: readonly string[]) => positions.map(position => ({ position, art_id: at.articles.home }))

test('tyres are added at the customer, in a set, with an event each', async () => {
  const vehicle = await car()
  const reply = await at.ask(tyres.add, at.who.a, {
    flt_id: vehicle,
    tyre_set: 'Winter',
    tyres: catalogue(['1A', '1B', '2A', '2B']),
  })
  expect(reply.status, reply.text).toBe(200)
  expect(
    reply.answer.map(tyre => [tyre.position, tyre.tyre_status, tyre.tyre_set, tyre.status_date, tyre.description]),
  ).toEqual(
    ['1A', '1B', '2A', '2B'].map(position => [
      position,
      'at_customer',
      'Winter',
      '2026-11-18',
      'Michelin Alpin 6 205/55R16 91H',
    ]),
  )
  const events = await at.ask(tyres.events, at.who.a, { flt_id: vehicle })
  expect(events.answer.map(event => [event.kind, event.by, event.status])).toEqual(
    Array.from({ length: 4 }, () => ['added', 'Full customer-a', 'at_customer']),
  )
})

test('a position that is taken in the set, twice in the request, or not on the vehicle is named', async () => {
  const vehicle = await car()
  await at.addSet({ vehicle, set: 'Winter' })
  const add = (positions: string[], set: string | null) =>
    at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: set, tyres: catalogue(positions) })
  expect((await add(['1A', '2B'], 'Winter')).refusal).toMatchObject({
    code: 'set.positions_taken',
    params: { positions: ['1A', '2B'] },
    message: 'The positions 1A, 2B are already taken in this tyre set.',
  })
  expect((await add(['1A', '1A'], 'Summer')).refusal).toMatchObject({
    code: 'set.positions_taken',
    params: { positions: ['1A'] },
  })
  expect((await add(['1A', '3A'], 'Summer')).refusal).toMatchObject({
    code: 'tyre.position_missing',
    params: { positions: ['3A'] },
  })
  expect(await at.query('select from tyre where vehicle_id = $1', [vehicle])).toHaveLength(4)
})

test('a scrapped tyre holds no position', async () => {
  const vehicle = await car()
  await at.addTyre({ vehicle, position: '1A', set: 'Winter', status: 'waste' })
  expect(
    (await at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: 'Winter', tyres: catalogue(['1A']) })).status,
  ).toBe(200)
})

test('a set needs a name once there are as many setless tyres as positions', async () => {
  const vehicle = await car()
  const setlessToo = (position: string) =>
    at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyres: catalogue([position]) })
  for (const position of ['1A', '1B', '2A', '2B']) expect((await setlessToo(position)).status).toBe(200)
  expect((await setlessToo('1A')).refusal.code).toBe('set.name_missing')
  expect(
    (await at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: 'Spare', tyres: catalogue(['1A']) })).status,
  ).toBe(200)
})

test('an unknown article needs the site’s permission, a type and a description', async () => {
  const vehicle = await car()
  const add = (unknown: { type?: 'winter' | 'snow' | null; description?: string | null }) =>
    at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: 'X', tyres: [{ position: '1A', unknown }] })
  expect((await add({ type: 'winter', description: 'Old Trelleborg' })).refusal.code).toBe('article.unknown_refused')
  await at.setSite(at.sites.home, { allow_unknown_article: true, unknown_winter_article: at.articles.home })
  expect((await add({ type: 'winter', description: '' })).refusal).toMatchObject({
    code: 'article.unknown_incomplete',
    message: 'Unknown article type or description is missing.',
  })
  expect((await add({ type: null, description: 'Old Trelleborg' })).refusal.code).toBe('article.unknown_incomplete')
  expect((await add({ type: 'snow', description: 'Old Trelleborg' })).refusal.code).toBe('article.unknown_refused')
  expect((await add({ type: 'winter', description: 'x'.repeat(100) })).refusal.code).toBe('request.invalid')
  const reply = await add({ type: 'winter', description: 'Old Trelleborg' })
  expect(reply.answer[0]).toMatchObject({
    description: 'Old Trelleborg',
    unknownArticle: true,
    art_id: at.articles.home,
  })
  await at.setSite(at.sites.home, { allow_unknown_article: false })
})

test('of two people who add to one position of a set at once, one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const vehicle = await car()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: 'Winter', tyres: catalogue(['1A']) }),
      ),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect(replies.filter(reply => reply.refusal?.code === 'set.positions_taken')).toHaveLength(7)
  }
})

test('a set is renamed when no position is taken there, else nothing is saved', async () => {
  const vehicle = await car()
  const winter = await at.addSet({ vehicle, set: 'Winter' })
  const old = await at.addTyre({ vehicle, position: '2B', set: 'Old' })
  expect((await at.ask(tyres.changeset, at.who.a, { tyres: winter, tyre_set: 'Old' })).refusal).toMatchObject({
    code: 'set.positions_taken',
    params: { positions: ['2B'] },
  })
  expect(await at.query('select distinct tyre_set from tyre where id = any($1)', [winter])).toEqual([
    { tyre_set: 'Winter' },
  ])
  const moved = await at.ask(tyres.changeset, at.who.a, { tyres: winter.slice(0, 3), tyre_set: 'Old' })
  expect(moved.answer.map(tyre => tyre.tyre_set)).toEqual(['Old', 'Old', 'Old'])
  const other = await at.addTyre({ vehicle: await car(), set: 'Winter' })
  expect((await at.ask(tyres.changeset, at.who.a, { tyres: [old, other], tyre_set: 'Mixed' })).refusal.code).toBe(
    'operation.tyres_mixed',
  )
  for (const tyre_set of ['', '   ', 'setless', 'x'.repeat(41)])
    expect((await at.ask(tyres.changeset, at.who.a, { tyres: [old], tyre_set })).refusal.code).toBe('request.invalid')
})

test('a set is the same in capitals and with blanks around its name, and keeps its spelling', async () => {
  const vehicle = await car()
  const summer = [
    await at.addTyre({ vehicle, position: '1A', set: 'Summer' }),
    await at.addTyre({ vehicle, position: '1B', set: 'Summer' }),
  ]
  const add = (positions: string[], set: string) =>
    at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: set, tyres: catalogue(positions) })
  expect((await add(['1A'], 'summer')).refusal).toMatchObject({
    code: 'set.positions_taken',
    params: { positions: ['1A'] },
  })
  const joined = await add(['2A'], ' SUMMER ')
  expect(joined.answer.map(tyre => tyre.tyre_set)).toEqual(['Summer'])
  const old = [
    await at.addTyre({ vehicle, position: '1B', set: 'Old' }),
    await at.addTyre({ vehicle, position: '2B', set: 'Old' }),
  ]
  const change = (chosen: number[], set: string) => at.ask(tyres.changeset, at.who.a, { tyres: chosen, tyre_set: set })
  expect((await change(old, 'sUMMER')).refusal).toMatchObject({
    code: 'set.positions_taken',
    params: { positions: ['1B'] },
  })
  expect((await change(old.slice(1), 'summer')).answer.map(tyre => tyre.tyre_set)).toEqual(['Summer'])
  expect((await change(old, 'Setless')).refusal.code).toBe('request.invalid')
  // the whole set can be spelled otherwise
  const whole = [...summer, joined.answer[0]!.db_id, old[1]!]
  expect((await change(whole, 'SUMMER')).answer.map(tyre => tyre.tyre_set)).toEqual(whole.map(() => 'SUMMER'))
  await expect(
    at.query(`update tyre set tyre_set = 'summer', position = '1A' where id = $1`, [old[0]]),
  ).rejects.toThrow('tyre_set_position')
})

test.each(tyreStatuses)('deleting a tyre %s follows the table of actions', async status => {
  const tyre = await at.addTyre({ vehicle: await car(), status })
  const reply = await at.ask(tyres.remove, at.who.a, { tyres: [tyre] })
  if (status === 'in_stock' || status === 'waste')
    expect(reply.refusal).toMatchObject({ code: 'tyre.status_refused', params: { tyres: [tyre] } })
  else expect(reply.answer).toEqual({ removed: [tyre] })
  expect((await at.query('select removed_at is not null as removed from tyre where id = $1', [tyre]))[0]).toEqual({
    removed: reply.status === 200,
  })
})

test('a tyre in an open operation is not deleted', async () => {
  const vehicle = await car()
  const set = await at.addSet({ vehicle })
  await at.ask(operations.new, at.who.a, {
    operation: { flt_id: vehicle, tyres: set.slice(0, 1), operationType: 'to_stock' },
  })
  expect((await at.ask(tyres.remove, at.who.a, { tyres: set })).refusal).toMatchObject({
    code: 'operation.tyres_busy',
    params: { tyres: set.slice(0, 1) },
  })
})

test('the day of a reading is a day in the site’s time zone, however far east', async () => {
  await at.setSite(at.sites.home, { time_zone: 'Pacific/Auckland' })
  const tyre = await at.addTyre({ vehicle: await car(), depth: null })
  const read = (profile_depth: number, profile_date: string) =>
    at.ask(tyres.measure, at.who.a, { readings: [{ db_id: tyre, profile_depth, profile_date }] })
  expect((await read(6, '2026-10-01')).status).toBe(200)
  expect((await read(5, '2026-10-20')).status).toBe(200)
  expect((await read(6.5, '2026-10-02')).refusal.code).toBe('tyre.deeper')
  await at.setSite(at.sites.home, { time_zone: 'Europe/Brussels' })
})

test('readings are clamped and kept as history, and a deeper one needs confirmation', async () => {
  const vehicle = await car()
  const tyre = await at.addTyre({ vehicle, depth: null })
  const read = (profile_depth: number, profile_date: string, deeper?: boolean) =>
    at.ask(tyres.measure, at.who.a, {
      readings: [{ db_id: tyre, profile_depth, profile_date, profile_tacho: 120_000 }],
      ...(deeper === undefined ? {} : { deeper }),
    })
  expect((await read(12, '2026-10-01')).answer[0]).toMatchObject({
    profile_depth: 10,
    profile_date: '2026-10-01',
    profile_tacho: 120_000,
  })
  expect((await read(7.456, '2026-11-01')).answer[0]).toMatchObject({ profile_depth: 7.46 })
  expect((await read(8, '2026-11-02')).refusal).toMatchObject({ code: 'tyre.deeper', params: { tyres: [tyre] } })
  expect((await read(8, '2026-11-02', true)).answer[0]).toMatchObject({ profile_depth: 8 })
  // an older reading that turns up later is history only
  expect((await read(9, '2026-10-15')).answer[0]).toMatchObject({ profile_depth: 8, profile_date: '2026-11-02' })
  expect((await read(-3, '2026-11-18')).answer[0]).toMatchObject({ profile_depth: 0 })
  expect((await read(5, '2026-11-19')).refusal.code).toBe('tyre.reading_date')
  const reply = await at.ask(tyres.events, at.who.a, { tyres: [tyre] })
  expect(reply.answer.filter(event => event.kind === 'measured').map(event => event.depth)).toEqual([0, 8, 7.46, 9, 10])
})

test('a reading of a past day is compared with those before and after it, not with the newest', async () => {
  const vehicle = await car()
  const tyre = await at.addTyre({ vehicle, depth: null })
  const read = async (profile_depth: number, profile_date: string, deeper = false) =>
    (
      await at.ask(tyres.measure, at.who.a, {
        readings: [{ db_id: tyre, profile_depth, profile_date }],
        ...(deeper && { deeper }),
      })
    ).refusal.code ?? 'kept'
  expect(await read(8, '2026-03-01')).toBe('kept')
  expect(await read(4, '2026-09-01')).toBe('kept')
  // deeper than the newest: it was measured half a year before
  expect(await read(6, '2026-06-01')).toBe('kept')
  expect(await read(8.01, '2026-05-01')).toBe('tyre.deeper')
  expect(await read(5.99, '2026-05-01')).toBe('tyre.deeper')
  expect(await read(3.99, '2026-08-01')).toBe('tyre.deeper')
  expect(await read(7.99, '2026-02-01')).toBe('tyre.deeper')
  expect(await read(9, '2026-02-01')).toBe('kept')
  // another reading of the same day corrects the first, up or down; the correction counts
  expect(await read(7, '2026-06-01')).toBe('kept')
  expect(await read(6.5, '2026-07-01')).toBe('kept')
  expect(await read(3, '2026-06-01', true)).toBe('kept')
  expect(await read(6.5, '2026-05-15')).toBe('kept')
  expect(await read(6.5, '2026-07-02')).toBe('kept')
  expect(
    await at.query('select profile_depth::float as depth, profile_date::text as day from tyre where id = $1', [tyre]),
  ).toEqual([{ depth: 4, day: '2026-09-01' }])
})

test('a reading is compared with the depth of a tyre that has no history', async () => {
  const vehicle = await car()
  const dated = await at.addTyre({ vehicle, position: '1A', depth: 5, statusDate: '2026-06-01' })
  const undated = await at.addTyre({ vehicle, position: '1B', depth: 5 })
  await at.query('update tyre set profile_date = null where id = $1', [undated])
  const read = async (profile_depth: number, profile_date: string) =>
    (
      await at.ask(tyres.measure, at.who.a, {
        readings: [dated, undated].map(db_id => ({ db_id, profile_depth, profile_date })),
      })
    ).refusal.params
  expect(await read(5.5, '2026-07-01')).toEqual({ tyres: [dated, undated] })
  expect(await read(4.5, '2026-05-01')).toEqual({ tyres: [dated] })
  expect(await read(5.5, '2026-05-01')).toEqual({ tyres: [undated] })
})

test('a reading stores no odometer where the site does not use it', async () => {
  const vehicle = await car()
  const tyre = await at.addTyre({ vehicle })
  await at.setSite(at.sites.home, { allow_tachometer: false })
  const reply = await at.ask(tyres.measure, at.who.a, {
    readings: [{ db_id: tyre, profile_depth: 4, profile_date: '2026-11-18', profile_tacho: 120_000 }],
  })
  await at.setSite(at.sites.home, { allow_tachometer: true })
  expect(reply.answer[0]).toMatchObject({ profile_depth: 4, profile_tacho: null })
  expect((await at.ask(tyres.events, at.who.a, { tyres: [tyre] })).answer.map(event => event.odometer)).toEqual([null])
})

test('a tyre has the season of its article, for an unknown one the given season, and follows a correction', async () => {
  const vehicle = await car()
  const [tyre] = (await at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyre_set: 'W', tyres: catalogue(['1A']) }))
    .answer
  expect(tyre?.season).toBe('winter')
  const [standIn] = await at.query<{ id: number }>(
    `insert into article (site_id, brand, description, unknown) values ($1, '', 'Unknown', true) returning id`,
    [at.sites.home],
  )
  await at.setSite(at.sites.home, { allow_unknown_article: true, unknown_snow_article: standIn?.id })
  const unknown = { type: 'snow', description: 'Old Trelleborg' } as const
  const reply = await at.ask(tyres.add, at.who.a, {
    flt_id: vehicle,
    tyre_set: 'S',
    tyres: [{ position: '1A', unknown }],
  })
  expect(reply.answer[0]?.season).toBe('snow')
  await at.query(`update article set season = 'all_season' where id = $1`, [at.articles.home])
  const seasons = async () =>
    at.query<{ season: string }>('select season from tyre where vehicle_id = $1 order by id', [vehicle])
  expect(await seasons()).toEqual([{ season: 'all_season' }, { season: 'snow' }])
  await at.query(`update article set season = 'winter' where id = $1`, [at.articles.home])
  await at.setSite(at.sites.home, { allow_unknown_article: false, unknown_snow_article: null })
})

test('while the site hides depth, measuring is refused and no event shows a depth', async () => {
  const vehicle = await car()
  const tyre = await at.addTyre({ vehicle })
  await at.ask(tyres.measure, at.who.a, { readings: [{ db_id: tyre, profile_depth: 4, profile_date: '2026-11-18' }] })
  await at.setSite(at.sites.home, { allow_profile_depth: false })
  const reply = await at.ask(tyres.measure, at.who.a, {
    readings: [{ db_id: tyre, profile_depth: 3, profile_date: '2026-11-02' }],
  })
  expect(reply.refusal.code).toBe('tyre.depth_hidden')
  expect((await at.ask(tyres.events, at.who.a, { flt_id: vehicle })).answer).toEqual([])
  await at.setSite(at.sites.home, { allow_profile_depth: true })
  expect((await at.ask(tyres.events, at.who.a, { flt_id: vehicle })).answer).toHaveLength(1)
})

test('the last rack of a tyre stays known after it left', async () => {
  const vehicle = await car()
  const [location] = await at.addLocations({ places: 1, capacity: 8, zone: 'R' })
  const [tyre = 0, never = 0] = await at.addSet({ vehicle })
  await at.query(
    `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, location_id) values ($1, $2, $3, $4, 'received', $5), ($1, $2, $3, $4, 'delivered', null)`,
    [at.sites.home, tyre, at.customers.a, vehicle, location],
  )
  const reply = await at.ask(tyres.recentstocklocations, at.who.a, { tyreIds: [tyre, never] })
  expect(reply.answer).toEqual([{ fsh_fleettyre: tyre, fsh_stocklocation: 'R-01-1' }])
})

test('a label is found again by its number, with its owner and rack, until the tyre is removed', async () => {
  const vehicle = await car()
  const [location] = await at.addLocations({ places: 1, capacity: 8, zone: 'F' })
  const tyre = await at.addTyre({ vehicle, status: 'in_stock', location: location! })
  const find = () => at.ask(tyres.find, at.who.admin, { tyre })
  expect((await find()).answer).toMatchObject([
    { db_id: tyre, flt_id: vehicle, tyre_status: 'in_stock', stock_rack: 'F-01-1' },
  ])
  await at.query('update tyre set removed_at = now() where id = $1', [tyre])
  expect((await find()).answer).toEqual([])
})

test('tyres, vehicles and articles of others are missing', async () => {
  const theirs = await car(at.customers.b)
  const tyre = await at.addTyre({ vehicle: theirs })
  const replies = [
    await at.ask(tyres.add, at.who.a, { flt_id: theirs, tyres: catalogue(['1A']) }),
    await at.ask(tyres.add, at.who.a, { flt_id: await car(), tyres: [{ position: '1A', art_id: at.articles.other }] }),
    await at.ask(tyres.changeset, at.who.a, { tyres: [tyre], tyre_set: 'Mine' }),
    await at.ask(tyres.remove, at.who.a, { tyres: [tyre] }),
    await at.ask(tyres.measure, at.who.a, {
      readings: [{ db_id: tyre, profile_depth: 1, profile_date: '2026-01-01' }],
    }),
    await at.ask(tyres.events, at.who.a, { flt_id: theirs }),
    await at.ask(tyres.events, at.who.a, { tyres: [tyre] }),
    await at.ask(tyres.recentstocklocations, at.who.a, { tyreIds: [tyre] }),
  ]
  expect(replies.map(reply => reply.refusal.code)).toEqual(Array(replies.length).fill('record.missing'))
})

test('the tyres of a removed vehicle are missing, as it is', async () => {
  const vehicle = await car()
  const tyre = await at.addTyre({ vehicle })
  await at.query('update vehicle set removed_at = now() where id = $1', [vehicle])
  const replies = [
    await at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyres: catalogue(['1A']) }),
    await at.ask(tyres.changeset, at.who.a, { tyres: [tyre], tyre_set: 'Mine' }),
    await at.ask(tyres.remove, at.who.a, { tyres: [tyre] }),
    await at.ask(tyres.measure, at.who.admin, {
      readings: [{ db_id: tyre, profile_depth: 1, profile_date: '2026-01-01' }],
    }),
  ]
  expect(replies.map(reply => reply.refusal.code)).toEqual(Array(replies.length).fill('record.missing'))
})

test.each(modes)('in mode %s tyres are added and deleted where there is a hotel', async mode => {
  await at.setSite(at.sites.home, { mode })
  const vehicle = await car()
  const replies = [
    await at.ask(tyres.add, at.who.a, { flt_id: vehicle, tyres: catalogue(['1A']) }),
    await at.ask(tyres.remove, at.who.a, { tyres: [await at.addTyre({ vehicle })] }),
  ]
  await at.setSite(at.sites.home, { mode: 'both' })
  expect(replies.map(reply => (reply.status === 200 ? 'done' : reply.refusal.code))).toEqual(
    Array(2).fill(mode === 'fleetonly' ? 'site.mode' : 'done'),
  )
})
