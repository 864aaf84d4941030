/** Makes a site with what every tyre hotel needs at first, for the superuser's screen and for the command line. */
import type { Language } from '#domain/people/account.ts'
import { configurationTemplates, defaultAxleWidth } from '#domain/vehicles/axle.ts'
import { Failure } from '#domain/failure.ts'
import { type Country, languageOfCountry, publicHolidays, timeZoneOf } from '#domain/operations/closedDays.ts'
import { isServiceIcon } from '#domain/operations/serviceIcon.ts'
import { isHotel, type Mode, type SiteImage } from '#domain/site.ts'
import { templateKeys } from '#domain/texts/templateKeys.ts'
import type { Tx } from '../../db/database.ts'
import { translate } from '../../texts/texts.ts'
import type { Picture } from './images.ts'
import * as sql from './newSite.sql.ts'
import { recordAudit } from '../audit/record.ts'

export type NewSite = {
  readonly code: string
  readonly name: string
  readonly adminEmail: string
  readonly mode: Mode
  /** Host names in lower case; `*` is every address that no site claims. */
  readonly urls: readonly string[]
  readonly account?: string
  readonly defaultSiteCode?: string
  readonly language?: Language
  /** Whose time zone, holidays and usual services and transport methods it begins with. */
  readonly country?: Country | undefined
  readonly generatedMark?: boolean
  readonly images?: Partial<Record<SiteImage, Picture>>
  /** The account that makes it; null for the command line. */
  readonly by: number | null
  readonly now: Date
}

/**
 * A free code for a site, made from its name: lower case letters, digits and dashes. Sites that are being made at the same time
 * count, too. The transaction works as the system from then on.
 */
export async function freeCode(tx: Tx, name: string): Promise<string> {
  await tx.asSystem()
  await tx.run(sql.lockCodes, {})
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return (await tx.one(sql.freeCodeOf, { code: plain || 'site' })).code
}

/**
 * Makes a site with its addresses, images, label reports, placeholder articles and common vehicle configurations. The
 * transaction works at this site from then on.
 * @throws Failure `config.code_taken`; `config.url_taken` with the `urls` of other sites
 */
export async function makeSite(tx: Tx, wanted: NewSite): Promise<number> {
  const { code, name, adminEmail, mode, urls, account = '', defaultSiteCode = code, country } = wanted
  const language = wanted.language ?? (country ? languageOfCountry[country] : 'dut')
  await tx.asSystem()
  const row = await tx.maybe(sql.insertSite, {
    code,
    name,
    adminEmail,
    mode,
    account,
    defaultCode: defaultSiteCode,
    language,
    timeZone: country ? timeZoneOf(country) : 'Europe/Brussels',
    generatedMark: wanted.generatedMark ?? false,
  })
  if (!row) throw new Failure('config.code_taken')
  const site = row.id
  await tx.asSite(site)
  await claimHosts(tx, site, urls)
  await tx.run(sql.insertReports, { site })
  const articles = (['winter', 'summer', 'all_season', 'snow', null] as const).map(season => ({
    season,
    description: translate(language, 'sites', `article.${season ?? 'storage'}`),
  }))
  // without them nobody could add a tyre before there is a catalogue
  await tx.run(sql.insertPlaceholders, { site, articles: JSON.stringify(articles), allowed: country !== undefined })
  const configs = configurationTemplates.map(template => ({
    name: translate(language, 'config', `vehicleConfigs.template.${templateKeys[template.name]}`),
    axles: template.axles,
    width: defaultAxleWidth(template.axles),
  }))
  await tx.run(sql.insertConfigs, { site, configs: JSON.stringify(configs) })
  if (country && isHotel(mode)) await fillFromTemplate(tx, site, { country, language, now: wanted.now })
  for (const [kind, picture] of Object.entries(wanted.images ?? {}))
    await saveImage(tx, site, kind as SiteImage, picture)
  const facts = { name, mode, urls }
  await recordAudit(
    { tx, site: { id: site }, who: { account: wanted.by }, now: wanted.now },
    'site.create',
    code,
    facts,
  )
  return site
}

/** Texts of the four descriptions of a transport method or a service. */
const descriptionsOf = (key: TemplateText) => ({
  description_nl: translate('dut', 'sites', `template.${key}`),
  description_fr: translate('fre', 'sites', `template.${key}`),
  description_en: translate('eng', 'sites', `template.${key}`),
  description_de: translate('ger', 'sites', `template.${key}`),
})
type TemplateText = 'ownVan' | 'collected' | 'inspection' | 'washing' | 'mounting' | 'recycling'

/** Services and transport methods that most tyre hotels have, two example racks, and the country's holidays; all can be changed. */
async function fillFromTemplate(
  tx: Tx,
  site: number,
  { country, language, now }: { country: Country; language: Language; now: Date },
): Promise<void> {
  const named = (key: TemplateText) => ({
    name: translate(language, 'sites', `template.${key}`),
    ...descriptionsOf(key),
  })
  const transports = [
    { code: 'VAN', is_default: true, days: [1, 2, 3, 4, 5], advance: 2, cutoff: '12:00', ...named('ownVan') },
    { code: 'PICKUP', is_default: false, days: [1, 2, 3, 4, 5, 6], advance: 1, cutoff: '16:00', ...named('collected') },
  ]
  await tx.run(sql.insertTransports, { site, transports: JSON.stringify(transports) })
  const services = [
    { type: 'to_stock', icon: 'search', preselected: true, ...named('inspection') },
    { type: 'to_stock', icon: null, preselected: false, ...named('washing') },
    { type: 'to_customer', icon: null, preselected: false, ...named('mounting') },
    { type: 'to_waste', icon: 'recycle', preselected: true, ...named('recycling') },
  ]
  await tx.run(sql.insertServices, {
    site,
    services: JSON.stringify(
      services.map(service => ({
        ...service,
        icon: service.icon && isServiceIcon(service.icon) ? service.icon : null,
      })),
    ),
  })
  await tx.run(sql.insertRacks, { site, warehouse: translate(language, 'sites', 'template.warehouse') })
  const year = now.getUTCFullYear()
  const day = now.toISOString().slice(0, 10)
  const days = [year, year + 1].flatMap(ofYear => publicHolidays(country, ofYear)).filter(closed => closed.day >= day)
  await tx.run(sql.insertClosedDays, { site, days: JSON.stringify(days) })
}

/**
 * Gives a site these host names, unless another one has them.
 * @throws Failure `config.url_taken` with the `urls` of other sites
 */
export async function claimHosts(tx: Tx, site: number, urls: readonly string[]): Promise<void> {
  const wanted = [...new Set(urls)]
  const claimed = await tx.rows(sql.insertHosts, { site, hosts: wanted })
  const taken = wanted.filter(url => !claimed.some(({ host }) => host === url))
  if (taken.length > 0) throw new Failure('config.url_taken', { urls: taken })
}

/** Saves a picture as this image of the site, in place of the one before. */
export const saveImage = (tx: Tx, site: number, kind: SiteImage, picture: Picture): Promise<void> =>
  tx.run(sql.upsertImage, { site, kind, ...picture })
