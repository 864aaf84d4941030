/** What a tread depth means on the road: the legal limit, and the depth below which the trade advises a new tyre. */

/**
 * In mm. `legal`: Directive 89/459/EEC, the least in the main grooves, whatever the season. `summer`: what ADAC and the tyre
 * makers advise; below it water is no longer displaced at speed. `winter`: Austria (§ 4 KDV 1967) takes a tyre below it
 * as no winter tyre any more, and the same is advised elsewhere; it holds for every tyre that has to grip snow.
 */
export const treadLimits = { legal: 1.6, summer: 3, winter: 4 } as const

/** The worst first. */
export const treads = ['illegal', 'worn', 'good'] as const
export type Tread = (typeof treads)[number]

const onSnow: readonly (string | null)[] = ['winter', 'snow', 'all_season']

/** The depth in mm below which a tyre of this season should be replaced. One of no known season counts as for the summer. */
export const leastTread = (season: string | null): number =>
  onSnow.includes(season) ? treadLimits.winter : treadLimits.summer

/**
 * What a depth in mm is still good for on a tyre of this season; `null` where nothing was measured. A depth on a limit has
 * not fallen below it.
 */
export function treadOf(depth: number | null, season: string | null): Tread | null {
  if (depth === null) return null
  if (depth < treadLimits.legal) return 'illegal'
  return depth < leastTread(season) ? 'worn' : 'good'
}
