/** The statements of a person's data. What was told or erased stands in the audit, never what it was. */
import { statement } from '../../db/database.ts'

const audit = (action: string, subject: string, from: string): string => `
  insert into audit (site_id, customer_id, account_id, at, action, subject)
  select $1, customer_id, $3, $4, '${action}', '${subject} ' || id from ${from}`

/** Vehicle $2, asked by account $3 at $4. */
export const driverOf = statement(
  'people.driver',
  `with found as (select * from vehicle where site_id = $1 and id = $2),
   audited as (${audit('driver.export', 'vehicle', 'found')})
   select (select json_build_object(
     'vehicle', json_build_object('flt_id', id, 'license_plate', license_plate, 'brand', brand, 'description', description),
     'name', driver_name, 'email', driver_email, 'mobile_no', driver_mobile, 'telephone_no', driver_telephone)
   from found)::text as json`,
)

/** The same of the driver of vehicle $2; answers that were kept to be given again (docs/decisions/0012) know the driver, too. */
export const eraseDriver = statement(
  'people.eraseDriver',
  `with erased as (
     update vehicle set driver_name = '', driver_mobile = '', driver_telephone = '', driver_email = ''
     where site_id = $1 and id = $2 returning id, customer_id),
   forgotten as (
     delete from request_key where site_id = $1 and strpos(answer, '"driver"') > 0
       and (strpos(answer, '"flt_id":[' || $2::int || ']') > 0) and exists (select from erased)),
   audited as (${audit('driver.erase', 'vehicle', 'erased')})
   select customer_id as customer from erased`,
)

/** Account $2, asked by account $3 at $4. */
export const accountData = statement(
  'people.account',
  `with found as (select * from account where site_id = $1 and id = $2 and erased_at is null),
   audited as (${audit('account.export', 'account', 'found')})
   select (select json_build_object(
     '_id', id, 'username', username, 'fullname', fullname, 'type', type, 'lang', language,
     'customer', (select coalesce(nullif(company, ''), name) from customer c where c.site_id = $1 and c.id = found.customer_id),
     'created', created_at, 'disabled', disabled_at,
     'sessions', (select coalesce(json_agg(json_build_object('began', created_at, 'seen', seen_at) order by created_at), '[]')
       from session where account_id = $2),
     'failures', (select coalesce(json_agg(json_build_object('at', at, 'address', address) order by at), '[]')
       from sign_in_failure where subject in ('account ' || $2::int, $1::int || ' ' || lower(found.username))),
     'operations', (select coalesce(json_agg(json_build_object('_id', id, 'type', type, 'status', status, 'created', created_at) order by id), '[]')
       from operation where site_id = $1 and account_id = $2),
     'scans', (select count(*) from scan where site_id = $1 and account_id = $2),
     'audit', (select coalesce(json_agg(json_build_object('at', at, 'action', action, 'subject', subject) order by at, id), '[]')
       from audit where site_id = $1 and account_id = $2))
   from found)::text as json`,
)

/**
 * Forgets who account $2 belongs to, by account $3 at $4. Its row stays, for what was done with it; the hash of no password is
 * the empty text. Answers that were kept to be given again go with it.
 */
export const eraseAccount = statement(
  'people.eraseAccount',
  `with erased as (
     update account set username = 'erased-' || id, fullname = '', password = '', language = null,
       disabled_at = coalesce(disabled_at, $4::timestamptz), erased_at = $4
     where site_id = $1 and id = $2 returning id, customer_id),
   forgotten as (delete from request_key where site_id = $1 and account_id = $2)
   ${audit('account.erase', 'account', 'erased')}`,
)

/** What failed sign-ins are counted under: $1 and $2. */
export const forgetFailures = statement(
  'people.forgetFailures',
  `delete from sign_in_failure where subject in ($1, $2)`,
)
