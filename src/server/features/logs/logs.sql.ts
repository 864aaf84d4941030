/** The statements that read the audit and the security log. */
import { z } from 'zod'
import { superuserGroups } from '#domain/people/audit.ts'
import { securityKinds } from '#domain/people/security.ts'
import { bySpelling, folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, int, moment, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

/** The days `from` to `until` are those of `timeZone`. Entries begin after the one of `lastAt` and `last`. */
const filter = {
  site: int,
  account: int.nullable(),
  from: date.nullable(),
  until: date.nullable(),
  timeZone: text,
  lastAt: moment.nullable(),
  last: int.nullable(),
  most: int,
}

type Log = {
  /** Its name in the answer. */
  readonly name: 'entries' | 'events'
  /** Common table expressions that come before the entries. */
  readonly first?: string
  /** The columns and tables of the entries `e` that are looked for, and which those are. */
  readonly found: string
  readonly where: string
  /** The columns of an entry of the answer, and the tables that they need. */
  readonly columns: string
  readonly from: string
}

/** A page of a log, newest first. One more than `most` is read, to know whether there are others. */
const page = ({ name, first = '', found: selection, where, columns, from }: Log): string => `
  with ${first} found as materialized (
     select ${selection}
     where ${where}
       and (:from::date is null or e.at >= :from::date::timestamp at time zone :timeZone)
       and (:until::date is null or e.at < (:until::date + 1)::timestamp at time zone :timeZone)
       and (:lastAt::timestamptz is null or (e.at, e.id) < (:lastAt::timestamptz, :last::bigint))
     order by e.at desc, e.id desc limit :most::int + 1),
   page as (select e.id as _id, e.at, e.facts, ${columns} from ${from} order by e.at desc, e.id desc limit :most)
   select json_build_object('${name}', (select coalesce(json_agg(page), '[]') from page),
     'more', (select count(*) > :most from found))::text as json`

const shownTexts = '(select texts from shown)'
const searched = `concat_ws(' ', e.subject, e.action, ${shownTexts} ->> e.action, ${shownTexts} ->> regexp_replace(e.subject, ' [0-9]+$', ''),
  e.facts::text, k.username, k.fullname, c.name, c.company)`

/** The number of what an entry is about, if that is of this kind: `vehicle 12`. */
const subjectId = (kind: string): string =>
  `case when e.subject ~ '^${kind} [0-9]{1,9}$' then substr(e.subject, ${kind.length + 2})::int end as ${kind}`
const subjects = ['vehicle', 'operation', 'customer', 'document', 'location', 'account']

/**
 * Each of `words` must match; `plate` is the whole search as part of a plate. `shown` are the texts of actions and subjects that the reader sees, by
 * what the audit holds.
 */
const auditFilter = {
  ...filter,
  words: z.array(text),
  plate: text,
  shown: text,
  group: text.nullable(),
  customer: int.nullable(),
}
const auditEntries = (where: string): string =>
  page({
    name: 'entries',
    first: `shown as materialized (select :shown::jsonb as texts),
   plated as materialized (
     select id from vehicle where site_id = :site and length(:plate) > 2 and strpos(license_plate, :plate) > 0),
   about as materialized (
     select 'vehicle ' || id as subject from plated
     union all select 'operation ' || o.id from operation o join plated p on o.site_id = :site and o.vehicle_id = p.id),`,
    found: `e.*, k.username, k.fullname, coalesce(nullif(c.company, ''), c.name) as customer_name, w.name as token_name
     from audit e
       left join account k on k.id = e.account_id
       left join customer c on c.site_id = e.site_id and c.id = e.customer_id
       left join api_token w on w.site_id = e.site_id and w.id = e.token_id`,
    where: `${where}
       and (:group::text is null or e.action like :group || '.%')
       and (:account::int is null or e.account_id = :account)
       and (:customer::int is null or e.customer_id = :customer)
       and (not exists (select from unnest(:words::text[]) word where strpos(${folded(searched)}, word) = 0)
         or e.subject in (select subject from about))`,
    columns: `e.action, e.subject,
       coalesce(v.license_plate, ${documentNumberOf('d')}, nullif(l.path, ''), l.site_name, s.username,
         case when e.customer is not null then e.customer_name end, x.description) as called,
       v.id as flt_id,
       case when e.account_id is not null then json_build_object('_id', e.account_id, 'username', e.username, 'fullname', e.fullname) end as who,
       e.token_name as token,
       case when e.customer_name is not null then json_build_object('seq_id', e.customer_id, 'name', e.customer_name) end as customer,
       (select json_build_object('_id', id, 'name', name) from site where id = e.site_id) as site`,
    from: `(select e.*, ${subjects.map(subjectId).join(', ')} from found e) e
       left join operation o on o.site_id = e.site_id and o.id = e.operation
       left join vehicle v on v.site_id = e.site_id and v.id = coalesce(e.vehicle, o.vehicle_id)
       left join document d on d.site_id = e.site_id and d.id = e.document
       left join location l on l.site_id = e.site_id and l.id = e.location
       left join account s on s.id = e.account
       left join vehicle_config x on x.site_id = e.site_id and e.subject = 'vehicle configuration ' || x.id`,
  })

export const auditOfSite = statement({
  name: 'audit.site',
  parameters: auditFilter,
  row: answer,
  sql: auditEntries('e.site_id = :site'),
})

const inSuperuserGroup = superuserGroups.map(group => `e.action like '${group}.%'`).join(' or ')

/** Entries for superusers: of a site, or without one of all sites and of no site. Needs the scope of the system. */
export const auditOfSites = statement({
  name: 'audit.sites',
  parameters: { ...auditFilter, site: int.nullable() },
  row: answer,
  sql: auditEntries(`e.customer_id is null and (${inSuperuserGroup}) and (:site::int is null or e.site_id = :site)`),
})

/** Which events, whose names are told, and the customer of an event. */
type Reader = { readonly where: string; readonly tells: (account: string) => string; readonly customer: string }

const securityFilter = { ...filter, kind: z.enum(securityKinds).nullable() }
const securityEvents = ({ where, tells, customer }: Reader): string => {
  const who = (number: string, account: string): string => `case when ${number} is not null then json_build_object(
    '_id', ${number}, 'username', case when ${tells(account)} then ${account}.username end,
    'fullname', case when ${tells(account)} then ${account}.fullname end) end`
  return page({
    name: 'events',
    found: 'e.* from security_event e',
    where: `${where}
       and (:kind::text is null or e.kind = :kind)
       and (:account::int is null or e.account_id = :account or e.by_account_id = :account)`,
    columns: `e.kind, ${who('e.account_id', 'a')} as account, ${who('e.by_account_id', 'b')} as by, ${customer} as customer,
       (select json_build_object('_id', id, 'name', name) from site where id = coalesce(e.site_id, a.site_id)) as site,
       o.address, o.device`,
    from: `found e
       left join account a on a.id = e.account_id
       left join account b on b.id = e.by_account_id
       left join security_event_origin o on o.event_id = e.id`,
  })
}

export const eventsOfSite = statement({
  name: 'security.site',
  parameters: securityFilter,
  row: answer,
  sql: securityEvents({
    where: 'e.site_id = :site',
    tells: account => `${account}.id is not null`,
    customer: `(select json_build_object('seq_id', c.id, 'name', coalesce(nullif(c.company, ''), c.name))
      from customer c where c.site_id = e.site_id and c.id = e.customer_id)`,
  }),
})

/**
 * The events of a site that superusers read; without a site, those of all sites. Customers' accounts appear by number only. Needs the
 * scope of the system.
 */
export const eventsOfSites = statement({
  name: 'security.sites',
  parameters: { ...securityFilter, site: int.nullable() },
  row: answer,
  sql: securityEvents({
    where: `(:site::int is null or e.site_id = :site
      or e.site_id is null and e.account_id in (select id from account where site_id = :site))`,
    tells: account => `${account}.type <> 'user'`,
    customer: 'null::json',
  }),
})

/** The accounts by which a log can be filtered. */
const people = (where: string): string => `
  select coalesce(json_agg(found order by ${bySpelling('found.username')}), '[]')::text as json from (
    select k.id as _id, k.username, k.fullname from account k where ${where}) found`
const ofSites = `k.type <> 'user' and (:site::int is null or k.site_id = :site or k.site_id is null)`
// each account's last event, by index: PostgreSQL would read all events to know which accounts they name
const hasEvent = '(select true from security_event e where e.account_id = k.id order by e.at desc limit 1)'

export const auditPeopleOfSite = statement({
  name: 'audit.people',
  parameters: { site: int },
  row: answer,
  sql: people('k.site_id = :site and exists (select from audit a where a.site_id = :site and a.account_id = k.id)'),
})

/** Needs the scope of the system. */
export const auditPeopleOfSites = statement({
  name: 'audit.peopleOfSites',
  parameters: { site: int.nullable() },
  row: answer,
  sql: people(`${ofSites} and exists (select from audit a where a.account_id = k.id and a.customer_id is null)`),
})

export const eventPeopleOfSite = statement({
  name: 'security.people',
  parameters: { site: int },
  row: answer,
  sql: people(`k.site_id = :site and ${hasEvent}`),
})

/** Needs the scope of the system. */
export const eventPeopleOfSites = statement({
  name: 'security.peopleOfSites',
  parameters: { site: int.nullable() },
  row: answer,
  sql: people(`${ofSites} and ${hasEvent}`),
})
