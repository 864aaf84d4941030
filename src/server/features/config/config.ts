/**
 * A site's configuration, edited by its administrator or by the superuser, and the sites themselves (docs/product/sites.md "Site
 * configuration", "Sites"). A superuser belongs to no site: each of these calls works at the site that it names.
 */
import { Failure } from '#domain/failure.ts'
import { isHotel, siteImages, type SiteImage } from '#domain/site.ts'
import type { AnswerName, Input } from '#contract/call.ts'
import { firstSteps, superuserFields, type AdminConfig, type hotelconfig as calls } from '#contract/config.ts'
import { Json, type Tx } from '../../db/database.ts'
import { translate } from '../../texts/texts.ts'
import { requireUsableName } from '../customers/accountRules.ts'
import { enqueueMail, requireMail } from '../mail/enqueue.ts'
import { superusers, type Context, type Handlers, type Who } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import { chosenPassword, hashPassword } from '../session/password.ts'
import { reencodeInTurn, type Picture } from '../sites/images.ts'
import { claimHosts, freeCode, makeSite, saveImage } from '../sites/newSite.ts'
import { plannedRecalls } from './closedDays.sql.ts'
import { changesOf, type Changes } from './changes.ts'
import { listsAfter, readVersion, saveLists } from './lists.ts'
import { enterSite, publishSiteChange, siteIdOf } from './siteScope.ts'
import * as sql from './config.sql.ts'
import { countEdit } from './transports.sql.ts'
import { recordAudit } from '../audit/record.ts'

type Edit = Input<typeof calls.edit>

export const hotelconfig: Handlers['hotelconfig'] = {
  async adminconfig({ input, tx, who }) {
    return tx.json(sql.wholeConfig, { site: await enterSite(tx, who, input.id) })
  },

  async edit(context) {
    const { input, tx, who, now, request } = context
    const site = await enterSite(tx, who, input._id)
    const { code } = await tx.one(sql.lockSite, { site })
    const current = await readVersion(tx, site, input.version)

    const fields = changesOf(current, input, sql.siteFields)
    const urls = changesOf(sortedUrls(current), sortedUrls(input), ['urls'])
    refuseSuperuserFields(who, input, { ...fields, ...urls })
    if (fields.adminsNeedFactor || fields.adminSessionHours) requireFresh(context)
    if (fields.adminsNeedFactor && input.adminsNeedFactor) refuseImpossible(request)
    const lists = await saveLists({ tx, site, now }, current, input)
    if (fields.time_zone) await refuseUnknownTimeZone(tx, input.time_zone)
    await refuseUnknownArticles(tx, site, input)

    if (urls.urls) await saveUrls(tx, site, current.urls, input.urls ?? [])
    const facts = { ...fields, ...urls, ...lists }
    if (Object.keys(facts).length > 0) {
      await tx.run(sql.saveSite, { site, ...fieldsAfter(current, input) })
      await recordAudit({ tx, site: { id: site }, who, now }, 'config.edit', code, facts)
      publishSiteChange(request, site)
      if (depthFields.some(field => fields[field])) request.notify('everyone', { site, answers: depthAnswers })
    }
    return new Json(`{"config":${(await tx.json(sql.wholeConfig, { site })).text}}`)
  },

  async editentries({ input, tx, who, now, request }) {
    const site = await enterSite(tx, who, input.id)
    const { code } = await tx.one(sql.lockSite, { site })
    const current = await readVersion(tx, site, input.version)
    const facts = await saveLists({ tx, site, now }, current, listsAfter(current, input))
    if (Object.keys(facts).length > 0) {
      await tx.run(countEdit, { site })
      await recordAudit({ tx, site: { id: site }, who, now }, 'config.edit', code, facts)
      publishSiteChange(request, site)
    }
    return new Json(`{"config":${(await tx.json(sql.wholeConfig, { site })).text}}`)
  },

  async plannedrecalls({ input: { id, days }, tx, who }) {
    const site = await enterSite(tx, who, id)
    await tx.one(sql.knownSite, { site })
    return tx.json(plannedRecalls, { site, days })
  },

  async editconfigimage({ input, tx, who, now, request }) {
    const named = siteIdOf(who, input.id)
    const pictures = await readPictures(who, input)
    if (pictures.size === 0) throw new Failure('image.missing')
    const site = await enterSite(tx, who, named)
    const { code } = await tx.one(sql.lockSite, { site })
    for (const [kind, picture] of pictures) await saveImage(tx, site, kind, picture)
    await tx.run(sql.ownMark, { site })
    const facts = Object.fromEntries([...pictures].map(([kind, { digest }]) => [kind, digest]))
    await recordAudit({ tx, site: { id: site }, who, now }, 'config.image', code, facts)
    publishSiteChange(request, site)
    return tx.json(sql.imagesOf, { site })
  },

  async getall({ tx }) {
    await tx.asSystem()
    const counted = []
    for (const site of await tx.rows(sql.everySiteConfig, {})) {
      // row-level security shows customers and tyres of one site at a time
      await tx.asSite(site._id)
      counted.push({ ...site, ...(await tx.one(sql.countsOf, { site: site._id })) })
    }
    return counted
  },

  async new({ input, tx, who, now, lang, request }) {
    const pictures = await readPictures(who, input)
    if (pictures.size < siteImages.length) throw new Failure('image.missing')
    const { name, adminEmail, mode, urls, webstreamAccount, country, generated } = input
    const code = await freeCode(tx, input.default_site_code || name)
    const id = await makeSite(tx, {
      code,
      name,
      adminEmail,
      mode,
      urls,
      account: webstreamAccount,
      defaultSiteCode: input.default_site_code || code,
      ...(input.lang ? { language: input.lang } : country ? {} : { language: lang }),
      country,
      generatedMark: generated === 'yes',
      images: Object.fromEntries(pictures),
      by: who.account,
      now,
    })
    request.invalidateSites()
    request.notify('everyone', { site: superusers })
    return { _id: id, message: translate(lang, 'sites', 'siteMade', { name }) }
  },

  async delete({ input, tx, who, now, request }) {
    const site = await enterSite(tx, who, input._id)
    const { code, name } = await tx.one(sql.lockSite, { site })
    await tx.run(sql.retire, { site, now })
    await tx.run(sql.deleteHosts, { site, hosts: null })
    await tx.run(sql.endSiteSessions, { site })
    await recordAudit({ tx, site: { id: site }, who, now }, 'site.retire', code, { name })
    publishSiteChange(request, site)
    return { _id: site }
  },

  firststeps: async ({ tx, site }) => {
    const { dismissed, ...done } = await tx.single.one(sql.firstSteps, { site: site.id })
    const steps = firstSteps.filter(step => isHotel(site.mode) || (step !== 'racks' && step !== 'storage'))
    return { dismissed, steps: steps.map(step => ({ step, done: done[step] })) }
  },

  async dismissfirststeps({ tx, site, now }) {
    await tx.run(sql.dismissFirstSteps, { site: site.id, now })
    return { dismissed: true }
  },

  async admins({ input, tx, who }) {
    const site = await enterSite(tx, who, input.id)
    await tx.one(sql.knownSite, { site })
    return tx.json(sql.admins, { site })
  },

  async newadmin(context) {
    const { input, tx, who, now } = context
    const { username, fullname = '', email = '' } = input
    if (input.invite) requireMail(context)
    requireFresh(context)
    const site = await enterSite(tx, who, input.id)
    const { name } = await tx.one(sql.lockSite, { site })
    const chosen = input.invite
      ? null
      : await chosenPassword(input.password, [username, fullname, name].filter(Boolean))
    await tx.commit()
    const hash = chosen ? await hashPassword(chosen.password) : ''
    await tx.one(sql.lockSite, { site })
    await requireUsableName(tx, username)
    const added = await tx.maybe(sql.addAdmin, { site, username, fullname, email, hash, now })
    if (!added) throw new Failure('account.name_taken')
    await recordAudit({ tx, site: { id: site }, who, now }, 'account.create', `account ${added._id}`, { type: 'admin' })
    const facts = { created: true, type: 'admin' }
    await recordSecurityEvent(context, { kind: 'rolesChanged', account: added._id, facts })
    if (input.invite) await enqueueMail(context, added._id, 'invitation')
    return { ...added, bounced: null, password: chosen?.generated ? chosen.password : null }
  },
}

/**
 * A second factor that nobody can add would hold all administrators out: browsers offer passkeys to pages over https and on their own
 * machine only, and without SECRET_KEY no app is kept.
 * @throws Failure `config.factor_impossible`
 */
function refuseImpossible({ secrets, origin }: Context<unknown, 'anyone'>['request']): void {
  const { protocol, hostname } = new URL(origin)
  if (!secrets.isPersistent && protocol !== 'https:' && hostname !== 'localhost')
    throw new Failure('config.factor_impossible')
}

/** The pictures of an upload. */
async function readPictures(
  who: Who,
  input: Partial<Record<SiteImage, Uint8Array | Blob | undefined>>,
): Promise<Map<SiteImage, Picture>> {
  const pictures = new Map<SiteImage, Picture>()
  const party = { site: who.site ?? 'none', account: who.account }
  for (const kind of siteImages) {
    const file = input[kind]
    if (file instanceof Uint8Array) pictures.set(kind, await reencodeInTurn(kind, file, party))
  }
  return pictures
}

// ---- What an edit changes -----------------------------------------------------------------------------------------------------

/** Fields that decide what answers about tyres hold, and those answers. */
const depthFields = [
  'allowProfileDepth',
  'showWasteTyres',
  'minTreadSummer',
  'minTreadWinter',
  'minTreadTruckSummer',
  'minTreadTruckWinter',
] as const satisfies readonly sql.SiteField[]
const depthAnswers: readonly AnswerName[] = [
  'fleet.fetch',
  'fleet.health',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.vehicle',
  'tyres.events',
  'tyres.forecast',
  'operations.fetch',
  'operations.admin',
  'operations.completedbydate',
  'operations.adminopsbydate',
]

const sortedUrls = <C extends { urls?: string[] | undefined }>({ urls }: C): { urls?: string[] } =>
  urls ? { urls: [...new Set(urls)].toSorted() } : {}

/** The fields of a site after an edit. */
function fieldsAfter(current: AdminConfig, input: Edit): Pick<AdminConfig, sql.SiteField> {
  const after = sql.siteFields.map(field => [field, input[field] === undefined ? current[field] : input[field]])
  return Object.fromEntries(after) as Pick<AdminConfig, sql.SiteField>
}

async function saveUrls(tx: Tx, site: number, current: readonly string[], wanted: readonly string[]): Promise<void> {
  await tx.run(sql.deleteHosts, { site, hosts: current.filter(url => !wanted.includes(url)) })
  await claimHosts(
    tx,
    site,
    wanted.filter(url => !current.includes(url)),
  )
}

// ---- Validation -------------------------------------------------------------------------------------------------

/**
 * A superuser fills in all of the superuser's fields; an administrator leaves them as they are.
 * @throws Failure `request.invalid`, `session.forbidden`
 */
function refuseSuperuserFields(who: Who, input: Edit, changes: Changes): void {
  if (who.type === 'superuser') {
    const filled = superuserFields.safeParse(input)
    if (!filled.success)
      throw new Failure('request.invalid', { fields: filled.error.issues.map(({ path }) => path.join('.')) })
  } else if (Object.keys(superuserFields.shape).some(field => changes[field])) throw new Failure('session.forbidden')
}

/** Both JavaScript and PostgreSQL calculate with the time zone. @throws Failure `request.invalid` */
async function refuseUnknownTimeZone(tx: Tx, timeZone: string): Promise<void> {
  const invalid = new Failure('request.invalid', { fields: ['time_zone'] })
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format()
  } catch {
    throw invalid
  }
  if (!(await tx.maybe(sql.knownTimeZone, { timeZone }))) throw invalid
}

const articleFields = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
  'unknownSnowArticleId',
  'invoicing_article_id',
] as const satisfies readonly (keyof AdminConfig)[]

/** @throws Failure `config.article_missing` with the ids of articles that the site does not have */
async function refuseUnknownArticles(tx: Tx, site: number, input: Edit): Promise<void> {
  const named = [...new Set(articleFields.map(field => input[field]).filter(id => id !== null))]
  if (named.length === 0) return
  const existingArticles = await tx.rows(sql.knownArticles, { site, articles: named })
  const articles = named.filter(id => !existingArticles.some(row => row.id === id))
  if (articles.length > 0) throw new Failure('config.article_missing', { articles })
}
