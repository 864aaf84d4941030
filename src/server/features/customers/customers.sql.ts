/** The statements of customers. Answers are made by PostgreSQL in wire form; a change and its audit are one statement. */
import { z } from 'zod'
import { customersPerPage } from '#contract/customers.ts'
import { bySpelling, folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, decimal, instant, int, text } from '../../db/types.ts'

// Tyres and vehicles of each customer are counted by its number: behind row-level security a join with grouped rows would
// compare every customer with every count.
const wire = `
  array[c.id] as seq_id, array[c.code] as code, array[c.name] as name, array[c.company] as companyname,
  array[c.street] as street, array[c.zipcode] as zipcode, array[c.city] as city, array[c.email] as email,
  array[c.min_tread_summer] as min_tread_summer, array[c.min_tread_winter] as min_tread_winter, array[c.presume_mounts] as presume_mounts,
  array[(select count(*) from vehicle v
    where v.site_id = c.site_id and v.customer_id = c.id and v.removed_at is null and v.left_on is null)::int] as vehicles,
  array[held.tyres] as tyre_count, array[held.in_stock] as in_stock,
  array[(select count(*) from account a
    where a.site_id = c.site_id and a.customer_id = c.id and a.disabled_at is null)::int] as accounts`

const tyreCounts = `
  cross join lateral (
    select count(*)::int as tyres, (count(*) filter (where t.status = 'in_stock'))::int as in_stock from tyre t
    where t.site_id = c.site_id and t.customer_id = c.id and t.removed_at is null and t.status <> 'waste') held`

/** The displayed name of a customer, used for lists and sorting. */
const shownName = (alias: string): string => bySpelling(`coalesce(nullif(${alias}.company, ''), ${alias}.name)`)

/**
 * A page of customers after the customer `last`, null for the first page. Each of `words` is found in the customer or in an
 * account of it.
 */
export const pageOfCustomers = statement({
  name: 'customers.page',
  parameters: { site: int, words: z.array(text), last: int.nullable() },
  row: answer,
  sql: `with found as materialized (
     select c.site_id, c.id, ${shownName('c')} as shown from customer c
     where c.site_id = :site and (cardinality(:words::text[]) = 0 or not exists (
       select from unnest(:words::text[]) word
       where strpos(${folded("concat_ws(' ', c.name, c.company, c.code, c.street, c.zipcode, c.city, c.email)")}, word) = 0
         and not exists (select from account a where a.site_id = :site and a.customer_id = c.id
           and strpos(${folded("concat_ws(' ', a.username, a.fullname)")}, word) > 0)))),
   page as (
     select id, shown from found
     where :last::int is null or (shown, id) > (select ${shownName('l')}, l.id from customer l where l.site_id = :site and l.id = :last)
     order by shown, id limit ${customersPerPage})
   select json_build_object(
     'customers', (select coalesce(json_agg(listed), '[]') from (
       select ${wire} from page join customer c on c.site_id = :site and c.id = page.id ${tyreCounts}
       order by page.shown, page.id) listed),
     'total', (select count(*) from found))::text as json`,
})

/** One customer. */
export const customerById = statement({
  name: 'customers.one',
  parameters: { site: int, customer: int },
  row: answer,
  sql: `select (select row_to_json(listed) from (select ${wire} from customer c ${tyreCounts} where c.site_id = :site and c.id = :customer) listed)::text as json`,
})

/** The customers in whose name, company, code or city each of the words is found, with the number of their vehicles. */
export const customersByName = statement({
  name: 'fleet.findcustomerbyname',
  parameters: { site: int, words: z.array(text) },
  row: answer,
  sql: `select coalesce(json_agg(found), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[count(v.id)::int] as vehicles
     from (
       select * from customer
       where site_id = :site and not exists (
         select from unnest(:words::text[]) word
         where strpos(${folded("concat_ws(' ', name, company, code, city)")}, word) = 0)
       order by ${bySpelling('name')}, id limit 50) c
     left join vehicle v on v.site_id = c.site_id and v.customer_id = c.id and v.removed_at is null and v.left_on is null
     group by c.id, c.name, c.company, c.street, c.zipcode, c.city
     order by ${bySpelling('c.name')}, c.id) found`,
})

/** The text columns of a customer, by field of the form. */
const textColumnOf = {
  code: 'code',
  name: 'name',
  companyname: 'company',
  street: 'street',
  zipcode: 'zipcode',
  city: 'city',
  email: 'email',
} as const
/** The editable columns of a customer, by field of the form. */
const columnOf = {
  ...textColumnOf,
  min_tread_summer: 'min_tread_summer',
  min_tread_winter: 'min_tread_winter',
  presume_mounts: 'presume_mounts',
} as const
const columns = Object.values(columnOf)
/** The columns that an export writes and an import reads back. */
export const exportedColumns = Object.values(textColumnOf)

/** A field of a customer, as a form names it. */
export type Field = keyof typeof columnOf
export const fieldNames = Object.keys(columnOf) as Field[]
const fields = {
  ...(Object.fromEntries(Object.keys(textColumnOf).map(field => [field, text])) as Record<
    keyof typeof textColumnOf,
    typeof text
  >),
  min_tread_summer: decimal.nullable(),
  min_tread_winter: decimal.nullable(),
  presume_mounts: bool.nullable(),
}
/** The values of a customer's fields. */
export type Fields = z.output<z.ZodObject<typeof fields>>

/** Adds a customer. */
export const addCustomer = statement({
  name: 'customers.add',
  parameters: { ...fields, site: int, actor: int, now: instant },
  row: { id: int },
  sql: `with added as (
     insert into customer (site_id, ${columns.join(', ')}, created_at) values (:site, ${fieldNames.map(field => `:${field}`).join(', ')}, :now) returning id),
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject)
     select :site, id, :actor, :now, 'customer.create', 'customer ' || id from added)
   select id from added`,
})

/**
 * Lets one change of a code at a time compare it with the codes of the site. `locked`: whether no import of customers runs there, which
 * has customers that nobody else sees yet.
 */
export const lockCodes = statement({
  name: 'customers.lockCodes',
  parameters: { site: int },
  row: { locked: bool },
  sql: `select pg_try_advisory_xact_lock_shared(hashtextextended('import customers', :site::int)) as locked
   from (select pg_advisory_xact_lock(hashtextextended('customer codes', :site::int))) one`,
})

/** The codes of the other customers of the site. */
export const otherCodes = statement({
  name: 'customers.otherCodes',
  parameters: { site: int, customer: int.nullable() },
  row: { code: text },
  sql: `select code from customer where site_id = :site and code <> '' and id is distinct from :customer::int`,
})

/** Locks a customer against every other change of its records. Rows that refer to it can still be added. */
export const lockCustomer = statement({
  name: 'customers.lock',
  parameters: { site: int, customer: int },
  row: { id: int },
  sql: 'select id from customer where site_id = :site and id = :customer for no key update',
})

/** Locks a customer whose fields are about to change, and answers them. */
export const customerToChange = statement({
  name: 'customers.toChange',
  parameters: { site: int, customer: int },
  row: fields,
  sql: `select ${Object.entries(columnOf)
    .map(([field, column]) => `${column} as ${field}`)
    .join(', ')}
   from customer where site_id = :site and id = :customer for update`,
})

/**
 * Changes a customer. `changed` are the names of the fields that changed. The audit records the names without values:
 * nothing is deleted from it, so personal data could not be erased.
 */
export const changeCustomer = statement({
  name: 'customers.change',
  parameters: { ...fields, site: int, customer: int, actor: int, now: instant, changed: z.array(text) },
  sql: `with changed as (
     update customer set ${fieldNames.map(field => `${columnOf[field]} = :${field}`).join(', ')}
     where site_id = :site and id = :customer returning id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, id, :actor, :now, 'customer.edit', 'customer ' || id, jsonb_build_object('fields', :changed::text[]) from changed`,
})

/** Every customer of the site, for the export. */
export const everyCustomer = statement({
  name: 'customers.every',
  parameters: { site: int },
  row: Object.fromEntries(exportedColumns.map(column => [column, text])) as Record<
    (typeof exportedColumns)[number],
    typeof text
  >,
  sql: `select ${exportedColumns.join(', ')} from customer c where site_id = :site order by ${shownName('c')}, id`,
})
