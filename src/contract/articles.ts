/** The catalogue of a site, and tyres that were taken in without an article of it (docs/product/tyres.md "Articles"). */
import { z } from 'zod'
import { isEan, parseDimension, parseLoadIndex, speedSymbols } from '#domain/tyres/article.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, searchText, typedText } from './wire.ts'

export const articleLimits = {
  brand: 60,
  pattern: 100,
  dimension: 40,
  load_index: 7,
  speed_index: 2,
  ean: 14,
  eprel: 10,
  description: 400,
} as const

export const articlesPerPage = 50
/** How many articles with the EAN of another one are listed. */
export const maxSameEanListed = 200
/** How many unknown descriptions are listed, most tyres first. */
export const maxUnknownListed = 200

const listedArticle = z.object({
  _id: id,
  brand: z.string(),
  pattern: z.string(),
  dimension: z.string(),
  /** `91`, or `107/105` with the one for dual wheels. */
  load_index: z.string(),
  speed_index: z.string(),
  season: z.enum(seasons).nullable(),
  ean: z.string(),
  eprel: z.string(),
  fuel_class: z.string(),
  wet_class: z.string(),
  noise_db: z.number().int().nullable(),
  description: z.string(),
  /** It is no longer offered; its tyres keep it. */
  retired: z.boolean(),
  /** Tyres that have it. */
  tyre_count: z.number().int(),
})
export type ListedArticle = z.output<typeof listedArticle>

const upper = (max: number) => typedText(max).transform(text => text.toUpperCase())
const labelClass = upper(1).pipe(z.string().regex(/^[A-G]?$/))

/** The form of an article. The size is as the trade writes it; load and speed in it count where these fields are empty. */
export const articleForm = z.object({
  _id: inputId.optional(),
  brand: typedText(articleLimits.brand).pipe(z.string().min(1)),
  pattern: typedText(articleLimits.pattern),
  dimension: typedText(articleLimits.dimension).refine(text => parseDimension(text) !== null),
  load_index: typedText(articleLimits.load_index).refine(text => text === '' || parseLoadIndex(text) !== null),
  speed_index: upper(articleLimits.speed_index).refine(text => text === '' || Object.hasOwn(speedSymbols, text)),
  season: z.enum(seasons).nullable(),
  ean: typedText(articleLimits.ean).refine(text => text === '' || isEan(text)),
  eprel: typedText(articleLimits.eprel).pipe(z.string().regex(/^\d*$/)),
  fuel_class: labelClass,
  wet_class: labelClass,
  noise_db: z.number().int().min(40).max(100).nullable(),
  /** Empty: brand, pattern, size, load and speed. */
  description: typedText(articleLimits.description),
})

const changed: AnswerName[] = ['articles.list', 'articles.sameEan', 'articles.unknown']
const tyresChanged: AnswerName[] = [
  ...changed,
  'cards.read',
  'fleet.fetch',
  'fleet.vehicle',
  'fleet.history',
  'tyres.events',
]

export const articles = feature('articles', {
  list: call({
    path: '/articles/list',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: z.object({
      search: searchText(100).optional(),
      retired: z.boolean().optional(),
      /** The last article of the page before. */
      last_article: inputId.optional(),
    }),
    output: z.object({ articles: rows(listedArticle), more: z.boolean() }),
    summary: `Lists the articles of the catalogue that have all words of the search, by brand and size, ${articlesPerPage} a page; with \`retired\` those that are no longer offered.`,
  }),
  save: call({
    path: '/articles/save',
    scope: 'operations',
    who: ['admin'],
    warehouse: false,
    input: articleForm,
    output: listedArticle,
    idempotent: true,
    failures: ['record.missing', 'article.known'],
    invalidates: changed,
    summary: 'Adds an article to the catalogue, or changes one. Its tyres keep their description.',
  }),
  retire: call({
    path: '/articles/retire',
    scope: 'operations',
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId, retired: z.boolean() }),
    output: listedArticle,
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Takes an article out of what is offered, or offers it again. Its tyres keep it.',
  }),
  sameEan: call({
    path: '/articles/sameean',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({ articles: rows(listedArticle), article_count: z.number().int() }),
    summary: `Lists the articles that are offered with the EAN of another one, by EAN, at most ${maxSameEanListed}, and their number.`,
  }),
  unknown: call({
    path: '/articles/unknown',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: rows(
      z.object({ description: z.string(), season: z.enum(seasons).nullable(), tyre_count: z.number().int() }),
    ),
    summary: `Lists what tyres were taken in as without an article of the catalogue, most tyres first, at most ${maxUnknownListed}.`,
  }),
  merge: call({
    path: '/articles/merge',
    scope: 'operations',
    who: ['admin'],
    warehouse: false,
    input: z.object({
      from: z.union([
        z.object({ _id: inputId }),
        z.object({ description: typedText(articleLimits.description), season: z.enum(seasons).nullable() }),
      ]),
      into: inputId,
    }),
    output: z.object({ tyre_count: z.number().int() }),
    idempotent: true,
    failures: ['record.missing', 'article.same'],
    invalidates: tyresChanged,
    summary:
      'Gives the tyres of an article, or those taken in under an unknown description, another article. Their history stays and says so; an article that was merged is retired.',
  }),
})
