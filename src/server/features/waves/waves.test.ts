/** Waves: planned, shared by pickers, picked and staged (docs/product/warehouse.md "Waves"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import type { Round } from '#contract/waves.ts'
import { addOperation, addTransport, clear, type Made } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { operations, locations, waves: calls } = contract
const day = '2026-11-20'
let w: World
let transport: number
let lane: number
/** Six places in two racks. */
let places: number[]

beforeAll(async () => {
  w = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query(`delete from tyre`)
  await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false })
  transport = await addTransport(w)
  await w.ask(locations.make, w.who.admin, {
    parent: null,
    levels: [
      { kind: 'site', pattern: 'Hall' },
      { kind: 'rack', pattern: 'A, B' },
      { kind: 'place', pattern: '1 to 3' },
    ],
    capacity: 4,
  })
  const all = (await w.ask(locations.all, w.who.admin, {})).answer
  const parent = all.find(({ kind }) => kind === 'site')?._id ?? 0
  await w.ask(locations.make, w.who.admin, { parent, levels: [{ kind: 'lane', pattern: 'L1, L2' }], capacity: 8 })
  places = all
    .filter(({ kind }) => kind === 'place')
    .toSorted((a, b) => a.walk - b.walk)
    .map(({ _id }) => _id)
  lane = await laneOf('L1')
})

const laneOf = async (rack: string) =>
  (await w.ask(locations.all, w.who.admin, {})).answer.find(({ stock_rack }) => stock_rack === rack)?._id ?? 0

/** A submitted recall of a set that lies on the nth place of the walk. */
async function recall(place: number, wish: { transport?: number; deliveryDate?: string } = {}): Promise<Made> {
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({ vehicle, status: 'in_stock', location: places[place] ?? null })
  return addOperation(w, {
    vehicle,
    tyres,
    type: 'to_customer',
    status: 'submitted',
    transport,
    deliveryDate: day,
    ...wish,
  })
}
const plan = async (most = 100, unit: 'wheels' | 'sets' = 'wheels') =>
  (await w.ask(calls.plan, w.who.admin, { day, transport, most, unit })).answer

/** Somebody with a device of their own. */
function picker() {
  const device = { 'wheelhouse-device': randomUUID() }
  const send = async (path: string, body: object): Promise<Round> => {
    const reply = await w.send(path, w.who.admin, body, device)
    if (reply.status !== 200) throw new Error(reply.text)
    return calls.round.output.parse(JSON.parse(reply.text))
  }
  return {
    round: (wave: number) => send(calls.round.path, { wave }),
    scan: (wave: number, db_id: number | undefined) => send(calls.scan.path, { wave, db_id }),
    put: (wave: number, location: number) => send(calls.scan.path, { wave, location }),
    miss: (wave: number) => send(calls.miss.path, { wave }),
    undo: (wave: number, tyres: number[]) => send(calls.undo.path, { wave, tyres }),
  }
}
const statesOf = async ({ tyres }: Made) =>
  (await w.query<{ state: string }>('select state from wheel where tyre_id = any ($1) order by tyre_id', [tyres])).map(
    ({ state }) => state,
  )

describe('a wave', () => {
  test('has the submitted recalls of its day and transport, one line a set in walk order, and each wheel is in one wave', async () => {
    const [last, first] = [await recall(5), await recall(0)]
    await recall(1, { deliveryDate: '2026-11-21' })
    await recall(2, { transport: await addTransport(w) })
    const wave = await plan(4)
    expect(wave).toMatchObject({ line_count: 1, wheel_count: 4 })
    expect(
      await w.query(`select account_id as by from audit where action = 'wave.plan' and subject = $1`, [
        `wave ${wave.wave}`,
      ]),
    ).toEqual([{ by: w.who.admin.account }])
    expect((await picker().round(wave.wave)).line?.wheels.map(({ db_id }) => db_id)).toEqual(first.tyres)
    expect((await picker().round((await plan()).wave)).line?.wheels.map(({ db_id }) => db_id)).toEqual(last.tyres)
    expect((await w.ask(calls.plan, w.who.admin, { day, transport, most: 4, unit: 'sets' })).refusal.code).toBe(
      'wave.empty',
    )
    const { due, waves } = (await w.ask(calls.all, w.who.admin, {})).answer
    expect(due.find(entry => entry.day === day && entry.transport === transport)).toMatchObject({
      operation_count: 2,
      wheel_count: 8,
      free_count: 0,
    })
    expect(waves).toHaveLength(2)
  })

  test('names unlike wheels by their positions, like ones once', async () => {
    const { tyres } = await recall(0)
    const { wave } = await plan()
    const me = picker()
    const described = async () => (await me.round(wave)).line?.description
    const first = await described()
    expect(first).not.toContain(' · ')
    await w.query(`update tyre set description = 'Continental WinterContact' where id = any ($1)`, [
      [tyres[1], tyres[3]],
    ])
    expect(await described()).toBe(`1A 2A ${first} · 1B 2B Continental WinterContact`)
  })

  test('gives what it has not picked back when it ends', async () => {
    await recall(0)
    const { wave } = await plan()
    await w.ask(calls.end, w.who.admin, { wave })
    expect((await w.ask(calls.round, w.who.admin, { wave })).refusal.code).toBe('record.missing')
    expect(await plan()).toMatchObject({ wheel_count: 4 })
  })

  test('says of a recall that is half of a season swap what comes back for it', async () => {
    const recalled = await recall(0)
    const tyres = await w.addSet({ vehicle: recalled.vehicle, set: 'Summer' })
    const other = await addOperation(w, { vehicle: recalled.vehicle, tyres, status: 'submitted' })
    const { wave } = await plan()
    const { round } = picker()
    expect((await round(wave)).line?.swap).toBeNull()
    await w.query('update operation set swap_id = $2 where id = $1', [recalled.id, other.id])
    expect((await round(wave)).line?.swap).toMatchObject({ _id: other.id, type: 'to_stock', tyre_count: 4 })
  })

  test('loses a recall that is undone or goes another day', async () => {
    const [undone, later, stays] = [await recall(0), await recall(1), await recall(2)]
    const { wave } = await plan()
    await w.ask(operations.update, w.who.admin, { operation: { _id: undone.id, status: 'pending' } })
    await w.query(`update operation set delivery_date = '2026-11-21' where id = $1`, [later.id])
    const round = await picker().round(wave)
    expect(round.wave.wheel_count).toBe(4)
    expect(round.line?.wheels.map(({ db_id }) => db_id)).toEqual(stays.tyres)
    expect((await picker().scan(wave, undone.tyres[0])).outcome).toBe('not_in_wave')
  })
})

describe('a picker', () => {
  test('picks the set at the place shown, stages it by the lane, and no pick counts as the scan of the recall', async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    const set = await recall(0)
    const { wave } = await plan()
    const me = picker()
    expect((await me.round(wave)).line).toMatchObject({
      stock_rack: 'A-1',
      wheels: [{ state: 'at_place' }, {}, {}, {}],
    })
    expect((await me.put(wave, places[0] ?? 0)).outcome).toBe('here')
    expect((await me.put(wave, places[1] ?? 0)).outcome).toBe('no_lane')
    expect((await me.put(wave, lane)).outcome).toBe('nothing_carried')
    for (const tyre of set.tyres) expect((await me.scan(wave, tyre)).outcome).toBe('picked')
    expect((await me.scan(wave, set.tyres[0])).outcome).toBe('again')
    const round = await me.round(wave)
    expect(round).toMatchObject({ line: null, lane: { stock_rack: 'L1' }, wave: { left_count: 0, picked_count: 4 } })
    expect(round.carried).toHaveLength(4)
    const staged = await me.put(wave, lane)
    expect(staged).toMatchObject({ outcome: 'staged', tyres: set.tyres, carried: [], wave: { staged_count: 4 } })
    expect(await statesOf(set)).toEqual(Array(4).fill('staged'))
    const [kept] = await w.query(
      `select o.status, count(held.scanned_at)::int as scanned from operation o join operation_tyre held on held.operation_id = o.id where o.id = $1 group by 1`,
      [set.id],
    )
    expect(kept).toEqual({ status: 'submitted', scanned: 0 })
  })

  test('is warned of a wheel of another set, of none, and of another site, and nothing changes', async () => {
    const [mine, next] = [await recall(0), await recall(1)]
    const { wave } = await plan()
    const stranger = await recall(2)
    const me = picker()
    expect(await me.scan(wave, next.tyres[0])).toMatchObject({ outcome: 'other_set', tyres: [] })
    expect((await me.scan(wave, stranger.tyres[0])).outcome).toBe('not_in_wave')
    const foreign = await w.ask(calls.scan, w.who.admin, { wave, db_id: mine.tyres[0], ticsId: w.sites.other })
    expect(foreign.answer.outcome).toBe('other_site')
    for (const set of [mine, next, stranger]) expect(await statesOf(set)).toEqual(Array(4).fill('at_place'))
  })

  test('says at once that a wheel is missing, and takes that or a pick back', async () => {
    const set = await recall(0)
    const { wave } = await plan()
    const me = picker()
    for (const tyre of set.tyres.slice(0, 3)) await me.scan(wave, tyre)
    const [lost = 0] = set.tyres.slice(3)
    expect(await me.miss(wave)).toMatchObject({
      outcome: 'missed',
      tyres: [lost],
      line: null,
      wave: { missing_count: 1, picked_count: 3 },
    })
    expect(await me.undo(wave, [lost])).toMatchObject({
      outcome: 'undone',
      line: { line: 1 },
      wave: { missing_count: 0 },
    })
    expect(await statesOf(set)).toEqual(['picked', 'picked', 'picked', 'at_place'])
    await me.miss(wave)
    expect((await me.miss(wave)).outcome).toBe('nothing_to_do')
    expect(await me.undo(wave, set.tyres.slice(2, 3))).toMatchObject({ outcome: 'undone', wave: { picked_count: 2 } })
    expect(await statesOf(set)).toEqual(['picked', 'picked', 'at_place', 'missing'])
  })

  test('is given a lane by transport and customer, and refused one of another transport', async () => {
    const [first, two] = [await recall(0), await recall(1)]
    const { wave } = await plan()
    const me = picker()
    for (const tyre of first.tyres) await me.scan(wave, tyre)
    await me.put(wave, await laneOf('L2'))
    for (const tyre of two.tyres) await me.scan(wave, tyre)
    expect((await me.round(wave)).lane?.stock_rack).toBe('L2')
    // a wheel that goes another day stands on the lane
    await w.query(`update operation set delivery_date = '2026-11-21' where id = $1`, [first.id])
    expect((await me.put(wave, await laneOf('L2'))).outcome).toBe('lane_other')
    expect((await me.round(wave)).lane?.stock_rack).toBe('L1')
  })
})

test('pickers share a wave without meeting: each line is of one, in aisles of their own while there are some', async () => {
  const sets = [await recall(0), await recall(1), await recall(2), await recall(3), await recall(4)]
  const { wave } = await plan()
  const [me, you, third] = [picker(), picker(), picker()]
  const nth = (round: Round) => sets.findIndex(({ tyres }) => tyres[0] === round.line?.wheels[0]?.db_id)
  expect(
    await Promise.all([me, you].map(picker => picker.round(wave))).then(rounds => rounds.map(nth).toSorted()),
  ).toEqual([0, 3])
  const [mine, yours] = nth(await me.round(wave)) === 0 ? [me, you] : [you, me]
  expect((await yours.scan(wave, sets[0]?.tyres[0])).outcome).toBe('other_set')
  for (const tyre of sets[0]?.tyres ?? []) await mine.scan(wave, tyre)
  expect(nth(await mine.round(wave))).toBe(1)
  expect(nth(await third.round(wave))).toBe(2)
  // what mine carries is not yours to stage
  expect((await yours.put(wave, lane)).outcome).toBe('nothing_carried')
  expect((await mine.put(wave, lane)).tyres).toEqual(sets[0]?.tyres)
  // who has picked nothing for a while loses the line
  w.clock.now = new Date('2026-11-18T10:16:00Z')
  expect(nth(await third.round(wave))).toBe(2)
  const late = picker()
  expect([1, 3]).toContain(nth(await late.round(wave)))
  w.clock.now = new Date('2026-11-18T10:00:00Z')
})
