/** Vehicles as rows of a list that is filtered and sorted while somebody types. */
import { folded } from '#domain/folded.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatPlate, normalizePlate } from '#domain/plate.ts'
import type { Mode } from '#domain/site.ts'
import { type TyreStatus, tyreStatuses } from '#domain/tyre.ts'
import { vehicleKind } from '#domain/vehicle.ts'
import { sortRows } from '../../ui/dataTable/sortRows.ts'

export type VehicleRow = {
  vehicle: Vehicle
  /** What the filter looks through: made once, since a fleet has 10,000 tyres and people type fast. */
  text: string
  /** How many tyres it has of each status, in the order of `tyreStatuses`; those it has none of are left out. */
  counts: readonly { status: TyreStatus; count: number }[]
}

/** A vehicle as a row of the list of a site in this mode: what is not shown there is not looked through either. */
export function rowOf(vehicle: Vehicle, mode: Mode): VehicleRow {
  const { license_plate: plate, number, brand, description, driver_name: driver, tyres } = vehicle
  const shown = [formatPlate(plate), plate, ...(mode === 'hotelonly' ? [] : [number]), brand, description, driver]
  return {
    vehicle,
    text: folded(shown.join('\n')),
    counts: countsOf(tyres),
  }
}

/** How many tyres there are of each status, those left out that none has. */
export function countsOf(tyres: readonly { tyre_status: TyreStatus }[]): VehicleRow['counts'] {
  const of = new Map<TyreStatus, number>()
  for (const { tyre_status: status } of tyres) of.set(status, (of.get(status) ?? 0) + 1)
  return tyreStatuses.map(status => ({ status, count: of.get(status) ?? 0 })).filter(({ count }) => count > 0)
}

/**
 * The rows in which every word of the filter is found: in plate (as it is kept or as it is written), number where it is shown,
 * brand, description or driver. An empty filter finds all.
 */
export function filtered(rows: readonly VehicleRow[], filter: string): readonly VehicleRow[] {
  const words = folded(filter).split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  // A plate is typed with dashes that its country doesn't have, too.
  const plates = words.map(word => normalizePlate(word))
  return rows.filter(({ text, vehicle }) =>
    words.every((word, at) => {
      const plate = plates[at]
      return text.includes(word) || (plate !== undefined && plate !== '' && vehicle.license_plate.includes(plate))
    }),
  )
}

export const sortKeys = ['plate', 'number', 'brand', 'description', 'type', 'driver', 'tyres'] as const
export type SortKey = (typeof sortKeys)[number]

const sorted = {
  plate: ({ vehicle }) => vehicle.license_plate,
  number: ({ vehicle }) => vehicle.number,
  brand: ({ vehicle }) => vehicle.brand,
  description: ({ vehicle }) => vehicle.description,
  type: ({ vehicle }) => vehicleKind(vehicle.type),
  driver: ({ vehicle }) => vehicle.driver_name,
  tyres: ({ vehicle }) => vehicle.tyres.length,
} as const satisfies Record<SortKey, (row: VehicleRow) => string | number>

/** The rows in this order; equal ones by plate. */
export function sortedBy(
  rows: readonly VehicleRow[],
  { by, desc, language }: { by: SortKey; desc: boolean; language: string },
): readonly VehicleRow[] {
  const byPlate = sortRows(rows, sorted.plate, { desc: desc && by === 'plate', language })
  return by === 'plate' ? byPlate : sortRows(byPlate, sorted[by], { desc, language })
}
