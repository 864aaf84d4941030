/**
 * The statements of an import. Each takes a batch of rows as JSON and returns how many it added and changed. A null in a row leaves the
 * column as it is; a row without differences changes nothing.
 */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { importKinds } from '#domain/texts/importColumn.ts'
import { statement } from '../../db/statement.ts'
import { bool, instant, int, json, text } from '../../db/types.ts'

/** The site of a code; a retired one is missing. */
export const siteByCode = statement({
  name: 'import.site',
  parameters: { code: text },
  row: {
    id: int,
    timeZone: text,
    language: z.enum(languageCodes),
    allowUnknownArticle: bool,
    allowProfileDepth: bool,
    allowTachometer: bool,
  },
  sql: `select id, time_zone as "timeZone", language, allow_unknown_article as "allowUnknownArticle",
     allow_profile_depth as "allowProfileDepth", allow_tachometer as "allowTachometer" from site where code = :code and retired_at is null`,
})

/** The customer of a site. */
export const customerById = statement({
  name: 'import.customer',
  parameters: { site: int, customer: int },
  row: { name: text },
  sql: `select name from customer where site_id = :site and id = :customer`,
})

/** The language of a site, in which its configurations are named. */
export const languageOf = statement({
  name: 'import.language',
  parameters: { site: int },
  row: { language: z.enum(languageCodes) },
  sql: `select language from site where id = :site`,
})

/**
 * The configuration for vehicles of a kind: the template's, by its name in the site's language or in English, or one with the same axles
 * that vehicles of this kind have at the site under another name. No row: the site has a configuration of that name with other
 * axles, which stays as it is.
 */
export const configurationFor = statement({
  name: 'import.configuration',
  parameters: { site: int, name: text, axles: json, kind: text, englishName: text },
  row: { id: int, made: bool },
  sql: `with known as (
     select g.id, g.description in (:name, :englishName) as named from vehicle_config g
     where g.site_id = :site and g.axles = :axles::jsonb and (g.description in (:name, :englishName)
       or exists (select from vehicle v where v.site_id = :site and v.config_id = g.id and v.type = :kind and v.removed_at is null))),
   made as (
     insert into vehicle_config (site_id, description, axles)
     select :site, :name, :axles::jsonb where not exists (select from known)
     on conflict do nothing returning id)
   select id, made from (
     select id, named, false as made from known union all select id, true, true from made) found
   order by named desc, id limit 1`,
})

const changed = (columns: readonly string[]): string =>
  `(${columns.map(name => `existing.${name}`).join(', ')}) is distinct from (${columns.map(name => `coalesce(given.${name}, existing.${name})`).join(', ')})`
const set = (columns: readonly string[]): string =>
  columns.map(name => `${name} = coalesce(given.${name}, existing.${name})`).join(', ')

/** The outcome of each row, by its place in the batch. */
const savedRow = { place: int, outcome: z.enum(['added', 'changed', 'unchanged', 'unclear']) }

/** The id of a row that is new. */
const newId = (table: string): string => `nextval(pg_get_serial_sequence('${table}', 'id'))::int`

/**
 * Common table expressions that end a batch: `found` has the ids of all rows and their values `before`. Additions and changes are
 * recorded for an undo.
 */
const remember = (record: string): string => `
   kept as (
     insert into import_row (site_id, import_id, record, record_id, before)
     select :site, :import, '${record}', found.id, found.before from found
     where found.id in (select id from added union all select id from changed)
     on conflict do nothing)`
const outcomes = `
   select found.place, case when added.id is not null then 'added' when changed.id is not null then 'changed' else 'unchanged' end as outcome
   from found left join added on added.id = found.id left join changed on changed.id = found.id order by found.place`

const vehicleColumns = [
  'brand',
  'description',
  'number',
  'chassis_number',
  'cost_centre',
  'yearly_distance',
  'contract_end',
  'driver_name',
  'driver_mobile',
  'driver_telephone',
  'driver_email',
  'config_id',
]

/** Saves vehicles. A configuration is set only where there is none (docs/product/vehicles.md "Vehicle configurations"). */
export const saveVehicles = statement({
  name: 'import.vehicles',
  parameters: { site: int, import: int, rows: json, now: instant },
  row: savedRow,
  sql: `with given as (
     select place, customer_id, license_plate, type, brand, description, word, number, chassis_number, cost_centre, yearly_distance, contract_end, driver_name, driver_mobile,
       driver_telephone, driver_email, config_id as given_config
     from json_to_recordset(:rows::json) as r(place int, customer_id int, license_plate text, type text, brand text, description text, word text, number text,
       chassis_number text, cost_centre text, yearly_distance int, contract_end date, driver_name text, driver_mobile text, driver_telephone text, driver_email text, config_id int)),
   found as (
     select existing.id as known, coalesce(existing.id, ${newId('vehicle')}) as id, to_jsonb(existing) as before, given.*,
       coalesce(existing.config_id, given.given_config) as config_id
     from given left join vehicle existing on existing.site_id = :site and existing.customer_id = given.customer_id
       and existing.license_plate = given.license_plate and existing.type = given.type and existing.removed_at is null
       and existing.left_on is null),
   changed as (
     update vehicle existing set ${set(vehicleColumns)} from found given
     where existing.site_id = :site and existing.id = given.known and ${changed(vehicleColumns)}
     returning existing.id),
   added as (
     insert into vehicle (site_id, id, customer_id, license_plate, type, brand, description, number, chassis_number, cost_centre, yearly_distance, contract_end, driver_name,
       driver_mobile, driver_telephone, driver_email, config_id, created_at)
     select :site, id, customer_id, license_plate, type, brand, coalesce(description, word), coalesce(number, ''), coalesce(chassis_number, ''),
       coalesce(cost_centre, ''), yearly_distance, contract_end,
       coalesce(driver_name, ''), coalesce(driver_mobile, ''), coalesce(driver_telephone, ''), coalesce(driver_email, ''),
       config_id, :now
     from found where known is null on conflict do nothing returning id),
   ${remember('vehicle')}
   ${outcomes}`,
})

const articleColumns = [
  'brand',
  'pattern',
  'description',
  'width',
  'aspect',
  'construction',
  'rim',
  'season',
  'ean',
  'fuel_class',
  'wet_class',
  'noise_db',
  'speed_key',
  'load_key',
  'words',
]

/** Articles of the catalogue by the digits of their size with load and speed. */
export const articlesAlike = statement({
  name: 'import.articlesAlike',
  parameters: { site: int, keys: z.array(text) },
  row: {
    id: int,
    brand_key: text,
    pattern: text,
    dimension: text,
    load_index: int.nullable(),
    load_index_dual: int.nullable(),
    speed_symbol: text.nullable(),
  },
  sql: `select id, brand_key, pattern, dimension, load_index, load_index_dual, speed_symbol from article
   where site_id = :site and load_key = any (:keys::text[]) and not unknown order by id`,
})

/** Saves articles of the catalogue; `known` is the one that a row is already. */
export const saveArticles = statement({
  name: 'import.articles',
  parameters: { site: int, import: int, rows: json },
  row: savedRow,
  sql: `with given as (
     select * from json_to_recordset(:rows::json) as r(place int, brand text, pattern text, description text, dimension text, width numeric,
       aspect numeric, construction text, rim numeric, load_index int, load_index_dual int, speed_symbol text, season text,
       ean text, fuel_class text, wet_class text, noise_db int, speed_key text, load_key text, brand_key text, words text, known int)),
   found as (
     select given.place, existing.id as known, coalesce(existing.id, ${newId('article')}) as id, to_jsonb(existing) as before, given.brand, given.pattern, given.description, given.dimension, given.width, given.aspect, given.construction, given.rim,
       given.load_index, given.load_index_dual, given.speed_symbol, given.season, given.ean, given.fuel_class, given.wet_class, given.noise_db,
       given.speed_key, given.load_key, given.brand_key,
       -- the words include the EAN, also when this file has none
       case when given.ean is null and existing.ean is not null then given.words || ' ' || existing.ean else given.words end as words
     from given left join article existing on existing.site_id = :site and existing.id = given.known),
   changed as (
     update article existing set ${set(articleColumns)} from found given
     where existing.site_id = :site and existing.id = given.known and ${changed(articleColumns)}
     returning existing.id),
   added as (
     insert into article (site_id, id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index,
       load_index_dual, speed_symbol, season, ean, fuel_class, wet_class, noise_db, speed_key, load_key, brand_key, words)
     select :site, id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index, load_index_dual,
       speed_symbol, season, ean, fuel_class, wet_class, noise_db, speed_key, load_key, brand_key, words
     from found where known is null on conflict do nothing returning id),
   ${remember('article')}
   ${outcomes}`,
})

const customerColumns = ['code', 'name', 'company', 'street', 'zipcode', 'city', 'email']

/**
 * Saves customers. One is matched by its code, else by name and postcode among those without another code. A row that matches several is
 * `unclear`. `known` are the stored customers that rows may be, with the keys that both are compared by (`nameKey`). A VAT number is a billing
 * detail: the customer is written with it, too, so that an undo sees who has touched either since.
 */
export const saveCustomers = statement({
  name: 'import.customers',
  parameters: { site: int, import: int, rows: json, known: json, now: instant },
  row: savedRow,
  sql: `with given as (
     select * from json_to_recordset(:rows::json) as r(place int, code text, name text, company text, street text, zipcode text,
       city text, email text, vat_number text, code_key text, name_key text)),
   known as materialized (select * from json_to_recordset(:known::json) as r(id int, code_key text, name_key text)),
   named as (
     select name_key, min(id) as id, count(*) as count, min(id) filter (where code_key = '') as uncoded_id,
       count(*) filter (where code_key = '') as uncoded_count
     from known group by name_key),
   matched as (
     select given.*, coalesce(coded.id, case when given.code is null then named.id
         -- of several rows with codes the first is the customer that has none yet, the others are new
         when row_number() over (partition by named.name_key, coded.id is null, given.code is null order by given.place) = 1
           then named.uncoded_id end) as known,
       coalesce(case when given.code is null then named.count else named.uncoded_count end > 1, false) as several
     from given
     left join known coded on coded.code_key <> '' and coded.code_key = given.code_key
     left join named on coded.id is null and named.name_key = given.name_key),
   found as (
     select matched.*, coalesce(matched.known, ${newId('customer')}) as id, billing.differs,
       to_jsonb(existing) || case when billing.differs then jsonb_build_object('vat_number', coalesce(b.vat_number, '')) else '{}' end as before
     from matched left join customer existing on existing.site_id = :site and existing.id = matched.known
       left join customer_billing b on b.site_id = :site and b.customer_id = matched.known
       cross join lateral (select matched.vat_number is not null and matched.vat_number <> coalesce(b.vat_number, '') as differs) billing),
   changed as (
     update customer existing set ${set(customerColumns)} from found given
     where existing.site_id = :site and existing.id = given.known and not given.several and (given.differs or ${changed(customerColumns)})
     returning existing.id),
   added as (
     insert into customer (site_id, id, code, name, company, street, zipcode, city, email, created_at)
     select :site, id, coalesce(code, ''), name, coalesce(company, ''), coalesce(street, ''), coalesce(zipcode, ''),
       coalesce(city, ''), coalesce(email, ''), :now
     from found where known is null on conflict do nothing returning id),
   billed as (
     insert into customer_billing (site_id, customer_id, vat_number)
     select :site, id, vat_number from found
     where differs and not several and id in (select id from added union all select id from changed)
     on conflict (site_id, customer_id) do update set vat_number = excluded.vat_number),
   ${remember('customer')}
   select found.place, case when found.several then 'unclear' when added.id is not null then 'added' when changed.id is not null then 'changed'
     else 'unchanged' end as outcome
   from found left join added on added.id = found.id left join changed on changed.id = found.id order by found.place`,
})

/**
 * Lets one import of a kind run at a site at a time: two would not see each other's customers yet, and no constraint keeps duplicates
 * out. Returns whether this one may run; others don't wait with a connection.
 */
export const lockImports = statement({
  name: 'import.lock',
  parameters: { site: int, kind: text },
  row: { locked: bool },
  sql: `select pg_try_advisory_xact_lock(hashtextextended('import ' || :kind::text, :site::int)) as locked`,
})

/** Every customer of the site, by which files name owners. */
export const customersByName = statement({
  name: 'import.customersByName',
  parameters: { site: int },
  row: { id: int, code: text, name: text, company: text, zipcode: text },
  sql: `select id, code, name, company, zipcode from customer where site_id = :site`,
})

/** Begins an import; its rows refer to it. */
export const beginImport = statement({
  name: 'import.begin',
  parameters: {
    site: int,
    kind: z.enum(importKinds),
    customer: int.nullable(),
    file: text,
    now: instant,
    account: int.nullable(),
  },
  row: { id: int },
  sql: `insert into import_run (site_id, kind, customer_id, file, at, account_id) values (:site, :kind, :customer, :file, :now, :account) returning id`,
})

export const endImport = statement({
  name: 'import.end',
  parameters: { site: int, import: int, row_count: int, added: int, changed: int, unchanged: int, refused: int },
  sql: `update import_run set rows = :row_count, added = :added, changed = :changed, unchanged = :unchanged, refused = :refused
   where site_id = :site and id = :import`,
})

/** Begins what `endDryRun` undoes. */
export const beginDryRun = statement({ name: 'import.beginDryRun', sql: 'savepoint dry_run' })
export const endDryRun = statement({ name: 'import.endDryRun', sql: 'rollback to savepoint dry_run' })
