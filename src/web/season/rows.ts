/** The vehicles of a fleet as rows of the season's change. */
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { folded } from '#domain/texts/folded.ts'
import { type ChangeSeason, type ChangeVerdict, changeVerdicts, seasonChange } from '#domain/season/seasonChange.ts'
import type { TreadCase } from '#domain/tyres/tread.ts'
import type { Mode } from '#domain/site.ts'
import type { WheelParts, WornDecision } from '#domain/operations/operation.ts'
import { filtered, rowOf, type VehicleRow } from '../vehicles/vehicleRows.ts'

export type ChangeRow = { vehicle: Vehicle } & ReturnType<typeof seasonChange<Tyre>>

type Asked = {
  to: ChangeSeason
  filter: string
  group: string | null
  verdict: ChangeVerdict | null
  mode: Mode
  onVehicle?: ReadonlySet<number>
}

/** The matching rows: those that need something first, then by plate. */
export function changeRows(
  fleet: readonly Vehicle[],
  judged: (vehicle: Vehicle) => TreadCase,
  { to, filter, group, verdict, mode, onVehicle }: Asked,
): ChangeRow[] {
  const matches = filtered(
    fleet
      .filter(vehicle => group === null || vehicle.cost_centre === group)
      .map(vehicle => withPlaces(rowOf(vehicle, mode))),
    filter,
  )
  return matches
    .map(({ vehicle }) => ({
      vehicle,
      ...seasonChange(vehicle.tyres, to, judged(vehicle), ({ db_id }) => onVehicle?.has(db_id) === true),
    }))
    .filter(row => verdict === null || row.verdict === verdict)
    .toSorted(
      (a, b) =>
        Number(b.ready) - Number(a.ready) ||
        changeVerdicts.indexOf(a.verdict) - changeVerdicts.indexOf(b.verdict) ||
        (a.vehicle.license_plate < b.vehicle.license_plate ? -1 : 1),
    )
}

/** A row that is also found by the places of its tyres. */
const withPlaces = (row: VehicleRow): VehicleRow => {
  const racks = new Set(row.vehicle.tyres.flatMap(tyre => tyre.stock_rack ?? []))
  return racks.size === 0 ? row : { ...row, text: `${row.text}\n${folded([...racks].join('\n'))}` }
}

/** A vehicle of a plan: its day, and its result. */
export type Planned = {
  row: ChangeRow
  day: IsoDate | null
  state: 'planned' | 'sending' | 'done' | 'refused'
  /** Why it was refused. */
  why?: string
  /** The day was given by hand. */
  moved?: true
}

/**
 * One vehicle of each day, then another of each, and so on: those that are sent at the same time wait for each other where they take
 * room on the same day.
 */
export function interleavedByDay(vehicles: readonly Planned[]): Planned[] {
  const turns = new Map<Planned, number>()
  for (const ofDay of Map.groupBy(vehicles, ({ day }) => day).values())
    for (const [turn, vehicle] of ofDay.entries()) turns.set(vehicle, turn)
  return vehicles.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
}

/** Vehicles of a new plan: by day, those without one last. The order stays when they are moved: no row jumps. */
export const byDay = (plan: readonly Planned[]): Planned[] =>
  plan.toSorted((a, b) => (a.day ?? '9').localeCompare(b.day ?? '9'))

/** As they are listed: those that were refused first, for something has to be done about them. */
export const refusedFirst = (plan: readonly Planned[]): Planned[] =>
  plan.toSorted((a, b) => Number(b.state === 'refused') - Number(a.state === 'refused'))

/** Whether a vehicle gets tyres that are to be replaced. */
export const isWorn = ({ row }: Planned): boolean => row.verdict === 'replace'

type Asking = { transport: number; returns: boolean; wornTyres: WornDecision; parts: WheelParts | null }

/** The input for a planned vehicle. */
export const swapOf = (planned: Planned, { transport, returns, wornTyres, parts }: Asking) => ({
  flt_id: planned.row.vehicle.flt_id,
  recall: planned.row.stored.map(tyre => tyre.db_id),
  store: returns ? planned.row.returns.map(tyre => tyre.db_id) : [],
  transport,
  deliveryDate: planned.day ?? '',
  ...(isWorn(planned) && { wornTyres }),
  ...(returns && parts),
})

/** How many are in each state. */
export function countsOf(plan: readonly Planned[]) {
  const count = (state: Planned['state']) => plan.filter(vehicle => vehicle.state === state).length
  const without = plan.filter(vehicle => vehicle.day === null).length
  return { without, done: count('done'), refused: count('refused'), ready: plan.length - without - count('done') }
}
