/** The statements that select the recipients of notices about events at a site, by which way and when. */
import { z } from 'zod'
import {
  adminNotices,
  customerNotices,
  dailyHour,
  gatheringSeconds,
  mailedAtFirst,
  measuringSeconds,
  noticeKinds,
} from '#domain/people/notice.ts'
import type { WebhookKind } from '#domain/people/webhook.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { kindsInSql, wireFacts } from './notices.sql.ts'

/** How long notices are remembered. */
const rememberedFor = '90 days'
/** How many happenings are settled at once. */
const atOnce = 500

/** The sites at which something happened, or where a message is due. Needs the scope of the system. */
export const sitesToNotify = statement({
  name: 'notices.sites',
  parameters: { now: instant },
  row: { site: int },
  sql: `select site_id as site from happening where kind <> 'measured' or at < :now::timestamptz - interval '${measuringSeconds} seconds'
   union select site_id from notice where mail_due_at <= :now and mailed_at is null`,
})

/** One node settles a site at a time: two would not see what the other tells. */
export const claim = statement({
  name: 'notices.claim',
  parameters: { site: int },
  row: { claimed: bool },
  sql: `select pg_try_advisory_xact_lock(hashtext('wheelhouse notices'), :site) as claimed`,
})

/**
 * Notices for the accounts that subscribe to `happenings` (rows as those of `happening`): those of the customer and, for some kinds, the
 * administrators, but not the account that caused one. A notice by mail is due after the time in which others are gathered, or in the
 * morning.
 */
const notified = (happenings: string): string => `
   insert into notice (site_id, account_id, customer_id, about_customer, kind, operation_id, vehicle_id, document_id, license_plate,
     facts, at, listed, mail_due_at)
   select h.site_id, a.id, a.customer_id, h.customer_id, h.kind, h.operation_id, h.vehicle_id, h.document_id,
     coalesce(v.license_plate, ''), jsonb_strip_nulls(h.facts), h.at, wanted.listed,
     case when wanted.mailed and a.email <> '' then case when coalesce(c.daily, false)
       then (((:now::timestamptz at time zone s.time_zone) + interval '${24 - dailyHour} hours')::date + time '0${dailyHour}:00')
         at time zone s.time_zone
       else :now::timestamptz + interval '${gatheringSeconds} seconds' end end
   from (${happenings}) h
     join site s on s.id = h.site_id and s.retired_at is null
     join account a on a.site_id = h.site_id and a.disabled_at is null and not a.is_service and a.id is distinct from h.account_id
       and (a.customer_id = h.customer_id and h.kind = any (${kindsInSql(customerNotices)})
         or a.type = 'admin' and not a.warehouse_only and h.kind = any (${kindsInSql(adminNotices)}))
     left join notice_choice c on c.account_id = a.id
     left join vehicle v on v.site_id = h.site_id and v.id = h.vehicle_id
     cross join lateral (select h.kind <> all (coalesce(c.hidden, '{}')) as listed,
       h.kind = any (coalesce(c.mailed, ${kindsInSql(mailedAtFirst)})) as mailed) wanted
   where (wanted.listed or wanted.mailed and a.email <> '') and (h.kind <> 'worn' or s.allow_profile_depth)
     and (h.kind = 'worn' or s.mode <> 'fleetonly')
   order by h.id, a.id`

const howMany = { told: int }
const counted = `select count(*)::int as told from told`

/**
 * Settles what happened, but for depths. A recall is picked when all its wheels are that are not missing, and is said to be once.
 * Returns how many happenings there were and how many notices came of them.
 */
export const settle = statement({
  name: 'notices.settle',
  parameters: { site: int, now: instant },
  row: { settled: int, ...howMany, published: int },
  sql: `with taken as (
     delete from happening where (site_id, id) in (
       select site_id, id from happening where site_id = :site and kind <> 'measured' order by id limit ${atOnce}) returning *),
   worth as (
     select distinct on (t.site_id, t.kind, t.operation_id, case when t.kind = 'picked' then 0 else t.id end) t.*
     from taken t
     where t.kind <> 'picked' or (
       not exists (
         select from operation_tyre held join wheel w on w.site_id = held.site_id and w.tyre_id = held.tyre_id
         where held.site_id = t.site_id and held.operation_id = t.operation_id and w.state not in ('picked', 'staged', 'loaded', 'missing'))
       and exists (
         select from operation_tyre held join wheel w on w.site_id = held.site_id and w.tyre_id = held.tyre_id
         where held.site_id = t.site_id and held.operation_id = t.operation_id and w.state in ('picked', 'staged', 'loaded'))
       and exists (select from operation o where o.site_id = t.site_id and o.id = t.operation_id and o.status = 'submitted'
         and not exists (select from notice n where n.site_id = t.site_id and n.operation_id = t.operation_id and n.kind = 'picked'
           and n.at >= o.submitted_at)))
     order by t.site_id, t.kind, t.operation_id, case when t.kind = 'picked' then 0 else t.id end, t.id),
   told as (${notified('select * from worth')} returning site_id),
   published as (
     select publish_happenings(array_agg(row(site_id, customer_id, 'operation.picked', 'operation ' || operation_id,
       jsonb_build_object('operation', operation_id, 'type', 'to_customer', 'status', 'submitted', 'vehicle', vehicle_id,
         'customer', customer_id))::webhook_happening order by id)) is null as nothing
     from worth where kind = 'picked')
   select (select count(*)::int from taken) as settled, found.told, (select count(*)::int from published) as published
   from (${counted}) found`,
})

/** Vehicles of which depths were read, once nobody reads more of them. */
export const takeMeasured = statement({
  name: 'notices.measured',
  parameters: { site: int, now: instant },
  row: answer,
  sql: `with quiet as (
     select site_id, customer_id, vehicle_id from happening where site_id = :site and kind = 'measured'
     group by site_id, customer_id, vehicle_id
     having max(at) < :now::timestamptz - interval '${measuringSeconds} seconds' limit ${atOnce}),
   taken as (
     delete from happening h using quiet q
     where h.kind = 'measured' and h.site_id = q.site_id and h.customer_id = q.customer_id and h.vehicle_id = q.vehicle_id
     returning h.site_id, h.customer_id, h.vehicle_id, h.account_id)
   select coalesce(json_agg(wire), '[]')::text as json from (
     select t.customer_id as customer, t.vehicle_id as vehicle, max(t.account_id) as account, v.type,
       s.time_zone as "timeZone", s.min_tread_summer as "minTreadSummer", s.min_tread_winter as "minTreadWinter",
       s.min_tread_truck_summer as "minTreadTruckSummer", s.min_tread_truck_winter as "minTreadTruckWinter",
       c.min_tread_summer as summer, c.min_tread_winter as winter,
       (select coalesce(json_agg(json_build_object('season', y.season, 'depth', y.profile_depth)), '[]') from tyre y
         where y.site_id = t.site_id and y.vehicle_id = t.vehicle_id and y.removed_at is null and y.status <> 'waste'
           and y.profile_depth is not null) as tyres
     from taken t
       join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id and v.customer_id = t.customer_id and v.removed_at is null
       join customer c on c.site_id = t.site_id and c.id = t.customer_id
       join site s on s.id = t.site_id
     group by t.site_id, t.customer_id, t.vehicle_id, v.type, s.id, c.site_id, c.id) wire`,
})

/** The webhook messages for the rows `happened`, except those that repeat the last message about the same record. */
const published = (
  kind: WebhookKind,
  { object, data, from }: { object: string; data: string; from: string },
): string => `
   published as (
     select publish_happenings(array_agg(row(site_id, customer_id, '${kind}', object, data)::webhook_happening)) from (
       select h.site_id, h.customer_id, ${object} as object, ${data} as data from happened h ${from}) said
     where data is distinct from (select e.data from webhook_event e
       where e.site_id = said.site_id and e.kind = '${kind}' and e.object = said.object order by e.id desc limit 1)
     having count(*) > 0)
   select found.told, (select count(*)::int from published) as published from (${counted}) found`

/** Tells of a vehicle with worn tyres, unless the same was said already and nothing has changed since. */
export const notifyWorn = statement({
  name: 'notices.worn',
  parameters: {
    site: int,
    customer: int,
    vehicle: int,
    account: int.nullable(),
    tyres: int,
    depth: decimal,
    now: instant,
  },
  row: { ...howMany, published: int },
  sql: `with said as (
     select jsonb_build_object('tyres', :tyres::int, 'depth', :depth::numeric) as facts),
   happened as (
     select 0::bigint as id, :site::int as site_id, :customer::int as customer_id, 'worn' as kind, null::int as operation_id,
       :vehicle::int as vehicle_id, null::int as document_id, said.facts, :account::int as account_id, :now::timestamptz as at
     from said
     where said.facts is distinct from (
       select n.facts from notice n
       where n.site_id = :site and n.about_customer = :customer and n.kind = 'worn' and n.vehicle_id = :vehicle
       order by n.id desc limit 1)),
   told as (${notified('select * from happened')} returning site_id),
   ${published('vehicle.worn', {
     object: `'vehicle ' || h.vehicle_id`,
     // never a depth
     data: `jsonb_build_object('vehicle', h.vehicle_id, 'customer', h.customer_id, 'tyre_count', h.facts -> 'tyres')`,
     from: 'join site s on s.id = h.site_id and s.allow_profile_depth',
   })}`,
})

/** Tells the customers of a site, at most once a month each, how many of their tyres have been stored for too long. */
export const notifyLongStored = statement({
  name: 'notices.longStored',
  parameters: { site: int, since: date, now: instant },
  row: { ...howMany, published: int },
  sql: `with happened as (
     select 0::bigint as id, t.site_id, t.customer_id, 'longStored' as kind, null::int as operation_id, null::int as vehicle_id,
       null::int as document_id, jsonb_build_object('tyres', count(*)) as facts, null::int as account_id, :now::timestamptz as at
     from tyre t
     where t.site_id = :site and t.status = 'in_stock' and t.removed_at is null and t.status_date <= :since
       and not exists (select from notice n where n.site_id = t.site_id and n.about_customer = t.customer_id
         and n.kind = 'longStored' and n.at > :now::timestamptz - interval '30 days')
     group by t.site_id, t.customer_id),
   told as (${notified('select * from happened')} returning site_id),
   ${published('customer.long_stored', {
     object: `'customer ' || h.customer_id`,
     data: `jsonb_build_object('customer', h.customer_id, 'tyre_count', h.facts -> 'tyres')`,
     from: '',
   })}`,
})

/** Every site that stores tyres. Needs the scope of the system. */
export const hotels = statement({
  name: 'notices.hotels',
  row: { site: int, timeZone: text },
  sql: `select id as site, time_zone as "timeZone" from site where retired_at is null and mode <> 'fleetonly' order by id`,
})

/** Takes the notices of one account that are due by mail, and writes the message about them. Returns how many there were. */
export const mailDue = statement({
  name: 'notices.mail',
  parameters: { site: int, now: instant },
  row: { mailed: int },
  sql: `with reader as (
     select account_id from notice where site_id = :site and mail_due_at <= :now and mailed_at is null order by mail_due_at limit 1),
   due as (
     update notice n set mailed_at = :now from reader
     where n.account_id = reader.account_id and n.mail_due_at is not null and n.mailed_at is null
     returning n.id, n.account_id),
   keyed as (
     insert into notice_choice (account_id, site_id, customer_id)
     select a.id, a.site_id, a.customer_id from account a where a.id in (select account_id from due)
     on conflict (account_id) do nothing),
   written as (
     insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
     select a.site_id, a.customer_id, a.id, 'notices',
       jsonb_build_object('count', count(due.id), 'notices', jsonb_agg(due.id order by due.id)), :now, :now
     from due join account a on a.id = due.account_id
     where a.email <> '' and a.disabled_at is null
     group by a.id)
   select count(*)::int as mailed from due`,
})

/** The notices of a message, oldest first, and the key that unsubscribes from such messages. No depth where the site hides it. */
export const mailedNotices = statement({
  name: 'notices.mailed',
  parameters: { account: int, notices: z.array(z.int()) },
  row: { kind: z.enum(noticeKinds), license_plate: text, customer: text, ofAdmin: bool, facts: json, key: text },
  sql: `select n.kind, n.license_plate, c.name as customer, n.customer_id is null as "ofAdmin", ${wireFacts}::text as facts,
     k.key::text as key
   from notice n
     join account a on a.id = n.account_id and a.customer_id is not distinct from n.customer_id
     join notice_choice k on k.account_id = n.account_id
     join site s on s.id = n.site_id
     join customer c on c.site_id = n.site_id and c.id = n.about_customer
   where n.account_id = :account and n.id = any (:notices::bigint[]) and (n.kind <> 'worn' or s.allow_profile_depth)
   order by n.id`,
})

/** Forgets notices of long ago. Needs the scope of the system. */
export const deleteOld = statement({
  name: 'notices.sweep',
  parameters: { now: instant },
  sql: `delete from notice where at < :now::timestamptz - interval '${rememberedFor}'`,
})
