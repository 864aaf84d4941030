/** Printed lists (docs/product/operations.md "Operations desk"): the sets to pick, in walking order. */
import type { Operation, OperationTyre } from '#contract/wire.ts'
import { comparePositions } from '#domain/vehicles/axle.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'

/** The walk of every location, by its site name and the way to it. */
export type Walk = ReadonlyMap<string, number>
const rackKey = (siteName: string | null, rack: string | null): string => `${siteName ?? ''}\n${rack ?? ''}`
export const walkOf = (locations: readonly { stock_site_name: string; stock_rack: string; walk: number }[]): Walk =>
  new Map(locations.map(location => [rackKey(location.stock_site_name, location.stock_rack), location.walk]))

const racks = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of racks without a configured walk; tyres without a place are last. */
export function rackOrder(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return racks.compare(a, b)
}

/** The tyres of one set of an operation that lie at one place and are still to be scanned, by position. */
export type SetLine = {
  key: string
  operation: Operation
  set: string | null
  siteName: string | null
  rack: string | null
  tyres: readonly OperationTyre[]
}
/** Groups: recalls of a day and transport, storages of a customer, or all disposals. */
export type PrintGroup = {
  key: string
  day: IsoDate | null
  transport: number | null
  customer: string | null
  lines: readonly SetLine[]
}

/** The tyres of an operation that are still to be scanned. */
const left = (operation: Operation): OperationTyre[] => operation.tyres.filter(tyre => !tyre.scanned)

export const tyresLeft = (operations: readonly Operation[]): number =>
  operations.reduce((sum, operation) => sum + left(operation).length, 0)

function linesOf(operation: Operation): SetLine[] {
  const sets = Map.groupBy(left(operation), tyre =>
    [tyre.tyre_set ?? `single ${tyre.db_id}`, rackKey(tyre.stock_site_name, tyre.stock_rack)].join('\n'),
  )
  return [...sets].map(([key, tyres]) => {
    const [first] = tyres
    return {
      key: `${operation._id} ${key}`,
      operation,
      set: first?.tyre_set ?? null,
      siteName: first?.stock_site_name ?? null,
      rack: first?.stock_rack ?? null,
      tyres: tyres.toSorted((a, b) => comparePositions(a.position, b.position) || a.db_id - b.db_id),
    }
  })
}

const byVehicle = (a: SetLine, b: SetLine): number =>
  a.operation.vehicle.license_plate.localeCompare(b.operation.vehicle.license_plate) ||
  a.operation._id - b.operation._id ||
  comparePositions(a.tyres[0]?.position ?? '', b.tyres[0]?.position ?? '')

/**
 * The groups of a printed list, recalls by delivery day and transport, storages by customer, and within each one line for a set. Picking and waste
 * lists are in the order of the walk, one site name after the other (until the walk is loaded: by the names on the racks); the pickup list is by
 * vehicle, as a driver meets them.
 */
export function printGroups(type: OfferedType, operations: readonly Operation[], walk: Walk = new Map()): PrintGroup[] {
  // a tyre without a place, or on one that is not known yet, comes last
  const last = Number.MAX_SAFE_INTEGER
  const walkAt = ({ siteName, rack }: SetLine) => walk.get(rackKey(siteName, rack)) ?? last
  const byRack = (a: SetLine, b: SetLine) =>
    rackOrder(a.siteName, b.siteName) || walkAt(a) - walkAt(b) || rackOrder(a.rack, b.rack)
  const order = type === 'to_stock' ? byVehicle : (a: SetLine, b: SetLine) => byRack(a, b) || byVehicle(a, b)

  const groups = Map.groupBy(operations, ({ deliveryDate, transport, user }) =>
    type === 'to_customer'
      ? `${deliveryDate ?? '9999'} ${transport ?? ''}`
      : type === 'to_stock'
        ? user.companyname
        : '',
  )
  return [...groups]
    .map(([key, members]) => ({
      key,
      day: type === 'to_customer' ? (members[0]?.deliveryDate ?? null) : null,
      transport: type === 'to_customer' ? (members[0]?.transport ?? null) : null,
      customer: type === 'to_stock' ? key : null,
      lines: members.flatMap(linesOf).toSorted(order),
    }))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((a, b) => racks.compare(a.key, b.key))
}

/** A delivery day and the operations and tyres left to pick for it; `null`: no day. */
export type DeliveryDay = { day: IsoDate | null; operations: number; tyres: number }

/** The delivery days that have something left to pick, by date. */
export function daysLeft(operations: readonly Operation[]): DeliveryDay[] {
  const open = operations.filter(operation => left(operation).length > 0)
  return [...Map.groupBy(open, ({ deliveryDate }) => deliveryDate)]
    .map(([day, members]) => ({ day, operations: members.length, tyres: tyresLeft(members) }))
    .toSorted((a, b) => (a.day ?? '9999').localeCompare(b.day ?? '9999'))
}

/** The default days of a picking list: the next delivery day from today on, and the remaining ones before it. */
export function daysToPick(days: readonly DeliveryDay[], today: IsoDate): DeliveryDay[] {
  const next = days.findIndex(({ day }) => day !== null && day >= today)
  return next < 0 ? [...days] : days.slice(0, next + 1)
}

/** The tyres of a line by their properties: equal ones together, with their positions. */
export const alike = ({ tyres }: SetLine): { description: string; positions: string[] }[] =>
  [...Map.groupBy(tyres, ({ description }) => description)].map(([description, same]) => ({
    description,
    positions: same.map(({ position }) => position),
  }))
