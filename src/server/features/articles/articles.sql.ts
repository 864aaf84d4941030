/** The statements of the catalogue. */
import { z } from 'zod'
import { seasons } from '#domain/tyres/tyre.ts'
import { articlesPerPage, maxSameEanListed, maxUnknownListed } from '#contract/articles.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, decimal, instant, int, text } from '../../db/types.ts'

const wire = `a.id as _id, a.brand, a.pattern, a.dimension, concat_ws('/', a.load_index, a.load_index_dual) as load_index,
     coalesce(a.speed_symbol, '') as speed_index, a.season, coalesce(a.ean, '') as ean, coalesce(a.eprel, '') as eprel,
     coalesce(a.fuel_class, '') as fuel_class, coalesce(a.wet_class, '') as wet_class, a.noise_db, a.description,
     a.retired_at is not null as retired, (select count(*) from tyre t where t.site_id = a.site_id and t.article_id = a.id
       and t.removed_at is null)::int as tyre_count`

export const articleById = statement({
  name: 'articles.byId',
  parameters: { site: int, article: int },
  row: answer,
  sql: `select row_to_json(wire)::text as json from (
     select ${wire} from article a where a.site_id = :site and a.id = :article and not a.unknown) wire`,
})

/** A page of the catalogue behind the article `last`; `patterns` are of `like`. One row more than a page says whether there is a next. */
export const pageOfArticles = statement({
  name: 'articles.page',
  parameters: { site: int, patterns: z.array(text), retired: bool, last: int.nullable() },
  row: answer,
  sql: `with page as (
     select a.* from article a left join article last on last.site_id = :site and last.id = :last
     where a.site_id = :site and not a.unknown and (a.retired_at is not null) = :retired and a.words like all (:patterns::text[])
       and (:last::int is null or (a.brand_key, a.load_key, a.id) > (last.brand_key, last.load_key, last.id))
     order by a.brand_key, a.load_key, a.id limit ${articlesPerPage + 1})
   select json_build_object('articles', coalesce((select json_agg(wire) from (
       select ${wire} from page a order by a.brand_key, a.load_key, a.id limit ${articlesPerPage}) wire), '[]'),
     'more', (select count(*) > ${articlesPerPage} from page))::text as json`,
})

/** Locks an article of the catalogue. */
export const lockArticle = statement({
  name: 'articles.lock',
  parameters: { site: int, article: int },
  row: { description: text, retired: bool },
  sql: `select description, retired_at is not null as retired from article where site_id = :site and id = :article and not unknown for update`,
})

const fields = {
  brand: text,
  pattern: text,
  description: text,
  dimension: text,
  width: decimal.nullable(),
  aspect: decimal.nullable(),
  construction: text.nullable(),
  rim: decimal.nullable(),
  load: int.nullable(),
  loadDual: int.nullable(),
  speed: text.nullable(),
  season: z.enum(seasons).nullable(),
  ean: text.nullable(),
  eprel: text.nullable(),
  fuel: text.nullable(),
  wet: text.nullable(),
  noise: int.nullable(),
  speedKey: text,
  loadKey: text,
  brandKey: text,
  words: text,
}
const columns = `brand, pattern, description, dimension, width, aspect, construction, rim, load_index, load_index_dual, speed_symbol, season,
     ean, eprel, fuel_class, wet_class, noise_db, speed_key, load_key, brand_key, words`
const values = `:brand, :pattern, :description, :dimension, :width::numeric, :aspect::numeric, :construction, :rim::numeric, :load::int, :loadDual::int, :speed,
     :season, :ean, :eprel, :fuel, :wet, :noise::int, :speedKey, :loadKey, :brandKey, :words`
export const addArticle = statement({
  name: 'articles.add',
  parameters: { site: int, ...fields },
  row: { id: int },
  sql: `insert into article (site_id, ${columns}) values (:site, ${values}) returning id`,
})
export const changeArticle = statement({
  name: 'articles.change',
  parameters: { site: int, article: int, ...fields },
  sql: `update article set (${columns}) = row(${values}) where site_id = :site and id = :article`,
})
export const retireArticle = statement({
  name: 'articles.retire',
  parameters: { site: int, article: int, at: instant.nullable() },
  sql: `update article set retired_at = :at where site_id = :site and id = :article`,
})

/** The articles that are offered with the EAN of another one, side by side, and their number. */
export const articlesOfSameEan = statement({
  name: 'articles.sameEan',
  parameters: { site: int },
  row: answer,
  sql: `with same_ean as (
     select ean, count(*) from article where site_id = :site and ean is not null and not unknown and retired_at is null
     group by ean having count(*) > 1),
   listed as (
     select a.* from same_ean join article a on a.site_id = :site and a.ean = same_ean.ean and not a.unknown and a.retired_at is null
     order by a.ean, a.id limit ${maxSameEanListed})
   select json_build_object('articles', coalesce((select json_agg(wire) from (select ${wire} from listed a order by a.ean, a.id) wire), '[]'),
     'article_count', (select coalesce(sum(count), 0)::int from same_ean))::text as json`,
})

/** The descriptions of tyres taken in without an article, with how many tyres have each. */
export const unknownDescriptions = statement({
  name: 'articles.unknown',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select description, season, count(*)::int as tyre_count from tyre where site_id = :site and unknown_article and removed_at is null
     group by description, season order by count(*) desc, description limit ${maxUnknownListed}) wire`,
})

/**
 * Gives tyres an article and its description; what they were called before stays in their history. Either those of the article
 * `from`, or those of an unknown description and season.
 */
export const giveArticle = statement({
  name: 'articles.give',
  parameters: {
    site: int,
    from: int.nullable(),
    unknown: text.nullable(),
    season: z.enum(seasons).nullable(),
    into: int,
    description: text,
    now: instant,
    account: int,
  },
  row: { tyre_count: int },
  sql: `with before as (
     select id, description from tyre where site_id = :site and case when :from::int is null
       then unknown_article and description = :unknown and season is not distinct from :season else article_id = :from and not unknown_article end
     order by id for update),
   given as (
     update tyre t set article_id = :into, description = :description, unknown_article = false from before
     where t.site_id = :site and t.id = before.id returning t.id, t.customer_id, t.vehicle_id, before.description),
   written as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
     select :site, id, customer_id, vehicle_id, 'changed', :now, :account, description from given)
   select count(*)::int as tyre_count from given`,
})
