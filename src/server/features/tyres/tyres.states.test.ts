/**
 * Every status of a tyre × what is done to it × the operation that it is in × the mode of the site (docs/promises.md "States"): the answer is written out here, and so is what stands in the row afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modes, type Mode } from '#domain/site.ts'
import { tyreStatuses, type TyreStatus } from '#domain/tyre.ts'
import { addOperation, picture } from '../../testing/operations.ts'
import { world, type Reply, type World } from '../../testing/world.ts'

const now = new Date('2026-11-10T10:00:00Z')
let w: World
beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())

const held = ['in no operation', 'pending', 'submitted', 'confirmed', 'cancelled'] as const
type Held = (typeof held)[number]
type Tyre = { id: number; vehicle: number }
/** What is told: that it is done, that it does not concern this tyre, or why not. */
type Told =
  | 'done'
  | 'nothing'
  | 'site.mode'
  | 'operation.tyres_refused'
  | 'operation.tyres_busy'
  | 'tyre.status_refused'
type Row = {
  status: TyreStatus
  removed: boolean
  tyre_set: string
  depth: number
  operations: string[]
  scans: number
}

const make =
  (operationType: string) =>
  ({ id, vehicle }: Tyre) =>
    w.send('/operations/new', w.who.a, { operation: { flt_id: vehicle, tyres: [id], operationType } })

/** What is done to a tyre, and what it leaves in the row. */
const doings = {
  to_stock: { ask: make('to_stock'), leaves: { made: 'to_stock' } },
  to_customer: { ask: make('to_customer'), leaves: { made: 'to_customer' } },
  to_waste: { ask: make('to_waste'), leaves: { made: 'to_waste' } },
  delete: {
    ask: ({ id }: Tyre) => w.send('/fleet/deletetyres', w.who.a, { tyres: [id] }),
    leaves: { removed: true },
  },
  scan: {
    ask: ({ id }: Tyre) => w.send('/operations/markscan', w.who.admin, { tyres: [{ tyreId: id }] }),
    leaves: { scans: 1 },
  },
  rename: {
    ask: ({ id }: Tyre) => w.send('/fleet/changetyreset', w.who.a, { tyres: [id], tyre_set: 'Other' }),
    leaves: { tyre_set: 'Other' },
  },
  measure: {
    ask: ({ id }: Tyre) =>
      w.send('/fleet/measuretyres', w.who.a, {
        readings: [{ db_id: id, profile_depth: 5.5, profile_date: '2026-11-10' }],
      }),
    leaves: { depth: 5.5 },
  },
} as const satisfies Record<
  string,
  { ask: (tyre: Tyre) => Promise<Reply<unknown>>; leaves: Partial<Row> & { made?: string } }
>
type Name = keyof typeof doings

const refused = 'operation.tyres_refused'
const busy = 'operation.tyres_busy'
const kept = 'tyre.status_refused'
/** What is told of a tyre in no open operation, and of one in an open one; of its state before that it is busy, but where it goes. */
const table: Record<
  'to_stock' | 'to_customer' | 'to_waste' | 'delete',
  Record<TyreStatus, [free: Told, open: Told]>
> = {
  to_stock: {
    on_vehicle: ['done', busy],
    in_stock: [refused, refused],
    on_spare: ['done', busy],
    waste: [refused, refused],
    at_customer: ['done', busy],
  },
  to_customer: {
    on_vehicle: [refused, refused],
    in_stock: ['done', busy],
    on_spare: ['done', busy],
    waste: [refused, refused],
    at_customer: [refused, refused],
  },
  to_waste: {
    on_vehicle: [refused, refused],
    in_stock: ['done', busy],
    on_spare: ['done', busy],
    waste: [refused, refused],
    at_customer: [refused, refused],
  },
  delete: {
    on_vehicle: ['done', busy],
    in_stock: [kept, busy],
    on_spare: ['done', busy],
    waste: [kept, busy],
    at_customer: ['done', busy],
  },
}
const isOpen = (state: Held): boolean => state === 'pending' || state === 'submitted'

function expected(name: Name, status: TyreStatus, state: Held, mode: Mode): Told {
  // a set and its tread are a fleet's, too
  if (name === 'rename' || name === 'measure') return 'done'
  if (mode === 'fleetonly') return 'site.mode'
  if (name === 'scan') return state === 'submitted' ? 'done' : 'nothing'
  return table[name][status][isOpen(state) ? 1 : 0]
}

async function rowOf({ id }: Tyre): Promise<Row> {
  const [row] = await w.query<Row>(
    `select t.status, t.removed_at is not null as removed, t.tyre_set, t.profile_depth::float as depth,
       array(select o.type || ' ' || o.status from operation_tyre h join operation o on o.id = h.operation_id
         where h.tyre_id = t.id and h.open order by o.id) as operations,
       (select coalesce(sum(scan_times), 0)::int from operation_tyre h where h.tyre_id = t.id) as scans
     from tyre t where t.id = $1`,
    [id],
  )
  if (!row) throw new Error('the tyre is gone')
  return row
}

/** A tyre in a status, in an operation that is or was open. */
async function bring(status: TyreStatus, state: Held): Promise<Tyre> {
  const vehicle = await w.addVehicle({})
  const id = await w.addTyre({ vehicle, status })
  if (state !== 'in no operation') await addOperation(w, { vehicle, tyres: [id], status: state })
  return { id, vehicle }
}

describe.each(modes)('in mode %s', mode => {
  beforeAll(() => w.setSite(w.sites.home, { mode }))

  test.each(tyreStatuses)('a tyre %s', async status => {
    for (const state of held) {
      let tyre: Tyre | null = null
      for (const [name, { ask, leaves }] of Object.entries(doings) as [Name, (typeof doings)[Name]][]) {
        tyre ??= await bring(status, state)
        const before = await rowOf(tyre)
        const untouched = await picture(w, { id: 0, vehicle: tyre.vehicle, tyres: [tyre.id] })
        const reply = await ask(tyre)
        const none = name === 'scan' && reply.status === 200 && (reply.answer as unknown[]).length === 0
        const told = none ? 'nothing' : reply.status === 200 ? 'done' : reply.refusal.code
        const should = expected(name, status, state, mode)
        expect([name, state, told]).toEqual([name, state, should])
        if (should !== 'done') {
          expect([reply.status, await rowOf(tyre)]).toEqual([
            should === 'site.mode' ? 403 : should === 'nothing' ? 200 : 409,
            before,
          ])
          expect(await picture(w, { id: 0, vehicle: tyre.vehicle, tyres: [tyre.id] })).toEqual(untouched)
          continue
        }
        const { made, ...changes } = leaves as Partial<Row> & { made?: string }
        expect(await rowOf(tyre), `${name} ${state}`).toEqual({
          ...before,
          ...changes,
          ...(made && { operations: [`${made} pending`] }),
        })
        tyre = null
      }
    }
  })
})
