/** Which vehicles a plate, or a part of one, means. */
import { normalizePlate, vehiclesByPlate } from '#domain/vehicles/plate.ts'

type Plated = { license_plate: string; former_plates?: readonly string[] }

/** So many vehicles are suggested at most, and from so many characters on. */
export const mostSuggested = 6
export const shortestSuggested = 2

/** The vehicles of a fleet with exactly this plate, or that had it before; more than one when a trailer carries that of its car. */
export const withPlate = <V extends Plated>(fleet: readonly V[], plate: string): readonly V[] =>
  vehiclesByPlate(fleet, vehicle => ({
    plate: normalizePlate(vehicle.license_plate),
    former: vehicle.former_plates ?? [],
  }))(plate)

/** The vehicles whose plate holds this part, those that begin with it first, then by plate. */
export function holdingPlate<V extends Plated>(fleet: readonly V[], part: string): V[] {
  const at = ({ license_plate }: V) => normalizePlate(license_plate).indexOf(part)
  return fleet
    .filter(vehicle => at(vehicle) >= 0)
    .toSorted((a, b) => Number(at(a) > 0) - Number(at(b) > 0) || a.license_plate.localeCompare(b.license_plate))
}
