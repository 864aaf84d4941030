/** Signing in and out, and whose session a cookie is (SPEC §4 "Session"; DESIGN §5; QUALITY 16, 17). */
import { createHash, randomBytes } from 'node:crypto'
import { languages, type Language, type Role } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import type { Profile } from '#contract/session.ts'
import { statement, type Database, type Tx } from '../../db/database.ts'
import { hashPassword, strongEnough, verifyPassword } from './password.ts'
import type { Handlers, Session, Who } from '../handler.ts'

/** A session ends after this long without a request, and after this long in any case. */
const idleHours = 12
const absoluteDays = 14

/** Over https the cookie is bound to this host and to https by its name (RFC 6265bis §4.1.3). */
export const cookieName = (protocol: string): string => (protocol === 'https' ? '__Host-wheelhouse' : 'wheelhouse')

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

const sessionOf = statement(
  'sessions.find',
  `with found as (
     select s.token_hash, s.seen_at, a.* from session s join account a on a.id = s.account_id
     where s.token_hash = $1 and a.disabled_at is null
       and s.seen_at > $2::timestamptz - make_interval(hours => ${idleHours})
       and s.created_at > $2::timestamptz - make_interval(days => ${absoluteDays})),
   seen as (
     update session s set seen_at = $2 from found f
     where s.token_hash = f.token_hash and f.seen_at < $2::timestamptz - interval '1 minute')
   select id as account, type, site_id as site, customer_id as customer, username, fullname, language as lang,
     (select language from site where id = site_id) as site_lang from found`,
)
type SessionRow = Omit<Who, 'lang'> & { lang: Language | null; site_lang: Language | null }

/**
 * How long a node believes a session it looked up. What ends a session here ends it at once; another node learns of it
 * within this time (docs/decisions/0006).
 */
const rememberFor = 1000
const rememberAtMost = 10_000
const remembered = new WeakMap<Database, Map<string, { session: Session; until: number }>>()

const memoryOf = (database: Database): Map<string, { session: Session; until: number }> => {
  const memory = remembered.get(database) ?? new Map<string, { session: Session; until: number }>()
  remembered.set(database, memory)
  return memory
}

/**
 * Forgets a session that was looked up, those of an account by its number, or all of them, so that the next request sees
 * accounts and sessions as they are.
 */
export function invalidateSessions(database: Database, only?: Session | number): void {
  const memory = memoryOf(database)
  if (only === undefined) memory.clear()
  else if (typeof only !== 'number') memory.delete(only.token.toString('base64'))
  else for (const [key, { session }] of memory) if (session.who.account === only) memory.delete(key)
}

/** The session of a cookie, `null` when it is none, has ended, or its account was disabled. */
export async function findSession(database: Database, token: string | undefined, now: Date): Promise<Session | null> {
  if (!token || token.length > 100) return null
  const hash = digest(token)
  const memory = memoryOf(database)
  const key = hash.toString('base64')
  const known = memory.get(key)
  if (known && known.until > now.getTime()) return known.session
  const row = await database.transaction({ system: true }, tx => tx.single.maybe<SessionRow>(sessionOf, [hash, now]))
  if (!row) {
    memory.delete(key)
    return null
  }
  const { site_lang, ...who } = row
  const session = { token: hash, who: { ...who, lang: who.lang ?? site_lang ?? 'eng' } }
  if (memory.size >= rememberAtMost) memory.clear()
  memory.set(key, { session, until: now.getTime() + rememberFor })
  return session
}

/** Failures in this time are counted: so many for one account from one address, so many from one address at all. */
const window = '15 minutes'
const perAccount = 5
const perAddress = 50

const lockSubject = statement('sessions.lockSubject', `select pg_advisory_xact_lock(hashtextextended($1, 16))`)
const failuresOf = statement(
  'sessions.failures',
  `select count(*) filter (where subject = $1) as account, count(*) as address
   from sign_in_failure where address = $2 and at > $3::timestamptz - interval '${window}'`,
)
const countFailure = statement(
  'sessions.countFailure',
  `insert into sign_in_failure (subject, address, at) values ($1, $2, $3)`,
)
const forgetFailures = statement(
  'sessions.forgetFailures',
  `delete from sign_in_failure where subject = $1 and address = $2`,
)
const accountOf = statement(
  'sessions.account',
  `select a.id as account, a.type, a.site_id as site, a.customer_id as customer, a.username, a.fullname,
     a.language as lang, a.password, (select language from site where id = $1) as site_lang
   from account a left join site s on s.id = a.site_id
   where lower(a.username) = lower($2) and (a.site_id = $1 or a.site_id is null) and a.disabled_at is null
     and s.retired_at is null
   order by a.site_id nulls last limit 1`,
)
// A password that was changed, or an account that was disabled, after the look-up lets nobody in any more: `for share` waits
// for whoever changes the account and then reads it as it is.
const begin = statement(
  'sessions.begin',
  `insert into session (token_hash, account_id, site_id, created_at, seen_at)
   select $1, id, site_id, $4, $4 from account where id = $2 and password = $3 and disabled_at is null for share`,
)
const end = statement('sessions.end', `delete from session where token_hash = $1`)
const endAll = statement('sessions.endAll', `delete from session where account_id = $1`)
const passwordOf = statement('sessions.password', `select password from account where id = $1`)
const changePassword = statement(
  'sessions.changePassword',
  `with changed as (
     update account set password = $2 where id = $1 and password = $4 returning id, site_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, id, $3, 'account.password', 'account ' || id, jsonb_build_object('own', true) from changed`,
)
const speak = statement('sessions.speak', `update account set language = $2 where id = $1`)

/** Somebody unknown is checked against this, so that the answer takes as long. */
const nobody = hashPassword(randomBytes(16).toString('hex'))

export const profileOf = (who: { type: Role } & Pick<Who, 'username' | 'fullname' | 'lang' | 'customer'>): Profile => ({
  isAuthenticated: true,
  username: who.username,
  fullname: who.fullname,
  type: who.type,
  lang: who.lang,
  lang_iso: languages[who.lang],
  seq_id: who.customer,
})

const sweepSessions = statement(
  'sessions.sweep',
  `delete from session where seen_at < $1::timestamptz - make_interval(hours => ${idleHours})
     or created_at < $1::timestamptz - make_interval(days => ${absoluteDays})`,
)
const sweepFailures = statement(
  'sessions.sweepFailures',
  `delete from sign_in_failure where at < $1::timestamptz - interval '1 day'`,
)

/** Throws away sessions that are over and failures that no longer count; once an hour is enough. */
export const sweep = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, async tx => {
    await tx.rows(sweepSessions, [now])
    await tx.rows(sweepFailures, [now])
  })

/** A password that somebody offers from an address as that of `subject`; `kept` is the hash that it has to fit. */
type Attempt = { subject: string; address: string; now: Date; password: string; kept: string }

/**
 * Tries a password, and counts when it is wrong; after too many none is looked at for a while. `null` is the right one.
 * The failures are for returning: thrown, they would take the count back with them.
 */
async function tryPassword(
  tx: Tx,
  { subject, address, now, password, kept }: Attempt,
): Promise<'too_many' | 'wrong' | null> {
  // one attempt at a time for an account and address: parallel guesses are counted like any other
  await tx.rows(lockSubject, [`${subject} ${address}`])
  const failed = await tx.one<{ account: number; address: number }>(failuresOf, [subject, address, now])
  if (failed.account >= perAccount || failed.address >= perAddress) return 'too_many'
  const right = await verifyPassword(password, kept)
  if (right) await tx.rows(forgetFailures, [subject, address])
  else await tx.rows(countFailure, [subject, address, now])
  return right ? null : 'wrong'
}

const tooMany = (): Failure => new Failure('login.too_many', { seconds: 900, minutes: 15 })

export const users: Handlers['users'] = {
  async authenticate({ input, tx, now, request }) {
    await tx.asSystem()
    const found = await tx.maybe<SessionRow & { password: string }>(accountOf, [request.site, input.username])
    // the account that was found, however its name was written
    const subject = found ? `account ${found.account}` : `${request.site ?? 0} ${input.username.toLowerCase()}`
    const { address } = request
    const kept = found?.password ?? (await nobody)
    const refused = await tryPassword(tx, { subject, address, now, password: input.password, kept })
    if (refused === 'too_many') return tooMany()
    if (!found || refused) return new Failure('login.wrong')
    if (request.session) {
      await tx.rows(end, [request.session.token])
      request.invalidateSessions()
    }
    const token = randomBytes(32).toString('base64url')
    const begun = await tx.count(begin, [digest(token), found.account, found.password, now])
    if (begun === 0) return new Failure('login.wrong')
    request.setSession(token)
    return profileOf({ ...found, lang: found.lang ?? found.site_lang ?? 'eng' })
  },

  loginstate: async ({ who }) => (who ? profileOf(who) : { isAuthenticated: false }),

  async logout({ tx, request }) {
    if (request.session) {
      await tx.asSystem()
      await tx.rows(end, [request.session.token])
      request.invalidateSessions()
    }
    request.setSession(null)
    return {}
  },

  async language({ input, tx, who, request }) {
    await tx.asSystem()
    await tx.rows(speak, [who.account, input.lang])
    request.invalidateSessions()
    return profileOf({ ...who, lang: input.lang })
  },

  async password({ input, tx, who, now, request }) {
    await tx.asSystem()
    const wanted = strongEnough(input.wanted)
    const kept = (await tx.one<{ password: string }>(passwordOf, [who.account])).password
    const refused = await tryPassword(tx, {
      subject: `account ${who.account}`,
      address: request.address,
      now,
      password: input.password,
      kept,
    })
    if (refused) return refused === 'too_many' ? tooMany() : new Failure('account.password_wrong')
    const hash = await hashPassword(wanted)
    // somebody else gave the account another password meanwhile: the one that was typed is no longer the present one
    if ((await tx.count(changePassword, [who.account, hash, now, kept])) === 0)
      return new Failure('account.password_wrong')
    await tx.rows(endAll, [who.account])
    const token = randomBytes(32).toString('base64url')
    await tx.rows(begin, [digest(token), who.account, hash, now])
    request.setSession(token)
    request.invalidateSessions(who.account)
    return profileOf(who)
  },
}
