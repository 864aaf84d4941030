/** The statements of security events. */
import { z } from 'zod'
import { type RecordKind, securityKinds } from '#domain/people/security.ts'
import { statement } from '../../db/statement.ts'
import { bool, instant, int, json, text } from '../../db/types.ts'

/**
 * The maximum number of events of a kind in an hour for one account, and at one site for unknown usernames. Above the
 * limit events are dropped; the last one written is flagged `flood`.
 */
export const maxPerHour = 200

/** How long address and device are kept. */
const originRetention = '90 days'

/**
 * Adds an event with the address and device of the actor. The site and customer are those of the account, and `site` that of the
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
       select from security_event
       where account_id = :account and kind = :kind and at > :now::timestamptz - interval '1 hour'
       union all
       select from security_event
       where :account::int is null and account_id is null and site_id is not distinct from :site::int
         and kind = :kind and at > :now::timestamptz - interval '1 hour'
       limit ${maxPerHour}) hour),
   added as (
     insert into security_event (at, kind, site_id, customer_id, account_id, by_account_id, facts)
     select :now, :kind, case when not :hidden then site_id end, case when not :hidden then customer_id end, :account, :by,
       :facts::jsonb || case when written = ${maxPerHour - 1} then jsonb '{"flood": true}' else jsonb '{}' end
     from whose, recent where written < ${maxPerHour}
     returning id, at, site_id, coalesce(by_account_id, account_id) as account_id)
   insert into security_event_origin (event_id, at, site_id, account_id, address, device)
   select id, at, site_id, account_id, :address, :device from added`,
})

/** Needs the scope of the system. */
export const everySiteId = statement({
  name: 'security.sites.all',
  row: { id: int },
  sql: 'select id from site order by id',
})

/** The owners of these records at a site: a customer, or none for records of the site. */
const owners = (table: RecordKind, customer: string) =>
  statement({
    name: `security.owners.${table}`,
    parameters: { site: int, ids: z.array(int) },
    row: { id: int, customer: int.nullable() },
    sql: `select id::int as id, ${customer} as customer from ${table} where site_id = :site and id = any (:ids::int[])`,
  })
const ownersOfSessions = statement({
  name: 'security.owners.session',
  parameters: { site: int, ids: z.array(int) },
  row: { id: int, customer: int.nullable() },
  sql: `select session.id::int as id, customer_id as customer from session join account on account.id = account_id
   where session.site_id = :site and session.id = any (:ids::int[])`,
})
const noCustomer = 'null::int'
export const ownersOf = {
  account: owners('account', 'customer_id'),
  session: ownersOfSessions,
  passkey: owners('passkey', 'customer_id'),
  customer: owners('customer', 'id'),
  vehicle: owners('vehicle', 'customer_id'),
  vehicle_config: owners('vehicle_config', noCustomer),
  tyre: owners('tyre', 'customer_id'),
  odometer: owners('odometer', 'customer_id'),
  article: owners('article', noCustomer),
  operation: owners('operation', 'customer_id'),
  service: owners('service', noCustomer),
  transport_method: owners('transport_method', noCustomer),
  document: owners('document', 'customer_id'),
  location: owners('location', noCustomer),
  orphan: owners('orphan', noCustomer),
  wave: owners('wave', noCustomer),
  stock_count: owners('stock_count', noCustomer),
  count_finding: owners('count_finding', noCustomer),
  damage_report: owners('damage_report', 'customer_id'),
  photo: owners('photo', 'customer_id'),
  // of one customer alone it is theirs
  scrap_pickup: owners(
    'scrap_pickup',
    `(select case when count(distinct customer_id) = 1 then min(customer_id) end from scrap_pickup_tyre taken
      where taken.site_id = scrap_pickup.site_id and taken.pickup_id = scrap_pickup.id)`,
  ),
  import_run: owners('import_run', 'customer_id'),
  billing_run: owners('billing_run', noCustomer),
  invoice: owners('invoice', 'customer_id'),
  storage_ledger: owners('storage_ledger', 'customer_id'),
  tariff_rule: owners('tariff_rule', 'customer_id'),
  charge: owners('charge', 'customer_id'),
  api_token: owners('api_token', 'customer_id'),
  list_view: owners('list_view', 'customer_id'),
  webhook_endpoint: owners('webhook_endpoint', 'customer_id'),
  webhook_delivery: owners('webhook_delivery', 'customer_id'),
} as const satisfies Record<Exclude<RecordKind, 'site'>, unknown>

/** Deletes the origins of an account's events. Needs the scope of the system. */
export const deleteOriginsOf = statement({
  name: 'security.forget',
  parameters: { account: int },
  sql: 'delete from security_event_origin where account_id = :account',
})

/** Deletes origins after the retention time. Needs the scope of the system. */
export const deleteOldOrigins = statement({
  name: 'security.sweep',
  parameters: { now: instant },
  sql: `delete from security_event_origin where at < :now::timestamptz - interval '${originRetention}'`,
})
