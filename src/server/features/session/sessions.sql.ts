/** The statements of sessions and of signing in. They need the scope of the system: the site is not known yet. */
import { z } from 'zod'
import { languageCodes, roles } from '#domain/people/account.ts'
import { statement } from '../../db/statement.ts'
import { companyOfAccount } from '../mail/mail.sql.ts'
import { answer, bool, bytes, instant, int, moment, text } from '../../db/types.ts'

/** A session ends after this long without a request, and after this long in any case, if it was not begun for less. */
const idleHours = 12
const absoluteDays = 14

/** Whether the session `s` goes on. */
const goesOn = `s.seen_at > :now::timestamptz - make_interval(hours => ${idleHours})
       and coalesce(s.ends_at, s.created_at + make_interval(days => ${absoluteDays})) > :now::timestamptz`

const language = z.enum(languageCodes)

/** Whose account it is. `site_lang` is the language of the site, for an account that has none. */
const who = {
  account: int,
  type: z.enum(roles),
  warehouse: bool,
  site: int.nullable(),
  customer: int.nullable(),
  username: text,
  fullname: text,
  lang: language.nullable(),
  site_lang: language.nullable(),
}

/** Whose session a token is, unless it has ended or the account is disabled; with `used` notes that it was used. */
export const findByToken = statement({
  name: 'sessions.find',
  parameters: { token: bytes, now: instant, used: bool },
  row: { ...who, session: int, confirmed: moment },
  sql: `with found as (
     select s.token_hash, s.seen_at, s.id as session, coalesce(s.confirmed_at, s.created_at) as confirmed, a.*
     from session s join account a on a.id = s.account_id
     where s.token_hash = :token and a.disabled_at is null and ${goesOn}),
   seen as (
     update session s set seen_at = :now from found f
     where :used and s.token_hash = f.token_hash and f.seen_at < :now::timestamptz - interval '1 minute')
   select id as account, type, warehouse_only as warehouse, site_id as site, customer_id as customer, username, fullname, language as lang,
     (select language from site where id = site_id) as site_lang, session, confirmed from found`,
})

/**
 * Begins a session. Touches no row when the password was changed or the account disabled since the lookup: `for share` waits for
 * concurrent changes of the account and then reads its new state. An administrator's session ends when the site says, a superuser's after
 * half a day. `signOn` is the state that the provider needs to end its own.
 */
export const beginSession = statement({
  name: 'sessions.begin',
  parameters: {
    token: bytes,
    account: int,
    password: text,
    device: text,
    address: text,
    now: instant,
    confirmed: instant,
    signOn: bytes.nullable(),
  },
  sql: `insert into session (token_hash, account_id, site_id, created_at, seen_at, confirmed_at, device, address, sign_on, ends_at)
   select :token, id, site_id, :now, :now, :confirmed, :device, :address, :signOn, :now::timestamptz + case type
     when 'user' then make_interval(days => ${absoluteDays})
     else make_interval(hours => coalesce((select admin_session_hours from site where site.id = site_id), ${idleHours})) end
   from account where id = :account and password = :password and disabled_at is null for share`,
})

/** Notes that the owner of a session showed who it is. */
export const confirmSession = statement({
  name: 'sessions.confirm',
  parameters: { token: bytes, now: instant },
  sql: `update session set confirmed_at = :now where token_hash = :token`,
})

/** The sessions of an account, the latest first, in wire form. */
export const sessionsOf = statement({
  name: 'sessions.list',
  parameters: { account: int, present: bytes, now: instant },
  row: answer,
  sql: `select coalesce(json_agg(json_build_object('_id', id, 'device', device, 'address', address, 'began', created_at,
     'seen', seen_at, 'present', token_hash = :present) order by token_hash = :present desc, seen_at desc), '[]')::text as json
   from session s where account_id = :account and ${goesOn}`,
})

/** Ends one session of an account. */
export const endSessionById = statement({
  name: 'sessions.endOne',
  parameters: { account: int, session: int },
  row: { id: int },
  sql: `delete from session where account_id = :account and id = :session returning id`,
})

/** Ends the sessions of an account, but for this one. */
export const endOtherSessions = statement({
  name: 'sessions.endOthers',
  parameters: { account: int, present: bytes },
  sql: `delete from session where account_id = :account and token_hash <> :present`,
})

export const endSession = statement({
  name: 'sessions.end',
  parameters: { token: bytes },
  row: { account: int, signOn: bytes.nullable() },
  sql: `delete from session where token_hash = :token returning account_id as account, sign_on as "signOn"`,
})

export const endSessions = statement({
  name: 'sessions.endAll',
  parameters: { account: int },
  sql: `delete from session where account_id = :account`,
})

export const deleteEndedSessions = statement({
  name: 'sessions.sweep',
  parameters: { now: instant },
  sql: `delete from session s where not (${goesOn})`,
})

/** The columns that decide the next step of a sign-in. `password` is its hash. */
const signingIn = { password: text, must_change: bool, company: text }
const signingInColumns = `a.id as account, a.type, a.warehouse_only as warehouse, a.site_id as site, a.customer_id as customer, a.username, a.fullname,
     a.language as lang, a.password, a.must_change_password as must_change,
     ${companyOfAccount} as company`

/** The account that signs in under this name: one of the site, else a superuser's. `password` is its hash. */
export const accountByName = statement({
  name: 'sessions.account',
  parameters: { site: int.nullable(), username: text },
  row: { ...who, ...signingIn },
  sql: `select ${signingInColumns}, (select language from site where id = :site) as site_lang
   from account a left join site s on s.id = a.site_id
   where lower(a.username) = lower(:username) and (a.site_id = :site or a.site_id is null) and a.disabled_at is null and not a.is_service
     and s.retired_at is null
   order by a.site_id nulls last limit 1`,
})

/** An account that is signed in, or halfway through signing in. */
export const accountById = statement({
  name: 'sessions.accountById',
  parameters: { account: int },
  row: { ...who, ...signingIn },
  sql: `select ${signingInColumns}, (select language from site where id = a.site_id) as site_lang from account a where a.id = :account`,
})

/** Begins a step between a password and a session. */
export const addStep = statement({
  name: 'sessions.addStep',
  parameters: {
    token: bytes,
    account: int,
    awaits: text,
    password: text,
    passed: bool,
    expires: instant,
    signOn: bytes.nullable(),
  },
  sql: `insert into sign_in_step (hash, account_id, site_id, customer_id, awaits, password, passed, expires_at, sign_on)
   select :token, id, site_id, customer_id, :awaits, :password, :passed, :expires, :signOn from account
   where id = :account and password = :password and disabled_at is null`,
})

/** The step of a token, until it expires or the account gets another password. */
export const stepOf = statement({
  name: 'sessions.step',
  parameters: { token: bytes, awaits: text, now: instant },
  row: { account: int, site: int.nullable(), password: text, passed: bool, signOn: bytes.nullable() },
  sql: `select s.account_id as account, s.site_id as site, s.password, s.passed, s.sign_on as "signOn" from sign_in_step s join account a on a.id = s.account_id
   where s.hash = :token and s.awaits = :awaits and s.expires_at > :now and a.password = s.password and a.disabled_at is null`,
})

/** Uses a step up. No row is touched when it was used meanwhile. */
export const useStep = statement({
  name: 'sessions.useStep',
  parameters: { token: bytes },
  sql: `delete from sign_in_step where hash = :token`,
})

/** Ends the sign-ins of an account that wait for a step, but for this one. */
export const dropSteps = statement({
  name: 'sessions.dropSteps',
  parameters: { account: int, kept: bytes.nullable() },
  sql: `delete from sign_in_step where account_id = :account and hash is distinct from :kept`,
})

/** Lets one change at a time be made of how an account signs in. */
export const lockAccount = statement({
  name: 'sessions.lockAccount',
  parameters: { account: int },
  row: { id: int },
  sql: `select id from account where id = :account for update`,
})

export const deleteExpiredSteps = statement({
  name: 'sessions.sweepSteps',
  parameters: { now: instant },
  sql: `delete from sign_in_step where expires_at <= :now`,
})

/** Replaces the hash `present` by `password`, which the owner chose. No row is touched when the account has another one by now. */
export const changePassword = statement({
  name: 'sessions.changePassword',
  parameters: { account: int, password: text, present: text, now: instant },
  sql: `with changed as (
     update account set password = :password, must_change_password = false
     where id = :account and password = :present returning id, site_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, id, :now, 'account.password', 'account ' || id, jsonb_build_object('own', true) from changed`,
})

export const deleteExpiredSignOns = statement({
  name: 'sessions.sweepSignOns',
  parameters: { now: instant },
  sql: `delete from sign_on_attempt where expires_at <= :now`,
})

export const setLanguage = statement({
  name: 'sessions.speak',
  parameters: { account: int, lang: language },
  sql: `update account set language = :lang where id = :account`,
})
