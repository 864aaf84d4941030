/** The statements of articles. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { answer, int, text } from '../../db/types.ts'

/** How many articles a page of a search holds. */
export const articlesPerPage = 25

// One row more than a page shows whether there is a next page.
const articlePage = (matches: string, order: string): string => `
  ${matches}
  select json_build_object('articles', coalesce(json_agg(article), '[]'),
    'more_available', (select count(*) > ${articlesPerPage} from found))::text as json
  from (
    select array[id] as art_id, array[description] as description, array[brand] as brand, array[season] as season
    from found order by ${order} limit ${articlesPerPage}) article`

/** The sort keys of an article, after which a page begins. */
export const articleOrder = statement({
  name: 'fleet.articleOrder',
  parameters: { site: int, article: int },
  row: { id: int, speed_key: text, load_key: text, brand_key: text },
  sql: `select id, speed_key, load_key, brand_key from article where site_id = :site and id = :article`,
})

/**
 * Articles by size: those whose key begins with `prefix`, which means it lies between `prefix` and `end`, and whose brand begins with
 * `brand`, after the article `last` with the keys `lastSpeed`, `lastLoad` and `lastBrand`. The two keys of an article differ only behind
 * the size. So the typed text is the beginning of keys with the speed symbol or, when there are none, of keys with the load index
 * before it.
 *
 * The first page begins at `(prefix, '', 0)`: beside it, a second condition `>= prefix` makes PostgreSQL read six times as
 * much. The brand is no range, or PostgreSQL would rather read another index and sort.
 */
export const articlesBySize = statement({
  name: 'fleet.articlesBySize',
  parameters: {
    site: int,
    prefix: text,
    end: text,
    brand: text,
    lastSpeed: text,
    lastLoad: text,
    lastBrand: text,
    last: int,
  },
  row: answer,
  sql: articlePage(
    `with by_speed as (
       select id, description, brand, season, speed_key as key, brand_key from article
       where site_id = :site and not unknown and retired_at is null and speed_key < :end and (speed_key, brand_key, id) > (:lastSpeed, :lastBrand, :last)
         and left(brand_key, length(:brand)) = :brand
       order by speed_key, brand_key, id limit ${articlesPerPage + 1}),
     by_load as (
       select id, description, brand, season, load_key as key, brand_key from article
       where site_id = :site and not unknown and retired_at is null and load_key < :end and (load_key, brand_key, id) > (:lastLoad, :lastBrand, :last)
         and left(brand_key, length(:brand)) = :brand
         and not exists (select from article where site_id = :site and not unknown and retired_at is null and speed_key >= :prefix and speed_key < :end)
       order by load_key, brand_key, id limit ${articlesPerPage + 1}),
     found as (select * from by_speed union all select * from by_load)`,
    'key, brand_key, id',
  ),
})

/** Articles in whose words all `patterns` (of `like`) are found; brand and page as above. */
export const articlesByText = statement({
  name: 'fleet.articlesByText',
  parameters: { site: int, patterns: z.array(text), brand: text, lastBrand: text, lastSpeed: text, last: int },
  row: answer,
  sql: articlePage(
    `with found as (
       select id, description, brand, season, brand_key, speed_key from article
       where site_id = :site and not unknown and retired_at is null and words like all (:patterns::text[]) and left(brand_key, length(:brand)) = :brand
         and (brand_key, speed_key, id) > (:lastBrand, :lastSpeed, :last)
       order by brand_key, speed_key, id limit ${articlesPerPage + 1})`,
    'brand_key, speed_key, id',
  ),
})
