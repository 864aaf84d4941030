/** The statements of second factors. They need the scope of the system: the user of a second factor is not signed in yet. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { answer, bytes, instant, int, text } from '../../db/types.ts'

/** The factors of an account: how many passkeys and recovery codes, and how many apps, at most one. */
export const countFactors = statement({
  name: 'factors.count',
  parameters: { account: int },
  row: { passkeys: int, apps: int, codes: int },
  sql: `select (select count(*) from passkey where account_id = :account)::int as passkeys,
     (select count(*) from totp where account_id = :account)::int as apps,
     (select count(*) from recovery_code where account_id = :account)::int as codes`,
})

/** The factors of an account in wire form, and whether single sign-on signs it in; `needed`: whether the site asks for a factor. */
export const factorsOf = statement({
  name: 'factors.list',
  parameters: { account: int, needed: z.boolean() },
  row: answer,
  sql: `select json_build_object(
     'passkeys', (select coalesce(json_agg(json_build_object('_id', id, 'name', name, 'created', created_at, 'used', used_at)
       order by created_at, id), '[]') from passkey where account_id = :account),
     'app', (select json_build_object('created', created_at, 'used', used_at) from totp where account_id = :account),
     'codes', (select count(*) from recovery_code where account_id = :account),
     'needed', :needed::boolean,
     'sign_on', exists (select from sign_on_identity i join sign_on p on p.site_id = i.site_id and p.issuer = i.issuer
       where i.account_id = :account))::text as json`,
})

/** Whether the site of an account asks for a second factor of its administrators. */
export const siteNeedsFactor = statement({
  name: 'factors.needed',
  parameters: { site: int },
  row: { needed: z.boolean() },
  sql: 'select admins_need_factor as needed from site where id = :site',
})

// Authenticator apps

export const appOf = statement({
  name: 'factors.app',
  parameters: { account: int },
  row: { seed: bytes },
  sql: 'select seed from totp where account_id = :account',
})

/** Adds an app, or puts it in the place of the one before. */
export const addApp = statement({
  name: 'factors.addApp',
  parameters: { account: int, seed: bytes, step: int, now: instant },
  sql: `insert into totp (account_id, site_id, customer_id, seed, last_step, created_at)
   select id, site_id, customer_id, :seed, :step, :now from account where id = :account
   on conflict (account_id) do update set seed = excluded.seed, last_step = excluded.last_step, created_at = excluded.created_at, used_at = null`,
})

/** Takes the code of a half minute. No row is touched when it, or a later one, was taken before. */
export const takeAppStep = statement({
  name: 'factors.takeStep',
  parameters: { account: int, step: int, now: instant },
  sql: 'update totp set last_step = :step, used_at = :now where account_id = :account and last_step < :step',
})

export const deleteApp = statement({
  name: 'factors.deleteApp',
  parameters: { account: int },
  sql: 'delete from totp where account_id = :account',
})

// Recovery codes

export const codesOf = statement({
  name: 'factors.codes',
  parameters: { account: int },
  row: { salt: bytes, hash: bytes },
  sql: 'select salt, hash from recovery_code where account_id = :account',
})

/** Gives an account these codes, and none of those before. */
export const replaceCodes = statement({
  name: 'factors.replaceCodes',
  parameters: { account: int, salt: bytes, hashes: z.array(bytes) },
  sql: `with gone as (delete from recovery_code where account_id = :account)
   insert into recovery_code (account_id, site_id, customer_id, salt, hash)
   select a.id, a.site_id, a.customer_id, :salt, hash from account a, unnest(:hashes::bytea[]) hash where a.id = :account`,
})

/** Uses a code up. No row is touched when it was used meanwhile. */
export const takeCode = statement({
  name: 'factors.takeCode',
  parameters: { account: int, hash: bytes },
  sql: 'delete from recovery_code where account_id = :account and hash = :hash',
})

export const deleteCodes = statement({
  name: 'factors.deleteCodes',
  parameters: { account: int },
  sql: 'delete from recovery_code where account_id = :account',
})

// Passkeys

/** The passkeys of an account, as browsers are asked for them. */
export const passkeysOf = statement({
  name: 'factors.passkeys',
  parameters: { account: int },
  row: { credential: bytes, transports: z.array(text) },
  sql: 'select credential, transports from passkey where account_id = :account order by id',
})

/** Whose passkey this is, and what it takes to check what it signed. */
export const passkeyOf = statement({
  name: 'factors.passkey',
  parameters: { credential: bytes },
  row: { id: int, account: int, site: int.nullable(), key: bytes, counter: int, transports: z.array(text) },
  sql: `select p.id, account_id as account, a.site_id as site, public_key as key, counter, transports
   from passkey p join account a on a.id = account_id left join site s on s.id = a.site_id
   where credential = :credential and a.disabled_at is null and s.retired_at is null`,
})

/** Adds a passkey. No row is touched when somebody has it already. */
export const addPasskey = statement({
  name: 'factors.addPasskey',
  parameters: {
    account: int,
    credential: bytes,
    key: bytes,
    counter: int,
    transports: z.array(text),
    name: text,
    now: instant,
  },
  sql: `insert into passkey (account_id, site_id, customer_id, credential, public_key, counter, transports, name, created_at)
   select id, site_id, customer_id, :credential, :key, :counter, :transports::text[], :name, :now from account where id = :account
   on conflict (credential) do nothing`,
})

/** Notes a use. No row is touched when a use with this count, or a higher one, was noted before: then there is a copy of the passkey. */
export const usePasskey = statement({
  name: 'factors.usePasskey',
  parameters: { passkey: int, counter: int, now: instant },
  sql: `update passkey set counter = :counter, used_at = :now
   where id = :passkey and (counter < :counter or (counter = 0 and :counter = 0))`,
})

export const deletePasskey = statement({
  name: 'factors.deletePasskey',
  parameters: { account: int, passkey: int },
  row: { id: int },
  sql: 'delete from passkey where account_id = :account and id = :passkey returning id',
})

export const deletePasskeys = statement({
  name: 'factors.deletePasskeys',
  parameters: { account: int },
  sql: 'delete from passkey where account_id = :account',
})

/** Records a challenge, for an account or for any passkey, and deletes some of those that have expired. */
export const addChallenge = statement({
  name: 'factors.addChallenge',
  parameters: { hash: bytes, account: int.nullable(), now: instant, expires: instant },
  sql: `with expired as (
     delete from passkey_challenge where hash in (
       select hash from passkey_challenge where expires_at <= :now limit 10 for update skip locked))
   insert into passkey_challenge (hash, account_id, site_id, customer_id, expires_at)
   select :hash, a.id, a.site_id, a.customer_id, :expires from (select) one left join account a on a.id = :account`,
})

/** Uses a challenge up. No row is touched when it was another account's, was used or has expired. */
export const takeChallenge = statement({
  name: 'factors.takeChallenge',
  parameters: { hash: bytes, account: int.nullable(), now: instant },
  sql: `delete from passkey_challenge where hash = :hash and account_id is not distinct from :account and expires_at > :now`,
})

export const deleteExpiredChallenges = statement({
  name: 'factors.sweep',
  parameters: { now: instant },
  sql: 'delete from passkey_challenge where expires_at <= :now',
})
