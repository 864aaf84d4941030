/** The statements that read the audit. */
import { z } from 'zod'
import { superuserGroups } from '#domain/audit.ts'
import { bySpelling, folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, int, moment, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

const shownTexts = '(select texts from shown)'
const searched = `concat_ws(' ', a.subject, a.action, ${shownTexts} ->> a.action, ${shownTexts} ->> regexp_replace(a.subject, ' [0-9]+$', ''),
  a.facts::text, k.username, k.fullname, c.name, c.company)`

/** The number of what an entry is about, if that is of this kind: `vehicle 12`. */
const subjectId = (kind: string): string =>
  `case when a.subject ~ '^${kind} [0-9]{1,9}$' then substr(a.subject, ${kind.length + 2})::int end`

/**
 * Each of `words` must match; `plate` is the whole search as part of a plate. `shown` are the texts of actions and subjects that the reader sees, by
 * what the audit holds. The days `from` to `until` are those of `timeZone`.
 * Entries begin after the one of `lastAt` and `last`.
 */
const filter = {
  site: int,
  words: z.array(text),
  plate: text,
  shown: text,
  group: text.nullable(),
  account: int.nullable(),
  customer: int.nullable(),
  from: date.nullable(),
  until: date.nullable(),
  timeZone: text,
  lastAt: moment.nullable(),
  last: int.nullable(),
  most: int,
}

/** Entries, newest first. One more than `most` is read, to know whether there are others. */
const entries = (condition: string): string => `
  with shown as materialized (select :shown::jsonb as texts),
   plated as materialized (
     select id from vehicle where site_id = :site and length(:plate) > 2 and strpos(license_plate, :plate) > 0),
   about as materialized (
     select 'vehicle ' || id as subject from plated
     union all select 'operation ' || o.id from operation o join plated p on o.site_id = :site and o.vehicle_id = p.id),
   found as materialized (
     select a.*, k.username, k.fullname, coalesce(nullif(c.company, ''), c.name) as customer_name, w.name as token_name
     from audit a
       left join account k on k.id = a.account_id
       left join customer c on c.site_id = a.site_id and c.id = a.customer_id
       left join api_token w on w.site_id = a.site_id and w.id = a.token_id
     where ${condition}
       and (:group::text is null or a.action like :group || '.%')
       and (:account::int is null or a.account_id = :account)
       and (:customer::int is null or a.customer_id = :customer)
       and (:from::date is null or a.at >= :from::date::timestamp at time zone :timeZone)
       and (:until::date is null or a.at < (:until::date + 1)::timestamp at time zone :timeZone)
       and (:lastAt::timestamptz is null or (a.at, a.id) < (:lastAt::timestamptz, :last::bigint))
       and (not exists (select from unnest(:words::text[]) word where strpos(${folded(searched)}, word) = 0)
         or a.subject in (select subject from about))
     order by a.at desc, a.id desc limit :most::int + 1),
   numbered as (
     select a.*, ${subjectId('vehicle')} as vehicle, ${subjectId('operation')} as operation, ${subjectId('customer')} as customer,
       ${subjectId('document')} as document, ${subjectId('location')} as location, ${subjectId('account')} as account
     from found a),
   page as (
     select a.id as _id, a.at, a.action, a.subject, a.facts,
       coalesce(v.license_plate, ${documentNumberOf('d')}, nullif(l.path, ''), l.site_name, s.username,
         case when a.customer is not null then a.customer_name end, x.description) as called,
       v.id as flt_id,
       case when a.account_id is not null then json_build_object('_id', a.account_id, 'username', a.username, 'fullname', a.fullname) end as who,
       a.token_name as token,
       case when a.customer_name is not null then json_build_object('seq_id', a.customer_id, 'name', a.customer_name) end as customer,
       (select json_build_object('_id', id, 'name', name) from site where id = a.site_id) as site
     from numbered a
       left join operation o on o.site_id = a.site_id and o.id = a.operation
       left join vehicle v on v.site_id = a.site_id and v.id = coalesce(a.vehicle, o.vehicle_id)
       left join document d on d.site_id = a.site_id and d.id = a.document
       left join location l on l.site_id = a.site_id and l.id = a.location
       left join account s on s.id = a.account
       left join vehicle_config x on x.site_id = a.site_id and a.subject = 'vehicle configuration ' || x.id
     order by a.at desc, a.id desc limit :most)
   select json_build_object('entries', (select coalesce(json_agg(page), '[]') from page),
     'more', (select count(*) > :most from found))::text as json`

export const entriesOfSite = statement({
  name: 'audit.site',
  parameters: filter,
  row: answer,
  sql: entries('a.site_id = :site'),
})

const inSuperuserGroup = superuserGroups.map(group => `a.action like '${group}.%'`).join(' or ')

/** Entries for superusers: of a site, or without one of all sites and of no site. Needs the scope of the system. */
export const entriesOfSites = statement({
  name: 'audit.sites',
  parameters: { ...filter, site: int.nullable() },
  row: answer,
  sql: entries(`a.customer_id is null and (${inSuperuserGroup}) and (:site::int is null or a.site_id = :site)`),
})

/** Accounts by which entries can be filtered. */
const people = (condition: string): string => `
  select coalesce(json_agg(found order by ${bySpelling('found.username')}), '[]')::text as json from (
    select k.id as _id, k.username, k.fullname from account k where ${condition}) found`

export const peopleOfSite = statement({
  name: 'audit.people',
  parameters: { site: int },
  row: answer,
  sql: people(`k.site_id = :site and exists (select from audit a where a.site_id = :site and a.account_id = k.id)`),
})

/** Needs the scope of the system. */
export const peopleOfSites = statement({
  name: 'audit.peopleOfSites',
  parameters: { site: int.nullable() },
  row: answer,
  sql: people(`k.type <> 'user' and (:site::int is null or k.site_id = :site or k.site_id is null)
    and exists (select from audit a where a.account_id = k.id and a.customer_id is null)`),
})
