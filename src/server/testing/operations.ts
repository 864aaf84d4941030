/** Operations for tests: made straight in the tables, in any status a test begins with. */
import type { OperationStatus } from '#domain/operations/operation.ts'
import type { OperationType, TyreStatus } from '#domain/tyres/tyre.ts'
import type { World } from './world.ts'

/** The state in which a tyre may be taken by an operation of each type. */
export const before: Record<OperationType, TyreStatus> = {
  to_stock: 'at_customer',
  to_customer: 'in_stock',
  to_waste: 'in_stock',
  to_spare: 'in_stock',
}

export type Made = { id: number; vehicle: number; tyres: number[] }

type Wish = {
  customer?: number
  type?: OperationType
  status?: OperationStatus
  vehicle?: number
  tyres?: number[]
  scanned?: boolean
  transport?: number | null
  deliveryDate?: string | null
  services?: number[]
  handledAt?: Date
}

/** An operation with a vehicle and a set of four tyres of its own, unless these are given. */
export async function addOperation(world: World, wish: Wish = {}): Promise<Made> {
  const { customer = world.customers.a, type = 'to_stock', status = 'pending', scanned = false } = wish
  const vehicle = wish.vehicle ?? (await world.addVehicle({ customer }))
  const tyres = wish.tyres ?? (await world.addSet({ vehicle, status: before[type] }))
  const handled = status === 'confirmed' || status === 'cancelled'
  const now = world.clock.now
  const [operation] = await world.query<{ id: number; site_id: number }>(
    `insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, transport_id, delivery_date,
       created_at, submitted_at, updated_at, handled_at)
     select site_id, customer_id, id, $2, $3, $4, $5, $6, $7, $8, $7, $9 from vehicle where id = $1 returning id, site_id`,
    [
      vehicle,
      type,
      status,
      tyres.length,
      wish.transport ?? null,
      wish.deliveryDate ?? null,
      now,
      status === 'pending' ? null : now,
      handled ? (wish.handledAt ?? now) : null,
    ],
  )
  if (!operation) throw new Error('no operation was made')
  await world.query(
    `insert into operation_tyre (site_id, operation_id, tyre_id, customer_id, open, scanned_at, scan_times)
     select site_id, $1, id, customer_id, $3, $4, $5 from tyre where id = any ($2)`,
    [operation.id, tyres, !handled, scanned ? now : null, scanned ? 1 : 0],
  )
  await world.query(
    `insert into operation_service (site_id, operation_id, service_id, customer_id, added)
     select o.site_id, o.id, s.id, o.customer_id, nth from operation o, unnest($2::int[]) with ordinality s(id, nth) where o.id = $1`,
    [operation.id, wish.services ?? []],
  )
  return { id: operation.id, vehicle, tyres }
}

type ServiceWish = {
  site?: number
  type?: OperationType
  preselected?: boolean
  blocked?: boolean
  removed?: boolean
  method?: 'per_tyre' | 'global' | 'text_line'
  price?: number
  name?: string
}

export async function addService(world: World, wish: ServiceWish = {}): Promise<number> {
  const [row] = await world.query<{ id: number }>(
    `insert into service (site_id, name, operation_type, article_number, article_insertion_method, preselected, blocked,
       description_nl, description_fr, description_en, description_de, price_excl, removed_at)
     values ($1, $2::text, $3, '4711', $4, $5, $6, $2 || ' nl', $2 || ' fr', $2 || ' en', $2 || ' de', $7, $8) returning id`,
    [
      wish.site ?? world.sites.home,
      wish.name ?? 'Balancing',
      wish.type ?? 'to_stock',
      wish.method ?? 'per_tyre',
      wish.preselected ?? false,
      wish.blocked ?? false,
      wish.price ?? 0,
      wish.removed ? world.clock.now : null,
    ],
  )
  if (!row) throw new Error('no service was made')
  return row.id
}

export type TransportWish = {
  site?: number
  isDefault?: boolean
  days?: number[]
  advanceDays?: number
  cutoff?: string | null
  operationsPerDay?: number
  tyresPerDay?: number
  removed?: boolean
}

/** A transport method that drives on every day of the week, from today on, without limits unless they are given. */
export async function addTransport(world: World, wish: TransportWish = {}): Promise<number> {
  const [row] = await world.query<{ id: number }>(
    `insert into transport_method (site_id, name, code, is_default, description_nl, description_fr, description_en, description_de,
       operation_days, advance_days, cutoff_hour, operations_per_day, tyres_per_day, removed_at)
     values ($1, 'Van', 'van', $2, 'Bestelwagen', 'Camionnette', 'Van', 'Transporter', $3, $4, $5, $6, $7, $8) returning id`,
    [
      wish.site ?? world.sites.home,
      wish.isDefault ?? false,
      wish.days ?? [0, 1, 2, 3, 4, 5, 6],
      wish.advanceDays ?? 0,
      wish.cutoff ?? null,
      wish.operationsPerDay ?? 0,
      wish.tyresPerDay ?? 0,
      wish.removed ? world.clock.now : null,
    ],
  )
  if (!row) throw new Error('no transport was made')
  return row.id
}

/** Takes away everything that tests of operations make, except vehicles and tyres. Far quicker than to truncate. */
export async function clear(world: World): Promise<void> {
  await world.query(`
    delete from storage_ledger; delete from charge_ledger; delete from charge; delete from document_line; delete from tariff_rule; delete from document; delete from document_counter;
    delete from scan; delete from audit;
    delete from operation; delete from transport_day; delete from transport_method; delete from closed_day; delete from service;
    update tyre set location_id = null where location_id is not null;
    update wheel set state = 'missing', location_id = null, step = 'miss' where location_id is not null;
    delete from tyre_event; delete from location`)
}

/** Every row that an operation and its tyres consist of, to see whether anything of it changed. */
export async function picture(world: World, { id, tyres }: Made): Promise<unknown> {
  const [rows] = await world.query(
    `select (select json_agg(o) from operation o where id = $1) as operation,
       (select json_agg(h order by tyre_id) from operation_tyre h where operation_id = $1) as held,
       (select json_agg(s order by service_id) from operation_service s where operation_id = $1) as services,
       (select json_agg(t order by id) from tyre t where id = any ($2)) as tyres,
       (select count(*)::int from tyre_event where tyre_id = any ($2)) as events,
       (select count(*)::int from scan where tyre_id = any ($2)) as scans,
       (select count(*)::int from document where operation_id = $1) as documents,
       (select count(*)::int from audit where subject = 'operation ' || $1::text) as audits`,
    [id, tyres],
  )
  return rows
}

/** An id that no row has. */
export const missing = 2_000_000_000
