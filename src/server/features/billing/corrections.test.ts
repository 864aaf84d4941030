/**
 * Corrections of the past, and wheels that go to another vehicle, cost the same whichever days have runs: documents less credits are
 * as much as a document at the end would charge (docs/money.md "The day of the run").
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { chance } from '../../../../db/demo/chance.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { whole } from '../../testing/whole.ts'
import { world, type World } from '../../testing/world.ts'
import { noteIncluded } from './included.ts'
import { workNext } from './work.ts'

const { billing, invoicing, moves, tariff } = contract
const first = '2026-01-01'
const last = 160
let w: World
let customer: number
let vehicles: number[]

beforeAll(async () => {
  w = await world({ now: new Date(`${first}T12:00:00Z`) })
  await chargeByDay(w)
  customer = w.customers.a
})
beforeEach(begin)
afterAll(() => w.close())

async function begin(): Promise<void> {
  await w.query(`update tyre set status = 'at_customer', tyre_set = null where tyre_set is not null`)
  const tables = 'document_line, billing_run_customer, billing_run, storage_ledger, document, stay, tariff_rule'
  for (const table of tables.split(', ')) await w.query(`delete from ${table}`)
  vehicles = [await w.addVehicle({ customer }), await w.addVehicle({ customer })]
}

const done = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}
async function at(day: number): Promise<IsoDate> {
  const date = addDays(first, day)
  w.clock.now = new Date(`${date}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
  return date
}
async function work(): Promise<void> {
  while (await workNext(w.database, { clock: () => w.clock.now }));
}
async function run(until: IsoDate): Promise<void> {
  const begun = await w.ask(billing.begin, w.who.admin, { covers: 'all', until, days: 0, marks: false })
  if (begun.status !== 200) return
  await work()
  await done(w.ask(billing.make, w.who.admin, { _id: begun.answer._id, without: [] }))
  await work()
}
const charged = async (): Promise<number> => {
  const [row] = await w.query<{ sum: number }>(`select coalesce(sum(amount_excl), 0)::float as sum from document`)
  return row!.sum
}

type Rule = { per: 'set' | 'tyre'; mode: 'per_day' | 'per_period' | 'per_season'; period?: number; grace_days?: number }
const rules: Record<string, Rule> = {
  'a set by the day': { per: 'set', mode: 'per_day' },
  'a wheel by the day': { per: 'tyre', mode: 'per_day' },
  'a set by periods': { per: 'set', mode: 'per_period', period: 30 },
  'a wheel by periods': { per: 'tyre', mode: 'per_period', period: 30 },
  'a wheel by the season': { per: 'tyre', mode: 'per_season', grace_days: 10 },
  'a set by the season': { per: 'set', mode: 'per_season', grace_days: 10 },
}
const price = 1

async function addRule(rule: Rule): Promise<void> {
  const add = (since: string, until: string | null) =>
    done(w.ask(tariff.add, w.who.admin, { kind: 'storage', since, until, price_excl: price, ...rule }))
  if (rule.mode !== 'per_season') await add('2020-01-01', null)
  else
    for (const [since, until] of [
      ['2025-12-01', '2026-02-28'],
      ['2026-03-01', '2026-12-31'],
    ] as const)
      await add(since, until)
}

/** `comes`, `leaves`, or an arrival `corrected` to a later day; or fitted to the vehicle `to`. */
type Step = { day: number; wheel: number } & (
  | { does: 'comes' }
  | { does: 'leaves'; on: number }
  | { does: 'corrected'; on: number }
  | { does: 'refitted'; to: number }
)

/** The amount of the steps with these runs: documents less credits, when all is known and charged. */
async function amountOf(steps: readonly Step[], runs: readonly number[], wheels: readonly number[]): Promise<number> {
  const days = [...new Set([...steps.map(({ day }) => day), ...runs])].toSorted((a, b) => a - b)
  for (const day of days) {
    const date = await at(day)
    for (const step of steps) {
      if (step.day !== day) continue
      const tyre = wheels[step.wheel]!
      if (step.does === 'refitted')
        await done(
          w.ask(moves.tyres, w.who.admin, {
            flt_id: vehicles[step.to]!,
            tyres: [{ db_id: tyre, position: ['1A', '1B', '2A', '2B'][step.wheel]! }],
            tyre_set: 'Winter',
          }),
        )
      else
        await w.query(`update tyre set status = $2, status_date = $3 where id = $1`, [
          tyre,
          step.does === 'leaves' ? 'at_customer' : 'in_stock',
          step.does === 'comes' ? date : addDays(first, step.on),
        ])
    }
    if (runs.includes(day)) await run(date)
  }
  return settle(await at(last))
}

/** Takes every credit and charges what is owed then, until nothing is left of either. */
async function settle(date: IsoDate): Promise<number> {
  let credited = 0
  for (let turn = 0; ; turn++) {
    if (turn > 5) throw new Error('what is credited is charged again')
    await run(date)
    const credits = await done(w.ask(invoicing.credits, w.who.admin, undefined))
    if (credits.length === 0) break
    credited += credits.reduce((sum, { amount_excl: amount }) => sum + Math.round((amount ?? 0) * 100), 0)
    const tyres = [...new Set(credits.map(({ db_id }) => db_id))]
    await done(w.ask(invoicing.credit, w.who.admin, { tyres, reason: 'As it was' }))
  }
  await noteIncluded(w.database, w.clock.now)
  expect(await done(w.ask(invoicing.left, w.who.admin, {})), 'left and owed').toEqual([])
  return ((await charged()) * 100 - credited) / 100
}

const addWheels = () => w.addSet({ vehicle: vehicles[0]!, set: 'Winter' })
const all = [0, 1, 2, 3]
const each = (day: number, does: 'comes'): Step[] => all.map(wheel => ({ day, wheel, does }))
const leave = (day: number, on = day): Step[] => all.map(wheel => ({ day, wheel, does: 'leaves', on }))
const correct = (day: number, on: number): Step[] => all.map(wheel => ({ day, wheel, does: 'corrected', on }))

const cases: [name: string, rule: string, steps: Step[], right: number][] = [
  // 31 to 100 in place of 1 to 100
  [
    'an arrival that is corrected from day 0 to day 30 owes nothing before',
    'a set by the day',
    [...each(0, 'comes'), ...correct(50, 30), ...leave(100)],
    70,
  ],
  // 46 to 75, in place of 1 to 30, 31 to 60 and 61 to 90
  [
    'its periods begin after the day on which it really came',
    'a set by periods',
    [...each(0, 'comes'), ...correct(50, 45), ...leave(70)],
    1,
  ],
  // season to 28 February is day 58
  [
    'a season that it was not there for is not owed',
    'a wheel by the season',
    [...each(0, 'comes'), ...correct(80, 70), ...leave(100)],
    4,
  ],
  // both seasons are owed by the other three
  [
    'a season of the set is owed, though one of its wheels turns out to have left before it',
    'a set by the season',
    [...each(0, 'comes'), { day: 80, wheel: 3, does: 'leaves', on: 50 }, ...leave(100).slice(0, 3)],
    2,
  ],
  // to day 28 in the second season, within its grace
  [
    'a season that the whole set turns out to have left before is not owed',
    'a set by the season',
    [...each(0, 'comes'), ...leave(80, 50)],
    1,
  ],
  // one period of the set, to day 30, for the wheel too; then each vehicle its own
  [
    'a wheel that is fitted to another vehicle in a period begins none there',
    'a set by periods',
    [...each(0, 'comes'), { day: 10, wheel: 3, does: 'refitted', to: 1 }, ...leave(29)],
    1,
  ],
  [
    'after the period each vehicle owes its own',
    'a set by periods',
    [...each(0, 'comes'), { day: 10, wheel: 3, does: 'refitted', to: 1 }, ...leave(40)],
    3,
  ],
  [
    'a set that leaves, is fitted to another vehicle and comes back in the period owes it once',
    'a set by periods',
    [
      ...each(0, 'comes'),
      ...leave(9),
      ...all.map(wheel => ({ day: 12, wheel, does: 'refitted', to: 1 }) as const),
      ...each(15, 'comes'),
      ...leave(28),
    ],
    1,
  ],
  // a set on day 1 to 10, then two
  [
    'by the day a wheel is charged with the set that it is in on the day',
    'a set by the day',
    [...each(0, 'comes'), { day: 10, wheel: 3, does: 'refitted', to: 1 }, ...leave(40)],
    70,
  ],
]
const schedules: Record<string, number[]> = {
  'no run but the last': [],
  'a run every nine days': Array.from({ length: 17 }, (_, nth) => nth * 9 + 4),
  'a run on each day of a change and once after': [5, 10, 25, 49, 51, 79, 85, 120],
}

test.each(
  cases.flatMap(([name, rule, steps, right]) =>
    Object.keys(schedules).map(runs => ({ name, rule, steps, right, runs })),
  ),
)('$name: $runs', async ({ rule, steps, right, runs }) => {
  await addRule(rules[rule]!)
  expect(await amountOf(steps, schedules[runs]!, await addWheels())).toBe(right)
})

/** Random steps of four wheels: they come and leave, also on an earlier day, are fitted to and fro, and arrivals turn out to be later. */
function randomSteps(draw: ReturnType<typeof chance>): Step[] {
  const steps: Step[] = []
  const came: (number | null)[] = [null, null, null, null]
  const vehicle = [0, 0, 0, 0]
  for (let day = 1; day < last - 5; day += draw.between(1, 12)) {
    const together = draw.likely(0.5) ? all : [draw.pick(all)]
    const kind = draw.pick(['move', 'move', 'move', 'refit', 'correct'] as const)
    for (const wheel of together) {
      const since = came[wheel]!
      if (kind === 'refit') {
        vehicle[wheel] = 1 - vehicle[wheel]!
        steps.push({ day, wheel, does: 'refitted', to: vehicle[wheel] })
      } else if (kind === 'correct') {
        if (
          since === null ||
          since === day ||
          steps.some(step => step.does === 'refitted' && step.wheel === wheel && step.day > since)
        )
          continue
        came[wheel] = draw.between(since, day)
        steps.push({ day, wheel, does: 'corrected', on: came[wheel] })
      } else if (since === null) {
        came[wheel] = day
        steps.push({ day, wheel, does: 'comes' })
      } else {
        came[wheel] = null
        const on = draw.likely(0.6) ? day : draw.between(since, day)
        steps.push({ day, wheel, does: 'leaves', on })
      }
    }
  }
  return steps
}

const histories = whole ? 100 : 3
test.each(Object.keys(rules))(
  `%s: ${histories} random histories amount to the same with runs on any days`,
  async name => {
    const draw = chance(`corrections ${name}`)
    for (let nth = 0; nth < histories; nth++) {
      const steps = randomSteps(draw)
      const amounts: number[] = []
      const runs = Array.from({ length: draw.between(2, 8) }, () => draw.between(2, last - 1))
      for (const days of [[], runs]) {
        await begin()
        await addRule(rules[name]!)
        amounts.push(await amountOf(steps, days, await addWheels()))
      }
      expect(amounts[1], `history ${nth}, runs on ${runs.join(', ')}: ${JSON.stringify(steps)}`).toBe(amounts[0])
    }
  },
)

test('a credit looks at the entries that it may release, and at no others of the site', async () => {
  await addRule(rules['a set by periods']!)
  const sets = [await addWheels(), await w.addSet({ vehicle: vehicles[1]!, set: 'Winter' })]
  const [tyres = []] = sets
  const store = async (ids: readonly number[], date: IsoDate) =>
    w.query(`update tyre set status = 'in_stock', status_date = $2 where id = any ($1)`, [ids, date])
  await store(sets.flat(), await at(0))
  await run(await at(70))
  await store(tyres, addDays(first, 45))
  const [{ unit } = { unit: 0 }] = await w.query<{ unit: number }>(
    'select distinct unit from storage_ledger where tyre_id = any ($1)',
    [tyres],
  )
  const [{ former } = { former: '' }] = await w.query<{ former: string }>(
    `select pg_get_functiondef('wrong_since'::regproc) as former`,
  )
  await w.query(
    former.replace(/\bbegin\n/, `begin\n  if of_unit <> ${unit} then raise 'unit % is no wish', of_unit; end if;\n`),
  )
  try {
    const { tyres: credited } = await done(w.ask(invoicing.credit, w.who.admin, { tyres, reason: 'As it was' }))
    expect(credited.toSorted((a, b) => a - b)).toEqual(tyres)
    await expect(done(w.ask(invoicing.credit, w.who.admin, { tyres: sets[1]!, reason: 'Control' }))).rejects.toThrow()
  } finally {
    await w.query(former)
  }
})
