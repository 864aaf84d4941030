/** The statements of named views. */
import { z } from 'zod'
import { viewLists } from '#domain/listView.ts'
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
       coalesce(nullif(a.fullname, ''), a.username) as by
     from list_view v join account a on a.id = v.account_id
     where ${seen} order by lower(v.name), v.id) wire`,
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

/** Changes a view of the account, of the same list. */
export const changeView = statement({
  name: 'views.change',
  parameters: { ...kept, view: int },
  sql: `update list_view set name = :name, filter = :filter::jsonb, shared = :shared
   where site_id = :site and id = :view and account_id = :account and list = :list`,
})

export const removeView = statement({
  name: 'views.remove',
  parameters: { site: int, account: int, view: int },
  sql: 'delete from list_view where site_id = :site and id = :view and account_id = :account',
})
