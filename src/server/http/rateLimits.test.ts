import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { mountHealth } from './health.ts'
import { mountDocs } from './openapi.ts'
import { defaultLimits } from './rateLimits.ts'
import { serve } from './serve.ts'
import { mountImages } from '../features/sites/sites.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { world, type Principal, type World } from '../testing/world.ts'

const few = { ...defaultLimits, anonymous: 5, health: 3, reports: 2, challenges: 2, reportedTexts: 4, costly: 3 }

let at: World
let app: FastifyInstance
beforeAll(async () => {
  at = await world()
  app = await serve({ database: at.database, limits: few })
  mountImages(app, at.database)
  mountHealth(app, at.database)
  await mountDocs(app)
})
afterAll(async () => {
  await app.close()
  await at.close()
})

const send = (url: string, { cookie, host }: Principal, more: InjectOptions = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload: {},
    ...more,
    headers: { host, ...(cookie && { cookie }), ...more.headers },
  })
const times = async (count: number, ask: () => Promise<{ statusCode: number }>): Promise<number[]> => {
  const statuses: number[] = []
  for (let nth = 0; nth < count; nth++) statuses.push((await ask()).statusCode)
  return statuses
}

test('calls without a session are limited by address, whatever the call and with any made-up cookie', async () => {
  const from = (address: string, url = '/users/loginstate', headers = {}) =>
    send(url, at.who.anonymous, { remoteAddress: address, headers })
  expect(await times(5, () => from('10.9.0.1'))).toEqual([200, 200, 200, 200, 200])
  const refused = await from('10.9.0.1', '/fleet/fetch', { cookie: 'wheelhouse=made-up' })
  expect(refused.statusCode).toBe(429)
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(JSON.parse(refused.payload)).toMatchObject({ code: 'request.too_many', params: { seconds } })
  expect((await from('10.9.0.1', '/users/authenticate')).statusCode).toBe(429)
  const page = await app.inject({ url: '/gsc', headers: { host: 'home.test' }, remoteAddress: '10.9.0.1' })
  expect(page.statusCode).toBe(429)
  // another address; a /64 of IPv6 counts as one
  expect((await from('10.9.0.2')).statusCode).toBe(200)
  expect(await times(6, () => from('2001:db8:1:2::1'))).toEqual([200, 200, 200, 200, 200, 429])
  expect((await from('2001:db8:1:2:ffff::9')).statusCode).toBe(429)
  expect((await from('2001:db8:1:3::1')).statusCode).toBe(200)
})

test('every other route is limited by address, too, with any cookie', async () => {
  const get = (url: string, remoteAddress: string) => () =>
    app.inject({ url, remoteAddress, headers: { host: 'home.test', cookie: 'wheelhouse=made-up' } })
  const image = `/images/${'0'.repeat(64)}.png`
  expect(await times(6, get(image, '10.9.3.1'))).toEqual([404, 404, 404, 404, 404, 429])
  expect(await times(6, get('/docs/json', '10.9.3.2'))).toEqual([200, 200, 200, 200, 200, 429])
  expect(await times(6, get('/no-such-thing', '10.9.3.3'))).toEqual([404, 404, 404, 404, 404, 429])
  expect(await times(4, get('/health/ready', '10.9.3.3'))).toEqual([200, 200, 200, 429])
  const signedIn = await app.inject({
    url: image,
    remoteAddress: '10.9.3.1',
    headers: { host: 'home.test', cookie: at.who.a.cookie ?? '' },
  })
  expect(signedIn.statusCode).toBe(404)
})

test('a stranger is refused before the body is read', async () => {
  const body = (bytes: number): InjectOptions => ({
    payload: JSON.stringify({ text: 'x'.repeat(bytes) }),
    headers: { 'content-type': 'application/json' },
    remoteAddress: '10.9.4.1',
  })
  const refused = async (url: string, who: Principal, bytes: number) => (await send(url, who, body(bytes))).statusCode
  expect(await refused('/fleet/fetch', at.who.anonymous, 2_000_000)).toBe(401)
  expect(await refused('/fleet/fetch', at.who.a, 2_000_000)).toBe(413)
  // a call that needs no account takes 16 kB, from whomever
  expect(await refused('/users/loginstate', at.who.anonymous, 17_000)).toBe(413)
  expect(await refused('/users/loginstate', at.who.a, 17_000)).toBe(413)
  expect(await refused('/users/loginstate', at.who.anonymous, 15_000)).toBe(200)
})

test('an account is not limited when its address is flooded', async () => {
  const remoteAddress = '10.9.1.1'
  await times(8, () => send('/users/loginstate', at.who.anonymous, { remoteAddress }))
  expect(await times(20, () => send('/fleet/fetch', at.who.a, { remoteAddress }))).toEqual(Array(20).fill(200))
})

test('reports of missing texts are limited by address, with or without a session', async () => {
  const report = (who: Principal) => send('/locales/add/en/common', who, { remoteAddress: '10.9.2.1' })
  expect([(await report(at.who.a)).statusCode, (await report(at.who.anonymous)).statusCode]).toEqual([200, 200])
  expect((await report(at.who.a)).statusCode).toBe(429)
})

test('challenges for passkeys are few for an address that has shown no password', async () => {
  const ask = (remoteAddress: string) => send('/users/askpasskey', at.who.anonymous, { remoteAddress })
  expect(await times(3, () => ask('10.9.5.1'))).toEqual([200, 200, 429])
  expect((await ask('10.9.5.2')).statusCode).toBe(200)
  // what has expired goes with the next ones
  await at.query(`update passkey_challenge set expires_at = now() - interval '1 second'`)
  await ask('10.9.5.2')
  expect(await at.query('select from passkey_challenge')).toHaveLength(1)
})

test('missing texts are counted by address, and a new one pushes out the oldest', async () => {
  const other = await serve({ database: at.database, limits: { ...few, anonymous: 100, reports: 100 } })
  const report = async (remoteAddress: string, ...keys: string[]) =>
    (
      await other.inject({
        method: 'POST',
        url: '/locales/add/en/common',
        headers: { host: 'home.test' },
        payload: Object.fromEntries(keys.map(key => [key, key])),
        remoteAddress,
      })
    ).statusCode
  const kept = async () =>
    (await at.query<{ key: string }>('select key from missing_text order by last_at, key')).map(({ key }) => key)
  await at.query(
    `insert into missing_text (language, namespace, key, place, first_at, last_at)
     select 'eng', 'common', 'old' || nth, '', at, at from generate_series(1, 2000) nth, lateral (select now() - interval '1 day' + nth * interval '1 s' as at) a`,
  )
  expect(await report('10.9.5.1', 'newA', 'newB', 'old1')).toBe(200)
  const left = await kept()
  expect(left).toHaveLength(2000)
  expect(left.slice(0, 1)).toEqual(['old4'])
  expect(left.slice(-3)).toEqual(['newA', 'newB', 'old1'])
  // the fifth and sixth of an hour are too many
  expect(await report('10.9.5.1', 'newC', 'newD', 'newE')).toBe(429)
  expect(await kept()).toEqual(left)
  expect(await report('10.9.5.2', 'newC')).toBe(200)
  await other.close()
})

test('costly calls are limited by account only', async () => {
  const print = (who: Principal) => send('/fleet/getTyreLabels', who, { payload: { tyres: [1], report_id: 1 } })
  expect(await times(4, () => print(at.who.a))).toEqual([404, 404, 404, 429])
  expect((await print(at.who.b)).statusCode).toBe(404)
  expect((await send('/fleet/fetch', at.who.a)).statusCode).toBe(200)
})

test('thirty desks behind one address can open the portal twice in a minute', () => {
  const callsBeforeSignIn = 40
  expect(defaultLimits.anonymous).toBeGreaterThan(30 * 2 * callsBeforeSignIn)
})

test('too long lists and texts are refused with the limit, in every language', async () => {
  const long = 'x'.repeat(101)
  const many = Array.from({ length: 1001 }, (_, nth) => nth + 1)
  const tries: [string, Principal, object, unknown][] = [
    ['/fleet/getTyreLabels', at.who.a, { tyres: many, report_id: 1 }, { fields: ['tyres'], most: 1000 }],
    ['/locations/labels', at.who.admin, { locations: many, report_id: 1 }, { fields: ['locations'], most: 1000 }],
    ['/fleet/searcharticles', at.who.a, { search_value: long }, { fields: ['search_value'], most: 100 }],
    ['/fleet/findcustomerbyname', at.who.admin, { string: long }, { fields: ['string'], most: 100 }],
    ['/fleet/fetch', at.who.a, { search: long }, { fields: ['search'], most: 100 }],
    ['/customers/list', at.who.admin, { search: long }, { fields: ['search'], most: 100 }],
    ['/audit/list', at.who.admin, { search: long }, { fields: ['search'], most: 100 }],
    ['/customers/import', at.who.admin, { csv: 'x'.repeat(900_001) }, { fields: ['csv'], most: 900_000 }],
  ]
  for (const [path, who, body, params] of tries) {
    const reply = await at.send(path, who, body)
    expect([path, reply.status, reply.refusal.code]).toEqual([path, 422, 'request.too_much'])
    expect(reply.refusal.params, path).toEqual(params)
    expect(reply.refusal.message).toContain(formatNumber((params as { most: number }).most, 'en'))
  }
  const messages = new Set<string>()
  for (const lang of languageCodes) {
    await at.query('update account set language = $1 where id = $2', [lang, at.who.b.account])
    invalidateSessions(at.database)
    const { refusal } = await at.send('/fleet/searcharticles', at.who.b, { search_value: long })
    messages.add(refusal.message)
  }
  expect(messages.size).toBe(languageCodes.length)
  // with another invalid field it is an invalid request
  const both = await at.send('/fleet/getTyreLabels', at.who.a, { tyres: many, report_id: 'x' })
  expect([both.status, both.refusal.code]).toEqual([400, 'request.invalid'])
})

test('half a million entries in a list are too many, not a fault', async () => {
  const reply = await at.send('/hotelconfig/edit', at.who.admin, {
    docInsertExceptions: Array.from({ length: 300_000 }, () => 1),
  })
  expect([reply.status, reply.refusal.code]).toEqual([422, 'request.too_complex'])
  const labels = { tyres: Array.from({ length: 70_000 }, () => 'x'), report_id: 1 }
  const listed = await at.send('/fleet/getTyreLabels', at.who.a, labels)
  expect([listed.status, listed.refusal.code]).toEqual([422, 'request.too_much'])
})

test('too large a body is refused', async () => {
  const large = await at.send('/fleet/fetch', at.who.a, { search: 'x'.repeat(1024 * 1024) })
  expect([large.status, large.refusal.code]).toEqual([413, 'request.too_large'])
})
