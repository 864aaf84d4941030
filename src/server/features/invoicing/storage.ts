/** Code that charging, marking and crediting storage share. */
import { today, type IsoDate } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import type { Site } from '../handler.ts'
import { lockTyresToCharge } from './charging.sql.ts'

/** The day that it is at the site. */
export const dayOf = ({ now, site }: { now: Date; site: Pick<Site, 'timeZone'> }): IsoDate =>
  today({ now, timeZone: site.timeZone })

/**
 * Locks the tyres, each once, until the request is over. One of another site or customer is missing; with `left`, one that was
 * removed is not.
 */
export async function lockStored(
  tx: Tx,
  site: Site,
  { tyres, customer = null, left = false }: { tyres: readonly number[]; customer?: number | null; left?: boolean },
): Promise<number[]> {
  const ids = [...new Set(tyres)]
  const locked = await tx.rows(lockTyresToCharge, { site: site.id, tyres: ids, customer, left })
  if (locked.length < ids.length) throw new Failure('record.missing')
  return locked.map(tyre => tyre.id)
}
