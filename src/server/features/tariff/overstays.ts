/** Charges tyres that are stored for too long: no action triggers it, only the passing of a day. */
import { today } from '#domain/texts/date.ts'
import type { Database } from '../../db/database.ts'
import { chargeOverstays, sitesWithOverstays } from './events.sql.ts'

/** Charges it at all sites; once an hour is enough, since a charge has the day that it is about. */
export async function chargeLongStored(database: Database, now: Date): Promise<void> {
  const sites = await database.transaction({ system: true }, tx => tx.rows(sitesWithOverstays, {}))
  for (const { site, timeZone } of sites)
    await database.transaction({ site }, tx =>
      tx.run(chargeOverstays, { site, customers: null, today: today({ now, timeZone }), now }),
    )
}
