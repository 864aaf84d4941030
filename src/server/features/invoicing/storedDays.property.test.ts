/**
 * Random histories of tyres: they come and leave, are charged, marked, cleared, waived and credited; documents and waivers are
 * taken back, vehicles go to another customer, and the site charges by tyre or set, by day or period. After each step the ledger is
 * what a second model says, day by day (docs/promises.md "Stored days").
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween } from '#domain/texts/date.ts'
import { invoicingModes, invoicingQuantities } from '#domain/site.ts'
import { contract } from '#contract/index.ts'
import { chance, type Chance } from '../../../../db/demo/chance.ts'
import { chargeSet, states, TyreDays } from '../../testing/ledgerModel.ts'
import { world, type World } from '../../testing/world.ts'
import { whole } from '../../testing/whole.ts'

const calls = contract.invoicing
const histories = whole ? 10_000 : 80
const rounds = 24
const epoch = '2025-01-01'
const period = 30
/** Longer than all rounds and a period together. */
const span = rounds * 40 + period
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${epoch}T12:00:00Z`) })
  await w.setSite(w.sites.home, {
    invoicing_period: period,
    invoicing_article: w.articles.home,
    invoicing_price_excl: 1,
  })
})
afterAll(() => w.close())

/** The customers between whom vehicles go to and fro. */
const owners = () => [w.customers.a, w.customers.b] as const
const other = (customer: number): number => (customer === w.customers.a ? w.customers.b : w.customers.a)

/**
 * A tyre in the model: whose it is, on which vehicle, and since when it is where it is. After a change of customer `kept` is what
 * the former one keeps of it.
 */
type Tyre = { days: TyreDays; customer: number; vehicle: number; since: number; kept: boolean }
type Model = Map<number, Tyre>

type Entry = { tyre: number; since: string; until: string; state: string; document: number | null }
const dayOf = (date: string): number => daysBetween(epoch, date)

/** The unreleased entries of the ledger, in the form of the model. A day in two entries is a fault. */
function daysOf(entries: readonly Entry[]): { state: Uint8Array; document: Uint16Array; twice: number[] } {
  const state = new Uint8Array(span)
  const document = new Uint16Array(span)
  const twice = []
  for (const entry of entries)
    for (let day = dayOf(entry.since) + 1; day <= dayOf(entry.until); day++) {
      if (state[day] !== states.none) twice.push(day)
      state[day] = entry.document !== null ? states.document : entry.state === 'waived' ? states.waived : states.marked
      document[day] = entry.document ?? 0
    }
  return { state, document, twice }
}

/** Where the ledger and the model differ, and which days have two states: nothing, or the first faults in words. */
async function faults(model: Model, today: number): Promise<string[]> {
  const entries = Map.groupBy(
    await w.query<Entry>(
      `select tyre_id as tyre, since::text, until::text, state, document_id as document from storage_ledger where released_at is null order by id`,
    ),
    entry => entry.tyre,
  )
  const owed = new Map(
    (
      await w.query<{ tyre: number; open: number; left: number }>(
        `select tyre_id as tyre, coalesce(sum(day_count(owed_days(site_id, tyre_id, since, $1::date))) filter (where until is null), 0)::int as open,
           coalesce(sum(day_count(owed_days(site_id, tyre_id, since, until))) filter (where until is not null), 0)::int as left
         from stay group by tyre_id`,
        [addDays(epoch, today)],
      )
    ).map(({ tyre, ...days }) => [tyre, days]),
  )
  const unused = new Map<number, number>()
  for (const { db_id, unused_days } of (await w.ask(calls.credits, w.who.admin, undefined)).answer)
    unused.set(db_id, (unused.get(db_id) ?? 0) + unused_days)
  const faults: string[] = []
  for (const [id, { days: tyre }] of model) {
    const is = daysOf(entries.get(id) ?? [])
    const { open, left } = owed.get(id) ?? { open: 0, left: 0 }
    if (is.twice.length > 0) faults.push(`tyre ${id}: day ${is.twice[0]} has two states`)
    const other = is.state.findIndex(
      (state, day) => state !== tyre.state[day] || is.document[day] !== tyre.document[day],
    )
    if (other >= 0) faults.push(`tyre ${id}: day ${other} is ${is.state[other]}, not ${tyre.state[other]}`)
    if (open !== tyre.owed(today, false).length) faults.push(`tyre ${id} owes ${open} days of its stay`)
    if (left !== tyre.owed(today, true).length) faults.push(`tyre ${id} owes ${left} days of stays that ended`)
    const credit = unused.get(id) ?? 0
    if (credit !== tyre.unused) faults.push(`tyre ${id} has ${credit} days of credit, not ${tyre.unused}`)
  }
  return faults.slice(0, 5)
}

const done = async (reply: Promise<{ status: number; text: string }>) => {
  const { status, text } = await reply
  if (status !== 200) throw new Error(text)
}

/** The actions of a round, each with its own tyres. */
const deeds = [
  'leave',
  'come',
  'charge',
  'charge',
  'chargeLeft',
  'mark',
  'clear',
  'undo',
  'waive',
  'credit',
  'nothing',
] as const
type Deed = (typeof deeds)[number]

/** How many days a charged period has; null: by the day. */
const periodBy = { per_day: null, per_period: period }

/** One round: deals the vehicles out to the actions, and sends some tyres another way than the rest of theirs. */
async function round(
  model: Model,
  draw: Chance,
  today: number,
  results: { documents: number[]; waivers: number[] },
): Promise<void> {
  const admin = w.who.admin
  const date = addDays(epoch, today)
  const rules = { quantity: draw.pick(invoicingQuantities), mode: draw.pick(invoicingModes) }
  await w.setSite(w.sites.home, { invoicing_quantity: rules.quantity, invoicing_mode: rules.mode })

  const ofVehicle = new Map<number, Deed>()
  const hands = Map.groupBy(model.keys(), id => {
    const { vehicle } = model.get(id)!
    const its = ofVehicle.get(vehicle) ?? draw.pick(deeds)
    ofVehicle.set(vehicle, its)
    return draw.likely(0.4) ? draw.pick(deeds) : its
  })
  /** The tyres of a hand that fit, those that the former customer keeps only with \`kept\`. */
  const dealt = (hand: Deed, fits: (tyre: TyreDays) => boolean, kept = false): [number[], TyreDays[]] => {
    const ids = (hands.get(hand) ?? []).filter(id => fits(model.get(id)!.days) && (kept || !model.get(id)!.kept))
    return [ids, ids.map(id => model.get(id)!.days)]
  }
  const at = async (ids: readonly number[], status: 'at_customer' | 'in_stock') => {
    await w.query(`update tyre set status = $2, status_date = $3 where id = any ($1)`, [ids, status, date])
    for (const id of ids) {
      const tyre = model.get(id)!
      tyre.since = today
      tyre.days.came = status === 'in_stock' ? today : null
    }
  }
  await at(dealt('leave', tyre => tyre.came !== null)[0], 'at_customer')
  await at(dealt('come', tyre => tyre.came === null)[0], 'in_stock')

  for (const [hand, left] of [
    ['charge', false],
    ['chargeLeft', true],
  ] as const)
    for (const seq_id of owners()) {
      const owing = dealt(hand, tyre => tyre.owed(today, left).length > 0, left)[0]
      const tyres = owing.filter(id => model.get(id)!.customer === seq_id)
      if (tyres.length === 0) continue
      const { status, refusal, answer } = await w.ask(calls.inject, admin, { tyres, seq_id, left })
      const document = status === 200 ? answer.db_id : 0
      const chosen = new Set(tyres.map(id => model.get(id)!.days))
      const vehicles = new Set(tyres.map(id => model.get(id)!.vehicle))
      const sets = Map.groupBy(
        [...model.values()].filter(tyre => vehicles.has(tyre.vehicle) && tyre.customer === seq_id),
        tyre => tyre.vehicle,
      )
      const charge = {
        chosen,
        left,
        today,
        document,
        together: rules.quantity === 'per_set',
        period: periodBy[rules.mode],
      }
      if (status !== 200) {
        // all is in what documents charge already
        expect(refusal.code).toBe('invoicing.nothing')
        continue
      }
      for (const set of sets.values())
        chargeSet(
          set.map(({ days }) => days),
          charge,
        )
      results.documents.push(document)
    }

  const [marked, toMark] = dealt('mark', () => true)
  const on = Math.max(0, today - draw.between(0, 50))
  await done(w.ask(calls.markinvoiced, admin, { tyres: marked, date: addDays(epoch, on) }))
  for (const tyre of toMark) tyre.mark(on)

  const [cleared, toClear] = dealt('clear', () => true)
  await done(w.ask(calls.unmarkinvoiced, admin, { tyreIds: cleared }))
  for (const tyre of toClear) tyre.mark(null)

  const [undone, toUndo] = dealt('undo', tyre => tyre.marks.length > 0)
  if (undone.length > 0) await done(w.ask(calls.undomarking, admin, { tyres: undone }))
  for (const tyre of toUndo) tyre.undo()

  const left = draw.likely(0.5)
  const seq_id = draw.pick(owners())
  const owing = dealt('waive', tyre => tyre.owed(today, left).length > 0, left)[0]
  const waived = owing.filter(id => model.get(id)!.customer === seq_id)
  if (waived.length > 0) {
    await done(w.ask(calls.waive, admin, { tyres: waived, seq_id, left, reason: 'Agreed' }))
    const [waiver] = (await w.ask(calls.waivers, admin, undefined)).answer
    for (const id of waived) model.get(id)!.days.waive({ today, left, waiver: waiver!._id })
    results.waivers.push(waiver!._id)
  }

  const [credited, toCredit] = dealt('credit', tyre => tyre.unused > 0, true)
  if (credited.length > 0) await done(w.ask(calls.credit, admin, { tyres: credited, reason: 'Credit note' }))
  for (const tyre of toCredit) tyre.credit()

  const oneOf = (all: number[]) =>
    all.length > 3 && draw.likely(0.5) ? all.splice(draw.between(0, all.length - 1), 1)[0] : undefined
  const document = oneOf(results.documents)
  if (document !== undefined) {
    await done(w.ask(calls.withdraw, admin, { db_id: document, reason: 'A mistake' }))
    for (const { days } of model.values()) days.withdraw(document)
  }
  const waiver = oneOf(results.waivers)
  if (waiver !== undefined) {
    // its days are charged, marked or waived by nothing else as long as it stands
    await done(w.ask(calls.unwaive, admin, { _id: waiver, reason: 'A mistake' }))
    for (const { days } of model.values()) days.takeBack(waiver)
  }
  await changeCustomers(model, draw, today)
}

/** Gives one vehicle in a hundred to the other customer: today, or on a day since which its tyres have not moved. */
async function changeCustomers(model: Model, draw: Chance, today: number): Promise<void> {
  const own = [...model].filter(([, tyre]) => !tyre.kept)
  for (const [vehicle, tyres] of Map.groupBy(own, ([, tyre]) => tyre.vehicle)) {
    if (!draw.likely(0.01)) continue
    const seq_id = other(tyres[0]![1].customer)
    const on = draw.between(Math.max(...tyres.map(([, tyre]) => tyre.since)), today)
    await done(w.ask(contract.fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id, date: addDays(epoch, on) }))
    const copies = await w.query<{ id: number; of: number; vehicle: number }>(
      `select max(id) as id, copy_of as of, max(vehicle_id) as vehicle from tyre where copy_of = any ($1) group by copy_of`,
      [tyres.map(([id]) => id)],
    )
    for (const copy of copies) {
      const tyre = model.get(copy.of)!
      const days = tyre.days.handOver(on, today)
      model.set(copy.id, { ...tyre, days: tyre.days, vehicle: copy.vehicle, kept: true })
      model.set(copy.of, { ...tyre, days, customer: seq_id, since: days.came ?? tyre.since })
    }
  }
}

test(`no stored day of ${histories} random histories is without a state, and none has two`, async () => {
  const ids = await w.query<{ id: number; vehicle: number }>(
    `with car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select $1, $2, 'H' || nth, 'Volvo', 'V60', 'car', $6 from generate_series(1, ceil($5::int / 4.0)::int) nth returning id)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, season, status, status_date)
     select $1, $2, id, $3, position, 'Michelin', 'Winter', 'winter', 'at_customer', $4
     from car, unnest(array['1A', '1B', '2A', '2B']) position limit $5 returning id, vehicle_id as vehicle`,
    [w.sites.home, w.customers.a, w.articles.home, epoch, histories, w.configs.home],
  )
  const model: Model = new Map(
    ids.map(({ id, vehicle }) => [
      id,
      { days: new TyreDays(span), customer: w.customers.a, vehicle, since: 0, kept: false },
    ]),
  )
  const draw = chance('stored days')
  const results = { documents: [], waivers: [] }
  let today = 0
  for (let nth = 0; nth < rounds; nth++) {
    today += draw.between(1, 40)
    w.clock.now = new Date(`${addDays(epoch, today)}T12:00:00Z`)
    await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
    for (const { days } of model.values()) days.note(today)
    await round(model, draw, today, results)
    if (nth % 4 === 3) expect(await faults(model, today), `after round ${nth + 1}`).toEqual([])
    // as autovacuum does where the portal runs
    await w.query('analyze')
  }
  const [{ entries } = { entries: 0 }] = await w.query<{ entries: number }>(
    'select count(*)::int as entries from storage_ledger',
  )
  expect(entries).toBeGreaterThan(histories)
  expect(model.size, 'tyres of vehicles that changed customer').toBeGreaterThan(histories)

  // the control: a day that is missing and one that stands there twice are noticed
  await w.query(`alter table storage_ledger drop constraint one_state_a_day`)
  const again = `insert into storage_ledger (site_id, tyre_id, customer_id, since, until)
    select site_id, tyre_id, customer_id, since, until from storage_ledger
    where released_at is null and document_id is not null order by id limit 1`
  await w.query(again)
  expect(await faults(model, today)).toEqual([
    expect.stringContaining('has two states'),
    expect.stringContaining('not'),
  ])
  await w.query('delete from storage_ledger where id = (select max(id) from storage_ledger)')
  expect(await faults(model, today)).toEqual([])
  await w.query(`update storage_ledger set since = since + 1 where id = (
    select max(id) from storage_ledger where released_at is null and until - since > 1)`)
  expect((await faults(model, today)).length).toBeGreaterThan(0)
})
