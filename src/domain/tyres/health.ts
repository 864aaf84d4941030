/** The problems of a fleet that need attention (docs/product/tyres.md "Fleet health"). */
import { type Axle, positionsOf } from '../vehicles/axle.ts'
import type { Country } from '../operations/closedDays.ts'
import { addMonths, type IsoDate } from '../texts/date.ts'
import { isForSnow, type SiteLimits, treadLimits } from './tread.ts'
import { asksForWinterTyres, classOf, tyreLawOf, type VehicleClass } from './tyreLaw.ts'
import { type VehicleKind, wordKinds } from '../vehicles/vehicle.ts'
import { daysInUse, daysOfSeason } from './wear.ts'

type Held = { position: string; season: string | null; tyre_status: string; tyre_set: string | null }

/** A set that lies in stock for longer than two seasons has been passed over twice. */
const longStoredMonths = 12
/** The last status date of tyres that lie in stock for longer than two seasons. */
export const longStoredSince = (today: IsoDate): IsoDate => addMonths(today, -longStoredMonths)

/** Whether a vehicle has any tyre for snow that is not waste. */
export const hasWinterTyres = (tyres: readonly Held[]): boolean =>
  tyres.some(({ tyre_status, season }) => tyre_status !== 'waste' && isForSnow(season))

/** Whether the law of a country asks this kind of vehicle for winter tyres, be it in signed zones only. */
export const needsWinterTyres = (country: Country | null, kind: VehicleKind | 'unknown'): boolean =>
  asksForWinterTyres(tyreLawOf(country, classOf(kind)))

/** Whether a kind of vehicle is one that people fit with winter tyres: trailers and motorcycles are only where the law asks. */
export const wearsWinterTyres = (kind: VehicleKind | 'unknown'): boolean =>
  !['trailer', 'motorcycle'].includes(classOf(kind) ?? '')

/** On cars and vans a set is of all axles; a truck's may be of one. */
const isOfWholeVehicle = (vehicleClass: VehicleClass | null): boolean => vehicleClass === 'car_van'

/**
 * The sets of a vehicle of which a tyre is missing: on any axle of a car or van, on an axle that the set is for of anything else.
 * Waste is missing. Without a configuration nobody knows.
 */
export function incompleteSets(
  tyres: readonly Held[],
  axles: readonly Axle[] | null,
  kind: VehicleKind | 'unknown',
): string[] {
  const positions = positionsOf(axles ?? [])
  const living = tyres.filter(({ tyre_set, tyre_status }) => tyre_set !== null && tyre_status !== 'waste')
  return [...Map.groupBy(living, ({ tyre_set }) => tyre_set ?? '')].flatMap(([set, some]) => {
    const taken = new Set(some.map(({ position }) => position))
    const touched = new Set(some.map(({ position }) => Number.parseInt(position, 10)))
    const wanted = isOfWholeVehicle(classOf(kind))
      ? positions
      : positions.filter(position => touched.has(Number.parseInt(position, 10)))
    return wanted.some(position => !taken.has(position)) ? [set] : []
  })
}

/** A kind for each class: whichever, as the law is the same. */
const kindsOfClasses = {
  car_van: 'car',
  truck_bus: 'truck',
  trailer: 'trailer',
  motorcycle: 'motorcycle',
  unknown: 'unknown',
} as const satisfies Record<VehicleClass | 'unknown', VehicleKind | 'unknown'>

/**
 * The rules of a day at a site as a statement takes them: by class of vehicle the limits of tyres for snow and of others, in mm, without
 * what a customer wants beyond them; and by word the class of the kind that it names.
 */
export function healthRules(at: { country: Country | null; date: IsoDate; site: SiteLimits }) {
  return { ...rulesOfDay(at), seasons: daysOfUseBy(turns => daysOfSeason(turns, at.date)) }
}

/** The same for a later day, with the days of use from `today` until then: which tyres are at their limit by that day? */
export function rulesUntil(
  at: { country: Country | null; date: IsoDate; site: SiteLimits },
  { today, until }: { today: IsoDate; until: IsoDate },
) {
  return { ...rulesOfDay(at), seasons: daysOfUseBy(turns => daysInUse(turns, today, until)) }
}

function rulesOfDay(at: { country: Country | null; date: IsoDate; site: SiteLimits }) {
  const classes = Object.entries(kindsOfClasses).map(([name, kind]) => {
    const [snow, other] = [treadLimits('winter', { ...at, kind }), treadLimits('summer', { ...at, kind })]
    return {
      class: name,
      whole: isOfWholeVehicle(classOf(kind)),
      winter: needsWinterTyres(at.country, kind),
      wears: wearsWinterTyres(kind),
      legalOnSnow: snow.legal,
      legal: other.legal,
      wantedOnSnow: snow.wanted,
      wanted: other.wanted,
    }
  })
  return {
    classes,
    words: [...wordKinds].map(([word, kind]) => ({ word, class: classOf(kind) })),
  }
}

/** Days of use as a statement takes them: of tyres of each season, and of those that take turns. */
const daysOfUseBy = (days: (of: { season: string; turns: boolean }) => number) => ({
  allSeason: days({ season: 'all_season', turns: false }),
  snow: days({ season: 'winter', turns: false }),
  snowInTurns: days({ season: 'winter', turns: true }),
  other: days({ season: 'summer', turns: false }),
  otherInTurns: days({ season: 'summer', turns: true }),
})
