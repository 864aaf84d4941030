/** The statements of named views. */
import { z } from 'zod'
import { viewLists, viewMailHour } from '#domain/texts/listView.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, instant, int, json, text } from '../../db/types.ts'

/** Whose views somebody sees: their own, and those that accounts of the same customer, or other administrators, share. */
const seen = `v.site_id = :site and v.customer_id is not distinct from :customer::int and (v.account_id = :account or v.shared)`

export const viewsOf = statement({
  name: 'views.list',
  parameters: { site: int, customer: int.nullable(), account: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select v.id as _id, v.list, v.name, v.filter, v.shared, v.account_id = :account as own,
       coalesce(nullif(a.fullname, ''), a.username) as by, m.weekday as weekly
     from list_view v join account a on a.id = v.account_id
       left join view_mail m on m.site_id = v.site_id and m.view_id = v.id and m.account_id = :account
     where ${seen} order by ${bySpelling('v.name')}, v.id) wire`,
})

const kept = {
  site: int,
  account: int,
  list: z.enum(viewLists),
  name: text,
  filter: json,
  shared: bool,
}

/** Keeps a new view. */
export const addView = statement({
  name: 'views.add',
  parameters: { ...kept, customer: int.nullable(), now: instant },
  row: { _id: int },
  sql: `insert into list_view (site_id, customer_id, account_id, list, name, filter, shared, created_at)
   values (:site, :customer, :account, :list, :name, :filter::jsonb, :shared, :now)
   returning id as "_id"`,
})

/** How many views an account keeps, whether this one is among them, and whether another one of the list has this name. Two at once wait for each other. */
export const viewFacts = statement({
  name: 'views.facts',
  parameters: { account: int, list: z.enum(viewLists), name: text, view: int.nullable() },
  row: { count: int, there: bool, taken: bool },
  sql: `with mine as materialized (select id from account where id = :account for no key update)
   select count(v.id) as count, coalesce(bool_or(v.id = :view::int and v.list = :list), false) as there,
     coalesce(bool_or(v.list = :list and lower(v.name) = lower(:name) and v.id is distinct from :view::int), false) as taken
   from mine left join list_view v on v.account_id = mine.id`,
})

/** Changes a view of the account, of the same list. One that is shared no more comes to nobody else. */
export const changeView = statement({
  name: 'views.change',
  parameters: { ...kept, view: int },
  sql: `with changed as (
     update list_view set name = :name, filter = :filter::jsonb, shared = :shared
     where site_id = :site and id = :view and account_id = :account and list = :list returning id)
   delete from view_mail m using changed
   where m.site_id = :site and m.view_id = changed.id and m.account_id <> :account and not :shared`,
})

/** The list of a view that somebody sees, and whether messages can reach them. */
export const seenView = statement({
  name: 'views.seen',
  parameters: { site: int, customer: int.nullable(), account: int, view: int },
  row: { list: z.enum(viewLists), reachable: bool },
  sql: `select v.list, a.email <> '' as reachable from list_view v join account a on a.id = :account
   where v.id = :view and ${seen}`,
})

/** When a weekday comes next after today, at the hour of these messages: an expression over `s`, the site. */
const nextDue = (weekday: string): string => `((:now::timestamptz at time zone s.time_zone)::date
     + (${weekday} - extract(dow from :now::timestamptz at time zone s.time_zone)::int + 6) % 7 + 1
     + time '0${viewMailHour}:00') at time zone s.time_zone`

export const sendWeekly = statement({
  name: 'views.weekly',
  parameters: { site: int, customer: int.nullable(), account: int, view: int, weekday: int, now: instant },
  sql: `insert into view_mail (site_id, view_id, account_id, customer_id, weekday, due_at)
   select s.id, :view, :account, :customer, :weekday::int, ${nextDue(':weekday::int')} from site s where s.id = :site
   on conflict (site_id, view_id, account_id) do update set weekday = excluded.weekday, due_at = excluded.due_at`,
})

export const endWeekly = statement({
  name: 'views.endWeekly',
  parameters: { site: int, account: int, view: int },
  sql: 'delete from view_mail where site_id = :site and view_id = :view and account_id = :account',
})

/** Writes the messages that are due, each once, and sets when the next is. Needs the scope of the system. */
export const writeDue = statement({
  name: 'views.writeDue',
  parameters: { now: instant },
  row: { due: int },
  sql: `with due as materialized (
     select m.site_id, m.view_id, m.account_id, ${nextDue('m.weekday')} as next
     from view_mail m join site s on s.id = m.site_id
     where m.due_at <= :now order by m.due_at limit 100 for update of m skip locked),
   moved as (
     update view_mail m set due_at = due.next from due
     where m.site_id = due.site_id and m.view_id = due.view_id and m.account_id = due.account_id),
   written as (
     insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
     select a.site_id, a.customer_id, a.id, 'view', jsonb_build_object('view', due.view_id), :now, :now
     from due join account a on a.id = due.account_id join site s on s.id = a.site_id
     where a.email <> '' and a.disabled_at is null and s.retired_at is null)
   select count(*)::int as due from due`,
})

/** A view as a message needs it, for one who still gets it. No row: it was ended, removed, or is shared no more. */
export const viewToSend = statement({
  name: 'views.toSend',
  parameters: { site: int, customer: int.nullable(), account: int, view: int },
  row: { list: z.enum(viewLists), name: text, filter: text, key: text },
  sql: `select v.list, v.name, v.filter::text as filter, m.key::text as key
   from list_view v join view_mail m on m.site_id = v.site_id and m.view_id = v.id and m.account_id = :account
   where v.id = :view and ${seen}`,
})

export const removeView = statement({
  name: 'views.remove',
  parameters: { site: int, account: int, view: int },
  sql: 'delete from list_view where site_id = :site and id = :view and account_id = :account',
})
