/** The site of a request, its configuration and its images (SPEC §3 "Site config", §7; DESIGN §5). */
import type { FastifyInstance } from 'fastify'
import { Failure } from '#domain/failure.ts'
import { vehicleKinds } from '#domain/vehicle.ts'
import { statement, type Database } from '../../db/database.ts'
import type { Handlers, Site } from '../handler.ts'

const everySite = statement(
  'sites.all',
  `select id, code, name, mode, language, time_zone as "timeZone",
     allow_unknown_article as "allowUnknownArticle", allow_profile_depth as "allowProfileDepth",
     allow_tachometer as "allowTachometer", show_tyres_on_vehicle as "showTyresOnVehicle",
     show_tyres_at_customer as "showTyresAtCustomer", show_waste_tyres as "showWasteTyres",
     auto_process_intake_on_full_scan as "autoProcessIntakeOnFullScan", do_doc_insert as "doDocInsert",
     doc_insert_type as "docInsertType", doc_insert_exceptions as "docInsertExceptions",
     array(select host from site_address a where a.site_id = site.id order by host) as hosts
   from site where retired_at is null order by id`,
)

/** How long a node works with the sites it read; what it changes itself it forgets at once. */
const rememberFor = 2000
const remembered = new WeakMap<Database, { sites: Promise<readonly Site[]>; until: number }>()

/** Reads the sites anew at the next request. */
export const invalidateSites = (database: Database): void => void remembered.delete(database)

function sitesOf(database: Database): Promise<readonly Site[]> {
  const now = performance.now()
  const known = remembered.get(database)
  if (known && known.until > now) return known.sites
  const sites = database.transaction({ system: true }, tx => tx.single.rows<Site>(everySite))
  remembered.set(database, { sites, until: now + rememberFor })
  sites.catch(() => remembered.delete(database))
  return sites
}

/**
 * The site of a host: the one that claims it among its addresses, else the default site by its code, else the one that
 * claims `*`, else the only one there is (DESIGN §5). `null` when the address is nobody's.
 */
export async function findSite(database: Database, host: string, defaultCode?: string): Promise<Site | null> {
  const sites = await sitesOf(database)
  const asked = host.toLowerCase()
  const claiming = (address: string): Site | undefined => sites.find(site => site.hosts.includes(address))
  return (
    claiming(asked) ??
    (defaultCode ? sites.find(site => site.code === defaultCode) : undefined) ??
    claiming('*') ??
    (sites.length === 1 ? sites[0] : undefined) ??
    null
  )
}

/** The path of an image of site `s`. */
export const imagePath = (kind: string): string =>
  `(select '/images/' || i.digest || '.' || split_part(i.media_type, '/', 2) from image i where i.site_id = s.id and i.kind = '${kind}')`

const brandingColumns = `s.name, s.language as lang, ${imagePath('navlogo')} as "navlogoPath",
  ${imagePath('landinglogo')} as "landinglogoPath", ${imagePath('favicon')} as "faviconPath"`

const brandingOf = statement(
  'sites.branding',
  `select to_json(row)::text as json from (select ${brandingColumns} from site s where s.id = $1) row`,
)

const descriptions = 'description_nl, description_fr, description_en, description_de'

/** The configuration of site `s` for the signed in; `service` names columns of services that only who edits them needs. */
export const configColumns = ({
  service = '',
} = {}): string => `${brandingColumns}, s.admin_email as "adminEmail", s.mode, s.time_zone, s.id as site_number,
    s.allow_unknown_article as "allowUnknownArticle", s.unknown_winter_article as "unknownWinterArticleId",
    s.unknown_summer_article as "unknownSummerArticleId", s.unknown_all_season_article as "unknownAllSeasonArticleId",
    s.unknown_snow_article as "unknownSnowArticleId", s.allow_detailed_stock_report as "allowDetailedStockReport",
    s.allow_profile_depth as "allowProfileDepth", s.allow_tachometer as "allowTachometer",
    s.show_tyres_on_vehicle as "showTyresOnVehicle", s.show_tyres_at_customer as "showTyresAtCustomer",
    s.show_waste_tyres as "showWasteTyres", s.invoicing_quantity, s.invoicing_mode, s.invoicing_period,
    s.invoicing_article as invoicing_article_id, s.invoicing_document_type,
    s.auto_process_intake_on_full_scan as "autoProcessIntakeOnFullScan", s.do_doc_insert as "doDocInsert",
    s.doc_insert_type as "docInsertType", s.doc_insert_exceptions as "docInsertExceptions",
    (select coalesce(json_agg(m), '[]') from (
      select id as _id, name, code, is_default as "default", ${descriptions}, operation_days as "operationDays",
        advance_days as "advanceDays", to_char(cutoff_hour, 'HH24:MI') as "cutoffHour",
        operations_per_day as "operationsPerDay", tyres_per_day as "tyresPerDay"
      from transport_method where site_id = s.id and removed_at is null order by is_default desc, id) m) as "transportMethods",
    (select coalesce(json_agg(v), '[]') from (
      select id as _id, icon, name, operation_type, article_number, article_insertion_method, preselected, blocked, ${descriptions}${service && `, ${service}`}
      from service where site_id = s.id and removed_at is null order by operation_type, id) v) as services`

const configOf = statement(
  'sites.config',
  `select to_json(row)::text as json from (select ${configColumns()} from site s where s.id = $1) row`,
)

const extraOf = statement(
  'sites.extra',
  `select json_build_object('vehicleTypes', (select json_agg(json_build_object('vet_description', array[kind])) from unnest($2::text[]) kind),
     'labelReports', (select coalesce(json_agg(json_build_object('rpt_number', array[number], 'rpt_name', array[name]) order by number), '[]')
       from label_report where site_id = $1))::text as json`,
)

/** A row of vehicle_config as it travels (SPEC §3 "Vehicle configuration"). */
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

const vehicleConfigsOf = statement(
  'sites.vehicleConfigs',
  `select json_build_object('vehicleConfigs', coalesce(json_agg(${vehicleConfigJson} order by id), '[]'))::text as json
   from vehicle_config where site_id = $1`,
)

export const site: Handlers['site'] = {
  gsc: ({ tx, who, site }) => tx.json(who && who.type !== 'superuser' ? configOf : brandingOf, [site.id]),
  tsconfigdata: ({ tx, site }) => tx.json(extraOf, [site.id, vehicleKinds]),
  getvehicleconfigs: ({ tx, site }) => tx.json(vehicleConfigsOf, [site.id]),
}

const imageOf = statement('sites.image', `select media_type as type, content from image where digest = $1 limit 1`)

/** Serves logos and favicons under a path that changes with their content, so that browsers keep them for good. */
export function mountImages(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
    const digest = /^([0-9a-f]{64})\.(png|jpeg|webp)$/.exec(request.params.file)?.[1]
    const image =
      digest &&
      (await database.transaction({ system: true }, tx =>
        tx.maybe<{ type: string; content: Buffer }>(imageOf, [digest]),
      ))
    if (!image) throw new Failure('record.missing')
    return reply.type(image.type).header('cache-control', 'public, max-age=31536000, immutable').send(image.content)
  })
}
