/**
 * The meaning of a tread depth on the road (docs/product/tyres.md "Tread depth"): the minimum by law of the country, the class of vehicle and
 * the season, and the depth below which the site or the customer wants another tyre.
 */
import type { Country } from '../operations/closedDays.ts'
import type { IsoDate } from '../texts/date.ts'
import { classOf, isInWinter, isVerified, lawSources, type TyreLaw, tyreLawOf, unverifiedMinMm } from './tyreLaw.ts'
import type { VehicleKind } from '../vehicles/vehicle.ts'

/** From worst to best: below the law's minimum, below the limit of the site or the customer, neither. */
const treads = ['illegal', 'worn', 'good'] as const
export type Tread = (typeof treads)[number]
/** With the one that nobody measured. */
export type Verdict = Tread | 'unknown'

/** By what tyres are looked for: their verdict, or that they reach their limit this season (docs/wear.md). */
export const verdictWishes = ['illegal', 'worn', 'reaching', 'good', 'unknown'] as const
export type VerdictWish = (typeof verdictWishes)[number]

/** The limits of a site, in mm: of summer tyres, and of tyres for snow; of cars, vans and motorcycles, and of trucks and trailers. */
export type SiteLimits = {
  minTreadSummer: number
  minTreadWinter: number
  minTreadTruckSummer: number
  minTreadTruckWinter: number
}
/** The recommendations of ADAC and tyre makers for cars, and of Lechner Reifen for trucks (docs/tyre-law.md). A site begins with them. */
export const recommendedLimits: SiteLimits = {
  minTreadSummer: 3,
  minTreadWinter: 4,
  minTreadTruckSummer: 3,
  minTreadTruckWinter: 3,
}
/** A customer's limits beyond those of the site, in mm, such as a lease company has by contract; `null`: none. */
type CustomerLimits = { summer: number | null; winter: number | null }

/** Where, on what and when a tyre is judged. */
export type TreadCase = {
  country: Country | null
  kind: VehicleKind | 'unknown'
  date: IsoDate
  site: SiteLimits
  customer?: CustomerLimits
}

/** The limits of a tyre in mm: it is illegal below `legal`, and to be replaced below `wanted`, which is never less. */
export type TreadLimits = {
  legal: number
  wanted: number
  /** Who sets `wanted`. */
  by: 'law' | 'site' | 'customer'
  /** The rule behind `legal`, `null` where none is known. */
  law: TyreLaw | null
  /** Whether `legal` is that of winter tyres in the winter. */
  winter: boolean
  /** Without it nobody verified the limit of the law. */
  verified: boolean
}

/** The seasons of tyres for snow. */
export const seasonsOnSnow: readonly string[] = ['winter', 'snow', 'all_season']
/** Whether a tyre of this season is one for snow. One of unknown season counts as a summer tyre. */
export const isForSnow = (season: string | null): boolean => season !== null && seasonsOnSnow.includes(season)

/** The depth that the site wants of a tyre, in mm. */
function siteLimit(forSnow: boolean, { kind, site }: TreadCase): number {
  const heavy = ['truck_bus', 'trailer'].includes(classOf(kind) ?? '')
  if (heavy) return forSnow ? site.minTreadTruckWinter : site.minTreadTruckSummer
  return forSnow ? site.minTreadWinter : site.minTreadSummer
}

/** The limits of a tyre of this season. */
export function treadLimits(season: string | null, at: TreadCase): TreadLimits {
  const forSnow = isForSnow(season)
  const law = tyreLawOf(at.country, classOf(at.kind))
  const verified = isVerified(law)
  const base = verified ? law.min : unverifiedMinMm
  const winterMin = verified && forSnow && isInWinter(law, at.date) ? law.winterMin : null
  const legal = Math.max(base, winterMin ?? 0)
  const [own, customer] = [siteLimit(forSnow, at), (forSnow ? at.customer?.winter : at.customer?.summer) ?? 0]
  const wanted = Math.max(legal, own, customer)
  return {
    legal,
    wanted,
    by: customer > legal && customer > own ? 'customer' : own > legal ? 'site' : 'law',
    law,
    winter: winterMin !== null && winterMin > base,
    verified,
  }
}

/** The limits in mm of a tyre of this season in the course of a year: with the winter rules of the law and without. */
export const limitsOfYear = (season: string | null, at: Omit<TreadCase, 'date'>): number[] => [
  ...new Set(['2000-01-01', '2000-07-01'].map(date => treadLimits(season, { ...at, date }).wanted)),
]

/** The grade of a depth in mm; `null` where nothing was measured. A depth on a limit is not below it. */
export function treadOf(depth: number | null, { legal, wanted }: Pick<TreadLimits, 'legal' | 'wanted'>): Tread | null {
  if (depth === null) return null
  if (depth < legal) return 'illegal'
  return depth < wanted ? 'worn' : 'good'
}

/** How a depth is shown, from worst to best: as its grade, and one that is good as near where little is left above the limit. */
export const treadLooks = ['illegal', 'worn', 'near', 'good'] as const
export type TreadLook = (typeof treadLooks)[number]

/** So much above its limit a depth is near it, in mm. */
const nearLimitMm = 1

/** How a depth in mm is shown; `null` where nothing was measured. A depth on a limit is near it. */
export function treadLookOf(depth: number | null, limits: Pick<TreadLimits, 'legal' | 'wanted'>): TreadLook | null {
  const tread = treadOf(depth, limits)
  return tread === 'good' && depth !== null && depth <= limits.wanted + nearLimitMm ? 'near' : tread
}

type Measured = { profile_depth: number | null; season: string | null }

/** The verdict on a tyre. */
export const verdictOf = ({ profile_depth: depth, season }: Measured, at: TreadCase): Verdict =>
  treadOf(depth, treadLimits(season, at)) ?? 'unknown'

/** The verdict on tyres that are driven together: that of the worst; unknown when none is bad, but one was not measured. */
export function verdictOfSet(tyres: readonly Measured[], at: TreadCase): Verdict {
  const verdicts = new Set(tyres.map(tyre => verdictOf(tyre, at)))
  if (tyres.length === 0) return 'unknown'
  return (['illegal', 'worn', 'unknown'] as const).find(verdict => verdicts.has(verdict)) ?? 'good'
}

/** By what name people know the sources of a rule. */
export const sourceNames = (law: TyreLaw | null): string[] => (law?.sources ?? []).map(key => lawSources[key].name)
