/** The statements of sessions and of signing in. They need the scope of the system: the site is not known yet. */
import { z } from 'zod'
import { languageCodes, roles } from '#domain/account.ts'
import { statement } from '../../db/statement.ts'
import { bytes, instant, int, text } from '../../db/types.ts'

/** A session ends after this long without a request, and after this long in any case. */
const idleHours = 12
const absoluteDays = 14

/** Failures of this long are counted. */
const failureWindow = '15 minutes'

const language = z.enum(languageCodes)

/** Whose account it is. `site_lang` is the language of the site, for an account that has none. */
const who = {
  account: int,
  type: z.enum(roles),
  site: int.nullable(),
  customer: int.nullable(),
  username: text,
  fullname: text,
  lang: language.nullable(),
  site_lang: language.nullable(),
}

/** Whose session a token is, unless it has ended or the account is disabled; notes that it was used. */
export const findByToken = statement({
  name: 'sessions.find',
  parameters: { token: bytes, now: instant },
  row: who,
  sql: `with found as (
     select s.token_hash, s.seen_at, a.* from session s join account a on a.id = s.account_id
     where s.token_hash = :token and a.disabled_at is null
       and s.seen_at > :now::timestamptz - make_interval(hours => ${idleHours})
       and s.created_at > :now::timestamptz - make_interval(days => ${absoluteDays})),
   seen as (
     update session s set seen_at = :now from found f
     where s.token_hash = f.token_hash and f.seen_at < :now::timestamptz - interval '1 minute')
   select id as account, type, site_id as site, customer_id as customer, username, fullname, language as lang,
     (select language from site where id = site_id) as site_lang from found`,
})

/**
 * Begins a session. No row is touched when the password was changed or the account disabled since it was looked up: `for share`
 * waits for whoever changes the account and then reads it as it is.
 */
export const beginSession = statement({
  name: 'sessions.begin',
  parameters: { token: bytes, account: int, password: text, now: instant },
  sql: `insert into session (token_hash, account_id, site_id, created_at, seen_at)
   select :token, id, site_id, :now, :now from account where id = :account and password = :password and disabled_at is null for share`,
})

export const endSession = statement({
  name: 'sessions.end',
  parameters: { token: bytes },
  sql: `delete from session where token_hash = :token`,
})

export const endSessions = statement({
  name: 'sessions.endAll',
  parameters: { account: int },
  sql: `delete from session where account_id = :account`,
})

export const deleteEndedSessions = statement({
  name: 'sessions.sweep',
  parameters: { now: instant },
  sql: `delete from session where seen_at < :now::timestamptz - make_interval(hours => ${idleHours})
     or created_at < :now::timestamptz - make_interval(days => ${absoluteDays})`,
})

/** Lets one attempt at a time be made for a subject and address. */
export const lockAttempts = statement({
  name: 'sessions.lockSubject',
  parameters: { key: text },
  row: { pg_advisory_xact_lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended(:key, 16))`,
})

/** How many attempts failed lately: for the subject at this address, and at this address in all. */
export const countFailures = statement({
  name: 'sessions.failures',
  parameters: { subject: text, address: text, now: instant },
  row: { account: int, address: int },
  sql: `select count(*) filter (where subject = :subject) as account, count(*) as address
   from sign_in_failure where address = :address and at > :now::timestamptz - interval '${failureWindow}'`,
})

export const addFailure = statement({
  name: 'sessions.countFailure',
  parameters: { subject: text, address: text, now: instant },
  sql: `insert into sign_in_failure (subject, address, at) values (:subject, :address, :now)`,
})

export const deleteFailures = statement({
  name: 'sessions.forgetFailures',
  parameters: { subject: text, address: text },
  sql: `delete from sign_in_failure where subject = :subject and address = :address`,
})

export const deleteOldFailures = statement({
  name: 'sessions.sweepFailures',
  parameters: { now: instant },
  sql: `delete from sign_in_failure where at < :now::timestamptz - interval '1 day'`,
})

/** The account that signs in under this name: one of the site, else a superuser's. `password` is its hash. */
export const accountByName = statement({
  name: 'sessions.account',
  parameters: { site: int.nullable(), username: text },
  row: { ...who, password: text },
  sql: `select a.id as account, a.type, a.site_id as site, a.customer_id as customer, a.username, a.fullname,
     a.language as lang, a.password, (select language from site where id = :site) as site_lang
   from account a left join site s on s.id = a.site_id
   where lower(a.username) = lower(:username) and (a.site_id = :site or a.site_id is null) and a.disabled_at is null
     and s.retired_at is null
   order by a.site_id nulls last limit 1`,
})

/** The hash of an account's password. */
export const passwordOf = statement({
  name: 'sessions.password',
  parameters: { account: int },
  row: { password: text },
  sql: `select password from account where id = :account`,
})

/** Replaces the hash `present` by `password`. No row is touched when the account has another one by now. */
export const changePassword = statement({
  name: 'sessions.changePassword',
  parameters: { account: int, password: text, present: text, now: instant },
  sql: `with changed as (
     update account set password = :password where id = :account and password = :present returning id, site_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, id, :now, 'account.password', 'account ' || id, jsonb_build_object('own', true) from changed`,
})

export const setLanguage = statement({
  name: 'sessions.speak',
  parameters: { account: int, lang: language },
  sql: `update account set language = :lang where id = :account`,
})
