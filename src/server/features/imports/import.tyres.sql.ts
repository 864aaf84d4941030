/** The statements of an import of tyres. */
import { z } from 'zod'
import type { Axle } from '#domain/vehicles/axle.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { bool, date, instant, int, json, parsedJson, text } from '../../db/types.ts'

/** The vehicles of the fleet that have or had these plates, locked: tyres are added to them. */
export const vehiclesByPlates = statement({
  name: 'import.vehiclesByPlates',
  parameters: { site: int, plates: z.array(text) },
  row: {
    id: int,
    customer: int,
    plate: text,
    former: z.array(text),
    type: text,
    code: text,
    name: text,
    company: text,
    axles: parsedJson<Axle[]>().nullable(),
  },
  sql: `select v.id, v.customer_id as customer, v.license_plate as plate, string_to_array(v.former_plates, ' ') as former, v.type, c.code, c.name, c.company, g.axles
   from vehicle v join customer c on c.site_id = v.site_id and c.id = v.customer_id
     left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
   where v.site_id = :site and v.removed_at is null and v.left_on is null and v.id in (
     select id from vehicle where site_id = :site and license_plate = any (:plates::text[]) and removed_at is null
     union select id from vehicle where site_id = :site and former_plates <> '' and removed_at is null
       and string_to_array(former_plates, ' ') && :plates::text[])
   order by v.id for update of v`,
})

/** The tyres that vehicles have. */
export const tyresOfVehicles = statement({
  name: 'import.tyresOfVehicles',
  parameters: { site: int, vehicles: z.array(int) },
  row: {
    id: int,
    vehicle: int,
    position: text,
    set: text.nullable(),
    description: text,
    status: z.enum(tyreStatuses),
    location: int.nullable(),
    since: date,
    invoiced: date.nullable(),
  },
  sql: `select id, vehicle_id as vehicle, position, tyre_set as set, description, status, location_id as location, status_date as since,
     invoiced_on as invoiced
   from tyre where site_id = :site and vehicle_id = any (:vehicles::int[]) and removed_at is null and status <> 'waste' order by id`,
})

/** Articles of the catalogue that may be those of a file: by EAN, or by size, load and speed. */
export const articlesOf = statement({
  name: 'import.articlesOf',
  parameters: { site: int, eans: z.array(text), keys: z.array(text) },
  row: { id: int, ean: text.nullable(), brand: text, pattern: text, key: text, description: text, retired: bool },
  sql: `select id, ean, brand_key as brand, upper(pattern) as pattern, load_key as key, description, retired_at is not null as retired from article
   where site_id = :site and not unknown and (ean = any (:eans::text[]) or load_key = any (:keys::text[])) order by id`,
})

/** Offers articles again that tyres of a file have. */
export const offerAgain = statement({
  name: 'import.offerAgain',
  parameters: { site: int, articles: z.array(int) },
  sql: `update article set retired_at = null where site_id = :site and id = any (:articles::int[]) and retired_at is not null`,
})

/** The places of a site, each with the room that is left. */
export const placesOf = statement({
  name: 'import.places',
  parameters: { site: int },
  row: { id: int, site_name: text, path: text, room: int },
  sql: `select id, lower(site_name) as site_name, lower(path) as path, capacity - held as room from location
   where site_id = :site and capacity > 0`,
})

/**
 * Adds tyres, given as JSON rows, each with its first event, as those of the import. Paid days are charged in the ledger without a
 * document, as a marked invoice date is.
 */
export const addTyres = statement({
  name: 'import.addTyres',
  parameters: { site: int, import: int, tyres: json, now: instant, account: int.nullable() },
  sql: `with made as (
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, season, tyre_set, status, status_date,
       profile_depth, profile_date, location_id, rims, bolts, hubcaps, dot, retreaded, memo, invoiced_on, unknown_article)
     select :site, w.customer, w.vehicle, w.article, w.position, w.description, w.season, w.set, w.status, w.since,
       w.depth, w.depth_date, w.location, w.rims, coalesce(w.bolts, false), coalesce(w.hubcaps, false), coalesce(w.dot, ''), coalesce(w.retreaded, ''), coalesce(w.memo, ''), w.paid, w.unknown
     from json_to_recordset(:tyres::json) as w (customer int, vehicle int, article int, position text, description text, season text,
       set text, status text, since date, depth numeric, depth_date date, location int, rims text, bolts boolean, hubcaps boolean,
       dot text, retreaded text, memo text, paid date, unknown boolean)
     returning id, customer_id, vehicle_id, status, status_date, location_id, invoiced_on, profile_depth),
   written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, depth)
     select :site, id, customer_id, vehicle_id, 'added', :now, :account, status, location_id, profile_depth from made),
   charged as (
     insert into storage_ledger (site_id, tyre_id, customer_id, since, until, at, account_id)
     select :site, id, customer_id, status_date, invoiced_on, :now, :account from made
     where status = 'in_stock' and invoiced_on > status_date)
   insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'tyre', id from made`,
})

/**
 * Changes what a file says otherwise of tyres: depth, rims, bolts, hubcaps, DOT and memo. Where a tyre lies, since when and up to when it
 * is paid is what has happened since; an import leaves it. Returns the changed ones.
 */
export const changeTyres = statement({
  name: 'import.changeTyres',
  parameters: { site: int, import: int, tyres: json, now: instant, account: int.nullable() },
  row: { id: int },
  sql: `with given as (
     select t.id, to_jsonb(t) as before, case when newer then w.depth else t.profile_depth end as depth,
       case when newer then coalesce(w.depth_date, t.profile_date) else t.profile_date end as depth_date, coalesce(w.rims, t.rims) as rims,
       coalesce(w.bolts, t.bolts) as bolts, coalesce(w.hubcaps, t.hubcaps) as hubcaps, coalesce(w.dot, t.dot) as dot,
       coalesce(w.retreaded, t.retreaded) as retreaded, coalesce(w.memo, t.memo) as memo
     from json_to_recordset(:tyres::json) as w (id int, depth numeric, depth_date date, rims text, bolts boolean, hubcaps boolean, dot text,
       retreaded text, memo text)
       join tyre t on t.site_id = :site and t.id = w.id
       cross join lateral (select w.depth is not null
         and (w.depth_date is null or t.profile_date is null or w.depth_date >= t.profile_date) as newer) reading),
   changed as (
     update tyre t set profile_depth = given.depth, profile_date = given.depth_date, rims = given.rims, bolts = given.bolts,
       hubcaps = given.hubcaps, dot = given.dot, retreaded = given.retreaded, memo = given.memo
     from given where t.site_id = :site and t.id = given.id
       and (t.profile_depth, t.profile_date, t.rims, t.bolts, t.hubcaps, t.dot, t.retreaded, t.memo)
         is distinct from (given.depth, given.depth_date, given.rims, given.bolts, given.hubcaps, given.dot, given.retreaded, given.memo)
     returning t.id, t.customer_id, t.vehicle_id, t.profile_depth),
   written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, depth)
     select :site, id, customer_id, vehicle_id, 'changed', :now, :account, profile_depth from changed),
   kept as (
     insert into import_row (site_id, import_id, record, record_id, before)
     select :site, :import, 'tyre', given.id, given.before from given join changed using (id))
   select id from changed`,
})

/** Articles that the tyres of a file bring into the catalogue, by their place; one that exists meanwhile is found again. */
export const addArticles = statement({
  name: 'import.addArticles',
  parameters: { site: int, import: int, rows: json },
  row: { place: int, id: int, description: text },
  sql: `with given as (
     select nextval(pg_get_serial_sequence('article', 'id'))::int as id, r.* from json_to_recordset(:rows::json) as r(place int, brand text,
       pattern text, description text, dimension text, width numeric, aspect numeric, construction text, rim numeric, load_index int,
       load_index_dual int, speed_symbol text, season text, ean text, speed_key text, load_key text, brand_key text, words text)),
   added as (
     insert into article (site_id, id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index,
       load_index_dual, speed_symbol, season, ean, speed_key, load_key, brand_key, words)
     select :site, id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index, load_index_dual,
       speed_symbol, season, ean, speed_key, load_key, brand_key, words
     from given on conflict do nothing returning id, description),
   kept as (
     insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'article', id from added)
   select given.place, given.id, given.description from given join added using (id)`,
})
