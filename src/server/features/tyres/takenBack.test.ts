/** Undo of readings and changes, and the later changes that it must not overwrite (docs/product/screens.md "Taking back"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tyres } from '#contract/tyres.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

const setsOf = async (chosen: readonly number[]) =>
  (
    await at.query<{ set: string | null }>('select tyre_set as set from tyre where id = any ($1) order by id', [chosen])
  ).map(({ set }) => set)
const shown = async (tyre: number) =>
  (await at.query('select profile_depth::float as depth, profile_date::text as day from tyre where id = $1', [tyre]))[0]

test('tyres go back to the sets that each was in, also to none', async () => {
  const vehicle = await at.addVehicle({})
  const winter = await at.addSet({ vehicle, set: 'Winter' })
  const loose = await at.addTyre({ vehicle, set: null, position: '3A' })
  const all = [...winter, loose]
  await at.ask(tyres.changeset, at.who.a, { tyres: all, tyre_set: 'Old' })
  const former = [...winter.map(db_id => ({ db_id, tyre_set: 'Winter' })), { db_id: loose, tyre_set: null }]
  const undone = await at.ask(tyres.undoset, at.who.a, { tyres: former, expected: 'Old' })
  expect(undone.status, undone.text).toBe(200)
  expect(await setsOf(all)).toEqual(['Winter', 'Winter', 'Winter', 'Winter', null])
  const [last] = (await at.ask(tyres.events, at.who.a, { tyres: [loose] })).answer
  expect(last).toMatchObject({ kind: 'changed', note: '–' })
})

test('a set that somebody has renamed since stays, and so do all tyres when one of them was moved on', async () => {
  const vehicle = await at.addVehicle({})
  const winter = await at.addSet({ vehicle, set: 'Winter' })
  const former = winter.map(db_id => ({ db_id, tyre_set: 'Winter' }))
  await at.ask(tyres.changeset, at.who.a, { tyres: winter, tyre_set: 'Old' })
  await at.ask(tyres.changeset, at.who.admin, { tyres: winter.slice(0, 1), tyre_set: 'Theirs' })
  const undone = await at.ask(tyres.undoset, at.who.a, { tyres: former, expected: 'Old' })
  expect([undone.status, undone.refusal.code]).toEqual([409, 'record.changed'])
  expect(await setsOf(winter)).toEqual(['Theirs', 'Old', 'Old', 'Old'])
})

test('tyres don’t go back to a position that another tyre has in the set by now', async () => {
  const vehicle = await at.addVehicle({})
  const [first = 0] = await at.addSet({ vehicle, set: 'Winter' })
  await at.ask(tyres.changeset, at.who.a, { tyres: [first], tyre_set: 'Old' })
  await at.addTyre({ vehicle, set: 'Winter', position: '1A' })
  const undone = await at.ask(tyres.undoset, at.who.a, {
    tyres: [{ db_id: first, tyre_set: 'Winter' }],
    expected: 'Old',
  })
  expect(undone.refusal).toMatchObject({ code: 'set.positions_taken', params: { positions: ['1A'] } })
})

const read = (tyre: number, profile_depth: number, profile_date = '2026-11-18', by = at.who.a) =>
  at.ask(tyres.measure, by, { readings: [{ db_id: tyre, profile_depth, profile_date }] })
const unread = (tyre: number, profile_depth: number, profile_date = '2026-11-18', by = at.who.a) =>
  at.ask(tyres.unmeasure, by, { readings: [{ db_id: tyre, profile_depth, profile_date }] })

test('a reading that is taken back leaves what the tyre showed before, and counts for nothing', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle, depth: null })
  await read(tyre, 7, '2026-10-01')
  await read(tyre, 4)
  // with 4 mm on the 18th it could not have been 3 mm on the 10th
  expect((await read(tyre, 3, '2026-11-10')).refusal.code).toBe('tyre.deeper')
  const undone = await unread(tyre, 4)
  expect(undone.status, undone.text).toBe(200)
  expect(undone.answer[0]).toMatchObject({ profile_depth: 7, profile_date: '2026-10-01' })
  const events = (await at.ask(tyres.events, at.who.a, { tyres: [tyre] })).answer
  expect(events.slice(0, 3).map(({ kind, depth, undone: back }) => [kind, depth, back])).toEqual([
    ['unmeasured', 4, false],
    ['measured', 4, true],
    ['measured', 7, false],
  ])
  expect((await read(tyre, 3, '2026-11-10')).status).toBe(200)
})

test('a tyre whose depth came without a history has it again', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle, depth: 6.5, statusDate: '2026-06-01' })
  const before = await shown(tyre)
  await read(tyre, 5)
  await unread(tyre, 5)
  expect(await shown(tyre)).toEqual(before)
})

test('a reading of a past day that changed nothing of the tyre is taken back alone', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle, depth: null })
  await read(tyre, 5)
  await read(tyre, 6, '2026-10-01')
  expect((await unread(tyre, 6, '2026-10-01')).status).toBe(200)
  expect(await shown(tyre)).toEqual({ depth: 5, day: '2026-11-18' })
})

test('nobody takes back another one’s reading, one that is followed by another, or one twice', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle, depth: null })
  await read(tyre, 6)
  expect((await unread(tyre, 6, '2026-11-18', at.who.admin)).refusal.code).toBe('record.changed')
  expect((await unread(tyre, 6.1)).refusal.code).toBe('record.changed')
  await read(tyre, 5, '2026-11-18', at.who.admin)
  expect((await unread(tyre, 6)).refusal.code).toBe('record.changed')
  expect((await unread(tyre, 5, '2026-11-18', at.who.admin)).status).toBe(200)
  // the first reading is the last one again
  expect((await unread(tyre, 6)).status).toBe(200)
  expect((await unread(tyre, 6)).refusal.code).toBe('record.changed')
  expect(await shown(tyre)).toEqual({ depth: null, day: null })
})

test('a depth that came by a file since is not overwritten', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle, depth: 7, statusDate: '2026-06-01' })
  await read(tyre, 6)
  await at.query('update tyre set profile_depth = 5.5 where id = $1', [tyre])
  expect((await unread(tyre, 6)).refusal.code).toBe('record.changed')
  expect(await shown(tyre)).toMatchObject({ depth: 5.5 })
})

test('a DOT code is taken back as long as it is the one that was noted', async () => {
  const vehicle = await at.addVehicle({})
  const tyre = await at.addTyre({ vehicle })
  const note = (dot: string, expected?: string, by = at.who.a) =>
    at.ask(tyres.notedot, by, {
      db_id: tyre,
      dot,
      retreaded: '',
      ...(expected !== undefined && { expected: { dot: expected, retreaded: '' } }),
    })
  await note('2319')
  expect((await note('', '2319')).status).toBe(200)
  await note('2319')
  await note('2419', undefined, at.who.admin)
  expect((await note('', '2319')).refusal.code).toBe('record.changed')
  expect((await at.ask(tyres.dots, at.who.a, { tyres: [tyre] })).answer).toEqual([{ tyre, dot: '2419', retreaded: '' }])
})
