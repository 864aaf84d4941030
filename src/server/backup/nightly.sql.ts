/** The statements of backups that the portal takes by itself. Their table belongs to no site. */
import { z } from 'zod'
import { statement } from '../db/statement.ts'
import { date, instant, int, moment, text } from '../db/types.ts'

/** After so many minutes a backup that failed is tried again, and one whose node has not reported for as long. */
const again = 30

/** Takes the backup of a night, which no other node does then. No row: it is done, or under way, or failed a moment ago. */
export const takeNight = statement({
  name: 'backup.take',
  parameters: { night: date, now: instant },
  row: { night: date },
  sql: `insert into backup_run as run (night, began_at) values (:night, :now)
   on conflict (night) do update set began_at = :now, alive_at = null, ended_at = null, problem = ''
   where (run.problem <> '' or run.ended_at is null)
     and greatest(run.began_at, run.alive_at) < :now::timestamptz - make_interval(mins => ${again})
   returning night`,
})

/** Says that the backup of a night is still under way. */
export const noteAlive = statement({
  name: 'backup.alive',
  parameters: { night: date, now: instant },
  sql: 'update backup_run set alive_at = :now where night = :night and ended_at is null',
})

/** Notes what came of the backup of a night. */
export const endNight = statement({
  name: 'backup.end',
  parameters: { night: date, now: instant, file: text, rows: int.nullable(), bytes: int.nullable(), problem: text },
  sql: `update backup_run set ended_at = :now, file = :file, rows = :rows, bytes = :bytes, problem = :problem where night = :night`,
})

/** The latest good backup, and why the one after it failed. */
export const latestBackup = statement({
  name: 'backup.latest',
  row: { at: moment.nullable(), bytes: int.nullable(), problem: text },
  sql: `select good.began_at as at, good.bytes::int8 as bytes, coalesce((
       select problem from backup_run where good.night is null or night > good.night order by night desc limit 1), '') as problem
   from (select) one left join lateral (
     select night, began_at, bytes from backup_run where ended_at is not null and problem = '' order by night desc limit 1) good on true`,
})

/** Notes that people are told of a late backup, once a night. No row is touched when they were. */
export const noteAlarm = statement({
  name: 'backup.alarm',
  parameters: { night: date, now: instant },
  sql: 'update backup_run set alarmed_at = :now where night = :night and alarmed_at is null',
})

/** Writes a message about the late backup for every superuser who has an address. */
export const mailLate = statement({
  name: 'backup.mail',
  parameters: { facts: z.string(), now: instant },
  sql: `insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
   select null, null, id, 'backupLate', :facts::jsonb, :now, :now from account
   where type = 'superuser' and email <> '' and disabled_at is null`,
})
