/** The statements of personal data. The audit records export and erasure, never the data. */
import { statement } from '../../db/statement.ts'
import { answer, instant, int, text } from '../../db/types.ts'

const audit = (action: string, subject: string, from: string): string => `
  insert into audit (site_id, customer_id, account_id, at, action, subject)
  select :site, customer_id, :actor, :now, '${action}', '${subject} ' || id from ${from}`

/** The driver of a vehicle, in wire form. */
export const driverOf = statement({
  name: 'people.driver',
  parameters: { site: int, vehicle: int, actor: int, now: instant },
  row: answer,
  sql: `
    with found as (select * from vehicle where site_id = :site and id = :vehicle),
    audited as (${audit('driver.export', 'vehicle', 'found')})
    select (select json_build_object(
      'vehicle', json_build_object('flt_id', id, 'license_plate', license_plate, 'brand', brand, 'description', description),
      'name', driver_name, 'email', driver_email, 'mobile_no', driver_mobile, 'telephone_no', driver_telephone)
    from found)::text as json`,
})

/**
 * Erases the driver of a vehicle, the kept answers of idempotent calls (docs/decisions/0012) that hold the driver, and what imports
 * changed of the vehicle.
 */
export const eraseDriver = statement({
  name: 'people.eraseDriver',
  parameters: { site: int, vehicle: int, actor: int, now: instant },
  row: { customer: int },
  sql: `
    with erased as (
      update vehicle set driver_name = '', driver_mobile = '', driver_telephone = '', driver_email = ''
      where site_id = :site and id = :vehicle returning id, customer_id),
    forgotten as (
      delete from request_key where site_id = :site and strpos(answer, '"driver"') > 0
        and (strpos(answer, '"flt_id":[' || :vehicle::int || ']') > 0) and exists (select from erased)),
    unremembered as (
      update import_row set before = '{}' where site_id = :site and record = 'vehicle' and record_id = :vehicle and before is not null
        and exists (select from erased)),
    audited as (${audit('driver.erase', 'vehicle', 'erased')})
    select customer_id as customer from erased`,
})

export const nameOf = statement({
  name: 'people.name',
  parameters: { site: int, account: int },
  row: { username: text },
  sql: `select username from account where site_id = :site and id = :account and not is_service and erased_at is null`,
})

/** All that is known of an account's owner, in wire form. */
export const accountData = statement({
  name: 'people.account',
  parameters: { site: int, account: int, name: text, actor: int, now: instant },
  row: answer,
  sql: `
    with found as (select * from account where site_id = :site and id = :account and not is_service and erased_at is null),
    audited as (${audit('account.export', 'account', 'found')})
    select (select json_build_object(
      '_id', id, 'username', username, 'fullname', fullname, 'type', type, 'lang', language, 'email', email,
      'customer', (select coalesce(nullif(company, ''), name) from customer c where c.site_id = :site and c.id = found.customer_id),
      'created', created_at, 'disabled', disabled_at,
      'sessions', (select coalesce(json_agg(json_build_object('began', created_at, 'seen', seen_at, 'device', device, 'address', address) order by created_at), '[]')
        from session where account_id = :account),
      'factors', (select coalesce(json_agg(json_build_object('name', name, 'added', created_at, 'used', used_at) order by created_at), '[]')
        from (select name, created_at, used_at from passkey where account_id = :account
          union all select 'Authenticator app', created_at, used_at from totp where account_id = :account) kept),
      'singleSignOn', (select coalesce(json_agg(json_build_object('issuer', issuer, 'subject', subject, 'added', created_at, 'used', used_at) order by created_at), '[]')
        from sign_on_identity where site_id = :site and account_id = :account),
      'tokens', (select coalesce(json_agg(json_build_object('name', name, 'scopes', scopes, 'made', created_at, 'used', used_at,
          'expires', expires_at, 'revoked', revoked_at) order by created_at), '[]')
        from api_token where site_id = :site and account_id = :account),
      'notices', (select coalesce(json_agg(json_build_object('at', at, 'kind', kind, 'read', read_at, 'mailed', mailed_at) order by id), '[]')
        from notice where site_id = :site and account_id = :account),
      'failures', (select coalesce(json_agg(json_build_object('at', at, 'address', address) order by at), '[]')
        from sign_in_failure where subject in ('account ' || :account::int, 'factor ' || :account::int, :name)),
      'operations', (select coalesce(json_agg(json_build_object('_id', id, 'type', type, 'status', status, 'created', created_at) order by id), '[]')
        from operation where site_id = :site and account_id = :account),
      'scans', (select count(*) from scan where site_id = :site and account_id = :account),
      'audit', (select coalesce(json_agg(json_build_object('at', at, 'action', action, 'subject', subject) order by at, id), '[]')
        from audit where site_id = :site and account_id = :account),
      'security', (select coalesce(json_agg(json_build_object('at', e.at, 'kind', e.kind, 'address', o.address, 'device', o.device)
          order by e.at, e.id), '[]')
        from security_event e left join security_event_origin o on o.event_id = e.id and o.account_id = :account
        where e.site_id = :site and coalesce(e.by_account_id, e.account_id) = :account))
    from found)::text as json`,
})

/**
 * Erases the personal data of an account, the stored answers of its idempotent calls, and what imports changed of it. The row stays for references;
 * the empty text is the hash of no password.
 */
export const eraseAccount = statement({
  name: 'people.eraseAccount',
  parameters: { site: int, account: int, actor: int, now: instant },
  sql: `
    with erased as (
      update account set username = 'erased-' || id, fullname = '', password = '', language = null, email = '',
        disabled_at = coalesce(disabled_at, :now::timestamptz), erased_at = :now
      where site_id = :site and id = :account returning id, customer_id),
    forgotten as (delete from request_key where site_id = :site and account_id = :account),
    devices as (delete from known_device where account_id = :account),
    passkeys as (delete from passkey where account_id = :account),
    app as (delete from totp where account_id = :account),
    codes as (delete from recovery_code where account_id = :account),
    tokens as (delete from api_token where site_id = :site and account_id = :account),
    unremembered as (
      update import_row set before = '{}' where site_id = :site and record = 'account' and record_id = :account and before is not null),
    links as (delete from sign_on_identity where site_id = :site and account_id = :account),
    told as (delete from notice where site_id = :site and account_id = :account),
    chosen as (delete from notice_choice where site_id = :site and account_id = :account),
    weekly as (delete from view_mail where site_id = :site and account_id = :account),
    viewed as (delete from list_view where site_id = :site and account_id = :account),
    unsent as (delete from mail where site_id = :site and account_id = :account)
    ${audit('account.erase', 'account', 'erased')}`,
})

/** Failed sign-ins are counted under the account and under its name, wrong codes by themselves. */
export const deleteFailures = statement({
  name: 'people.deleteFailures',
  parameters: { account: text, factor: text, name: text },
  sql: 'delete from sign_in_failure where subject in (:account, :factor, :name)',
})
