import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languageCodes } from '#domain/account.ts'
import { formatNumber } from '#domain/number.ts'
import { usualLimits } from './rateLimits.ts'
import { serve } from './serve.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { world, type Principal, type World } from '../testing/world.ts'

let at: World
let app: FastifyInstance
beforeAll(async () => {
  at = await world()
  app = await serve({ database: at.database, limits: { anonymous: 5, reports: 2, costly: 3 } })
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

test('costly calls are limited by account only', async () => {
  const print = (who: Principal) => send('/fleet/getTyreLabels', who, { payload: { tyres: [1], report_id: 1 } })
  expect(await times(4, () => print(at.who.a))).toEqual([404, 404, 404, 429])
  expect((await print(at.who.b)).statusCode).toBe(404)
  expect((await send('/fleet/fetch', at.who.a)).statusCode).toBe(200)
})

test('thirty desks behind one address can open the portal twice in a minute', () => {
  const callsBeforeSignIn = 40
  expect(usualLimits.anonymous).toBeGreaterThan(30 * 2 * callsBeforeSignIn)
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

test('too large a body is refused', async () => {
  const large = await at.send('/fleet/fetch', at.who.a, { search: 'x'.repeat(1024 * 1024) })
  expect([large.status, large.refusal.code]).toEqual([413, 'request.too_large'])
})
