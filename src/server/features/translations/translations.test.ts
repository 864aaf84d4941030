import { afterAll, beforeAll, expect, test } from 'vitest'
import { locale } from '#contract/translations.ts'
import { invalidateSessions } from '../session/sessions.ts'
import { hasText, namespaces, translate, withOverrides } from '../../texts/texts.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

test('a namespace is answered by language, with the texts of the dictionary', async () => {
  const file = { lng: 'en', ns: 'failures' } as const
  const shipped = await at.ask(locale.file, at.who.anonymous, file)
  expect(shipped.status).toBe(200)
  await at.query(
    `insert into translation (language, namespace, key, value) values ('eng', 'failures', 'record.missing', 'Gone fishing'), ('eng', 'failures', '__proto__.polluted', 'yes')`,
  )
  const changed = await at.ask(locale.file, at.who.anonymous, file)
  expect(changed.answer).toMatchObject({ record: { missing: 'Gone fishing' } })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  const unchanged = await at.app.inject({
    url: '/locales/en/failures.json',
    headers: { host: 'home.test', 'if-none-match': String(changed.headers.etag) },
  })
  expect([unchanged.statusCode, unchanged.payload]).toEqual([304, ''])
  expect(shipped.headers.etag).not.toBe(changed.headers.etag)
})

test('an unknown language or namespace is refused', async () => {
  for (const path of [
    '/locales/xx/common.json',
    '/locales/en/nothing.json',
    '/locales/en/..%2f..%2fpackage.json',
    '/locales/en/constructor.json',
    '/locales/en/toString.json',
    '/locales/%E0%A4%A/x.json',
  ]) {
    const reply = await at.app.inject({ url: path, headers: { host: 'home.test' } })
    expect([400, 404], path).toContain(reply.statusCode)
    expect(JSON.parse(reply.payload), path).toHaveProperty('code')
  }
})

test('a missing key is saved with its count and page, a known one is not', async () => {
  const report = (keys: object) =>
    at.send('/locales/add/en/common', at.who.anonymous, keys, { referer: 'http://home.test/wizard/step1?x=1' })
  expect((await report({ 'lost.such.key': 'x' })).status).toBe(200)
  await report({ 'lost.such.key': 'x' })
  const namespace = namespaces.includes('common') ? 'common' : namespaces[0]
  expect(namespace).toBe('common')
  expect(await at.query(`select language, namespace, key, asked, place from missing_text`)).toEqual([
    { language: 'eng', namespace: 'common', key: 'lost.such.key', asked: 2, place: '/wizard/step1' },
  ])
  await at.send('/locales/add/en/failures', at.who.anonymous, { 'record.missing': 'x' })
  expect(await at.query(`select from missing_text where namespace = 'failures'`)).toEqual([])
})

test('a report that no column can hold is no error', async () => {
  for (const keys of [
    { '': 'x' },
    { '\ud800': 1, '\ud801': 2 },
    { ['k'.repeat(300)]: 'x' },
    { 'a\0b': 'x' },
    ['list'],
    'text',
  ])
    expect((await at.send('/locales/add/en/common', at.who.anonymous, keys)).status, JSON.stringify(keys)).toBeLessThan(
      500,
    )
  expect((await at.send('/locales/add/en/toString', at.who.anonymous, { x: '' })).refusal.code).toBe('record.missing')
})

test('reports are bounded: a new one pushes out the oldest', async () => {
  const flood = Object.fromEntries(Array.from({ length: 101 }, (_, nth) => [`k${nth}`, '']))
  expect((await at.send('/locales/add/en/common', at.who.anonymous, flood)).refusal.code).toBe('request.too_many')
  await at.query(
    `insert into missing_text (language, namespace, key, first_at, last_at)
     select 'eng', 'common', 'filler' || n, at, at from generate_series(1, 2000) n, lateral (select now() - n * interval '1 s' as at) a`,
  )
  expect((await at.send('/locales/add/en/common', at.who.anonymous, { 'one.more': '' })).status).toBe(200)
  const kept = `select key from missing_text where key in ('one.more', 'filler1', 'filler2000') order by key`
  expect(await at.query(kept)).toEqual([{ key: 'filler1' }, { key: 'one.more' }])
  expect(await at.query('select count(*)::int from missing_text')).toEqual([{ count: 2000 }])
  expect((await at.send('/locales/add/en/nowhere', at.who.anonymous, { x: '' })).refusal.code).toBe('record.missing')
})

test('only superusers read the dictionary', async () => {
  expect((await at.ask(locale.all, at.who.superuser, {})).status).toBe(200)
  expect(
    (await at.app.inject({ url: '/locale/all', headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '' } }))
      .statusCode,
  ).toBe(403)
})

test('every text in effect is listed with an id that update and delete take', async () => {
  await at.query('delete from translation')
  const listed = async () => (await at.ask(locale.all, at.who.superuser, {})).answer
  const place = { language: 'dut', namespace: 'failures', key: 'record.missing' } as const
  const find = async () => (await listed()).filter(text => text.key === place.key && text.language === place.language)
  const [shipped] = await find()
  expect(shipped).toMatchObject({ ...place, value: translate('dut', 'failures', 'record.missing'), changed: false })
  const id = shipped!._id
  const saved = await at.ask(locale.update, at.who.superuser, { id, value: 'Weg.' })
  expect(saved.answer).toMatchObject({ ...place, value: 'Weg.' })
  expect(await find()).toEqual([{ ...saved.answer, changed: true }])
  // the id of before still means this text
  await at.ask(locale.update, at.who.superuser, { id, value: 'Verdwenen.' })
  expect(await find()).toMatchObject([{ _id: saved.answer._id, value: 'Verdwenen.' }])
  await at.ask(locale.delete, at.who.superuser, { id })
  expect(await find()).toEqual([shipped])
  expect((await at.ask(locale.delete, at.who.superuser, { id })).answer).toMatchObject({ _id: id })
  const all = await listed()
  expect(new Set(all.map(text => text._id)).size).toBe(all.length)
  expect(new Set(all.map(text => text.language))).toEqual(new Set(['eng', 'dut', 'fre', 'ger']))
})

test('texts are found in any plural form, and overrides do not change the shipped texts', () => {
  expect(hasText('en', 'failures', 'record.missing')).toBe(true)
  expect(hasText('en', 'failures', 'record.nothing')).toBe(false)
  const shipped = { a: { b: 'one' }, c: 'two' }
  expect(
    withOverrides(shipped, [
      { key: 'a.b', value: 'other' },
      { key: 'c.d', value: 'deep' },
    ]),
  ).toEqual({ a: { b: 'other' }, c: { d: 'deep' } })
  expect(shipped).toEqual({ a: { b: 'one' }, c: 'two' })
})

test('a refusal is in the language of the account', async () => {
  await at.query(`update account set language = 'dut' where id = $1`, [at.who.admin.account])
  invalidateSessions(at.database)
  const dutch = await at.send('/operations/cancel', at.who.admin, { operation: { _id: 2e9 } })
  expect(dutch.refusal.message).toBe(translate('dut', 'failures', 'record.missing'))
  expect(dutch.refusal.message).not.toBe(translate('eng', 'failures', 'record.missing'))
})
