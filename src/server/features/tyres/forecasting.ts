/**
 * Keeps the forecasts of tyres (docs/decisions/0069). Triggers note the vehicles of which a reading came, or anything else that the rule
 * goes by has changed; a worker in every node asks the rule of the domain for their tyres.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { countryOf } from '#domain/operations/closedDays.ts'
import { limitsOfYear } from '#domain/tyres/tread.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { keptForecast } from '#domain/tyres/wear.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { type Worn, wearOf } from './forecast.ts'
import * as sql from './forecast.sql.ts'

/** How many vehicles are forecast in one transaction. */
const atOnce = 20

type Forecasting = {
  /** Called with a customer whose forecasts have changed. */
  readonly changed?: (site: number, customer: number) => void
  readonly signal?: AbortSignal
}
type SiteDue = Row<typeof sql.sitesToForecast>

/** The forecasts of a tyre, for each limit that holds at some time of the year. */
function forecastsOf(worn: Worn, { timeZone, ...site }: SiteDue) {
  const { tyre, season, type, summer, winter } = worn
  if (worn.readings.length < 2) return []
  const at = { country: countryOf(timeZone), kind: vehicleKind(type), site, customer: { summer, winter } }
  return limitsOfYear(season, at).flatMap(limit => {
    const kept = keptForecast(wearOf(worn), limit)
    return kept ? [{ tyre, ...kept }] : []
  })
}

/** Forecasts for the vehicles of a site that have been due longest. The customers for whom something has changed; `null`: none is due. */
async function forecastSome(tx: Tx, due: SiteDue): Promise<number[] | null> {
  const { site, timeZone } = due
  const { claimed } = await tx.one(sql.claim, { site })
  if (!claimed) return null
  await tx.run(sql.spreadDue, { site })
  const vehicles = (await tx.rows(sql.takeDue, { site, most: atOnce })).map(({ vehicle }) => vehicle)
  if (vehicles.length === 0) return null
  const { text } = await tx.json(sql.wornOnVehicles, { site, vehicles, timeZone })
  const forecasts: ReturnType<typeof forecastsOf> = []
  for (const worn of JSON.parse(text) as Worn[]) {
    // a tyre takes a millisecond: requests come in between
    await setImmediate()
    forecasts.push(...forecastsOf(worn, due))
  }
  const rows = await tx.rows(sql.keepForecasts, { site, vehicles, forecasts: JSON.stringify(forecasts) })
  return rows.map(({ customer }) => customer)
}

/** Forecasts for a few vehicles of each site. Whether there were any. */
export async function forecastNext(database: Database, { changed, signal }: Forecasting = {}): Promise<boolean> {
  const sites = await database.transaction({ system: true }, tx => tx.rows(sql.sitesToForecast, {}))
  let any = false
  for (const due of sites) {
    if (signal?.aborted === true) break
    const begun = performance.now()
    const customers = await database.transaction({ site: due.site }, tx => forecastSome(tx, due))
    for (const customer of customers ?? []) changed?.(due.site, customer)
    any ||= customers !== null
    // many vehicles at once, such as those of a whole site, leave half of the processor to the requests
    if (customers) await sleep(performance.now() - begun, undefined, { ref: false })
  }
  return any
}

/** Computes due forecasts from now on. */
export const startForecasting = (
  database: Database,
  { changed, failed }: Required<Pick<Forecasting, 'changed'>> & { failed: (problem: string) => void },
): Worker =>
  startWorker({ next: signal => forecastNext(database, { changed, signal }), onError: problem => failed(problem) })
