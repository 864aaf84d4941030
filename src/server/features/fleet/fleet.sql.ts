/** The statements of the fleet. Answers are made by PostgreSQL in wire form and passed through (PERFORMANCE). */
import { auditOfVehicle } from '../audit/audit.ts'
import { statement } from '../../db/database.ts'
import { documentColumns } from '../invoicing/documentColumns.sql.ts'
import { folded } from '../../db/search.ts'
import { tyreColumns, tyreJoins, tyreOrder } from '../tyres/tyreColumns.sql.ts'

const vehicleColumns = `
  array[v.id] as flt_id, array[v.customer_id] as seq_id, array[coalesce(nullif(c.company, ''), c.name)] as customer_name,
  array[v.license_plate] as license_plate, array[v.number] as number, array[v.chassis_number] as chassis_number,
  array[v.brand] as brand, array[v.description] as description, array[v.type] as type,
  array[g.description] as configuration, array[v.driver_name] as driver_name,
  array[(select driver from (select array[v.driver_name] as name, array[v.driver_mobile] as mobile_no,
    array[v.driver_telephone] as telephone_no, array[v.driver_email] as email) driver)] as driver,
  array[(select held from (select coalesce(tyres.list, '[]') as tyre) held)] as tyres`

const vehicleJoins = `
  join customer c on c.site_id = v.site_id and c.id = v.customer_id
  left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id`

// $1 site, $2 whether depth is shown, $3 the states of tyres that the site does not show
const tyreList = `json_agg((select wire from (select ${tyreColumns('t', { depth: '$2' })}) wire) order by ${tyreOrder('t')})`
const shownTyres = `t.site_id = $1 and t.removed_at is null and t.status <> all ($3::text[])`

/**
 * The tyres of each vehicle are looked up by its number. Joined as a list grouped by vehicle they are a tenth quicker while
 * PostgreSQL plans well; but behind row-level security it expects one row where there are thousands, and then compares every
 * vehicle with every list: minutes for a fleet of 2,000.
 */
const tyresOfVehicle = `
  left join lateral (
    select ${tyreList} as list from tyre t ${tyreJoins('t')}
    where ${shownTyres} and t.vehicle_id = v.id) tyres on true`

/** $4: the customer. No row is a customer that does not exist. */
export const fleetOfCustomer = statement(
  'fleet.customer',
  `select (select coalesce(json_agg(fleet), '[]') from (
     select ${vehicleColumns} from vehicle v ${vehicleJoins} ${tyresOfVehicle}
     where v.site_id = $1 and v.customer_id = $4 and v.removed_at is null
     order by v.license_plate, v.id) fleet)::text as json
   from customer where site_id = $1 and id = $4`,
)

/** The plate of vehicle $2, by which pages are ordered. */
export const plateOf = statement(
  'fleet.plateOf',
  'select license_plate as plate from vehicle where site_id = $1 and id = $2',
)

/** How many vehicles of the site an administrator gets at once. */
export const vehiclesPerPage = 100

/** $5: statuses of which the vehicle has to have a tyre that is shown, null for any vehicle. */
const askedStatus = `${shownTyres} and ($5::text[] is null or t.status = any ($5))`
// `offset 0`: it is asked vehicle by vehicle, else PostgreSQL may read all tyres of the site for one page
const hasAskedStatus = `($5::text[] is null or exists (select from tyre t where t.vehicle_id = v.id and ${askedStatus} offset 0))`

const vehiclesOfPage = `
  select coalesce(json_agg(fleet), '[]')::text as json from (
    select ${vehicleColumns} from page v ${vehicleJoins} ${tyresOfVehicle}
    order by v.license_plate, v.id) fleet`

// Three statements, not one with conditions that may be null: each then reads the index that its condition asks for.
const pageOfSite = (name: string, condition: string) =>
  statement(
    name,
    `with page as (
       select v.* from vehicle v
       where v.site_id = $1 and v.removed_at is null and ${condition}
         and (v.license_plate, v.id) > ($6, $4)
       order by v.license_plate, v.id limit ${vehiclesPerPage})
     ${vehiclesOfPage}`,
  )

/**
 * The vehicles of the site, a page in the order of their plates, after vehicle $4 with the plate $6; 0 and '' for the first page.
 * The plate is asked before (`plateOf`): a condition with a question in it is no condition for an index behind row-level security.
 */
export const fleetOfSite = pageOfSite('fleet.site', hasAskedStatus)

/** Of those, the vehicles with the plate $7. */
export const fleetByPlate = pageOfSite('fleet.plate', `v.license_plate = $7 and ${hasAskedStatus}`)

const tyreText = folded(`t.description || ' ' || coalesce(t.tyre_set, '') || ' ' || coalesce(l.path, '')`)

/**
 * The vehicles of tyres in whose words all of the patterns `s.patterns` are found, or one of them in the path of their rack; or
 * whose number is one of $10. A few too many, for each is looked at again.
 */
const vehiclesOfTyres = `
  select t.vehicle_id from texts cross join lateral (
    select t.vehicle_id from tyre t
    where t.site_id = $1 and t.description = texts.description and coalesce(t.tyre_set, '') = texts.tyre_set and t.removed_at is null
    offset 0) t
  where texts.words like all (s.patterns)
  union all
  select t.vehicle_id from places cross join lateral (
    select t.vehicle_id from tyre t where t.site_id = $1 and t.location_id = places.id offset 0) t
  where places.words like any (s.patterns)
  union all
  select t.vehicle_id from tyre t where t.site_id = $1 and t.id = any ($10::int[])`

/**
 * Of those, the vehicles in which each of the words $7 is found, or the same word as part of a plate, $8; or that have a
 * tyre with which together they hold them all: in its description, set or rack (like patterns, $9), or as its number, which
 * $10 are those words that may be one. With statuses it is a tyre of those.
 *
 * Most vehicles are passed over before their tyres are looked at (docs/decisions/0023). What is found has each of the words in the
 * vehicle or in a tyre; and when none is in the vehicle, then all are in one tyre. So it is asked first, of some words one by one and
 * of all together (`sought`), who has such a tyre; but not of those that more than `few` tyres have. The tyres of what is left are
 * looked up vehicle by vehicle: joined as a whole they are quicker while PostgreSQL plans well, and take minutes when it expects one
 * row instead of 250,000.
 */
export const searchOfSite = (name: string, { few }: { few: number }) =>
  statement(
    name,
    `with asked as materialized (
       select word, plate, pattern, case plate when '' then pattern else '%' || lower(plate) || '%' end as plate_pattern
       from unnest($7::text[], $8::text[], $9::text[]) asked(word, plate, pattern)),
     texts as materialized (
       select description, tyre_set, words from tyre_words where site_id = $1 and words like any ($9::text[])),
     places as materialized (
       select id, words from (select id, ${folded('path')} as words from location where site_id = $1 offset 0) place
       where words like any ($9::text[])),
     customers as materialized (
       select id, words from (
         select id, ${folded('text')} as words from (
           select id, name || ' ' || company as text from customer where site_id = $1 offset 0) said
         offset 0) customer
       where words like any ($9::text[])),
     sought as materialized (
       select row_number() over () as nth, s.patterns, s.in_vehicle, array(
         select vehicle_id from (${vehiclesOfTyres}) t limit ${few + 1}) as vehicles
       from (
         (select array[pattern] as patterns, array[pattern, plate_pattern] as in_vehicle from asked order by length(word) desc limit 4)
         union all
         select array_agg(pattern), array_agg(pattern) || array_agg(plate_pattern) from asked having count(*) > 1) s),
     rare as materialized (select * from sought where cardinality(vehicles) <= ${few} order by cardinality(vehicles)),
     by_tyre as materialized (select nth, unnest(vehicles) as vehicle_id from rare),
     by_customer as materialized (
       select rare.nth, customers.id as customer_id from rare join customers on customers.words like any (rare.patterns)),
     page as (
       select v.* from (
         select id, customer_id, license_plate, words from vehicle v
         where v.site_id = $1 and v.removed_at is null and (v.license_plate, v.id) > ($6, $4)
           and not exists (
             select from rare where not (
               v.words like any (rare.in_vehicle)
               or (rare.nth, v.customer_id) in (select nth, customer_id from by_customer)
               or (rare.nth, v.id) in (select nth, vehicle_id from by_tyre))
             offset 0)
         order by v.license_plate, v.id offset 0) found
       cross join lateral (
         select array(
           select pattern from asked
           where strpos(said.text, word) = 0 and (plate = '' or strpos(found.license_plate, plate) = 0)) as by_vehicle
         from (
           select found.words || ' ' || ${folded("c.name || ' ' || c.company")} as text from customer c
           where c.site_id = $1 and c.id = found.customer_id
           offset 0) said -- joined once, not once for each time it is looked at
         offset 0) missing
       cross join lateral (select * from vehicle v where v.site_id = $1 and v.id = found.id offset 0) v
       where $5::text[] is null and missing.by_vehicle = '{}' or exists (
         select from tyre t left join location l on l.site_id = t.site_id and l.id = t.location_id
         where t.vehicle_id = found.id and ${askedStatus}
           and ${tyreText} like all (array_remove(missing.by_vehicle, '%' || t.id || '%')))
       order by found.license_plate, found.id limit ${vehiclesPerPage})
     ${vehiclesOfPage}`,
  )

/** With more tyres than these, words are common: a page is soon full of them. */
export const fleetByWords = searchOfSite('fleet.words', { few: 5000 })

/** $4: the vehicle, $5: the only customer whose it may be, null for any. */
export const vehicleById = statement(
  'fleet.vehicle',
  `select row_to_json(fleet)::text as json from (
     select ${vehicleColumns} from vehicle v ${vehicleJoins} ${tyresOfVehicle}
     where v.site_id = $1 and v.id = $4 and v.removed_at is null and ($5::int is null or v.customer_id = $5)) fleet`,
)

/** No row: the customer or the configuration does not exist at the site. $15: the administrator's account for the audit. */
export const addVehicle = statement(
  'fleet.new',
  `with made as (
   insert into vehicle (site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
     driver_name, driver_mobile, driver_telephone, driver_email, created_at)
   select $1, c.id, $4, $5, $6, $7, $8, $9, g.id, $10, $11, $12, $13, $14
   from customer c join vehicle_config g on g.site_id = c.site_id
   where c.site_id = $1 and c.id = $2 and g.description = $3
   returning id, site_id, customer_id, license_plate),
   ${auditOfVehicle('vehicle.new', { from: 'made', actor: '$15', at: '$14' })}
   select id from made`,
)

/** Locks a vehicle. $3: the caller's customer. */
export const lockVehicle = statement(
  'fleet.lock',
  `select config_id as config, customer_id as customer from vehicle
   where site_id = $1 and id = $2 and removed_at is null and ($3::int is null or customer_id = $3) for update`,
)

/** What keeps a vehicle in the fleet. Asked once it is locked: a statement that waits for a lock sees what was before it. */
export const heldByVehicle = statement(
  'fleet.held',
  `select
     (select count(*) from tyre where site_id = $1 and vehicle_id = $2 and status = 'in_stock' and removed_at is null) as stock,
     (select count(*) from operation where site_id = $1 and vehicle_id = $2 and status in ('pending', 'submitted')) as operations`,
)

/** $2: the description. */
export const configByName = statement(
  'fleet.config',
  `select id from vehicle_config where site_id = $1 and description = $2`,
)

/**
 * Every parameter from $3 to $13 is null where the field stays as it is. At $14, by the administrator $15 (audit): which fields
 * are others now is kept, not what stands in them, for some of it is a person's. The words of a search follow from the others.
 */
export const updateVehicle = statement(
  'fleet.update',
  `with before as (select to_jsonb(v) - 'words' as fields from vehicle v where site_id = $1 and id = $2),
   after as (
   update vehicle set license_plate = coalesce($3, license_plate), number = coalesce($4, number),
     chassis_number = coalesce($5, chassis_number), brand = coalesce($6, brand), description = coalesce($7, description),
     type = coalesce($8, type), config_id = coalesce($9, config_id), driver_name = coalesce($10, driver_name),
     driver_mobile = coalesce($11, driver_mobile), driver_telephone = coalesce($12, driver_telephone),
     driver_email = coalesce($13, driver_email)
   where site_id = $1 and id = $2
   returning *),
   changed as (
     select after.*, array(
       select now.key from jsonb_each(to_jsonb(after)) now join jsonb_each(before.fields) was on was.key = now.key
       where now.value <> was.value order by now.key) as fields
     from after, before),
   ${auditOfVehicle('vehicle.update', { from: "changed where fields <> '{}'", actor: '$15', at: '$14', facts: "'fields', fields" })}
   select from after`,
)

/** At $3; $4: the administrator's account for the audit. */
export const removeVehicle = statement(
  'fleet.inactivate',
  `with gone as (update vehicle set removed_at = $3 where site_id = $1 and id = $2 returning *),
   ${auditOfVehicle('vehicle.inactivate', { from: 'gone', actor: '$4', at: '$3' })}
   select from gone`,
)

/** $2: the vehicle, $3: the caller's customer. No row: the vehicle is not there. */
export const documentsOfVehicle = statement(
  'fleet.history',
  `select (select coalesce(json_agg(d), '[]') from (
     select ${documentColumns('document')}
     from document where site_id = v.site_id and vehicle_id = v.id order by document_date desc, id desc limit 1000) d)::text as json
   from vehicle v where v.site_id = $1 and v.id = $2 and ($3::int is null or v.customer_id = $3)`,
)

/** $2: the document, $3: its type or null, $4: the caller's customer. */
export const documentById = statement(
  'fleet.historydocument',
  `select d.type, d.year, d.number, d.document_date as date, d.amount_excl as amount, s.name as site, s.admin_email as email,
     json_build_object('name', c.name, 'company', c.company, 'street', c.street, 'zipcode', c.zipcode, 'city', c.city)::text as customer,
     v.license_plate as plate, concat_ws(' ', v.brand, v.description) as vehicle,
     (select coalesce(json_agg(json_build_object('article', l.article_number, 'description', l.description, 'quantity', l.quantity,
        'price', l.price_excl) order by l.line), '[]')
      from document_line l where l.site_id = d.site_id and l.document_id = d.id)::text as lines
   from document d
   join site s on s.id = d.site_id
   join customer c on c.site_id = d.site_id and c.id = d.customer_id
   left join vehicle v on v.site_id = d.site_id and v.id = d.vehicle_id
   where d.site_id = $1 and d.id = $2 and ($3::text is null or d.type = $3) and ($4::int is null or d.customer_id = $4)`,
)

/** $2: words that each must be found, lower case. */
export const customersByName = statement(
  'fleet.findcustomerbyname',
  `select coalesce(json_agg(found), '[]')::text as json from (
     select array[c.id] as seq_id, array[c.name] as name, array[c.company] as companyname, array[c.street] as street,
       array[c.zipcode] as zipcode, array[c.city] as city, array[count(v.id)::int] as vehicles
     from (
       select * from customer
       where site_id = $1 and not exists (
         select from unnest($2::text[]) word
         where strpos(${folded("concat_ws(' ', name, company, code, city)")}, word) = 0)
       order by lower(name), id limit 50) c
     left join vehicle v on v.site_id = c.site_id and v.customer_id = c.id and v.removed_at is null
     group by c.id, c.name, c.company, c.street, c.zipcode, c.city
     order by lower(c.name), c.id) found`,
)

/** How many articles a page of a search holds. */
export const articlesPerPage = 25

// One more than a page tells whether there is a next one.
const articlePage = (found: string, order: string): string => `
  ${found}
  select json_build_object('articles', coalesce(json_agg(article), '[]'),
    'more_available', (select count(*) > ${articlesPerPage} from found))::text as json
  from (
    select array[id] as art_id, array[description] as description, array[brand] as brand, array[season] as season
    from found order by ${order} limit ${articlesPerPage}) article`

/** What pages of articles are ordered by. */
export const articleOrder = statement(
  'fleet.articleOrder',
  `select id, speed_key, load_key, brand_key from article where site_id = $1 and id = $2`,
)

/**
 * Articles by size: those whose key begins with $2 (up to $3) and whose brand begins with $4, after the article of the keys
 * $5 (speed), $6 (load), $7 (brand) and the number $8. The two keys of an article differ only behind the size, so what was
 * typed is the beginning of keys with the speed symbol, or, when it is of none, of keys with the load index before it.
 *
 * The first page begins at `(prefix, '', 0)`: a second condition `>= prefix` beside it makes PostgreSQL read six times as
 * much (PERFORMANCE). The brand is no range, or PostgreSQL would rather read another index and sort.
 */
export const articlesBySize = statement(
  'fleet.articlesBySize',
  articlePage(
    `with by_speed as (
       select id, description, brand, season, speed_key as key, brand_key from article
       where site_id = $1 and not unknown and speed_key < $3 and (speed_key, brand_key, id) > ($5, $7, $8)
         and left(brand_key, length($4)) = $4
       order by speed_key, brand_key, id limit ${articlesPerPage + 1}),
     by_load as (
       select id, description, brand, season, load_key as key, brand_key from article
       where site_id = $1 and not unknown and load_key < $3 and (load_key, brand_key, id) > ($6, $7, $8)
         and left(brand_key, length($4)) = $4
         and not exists (select from article where site_id = $1 and not unknown and speed_key >= $2 and speed_key < $3)
       order by load_key, brand_key, id limit ${articlesPerPage + 1}),
     found as (select * from by_speed union all select * from by_load)`,
    'key, brand_key, id',
  ),
)

/** Articles in whose words every one of $2 (like patterns) is found, brand and place as above ($3; $4, $5, $6). */
export const articlesByText = statement(
  'fleet.articlesByText',
  articlePage(
    `with found as (
       select id, description, brand, season, brand_key, speed_key from article
       where site_id = $1 and not unknown and words like all ($2::text[]) and left(brand_key, length($3)) = $3
         and (brand_key, speed_key, id) > ($4, $5, $6)
       order by brand_key, speed_key, id limit ${articlesPerPage + 1})`,
    'brand_key, speed_key, id',
  ),
)

/**
 * The tyres of $2 for their labels. $3: whether the site shows depth, $4: the only customer whose they may be, null for any. Those in states that the site does
 * not show are printed too: their labels are on the tyres already.
 */
export const labelledTyres = statement(
  'fleet.labels',
  `select t.id, t.position, t.description, t.tyre_set as "set", v.license_plate as plate, v.type, g.axles,
     c.name as customer, a.dimension, a.load_index, a.load_index_dual, a.speed_symbol,
     case when $3 then t.profile_depth end as depth
   from tyre t
   join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   join customer c on c.site_id = t.site_id and c.id = t.customer_id
   join article a on a.site_id = t.site_id and a.id = t.article_id
   left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where t.site_id = $1 and t.id = any ($2::int[]) and t.removed_at is null and ($4::int is null or t.customer_id = $4)`,
)

export const labelReport = statement(
  'fleet.labelReport',
  `select layout from label_report where site_id = $1 and number = $2`,
)
