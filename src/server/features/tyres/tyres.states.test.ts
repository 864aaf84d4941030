/**
 * Every status of a tyre × action × state of its operation × mode of the site (docs/product/tyres.md "Tyre states"): the expected
 * answer and the row afterwards are written out here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modes, type Mode } from '#domain/site.ts'
import { tyreStatuses, type TyreStatus } from '#domain/tyres/tyre.ts'
import { addOperation, picture } from '../../testing/operations.ts'
import { world, type Reply, type World } from '../../testing/world.ts'

const now = new Date('2026-11-10T10:00:00Z')
let w: World
beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())

const operationStates = ['in no operation', 'pending', 'submitted', 'confirmed', 'cancelled'] as const
type OperationState = (typeof operationStates)[number]
type Tyre = { id: number; vehicle: number }
/** The result of an action: done, nothing to do for this tyre, or why it was refused. */
type Result =
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

/** The actions on a tyre, and what each changes in the row. */
const actions = {
  to_stock: { ask: make('to_stock'), changes: { made: 'to_stock' } },
  to_customer: { ask: make('to_customer'), changes: { made: 'to_customer' } },
  to_waste: { ask: make('to_waste'), changes: { made: 'to_waste' } },
  delete: {
    ask: ({ id }: Tyre) => w.send('/fleet/deletetyres', w.who.a, { tyres: [id] }),
    changes: { removed: true },
  },
  scan: {
    ask: ({ id }: Tyre) => w.send('/operations/markscan', w.who.admin, { tyres: [{ tyreId: id }] }),
    changes: { scans: 1 },
  },
  rename: {
    ask: ({ id }: Tyre) => w.send('/fleet/changetyreset', w.who.a, { tyres: [id], tyre_set: 'Other' }),
    changes: { tyre_set: 'Other' },
  },
  measure: {
    ask: ({ id }: Tyre) =>
      w.send('/fleet/measuretyres', w.who.a, {
        readings: [{ db_id: id, profile_depth: 5.5, profile_date: '2026-11-10' }],
      }),
    changes: { depth: 5.5 },
  },
} as const satisfies Record<
  string,
  { ask: (tyre: Tyre) => Promise<Reply<unknown>>; changes: Partial<Row> & { made?: string } }
>
type Name = keyof typeof actions

const refused = 'operation.tyres_refused'
const busy = 'operation.tyres_busy'
const kept = 'tyre.status_refused'
/** The result for a tyre in no open operation, and for one in an open one. Deleting checks for an open operation before the status. */
const table: Record<
  'to_stock' | 'to_customer' | 'to_waste' | 'delete',
  Record<TyreStatus, [free: Result, open: Result]>
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
const isOpen = (state: OperationState): boolean => state === 'pending' || state === 'submitted'

function expected(name: Name, status: TyreStatus, state: OperationState, mode: Mode): Result {
  // sets and tread depth exist in every mode
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
async function addTyreIn(status: TyreStatus, state: OperationState): Promise<Tyre> {
  const vehicle = await w.addVehicle({})
  const id = await w.addTyre({ vehicle, status })
  if (state !== 'in no operation') await addOperation(w, { vehicle, tyres: [id], status: state })
  return { id, vehicle }
}

describe.each(modes)('in mode %s', mode => {
  beforeAll(() => w.setSite(w.sites.home, { mode }))

  test.each(tyreStatuses)('a tyre %s', async status => {
    for (const state of operationStates) {
      let tyre: Tyre | null = null
      for (const [name, { ask, changes }] of Object.entries(actions) as [Name, (typeof actions)[Name]][]) {
        tyre ??= await addTyreIn(status, state)
        const before = await rowOf(tyre)
        const untouched = await picture(w, { id: 0, vehicle: tyre.vehicle, tyres: [tyre.id] })
        const reply = await ask(tyre)
        const none = name === 'scan' && reply.status === 200 && (reply.answer as unknown[]).length === 0
        const result = none ? 'nothing' : reply.status === 200 ? 'done' : reply.refusal.code
        const should = expected(name, status, state, mode)
        expect([name, state, result]).toEqual([name, state, should])
        if (should !== 'done') {
          expect([reply.status, await rowOf(tyre)]).toEqual([
            should === 'site.mode' ? 403 : should === 'nothing' ? 200 : 409,
            before,
          ])
          expect(await picture(w, { id: 0, vehicle: tyre.vehicle, tyres: [tyre.id] })).toEqual(untouched)
          continue
        }
        const { made: origin, ...changed } = changes as Partial<Row> & { made?: string }
        expect(await rowOf(tyre), `${name} ${state}`).toEqual({
          ...before,
          ...changed,
          ...(origin && { operations: [`${origin} pending`] }),
        })
        tyre = null
      }
    }
  })
})
