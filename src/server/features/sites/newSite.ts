/** Making a site, for the superuser's screen and for the command line alike: it begins with what every tyre hotel needs. */
import { configurationTemplates, drawnWidth } from '#domain/axle.ts'
import type { Language } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import type { Mode, SiteImage } from '#domain/site.ts'
import { templateKeys } from '#domain/templateKeys.ts'
import { statement, type Tx } from '../../db/database.ts'
import type { Picture } from './images.ts'
import { translate } from '../../texts/texts.ts'

export type NewSite = {
  readonly code: string
  readonly name: string
  readonly adminEmail: string
  readonly mode: Mode
  /** Hosts as they are asked for, in small letters; `*` is every address that no site claims. */
  readonly urls: readonly string[]
  readonly account?: string
  readonly defaultSiteCode?: string
  readonly language?: Language
  readonly images?: Partial<Record<SiteImage, Picture>>
  /** Who makes it, where an account does. */
  readonly by: number | null
  readonly now: Date
}

const lockCodes = statement('newSite.lockCodes', `select pg_advisory_xact_lock(hashtextextended('site code', 0))`)
/** The code of the first word that is free: `gent`, else `gent-2` and so on. */
const freeCodeOf = statement(
  'newSite.freeCode',
  `select code from (
     select nth, case when nth = 1 then $1 else left($1, 39 - length(nth::text)) || '-' || nth end as code
     from generate_series(1, 10000) nth) wanted
   where not exists (select from site s where s.code = wanted.code) order by nth limit 1`,
)
const insertSite = statement(
  'newSite.insert',
  `insert into site (code, name, admin_email, mode, account, default_site_code, language)
   select $1, $2, $3, $4, $5, $6, $7
   where not exists (select from site where code = $1) on conflict (code) do nothing returning id`,
)
const insertReports = statement(
  'newSite.reports',
  `insert into label_report (site_id, number, name, layout) values
     ($1, 1, '62 × 100 mm', 'roll_62x100'), ($1, 2, '57 × 32 mm', 'roll_57x32'), ($1, 3, 'A4 2 × 7', 'sheet_a4_2x7')`,
)
/** Articles that stand for what no catalogue has: a tyre of a season, and the storage itself. A search does not find them. */
const insertPlaceholders = statement(
  'newSite.placeholders',
  `with made as (
     insert into article (site_id, brand, description, season, unknown)
     select $1, '', description, season, true from json_to_recordset($2::json) as p (season text, description text)
     returning id, season)
   update site set
     unknown_winter_article = (select id from made where season = 'winter'),
     unknown_summer_article = (select id from made where season = 'summer'),
     unknown_all_season_article = (select id from made where season = 'all_season'),
     unknown_snow_article = (select id from made where season = 'snow'),
     invoicing_article = (select id from made where season is null)
   where id = $1`,
)
const insertConfigs = statement(
  'newSite.configs',
  `insert into vehicle_config (site_id, description, axle_width, axles)
   select $1, name, width, axles from json_to_recordset($2::json) as c (name text, width int, axles jsonb)`,
)
/** Hosts that are somebody's stay theirs; those that are now this site's are answered. */
const claimHosts = statement(
  'newSite.claim',
  `insert into site_address (host, site_id) select host, $1 from unnest($2::text[]) host order by host
   on conflict (host) do nothing returning host`,
)
const keepImage = statement(
  'newSite.image',
  `insert into image (site_id, kind, media_type, digest, content) values ($1, $2, $3, $4, $5)
   on conflict (site_id, kind) do update
     set media_type = excluded.media_type, digest = excluded.digest, content = excluded.content`,
)
const auditSite = statement(
  'newSite.audit',
  `insert into audit (site_id, account_id, at, action, subject, facts) values ($1, $2, $3, 'site.create', $4, $5)`,
)

/**
 * A code for a site from what it is called: small letters, digits and dashes, and no other site's, also of those that are
 * being made.
 */
export async function freeCode(tx: Tx, name: string): Promise<string> {
  await tx.asSystem()
  await tx.rows(lockCodes)
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return (await tx.one<{ code: string }>(freeCodeOf, [plain || 'site'])).code
}

/**
 * Makes the site with its addresses, images, label reports, placeholder articles and the usual vehicle configurations; the transaction works at
 * this site from then on.
 * @throws Failure `config.code_taken`, `config.url_taken` with the `urls` that are another site's.
 */
export async function makeSite(tx: Tx, asked: NewSite): Promise<number> {
  const language = asked.language ?? 'dut'
  await tx.asSystem()
  const site = await tx.maybe<{ id: number }>(insertSite, [
    asked.code,
    asked.name,
    asked.adminEmail,
    asked.mode,
    asked.account ?? '',
    asked.defaultSiteCode ?? asked.code,
    language,
  ])
  if (!site) throw new Failure('config.code_taken')
  await tx.asSite(site.id)
  await claim(tx, site.id, asked.urls)
  await tx.rows(insertReports, [site.id])
  const placeholders = (['winter', 'summer', 'all_season', 'snow', null] as const).map(season => ({
    season,
    description: translate(language, 'superuser', `article.${season ?? 'storage'}`),
  }))
  await tx.rows(insertPlaceholders, [site.id, JSON.stringify(placeholders)])
  const configs = configurationTemplates.map(({ name, axles }) => ({
    name: translate(language, 'config', `vehicleConfigs.template.${templateKeys[name]}`),
    axles,
    width: drawnWidth(axles),
  }))
  await tx.rows(insertConfigs, [site.id, JSON.stringify(configs)])
  for (const [kind, picture] of Object.entries(asked.images ?? {})) await hang(tx, site.id, kind as SiteImage, picture)
  const { code, name, mode, urls } = asked
  await tx.rows(auditSite, [site.id, asked.by, asked.now, code, JSON.stringify({ name, mode, urls })])
  return site.id
}

/**
 * Gives a site the hosts that nobody else has.
 * @throws Failure `config.url_taken`
 */
export async function claim(tx: Tx, site: number, urls: readonly string[]): Promise<void> {
  const wanted = [...new Set(urls)]
  const got = await tx.rows<{ host: string }>(claimHosts, [site, wanted])
  const taken = wanted.filter(url => !got.some(({ host }) => host === url))
  if (taken.length > 0) throw new Failure('config.url_taken', { urls: taken })
}

/** Keeps a picture as this image of the site, in the place of the one before. */
export const hang = (
  tx: Tx,
  site: number,
  kind: SiteImage,
  { mediaType, digest, content }: Picture,
): Promise<unknown> => tx.rows(keepImage, [site, kind, mediaType, digest, content])
