/** The statements of charges besides stored days: they list, waive and correct them. */
import { z } from 'zod'
import { maxCharges } from '#contract/charges.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

/** Whether something became of charge `c`. */
const isSettled = (c: string): string =>
  `exists (select from charge_ledger l where l.site_id = ${c}.site_id and l.charge_id = ${c}.id and l.released_at is null)`

/** The charges of a site or of one customer, newest first, those that are owed or all; in wire form. */
export const charges = statement({
  name: 'charges.list',
  parameters: { site: int, customer: int.nullable(), all: bool },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select c.id as _id, c.customer_id as seq_id, coalesce(nullif(who.company, ''), who.name) as companyname, c.kind, s.name as service,
       v.license_plate, t.position, c.happened_on as day, c.quantity, c.price_excl, c.amount_excl, c.vat_rate, coalesce(l.state, 'owed') as state,
       case when d.id is not null then json_build_object('db_id', d.id, 'number', ${documentNumberOf('d')}) end as document,
       coalesce(nullif(l.reason, ''), c.reason) as reason, coalesce(l.at, c.at) as at,
       coalesce(nullif(a.fullname, ''), a.username, '') as by,
       exists (select from charge other where other.site_id = c.site_id and other.cause = 'counter/' || c.id) as countered, c.counters
     from (
       select * from charge c where c.site_id = :site and (:customer::int is null or c.customer_id = :customer) and (:all or not ${isSettled('c')})
       order by c.happened_on desc, c.id desc limit ${maxCharges}) c
     join customer who on who.site_id = c.site_id and who.id = c.customer_id
     join tariff_rule r on r.site_id = c.site_id and r.id = c.rule_id
     left join service s on s.site_id = r.site_id and s.id = r.service_id
     left join vehicle v on v.site_id = c.site_id and v.id = c.vehicle_id
     left join tyre t on t.site_id = c.site_id and t.id = c.tyre_id
     left join charge_ledger l on l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null
     left join document d on d.site_id = l.site_id and d.id = l.document_id
     left join account a on a.id = case when l.id is null then c.account_id else l.account_id end
     order by c.happened_on desc, c.id desc) wire`,
})

/** Of these charges those that exist, and whether each is owed. */
export const statesOf = statement({
  name: 'charges.states',
  parameters: { site: int, charges: z.array(int) },
  row: { id: int, state: z.enum(['owed', 'charged', 'waived']), countered: bool },
  sql: `select c.id, coalesce(l.state, 'owed') as state,
     exists (select from charge other where other.site_id = c.site_id and other.cause = 'counter/' || c.id) as countered
   from charge c left join charge_ledger l on l.site_id = c.site_id and l.charge_id = c.id and l.released_at is null
   where c.site_id = :site and c.id = any (:charges::int[])`,
})

/** Waives charges that are owed; one that somebody else settles at this moment is the failure `charge.settled`. */
export const waive = statement({
  name: 'charges.waive',
  parameters: { site: int, charges: z.array(int), reason: text, actor: int, now: instant },
  sql: `with waived as (
     insert into charge_ledger (site_id, charge_id, customer_id, state, reason, at, account_id)
     select c.site_id, c.id, c.customer_id, 'waived', :reason, :now, :actor from charge c where c.site_id = :site and c.id = any (:charges::int[])
     returning charge_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'charge.waive', 'customer ' || customer_id,
     jsonb_build_object('charges', count(*), 'reason', :reason::text) from waived group by customer_id`,
})

/** Takes the waiver of a charge back. No row: it is not waived. */
export const unwaive = statement({
  name: 'charges.unwaive',
  parameters: { site: int, charge: int, reason: text, actor: int, now: instant },
  row: { id: int },
  sql: `with released as (
     update charge_ledger set released_at = :now, released_by = :actor, released_reason = :reason
     where site_id = :site and charge_id = :charge and state = 'waived' and released_at is null returning charge_id, customer_id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'charge.unwaive', 'customer ' || customer_id, jsonb_build_object('charges', 1, 'reason', :reason::text)
     from released)
   select charge_id as id from released`,
})

/** Owes a charge back, on the day `today`. A second one is the failure `charge.countered`. */
export const counter = statement({
  name: 'charges.counter',
  parameters: { site: int, charge: int, today: date, reason: text, actor: int, now: instant },
  row: { id: int },
  sql: `with countered as (
     insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, account_id, vehicle_id, operation_id, tyre_id, quantity,
       price_excl, vat_rate, counters, reason)
     select site_id, customer_id, kind, 'counter/' || id, rule_id, :today, :now, :actor, vehicle_id, operation_id, tyre_id, -quantity,
       price_excl, vat_rate, id, :reason
     from charge where site_id = :site and id = :charge and counters is null
     returning id, customer_id
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'charge.counter', 'customer ' || customer_id, jsonb_build_object('charges', 1, 'reason', :reason::text)
     from countered)
   select id from countered`,
})
