/** Selects the recipients of notices about events, and writes the messages (docs/decisions/0056). */
import { countryOf } from '#domain/operations/closedDays.ts'
import { today } from '#domain/texts/date.ts'
import { longStoredSince } from '#domain/tyres/health.ts'
import { type SiteLimits, treadLimits, treadOf } from '#domain/tyres/tread.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import type { Database, Tx } from '../../db/database.ts'
import { startWorker, type Worker } from '../../worker.ts'
import * as sql from './notify.sql.ts'

type Measured = SiteLimits & {
  customer: number
  vehicle: number
  /** Who read the depths. */
  account: number | null
  type: string
  timeZone: string
  summer: number | null
  winter: number | null
  tyres: { season: string | null; depth: number }[]
}

/** The depths of the tyres that are below a limit. */
function wornDepths({ tyres, summer, winter, type, timeZone, ...site }: Measured, now: Date): number[] {
  const at = {
    country: countryOf(timeZone),
    kind: vehicleKind(type),
    date: today({ now, timeZone }),
    site,
    customer: { summer, winter },
  }
  return tyres
    .filter(({ season, depth }) => treadOf(depth, treadLimits(season, at)) !== 'good')
    .map(({ depth }) => depth)
}

/** Tells of vehicles whose depths were read. How many vehicles, and how many notices. */
async function notifyWorn(
  tx: Tx,
  { site, now }: { site: number; now: Date },
): Promise<{ found: number; told: number }> {
  const { text } = await tx.json(sql.takeMeasured, { site, now })
  const measured = JSON.parse(text) as Measured[]
  let noticeCount = 0
  for (const vehicleTyres of measured) {
    const depths = wornDepths(vehicleTyres, now)
    if (depths.length === 0) continue
    const { customer, vehicle, account } = vehicleTyres
    const about = { site, customer, vehicle, account, now }
    noticeCount += (await tx.one(sql.notifyWorn, { ...about, tyres: depths.length, depth: Math.min(...depths) })).told
  }
  return { found: measured.length, told: noticeCount }
}

type Notifying = {
  /** Called with a site at which somebody has a new notice. */
  readonly changed?: (site: number) => void
  readonly clock?: () => Date
}

/** Settles what has happened everywhere. Whether there was anything. */
export async function notifyNext(
  database: Database,
  { changed, clock = () => new Date() }: Notifying = {},
): Promise<boolean> {
  const now = clock()
  const sites = await database.transaction({ system: true }, tx => tx.rows(sql.sitesToNotify, { now }))
  let any = false
  for (const { site } of sites) {
    const { found: settledCount, told: noticeCount } = await database.transaction({ site }, async tx => {
      const { claimed } = await tx.one(sql.claim, { site })
      if (!claimed) return { found: 0, told: 0 }
      const settled = await tx.one(sql.settle, { site, now })
      const worn = await notifyWorn(tx, { site, now })
      const { mailed } = await tx.one(sql.mailDue, { site, now })
      return { found: settled.settled + worn.found + mailed, told: settled.told + worn.told }
    })
    if (noticeCount > 0) changed?.(site)
    any ||= settledCount > 0
  }
  return any
}

/** Tells customers whose tyres have been stored for too long; once an hour is enough. */
export async function notifyLongStored(database: Database, now: Date): Promise<void> {
  const hotels = await database.transaction({ system: true }, tx => tx.rows(sql.hotels, {}))
  for (const { site, timeZone } of hotels) {
    const since = longStoredSince(today({ now, timeZone }))
    await database.transaction({ site }, async tx => {
      const { claimed } = await tx.one(sql.claim, { site })
      if (claimed) await tx.one(sql.notifyLongStored, { site, since, now })
    })
  }
}

/** Sends notices of events from now on. */
export const startNotifying = (
  database: Database,
  { failed, ...notifying }: Omit<Notifying, 'clock'> & { failed: (problem: string) => void },
): Worker => startWorker({ next: () => notifyNext(database, notifying), onError: failed })

/** Forgets notices of long ago; once an hour is enough. */
export const deleteOldNotices = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, tx => tx.run(sql.deleteOld, { now }))
