/** The statements of counted attempts. They need the scope of the system: nobody is signed in yet. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { bytes, instant, int, text } from '../../db/types.ts'

const lately = `interval '15 minutes'`
const inADay = `interval '1 day'`

/** Lets one attempt at a time be counted for each of these keys, always taken in the same order. */
export const lockAttempts = statement({
  name: 'attempts.lock',
  parameters: { keys: z.array(text) },
  row: { locked: int },
  sql: `select count(pg_advisory_xact_lock(hashtextextended(key, 16)))::int as locked
   from (select key from unnest(:keys::text[]) key order by key) keys`,
})

/**
 * How many attempts failed: for the subject at this address or device and at this address in all, both lately; and for the subject
 * at all addresses in a day. Those of known devices count for nobody else.
 */
export const countFailures = statement({
  name: 'attempts.failures',
  parameters: { subject: text, site: int.nullable(), address: text, device: bytes.nullable(), now: instant },
  row: { here: int, address: int, everywhere: int },
  sql: `select
     (select count(*) from sign_in_failure where subject = :subject and at > :now::timestamptz - ${lately}
        and case when :device::bytea is null then address = :address and device is null else device = :device end)::int as here,
     (select count(*) from sign_in_failure where address = :address and site_id is not distinct from :site and device is null
        and at > :now::timestamptz - ${lately})::int as address,
     (select count(*) from sign_in_failure where subject = :subject and device is null
        and at > :now::timestamptz - ${inADay})::int as everywhere`,
})

export const addFailure = statement({
  name: 'attempts.add',
  parameters: { subject: text, site: int.nullable(), address: text, device: bytes.nullable(), now: instant },
  row: { id: int },
  sql: `insert into sign_in_failure (subject, site_id, address, device, at) values (:subject, :site, :address, :device, :now) returning id::int`,
})

/** Takes back what a right attempt was counted as, and the wrong ones before it from the same address or device. */
export const deleteFailures = statement({
  name: 'attempts.forget',
  parameters: { subject: text, address: text, device: bytes.nullable(), id: int },
  sql: `delete from sign_in_failure where id = :id or (subject = :subject
     and case when :device::bytea is null then address = :address and device is null else device = :device end)`,
})

/** Takes back every failure of a subject: its owner has shown who it is in another way. */
export const deleteFailuresOf = statement({
  name: 'attempts.forgetAll',
  parameters: { subject: text },
  sql: `delete from sign_in_failure where subject = :subject`,
})

export const deleteOldFailures = statement({
  name: 'attempts.sweep',
  parameters: { now: instant },
  sql: `delete from sign_in_failure where at < :now::timestamptz - ${inADay}`,
})
