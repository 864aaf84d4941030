import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { locale } from '#contract/translations.ts'
import { languageCodes, languages } from '#domain/people/account.ts'
import { plainCell } from '#domain/texts/cell.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { invalidateTexts } from './dictionary.ts'
import { openLive } from '../http/live.ts'
import { serve } from '../http/serve.ts'
import { shippedText, shippedTexts } from './texts.ts'
import { waitUntil } from '../testing/waiting.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let elsewhere: { database: Database; node: FastifyInstance }
beforeAll(async () => {
  at = await world()
  const database = openDatabase(at.appUrl, { size: 2 })
  elsewhere = { database, node: await serve({ database }) }
})
afterEach(async () => {
  await at.query('truncate translation, missing_text, audit')
  // the tables were changed without the server
  invalidateTexts(at.database)
})
afterAll(async () => {
  await elsewhere.node.close()
  await elsewhere.database.close()
  await at.close()
})

const missing = { language: 'eng', namespace: 'failures', key: 'record.missing' } as const
const put = async (text: { namespace?: string; key: string; value: string; language?: 'eng' | 'dut' | 'fre' }) =>
  at.ask(locale.new, at.who.superuser, { language: 'eng', namespace: 'failures', ...text })
const refused = async () =>
  (await at.send('/operations/cancel', at.who.admin, { operation: { _id: 2e9 } })).refusal.message

test('the server uses a translation from the next answer on, until it is deleted', async () => {
  const shipped = await refused()
  const saved = await put({ key: missing.key, value: 'Gone fishing' })
  expect(saved.answer).toEqual({ _id: saved.answer._id, ...missing, value: 'Gone fishing' })
  expect(await refused()).toBe('Gone fishing')
  await at.ask(locale.update, at.who.superuser, { id: saved.answer._id, value: ' Gone\r\nfor good ' })
  expect(await refused()).toBe('Gone for good')
  expect((await at.ask(locale.delete, at.who.superuser, { id: saved.answer._id })).answer).toMatchObject(missing)
  expect(await refused()).toBe(shipped)
  expect((await at.ask(locale.delete, at.who.superuser, { id: saved.answer._id })).refusal.code).toBe('record.missing')
  expect(
    await at.query(`select account_id, site_id, action, subject, facts from audit where action like 'tr%' order by id`),
  ).toEqual(
    [
      ['translation.create', { to: 'Gone fishing' }],
      ['translation.update', { from: 'Gone fishing', to: 'Gone for good' }],
      ['translation.delete', { from: 'Gone for good' }],
    ].map(([action, facts]) => ({
      account_id: at.who.superuser.account,
      site_id: null,
      action,
      subject: 'eng failures:record.missing',
      facts,
    })),
  )
})

test('another node uses it within two seconds, and reads the dictionary once in that time', async () => {
  // a superuser's, since ids that others may not see are looked up in transactions of their own
  const message = async () =>
    (
      await elsewhere.node.inject({
        method: 'POST',
        url: locale.delete.path,
        headers: { host: 'home.test', cookie: at.who.superuser.cookie ?? '' },
        payload: { id: 2e9 },
      })
    ).json().message
  await message()
  const transactions = vi.spyOn(elsewhere.database, 'transaction')
  const begun = performance.now()
  for (let nth = 0; nth < 20; nth++) await message()
  // a transaction for each call, and one in a second at most for sites, session and texts each
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(20 + 3 * (1 + Math.floor((performance.now() - begun) / 1000)))
  transactions.mockRestore()
  await at.query(
    `insert into translation (language, namespace, key, value) values ('eng', 'failures', 'record.missing', 'Said elsewhere')`,
  )
  await waitUntil(2000, async () => (await message()) === 'Said elsewhere')
})

test('a text keeps its placeholders, is not empty and not too long', async () => {
  const taken = { key: 'set.positions_taken' }
  const lost = await put({ ...taken, value: 'Taken' })
  expect([lost.status, lost.refusal.code, lost.refusal.params]).toEqual([
    409,
    'translation.placeholders',
    { placeholders: ['{{positions}}'] },
  ])
  expect(lost.refusal.message).toContain('{{positions}}')
  expect((await put({ ...taken, value: '{{positions}} of {{name}}' })).refusal.code).toBe(
    'translation.unknown_placeholders',
  )
  const { answer } = await put({ ...taken, value: 'Taken: {{positions}}' })
  expect((await at.ask(locale.update, at.who.superuser, { id: answer._id, value: 'Taken' })).refusal.code).toBe(
    'translation.placeholders',
  )
  for (const value of ['', ' \n ', 'x'.repeat(5001)])
    expect((await put({ key: missing.key, value })).refusal.code).toBe('request.invalid')
  expect((await put({ key: missing.key, value: 'x'.repeat(5000) })).status).toBe(200)
})

test('only shipped texts and reported keys can be translated, and no text hides others', async () => {
  expect((await put({ key: 'no.such', value: 'x' })).refusal.code).toBe('record.missing')
  expect((await put({ namespace: 'nothing', key: 'a', value: 'x' })).refusal.code).toBe('record.missing')
  // only French has a plural for millions
  expect((await put({ namespace: 'common', key: 'tyres_many', value: 'x' })).refusal.code).toBe('record.missing')
  expect(
    (await put({ namespace: 'common', key: 'tyres_many', value: '{{count}} pneus', language: 'fre' })).status,
  ).toBe(200)
  const report = (...keys: string[]) =>
    at.send('/locales/add/en/failures', at.who.anonymous, Object.fromEntries(keys.map(key => [key, key])))
  // a group of texts, and a key below a text, are not missing
  await report('record', 'record.missing.more', 'fresh', 'fresh.deep', 'a..b')
  const { answer } = await at.ask(locale.missing, at.who.superuser, {})
  expect(answer.map(({ key }) => key).sort()).toEqual(['fresh', 'fresh.deep'])
  expect((await put({ key: 'record', value: 'x' })).refusal.code).toBe('record.missing')
  expect((await put({ key: 'fresh', value: 'New', language: 'dut' })).status).toBe(200)
  expect((await put({ key: 'fresh.deep', value: 'x' })).refusal.code).toBe('record.missing')
  const file = await at.ask(locale.file, at.who.anonymous, { lng: 'nl', ns: 'failures' })
  expect(file.answer).toMatchObject({ fresh: 'New', record: shippedTexts('nl', 'failures')?.record })
})

test('a missing text is listed with its count, times and page, until it is translated or forgotten', async () => {
  at.clock.now = new Date('2026-11-20T10:00:00Z')
  const report = (page: string) =>
    at.send('/locales/add/en/common', at.who.a, { lost: '', gone: '' }, { referer: `http://home.test${page}` })
  await report('/fleet')
  at.clock.now = new Date('2026-11-20T11:00:00Z')
  await report('/tyres')
  const listed = async () => (await at.ask(locale.missing, at.who.superuser, {})).answer
  expect(await listed()).toEqual(
    ['gone', 'lost'].map(key => ({
      language: 'eng',
      namespace: 'common',
      key,
      asked: 2,
      first: '2026-11-20T10:00:00+00:00',
      last: '2026-11-20T11:00:00+00:00',
      page: '/tyres',
    })),
  )
  await put({ namespace: 'common', key: 'lost', value: 'Found' })
  expect((await listed()).map(({ key }) => key)).toEqual(['gone'])
  // an old page reports a text that has been added meanwhile
  await report('/old')
  expect((await listed()).map(({ key }) => key)).toEqual(['gone'])
  const forgotten = await at.ask(locale.forget, at.who.superuser, {
    texts: [
      { language: 'eng', namespace: 'common', key: 'gone' },
      { language: 'dut', namespace: 'common', key: 'gone' },
    ],
  })
  expect(forgotten.answer).toEqual({ forgotten: 1 })
  expect(await listed()).toEqual([])
  expect(await at.query(`select subject, facts from audit where action = 'translation.forget'`)).toEqual([
    { subject: 'eng common:gone', facts: { forgotten: 1 } },
  ])
})

test('all shipped texts are listed by key, in all languages', async () => {
  const { answer, headers } = await at.ask(locale.shipped, at.who.superuser, {})
  const entry = answer.find(({ namespace, key }) => namespace === 'common' && key === 'tyres_many')
  expect(Object.keys(entry?.texts ?? {})).toEqual(['fre'])
  const texts = Object.fromEntries(
    languageCodes.map(language => [language, shippedText(languages[language], missing.namespace, missing.key)]),
  )
  expect(Object.values(texts).every(Boolean)).toBe(true)
  expect(answer.find(({ namespace, key }) => namespace === missing.namespace && key === missing.key)?.texts).toEqual(
    texts,
  )
  expect(headers.etag).toBeTruthy()
})

test('an exported language can be imported again unchanged, and its formulas do not run in a spreadsheet', async () => {
  const hostile = '=HYPERLINK("http://x";"a, b")'
  await put({ key: missing.key, value: hostile })
  for (const form of ['json', 'csv'] as const) {
    const { text } = (await at.ask(locale.export, at.who.superuser, { language: 'eng', form })).answer
    expect(text).toContain(form === 'csv' ? `"'=HYPERLINK(""` : JSON.stringify(hostile))
    const { answer } = await at.ask(locale.import, at.who.superuser, { language: 'eng', text })
    expect(answer).toMatchObject({ added: 0, changed: 0, restored: 0, refused: 0, lines: [] })
    expect(answer.unchanged).toBe(answer.row_count)
    expect(answer.row_count).toBeGreaterThan(1000)
  }
  expect(plainCell(`'${hostile}`)).toBe(hostile)
})

test('an import changes texts, restores shipped ones, and lists the rows it refuses', async () => {
  const original = await refused()
  const { answer: old } = await put({ key: missing.key, value: 'Old' })
  await put({ key: 'site.mode', value: 'Not here' })
  const cancel = 'Stop'
  const text = [
    'Value,Namespace,Key,Remark',
    `"${original}",failures,record.missing,as shipped`,
    `Nowhere,failures,site.mode`,
    `${cancel},common,cancel`,
    `,common,close,blank says nothing`,
    `No place,failures,set.positions_taken`,
    `x,failures,nothing`,
    `Twice,common,cancel`,
    `${'x'.repeat(5001)},common,retry`,
  ].join('\n')
  const ask = (dryRun: boolean) => at.ask(locale.import, at.who.superuser, { language: 'eng', text, dryRun })
  const expected = { row_count: 8, added: 1, changed: 1, restored: 1, unchanged: 1, refused: 4 }
  const tried = await ask(true)
  expect(tried.answer).toMatchObject(expected)
  expect(tried.answer.lines.map(({ where }) => where)).toEqual([
    '6: failures:set.positions_taken',
    '7: failures:nothing',
    '8: common:cancel',
    '9: common:retry',
  ])
  expect(tried.answer.lines.every(({ reason }) => reason !== '' && !reason.startsWith('refusal.'))).toBe(true)
  expect(await refused()).toBe('Old')
  expect((await ask(false)).answer).toMatchObject(expected)
  expect(await refused()).toBe(original)
  const kept = (await at.ask(locale.all, at.who.superuser, {})).answer.filter(text => text.changed)
  expect(kept.map(({ key, value }) => [key, value])).toEqual([
    ['cancel', cancel],
    ['site.mode', 'Nowhere'],
  ])
  expect(kept.some(({ _id }) => _id === old._id)).toBe(false)
  expect((await at.query(`select action from audit where action like 'translation%'`)).length).toBe(5)
})

test('an unreadable file is refused with the reason', async () => {
  for (const text of ['', '{"common": ', 'key;value\na;b', 'namespace,key,value\n"open,a,b']) {
    const { status, refusal } = await at.ask(locale.import, at.who.superuser, { language: 'eng', text })
    expect([status, refusal.code], text).toEqual([400, 'import.unusable'])
  }
  const nested = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`
  expect((await at.ask(locale.import, at.who.superuser, { language: 'eng', text: nested })).answer.row_count).toBe(0)
  const odd = JSON.stringify({ common: { cancel: 7, close: null, retry: ['x'] }, failures: 'x' })
  expect((await at.ask(locale.import, at.who.superuser, { language: 'eng', text: odd })).answer).toMatchObject({
    added: 0,
    refused: 2,
  })
})

test('open pages at every site, and those of superusers, are told that texts have changed', async () => {
  const live = openLive(at.appUrl)
  const node = await serve({ database: elsewhere.database, live })
  try {
    const received: (readonly string[])[] = []
    const listen = (who: 'a' | 'otherUser' | 'superuser') => {
      const { account, type, customer } = at.who[who]
      const site = who === 'superuser' ? null : at.who[who].site
      live.listen({
        who: { account, type: type ?? 'user', warehouse: false, site, customer, username: '', fullname: '', lang: 'eng' },
        pages: () => 1,
        receive: ({ paths }) => received.push([who, ...paths]),
      })
    }
    listen('a')
    listen('otherUser')
    listen('superuser')
    const reply = await node.inject({
      method: 'POST',
      url: '/locale/new',
      headers: { host: 'home.test', cookie: at.who.superuser.cookie ?? '' },
      payload: { ...missing, value: 'Heard' },
    })
    expect(reply.statusCode).toBe(200)
    expect(received.sort()).toEqual([
      ['a', '/locales'],
      ['otherUser', '/locales'],
      ['superuser', '/locale/all', '/locale/missing', '/locale/preview', '/locales'],
    ])
  } finally {
    await node.close()
    await live.close()
  }
})
