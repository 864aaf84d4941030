/** The statements of access tokens. */
import { z } from 'zod'
import { languageCodes, roles } from '#domain/people/account.ts'
import { tokenScopes } from '#domain/people/token.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, instant, int, text } from '../../db/types.ts'

const language = z.enum(languageCodes)
const scopes = z.array(z.enum(tokenScopes))

/** Whose token this is and what becomes of it; notes that a usable one was used. Needs the scope of the system. */
export const findByHash = statement({
  name: 'tokens.find',
  parameters: { hash: bytes, now: instant },
  row: {
    id: int,
    scopes,
    state: z.enum(['usable', 'expired', 'revoked']),
    account: int,
    type: z.enum(roles),
    warehouse: bool,
    site: int.nullable(),
    customer: int.nullable(),
    username: text,
    fullname: text,
    lang: language,
  },
  sql: `with found as (
     select t.id as token, t.used_at, t.scopes, a.*, case
       when t.revoked_at is not null or a.disabled_at is not null then 'revoked'
       when t.expires_at <= :now then 'expired'
       else 'usable' end as state
     from api_token_hash h
       join api_token t on t.site_id = h.site_id and t.id = h.token_id
       join account a on a.id = t.account_id
     where h.hash = :hash),
   seen as (
     update api_token t set used_at = :now from found f
     where t.site_id = f.site_id and t.id = f.token and f.state = 'usable'
       and (f.used_at is null or f.used_at < :now::timestamptz - interval '1 minute'))
   select token as id, scopes, state, id as account, type, warehouse_only as warehouse, site_id as site, customer_id as customer, username, fullname,
     coalesce(language, (select language from site where id = site_id), 'eng') as lang from found`,
})

/** Tokens that were not revoked, in wire form. */
const listed = (whose: string): string => `
   select coalesce(json_agg(found order by found.made desc, found._id desc), '[]')::text as json from (
     select t.id as _id, t.name, t.ending, t.scopes, t.created_at as made, m.username as by, t.expires_at as expires, t.used_at as used,
       case when t.expires_at <= :now then 'expired'
         when not exists (select from api_token_hash h where h.site_id = t.site_id and h.token_id = t.id) then 'lost'
         else 'usable' end as state
     from api_token t left join account m on m.id = t.made_by and m.site_id = t.site_id
     where t.site_id = :site and t.revoked_at is null and ${whose}) found`

export const tokensOfAccount = statement({
  name: 'tokens.own',
  parameters: { site: int, account: int, now: instant },
  row: answer,
  sql: listed('t.personal and t.account_id = :account'),
})

export const tokensOfSite = statement({
  name: 'tokens.site',
  parameters: { site: int, now: instant },
  row: answer,
  sql: listed('not t.personal'),
})

/** Locks who a token is made for, so that the most are counted one after the other. */
export const lockTokenOwner = statement({
  name: 'tokens.lockAccount',
  parameters: { site: int, account: int },
  row: { id: int },
  sql: 'select id from account where site_id = :site and id = :account for update',
})

/** How many usable tokens an account has, or without one the site. */
export const countUsable = statement({
  name: 'tokens.count',
  parameters: { site: int, account: int.nullable(), now: instant },
  row: { count: int },
  sql: `select count(*)::int as count from api_token t
   where site_id = :site and revoked_at is null and (expires_at is null or expires_at > :now)
     and case when :account::int is null then not personal else personal and account_id = :account end
     and exists (select from api_token_hash h where h.site_id = t.site_id and h.token_id = t.id)`,
})

/** The account of a site's token. The empty text is the hash of no password. */
export const addServiceAccount = statement({
  name: 'tokens.addAccount',
  parameters: { site: int, username: text, fullname: text, now: instant },
  row: { id: int },
  sql: `insert into account (site_id, username, fullname, type, password, is_service, created_at)
   values (:site, :username, :fullname, 'admin', '', true, :now) returning id`,
})

export const addToken = statement({
  name: 'tokens.add',
  parameters: {
    site: int,
    account: int,
    customer: int.nullable(),
    personal: bool,
    name: text,
    ending: text,
    scopes,
    by: int,
    now: instant,
    expires: instant.nullable(),
    hash: bytes,
  },
  row: { id: int },
  sql: `with added as (
     insert into api_token (site_id, account_id, customer_id, personal, name, ending, scopes, made_by, created_at, expires_at)
     values (:site, :account, :customer, :personal, :name, :ending, :scopes::text[], :by, :now, :expires) returning site_id, id),
   kept as (insert into api_token_hash (site_id, token_id, hash) select site_id, id, :hash from added)
   select id from added`,
})

/** Revokes a token of the account, or without one of the site. */
export const revoke = statement({
  name: 'tokens.revoke',
  parameters: { site: int, token: int, account: int.nullable(), now: instant },
  row: { account: int },
  sql: `update api_token set revoked_at = :now
   where site_id = :site and id = :token and revoked_at is null
     and case when :account::int is null then not personal else personal and account_id = :account end
   returning account_id as account`,
})

export const disableServiceAccount = statement({
  name: 'tokens.disableAccount',
  parameters: { site: int, account: int, now: instant },
  sql: 'update account set disabled_at = :now where site_id = :site and id = :account and is_service',
})
