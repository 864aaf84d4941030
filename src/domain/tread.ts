/** What a tread depth means on the road: the legal limit, and the depths below which the trade advises a new tyre. */

/**
 * In mm. `legal`: Directive 89/459/EEC, the least in the main grooves of a car's tyre. `summer`: below it water is no
 * longer displaced at speed. `winter`: below it a tyre no longer grips snow; Austria takes it as no winter tyre.
 */
export const treadLimits = { legal: 1.6, summer: 3, winter: 4 } as const

export const treads = ['illegal', 'worn', 'summer_only', 'good'] as const
export type Tread = (typeof treads)[number]

/** What a depth in mm is still good for; `null` where nothing was measured. A depth on a limit has not fallen below it. */
export function treadOf(depth: number | null): Tread | null {
  if (depth === null) return null
  if (depth < treadLimits.legal) return 'illegal'
  if (depth < treadLimits.summer) return 'worn'
  return depth < treadLimits.winter ? 'summer_only' : 'good'
}
