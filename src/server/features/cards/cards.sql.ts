/** The card of a scan, as one statement. */
import { cardEvents, maxCardWheels } from '#contract/cards.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, int, nullable, text } from '../../db/types.ts'
import { hasPlate } from '../fleet/vehicleColumns.sql.ts'
import { swapOf } from '../operations/operations.sql.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The open operation `o` of a wheel, `held` by it, and how far it is. */
const openOperation = `select o.id as _id, o.type, o.status, held.scanned_at is not null as scanned, o.delivery_date as "deliveryDate",
    array(select s.service_id from operation_service s where s.site_id = :site and s.operation_id = o.id order by s.added, s.service_id) as services,
    o.tyre_count, (select count(*)::int from operation_tyre other
      where other.site_id = :site and other.operation_id = o.id and other.scanned_at is not null) as done,
    array(select other.tyre_id from operation_tyre other join wheel lost on lost.site_id = :site and lost.tyre_id = other.tyre_id
      where other.site_id = :site and other.operation_id = o.id and other.scanned_at is null and lost.state = 'missing' order by 1) as missing,
    (select to_json(half) from (${swapOf('o')}) half) as swap
  where o.id is not null`

/** The last events of tyre `t`. While depth is hidden, so is that it was measured. */
const lastEvents = `select e.kind, e.step, e.wheel as state, e.at, coalesce(nullif(a.fullname, ''), a.username) as by,
    (select path from location where site_id = :site and id = e.location_id) as rack,
    case when :withDepth then e.depth end as depth, e.note
  from tyre_event e left join account a on a.id = e.account_id
  where e.site_id = :site and e.tyre_id = t.id and (:withDepth or e.kind not in ('measured', 'unmeasured')) order by e.at desc, e.id desc limit ${cardEvents}`

/**
 * The tyres that a label, a place or a text means, by whichever parameter is given, and the location, document and article that it
 * names. A wheel is on the location where it physically is; an article finds only wheels in the warehouse, or on their way there.
 */
export const cardOf = statement({
  name: 'cards.read',
  parameters: {
    site: int,
    withDepth: bool,
    ...nullable({
      tyre: int,
      location: int,
      plate: text,
      ean: text,
      documentType: text,
      documentYear: int,
      documentNumber: int,
    }),
  },
  row: answer,
  sql: `with place as materialized (
     select id as _id, kind, site_name as stock_site_name, path as stock_rack, capacity from location where site_id = :site and id = :location::int
   ), paper as materialized (
     select d.id as db_id, ${documentNumberOf('d')} as document_number_text, d.operation_id from document d
     where d.site_id = :site and d.type = :documentType::text and d.year = :documentYear::int and d.number = :documentNumber::int
   ), kind as materialized (
     select id as art_id, description from article where site_id = :site and ean = :ean::text order by id limit 1
   ), meant as materialized (
     select id, min(rank) as rank from (
       select :tyre::int as id, 1 as rank
       union all
       select w.tyre_id, 2 from place p join wheel w on w.site_id = :site and w.location_id = p._id
       union all
       select t.id, 3 from vehicle v join tyre t on t.site_id = :site and t.vehicle_id = v.id and t.removed_at is null
       where v.site_id = :site and v.removed_at is null and ${hasPlate('v', ':plate::text', { inFleet: false })}
       union all
       select line.tyre_id, 4 from paper d join document_line line on line.site_id = :site and line.document_id = d.db_id
       union all
       select held.tyre_id, 4 from paper d join operation_tyre held on held.site_id = :site and held.operation_id = d.operation_id
       union all
       select t.id, 5 from kind a join tyre t on t.site_id = :site and t.article_id = a.art_id and t.status <> 'waste' and t.removed_at is null
         join wheel w on w.site_id = :site and w.tyre_id = t.id and w.state <> 'with_customer'
     ) found where id is not null group by id order by rank, id limit ${maxCardWheels}
   ), wire as (
     select t.id as db_id, t.vehicle_id as flt_id, t.customer_id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname,
       v.license_plate, v.type as vehicle_type, concat_ws(' ', v.brand, v.description) as vehicle, t.position,
       coalesce(t.tyre_set, '') as tyre_set, t.description, coalesce(a.dimension, '') as size,
       case when :withDepth then t.profile_depth end as profile_depth, case when :withDepth then t.profile_day end as profile_date,
       t.dot, t.retreaded, t.status as tyre_status, w.state, coalesce(known.submitted, w.since) as since,
       case when known.submitted is null then known.day end as since_day, w.location_id as location,
       coalesce(here.site_name, kept.site_name, '') as stock_site_name, coalesce(here.path, '') as stock_rack,
       kept.id as kept_location, coalesce(kept.path, '') as kept_rack,
       (select to_json(held_by) from (${openOperation}) held_by) as operation,
       (select coalesce(json_agg(happened), '[]') from (${lastEvents}) happened) as events,
       array(select distinct code from damage_report where site_id = :site and tyre_id = t.id and code is not null and ended is null order by code) as damages,
       (select p.id from damage_report r join photo p on p.site_id = r.site_id and p.report_id = r.id
         where r.site_id = :site and r.tyre_id = t.id order by p.id desc limit 1) as photo
     from meant m join tyre t on t.site_id = :site and t.id = m.id and t.removed_at is null
       join vehicle v on v.site_id = :site and v.id = t.vehicle_id and v.removed_at is null
       join customer c on c.site_id = :site and c.id = t.customer_id
       join wheel w on w.site_id = :site and w.tyre_id = t.id
       left join article a on a.site_id = :site and a.id = t.article_id
       left join operation_tyre held on held.site_id = :site and held.tyre_id = t.id and held.open
       left join operation o on o.site_id = :site and o.id = held.operation_id
       -- a wheel without a step is as its records were loaded: since the midnight of the day of its status
       left join lateral (select to_char(w.since at time zone 'UTC', 'YYYY-MM-DD') as day,
           case w.state when 'expected' then o.submitted_at end as submitted
         where w.step = '' and w.since = date_trunc('day', w.since, 'UTC')) known on true
       -- the limits keep the planner from reading the whole warehouse for a card with many wheels
       left join lateral (select site_name, path from location where site_id = :site and id = w.location_id limit 1) here on true
       left join lateral (select nullif(coalesce(t.location_id, held.planned_location), w.location_id) as id) away on true
       left join lateral (select id, site_name, path from location where site_id = :site and id = away.id limit 1) kept on true
     order by m.rank, v.license_plate, v.id, t.tyre_set nulls last, ${tyreOrder('t')}
   )
   select json_build_object(
     'location', (select to_json(place) from place),
     'document', (select json_build_object('db_id', db_id, 'document_number_text', document_number_text) from paper),
     'article', (select to_json(kind) from kind),
     'wheels', (select coalesce(json_agg(wire), '[]') from wire))::text as json`,
})
