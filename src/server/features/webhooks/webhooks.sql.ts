/** The statements of webhooks. Events are written by triggers, in the transaction of what happened (0043_webhooks.sql). */
import { z } from 'zod'
import { webhookKinds } from '#domain/people/webhook.ts'
import { deliveriesPerPage } from '#contract/webhooks.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, bytes, instant, int, json, moment, text } from '../../db/types.ts'

const kinds = z.array(z.enum(webhookKinds))
const waits = 'd.delivered_at is null and d.given_up_at is null'

const waiting = `(select count(*) from webhook_delivery d where d.site_id = e.site_id and d.endpoint_id = e.id and ${waits}) as waiting`
/** Whose an endpoint is: without a customer the site's own. */
const isOwn = 'e.site_id = :site and e.customer_id is not distinct from :customer::int'
const owner = { site: int, customer: int.nullable() }

export const endpointsOf = statement({
  name: 'webhooks.list',
  parameters: owner,
  row: answer,
  sql: `select coalesce(json_agg(found order by found._id), '[]')::text as json from (
     select e.id as _id, e.url, e.kinds, e.created_at as made, e.enabled, e.failing_since as failing, e.disabled_at as disabled, ${waiting}
     from webhook_endpoint e where ${isOwn}) found`,
})

/** The endpoints of the site's customers. Of an address the host only: the rest may be a secret between customer and receiver. */
export const endpointsOfCustomers = statement({
  name: 'webhooks.ofCustomers',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(found order by found.name, found._id), '[]')::text as json from (
     select e.id as _id, e.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as name,
       substring(e.url from '^https?://([^/?#]+)') as host, e.created_at as made, e.enabled, e.failing_since as failing,
       e.disabled_at as disabled, ${waiting}
     from webhook_endpoint e join customer c on c.site_id = e.site_id and c.id = e.customer_id
     where e.site_id = :site) found`,
})

export const countEndpoints = statement({
  name: 'webhooks.count',
  parameters: owner,
  row: { count: int },
  sql: `select count(*)::int as count from webhook_endpoint e where ${isOwn}`,
})

/** `account`: who adds it for a customer. */
export const addEndpoint = statement({
  name: 'webhooks.add',
  parameters: { ...owner, account: int.nullable(), url: text, kinds, enabled: bool, secret: bytes, now: instant },
  row: { id: int },
  sql: `insert into webhook_endpoint (site_id, customer_id, account_id, url, kinds, enabled, secret, created_at)
   values (:site, :customer, :account, :url, :kinds::text[], :enabled, :secret, :now) returning id`,
})

/** Changes an endpoint. One that is enabled again, or is elsewhere now, begins anew; what waits for it is tried from now on. */
export const changeEndpoint = statement({
  name: 'webhooks.change',
  parameters: { ...owner, endpoint: int, url: text, kinds, enabled: bool, now: instant },
  row: { id: int },
  sql: `with known as (
     select e.id, :enabled and not e.enabled or e.url <> :url as anew from webhook_endpoint e
     where ${isOwn} and e.id = :endpoint for update),
   changed as (
     update webhook_endpoint e set url = :url, kinds = :kinds::text[], enabled = :enabled,
       disabled_at = case when :enabled then null else e.disabled_at end,
       failures = case when known.anew then 0 else e.failures end,
       failing_since = case when known.anew then null else e.failing_since end,
       retry_at = case when known.anew then null else e.retry_at end
     from known where e.site_id = :site and e.id = known.id returning e.id),
   again as (
     update webhook_delivery d set begun_at = :now, due_at = :now, tries = 0 from known
     where known.anew and d.site_id = :site and d.endpoint_id = known.id and ${waits})
   select id from changed`,
})

/** Removes an endpoint of the customer, or without one any of the site or its customers. */
export const removeEndpoint = statement({
  name: 'webhooks.remove',
  parameters: { ...owner, endpoint: int },
  row: { id: int, url: text, customer: int.nullable() },
  sql: `delete from webhook_endpoint where site_id = :site and id = :endpoint and (:customer::int is null or customer_id = :customer)
   returning id, url, customer_id as customer`,
})

const endpoint = {
  id: int,
  url: text,
  customer: int.nullable(),
  secret: bytes,
  former: bytes.nullable(),
  formerUntil: moment.nullable(),
}
const selectEndpoint = `select e.id, e.url, e.customer_id as customer, e.secret, e.former_secret as former,
     e.former_until as "formerUntil" from webhook_endpoint e`

export const ownEndpoint = statement({
  name: 'webhooks.own',
  parameters: { ...owner, endpoint: int },
  row: endpoint,
  sql: `${selectEndpoint} where ${isOwn} and e.id = :endpoint`,
})

export const endpointById = statement({
  name: 'webhooks.endpoint',
  parameters: { site: int, endpoint: int },
  row: endpoint,
  sql: `${selectEndpoint} where e.site_id = :site and e.id = :endpoint`,
})

export const rotateSecret = statement({
  name: 'webhooks.rotate',
  parameters: { ...owner, endpoint: int, secret: bytes, until: instant },
  row: { url: text },
  sql: `update webhook_endpoint e set former_secret = secret, former_until = :until, secret = :secret
   where ${isOwn} and e.id = :endpoint returning e.url`,
})

/** A page of deliveries, newest first. One more is read, to know whether there are others. */
export const log = statement({
  name: 'webhooks.log',
  parameters: { site: int, endpoint: int, last: z.number().int().nullable() },
  row: answer,
  sql: `with found as (
     select d.id as _id, e.key, e.kind, e.at, e.data,
       case when d.delivered_at is not null then 'delivered' when d.given_up_at is not null then 'givenUp' else 'waiting' end as state,
       d.tries, d.tried_at as tried, case when ${waits} then d.due_at end as due, d.status, d.answer, d.problem, d.ms
     from webhook_delivery d join webhook_event e on e.site_id = d.site_id and e.id = d.event_id
     where d.site_id = :site and d.endpoint_id = :endpoint and (:last::bigint is null or d.id < :last)
     order by d.id desc limit ${deliveriesPerPage + 1})
   select json_build_object(
     'deliveries', (select coalesce(json_agg(page), '[]') from (select * from found order by _id desc limit ${deliveriesPerPage}) page),
     'more', (select count(*) > ${deliveriesPerPage} from found))::text as json`,
})

export const replay = statement({
  name: 'webhooks.replay',
  parameters: { ...owner, delivery: z.number().int(), now: instant },
  row: { id: z.number().int() },
  sql: `update webhook_delivery d set delivered_at = null, given_up_at = null, tries = 0, begun_at = :now, due_at = :now, leased_until = null
   where d.site_id = :site and d.id = :delivery
     and exists (select from webhook_endpoint e where ${isOwn} and e.id = d.endpoint_id)
   returning d.id`,
})

/** How many deliveries go to an endpoint of a site at once, and to those of a customer: a slow one must not hold all workers. */
const maxInFlight = { site: 2, customer: 1 }

/**
 * Takes the delivery that has been due longest, but for one about an object of which an earlier one waits. No other node takes it
 * until the lease has run out. `ofCustomers`: of those to endpoints of customers, otherwise of those to sites'. Needs the scope of the
 * system.
 */
export const takeNextDelivery = statement({
  name: 'webhooks.take',
  parameters: { ofCustomers: bool, now: instant, lease: instant },
  row: { site: int, id: z.number().int(), endpoint: int, event: z.number().int(), tries: int, begun: moment },
  // what each endpoint may get is settled once, not for each delivery that waits: there can be many thousands
  sql: `with free as materialized (
     select e.site_id, e.id from webhook_endpoint e
     where e.enabled and (e.customer_id is not null) = :ofCustomers and (e.retry_at is null or e.retry_at <= :now)
       and (
         select count(*) from webhook_endpoint same join webhook_delivery busy on busy.site_id = same.site_id and busy.endpoint_id = same.id
         where same.site_id = e.site_id and (same.id = e.id or same.customer_id = e.customer_id)
           and busy.leased_until > :now and busy.delivered_at is null and busy.given_up_at is null)
         < case when e.customer_id is null then ${maxInFlight.site} else ${maxInFlight.customer} end)
   update webhook_delivery set tries = tries + 1, due_at = :lease, leased_until = :lease
   where (site_id, id) = (
     select next.site_id, next.id from free, lateral (
       select d.site_id, d.id, d.due_at, d.event_id from webhook_delivery d
       where d.site_id = free.site_id and d.endpoint_id = free.id and ${waits} and d.due_at <= :now
         and not exists (
           select from webhook_delivery before where before.site_id = d.site_id and before.endpoint_id = d.endpoint_id
             and before.object = d.object and before.event_id < d.event_id
             and before.delivered_at is null and before.given_up_at is null)
       order by d.due_at, d.event_id limit 1 for update of d skip locked) next
     order by next.due_at, next.event_id limit 1)
   returning site_id as site, id, endpoint_id as endpoint, event_id as event, tries, begun_at as begun`,
})

export const eventToSend = statement({
  name: 'webhooks.event',
  parameters: { site: int, event: z.number().int() },
  row: { key: text, kind: text, at: moment, data: json },
  sql: 'select key::text as key, kind, at, data::text as data from webhook_event where site_id = :site and id = :event',
})

const outcome = { status: int.nullable(), answer: text, problem: text, ms: int }
const setOutcome =
  'tried_at = :now, leased_until = null, status = :status, answer = :answer, problem = :problem, ms = :ms'

export const recordDelivered = statement({
  name: 'webhooks.delivered',
  parameters: { site: int, delivery: z.number().int(), endpoint: int, now: instant, ...outcome },
  sql: `with done as (
     update webhook_delivery set delivered_at = :now, ${setOutcome} where site_id = :site and id = :delivery)
   update webhook_endpoint set failures = 0, failing_since = null, retry_at = null
   where site_id = :site and id = :endpoint and failures > 0`,
})

/**
 * Notes that a try failed. After several in a row nothing goes to the endpoint for `pause`; when it has failed since before
 * `patience`, or is `gone`, it is disabled. With `givenUp` nobody tries this delivery again.
 */
export const recordFailed = statement({
  name: 'webhooks.failed',
  parameters: {
    site: int,
    delivery: z.number().int(),
    endpoint: int,
    now: instant,
    due: instant,
    givenUp: bool,
    gone: bool,
    patience: instant,
    ...outcome,
  },
  row: { disabled: bool, url: text, customer: int.nullable() },
  sql: `with failed as (
     update webhook_delivery set due_at = :due, given_up_at = case when :givenUp then :now::timestamptz end, ${setOutcome}
     where site_id = :site and id = :delivery)
   update webhook_endpoint set failures = failures + 1, failing_since = coalesce(failing_since, :now),
     retry_at = case when failures >= 4 then :now::timestamptz
       + make_interval(secs => least(3600, 5 * 2 ^ least(failures - 4, 20))) end,
     enabled = enabled and not :gone and coalesce(failing_since, :now) > :patience,
     disabled_at = case when enabled and (:gone or coalesce(failing_since, :now) <= :patience) then :now::timestamptz else disabled_at end
   where site_id = :site and id = :endpoint
   returning disabled_at is not distinct from :now::timestamptz as disabled, url, customer_id as customer`,
})

/** Writes a message about a disabled endpoint for every account of the customer, or without one administrator of the site, that has an address. */
export const mailDisabled = statement({
  name: 'webhooks.mail',
  parameters: { ...owner, facts: json, now: instant },
  sql: `insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
   select site_id, customer_id, id, 'webhookDisabled', :facts::jsonb, :now, :now from account
   where site_id = :site and customer_id is not distinct from :customer::int and type = case when :customer is null then 'admin' else 'user' end
     and not is_service and email <> '' and disabled_at is null`,
})

/** Deletes events that nobody waits for any more. Needs the scope of the system. */
export const deleteOldEvents = statement({
  name: 'webhooks.sweep',
  parameters: { now: instant },
  sql: `delete from webhook_event e where at < :now::timestamptz - interval '30 days'
     and not exists (select from webhook_delivery d where d.site_id = e.site_id and d.event_id = e.id and ${waits}
       and d.begun_at > :now::timestamptz - interval '30 days')`,
})
