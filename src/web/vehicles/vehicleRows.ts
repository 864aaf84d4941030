/** Vehicles as rows of a list that is filtered and sorted during typing. */
import { hasWords, vehicleText, wordsOf } from '#domain/texts/listFilter.ts'
import type { Vehicle } from '#contract/wire.ts'
import type { Mode } from '#domain/site.ts'
import { type TyreStatus, tyreStatuses } from '#domain/tyres/tyre.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { sortRows } from '../ui/dataTable/sortRows.ts'

export type VehicleRow = {
  vehicle: Vehicle
  /** The text that the filter searches: built once, since a fleet has 10,000 tyres and people type fast. */
  text: string
  /** How many tyres it has of each status, in the order of `tyreStatuses`; those it has none of are left out. */
  counts: readonly { status: TyreStatus; count: number }[]
}

/** A vehicle as a row of the list of a site in this mode: fields hidden there are not searched either. */
export function rowOf(vehicle: Vehicle, mode: Mode): VehicleRow {
  return { vehicle, text: vehicleText(vehicle, mode), counts: countsOf(vehicle.tyres) }
}

/** How many tyres there are of each status, those left out that none has. */
export function countsOf(tyres: readonly { tyre_status: TyreStatus }[]): VehicleRow['counts'] {
  const counts = new Map<TyreStatus, number>()
  for (const { tyre_status: status } of tyres) counts.set(status, (counts.get(status) ?? 0) + 1)
  return tyreStatuses.map(status => ({ status, count: counts.get(status) ?? 0 })).filter(({ count }) => count > 0)
}

/**
 * The rows in which every word of the filter is found: in plate (as it is kept or as it is written), number where it is shown,
 * brand, description or driver. An empty filter finds all.
 */
export function filtered(rows: readonly VehicleRow[], filter: string): readonly VehicleRow[] {
  const words = wordsOf(filter)
  return words.length === 0
    ? rows
    : rows.filter(({ text, vehicle }) => hasWords(words, { text, plate: vehicle.license_plate }))
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
