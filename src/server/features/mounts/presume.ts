/** Presumptions about vehicles that follow from confirmed operations (docs/product/vehicles.md "Presumed mounts"). */
import { today } from '#domain/texts/date.ts'
import type { Context } from '../handler.ts'
import * as sql from './mounts.sql.ts'

/**
 * Presumes that what confirmed recalls delivered is on its vehicles, and that what the other halves of season swaps bring back is not, where
 * the customer or the site wants it. The tyres keep their status.
 */
export async function presumeMounts(
  { tx, who, site, now }: Pick<Context<unknown, readonly ['admin']>, 'tx' | 'who' | 'site' | 'now'>,
  operations: readonly number[],
): Promise<void> {
  const { change } = await tx.one(sql.nextChange, {})
  const day = today({ now, timeZone: site.timeZone })
  const confirmed = { site: site.id, operations: [...operations], day, change, account: who.account, now }
  await tx.run(sql.presumeReturned, confirmed)
  await tx.run(sql.presumeMounted, confirmed)
}
