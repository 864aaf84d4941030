/** The statements of known devices. They need the scope of the system: nobody is signed in yet. */
import { statement } from '../../db/statement.ts'
import { bool, bytes, instant, int } from '../../db/types.ts'

/** How long a browser is known after a sign-in. Browsers keep no cookie for longer. */
export const knownDeviceDays = 400

const since = `:now::timestamptz - make_interval(days => ${knownDeviceDays})`

/** The device of this hash, when the account signed in with it. */
export const deviceOf = statement({
  name: 'devices.find',
  parameters: { hash: bytes, account: int, now: instant },
  row: { account: int },
  sql: `select account_id as account from known_device where hash = :hash and account_id = :account and seen_at > ${since}`,
})

/** Whether the portal gave this device its token: somebody is known by it. */
export const isOurs = statement({
  name: 'devices.isOurs',
  parameters: { hash: bytes },
  row: { known: bool },
  sql: `select exists (select from known_device where hash = :hash) as known`,
})

/** Adds a device to those of an account, or notes that it was used again; `others` is how many the account has beside it. */
export const noteDevice = statement({
  name: 'devices.note',
  parameters: { hash: bytes, account: int, now: instant },
  row: { added: bool, others: int },
  sql: `with others as (select count(*)::int as n from known_device where account_id = :account and hash <> :hash)
   insert into known_device (hash, account_id, site_id, customer_id, seen_at)
   select :hash, id, site_id, customer_id, :now from account where id = :account
   on conflict (hash, account_id) do update set seen_at = excluded.seen_at
   returning xmax = 0 as added, (select n from others) as others`,
})

/** Forgets the devices of an account, but for the one of `kept`. */
export const forgetDevices = statement({
  name: 'devices.forget',
  parameters: { account: int, kept: bytes.nullable() },
  sql: `delete from known_device where account_id = :account and hash is distinct from :kept`,
})

export const deleteOldDevices = statement({
  name: 'devices.sweep',
  parameters: { now: instant },
  sql: `delete from known_device where seen_at <= ${since}`,
})
