/** The statements that read the audit. Whoever writes it does so in the statement of what was done. */
import { superuserGroups } from '#domain/audit.ts'
import { statement } from '../../db/database.ts'
import { folded } from '../../db/search.ts'

const said = "concat_ws(' ', a.subject, a.action, a.facts::text, k.username, k.fullname, c.name, c.company)"
const numbered = (what: string): string =>
  `case when a.subject ~ '^${what} [0-9]{1,9}$' then substr(a.subject, ${what.length + 2})::int end`

/**
 * Entries, newest first: $1 the site, $2 words of which each is found, $3 the same run together as a plate, $4 group, $5 account,
 * $6 customer, $7 and $8 first and last day in time zone $9, $10 and $11 the entry after which they begin, $12 how many.
 * One more than that is read, to know whether there are others.
 */
const entries = (which: string, at: string): string => `
  with plated as materialized (
     select id from vehicle where site_id = $1 and length($3) > 2 and strpos(license_plate, $3) > 0),
   about as materialized (
     select 'vehicle ' || id as subject from plated
     union all select 'operation ' || o.id from operation o join plated p on o.site_id = $1 and o.vehicle_id = p.id),
   found as materialized (
     select a.*, k.username, k.fullname, coalesce(nullif(c.company, ''), c.name) as customer_name
     from audit a
       left join account k on k.id = a.account_id
       left join customer c on c.site_id = a.site_id and c.id = a.customer_id
     where ${which}
       and ($4::text is null or a.action like $4 || '.%')
       and ($5::int is null or a.account_id = $5)
       and ($6::int is null or a.customer_id = $6)
       and ($7::date is null or a.at >= $7::date::timestamp at time zone $9)
       and ($8::date is null or a.at < ($8::date + 1)::timestamp at time zone $9)
       and ($10::timestamptz is null or (a.at, a.id) < ($10::timestamptz, $11::bigint))
       and (not exists (select from unnest($2::text[]) word where strpos(${folded(said)}, word) = 0)
         or a.subject in (select subject from about))
     order by a.at desc, a.id desc limit $12::int + 1),
   numbered as (
     select a.*, ${numbered('vehicle')} as vehicle, ${numbered('operation')} as operation, ${numbered('customer')} as customer,
       ${numbered('document')} as document, ${numbered('location')} as location, ${numbered('account')} as account
     from found a),
   page as (
     select a.id as _id, a.at, a.action, a.subject, a.facts,
       coalesce(v.license_plate, d.type || ' ' || d.year || '/' || d.number, nullif(l.path, ''), l.site_name, s.username,
         case when a.customer is not null then a.customer_name end, x.description) as called,
       v.id as flt_id,
       case when a.account_id is not null then json_build_object('_id', a.account_id, 'username', a.username, 'fullname', a.fullname) end as who,
       case when a.customer_name is not null then json_build_object('seq_id', a.customer_id, 'name', a.customer_name) end as customer,
       ${at} as site
     from numbered a
       left join operation o on o.site_id = a.site_id and o.id = a.operation
       left join vehicle v on v.site_id = a.site_id and v.id = coalesce(a.vehicle, o.vehicle_id)
       left join document d on d.site_id = a.site_id and d.id = a.document
       left join location l on l.site_id = a.site_id and l.id = a.location
       left join account s on s.id = a.account
       left join vehicle_config x on x.site_id = a.site_id and a.subject = 'vehicle configuration ' || x.id
     order by a.at desc, a.id desc limit $12)
   select json_build_object('entries', (select coalesce(json_agg(page), '[]') from page),
     'more', (select count(*) > $12 from found))::text as json`

export const entriesOfSite = statement(
  'audit.site',
  entries('a.site_id = $1', `(select json_build_object('_id', id, 'name', name) from site where id = a.site_id)`),
)

const groups = superuserGroups.map(group => `a.action like '${group}.%'`).join(' or ')

/** Needs the scope of the system; without a site $1, of all of them and of what belongs to none. */
export const entriesOfSites = statement(
  'audit.sites',
  entries(
    `a.customer_id is null and (${groups}) and ($1::int is null or a.site_id = $1)`,
    `(select json_build_object('_id', id, 'name', name) from site where id = a.site_id)`,
  ),
)

const people = (which: string): string => `
  select coalesce(json_agg(found order by found.username), '[]')::text as json from (
    select k.id as _id, k.username, k.fullname from account k where ${which}) found`

export const peopleOfSite = statement(
  'audit.people',
  people(`k.site_id = $1 and exists (select from audit a where a.site_id = $1 and a.account_id = k.id)`),
)
/** Needs the scope of the system. */
export const peopleOfSites = statement(
  'audit.peopleOfSites',
  people(`k.type <> 'user' and ($1::int is null or k.site_id = $1 or k.site_id is null)
    and exists (select from audit a where a.account_id = k.id and a.customer_id is null)`),
)
