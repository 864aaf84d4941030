/**
 * A site's configuration, edited by its administrator or by the superuser, and the sites themselves (SPEC §3 "Site config",
 * "Hotel config", §5, §6; DESIGN §5, §7). A superuser belongs to no site: each of these calls goes to work at the one it
 * names.
 */
import { Failure } from '#domain/failure.ts'
import { siteImages, type SiteImage } from '#domain/site.ts'
import { adminConfig, superuserFields, type AdminConfig, type hotelconfig as calls } from '#contract/hotelconfig.ts'
import type { AnswerName, Input } from '#contract/call.ts'
import { refuseNameOfSuperuser } from '../customers/accounts.ts'
import { Json, type Tx } from '../../db/database.ts'
import { superusers, type Handlers, type Who } from '../handler.ts'
import * as sql from './hotelconfig.sql.ts'
import { remade, type Picture } from '../sites/images.ts'
import { claim, freeCode, hang, makeSite } from '../sites/newSite.ts'
import { chosenPassword, hashPassword } from '../session/password.ts'
import { translate } from '../../texts/texts.ts'
import { oneAtATime } from '../../concurrency.ts'

type Edit = Input<typeof calls.edit>
type Changes = Record<string, readonly [from: unknown, to: unknown]>

export const hotelconfig: Handlers['hotelconfig'] = {
  async adminconfig({ input, tx, who }) {
    return tx.json(sql.wholeConfig, [await enter(tx, who, input.id)])
  },

  async edit({ input, tx, who, now, request }) {
    const id = await enter(tx, who, input._id)
    const { code } = await tx.one<{ code: string }>(sql.lockSite, [id])
    const kept = adminConfig.parse(JSON.parse((await tx.json(sql.wholeConfig, [id])).text))
    if (input.version !== undefined && input.version !== kept.version) throw new Failure('config.changed')

    const fields = changesOf(kept, input, Object.keys(sql.siteColumns) as sql.SiteField[])
    const urls = changesOf(sorted(kept), sorted(input), ['urls'])
    guardSuperuserFields(who, input, { ...fields, ...urls })
    const lists = {
      transportMethods: listChanges(kept.transportMethods, input.transportMethods),
      services: listChanges(kept.services, input.services),
    }
    if (fields.time_zone) await refuseUnknownTimeZone(tx, input.time_zone)
    await refuseUnknownArticles(tx, id, input)

    if (urls.urls) {
      const wanted = input.urls ?? []
      await tx.rows(sql.freeHosts, [id, kept.urls.filter(url => !wanted.includes(url))])
      await claim(
        tx,
        id,
        wanted.filter(url => !kept.urls.includes(url)),
      )
    }
    const facts: Record<string, unknown> = { ...fields, ...urls }
    for (const name of ['transportMethods', 'services'] as const) {
      const { added, changed, removed } = lists[name]
      const { add, change, remove } = sql.lists[name]
      if (removed.length > 0) await tx.rows(remove, [id, removed.map(({ _id }) => _id), now])
      if (name === 'transportMethods' && changed.some(({ changes }) => changes.default))
        await tx.rows(sql.noDefault, [id])
      if (changed.length > 0) await tx.rows(change, [id, JSON.stringify(changed.map(({ row }) => row))])
      if (name === 'transportMethods' && added.some(row => 'default' in row && row.default))
        await tx.rows(sql.noDefault, [id])
      const made = added.length > 0 ? await tx.rows<{ id: number }>(add, [id, JSON.stringify(added)]) : []
      if (added.length + changed.length + removed.length > 0)
        facts[name] = {
          added: added.map((row, nth) => ({ ...row, _id: made[nth]?.id })),
          changed: changed.map(({ row, changes }) => ({ _id: row._id, name: row.name, ...changes })),
          removed: removed.map(({ _id, name: called }) => ({ _id, name: called })),
        }
    }
    if (Object.keys(facts).length > 0) {
      const values = (Object.keys(sql.siteColumns) as sql.SiteField[]).map(field =>
        input[field] === undefined ? kept[field] : input[field],
      )
      await tx.rows(sql.saveSite, [id, ...values])
      await tx.rows(sql.audit, [id, who.account, now, 'config.edit', code, JSON.stringify(facts)])
      request.invalidateSites()
      request.notify('everyone', { site: id })
      request.notify('everyone', { site: superusers })
      if (shownFields.some(field => fields[field])) request.notify('everyone', { site: id, answers: shownIn })
    }
    return new Json(`{"config":${(await tx.json(sql.wholeConfig, [id])).text}}`)
  },

  async editconfigimage({ input, tx, who, now, request }) {
    const named = siteOf(who, input.id)
    const pictures = await picturesOf(who, input)
    if (pictures.size === 0) throw new Failure('image.missing')
    const id = await enter(tx, who, named)
    const { code } = await tx.one<{ code: string }>(sql.lockSite, [id])
    for (const [kind, picture] of pictures) await hang(tx, id, kind, picture)
    const facts = Object.fromEntries([...pictures].map(([kind, { digest }]) => [kind, digest]))
    await tx.rows(sql.audit, [id, who.account, now, 'config.image', code, JSON.stringify(facts)])
    request.invalidateSites()
    request.notify('everyone', { site: id })
    request.notify('everyone', { site: superusers })
    return tx.json(sql.imagesOf, [id])
  },

  async getall({ tx }) {
    await tx.asSystem()
    const sites = await tx.rows<Omit<HotelRow, 'customers' | 'tyres'>>(sql.everySite)
    const counted: HotelRow[] = []
    for (const site of sites) {
      // whose rows these are is what row-level security goes by: one site after the other
      await tx.asSite(site._id)
      counted.push({ ...site, ...(await tx.one<{ customers: number; tyres: number }>(sql.countsOf, [site._id])) })
    }
    return counted
  },

  async new({ input, tx, who, now, lang, request }) {
    const pictures = await picturesOf(who, input)
    if (pictures.size < siteImages.length) throw new Failure('image.missing')
    const { name, adminEmail, mode, urls, webstreamAccount } = input
    const code = await freeCode(tx, input.default_site_code || name)
    const id = await makeSite(tx, {
      code,
      name,
      adminEmail,
      mode,
      urls,
      account: webstreamAccount,
      defaultSiteCode: input.default_site_code || code,
      language: lang,
      images: Object.fromEntries(pictures),
      by: who.account,
      now,
    })
    request.invalidateSites()
    request.notify('everyone', { site: superusers })
    return { _id: id, message: translate(lang, 'superuser', 'siteMade', { name }) }
  },

  async delete({ input, tx, who, now, request }) {
    const id = await enter(tx, who, input._id)
    const { code, name } = await tx.one<{ code: string; name: string }>(sql.lockSite, [id])
    await tx.rows(sql.retire, [id, now])
    await tx.rows(sql.freeHosts, [id, null])
    await tx.rows(sql.endSessions, [id])
    await tx.rows(sql.audit, [id, who.account, now, 'site.retire', code, JSON.stringify({ name })])
    request.invalidateSites()
    request.notify('everyone', { site: id })
    request.notify('everyone', { site: superusers })
    return { _id: id }
  },

  async admins({ input, tx, who }) {
    const id = await enter(tx, who, input.id)
    await tx.one(sql.knownSite, [id])
    return tx.json(sql.admins, [id])
  },

  async newadmin({ input, tx, who, now }) {
    const { password, madeUp } = chosenPassword(input.password)
    const hash = await hashPassword(password)
    const id = await enter(tx, who, input.id)
    await tx.one(sql.lockSite, [id])
    await refuseNameOfSuperuser(tx, input.username)
    const made = await tx.maybe<Admin>(sql.newAdmin, [id, input.username, input.fullname ?? '', hash, now])
    if (!made) throw new Failure('account.name_taken')
    const subject = `account ${made._id}`
    await tx.rows(sql.audit, [id, who.account, now, 'account.create', subject, JSON.stringify({ type: 'admin' })])
    return { ...made, password: madeUp ? password : null }
  },
}

type HotelRow =
  Awaited<ReturnType<Handlers['hotelconfig']['getall']>> extends infer A
    ? Extract<A, readonly unknown[]>[number]
    : never
type Admin = { _id: number; username: string; fullname: string; disabled: boolean; created: string }

/** The site that is meant: an administrator's own, the one that a superuser names. Somebody else's is missing. */
function siteOf(who: Who, named: number | undefined): number {
  if (who.type === 'superuser') {
    if (named === undefined) throw new Failure('request.invalid', { fields: ['id'] })
    return named
  }
  if (who.site === null || (named !== undefined && named !== who.site)) throw new Failure('record.missing')
  return who.site
}

/** Goes to work at the site that is meant. */
async function enter(tx: Tx, who: Who, named: number | undefined): Promise<number> {
  const id = siteOf(who, named)
  if (who.type === 'superuser') await tx.asSite(id)
  return id
}

/** The pictures that were sent, made anew in turn: so much memory is needed once, whoever else uploads or prints. */
async function picturesOf(
  who: Who,
  input: Partial<Record<SiteImage, Uint8Array | Blob | undefined>>,
): Promise<Map<SiteImage, Picture>> {
  const pictures = new Map<SiteImage, Picture>()
  for (const kind of siteImages) {
    const file = input[kind]
    if (file instanceof Uint8Array) pictures.set(kind, await oneAtATime(who.account, () => remade(kind, file)))
  }
  return pictures
}

/** What answers about tyres hold hangs on these. */
const shownFields = ['allowProfileDepth', 'showWasteTyres'] as const satisfies readonly sql.SiteField[]
const shownIn: readonly AnswerName[] = [
  'fleet.fetch',
  'fleet.vehicle',
  'tyres.events',
  'operations.fetch',
  'operations.admin',
  'operations.completedbydate',
  'operations.adminopsbydate',
]

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const sorted = <C extends { urls?: string[] | undefined }>(config: C): { urls?: string[] } =>
  config.urls ? { urls: [...new Set(config.urls)].toSorted() } : {}

/** What is asked to be otherwise than it is, by field; what is not asked for stays. */
function changesOf<F extends string>(
  kept: { readonly [field in F]?: unknown },
  asked: { readonly [field in F]?: unknown },
  fields: readonly F[],
): Partial<Record<F, readonly [from: unknown, to: unknown]>> {
  const different = fields.filter(field => asked[field] !== undefined && !same(asked[field], kept[field]))
  return Object.fromEntries(different.map(field => [field, [kept[field], asked[field]]])) as never
}

/** SPEC §5, §6: a superuser fills in all of the extra fields; an administrator leaves them as they are. */
function guardSuperuserFields(who: Who, input: Edit, changes: Changes): void {
  if (who.type === 'superuser') {
    const filled = superuserFields.safeParse(input)
    if (!filled.success)
      throw new Failure('request.invalid', { fields: filled.error.issues.map(({ path }) => path.join('.')) })
  } else if (Object.keys(superuserFields.shape).some(field => changes[field])) throw new Failure('session.forbidden')
}

type Listed = { readonly _id: number; readonly name: string }

/** What happens to a list: rows without an id are new, those that are left out go. An id that is not in it is missing. */
function listChanges<K extends Listed, A extends { _id?: number | undefined; name: string }>(
  kept: readonly K[],
  asked: readonly A[],
): {
  added: A[]
  changed: { row: A & Listed; changes: Changes }[]
  removed: readonly K[]
} {
  const named = asked.filter((row): row is A & Listed => row._id !== undefined)
  const changed = named.map(row => {
    const before = kept.find(({ _id }) => _id === row._id)
    if (!before) throw new Failure('record.missing')
    return { row, changes: changesOf(before as object, row as object, Object.keys(row) as never[]) as Changes }
  })
  return {
    added: asked.filter(row => row._id === undefined),
    changed: changed.filter(({ changes }) => Object.keys(changes).length > 0),
    removed: kept.filter(({ _id }) => !named.some(row => row._id === _id)),
  }
}

/** A time zone has to be known to both who reckon with it. */
async function refuseUnknownTimeZone(tx: Tx, zone: string): Promise<void> {
  const invalid = new Failure('request.invalid', { fields: ['time_zone'] })
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone }).format()
  } catch {
    throw invalid
  }
  if (!(await tx.maybe(sql.knownTimeZone, [zone]))) throw invalid
}

const articleFields = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
  'unknownSnowArticleId',
  'invoicing_article_id',
] as const satisfies readonly (keyof AdminConfig)[]

async function refuseUnknownArticles(tx: Tx, site: number, input: Edit): Promise<void> {
  const named = [...new Set(articleFields.map(field => input[field]).filter(id => id !== null))]
  if (named.length === 0) return
  const known = await tx.rows<{ id: number }>(sql.knownArticles, [site, named])
  const articles = named.filter(id => !known.some(row => row.id === id))
  if (articles.length > 0) throw new Failure('config.article_missing', { articles })
}
