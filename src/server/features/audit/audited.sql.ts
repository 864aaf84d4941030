/** Parts of statements that write the audit: an entry is made by the statement that makes the change. */
import { statement } from '../../db/statement.ts'
import { instant, int, json, text } from '../../db/types.ts'
import type { Who } from '../handler.ts'

/**
 * The account under which a change of a customer's rows is audited: that of an administrator, who acts for the customer. `null` for
 * a customer's own changes, which the operation and the events of its tyres record.
 */
export const actorOf = (who: Who): number | null => (who.type === 'admin' ? who.account : null)

/** `from` holds the changed rows; `actor` is the parameter with `actorOf`, `at` the one with the moment. */
type Audit = { from: string; actor: string; at: string }

/**
 * `audited as (…)`, a part of a statement: audits `action` for the vehicles in `from`, with the pairs `facts` of
 * `jsonb_build_object`. Writes nothing where the actor is null.
 */
export const auditOfVehicle = (action: string, { from, actor, at, facts }: Audit & { facts?: string }): string => `
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, ${actor}::int, ${at}::timestamptz, '${action}', 'vehicle ' || id,
       jsonb_build_object(${["'plate', license_plate", ...(facts ? [facts] : [])].join(', ')})
     from (select * from ${from}) changed where ${actor}::int is not null)`

/** The same for tyres (id, customer_id, vehicle_id), a row for each vehicle; `set` is the parameter with their set. */
export const auditOfTyres = (action: string, { from, actor, at, set = 'null' }: Audit & { set?: string }): string => `
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, ${actor}::int, ${at}::timestamptz, '${action}', 'vehicle ' || vehicle_id,
       jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_agg(id order by id), 'set', ${set}::text))
     from ${from} where ${actor}::int is not null group by customer_id, vehicle_id)`

/** An entry of its own (record.ts). */
export const addEntry = statement({
  name: 'audit.addEntry',
  parameters: {
    site: int,
    customer: int.nullable(),
    actor: int.nullable(),
    now: instant,
    action: text,
    subject: text,
    facts: json,
  },
  sql: `insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   values (:site, :customer, :actor, :now, :action, :subject, :facts)`,
})
