/** The statements of documents that belong to a vehicle. */
import { z } from 'zod'
import { documentTypes } from '#domain/site.ts'
import { statement } from '../../db/statement.ts'
import { answer, bytes, date, decimal, int, json, text } from '../../db/types.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'
import { documentColumns } from '../invoicing/documentColumns.sql.ts'
import { addressee, handedWheels, languageOfCustomer } from '../papers/papers.sql.ts'

const documentType = z.enum(documentTypes)

/** The documents of a vehicle, newest first. `customer` is the only customer whose it may be, null for any. No row: there is no such vehicle. */
export const documentsOfVehicle = statement({
  name: 'fleet.history',
  parameters: { site: int, vehicle: int, customer: int.nullable() },
  row: answer,
  sql: `select (select coalesce(json_agg(d), '[]') from (
     select ${documentColumns('document')}
     from document where site_id = v.site_id and vehicle_id = v.id order by document_date desc, id desc limit 1000) d)::text as json
   from vehicle v where v.site_id = :site and v.id = :vehicle and (:customer::int is null or v.customer_id = :customer)`,
})

/** How many tyres a printed row names at most: a row is never higher than a page. */
const tyresOfRow = 12

/**
 * The tyres that document `d` is about: those of its operation that were there, or those whose stored days it charged, also where it
 * was withdrawn.
 * Tyres of a vehicle with the same description stand together. A tyre has the number that is on its label
 * (docs/decisions/0029). Sets are left out: they can be renamed, and what a document says does not change.
 */
const tyresOfDocument = `
  select plate, description, string_agg(position, ', ' order by nth) as positions, string_agg(number::text, ', ' order by nth) as ids
  from (
    select v.id as vehicle, v.license_plate as plate, t.description, t.position, coalesce(t.copy_of, t.id) as number,
      row_number() over (partition by v.id, t.description order by ${tyreOrder('t')}) - 1 as nth
    from (
      select held.tyre_id from operation_tyre held where held.site_id = d.site_id and held.operation_id = d.operation_id and held.missing_at is null
      union
      select charged.tyre_id from storage_ledger charged where charged.site_id = d.site_id and charged.document_id = d.id) about
    join tyre t on t.site_id = d.site_id and t.id = about.tyre_id
    join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id) numbered
  group by plate, vehicle, description, nth / ${tyresOfRow}`

/**
 * The further content of delivery note `n`: its transport, its wheels as they passed the gate, and those missing from the recall.
 * Depth is included where the site `s` shows it.
 */
const delivery = `
  select json_build_object('transport', n.transport, 'day', n.day, 'returned', n.returned_tyres,
    'signed', case when n.signed_at is not null then json_build_object('name', n.signed_name, 'time', to_char(n.signed_at at time zone s.time_zone, 'DD/MM/YYYY HH24:MI')) end,
    'wheels', (select coalesce(json_agg(wire order by length(wire.position), wire.position, wire.id), '[]') from (
      select coalesce(t.copy_of, passed.tyre_id) as id, passed.position, passed.description, passed.tyre_set as set, case when s.allow_profile_depth then passed.depth end as depth,
        passed.rims, passed.bolts, passed.hubcaps, passed.damages, false as missing
      from loading_tyre passed join tyre t on t.site_id = passed.site_id and t.id = passed.tyre_id
      where passed.site_id = n.site_id and passed.loading_id = n.loading_id and passed.operation_id = n.operation_id
        and not exists (select from operation_tyre gone where gone.site_id = n.site_id and gone.operation_id = n.operation_id
          and gone.tyre_id = passed.tyre_id and gone.missing_at is not null)
      union all
      select coalesce(t.copy_of, t.id), t.position, t.description, t.tyre_set, null, null, false, false, '{}', true
      from operation_tyre held join tyre t on t.site_id = held.site_id and t.id = held.tyre_id
      where held.site_id = n.site_id and held.operation_id = n.operation_id and held.missing_at is not null) wire))::text`

/** The columns that a document prints. */
const printed = {
  type: documentType,
  year: int,
  number: int,
  date,
  amount: decimal,
  site: text,
  email: text,
  customer: json,
  plate: text.nullable(),
  vehicle: text,
  lines: json,
  wheels: json,
  tyres: json,
  withdrawn: date.nullable(),
  withdrawnReason: text.nullable(),
  delivery: json.nullable(),
  signature: bytes.nullable(),
  /** How it is paid; null where it is not, or not by itself. */
  payment: json.nullable(),
  operation: int.nullable(),
  /** In which language a delivery note is printed for the customer. */
  language: text,
}
const selectPrinted = `select d.type, d.year, d.number, d.document_date as date, d.amount_excl as amount, s.name as site, s.admin_email as email,
     ${addressee} as customer,
     v.license_plate as plate, concat_ws(' ', v.brand, v.description) as vehicle,
     (select coalesce(json_agg(json_build_object('article', l.article_number, 'description', l.description, 'quantity', l.quantity,
        'price', l.price_excl) order by l.line), '[]')
      from document_line l where l.site_id = d.site_id and l.document_id = d.id)::text as lines,
     coalesce((${handedWheels('d.site_id', 'd.operation_id')}), '[]')::text as wheels,
     (select coalesce(json_agg(g order by g.plate, g.positions, g.description), '[]') from (${tyresOfDocument}) g)::text as tyres,
     (d.withdrawn_at at time zone s.time_zone)::date as withdrawn, d.withdrawn_reason as "withdrawnReason",
     case when n.document_id is not null then (${delivery}) end as delivery, n.signature,
     case when d.withdrawn_at is null and not exists (select from invoice_document o where o.site_id = d.site_id and o.document_id = d.id
       and not o.credited) then d.payment end::text as payment,
     d.operation_id as operation,
     ${languageOfCustomer('d.site_id', 'd.customer_id')} as language
   from document d
   join site s on s.id = d.site_id
   join customer c on c.site_id = d.site_id and c.id = d.customer_id
   left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
   left join delivery_note n on n.site_id = d.site_id and n.document_id = d.id`

/** A document as it is printed. Null for `type` is any type, null for `customer` any customer. */
export const documentById = statement({
  name: 'fleet.historydocument',
  parameters: { site: int, document: int, type: documentType.nullable(), customer: int.nullable() },
  row: printed,
  sql: `${selectPrinted}
   where d.site_id = :site and d.id = :document and (:type::text is null or d.type = :type) and (:customer::int is null or d.customer_id = :customer)`,
})

/** Documents as they are printed, in the order in which they are asked for. */
export const documentsById = statement({
  name: 'fleet.documents',
  parameters: { site: int, documents: z.array(int) },
  row: printed,
  sql: `${selectPrinted}
   where d.site_id = :site and d.id = any (:documents::int[]) order by array_position(:documents::int[], d.id)`,
})
