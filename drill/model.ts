/**
 * Model-based test (docs/promises.md "States"): random steps run on the portal and on a model (drill/hotelModel.ts).
 * After each step state and refusals must agree. A difference is shrunk to the shortest sequence.
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
  type Caller,
  type Reasons,
  type Rules,
  type Settings,
  type Status,
  setOf,
  type Transport,
} from './hotelModel.ts'

export const promise = 6
export const summary = 'random sequences: portal and model agree'
export const long = true

const monday = '2026-11-09'
const momentOf = (date: string): Date => new Date(`${date}T10:00:00Z`)

/** A customer's fleet in the portal: portal ids by the model's indexes. */
type PortalFleet = {
  readonly portal: Portal
  readonly who: Record<Caller, Principal>
  readonly vehicles: number[]
  readonly tyres: number[]
  readonly operations: number[]
  readonly scans: string[]
  readonly transport: Record<Transport | 'foreign', number>
}

/** A portal on its own database, on which one fleet after the other is tested. */
type Portal = { readonly w: World; readonly services: number[]; readonly foreign: number }

// Steps ---------------------------------------------------------------------------------------------------------

/** Indexes are taken modulo the number of existing records. */
type StepInput =
  | { do: 'create'; by: Caller; vehicle: number; tyres: number[]; kind: Kind; onlyValid: boolean }
  | {
      do: 'edit'
      by: Caller
      operation: number
      fields: Fields
      submit: boolean
      dayOffset: number
      matchingStatus: boolean
    }
  | { do: 'undo' | 'remove' | 'cancel' | 'markAll'; by: Caller; operation: number; matchingStatus: boolean }
  | { do: 'confirm'; by: Caller; operation: number; matchingStatus: boolean; anyway: boolean; document: boolean }
  | { do: 'scan'; by: Caller; tyre: number; kind: Kind | null; open: boolean }
  | { do: 'rescan'; scan: number }
  | { do: 'add'; by: Caller; vehicle: number; places: string[]; set: string | null }
  | { do: 'rename'; by: Caller; tyres: number[]; set: string; oneVehicle: boolean }
  | { do: 'deleteTyres'; by: Caller; tyres: number[] }
  | { do: 'removeVehicle'; by: Caller; vehicle: number }
  | { do: 'bookedDays'; transport: Transport }
  | { do: 'nextDay' }

const index = fc.nat({ max: 1000 })
const by = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<Caller>('customer', 'admin') },
  { weight: 1, arbitrary: fc.constantFrom<Caller>('otherCustomer', 'otherSiteAdmin') },
)
const admin = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Caller>('admin') },
  { weight: 1, arbitrary: fc.constantFrom<Caller>('customer', 'otherCustomer', 'otherSiteAdmin') },
)
const kind = fc.constantFrom(...kinds)
/** Whether the record is picked among those that the step is valid for. */
const matchingStatus = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false))
const indexes = fc.array(index, { minLength: 1, maxLength: 4 })
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

/** Service rules are checked before those of a delivery and after those of parts: only a change of services alone reaches them. */
const onlyServices: fc.Arbitrary<Fields> = fc.record({
  services: fc.constantFrom<number[][]>([], [2], [0, 1], [1], [3]),
})

type Weighted = { weight: number; arbitrary: fc.Arbitrary<StepInput> }
const stepInputs: Weighted[] = [
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('create'),
      by,
      vehicle: index,
      tyres: indexes,
      kind,
      onlyValid: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  {
    weight: 11,
    arbitrary: fc.record({
      do: fc.constant('edit'),
      by,
      operation: index,
      // mostly with a day, in days from today
      dayOffset: fc.constantFrom(-1, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 200),
      matchingStatus,
      fields: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: fields }, onlyServices),
      submit: matchingStatus,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo'), by, operation: index, matchingStatus }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), by, operation: index, matchingStatus }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel'), by: admin, operation: index, matchingStatus }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('confirm'),
      by: admin,
      operation: index,
      matchingStatus,
      anyway: fc.boolean(),
      document: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('scan'),
      by: admin,
      tyre: index,
      kind: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, kind),
      open: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('markAll'), by: admin, operation: index, matchingStatus }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rescan'), scan: index }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add'),
      by,
      vehicle: index,
      places: fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string[]>(...positions) }, fc.constant('3A')), {
        minLength: 1,
        maxLength: 4,
      }),
      set: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, set),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('rename'), by, tyres: indexes, set, oneVehicle: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteTyres'), by, tyres: indexes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeVehicle'), by, vehicle: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bookedDays'), transport: fc.constantFrom(...transports) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('nextDay') }) },
]

// Execution ----------------------------------------------------------------------------------------------------------

const at = (list: { readonly length: number }, choice: number): number => choice % list.length
const chosen = (from: readonly number[], choices: readonly number[]): number[] => [
  ...new Set(choices.flatMap(choice => from[at(from, choice)] ?? [])),
]

/** The number of steps by kind and outcome. */
export type StepCounts = Map<string, number>
const count = (counts: StepCounts, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

/** One step on both sides. It throws when they differ. */
class Step implements fc.AsyncCommand<Hotel, PortalFleet> {
  readonly input: StepInput
  readonly counts: StepCounts
  constructor(input: StepInput, counts: StepCounts) {
    this.input = input
    this.counts = counts
  }

  check({ operations, scans }: Readonly<Hotel>): boolean {
    const { input } = this
    if ('operation' in input) return operations.length > 0
    return input.do !== 'rescan' || scans.length > 0
  }

  async run(model: Hotel, real: PortalFleet): Promise<void> {
    const { expectedRefusals, reply } = await runBoth(this.input, model, real)
    const actual = reply === null ? 'done' : reply.status === 200 ? 'done' : reply.refusal.code
    count(this.counts, `${this.input.do} ${actual}`)
    const agreed = expectedRefusals.size > 0 ? expectedRefusals.has(actual) : actual === 'done'
    if (!agreed)
      throw new Error(`the portal answers ${actual}, the model ${[...expectedRefusals].join(' or ') || 'done'}`)
    await compare(model, real)
  }

  toString(): string {
    return JSON.stringify(this.input)
  }
}

/** Picks an operation: with `matchingStatus` one in this status, else any. */
function pickOperation(
  model: Hotel,
  { operation, matchingStatus }: { operation: number; matchingStatus: boolean },
  status: string,
): number {
  const matching = model.operations.flatMap((operation, nth) => (operation.status === status ? [nth] : []))
  return (matchingStatus ? matching[at(matching, operation)] : undefined) ?? at(model.operations, operation)
}

type StepResult = { expectedRefusals: Reasons; reply: Reply<unknown> | null }

/** The context of a step: both sides, and what most steps need of them. */
type StepContext = {
  readonly model: Hotel
  readonly real: PortalFleet
  readonly portal: Portal
  readonly w: World
  readonly who: PortalFleet['who']
  /** Every tyre of the model. */
  readonly all: readonly number[]
  readonly idOf: (operation: number) => { operation: { _id: number | undefined } }
}

const steps: {
  readonly [D in StepInput['do']]: (input: StepInput & { do: D }, sides: StepContext) => Promise<StepResult>
} = {
  async create(input, { model, real, w, who, all }) {
    const vehicle = at(model.vehicles, input.vehicle)
    const matching = all.filter(tyre => model.tyres[tyre]?.vehicle === vehicle && model.mayTake(input.kind, tyre))
    const tyres = chosen(input.onlyValid && matching.length > 0 ? matching : all, input.tyres)
    const reply = await w.send('/operations/new', who[input.by], {
      operation: {
        flt_id: real.vehicles[vehicle],
        tyres: tyres.map(tyre => real.tyres[tyre]),
        operationType: input.kind,
      },
    })
    if (reply.status === 200) real.operations.push((reply.answer as { _id: number })._id)
    return { expectedRefusals: model.create(input.by, vehicle, tyres, input.kind), reply }
  },
  async edit(input, { model, real, portal, w, who, idOf }) {
    const operation = pickOperation(model, input, 'pending')
    // recalls mostly get a day, storages half of the time, disposals when it is refused
    const kind = model.operations[operation]?.kind
    const hasDay = kind === 'to_customer' || (kind === 'to_stock' ? input.dayOffset % 2 === 0 : input.dayOffset < 0)
    const fields: Fields = { ...input.fields }
    if (input.fields.day === undefined && hasDay) fields.day = plusDays(model.today, input.dayOffset)
    const { rims, bolts, hubcaps, services: expected, transport, day, ...rest } = fields
    const reply = await w.send('/operations/update', who[input.by], {
      operation: {
        ...idOf(operation).operation,
        ...rest,
        ...(rims !== undefined && { withRims: rims }),
        ...(bolts !== undefined && { withBolts: bolts }),
        ...(hubcaps !== undefined && { withHubcaps: hubcaps }),
        ...(expected && { services: expected.map(nth => portal.services[nth]) }),
        ...(transport !== undefined && { transport: transport === null ? null : real.transport[transport] }),
        ...(day !== undefined && { deliveryDate: day }),
        ...(input.submit && { status: 'submitted' }),
      },
    })
    return { expectedRefusals: model.edit(input.by, operation, fields, input.submit), reply }
  },
  async undo(input, { model, w, who, idOf }) {
    const operation = pickOperation(model, input, 'submitted')
    const body = { operation: { ...idOf(operation).operation, status: 'pending' } }
    return {
      reply: await w.send('/operations/update', who[input.by], body),
      expectedRefusals: model.undo(input.by, operation),
    }
  },
  async remove(input, { model, w, who, idOf }) {
    const operation = pickOperation(model, input, 'pending')
    return {
      reply: await w.send('/operations/delete', who[input.by], idOf(operation)),
      expectedRefusals: model.remove(input.by, operation),
    }
  },
  async cancel(input, { model, w, who, idOf }) {
    const operation = pickOperation(model, input, 'submitted')
    return {
      reply: await w.send('/operations/cancel', who[input.by], idOf(operation)),
      expectedRefusals: model.cancel(input.by, operation),
    }
  },
  async confirm(input, { model, w, who, idOf }) {
    const operation = pickOperation(model, input, 'submitted')
    const { anyway, document } = input
    return {
      reply: await w.send('/operations/confirm', who[input.by], { ...idOf(operation), anyway, document }),
      expectedRefusals: model.confirm(input.by, operation, anyway, document),
    }
  },
  async scan(input, { model, real, w, who, all }) {
    const open = all.filter(tyre => {
      const open = model.openOf(tyre)
      return open !== null && model.operations[open]?.status === 'submitted'
    })
    const tyre = (input.open && open[at(open, input.tyre)]) || at(all, input.tyre)
    const scanId = randomUUID()
    const reply = await w.send('/operations/markscan', who[input.by], {
      tyres: [{ tyreId: real.tyres[tyre], scanId }],
      ...(input.kind && { type: input.kind }),
    })
    const { why: expectedRefusals, answered } = model.scan(input.by, tyre, input.kind)
    if (answered.length > 0) real.scans.push(scanId)
    expectTyres(reply, answered, real)
    return { expectedRefusals, reply }
  },
  async markAll(input, { model, real, w, who, idOf }) {
    const operation = pickOperation(model, input, 'submitted')
    const reply = await w.send('/operations/markscan', who[input.by], idOf(operation))
    const { why: expectedRefusals, answered } = model.markAll(input.by, operation)
    expectTyres(reply, answered, real)
    return { expectedRefusals, reply }
  },
  async rescan(input, { model, real, w, who }) {
    // a device without an answer repeats its scan: applied once, answered with its tyre
    const nth = at(model.scans, input.scan)
    const tyre = model.scans[nth]?.tyre ?? 0
    const deleted = model.operations[model.scans[nth]?.operation ?? 0]?.status === 'deleted'
    const scan = { tyreId: real.tyres[tyre], scanId: real.scans[nth] }
    const reply = await w.send('/operations/markscan', who.admin, { tyres: [scan] })
    expectTyres(reply, deleted ? [] : [tyre], real)
    return { expectedRefusals: new Set(), reply }
  },
  async add(input, { model, real, w, who }) {
    const vehicle = at(model.vehicles, input.vehicle)
    const reply = await w.send('/fleet/addtyres', who[input.by], {
      flt_id: real.vehicles[vehicle],
      ...(input.set !== null && { tyre_set: input.set }),
      tyres: input.places.map(position => ({ position, art_id: w.articles.home })),
    })
    if (reply.status === 200) real.tyres.push(...(reply.answer as { db_id: [number] }[]).map(tyre => tyre.db_id[0]))
    return { expectedRefusals: model.add(input.by, vehicle, input.places, input.set), reply }
  },
  async rename(input, { model, real, w, who, all }) {
    // waste can't be selected (docs/product/tyres.md "Tyre list")
    const usable = all.filter(tyre => model.tyres[tyre]?.status !== 'waste')
    const first = usable[at(usable, input.tyres[0] ?? 0)]
    const from = input.oneVehicle
      ? usable.filter(tyre => model.tyres[tyre]?.vehicle === model.tyres[first ?? 0]?.vehicle)
      : usable
    const tyres = chosen(from, input.tyres)
    if (tyres.length === 0) return { expectedRefusals: new Set(), reply: null }
    const reply = await w.send('/fleet/changetyreset', who[input.by], {
      tyres: tyres.map(tyre => real.tyres[tyre]),
      tyre_set: input.set,
    })
    return { expectedRefusals: model.rename(input.by, tyres, input.set), reply }
  },
  async deleteTyres(input, { model, real, w, who, all }) {
    const tyres = chosen(all, input.tyres)
    return {
      reply: await w.send('/fleet/deletetyres', who[input.by], { tyres: tyres.map(tyre => real.tyres[tyre]) }),
      expectedRefusals: model.deleteTyres(input.by, tyres),
    }
  },
  async removeVehicle(input, { model, real, w, who }) {
    const vehicle = at(model.vehicles, input.vehicle)
    return {
      reply: await w.send('/fleet/inactivate', who[input.by], { flt_id: real.vehicles[vehicle] }),
      expectedRefusals: model.removeVehicle(input.by, vehicle),
    }
  },
  async bookedDays(input, { model, real, w, who }) {
    const reply = await w.send('/operations/bookedtransportdays', who.customer, {
      transportMethod: real.transport[input.transport],
    })
    expectSame('the booked days', reply.answer, model.bookedDays(input.transport))
    return { expectedRefusals: new Set(), reply }
  },
  async nextDay(_, { model, portal }) {
    model.today = plusDays(model.today, 1)
    await setClock(portal, model.today)
    return { expectedRefusals: new Set(), reply: null }
  },
}

function runBoth(input: StepInput, model: Hotel, real: PortalFleet): Promise<StepResult> {
  const { portal, who } = real
  const step = steps[input.do] as (input: StepInput, sides: StepContext) => Promise<StepResult>
  return step(input, {
    model,
    real,
    portal,
    w: portal.w,
    who,
    all: [...model.tyres.keys()],
    idOf: operation => ({ operation: { _id: real.operations[operation] } }),
  })
}

const inOrder = (list: readonly number[]): number[] => list.toSorted((a, b) => a - b)

function expectTyres(reply: Reply<unknown>, tyres: readonly number[], { tyres: ids }: PortalFleet): void {
  if (reply.status !== 200) return
  const actual = (reply.answer as { db_id: [number] }[]).map(tyre => ids.indexOf(tyre.db_id[0]))
  expectSame('the tyres that were scanned', inOrder(actual), inOrder(tyres))
}

function expectSame(what: string, portal: unknown, model: unknown): void {
  if (!isDeepStrictEqual(portal, model))
    throw new Error(`${what}: the portal has ${JSON.stringify(portal)}, the model ${JSON.stringify(model)}`)
}

const yes = (value: boolean): string => (value ? 'Y' : 'N')

/** Compares everything that the customer can see. */
async function compare(model: Hotel, real: PortalFleet): Promise<void> {
  const { w } = real.portal
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
  const expectedTyres = model.tyres.flatMap((tyre, nth) => {
    if (tyre.removed || model.vehicles[tyre.vehicle]?.removed) return []
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
  for (const [nth, tyre] of tyres.toSorted((a, b) => a.tyre - b.tyre).entries())
    expectSame('a tyre', tyre, expectedTyres[nth])
  expectSame('how many tyres there are', tyres.length, expectedTyres.length)

  const created = (work.answer as WireOperation[]).map(operation => ({
    operation: real.operations.indexOf(operation._id),
    kind: operation.type,
    status: operation.status,
    vehicle: real.vehicles.indexOf(operation.flt_id),
    scans: operation.tyres
      .map(tyre => [real.tyres.indexOf(tyre.db_id[0]), tyre.scanTimes[0], tyre.scanned[0] === 'T'])
      .toSorted(),
    services: operation.services.map(service => real.portal.services.indexOf(service)),
    transport: transports.find(name => real.transport[name] === operation.transport) ?? operation.transport,
    day: operation.deliveryDate,
    remarks: operation.remarks,
    rims: operation.withRims,
    bolts: operation.withBolts,
    hubcaps: operation.withHubcaps,
    tachometer: operation.tachometer,
    documented: operation.document !== null,
    submitted: operation.submitted !== null,
    handled: operation.handledAt !== null,
  }))
  const expected = model.operations
    .flatMap((operation, nth) =>
      operation.status === 'deleted'
        ? []
        : {
            operation: nth,
            kind: operation.kind,
            status: operation.status,
            vehicle: operation.vehicle,
            scans: [...operation.tyres].map(([tyre, times]) => [tyre, times, times > 0]).toSorted(),
            services: operation.services,
            transport: operation.transport,
            day: operation.day,
            remarks: operation.remarks,
            rims: operation.rims,
            bolts: operation.bolts,
            hubcaps: operation.hubcaps,
            tachometer: operation.tachometer,
            documented: operation.documented,
            submitted: operation.status !== 'pending',
            handled: operation.status === 'confirmed' || operation.status === 'cancelled',
          },
    )
    // newest first
    .toReversed()
  for (const [nth, operation] of created.entries()) expectSame('an operation', operation, expected[nth])
  expectSame('how many operations there are', created.length, expected.length)
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

/** Compares the records: every change of status is in the audit, every move of a tyre in its history. */
async function compareRecords(model: Hotel, { portal: { w }, who }: PortalFleet): Promise<void> {
  const [records] = await w.query(
    `select (select count(*)::int from audit where customer_id = $1
         and action in ('operation.submit', 'operation.undo', 'operation.confirm', 'operation.cancel', 'operation.delete')) as changes,
       (select count(*)::int from tyre_event where customer_id = $1 and kind in ('received', 'delivered', 'scrapped')) as moves,
       (select count(*)::int from document where customer_id = $1) as documents`,
    [who.customer.customer],
  )
  const documents = model.operations.filter(operation => operation.documented).length
  expectSame('the records', records, { changes: model.changes, moves: model.moves, documents })
}

// Set-up ------------------------------------------------------------------------------------------------------

const statuses = ['on_vehicle', 'in_stock', 'on_spare', 'waste', 'at_customer'] as const satisfies readonly Status[]
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Status>('at_customer', 'in_stock') },
  { weight: 1, arbitrary: fc.constantFrom<Status>(...statuses) },
)

async function openTestPortal(server: Awaited<ReturnType<typeof openTestServer>>): Promise<Portal> {
  const w = await world({ server, now: momentOf(monday) })
  const created: number[] = []
  for (const { kind: type, preselected, blocked } of services)
    created.push(await addService(w, { type, preselected, blocked }))
  return { w, services: created, foreign: await addTransport(w, { site: w.sites.other }) }
}

/** Sets the clock of the portal and keeps all sessions. */
async function setClock({ w }: Portal, date: string): Promise<void> {
  w.clock.now = momentOf(date)
  await w.query('update session set created_at = $1, seen_at = $1', [w.clock.now])
}

/** A customer with an account, two vehicles and their tyres, and the site's transports, none of which is booked. */
async function openFleet(portal: Portal, tyres: readonly (readonly Status[])[]): Promise<PortalFleet> {
  const { w } = portal
  await setClock(portal, monday)
  const token = randomBytes(32).toString('base64url')
  const name = randomUUID()
  const [created] = await w.query<{ customer: number; account: number; vehicles: number[]; tyres: number[] }>(
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
        tyres.flatMap((statuses, vehicle) =>
          statuses.map((status, nth) => ({
            place: vehicle * 100 + nth,
            vehicle: vehicle + 1,
            position: positions[nth % 4],
            tyre_set: setOf(vehicle, nth),
            status: status,
          })),
        ),
      ),
    ],
  )
  if (!created) throw new Error('no fleet was made')
  const transport = { foreign: portal.foreign } as Record<Transport | 'foreign', number>
  for (const which of transports) {
    const { weekdays, advance, operations, tyres: maxTyres } = transportRules[which]
    transport[which] = await addTransport(w, {
      isDefault: which === 'van',
      days: [...weekdays],
      advanceDays: advance,
      operationsPerDay: operations,
      tyresPerDay: maxTyres,
    })
  }
  return {
    portal,
    who: {
      customer: {
        ...w.who.a,
        name,
        account: created.account,
        customer: created.customer,
        cookie: `wheelhouse=${token}`,
      },
      otherCustomer: w.who.b,
      admin: w.who.admin,
      otherSiteAdmin: w.who.otherAdmin,
    },
    vehicles: created.vehicles,
    tyres: created.tyres,
    operations: [],
    scans: [],
    transport,
  }
}

/** The site settings, tested one after the other. */
const sites: Settings[] = [
  { autoProcess: false, documents: false, exceptions: [], tachometer: true },
  { autoProcess: true, documents: true, exceptions: [], tachometer: false },
  { autoProcess: false, documents: true, exceptions: ['to_waste'], tachometer: true },
  { autoProcess: true, documents: true, exceptions: ['to_stock', 'to_customer'], tachometer: true },
]

/** Runs `times` sequences at a site and returns fast-check's result. `wrong` replaces rules of the model. */
async function runSequences(
  portal: Portal,
  settings: Settings,
  { times, seed, counts, wrong = {} }: { times: number; seed: number; counts: StepCounts; wrong?: Partial<Rules> },
) {
  await portal.w.setSite(portal.w.sites.home, {
    auto_process_intake_on_full_scan: settings.autoProcess,
    do_doc_insert: settings.documents,
    doc_insert_exceptions: settings.exceptions,
    allow_tachometer: settings.tachometer,
    show_waste_tyres: true,
  })
  const steps = fc.commands(
    [fc.oneof(...stepInputs).map((input): fc.AsyncCommand<Hotel, PortalFleet> => new Step(input, counts))],
    {
      size: 'max',
      maxCommands: 45,
    },
  )
  const property = fc.asyncProperty(
    fc.array(status, { minLength: 4, maxLength: 6 }),
    fc.array(status, { minLength: 1, maxLength: 5 }),
    steps,
    async (first, second, commands) => {
      const model = new Hotel(settings, monday, wrong)
      for (const tyres of [first, second]) model.addVehicle(tyres)
      const real = await openFleet(portal, [first, second])
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await compareRecords(model, real)
    },
  )
  const isControl = Object.keys(wrong).length > 0
  return fc.check(property, {
    numRuns: times,
    seed,
    // a control only has to fail; a real difference is shrunk for a minute
    endOnFailure: isControl,
    ...(!isControl && { interruptAfterTimeLimit: 60_000 + times * 2_000 }),
  })
}

/** Wrong models, as negative controls: each must be detected. */
const wrongRules: Record<string, { wrong: Partial<Rules>; site: number }> = {
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
  'arrivals take the places of recalls': { wrong: { countsArrivalsApart: false }, site: 0 },
  'blocked services come off': { wrong: { blockedStays: false }, site: 0 },
}

/** Steps that were never refused, or never done. */
const untriedSteps = (counts: StepCounts): string[] =>
  [
    'create',
    'edit',
    'undo',
    'remove',
    'cancel',
    'confirm',
    'scan',
    'markAll',
    'add',
    'rename',
    'deleteTyres',
    'removeVehicle',
  ].flatMap(step => {
    const keys = [...counts.keys()].filter(key => key.startsWith(`${step} `))
    const done = keys.includes(`${step} done`)
    return done && keys.length > 1 ? [] : [`${step} was only ${keys.join(', ') || 'left out'}`]
  })

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const sequences = short ? 60 : 2000
  const controls = Object.entries(wrongRules).slice(0, short ? 2 : Number.POSITIVE_INFINITY)
  const checks = tally(log)
  const counts: StepCounts = new Map()
  const server = await openTestServer()
  try {
    // two portals: one works while the other waits for its database
    const portals = await Promise.all([openTestPortal(server), openTestPortal(server)])
    const seedOf = () => (short ? 1 : randomBytes(4).readInt32BE())
    const queue = Array.from({ length: short ? sites.length : sites.length * 5 }, (_, nth) => nth)
    const times = sequences / queue.length
    await Promise.all(
      portals.map(async portal => {
        for (let nth = queue.shift(); nth !== undefined; nth = queue.shift()) {
          const settings = sites[nth % sites.length] as Settings
          const outcome = await runSequences(portal, settings, { times, seed: seedOf() + nth, counts })
          const expectedRefusals = `${String(outcome.errorInstance)}: ${outcome.counterexample?.map(String).join('; ')} (seed ${outcome.seed}, site ${nth % sites.length})`
          checks.add(outcome.numRuns, outcome.failed ? [expectedRefusals] : [])
          if (!outcome.failed && outcome.numRuns < times)
            checks.check('sequences', `only ${outcome.numRuns} of ${times} were tried`)
        }
        for (let next = controls.shift(); next; next = controls.shift()) {
          const [what, { wrong, site }] = next
          const outcome = await runSequences(portal, sites[site] as Settings, {
            // it ends with the first failure
            times: 3000,
            seed: seedOf(),
            counts: new Map(),
            wrong,
          })
          checks.control(what, outcome.failed)
        }
        await portal.w.close()
      }),
    )
    if (!short) for (const gap of untriedSteps(counts)) checks.check('steps', gap)
    const steps = [...counts.values()].reduce((sum, times) => sum + times, 0)
    const done = [...counts].reduce((sum, [what, times]) => sum + (what.endsWith(' done') ? times : 0), 0)
    return checks.result(`${steps} steps, ${steps - done} of them refused`)
  } finally {
    await server.end()
  }
}
