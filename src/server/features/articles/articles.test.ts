import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articles } from '#contract/articles.ts'
import type { RawInput } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { tyres } from '#contract/tyres.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { testDatabase } from '../../testing/database.ts'
import { world, type World } from '../../testing/world.ts'
import { articlesOfSameEan } from './articles.sql.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-24T10:00:00Z') })
})
afterAll(() => at.close())

type Form = RawInput<typeof articles.save>
const form = (changes: Partial<Form> = {}): Form => ({
  brand: 'Nokian',
  pattern: 'WR D4',
  dimension: '205/55R16',
  load_index: '',
  speed_index: '',
  season: 'winter',
  ean: '',
  eprel: '',
  fuel_class: '',
  wet_class: '',
  noise_db: null,
  description: '',
  ...changes,
})
const save = (changes?: Partial<Form>) => at.ask(articles.save, at.who.admin, form(changes))
const list = async (input: RawInput<typeof articles.list> = {}) =>
  (await at.ask(articles.list, at.who.admin, input)).answer
const eansMatching = async (search: string) =>
  (await at.ask(fleet.searcharticles, at.who.admin, { search_value: search })).answer.articles.map(
    ({ art_id }) => art_id,
  )

describe('an article', () => {
  test('has its size as the trade writes it: load and speed come out of it', async () => {
    const { answer } = await save({
      dimension: '225/45 ZR17 94W XL',
      eprel: '381667',
      fuel_class: 'c',
      ean: '4019238012347',
    })
    expect(answer).toMatchObject({
      dimension: '225/45ZR17',
      load_index: '94',
      speed_index: 'W',
      description: 'Nokian WR D4 225/45ZR17 94W',
      eprel: '381667',
      fuel_class: 'C',
      retired: false,
      tyre_count: 0,
    })
    expect(await eansMatching('2254517W*nok')).toEqual([answer._id])
    expect(await eansMatching('4019238012347')).toEqual([answer._id])
  })

  test('is changed, and found by what it is now', async () => {
    const { answer } = await save({ pattern: 'Old', dimension: '195/65R15 91T' })
    await at.ask(articles.save, at.who.admin, {
      ...form({ pattern: 'New', dimension: '195/65R15 95H' }),
      _id: answer._id,
    })
    expect((await list({ search: 'nokian new' })).articles).toMatchObject([
      { _id: answer._id, load_index: '95', speed_index: 'H' },
    ])
    expect((await list({ search: 'nokian old' })).articles).toEqual([])
  })

  test('is in the catalogue once', async () => {
    await save({ pattern: 'Once' })
    expect((await save({ pattern: 'ONCE', brand: 'nokian' })).refusal.code).toBe('article.known')
  })

  test.each([
    ['dimension', { dimension: 'round' }],
    ['load_index', { load_index: '105/107' }],
    ['speed_index', { speed_index: 'X' }],
    ['ean', { ean: '4019238012345' }],
    ['eprel', { eprel: '12a' }],
    ['fuel_class', { fuel_class: 'H' }],
  ] as const)('with a wrong %s is refused', async (field, changes) =>
    expect((await save(changes)).refusal).toMatchObject({ code: 'request.invalid', params: { fields: [field] } }),
  )

  test('that is retired is no longer offered, and its tyres keep it', async () => {
    const { answer } = await save({ pattern: 'Retired', dimension: '185/60R14 82T' })
    const vehicle = await at.addVehicle({ plate: '1ART001' })
    const add = () =>
      at.ask(tyres.add, at.who.admin, {
        flt_id: vehicle,
        tyre_set: 'W',
        tyres: [{ position: '1A', art_id: answer._id }],
      })
    expect((await add()).status).toBe(200)
    await at.ask(articles.retire, at.who.admin, { _id: answer._id, retired: true })
    expect(await eansMatching('1856014')).toEqual([])
    expect((await add()).refusal.code).toBe('record.missing')
    expect((await list({ retired: true })).articles).toMatchObject([{ _id: answer._id, retired: true, tyre_count: 1 }])
    await at.ask(articles.retire, at.who.admin, { _id: answer._id, retired: false })
    expect(await eansMatching('1856014')).toEqual([answer._id])
  })

  test('of another site is unknown', async () => {
    const { answer } = await save({ pattern: 'Ours' })
    const { refusal } = await at.ask(articles.retire, at.who.otherAdmin, { _id: answer._id, retired: true })
    expect(refusal.code).toBe('record.missing')
  })
})

test('the list is paged by brand and size', async () => {
  await at.query(
    `insert into article (site_id, brand, pattern, description, dimension, brand_key, load_key, words)
     select $1, 'Zeetex', nth::text, 'Zeetex ' || nth, '205/55R16', 'ZEETEX', '2055516', 'ZEETEX ' || nth from generate_series(1, 60) nth`,
    [at.sites.home],
  )
  const first = await list({ search: 'zeetex' })
  const second = await list({ search: 'zeetex', last_article: first.articles.at(-1)?._id })
  expect([first.articles.length, first.more, second.articles.length, second.more]).toEqual([50, true, 10, false])
  expect(new Set([...first.articles, ...second.articles].map(({ _id }) => _id)).size).toBe(60)
})

describe('articles with the same EAN', () => {
  const sameEan = async () => (await at.ask(articles.sameEan, at.who.admin, {})).answer
  const eans = ({ articles: rows }: Awaited<ReturnType<typeof sameEan>>) =>
    rows.map(({ ean, pattern }) => [ean, pattern])

  test('stand side by side, until one is merged, retired or corrected', async () => {
    const [first, last] = ['0036000291452', '96385074']
    const add = async (pattern: string, ean: string) => (await save({ pattern, ean })).answer
    const [wr, , hakka] = [await add('WR', first), await add('Rotation', last), await add('Hakka', `00000${last}`)]
    const [copy, twin] = [await add('WR copy', '036000291452'), await add('WR twin', `0${first}`)]
    await add('Alone', '4019238817294')
    const shared = await sameEan()
    expect(shared.article_count).toBe(5)
    expect(eans(shared)).toEqual([
      [first, 'WR'],
      [first, 'WR copy'],
      [first, 'WR twin'],
      [last, 'Rotation'],
      [last, 'Hakka'],
    ])
    await at.ask(articles.merge, at.who.admin, { from: { _id: copy._id }, into: wr._id })
    await at.ask(articles.retire, at.who.admin, { _id: twin._id, retired: true })
    await at.ask(articles.save, at.who.admin, { ...form({ pattern: 'Hakka', ean: '' }), _id: hakka._id })
    expect(await sameEan()).toEqual({ articles: [], article_count: 0 })
  })

  test('from before an upgrade that gave EANs one spelling are listed, and none is joined', async () => {
    const old = await testDatabase({ empty: true })
    const owner = new Client({ connectionString: old.adminUrl })
    const upgraded = openDatabase(old.appUrl)
    try {
      await migrate(old.adminUrl, { to: 138 })
      await owner.connect()
      await owner.query(
        `insert into site (id, code, name, admin_email) values (1, 'home', 'Home', 'desk@home.test'), (2, 'other', 'Other', 'desk@other.test');
         insert into article (site_id, brand, description, pattern, brand_key, ean, words)
         select site, 'Nokian', 'x', ean, 'NOKIAN', ean, ean from (values (1, '029142123453'), (1, '00029142123453'), (1, '0029142123453'),
           (1, '4006381333931'), (2, '029142123453')) as given(site, ean)`,
      )
      await migrate(old.adminUrl)
      const { text } = await upgraded.transaction({ site: 1 }, tx => tx.json(articlesOfSameEan, { site: 1 }))
      const listed = JSON.parse(text) as Awaited<ReturnType<typeof sameEan>>
      const canonical = '0029142123453'
      expect(eans(listed)).toEqual(['029142123453', '00029142123453', canonical].map(before => [canonical, before]))
      expect(listed.article_count).toBe(3)
    } finally {
      await upgraded.close()
      await owner.end()
      await old.drop()
    }
  })
})

describe('merging', () => {
  const eventsOf = (vehicle: number) =>
    at.query(`select kind, note from tyre_event where vehicle_id = $1 and kind = 'changed' order by id`, [vehicle])

  test('gives tyres that were unknown at intake an article, and their history keeps what they were called', async () => {
    await at.setSite(at.sites.home, { allow_unknown_article: true, unknown_winter_article: at.articles.home })
    const vehicle = await at.addVehicle({ plate: '1MRG001' })
    const unknown = { type: 'winter', description: 'some 205/55R16 91V' } as const
    await at.ask(tyres.add, at.who.admin, {
      flt_id: vehicle,
      tyre_set: 'W',
      tyres: ['1A', '1B'].map(position => ({ position, unknown })),
    })
    const { answer: listed } = await at.ask(articles.unknown, at.who.admin, {})
    expect(listed).toEqual([{ description: unknown.description, season: 'winter', tyre_count: 2 }])
    const { answer: into } = await save({ pattern: 'Found', dimension: '205/55R16 91V' })
    const from = { description: unknown.description, season: 'winter' } as const
    expect((await at.ask(articles.merge, at.who.admin, { from, into: into._id })).answer).toEqual({ tyre_count: 2 })
    expect(
      await at.query(`select article_id, description, unknown_article from tyre where vehicle_id = $1`, [vehicle]),
    ).toEqual(
      Array.from({ length: 2 }, () => ({
        article_id: into._id,
        description: into.description,
        unknown_article: false,
      })),
    )
    expect(await eventsOf(vehicle)).toEqual([1, 2].map(() => ({ kind: 'changed', note: unknown.description })))
    expect((await at.ask(articles.unknown, at.who.admin, {})).answer).toEqual([])
  })

  test('takes the tyres of an article to another one, and retires it', async () => {
    const from = (await save({ pattern: 'Twice A', dimension: '205/60R16 92H' })).answer
    const into = (await save({ pattern: 'Twice B', dimension: '205/60R16 92H' })).answer
    const vehicle = await at.addVehicle({ plate: '1MRG002' })
    await at.ask(tyres.add, at.who.admin, {
      flt_id: vehicle,
      tyre_set: 'W',
      tyres: [{ position: '1A', art_id: from._id }],
    })
    const { answer } = await at.ask(articles.merge, at.who.admin, { from: { _id: from._id }, into: into._id })
    expect(answer).toEqual({ tyre_count: 1 })
    expect((await list({ search: 'twice' })).articles).toMatchObject([{ _id: into._id, tyre_count: 1 }])
    expect(await eventsOf(vehicle)).toEqual([{ kind: 'changed', note: from.description }])
    const itself = await at.ask(articles.merge, at.who.admin, { from: { _id: into._id }, into: into._id })
    expect(itself.refusal.code).toBe('article.same')
  })
})
