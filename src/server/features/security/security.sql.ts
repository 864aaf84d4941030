/** The statements of security events. */
import { z } from 'zod'
import { securityKinds } from '#domain/security.ts'
import { statement } from '../../db/statement.ts'
import { bool, instant, int, json, text } from '../../db/types.ts'

/**
 * How many events of a kind are written within an hour for one account, and at one site for names that nobody has. A flood is
 * recorded as a flood, and does not fill the table: the last one that is written says so.
 */
export const mostAnHour = 200

/** How long address and device are known. */
const originFor = '90 days'

/**
 * Adds an event with the address and device of whoever did it. The site and customer are those of the account, and `site` that of the
 * address for an account of none; an event that is `hidden` from the administrators of the site has neither.
 */
export const addEvent = statement({
  name: 'security.add',
  parameters: {
    kind: z.enum(securityKinds),
    now: instant,
    site: int.nullable(),
    account: int.nullable(),
    by: int.nullable(),
    facts: json,
    hidden: bool,
    address: text,
    device: text,
  },
  sql: `with whose as (
     select coalesce(a.site_id, :site) as site_id, a.customer_id from (select) one left join account a on a.id = :account),
   recent as (
     select count(*) as written from (
       select from security_event where coalesce(account_id, 0) = coalesce(:account::int, 0) and kind = :kind
         and at > :now::timestamptz - interval '1 hour' and (account_id is not null or site_id is not distinct from :site::int)
       limit ${mostAnHour}) hour),
   added as (
     insert into security_event (at, kind, site_id, customer_id, account_id, by_account_id, facts)
     select :now, :kind, case when not :hidden then site_id end, case when not :hidden then customer_id end, :account, :by,
       :facts::jsonb || case when written = ${mostAnHour - 1} then jsonb '{"flood": true}' else jsonb '{}' end
     from whose, recent where written < ${mostAnHour}
     returning id, at, site_id, coalesce(by_account_id, account_id) as account_id)
   insert into security_event_origin (event_id, at, site_id, account_id, address, device)
   select id, at, site_id, account_id, :address, :device from added`,
})

/** Forgets where all events of an account came from. Needs the scope of the system. */
export const deleteOriginsOf = statement({
  name: 'security.forget',
  parameters: { account: int },
  sql: 'delete from security_event_origin where account_id = :account',
})

/** Forgets where events of long ago came from. Needs the scope of the system. */
export const deleteOldOrigins = statement({
  name: 'security.sweep',
  parameters: { now: instant },
  sql: `delete from security_event_origin where at < :now::timestamptz - interval '${originFor}'`,
})
