/** Whether tyres last the season that they are brought back or stored for (docs/product/tyres.md "Survival check"). */
import type { IsoDate } from '../texts/date.ts'
import { seasonEnd } from './wear.ts'

/** A tyre as it is, and its forecast as `/fleet/tyreforecast` answers it: none for a tyre that is at its limit. */
type Judged = { readonly db_id: number; readonly season: string | null; readonly profile_depth: number | null }
type Forecast = {
  readonly tyre: number
  readonly limit: number
  readonly from: IsoDate | null
  readonly until: IsoDate | null
}

/** The tyres that will not do, in mm and days; of those that are worn the least depth. */
export type Survival =
  | { readonly kind: 'worn'; readonly depth: number; readonly tyres: number }
  | {
      /** `falls`: nine of ten such tyres do. */
      readonly kind: 'falls' | 'mayFall'
      readonly limit: number
      readonly from: IsoDate
      readonly until: IsoDate
      readonly tyres: number
    }

/**
 * The warning about tyres that are driven next from `day` on, the worst of them: that they are worn now, that they will be before
 * their season ends, or that they may be. `null`: they last, or it is unknown.
 */
export function survivalOf(tyres: readonly Judged[], forecasts: readonly Forecast[], day: IsoDate): Survival | null {
  const byTyre = new Map(forecasts.map(forecast => [forecast.tyre, forecast]))
  const worn = tyres.flatMap(({ db_id: id, profile_depth: depth }) => (byTyre.has(id) || depth === null ? [] : [depth]))
  if (worn.length > 0) return { kind: 'worn', depth: Math.min(...worn), tyres: worn.length }
  const nearing = tyres.flatMap(({ db_id: id, season }) => {
    const { limit, from, until } = byTyre.get(id) ?? {}
    return limit !== undefined && from && until ? [{ limit, from, until, end: seasonEnd(season, day) }] : []
  })
  for (const [kind, late] of [
    ['falls', nearing.filter(({ until, end }) => until <= end)],
    ['mayFall', nearing.filter(({ from, end }) => from <= end)],
  ] as const) {
    const [first] = late.toSorted((a, b) => a.from.localeCompare(b.from))
    if (first) return { kind, limit: first.limit, from: first.from, until: first.until, tyres: late.length }
  }
  return null
}
