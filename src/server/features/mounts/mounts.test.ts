/** Mounted tyres, and odometers (docs/product/vehicles.md "Mounted tyres"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { isTyreOffered } from '#domain/tyres/tyre.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const { mounts, odometers, operations, fleet, tyres } = contract
let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

let nth = 0
let vehicle = 0
let summer: number[] = []
let winter: number[] = []
beforeEach(async () => {
  await presuming(null)
  vehicle = await at.addVehicle({ plate: `1MNT${String(++nth).padStart(3, '0')}`, config: at.configs.home })
  summer = await at.addSet({ vehicle, set: 'Summer', statusDate: '2026-04-01' })
  winter = await at.addSet({ vehicle, set: 'Winter', statusDate: '2026-10-20' })
})

const change = (wish: object, who = at.who.a) => at.ask(mounts.change, who, { flt_id: vehicle, ...wish })
const put = (set: readonly number[]) => set.map(db_id => ({ db_id }))
const read = async () => (await at.ask(mounts.vehicle, at.who.a, { flt_id: vehicle })).answer
const statusOf = async (set: readonly number[]) => {
  const { answer } = await at.ask(fleet.vehicle, at.who.a, { flt_id: vehicle })
  return [...new Set(answer.tyres.filter(({ db_id }) => set.includes(db_id)).map(({ tyre_status }) => tyre_status))]
}
const mountedNow = async () =>
  (await read()).mounts
    .filter(({ until }) => until === null)
    .map(({ tyre, position }) => `${position} ${summer.includes(tyre) ? 'Summer' : 'Winter'}`)
    .toSorted()
const questions = async (seq_id = at.customers.a) =>
  (await at.ask(mounts.fleet, at.who.admin, { seq_id })).answer.questions.filter(({ flt_id }) => flt_id === vehicle)
const presuming = (presume: boolean | null) => at.query('update customer set presume_mounts = $1', [presume])

test('a set that is mounted is on its vehicle, and one that is taken off at the customer', async () => {
  expect((await change({ put: put(summer), date: '2026-04-03' })).status).toBe(200)
  expect(await statusOf(summer)).toEqual(['on_vehicle'])
  expect(await mountedNow()).toEqual(['1A Summer', '1B Summer', '2A Summer', '2B Summer'])
  await change({ off: summer, date: '2026-11-10' })
  expect(await statusOf(summer)).toEqual(['at_customer'])
  expect((await read()).mounts).toMatchObject(
    summer.map(() => ({ since: '2026-04-03', until: '2026-11-10', source: 'confirmed', until_source: 'confirmed' })),
  )
  const { answer } = await at.ask(tyres.events, at.who.a, { flt_id: vehicle })
  expect(answer.filter(({ tyre }) => tyre === summer[0]).map(({ kind, status }) => [kind, status])).toEqual([
    ['dismounted', 'at_customer'],
    ['mounted', 'on_vehicle'],
  ])
})

test('one set gives way to the other when it is said to, on one day', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  expect((await change({ put: put(winter), date: '2026-11-12' })).refusal).toMatchObject({
    code: 'mount.position_taken',
    params: { positions: ['1A', '1B', '2A', '2B'] },
  })
  expect((await change({ put: put(winter), date: '2026-11-12', swap: true, km: 54_600 })).status).toBe(200)
  expect([await statusOf(summer), await statusOf(winter)]).toEqual([['at_customer'], ['on_vehicle']])
  const { mounts: periods, readings } = await read()
  expect(periods.filter(({ until }) => until !== null).map(({ until }) => until)).toEqual(
    summer.map(() => '2026-11-12'),
  )
  expect(readings).toMatchObject([{ date: '2026-11-12', km: 54_600, source: 'typed', agrees: true }])
})

test('a half swap, and a rotation by a pattern, move what they name', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  await change({ put: put(winter.slice(2)), date: '2026-11-12', swap: true })
  expect(await mountedNow()).toEqual(['1A Summer', '1B Summer', '2A Winter', '2B Winter'])
  expect((await change({ rotation: 'front_rear', date: '2026-11-14' })).status).toBe(200)
  expect(await mountedNow()).toEqual(['1A Winter', '1B Winter', '2A Summer', '2B Summer'])
  expect((await change({ rotation: 'twins' })).refusal.code).toBe('mount.rotation')
})

test('what is in stock, another vehicle’s, another customer’s, or in an open operation is not mounted', async () => {
  const stored = await at.addTyre({ vehicle, set: 'Stored', status: 'in_stock' })
  expect((await change({ put: put([stored]) })).refusal.code).toBe('tyre.status_refused')
  const elsewhere = await at.addTyre({ vehicle: await at.addVehicle({}) })
  expect((await change({ put: put([elsewhere]) })).refusal.code).toBe('operation.tyres_mixed')
  expect((await change({ put: put(summer) }, at.who.b)).refusal.code).toBe('record.missing')
  expect((await change({ put: [{ db_id: summer[0] ?? 0, position: '9G' }] })).refusal.code).toBe(
    'tyre.position_missing',
  )
  await addOperation(at, { vehicle, tyres: winter, type: 'to_stock', status: 'submitted' })
  expect((await change({ put: put(winter) })).refusal.code).toBe('operation.tyres_busy')
})

test('a change is taken back whole, and not once something else has happened', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  const swapped = (await change({ put: put(winter), date: '2026-11-12', swap: true, km: 50_000 })).answer.change ?? 0
  const undo = (which: number) => at.ask(mounts.undo, at.who.a, { flt_id: vehicle, change: which })
  expect((await undo(swapped)).status).toBe(200)
  expect(await mountedNow()).toEqual(['1A Summer', '1B Summer', '2A Summer', '2B Summer'])
  expect([await statusOf(summer), await statusOf(winter)]).toEqual([['on_vehicle'], ['at_customer']])
  expect((await read()).readings).toEqual([])
  const again = (await change({ put: put(winter), date: '2026-11-12', swap: true })).answer.change ?? 0
  await change({ off: winter.slice(0, 1), date: '2026-11-13' })
  expect((await undo(again)).refusal.code).toBe('record.changed')
  // nothing of it was overwritten
  const [kept] = await at.query('select count(*)::int as n from mount where vehicle_id = $1 and withdrawn = $2', [
    vehicle,
    'undone',
  ])
  expect(kept).toEqual({ n: 8 })
})

test('the database lets no tyre be at two places and no position have two tyres, whoever writes', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  const write = (tyre: number | undefined, position: string, since: string) =>
    at.query(
      `insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change) values ($1, $2, $3, $4, $5, $6, 'imported', 1)`,
      [at.sites.home, tyre, at.customers.a, vehicle, position, since],
    )
  await expect(write(summer[0], '2C', '2026-05-01')).rejects.toThrow('mount_tyre_once')
  await expect(write(winter[0], '1A', '2026-05-01')).rejects.toThrow('mount_position_once')
  await expect(at.query('update mount set until = $2 where vehicle_id = $1', [vehicle, '2026-05-01'])).rejects.toThrow()
  // the control: without the constraint it would be there
  await at.query('begin')
  await at.query('alter table mount drop constraint mount_position_once')
  await write(winter[0], '1A', '2026-05-01')
  await at.query('rollback')
})

test('a delivered recall is presumed to be mounted where that is wanted, and the wizard offers its tyres still', async () => {
  const deliver = async (set: number[]) => {
    await at.query(`update tyre set status = 'in_stock', status_date = '2026-10-20' where id = any ($1)`, [set])
    const recall = await addOperation(at, { vehicle, tyres: set, type: 'to_customer', status: 'submitted' })
    const { status } = await at.ask(operations.confirm, at.who.admin, {
      operation: { _id: recall.id },
      anyway: true,
      here: 'all',
    })
    expect(status).toBe(200)
  }
  await deliver(winter)
  expect(await mountedNow()).toEqual([])
  expect(await questions()).toEqual([])

  await presuming(true)
  await at.query(`update tyre set status = 'at_customer' where id = any ($1)`, [winter])
  await deliver(winter)
  expect(await mountedNow()).toEqual(['1A Winter', '1B Winter', '2A Winter', '2B Winter'])
  const { answer } = await at.ask(fleet.vehicle, at.who.a, { flt_id: vehicle })
  const offered = answer.tyres.filter(({ db_id }) => winter.includes(db_id))
  expect(offered.every(tyre => isTyreOffered('to_stock', { ...tyre, operation: null }))).toBe(true)
  expect(offered).toHaveLength(4)
  const [question] = await questions()
  expect(question).toMatchObject({ kind: 'presumed', tyres: winter, tyre_set: 'Winter', date: '2026-11-18' })

  // yes, since another day
  await change({ put: put(winter), date: '2026-11-17' })
  expect(await questions()).toEqual([])
  expect((await read()).mounts).toMatchObject(winter.map(() => ({ since: '2026-11-17', source: 'confirmed' })))
})

test('what the other half of the swap brings back is presumed to be off, and on again when that is denied', async () => {
  await presuming(true)
  await change({ put: put(summer), date: '2026-04-03' })
  await at.query(`update tyre set status = 'in_stock', status_date = '2026-10-20' where id = any ($1)`, [winter])
  const recall = await addOperation(at, { vehicle, tyres: winter, type: 'to_customer', status: 'submitted' })
  const storage = await addOperation(at, { vehicle, tyres: summer, type: 'to_stock', status: 'submitted' })
  await at.query('update operation set swap_id = case id when $1 then $2 else $1 end where id in ($1, $2)', [
    recall.id,
    storage.id,
  ])
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: recall.id }, anyway: true, here: 'all' })
  expect(await mountedNow()).toEqual(['1A Winter', '1B Winter', '2A Winter', '2B Winter'])
  // presumed: the status is what it was
  expect(await statusOf(summer)).toEqual(['on_vehicle'])
  expect((await at.ask(mounts.deny, at.who.a, { flt_id: vehicle, tyres: winter })).status).toBe(200)
  expect(await mountedNow()).toEqual(['1A Summer', '1B Summer', '2A Summer', '2B Summer'])
  expect(await questions()).toEqual([])
})

test('what comes into the store is on no vehicle, with the odometer of the storage', async () => {
  await change({ put: put(summer), date: '2026-04-03', km: 40_000 })
  const storage = await addOperation(at, { vehicle, tyres: summer, type: 'to_stock', status: 'submitted' })
  await at.query('update operation set tachometer = 52000 where id = $1', [storage.id])
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: storage.id }, anyway: true, here: 'all' })
  const { mounts: periods, readings, tyres: ofTyres } = await read()
  expect(periods).toMatchObject(
    summer.map(() => ({ until: '2026-11-18', until_source: 'presumed', source: 'confirmed', km: 12_000 })),
  )
  expect(readings).toMatchObject([
    { km: 52_000, source: 'storage' },
    { km: 40_000, source: 'typed' },
  ])
  expect(ofTyres).toEqual(summer.map(tyre => ({ tyre, km: 12_000, complete: true })))
})

test('contradictions are asked and nothing is changed for them', async () => {
  await presuming(true)
  // a set is delivered while another one is mounted
  await change({ put: put(summer), date: '2026-04-03' })
  await at.query(`update tyre set status = 'in_stock', status_date = '2026-10-20' where id = any ($1)`, [winter])
  const recall = await addOperation(at, { vehicle, tyres: winter, type: 'to_customer', status: 'submitted' })
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: recall.id }, anyway: true, here: 'all' })
  expect(await questions()).toMatchObject([
    { kind: 'two_sets', tyres: winter, tyre_set: 'Winter', other_set: 'Summer' },
  ])
  expect(await mountedNow()).toEqual(['1A Summer', '1B Summer', '2A Summer', '2B Summer'])
  await at.ask(mounts.deny, at.who.a, { flt_id: vehicle, tyres: winter })
  expect(await questions()).toEqual([])

  // a set arrives that is not the mounted one
  await change({ put: put(winter), date: '2026-11-15', swap: true })
  await change({ put: put(summer), date: '2026-11-16', swap: true })
  const storage = await addOperation(at, { vehicle, tyres: summer, type: 'to_stock', status: 'submitted' })
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: storage.id }, anyway: true, here: 'all' })
  expect(await questions()).toEqual([])
  const third = await at.addSet({ vehicle, set: 'Third', statusDate: '2026-01-01' })
  await change({ put: put(winter), date: '2026-11-18' })
  const other = await addOperation(at, { vehicle, tyres: third, type: 'to_stock', status: 'submitted' })
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: other.id }, anyway: true, here: 'all' })
  expect(await questions()).toMatchObject([{ kind: 'other_arrived', tyre_set: 'Winter', other_set: 'Third' }])

  // tyres for snow in June, until somebody says that they are there still
  await at.query(`update tyre set season = 'winter' where id = any ($1)`, [winter])
  at.clock.now = new Date('2027-06-20T10:00:00Z')
  await at.query('update session set seen_at = $1, created_at = $1', [at.clock.now])
  expect((await questions()).map(({ kind }) => kind)).toContain('wrong_season')
  await change({ put: put(winter), date: '2026-11-18' })
  expect(await questions()).toEqual([])
  at.clock.now = new Date('2026-11-18T10:00:00Z')
  await at.query('update session set seen_at = $1, created_at = $1', [at.clock.now])
})

test('an odometer that falls is asked about, and one call takes those of many vehicles', async () => {
  const plate = (
    await at.query<{ plate: string }>('select license_plate as plate from vehicle where id = $1', [vehicle])
  )[0]?.plate
  const other = await at.addVehicle({})
  const { answer } = await at.ask(odometers.record, at.who.a, {
    readings: [
      { license_plate: plate ?? '', date: '2026-10-01', km: 50_000 },
      { license_plate: plate ?? '', date: '2026-11-01', km: 49_000 },
      { flt_id: other, date: '2026-11-01', km: 7000 },
      { license_plate: 'NOBODYS', date: '2026-11-01', km: 7000 },
      { flt_id: other, date: '2026-12-01', km: 9000 },
      { flt_id: other, date: '2026-11-01', km: 7000 },
    ],
  })
  expect(answer.readings.map(({ outcome }) => outcome)).toEqual([
    'recorded',
    'unordered',
    'recorded',
    'missing',
    'future',
    'known',
  ])
  expect(answer.readings[1]?.contradicts).toEqual({ date: '2026-10-01', km: 50_000 })
  const insisted = await at.ask(odometers.record, at.who.a, {
    readings: [{ flt_id: vehicle, date: '2026-11-01', km: 49_000 }],
    unordered: true,
  })
  expect(await questions()).toMatchObject([{ kind: 'odometer', tyres: [] }])
  const [{ _id } = { _id: null }] = insisted.answer.readings
  await at.ask(odometers.withdraw, at.who.a, { flt_id: vehicle, reading: _id ?? 0 })
  expect(await questions()).toEqual([])
  expect(
    (await at.ask(odometers.record, at.who.b, { readings: [{ flt_id: vehicle, date: '2026-11-01', km: 1 }] })).refusal
      .code,
  ).toBe('record.missing')
})

test('a reading of depths logs its odometer, and takes it back with it', async () => {
  const readings = summer.map(db_id => ({ db_id, profile_depth: 6, profile_date: '2026-11-02', profile_tacho: 51_000 }))
  await at.ask(tyres.measure, at.who.a, { readings })
  expect((await read()).readings).toMatchObject([{ date: '2026-11-02', km: 51_000, source: 'depth' }])
  await at.ask(tyres.unmeasure, at.who.a, { readings: readings.slice(0, 3) })
  expect((await read()).readings).toHaveLength(1)
  await at.ask(tyres.unmeasure, at.who.a, { readings: readings.slice(3) })
  expect((await read()).readings).toEqual([])
})

test('a vehicle that changes customer leaves its periods and its log, and is mounted from the day on', async () => {
  await change({ put: put(summer), date: '2026-04-03', km: 40_000 })
  expect(
    (await at.ask(fleet.transfer, at.who.admin, { flt_id: vehicle, seq_id: at.customers.b, date: '2026-11-10' }))
      .status,
  ).toBe(200)
  const { answer } = await at.ask(mounts.vehicle, at.who.b, { flt_id: vehicle })
  expect(answer.readings).toEqual([])
  expect(answer.mounts).toMatchObject(summer.map(() => ({ since: '2026-11-10', until: null, source: 'confirmed' })))
  const left = await at.query(
    `select count(*)::int as n, min(m.until::text) as until from mount m join vehicle v on v.id = m.vehicle_id where v.copy_of = $1`,
    [vehicle],
  )
  expect(left).toEqual([{ n: 4, until: '2026-11-10' }])
})

test('taking off and storing is one act: the day is kept, and the tyres wait for storage at the customer', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  const store = (takenOff?: string, operationType: 'to_stock' | 'to_waste' = 'to_stock') =>
    at.ask(operations.new, at.who.a, {
      operation: { flt_id: vehicle, tyres: summer, operationType, ...(takenOff && { takenOff }) },
    })
  expect((await store('2026-04-02')).refusal.code).toBe('mount.date')
  expect((await store('2026-11-16', 'to_waste')).refusal.code).toBe('request.invalid')
  expect(await mountedNow()).toHaveLength(4)
  const { status, answer } = await store('2026-11-16')
  expect([status, answer.status]).toEqual([200, 'pending'])
  expect(await statusOf(summer)).toEqual(['at_customer'])
  expect((await read()).mounts).toMatchObject(summer.map(() => ({ until: '2026-11-16', until_source: 'confirmed' })))
})

test('what is mounted can be stored as it is, and is taken off on the day on which it is', async () => {
  await change({ put: put(summer), date: '2026-04-03' })
  await addOperation(at, { vehicle, tyres: summer, type: 'to_stock', status: 'submitted' })
  expect(await mountedNow()).toHaveLength(4)
})
