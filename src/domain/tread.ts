/** What a tread depth means on the road: the legal limit, and the depth below which a new tyre is recommended. */

/**
 * In mm. `legal`: Directive 89/459/EEC, the minimum in the main grooves in every season. `summer`: what ADAC and the tyre makers
 * recommend; below it a tyre no longer displaces water at speed. `winter`: below it Austria (§ 4 KDV 1967) no longer accepts a
 * winter tyre, and others recommend the same; it holds for every tyre that has to grip snow.
 */
export const treadLimits = { legal: 1.6, summer: 3, winter: 4 } as const

/** From worst to best. */
export const treads = ['illegal', 'worn', 'good'] as const
export type Tread = (typeof treads)[number]

const onSnow: readonly (string | null)[] = ['winter', 'snow', 'all_season']

/** The depth in mm below which a tyre of this season should be replaced. One of unknown season counts as a summer tyre. */
export const minTread = (season: string | null): number =>
  onSnow.includes(season) ? treadLimits.winter : treadLimits.summer

/**
 * The grade of a depth in mm on a tyre of this season; `null` where nothing was measured. A depth on a limit is not below it.
 */
export function treadOf(depth: number | null, season: string | null): Tread | null {
  if (depth === null) return null
  if (depth < treadLimits.legal) return 'illegal'
  return depth < minTread(season) ? 'worn' : 'good'
}
