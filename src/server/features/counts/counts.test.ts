/** Stock counts: judged, solved, reported, and chosen by risk (docs/product/warehouse.md "Counting"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import type { Counted } from '#contract/counts.ts'
import type { Solution } from '#domain/warehouse/count.ts'
import { clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { locations, counts: calls, wheels } = contract
let w: World
/** Places of zone A, and B-1 of zone B. */
let places: number[]
let zone: number
let set: number[]

beforeAll(async () => {
  w = await world({ now: new Date() })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query('delete from stock_count')
  await clear(w)
  await w.query('delete from tyre; delete from location')
  w.clock.now = new Date()
  const hall = [
    { kind: 'site', pattern: 'Hall' },
    { kind: 'zone', pattern: 'A' },
    { kind: 'place', pattern: '1 to 3' },
  ] as const
  await w.ask(locations.make, w.who.admin, { parent: null, levels: [...hall], capacity: 4 })
  const parent = (await w.ask(locations.all, w.who.admin, {})).answer.find(({ kind }) => kind === 'site')?._id ?? 0
  const other = [
    { kind: 'zone', pattern: 'B' },
    { kind: 'place', pattern: '1' },
  ] as const
  await w.ask(locations.make, w.who.admin, { parent, levels: [...other], capacity: 4 })
  const all = (await w.ask(locations.all, w.who.admin, {})).answer
  zone = all.find(({ stock_rack }) => stock_rack === 'A')?._id ?? 0
  places = all
    .filter(({ kind }) => kind === 'place')
    .toSorted((a, b) => a.stock_rack.localeCompare(b.stock_rack))
    .map(({ _id }) => _id)
  set = await stored(0)
})

/** A set that lies on the nth place. */
const stored = async (nth: number) =>
  w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: places[nth] ?? null })
const start = async (location = zone) => (await w.ask(calls.start, w.who.admin, { location })).answer.count

/** Counts the nth place with these labels, and moves the clock on. */
async function count(countId: number | null, nth: number, tyres: readonly (number | undefined)[], more: object = {}) {
  w.clock.now = new Date()
  const input = {
    count: countId,
    location: places[nth] ?? 0,
    ticsId: w.sites.home,
    scanId: randomUUID(),
    timestamp: Date.now(),
    wheels: tyres.map(db_id => ({ db_id, ticsId: db_id === undefined ? undefined : w.sites.home })),
    ...more,
  }
  const reply = await w.send(calls.place.path, w.who.admin, input)
  if (reply.status !== 200) throw new Error(reply.text)
  return calls.place.output.parse(JSON.parse(reply.text))
}
const outcomes = ({ differences }: Counted) => differences.map(({ outcome, db_id }) => [outcome, db_id])
const solve = (finding: number | undefined, how: Solution, reason?: string) =>
  w.ask(calls.solve, w.who.admin, { finding: finding ?? 0, how, ...(reason && { reason }) })
const jobs = async () => {
  w.clock.now = new Date()
  const { answer } = await w.ask(wheels.clearup, w.who.admin, {})
  return answer.jobs.filter(({ counted }) => counted).map(({ kind, tyres }) => [kind, ...tyres])
}
const wheelOf = async (tyre: number | undefined) =>
  (
    await w.query<{ state: string; at: number | null }>(
      'select state, location_id as at from wheel where tyre_id = $1',
      [tyre],
    )
  )[0]

describe('a place that is counted', () => {
  test('has no difference when all that should be there was scanned, twice or not', async () => {
    const counted = await count(await start(), 0, [...set, ...set])
    expect(counted).toMatchObject({ stock_rack: 'A-1', found_count: 4, differences: [] })
    expect(await jobs()).toEqual([])
  })

  test('says which wheels are moved, foreign, unknown and missing', async () => {
    const [moved] = await stored(1)
    const [, ...rest] = set
    const countId = await start()
    const counted = await count(countId, 0, [], {
      wheels: [
        ...rest.map(db_id => ({ db_id })),
        { db_id: moved },
        { db_id: 4711, ticsId: w.sites.home + 50 },
        { db_id: 2_000_000_000 },
        {},
      ],
    })
    expect(counted.found_count).toBe(3)
    expect(outcomes(counted)).toEqual([
      ['moved', moved],
      ['foreign', null],
      ['unknown', null],
      ['unknown', null],
      ['missing', set[0]],
    ])
    expect(counted.differences[0]).toMatchObject({ belongs_rack: 'A-2', stock_rack: 'A-1', zone: 'A', open: true })
    expect(counted.differences[1]).toMatchObject({ label_site: w.sites.home + 50, label_tyre: 4711 })
    expect(await jobs()).toEqual([['displaced', moved], ['strange'], ['strange'], ['strange'], ['uncounted', set[0]]])
  })

  test('is counted once, however often it is sent', async () => {
    const countId = await start()
    const scanId = randomUUID()
    const first = await count(countId, 0, set.slice(1), { scanId })
    const again = await count(countId, 0, set, { scanId })
    expect(again).toEqual(first)
    const { answer } = await w.ask(calls.report, w.who.admin, { count: countId })
    expect(answer.count).toMatchObject({ counted: 1, found_count: 3, missing_count: 1 })
  })

  test('that arrives hours later says nothing of wheels that were handled meanwhile', async () => {
    const hoursAgo = { timestamp: Date.now() - 3 * 3_600_000 }
    const counted = await count(await start(), 1, set, hoursAgo)
    expect(outcomes(counted)).toEqual([])
    expect(outcomes(await count(await start(), 0, [], hoursAgo))).toEqual([])
  })

  test('shows a label that the same count found on another place', async () => {
    const countId = await start()
    await count(countId, 0, set)
    const counted = await count(countId, 1, set.slice(0, 1))
    expect(outcomes(counted)).toEqual([['twice', set[0]]])
    expect(counted.differences[0]?.seen_rack).toBe('A-1')
    // another count knows nothing of it
    expect(outcomes(await count(await start(), 1, set.slice(0, 1)))).toEqual([['moved', set[0]]])
  })

  test('of another zone, or that has no places, is refused', async () => {
    const countId = await start()
    await expect(count(countId, 3, [])).rejects.toThrow('count.other_place')
    expect((await w.ask(calls.start, w.who.admin, { location: places[3] ?? 0 })).status).toBe(200)
    await w.query(`update location set capacity = 0 where id = $1`, [places[2]])
    expect((await w.ask(calls.start, w.who.admin, { location: places[2] ?? 0 })).refusal?.code).toBe('count.no_places')
  })

  test('of a count that has ended is still taken: a device may send it late', async () => {
    const countId = await start()
    await w.ask(calls.end, w.who.admin, { count: countId })
    expect((await count(countId, 0, set)).found_count).toBe(4)
  })
})

describe('a difference', () => {
  test('is solved by the records following the wheel, and each step is an event', async () => {
    const [moved] = await stored(1)
    const { differences } = await count(await start(), 2, [moved])
    expect((await solve(differences[0]?.finding, 'here')).status).toBe(200)
    expect(await wheelOf(moved)).toEqual({ state: 'at_place', at: places[2] })
    const events = await w.query<{ step: string }>(
      `select step from tyre_event where tyre_id = $1 and step is not null order by id desc limit 1`,
      [moved],
    )
    expect(events).toEqual([{ step: 'place' }])
    expect(await jobs()).toEqual([])
    expect((await solve(differences[0]?.finding, 'back')).refusal?.code).toBe('record.missing')
  })

  test('is solved by taking the wheel to its place', async () => {
    const countId = await start()
    const [moved, ...rest] = await stored(1)
    const { differences } = await count(countId, 0, [...set, moved])
    await count(countId, 1, rest)
    // it was seen, so nobody has to look for it
    expect(await jobs()).toEqual([['displaced', moved]])
    await solve(differences[0]?.finding, 'back')
    expect(await wheelOf(moved)).toEqual({ state: 'at_place', at: places[1] })
    expect(await jobs()).toEqual([])
  })

  test('of a wheel that was searched for ends the search', async () => {
    await w.ask(wheels.step, w.who.admin, { tyres: set.slice(0, 1), step: 'miss' })
    const counted = await count(await start(), 0, set)
    expect(outcomes(counted)).toEqual([['moved', set[0]]])
    await solve(counted.differences[0]?.finding, 'here')
    expect(await wheelOf(set[0])).toEqual({ state: 'at_place', at: places[0] })
  })

  test('is solved by missing the wheel, or by finding it there after all', async () => {
    const countId = await start()
    const { differences } = await count(countId, 0, set.slice(2))
    await solve(differences[0]?.finding, 'miss')
    await solve(differences[1]?.finding, 'again')
    expect((await wheelOf(set[0]))?.state).toBe('missing')
    expect(await wheelOf(set[1])).toEqual({ state: 'at_place', at: places[0] })
    const { answer } = await w.ask(calls.report, w.who.admin, { count: countId })
    expect(answer.count).toMatchObject({ found_count: 3, missing_count: 1, open: 0 })
    expect(answer.differences.map(({ solved }) => solved)).toEqual(['miss', 'again'])
  })

  test('is not solved in a way that is none of its kind, nor after its wheel was handled', async () => {
    const { differences } = await count(await start(), 0, set.slice(1))
    expect((await solve(differences[0]?.finding, 'here')).refusal?.code).toBe('count.solution')
    expect((await solve(differences[0]?.finding, 'done')).status).toBe(400)
    await w.ask(wheels.step, w.who.admin, { tyres: set.slice(0, 1), step: 'pick' })
    expect(await jobs()).toEqual([])
    expect((await solve(differences[0]?.finding, 'miss')).refusal?.code).toBe('count.solution')
  })

  test('is none any more when its place is counted again', async () => {
    const countId = await start()
    await count(countId, 0, set.slice(1))
    expect(await jobs()).toEqual([['uncounted', set[0]]])
    await count(countId, 0, set)
    expect(await jobs()).toEqual([])
    const { answer } = await w.ask(calls.report, w.who.admin, { count: countId })
    expect(answer.count).toMatchObject({ counted: 1, clean: 1, found_count: 4, missing_count: 0, open: 0 })
  })
})

describe('a count', () => {
  test('tells its places, and nothing of what should be on them', async () => {
    const countId = await start()
    await count(countId, 1, [])
    const { answer } = await w.ask(calls.places, w.who.admin, { count: countId })
    expect(answer.places.map(({ stock_rack, counted }) => [stock_rack, counted])).toEqual([
      ['A-1', false],
      ['A-2', true],
      ['A-3', false],
    ])
    expect(Object.keys(answer.places[0] ?? {})).toEqual(['_id', 'stock_site_name', 'stock_rack', 'counted'])
  })

  test('is reported by zone', async () => {
    const hall = (await w.ask(locations.all, w.who.admin, {})).answer.find(({ kind }) => kind === 'site')?._id ?? 0
    const countId = await start(hall)
    const [moved] = await stored(3)
    await count(countId, 0, set.slice(1))
    await count(countId, 1, [moved])
    await count(countId, 3, [])
    const { answer } = await w.ask(calls.report, w.who.admin, { count: countId })
    expect(answer.count).toMatchObject({
      place: 'Hall',
      place_count: 4,
      counted: 3,
      clean: 0,
      found_count: 3,
      moved_count: 1,
      missing_count: 5,
    })
    expect(answer.zones).toMatchObject([
      { zone: 'A', counted: 2, found_count: 3, moved_count: 1, missing_count: 1 },
      { zone: 'B', counted: 1, found_count: 0, moved_count: 0, missing_count: 4 },
    ])
    // the moved one was seen: three are still looked for, and one of A
    expect(answer.count.open).toBe(5)
    expect((await w.ask(calls.all, w.who.admin, {})).answer[0]).toMatchObject({ _id: countId, counted: 3 })
  })

  test('of places one at a time is one a day', async () => {
    const first = await count(null, 0, set)
    const second = await count(null, 3, [])
    expect(second.count).toBe(first.count)
    const { answer } = await w.ask(calls.all, w.who.admin, {})
    expect(answer).toMatchObject([{ _id: first.count, place_count: null, counted: 2 }])
  })
})

describe('the next place', () => {
  const next = async () => {
    w.clock.now = new Date()
    return (await w.ask(calls.next, w.who.admin, {})).answer
  }
  test('is the one with the most reasons, and one that was counted has none', async () => {
    await w.query(`update wheel set since = now() - interval '90 days'`)
    const moved = await stored(3)
    expect((await next())[0]).toMatchObject({ _id: places[3], days: null })
    await count(null, 3, moved)
    expect((await next()).at(-1)).toMatchObject({ _id: places[3], days: 0, why: [] })
  })

  test('counts sets in parts and what was confirmed without a scan', async () => {
    await count(null, 0, set)
    await count(null, 1, [])
    await count(null, 2, [])
    await count(null, 3, [])
    const [far, ...rest] = set
    await w.ask(locations.move, w.who.admin, { tyres: [far ?? 0], location: places[2] ?? 0 })
    const [first] = await next()
    expect(first).toMatchObject({ _id: places[2], why: ['splits', 'moves'] })
    expect(rest).toHaveLength(3)
  })
})
