/** The statements of an import of accounts. None of them reads or keeps a password. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { statement } from '../../db/statement.ts'
import { bool, instant, int, json, text } from '../../db/types.ts'

const language = z.enum(languageCodes).nullable()

/** The accounts of these names, in lower case, locked. `closed`: it is nobody's who signs in with a name. */
export const accountsNamed = statement({
  name: 'import.accountsNamed',
  parameters: { site: int, names: z.array(text) },
  row: {
    id: int,
    name: text,
    customer: int.nullable(),
    type: z.enum(['user', 'admin']),
    fullname: text,
    email: text,
    language,
    closed: bool,
  },
  sql: `select id, lower(username) as name, customer_id as customer, type, fullname, email, language,
     is_service or erased_at is not null as closed
   from account where site_id = :site and lower(username) = any (:names::text[]) order by id for update`,
})

/** Which of these names superusers have, who sign in at every address. Needs `asSystem`. */
export const superusersNamed = statement({
  name: 'import.superusersNamed',
  parameters: { names: z.array(text) },
  row: { name: text },
  sql: `select lower(username) as name from account where site_id is null and lower(username) = any (:names::text[])`,
})

const about = { site: int, import: int, rows: json, now: instant, account: int.nullable() }

/** Adds accounts without a password, given as JSON rows: nobody signs in before one is set. A name that is taken is left out. */
export const addAccounts = statement({
  name: 'import.addAccounts',
  parameters: about,
  row: { id: int, username: text },
  sql: `with added as (
     insert into account (site_id, customer_id, username, fullname, type, language, email, password, created_at)
     select :site, w.customer, w.username, w.fullname, w.type, w.language, w.email, '', :now
     from json_to_recordset(:rows::json) as w (customer int, username text, fullname text, type text, language text, email text)
     on conflict do nothing returning id, customer_id, username, type),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :account, :now, 'account.create', 'account ' || id, jsonb_build_object('type', type) from added),
   kept as (insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'account', id from added)
   select id, username from added`,
})

/** Changes accounts, given as JSON rows; `fields` are the names of what changes. The audit keeps them, and not their values. */
export const changeAccounts = statement({
  name: 'import.changeAccounts',
  parameters: about,
  sql: `with given as (
     select a.id, a.customer_id, a.type, w.fullname, w.language, w.email, w.fields,
       jsonb_build_object('fullname', a.fullname, 'language', a.language, 'email', a.email) as before
     from json_to_recordset(:rows::json) as w (id int, fullname text, language text, email text, fields jsonb)
       join account a on a.site_id = :site and a.id = w.id),
   changed as (
     update account a set fullname = given.fullname, language = given.language, email = given.email
     from given where a.site_id = :site and a.id = given.id),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :account, :now, 'account.edit', 'account ' || id, jsonb_build_object('fields', fields, 'type', type) from given)
   insert into import_row (site_id, import_id, record, record_id, before) select :site, :import, 'account', id, before from given`,
})

/** The accounts that an import wrote; `former` is the address that a changed one has until it is undone, where it had another. */
export const accountsOfImport = statement({
  name: 'import.accountsOfImport',
  parameters: { site: int, import: int },
  row: { id: int, added: bool, former: text.nullable() },
  sql: `select a.id, r.before is null as added, case when r.before is not null and a.email <> r.before ->> 'email' then a.email end as former
   from import_row r join account a on a.site_id = r.site_id and a.id = r.record_id
   where r.site_id = :site and r.import_id = :import and r.record = 'account' order by a.id`,
})
