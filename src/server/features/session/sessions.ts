/** Whose session a cookie is. Sessions are looked up for every request, and remembered for a second (docs/decisions/0006). */
import type { Database } from '../../db/database.ts'
import { hashToken } from '../../tokens.ts'
import type { Session } from '../handler.ts'
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
const caches = new WeakMap<Database, Map<string, { session: Session; until: number }>>()

const cacheOf = (database: Database): Map<string, { session: Session; until: number }> => {
  const cache = caches.get(database) ?? new Map<string, { session: Session; until: number }>()
  caches.set(database, cache)
  return cache
}

/** Looks up a session, those of an account by its number, or all of them, again at the next request. */
export function invalidateSessions(database: Database, only?: Session | number): void {
  const cache = cacheOf(database)
  if (only === undefined) cache.clear()
  else if (typeof only !== 'number') cache.delete(only.token.toString('base64'))
  else for (const [key, { session }] of cache) if (session.who.account === only) cache.delete(key)
}

/**
 * The session of a cookie, `null` when it is none, has ended, or its account was disabled. `schedule` runs a lookup that is not
 * cached. With `used` false it is looked at and not used: it ends by itself all the same.
 */
export async function findSession(
  database: Database,
  token: string | undefined,
  now: Date,
  {
    schedule = lookUp => lookUp(),
    used = true,
  }: { schedule?: <T>(lookUp: () => Promise<T>) => Promise<T>; used?: boolean } = {},
): Promise<Session | null> {
  if (!token || token.length > 100) return null
  const hash = hashToken(token)
  const cache = cacheOf(database)
  const key = hash.toString('base64')
  const cached = cache.get(key)
  if (cached && cached.until > now.getTime()) return cached.session
  const row = await schedule(() =>
    database.transaction({ system: true }, tx => tx.single.maybe(findByToken, { token: hash, now, used })),
  )
  if (!row) {
    cache.delete(key)
    return null
  }
  const { site_lang, session: id, confirmed, ...who } = row
  const lang = who.lang ?? site_lang ?? 'eng'
  const session = { token: hash, id, who: { ...who, lang }, confirmed: new Date(confirmed) }
  if (cache.size >= cacheMost) cache.clear()
  // the next request that is a use has to say so
  if (used) cache.set(key, { session, until: now.getTime() + cacheFor })
  return session
}

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
