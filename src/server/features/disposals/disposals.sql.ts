/** The statements of scrapped tyres and of the pick-ups that took them. */
import { z } from 'zod'
import { maxPickupTyres } from '#domain/warehouse/disposal.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, decimal, instant, int, json, text } from '../../db/types.ts'
import { addressee, languageOfCustomer } from '../papers/papers.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

const nameOf = (customer: string): string => `coalesce(nullif(${customer}.company, ''), ${customer}.name)`

/** Scrapped tyres that no pick-up took, also of vehicles that were removed meanwhile. */
export const waitingTyres = statement({
  name: 'disposals.waiting',
  parameters: { site: int },
  row: {
    id: int,
    customer: int,
    company: text,
    plate: text,
    position: text,
    set: text,
    description: text,
    rimmed: bool,
    scrapped: date,
  },
  sql: `select t.id, t.customer_id as customer, ${nameOf('c')} as company, v.license_plate as plate, t.position,
     coalesce(t.tyre_set, '') as set, t.description, t.rims is not null as rimmed, t.status_date as scrapped
   from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
     join customer c on c.site_id = t.site_id and c.id = t.customer_id
   where t.site_id = :site and t.status = 'waste' and not exists (
     select from scrap_pickup_tyre taken where taken.site_id = t.site_id and taken.tyre_id = t.id and taken.stands)
   order by t.status_date, t.id limit ${maxPickupTyres}`,
})

/** Locks tyres that a pick-up is to take. */
export const lockTyresForPickup = statement({
  name: 'disposals.lock',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int, customer: int, description: text, rimmed: bool, scrapped: bool },
  sql: `select t.id, t.customer_id as customer, t.description, t.rims is not null as rimmed, t.status = 'waste' as scrapped from tyre t
   where t.site_id = :site and t.id = any (:tyres::int[]) order by t.id for no key update`,
})

/** How many of these tyres a pick-up took. Asked once they are locked, so that it sees what another one did meanwhile. */
export const takenAmong = statement({
  name: 'disposals.taken',
  parameters: { site: int, tyres: z.array(int) },
  row: { taken: int },
  sql: `select count(*)::int as taken from scrap_pickup_tyre where site_id = :site and tyre_id = any (:tyres::int[]) and stands`,
})

const form = {
  day: date,
  formNumber: text,
  collector: text,
  collectorNumber: text,
  processor: text,
  processorNumber: text,
  treatment: text.nullable(),
  weight: decimal.nullable(),
}

/** Records a pick-up with its tyres, and audits it for the site and for each customer. */
export const addPickup = statement({
  name: 'disposals.record',
  parameters: {
    site: int,
    ...form,
    tyres: z.array(int),
    customers: z.array(int),
    estimates: z.array(int),
    actor: int,
    now: instant,
  },
  row: { id: int },
  sql: `with given as materialized (
     select tyre, customer, estimate from unnest(:tyres::int[], :customers::int[], :estimates::int[]) given (tyre, customer, estimate)
   ), made as (
     insert into scrap_pickup (site_id, day, form_number, collector, collector_number, processor, processor_number, treatment, weight_kg,
       tyres, estimate_kg, at, account_id)
     select :site, :day, :formNumber, :collector, :collectorNumber, :processor, :processorNumber, :treatment, :weight,
       count(*), sum(estimate), :now, :actor from given
     returning id
   ), taken as (
     insert into scrap_pickup_tyre (site_id, pickup_id, tyre_id, customer_id, estimate_kg)
     select :site, made.id, tyre, customer, estimate from made, given
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer, :actor, :now, 'pickup.record', 'pickup ' || made.id,
       jsonb_build_object('date', :day::date, 'name', :collector::text, 'number', :formNumber::text, 'tyres', count(*))
     from made, given group by made.id, customer)
   select id from made`,
})

/** Changes what a pick-up says besides its tyres, and audits it. No row: there is none that stands. */
export const editPickup = statement({
  name: 'disposals.edit',
  parameters: { site: int, pickup: int, ...form, actor: int, now: instant },
  row: { id: int },
  sql: `with edited as (
     update scrap_pickup set day = :day, form_number = :formNumber, collector = :collector, collector_number = :collectorNumber,
       processor = :processor, processor_number = :processorNumber, treatment = :treatment, weight_kg = :weight
     where site_id = :site and id = :pickup and withdrawn_at is null returning id
   ), audited as (
     insert into audit (site_id, account_id, at, action, subject, facts)
     select :site, :actor, :now, 'pickup.edit', 'pickup ' || id,
       jsonb_build_object('date', :day::date, 'name', :collector::text, 'number', :formNumber::text) from edited)
   select id from edited`,
})

/** Withdraws a pick-up, so that its tyres wait again, and audits it. No row: there is none that stands. */
export const withdrawPickup = statement({
  name: 'disposals.withdraw',
  parameters: { site: int, pickup: int, reason: text, actor: int, now: instant },
  row: { id: int },
  sql: `with withdrawn as (
     update scrap_pickup set withdrawn_at = :now, withdrawn_by = :actor, withdrawn_reason = :reason
     where site_id = :site and id = :pickup and withdrawn_at is null returning id
   ), freed as (
     update scrap_pickup_tyre taken set stands = false from withdrawn where taken.site_id = :site and taken.pickup_id = withdrawn.id
   ), audited as (
     insert into audit (site_id, account_id, at, action, subject, facts)
     select :site, :actor, :now, 'pickup.withdraw', 'pickup ' || id, jsonb_build_object('reason', :reason::text) from withdrawn)
   select id from withdrawn`,
})

/** The share of a customer's tyres in the weight of a pick-up `p`, in kg; they are estimated to weigh `estimate`. */
const shareOf = (estimate: string): string => `round(p.weight_kg * ${estimate} / p.estimate_kg, 1)`
const fields = `p.day, p.form_number, p.collector, p.collector_number, p.processor, p.processor_number, p.treatment`

/** The pick-ups of a period. */
export const pickupsOfSite = statement({
  name: 'disposals.list',
  parameters: { site: int, from: date, until: date },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select p.id as _id, ${fields}, p.tyres as tyre_count, p.weight_kg, p.estimate_kg
     from scrap_pickup p where p.site_id = :site and p.withdrawn_at is null and p.day between :from and :until
     order by p.day desc, p.id desc) wire`,
})

/** The tyres of a customer in the pick-ups of a period. No row: there is no such customer. */
export const pickupsOfCustomer = statement({
  name: 'disposals.listOfCustomer',
  parameters: { site: int, customer: int, from: date, until: date },
  row: answer,
  sql: `select (select coalesce(json_agg(wire), '[]') from (
     select p.id as _id, ${fields}, own.tyre_count, ${shareOf('own.estimate')} as weight_kg, own.estimate as estimate_kg
     from (
       select pickup_id, count(*)::int as tyre_count, sum(estimate_kg)::int as estimate from scrap_pickup_tyre
       where site_id = :site and customer_id = :customer and stands group by pickup_id) own
       join scrap_pickup p on p.site_id = :site and p.id = own.pickup_id and p.day between :from and :until
     order by p.day desc, p.id desc) wire)::text as json
   from customer where site_id = :site and id = :customer`,
})

const wheels = (whose: string): string => `wheel as materialized (
     select ${nameOf('c')} as customer, v.license_plate as plate, t.position, t.description, coalesce(t.copy_of, t.id) as number,
       t.status_date as scrapped, taken.estimate_kg as estimate
     from scrap_pickup_tyre taken join tyre t on t.site_id = taken.site_id and t.id = taken.tyre_id
       join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
       join customer c on c.site_id = t.site_id and c.id = t.customer_id
     where taken.site_id = :site and taken.pickup_id = :pickup ${whose}
     order by 1, v.license_plate, ${tyreOrder('t')})`
const proofRow = {
  site: text,
  email: text,
  language: text,
  pickup: json,
  wheels: json,
}
const proofColumns = (weight: string): string => `
     json_build_object('day', p.day, 'form', p.form_number, 'collector', p.collector, 'collectorNumber', p.collector_number,
       'processor', p.processor, 'processorNumber', p.processor_number, 'treatment', p.treatment,
       'weight', ${weight}, 'estimate', (select sum(estimate) from wheel))::text as pickup,
     (select json_agg(wheel) from wheel)::text as wheels`

/** The proof of a pick-up, of all its tyres. */
export const proofOfSite = statement({
  name: 'disposals.proof',
  parameters: { site: int, pickup: int },
  row: proofRow,
  sql: `with ${wheels('')}
   select s.name as site, s.admin_email as email, s.language, ${proofColumns('p.weight_kg')}
   from scrap_pickup p join site s on s.id = p.site_id where p.site_id = :site and p.id = :pickup and p.withdrawn_at is null`,
})

/** The proof of a pick-up, of the tyres of one customer. No row: it took none of theirs. */
export const proofOfCustomer = statement({
  name: 'disposals.proofOfCustomer',
  parameters: { site: int, pickup: int, customer: int },
  row: { ...proofRow, customer: json },
  sql: `with ${wheels('and taken.customer_id = :customer')}
   select s.name as site, s.admin_email as email, ${languageOfCustomer('c.site_id', 'c.id')} as language, ${addressee} as customer,
     ${proofColumns(shareOf('(select sum(estimate) from wheel)'))}
   from scrap_pickup p join site s on s.id = p.site_id join customer c on c.site_id = p.site_id and c.id = :customer
   where p.site_id = :site and p.id = :pickup and p.withdrawn_at is null and exists (select from wheel)`,
})
