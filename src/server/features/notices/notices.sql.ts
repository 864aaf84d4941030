/** The statements of notices: those an account sees, and its choices. notify.sql.ts selects the recipients. */
import { z } from 'zod'
import { mailedAtFirst, type NoticeKind, noticeKinds } from '#domain/people/notice.ts'
import { noticesListed } from '#contract/notices.ts'
import { statement } from '../../db/statement.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'
import { answer, bool, instant, int, text, uuid } from '../../db/types.ts'

const kinds = z.array(z.enum(noticeKinds))

/** The facts of a notice `n`: where they are written, the number of tyres has the name that answers keep for ids. */
export const wireFacts = `jsonb_strip_nulls(n.facts - 'tyres' || jsonb_build_object('tyre_count', n.facts -> 'tyres'))`

/** A list of kinds in SQL. */
export const kindsInSql = (some: readonly NoticeKind[]): string => `'{${some.join(',')}}'::text[]`

/**
 * The last notices of an account that are listed, in wire form. What it was told of another customer than its own is no longer its
 * to see; nor is a depth where the site hides it.
 */
export const listOfAccount = statement({
  name: 'notices.list',
  parameters: { site: int, account: int, customer: int.nullable(), withDepth: bool },
  row: answer,
  sql: `with own as materialized (
     select n.id, n.kind, n.at, n.read_at, n.about_customer, n.operation_id, n.vehicle_id, n.document_id, n.license_plate, n.facts
     from notice n
     where n.account_id = :account and n.site_id = :site and n.listed and n.customer_id is not distinct from :customer::int
       and (:withDepth or n.kind <> 'worn'))
   select json_build_object(
     'unread', (select count(*) from own where read_at is null),
     'notices', (select coalesce(json_agg(wire), '[]') from (
       select n.id as _id, n.kind, n.at, n.read_at is not null as read,
         case when :customer::int is null then c.name end as customer,
         n.operation_id as operation, v.id as flt_id, n.document_id as document,
         ${documentNumberOf('d')} as document_number_text, n.license_plate, ${wireFacts} as facts
       from (select * from own order by at desc, id desc limit ${noticesListed}) n
         left join customer c on c.site_id = :site and c.id = n.about_customer
         left join document d on d.site_id = :site and d.id = n.document_id and d.customer_id = n.about_customer
         left join vehicle v on v.site_id = :site and v.id = n.vehicle_id and v.customer_id = n.about_customer and v.removed_at is null
       order by n.at desc, n.id desc) wire))::text as json`,
})

export const markRead = statement({
  name: 'notices.read',
  parameters: { site: int, account: int, last: int, now: instant },
  sql: `update notice set read_at = :now
   where account_id = :account and site_id = :site and listed and read_at is null and id <= :last`,
})

/** The choices of an account, or the defaults, where its messages go, and the problem of the last one that did not arrive there. */
export const choiceOf = statement({
  name: 'notices.choice',
  parameters: { site: int, account: int },
  row: { hidden: kinds, mailed: kinds, daily: bool, email: text, problem: text },
  sql: `select coalesce(c.hidden, '{}') as hidden, coalesce(c.mailed, ${kindsInSql(mailedAtFirst)}) as mailed,
     coalesce(c.daily, false) as daily, a.email, a.bounce as problem
   from account a left join notice_choice c on c.account_id = a.id
   where a.site_id = :site and a.id = :account`,
})

export const choose = statement({
  name: 'notices.choose',
  parameters: { site: int, account: int, customer: int.nullable(), hidden: kinds, mailed: kinds, daily: bool },
  sql: `insert into notice_choice (account_id, site_id, customer_id, hidden, mailed, daily)
   values (:account, :site, :customer, :hidden::text[], :mailed::text[], :daily)
   on conflict (account_id) do update set hidden = excluded.hidden, mailed = excluded.mailed, daily = excluded.daily`,
})

/** Ends the messages of the account with this key, and those that wait, or those of a view with it. Needs the scope of the system. */
export const unsubscribe = statement({
  name: 'notices.unsubscribe',
  parameters: { site: int, key: uuid },
  row: { site: text },
  sql: `with ended as (
     update notice_choice set mailed = '{}' where key = :key and site_id = :site returning account_id, site_id),
   dropped as (
     update notice n set mail_due_at = null from ended
     where n.account_id = ended.account_id and n.mail_due_at is not null and n.mailed_at is null),
   weekly as (delete from view_mail where key = :key and site_id = :site returning site_id)
   select s.name as site from (select site_id from ended union all select site_id from weekly) over
     join site s on s.id = over.site_id`,
})
