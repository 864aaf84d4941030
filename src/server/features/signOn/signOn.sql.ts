/** The statements of single sign-on. Signing in needs the scope of the system: nobody is signed in yet. */
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, instant, int, text } from '../../db/types.ts'

/** The provider of a site. `secret` is sealed. */
export const providerOf = statement({
  name: 'signOn.provider',
  parameters: { site: int },
  row: {
    name: text,
    issuer: text,
    clientId: text,
    secret: bytes.nullable(),
    claim: text,
    makesFor: int.nullable(),
  },
  sql: `select name, issuer, client_id as "clientId", client_secret as secret, claim, makes_for as "makesFor"
   from sign_on where site_id = :site`,
})

/** The provider of a site in wire form; `null` when it has none. */
export const providerShown = statement({
  name: 'signOn.shown',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce((select row_to_json(found) from (
     select p.name, p.issuer, p.client_id, p.client_secret is not null as has_secret, p.claim, p.makes_for as seq_id,
       coalesce(nullif(c.company, ''), c.name) as customer
     from sign_on p left join customer c on c.site_id = p.site_id and c.id = p.makes_for
     where p.site_id = :site) found)::text, 'null') as json`,
})

export const saveProvider = statement({
  name: 'signOn.save',
  parameters: {
    site: int,
    name: text,
    issuer: text,
    clientId: text,
    secret: bytes.nullable(),
    claim: text,
    makesFor: int.nullable(),
  },
  sql: `insert into sign_on (site_id, name, issuer, client_id, client_secret, claim, makes_for)
   values (:site, :name, :issuer, :clientId, :secret, :claim, :makesFor)
   on conflict (site_id) do update set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
     client_secret = excluded.client_secret, claim = excluded.claim, makes_for = excluded.makes_for`,
})

export const removeProvider = statement({
  name: 'signOn.remove',
  parameters: { site: int },
  row: { name: text, issuer: text },
  sql: 'delete from sign_on where site_id = :site returning name, issuer',
})

/** Notes a sign-in that goes to the provider. */
export const addAttempt = statement({
  name: 'signOn.addAttempt',
  parameters: {
    state: bytes,
    site: int,
    device: bytes,
    issuer: text,
    clientId: text,
    nonce: text,
    verifier: text,
    maxAge: int.nullable(),
    linksTo: int.nullable(),
    expires: instant,
  },
  sql: `insert into sign_on_attempt (state, site_id, device, issuer, client_id, nonce, verifier, max_age, links_to, expires_at)
   values (:state, :site, :device, :issuer, :clientId, :nonce, :verifier, :maxAge, :linksTo, :expires)`,
})

/** Uses up a sign-in that comes back in the browser that began it. */
export const takeAttempt = statement({
  name: 'signOn.takeAttempt',
  parameters: { state: bytes, site: int, device: bytes, now: instant },
  row: { issuer: text, clientId: text, nonce: text, verifier: text, maxAge: int.nullable(), linksTo: int.nullable() },
  sql: `delete from sign_on_attempt where state = :state and site_id = :site and device = :device and expires_at > :now
   returning issuer, client_id as "clientId", nonce, verifier, max_age as "maxAge", links_to as "linksTo"`,
})

/** Whose account it is that was linked to this subject; notes that it was used. */
export const accountOfSubject = statement({
  name: 'signOn.accountOfSubject',
  parameters: { site: int, issuer: text, subject: text, now: instant },
  row: { account: int, disabled: bool },
  sql: `update sign_on_identity i set used_at = :now from account a
   where i.site_id = :site and i.issuer = :issuer and i.subject = :subject and a.id = i.account_id
   returning a.id as account, a.disabled_at is not null as disabled`,
})

/** The account of a site whose name the database takes for this one; `linked`: to somebody at this issuer. Never that of a superuser, who belongs to no site. */
export const accountNamed = statement({
  name: 'signOn.accountNamed',
  parameters: { site: int, issuer: text, username: text },
  row: { account: int, username: text, disabled: bool, linked: bool },
  sql: `select id as account, username, disabled_at is not null as disabled,
     exists (select from sign_on_identity i where i.account_id = account.id and i.issuer = :issuer) as linked
   from account where site_id = :site and lower(username) = lower(:username) and not is_service`,
})

/** Links an account to a subject. No row is touched when either is linked already. */
export const link = statement({
  name: 'signOn.link',
  parameters: { account: int, issuer: text, subject: text, now: instant },
  sql: `insert into sign_on_identity (site_id, issuer, subject, account_id, customer_id, created_at, used_at)
   select site_id, :issuer, :subject, id, customer_id, :now, :now from account where id = :account on conflict do nothing`,
})

/** Makes an account of a customer, without a password, by itself. No row: there is one of this name. */
export const makeAccount = statement({
  name: 'signOn.makeAccount',
  parameters: { site: int, customer: int, username: text, fullname: text, now: instant },
  row: { account: int },
  sql: `with added as (
     insert into account (site_id, customer_id, username, fullname, type, email, password, created_at)
     values (:site, :customer, :username, :fullname, 'user', '', '', :now) on conflict do nothing returning id, customer_id),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, id, :now, 'account.create', 'account ' || id, jsonb_build_object('type', 'user', 'automatic', true) from added)
   select id as account from added`,
})

/** Takes the links of an account. */
export const unlink = statement({
  name: 'signOn.unlink',
  parameters: { site: int, account: int, actor: int, now: instant },
  sql: `with unlinked as (
     delete from sign_on_identity where site_id = :site and account_id = :account returning account_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject)
   select :site, customer_id, :actor, :now, 'account.unlink', 'account ' || id from account
   where site_id = :site and id = :account and exists (select from unlinked)`,
})
