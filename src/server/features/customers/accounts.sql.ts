/** The statements of accounts: a change and its audit are one statement. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { bouncedAddress, companyOfAccount, mailState } from '../mail/mail.sql.ts'
import { answer, bool, instant, int, text } from '../../db/types.ts'

const accountColumns = `id as _id, customer_id as seq_id, username, fullname, type, warehouse_only as warehouse, language as lang,
  disabled_at is not null as disabled, created_at as created, email,
  ${bouncedAddress} as bounced,
  (select json_build_object('kind', m.kind, 'at', coalesce(m.sent_at, m.created_at), 'state', ${mailState}, 'problem', m.problem)
    from mail m where m.account_id = account.id and m.kind in ('invitation', 'reset') order by m.id desc limit 1) as link,
  exists (select from passkey p where p.account_id = account.id) or exists (select from totp where totp.account_id = account.id) as second_step,
  exists (select from sign_on_identity i where i.account_id = account.id) as linked`

const accountOrder = `disabled_at is not null, ${bySpelling('username')}, id`

/** The accounts of a customer. No row: the customer does not exist. */
export const accountsOfCustomer = statement({
  name: 'customers.accounts',
  parameters: { site: int, customer: int },
  row: answer,
  sql: `select (select coalesce(json_agg(found), '[]') from (
     select ${accountColumns} from account where site_id = :site and customer_id = :customer and erased_at is null order by ${accountOrder}) found)::text as json
   from customer where site_id = :site and id = :customer`,
})

/** The administrators of the site. */
export const administrators = statement({
  name: 'customers.administrators',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(found), '[]')::text as json from (
     select ${accountColumns} from account where site_id = :site and type = 'admin' and not is_service and erased_at is null order by ${accountOrder}) found`,
})

/** One account. */
export const accountById = statement({
  name: 'customers.account',
  parameters: { site: int, account: int },
  row: answer,
  sql: `select (select row_to_json(found) from (
     select ${accountColumns} from account where site_id = :site and id = :account and not is_service) found)::text as json`,
})

/**
 * Locks the administrators who can sign in and are not restricted to the warehouse, always in the same order. So two who disable each other at once are
 * serialised, and the second one sees the result of the first.
 */
export const lockAdministrators = statement({
  name: 'customers.lockAdministrators',
  parameters: { site: int },
  row: { id: int },
  sql: `select id from account where site_id = :site and type = 'admin' and not warehouse_only and not is_service and disabled_at is null order by id for update`,
})

const accountType = z.enum(['user', 'admin'])
const language = z.enum(languageCodes)

/** Locks an account of the site, unless it is erased. */
export const lockSiteAccount = statement({
  name: 'customers.lockAccount',
  parameters: { site: int, account: int },
  row: {
    id: int,
    customer: int.nullable(),
    type: accountType,
    warehouse: bool,
    username: text,
    fullname: text,
    lang: language.nullable(),
    disabled: bool,
    email: text,
    /** Its owner has yet to choose a password. */
    invited: bool,
  },
  sql: `select id, customer_id as customer, type, warehouse_only as warehouse, username, fullname, language as lang, disabled_at is not null as disabled, email,
     password = '' as invited
   from account where site_id = :site and id = :account and not is_service and erased_at is null for update`,
})

/** The names of an account: its own and its company's. */
export const accountNames = statement({
  name: 'customers.accountNames',
  parameters: { site: int, account: int },
  row: { username: text, fullname: text, company: text },
  sql: `select username, fullname, ${companyOfAccount} as company from account a where site_id = :site and id = :account and not is_service and erased_at is null`,
})

/** The company of a customer, which is no part of a good password of its accounts. */
export const companyOf = statement({
  name: 'customers.company',
  parameters: { site: int, customer: int },
  row: { company: text },
  sql: `select coalesce(nullif(company, ''), name) as company from customer where site_id = :site and id = :customer`,
})

/** The superuser of this name. Superusers sign in at every address, so no account of a site may have the same name. */
export const superuserNamed = statement({
  name: 'customers.superuser',
  parameters: { username: text },
  row: { id: int },
  sql: `select id from account where site_id is null and lower(username) = lower(:username)`,
})

/** An entry in the audit for the account in `from`; `action` and `facts` are expressions. */
const auditOfAccount = (action: string, from: string, facts = `'{}'`): string => `
  insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
  select :site, customer_id, :actor, :now, ${action}, 'account ' || id, ${facts}::jsonb from ${from}`

/** The fields of an account that an administrator enters, besides its password. */
const fields = {
  customer: int.nullable(),
  username: text,
  fullname: text,
  type: accountType,
  warehouse: bool,
  lang: language.nullable(),
  email: text,
}

/** Adds an account. `password` is the hash of a password that its owner has to change, empty for none. */
export const addAccount = statement({
  name: 'customers.addAccount',
  parameters: { ...fields, site: int, password: text, actor: int, now: instant },
  row: { id: int },
  sql: `with added as (
     insert into account (site_id, customer_id, username, fullname, type, warehouse_only, language, email, password, must_change_password, created_at)
     values (:site, :customer, :username, :fullname, :type, :warehouse, :lang, :email, :password, :password <> '', :now) returning id, customer_id, username),
   audited as (${auditOfAccount(`'account.create'`, 'added', `jsonb_build_object('type', :type::text)`)})
   select id from added`,
})

/** Changes an account. `changed` are the names of the fields that changed: the audit keeps them, and not their values. */
export const changeAccount = statement({
  name: 'customers.changeAccount',
  parameters: { ...fields, site: int, account: int, actor: int, now: instant, changed: z.array(text) },
  sql: `with changed as (
     update account set customer_id = :customer, username = :username, fullname = :fullname, type = :type, warehouse_only = :warehouse, language = :lang, email = :email
     where site_id = :site and id = :account returning id, customer_id, username)
   ${auditOfAccount(`'account.edit'`, 'changed', `jsonb_build_object('fields', :changed::text[], 'type', :type::text)`)}`,
})

/** Disables an account, or enables it again. */
export const disableAccount = statement({
  name: 'customers.disableAccount',
  parameters: { site: int, account: int, disabled: bool, actor: int, now: instant },
  sql: `with changed as (
     update account set disabled_at = case when :disabled then :now::timestamptz end
     where site_id = :site and id = :account returning id, customer_id, username)
   ${auditOfAccount(`case when :disabled then 'account.disable' else 'account.enable' end`, 'changed')}`,
})

/** Gives an account another password, which its owner has to change; `password` is its hash. */
export const setPassword = statement({
  name: 'customers.setPassword',
  parameters: { site: int, account: int, password: text, actor: int, now: instant },
  sql: `with changed as (
     update account set password = :password, must_change_password = true where site_id = :site and id = :account returning id, customer_id, username)
   ${auditOfAccount(`'account.password'`, 'changed')}`,
})

/** Notes that an account was sent the link to a password. */
export const auditLink = statement({
  name: 'customers.auditLink',
  parameters: { site: int, account: int, actor: int, now: instant },
  sql: auditOfAccount(`'account.link'`, 'account where site_id = :site and id = :account'),
})

export const auditFactors = statement({
  name: 'customers.auditFactors',
  parameters: { site: int, account: int, actor: int, now: instant },
  sql: auditOfAccount(`'account.factors'`, 'account where site_id = :site and id = :account'),
})

/** Ends the sessions of an account. Runs after the change, as a separate statement: it sees the sessions that began until the account was locked. */
export const endSiteAccountSessions = statement({
  name: 'customers.endSessions',
  parameters: { site: int, account: int },
  sql: `delete from session where site_id = :site and account_id = :account`,
})
