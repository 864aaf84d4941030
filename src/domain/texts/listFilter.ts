/** Filters of the lists of vehicles and tyres (docs/product/vehicles.md "Fleet list", "Tyre list"). Pure; the address holds the filter. */
import { folded } from './folded.ts'
import { formatPlate, normalizePlate } from '../vehicles/plate.ts'
import type { Mode } from '../site.ts'
import { type Season, seasons, type TyreStatus, tyreStatuses } from '../tyres/tyre.ts'

/** A word, and the plate that it may be a part of: one is typed with dashes that its country doesn't have, too. */
type Word = { readonly word: string; readonly plate: string }

/** The words of a filter. */
export const wordsOf = (filter: string): Word[] =>
  folded(filter)
    .split(/\s+/)
    .filter(Boolean)
    .map(word => ({ word, plate: normalizePlate(word) }))

/** The text that the filter searches: folded, with a plate as it is stored, and the number of a tyre. */
type Looked = { readonly text: string; readonly plate: string; readonly id?: number }

/** Whether every word is found. No words find all. */
export const hasWords = (words: readonly Word[], { text, plate, id }: Looked): boolean =>
  words.every(
    term =>
      text.includes(term.word) ||
      (term.plate !== '' && plate.includes(term.plate)) ||
      (id !== undefined && term.word === String(id)),
  )

type NamedVehicle = {
  readonly license_plate: string
  readonly number: string
  readonly brand: string
  readonly description: string
  readonly driver_name: string
  readonly former_plates?: readonly string[]
}

/** The searchable text of a vehicle at a site of this mode: fields that are not shown there are not searched either. */
export const vehicleText = (vehicle: NamedVehicle, mode: Mode): string =>
  folded(
    [
      formatPlate(vehicle.license_plate),
      vehicle.license_plate,
      ...(mode === 'hotelonly' ? [] : [vehicle.number]),
      vehicle.brand,
      vehicle.description,
      vehicle.driver_name,
      ...(vehicle.former_plates ?? []).flatMap(plate => [formatPlate(plate), plate]),
    ].join('\n'),
  )

type NamedTyre = {
  readonly tyre_set: string | null
  readonly position: string
  readonly description: string
  readonly stock_rack: string | null
}

/** The searchable text of a tyre, in addition to the texts of its vehicle. */
export const tyreText = (ofVehicle: readonly string[], tyre: NamedTyre): string =>
  folded([...ofVehicle, tyre.tyre_set, tyre.position, tyre.description, tyre.stock_rack].join('\n'))

/** The texts of a vehicle that a customer's tyre list looks through. */
export const textsBesideTyre = (
  { license_plate: plate, driver_name: driver, number }: NamedVehicle,
  mode: Mode,
): string[] => [formatPlate(plate), plate, driver, ...(mode === 'hotelonly' ? [] : [number])]

/** The statuses that the tyre list shows at first. */
export const defaultStatuses: readonly TyreStatus[] = ['in_stock']

type ShownStatuses = {
  readonly showTyresOnVehicle: boolean
  readonly showTyresAtCustomer: boolean
  readonly showWasteTyres: boolean
}

/** The statuses whose tyres the site has in its tyre list. */
export const listedAt = (site: ShownStatuses): Readonly<Record<TyreStatus, boolean>> => ({
  on_vehicle: site.showTyresOnVehicle,
  in_stock: true,
  on_spare: true,
  waste: site.showWasteTyres,
  at_customer: site.showTyresAtCustomer,
})

/**
 * Which of the site's statuses are shown: those asked for, all when none of them is; waste only when it is to be shown. `others` are
 * those that the site lists and that are not shown.
 */
export function statusesShown(selection: readonly TyreStatus[], site: ShownStatuses, waste: boolean) {
  const listed = listedAt(site)
  const there = tyreStatuses.filter(status => listed[status] && (status !== 'waste' || waste))
  const wanted = there.filter(status => selection.includes(status))
  const shown = wanted.length > 0 ? wanted : there
  const others = tyreStatuses.filter(status => listed[status] && !shown.includes(status))
  return { there, wanted, shown, others }
}

/** Statuses as they stand in the address; anything else is left out. */
export const statusesIn = (text: string): TyreStatus[] =>
  text.split(',').flatMap(word => tyreStatuses.find(status => status === word) ?? [])

/** Seasons as they stand in the address; anything else is left out. */
export const seasonsIn = (text: string): Season[] =>
  text.split(',').flatMap(word => seasons.find(season => season === word) ?? [])

type TyreWish = {
  readonly statuses: readonly TyreStatus[]
  /** None: all, also the one that is not known. */
  readonly seasons: readonly Season[]
  /** At most so many millimetres, measured ones; `null` for any. */
  readonly depth: number | null
}
type ListedTyre = {
  readonly tyre_status: TyreStatus
  readonly season: string | null
  readonly profile_depth: number | null
}

/** Whether a tyre is of these statuses, seasons and depths. */
export const isTyreOf = (tyre: ListedTyre, { statuses, seasons, depth }: TyreWish): boolean =>
  statuses.includes(tyre.tyre_status) &&
  (seasons.length === 0 || seasons.some(season => season === tyre.season)) &&
  (depth === null || (tyre.profile_depth !== null && tyre.profile_depth <= depth))
