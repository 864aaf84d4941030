/** Of which stock the customer's home warns (docs/product/screens.md "Home screens"). */
import { comparePositions } from '#domain/vehicles/axle.ts'
import { addMonths, type IsoDate } from '#domain/texts/date.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'

/** Stock whose status is older than this number of months gets a warning. */
const unchangedMonths = 6

/** The last status date that counts as unchanged for 6 months on this day. */
export const unchangedSince = (today: IsoDate): IsoDate => addMonths(today, -unchangedMonths)

/** The tyres in stock whose status has not changed for 6 months, the longest first; with the plate of their vehicle. */
export function unchangedStock<T extends { tyre_status: TyreStatus; status_date: IsoDate; position: string }>(
  fleet: readonly { license_plate: string; tyres: readonly T[] }[],
  today: IsoDate,
): (T & { license_plate: string })[] {
  const limit = unchangedSince(today)
  return fleet
    .flatMap(({ license_plate, tyres }) =>
      tyres
        .filter(tyre => tyre.tyre_status === 'in_stock' && tyre.status_date <= limit)
        .map(tyre => ({ ...tyre, license_plate })),
    )
    .toSorted(
      (a, b) =>
        a.status_date.localeCompare(b.status_date) ||
        a.license_plate.localeCompare(b.license_plate) ||
        comparePositions(a.position, b.position),
    )
}

/** These tyres by vehicle and set, in their order; each tyre in no set is a group of its own. */
export function bySet<T extends { db_id: number; flt_id: number; tyre_set: string | null }>(
  tyres: readonly T[],
): (readonly [T, ...T[]])[] {
  const sets = Map.groupBy(tyres, ({ db_id, flt_id, tyre_set }) =>
    tyre_set === null ? db_id : `${flt_id} ${tyre_set}`,
  )
  return [...sets.values()] as [T, ...T[]][]
}
