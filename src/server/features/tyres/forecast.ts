/** When tyres wear down to the depth at which they are to be replaced (docs/wear.md). */
import { type Axle, isDriven } from '#domain/vehicles/axle.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { today } from '#domain/texts/date.ts'
import { treadLimits } from '#domain/tyres/tread.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { type Pause, type Reading, type WearCase, wearForecast } from '#domain/tyres/wear.ts'
import type { Tx } from '../../db/database.ts'
import type { Site } from '../handler.ts'
import * as sql from './forecast.sql.ts'

/** A tyre as `forecast.sql.ts` finds it. */
export type Worn = {
  tyre: number
  position: string
  season: string | null
  type: string
  yearly: number | null
  axles: Axle[] | null
  /** The customer's own limits, in mm. */
  summer: number | null
  winter: number | null
  readings: Reading[]
  pauses: Pause[]
  mounted: NonNullable<WearCase['mounted']>
}

type Forecast = { tyre: number; limit: number; from: string | null; until: string | null }

/** The inputs of the rule of wear. */
export const wearOf = ({ position, season, type, yearly, axles, readings, pauses, mounted }: Worn): WearCase => ({
  readings,
  pauses,
  mounted,
  season,
  yearly,
  kind: vehicleKind(type),
  driven: isDriven(axles ?? [], position),
})

/** The forecasts of these tyres, but for those that are at their limit today. */
export async function forecastsOf(
  tx: Tx,
  { site, tyres, now }: { site: Site; tyres: readonly number[]; now: Date },
): Promise<Forecast[]> {
  const { timeZone } = site
  const { text } = await tx.json(sql.worn, { site: site.id, tyres: [...tyres], timeZone })
  const date = today({ now, timeZone })
  return (JSON.parse(text) as Worn[]).flatMap(worn => {
    const { tyre, season, type, summer, winter, readings } = worn
    const at = { country: countryOf(timeZone), kind: vehicleKind(type), date, site, customer: { summer, winter } }
    const { wanted: limit } = treadLimits(season, at)
    const newest = readings.at(-1)
    if (newest && newest.depth <= limit) return []
    const forecast = wearForecast(wearOf(worn), { limit, today: date })
    return { tyre, limit, from: forecast?.from ?? null, until: forecast?.until ?? null }
  })
}
