/** The statements of the stock at the end of a day, from the stays of wheels and their events. */
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, int, json, text } from '../../db/types.ts'
import { addressee, languageOfCustomer } from '../papers/papers.sql.ts'
import { tyreOrder } from '../tyres/tyreColumns.sql.ts'

/** The stays of `whose` that had begun by the end of :date and had not ended. A wheel that left on the day was not there any more. */
const stored = (whose: string): string => `stored as materialized (
     select tyre_id, customer_id, vehicle_id, since, until from stay
     where site_id = :site and ${whose} since <= :date and until is null
     union all
     select tyre_id, customer_id, vehicle_id, since, until from stay
     where site_id = :site and ${whose} since <= :date and until > :date)`

/**
 * Where a wheel of a stay `s` was last put until the end of :date. Of one that nobody has put anywhere since, that is where its record has
 * it: it was taken in with its place.
 */
const place = `left join lateral (
       select coalesce(
         (select e.location_id from tyre_event e
          where e.site_id = :site and e.tyre_id = s.tyre_id and e.location_id is not null and e.at >= s.since::timestamp at time zone site.time_zone
            and e.at < (:date::date + 1)::timestamp at time zone site.time_zone
          order by e.at desc, e.id desc limit 1),
         case when s.until is null and not exists (
           select from tyre_event e where e.site_id = :site and e.tyre_id = s.tyre_id and e.location_id is not null
             and e.at >= (:date::date + 1)::timestamp at time zone site.time_zone) then t.location_id end) as id
       where :places) put on true
     left join location l on l.site_id = :site and l.id = put.id`

const wheels = `from stored s
     join tyre t on t.site_id = :site and t.id = s.tyre_id
     join vehicle v on v.site_id = :site and v.id = s.vehicle_id
     join article a on a.site_id = :site and a.id = t.article_id
     join customer c on c.site_id = :site and c.id = s.customer_id
     join site on site.id = :site
     ${place}`

const nameOf = (customer: string): string => `coalesce(nullif(${customer}.company, ''), ${customer}.name)`

const statementOf = (whose: string): string => `with ${stored(whose)}, listed as (
     select coalesce(t.copy_of, t.id) as db_id, s.customer_id as seq_id, ${nameOf('c')} as companyname, v.license_plate, t.position,
       t.tyre_set, t.description, a.brand, a.dimension, s.since, l.site_name as stock_site_name, l.path as stock_rack
     ${wheels}
     where :list
     order by ${bySpelling(nameOf('c'))}, s.customer_id, v.license_plate, t.tyre_set, ${tyreOrder('t')})
   select json_build_object('date', :date::date, 'wheel_count', (select count(*) from stored),
     'customers', (select coalesce(json_agg(counted order by ${bySpelling('counted.companyname')}, counted.seq_id), '[]') from (
       select s.customer_id as seq_id, ${nameOf('c')} as companyname, c.city, count(*)::int as wheel_count
       from stored s join customer c on c.site_id = :site and c.id = s.customer_id group by s.customer_id, c.company, c.name, c.city) counted),
     'rows', (select coalesce(json_agg(listed), '[]') from listed))::text as json`

const parameters = { site: int, date, list: bool, places: bool }

/** The stock of the whole site. */
export const statementOfSite = statement({
  name: 'stock.statement',
  parameters,
  row: answer,
  sql: statementOf(''),
})

/** The same of one customer. No row: there is no such customer. */
export const statementOfCustomer = statement({
  name: 'stock.statementOfCustomer',
  parameters: { ...parameters, customer: int },
  row: answer,
  sql: `${statementOf('customer_id = :customer and')} from customer where site_id = :site and id = :customer`,
})

/** Wheels of one set and description that came on one day and were on one place, together. */
const printed = (whose: string): string => `with ${stored(whose)}, grouped as (
     select ${nameOf('c')} as customer, c.id, v.license_plate as plate, t.tyre_set as set, t.description, s.since, l.path as place,
       array_agg(t.position order by ${tyreOrder('t')}) as positions
     ${wheels}
     group by c.id, c.company, c.name, v.id, v.license_plate, t.tyre_set, t.description, s.since, l.path, l.walk
     order by ${bySpelling(nameOf('c'))}, c.id, v.license_plate, t.tyre_set, s.since, t.description, l.walk)`
const printedColumns = `(select count(*)::int from stored) as wheels, (select coalesce(json_agg(grouped), '[]') from grouped)::text as sets`
const printedRow = { site: text, email: text, wheels: int, sets: json, language: text }
const printing = { site: int, date, places: bool }

/** The stock of the whole site, for printing. */
export const printedOfSite = statement({
  name: 'stock.printed',
  parameters: printing,
  row: printedRow,
  sql: `${printed('')}
   select s.name as site, s.admin_email as email, s.language, ${printedColumns} from site s where s.id = :site`,
})

/** The same of one customer. No row: there is no such customer. */
export const printedOfCustomer = statement({
  name: 'stock.printedOfCustomer',
  parameters: { ...printing, customer: int },
  row: { ...printedRow, customer: json },
  sql: `${printed('customer_id = :customer and')}
   select s.name as site, s.admin_email as email, ${languageOfCustomer('c.site_id', 'c.id')} as language, ${addressee} as customer, ${printedColumns}
   from customer c join site s on s.id = c.site_id where c.site_id = :site and c.id = :customer`,
})
