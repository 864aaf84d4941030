/** The statements of customers. Answers are made by PostgreSQL in wire form; a change and its audit are one statement. */
import { customersPerPage } from '#contract/customers.ts'
import { statement } from '../../db/database.ts'
import { folded } from '../../db/search.ts'

// Tyres and vehicles of each customer are counted by its number: behind row-level security a join with grouped rows would
// compare every customer with every count.
const wire = `
  array[c.id] as seq_id, array[c.code] as code, array[c.name] as name, array[c.company] as companyname,
  array[c.street] as street, array[c.zipcode] as zipcode, array[c.city] as city, array[c.email] as email,
  array[(select count(*) from vehicle v
    where v.site_id = c.site_id and v.customer_id = c.id and v.removed_at is null)::int] as vehicles,
  array[held.tyres] as tyres, array[held.in_stock] as in_stock,
  array[(select count(*) from account a
    where a.site_id = c.site_id and a.customer_id = c.id and a.disabled_at is null)::int] as accounts`

const held = `
  cross join lateral (
    select count(*)::int as tyres, (count(*) filter (where t.status = 'in_stock'))::int as in_stock from tyre t
    where t.site_id = c.site_id and t.customer_id = c.id and t.removed_at is null and t.status <> 'waste') held`

/** What a customer is listed and sorted by: the name that the portal shows of it. */
const shownName = (of: string): string => `lower(coalesce(nullif(${of}.company, ''), ${of}.name))`

/**
 * A page of customers, $1 site. $2: the words that are all found in a customer or in an account of it; $3: the customer after
 * which the page begins, null for the first page.
 */
export const pageOfCustomers = statement(
  'customers.page',
  `with found as materialized (
     select c.site_id, c.id, ${shownName('c')} as shown from customer c
     where c.site_id = $1 and (cardinality($2::text[]) = 0 or not exists (
       select from unnest($2::text[]) word
       where strpos(${folded("concat_ws(' ', c.name, c.company, c.code, c.street, c.zipcode, c.city, c.email)")}, word) = 0
         and not exists (select from account a where a.site_id = $1 and a.customer_id = c.id
           and strpos(${folded("concat_ws(' ', a.username, a.fullname)")}, word) > 0)))),
   page as (
     select id, shown from found
     where $3::int is null or (shown, id) > (select ${shownName('l')}, l.id from customer l where l.site_id = $1 and l.id = $3)
     order by shown, id limit ${customersPerPage})
   select json_build_object(
     'customers', (select coalesce(json_agg(listed), '[]') from (
       select ${wire} from page join customer c on c.site_id = $1 and c.id = page.id ${held}
       order by page.shown, page.id) listed),
     'total', (select count(*) from found))::text as json`,
)

export const customerById = statement(
  'customers.one',
  `select (select row_to_json(listed) from (select ${wire} from customer c ${held} where c.site_id = $1 and c.id = $2) listed)::text as json`,
)

/** The columns of a customer that a person types, as a form names them. */
export const typedColumns = {
  code: 'code',
  name: 'name',
  companyname: 'company',
  street: 'street',
  zipcode: 'zipcode',
  city: 'city',
  email: 'email',
} as const
const columns = Object.values(typedColumns)

/** $2–$8 the columns, $9 the account that does it, $10 now. */
export const addCustomer = statement(
  'customers.add',
  `with added as (
     insert into customer (site_id, ${columns.join(', ')}, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $10) returning id),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject)
     select $1, id, $9, $10, 'customer.create', 'customer ' || id from added)
   select id from added`,
)

export const lockCustomer = statement(
  'customers.lock',
  `select ${Object.entries(typedColumns)
    .map(([field, column]) => `${column} as ${field}`)
    .join(', ')}
   from customer where site_id = $1 and id = $2 for update`,
)

/**
 * $2 customer, $3–$9 the columns, $10 the account, $11 now, $12 which fields changed. Their names are all that is kept of them:
 * an audit is for ever, and what it says of a person could never be erased.
 */
export const changeCustomer = statement(
  'customers.change',
  `with changed as (
     update customer set ${columns.map((column, nth) => `${column} = $${nth + 3}`).join(', ')}
     where site_id = $1 and id = $2 returning id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select $1, id, $10, $11, 'customer.edit', 'customer ' || id, jsonb_build_object('fields', $12::text[]) from changed`,
)

export const everyCustomer = statement(
  'customers.every',
  `select ${columns.join(', ')} from customer c where site_id = $1 order by ${shownName('c')}, id`,
)

// Accounts --------------------------------------------------------------------------------------------------------------

const accountColumns = `id as _id, customer_id as seq_id, username, fullname, type, language as lang,
  disabled_at is not null as disabled, created_at as created`

const accountOrder = `disabled_at is not null, lower(username), id`

/** $2: the customer; none of that number is no row. */
export const accountsOfCustomer = statement(
  'customers.accounts',
  `select (select coalesce(json_agg(found), '[]') from (
     select ${accountColumns} from account where site_id = $1 and customer_id = $2 and erased_at is null order by ${accountOrder}) found)::text as json
   from customer where site_id = $1 and id = $2`,
)

export const administrators = statement(
  'customers.administrators',
  `select coalesce(json_agg(found), '[]')::text as json from (
     select ${accountColumns} from account where site_id = $1 and type = 'admin' and erased_at is null order by ${accountOrder}) found`,
)

export const accountById = statement(
  'customers.account',
  `select (select row_to_json(found) from (
     select ${accountColumns} from account where site_id = $1 and id = $2) found)::text as json`,
)

/**
 * The administrators who can sign in, locked in one order: two who disable each other at once do so one after the other, and
 * the second then finds who is left.
 */
export const lockAdministrators = statement(
  'customers.lockAdministrators',
  `select id from account where site_id = $1 and type = 'admin' and disabled_at is null order by id for update`,
)

export const lockAccount = statement(
  'customers.lockAccount',
  `select id, customer_id as customer, type, username, fullname, language as lang, disabled_at is not null as disabled
   from account where site_id = $1 and id = $2 and erased_at is null for update`,
)

/** Superusers sign in at every address: a name of theirs is taken everywhere, or an account could stand in their way. */
export const superuserNamed = statement(
  'customers.superuser',
  `select id from account where site_id is null and lower(username) = lower($1)`,
)

const audit = (
  action: string,
  { from, actor, at, facts }: { from: string; actor: string; at: string; facts: string },
) => `
  insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
  select $1, customer_id, ${actor}, ${at}, ${action}, 'account ' || id, ${facts}::jsonb from ${from}`

/** $2 customer, $3 username, $4 full name, $5 type, $6 language, $7 password, $8 the account that does it, $9 now. */
export const addAccount = statement(
  'customers.addAccount',
  `with added as (
     insert into account (site_id, customer_id, username, fullname, type, language, password, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $9) returning id, customer_id, username),
   audited as (${audit(`'account.create'`, { from: 'added', actor: '$8', at: '$9', facts: `jsonb_build_object('type', $5::text)` })})
   select id from added`,
)

/** $2 account, $3 customer, $4 username, $5 full name, $6 type, $7 language, $8 the account that does it, $9 now, $10 fields. */
export const changeAccount = statement(
  'customers.changeAccount',
  `with changed as (
     update account set customer_id = $3, username = $4, fullname = $5, type = $6, language = $7
     where site_id = $1 and id = $2 returning id, customer_id, username)
   ${audit(`'account.edit'`, { from: 'changed', actor: '$8', at: '$9', facts: `jsonb_build_object('fields', $10::text[], 'type', $6::text)` })}`,
)

/** $2 account, $3 whether it is disabled, $4 the account that does it, $5 now. */
export const disableAccount = statement(
  'customers.disableAccount',
  `with changed as (
     update account set disabled_at = case when $3 then $5::timestamptz end
     where site_id = $1 and id = $2 returning id, customer_id, username)
   ${audit(`case when $3 then 'account.disable' else 'account.enable' end`, { from: 'changed', actor: '$4', at: '$5', facts: `'{}'` })}`,
)

/** $2 account, $3 password, $4 the account that does it, $5 now. */
export const setPassword = statement(
  'customers.setPassword',
  `with changed as (
     update account set password = $3 where site_id = $1 and id = $2 returning id, customer_id, username)
   ${audit(`'account.password'`, { from: 'changed', actor: '$4', at: '$5', facts: `'{}'` })}`,
)

/** A statement of its own after the change: it sees the sessions that began until the account was locked. */
export const endSessions = statement(
  'customers.endSessions',
  `delete from session where site_id = $1 and account_id = $2`,
)
