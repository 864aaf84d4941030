/** The search of articles by size or words. */
import { parseArticleSearch } from '#domain/tyres/article.ts'
import { likePattern } from '../../db/search.ts'
import type { Row } from '../../db/statement.ts'
import type { Handlers } from '../handler.ts'
import { articleOrder, articlesBySize, articlesByText } from './articles.sql.ts'

/** Behind this article a page begins; the first page of a size begins at that size. */
type PageStart = { id: number; brand_key: string } & Partial<Row<typeof articleOrder>>
const firstPage: PageStart = { id: 0, brand_key: '' }

/** The end of the range of texts that begin with this one, in C order. */
const endOfRange = (prefix: string): string => `${prefix}\u{10FFFF}`

export const articles: Pick<Handlers['fleet'], 'searcharticles'> = {
  async searcharticles({ input: { search_value, last_article }, tx, site }) {
    const search = parseArticleSearch(search_value)
    const brand = search.brand ?? ''
    const none = { articles: [], more_available: false }
    if (search.kind === 'text' && search.words.length === 0 && brand === '') return none
    const start = last_article
      ? await tx.single.maybe(articleOrder, { site: site.id, article: last_article })
      : firstPage
    if (!start) return none
    if (search.kind === 'dimension') {
      const { prefix } = search
      const { id, brand_key, speed_key = prefix, load_key = prefix } = start
      return tx.single.json(articlesBySize, {
        site: site.id,
        prefix,
        end: endOfRange(prefix),
        brand,
        lastSpeed: speed_key,
        lastLoad: load_key,
        lastBrand: brand_key,
        last: id,
      })
    }
    return tx.single.json(articlesByText, {
      site: site.id,
      patterns: search.words.map(likePattern),
      brand,
      lastBrand: start.brand_key,
      lastSpeed: start.speed_key ?? '',
      last: start.id,
    })
  },
}
