/** The catalogue of a site: administrators keep it, and merge descriptions unknown at intake into it (docs/product/tyres.md "Articles"). */
import {
  articleKeys,
  describeArticle,
  parseArticleSearch,
  parseDimension,
  parseLoadIndex,
  plainEan,
  plainSize,
} from '#domain/tyres/article.ts'
import { Failure } from '#domain/failure.ts'
import type { Input } from '#contract/call.ts'
import type { articles as calls } from '#contract/articles.ts'
import type { AuditVerb } from '#domain/people/audit.ts'
import { likePattern } from '../../db/search.ts'
import type { Context, Handlers } from '../handler.ts'
import * as sql from './articles.sql.ts'
import { recordAudit } from '../audit/record.ts'

/** The columns of an article that was entered. Load and speed in the size count where the fields for them are empty. */
function columnsOf(form: Input<typeof calls.save>) {
  const size = parseDimension(form.dimension)
  const load = form.load_index === '' ? size : parseLoadIndex(form.load_index)
  const speed = form.speed_index || size?.speedSymbol || null
  const { brand, pattern } = form
  const dimension = plainSize(form.dimension)
  const { loadIndex, loadIndexDual } = load ?? { loadIndex: null, loadIndexDual: null }
  const { width, aspect, construction, rim } = size ?? { width: null, aspect: null, construction: null, rim: null }
  const ean = plainEan(form.ean) || null
  const keys = articleKeys({ dimension, loadIndex, speedSymbol: speed, brand, pattern, ean })
  return {
    brand,
    pattern,
    description: form.description || describeArticle({ brand, pattern, dimension, loadIndex, loadIndexDual, speed }),
    dimension,
    width,
    aspect,
    construction,
    rim,
    load: loadIndex,
    loadDual: loadIndexDual,
    speed,
    season: form.season,
    ean,
    eprel: form.eprel || null,
    fuel: form.fuel_class || null,
    wet: form.wet_class || null,
    noise: form.noise_db,
    speedKey: keys.speed_key,
    loadKey: keys.load_key,
    brandKey: keys.brand_key,
    words: keys.words,
  }
}

/** The words of a search; a size in it counts as its digits. */
function wordsOf(text: string): string[] {
  const search = parseArticleSearch(text)
  const words = search.kind === 'dimension' ? [search.prefix] : search.words
  return search.brand === null ? words : [...words, search.brand]
}

type Auditing = Pick<Context<unknown, ['admin']>, 'tx' | 'site' | 'who' | 'now'>
const audit = ({ tx, site, who, now }: Auditing, verb: AuditVerb<'article'>, article: number, facts: object) =>
  recordAudit({ tx, site, who, now }, `article.${verb}`, `article ${article}`, facts)

export const articles: Handlers['articles'] = {
  list: ({ input, tx, site }) =>
    tx.single.json(sql.pageOfArticles, {
      site: site.id,
      patterns: wordsOf(input.search ?? '').map(likePattern),
      retired: input.retired ?? false,
      last: input.last_article ?? null,
    }),

  async save(context) {
    const { input, tx, site } = context
    const columns = columnsOf(input)
    const { description } = columns
    if (input._id === undefined) {
      const { id } = await tx.one(sql.addArticle, { site: site.id, ...columns })
      await audit(context, 'add', id, { description })
      return tx.json(sql.articleById, { site: site.id, article: id })
    }
    const before = await tx.one(sql.lockArticle, { site: site.id, article: input._id })
    await tx.run(sql.changeArticle, { site: site.id, article: input._id, ...columns })
    await audit(context, 'edit', input._id, { before: before.description, description })
    return tx.json(sql.articleById, { site: site.id, article: input._id })
  },

  async retire(context) {
    const { input, tx, site, now } = context
    const { description, retired } = await tx.one(sql.lockArticle, { site: site.id, article: input._id })
    if (retired !== input.retired) {
      await tx.run(sql.retireArticle, { site: site.id, article: input._id, at: input.retired ? now : null })
      await audit(context, input.retired ? 'retire' : 'restore', input._id, { description })
    }
    return tx.json(sql.articleById, { site: site.id, article: input._id })
  },

  sameEan: ({ tx, site }) => tx.single.json(sql.articlesOfSameEan, { site: site.id }),

  unknown: ({ tx, site }) => tx.single.json(sql.unknownDescriptions, { site: site.id }),

  async merge(context) {
    const { input, tx, site, who, now, request } = context
    const { from, into } = input
    const source = '_id' in from ? from._id : null
    if (source === into) throw new Failure('article.same')
    // in the order of their ids, so that two merges do not wait for each other
    const locked = new Map<number, string>()
    for (const article of [into, ...(source === null ? [] : [source])].sort((a, b) => a - b))
      locked.set(article, (await tx.one(sql.lockArticle, { site: site.id, article })).description)
    const description = locked.get(into) ?? ''
    const unknown = '_id' in from ? null : from
    const { tyre_count } = await tx.one(sql.giveArticle, {
      site: site.id,
      from: source,
      unknown: unknown?.description ?? null,
      season: unknown?.season ?? null,
      into,
      description,
      now,
      account: who.account,
    })
    if (source !== null) await tx.run(sql.retireArticle, { site: site.id, article: source, at: now })
    const before = source === null ? (unknown?.description ?? '') : (locked.get(source) ?? '')
    await audit(context, 'merge', into, { before, description, amount: tyre_count })
    request.notify('everyone')
    return { tyre_count }
  },
}
