/**
 * What people do in a tyre hotel, at random, done to the portal and to a model of it side by side (drill/hotelModel.ts): after
 * each step both say the same, and refuse for the same reason (docs/promises.md "States"). What differs is shrunk to the fewest steps that show it.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { openTestServer } from '../src/server/testing/setup.ts'
import { addService, addTransport } from '../src/server/testing/operations.ts'
import { world, type Principal, type Reply, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import {
  Hotel,
  kinds,
  plusDays,
  positions,
  services,
  transportRules,
  transports,
  type Fields,
  type Kind,
  type Person,
  type Reasons,
  type Rules,
  type Settings,
  type Status,
  setOf,
  type Transport,
} from './hotelModel.ts'

export const promise = 6
export const summary = 'random work of a tyre hotel: portal and model agree'
export const long = true

const monday = '2026-11-09'
const momentOf = (date: string): Date => new Date(`${date}T10:00:00Z`)

/** One fleet of a customer of its own, as the portal knows it: its numbers by those of the model. */
type Real = {
  readonly hall: Hall
  readonly who: Record<Person, Principal>
  readonly vehicles: number[]
  readonly tyres: number[]
  readonly operations: number[]
  readonly scans: string[]
  readonly transport: Record<Transport | 'foreign', number>
}

/** A portal on a database of its own, where one fleet after the other is tried. */
type Hall = { readonly w: World; readonly services: number[]; readonly foreign: number }

// What is asked ---------------------------------------------------------------------------------------------------------

/** Numbers choose among what is there, whatever that is by then. */
type Asked =
  | { do: 'create'; by: Person; vehicle: number; tyres: number[]; kind: Kind; careful: boolean }
  | { do: 'edit'; by: Person; operation: number; fields: Fields; submit: boolean; late: number; ready: boolean }
  | { do: 'undo' | 'remove' | 'cancel' | 'scanWhole'; by: Person; operation: number; ready: boolean }
  | { do: 'confirm'; by: Person; operation: number; ready: boolean; anyway: boolean; document: boolean }
  | { do: 'scan'; by: Person; tyre: number; kind: Kind | null; open: boolean }
  | { do: 'rescan'; scan: number }
  | { do: 'add'; by: Person; vehicle: number; places: string[]; set: string | null }
  | { do: 'rename'; by: Person; tyres: number[]; set: string; together: boolean }
  | { do: 'takeOff'; by: Person; tyres: number[] }
  | { do: 'sell'; by: Person; vehicle: number }
  | { do: 'booked'; transport: Transport }
  | { do: 'morning' }

const some = fc.nat({ max: 1000 })
const by = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<Person>('customer', 'admin') },
  { weight: 1, arbitrary: fc.constantFrom<Person>('neighbour', 'stranger') },
)
const admin = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Person>('admin') },
  { weight: 1, arbitrary: fc.constantFrom<Person>('customer', 'neighbour', 'stranger') },
)
const kind = fc.constantFrom(...kinds)
/** Whether what is chosen is chosen among those that the step is for. */
const ready = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false))
const several = fc.array(some, { minLength: 1, maxLength: 4 })
const set = fc.constantFrom('Winter', 'Summer', 'Spare')
const fields: fc.Arbitrary<Fields> = fc.record(
  {
    remarks: fc.constantFrom('', 'Call first', 'Ring twice'),
    rims: fc.constantFrom('steel', 'aluminum', null),
    bolts: fc.boolean(),
    hubcaps: fc.boolean(),
    tachometer: fc.constantFrom(null, 1, 81_000),
    services: fc.uniqueArray(fc.nat({ max: services.length - 1 })),
    transport: fc.constantFrom('van' as const, 'courier' as const, 'foreign' as const, null),
    day: fc.constant(null),
  },
  { requiredKeys: [] },
)

/** Their rules are asked before those of a delivery, after those of parts: a change of nothing else shows them. */
const onlyServices: fc.Arbitrary<Fields> = fc.record({
  services: fc.constantFrom<number[][]>([], [2], [0, 1], [1], [3]),
})

type Weighed = { weight: number; arbitrary: fc.Arbitrary<Asked> }
const asks: Weighed[] = [
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('create'),
      by,
      vehicle: some,
      tyres: several,
      kind,
      careful: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  {
    weight: 11,
    arbitrary: fc.record({
      do: fc.constant('edit'),
      by,
      operation: some,
      // mostly a day is said, in days from today
      late: fc.constantFrom(-1, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 200),
      ready,
      fields: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: fields }, onlyServices),
      submit: ready,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo'), by, operation: some, ready }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), by, operation: some, ready }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel'), by: admin, operation: some, ready }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('confirm'),
      by: admin,
      operation: some,
      ready,
      anyway: fc.boolean(),
      document: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('scan'),
      by: admin,
      tyre: some,
      kind: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, kind),
      open: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('scanWhole'), by: admin, operation: some, ready }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rescan'), scan: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add'),
      by,
      vehicle: some,
      places: fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string[]>(...positions) }, fc.constant('3A')), {
        minLength: 1,
        maxLength: 4,
      }),
      set: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, set),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('rename'), by, tyres: several, set, together: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('takeOff'), by, tyres: several }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sell'), by, vehicle: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('booked'), transport: fc.constantFrom(...transports) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('morning') }) },
]

// What is done ----------------------------------------------------------------------------------------------------------

const at = (list: { readonly length: number }, choice: number): number => choice % list.length
const chosen = (from: readonly number[], choices: readonly number[]): number[] => [
  ...new Set(choices.flatMap(choice => from[at(from, choice)] ?? [])),
]

/** How often each kind of step was taken, and refused for which reason. */
export type Seen = Map<string, number>
const count = (seen: Seen, what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)

/** One step, done to both. It throws where they do not agree. */
class Step implements fc.AsyncCommand<Hotel, Real> {
  readonly asked: Asked
  readonly seen: Seen
  constructor(asked: Asked, seen: Seen) {
    this.asked = asked
    this.seen = seen
  }

  check({ operations, scans }: Readonly<Hotel>): boolean {
    const { asked } = this
    if ('operation' in asked) return operations.length > 0
    return asked.do !== 'rescan' || scans.length > 0
  }

  async run(model: Hotel, real: Real): Promise<void> {
    const { why, reply } = await doBoth(this.asked, model, real)
    const told = reply === null ? 'done' : reply.status === 200 ? 'done' : reply.refusal.code
    count(this.seen, `${this.asked.do} ${told}`)
    const agreed = why.size > 0 ? why.has(told) : told === 'done'
    if (!agreed) throw new Error(`the portal says ${told}, the model ${[...why].join(' or ') || 'done'}`)
    await compare(model, real)
  }

  toString(): string {
    return JSON.stringify(this.asked)
  }
}

/** The operation that is meant: among those in this status where the step is to be `ready`, else among all. */
function meant(model: Hotel, { operation, ready }: { operation: number; ready: boolean }, status: string): number {
  const fitting = model.operations.flatMap((one, nth) => (one.status === status ? [nth] : []))
  return (ready ? fitting[at(fitting, operation)] : undefined) ?? at(model.operations, operation)
}

type Both = { why: Reasons; reply: Reply<unknown> | null }

/** Both sides of a step, and what most steps need of them. */
type Sides = {
  readonly model: Hotel
  readonly real: Real
  readonly hall: Hall
  readonly w: World
  readonly who: Real['who']
  /** Every tyre of the model. */
  readonly all: readonly number[]
  readonly idOf: (operation: number) => { operation: { _id: number | undefined } }
}

const steps: { readonly [D in Asked['do']]: (asked: Asked & { do: D }, sides: Sides) => Promise<Both> } = {
  async create(asked, { model, real, w, who, all }) {
    const vehicle = at(model.vehicles, asked.vehicle)
    const fitting = all.filter(tyre => model.tyres[tyre]?.vehicle === vehicle && model.mayTake(asked.kind, tyre))
    const tyres = chosen(asked.careful && fitting.length > 0 ? fitting : all, asked.tyres)
    const reply = await w.send('/operations/new', who[asked.by], {
      operation: {
        flt_id: real.vehicles[vehicle],
        tyres: tyres.map(tyre => real.tyres[tyre]),
        operationType: asked.kind,
      },
    })
    if (reply.status === 200) real.operations.push((reply.answer as { _id: number })._id)
    return { why: model.create(asked.by, vehicle, tyres, asked.kind), reply }
  },
  async edit(asked, { model, real, hall, w, who, idOf }) {
    const operation = meant(model, asked, 'pending')
    // a recall is asked for a day; anything else is now and then
    const recall = model.operations[operation]?.kind === 'to_customer'
    const said: Fields = { ...asked.fields }
    if (asked.fields.day === undefined && (recall || asked.late < 0)) said.day = plusDays(model.today, asked.late)
    const { rims, bolts, hubcaps, services: wanted, transport, day, ...rest } = said
    const reply = await w.send('/operations/update', who[asked.by], {
      operation: {
        ...idOf(operation).operation,
        ...rest,
        ...(rims !== undefined && { withRims: rims }),
        ...(bolts !== undefined && { withBolts: bolts }),
        ...(hubcaps !== undefined && { withHubcaps: hubcaps }),
        ...(wanted && { services: wanted.map(nth => hall.services[nth]) }),
        ...(transport !== undefined && { transport: transport === null ? null : real.transport[transport] }),
        ...(day !== undefined && { deliveryDate: day }),
        ...(asked.submit && { status: 'submitted' }),
      },
    })
    return { why: model.edit(asked.by, operation, said, asked.submit), reply }
  },
  async undo(asked, { model, w, who, idOf }) {
    const operation = meant(model, asked, 'submitted')
    const body = { operation: { ...idOf(operation).operation, status: 'pending' } }
    return {
      reply: await w.send('/operations/update', who[asked.by], body),
      why: model.undo(asked.by, operation),
    }
  },
  async remove(asked, { model, w, who, idOf }) {
    const operation = meant(model, asked, 'pending')
    return {
      reply: await w.send('/operations/delete', who[asked.by], idOf(operation)),
      why: model.remove(asked.by, operation),
    }
  },
  async cancel(asked, { model, w, who, idOf }) {
    const operation = meant(model, asked, 'submitted')
    return {
      reply: await w.send('/operations/cancel', who[asked.by], idOf(operation)),
      why: model.cancel(asked.by, operation),
    }
  },
  async confirm(asked, { model, w, who, idOf }) {
    const operation = meant(model, asked, 'submitted')
    const { anyway, document } = asked
    return {
      reply: await w.send('/operations/confirm', who[asked.by], { ...idOf(operation), anyway, document }),
      why: model.confirm(asked.by, operation, anyway, document),
    }
  },
  async scan(asked, { model, real, w, who, all }) {
    const open = all.filter(tyre => {
      const one = model.openOf(tyre)
      return one !== null && model.operations[one]?.status === 'submitted'
    })
    const tyre = (asked.open && open[at(open, asked.tyre)]) || at(all, asked.tyre)
    const scanId = randomUUID()
    const reply = await w.send('/operations/markscan', who[asked.by], {
      tyres: [{ tyreId: real.tyres[tyre], scanId }],
      ...(asked.kind && { type: asked.kind }),
    })
    const { why, answered } = model.scan(asked.by, tyre, asked.kind)
    if (answered.length > 0) real.scans.push(scanId)
    expectTyres(reply, answered, real)
    return { why, reply }
  },
  async scanWhole(asked, { model, real, w, who, idOf }) {
    const operation = meant(model, asked, 'submitted')
    const reply = await w.send('/operations/markscan', who[asked.by], idOf(operation))
    const { why, answered } = model.scanWhole(asked.by, operation)
    expectTyres(reply, answered, real)
    return { why, reply }
  },
  async rescan(asked, { model, real, w, who }) {
    // a device that heard no answer sends its scan again: applied once, answered with its tyre
    const nth = at(model.scans, asked.scan)
    const tyre = model.scans[nth]?.tyre ?? 0
    const deleted = model.operations[model.scans[nth]?.operation ?? 0]?.status === 'deleted'
    const scan = { tyreId: real.tyres[tyre], scanId: real.scans[nth] }
    const reply = await w.send('/operations/markscan', who.admin, { tyres: [scan] })
    expectTyres(reply, deleted ? [] : [tyre], real)
    return { why: new Set(), reply }
  },
  async add(asked, { model, real, w, who }) {
    const vehicle = at(model.vehicles, asked.vehicle)
    const reply = await w.send('/fleet/addtyres', who[asked.by], {
      flt_id: real.vehicles[vehicle],
      ...(asked.set !== null && { tyre_set: asked.set }),
      tyres: asked.places.map(position => ({ position, art_id: w.articles.home })),
    })
    if (reply.status === 200) real.tyres.push(...(reply.answer as { db_id: [number] }[]).map(tyre => tyre.db_id[0]))
    return { why: model.add(asked.by, vehicle, asked.places, asked.set), reply }
  },
  async rename(asked, { model, real, w, who, all }) {
    // nothing lets anybody select waste (docs/product.md "Tyre list")
    const usable = all.filter(tyre => model.tyres[tyre]?.status !== 'waste')
    const first = usable[at(usable, asked.tyres[0] ?? 0)]
    const from = asked.together
      ? usable.filter(tyre => model.tyres[tyre]?.vehicle === model.tyres[first ?? 0]?.vehicle)
      : usable
    const tyres = chosen(from, asked.tyres)
    if (tyres.length === 0) return { why: new Set(), reply: null }
    const reply = await w.send('/fleet/changetyreset', who[asked.by], {
      tyres: tyres.map(tyre => real.tyres[tyre]),
      tyre_set: asked.set,
    })
    return { why: model.rename(asked.by, tyres, asked.set), reply }
  },
  async takeOff(asked, { model, real, w, who, all }) {
    const tyres = chosen(all, asked.tyres)
    return {
      reply: await w.send('/fleet/deletetyres', who[asked.by], { tyres: tyres.map(tyre => real.tyres[tyre]) }),
      why: model.takeOff(asked.by, tyres),
    }
  },
  async sell(asked, { model, real, w, who }) {
    const vehicle = at(model.vehicles, asked.vehicle)
    return {
      reply: await w.send('/fleet/inactivate', who[asked.by], { flt_id: real.vehicles[vehicle] }),
      why: model.sell(asked.by, vehicle),
    }
  },
  async booked(asked, { model, real, w, who }) {
    const reply = await w.send('/operations/bookedtransportdays', who.customer, {
      transportMethod: real.transport[asked.transport],
    })
    same('the booked days', reply.answer, model.booked(asked.transport))
    return { why: new Set(), reply }
  },
  async morning(_, { model, hall }) {
    model.today = plusDays(model.today, 1)
    await beAt(hall, model.today)
    return { why: new Set(), reply: null }
  },
}

function doBoth(asked: Asked, model: Hotel, real: Real): Promise<Both> {
  const { hall, who } = real
  const step = steps[asked.do] as (asked: Asked, sides: Sides) => Promise<Both>
  return step(asked, {
    model,
    real,
    hall,
    w: hall.w,
    who,
    all: [...model.tyres.keys()],
    idOf: operation => ({ operation: { _id: real.operations[operation] } }),
  })
}

const inOrder = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b)

function expectTyres(reply: Reply<unknown>, tyres: readonly number[], { tyres: ids }: Real): void {
  if (reply.status !== 200) return
  const told = (reply.answer as { db_id: [number] }[]).map(tyre => ids.indexOf(tyre.db_id[0]))
  same('the tyres that were scanned', inOrder(told), inOrder(tyres))
}

function same(what: string, portal: unknown, model: unknown): void {
  if (!isDeepStrictEqual(portal, model))
    throw new Error(`${what}: the portal says ${JSON.stringify(portal)}, the model ${JSON.stringify(model)}`)
}

const yes = (value: boolean): string => (value ? 'Y' : 'N')

/** Everything that the customer sees, as the portal and as the model have it. */
async function compare(model: Hotel, real: Real): Promise<void> {
  const { w } = real.hall
  const [fleet, work] = await Promise.all([
    w.send('/fleet/fetch', real.who.customer, {}),
    w.send('/operations/fetch', real.who.customer, {}),
  ])
  if (fleet.status !== 200 || work.status !== 200) throw new Error(`the fleet is refused: ${fleet.text} ${work.text}`)
  const tyres = (fleet.answer as WireVehicle[]).flatMap(vehicle =>
    vehicle.tyres[0].tyre.map(tyre => ({
      tyre: real.tyres.indexOf(tyre.db_id[0]),
      vehicle: real.vehicles.indexOf(vehicle.flt_id[0]),
      position: tyre.position[0],
      set: tyre.tyre_set[0],
      status: tyre.tyre_status[0],
      since: tyre.status_date[0],
      rims: tyre.stock_rims[0],
      bolts: tyre.stock_bolts[0],
      hubcaps: tyre.stock_hubcaps[0],
      operation: tyre.operation[0] === null ? null : real.operations.indexOf(tyre.operation[0]),
      action: tyre.action[0],
    })),
  )
  const known = model.tyres.flatMap((tyre, nth) => {
    if (tyre.gone || model.vehicles[tyre.vehicle]?.gone) return []
    const operation = model.openOf(nth)
    return {
      tyre: nth,
      vehicle: tyre.vehicle,
      position: tyre.position,
      set: tyre.set ?? 'setless',
      status: tyre.status,
      since: tyre.since.replaceAll('-', ''),
      rims: tyre.rims,
      bolts: yes(tyre.bolts),
      hubcaps: yes(tyre.hubcaps),
      operation,
      action: operation === null ? null : (model.operations[operation]?.kind ?? null),
    }
  })
  for (const [nth, tyre] of tyres.toSorted((a, b) => a.tyre - b.tyre).entries()) same('a tyre', tyre, known[nth])
  same('how many tyres there are', tyres.length, known.length)

  const made = (work.answer as WireOperation[]).map(one => ({
    operation: real.operations.indexOf(one._id),
    kind: one.type,
    status: one.status,
    vehicle: real.vehicles.indexOf(one.flt_id),
    scans: one.tyres
      .map(tyre => [real.tyres.indexOf(tyre.db_id[0]), tyre.scanTimes[0], tyre.scanned[0] === 'T'])
      .toSorted(),
    services: one.services.map(service => real.hall.services.indexOf(service)),
    transport: transports.find(name => real.transport[name] === one.transport) ?? one.transport,
    day: one.deliveryDate,
    remarks: one.remarks,
    rims: one.withRims,
    bolts: one.withBolts,
    hubcaps: one.withHubcaps,
    tachometer: one.tachometer,
    documented: one.document !== null,
    submitted: one.submitted !== null,
    handled: one.handledAt !== null,
  }))
  const wanted = model.operations
    .flatMap((one, nth) =>
      one.status === 'deleted'
        ? []
        : {
            operation: nth,
            kind: one.kind,
            status: one.status,
            vehicle: one.vehicle,
            scans: [...one.tyres].map(([tyre, times]) => [tyre, times, times > 0]).toSorted(),
            services: one.services,
            transport: one.transport,
            day: one.day,
            remarks: one.remarks,
            rims: one.rims,
            bolts: one.bolts,
            hubcaps: one.hubcaps,
            tachometer: one.tachometer,
            documented: one.documented,
            submitted: one.status !== 'pending',
            handled: one.status === 'confirmed' || one.status === 'cancelled',
          },
    )
    // newest first
    .toReversed()
  for (const [nth, one] of made.entries()) same('an operation', one, wanted[nth])
  same('how many operations there are', made.length, wanted.length)
}

type WireTyre = Record<
  'db_id' | 'position' | 'tyre_set' | 'tyre_status' | 'status_date' | 'stock_rims' | 'stock_bolts' | 'stock_hubcaps',
  [never]
> & { db_id: [number]; operation: [number | null]; action: [string | null]; scanned: [string]; scanTimes: [number] }
type WireVehicle = { flt_id: [number]; tyres: [{ tyre: WireTyre[] }] }
type WireOperation = {
  _id: number
  type: string
  status: string
  flt_id: number
  tyres: WireTyre[]
  services: number[]
  transport: number | null
  deliveryDate: string | null
  remarks: string
  withRims: string | null
  withBolts: boolean
  withHubcaps: boolean
  tachometer: number | null
  document: number | null
  submitted: string | null
  handledAt: string | null
}

/** What stays of a sequence, seen by its owner: every change of status is in the audit, every move of a tyre in its history. */
async function compareRecords(model: Hotel, { hall: { w }, who }: Real): Promise<void> {
  const [records] = await w.query(
    `select (select count(*)::int from audit where customer_id = $1
         and action in ('operation.submit', 'operation.undo', 'operation.confirm', 'operation.cancel', 'operation.delete')) as changes,
       (select count(*)::int from tyre_event where customer_id = $1 and kind in ('received', 'delivered', 'scrapped')) as moves,
       (select count(*)::int from document where customer_id = $1) as documents`,
    [who.customer.customer],
  )
  const documents = model.operations.filter(one => one.documented).length
  same('the records', records, { changes: model.changes, moves: model.moves, documents })
}

// Where it happens ------------------------------------------------------------------------------------------------------

const statuses = ['on_vehicle', 'in_stock', 'on_spare', 'waste', 'at_customer'] as const satisfies readonly Status[]
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Status>('at_customer', 'in_stock') },
  { weight: 1, arbitrary: fc.constantFrom<Status>(...statuses) },
)

async function openHall(server: Awaited<ReturnType<typeof openTestServer>>): Promise<Hall> {
  const w = await world({ server, now: momentOf(monday) })
  const made: number[] = []
  for (const { kind: type, preselected, blocked } of services)
    made.push(await addService(w, { type, preselected, blocked }))
  return { w, services: made, foreign: await addTransport(w, { site: w.sites.other }) }
}

/** Moves the clock of the portal; nobody is signed out by it. */
async function beAt({ w }: Hall, date: string): Promise<void> {
  w.clock.now = momentOf(date)
  await w.query('update session set created_at = $1, seen_at = $1', [w.clock.now])
}

/** A customer with an account, two vehicles and their tyres, and the site's transports, none of which is booked. */
async function openFleet(hall: Hall, tyres: readonly (readonly Status[])[]): Promise<Real> {
  const { w } = hall
  await beAt(hall, monday)
  const token = randomBytes(32).toString('base64url')
  const name = randomUUID()
  const [made] = await w.query<{ customer: number; account: number; vehicles: number[]; tyres: number[] }>(
    `with removed as (update transport_method set removed_at = now(), is_default = false where site_id = $1 and removed_at is null),
     owner as (insert into customer (site_id, name) values ($1, $2) returning id),
     account as (
       insert into account (site_id, customer_id, username, fullname, type, language, password)
       select $1, id, $2, $2, 'user', 'eng', '' from owner returning id),
     session as (
       insert into session (token_hash, account_id, site_id, created_at, seen_at) select $3, id, $1, $4, $4 from account),
     car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select $1, id, upper(translate(left($2, 18), '-', '')) || nth, 'Volvo', 'V60', 'car', $5 from owner, generate_series(1, 2) nth order by nth returning id),
     numbered as (select id, row_number() over (order by id) as nth from car),
     wheel as (
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
       select $1, owner.id, c.id, $6, t.position, 'Alpin 6', t.tyre_set, t.status, $4::date
       from owner, json_to_recordset($7::json) as t (place int, vehicle int, position text, tyre_set text, status text)
         join numbered c on c.nth = t.vehicle order by t.place returning id)
     select (select id from owner) as customer, (select id from account) as account,
       array(select id from car order by id) as vehicles, array(select id from wheel order by id) as tyres`,
    [
      w.sites.home,
      name,
      createHash('sha256').update(token).digest(),
      w.clock.now,
      w.configs.home,
      w.articles.home,
      JSON.stringify(
        tyres.flatMap((of, vehicle) =>
          of.map((one, nth) => ({
            place: vehicle * 100 + nth,
            vehicle: vehicle + 1,
            position: positions[nth % 4],
            tyre_set: setOf(vehicle, nth),
            status: one,
          })),
        ),
      ),
    ],
  )
  if (!made) throw new Error('no fleet was made')
  const transport = { foreign: hall.foreign } as Record<Transport | 'foreign', number>
  for (const which of transports) {
    const { weekdays, advance, operations, tyres: most } = transportRules[which]
    transport[which] = await addTransport(w, {
      isDefault: which === 'van',
      days: [...weekdays],
      advanceDays: advance,
      operationsPerDay: operations,
      tyresPerDay: most,
    })
  }
  return {
    hall,
    who: {
      customer: { ...w.who.a, name, account: made.account, customer: made.customer, cookie: `wheelhouse=${token}` },
      neighbour: w.who.b,
      admin: w.who.admin,
      stranger: w.who.otherAdmin,
    },
    vehicles: made.vehicles,
    tyres: made.tyres,
    operations: [],
    scans: [],
    transport,
  }
}

/** The sites that are tried, one after the other. */
const sites: Settings[] = [
  { autoProcess: false, documents: false, exceptions: [], tachometer: true },
  { autoProcess: true, documents: true, exceptions: [], tachometer: false },
  { autoProcess: false, documents: true, exceptions: ['to_waste'], tachometer: true },
  { autoProcess: true, documents: true, exceptions: ['to_stock', 'to_customer'], tachometer: true },
]

/** Tries so many sequences at a site; answers what they came to. `wrong` are rules that the model is to have instead. */
async function tries(
  hall: Hall,
  settings: Settings,
  { times, seed, seen, wrong = {} }: { times: number; seed: number; seen: Seen; wrong?: Partial<Rules> },
) {
  await hall.w.setSite(hall.w.sites.home, {
    auto_process_intake_on_full_scan: settings.autoProcess,
    do_doc_insert: settings.documents,
    doc_insert_exceptions: settings.exceptions,
    allow_tachometer: settings.tachometer,
    show_waste_tyres: true,
  })
  const steps = fc.commands([fc.oneof(...asks).map((asked): fc.AsyncCommand<Hotel, Real> => new Step(asked, seen))], {
    size: 'max',
    maxCommands: 45,
  })
  const property = fc.asyncProperty(
    fc.array(status, { minLength: 4, maxLength: 6 }),
    fc.array(status, { minLength: 1, maxLength: 5 }),
    steps,
    async (first, second, commands) => {
      const model = new Hotel(settings, monday, wrong)
      for (const tyres of [first, second]) model.addVehicle(tyres)
      const real = await openFleet(hall, [first, second])
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await compareRecords(model, real)
    },
  )
  const controlled = Object.keys(wrong).length > 0
  return fc.check(property, {
    numRuns: times,
    seed,
    // of a control only that it fails is asked; of the rest the fewest steps that show it, within a minute
    endOnFailure: controlled,
    ...(!controlled && { interruptAfterTimeLimit: 60_000 + times * 2_000 }),
  })
}

/** Models of a hotel that would be another one; each has to be found out. */
const wrongs: Record<string, { wrong: Partial<Rules>; site: number }> = {
  'waste is stored again': {
    wrong: { refuses: { to_stock: ['in_stock'], to_customer: [], to_waste: [], delete: ['in_stock', 'waste'] } },
    site: 0,
  },
  'a recall leaves tyres in stock': {
    wrong: { becomes: { to_stock: 'in_stock', to_customer: 'in_stock', to_waste: 'waste' } },
    site: 0,
  },
  'a cancelled operation keeps its tyres': { wrong: { cancelFrees: false }, site: 0 },
  'a customer takes a submission back': { wrong: { undoBy: ['admin', 'customer'] }, site: 0 },
  'an undone submission loses its scans': { wrong: { scansSurviveUndo: false }, site: 0 },
  'the last scan confirms nothing': { wrong: { lastScanConfirms: false }, site: 1 },
  'one setless tyre too many': { wrong: { needsName: (setless, places) => setless > places }, site: 0 },
  'waste holds its position': { wrong: { wasteHoldsPosition: true }, site: 0 },
  'a day takes one recall more': {
    wrong: { full: (operations, _, rule) => rule.operations > 0 && operations > rule.operations },
    site: 0,
  },
  'blocked services come off': { wrong: { blockedStays: false }, site: 0 },
}

/** Steps that were never refused, or never done, were not tried. */
const mustBeSeen = (seen: Seen): string[] =>
  [
    'create',
    'edit',
    'undo',
    'remove',
    'cancel',
    'confirm',
    'scan',
    'scanWhole',
    'add',
    'rename',
    'takeOff',
    'sell',
  ].flatMap(step => {
    const words = [...seen.keys()].filter(key => key.startsWith(`${step} `))
    const done = words.includes(`${step} done`)
    return done && words.length > 1 ? [] : [`${step} was only ${words.join(', ') || 'left out'}`]
  })

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const sequences = short ? 60 : 2000
  const controls = Object.entries(wrongs).slice(0, short ? 2 : Number.POSITIVE_INFINITY)
  const checks = tally(log)
  const seen: Seen = new Map()
  const server = await openTestServer()
  try {
    // two halls: what one portal waits for of its database, the other one works
    const halls = await Promise.all([openHall(server), openHall(server)])
    const seedOf = () => (short ? 1 : randomBytes(4).readInt32BE())
    const queue = Array.from({ length: short ? sites.length : sites.length * 5 }, (_, nth) => nth)
    const times = sequences / queue.length
    await Promise.all(
      halls.map(async hall => {
        for (let nth = queue.shift(); nth !== undefined; nth = queue.shift()) {
          const settings = sites[nth % sites.length] as Settings
          const came = await tries(hall, settings, { times, seed: seedOf() + nth, seen })
          const why = `${String(came.errorInstance)}: ${came.counterexample?.map(String).join('; ')} (seed ${came.seed}, site ${nth % sites.length})`
          checks.add(came.numRuns, came.failed ? [why] : [])
          if (!came.failed && came.numRuns < times)
            checks.check('sequences', `only ${came.numRuns} of ${times} were tried`)
        }
        for (let next = controls.shift(); next; next = controls.shift()) {
          const [what, { wrong, site }] = next
          const came = await tries(hall, sites[site] as Settings, {
            // it ends with the first that goes wrong
            times: 3000,
            seed: seedOf(),
            seen: new Map(),
            wrong,
          })
          checks.control(what, came.failed)
        }
        await hall.w.close()
      }),
    )
    if (!short) for (const gap of mustBeSeen(seen)) checks.check('steps', gap)
    const steps = [...seen.values()].reduce((sum, times) => sum + times, 0)
    const done = [...seen].reduce((sum, [what, times]) => sum + (what.endsWith(' done') ? times : 0), 0)
    return checks.result(`${steps} steps, ${steps - done} of them refused`)
  } finally {
    await server.end()
  }
}
