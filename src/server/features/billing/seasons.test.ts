/** The price of a season (docs/money.md "A season"): charged once, to those who owe it, whenever runs are made. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, daysBetween, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { chance } from '../../../../db/demo/chance.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { whole } from '../../testing/whole.ts'
import { world, type World } from '../../testing/world.ts'
import { noteIncluded } from './included.ts'
import { workNext } from './work.ts'

const { billing, figures, invoicing, tariff } = contract
let w: World
let customer: number
let vehicle: number
const price = 45
/** The seasons of thirteen months: first and last day. */
const seasons = [
  ['2025-10-01', '2026-03-31'],
  ['2026-04-01', '2026-09-30'],
  ['2026-10-01', '2027-03-31'],
] as const

beforeAll(async () => {
  w = await world({ now: new Date('2025-09-01T10:00:00Z') })
  await chargeByDay(w)
  customer = w.customers.a
})
/** A vehicle, and nothing that was stored or charged before. */
async function begin(): Promise<void> {
  await w.query(`update tyre set status = 'at_customer' where status = 'in_stock'`)
  const tables = 'document_line, billing_run_customer, billing_run, storage_ledger, document, stay, tariff_rule'
  for (const table of tables.split(', ')) await w.query(`delete from ${table}`)
  vehicle = await w.addVehicle({ customer })
}
beforeEach(begin)
afterAll(() => w.close())

const done = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}

type Rule = { per?: 'set' | 'vehicle' | 'tyre'; grace_days?: number }

const rulesOfSeasons = async (terms: Rule = {}): Promise<number[]> => {
  const ids: number[] = []
  for (const [since, until] of seasons) {
    const rule = { kind: 'storage', mode: 'per_season', per: 'set', since, until, price_excl: price, ...terms } as const
    ids.push((await done(w.ask(tariff.add, w.who.admin, rule)))._id)
  }
  return ids
}
/** Midday, with everybody still signed in. */
async function at(day: IsoDate): Promise<void> {
  w.clock.now = new Date(`${day}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
const moves = (tyres: readonly number[], day: IsoDate, status: 'in_stock' | 'at_customer') =>
  w.query(`update tyre set status = $2, status_date = $3 where id = any ($1)`, [tyres, status, day])

async function work(): Promise<void> {
  while (await workNext(w.database, { clock: () => w.clock.now }));
}
/** A billing run up to a day: what each of its documents amounts to. */
async function run(until: IsoDate): Promise<number[]> {
  const begun = await w.ask(billing.begin, w.who.admin, { covers: 'all', until, days: 0, marks: false })
  if (begun.status !== 200) return []
  await work()
  const preview = await done(w.ask(billing.read, w.who.admin, begun.answer))
  await done(w.ask(billing.make, w.who.admin, { _id: begun.answer._id, without: [] }))
  await work()
  const result = await done(w.ask(billing.read, w.who.admin, begun.answer))
  expect(result.rows.map(row => [row.state, row.amount_excl])).toEqual(
    preview.rows.map(row => ['made', row.amount_excl]),
  )
  return result.rows.map(row => row.amount_excl)
}
const charged = async (): Promise<number> => {
  const [row] = await w.query<{ sum: number }>(
    `select coalesce(sum(amount_excl), 0)::float as sum from document where withdrawn_at is null`,
  )
  return row!.sum
}
const ledger = () =>
  w.query<{ state: string; days: number; document: boolean }>(
    `select state, sum(until - since)::int as days, document_id is not null as document from storage_ledger
     where released_at is null group by 1, 3 order by 1, 3`,
  )

test('winter wheels that leave on 5 October and summer wheels that come on the 6th cost one season, in thirteen months three', async () => {
  await rulesOfSeasons({ grace_days: 21 })
  const [winter, summer] = [await w.addSet({ vehicle, set: 'Winter' }), await w.addSet({ vehicle, set: 'Summer' })]
  const changes: [IsoDate, number[], 'in_stock' | 'at_customer'][] = [
    ['2025-10-06', summer, 'in_stock'],
    ['2026-04-05', summer, 'at_customer'],
    ['2026-04-06', winter, 'in_stock'],
    ['2026-10-05', winter, 'at_customer'],
    ['2026-10-06', summer, 'in_stock'],
  ]
  const amounts: number[] = []
  for (const [day, tyres, status] of changes) {
    await at(day)
    await moves(tyres, day, status)
    // the days of the change are looked at before and after
    await noteIncluded(w.database, w.clock.now)
    if (status === 'in_stock') {
      const next = addDays(day, 3)
      await at(next)
      amounts.push(...(await run(next)))
    }
  }
  expect(amounts).toEqual([45, 45, 45])
  expect(await charged()).toBe(135)
  // five days of four wheels, twice, of no document
  expect(await ledger()).toContainEqual({ state: 'included', days: 40, document: false })
  expect((await done(w.ask(invoicing.left, w.who.admin, {}))).length).toBe(0)
  const { rows } = await done(w.ask(figures.revenue, w.who.admin, {}))
  expect(rows.reduce((sum, row) => sum + row.owed, 0)).toBe(0)
})

test('a rule from before, without grace, charges both', async () => {
  await rulesOfSeasons()
  const [winter, summer] = [
    await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-04-06' }),
    await w.addSet({ vehicle, set: 'Summer' }),
  ]
  await at('2026-09-30')
  expect(await run('2026-09-30')).toEqual([45])
  await at('2026-10-06')
  await moves(winter, '2026-10-05', 'at_customer')
  await moves(summer, '2026-10-06', 'in_stock')
  await at('2026-10-09')
  expect(await run('2026-10-09')).toEqual([90])
})

test('by a price for a vehicle a document that charges its season includes the other set, until it is withdrawn', async () => {
  await rulesOfSeasons({ per: 'vehicle' })
  const winter = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-09-30' })
  const summer = await w.addSet({ vehicle, set: 'Summer' })
  await at('2026-10-03')
  expect(await run('2026-10-03')).toEqual([45])
  await moves(winter, '2026-10-05', 'at_customer')
  await at('2026-10-06')
  await moves(summer, '2026-10-06', 'in_stock')
  await at('2026-10-09')
  // included days alone make no document
  expect(await run('2026-10-09')).toEqual([])
  const preview = await w.ask(invoicing.preview, w.who.admin, { tyres: summer, seq_id: customer })
  expect(preview.text).toContain('invoicing.nothing')
  await noteIncluded(w.database, w.clock.now)
  // to the end of the season
  expect(await ledger()).toContainEqual({ state: 'included', days: 4 * 176, document: true })
  const [document] = await w.query<{ id: number }>(`select id from document`)
  await done(w.ask(invoicing.withdraw, w.who.admin, { db_id: document!.id, reason: 'A mistake' }))
  expect(await ledger()).toEqual([])
  expect(await run('2026-10-09')).toEqual([45])
  expect(await charged()).toBe(45)
})

test('a set that comes back in a season that was charged when it had left owes no second one', async () => {
  await rulesOfSeasons({ grace_days: 21 })
  const winter = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-10-10' })
  await at('2026-10-20')
  await moves(winter, '2026-10-20', 'at_customer')
  expect(await run('2026-10-20')).toEqual([45])
  await at('2026-11-01')
  await moves(winter, '2026-11-01', 'in_stock')
  await at('2026-11-20')
  expect(await run('2026-11-20')).toEqual([])
  expect(await charged()).toBe(45)
})

test('the preview of what may still leave has nothing, and that of both sets has the one that owes', async () => {
  const [, , last] = await rulesOfSeasons({ grace_days: 21 })
  const winter = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-04-06' })
  await at('2026-09-30')
  expect(await run('2026-09-30')).toEqual([45])
  await at('2026-10-10')
  const summer = await w.addSet({ vehicle, set: 'Summer', status: 'in_stock', statusDate: '2026-10-06' })
  const preview = (tyres: number[]) => w.ask(invoicing.preview, w.who.admin, { tyres, seq_id: customer })
  expect((await preview(winter)).text).toContain('invoicing.nothing')
  const both = await done(preview([...winter, ...summer]))
  expect([both.amount_excl, both.tyre_count, both.lines.map(({ rule }) => rule)]).toEqual([45, 4, [last]])
  await done(w.ask(invoicing.inject, w.who.admin, { tyres: [...winter, ...summer], seq_id: customer }))
  // the winter wheels are still owed: they may leave
  const owed = (await done(w.ask(invoicing.tyres, w.who.admin, { seq_id: customer, days: 1 }))) as {
    owed_days: number
  }[]
  expect(owed.map(({ owed_days: days }) => days)).toContain(10)
  await at('2026-10-22')
  expect(await run('2026-10-22')).toEqual([45])
})

const credits = async () =>
  (await done(w.ask(invoicing.credits, w.who.admin, undefined))).map(row => [row.db_id, row.amount_excl])

/** Winter wheels from before the season that a run charges for it on 25 October. */
async function chargedAfterGrace(terms: Rule): Promise<number[]> {
  await rulesOfSeasons({ grace_days: 21, ...terms })
  const winter = await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-04-06' })
  await at('2026-09-30')
  expect(await run('2026-09-30')).toEqual([45])
  await at('2026-10-25')
  expect(await run('2026-10-25')).toEqual([45])
  return winter
}

test.each(['2026-10-22', '2026-12-01'])(
  'a season that is owed is owed to its end: who left on %s is credited nothing',
  async day => {
    const winter = await chargedAfterGrace({})
    await at('2026-12-01')
    await moves(winter, day, 'at_customer')
    expect(await credits()).toEqual([])
    const credit = await w.ask(invoicing.credit, w.who.admin, { tyres: winter, reason: 'Left earlier' })
    expect(credit.text).toContain('invoicing.nothing')
  },
)

test('a season that was charged and turns out not to be owed is credited as a whole, with its days of grace', async () => {
  const winter = await chargedAfterGrace({})
  await moves(winter, '2026-10-21', 'at_customer')
  expect(await credits()).toEqual(winter.map(tyre => [tyre, 11.25]))
  await done(w.ask(invoicing.credit, w.who.admin, { tyres: winter, reason: 'Left earlier' }))
  expect(await credits()).toEqual([])
  await noteIncluded(w.database, w.clock.now)
  expect(await ledger()).toContainEqual({ state: 'included', days: 4 * 21, document: false })
  expect((await done(w.ask(invoicing.left, w.who.admin, {}))).length).toBe(0)
})

test('of a season that was charged before begun ones were owed to their end, the rest is credited as it was promised', async () => {
  const winter = await chargedAfterGrace({})
  await w.query('update storage_ledger set period = null')
  await at('2026-12-01')
  await moves(winter, '2026-12-01', 'at_customer')
  const rest = await done(w.ask(invoicing.credits, w.who.admin, undefined))
  expect(rest.map(row => row.unused_days)).toEqual(winter.map(() => 120))
})

test.each([
  ['vehicle', []],
  ['set', [11.25, 11.25, 11.25, 11.25]],
] as const)('a season per %s that another set owes is credited for the one that does not: %j', async (per, amounts) => {
  const winter = await chargedAfterGrace({ per })
  await w.addSet({ vehicle, set: 'Summer', status: 'in_stock', statusDate: '2026-10-06' })
  await moves(winter, '2026-10-05', 'at_customer')
  expect((await credits()).map(([, amount]) => amount)).toEqual(amounts)
})

/** The amount that a vehicle's sets owe, computed set by set and season by season, without spans, units or a ledger. */
function seasonsOwed(
  stays: readonly (readonly [IsoDate, IsoDate | null])[][],
  { per, grace }: { per: string; grace: number },
) {
  let owed = 0
  for (const [first, last] of seasons) {
    const sets = stays.filter(its =>
      its.some(([came, left]) => {
        const from = addDays(came, 1)
        const to = left ?? '2027-02-28'
        const inSeason = daysBetween(from > first ? from : first, to < last ? to : last) + 1
        return inSeason > 0 && (from >= first || inSeason > grace)
      }),
    ).length
    owed += per === 'vehicle' ? Math.min(1, sets) : sets
  }
  return owed
}

const histories = whole ? 60 : 4
test.each(['set', 'vehicle'] as const)(
  `in ${histories} random histories seasons per %s amount to what a second count says, whenever runs were made`,
  async per => {
    const draw = chance(`seasons ${per}`)
    for (let nth = 0; nth < histories; nth++) {
      await begin()
      const grace = draw.pick([0, 7, 21])
      await rulesOfSeasons({ per, grace_days: grace })
      const sets = [await w.addSet({ vehicle, set: 'Winter' }), await w.addSet({ vehicle, set: 'Summer' })]
      const stays: [IsoDate, IsoDate | null][][] = [[], []]
      let day: IsoDate = '2025-10-01'
      while (day < '2027-02-10') {
        await at(day)
        for (const [which, tyres] of sets.entries()) {
          if (!draw.likely(0.5)) continue
          const last = stays[which]!.at(-1)
          const there = last && last[1] === null
          if (there) last[1] = day
          else stays[which]!.push([day, null])
          await moves(tyres, day, there ? 'at_customer' : 'in_stock')
        }
        if (draw.likely(0.5)) await noteIncluded(w.database, w.clock.now)
        if (draw.likely(0.6)) await run(draw.likely(0.5) ? day : addDays(day, -draw.between(1, 9)))
        day = addDays(day, draw.between(3, 45))
      }
      await at('2027-02-28')
      await run('2027-02-28')
      await noteIncluded(w.database, w.clock.now)
      expect(await charged(), `history ${nth}, grace ${grace}: ${JSON.stringify(stays)}`).toBe(
        price * seasonsOwed(stays, { per, grace }),
      )
      expect((await done(w.ask(invoicing.left, w.who.admin, {}))).length).toBe(0)
    }
  },
)
