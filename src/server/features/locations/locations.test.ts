/** The warehouse: its tree created and changed, tyres moved in it, places suggested and reserved (docs/product/warehouse.md "Stock locations"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encodeLocation } from '#domain/warehouse/barcode.ts'
import type { LocationKind } from '#domain/warehouse/location.ts'
import { contract } from '#contract/index.ts'
import { printed, scanned } from '../../testing/labelReader.ts'
import { addOperation, clear, missing } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.locations
let w: World

beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query('delete from location_scan')
})

type Levels = { kind: LocationKind; pattern: string }[]
const make = async (parent: number | null, levels: Levels, capacity = 4) =>
  w.ask(calls.make, w.who.admin, { parent, levels, capacity })
const hall: Levels = [
  { kind: 'site', pattern: 'Main hall' },
  { kind: 'zone', pattern: 'A' },
  { kind: 'rack', pattern: '01 to 02' },
  { kind: 'shelf', pattern: '1 to 2' },
  { kind: 'place', pattern: '1 to 2' },
]
const all = async () => (await w.ask(calls.all, w.who.admin, {})).answer
const at = async (rack: string) => {
  const match = (await all()).find(location => location.stock_rack === rack)
  if (!match) throw new Error(`no ${rack}`)
  return match
}
const walk = async () =>
  (await all())
    .filter(location => location.capacity > 0)
    .sort((a, b) => a.walk - b.walk)
    .map(location => location.stock_rack)
const heldCounts = () =>
  w.query<{ id: number; held: number; counted: number }>(
    `select l.id, l.held, (select count(*)::int from tyre t where t.location_id = l.id and t.removed_at is null) as counted from location l`,
  )
const audits = (action: string) =>
  w.query<{ subject: string; facts: Record<string, unknown>; account_id: number; customer_id: number | null }>(
    'select subject, facts, account_id, customer_id from audit where action = $1 order by id',
    [action],
  )
const rackOf = async (tyre: number) =>
  (
    await w.query<{ path: string | null }>(
      'select l.path from tyre t left join location l on l.id = t.location_id where t.id = $1',
      [tyre],
    )
  )[0]?.path
const storage = async (size = 4, set: string | null = 'W') => {
  const vehicle = await w.addVehicle({})
  const tyres: number[] = []
  for (const position of ['1A', '1B', '2A', '2B'].slice(0, size))
    tyres.push(await w.addTyre({ vehicle, set, position }))
  return addOperation(w, { status: 'submitted', scanned: true, vehicle, tyres })
}
const confirm = (id: number) => w.ask(contract.operations.confirm, w.who.admin, { operation: { _id: id } })

describe('the tree', () => {
  test('is created in bulk, each location in its parent, with the path printed on the rack', async () => {
    const { status, answer } = await make(null, hall)
    expect([status, answer.made]).toEqual([200, 1 + 1 + 2 + 4 + 8])
    const tree = await all()
    expect(tree).toHaveLength(16)
    const byId = new Map(tree.map(location => [location._id, location]))
    for (const { kind, parent, stock_rack, name, stock_site_name } of tree) {
      expect(stock_site_name).toBe('Main hall')
      if (kind === 'site') expect([parent, stock_rack]).toEqual([null, ''])
      else if (kind === 'zone') expect(stock_rack).toBe('A')
      else expect(stock_rack).toBe(`${byId.get(parent ?? 0)?.stock_rack}-${name}`)
    }
    expect(await walk()).toEqual([
      'A-01-1-1',
      'A-01-2-1',
      'A-01-1-2',
      'A-01-2-2',
      'A-02-1-2',
      'A-02-2-2',
      'A-02-1-1',
      'A-02-2-1',
    ])
    const [audit] = await audits('location.make')
    expect(audit).toMatchObject({ account_id: w.who.admin.account, facts: { made: 16 } })
  })

  test('grows at the end of the walk, within a rack right after the rack', async () => {
    await make(null, hall)
    expect(
      (
        await make((await at('A'))._id, [
          { kind: 'rack', pattern: '03' },
          { kind: 'place', pattern: '1 to 2' },
        ])
      ).status,
    ).toBe(200)
    await make((await at('A-01'))._id, [
      { kind: 'shelf', pattern: '3' },
      { kind: 'place', pattern: '1' },
    ])
    const order = await walk()
    expect(order.slice(-2)).toEqual(['A-03-1', 'A-03-2'])
    expect(order.indexOf('A-01-3-1')).toBe(4)
  })

  test('refuses two locations of one name in one parent, creates nothing and names them', async () => {
    await make(null, hall)
    const { status, refusal } = await make((await at('A'))._id, [{ kind: 'rack', pattern: '02 to 04' }])
    expect([status, refusal.code, refusal.params]).toEqual([409, 'location.name_taken', { names: 'A-02' }])
    expect((await make(null, [{ kind: 'site', pattern: 'main HALL' }])).refusal.code).toBe('location.name_taken')
    expect(await all()).toHaveLength(16)
  })

  test.each([
    ['a place at the top', null, [{ kind: 'place', pattern: '1' }], 'levels.0.kind'],
    [
      'a rack in a shelf',
      null,
      [
        { kind: 'site', pattern: 'X' },
        { kind: 'shelf', pattern: '1' },
        { kind: 'rack', pattern: '1' },
      ],
      'levels.2.kind',
    ],
    ['no name', null, [{ kind: 'site', pattern: ' ' }], 'levels.0.pattern'],
    [
      'more than a warehouse has',
      null,
      [
        { kind: 'site', pattern: 'X' },
        { kind: 'rack', pattern: '1 to 300' },
        { kind: 'place', pattern: '1 to 300' },
      ],
      'levels',
    ],
  ] as const)('refuses %s', async (_, parent, levels, field) => {
    const { status, refusal } = await make(parent, [...levels])
    expect([status, refusal.code, refusal.params.fields]).toEqual([400, 'request.invalid', [field]])
  })

  test('refuses a zone in a rack, and anything in a missing parent', async () => {
    await make(null, hall)
    expect((await make((await at('A-01'))._id, [{ kind: 'zone', pattern: 'B' }])).refusal.code).toBe('request.invalid')
    expect((await make(missing, [{ kind: 'zone', pattern: 'B' }])).status).toBe(404)
  })
})

describe('an edit', () => {
  test('of a name renames everything below it, also where tyres show it', async () => {
    await make(null, hall)
    const { _id } = await at('A-01-1-2')
    const vehicle = await w.addVehicle({})
    const tyre = await w.addTyre({ vehicle, status: 'in_stock', location: _id })
    const { answer } = await w.ask(calls.edit, w.who.admin, { _id: (await at('A-01'))._id, name: 'R1' })
    expect(answer).toMatchObject({ name: 'R1', stock_rack: 'A-R1' })
    expect(await rackOf(tyre)).toBe('A-R1-1-2')
    const root = (await all()).find(({ kind }) => kind === 'site')!
    await w.ask(calls.edit, w.who.admin, { _id: root._id, name: 'Hall 2' })
    const wire = (await w.ask(contract.fleet.vehicle, w.who.admin, { flt_id: vehicle })).answer.tyres[0]
    expect([wire?.stock_site_name, wire?.stock_rack]).toEqual(['Hall 2', 'A-R1-1-2'])
    expect((await all()).every(({ stock_site_name }) => stock_site_name === 'Hall 2')).toBe(true)
    expect(await audits('location.edit')).toMatchObject([
      { facts: { name: 'R1', before: '01' } },
      { facts: { name: 'Hall 2' } },
    ])
  })

  test('refuses a sibling’s name and a name with a dash, and accepts other capitals', async () => {
    await make(null, hall)
    const { _id } = await at('A-01')
    const refused = await w.ask(calls.edit, w.who.admin, { _id, name: '02' })
    expect([refused.status, refused.refusal.code, refused.refusal.params]).toEqual([
      409,
      'location.name_taken',
      { names: '02' },
    ])
    expect((await w.ask(calls.edit, w.who.admin, { _id, name: '0-1' })).refusal.code).toBe('request.invalid')
    expect((await w.ask(calls.edit, w.who.admin, { _id: (await at('A'))._id, name: 'a' })).answer.stock_rack).toBe('a')
  })

  test('of the capacity of a branch changes its places, never below what lies there', async () => {
    await make(null, hall)
    const { _id } = await at('A-01')
    const place = await at('A-01-1-1')
    await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: place._id })
    expect((await w.ask(calls.edit, w.who.admin, { _id, capacity: 3 })).refusal.code).toBe('location.too_small')
    expect((await w.ask(calls.edit, w.who.admin, { _id, capacity: 6 })).status).toBe(200)
    const noted = (await audits('location.edit')).length
    const { _id: rack, name } = await at('A-02')
    expect((await w.ask(calls.edit, w.who.admin, { _id: rack, name })).status).toBe(200)
    expect(await audits('location.edit')).toHaveLength(noted)
    const sizes = (await all())
      .filter(({ capacity }) => capacity > 0)
      .map(({ stock_rack, capacity }) => [stock_rack.slice(0, 4), capacity])
    expect(new Set(sizes.map(String))).toEqual(new Set(['A-01,6', 'A-02,4']))
  })

  test('of the walk moves the whole branch', async () => {
    await make(null, hall)
    const before = await walk()
    await w.ask(calls.edit, w.who.admin, { _id: (await at('A-02'))._id, walk: 0 })
    expect(await walk()).toEqual([...before.slice(4), ...before.slice(0, 4)])
  })
})

describe('a removal', () => {
  test('removes a whole empty branch', async () => {
    await make(null, hall)
    const { answer } = await w.ask(calls.remove, w.who.admin, { _id: (await at('A-01'))._id })
    expect(answer.removed_count).toBe(7)
    expect(await all()).toHaveLength(9)
    expect(await audits('location.remove')).toMatchObject([{ facts: { site: 'Main hall', path: 'A-01', removed: 7 } }])
  })
  test('is refused while a tyre lies in the branch or has a place reserved there', async () => {
    await make(null, hall)
    const place = await at('A-01-1-1')
    const [tyre] = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock', location: place._id })
    const { _id } = await at('A')
    expect((await w.ask(calls.remove, w.who.admin, { _id })).refusal.code).toBe('location.in_use')
    await w.query('update tyre set location_id = null where location_id is not null')
    const { id } = await storage()
    await w.ask(calls.plan, w.who.admin, { operation: id })
    expect((await w.ask(calls.remove, w.who.admin, { _id })).refusal.code).toBe('location.in_use')
    expect(tyre).toBeDefined()
    expect(await all()).toHaveLength(16)
  })
})

describe('tyres in stock', () => {
  test('are moved all or none, with the new place in their history', async () => {
    await make(null, hall)
    const [from, to] = [await at('A-01-1-1'), await at('A-02-1-1')]
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location: from._id })
    const { answer } = await w.ask(calls.move, w.who.admin, { tyres, location: to._id })
    expect(answer).toEqual({
      stock_site_name: 'Main hall',
      stock_rack: 'A-02-1-1',
      moved: tyres,
      planned: [],
      former: tyres.map(db_id => ({ db_id, state: 'at_place', location: from._id, kept: from._id })),
    })
    expect([(await at('A-01-1-1')).tyre_count, (await at('A-02-1-1')).tyre_count]).toEqual([0, 4])
    const events = (await w.ask(contract.tyres.events, w.who.a, { flt_id: vehicle })).answer
    expect(events.map(({ kind, rack }) => [kind, rack])).toEqual(tyres.map(() => ['moved', 'A-02-1-1']))
    expect(await audits('location.move')).toMatchObject([{ customer_id: w.customers.a, facts: { moved: tyres } }])

    const more = await w.addTyre({ vehicle, set: 'S', status: 'in_stock' })
    expect((await w.ask(calls.move, w.who.admin, { tyres: [more], location: to._id })).refusal).toMatchObject({
      code: 'location.full',
      params: { rack: 'A-02-1-1', free: 0, needed: 1 },
    })
    expect(
      (await w.ask(calls.move, w.who.admin, { tyres: [more], location: (await at('A-02'))._id })).refusal.code,
    ).toBe('location.full')
    // those that lie there already need no further room
    expect((await w.ask(calls.move, w.who.admin, { tyres, location: to._id })).status).toBe(200)
    expect((await audits('location.move')).length).toBe(1)
  })
  test('stay where they are when one of them is at its customer', async () => {
    await make(null, hall)
    const vehicle = await w.addVehicle({})
    const here = await w.addTyre({ vehicle, status: 'in_stock' })
    const away = await w.addTyre({ vehicle, position: '1B' })
    const { refusal } = await w.ask(calls.move, w.who.admin, {
      tyres: [here, away],
      location: (await at('A-01-1-1'))._id,
    })
    expect([refusal.code, refusal.params]).toEqual(['tyre.status_refused', { tyres: [away] }])
    expect(await rackOf(here)).toBeNull()
  })
  test('are listed by their location', async () => {
    await make(null, hall)
    const vehicle = await w.addVehicle({ plate: '1LIST01' })
    const tyres = await w.addSet({ vehicle, status: 'in_stock', location: (await at('A-01-1-1'))._id })
    const { answer } = await w.ask(calls.tyres, w.who.admin, { _id: (await at('A'))._id })
    expect(answer.map(({ db_id }) => db_id)).toEqual(tyres)
    expect(answer[0]).toMatchObject({
      license_plate: '1LIST01',
      companyname: 'Garage Alfa NV',
      position: '1A',
      stock_rack: 'A-01-1-1',
      status_date: '2026-11-10',
    })
    expect((await w.ask(calls.tyres, w.who.admin, { _id: (await at('A-02'))._id })).answer).toEqual([])
  })
})

describe('a place that is scanned at intake', () => {
  test('takes precedence over the automatic one when the storage is confirmed', async () => {
    await make(null, hall)
    const { id, tyres } = await storage()
    const { answer } = await w.ask(calls.move, w.who.admin, { tyres, location: (await at('A-02-2-1'))._id })
    expect([answer.moved, answer.planned]).toEqual([[], tyres])
    expect(await rackOf(tyres[0]!)).toBeNull()
    await confirm(id)
    for (const tyre of tyres) expect(await rackOf(tyre)).toBe('A-02-2-1')
  })

  test('is applied once: sent again after the tyres were moved, it changes nothing', async () => {
    await make(null, hall)
    const [first, second] = [await at('A-01-1-1'), await at('A-02-1-1')]
    const tyres = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    const scan = { tyres, location: first._id, ticsId: w.sites.home, scanId: '0190a1b2-0000-7000-8000-00000000AB01' }
    await w.ask(calls.move, w.who.admin, scan)
    await w.ask(calls.move, w.who.admin, { tyres, location: second._id })
    const again = await w.ask(calls.move, w.who.admin, scan)
    expect([again.status, again.answer.moved]).toEqual([200, tyres])
    expect(await rackOf(tyres[0]!)).toBe('A-02-1-1')
  })

  test('of another site is missing, also when its number exists here', async () => {
    await make(null, hall)
    const [foreign] = await w.addLocations({ site: w.sites.other, places: 1, capacity: 8 })
    const { tyres } = await storage()
    expect((await w.ask(calls.move, w.who.admin, { tyres, location: foreign! })).status).toBe(404)
    expect(
      (await w.ask(calls.move, w.who.admin, { tyres, location: (await at('A'))._id, ticsId: w.sites.other })).status,
    ).toBe(404)
  })

  test('is reserved until then: put-away and moves go elsewhere', async () => {
    await make(null, [
      { kind: 'site', pattern: 'Small' },
      { kind: 'place', pattern: '1 to 2' },
    ])
    const [firstPlace, secondPlace] = [await at('1'), await at('2')]
    const [first, second] = [await storage(), await storage()]
    await w.ask(calls.move, w.who.admin, { tyres: first.tyres, location: firstPlace._id })
    expect((await w.ask(calls.move, w.who.admin, { tyres: second.tyres, location: firstPlace._id })).refusal.code).toBe(
      'location.full',
    )
    await confirm(second.id)
    expect(await rackOf(second.tyres[0]!)).toBe('2')
    await confirm(first.id)
    expect(await rackOf(first.tyres[0]!)).toBe('1')
    expect(secondPlace.tyre_count).toBe(0)
  })
})

describe('what is coming', () => {
  test('is counted beside what lies there, and listed as put there or only planned', async () => {
    await make(null, hall)
    const { id, tyres } = await storage()
    const place = await at('A-01-1-1')
    await w.ask(calls.plan, w.who.admin, { operation: id })
    await w.ask(calls.move, w.who.admin, { tyres: tyres.slice(0, 3), location: place._id })
    const lying = await w.addTyre({
      vehicle: await w.addVehicle({}),
      status: 'in_stock',
      location: (await at('A-01'))._id,
    })
    expect(await at('A-01-1-1')).toMatchObject({ tyre_count: 0, coming: 4 })
    expect(await at('A-01')).toMatchObject({ tyre_count: 1, coming: 0 })
    const { answer } = await w.ask(calls.tyres, w.who.admin, { _id: (await at('A-01'))._id })
    expect(Object.fromEntries(answer.map(({ db_id, coming }) => [db_id, coming]))).toEqual({
      [lying]: null,
      [tyres[0]!]: 'placed',
      [tyres[1]!]: 'placed',
      [tyres[2]!]: 'placed',
      [tyres[3]!]: 'planned',
    })
    await confirm(id)
    expect(await at('A-01-1-1')).toMatchObject({ tyre_count: 4, coming: 0 })
  })

  test('keeps its place from being removed and from getting too small', async () => {
    await make(null, hall)
    const { tyres } = await storage()
    const place = await at('A-01-1-1')
    await w.ask(calls.move, w.who.admin, { tyres: tyres.slice(0, 2), location: place._id })
    expect((await w.ask(calls.remove, w.who.admin, { _id: place._id })).refusal.code).toBe('location.in_use')
    expect((await w.ask(calls.edit, w.who.admin, { _id: place._id, capacity: 3 })).refusal.code).toBe(
      'location.too_small',
    )
    const { status, answer } = await w.ask(calls.edit, w.who.admin, { _id: place._id, capacity: 6 })
    expect([status, answer.coming]).toEqual([200, 4])
  })
})

describe('the rest of a set', () => {
  const planOf = async (operation: number) =>
    (await w.ask(calls.plan, w.who.admin, { operation })).answer.map(({ db_id, stock_rack }) => [db_id, stock_rack])

  test('is planned where its first wheels were put, and lies there in the end', async () => {
    await make(null, hall)
    const { id, tyres } = await storage()
    expect(await planOf(id)).toEqual(tyres.map(tyre => [tyre, 'A-01-1-1']))
    const place = await at('A-02-2-1')
    await w.ask(calls.move, w.who.admin, { tyres: tyres.slice(0, 3), location: place._id })
    expect(await planOf(id)).toEqual(tyres.map(tyre => [tyre, 'A-02-2-1']))
    await confirm(id)
    for (const tyre of tyres) expect(await rackOf(tyre)).toBe('A-02-2-1')
  })

  test('is planned there without a suggestion before, too, and for tyres of no set', async () => {
    await make(null, hall)
    const { id, tyres } = await storage(4, null)
    await w.ask(calls.move, w.who.admin, { tyres: [tyres[1]!], location: (await at('A-02-2-1'))._id })
    expect(await planOf(id)).toEqual(tyres.map(tyre => [tyre, 'A-02-2-1']))
  })

  test('is planned elsewhere when it does not fit, together', async () => {
    await make(null, hall, 3)
    const { id, tyres } = await storage()
    await w.ask(calls.move, w.who.admin, { tyres: tyres.slice(0, 2), location: (await at('A-02-2-1'))._id })
    const [first, second, third, fourth] = (await planOf(id)).map(([, rack]) => rack)
    expect([first, second]).toEqual(['A-02-2-1', 'A-02-2-1'])
    expect(third).toBe(fourth)
    expect(third).not.toBe('A-02-2-1')
  })

  test('does not pull wheels along that were put elsewhere, nor another set or operation', async () => {
    await make(null, hall)
    const { id, tyres } = await storage()
    const other = await storage()
    await planOf(other.id)
    await w.ask(calls.move, w.who.admin, { tyres: [tyres[0]!], location: (await at('A-02-1-1'))._id })
    await w.ask(calls.move, w.who.admin, { tyres: [tyres[1]!], location: (await at('A-02-2-1'))._id })
    expect((await planOf(id)).map(([, rack]) => rack)).toEqual(['A-02-1-1', 'A-02-2-1', 'A-02-2-1', 'A-02-2-1'])
    expect(await planOf(other.id)).toEqual(other.tyres.map(tyre => [tyre, 'A-01-1-1']))
  })
})

describe('a suggestion', () => {
  test('is where the tyres go, whatever is put away meanwhile', async () => {
    await make(null, hall)
    const [mine, theirs] = [await storage(), await storage()]
    const { answer } = await w.ask(calls.plan, w.who.admin, { operation: mine.id })
    expect(answer.map(({ db_id, stock_rack }) => [db_id, stock_rack])).toEqual(
      mine.tyres.map(tyre => [tyre, 'A-01-1-1']),
    )
    await confirm(theirs.id)
    expect(await rackOf(theirs.tyres[0]!)).toBe('A-01-2-1')
    expect((await w.ask(calls.plan, w.who.admin, { operation: mine.id })).answer).toEqual(answer)
    await confirm(mine.id)
    expect(await rackOf(mine.tyres[0]!)).toBe('A-01-1-1')
  })

  test('is beside the rest of the set, else where the set last lay, else the first room on the walk', async () => {
    await make(null, hall, 8)
    const vehicle = await w.addVehicle({})
    const there = await at('A-02-1-2')
    for (const position of ['1A', '1B'])
      await w.addTyre({ vehicle, set: 'W', position, status: 'in_stock', location: there._id })
    const rest = [
      await w.addTyre({ vehicle, set: 'W', position: '2A' }),
      await w.addTyre({ vehicle, set: 'W', position: '2B' }),
    ]
    const beside = await addOperation(w, { status: 'submitted', vehicle, tyres: rest })
    expect((await w.ask(calls.plan, w.who.admin, { operation: beside.id })).answer[0]?.stock_rack).toBe('A-02-1-2')

    const other = await w.addVehicle({})
    const set = await w.addSet({ vehicle: other, status: 'in_stock', set: 'S' })
    const before = await at('A-02-2-2')
    await w.ask(calls.move, w.who.admin, { tyres: set, location: before._id })
    const recall = await addOperation(w, {
      type: 'to_customer',
      status: 'submitted',
      scanned: true,
      vehicle: other,
      tyres: set,
    })
    await confirm(recall.id)
    const back = await addOperation(w, { status: 'submitted', vehicle: other, tyres: set })
    expect((await w.ask(calls.plan, w.who.admin, { operation: back.id })).answer[0]?.stock_rack).toBe('A-02-2-2')

    const fresh = await storage()
    expect((await w.ask(calls.plan, w.who.admin, { operation: fresh.id })).answer[0]?.stock_rack).toBe('A-01-1-1')
  })

  test('is released when the submission is undone or cancelled', async () => {
    await make(null, [
      { kind: 'site', pattern: 'Small' },
      { kind: 'place', pattern: '1' },
    ])
    const [first, second] = [await storage(), await storage()]
    const plan = async (id: number) => (await w.ask(calls.plan, w.who.admin, { operation: id })).answer.length
    expect([await plan(first.id), await plan(second.id)]).toEqual([4, 0])
    await w.ask(contract.operations.update, w.who.admin, { operation: { _id: first.id, status: 'pending' } })
    expect(await plan(second.id)).toBe(4)
    await w.ask(contract.operations.cancel, w.who.admin, { operation: { _id: second.id } })
    const third = await storage()
    expect(await plan(third.id)).toBe(4)
  })

  test('is made for submitted storages only', async () => {
    const recall = await addOperation(w, { type: 'to_customer', status: 'submitted' })
    expect((await w.ask(calls.plan, w.who.admin, { operation: recall.id })).refusal.code).toBe('operation.step')
    expect((await w.ask(calls.plan, w.who.admin, { operation: missing })).status).toBe(404)
  })
})

test('the count of a location follows everything that happens to its tyres', async () => {
  await make(null, hall)
  const place = await at('A-01-1-1')
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({ vehicle, status: 'in_stock', location: place._id })
  await w.query(`update tyre set memo = 'x' where id = any ($1)`, [tyres])
  await w.query(`update tyre set location_id = $2 where id = $1`, [tyres[0], (await at('A-01-1-2'))._id])
  await w.query(`update tyre set removed_at = now() where id = $1`, [tyres[1]])
  await w.query(`delete from tyre where id = $1`, [tyres[2]])
  const rows = await heldCounts()
  expect(rows.map(row => row.held)).toEqual(rows.map(row => row.counted))
  expect(rows.filter(row => row.held > 0)).toHaveLength(2)
  await w.query(`update tyre set location_id = null where location_id is not null`)
  expect((await heldCounts()).every(row => row.held === 0)).toBe(true)
})

test('of twenty that put a set on the last free place, all but one are refused', async () => {
  await make(null, [
    { kind: 'site', pattern: 'Small' },
    { kind: 'place', pattern: '1' },
  ])
  const { _id } = await at('1')
  const sets: number[][] = []
  for (let nth = 0; nth < 20; nth++) sets.push(await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' }))
  const replies = await Promise.all(sets.map(tyres => w.ask(calls.move, w.who.admin, { tyres, location: _id })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ refusal }) => refusal.code))).toEqual(
    new Set(['location.full']),
  )
  expect((await at('1')).tyre_count).toBe(4)
})

test('a place can go once the wheel that was found on it is somebody’s, or nobody looks for its owner any more', async () => {
  await make(null, hall)
  const { _id } = await at('A-01-1-1')
  const reply = await w.ask(contract.wheels.orphan, w.who.admin, { size: '205/55R16', location: _id })
  expect((await w.ask(calls.remove, w.who.admin, { _id })).refusal.code).toBe('location.in_use')
  const { orphan } = reply.answer
  await w.ask(contract.wheels.dismiss, w.who.admin, { orphan, reason: 'Sold' })
  expect((await w.ask(calls.remove, w.who.admin, { _id })).answer).toEqual({ removed_count: 1 })
  expect(await w.query('select location_id, reason from orphan where id = $1', [orphan])).toEqual([
    { location_id: null, reason: 'Sold' },
  ])
})

describe('labels', () => {
  test.each([1, 2, 3])(
    'of locations carry their own code on report %i, one each, in the order asked',
    async report_id => {
      await make(null, hall)
      const ids = (await all())
        .filter(({ kind }) => kind === 'place')
        .map(({ _id }) => _id)
        .reverse()
      const { answer } = await w.ask(calls.labels, w.who.admin, { locations: ids, report_id })
      const codes = (await Promise.all((await printed(Buffer.from(answer, 'base64'))).map(scanned))).flat()
      expect(codes).toEqual(ids.map(location => encodeLocation({ location, site: w.sites.home })))
    },
  )
  test('need an existing report', async () => {
    await make(null, hall)
    const reply = await w.ask(calls.labels, w.who.admin, { locations: [(await at('A'))._id], report_id: 99 })
    expect([reply.status, reply.refusal.code]).toEqual([404, 'label.report_missing'])
  })
})
