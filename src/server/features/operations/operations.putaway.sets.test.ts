/** Several sets put away by one statement go where one statement for each set, one after the other, would put them. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { valuesOf, type Statement } from '../../db/statement.ts'
import { world, type World } from '../../testing/world.ts'
import { putAway, reserve } from '../locations/putAway.sql.ts'
import { whole } from '../../testing/whole.ts'

let w: World
let vehicles: number[]

beforeAll(async () => {
  w = await world()
  vehicles = [await w.addVehicle({}), await w.addVehicle({})]
})
afterAll(() => w.close())

// ---- The model: a statement for each set ----------------------------------------------------------------------------

/** Where the tyres $2 of one set go at site $1, given what lies and is reserved now. */
const slotsOfSet = `
   wanted as (select * from unnest($2::int[]) with ordinality as w(id, nth)
   ), kept as materialized (
     select held.planned_location as id, count(*)::int as tyres from operation_tyre held
     where held.site_id = $1 and held.open and held.planned_location is not null and held.tyre_id <> all ($2::int[]) group by 1
   ), of_set as materialized (
     select t.vehicle_id, t.tyre_set from tyre t where t.site_id = $1 and t.id = ($2::int[])[1]
   ), preferred as materialized (
     select t.location_id as id, 1 as rank from of_set s, tyre t
     where t.site_id = $1 and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.location_id is not null and t.removed_at is null
     union
     select held.planned_location, 1 from of_set s, tyre t, operation_tyre held
     where t.site_id = $1 and t.vehicle_id = s.vehicle_id and t.tyre_set = s.tyre_set and t.id <> all ($2::int[])
       and held.site_id = $1 and held.tyre_id = t.id and held.open and held.planned_location is not null
     union
     (select e.location_id, 2 from tyre_event e
     where e.site_id = $1 and e.tyre_id = any ($2::int[]) and e.location_id is not null order by e.at desc limit 1)
   ), preferred_place as materialized (
     select l.id, room.tyres as room, l.walk
     from preferred p, location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.id = p.id and room.tyres >= cardinality($2::int[])
     order by p.rank, l.walk, l.id limit 1
   ), first_place as materialized (
     select l.id, room.tyres as room, l.walk
     from location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.held < l.capacity and room.tyres >= cardinality($2::int[])
       and not exists (select from preferred_place)
     order by l.walk, l.id limit 1
   ), place as (select * from preferred_place union all select * from first_place
   ), free as materialized (
     select l.id, l.parent_id, room.tyres as room, l.walk
     from location l, lateral (
       select l.capacity - l.held - coalesce((select kept.tyres from kept where kept.id = l.id), 0) as tyres) room
     where l.site_id = $1 and l.held < l.capacity and room.tyres > 0
       and not exists (select from preferred_place) and not exists (select from first_place)
   ), shelf as materialized (
     select parent_id from free where parent_id is not null
     group by parent_id having sum(room) >= cardinality($2::int[]) order by min(walk), min(id) limit 1
   ), chosen as (
     select id, room, walk from place
     union all
     select id, room, walk from free where case
       when exists (select from shelf) then parent_id = (select parent_id from shelf) else true end
   ), room as (
     select f.id, row_number() over (order by f.walk, f.id) as nth from (
       select * from chosen order by walk, id limit cardinality($2::int[])) f, generate_series(1, f.room)
   ), slot as (
     select wanted.id as tyre, room.id as location from wanted left join room using (nth))`

const putSetAway = `with ${slotsOfSet}
   update tyre t set status = 'in_stock', location_id = slot.location from slot where t.site_id = $1 and t.id = slot.tyre`
const reserveForSet = `with ${slotsOfSet}
   update operation_tyre held set planned_location = slot.location from slot
   where held.site_id = $1 and held.tyre_id = slot.tyre and held.open and slot.location is not null`

async function oneByOne(sql: string, { coming }: Rows): Promise<void> {
  const sets = Map.groupBy(coming, tyre => `${tyre.operation} ${tyre.set ?? ''}`)
  for (const set of sets.values()) await w.admin.query(sql, [w.sites.home, set.map(tyre => tyre.id)])
}

// ---- Racks, what lies in them, and storages -------------------------------------------------------------------------

const vehicle = fc.nat({ max: 1 })
const set = fc.constantFrom(null, 'W', 'S')
const place = fc.nat({ max: 11 })
const warehouse = fc.record({
  places: fc.array(
    fc.record({
      shelf: fc.option(fc.nat({ max: 3 })),
      capacity: fc.integer({ min: 0, max: 6 }),
      walk: fc.nat({ max: 6 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  /** Tyres that lie somewhere. */
  stored: fc.array(fc.record({ vehicle, set, place }), { maxLength: 12 }),
  /** Tyres of storages; some have a place reserved, some lay somewhere before. */
  storages: fc.array(
    fc.record({
      vehicle,
      /** Whether its tyres are put away now: the others only have reservations. */
      now: fc.boolean(),
      tyres: fc.array(fc.record({ set, planned: fc.option(place), last: fc.option(place) }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})
type Warehouse = typeof warehouse extends fc.Arbitrary<infer W> ? W : never
type Coming = { id: number; operation: number; set: string | null }
type Rows = { coming: Coming[] }

/** Writes a warehouse into the open transaction. With `planned` the tyres that are put away may have reservations, too. */
async function write({ places, stored, storages }: Warehouse, planned: boolean): Promise<Rows> {
  const placeOf = (nth: number): number => 1000 + (nth % places.length)
  const insert = async (into: string, rows: readonly object[]): Promise<void> => {
    if (rows.length > 0)
      await w.admin.query(
        `insert into ${into} (site_id, ${Object.keys(rows[0] ?? {}).join(', ')})
         select $1, ${Object.keys(rows[0] ?? {}).join(', ')} from json_populate_recordset(null::${into}, $2)`,
        [w.sites.home, JSON.stringify(rows)],
      )
  }
  const location = { site_name: 'Main hall', walk: 0, capacity: 0, held: 0 }
  await insert('location', [
    ...[0, 1, 2, 3].map(nth => ({
      ...location,
      id: 900 + nth,
      parent_id: null,
      kind: 'shelf',
      name: 's',
      path: `${nth}`,
    })),
    ...places.map(({ shelf, capacity, walk }, nth) => ({
      ...location,
      id: placeOf(nth),
      parent_id: shelf === null ? null : 900 + shelf,
      kind: 'place',
      name: 'p',
      path: `p${nth}`,
      walk,
      capacity,
    })),
  ])

  let tyres = 0
  const tyre = (nth: number, tyre_set: string | null, at: number | null) => ({
    id: 1000 + ++tyres,
    customer_id: w.customers.a,
    vehicle_id: vehicles[nth],
    article_id: w.articles.home,
    position: `${tyres}A`,
    description: '',
    tyre_set,
    status: at === null ? 'at_customer' : 'in_stock',
    status_date: '2026-11-01',
    location_id: at,
    memo: '',
    bolts: false,
    hubcaps: false,
    unknown_article: false,
  })
  const fill = new Map<number, number>()
  const lying = stored.filter(({ place: at }) => {
    const count = fill.get(placeOf(at)) ?? 0
    fill.set(placeOf(at), count + 1)
    return count < (places[at % places.length]?.capacity ?? 0)
  })
  await insert(
    'tyre',
    lying.map(each => tyre(each.vehicle, each.set, placeOf(each.place))),
  )

  const coming: Coming[] = []
  const when = '2026-11-10T10:00:00Z'
  for (const [nth, storage] of storages.entries()) {
    const rows = storage.tyres.map(each => ({ ...each, row: tyre(storage.vehicle, each.set, null) }))
    const operation = 1000 + nth
    await insert(
      'tyre',
      rows.map(({ row }) => row),
    )
    await insert('operation', [
      {
        id: operation,
        customer_id: w.customers.a,
        vehicle_id: vehicles[storage.vehicle],
        type: 'to_stock',
        status: 'submitted',
        tyre_count: rows.length,
        remarks: '',
        with_bolts: false,
        with_hubcaps: false,
        created_at: when,
        submitted_at: when,
        updated_at: when,
      },
    ])
    await insert(
      'operation_tyre',
      rows.map(({ row, planned: reserved }) => ({
        operation_id: operation,
        tyre_id: row.id,
        customer_id: w.customers.a,
        open: true,
        scan_times: 0,
        planned_location: reserved !== null && (planned || !storage.now) ? placeOf(reserved) : null,
      })),
    )
    for (const { row, last } of rows)
      if (last !== null)
        await w.admin.query(
          `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, location_id) values ($1, $2, $3, $4, 'received', $5, $6)`,
          // no two at one moment: it would be open which was the last
          [
            w.sites.home,
            row.id,
            w.customers.a,
            row.vehicle_id,
            `2026-10-01T00:${String((row.id * 7) % 60).padStart(2, '0')}:00Z`,
            placeOf(last),
          ],
        )
    if (storage.now) coming.push(...rows.map(({ row, set: name }) => ({ id: row.id, operation, set: name })))
  }
  return { coming }
}

/** The places of all wheels after `put`, which is undone. */
async function after(put: () => Promise<unknown>): Promise<unknown[]> {
  await w.admin.query('savepoint untouched')
  await put()
  const { rows } = await w.admin.query(
    `select t.id, t.status, t.location_id, held.planned_location
     from tyre t left join operation_tyre held on held.tyre_id = t.id order by t.id`,
  )
  await w.admin.query('rollback to untouched')
  return rows
}

/** Nothing is known of how large they are. */
const unsized = { diameters: [], widths: [], weights: [], rimWeights: [] }

/** Compares a statement for all sets with one for each set, in many warehouses. */
const compared = ({ order, text }: Statement, model: string, { planned }: { planned: boolean }) =>
  fc.asyncProperty(warehouse, async hall => {
    await w.admin.query('begin')
    try {
      const rows = await write(hall, planned)
      const values = valuesOf(order, { site: w.sites.home, tyres: rows.coming.map(tyre => tyre.id), ...unsized })
      const [together, apart] = [
        await after(() => w.admin.query(text, values)),
        await after(() => oneByOne(model, rows)),
      ]
      expect(together).toEqual(apart)
    } finally {
      await w.admin.query('rollback')
    }
  })

const numRuns = whole ? 100 : 30

describe('several sets in one statement', () => {
  test('are put away where they would be one after the other', async () => {
    await fc.assert(compared(putAway, putSetAway, { planned: true }), { numRuns })
  })

  test('have places reserved where they would have one after the other', async () => {
    await fc.assert(compared(reserve, reserveForSet, { planned: false }), { numRuns })
  })

  test.each([
    ['what the sets before took', '- cardinality(array_positions(before.locations, l.id))'],
    ['their own reservations', '+ cardinality(array_positions(s.planned, l.id))'],
    ['where the rest of the set was just put', 'and done.location is not null', 'and false'],
  ])('the control: a statement that does not see %s is noticed', async (_, part, other = '') => {
    expect(putAway.text).toContain(part)
    const blind = { ...putAway, text: putAway.text.replaceAll(part, other) }
    const looked = { numRuns: 10_000, endOnFailure: true }
    const result = await fc.check(compared(blind, putSetAway, { planned: true }), looked)
    expect(result).toMatchObject({ failed: true, errorInstance: { name: 'AssertionError' } })
  })
})
