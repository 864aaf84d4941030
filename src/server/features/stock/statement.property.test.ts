/**
 * Random histories of a store, by the portal's own calls: sets come, onto a place of their own or the next free one, are moved, leave in part, are scrapped,
 * and vehicles go to another customer, also on an earlier day. Afterwards the statement of each day is what a model noted on its evening.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { chance, type Chance } from '../../../../db/demo/chance.ts'
import { addOperation } from '../../testing/operations.ts'
import { whole } from '../../testing/whole.ts'
import { world, type World } from '../../testing/world.ts'

const { stock, operations, locations, fleet } = contract
const days = whole ? 365 : 30
const vehicles = 12
// the database's own clock, by which triggers write, is later than all of it
const epoch = '2024-02-20'
let w: World
let places: number[]

beforeAll(async () => {
  w = await world({ now: new Date(`${epoch}T10:00:00Z`) })
  places = await w.addLocations({ places: 12, capacity: 200 })
})
afterAll(() => w.close())

type Wheel = { customer: number; since: IsoDate | null; place: number | null; scrapped: boolean; changed: IsoDate }
type Car = { id: number; wheels: number[] }
/** Wheels that were in store at the end of a day: whose, since when, and where. */
type Evening = Map<number, { customer: number; since: IsoDate; place: number | null }>

const done = async (reply: Promise<{ status: number; text: string }>) => {
  const { status, text } = await reply
  if (status !== 200) throw new Error(text)
}

async function handle(
  type: 'to_stock' | 'to_customer' | 'to_waste',
  { id: vehicle }: Car,
  tyres: number[],
  place?: number,
) {
  const { id } = await addOperation(w, { vehicle, customer: 0, tyres, type, status: 'submitted', scanned: true })
  if (place !== undefined) await done(w.ask(locations.move, w.who.admin, { tyres, location: place }))
  await done(w.ask(operations.confirm, w.who.admin, { operation: { _id: id }, here: 'all' }))
}

/** Applies a random action to a vehicle on a day, in the portal and in the model. */
async function deed(
  car: Car,
  wheels: Map<number, Wheel>,
  evenings: Map<IsoDate, Evening>,
  today: IsoDate,
  draw: Chance,
) {
  const wheel = (id: number) => wheels.get(id) as Wheel
  const some = (ids: number[]) => (draw.likely(0.7) ? ids : ids.filter(() => draw.likely(0.5)))
  const inside = car.wheels.filter(id => wheel(id).since !== null)
  const outside = car.wheels.filter(id => wheel(id).since === null && !wheel(id).scrapped)
  const change = (ids: number[], to: Partial<Wheel>) => {
    for (const id of ids) wheels.set(id, { ...wheel(id), ...to, changed: today })
  }
  const come = some(outside)
  if (come.length > 0 && draw.likely(0.5)) {
    await handle('to_stock', car, come, draw.likely(0.7) ? draw.pick(places) : undefined)
    // what nobody put anywhere is booked on the next free place
    const booked = await w.query<{ id: number; place: number }>(
      'select id, location_id as place from tyre where id = any ($1)',
      [come],
    )
    for (const { id, place } of booked) change([id], { since: today, place })
    return
  }
  const chosen = some(inside)
  if (chosen.length === 0) return
  if (draw.likely(0.4)) {
    const place = draw.pick(places)
    await done(w.ask(locations.move, w.who.admin, { tyres: chosen, location: place }))
    change(chosen, { place })
  } else if (draw.likely(0.7)) {
    await handle('to_customer', car, chosen)
    change(chosen, { since: null, place: null })
  } else if (draw.likely(0.2)) {
    await handle('to_waste', car, chosen)
    change(chosen, { since: null, place: null, scrapped: true })
  } else await transfer(car, wheels, evenings, today, draw)
}

/** Gives a vehicle to the other customer, today or on an earlier day since which nothing happened to its wheels. */
async function transfer(
  car: Car,
  wheels: Map<number, Wheel>,
  evenings: Map<IsoDate, Evening>,
  today: IsoDate,
  draw: Chance,
) {
  const own = car.wheels.filter(id => !wheels.get(id)?.scrapped)
  const last =
    own
      .map(id => wheels.get(id)?.changed ?? epoch)
      .toSorted()
      .at(-1) ?? epoch
  const on = draw.likely(0.5) && last < today ? last : today
  const [first] = own
  const customer = wheels.get(first ?? 0)?.customer === w.customers.a ? w.customers.b : w.customers.a
  await done(w.ask(fleet.transfer, w.who.admin, { flt_id: car.id, seq_id: customer, date: on }))
  for (const id of own) {
    const wheel = wheels.get(id) as Wheel
    wheels.set(id, { ...wheel, customer, since: wheel.since === null ? null : on, changed: today })
    // the evenings since then are the new customer's; nobody wrote down again where the wheel was
    for (const [evening, rows] of evenings)
      if (evening >= on && rows.has(id)) rows.set(id, { customer, since: on, place: null })
  }
}

test(
  `the statement of each of ${days} days of a random history is what the store was that evening`,
  { tags: 'whole' },
  async () => {
    const draw = chance('stock statement')
    const cars: Car[] = []
    const wheels = new Map<number, Wheel>()
    for (let nth = 0; nth < vehicles; nth++) {
      const id = await w.addVehicle({})
      const ids = await w.addSet({ vehicle: id })
      cars.push({ id, wheels: ids })
      for (const wheelId of ids)
        wheels.set(wheelId, { customer: w.customers.a, since: null, place: null, scrapped: false, changed: epoch })
    }
    const evenings = new Map<IsoDate, Evening>()
    for (let nth = 0; nth < days; nth++) {
      const today = addDays(epoch, nth)
      // near midnight at the site, before and after the clock changes, a day is easily mistaken
      w.clock.now = new Date(
        `${draw.likely(0.5) ? today : addDays(today, -1)}T${draw.likely(0.5) ? '12:00' : '23:30'}:00Z`,
      )
      const local = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Brussels', dateStyle: 'short' }).format(
        w.clock.now,
      )
      if (local !== today) w.clock.now = new Date(`${today}T12:00:00Z`)
      await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
      for (const car of draw.shuffled(cars).slice(0, 3)) await deed(car, wheels, evenings, today, draw)
      evenings.set(
        today,
        new Map(
          [...wheels].flatMap(([id, { customer, since, place }]) =>
            since === null ? [] : [[id, { customer, since, place }]],
          ),
        ),
      )
    }
    const racks = new Map(
      (await w.ask(locations.all, w.who.admin, {})).answer.map(({ _id, stock_rack }) => [stock_rack, _id]),
    )
    const asRows = (evening: Evening) => [...evening].toSorted(([left], [other]) => left - other)
    let compared = 0
    for (const [date, evening] of evenings) {
      const { answer } = await w.ask(stock.statement, w.who.admin, { date })
      const statement: Evening = new Map(
        answer.rows.map(({ db_id, seq_id, since, stock_rack }) => [
          db_id,
          { customer: seq_id, since, place: stock_rack === null ? null : (racks.get(stock_rack) ?? -1) },
        ]),
      )
      expect(asRows(statement), date).toEqual(asRows(evening))
      expect(answer.wheel_count).toBe(evening.size)
      for (const { seq_id, wheel_count: counted } of answer.customers)
        expect(counted).toBe([...evening.values()].filter(({ customer }) => customer === seq_id).length)
      compared += evening.size
    }
    expect(compared).toBeGreaterThan(days * 10)
    const owners = new Set(
      [...evenings.values()].flatMap(evening => [...evening.values()].map(({ customer }) => customer)),
    )
    expect(owners.size, 'vehicles went to another customer').toBe(2)
  },
)
