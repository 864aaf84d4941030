/** The statements of a site's configuration. Row-level security lets a transaction reach only the site it works at. */
import { z } from 'zod'
import { siteImages } from '#domain/site.ts'
import { adminConfig, hotelConfig, siteAdmin } from '#contract/config.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, instant, int, json, text } from '../../db/types.ts'
import { bouncedAddress } from '../mail/mail.sql.ts'
import { configColumns, imagePath } from '../sites/sites.sql.ts'

/** The fields of a configuration that are columns of the site. Others have separate tables, or are set by the portal. */
const stored = adminConfig.omit({
  _id: true,
  version: true,
  site_number: true,
  navlogoPath: true,
  landinglogoPath: true,
  faviconPath: true,
  urls: true,
  transportMethods: true,
  closedDays: true,
  services: true,
}).shape
export type SiteField = keyof typeof stored

/** The columns of a site by the names of the fields on the wire. */
const siteColumns = {
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
  minTreadSummer: 'min_tread_summer',
  minTreadWinter: 'min_tread_winter',
  minTreadTruckSummer: 'min_tread_truck_summer',
  minTreadTruckWinter: 'min_tread_truck_winter',
  invoicing_quantity: 'invoicing_quantity',
  invoicing_mode: 'invoicing_mode',
  invoicing_period: 'invoicing_period',
  invoicing_article_id: 'invoicing_article',
  invoicing_document_type: 'invoicing_document_type',
  invoicing_price_excl: 'invoicing_price_excl',
  autoProcessIntakeOnFullScan: 'auto_process_intake_on_full_scan',
  warehouseConfirmsMissing: 'warehouse_confirms_missing',
  presumeMounts: 'presume_mounts',
  doDocInsert: 'do_doc_insert',
  docInsertType: 'doc_insert_type',
  docInsertAsks: 'doc_insert_asks',
  adminsNeedFactor: 'admins_need_factor',
  adminSessionHours: 'admin_session_hours',
  docInsertExceptions: 'doc_insert_exceptions',
  webstreamAccount: 'account',
  default_site_code: 'default_site_code',
  mode: 'mode',
} as const satisfies Record<SiteField, string>
export const siteFields = Object.keys(siteColumns) as SiteField[]

/**
 * Locks a site, so that concurrent edits are serialised. Rows that refer to the site can still be written.
 */
export const lockSite = statement({
  name: 'hotelconfig.lock',
  parameters: { site: int },
  row: { code: text, name: text },
  sql: 'select code, name from site where id = :site and retired_at is null for no key update',
})

export const knownSite = statement({
  name: 'hotelconfig.known',
  parameters: { site: int },
  sql: 'select from site where id = :site and retired_at is null',
})

/** The whole configuration as it is read for editing, in wire form. */
export const wholeConfig = statement({
  name: 'hotelconfig.whole',
  parameters: { site: int },
  row: answer,
  sql: `
    select to_json(row)::text as json from (
      select s.id as _id, s.version, ${configColumns({ service: 'price_excl' })},
        s.account as "webstreamAccount", s.default_site_code, s.invoicing_price_excl,
        s.admins_need_factor as "adminsNeedFactor", s.admin_session_hours as "adminSessionHours",
        array(select host from site_address a where a.site_id = s.id order by host) as urls
      from site s where s.id = :site and s.retired_at is null) row`,
})

export const imagesOf = statement({
  name: 'hotelconfig.images',
  parameters: { site: int },
  row: answer,
  sql: `
    select to_json(row)::text as json from (
      select ${siteImages.map(kind => `${imagePath(kind)} as "${kind}Path"`).join(', ')}
      from site s where s.id = :site) row`,
})

export const saveSite = statement({
  name: 'hotelconfig.save',
  parameters: { site: int, ...stored },
  sql: `
    update site set version = version + 1,
      ${siteFields.map(field => `${siteColumns[field]} = :${field}`).join(', ')} where id = :site`,
})

/** Takes these hosts from the site, or all of them where `hosts` is null. */
export const deleteHosts = statement({
  name: 'hotelconfig.free',
  parameters: { site: int, hosts: z.array(text).nullable() },
  sql: 'delete from site_address where site_id = :site and (:hosts::text[] is null or host = any (:hosts))',
})

/** Which of these articles the site has. */
export const knownArticles = statement({
  name: 'hotelconfig.articles',
  parameters: { site: int, articles: z.array(int) },
  row: { id: int },
  sql: 'select id from article where site_id = :site and id = any (:articles::int[])',
})

/** Whether PostgreSQL knows a time zone. */
export const knownTimeZone = statement({
  name: 'hotelconfig.timeZone',
  parameters: { timeZone: text },
  sql: 'select from pg_timezone_names where name = :timeZone',
})

const descriptions = ['description_nl', 'description_fr', 'description_en', 'description_de']
const descriptionColumns = descriptions.join(', ')
const descriptionTypes = descriptions.map(name => `${name} text`).join(', ')

const transportColumns = `name, code, is_default, ${descriptionColumns}, operation_days, advance_days, cutoff_hour, operations_per_day, tyres_per_day`
const transportValues = `w.name, w.code, w."default", ${descriptions.map(name => `w.${name}`).join(', ')},
  array(select json_array_elements_text(w."operationDays")::int), w."advanceDays", w."cutoffHour", w."operationsPerDay", w."tyresPerDay"`
const transportRows = `json_to_recordset(:rows::json) as w (_id int, name text, code text, "default" boolean, ${descriptionTypes},
  "operationDays" json, "advanceDays" int, "cutoffHour" time, "operationsPerDay" int, "tyresPerDay" int)`

const serviceColumns = `icon, name, operation_type, article_number, article_insertion_method, preselected, blocked, ${descriptionColumns}, price_excl`
const serviceValues = serviceColumns
  .split(', ')
  .map(name => (name === 'price_excl' ? 'coalesce(w.price_excl, 0)' : `w.${name}`))
  .join(', ')
/** A missing price stays unchanged. */
const changedService = serviceValues.replace('coalesce(w.price_excl, 0)', 'coalesce(w.price_excl, s.price_excl)')
const serviceRows = `json_to_recordset(:rows::json) as w (_id int, icon text, name text, operation_type text, article_number text,
  article_insertion_method text, preselected boolean, blocked boolean, ${descriptionTypes}, price_excl numeric)`

/** The rows are JSON, with the fields of the configuration. Removed rows are kept for references. */
const rows = { site: int, rows: json }
const removal = { site: int, ids: z.array(int), now: instant }

type ListTable = { table: string; name: string; columns: string; values: string; changed?: string; source: string }

/** The statements of a list of the configuration; `changed` are the values of an update, where they differ. */
const listStatements = ({ table, name, columns, values, changed = values, source }: ListTable) => ({
  add: statement({
    name: `hotelconfig.add${name}`,
    parameters: rows,
    row: { id: int },
    sql: `insert into ${table} (site_id, ${columns}) select :site, ${values} from ${source} returning id`,
  }),
  change: statement({
    name: `hotelconfig.change${name}`,
    parameters: rows,
    sql: `update ${table} s set (${columns}) = row(${changed}) from ${source} where s.site_id = :site and s.id = w._id`,
  }),
  remove: statement({
    name: `hotelconfig.remove${name}`,
    parameters: removal,
    sql: `update ${table} set removed_at = :now where site_id = :site and id = any (:ids::int[])`,
  }),
})

export const lists = {
  transportMethods: listStatements({
    table: 'transport_method',
    name: 'Transports',
    columns: transportColumns,
    values: transportValues,
    source: transportRows,
  }),
  services: listStatements({
    table: 'service',
    name: 'Services',
    columns: serviceColumns,
    values: serviceValues,
    changed: changedService,
    source: serviceRows,
  }),
}

/** Clears the default, before another transport method becomes it: a unique index allows one. */
export const clearDefault = statement({
  name: 'hotelconfig.noDefault',
  parameters: { site: int },
  sql: 'update transport_method set is_default = false where site_id = :site and is_default and removed_at is null',
})

/** Every site that is not retired, by name. Needs `asSystem`. */
export const everySiteConfig = statement({
  name: 'hotelconfig.everySite',
  row: hotelConfig.omit({ customer_count: true, tyre_count: true }).shape,
  sql: `
    select s.id as _id, s.name, ${siteImages.map(kind => `${imagePath(kind)} as "${kind}"`).join(', ')},
      s.account as "webstreamAccount", s.admin_email as "adminEmail", s.mode,
      array(select host from site_address a where a.site_id = s.id order by host) as urls
    from site s where s.retired_at is null order by ${bySpelling('s.name')}, s.id`,
})

export const countsOf = statement({
  name: 'hotelconfig.counts',
  parameters: { site: int },
  row: { customer_count: int, tyre_count: int },
  sql: `
    select (select count(*) from customer where site_id = :site)::int as customer_count,
      (select count(*) from tyre where site_id = :site and removed_at is null)::int as tyre_count`,
})

export const retire = statement({
  name: 'hotelconfig.retire',
  parameters: { site: int, now: instant },
  sql: 'update site set retired_at = :now, version = version + 1 where id = :site',
})

export const endSiteSessions = statement({
  name: 'hotelconfig.endSessions',
  parameters: { site: int },
  sql: 'delete from session where site_id = :site',
})

export const admins = statement({
  name: 'hotelconfig.admins',
  parameters: { site: int },
  row: answer,
  sql: `
    select coalesce(json_agg(a order by ${bySpelling('a.username')}), '[]')::text as json
    from (
      select id as _id, username, fullname, disabled_at is not null as disabled, created_at as created, email,
        ${bouncedAddress} as bounced
      from account where site_id = :site and type = 'admin' and not is_service and erased_at is null) a`,
})

/** Adds an administrator, unless the name is taken. */
export const addAdmin = statement({
  name: 'hotelconfig.newAdmin',
  parameters: { site: int, username: text, fullname: text, email: text, hash: text, now: instant },
  row: siteAdmin.omit({ bounced: true }).shape,
  sql: `
    insert into account (site_id, username, fullname, type, email, password, must_change_password, created_at)
    values (:site, :username, :fullname, 'admin', :email, :hash, :hash <> '', :now)
    on conflict (coalesce(site_id, 0), lower(username)) do nothing
    returning id as _id, username, fullname, false as disabled, to_json(created_at)#>>'{}' as created, email`,
})

/** The images of a site are its own from now on. */
export const ownMark = statement({
  name: 'hotelconfig.ownMark',
  parameters: { site: int },
  sql: `update site set generated_mark = false where id = :site and generated_mark`,
})

/** Which results of the first steps a site already has. */
export const firstSteps = statement({
  name: 'hotelconfig.firstSteps',
  parameters: { site: int },
  row: {
    dismissed: bool,
    logo: bool,
    articles: bool,
    racks: bool,
    customers: bool,
    vehicles: bool,
    storage: bool,
    invitation: bool,
  },
  sql: `select s.first_steps_dismissed_at is not null as dismissed,
     not s.generated_mark and exists (select from image i where i.site_id = s.id and i.kind = 'navlogo') as logo,
     exists (select from article a where a.site_id = s.id and not a.unknown) as articles,
     exists (select from location l where l.site_id = s.id and l.capacity > 0) as racks,
     exists (select from customer c where c.site_id = s.id) as customers,
     exists (select from vehicle v where v.site_id = s.id and v.removed_at is null) as vehicles,
     exists (select from tyre t where t.site_id = s.id and t.status = 'in_stock' and t.removed_at is null)
       or exists (select from operation o where o.site_id = s.id and o.type = 'to_stock') as storage,
     exists (select from account a where a.site_id = s.id and a.type = 'user') as invitation
   from site s where s.id = :site`,
})

export const dismissFirstSteps = statement({
  name: 'hotelconfig.dismissFirstSteps',
  parameters: { site: int, now: instant },
  sql: `update site set first_steps_dismissed_at = coalesce(first_steps_dismissed_at, :now) where id = :site`,
})
