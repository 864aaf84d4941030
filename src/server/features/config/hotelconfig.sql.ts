/** The statements of a site's configuration. $1 is the site, and the transaction works there (row-level security). */
import { siteImages } from '#domain/site.ts'
import { statement } from '../../db/database.ts'
import { configColumns, imagePath } from '../sites/sites.ts'

/** The columns of a site by the names that its configuration has on the wire. */
export const siteColumns = {
  name: 'name',
  adminEmail: 'admin_email',
  lang: 'language',
  time_zone: 'time_zone',
  allowUnknownArticle: 'allow_unknown_article',
  unknownWinterArticleId: 'unknown_winter_article',
  unknownSummerArticleId: 'unknown_summer_article',
  unknownAllSeasonArticleId: 'unknown_all_season_article',
  unknownSnowArticleId: 'unknown_snow_article',
  allowDetailedStockReport: 'allow_detailed_stock_report',
  allowProfileDepth: 'allow_profile_depth',
  allowTachometer: 'allow_tachometer',
  showTyresOnVehicle: 'show_tyres_on_vehicle',
  showTyresAtCustomer: 'show_tyres_at_customer',
  showWasteTyres: 'show_waste_tyres',
  invoicing_quantity: 'invoicing_quantity',
  invoicing_mode: 'invoicing_mode',
  invoicing_period: 'invoicing_period',
  invoicing_article_id: 'invoicing_article',
  invoicing_document_type: 'invoicing_document_type',
  invoicing_price_excl: 'invoicing_price_excl',
  autoProcessIntakeOnFullScan: 'auto_process_intake_on_full_scan',
  doDocInsert: 'do_doc_insert',
  docInsertType: 'doc_insert_type',
  docInsertExceptions: 'doc_insert_exceptions',
  webstreamAccount: 'account',
  default_site_code: 'default_site_code',
  mode: 'mode',
} as const
export type SiteField = keyof typeof siteColumns

/**
 * Holds a site for the rest of the transaction, so that of two who edit it at once one comes after the other. Rows that
 * refer to the site are still written beside it.
 */
export const lockSite = statement(
  'hotelconfig.lock',
  `select code, name from site where id = $1 and retired_at is null for no key update`,
)

export const knownSite = statement('hotelconfig.known', `select from site where id = $1 and retired_at is null`)

/** The whole configuration as it is read for editing. */
export const wholeConfig = statement(
  'hotelconfig.whole',
  `select to_json(row)::text as json from (
    select s.id as _id, s.version, ${configColumns({ service: 'price_excl' })},
      s.account as "webstreamAccount", s.default_site_code, s.invoicing_price_excl,
      array(select host from site_address a where a.site_id = s.id order by host) as urls
    from site s where s.id = $1 and s.retired_at is null) row`,
)

export const imagesOf = statement(
  'hotelconfig.images',
  `select to_json(row)::text as json from (
    select ${siteImages.map(kind => `${imagePath(kind)} as "${kind}Path"`).join(', ')}
    from site s where s.id = $1) row`,
)

const fields = Object.keys(siteColumns) as SiteField[]
/** The fields of `siteColumns` from $2 on, in their order. */
export const saveSite = statement(
  'hotelconfig.save',
  `update site set version = version + 1,
     ${fields.map((field, nth) => `${siteColumns[field]} = $${nth + 2}`).join(', ')} where id = $1`,
)

export const freeHosts = statement(
  'hotelconfig.free',
  `delete from site_address where site_id = $1 and ($2::text[] is null or host = any ($2))`,
)

/** Which of the articles $2 the site has. */
export const knownArticles = statement(
  'hotelconfig.articles',
  `select id from article where site_id = $1 and id = any ($2::int[])`,
)

/** No site's: whether PostgreSQL knows time zone $1. */
export const knownTimeZone = statement('hotelconfig.timeZone', `select from pg_timezone_names where name = $1`)

const descriptions = ['description_nl', 'description_fr', 'description_en', 'description_de']
const described = descriptions.join(', ')
const describedText = descriptions.map(name => `${name} text`).join(', ')

const transportColumns = `name, code, is_default, ${described}, operation_days, advance_days, cutoff_hour, operations_per_day, tyres_per_day`
const transportValues = `w.name, w.code, w."default", ${descriptions.map(name => `w.${name}`).join(', ')},
  array(select json_array_elements_text(w."operationDays")::int), w."advanceDays", w."cutoffHour", w."operationsPerDay", w."tyresPerDay"`
const transportRows = `json_to_recordset($2::json) as w (_id int, name text, code text, "default" boolean, ${describedText},
  "operationDays" json, "advanceDays" int, "cutoffHour" time, "operationsPerDay" int, "tyresPerDay" int)`

const serviceColumns = `icon, name, operation_type, article_number, article_insertion_method, preselected, blocked, ${described}, price_excl`
const serviceValues = serviceColumns
  .split(', ')
  .map(name => (name === 'price_excl' ? 'coalesce(w.price_excl, 0)' : `w.${name}`))
  .join(', ')
/** A price that is not said stays. */
const changedService = serviceValues.replace('coalesce(w.price_excl, 0)', 'coalesce(w.price_excl, s.price_excl)')
const serviceRows = `json_to_recordset($2::json) as w (_id int, icon text, name text, operation_type text, article_number text,
  article_insertion_method text, preselected boolean, blocked boolean, ${describedText}, price_excl numeric)`

/** $2: rows as JSON, as they are in the configuration. What is removed stays for what refers to it. */
export const lists = {
  transportMethods: {
    add: statement(
      'hotelconfig.addTransports',
      `insert into transport_method (site_id, ${transportColumns}) select $1, ${transportValues} from ${transportRows} returning id`,
    ),
    change: statement(
      'hotelconfig.changeTransports',
      `update transport_method m set (${transportColumns}) = row(${transportValues}) from ${transportRows}
       where m.site_id = $1 and m.id = w._id`,
    ),
    /** $2: ids, $3: when. */
    remove: statement(
      'hotelconfig.removeTransports',
      `update transport_method set removed_at = $3 where site_id = $1 and id = any ($2::int[])`,
    ),
  },
  services: {
    add: statement(
      'hotelconfig.addServices',
      `insert into service (site_id, ${serviceColumns}) select $1, ${serviceValues} from ${serviceRows} returning id`,
    ),
    change: statement(
      'hotelconfig.changeServices',
      `update service s set (${serviceColumns}) = row(${changedService}) from ${serviceRows} where s.site_id = $1 and s.id = w._id`,
    ),
    remove: statement(
      'hotelconfig.removeServices',
      `update service set removed_at = $3 where site_id = $1 and id = any ($2::int[])`,
    ),
  },
}

/** Before another transport becomes the default one: there is never more than one. */
export const noDefault = statement(
  'hotelconfig.noDefault',
  `update transport_method set is_default = false where site_id = $1 and is_default and removed_at is null`,
)

/** By account $2 at $3: action $4 on subject $5 with facts $6. */
export const audit = statement(
  'hotelconfig.audit',
  `insert into audit (site_id, account_id, at, action, subject, facts) values ($1, $2, $3, $4, $5, $6)`,
)

/** Every site that is not retired, with its addresses and images. No parameter; needs the scope of the system. */
export const everySite = statement(
  'hotelconfig.everySite',
  `select s.id as _id, s.name, ${siteImages.map(kind => `${imagePath(kind)} as "${kind}"`).join(', ')},
     s.account as "webstreamAccount", s.admin_email as "adminEmail", s.mode,
     array(select host from site_address a where a.site_id = s.id order by host) as urls
   from site s where s.retired_at is null order by lower(s.name), s.id`,
)
export const countsOf = statement(
  'hotelconfig.counts',
  `select (select count(*) from customer where site_id = $1)::int as customers,
     (select count(*) from tyre where site_id = $1 and removed_at is null)::int as tyres`,
)

export const retire = statement(
  'hotelconfig.retire',
  `update site set retired_at = $2, version = version + 1 where id = $1`,
)
export const endSessions = statement('hotelconfig.endSessions', `delete from session where site_id = $1`)

const adminColumns = `id as _id, username, fullname, disabled_at is not null as disabled, created_at as created`
export const admins = statement(
  'hotelconfig.admins',
  `select coalesce(json_agg(a order by lower(a.username)), '[]')::text as json
   from (select ${adminColumns} from account where site_id = $1 and type = 'admin' and erased_at is null) a`,
)
/** Username $2, full name $3, the password's hash $4, at $5. */
export const newAdmin = statement(
  'hotelconfig.newAdmin',
  `insert into account (site_id, username, fullname, type, password, created_at) values ($1, $2, $3, 'admin', $4, $5)
   on conflict (coalesce(site_id, 0), lower(username)) do nothing
   returning id as _id, username, fullname, false as disabled, to_json(created_at)#>>'{}' as created`,
)
