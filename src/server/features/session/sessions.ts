/** Whose session a cookie is. Sessions are looked up for every request, and remembered for a second (docs/decisions/0006). */
import type { Database } from '../../db/database.ts'
import { hashToken } from '../../tokens.ts'
import type { Session, Who } from '../handler.ts'
import { deleteOldFailures } from './attempts.sql.ts'
import { deleteOldDevices } from './devices.sql.ts'
import { deleteExpiredChallenges } from './factors.sql.ts'
import { deleteEndedSessions, deleteExpiredSignOns, deleteExpiredSteps, findByToken } from './sessions.sql.ts'

/** Over https the cookie is bound to this host and to https by its name (RFC 6265bis §4.1.3). */
export const cookieName = (protocol: string): string => (protocol === 'https' ? '__Host-wheelhouse' : 'wheelhouse')

/**
 * How long a node trusts a session that it looked up, in ms. What ends a session on this node ends it at once; another node
 * notices within this time.
 */
const cacheFor = 1000
const cacheMost = 10_000
type Cached = { readonly found: { readonly who: Who }; readonly until: number }
const caches = new WeakMap<Database, Map<string, Cached>>()

const cacheOf = (database: Database): Map<string, Cached> => {
  const cache = caches.get(database) ?? new Map<string, Cached>()
  caches.set(database, cache)
  return cache
}

/** Looks up a session, those of an account by its number with its access tokens, or all of them, again at the next request. */
export function invalidateSessions(database: Database, only?: Session | number): void {
  const cache = cacheOf(database)
  if (only === undefined) cache.clear()
  else if (typeof only !== 'number') cache.delete(keyOf(only.token))
  else for (const [key, { found: session }] of cache) if (session.who.account === only) cache.delete(key)
}

const keyOf = (token: Buffer): string => `session ${token.toString('base64')}`

/** Runs a lookup that is not cached. */
export type Scheduling = <T>(lookUp: () => Promise<T>) => Promise<T>

/** The value cached under this key, else the result of `lookUp`, which is cached unless `kept` is false. */
export async function remembered<T extends { readonly who: Who }>(
  database: Database,
  key: string,
  now: Date,
  lookUp: () => Promise<T | null>,
  kept = true,
): Promise<T | null> {
  const cache = cacheOf(database)
  const cached = cache.get(key)
  // a key names the type of its value
  if (cached && cached.until > now.getTime()) return cached.found as T
  const session = await lookUp()
  if (!session) cache.delete(key)
  else if (kept) {
    if (cache.size >= cacheMost) cache.clear()
    cache.set(key, { found: session, until: now.getTime() + cacheFor })
  }
  return session
}

/**
 * The session of a cookie, `null` when it is none, has ended, or its account was disabled. `schedule` runs a lookup that is not
 * cached. With `used` false it is looked at and not used: it ends by itself all the same.
 */
export async function findSession(
  database: Database,
  token: string | undefined,
  now: Date,
  { schedule = lookUp => lookUp(), used = true }: { schedule?: Scheduling; used?: boolean } = {},
): Promise<Session | null> {
  if (!token || token.length > 100) return null
  const hash = hashToken(token)
  const lookUp = async (): Promise<Session | null> => {
    const row = await schedule(() =>
      database.transaction({ system: true }, tx => tx.single.maybe(findByToken, { token: hash, now, used })),
    )
    if (!row) return null
    const { site_lang, session: id, confirmed, ...who } = row
    const lang = who.lang ?? site_lang ?? 'eng'
    return { token: hash, id, who: { ...who, lang }, confirmed: new Date(confirmed) }
  }
  // the next request that is a use has to say so
  return remembered(database, keyOf(hash), now, lookUp, used)
}

/** Whether this node has found something under this key lately. It may have ended since. */
export const wasFound = (database: Database, key: string): boolean => cacheOf(database).has(key)

/** Whether this node knows the cookie of a session, which may have ended since. */
export const isKnownSession = (database: Database, token: string | undefined): boolean =>
  token !== undefined && token.length <= 100 && wasFound(database, keyOf(hashToken(token)))

/** Deletes sessions, steps and devices that are over and failures that no longer count; once an hour is enough. */
export const deleteExpired = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, async tx => {
    await tx.run(deleteEndedSessions, { now })
    await tx.run(deleteExpiredSteps, { now })
    await tx.run(deleteExpiredSignOns, { now })
    await tx.run(deleteExpiredChallenges, { now })
    await tx.run(deleteOldDevices, { now })
    await tx.run(deleteOldFailures, { now })
  })
