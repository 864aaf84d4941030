/** A vehicle and its tyres go to another customer (docs/product/vehicles.md "Change of customer"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { invoicing } from '#contract/invoicing.ts'
import { operations } from '#contract/operations.ts'
import { tyres as tyreCalls } from '#contract/tyres.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

const move = (flt_id: number, wish: { seq_id?: number; date?: string } = {}) =>
  at.ask(fleet.transfer, at.who.admin, { flt_id, seq_id: at.customers.b, date: '2026-11-10', ...wish })

/** A vehicle of A with a set in the store since 1 October, a spare tyre at A's and a scrapped one. */
async function stored() {
  const vehicle = await at.addVehicle({})
  const [place] = await at.addLocations({ places: 1, capacity: 4, zone: `T${vehicle}` })
  const kept = { vehicle, status: 'in_stock', statusDate: '2026-10-01', location: place ?? null } as const
  const set = await at.addSet(kept)
  const spare = await at.addTyre({ vehicle, set: 'Summer', statusDate: '2026-09-01' })
  const waste = await at.addTyre({ vehicle, set: 'Old', status: 'waste', statusDate: '2026-09-01' })
  return { vehicle, set, spare, waste }
}
const vehiclesOf = async (who: 'a' | 'b') =>
  (await at.ask(fleet.fetch, at.who[who], {})).answer.map(({ flt_id }) => flt_id)

test("the vehicle, its tyres, their places and their labels are the new customer's; number, driver and notes are not", async () => {
  const { vehicle, set, spare, waste } = await stored()
  await at.query(
    `update vehicle set number = 'N-7', driver_name = 'Jo Peeters', driver_email = 'jo@example.org' where id = $1`,
    [vehicle],
  )
  await at.query(`update tyre set memo = 'leave the hubcaps off' where vehicle_id = $1`, [vehicle])
  const { answer } = await move(vehicle)
  expect(answer).toMatchObject({ flt_id: vehicle, seq_id: at.customers.b, number: '', driver: { name: '', email: '' } })
  expect(answer.tyres.map(tyre => tyre.db_id).toSorted((a, b) => a - b)).toEqual([...set, spare])
  expect(answer.tyres.filter(tyre => tyre.tyre_memo !== '')).toEqual([])
  expect(await vehiclesOf('a')).not.toContain(vehicle)
  expect(await vehiclesOf('b')).toContain(vehicle)
  const [kept] = await at.query(
    `select v.customer_id as customer, v.driver_name as driver, v.removed_at is not null as removed, t.id = $1 as waste
     from vehicle v join tyre t on t.vehicle_id = v.id where t.id = $1`,
    [waste],
  )
  expect(kept).toEqual({ customer: at.customers.a, driver: 'Jo Peeters', removed: true, waste: true })
  expect(await at.query('select held from location l where path = $1', [`T${vehicle}-01-1`])).toEqual([{ held: 4 }])
})

test('what happened stays with the former customer, and each sees only their own', async () => {
  const { vehicle, set } = await stored()
  const recall = await addOperation(at, { vehicle, tyres: set, type: 'to_customer', status: 'confirmed' })
  await at.ask(tyreCalls.measure, at.who.a, {
    readings: set.map(db_id => ({ db_id, profile_depth: 4, profile_date: '2026-11-02' })),
  })
  await move(vehicle)

  const eventsFor = async (who: 'a' | 'b') => (await at.ask(tyreCalls.events, at.who[who], { flt_id: vehicle })).answer
  expect((await eventsFor('b')).map(({ kind, tyre }) => `${kind} ${set.indexOf(tyre) >= 0}`).toSorted()).toEqual([
    'transferred false',
    ...set.map(() => 'transferred true'),
  ])
  expect((await at.ask(tyreCalls.events, at.who.a, { flt_id: vehicle })).refusal.code).toBe('record.missing')
  const handled = async (who: 'a' | 'b') =>
    (await at.ask(operations.fetch, at.who[who], {})).answer.filter(({ _id }) => _id === recall.id)
  expect(await handled('b')).toEqual([])
  const [own] = await handled('a')
  expect(own?.tyres).toHaveLength(4)
  expect(own?.tyres.filter(tyre => set.includes(tyre.db_id))).toEqual([])
  const measured = await at.query(
    `select distinct e.customer_id as customer, v.removed_at is not null as removed from tyre_event e join vehicle v on v.id = e.vehicle_id
     where e.kind = 'measured' and v.license_plate = (select license_plate from vehicle where id = $1)`,
    [vehicle],
  )
  expect(measured).toEqual([{ customer: at.customers.a, removed: true }])
})

test('stored days are split at the day: one customer owes up to it, the other from the next on', async () => {
  const { vehicle, set } = await stored()
  await at.ask(invoicing.markinvoiced, at.who.admin, { tyres: set.slice(0, 1), date: '2026-10-20' })
  await move(vehicle, { date: '2026-11-10' })
  const owed = await at.query<{ customer: number; tyres: number; days: number; settled: boolean }>(
    `select customer_id as customer, count(*)::int as tyres, settled,
       sum(day_count(owed_days(site_id, tyre_id, since, coalesce(until, '2026-11-18'))))::int as days
     from stay where vehicle_id in (
       select id from vehicle where license_plate = (select license_plate from vehicle where id = $1))
     group by 1, 3 order by 1`,
    [vehicle],
  )
  // 40 days each, 19 of one are marked; then eight each
  expect(owed).toEqual([
    { customer: at.customers.a, tyres: 4, days: 4 * 40 - 19, settled: false },
    { customer: at.customers.b, tyres: 4, days: 4 * 8, settled: false },
  ])
  const left = (await at.ask(invoicing.lefttyres, at.who.admin, { seq_id: at.customers.a })).answer
  expect(left.filter(({ left_date }) => left_date === '2026-11-10').length).toBeGreaterThanOrEqual(4)
  const { answer } = await at.ask(fleet.vehicle, at.who.b, { flt_id: vehicle })
  expect(answer.tyres.filter(tyre => set.includes(tyre.db_id)).map(tyre => tyre.status_date)).toEqual(
    set.map(() => '2026-11-10'),
  )
})

test('what was charged for days after the change is offered as credit, also where a document charges no other days', async () => {
  const { vehicle, set } = await stored()
  await at.setSite(at.sites.home, {
    invoicing_article: at.articles.home,
    invoicing_mode: 'per_day',
    invoicing_price_excl: 1,
  })
  const charge = async (day: string) => {
    at.clock.now = new Date(`${day}T10:00:00Z`)
    await at.query('update session set seen_at = $1, created_at = $1', [at.clock.now])
    return (await at.ask(invoicing.inject, at.who.admin, { tyres: set, seq_id: at.customers.a })).answer.db_id
  }
  await charge('2026-11-12')
  const later = await charge('2026-11-18')
  await move(vehicle, { date: '2026-11-10' })
  const credits = async () =>
    (await at.ask(invoicing.credits, at.who.admin, undefined)).answer
      .filter(({ seq_id }) => seq_id === at.customers.a)
      .map(({ unused_days }) => unused_days)
  // two days of the first document, and six of the one that was made later
  expect((await credits()).toSorted((a, b) => a - b)).toEqual([2, 2, 2, 2, 6, 6, 6, 6])
  const { answer } = await at.ask(invoicing.credits, at.who.admin, undefined)
  await at.ask(invoicing.credit, at.who.admin, { tyres: answer.map(({ db_id }) => db_id), reason: 'Credit note' })
  expect(await credits()).toEqual([])
  expect(await at.query('select from storage_ledger where document_id = $1 and released_at is null', [later])).toEqual(
    [],
  )
})

test('open operations stop it with their numbers and kinds', async () => {
  const { vehicle, set } = await stored()
  const recall = await addOperation(at, { vehicle, tyres: set, type: 'to_customer', status: 'submitted' })
  const { refusal } = await move(vehicle)
  expect(refusal).toMatchObject({
    code: 'vehicle.operations_open',
    params: { operations: [recall.id], types: ['to_customer'] },
    message: expect.stringContaining(String(recall.id)),
  })
  expect(await vehiclesOf('a')).toContain(vehicle)
})

test.each([
  ['before its tyres came to where they are', '2026-09-30', '01/10/2026'],
  ['after today', '2026-11-19', '18/11/2026'],
])('a day %s is refused with the days that can be chosen', async (_, date, says) => {
  const { vehicle } = await stored()
  const { refusal } = await move(vehicle, { date })
  expect([refusal.code, refusal.params]).toEqual(['vehicle.transfer_date', { from: '01/10/2026', until: '18/11/2026' }])
  expect(refusal.message).toContain(says)
})

test('a tyre that is missed is still missed: its search ends when it turns up, or somebody closes it', async () => {
  const missed = async () => (await at.ask(operations.missing, at.who.admin, {})).answer
  const missedSet = async () => {
    const vehicle = await at.addVehicle({})
    const set = await at.addSet({ vehicle, statusDate: '2026-10-01' })
    const { id } = await addOperation(at, { vehicle, tyres: set, status: 'submitted' })
    await at.ask(operations.markscan, at.who.admin, { tyres: set.slice(1).map(tyreId => ({ tyreId })) })
    await at.ask(operations.confirm, at.who.admin, { operation: { _id: id }, anyway: true })
    await move(vehicle, { date: '2026-11-18' })
    return { vehicle, operation: id, tyre: set[0] ?? 0 }
  }
  const first = await missedSet()
  expect(await missed()).toMatchObject([
    { operation: first.operation, db_id: first.tyre, flt_id: first.vehicle, seq_id: at.customers.a },
  ])
  const turnsUp = await addOperation(at, {
    vehicle: first.vehicle,
    tyres: [first.tyre],
    status: 'submitted',
    scanned: true,
  })
  await at.ask(operations.confirm, at.who.admin, { operation: { _id: turnsUp.id } })
  expect(await missed()).toEqual([])

  const second = await missedSet()
  const close = { operation: second.operation, db_id: second.tyre, reason: 'Sold with the car' }
  expect((await at.ask(operations.closemissing, at.who.admin, close)).answer).toEqual({ db_id: second.tyre })
  expect(await missed()).toEqual([])
})

test('its own customer, one of another site and a plate that the other has already are refused', async () => {
  const { vehicle } = await stored()
  expect((await move(vehicle, { seq_id: at.customers.a })).refusal.params).toEqual({ fields: ['seq_id'] })
  expect((await move(vehicle, { seq_id: at.customers.other })).refusal.code).toBe('record.missing')
  await at.addVehicle({ plate: '1TWI001', customer: at.customers.b })
  const twin = await at.addVehicle({ plate: '1TWI001' })
  expect((await move(twin)).refusal.code).toBe('vehicle.plate_taken')
  expect(await vehiclesOf('a')).toContain(twin)
})

test('the label still finds the tyre, and it comes back to the first customer with nothing lost', async () => {
  const { vehicle, set } = await stored()
  const before = await at.query('select count(*)::int as n from tyre_event where customer_id = $1', [at.customers.a])
  await move(vehicle)
  await move(vehicle, { seq_id: at.customers.a, date: '2026-11-15' })
  expect(await vehiclesOf('a')).toContain(vehicle)
  const recall = await addOperation(at, { vehicle, tyres: set, type: 'to_customer', status: 'submitted' })
  const scanned = await at.ask(operations.markscan, at.who.admin, {
    operation: { _id: recall.id },
    tyres: set.map((tyreId, nth) => ({
      tyreId,
      ticsId: at.sites.home,
      scanId: `00000000-0000-4000-8000-${String(vehicle * 10 + nth).padStart(12, '0')}`,
    })),
    type: 'to_customer',
  })
  expect(scanned.status).toBe(200)
  const after = await at.query<{ n: number }>('select count(*)::int as n from tyre_event where customer_id = $1', [
    at.customers.a,
  ])
  expect(after[0]?.n).toBeGreaterThan((before[0] as { n: number }).n)
  const stays = await at.query(
    `select customer_id = $2 as first, since::text, until::text from stay where vehicle_id in (
       select id from vehicle where license_plate = (select license_plate from vehicle where id = $1))
     group by 1, 2, 3 order by 2`,
    [vehicle, at.customers.a],
  )
  expect(stays).toEqual([
    { first: true, since: '2026-10-01', until: '2026-11-10' },
    { first: false, since: '2026-11-10', until: '2026-11-15' },
    { first: true, since: '2026-11-15', until: null },
  ])
})

test('no table that names a tyre or a vehicle keeps a row of the former customer for it', async () => {
  const { vehicle, set } = await stored()
  await at.ask(invoicing.markinvoiced, at.who.admin, { tyres: set, date: '2026-10-20' })
  await addOperation(at, { vehicle, tyres: set, type: 'to_customer', status: 'confirmed' })
  await move(vehicle)
  const tables = await at.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('tyre_id', 'vehicle_id')
       and exists (select from information_schema.columns o where o.table_name = c.table_name and o.column_name = 'customer_id')`,
  )
  expect(tables.length).toBeGreaterThan(9)
  for (const { table, column } of tables) {
    const rows = await at.query(`select * from ${table} where customer_id = $1 and ${column} = any ($2)`, [
      at.customers.a,
      column === 'tyre_id' ? set : [vehicle],
    ])
    expect([table, rows]).toEqual([table, []])
  }
})

/** Columns that the copies of `transfer_vehicle` and `hand_over_tyres` lack: what it does not name is lost to the former customer. */
async function columnsNotCopied(): Promise<string[]> {
  const [{ source } = { source: '' }] = await at.query<{ source: string }>(
    `select string_agg(prosrc, ' ') as source from pg_proc where proname in ('transfer_vehicle', 'hand_over_tyres')`,
  )
  const columns = await at.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and table_name in ('vehicle', 'tyre') and is_generated = 'NEVER' order by 1, 2`,
  )
  const copied = (table: string): string[] =>
    (new RegExp(`insert into ${table} \\(([^)]*)\\)`).exec(source)?.[1] ?? '').split(',').map(name => name.trim())
  return columns
    .filter(({ table, column }) => !copied(table).includes(column))
    .map(({ table, column }) => `${table}.${column}`)
}

/** The copy of a vehicle gets its own id, the copy of a tyre is in no rack, and when they were changed a trigger says. */
const notCopied = ['tyre.changed_at', 'tyre.location_id', 'vehicle.changed_at', 'vehicle.id']

test('every column of a vehicle and a tyre is copied for the former customer', async () => {
  expect(await columnsNotCopied()).toEqual(notCopied)
})

test('negative control: a new column that transfer_vehicle does not copy is detected', async () => {
  await at.query('alter table vehicle add column fuel text')
  await at.query('alter table tyre add column tread text')
  expect(await columnsNotCopied()).toEqual(expect.arrayContaining(['tyre.tread', 'vehicle.fuel']))
  await at.query('alter table vehicle drop column fuel')
  await at.query('alter table tyre drop column tread')
})

test('a document and its lines go with what the former customer keeps, and nowhere else, whoever asks', async () => {
  const { vehicle, set } = await stored()
  const [tyre, other] = [set[0] ?? 0, await at.addVehicle({})]
  const another = await at.addTyre({ vehicle: other, set: 'Third' })
  const [document] = await at.query<{ id: number }>(
    `insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date)
     values ($1, $2, $3, 'worknote', 'operation', 2026, 4711, '2026-11-01') returning id`,
    [at.sites.home, at.customers.a, vehicle],
  )
  const values = [document?.id ?? 0, at.customers.a, tyre]
  await at.query(
    `insert into document_line (site_id, document_id, line, customer_id, description, tyre_id) values (${at.sites.home}, $1, 1, $2, 'Change', $3)`,
    values,
  )
  for (const [change, value] of [
    ['update document set vehicle_id = $1 where id = $2', other],
    ['update document_line set tyre_id = $1 where document_id = $2', another],
  ] as const)
    await expect(at.query(change, [value, document?.id]), change).rejects.toThrow(/stays with its/)
  expect((await move(vehicle)).status).toBe(200)
  const [now] = await at.query(
    `select v.copy_of as vehicle, t.copy_of as tyre from document d join document_line l on l.document_id = d.id
     join vehicle v on v.id = d.vehicle_id join tyre t on t.id = l.tyre_id where d.id = $1`,
    [document?.id],
  )
  expect(now).toEqual({ vehicle, tyre })
})

test('a record goes to the copy of its tyre and to no other, whoever asks', async () => {
  const { vehicle, set } = await stored()
  const another = await at.addTyre({ vehicle, set: 'Third' })
  await at.ask(tyreCalls.measure, at.who.a, {
    readings: [{ db_id: set[0] ?? 0, profile_depth: 4, profile_date: '2026-11-02' }],
  })
  await expect(
    at.query('update tyre_event set tyre_id = $1 where tyre_id = $2', [another, set[0] ?? 0]),
  ).rejects.toThrow('a record stays with its tyre')
  const other = await at.addVehicle({})
  await expect(
    at.query('update tyre_event set vehicle_id = $1 where vehicle_id = $2', [other, vehicle]),
  ).rejects.toThrow('an event stays with its vehicle')
})

test('the audit of both customers says so, with the name of the other', async () => {
  const { vehicle } = await stored()
  await move(vehicle)
  const entries = await at.query(
    `select customer_id as customer, facts - 'plate' as facts from audit where action = 'vehicle.transfer' and subject = $1 order by id`,
    [`vehicle ${vehicle}`],
  )
  expect(entries).toHaveLength(2)
  expect(entries).toEqual(
    expect.arrayContaining([
      { customer: at.customers.a, facts: { date: '2026-11-10', to: expect.any(String) } },
      { customer: at.customers.b, facts: { date: '2026-11-10', from: expect.any(String) } },
    ]),
  )
})
