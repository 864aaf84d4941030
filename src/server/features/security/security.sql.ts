/** The statements of security events. */
import { z } from 'zod'
import { type RecordKind, securityKinds } from '#domain/security.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, moment, text } from '../../db/types.ts'

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

/** The days `from` to `until` are those of `timeZone`. Events begin after the one of `lastAt` and `last`. */
const filter = {
  site: int,
  kind: z.enum(securityKinds).nullable(),
  account: int.nullable(),
  from: date.nullable(),
  until: date.nullable(),
  timeZone: text,
  lastAt: moment.nullable(),
  last: int.nullable(),
  most: int,
}

/** Which events, whose names are told, and the site and customer of an event. */
type Reader = { readonly where: string; readonly tells: (account: string) => string; readonly customer: string }

/** Events, newest first. One more than `most` is read, to know whether there are others. */
const events = ({ where, tells: showsName, customer }: Reader): string => {
  const who = (number: string, account: string): string => `case when ${number} is not null then json_build_object(
    '_id', ${number}, 'username', case when ${showsName(account)} then ${account}.username end,
    'fullname', case when ${showsName(account)} then ${account}.fullname end) end`
  return `
  with found as materialized (
     select e.* from security_event e
     where ${where}
       and (:kind::text is null or e.kind = :kind)
       and (:account::int is null or e.account_id = :account or e.by_account_id = :account)
       and (:from::date is null or e.at >= :from::date::timestamp at time zone :timeZone)
       and (:until::date is null or e.at < (:until::date + 1)::timestamp at time zone :timeZone)
       and (:lastAt::timestamptz is null or (e.at, e.id) < (:lastAt::timestamptz, :last::bigint))
     order by e.at desc, e.id desc limit :most::int + 1),
   page as (
     select e.id as _id, e.at, e.kind, ${who('e.account_id', 'a')} as account, ${who('e.by_account_id', 'b')} as by,
       ${customer} as customer,
       (select json_build_object('_id', id, 'name', name) from site where id = coalesce(e.site_id, a.site_id)) as site,
       o.address, o.device, e.facts
     from found e
       left join account a on a.id = e.account_id
       left join account b on b.id = e.by_account_id
       left join security_event_origin o on o.event_id = e.id
     order by e.at desc, e.id desc limit :most)
   select json_build_object('events', (select coalesce(json_agg(page), '[]') from page),
     'more', (select count(*) > :most from found))::text as json`
}

export const eventsOfSite = statement({
  name: 'security.site',
  parameters: filter,
  row: answer,
  sql: events({
    where: 'e.site_id = :site',
    tells: account => `${account}.id is not null`,
    customer: `(select json_build_object('seq_id', c.id, 'name', coalesce(nullif(c.company, ''), c.name))
      from customer c where c.site_id = e.site_id and c.id = e.customer_id)`,
  }),
})

/**
 * What superusers read of a site; without one, of all sites. Of customers' accounts they see the number. Needs the scope of the
 * system.
 */
export const eventsOfSites = statement({
  name: 'security.sites',
  parameters: { ...filter, site: int.nullable() },
  row: answer,
  sql: events({
    where: `(:site::int is null or e.site_id = :site
      or e.site_id is null and e.account_id in (select id from account where site_id = :site))`,
    tells: account => `${account}.type <> 'user'`,
    customer: 'null::json',
  }),
})

/** Accounts by which events can be filtered. */
const people = (condition: string): string => `
  select coalesce(json_agg(found order by ${bySpelling('found.username')}), '[]')::text as json from (
    select k.id as _id, k.username, k.fullname from account k
    where ${condition}
      -- each account's last one, by index: PostgreSQL would read all events to know which accounts they name
      and (select true from security_event e where e.account_id = k.id order by e.at desc limit 1)) found`

export const peopleOfSite = statement({
  name: 'security.people',
  parameters: { site: int },
  row: answer,
  sql: people('k.site_id = :site'),
})

/** Needs the scope of the system. */
export const peopleOfSites = statement({
  name: 'security.peopleOfSites',
  parameters: { site: int.nullable() },
  row: answer,
  sql: people(`k.type <> 'user' and (:site::int is null or k.site_id = :site or k.site_id is null)`),
})
