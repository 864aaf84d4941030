/**
 * The statements of an import. Each takes a batch of rows as JSON and answers how many it added and changed; what a row
 * does not say (null) stays as it is, and a row that says nothing new touches nothing.
 */
import { z } from 'zod'
import { languageCodes } from '#domain/account.ts'
import type { Tx } from '../../db/database.ts'
import { statement } from '../../db/statement.ts'
import { bool, instant, int, json, text } from '../../db/types.ts'
import type { Kind } from './import.rows.ts'

export const siteByCode = statement({
  name: 'import.site',
  parameters: { code: text },
  row: { id: int },
  sql: `select id from site where code = :code and retired_at is null`,
})
export const customerById = statement({
  name: 'import.customer',
  parameters: { site: int, customer: int.nullable() },
  row: { name: text },
  sql: `select name from customer where site_id = :site and id = :customer`,
})

/** The language in which the things of a site are called. */
export const languageOf = statement({
  name: 'import.language',
  parameters: { site: int },
  row: { language: z.enum(languageCodes) },
  sql: `select language from site where id = :site`,
})

/**
 * The configuration that vehicles of a kind get: the template's (`name` in the site's language, `template` in English), or one with
 * the same axles that such vehicles have here under another name. A site's own configuration of that name with other axles is left
 * alone: no row.
 */
export const configurationFor = statement({
  name: 'import.configuration',
  parameters: { site: int, name: text, axles: json, kind: text, template: text },
  row: { id: int, made: bool },
  sql: `with known as (
     select g.id, g.description in (:name, :template) as named from vehicle_config g
     where g.site_id = :site and g.axles = :axles::jsonb and (g.description in (:name, :template)
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
  `(${columns.map(name => `kept.${name}`).join(', ')}) is distinct from (${columns.map(name => `coalesce(said.${name}, kept.${name})`).join(', ')})`
const set = (columns: readonly string[]): string =>
  columns.map(name => `${name} = coalesce(said.${name}, kept.${name})`).join(', ')

/** How many rows a batch added and changed. */
const counted = { added: int, changed: int }
const counts = `select (select count(*) from added)::int as added, (select count(*) from changed)::int as changed`

const vehicleColumns = [
  'brand',
  'description',
  'number',
  'chassis_number',
  'driver_name',
  'driver_mobile',
  'driver_telephone',
  'driver_email',
  'config_id',
]

/** A configuration is set where there is none (docs/product.md "Vehicle configurations"). */
const vehicles = statement({
  name: 'import.vehicles',
  parameters: { site: int, rows: json, customer: int, now: instant },
  row: counted,
  sql: `with said as (
     select license_plate, type, brand, description, word, number, chassis_number, driver_name, driver_mobile,
       driver_telephone, driver_email, config_id as wanted_config
     from json_to_recordset(:rows::json) as r(license_plate text, type text, brand text, description text, word text, number text,
       chassis_number text, driver_name text, driver_mobile text, driver_telephone text, driver_email text, config_id int)),
   found as (
     select kept.id, said.*, coalesce(kept.config_id, said.wanted_config) as config_id
     from said left join vehicle kept on kept.site_id = :site and kept.customer_id = :customer
       and kept.license_plate = said.license_plate and kept.type = said.type and kept.removed_at is null),
   changed as (
     update vehicle kept set ${set(vehicleColumns)} from found said
     where kept.site_id = :site and kept.id = said.id and ${changed(vehicleColumns)}
     returning kept.id),
   added as (
     insert into vehicle (site_id, customer_id, license_plate, type, brand, description, number, chassis_number, driver_name,
       driver_mobile, driver_telephone, driver_email, config_id, created_at)
     select :site, :customer, license_plate, type, brand, coalesce(description, word), coalesce(number, ''), coalesce(chassis_number, ''),
       coalesce(driver_name, ''), coalesce(driver_mobile, ''), coalesce(driver_telephone, ''), coalesce(driver_email, ''),
       config_id, :now
     from found where id is null on conflict do nothing returning id)
   ${counts}`,
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

const articles = statement({
  name: 'import.articles',
  parameters: { site: int, rows: json },
  row: counted,
  sql: `with said as (
     select * from json_to_recordset(:rows::json) as r(brand text, pattern text, description text, dimension text, width numeric,
       aspect numeric, construction text, rim numeric, load_index int, load_index_dual int, speed_symbol text, season text,
       ean text, fuel_class text, wet_class text, noise_db int, speed_key text, load_key text, brand_key text, words text)),
   found as (
     select kept.id, said.brand, said.pattern, said.description, said.dimension, said.width, said.aspect, said.construction, said.rim,
       said.load_index, said.load_index_dual, said.speed_symbol, said.season, said.ean, said.fuel_class, said.wet_class, said.noise_db,
       said.speed_key, said.load_key, said.brand_key,
       -- the words hold the EAN, also one that this file does not repeat
       case when said.ean is null and kept.ean is not null then said.words || ' ' || kept.ean else said.words end as words
     from said left join article kept on kept.site_id = :site and kept.brand_key = said.brand_key
       and upper(kept.pattern) = upper(said.pattern) and kept.dimension = said.dimension
       and coalesce(kept.load_index, 0) = coalesce(said.load_index, 0)
       and coalesce(kept.load_index_dual, 0) = coalesce(said.load_index_dual, 0)
       and coalesce(kept.speed_symbol, '') = coalesce(said.speed_symbol, '') and not kept.unknown),
   changed as (
     update article kept set ${set(articleColumns)} from found said
     where kept.site_id = :site and kept.id = said.id and ${changed(articleColumns)}
     returning kept.id),
   added as (
     insert into article (site_id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index,
       load_index_dual, speed_symbol, season, ean, fuel_class, wet_class, noise_db, speed_key, load_key, brand_key, words)
     select :site, brand, pattern, description, dimension, width, aspect, construction, rim, load_index, load_index_dual,
       speed_symbol, season, ean, fuel_class, wet_class, noise_db, speed_key, load_key, brand_key, words
     from found where id is null on conflict do nothing returning id)
   ${counts}`,
})

const customerColumns = ['code', 'name', 'company', 'street', 'zipcode', 'city', 'email']

/**
 * A customer is found again by its code, else by name and postcode among those without another code. A row that fits two of
 * them is in `unclear`, by its place in the batch. What is compared is made once: behind row-level security no index of lower
 * case letters is used, and each row would read all customers anew (8 s for 2,000 of them, now 0.2 s).
 */
const customers = statement({
  name: 'import.customers',
  parameters: { site: int, rows: json, now: instant },
  row: { ...counted, unclear: z.array(int) },
  sql: `with said as (
     select * from json_to_recordset(:rows::json) as r(place int, code text, name text, company text, street text, zipcode text,
       city text, email text)),
   known as materialized (
     select id, lower(code) as code, lower(name) as name, lower(replace(zipcode, ' ', '')) as zipcode
     from customer where site_id = :site),
   named as (
     select name, zipcode, min(id) as id, count(*) as count, min(id) filter (where code = '') as bare_id,
       count(*) filter (where code = '') as bare_count
     from known group by name, zipcode),
   found as (
     select said.*, coalesce(coded.id, case when said.code is null then named.id else named.bare_id end) as id,
       coalesce(case when said.code is null then named.count else named.bare_count end > 1, false) as several
     from said
     left join known coded on coded.code <> '' and coded.code = lower(said.code)
     left join named on coded.id is null and named.name = lower(said.name)
       and named.zipcode = lower(replace(coalesce(said.zipcode, ''), ' ', ''))),
   changed as (
     update customer kept set ${set(customerColumns)} from found said
     where kept.site_id = :site and kept.id = said.id and not said.several and ${changed(customerColumns)}
     returning kept.id),
   added as (
     insert into customer (site_id, code, name, company, street, zipcode, city, email, created_at)
     select :site, coalesce(code, ''), name, coalesce(company, ''), coalesce(street, ''), coalesce(zipcode, ''),
       coalesce(city, ''), coalesce(email, ''), :now
     from found where id is null on conflict do nothing returning id)
   ${counts}, array(select place from found where several) as unclear`,
})

type Counted = { added: number; changed: number; unclear?: number[] }
type Batch = { site: number; rows: string; customer: number | undefined; now: Date }

export type ImportBatch = (tx: Tx, batch: Batch) => Promise<Counted>

/** Imports a batch of rows of each kind. */
export const importBatch = {
  vehicles: (tx, { site, rows, customer = 0, now }) => tx.one(vehicles, { site, rows, customer, now }),
  articles: (tx, { site, rows }) => tx.one(articles, { site, rows }),
  customers: (tx, { site, rows, now }) => tx.one(customers, { site, rows, now }),
} satisfies Record<Kind, ImportBatch>

export const recordImport = statement({
  name: 'import.audit',
  parameters: {
    site: int,
    customer: int.nullable(),
    now: instant,
    action: text,
    subject: text,
    facts: json,
    actor: int.nullable(),
  },
  sql: `insert into audit (site_id, customer_id, at, action, subject, facts, account_id) values (:site, :customer, :now, :action, :subject, :facts, :actor)`,
})

/**
 * One file of a kind at a time at a site: two imports of the same customers at once would not see each other's rows, and no
 * constraint says that two customers are one.
 */
export const lockImports = statement({
  name: 'import.lock',
  parameters: { site: int, kind: text },
  row: { locked: text },
  sql: `select pg_advisory_xact_lock(hashtextextended('import ' || :kind::text, :site::int)) as locked`,
})

/** What is done between the two leaves nothing behind. */
export const beginDryRun = statement({
  name: 'import.beginDryRun',
  sql: 'savepoint dry_run',
})
export const endDryRun = statement({
  name: 'import.endDryRun',
  sql: 'rollback to savepoint dry_run',
})
