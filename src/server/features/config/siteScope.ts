/** The site that a configuration call works on, and its cache invalidation. */
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import { superusers, type Context, type Who } from '../handler.ts'

type Request = Context<unknown, 'anyone'>['request']

/**
 * The site of a call: an administrator's own, or the one that a superuser names.
 * @throws Failure `record.missing` for another site than the administrator's
 */
export function siteIdOf(who: Who, named: number | undefined): number {
  if (who.type === 'superuser') {
    if (named === undefined) throw new Failure('request.invalid', { fields: ['id'] })
    return named
  }
  if (who.site === null || (named !== undefined && named !== who.site)) throw new Failure('record.missing')
  return who.site
}

/** Lets the transaction work at the site of a call. */
export async function enterSite(tx: Tx, who: Who, named: number | undefined): Promise<number> {
  const site = siteIdOf(who, named)
  if (who.type === 'superuser') await tx.asSite(site)
  return site
}

/** Notifies the pages of the site and those of superusers. */
export function publishSiteChange(request: Request, site: number): void {
  request.invalidateSites()
  request.notify('everyone', { site })
  request.notify('everyone', { site: superusers })
}
