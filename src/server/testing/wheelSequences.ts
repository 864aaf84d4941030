/**
 * Sequences of scans by three devices, in any order, offline and sent again, for the test and the drill of where wheels are
 * (docs/promises.md "Wheels"). Playing a sequence returns its faults.
 */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { contract } from '#contract/index.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import type { Load } from '#domain/warehouse/wave.ts'
import { allowsStep, statesOf, type WheelState, type WheelStep } from '#domain/tyres/wheel.ts'
import { addOperation, addTransport, type Made } from './operations.ts'
import type { World } from './world.ts'

const { operations, locations, wheels, waves, gate } = contract

const wheel = fc.nat({ max: 3 })
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('scan' as const), wheel }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('put' as const), wheel, on: fc.nat({ max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('step' as const),
      wheel,
      step: fc.constantFrom('pick', 'miss', 'find', 'hand_back'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'pickInWave' as const,
        'stage' as const,
        'missInWave' as const,
        'undoInWave' as const,
        'load' as const,
        'leave' as const,
      ),
      wheel,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'confirm' as const,
        'cancel' as const,
        'undo' as const,
        'submit' as const,
        'close' as const,
      ),
      wheel,
    }),
  },
)
type ValueOf<A> = A extends fc.Arbitrary<infer V> ? V : never
type Action = ValueOf<typeof action>

/** The actions of three devices, and how many of them each keeps without a network until the others are done. */
export const sequence = fc.record({
  recall: fc.boolean(),
  devices: fc.tuple(...([0, 1, 2] as const).map(() => fc.array(action, { minLength: 1, maxLength: 5 }))),
  offline: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
})
type Sequence = ValueOf<typeof sequence>

/** A storage that is scanned and confirmed: what a control plays with something off, since it takes every kind of step. */
export const storage: Sequence = {
  recall: false,
  devices: [
    [...[0, 1, 2, 3].map(nth => ({ does: 'scan' as const, wheel: nth })), { does: 'confirm', wheel: 0 }],
    [],
    [],
  ],
  offline: [false, false, false],
}

/** Two places for three wheels each, a cart and a lane for two; and the transport with which recalls leave. */
export type Hall = readonly [first: number, second: number, cart: number, lane: number, transport: number]

export async function openHall(w: World): Promise<Hall> {
  const rows = await w.query<{ id: number }>(
    `insert into location (site_id, kind, name, site_name, path, walk, capacity, carries) values
       ($1, 'place', '1', 'Hall', 'W-1', 1, 3, 0), ($1, 'place', '2', 'Hall', 'W-2', 2, 3, 0),
       ($1, 'cart', 'K', 'Hall', 'K', 0, 0, 2), ($1, 'lane', 'L', 'Hall', 'L', 0, 0, 2) returning id`,
    [w.sites.home],
  )
  return [...rows.map(({ id }) => id), await addTransport(w)] as unknown as Hall
}

/** An id that is the same when a device sends again. */
function idOf(...parts: (string | number)[]): string {
  const digits = createHash('sha256').update(parts.join(' ')).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

/** Plays a sequence with a set of its own, and sends everything twice. Returns the faults. */
export async function play(w: World, hall: Hall, { recall, devices, offline }: Sequence): Promise<string[]> {
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({
    vehicle,
    status: recall ? 'in_stock' : 'at_customer',
    ...(recall && { location: null }),
  })
  const day = w.clock.now.toISOString().slice(0, 10)
  const load = { transport: hall[4], day }
  const operation = await addOperation(w, {
    vehicle,
    tyres,
    type: recall ? 'to_customer' : 'to_stock',
    ...(recall && { transport: load.transport, deliveryDate: day }),
  })
  const faults: string[] = []
  const acknowledged = new Set<string>()
  await send(w, operations.update.path, idOf('device', operation.id), {
    operation: { _id: operation.id, status: 'submitted' },
  })

  const planned = await w.ask(waves.plan, w.who.admin, { ...load, most: 4, unit: 'wheels' })
  const wave = planned.status === 200 ? planned.answer.wave : 0

  const run = async (device: number) => {
    for (const [nth, does] of (devices[device] ?? []).entries()) {
      const scan = idOf(operation.id, device, nth)
      const [path, body] = callOf(does, { made: operation, hall, scan, recall, load, wave })
      const reply = await send(w, path, idOf('device', operation.id, device), body)
      if (reply.status >= 500) faults.push(`${does.does}: ${reply.text}`)
      if (reply.status === 200 && does.does === 'scan' && reply.text !== '[]') acknowledged.add(scan)
    }
  }
  const online = [0, 1, 2].filter(device => !offline[device])
  const later = [0, 1, 2].filter(device => offline[device])
  await Promise.all(online.map(run))
  await Promise.all(later.map(run))
  const before = await eventsOf(w, tyres)
  // a reply was lost: every scan of a wheel is sent again
  for (const [device, actions] of devices.entries())
    for (const [nth, does] of actions.entries())
      if (does.does === 'scan' && acknowledged.has(idOf(operation.id, device, nth))) {
        const [path, body] = callOf(does, {
          made: operation,
          hall,
          scan: idOf(operation.id, device, nth),
          recall,
          load,
          wave,
        })
        await send(w, path, idOf('device', operation.id, device), body)
      }
  const after = await eventsOf(w, tyres)
  if (after.length !== before.length) faults.push('a scan that was sent again was applied again')
  const kept = await w.query<{ id: string }>('select id from scan where operation_id = $1', [operation.id])
  for (const scan of acknowledged) if (!kept.some(({ id }) => id === scan)) faults.push('an acknowledged scan is lost')
  return [...faults, ...(await faultsIn(w, tyres))]
}

/** Takes the wheels of a sequence out of the hall, as a node of the version before would. */
export const empty = (w: World) =>
  w.query(
    `update operation_tyre set open = false, planned_location = null where open;
     update operation set delivery_date = null where delivery_date is not null;
     update tyre set status = 'at_customer', location_id = null where status = 'in_stock';
     update wheel set state = 'missing', location_id = null, step = 'miss' where location_id is not null`,
  )

const send = (w: World, path: string, device: string, body: object) =>
  w.send(path, w.who.admin, body, { 'wheelhouse-device': device })

type On = { made: Made; hall: Hall; scan: string; recall: boolean; load: Load; wave: number }
function callOf(does: Action, { made: target, hall, scan, recall, load, wave }: On): [path: string, body: object] {
  const tyre = target.tyres[does.wheel]
  const operation = { _id: target.id }
  switch (does.does) {
    case 'scan':
      return [
        operations.markscan.path,
        { tyres: [{ tyreId: tyre, scanId: scan }], type: recall ? 'to_customer' : 'to_stock' },
      ]
    case 'put':
      return [locations.move.path, { tyres: [tyre], location: hall[does.on], scanId: scan }]
    case 'step':
      return [wheels.step.path, { tyres: [tyre], step: does.step }]
    case 'pickInWave':
      return [waves.scan.path, { wave, db_id: tyre }]
    case 'stage':
      return [waves.scan.path, { wave, location: hall[3] }]
    case 'missInWave':
      return [waves.miss.path, { wave }]
    case 'undoInWave':
      return [waves.undo.path, { wave, tyres: [tyre] }]
    case 'load':
      return [gate.load.path, { ...load, db_id: tyre }]
    case 'leave':
      return [gate.leave.path, { ...load, reason: 'the driver goes' }]
    case 'close':
      return [wheels.close.path, { db_id: tyre, reason: 'given up' }]
    case 'confirm':
      return [
        operations.confirm.path,
        { operation, anyway: true, here: target.tyres.slice(does.wheel, does.wheel + 1) },
      ]
    case 'cancel':
      return [operations.cancel.path, { operation }]
    case 'undo':
      return [operations.update.path, { operation: { ...operation, status: 'pending' } }]
    case 'submit':
      return [operations.update.path, { operation: { ...operation, status: 'submitted' } }]
  }
}

type Event = { tyre: number; step: WheelStep; wheel: WheelState; location: number | null }
const eventsOf = (w: World, tyres: readonly number[]) =>
  w.query<Event>(
    `select tyre_id as tyre, step, wheel, location_id as location from tyre_event where tyre_id = any ($1) and wheel is not null order by id`,
    [tyres],
  )

/** Faults: a wheel in no state or in one that contradicts its tyre, a state that is not the sum of its events, a place too full. */
async function faultsIn(w: World, tyres: readonly number[]): Promise<string[]> {
  type Kept = {
    tyre: number
    status: TyreStatus
    told: TyreStatus
    state: WheelState
    began: WheelState
    on: number | null
    booked: number | null
  }
  const faults: string[] = []
  const kept = await w.query<Kept>(
    `select t.id as tyre, t.status, w.status as told, w.state, w.began, w.location_id as on, coalesce(t.location_id, held.planned_location) as booked
     from tyre t left join wheel w on w.site_id = t.site_id and w.tyre_id = t.id
       left join operation_tyre held on held.site_id = t.site_id and held.tyre_id = t.id and held.open and held.placed
     where t.id = any ($1)`,
    [tyres],
  )
  const events = Map.groupBy(await eventsOf(w, tyres), ({ tyre }) => tyre)
  for (const { tyre, status, told: followed, state, began, on, booked } of kept) {
    const states: readonly WheelState[] = statesOf[status]
    if (followed !== status) faults.push(`the wheel of a tyre that is ${status} was told ${followed}`)
    if (!states.includes(state)) faults.push(`${state} contradicts ${status}`)
    if (state === 'at_place' && on !== booked) faults.push(`at ${on}, and the books say ${booked}`)
    let [now, where]: [WheelState, number | null] = [began, null]
    for (const { step, wheel: next, location } of events.get(tyre) ?? []) {
      if (next !== now && !allowsStep(step, now, next)) faults.push(`${step} from ${now} to ${next}`)
      ;[now, where] = [next, location]
    }
    if (now !== state) faults.push(`${state}, and its events say ${now}`)
    if (where !== on) faults.push(`on ${on}, and its events say ${where}`)
  }
  const full = await w.query<{ path: string }>(
    `select path from location l where l.held > l.capacity
       or l.held <> (select count(*) from tyre t where t.site_id = l.site_id and t.location_id = l.id and t.removed_at is null)
       or kind in ('cart', 'lane') and carries < (select count(*) from wheel w where w.site_id = l.site_id and w.location_id = l.id)`,
  )
  return [...faults, ...full.map(({ path }) => `${path} holds more than it can, or is counted wrong`)]
}
