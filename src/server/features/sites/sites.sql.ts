/** The statements of a site as it is read on every request, and the fragments of its configuration in wire form. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { documentTypes, modes } from '#domain/site.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, decimal, bytes, int, text } from '../../db/types.ts'

/** Every site that is not retired, with the settings that rules ask for. Needs `asSystem`. */
export const everySite = statement({
  name: 'sites.all',
  row: {
    id: int,
    code: text,
    name: text,
    mode: z.enum(modes),
    language: z.enum(languageCodes),
    timeZone: text,
    allowUnknownArticle: bool,
    allowProfileDepth: bool,
    allowTachometer: bool,
    showTyresOnVehicle: bool,
    showTyresAtCustomer: bool,
    showWasteTyres: bool,
    minTreadSummer: decimal,
    minTreadWinter: decimal,
    minTreadTruckSummer: decimal,
    minTreadTruckWinter: decimal,
    autoProcessIntakeOnFullScan: bool,
    warehouseConfirmsMissing: bool,
    doDocInsert: bool,
    docInsertType: z.enum(documentTypes),
    docInsertExceptions: z.array(text),
    hosts: z.array(text),
  },
  sql: `
    select id, code, name, mode, language, time_zone as "timeZone",
      allow_unknown_article as "allowUnknownArticle", allow_profile_depth as "allowProfileDepth",
      allow_tachometer as "allowTachometer", show_tyres_on_vehicle as "showTyresOnVehicle",
      show_tyres_at_customer as "showTyresAtCustomer", show_waste_tyres as "showWasteTyres",
      min_tread_summer as "minTreadSummer", min_tread_winter as "minTreadWinter",
      min_tread_truck_summer as "minTreadTruckSummer", min_tread_truck_winter as "minTreadTruckWinter",
      auto_process_intake_on_full_scan as "autoProcessIntakeOnFullScan",
      warehouse_confirms_missing as "warehouseConfirmsMissing", do_doc_insert as "doDocInsert",
      doc_insert_type as "docInsertType", doc_insert_exceptions as "docInsertExceptions",
      array(select host from site_address a where a.site_id = site.id order by host) as hosts
    from site where retired_at is null order by id`,
})

/** The path of an image of site `s`. */
export const imagePath = (kind: string): string =>
  `(select '/images/' || i.digest || '.' || split_part(i.media_type, '/', 2) from image i where i.site_id = s.id and i.kind = '${kind}')`

const brandingColumns = `s.name, s.language as lang, ${imagePath('navlogo')} as "navlogoPath",
  ${imagePath('landinglogo')} as "landinglogoPath", ${imagePath('favicon')} as "faviconPath"`

/** The name of the provider that one can sign in by at site `s`. */
const signOnColumn = `(select p.name from sign_on p where p.site_id = s.id) as "signOn"`

/** Needs `asSystem`. */
export const countSites = statement({
  name: 'sites.count',
  parameters: {},
  row: { count: int },
  sql: 'select count(*)::int as count from site where retired_at is null',
})

export const brandingOf = statement({
  name: 'sites.branding',
  parameters: { site: int },
  row: answer,
  sql: `select to_json(row)::text as json from (select ${brandingColumns}, ${signOnColumn} from site s where s.id = :site) row`,
})

/** The branding with the logins of the demo that the site has, as long as their passwords are those hashes. Needs `asSystem`. */
export const demoBrandingOf = statement({
  name: 'sites.demoBranding',
  parameters: { site: int, accounts: z.array(int), hashes: z.array(text) },
  row: answer,
  sql: `select to_json(row)::text as json from (
    select ${brandingColumns}, ${signOnColumn}, array(
      select a.username from account a
      join unnest(:accounts::int[], :hashes::text[]) as demo (account, hash) on (demo.account, demo.hash) = (a.id, a.password)
      where coalesce(a.site_id, s.id) = s.id and a.disabled_at is null
      order by a.site_id nulls last, a.id) as "demoLogins"
    from site s where s.id = :site) row`,
})

const descriptions = 'description_nl, description_fr, description_en, description_de'

/** The configuration of site `s` for its accounts. `service` adds columns of a service, for editing. */
export const configColumns = ({
  service = '',
} = {}): string => `${brandingColumns}, s.admin_email as "adminEmail", s.mode, s.time_zone, s.id as site_number,
    s.allow_unknown_article as "allowUnknownArticle", s.unknown_winter_article as "unknownWinterArticleId",
    s.unknown_summer_article as "unknownSummerArticleId", s.unknown_all_season_article as "unknownAllSeasonArticleId",
    s.unknown_snow_article as "unknownSnowArticleId", s.allow_detailed_stock_report as "allowDetailedStockReport",
    s.allow_profile_depth as "allowProfileDepth", s.allow_tachometer as "allowTachometer",
    s.show_tyres_on_vehicle as "showTyresOnVehicle", s.show_tyres_at_customer as "showTyresAtCustomer",
    s.show_waste_tyres as "showWasteTyres",
    s.min_tread_summer as "minTreadSummer", s.min_tread_winter as "minTreadWinter", s.min_tread_truck_summer as "minTreadTruckSummer", s.min_tread_truck_winter as "minTreadTruckWinter",
    s.invoicing_quantity, s.invoicing_mode, s.invoicing_period,
    s.invoicing_article as invoicing_article_id, s.invoicing_document_type,
    s.auto_process_intake_on_full_scan as "autoProcessIntakeOnFullScan",
    s.warehouse_confirms_missing as "warehouseConfirmsMissing", s.presume_mounts as "presumeMounts", s.do_doc_insert as "doDocInsert",
    s.doc_insert_type as "docInsertType", s.doc_insert_asks as "docInsertAsks", s.doc_insert_exceptions as "docInsertExceptions",
    (select coalesce(json_agg(m), '[]') from (
      select id as _id, name, code, is_default as "default", ${descriptions}, operation_days as "operationDays",
        advance_days as "advanceDays", to_char(cutoff_hour, 'HH24:MI') as "cutoffHour",
        operations_per_day as "operationsPerDay", tyres_per_day as "tyresPerDay"
      from transport_method where site_id = s.id and removed_at is null order by is_default desc, id) m) as "transportMethods",
    (select coalesce(json_agg(d), '[]') from (
      select day, holiday, name from closed_day where site_id = s.id order by day) d) as "closedDays",
    (select coalesce(json_agg(v), '[]') from (
      select id as _id, icon, name, operation_type, article_number, article_insertion_method, preselected, blocked, ${descriptions}${service && `, ${service}`}
      from service where site_id = s.id and removed_at is null order by operation_type, id) v) as services`

export const configOf = statement({
  name: 'sites.config',
  parameters: { site: int },
  row: answer,
  sql: `select to_json(row)::text as json from (
    select ${configColumns()}, ${signOnColumn}, (select coalesce(json_agg(m), '[]') from (
        select id as _id, name, ${descriptions} from transport_method where site_id = s.id and removed_at is not null order by id) m)
      as "removedTransports"
    from site s where s.id = :site) row`,
})

export const extraOf = statement({
  name: 'sites.extra',
  parameters: { site: int, kinds: z.array(text) },
  row: answer,
  sql: `
    select json_build_object('vehicleTypes', (select json_agg(json_build_object('vet_description', array[kind])) from unnest(:kinds::text[]) kind),
      'labelReports', (select coalesce(json_agg(json_build_object('rpt_number', array[number], 'rpt_name', array[name]) order by number), '[]')
        from label_report where site_id = :site))::text as json`,
})

/** A row of vehicle_config in wire form. */
export const vehicleConfigJson = `json_build_object(
     'description', array[description], 'source', array[source],
     'configuration', json_build_array(json_build_object('axle_height', array[axle_height], 'axle_width', array[axle_width],
       'axles', json_build_array(json_build_object('axle', (
         select coalesce(json_agg(json_build_object(
           'type', array[a->>'type'],
           'lift_axle', array[case when (a->>'lift')::boolean then 'T' else '' end],
           'drive_axle', array[case when (a->>'drive')::boolean then 'T' else '' end],
           'steering_axle', array[case when (a->>'steering')::boolean then 'T' else '' end],
           'wheels_left', array[(a->>'left')::int], 'wheels_right', array[(a->>'right')::int]) order by nth), '[]')
         from jsonb_array_elements(axles) with ordinality as axle(a, nth)))))))`

export const vehicleConfigsOf = statement({
  name: 'sites.vehicleConfigs',
  parameters: { site: int },
  row: answer,
  sql: `
    select json_build_object('vehicleConfigs', coalesce(json_agg(${vehicleConfigJson} order by id), '[]'))::text as json
    from vehicle_config where site_id = :site`,
})

export const imageOf = statement({
  name: 'sites.image',
  parameters: { digest: text },
  row: { type: text, content: bytes },
  sql: 'select media_type as type, content from image where digest = :digest limit 1',
})
