/** Where stored tyres go: together, early on the walk, never more than fit (docs/product/warehouse.md "Stock locations"). */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'
import { whole } from '../../testing/whole.ts'

const calls = contract.operations
let w: World

beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
})

type Shelf = { places: readonly number[]; walk?: number }

/** Shelves with places of these capacities, in the order of the walk; answers the ids of the places by their path. */
async function shelves(...wanted: readonly Shelf[]): Promise<void> {
  let walk = 0
  for (const [nth, shelf] of wanted.entries()) {
    const letter = String.fromCodePoint(65 + nth)
    const [parent] = await w.query<{ id: number }>(
      `insert into location (site_id, kind, name, site_name, path) values ($1, 'shelf', $2, 'Main hall', $2) returning id`,
      [w.sites.home, letter],
    )
    if (shelf.walk !== undefined) walk = shelf.walk
    for (const [place, capacity] of shelf.places.entries())
      await w.query(
        `insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity) values ($1, $2, 'place', $3::text, 'Main hall', $4, $5, $6)`,
        [w.sites.home, parent?.id, place + 1, `${letter}-${place + 1}`, ++walk, capacity],
      )
  }
}

/** Stores tyres of these sets of one vehicle (a null is a setless tyre); answers where each went, in their order. */
async function store(...sets: readonly (string | null)[]): Promise<(string | null)[]> {
  const vehicle = await w.addVehicle({})
  const tyres: number[] = []
  const taken = new Map<string | null, number>()
  for (const set of sets) {
    const nth = taken.get(set) ?? 0
    taken.set(set, nth + 1)
    const position = `${1 + Math.trunc(nth / 2)}${'AB'[nth % 2]}`
    tyres.push(await w.addTyre({ vehicle, set, position }))
  }
  const operation = await addOperation(w, { status: 'submitted', scanned: true, vehicle, tyres })
  const { answer, status } = await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
  expect(status).toBe(200)
  return tyres.map(id => answer.tyres.find(tyre => tyre.db_id === id)?.stock_rack ?? null)
}
const four = ['W', 'W', 'W', 'W'] as const

const used = () =>
  w.query<{ path: string; capacity: number; tyres: number }>(
    `select l.path, l.capacity, (select count(*)::int from tyre t where t.location_id = l.id and t.removed_at is null) as tyres
     from location l where capacity > 0 order by walk`,
  )

describe('put-away', () => {
  test('takes the first place on the walk that holds the whole set', async () => {
    await shelves({ places: [2, 4, 8] })
    expect(await store(...four)).toEqual(['A-2', 'A-2', 'A-2', 'A-2'])
    expect(await store(...four)).toEqual(['A-3', 'A-3', 'A-3', 'A-3'])
    expect(await store('W', 'W')).toEqual(['A-1', 'A-1'])
  })

  test('follows the walk, not the order in which places were made', async () => {
    await shelves({ places: [4], walk: 10 }, { places: [4], walk: 0 })
    expect(await store(...four)).toEqual(['B-1', 'B-1', 'B-1', 'B-1'])
  })

  test('keeps a set that no place holds on one shelf, filling its places in order of position', async () => {
    await shelves({ places: [1, 1] }, { places: [2, 2] }, { places: [2, 2] })
    expect(await store(...four)).toEqual(['B-1', 'B-1', 'B-2', 'B-2'])
  })

  test('spreads a set that no shelf holds over the nearest places that follow', async () => {
    await shelves({ places: [1, 1] }, { places: [1] }, { places: [1, 1] })
    expect(await store(...four)).toEqual(['A-1', 'A-2', 'B-1', 'C-1'])
  })

  test('keeps two sets of one operation each together, setless tyres as one', async () => {
    await shelves({ places: [4, 4, 2] })
    expect(await store('W', 'S', 'W', 'S', 'W', 'S', 'W', 'S', null, null)).toEqual([
      'A-2',
      'A-1',
      'A-2',
      'A-1',
      'A-2',
      'A-1',
      'A-2',
      'A-1',
      'A-3',
      'A-3',
    ])
  })

  test('stores what the warehouse has no room for, without a place', async () => {
    await shelves({ places: [2] })
    expect(await store(...four)).toEqual(['A-1', 'A-1', null, null])
    expect(await store('W')).toEqual([null])
    const [row] = await w.query<{ n: number }>(`select count(*)::int as n from tyre where status = 'in_stock'`)
    expect(row?.n).toBeGreaterThanOrEqual(5)
  })

  test('works in a warehouse without any location', async () => {
    expect(await store(...four)).toEqual([null, null, null, null])
  })

  test('uses again the place that a recall has left, and never that of another site', async () => {
    await w.addLocations({ site: w.sites.other, places: 2, capacity: 8 })
    await shelves({ places: [4] })
    await store(...four)
    const [tyre] = await w.query<{ vehicle_id: number; ids: number[] }>(
      `select vehicle_id, array_agg(id order by id) as ids from tyre where location_id is not null group by 1`,
    )
    expect(await store(...four)).toEqual([null, null, null, null])
    const recall = await addOperation(w, {
      type: 'to_customer',
      status: 'submitted',
      scanned: true,
      vehicle: tyre!.vehicle_id,
      tyres: tyre!.ids,
    })
    await w.ask(calls.confirm, w.who.admin, { operation: { _id: recall.id } })
    expect(await store(...four)).toEqual(['A-1', 'A-1', 'A-1', 'A-1'])
  })

  test('never holds more than fit, places all that fit, and splits no set that a place could take', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }), {
            minLength: 1,
            maxLength: 4,
          }),
          fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
          async (racks, sizes) => {
            await shelves(...racks.map(places => ({ places })))
            for (const size of sizes) {
              const before = await used()
              const room = before.reduce((sum, place) => sum + place.capacity - place.tyres, 0)
              const went = await store(...Array.from({ length: size }, () => 'W'))
              expect(went.filter(place => place !== null)).toHaveLength(Math.min(size, room))
              const roomy = before.find(place => place.capacity - place.tyres >= size)
              expect(went).toEqual(went.map(place => roomy?.path ?? place))
              for (const place of await used()) expect(place.tyres).toBeLessThanOrEqual(place.capacity)
            }
          },
        )
        .beforeEach(async () => {
          await clear(w)
        }),
      { numRuns: whole ? 25 : 8 },
    )
  })
})
