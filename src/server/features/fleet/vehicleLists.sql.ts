/** Lists of vehicles: a customer's fleet, and pages of all vehicles of a site. */
import { z } from 'zod'
import { vehiclesPerPage } from '#contract/fleet.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { seasons, tyreStatuses } from '#domain/tyres/tyre.ts'
import { folded, likePattern, searchWords } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, decimal, elements, int, text } from '../../db/types.ts'
import {
  hasPlate,
  isVisible,
  tyresOfVehicle,
  tyreVisibility,
  vehicleColumns,
  vehicleJoins,
} from './vehicleColumns.sql.ts'

/** No row: the customer does not exist. */
export const fleetOfCustomer = statement({
  name: 'fleet.customer',
  parameters: { ...tyreVisibility, customer: int },
  row: elements,
  sql: `select to_json(fleet)::text as element from customer left join lateral (
     select ${vehicleColumns} from vehicle v ${vehicleJoins} ${tyresOfVehicle}
     where v.site_id = :site and v.customer_id = :customer and v.removed_at is null and v.left_on is null
     order by v.license_plate, v.id) fleet on true
   where customer.site_id = :site and customer.id = :customer`,
})

/** The vehicles of a fleet and their plates, both in the order of ids. No row: the customer does not exist. */
export const platesOfCustomer = statement({
  name: 'fleet.plates',
  parameters: { site: int, customer: int },
  row: { vehicles: z.array(int), plates: z.array(text) },
  sql: `select
     array(select id from vehicle where site_id = :site and customer_id = :customer and removed_at is null and left_on is null order by id) as vehicles,
     array(select license_plate from vehicle where site_id = :site and customer_id = :customer and removed_at is null and left_on is null order by id) as plates
   from customer where site_id = :site and id = :customer`,
})

/** These vehicles of a fleet, in this order. */
export const vehiclesOfCustomer = statement({
  name: 'fleet.vehicles',
  parameters: { ...tyreVisibility, customer: int, vehicles: z.array(int) },
  row: answer,
  sql: `select coalesce(json_agg(fleet), '[]')::text as json from (
     select ${vehicleColumns} from unnest(:vehicles::int[]) with ordinality listed (id, nth)
     join vehicle v on v.site_id = :site and v.customer_id = :customer and v.id = listed.id and v.removed_at is null and v.left_on is null
     ${vehicleJoins} ${tyresOfVehicle}
     order by listed.nth) fleet`,
})

/** The plate of a vehicle, by which pages are ordered. */
export const plateOf = statement({
  name: 'fleet.plateOf',
  parameters: { site: int, vehicle: int },
  row: { plate: text },
  sql: 'select license_plate as plate from vehicle where site_id = :site and id = :vehicle',
})

/** The filter of tyres: status, season, and a maximum depth in mm. `null`: any. */
const wantedTyre = {
  statuses: z.array(z.enum(tyreStatuses)).nullable(),
  seasons: z.array(z.enum(seasons)).nullable(),
  maxDepth: decimal.nullable(),
}

/**
 * Shared parameters of pages. They begin after the vehicle `last` with the plate `lastPlate`; 0 and '' are the first
 * page. With a tyre filter, a vehicle needs a visible tyre that matches.
 */
const page = { ...tyreVisibility, ...wantedTyre, last: int, lastPlate: text }

// a depth that is not shown is not searched by either
const isWanted = `${isVisible} and (:statuses::text[] is null or t.status = any (:statuses))
  and (:seasons::text[] is null or t.season = any (:seasons))
  and (:maxDepth::numeric is null or :withDepth and t.profile_depth <= :maxDepth)`
const isAnyWanted = `(:statuses::text[] is null and :seasons::text[] is null and :maxDepth::numeric is null)`
// `offset 0`: PostgreSQL looks vehicle by vehicle, else it may read all tyres of the site for one page
const hasWantedTyre = `(${isAnyWanted} or exists (select from tyre t where t.vehicle_id = v.id and ${isWanted} offset 0))`

const vehiclesOfPage = `
  select coalesce(json_agg(fleet), '[]')::text as json from (
    select ${vehicleColumns} from page v ${vehicleJoins} ${tyresOfVehicle}
    order by v.license_plate, v.id) fleet`

// Three statements, not one with conditions that may be null: each then reads the index of its condition.
const pageOfSite = (condition: string): string => `
  with page as (
    select v.* from vehicle v
    where v.site_id = :site and v.removed_at is null and v.left_on is null and ${condition}
      and (v.license_plate, v.id) > (:lastPlate, :last)
    order by v.license_plate, v.id limit ${vehiclesPerPage})
  ${vehiclesOfPage}`

/**
 * A page of the vehicles of the site, in the order of their plates. The plate of the last one is looked up before (`plateOf`): a
 * condition with a subquery in it is no condition for an index behind row-level security.
 */
export const fleetOfSite = statement({
  name: 'fleet.site',
  parameters: page,
  row: answer,
  sql: pageOfSite(hasWantedTyre),
})

/** Of those, the vehicles with this plate; where there is none, those that had it before. */
export const fleetByPlate = statement({
  name: 'fleet.plate',
  parameters: { ...page, plate: text },
  row: answer,
  sql: pageOfSite(`${hasPlate('v', ':plate::text', { inFleet: true })} and ${hasWantedTyre}`),
})

const tyreText = folded(`t.description || ' ' || coalesce(t.tyre_set, '') || ' ' || coalesce(l.path, '')`)

/**
 * The vehicles of tyres in whose words all of the patterns `s.patterns` are found, or one of them in the path of their rack; or
 * whose number is one of `tyres`. These are a few too many: each is checked again.
 */
const vehiclesOfTyres = `
  select t.vehicle_id from texts cross join lateral (
    select t.vehicle_id from tyre t
    where t.site_id = :site and t.description = texts.description and coalesce(t.tyre_set, '') = texts.tyre_set and t.removed_at is null
    offset 0) t
  where texts.words like all (s.patterns)
  union all
  select t.vehicle_id from places cross join lateral (
    select t.vehicle_id from tyre t where t.site_id = :site and t.location_id = places.id offset 0) t
  where places.words like any (s.patterns)
  union all
  select t.vehicle_id from tyre t where t.site_id = :site and t.id = any (:tyres::int[])`

/**
 * Of those, the vehicles in which all words of a search (`vehicleSearch`) are found; or that have a tyre with which together they
 * hold them all: in its description, set or rack, or as its number. When a tyre is wanted it is one of those.
 *
 * Most vehicles are ruled out before their tyres are read (docs/decisions/0023). Each match has all of the words in the
 * vehicle or in a tyre; and when none is in the vehicle, then all are in one tyre. So the statement first looks which vehicles have
 * such a tyre, for some words one by one and for all together (`probe`), but drops words that more than `few` tyres have. It looks
 * up the tyres of the remaining vehicles one vehicle at a time: joined as a whole they are quicker while PostgreSQL plans well, and
 * take minutes when it expects one row instead of 250,000.
 */
export const searchOfSite = (name: string, { few }: { few: number }) =>
  statement({
    name,
    parameters: { ...page, words: z.array(text), plates: z.array(text), patterns: z.array(text), tyres: z.array(int) },
    row: answer,
    sql: `with terms as materialized (
       select word, plate, pattern, case plate when '' then pattern else '%' || lower(plate) || '%' end as plate_pattern
       from unnest(:words::text[], :plates::text[], :patterns::text[]) term(word, plate, pattern)),
     texts as materialized (
       select description, tyre_set, words from tyre_words where site_id = :site and words like any (:patterns::text[])),
     places as materialized (
       select id, words from (select id, ${folded('path')} as words from location where site_id = :site offset 0) place
       where words like any (:patterns::text[])),
     customers as materialized (
       select id, words from (
         select id, ${folded('text')} as words from (
           select id, name || ' ' || company as text from customer where site_id = :site offset 0) named
         offset 0) customer
       where words like any (:patterns::text[])),
     probe as materialized (
       select row_number() over () as nth, s.patterns, s.in_vehicle, array(
         select vehicle_id from (${vehiclesOfTyres}) t limit ${few + 1}) as vehicles
       from (
         (select array[pattern] as patterns, array[pattern, plate_pattern] as in_vehicle from terms order by length(word) desc limit 4)
         union all
         select array_agg(pattern), array_agg(pattern) || array_agg(plate_pattern) from terms having count(*) > 1) s),
     rare as materialized (select * from probe where cardinality(vehicles) <= ${few} order by cardinality(vehicles)),
     by_tyre as materialized (select nth, unnest(vehicles) as vehicle_id from rare),
     by_customer as materialized (
       select rare.nth, customers.id as customer_id from rare join customers on customers.words like any (rare.patterns)),
     page as (
       select v.* from (
         select id, customer_id, license_plate, words from vehicle v
         where v.site_id = :site and v.removed_at is null and v.left_on is null and (v.license_plate, v.id) > (:lastPlate, :last)
           and not exists (
             select from rare where not (
               v.words like any (rare.in_vehicle)
               or (rare.nth, v.customer_id) in (select nth, customer_id from by_customer)
               or (rare.nth, v.id) in (select nth, vehicle_id from by_tyre))
             offset 0)
         order by v.license_plate, v.id offset 0) found
       cross join lateral (
         select array(
           select pattern from terms
           where strpos(searched.text, word) = 0 and (plate = '' or strpos(found.license_plate, plate) = 0 and strpos(found.words, lower(plate)) = 0)) as patterns
         from (
           select found.words || ' ' || ${folded("c.name || ' ' || c.company")} as text from customer c
           where c.site_id = :site and c.id = found.customer_id
           offset 0) searched -- joined once, not once for each use
         offset 0) missing
       cross join lateral (select * from vehicle v where v.site_id = :site and v.id = found.id offset 0) v
       where ${isAnyWanted} and missing.patterns = '{}' or exists (
         select from tyre t left join location l on l.site_id = t.site_id and l.id = t.location_id
         where t.vehicle_id = found.id and ${isWanted}
           and ${tyreText} like all (array_remove(missing.patterns, '%' || t.id || '%')))
       order by found.license_plate, found.id limit ${vehiclesPerPage})
     ${vehiclesOfPage}`,
  })

/**
 * A search as statements of `searchOfSite` take it: its words, each word as part of a plate and as a pattern of `like`, and the
 * words that may be the number of a tyre.
 */
export function vehicleSearch(search: string) {
  const words = searchWords(search)
  return {
    words,
    plates: words.map(normalizePlate),
    patterns: words.map(likePattern),
    tyres: words.filter(word => /^[1-9][0-9]{0,9}$/.test(word) && Number(word) < 2 ** 31).map(Number),
  }
}

/** Words of more tyres than this are common: a page fills quickly. */
export const fleetByWords = searchOfSite('fleet.words', { few: 5000 })
