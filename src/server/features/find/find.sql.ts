/** The search for words in records of every kind, as one statement (docs/product/screens.md "Find"). */
import { z } from 'zod'
import { foundPerKind } from '#contract/find.ts'
import { bySpelling, folded } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, int, nullable, text } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

const ofCustomer = `c.id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname`
/** Customers find only their own records. */
const isTheirs = (row: string): string => `(:customer::int is null or ${row}.customer_id = :customer)`
const customerOf = (row: string): string => `join customer c on c.site_id = :site and c.id = ${row}.customer_id`

/**
 * Reads the index in which vehicles are listed (docs/decisions/0023), not the vehicles: there is no index for parts of words.
 * Every word is in the vehicle, as it is written or, for plates, without dashes. Without words there are no patterns, and the
 * result is the vehicles in `recent`.
 */
export const findAll = statement({
  name: 'find.all',
  parameters: {
    site: int,
    /** Whether customers and places are looked for. */
    everyone: bool,
    places: bool,
    patterns: z.array(text),
    platePatterns: z.array(text),
    plate: text,
    recent: z.array(int),
    ...nullable({ customer: int, tyre: int, documentType: text, documentYear: int, documentNumber: int }),
  },
  row: answer,
  sql: `with candidate as (
     select v.id, v.license_plate from vehicle v
     where :patterns::text[] <> '{}' and v.site_id = :site and v.removed_at is null and ${isTheirs('v')}
       and (v.words like all (:patterns::text[]) or v.words like all (:platePatterns::text[]))
     union all
     select v.id, v.license_plate from vehicle v
     where :patterns::text[] = '{}' and v.site_id = :site and v.id = any (:recent::int[]) and v.removed_at is null and ${isTheirs('v')}
   ), hit as (
     select id, array_position(:recent::int[], id) as opened, license_plate from candidate
     order by :plate <> '' and starts_with(license_plate, :plate) desc, array_position(:recent::int[], id), license_plate, id
     limit ${foundPerKind}
   ), vehicles as (
     select v.id as flt_id, v.license_plate, v.type as vehicle_type, concat_ws(' ', nullif(v.brand, ''), nullif(v.description, '')) as vehicle,
       v.driver_name as driver, ${ofCustomer}
     from hit cross join lateral (select * from vehicle v where v.site_id = :site and v.id = hit.id offset 0) v ${customerOf('v')}
     order by :plate <> '' and starts_with(v.license_plate, :plate) desc, hit.opened, v.license_plate, v.id
   ), tyres as (
     select t.id as db_id, t.vehicle_id as flt_id, v.license_plate, t.position, t.description, ${ofCustomer}
     from tyre t join vehicle v on v.site_id = :site and v.id = t.vehicle_id and v.removed_at is null ${customerOf('t')}
     where t.site_id = :site and t.id = :tyre::int and t.removed_at is null and ${isTheirs('t')}
   ), documents as (
     select d.id as db_id, d.vehicle_id as flt_id, ${documentNumberOf('d')} as document_number_text, d.type as document_type, ${ofCustomer}
     from document d ${customerOf('d')}
     where d.site_id = :site and d.type = :documentType::text and d.year = :documentYear::int and d.number = :documentNumber::int
       and ${isTheirs('d')}
   ), customers as (
     select ${ofCustomer}, c.city from customer c
     where :everyone and :patterns::text[] <> '{}' and c.site_id = :site
       and ${folded("c.name || ' ' || c.company || ' ' || c.code || ' ' || c.city")} like all (:patterns::text[])
     order by ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id limit ${foundPerKind}
   ), places as (
     select l.id as _id, l.site_name as stock_site_name, l.path as stock_rack from location l
     where :places and :patterns::text[] <> '{}' and l.site_id = :site and ${folded('l.path')} like all (:patterns::text[])
     order by length(l.path), ${bySpelling('l.path')}, l.id limit ${foundPerKind}
   )
   select json_build_object(
     'vehicles', (select coalesce(json_agg(vehicles), '[]') from vehicles),
     'tyres', (select coalesce(json_agg(tyres), '[]') from tyres),
     'documents', (select coalesce(json_agg(documents), '[]') from documents),
     'customers', (select coalesce(json_agg(customers), '[]') from customers),
     'locations', (select coalesce(json_agg(places), '[]') from places))::text as json`,
})
