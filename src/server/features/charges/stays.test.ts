/** A price is the stay's: however a stay began, the same sum is owed in store and after leaving (docs/promises.md "Stored days"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { sendForm } from '../../testing/config.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'
import { chargeLongStored } from '../tariff/overstays.ts'

const { invoicing, operations, fleet, tyres: tyreCalls, imports } = contract
const came = '2026-11-10'
const leaves = '2026-11-20'
let w: World
let truck: number
let unknown: number

beforeAll(async () => {
  w = await world({ now: new Date(`${came}T12:00:00Z`) })
  const articles = await w.query<{ id: number }>(
    `insert into article (site_id, brand, description, rim, unknown)
     values ($1, 'Truck', 'Truck 315/80R22.5', 22.5, false), ($1, '', 'Unknown', null, true) returning id`,
    [w.sites.home],
  )
  truck = articles[0]!.id
  unknown = articles[1]!.id
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query('delete from tyre; delete from vehicle')
  await chargeByDay(w)
  await w.setSite(w.sites.home, { do_doc_insert: false })
})

const admin = () => w.who.admin
async function at(date: IsoDate): Promise<void> {
  w.clock.now = new Date(`${date}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
const must = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}

/** Confirms the storage of tyres with steel rims, or with none. */
async function store(vehicle: number, tyres: number[], rims: 'steel' | null, customer = w.customers.a): Promise<void> {
  const { id } = await addOperation(w, { customer, vehicle, tyres, type: 'to_stock', status: 'submitted' })
  await w.query('update operation set with_rims = $2 where id = $1', [id, rims])
  await must(w.ask(operations.confirm, admin(), { operation: { _id: id }, here: 'all' }))
}
async function leave(type: 'to_customer' | 'to_waste', vehicle: number, tyres: number[]): Promise<void> {
  const { id } = await addOperation(w, { vehicle, tyres, type, status: 'submitted' })
  await must(w.ask(operations.confirm, admin(), { operation: { _id: id }, here: 'all' }))
}
const places = () => w.addLocations({ places: 4, capacity: 4 })
type Stored = { vehicle: number; tyres: number[] }
type Rims = 'steel' | null

/** How a stay begins on the day `came` for customer A, of a set of four with rims or without. */
const ways = {
  'a storage on the day on which the tyres were added, put away': async rims => {
    await places()
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', statusDate: came })
    await store(vehicle, tyres, rims)
    return { vehicle, tyres }
  },
  'a storage on a place that was planned': async rims => {
    const [place] = await places()
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', statusDate: came })
    const { id } = await addOperation(w, { vehicle, tyres, type: 'to_stock', status: 'submitted' })
    await w.query('update operation set with_rims = $2 where id = $1', [id, rims])
    await w.query('update operation_tyre set planned_location = $2, placed = true where operation_id = $1', [id, place])
    await must(w.ask(operations.confirm, admin(), { operation: { _id: id }, here: 'all' }))
    return { vehicle, tyres }
  },
  'a storage of older tyres, without a place, of which the record says the opposite': async rims => {
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', statusDate: '2026-01-05' })
    await w.query('update tyre set rims = $2 where id = any ($1)', [tyres, rims === null ? 'steel' : null])
    await store(vehicle, tyres, rims)
    return { vehicle, tyres }
  },
  'a storage on the day on which they left, then the other way': async rims => {
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', statusDate: '2026-01-05' })
    await store(vehicle, tyres, rims === null ? 'steel' : null)
    await leave('to_customer', vehicle, tyres)
    await store(vehicle, tyres, rims)
    return { vehicle, tyres }
  },
  'an import': async rims => {
    const plate = '1IMP001'
    const vehicle = await w.addVehicle({ plate })
    const lines = ['LV', 'RV', 'LA', 'RA'].map(position =>
      [plate, '205/55 R16 91H', 'Michelin', 'winter', position, 'Winter', '10/11/2026', rims ?? ''].join(';'),
    )
    const file = ['Kenteken;Bandenmaat;Merk;Seizoen;Positie;Set;Opslagdatum;Velgen', ...lines].join('\n')
    await must(
      sendForm(w, imports.take.path, admin(), [
        ['kind', 'tyres'],
        ['file', Buffer.from(file), 'stock.csv'],
      ]),
    )
    return { vehicle, tyres: await tyresOf(vehicle) }
  },
  'an import that a later file completes': async rims => {
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle, status: 'in_stock', statusDate: came })
    await w.query('update tyre set article_id = $2 where id = any ($1)', [tyres, unknown])
    await w.query('update stay set size_class = null, tyre_set = null where tyre_id = any ($1)', [tyres])
    await w.query('update tyre set article_id = $2, rims = $3 where id = any ($1)', [tyres, w.articles.home, rims])
    await must(w.ask(tyreCalls.changeset, admin(), { tyres, tyre_set: 'Winter' }))
    return { vehicle, tyres }
  },
  'a change of customer': async rims => {
    await at('2026-10-01')
    const vehicle = await w.addVehicle({ customer: w.customers.b })
    const tyres = await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', statusDate: '2026-10-01' })
    await store(vehicle, tyres, rims, w.customers.b)
    await at(leaves)
    await must(w.ask(fleet.transfer, admin(), { flt_id: vehicle, seq_id: w.customers.a, date: came }))
    return { vehicle, tyres }
  },
} satisfies Record<string, (rims: Rims) => Promise<Stored>>

const tyresOf = async (vehicle: number) =>
  (await w.query<{ id: number }>('select id from tyre where vehicle_id = $1 order by id', [vehicle])).map(
    ({ id }) => id,
  )

/** How they leave on the day `leaves`. */
const leavings: Record<string, (stored: Stored) => Promise<void>> = {
  'a recall': ({ vehicle, tyres }) => leave('to_customer', vehicle, tyres),
  'a disposal': ({ vehicle, tyres }) => leave('to_waste', vehicle, tyres),
  'a change of customer': async ({ vehicle }) => {
    await must(w.ask(fleet.transfer, admin(), { flt_id: vehicle, seq_id: w.customers.b, date: leaves }))
  },
}

const modes = [
  { mode: 'per_day', quantity: 10 },
  { mode: 'per_period', period: 7, quantity: 2 },
  { mode: 'per_season', until: '2027-06-30', quantity: 1 },
] as const
type Rule = { per: string; mode: string; period?: number; until?: string; size?: string; own?: boolean }
/** By the site's € 0.33 for a set and day, where no rule is for them. */
const ofSite = 3.3
/** Every rule of € 0.09, with what four wheels with rims and without owe by it after ten days. */
const rules: (Rule & { bare: number; rimmed: number })[] = (['set', 'tyre', 'wheel'] as const).flatMap(per =>
  modes.flatMap(({ quantity, ...mode }) =>
    [{}, { size: 'small' }, { size: 'truck' }, { own: true }].map(scope => {
      const sum = scope.size === 'truck' ? ofSite : Math.round(quantity * (per === 'set' ? 1 : 4) * 9) / 100
      return { per, ...mode, ...scope, bare: per === 'wheel' ? ofSite : sum, rimmed: sum }
    }),
  ),
)

/** The amount owed by each rule alone. */
async function sums(left: boolean): Promise<number[]> {
  await w.setSite(w.sites.home, { invoicing_price_excl: 0.33 })
  const amounts: number[] = []
  const tyres = left
    ? (await must(w.ask(invoicing.lefttyres, admin(), { seq_id: w.customers.a })))
        .filter(({ status_date }) => status_date === came)
        .map(({ db_id }) => db_id)
    : (
        await w.query<{ id: number }>(`select id from tyre where customer_id = $1 and status = 'in_stock'`, [
          w.customers.a,
        ])
      ).map(({ id }) => id)
  for (const { per, mode, period = null, until = null, size = null, own = false } of rules) {
    await w.query(
      `insert into tariff_rule (site_id, customer_id, kind, per, mode, period, size_class, since, until, price_excl, created_at)
       values ($1, $2, 'storage', $3, $4, $5, $6, '2020-01-01', $7, 0.09, now())`,
      [w.sites.home, own ? w.customers.a : null, per, mode, period, size, until],
    )
    const bill = await must(w.ask(invoicing.preview, admin(), { tyres, seq_id: w.customers.a, left }))
    amounts.push(bill.amount_excl)
    await w.query('delete from tariff_rule')
  }
  return amounts
}

/** Changes the tyres later, in ways that leave the price of a stay alone. */
async function changeLater(tyres: number[]): Promise<void> {
  await w.query(
    `update tyre set article_id = $2, tyre_set = 'Set ' || position, rims = case when rims is null then 'steel' end
     where id = any ($1) or copy_of = any ($1)`,
    [tyres, truck],
  )
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('by %s', way => {
  test.each(['steel', null] as const)(
    'wheels with rims %s owe by every rule the same in store and after leaving',
    async rims => {
      const right = rules.map(rule => (rims === null ? rule.bare : rule.rimmed))
      for (const [nth, [leaving, goes]] of Object.entries(leavings).entries()) {
        await clear(w)
        await w.query('delete from tyre; delete from vehicle')
        await at(came)
        const stored = await ways[way](rims)
        await at(leaves)
        if (nth === 0) expect(await sums(false), 'in store').toEqual(right)
        await w.query(`update tyre set article_id = $2, tyre_set = 'Set ' || position where id = any ($1)`, [
          stored.tyres,
          truck,
        ])
        if (nth === 1) expect(await sums(false), 'in store, with another set and article').toEqual(right)
        await goes(stored)
        await changeLater(stored.tyres)
        await at(addDays(leaves, 5))
        expect(await sums(true), `after ${leaving}`).toEqual(right)
      }
    },
  )
})

test('a change of customer ends an overstay: each customer is charged for the days that they had the wheel, by its size then', async () => {
  for (const [size, price] of [
    ['small', 2],
    ['truck', 50],
  ] as const)
    await w.query(
      `insert into tariff_rule (site_id, kind, per, after_days, size_class, since, price_excl, created_at)
       values ($1, 'overstay', 'tyre', 8, $2, '2020-01-01', $3, now())`,
      [w.sites.home, size, price],
    )
  await at(came)
  const stored = await ways['a storage on the day on which the tyres were added, put away'](null)
  const passed = async (day: IsoDate) => {
    await at(day)
    await chargeLongStored(w.database, w.clock.now)
    return w.query(
      `select customer_id as customer, happened_on::text as day, count(*)::int as wheels, sum(amount_excl)::float as sum from charge
       group by 1, 2 order by 2`,
    )
  }
  await at(addDays(came, 9))
  await changeLater(stored.tyres)
  const first = { customer: w.customers.a, day: addDays(came, 9), wheels: 4, sum: 8 }
  expect(await passed(addDays(came, 9))).toEqual([first])
  await must(w.ask(fleet.transfer, admin(), { flt_id: stored.vehicle, seq_id: w.customers.b, date: addDays(came, 9) }))
  expect(await passed(addDays(came, 9 + 8))).toEqual([first])
  // the new one's wheels are of the size that the record has since
  const second = { customer: w.customers.b, day: addDays(came, 9 + 9), wheels: 4, sum: 200 }
  expect(await passed(addDays(came, 9 + 9))).toEqual([first, second])
})

test('a stay that forgets its rim, its set or its size is noticed', async () => {
  await at(came)
  const stored = await ways['a storage on the day on which the tyres were added, put away']('steel')
  await at(leaves)
  const right = rules.map(rule => rule.rimmed)
  expect(await sums(false)).toEqual(right)
  for (const forgotten of ['with_rim = false', 'tyre_set = null', `size_class = 'truck'`]) {
    const kept = await w.query('select id, with_rim, tyre_set, size_class from stay')
    await w.query(`update stay set ${forgotten} where tyre_id = any ($1)`, [stored.tyres])
    expect(await sums(false), forgotten).not.toEqual(right)
    for (const stay of kept)
      await w.query('update stay set with_rim = $2, tyre_set = $3, size_class = $4 where id = $1', [
        stay['id'],
        stay['with_rim'],
        stay['tyre_set'],
        stay['size_class'],
      ])
  }
})

test('a set that is renamed as a whole is charged by its new name, and as one', async () => {
  await at(came)
  const { tyres } = await ways['a storage on the day on which the tyres were added, put away'](null)
  await at(leaves)
  await must(w.ask(tyreCalls.changeset, admin(), { tyres, tyre_set: 'Winter 2026' }))
  const { lines } = await must(w.ask(invoicing.preview, admin(), { tyres, seq_id: w.customers.a }))
  expect(lines).toMatchObject([{ quantity: 10, description: expect.stringContaining('Winter 2026') as string }])
})
