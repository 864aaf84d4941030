/** The statements of the doctor. They run in the scope of the system, over all sites. */
import { bool, decimal, int, text } from '../../db/types.ts'
import { statement } from '../../db/statement.ts'

export const siteCodes = statement({
  name: 'doctor.sites',
  row: { code: text },
  sql: 'select code from site where retired_at is null order by code',
})

export const serverVersion = statement({
  name: 'doctor.version',
  row: { name: text, number: int },
  sql: `select current_setting('server_version') as name, current_setting('server_version_num')::int as number`,
})

export const connections = statement({
  name: 'doctor.connections',
  row: { most: int, open: int },
  sql: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
     (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open`,
})

export const databaseSize = statement({
  name: 'doctor.size',
  row: { bytes: decimal },
  sql: 'select pg_database_size(current_database())::float8 as bytes',
})

export const clock = statement({
  name: 'doctor.clock',
  row: { ms: decimal },
  sql: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
})

export const timeZones = statement({
  name: 'doctor.zones',
  row: { code: text, zone: text, inDatabase: bool },
  sql: `select code, time_zone as zone, exists (select from pg_timezone_names z where z.name = time_zone) as "inDatabase"
   from site where retired_at is null order by code`,
})

export const countsStatements = statement({
  name: 'doctor.counted',
  row: { counted: bool },
  sql: `select to_regclass('pg_stat_statements') is not null as counted`,
})

/** Tables of which a fifth or more are dead rows, and so many that it matters. */
export const bloat = statement({
  name: 'doctor.bloat',
  row: { name: text, dead: decimal, rows: decimal },
  sql: `select relname::text as name, n_dead_tup::float8 as dead, n_live_tup::float8 as rows from pg_stat_user_tables
   where n_dead_tup > 10000 and n_dead_tup > n_live_tup * 0.2 order by n_dead_tup desc limit 10`,
})

export const vacuuming = statement({
  name: 'doctor.vacuuming',
  row: { autovacuum: bool, age: int },
  sql: `select current_setting('autovacuum')::bool as autovacuum, age(datfrozenxid) as age from pg_database where datname = current_database()`,
})

/** Work of the portal that failed, or that should have been done an hour ago. */
export const jobs = statement({
  name: 'doctor.jobs',
  row: {
    mail_given_up: int,
    mail_late: int,
    invoices_refused: int,
    invoices_late: int,
    runs_stuck: int,
    webhooks_off: int,
    webhooks_failing: int,
    notices_late: int,
  },
  sql: `
    select
      (select count(*)::int from mail where given_up_at > now() - interval '1 day') as mail_given_up,
      (select count(*)::int from mail where sent_at is null and given_up_at is null and due_at < now() - interval '1 hour') as mail_late,
      (select count(*)::int from invoice_sending where refused_at > now() - interval '1 day') as invoices_refused,
      (select count(*)::int from invoice_sending
       where sent_at is null and refused_at is null and due_at < now() - interval '1 hour') as invoices_late,
      (select count(*)::int from billing_run
       where state in ('counting', 'making', 'undoing') and turn_at < now() - interval '1 hour') as runs_stuck,
      (select count(*)::int from webhook_endpoint where disabled_at is not null and not enabled) as webhooks_off,
      (select count(*)::int from webhook_endpoint where enabled and failing_since < now() - interval '1 hour') as webhooks_failing,
      (select count(*)::int from happening where at < now() - interval '1 hour') as notices_late`,
})
