/**
 * Random histories of a year, with a leap day, both changes of the clock and New Year: sets come, leave and are recalled on an earlier
 * day; prices change for everybody, a size or a customer; operations have services; wheels stay too long; billing runs are killed
 * between any two transactions and go on; documents are withdrawn, days and charges waived, and that taken back. Then a second way to
 * know it, day by day, says what each document has to amount to (docs/promises.md "Stored days").
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { chance, type Chance } from '../../../../db/demo/chance.ts'
import type { Database } from '../../db/database.ts'
import { addOperation, addService } from '../../testing/operations.ts'
import { whole } from '../../testing/whole.ts'
import { world, type World } from '../../testing/world.ts'
import { workNext } from '../billing/work.ts'
import { chargeLongStored } from '../tariff/overstays.ts'

const { charges, tariff, invoicing, billing, operations } = contract
const histories = whole ? 5000 : 10
const perCustomer = 10
const epoch = '2027-07-01'
const rounds = 26
/** A fortnight a round is a year. */
const roundDays = 14
const siteCents = 11
const longDays = 100
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${epoch}T10:00:00Z`) })
  await w.setSite(w.sites.home, {
    invoicing_quantity: 'per_tyre',
    invoicing_mode: 'per_day',
    invoicing_article: w.articles.home,
    invoicing_price_excl: siteCents / 100,
  })
})
afterAll(() => w.close())

type Price = { id: number; customer: number | null; size: 'truck' | null; since: number; until: number; cents: number }
type Stay = { since: number; until: number; noted: boolean }
type Wheel = { id: number; customer: number; vehicle: number; truck: boolean; stays: Stay[] }

const dayOf = (date: IsoDate): number => daysBetween(epoch, date)
const forEver = Number.POSITIVE_INFINITY

/** The cost of a stored day of a wheel, in cents: the most specific of the day's prices applies. */
function centsOn(prices: readonly Price[], { customer, truck }: Wheel, day: number): number {
  const rank = (price: Price) => (price.customer !== null ? 2 : 0) + (price.size !== null ? 1 : 0)
  const [first] = prices
    .filter(price => price.since <= day && day <= price.until)
    .filter(price => (price.customer === null || price.customer === customer) && (price.size === null || truck))
    .toSorted((a, b) => rank(b) - rank(a))
  return first?.cents ?? siteCents
}

/** A database whose process is killed after so many transactions: the last one is lost, or its answer is, and then there are no more. */
function killedAfter(database: Database, transactions: number, draw: Chance): Database {
  let left = transactions
  const transaction: Database['transaction'] = async (scope, work) => {
    if (left < 0) throw new Error('killed')
    left--
    if (left >= 0) return database.transaction(scope, work)
    if (draw.likely(0.5)) await database.transaction(scope, work)
    else
      await database
        .transaction(scope, async tx => {
          await work(tx)
          throw new Error('killed')
        })
        .catch(() => {})
    throw new Error('killed')
  }
  return { ...database, transaction }
}

type State = {
  wheels: Map<number, Wheel>
  prices: Price[]
  /** The charged events: cause and cents. */
  events: Map<string, number>
  services: Map<number, number>
  killed: number
}

const done = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}

/** Makes it a moment of this day at the site, at any hour, with everybody still signed in. */
async function at(day: number, draw: Chance): Promise<IsoDate> {
  const date = addDays(epoch, day)
  const hour = draw.between(0, 23)
  // in winter the site is an hour ahead of UTC, in summer two: the moment is found, not computed
  const local = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Brussels', dateStyle: 'short', timeStyle: 'short' })
  const moment = Array.from(
    { length: 28 },
    (_, nth) => new Date(Date.parse(`${date}T00:30:00Z`) + (nth - 3) * 3_600_000),
  )
    .filter(instant => local.format(instant).startsWith(date))
    .at(hour % 23)
  if (!moment) throw new Error(`no such hour on ${date}`)
  w.clock.now = moment
  await w.query('update session set seen_at = $1, created_at = $1', [moment])
  return date
}

async function move(state: State, draw: Chance, today: number): Promise<void> {
  const goes = new Map<number, number[]>()
  const comes: number[] = []
  for (const wheel of state.wheels.values()) {
    const last = wheel.stays.at(-1)
    if (!draw.likely(last ? 0.12 : 0.3)) continue
    if (last?.until === forEver) {
      // a third of the recalls is entered later than it happened
      const on = draw.likely(0.33) ? draw.between(last.since, today) : today
      last.until = on
      goes.set(on, [...(goes.get(on) ?? []), wheel.id])
    } else {
      wheel.stays.push({ since: today, until: forEver, noted: false })
      comes.push(wheel.id)
    }
  }
  for (const [on, ids] of goes)
    await w.query(`update tyre set status = 'at_customer', status_date = $2 where id = any ($1)`, [
      ids,
      addDays(epoch, on),
    ])
  await w.query(`update tyre set status = 'in_stock', status_date = $2 where id = any ($1)`, [
    comes,
    addDays(epoch, today),
  ])
}

/** Notes wheels that are stored for too long, as the portal does every hour. */
async function noteLong(state: State, today: number): Promise<void> {
  await chargeLongStored(w.database, w.clock.now)
  for (const wheel of state.wheels.values())
    for (const [nth, stay] of wheel.stays.entries()) {
      const day = stay.since + longDays + 1
      if (stay.noted || day > Math.min(stay.until, today)) continue
      stay.noted = true
      state.events.set(`overstay ${wheel.id} ${nth}`, 300)
    }
}

async function changePrices(state: State, draw: Chance, today: number): Promise<void> {
  const since = today + draw.between(1, 10)
  const price = draw.between(5, 60)
  const open = state.prices.filter(price => price.until === forEver && price.since < since - 1)
  const old = open.length > 0 && draw.likely(0.7) ? draw.pick(open) : null
  const rule = { since: addDays(epoch, since), price_excl: price / 100 }
  if (old) {
    const { _id } = await done(w.ask(tariff.succeed, w.who.admin, { ...rule, _id: old.id }))
    old.until = since - 1
    state.prices.push({ ...old, id: _id, since, until: forEver, cents: price })
    return
  }
  const customers = [...new Set([...state.wheels.values()].map(wheel => wheel.customer))]
  const customer = draw.likely(0.6) ? draw.pick(customers) : null
  const size = draw.likely(0.5) ? ('truck' as const) : null
  const until = draw.likely(0.5) ? since + draw.between(0, 60) : forEver
  const isTaken = state.prices.some(
    wheel => wheel.customer === customer && wheel.size === size && wheel.since <= until && since <= wheel.until,
  )
  if (isTaken) return
  const { _id } = await done(
    w.ask(tariff.add, w.who.admin, {
      kind: 'storage',
      per: 'tyre',
      mode: 'per_day',
      ...rule,
      until: until === forEver ? null : addDays(epoch, until),
      size_class: size,
      seq_id: customer,
    }),
  )
  state.prices.push({ id: _id, customer, size, since, until, cents: price })
}

/** Confirms operations with a service, which is charged by the price of that day. */
async function serve(state: State, draw: Chance): Promise<void> {
  const [service, cents] = draw.pick([...state.services])
  const { customer } = draw.pick([...state.wheels.values()])
  const operation = await addOperation(w, { customer, status: 'submitted', scanned: true, services: [service] })
  await done(w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id }, here: 'all' }))
  state.events.set(`service/${operation.id}/${service}`, 4 * cents)
  // its own tyres are no part of the histories
  await w.query(`delete from storage_ledger where tyre_id = any ($1)`, [operation.tyres])
  await w.query(`update operation_tyre set open = false where tyre_id = any ($1)`, [operation.tyres])
  await w.query(`update tyre set status = 'at_customer' where id = any ($1)`, [operation.tyres])
  await w.query(`delete from stay where tyre_id = any ($1)`, [operation.tyres])
}

/** A billing run until this day, whose process is killed and started again until it has ended. */
async function bill(state: State, draw: Chance, until: IsoDate): Promise<void> {
  const begun = await w.ask(billing.begin, w.who.admin, { covers: 'all', until, days: 0, marks: draw.likely(0.5) })
  if (begun.status !== 200) return
  const work = async () => {
    for (;;) {
      const database = draw.likely(0.7) ? killedAfter(w.database, draw.between(0, 40), draw) : w.database
      try {
        while (await workNext(database, { clock: () => w.clock.now }));
        return
      } catch {
        state.killed++
      }
    }
  }
  await work()
  await done(w.ask(billing.make, w.who.admin, { _id: begun.answer._id, without: [] }))
  await work()
}

async function waive(state: State, draw: Chance, today: number): Promise<void> {
  const wheel = draw.pick([...state.wheels.values()])
  const input = { tyres: [wheel.id], seq_id: wheel.customer, left: wheel.stays.at(-1)?.until !== forEver }
  await w.ask(invoicing.waive, w.who.admin, { ...input, reason: 'Agreed' })
  const owed = await done(w.ask(charges.list, w.who.admin, {}))
  if (owed.length > 0)
    await done(w.ask(charges.waive, w.who.admin, { charges: [draw.pick(owed)._id], reason: 'Agreed' }))
  const waived = await w.query<{ id: number }>(
    `select charge_id::int as id from charge_ledger where state = 'waived' and released_at is null order by id`,
  )
  if (waived.length > 3)
    await done(w.ask(charges.unwaive, w.who.admin, { _id: draw.pick(waived).id, reason: `On day ${today}` }))
}

async function withdraw(draw: Chance): Promise<void> {
  const standing = await w.query<{ id: number }>(
    `select id from document where reason = 'storage' and withdrawn_at is null order by id desc limit 60`,
  )
  if (standing.length === 0) return
  await done(w.ask(invoicing.withdraw, w.who.admin, { db_id: draw.pick(standing).id, reason: 'A mistake' }))
}

/** The first faults, in words; empty when all is well. */
async function faults(state: State, today: number): Promise<string[]> {
  const { faults, ofDocument } = await faultsOfDays(state, today)
  return [...faults, ...(await faultsOfEvents(state)), ...(await faultsOfDocuments(ofDocument))].slice(0, 5)
}

/** Every stored day of every wheel has one state, or none and is owed. With what the days cost that each document charges, in cents. */
async function faultsOfDays(
  state: State,
  today: number,
): Promise<{ faults: string[]; ofDocument: Map<number, number> }> {
  const faults: string[] = []
  const entries = await w.query<{
    tyre: number
    since: string
    until: string
    document: number | null
    stands: boolean
  }>(
    `select tyre_id as tyre, since::text, until::text, document_id as document, released_at is null as stands from storage_ledger`,
  )
  const owed = new Map(
    (
      await w.query<{ tyre: number; days: number }>(
        `select tyre_id as tyre, day_count(range_agg(owed_days(site_id, tyre_id, since, coalesce(until, $1::date))))::int as days from stay group by 1`,
        [addDays(epoch, today)],
      )
    ).map(({ tyre, days }) => [tyre, days]),
  )
  const byWheel = Map.groupBy(entries, entry => entry.tyre)
  const ofDocument = new Map<number, number>()
  for (const wheel of state.wheels.values()) {
    const settled = new Set<number>()
    for (const { since, until, document, stands } of byWheel.get(wheel.id) ?? [])
      for (let day = dayOf(since) + 1; day <= dayOf(until); day++) {
        if (document !== null)
          ofDocument.set(document, (ofDocument.get(document) ?? 0) + centsOn(state.prices, wheel, day))
        if (!stands) continue
        if (settled.has(day)) faults.push(`wheel ${wheel.id}: day ${day} is settled twice`)
        settled.add(day)
      }
    const stored = new Set<number>()
    for (const { since, until } of wheel.stays)
      for (let day = since + 1; day <= Math.min(until, today); day++) stored.add(day)
    const open = [...stored].filter(day => !settled.has(day)).length
    if (open !== (owed.get(wheel.id) ?? 0))
      faults.push(`wheel ${wheel.id} owes ${owed.get(wheel.id)} days, not ${open}`)
  }
  return { faults, ofDocument }
}

/** Every event is charged once, with the price of its day. */
async function faultsOfEvents(state: State): Promise<string[]> {
  const happened = await w.query<{ cause: string; kind: string; tyre: number | null; cents: number }>(
    `select cause, kind, tyre_id as tyre, (amount_excl * 100)::int as cents from charge order by happened_on, id`,
  )
  const expected = [...state.events].map(
    ([cause, cents]) => `${cause.replace(/^overstay (\d+) \d+$/, 'overstay $1')} ${cents}`,
  )
  const actual = happened.map(
    event => `${event.kind === 'overstay' ? `overstay ${event.tyre}` : event.cause} ${event.cents}`,
  )
  return expected.toSorted().join('\n') === actual.toSorted().join('\n')
    ? []
    : [`${actual.length} events are charged, ${expected.length} happened`]
}

/** Documents amount to their lines, and these to what they charge; their numbers have no gap. */
async function faultsOfDocuments(ofDocument: ReadonlyMap<number, number>): Promise<string[]> {
  const faults: string[] = []
  const documents = await w.query<{
    id: number
    amount: number
    lines: number
    storage: number
    rest: number
    minimum: number
    events: number
    withdrawn: boolean
    open: number
  }>(
    `select d.id, (d.amount_excl * 100)::int as amount, d.withdrawn_at is not null as withdrawn, l.*,
       (select coalesce(sum(c.amount_excl * 100), 0)::int from charge_ledger k join charge c on c.site_id = k.site_id and c.id = k.charge_id
         where k.site_id = d.site_id and k.document_id = d.id) as events,
       (select count(*)::int from storage_ledger k where k.site_id = d.site_id and k.document_id = d.id and k.released_at is null)
         + (select count(*)::int from charge_ledger k where k.site_id = d.site_id and k.document_id = d.id and k.released_at is null) as open
     from document d cross join lateral (
       select coalesce(sum(quantity * price_excl * 100), 0)::int as lines,
         coalesce(sum(quantity * price_excl * 100) filter (where coalesce(kind, 'storage') = 'storage'), 0)::int as storage,
         coalesce(sum(quantity * price_excl * 100) filter (where kind = 'minimum'), 0)::int as minimum,
         coalesce(sum(quantity * price_excl * 100) filter (where kind not in ('storage', 'minimum')), 0)::int as rest
       from document_line where site_id = d.site_id and document_id = d.id) l
     where d.reason = 'storage'`,
  )
  for (const document of documents) {
    if (document.amount !== document.lines)
      faults.push(`document ${document.id} amounts to ${document.amount}, its lines to ${document.lines}`)
    const days = ofDocument.get(document.id) ?? 0
    if (document.storage !== days)
      faults.push(`document ${document.id} charges ${document.storage} for days that cost ${days}`)
    if (document.rest !== document.events)
      faults.push(`document ${document.id} charges ${document.rest} for events of ${document.events}`)
    if (document.minimum !== Math.max(0, 200 - days - document.events))
      faults.push(`document ${document.id} has a minimum of ${document.minimum}`)
    if (document.withdrawn && document.open > 0)
      faults.push(`document ${document.id} is withdrawn and charges something`)
  }
  const [gap] = await w.query(
    `select from document_counter c left join (select type, year, count(*) as n, max(number) as last from document group by 1, 2) d using (type, year)
     where (c.last, c.last) is distinct from (coalesce(d.n, 0), coalesce(d.last, 0))`,
  )
  if (gap) faults.push('numbers of documents have a gap')
  return faults
}

test(`in ${histories} random histories of a year everything is charged once, and documents amount to it`, async () => {
  const draw = chance('charges')
  const customers = await w.query<{ id: number }>(
    `insert into customer (site_id, name, street, city) select $1, 'Customer ' || nth, 'Kaai 1', 'Gent' from generate_series(1, $2::int) nth returning id`,
    [w.sites.home, Math.ceil(histories / perCustomer)],
  )
  const [truck] = await w.query<{ id: number }>(
    `insert into article (site_id, brand, description, rim) values ($1, 'Truck', 'Truck 315/80R22.5', 22.5) returning id`,
    [w.sites.home],
  )
  const wheels = await w.query<{ id: number; customer: number; vehicle: number; truck: boolean }>(
    `with car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select $1, ($2::int[])[1 + (nth - 1) / $3], 'C' || nth, 'Volvo', 'V60', 'car', $4 from generate_series(1, $5::int) nth
       returning id, customer_id)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, season, status, status_date)
     select $1, customer_id, id, case when id % 4 = 0 then $6::int else $7::int end, position, 'Michelin', 'Winter', 'winter', 'at_customer', $8
     from car, unnest(array['1A', '1B']) position
     returning id, customer_id as customer, vehicle_id as vehicle, article_id = $6 as truck`,
    [
      w.sites.home,
      customers.map(({ id }) => id),
      perCustomer,
      w.configs.home,
      histories,
      truck!.id,
      w.articles.home,
      epoch,
    ],
  )
  const state: State = {
    wheels: new Map(wheels.map(wheel => [wheel.id, { ...wheel, stays: [] }])),
    prices: [],
    events: new Map(),
    services: new Map(),
    killed: 0,
  }
  await done(
    w.ask(tariff.add, w.who.admin, {
      kind: 'overstay',
      per: 'tyre',
      after_days: longDays,
      since: epoch,
      price_excl: 3,
    }),
  )
  await done(w.ask(tariff.add, w.who.admin, { kind: 'minimum', per: 'document', since: epoch, price_excl: 2 }))
  for (const [name, cents] of [
    ['Balancing', 450],
    ['Washing', 125],
  ] as const) {
    const service = await addService(w, { name })
    await done(
      w.ask(tariff.add, w.who.admin, { kind: 'service', per: 'tyre', service, since: epoch, price_excl: cents / 100 }),
    )
    state.services.set(service, cents)
  }
  let today = 0
  for (let nth = 1; nth <= rounds; nth++) {
    today = nth * roundDays
    const date = await at(today, draw)
    await move(state, draw, today)
    await noteLong(state, today)
    await changePrices(state, draw, today)
    for (let time = 0; time < Math.ceil(histories / 60); time++) await serve(state, draw)
    for (let time = 0; time < Math.ceil(histories / 100); time++) await waive(state, draw, today)
    // a month in twice two weeks; the run goes up to today or to some day before
    if (nth % 2 === 0) await bill(state, draw, draw.likely(0.5) ? date : addDays(date, -draw.between(1, 6)))
    if (nth % 3 === 0) for (let time = 0; time < Math.ceil(histories / 500); time++) await withdraw(draw)
    // as autovacuum does where the portal runs
    if (whole) await w.query('analyze')
    if (nth % 6 === 2) expect(await faults(state, today), `after round ${nth}`).toEqual([])
  }
  expect(await faults(state, today)).toEqual([])
  expect(state.killed).toBeGreaterThan(0)
  expect(state.prices.length).toBeGreaterThan(5)
  const [{ documents, withdrawn } = { documents: 0, withdrawn: 0 }] = await w.query<{
    documents: number
    withdrawn: number
  }>(`select count(*)::int as documents, count(withdrawn_at)::int as withdrawn from document where reason = 'storage'`)
  expect(documents).toBeGreaterThan(histories / 2)
  expect(withdrawn).toBeGreaterThan(0)

  // the controls: a rule that is applied twice is noticed, to an event and to days
  await w.query('alter table charge drop constraint charge_cause')
  await w.query(
    `insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, quantity, price_excl)
     select site_id, customer_id, kind, cause, rule_id, happened_on, at, quantity, price_excl from charge where kind = 'service' limit 1`,
  )
  expect(await faults(state, today)).toEqual([expect.stringContaining('events are charged')])
  await w.query('delete from charge where id = (select max(id) from charge)')
  await w.query(
    `with twice as (
       insert into document_line (site_id, document_id, line, customer_id, description, quantity, price_excl, kind, rule_id)
       select site_id, document_id, 1000, customer_id, description, quantity, price_excl, kind, rule_id from document_line
       where kind = 'storage' limit 1 returning *)
     update document d set amount_excl = d.amount_excl + t.quantity * t.price_excl from twice t where d.site_id = t.site_id and d.id = t.document_id`,
  )
  expect(await faults(state, today)).toContainEqual(expect.stringContaining('for days that cost'))
})
