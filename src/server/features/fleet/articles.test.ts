import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articleKeys } from '#domain/tyres/article.ts'
import { fleet } from '#contract/fleet.ts'
import { valuesOf } from '../../db/statement.ts'
import { world, type World } from '../../testing/world.ts'
import { articlesBySize } from './articles.sql.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-20T09:00:00Z') })
})
afterAll(() => at.close())

const search = async (search_value: string, last_article?: number) =>
  (await at.ask(fleet.searcharticles, at.who.a, { search_value, last_article })).answer

describe('articles', () => {
  type Wish = {
    brand: string
    pattern: string
    dimension: string
    load?: number
    speed?: string
    unknown?: boolean
    site?: number
  }
  async function addArticle({ brand, pattern, dimension, load, speed, unknown = false, site = at.sites.home }: Wish) {
    const keys = articleKeys({ brand, pattern, dimension, loadIndex: load, speedSymbol: speed })
    const [row] = await at.query<{ id: number }>(
      `insert into article (site_id, brand, pattern, description, dimension, load_index, speed_symbol, unknown, speed_key, load_key, brand_key, words)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        site,
        brand,
        pattern,
        `${brand} ${pattern} ${dimension} ${load ?? ''}${speed ?? ''}`,
        dimension,
        load,
        speed,
        unknown,
        keys.speed_key,
        keys.load_key,
        keys.brand_key,
        keys.words,
      ],
    )
    return row?.id ?? 0
  }
  let ids: Record<'pirelli' | 'continental' | 'v' | 'truck' | 'unknown' | 'other', number>
  beforeAll(async () => {
    ids = {
      pirelli: await addArticle({
        brand: 'Pirelli',
        pattern: 'Cinturato',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
      }),
      continental: await addArticle({
        brand: 'Continental',
        pattern: 'Eco 6',
        dimension: '225/45R17',
        load: 94,
        speed: 'Y',
      }),
      v: await addArticle({ brand: 'Continental', pattern: 'Eco 6 50%', dimension: '225/45R17', load: 91, speed: 'V' }),
      truck: await addArticle({
        brand: 'Bridgestone',
        pattern: 'R-Drive',
        dimension: '315/80R22.5',
        load: 156,
        speed: 'L',
      }),
      unknown: await addArticle({
        brand: '',
        pattern: 'x',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
        unknown: true,
      }),
      other: await addArticle({
        brand: 'Pirelli',
        pattern: 'Zero',
        dimension: '225/45R17',
        load: 91,
        speed: 'Y',
        site: at.sites.other,
      }),
    }
  })

  test.each<[string, (keyof typeof ids)[]]>([
    ['2254517Y', ['continental', 'pirelli']],
    ['225/45 R17 Y', ['continental', 'pirelli']],
    ['225/45R17 91Y', ['pirelli']],
    ['225451791', ['v', 'pirelli']],
    ['2254517', ['v', 'continental', 'pirelli']],
    ['2254517Y*pir', ['pirelli']],
    ['2254517*Conti', ['v', 'continental']],
    ['315/80R22.5', ['truck']],
    ['cinturato', ['pirelli']],
    ['eco continental', ['v', 'continental']],
    ['eco*continental', ['v', 'continental']],
    ['50%', ['v']],
    ['_', []],
    ['2254517Y*michelin', []],
    ['9999999', []],
    ['', []],
    ['*', []],
  ])('%j finds what it says', async (words, expected) => {
    const { articles, more_available } = await search(words)
    expect(articles.map(article => article.art_id)).toEqual(expected.map(name => ids[name]))
    expect(more_available).toBe(false)
  })

  test('an article tells its number, description, brand and season', async () => {
    const { articles } = await search('2055516H')
    expect(articles).toEqual([
      { art_id: at.articles.home, description: 'Michelin Alpin 6 205/55R16 91H', brand: 'Michelin', season: 'winter' },
    ])
  })

  test.each([
    ['by size', '1856515T'],
    ['by size and load', '185651588T'],
    ['by text', 'manypages'],
  ])('pages follow one another %s, each article once, and the last page says so', async (_, input) => {
    const keys = articleKeys({
      brand: 'Many',
      pattern: 'Manypages',
      dimension: '185/65R15',
      loadIndex: 88,
      speedSymbol: 'T',
    })
    await at.query(
      `insert into article (site_id, brand, pattern, description, dimension, load_index, speed_symbol, speed_key, load_key, brand_key, words)
       select $1, 'Many' || n % 7, 'Manypages ' || n, 'Many ' || n, '185/65R15', 88, 'T', $2, $3, 'MANY' || n % 7, $4
       from generate_series(1, 75) n on conflict do nothing`,
      [at.sites.home, keys.speed_key, keys.load_key, keys.words],
    )
    const seen: number[] = []
    const pages: [number, boolean][] = []
    for (let last: number | undefined; pages.length < 10;) {
      const page = await search(input, last)
      pages.push([page.articles.length, page.more_available])
      seen.push(...page.articles.map(article => article.art_id))
      if (!page.more_available) break
      last = page.articles.at(-1)?.art_id
    }
    expect(pages).toEqual([
      [25, true],
      [25, true],
      [25, false],
    ])
    expect(new Set(seen).size).toBe(75)
  })

  test('a site finds its own articles only', async () => {
    const { answer } = await at.ask(fleet.searcharticles, at.who.otherUser, { search_value: '2254517Y' })
    expect(answer.articles.map(article => article.art_id)).toEqual([ids.other])
  })

  test('the page after an article that is not there is empty', async () => {
    for (const missing of [2_000_000, ids.other])
      expect(await search('2254517', missing)).toEqual({ articles: [], more_available: false })
  })

  test('a page of a size is read from its index in its order, not sorted out of the whole catalogue', async () => {
    await at.query(
      `insert into article (site_id, brand, pattern, description, dimension, speed_key, load_key, brand_key)
       select $1, 'Bulk', 'Bulk ' || n, 'Bulk', 'x', (1000000 + n) || 'T', (1000000 + n) || '88T', 'BULK' from generate_series(1, 4000) n`,
      [at.sites.home],
    )
    await at.query('analyze article')
    await at.query('set plan_cache_mode = force_generic_plan')
    await at.query(`prepare page as ${articlesBySize.text}`)
    const prefix = '1000500'
    const start = { lastSpeed: prefix, lastLoad: prefix, lastBrand: '', last: 0 }
    const page = { site: at.sites.home, prefix, end: `${prefix}\u{10FFFF}`, brand: '', ...start }
    const values = valuesOf(articlesBySize.order, page).map(value => `'${value}'`)
    const plan = await at.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute page (${values.join(', ')})`)
    const text = plan.map(row => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Scan using article_speed on article/)
    expect(text).toMatch(/Index Scan using article_load on article/)
    expect(text).not.toMatch(/Seq Scan|article_once/)
    await at.query('deallocate page')
    await at.query('reset plan_cache_mode')
  })
})
