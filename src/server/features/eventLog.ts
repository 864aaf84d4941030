/** Shared by the audit and security events: reading by role, and the parameters of a page. */
import type { IsoDate } from '#domain/date.ts'
import type { Json } from '../db/database.ts'
import { timeZoneOf, type Context } from './handler.ts'

export type LogReader = Context<unknown, readonly ['admin', 'superuser']>

type PageFilter = {
  readonly account?: number | undefined
  readonly startDate?: IsoDate | undefined
  readonly endDate?: IsoDate | undefined
  readonly last?: { readonly at: string; readonly _id: number } | undefined
}

/** The parameters of a page of at most `most` entries. */
export const pageParameters = (caller: LogReader, { account, startDate, endDate, last }: PageFilter, most: number) => ({
  account: account ?? null,
  from: startDate ?? null,
  until: endDate ?? null,
  timeZone: timeZoneOf(caller),
  lastAt: last?.at ?? null,
  last: last?._id ?? null,
  most,
})

/** Reads an administrator's own site, or for a superuser `site`, and all sites without one. */
export async function readForRole(
  caller: LogReader,
  site: number | undefined,
  read: { ofSite(site: number): Promise<Json>; ofSites(site: number | null): Promise<Json> },
): Promise<Json> {
  const { tx, who } = caller
  // a superuser's address may be that of no site
  if (who.type !== 'superuser') return read.ofSite(caller.site.id)
  await tx.asSystem()
  return read.ofSites(site ?? null)
}
